#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No verb destroys what it reads, writes two things to one place, or writes where another run does: refused with both
names before anything is written, whatever way leads to the file. Standard library only."""
import contextlib
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, TIMEOUT_S, Case, few, main, wait_until  # noqa: E402

WEATHER = "time,wind\n0,1\n1,2\n2,4\n"
SYSTEM = """system sea { composite c {
  leaf w : "weather.csv" { frequency 10 Hz; }
  leaf g : hk.Gain { frequency 10 Hz; }
  link w.wind -> g.u;
} }
"""
SIMULATION = """Simulation storm (ms)
system sea;
simulationTime [0, 1000]:100;
scenarios {
  Scenario a [RUNS]
    logs { LOG timed(100) { "sea.c.g.y"; } }
}
"""


TYPES = """Declaration p {
  LeafComponentTypes {
    LeafComponentType f { inputs { core.double a; } }
  }
}
"""
RUN = ["run", "x.ssp", "-q", "--step-size", "0.001", "--stop-time", "0.1"]
# Every option that names what is written: words, option, extension, a file that is read.
OUTPUTS = [
    (RUN, "-o", ".csv", "x.ssp"), (RUN, "--trace", ".jsonl", "x.ssp"), (RUN, "--plot", ".svg", "x.ssp"),
    (RUN, "--report", ".html", "x.ssp"), (["run", "storm.simulation", "-q"], "--report", ".html", "weather.csv"),
    (RUN, "--save-state", ".hks", "x.ssp"), (["run", "storm.simulation", "-q"], "--trace", ".jsonl", "sea.system"),
    (["run", "storm.simulation", "-q"], "--plot", ".svg", "weather.csv"), (["plan", "x.ssp"], "--gantt", ".svg", "x.ssp"),
    (["plan", "x.ssp", "--allocate", "2"], "-o", ".schedule", "x.ssp"), (["prove", "x.ssp"], "--export-csp", ".csp", "x.ssp"),
    (["prove", "x.ssp"], "--export-promela", ".pml", "x.ssp"), (["prove", "x.ssp", "--synthesise"], "-o", ".master", "x.ssp"),
    (["plot", "weather.csv"], "-o", ".svg", "weather.csv"), (["export", "gain.c"], "-o", ".fmu", "gain.c"),
]
STREAMS = [(RUN, "-o"), (RUN, "--trace")]  # ... and that may go to standard output


def as_nobody():
    if os.geteuid() == 0:  # may write what nobody may
        os.setuid(65534)


class Files(Case):
    def setUp(self):
        super().setUp()
        shutil.copy(OPTIONS.models / "quarter_truck.ssp", self.folder / "x.ssp")
        self.write("weather.csv", WEATHER)
        self.write("sea.system", SYSTEM)
        self.write("storm.simulation", SIMULATION.replace("LOG", "log.csv").replace("RUNS", "1"))
        self.write("gain.c", "#include <hk/unit.h>\n")

    def hocket(self, *words, exit=0, **more):
        return super().hocket(*words, exit=exit, run=more)

    def all_files(self):
        return {p.relative_to(self.folder): p.read_bytes() for p in self.folder.rglob("*") if p.is_file()}

    def refuse(self, *words, says, exit=2, **more):
        """The command fails with one error that says all of SAYS, and no file has changed or appeared."""
        before = self.all_files()
        done = self.hocket(*words, exit=exit, **more)
        self.assertEqual(done.stderr.count("error["), 1, done.stderr)
        for text in says:
            self.assertIn(text, done.stderr)
        self.assertEqual(before, self.all_files(), f"{words}: {done.stderr}")

    def test_table_of_a_leaf(self):
        self.hocket("run", "sea.system", "--stop-time", "1", "-q", "-o", "good.csv")
        self.refuse("run", "sea.system", "--stop-time", "1", "-o", "weather.csv",
                    says=["weather.csv: error[HK0101]: the record would overwrite 'weather.csv', which is read"])

    def test_table_that_is_read_late(self):
        self.write("sea.system", SYSTEM.replace('w : "weather.csv" { frequency 10 Hz; }',
                                                'w : hk.Replay { frequency 10 Hz; param file = "weather.csv"; '
                                                'param column = "wind"; }').replace("w.wind", "w.y"))
        self.hocket("run", "sea.system", "--stop-time", "1", "-q", "-o", "good.csv", "--trace", "good.jsonl")
        for option in ("-o", "--trace"):
            self.refuse("run", "sea.system", "--stop-time", "1", option, "weather.csv", says=["'weather.csv', which is"])

    def test_other_ways_to_it(self):
        os.symlink("weather.csv", self.folder / "link.csv")
        os.link(self.folder / "weather.csv", self.folder / "hard.csv")
        os.mkdir(self.folder / "sub")
        for name in ("link.csv", "hard.csv", "sub/../weather.csv", str(self.folder / "weather.csv")):
            self.refuse("run", "sea.system", "--stop-time", "1", "-o", name, says=[name, "'weather.csv', which is read"])

    def test_log_of_a_simulation(self):
        for runs, workers in (("1", "1"), ("4", "2")):
            log = "weather.csv" if runs == "1" else "w.csv"
            if runs == "4":  # the name of a run's log
                self.write("sea.system", SYSTEM.replace("weather.csv", "w.a.0002.csv"))
                self.write("w.a.0002.csv", WEATHER)
            self.write("storm.simulation", SIMULATION.replace("LOG", log).replace("RUNS", runs))
            done = self.hocket("run", "storm.simulation", "--workers", workers, exit=2)
            self.assertIn("which is read", done.stderr)
            self.assertEqual((self.folder / "weather.csv").read_text(), WEATHER)
            if runs == "4":
                self.assertEqual((self.folder / "w.a.0002.csv").read_text(), WEATHER)

    def test_system_files(self):
        self.refuse("plan", "x.ssp", "--allocate", "2", "-o", "x.ssp", says=["--output would overwrite 'x.ssp'"])
        self.refuse("prove", "x.ssp", "--export-csp", "x.ssp", says=["--export-csp would overwrite 'x.ssp'"])
        self.refuse("prove", "x.ssp", "--export-promela", "./x.ssp", says=["./x.ssp", "would overwrite 'x.ssp'"])
        self.refuse("run", "x.ssp", "--save-state", "x.ssp", says=["--save-state would overwrite 'x.ssp'"])
        self.refuse("run", "x.ssp", "--trace", "x.ssp", says=["--trace would overwrite 'x.ssp'"])
        self.write("s.schedule", "processor p: chassis, wheel, ground;\n")
        self.refuse("run", "sea.system", "--stop-time", "1", "--trace", "weather.csv", says=["'weather.csv'"])

    def test_two_outputs(self):
        self.refuse("run", "x.ssp", "-o", "same.csv", "--trace", "same.csv",
                    says=["--trace and the record would both write 'same.csv'"])
        self.refuse("run", "x.ssp", "-o", "a.csv", "--trace", "a.csv-metadata.json",
                    says=["--trace and the description of the record would both write"])
        self.refuse("run", "x.ssp", "--plot", "p.svg", "--trace", "./p.svg",
                    says=["--plot and --trace would both write 'p.svg'"])
        self.refuse("run", "x.ssp", "--save-state", "s", "--trace", "s", says=["would both write 's'"])
        self.refuse("prove", "x.ssp", "--export-csp", "same", "--export-promela", "same",
                    says=["--export-csp and --export-promela would both write 'same'"])
        self.hocket("run", "x.ssp", "-q", "--stop-time", "0.1", "--trace", "/dev/null", "--plot", "p.svg")

    def test_what_is_allowed(self):
        run = ["run", "x.ssp", "-q", "--step-size", "0.001"]
        self.hocket(*run, "--stop-time", "0.1", "--save-state", "s.hks", "-o", "a.csv", "--plot", "a.svg")
        self.hocket(*run, "--stop-time", "0.2", "--load-state", "s.hks", "--save-state", "s.hks", "-o", "a.csv")
        self.hocket(*run, "--stop-time", "0.3", "--load-state", "s.hks")
        self.refuse(*run, "--stop-time", "0.3", "--load-state", "s.hks", "--trace", "s.hks", says=["'s.hks'"])
        self.hocket("fmt", "-w", "sea.system")

    def test_every_output(self):
        os.mkdir(self.folder / "sub")
        for words, option, extension, read in few(OUTPUTS):
            with self.subTest(words=words, option=option):
                self.refuse(*words, option, f"no/such/x{extension}", exit=3,
                            says=[f"no/such/x{extension}: error[HK0202]: cannot be written: its folder does not exist"])
                folder, link = self.folder / f"sub/folder{extension}", self.folder / f"sub/link{extension}"
                hard, closed = self.folder / f"sub/hard{extension}", self.folder / f"sub/closed{extension}"
                folder.mkdir(exist_ok=True)
                self.refuse(*words, option, str(folder), exit=3, says=["error[HK0202]: cannot be written: it is a folder"])
                for path, way in ((link, os.symlink), (hard, os.link)):
                    path.unlink(missing_ok=True)
                    way(self.folder / read, path)
                    self.refuse(*words, option, str(path), says=[path.name, "would overwrite", read, "which is read"])
                with contextlib.suppress(FileExistsError):
                    closed.touch(0o444, exist_ok=False)
                self.folder.chmod(0o777)
                self.refuse(*words, option, str(closed), exit=3, preexec_fn=as_nobody,
                            says=["error[HK0202]: cannot be written: Permission denied"])
                if words[0] != "export":  # the C file is none
                    (self.folder / f"sub/full{extension}").unlink(missing_ok=True)
                    os.symlink("/dev/full", self.folder / f"sub/full{extension}")
                    if words[1] != "storm.simulation":  # the logs are written before, and there is nothing to trace
                        self.refuse(*words, option, f"sub/full{extension}", exit=3, says=["No space left on device"])

    def test_standard_output_by_any_name(self):
        os.symlink("/dev/stdout", self.folder / "link")
        names = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/../dev/stdout", "link"]
        for words, option in STREAMS:
            answer = self.hocket(*words, option, "-").stdout
            self.assertGreater(len(answer), 1000)
            for name in few(names):
                done = self.hocket(*words, option, name)
                self.assertEqual((done.stdout, done.stderr), (answer, ""), f"{words} {option} {name}")
        for words, option, _, _ in few(OUTPUTS):
            if (words, option) not in STREAMS and words[1] != "storm.simulation":
                for name in ("-", *names):
                    self.refuse(*words, option, name, says=["error[HK0101]", f"{name}: standard output"])

    def test_redirected_to_the_same(self):
        for stream, word in (("stdout", "standard output"), ("stderr", "standard error")):
            with open(self.folder / "a.csv", "w", encoding="utf-8") as out:
                streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: out}
                done = subprocess.run([OPTIONS.hocket, *RUN, "-o", "a.csv"], cwd=self.folder, check=False, timeout=TIMEOUT_S,
                                      **streams)
            text = (self.folder / "a.csv").read_text() if stream == "stderr" else done.stderr.decode()
            self.assertEqual(done.returncode, 2, text)
            self.assertIn(f"the record and {word} would both write 'a.csv'", text)

    def test_gen_through_a_link(self):
        self.write("a.types", TYPES)
        (self.folder / "c").mkdir()
        self.hocket("gen", "a.types", "-o", "good")
        self.refuse("gen", "a.types", "-o", "-", says=["--out -: several files"])
        for name in sorted(p.name for p in (self.folder / "good").iterdir() if p.suffix in (".c", ".h", ".cmake")):
            for way in (os.symlink, os.link):
                way(self.folder / "a.types", self.folder / "c" / name)
                for words in ((), ("--force",)):
                    self.refuse("gen", "a.types", "-o", "c", *words, says=[name, "would overwrite", "a.types"])
                (self.folder / "c" / name).unlink()

    def test_modes(self):
        """What is replaced keeps its mode; what is new gets what the user wants."""
        run = [*RUN, "-o", "r.csv", "--save-state", "s.hks", "--trace", "t.jsonl", "--plot", "p.svg"]
        written = ("r.csv", "r.csv-metadata.json", "s.hks", "t.jsonl", "p.svg")

        def modes(names):
            return {(self.folder / name).stat().st_mode & 0o777 for name in names}

        self.hocket(*run, umask=0o027)
        self.assertEqual(modes(written), {0o640})
        for name in ("sea.system", *written):
            (self.folder / name).chmod(0o600)
        self.hocket(*run, umask=0o022)
        self.write("sea.system", SYSTEM.replace("  leaf", "leaf"))
        self.hocket("fmt", "-w", "sea.system")
        self.assertIn("  leaf", (self.folder / "sea.system").read_text())
        self.assertEqual(modes(("sea.system", *written)), {0o600})

    def test_reader_that_ends(self):
        """`| head`: what was handed over is not called nothing, and the failure is."""
        for option, what in (("-o", "record"), ("--trace", "trace")):
            words = ["run", "x.ssp", "--step-size", "0.0001", "--stop-time", "10", option, "-"]
            with subprocess.Popen([OPTIONS.hocket, *words], cwd=self.folder, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, encoding="utf-8") as run:
                self.assertGreater(len(run.stdout.readline()), 20)
                run.stdout.close()
                said = run.stderr.read()
                self.assertEqual(run.wait(timeout=TIMEOUT_S), 3, said)
            self.assertIn(f"standard output: error[HK0202]: cannot write the {what}: who reads it has ended", said)
            self.assertEqual(said.count("error["), 1, said)
            if option == "-o":
                self.assertIn("written    standard output, in part (", said)
                self.assertNotIn("nothing", said)

    def test_state_of_another_time(self):
        """Nothing of a damaged state is believed, least of all its time."""
        self.hocket(*RUN, "--save-state", "s.hks")
        data = bytearray((self.folder / "s.hks").read_bytes())
        for at in few((*range(0, 48, 5), len(data) // 2, len(data) - 1)):
            bad = bytes([*data[:at], data[at] ^ 1, *data[at + 1:]])
            (self.folder / "bad.hks").write_bytes(bad)
            for more in (["--duration", "1"], ["--stop-time", "0.05"], ["--stop-time", "1"]):
                done = self.hocket("run", "x.ssp", "--step-size", "0.001", "--load-state", "bad.hks", *more, exit=3)
                self.assertRegex(done.stderr, r"(?m)^bad.hks: error\[HK0307\]: (this is not a state|the state is damaged|the state "
                                              r"has format)")
                self.assertEqual(done.stderr.count("error["), 1)

    def test_full_disk(self):
        """What is written as the run goes on ends with a whole line, and the run fails."""
        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100001, 100001))
        for option, name in (("--trace", "a.jsonl"), ("-o", "a.csv")):
            done = self.hocket("run", "x.ssp", "-q", "--step-size", "0.001", "--stop-time", "5", option, name, exit=3,
                               preexec_fn=small)
            self.assertIn(f"{name}: error[HK0202]: cannot write the {'trace' if option == '--trace' else 'record'}: File "
                          "too large", done.stderr)
            self.assertEqual(done.stderr.count("error["), 1, done.stderr)
            text = (self.folder / name).read_text()
            self.assertGreater(len(text), 90000)
            self.assertTrue(text.endswith("\n"), text[-100:])

    def test_two_processes(self):
        words = ["run", "x.ssp", "-q", "--step-size", "0.001"]
        first = subprocess.Popen([OPTIONS.hocket, *words, "--stop-time", "600", "--real-time", "-o", "a.csv"],
                                 cwd=self.folder)
        try:
            wait_until((self.folder / "a.csv").exists, "the first run writes", first)
            words += ["--stop-time", "2"]
            done = self.hocket(*words, "-o", "./a.csv", exit=3)
            self.assertIn("a.csv: error[HK0202]: the record cannot be written: another run writes this file now",
                          done.stderr)
            done = self.hocket(*words, "--trace", "a.csv", exit=3)
            self.assertIn("--trace cannot be written: another run", done.stderr)
            for command in (["plot", "a.csv", "-o", "a.svg"], ["compare", "a.csv", "a.csv"]):
                done = self.hocket(*command)
                self.assertIn("a.csv: note: a run is writing this file now: it ends with the rows there are so far",
                              done.stderr)
            self.hocket(*words, "-o", "b.csv")
            self.assertIsNone(first.poll())
        finally:
            first.send_signal(signal.SIGINT)
            self.assertEqual(first.wait(), 130)
        ours, others = ((self.folder / name).read_text().splitlines() for name in ("a.csv", "b.csv"))
        common = min(len(ours), len(others))
        self.assertGreater(common, 2)
        self.assertEqual(ours[:common], others[:common])
        self.assertNotIn("is writing", self.hocket("plot", "a.csv", "-o", "a.svg").stderr)
        self.hocket(*words, "-o", "a.csv")
        self.assertEqual((self.folder / "a.csv").read_bytes(), (self.folder / "b.csv").read_bytes())


if __name__ == "__main__":
    main()
