#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the built program with arguments and looks at standard output, standard error and exit status.

Texts that are long are in expected/; `cases_test.py --update` writes them anew. Standard library only.
"""
import io
import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import xml.etree.ElementTree
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import hocket_case  # noqa: E402
from golden import Golden  # noqa: E402
from hocket_case import OPTIONS, TIMEOUT_S, few, main, wait_until, wait_until_idle  # noqa: E402

GOLDEN = Golden(HERE / "expected")
VERBS = ["info", "check", "plan", "trace", "prove", "run", "serve", "node", "plot", "compare", "export", "convert", "build", "new", "fmt",
         "gen", "explain", "doctor", "completion", "help", "version"]


def environment_with(changes):
    """That of a terminal with colours."""
    return hocket_case.environment(NO_COLOR=None, TERM="xterm", **changes)


class Case(hocket_case.Case):
    environment = {"NO_COLOR": None, "TERM": "xterm"}

    def setUp(self):
        super().setUp()
        shutil.copy(OPTIONS.models / "quarter_truck.ssp", self.scratch)

    def expect(self, name, text):
        text = re.sub(r"hocket \d+\.\d+\.\d+", "hocket VERSION", text)
        other = GOLDEN.compare(name, text)
        self.assertIsNone(other, other)

    def json_of(self, *words, exit=0, **environment):
        done = self.hocket(*words, "--json", exit=exit, **environment)
        answer = json.loads(done.stdout)
        self.assertRegex(answer["schema"], r"^hocket\.\w+/1$")
        for line in done.stderr.splitlines():
            self.assertIsInstance(json.loads(line), dict)
        return answer

    def write(self, name, text):
        super().write(name, text)
        return name

    def component(self, name):
        """One FMU of the demo, unpacked beside it."""
        with zipfile.ZipFile(self.scratch / "quarter_truck.ssp") as package:
            (self.scratch / name).write_bytes(package.read(f"resources/{name}"))
        return name


class Words(Case):
    def test_help(self):
        self.expect("help.txt", self.hocket("help").stdout)
        self.assertEqual(self.hocket("--help").stdout, self.hocket("help").stdout)

    def test_help_of_each_verb(self):
        for verb in few(VERBS):
            with self.subTest(verb=verb):
                text = self.hocket("help", verb).stdout
                self.expect(f"help-{verb}.txt", text)
                self.assertEqual(self.hocket(verb, "--help").stdout, text)

    def test_help_for_programs(self):
        verbs = self.json_of("help")["verbs"]
        self.assertEqual([verb["name"] for verb in verbs], VERBS)
        self.assertEqual(self.json_of("help", "run")["verbs"], [verbs[VERBS.index("run")]])

    def test_no_verb_is_wrong_usage(self):
        done = self.hocket(exit=2)
        self.assertEqual(done.stdout, "")
        self.assertIn("Usage:", done.stderr)

    def test_version(self):
        self.assertRegex(self.hocket("--version").stdout, r"^hocket \d+\.\d+\.\d+\n$")
        self.assertEqual(self.json_of("version")["schema"], "hocket.version/1")

    def test_unknown_words(self):
        cases = [(["rum"], "unknown-verb"), (["run", "--stop-tim", "2", "x.ssp"], "unknown-option"),
                 (["--stop-time"], "option-first"), (["quarter_truck.ssp"], "file-first"),
                 (["run"], "no-file"), (["run", "a.ssp", "b.ssp"], "two-files"),
                 (["run", "x.ssp", "--algorithm", "euler"], "wrong-choice"),
                 (["run", "x.ssp", "-o"], "no-value"), (["explain", "HK9999"], "unknown-code"),
                 (["completion", "tcsh"], "unknown-shell"), (["help", "fly"], "unknown-help")]
        for words, name in cases:
            with self.subTest(name=name):
                done = self.hocket(*words, exit=2)
                self.assertEqual(done.stdout, "")
                self.expect(f"{name}.txt", done.stderr)

    def test_usual_mistakes_have_a_hint(self):
        """Two letters that changed places, a name without its component, a wrong component of a pattern, a prefix."""
        self.write("t.csv", "time,Probe.real_out,Probe.x\n0,1,2\n1,2,3\n")
        run = ["run", "quarter_truck.ssp", "--stop-time", "0.1"]
        for words, hint in ((["plto", "t.csv"], "'hocket plot'"), (["plot", "t.csv", "real_out"], "'Probe.real_out'"),
                            ([*run, "--output-variable", "chasis.*"], "'chassis.*'"),
                            ([*run, "--set", "Mass.m=3"], "'chassis.Mass.m' or 'wheel.Mass.m'"),
                            (["check", "t.csv", "--stop", "5"], "'--stop-time'"),
                            (["run", "x.ssp", "--stop", "5"], "'--stop-time' or '--stop-when'")):
            with self.subTest(words=words):
                self.assertIn(f"hint: did you mean {hint}?\n", self.hocket(*words, exit=2).stderr)

    def test_explain(self):
        text = self.hocket("explain", "HK0403").stdout
        self.expect("explain.txt", text)
        for code in ("403", "HK403", "hk0403"):
            self.assertEqual(self.hocket("explain", code).stdout, text)
        codes = self.json_of("explain")["codes"]
        self.assertGreater(len(codes), 20)
        self.assertEqual(len(self.hocket("explain").stdout.splitlines()), len(codes))

    def test_a_wrong_command_line_is_wrong_usage(self):
        """Whatever is wrong with --set, and whichever verb is to write a file of an unknown kind."""
        run = ["run", "quarter_truck.ssp", "--stop-time", "0.1"]
        for code, value in (("HK0102", "wheel.nothing=1"), ("HK0306", "wheel.Mass.m=two"), ("HK0403", "wheel.Mass.m=1 s"),
                            ("HK0306", "wheel.Mass.m=1 furlong"), ("HK0404", "wheel.p1.f=1")):
            with self.subTest(value=value):
                self.assertIn(f"error[{code}]", self.hocket(*run, "--set", value, exit=2).stderr)
        self.write("t.csv", "time,a\n0,1\n1,2\n")
        for words in ([*run, "-o", "x.xls"], [*run, "--plot=x.xls"], ["plot", "t.csv", "-o", "x.xls"],
                      ["plot", "quarter_truck.ssp", "-o", "x.xls"], ["plan", "quarter_truck.ssp", "--gantt", "x.xls"],
                      ["convert", "quarter_truck.ssp", "x.xls"]):
            with self.subTest(words=words):
                self.assertIn("error[HK0101]", self.hocket(*words, exit=2).stderr)

    def test_explained_codes_are_those_of_the_messages(self):
        """A code that has two uses has words for both."""
        for code, words in (("HK0205", (".mat", ".h5")), ("HK0314", (".system", "geometry", "transformations", ".mat")),
                            ("HK0407", ("no order", "warning", "cut")), ("HK0901", ("Ctrl-C", "record"))):
            text = " ".join(self.hocket("explain", code).stdout.split())
            for word in words:
                self.assertIn(word, text)
        self.component("wheel.fmu")
        self.write("s.ssd", """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" name="s" version="1.0">
  <ssd:System name="s"><ssd:ElementGeometry x1="0" y1="0" x2="1" y2="1"/>
    <ssd:Elements><ssd:Component name="w" source="wheel.fmu"/></ssd:Elements></ssd:System>
</ssd:SystemStructureDescription>
""")
        self.assertIn("warning[HK0314]: a system file has no words for geometry",
                      self.hocket("convert", "s.ssd", "s.system").stderr)

    def test_completion(self):
        script = self.scratch / "hocket.bash"
        script.write_text(self.hocket("completion", "bash").stdout, encoding="utf-8")
        subprocess.run(["bash", "-n", script], check=True)
        for shell in ("zsh", "fish"):
            text = self.hocket("completion", shell).stdout
            self.assertIn("stop-time", text)
            if shutil.which(shell):
                subprocess.run([shell, "-n"], input=text, encoding="utf-8", check=True)

    def complete(self, *words):
        """What bash offers after these words."""
        line = " ".join(f"'{word}'" for word in words)
        script = (f"source <('{OPTIONS.hocket}' completion bash); compopt() {{ :; }}\n"
                  f"COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _hocket\n"
                  "printf '%s\\n' \"${COMPREPLY[@]}\"")
        done = subprocess.run(["bash", "-c", script], cwd=self.scratch, capture_output=True,
                              encoding="utf-8", check=True, env=environment_with({}))
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_completion_offers(self):
        self.assertEqual(self.complete("hocket", "comple"), ["completion"])
        self.assertEqual(self.complete("hocket", "new", "c"), ["component"])
        self.assertEqual(self.complete("hocket", "run", "--stop-t"), ["--stop-time"])
        self.assertEqual(self.complete("hocket", "run", "--algorithm", "g"), ["gauss-seidel"])
        self.assertEqual(self.complete("hocket", "run", "--algorithm", "=", "g"), ["gauss-seidel"])
        self.assertEqual(self.complete("hocket", "run", "quarter"), ["quarter_truck.ssp"])
        self.assertEqual(self.complete("hocket", "plot", "quarter"), ["quarter_truck.ssp"])
        self.assertEqual(self.complete("hocket", "compare", "quarter"), [])

    def test_fmt_of_standard_input(self):
        texts = {"types": "// c\nDeclaration p { dataTypes { Array A of core.double [3]; } }",
                 "system": "/* a\nb */ system s{composite c{leaf g:hk.Gain;}}",
                 "simulation": "\ufeffSimulation s (ms) system s; simulationTime [0, 2]:1; scenarios { Scenario a [1] }",
                 "master": "scenario s { instance a { out y; } }",
                 "ssd": '<?xml version="1.0"?><SystemStructureDescription xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription" '
                        'version="1.0" name="x"><System name="s"/></SystemStructureDescription>',
                 "ssv": '<ParameterSet xmlns="http://ssp-standard.org/SSP1/SystemStructureParameterValues" version="1.0" name="p">'
                        '<Parameters/></ParameterSet>'}
        for language, text in texts.items():
            with self.subTest(language):
                self.write(f"x.{language}", text)
                expected = self.hocket("fmt", f"x.{language}").stdout
                self.assertNotEqual(expected, text)
                self.assertEqual(self.hocket("fmt", "-", input=text).stdout, expected)
                self.assertEqual(self.hocket("fmt", "-", "--language", language, input=text).stdout, expected)
                said = self.hocket("fmt", "--check", "-", input=text, exit=1).stderr
                self.assertIn("hint: 'hocket fmt -' without --check prints it", said)
                self.hocket("fmt", "--check", "-", input=expected)
        wrong = self.hocket("fmt", "-", input="system s {\n  composite c { leef g; }\n}\n", exit=3).stderr
        self.assertIn("standard input.system:2:17: error", wrong)
        self.assertIn("does not begin like", self.hocket("fmt", "-", input="hello", exit=3).stderr)
        self.assertIn("does not begin like", self.hocket("fmt", "-", exit=3).stderr)
        self.assertIn("cannot be rewritten", self.hocket("fmt", "-w", "-", input="system", exit=2).stderr)
        self.assertIn("--language is of standard input", self.hocket("fmt", "--language", "ssd", "x.ssd", exit=2).stderr)
        lost = self.hocket("fmt", "-", input="// a\nscenario s { instance a { out y; } }", exit=1)
        self.assertIn("the comments of a .master would be lost", lost.stderr)

    def test_errors_of_systems_are_limited(self):
        ssd = ('<SystemStructureDescription version="1.0" name="x" xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription">'
               '<System name="s"><Elements>%s</Elements></System></SystemStructureDescription>')
        osp = ('<OspSystemStructure xmlns="http://opensimulationplatform.com/MSMI/OSPSystemStructure" version="0.1">'
               '<BaseStepSize>0.1</BaseStepSize><Simulators>%s</Simulators></OspSystemStructure>')
        self.write("x.ssd", ssd % "".join(f'\n<Component name="c{i}" source="no{i}.fmu"/>' for i in range(70)))
        self.write("OspSystemStructure.xml", osp % "".join(f'\n<Simulator name="c{i}" source="no{i}.fmu"/>' for i in range(70)))
        for name in ("x.ssd", "OspSystemStructure.xml"):
            said = self.hocket("info", name, exit=3).stderr
            self.assertEqual(said.count("error["), 50, said)
            self.assertEqual(said.count("there are more mistakes than these 50"), 1)

    def test_an_unknown_scenario_lists_those_that_are_there(self):
        self.write("s.system", "system s { composite c { leaf r : hk.Ramp { frequency 10 Hz; } } }")
        self.write("s.simulation", "Simulation s (ms) system s; simulationTime [0, 200]:100; scenarios { Scenario calm Scenario storm }")
        said = self.hocket("run", "s.simulation", "--scenario", "nothing", exit=2).stderr
        self.assertIn("there is no scenario 'nothing'\n  hint: the simulation has 'calm', 'storm'\n", said)

    def test_hints_of_verbs(self):
        self.assertIn("did you mean 'hocket help plot'?", self.hocket("help", "plott", exit=2).stderr)
        self.assertIn("did you mean 'hocket plot'?", self.hocket("plott", exit=2).stderr)
        self.assertIn("'hocket help' lists the verbs", self.hocket("help", "zzzzz", exit=2).stderr)
        self.assertRegex(self.hocket("info", exit=2).stderr, r"usage: hocket info FILE \[OPTION...\]; files are named \.fmu, \.ssp, .* or \.")

    def test_doctor(self):
        self.assertIn("loading FMUs", self.hocket("doctor").stdout)
        self.assertTrue(self.json_of("doctor")["ok"])

    def test_doctor_names_what_verbs_need(self):
        there = {check["name"]: check["text"] for check in self.json_of("doctor")["checks"]}
        lines = self.hocket("doctor").stdout.splitlines()
        self.assertEqual(len(lines), len(set(lines)))  # each once, also where another process is asked
        self.assertLessEqual({"rsvg-convert", "Graphviz", "libhdf5", "spin"}, set(there))
        said = self.hocket("doctor", PATH="/nowhere").stdout
        self.assertRegex(said, r"(?m)^- +rsvg-convert +PNG and PDF need .* librsvg2-bin")
        self.assertRegex(said, r"(?m)^- +spin +.* install the package spin ")

    def test_colour(self):
        plain = self.hocket("rum", exit=2).stderr
        self.assertNotIn("\033", plain)
        self.assertIn("\033", self.hocket("rum", exit=2, CLICOLOR_FORCE="1").stderr)
        self.assertNotIn("\033", self.hocket("rum", exit=2, CLICOLOR_FORCE="1", NO_COLOR="1").stderr)
        coloured = self.hocket("explain", "x", "--color=always", exit=2).stderr
        self.assertIn("\033", coloured)
        forced = self.hocket("explain", "x", "--color", "never", exit=2, CLICOLOR_FORCE="1").stderr
        self.assertNotIn("\033", forced)

    def test_standard_output_full(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([OPTIONS.hocket, "help"], stdout=full, stderr=subprocess.PIPE,
                                  encoding="utf-8", check=False, env=environment_with({}))
        self.assertEqual(done.returncode, 3)
        self.assertIn("HK0202", done.stderr)


class BadFiles(Case):
    def test_missing(self):
        for words in (["info", "no.fmu"], ["run", "no.ssp"], ["plot", "no.csv"]):
            done = self.hocket(*words, exit=3)
            self.assertEqual(done.stdout, "")
            self.assertIn("error[HK0201]", done.stderr)
        self.assertIn("error[HK0201]", self.hocket("check", "no.ssp", exit=3).stdout)

    def test_kind(self):
        self.write("notes.txt", "x")
        self.write("bare", "x")
        self.assertIn("HK0205", self.hocket("run", "notes.txt", exit=3).stderr)
        self.assertIn("HK0205", self.hocket("info", "bare", exit=3).stderr)
        self.assertIn("HK0201", self.hocket("info", ".", exit=3).stderr)

    def test_similar_name(self):
        done = self.hocket("run", "quarter_truk.ssp", exit=3)
        self.assertIn("did you mean 'quarter_truck.ssp'?", done.stderr)

    def test_damaged(self):
        whole = (self.scratch / "quarter_truck.ssp").read_bytes()
        for size in (0, 10, len(whole) // 2, len(whole) - 30):
            (self.scratch / "cut.ssp").write_bytes(whole[:size])
            done = self.hocket("run", "cut.ssp", "-o", "x.csv", exit=3)
            self.assertIn("error[HK02", done.stderr)
            self.assertFalse((self.scratch / "x.csv").exists())

    def test_located_message_with_source_line(self):
        self.write("bad.ssd", "<?xml version='1.0'?>\n<a>\n  <b>\n</a>\n")
        done = self.hocket("run", "bad.ssd", exit=3)
        self.assertRegex(done.stderr, r"^bad\.ssd:4:\d+: error\[HK0301\]: ")
        self.assertIn("    4 | </a>\n      | ", done.stderr)
        diagnostics = self.json_of("check", "bad.ssd", exit=3)["findings"]
        self.assertEqual((diagnostics[0]["code"], diagnostics[0]["line"]), ("HK0301", 4))

    def test_json_failure(self):
        answer = self.json_of("run", "no.ssp", exit=3)
        self.assertEqual((answer["status"], answer["exit"]), ("HK0201", 3))

    def test_table(self):
        self.write("bad.csv", "time,a\n0,1\n1\n")
        self.assertRegex(self.hocket("info", "bad.csv", exit=3).stderr, r"^bad\.csv:3.*HK0305")


class Looking(Case):
    def test_info_system(self):
        text = self.hocket("info", "quarter_truck.ssp").stdout
        for word in ("3 components", "chassis", "wheel", "ground", "connections", " -> "):
            self.assertIn(word, text)
        answer = self.json_of("info", "quarter_truck.ssp")
        self.assertEqual(len(answer["components"]), 3)

    def test_info_fmu(self):
        name = self.component("wheel.fmu")
        text = self.hocket("info", name).stdout
        self.assertIn("FMI version", text)
        answer = self.json_of("info", name, "--causality", "output")
        self.assertTrue(answer["variables"])
        self.assertEqual({v["causality"] for v in answer["variables"]}, {"output"})
        self.assertEqual(self.json_of("info", name, "--variable", "no*")["variables"], [])

    def test_info_table(self):
        self.write("t.csv", "time,a\n0,1\n1,-2.5\n")
        self.assertIn("2 columns, 2 rows", self.hocket("info", "t.csv").stdout)
        column = self.json_of("info", "t.csv")["columns"][1]
        self.assertEqual((column["min"], column["max"]), (-2.5, 1))

    def test_info_table_is_aligned(self):
        name = "a_very_long_name_of_a_component." + 20 * "x"
        self.write("t.csv", f"time,{name},b\n0,1,2\n1,x,3\n")
        text = self.hocket("info", "t.csv").stdout
        self.assertIn("3 columns, 2 rows, from 0 to 1 s\n\n", text)
        head, *lines = text.splitlines()[2:]
        for line in lines:
            self.assertNotEqual(line[head.index("smallest")], " ", text)
            self.assertEqual(line[head.index("smallest") - 1], " ", text)
        self.assertTrue(lines[1].endswith("  1 text"), text)

    def test_record_of_a_run_that_was_cut_off(self):
        """What is beside the record says it; the rows that are there are right, so the exit status stays."""
        self.write("t.csv", "time,mode\n0,1\n1,2\n")
        for ended, warned in (("not yet: the run is under way, or was cut off", True), ("interrupted after 1 s", True),
                              ("failed: HK0504", True), ("at its stop time", False)):
            with self.subTest(ended=ended):
                self.write("t.csv-metadata.json", json.dumps({"notes": [{"ended": ended}], "tableSchema": {"columns": [
                    {"titles": "time"}, {"titles": "mode", "datatype": "int", "schema:valueReference": [
                        {"schema:name": "off", "schema:value": 1}, {"schema:name": "on", "schema:value": 2}]}]}},
                    separators=(",", ":")))
                text = self.hocket("info", "t.csv").stdout
                self.assertIn(f"\nthe run ended: {ended}\n", text)
                self.assertIn("  1 = off, 2 = on\n", text)
                self.assertEqual(self.json_of("info", "t.csv")["ended"], ended)
                self.assertEqual(f"warning[HK0901]: the run of this record did not come to its end: {ended}"
                                 in self.hocket("check", "t.csv").stdout, warned)

    def test_killed_run(self):
        run = subprocess.Popen([OPTIONS.hocket, "run", "quarter_truck.ssp", "--stop-time", "1e6", "-q", "-o", "k.csv",
                                "--no-parent"], cwd=self.scratch, stdin=subprocess.DEVNULL)
        wait_until(lambda: (self.scratch / "k.csv").exists() and (self.scratch / "k.csv").stat().st_size > 1000,
                   "rows", run)
        run.kill()
        run.wait(TIMEOUT_S)
        self.assertIn("the run ended: not yet", self.hocket("info", "k.csv").stdout)

    def test_one_is_not_many(self):
        self.write("one.csv", "time,a,b\n0\n1,2,3\n")
        self.assertIn("the row has 1 cell, the header 3\n", self.hocket("info", "one.csv", exit=3).stderr)
        self.write("a.csv", "time,a\n0,1\n")
        self.write("b.csv", "time,a\n0,2\n")
        self.write("c.csv", "time,a,b,c\n0,1,1,1\n")
        self.assertIn("in 1 of 1 signal, first at", self.hocket("compare", "a.csv", "b.csv", exit=1).stderr)
        self.assertIn("signals of a.csv: 2 are only here\n", self.hocket("compare", "a.csv", "c.csv", exit=1).stderr)
        self.assertIn("signals of c.csv: 2 are only there\n", self.hocket("compare", "c.csv", "a.csv", exit=1).stderr)
        self.assertIn("and 1 is named\n", self.hocket("plot", "a.csv", "--xy", "a", exit=2).stderr)

    def test_messages_are_for_people(self):
        """No words of libraries, nothing about runs where nothing is run, and what it is that differs."""
        self.hocket("run", "quarter_truck.ssp", "--stop-time", "0.1", "-qo", "r.h5")
        whole = (self.scratch / "r.h5").read_bytes()
        (self.scratch / "cut.h5").write_bytes(whole[:3000])
        text = self.hocket("check", "cut.h5", exit=3).stdout
        self.assertRegex(text, r"the file is cut off: it has 3000 of \d+ bytes\n")
        self.assertNotIn("sblock", text)
        self.write("s.system", "system s { composite r { leaf a : hk.Constant { frequency 1 Hz; } } }")
        self.assertEqual(self.hocket("plot", "s.system", "-o", "s.svg").stderr, "graph: s.svg (1 component, 0 connections)\n")
        self.write("a.csv", "time,x,y\n0,1,1\n1,2,2\n")
        self.write("b.csv", "time,x,y\n0,1,1\n1,2,2\n2,3,3\n")
        self.write("c.csv", "time,x\n0,1\n1,2\n")
        self.assertIn("quarter_truck.ssp: error[HK0205]: this is not a record",
                      self.hocket("compare", "a.csv", "quarter_truck.ssp", exit=3).stderr)
        done = self.hocket("compare", "a.csv", "b.csv", exit=1)
        self.assertIn("different: not the values of the 2 common signals in 2 common rows, but the times of the rows\n",
                      done.stdout)
        done = self.hocket("compare", "a.csv", "c.csv", exit=1)
        self.assertIn("different: not the values of the 1 common signal in 2 common rows, but which signals there are\n",
                      done.stdout)

    def test_info_builtin(self):
        self.assertIn("hk.Gain ", self.hocket("info", "hk").stdout)
        self.assertIn("gain u + offset", self.hocket("info", "hk.Gain").stdout)
        names = [t["name"] for t in self.json_of("info", "hk")["types"]]
        for name in few(names):
            self.assertEqual(self.json_of("info", name)["name"], name)
        self.assertIn("did you mean 'hk.Gain'?", self.hocket("info", "hk.Gian", exit=2).stderr)

    def test_builtins_in_a_system(self):
        """Files are found from the system's folder; u.x, u.y and u.z are one port; units fit."""
        (self.scratch / "sub").mkdir()
        self.write("sub/log.csv", "time,a,b\n0,0,1\n2,4,1\n")
        self.write("sub/s.system", """system s {
  composite root {
    leaf log : hk.Replay { frequency 1 Hz; param file = "log.csv"; param column = "a"; }
    leaf all : "log.csv" { frequency 1 Hz; }
    leaf turn : hk.Rotation { frequency 1 Hz; param yaw = 90 "deg"; }
    leaf back : hk.Rotation { frequency 1 Hz; param yaw = 90 "deg"; param inverse = true; }
    leaf curve : hk.Table { frequency 1 Hz; param xs = "0 10"; param ys = "100 0"; }
    leaf limit : hk.Constant { frequency 1 Hz; param value = 3; }
    leaf delay : hk.Delay { frequency 1 Hz; param start = -1; }
    link log.y -> turn.u.x, curve.u;
    link turn.y -> back.u;
    link all.b -> turn.u.z;
    link limit.y -> delay.u;
  }
}
""")
        words = ["--stop-time", "4", "--output-interval", "1"]
        for name in ("log.y", "back.y.x", "back.y.z", "curve.y", "delay.y"):
            words += ["--output-variable", name]
        rows = self.hocket("run", "sub/s.system", *words, "-o", "-").stdout.splitlines()
        numbers = [[round(float(cell), 12) for cell in row.split(",")] for row in rows[1:]]
        self.assertEqual(numbers, [[0, 0, 0, 1, 100, -1], [1, 2, 2, 1, 80, 3], [2, 4, 4, 1, 60, 3],
                                   [3, 4, 4, 1, 60, 3], [4, 4, 4, 1, 60, 3]])
        self.write("sub/s.system", 'system s { composite r { leaf log : hk.Replay '
                                   '{ frequency 1 Hz; param file = "lag.csv"; } } }')
        self.assertIn("sub/lag.csv", self.hocket("run", "sub/s.system", exit=3).stderr)

    def test_check(self):
        done = self.hocket("check", "quarter_truck.ssp")
        self.assertIn("ok: 3 components, ", done.stdout)
        self.assertEqual(done.stderr, "")
        self.assertTrue(self.json_of("check", "quarter_truck.ssp")["files"][0]["ok"])

    def test_check_finds_a_wrong_stop_time(self):
        done = self.hocket("check", self.component("wheel.fmu"), "--stop-time", "-1", exit=2)
        self.assertIn("HK0101", done.stdout)
        self.assertIn("runs here: no, because stop time -1 s is not after start time 0 s\n", done.stdout)

    def test_schedule(self):
        good = self.write("good.schedule", "processor p: ground wheel chassis\ncut hla\n")
        self.assertIn("ok: 3 components",
                      self.hocket("check", "quarter_truck.ssp", "--schedule", good).stdout)
        bad = self.write("bad.schedule", "cut hla\nprocessor p: ground whel\nfreshness ground\n")
        done = self.hocket("check", "quarter_truck.ssp", "--schedule", bad, exit=1)
        self.assertIn("bad.schedule:2:21: error[HK0413]: there is no component 'whel'", done.stdout)
        self.assertIn("did you mean 'wheel'?", done.stdout)
        self.assertIn("bad.schedule:3:17: error[HK0413]: expected 'max'", done.stdout)
        self.assertIn("2 errors", done.stdout)
        self.hocket("run", "quarter_truck.ssp", "--schedule", bad, exit=1)
        self.hocket("run", "quarter_truck.ssp", "--schedule", "none.schedule", exit=3)

    def test_fmt(self):
        canonical = "Declaration a {\n  dataTypes {} // none\n}\n"
        self.write("a.types", "Declaration a{dataTypes{} // none\n}")
        self.assertEqual(self.hocket("fmt", "a.types").stdout, canonical)
        self.assertIn("a.types:1", self.hocket("fmt", "--check", "a.types", exit=1).stderr)
        self.assertFalse(self.json_of("fmt", "a.types")["files"][0]["canonical"])
        self.hocket("fmt", "--write", "a.types")
        self.assertEqual((self.scratch / "a.types").read_text(encoding="utf-8"), canonical)
        self.hocket("fmt", "--check", "a.types")
        self.write("b.system", "system b { composit c {} }\n")
        self.assertIn("'composite'", self.hocket("fmt", "-w", "b.system", "a.types", exit=3).stderr)
        self.assertIn("composit c", (self.scratch / "b.system").read_text(encoding="utf-8"))
        self.assertIn("HK0205", self.hocket("fmt", "quarter_truck.ssp", exit=3).stderr)
        self.hocket("fmt", "--check", "--write", "a.types", exit=2)
        zero = "Declaration a {\n  dataTypes {} // no\0ne\n}\n"
        self.write("z.types", zero)
        self.assertIn("z.types:2:21: error[HK0311]: the byte 0x00", self.hocket("fmt", "-w", "z.types", exit=3).stderr)
        self.assertEqual((self.scratch / "z.types").read_text(encoding="utf-8"), zero)

    def test_plot(self):
        self.write("t.csv", "time,a,b\n" + "".join(f"{i},{i * i},{-i}\n" for i in range(50)))
        self.assertGreater(len(self.hocket("plot", "t.csv", "--width", "60").stdout), 200)
        self.hocket("plot", "t.csv", "a", "-o", "t.svg", "--title", "A & B")
        self.assertIn("A &amp; B", (self.scratch / "t.svg").read_text(encoding="utf-8"))
        self.assertIn("HK0102", self.hocket("plot", "t.csv", "c", exit=2).stderr)
        self.assertIn("HK0101", self.hocket("plot", "t.csv", "-o", "t.gif", exit=2).stderr)
        self.assertEqual(self.json_of("plot", "t.csv", "-o", "t.svg")["signals"], ["a", "b"])
        self.hocket("plot", "t.csv", "--width", "3", exit=2)

    def test_plot_of_a_folder_says_who_is_left_out(self):
        (self.scratch / "runs").mkdir()
        self.write("runs/a.csv", "time,x,y\n0,1,2\n1,2,3\n")
        self.write("runs/b.csv", "time,x\n0,1\n1,2\n")
        self.write("runs/c.csv", "time,y\n0,1\n1,2\n")
        note = "note: left out, because they do not have all signals "
        self.assertIn(f"{note}of a.csv: 2 of 3 records: b.csv (no 'y'), c.csv (no 'x')\n",
                      self.hocket("plot", "runs", "-o", "p.svg").stderr)
        self.assertIn(f"{note}that are named: 1 of 3 records: c.csv (no 'x')\n",
                      self.hocket("plot", "runs", "x", "-o", "p.svg").stderr)

    def test_plot_over(self):
        """A circle: the signals over each other, in the order of the command line, true to scale."""
        rows = [f"{k},{2 * math.cos(k / 50)},{math.sin(k / 50)}" for k in range(315)]
        self.write("t.csv", "\n".join(["time,x,y", *rows]) + "\n")
        self.hocket("plot", "t.csv", "y", "--over", "x", "--equal", "-o", "t.svg")
        svg = (self.scratch / "t.svg").read_text(encoding="utf-8")
        self.assertIn(">x</text>", svg)
        points = re.search(r'class="s c0 d0" d="(M[^"]*)"', svg).group(1)
        at, xs, ys = [0.0, 0.0], [], []
        for letter, words in re.findall(r"([MLHV])([-0-9. ]*)", points):
            values = list(map(float, words.split()))
            at[0] = at[0] if letter == "V" else values[0]
            at[1] = at[1] if letter == "H" else values[-1]
            xs.append(at[0])
            ys.append(at[1])
        self.assertAlmostEqual((max(xs) - min(xs)) / (max(ys) - min(ys)), 2, delta=0.01)
        self.assertEqual(self.json_of("plot", "t.csv", "--over", "x", "-o", "t.svg")["signals"], ["y"])
        self.assertEqual(self.json_of("plot", "t.csv", "y", "x", "--over", "x", "--over", "y", "-o", "t.svg")["signals"],
                         ["y", "x"])
        text = self.hocket("plot", "t.csv", "y", "--over", "x", "--equal", "--width", "60").stdout
        self.assertIn(" x\n", text)
        for words in (["--over", "z"], ["--equal"], ["--over", "*"], ["y", "--over", "x", "--over", "y"]):
            self.assertRegex(self.hocket("plot", "t.csv", *words, exit=2).stderr, "HK010[12]")
        self.write("twins.csv", "time,x,x,y\n0,1,9,3\n1,2,9,4\n")  # the first 'x' is the one, as the note says
        self.hocket("plot", "twins.csv", "--over", "x", "y", "-o", "twins.svg")
        self.write("one.csv", "time,x,y\n0,1,3\n1,2,4\n")
        self.hocket("plot", "one.csv", "--over", "x", "y", "-o", "one.svg")
        curve = lambda name: re.search(r'class="s c0 d0" d="(M[^"]*)"', (self.scratch / name).read_text(encoding="utf-8"))[1]
        self.assertEqual(curve("twins.svg"), curve("one.svg"))


class Planning(Case):
    SYSTEM = "quarter_truck.ssp"
    SCHEDULE = """processor LP1: chassis ground
processor LP2: wheel
cut hla
component wheel period 2ms
component ground period 4ms offset 1ms
link chassis.p.e -> wheel.p1.e lag current
link wheel.p1.f -> chassis.p.f lag current
link wheel.p.e -> ground.p.e lag previous delay 3ms
freshness ground max 10ms
"""
    BROKEN = "latency ground -> wheel -> chassis max 3ms\n"

    def setUp(self):
        super().setUp()
        self.write("a.schedule", self.SCHEDULE)
        self.write("broken.schedule", self.SCHEDULE + self.BROKEN)

    def plan(self, *words, **more):
        return self.hocket("plan", self.SYSTEM, "--schedule", "a.schedule", *words, **more)

    def test_program(self):
        """What is called, as text: that of the truck fits one screen."""
        text = self.hocket("plan", self.SYSTEM, "--program").stdout
        lines = text.splitlines()
        self.assertLessEqual(len(lines), 24)
        self.assertLessEqual(max(len(line) for line in lines), 80)
        self.expect("plan-program.txt",
                    text + self.plan("--program", "--output-variable", "*.z").stdout)
        answer = self.json_of("plan", self.SYSTEM, "--schedule", "a.schedule", "--program")
        program = answer["program"]
        stepped = [name for cell in program["cells"] for name in cell["step"]]
        self.assertEqual(sorted(stepped), ["chassis", "ground", "wheel"])
        copied = [copy["connection"] for cell in program["cells"] for copy in cell["copies"]]
        self.assertEqual(sorted(copied), list(range(len(answer["connections"]))))
        self.assertEqual([cell["rate"] for cell in program["cells"]],
                         sorted(cell["rate"] for cell in program["cells"]))
        self.assertEqual(program["keep"], {"wheel": 2, "ground": 1})
        self.assertNotIn("program", self.json_of("plan", self.SYSTEM))
        self.assertIn("--program", self.plan("--output-variable", "*", exit=2).stderr)

    def test_trace_names_calls_of_the_program(self):
        """Each call of a run is one of the cell that its line names."""
        program = self.json_of("plan", self.SYSTEM, "--schedule", "a.schedule", "--program",
                               "--output-variable", "*.z")["program"]
        self.hocket("run", self.SYSTEM, "--schedule", "a.schedule", "--stop-time", "0.02",
                    "--output-variable", "*.z", "-o", "a.csv", "--trace", "a.jsonl")
        seen = set()
        for text in (self.scratch / "a.jsonl").read_text().splitlines():
            line = json.loads(text)
            if "cell" not in line:
                self.assertLess(line["phase"], 3)
                continue
            cell = program["cells"][line["cell"]]
            self.assertIn(line["instance"], cell["step"])
            for port in line.get("ports", []):
                name = f"{line['instance']}.{port}"
                self.assertIn(name, cell[line["op"]] + program["row"])
                seen.add((line["op"], name))
            seen.add((line["op"], line["instance"]))
        for cell in program["cells"]:
            for kind in ("set", "step", "get"):
                for name in cell[kind]:
                    self.assertIn((kind, name), seen)

    def test_master(self):
        """A master that was made for a system runs as it is; a wrong one is refused at its call."""
        for words in ([], ["--algorithm", "gauss-seidel"]):
            self.hocket("prove", self.SYSTEM, "--synthesise", "--spin=never", *words, "-o",
                        "made.master")
            self.hocket("run", self.SYSTEM, "--stop-time", "0.1", *words, "-o", "without.csv")
            done = self.hocket("run", self.SYSTEM, "--stop-time", "0.1", "--master", "made.master",
                               "-o", "with.csv")
            self.assertNotIn("error", done.stderr)
            about = json.loads((self.scratch / "with.csv-metadata.json").read_text())
            again = next(note["reproduce"] for note in about["notes"] if "reproduce" in note)
            self.assertIn("--master=made.master", again)
            self.assertNotIn("--algorithm", again)
            self.hocket(*again.split()[1:], "-o", "again.csv")
            self.assertEqual((self.scratch / "again.csv").read_bytes(),
                             (self.scratch / "with.csv").read_bytes())
            self.hocket("run", self.SYSTEM, "--stop-time", "0.1", "--master", "made.master",
                        "--threads", "2", "-o", "threads.csv")
            self.assertEqual((self.scratch / "threads.csv").read_bytes(),
                             (self.scratch / "with.csv").read_bytes())
            self.assertEqual((self.scratch / "with.csv").read_bytes(),
                             (self.scratch / "without.csv").read_bytes())
        lines = (self.scratch / "made.master").read_text().splitlines()
        step = next(i for i, line in enumerate(lines) if line.strip() == "step {")
        moved = lines.pop(lines.index("    set wheel.p1.e;", step))
        lines.insert(step + 1, moved)
        self.write("wrong.master", "\n".join(lines))
        self.hocket("prove", self.SYSTEM, "--master", "made.master", "--spin=never")
        text = self.hocket("plan", self.SYSTEM, "--program", "--master", "made.master").stdout
        self.assertLess(text.index("step chassis;"), text.index("step wheel;"))
        done = self.hocket("run", self.SYSTEM, "--master", "wrong.master", exit=1)
        self.assertIn(f"wrong.master:{step + 2}: error[HK0427]: set wheel.p1.e: at 0 s", done.stderr)
        self.write("loop.master", "\n".join(
            lines[:step + 1] + ["until converged (wheel.p.e) { get wheel.p.e; }"] + lines[step + 2:]))
        done = self.hocket("run", self.SYSTEM, "--master", "loop.master", exit=1)
        self.assertIn(f"loop.master:{step + 2}: error[HK0427]: a loop in 'step' cannot be run yet",
                      done.stderr)
        self.write("delay.schedule", "link wheel.p.e -> ground.p.e delay 1ms\n")
        done = self.hocket("run", self.SYSTEM, "--master", "made.master", "--schedule",
                           "delay.schedule", exit=1)
        self.assertIn("wheel.p.e -> ground.p.e: a master cannot say that a connection has a delay",
                      done.stderr)
        done = self.hocket("run", self.SYSTEM, "--master", "made.master", "--algorithm", "jacobi",
                           exit=2)
        self.assertIn("--master gives all one", done.stderr)

    def test_text(self):
        self.expect("plan.txt", self.plan("--connections").stdout)
        self.expect("plan-ascii.txt", self.plan(LANG="C").stdout)
        self.expect("plan-cycles.txt",
                    self.hocket("plan", self.SYSTEM, "--algorithm", "gauss-seidel").stdout)

    def test_json(self):
        answer = self.json_of("plan", self.SYSTEM, "--schedule", "a.schedule")
        self.assertEqual((answer["status"], answer["ticks_per_second"], answer["hyperperiod_s"]),
                         ("ok", 1000, 0.004))
        self.assertEqual([p["name"] for p in answer["processors"]], ["LP1", "LP2"])
        link = {c["from"]: c for c in answer["connections"]}
        cut = link["chassis.p.e"]
        self.assertEqual((cut["word"], cut["lag_s"], cut["lag_before_cut_s"], cut["crossing"]),
                         ("current", 0.001, 0, True))
        late = link["wheel.p.e"]
        self.assertEqual((late["lag_s"], late["age_min_s"], late["age_max_s"],
                          late["initial_until_s"]), (0.005, 0.005, 0.005, 0.001))
        self.assertEqual([c["holds"] for c in answer["constraints"]], [True])
        answer = self.json_of("plan", self.SYSTEM, "--algorithm", "gauss-seidel")
        reasons = [c["cycle_cut"] for c in answer["connections"] if c["cycle_cut"]]
        self.assertEqual(len(reasons), 2)
        self.assertIn("'chassis' runs first because of its place in the model", reasons[0])

    def test_broken_constraints(self):
        done = self.hocket("plan", self.SYSTEM, "--schedule", "broken.schedule", exit=1)
        self.assertIn("BROKEN  latency ground -> wheel -> chassis max 3 ms", done.stdout)
        self.assertIn("age 7 .. 10 ms", done.stdout)
        self.assertRegex(done.stderr, r"broken\.schedule:10:\d+: error\[HK0414\]")
        answer = self.json_of("plan", self.SYSTEM, "--schedule", "broken.schedule", exit=1)
        self.assertEqual([c["holds"] for c in answer["constraints"]], [True, False])
        self.assertEqual(answer["status"], "HK0414")
        found = self.hocket("check", self.SYSTEM, "--schedule", "broken.schedule", exit=1).stdout
        self.assertIn("HK0414", found)
        self.hocket("check", self.SYSTEM, "--schedule", "a.schedule")

    def test_execution_times(self):
        text = ("processor P: wheel chassis\nprocessor Q: ground\n"
                "component wheel cost 1.5ms overrun late\ncomponent chassis cost 0.1ms")
        times = ["--step-size", "1ms", "--stop-time", "0.1"]
        self.write("skip.schedule", text + " overrun skip\n")
        self.write("stop.schedule", text + "\n")
        words = [self.SYSTEM, "--schedule", "skip.schedule", *times]
        shown = self.hocket("plan", *words).stdout
        self.assertIn("load of P: 160 %", shown)
        self.assertRegex(shown, r"wheel: cost 1.5 ms, deadline 1 ms, overrun late: \d+ late")
        answer = self.json_of("plan", *words)
        wheel = {e["name"]: e for e in answer["execution_times"]}["wheel"]
        self.assertEqual((wheel["cost_s"], wheel["deadline_s"], wheel["policy"], wheel["first_s"]),
                         (0.0015, 0.001, "late", 0))
        self.assertEqual((wheel["processor"], wheel["processor_load"]), ("P", 1.6))
        ages = {c["from"]: c["age_max_s"] for c in answer["connections"]}
        self.assertGreater(ages["wheel.p.e"], 0.002)
        self.assertEqual(ages["ground.p.f"], 0.001)
        self.hocket("run", *words, "-o", "r.csv")  # FMUs: no gap between steps
        self.assertEqual((self.scratch / "r.csv").read_text(encoding="utf-8").count("\n"), 102)
        words[2] = "stop.schedule"
        for verb in ("plan", "check", "run"):
            done = self.hocket(verb, *words, exit=1)
            self.assertIn("error[HK0416]", done.stdout + done.stderr)
            self.assertIn("'chassis' at t = 0 s", done.stdout + done.stderr)

    def test_gantt(self):
        self.plan("--gantt", "a.svg")
        text = (self.scratch / "a.svg").read_text(encoding="utf-8")
        bars = xml.etree.ElementTree.fromstring(text).findall(".//{*}g/{*}rect/{*}title")
        self.assertEqual(sorted(bar.text for bar in bars),
                         [f"chassis at {t}, phase 1" for t in ("0", "1 ms", "2 ms", "3 ms")] +
                         ["ground at 1 ms, phase 1", "wheel at 0, phase 1", "wheel at 2 ms, phase 1"])
        self.assertIn("HK0101", self.plan("--gantt", "a.gif", exit=2).stderr)

    def test_allocate(self):
        costs = ("--cost", "wheel=300us", "--cost", "chassis=100us", "--cost", "ground=1us")
        done = self.hocket("plan", self.SYSTEM, "--allocate", "2", *costs, "-o", "two.schedule")
        self.assertIn("proved", done.stdout)
        self.assertIn("largest load 30 %", done.stdout)
        text = (self.scratch / "two.schedule").read_text(encoding="utf-8")
        self.assertRegex(text, r"(?m)^processor LP\d: wheel$")
        self.hocket("check", self.SYSTEM, "--schedule", "two.schedule")
        self.plan("--allocate", "2", "-o", "both.schedule")
        text = (self.scratch / "both.schedule").read_text(encoding="utf-8")
        self.assertEqual([line for line in self.SCHEDULE.splitlines() if line in text.splitlines()],
                         self.SCHEDULE.splitlines()[2:])
        self.hocket("check", self.SYSTEM, "--schedule", "both.schedule")
        answer = self.json_of("plan", self.SYSTEM, "--allocate", "2", "--measure")
        self.assertEqual(len(answer["allocation"]["processors"]), 2)
        self.assertTrue(all(c["cost_s"] > 0 for c in answer["components"]))
        self.assertEqual(self.hocket("plan", self.SYSTEM, "--allocate", "2").stdout,
                         self.hocket("plan", self.SYSTEM, "--allocate", "2").stdout)

    def test_wrong_words(self):
        for words in (["--allocate", "0"], ["--allocate", "many"], ["--cut", "hla"],
                      ["-o", "x.schedule"], ["--cost", "wheel"], ["--cost", "whel=1ms"],
                      ["--cost", "wheel=fast"]):
            self.assertIn("HK0101", self.hocket("plan", self.SYSTEM, *words, exit=2).stderr)
        for words, status in ((["x.y", "--at", "0"], 2), (["chassis.z"], 2),
                              (["chassis.z", "--at", "soon"], 2), (["chassis.z", "--at", "-1"], 1),
                              (["chassis.z", "--at", "1", "--depth", "99"], 2)):
            self.hocket("trace", self.SYSTEM, *words, exit=status)

    def test_trace(self):
        words = ("trace", self.SYSTEM, "chassis.z", "--schedule", "a.schedule")
        self.expect("trace.txt", self.hocket(*words, "--at", "10ms").stdout)
        self.assertEqual(self.hocket(*words, "--at", "0.0109").stdout,
                         self.hocket(*words, "--at", "10ms").stdout)
        start = self.json_of(*words, "--at", "0")["value"]
        self.assertTrue(start["initial"])
        # A row at the end of a step shows that step; an input is shown as it was set last.
        value = self.json_of(*words, "--at", "10ms")["value"]
        self.assertEqual(value["activation_s"], 0.009)
        driven = value["from"][0]
        self.assertEqual((driven["signal"], driven["connection"]["age_s"],
                          driven["from"][0]["activation_s"]), ("chassis.p.f", 0.003, 0.006))
        value = self.json_of("trace", self.SYSTEM, "wheel.p.f", "--at", "10ms")["value"]
        self.assertEqual((value["activation_s"], value["from"][0]["activation_s"]), (0.01, 0.009))
        last = self.json_of(*words, "--at", "10")["value"]
        self.assertEqual(last["activation_s"], 9.999)
        self.assertEqual(self.json_of(*words, "--at", "10ms", "--depth", "0")["value"].get("from"),
                         None)


class Running(Case):
    SYSTEM = "quarter_truck.ssp"

    def rows(self, name):
        return (self.scratch / name).read_text(encoding="utf-8").splitlines()

    def test_nothing_written_without_o(self):
        before = set(os.listdir(self.scratch))
        done = self.hocket("run", self.SYSTEM, "--stop-time", "0.1")
        self.assertEqual(done.stdout, "")
        self.assertIn("nothing", done.stderr)
        self.assertEqual(set(os.listdir(self.scratch)), before)

    def test_record(self):
        done = self.hocket("run", self.SYSTEM, "--stop-time", "1/2", "--step-size", "1ms",
                           "--output-interval", "1/10", "-o", "r.csv")
        rows = self.rows("r.csv")
        self.assertTrue(rows[0].startswith("time,"))
        self.assertEqual([row.split(",")[0] for row in rows[1:]],
                         ["0", "0.1", "0.2", "0.3", "0.4", "0.5"])
        self.assertIn("r.csv (6 rows", done.stderr)

    def test_quiet_and_aliases(self):
        done = self.hocket("run", self.SYSTEM, "--stopTime=0.1", "--stepSize=1/1000", "-qo", "a.csv")
        self.assertEqual((done.stdout, done.stderr), ("", ""))
        self.hocket("run", self.SYSTEM, "--duration", "100ms", "--step-size", "0.001", "-q", "-o",
                    "b.csv")
        self.assertEqual(self.rows("a.csv"), self.rows("b.csv"))

    def test_record_to_standard_output(self):
        done = self.hocket("run", self.SYSTEM, "--stop-time", "0.01", "-q", "-o", "-")
        self.hocket("run", self.SYSTEM, "--stop-time", "0.01", "-q", "-o", "a.csv")
        self.assertEqual(done.stdout.splitlines(), self.rows("a.csv"))
        self.hocket("run", self.SYSTEM, "-o", "-", "--json", exit=2)

    def test_everything(self):
        self.hocket("run", self.SYSTEM, "--stop-time", "0.01", "-o", "a.csv", "-q")
        self.hocket("run", self.SYSTEM, "--stop-time", "0.01", "-o", "b.csv", "-q",
                    "--output-variable", "*")
        self.assertGreater(len(self.rows("b.csv")[0]), 2 * len(self.rows("a.csv")[0]))
        done = self.hocket("run", self.SYSTEM, "--output-variable", "no.such", "-o", "c.csv",
                           exit=2)
        self.assertIn("HK0102", done.stderr)
        self.assertFalse((self.scratch / "c.csv").exists())

    def test_explain_settings(self):
        own = self.json_of("run", OPTIONS.models / "language" / "quarter_truck.system",
                           "--explain-settings")["settings"]["algorithm"]
        self.assertEqual((own["value"], own["source"], own["from"]),
                         ("gauss-seidel", "default", "built in (.system files)"))
        (self.scratch / "in.csv").write_text("time,real_in\n0,1\n1,2\n")
        table = self.json_of("run", OPTIONS.fmus / "probe.fmu", "--input-file", "in.csv",
                             "--explain-settings")["settings"]["stop-time"]
        self.assertEqual(table["source"], "model description")  # a table is not part of the system
        text = self.hocket("run", self.SYSTEM, "--stop-time", "2s", "--explain-settings",
                           HK_STEP_SIZE="1/2000", HK_STOP_TIME="7").stdout
        self.assertRegex(text, r"(?m)^stop-time +2 +command line$")
        self.assertRegex(text, r"(?m)^step-size +0\.0005 +HK_STEP_SIZE$")
        self.assertRegex(text, r"(?m)^algorithm +jacobi +built in$")

    def test_settings_say_how_it_is_run(self):
        words = ("--nodes=2", "--transport=unix", "--isolate=wheel", "--sandbox=chassis",
                 "--limit=cpu=9")
        text = self.hocket("run", self.SYSTEM, *words, "--isolate", "ground",
                           "--explain-settings").stdout
        for row in (r"nodes +2", r"transport +unix", r"isolate +wheel ground", r"sandbox +chassis",
                    r"limit +cpu=9"):
            self.assertRegex(text, rf"(?m)^{row} +command line$")
        simulation = OPTIONS.models / "language" / "case1.simulation"
        answer = self.json_of("run", simulation, "--nodes", "2", "--explain-settings")
        self.assertEqual(answer["settings"]["nodes"]["value"], "2")
        done = self.hocket("run", self.SYSTEM, "--stop-time", "0.1", *words, "--stats", "-q", "-o",
                           "nodes.csv")
        line = re.search(r"reproduce: hocket (.*)", done.stderr).group(1)
        self.assertTrue(line.endswith(" ".join(words)), line)
        # ... and a record does not: it is the same.
        self.hocket(*line.split(" --nodes")[0].split(), "-q", "-o", "one.csv")
        abouts = [(self.scratch / f"{name}.csv-metadata.json").read_text().replace(name, "")
                  for name in ("nodes", "one")]
        self.assertIn("reproduce", abouts[0])
        self.assertEqual(*abouts)

    def test_precedence_of_settings(self):
        """Command line, environment, system file, default experiment of the FMU, built in."""
        fmu = """<DefaultExperiment startTime="1" stopTime="6" stepSize="0.5" tolerance="1e-5"/>"""
        system = """<ssd:DefaultExperiment startTime="2" stopTime="7">"""
        with zipfile.ZipFile(self.scratch / "quarter_truck.ssp") as package:
            ssd = package.read("SystemStructure.ssd").decode()
            with zipfile.ZipFile(io.BytesIO(package.read("resources/wheel.fmu"))) as wheel:
                entries = {name: wheel.read(name) for name in wheel.namelist()}
        for name, experiment in (("bare.fmu", ""), ("own.fmu", fmu)):
            with zipfile.ZipFile(self.scratch / name, "w") as changed:
                for entry, data in entries.items():
                    if entry == "modelDescription.xml":
                        data = re.sub(rb"<DefaultExperiment[^>]*/>", experiment.encode(), data)
                    changed.writestr(entry, data)
        ssd = re.sub(r"<ssd:Component name=\"(chassis|ground)\".*?</ssd:Component>", "", ssd,
                     flags=re.DOTALL)
        ssd = re.sub(r"<ssd:Connections>.*?</ssd:Connections>", "", ssd, flags=re.DOTALL)
        ssd = ssd.replace("resources/wheel.fmu", "own.fmu")
        self.write("own.ssd", re.sub(r"<ssd:DefaultExperiment[^>]*>", system, ssd))
        environment = {"HK_START_TIME": "3", "HK_STOP_TIME": "8", "HK_STEP_SIZE": "0.25",
                       "HK_TOLERANCE": "1e-7", "HK_OUTPUT_INTERVAL": "0.5",
                       "HK_ALGORITHM": "gauss-seidel"}
        flags = ["--start-time=4", "--stop-time=9", "--step-size=0.1", "--tolerance=1e-8",
                 "--output-interval=0.2", "--algorithm=jacobi"]
        built_in = [("0", "default"), ("1", "default"), ("0.001", "default"),
                    ("not given", "default"), ("every step", "default"), ("jacobi", "default")]
        of_fmu = [("1", "description"), ("6", "description"), ("0.5", "description"),
                  ("0.00001", "description")] + built_in[4:]
        of_system = [("2", "system"), ("7", "system"), ("0.001", "system"), of_fmu[3]] + built_in[4:]
        of_environment = [("3", "env"), ("8", "env"), ("0.25", "env"), ("1e-7", "env"),
                          ("0.5", "env"), ("gauss-seidel", "env")]
        of_flags = [("4", "command"), ("9", "command"), ("0.1", "command"), ("1e-8", "command"),
                    ("0.2", "command"), ("jacobi", "command")]
        names = ["start-time", "stop-time", "step-size", "tolerance", "output-interval", "algorithm"]
        for words, given, expected in (
                (["bare.fmu"], {}, built_in), (["own.fmu"], {}, of_fmu), (["own.ssd"], {}, of_system),
                (["own.ssd"], environment, of_environment),
                (["own.ssd", *flags], environment, of_flags), (["bare.fmu", *flags], {}, of_flags)):
            answer = self.json_of("run", *words, "--explain-settings", **given)
            for name, (value, source) in zip(names, expected):
                setting = answer["settings"][name]
                self.assertEqual(setting["value"], value, (words, given, name))
                self.assertIn(source.lower(), setting["source"].lower(), (words, given, name))

    def test_json(self):
        answer = self.json_of("run", self.SYSTEM, "--stop-time", "0.1", "-o", "r.csv")
        self.assertEqual((answer["status"], answer["exit"], answer["time"]), ("ok", 0, 0.1))
        self.assertEqual(answer["record"]["rows"], len(self.rows("r.csv")) - 1)
        self.assertEqual(answer["record"]["bytes"], (self.scratch / "r.csv").stat().st_size)
        self.assertRegex(answer["sha256"], r"^[0-9a-f]{64}$")
        self.assertEqual(answer["settings"]["stop-time"]["value"], "0.1")

    def test_json_with_all_reports(self):
        answer = self.json_of("run", self.SYSTEM, "--stop-time", "0.5", "--real-time", "--stats",
                              "--progress=json")
        self.assertEqual([c["name"] for c in answer["components"]], ["chassis", "wheel", "ground"])
        self.assertGreaterEqual(answer["worst_late_s"], 0)
        for component in answer["components"]:
            self.assertEqual(component["timed"], component["steps"])
            self.assertLessEqual(component["overran"], component["steps"])

    def test_stats(self):
        done = self.hocket("run", self.SYSTEM, "--stop-time", "0.5", "--stats", "-q")
        for word in ("chassis", "copies", "recording", "slowest:", "sha256"):
            self.assertIn(word, done.stderr)
        line = re.search(r"reproduce: hocket (.*)", done.stderr).group(1)
        self.hocket(*line.split(), "-q", "-o", "again.csv")

    def test_stop_when(self):
        name = self.component("wheel.fmu")
        done = self.hocket("run", name, "--stop-time", "1", "--stop-when", "z >= 0.5 m", "-o",
                           "r.csv")
        self.assertIn("stop condition", done.stderr)
        self.assertLess(len(self.rows("r.csv")), 900)
        self.assertIn("HK0102", self.hocket("run", name, "--stop-when", "zz > 1", exit=2).stderr)
        self.hocket("run", name, "--stop-when", "z", exit=2)
        self.assertIn("HK0403", self.hocket("run", name, "--stop-when", "z > 1 s", exit=1).stderr)

    def test_set_with_unit(self):
        name = self.component("wheel.fmu")
        runs = ["z_initial=0.25", "z_initial=25cm", "wheel.z_initial=0.25 m"]
        for i, value in enumerate(runs):
            self.hocket("run", name, "--stop-time", "0.1", "--set", value, "-q", "-o", f"{i}.csv")
        self.assertEqual(self.rows("0.csv"), self.rows("1.csv"))
        self.assertEqual(self.rows("0.csv"), self.rows("2.csv"))
        self.assertIn("did you mean", self.hocket("run", name, "--set", "z_initia=1", exit=2).stderr)
        for bad in ("z_initial=1 s", "z_initial=red", "z_initial=1 blub"):
            self.assertNotEqual(self.bad_set(name, bad), 0)
        self.hocket("run", name, "--set", "z_initial", exit=2)

    def bad_set(self, name, value):
        done = subprocess.run([OPTIONS.hocket, "run", name, "--set", value], cwd=self.scratch,
                              env=environment_with({}), capture_output=True, encoding="utf-8",
                              check=False)
        self.assertIn("error[HK", done.stderr)
        return done.returncode

    def test_schedule_changes_the_run(self):
        period = self.write("a.schedule", "component wheel period 2ms\n")
        lag = self.write("b.schedule", "link chassis.p.e -> wheel.p1.e lag current\n")
        words = ("run", "quarter_truck.ssp", "--stop-time", "1", "-q", "-o", "-")
        records = {self.hocket(*words, *more).stdout
                   for more in ((), ("--schedule", period), ("--schedule", lag))}
        self.assertEqual(len(records), 3)
        step = self.write("c.schedule", "".join(f"component {name} period 5ms\n" for name in
                                                ("chassis", "wheel", "ground")))
        words += ("--output-interval", "5ms")
        same = self.hocket(*words, "--schedule", step).stdout
        self.assertEqual(same, self.hocket(*words, "--step-size", "5ms").stdout)

    def test_input_file(self):
        name = self.component("wheel.fmu")
        self.write("in.csv", "time,p.f\n0,0\n1,1\n")
        self.hocket("run", name, "--stop-time", "1", "-q", "-o", "a.csv")
        self.hocket("run", name, "--stop-time", "1", "-q", "-o", "b.csv", "--input-file", "in.csv")
        self.assertNotEqual(self.rows("a.csv")[-1], self.rows("b.csv")[-1])

    def test_no_outputs(self):
        with zipfile.ZipFile(self.scratch / self.component("wheel.fmu")) as old, \
                zipfile.ZipFile(self.scratch / "silent.fmu", "w") as new:
            for name in old.namelist():
                data = old.read(name)
                if name == "modelDescription.xml":
                    data = data.replace(b'causality="output"', b'causality="local"')
                    data = re.sub(rb"<Outputs>.*?</Outputs>", b"", data, flags=re.S)
                    data = re.sub(rb"<InitialUnknowns>.*?</InitialUnknowns>", b"", data, flags=re.S)
                new.writestr(name, data)
        run = ["run", "silent.fmu", "--stop-time", "0.1", "--step-size", "0.05"]
        done = self.hocket(*run, "-o", "a.csv")
        self.assertIn("silent.fmu: note: no component has an output, so the record holds nothing but the time", done.stderr)
        self.assertIn("--output-variable '*' chooses all", done.stderr)
        self.assertEqual(self.rows("a.csv"), ["time", "0", "0.05", "0.1"])
        self.assertNotIn("no component has an output", self.hocket(*run).stderr)
        done = self.hocket(*run, "-o", "b.csv", "--output-variable", "*")
        self.assertNotIn("no component has an output", done.stderr)
        self.assertGreater(self.rows("b.csv")[0].count(","), 1)

    def test_saved_state_goes_on(self):
        common = ["run", self.SYSTEM, "-q", "--step-size", "0.001"]
        self.hocket(*common, "--stop-time", "0.2", "-o", "whole.csv")
        self.hocket(*common, "--stop-time", "0.1", "--save-state", "half.hks")
        self.hocket(*common, "--stop-time", "0.2", "--load-state", "half.hks", "-o", "rest.csv")
        self.assertEqual(self.rows("rest.csv")[-100:], self.rows("whole.csv")[-100:])
        self.write("broken.hks", "no state")
        done = self.hocket(*common, "--load-state", "broken.hks", exit=3)
        self.assertIn("HK0307", done.stderr)

    def test_state_with_other_settings(self):
        common = ["run", self.SYSTEM, "-q", "--step-size", "0.001"]
        self.hocket(*common, "--stop-time", "0.1", "--save-state", "half.hks")
        load = [*common, "--load-state", "half.hks"]
        self.hocket(*load, "--duration", "0.05", "-o", "rest.csv")
        self.assertTrue(self.rows("rest.csv")[-1].startswith("0.15,"))
        done = self.hocket(*load[:3], "--step-size", "0.03", "--stop-time", "0.3", *load[5:], exit=1)
        self.assertRegex(done.stderr, "HK0405.*next step of 'chassis' would begin at t = 0.12 s, but "
                                      "it is at t = 0.1 s")
        done = self.hocket(*common, "--stop-time", "0.1005", "--save-state", "x.hks", "-o", "x.csv",
                           exit=1)
        self.assertIn("HK0405", done.stderr)  # before the run
        self.assertFalse((self.scratch / "x.hks").exists())
        self.assertLess(len(self.rows("x.csv")) if (self.scratch / "x.csv").exists() else 0, 2)
        done = self.hocket(*load, "--stop-time", "0.2", "--set", "chassis.z_initial=2", exit=1)
        self.assertRegex(done.stderr, "HK0404.*'chassis.z_initial' cannot be set")

    def test_plot_of_a_run(self):
        before = set(os.listdir(self.scratch))
        self.hocket("run", self.SYSTEM, "--stop-time", "0.1", "--plot", "p.svg")
        self.assertEqual(set(os.listdir(self.scratch)) - before, {"p.svg"})

    def test_timeout(self):
        done = self.hocket("run", self.SYSTEM, "--stop-time", "1000", "--real-time", "--timeout",
                           "0.3", "-o", "r.csv", exit=124)
        self.assertIn("HK0507", done.stderr)

    def test_interrupt(self):
        process = subprocess.Popen([OPTIONS.hocket, "run", self.SYSTEM, "--stop-time", "1000",
                                    "--real-time", "--progress=json", "-o", "r.csv"],
                                   cwd=self.scratch, env=environment_with({}),
                                   stderr=subprocess.PIPE, encoding="utf-8")
        lines = iter(process.stderr.readline, "")
        self.assertTrue(any("progress" in line for line in lines))  # it runs; notes came before
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("interrupted", errors)
        rows = self.rows("r.csv")
        self.assertGreater(len(rows), 10)
        self.assertEqual(rows[-1].count(","), rows[0].count(","))

    def test_progress(self):
        done = self.hocket("run", self.SYSTEM, "--stop-time", "1", "--real-time", "--progress=json",
                           "-q")
        lines = [json.loads(line) for line in done.stderr.splitlines()]
        self.assertGreater(len(lines), 0)
        parts = [line["progress"] for line in lines]
        self.assertEqual(parts, sorted(parts))
        done = self.hocket("run", self.SYSTEM, "--stop-time", "1", "--real-time")
        self.assertRegex(done.stderr, r"(?m)^hocket:  [3-9]0 %  .* left$")
        done = self.hocket("run", self.SYSTEM, "--stop-time", "1", "--real-time", CI="1")
        self.assertNotIn(" %", done.stderr)

    def test_wrong_times(self):
        for words in (["--stop-time", "x"], ["--step-size", "0"], ["--step-size", "-1"],
                      ["--stop-time", "1", "--duration", "1"], ["--tolerance", "7"],
                      ["--real-time=0"], ["--timeout", "soon"]):
            self.assertIn("HK0101", self.hocket("run", self.SYSTEM, *words, exit=2).stderr)
        for verb in ("run", "check"):
            done = self.hocket(verb, self.SYSTEM, "--stop-time", "-1", exit=2)
            self.assertIn("error[HK0101]: stop time -1 s is not after start time 0 s",
                          done.stdout + done.stderr)

    def test_repeatable(self):
        for name in ("a.csv", "b.csv"):
            self.hocket("run", self.SYSTEM, "--stop-time", "0.3", "-q", "-o", name,
                        "--algorithm", "gauss-seidel")
        self.assertEqual(self.rows("a.csv"), self.rows("b.csv"))


class Faults(Case):
    """A component that misbehaves half-way: the message names it, the record stays readable."""
    # Numbers as in tests/fmus/probe.c.
    NAN, TERMINATED, ERROR, CRASH, HANG = 1, 3, 4, 6, 7

    def probe(self, fault, *words, exit):
        done = self.hocket("run", OPTIONS.fmus / "probe.fmu", "--set", f"fault={fault}", "--set",
                           "fault_time=0.5", "-o", "p.csv", *words, exit=exit)
        rows = (self.scratch / "p.csv").read_text(encoding="utf-8").splitlines()
        self.assertGreaterEqual(len(rows), 50)
        self.assertEqual({row.count(",") for row in rows}, {rows[0].count(",")})
        return done.stderr

    def test_nan(self):
        self.assertRegex(self.probe(self.NAN, exit=4), "HK0505.*'Probe'.*'state'.*0.5 s")
        self.probe(self.NAN, "--allow-nan", exit=0)

    def test_error(self):
        text = self.probe(self.ERROR, exit=4)
        self.assertRegex(text, "HK0503.*'Probe'.*fmi2DoStep.*0.5")
        self.assertIn("failed     at 0.5 s", text)

    def test_end_asked_for(self):
        self.assertIn("ended the simulation", self.probe(self.TERMINATED, exit=0))
        last = (self.scratch / "p.csv").read_text(encoding="utf-8").splitlines()[-1]
        self.assertTrue(last.startswith("0.505,"), last)  # its last values, in the middle of a step
        quiet = self.probe(self.TERMINATED, "-q", exit=0)
        self.assertRegex(quiet, "^.*warning.HK0504.: component 'Probe' ended the simulation at t = "
                                "0.505 s, before the stop time, 1 s\n$")

    def test_crash(self):
        self.assertRegex(self.probe(self.CRASH, exit=4), "HK0506.*'Probe'.*fmi2DoStep.*0.5 s")

    def test_hang(self):
        text = self.probe(self.HANG, "--timeout", "3", exit=124)
        self.assertRegex(text, "HK0507.*'Probe'.*fmi2DoStep.*0.5 s")

    def test_crash_and_hang_for_programs(self):
        for fault, words, code, exit in ((self.CRASH, [], "HK0506", 4),
                                         (self.HANG, ["--timeout", "3"], "HK0507", 124)):
            answer = self.json_of("run", OPTIONS.fmus / "probe.fmu", "--set", f"fault={fault}",
                                  "--set", "fault_time=0.5", *words, exit=exit)
            self.assertEqual((answer["schema"], answer["status"], answer["exit"]),
                             ("hocket.failure/1", code, exit))

    def test_interrupted_twice(self):
        """The first Ctrl-C waits for the call to end, the second does not."""
        process = subprocess.Popen([OPTIONS.hocket, "run", OPTIONS.fmus / "probe.fmu", "--set",
                                    f"fault={self.HANG}", "--set", "fault_time=0.5", "-o", "r.csv"],
                                   cwd=self.scratch, env=environment_with({}),
                                   stderr=subprocess.PIPE, encoding="utf-8")
        wait_until_idle(process)  # the component hangs
        process.send_signal(signal.SIGINT)
        wait_until_idle(process)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, 130)

    def test_refuses_to_start(self):
        done = self.hocket("run", OPTIONS.fmus / "probe_wrong_guid.fmu", "-o", "p.csv", exit=4)
        self.assertIn("HK0502", done.stderr)
        self.assertFalse((self.scratch / "p.csv").exists())


SIZES = """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription name="sizes" version="1.0"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"
    xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues">
  <ssd:System name="root">
    <ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>
      <ssv:ParameterSet name="set" version="1.0"><ssv:Parameters>
        <ssv:Parameter name="a.float64_sized_in"><ssv:Real value="1 2 3 4"/></ssv:Parameter>
        <ssv:Parameter name="a.n"><ssv:Integer value="4"/></ssv:Parameter>
        <ssv:Parameter name="b.n"><ssv:Integer value="4"/></ssv:Parameter>
      </ssv:Parameters></ssv:ParameterSet>
    </ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>
    <ssd:Elements>
      <ssd:Component name="a" source="feedthrough3.fmu"><ssd:Connectors>
        <ssd:Connector name="float64_sized_out" kind="output"/></ssd:Connectors></ssd:Component>
      <ssd:Component name="b" source="feedthrough3.fmu"><ssd:Connectors>
        <ssd:Connector name="float64_sized_in" kind="input"/></ssd:Connectors></ssd:Component>
    </ssd:Elements>
    <ssd:Connections>
      <ssd:Connection startElement="a" startConnector="float64_sized_out" endElement="b"
                      endConnector="float64_sized_in"/>
    </ssd:Connections>
  </ssd:System>
  <ssd:DefaultExperiment startTime="0" stopTime="0.3"/>
</ssd:SystemStructureDescription>
"""


class Sizes(Case):
    """Structural parameters decide the sizes of arrays, wherever they are set."""

    def setUp(self):
        super().setUp()
        shutil.copy(OPTIONS.fmus / "feedthrough3.fmu", self.scratch)
        (self.scratch / "sizes.ssd").write_text(SIZES, encoding="utf-8")

    def last_row(self, *words):
        done = self.hocket("run", *words, "--output-variable", "*.float64_sized_out", "-o", "-", "-q")
        rows = done.stdout.splitlines()
        self.assertEqual(len(rows[0].split(",")), len(rows[-1].split(",")))
        return rows[-1]

    def test_command_line(self):
        self.assertEqual(self.last_row("feedthrough3.fmu", "--stop-time", "0.2", "--set",
                                       "float64_sized_in=1 2 3 4 5", "--set", "n=5"), "0.2,1,2,3,4,5")
        self.assertEqual(self.last_row("feedthrough3.fmu", "--stop-time", "0.2", "--set", "n=2"), "0.2,1,1")

    def test_system(self):
        self.assertEqual(self.last_row("sizes.ssd", "--step-size", "0.1").split(",")[1:5], list("1234"))
        self.hocket("check", "sizes.ssd")

    def test_refused(self):
        done = self.hocket("run", "feedthrough3.fmu", "--set", "float64_sized_in=1 2 3 4 5", exit=2)
        self.assertIn("hint: write one value, or 3 separated by spaces", done.stderr)
        done = self.hocket("run", "feedthrough3.fmu", "--set", "n=0", exit=2)
        self.assertIn("hint: give 'n' a value from 1", done.stderr)
        done = self.hocket("run", "sizes.ssd", "--step-size", "0.1", "--set", "b.n=5", exit=1)
        self.assertIn("sizes differ", done.stderr)
        done = self.hocket("run", "sizes.ssd", "--step-size", "0.1", "--set", "b.n=5", "--set", "a.n=5", exit=2)
        self.assertIn("'a.float64_sized_in' was given 4 values", done.stderr)


if __name__ == "__main__":
    main()
