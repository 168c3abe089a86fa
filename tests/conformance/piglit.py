#!/usr/bin/env python3
"""Runs piglit on MobileGL and on the machine's own GL under the same restriction (OpenGL 3.3 core), and compares.

  piglit.py BUILD_FOLDER FILTER [--arm magma|magma-loopback|oracle]

FILTER is a regular expression over test names (spec@glsl-3.30|...).  The last line counts the results of the arm and
what the host passes in the same set.
"""
import argparse
import bz2
import collections
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PROFILES = ("quick_gl", "quick_shader", "glslparser")
ARMS = {
    "oracle": {},
    "magma": {"MOBILEGL_BACKEND": "magma"},
    "magma-loopback": {"MOBILEGL_BACKEND": "magma", "MOBILEGL_PIPE_LOOPBACK": "1"},
}
KINDS = {"pass": "pass", "skip": "skip", "crash": "crash", "timeout": "timeout", "incomplete": "crash"}


def environment(build, arm):
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("MOBILEGL_", "MESA_", "PIGLIT_")) and k != "__EGL_VENDOR_LIBRARY_FILENAMES"}
    restrict = os.path.join(build, "tests/conformance/waffle_restrict.so")
    if not os.path.exists(restrict):
        sys.exit(f"piglit: no {restrict}: build it first")
    env["LD_PRELOAD"] = " ".join(filter(None, (env.get("LD_PRELOAD"), restrict)))
    if arm == "oracle":
        env.update(MESA_GL_VERSION_OVERRIDE="3.3", MESA_GLSL_VERSION_OVERRIDE="330")
    else:
        vendor = os.path.join(build, "share/glvnd/egl_vendor.d/50_mobilegl.json")
        if not os.path.exists(vendor):
            sys.exit(f"piglit: no {vendor}: build it first")
        env.update(ARMS[arm], __EGL_VENDOR_LIBRARY_FILENAMES=vendor)
    return env


def prove(arm, env):
    """The driver that piglit's programs will get is the arm's."""
    told = subprocess.run(["wflinfo", "--platform", "surfaceless_egl", "--api", "gl", "--profile", "core",
                           "--version", "3.3"], env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)
    match = re.search(r"OpenGL renderer string: (.*)", told.stdout)
    if not match:
        sys.exit(f"piglit: arm {arm} gives no context:\n{told.stdout}")
    is_ours = "Magma" in match.group(1)
    if is_ours != (arm != "oracle"):
        sys.exit(f"piglit: arm {arm} runs on {match.group(1)}")
    print(f"piglit: arm {arm}: {match.group(1)}", flush=True)


def run(build, arm, pattern, jobs):
    env = environment(build, arm)
    prove(arm, env)
    results = {}
    for profile in PROFILES:
        out = os.path.join(build, "piglit", arm, profile)
        shutil.rmtree(out, ignore_errors=True)
        os.makedirs(os.path.dirname(out), exist_ok=True)
        words = ["piglit", "run", "-p", "surfaceless_egl", "-j", str(jobs), "-l", "quiet", "-o", "--timeout", "30",
                 "-t", pattern, profile, out]
        done = subprocess.run(words, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        path = os.path.join(out, "results.json.bz2")
        if not os.path.exists(path):
            if "no tests" in done.stdout.lower():
                continue
            sys.exit(f"piglit: {' '.join(words)} failed with status {done.returncode}:\n{done.stdout}")
        with bz2.open(path, "rt", encoding="utf-8") as text:
            tests = json.load(text)["tests"]
        for name, test in tests.items():
            results[name] = KINDS.get(test["result"], "fail")
    return results


def expected(arm):
    """name -> (result, reason)"""
    lines = {}
    path = os.path.join(HERE, "expected", arm + ".txt")
    if not os.path.exists(path):
        return lines
    with open(path, encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            if not line.strip() or line.startswith("#"):
                continue
            match = re.match(r"(fail|crash|timeout|skip) (.+?) # (\S.*)$", line)
            if not match:
                sys.exit(f"{path}:{number}: not 'result test name # reason'")
            lines[match.group(2)] = (match.group(1), match.group(3))
    return lines


def judge(ours, oracle, listed, whole):
    """Faults: what differs from the host and from the list."""
    faults = []
    for name, result in sorted(ours.items()):
        if name in listed:
            if listed[name][0] != result:
                faults.append(f"stale: {name} is listed as {listed[name][0]} and is {result}")
        elif result != "pass" and oracle.get(name) == "pass":
            faults.append(f"{result}: {name}")
        elif result in ("crash", "timeout") and oracle.get(name) != result:
            faults.append(f"{result}: {name} (oracle: {oracle.get(name)})")
    for name in sorted(set(oracle) - set(ours)):
        faults.append(f"did not run: {name}")
    if whole:
        faults += [f"stale: {name} is listed and is no test" for name in sorted(set(listed) - set(ours))]
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("filter", nargs="?", default="")
    parser.add_argument("--arm", choices=ARMS, default="magma")
    parser.add_argument("--jobs", type=int, default=min(8, os.cpu_count() or 1))
    parser.add_argument("--show", type=int, default=200, help="how many faults to print")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    pattern = options.filter or "."
    oracle = run(build, "oracle", pattern, options.jobs)
    ours = run(build, options.arm, pattern, options.jobs)
    if not oracle:
        sys.exit(f"piglit: no test matches {pattern}")
    faults = judge(ours, oracle, expected(options.arm), not options.filter)
    for fault in faults[:options.show]:
        print(fault)
    if len(faults) > options.show:
        print(f"... and {len(faults) - options.show} more")
    counts = collections.Counter(ours.values())
    oracle_pass = sum(result == "pass" for result in oracle.values())
    both = sum(result == "pass" and ours.get(name) == "pass" for name, result in oracle.items())
    print(f"piglit: of the {oracle_pass} that the host passes, {options.arm} passes {both}"
          f" ({100 * both / max(1, oracle_pass):.1f} %)")
    print(f"piglit: set={options.filter or 'all'} arm={options.arm} pass={counts['pass']} fail={counts['fail']} "
          f"crash={counts['crash']} timeout={counts['timeout']} skip={counts['skip']} oracle_pass={oracle_pass}")
    sys.exit(1 if faults else 0)


main()
