# SPDX-License-Identifier: MIT
"""Files that are written again: nothing is lost, the canonical form does not change any more, and one value that is set
is one line that differs."""
import difflib
import os
import pathlib
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import hocket_case  # noqa: E402

DEMO = """<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand -->
<?tool keep me?>
<SystemStructureDescription xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription"
   xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" xmlns:t="http://tool.example/x"
   xmlns:v="http://ssp-standard.org/SSP1/SystemStructureParameterValues" name="demo" version="1.0">
    <System name="root" description="a &lt;gain&gt; &amp; more">
        <ElementGeometry x1="0" y1="0" x2="100" y2="50"/>
        <Elements>
            <!-- the first one -->
            <Component name="a" type="application/x-hocket-builtin" source="hk.Gain">
                <Connectors><Connector name="u" kind="input"><ssc:Real/><ConnectorGeometry x="0" y="0.5"/></Connector>
                    <Connector name="y" kind="output"><ssc:Real/></Connector></Connectors>
                <ElementGeometry x1="10" y1="10" x2="30" y2="20" rotation="90"/>
                <ParameterBindings>
                    <ParameterBinding prefix="ga">
                        <ParameterValues>
                            <v:ParameterSet version="1.0" name="a"><v:Parameters>
                                <v:Parameter name="in"><v:Real value="2.5"/></v:Parameter>
                            </v:Parameters></v:ParameterSet>
                        </ParameterValues>
                    </ParameterBinding>
                </ParameterBindings>
                <Annotations>
                    <ssc:Annotation type="example.tool">
                        <t:Colour   rgb="1 2 3"><![CDATA[ <raw> & kept ]]></t:Colour>   text <t:b/>
                    </ssc:Annotation>
                </Annotations>
            </Component>

            <System name="sub"><Elements>
                <Component name="b" type="application/x-hocket-builtin" source="hk.Gain"/>
            </Elements>
            <ParameterBindings><ParameterBinding><ParameterValues><v:ParameterSet version="1.0" name="s"><v:Parameters>
              <v:Parameter name="b.gain"><v:Real value="4"/></v:Parameter></v:Parameters></v:ParameterSet></ParameterValues>
            </ParameterBinding></ParameterBindings></System>
        </Elements>
        <Connections/>
    </System>
    <DefaultExperiment startTime="0" stopTime="1"/>
</SystemStructureDescription>
"""


class Edit(hocket_case.Case):
    def text(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def changed(self, a, b):
        """The lines of A and B that differ, as pairs."""
        lines = [line for line in difflib.ndiff(a.splitlines(), b.splitlines()) if line[:2] in ("- ", "+ ")]
        self.assertEqual(len(a.splitlines()), len(b.splitlines()))
        return [(x[2:].strip(), y[2:].strip()) for x, y in zip(lines[::2], lines[1::2])]

    def demo(self):
        self.write("x.ssd", DEMO)
        self.hocket("convert", "-q", "x.ssd", "y.ssd")
        return self.text("y.ssd")

    def test_nothing_is_lost(self):
        written = self.demo()
        for part in ("<!-- made by hand -->", "<?tool keep me?>", "<!-- the first one -->", 'rotation="90"',
                     '<ConnectorGeometry x="0" y="0.5"/>', "<![CDATA[ <raw> & kept ]]></t:Colour>   text <t:b/>\n",
                     'description="a &lt;gain&gt; &amp; more"', 'prefix="ga"', "<Connections/>"):
            self.assertIn(part, written)
        self.assertLess(written.index("<ElementGeometry x1=\"10\""), written.index('prefix="ga"'))

    def test_the_second_write_changes_nothing(self):
        written = self.demo()
        self.hocket("convert", "-q", "y.ssd", "z.ssd")
        self.assertEqual(self.text("z.ssd"), written)
        self.assertEqual(self.hocket("fmt", "x.ssd").stdout, written)
        self.hocket("fmt", "--check", "y.ssd")
        self.hocket("fmt", "--check", "x.ssd", exit=1)

    def test_one_value_is_one_line(self):
        written = self.demo()
        for setting, old, new in (("a.gain=7", "2.5", "7"), ("sub.b.gain=-0.125", "4", "-0.125")):
            with self.subTest(setting):
                self.hocket("convert", "-q", "--set", setting, "y.ssd", "z.ssd")
                self.assertEqual(self.changed(written, self.text("z.ssd")),
                                 [(f'<v:Real value="{old}"/>', f'<v:Real value="{new}"/>')])
                self.assertIn(f"{setting.split('=')[0]} = {new}", self.hocket("info", "z.ssd").stdout)

    def test_what_has_no_value_gets_one(self):
        self.write("x.ssd", DEMO.replace("b.gain", "b.bias"))
        self.hocket("convert", "-q", "--set", "sub.b.gain=3", "x.ssd", "y.ssd")
        self.assertIn("sub.b.gain = 3", self.hocket("info", "y.ssd").stdout)
        self.hocket("convert", "-q", "--set", "sub.b.gain=5", "y.ssd", "z.ssd")
        self.assertEqual(self.changed(self.text("y.ssd"), self.text("z.ssd")),
                         [('<ssv:Real value="3"/>', '<ssv:Real value="5"/>')])

    def test_a_value_behind_a_mapping_is_given_anew(self):
        mapping = ('</ParameterValues><ParameterMapping><m:ParameterMapping version="1.0" xmlns:m="http://ssp-standard.org/SSP1/'
                   'SystemStructureParameterMapping"><m:MappingEntry source="in" target="gain"><ssc:LinearTransformation factor="2"/>'
                   '</m:MappingEntry></m:ParameterMapping></ParameterMapping>')
        self.write("x.ssd", DEMO.replace('prefix="ga"', "").replace("</ParameterValues>", mapping, 1))
        self.assertIn("a.gain = 5", self.hocket("info", "x.ssd").stdout)
        self.hocket("convert", "-q", "--set", "a.gain=7", "x.ssd", "y.ssd")
        self.assertIn("a.gain = 7", self.hocket("info", "y.ssd").stdout)
        self.assertIn('value="2.5"', self.text("y.ssd"))

    def test_packages(self):
        package = self.options.models / "quarter_truck.ssp"
        self.hocket("convert", "-q", package, "one.ssp")
        self.hocket("convert", "-q", "--set", "chassis.Mass.m=410", "one.ssp", "two.ssp")
        with zipfile.ZipFile(self.folder / "one.ssp") as one, zipfile.ZipFile(self.folder / "two.ssp") as two:
            self.assertEqual(sorted(one.namelist()), sorted(two.namelist()))
            for name in one.namelist():
                if name != "SystemStructure.ssd":
                    self.assertEqual(one.read(name), two.read(name), name)
            texts = [z.read("SystemStructure.ssd").decode() for z in (one, two)]
        self.assertEqual(len(self.changed(*texts)), 1)
        self.hocket("run", "two.ssp", "--stop-time", "0.2", "-q", "-o", "x.csv")
        self.hocket("run", package, "--set", "chassis.Mass.m=410", "--stop-time", "0.2", "-q", "-o", "y.csv")
        self.assertEqual((self.folder / "x.csv").read_bytes(), (self.folder / "y.csv").read_bytes())

    def test_a_package_holds_each_entry_once_and_nothing_else(self):
        self.hocket("convert", "-q", self.options.models / "quarter_truck.ssp", "one.ssp")
        self.hocket("convert", "-q", "--set", "chassis.Mass.m=410", "one.ssp", "two.ssp")
        self.hocket("convert", "-q", "--set", "chassis.Mass.m=400", "two.ssp", "three.ssp")
        for name in ("two.ssp", "three.ssp"):
            with zipfile.ZipFile(self.folder / name) as package:
                files = package.infolist()
                self.assertEqual(len({f.filename for f in files}), len(files))
                at = 0
                for file in files:  # one after the other, from the first byte on
                    self.assertEqual(file.header_offset, at)
                    at += 30 + len(file.filename) + file.compress_size
                self.assertEqual(package.start_dir, at)
        self.assertEqual((self.folder / "one.ssp").read_bytes(), (self.folder / "three.ssp").read_bytes())

    def test_from_a_package_to_a_description_and_back(self):
        package = self.options.models / "quarter_truck.ssp"
        (self.folder / "other").mkdir()
        self.hocket("convert", "-q", package, "other/loose one.ssd")
        self.assertTrue(list((self.folder / "other/loose one_files/resources").glob("*.fmu")))
        self.assertFalse((self.folder / "other/loose one_files/SystemStructure.ssd").exists())
        self.hocket("convert", "-q", "--set", "chassis.Mass.m=410", "other/loose one.ssd", "two.ssp")
        with zipfile.ZipFile(package) as one, zipfile.ZipFile(self.folder / "two.ssp") as two:
            fmus = [n for n in one.namelist() if n.endswith(".fmu")]
            self.assertEqual(fmus, [n for n in one.namelist() if n in two.namelist() and n.endswith(".fmu")])
            for name in fmus:
                self.assertEqual(one.read(name), two.read(name), name)
        self.hocket("run", "two.ssp", "--stop-time", "0.2", "-q", "-o", "x.csv")
        self.hocket("run", package, "--set", "chassis.Mass.m=410", "--stop-time", "0.2", "-q", "-o", "y.csv")
        self.assertEqual((self.folder / "x.csv").read_bytes(), (self.folder / "y.csv").read_bytes())
        # What is there already is not mixed with what is unpacked.
        before = self.text("other/loose one.ssd")
        message = self.hocket("convert", "-q", package, "other/loose one.ssd", exit=3).stderr
        self.assertIn("which is there already", message)
        self.assertEqual(self.text("other/loose one.ssd"), before)

    def test_all_of_a_description_is_in_its_package(self):
        self.write("set.ssv", '<v:ParameterSet version="1.0" name="s" xmlns:v="http://ssp-standard.org/SSP1/'
                   'SystemStructureParameterValues"><v:Parameters><v:Parameter name="a.gain"><v:Real value="9"/></v:Parameter>'
                   '</v:Parameters></v:ParameterSet>')
        binding = '<ParameterBindings><ParameterBinding source="set.ssv"/></ParameterBindings><Connections/>'
        self.write("x.ssd", DEMO.replace("<Connections/>", "").replace("<Elements>", binding.replace("<Connections/>", "")
                                                                       + "<Elements>", 1))
        self.hocket("convert", "-q", "x.ssd", "x.ssp")
        with zipfile.ZipFile(self.folder / "x.ssp") as made:
            self.assertEqual(sorted(made.namelist()), ["SystemStructure.ssd", "resources/set.ssv"])
            text = made.read("SystemStructure.ssd").decode()
        for part in ("<!-- the first one -->", "<![CDATA[ <raw> & kept ]]></t:Colour>   text <t:b/>\n",
                     '<ConnectorGeometry x="0" y="0.5"/>', 'source="resources/set.ssv"'):
            self.assertIn(part, text)
        self.assertIn("a.gain = 9", self.hocket("info", "x.ssp").stdout)
        # A description inside names files by itself.
        self.write("inner.ssd", DEMO)
        self.write("y.ssd", DEMO.replace('type="application/x-hocket-builtin" source="hk.Gain"/>', 'source="inner.ssd"/>')
                   .replace("b.gain", "b.a.gain"))
        message = self.hocket("convert", "-q", "y.ssd", "y.ssp", exit=3).stderr
        self.assertRegex(message, r"y\.ssd:\d+:\d+: error\[HK\d+\]: the component is the description 'inner.ssd'")
        self.assertFalse((self.folder / "y.ssp").exists())

    def test_sources_are_found_from_another_folder(self):
        folder = self.folder / "a folder"
        folder.mkdir()
        original = self.options.models / "language/quarter_truck_fmus.system"
        self.hocket("convert", "-q", original, folder / "x.ssd")
        self.hocket("convert", "-q", folder / "x.ssd", "y.ssd")
        self.hocket("convert", "-q", original, "y.system")
        for name in ("y.ssd", "y.system"):
            self.hocket("run", name, "--stop-time", "0.1", "-q", "-o", "x.csv")

    def test_system_files(self):
        self.write("x.system", "// first\nsystem x { composite all {\n\n  leaf a : hk.Gain { param gain = 2; } // a comment\n"
                               "  leaf b : hk.Gain;\n /* last */ } }\n")
        self.hocket("convert", "-q", "x.system", "y.system")
        self.hocket("convert", "-q", "--set", "a.gain=3", "y.system", "z.system")
        self.assertEqual(self.changed(self.text("y.system"), self.text("z.system")),
                         [("param gain = 2;", "param gain = 3;")])
        for comment in ("// first", "// a comment", "/* last */"):
            self.assertIn(comment, self.text("z.system"))
        self.hocket("convert", "-q", "--set", "b.gain=9", "y.system", "w.system")
        self.assertIn("b.gain = 9", self.hocket("info", "w.system").stdout)

    def test_many_attributes(self):
        """Linear in the attributes of one element."""
        many = "".join(f' a{i}="1"' for i in range(50000))
        self.write("many.ssd", DEMO.replace('<System name="root"', f'<System{many} name="root"'))
        before = os.times()
        self.hocket("fmt", "many.ssd")
        after = os.times()
        self.assertLess(after.children_user - before.children_user, 3)

    def test_mistakes(self):
        self.demo()
        for words, text in ((("--set", "a.gian=3"), "there is no variable 'a.gian'"), (("--set", "a.gain=x"), "'x'"),
                            (("--set", "gain"), "has no name and value")):
            done = self.hocket("convert", *words, "y.ssd", "z.ssd", exit=2)
            self.assertIn(text, done.stderr)
            self.assertFalse((self.folder / "z.ssd").exists())
        self.assertIn("would overwrite", self.hocket("convert", "y.ssd", "y.ssd", exit=2).stderr)
        self.write("bad.ssd", "<a><b></a>")
        self.assertIn("bad.ssd:1:", self.hocket("fmt", "bad.ssd", exit=3).stderr)
        self.write("other.ssd", "<html/>")
        self.assertIn("which SSP does not know", self.hocket("fmt", "other.ssd", exit=3).stderr)
        self.write("type.ssd", "<!DOCTYPE x><x/>")
        self.assertIn("document type", self.hocket("fmt", "type.ssd", exit=3).stderr)


if __name__ == "__main__":
    hocket_case.main("--hocket", "--models", "--examples", "--source", "--fmus")
