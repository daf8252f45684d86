# SPDX-License-Identifier: MIT
"""Which files a conversion makes, replaces and leaves behind, and what is said about them."""
import os
import pathlib
import sys
import warnings
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import hocket_case  # noqa: E402

OUTER = """<?xml version="1.0" encoding="UTF-8"?>
<SystemStructureDescription xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription" name="outer" version="1.0">
  <System name="outer"><Elements>
    <Component name="in" type="application/x-ssp-package" source="p.ssp"/>
  </Elements></System>
  <DefaultExperiment startTime="0" stopTime="0.1"/>
</SystemStructureDescription>
"""


class Files(hocket_case.Case):
    def package(self, name="p.ssp"):
        (self.folder / name).write_bytes((self.options.models / "quarter_truck.ssp").read_bytes())
        return name

    def names(self):
        return sorted(p.name for p in self.folder.iterdir())

    def test_a_package_inside_a_description(self):
        """Its files lie in a temporary folder, which is gone when the system file is run."""
        self.package()
        self.write("a.ssd", OUTER)
        self.hocket("convert", "-q", "a.ssd", "b.system")
        self.assertEqual(sorted(os.listdir(self.folder / "b_files")), ["chassis.fmu", "ground.fmu", "wheel.fmu"])
        self.assertNotIn(os.environ.get("TMPDIR", "/tmp"), (self.folder / "b.system").read_text(encoding="utf-8"))
        for system, result in (("a.ssd", "a.csv"), ("b.system", "b.csv")):
            self.hocket("run", system, "-q", "-o", result)
        self.assertEqual((self.folder / "a.csv").read_bytes(), (self.folder / "b.csv").read_bytes())

    def test_what_fails_leaves_nothing_behind(self):
        self.package()
        (self.folder / "x_files").mkdir()
        (self.folder / "x_files/mine").write_text("mine")
        for to in ("x.system", "x.ssd"):
            with self.subTest(to):
                said = self.hocket("convert", "-q", "p.ssp", to, exit=3).stderr
                self.assertIn("would go into 'x_files', which is there already", said)
                self.assertEqual(self.names(), ["p.ssp", "x_files"])
                self.assertEqual(os.listdir(self.folder / "x_files"), ["mine"])
        for to in ("y.system", "y.ssd"):  # the last file cannot be made
            with self.subTest(to):
                (self.folder / to).mkdir()
                self.hocket("convert", "-q", "p.ssp", to, exit=3)
                (self.folder / to).rmdir()
                self.assertEqual(self.names(), ["p.ssp", "x_files"])

    def test_the_name_of_a_variant_is_refused(self):
        self.package()
        for to in ("w.ssp#x.ssd", "w.ssp#x.system"):
            with self.subTest(to):
                said = self.hocket("convert", "-q", "p.ssp", to, exit=2).stderr
                self.assertIn("the name means one description of a package", said)
                self.assertEqual(self.names(), ["p.ssp"])

    def test_what_cannot_be_read_back_is_not_left(self):
        self.write("set.ssv", '<v:ParameterSet version="1.0" name="s" xmlns:v="http://ssp-standard.org/SSP1/SystemStructure'
                   'ParameterValues"><v:Parameters/></v:ParameterSet>')
        self.write("x.ssd", OUTER.replace("<Elements>", '<ParameterBindings><ParameterBinding source="file:set.ssv"/>'
                                          "</ParameterBindings><Elements>").replace("p.ssp", "hk.Gain")
                   .replace("x-ssp-package", "x-hocket-builtin"))
        (self.folder / "sub").mkdir()
        (self.folder / "sub/old.ssd").write_text("old")
        for to in ("sub/old.ssd", "sub/new.ssd"):  # the way to the set is not changed by its scheme
            said = self.hocket("convert", "-q", "x.ssd", to, exit=1).stderr
            self.assertIn("what is written cannot be read back: the file 'set.ssv' does not exist", said)
        self.assertEqual(os.listdir(self.folder / "sub"), ["old.ssd"])
        self.assertEqual((self.folder / "sub/old.ssd").read_text(), "old")

    def test_one_damage_is_one_message(self):
        def write(name, entry, data):
            self.package(name)
            with warnings.catch_warnings(), zipfile.ZipFile(self.folder / name, "a") as package:
                warnings.simplefilter("ignore")  # of one name twice
                package.writestr(entry, data)
        write("twice.ssp", "resources/chassis.fmu", "x")
        write("long.ssp", "resources/" + "x" * 300, "x")
        write("sum.ssp", "resources/t.txt", "hello world")
        damaged = (self.folder / "sum.ssp").read_bytes()
        (self.folder / "sum.ssp").write_bytes(damaged.replace(b"hello world", b"hello w0rld"))
        for name, words in (("twice.ssp", "another entry has the same name"), ("long.ssp", "cannot be unpacked"),
                            ("sum.ssp", "the checksum is wrong")):
            with self.subTest(name):
                said = self.hocket("convert", "-q", name, "x.system", exit=3).stderr
                self.assertIn(words, said)
                self.assertEqual(said.count("error["), 1, said)

    def test_values_that_are_not_finite(self):
        """XML Schema spells them in its own way."""
        self.write("x.system", "system x { composite all { leaf a : hk.Gain { param gain = 2; } } }\n")
        for value, words in (("nan", "NaN"), ("inf", "INF"), ("-inf", "-INF")):
            with self.subTest(value):
                self.hocket("convert", "-q", "--set", f"a.gain={value}", "x.system", "y.ssd")
                self.assertIn(f'value="{words}"', (self.folder / "y.ssd").read_text(encoding="utf-8"))
                self.hocket("convert", "-q", "y.ssd", "z.system")
                self.assertIn(f'param gain = "{value}";', (self.folder / "z.system").read_text(encoding="utf-8"))

    def test_a_start_without_an_end(self):
        self.write("x.system", "system x { experiment start 1 s; composite all { leaf a : hk.Gain; } }\n")
        self.hocket("convert", "-q", "x.system", "y.ssp")
        self.assertNotIn("stopTime", self.hocket("info", "y.ssp").stderr)
        said = self.hocket("convert", "y.ssp", "z.system").stderr
        self.assertNotIn("stopTime", said)
        self.assertRegex((self.folder / "z.system").read_text(encoding="utf-8"), r"experiment start 1 ?s;")

    def test_a_link_to_nothing_stays_a_link(self):
        self.write("x.system", "system x { composite all { leaf a : hk.Gain; } }\n")
        (self.folder / "there").mkdir()
        (self.folder / "y.ssd").symlink_to("there/z.ssd")
        self.hocket("convert", "-q", "x.system", "y.ssd")
        self.assertTrue((self.folder / "y.ssd").is_symlink())
        self.assertIn("hk.Gain", (self.folder / "there/z.ssd").read_text(encoding="utf-8"))


if __name__ == "__main__":
    hocket_case.main("--hocket", "--models", "--examples", "--source", "--fmus")
