#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Nodes that are started by hand: the bytes of a run in one process, whoever comes first; what differs is refused on both
sides; a stranger does no harm; and nothing is left, however it ends."""
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import zipfile

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

RUNS = """Simulation two (s)
system quarter_truck;
simulationTime [0, 0.2]:0.001;
scenarios {
  Scenario high[2]
  begin { "quarter_truck.truck.chassis.z_initial" = 2 "m"; }
  expects { require "lies low" maximum of "quarter_truck.truck.chassis.z" max 1; }
  logs { high.csv timed(0.01) { "quarter_truck.truck.chassis.z"; "quarter_truck.truck.wheel.z"; } }
  Scenario low
  logs { low.csv timed(0.01) { "quarter_truck.truck.chassis.z"; "quarter_truck.truck.wheel.z"; } }
}
"""

HELLO, BEGIN, REFUSE, ENDED = range(4)
HANGS = 7  # tests/fmus/probe.c


def greeting(kind, about, protocol=1, letters=b"hocket\r\n"):
    return letters + struct.pack("<IIQ", protocol, kind, len(about)) + about


def text(words):
    return struct.pack("<Q", len(words) + 1) + words + b"\0"


def items(about):
    """What a hello says: its number, its rest, and what must be the same."""
    number, rest, count = struct.unpack_from("<QQQ", about)
    at, found = 24, []
    for _ in range(2 * count):
        size, = struct.unpack_from("<Q", about, at)
        found.append(about[at + 8:at + 8 + size - 1])
        at += 8 + size
    return number, rest, list(zip(found[::2], found[1::2]))


def hello(number, rest, pairs, **more):
    about = struct.pack("<QQQ", number, rest, len(pairs)) + b"".join(text(a) + text(b) for a, b in pairs)
    return greeting(HELLO, about, **more)


class Nodes(Case):
    def setUp(self):
        super().setUp()
        self.truck = self.options.models / "quarter_truck.ssp"
        self.place = self.folder / "place"

    def start(self, *words, **env):
        one = subprocess.Popen([str(self.options.hocket), *map(str, words)], cwd=self.folder, env=hocket_case.environment(**env),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        for stream in (one.stdout, one.stderr):
            self.addCleanup(stream.close)
        self.addCleanup(one.wait)
        self.addCleanup(one.kill)
        return one

    def node(self, file, number, count, *words, meet=None, **env):
        return self.start("node", file, "--nodes", count, "--number", number, "--meet", meet or self.place, *words, **env)

    def recorder(self, file, count, *words, meet=None, **env):
        return self.start("run", file, "--nodes", count, "--meet", meet or self.place, "--progress", "none", *words, **env)

    def finish(self, process, exit):
        out, said = process.communicate(timeout=hocket_case.TIMEOUT_S)
        self.assertEqual(process.returncode, exit, out + said)
        return said

    def hear(self, process, words):
        """Waits until it says so."""
        said = ""
        while words not in said:
            line = process.stderr.readline()
            self.assertTrue(line, said)
            said += line

    def nothing_left(self):
        self.assertFalse(self.place.exists())

    def wait_for_rows(self, run, record="run.csv"):
        """It runs: nobody is initialised any more."""
        record = self.folder / record
        hocket_case.wait_until(lambda: record.exists() and record.stat().st_size > 10000, "the begin", run)

    def wait_for_socket(self, recorder):
        hocket_case.wait_until((self.place / "recorder").exists, "the place to meet", recorder)
        return self.place / "recorder"

    def listens(self):
        here = os.getcwd()
        os.chdir(self.place)  # a path may be longer than an address
        try:
            with socket.socket(socket.AF_UNIX) as peer:
                return peer.connect_ex("recorder") == 0
        finally:
            os.chdir(here)

    def connect(self, recorder):
        """A stranger at the place to meet, and what the recorder says first."""
        path = self.wait_for_socket(recorder)
        peer = socket.socket(socket.AF_UNIX)
        self.addCleanup(peer.close)
        peer.settimeout(60)
        here = os.getcwd()
        os.chdir(path.parent)  # a path may be longer than an address
        try:
            # The name is there a moment before somebody listens.
            hocket_case.wait_until(lambda: peer.connect_ex("recorder") == 0, "the recorder", recorder)
        finally:
            os.chdir(here)
        head = self.read(peer, 24)
        letters, protocol, kind, size = struct.unpack("<8sIIQ", head)
        self.assertEqual((letters, protocol, kind), (b"hocket\r\n", 1, HELLO))
        return peer, items(self.read(peer, size))

    @staticmethod
    def read(peer, size):
        data = b""
        while len(data) < size:
            data += peer.recv(size - len(data)) or sys.exit("the recorder is gone")
        return data


class Same(Nodes):
    def together(self, file, count, *words, output=()):
        """All processes of a run, started in any order."""
        starts = [lambda k=k: self.node(file, k, count, *words) for k in range(1, count + 1)]
        starts.append(lambda: self.recorder(file, count, *words, *output))
        random.shuffle(starts)
        processes = [start() for start in starts]
        for one in processes:
            self.finish(one, 0)
        self.nothing_left()

    def test_systems(self):
        for file, words in ((self.truck, ("--stop-time", "0.3")),
                            (self.options.models / "r_rosace.ssp", ("--stop-time", "0.5", "--output-variable", "*"))):
            self.hocket("run", file, *words, "-q", "-o", "one.csv")
            for count, transport in ((1, "unix"), (2, "shm"), (3, "unix")):
                with self.subTest(file=file.name, count=count, transport=transport):
                    self.together(file, count, *words, "--transport", transport, output=("-o", "many.csv"))
                    self.assertTrue((self.folder / "one.csv").read_bytes() == (self.folder / "many.csv").read_bytes())

    def test_a_node_isolates_and_locks_in(self):
        """Each has a process of its own below the node that was asked for it, and the bytes are the same."""
        self.hocket("run", self.truck, "--stop-time", "0.1", "-q", "-o", "one.csv")
        for words in (("--isolate", "wheel"), ("--sandbox", "wheel", "--limit", "cpu=60", "--allow", "network")):
            with self.subTest(words=words):
                node = self.node(self.truck, 1, 1, *words, "--stop-time", "0.1")
                self.finish(self.recorder(self.truck, 1, "--stop-time", "0.1", "-o", "many.csv"), 0)
                self.finish(node, 0)
                self.assertTrue((self.folder / "one.csv").read_bytes() == (self.folder / "many.csv").read_bytes())
        node = self.node(self.truck, 1, 1, "--sandbox", "wheel", "--stop-time", "1e6")
        recorder = self.recorder(self.truck, 1, "--stop-time", "1e6", "-o", "run.csv")
        self.wait_for_rows(recorder)
        children = pathlib.Path(f"/proc/{node.pid}/task/{node.pid}/children").read_text(encoding="utf-8").split()
        self.assertTrue(children)
        for child in children:
            os.kill(int(child), signal.SIGKILL)
        for one in (recorder, node):
            self.assertIn("component 'wheel': was killed (SIGKILL)", self.finish(one, 4))

    def test_the_monitor(self):
        """What the recorder says was checked, the nodes have checked."""
        for what, sound in (("values", r"sound +[1-9][0-9 ]* calls in"), ("off", "not checked: --monitor=off")):
            recorder = self.recorder(self.truck, 1, "--stop-time", "0.1", "--monitor", what)
            node = self.node(self.truck, 1, 1, "--stop-time", "0.1", "--monitor", what)
            self.assertRegex(self.finish(recorder, 0), sound)
            self.finish(node, 0)

    def test_nothing_is_recorded(self):
        self.together(self.truck, 2, "--stop-time", "0.1")

    def test_a_condition_ends_all(self):
        words = ("--stop-time", "2", "--stop-when", "ground.z > 0.01")
        self.hocket("run", self.truck, *words, "-q", "-o", "one.csv")
        self.together(self.truck, 2, *words, output=("-o", "many.csv"))
        self.assertTrue((self.folder / "one.csv").read_bytes() == (self.folder / "many.csv").read_bytes())

    def test_a_simulation(self):
        file = self.options.models / "language/case1.simulation"
        self.hocket("run", file, "-q", "-o", "one")
        self.together(file, 2, output=("-o", "many"))
        self.same_logs()

    def same_logs(self):
        logs = sorted(path.name for path in (self.folder / "one").glob("*.csv"))
        self.assertTrue(logs)
        for log in logs:
            self.assertTrue((self.folder / "one" / log).read_bytes() == (self.folder / "many" / log).read_bytes(), log)

    def test_a_simulation_of_several_runs(self):
        """Its nodes meet for each run; the recorder alone judges."""
        file = self.write("two.simulation", RUNS)
        words = ("--system", self.options.models / "language/quarter_truck.system")
        said = self.hocket("run", file, *words, "-q", "-o", "one", exit=1).stderr
        nodes = [self.node(file, k, 2, *words) for k in (1, 2)]
        recorder = self.recorder(file, 2, *words, "-q", "-o", "many")
        self.assertEqual(self.finish(recorder, 1), said)
        for node in nodes:
            self.assertNotIn("error", self.finish(node, 0))
        self.nothing_left()
        self.same_logs()

    def test_a_name_is_a_folder_below_the_runtime_folder(self):
        runtime = self.folder / "runtime"
        runtime.mkdir(mode=0o700)
        env = {"XDG_RUNTIME_DIR": runtime}
        recorder = self.recorder(self.truck, 1, "--stop-time", "0.1", meet="x", **env)
        path = runtime / "hocket" / "x" / "recorder"
        hocket_case.wait_until(path.exists, "the socket", recorder)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(path.parent.stat().st_mode), 0o700)
        node = self.node(self.truck, 1, 1, "--stop-time", "0.1", meet="x", **env)
        self.finish(recorder, 0)
        self.finish(node, 0)
        self.assertEqual(list(runtime.iterdir()), [])
        said = self.hocket("run", self.truck, "--nodes", 1, "--meet", "x", exit=2).stderr
        self.assertIn("XDG_RUNTIME_DIR is not set", said)

    def test_a_folder_of_the_user_stays(self):
        self.place.mkdir(mode=0o755)
        recorder = self.recorder(self.truck, 1, "--stop-time", "0.1")
        self.finish(self.node(self.truck, 1, 1, "--stop-time", "0.1"), 0)
        self.finish(recorder, 0)
        self.assertEqual(list(self.place.iterdir()), [])


class Differences(Nodes):
    def refused(self, recorder, node, pattern):
        """Both say the same, each once, and write nothing that looks complete."""
        for one, who in ((recorder, "node 1 has something else than this run"), (node, "the recorder has something else")):
            said = self.finish(one, 1)
            self.assertEqual(said.count("error["), 1, said)
            self.assertIn("HK0435", said)
            self.assertIn(who, said)
            self.assertRegex(said, pattern)
        self.nothing_left()

    def test_options(self):
        for mine, other, pattern in ((("--set", "chassis.Mass.m=401"), (), "value of chassis.Mass.m"),
                                     (("--stop-time", "0.2"), ("--stop-time", "0.1"), "stop-time is '0.[12]' here and '0.[12]' there"),
                                     (("--transport", "unix"), (), "the transport"),
                                     (("--extrapolate",), (), "--extrapolate"),
                                     (("--monitor", "values"), ("--monitor", "off"), "--monitor is '(values|off)' here and '(values|off)' there"),
                                     ((), ("--monitor", "off"), "--monitor is '(phase|off)' here and '(phase|off)' there"),
                                     (("--stop-when", "ground.z > 1"), (), "--stop-when"),
                                     (("--output-variable", "ground.z"), (), r"--output-variable\) is '\d signals?: .*' here and '\d signals?: .*' there"),
                                     (("--output-variable", "ground.z"), ("--output-variable", "wheel.z"),
                                      r"--output-variable\) is '1 signal: (ground|wheel).z' here and '1 signal: (ground|wheel).z' there")):
            with self.subTest(mine=mine):
                self.refused(self.recorder(self.truck, 1, *mine), self.node(self.truck, 1, 1, *other), pattern)

    def test_the_number_of_nodes(self):
        self.refused(self.recorder(self.truck, 2), self.node(self.truck, 1, 1), "number of nodes is '[12]' here and '[12]' there")

    def test_files(self):
        """The same name, another content."""
        for name, more in (("a", ""), ("b", "<!-- nothing -->")):
            folder = self.folder / name
            folder.mkdir()
            shutil.copy(self.options.fmus / "probe.fmu", folder)
            (folder / "x.ssd").write_text(TWO + more, encoding="utf-8")
        words = ("--stop-time", "0.1")
        self.refused(self.recorder("a/x.ssd", 1, *words), self.node("b/x.ssd", 1, 1, *words), "the file 'x.ssd' is")
        recorder, node = self.recorder("a/x.ssd", 1, *words), self.node(self.folder / "a/x.ssd", 1, 1, *words)
        self.finish(recorder, 0)
        self.finish(node, 0)

    def fake(self, change, **more):
        """A node that has something else; what the recorder says."""
        recorder = self.recorder(self.truck, 1, "-o", "run.csv")
        peer, (_, rest, pairs) = self.connect(recorder)
        peer.sendall(hello(1, rest, [(a, change.get(a, b)) for a, b in pairs], **more))
        said = self.finish(recorder, 1)
        self.nothing_left()
        return said

    def test_another_hocket(self):
        self.assertIn("the version of hocket is '", self.fake({b"the version of hocket": b"99.0.0"}))
        self.assertRegex(self.fake({b"the mathematical library": b"0123456789abcdef"}),
                         "the mathematical library is '[0-9a-f]{16}' here and '0123456789abcdef' there")
        self.assertIn("the protocol is 1 here and 2 there", self.fake({}, protocol=2))
        self.assertIn("the plan is '", self.fake({b"the plan": b""}))

    def test_a_node_that_comes_twice(self):
        recorder = self.recorder(self.truck, 2, "--stop-time", "0.1")
        self.connect(recorder)[0].close()
        nodes = [self.node(self.truck, 1, 2, "--stop-time", "0.1") for _ in range(2)]
        hocket_case.wait_until(lambda: any(one.poll() is not None for one in nodes), "the second is sent away")
        refused, other = sorted(nodes, key=lambda one: one.poll() is None)
        self.assertRegex(self.finish(refused, 1), "has sent this node away: node 1 of this run is there already\n.*give each node its own --number")
        last = self.node(self.truck, 2, 2, "--stop-time", "0.1")
        self.finish(other, 0)
        self.finish(last, 0)
        self.assertIn("node 1 came twice", self.finish(recorder, 0))

    def test_usage(self):
        for words, exit, pattern in ((("--nodes", 2), 2, "needs --nodes, --number and --meet"),
                                     (("--nodes", 2, "--number", 3, "--meet", "./p"), 2, "not one of 2 nodes"),
                                     (("--nodes", 2, "--number", 0, "--meet", "./p"), 2, "not one of 2 nodes"),
                                     (("--nodes", 1, "--number", 1, "--meet", "."), 2, "not a place to meet")):
            self.assertRegex(self.hocket("node", self.truck, *words, exit=exit).stderr, pattern)
        self.assertIn("add --nodes N", self.hocket("run", self.truck, "--meet", "./p", exit=2).stderr)

    def test_how_components_run_is_said_to_their_node(self):
        """The recorder runs none, so it would drop them in silence."""
        for words in (("--sandbox", "wheel"), ("--isolate", "all"), ("--allow", "network"), ("--limit", "cpu=5")):
            said = self.hocket("run", self.truck, "--nodes", 1, "--meet", self.place, *words, exit=2).stderr
            self.assertIn(f"{words[0]} is not possible with --meet", said)
        self.nothing_left()
        said = self.hocket("node", self.truck, "--nodes", 1, "--number", 1, "--meet", self.place, "--limit", "cpu=5", exit=2).stderr
        self.assertIn("--limit is for components in a sandbox", said)


class Strangers(Nodes):
    def finish_both(self, recorder):
        node = self.node(self.truck, 1, 1, "--stop-time", "0.1")
        self.finish(node, 0)
        said = self.finish(recorder, 0)
        self.nothing_left()
        return said

    def test_garbage(self):
        """It is sent away, and the run goes on as if nobody had come."""
        recorder = self.recorder(self.truck, 1, "--stop-time", "0.1")
        rest, pairs = self.connect(recorder)[1][1:]
        good = hello(1, rest, pairs)
        broken = [b"", b"GET / HTTP/1.1\r\n\r\n", b"\0" * 100000, good[:-1] + b"x" * 10, good[:16] + b"\xff" * 8 + good[24:],
                  greeting(HELLO, b""), greeting(BEGIN, struct.pack("<Q", 3) + text(b"")), greeting(77, b"12345678"),
                  greeting(HELLO, struct.pack("<QQQ", 1, 0, 2**60)), hello(0, rest, pairs), hello(9, rest, pairs),
                  hello(1, rest, pairs) + b"more", hello(1, 0, [(b"x" * 5000, b"y")])]
        for data in broken:
            peer, _ = self.connect(recorder)
            try:
                peer.sendall(data)
                peer.shutdown(socket.SHUT_WR)
                while peer.recv(4096):
                    pass
            except OSError:
                pass  # it does not listen any more
            peer.close()
        self.assertIsNone(recorder.poll())
        self.assertEqual(self.finish_both(recorder).count("was sent away"), 1)

    def test_one_that_says_nothing(self):
        recorder = self.recorder(self.truck, 1, "--stop-time", "0.1")
        self.connect(recorder)
        self.finish_both(recorder)

    def test_a_recorder_that_is_none(self):
        self.place.mkdir(mode=0o700)
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        here = os.getcwd()
        os.chdir(self.place)
        try:
            listener.bind("recorder")
        finally:
            os.chdir(here)
        listener.listen()
        listener.settimeout(60)
        for said, pattern in ((b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n", "does not speak as the recorder"),
                              (greeting(BEGIN, struct.pack("<Q", 1) + text(b"")), "does not speak as the recorder"),
                              (greeting(HELLO, b"", protocol=9), "the protocol is 1 here and 9 there")):
            node = self.node(self.truck, 1, 1)
            peer, _ = listener.accept()
            peer.sendall(said)
            self.assertRegex(self.finish(node, 1), pattern)
            peer.close()

    def test_descriptors_that_are_not_wires(self):
        """A node maps and reads only what it would have made itself."""
        self.place.mkdir(mode=0o700)
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        here = os.getcwd()
        os.chdir(self.place)
        try:
            listener.bind("recorder")
        finally:
            os.chdir(here)
        listener.listen()
        listener.settimeout(60)
        null = os.open("/dev/null", os.O_RDWR)
        self.addCleanup(os.close, null)
        for transport in ("shm", "unix"):
            for count, given in ((2, [null, null]), (1, [null]), (0, []), (2, [])):
                node = self.node(self.truck, 1, 1, "--transport", transport)
                peer, _ = listener.accept()
                peer.settimeout(60)
                size = struct.unpack("<8sIIQ", self.read(peer, 24))[3]
                _, rest, pairs = items(self.read(peer, size))
                peer.sendall(hello(0, rest, pairs))
                peer.sendall(greeting(BEGIN, struct.pack("<Q", count) + text(b"")))
                for fd in given:
                    socket.send_fds(peer, [b"x"], [fd])
                peer.shutdown(socket.SHUT_WR)
                said = self.finish(node, 1)
                self.assertEqual(said.count("error["), 1, said)
                self.assertIn("error[HK0435]", said)
                peer.close()

    def test_a_folder_that_others_can_write(self):
        self.place.mkdir()
        for mode in (0o777, 0o720, 0o1777):
            self.place.chmod(mode)
            for verb, words in (("run", ()), ("node", ("--number", 1))):
                said = self.hocket(verb, self.truck, "--nodes", 1, "--meet", self.place, *words, exit=1).stderr
                self.assertIn("the place to meet can be written by others", said)
        self.assertEqual(list(self.place.iterdir()), [])

    def test_a_place_that_is_taken(self):
        recorder = self.recorder(self.truck, 1, "--stop-time", "0.1")
        self.wait_for_socket(recorder)
        said = self.hocket("run", self.truck, "--nodes", 1, "--meet", self.place, exit=1).stderr
        self.assertIn("another run waits for its nodes there", said)
        self.finish_both(recorder)

    def test_a_file_that_is_not_ours_stays(self):
        self.place.mkdir(mode=0o700)
        (self.place / "recorder").write_text("mine", encoding="utf-8")
        said = self.hocket("run", self.truck, "--nodes", 1, "--meet", self.place, exit=1).stderr
        self.assertIn("is not a socket", said)
        self.assertEqual((self.place / "recorder").read_text(encoding="utf-8"), "mine")


class Ends(Nodes):
    def run_for_ever(self, transport, *words):
        """A run that goes on: the recorder and its nodes."""
        words = ("--stop-time", "1e6", "--transport", transport, *words)
        nodes = [self.node(self.truck, k, 3, *words) for k in (1, 2, 3)]
        recorder = self.recorder(self.truck, 3, *words, "-o", "run.csv")
        self.wait_for_rows(recorder)
        return recorder, nodes

    def test_a_node_is_killed(self):
        for transport, victim in (("shm", 0), ("unix", 1), ("unix", 2)):
            (self.folder / "run.csv").unlink(missing_ok=True)
            recorder, nodes = self.run_for_ever(transport)
            nodes[victim].kill()
            said = self.finish(recorder, 4)
            pattern = rf"node {victim + 1} \('\w+'\) is gone"
            self.assertEqual(said.count("error["), 1, said)
            self.assertRegex(said, pattern)
            for k, node in enumerate(nodes):
                if k != victim:
                    heard = self.finish(node, 4)
                    self.assertEqual(heard.count("error["), 1, heard)
                    self.assertRegex(heard, pattern)

    def test_the_recorder_is_killed(self):
        for transport in ("shm", "unix"):
            (self.folder / "run.csv").unlink(missing_ok=True)
            recorder, nodes = self.run_for_ever(transport)
            recorder.kill()
            for node in nodes:
                said = self.finish(node, 4)
                self.assertIn("the recorder is gone", said)
                self.assertEqual(said.count("error["), 1, said)

    def test_interrupted(self):
        recorder, nodes = self.run_for_ever("unix")
        recorder.send_signal(signal.SIGINT)
        self.finish(recorder, 130)
        for node in nodes:
            self.assertIn("the recorder was interrupted", self.finish(node, 130))
        (self.folder / "run.csv").unlink()
        recorder, nodes = self.run_for_ever("shm")
        nodes[1].send_signal(signal.SIGINT)
        self.assertIn("node 2 was interrupted", self.finish(recorder, 130))
        for node in nodes:
            self.assertIn("node 2 was interrupted", self.finish(node, 130))

    def test_a_question_ends_nothing(self):
        """SIGUSR1: the answer, from whoever is asked, while it waits and while it runs."""
        node = self.node(self.truck, 1, 2, "--stop-time", "1e6")
        self.hear(node, "waiting for")
        node.send_signal(signal.SIGUSR1)
        self.hear(node, "no simulation runs now: it waits for others")
        waits = self.recorder(self.truck, 2, meet=self.folder / "other")
        self.hear(waits, "waiting for")
        waits.send_signal(signal.SIGUSR1)
        self.hear(waits, "no simulation runs now: it waits for others")
        waits.send_signal(signal.SIGINT)
        self.finish(waits, 130)
        recorder = self.recorder(self.truck, 2, "--stop-time", "1e6", "-o", "run.csv")
        other = self.node(self.truck, 2, 2, "--stop-time", "1e6", "-q")
        self.wait_for_rows(recorder)
        for one, answer in ((node, "t = "), (recorder, "on several nodes:"), (other, "t = ")):
            one.send_signal(signal.SIGUSR1)
            self.hear(one, answer)
        rows = (self.folder / "run.csv").stat().st_size
        hocket_case.wait_until(lambda: (self.folder / "run.csv").stat().st_size > rows + 10000, "more rows", recorder)
        recorder.send_signal(signal.SIGINT)
        for one in (recorder, node, other):
            self.finish(one, 130)

    def test_a_simulation_is_interrupted(self):
        """Its runs have processes of their own, and only the one that was started gets the signal."""
        file = self.write("two.simulation", RUNS.replace("0.2]", "1e6]").replace(" max 1;", " max 1 during [0, 1];"))
        words = ("--system", self.options.models / "language/quarter_truck.system")
        for process in (self.recorder(file, 2, *words, "-o", "waits"), self.node(file, 1, 1, *words, meet=self.folder / "other")):
            self.hear(process, "waiting for")
            process.send_signal(signal.SIGINT)
            self.finish(process, 130)
        self.nothing_left()
        for victim in (0, 1):
            shutil.rmtree(self.folder / "many", ignore_errors=True)
            both = self.recorder(file, 1, *words, "-o", "many"), self.node(file, 1, 1, *words)
            hocket_case.wait_until(lambda: any(path.stat().st_size > 10000 for path in (self.folder / "many").glob("*.csv")), "the begin", both[0])
            both[victim].send_signal(signal.SIGINT)
            for process in both:
                self.finish(process, 130)

    def test_while_it_waits(self):
        """Ctrl-C leaves nothing; what a killed one leaves is removed by the next; a limit of time holds."""
        recorder = self.recorder(self.truck, 2)
        node = self.node(self.truck, 1, 2)
        hocket_case.wait_until(lambda: recorder.poll() is not None or self.place.exists(), "the place")
        self.hear(recorder, "waiting for node 2 of 2")
        recorder.send_signal(signal.SIGINT)
        self.finish(recorder, 130)
        self.assertIn("interrupted", self.finish(node, 1))
        self.nothing_left()
        recorder = self.recorder(self.truck, 1)
        self.wait_for_socket(recorder)
        recorder.kill()
        recorder.wait()
        # What was killed is the parent: who listens ends a moment later, and a recorder that comes before finds the place taken.
        hocket_case.wait_until(lambda: not self.listens(), "the end of who listens")
        self.assertTrue((self.place / "recorder").exists())
        recorder = self.recorder(self.truck, 1, "--stop-time", "0.1")
        self.finish(self.node(self.truck, 1, 1, "--stop-time", "0.1"), 0)
        self.finish(recorder, 0)
        self.nothing_left()
        self.finish(self.recorder(self.truck, 1, "--timeout", "0.2"), 124)
        self.finish(self.node(self.truck, 1, 1, "--timeout", "0.2"), 124)
        self.nothing_left()

    def test_a_component_that_does_not_return(self):
        """Its node ends without the recorder all the same; and the recorder without its node."""
        shutil.copy(self.options.fmus / "probe.fmu", self.folder / "probe.fmu")
        words = ("--stop-time", "2", "--step-size", "0.1", "--set", f"fault={HANGS}", "--set", "fault_time=0.55")
        for ended in (signal.SIGKILL, signal.SIGINT):
            node, recorder = self.node("probe.fmu", 1, 1, *words), self.recorder("probe.fmu", 1, *words, "-o", "run.csv")
            hocket_case.wait_until(lambda: not self.place.exists() and (self.folder / "run.csv").exists(), "the begin", recorder)
            hocket_case.wait_until_idle(recorder)
            recorder.send_signal(ended)
            self.assertEqual(recorder.wait(timeout=hocket_case.TIMEOUT_S), -9 if ended == signal.SIGKILL else 130)
            self.assertIn("the recorder is gone, and a component does not return", self.finish(node, 4))
            (self.folder / "run.csv").unlink()

    def test_a_watchdog_is_of_the_recorder(self):
        """A node has none, and need not agree; who hangs is named with its call."""
        self.hocket("run", self.truck, "--stop-time", "0.1", "-q", "-o", "one.csv")
        node = self.node(self.truck, 1, 1, "--stop-time", "0.1")
        self.finish(self.recorder(self.truck, 1, "--stop-time", "0.1", "--watchdog", "60", "-o", "many.csv"), 0)
        self.finish(node, 0)
        self.assertTrue((self.folder / "one.csv").read_bytes() == (self.folder / "many.csv").read_bytes())
        shutil.copy(self.options.fmus / "probe.fmu", self.folder / "probe.fmu")
        words = ("--stop-time", "2", "--step-size", "0.1", "--set", f"fault={HANGS}", "--set", "fault_time=0.55")
        node, recorder = self.node("probe.fmu", 1, 1, *words), self.recorder("probe.fmu", 1, *words, "--watchdog", "0.5", "-o", "run.csv")
        said = self.finish(recorder, 124)
        self.assertRegex(said, r"node 1 \('Probe'\) has not gone on for 0.5 s: .* in component 'Probe' \(fmi2DoStep")
        self.assertEqual(self.finish(node, 4).count("does not return"), 1)
        said = self.hocket("run", "probe.fmu", "--nodes", 1, *words, "--watchdog", "0.5", exit=124).stderr
        self.assertRegex(said, r"node 1 \('Probe'\) has not gone on for 0.5 s: .* in component 'Probe' \(fmi2DoStep")

    def test_a_component_that_fails(self):
        shutil.copy(self.options.fmus / "probe.fmu", self.folder / "probe.fmu")
        words = ("--stop-time", "2", "--step-size", "0.1", "--set", "fault=2", "--set", "fault_time=0.55")
        one = self.hocket("run", "probe.fmu", *words, "-o", "one.csv", exit=None)
        self.assertNotEqual(one.returncode, 0)
        node = self.node("probe.fmu", 1, 1, *words)
        recorder = self.recorder("probe.fmu", 1, *words, "-o", "many.csv")
        error = [line for line in one.stderr.splitlines() if "error[" in line]
        for process in (node, recorder):
            said = self.finish(process, one.returncode)
            self.assertEqual(error, [line for line in said.splitlines() if "error[" in line])
        self.assertTrue((self.folder / "one.csv").read_bytes() == (self.folder / "many.csv").read_bytes())


class Remote(Nodes):
    """An FMU that another process serves."""

    def serve(self, file, place, *words):
        server = self.start("node", "--fmu", file, "--meet", self.folder / place, *words)
        hocket_case.wait_until((self.folder / place / "recorder").exists, "the server", server)
        return server

    def stop(self, server, place):
        server.send_signal(signal.SIGINT)
        said = self.finish(server, 0)
        self.assertFalse((self.folder / place).exists())
        return said

    def same(self):
        self.assertTrue((self.folder / "one.csv").read_bytes() == (self.folder / "many.csv").read_bytes())

    def test_same_bytes(self):
        for model, suffix in (("quarter_truck.ssp", ""), ("quarter_truck_fmi3.ssp", "_fmi3")):
            file, words = self.options.models / model, ("--stop-time", "0.2", "--output-variable", "*", "-q")
            self.hocket("run", file, *words, "-o", "one.csv")
            wheel = self.serve(self.options.fmus / f"wheel{suffix}.fmu", "w", "-q")
            ground = self.serve(self.options.fmus / f"ground{suffix}.fmu", "g", "-q")
            remote = ("--remote", "wheel=./w", "--remote", "ground=./g", "-o", "many.csv")
            for more in ((), ("--nodes", "2"), ("--isolate", "chassis")):
                with self.subTest(model=model, more=more):
                    self.hocket("run", file, *words, *remote, *more)
                    self.same()
            self.assertEqual(self.stop(wheel, "w") + self.stop(ground, "g"), "")

    def test_once(self):
        """It may also come later than the run that waits for it."""
        words = ("--stop-time", "0.1", "-q")
        self.hocket("run", self.truck, *words, "-o", "one.csv")
        run = self.start("run", self.truck, *words, "--remote", "wheel=./w", "-o", "many.csv")
        server = self.start("node", "--fmu", self.options.fmus / "wheel.fmu", "--meet", "./w", "--once")
        self.finish(run, 0)
        self.finish(server, 0)
        self.same()
        self.assertFalse((self.folder / "w").exists())

    def test_a_simulation(self):
        file = self.write("two.simulation", RUNS)
        words = ("--system", self.options.models / "language/quarter_truck_fmus.system", "-q")
        self.hocket("run", file, *words, "-o", "one", exit=1)
        system = json.loads(self.hocket("info", words[1], "--json").stdout)
        name = next(c["name"] for c in system["components"] if c["name"].endswith("wheel"))
        server = self.serve(self.options.fmus / "wheel.fmu", "w")
        self.hocket("run", file, *words, "--remote", f"{name}=./w", "-o", "many", exit=1)
        self.stop(server, "w")
        for log in sorted(path.name for path in (self.folder / "one").glob("*.csv")):
            self.assertTrue((self.folder / "one" / log).read_bytes() == (self.folder / "many" / log).read_bytes(), log)

    def test_another_fmu(self):
        server = self.serve(self.options.fmus / "wheel.fmu", "w")
        said = self.hocket("run", self.truck, "--remote", "ground=./w", exit=1).stderr
        self.assertIn("who serves component 'ground' has something else than this run: the model is 'ground' here and 'wheel' there", said)
        shutil.copy(self.options.fmus / "wheel.fmu", self.folder / "wheel.fmu")
        with zipfile.ZipFile(self.folder / "wheel.fmu", "a") as archive:
            archive.writestr("extra/note.txt", "nothing")
        other = self.serve("wheel.fmu", "o")
        said = self.hocket("run", self.truck, "--remote", "wheel=./o", exit=1).stderr
        self.assertIn("the content of the FMU is '", said)
        self.hocket("run", self.truck, "--stop-time", "0.01", "-q", "--remote", "wheel=./w")  # it still serves
        self.assertIn("the run that came for the FMU has something else", self.stop(server, "w"))
        self.stop(other, "o")

    def test_strangers(self):
        server = self.serve(self.options.fmus / "wheel.fmu", "w")
        self.place = self.folder / "w"
        pairs = self.connect(server)[1]
        good = hello(*pairs)
        for data in (b"GET / HTTP/1.1\r\n\r\n", good, good + b"\0" * 8, good + struct.pack("<Q", 2**62), good + struct.pack("<QQ", 8, 1 << 40)):
            peer, _ = self.connect(server)
            peer.sendall(data)
            peer.close()
        self.hocket("run", self.truck, "--stop-time", "0.01", "-q", "--remote", "wheel=./w")
        self.stop(server, "w")

    def test_a_question_ends_no_server(self):
        """Nor the process of the instance, which is a child of it."""
        server = self.serve(self.options.fmus / "wheel.fmu", "w")
        server.send_signal(signal.SIGUSR1)
        run = self.start("run", self.truck, "--stop-time", "1e6", "--progress", "none", "--remote", "wheel=./w", "-o", "run.csv")
        self.wait_for_rows(run)
        children = pathlib.Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text(encoding="utf-8").split()
        self.assertTrue(children)
        for pid in (server.pid, *map(int, children)):
            os.kill(pid, signal.SIGUSR1)
        rows = (self.folder / "run.csv").stat().st_size
        hocket_case.wait_until(lambda: (self.folder / "run.csv").stat().st_size > rows + 10000, "more rows", run)
        run.send_signal(signal.SIGINT)
        self.finish(run, 130)
        self.stop(server, "w")

    def test_one_of_both_is_killed(self):
        server = self.serve(self.options.fmus / "wheel.fmu", "w")
        words = ("--stop-time", "1e6", "--progress", "none", "--remote", "wheel=./w")
        run = self.start("run", self.truck, *words, "-o", "run.csv")
        self.wait_for_rows(run)
        run.kill()
        run.wait()
        run = self.start("run", self.truck, *words, "-o", "again.csv")  # it has served one after the other
        self.wait_for_rows(run, "again.csv")
        server.kill()
        said = self.finish(run, 4)
        self.assertRegex(said, r"component 'wheel': its process is gone (in|between two calls, before) \w+ at t = ")
        self.assertEqual(said.count("error["), 1, said)
        self.assertTrue((self.folder / "w" / "recorder").exists())
        server = self.serve(self.options.fmus / "wheel.fmu", "w")
        self.hocket("run", self.truck, "--stop-time", "0.01", "-q", "--remote", "wheel=./w")
        self.stop(server, "w")  # also what the other one left

    def test_a_component_that_fails(self):
        """It says what it would say here; the server goes on."""
        shutil.copy(self.options.fmus / "probe.fmu", self.folder / "probe.fmu")
        self.write("two.ssd", TWO)
        server = self.serve("probe.fmu", "p")
        for fault in (1, 2, 4, 5):  # NaN and statuses: tests/fmus/probe.c
            words = ("run", "two.ssd", "--stop-time", "2", "--step-size", "0.1", "--set", f"a.fault={fault}", "--set", "a.fault_time=0.55")
            one = self.hocket(*words, "-o", "one.csv", exit=None)
            many = self.hocket(*words, "-o", "many.csv", "--remote", "a=./p", exit=one.returncode)
            self.assertEqual([line for line in one.stderr.splitlines() if "error[" in line],
                             [line for line in many.stderr.splitlines() if "error[" in line])
            self.same()
        said = self.hocket("run", "two.ssd", "--stop-time", "2", "--step-size", "0.1", "--set", "a.fault=6", "--set", "a.fault_time=0.55",
                           "--remote", "a=./p", exit=4).stderr
        self.assertIn("component 'a': its process is gone in fmi2DoStep at t = 0.6 s", said)
        self.stop(server, "p")

    def test_usage(self):
        for words, exit, pattern in ((("--remote", "wheel"), 2, "does not name a component and a place"),
                                     (("--remote", "wheels=./w"), 2, "did you mean 'wheel'"),
                                     (("--remote", "wheel=./w", "--remote", "wheel=./v"), 2, "names component 'wheel' twice"),
                                     (("--remote", "wheel=./w", "--fused"), 2, "--fused is not possible with --remote"),
                                     (("--remote", "wheel=./w", "--sandbox", "wheel"), 2, "--sandbox: component 'wheel' is remote"),
                                     (("--remote", "wheel=./w", "--isolate", "wheel"), 2, "--isolate: component 'wheel' is remote"),
                                     (("--remote", "wheel=./w", "--isolate", "all"), 2, "--isolate: component 'wheel' is remote"),
                                     (("--remote", "wheel=./w", "--sandbox", "all"), 2, "--sandbox: component 'wheel' is remote"),
                                     (("--remote", "wheel=./w", "--remote", "ground=./w"), 2, "components 'wheel' and 'ground' are at one place"),
                                     (("--remote", "wheel=./w", "--remote", f"ground={self.folder}/w/"), 2, "are at one place"),
                                     (("--remote", "wheel=./w", "--timeout", "0.2"), 124, "waited 0.2 s for who serves component 'wheel'")):
            self.assertRegex(self.hocket("run", self.truck, *words, exit=exit).stderr, pattern)
        self.assertIn("--meet", self.hocket("node", "--fmu", "x.fmu", exit=2).stderr)
        self.assertIn("not an FMU", self.hocket("node", "--fmu", self.truck, "--meet", "./w", exit=2).stderr)
        self.assertIn("no file", self.hocket("node", exit=2).stderr)
        for words in (("--number", 1), ("--nodes", 2), ("--timeout", 3), ("--set", "m=1"), ("--promela", "x.pml")):
            said = self.hocket("node", "--fmu", self.options.fmus / "wheel.fmu", "--meet", "./w", *words, exit=2).stderr
            self.assertIn(f"{words[0]} is not for --fmu", said)
        self.assertFalse((self.folder / "w").exists())

    def test_it_says_what_it_serves(self):
        server = self.serve(self.options.fmus / "wheel.fmu", "w")
        self.hear(server, f"serving the FMU 'wheel' in {self.folder}/w, until Ctrl-C")
        self.assertEqual(self.stop(server, "w"), "")


if __name__ == "__main__":
    main()
