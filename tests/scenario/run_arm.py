#!/usr/bin/env python3
"""Runs the scenarios on one arm of arms.txt and judges what the harness cannot see from inside: validation messages in
the log and, for loopback arms, that records and bytes crossed the codec.  The last line printed is the harness's own."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

from arms import command_of, environment_of, read_arms, read_counters

HERE = os.path.dirname(os.path.abspath(__file__))
HAND_OVERS_A_SCENARIO = 8
RECORDS_A_DOORBELL = 3
VALIDATION = re.compile(r"VUID-|UNASSIGNED-|SYNC-HAZARD|Validation (Error|Warning)")


def read_exceptions():
    with open(os.path.join(HERE, "validation.txt"), encoding="utf-8") as lines:
        return [tuple(text.strip() for text in line.rsplit(" # ", 1)[0].split(" | "))
                for line in lines if line.strip() and not line.startswith("#")]


def faults_of_counters(arm, path, scenarios):
    if not os.path.getsize(path):
        return ["MOBILEGL_COUNTERS wrote nothing"]
    values = read_counters(path)
    environment = arm["environment"]
    faults = []
    if environment.get("MOBILEGL_PIPE_LOOPBACK") == "1" or environment.get("MOBILEGL_TOPOLOGY", "monolith") != "monolith":
        crossed = values.get("RecordsCrossed", 0), values.get("BytesCrossed", 0)
        print(f"crossed: records={crossed[0]} bytes={crossed[1]} doorbells={values.get('Doorbells', 0)}")
        if not all(crossed):
            faults.append("an arm with a link or the codec, and no record or byte crossed it")
        # A sleeping peer is woken for a batch, a reply, a flush: not for each record.
        if values.get("Doorbells", 0) > crossed[0] / RECORDS_A_DOORBELL:
            faults.append(f"{values['Doorbells']} doorbells for {crossed[0]} records")
    # The lock goes to each new context once or twice, and between the few that share; never for an object that is made.
    if values.get("LockHandOvers", 0) > HAND_OVERS_A_SCENARIO * scenarios:
        faults.append(f"the stream's lock changed its owner {values['LockHandOvers']} times in {scenarios} scenarios")
    if environment.get("MOBILEGL_BACKEND") == "espryt" and not values.get("HostCalls", 0):
        faults.append("an arm on OpenGL ES, and no call of the host was counted")
    limits = environment.get("MOBILEGL_MAGMA_HOST_LIMIT", "").split(",")
    if "VK_KHR_dynamic_rendering" in limits and not values.get("RenderPassesCreated", 0):
        faults.append("an arm without dynamic rendering, and no render pass was made")
    # The comparator looked, and found nothing that the fast path had wrong.
    for knob, checks, wrong in (("MOBILEGL_PIPE_VERIFY", "VerifyChecks", "VerifyFaults"),
                                ("MOBILEGL_PIPE_DRAW_DELTA_SHADOW", "DeltaShadowChecks", "DeltaShadowFaults")):
        if environment.get(knob, "0") != "0":
            print(f"checked: {checks}={values.get(checks, 0)} {wrong}={values.get(wrong, 0)}")
            if not values.get(checks, 0):
                faults.append(f"{knob} is set, and nothing was checked")
        if values.get(wrong, 0):
            faults.append(f"{wrong}={values[wrong]}: the fast path said something else than the slow one")
    if environment.get("MOBILEGL_PIPE_DRAW_DELTA") == "0" and values.get("DeltaHits", 0):
        faults.append("the draw delta is off, and it was hit")
    if values.get("RecordsRefused", 0):
        faults.append(f"{values['RecordsRefused']} records were refused")
    if values.get("ValidationErrors", 0):
        faults.append(f"the validation layers gave {values['ValidationErrors']} errors")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="the build folder")
    parser.add_argument("--arm", required=True)
    parser.add_argument("--filter", default="")
    parser.add_argument("--mutations", action="store_true", help="run the mutation list: every scenario must turn red")
    parser.add_argument("--control", metavar="KNOB=VALUE", help="set a control: the arm must be seen red")
    options = parser.parse_args()
    arms = read_arms()
    if options.arm not in arms:
        sys.exit(f"no arm {options.arm}: {', '.join(arms)}")
    arm = arms[options.arm]
    build = os.path.abspath(options.build)
    work = os.path.join(build, "scenario")
    oracle = os.path.join(work, "oracle")
    command = command_of(options.arm, arm, build) + ["--filter", options.filter]
    if options.mutations:
        command += ["--mutations", os.path.join(HERE, "mutations.txt"), "--oracle", oracle]
    elif options.arm == "host":
        command += ["--write-oracle", oracle]
    else:
        command += ["--oracle", oracle, "--failures", os.path.join(work, "failures", options.arm)]
    with tempfile.NamedTemporaryFile(suffix=".counters") as counters:
        env = environment_of(options.arm, arm, build, counters.name)
        if options.control:
            env.update([options.control.split("=", 1)])
        run = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, errors="replace")
        messages, faults, last = [], [], ""
        exceptions = read_exceptions() if arm["validation"] else []
        unmatched = set(exceptions) if not options.filter and not options.mutations else set()
        for line in run.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            if VALIDATION.search(line):
                matched = [texts for texts in exceptions if any(text in line for text in texts)]
                unmatched.difference_update(matched)
                if not matched:
                    messages.append(line.strip())
            if line.startswith(("scenarios: ", "mutations: ")):
                last = line.strip()
        status = run.wait()
        if options.arm != "host" and not options.mutations:
            counts = dict(re.findall(r"(passed|failed)=(\d+)", last))
            faults += faults_of_counters(arm, counters.name, max(1, sum(map(int, counts.values()))))
    # A mutated program may be wrong in itself; what counts is that it is seen red.
    if messages and not options.mutations:
        faults.append(f"{len(messages)} validation messages, first: {messages[0]}")
    faults += [f"stale: validation.txt allows '{' | '.join(texts)}' and nothing says it" for texts in sorted(unmatched)]
    if status != 0:
        faults.append(f"exit status {status}")
    if not last:
        faults.append("no last line: the process died")
    for fault in faults:
        print(f"arm {options.arm}: {fault}")
    if last and faults:
        print(last)
    if options.control:
        print(f"control: {options.control} red={1 if faults else 0}")
        sys.exit(0 if faults else 1)
    sys.exit(1 if faults else 0)


main()
