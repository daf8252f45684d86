# SPDX-License-Identifier: MIT
"""Systems of the Open Simulation Platform beyond the table of cases: what `convert` writes, proxies on other hosts,
folders, and 200 files with faults in them."""
import csv
import importlib.util
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "support"), str(HERE.parent)]
import hocket_case  # noqa: E402

CASES = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))
MUTANTS = 200
PLACE = re.compile(r"^(?:\S.*?)(?::\d+){0,2}: (error|warning|note)", re.MULTILINE)


class Osp(hocket_case.Case):
    def lay_out(self, case):
        """The files of a case, beside its FMUs."""
        folder = self.folder / case["name"]
        shutil.copytree(HERE / case.get("files", case["name"]), folder)
        for path, name in case["fmus"].items():
            (folder / path).parent.mkdir(exist_ok=True)
            shutil.copy(self.options.fmus / f"{name}.fmu", folder / path)
        return folder

    def case(self, name):
        return next(c for c in CASES if c["name"] == name)

    def edit(self, name, *changes):
        """A case with (old, new) text in its system structure."""
        path = self.lay_out(self.case(name)) / "OspSystemStructure.xml"
        text = path.read_text(encoding="utf-8")
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        path.write_text(text, encoding="utf-8")
        return path

    def complain(self, path, code, words, exit=3):
        done = self.hocket("check", path, exit=exit)
        self.assertIn(f"error[{code}]", done.stdout)
        self.assertIn(words, done.stdout)
        return done.stdout


class Steps(Osp):
    def rows(self, *words):
        self.hocket("run", *words, "-q", "-o", "x.csv")
        return (self.folder / "x.csv").read_bytes()

    def test_a_step_size_is_a_base_step(self):
        """Rates, holds and functions are those of a file with that BaseStepSize."""
        asked = self.rows(self.lay_out(self.case("odd_rates")), "--step-size", "0.2")
        shutil.rmtree(self.folder / "odd_rates")
        written = self.rows(self.edit("odd_rates", ("<BaseStepSize>0.1", "<BaseStepSize>0.2")))
        self.assertEqual(asked, written)
        self.assertGreater(len(asked.splitlines()), 20)

    def test_the_step_size_that_does_not_fit_is_named(self):
        done = self.hocket("check", self.lay_out(self.case("odd_rates")), "--step-size", "0.2")
        self.assertIn("simulator 'three': its stepSize, 0.3 s, is not a multiple of the step size that is asked for",
                      done.stdout)


    def test_the_last_row_has_the_sums_of_its_instant(self):
        """A run shows in its last row what a longer one shows there; what the sums go to is compared with libcosim."""
        for name in ("sum", "vector_sum", "function_rates"):
            path = self.lay_out(self.case(name)) / "OspSystemStructure.xml"
            records = []
            for stop in ("2", "3"):
                self.hocket("run", path, "-q", "-o", "x.csv", "--stop-time", stop)
                with open(self.folder / "x.csv", newline="", encoding="utf-8") as file:
                    records.append({row["time"]: row for row in csv.DictReader(file)})
            short, longer = records[0]["2"], records[1]["2"]
            sums = [column for column in short if ".out" in column]
            self.assertTrue(sums, name)
            for column in sums:
                self.assertEqual(short[column], longer[column], (name, column))

    def test_a_last_step_that_is_shortened_is_told(self):
        words = "simulator 'three': its last step is shortened to end at the stop time, 5.8 s"
        folder = self.lay_out(self.case("odd_rates"))
        self.assertIn(words, self.hocket("check", folder, "--stop-time", "5.8").stdout)
        self.assertNotIn("shortened", self.hocket("check", folder).stdout)


class Convert(Osp):
    def test_the_same_bytes(self):
        """Also if the FMUs lie elsewhere, and the description beside them or above them."""
        for case, place in zip(CASES, itertools.cycle(("same.ssd", "a folder/same.ssd", "../same.ssd"))):
            with self.subTest(case["name"]):
                folder = self.lay_out(case)
                (folder / place).parent.mkdir(exist_ok=True)
                self.hocket("convert", folder, folder / place, "-q")
                self.hocket("run", folder, "-q", "-o", "x.csv")
                self.hocket("run", folder / place, "-q", "-o", "y.csv")
                self.assertEqual((self.folder / "x.csv").read_bytes(), (self.folder / "y.csv").read_bytes())
                self.assertGreater(len((self.folder / "x.csv").read_text(encoding="utf-8").splitlines()), 10)

    def test_what_is_written_is_understood(self):
        """Nothing that convert writes is unknown to who reads it."""
        for case in CASES:
            with self.subTest(case["name"]):
                folder = self.lay_out(case)
                self.hocket("convert", folder, folder / "same.ssd", "-q")
                done = self.hocket("check", folder / "same.ssd")
                self.assertNotIn("ignored", done.stdout + done.stderr)
                self.assertNotIn("not used", done.stdout + done.stderr)

    @unittest.skipUnless(importlib.util.find_spec("libcosimpy"), "libcosimpy is not installed")
    def test_libcosim_reads_what_is_written(self):
        """Where nothing in it is hocket's own: the last row, to 1e-9."""
        import libcosim
        for name in ("variables", "linear", "rates", "ports", "times"):
            with self.subTest(name):
                folder = self.lay_out(self.case(name))
                self.hocket("convert", folder, folder / "SystemStructure.ssd", "-q")
                self.hocket("run", folder, "-q", "-o", "x.csv")
                with open(self.folder / "x.csv", newline="", encoding="utf-8") as file:
                    rows = list(csv.DictReader(file))
                names = [n for n in rows[0] if n != "time"]
                question = {"file": str(folder), "step": None, "names": names, "rows": len(rows) - 1, "all": False}
                answer, said = hocket_case.forked(libcosim.ask, question)
                self.assertTrue(answer, said)
                self.assertEqual(set(answer["names"]), set(names))
                for signal, value in zip(answer["names"], answer["rows"][-1][1]):
                    cell = rows[-1][signal]
                    if not isinstance(value, str):
                        cell = float({"true": 1, "false": 0}.get(cell, cell))
                        self.assertAlmostEqual(cell, value, delta=1e-9 * max(1, abs(value)), msg=signal)
                    else:
                        self.assertEqual(cell, value, signal)

    def test_packages_and_system_files(self):
        """The same run as a package; as a system file, unless something is transformed on its way."""
        for name in ("variables", "rates", "sum"):
            with self.subTest(name):
                folder = self.lay_out(self.case(name))
                self.hocket("convert", folder, f"{name}.ssp", "-q")
                self.hocket("run", folder, "-q", "-o", "x.csv")
                self.hocket("run", f"{name}.ssp", "-q", "-o", "y.csv")
                self.assertEqual((self.folder / "x.csv").read_bytes(), (self.folder / "y.csv").read_bytes())
        done = self.hocket("convert", self.lay_out(self.case("linear")), "x.system", exit=3)
        self.assertIn("a transformation of a value on its way is not written", done.stderr)
        self.assertFalse((self.folder / "x.system").exists())

    def test_answer(self):
        folder = self.lay_out(self.case("sum"))
        answer = json.loads(self.hocket("convert", folder, folder / "x.ssd", "--json").stdout)
        self.assertEqual((answer["components"], answer["connections"]), (6, 14))

    def test_other_pairs_are_refused(self):
        folder = self.lay_out(self.case("sum"))
        done = self.hocket("convert", folder, "x.fmu", exit=2)
        self.assertIn("convert knows .xml to .ssd, .xml to .ssp, .xml to .system", done.stderr)
        self.write("x.csv", "time,a\n0,1\n")
        self.hocket("convert", "x.csv", "x.ssd", exit=2)
        done = self.hocket("convert", "gone.xml", "x.ssd", exit=3)
        self.assertIn("gone.xml: error[HK0201]: file does not exist", done.stderr)

    def test_nothing_is_made_of_a_wrong_system(self):
        path = self.edit("sum", ('name="in[1]"', 'name="in[9]"'))
        self.hocket("convert", path, "x.ssd", exit=1)
        self.assertFalse((self.folder / "x.ssd").exists())
        done = self.hocket("convert", self.lay_out(self.case("linear")), "nowhere/x.ssd", exit=3)
        self.assertIn("does not exist", done.stderr)


class Systems(Osp):
    def test_groups_of_every_kind_are_in_the_set(self):
        """The kinds that hocket knows are the 50 of OSP-IS 1.0.1, and each is in a system that runs."""
        kinds = {e.tag.split("}")[-1] for path in HERE.glob("*/*_OspModelDescription.xml")
                 for e in ElementTree.parse(path).iter()}
        source = (HERE.parents[2] / "src/osp/groups.c").read_text(encoding="utf-8")
        known = set(re.findall(r'^    \{"([A-Za-z]+)", \d', source, re.MULTILINE))
        self.assertEqual(len(known), 50)
        self.assertEqual(known - kinds, set())

    def test_folder_file_and_other_name(self):
        folder = self.lay_out(self.case("linear"))
        shutil.copy(folder / "OspSystemStructure.xml", folder / "other.xml")
        for source in (folder, folder / "OspSystemStructure.xml", folder / "other.xml"):
            self.assertIn("5 connections", self.hocket("info", source).stdout)
        said = self.hocket("info", self.folder, exit=3).stderr
        self.assertIn("this is a folder", said)
        self.assertIn("a folder with an OspSystemStructure.xml is a system", said)
        said = self.hocket("convert", folder, "x.fmu", exit=2).stderr
        self.assertIn("'.xml' cannot be converted to '.fmu'", said)

    def test_one_mistake_is_told_once(self):
        """A function or a simulator that is wrong is there, and a connection that is wrong was meant."""
        for number, (name, old, new, words) in enumerate((
                ("linear", 'factor="0.3"', 'factor="x"', "factor 'x' is not a number"),
                ("linear", '<LinearTransformation name="none"/>', '<Lag name="none"/>', "'Lag' is not known"),
                ("linear", '<Simulator name="a" source="fmus/station.fmu"/>', '<Simulator name="a"/>', "no attribute 'source'"),
                ("linear", '<Variable simulator="a" name="x1"/>', '<Signal function="none" name="out"/>',
                 "'SignalConnection' joins a 'Signal' and a 'Variable'"),
                ("linear", '<Variable simulator="a" name="x1"/>', '<Variable simulator="a" name="x1"/><Variable simulator="a" name="x2"/>',
                 "'SignalConnection' joins a 'Signal' and a 'Variable'"))):
            with self.subTest(words):
                path = self.edit(name, (old, new))
                said = self.hocket("check", path, exit=3).stdout
                self.assertIn(words, said)
                self.assertIn("1 error, 0 warnings", said)
                path.parent.rename(self.folder / f"once{number}")

    def test_what_does_not_fit_is_told_behind_the_function(self):
        path = self.edit("linear", ('simulator="b" name="u1"', 'simulator="b" name="n"'), ('factor="0.3"', 'factor="0"'))
        said = self.hocket("run", path, "-q", "-o", "x.csv", exit=4).stderr
        self.assertIn("-1.7 does not fit the Int32 input", said)

    def test_one_wrong_signal_is_told_once(self):
        clash = [("<LinearTransformation name=\"none\"", "<LinearTransformation name=\"a\"")] + [('function="none"', 'function="a"')] * 2
        for number, (name, changes, words) in enumerate((
                ("sum", [('name="in[5]"', 'name="in[4294967296]"')], "has no signal 'in[4294967296]'"),
                ("sum", [('function="one" name="out"', 'function="one" name="aus"')], "has no signal 'aus'"),
                ("linear", clash, "there are two functions or simulators 'a'"))):
            with self.subTest(words):
                path = self.edit(name, *changes)
                said = self.hocket("check", path, exit=1).stdout
                self.assertIn(words, said)
                self.assertIn("1 error, 0 warnings", said)
                path.parent.rename(self.folder / f"signal{number}")

    def test_a_broken_description_is_told_once(self):
        folder = self.lay_out(self.case("vector_sum"))
        path = folder / "station_OspModelDescription.xml"
        path.write_text("<OspModelDescription>", encoding="utf-8")
        self.assertIn("1 error, 0 warnings", self.hocket("check", folder, exit=3).stdout)
        path.unlink()
        os.mkfifo(path)  # nobody writes to it
        said = self.hocket("check", folder, exit=3).stdout
        self.assertIn("station_OspModelDescription.xml: error[HK0201]: is not a file", said)
        self.assertIn("1 error, 0 warnings", said)

    def test_variables_of_groups_that_nobody_connects(self):
        folder = self.lay_out(self.case("vector_sum"))
        path = folder / "station_OspModelDescription.xml"
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("</VariableGroups>", '<Force name="idle"><Variable ref="x9"/></Force></VariableGroups>'),
                        encoding="utf-8")
        said = self.hocket("check", folder).stdout
        self.assertRegex(said, r"station_OspModelDescription.xml:\d+:\d+: warning\[HK0313\]: "
                               r"group 'idle' names the variable 'x9', which the FMU has not")

    def test_hints_speak_of_the_algorithm(self):
        """OSP has no words for lags."""
        folder = self.lay_out(self.case("sum"))
        for more in ((), ("--algorithm", "gauss-seidel")):
            said = self.hocket("check", folder, *more).stdout
            self.assertNotIn("the lag 'observe'", said)
            self.assertNotIn("('current' avoids", said)
            self.assertIn("--algorithm jacobi" if more else "(--algorithm gauss-seidel avoids that)", said)

    def test_every_verb_knows_them(self):
        folder = self.lay_out(self.case("rates"))
        for verb in ("info", "check", "plan", "prove"):
            self.hocket(verb, folder)
        self.hocket("trace", folder, "slow.x1", "--at", "1.6")
        self.hocket("run", folder, "-q", "-o", "x.csv", "--algorithm", "gauss-seidel", "--stop-time", "0.8")
        self.hocket("plot", "x.csv", "-o", "x.svg")

    def test_description_beside_the_fmu(self):
        folder = self.lay_out(self.case("vector_sum"))
        self.hocket("run", folder, "-q", "-o", "x.csv")
        name = "station_OspModelDescription.xml"
        (folder / name).rename(folder / "fmus" / name)
        self.hocket("run", folder, "-q", "-o", "y.csv")
        self.assertEqual((self.folder / "x.csv").read_bytes(), (self.folder / "y.csv").read_bytes())
        (folder / "fmus" / name).unlink()
        said = self.complain(folder / "OspSystemStructure.xml", "HK0401",
                             f"there is no '{name}' beside 'fmus/station.fmu' or beside the system structure", exit=1)
        self.assertIn("1 error, 0 warnings", said)

    def test_a_proxy_elsewhere_is_refused_by_name(self):
        path = self.edit("sources", ("proxyfmu://localhost?", "proxyfmu://tug.example:9090?"))
        self.complain(path, "HK0313", "runs on the host 'tug.example'")
        path = self.edit("linear", ("fmus/station.fmu", "proxyfmu://localhost?guid=7"))
        self.complain(path, "HK0313", "names no file")

    def test_sources_that_name_no_file_of_this_machine(self):
        for number, (source, words) in enumerate((("C:\\fmus\\station.fmu", "names a drive of Windows"),
                                                  ("file://tug.example/station.fmu", "names a machine"),
                                                  ("https://tug.example/station.fmu", "uses the scheme 'https:'"))):
            with self.subTest(source):
                path = self.edit("linear", ("fmus/station.fmu", source))
                self.complain(path, "HK0313", words)
                path.parent.rename(self.folder / f"done{number}")

    def test_mistakes_have_places(self):
        for number, (name, old, new, code, words, exit) in enumerate((
                ("variables", 'simulator="b" name="u1"', 'simulator="bb" name="u1"', "HK0401", "there is no simulator 'bb'", 1),
                ("variables", 'name="u1"', 'name="u9"', "HK0401", "has no variable 'u9'", 1),
                ("variables", 'simulator="b" name="u2"', 'simulator="b" name="u1"', "HK0402", "driven twice", 1),
                ("linear", 'function="both" name="in"', 'function="bath" name="in"', "HK0401", "there is no function 'bath'", 1),
                ("linear", 'function="both" name="in"', 'function="both" name="inn"', "HK0401", "no signal 'inn'", 1),
                ("linear", 'function="both"', 'function="factor"', "HK0402", "is driven in line", 1),
                ("sum", 'inputCount="3"', 'inputCount="4"', "HK0401", "its 'in[3]' is not connected", 1),
                ("vector_sum", 'dimension="3"', 'dimension="2"', "HK0401", "has the dimension 2", 1),
                ("vector_sum", 'name="force"', 'name="farce"', "HK0401", "has no group 'farce'", 1),
                ("ports", "linearMechanicalPort_in", "angularMechanicalPort_in", "HK0401", "variables, and group", 1),
                ("initial_values", 'variable="rate"', 'variable="rat"', "HK0404", "no variable 'rat'", 1),
                ("initial_values", 'value="1.25"', 'value="fast"', "HK0306", "fast", 3),
                ("initial_values", "fmus/station.fmu", "fmus/gone.fmu", "HK0201", "does not exist", 3))):
            with self.subTest(f"{name} {new}"):
                path = self.edit(name, (old, new))
                said = self.complain(path, code, words, exit)
                self.assertRegex(said, r"\.xml:\d+:\d+: error", said)
                path.parent.rename(self.folder / f"done{number}")


def mutate(text, draw):
    """One fault: a letter, a piece, an attribute or an element that is lost, doubled, exchanged or renamed."""
    attributes = list(re.finditer(r' [A-Za-z]+="[^"]*"', text))
    elements = list(re.finditer(r"<([A-Za-z]+)(?: [^<>]*)?/>", text))
    kind = draw.randrange(8)
    at = draw.randrange(len(text))
    if kind == 0:
        return text[:at] + draw.choice("<>&\"'/=\0 \u00e9x9-[") + text[at + 1:]
    if kind == 1:
        return text[:at]
    if kind == 2:
        return text[:at] + text[at + draw.randrange(1, 60):]
    if kind == 3:
        a = draw.choice(attributes)
        return text[:a.start()] + text[a.end():]
    if kind == 4:
        a = draw.choice(attributes)
        value = draw.choice(("", "nan", "-1", "1e999", "99999999999999999999", "in[-1]", "in[0]", "..", "%zz", "x" * 5000,
                             "proxyfmu://", "http://x", "true"))
        return text[:a.start()] + a.group().split("=")[0] + f'="{value}"' + text[a.end():]
    if kind == 5 and elements:
        e = draw.choice(elements)
        return text[:e.start()] + e.group() * draw.randrange(2, 5) + text[e.end():]
    if kind == 6 and elements:
        e, f = draw.choice(elements), draw.choice(elements)
        return text[:e.start()] + f.group() + text[e.end():]
    name = draw.choice(re.findall(r"<([A-Za-z]+)", text))
    other = draw.choice(re.findall(r"<([A-Za-z]+)", text))
    return re.sub(rf"(</?){name}\b", rf"\1{other}", text, count=draw.choice((1, 2, 0)))


class Mutants(Osp):
    def test_every_one_gets_an_answer(self):
        """No crash, no hang; what is refused is refused with one place or more, what is accepted is described by info
        as it stands in the file."""
        draw = random.Random(20261116)
        folders = [self.lay_out(c) for c in CASES]
        files = [p for f in folders for p in sorted(f.glob("*.xml"))]
        refused = accepted = 0
        for number in range(0, MUTANTS, hocket_case.THIN):
            path = files[number % len(files)]
            text = path.read_text(encoding="utf-8")
            wrong = mutate(text, draw)
            path.write_bytes(wrong.encode("utf-8", "surrogatepass"))
            done = subprocess.run([self.options.hocket, "info", path.parent, "--json"], cwd=self.folder,
                                              env=hocket_case.environment(), capture_output=True, timeout=hocket_case.TIMEOUT_S,
                                              encoding="utf-8", errors="backslashreplace", check=False)
            with self.subTest(number=number, file=path.name, case=path.parent.name):
                said = f"{done.stdout}\n{done.stderr}"
                self.assertIn(done.returncode, (0, 1, 3), f"{wrong}\n{said}")
                if done.returncode:
                    refused += 1
                    lines = [json.loads(line) for line in done.stderr.splitlines()]
                    errors = [d for d in lines if d.get("severity") == "error"]
                    self.assertTrue(errors, said)
                    self.assertTrue(all(d.get("file") for d in errors), said)
                else:
                    accepted += 1
                    self.check_truth(path.parent / "OspSystemStructure.xml", json.loads(done.stdout))
            path.write_text(text, encoding="utf-8")
        self.assertGreater(refused, MUTANTS // hocket_case.THIN // 4)
        self.assertGreater(accepted, MUTANTS // 20 // hocket_case.THIN ** 2)

    def check_truth(self, path, answer):
        """The simulators and step size that info names are those of the file."""
        root = ElementTree.parse(path).getroot()
        names = [s.get("name") for e in root if e.tag.split("}")[-1] == "Simulators" for s in e
                 if s.tag.split("}")[-1] == "Simulator"]
        self.assertEqual([c["name"] for c in answer["components"]][:len(names)], names)


if __name__ == "__main__":
    hocket_case.main("--hocket", "--fmus")
