"""The command line, seen from outside: what `mobilegl run` hands to the program, and what it refuses.

  cli_test.py PATH/TO/mobilegl

A copy of the executable in a made-up prefix with an empty library stands in for an installation: nothing here loads a
driver.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

MOBILEGL = os.path.abspath(sys.argv.pop(1))
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith("MOBILEGL_") and k != "__EGL_VENDOR_LIBRARY_FILENAMES"}


class Prefix(unittest.TestCase):
    def setUp(self):
        self.prefix = os.path.realpath(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.prefix)
        for folder in ("bin", "lib", "share/glvnd/egl_vendor.d", "runtime"):
            os.makedirs(os.path.join(self.prefix, folder))
        os.chmod(os.path.join(self.prefix, "runtime"), 0o700)
        self.mobilegl = shutil.copy(MOBILEGL, os.path.join(self.prefix, "bin"))
        self.library = os.path.join(self.prefix, "lib/libEGL_mobilegl.so.0")
        self.description = os.path.join(self.prefix, "share/glvnd/egl_vendor.d/50_mobilegl.json")
        open(self.library, "w").close()
        self.describe(self.library)

    def describe(self, library):
        with open(self.description, "w") as file:
            json.dump({"file_format_version": "1.0.0", "ICD": {"library_path": library}}, file)

    def call(self, *words, **environment):
        env = dict(CLEAN, XDG_RUNTIME_DIR=os.path.join(self.prefix, "runtime"), **environment)
        return subprocess.run([self.mobilegl, *words], env=env, capture_output=True, text=True, timeout=60, check=False)

    def environment(self, *words, **environment):
        done = self.call(*words, "env", **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)

    def refuses(self, status, *texts, words, **environment):
        done = self.call(*words, **environment)
        self.assertEqual(done.returncode, status, done.stderr)
        for text in texts:
            self.assertIn(text, done.stderr)


class Run(Prefix):
    def test_tells_libglvnd_of_our_vendor(self):
        self.assertEqual(self.environment("run", "--")["__EGL_VENDOR_LIBRARY_FILENAMES"], self.description)

    def test_a_vulkan_driver_that_needs_its_own_vendor_finds_it_behind_ours(self):
        folders = {name: os.path.join(self.prefix, "host/share", name) for name in ("glvnd/egl_vendor.d", "vulkan/icd.d")}
        for folder in folders.values():
            os.makedirs(folder)
        for vendor in ("nvidia", "mesa"):
            with open(os.path.join(folders["glvnd/egl_vendor.d"], f"{vendor}.json"), "w") as file:
                json.dump({"file_format_version": "1.0.0", "ICD": {"library_path": f"libEGL_{vendor}.so.0"}}, file)
        for name, value in (("VK_DRIVER_FILES", os.path.join(folders["vulkan/icd.d"], "nvidia_icd.json")),
                            ("__EGL_VENDOR_LIBRARY_DIRS", folders["glvnd/egl_vendor.d"])):
            vendors = self.environment("run", "--", **{name: value})["__EGL_VENDOR_LIBRARY_FILENAMES"].split(":")
            self.assertEqual(vendors, [self.description, os.path.join(folders["glvnd/egl_vendor.d"], "nvidia.json")])

    def test_options_become_knobs(self):
        env = self.environment("run", "--backend", "null", "--device=3", "--topology", "monolith", "--loopback",
                               "--verify", "--validation", "--gl-version", "3.3", "--log-level", "debug", "--")
        self.assertEqual({k: v for k, v in env.items() if k.startswith("MOBILEGL_")},
                         {"MOBILEGL_BACKEND": "null", "MOBILEGL_DEVICE": "3", "MOBILEGL_TOPOLOGY": "monolith",
                          "MOBILEGL_PIPE_LOOPBACK": "1", "MOBILEGL_PIPE_VERIFY": "1", "MOBILEGL_VALIDATION": "1",
                          "MOBILEGL_GL_VERSION": "3.3", "MOBILEGL_LOG_LEVEL": "debug"})

    def test_an_option_wins_over_the_environment(self):
        self.assertEqual(self.environment("run", "--backend", "null", "--", MOBILEGL_BACKEND="espryt")
                         ["MOBILEGL_BACKEND"], "null")

    def test_the_separator_can_be_left_out(self):
        self.assertIn("__EGL_VENDOR_LIBRARY_FILENAMES", self.environment("run"))

    def test_the_programs_own_words_are_left_alone(self):
        done = self.call("run", "--", "/bin/echo", "--backend", "--", "-x")
        self.assertEqual(done.stdout, "--backend -- -x\n")
        done = self.call("run", "/bin/echo", "--device", "7")
        self.assertEqual(done.stdout, "--device 7\n")

    def test_the_programs_status_is_ours(self):
        self.assertEqual(self.call("run", "--", "/bin/sh", "-c", "exit 7").returncode, 7)

    def test_a_tree_that_was_moved_is_described_anew(self):
        self.describe("/somewhere/else/libEGL_mobilegl.so.0")
        path = self.environment("run", "--")["__EGL_VENDOR_LIBRARY_FILENAMES"]
        self.assertTrue(path.startswith(os.path.join(self.prefix, "runtime")))
        with open(path) as file:
            self.assertEqual(json.load(file)["ICD"]["library_path"], self.library)

    def test_a_folder_that_others_can_write_to_is_refused(self):
        os.unlink(self.description)
        os.mkdir(os.path.join(self.prefix, "runtime/mobilegl"))
        os.chmod(os.path.join(self.prefix, "runtime/mobilegl"), 0o777)
        self.refuses(1, "only this user can write to", words=("run", "--", "true"))

    def test_a_missing_library_is_named(self):
        os.unlink(self.library)
        self.refuses(1, "libEGL_mobilegl.so.0 is not in", "make build", words=("run", "--", "true"))

    def test_a_missing_program_is_named(self):
        self.refuses(127, "cannot start nonesuch: no such program in PATH", words=("run", "--", "nonesuch"))
        self.refuses(127, "cannot start /nonesuch", words=("run", "--", "/nonesuch"))
        self.refuses(126, "not executable", words=("run", "--", self.description))
        self.refuses(2, "no program to run", words=("run", "--"))

    def test_a_bad_backend_is_refused(self):
        self.refuses(1, "MOBILEGL_BACKEND=mgma", "magma|espryt|null", "did you mean magma?",
                     words=("run", "--backend", "mgma", "--", "true"))
        self.refuses(1, "MOBILEGL_BACKEND=vulkan", words=("run", "--", "true"), MOBILEGL_BACKEND="vulkan")
        self.refuses(1, "MOBILEGL_TOPOLOGY=monolit", words=("run", "--topology", "monolit", "--", "true"))

    def test_an_unknown_option_names_the_nearest(self):
        self.refuses(2, "unknown option --bakend", "--backend?", words=("run", "--bakend", "null", "--", "true"))
        self.refuses(2, "unknown option --lopback", "--loopback?", words=("run", "--lopback", "true"))
        self.refuses(2, "--device", words=("run", "--device"))


class Verbs(Prefix):
    def test_an_unknown_verb_names_the_nearest(self):
        self.refuses(2, "unknown verb rnu; did you mean run?", words=("rnu",))

    def test_help(self):
        self.assertIn("--backend", self.call("run", "--help").stdout)
        self.assertIn("mobilegl info", self.call("--help").stdout)


class Info(Prefix):
    """On Null, which every machine has."""

    def info(self, **environment):
        done = self.call("info", "--json", MOBILEGL_BACKEND="null", **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout), done.stderr

    def test_every_knob_has_value_and_origin(self):
        report, complaints = self.info(MOBILEGL_IPC_PRESENT_CREDIT="3")
        self.assertEqual(complaints, "")
        knobs = {knob["name"]: knob for knob in report["knobs"]}
        self.assertEqual((knobs["MOBILEGL_BACKEND"]["value"], knobs["MOBILEGL_BACKEND"]["origin"]), ("null", "environment"))
        self.assertEqual(knobs["MOBILEGL_IPC_PRESENT_CREDIT"]["value"], "3")
        self.assertEqual((knobs["MOBILEGL_TOPOLOGY"]["value"], knobs["MOBILEGL_TOPOLOGY"]["origin"]),
                         ("monolith", "default"))

    def test_tells_what_is_granted_and_what_keeps_it_from_more(self):
        report, _ = self.info()
        self.assertEqual(report["backend"], "null")
        major, minor = map(int, report["gl"]["core"]["version"].split(".")[:2])
        self.assertGreaterEqual((major, minor), (3, 3))
        if (major, minor) < (4, 6):
            self.assertTrue(report["gl"]["core"]["next_missing"])
        self.assertIn("GL_KHR_debug", report["extensions"])

    def test_a_misspelt_knob_names_the_nearest(self):
        report, complaints = self.info(MOBILEGL_BACKND="magma")
        self.assertIn("MOBILEGL_BACKND", complaints)
        self.assertIn("did you mean MOBILEGL_BACKEND?", complaints)
        self.assertEqual(len(report["problems"]), 1)

    def test_a_value_out_of_range_is_told_with_the_range(self):
        report, complaints = self.info(MOBILEGL_IPC_PRESENT_CREDIT="9")
        self.assertIn("1..8", complaints)
        self.assertIn("1..8", report["problems"][0])

    def test_an_impossible_backend_fails(self):
        self.refuses(1, "magma|espryt|null", words=("info",), MOBILEGL_BACKEND="vulkan")

    def test_a_topology_that_is_not_there_fails_with_its_name(self):
        self.refuses(1, "unix:/nonesuch", words=("info",), MOBILEGL_BACKEND="null", MOBILEGL_TOPOLOGY="unix:/nonesuch")

    def test_a_device_that_is_not_there_fails_and_names_those_that_are(self):
        done = self.call("info", MOBILEGL_DEVICE="nonesuch")
        self.assertEqual(done.returncode, 1)
        self.assertIn("nonesuch", done.stderr)
        names = subprocess.run(["vulkaninfo", "--summary"], capture_output=True, text=True, check=False, env=CLEAN).stdout
        devices = [line.split("=", 1)[1].strip() for line in names.splitlines() if "deviceName" in line]
        self.assertTrue(devices, "vulkaninfo lists no device")
        for device in devices:
            self.assertIn(device, done.stderr)


if __name__ == "__main__":
    unittest.main()
