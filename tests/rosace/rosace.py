#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""R-ROSACE and its partitions through the built program: what is said before a run, what runs show,
and the smallest example of the same thing. Standard library only.

`rosace.py ... --table` prints the results that docs/coincidence.md shows.
"""
import argparse
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

OPTIONS = None
PARTITIONS = ("e1", "e2", "e3", "e4", "e5")
LIMITS = {1: (10.0, 10.0, 6.0, 5.0), 2: (20.0, 10.0, 12.0, 5.0)}  # P1 s, P2 %, P3 s, P4 %
CASE_2 = ("fcu.vz_1=0", "fcu.va_1=235")

# Ages in ms, (least, most): what the analysis must find for each partition.
LINKS = [("az_filter", "fcc1a"), ("az_filter", "fcc2b"), ("h_filter", "fcc1a"), ("fcc1a", "fcc1b"),
         ("fcc2a", "fcc2b"), ("fcc1a", "cables"), ("fcc2b", "cables"), ("cables", "elevator"),
         ("cables", "engine"), ("elevator", "flight_dynamics")]
AGES = {
    "e1": [(0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 15), (0, 15), (5, 5), (5, 5), (0, 0)],
    "e2": [(10, 10), (10, 10), (20, 20), (20, 20), (20, 20), (20, 35), (20, 35), (5, 5), (5, 5),
           (5, 5)],
    "e3": [(10, 10), (10, 10), (20, 20), (0, 0), (0, 0), (20, 35), (20, 35), (0, 0), (0, 0),
           (0, 0)],
    "e4": [(10, 10), (10, 10), (20, 20), (20, 20), (0, 0), (20, 35), (20, 35), (0, 0), (0, 0),
           (0, 0)],
    "e5": [(10, 10), (10, 10), (20, 20), (20, 20), (20, 20), (20, 35), (20, 35), (0, 0), (0, 0),
           (0, 0)],
}
AGES["e2_keep"] = AGES["e1"]
# The sample of az at each monitor: straight, and by way of the command computer.
AZ_AT_MONITORS = {"e1": [(0, 0), (0, 0)], "e2": [(10, 30), (10, 30)], "e3": [(10, 10), (10, 10)],
                  "e4": [(10, 30), (10, 10)], "e5": [(10, 30), (10, 30)],
                  "e2_keep": [(0, 0), (0, 0)]}
# P1, P2, P3, P4 and the last Vz of case 1, as printed.
NUMBERS = {"e1": ("8.240", "4.6815", "5.110", "0.8272", "2.479321"),
           "e2": ("8.170", "4.7877", "5.040", "0.8266", "2.479335"),
           "e3": ("8.195", "4.7458", "5.065", "0.8268", "2.479330")}
NUMBERS["e4"] = NUMBERS["e5"] = NUMBERS["e3"]


def ms(seconds):
    return round(seconds * 1000.0, 9)


def properties(times, x, target):
    """P1 to P4 and the last sample, from their definition."""
    last = x[-1]
    off = [t for t, value in zip(times, x) if abs(value - last) > 0.05 * abs(last)]
    below = [[t for t, value in zip(times, x) if value < part * last] or [0.0]
             for part in (0.1, 0.9)]
    return (off[-1] if off else 0.0, 100.0 * (max(x) - last) / last, below[1][-1] - below[0][-1],
            100.0 * abs(target - last) / target, last)


def repaired(text, hint):
    """The schedule after the change that a hint proposes."""
    if hint.startswith("use 'cut keep'"):
        return text.replace("cut hla", "cut keep")
    first, second, processor = re.fullmatch(r"run '(\w+)' before '(\w+)' in processor '(\w+)'",
                                            hint).groups()
    start, names = re.search(rf"(processor {processor}:)(.*)", text).groups()
    order = names.split()
    order.remove(first)
    order.insert(order.index(second), first)
    return text.replace(start + names, f"{start} {' '.join(order)}")


class Case(unittest.TestCase):
    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.scratch)

    def hocket(self, *words, exit=0):
        keep = ("PATH", "HOME", "TMPDIR", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LD_LIBRARY_PATH")
        settings = {name: os.environ[name] for name in keep if name in os.environ}
        settings.update({"LANG": "C.UTF-8", "NO_COLOR": "1"})
        done = subprocess.run([OPTIONS.hocket, *map(str, words)], cwd=self.scratch, timeout=120,
                              env=settings, capture_output=True, encoding="utf-8",
                              stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, exit, f"{words}\n{done.stdout}\n{done.stderr}")
        return done

    def errors_of(self, system, schedule, exit=1):
        """The errors of `hocket check`, in their order."""
        done = self.hocket("check", system, "--schedule", schedule, "--json", exit=exit)
        findings = json.loads(done.stdout)["findings"]
        return [finding for finding in findings if finding["severity"] == "error"]

    def columns_of(self, name):
        with open(self.scratch / name, newline="", encoding="utf-8") as file:
            rows = csv.reader(file)
            names = next(rows)
            return dict(zip(names, zip(*[[float(c) for c in row] for row in rows])))


class Rosace(Case):
    system = property(lambda self: OPTIONS.models / "r_rosace.ssp")

    def schedule(self, name):
        return OPTIONS.models / f"{name}.schedule"

    def run_partition(self, schedule, settings=(), columns=("flight_dynamics.*",)):
        words = [word for setting in settings for word in ("--set", setting)]
        words += [word for column in columns for word in ("--output-variable", column)]
        self.hocket("run", self.system, "--schedule", schedule, *words, "-o", "run.csv", "-q")
        return self.columns_of("run.csv")

    def result(self, name, settings=(), case=1):
        run = self.run_partition(self.schedule(name), settings)
        if case == 1:
            found = properties(run["time"], run["flight_dynamics.vz"], 2.5)
        else:
            found = properties(run["time"], [va - 230.0 for va in run["flight_dynamics.va"]], 5.0)
        return found, all(value <= limit for value, limit in zip(found, LIMITS[case]))

    # ---- before the run ----

    def test_accepted(self):
        for name in ("e1", "e3", "e2_keep"):
            done = self.hocket("check", self.system, "--schedule", self.schedule(name),
                               "-q")
            self.assertEqual(done.stdout, "ok: 15 components, 59 connections\n")

    def test_rejected_with_paths_instants_and_ages(self):
        couples = {"e2": (1, 2), "e4": (1,), "e5": (1, 2)}
        for name, broken in couples.items():
            errors = self.errors_of(self.system, self.schedule(name))
            self.assertEqual({error["code"] for error in errors}, {"HK0415"})
            texts = [error["text"] for error in errors]
            expected = [f"the paths 'az_filter -> fcc{n}b' and 'az_filter -> fcc{n}a -> fcc{n}b' "
                        "do not coincide: at t = 0.04 s the first brings 'az_filter' with its "
                        "activation of t = 0.03 s (age 0.01 s), the second with its activation of "
                        "t = 0.01 s (age 0.03 s)" for n in broken]
            expected += [f"the paths 'fcc{n}a -> cables' and 'fcc{n}a -> fcc{n}b -> cables' do not "
                         f"coincide: at t = 0.04 s the first brings 'fcc{n}a' with its activation "
                         "of t = 0.02 s (age 0.02 s), the second with its activation of t = 0 s "
                         "(age 0.04 s)" for n in broken]
            self.assertEqual(texts, expected)
            lines = self.schedule(name).read_text(encoding="utf-8").splitlines()
            for error in errors:
                self.assertIn("coincidence ", lines[error["line"] - 1])

    def test_hints_repair(self):
        """Each hint repairs what it was given for; all of them together repair everything."""
        for name in ("e2", "e4", "e5"):
            original = self.schedule(name).read_text(encoding="utf-8")
            errors = self.errors_of(self.system, self.schedule(name))
            together = original
            for error in errors:
                changed = repaired(original, error["hint"])
                self.assertNotEqual(changed, original)
                (self.scratch / "one.schedule").write_text(changed, encoding="utf-8")
                exit = 1 if name == "e5" else 0  # there each couple has a hint of its own
                left = self.errors_of(self.system, "one.schedule", exit=exit)
                self.assertNotIn(error["text"], [other["text"] for other in left])
                self.assertLess(len(left), len(errors))
                if error["hint"] in {other["hint"] for other in errors[:errors.index(error)]}:
                    continue
                together = repaired(together, error["hint"])
            (self.scratch / "all.schedule").write_text(together, encoding="utf-8")
            self.hocket("check", self.system, "--schedule", "all.schedule")

    def test_couples_kept_together(self):
        """E2 with each command and its monitor on one processor."""
        text = self.schedule("e2").read_text(encoding="utf-8")
        for number in (1, 2):
            text, count = re.subn(rf"fcc{number}a\nprocessor \w+: fcc{number}b",
                                  f"fcc{number}a fcc{number}b", text)
            self.assertEqual(count, 1)
        (self.scratch / "couples.schedule").write_text(text, encoding="utf-8")
        self.hocket("check", self.system, "--schedule", "couples.schedule")

    def test_ages_of_the_plan(self):
        for name, expected in AGES.items():
            exit = 1 if name in ("e2", "e4", "e5") else 0
            done = self.hocket("plan", self.system, "--schedule", self.schedule(name), "--json",
                               exit=exit)
            plan = json.loads(done.stdout)
            phase_of = {c["name"]: c["phase"] for c in plan["components"]}
            for processor in plan["processors"]:  # in the order that the file declares
                names = processor["components"]
                self.assertIn(f"processor {processor['name']}: {' '.join(names)}\n",
                              self.schedule(name).read_text(encoding="utf-8"))
                phases = [phase_of[component] for component in names]
                self.assertEqual(phases, sorted(phases))
            for (start, end), ages in zip(LINKS, expected):
                found = {(ms(k["age_min_s"]), ms(k["age_max_s"])) for k in plan["connections"]
                         if k["from"].split(".")[0] == start and k["to"].split(".")[0] == end}
                self.assertEqual(found, {ages}, f"{name}: {start} -> {end}")
            for number, ages in enumerate(AZ_AT_MONITORS[name]):
                constraint = plan["constraints"][number]
                paths = [(ms(p["age_min_s"]), ms(p["age_max_s"])) for p in constraint["paths"]]
                self.assertEqual(paths, [(age, age) for age in ages], name)
                holds = ages[0] == ages[1]
                self.assertEqual(constraint["holds"], holds)
                self.assertEqual(plan["constraints"][number + 2]["holds"], holds)

    def test_trace_shows_the_old_command(self):
        """The monitor of E5 at 0.04 s judges a command of 0.02 s."""
        text = self.hocket("trace", self.system, "fcc1b.relay_e", "--at", "0.04", "--schedule",
                           self.schedule("e5"), "--depth", "1").stdout
        self.assertRegex(text, r"fcc1a\.delta_e_c\b.*\b20 ms")
        text = self.hocket("trace", self.system, "fcc1b.relay_e", "--at", "0.04", "--schedule",
                           self.schedule("e3"), "--depth", "1").stdout
        self.assertNotRegex(text, r"fcc1a\.delta_e_c\b.*\b20 ms")

    # ---- the runs ----

    def expect_numbers(self, name, settings=()):
        found, met = self.result(name, settings)
        printed = tuple(f"{value:.{digits}f}" for value, digits in zip(found, (3, 4, 3, 4, 6)))
        self.assertEqual(printed, NUMBERS[name], name)
        self.assertTrue(met)

    def test_configuration_a(self):
        """E2, E4 and E5, which the check rejects, pass P1 to P4 as well."""
        for name in PARTITIONS:
            self.expect_numbers(name)

    def test_configuration_b(self):
        eps = [f"fcc{n}b.eps_{what}=1e-4" for n in (1, 2) for what in ("e", "th")]
        for name in ("e1", "e3", "e4"):
            self.expect_numbers(name, eps)
        for name, error in (("e2", 1015.0), ("e5", 1017.0)):
            found, met = self.result(name, eps)
            self.assertFalse(met, name)
            self.assertAlmostEqual(found[3], error, delta=0.5)
        for other in ("5e-4", "1e-5"):
            verdicts = [self.result(name, [e.replace("1e-4", other) for e in eps])[1]
                        for name in PARTITIONS]
            self.assertEqual(verdicts, [True, False, True, True, False])

    def test_only_the_check_finds_e4(self):
        """Couple 2 takes over: the aircraft flies as in E3, to the last bit, on a false alarm."""
        eps = [f"fcc{n}b.eps_{what}=1e-4" for n in (1, 2) for what in ("e", "th")]
        columns = ("flight_dynamics.*", "fcc1b.relay_th")
        runs = [self.run_partition(self.schedule(name), eps, columns) for name in ("e3", "e4")]
        for column, values in runs[0].items():
            if column.startswith("flight_dynamics."):
                self.assertEqual(runs[1][column], values)
        self.assertEqual(set(runs[0]["fcc1b.relay_th"]), {1.0})
        self.assertIn(0.0, runs[1]["fcc1b.relay_th"])
        self.assertTrue(self.errors_of(self.system, self.schedule("e4")))

    def test_configuration_c(self):
        """A hypothesis: commands inside a processor start at 0. In E2 there are none."""
        to_monitors = [f"fcc{n}a.delta_{what}_c -> fcc{n}b.delta_{what}_c"
                       for n in (1, 2) for what in ("e", "th")]
        to_cables = [f"fcc{n}a.delta_{what}_c -> cables.delta_{what}_c_{n}"
                     for n in (1, 2) for what in ("e", "th")]
        inside = {"e1": to_monitors + to_cables, "e2": [], "e3": to_monitors, "e4": to_monitors,
                  "e5": to_monitors}
        for name, links in inside.items():
            text = self.schedule(name).read_text(encoding="utf-8")
            text += "".join(f"link {link} initial 0\n" for link in links)
            (self.scratch / "c.schedule").write_text(text, encoding="utf-8")
            run = self.run_partition("c.schedule")
            error = properties(run["time"], run["flight_dynamics.vz"], 2.5)[3]
            if name == "e5":
                self.assertAlmostEqual(error, 1028.0, delta=0.5)
            else:
                self.assertEqual(f"{error:.4f}", NUMBERS[name][3])

    def test_case_2(self):
        verdicts = [self.result(name, CASE_2, 2)[1] for name in PARTITIONS]
        self.assertEqual(verdicts, [True, False, True, True, False])
        for name in ("e2", "e5"):
            run = self.run_partition(self.schedule(name), CASE_2, ("fcc1b.relay_th",))
            opened = next(t for t, closed in zip(run["time"], run["fcc1b.relay_th"]) if not closed)
            self.assertEqual(opened, 0.02)

    def test_keeping_gives_the_bytes_of_e1(self):
        records = []
        for name, threads in (("e1", "1"), ("e1", "2"), ("e2_keep", "1"), ("e2_keep", "2")):
            self.hocket("run", self.system, "--schedule", self.schedule(name), "--threads", threads,
                        "-o", "run.csv", "-q")
            records.append((self.scratch / "run.csv").read_bytes())
        self.hocket("run", self.system, "-o", "run.csv", "-q")
        records.append((self.scratch / "run.csv").read_bytes())
        self.assertEqual(len(set(records)), 1)
        self.hocket("run", self.system, "--schedule", self.schedule("e2"), "-o", "run.csv", "-q")
        self.assertNotEqual((self.scratch / "run.csv").read_bytes(), records[0])


    def test_a_run_can_be_repeated(self):
        """The command that a run shows for that names the schedule."""
        done = self.hocket("run", self.system, "--schedule", self.schedule("e2"), "--json", "-q")
        self.assertIn(f" --schedule={self.schedule('e2')}", json.loads(done.stdout)["reproduce"])


class Subtractor(Case):
    """examples/02_coincidence"""
    system = property(lambda self: OPTIONS.examples / "02_coincidence" / "subtractor.ssd")

    def differences(self, schedule):
        self.hocket("run", self.system, "--schedule", self.system.with_name(schedule), "-o",
                    "run.csv", "-q")
        return self.columns_of("run.csv")["c.difference"]

    def test_good(self):
        self.hocket("check", self.system, "--schedule", self.system.with_name("good.schedule"))
        self.assertEqual(set(self.differences("good.schedule")), {0.0})

    def test_bad(self):
        errors = self.errors_of(self.system, self.system.with_name("bad.schedule"))
        self.assertEqual([error["code"] for error in errors], ["HK0415"])
        self.assertIn("'source -> a -> c' and 'source -> b -> c'", errors[0]["text"])
        differences = self.differences("bad.schedule")
        self.assertEqual(set(differences[2:]), {1.0})
        text = self.system.with_name("bad.schedule").read_text(encoding="utf-8")
        (self.scratch / "hint.schedule").write_text(repaired(text, errors[0]["hint"]),
                                                    encoding="utf-8")
        self.hocket("check", self.system, "--schedule", "hint.schedule")


class Language(Case):
    """r_rosace.system gives the bytes of the package."""
    TIMES = ("--stop-time", "50", "--output-interval", "0.005")

    def record(self, system, *words):
        self.hocket("run", system, *words, "-o", "run.csv", "-q")
        return (self.scratch / "run.csv").read_bytes()

    def expected(self, *words):
        return self.record(OPTIONS.models / "r_rosace.ssp", *words)

    def test_same_bytes(self):
        system = OPTIONS.models / "language" / "r_rosace.system"
        every = ("--output-variable", "*")
        self.assertTrue(self.record(system, *self.TIMES, *every) == self.expected(*every))
        case_2 = [word for setting in CASE_2 for word in ("--set", setting)]
        self.assertTrue(self.record(system, *self.TIMES, *case_2) == self.expected(*case_2))

    def test_partitions(self):
        """As a schedule beside the system, and as processors in it."""
        system = OPTIONS.models / "language" / "r_rosace.system"
        records = set()
        for name in (*PARTITIONS, "e2_keep"):
            schedule = OPTIONS.models / f"{name}.schedule"
            expected = self.expected("--schedule", schedule)
            records.add(expected)
            self.assertTrue(self.record(system, *self.TIMES, "--schedule", schedule) == expected)
            statements = re.findall(r"^(?:processor|cut) .*$",
                                    schedule.read_text(encoding="utf-8"), re.MULTILINE)
            text = system.read_text(encoding="utf-8").replace(
                "r_rosace.types", str(OPTIONS.models / "language" / "r_rosace.types"))
            head, tail = text.rsplit("  }\n}", 1)
            inside = "".join(f"    {statement};\n" for statement in statements)
            (self.scratch / "cut.system").write_text(f"{head}{inside}  }}\n}}{tail}",
                                                     encoding="utf-8")
            self.assertTrue(self.record("cut.system", *self.TIMES) == expected, name)
        self.assertEqual(len(records), 3)  # E3, E4 and E5 differ in what couple 2 does only


def print_table():
    case = Rosace()
    case.setUp()
    eps = [f"fcc{n}b.eps_{what}=1e-4" for n in (1, 2) for what in ("e", "th")]
    for title, settings, number in (("A", (), 1), ("B", eps, 1), ("case 2, A", CASE_2, 2)):
        for name in PARTITIONS:
            found, met = case.result(name, settings, number)
            print(f"{title:10} {name}  {'pass' if met else 'FAIL'}  "
                  + "  ".join(f"{value:.6g}" for value in found))
    case.doCleanups()


def main():
    global OPTIONS
    parser = argparse.ArgumentParser()
    parser.add_argument("--hocket", type=pathlib.Path, required=True)
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--examples", type=pathlib.Path, required=True)
    parser.add_argument("--table", action="store_true")
    OPTIONS, rest = parser.parse_known_args()
    for name in ("hocket", "models", "examples"):
        setattr(OPTIONS, name, getattr(OPTIONS, name).resolve())
    if OPTIONS.table:
        return print_table()
    return unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
