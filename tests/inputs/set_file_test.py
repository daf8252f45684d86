#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Start values from files: parameter sets, tables, JSON; who has the last word; what is refused, and where."""
import json

import rig

SYSTEM = """system s { composite c {
  leaf a : hk.Gain { frequency 10 Hz; }
  leaf b : hk.Gain { frequency 10 Hz; }
} }
"""
SSV = """<?xml version="1.0" encoding="UTF-8"?>
<ssv:ParameterSet xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues"
  xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" version="1.0" name="p">
<ssv:Parameters>
{}
</ssv:Parameters>
<ssv:Units><ssc:Unit name="gm"><ssc:BaseUnit kg="1" factor="0.001"/></ssc:Unit></ssv:Units>
</ssv:ParameterSet>
"""


def parameter(name, value, kind="Real", more=""):
    return f'<ssv:Parameter name="{name}"><ssv:{kind} value="{value}"{more}/></ssv:Parameter>'


class SetFile(rig.Rig):
    def setUp(self):
        super().setUp()
        self.write("s.system", SYSTEM)

    def values(self, *words, model="s.system"):
        """The start values that hold, and where each comes from."""
        told = self.hocket("run", model, "--stop-time", "1", *words, "--explain-settings", "--json")
        answer = json.loads([line for line in told.splitlines() if '"schema"' in line][0])
        return {n: (v["value"], v["from"]) for n, v in answer.get("start_values", {}).items()}

    def gains(self, *words):
        self.hocket("run", "s.system", "--stop-time", "0.2", "-o", "o.csv", "--output-variable", "*.gain", *words)
        row = self.rows()[0]
        return float(row["a.gain"]), float(row["b.gain"])

    def test_three_formats(self):
        self.write("p.csv", "name,value\na.gain,2\nb.gain,3\n")
        self.write("p.json", '{"a": {"gain": 2},\n "b.gain": 3}')
        self.write("p.ssv", SSV.format(parameter("a.gain", 2) + "\n" + parameter("b.gain", 3)))
        for file in ("p.csv", "p.json", "p.ssv"):
            self.assertEqual(self.gains("--set-file", file), (2, 3), file)
        self.assertEqual(self.values("--set-file", "p.csv"), {"a.gain": ("2", "p.csv:2"), "b.gain": ("3", "p.csv:3")})
        self.assertEqual(self.values("--set-file", "p.json"), {"a.gain": ("2", "p.json:1"), "b.gain": ("3", "p.json:2")})
        self.assertEqual(self.values("--set-file", "p.ssv"), {"a.gain": ("2", "p.ssv:5"), "b.gain": ("3", "p.ssv:6")})

    def test_every_verb(self):
        self.write("p.csv", "name,value\na.gain,2\n")
        self.write("q.csv", "name,value\na.gian,2\n")
        for verb in (["run"], ["check"], ["plan"], ["prove"], ["trace"]):
            more = ["--stop-time", "1"] + (["a.y", "--at", "0.5"] if verb == ["trace"] else [])
            self.hocket(*verb, "s.system", *more, "--set-file", "p.csv")
            self.refused(*verb, "s.system", *more, "--set-file", "q.csv", says=("q.csv:2: error[HK0102]: there is no variable 'a.gian'", "did you mean"))

    def test_precedence(self):
        self.write("p.csv", "name,value\na.gain,2\nb.gain,3\n")
        self.write("q.json", '{"b.gain": 4}')
        self.assertEqual(self.gains("--set", "a.gain=7", "--set-file", "p.csv", "--set-file", "q.json"), (7, 4))
        told = self.hocket("run", "s.system", "--stop-time", "0.2", "-o", "o.csv", "--set", "a.gain=7",
                           "--set-file", "p.csv", "--set-file", "q.json",
                           says=("p.csv:2: note: the start value of 'a.gain' is replaced by that of --set a.gain=7",
                                 "p.csv:3: note: the start value of 'b.gain' is replaced by that of q.json:1"))
        self.assertEqual(told.count("is replaced by"), 2)

    def test_units(self):
        fmu = self.fmu("ground", "g.fmu")
        self.write("p.csv", "name,value,unit,remark\nFilter.f,0.02,kHz,high\n")
        self.write("p.json", '{"Filter.f": "0.02 kHz"}')
        for file in ("p.csv", "p.json"):
            self.hocket("run", fmu, "--stop-time", "0.01", "--set-file", file, "-o", "o.csv",
                        "--output-variable", "*Filter.f")
            self.assertEqual(float(list(self.rows()[0].values())[1]), 20)
        self.hocket("check", fmu, "--set-file", "p.csv", says="p.csv:1: note: column 'remark' is not used")
        self.write("p.ssv", SSV.format(parameter("Filter.f", 2, more=' unit="gm"')))
        self.refused("run", fmu, "--set-file", "p.ssv", says="p.ssv:5")

    def test_texts_and_arrays(self):
        fmu = self.fmu("feedthrough3", "f.fmu")
        self.write("p.json", '{"string_vector_parameter": ["a b", "", "c\\"", "d", "e"],\n'
                             '"float64_matrix_parameter": [[1, 2, 3], [4, 5, 6]], "string_parameter": "12 kg"}')
        words = ["--stop-time", "0.1", "--step-size", "0.1", "-o", "o.csv", "--output-variable",
                 "*string_vector_parameter*", "--output-variable", "*float64_matrix_parameter*",
                 "--output-variable", "*string_parameter"]
        self.hocket("run", fmu, "--set-file", "p.json", *words)
        row = list(self.rows()[0].values())
        for cell in ("a b", "", 'c"', "12 kg", "6"):
            self.assertIn(cell, row)
        self.write("bad.json", '{"float64_vector_parameter": [1, 2]}')
        self.refused("run", fmu, "--set-file", "bad.json",
                     says="bad.json:1: error[HK0306]: 'float64_vector_parameter' has 5 elements, and 2 values")

    def test_shapes(self):
        """Arrays inside arrays have the shape of the variable; a flat one is taken row after row."""
        fmu = self.fmu("feedthrough3", "f.fmu")
        words = ["--stop-time", "0.1", "--step-size", "0.1", "-o", "o.csv", "--output-variable", "*float64_matrix_parameter*"]
        for good in ("[[1, 2, 3], [4, 5, 6]]", "[1, 2, 3, 4, 5, 6]"):
            self.write("p.json", '{"float64_matrix_parameter": %s}' % good)
            self.hocket("run", fmu, "--set-file", "p.json", *words)
            self.assertEqual([float(v) for v in list(self.rows()[0].values())[1:]], [1, 2, 3, 4, 5, 6])
        for bad, says in (("[[1, 2], [3, 4], [5, 6]]", "is 2 x 3, and 3 x 2 is given"),
                          ("[[[1, 2, 3], [4, 5, 6]]]", "is 2 x 3, and 1 x 2 x 3 is given"),
                          ("[[1, 2], [3, 4, 5, 6]]", "are not alike"), ("[[1, 2, 3], 4, 5, 6]", "are not alike"),
                          ("[1, 2, 3, [4, 5, 6]]", "are not alike"), ("[" * 17 + "1" + "]" * 17, "16 deep")):
            self.write("p.json", '{"float64_matrix_parameter": %s}' % bad)
            self.refused("run", fmu, "--set-file", "p.json", says=("p.json:1", "error[HK0306]", says))

    def test_declared_dimensions(self):
        """Dimensions that a parameter set declares are those of the variable."""
        fmu = self.fmu("feedthrough3", "f.fmu")
        words = ["--stop-time", "0.1", "--step-size", "0.1", "-o", "o.csv", "--output-variable", "*float64_matrix_parameter*"]
        for sizes, says in (((2, 3), None), ((), None), ((3, 2), "is 2 x 3, and 3 x 2 is given"), ((6,), "is 2 x 3, and 6 is given")):
            declared = "".join(f'<ssc:Dimension size="{n}"/>' for n in sizes)
            self.write("p.ssv", SSV.format('<ssv:Parameter name="float64_matrix_parameter"><ssv:Float64 value="1 2 3 4 5 6"/>'
                                           f"{declared}</ssv:Parameter>").replace('version="1.0" name', 'version="2.0" name'))
            if says:
                self.refused("run", fmu, "--set-file", "p.ssv", *words, says=("p.ssv:5", "error[HK0306]", says))
            else:
                self.hocket("run", fmu, "--set-file", "p.ssv", *words)

    def test_controls_beyond_ascii(self):
        """They reach neither the terminal nor the trace as they are; the trace says what they were."""
        wild = "a\u009b31mb\x7f\u00e4"
        fmu = self.fmu("probe", "p.fmu", lambda text: text.replace('modelName="', 'modelName="\u009b31m', 1))
        told = self.hocket("info", fmu)
        self.assertNotIn("\u009b", told)
        self.hocket("run", fmu, "--stop-time", "0.1", "--step-size", "0.1", "--set", f"text_in={wild}", "-o", "o.csv",
                    "--trace", "t.jsonl")
        text = (self.folder / "t.jsonl").read_text(encoding="utf-8")
        self.assertNotIn("\u009b", text)
        self.assertNotIn("\x7f", text)
        self.assertIn("a\\u009b31mb\\u007f\u00e4", text)

    def test_overlaps(self):
        """An element and the whole array: in one file nobody says which counts, elsewhere the later one does."""
        fmu, name = self.fmu("feedthrough3", "f.fmu"), "float64_vector_parameter"
        words = ["--stop-time", "0.1", "--step-size", "0.1", "-o", "o.csv", "--output-variable", f"*{name}*"]
        whole, part = parameter(name, "1 2 3 4 5"), parameter(f"{name}[2]", 7)
        for file, text in (("p.json", '{"%s[2]": 7,\n"%s": [1, 2, 3, 4, 5]}' % (name, name)),
                           ("p.csv", f"name,value\n{name},1 2 3 4 5\n{name}[2],7\n"),
                           ("p.ssv", SSV.format(part + "\n" + whole)), ("q.ssv", SSV.format(whole + "\n" + part))):
            self.write(file, text)
            self.refused("run", fmu, "--set-file", file, says=(f"{file}:", "error[HK0409]", "is given twice; the first is"))
        self.write("a.csv", f"name,value\n{name},1 2 3 4 5\n")
        self.write("b.csv", f"name,value\n{name}[2],7\n{name}[4],8\n")
        self.hocket("run", fmu, "--set-file", "a.csv", "--set-file", "b.csv", *words,
                    says="a.csv:2: note: the start value of 'float64_vector_parameter' is replaced in part by that of b.csv:2")
        self.assertIn("7", [v.removesuffix(".0") for v in self.rows()[0].values()])
        told = self.hocket("run", fmu, "--set-file", "b.csv", "--set-file", "a.csv", *words,
                           says="b.csv:3: note: the start value of 'float64_vector_parameter[4]' is replaced by that of a.csv:2")
        self.assertEqual(told.count("is replaced by"), 2)

    def test_one_file_twice(self):
        self.write("p.csv", "name,value\na.gain,2\nb.gain,3\n")
        self.assertEqual(self.gains("--set-file", "p.csv", "--set-file", "p.csv"), (2, 3))

    def test_empty_object_alone(self):
        self.write("p.json", '{"nix": {}}')
        told = self.hocket("run", "s.system", "--set-file", "p.json", "-o", "o.csv", "--stop-time", "1")
        self.assertEqual(told.count("warning["), 1, told)

    def test_empty_object(self):
        self.write("p.json", '{"a.gain": 1,\n"nix": {}}')
        self.hocket("check", "s.system", "--stop-time", "1", "--set-file", "p.json",
                    says=("p.json:2:", "the object 'nix' is empty and gives no start values"))

    def test_refused(self):
        cases = (
            ("d.csv", "name,value\na.gain,2\nb.gain,1\na.gain,2\n", "d.csv:4: error[HK0409]: 'a.gain' is given twice; the first is in line 2"),
            ("d.json", '{"a.gain": 1,\n"a": {"gain": 1}}', "d.json:2: error[HK0409]: 'a.gain' is given twice"),
            ("e.json", '{"a.gain": 1, "a.gain": 2}', "e.json:1:15: error[HK0409]: 'a.gain' is given twice"),
            ("n.json", '{"a": {"gain": null}}', "n.json:1:16: error[HK0306]: 'a.gain' is given null"),
            ("o.json", "[1]", "o.json:1:1: error[HK0306]: the start values are not an object"),
            ("s.json", '{"a.gain": }', "s.json:1:12"),
            ("h.csv", "a.gain,2\n", "h.csv:1: error[HK0305]: the table of start values has no column 'name'"),
            ("w.csv", "name,value,Value\na.gain,2,3\n", "w.csv:1:12: error[HK0305]: two columns are called 'value'"),
            ("t.csv", "name,value\na.gain", "t.csv:2:1: error[HK0305]: the file is cut"),
            ("v.csv", "name,value\na.gain,\n", "v.csv:2:8: error[HK0305]: 'a.gain' has no value"),
            ("c.csv", "name;value\na.gain;1,5\n", "c.csv:2: error[HK0306]: '1,5' is not a value of type Float64"),
            ("u.csv", "name,value\na.gain,2 quux\n", "u.csv:2: error[HK0306]: 'quux' in '2 quux' is not a unit"),
            ("m.txt", "", "m.txt: error[HK0205]"),
        )
        for name, text, says in cases:
            self.write(name, text)
            told = self.hocket("check", "s.system", "--stop-time", "1", "--set-file", name, exit=None, says=says)
            self.assertEqual(told.count("error["), 1, told)
        # One kind of fault has one exit status, whatever the file is made of.
        for name in ("d.csv", "d.json", "e.json"):
            self.hocket("run", "s.system", "--stop-time", "1", "--set-file", name, exit=1)
        self.write("d.ssv", SSV.format(parameter("a.gain", 2) + "\n" + parameter("a.gain", 3)))
        self.refused("run", "s.system", "--set-file", "d.ssv", says="d.ssv:6")
        self.write("w.csv", "name,value\n")
        self.hocket("check", "s.system", "--stop-time", "1", "--set-file", "w.csv", says="gives no start values")

    def test_simulations(self):
        self.write("p.csv", "name,value\na.gain,2\n")
        self.write("s.simulation", """Simulation s (s)
system s;
simulationTime [0, 1]:0.1;
scenarios { Scenario all logs { out.csv timed(1) { "s.c.a.gain"; } } }
""")
        self.hocket("run", "s.simulation", "--set-file", "p.csv", "-o", "logs")
        self.assertEqual(float((self.folder / "logs" / "out.csv").read_text().split()[-1].split(",")[-1]), 2)

    def test_size_and_values_are_replaced(self):
        """What a system gives to an array does not have to fit a size that comes with other values."""
        self.fmu("feedthrough3", "f.fmu")
        given = parameter("f.n", 2, "UInt64") + "\n" + parameter("f.float64_sized_parameter", "8 9")
        self.write("p.ssv", SSV.format(given))
        self.write("s.ssd", """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription" name="s" version="1.0">
<ssd:System name="s"><ssd:ParameterBindings><ssd:ParameterBinding source="p.ssv"/></ssd:ParameterBindings>
<ssd:Elements><ssd:Component name="f" source="f.fmu"/></ssd:Elements></ssd:System>
</ssd:SystemStructureDescription>
""")
        words = ["run", "s.ssd", "--stop-time", "0.1", "--step-size", "0.1", "-o", "o.csv", "--output-variable",
                 "f.float64_sized_parameter*", "--set", "f.n=3"]
        told = self.hocket(*words, "--set", "f.float64_sized_parameter=1 2 3",
                           says="p.ssv:6:1: note: the start value of 'f.float64_sized_parameter' is replaced by that of --set")
        self.assertEqual(told.count("'f.float64_sized_parameter' is replaced"), 1)
        self.assertEqual([float(v) for v in list(self.rows()[0].values())[1:]], [1, 2, 3])
        self.refused(*words, says="'f.float64_sized_parameter' was given 2 values")
        self.refused(*words, "--set", "f.float64_sized_parameter=1 2", says="--set f.float64_sized_parameter=1 2")

    def test_sizes_come_first(self):
        """Elements that an array has only by a structural parameter of the same file."""
        fmu = self.fmu("feedthrough3", "f.fmu")
        told = self.hocket("info", fmu, "--json")
        names = [v["name"] for v in json.loads(told)["variables"] if v["causality"] == "structuralParameter"]
        self.assertTrue(names)
        self.write("p.json", json.dumps({"float64_sized_parameter": [1, 2, 3, 4], names[0]: 4}))
        self.hocket("run", fmu, "--set-file", "p.json", "--stop-time", "0.1", "--step-size", "0.1", "-o",
                    "o.csv", "--output-variable", "*float64_sized_parameter*")
        self.assertIn("4", self.rows()[0].values())


if __name__ == "__main__":
    rig.main()
