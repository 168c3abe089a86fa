#!/usr/bin/env python3
"""The body of `make run`: draws examples/scene.py through MobileGL and on the machine's own desktop GL, and says how
alike the two are.  Fails when the renderer is not Magma or the structural similarity of a target is under 0.995.

  run.py BUILD_FOLDER
"""
import os
import subprocess
import sys

import numpy as np
from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = "/usr/bin/python3"
LEAST = 0.995


def windowed(values):
    """Weighted means over 11 x 11 Gaussian windows (sigma 1.5), where the window fits."""
    offsets = np.arange(11) - 5
    kernel = np.exp(-(offsets ** 2) / (2 * 1.5 ** 2))
    kernel /= kernel.sum()
    for axis in (0, 1):
        size = values.shape[axis] - 10
        values = sum(w * np.take(values, range(i, i + size), axis) for i, w in enumerate(kernel))
    return values


def ssim(a, b):
    """Structural similarity of two grey pictures, 0..255 (Wang et al. 2004, the usual constants)."""
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    mean_a, mean_b = windowed(a), windowed(b)
    var_a = windowed(a * a) - mean_a ** 2
    var_b = windowed(b * b) - mean_b ** 2
    cov = windowed(a * b) - mean_a * mean_b
    return float((((2 * mean_a * mean_b + c1) * (2 * cov + c2)) /
                  ((mean_a ** 2 + mean_b ** 2 + c1) * (var_a + var_b + c2))).mean())


def luma(picture):
    return picture[..., :3].astype("f8") @ np.array([0.299, 0.587, 0.114])


def draw(words, environment, out):
    done = subprocess.run([*words, PYTHON, os.path.join(HERE, "scene.py"), out], env=environment, timeout=300,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"example: {' '.join([*words, 'scene.py'])} failed with status {done.returncode}")
    return np.load(out)


def main():
    build = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "../build"))
    work = os.path.join(build, "example")
    os.makedirs(work, exist_ok=True)
    host_environment = {k: v for k, v in os.environ.items()
                        if k != "__EGL_VENDOR_LIBRARY_FILENAMES" and not k.startswith("MOBILEGL_")}
    oracle = draw([], host_environment, os.path.join(work, "host.npz"))
    ours = draw([os.path.join(build, "bin/mobilegl"), "run", "--"], dict(os.environ), os.path.join(work, "mobilegl.npz"))
    worst, faults = 1.0, []
    for name in ("color", "normal"):
        a, b = ours[name], oracle[name]
        if luma(b).std() < 10:
            faults.append(f"the host's own picture of {name} is blank")
        likeness = ssim(luma(a), luma(b))
        print(f"{name}: ssim {likeness:.5f}, largest difference {np.abs(a.astype(int) - b.astype(int)).max()}/255")
        worst = min(worst, likeness)
    renderer, picture = str(ours["renderer"]), os.path.join(work, "scene.png")
    Image.fromarray(ours["color"], "RGBA").save(picture)
    Image.fromarray(oracle["color"], "RGBA").save(os.path.join(work, "host.png"))
    print(f"host: {oracle['renderer']}, {os.path.join(work, 'host.png')}")
    if "Magma" not in renderer:
        faults.append(f"the renderer is {renderer}, not Magma")
    if "Magma" in str(oracle["renderer"]):
        faults.append("the comparison ran on Magma itself")
    if not worst >= LEAST:
        faults.append(f"the similarity is under {LEAST}")
    for fault in faults:
        print(f"example: {fault}")
    print(f'example: renderer="{renderer}" ssim={worst:.4f} picture={os.path.relpath(picture)}')
    sys.exit(1 if faults else 0)


main()
