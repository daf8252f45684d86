#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How a run on several nodes ends when one of them does not go on: in time, with one message, and nothing left."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import hocket_case
from hocket_case import Case, main


TWO = """<?xml version="1.0" encoding="UTF-8"?>
<SystemStructureDescription xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription" version="1.0" name="two">
  <System name="two"><Elements>
    <Component name="a" type="application/x-fmu-sharedlibrary" source="probe.fmu"/>
    <Component name="b" type="application/x-fmu-sharedlibrary" source="probe.fmu"/>
  </Elements></System>
</SystemStructureDescription>
"""


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


class Ends(Case):
    def start(self, *words):
        """A run that would last for ever, and the processes of its nodes."""
        run = subprocess.Popen([str(self.options.hocket), "run", str(self.options.models / "quarter_truck.ssp"), "--stop-time", "1e6",
                                "--output-interval", "10", "--progress", "none", "-o", "run.csv", *words], cwd=self.folder,
                               env=hocket_case.environment(), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, encoding="utf-8")
        self.addCleanup(run.stderr.close)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        hocket_case.wait_until(lambda: len(children_of(hocket_case.process_of(run))) >= 3 and (self.folder / "run.csv").exists(), "three nodes", run)
        time.sleep(0.2)
        return run, children_of(hocket_case.process_of(run))

    def gone(self, pids):
        hocket_case.wait_until(lambda: not any(alive(pid) for pid in pids), "the end of all nodes")

    def test_a_node_that_is_killed(self):
        for transport in ("shm", "unix"):
            for victim in range(3):
                with self.subTest(transport=transport, victim=victim):
                    run, nodes = self.start("--nodes", "3", "--transport", transport)
                    os.kill(nodes[victim], signal.SIGKILL)
                    _, said = run.communicate(timeout=hocket_case.TIMEOUT_S)
                    self.assertEqual(run.returncode, 4, said)
                    self.assertEqual(said.count("error["), 1, said)
                    self.assertRegex(said, r"node [123] \('\w+'\) is gone: its process ended by signal 9")
                    self.gone(nodes)
                    # The record holds whole rows.
                    text = (self.folder / "run.csv").read_text()
                    self.assertTrue(text.endswith("\n"))
                    self.assertEqual(len({line.count(",") for line in text.splitlines()}), 1)

    def test_the_recorder_is_killed(self):
        for transport in ("shm", "unix"):
            run, nodes = self.start("--nodes", "3", "--transport", transport)
            recorder = hocket_case.process_of(run)  # it ends the nodes and cleans up before it ends itself
            run.kill()
            run.wait()
            self.gone([recorder, *nodes])

    def test_interrupted(self):
        run, nodes = self.start("--nodes", "3")
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=hocket_case.TIMEOUT_S)
        self.assertEqual(run.returncode, 130, said)
        self.assertNotIn("error[", said)
        self.gone(nodes)

    def test_no_file_is_left(self):
        before = set(os.listdir("/dev/shm")) if os.path.isdir("/dev/shm") else set()
        temporary = self.folder / "tmp"
        temporary.mkdir()
        self.hocket("run", self.options.models / "quarter_truck.ssp", "-q", "--nodes", "3", TMPDIR=str(temporary))
        self.assertEqual(list(temporary.iterdir()), [])
        self.assertEqual(set(os.listdir("/dev/shm")) - before if before else set(), set())

    def test_what_is_not_possible_is_said_before(self):
        truck = self.options.models / "quarter_truck.ssp"
        said = self.hocket("run", truck, "--nodes", "2", "--fused", exit=2).stderr
        self.assertIn("--fused is not possible with --nodes", said)
        for words in (("--threads", "2"), ("--trace", "t.jsonl"), ("--save-state", "s.hks"), ("--log-file", "l.txt"), ("--remote", "wheel=./w")):
            said = self.hocket("run", truck, "--nodes", "2", "--meet", "./place", *words, exit=2).stderr
            self.assertIn(f"{words[0]} is not possible with --meet", said)
        said = self.hocket("run", truck, "--nodes", "2", "--stop-when", "chassis.z >> 1", exit=2).stderr
        self.assertIn("error[HK0101]: --stop-when: '> 1' in 'chassis.z >> 1' is not a number\n", said)
        self.assertIn("add --nodes N", self.hocket("run", truck, "--transport", "unix", exit=2).stderr)
        self.assertIn("from 1 to 256", self.hocket("run", truck, "--nodes", "0", exit=2).stderr)

    def test_one_mistake_is_one_error(self):
        """What each node would say of the run of all is said once, with the words of a run on one node."""
        truck = self.options.models / "quarter_truck.ssp"
        self.write("late.schedule", "component wheel cost 5ms\n")
        for words, code in (("--real-time", "--timeout", "0.5"), "HK0507"), (("--schedule", "late.schedule"), "HK0416"):
            one = self.hocket("run", truck, "-q", "-o", "x.csv", *words, exit=None)
            self.assertEqual(one.stderr.count(f"error[{code}]"), 1, one.stderr)
            for transport in ("shm", "unix"):
                many = self.hocket("run", truck, "-q", "-o", "x.csv", *words, "--nodes", "3", "--transport", transport,
                                   exit=one.returncode)
                self.assertEqual(many.stderr.count("error["), 1, many.stderr)
                self.assertIn(f"error[{code}]", many.stderr)
                if code == "HK0416":
                    self.assertEqual(many.stderr, one.stderr)

    def test_a_component_that_fails(self):
        """The message, the exit status and the rows are those of a run on one node."""
        shutil.copy(self.options.fmus / "probe.fmu", self.folder / "probe.fmu")
        self.write("two.ssd", TWO)
        for fault in (1, 2, 4, 5, 6):  # NaN, statuses, a crash: tests/fmus/probe.c
            words = ["run", "two.ssd", "--stop-time", "2", "--step-size", "0.1", "--set", f"a.fault={fault}",
                     "--set", "a.fault_time=0.55"]
            one = self.hocket(*words, "-o", "one.csv", exit=None)
            self.assertNotEqual(one.returncode, 0)
            for transport in ("shm", "unix"):
                many = self.hocket(*words, "-o", "many.csv", "--nodes", "2", "--transport", transport, exit=one.returncode)
                said = [[line for line in run.stderr.splitlines() if "error[" in line or "hint: " in line] for run in (one, many)]
                self.assertEqual(*said)
                self.assertEqual((self.folder / "one.csv").read_bytes(), (self.folder / "many.csv").read_bytes(), fault)


if __name__ == "__main__":
    main()
