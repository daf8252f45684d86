#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Components in a sandbox: what they are denied, what is said of it, and that the run goes on with the bytes of a run without one.
Each deed of deeds.c is done by an FMU that this test compiles."""
import ctypes
import errno
import fcntl
import os
import pathlib
import platform
import pty
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import hocket_case  # noqa: E402
from hocket_case import Case, main  # noqa: E402

DESCRIPTION = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="deeds" guid="deeds">
  <CoSimulation modelIdentifier="deeds" canHandleVariableCommunicationStepSize="true"/>
  <DefaultExperiment startTime="0" stopTime="1" stepSize="0.25"/>
  <ModelVariables>
    <ScalarVariable name="y" valueReference="0" causality="output"><Real/></ScalarVariable>
    <ScalarVariable name="result" valueReference="1" causality="output"><Real/></ScalarVariable>
    <ScalarVariable name="count" valueReference="2" causality="output"><Real/></ScalarVariable>
    <ScalarVariable name="deed" valueReference="10" causality="parameter" variability="fixed"><String start="nothing"/></ScalarVariable>
    <ScalarVariable name="where" valueReference="11" causality="parameter" variability="fixed"><String start=""/></ScalarVariable>
  </ModelVariables>
  <ModelStructure><Outputs><Unknown index="1"/><Unknown index="2"/><Unknown index="3"/></Outputs></ModelStructure>
</fmiModelDescription>
"""
TWO = """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription name="two" version="1.0"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon">
  <ssd:System name="root"><ssd:Elements>
    <ssd:Component name="a" source="deeds.fmu"/><ssd:Component name="b" source="deeds.fmu"/>
  </ssd:Elements></ssd:System>
</ssd:SystemStructureDescription>
"""
X86 = platform.machine() == "x86_64"
NETWORK, PROGRAM, WRITE = "the network", "a new process or program", "a write outside of its folder"
ATTRIBUTE, SIGNAL, REACH = "a change of the attributes", "a signal or another priority", "a way into another process"
SHARE, SYSTEM, UNKNOWN = "memory or queues that others", "a call that administers", "a call that it does not know"
# By deed: the error that it gets, and what is said of it; None: nothing. OUT is about a file outside, FOLDER about its folder.
PLAIN = {
    "socket": (errno.EACCES, NETWORK), "socket_unix": (errno.EAFNOSUPPORT, None), "socket_netlink": (errno.EAFNOSUPPORT, None),
    "socket_packet": (errno.EACCES, NETWORK), "pair": (0, None), "pair_datagram": (errno.EACCES, NETWORK),
    "connect": (errno.EACCES, NETWORK), "bind": (errno.EACCES, NETWORK), "reach": (errno.EACCES, NETWORK),
    "exec": (errno.EPERM, PROGRAM), "execveat": (errno.EPERM, PROGRAM), "fork": (errno.EPERM, PROGRAM),
    "fork_bomb": (errno.EPERM, PROGRAM), "spawn": (errno.EPERM, PROGRAM), "system": (errno.EPERM, PROGRAM),
    "clone_namespace": (errno.EPERM, PROGRAM), "threads": (0, None), "blocked_thread": (errno.EACCES, NETWORK),
    "handlers": (errno.EACCES, NETWORK), "big_file": (errno.EFBIG, None), "raise_limits": (errno.EPERM, None),
    "limit_parent": (errno.EPERM, SIGNAL), "core": (0, None), "write_own": (0, None), "write_null": (0, None), "write_by_descriptor": (0, None),
    "kill_parent": (errno.EPERM, SIGNAL), "kill_all": (errno.EPERM, SIGNAL), "kill_self": (0, None), "join_group": (errno.EPERM, SIGNAL),
    "kill_thread_of_parent": (errno.EPERM, SIGNAL), "queue_parent": (errno.EPERM, SIGNAL),
    "signal_by_file": (errno.EPERM, SIGNAL), "ptrace_parent": (errno.EPERM, REACH), "write_parent": (errno.EPERM, REACH),
    "read_parent": (errno.EPERM, REACH), "memory_of_parent": (errno.EACCES, WRITE), "look_at_parent": (errno.EACCES, None),
    "descriptor_of_parent": (errno.EPERM, REACH), "slow_parent": (errno.EPERM, SIGNAL), "own_thread": (0, None),
    "outlive": (errno.EPERM, SYSTEM), "name": (0, None), "shared_memory": (errno.EPERM, SHARE),
    "memory_file": (errno.EPERM, SHARE), "io_uring": (errno.EPERM, SYSTEM), "bpf": (errno.EPERM, SYSTEM),
    "mount": (errno.EPERM, SYSTEM), "unshare": (errno.EPERM, SYSTEM), "setuid": (errno.EPERM, SYSTEM),
    "another_filter": (errno.EPERM, SYSTEM), "type_into_terminal": (errno.EPERM, SYSTEM),
    "unknown_call": (errno.ENOSYS, UNKNOWN), "nothing": (0, None), "read_input": (0, None),
    **({"x32": (errno.ENOSYS, UNKNOWN), "int80": (errno.ENOSYS, UNKNOWN)} if X86 else {}),
}
OUT = {
    "write": (errno.EACCES, WRITE), "append": (errno.EACCES, WRITE), "read_write": (errno.EACCES, WRITE),
    "cut_by_reading": (errno.EACCES, WRITE), "openat2": (errno.ENOSYS, None), "write_by_link": (errno.EACCES, WRITE),
    "write_by_dots": (errno.EACCES, WRITE), "write_by_root": (errno.EACCES, WRITE), "race": (errno.EACCES, WRITE), "truncate": (errno.EACCES, WRITE),
    "unlink": (errno.EACCES, WRITE), "rename": (errno.EACCES, WRITE), "rename_out": (errno.EACCES, WRITE),
    "link": (errno.EACCES, WRITE), "symlink": (errno.EACCES, WRITE), "mkdir": (errno.EACCES, WRITE),
    "mkfifo": (errno.EACCES, WRITE), "chmod": (errno.EPERM, ATTRIBUTE), "fchmod": (errno.EPERM, ATTRIBUTE),
    "chown": (errno.EPERM, ATTRIBUTE), "touch": (errno.EPERM, ATTRIBUTE), "attribute": (errno.EPERM, ATTRIBUTE),
    "read": (0, None),  # reading is not denied
    "lease": (errno.EPERM, "a lease of a file, for which others would wait"),
}
IN_FOLDER = {"nameless": (errno.EACCES, WRITE), "write_by_folder": (errno.EACCES, WRITE)}
DENIED = re.compile(r"warning\[HK0515\]: component 'deeds': the sandbox has denied (.*) \(.*\) in fmi2DoStep at t = 0\.5 s")
CALLS = {"exec": "execve", "spawn": "clone", "kill_parent": "kill"}


# ---- kernels that lack something, by a filter around hocket ----

class Filter:
    """Makes system calls of a process, and of all that it starts, fail as in kernels that do not have them."""
    LOAD, JUMP_IF_EQUAL, JUMP_IF_SET, RETURN = 0x20, 0x15, 0x45, 0x06
    ALLOW, FAIL = 0x7fff0000, 0x00050000

    def __init__(self, *rules):
        """RULES: number of a call, error, and perhaps bits of its second argument that it needs to fail."""
        code = []
        for number, error, *bits in rules:
            code.append((self.LOAD, 0, 0, 0))
            block = [(self.RETURN, 0, 0, self.FAIL | error)]
            if bits:
                block = [(self.LOAD, 0, 0, 24), (self.JUMP_IF_SET, 0, 1, bits[0])] + block
                block.append((self.RETURN, 0, 0, self.ALLOW))
            code.append((self.JUMP_IF_EQUAL, 0, len(block), number))
            code += block
        code.append((self.RETURN, 0, 0, self.ALLOW))
        self.code = b"".join(struct.pack("HBBI", *one) for one in code)
        self.count = len(code)

    def __call__(self):
        buffer = ctypes.create_string_buffer(self.code)
        program = struct.pack("HxxxxxxP", self.count, ctypes.addressof(buffer))
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0):
            raise OSError(ctypes.get_errno(), "no filter around hocket")


SECCOMP = 317 if X86 else 277
NO_LANDLOCK = Filter((444, errno.ENOSYS))
NO_REPORTS = Filter((SECCOMP, errno.EINVAL, 1 << 3))
NO_SECCOMP = Filter((SECCOMP, errno.ENOSYS))


def status_of(pid, word):
    try:
        text = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    return re.search(rf"^{word}:\s*(.*)$", text, re.M)[1]


class Sandbox(Case):
    @classmethod
    def setUpClass(cls):
        cls.made = pathlib.Path(tempfile.mkdtemp(prefix="sandbox_"))
        cls.addClassCleanup(shutil.rmtree, cls.made)
        source = cls.options.source
        hocket_case.call("cc", "-shared", "-fPIC", "-O0", f"-I{source}/src", f"-I{source}/include", HERE / "deeds.c", "-o",
                         cls.made / "deeds.so", "-lpthread")
        machine = platform.machine()
        with zipfile.ZipFile(cls.made / "deeds.fmu", "w") as fmu:
            fmu.writestr("modelDescription.xml", DESCRIPTION)
            fmu.write(cls.made / "deeds.so", f"binaries/{'linux64' if X86 else machine + '-linux'}/deeds.so")
            fmu.writestr("resources/note.txt", "found\n")
        doctor = hocket_case.call(cls.options.hocket, "doctor", "--json").stdout
        cls.able = "Landlock ABI" in doctor and "with reports" in doctor

    def setUp(self):
        super().setUp()
        if not self.able:
            self.skipTest("this kernel has no sandbox with all that is looked at here")
        shutil.copy(self.made / "deeds.fmu", self.folder)
        self.outside = self.folder / "outside"
        self.outside.mkdir()
        self.file = self.outside / "file.txt"
        self.file.write_text("theirs\n")
        self.file.chmod(0o640)

    def run_deed(self, deed, *words, where="", exit=0, sandbox=("--sandbox", "all"), **more):
        """A finished run, and what the last row of its record holds."""
        done = self.hocket("run", "deeds.fmu", "-q", "-o", "run.csv", "--set", f"deed={deed}", "--set", f"where={where}", *sandbox,
                           *words, exit=exit, **more)
        rows = [line.split(",") for line in (self.folder / "run.csv").read_text().splitlines()]
        return done, dict(zip([name.removeprefix("deeds.") for name in rows[0]], rows[-1])), len(rows) - 1

    def untouched(self):
        self.assertEqual(self.file.read_text(), "theirs\n")
        self.assertEqual(self.file.stat().st_mode & 0o777, 0o640)
        self.assertEqual([p.name for p in self.outside.iterdir()], ["file.txt"])

    def look(self, deed, expected, where="", **more):
        error, kind = expected
        done, row, rows = self.run_deed(deed, where=where, **more)
        self.assertEqual((rows, row["time"]), (5, "1"), done.stderr)
        said = DENIED.findall(done.stderr)
        self.assertEqual(int(float(row["result"])), error, (os.strerror(int(float(row["result"]))), done.stderr))
        self.assertEqual(done.stderr.count("warning["), 1 if kind else 0, done.stderr)
        if kind:
            self.assertTrue(said[0].startswith(kind), done.stderr)
        self.untouched()
        return done

    def test_deeds(self):
        for deed, expected in PLAIN.items():
            with self.subTest(deed=deed):
                done = self.look(deed, expected)
                if deed in CALLS:
                    self.assertIn(f"({CALLS[deed]}) in ", done.stderr)

    def test_garbage_in_the_log(self):
        """It is said once whose log is damaged; nothing else changes."""
        for garbage in ("not a message, and long enough", "short"):
            for words in (("--sandbox", "all"), ("--isolate", "all")):
                with self.subTest(garbage=garbage, words=words):
                    done, row, rows = self.run_deed("garble", "--log-file", "log.jsonl", where=garbage, sandbox=words)
                    self.assertEqual((rows, row["count"]), (5, "1"), done.stderr)
                    self.assertEqual(done.stderr.count("warning["), 1, done.stderr)
                    self.assertIn("component 'deeds': what its FMU says cannot be read any more", done.stderr)

    def test_deeds_outside(self):
        for deed, expected in OUT.items():
            with self.subTest(deed=deed):
                done = self.look(deed, expected, where=self.file)
                if deed == "append":
                    self.assertIn("(openat of 'outside/file.txt') in ", done.stderr)
                    self.assertIn("hint: --allow write=DIR permits it in a folder", done.stderr)
        for deed, expected in IN_FOLDER.items():
            with self.subTest(deed=deed):
                self.look(deed, expected, where=self.outside)

    def test_a_service_of_the_machine_is_a_note(self):
        """Looking up a user tries one."""
        for words in ((), ("--allow", "network")):
            said = self.hocket("run", "deeds.fmu", "--set", "deed=socket_unix", "--sandbox", "all", *words).stderr
            self.assertRegex(said, r"note: component 'deeds': the sandbox has denied a connection to a service of this machine \(socket of family 1\)")
            self.assertNotIn("warning", said)

    def test_tmp(self):
        """/tmp is outside, too."""
        path = pathlib.Path(tempfile.gettempdir()) / f"hocket-deed-{os.getpid()}"
        self.look("write", (errno.EACCES, WRITE), where=path)
        self.assertFalse(path.exists())

    def test_everything_is_possible_without(self):
        """The deeds are real: isolated, without a sandbox, they are done."""
        for deed in ("socket", "fork", "system", "append", "chmod", "memory_file", "pair_datagram", "look_at_parent"):
            with self.subTest(deed=deed):
                _, row, _ = self.run_deed(deed, where=self.file, sandbox=("--isolate", "all"))
                self.assertEqual(row["result"], "0")
        self.assertEqual(self.file.read_text(), "theirs\nmine\n")

    def test_nothing_is_inherited(self):
        """Its way to hocket is all that it has: neither the record nor what belongs to other components."""
        (self.folder / "two.ssd").write_text(TWO)
        for words in ((), ("--nodes", "2"), ("--log-file", "log.jsonl")):
            for deed, most in (("descriptors", 2 if words[:1] == ("--log-file",) else 1), ("shared_maps", 1)):
                with self.subTest(words=words, deed=deed):
                    self.hocket("run", "two.ssd", "-q", "-o", "two.csv", "--stop-time", "1", "--step-size", "0.25", "--sandbox", "all",
                                "--set", f"a.deed={deed}", "--set", f"b.deed={deed}", *words)
                    last = dict(zip(*(line.split(",") for line in
                                      [(self.folder / "two.csv").read_text().splitlines()[i] for i in (0, -1)])))
                    for name in ("a", "b"):
                        self.assertEqual((last[f"{name}.result"], int(last[f"{name}.count"])), ("0", most), last)

    def test_standard_output_is_not_its(self):
        done = self.hocket("run", "deeds.fmu", "-q", "-o", "-", "--set", "deed=speak", "--sandbox", "all")
        self.assertNotIn("spoken", done.stdout)
        self.assertIn("spoken", done.stderr)

    def test_messages_in_a_file(self):
        """The component has a way of its own to where messages go, and neither writes over what the other has written."""
        path = self.folder / "messages.txt"
        for already in ("", "of somebody else\n"):
            with self.subTest(already=already), open(path, "w", encoding="utf-8") as file:
                file.write(already)
                file.flush()
                subprocess.run([self.options.hocket, "run", "deeds.fmu", "--progress", "none", "-o", "run.csv", "--set", "deed=speak",
                                "--sandbox", "all"], cwd=self.folder, env=hocket_case.environment(), stderr=file, check=True)
                self.assertRegex(path.read_text(), f"\\A{already}(spoken\n)+simulated ")

    def test_the_terminal_is_not_its(self):
        """What is typed is for hocket, or for nobody."""
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        self.addCleanup(os.close, slave)
        os.write(master, b"secret\n")

        def take_terminal():
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        for how, error in (("--sandbox", errno.EIO), ("--isolate", 0)):  # the deed is real
            _, row, _ = self.run_deed("read_terminal", sandbox=(how, "all"), run={"preexec_fn": take_terminal, "pass_fds": [slave]})
            self.assertEqual(int(row["result"]), error, how)

    # ---- limits ----

    def test_memory(self):
        if b"__asan_init" in pathlib.Path(self.options.hocket).read_bytes():
            self.skipTest("with sanitizers no memory is an error of its own")
        done, row, _ = self.run_deed("memory_bomb", "--limit", "memory=256M")
        self.assertEqual(int(row["result"]), errno.ENOMEM, done.stderr)
        self.assertLessEqual(float(row["count"]), 256)
        self.assertGreaterEqual(float(row["count"]), 128)

    def test_cpu(self):
        done, row, rows = self.run_deed("spin", "--limit", "cpu=1", exit=4)
        self.assertRegex(done.stderr, r"error\[HK0506\]: component 'deeds': has used up its processor time in fmi2DoStep at t = 0\.5 s")
        self.assertIn("hint: --limit cpu=TIME gives it more", done.stderr)
        self.assertEqual((rows, row["time"]), (3, "0.5"))

    def test_threads(self):
        done, row, _ = self.run_deed("threads", "--limit", "threads=10")
        self.assertEqual((int(row["result"]), int(row["count"])), (errno.EAGAIN, 9), done.stderr)
        self.assertRegex(done.stderr, r"warning\[HK0515\]: .* denied one more thread \(clone\)")
        self.assertIn("hint: --limit threads=N permits more", done.stderr)

    def test_file(self):
        _, row, _ = self.run_deed("big_file", "--limit", "file=none")
        self.assertEqual(row["result"], "0")

    # ---- what is allowed ----

    def test_allow_write(self):
        done, row, _ = self.run_deed("append", "--allow", "write=outside", where=self.file)
        self.assertEqual((row["result"], done.stderr), ("0", ""))
        self.assertEqual(self.file.read_text(), "theirs\nmine\n")
        other = self.folder / "other.txt"
        done, row, _ = self.run_deed("write", "--allow", f"write={self.outside}", where=other)
        self.assertEqual(int(row["result"]), errno.EACCES)
        self.assertFalse(other.exists())

    def test_allow_network(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            _, row, _ = self.run_deed("reach", "--allow", "network", where=port)
        self.assertEqual(row["result"], "0")
        for deed, error in (("socket_unix", errno.EAFNOSUPPORT), ("socket_netlink", errno.EAFNOSUPPORT), ("socket_packet", errno.EACCES),
                            ("exec", errno.EPERM)):
            _, row, _ = self.run_deed(deed, "--allow", "network")
            self.assertEqual(int(row["result"]), error, deed)

    def test_what_is_wrong_is_said_before(self):
        for words, text in (
                (("--allow", "network"), "--allow is for components in a sandbox"),
                (("--isolate", "all", "--limit", "cpu=1"), "--limit is for components in a sandbox"),
                (("--sandbox", "all", "--allow", "everything"), "--allow: 'everything' is not something that it takes"),
                (("--sandbox", "all", "--allow", "write=nowhere"), "nowhere: error[HK0601]: --allow write: it is not a folder"),
                (("--sandbox", "all", "--allow", "write=deeds.fmu"), "--allow write: it is not a folder"),
                (("--sandbox", "all", "--allow", f"write={tempfile.gettempdir()}"), "--allow write: the temporary folders of all components are in it"),
                (("--sandbox", "all", "--allow", "write=/"), "--allow write: the temporary folders of all components are in it"),
                (("--sandbox", "all", "--allow", "write=.", "--allow", "write=outside"), "outside: error[HK0601]: --allow write: it is in '"),
                (("--sandbox", "all", "--limit", "memory=0"), "--limit: 'memory=0' is not something that it takes"),
                (("--sandbox", "all", "--limit", "memory=99999999999T"), "is not something that it takes"),
                (("--sandbox", "all", "--limit", "threads=many"), "is not something that it takes"),
                (("--sandbox", "all", "--limit", "patience=3"), "is not something that it takes"),
                (("--sandbox", "all", "--limit", "memory=1K"), "'memory=1K' is too little to load any component"),
                (("--sandbox", "all", "--limit", "cpu=1", "--limit", "file=1G", "--limit", "cpu=2"), "'cpu=1' and 'cpu=2' contradict each other"),
                (("--sandbox", "deds"), "--sandbox: there is no component 'deds'"),
                (("--sandbox", "all", "--fused"), "--fused is not possible with --sandbox")):
            with self.subTest(words=words):
                said = self.hocket("run", "deeds.fmu", *words, exit=2).stderr
                self.assertIn(text, re.sub(r"HK\d{4}", "HK0601", said))
                self.assertEqual(said.count("error["), 1)

    # ---- other kernels ----

    def test_without_landlock(self):
        """Then nothing is written, and resources are there all the same."""
        for deed, where in (("append", self.file), ("unlink", self.file), ("chmod", self.file), ("socket", "")):
            with self.subTest(deed=deed):
                done, row, rows = self.run_deed(deed, where=where, run={"preexec_fn": NO_LANDLOCK})
                self.assertIn(int(row["result"]), (errno.EACCES, errno.EPERM), done.stderr)
                self.assertEqual(rows, 5)
                self.assertEqual(done.stderr.count("warning[HK0515]"), 1, done.stderr)
                self.untouched()
        _, row, _ = self.run_deed("write_own", run={"preexec_fn": NO_LANDLOCK})
        self.assertEqual(int(row["result"]), errno.EACCES)
        said = self.hocket("run", "deeds.fmu", "--sandbox", "all", run={"preexec_fn": NO_LANDLOCK}).stderr
        self.assertIn("can write no file at all", said)
        said = self.hocket("run", "deeds.fmu", "--sandbox", "all", "--allow", "write=outside", exit=2, run={"preexec_fn": NO_LANDLOCK}).stderr
        self.assertIn("--allow write is not possible without Landlock", said)
        self.assertIn("no Landlock, so components can write no file", self.hocket("doctor", run={"preexec_fn": NO_LANDLOCK}).stdout)

    def test_without_reports(self):
        for deed, error in (("socket", errno.EACCES), ("append", errno.EACCES), ("write_own", 0), ("fork", errno.EPERM), ("threads", 0),
                            ("kill_parent", errno.EPERM)):
            with self.subTest(deed=deed):
                done, row, _ = self.run_deed(deed, where=self.file, run={"preexec_fn": NO_REPORTS})
                self.assertEqual(int(row["result"]), error, done.stderr)
                self.untouched()
        said = self.hocket("run", "deeds.fmu", "--sandbox", "all", run={"preexec_fn": NO_REPORTS}).stderr
        self.assertIn("its sandbox denies without a word", said)
        self.assertIn("without reports of what is denied", self.hocket("doctor", run={"preexec_fn": NO_REPORTS}).stdout)

    def test_without_seccomp(self):
        said = self.hocket("run", "deeds.fmu", "--sandbox", "all", "-o", "run.csv", exit=2, run={"preexec_fn": NO_SECCOMP}).stderr
        self.assertIn("--sandbox is not possible on this machine: this kernel has no filters of system calls", said)
        self.assertFalse((self.folder / "run.csv").exists())
        self.assertIn("run --sandbox is not possible", self.hocket("doctor", run={"preexec_fn": NO_SECCOMP}).stdout)

    # ---- the same bytes ----

    def test_the_same_bytes(self):
        models = self.options.models
        for model, words in (("quarter_truck.ssp", ()), ("quarter_truck.ssp", ("--nodes", "2")), ("quarter_truck.ssp", ("--threads", "2")),
                             ("quarter_truck_fmi1.ssp", ()), ("quarter_truck_fmi3.ssp", ("--nodes", "2", "--transport", "unix")),
                             ("quarter_truck_native.ssp", ()), ("r_rosace.ssp", ())):
            with self.subTest(model=model, words=words):
                self.hocket("run", models / model, "-q", "--stop-time", "0.2", "-o", "direct.csv")
                done = self.hocket("run", models / model, "-q", "--stop-time", "0.2", "-o", "boxed.csv", "--sandbox", "all", *words)
                self.assertEqual((self.folder / "direct.csv").read_bytes(), (self.folder / "boxed.csv").read_bytes())
                # nothing is denied to those who only compute; a plugin is loaded before, to be described
                self.assertNotIn("denied", done.stderr)
                self.assertEqual("was loaded by hocket itself" in done.stderr, model in ("quarter_truck_native.ssp", "r_rosace.ssp"))

    def test_on_nodes(self):
        (self.folder / "two.ssd").write_text(TWO)
        done = self.hocket("run", "two.ssd", "-q", "-o", "two.csv", "--stop-time", "1", "--step-size", "0.25", "--sandbox", "b", "--nodes", "2",
                           "--set", "a.deed=socket", "--set", "b.deed=socket")
        rows = [line.split(",") for line in (self.folder / "two.csv").read_text().splitlines()]
        last = dict(zip(rows[0], rows[-1]))
        self.assertEqual((last["a.result"], int(last["b.result"])), ("0", errno.EACCES))
        self.assertEqual(re.findall(r"component '(\w)': the sandbox", done.stderr), ["b"])

    # ---- life and death ----

    def test_what_ends_it_is_said(self):
        """As without a sandbox: what is shared with hocket is gone, and nothing looks into it."""
        for how in ("--isolate", "--sandbox"):
            done, row, _ = self.run_deed("end", sandbox=(how, "all"), exit=4)
            self.assertRegex(done.stderr, r"component 'deeds': called _?exit\(3\) in fmi2DoStep at t = 0\.5 s", how)
            done, row, rows = self.run_deed("raise_realtime", sandbox=(how, "all"))
            self.assertEqual((row["result"], rows, done.stderr), ("0", 5, ""), how)

    def test_folders_that_cannot_be_read_are_removed(self):
        """For root all can be read: so somebody else runs it."""
        place = self.folder / "tmp"
        place.mkdir()
        for folder in (self.folder, place):
            folder.chmod(0o777)

        def be_somebody():
            if os.getuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)

        _, row, _ = self.run_deed("dark_folders", run={"preexec_fn": be_somebody}, TMPDIR=str(place))
        self.assertEqual(row["result"], "0")
        self.assertEqual(list(place.iterdir()), [])

    def test_it_ends_with_hocket(self):
        """Also one that does not want to."""
        run = subprocess.Popen([str(self.options.hocket), "run", "deeds.fmu", "-q", "-o", "run.csv", "--set", "deed=outlive_spinning",
                                "--sandbox", "all"], cwd=self.folder, env=hocket_case.environment(), stderr=subprocess.DEVNULL)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)

        def spinning():
            children = hocket_case.children_of(hocket_case.process_of(run))
            return [pid for pid in children if status_of(pid, "Name") == "deed-spins"]

        hocket_case.wait_until(spinning, "a component that spins", run)
        pid = spinning()[0]
        self.assertEqual((status_of(pid, "NoNewPrivs"), status_of(pid, "Seccomp")), ("1", "2"))
        self.assertEqual(int(status_of(pid, "CapEff"), 16) & ~0b110, 0)
        run.send_signal(signal.SIGKILL)
        run.wait()
        hocket_case.wait_until(lambda: (status_of(pid, "State") or "Z")[0] == "Z", "its end")


if __name__ == "__main__":
    main()
