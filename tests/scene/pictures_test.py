#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pictures of scenes: what is in them, where their words are, and what is said where something cannot be shown."""
import json
import math
import pathlib
import re
import struct
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "draw"))
from hocket_case import Case, main  # noqa: E402
from lettering import Picture, fonts  # noqa: E402

FONTS = fonts()
SCENE = """scene "A test" {
  frame ned;
  water sea { size (200, 200); }
  heights bed { file "bed.csv"; }
  outline walls { file "walls.csv"; height 5; }
  group sub {
    at signal "p";
    attitude yaw signal "h" in "deg";
    cylinder hull { radius 1.5; length 12; along x; }
    mesh tower { at (1, 0, -2); file "tower.stl"; }
  }
  trail way { of sub; }
  label name { of sub; text "depth"; value signal "p.z" in "m"; }
  arrow v { of sub; vector (2, 0, 0); scale 5; }
  camera chase { view perspective; follow sub; at (-40, -25, -20); }
  camera map { view top; follow sub; width 50; }
}
"""
SSD = """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
 xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" version="1.0" name="s">
 <ssd:System name="s">
  <ssd:Annotations><ssc:Annotation type="org.hocket.scene">
   %s
  </ssc:Annotation></ssd:Annotations>
 </ssd:System>
</ssd:SystemStructureDescription>
"""


def triangle():
    """A tetrahedron as binary STL."""
    points = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, -1))
    faces = ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *(x for i in f for x in points[i]), 0) for f in faces)
    return bytes(80) + struct.pack("<I", len(faces)) + body


class Scenes(Case):
    def setUp(self):
        super().setUp()
        self.write("t.scene", SCENE)
        self.write("bed.csv", "depth,-100,0,50,100\n-100,30,31,32,32\n0,,30,31,32\n100,30,28,32,31\n")
        self.write("walls.csv", "x,y\n-20,-20\n-20,20\n,\n20,-20\n20,20\n")
        (self.folder / "tower.stl").write_bytes(triangle())
        rows = ["time,p.x,p.y,p.z,h"]
        for i in range(101):
            a = 3 * i / 100
            rows.append(f"{i / 10},{60 * math.sin(a)},{60 - 60 * math.cos(a)},{10 + i / 10},{math.degrees(a)}")
        self.write("r.csv", "\n".join(rows) + "\n")

    def draw(self, *words, name="p.svg", **more):
        done = self.hocket("plot", *words, "-o", name, **more)
        for font, faces in FONTS.items():
            self.assertEqual(Picture(self.folder / name, faces).faults(), [], font)
        return (self.folder / name).read_text(encoding="utf-8"), done

    def test_views(self):
        seen = {}
        for view in ("perspective", "top", "side", "front", "chase", "map"):
            svg, _ = self.draw("t.scene", "r.csv", "--at", "6", "--view", view)
            self.assertIn(">depth 16 m<", svg)
            self.assertIn("t = 6 s", svg)
            self.assertEqual(bool(re.search(r">\d+ m<", svg)), view in ("top", "side", "front", "map"), view)
            seen[view] = svg
        self.assertEqual(len(set(seen.values())), 6)
        self.assertIn(">N<", seen["top"])
        self.assertNotIn(">up<", seen["top"])
        first, _ = self.draw("t.scene", "r.csv", "--at", "6")
        self.assertEqual(first, seen["chase"])
        again, _ = self.draw("t.scene", "r.csv", "--at", "6.04s")
        self.assertEqual(again, first)
        last, _ = self.draw("t.scene", "r.csv")
        self.assertIn("t = 10 s", last)

    def test_film(self):
        svg, _ = self.draw("t.scene", "r.csv", "--frames", "5", "--view", "top")
        self.assertEqual(re.findall(r"t = ([\d.]+) s", svg), ["0", "2.5", "5", "7.5", "10"])
        svg, _ = self.draw("t.scene", "r.csv", "--frames", "every=2s", "--from", "1", "--to", "6000ms")
        self.assertEqual(re.findall(r"t = ([\d.]+) s", svg), ["1", "3", "5"])
        lengths = [part.count("stroke-width") for part in svg.split("<g>")]
        self.assertEqual(len(lengths), 4)

    def test_where_everything_is(self):
        done = self.hocket("plot", "t.scene", "r.csv", "--at", "5", "-o", "p.svg", "--json")
        answer = json.loads(done.stdout)
        (moment,) = answer["moments"]
        self.assertEqual(moment["time_s"], 5)
        placed = {p["name"]: p for p in moment["placed"]}
        matrix = placed["sub"]["matrix"]
        for got, wanted in zip((matrix[3], matrix[7], matrix[11]),
                               (60 * math.sin(1.5), 60 - 60 * math.cos(1.5), 15)):
            self.assertAlmostEqual(got, wanted, places=12)
        self.assertAlmostEqual(matrix[0], math.cos(1.5), places=12)
        self.assertAlmostEqual(matrix[4], math.sin(1.5), places=12)
        self.assertEqual(placed["name"]["words"], "depth 15 m")
        tower = placed["tower"]["matrix"]
        self.assertAlmostEqual(tower[3], matrix[3] + math.cos(1.5), places=12)
        things = {t["name"]: t for t in answer["scene"]["things"]}
        self.assertEqual(things["hull"]["parent"], "sub")
        info = json.loads(self.hocket("info", "t.scene", "--json").stdout)
        self.assertEqual((info["kind"], info["frame"], len(info["things"])), ("scene", "ned", 11))
        self.assertEqual(things["tower"]["faces"], 4)

    def test_words(self):
        text = self.hocket("info", "t.scene").stdout
        self.assertIn("at p, attitude h", text)
        self.assertIn("tower.stl, 12 points, 4 faces", text)
        self.assertEqual(self.hocket("check", "t.scene").stdout, "ok: 11 things, 3 numbers bound to signals\n")
        printed = self.hocket("fmt", "t.scene").stdout
        self.write("u.scene", printed)
        self.hocket("fmt", "--check", "u.scene")
        self.assertEqual(self.hocket("fmt", "-", input=SCENE).stdout, printed)
        self.assertIn("a scene shows a run", self.hocket("run", "t.scene", exit=3).stderr)

    def test_what_is_not_there(self):
        def wrong(words, *args, exit=2):
            said = self.hocket("plot", *args, "-o", "p.svg", exit=exit).stderr
            self.assertIn(words, said)
            self.assertFalse((self.folder / "p.svg").exists())
            return said

        self.assertIn("t.scene:7:15", wrong("follows signals of a record, and none is named", "t.scene"))
        self.write("other.csv", "time,q.x,h\n0,1,2\n")
        said = wrong("there is no vector 'p'", "t.scene", "other.csv")
        self.assertIn("t.scene:7:15", said)
        wrong("12 s is not in the record, which is from 0 s to 10 s", "t.scene", "r.csv", "--at", "12")
        wrong("-1 s is not in the record", "t.scene", "r.csv", "--at=-1")
        wrong("there is no camera called 'chose'", "t.scene", "r.csv", "--view", "chose")
        wrong("both say which moments", "t.scene", "r.csv", "--at", "1", "--frames", "3")
        wrong("about several moments", "t.scene", "r.csv", "--from", "1")
        wrong("'0' is not a number of moments", "t.scene", "r.csv", "--frames", "0")
        wrong("more than 60 moments", "t.scene", "r.csv", "--frames", "every=0.1")
        wrong("is not a time above 0", "t.scene", "r.csv", "--frames", "every=0")
        wrong("is too many", "t.scene", "r.csv", "r.csv")
        wrong("'soon' is not a time", "t.scene", "r.csv", "--at", "soon")
        wrong("--xy is about plots of records", "t.scene", "r.csv", "--xy")
        self.assertIn("needs a file", self.hocket("plot", "t.scene", "r.csv", exit=2).stderr)
        self.write("empty.csv", "time,p.x,p.y,p.z,h\n")
        wrong("no rows", "t.scene", "empty.csv", exit=3)
        self.write("r.csv-metadata.json", json.dumps({"tableSchema": {"columns": [
            {"titles": "time"}, {"titles": "p.x", "schema:unitText": "s"}, {"titles": "p.y"}, {"titles": "p.z"},
            {"titles": "h", "schema:unitText": "rad"}]}}))
        said = wrong("'p.x' is in 's', and 'at' is in m", "t.scene", "r.csv", exit=1)
        self.assertIn("'h' is in 'rad' by the record, and in 'deg' by the scene", said)

    def test_what_is_not_a_number(self):
        self.write("n.csv", "time,p.x,p.y,p.z,h\n0,0,0,10,0\n1,nan,0,10,0\n")
        svg, done = self.draw("t.scene", "n.csv", "--view", "top")
        self.assertIn("'sub' is left out at 1 s: 'p.x' is not a finite number", done.stderr)
        self.assertIn("no unit is written beside the record: 'p.x' (m), 'p.y' (m), 'p.z' (m)", done.stderr)
        self.assertNotIn("depth", svg)

    def test_without_a_record(self):
        self.write("still.scene", 'scene still { box b { size (1, 2, 3); } label l { of b; text "a < b & c"; } }')
        svg, done = self.draw("still.scene")
        self.assertIn("a &lt; b &amp; c", svg)
        self.assertIn("(1 box, 1 label; 1 moment)", done.stderr)
        self.assertIn("without a record", self.hocket("plot", "still.scene", "--at", "1", "-o", "q.svg", exit=2).stderr)

    def test_a_package(self):
        def pack(name, annotation):
            with zipfile.ZipFile(self.folder / name, "w") as z:
                z.writestr("SystemStructure.ssd", SSD % annotation)
                for file in ("t.scene", "bed.csv", "walls.csv", "tower.stl"):
                    z.write(self.folder / file, f"resources/{file}")

        element = '<hk:Scene xmlns:hk="urn:org.hocket:schedule:1" %s/>'
        pack("x.ssp", element % 'source="resources/t.scene"')
        svg, _ = self.draw("x.ssp", "r.csv", "--at", "6")
        plain, _ = self.draw("t.scene", "r.csv", "--at", "6", name="q.svg")
        self.assertEqual(svg, plain)
        self.assertNotIn("org.hocket.scene", self.hocket("info", "x.ssp", exit=3).stderr)
        pack("y.ssp", element % "")
        self.assertIn("names no file of the package", self.hocket("plot", "y.ssp", "r.csv", "-o", "z.svg", exit=3).stderr)
        pack("y.ssp", element % 'source="../t.scene"')
        self.assertIn("names no file of the package", self.hocket("plot", "y.ssp", "r.csv", "-o", "z.svg", exit=3).stderr)
        pack("y.ssp", element.replace("Scene", "Scenes") % "")
        self.assertIn("SystemStructure.ssd", self.hocket("plot", "y.ssp", "r.csv", "-o", "z.svg", exit=3).stderr)

    def test_cut_files(self):
        """A file that is cut off at every eighth: a message, or what is whole in itself."""
        for name in ("tower.stl", "bed.csv", "walls.csv", "t.scene"):
            whole = (self.folder / name).read_bytes()
            for i in range(8):
                (self.folder / name).write_bytes(whole[:len(whole) * i // 8])
                done = self.hocket("plot", "t.scene", "r.csv", "-o", "p.svg", exit=None)
                self.assertIn(done.returncode, (0, 1, 2, 3), name)
                self.assertEqual("error" in done.stderr, done.returncode != 0, done.stderr)
            (self.folder / name).write_bytes(whole)


if __name__ == "__main__":
    main()
