#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Systems of other formats as multi-models, and back: runs have the same bytes, and what the profile cannot say is told."""
import json
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from hocket_case import Case, main  # noqa: E402


class Convert(Case):
    def record(self, system, stop="2"):
        self.hocket("run", system, "--stop-time", stop, "-o", "record.csv")
        return (self.folder / "record.csv").read_bytes()

    def stage(self, *files):
        for file in files:
            shutil.copy(self.options.models / file, self.folder)

    def there_and_back(self, model, stop):
        """From .sysml, from the exported SSP and system file, and from what these are as .sysml again."""
        own = self.record(model, stop)
        for kind in ("ssp", "ssd", "system"):
            self.hocket("convert", model, f"made.{kind}")
            self.assertEqual(self.record(f"made.{kind}", stop), own, kind)
            said = self.hocket("convert", f"made.{kind}", f"back_{kind}.sysml").stderr
            self.assertNotIn("comments", said)
            self.assertEqual(self.record(f"back_{kind}.sysml", stop), own, f"back from {kind}")
            self.hocket("check", "--profile", "into-sysml", f"back_{kind}.sysml")

    def test_truck(self):
        self.stage(*(f"language/{name}" for name in ("quarter_truck.sysml", "chassis.fmu", "wheel.fmu", "ground.fmu")))
        self.hocket("check", "--profile", "into-sysml", "quarter_truck.sysml")
        self.there_and_back("quarter_truck.sysml", "2")

    def test_aircraft(self):
        self.stage("language/r_rosace.sysml", "language/rosace.so")
        self.hocket("check", "--profile", "into-sysml", "r_rosace.sysml")
        self.there_and_back("r_rosace.sysml", "2")
        self.assertEqual(self.record("r_rosace.sysml"), self.record(self.options.models / "r_rosace.ssp"))

    def test_detector(self):
        self.stage("detector/detector.sysml", "detector/ChemicalDetector.rct",
                   *(f"detector_ssp/resources/{name}.fmu" for name in ("Arena", "ChemDHW", "MobilityHw", "WallSensor")))
        self.there_and_back("detector.sysml", "20")

    def test_systems_of_other_formats(self):
        """Packages whose FMUs are of each version, of a plugin, with rates of their own."""
        for name in ("quarter_truck", "quarter_truck_native", "quarter_truck_fmi3", "rosace"):
            package = self.options.models / f"{name}.ssp"
            self.hocket("convert", package, f"{name}.sysml")
            self.assertEqual(self.record(f"{name}.sysml"), self.record(package), name)

    def test_values_types_and_the_experiment(self):
        """Alike components are one block; what one has of its own is redefined."""
        self.write("x.system", """system x {
  experiment stop 2s step 250ms;
  composite root {
    leaf a : hk.Gain {
      param gain = 2;
    }
    composite inner {
      input core.double u;
      output core.double y;
      leaf b : hk.Gain {
        param gain = -0.25;
      }
      link u -> b.u lag previous;
      link b.y -> y;
    }
    leaf i : hk.Integrator {
      param start = 1e-9;
      frequency 2 Hz;
    }
    link i.y -> a.u, inner.u;
    link a.y -> i.u lag previous;
  }
}
""")
        self.hocket("convert", "x.system", "x.sysml")
        text = (self.folder / "x.sysml").read_text(encoding="utf-8")
        self.assertEqual(text.count("#ecomponent part def"), 3, text)  # a is reactive, b is not
        for line in ("part inner : Inner;", "stepSize = 0.25;", "stopTime = 2;", "cycle = 0.5;", "= 1e-9;", "= -0.25;"):
            self.assertIn(line, text)
        self.hocket("run", "x.system", "-o", "one.csv")
        self.hocket("run", "x.sysml", "-o", "two.csv")
        self.assertEqual((self.folder / "one.csv").read_bytes(), (self.folder / "two.csv").read_bytes())

    def test_instances_with_values_of_their_own(self):
        leaves = "".join(f"    leaf a{i} : hk.Constant {{\n      param value = {i};\n    }}\n" for i in range(3))
        self.write("x.system", f"system x {{\n  composite root {{\n{leaves}  }}\n}}\n")
        self.hocket("convert", "x.system", "x.sysml")
        text = (self.folder / "x.sysml").read_text(encoding="utf-8")
        self.assertEqual(text.count("#ecomponent part def"), 1, text)
        self.assertEqual(text.count(":>> value ="), 3, text)
        self.assertEqual(self.record("x.sysml").splitlines()[-1], b"2,0,1,2")

    def test_periods_that_no_short_decimal_says(self):
        """1/3 s is written as a tool would print it, and read as what it means."""
        self.write("x.system", "system x {\n  composite root {\n    leaf a : hk.Integrator {\n      frequency 3 Hz;\n    }\n"
                   "    leaf b : hk.Integrator {\n      frequency 3 Hz;\n      param start = 1;\n    }\n    link b.y -> a.u lag previous;\n  }\n}\n")
        self.hocket("convert", "x.system", "x.sysml")
        self.assertIn("cycle = 0.3333333333333333;", (self.folder / "x.sysml").read_text(encoding="utf-8"))
        records = []
        for name in ("x.system", "x.sysml"):
            self.hocket("run", name, "--stop-time", "2", "-o", "record.csv")
            records.append((self.folder / "record.csv").read_bytes())
        self.assertEqual(*records)
        said = self.hocket("prove", "x.sysml", "--stop-time", "2", "--spin=never").stdout
        self.assertIn("yes: the specification and the contracts hold", said)

    def test_what_has_no_words_is_refused_at_its_place(self):
        whole = "system x {\n  composite root {\n    leaf a : hk.Gain%s;\n    leaf b : hk.Gain;\n    link a.y -> b.u%s;\n%s  }\n}\n"
        for change, said in (
                ((" {\n      priority 1;\n    }", "", ""), "'a' has a priority"),
                ((" {\n      offset 1ms;\n      period 2ms;\n    }", "", ""), "'a' has an offset"),
                ((" {\n      frequency 300007 Hz;\n    }", "", ""), "is not a decimal number of seconds"),
                (("", " delay 1s", ""), "a flow has no delay"),
                (("", " lag previous initial 3", ""), "a flow has no initial value of its own"),
                (("", " lag observe", ""), "'observe'"),
                (("", "", "    processor p: a b;\n"), "no words for processors")):
            text = whole % change
            self.write("x.system", text.replace("};", "}"))
            done = self.hocket("convert", "x.system", "y.sysml", exit=3)
            self.assertIn(said, done.stderr)
            self.assertIn("x.system:", done.stderr)
            self.assertFalse((self.folder / "y.sysml").exists())

    def test_a_changed_value_is_refused(self):
        done = self.hocket("convert", self.options.models / "ship.ssp", "ship.sysml", exit=3)
        self.assertIn("a value is changed on its way", done.stderr)
        self.assertIn("SystemStructure.ssd:262:7", done.stderr)

    def test_what_is_left_out_is_told(self):
        done = self.hocket("convert", self.options.models / "quarter_truck.ssp", "x.sysml")
        self.assertIn("a multi-model has no words for a description: left out", done.stderr)
        self.assertIn("left out: a description)", done.stderr)

    def left_out(self, *words):
        return json.loads(self.hocket("convert", *words, "--json").stdout)["left_out"]

    def test_all_that_a_multimodel_loses(self):
        """Each thing is told once, with its place, and is in the answer."""
        good = (HERE / "wrong" / "good.sysml").read_text(encoding="utf-8")
        self.assertEqual(self.left_out(self.write("plain.sysml", good.replace("flow f1", "flow c1")), "plain.ssp"), [])
        gain = good.replace("out attribute y : Real;", 'out attribute y : Real { @unit { name = "m"; } }')
        text = gain.replace("    part b : A;", "    part b : A; // the second").replace(
            "  #system", "  metadata def Safety;\n  #ecomponent part def Spare {\n    in attribute u : Real = 0.0;\n  }\n  #system")
        text = text.replace("in attribute u : Real = 0.0;", "in attribute u : Real = 2.0 {\n      @Safety;\n    }", 1).replace(
            "    @EComponent", "    dependency from y to u { @feedthrough; }\n    @EComponent", 1)
        self.write("model.sysml", text)
        always = ["comments", "metadata of other tools", "names of flows", "units that what runs does not say",
                  "blocks that are not part of the system"]
        said = self.hocket("convert", "model.sysml", "told.ssp").stderr
        for number, what in enumerate(always):
            begins = ("part b :", "@Safety", "flow f1", "out attribute y", "#ecomponent part def Spare")[number]
            line = next(i for i, line in enumerate(text.splitlines(), 1) if begins in line)
            self.assertRegex(said, rf"model.sysml:{line}:\d+: warning\[HK0314\]: nothing in told.ssp stands for {what}: left out")
        for kind in ("ssd", "ssp"):
            self.assertEqual(self.left_out("model.sysml", f"made.{kind}"), always)
        self.assertEqual(self.left_out("model.sysml", "made.system"),
                         ["kinds, platforms and names of blocks", "initial values of inputs that are connected", *always])

    def test_kinds_and_names_of_blocks_come_back(self):
        detector = self.options.models / "detector" / "detector.sysml"
        for kind in ("ssp", "ssd"):
            self.hocket("convert", detector, f"made.{kind}")
            said = self.hocket("run", f"made.{kind}", "--stop-time", "1").stderr
            self.assertNotIn("HK0404", said)
            self.assertNotIn("kinds of components", self.hocket("convert", f"made.{kind}", f"{kind}.sysml").stderr)
            text = (self.folder / f"{kind}.sysml").read_text(encoding="utf-8")
            for line in ("package ChemicalDetection {", "#system part def ChemicalDetectionSystem {", 'platform = "Simulink";',
                         "#roboticPlatform part def Rover {", "#ecomponent part def WallSensor {", "part cds : Chem"):
                self.assertIn(line, text)
            self.hocket("check", f"{kind}.sysml")
            self.assertIn("kinds, platforms and names of blocks", self.left_out(f"made.{kind}", f"again_{kind}.system"))
            self.assertNotIn("HK0404", self.hocket("run", f"again_{kind}.system", "--stop-time", "1").stderr)

    def test_wrong_words_of_a_block(self):
        good = (HERE / "wrong" / "good.sysml").read_text(encoding="utf-8")
        self.hocket("convert", self.write("model.sysml", good), "made.ssd")
        text = (self.folder / "made.ssd").read_text(encoding="utf-8")
        for old, new, said in (('kind="physical"', 'kind="odd"', "'odd', which block 'A' says, is not a word of the profile"),
                               (' kind="physical"', ' knid="physical"', "unknown attribute 'knid' of 'Block'"),
                               ('<hks:Block name="A"', "<hks:Block", "'Block' has no attribute 'name'")):
            self.assertIn(old, text)
            self.write("wrong.ssd", text.replace(old, new, 1))
            done = self.hocket("convert", "wrong.ssd", "wrong.sysml", exit=None)
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stderr, rf"wrong.ssd:\d+:\d+: error\[HK\d+\]: {said}")
            self.assertFalse((self.folder / "wrong.sysml").exists())


if __name__ == "__main__":
    main()
