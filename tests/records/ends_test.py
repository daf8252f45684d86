#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every end of a run: the last row is where the run has come to, and what is beside the record says why it ended."""
import json
import re
import resource
import signal
import subprocess

import records_case as rc
from hocket_case import TIMEOUT_S, wait_until

LONG = ("--stop-time", "1e6", "--output-interval", "1000", "--real-time=2000")
SIMULATION = """Simulation long (s)
system w;
simulationTime [0, 1000000]:1/100;
scenarios {
  Scenario calm
}
"""


class Ends(rc.Records):
    def setUp(self):
        super().setUp()
        self.write("w.system", rc.WAVE)
        self.names = ["r.csv", "r.mat"] + (["r.h5"] if self.has_hdf5() else [])

    def interrupt(self, record, *words, number=signal.SIGINT):
        """What it says when it is interrupted in the middle: there are rows, and the run is not at the end."""
        (self.folder / record).unlink(missing_ok=True)
        with subprocess.Popen([self.options.hocket, *words], cwd=self.folder, stderr=subprocess.PIPE,
                              encoding="utf-8", env=rc.environment()) as process:
            wait_until((self.folder / record).exists, "the first rows", process)
            process.send_signal(number)
            if number == signal.SIGHUP:  # the terminal sends one, and its shell another
                process.send_signal(number)
            said = process.communicate(timeout=TIMEOUT_S)[1]
            self.assertEqual(process.returncode, 130, said)
            return said

    def look(self, name, said, why):
        """The end that was said, that of the record and that beside it are one."""
        at = float(re.search(r"(?m)^(?:ended|failed) +at ([0-9.]+) s", said)[1])
        info = json.loads(self.hocket("info", name, "--json").stdout)
        about = json.loads((self.folder / f"{name}-metadata.json").read_text(encoding="utf-8"))["notes"][0]
        self.assertGreater(at, 0)
        self.assertEqual((info["last_s"], about["end_s"], about["ended"]), (at, at, why))
        self.assertEqual(info["rows"], about["rows"])

    def test_interrupted(self):
        for name in self.names:
            self.look(name, self.interrupt(name, "run", "w.system", *LONG, "-o", name, "--trace=t"), "interrupted")
        last = json.loads((self.folder / "t").read_text(encoding="utf-8").splitlines()[-1])
        end = json.loads((self.folder / f"{name}-metadata.json").read_text(encoding="utf-8"))["notes"][0]["end_s"]
        self.assertAlmostEqual(last["t"], end, delta=0.011)

    def test_other_signals(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            said = self.interrupt("r.csv", "run", "w.system", *LONG, "-o", "r.csv", number=number)
            self.look("r.csv", said, "interrupted")

    def test_nohup(self):
        """Who ignores SIGHUP for the run wants it to go on."""
        with subprocess.Popen(["sh", "-c", 'trap "" HUP; exec "$0" "$@"', self.options.hocket, "run", "w.system",
                               "--stop-time", "1", "--real-time=2", "-o", "r.csv", "-q"], cwd=self.folder,
                              env=rc.environment()) as process:
            wait_until((self.folder / "r.csv").exists, "the first rows", process)
            process.send_signal(signal.SIGHUP)
            self.assertEqual(process.wait(timeout=TIMEOUT_S), 0)

    def test_out_of_time(self):
        done = self.hocket("run", "w.system", *LONG, "-o", "r.csv", "--timeout", "0.3", exit=None)
        self.assertEqual(done.stderr.count("the run is not finished after 0.3 s"), 1)
        self.look("r.csv", done.stderr, "failed: HK0507")

    def test_in_the_first_step(self):
        """What an earlier run has left stays if a run does not get beyond its first step, also if that takes long."""
        self.write("l.simulation", SIMULATION.replace("1000000]", "1]").replace(
            "calm", 'calm logs { a.csv timed(1/100) { "wave.c.s.y"; } b.csv timed(1) { "wave.c.g.y"; } }'))
        slow = ("--real-time=1e-6", "--timeout", "0.7")
        for words, names in ((("w.system", "--stop-time", "1", "-o", "NAME"), self.names),
                             (("l.simulation", "-o", "logs"), ["logs/a.csv", "logs/b.csv"])):
            for name in names[:1] if words[0] == "l.simulation" else names:
                words = [name if word == "NAME" else word for word in words]
                again = [name if word in self.names else word for word in words]
                self.hocket("run", *again, "-q")
                files = [p for n in (names if "logs/" in name else [name]) for p in self.folder.glob(n + "*")]
                before = {path: path.read_bytes() for path in files}
                self.assertGreaterEqual(len(before), 2)
                done = self.hocket("run", *again, *slow, exit=124)
                self.assertNotIn("is kept", done.stderr)
                self.assertTrue("simulation" in words[0] or "is of an earlier run" in done.stderr, done.stderr)
                self.assertEqual({path: path.read_bytes() for path in files}, before, name)

    def test_no_room(self):
        """What is beside a record that was cut short is of the rows that are in it."""
        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (2000001, 2000001))
        for name in self.names:
            done = self.hocket("run", "w.system", "--stop-time", "1000", "-o", name, "-q", exit=3,
                               run={"preexec_fn": small})
            self.assertEqual(done.stderr.count("]: "), 1, done.stderr)
            info = json.loads(self.hocket("info", name, "--json").stdout)
            about = json.loads((self.folder / f"{name}-metadata.json").read_text(encoding="utf-8"))["notes"][0]
            self.assertGreater(info["rows"], 1000, name)
            self.assertEqual((about["rows"], about["end_s"]), (info["rows"], info["last_s"]), name)

    def test_full_disk(self):
        """A disk of 1 MiB that the rows fill: what was reserved holds how the run ended, inside the record, too."""
        apart = ["unshare", "-rm", "sh", "-c"]
        mount = "mkdir -p disk && mount -t tmpfs -o size=1m disk disk"
        try:
            rc.call(*apart, mount, cwd=self.folder)
        except (OSError, AssertionError):
            self.skipTest("a file system cannot be mounted here")
        for name in self.names:
            done = rc.call(*apart, f'{mount} && ! "$0" run w.system --stop-time 3000 -q -o disk/{name} && cp disk/* .',
                           self.options.hocket, cwd=self.folder)
            self.assertEqual(done.stderr.count("]: "), 1, done.stderr)
            self.assertIn("No space left on device", done.stderr)
            info = json.loads(self.hocket("info", name, "--json").stdout)
            text = (self.folder / f"{name}-metadata.json").read_text(encoding="utf-8")
            about = json.loads(text)["notes"][0]
            self.assertGreater(info["rows"], 10000, name)
            self.assertEqual((about["rows"], about["end_s"]), (info["rows"], info["last_s"]), name)
            self.assertTrue(name == "r.csv" or text.strip().encode() in (self.folder / name).read_bytes(), name)

    def test_at_its_stop_time(self):
        self.hocket("run", "w.system", "--stop-time", "1.005", "-o", "r.csv", "-q")
        about = json.loads((self.folder / "r.csv-metadata.json").read_text(encoding="utf-8"))["notes"][0]
        self.assertEqual((about["end_s"], about["ended"], about["rows"]), (1.005, "at its stop time", 102))
        self.assertEqual(json.loads(self.hocket("info", "r.csv", "--json").stdout)["last_s"], 1.005)

    def test_simulation(self):
        self.write("long.simulation", SIMULATION)
        self.interrupt("logs/record.csv", "run", "long.simulation", "--output-variable", "s.y", "--real-time=2000",
                       "-o", "logs")
        info = json.loads(self.hocket("info", "logs/record.csv", "--json").stdout)
        about = json.loads((self.folder / "logs/record.csv-metadata.json").read_text(encoding="utf-8"))["notes"][0]
        self.assertEqual((about["ended"], about["end_s"]), ("interrupted", info["last_s"]))
        self.assertEqual(about["rows"], info["rows"])


if __name__ == "__main__":
    rc.main("--hocket")
