#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plugins as a user makes them: `hocket build FOLDER`, CMake from a tree that is not installed, what they say of how they
were compiled, and what is reported when that is not as it should be. Standard library only; needs a C compiler."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import Case, environment, known_compilers, main  # noqa: E402

COUNTER = """#include <hk/unit.h>
#include "counter.h"
static int counter_step(void *self, double t, double h) {
    counter *x = (counter *)self;
    (void)t;
    x->count += counter_advance(h);
    return HK_STEP_OK;
}
static const hk_port ports[] = {HK_PORT(counter, count, HK_OUTPUT, HK_TYPE_F64, .depends_on = "")};
static const hk_unit_type type = {HK_UNIT_TYPE(counter), .ports = ports, .port_count = 1, .step = counter_step};
const hk_unit_type *const *hk_plugin(void) {
    static const hk_unit_type *const types[] = {&type, NULL};
    return types;
}
"""
HEADER = """#ifdef __cplusplus
extern "C" {
#endif
typedef struct counter { double count; } counter;
double counter_advance(double h);
#ifdef __cplusplus
}
#endif
"""
ADVANCE_C = '#include "counter.h"\ndouble counter_advance(double h) { return 2 * h; }\n'
ADVANCE_CPP = """#include "counter.h"
#include <cmath>
#include <vector>
double counter_advance(double h) {
    std::vector<double> parts(2, h);
    return parts[0] + std::fabs(parts[1]);
}
"""
SSD = """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription name="s" version="1.0"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon">
  <ssd:System name="s"><ssd:Elements>
    <ssd:Component name="c" type="application/x-hocket-plugin" source="PLUGIN#counter"><ssd:Connectors>
      <ssd:Connector name="count" kind="output"><ssc:Real/></ssd:Connector></ssd:Connectors></ssd:Component>
  </ssd:Elements></ssd:System>
  <ssd:DefaultExperiment startTime="0" stopTime="3"/>
</ssd:SystemStructureDescription>
"""
RECORD = "time,c.count\n0,0\n1,2\n2,4\n3,6\n"


class Plugins(Case):
    def sources(self, folder="code", advance=("advance.c", ADVANCE_C), counter="counter.c"):
        place = self.folder / folder
        place.mkdir(parents=True)
        (place / counter).write_text(COUNTER, encoding="utf-8")
        (place / "counter.h").write_text(HEADER, encoding="utf-8")
        (place / advance[0]).write_text(advance[1], encoding="utf-8")
        return place

    def assert_runs(self, plugin, **added):
        """Runs it for three steps and looks at every number. Returns what hocket said."""
        ssd = self.write("s.ssd", SSD.replace("PLUGIN", str(plugin)))
        done = self.hocket("run", ssd, "--step-size", "1", "-o", "r.csv", **added)
        text = (self.folder / "r.csv").read_text(encoding="utf-8")
        self.assertEqual(text.replace(' ""', "").replace('"', ""), RECORD)
        return done.stderr

    def note_of(self, plugin):
        done = subprocess.run(["readelf", "-p", ".hocket.plugin", plugin], capture_output=True, encoding="utf-8",
                              check=True)
        lines = [line.strip().removesuffix("\\n") for line in done.stdout.splitlines()]
        lines = [line.split("]", 1)[-1].strip() for line in lines]
        return [line for line in lines if line and not line.startswith("String dump")]

    def metadata(self):
        return json.loads((self.folder / "r.csv-metadata.json").read_text(encoding="utf-8"))["notes"][0]

    # ---- what is built ----

    def test_folder(self):
        self.sources()
        said = self.hocket("build", "code/").stderr
        self.assertRegex(said, r"^build: code/counter\.so \(2 source files by .+\)\n$")
        self.assertEqual(self.assert_runs("code/counter.so").count("warning"), 0)
        note = self.note_of(self.folder / "code/counter.so")
        self.assertEqual(note[0], "hocket-plugin 1")
        words = [line.split(" ", 1)[0] for line in note]
        self.assertEqual([w for w in words if w in ("source", "header")], ["source", "source", "header"])
        self.assertIn(f"folder {(self.folder / 'code').resolve()}", note)
        self.assertTrue(any(line.startswith("hocket hk/unit.h ") for line in note))
        self.assertTrue(any(line.startswith("flags ") and "-ffp-contract=off" in line for line in note))
        sum256 = subprocess.run(["sha256sum", self.folder / "code/advance.c"], capture_output=True, encoding="utf-8",
                                check=True).stdout.split()[0]
        self.assertIn(f"source advance.c {sum256}", note)
        self.assertEqual(sorted(p.name for p in (self.folder / "code").iterdir()),
                         ["advance.c", "counter.c", "counter.h", "counter.so"])

    def test_output_and_json(self):
        self.sources()
        (self.folder / "lib").mkdir()
        answer = json.loads(self.hocket("build", "code", "-o", "lib/other.so", "--json").stdout)
        self.assertEqual((answer["output"], answer["files"]), ("lib/other.so", 2))
        self.assertEqual(self.hocket("build", "code", "-q").stderr, "")
        self.assert_runs("lib/other.so")
        self.assertTrue((self.folder / "code/counter.so").exists())

    def test_same_bytes(self):
        """Twice the same, whatever temporary folder was used."""
        self.sources()
        made = []
        for name in ("a.so", "b.so"):
            self.hocket("build", "code", "-o", name)
            made.append((self.folder / name).read_bytes())
        self.assertEqual(made[0], made[1])
        self.assertNotIn(b"/hocket-", made[0])

    def test_working_folder(self):
        """From inside of the folder: '.'"""
        place = self.sources()
        subprocess.run([self.options.hocket, "build", "."], cwd=place, env=environment(), check=True,
                       capture_output=True)
        self.assert_runs("code/counter.so")

    def test_odd_names(self):
        for folder in ("two words", "it's \"quoted\"", "-dash", "$HOME", "with;and#"):
            with self.subTest(folder=folder):
                place = self.sources(folder, ("ad vance's.c", ADVANCE_C), counter="-counter.c")
                self.hocket("build", f"./{folder}", "-o", "odd.so")
                self.assert_runs("odd.so")
                note = self.note_of(self.folder / "odd.so")
                self.assertTrue(any(line.startswith("source ad vance's.c ") for line in note), note)
                shutil.rmtree(place)

    def test_cpp(self):
        if not shutil.which("c++"):
            self.skipTest("there is no C++ compiler")
        self.sources(advance=("advance.cpp", ADVANCE_CPP))
        self.hocket("build", "code")
        self.assert_runs("code/counter.so")
        note = self.note_of(self.folder / "code/counter.so")
        self.assertTrue(any(line.startswith("cxx-flags -std=gnu++17") for line in note))
        shutil.rmtree(self.folder / "code")
        self.sources(advance=("advance.cc", ADVANCE_CPP), counter="counter.cpp")
        self.hocket("build", "code")
        self.assert_runs("code/counter.so")
        note = self.note_of(self.folder / "code/counter.so")
        self.assertFalse(any(line.startswith("cxx-") for line in note))
        self.assertTrue(any(line.startswith("flags -std=gnu++17") for line in note))

    def test_clang_and_gcc(self):
        self.sources()
        for compiler in ("gcc", "clang"):
            if shutil.which(compiler):
                self.hocket("build", "code", "--cc", f"{compiler} -O3")
                self.assertNotIn("warning", self.assert_runs("code/counter.so"))
                self.assertIn(compiler, self.metadata()["plugins"][0]["compiler"])

    def test_warnings_are_shown(self):
        place = self.sources()
        (place / "advance.c").write_text(ADVANCE_C + "static int idle;\n", encoding="utf-8")
        self.assertIn("idle", self.hocket("build", "code").stderr)

    # ---- what cannot be built ----

    def refused(self, *words, parts, exit=3, **added):
        before = sorted(self.folder.rglob("*"))
        said = self.hocket("build", *words, exit=exit, **added).stderr
        self.assertEqual(said.count("error[HK"), 1, said)
        for part in parts:
            self.assertIn(part, said)
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def test_does_not_compile(self):
        place = self.sources()
        (place / "advance.c").write_text('#include "counter.h"\n\ndouble counter_advance(double h) { return hh; }\n')
        self.refused("code", parts=["code/advance.c:3:43: error[HK0310]", "hh"])
        (place / "advance.c").write_text('#include "nowhere.h"\n')
        self.refused("code", parts=["code/advance.c:1:10: error[HK0310]", "nowhere.h", "hint:"])
        (place / "advance.c").write_text('#include "counter.h"\n')
        self.refused("code", parts=["code/counter.c:6: error[HK0310]", "undefined reference to `counter_advance'", "hint:"])
        (place / "counter.h").write_text(HEADER.replace("double count;", "double count count;"))
        (place / "advance.c").write_text(ADVANCE_C)
        self.refused("code", parts=["code/counter.h:4:", "HK0310"])

    def test_no_hk_plugin_and_two(self):
        place = self.sources()
        (place / "second one.c").write_text(COUNTER)
        self.refused("code", parts=["code/second one.c: error[HK0308]", "'counter.c'", "hint:"])
        (place / "second one.c").unlink()
        (place / "counter.c").write_text(COUNTER.replace("hk_plugin(void)", "other(void)"))
        self.refused("code", parts=["code: error[HK0308]", "defines hk_plugin", "hint:"])

    def test_no_source(self):
        (self.folder / "code/inner").mkdir(parents=True)
        (self.folder / "code/inner/counter.c").write_text(COUNTER)
        (self.folder / "code/.hidden.c").write_text("no C at all")
        self.refused("code", parts=["code: error[HK0205]", "no file in C or C++", "not searched"])
        self.refused("nowhere", parts=["nowhere: error[HK0201]"])
        self.write("x.c", COUNTER)
        self.refused("x.c", parts=["x.c: error[HK0205]", "folder"])

    def test_odd_places(self):
        place = self.sources()
        os.mkfifo(place / "pipe.c")
        (place / "link.c").symlink_to("/nowhere/at/all.c")
        said = self.hocket("build", "code").stderr
        for name in ("pipe.c", "link.c"):
            self.assertEqual(said.count(f"code/{name}: note: it has the name of a source, but is not a file"), 1, said)
        (self.folder / "co\nde").mkdir()
        (self.folder / "co\nde" / "counter.c").write_text(COUNTER)
        self.refused("co\nde", parts=["error[HK0205]", "line break", "hint:"])
        self.assertFalse((self.folder / "co\nde" / "counter.so").exists())

    def test_no_compiler(self):
        place = self.sources()
        self.refused("code", parts=["'no-such-cc' cannot be started", "hint:"], CC="no-such-cc")
        self.refused("code", "--cc", " ", parts=["is not a compiler"], exit=2)
        self.refused("code", "--cc", "true", parts=["made nothing"])
        self.refused("code", "--cc", "false", parts=["failed and said nothing"])
        (place / "more.cpp").write_text("int more;\n")
        self.refused("code", parts=["files in C++", "'no-such-c++'", "CXX"], CXX="no-such-c++")

    def test_places_that_cannot_be_written(self):
        place = self.sources()
        self.refused("code", "-o", "x.fmu", exit=2, parts=["x.fmu: error[HK0101]", ".so"])
        self.refused("code", "-o", "no/x.so", parts=["no/x.so: error[HK0202]"])
        self.refused("code", "-o", "/proc/x.so", parts=["/proc/x.so: error[HK0202]"])
        (place / "counter.so").mkdir()
        self.refused("code", parts=["code/counter.so: error[HK0202]"])
        (place / "counter.so").rmdir()
        if os.getuid() != 0:  # root may write everywhere
            place.chmod(0o555)
            self.addCleanup(place.chmod, 0o755)
            self.refused("code", parts=["code: error[HK0202]", "-o"])

    # ---- what is reported of flags ----

    def test_record_doctor_info(self):
        self.sources()
        self.hocket("build", "code")
        self.assert_runs("code/counter.so")
        plugin = self.metadata()["plugins"]
        self.assertEqual([p["file"] for p in plugin], ["counter.so"])
        self.assertIn("-ffp-contract=off -fno-strict-aliasing -fno-builtin-LIBM", plugin[0]["flags"])
        self.assertRegex(plugin[0]["compiler"], r"\d+\.\d+")
        for file in ("code/counter.so", "s.ssd"):
            said = self.hocket("doctor", file).stdout
            self.assertRegex(said, r"ok +plugin +counter\.so by .+-fno-builtin-LIBM")
            self.assertRegex(said, r"building plugins +.+-ffp-contract=off")
        self.assertRegex(self.hocket("info", "s.ssd").stdout, r"1 plugin\n.*\n?counter\.so by .+, -std=gnu17 ")
        self.assertEqual(json.loads(self.hocket("info", "s.ssd", "--json").stdout)["plugins"], plugin)
        self.assertIn("'no-such-cc' cannot be started", self.hocket("doctor", CC="no-such-cc").stdout)

    def test_changed_since(self):
        """`run` and `check` look at files that are newer than the plugin, `doctor` and `info` at all."""
        place = self.sources()
        self.hocket("build", "code")
        self.assertNotIn("changed since", self.assert_runs("code/counter.so"))
        source = place / "counter.c"
        text = source.read_text(encoding="utf-8")
        source.write_text(text, encoding="utf-8")  # newer, and the same
        asked = [["doctor", "code/counter.so"], ["doctor", "s.ssd"], ["info", "s.ssd"]]
        run = ["run", "s.ssd", "--stop-time", "1", "-o", "r.csv"]
        for words in [*asked, ["check", "s.ssd"], run]:
            done = self.hocket(*words)
            self.assertNotIn("changed since", done.stdout + done.stderr)
        source.write_text(text + "/* more */\n", encoding="utf-8")
        said = f"its source '{source}' was changed since it was built; build it again: hocket build {place}\n"
        for words in asked:
            self.assertIn(f"counter.so: {said}", self.hocket(*words).stdout)
        for words in (["check", "s.ssd"], run):
            done = self.hocket(*words)
            self.assertEqual((done.stdout + done.stderr).count(f"note: {said}"), 1, done.stdout + done.stderr)
        (place / "counter.so").touch()
        self.assertNotIn("changed since", self.hocket(*run).stderr)
        for words in asked:
            self.assertIn(said, self.hocket(*words).stdout)
        source.unlink()  # a plugin runs without its sources
        for words in (*asked, run):
            done = self.hocket(*words)
            self.assertNotIn("its source", done.stdout + done.stderr)

    def test_without_a_note(self):
        """Runs without a word; those who ask are told."""
        place = self.sources()
        subprocess.run(["cc", "-shared", "-fPIC", f"-I{self.options.source / 'include'}", "-o", "plain.so", "counter.c",
                        "advance.c"], cwd=place, check=True)
        self.assertNotRegex(self.assert_runs("code/plain.so"), "warning|note:")
        self.assertEqual(self.metadata()["plugins"], [{"file": "plain.so", "compiler": "not known"}])
        self.assertIn("plain.so carries no note", self.hocket("doctor", "code/plain.so").stdout)
        self.assertIn("plain.so carries no note", self.hocket("info", "s.ssd").stdout)
        self.assertIn("HK0201", self.hocket("doctor", "nowhere.so", exit=3).stderr)

    def built_with(self, *flags):
        """The plugin by CMake, from the tree that hocket was built in, with flags of the user's own."""
        return self.by_cmake("C", "hocket_add_plugin(counter counter.c advance.c)\n"
                             f"target_compile_options(counter PRIVATE {' '.join(flags)})\n")

    def by_cmake(self, languages, lines, *options):
        (self.folder / "code/CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.20)\nproject(own LANGUAGES {languages})\nfind_package(hocket REQUIRED)\n"
            + lines, encoding="utf-8")
        shutil.rmtree(self.folder / "b", ignore_errors=True)
        known_compilers(self.folder / "b")
        for words in (["-S", "code", "-B", "b", *options, f"-Dhocket_DIR={self.options.build / 'package'}"],
                      ["--build", "b"]):
            done = subprocess.run(["cmake", *words], cwd=self.folder, env=environment(), capture_output=True,
                                  encoding="utf-8", check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return "b/counter.so"

    def test_other_flags_are_told_once(self):
        self.sources()
        self.assertNotIn("warning", self.assert_runs(self.built_with()))
        for flags, said in ((["-ffast-math"], "with -ffast-math"), (["-ffp-contract=fast"], "without -ffp-contract=off"),
                            (["-mavx2", "-mfma"], "with -mavx2, with -mfma"),
                            (["-fbuiltin", "-march=haswell"], "with -march=haswell")):
            if os.uname().machine != "x86_64" and "-m" in said:
                continue
            with self.subTest(flags=flags):
                text = self.assert_runs(self.built_with(*flags))
                self.assertEqual(text.count("warning"), 1, text)
                self.assertIn(f"b/counter.so: warning[HK0308]: it was compiled {said}", text)
                self.assertIn("hint:", text)
                self.assertIn(said, self.hocket("doctor", "b/counter.so").stdout)

    def test_damaged_note(self):
        """The plugin runs; the damage is reported."""
        self.sources()
        self.hocket("build", "code")
        library = self.folder / "code/counter.so"
        library.write_bytes(library.read_bytes().replace(b"hocket-plugin 1", b"hocket-plugin 9"))
        self.assertIn("not of this version", self.assert_runs("code/counter.so"))
        self.assertIn("HK0308", self.hocket("doctor", "code/counter.so", exit=3).stderr)

    def test_cmake_mixture(self):
        """C, C++ and a generated file, with words for one language only and a definition with a blank in it."""
        if not shutil.which("c++"):
            self.skipTest("there is no C++ compiler")
        place = self.sources(advance=("advance.cpp", ADVANCE_CPP))
        (place / "more.in").write_text("int more(void);\nint more(void) { return sizeof NAME; }\n")
        lines = ("add_custom_command(OUTPUT more.c COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/more.in "
                 "more.c VERBATIM)\nhocket_add_plugin(counter counter.c advance.cpp more.c)\n"
                 "target_compile_options(counter PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti> -Wall)\n"
                 "target_compile_definitions(counter PRIVATE \"NAME=\\\"a b\\\"\")\n")
        for generator in ("Ninja", "Unix Makefiles", "Ninja Multi-Config"):
            if not shutil.which("ninja" if "Ninja" in generator else "make"):
                continue
            with self.subTest(generator=generator):
                self.by_cmake("C CXX", lines, "-G", generator)
                several = generator == "Ninja Multi-Config"
                library = self.folder / ("b/Debug/counter.so" if several else "b/counter.so")
                self.assertNotIn("warning", self.assert_runs(library))
                if several:
                    self.assertIn("carries no note", self.hocket("doctor", library).stdout)
                    continue
                note = self.note_of(library)
                self.assertIn('define NAME="a b"', note)
                self.assertEqual([line.split()[1] for line in note if line.startswith("source ")],
                                 ["counter.c", "../b/more.c", "advance.cpp"])
                self.assertEqual([line.split()[0] for line in note if "-fno-rtti" in line], ["cxx-flags"])
                self.assertFalse(any("-Wall" in line for line in note))

    def test_cmake_follows_headers(self):
        """The note is written again when a header changes."""
        place = self.sources()
        library = self.folder / self.built_with()
        before = self.note_of(library)
        header = place / "counter.h"
        header.write_text(HEADER + "/* changed */\n")
        os.utime(header, (2e9, 2e9))
        subprocess.run(["cmake", "--build", "b"], cwd=self.folder, env=environment(), check=True, capture_output=True)
        changed = [line for line in self.note_of(library) if line not in before]
        self.assertEqual([line.split()[:2] for line in changed], [["header", "counter.h"]])


if __name__ == "__main__":
    main("--hocket", "--source", "--build")
