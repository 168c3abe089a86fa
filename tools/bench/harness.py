"""What the measurements share: the environment of an arm, a run, the counters that it leaves."""
import os
import re
import subprocess
import sys
import tempfile

HOST_VENDOR = os.environ.get("MOBILEGL_TEST_HOST_VENDOR", "/usr/share/glvnd/egl_vendor.d/50_mesa.json")
VALIDATION = re.compile(r"VUID-|UNASSIGNED-|SYNC-HAZARD|Validation (Error|Warning)")


class Failed(Exception):
    """Why a run is worth nothing."""


def program(build, name):
    return os.path.join(build, "bin", name)


def environment(build, **knobs):
    """Through MobileGL with nothing but these knobs; the extension that fcl asks for is had, listed or not."""
    vendor = os.path.join(build, "share/glvnd/egl_vendor.d/50_mobilegl.json")
    if not os.path.exists(vendor):
        raise Failed(f"no {vendor}: build it first")
    env = host_environment()
    env.update(__EGL_VENDOR_LIBRARY_FILENAMES=vendor, MOBILEGL_SHADER_CACHE="0",
               MOBILEGL_EXTENSION_OVERRIDE="+GL_ARB_vertex_attrib_binding", **knobs)
    return env


def host_environment():
    env = {k: v for k, v in os.environ.items() if not k.startswith("MOBILEGL_")}
    env["__EGL_VENDOR_LIBRARY_FILENAMES"] = HOST_VENDOR
    return env


def run(words, env, renderer=None):
    """What the run printed; Failed when it failed or was not on that renderer."""
    done = subprocess.run(words, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          errors="replace")
    if done.returncode != 0:
        raise Failed(f"{' '.join(words)} failed with status {done.returncode}:\n{done.stdout}")
    if renderer and 'renderer="' in done.stdout and renderer not in done.stdout:
        raise Failed(f"not on {renderer}: {done.stdout}")
    return done.stdout


def counters(words, env, renderer=None):
    """The counters of a whole run, by name; a stall's name has Stall before it."""
    with tempfile.NamedTemporaryFile(suffix=".counters") as out:
        run(words, dict(env, MOBILEGL_COUNTERS=out.name), renderer)
        values = dict(line.split() for line in open(out.name, encoding="utf-8"))
    if not values:
        raise Failed("MOBILEGL_COUNTERS wrote nothing")
    return {name: int(value) for name, value in values.items()}


def expectations(text):
    """The line of --expect: draws=… calls=… passes=…"""
    for line in text.splitlines():
        if ": expect " in line:
            return {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", line)}
    raise Failed(f"no line of expectations: {text}")


def die(what):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {what}")
