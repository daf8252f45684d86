#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names of multi-models that other formats find hard: what is written can be read, and messages say where they are."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from hocket_case import Case, main  # noqa: E402

GOOD = (HERE / "wrong" / "good.sysml").read_text(encoding="utf-8")


class Names(Case):
    def named(self, part):
        self.write("model.sysml", GOOD.replace("part b : A", f"part {part} : A").replace("b.u", f"{part}.u"))

    def record(self, system):
        self.hocket("run", system, "--stop-time", "1", "--step-size", "0.1", "-o", "record.csv")
        return (self.folder / "record.csv").read_bytes()

    def test_names_in_quotes(self):
        for number, part in enumerate(("'as'", "'it\\'s'", "'b x'", "'b\"x'", "'b/x#y'", "'<b>&'", "'\\\\'", "'\u00e9\u4e2d'")):
            with self.subTest(part=part):
                self.named(part)
                own = self.record("model.sysml")
                for kind in ("ssd", "ssp", "system"):
                    self.hocket("convert", "model.sysml", f"made{number}.{kind}")
                    self.assertEqual(self.record(f"made{number}.{kind}"), own, kind)

    def test_one_of_several(self):
        """Its name is the same in flows, in commands and in simulations; one that is left out is asked for."""
        self.write("model.sysml", GOOD.replace("part b : A;", "part wheel : A[2];").replace("to b.u", "to 'wheel[2]'.u"))
        self.write("s.simulation", """Simulation T (ms)
system s;
simulationTime [0,1000]:100;
begin { "s.wheel[1].u" = 3.0; }
scenarios {
  Scenario one [1] begin { } events { instant 500 { "wheel[1].u" = 4.0; } } end { }
  logs { L.csv timed(100.0) { "s.wheel[1].y"; } };
}
end { }
""")
        own = self.record("model.sysml")
        self.assertIn(b"wheel[1].y,wheel[2].y", own)
        for kind in ("ssd", "ssp", "system"):
            self.hocket("convert", "model.sysml", f"made.{kind}")
            self.assertEqual(self.record(f"made.{kind}"), own, kind)
        step = ("--step-size", "0.1")
        self.hocket("run", "model.sysml", "--stop-time", "1", *step, "--set", "wheel[1].u=2", "-o", "record.csv")
        self.hocket("plot", "record.csv", "wheel[1].y", "-o", "plot.svg")
        self.assertIn("wheel[2].u\n    <- a.y", self.hocket("trace", "model.sysml", "wheel[2].y", *step, "--at", "0.5").stdout)
        self.hocket("run", "s.simulation", "--system", "model.sysml")
        for words, status in ((("run", "model.sysml", *step, "--set", "wheel.u=2"), 2), (("plot", "record.csv", "wheel.y"), 2),
                              (("trace", "model.sysml", "wheel.y", "--at", "0.5"), 2)):
            self.assertIn("hint: did you mean 'wheel[1].", self.hocket(*words, exit=status).stderr)
        text = (self.folder / "s.simulation").read_text(encoding="utf-8").replace('"s.wheel[1].y"', '"s.wheel.y"')
        self.write("s.simulation", text)
        self.assertIn("hint: did you mean 'wheel[1]'?", self.hocket("run", "s.simulation", "--system", "model.sysml", exit=3).stderr)

    def test_one_of_several_in_other_words(self):
        several = GOOD.replace("part b : A;", "part wheel : A[2];")
        for wrong, hint in (("to wheel[2].u", "one of several is in quotes: 'wheel[1]'"),
                            ("to wheel#(2).u", "one of several is in quotes: 'wheel[1]'"),
                            ("to wheel.u", "one of several is in quotes: 'wheel[1]'.u")):
            self.write("model.sysml", several.replace("to b.u", wrong))
            self.assertIn("hint: " + hint, self.hocket("check", "model.sysml", exit=None).stdout)
        self.write("model.sysml", several.replace("flow f1 from a.y to b.u;", "part :>> 'wheel[2]' { :>> u = 1.0; }"))
        self.assertIn("hint: all of 'wheel' are redefined together: 'part :>> wheel'",
                      self.hocket("check", "model.sysml", exit=None).stdout)

    def test_a_name_that_a_system_file_cannot_have(self):
        """The message has its place: file, line and column."""
        self.named("'a.b'")
        said = self.hocket("convert", "model.sysml", "made.system", exit=3).stderr
        self.assertIn("model.sysml:11:10: error[HK0314]: the name 'a.b' cannot be written in a system file", said)
        self.assertFalse((self.folder / "made.system").exists())

    def test_ways_whose_connectors_want_one_name(self):
        """Flows through an LComponent pass connectors that are named after parts and ports: two may want the same name."""
        self.write("model.sysml", """package P {
  private import ScalarValues::*;
  private import CoSim::*;
  #ecomponent part def One {
    @EComponent { kind = ComponentKind::physical; platform = "C"; modelType = ModelType::continuous; fmu = "hk.Constant"; }
    #parameter attribute value : Real = 1.0;
    out attribute y : Real;
  }
  #ecomponent part def Sink {
    @EComponent { kind = ComponentKind::physical; platform = "C"; modelType = ModelType::continuous; fmu = "hk.Gain"; }
    in attribute u : Real = 0.0;
    out attribute y : Real;
  }
  #lcomponent part def L {
    part 'a.b' : One;
    part a_b : One;
  }
  #system part def S {
    part l : L;
    part s : Sink;
    part t : Sink;
  }
  part m : S {
    part :>> l {
      part :>> a_b {
        :>> value = 2.0;
      }
    }
    flow from l.'a.b'.y to s.u;
    flow from l.a_b.y to t.u;
  }
}
""")
        last = self.record("model.sysml").decode().splitlines()
        row = dict(zip(last[0].split(","), last[-1].split(",")))
        self.assertEqual((row["s.y"], row["t.y"]), ("1", "2"))


if __name__ == "__main__":
    main()
