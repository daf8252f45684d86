#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`hocket prove` as a user runs it: plans, masters, traces of runs, exports."""
import json
import math
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from hocket_case import SANITIZED, Case, few, main, plain  # noqa: E402

# With its limit of 5 s spin answers or not as the machine has time; here it takes as long as it takes.
# Its programs have no sanitizers in them.
SPIN = "--spin" if shutil.which("spin") and not SANITIZED else "--spin=never"


# It compiles spin's programs in a tenth of the time.
TINY = {"CC": "tcc"} if shutil.which("tcc") else {}


class Prove(Case):
    environment = TINY

    def said(self, *words, exit=0):
        if SANITIZED and words[0] == "prove" and not any(str(word).startswith("--spin") for word in words):
            words += ("--spin=never",)
        return self.hocket(*words, exit=exit).stdout

    def verdicts(self, *words, exit=0):
        answer = json.loads(self.said("prove", *words, "--json", exit=exit))
        self.assertEqual(answer["schema"], "hocket.prove/1")
        self.assertEqual(answer["holds"], exit == 0)
        return {v["name"]: v for v in answer["verdicts"]}

    def model(self, name):
        return self.options.models / name

    def corpus(self, name):
        return self.options.corpus / name

    def test_plans(self):
        for name in ("quarter_truck.ssp", "quarter_truck_native.ssp", "r_rosace.ssp", "rosace.ssp"):
            jacobi = self.verdicts(self.model(name), "--algorithm", "jacobi", "--spin=never")
            self.assertEqual(jacobi["specification"]["state"], "holds")
            self.assertEqual(jacobi["contracts"]["state"], "holds")
            self.assertEqual(jacobi["spin"]["state"], "not done")
            seidel = self.verdicts(self.model(name), "--algorithm", "gauss-seidel")
            self.assertEqual(seidel["specification"]["state"], "does not apply")
            self.assertEqual(seidel["contracts"]["state"], "holds")

    def test_strict_view(self):
        found = self.verdicts(self.model("quarter_truck.ssp"), "--view", "strict", exit=1)
        self.assertEqual(found["specification"]["state"], "broken")
        self.assertIn("get chassis.z", found["specification"]["text"])
        self.assertEqual(found["specification"]["calls"][-1], "set chassis.p.f")

    @plain
    def test_spin(self):
        self.environment = {}  # the compiler that a user has
        text = self.said("prove", self.model("quarter_truck.ssp"), "--spin")
        if shutil.which("spin"):
            self.assertRegex(text, r"spin +holds: no errors in [0-9 ]+ states")
            text = self.said("prove", self.corpus("S9_get_first.master"), "--spin", exit=1)
            self.assertRegex(text, r"spin +broken: an assertion is violated")
        else:
            self.assertIn("install the package 'spin'", text)

    def test_wrong_master(self):
        text = self.said("prove", self.corpus("S9_get_first.master"), exit=1)
        self.assertIn("5 get tank.level   <- not allowed", text)
        self.said("prove", self.corpus("S9.master"))

    def test_roll_back(self):
        """M6: what is tried again keeps the contracts; the specification does not know it."""
        found = self.verdicts(self.corpus("S3.master"))
        self.assertEqual(found["contracts"]["state"], "holds")
        trace = self.folder / "t.txt"
        trace.write_text("G tank.level 1 ok\nG ctrl.valve 1 ok\nS ctrl.level 1 ok\n"
                         "S tank.valve 1 ok\nV tank ok\nD tank 0 0.1 ok\nR tank ok\n")
        text = self.said("prove", self.corpus("S9.master"), "--trace", trace, exit=1)
        self.assertIn("restore tank in phase STEP", text)

    def test_traces(self):
        """M8; with threads, several rates, sampled, and with a call that is tampered with."""
        for name in ("quarter_truck.ssp", "r_rosace.ssp"):
            for words in few((("jacobi",), ("jacobi", "--threads", "3"), ("gauss-seidel",),
                              ("jacobi", "--trace-sample", "7"))):
                common = ("--stop-time", "0.3", "--algorithm", words[0])
                self.said("run", self.model(name), *common, *words[1:], "--trace", "calls.jsonl",
                            "-o", "r.csv")
                text = self.said("prove", self.model(name), *common, "--trace", "calls.jsonl")
                self.assertIn("holds: OK", text)
        lines = (self.folder / "calls.jsonl").read_text().splitlines()
        self.said("run", self.model("quarter_truck.ssp"), "--stop-time", "0.1", "--trace", "c.jsonl",
                    "-o", "r.csv")
        lines = (self.folder / "c.jsonl").read_text().splitlines()
        common = (self.model("quarter_truck.ssp"), "--trace", "bad.jsonl")
        records = [json.loads(line) for line in lines]
        at = next(i for i, r in enumerate(records) if r["op"] == "step" and r["t"] > 0.05)
        changes = {"longer": lambda r: r[at].update(h=r[at]["h"] * 2),
                   "again": lambda r: r.insert(at, dict(r[at])),
                   "late": lambda r: r[at].update(t=r[at]["t"] + 0.001),
                   "other value": lambda r: next(x for x in r[at:] if x["op"] == "set")["values"]
                   .__setitem__(0, 12345.0)}
        for name, change in changes.items():
            changed = [json.loads(line) for line in lines]
            change(changed)
            for number, record in enumerate(changed):
                record["n"] = number
            (self.folder / "bad.jsonl").write_text("".join(json.dumps(r) + "\n" for r in changed))
            with self.subTest(name):
                self.assertIn("trace violation", self.said("prove", *common, exit=1))

    def test_discard_is_inconclusive(self):
        trace = self.folder / "t.txt"
        trace.write_text("G tank.level 1 ok\nG ctrl.valve 1 discard\nS tank.valve 1 ok\n")
        text = self.said("prove", self.corpus("S9.master"), "--trace", trace, exit=1)
        self.assertIn("INCONCLUSIVE", text)

    def test_what_is_made_is_accepted(self):
        """T2 as a user meets it: scenarios without an algorithm; what is made is printed, written,
        and read again; where FMI forbids it the exit status says so."""
        for number in few(range(1, 11)):
            name = f"S{number}"
            text = self.corpus(name + ".master").read_text().split("algorithm {")[0]
            (self.folder / "bare.master").write_text(text)
            illegal = name in ("S6", "S7")
            with self.subTest(name):
                found = self.verdicts("bare.master", "-o", "made.master", SPIN, exit=int(illegal))
                never = ("bare.master", "--spin=never")
                self.assertEqual(found["synthesis"]["state"], "holds")
                self.assertEqual(found["contracts"]["state"], "holds")
                self.assertEqual(found["specification"]["state"],
                                 "holds" if name in ("S5", "S8", "S9") else "does not apply")
                self.assertEqual(found["fmi"]["state"], "forbidden" if illegal else "holds")
                again = self.verdicts("made.master", SPIN, exit=int(illegal))
                del found["synthesis"]
                for kind, verdict in again.items():
                    self.assertEqual(verdict["state"], found[kind]["state"], kind)
                printed = self.said("prove", *never, exit=int(illegal))
                made = (self.folder / "made.master").read_text()
                self.assertRegex(printed.split("\n\n" + made + "\n")[1], "^(yes|no): .*\n$")
                answer = json.loads(self.said("prove", *never, "--json", exit=int(illegal)))
                self.assertEqual(answer["master"], made)
        self.said("prove", self.corpus("S9.master"), "-o", "x.master", exit=2)

    def test_settings_are_made_too(self):
        (self.folder / "s.master").write_text(
            "scenario s { instance A { parameters 2; in u initial; out y init [u]; out z; }"
            " instance B { in u; out y init [u]; } connect A.y -> B.u; connect B.y -> A.u; }")
        found = self.verdicts("s.master", "-o", "made.master")
        self.assertEqual(found["specification"]["state"], "holds")
        self.assertEqual((self.folder / "made.master").read_text().count("parameter A;"), 2)
        self.verdicts("made.master")
        strict = self.verdicts("made.master", "--view", "strict", exit=1)
        self.assertIn("get A.z", strict["specification"]["text"])

    def test_sampled_is_told(self):
        text = "scenario s { max step 4; " + "".join(
            f"instance I{i} {{ can reject; in u; out y; }} " for i in range(12)) + "".join(
            f"connect I{i}.y -> I{(i + 1) % 12}.u; " for i in range(12)) + "}"
        (self.folder / "many.master").write_text(text)
        found = self.verdicts("many.master")["contracts"]
        self.assertTrue(found["sampled"])
        self.assertIn("a part was tried", found["text"])
        self.assertFalse(self.verdicts(self.corpus("S2.master"))["contracts"]["sampled"])

    def ring(self, *connections):
        """Probes whose real_out is declared to depend on real_in."""
        shutil.copy(self.options.fmus / "probe.fmu", self.folder)
        leaves = sorted({c[0] for c in connections} | {c[1] for c in connections})
        (self.folder / "ring.system").write_text(
            "system ring { composite all { "
            + " ".join(f'leaf {x} : "probe.fmu" {{ frequency 10 Hz; }}' for x in leaves)
            + " ".join(f"link {a}.real_out -> {b}.real_in{lag};" for a, b, lag in connections)
            + " } }")
        return "ring.system", "--stop-time", "1", "--spin=never"

    def test_modelled(self):
        """What FMUs declare to act at once, beside what the plan does: told, by the ports."""
        loop = self.ring(("a", "b", ""), ("b", "a", ""))
        found = self.verdicts(*loop, "--algorithm", "jacobi")
        self.assertEqual(found["contracts"]["state"], "holds")
        self.assertEqual(found["modelled"]["state"], "differs")
        self.assertEqual(found["modelled"]["loop"],
                         ["a.real_in", "a.real_out", "b.real_in", "b.real_out"])
        self.assertIn("algebraic loop", found["modelled"]["text"])
        self.assertIn("2 outputs are one step late", found["modelled"]["text"])
        text = self.said("prove", *loop, "--algorithm", "jacobi")
        self.assertRegex(text, r"modelled +differs: .*a\.real_in -> a\.real_out -> b\.real_in -> ")
        # The same in words: there the dependencies are part of the scenario, and no plan cuts them.
        (self.folder / "loop.master").write_text(
            "scenario loop { instance a { in u; out y [u] init [u]; }"
            " instance b { in u; out y [u] init [u]; } connect a.y -> b.u; connect b.y -> a.u; }")
        found = self.verdicts("loop.master", exit=1)
        self.assertEqual(found["fmi"]["state"], "forbidden")
        self.assertIn("a.y depends without delay on a.u", found["fmi"]["text"])
        # Without a ring an order of steps gives what is declared, and a delay that is meant is none.
        chain = self.ring(("a", "b", ""), ("b", "c", ""))
        found = self.verdicts(*chain, "--algorithm", "jacobi")
        self.assertEqual(found["modelled"]["state"], "differs")
        self.assertIn("--algorithm gauss-seidel", found["modelled"]["text"])
        self.assertNotIn("loop", found["modelled"])
        self.assertEqual(self.verdicts(*chain, "--algorithm", "gauss-seidel")["modelled"]["state"],
                         "holds")
        meant = self.ring(("a", "b", " lag previous"), ("b", "a", " lag previous"))
        self.assertEqual(self.verdicts(*meant)["modelled"]["state"], "holds")

    # M3 and M4, in place of FMUs that cannot be shipped: systems of parts.c, as plugin and as FMUs.

    def run_parts(self, name, frequency, stop, parts, links):
        """Runs, traces and proves; the rows of the record, once for each kind of component."""
        records = []
        interval = 1 / frequency
        for kind in ("native", "fmu"):
            shutil.copy(self.options.plugin, self.folder)
            leaves = ""
            for part, (type_, params) in parts.items():
                source = f"parts.so#{type_}"
                if kind == "fmu":
                    source = f"prove_{type_}.fmu"
                    shutil.copy(self.options.fmus / source, self.folder)
                leaves += f'leaf {part} : "{source}" {{ frequency {frequency} Hz; {params} }}\n'
            system = f"{name}_{kind}.system"
            (self.folder / system).write_text(
                f"system {name} {{ composite all {{\n{leaves}"
                + "".join(f"link {link} lag previous;\n" for link in links) + "} }\n")
            common = (system, "--stop-time", stop)
            ran = json.loads(self.said("run", *common, "--output-interval", interval, "--trace",
                                         "calls.jsonl", "-o", "r.csv", "--json"))
            self.assertEqual(ran["sound"]["monitor"], "phase")
            self.assertGreaterEqual(ran["sound"]["calls"], stop * frequency * len(parts))
            found = self.verdicts(*common, "--spin=never")
            self.assertEqual({found[x]["state"] for x in ("specification", "contracts", "fmi",
                                                          "modelled")}, {"holds"})
            self.assertIn("holds: OK", self.said("prove", *common, "--trace", "calls.jsonl"))
            lines = (self.folder / "r.csv").read_text().splitlines()
            names = lines[0].split(",")
            records.append([dict(zip(names, map(float, row.split(",")))) for row in lines[1:]])
        return records

    def test_water_tank_run(self):
        """M3: level and switching times are those of the same equations here."""
        expected, level, valve = [], 0.0, False
        for step in range(101):
            expected.append((level, valve))
            inlet, seen = valve, level
            for _ in range(10):
                level += 0.1 / 10 * (1.0 - (1.4 * math.sqrt(level) if inlet else 0.0))
            valve = True if seen >= 2 else False if seen <= 1 else valve
        switches = [round(k * 0.1, 1) for k in range(1, 101) if expected[k][1] != expected[k - 1][1]]
        self.assertEqual(switches, [2.1, 3.9, 5.1, 6.9, 8.1, 9.9])
        for rows in self.run_parts("water_tank", 10, 10,
                                   {"tank": ("tank", ""),
                                    "ctrl": ("two_point", "param most = 2; param least = 1;")},
                                   ("tank.level -> ctrl.level", "ctrl.valve -> tank.valve")):
            self.assertEqual(len(rows), 101)
            for row, (level, valve) in zip(rows, expected):
                self.assertAlmostEqual(row["tank.level"], level, places=12)
                self.assertEqual(row["ctrl.valve"], valve)

    def test_line_follower_run(self):
        """M4: a body, two sensors, a controller; the robot finds the line and stays on it."""
        x, y, heading, dark, speeds = 0.0, 0.03, -0.2, (False, False), (0.0, 0.0)
        expected = []
        for step in range(2001):
            expected.append((x, y, heading, *dark))
            left, right = speeds
            seen = [abs(y + 0.1 * math.sin(heading) + side * math.cos(heading)) < 0.02
                    for side in (0.03, -0.03)]
            speeds = tuple(0.1 if is_dark else 0.2 for is_dark in dark)
            forward = 0.5 * (left + right)
            x, y = (x + 0.01 * forward * math.cos(heading), y + 0.01 * forward * math.sin(heading))
            heading += 0.01 * (right - left) / 0.2
            dark = tuple(seen)
        self.assertTrue(all(abs(row[1]) < 0.01 for row in expected[1000:]))
        self.assertTrue(any(row[3] for row in expected) and any(row[4] for row in expected))
        names = ("body.x", "body.y", "body.heading", "left.dark", "right.dark")
        seconds = 2 if SANITIZED else 20
        for rows in self.run_parts("line_follower", 100, seconds,
                                   {"body": ("body", ""), "left": ("sensor", "param side = 0.03;"),
                                    "right": ("sensor", "param side = -0.03;"),
                                    "ctrl": ("steering", "")},
                                   ("body.y -> left.y", "body.heading -> left.heading",
                                    "body.y -> right.y", "body.heading -> right.heading",
                                    "left.dark -> ctrl.dark_left", "right.dark -> ctrl.dark_right",
                                    "ctrl.left -> body.left", "ctrl.right -> body.right")):
            self.assertEqual(len(rows), 100 * seconds + 1)
            for row, values in zip(rows, expected):
                for name, value in zip(names, values):
                    self.assertAlmostEqual(row[name], value, places=9)

    def test_exports(self):
        for turn in ("a", "b"):
            self.said("prove", self.model("r_rosace.ssp"), "--algorithm", "jacobi", "--export-csp",
                        turn + ".csp", "--export-promela", turn + ".pml")
        for kind in (".csp", ".pml"):
            first = (self.folder / ("a" + kind)).read_bytes()
            self.assertEqual(first, (self.folder / ("b" + kind)).read_bytes())
            self.assertTrue(first)
        self.assertIn(b"assert CoSimulation [T= Master", (self.folder / "a.csp").read_bytes())

    def test_broken_constraints_are_told(self):
        """Ages are not what is proved: a yes does not hide that a constraint on them is broken."""
        for limit, told in (("1s", False), ("0", True)):
            (self.folder / "ages.system").write_text(
                "system ages { composite all { leaf a : hk.Ramp { period 1s; } "
                "leaf b : hk.Gain { period 1s; } link a.y -> b.u lag previous; "
                f"latency a -> b max {limit}; }} }}\n")
            done = self.hocket("prove", "ages.system", "--stop-time", "4")
            self.assertEqual("the constraint on ages does not hold" in done.stderr, told,
                             done.stdout + done.stderr)

    def test_values_of_the_future_once(self):
        """What the plan warns of is not reported again in the words of the master that was made from it; a master is not
        told to use a word that it does not have."""
        shutil.copy(self.options.fmus / "probe.fmu", self.folder)
        self.write("s.system", 'system s { composite all { leaf a : "probe.fmu" { frequency 10 Hz; } '
                               "leaf b : hk.Gain { frequency 10 Hz; } link a.real_out -> b.u; } }")
        late = "holds only at the end of the step of 'a'"
        made = self.hocket("prove", "s.system", "--stop-time", "1", "--synthesise", "-o", "s.master")
        self.assertEqual(made.stderr.count(late), 1, made.stderr)
        ran = self.hocket("run", "s.system", "--stop-time", "1", "--master", "s.master", "-o", "r.csv")
        self.assertEqual(ran.stderr.count(late), 1, ran.stderr)
        self.assertIn("let 'b.u' not be 'reactive' in the master, or run without a master and use the lag 'observe'",
                      ran.stderr)

    def test_wrong_usage(self):
        self.said("prove", exit=2)
        self.said("prove", "nothing.ssp", exit=3)
        self.said("prove", self.model("quarter_truck.ssp"), "--view", "other", exit=2)
        self.said("prove", self.model("quarter_truck.ssp"), "--trace", "nothing", exit=3)
        (self.folder / "t.txt").write_text("nonsense\n")
        self.said("prove", self.model("quarter_truck.ssp"), "--trace", "t.txt", exit=3)


if __name__ == "__main__":
    main("--hocket", "--models", "--corpus", "--plugin", "--fmus")
