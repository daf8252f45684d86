#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A module runs in several ways, and all of them say the same: interpreted, as generated C, as FMUs of FMI 1.0 and 2.0.
What is given from outside, what fails, what a scenario stops."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support")]
from hocket_case import Case, environment, main, quick_cc  # pylint: disable=wrong-import-position

# Constants that follow `a`, of all kinds; then those that must be given.
CONSTANTS = """package k
enumeration E { p q }
record R { x : int b : boolean }
interface Vars {
  var vt : int * boolean = (| 0, false |), vr : R, vv : vector(int, 2) = [| 0, 0 |], vs : Seq(int), ve : E, vx : real = 0.0,
  vw : int = 0, vq : boolean = true
}
module M {
  robotic platform P { provides Vars event e }
  controller C {
    requires Vars
    event e
    stm S {
      requires Vars
      event e
      const n : int, f : real, q : boolean, g : E, k : R
      const a : int = 2, t : int * boolean = (| a + 1, a > 3 |), r : R = R (| x = a, b = a > 3 |),
        v : vector(int, 2) = [| a, a * 2 |], s : Seq(int) = <a, a>, ee : E = if a > 3 then E::q else E::p end,
        x : real = a * 0.5, w : int = 12 / n, y : int = 7
      initial i
      state A {}
      transition t0 { from i to A action vt = t; vr = r; vv = v; vs = s; ve = ee; vx = x; vw = w + y; vq = q }
      transition t1 { from A to A trigger e }
    }
    connection C on e to S on e
  }
  connection P on e to C on e (_async)
}
"""
GIVEN = {"n": "-2147483648", "f": "-1.7976931348623157e308", "q": "false", "g": "p", "k.x": "0", "k.b": "false"}

PULSE = """package e
module M {
  robotic platform P { event z }
  controller C {
    event z
    stm S { event z initial i state A { entry wait(3); z } state B {} transition t { from i to A } transition u { from A to B } }
    connection S on z to C on z
  }
  connection C on z to P on z (_async)
}
"""

INDEX = """package f
module M {
  robotic platform P { event z }
  controller C {
    event z
    stm S {
      event z
      var v : vector(int, 2) = [| 0, 0 |], k : int = 2
      initial i
      state A { entry v[k + 1] = 1; z }
      transition t { from i to A }
    }
    connection S on z to C on z
  }
  connection C on z to P on z (_async)
}
"""


class Ways(Case):
    def make(self, text, fmus=(1, 2)):
        """Systems of one component m, by their ways."""
        self.write("m.rct", text)
        self.hocket("gen", "m.rct", "-o", "code", "-q")
        quick = environment(CC=quick_cc())
        self.hocket("build", "code", "-q", env=quick)
        sources = {"interpreted": "m.rct", "C": "code/M.so#M"}
        for fmi in fmus:
            sources[f"FMI {fmi}"] = f"m{fmi}.fmu"
            self.hocket("export", "m.rct", "--fmi", fmi, "-o", f"m{fmi}.fmu", "-q", env=quick)
        for way, source in sources.items():
            name = way.replace(" ", "")
            self.write(f"{name}.system", f'system {name} {{ composite all {{ leaf m : "{source}" {{ period 1s; }} }} }}\n')
        return {way: way.replace(" ", "") for way in sources}

    def run_one(self, name, values, exit=0):
        return self.hocket("run", f"{name}.system", "--stop-time", "2", "--step-size", "1", "--output-variable", "*", "-o", "out.csv",
                           *(f"--set=m.{key}={value}" for key, value in values.items()), exit=exit)

    def record(self, name, values):
        self.run_one(name, values)
        return (self.folder / "out.csv").read_text(encoding="utf-8")


class Constants(Ways):
    def test_all(self):
        """Constants that are computed follow what is given, part by part; every value can be given, be it the one that is there
        already; and one that is not given is missed."""
        ways = self.make(CONSTANTS)
        for more in ({}, {"a": 5}, {"a": 5, "t.1": 3, "s.size": 1, "ee": "p", "v[2]": 4, "w": 9}, {"a": 5, "n": 0, "w": 1}):
            records = {way: self.record(name, GIVEN | more) for way, name in ways.items()}
            for way, record in records.items():
                self.assertEqual(record, records["interpreted"], f"{way}: {more}")
            row = dict(zip(*(line.split(",") for line in records["C"].splitlines()[:2])))
            a, whole = more.get("a", 2), "t.1" not in more
            self.assertEqual([row[f"m.{name}"] for name in ("vt.1", "vt.2", "vr.x", "vr.b", "vv[1]", "vv[2]", "vs.size", "vs[1]", "ve")],
                             [str(int(n)) for n in (a + 1 if whole else 3, a > 3, a, a > 3, a, 2 * a if whole else 4, 2 if whole else 1,
                                                    a, whole and a > 3)], more)
            self.assertEqual(row["m.vw"], str(7 + more.get("w", -1)), more)
        for missing in GIVEN:
            for way, name in ways.items():
                said = self.run_one(name, {key: value for key, value in GIVEN.items() if key != missing}, exit=None)
                self.assertNotEqual(said.returncode, 0, f"{way}: {missing}")
                self.assertIn(f"constant '{missing}' has no value", said.stderr, way)
        for way, name in ways.items():
            self.assertIn("division by zero", self.run_one(name, GIVEN | {"n": 0}, exit=None).stderr, way)

    def test_descriptions(self):
        """Start values of what must be given are values of their types."""
        self.make(CONSTANTS, ())
        for fmi in (1, 2, 3):
            self.hocket("export", "m.rct", "--fmi", fmi, "-o", "m.fmu", "-q", env=environment(CC=quick_cc()))
            said = self.hocket("check", "m.fmu").stdout
            self.assertIn("keeps the rules: yes, 0 errors, 0 warnings", said, f"FMI {fmi}")


class Failures(Ways):
    def test_places(self):
        """The same words, and the same place in the file; what is said of the whole module has no line."""
        for way, name in self.make(INDEX, ()).items():
            said = self.run_one(name, {}, exit=None).stderr
            self.assertRegex(said, r"m\.rct:10:27\b", way)
            self.assertIn("machine 'C.S', the index is out of range", said, way)
            said = self.run_one(name, {"timeUnit": 0}, exit=None).stderr
            self.assertIn("0 is not a timeUnit, which must be above 0", said, way)
            self.assertNotIn(":0:0", said, way)


class Stopped(Ways):
    def test_pulse(self):
        """Where a controller stands still nothing happens: what occurred in its last step does not go on."""
        for way, name in self.make(PULSE, ()).items():
            self.write("it.simulation", f'Simulation it (s)\nsystem {name};\nsimulationTime [0, 10]:1;\nscenarios {{ Scenario one\n'
                       f'events {{ instant 4 {{ "{name}.all.m".Stop(); }} instant 8 {{ "{name}.all.m".Start(); }} }}\n'
                       f'logs {{ "out.csv" timed(1) {{ "{name}.all.m.z"; }} }} }}\n')
            self.hocket("run", "it.simulation", "-o", "out")
            rows = (self.folder / "out" / "out.csv").read_text(encoding="utf-8").splitlines()[1:]
            self.assertEqual([row.split(",")[1] for row in rows], ["0", "0", "0", "1"] + 7 * ["0"], way)


if __name__ == "__main__":
    main()
