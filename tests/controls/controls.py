#!/usr/bin/env python3
"""Runs every control of controls.txt and sees that what it names turns red; checks that the list is complete.

    controls.py --build DIR [--quick] [--filter REGEX] [--list-only]

--quick runs the controls on the Null backend alone. The last line counts what was listed, red and not red."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests/scenario"))
import arms  # noqa: E402

DESIGN = ["glBindTexture", "glTexParameteri", "glBindFramebuffer", "glEnable", "glBindBufferBase", "glUniform1i",
          "glBindVertexBuffer", "glBlendEquationEXT", "eglMakeCurrent", "glLinkProgram", "glMapBufferRange"]


class Control:
    def __init__(self, number, line):
        words = [word.strip() for word in line.split("|")]
        self.number = number
        self.held = words[0].startswith("- ")
        if self.held:
            self.knob, self.value = words[0][2:].split("=", 1)
            self.reason = words[1]
            return
        # Several knobs: the first is what is listed, the others take away what would hide it.
        first, *others = words[0].split()
        self.knob, self.value = first.split("=", 1)
        self.others = dict(other.split("=", 1) for other in others)
        self.arm, self.scenario = words[1].split()
        self.red, self.what = words[2], words[3]

    def __str__(self):
        return f"{self.knob}={self.value}"


def read_controls():
    with open(os.path.join(HERE, "controls.txt"), encoding="utf-8") as lines:
        return [Control(number, line.rstrip("\n")) for number, line in enumerate(lines, 1)
                if line.strip() and not line.startswith("#")]


def source(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as text:
        return text.read()


def rows(path, macro):
    return re.findall(r"^" + macro + r"\((\w+),", source(path), flags=re.M)


def asked_calls():
    found = set()
    for folder in ("gl", "client", "winsys", "tracker"):
        for where, _, names in os.walk(os.path.join(ROOT, "src", folder)):
            for name in names:
                if name.endswith((".cpp", ".h")):
                    text = source(os.path.join(where, name))
                    found |= set(re.findall(r"\bask\(pipe::(\w+)\{", text))
                    found |= set(re.findall(r"dropsWait\(pipe::Call::(\w+)\)", text))
                    # An ask by a variable names its type where it is made.
                    if re.search(r"\bask\(\w+[,)]", text):
                        found |= set(re.findall(r"const pipe::(Read\w+) ask\b", text))
    return found


def missing(controls):
    """What the code has and the list has not, and the other way round."""
    faults = []
    values = {}
    for control in controls:
        for value in control.value.split(","):
            values.setdefault(control.knob, {}).setdefault(value, []).append(control)
    names = set(re.findall(r'^MGL_KNOB_\w+\(\w+, "(\w+)"', source("src/base/knobs.def"), flags=re.M))
    for block in re.split(r"^MGL_KNOB_", source("src/base/knobs.def"), flags=re.M)[1:]:
        name = re.match(r'\w+\(\w+, "(\w+)"', block)
        if name and re.search(r"\bcontrol\b", block.split(")\n")[0]) and name.group(1) not in values:
            faults.append(f"{name.group(1)} calls itself a control and is not listed")
    faults += [f"line {c.number}: there is no knob {c.knob}" for c in controls if c.knob not in names]

    def held_to(knob, wanted, have, what):
        for value in wanted:
            if value not in values.get(knob, {}):
                faults.append(f"{knob}={value} is not listed: {what}")
        for value in values.get(knob, {}):
            if value not in have:
                faults.append(f"{knob}={value} is listed and there is no such {what}")

    replies = re.findall(r"^MGL_CALL\((\w+), +\w+, +[^,]*, +Reply,", source("src/pipe/pipe_calls.def"), flags=re.M)
    held_to("MOBILEGL_IPC_DROP_WAIT", replies, replies, "reply row")
    asked = asked_calls()
    for value, lines in values.get("MOBILEGL_IPC_DROP_WAIT", {}).items():
        for line in lines:
            if line.held == (value in asked):
                faults.append(f"line {line.number}: {value} is {'' if value in asked else 'not '}asked for by the client")
    uses = rows("src/backend/magma/clear_use.def", "MGL_CLEAR_USE")
    held_to("MOBILEGL_MAGMA_DROP_SETTLE", uses, uses, "use of a clear that waits")
    writers = rows("src/backend/magma/backend_epoch.def", "MGL_EPOCH_WRITER")
    held_to("MOBILEGL_MAGMA_DROP_EPOCH", writers, writers, "writer of the backend epoch")
    held_to("MOBILEGL_PIPE_DRAW_DELTA_DROP", DESIGN, set(re.findall(r"^(\w+) ", source("src/gl/registry/draw_delta.txt"), flags=re.M)),
            "entry point of the draw delta")
    limits = values.get("MOBILEGL_MAGMA_HOST_LIMIT", {})
    for mechanism in re.findall(r"MGL_MECHANISM\((\w+)\);", source("src/backend/magma/adapter.cpp")):
        if mechanism not in limits:
            faults.append(f"MOBILEGL_MAGMA_HOST_LIMIT={mechanism} is not listed: a mechanism of Magma")
    return faults


class Run:
    """One scenario in one process: whether it passed, why not, and what was counted."""

    def __init__(self, build, arm_name, scenario, extra):
        extra = dict(extra)
        arm = arms.read_arms()[arm_name]
        command = arms.command_of(arm_name, arm, build) + ["--filter", f"^{re.escape(scenario)}$"]
        if arm_name != "host":
            command += ["--oracle", os.path.join(build, "scenario/oracle")]
        with tempfile.NamedTemporaryFile(suffix=".counters") as counters:
            env = arms.environment_of(arm_name, arm, build, counters.name)
            env["MOBILEGL_VALIDATION"] = "1" if extra.pop("hazard", False) else "0"
            env.update(extra)
            done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  errors="replace", timeout=300, check=False)
            self.counters = arms.read_counters(counters.name)
        self.text = done.stdout
        last = re.findall(r"^scenarios: .*passed=(\d+) failed=(\d+) skipped=(\d+)", done.stdout, flags=re.M)
        self.passed = bool(last) and last[-1][0] == "1" and done.returncode == 0
        reasons = re.findall(r"^(?:FAIL .*|\s+\S+\.cpp:\d+: .*|CRASH in .*|HANG in .*)$", done.stdout, flags=re.M)
        self.reason = next((r.strip() for r in reasons if ".cpp:" in r), reasons[0].strip() if reasons else
                           f"exit status {done.returncode}")


def see(control, build, plain):
    """(red, how)"""
    extra = {control.knob: control.value, **control.others}
    if control.red == "shadow":
        extra["MOBILEGL_PIPE_DRAW_DELTA_SHADOW"] = "1"
    if control.red == "hazard":
        extra["hazard"] = True
    if control.red == "verify":
        extra["MOBILEGL_PIPE_VERIFY"] = "1"
    run = Run(build, control.arm, control.scenario, extra)
    if control.red == "fails":
        return not run.passed, run.reason
    kind, _, counter = control.red.partition(":")
    if kind in ("shadow", "verify"):
        counter = "DeltaShadowFaults" if kind == "shadow" else "VerifyFaults"
        faults = run.counters.get(counter, 0)
        said = re.search(r"(?:draw delta held|no version moved), and:? (.*)", run.text)
        if not run.passed:
            return False, f"the picture is wrong too: {run.reason}"
        return faults > 0, f"{counter}={faults}: {said.group(1) if said else 'nothing was said'}"
    if kind == "hazard":
        hazard = re.search(r"SYNC-HAZARD\S*", run.text)
        return bool(hazard), hazard.group(0) if hazard else "no hazard was found"
    before, after = plain.counters.get(counter, 0), run.counters.get(counter, 0)
    how = f"{counter} {before} without, {after} with"
    if not run.passed:
        return False, f"the picture is wrong too: {run.reason}"
    is_red = {"more": after > before, "less": after < before, "none": before > 0 and after == 0}
    return is_red[kind], how


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True)
    parser.add_argument("--quick", action="store_true", help="the Null backend alone")
    parser.add_argument("--filter", default="")
    parser.add_argument("--list-only", action="store_true", help="only whether the list is complete")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    controls = read_controls()
    faults = missing(controls)
    for fault in faults:
        print(f"controls.txt: {fault}")
    listed = [c for c in controls if not c.held and re.search(options.filter, f"{c} {c.arm} {c.scenario}")]
    if options.quick:
        listed = [c for c in listed if c.arm.startswith("null-")]
    if options.list_only:
        sys.exit(1 if faults else 0)
    plain = {}
    red = 0
    for control in listed:
        where = (control.arm, control.scenario)
        if where not in plain:
            plain[where] = Run(build, *where, {})
        if not plain[where].passed:
            print(f"NOT RED {control}: {where[0]} {where[1]} does not pass without it: {plain[where].reason}")
            continue
        is_red, how = see(control, build, plain[where])
        red += is_red
        print(f"{'red' if is_red else 'NOT RED'} {control} by {control.arm} {control.scenario} ({control.red}): {how}")
        sys.stdout.flush()
    print(f"controls: listed={len(listed)} red={red} not_red={len(listed) - red}")
    sys.exit(1 if faults or red != len(listed) or not listed else 0)


main()
