#!/usr/bin/env python3
"""Writes the harness's GL table from the registry XML: gl_entries.h (declarations) and gl_entries.cpp (wrappers,
entry names, enum names).  Every core entry of GL 1.0-4.6 is there; each wrapper goes through mutation::call."""
import sys
import xml.etree.ElementTree as ET


def core_names(root):
    commands, enums = set(), set()
    for feature in root.findall("feature[@api='gl']"):
        for block in feature:
            if block.get("profile") not in (None, "core"):
                continue
            for node, names in (("command", commands), ("enum", enums)):
                found = {c.get("name") for c in block.findall(node)}
                if block.tag == "require":
                    names |= found
                elif block.tag == "remove":
                    names -= found
    return sorted(commands), enums


def text_of(node):
    return "".join(node.itertext()).strip()


def main():
    xml, header_path, source_path = sys.argv[1:]
    root = ET.parse(xml).getroot()
    commands, enums = core_names(root)
    by_name = {c.find("proto/name").text: c for c in root.findall("commands/command")}
    header = ["// Generated from gl.xml by gen_gl.py.", "#pragma once", "", "#include <GL/glcorearb.h>", ""]
    source = ["// Generated from gl.xml by gen_gl.py.", '#include "harness/gl.h"', "", "namespace {", ""]
    wrappers = []
    for index, name in enumerate(commands):
        command = by_name[name]
        proto = text_of(command.find("proto"))
        result = proto[: -len(name)].strip()
        params = [(text_of(p), p.find("name").text) for p in command.findall("param")]
        declaration = ", ".join(p[0] for p in params)
        arguments = "".join(", " + p[1] for p in params)
        header.append(f"{result} {name}({declaration});")
        wrappers.append(
            f"{result} {name}({declaration}) {{\n"
            f"  return mgl::scenario::mutation::call({index}, "
            f"reinterpret_cast<PFN{name.upper()}PROC>(mgl::scenario::glTable[{index}]){arguments});\n}}")
    source += ["}  // namespace", "", "namespace mgl::scenario {", ""]
    source.append("const std::array<const char*, kGlEntryCount> kGlEntryNames = {")
    source += [f'    "{name}",' for name in commands]
    source += ["};", ""]
    values = {}
    for node in root.iter("enum"):
        if node.get("name") in enums and node.get("value") and node.get("api") in (None, "gl"):
            values[node.get("name")] = node.get("value")
    source.append("const std::vector<std::pair<const char*, unsigned long long>> kGlEnums = {")
    source += [f'    {{"{name}", {value}ull}},' for name, value in sorted(values.items())]
    source += ["};", "", "}  // namespace mgl::scenario", ""]
    source += wrappers
    header += ["", "namespace mgl::scenario {", f"inline constexpr int kGlEntryCount = {len(commands)};",
               "}  // namespace mgl::scenario"]
    for path, lines in ((header_path, header), (source_path, source)):
        with open(path, "w", encoding="utf-8") as out:
            out.write("\n".join(lines) + "\n")


main()
