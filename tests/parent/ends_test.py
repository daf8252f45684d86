#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The parent of a run: exit status, message and what is beside the record are true, whatever a component does to the
process that it lives in, and nothing is left."""
import json
import os
import pathlib
import pty
import re
import resource
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import TIMEOUT_S, Case, children_of, environment, main, process_of, wait_until

SLOWLY = "--real-time=0.5"  # so that rows are in the file when the deed is done
LONG = ("--stop-time", "1e6", "--step-size", "0.1", "--output-interval", "1", "--real-time=200")


SIMULATION = """Simulation c (s)
system c;
simulationTime [0, 1]:1/100;
scenarios {
  Scenario a [2]
}
"""


def state_of(pid):
    """The letter that says what a process does; "": it is gone."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return ""


def is_gone(pid):
    return state_of(pid) in ("", "Z", "X")


class Ends(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "tmp").mkdir()
        self.file = self.folder / "other"
        self.fmu = self.options.fmus / "culprit.fmu"

    def env(self, deed):
        return {"CULPRIT": deed, "CULPRIT_FILE": self.file, "TMPDIR": self.folder / "tmp"}

    def do(self, deed, *words, exit=0):
        return self.hocket("run", self.fmu, "-o", "r.csv", *words, exit=exit, **self.env(deed))

    def start(self, deed, *words, **more):
        """A run under way, with the first rows in its record, and the process that it is in."""
        (self.folder / "r.csv-metadata.json").unlink(missing_ok=True)
        run = subprocess.Popen([str(w) for w in (self.options.hocket, "run", self.fmu, "-o", "r.csv", *words)],
                               cwd=self.folder, env=environment(**self.env(deed)), stderr=subprocess.PIPE, stdout=subprocess.PIPE,
                               encoding="utf-8", **more)
        for end in (run.stderr.close, run.stdout.close, run.wait, run.kill):
            self.addCleanup(end)
        wait_until((self.folder / "r.csv-metadata.json").exists, "the first rows", run)
        return run, children_of(run.pid)[0]

    def about(self):
        return json.loads((self.folder / "r.csv-metadata.json").read_text(encoding="utf-8"))["notes"][0]

    def rows(self):
        text = (self.folder / "r.csv").read_text(encoding="utf-8")
        self.assertTrue(text.endswith("\n"))
        rows = text.splitlines()
        self.assertEqual({row.count(",") for row in rows}, {1})
        return rows[1:]

    def nothing_is_left(self):
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])

    def test_calm(self):
        both = []
        for words in ((), ("--no-parent",)):
            done = self.do("", *words)
            both.append((re.sub(r"in [0-9.]+ .*?s \(.*?\)", "", done.stderr), self.rows(),
                         (self.folder / "r.csv-metadata.json").read_text(encoding="utf-8")))
        self.assertEqual(both[0], both[1])
        self.assertEqual(len(self.rows()), 101)
        self.nothing_is_left()

    def test_vanished(self):
        """The process ends without a word: by the system call itself, or as another program."""
        for deed, how in (("vanish", ""), ("thread_vanishes", ""), ("become", "became the program 'true', and ")):
            with self.subTest(deed=deed):
                done = self.do(deed, SLOWLY, exit=4)
                self.assertIn(f"error[HK0506]: the process of the run {how}ended with exit status 0 while component 'Culprit' "
                              "was in fmi2DoStep at t = 0.5 s\n", done.stderr)
                self.assertIn("the record 'r.csv' is kept", done.stderr)
                self.assertEqual(self.about()["ended"].rstrip(), "failed: cut off")
                self.assertGreater(len(self.rows()), 5)
                self.nothing_is_left()

    def test_vanished_early(self):
        """No row is written yet: the record of an earlier run is not taken for a new one."""
        self.do("")
        done = self.do("vanish", exit=4)
        self.assertIn("nothing was recorded; 'r.csv' is of an earlier run", done.stderr)
        self.assertEqual(self.about()["ended"], "at its stop time")
        answer = json.loads(self.do("vanish", "--json", exit=4).stdout)
        self.assertEqual((answer["status"], answer["exit"]), ("HK0506", 4))

    def test_threads(self):
        """What a thread of a component does is told as such, and all rows are there."""
        for deed, what in (("thread_exits", r"called exit\(\)"), ("thread_crashes", r"crashed \(invalid memory access\)"),
                           ("thread_aborts", "aborted")):
            with self.subTest(deed=deed):
                done = self.do(deed, exit=4)
                self.assertRegex(done.stderr, rf"error\[HK0506\]: a thread of a component {what} while component 'Culprit' "
                                 r"was in fmi2DoStep at t = 0.5 s\n")
                self.assertEqual(self.about()["ended"].rstrip(), "failed: cut off after 0.5 s")
                self.assertEqual(len(self.rows()), 51)
                self.nothing_is_left()

    def test_damage(self):
        """Without a heap nobody can promise rows that are not in the file yet; those that are stay whole."""
        done = self.do("trap", exit=4)
        self.assertEqual(done.stderr.count("error[HK0506]: "), 1, done.stderr)
        self.assertEqual(self.about()["ended"].rstrip(), "failed: cut off after 0.5 s")
        self.assertEqual(len(self.rows()), 51)
        done = self.do("damage_heap", SLOWLY, exit=4)
        self.assertEqual(done.stderr.count("error[HK0506]: "), 1, done.stderr)
        self.assertTrue(self.about()["ended"].startswith("failed: cut off"), self.about())
        self.assertGreater(len(self.rows()), 5)
        self.nothing_is_left()

    def test_ended_within_the_last_words(self):
        """Its message is the only one, also if something ends the process before it has cleaned up."""
        for _ in range(3):
            with open(self.folder / "said", "w+", encoding="utf-8") as said:
                run = subprocess.run([str(self.options.hocket), "run", str(self.fmu), "-q", "-o", "r.csv"], cwd=self.folder,
                                     env=environment(**self.env("crash_and_end")), stderr=said, check=False, timeout=TIMEOUT_S)
                said.seek(0)
                text = said.read()
            self.assertEqual(run.returncode, 4, text)
            self.assertEqual(text.count("error[HK0506]: "), 1, text)
            self.assertIn("component 'Culprit': crashed", text)
            self.nothing_is_left()

    def test_timers(self):
        """A timer with a handler of its own changes nothing: not the rows, not the end."""
        self.do("")
        calm = self.rows()
        for deed in ("tick", "tick_on"):
            with self.subTest(deed=deed):
                self.do(deed, "--real-time=2", "-q")
                self.assertEqual(self.rows(), calm)
                self.assertEqual(self.about()["ended"], "at its stop time")

    def test_left_processes(self):
        """They are ended, in whatever session they are, with one warning, at every end of a run."""
        done = self.do("leave_one")
        left = int(self.file.read_text(encoding="utf-8"))
        self.assertTrue(is_gone(left))
        self.assertIn(f"warning[HK0506]: the process {left} ('hocket') was still there", done.stderr)
        self.assertEqual(len(self.rows()), 101)
        run, child = self.start("leave_one", *LONG)
        wait_until(lambda: self.file.exists() and self.file.read_text(encoding="utf-8").endswith("\n"), "one more", run)
        os.kill(child, signal.SIGKILL)
        run.communicate()
        self.assertEqual(run.returncode, 4)
        self.assertTrue(is_gone(int(self.file.read_text(encoding="utf-8"))))

    def test_left_by_others(self):
        """What was there before hocket stays: children of a shell that has called exec."""
        words = f"sleep 600 & echo $! >{self.file}; exec '{self.options.hocket}' run '{self.fmu}' -q -o r.csv"
        env = environment(**self.env(""))
        subprocess.run(["sh", "-c", words], cwd=self.folder, env=env, check=True, stdout=subprocess.DEVNULL)
        sleeps = int(self.file.read_text(encoding="utf-8"))
        self.assertFalse(is_gone(sleeps))
        os.kill(sleeps, signal.SIGKILL)

    def test_doubled(self):
        """A copy of the process that goes on with the run does not get far."""
        self.do("")
        calm = (self.folder / "r.csv").read_bytes()
        self.do("double_itself", "-q")
        self.assertEqual((self.folder / "r.csv").read_bytes(), calm)
        self.assertEqual(self.about()["ended"], "at its stop time")

    def test_descriptors(self):
        """Rows go into their own file, or the run fails."""
        for deed in ("take_descriptors", "shorten"):
            with self.subTest(deed=deed):
                done = self.do(deed, SLOWLY, exit=3)
                self.assertEqual(done.stderr.count("error[HK0202]: "), 1, done.stderr)
                self.assertEqual(self.file.read_bytes() if self.file.exists() else b"", b"")

    def test_changed_at_the_end(self):
        """What a component's process does to the record when all else is done is found."""
        self.file = self.folder / "r.csv"
        done = self.do("append_at_the_end", exit=3)
        self.assertIn("the file was changed, moved or removed after it was written", done.stderr)

    def test_deaf(self):
        """Signals that a component keeps from hocket: the second one ends the run all the same."""
        for deed, number in (("ignore", signal.SIGINT), ("block", signal.SIGTERM)):
            with self.subTest(deed=deed, number=number):
                run, child = self.start(deed, SLOWLY)
                time.sleep(0.6)  # now it does not listen; if it does still, it is interrupted in order
                run.send_signal(number)
                line = run.stderr.readline()
                while line and "the signal does not reach hocket" not in line:
                    line = run.stderr.readline()
                self.assertIn("while component 'Culprit' was in fmi2DoStep at t = 0.5 s", line)
                run.send_signal(number)
                said = run.communicate()[1]
                self.assertEqual(run.returncode, 130, said)
                self.assertIn("ended at once; the record 'r.csv' is kept", said)
                self.assertEqual(self.about()["ended"].rstrip(), "interrupted")
                self.assertTrue(is_gone(child))
                self.nothing_is_left()

    def test_stopped(self):
        """A process that is stopped keeps no limit of time: its parent does. One that goes on by itself is as ever."""
        for option, said in (("--timeout", "did not return in time"), ("--watchdog", "has not returned for 0.5 s")):
            with self.subTest(option=option):
                done = self.do("stop", option, "0.5", exit=124)
                self.assertIn(f"error[HK0507]: component 'Culprit': {said} in fmi2DoStep at t = 0.5 s\n", done.stderr)
                self.assertEqual(self.about()["ended"].rstrip(), "failed: cut off after 0.5 s")
                self.assertEqual(len(self.rows()), 51)
        # Between two stops it may come to its own last words.
        done = self.do("stop_deaf", SLOWLY, "--watchdog", "0.5", exit=124)
        self.assertRegex(done.stderr, r"error\[HK0507\]: (the time limit of a call has passed: the process of the run was stopped while "
                         r"component 'Culprit' was|component 'Culprit': has not returned for 0.5 s) in fmi2DoStep at t = 0.5 s\n")
        self.assertIn("the record 'r.csv' is kept", done.stderr)
        self.nothing_is_left()
        run, child = self.start("", "--real-time=1", "--watchdog", "100", "--timeout", "100")
        os.kill(child, signal.SIGSTOP)
        wait_until(lambda: state_of(child) == "T", "it stops", run)
        time.sleep(0.3)
        os.kill(child, signal.SIGCONT)
        said = run.communicate()[1]
        self.assertEqual(run.returncode, 0, said)
        self.assertEqual(self.about()["ended"], "at its stop time")

    def test_stopped_elsewhere(self):
        """So do the recorder of nodes, a worker of a simulation and the process that waits for workers."""
        self.write("c.simulation", SIMULATION)
        truck = (self.options.models / "quarter_truck.ssp", "--nodes", 2, "--stop-time", "1e6", "-q", "-o", "r.csv")
        play = ("c.simulation", "--system", self.fmu, "-o", "logs", "--workers", 2, "--real-time=0.5")
        for words, whom, limit, said in (
                (truck, 0, "--watchdog", "the recorder was stopped for too long"),
                (play, 1, "--watchdog", r"scenario 'a', run 0: the process of the run was stopped for too long \(SIGSTOP\) .*at t = "),
                (play, 1, "--timeout", r"scenario 'a', run 0: the process of the run was stopped for too long \(SIGSTOP\) .*at t = "),
                (play, 0, "--watchdog", "the process of the simulation was stopped for too long")):
            with self.subTest(said=said, limit=limit):
                run = subprocess.Popen([str(w) for w in (self.options.hocket, "run", *words, limit, 1)], cwd=self.folder,
                                       env=environment(**self.env("")), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, encoding="utf-8")
                for end in (run.stderr.close, run.wait, run.kill):
                    self.addCleanup(end)
                wait_until(lambda run=run: len(children_of(process_of(run))) == 2, "two more processes", run)
                child = process_of(run)
                victim = children_of(child)[0] if whom else child
                others = [child, *children_of(child)]
                time.sleep(0.3)
                os.kill(victim, signal.SIGSTOP)
                text = run.communicate(timeout=TIMEOUT_S)[1]
                self.assertEqual(run.returncode, 124, text)
                self.assertRegex(text, rf"error\[HK0507\]: {said}")
                for other in others:
                    wait_until(lambda other=other: is_gone(other), "the end of all")
                self.nothing_is_left()

    def test_stopped_together(self):
        """Ctrl-Z stops both: that time does not count as a call that hangs."""
        run, child = self.start("", "--real-time=1", "--watchdog", "2", start_new_session=True)
        os.killpg(run.pid, signal.SIGSTOP)
        wait_until(lambda: state_of(child) == "T" and state_of(run.pid) == "T", "both stop", run)
        time.sleep(3)
        os.killpg(run.pid, signal.SIGCONT)
        said = run.communicate()[1]
        self.assertEqual(run.returncode, 0, said)
        self.assertEqual(len(self.rows()), 101)

    def test_killed(self):
        """kill -9 of the process of the run, and of its parent."""
        run, child = self.start("", *LONG)
        os.kill(child, signal.SIGKILL)
        said = run.communicate()[1]
        self.assertEqual(run.returncode, 4)
        self.assertRegex(said, r"error\[HK0506\]: the process of the run was killed \(SIGKILL\) .*at t = [0-9.]+ s\n")
        self.assertEqual(self.about()["ended"].rstrip(), "failed: cut off")
        self.nothing_is_left()
        run, child = self.start("", *LONG)
        os.kill(run.pid, signal.SIGKILL)
        self.assertEqual(run.wait(), -signal.SIGKILL)
        wait_until(lambda: is_gone(child), "its child ends")
        self.assertTrue(self.about()["ended"].startswith("failed: cut off after "))
        self.rows()
        self.nothing_is_left()

    def test_killed_with_folders(self):
        """kill -9 of the parent: nodes, workers and isolated components take their folders with them."""
        self.write("t.simulation", SIMULATION.replace("system c", "system t").replace("1/100", "1/1000"))
        truck = self.options.models / "quarter_truck.ssp"
        slowly = ("--isolate", "all", "--real-time=0.1", "-q", "-o")
        for words, folders in (((truck, *slowly, "t.csv"), 3), ((truck, *slowly, "t.csv", "--nodes", "3"), 3),
                               (("t.simulation", "--system", truck, *slowly, "logs", "--workers", "2"), 6),
                               (("t.simulation", "--system", truck, *slowly, "logs", "--workers", "2", "--nodes", "2"), 6)):
            with self.subTest(words=words):
                run = subprocess.Popen([self.options.hocket, "run", *words], cwd=self.folder, env=environment(**self.env("")),
                                       stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
                self.addCleanup(run.wait)
                self.addCleanup(run.kill)
                temporary = self.folder / "tmp"
                wait_until(lambda: len(list(temporary.iterdir())) >= folders, "the folders", run)
                child = process_of(run)
                time.sleep(0.2)  # so that all are at their work
                run.kill()
                run.wait()
                wait_until(lambda child=child: is_gone(child), "its child ends")
                self.nothing_is_left()

    def test_signals(self):
        """Who asks for the end gets a whole record, and who asks how it is gets a run that goes on."""
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGXCPU):
            for whom in ("parent", "child", "group") if number == signal.SIGINT else ("group",):
                with self.subTest(number=number, whom=whom):
                    run, child = self.start("", *LONG, start_new_session=True)
                    for pid in (run.pid, child):
                        os.kill(pid, signal.SIGUSR1)
                    if whom == "group":
                        os.killpg(run.pid, number)
                    else:
                        os.kill(run.pid if whom == "parent" else child, number)
                    said = run.communicate()[1]
                    self.assertEqual(run.returncode, 130, said)
                    self.assertIn("interrupted: the run ends when the call under way does", said)
                    self.assertNotIn("at once;", said)
                    self.assertEqual(self.about()["ended"], "interrupted")
                    self.assertEqual(float(self.rows()[-1].split(",")[0]), self.about()["end_s"])
                    self.nothing_is_left()
    
    def test_two_at_once(self):
        """The second wish may come when the run has ended by the first one already: it is interrupted all the same."""
        for pause in (0, 0.0005, 0.001, 0.002):
            run, _ = self.start("", *LONG)
            run.terminate()
            time.sleep(pause)
            run.terminate()
            said = run.communicate()[1]
            self.assertEqual(run.returncode, 130, (pause, said))
            self.assertTrue(self.about()["ended"].startswith("interrupted"), self.about())
            self.nothing_is_left()

    def test_processor_time(self):
        """The system says every second that it is used up: that is one wish."""
        def little():
            resource.setrlimit(resource.RLIMIT_CPU, (1, 20))
        done = self.hocket("run", self.fmu, "-o", "r.csv", "--stop-time", "1e9", "--output-interval", "1e4", exit=130,
                           run={"preexec_fn": little}, **self.env(""))
        self.assertIn("interrupted", done.stderr)
        self.assertEqual(self.about()["ended"], "interrupted")

    def test_small_files(self):
        """A limit of the size of files is a full disk, wherever it is met: nobody dies of it."""
        def little():
            resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
        for words in ((), ("--no-parent",), ("--nodes", "3")):
            with self.subTest(words=words):
                words = ("-o", "r.csv", "--stop-time", "1000", *words)
                done = self.hocket("run", self.options.models / "r_rosace.ssp", *words, exit=3, run={"preexec_fn": little}, **self.env(""))
                self.assertEqual(done.stderr.count("error["), 1, done.stderr)
                self.assertRegex(done.stderr, r"r_rosace.ssp: error\[HK0202\]: .* cannot be unpacked: File too large")
                self.assertFalse((self.folder / "r.csv").exists())
                done = self.hocket("run", self.options.models / "quarter_truck.ssp", *words, exit=3, run={"preexec_fn": little},
                                   **self.env(""))
                self.assertEqual(done.stderr.count("error["), 1, done.stderr)
                self.assertIn("r.csv: error[HK0202]: cannot write the record: File too large", done.stderr)
                text = (self.folder / "r.csv").read_text(encoding="utf-8")
                self.assertTrue(text.endswith("\n"))
                self.assertEqual(text.count("\n") - 1, self.about()["rows"])
                self.assertGreater(self.about()["rows"], 10)
                self.nothing_is_left()
                (self.folder / "r.csv").unlink()

    def test_nobody_reads(self):
        """The answer goes into a pipe that nobody reads: as without a parent, and no component is blamed."""
        for words in ((), ("--no-parent",)):
            with self.subTest(words=words):
                reads, writes = os.pipe()
                os.close(reads)
                done = subprocess.run([self.options.hocket, "run", self.fmu, "-o", "r.csv", "--json", "-q", *words], cwd=self.folder,
                                      env=environment(**self.env("")), stdout=writes, stderr=subprocess.PIPE, encoding="utf-8", check=False)
                os.close(writes)
                self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, ""))
                self.assertEqual(self.about()["ended"], "at its stop time")
                self.nothing_is_left()

    def test_before_the_run(self):
        """Without components it ends by the signal, as a shell expects."""
        os.mkfifo(self.folder / "in.csv")
        run = subprocess.Popen([self.options.hocket, "run", self.fmu, "--input-file", "in.csv"], cwd=self.folder,
                               env=environment(**self.env("")), stderr=subprocess.DEVNULL)
        self.addCleanup(run.wait)
        wait_until(lambda: children_of(run.pid) and state_of(children_of(run.pid)[0]) == "S", "waiting for its input", run)
        run.terminate()
        self.assertEqual(run.wait(), -signal.SIGTERM)

    def test_without(self):
        """One process alone: when it is asked for, and when somebody looks into it."""
        for words, before in ((("--no-parent",), []), ((), ["strace", "-f", "-qq", "-e", "trace=none", "-o", "/dev/null"])):
            if before and subprocess.run(["sh", "-c", "strace -e trace=none true"], stderr=subprocess.DEVNULL, check=False).returncode:
                continue  # there is none, or it may not
            with self.subTest(words=words, before=before):
                run = subprocess.Popen([*before, self.options.hocket, "run", self.fmu, "-o", "r.csv", *LONG, *words],
                                       cwd=self.folder, env=environment(**self.env("")), stderr=subprocess.DEVNULL)
                wait_until((self.folder / "r.csv").exists, "the first rows", run)
                process = children_of(run.pid)[0] if before else run.pid
                self.assertEqual(children_of(process), [])
                os.kill(process, signal.SIGINT)
                run.wait()
                (self.folder / "r.csv").unlink()

    def be_shell(self):
        """What a shell does with one job in the foreground: when it is stopped, it says so and lets it go on."""
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        job = os.fork()
        if job == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(0, os.getpid())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            os.chdir(self.folder)
            os.execve(self.options.hocket, ["hocket", "run", str(self.fmu), "-o", "r.csv", *LONG], environment(**self.env("")))
        while True:
            _, how = os.waitpid(job, os.WUNTRACED)
            if not os.WIFSTOPPED(how):
                os._exit(os.waitstatus_to_exitcode(how) & 0xff)
            wait_until(lambda: state_of(children_of(job)[0]) == "T", "its child stops, too")
            os.write(1, b"both are stopped\n")
            os.killpg(job, signal.SIGCONT)

    def test_terminal(self):
        """Ctrl-Z stops both processes, and the shell lets both go on; Ctrl-C is one wish."""
        shell, terminal = pty.fork()
        if shell == 0:
            try:
                self.be_shell()
            finally:
                os._exit(99)
        said = b""

        def read_until(what):
            nonlocal said
            while what not in said:
                said += os.read(terminal, 4096)
        wait_until((self.folder / "r.csv").exists, "the first rows")
        os.write(terminal, b"\x1a")
        read_until(b"both are stopped")
        os.write(terminal, b"\x03")
        read_until(b"interrupted: the run ends when the call under way does")
        read_until(b"written ")
        _, how = os.waitpid(shell, 0)
        os.close(terminal)
        self.assertEqual(os.waitstatus_to_exitcode(how), 130, said)
        self.assertNotIn(b"ended at once", said)
        self.assertEqual(self.about()["ended"], "interrupted")

    def test_simulation(self):
        """Of a simulation: the run whose worker vanishes is told as such, and one parent looks at the files of all."""
        self.write("c.simulation", SIMULATION)
        words = ("run", "c.simulation", "--system", self.fmu, "-o", "logs", "--workers", "2", "--output-variable", "y")
        self.hocket(*words, **self.env(""))
        done = self.hocket(*words, exit=4, **self.env("vanish"))
        for run in (0, 1):
            self.assertIn(f"scenario 'a', run {run}: the process of the run ended (exit status 0) while component 'Culprit' was in "
                          "fmi2DoStep at t = 0.5 s", done.stderr)
        done = self.hocket(*words, "--real-time=0.5", exit=4, **self.env("vanish"))
        about = [json.loads(path.read_text(encoding="utf-8"))["notes"][0] for path in (self.folder / "logs").glob("*-metadata.json")]
        self.assertEqual([note["ended"].rstrip() for note in about], ["failed: cut off"] * 2)
        self.file = self.folder / "logs" / "record.a.0000.csv"
        done = self.hocket(*words, exit=3, **self.env("append_at_the_end"))
        self.assertIn("the file was changed, moved or removed after it was written", done.stderr)
        self.nothing_is_left()

    def test_worker_that_keeps_signals(self):
        """A run in a worker that does not listen is ended by the second wish, too."""
        self.write("c.simulation", SIMULATION)
        run = subprocess.Popen([self.options.hocket, "run", "c.simulation", "--system", self.fmu, "-o", "logs", "--workers", "2"],
                               cwd=self.folder, env=environment(**self.env("ignore")), stderr=subprocess.PIPE, encoding="utf-8")
        self.addCleanup(run.wait)
        wait_until(lambda: len(children_of(process_of(run))) == 2, "two workers", run)
        workers = children_of(process_of(run))
        run.send_signal(signal.SIGINT)
        time.sleep(0.2)
        run.send_signal(signal.SIGINT)
        run.communicate()
        self.assertEqual(run.returncode, 130)
        for worker in workers:
            wait_until(lambda worker=worker: is_gone(worker), "the end of a worker")
        self.nothing_is_left()


main()
