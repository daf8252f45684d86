#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs hocket, moves the prefix, and uses it from projects outside the tree: with CMake, with
pkg-config, shared and static, in C and in C++, and as a plugin that `hocket run` loads.

Nothing of the source or build tree may be needed, or named in what is installed.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from golden import Golden  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
OPTIONS = None
WORK = None
PREFIX = None


def run(*command, cwd=None, env=None):
    """Standard output of a command that must succeed."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=env, capture_output=True,
                          text=True, timeout=900, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\nexit {done.returncode}\n"
                             f"{done.stdout}\n{done.stderr}")
    return done.stdout


def install():
    """Installs under one prefix and moves it to another."""
    stage = WORK / "stage"
    run("cmake", "--install", OPTIONS.build, "--prefix", stage)
    stage.rename(PREFIX)


def library_folder(prefix):
    found = sorted(prefix.glob("lib/**/libhocket.a"))
    assert len(found) == 1, f"libhocket.a is there {len(found)} times"
    return found[0].parent


def clean_environment(**changes):
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "TMPDIR", "HOME")}
    return dict(kept, LC_ALL="C", **changes)


def pkg_config(prefix, *options):
    environment = clean_environment(PKG_CONFIG_PATH=str(library_folder(prefix) / "pkgconfig"))
    return run("pkg-config", *options, "hocket", env=environment).split()


def cmake_build(source, build):
    run("cmake", "-G", "Ninja", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={PREFIX}",
        f"-DCMAKE_C_COMPILER={OPTIONS.cc}", "-DCMAKE_BUILD_TYPE=Release", env=clean_environment())
    run("cmake", "--build", build, env=clean_environment())


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """The projects are copied out of the tree, the plugin is built once."""
        for name in ("app", "plugin"):
            shutil.copytree(HERE / name, WORK / name)
        cls.golden = Golden(HERE / "expected")
        cls.plugin = WORK / "plugin-build"
        cmake_build(WORK / "plugin", cls.plugin)

    def check_app(self, program, **environment):
        answer = run(program, self.plugin / "pump.so", cwd=WORK, env=clean_environment(**environment))
        other = self.golden.compare("app.txt", answer)
        self.assertIsNone(other, other)

    def test_cmake_project(self):
        build = WORK / "app-build"
        cmake_build(WORK / "app", build)
        self.check_app(build / "app_shared")
        self.check_app(build / "app_static")
        needed = run("readelf", "-d", build / "app_shared")
        self.assertIn("libhocket.so.0", needed)
        self.assertNotIn("libz.", needed, "who links libhocket need not link what it stands on")
        self.assertNotIn("libhocket", run("readelf", "-d", build / "app_static"))

    def test_pkg_config(self):
        program = WORK / "app_pc"
        run(OPTIONS.cc, WORK / "app" / "app.c", *pkg_config(PREFIX, "--cflags", "--libs"), "-o",
            program)
        self.check_app(program, LD_LIBRARY_PATH=str(library_folder(PREFIX)))

    def test_pkg_config_static(self):
        """A prefix in which only the static library is left."""
        prefix = WORK / "only-static"
        shutil.copytree(PREFIX, prefix, symlinks=True)
        for shared in library_folder(prefix).glob("libhocket.so*"):
            shared.unlink()
        program = WORK / "app_pc_static"
        run(OPTIONS.cc, WORK / "app" / "app.c",
            *pkg_config(prefix, "--static", "--cflags", "--libs"), "-o", program)
        self.check_app(program)

    def test_the_tour(self):
        """The program in docs/api.md does what the page says."""
        page = (OPTIONS.source / "docs" / "api.md").read_text(encoding="utf-8")
        (source,) = re.findall(r"```c tour\.c\n(.*?)```", page, re.DOTALL)
        (expected,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
        (WORK / "tour.c").write_text(source, encoding="utf-8")
        run(OPTIONS.cc, "-Wall", "-Wextra", "-Werror", WORK / "tour.c",
            *pkg_config(PREFIX, "--cflags", "--libs"), "-o", WORK / "tour")
        shutil.copy(OPTIONS.build / "models" / "quarter_truck.ssp", WORK)
        environment = clean_environment(LD_LIBRARY_PATH=str(library_folder(PREFIX)))
        self.assertEqual(run(WORK / "tour", cwd=WORK, env=environment), expected)

    def test_cxx(self):
        if not OPTIONS.cxx:
            self.skipTest("no C++ compiler")
        flags = pkg_config(PREFIX, "--cflags", "--libs")
        program = WORK / "app_cxx"
        run(OPTIONS.cxx, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-x", "c++",
            WORK / "app" / "app.c", "-x", "none", *flags, "-o", program)
        self.check_app(program, LD_LIBRARY_PATH=str(library_folder(PREFIX)))

    def test_headers_stand_alone(self):
        """Each header can be the first one, in strict C99 and in C++11."""
        include = PREFIX / "include"
        headers = sorted(path.relative_to(include).as_posix() for path in include.rglob("*.h"))
        self.assertIn("hk/session.h", headers)
        compilers = [(OPTIONS.cc, "c", "c99")]
        if OPTIONS.cxx:
            compilers.append((OPTIONS.cxx, "c++", "c++11"))
        for header in headers:
            for compiler, language, standard in compilers:
                source = WORK / "alone.c"
                source.write_text(2 * f"#include <{header}>\n" + "extern int not_empty;\n",
                                  encoding="utf-8")
                run(compiler, "-x", language, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic",
                    "-Werror", "-fsyntax-only", f"-I{include}", source)

    def test_plugin_is_loaded(self):
        record = WORK / "pump.csv"
        run(PREFIX / "bin" / "hocket", "run", "pump.ssd", "--step-size", "1", "-q", "-o", record,
            cwd=self.plugin, env=clean_environment())
        self.assertEqual(record.read_text(encoding="utf-8"),
                         'time,pump.volume\n0,0\n1,0.5\n2,1\n')
        symbols = run("nm", "-D", "--defined-only", self.plugin / "pump.so").split()
        self.assertEqual(symbols[2::3], ["hk_plugin"])

    def test_what_is_installed(self):
        there = {path.relative_to(PREFIX).as_posix() for path in PREFIX.rglob("*")}
        for wanted in ("bin/hocket", "include/hk/hk.h", "include/hk/status.def",
                       "share/bash-completion/completions/hocket",
                       "share/zsh/site-functions/_hocket",
                       "share/fish/vendor_completions.d/hocket.fish",
                       "share/doc/hocket/README.md", "share/doc/hocket/LICENSE",
                       "share/doc/hocket/docs/api.md", "share/doc/hocket/examples/01_hello/tank.c"):
            self.assertIn(wanted, there)
        if OPTIONS.man:
            self.assertIn("share/man/man1/hocket-run.1", there)

    def test_no_path_of_the_tree(self):
        """Neither in texts nor in programs."""
        folders = [OPTIONS.build.resolve(), OPTIONS.source.resolve(), WORK / "stage"]
        # Not inside of another one: include/hk has nothing to do with a tree at /hk.
        stranger = re.compile(b"|".join(rb"(?<![\w.<-])" + re.escape(str(folder).encode()) + rb"(?![\w.:-])" for folder in folders))
        for path in sorted(PREFIX.rglob("*")):
            if path.is_file() and not path.is_symlink():
                found = stranger.search(path.read_bytes())
                self.assertIsNone(found, f"in {path.relative_to(PREFIX)}")

    def test_destdir(self):
        """Packagers install to a prefix that is not there yet."""
        folder = WORK / "dest"
        run("cmake", "--install", OPTIONS.build, "--prefix", "/opt/hocket",
            env=dict(os.environ, DESTDIR=str(folder)))
        self.assertTrue((folder / "opt/hocket/bin/hocket").exists())
        self.assertEqual([path.name for path in folder.iterdir()], ["opt"])


# What differs from run to run; the command that reproduces a run is for shells only.
MEASURED = {"wall_s", "init_s", "real_time_factor", "copy_s", "record_s", "get_s", "set_s", "step_s",
            "reproduce"}


def settled(value):
    """A JSON value without what was measured."""
    if isinstance(value, dict):
        return {key: settled(item) for key, item in value.items() if key not in MEASURED}
    return [settled(item) for item in value] if isinstance(value, list) else value


class Answers(unittest.TestCase):
    """The library answers what the command line answers: one program, compiled as C and as C++."""

    @classmethod
    def setUpClass(cls):
        cls.folder = WORK / "ask"
        shutil.copytree(HERE / "ask", cls.folder)
        for name in ("quarter_truck.ssp", "rosace.ssp"):
            shutil.copy(OPTIONS.build / "models" / name, cls.folder)
        shutil.copy(OPTIONS.source / "tests" / "sound" / "S9_get_between.master",
                    cls.folder / "two.master")
        compilers = [("ask_c", OPTIONS.cc, "c")]
        if OPTIONS.cxx:
            compilers.append(("ask_cxx", OPTIONS.cxx, "c++"))
        cls.programs = []
        for name, compiler, language in compilers:
            run(compiler, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-x", language,
                cls.folder / "ask.c", "-x", "none", *pkg_config(PREFIX, "--cflags", "--libs"),
                "-o", cls.folder / name)
            cls.programs.append(cls.folder / name)
        cls.environment = clean_environment(LD_LIBRARY_PATH=str(library_folder(PREFIX)))
        hocket = PREFIX / "bin" / "hocket"
        run(hocket, "run", "swing.system", "-q", "-o", "first.csv", cwd=cls.folder, env=cls.environment)
        run(hocket, "run", "swing.system", "-q", "-o", "second.csv", "--set", "scale.gain=3.5",
            cwd=cls.folder, env=cls.environment)

    def hocket(self, *words):
        """What `hocket --json` prints, be it yes or no."""
        done = subprocess.run([str(PREFIX / "bin" / "hocket"), *words, "--json"], cwd=self.folder,
                              env=self.environment, capture_output=True, text=True, timeout=900,
                              check=False)
        return done.stdout

    def ask(self, program, *words):
        """The answer, and what the program has read from it: a list of (name, value)."""
        first, *rest = run(program, *words, cwd=self.folder, env=self.environment).splitlines()
        return first + "\n", [tuple(line.split("=", 1)) for line in rest]

    def test_same_bytes(self):
        for question, command in (
                ("info swing.system", "info swing.system"),
                ("info swing.simulation", "info swing.simulation"),
                ("info quarter_truck.ssp", "info quarter_truck.ssp"),
                ("info first.csv", "info first.csv"),
                ("info two.master", "info two.master"),
                ("info hk.Gain", "info hk.Gain"),
                ("check swing.simulation", "check swing.simulation"),
                ("check quarter_truck.ssp", "check quarter_truck.ssp"),
                ("check broken.system", "check broken.system"),
                ("plan swing.system 2 0", "plan swing.system --stop-time 2 --program"),
                ("plan rosace.ssp 1 3", "plan rosace.ssp --stop-time 1 --allocate 3 --program"),
                ("trace swing.system sum.y 0.5", "trace swing.system sum.y --at 0.5"),
                ("trace quarter_truck.ssp chassis.travel 20ms",
                 "trace quarter_truck.ssp chassis.travel --at 20ms"),
                ("of swing.system -", "plan swing.system --stop-time 2"),
                ("of quarter_truck.ssp -", "plan quarter_truck.ssp --stop-time 2"),
                ("of swing.system ?", "prove swing.system --stop-time 2 --spin=never"),
                ("of quarter_truck.ssp ?", "prove quarter_truck.ssp --stop-time 2 --spin=never"),
                ("of swing.system sum.y", "trace swing.system sum.y --at 1/2 --stop-time 2"),
                ("prove swing.system contract", "prove swing.system --view contract --spin=never"),
                ("prove two.master connected", "prove two.master --view connected --spin=never"),
                ("compare first.csv second.csv", "compare first.csv second.csv --rel 1e-9"),
                ("compare first.csv first.csv", "compare first.csv first.csv --rel 1e-9")):
            expected = self.hocket(*command.split())
            self.assertIn('{"schema":"hocket.' + command.split()[0] + '/1"', expected)
            for program in self.programs:
                with self.subTest(question=question, program=program.name):
                    self.assertEqual(self.ask(program, *question.split())[0], expected)

    def test_plan_in_numbers(self):
        answer, read = self.ask(self.programs[-1], "plan", "rosace.ssp", "1", "3")
        plan = json.loads(answer)
        self.assertEqual([name for key, name in read if key == "component"],
                         [c["name"] for c in plan["components"]])
        self.assertEqual([float(x) for key, x in read if key == "period_s"],
                         [c["period_s"] for c in plan["components"]])
        self.assertEqual([float(x) for key, x in read if key == "age_max_s"],
                         [c["age_max_s"] for c in plan["connections"] + plan["services"]])
        self.assertEqual([x for key, x in read if key == "processor"],
                         [p["name"] for p in plan["processors"]])
        self.assertIn(("schedule", "made"), read)
        self.assertIn(("status", "0"), read)

    def test_verdicts_in_numbers(self):
        answer, read = self.ask(self.programs[-1], "prove", "two.master", "connected")
        verdicts = json.loads(answer)["verdicts"]
        self.assertEqual([x for key, x in read if key == "verdict"], [v["name"] for v in verdicts])
        states = ["holds", "broken", "forbidden", "inconclusive", "differs", "does not apply", "not done"]
        self.assertEqual([states[int(x)] for key, x in read if key == "state"],
                         [v["state"] for v in verdicts])
        self.assertEqual([int(x) for key, x in read if key == "calls"],
                         [len(v["calls"]) for v in verdicts])

    def test_differences_in_numbers(self):
        answer, read = self.ask(self.programs[-1], "compare", "first.csv", "second.csv")
        found = json.loads(answer)
        self.assertIn(("equal", "0"), read)
        self.assertIn(("first_signal", found["first_difference"]["signal"]), read)
        self.assertEqual([float(x) for key, x in read if key == "max_absolute"],
                         [w["max_absolute"] for w in found["worst"]])
        self.assertEqual(dict(read)["status"], "417")

    def test_simulation(self):
        """All runs, in one process and by two workers, as the command line plays them."""
        expected = json.loads(self.hocket("run", "swing.simulation", "-o", "played"))
        for program in self.programs:
            for workers in "02":
                answer, read = self.ask(program, "play", "swing.simulation", "played", workers)
                self.assertEqual(settled(json.loads(answer)), settled(expected))
        runs = expected["runs"]
        self.assertEqual([x for key, x in read if key == "log"], [r["logs"][0] for r in runs])
        self.assertEqual([x for key, x in read if key == "expect"],
                         [v["expect"] for r in runs for v in r["verdicts"]])
        peaks = [r["verdicts"][1]["measured"]["value"] for r in runs]
        self.assertEqual(len(set(peaks)), 3, "the repetitions differ")
        study = dict(read[read.index(("study", "peak")):])
        self.assertEqual((float(study["least"]), float(study["most"])), (min(peaks), max(peaks)))
        self.assertEqual((study["runs"], study["held"], study["max"]), ("3", "3", "10"))
        self.assertIn(("part", "1"), read)

    def test_run(self):
        expected = json.loads(self.hocket("run", "swing.system", "-o", "run.csv"))
        bytes_of_run = (self.folder / "run.csv").read_bytes()
        for program in self.programs:
            answer, read = self.ask(program, "run", "swing.system", "run.csv")
            self.assertEqual(settled(json.loads(answer)), settled(expected))
            self.assertEqual((self.folder / "run.csv").read_bytes(), bytes_of_run)
            self.assertIn(("steps", str(expected["components"][0]["steps"])), read)

    def test_every_header_and_function(self):
        """The program includes all public headers, and calls all that it is about."""
        source = (self.folder / "ask.c").read_text(encoding="utf-8")
        for header in (PREFIX / "include" / "hk").glob("*.h"):
            if not header.name.startswith(("math_", "geo_")):  # the parts of hk/math.h and hk/geo.h
                self.assertIn(f"#include <hk/{header.name}>", source)
        for name in ("answer", "plan", "prove", "compare", "simulation"):
            text = (PREFIX / "include" / "hk" / f"{name}.h").read_text(encoding="utf-8")
            for function in re.findall(r"^HK_EXPORT[^;(]*?(hk_\w+)\(", text, re.MULTILINE):
                self.assertIn(f"{function}(", source)


def main():
    global OPTIONS, WORK, PREFIX
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--cc", required=True)
    parser.add_argument("--cxx", default="")
    parser.add_argument("--man", action="store_true")
    OPTIONS, rest = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as scratch:
        WORK = pathlib.Path(scratch).resolve()
        PREFIX = WORK / "moved"
        install()
        program = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2)
    return 0 if program.result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
