#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`hocket run --report`: the structure of the page, and its numbers against those that are computed here."""
import csv
import html.parser
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from hocket_case import Case, main  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"
VOID = {"meta"}
REPEATED = """Simulation Bumps (ms)
system quarter_truck;
simulationTime [0, 1500]:1;
seed 5;
scenarios {
  Scenario rough [3]
  begin {
    "ground.Step.height" = 0.08;
    fault "ground.p.f" -> "wheel.p.f" noise 0.05;
  }
  expects {
    expect always "chassis.z" < 1.2;
    require "peak <&> height" maximum of "wheel.z" max 1;
    require "only measured" final of "chassis.z" reference 1.05;
  }
  logs { road.csv timed(1) { "chassis.z"; "wheel.z"; "wheel.p1.f"; } }
}
"""
SILENT = """Simulation Silent (ms)
system quarter_truck;
simulationTime [0, 1200]:1;
scenarios {
  Scenario low expects { expect always "chassis.z" < 1.01 "<b>high</b> & low";
    require "late" maximum of "chassis.z" during [0, 5000] max 2; }
  Scenario other
}
"""

GROWS = """system grow {
  composite all {
    leaf u : hk.Constant { period 10ms; param value = 1e300; }
    leaf g : hk.Gain { period 10ms; param gain = 1; }
    link u.y -> g.u;
  }
}
"""
FAILS = """Simulation grow (s)
system grow;
simulationTime [0, 1]:0.01;
scenarios {
  Scenario big
  events { instant 0.5 { "grow.all.g.gain" = 1e300; } }
  expects { expect at 0.9 "grow.all.g.y" > 0; }
  logs { grow.csv timed(0.01) { "grow.all.g.y"; } }
}
"""


class Page(html.parser.HTMLParser):
    """The tables, pictures and texts of a page; a tag that is not closed is an error."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tables, self.pictures, self.texts, self.links = [], [], [], [], []
        self.text, self.svg = text, None
        self.feed(text)
        self.close()
        if self.open:
            raise AssertionError(f"not closed: {self.open}")

    def where(self):
        line, column = self.getpos()
        return sum(len(one) + 1 for one in self.text.split("\n")[:line - 1]) + column

    def handle_starttag(self, tag, attributes):
        self.links += [value for name, value in attributes if name in ("src", "href", "xlink:href")]
        if tag in ("script", "link", "img", "iframe"):
            raise AssertionError(f"<{tag}> in a page that needs nothing else")
        if tag in VOID:
            return
        self.open.append(tag)
        if tag == "svg":
            self.svg = self.where()
        elif tag == "table":
            self.tables.append({"caption": "", "rows": []})
        elif tag == "tr":
            self.tables[-1]["rows"].append([])
        elif tag in ("td", "th"):
            self.tables[-1]["rows"][-1].append("")
        elif tag == "data":
            self.tables[-1]["rows"][-1][-1] = dict(attributes)["value"]  # what is shown of it is rounded

    def handle_startendtag(self, tag, attributes):
        self.links += [value for name, value in attributes if name in ("src", "href", "xlink:href")]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise AssertionError(f"</{tag}> closes what is not open, line {self.getpos()[0]}")
        if tag == "svg":
            self.pictures.append(ElementTree.fromstring(self.text[self.svg:self.where() + len("</svg>")]))

    def handle_data(self, data):
        if not self.open or "svg" in self.open or self.open[-1] == "style":
            return
        self.texts.append(data)
        if self.open[-1] == "caption":
            self.tables[-1]["caption"] += data
        elif self.open[-1] in ("td", "th"):
            self.tables[-1]["rows"][-1][-1] += data
        elif self.open[-1] == "code" and "td" in self.open:
            self.tables[-1]["rows"][-1][-1] += data

    def table(self, caption):
        found = [table["rows"] for table in self.tables if table["caption"].startswith(caption)]
        if len(found) != 1:
            raise AssertionError(f"{len(found)} tables '{caption}'")
        return found[0]


def words_of(picture):
    return [text.text for text in picture.iter(SVG + "text")]


def columns_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    numbers = [[{"true": 1.0, "false": 0.0}.get(cell) if cell in ("true", "false") else float(cell) for cell in row]
               for row in rows]
    return {name: [row[i] for row in numbers] for i, name in enumerate(head)}


def summary(times, values):
    largest = max(range(len(values)), key=lambda i: (abs(values[i]), -i))
    return (values[-1], math.fsum(values) / len(values), math.sqrt(math.fsum(v * v for v in values) / len(values)),
            values[largest], times[largest])


class Pages(Case):
    def page(self, name="out.html"):
        page = Page((self.folder / name).read_text(encoding="utf-8"))
        self.assertEqual(page.links, [])
        for table in page.tables:
            self.assertTrue(table["rows"], table["caption"])
            self.assertEqual({len(row) for row in table["rows"]}, {len(table["rows"][0])}, table["caption"])
        return page

    def truck(self, text, *words, exit=0):
        shutil.copy(self.options.models / "quarter_truck.ssp", self.folder)
        self.write("bumps.simulation", text)
        return self.hocket("run", "bumps.simulation", "--report", "out.html", *words, exit=exit)

    def head(self, page):
        return {row[0]: row[1] for row in page.tables[0]["rows"]}

    def close(self, found, expected):
        self.assertEqual(len(found), len(expected))
        for one, other in zip(found, expected):
            self.assertTrue(math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12), (found, expected))


class Repeated(Pages):
    def setUp(self):
        super().setUp()
        self.said = self.truck(REPEATED, "-o", 'lo<g&"s', "--json")
        self.answer = json.loads(self.said.stdout)
        self.seen = self.page()
        self.logs = [columns_of(self.folder / run["logs"][0]) for run in self.answer["runs"]]

    def test_head(self):
        head = self.head(self.seen)
        self.assertEqual(self.answer["report"], "out.html")
        self.assertIn("Bumps", self.seen.texts)
        self.assertEqual((head["file"], head["seed"]), ("bumps.simulation", "5"))
        self.assertEqual(head["time"], "0 s to 1.5 s, step 0.001 s")
        self.assertEqual(head["the same again"], "hocket run bumps.simulation")
        self.assertRegex(head["made by"], r"^hocket \d")
        self.assertIn("9 of 9 expectations hold", head["result"])

    def test_verdicts(self):
        _, *rows = self.seen.table("Expectations and requirements")
        self.assertEqual([row[0] for row in rows], ["0", "0", "0", "1", "1", "1", "2", "2", "2"])
        self.assertEqual({row[1] for row in rows}, {"ok"})
        verdicts = [verdict for run in self.answer["runs"] for verdict in run["verdicts"]]
        for row, verdict in zip(rows, verdicts):
            self.assertEqual(row[3], verdict["expect"])
            if "measured" in verdict:
                self.assertEqual(number(row[4]), verdict["measured"]["value"])
                self.assertEqual(row[6], "reference 1.05 m" if "reference" in verdict["measured"] else "")

    def test_names_are_escaped(self):
        text = self.seen.text
        self.assertIn("peak &lt;&amp;&gt; height", text)
        self.assertIn('lo&lt;g&amp;"s/road.rough.0000.csv', text)

    def test_studies(self):
        _, *rows = self.seen.table("Measured values over the runs")
        peaks = [max(log["wheel.z"]) for log in self.logs]
        ends = [log["chassis.z"][-1] for log in self.logs]
        self.assertEqual([row[0] for row in rows], ["peak <&> height", "only measured"])
        self.assertEqual(len(set(peaks)), 3)
        for row, values, study in zip(rows, (peaks, ends), self.answer["studies"]):
            middle = sorted(values)
            expected = [statistics.mean(values), statistics.stdev(values), min(values), max(values), middle[1],
                        middle[1] + 0.9 * (middle[2] - middle[1])]
            self.assertEqual(row[1:4], ["m", "3", "3"])
            self.close([number(cell) for cell in row[4:]], expected)
            self.close([study[name] for name in ("mean", "deviation", "least", "most", "cep50", "r95")], expected)
            self.assertEqual((study["scenario"], study["unit"], study["runs"], study["held"]), ("rough", "m", 3, 3))

    def test_numbers(self):
        _, *rows = self.seen.table("Numbers of road.rough.0000.csv")
        for name in ("chassis.z", "wheel.z", "wheel.p1.f"):
            own = [row for row in rows if row[0] == name]
            self.assertEqual([row[2] for row in own], ["0", "1", "2", "mean", "deviation"])
            expected = [summary(log["time"], log[name]) for log in self.logs]
            for row, values in zip(own, expected):
                self.close([number(cell) for cell in row[3:]], values)
            across = list(zip(*expected))[:4]
            self.close([number(cell) for cell in own[3][3:7]], [statistics.mean(values) for values in across])
            self.close([number(cell) for cell in own[4][3:7]], [statistics.stdev(values) for values in across])

    def test_bands(self):
        bands = [path for picture in self.seen.pictures for path in picture.iter(SVG + "path")
                 if path.get("class").startswith("band")]
        self.assertEqual(len(bands), 3)
        labels = [text for picture in self.seen.pictures for text in words_of(picture)]
        self.assertIn("chassis.z: mean of 3 runs, ± standard deviation", labels)
        self.assertEqual(len(self.seen.pictures), 2)  # metres, and metres per second

    def test_files_and_messages(self):
        for run in self.answer["runs"]:
            self.assertIn(run["logs"][0], self.seen.texts)
        self.assertIn("out.html", self.seen.texts)
        self.assertIn("Messages", self.seen.texts)

    def test_it_is_the_same_again(self):
        before = (self.folder / "out.html").read_bytes()
        self.truck(REPEATED, "-o", 'lo<g&"s', "--json", "--workers", "1")
        self.assertEqual((self.folder / "out.html").read_bytes(), before)

    def test_one_run(self):
        self.truck(REPEATED, "-o", "one", "--run", "1", "-q")
        page = self.page()
        _, *rows = page.table("Numbers of road")
        self.assertEqual([row[2] for row in rows], ["1", "1", "1"])
        self.assertNotIn("band f", page.text)
        self.assertEqual(self.head(page)["the same again"], "hocket run bumps.simulation --run=1")


def number(cell):
    """A cell of a table; truth values are numbers, too."""
    return {"true": 1.0, "false": 0.0}.get(cell) if cell in ("true", "false") else float(cell)


class Outcomes(Pages):
    def test_without_logs(self):
        said = self.truck(SILENT, "--json", exit=1)
        page = self.page()
        self.assertEqual(json.loads(said.stdout)["report"], "out.html")
        self.assertEqual(page.pictures, [])
        self.assertEqual(page.text.count("There are no logs"), 2)
        self.assertIn("The scenario expects nothing.", page.texts)
        _, first, second = page.table("Expectations and requirements")
        self.assertEqual((first[1], second[1]), ("broken", "undecided"))
        self.assertTrue(1 < number(first[2]) < 1.2)
        self.assertTrue(first[6].endswith("m): <b>high</b> & low"), first)
        self.assertIn("until 1.2 s only", second[6])
        self.assertIn("status HK", self.head(page)["result"])
        _, *messages = page.table("Errors, warnings and notes")
        self.assertIn("error", [row[0] for row in messages])

    def test_what_is_there_is_replaced(self):
        self.write("out.html", "old")
        self.truck(SILENT, "--scenario", "other")
        self.assertNotIn("Scenario low", self.page().text)

    def test_wrong_names(self):
        shutil.copy(self.options.models / "quarter_truck.ssp", self.folder)
        self.write("bumps.simulation", SILENT)
        for file in ("bumps.simulation", "quarter_truck.ssp"):
            said = self.hocket("run", file, "--report", "out.txt", exit=2)
            self.assertIn("reports are written as HTML", said.stderr)
            plotted = self.hocket("run", file, "--plot", "missing/out.svg", exit=None).returncode
            self.hocket("run", file, "--report", "missing/out.html", exit=plotted)
            self.assertNotEqual(plotted, 0)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["bumps.simulation", "quarter_truck.ssp"])

    def test_a_run_that_fails(self):
        self.write("grow.system", GROWS)
        self.write("grow.simulation", FAILS)
        self.hocket("run", "grow.simulation", "--report", "out.html", exit=4)
        page = self.page()
        _, row = page.table("Runs")
        self.assertIn("failed: HK", row[1])
        self.assertEqual(page.table("Expectations and requirements")[1][1], "undecided")
        self.assertTrue(page.pictures)

    def test_a_run_without_a_row(self):
        """What it was to log is not shown, though there is a file of that name."""
        self.write("grow.system", GROWS.replace("gain = 1;", "gain = 1e300;"))
        self.write("grow.simulation", FAILS)
        old = self.write("grow.csv", "time,g.y\n0,1\n")
        self.hocket("run", "grow.simulation", "--report", "out.html", exit=4)
        page = self.page()
        self.assertIn("There are no logs", page.text)
        self.assertNotIn(old.name, page.texts)

    def test_values_that_are_not_finite(self):
        self.write("grow.system", GROWS)
        self.write("grow.simulation", FAILS)
        self.hocket("run", "grow.simulation", "--allow-nan", "--report", "out.html")
        page = self.page()
        values = columns_of(self.folder / "grow.csv")["g.y"]
        finite = [value for value in values if math.isfinite(value)]
        self.assertTrue(0 < len(finite) < len(values))
        (row,) = page.table("Numbers of grow.csv")[1:]
        self.close([number(cell) for cell in row[3:]], [math.inf, 1e300, 1e300, 1e300, 0])
        self.assertIn(f"{len(values) - len(finite)} values that are not finite", page.text)


class Systems(Pages):
    def setUp(self):
        super().setUp()
        shutil.copy(self.options.models / "quarter_truck.ssp", self.folder)

    def test_record(self):
        said = self.hocket("run", "quarter_truck.ssp", "-o", "truck.csv", "--report", "out.html", "--json")
        page, log = self.page(), columns_of(self.folder / "truck.csv")
        self.assertEqual(json.loads(said.stdout)["report"], "out.html")
        _, *rows = page.table("Numbers of truck.csv")
        self.assertEqual([row[0] for row in rows], list(log)[1:])
        for row in rows:
            self.close([number(cell) for cell in row[3:]], summary(log["time"], log[row[0]]))
        self.assertIn("truck.csv", page.texts)

    def test_without_a_record(self):
        said = self.hocket("run", "quarter_truck.ssp", "--report", "out.html")
        self.assertIn("report     out.html", said.stderr)
        page = self.page()
        self.assertTrue(page.pictures)
        self.assertIn("is not kept", page.text)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["out.html", "quarter_truck.ssp"])

    def test_standard_output(self):
        said = self.hocket("run", "quarter_truck.ssp", "-o", "-", "--report", "out.html", exit=2)
        self.assertIn("together with --report", said.stderr)

    def test_long_record(self):
        """A record that is thinned for its picture: no extreme value is lost, and the table has all rows."""
        rows = [(i / 1000, math.sin(i / 3000) + {7777: 9, 12345: -6}.get(i, 0)) for i in range(20001)]
        self.write("spikes.csv", "time,y\n" + "".join(f"{time},{value}\n" for time, value in rows))
        self.write("spikes.system", 'system spikes { composite all { leaf log : "spikes.csv#hold" { period 1ms; } } }')
        self.hocket("run", "spikes.system", "--stop-time", "20", "-o", "long.csv", "--report", "out.html", "-q")
        page, log = self.page(), columns_of(self.folder / "long.csv")
        (name, values), = [item for item in log.items() if item[0] != "time"]
        self.assertEqual((len(values), values[7777]), (20001, rows[7777][1]))
        self.close([number(cell) for cell in page.table("Numbers of long.csv")[1][3:]], summary(log["time"], values))
        self.hocket("plot", "long.csv", name, "-o", "whole.svg", "--height", "240", "-q")
        whole = ElementTree.parse(self.folder / "whole.svg").getroot()
        self.assertEqual(heights_of(page.pictures[0]), heights_of(whole))

    def test_a_pipe_cannot_be_read_back(self):
        os.mkfifo(self.folder / "pipe.csv")
        for option, file in (("report", "out.html"), ("plot", "out.svg")):
            said = self.hocket("run", "quarter_truck.ssp", "-o", "pipe.csv", "--" + option, file, exit=2)
            self.assertIn(f"keeps nothing that --{option} could read", said.stderr)


class Map(Pages):
    def test_three_aircraft(self):
        for name in ("uav.so", "uav.system", "uav.types", "search.simulation"):
            shutil.copy(self.options.models / "uav" / name, self.folder)
        self.hocket("run", "search.simulation", "-o", "out", "--report", "out.html", "-q")
        page = self.page()
        words = words_of(page.pictures[0])
        for name in ("hawk.position", "kite.position", "swift.position", "target.position", "east [m]", "north [m]"):
            self.assertIn(name, words)
        curves = [path.get("d") for path in page.pictures[0].iter(SVG + "path")
                  if re.fullmatch(r"s c\d d\d", path.get("class", ""))]
        starts = [start_of(curve) for curve in curves]
        (hawk, kite, swift), target = starts[:3], starts[3]
        self.assertTrue(hawk[0] < kite[0] < swift[0])  # 0, 800 and 1600 m east
        self.assertAlmostEqual((kite[0] - hawk[0]) / (swift[0] - kite[0]), 1, delta=0.01)
        self.assertTrue(hawk[1] == kite[1] == swift[1] > target[1])  # all at 0 m north, the target ahead of them
        self.assertAlmostEqual((target[0] - hawk[0]) / 960, (hawk[1] - target[1]) / 250, delta=0.02)  # equal axes
        rest = [text for picture in page.pictures[1:] for text in words_of(picture)]
        self.assertNotIn("hawk.position.north", rest)
        self.assertIn("wind.at_hawk.north", rest)


    def test_underwater_drone(self):
        for path in (self.options.models / "auv").iterdir():
            if path.suffix in (".so", ".system", ".types", ".csv"):
                shutil.copy(path, self.folder)
        text = (self.options.models / "auv" / "AuvSimulation.simulation").read_text(encoding="utf-8")
        text = text.replace("[0,1800000]:1", "[0,12000]:1").replace("scenar [10]", "scenar [2]")
        text = text.replace("Position\"; }", "Position\"; \"auv.comp.Drone.myMissionAdapter.nedPosition\"; }")
        self.write("short.simulation", text)
        self.hocket("run", "short.simulation", "-o", "out", "--report", "out.html", "-q")
        page = self.page()
        navigation = "Navigation.myNavigationFunction.myEstimatedNedPosition"
        drone = "Drone.myMissionAdapter.nedPosition"
        self.assertEqual([word for word in words_of(page.pictures[0]) if "osition" in word], [navigation, drone])
        self.assertIn('<figure class="many">', page.text)  # thin lines
        self.assertEqual({row[0] for row in page.table("Numbers of DronePosition")[1:]},
                         {f"{name}.{axis}" for name in (navigation, drone) for axis in "xyz"})
        self.assertIn(f"{drone}.z: mean of 2 runs, ± standard deviation", words_of(page.pictures[1]))
        _, *messages = page.table("Errors, warnings and notes")
        self.assertIn("event at 2700000 ms is after the end 12000 ms, it never fires; the speed stays 2.5 m/s",
                      [row[2] for row in messages])


def heights_of(picture):
    """The highest and the lowest point of the one curve."""
    (path,) = [path.get("d") for path in picture.iter(SVG + "path") if re.fullmatch(r"s c0 d0", path.get("class", ""))]
    heights = [float(found) for found in re.findall(r"(?:V|[ML][0-9.]+ )([0-9.]+)", path)]
    return min(heights), max(heights)


def start_of(path):
    x, y = re.findall(r"-?[0-9.]+", path)[:2]
    return float(x), float(y)


if __name__ == "__main__":
    main()
