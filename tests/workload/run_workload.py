#!/usr/bin/env python3
"""A workload's picture: MobileGL's on Magma must be the host GL's.

Drawn off the screen, where both hosts have the rows in the same order: a window's rows lie upside down on some, and a
pixel on an edge then falls to the other side.  The picture of the surface is compared with our own off-screen one.  The
host's OpenGL ES build must draw the same picture too, and a draw delta that forgets what lies between the draws must not.
"""
import argparse
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/bench"))
import harness

# What a value may be off by, of 255: bsl's shaders end in sums and quotients of floats, which a compiler may fuse.
STEPS = {"bsl": 1}
# Where a draw follows another of the same program after state has changed: elsewhere the program's change lets the draw
# delta look at everything.
FORGETS = ["rd12", "openra"]
FORGOTTEN = ["glBindTexture", "glEnable", "glDisable", "glBlendFunc", "glBlendFuncSeparate", "glBlendEquation", "glDepthMask",
             "glDepthFunc", "glColorMask", "glViewport", "glPolygonMode", "glPolygonOffset", "glBindFramebuffer",
             "glCullFace", "glFrontFace", "glScissor"]
FRAMES = ["--warmup", "1", "--frames", "2"]


def draw(build, name, env, *more, renderer=None):
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "picture.ppm")
        text = harness.run([harness.program(build, name), *FRAMES, "--picture", path, *more], env, renderer)
        messages = [line for line in text.splitlines() if harness.VALIDATION.search(line)]
        if messages:
            raise harness.Failed(f"{len(messages)} validation messages, first: {messages[0]}")
        with open(path, "rb") as file:
            return file.read()


def differing(a, b, steps):
    return sum(abs(x - y) > steps for x, y in zip(a, b)) + abs(len(a) - len(b))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("workload")
    options = parser.parse_args()
    build, name = os.path.abspath(options.build), "workload-" + options.workload
    magma = harness.environment(build, MOBILEGL_BACKEND="magma", MOBILEGL_VALIDATION="1")
    host = draw(build, name, harness.host_environment(), "--offscreen")
    faults = []

    def same(what, picture, other):
        bytes_off = differing(picture, other, STEPS.get(options.workload, 0))
        print(f"{options.workload}: {what}: {bytes_off} bytes differ")
        if bytes_off:
            faults.append(what)

    ours = draw(build, name, magma, "--offscreen", renderer="Magma")
    same("Magma's picture against the host's", ours, host)
    same("the surface's picture against the one drawn off the screen", draw(build, name, magma, renderer="Magma"), ours)
    same("the host's OpenGL ES picture against its OpenGL one",
         draw(build, name + "-es", harness.host_environment(), "--offscreen"), host)
    unread = draw(build, name, dict(magma, MOBILEGL_IPC_DROP_WAIT="ReadPixels"), "--offscreen", renderer="Magma")
    if not differing(unread, host, 1):
        faults.append("the control: a picture that was not read is not seen")
    if options.workload not in FORGETS:
        return faults
    broken = draw(build, name, dict(magma, MOBILEGL_PIPE_DRAW_DELTA_DROP=",".join(FORGOTTEN)), "--offscreen",
                  renderer="Magma")
    broken_off = differing(broken, host, 1)
    print(f"{options.workload}: control, nothing moves an epoch: {broken_off} bytes differ")
    if not broken_off:
        faults.append("the control: a draw delta that forgets is not seen")
    return faults


try:
    FAULTS = main()
    if FAULTS:
        harness.die("; ".join(FAULTS))
except harness.Failed as failed:
    harness.die(failed)
