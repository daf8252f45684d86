#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Arrays of one component joined with scalars of another: the same three components as native ones
and as FMUs of all versions, in many mixtures, give the same bytes, whatever else is asked of them."""
import csv
import json
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import THIN, Case, call, environment, few, main, quick_cc  # noqa: E402

TYPES = {"a": "metre", "b": "milli", "c": "metre"}
# Versions of FMI for the three components; n: native.
MIXTURES = ("3nn", "n3n", "2nn", "n2n", "nn2", "32n", "23n", "n32", "1n3", "213", "321", "222", "333")
SYSTEM = """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription name="arrays" version="2.0"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"
    xmlns:hk="urn:org.hocket:schedule:1">
  <ssd:System name="arrays">
    <ssd:Elements>
{elements}
    </ssd:Elements>
    <ssd:Connections>
{connections}
    </ssd:Connections>
  </ssd:System>
  <ssd:DefaultExperiment startTime="0" stopTime="2">
    <ssd:Annotations><ssc:Annotation type="org.hocket.schedule">
      <hk:Experiment stepSize="0.125"/>
    </ssc:Annotation></ssd:Annotations>
  </ssd:DefaultExperiment>
</ssd:SystemStructureDescription>
"""
# From a to b whole arrays, one of them with a delay; from b to c whole arrays, one element by element
# and twisted; from c to a some elements only, the others keep their start values.
LINKS = (
    ("a.out_d", "b.in_d", '<hk:Link delay="0.25" initial="1.5 2.5 -3.5"/>'),
    ("a.out_i", "b.in_i", None), ("a.out_b", "b.in_b", None), ("a.out_s", "b.in_s", None),
    ("b.out_d[1]", "c.in_d[3]", None), ("b.out_d[3]", "c.in_d[1]", '<hk:Link delay="0.125"/>'),
    ("b.out_d[2]", "c.in_d[2]", None), ("b.out_i", "c.in_i", None),
    ("b.out_b", "c.in_b", None), ("b.out_s[2]", "c.in_s[1]", None),
    ("c.out_d[3]", "a.in_d[1]", None), ("c.out_i[1]", "a.in_i[2]", None),
    ("c.out_b[2]", "a.in_b[1]", None), ("c.out_s[2]", "a.in_s[2]", None),
)


def end(text):
    component, _, connector = text.partition(".")
    return component, connector


def connection(source, sink, link):
    """Elements of arrays once by name and once, at the other end, by the indices of SSP 2.0."""
    (start, output), (stop, entry) = end(source), end(sink)
    note = ("" if link is None else
            '<ssd:Annotations><ssc:Annotation type="org.hocket.schedule">'
            f"{link}</ssc:Annotation></ssd:Annotations>")
    return (f'<ssd:Connection startElement="{start}" startConnector="{output}" endElement="{stop}"'
            f' endConnector="{entry}">{note}</ssd:Connection>')


class Arrays(Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        shutil.copy(cls.options.plugin, cls.folder / "arrays.so")
        for kind in set(TYPES.values()):
            for fmi in "123":
                cls.call("export", "arrays.so", "--type", kind, "--fmi", fmi, "-q", "-o",
                         f"{kind}{fmi}.fmu")
        cls.write("nnn")
        cls.reference = cls.record("nnn.ssd")

    def setUp(self):
        """All share the folder of the class."""

    @classmethod
    def call(cls, *words, status=0):
        done = call(cls.options.hocket, *words, cwd=cls.folder, exit=status,
                    env=environment(XDG_CACHE_HOME=str(cls.folder / "cache"), CC=quick_cc()))
        return done.stdout if status == 0 else done.stdout + done.stderr

    @classmethod
    def write(cls, mixture, links=LINKS):
        elements = []
        for (name, kind), version in zip(TYPES.items(), mixture):
            source = (f'type="application/x-hocket-plugin" source="arrays.so#{kind}"'
                      if version == "n" else f'source="{kind}{version}.fmu"')
            elements.append(f'      <ssd:Component name="{name}" {source}/>')
        text = SYSTEM.format(elements="\n".join(elements),
                             connections="\n".join(connection(*link) for link in links))
        (cls.folder / f"{mixture}.ssd").write_text(text, encoding="utf-8")
        return f"{mixture}.ssd"

    @classmethod
    def record(cls, system, *words):
        """The rows by the names of the columns, whose order is that of the description."""
        cls.call("run", system, "-q", "-o", "out.csv", *words)
        with open(cls.folder / "out.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_reference_is_lively(self):
        for name in self.reference[0]:
            cells = {row[name] for row in self.reference}
            self.assertGreater(len(cells), 1, name)
        self.assertEqual(len(self.reference), 17)

    def test_mixtures(self):
        for mixture in MIXTURES[::(THIN + 1) // 2]:
            with self.subTest(mixture):
                self.assertEqual(self.record(self.write(mixture), "--monitor=values"),
                                 self.reference)

    def test_threads_and_algorithms(self):
        for mixture in ("3nn", "23n", "321"):
            system = self.write(mixture)
            self.assertEqual(self.record(system, "--threads=2"), self.reference)
            self.assertEqual(self.record(system, "--algorithm=gauss-seidel", "--monitor=values"),
                             self.record("nnn.ssd", "--algorithm=gauss-seidel"))

    def test_states(self):
        for mixture in ("nnn", "3n2", "n31", "213"):
            system = self.write(mixture)
            first = self.record(system, "--stop-time=1", "--save-state=half.hks")
            rest = self.record(system, "--load-state=half.hks")
            self.assertEqual(first[:-1], self.reference[:8], mixture)
            self.assertEqual(rest, self.reference[8:], mixture)

    def test_looking(self):
        """Nothing of what looks at a system is at a loss."""
        for mixture in few(("nnn", "3n2", "n23"), 2):
            system = self.write(mixture)
            self.call("check", system)
            self.call("prove", system, "--spin=never")
            self.call("prove", system, "--spin=never", "--algorithm=gauss-seidel")
            self.call("run", system, "-q", "--trace=calls.jsonl")
            self.call("prove", system, "--trace=calls.jsonl")
            plan = json.loads(self.call("plan", system, "--json"))
            self.assertIn(("b.out_d[1]", "c.in_d[3]"),
                          [(k["from"], k["to"]) for k in plan["connections"]])
            self.call("run", system, "-q", "--monitor=contract")
            self.assertIn("c.in_d[3]", self.call("trace", system, "c.out_d[2]", "--at=1"))
            json.loads(self.call("trace", system, "c.out_d[2]", "--at=1", "--json"))

    def test_indices_of_ssp_2(self):
        links = [link for link in LINKS if link[:2] != ("c.out_d[3]", "a.in_d[1]")]
        name = self.write("n2n", links)
        text = (self.folder / name).read_text(encoding="utf-8")
        text = text.replace("</ssd:Connections>", '<ssd:Connection startElement="c" startIndices="3"'
                            ' startConnector="out_d" endElement="a" endConnector="in_d"'
                            ' endIndices=" 1 "/></ssd:Connections>')
        (self.folder / name).write_text(text, encoding="utf-8")
        self.assertEqual(self.record(name), self.reference)
        (self.folder / name).write_text(text.replace('startIndices="3"', 'startIndices="4"'),
                                        encoding="utf-8")
        self.assertIn("'out_d[4]'", self.call("check", name, status=1))

    def test_language(self):
        """The same in hocket's own language, where names with brackets are in quotes."""
        lines = [f'leaf {name} : "arrays.so#{kind}";' for name, kind in TYPES.items()]
        for source, sink, link in LINKS:
            more = "" if not link else " delay 0.25 s" if "0.25" in link else " delay 0.125 s"
            more += " initial {1.5, 2.5, -3.5}" if link and "initial" in link else ""
            lines.append(f'link "{source}" -> "{sink}"{more};')
        text = "system arrays {\n  composite all {\n    " + "\n    ".join(lines) + "\n  }\n}\n"
        (self.folder / "arrays.system").write_text(text, encoding="utf-8")
        words = ["--step-size=0.125", "--stop-time=2", "--monitor=values", "--algorithm=jacobi"]
        self.assertEqual(self.record("arrays.system", *words), self.reference)
        link = 'link "c.out_d[3]" -> "a.in_d[1]";'
        twice = text.replace(link, link + link.replace("out_d[3]", "out_d[2]"))
        (self.folder / "arrays.system").write_text(twice, encoding="utf-8")
        self.assertIn("'a.in_d[1]' is driven twice", self.call("check", "arrays.system", status=1))
        (self.folder / "arrays.system").write_text(text.replace("in_d[3]", "in_d[4]"),
                                                   encoding="utf-8")
        self.assertIn("[4]", self.call("check", "arrays.system", status=1))

    def test_refused(self):
        for links, words in (
                ([("a.out_d", "b.in_d", None), ("c.out_d[1]", "b.in_d[2]", None)],
                 ("driven twice", "c.out_d[1] -> b.in_d[2]")),
                ([("c.out_d[1]", "b.in_d[2]", None), ("c.out_d[2]", "b.in_d[2]", None)],
                 ("driven twice", "c.out_d[1] -> b.in_d[2]", "c.out_d[2] -> b.in_d[2]")),
                ([("a.out_d", "b.in_d[2]", None)], ("sizes differ", "3 elements")),
                ([("a.out_i", "b.in_d", None)], ("differ",))):
            for mixture in ("n3n", "n2n", "nnn"):
                said = self.call("check", self.write(mixture, links), status=1)
                for word in words:
                    self.assertIn(word, said)

    def test_values_of_elements(self):
        """--set, --input-file and --stop-when name elements, of arrays and of scalars alike."""
        (self.folder / "in.csv").write_text(
            "time,b.in_d[2],b.in_i[1],b.in_s[2]\n0,1e-3,9,\"x, y\"\n0.5,2,-3,z\n", encoding="utf-8")
        words = ["--set", "b.gain[2]=0.25", "--set", "b.in_s[1]=p q", "--set", "a.in_d[3]=2 km",
                 "--input-file", "in.csv", "--output-variable", "*", "--stop-when",
                 "b.out_d[2] > 0.3"]
        links = [("b.out_d", "c.in_d", None)]
        self.write("nnn", links)
        rows = self.record("nnn.ssd", *words)
        self.write("nnn")
        self.assertLess(len(rows), 17)
        self.assertEqual(rows[0]["b.gain[2]"], "0.25")
        self.assertEqual(rows[0]["b.in_s[1]"], "p q")
        self.assertEqual(rows[0]["a.in_d[3]"], "2000")
        self.assertEqual((rows[0]["b.in_s[2]"], rows[5]["b.in_s[2]"]), ("x, y", "z"))
        self.assertEqual((rows[0]["b.in_i[1]"], rows[5]["b.in_i[1]"]), ("9", "-3"))
        for mixture in ("333", "n3n", "222"):
            other = self.record(self.write(mixture, links), *words)
            for mine, row in zip(other, rows):
                for name in row:
                    self.assertEqual(mine[name], row[name], (mixture, name))
        said = self.call("run", "333.ssd", "-q", "--set", "b.gain[4]=1", status=2)
        self.assertIn("there is no variable 'b.gain[4]'", said)

    def test_lists_of_texts(self):
        rows = self.record("nnn.ssd", "--set", 'a.in_s="p \\"q\\"" r', "--output-variable", "a.in_s")
        self.assertEqual([rows[0]["a.in_s[1]"], rows[0]["a.in_s[2]"]][0], 'p "q"')
        said = self.call("run", "nnn.ssd", "-q", "--set", "a.in_s=p q r", status=2)
        self.assertIn("'p q r' is not a value of type String", said)


if __name__ == "__main__":
    main("--plugin")
