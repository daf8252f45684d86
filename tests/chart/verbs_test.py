# SPDX-License-Identifier: MIT
"""`hocket fmt`, `info` and `check` of RoboChart files as a user calls them; imports."""
import json
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import hocket_case  # noqa: E402

MACHINE = """// above all
package P
stm S { // behind the brace
  /* of the event */ event e event f // of f
  initial i0 state A { entry f /* inside */ ; skip } // of A

  // of t
  transition t { from i0 to A }
  transition u { from A to A // inside
    trigger e }
  // the end of it
}
// the end
"""
CANONICAL = """// above all
package P

stm S { // behind the brace
  /* of the event */
  event e
  event f // of f
  initial i0
  state A {
    /* inside */
    entry f; skip
  } // of A

  // of t
  transition t { from i0 to A }
  // inside
  transition u { from A to A trigger e }
  // the end of it
}

// the end
"""


class Fmt(hocket_case.Case):
    def test_comments_stay(self):
        self.write("a.rct", MACHINE)
        self.assertEqual(self.hocket("fmt", "a.rct").stdout, CANONICAL)
        self.assertIn("not the canonical form", self.hocket("fmt", "--check", "a.rct", exit=1).stderr)
        self.hocket("fmt", "--write", "a.rct")
        self.hocket("fmt", "--check", "a.rct")
        self.assertEqual(self.hocket("fmt", "a.rct").stdout, CANONICAL)

    def test_standard_input(self):
        self.assertEqual(self.hocket("fmt", "-", input=MACHINE).stdout, CANONICAL)
        self.assertEqual(self.hocket("fmt", "-", "--language", "rct", input="type  T").stdout, "type T\n")

    def test_files_of_the_tests(self):
        for path in sorted((HERE / "good").rglob("*.rct")):
            text = self.hocket("fmt", str(path)).stdout
            self.write("again.rct", text)
            self.assertEqual(self.hocket("fmt", "again.rct").stdout, text, path.name)

    def test_escapes(self):
        self.write("a.rct", "interface ^state { var ^as : real, ^plain : real }\n")
        self.assertEqual(self.hocket("fmt", "a.rct").stdout,
                         "interface ^state {\n  var ^as : real, plain : real\n}\n")

    def test_mistakes_are_not_formatted(self):
        self.write("a.rct", "stm S {\n")
        self.assertIn("a.rct:2:1", self.hocket("fmt", "--write", "a.rct", exit=3).stderr)


class Info(hocket_case.Case):
    def test_module(self):
        text = self.hocket("info", str(HERE / "good/rover.rct")).stdout
        for words in ("package          RoverDetector", "controller       c0 (DetectAndFlagC), 1 machine",
                      "receives         alarm", "sends            lightOn", "constant         lv : real = 0.5",
                      "operation        move(lv : real, av : real), visible", "variable         as : real = 0",
                      "machine c0.s0 (DetectAndFlag)", "states         Load, Go, TurnR, TurnL, Drop",
                      "event          activate from c0.s0.flagged", "event          flagged to c1.s0.activate"):
            self.assertIn(words, text)

    def test_json(self):
        answer = json.loads(self.hocket("info", "--json", str(HERE / "good/autonomous/Detector.rct")).stdout)
        self.assertEqual(answer["kind"], "chart")
        self.assertEqual([m["path"] for m in answer["machines"]],
                         ["micro.movement", "micro.movement.changeDirection", "main.analysis"])
        self.assertEqual(answer["machines"][1]["caller"], "micro.movement")
        self.assertEqual({c["name"]: c["value"] for c in answer["constants"]}["thr"], None)
        self.assertEqual([o["kind"] for o in answer["operations"]], ["visible", "visible", "hidden"])

    def test_package_without_module(self):
        text = self.hocket("info", str(HERE / "good/autonomous/Chemical.rct")).stdout
        self.assertIn("no module", text)
        self.assertIn("6 functions, 3 types", text)


class Check(hocket_case.Case):
    def test_json(self):
        answer = json.loads(self.hocket("check", "--json", str(HERE / "good/rover.rct")).stdout)
        self.assertEqual(answer["files"][0]["machines"], 2)
        self.assertEqual(answer["findings"], [])

    def test_each_file_breaks_one_rule(self):
        """One message each, and every rule has its file."""
        for path in sorted((HERE / "wrong").glob("*.rct")):
            name = path.stem
            wrong = not name.startswith("warn_") and name != "right"
            done = json.loads(self.hocket("check", "--json", path.name, cwd=path.parent, exit=None).stdout)
            errors = [f for f in done["findings"] if f["severity"] == "error"]
            self.assertEqual(len(errors), 1 if wrong else 0, name)
            if name.startswith("rule_"):
                rule = name.split("_")[1]
                self.assertRegex(errors[0]["text"].lower(), rf"\(rules? {rule}\b", name)
            if name.startswith("subset_"):
                self.assertIn("not in hocket's subset: ", errors[0]["text"], name)
            if name.startswith("warn_"):
                self.assertTrue(done["findings"], name)


# Only the operation that the machine runs uses its events.
BELOW = """package T
enumeration K { one two }
datatype R { kind : K n : int }
interface Ops { work ( ) }
module M { robotic platform B { event e event x : K event y : int } cref c = C
  connection B on e to c on e ( _async ) connection c on x to B on x ( _async ) connection c on y to B on y ( _async ) }
controller C { event e event x : K event y : int opref work = work sref s = S connection C on e to s on e connection s on x to C on x connection s on y to C on y }
operation work ( ) { event e event x : K event y : int var r : R var z : int = 3
  initial i state W { } final f
  transition t0 { from i to W }
  transition t1 { from W to f trigger e action send x ! r.kind ; y ! -z + 1 } }
stm S { requires Ops event e event x : K event y : int initial i state A { during work ( ) }
  transition t0 { from i to A } }
"""


class Below(hocket_case.Case):
    def test_events_of_operations(self):
        """They are used by the machine that calls the operation, so no warning says that it does not."""
        self.write("below.rct", BELOW)
        self.assertNotIn("does not use", self.hocket("check", "below.rct").stdout)
        self.write("below.rct", BELOW.replace("y ! -z + 1", "skip"))
        self.assertIn("machine 'c.s' does not use event 'y'", self.hocket("check", "below.rct").stdout)


class Imports(hocket_case.Case):
    def test_file_of_any_name_in_the_folder(self):
        shutil.copytree(HERE / "good/autonomous", self.folder / "a")
        (self.folder / "a/Location.rct").rename(self.folder / "a/elsewhere.rct")
        self.hocket("check", "a/Detector.rct")

    def test_package_in_two_files(self):
        shutil.copytree(HERE / "good/autonomous", self.folder / "a")
        text = (self.folder / "a/Chemical.rct").read_text()
        types, functions = text.split("function analysis")
        (self.folder / "a/Chemical.rct").write_text(types)
        (self.folder / "a/functions.rct").write_text(
            "package Autonomous::Chemical\nimport Autonomous::Chemical::*\nfunction analysis" + functions)
        self.hocket("check", "a/Detector.rct")

    def test_names_are_seen_by_import_only(self):
        self.write("b.rct", "package B\nenumeration E { one }\n")
        self.write("c.rct", "package C\nimport B::*\ntype T\n")
        self.write("a.rct", "package A\nimport C::*\nrecord R {\n  a : E\n  b : B::E\n  c : T\n}\n")
        done = self.hocket("check", "a.rct", exit=1)
        self.assertIn("a.rct:4:7", done.stdout)
        self.assertIn("it is in package 'B', which is not imported", done.stdout)
        self.assertNotIn("a.rct:5", done.stdout)

    def test_mistakes_of_what_is_imported(self):
        self.write("b.rct", "package B\nenumeration E {\n")
        self.write("a.rct", "package A\nimport B::*\ntype T\n")
        self.assertIn("b.rct:3:1", self.hocket("check", "a.rct", exit=3).stdout)


# Two modules over one controller; the second has cycles of two time units.
TWO = """package P
module One { robotic platform B { event e event x } cref c = C
  connection B on e to c on e ( _async ) connection c on x to B on x ( _async ) }
module Two { cycleDef cycle == 2 robotic platform B { event e event x } cref c = C
  connection B on e to c on e ( _async ) connection c on x to B on x ( _async ) }
controller C { event e event x sref s = S connection C on e to s on e connection s on x to C on x }
stm S { event e event x initial i state A { }
  transition t0 { from i to A } transition t1 { from A to A trigger e action send x } }
"""


class Modules(hocket_case.Case):
    """FILE.rct#MODULE is one of several, wherever a module is taken."""

    def test_one_of_two(self):
        self.write("two.rct", TWO)
        self.assertIn("name one: two.rct#One", self.hocket("run", "two.rct", "--stop-time", "4", exit=1).stderr)
        for name, cycle in (("One", "1"), ("Two", "2")):
            self.assertIn(f"cycle            {cycle} time unit", self.hocket("info", f"two.rct#{name}").stdout)
            self.hocket("run", f"two.rct#{name}", "--stop-time", "4", "-o", f"{name}.csv")
            rows = (self.folder / f"{name}.csv").read_text(encoding="utf-8").splitlines()
            self.assertEqual(len(rows), 2 + 4 // int(cycle))
            self.hocket("gen", f"two.rct#{name}", "--out", name)
            self.assertTrue((self.folder / name / f"{name}.c").exists())
            self.assertIn(f"{name}: ", self.hocket("prove", f"two.rct#{name}").stdout)
        self.hocket("export", "two.rct#Two", "--fmi", "2", "-o", "two.fmu")
        self.assertTrue((self.folder / "two.fmu").exists())

    def test_wrong(self):
        self.write("two.rct", TWO)
        self.assertIn("there is no module 'Three'", self.hocket("info", "two.rct#Three", exit=1).stderr)
        self.assertIn("name it once", self.hocket("gen", "two.rct#One", "--type", "Two", exit=2).stderr)
        self.assertIn("all modules of a file are checked", self.hocket("check", "two.rct#One", exit=2).stdout)
        self.assertIn("three.rct#One", self.hocket("run", "three.rct#One", "--stop-time", "4", exit=None).stderr)


if __name__ == "__main__":
    hocket_case.main()
