// Nothing of its own: the server-side libraries are linked into this one whole (CMakeLists.txt says why).
