#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Components in processes of their own: the same bytes, one message when one of them is gone, and nothing left."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import hocket_case
from hocket_case import Case, main


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


class Isolated(Case):
    def both(self, *words, more=(), exit=0):
        """A run without and with isolation: the record of both, and what both said."""
        for name, isolate in (("direct.csv", ()), ("isolated.csv", ("--isolate", "all", *more))):
            done = self.hocket("run", *words, "-q", "-o", name, *isolate, exit=exit)
            yield (self.folder / name).read_bytes(), done.stderr

    @hocket_case.plain
    def test_the_same_bytes(self):
        for model in ("quarter_truck.ssp", "quarter_truck_fmi1.ssp", "quarter_truck_fmi3.ssp", "quarter_truck_native.ssp", "r_rosace.ssp"):
            with self.subTest(model=model):
                (direct, _), (isolated, _) = self.both(self.options.models / model, "--stop-time", "1")
                self.assertEqual(direct, isolated)
                self.assertGreater(len(direct), 1000)

    def test_one_of_several_and_threads(self):
        truck = self.options.models / "quarter_truck.ssp"
        for words in (("--isolate", "wheel"), ("--isolate", "wheel", "--isolate", "ground"), ("--isolate", "all", "--threads", "2"),
                      ("--isolate", "all", "--monitor", "values"), ("--isolate", "chassis", "--nodes", "2")):
            with self.subTest(words=words):
                self.hocket("run", truck, "-q", "--stop-time", "0.2", "-o", "direct.csv")
                self.hocket("run", truck, "-q", "--stop-time", "0.2", "-o", "isolated.csv", *words)
                self.assertEqual((self.folder / "direct.csv").read_bytes(), (self.folder / "isolated.csv").read_bytes())

    def test_all_types_and_texts(self):
        """Numbers of all types, texts and states."""
        for fmu in ("probe.fmu", "probe3.fmu"):
            with self.subTest(fmu=fmu):
                (direct, _), (isolated, _) = self.both(self.options.fmus / fmu, "--stop-time", "1", "--output-variable", "*")
                folder = re.compile(rb"file://[^,]*/|/[^,]*/resources")  # each process has resources of its own
                self.assertEqual(folder.sub(b"", direct), folder.sub(b"", isolated))

    def test_a_state(self):
        fmu = self.options.fmus / "probe.fmu"
        self.hocket("run", fmu, "-q", "--stop-time", "2", "-o", "whole.csv")
        for first, second in (((), ("--isolate", "all")), (("--isolate", "all"), ())):
            self.hocket("run", fmu, "-q", "--stop-time", "1", "--save-state", "s.hks", *first)
            self.hocket("run", fmu, "-q", "--stop-time", "2", "--load-state", "s.hks", "-o", "rest.csv", *second)
            whole = (self.folder / "whole.csv").read_text().splitlines()
            rest = (self.folder / "rest.csv").read_text().splitlines()
            self.assertEqual(whole[-1], rest[-1])

    @hocket_case.plain
    def test_states_go_on_the_other_way(self):
        """Of FMUs they are the same bytes, and so are traces; of native components what they lead to is."""
        for model, stop, same in (("quarter_truck.ssp", 0.1, True), ("quarter_truck_fmi3.ssp", 0.1, True), ("r_rosace.ssp", 0.52, False),
                                  ("quarter_truck_native.ssp", 0.1, False)):
            with self.subTest(model=model):
                model, ways, saved = self.options.models / model, ((), ("--isolate", "all")), []
                self.hocket("run", model, "-q", "--stop-time", 2 * stop, "-o", "whole.csv")
                whole = (self.folder / "whole.csv").read_text().splitlines()
                for first in ways:
                    self.hocket("run", model, "-q", "--stop-time", stop, "--save-state", "s.hks", "--trace", "t.jsonl", *first)
                    saved.append(((self.folder / "s.hks").read_bytes(), (self.folder / "t.jsonl").read_bytes()))
                    self.hocket("prove", model, "--stop-time", stop, "--trace", "t.jsonl")
                    for second in ways:
                        self.hocket("run", model, "-q", "--stop-time", 2 * stop, "--load-state", "s.hks", "-o", "rest.csv", *second)
                        rest = (self.folder / "rest.csv").read_text().splitlines()[1:]
                        self.assertGreater(len(rest), 10)
                        self.assertEqual(whole[-len(rest):], rest)
                if same:
                    self.assertEqual(*saved)

    def test_the_log_file(self):
        """What FMUs say is written down by the one process that owns the file."""
        logs = []
        for words in ((), ("--isolate", "all")):
            self.hocket("run", self.options.fmus / "probe.fmu", "-q", "--set", "fault=13", "--set", "fault_time=0.5",
                        "--stop-time", "1", "--log-file", "log.jsonl", *words)
            logs.append((self.folder / "log.jsonl").read_text())
        self.assertEqual(*logs)
        self.assertIn("are near", logs[0])

    def test_failures_are_told_alike(self):
        for fault in (2, 4, 5, 12):
            with self.subTest(fault=fault):
                (direct, said), (isolated, again) = self.both(self.options.fmus / "probe.fmu", "--set", f"fault={fault}", "--set",
                                                              "fault_time=0.5", "--stop-time", "1", exit=4)
                self.assertEqual(said, again)
                self.assertEqual(direct, isolated)

    def start(self, *words):
        run = subprocess.Popen([str(self.options.hocket), "run", str(self.options.models / "quarter_truck.ssp"), "--stop-time", "1e6",
                                "--output-interval", "10", "--progress", "none", "-o", "run.csv", "--isolate", "all", *words],
                               cwd=self.folder, env=hocket_case.environment(TMPDIR=str(self.folder)), stderr=subprocess.PIPE,
                               stdout=subprocess.DEVNULL, encoding="utf-8")
        self.addCleanup(run.stderr.close)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        hocket_case.wait_until(lambda: len(children_of(hocket_case.process_of(run))) >= 3 and (self.folder / "run.csv").exists(), "three processes", run)
        time.sleep(0.2)
        return run, children_of(hocket_case.process_of(run))

    def gone(self, pids):
        hocket_case.wait_until(lambda: not any(alive(pid) for pid in pids), "the end of all processes")

    def test_one_that_is_killed(self):
        run, processes = self.start()
        os.kill(processes[1], signal.SIGKILL)
        _, said = run.communicate(timeout=hocket_case.TIMEOUT_S)
        self.assertEqual(run.returncode, 4, said)
        self.assertEqual(said.count("error["), 1, said)
        self.assertRegex(said, r"error\[HK0506\]: component '\w+': was killed \(SIGKILL\) .*fmi2\w+ at t = \d")
        self.gone(processes)
        text = (self.folder / "run.csv").read_text()
        self.assertTrue(text.endswith("\n"))
        self.assertEqual(len({line.count(",") for line in text.splitlines()}), 1)
        self.assertEqual([p.name for p in self.folder.glob("hocket-*")], [])

    def test_hocket_is_killed(self):
        run, processes = self.start()
        run.kill()
        run.wait()
        self.gone(processes)

    def test_interrupted(self):
        run, processes = self.start()
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=hocket_case.TIMEOUT_S)
        self.assertEqual(run.returncode, 130, said)
        self.assertNotIn("error[", said)
        self.gone(processes)

    def test_what_is_not_possible_is_said_before(self):
        truck = self.options.models / "quarter_truck.ssp"
        self.assertIn("did you mean 'wheel'?", self.hocket("run", truck, "--isolate", "whel", exit=2).stderr)
        auv = self.options.models / "auv" / "auv.system"
        self.assertRegex(self.hocket("run", auv, "--isolate", "all", exit=2).stderr, "'.*myMntModel' provides the service 'pMntModel', and calls cannot")
        self.assertIn("--fused is not possible with --isolate", self.hocket("run", truck, "--isolate", "all", "--fused", exit=2).stderr)


if __name__ == "__main__":
    main()
