# SPDX-License-Identifier: MIT
"""Comments of a system file and of a description: each one is there when the one has become the other, and comes back as
it was."""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import hocket_case  # noqa: E402

# Every place that can have one; the numbers are what is looked for.
SYSTEM = """
// c00 above the file
system words { // c01 behind its name
  // c02 above the experiment
  experiment stop 1s; // c03
  // c04 a block -- with hyphens, --- and a -\\- of its own --
  //
  // c05 behind an empty line
  composite all { // c06
    // c07 above a port
    output core.double seen; // c08
    /* c09
       c10 */
    leaf source : hk.Constant { // c11
      // c12 above a period
      period 1s; // c13
      // c14 above a value
      param value = 3; // c15
      // c16 at the end of a leaf
    } // c17
    leaf sink : hk.Gain { period 1s; }
    leaf other : hk.Gain { period 1s; }
    // c18 above a link
    link source.y -> sink.u, seen; // c19
    // c20 above another one
    link source.y -> other.u;
    // c21 above a processor
    processor one: source sink other; // c22
    // c23 at the end of a composite
  } // c24
  // c25 at the end of the system
} // c26
// c27 behind it
"""
NAMES = 'xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription" xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues"'
BUILTIN = 'type="application/x-hocket-builtin" source'
DESCRIPTION = f"""<?xml version="1.0" encoding="UTF-8"?>
<!-- c00 above the root -->
<SystemStructureDescription {NAMES} version="1.0" name="words">
  <!-- c01
       c02 above the system -->
  <System name="s">
    <!-- c03 above connectors -->
    <Connectors>
      <!-- c04 above a connector -->
      <Connector name="out" kind="output"><!-- c05 inside --></Connector>
    </Connectors>
    <Elements>
      <!-- c06 above a component -->
      <Component name="a" {BUILTIN}="hk.Constant">
        <Connectors>
          <!-- c07 above a connector of a component -->
          <Connector name="y" kind="output"/>
        </Connectors>
        <ParameterBindings><ParameterBinding><ParameterValues>
          <ssv:ParameterSet version="1.0" name="p"><ssv:Parameters>
            <!-- c08 above a parameter -->
            <ssv:Parameter name="value"><!-- c09 inside a parameter --><ssv:Real value="4"/></ssv:Parameter>
            <!-- c10 behind the parameters -->
          </ssv:Parameters></ssv:ParameterSet>
        </ParameterValues></ParameterBinding></ParameterBindings>
      </Component>
      <Component name="b" {BUILTIN}="hk.Gain"/>
      <!-- c11 above a description of its own -->
      <Component name="n" type="application/x-ssp-definition" source="nested.ssd"/>
      <!-- c12 behind the elements -->
    </Elements>
    <Connections>
      <!-- c13 above a connection -->
      <Connection startElement="a" startConnector="y" endElement="b" endConnector="u"/>
      <!-- c14 above another one of the same value -->
      <Connection startElement="a" startConnector="y" endConnector="out"/>
      <!-- c15 behind the connections -->
    </Connections>
    <!-- c16 at the end of the system -->
  </System>
  <!-- c17 above the experiment -->
  <DefaultExperiment stopTime="1"/>
  <!-- c18 -->
</SystemStructureDescription>
<!-- c19 behind the root -->
"""
NESTED = f"""<SystemStructureDescription {NAMES} version="1.0" name="nested">
  <System name="inner"><Elements>
    <!-- c20 in a file of its own -->
    <Component name="x" {BUILTIN}="hk.Gain"/>
  </Elements></System>
  <!-- c21 at its end -->
</SystemStructureDescription>
"""


def numbers(text):
    return sorted(re.findall(r"c\d\d", text))


class Comments(hocket_case.Case):
    def convert(self, start, end):
        answer = json.loads(self.hocket("convert", "--json", "-q", start, end).stdout)
        self.assertEqual(answer["left_out"], [])
        return (self.folder / end).read_text(encoding="utf-8")

    def test_a_system_file(self):
        self.write("x.system", SYSTEM)
        written = self.convert("x.system", "x.ssd")
        self.assertEqual(numbers(written), numbers(SYSTEM))
        back = self.convert("x.ssd", "y.system")
        self.assertEqual(numbers(back), numbers(SYSTEM))
        lines = [line.strip() for line in back.splitlines()]
        for above, below in (("// c05 behind an empty line", None), ("// c08", "output core.double seen;"), ("// c15", "param value = 3;"),
                             ("// c19", "link source.y -> sink.u, seen;"), ("// c20 above another one", "link source.y -> other.u;")):
            self.assertIn(above, lines)
            if below:
                self.assertEqual(lines[lines.index(above) + 1], below)
        # The second time around nothing changes.
        self.assertEqual(self.convert("y.system", "z.ssd"), self.convert("y.system", "x.ssd"))
        self.assertEqual(self.convert("z.ssd", "z.system"), back)

    def test_hyphens_and_empty_lines(self):
        block = ("  // c04 a block -- with hyphens, --- and a -\\- of its own --\n  //\n  // c05 behind an empty line\n")
        self.assertIn(block, SYSTEM)
        self.write("x.system", SYSTEM)
        inside = re.findall(r"<!--(.*?)-->", self.convert("x.system", "x.ssd"), re.DOTALL)
        self.assertIn(" c04 a block -\\- with hyphens, -\\-\\- and a -\\\\- of its own -\\- ", inside)
        self.assertIn(block, self.convert("x.ssd", "y.system"))

    def test_annotations_of_other_tools(self):
        """Written again: texts stay to the last blank, tags get the canonical form."""
        inside = ("<o:x xmlns:o=\"o\"   b = 'two'>  a\n\n   b <o:y ></o:y>\t</o:x >", '<o:x xmlns:o="o" b="two">  a\n\n   b <o:y/>\t</o:x>')
        head = DESCRIPTION.replace('version="1.0" name="words"', 'xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" version="1.0" name="words"', 1)
        self.write("nested.ssd", NESTED)
        self.write("x.ssd", head.replace("<!-- c18 -->", f'<Annotations><ssc:Annotation type="org.other">{inside[0]}</ssc:Annotation></Annotations>'))
        self.hocket("convert", "-q", "x.ssd", "y.ssd")
        self.assertIn(f">{inside[1]}<", (self.folder / "y.ssd").read_text(encoding="utf-8"))

    def test_parameter_sets_in_files(self):
        """Their comments have no place, which is a warning."""
        binding = '<ParameterBindings><ParameterBinding source="p.ssv"/></ParameterBindings>'
        self.write("nested.ssd", NESTED)
        self.write("x.ssd", DESCRIPTION.replace(f'<Component name="b" {BUILTIN}="hk.Gain"/>', f'<Component name="b" {BUILTIN}="hk.Gain">{binding}</Component>'))
        self.write("p.ssv", f'<ssv:ParameterSet {NAMES} version="1.0" name="p"><ssv:Parameters>\n'
                            '  <!-- why --><ssv:Parameter name="gain"><ssv:Real value="4"/></ssv:Parameter></ssv:Parameters></ssv:ParameterSet>')
        done = self.hocket("convert", "x.ssd", "y.system")
        self.assertIn("p.ssv:2:3: warning", done.stderr)
        self.assertIn("left out: comments)", done.stderr)
        self.assertIn("param gain = 4;", (self.folder / "y.system").read_text(encoding="utf-8"))

    def test_a_description(self):
        self.write("x.ssd", DESCRIPTION)
        self.write("nested.ssd", NESTED)
        written = self.convert("x.ssd", "y.system")
        self.assertEqual(numbers(written), numbers(DESCRIPTION + NESTED))
        lines = [line.strip() for line in written.splitlines()]
        for above, below in (("// c06 above a component", None), ("// c09 inside a parameter", "param value = 4;"),
                             ("// c13 above a connection", "link a.y -> b.u lag previous;"), ("// c14 above another one of the same value", "link a.y -> out;")):
            self.assertIn(above, lines)
            if below:
                self.assertEqual(lines[lines.index(above) + 1], below)
        self.assertEqual(numbers(self.convert("y.system", "z.ssd")), numbers(written))


if __name__ == "__main__":
    hocket_case.main("--hocket", "--models", "--examples", "--source", "--fmus")
