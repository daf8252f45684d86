#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Traces of runs, whole, sampled, and tampered with, as `hocket prove --trace` sees them."""
import copy
import itertools
import json
import pathlib
import random
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, THIN, TIMEOUT_S, Case, few, main  # noqa: E402

TRUCK, ROSACE = "quarter_truck.ssp", "r_rosace.ssp"
PORTS = [("real_in", "input", "Real"), ("real_out", "output", "Real"),
         ("bool_in", "input", "Boolean"), ("bool_out", "output", "Boolean"),
         ("int_in", "input", "Integer"), ("int_out", "output", "Integer"),
         ("text_in", "input", "String"), ("text_out", "output", "String")]
SSD = """<?xml version="1.0"?>
<ssd:SystemStructureDescription version="1.0" name="probes"
  xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
  xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon">
<ssd:System name="probes"><ssd:Elements>{elements}</ssd:Elements>
<ssd:Connections>{connections}</ssd:Connections></ssd:System>
<ssd:DefaultExperiment startTime="0" stopTime="1"/></ssd:SystemStructureDescription>
"""
TWO = ("scenario s { instance A { in u; out y; } instance B { in x; out v; %s } "
       "connect A.y -> B.x; connect B.v -> A.u; }\n")
GOING_BACK = ("scenario s { max step 3; instance A { can reject; in f; out x; } "
              "instance B { can reject; in reactive x; out f [x] init [x]; } "
              "connect A.x -> B.x; connect B.f -> A.f; }\n")


def probes(*connections):
    """Two probes with these connections."""
    ports = "".join(f'<ssd:Connector name="{n}" kind="{k}"><ssc:{t}/></ssd:Connector>'
                    for n, k, t in PORTS)
    elements = "".join(f'<ssd:Component name="{c}" type="application/x-fmu-sharedlibrary" '
                       f'source="probe.fmu"><ssd:Connectors>{ports}</ssd:Connectors>'
                       '</ssd:Component>' for c in "ab")
    return SSD.format(elements=elements, connections="".join(
        f'<ssd:Connection startElement="{a}" startConnector="{x}" endElement="{b}" '
        f'endConnector="{y}"/>' for a, x, b, y in connections))


class Trace(Case):
    def hocket(self, *words, given=None):
        done = subprocess.run([OPTIONS.hocket, *map(str, words)], cwd=self.folder,
                              input=given or b"", capture_output=True, timeout=TIMEOUT_S, check=False)
        self.assertIn(done.returncode, (0, 1, 2, 3, 4), done.stderr)
        self.assertNotIn(b"Sanitizer", done.stderr)
        return done.returncode, done.stdout.decode(), done.stderr.decode(errors="backslashreplace")

    def record(self, system, *words, exit=0):
        code, out, err = self.hocket("run", system, *words, "--trace", "calls.jsonl", "-o", "r.csv")
        self.assertEqual(code, exit, out + err)
        lines = (self.folder / "calls.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def judge(self, system, records, *words):
        """Exit status and the words about the trace: the verdict, or why it cannot be read."""
        text = records if isinstance(records, str) else "".join(json.dumps(r) + "\n"
                                                                for r in records)
        (self.folder / "t.jsonl").write_text(text, encoding="utf-8")
        code, out, err = self.hocket("prove", system, "--trace", "t.jsonl", *words)
        lines = [line for line in out.splitlines() if line.startswith("trace")]
        return code, lines[0] if lines else err

    def expect(self, system, records, *words, code=0, says=""):
        found = self.judge(system, records, *words)
        self.assertEqual(found[0], code, found[1])
        self.assertIn(says, found[1])

    def model(self, name):
        return OPTIONS.models / name

    def master(self, text):
        (self.folder / "s.master").write_text(text)
        return "s.master"

    def probe_system(self, *connections):
        shutil.copy(OPTIONS.fmus / "probe.fmu", self.folder)
        (self.folder / "probes.ssd").write_text(probes(*connections))
        return "probes.ssd"

    # ---- whole traces ----

    def test_a_million_calls(self):
        """M1: the strict view of a long run."""
        stop, least = (("0.7", 10_000) if OPTIONS.short else ("70", 1_000_000))
        code, out, err = self.hocket("run", self.model(TRUCK), "--stop-time", stop, "-o", "r.csv",
                                     "--trace", "c.jsonl")
        self.assertEqual(code, 0, out + err)
        code, out, err = self.hocket("prove", self.model(TRUCK), "--stop-time", stop, "--view",
                                     "strict", "--trace", "c.jsonl")
        self.assertEqual(code, 0, out + err)
        words = out[out.index("OK: ") + 4:]
        self.assertGreater(int(words[:words.index(" calls")].replace(" ", "")), least)

    def test_runs_hold(self):
        """M8: several rates, threads, both algorithms, every view; all values are compared."""
        for name, algorithm, threads in few(itertools.product((TRUCK, ROSACE), ("jacobi", "gauss-seidel"), ("1", "3"))):
            common = ("--stop-time", "0.2", "--algorithm", algorithm)
            records = self.record(self.model(name), *common, "--threads", threads)
            for view in ((), ("--view", "contract")):
                with self.subTest(name=name, algorithm=algorithm, threads=threads):
                    code, text = self.judge(self.model(name), records, *common, *view)
                    self.assertEqual(code, 0, text)
                    self.assertIn("holds: OK", text)
                    self.assertRegex(text, "values compared(, 1 not)?(;|$)")
                    self.assertNotIn("gap", text)

    def test_cut(self):
        """A trace that ends too early is not a yes, wherever it is cut."""
        common = ("--stop-time", "0.2")
        records = self.record(self.model(TRUCK), *common)
        last = max(r["t"] for r in records)
        for kept, says in ((records[:len(records) // 2 + 1], "INCOMPLETE"),
                           ([r for r in records if r["t"] < last], "the run ends at 0.2"),
                           (records[:-1], "INCOMPLETE")):
            for view in ((), ("--view", "contract")):
                with self.subTest(kept=len(kept), view=view):
                    self.expect(self.model(TRUCK), kept, *common, *view, code=1, says=says)

    def test_values_are_there(self):
        """What hocket has written has values in each line."""
        common = ("--stop-time", "0.2")
        records = self.record(self.model(TRUCK), *common)
        at = next(i for i in range(len(records) // 2, len(records)) if "values" in records[i])
        del records[at]["values"]
        self.expect(self.model(TRUCK), records, *common, code=3, says="'values' is missing")

    # ---- tampering ----

    def changes(self, records):
        """Each is a way to change a trace in its middle, and whether that can be seen by numbers
        alone, so that it is not a trace any more."""
        first = next(i for i, r in enumerate(records) if "mode" not in r)
        middle = next(i for i in range(len(records) // 2, len(records))
                      if records[i]["phase"] != records[i - 1]["phase"])
        at = {op: next(i for i in range(middle, len(records)) if records[i]["op"] == op and
                       records[i]["instance"] == records[middle]["instance"])
              for op in ("set", "step", "get")}
        inner = {op: next(i for i in range(at[op] + 1, len(records)) if records[i]["op"] == op)
                 for op in at}

        def swap(r, a, b):
            r[a], r[b] = r[b], r[a]

        def update(index, **members):
            return lambda r: r[index].update(members)

        step = records[at["step"]]
        ways = {"no gets": lambda r: r.__setitem__(slice(None), [x for x in r if x["op"] != "get"]),
                "no sets": lambda r: r.__setitem__(slice(None), [x for x in r if x["op"] != "set"]),
                "no steps": lambda r: r.__setitem__(slice(None),
                                                    [x for x in r if x["op"] != "step"]),
                "half": lambda r: r.__delitem__(slice(at["set"] + 1, len(r) - 3)),
                "set and step": lambda r: swap(r, at["set"], at["step"]),
                "step and get": lambda r: swap(r, at["step"], at["get"]),
                "set is a get": update(at["set"], op="get"),
                "another t of a set": update(at["set"], t=records[at["set"]]["t"] + 7),
                "another t of a get": update(at["get"], t=records[at["get"]]["t"] + 7),
                "another t of a step": update(at["step"], t=step["t"] + step["h"] / 2),
                "a longer step": update(at["step"], h=step["h"] * 2),
                "an empty step": update(at["step"], h=0),
                "another value": lambda r: r[at["set"]]["values"].__setitem__(0, 12345.5),
                "a text": lambda r: r[at["set"]]["values"].__setitem__(0, "x"),
                "a set of initialization": update(at["set"], mode="init"),
                "a step of initialization": update(at["step"], mode="init"),
                "an initial step": lambda r: r[first - 1].update(op="step", h=1),
                "another initial time": lambda r: r[first - 1].update(t=3)}
        for op in at:
            ways[f"no {op}"] = lambda r, i=at[op]: r.__delitem__(i)
            ways[f"no inner {op}"] = lambda r, i=inner[op]: r.__delitem__(i)
            ways[f"{op} again"] = lambda r, i=at[op]: r.insert(i, copy.deepcopy(r[i]))
        return ways

    def tamper(self, name, *common):
        records = self.record(self.model(name), *common)
        self.expect(self.model(name), records, *common, says="holds: OK")
        for what, change in list(self.changes(records).items())[::THIN]:
            for numbers in ("kept", "new"):
                changed = copy.deepcopy(records)
                change(changed)
                for number, record in enumerate(changed if numbers == "new" else ()):
                    record["n"] = number
                with self.subTest(name=name, what=what, numbers=numbers):
                    code, text = self.judge(self.model(name), changed, *common)
                    self.assertIn(code, (1, 3), text)
                    if numbers == "new" and code == 1:
                        self.assertIn("broken: trace violation", text)

    def test_tampering_with_phases(self):
        self.tamper(TRUCK, "--stop-time", "0.02")

    def test_tampering_with_rates(self):
        self.tamper(ROSACE, "--stop-time", "0.06", "--algorithm", "jacobi")

    def test_tampering_with_contracts(self):
        self.tamper(TRUCK, "--stop-time", "0.02", "--algorithm", "gauss-seidel")
        self.tamper(ROSACE, "--stop-time", "0.06", "--algorithm", "gauss-seidel")

    def test_every_component_and_input(self):
        """Nobody may be missing, and no input may have another value, whatever its rate."""
        for name, algorithm, every in ((ROSACE, "jacobi", 1), (ROSACE, "gauss-seidel", 3),
                                       (TRUCK, "gauss-seidel", 1)):
            common = ("--stop-time", "0.06", "--algorithm", algorithm)
            records = self.record(self.model(name), *common)
            middle = len(records) // 2
            for instance in few(sorted({r["instance"] for r in records}), 4):
                for begin in (0, middle):
                    left = [dict(r) for i, r in enumerate(records)
                            if r["instance"] != instance or i < begin]
                    for number, record in enumerate(left):
                        record["n"] = number
                    with self.subTest(name=name, without=instance, begin=begin):
                        self.expect(self.model(name), left, *common, code=1, says="violation")
            seen = {}
            for i in range(middle, len(records)):
                for k, port in enumerate(records[i]["ports"] if records[i]["op"] == "set" else ()):
                    seen.setdefault((records[i]["instance"], port), (i, k))
            for (instance, port), (i, k) in list(sorted(seen.items()))[::every * THIN]:
                changed = copy.deepcopy(records)
                changed[i]["values"][k] += 1
                with self.subTest(name=name, algorithm=algorithm, instance=instance, port=port):
                    self.expect(self.model(name), changed, *common, code=1,
                                says=f"set {instance}.{port} to ")

    def test_whose_step(self):
        """The one that is too long is named, where it happens."""
        common = ("--stop-time", "0.1")
        records = self.record(self.model(ROSACE), *common)
        at = [i for i, r in enumerate(records) if r["op"] == "step" and r["instance"] == "fcc1a"][1]
        records[at]["h"] *= 2
        self.expect(self.model(ROSACE), records, *common, code=1, says="step fcc1a at")

    # ---- what is not there ----

    def test_nothing(self):
        records = self.record(self.model(TRUCK), "--stop-time", "0.01")
        for left in ("", [r for r in records if "mode" in r], "# nothing\n"):
            code, text = self.judge(self.model(TRUCK), left, "--stop-time", "0.01")
            self.assertEqual(code, 1)
            self.assertIn("inconclusive: INCONCLUSIVE", text)
        self.assertIn("HK0428",
                      self.hocket("prove", "-q", self.model(TRUCK), "--trace", "t.jsonl")[2])

    def test_sampled(self):
        for algorithm in ("jacobi", "gauss-seidel"):
            common = ("--stop-time", "0.021", "--algorithm", algorithm)
            records = self.record(self.model(TRUCK), *common, "--trace-sample", "4")
            self.expect(self.model(TRUCK), records, *common, says="5 gaps, 15 cycles not seen")
            self.expect(self.model(TRUCK), records, *common, says=" in 6 cycles")
            at = next(i for i, r in enumerate(records) if r["t"] > 0.01)
            for left in (records[:at - 1] + records[at:], records[:at] + records[at + 1:]):
                self.assertEqual(self.judge(self.model(TRUCK), left, *common)[0], 1)

    def test_tail(self):
        """A trace may begin anywhere."""
        for algorithm in ("jacobi", "gauss-seidel"):
            common = ("--stop-time", "0.02", "--algorithm", algorithm)
            records = self.record(self.model(TRUCK), *common)
            middle = next(i for i, r in enumerate(records) if r["t"] > 0.009)
            for begin in range(middle, middle + 10):
                with self.subTest(algorithm=algorithm, begin=begin):
                    self.expect(self.model(TRUCK), records[begin:], *common, says="1 gap")
                    changed = copy.deepcopy(records[begin:])
                    changed[-5]["t"] += 1
                    self.assertEqual(self.judge(self.model(TRUCK), changed, *common)[0], 1)

    def test_other_length(self):
        records = self.record(self.model(TRUCK), "--stop-time", "0.02")
        self.expect(self.model(TRUCK), records, "--step-size", "0.002", code=1, says="is 0.002 long")

    def test_last_step_is_shorter(self):
        common = ("--stop-time", "0.0105")
        self.expect(self.model(TRUCK), self.record(self.model(TRUCK), *common), *common, says="OK")

    # ---- initialization ----

    def test_initialization(self):
        common = ("--stop-time", "0.01")
        records = self.record(self.model(TRUCK), *common)
        modes = [r.get("mode") for r in records]
        start, first = modes.index("start"), modes.index("init")
        a_set = next(i for i, r in enumerate(records) if i > first and r["op"] == "set")
        changes = {"start value": (lambda r: r[start]["values"].__setitem__(0, 1.25), "start value"),
                   "no start value": (lambda r: r.__delitem__(start), "was not given its start"),
                   "late start value": (lambda r: r.insert(first + 2, r.pop(start)),
                                        "in initialization mode"),
                   "value": (lambda r: r[a_set]["values"].__setitem__(0, 1.25), "to 1.25; "),
                   "no set": (lambda r: r.__delitem__(a_set), "was not set"),
                   "no get": (lambda r: r.__delitem__(first), "was not read")}
        for what, (change, says) in changes.items():
            changed = copy.deepcopy(records)
            change(changed)
            for number, record in enumerate(changed):
                record["n"] = number
            with self.subTest(what):
                self.expect(self.model(TRUCK), changed, *common, code=1, says=says)
        left = [r for r in records if r.get("mode") != "start"]
        self.expect(self.model(TRUCK), left, *common, says="8 start values not in it")
        left = [r for r in records if "mode" not in r]
        self.expect(self.model(TRUCK), left, *common, says="initialization is not in it")

    # ---- values that are not plain numbers ----

    def test_types(self):
        system = self.probe_system(("a", "bool_out", "b", "bool_in"), ("a", "int_out", "b", "int_in"),
                                   ("a", "text_out", "b", "text_in"), ("b", "int_out", "a", "real_in"))
        common = ("--step-size", "0.1")
        records = self.record(system, *common, "--set", 'a.text_in=é "x"', "--set", "a.bool_in=true",
                              "--set", "a.int_in=5")
        code, text = self.judge(system, records, *common)
        self.assertEqual(code, 0, text)
        self.assertNotIn("compared, 4", text)
        for port, wrong in (("bool_in", 7), ("int_in", 6), ("text_in", "y"), ("text_in", 3),
                            ("real_in", 0.5)):
            changed = copy.deepcopy(records)
            at = next(r for r in changed if r["op"] == "set" and port in r["ports"] and r["t"] > 0.4)
            at["values"][at["ports"].index(port)] = wrong
            with self.subTest(port=port, wrong=wrong):
                self.expect(system, changed, *common, code=1, says=port)

    def test_plain_words(self):
        master = self.master("scenario s { instance ctrl { out valve; out mode; } instance tank "
                             "{ in valve; in mode; } connect ctrl.valve -> tank.valve; "
                             "connect ctrl.mode -> tank.mode; }\n")
        text = ("G ctrl.valve true ok\nG ctrl.mode open fmi2OK\nS tank.valve {} OK\n"
                "S tank.mode {} fmi3Warning\nD ctrl 0 1 ok\nD tank 0 1 fmi2OK\n")
        self.expect(master, text.format("true", "open"), says="2 values compared; 1 call returned")
        self.expect(master, text.format("1", "open"), says="2 values compared")
        self.expect(master, text.format("false", "open"), code=1, says="set tank.valve to 0")
        self.expect(master, text.format("true", "shut"), code=1, says="set tank.mode to another text")
        self.expect(master, text.format("null", "open"), says="1 value compared, 1 not")

    def test_extrapolated(self):
        records = self.record(self.model(TRUCK), "--stop-time", "0.02", "--extrapolate")
        code, text = self.judge(self.model(TRUCK), records, "--stop-time", "0.02")
        self.assertEqual(code, 0, text)
        self.assertRegex(text, "compared, [0-9]+ not")

    # ---- names ----

    def test_names(self):
        master = self.master("scenario s { instance ctrl { out valve; } instance tank { in valve; "
                             "out level; } connect ctrl.valve -> tank.valve; }\n")
        head = "G ctrl.valve 1 ok\nG tank.level 1 ok\n"
        for line, code, says in (("S tank.vlave 1 ok", 3, "has no port 'tank.vlave'"),
                                 ("S tank.level 1 ok", 1, "set tank.level: it is an output"),
                                 ("G tank.valve 1 ok", 1, "get tank.valve: it is an input"),
                                 ("D tonk 0 1 ok", 3, "has no instance 'tonk'")):
            with self.subTest(line):
                self.expect(master, head + line + "\n", code=code, says=says)
        records = self.record(self.model(TRUCK), "--stop-time", "0.01")
        self.expect(self.model(TRUCK), records, "--stop-time", "0.01",
                    says="44 calls not in this view")
        records[30]["ports"][0] = "nobody"
        self.expect(self.model(TRUCK), records, code=3, says="has no port")

    def test_recorded_outputs_are_read(self):
        """What the run records belongs to the question, connected or not: of a system, too."""
        for words in ((), ("--synthesise",)):
            code, out, err = self.hocket("prove", self.model(TRUCK), "--spin=never",
                                         "--output-variable", "chassis.z", *words)
            self.assertEqual(code, 0, out + err)
            self.assertIn("9 ports, those that are connected or observed", out)
            self.assertIn("every order of the 12 calls of a cycle", out)
            if words:
                self.assertIn("get chassis.z;", out[out.index("step {"):])
        records = self.record(self.model(TRUCK), "--stop-time", "0.01")
        self.expect(self.model(TRUCK), records, "--output-variable", "*.z", "--stop-time", "0.01",
                    says="11 calls not in this view")

    # ---- statuses ----

    def test_failures(self):
        """M7: a run with a component that discards, or warns."""
        system = self.probe_system(("a", "real_out", "b", "real_in"))
        common = ("--step-size", "0.1")
        fault = ("--set", "b.fault_time=0.45", "--set")
        records = self.record(system, *common, *fault, "b.fault=2", exit=4)
        self.assertEqual([r.get("status") for r in records if r["t"] == 0.5 and r["op"] == "step"],
                         [None, "discard"])
        code, text = self.judge(system, records, *common)
        self.assertEqual(code, 1)
        self.assertIn("inconclusive: INCONCLUSIVE", text)
        self.assertIn("step b at 0.5 by 0.1, did not return OK", text)
        err = self.hocket("prove", system, "--trace", "t.jsonl", *common)[2]
        self.assertIn("HK0428", err)
        self.assertNotIn("HK0427", err)
        records = self.record(system, *common, *fault, "b.fault=13")
        self.expect(system, records, *common, says="5 calls returned Warning")

    # ---- other tools ----

    def test_roll_back(self):
        """M6: what is tried again keeps the contracts, and is not a run of the specification."""
        master = self.master(GOING_BACK)
        head = "G A.x 0 ok\nG B.f 0 ok\nS A.f 0 ok\nV A ok\nV B ok\n"
        once = "D A 0 {0} ok\nG A.x {0} ok\nS B.x {0} ok\nD B 0 {0} ok\n"
        text = (head + once.format(1) + "R A ok\nR B ok\n" + once.format(0.5) +
                "G B.f 3 ok\nS A.f 3 ok\nD A 0.5 0.5 ok\nG A.x 1 ok\nS B.x 1 ok\nD B 0.5 0.5 ok\n"
                "G B.f 4 ok\n")
        self.expect(master, text, says="holds: OK")
        self.expect(master, text, "--view", "contract", says="holds: OK")
        self.expect(master, text, "--view", "strict", code=1, says="violation")
        for was, now, says in (("R B ok\n", "", "A is still at 0.5"),
                               ("V B ok\n", "", "restore B: it was not saved"),
                               ("S B.x 0.5", "S B.x 1", "set B.x to 1; A.x gave 0.5"),
                               ("D B 0 0.5", "D B 0 0.25", "B is still at 0.25")):
            with self.subTest(was):
                self.expect(master, text.replace(was, now, 1), code=1, says=says)

    def test_plain_initialization(self):
        master = self.master(GOING_BACK)
        init = "M init\nG A.x 0 ok\nS B.x 0 ok\nG B.f 0 ok\nS A.f 0 ok\nM step\n"
        run = ("G A.x 0 ok\nG B.f 0 ok\nS A.f 0 ok\nD A {0} 1 ok\nG A.x 2 ok\nS B.x 2 ok\n"
               "D B {0} 1 ok\nG B.f 3 ok\n")
        self.expect(master, init + run.format(0), says="OK: 12 calls in 1 cycle")
        self.expect(master, init.replace("M step\n", "") + run.format(0), code=1, says="violation")
        self.expect(master, init.replace("S B.x 0", "S B.x 9") + run.format(0), code=1,
                    says="set B.x to 9; A.x gave 0")
        self.expect(master, init.replace("S A.f 0 ok\n", "") + run.format(0), code=1,
                    says="A.f was not set")
        self.expect(master, run.format(5), code=1, says="it is at 0")
        self.expect(master, run.format(5), "--start-time", "5", says="holds: OK")

    def test_slow_instances(self):
        """Outputs of a slow instance are read when it has stepped, or when it takes part again."""
        master = self.master(TWO % "rate 3;")
        late = ("G A.y 1 ok\nG B.v 1 ok\nS A.u 1 ok\nS B.x 1 ok\nD A 0 1 ok\nD B 0 3 ok\n"
                "G A.y 2 ok\nS A.u 1 ok\nD A 1 1 ok\nG A.y 2 ok\nS A.u 1 ok\nD A 2 1 ok\n"
                "G A.y 2 ok\nG B.v 5 ok\nS A.u 5 ok\nS B.x 2 ok\nD A 3 1 ok\nD B 3 3 ok\n")
        early = late.replace("G B.v 5 ok\n", "").replace("G A.y 2 ok\n", "G A.y 2 ok\nG B.v 5 ok\n",
                                                        1).replace("S A.u 1 ok\nD A 1",
                                                                   "S A.u 5 ok\nD A 1").replace(
                                                                       "S A.u 1 ok\nD A 2",
                                                                       "S A.u 5 ok\nD A 2")
        self.expect(master, late, says="holds: OK: 18 calls in 4 cycles")
        self.expect(master, early, says="holds: OK: 18 calls in 4 cycles")
        self.expect(master, late.replace("G B.v 5 ok\n", ""), code=1, says="violation")
        self.expect(master, late.replace("S A.u 5", "S A.u 1"), code=1, says="violation")
        self.expect(master, late.replace("D B 3 3", "D B 3 4"), code=1, says="its step is 3 long")

    def test_first_cycle_of_json(self):
        master = self.master("scenario s { instance A { out y; } instance B { in reactive x; } "
                             "connect A.y -> B.x; }\n")
        calls = [{"t": 0, "op": "get", "instance": "A", "ports": ["y"], "values": [1]},
                 {"t": 0, "op": "set", "instance": "B", "ports": ["x"], "values": [1]},
                 {"t": 0, "op": "step", "instance": "B", "h": 1},
                 {"t": 0, "op": "step", "instance": "A", "h": 1}]
        self.expect(master, calls, code=1, says="set B.x: it wants the end of the step")

    def test_forms_of_json(self):
        master = self.master("scenario s { instance A { out y; } instance B { in x; } "
                             "connect A.y -> B.x; }\n")
        text = ('{"t":0,"op":"get","instance":"\\u0041","ports":["\\u0079"],"values":["\\u00e9\\n"]}\n'
                '{"t":0,"op":"set","instance":"B","ports":["B.x"],"values":["é\\u000a"]}\n'
                '{"t":0,"op":"step","instance":"A","h":1,"status":"fmi2OK"}\n'
                '{"t":0,"op":"step","instance":"B","h":1}\n')
        for form in (text, "\n  \n" + text, "\ufeff" + text):
            self.expect(master, form, says="OK: 4 calls in 1 cycle, phase by phase; 1 value compared")
        self.expect(master, text.replace("\\u000a", "\\u000b"), code=1, says="another text")
        for was, now, says in (('"h":1}', '"h":1,"more":[{"a":1}]}', "t.jsonl:4: error[HK0311]: a call has no member 'more'"),
                               ('"h":1}', '"h":1,"cell":-1}', "4: error[HK0311]: 'cell' is to be a whole number"),
                               ('"h":1,', '"h":1,"n":1.5,', "3: error[HK0311]: 'n' is to be a whole number"),
                               ('["\\u00e9\\n"]', '[1e999]', "1: error[HK0311]: this is not a value of 'y'"),
                               ('["\\u00e9\\n"]', '[{}]', "1: error[HK0311]: this is not a value of 'y'"),
                               ("}\n", "}\n\0", "2: error[HK0311]: there is a NUL byte"),
                               ('{"t":0,"op":"get"', '# a comment\n{"t":0,"op":"get"', "has comments before")):
            with self.subTest(now):
                self.assertIn(was, text)
                where = text.rindex(was) if "cell" in now or "more" in now else text.index(was)
                self.expect(master, text[:where] + now + text[where + len(was):], code=3, says=says)
        code, out, err = self.hocket("prove", master, "--trace", "-", given=text.encode())
        self.assertEqual(code, 0, err)
        self.assertIn("OK: 4 calls", out)

    def test_damaged_bytes(self):
        """One byte of a trace is changed. Where a line is not JSON any more it is refused at that
        line; a value that is not what it was is never passed over."""
        def constant(name):
            raise ValueError(name)
        system = self.model("quarter_truck.ssp")
        self.record(system, "--stop-time", "0.005")
        data = (self.folder / "calls.jsonl").read_bytes()
        lines = data.split(b"\n")
        chance = random.Random(8)
        refused = 0
        for _ in range(300 // THIN):
            at = chance.randrange(len(data))
            byte = chance.choice((chance.randrange(256), data[at] ^ 1 << chance.randrange(8)))
            if byte in (data[at], 10) or data[at] == 10:
                continue
            line = data[:at].count(b"\n")
            changed = data[:at] + bytes([byte]) + data[at + 1:]
            (self.folder / "t.jsonl").write_bytes(changed)
            code, out, err = self.hocket("prove", system, "--stop-time", "0.005", "--trace", "t.jsonl")
            try:
                record = json.loads(changed.split(b"\n")[line].decode(),
                                    parse_constant=constant)
            except ValueError:
                self.assertNotEqual(code, 0, (line + 1, changed.split(b"\n")[line], out))
                self.assertIn(f"t.jsonl:{line + 1}", err, (changed.split(b"\n")[line], out))
                refused += 1
                continue
            known = {"op", "instance", "mode", "ports", "values", "status", "phase", "thread", "order"}
            if known & set(json.loads(lines[line])) - set(record):  # it has another name now
                self.assertNotEqual(code, 0, changed.split(b"\n")[line])
        self.assertGreater(refused, 100 // THIN)

    def test_the_lines_of_the_program(self):
        """Cells, phases, exact times and calls that no view looks at are those of the program."""
        common = ("--stop-time", "0.06", "--algorithm", "gauss-seidel")
        records = self.record(self.model(ROSACE), *common)
        self.expect(self.model(ROSACE), records, *common, says="holds: OK")
        middle = next(i for i in range(len(records) // 2, len(records)) if records[i]["op"] == "step")
        get = next(i for i in range(middle, len(records)) if records[i]["op"] == "get")
        cell = records[middle]["cell"]
        cases = (("cell", middle, {"cell": cell + 1}, f"'cell' is {cell + 1}; the program has this call in cell {cell}"),
                 ("phase", middle, {"phase": records[middle]["phase"] + 1}, "the program has this call in phase"),
                 ("t", middle, {"t": records[middle]["t"] * (1 + 3e-16)}, "not an instant of the program"),
                 ("h", middle, {"h": records[middle]["h"] * (1 + 3e-16)}, "the program steps"),
                 ("first", 0, {"phase": 1 - records[0]["phase"]}, "the program has this call in phase"),
                 ("kind", get, {"values": ["x"] * len(records[get]["ports"])}, "this is not a value of"))
        for what, at, members, says in cases:
            changed = copy.deepcopy(records)
            changed[at].update(members)
            with self.subTest(what):
                code, text = self.judge(self.model(ROSACE), changed, *common)
                self.assertIn(code, (1, 3), text)
                if code == 3:
                    self.assertIn(f"t.jsonl:{at + 1}", text)
                    self.assertIn(says, text)
                self.assertTrue(code == 3 or what == "kind", text)
        left = [{k: v for k, v in r.items() if k != "cell"} for r in records]
        self.expect(self.model(ROSACE), left, *common, code=3, says="has no 'cell'")
        left = [{k: v for k, v in r.items() if k not in ("cell", "phase", "n")} for r in records]
        self.expect(self.model(ROSACE), left, *common, says="holds: OK")

    def test_contracts_without_a_trace(self):
        code, out, _ = self.hocket("prove", self.model(TRUCK), "--view", "contract")
        self.assertEqual(code, 0)
        self.assertIn("yes: the contracts hold, and they alone were asked for", out)


if __name__ == "__main__":
    main(flags=("--short",))
