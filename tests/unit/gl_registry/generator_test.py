#!/usr/bin/env python3
"""The generator with good and with broken inputs: generator_test.py SOURCE_ROOT GL_XML"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT, XML = Path(sys.argv[1]), Path(sys.argv[2])
REGISTRY = ROOT / "src/gl/registry"


class Generator(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("registry", "sources", "out"):
            (self.folder / name).mkdir()
        for name in ("draw_delta.txt", "extensions.txt"):
            shutil.copy(REGISTRY / name, self.folder / "registry")

    def edit(self, name, old, new):
        path = self.folder / "registry" / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1))

    def run_generator(self):
        return subprocess.run(
            [sys.executable, REGISTRY / "generate.py", "--xml", XML, "--registry", self.folder / "registry",
             "--sources", self.folder / "sources", "--out", self.folder / "out"],
            capture_output=True, text=True)

    def generate(self):
        done = self.run_generator()
        self.assertEqual(done.returncode, 0, done.stderr)

    def refuse(self, *words):
        done = self.run_generator()
        self.assertNotEqual(done.returncode, 0)
        for word in words:
            self.assertIn(word, done.stderr)

    def out(self, name):
        return (self.folder / "out" / name).read_text()

    def stubs(self):
        return "".join(self.out(f"gl_stubs_{part}.cpp") for part in range(4))

    def source(self, text, name="a.cpp"):
        (self.folder / "sources" / name).write_text(text)

    # ---- The table
    def test_the_tables_of_the_tree_are_complete(self):
        self.generate()

    def test_an_entry_point_without_a_row(self):
        self.edit("draw_delta.txt", "\nglEnable context\n", "\n")
        self.refuse("glEnable has no row")

    def test_an_alias_without_a_row(self):
        self.edit("draw_delta.txt", "\nglBindTextureEXT = glBindTexture\n", "\n")
        self.refuse("glBindTextureEXT has no row")

    def test_a_row_without_an_entry_point(self):
        self.edit("draw_delta.txt", "\nglEnable context\n", "\nglEnable context\nglEnableAll context\n")
        self.refuse("glEnableAll is not exported")

    def test_an_alias_that_is_none(self):
        self.edit("draw_delta.txt", "\nglEnable context\n", "\nglEnable = glDisable\n")
        self.refuse("glEnable is glEnable in the XML")

    def test_an_alias_of_something_else(self):
        self.edit("draw_delta.txt", "glBindTextureEXT = glBindTexture\n", "glBindTextureEXT = glBindSampler\n")
        self.refuse("glBindTextureEXT is glBindTexture in the XML")

    def test_an_unknown_class(self):
        self.edit("draw_delta.txt", "\nglEnable context\n", "\nglEnable everything\n")
        self.refuse("not a row", "glEnable everything")

    def test_a_row_twice(self):
        self.edit("draw_delta.txt", "\nglEnable context\n", "\nglEnable context\nglEnable free\n")
        self.refuse("not a row")

    def test_rows_out_of_order(self):
        self.edit("draw_delta.txt", "\nglEnable context\n", "\nglEnable context\nglClear free\n")
        self.refuse("glClear is not in order")

    def test_by_argument_needs_cases(self):
        self.edit("draw_delta.txt", "\nglEnable context\n", "\nglEnable by_argument capability\n")
        self.refuse("glEnable is by_argument and has no case")

    def test_an_extension_that_is_none(self):
        self.edit("extensions.txt", "GL_KHR_debug\n", "GL_KHR_debug\nGL_MGL_nonesuch\n")
        self.refuse("GL_MGL_nonesuch is no desktop extension")

    def test_every_egl_function_has_a_row_and_every_row_a_function(self):
        table = {line.split()[0] for line in (REGISTRY / "draw_delta.txt").read_text().splitlines()
                 if line.startswith("egl")}
        entries = (ROOT / "src/winsys/egl/entries.def").read_text()
        functions = {"egl" + name for name in re.findall(r"^MGL_EGL(?:_DISPATCHED)?\((\w+)", entries, re.M)}
        self.assertEqual(table, functions)

    # ---- What the stubs do
    def test_nothing_is_implemented_in_an_empty_tree(self):
        self.generate()
        names = self.out("unimplemented.txt").split()
        self.assertIn("glEnable", names)
        self.assertNotIn("glBindTextureEXT", names)
        self.assertNotIn("api::", self.stubs())

    def test_an_implementation_is_found(self):
        self.source("MGL_GL(Moved, Enable)(Context& ctx, GLenum cap) {}\n"
                    "// MGL_GL(Moved, Disable)\n/* MGL_GL(void, Clear) */\n"
                    "MGL_GL(const GLubyte*, GetString)(Context& ctx, GLenum name) {}\n"
                    "MGL_GL_IMPLEMENTS(Uniform1f,\n  Uniform2f);\n")
        self.generate()
        names = self.out("unimplemented.txt").split()
        for name in ("glEnable", "glGetString", "glUniform1f", "glUniform2f"):
            self.assertNotIn(name, names)
        for name in ("glDisable", "glClear"):
            self.assertIn(name, names)

    def test_an_implementation_of_nothing(self):
        self.source("MGL_GL(Moved, EnableAll)(Context& ctx) {}\n")
        self.refuse("a.cpp", "glEnableAll is no entry point")

    def test_an_implementation_under_another_name(self):
        self.source("MGL_GL(Moved, BindTextureEXT)(Context& ctx, GLenum target, GLuint texture) {}\n")
        self.refuse("glBindTextureEXT is no entry point")

    def test_an_implementation_twice(self):
        self.source("MGL_GL(Moved, Enable)(Context& ctx, GLenum cap) {}\n")
        self.source("MGL_GL(Moved, Enable)(Context& ctx, GLenum cap) {}\n", "b.cpp")
        self.refuse("b.cpp", "glEnable is implemented in", "a.cpp")

    def test_the_bump_follows_the_class(self):
        cases = {
            "Enable": "settleContext(*ctx, api::Enable(*ctx, cap));",
            "TexParameteri": "settleShareGroup(*ctx, api::TexParameteri(*ctx, target, pname, param));",
            "BindBuffer": "settle(*ctx, api::BindBuffer(*ctx, target, buffer));",
            "EnableVertexAttribArray": "static_cast<void>(api::EnableVertexAttribArray(*ctx, index));",
            "UseProgram": "return api::UseProgram(*ctx, program);",
        }
        self.source("".join(f"MGL_GL(X, {name})() {{}}\n" for name in cases))
        self.generate()
        for name, line in cases.items():
            stub = re.search(rf"mgl_stub_gl{name}\(.*?\n}}\n", self.stubs(), re.S).group(0)
            self.assertIn("  " + line + "\n", stub)

    def test_only_what_moves_has_a_twin(self):
        self.generate()
        drops = self.out("gl_drops.cpp")
        self.assertIn("drop_glEnable(", drops)
        self.assertIn("drop_glBindVertexBuffer(", drops)
        self.assertNotIn("drop_glClear(", drops)

    def test_aliases_are_names_of_one_entry(self):
        self.generate()
        index = dict(re.findall(r'NAME\("(\w+)", (\d+)\)', self.out("gl_names.inc")))
        self.assertEqual(index["glBindTextureEXT"], index["glBindTexture"])
        self.assertNotEqual(index["glBindTexture"], index["glBindSampler"])

    def test_what_is_the_same_is_not_written_again(self):
        self.generate()
        before = {path.name: path.stat().st_mtime_ns for path in (self.folder / "out").iterdir()}
        self.generate()
        after = {path.name: path.stat().st_mtime_ns for path in (self.folder / "out").iterdir()}
        self.assertEqual(before, after)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
