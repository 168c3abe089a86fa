#!/usr/bin/env python3
"""Generates the entry points from Khronos's XML, the draw-delta table and the sources of the frontend.

    generate.py --xml gl.xml --registry DIR --sources DIR --out DIR

Reads draw_delta.txt and extensions.txt in the registry folder and scans the sources for MGL_GL(ret, Name) and
MGL_GL_IMPLEMENTS(Name, ...). Writes into the output folder, and touches nothing that is the same already:

    gl_api.inc         the declaration of every entry point's implementation, included by src/gl/api.h
    gl_entries.inc     ENTRY(name, class, implemented) per entry point, in the order of its index
    gl_stubs_N.cpp     what a program calls
    gl_drops.cpp       the twins of MOBILEGL_PIPE_DRAW_DELTA_DROP, which keep every epoch still
    gl_names.inc       NAME(name, index) per name, aliases included
    gl_lookup.inc      the hash table over the names
    unimplemented.txt  the entry points without an implementation, one a line

A fault in the table or in the sources is an error with the line that has it.
"""

import argparse
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

CLASSES = ("free", "map", "vao", "program", "share_group", "context")
PLAIN = ("free", "map")  # return what GL returns
STUB_FILES = 4


class Fault(Exception):
    """What is wrong with an input, as a sentence for whoever wrote it."""


class Command:
    """A GL command as the XML has it."""

    def __init__(self, node):
        self.name = node.find("proto/name").text
        self.ret = "".join(node.find("proto").itertext()).replace(self.name, "").strip()
        self.params = []
        for param in node.findall("param"):
            name = param.find("name").text
            text = " ".join("".join(param.itertext()).split())
            self.params.append((text, name))
        alias = node.find("alias")
        self.alias = alias.get("name") if alias is not None else None

    @property
    def short(self):
        return self.name[2:]


class Registry:
    """Which commands are exported, and which of them are names of the same one."""

    def __init__(self, xml, wanted_extensions):
        root = ElementTree.parse(xml).getroot()
        self.commands = {}
        for node in root.find("commands"):
            command = Command(node)
            self.commands[command.name] = command

        exported = set()
        for feature in root.findall("feature"):
            if feature.get("api") == "gl":
                exported |= required(feature)
        desktop = {}
        for extension in root.find("extensions"):
            if {"gl", "glcore"} & set(extension.get("supported").split("|")):
                desktop[extension.get("name")] = required(extension)
        for name in wanted_extensions:
            if name not in desktop:
                raise Fault(f"extensions.txt: {name} is no desktop extension of the XML")
            exported |= desktop[name]

        of_extensions = set().union(*desktop.values())
        grew = True
        while grew:
            more = {n for n in of_extensions - exported if self.commands[n].alias in exported}
            exported |= more
            grew = bool(more)
        self.exported = exported

    def canonical(self, name):
        while self.commands[name].alias in self.exported:
            name = self.commands[name].alias
        return name


def required(node):
    """The commands that a feature or an extension requires of a desktop GL."""
    names = set()
    for require in node.findall("require"):
        if require.get("api") in (None, "gl", "glcore"):
            names |= {command.get("name") for command in require.findall("command")}
    return names


def rows(path):
    """The lines of a table without comments and blank ones, with their numbers."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        words = line.split("#", 1)[0].split()
        if words:
            yield number, words


class DrawDelta:
    """draw_delta.txt: the class of each entry point, its aliases, and the cases of the classified ones."""

    def __init__(self, path):
        self.classes = {}
        self.aliases = {}
        self.classifiers = {}
        self.cases = {}
        last = ""
        for number, words in rows(path):
            where = f"{path.name}:{number}"
            name = words[0]
            if name != last and name <= last:
                raise Fault(f"{where}: {name} is not in order after {last}")
            new = name != last
            last = name
            if len(words) == 2 and words[1] in CLASSES and new:
                self.classes[name] = words[1]
            elif len(words) == 3 and words[1] == "by_argument" and new:
                self.classes[name] = "by_argument"
                self.classifiers[name] = words[2]
                self.cases[name] = {}
            elif len(words) == 3 and words[1] == "=" and new:
                self.aliases[name] = words[2]
            elif len(words) == 3 and not new and name in self.cases and set(words[2].split("|")) <= set(CLASSES):
                if words[1] in self.cases[name]:
                    raise Fault(f"{where}: {name} {words[1]} stands there twice")
                self.cases[name][words[1]] = words[2]
            else:
                raise Fault(f"{where}: not a row: {' '.join(words)}")
        for name, cases in self.cases.items():
            if not cases:
                raise Fault(f"{path.name}: {name} is by_argument and has no case")


def check(registry, table):
    """Every exported entry has a row, every row names an entry, every alias is the XML's."""
    gl_rows = {n for n in table.classes.keys() | table.aliases.keys() if n.startswith("gl")}
    for name in sorted(registry.exported - gl_rows):
        raise Fault(f"draw_delta.txt: {name} has no row")
    for name in sorted(gl_rows - registry.exported):
        raise Fault(f"draw_delta.txt: {name} is not exported")
    for name in sorted(gl_rows):
        canonical = registry.canonical(name)
        if table.aliases.get(name, name) != canonical:
            raise Fault(f"draw_delta.txt: {name} is {canonical} in the XML")


def scan(folder, canonical_names):
    """The short names of the implemented entry points, each with the file that has it."""
    found = {}
    for path in sorted(folder.rglob("*.cpp")):
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(), flags=re.S)
        names = [m.group(1) for m in re.finditer(r"\bMGL_GL\(\s*[^,()]+,\s*(\w+)\s*\)", text)]
        for listed in re.finditer(r"\bMGL_GL_IMPLEMENTS\(([^()]*)\)", text):
            names += re.findall(r"\w+", listed.group(1))
        for name in names:
            if "gl" + name not in canonical_names:
                raise Fault(f"{path}: gl{name} is no entry point, or another name of one (draw_delta.txt)")
            if name in found:
                raise Fault(f"{path}: gl{name} is implemented in {found[name]} too")
            found[name] = path
    return found


def implementation_ret(command, kind):
    if command.ret != "void" or kind in PLAIN:
        return command.ret
    return "Scope" if kind == "by_argument" else "Moved"


def implementation_params(command, kind):
    params = ["Context& ctx"] + [text for text, _ in command.params]
    if command.ret != "void" and kind not in PLAIN:
        params.append("Scope& scope" if kind == "by_argument" else "Moved& moved")
    return ", ".join(params)


BUMPS = {
    "vao": "static_cast<void>({});",  # the implementation moved the object's own version
    "program": "static_cast<void>({});",
    "share_group": "settleShareGroup(*ctx, {});",
    "context": "settleContext(*ctx, {});",
    "by_argument": "settle(*ctx, {});",
}


# Entry points that come to every draw and take no memory: there the call stays a jump.
def takes_no_memory(name):
    return name.startswith(("glUniform", "glVertexAttrib"))


def net(index, lines, nothing):
    """Memory that is not to be had is an error of GL, not the program's end."""
    return (
        ["  try {"]
        + ["  " + line for line in lines]
        + ["  } catch (const std::bad_alloc&) {", f"    outOfMemory(*ctx, {index});"]
        + ["  } catch (const std::length_error&) {", f"    outOfMemory(*ctx, {index});", "  }", f"  {nothing}"]
    )


def stub(index, command, kind, implemented):
    params = ", ".join(text for text, _ in command.params)
    args = ", ".join(["*ctx"] + [name for _, name in command.params])
    returns = command.ret != "void"
    nothing = "return {};" if returns else "return;"
    lines = [f"extern \"C\" [[gnu::visibility(\"hidden\")]] {command.ret} mgl_stub_{command.name}({params}) {{"]
    lines.append("  Context* ctx = currentContext();")
    lines.append("  if (ctx == nullptr) [[unlikely]] {")
    lines.append(f"    noCurrentContext({index});")
    lines.append(f"    {nothing}")
    lines.append("  }")
    if not implemented:
        for _, name in command.params:
            lines.append(f"  static_cast<void>({name});")
        lines.append(f"  unimplemented(*ctx, {index});")
        lines.append(f"  {nothing}")
        lines.append("}")
        return "\n".join(lines) + "\n"
    body = []
    if kind in PLAIN:
        body.append(f"  return api::{command.short}({args});")
    elif returns:
        variable, value = ("scope", "Scope::None") if kind == "by_argument" else ("moved", "Moved::No")
        body.append(f"  {'Scope' if kind == 'by_argument' else 'Moved'} {variable} = {value};")
        body.append(f"  auto result = api::{command.short}({args}, {variable});")
        body.append("  " + BUMPS[kind].format(variable))
        body.append("  return result;")
    else:
        body.append("  " + BUMPS[kind].format(f"api::{command.short}({args})"))
    lines += body if takes_no_memory(command.name) else net(index, body, nothing)
    lines.append("}")
    return "\n".join(lines) + "\n"


def drop(command):
    params = ", ".join(text for text, _ in command.params)
    args = ", ".join(name for _, name in command.params)
    return (
        f"extern \"C\" {command.ret} mgl_stub_{command.name}({params});\n"
        f"static {command.ret} drop_{command.name}({params}) {{\n"
        "  const EpochsKeptStill keptStill(currentContext());\n"
        f"  return mgl_stub_{command.name}({args});\n"
        "}\n"
    )


def fnv1a(text):
    value = 0x811C9DC5
    for byte in text.encode():
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


def lookup(names, index_of, canonical):
    """Open addressing, a quarter full at most, so that a name that is not there ends at once."""
    bits = 1
    while (1 << bits) < 4 * len(names):
        bits += 1
    slots = [0] * (1 << bits)
    for position, name in enumerate(names):
        slot = fnv1a(name) & (len(slots) - 1)
        while slots[slot]:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = position + 1
    out = ["// NAME(name, index of its entry)"]
    out += [f'NAME("{name}", {index_of[canonical(name)]})' for name in names]
    table = [f"#define MGL_LOOKUP_BITS {bits}", "#define MGL_LOOKUP_SLOTS \\"]
    for start in range(0, len(slots), 24):
        table.append("  " + ", ".join(map(str, slots[start : start + 24])) + ", \\")
    return "\n".join(out) + "\n", "\n".join(table) + "\n\n"


def write(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


STUB_HEAD = '#include "gl/registry/stub_support.h"\n\nnamespace mgl::gl {\n\n'
STUB_TAIL = "\n}  // namespace mgl::gl\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--xml", type=Path, required=True)
    parser.add_argument("--registry", type=Path, required=True)
    parser.add_argument("--sources", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()

    wanted = [words[0] for _, words in rows(options.registry / "extensions.txt")]
    registry = Registry(options.xml, wanted)
    table = DrawDelta(options.registry / "draw_delta.txt")
    check(registry, table)

    canonical = sorted({registry.canonical(name) for name in registry.exported})
    index_of = {name: index for index, name in enumerate(canonical)}
    implemented = scan(options.sources, set(canonical))
    options.out.mkdir(parents=True, exist_ok=True)

    api, entries, stubs, drops, twins = [], [], [[] for _ in range(STUB_FILES)], [], []
    missing = []
    for name in canonical:
        command = registry.commands[name]
        kind = table.classes[name]
        done = command.short in implemented
        if not done:
            missing.append(name)
        api.append(f"{implementation_ret(command, kind)} {command.short}({implementation_params(command, kind)});")
        entries.append(f"ENTRY({name}, {kind}, {int(done)})")
        part = index_of[name] * STUB_FILES // len(canonical)
        stubs[part].append(stub(index_of[name], command, kind, done))
        if kind != "free":
            drops.append(drop(command))
            twins.append(f"  {{{index_of[name]}, reinterpret_cast<void*>(&drop_{name})}},")

    write(options.out / "gl_api.inc", "\n".join(api) + "\n")
    write(options.out / "gl_entries.inc", "\n".join(entries) + "\n")
    for part, texts in enumerate(stubs):
        write(options.out / f"gl_stubs_{part}.cpp", STUB_HEAD + "\n".join(texts) + STUB_TAIL)
    write(
        options.out / "gl_drops.cpp",
        STUB_HEAD
        + "\n".join(drops)
        + "\nconst DropTwin kDropTwins[] = {\n"
        + "\n".join(twins)
        + "\n};\nconst u32 kDropTwinCount = std::size(kDropTwins);\n"
        + STUB_TAIL,
    )
    names, slots = lookup(sorted(registry.exported), index_of, registry.canonical)
    write(options.out / "gl_names.inc", names)
    write(options.out / "gl_lookup.inc", slots)
    write(options.out / "unimplemented.txt", "".join(name + "\n" for name in missing))


if __name__ == "__main__":
    try:
        main()
    except Fault as fault:
        sys.exit(f"generate.py: {fault}")
