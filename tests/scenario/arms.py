"""The arms of arms.txt: how to run the scenarios on one, and what it counted."""
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
HOST_VENDOR = os.environ.get("MOBILEGL_TEST_HOST_VENDOR", "/usr/share/glvnd/egl_vendor.d/50_mesa.json")


def read_arms():
    arms = {}
    with open(os.path.join(HERE, "arms.txt"), encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            name, renderer, pixels, validation, *environment = words
            arms[name] = {
                "renderer": "" if renderer == "-" else renderer,
                "pixels": pixels == "yes",
                "validation": validation == "yes",
                "environment": dict(e.split("=", 1) for e in environment),
            }
    return arms


def environment_of(name, arm, build, counters):
    env = {k: v for k, v in os.environ.items() if not k.startswith("MOBILEGL_TEST_HOST")}
    if name == "host":
        env["__EGL_VENDOR_LIBRARY_FILENAMES"] = HOST_VENDOR
        return env
    env["__EGL_VENDOR_LIBRARY_FILENAMES"] = os.path.join(build, "share/glvnd/egl_vendor.d/50_mobilegl.json")
    env.update(arm["environment"])
    env.setdefault("MOBILEGL_SHADER_CACHE", "0")
    if arm["validation"]:
        env["MOBILEGL_VALIDATION"] = "1"
    env["MOBILEGL_COUNTERS"] = counters
    return env


def read_counters(path):
    with open(path, encoding="utf-8") as lines:
        return {m.group(1): int(m.group(2)) for m in (re.match(r"\s*(\w+)\s*[=: ]\s*(\d+)", l) for l in lines) if m}


def command_of(name, arm, build):
    return [os.path.join(build, "bin/scenarios"), "--arm", name, "--renderer", arm["renderer"],
            "--pixels", "1" if arm["pixels"] else "0", "--skips", os.path.join(HERE, "skips.txt")]
