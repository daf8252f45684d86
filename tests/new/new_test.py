#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs hocket into a temporary folder, makes projects with it, and does in each of them what its
README says. Standard library only."""
import atexit
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import SLOW, Case, call, environment, known_compilers, main  # noqa: E402

PREFIX = pathlib.Path(tempfile.mkdtemp(prefix="hocket_new_")).resolve()  # where hocket is installed
atexit.register(shutil.rmtree, PREFIX, ignore_errors=True)


def run(words, folder, exit=0):
    """As a user who installed hocket in a place of his own."""
    if "-B" in words:
        known_compilers(folder / words[words.index("-B") + 1])
    path = f"{PREFIX / 'bin'}{os.pathsep}{os.environ['PATH']}"
    own = environment(CMAKE_PREFIX_PATH=str(PREFIX), PATH=path, XDG_CACHE_HOME=str(PREFIX / "cache"))
    done = call(*words, cwd=folder, env=own, exit=None, stderr=subprocess.STDOUT)
    if (done.returncode != 0) if exit is None else (done.returncode == exit):
        return done.stdout
    raise AssertionError(f"{words} ended with {done.returncode}\n{done.stdout}")


def commands_of(readme):
    """The blocks of commands in a README, in order."""
    return re.findall(r"^```sh\n(.*?)^```$", readme.read_text(encoding="utf-8"), re.M | re.S)


class Projects(Case):
    @classmethod
    def setUpClass(cls):
        call("cmake", "--install", cls.options.build, "--prefix", PREFIX)

    def make(self, *words):
        run(["hocket", "new", *words], self.folder)
        return self.folder / (words[3] if "--directory" in words else words[1])

    def follow_readme(self, folder):
        blocks = commands_of(folder / "README.md")
        self.assertEqual(len(blocks), 2)
        for block in blocks:
            (folder / "result.csv").unlink(missing_ok=True)
            run(["bash", "-euo", "pipefail", "-c", block], folder)
            run(["hocket", "compare", "expected.csv", "result.csv", "--rel", "1e-9"], folder)

    def test_world(self):
        folder = self.make("world", "park")
        self.follow_readme(folder)
        self.assertIn("the project of a world is in C",
                      run(["hocket", "new", "world", "yard", "--language", "c++"], self.folder, exit=2))

    def test_component(self):
        folder = self.make("component", "pump")
        self.follow_readme(folder)
        # Nothing is left to add to version control that should not be.
        ignored = (folder / ".gitignore").read_text(encoding="utf-8").split()
        self.assertLessEqual({"build/", "*.so", "result.csv"}, set(ignored))

    def test_cpp(self):
        if not shutil.which("c++"):
            self.skipTest("there is no C++ compiler")
        folder = self.make("component", "pump", "--language", "c++")
        self.assertEqual([path.name for path in folder.glob("pump.*")], ["pump.cpp"])
        for standard in ("c++17", "c++20"):
            said = run(["c++", f"-std={standard}", "-Wall", "-Wextra", "-pedantic", "-fPIC", f"-I{PREFIX / 'include'}", "-c",
                        "pump.cpp", "-o", "pump.o"], folder)
            self.assertEqual(said, "")
        (folder / "pump.o").unlink()
        self.follow_readme(folder)
        self.assertIn("FMUs are exported from components in C",
                      run(["hocket", "new", "fmu", "valve", "--language", "c++"], self.folder, exit=2))

    def test_next_lines(self):
        """What `hocket new` says to do next does it."""
        for kind, name in (("component", "pump"), ("fmu", "valve")):
            said = run(["hocket", "new", kind, name], self.folder)
            lines = said.split("next:\n")[1].splitlines()
            commands = "\n".join(line for line in lines if line.startswith("  "))
            run(["bash", "-euo", "pipefail", "-c", commands], self.folder)
            self.assertTrue((self.folder / name / "result.csv").exists())

    def test_the_test_of_the_project_can_fail(self):
        folder = self.make("component", "valve_2")
        source = folder / "valve_2.c"
        text = source.read_text(encoding="utf-8")
        source.write_text(text.replace('.start = "1000"', '.start = "1001"'), encoding="utf-8")
        run(["cmake", "-B", "build"], folder)
        run(["cmake", "--build", "build"], folder)
        said = run(["ctest", "--test-dir", "build", "--output-on-failure"], folder, exit=None)
        self.assertIn("HK0417", said)

    def test_names_of_cmake(self):
        """Targets that CMake keeps for itself are names like any other."""
        names = (("component", "all"), ("component", "test"), ("component", "clean"), ("component", "install"),
                 ("component", "help"), ("component", "edit_cache"), ("fmu", "test"))
        for kind, name in names if SLOW else names[1::5]:
            with self.subTest(kind=kind, name=name):
                folder = self.make(kind, name, "--directory", f"{kind}_{name}")
                run(["cmake", "-B", "build"], folder)
                run(["cmake", "--build", "build"], folder)
                run(["ctest", "--test-dir", "build", "--output-on-failure"], folder)

    def test_fmu(self):
        """One project, in each version of FMI after the other; all give the same bytes."""
        component = self.make("component", "heater")
        folder = component.rename(self.folder / "native")
        run(["cmake", "-B", "build"], folder)
        run(["cmake", "--build", "build"], folder)
        run(["ctest", "--test-dir", "build", "--output-on-failure"], folder)
        expected = (folder / "build/result.csv").read_bytes()
        for version in ("1", "2", "3") if SLOW else ("2",):
            with self.subTest(fmi=version):
                folder = self.make("fmu", "heater", "--fmi", version)
                self.follow_readme(folder)
                self.assertEqual((folder / "build/result.csv").read_bytes(), expected)
                self.assertIn(f"FMI version: {version}",
                              re.sub(r"FMI version:? +", "FMI version: ",
                                     run(["hocket", "info", "build/heater.fmu"], folder)))
                other = "3" if version == "1" else "1"
                run(["cmake", "-B", "build", f"-DFMI_VERSION={other}"], folder)
                run(["cmake", "--build", "build"], folder)
                run(["ctest", "--test-dir", "build", "--output-on-failure"], folder)
                self.assertEqual((folder / "build/result.csv").read_bytes(), expected)
            shutil.rmtree(self.folder / "heater", ignore_errors=True)


if __name__ == "__main__":
    main()
