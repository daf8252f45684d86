#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All that a run on one node has, on several: how it ends, and what it says."""
import json
import os
import pathlib
import random
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import SLOW, Case, few, main

TRANSPORTS = ("shm", "unix")
# Of tests/fmus/probe.c and probe3.c: the run ends inside of a step, or after it; warnings; failures; none.
FAULTS = {"probe": (3, 3, 3, 1, 2, 4, 5, 12, 13, 0), "probe3": (3, 3, 17, 17, 17, 1, 2, 4, 6, 13, 0)}
SHOWN = ("real_in", "state", "real_out", "int_out", "text_in")


def system_of(chance):
    """Some probes, of which one or two end the run or fail, with any lags between them; and what they are called."""
    count = chance.randint(2, 5)
    names = "abcde"[:count]
    faulty = chance.sample(names, chance.choice((1, 1, 2)))
    text = "system s {\n  composite all {\n"
    for name in names:
        kind = chance.choice(("probe", "probe3"))
        text += f'    leaf {name} : "{kind}.fmu" {{ period {chance.choice((100, 100, 100, 200, 300, 500))}ms;'
        if name in faulty:
            text += f" param fault = {chance.choice(FAULTS[kind])}; param fault_time = {chance.choice((0, 0.05, 0.3, 0.55, 0.75))}s;"
        text += f" param gain = {chance.choice((1, 2, -1))}; }}\n"
    driven = set()
    for _ in range(chance.randint(0, 2 * count)):
        a, b = chance.sample(names, 2)
        if b not in driven:
            lag = chance.choice(("lag previous", "lag current", "lag observe", "", "lag previous delay 100ms initial 0.5"))
            text += f"    link {a}.real_out -> {b}.real_in {lag};\n"
            driven.add(b)
    return text + "  }\n}\n", names, [name for name in names if name not in driven]


def words_of(chance, folder, names, free):
    """How it is run."""
    words = ["--stop-time", chance.choice(("1", "1.05", "2")), "--output-interval", chance.choice(("0.1", "0.05", "0.3"))]
    if free and chance.random() < 0.6:
        rows = "".join(f"{t / 10},{t * t % 7}\n" for t in range(0, 20, 2))
        (folder / "table.csv").write_text(f"time,{chance.choice(free)}.real_in\n{rows}")
        words += ["--input-file", "table.csv"]
    if chance.random() < 0.4:
        for name in names:
            for shown in SHOWN:
                words += ["--output-variable", f"{name}.{shown}"]
    if chance.random() < 0.2:
        words += ["--stop-when", f"{names[0]}.state > 0.3"]
    return words


# The initial values of the FMU and of 'sum' depend on each other, and settle after some passes; 'seen' and the recorder,
# which may be elsewhere, see what came of it.
LOOP = """
system s { experiment start 0s stop 1s step 10ms; composite all {
  leaf fmu : "mock2.fmu" { period 2 ms; }
  leaf sum : hk.Sum { period 2 ms; param gain_a = 0.3; }
  leaf other : hk.Sum { period 2 ms; }
  leaf seen : hk.Sum { period 2 ms; }
  link sum.y -> fmu.u lag previous;
  link fmu.y -> sum.a lag previous;
  link other.y -> sum.c initial 0.25;
  link fmu.y -> seen.d lag previous;
} }
"""


class Whole(Case):
    def test_a_loop_of_initial_values(self):
        shutil.copy(self.options.fmus / "mock2.fmu", self.folder)
        self.write("loop.system", LOOP)
        self.hocket("run", "loop.system", "-q", "-o", "one.csv")
        for nodes in (2, 3, 4):
            for transport in TRANSPORTS:
                self.hocket("run", "loop.system", "-q", "-o", "many.csv", "--nodes", nodes, "--transport", transport,
                            "--timeout", "100")
                self.assertEqual((self.folder / "one.csv").read_bytes(), (self.folder / "many.csv").read_bytes())

    def probes(self):
        for kind in FAULTS:
            shutil.copy(self.options.fmus / f"{kind}.fmu", self.folder)

    def said(self, done):
        """What a person reads of it, but for how long it took and how far a failed run came."""
        left_out = ("simulated", "written", "failed") + (("sound",) if done.returncode else ())
        return [line for line in done.stderr.splitlines() if not line.startswith(left_out) and "nodes have nothing to run" not in line]

    def text(self, name):
        path = self.folder / name
        return path.read_bytes() if path.exists() else None

    def same(self, *words, nodes, transport, files=("csv",), said=True):
        """The run on one node and on several: exit status, words, files. '@' in WORDS stands for the name of one, or, as a word
        of its own, for a number of threads."""
        runs = {}
        for name in ("one", "many"):
            for kind in files:
                (self.folder / f"{name}.{kind}").unlink(missing_ok=True)
            more = () if name == "one" else ("--nodes", nodes, "--transport", transport)
            words_of = (str(word) if word != "@" else "1" if name == "one" else "2" for word in words)  # how many threads
            runs[name] = self.hocket("run", *(word.replace("@", name) for word in words_of), *more, "--progress", "none",
                                     "-o", f"{name}.csv", exit=None)
        one, many = runs["one"], runs["many"]
        about = f"{words} on {nodes} nodes over {transport}:\n{many.stderr}"
        self.assertEqual(one.returncode, many.returncode, about)
        if said:
            self.assertEqual([line.replace("one.", "X.") for line in self.said(one)],
                             [line.replace("many.", "X.") for line in self.said(many)], about)
        for kind in files:
            self.assertTrue(self.text(f"one.{kind}") == self.text(f"many.{kind}"), f"{kind}: {about}")
        return one

    def test_components_that_end_the_run_or_fail(self):
        self.probes()
        statuses = set()
        # 254: the recorder sees the end in an instant of its own, or within a burst
        for seed in range(300) if SLOW else (*few(range(24), 2), 254, 254, 254):
            chance = random.Random(seed)
            text, names, free = system_of(chance)
            self.write("s.system", text)
            words = words_of(chance, self.folder, names, free)
            done = self.same("s.system", *words, "--trace", "@.jsonl", "--trace-sample", chance.choice((1, 1, 3)),
                             nodes=chance.randint(1, len(names)), transport=TRANSPORTS[seed % 2], files=("csv", "jsonl"))
            statuses.add((done.returncode, "ended " in done.stderr))
        self.assertTrue({(0, True), (0, False), (4, False)} <= statuses, statuses)

    def test_traces(self):
        """One trace of all nodes, which is that of one, and which is proved."""
        models = self.options.models
        for file, nodes, transport in few(((models / "quarter_truck.ssp", 3, "shm"), (models / "quarter_truck_fmi3.ssp", 2, "unix"),
                                           (models / "quarter_truck_native.ssp", 2, "shm"), (models / "ship.ssp", 3, "shm"),
                                           (models / "r_rosace.ssp", 4, "unix")), 4):
            self.same(file, "--stop-time", "0.2", "--trace", "@.jsonl", nodes=nodes, transport=transport, files=("csv", "jsonl"))
            self.assertGreater(self.text("many.jsonl").count(b"\n"), 50)
        self.hocket("prove", models / "r_rosace.ssp", "--stop-time", "0.2", "--trace", "many.jsonl")

    def test_threads_inside_of_nodes(self):
        """Records and traces are those of one thread, whoever has made the calls."""
        if not os.path.exists(f"{self.options.fmus}/worker.fmu"):
            return  # it belongs to the benchmarks: builds with sanitizers, which are slow, have none
        leaves = "".join(f'leaf w{i} : "{self.options.fmus}/worker.fmu" {{ period 10ms; param rounds = 3e4; }}\n' for i in range(6))
        links = "".join(f"link w{i}.y -> w{(i + 1) % 6}.u lag previous;\n" for i in range(6))
        self.write("w.system", f"system s {{ composite all {{ {leaves} {links} }} }}")
        for nodes, transport in ((2, "shm"), (1, "unix")):
            for words in ((), ("--trace-sample", "3")):
                self.same("w.system", "--stop-time", "0.5", "--trace", "@.jsonl", *words, "--threads", "@", nodes=nodes, transport=transport,
                          files=("csv", "jsonl"))
        self.hocket("prove", "w.system", "--stop-time", "0.5", "--trace", "many.jsonl")
        said = self.hocket("run", "w.system", "--stop-time", "0.5", "-q", "--nodes", "2", "--threads", "3", "--stats").stderr
        self.assertRegex(said, r"(?m)^node 2: .* [23] of up to 3 threads in use: ")
        answer = json.loads(self.hocket("run", "w.system", "--stop-time", "0.5", "--json", "--nodes", "2", "--threads", "3").stdout)
        self.assertTrue(all(node["threads"] > 1 for node in answer["nodes"]), answer["nodes"])

    def test_what_fmus_say(self):
        """One log of all nodes, with the lines of one."""
        self.probes()
        text = """system s { composite all {
            leaf a : "probe.fmu" { period 100ms; param fault = 13; param fault_time = 0.25s; }
            leaf b : "probe3.fmu" { period 100ms; param fault = 13; param fault_time = 0.15s; }
            leaf c : "probe.fmu" { period 200ms; param fault = 8; param fault_time = 0.45s; }
            leaf d : "probe.fmu" { period 100ms; param fault = FAULT; param fault_time = 0.75s; }
            link a.real_out -> b.real_in lag current;
            link b.real_out -> c.real_in lag previous; } }"""
        for fault, nodes, transport in few(((0, 4, "shm"), (3, 3, "unix"), (4, 2, "shm"), (1, 4, "unix"))):
            self.write("s.system", text.replace("FAULT", str(fault)))
            self.same("s.system", "--stop-time", "1", "--log-file", "@.log", nodes=nodes, transport=transport, files=("csv", "log"))
            self.assertGreater(self.text("many.log").count(b"\n"), 1000)

    def plain(self, answer):
        """An answer without what is another in every run: times that were taken, and the command."""
        if isinstance(answer, dict):
            taken = ("seconds", "seconds_taken", "wall_s", "init_s", "real_time_factor", "reproduce")
            return {key: self.plain(value) for key, value in answer.items() if key not in taken}
        return [self.plain(value) for value in answer] if isinstance(answer, list) else answer

    def studied(self, file, *words, nodes, transport):
        """A simulation on one node and on several: the same verdicts, words and logs."""
        answers, logs = [], []
        for into, more in (("one", ()), ("many", ("--nodes", nodes, "--transport", transport))):
            done = self.hocket("run", file, *words, "--json", "-o", into, *more, exit=None)
            answer = json.loads(done.stdout.replace(f'"{into}/', '"X/'))
            for run in answer["runs"]:
                did = run.pop("nodes", [])
                self.assertEqual(len(did), nodes if more else 0)
                if more:
                    self.assertEqual(sorted(sum((node["components"] for node in did), [])), sorted(run["activations"]))
                    self.assertGreater(sum(node["messages"] for node in did), 0)
                    self.assertTrue(all(node["wall_s"] > 0 for node in did if node["components"]), did)
            answers.append(self.plain(answer))
            logs.append({path.name: path.read_bytes() for path in sorted((self.folder / into).glob("*.csv"))})
        self.assertEqual(answers[0], answers[1])
        self.assertTrue(logs[0] == logs[1] and logs[0], f"{file} on {nodes} nodes over {transport}")

    def test_simulations(self):
        """Events, faults, requirements, repetitions: verdicts and answers are those of one node."""
        models = self.options.models
        part = () if SLOW else ("--stop-time", "20")
        for file, words in few(((models / "language/case1.simulation", part), (models / "language/case2.simulation", part),
                                (models / "thruster_lost.simulation", ("--stop-time", "20")),
                                (models / "auv/AuvSimulation.simulation", ("--stop-time", "2")))):
            for nodes, transport in ((2, "shm"), (3, "unix")):
                with self.subTest(file=file.name, nodes=nodes, transport=transport):
                    self.studied(file, *words, nodes=nodes, transport=transport)

    def test_the_monitor(self):
        """Each node watches its own calls, and all of them are counted; values are compared where they are used."""
        for name, nodes, transport in few((("quarter_truck", 3, "shm"), ("quarter_truck_fmi3", 2, "unix"), ("r_rosace", 4, "shm"),
                                           ("ship", 3, "unix"))):
            for monitor in ("phase", "values", "off"):
                done = self.same(self.options.models / f"{name}.ssp", "--stop-time", "0.3", "--monitor", monitor, nodes=nodes,
                                 transport=transport)
                self.assertIn("sound", done.stderr)

    def test_states_on_the_way_are_reported(self):
        """The file, how many, and the time of the last; or that none is due."""
        simulation = [self.options.models / "language/case1.simulation", "--scenario", "vertical_speed", "--run", "0"]
        for words, last, folder in (([self.options.models / "quarter_truck.ssp"], 8, "x.csv"), (simulation, 48, "x")):
            for nodes in ((), ("--nodes", "2")):
                run = ["run", *words, *nodes, "-o", folder, "--checkpoint"]
                done = self.hocket(*run, "every=2,file=c.hks")
                self.assertRegex(done.stderr + done.stdout, rf"(?m)^checkpoint c\.hks \({last // 2} states, the last at {last} s\)$")
                answer = json.loads(self.hocket(*run, "every=2,file=c.hks", "--json").stdout)
                self.assertEqual(answer.get("runs", [answer])[0]["checkpoint"], {"file": "c.hks", "states": last // 2, "time": last})
                none = self.hocket(*run, "every=100,file=none.hks")
                self.assertEqual(none.stderr.count("note: --checkpoint: no state is due before the end of the run"), 1, none.stderr)
                self.assertNotIn("\ncheckpoint ", none.stderr + none.stdout)
                self.assertFalse((self.folder / "none.hks").exists())

    def test_nodes_without_components(self):
        note = "note: 2 of 5 nodes have nothing to run: what stays together"
        said = self.hocket("run", self.options.models / "quarter_truck.ssp", "--stop-time", "0.1", "--nodes", "5", "--stats").stderr
        self.assertEqual(said.count(note), 1, said)
        self.assertRegex(said, r"(?m)^node 4: no component$")
        self.assertRegex(said, r"(?m)^node 3: busy .*: '\w+'$")
        said = self.hocket("run", self.options.models / "thruster_lost.simulation", "--stop-time", "1", "--nodes", "100", "-o", "x",
                           exit=None).stderr
        self.assertEqual(said.count("nodes have nothing to run"), 1, said)
        self.assertNotIn("nothing to run", self.hocket("run", self.options.models / "quarter_truck.ssp", "--nodes", "3").stderr)

    def test_statistics(self):
        truck = self.options.models / "quarter_truck.ssp"
        words = ("run", truck, "--stop-time", "0.1", "-q", "--nodes", "2", "--stats")
        said = self.hocket(*words).stderr
        self.assertRegex(said, r"node 1: busy .* asked for messages [\d ]+ times, sent [\d ]+: '\w+'")
        self.assertNotIn(" late ", said)
        self.assertRegex(self.hocket(*words, "--real-time=10").stderr, r"node 2: .* late at the worst instant: '\w+'")
        answers = {}
        for nodes in ((), ("--nodes", "2")):
            answers[bool(nodes)] = json.loads(self.hocket("run", truck, "--stop-time", "0.1", "--json", *nodes).stdout)
        one, many = answers[False], answers[True]
        self.assertEqual(sorted(sum((node["components"] for node in many["nodes"]), [])), ["chassis", "ground", "wheel"])
        self.assertTrue(all(node["messages"] > 0 and node["threads"] == 1 for node in many["nodes"]))
        for key in ("sound", "steps", "component_steps", "end_reason", "time"):
            self.assertEqual(one[key], many[key], key)
        self.assertEqual([(row["name"], row["steps"]) for row in one["components"]],
                         [(row["name"], row["steps"]) for row in many["components"]])

    def test_what_is_counted_ends_with_the_run(self):
        """Nodes that are ahead of a component that ends the run go on, and what is due there changes: nobody sees or counts that."""
        fmus = self.options.fmus
        self.write("s.system", f"""system s {{ composite all {{
            leaf ender : "{fmus}/probe.fmu" {{ period 100ms; param fault = 3; param fault_time = 0.55s; }}
            leaf src : hk.Sine {{ period 10ms; }} leaf mid : hk.Gain {{ period 10ms; }} leaf sum : hk.Sum {{ period 10ms; }}
            link src.y -> mid.u, sum.a; link mid.y -> sum.b; }} }}""")
        self.write("s.simulation", """Simulation relinked (ms) system s; simulationTime [0, 2000]:10;
            scenarios { Scenario one
              events { every 20 from 300 { "s.all.mid".Stop(); } every 20 from 310 { "s.all.mid".Start(); } }
              logs { x.csv timed(100) { "s.all.sum.y"; "s.all.ender.real_out"; } } }""")
        for file in ("s.simulation", "s.system"):
            for monitor in ("phase", "values"):
                words = ("run", file, "--json", "--monitor", monitor, *(("--stop-time", "2", "-o", "x.csv") if file == "s.system" else ("-o", "x")))
                found = [json.loads(self.hocket(*words, *nodes).stdout) for nodes in
                         ((), *(("--nodes", "4", "--transport", transport) for transport in TRANSPORTS for _ in few(range(2))))]
                counts = [answer.get("runs", [answer])[0]["sound"] for answer in found]
                self.assertGreater(counts[0]["calls"], 100)
                self.assertEqual(counts, [counts[0]] * len(counts), (file, monitor))

    def test_a_run_that_does_not_begin_leaves_files_as_they_are(self):
        for nodes in ((), ("--nodes", "2")):
            for name in ("t.jsonl", "x.csv"):
                self.write(name, "of an earlier run\n")
            said = self.hocket("run", self.options.models / "quarter_truck.ssp", "--trace", "t.jsonl", "-o", "x.csv", *nodes, exit=3,
                               TMPDIR=str(self.folder / "missing"), HK_NO_CACHE="1").stderr
            self.assertIn("TMPDIR", said)
            for name in ("t.jsonl", "x.csv"):
                self.assertEqual((self.folder / name).read_text(), "of an earlier run\n", (nodes, name))

    def test_a_hint_where_nodes_do_not_pay(self):
        if not os.path.exists(f"{self.options.fmus}/worker.fmu"):
            return  # it belongs to the benchmarks: builds with sanitizers, which are slow, have none
        words = ("--stop-time", "0.1", "-q", "--nodes", "2", "--stats")
        hint = r"(?m)^hint: nodes do not pay here: .*; hocket plan \S+ --nodes 2 --measure shows the speed-up"
        truck = self.options.models / "quarter_truck.ssp"
        slow = ("--stop-time", "1", "-q", "--nodes", "2", "--stats", "--transport", "unix")
        self.assertRegex(self.hocket("run", truck, *slow).stderr, hint)
        self.assertNotIn("hint", self.hocket("run", truck, *slow, "--real-time=10").stderr)
        self.write("w.system", f"""system s {{ composite all {{ leaf a : "{self.options.fmus}/worker.fmu" {{ period 10ms; param rounds = 1e6; }}
            leaf b : "{self.options.fmus}/worker.fmu" {{ period 10ms; param rounds = 1e6; }} link a.y -> b.u lag previous; }} }}""")
        self.assertNotIn("hint", self.hocket("run", "w.system", *words).stderr)

    def test_a_trace_of_a_crash(self):
        self.probes()
        self.write("s.system", '''system s { composite all {
            leaf a : "probe.fmu" { period 100ms; param fault = 6; param fault_time = 0.55s; }
            leaf b : "probe.fmu" { period 100ms; }
            link a.real_out -> b.real_in lag current; } }''')
        done = self.same("s.system", "--stop-time", "1", "--trace", "@.jsonl", nodes=2, transport="shm", files=("csv", "jsonl"),
                         said=False)
        self.assertEqual(done.returncode, 4)


if __name__ == "__main__":
    main()
