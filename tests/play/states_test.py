#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A run of a simulation that goes on from a state is the run that was never interrupted: its logs behind the rows of
the first part have the same bytes, its verdicts are the same, whatever the scenario was doing when it was saved."""
import json
import pathlib
import random
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from busy_simulation import PLANT, SETS, TRUCK, write_out  # noqa: E402
from hocket_case import OPTIONS, SLOW, THIN, Case, few, main, process_of, wait_until  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


class States(Case):
    def run_of(self, *words, folder, exit=None):
        shutil.rmtree(self.scratch / folder, ignore_errors=True)
        done = self.hocket("run", *self.simulation, "--json", "-o", folder, *words, exit=exit)
        return json.loads(done.stdout)

    def logs(self, folder):
        return {f.name: f.read_bytes().splitlines(keepends=True) for f in sorted((self.scratch / folder).glob("*.csv"))}

    def same(self, whole, first, rest, at, answers, where):
        """What the first part has before AT and the rest from there on is the whole."""
        for name, lines in self.logs(whole).items():
            head = [x for x in self.logs(first).get(name, [])[1:] if float(x.split(b",", 1)[0]) < at]
            joined = lines[:1] + head + self.logs(rest).get(name, [])[1:]
            self.assertTrue(joined == lines, f"{where}: {name} differs")
        self.assertEqual(answers[0]["runs"][0]["verdicts"], answers[1]["runs"][0]["verdicts"], where)


class OfTruck(States):
    def bytes(self, name):
        return (self.scratch / name).read_bytes()

    RUN = ["--scenario", "busy", "--run", "1", "--output-variable", "*"]

    def setUp(self):
        super().setUp()
        self.truck = OPTIONS.models / "quarter_truck.ssp"
        self.write("busy.simulation", write_out(TRUCK))
        self.write("sets.simulation", write_out(SETS))
        self.write("plant.system", PLANT)
        self.simulation = ["busy.simulation", "--system", self.truck, *self.RUN]

    def refuse(self, *words, says, exit=3):
        done = self.hocket("run", *words, exit=exit)
        self.assertIn(says, done.stderr)


class Busy(OfTruck):
    def check_steps(self, steps):
        whole = self.run_of(folder="whole")
        self.assertGreater(len(whole["runs"][0]["trace"]), 10)
        for step in few(steps, 2):
            at = step / 1000
            self.run_of("--stop-time", at, "--save-state", "s.hks", folder="first")
            rest = self.run_of("--load-state", "s.hks", folder="rest")
            self.same("whole", "first", "rest", at, (whole, rest), f"saved at {at} s")

    def test_saved_at_any_step(self):
        self.check_steps(random.Random(15).sample(range(1, 2000), 50 if SLOW else 2) + [600, 660])

    def test_with_values_that_are_set(self):
        self.simulation = ["sets.simulation", *self.RUN]
        self.check_steps([28 * k + 16 for k in random.Random(4).sample(range(70), 50 if SLOW else 4)])

    def test_saved_again_and_again(self):
        whole = self.run_of(folder="whole")
        self.run_of("--stop-time", "0.45", "--save-state", "s.hks", folder="first")
        for at in ("0.61", "1.05", "1.55"):
            self.run_of("--load-state", "s.hks", "--stop-time", at, "--save-state", "s.hks", folder="more")
        rest = self.run_of("--load-state", "s.hks", folder="rest")
        for name, lines in self.logs("rest").items():
            self.assertEqual(lines[1:], self.logs("whole")[name][1 - len(lines):], name)
        self.assertEqual(whole["runs"][0]["verdicts"], rest["runs"][0]["verdicts"])

    def test_what_is_refused(self):
        run = self.simulation[:3]
        self.refuse(*run, "--save-state", "s.hks", says="a state is of one run, and these are 4", exit=2)
        self.run_of("--stop-time", "0.5", "--save-state", "s.hks", folder="first")
        self.refuse(*run, "--load-state", "s.hks", "--scenario", "busy", says="these are 3", exit=2)
        mine = [*run, "--scenario", "busy", "--load-state", "s.hks", "-o", "no"]
        self.refuse(*mine, "--run", "2", says="the state is of scenario 'busy', run 1, and this is scenario 'busy', run 2")
        self.refuse(*mine, "--run", "1", "--seed", "6", says="the state is of the seed 5, this run has 6")
        self.refuse(*mine, "--run", "1", "--stop-time", "0.5",
                    says="the saved state is of 0.5 s, and the run is to stop at 0.5 s")
        self.write("other.simulation", write_out(TRUCK).replace("instant 1400", "instant 1450"))
        self.refuse("other.simulation", *mine[1:], "--run", "1", says="has other events than when the state was saved")
        self.write("other.simulation", write_out(TRUCK).replace("within 1900", "within 1800"))
        self.refuse("other.simulation", *mine[1:], "--run", "1", says="has other expectations than")
        self.refuse(self.truck, "--load-state", "s.hks", "--stop-time", "1", "--step-size", "0.001",
                    says="the state holds a scenario under way, and this run has none")
        self.hocket("run", self.truck, "--stop-time", "0.5", "--step-size", "0.001", "--save-state", "plain.hks")
        self.refuse(*run, "--scenario", "other", "--load-state", "plain.hks", says="the state is of a run without a scenario")
        self.write("ends.simulation", write_out(TRUCK).replace("instant 1400 {", 'instant 1400 { finish "enough";'))
        self.refuse("ends.simulation", *run[1:], "--scenario", "busy", "--run", "0", "--save-state", "e.hks", "-o", "no",
                    says="the scenario has ended the run itself", exit=4)
        self.assertFalse((self.scratch / "e.hks").exists())


# File, words, scenario and run, step and stop in steps.
TRUCK_PACKAGE = ["--system", "quarter_truck.ssp"]
SIMULATIONS = [
    ("language/case1.simulation", [], "vertical_speed", 0, 0.005, 1500),
    ("language/case2.simulation", [], "airspeed", 0, 0.005, 1500),
    ("language/case3.simulation", [], "climb", 0, 0.005, 2000),
    ("language/case4.simulation", [], "levels", 0, 0.005, 2000),
    ("thruster_lost.simulation", [], "calm", 0, 0.05, 200),
    ("thruster_lost.simulation", [], "thruster_lost", 0, 0.05, 6100),
    ("auv/AuvSimulation.simulation", [], "scenar", 3, 0.001, 11000),
    ("auv/line20km.simulation", [], "line", 0, 0.001, 2000),
    ("auv/dvl_misalignment.simulation", [], "unknown", 0, 0.001, 2000),
    ("auv/sensor_failure.simulation", [], "filter", 0, 0.001, 2000),
    ("auv/sensor_quality.simulation", [], "tactical", 2, 0.001, 2000),
    ("auv/record_mission.simulation", [], "survey", 0, 0.001, 3000),
    ("auv/replay.simulation", [], "replay", 0, 0.001, 3000),
    ("uav/search.simulation", [], "found", 0, 0.01, 12000),
    ("detector/scenarios.simulation", [], "finds_the_source", 0, 0.1, 600),
    ("falling/falling.simulation", [], "busy", 0, 0.01, 500),
    (HERE / "truck.simulation", TRUCK_PACKAGE, "calm", 0, 0.001, 4000),
    (HERE / "truck.simulation", TRUCK_PACKAGE, "rough", 2, 0.001, 4000),
    (HERE.parent / "auv" / "truck.simulation", TRUCK_PACKAGE, "road", 1, 0.001, 4000),
]


class Models(States):
    """States that runs leave on their way, at any step, also in the middle of the steps of slow components."""

    def with_logs(self, path):
        """A copy of the simulation and its system beside logs of sensors, from which it is replayed."""
        folder = self.scratch / "auv"
        shutil.copytree(OPTIONS.models / "auv", folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("logs"))
        self.hocket("run", folder / "record_mission.simulation", "--stop-time", 5, "-q", "-o", folder / "logs", exit=None)
        return folder / pathlib.Path(path).name

    def check_one(self, which, steps):
        path, words, scenario, run, step, stop = SIMULATIONS[which]
        words = [OPTIONS.models / w if w.endswith(".ssp") else w for w in words]
        file = self.with_logs(path) if path == "auv/replay.simulation" else OPTIONS.models / path
        self.simulation = [file, *words, "--scenario", scenario, "--run", run]
        if stop < 5000:
            self.simulation += ["--output-variable", "*"]
        whole = self.run_of("--stop-time", stop * step, folder="whole")
        lengths = [len(lines) for lines in self.logs("whole").values()]
        self.assertGreater(max(lengths), 200)
        for k in steps:
            at, end = round(k * step, 9), round(min(stop, k + 1 + k // 3) * step, 9)
            self.run_of("--stop-time", end, "--checkpoint", f"every={at},file=s.hks", folder="first")
            rest = self.run_of("--load-state", "s.hks", "--stop-time", stop * step, folder="rest")
            self.same("whole", "first", "rest", at, (whole, rest), f"{path} {scenario} saved at {at} s")

    def test_every_simulation(self):
        found = {p.name for p in OPTIONS.models.rglob("*.simulation")}
        self.assertLessEqual(found, {pathlib.Path(s[0]).name for s in SIMULATIONS})
        draw = random.Random(50)
        for which, (path, _, scenario, _, _, stop) in few(enumerate(SIMULATIONS), 5):
            with self.subTest(path=path, scenario=scenario):
                self.check_one(which, draw.sample(range(1, stop), 50 if SLOW else 2)[::THIN])


class Checkpoints(OfTruck):
    def test_they_change_nothing(self):
        whole = self.run_of(folder="whole")
        left = self.run_of("--checkpoint", "every=0.0173,file=c.hks", folder="left")
        self.same("whole", "left", "left", 0, (whole, left), "with checkpoints")
        self.assertEqual(sorted(p.name for p in self.scratch.glob("*.hks*")), ["c.hks"])

    def test_of_a_system(self):
        run = ["run", self.truck, "-q", "--step-size", "0.001", "--stop-time"]
        self.hocket(*run, "1", "-o", "whole.csv")
        self.hocket(*run, "1", "-o", "left.csv", "--checkpoint", "every=0.3")
        self.assertEqual(self.bytes("whole.csv"), self.bytes("left.csv"))
        self.hocket(*run, "1", "-o", "rest.csv", "--load-state", "checkpoint.hks")
        self.assertEqual(self.bytes("rest.csv").splitlines()[1:], self.bytes("whole.csv").splitlines()[901:])

    def test_wrong_words(self):
        for words in ("", "3", "every=", "every=0", "every=-1", "every=x", "every=1,", "every=1,file=", "every=1,to=x"):
            self.refuse(*self.simulation, "--checkpoint", words, exit=2,
                        says="does not say every how many seconds a state is written")
        self.refuse(*self.simulation[:3], "--checkpoint", "every=1", says="a state is of one run", exit=2)


class Resumed(OfTruck):
    def damaged(self, folder, at):
        """As a process leaves its files that ends in the middle of a row."""
        for f in sorted((self.scratch / folder).glob("*.csv")):
            lines = f.read_bytes().splitlines(keepends=True)
            if float(lines[-1].split(b",")[0]) > at:
                f.write_bytes(b"".join(lines)[:-5])

    def same_files(self, whole, other):
        self.assertEqual(self.logs(whole).keys(), self.logs(other).keys())
        for name, lines in self.logs(whole).items():
            self.assertTrue(lines == self.logs(other)[name], name)

    def test_files_go_on(self):
        whole = self.run_of(folder="whole")
        for at, end in few(((0.4, 0.41), (0.8, 1.1), (1.6, 1.99)), 2):
            self.run_of("--stop-time", end, "--checkpoint", "every=0.4,file=c.hks", folder="part")
            self.damaged("part", at)
            rest = json.loads(self.hocket("run", *self.simulation, "--json", "-o", "part", "--resume", "c.hks",
                                          "--checkpoint", "every=0.3,file=c.hks", exit=None).stdout)
            self.same_files("whole", "part")
            self.assertEqual(whole["runs"][0]["verdicts"], rest["runs"][0]["verdicts"])
            self.assertEqual(whole["runs"][0]["rows"], rest["runs"][0]["rows"])
            self.assertEqual((rest["runs"][0]["time"], rest["runs"][0]["simulated_s"]), (2, round(2 - at, 9)))  # its own part
        about = json.loads((self.scratch / "part" / "coarse.busy.0001.csv-metadata.json").read_text())["notes"][0]
        self.assertEqual((about["ended"], about["rows"]), ("at its stop time", 23))

    def test_after_a_kill(self):
        self.run_of(folder="whole")
        words = ["run", *self.simulation, "-o", "part", "-q"]
        killed = subprocess.Popen([str(x) for x in [OPTIONS.hocket, *words, "--real-time=2", "--checkpoint",
                                                    "every=0.1,file=k.hks"]], cwd=self.scratch, stderr=subprocess.DEVNULL)
        wait_until((self.scratch / "k.hks").exists, "the first state", killed)
        time.sleep(0.15)
        status = pathlib.Path(f"/proc/{process_of(killed)}/status")
        killed.kill()
        killed.wait()

        def gone():  # the process of the run, which ends with its parent and has the files until then
            try:
                return "State:\tZ" in status.read_text(encoding="utf-8")
            except OSError:
                return True
        wait_until(gone, "the end of the run")
        self.assertLess(len((self.scratch / "part" / "fine.busy.0001.csv").read_bytes().splitlines()), 2002)
        self.hocket(*words, "--resume", "k.hks", exit=None)
        self.same_files("whole", "part")

    def test_of_a_system(self):
        run = ["run", self.truck, "-q", "--step-size", "0.001", "--stop-time"]
        self.hocket(*run, "1", "-o", "whole.csv")
        self.hocket(*run, "0.5", "-o", "part.csv", "--checkpoint", "every=0.3")
        self.hocket(*run, "1", "-o", "part.csv", "--resume", "checkpoint.hks")
        self.assertEqual(self.bytes("whole.csv"), self.bytes("part.csv"))

    def test_which_states_there_are(self):
        run = ["run", self.truck, "-q", "--step-size", "0.001", "--stop-time", "1", "-o", "part.csv"]
        said = self.hocket(*run, "--resume", "lost.hks", exit=3).stderr
        self.assertRegex(said, r"(?s)^lost.hks: error\[HK0201\].*no state \(.hks\) is in the folder '\.'; --checkpoint")
        self.hocket(*run, "--checkpoint", "every=0.3,file=b.hks", "--save-state", "a.hks")
        (self.scratch / "c.hks").write_text("nothing")
        for wrong in ("lost.hks", "c.hks", "part.csv", "."):
            for option in ("--resume", "--load-state"):
                said = self.hocket(*run, option, wrong, exit=3).stderr
                self.assertTrue(said.startswith(f"{wrong}: error["), said)
                self.assertIn("in the folder '.' there are 'a.hks' (at 1 s), 'b.hks' (at 0.9 s)\n", said)

    def test_what_is_refused(self):
        run = ["run", self.truck, "-q", "--step-size", "0.001", "--stop-time", "1"]
        self.hocket(*run, "-o", "part.csv", "--checkpoint", "every=0.3")
        before = self.bytes("part.csv")
        resume = [*run[1:], "--resume", "checkpoint.hks", "-o"]
        self.refuse(*resume, "part.csv", "--load-state", "checkpoint.hks", says="both name a state", exit=2)
        self.refuse(*resume, "none.csv", says="the record cannot be continued: it is not there")
        self.refuse(*resume, "part.mat", says="only a CSV file can be continued", exit=2)
        self.refuse(*resume, "part.csv", "--output-variable", "chassis.z", says="it has other columns than this run records")
        self.write("text.csv", before.decode().splitlines()[0] + "\nx,1\n")
        self.refuse(*resume, "text.csv", says="a row of it does not begin with a time")
        self.write("late.csv", before.decode().splitlines()[0] + "\n" + before.decode().splitlines()[-1] + "\n")
        self.refuse(*resume, "late.csv", says="its last row before the time of the state is not there")
        self.write("gap.csv", "".join(before.decode().splitlines(keepends=True)[:800]))
        self.refuse(*resume, "gap.csv", says="its last row before the time of the state is not there")
        self.hocket("run", OPTIONS.models / "quarter_truck_native.ssp", "-q", "--step-size", "0.001", "--stop-time", "1",
                    "--checkpoint", "every=0.2,file=other.hks")
        about = self.bytes("part.csv-metadata.json")
        self.refuse(*run[1:], "--resume", "other.hks", "-o", "part.csv", says="other.hks")
        self.assertEqual((self.bytes("part.csv"), self.bytes("part.csv-metadata.json")), (before, about))


if __name__ == "__main__":
    main()
