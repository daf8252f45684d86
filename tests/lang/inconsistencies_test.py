#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The inconsistencies I1 to I22 that the examples of paper 000 contain: for each a small file in
tests/lang/inconsistencies and what hocket says about it, or shows that nothing need be said.
docs/cares-rules.md lists them. Standard library only.
"""
import csv
import json
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, Case, main  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent / "inconsistencies"


class Inconsistencies(Case):
    def setUp(self):
        super().setUp()
        models = OPTIONS.models / "auv"
        for path in [*FOLDER.iterdir(), *models.glob("*.types"), *models.glob("*.so"),
                     models / "auv.system", models / "mission.csv"]:
            os.symlink(path, self.folder / path.name)

    def call(self, *words):
        return self.hocket(*words, exit=None)

    def check(self, name):
        done = self.call("check", name, "--json")
        self.assertIn(done.returncode, (0, 1, 3), done.stderr)
        return done.returncode, json.loads(done.stdout)["findings"]

    def says(self, name, severity, at, *words):
        """One finding of this severity is where the text AT is, and holds all words."""
        code, findings = self.check(name)
        text = (FOLDER / name).read_text(encoding="utf-8")
        line = text[:text.index(at)].count("\n") + 1
        found = [f for f in findings if f["severity"] == severity and f["line"] == line and
                 all(w in f["text"] + " " + (f["hint"] or "") for w in words)]
        self.assertEqual(len(found), 1, (line, words, findings))
        self.assertEqual(code != 0, any(f["severity"] == "error" for f in findings))
        return findings

    def plays(self, name, *options):
        done = self.call("run", name, "--json", *options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return json.loads(done.stdout)["runs"]

    def last(self, name):
        with open(self.folder / name, newline="") as file:
            row = list(csv.DictReader(file))[-1]
        return {name.split(".", 2)[-1]: float(value) for name, value in row.items()}

    def test_i01_event_after_the_end(self):
        self.says("i01.simulation", "warning", "instant 2700000", "event at 2700000 ms",
                  "after the end 1800000 ms", "never fires; the speed stays 2.5")

    def test_i02_driver_and_sensor(self):
        counts = self.plays("i02.simulation")[0]["activations"]
        self.assertEqual(counts["Navigation.myDvl"], 1000)
        self.assertEqual(counts["Sensors.DVL.myErrorDVL"], 2000)

    def test_i03_name_of_a_parameter(self):
        self.says("i03.simulation", "error", "theThetaDVL\"", "theThetaDVL",
                  "did you mean 'thetaDVL'?")

    def test_i04_name_of_an_interface(self):
        self.says("i04.simulation", "error", "bind \"auv.comp.Environment.Current",
                  "no interface 'pSinModelSource'", "'pConfigCurrentModel' and 'itfCurrentModel'")

    def test_i05_name_of_a_package(self):
        self.says("i05.simulation", "warning", "\"CurrentTypes.", "CurrentTypes.CurrentConfig",
                  "'environment.CurrentConfig.setSpeed'")
        self.plays("i05.simulation")

    def test_i06_signal_never_set(self):
        self.says("i06.simulation", "note", "\"environment.CurrentConfig.setSpeed", "'setSignal'",
                  "is not called")
        self.says("i06_period.simulation", "warning", "myCurrent.period", "0")

    def test_i07_unit_of_an_amplitude(self):
        self.says("i07.simulation", "error", "1.0 \"m\"", "'m'", "'m/s'")

    def test_i08_places_and_currents(self):
        self.says("i08.system", "error", "link source.current", "types differ", "sea.Current",
                  "sea.Place")
        self.says("i08.system", "error", "link source.vector", "frames differ", "'enu'", "'ned'")

    def test_i09_who_configures(self):
        """Nothing to say: the figure itself is right."""
        shutil.copy(FOLDER.parent / "figure3.types", self.folder)
        self.assertEqual(self.check("figure3.types")[0], 0)

    def test_i10_separators_and_quoted_numbers(self):
        self.assertEqual(self.check("i10.simulation")[0], 0)
        text = self.call("fmt", "i10.simulation").stdout
        self.assertIn('"environment.CurrentConfig.setSpeed.speed" = 1.0,', " ".join(text.split()))
        self.assertNotIn('"1.0"', text)

    def test_i11_runs_write_files_of_their_own(self):
        self.plays("i11.simulation")
        self.assertEqual(sorted(p.name for p in self.folder.glob("position*.csv")),
                         ["position.only.%04d.csv" % i for i in range(10)])
        self.says("i11_two_logs.simulation", "error", "position.csv timed(200)",
                  "position.csv")

    def test_i12_no_noise(self):
        self.says("i12.simulation", "note", "Scenario only", "no random source is active",
                  "10 runs will be identical")

    def test_i13_size_of_a_log(self):
        self.says("i13.simulation", "note", "position.csv", "1800001 rows", "MB in each run",
                  "MB in all")

    def test_i14_unused_source(self):
        """What each function number uses is not declared, so only what nobody is linked to counts.
        """
        self.says("i14.simulation", "note", "begin", "nothing uses", "'Sensors.DVL.myReaderDVL'")

    def test_i16_start_and_stop_are_optional(self):
        counts = self.plays("i16.simulation")[0]["activations"]
        self.assertEqual(counts["Sensors.DVL.myBodyToDVL"], 1800)

    def test_i17_parameters_and_start_time_come_first(self):
        run = self.plays("i17.simulation")[0]
        self.assertEqual(run["activations"]["Sensors.DVL.myReaderDVL"], 2000)
        last = self.last("position.csv")
        self.assertEqual(last["time"], 7)
        self.assertAlmostEqual(last["myEstimatedNedPosition.x"], 2 * 2.5, 9)

    def test_i19_many_frequencies(self):
        counts = self.plays("i19.simulation")[0]["activations"]
        self.assertEqual([counts[n] for n in ("Mission.myMission", "Sensors.DVL.myReaderDVL",
                                              "Drone.mySimpleMission")], [2, 2000, 2000])

    def test_i20_bind_in_an_event(self):
        run = self.plays("i20.simulation")[0]
        self.assertIn("3 s: bind Sensors.DVL.myReaderDVL.pItfReader to "
                      "Sensors.DVL.mySourceDVLAdapter.rItfEDVL", run["trace"])
        with open(self.folder / "sources.csv", newline="") as file:
            rows = list(csv.reader(file))[1:]
        # Until 3 s the model is asked, then the log, in which it is 1.25 m/s all the time.
        self.assertEqual([r[1] for r in rows[1:]], ["2.5", "2.5", "2.5", "1.25", "1.25", "1.25"])
        self.assertEqual({r[2] for r in rows[1:]}, {"2.5"})
        self.assertEqual({r[3] for r in rows[1:]}, {"1.25"})

    def test_i22_meaning_of_numbers(self):
        self.says("i22.types", "error", "other = dvlAndGyro", "dvlAndGyro")


if __name__ == "__main__":
    main()
