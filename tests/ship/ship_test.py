#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The ship from end to end: what it is made of, whether it follows its path with sensible numbers, and
whether every way to run it gives the same. Standard library only, but for the comparison with libcosim."""
import csv
import importlib.util
import math
import pathlib
import re
import shlex
import shutil
import sys
import unittest
import xml.etree.ElementTree as ET
import zipfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "interop")]
from hocket_case import Case, forked, main  # noqa: E402

SHIP = TESTS.parent / "models" / "ship"
UNITS = {"sea": "2.0", "hull": "2.0", "azimuth": "1.0", "plant": "1.0", "guidance": "2.0", "pilot": "2.0",
         "observer": "1.0"}
STARTED = 60  # seconds after which the ship has its speed


def read(path):
    """The columns of a record, by name."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        names = next(rows)
        columns = list(zip(*(map(float, row) for row in rows)))
    return dict(zip(names, columns))


def description(fmu):
    return ET.fromstring(zipfile.ZipFile(fmu).read("modelDescription.xml"))


def distance(path, north, east):
    """From the nearest point of a path of straight legs."""
    found = math.inf
    for (n1, e1), (n2, e2) in zip(path, path[1:]):
        length = math.hypot(n2 - n1, e2 - e1)
        along = ((north - n1) * (n2 - n1) + (east - e1) * (e2 - e1)) / length
        part = min(max(along / length, 0.0), 1.0)
        found = min(found, math.hypot(north - n1 - part * (n2 - n1), east - e1 - part * (e2 - e1)))
    return found


class Ship(Case):
    def setUp(self):
        super().setUp()
        self.ssp = self.options.models / "ship.ssp"
        self.osp = self.options.models / "ship_osp"

    def record(self, system, *words, name="record.csv"):
        self.hocket("run", system, "-q", "-o", name, *words)
        return self.folder / name

    def test_what_it_is_made_of(self):
        counts, once = {}, []
        for unit, version in UNITS.items():
            root = description(self.osp / f"{unit}.fmu")
            self.assertEqual(root.get("fmiVersion"), version, unit)
            counts[unit] = len(root.find("ModelVariables"))
            once += [unit for e in root.iter() if e.get("canBeInstantiatedOnlyOncePerProcess") == "true"]
        self.assertEqual(once, ["plant"])
        # Eight units: two of them are thrusters.
        self.assertAlmostEqual(sum(counts.values()) + counts["azimuth"], 3000, delta=30)

    def test_every_variable_can_be_recorded(self):
        with open(self.record(self.ssp, "--stop-time", "1", "--output-variable", "*"), encoding="utf-8") as file:
            rows = [line.rstrip("\n").split(",") for line in file]
        self.assertEqual(len(rows), 1 + 21)
        self.assertAlmostEqual(len(rows[0]) - 1, 3000, delta=30)

    def test_one_plant_in_a_process(self):
        """A second plant runs in a process of its own, and says the same."""
        with zipfile.ZipFile(self.ssp) as package:
            package.extractall(self.folder)
        ssd = self.folder / "SystemStructure.ssd"
        text = ssd.read_text(encoding="utf-8")
        plant = re.search(r'<ssd:Component name="plant".*?</ssd:Component>', text, re.S).group(0)
        ssd.write_text(text.replace(plant, plant + plant.replace('name="plant"', 'name="emergency"')),
                       encoding="utf-8")
        said = self.hocket("run", ssd, "--stop-time", "20", "--output-variable", "*", "-o", "two.csv").stderr
        self.assertIn("'emergency' runs in a process of its own", said)
        with (self.folder / "two.csv").open(encoding="utf-8") as file:
            names, *_, last = [line.rstrip("\n").split(",") for line in file]
        cells = dict(zip(names, last))
        self.assertTrue(any(name.startswith("emergency.") for name in names))

    def test_follows_its_path(self):
        points = {v.get("name"): float(v.find("Real").get("start"))
                  for v in description(self.osp / "guidance.fmu").iter("ScalarVariable")
                  if v.get("name").startswith("waypoint.")}
        path = [(points[f"waypoint.north[{k}]"], points[f"waypoint.east[{k}]"]) for k in range(1, 25)]
        r = read(self.record(self.ssp, "--output-interval", "0.5"))
        away = [distance(path, n, e) for n, e in zip(r["hull.north"], r["hull.east"])]
        self.assertLess(max(away), 25)  # less than a ship's length, in the half circles too
        self.assertLess(math.sqrt(sum(a * a for a in away) / len(away)), 10)
        # It comes to 21 way-points, one after the other, and is on the line where a line is long.
        self.assertEqual(r["guidance.waypoint"][-1], 22)
        self.assertTrue(all(b - a in (0, 1) for a, b in zip(r["guidance.waypoint"], r["guidance.waypoint"][1:])))
        settled = [abs(y) for y, left, to in zip(r["guidance.cross_track"], r["guidance.to_go"], r["guidance.waypoint"])
                   if to in (3, 8, 13, 18) and left < 200]
        self.assertLess(max(settled), 6)

        def within(name, low, high):
            values = [x for t, x in zip(r["time"], r[name]) if t > STARTED]
            self.assertTrue(low <= min(values) and max(values) <= high, f"{name}: {min(values)} to {max(values)}")
            return sum(values) / len(values)

        self.assertAlmostEqual(within("hull.speed", 4, 6), 5, delta=0.2)
        self.assertAlmostEqual(within("port.speed", 150, 255), 215, delta=15)
        self.assertAlmostEqual(within("port.power", 1e5, 4.5e5), 2.6e5, delta=5e4)
        within("port.angle", -0.81, 0.81)
        self.assertAlmostEqual(within("plant.frequency", 58, 62), 60, delta=0.05)
        self.assertAlmostEqual(within("plant.demand", 300, 1000), 620, delta=80)
        within("plant.running", 2, 4)
        # A significant height of 1.2 m is a deviation of 0.3 m.
        heights = r["sea.elevation"]
        self.assertAlmostEqual(math.sqrt(sum(h * h for h in heights) / len(heights)), 0.3, delta=0.05)
        # The observer is close to the truth though it measures with noise, in waves.
        errors = [math.hypot(a - b, c - d) for a, b, c, d in
                  zip(r["hull.north"], r["observer.estimated_north"], r["hull.east"], r["observer.estimated_east"])]
        self.assertLess(max(errors), 2.5)

        started = [a for t, a in zip(r["time"], away) if t > 100]
        self.assertEqual([round(x) for x in (sum(started) / len(started), min(started), max(started))], [6, 0, 19])

    def test_the_commands_of_the_readme_make_its_picture(self):
        lines = (SHIP / "README.md").read_text(encoding="utf-8").splitlines()
        for verb in ("run", "plot"):
            command = next(line for line in lines if line.startswith(f"hocket {verb} ") and "track.csv" in line)
            words = [str(self.ssp) if w.endswith("/ship.ssp") else w for w in shlex.split(command)[1:]]
            self.hocket(*words, "-q")
        self.assertEqual((self.folder / "track.svg").read_bytes(), (SHIP / "track.svg").read_bytes())

    def test_threads(self):
        one = self.record(self.ssp, "--stop-time", "150", name="one.csv")
        two = self.record(self.ssp, "--stop-time", "150", "--threads", "2", name="two.csv")
        self.assertEqual(one.read_bytes(), two.read_bytes())

    def test_ssp_and_osp(self):
        """The same system in two languages: the same bytes, of every variable."""
        words = ("--output-variable", "*", "--output-interval", "2.5")
        ssp = self.record(self.ssp, *words, name="ssp.csv")
        osp = self.record(self.osp / "OspSystemStructure.xml", *words, name="osp.csv")
        self.assertEqual(ssp.read_bytes(), osp.read_bytes())
        self.assertEqual(len(ssp.read_text(encoding="utf-8").splitlines()), 1 + 401)

    @unittest.skipUnless(importlib.util.find_spec("libcosimpy"), "libcosimpy is not installed")
    def test_libcosim(self):
        """libcosim opens the OSP files, and after 1000 s every variable is the same."""
        import libcosim
        osp = self.osp / "OspSystemStructure.xml"
        with open(self.record(osp, "--output-variable", "*", "--output-interval", "1000"), encoding="utf-8") as file:
            last = list(csv.DictReader(file))[-1]
        self.assertEqual(float(last.pop("time")), 1000)
        question = {"file": str(osp), "step": None, "names": list(last), "rows": 20000, "all": False}
        answer, said = forked(libcosim.ask, question)
        self.assertTrue(answer, said)
        self.assertEqual(answer["names"], list(last))
        for name, theirs in zip(answer["names"], answer["rows"][-1][1]):
            ours = {"false": 0.0, "true": 1.0}.get(last[name])
            ours = float(last[name]) if ours is None else ours
            self.assertLessEqual(abs(ours - theirs), 1e-9 * max(1.0, abs(theirs)), name)

    def test_goes_on_from_a_state(self):
        """Saved in one process and resumed in another, with units of FMI 1.0 and 2.0."""
        whole = self.record(self.ssp, "--stop-time", "40", name="whole.csv").read_text().splitlines()
        self.hocket("run", self.ssp, "-q", "--stop-time", "20", "--save-state", "half.state")
        rest = self.record(self.ssp, "--stop-time", "40", "--load-state", "half.state", name="rest.csv")
        self.assertEqual(rest.read_text().splitlines()[-400:], whole[-400:])

    def test_thruster_lost(self):
        for name in ("ship.ssp", "thruster_lost.simulation"):
            shutil.copy(self.options.models / name, self.folder)
        said = self.hocket("run", "thruster_lost.simulation").stderr
        self.assertIn("all 8 expectations hold", said)
        r = read(self.folder / "thruster_lost.csv")
        self.assertEqual(max(x for t, x in zip(r["time"], r["starboard.power"]) if 301 < t < 480), 0)


if __name__ == "__main__":
    main("--hocket", "--models")
