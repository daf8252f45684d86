#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""States of runs on several nodes: one file, with the bytes that one process writes, whoever wrote it; and a run goes
on from it on any number of nodes as if nothing had happened, also after a node was killed."""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import busy_simulation
import hocket_case
from hocket_case import SLOW, Case, few, main

BUSY = ["--scenario", "busy", "--run", "1", "--output-variable", "*"]
# File, words, stop, the time of the last state.
RUNS = {
    "rosace": ("r_rosace.ssp", [], 2, "0.8"),
    "rosace, cut for hla": ("r_rosace.ssp", ["--schedule", "e2.schedule", "--extrapolate"], 1, "0.6"),
    "truck": ("quarter_truck.ssp", [], 1, "0.35"),
    "native truck": ("quarter_truck_native.ssp", ["--output-variable", "*"], 1, "0.35"),
    "auv": ("auv/AuvSimulation.simulation", ["--scenario", "scenar", "--run", "3"], 8, "3.217"),
    "ship": ("thruster_lost.simulation", ["--scenario", "thruster_lost"], 320, "302.05"),
    "busy truck": ("busy.simulation", ["--system", "quarter_truck.ssp", *BUSY], 2, "0.631"),
    "busy plant": ("sets.simulation", BUSY, 1.976, "1.043"),
}
PLANT = """system plant { composite c {
  leaf r : hk.Ramp { period 1 ms; param end = 2; param to = 4; }
  leaf g : hk.Gain { period 2 ms; }
  leaf h : hk.Gain { period 2 ms; }
  leaf z : hk.Integrator { period 4 ms; }
  link r.y -> g.u, h.u;
  link g.y -> z.u;
} }
"""
RESTING = """system s { plugin "resting.so"; composite all {
  leaf one : resting { period 10 ms; }
  leaf two : resting { period 20 ms; inactive; }
  leaf sum : hk.Sum { period 10 ms; }
  leaf before : hk.Gain { period 10 ms; }
  leaf late : hk.Gain { period 10 ms; }
  leaf some : hk.Gain { period 20 ms; }
  leaf grown : hk.Integrator { period 40 ms; }
  link one.y -> sum.a lag observe;
  link one.y -> before.u lag previous;
  link one.y -> late.u delay 20 ms;
  link "one.z[1]" -> some.u lag observe;
  link two.y -> sum.b lag observe;
  link sum.y -> grown.u;
} }
"""
RESTED = """Simulation rested (ms) system s; simulationTime [0, 200]:10;
scenarios { Scenario one
  events {
    instant 50 { "s.all.one".Stop(); } instant 70 { "s.all.two".Start(); } instant 90 { "s.all.one".Start(); } instant 90 { "s.all.two".Stop(); }
    instant 100 { "s.all.one".Stop(); "s.all.one".Start(); "s.all.one".Stop(); } instant 200 { "s.all.one".Start(); }
  }
  logs { x.csv timed(10) { "s.all.one.y"; "s.all.one.stops"; "s.all.two.y"; "s.all.sum.y"; "s.all.before.y"; "s.all.late.y"; "s.all.some.y";
    "s.all.grown.y"; } } }
"""
MANY = ((1, "shm"), (2, "unix"), (3, "shm"))


def children_of(pid):
    try:
        return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class States(Case):
    def setUp(self):
        super().setUp()
        self.write("busy.simulation", busy_simulation.write_out(busy_simulation.TRUCK))
        self.write("sets.simulation", busy_simulation.write_out(busy_simulation.SETS))
        self.write("plant.system", busy_simulation.PLANT)

    def words(self, name, stop=None):
        file, words, end, _ = RUNS[name]
        words = [self.options.models / w if w.endswith((".schedule", ".ssp")) else w for w in words]
        return ["run", self.folder / file if (self.folder / file).exists() else self.options.models / file, *words, "-q", "--stop-time", stop or end]

    def output(self, name, path):
        """Of a system a file, of a simulation a folder, of its own."""
        return f"{path}.csv" if RUNS[name][0].endswith(".ssp") else f"{path}-{name}"

    def rows(self, path):
        path = self.folder / path
        files = sorted(path.glob("*.csv")) if path.is_dir() else [path]
        self.assertTrue(files)
        return {f.name if path.is_dir() else "": f.read_bytes() for f in files}

    def run_of(self, name, to, *words):
        to = self.output(name, to)
        self.hocket(*self.words(name), "-o", to, *words, exit=None)
        return self.rows(to)

    def bytes(self, name):
        return (self.folder / name).read_bytes()

    def test_one_file_whoever_writes_it(self):
        for name, (_, _, stop, at) in few(RUNS.items()):
            times = [at] + [f"{random.Random(k).uniform(0.1, 0.9) * stop:.4f}" for k in range(10 if SLOW else 0)]
            for every in times:
                with self.subTest(run=name, every=every):
                    saved = ["--checkpoint", f"every={every},file=one.hks", "--save-state", "one-end.hks"]
                    one = self.run_of(name, "one", *saved)
                    for nodes, transport in MANY[1:2] if name == "ship" and not SLOW else MANY:  # it is a long voyage
                        self.assertEqual(one, self.run_of(
                            name, "many", "--checkpoint", f"every={every},file=many.hks", "--save-state", "many-end.hks",
                            "--nodes", nodes, "--transport", transport))
                        self.assertTrue(self.bytes("one.hks") == self.bytes("many.hks"), f"{nodes} {transport}")
                        self.assertTrue(self.bytes("one-end.hks") == self.bytes("many-end.hks"), f"{nodes} {transport}")
                        self.assertEqual(one, self.run_of(
                            name, "many", "--resume", "one.hks", "--save-state", "many-end.hks", "--nodes", nodes,
                            "--transport", transport))
                        self.assertTrue(self.bytes("one-end.hks") == self.bytes("many-end.hks"), f"{nodes} {transport}")

    def test_what_a_component_changes_when_it_is_stopped(self):
        """Its outputs are others from then on, also for who is elsewhere, and in states."""
        shutil.copy(self.options.resting, self.folder / "resting.so")
        self.write("s.system", RESTING)
        self.write("rested.simulation", RESTED)
        words = ("run", "rested.simulation", "-q", "--monitor", "values")
        saved = ("--checkpoint", "every=0.063,file=@.hks", "--save-state", "@-end.hks", "-o", "@")

        def files(name, *more):
            shutil.rmtree(self.folder / name, ignore_errors=True)
            self.hocket(*words, *(word.replace("@", name) for word in saved), *more)
            return (next((self.folder / name).rglob("x.csv")).read_text(), self.bytes(f"{name}.hks"), self.bytes(f"{name}-end.hks"))

        one = files("one")
        columns = list(zip(*(line.split(",") for line in one[0].splitlines()[1:])))
        self.assertIn("-0.05", columns[1])  # what it changed is seen
        self.assertIn("-0.05", columns[5])
        self.assertNotIn("-0.05", columns[6])  # but for its past
        for more in ((), ("--isolate", "all")):
            alone = files("one", *more)  # what is isolated lies elsewhere, so its states are others
            self.assertEqual(one[0], alone[0])
            for nodes in (1, 2, 7):
                for transport in ("shm", "unix"):
                    with self.subTest(more=more, nodes=nodes, transport=transport):
                        many = files("many", *more, "--nodes", nodes, "--transport", transport)
                        for kind, a, b in zip(("log", "checkpoint", "state"), alone, many):
                            self.assertTrue(a == b, kind)

    def kill_on_its_way(self, name, nodes, victim):
        """A node is killed after the first state; or, as the one behind the last, the process that was started."""
        stop = RUNS[name][2]
        (self.folder / "left.hks").unlink(missing_ok=True)
        words = [*self.words(name), "-o", self.output(name, "left"), "--nodes", nodes, f"--real-time={stop / 120}",
                 "--checkpoint", f"every={stop / 500},file=left.hks"]
        run = subprocess.Popen([str(self.options.hocket), *map(str, words)], cwd=self.folder, env=hocket_case.environment(),
                               stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, encoding="utf-8")
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        hocket_case.wait_until(lambda: (self.folder / "left.hks").exists(), "a state", run)
        all_ = [*children_of(self.leader_of(run.pid, nodes)), run.pid]
        os.kill(all_[victim], signal.SIGKILL)
        _, said = run.communicate(timeout=hocket_case.TIMEOUT_S)
        hocket_case.wait_until(lambda: not any(alive(pid) for pid in all_), "the end of all")
        if victim < nodes:
            self.assertEqual(run.returncode, 4, said)
            self.assertIn("is gone: its process ended by signal 9", said)

    def leader_of(self, pid, nodes):
        """The process whose children are the nodes: that which was started, or one below it."""
        while len(children_of(pid)) < nodes:
            self.assertEqual(len(children_of(pid)), 1)
            pid = children_of(pid)[0]
        return pid

    def test_a_node_is_killed(self):
        for name in RUNS if SLOW else few(("rosace", "truck", "auv")):
            with self.subTest(run=name):
                whole = self.run_of(name, "whole")
                self.kill_on_its_way(name, 3, 2)
                self.go_on(name, whole, *([], *(["--nodes", n, "--transport", t] for n, t in MANY)))

    def go_on(self, name, whole, *ways):
        """From the state that is left, each in files of its own."""
        left, part = self.output(name, "left"), self.output(name, "part")
        kept = shutil.copytree if (self.folder / left).is_dir() else shutil.copy
        for words in ways:
            shutil.rmtree(self.folder / part, ignore_errors=True)
            kept(self.folder / left, self.folder / part)
            self.assertTrue(whole == self.run_of(name, "part", "--resume", "left.hks", *words), words)

    def test_each_process_is_killed(self):
        whole = self.run_of("truck", "whole")
        for victim in range(4):
            with self.subTest(victim=victim):
                self.kill_on_its_way("truck", 3, victim)
                self.go_on("truck", whole, ["--nodes", victim + 1])

    def test_what_is_saved_again_and_again(self):
        whole = self.run_of("rosace", "whole")
        self.hocket(*self.words("rosace", "0.4"), "-o", "part.csv", "--save-state", "s.hks", "--nodes", 3)
        for stop, nodes in (("0.8", 2), ("1.3", 1), ("2", 3)):
            self.hocket(*self.words("rosace", stop), "-o", "part.csv", "--resume", "s.hks", "--save-state", "s.hks", "--nodes", nodes)
        self.assertTrue(whole == self.rows("part.csv"))

    def test_a_run_that_a_condition_ends(self):
        run = ["run", self.options.models / "quarter_truck.ssp", "-q", "--stop-time", "2", "--stop-when", "ground.z > 0.01",
               "--save-state"]
        self.hocket(*run, "one.hks")
        self.hocket(*run, "many.hks", "--nodes", 3)
        self.assertTrue(self.bytes("one.hks") == self.bytes("many.hks"))

    def test_a_condition_about_a_step_under_way(self):
        """It holds at the end of that step, also if the run goes on in the middle of it."""
        run = ["run", "plant.system", "-q", "--output-variable", "*", "--stop-time", "0.2"]
        self.write("plant.system", PLANT)
        self.hocket(*run, "--checkpoint", "every=0.101,file=c.hks", "-o", "whole.csv")
        rows = [line.split(",") for line in (self.folder / "whole.csv").read_text().splitlines()]
        column = rows[0].index("z.y")
        at = {row[0]: float(row[column]) for row in rows[1:]}
        self.assertLess(at["0.1"], at["0.104"])
        stop = ["--load-state", "c.hks", "--stop-when", f"z.y > {(at['0.1'] + at['0.104']) / 2!r}"]
        self.hocket(*run, *stop, "-o", "one.csv")
        self.assertEqual((self.folder / "one.csv").read_text().splitlines()[-1].split(",")[0], "0.104")
        for nodes, transport in MANY:
            self.hocket(*run, *stop, "-o", "many.csv", "--nodes", nodes, "--transport", transport)
            self.assertEqual(self.bytes("one.csv"), self.bytes("many.csv"))

    def test_no_rows(self):
        """The recorder runs ahead of the nodes then."""
        run = ["run", self.options.models / "r_rosace.ssp", "-q", "--stop-time", "3", "--checkpoint"]
        self.hocket(*run, "every=0.7,file=one.hks")
        for transport in ("shm", "unix"):
            self.hocket(*run, "every=0.7,file=many.hks", "--nodes", 3, "--transport", transport)
            self.assertTrue(self.bytes("one.hks") == self.bytes("many.hks"))

    def test_many_states(self):
        run = ["run", self.options.models / "quarter_truck.ssp", "-q", "--stop-time", "0.5", "-o"]
        self.hocket(*run, "one.csv", "--checkpoint", "every=0.0037,file=one.hks")
        for transport in ("shm", "unix"):
            self.hocket(*run, "many.csv", "--nodes", 3, "--transport", transport, "--checkpoint", "every=0.0037,file=many.hks")
            self.assertTrue(self.bytes("one.hks") == self.bytes("many.hks"))
            self.assertTrue(self.bytes("one.csv") == self.bytes("many.csv"))

    def test_an_interrupted_run_has_no_state(self):
        run = subprocess.Popen([str(self.options.hocket), "run", str(self.options.models / "quarter_truck.ssp"), "--stop-time", "1e6",
                                "--output-interval", "10", "--progress", "none", "-o", "run.csv", "--nodes", "3", "--save-state",
                                "no.hks", "--checkpoint", "every=1,file=yes.hks"], cwd=self.folder, env=hocket_case.environment(),
                               stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, encoding="utf-8")
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        hocket_case.wait_until(lambda: (self.folder / "yes.hks").exists(), "a state", run)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=hocket_case.TIMEOUT_S)
        self.assertIn("the state is not saved", said)
        self.assertNotEqual(run.returncode, 0)
        self.assertFalse((self.folder / "no.hks").exists())
        self.hocket("run", self.options.models / "quarter_truck.ssp", "-q", "--load-state", "yes.hks", "--duration", "0.1")

    def test_what_is_refused(self):
        """With one message, that of one process."""
        truck = self.options.models / "quarter_truck.ssp"
        self.hocket("run", truck, "-q", "--step-size", "0.001", "--stop-time", "0.1", "--save-state", "s.hks")
        for step, stop, *more in (("0.001", "0.05"), ("0.03", "1"), ("0.001", "1", "--set", "chassis.z_initial=2")):
            run = ["run", truck, "-q", "--step-size", step, "--stop-time", stop, *more, "--load-state", "s.hks"]
            one = self.hocket(*run, exit=None)
            self.assertNotEqual(one.returncode, 0)
            self.assertEqual(one.stderr.count("error["), 1)
            self.assertEqual(one.stderr, self.hocket(*run, "--nodes", 2, exit=one.returncode).stderr)
        other = ["run", self.options.models / "quarter_truck_native.ssp", "-q", "--step-size", "0.001", "--load-state", "s.hks",
                 "--stop-time", "1"]
        one = self.hocket(*other, exit=3)
        self.assertEqual(one.stderr, self.hocket(*other, "--nodes", 2, exit=3).stderr)

    def test_a_state_of_another_plan(self):
        """What is different is named."""
        run = ["run", "plant.system", "-q", "--stop-time"]
        self.write("plant.system", PLANT)
        self.hocket(*run, "0.1", "--nodes", 2, "--save-state", "s.hks")
        for (old, new), exit, says in (
                (("r.y -> g.u, h.u", "r.y -> g.u"), 3,
                 "the state is of a system with the connection 'r.y -> h.u', which is not here"),
                (("g.y -> z.u", "h.y -> z.u"), 3,
                 "the state is of a system with the connection 'g.y -> z.u', which is not here, and without 'h.y -> z.u'"),
                (("link g.y", "leaf i : hk.Gain { period 2 ms; } link g.y"), 3,
                 "the state is of a system without the component 'i'"),
                (("leaf z : hk.Integrator { period 4 ms; }", "leaf z : hk.Integrator { period 7 ms; }"), 1,
                 "the next step of 'z' would begin at t = 0.105 s, but it is at t = 0.1 s: "
                 "its steps were 0.004 s long, and are 0.007 s here")):
            with self.subTest(new=new):
                self.write("plant.system", PLANT.replace(old, new))
                one = self.hocket(*run, "0.2", "--load-state", "s.hks", exit=exit)
                self.assertIn(says, one.stderr)
                for nodes in (1, 2, 3):
                    many = self.hocket(*run, "0.2", "--load-state", "s.hks", "--nodes", nodes, exit=exit)
                    self.assertEqual(one.stderr, many.stderr)

    def test_a_warning_is_said_once(self):
        truck = self.options.models / "quarter_truck.ssp"
        run = ["run", truck, "-q", "--step-size", "0.001", "--stop-time"]
        self.hocket(*run, "0.1", "--save-state", "s.hks", "--set", "chassis.Mass.m=420")
        one = self.hocket(*run, "0.2", "--load-state", "s.hks").stderr
        self.assertIn("given other values than in the run that saved the state", one)
        self.assertEqual(one, self.hocket(*run, "0.2", "--load-state", "s.hks", "--nodes", 3).stderr)

    def test_who_cannot_save_is_named_before(self):
        """What its description says is known to all, what its library lacks to its node."""
        for fmu in ("probe1_plain.fmu", "probe1_lies.fmu"):
            for words in (["--checkpoint", "every=1"], ["--save-state", "s.hks"]):
                with self.subTest(fmu=fmu, words=words):
                    run = ["run", self.options.fmus / fmu, "--stop-time", "2", "-q", *words]
                    one = self.hocket(*run, exit=4)
                    self.assertIn("its state", one.stderr)
                    self.assertEqual(one.stderr, self.hocket(*run, "--nodes", 2, exit=4).stderr)
                    self.assertFalse((self.folder / "s.hks").exists())


if __name__ == "__main__":
    main("--resting")
