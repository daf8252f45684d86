#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How far the runs of a simulation are, and what Ctrl-C does: runs that were ended are not called done, a component
that hangs is not waited for in silence, and nothing is left behind. Standard library only."""
import json
import os
import pathlib
import platform
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "zoo"))
import stable  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, TIMEOUT_S, Case, children_of, main, process_of, wait_until, wait_until_idle  # noqa: E402

SYSTEM = "system s { composite c { leaf r : hk.Ramp { frequency 10 Hz; } } }\n"
SIMULATION = """Simulation s (ms)
system s;
simulationTime [0, 2000]:100;
scenarios { Scenario a [RUNS] }
"""


class Interrupts(Case):
    def setUp(self):
        super().setUp()
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()

    def start(self, *words, **more):
        environment = {**os.environ, "TMPDIR": str(self.temporary), "XDG_CACHE_HOME": str(self.folder / "cache"), **more}
        return subprocess.Popen([OPTIONS.hocket, *words], cwd=self.folder, env=environment, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, encoding="utf-8")

    def simulate(self, runs, *words, pace="--real-time"):
        self.write("s.system", SYSTEM)
        self.write("s.simulation", SIMULATION.replace("RUNS", str(runs)))
        return self.start("run", "s.simulation", pace, "--progress=json", *words)

    def test_progress_inside_runs(self):
        for runs, workers in ((1, 1), (4, 2)):
            process = self.simulate(runs, "--workers", str(workers), "-q", pace="--real-time=4")
            _, said = process.communicate(timeout=TIMEOUT_S)
            self.assertEqual(process.returncode, 0, said)
            all_ = [json.loads(line)["progress"] for line in said.splitlines()]
            parts = [p["part"] for p in all_]
            self.assertEqual(parts, sorted(parts))
            self.assertEqual(all_[-1], {"runs": runs, "of": runs, "part": 1})
            within = [p["part"] for p in all_ if p["runs"] == 0 and 0 < p["part"] < 1]
            self.assertGreater(len(within), 0, said)

    def test_interrupted_runs_are_not_done(self):
        for runs, workers in ((1, 1), (3, 2)):
            process = self.simulate(runs, "--workers", str(workers))
            while "part" not in (line := process.stderr.readline()):
                self.assertNotEqual(line, "")  # it runs
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=TIMEOUT_S)
            self.assertEqual(process.returncode, 130, said)
            self.assertRegex(said, rf"(?m)^played     's': 0 of {runs} runs?, ")
            self.assertRegex(said, r"(?m)^ended      \d runs? under way: interrupted$")
            self.assertNotRegex(said, r'"runs":[1-9]')

    def test_component_that_hangs(self):
        body = (OPTIONS.bodies / "animal2.so").read_bytes()
        data = stable.fmu(2, stable.description(2, "hang@step", "", 0), body, platform.machine(), [], None)
        (self.folder / "animal.fmu").write_bytes(data)
        self.write("h.simulation", SIMULATION.replace("system s;", "system animal;").replace("RUNS", "1"))
        for words in (["animal.fmu"], ["h.simulation", "--system", "animal.fmu"]):
            more = ["--step-size", "0.25", "-o", "r.csv"] if words[0] == "animal.fmu" else ["-o", "logs"]
            process = self.start("run", *words, *more)
            wait_until_idle(process)
            process.send_signal(signal.SIGINT)
            line = process.stderr.readline()
            self.assertEqual(line, "hocket: interrupted: the run ends when the call under way does; again: at once\n")
            self.assertRegex(process.stderr.readline(), r"^hocket: waiting for component '[^']+' \(fmi2DoStep since [1-9]\d* s\); "
                                                        r"press Ctrl-C again to end at once\n$")
            self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=TIMEOUT_S)
            self.assertEqual(process.returncode, 130)
            self.assertEqual(said, "hocket: ended at once; " + (
                "the record 'r.csv' is kept, up to where the run has come\n" if words[0] == "animal.fmu" else
                "what is in the folder 'logs' is kept, up to where the run has come\n"))
            self.assertEqual(list(self.temporary.iterdir()), [])
        last = (self.folder / "r.csv").read_text(encoding="utf-8").splitlines()[-1].split(",")[0]
        about = json.loads((self.folder / "r.csv-metadata.json").read_text(encoding="utf-8"))
        self.assertEqual(about["notes"][0]["ended"], f"interrupted after {last} s")

    def hang(self, *words):
        body = (OPTIONS.bodies / "animal2.so").read_bytes()
        data = stable.fmu(2, stable.description(2, "hang@step", "", 0), body, platform.machine(), [], None)
        (self.folder / "animal.fmu").write_bytes(data)
        return self.start("run", "animal.fmu", "--step-size", "0.25", "-o", "r.csv", *words)

    def test_what_is_kept_at_once(self):
        """The second Ctrl-C says where the record is; with --json there is one answer."""
        for words in ((), ("--json",)):
            process = self.hang(*words)
            wait_until_idle(process)
            process.send_signal(signal.SIGINT)
            if words:
                wait_until_idle(process)
            else:
                self.assertIn("interrupted", process.stderr.readline())
            process.send_signal(signal.SIGINT)
            answer, said = process.communicate(timeout=TIMEOUT_S)
            self.assertEqual(process.returncode, 130)
            if words:
                answer = json.loads(answer)
                self.assertEqual((answer["schema"], answer["status"], answer["exit"]), ("hocket.failure/1", "HK0901", 130))
            else:
                self.assertEqual(answer, "")
                there = (self.folder / "r.csv").exists()
                kept = "the record 'r.csv' is kept, up to where the run has come" if there else "nothing was recorded"
                self.assertIn(f"hocket: ended at once; {kept}\n", said)

    def test_what_is_kept_in_time(self):
        """A component that hangs is ended by --timeout, and the record of the run is named."""
        process = self.hang("--timeout", "0.2")
        _, said = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, 124, said)
        self.assertIn("did not return in time", said)
        self.assertIn("hocket: the record 'r.csv' is kept, up to where the run has come\n", said)
        self.assertTrue((self.folder / "r.csv").read_text(encoding="utf-8").startswith("time,"))

    def test_component_that_hangs_in_repeated_runs(self):
        body = (OPTIONS.bodies / "animal2.so").read_bytes()
        data = stable.fmu(2, stable.description(2, "hang@step", "", 0), body, platform.machine(), [], None)
        (self.folder / "animal.fmu").write_bytes(data)
        self.write("h.simulation", SIMULATION.replace("system s;", "system animal;").replace("RUNS", "2"))
        process = self.start("run", "h.simulation", "--system", "animal.fmu", "-o", "logs", "--workers", "2")
        wait_until(lambda: len(children_of(process_of(process))) == 2, "two workers", process)
        wait_until_idle(process)
        process.send_signal(signal.SIGINT)  # to this one alone: its workers are told by it
        said = [process.stderr.readline() for _ in range(3)]  # the first says that the runs are identical
        while not said[-1].startswith("hocket: waiting"):
            self.assertNotEqual(said[-1], "")
            said.append(process.stderr.readline())
        self.assertRegex(said[-1], r"^hocket: waiting for component '[^']+' \(fmi2DoStep since [1-9]\d* s\) of scenario 'a', "
                                   r"run [01]; press Ctrl-C again to end at once\n$")
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT_S)  # no worker is left that holds the pipe
        self.assertEqual(process.returncode, 130)
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_export(self):
        self.write("gain.c", "#include <hk/unit.h>\n")
        self.write("cc", "#!/bin/sh\nexec sleep 900\n")
        (self.folder / "cc").chmod(0o755)
        process = self.start("export", "gain.c", "-o", "gain.fmu", CC=str(self.folder / "cc"))
        wait_until(lambda: list(self.temporary.iterdir()), "the compiler is called", process)
        wait_until_idle(process)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertEqual(list(self.temporary.iterdir()), [])
        self.assertFalse((self.folder / "gain.fmu").exists())
        process.communicate()


if __name__ == "__main__":
    main("--bodies")
