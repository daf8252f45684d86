#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Diagrams of RoboChart modules, looked at from outside: where boxes, arrows and texts are, and what a run has coloured."""
import json
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from hocket_case import Case, few, main  # noqa: E402
from lettering import Picture, fonts, meet  # noqa: E402
from machines import Machine  # noqa: E402

FONTS = fonts()
ROOT = pathlib.Path(__file__).resolve().parents[2]
GOOD = ROOT / "tests" / "chart" / "good"
ROVER = GOOD / "rover.rct"
MODULES = [ROVER, ROOT / "models" / "detector" / "ChemicalDetector.rct", GOOD / "chemical.rct", GOOD / "autonomous" / "Detector.rct"]
STATES_MOST, GENERATED, PIECES = 40, 30, 24
SMALLEST_TEXT = 9


def title(element):
    return next((child.text for child in element if child.tag.endswith("title")), "")


def curve(path):
    """Points along a path of Bezier curves, close to each other."""
    numbers = [float(n) for n in re.findall(r"-?[0-9.]+", path)]
    at = list(zip(numbers[::2], numbers[1::2]))
    found = [at[0]]
    for k in range(1, len(at) - 2, 3):
        four = at[k - 1:k + 3]
        for i in range(1, PIECES + 1):
            t = i / PIECES
            share = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3)
            found.append(tuple(sum(s * p[axis] for s, p in zip(share, four)) for axis in (0, 1)))
    return found


def crosses(a, b, box):
    """The line from A to B has a point inside of the box."""
    low, high = 0.0, 1.0
    for axis in (0, 1):
        delta, least, most = b[axis] - a[axis], box[axis], box[axis + 2]
        if abs(delta) < 1e-9:
            if not least < a[axis] < most:
                return False
            continue
        ends = sorted(((least - a[axis]) / delta, (most - a[axis]) / delta))
        low, high = max(low, ends[0]), min(high, ends[1])
    return low < high


def contains(outer, inner, slack=0.0):
    return (outer[0] - slack <= inner[0] and outer[1] - slack <= inner[1]
            and inner[2] <= outer[2] + slack and inner[3] <= outer[3] + slack)


class Diagram(Picture):
    """A diagram of a module: boxes by their path, and arrows as (title, from, to, points)."""

    def __init__(self, path, font):
        super().__init__(path, font)
        self.boxes, self.circles, self.arrows = {}, {}, []
        self.operations, self.controllers = [], []
        for e in self.root.iter():
            kind, _, name = title(e).split("\n")[0].partition(" ")
            if e.tag.endswith("}rect") and kind:
                x, y, w, h = (float(e.get(k)) for k in ("x", "y", "width", "height"))
                known = self.boxes if kind in ("state", "machine", "operation", "controller", "platform") else self.circles
                self.operations += [name] if kind == "operation" else []
                self.controllers += [name] if kind == "controller" else []
                known[name] = (x, y, x + w, y + h)
            if e.tag.endswith("}path") and kind in ("transition", "events", "call"):
                ends = re.search(r"(\S+) \u2192 (\S+?)(:|\n|$)", title(e))
                self.arrows.append((title(e), ends[1], ends[2], curve(e.get("d"))))

    def is_in(self, name, outer):
        """NAME is OUTER or belongs into it. An operation has the path of its caller before its own, and is beside it."""
        def below(a, b):
            return f"{a}.".startswith(f"{b}.")
        called = any(below(name, o) and below(o, outer) and o != outer for o in self.operations)
        return below(name, outer) and (not called or outer in self.controllers)

    def faults(self):
        """What is wrong with it; nothing of it depends on what hocket itself thinks of its layout."""
        return self.faults_of_texts() + self.faults_of_boxes() + self.faults_of_arrows()

    def faults_of_texts(self):
        found = super().faults()
        sizes = [float(s) for s in re.findall(r"font-size:([0-9.]+)px", self.source)]
        found += [f"a text of {s} px" for s in sizes if s < SMALLEST_TEXT]
        for text in self.texts:
            found += [f"'{text.words}' lies over the edge of {name}" for name, box in {**self.boxes, **self.circles}.items()
                      if meet(text.box, box) and not contains(box, text.box) and text.words != "P"]
        return found

    def faults_of_boxes(self):
        page, found = (0, 0, *self.size), []
        every = {**self.boxes, **self.circles}
        for name, box in every.items():
            if not contains(page, box):
                found.append(f"{name} leaves the picture")
            for other, second in every.items():
                if self.is_in(other, name):
                    if not contains(box, second):
                        found.append(f"{other} is not in {name}")
                elif name < other and not self.is_in(name, other) and meet(box, second):
                    found.append(f"{name} overlaps {other}")
        return found

    def faults_of_arrows(self):
        found = []
        for words, source, target, points in self.arrows:
            what = words.split("\n")[0]
            around = [min(x for x, _ in points), min(y for _, y in points), max(x for x, _ in points), max(y for _, y in points)]
            if not contains((0, 0, *self.size), around):
                found.append(f"{what} leaves the picture")
            for name, box in self.boxes.items():
                if name in (source, target):
                    continue
                if self.is_in(source, name) and self.is_in(target, name):
                    if not contains(box, around):
                        found.append(f"{what} leaves {name}")
                elif meet(around, box) and any(crosses(a, b, box) for a, b in zip(points, points[1:])):
                    found.append(f"{what} crosses {name}")
        return found


    def struck(self):
        """Texts of arrows that another arrow passes through: (text, arrow)."""
        found = []
        for text in self.texts:
            own = [words for words, *_ in self.arrows if text.words in words]
            box = (text.box[0] + 1, text.box[1] + 1, text.box[2] - 1, text.box[3] - 1)
            if not own:
                continue
            found += [(text.words, words.split("\n")[0]) for words, _, _, points in self.arrows
                      if words not in own and any(crosses(a, b, box) for a, b in zip(points, points[1:]))]
        return found


class Diagrams(Case):
    def setUp(self):
        super().setUp()
        if not FONTS:
            self.skipTest("neither DejaVu Sans nor Liberation Sans is installed")
        done = self.hocket("plot", ROVER, "-o", "asked.svg", exit=None)
        if "Graphviz, which is not there" in done.stderr:
            self.assertEqual(done.returncode, 3)
            self.skipTest("Graphviz is not there (package libgraphviz-dev)")

    def diagram(self, *words, name="d.svg"):
        """The diagram that `hocket plot WORDS` makes; it has no fault, in every font there is."""
        self.hocket("plot", *words, "-o", name, "-q")
        shown = [Diagram(self.folder / name, faces) for faces in FONTS.values()]
        for font, diagram in zip(FONTS, shown):
            self.assertEqual(diagram.faults_of_texts(), [], f"{words} in {font}")
        self.assertEqual(shown[0].faults_of_boxes() + shown[0].faults_of_arrows(), [], f"{words}")
        return shown[0]

    def test_detectors(self):
        """All machines of the detectors are there, and nothing overlaps, crosses or is cut off."""
        for module in MODULES:
            told = json.loads(self.hocket("plot", module, "-o", "t.svg", "--json").stdout)
            d = self.diagram(module)
            self.assertEqual(len([t for t, *_ in d.arrows if t.startswith("transition")]), told["transitions"])
            self.assertEqual(d.source.count("<title>state "), told["states"])
            self.assertEqual(len(re.findall("<title>(?:machine|operation) ", d.source)), told["machines"])
            self.assertEqual(d.struck(), [], module)
        d = self.diagram(ROVER)
        for words in ("Drop", "entry LoadFlag()", "s0 : DetectAndFlag", "c1 : LightC", "Rover", "left #C",
                      "[since(C) >= turnTime]", "flagged\u2192activate", "exit loff"):
            self.assertIn(words, d.words())

    def test_generated(self):
        """Thirty machines of up to 40 states, in up to four levels."""
        for seed in few(range(GENERATED)):
            states = 2 + seed * (STATES_MOST - 2) // (GENERATED - 1)
            self.write("g.rct", Machine(seed, states).text)
            d = self.diagram("g.rct")
            self.assertEqual(len(re.findall("<title>state ", d.source)), states)

    def test_the_eye_of_the_test(self):
        """The test finds what it looks for: a box that is larger, and texts that were moved."""
        self.hocket("plot", ROVER, "-o", "d.svg", "-q")
        text = (self.folder / "d.svg").read_text()
        rect = re.search(r'<rect [^>]*height="([0-9.]+)"><title>state c0.s0.Load<', text)
        self.write("w.svg", text.replace(rect[0], rect[0].replace(f'height="{rect[1]}"', 'height="200"')))
        found = " ".join(Diagram(self.folder / "w.svg", next(iter(FONTS.values()))).faults())
        self.assertRegex(found, "crosses c0.s0.Load")
        self.write("w.svg", re.sub(r'(<text[^>]*) x="[0-9.]+" y="[0-9.]+"', r'\1 x="99" y="99"', text))
        found = " ".join(Diagram(self.folder / "w.svg", next(iter(FONTS.values()))).faults())
        self.assertRegex(found, "overlaps")

    def test_run(self):
        """What a run has done: entered states are coloured, counts are on transitions, and both are those of the run."""
        self.write("in.csv", "time,l,r,alarm\n0,0,0,0\n3,1,0,0\n4,0,0,0\n20,0,0,0\n")
        self.hocket("run", ROVER, "--input-file", "in.csv", "--stop-time", "20", "-o", "out.csv", "-q", exit=None)
        told = json.loads((self.folder / "out.csv-metadata.json").read_text())["notes"][0]["coverage"][0]
        d = self.diagram(ROVER, "--run", "out.csv")
        for state in told["states"]:
            look = re.search(rf'class="([^"]*)"[^>]*><title>state {state["machine"]}\.{state["name"]}\nentered (\d+)', d.source)
            self.assertEqual(int(look[2]), state["entered"])
            self.assertEqual("f2" in look[1].split(), state["entered"] > 0)
        for t in told["transitions"]:
            look = re.search(rf'class="([^"]*)"[^>]*><title>transition {re.escape(t["machine"])}\.{t["name"]}:', d.source)
            self.assertEqual("d1" in look[1].split(), t["taken"] == 0)
        counts = sorted(w for w in d.words() if re.fullmatch("\\d+\u00d7", w))
        wanted = [f"{n}\u00d7" for n in [s["entered"] for s in told["states"]] + [t["taken"] for t in told["transitions"]]]
        self.assertEqual(counts, sorted(wanted))
        self.assertTrue(any(w.startswith("Run out.csv: ") for w in d.words()))

    def test_run_of_something_else(self):
        self.write("in.csv", "time,l\n0,0\n5,1\n")
        self.hocket("run", ROVER, "--input-file", "in.csv", "--stop-time", "5", "-o", "out.csv", "-q", exit=None)
        text = ROVER.read_text().replace("state Go ", "state Gone ").replace("from Go ", "from Gone ").replace("to Go ", "to Gone ")
        self.write("other.rct", text)
        self.assertIn("is not module 'ChemicalDetector'", self.hocket("plot", "other.rct", "--run", "out.csv", "-o", "x.svg", exit=3).stderr)
        for old, new in (("lv : real = 0.5", "lv : real = 0.6"), ("from TurnR to Go condition since ( C ) >= turnTime",
                                                                  "from TurnL to Go condition since ( C ) >= turnTime")):
            self.assertEqual(ROVER.read_text().count(old), 1)
            self.write("other.rct", ROVER.read_text().replace(old, new))
            self.assertIn("is not module 'ChemicalDetector' as it is in", self.hocket("plot", "other.rct", "--run", "out.csv", "-o", "x.svg",
                                                                                   exit=3).stderr)
        self.write("plain.csv", "time,x\n0,0\n")
        self.assertIn("nothing is written about states", self.hocket("plot", ROVER, "--run", "plain.csv", "-o", "x.svg", exit=3).stderr)
        self.assertFalse((self.folder / "x.svg").exists())

    def test_run_of_the_same_in_other_words(self):
        """Comments and white space are not another version; a number that is not a count is."""
        self.hocket("run", ROVER, "--stop-time", "5", "-o", "out.csv", "-q", exit=None)
        self.write("same.rct", "// a comment\n\n" + ROVER.read_text().replace("\n", " // here, too\n\n").replace(" {", "{"))
        self.diagram("same.rct", "--run", "out.csv")
        beside = self.folder / "out.csv-metadata.json"
        for count in ("0.5", "-1", "1e30"):
            self.assertRegex(beside.read_text(), r'"taken": *\d+')
            beside.write_text(re.sub(r'("taken": *)[\d.e-]+', rf"\g<1>{count}", beside.read_text(), count=1))
            self.hocket("plot", "same.rct", "--run", "out.csv", "-o", "y.svg", exit=3)

    def test_components_of_a_run(self):
        """Two components are the module: one is named."""
        self.write("r.rct", ROVER.read_text())
        leaf = 'leaf {} : "r.rct" {{ period 1 s; }}'
        self.write("two.system", "system two { composite k {\n" + "\n".join(leaf.format(n) for n in "ab") + "\n} }\n")
        self.hocket("run", "two.system", "--stop-time", "5", "-o", "two.csv", "-q", exit=None)
        wrong = self.hocket("plot", "r.rct", "--run", "two.csv", "-o", "x.svg", exit=2).stderr
        self.assertIn("several components of the run are this module: 'a', 'b'", wrong)
        self.diagram("r.rct", "b", "--run", "two.csv")
        self.assertIn("the run does not have a component 'c' with states and transitions; it has 'a', 'b'",
                      self.hocket("plot", "r.rct", "c", "--run", "two.csv", "-o", "x.svg", exit=3).stderr)

    def test_long_texts(self):
        """What is too long for its place is cut, and stands below the picture as a whole."""
        action = " ; ".join(f"x = x + {n}" for n in range(40))
        self.write("long.rct", Machine(0, 2).text.replace("initial i", f"state Busy {{ entry {action} }}\ninitial i", 1)
                   .replace("stm m {", "stm m { var x0 : int", 1))
        d = self.diagram("long.rct")
        self.assertTrue(any(re.search("\u2026 \\(\\d+\\)$", w) for w in d.words()))
        below = " ".join(w for w in d.words())
        self.assertIn("entry " + action.replace(" ;", ";"), below)

    def test_usage(self):
        for words, told in ((("-o", "x.svg", "--equal"), "--equal is about plots of records, not about diagrams of RoboChart modules"),
                            ((), "is a picture and needs a file"),
                            (("other", "-o", "x.svg"), "'other' chooses nothing"),
                            (("a", "b", "--run", "r.csv", "-o", "x.svg"), "'b' is too many")):
            self.assertIn(told, self.hocket("plot", ROVER, *words, exit=2).stderr)
        self.write("r.csv", "time,x\n0,0\n1,1\n")
        self.assertIn("--run is about diagrams", self.hocket("plot", "r.csv", "--run", "r.csv", exit=2).stderr)
        self.hocket("plot", f"{ROVER}#Nobody", "-o", "x.svg", exit=1)
        self.diagram(f"{ROVER}#ChemicalDetector")

    def test_png_and_pdf(self):
        if not shutil.which("rsvg-convert"):
            self.skipTest("rsvg-convert is not there (package librsvg2-bin)")
        for ending, begin in (("png", b"\x89PNG"), ("pdf", b"%PDF")):
            self.hocket("plot", ROVER, "-o", f"d.{ending}", "-q")
            self.assertTrue((self.folder / f"d.{ending}").read_bytes().startswith(begin))
        self.hocket("plot", ROVER, "-o", "a.svg", "-q")
        self.hocket("plot", ROVER, "-o", "b.svg", "-q")
        self.assertEqual((self.folder / "a.svg").read_bytes(), (self.folder / "b.svg").read_bytes())


if __name__ == "__main__":
    main("--hocket")
