# SPDX-License-Identifier: MIT
"""What users call things by is the same in both formats: connectors of systems, inputs of the outermost one, paths of
simulations."""
import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import hocket_case  # noqa: E402

HEAD = '<SystemStructureDescription version="1.0" name="x" xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription">'
BUILTIN = 'type="application/x-hocket-builtin" source'
# The value of a ramp goes through connectors with strange names, of which two cannot be had.
STRANGE = f"""{HEAD}<System name="s">
<Elements>
  <Component name="a" {BUILTIN}="hk.Ramp"/>
  <System name="inner">
    <Connectors>
      <Connector name="in 1" kind="input"/>
      <Connector name="2x[1]" kind="input"/>
      <Connector name='say "so"' kind="input"/>
      {{0}}
    </Connectors>
    <Elements>
      <Component name="b" {BUILTIN}="hk.Gain"/>
      <Component name="c" {BUILTIN}="hk.Gain"/>
      <Component name="d" {BUILTIN}="hk.Gain"/>
    </Elements>
    <Connections>
      <Connection startConnector="in 1" endElement="b" endConnector="u"/>
      <Connection startConnector="2x[1]" endElement="c" endConnector="u"/>
      <Connection startConnector='say "so"' endElement="d" endConnector="u"/>
      {{1}}
    </Connections>
  </System>
</Elements>
<Connections>
  <Connection startElement="a" startConnector="y" endElement="inner" endConnector="in 1"/>
  <Connection startElement="a" startConnector="y" endElement="inner" endConnector="2x[1]"/>
  <Connection startElement="a" startConnector="y" endElement="inner" endConnector='say "so"'/>
</Connections>
</System></SystemStructureDescription>
"""


class Names(hocket_case.Case):
    def record(self, path, *words):
        self.hocket("run", path, "--stop-time", "1", "--step-size", "0.25", "-q", "-o", "record.csv", *words)
        return (self.folder / "record.csv").read_text(encoding="utf-8")

    def test_strange_names_are_quoted(self):
        self.write("x.ssd", STRANGE.format("", ""))
        answer = json.loads(self.hocket("convert", "--json", "x.ssd", "x.system").stdout)
        self.assertEqual(answer["left_out"], [])
        text = (self.folder / "x.system").read_text(encoding="utf-8")
        for words in ('input core.double "in 1";', 'input core.double "2x[1]";', 'input core.double "say ""so""";', 'link "in 1" -> b.u'):
            self.assertIn(words, text)
        self.hocket("convert", "-q", "x.system", "y.ssd")
        expected = self.record("x.ssd")
        self.assertIn("inner.d.y", expected)
        self.assertEqual(self.record("y.ssd"), expected)
        self.assertIn('name="in 1"', (self.folder / "y.ssd").read_text(encoding="utf-8"))

    def test_names_that_a_port_cannot_have(self):
        self.write("x.ssd", STRANGE.format('<Connector name="p.f" kind="output"/>\n<Connector name="c" kind="output"/>',
                                           '<Connection startElement="b" startConnector="y" endConnector="p.f"/>'
                                           '<Connection startElement="b" startConnector="y" endConnector="c"/>'))
        done = self.hocket("convert", "x.ssd", "x.system")
        self.assertIn("x.ssd:9:7: warning", done.stderr)
        self.assertIn("connector 'p.f' of system 'inner' becomes the port 'p_f'", done.stderr)
        self.assertIn("connector 'c' of system 'inner' becomes the port 'c_'", done.stderr)
        self.assertIn("left out: names of connectors", done.stderr)

    def test_inputs_of_the_outermost_system(self):
        self.write("x.system", """
system x { composite all {
  input core.double drive unit "m";
  input core.double both;
  composite inner { input core.double u; leaf g : hk.Gain { period 1/4 s; } link u -> g.u; }
  leaf g : hk.Gain { period 1/4 s; }
  leaf h : hk.Gain { period 1/4 s; }
  leaf k : hk.Gain { period 1/4 s; }
  link drive -> g.u;
  link both -> h.u, k.u;
} }
""")
        self.write("in.csv", "time,drive,both\n0,1,2\n0.5,3,4\n")
        self.hocket("convert", "-q", "x.system", "y.ssd")
        answer = json.loads(self.hocket("convert", "--json", "y.ssd", "z.system").stdout)
        self.assertEqual(answer["left_out"], [])
        for name in ("x.system", "y.ssd", "z.system"):
            with self.subTest(name):
                listed = self.hocket("info", name).stdout
                self.assertIn("\ndrive = g.u\nboth = h.u, k.u\ninner.u to inner.g.u\n", listed)
                last = self.record(name, "--set", "drive=3", "--set", "both=2", "--set", "inner.u=7").splitlines()
                self.assertEqual((last[0], last[-1]), ("time,inner.g.y,g.y,h.y,k.y", "1,7,3,2,2"))
                driven = self.record(name, "--input-file", "in.csv").splitlines()
                self.assertEqual((driven[1], driven[-1]), ("0,0,1,2,2,1,2", "1,0,3,4,4,3,4"))

    def test_a_simulation_of_a_system_file_plays_on_a_package(self):
        for folder in ("one", "two", "three"):
            (self.folder / folder).mkdir()
        self.write("one/tank.system", """
system tank { composite plant {
  input core.double level;
  composite inner { leaf x : hk.Gain { period 1/4 s; } leaf z : hk.Gain { period 1/4 s; } link x.y -> z.u; }
  leaf y : hk.Gain { period 1/4 s; }
  link level -> y.u;
} }
""")
        text = """
Simulation s (s)
system tank;
simulationTime [0, 2]:0.25;
begin { "tank.plant".Start(); "tank.plant.inner.x.u" = 3; }
scenarios { Scenario one
  events {
    instant 1 { "tank.plant.level" = 5; fault "tank.plant.inner.x.y" -> "tank.plant.inner.z.u" bias 1; }
    when "tank.plant.y.y" > 4 once { "tank.plant.inner".Stop(); }
  }
  expects { expect eventually "tank.plant.inner.z.y" == 4 "is biased"; }
  logs { a.csv timed(0.25) { "tank.plant.inner.x.y"; "tank.plant.inner.z.y"; "tank.plant.y.y"; } }
}
"""
        self.hocket("convert", "-q", "one/tank.system", "two/tank.ssp")
        logs = []
        for folder, words in (("one", text), ("two", text), ("three", text.replace("tank.plant", "tank"))):
            if folder == "three":
                shutil.copy(self.folder / "two/tank.ssp", self.folder / "three/tank.ssp")
            self.write(f"{folder}/s.simulation", words)
            self.hocket("run", f"{folder}/s.simulation", "-q", "-o", f"{folder}/out")
            logs.append([p.read_text(encoding="utf-8").splitlines()[1:] for p in sorted((self.folder / folder / "out").rglob("a.csv"))])
        self.assertEqual(logs[1], logs[0])
        self.assertEqual(logs[2], logs[0])
        self.assertEqual(len(logs[0]), 1)
        self.assertGreater(len(logs[0][0]), 5)


if __name__ == "__main__":
    hocket_case.main("--hocket", "--models", "--examples", "--source", "--fmus")
