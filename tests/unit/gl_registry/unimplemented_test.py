#!/usr/bin/env python3
"""Holds the number of entry points without an implementation: it may only shrink, and the limit shrinks with it."""

import sys
from pathlib import Path

names = Path(sys.argv[1]).read_text().split()
limit = int(Path(sys.argv[2]).read_text())
print(f"unimplemented entry points: {len(names)}, at most {limit}")
if len(names) > limit:
    sys.exit("There are more than before: something that was implemented no longer is. See unimplemented.txt.")
if len(names) < limit:
    sys.exit(f"There are fewer than before: write {len(names)} into src/gl/registry/unimplemented_max.txt.")
