"""The dependency rule of src/: server-side and shared code never includes client-side code, and shared code includes
shared code only.

  dependency_test.py SRC    checks the tree, after seeing the check itself go red on trees made to break each rule

An include counts where it leads: relative to SRC or to the including file.
"""
import os
import re
import sys
import tempfile

CLIENT = ("gl", "tracker", "client", "winsys", "shader/compiler")
SERVER = ("server", "backend", "shader/translator")
SHARED = ("wire", "present", "pipe", "format", "base", "shader/archive")
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)


def side(path):
    """'client', 'server', 'shared' or None for a path relative to SRC."""
    for name, folders in (("client", CLIENT), ("server", SERVER), ("shared", SHARED)):
        if any(path.startswith(folder + "/") for folder in folders):
            return name
    return None


def allowed(includer, included):
    return {"client": True, "server": included != "client", "shared": included == "shared"}[includer]


def faults(src):
    """Every broken rule as a line; also folders that no rule knows, so that none slips in unnoticed."""
    found = []
    files = 0
    for folder, _, names in os.walk(src):
        for name in names:
            if not name.endswith((".h", ".cpp", ".c", ".inc", ".def")):
                continue
            files += 1
            path = os.path.relpath(os.path.join(folder, name), src)
            mine = side(path)
            if mine is None:
                found.append(f"{path}: is in no folder that the dependency rule knows")
                continue
            with open(os.path.join(src, path), encoding="utf-8") as file:
                for include in INCLUDE.findall(file.read()):
                    beside = os.path.normpath(os.path.join(os.path.dirname(path), include))
                    target = include if side(include) else beside
                    theirs = side(target)
                    if theirs and not allowed(mine, theirs):
                        found.append(f"{path}: {mine} code includes {theirs} code: {include}")
    return files, found


def seen_red():
    """The check finds each kind of fault, one at a time, in an otherwise good tree."""
    bad = {
        "server/a.cpp": '#include "gl/context.h"',
        "backend/magma/a.h": '  #  include <tracker/tracker.h>',
        "shader/translator/a.cpp": '#include "shader/compiler/compile.h"',
        "pipe/a.h": '#include "client/session.h"',
        "wire/a.cpp": '#include "../winsys/egl/driver.h"',
        "format/a.cpp": '#include "backend/backend.h"',
        "elsewhere/a.cpp": "",
    }
    good = {
        "gl/good.cpp": '#include "pipe/calls.h"\n#include "server/session.h"',
        "server/good.cpp": '#include "pipe/calls.h"\n#include <GL/gl.h>\n#include "shader/archive/archive.h"',
        "base/good.cpp": '#include <vector>',
    }
    for path, text in bad.items():
        with tempfile.TemporaryDirectory() as src:
            for name, content in {**good, path: text}.items():
                os.makedirs(os.path.dirname(os.path.join(src, name)), exist_ok=True)
                with open(os.path.join(src, name), "w", encoding="utf-8") as file:
                    file.write(content)
            found = faults(src)[1]
            if len(found) != 1 or not found[0].startswith(path):
                sys.exit(f"the check itself is broken: {path} gave {found}")


def main():
    seen_red()
    files, found = faults(sys.argv[1])
    print("\n".join(found) or f"{files} files, no forbidden include")
    sys.exit(1 if found or files == 0 else 0)


main()
