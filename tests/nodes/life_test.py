#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Life and death of the nodes of a run: who is to blame is named, all others end, and nothing is left; who is only slow is
waited for. Limits of time are wide, since a busy machine is slow: what is asserted is who is named and what is left."""
import json
import os
import pathlib
import platform
import resource
import shutil
import signal
import subprocess
import sys
import time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent / name) for name in ("zoo", "support")]
import stable  # noqa: E402
import hocket_case  # noqa: E402
from hocket_case import SLOW, Case, call, main  # noqa: E402

TRANSPORTS = ("shm", "unix")
TWO = """<?xml version="1.0" encoding="UTF-8"?>
<SystemStructureDescription xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription" version="1.0" name="two">
  <System name="two"><Elements>
    <Component name="a" type="application/x-fmu-sharedlibrary" source="FMU"/>
    <Component name="b" type="application/x-fmu-sharedlibrary" source="FMU"/>
  </Elements></System>
</SystemStructureDescription>
"""


def processes(marker):
    """Those that have the marker in their environment: pid, state, and whether it was forked by one that has it, too."""
    found = {}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if marker.encode() in (process / "environ").read_bytes():
                state, parent = (process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[:2]
                if state not in "ZX":
                    found[int(process.name)] = int(parent)
        except OSError:
            continue
    return found


class Life(Case):
    def setUp(self):
        super().setUp()
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        shm = pathlib.Path("/dev/shm")
        self.shared = lambda: {p.name for p in shm.iterdir() if p.owner() == pathlib.Path(self.folder).owner()
                               and "hocket" in p.name} if shm.is_dir() else set()
        self.before = self.shared()

    def tearDown(self):
        for pid in processes(str(self.temporary)):
            os.kill(pid, signal.SIGKILL)

    def environment_of(self):
        return hocket_case.environment(TMPDIR=str(self.temporary), XDG_CACHE_HOME=str(self.folder / "cache"))

    def start(self, *words, system=None, output="run.csv", **more):
        (self.folder / "run.csv").unlink(missing_ok=True)
        run = subprocess.Popen([str(self.options.hocket), "run", str(system or self.options.models / "quarter_truck.ssp"),
                                "--progress", "none", "-o", output, *words], cwd=self.folder, env=self.environment_of(),
                               stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, encoding="utf-8", **more)
        self.addCleanup(run.stderr.close)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        return run

    def nodes_of(self, run, count):
        """Their processes, by node, once all are there: children of the recorder, which is the run or a child of it."""
        def found():
            all_ = processes(str(self.temporary))
            parents = {}
            for pid, parent in all_.items():
                parents.setdefault(parent, []).append(pid)
            recorder = next((pid for pid, pids in parents.items() if len(pids) >= count), None)
            return [pid for pid in hocket_case.children_of(recorder) if pid in all_] if recorder else []  # in their order
        hocket_case.wait_until(found, "the nodes", run)
        return found()

    def long_run(self, *words, **more):
        """A run on three nodes that would last for ever, has written a row, and is between two of them."""
        run = self.start("--stop-time", "1e6", "--output-interval", "10", "--nodes", "3", *words, **more)
        nodes = self.nodes_of(run, 3)
        hocket_case.wait_until((self.folder / "run.csv").exists, "the first row", run)
        time.sleep(0.2)
        return run, nodes

    def nothing_left(self, run=None):
        hocket_case.wait_until(lambda: not processes(str(self.temporary)), "the end of all processes")
        self.assertEqual(list(self.temporary.iterdir()), [])
        self.assertEqual(self.shared() - self.before, set())

    def ended(self, run, status):
        _, said = run.communicate(timeout=hocket_case.TIMEOUT_S)
        self.assertEqual(run.returncode, status, said)
        self.nothing_left()
        text = (self.folder / "run.csv").read_text(encoding="utf-8")
        self.assertTrue(text.endswith("\n"))
        self.assertEqual(len({line.count(",") for line in text.splitlines()}), 1)
        self.assertEqual(self.about()["end_s"], float(text.splitlines()[-1].split(",")[0]), said)
        return said

    def about(self):
        return json.loads((self.folder / "run.csv-metadata.json").read_text(encoding="utf-8"))["notes"][0]

    def animals(self, deed):
        """A system of two that do a deed of the zoo at 0.5 s: only the first one, if it is asked for by a parameter."""
        body = (self.options.bodies / "animal2.so").read_bytes()
        data = stable.fmu(2, stable.description(2, deed, "", 0), body, platform.machine(), [], None)
        (self.folder / "animal.fmu").write_bytes(data)
        data = stable.fmu(2, stable.description(2, "calm", "", 0), body, platform.machine(), [], None)
        (self.folder / "calm.fmu").write_bytes(data)
        return self.write("two.ssd", TWO.replace("FMU", "animal.fmu", 1).replace("FMU", "calm.fmu"))

    # ---- lost ----

    def test_a_node_is_killed(self):
        for transport in TRANSPORTS:
            for victim in range(3):
                with self.subTest(transport=transport, victim=victim):
                    run, nodes = self.long_run("--transport", transport)
                    os.kill(nodes[victim], signal.SIGKILL)
                    said = self.ended(run, 4)
                    self.assertEqual(said.count("error["), 1, said)
                    name = ("chassis", "wheel", "ground")[victim]
                    self.assertRegex(said, rf"node {victim + 1} \('{name}'\) is gone: its process ended by signal 9 at t = [\d.]+ s")
                    self.assertRegex(said, rf"; waiting then: .*'{name}' of node {victim + 1}")

    def test_the_recorder_is_killed(self):
        """Its folders are removed by the next run at the latest."""
        for words in ((), ("--isolate", "wheel")):
            for transport in TRANSPORTS:
                run, nodes = self.long_run("--transport", transport, *words)
                parent = processes(str(self.temporary))[nodes[0]]
                os.kill(parent, signal.SIGKILL)
                run.wait()
                hocket_case.wait_until(lambda: not processes(str(self.temporary)), "the end of all processes")
                call(self.options.hocket, "run", self.options.models / "quarter_truck.ssp", "-q", "--isolate", "all",
                     "--stop-time", "0.01", cwd=self.folder, env=self.environment_of())
                self.nothing_left()

    def test_a_socket_is_cut(self):
        """A component that closes all descriptors of its process: the node can speak no more."""
        system = self.animals("close_all@step")
        for transport in TRANSPORTS:
            run = self.start("--nodes", "2", "--transport", transport, "--step-size", "0.25", "--stop-time", "2", system=system)
            _, said = run.communicate(timeout=hocket_case.TIMEOUT_S)
            self.assertEqual(run.returncode, 4, said)
            self.assertEqual(said.count("error["), 1, said)
            self.assertRegex(said, r"node 1 \('a'\) is gone: a component of it has closed what it speaks through at t = ")
            self.nothing_left()

    def test_a_component_takes_the_descriptors(self):
        """What the node writes goes to no file of the component."""
        system = self.animals("take_files@step")
        for transport in TRANSPORTS:
            run = self.start("--nodes", "2", "--transport", transport, "--step-size", "0.25", "--stop-time", "2", system=system)
            _, said = run.communicate(timeout=hocket_case.TIMEOUT_S)
            self.assertEqual(run.returncode, 4, said)
            self.assertRegex(said, r"node 1 \('a'\) is gone: a component of it has closed what it speaks through at t = ")
            self.nothing_left()

    # ---- slow, or hanging ----

    def test_stopped_with_a_watchdog(self):
        for transport in TRANSPORTS:
            for victim in range(3) if SLOW else (1,):
                run, nodes = self.long_run("--transport", transport, "--watchdog", "1")
                os.kill(nodes[victim], signal.SIGSTOP)
                said = self.ended(run, 124)
                self.assertEqual(said.count("error["), 1, said)
                self.assertRegex(said, rf"error\[HK0507\]: node {victim + 1} \('\w+'\) has not gone on for 1 s: the recorder waits for "
                                       rf".* of node {victim + 1}; it is at t = [\d.]+ s, its process is stopped \(SIGSTOP\)")
                self.assertTrue(self.about()["ended"].startswith("failed"), self.about())

    def test_stopped_without_a_watchdog(self):
        """It is waited for, and named; the record is that of a run that nobody has stopped."""
        short = ["--stop-time", "4", "--output-interval", "0.001"]
        self.hocket("run", self.options.models / "quarter_truck.ssp", *short, "-o", "one.csv", "-q")
        run = self.start(*short, "--nodes", "3", "--real-time", "--transport", "shm")
        nodes = self.nodes_of(run, 3)
        hocket_case.wait_until((self.folder / "run.csv").exists, "the first row", run)
        os.kill(nodes[1], signal.SIGSTOP)
        line = run.stderr.readline()
        os.kill(nodes[1], signal.SIGCONT)
        self.assertRegex(line, r"note: node 2 \('wheel'\) has been slow for \d+ s: .*waits for 'wheel' of node 2; "
                               r"it is at t = [\d.]+ s, its process is stopped \(SIGSTOP\)")
        said = self.ended(run, 0)
        self.assertNotIn("error[", said)
        self.assertEqual((self.folder / "one.csv").read_bytes(), (self.folder / "run.csv").read_bytes())

    def test_a_component_that_does_not_return(self):
        shutil.copy(self.options.fmus / "probe.fmu", self.folder / "probe.fmu")
        system = self.write("two.ssd", TWO.replace("FMU", "probe.fmu"))
        words = ["--stop-time", "2", "--step-size", "0.1", "--set", "a.fault=7", "--set", "a.fault_time=0.55"]
        alone = r"component 'a': has not returned for 3 s in fmi2DoStep at t = 0\.6 s"
        chain = r"the recorder waits for 'a' of node 1; it is at t = 0\.6 s, in component 'a' \(fmi2DoStep"
        cases = (("alone", ("--watchdog", "3"), alone), ("isolated", ("--watchdog", "3", "--isolate", "a"), alone),
                 ("nodes", ("--watchdog", "3", "--nodes", "2"), r"node 1 \('a'\) has not gone on for 3 s: " + chain),
                 ("both", ("--watchdog", "3", "--nodes", "2", "--transport", "unix", "--isolate", "all"), chain),
                 ("late", ("--timeout", "4", "--nodes", "2"), r"the run is not finished after 4 s: " + chain))
        runs = [self.start(*words, *more, system=system, output=f"{name}.csv") for name, more, _ in cases]
        for run, (name, _, expected) in zip(runs, cases):
            _, said = run.communicate(timeout=hocket_case.TIMEOUT_S)
            self.assertEqual(run.returncode, 124, said)
            self.assertEqual(said.count("error["), 1, said)
            self.assertRegex(said, expected)
            rows = (self.folder / f"{name}.csv").read_text(encoding="utf-8").splitlines()
            self.assertEqual(rows[-1].split(",")[0], "0.6", name)
        self.nothing_left()

    def test_a_watchdog_that_has_nothing_to_do(self):
        """Waiting for the time of the real world is not a hang."""
        truck = self.options.models / "quarter_truck.ssp"
        words = ["--stop-time", "0.002", "--real-time=0.0005", "--watchdog", "0.9", "-q"]  # two seconds per step
        for run in [self.start(*words, *more, output=f"{len(more)}.csv") for more in ((), ("--nodes", "2"))]:
            _, said = run.communicate(timeout=hocket_case.TIMEOUT_S)
            self.assertEqual((run.returncode, said), (0, ""))
        self.assertIn("--watchdog: '0' is not a valid number",
                      self.hocket("run", truck, "--watchdog", "0", exit=2).stderr)

    # ---- signals ----

    def test_signals_end_it_in_order(self):
        names = ("INT", "TERM", "HUP", "QUIT", "XCPU")
        for number, name in enumerate(names):
            run, _ = self.long_run("--transport", TRANSPORTS[number % 2])
            run.send_signal(getattr(signal, f"SIG{name}"))
            said = self.ended(run, 130)
            self.assertNotIn("error[", said, name)
            about = self.about()
            self.assertEqual(about["ended"], "interrupted", name)
            rows = (self.folder / "run.csv").read_text(encoding="utf-8").splitlines()
            self.assertEqual((about["rows"], about["end_s"]), (len(rows) - 1, float(rows[-1].split(",")[0])), name)

    def test_processor_time_is_used_up(self):
        """Of a node: the limit is that of each process."""
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (1, 60))
        run = self.start("--stop-time", "1e6", "--output-interval", "10", "--nodes", "3", preexec_fn=limit)
        said = self.ended(run, 130)
        self.assertNotIn("error[", said)

    def test_interrupted_while_a_component_hangs(self):
        shutil.copy(self.options.fmus / "probe.fmu", self.folder / "probe.fmu")
        system = self.write("two.ssd", TWO.replace("FMU", "probe.fmu"))
        run = self.start("--stop-time", "2", "--step-size", "0.1", "--set", "a.fault=7", "--set", "a.fault_time=0.55",
                         "--nodes", "2", system=system)
        hocket_case.wait_until((self.folder / "run.csv").exists, "the first row", run)
        time.sleep(0.5)
        run.send_signal(signal.SIGINT)
        said = self.ended(run, 130)
        self.assertRegex(said, r"node 1 \('a'\) did not end with the run, and was killed: it was at t = 0\.6 s, in component 'a'")
        self.assertEqual(self.about()["ended"], "interrupted")

    def test_ended_at_once(self):
        """A second Ctrl-C: the nodes clean up and are gone, also the one that is in a call."""
        shutil.copy(self.options.fmus / "probe.fmu", self.folder / "probe.fmu")
        system = self.write("two.ssd", TWO.replace("FMU", "probe.fmu"))
        run = self.start("--stop-time", "1e6", "--step-size", "0.1", "--set", "a.fault=7", "--set", "a.fault_time=0.55",
                         "--nodes", "2", "--isolate", "all", system=system)
        hocket_case.wait_until((self.folder / "run.csv").exists, "the first row", run)
        run.send_signal(signal.SIGINT)
        self.assertIn("interrupted", run.stderr.readline())
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=hocket_case.TIMEOUT_S)
        self.assertEqual(run.returncode, 130, said)
        self.assertNotIn("error[", said)
        self.nothing_left()

    def test_questions(self):
        """SIGUSR1 is answered, and changes nothing."""
        short = ["--stop-time", "3", "--output-interval", "0.001"]
        self.hocket("run", self.options.models / "quarter_truck.ssp", *short, "-o", "one.csv", "-q")
        one = r"(?m)^hocket: t = [\d.e-]+ s, (in component '\w+' \(\w+\)|between two calls)$"
        many = (r"(?m)^hocket: on several nodes:\n  the recorder: t = [\d.e-]+ s.*\n  node 3 \('ground'\): t = .*\n"
                r"  node 2 \('wheel'\): t = .*\n  node 1 \('chassis'\): t = .*\n  .+$")
        cases = (("alone", (), one), ("isolated", ("--isolate", "all"), one), ("shm", ("--nodes", "3"), many),
                 ("unix", ("--nodes", "3", "--transport", "unix"), many), ("idle", ("--nodes", "4"), r"(?m)^  node 4 \(no component\): "))
        runs = [self.start(*short, "--real-time", *words, output=f"{name}.csv") for name, words, _ in cases]
        for run, (name, _, _) in zip(runs, cases):
            hocket_case.wait_until((self.folder / f"{name}.csv").exists, "the first row", run)
        for _ in range(10):
            for run in runs:
                run.send_signal(signal.SIGUSR1)
            time.sleep(0.05)
        for run, (name, _, expected) in zip(runs, cases):
            _, said = run.communicate(timeout=hocket_case.TIMEOUT_S)
            self.assertEqual(run.returncode, 0, said)
            self.assertRegex(said, expected)
            self.assertEqual((self.folder / "one.csv").read_bytes(), (self.folder / f"{name}.csv").read_bytes(), name)
        self.nothing_left()

    def test_a_question_to_a_simulation(self):
        self.write("s.system", "system s { composite c { leaf r : hk.Ramp { frequency 10 Hz; } } }\n")
        system = self.write("s.simulation", "Simulation s (ms)\nsystem s;\nsimulationTime [0, 2000]:100;\nscenarios { Scenario a [2] }\n")
        run = self.start("--workers", "2", "--real-time", system=system, output="logs")
        hocket_case.wait_until(lambda: len(processes(str(self.temporary))) >= 3, "the workers", run)
        time.sleep(0.5)
        run.send_signal(signal.SIGUSR1)
        _, said = run.communicate(timeout=hocket_case.TIMEOUT_S)
        self.assertEqual(run.returncode, 0, said)
        for number in (0, 1):
            self.assertRegex(said, rf"(?m)^hocket: scenario 'a', run {number}: t = ")

    # ---- resources ----

    def test_full_disk(self):
        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (200001, 200001))
        for transport in TRANSPORTS:
            run = self.start("--stop-time", "1000", "--nodes", "3", "--transport", transport, preexec_fn=small)
            said = self.ended(run, 3)
            self.assertEqual(said.count("error["), 1, said)
            self.assertIn("run.csv", said)

    def test_no_process_can_be_started(self):
        """Of somebody who may not have more of them: the limit does not bind root."""
        apart = []
        if os.geteuid() == 0:
            apart = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
            if not shutil.which("setpriv"):
                self.skipTest("nobody else can be asked")

        def alone():
            resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
        for folder in (self.folder, self.temporary):
            folder.chmod(0o777)
        shutil.copy(self.options.models / "quarter_truck.ssp", self.folder / "t.ssp")
        words = ("run", "t.ssp", "--nodes", "2", "-q", "-o", "run.csv")
        leaks = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"  # the one who looks for them needs a process, too
        done = call(*apart, self.options.hocket, *words, cwd=self.folder, env=self.environment_of() | {"ASAN_OPTIONS": leaks},
                    exit=None, preexec_fn=alone)
        if done.returncode in (126, 127):
            self.skipTest("nobody else may read this build")
        self.assertEqual((done.returncode, done.stderr.count("error[")), (5, 1), done.stderr)
        self.assertIn("no process could be started", done.stderr)
        self.assertIn("Resource temporarily unavailable", done.stderr)
        self.nothing_left()


if __name__ == "__main__":
    main("--bodies")
