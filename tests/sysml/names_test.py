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
