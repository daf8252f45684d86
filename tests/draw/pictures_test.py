#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pictures of ten records and of systems: no text overlaps another one or is cut off, and PNG and PDF show the same."""
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from hocket_case import Case, main  # noqa: E402
from lettering import Picture, box, fonts, letters, meet, points  # noqa: E402

FONTS = fonts()
DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


def about(columns, **run):
    """What is beside a record; COLUMNS: (title, datatype, unit, items)."""
    told = []
    for title, datatype, unit, items in columns:
        column = {"titles": title, "datatype": datatype}
        if unit:
            column["schema:unitText"] = unit
        if items:
            column["schema:valueReference"] = [{"schema:name": n, "schema:value": v} for n, v in items.items()]
        told.append(column)
    return json.dumps({"notes": [run], "tableSchema": {"columns": told}})


class Pictures(Case):
    def record(self, name, columns, rows, time="s", **run):
        """Writes a record with what is beside it. COLUMNS as for about(), and a function of the time."""
        lines = [",".join(["time"] + [c[0] for c in columns])]
        lines += [",".join([repr(t)] + [str(c[4](t)) for c in columns]) for t in rows]
        self.write(name, "\n".join(lines) + "\n")
        self.write(name + "-metadata.json", about([("time", "double", time, None)] + [c[:4] for c in columns], **run))

    def picture(self, *words, name="p.svg"):
        """The picture that `hocket plot WORDS` makes; its texts are where they should be, in every font there is."""
        self.hocket("plot", *words, "-o", name, "-q")
        for font, faces in FONTS.items():
            self.assertEqual(Picture(self.folder / name, faces).faults(), [], font)
        return Picture(self.folder / name, next(iter(FONTS.values())))

    def setUp(self):
        super().setUp()
        if not FONTS:
            self.skipTest("neither DejaVu Sans nor Liberation Sans is installed")

    # ---- ten records ----

    def test_01_units(self):
        """E7: units are on the axes, and a panel is for a unit, not for a size."""
        wave = lambda factor: (lambda t: factor * math.sin(t))
        self.record("a.csv", [("chassis.travel", "double", "m", None, wave(1)),
                              ("wheel.travel", "double", "m", None, wave(0.001)),
                              ("spring.f", "double", "N", None, wave(900000))], [i / 10 for i in range(100)])
        p = self.picture("a.csv")
        self.assertEqual(p.source.count("<g>"), 2)
        for words in ("travel [m]", "f [N]", "time [s]", "chassis.travel", "spring.f", "\u00d710\u00b3"):
            self.assertIn(words, p.words())
        self.assertIn("--split", self.hocket("plot", "a.csv", "-o", "a.svg").stderr)
        split = self.picture("a.csv", "--split")
        self.assertEqual(split.source.count("<g>"), 3)
        text = self.hocket("plot", "a.csv", "--width", "70").stdout
        self.assertIn("wheel.travel [m]", text)

    def test_02_steps_and_items(self):
        """E7: Booleans and enumerations are steps with their items on the axis; whole numbers are steps."""
        self.record("b.csv", [("valve.open", "boolean", None, None, lambda t: "true" if 2 < t < 5 else "false"),
                              ("mode", "int", None, {"off": 0, "starting up": 1, "running": 2, "fault": 9},
                               lambda t: [0, 1, 2, 9][int(t / 3) % 4]),
                              ("gear", "int", None, None, lambda t: int(t / 2)),
                              ("speed", "double", None, None, lambda t: t)], [i / 2 for i in range(24)])
        p = self.picture("b.csv")
        for words in ("false", "true", "off", "starting up", "running", "fault"):
            self.assertIn(words, p.words())
        curves = [letters(d) for d in p.paths("s") if len(letters(d)) > 2]
        self.assertEqual(len(curves), 4)
        for curve in curves[:3]:
            self.assertRegex(curve, "^M[HV]+$")
        self.assertRegex(curves[3], "^M[LHV]*L[LHV]*$")
        text = self.hocket("plot", "b.csv", "mode", "--width", "60").stdout
        self.assertIn("starting up", text)

    def test_03_hours_and_days(self):
        """E7: hours, not thousands of seconds."""
        for end, label in ((3600 * 30, "time [h]"), (86400 * 14, "time [days]"), (1500, "time [min]"), (0.02, "time [ms]")):
            self.record("c.csv", [("t.temperature", "double", "degC", None, lambda t: 20 + 5 * math.sin(t / end * 20))],
                        [end * i / 100 for i in range(101)])
            p = self.picture("c.csv")
            self.assertIn(label, p.words())
            self.assertFalse([w for w in p.words() if "10\u00b3" in w or "10\u2076" in w])
            text = self.hocket("plot", "c.csv").stdout
            self.assertIn(label, text)
            self.assertNotIn("\u00d710", text)

    def test_04_several_runs(self):
        for name, factor in (("before.csv", 1), ("after.csv", 1.5)):
            self.record(name, [("x", "double", "m", None, lambda t, f=factor: f * t),
                               ("v", "double", "m/s", None, lambda t, f=factor: f)], [float(i) for i in range(20)])
        p = self.picture("before.csv", "after.csv", "x")
        self.assertEqual([w for w in p.words() if w.startswith("x (")], ["x (before.csv)", "x (after.csv)"])
        self.assertEqual(len([d for d in p.paths("s") if len(letters(d)) > 2 or "L" in d]), 2)
        both = self.picture("before.csv", "after.csv")
        self.assertEqual(both.source.count("<g>"), 2)
        done = self.hocket("plot", "before.csv", "after.csv", "x", "-o", "q.svg", "--json")
        self.assertEqual(json.loads(done.stdout)["records"], 2)

    def test_05_bands(self):
        (self.folder / "runs").mkdir()
        for run in range(5):
            self.record(f"runs/level.{run:04d}.csv", [("level", "double", "m", None, lambda t, r=run: t + r)],
                        [float(i) for i in range(10)])
        self.record("runs/other.csv", [("other", "double", "m", None, lambda t: t)], [0.0, 1.0])
        p = self.picture("runs", "level", "--band")
        self.assertIn("level: mean of 5 runs, smallest to largest", p.words())
        self.assertEqual(len(p.paths("band")), 1)
        self.assertIn("left out, because they do not have all signals that are named: 1 of 6 records: ", self.hocket("plot", "runs", "level", "--band", "-o", "q.svg").stderr)
        deviation = self.picture("runs", "level", "--band=deviation")
        self.assertNotEqual(deviation.paths("band"), p.paths("band"))
        self.assertIn("HK0101", self.hocket("plot", "runs/other.csv", "--band", exit=2).stderr)

    def test_05_bands_of_scenarios(self):
        """Runs of two scenarios are not one population."""
        (self.folder / "two").mkdir()
        for run in range(4):
            name = f"two/level.{run:04d}.csv"
            self.record(name, [("level", "double", "m", None, lambda t, r=run: t + r)], [0.0, 1.0],
                        scenario="calm" if run < 3 else "storm")
        p = self.picture("two", "level", "--band")
        self.assertEqual([w for w in p.words() if w.startswith("level: ")],
                         ["level: mean of 3 runs, smallest to largest (calm)", "level: mean of 1 run, smallest to largest (storm)"])
        self.assertEqual(len(p.paths("band")), 2)

    def test_06_events_limits_and_verdicts(self):
        events = [{"time_s": t, "what": f"set valve.position = {t}"} for t in (2, 2.05, 2.1, 5, 7)]
        limits = [{"column": "level", "at_most": 0.9, "from_s": 1, "to_s": 8}, {"column": "level", "above": -0.9}]
        self.record("e.csv", [("level", "double", "m", None, math.sin)], [i / 10 for i in range(100)], events=events,
                    expectations=[{"expects": "always level <= 0.9", "verdict": "broken", "time_s": 1.2, "limits": limits[:1]},
                                  {"expects": "always level > -0.9", "verdict": "holds", "limits": limits[1:]}])
        p = self.picture("e.csv")
        for words in ("\u2264 0.9", "> -0.9", "broken at 1.2 s: always level <= 0.9", "holds: always level > -0.9",
                      "4 at 5 s: set valve.position = 5"):
            self.assertIn(words, p.words())
        self.assertEqual(len(p.paths("event")), 5)
        self.assertEqual((len(p.paths("limit")), len(p.paths("broken"))), (2, 1))
        self.assertTrue({"4", "5"} < set(p.words()) and any(w.startswith("1\u2013") for w in p.words()))
        bare = self.picture("e.csv", "--no-marks", "--mark", "3=lunch")
        self.assertIn("1 at 3 s: lunch", bare.words())
        self.assertEqual((len(bare.paths("event")), bare.paths("limit")), (1, []))
        self.assertIn("HK0101", self.hocket("plot", "e.csv", "--mark", "noon", exit=2).stderr)

    def test_07_xy(self):
        self.record("f.csv", [("ship.north", "double", "m", None, lambda t: 50 * math.sin(t)),
                              ("ship.east", "double", "m", None, lambda t: 100 * math.cos(t))], [i / 20 for i in range(126)])
        p = self.picture("f.csv", "--xy", "ship.east", "ship.north", "--equal")
        self.assertIn("ship.east [m]", p.words())
        self.assertIn("north [m]", p.words())
        same = self.picture("f.csv", "ship.north", "--over", "ship.east", "--equal", name="o.svg")
        self.assertEqual(p.source, same.source)
        for low, span, end in ((0, 10, 9), (5, 0, 5), (1000, 3, 9), (-5, 1e-3, 9)):  # the same scale makes other ticks
            self.record("i.csv", [("x", "double", None, None, lambda t, c=end: min(t + 5, c) if c == 5 else t),
                                  ("y", "double", None, None, lambda t, a=low, b=span: a + b * t / 10)], [0.0, 3.0, 9.0])
            self.picture("i.csv", "--xy", "x", "y", "--equal")
        for words in (["--xy", "ship.east"], ["--xy"], ["--xy", "a", "b", "--over", "ship.east"]):
            self.assertRegex(self.hocket("plot", "f.csv", *words, exit=2).stderr, "HK010[12]")

    def test_08_long_names(self):
        names = [f"vehicle.body.suspension.front.left.damper.housing.temperature_sensor_{i}.filtered_value" for i in range(12)]
        self.record("g.csv", [(n, "double", "degC", None, lambda t, i=i: t * i) for i, n in enumerate(names)],
                    [float(i) for i in range(20)])
        for width in (300, 480, 960, 1500):
            p = self.picture("g.csv", "--width", width, "--title", "A title that is far too long for a picture of this width")
            legends = [t for t in p.texts if t.whole in names]
            self.assertEqual([t.whole for t in legends], names)
            self.assertEqual(any("\u2026" in t.words for t in legends), width < 900)
        self.picture("g.csv", "--separate")

    def test_09_odd_numbers(self):
        self.record("h.csv", [("big", "double", "Pa", None, lambda t: -1e9 * t), ("small", "double", "A", None, lambda t: 1e-9 * t),
                              ("flat", "double", "K", None, lambda t: 293.15), ("hole", "double", "V", None,
                              lambda t: "nan" if 3 < t < 6 else t), ("none", "double", "W", None, lambda t: "nan")],
                    [float(i) for i in range(10)])
        p = self.picture("h.csv")
        for words in ("big [Pa]", "\u00d710\u2079", "small [A]", "none [W]", "none (no numbers)"):
            self.assertIn(words, p.words())
        self.assertTrue(any(w.startswith("\u2212") for w in p.words()))

    def test_10_without_anything_beside_it(self):
        rows = "".join(f"{i},{i * i},{-i}\n" for i in range(50))
        self.write("t.csv", "time,a,b <&>\n" + rows)
        p = self.picture("t.csv")
        self.assertIn("b <&>", p.words())
        done = self.hocket("plot", "-", "a", "-o", "i.svg", input="time,a\n" + "".join(f"{i},{i}\n" for i in range(9)))
        self.assertIn("i.svg", done.stderr)
        self.assertIn("HK0305", self.hocket("plot", "-", "-o", "i.svg", input="", exit=3).stderr)
        self.write("t.csv-metadata.json", "{ this is not JSON")
        done = self.hocket("plot", "t.csv", "-o", "p.svg")
        self.assertRegex(done.stderr, "t.csv-metadata.json: note: it cannot be used, so units and types of")

    def test_11_bands_of_unlike_runs(self):
        """A mean has one unit; runs that end early, and columns of one name, are reported; the time axis has the unit of
        its span."""
        for name, unit, end in (("m.csv", "m", 9), ("mm.csv", "mm", 9), ("early.csv", "m", 4)):
            self.record(name, [("x", "double", unit, None, lambda t: t)], [i / 4 for i in range(4 * end + 1)])
        said = self.hocket("plot", "m.csv", "mm.csv", "x", "--band", "-o", "b.svg", exit=None).stderr
        self.assertRegex(said, r"mm.csv: error\[HK\d+\]: 'x' is in 'mm' here and in 'm' in another record")
        said = self.hocket("plot", "m.csv", "early.csv", "x", "--band", "-o", "b.svg").stderr
        self.assertIn("the runs with 'x' end between 4 s and 9 s", said)
        self.write("late.csv", "time,a,a\n100000,1,2\n100005,3,4\n")
        said = self.hocket("plot", "late.csv", "-o", "l.svg").stderr
        self.assertIn("late.csv: note: two columns are called 'a': the first is plotted", said)
        self.assertIn("time [s]", (self.folder / "l.svg").read_text(encoding="utf-8"))

    def test_12_bands_of_steps(self):
        """Truth values, items and whole numbers are held: their bands are steps, at the times of all records."""
        for r in range(3):
            self.record(f"s{r}.csv", [("open", "boolean", None, None, lambda t, r=r: "true" if t >= 3 + r else "false"),
                                      ("mode", "int", None, {"off": 0, "on": 1, "fault": 9}, lambda t, r=r: [0, 1, 9][int((t + r) / 5)]),
                                      ("count", "int", None, None, lambda t, r=r: int(t) + r)],
                        [i * (0.5 if r else 0.7) for i in range(14)])
        p = self.picture("s0.csv", "s1.csv", "s2.csv", "--band")
        self.assertEqual(len(p.paths("band")), 3)
        for band in p.paths("band"):
            self.assertRegex(letters(band), "^M[HV]+z$")
        for words in ("open: share of true in 3 runs, smallest to largest", "mode: most frequent item of 3 runs, smallest to largest",
                      "count: mean of 3 runs, smallest to largest", "true", "fault"):
            self.assertIn(words, p.words())
        # 4.9 s is a time of the first record alone: two of three valves are open from 4 s to 5 s, and all from 5 s on.
        ys = sorted({y for _, y in points(p.curves()[0])}, reverse=True)
        self.assertEqual(len(ys), 4)
        self.assertAlmostEqual((ys[0] - ys[1]) / (ys[0] - ys[3]), 1 / 3, delta=0.02)
        said = self.hocket("plot", "s0.csv", "s1.csv", "mode", "--band=deviation", "-o", "d.svg").stderr
        self.assertIn("items of an enumeration have no standard deviation", said)
        text = self.hocket("plot", "s0.csv", "s1.csv", "s2.csv", "--band", "--width", "70").stdout
        self.assertEqual(text.count("\u2501\u2591"), 3)
        self.assertGreater(text.count("\u2591"), 40)
        plain = self.hocket("plot", "s0.csv", "s1.csv", "count", "--band", "--width", "70", LC_ALL="C").stdout
        self.assertRegex(plain, r"\.\*+")

    def test_13_pairs(self):
        """Pairs of other units have panels and axes of their own, and legends that differ."""
        wave = lambda f, a, b: (lambda t: a * f(b * t))
        self.record("k.csv", [("a.x", "double", "m", None, wave(math.cos, 80, 2)), ("a.y", "double", "m", None, wave(math.sin, 50, 3)),
                              ("m.speed", "double", "rad/s", None, wave(math.cos, 900, 1)), ("m.torque", "double", "N.m", None, math.sin)],
                    [i / 50 for i in range(700)])
        p = self.picture("k.csv", "--xy", "a.x", "a.y", "m.speed", "m.torque", "m.speed", "a.y")
        for words in ("a.y over a.x", "m.torque over m.speed", "a.y over m.speed", "a.x [m]", "m.speed [rad/s]", "torque [N.m]"):
            self.assertIn(words, p.words())
        self.assertEqual(p.source.count("<g>"), 3)
        text = self.hocket("plot", "k.csv", "--xy", "a.x", "a.y", "m.speed", "m.torque").stdout
        self.assertIn("a.x [m]\n", text)
        self.assertIn("m.speed [rad/s]\n", text)
        said = self.hocket("plot", "k.csv", "--xy", "a.x", "a.y", "m.speed", "m.torque", "--equal", "-o", "e.svg", exit=None)
        self.assertRegex(said.stderr, r"error\[HK\d+\]: --equal: 'a.x' is in 'm' and 'm.speed' is in 'rad/s'")
        self.assertNotEqual(said.returncode, 0)

    def test_14_pairs_are_thinned_by_distance(self):
        """A curve over a signal keeps its corners and its form, however many samples it has."""
        corners = [(0, 0), (9, 1), (3, 7), (9, 9), (0, 5), (0, 0)]
        rows = ["time,x,y"]
        for lap in range(4):
            for (x, y), (u, v) in zip(corners, corners[1:]):
                rows += [f"{len(rows)},{x + (u - x) * k / 5000!r},{y + (v - y) * k / 5000!r}" for k in range(5000)]
        self.write("corners.csv", "\n".join(rows) + "\n")
        p = self.picture("corners.csv", "--xy", "x", "y")
        curve, = p.curves()
        found = points(curve)
        self.assertLess(len(found), 40)
        left, top, right, bottom = box(curve)
        for x, y in corners:
            at = left + (right - left) * x / 9, bottom - (bottom - top) * y / 9
            self.assertLess(min(math.dist(at, f) for f in found), 0.4, (x, y))
        rows = ["time,x,y"] + [f"{k},{(1 + math.sin(k / 3e4)) * math.cos(k / 7)!r},{math.sin(k / 7 + k / 1e5)!r}" for k in range(60000)]
        self.write("scribble.csv", "\n".join(rows) + "\n")
        self.picture("scribble.csv", "--xy", "x", "y")
        self.assertLess((self.folder / "p.svg").stat().st_size, 900000)

    def test_15_marks(self):
        """A mark is drawn, in the terminal as well, or a message says why not."""
        self.record("l.csv", [("level", "double", "m", None, math.sin)], [i / 10 for i in range(100)])
        p = self.picture("l.csv", "--mark", "7=late", "--mark", "500ms=early")
        self.assertIn("1 at 0.5 s: early", p.words())
        self.assertIn("2 at 7 s: late", p.words())
        text = self.hocket("plot", "l.csv", "--mark", "7=late", "--mark", "500ms=early", "--width", "70", "--height", "20").stdout
        self.assertIn("2 at 7 s: late\n", text)
        self.assertGreater(text.count("\u250a"), 10)
        self.assertEqual(text.count("\n"), 20)
        done = self.hocket("plot", "l.csv", "--mark", "500=never", "-o", "m.svg")
        self.assertIn("--mark: '500=never' is left out, because the plot is from 0 s to 9.9 s", done.stderr)
        self.assertNotIn("never", (self.folder / "m.svg").read_text(encoding="utf-8"))
        self.assertIn("no words after the '='", self.hocket("plot", "l.csv", "--mark", "500ms=", exit=2).stderr)
        self.assertIn("'noon' is not a time", self.hocket("plot", "l.csv", "--mark", "noon=x", exit=2).stderr)

    def test_16_hard_numbers(self):
        """Lone points, a variation around a large value, and the largest numbers there are can be seen."""
        self.record("n.csv", [("lone", "double", "K", None, lambda t: 5 if t == 3 else "nan"),
                              ("fine", "double", "Pa", None, lambda t: 1e6 + 1e-4 * math.sin(t)),
                              ("finest", "double", "V", None, lambda t: -1 + 1e-12 * math.sin(t)),
                              ("huge", "double", "J", None, lambda t: 1.7e308 * math.sin(t)),
                              ("inf", "double", "N", None, lambda t: "inf" if 4 < t < 5 else "-inf" if t == 6 else t)],
                    [i / 2 for i in range(20)])
        p = self.picture("n.csv")
        self.assertEqual(len(p.paths("dot")), 1)
        for words in ("+ 1000000", "\u00d710\u207b\u00b9\u00b2 \u2212 1", "\u00d710\u00b3\u2070\u2076"):
            self.assertTrue([w for w in p.words() if w.endswith(words)], words)
        for curve in [c for c in p.curves() if letters(c) != "Mh"][:3]:  # from the top of the panel to its bottom
            self.assertGreater(box(curve)[3] - box(curve)[1], 80)
        said = self.hocket("plot", "n.csv", "-o", "n.svg").stderr
        self.assertIn("n.csv: note: infinite values are gaps in the plot: 2 of 'inf'", said)
        self.assertEqual(letters(p.curves()[-1]).count("M"), 3)
        self.write("largest.csv", "time,x,y\n0,1e308,1\n1,-1e308,3\n1.7e308,5,9\n")
        self.picture("largest.csv")
        self.picture("largest.csv", "--xy", "x", "y")
        said = self.hocket("plot", "largest.csv", "--xy", "x", "y", "--equal", "-o", "n.svg", exit=2).stderr
        self.assertIn("the values of 'x' are too large for a common scale", said)
        self.write("one.csv", "time,a\n2,3\n")
        self.assertEqual(len(self.picture("one.csv").paths("dot")), 1)
        self.assertIn("\u28ff", self.hocket("plot", "one.csv").stdout)
        labels = [line.split("\u2524")[0].strip() for line in self.hocket("plot", "n.csv", "fine").stdout.splitlines() if "\u2524" in line]
        self.assertEqual(len(labels), len(set(labels)))

    def test_17_options_that_do_not_go_together(self):
        self.record("q.csv", [("a", "double", "m", None, math.sin), ("b", "double", "m", None, math.cos)], [i / 10 for i in range(50)])
        for words, says in ((["--together", "--separate"], "--together and --separate both say"),
                            (["--split", "--separate"], "--separate and --split both say"),
                            (["--xy", "a", "b", "--over", "a"], "--xy and --over both say"),
                            (["q.csv", "--band", "--xy", "a", "b"], "--band and --xy do not go together"),
                            (["--xy", "a", "b", "--mark", "1=x"], "--mark and --xy do not go together"),
                            (["a", "--over", "b", "--equal", "--separate"], "--equal and --separate do not go together"),
                            (["--equal"], "--equal is for signals over other signals"),
                            (["--xy", "a", "b", "--outline", "o.csv"], "--outline is for a map"),
                            (["--xy", "a", "b", "--spot", "a"], "--spot is for a map"),
                            (["--width", "0"], "--width: '0' is not a size"),
                            (["--width", "100", "-o", "p.svg"], "--width: '100' is not a size"),
                            (["--height", "20", "-o", "p.svg"], "--height: '20' is not a size")):
            said = self.hocket("plot", "q.csv", *words, exit=2).stderr
            self.assertIn(says, said)
            self.assertEqual(said.count("error"), 1, said)
            self.assertIn("hint", said)
        said = self.hocket("plot", "q.csv", "--height", "10").stderr
        self.assertRegex(said, r"the panels need \d+ lines, more than --height 10")

    def test_18_many_signals_rows_and_formats(self):
        names = [f"plant.part_{i}.signal" for i in range(40)]
        self.record("w.csv", [(n, "double", "m", None, lambda t, i=i: math.sin(t + i)) for i, n in enumerate(names)],
                    [i / 10 for i in range(200)])
        for more in ([], ["--width", "500"], ["--separate"]):
            p = self.picture("w.csv", *more)
            self.assertEqual([t.whole for t in p.texts if t.whole in names], names)
        said = self.hocket("plot", "w.csv", "-o", "p.svg").stderr
        self.assertIn("some curves of a panel look the same", said)
        self.assertNotIn("look the same", self.hocket("plot", "w.csv", "*_1?.*", "-o", "p.svg").stderr)
        text = self.hocket("plot", "w.csv", "--width", "60", LC_ALL="C").stdout
        for name in names:  # no name is left out of the legend
            self.assertIn(name + " [m]", text)
        for name in self.records_without_units():
            p = self.picture(name)
            self.assertEqual([w for w in p.words() if "[" in w], ["time [s]"], name)
            self.assertIn("travel", " ".join(p.words()))
        holes = "".join(f"{k / 1000},{'nan' if k % 2 else k % 7}\n" for k in range(200000))
        self.write("holes.csv", "time,a\n" + holes)
        self.picture("holes.csv")
        self.assertLess((self.folder / "p.svg").stat().st_size, 100000)

    def test_19_items_to_the_right(self):
        """Signals over an enumeration or a Boolean have its items on the horizontal axis."""
        items = {"off": 0, "starting up": 1, "running": 2, "fault": 9}
        self.record("x.csv", [("mode", "int", None, items, lambda t: [0, 1, 2, 9][int(t / 3) % 4]),
                              ("open", "boolean", None, None, lambda t: "true" if 2 < t < 5 else "false"),
                              ("speed", "double", None, None, lambda t: 100 + t)], [i / 2 for i in range(24)])
        p = self.picture("x.csv", "--xy", "mode", "speed", "open", "speed", "open", "mode")
        for words in (*items, "false", "true"):
            self.assertIn(words, p.words())
        self.assertNotIn("9", p.words())
        self.assertEqual(p.source.count("<g>"), 3)
        centre = {t.words: (t.box[0] + t.box[2]) / 2 for t in p.texts if t.words in items}
        self.assertAlmostEqual(centre["fault"] - centre["running"], centre["running"] - centre["starting up"], delta=1)
        text = self.hocket("plot", "x.csv", "speed", "--over", "mode", "--width", "60").stdout
        self.assertRegex(text, r"off +starting up +running +fault")
        self.picture("x.csv", "--xy", "mode", "speed", "--width", "240")
        for width in ("24", "40"):
            self.assertLessEqual(max(map(len, self.hocket("plot", "x.csv", "speed", "--over", "mode", "--width", width).stdout.splitlines())), int(width))
        many = {f"item {i}": i for i in range(40)}
        self.record("m.csv", [("mode", "int", None, many, lambda t: int(4 * t) % 40), ("speed", "double", None, None, lambda t: t)],
                    [i / 2 for i in range(24)])
        self.assertIn("20", self.picture("m.csv", "speed", "--over", "mode").words())  # no room: numbers
        self.assertNotIn("false", self.picture("x.csv", "--xy", "open", "speed", "--equal").words())

    def test_20_texts(self):
        """Texts cannot be plotted: a note beside other signals, an error without them, and no empty picture."""
        self.record("s.csv", [("state", "string", None, None, lambda t: f'"at {t}"'), ("x", "double", "m", None, lambda t: t),
                              ("none", "double", "m", None, lambda t: "nan")], [float(i) for i in range(9)])
        for words in (["state"], ["state", "--over", "x"], ["--xy", "state", "x"]):
            for output in ([], ["-o", "s.svg"]):
                said = self.hocket("plot", "s.csv", *words, *output, exit=3).stderr
                self.assertIn("s.csv: error[HK0305]: texts cannot be plotted: 'state'", said)
                self.assertIn("hint: name a signal of numbers", said)
        self.assertFalse((self.folder / "s.svg").exists())
        self.assertIn("note: texts are left out of the plot: 'state'", self.hocket("plot", "s.csv", "-o", "s.svg").stderr)
        self.assertNotIn("state", self.picture("s.csv").words())
        self.assertIn("there is no number to plot in 'none'", self.hocket("plot", "s.csv", "none", exit=3).stderr)
        self.write("bare.csv", 'time,state\n0,"on"\n1,"off"\n')
        self.assertIn("texts cannot be plotted: 'state'", self.hocket("plot", "bare.csv", exit=3).stderr)
        text = (self.folder / "bare.csv").read_text(encoding="utf-8")
        self.assertIn("there is no number to plot in 'state'", self.hocket("plot", "-", input=text, exit=3).stderr)
        self.write("bare.csv", "time,state,x,none\n0,on,1,nan\n1,off,2,nan\n")
        said = self.hocket("plot", "bare.csv", "-o", "s.svg").stderr
        self.assertIn("note: texts are left out of the plot: 'state'\n", said)
        self.assertIn("none (no numbers)", (self.folder / "s.svg").read_text(encoding="utf-8"))
        fmu = self.options.models.parent / "fmus" / "feedthrough3.fmu"
        if fmu.exists():
            run = ["run", fmu, "--stop-time", "1", "--plot", "r.svg", "--output-variable", "*string_out"]
            self.assertIn("texts cannot be plotted: 'Feedthrough.string_out'", self.hocket(*run, exit=3).stderr)
            self.assertIn("texts are left out", self.hocket(*run, "--output-variable", "*float64_out").stderr)

    def test_21_maps(self):
        """Outlines are around the tracks and below them, and spots are on them, where a signal rises."""
        self.record("map.csv", [("x", "double", "m", None, lambda t: t), ("y", "double", "m", None, lambda t: t / 2),
                                ("bell", "double", None, None, lambda t: 1.0 if 2 <= t < 4 or t == 7 else 0.0),
                                ("mute", "double", None, None, lambda t: 0.0)], [i / 2 for i in range(17)])
        self.write("room.csv", "point,x,y\n1,-1,-1\n2,9,-1\n3,9,5\n4,,\n5,4,-1\n6,4,1\n")
        map_ = ("map.csv", "--xy", "x", "y", "--equal", "--outline", "room.csv")
        p = self.picture(*map_, "--spot", "bell=a bell rings")
        self.assertEqual([w for w in p.words() if w in ("y", "a bell rings", "room", "x [m]", "y [m]")],
                         ["y", "a bell rings", "room", "y [m]", "x [m]"])
        track, wall = box(p.paths("c0")[-1]), box(p.paths("c7")[-1])
        scale = (wall[2] - wall[0]) / 10
        for found, expected in zip(track, (wall[0] + scale, wall[1] + scale, wall[2] - scale, wall[3] - scale)):
            self.assertAlmostEqual(found, expected, delta=0.5)
        self.assertLess(p.source.rindex("s c7"), p.source.rindex("s c0"))
        spots = re.findall(r'<rect class="f1" rx="5" x="([\d.]+)" y="([\d.]+)" width="10" height="10"', p.source)
        self.assertEqual(len(spots), 1 + 2)  # one in the legend
        for (x, y), t in zip(spots[1:], (2, 7)):
            self.assertAlmostEqual(float(x) + 5, track[0] + t * scale, delta=0.5)
            self.assertAlmostEqual(float(y) + 5, track[3] - t / 2 * scale, delta=0.5)
        said = self.hocket("plot", *map_, "--spot", "mute", "-o", "p.svg").stderr
        self.assertIn("--spot: 'mute' is 0 in all rows, so no place is marked", said)
        done = self.hocket("plot", *map_, "--spot", "bell=a bell rings")
        self.assertIn("a bell rings", done.stdout)
        self.assertNotIn("look the same", done.stderr)
        for words, status, says in ((["--spot", "bel"], 2, "no column of numbers called 'bel'"),
                                    (["--spot", "bell="], 2, "no words after the '='"),
                                    (["--outline", "map.csv-metadata.json"], 3, "error"),
                                    (["--outline", "other.csv"], 2, "no column of numbers called 'x'")):
            self.write("other.csv", "time,a\n0,1\n")
            said = self.hocket("plot", *map_, *words, "-o", "bad.svg", exit=status).stderr
            self.assertIn(says, said)
            self.assertFalse((self.folder / "bad.svg").exists())

    def records_without_units(self):
        """MAT and HDF5 of other tools, as far as this machine can make them."""
        try:
            import h5py
            import numpy
            import scipy.io
        except ImportError:
            return []
        names, times = ("time", "chassis_travel", "wheel_travel"), numpy.arange(50.0) / 10
        columns = {n: f(times) for n, f in zip(names, (lambda t: t, numpy.sin, numpy.cos))}
        scipy.io.savemat(self.folder / "w.mat", {n: c[:, None] for n, c in columns.items()}, format="4")
        with h5py.File(self.folder / "w.h5", "w") as file:
            for name, column in columns.items():
                file[name] = column
        return ["w.mat"] + (["w.h5"] if self.hocket("plot", "w.h5", exit=None).returncode == 0 else [])

    def test_chart_of_a_plan_as_png(self):
        done = self.hocket("plan", self.options.models / "quarter_truck.ssp", "--gantt", "g.gif", exit=2)
        self.assertIn("charts are written as SVG, PNG or PDF", done.stderr)
        if shutil.which("rsvg-convert"):
            self.hocket("plan", self.options.models / "quarter_truck.ssp", "--gantt", "g.png", "-q")
            self.assertEqual((self.folder / "g.png").read_bytes()[1:4], b"PNG")

    def test_compare_has_units(self):
        for name, factor in (("one.csv", 1), ("two.csv", 2)):
            self.record(name, [("level", "double", "m", None, lambda t, f=factor: f * math.sin(t))], [i / 10 for i in range(50)])
        text = self.hocket("compare", "one.csv", "two.csv", "--plot", exit=1).stdout
        self.assertIn("one.csv: level [m]", text)
        self.assertIn("two.csv: level [m]", text)
        # Without colours and marks each has a panel; with either they share one.
        legends = lambda text: [line for line in text.splitlines() if "csv: level [m]" in line]
        self.assertEqual([line.count("level [m]") for line in legends(text)], [1, 1])
        for more, environment in ((["--color=always"], {}), ([], {"LC_ALL": "C"})):
            text = self.hocket("compare", "one.csv", "two.csv", "--plot", *more, exit=1, **environment).stdout
            self.assertEqual([line.count("level [m]") for line in legends(text)], [2], more)

    # ---- what a run writes ----

    def test_a_run_and_its_plot(self):
        """What a scenario writes beside its log is what the plot shows; units come with `run --plot` as well."""
        self.write("tank.system", "system tank { composite plant { leaf source : hk.Constant { frequency 10 Hz; param value = 0.5; } "
                   "leaf level : hk.Integrator { frequency 10 Hz; } link source.y -> level.u; } }\n")
        self.write("day.simulation", "Simulation day (s)\nsystem tank;\nsimulationTime [0, 10]:0.1;\nscenarios { Scenario one\n"
                   "events { instant 4 { \"tank.plant.source.value\" = 0.1; } }\n"
                   "expects { expect always \"tank.plant.level.y\" <= 2.5 from 2 to 9; expect always abs(\"tank.plant.level.y\") < 1.5; "
                   "require \"peak\" maximum of \"tank.plant.level.y\" during [0, 5] max 2.8; "
                   "expect always 0 <= \"tank.plant.level.y\" and \"tank.plant.level.y\" != 7; }\n"
                   "logs { level.csv timed(0.5) { \"tank.plant.level.y\"; } } }\n")
        self.hocket("run", "day.simulation", "-q", exit=1)
        told = json.loads((self.folder / "level.csv-metadata.json").read_text(encoding="utf-8"))["notes"][0]
        self.assertEqual(told["events"], [{"time_s": 4, "what": "set source.value = 0.1"}])
        self.assertEqual([e["verdict"] for e in told["expectations"]], ["holds", "broken", "holds", "holds"])
        self.assertEqual(told["expectations"][2]["limits"], [{"column": "level.y", "at_most": 2.8, "from_s": 0, "to_s": 5}])
        self.assertEqual(told["expectations"][3]["limits"], [{"column": "level.y", "at_least": 0}])
        self.assertEqual(told["expectations"][0]["limits"], [{"column": "level.y", "at_most": 2.5, "from_s": 2, "to_s": 9}])
        self.assertEqual([sorted(x)[:2] for x in told["expectations"][1]["limits"]], [["below", "column"], ["above", "column"]])
        p = self.picture("level.csv")
        self.assertIn("1 at 4 s: set source.value = 0.1", p.words())
        self.assertIn("< 1.5", p.words())
        self.assertEqual((len(p.paths("limit")), len(p.paths("broken"))), (5, 1))  # not at -1.5
        truck = self.options.models / "quarter_truck.ssp"
        self.hocket("run", truck, "--stop-time", "0.5", "--output-variable", "*.travel", "--plot", "run.svg", "-q")
        drawn = Picture(self.folder / "run.svg", next(iter(FONTS.values())))
        self.assertEqual(drawn.faults(), [])
        self.assertIn("travel [m]", drawn.words())

    def test_the_commands_of_the_page_make_its_pictures(self):
        """docs/plots.md; its graph is left out: another version of Graphviz may put the boxes elsewhere."""
        page = (DOCS / "plots.md").read_text(encoding="utf-8")
        for name, text in re.findall(r"```text (\S+)\n(.*?)```", page, re.DOTALL):
            self.write(name, text)
        for model in ("quarter_truck.ssp",):
            shutil.copy(self.options.models / model, self.folder)
        commands = [line for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) for line in block.splitlines()]
        for name in ("truck", "level", "band"):
            plot = next(c for c in commands if c.endswith(f"-o {name}.svg"))
            run = next(c for c in reversed(commands[:commands.index(plot)]) if c.startswith("hocket run"))
            self.hocket(*shlex.split(run, comments=True)[1:], "-q", exit=1 if "# exit 1" in run else 0)
            self.hocket(*shlex.split(plot)[1:], "-q")
            self.assertEqual((self.folder / f"{name}.svg").read_bytes(), (DOCS / "images" / f"{name}.svg").read_bytes(), name)

    # ---- graphs ----

    def test_graph_of_a_system(self):
        done = subprocess.run([self.options.hocket, "plot", self.options.models / "r_rosace.ssp", "--schedule",
                               self.options.models / "e4.schedule", "-o", "g.svg"], cwd=self.folder, capture_output=True,
                              text=True, check=False)
        if "Graphviz, which is not there" in done.stderr:
            self.assertEqual(done.returncode, 3)
            self.assertIn("libgraphviz-dev", done.stderr)
            self.skipTest("Graphviz is not there (package libgraphviz-dev)")
        self.assertEqual(done.returncode, 0, done.stderr)
        plan = json.loads(self.hocket("plan", self.options.models / "r_rosace.ssp", "--schedule",
                                      self.options.models / "e4.schedule", "--json", exit=1).stdout)
        p = Picture(self.folder / "g.svg", next(iter(FONTS.values())))
        self.assertEqual(p.faults(), [])
        for component in plan["components"]:
            self.assertIn(component["name"].split(".")[-1], p.words())
        self.assertTrue(any("LP" in w or "every" in w for w in p.words()))
        self.assertTrue(any(re.fullmatch(r"(\d+ \u2026 )?\d+ ms", w) for w in p.words()))
        words = p.words()
        self.assertIn("20 \u2026 35 ms", words)
        self.assertIn("vz_filter, va_filter, q_filter, az_filter \u2192 fcc1a, fcc1b, fcc2a, fcc2b", words)
        self.dense_graphs()
        self.write("n.system", "system n { composite outer { composite inner { leaf a : hk.Constant { frequency 1 Hz; } "
                   "leaf c : hk.Gain { frequency 1 Hz; } link a.y -> c.u; } leaf b : hk.Constant { frequency 1 Hz; } } }\n")
        self.hocket("plot", "n.system", "-o", "n.svg", "-q")
        nested = Picture(self.folder / "n.svg", next(iter(FONTS.values())))
        self.assertEqual(nested.faults(), [])
        self.assertTrue({"outer", "inner", "a", "b", "c"} <= set(nested.words()))
        boxes = [e for e in nested.root.iter() if e.get("class") == "nest"]
        outer, inner = ([float(b.get(k)) for k in ("x", "y", "width", "height")] for b in boxes)
        self.assertTrue(outer[0] < inner[0] and outer[0] + outer[2] > inner[0] + inner[2])
        self.assertIn("HK0101", self.hocket("plot", "n.system", exit=2).stderr)
        for words in (["n.system", "--xy"], ["n.system", "b.y"], ["n.csv", "--schedule", "e4.schedule"]):
            self.assertIn("HK0101", self.hocket("plot", *words, "-o", "n.svg", exit=2).stderr)

        self.explained_graphs()

    def explained_graphs(self):
        """A graph explains what is in it: no processors, no earlier instants, no calls where there are none."""
        for word, dashed in (("current", False), ("previous", True)):
            gains = "".join(f"leaf {n} : hk.Gain {{ frequency 1 Hz; use u {word}; }} " for n in "bc")
            self.write("l.system", "system l { composite top { leaf a : hk.Constant { frequency 1 Hz; } " + gains +
                       "link a.y -> b.u; link b.y -> c.u; } }\n")
            self.hocket("plot", "l.system", "-o", "l.svg", "-q")
            words = " ".join(Picture(self.folder / "l.svg", next(iter(FONTS.values()))).words())
            self.assertIn("Arrows: how old the values are that arrive.", words)
            self.assertEqual("Dashed: some are of an earlier instant." in words, dashed)
            for absent in ("processor", "Dotted", "Arrows without words"):
                self.assertNotIn(absent, words)

    def dense_graphs(self):
        """Ages are on their arrows and clear of all boxes; a system of OSP is named by its folder."""
        models = self.options.models
        for system, usual in ((models / "r_rosace.ssp", "0, values of the same instant"), (models / "ship.ssp", "50 ms"),
                              (models / "ship_osp", "50 ms")):
            if not system.exists():
                continue
            self.hocket("plot", system, "-o", "d.svg", "-q")
            p = Picture(self.folder / "d.svg", next(iter(FONTS.values())))
            self.assertEqual(p.faults(), [], system)
            self.assertIn(f"Arrows without words: {usual}.", p.words())
            boxes = p.rects("b")
            labels = [t for t in p.texts if "tiny" in t.looks and "every" not in t.words]
            self.assertEqual([t.words for t in labels for b in boxes if meet(t.box, b)], [], system)
            self.assertEqual(len(labels), len(p.rects("plate")))
            self.assertTrue(labels or usual == "50 ms")
            self.assertLess(max(p.size[0] / 1300, p.size[1] / 1400), 1, system)

    def test_a_graph_with_too_many_arrows_lists_the_ages(self):
        self.hocket("plot", self.options.models / "auv/auv.system", "-o", "l.svg", "-q")
        p = Picture(self.folder / "l.svg", next(iter(FONTS.values())))
        self.assertEqual(p.faults(), [])
        words = p.words()
        self.assertIn("Arrows: values that arrive. How old they are:", words)
        self.assertIn("Sensors (sensors)", words)
        for age, arrows in (("0", "myNavigationFunction \u2192 myAnalysis (3)"), ("0 \u2026 990 ms", "myCurrentAdapter \u2192 myRemus")):
            found = next(i for i, word in enumerate(words) if word.startswith(arrows))  # others may follow it in its line
            self.assertLess(words.index(age), found)

    # ---- PNG and PDF ----

    def test_png_and_pdf(self):
        self.record("a.csv", [("chassis.travel", "double", "m", None, math.sin)], [i / 10 for i in range(100)])
        p = self.picture("a.csv", "--title", "A title")
        if not shutil.which("rsvg-convert"):
            done = self.hocket("plot", "a.csv", "-o", "a.png", exit=3)
            self.assertIn("librsvg2-bin", done.stderr)
            self.skipTest("rsvg-convert is not there (package librsvg2-bin)")
        self.hocket("plot", "a.csv", "--title", "A title", "-o", "a.png")
        data = (self.folder / "a.png").read_bytes()
        self.assertEqual(struct.unpack(">II", data[16:24]), tuple(2 * int(s) for s in p.size))
        self.assertGreater(len(data), 10000)
        subprocess.run(["rsvg-convert", "--zoom", "2", self.folder / "p.svg", "-o", self.folder / "own.png"], check=True)
        self.assertEqual(data, (self.folder / "own.png").read_bytes())  # to the pixel
        self.hocket("plot", "a.csv", "--title", "A title", "-o", "a.pdf")
        self.hocket("plot", "a.csv", "--title", "A title", "-o", "b.pdf")
        self.assertEqual((self.folder / "a.pdf").read_bytes(), (self.folder / "b.pdf").read_bytes())
        if not shutil.which("pdftotext"):
            self.skipTest("pdftotext is not there (package poppler-utils)")
        text = subprocess.run(["pdftotext", "-layout", self.folder / "a.pdf", "-"], capture_output=True, text=True, check=True).stdout
        squeeze = lambda words: re.sub(r"\s", "", words)
        shown = squeeze(text)
        for words in p.words():
            # An upright text comes out letter by letter, from its end.
            self.assertTrue(squeeze(words) in shown or words == "travel [m]", words)
        for letter in "travel[m]":
            self.assertIn(letter, shown)

    def test_without_the_converter(self):
        """One message that names the package, before anything is read or written."""
        self.write("t.csv", "time,a\n0,1\n1,2\n")
        tools = self.folder / "tools"
        tools.mkdir()
        done = self.hocket("plot", "t.csv", "-o", "t.png", exit=3, PATH=str(tools))
        self.assertEqual(done.stderr.count("error"), 1)
        self.assertIn("librsvg2-bin", done.stderr)
        self.assertFalse((self.folder / "t.png").exists())
        self.assertIn("HK0101", self.hocket("plot", "t.csv", "-o", "t.gif", exit=2).stderr)
        converter = tools / "rsvg-convert"
        converter.write_text("#!/bin/sh\necho 'it is broken' >&2\nexit 7\n", encoding="utf-8")
        converter.chmod(0o755)
        done = self.hocket("plot", "t.csv", "-o", "t.pdf", exit=3, PATH=f"{tools}:{os.environ['PATH']}")
        self.assertIn("has failed with the status 7: it is broken", done.stderr)


if __name__ == "__main__":
    main("--hocket", "--models")
