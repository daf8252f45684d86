# SPDX-License-Identifier: MIT
"""Plays variants of Fig. 10 through the built program, for acceptance_test.py. Standard library only."""
import csv
import itertools
import json
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, Case, call, environment  # noqa: E402

FIGURE = "AuvSimulation.simulation"


class Played:
    """What one call of the program said and wrote."""

    def __init__(self, code, out, err, folder, file):
        self.code, self.folder, self.err, self.file = code, folder, err, file
        self.report = json.loads(out) if out.strip() else None
        lines = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
        # The answer of `hocket check` is its diagnostics.
        self.diagnostics = lines + (self.report or {}).get("findings", [])
        self.err += "\n".join(d["text"] for d in self.diagnostics)

    def said(self, severity=None):
        return [d["text"] for d in self.diagnostics if severity in (None, d["severity"])]

    def lives(self):
        """What components with a witness say: for each call (type, what, number, ...)."""
        calls = [line.split()[1:] for line in self.err.splitlines() if line.startswith("witness ")]
        return [(kind, what, *map(int, numbers)) for kind, what, *numbers in calls]

    def run(self, index=0):
        return self.report["runs"][index]

    def path(self, name, index=None):
        if index is not None:
            name = name.replace(".csv", ".scenar.%04d.csv" % index)
        return self.folder / name

    def columns(self, name, index=None, every=1):
        """The columns of a log by their names, as the text that is in the file; of a large one
        every so many rows."""
        with open(self.path(name, index), newline="") as file:
            reader = csv.reader(file)
            titles = next(reader)
            rows = list(itertools.islice(reader, 0, None, every))
        return {title: [row[i] for row in rows] for i, title in enumerate(titles)}

    def last(self, name, column, index=None):
        return float(self.columns(name, index)[column][-1])


class Figure(Case):
    """Makes variants of the figure and plays them in a folder of their own."""

    full_run = None

    def setUp(self):
        """All share the folder of the class."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="hocket-auv-"))
        cls.with_witness = cls.folder / "witness"
        cls.with_witness.mkdir()
        models = OPTIONS.models / "auv"
        for file in (*models.glob("*.types"), models / "auv.system", models / "mission.csv"):
            for folder in (cls.folder, cls.with_witness):
                os.symlink(file, folder / file.name)
        for name, witness in (("auv.so", OPTIONS.witness), ("auv_files.so", OPTIONS.files_witness)):
            os.symlink(models / name, cls.folder / name)
            os.symlink(witness, cls.with_witness / name)
        cls.figure = (models / FIGURE).read_text(encoding="utf-8")
        cls.count = 0

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def replaced(self, text, *pairs):
        for old, new in pairs:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        return text

    def variant(self, *pairs, end=None, runs=1, logs=True):
        """The figure with a few texts replaced; shorter, once, and without logs if so said."""
        text = self.figure
        if not logs:
            first, last = text.index("logs {"), text.index("};") + 2
            text = text[:first] + text[last:]
        if end is not None:
            text = self.replaced(text, ("[0,1800000]", "[0,%d]" % end))
        if runs != 10:
            text = self.replaced(text, ("scenar [10]", "scenar" if runs == 1 else
                                        "scenar [%d]" % runs))
        return self.replaced(text, *pairs)

    def log(self, name, period, *signals):
        """A pair of texts that adds a log to the figure."""
        return ("logs {", "logs {\n  %s timed(%d) { %s }\n" % (
            name, period, " ".join('"auv.comp.%s";' % s for s in signals)))

    def call(self, verb, text, *options, base=None, **added):
        type(self).count += 1
        folder = self.folder / ("out%d" % self.count)
        folder.mkdir()
        file = (base or self.folder) / ("v%d.simulation" % self.count)
        if isinstance(text, bytes):
            file.write_bytes(text)
        else:
            file.write_text(text, encoding="utf-8")
        command = [OPTIONS.hocket, verb, str(file), "--json", *options]
        if verb == "run":
            command += ["-o", str(folder)]
        done = call(*command, cwd=folder, exit=None, env=environment(**added))
        self.assertGreaterEqual(done.returncode, 0, done.stderr)
        return Played(done.returncode, done.stdout, done.stderr, folder, file)

    def play(self, text, *options, base=None):
        played = self.call("run", text, *options, base=base)
        self.assertEqual(played.code, 0, played.err)
        return played

    def witnessed(self, text, *options):
        return self.play(text, *options, base=self.with_witness).lives()

    def bindings(self, text):
        """The table of bindings: who provides each required interface."""
        played = self.call("info", text)
        self.assertEqual(played.code, 0, played.err)
        rows = played.report["scenarios"][0]["bindings"]
        table = {row["required"]: row["provided"] for row in rows}
        self.assertEqual(len(table), len(rows))
        return table

    def refused(self, text, line, *words):
        """The program refuses it with an error at LINE that holds all WORDS; so does the check."""
        for verb in ("check", "run"):
            played = self.call(verb, text)
            self.assertNotEqual(played.code, 0)
            errors = [d for d in played.diagnostics if d["severity"] == "error"]
            good = [d for d in errors if d["line"] == line and d["file"] == str(played.file) and
                    all(w in d["text"] + " " + (d["hint"] or "") for w in words)]
            self.assertTrue(good, "line %s, %s: %s" % (line, words, played.err))
            self.assertFalse(list(played.folder.glob("*.csv")))

    def line_of(self, text, words):
        return text[:text.index(words)].count("\n") + 1

    @classmethod
    def full(cls):
        """Run 0 of the figure in its whole length, with a witness, and with a few more signals once
        a second."""
        if Figure.full_run is None:
            test = cls("full_length")
            text = test.variant(
                test.log("Truth.csv", 1000, "Drone.myMissionAdapter.nedPosition",
                         "Drone.myMissionAdapter.bodySpeed", "Drone.myMissionAdapter.attitude",
                         "Drone.mySimpleMission.waterSpeed", "Analysis.myAnalysis.distance",
                         "Analysis.myAnalysis.error", "Environment.MNT.myMntModel.requests",
                         "Environment.Current.myCurrent.requests",
                         "Environment.Current.myS111CurrentFile.requests"), runs=10)
            Figure.full_run = test.play(text, "--run", "0", base=cls.with_witness)
        return Figure.full_run

    def full_length(self):
        """A test case needs a method."""
