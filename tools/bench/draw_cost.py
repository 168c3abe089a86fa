#!/usr/bin/env python3
"""What a draw of the rd12 frame costs us (the body of `make draw-cost`).

  draw_cost.py BUILD_FOLDER          a release build

Instructions come from callgrind on Null in a monolith, collected inside the measured frames alone, through the entry
points that libglvnd's EGL gives.  The workload's own instructions are left out; what runs under the applier's door is the
applier's; all else is the client's.  Records and bytes come from the counters of two loopback runs of different length,
allocations from the calls that callgrind saw.  Everything printed is per draw; the last line has the sums.
"""
import argparse
import collections
import os
import re
import sys
import tempfile

import harness

DRAWS = 1471
WARMUP = 5
FRAMES = 4
COLLECTED = "workloadMeasuredFrames"
SERVER = ("mgl::server::", "mgl::null::", "mgl::backend::")
ALLOCATORS = {"malloc", "calloc", "realloc", "memalign", "aligned_alloc", "posix_memalign"}
TARGETS = {"records": 1.05, "bytes": 96, "instructions": 600, "allocations": 0}


def environment(build, **more):
    return harness.environment(build, MOBILEGL_BACKEND="null", **more)


def workload(build, frames):
    return [harness.program(build, "workload-rd12"), "--no-read", "--warmup", str(WARMUP), "--frames", str(frames)]


def plain(name):
    """A function's qualified name without its result, arguments and template arguments."""
    out, depth = "", 0
    for c in name.split("'")[0].replace("(anonymous namespace)", "{anonymous}"):
        if c == "(" and depth == 0:
            break
        depth += {"<": 1, ">": -1}.get(c, 0)
        if depth == 0 and c != ">":
            out += c
    return out.split(" ")[-1]


class Profile:
    """The part of a callgrind file that is needed: own cost by function, calls and their cost by edge."""

    def __init__(self, path):
        self.own = collections.Counter()
        self.edges = collections.Counter()
        self.calls = collections.Counter()
        self.objects = {}
        self.total = 0
        names = {"fn": {}, "ob": {}}
        current, callee, current_object, callee_object, in_call = None, None, "", None, 0

        def resolve(kind, text):
            match = re.match(r"\((\d+)\)(?: (.*))?$", text)
            if not match:
                return text
            if match.group(2) is not None:
                names[kind][match.group(1)] = match.group(2)
            return names[kind][match.group(1)]

        with open(path, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                line = line.rstrip("\n")
                key, equals, text = line.partition("=")
                if equals and key in ("fn", "cfn", "ob", "cob", "calls", "fl", "fi", "fe", "cfi", "cfl"):
                    if key == "fn":
                        current = (current_object, resolve("fn", text))
                    elif key == "ob":
                        current_object = resolve("ob", text)
                    elif key == "cob":
                        callee_object = resolve("ob", text)
                    elif key == "cfn":
                        callee = (callee_object if callee_object is not None else current_object, resolve("fn", text))
                        callee_object = None
                    elif key == "calls":
                        in_call = int(text.split()[0])
                elif line and (line[0].isdigit() or line[0] in "+-*"):
                    cost = int(line.split()[-1]) if len(line.split()) > 1 else 0
                    if in_call:
                        self.edges[current, callee] += cost
                        self.calls[current, callee] += in_call
                        in_call = 0
                    else:
                        self.own[current] += cost
                        self.total += cost


def is_server(function):
    return plain(function[1]).startswith(SERVER)


def is_workload(function):
    return os.path.basename(function[0]) == "workload-rd12"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--top", type=int, default=0, help="also print the N dearest functions, instructions per draw")
    parser.add_argument("--keep", help="keep callgrind's file there")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as cache:
        if not re.search(r"^CMAKE_BUILD_TYPE:\w+=Release$", cache.read(), re.M):
            sys.exit("draw-cost: not a release build")

    env = environment(build, MOBILEGL_PIPE_LOOPBACK="1")
    first, second = (harness.counters(workload(build, frames), env, "Null") for frames in (1, 1 + FRAMES))
    per_draw = {name: (second[name] - first[name]) / (FRAMES * DRAWS) for name in second}
    draws = per_draw["Draws"]
    if abs(draws - 1) > 1e-9:
        sys.exit(f"draw-cost: {draws * DRAWS} draws a frame reached the tracker, not {DRAWS}")

    with tempfile.TemporaryDirectory() as work:
        out = options.keep or os.path.join(work, "callgrind.out")
        harness.run(["valgrind", "--tool=callgrind", f"--toggle-collect={COLLECTED}", f"--callgrind-out-file={out}",
                     "--compress-pos=no", *workload(build, FRAMES)], environment(build), "Null")
        profile = Profile(out)

    frames_draws = FRAMES * DRAWS
    own = sum(cost for function, cost in profile.own.items() if is_workload(function))
    applier = sum(cost for (caller, callee), cost in profile.edges.items() if is_server(callee) and not is_server(caller))
    client = profile.total - own - applier
    allocations = sum(n for (caller, callee), n in profile.calls.items()
                      if callee[1].split("'")[0] in ALLOCATORS and caller[1].split("'")[0] not in ALLOCATORS)
    if applier == 0 or client <= 0:
        sys.exit("draw-cost: no instruction under the applier's door: its functions have other names now")
    glvnd = sum(cost for function, cost in profile.own.items()
                if re.match(r"lib(OpenGL|GLdispatch|EGL\.so)", os.path.basename(function[0])))
    print(f"workload itself {own / frames_draws:.1f}, of the client's in libglvnd's stubs {glvnd / frames_draws:.1f}, "
          f"blobs {per_draw['Blobs']:.4f} with {per_draw['BlobBytes']:.1f} bytes, verbs {per_draw['Verbs']:.4f}, "
          f"delta hits {per_draw['DeltaHits']:.4f}")
    for function, cost in profile.own.most_common(options.top):
        print(f"{cost / frames_draws:9.1f}  {plain(function[1])}")
    client_per_draw, applier_per_draw = client / frames_draws, applier / frames_draws
    measured = {"records": per_draw["Records"], "bytes": per_draw["RecordBytes"],
                "instructions": client_per_draw + applier_per_draw, "allocations": allocations / frames_draws}
    missed = [f"{name} {measured[name]:.3f} over {target}" for name, target in TARGETS.items()
              if measured[name] > target + 1e-9]
    for miss in missed:
        print(f"draw-cost: missed: {miss}")
    print(f"draw-cost: records={measured['records']:.4f} bytes={measured['bytes']:.1f} "
          f"client_instructions={client_per_draw:.0f} applier_instructions={applier_per_draw:.0f} "
          f"allocations={measured['allocations']:.4f}")
    sys.exit(1 if missed else 0)


try:
    main()
except harness.Failed as failed:
    harness.die(failed)
