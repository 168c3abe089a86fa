"""What is installed stands alone: no dynamic dependency but the C library and libglvnd, no search path; and the libraries
export the vendors' entry points only.

  libraries_test.py BUILD_FOLDER [SONAME...]   the further sonames are allowed too (a sanitizer's runtimes)
"""
import glob
import os
import re
import subprocess
import sys

NEEDED = {
    "libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1", "libGLdispatch.so.0",
}
EXPORTED = {"__egl_Main", "__glx_Main"}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def faults(library, more):
    dynamic = output("readelf", "-dW", library)
    for soname in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        if soname not in NEEDED and soname not in more:
            yield f"needs {soname}"
    for path in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", dynamic):
        yield f"has a search path: {path}"
    if "TEXTREL" in dynamic:
        yield "has text relocations"
    if not more and ".so" in os.path.basename(library):
        for line in output("nm", "-D", "--defined-only", library).splitlines():
            symbol = line.split()[-1].split("@")[0]
            if symbol not in EXPORTED:
                yield f"exports {symbol}"


def main():
    folder, more = sys.argv[1], set(sys.argv[2:])
    libraries = sorted({os.path.realpath(path) for path in glob.glob(os.path.join(folder, "lib/*.so*"))})
    if not libraries:
        sys.exit(f"no library in {folder}/lib")
    libraries.append(os.path.join(folder, "bin/mobilegl"))
    found = [f"{os.path.basename(library)}: {fault}" for library in libraries for fault in faults(library, more)]
    print("\n".join(found) or "\n".join(f"{os.path.basename(library)}: stands alone" for library in libraries))
    sys.exit(1 if found else 0)


main()
