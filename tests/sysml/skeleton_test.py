#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Modules from blocks and blocks from modules: each way is the inverse of the other, for every type and kind of port."""
import json
import pathlib
import random
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from hocket_case import Case, main, few  # noqa: E402

TYPES = """enumeration Colour { red green ^as blue }
record Point { x : real y : real }
record Path { from_ : Point to_ : Point name : Colour }
"""


def module(inner="", platform="", machine="", package="package P\n", types=TYPES, name="M", events=()):
    """A module whose controller and machine have EVENTS, as (way, declaration)."""
    declared = "".join(f"event {words}\n" for _, words in events)
    names = [(way, words.split(" ")[0]) for way, words in events]
    outer = "".join(f"connection Body on {e} to C on {e} (_async)\n" if way == "in" else
                    f"connection C on {e} to Body on {e} (_async)\n" for way, e in names)
    middle = "".join(f"connection C on {e} to S on {e}\n" if way == "in" else f"connection S on {e} to C on {e}\n"
                     for way, e in names)
    return (f"{package}{types}interface Vars {{ {platform} }}\ninterface Ops {{ {inner} }}\nmodule {name} {{\n"
            f"robotic platform Body {{ provides Vars provides Ops {declared} }}\n"
            f"controller C {{ requires Vars requires Ops {declared}\n"
            f"stm S {{ requires Vars requires Ops {declared} {machine}\ninitial i state A {{}} transition t {{ from i to A }} }}\n"
            f"{middle}}}\n{outer}}}\n")


ANY = ["real", "int", "nat", "boolean", "Colour", "Point", "Path", "vector(real, 3)", "matrix(real, 2, 3)", "Seq(real)", "Seq(Point)",
       "real * nat", "vector(Point, 2)"]
VALUES = {"real": ["0.5", "-0.0000000001", "12345678901234567890.0"], "int": ["-3"], "nat": ["7"], "boolean": ["true"],
          "Colour": ["Colour::^as"], "Point": ["Point (| x = 1.0, y = -2.5 |)"], "vector(real, 3)": ["[| 1.0, 2.0, 3.5 |]"],
          "matrix(real, 2, 3)": ["[| 1.0, 2.0, 3.0; 4.0, 5.0, 6.0 |]"], "Seq(real)": ["<1.0, 2.0>", "<>"], "real * nat": ["(| 0.5, 3 |)"]}

# By hand: what there is, and what can be taken for something else.
MODULES = {
    "events": module(events=[("in", "go"), ("in", "stop"), ("out", "done")]),
    "typed_events": module(events=[(way, f"{way}_{i} : {type_}") for i, type_ in enumerate(ANY) for way in ("in", "out")]),
    "variables": module(platform="var " + ", ".join(f"v{i} : {type_}" for i, type_ in enumerate(ANY))),
    "operations": module(inner="halt()\n" + "\n".join(f"op{i}(a : {type_}, b : real)" for i, type_ in enumerate(ANY))),
    "constants": module(machine="const " + ", ".join(
        [f"k{i}_{n} : {type_} = {value}" for i, (type_, values) in enumerate(VALUES.items()) for n, value in enumerate(values)]
        + ["given : real"]), events=[("in", "go")]),
    "names": module(inner="turn(value : real)\nflag(c : real)\nflag_a(b : real)", platform="var done_x : real, ^as : real, ^state : int",
                    events=[("in", "^on"), ("out", "done"), ("out", "^from : Colour"), ("in", "x_value : real")]),
    "same_names": """module Body {
  robotic platform Body { event a event b }
  controller C { event a event b
    stm S { const k : real = 1.0 event a initial i state A {} transition t { from i to A } }
    stm T { const k : real = 2.0 event b initial i state A {} transition t { from i to A } }
    connection C on a to S on a connection T on b to C on b }
  connection Body on a to C on a (_async) connection C on b to Body on b (_async)
}
""",
    "cycle": module(package="package A::B\n", events=[("in", "e")]).replace("module M {\n", "module M {\ncycleDef cycle == 0.25\n"),
    "bare": module(platform="var x : real"),
}


def random_module(seed):
    rng = random.Random(seed)
    pick = lambda: rng.choice(ANY)  # noqa: E731
    names = [f"n{i}" for i in range(30)]
    rng.shuffle(names)
    take = names.pop
    events = [(rng.choice(("in", "out")), take() + (f" : {pick()}" if rng.random() < .5 else "")) for _ in range(rng.randrange(6))]
    operations = "\n".join(f"{take()}({', '.join(f'{take()} : {pick()}' for _ in range(rng.randrange(3)))})" for _ in range(rng.randrange(3)))
    variables = ", ".join(f"{take()} : {pick()}" for _ in range(rng.randrange(1, 4)))
    constants = ", ".join(f"{take()} : {type_} = {rng.choice(VALUES[type_])}" for type_ in rng.sample(sorted(VALUES), 3))
    return module(inner=operations, platform=f"var {variables}", machine=f"const {constants}", events=events)


class Skeleton(Case):
    def convert(self, from_, to, **more):
        (self.folder / to).unlink(missing_ok=True)
        self.hocket("convert", from_, "--skeleton", to, **more)
        return (self.folder / to).read_text(encoding="utf-8")

    def both_ways(self, module_):
        """From the module to its block, and then around twice: nothing changes any more."""
        self.write("m.rct", module_)
        block = self.convert("m.rct", "m.sysml")
        said = self.hocket("check", "m.sysml", "--rule", "R4a=off", exit=None)
        self.assertNotRegex(said.stdout, r"\bM[1-6]: ", block)
        first = self.convert("m.sysml", "n.rct")
        (self.folder / "m.rct").write_text(first, encoding="utf-8")
        self.assertEqual(self.convert("m.rct", "n.sysml"), block)
        self.assertEqual(self.convert("n.sysml", "n.rct"), first)
        self.hocket("fmt", "--check", "m.rct")
        self.hocket("fmt", "--check", "n.sysml")
        return block, first

    def test_by_hand(self):
        for name, text in MODULES.items():
            with self.subTest(name):
                self.both_ways(text)

    def test_values_of_constants(self):
        """There and back is the same, and it is what the module says."""
        block, module_ = self.both_ways(MODULES["constants"])
        for line in ("k0_1 : Real = -1e-10;", "k1_0 : Integer = -3;", "k2_0 : Natural = 7;", "k3_0 : Boolean = true;",
                     "k4_0 : Colour = Colour::'as';", "'k5_0.y' : Real = -2.5;", "'k6_0[3]' : Real = 3.5;", "'k8_0.size' : Natural = 2;"):
            self.assertIn(f"    #parameter attribute {line}\n", block)
        for text in ("k3_0 : boolean = true", "k4_0 : Colour = Colour::^as", "k1_0 : int = -3"):
            self.assertIn(text, module_)

    def test_random(self):
        for seed in few(range(12)):
            with self.subTest(seed=seed):
                self.both_ways(random_module(seed))

    def test_the_detector(self):
        """From its file to a module that can take the place of its own in M1 to M6, and back."""
        detector = self.options.source / "models" / "detector"
        module_ = self.convert(detector / "detector.sysml", "ChemicalDetector.rct")
        self.assertIn("robotic platform Rover {", module_)
        self.assertIn("var ^as : real", module_)
        shutil.copy(detector / "detector.sysml", self.folder)
        said = self.hocket("check", "--level", "rules", "detector.sysml")
        self.assertNotIn("HK0441", said.stdout)
        block, _ = self.both_ways((detector / "ChemicalDetector.rct").read_text(encoding="utf-8"))
        for line in ("#parameter attribute turnTime : Natural = 7;", "in item alarm;", "out item ReleaseFlag;",
                     "out attribute 'as' : Real;", "part platform : Rover;"):
            self.assertIn(line, block)

    def test_a_block_and_its_module_run(self):
        self.write("m.rct", MODULES["typed_events"])
        self.convert("m.rct", "m.sysml")
        self.hocket("run", "m.sysml", "--stop-time", "3", "-o", "a.csv")
        self.convert("m.sysml", "m2.rct")
        (self.folder / "m2.rct").replace(self.folder / "m.rct")
        self.hocket("run", "m.sysml", "--stop-time", "3", "-o", "b.csv")
        self.assertEqual((self.folder / "a.csv").read_bytes(), (self.folder / "b.csv").read_bytes())

    def block(self, members, more=""):
        return ("package P {\n  private import ScalarValues::*;\n  private import CoSim::*;\n  #system part def S {\n    part c : C;\n  }\n"
                '  #ecomponent part def C {\n    @EComponent { kind = ComponentKind::cyber; platform = "RoboChart"; '
                'modelType = ModelType::discrete; fmu = "c.rct"; cycle = 0.2; }\n'
                f"{members}\n  }}\n{more}  part s : S;\n}}\n")

    def test_what_a_module_cannot_say_is_told(self):
        self.write("b.sysml", self.block("    #parameter attribute timeUnit : Real = 0.1;\n    #parameter attribute e_edge : Boolean = true;\n"
                                         "    in item e;\n    in attribute e_value : Real = 2.0 { @unit { name = \"m\"; } }"))
        answer = json.loads(self.hocket("convert", "b.sysml", "--skeleton", "c.rct", "--json").stdout)
        self.assertEqual(answer["left_out"], ["the initial value of 'e_value'", "the unit of 'e_value'", "'e_edge'",
                                              "the length of a time unit, 'timeUnit'"])
        self.assertEqual([answer["skeleton"], answer["ports"]], ["C", 2])
        self.assertIn("cycleDef cycle == 2\n", (self.folder / "c.rct").read_text(encoding="utf-8"))

    def test_variables_that_are_not_parameters(self):
        """They are constants of the module, as M4 asks; that they are something else is left out."""
        self.write("b.sysml", self.block("    #parameter attribute timeUnit : Real = 0.1;\n    #varInit attribute x : Real = 1.5;\n"
                                         "    #parameter attribute k : Boolean = true;\n    #parameter attribute c : Colour = Colour::green;\n"
                                         "    in item e;", "  enum def Colour { red; green; }\n"))
        said = self.hocket("convert", "b.sysml", "--skeleton", "c.rct").stderr
        self.assertIn("b.sysml:10:24: warning[HK0314]: a module has no words for that 'x' is not a parameter: left out", said)
        module = (self.folder / "c.rct").read_text(encoding="utf-8")
        for line in ("const x : real = 1.5", "const k : boolean = true", "const c : Colour = Colour::green"):
            self.assertIn(line, module.replace(",\n", "\nconst ").replace("  ", " "))
        self.assertNotIn("M4", self.hocket("check", "b.sysml", exit=None).stdout)

    def test_refusals(self):
        second = ('  #ecomponent part def D {\n    @EComponent { kind = ComponentKind::cyber; platform = "RoboChart"; '
                  'modelType = ModelType::discrete; fmu = "d.rct"; }\n    in item e;\n  }\n')
        for name, members, more, message in (
                ("b.sysml", "    in attribute u : Real = 0.0;", "",
                 "b.sysml:9:18: error[HK0314]: input 'u' of block 'C' cannot be of a module: it is a value that no event has"),
                ("b.sysml", "    out attribute s : String;", "", "'s' of block 'C' cannot be in a module: it is of a type that"),
                ("b.sysml", "    out attribute v : Real[3];", "", "'v' of block 'C' cannot be in a module: it is a list: each"),
                ("b.sysml", "    out item 'a b';", "", "b.sysml:9:14: error[HK0314]: 'a b' cannot be a name in RoboChart"),
                ("b.sysml", "    #parameter attribute timeUnit : Real = 0.3;\n    in item e;", "", "is not a decimal number of time units"),
                ("b.sysml", "    in item e;", second, "there are 2 blocks of the platform RoboChart: C, D"),
                ("b.sysml#E", "    in item e;", second, "no block of the platform RoboChart is called 'E'"),
                ("b.sysml", "    out attribute 'v.x' : Real;\n    out attribute v : Real;", "", "it is a value and a part of one")):
            with self.subTest(message):
                self.write("b.sysml", self.block(members, more))
                said = self.hocket("convert", name, "--skeleton", "c.rct", exit=None)
                self.assertNotEqual(said.returncode, 0)
                self.assertIn(message, said.stderr)
                self.assertFalse((self.folder / "c.rct").exists())
        self.write("b.sysml", self.block("    in item e;", second))
        self.hocket("convert", "b.sysml#D", "--skeleton", "d.rct")
        self.hocket("check", "d.rct")

    def test_usage(self):
        self.write("m.rct", MODULES["events"])
        self.write("m.sysml", "mine")
        for words, message in ((("m.rct", "m.sysml"), "it is there already"),
                               (("m.rct", "m.ssp"), "a skeleton is made of a block in SysML"),
                               (("m.rct", "n.sysml", "--set", "a=1"), "--skeleton and --set do not go together"),
                               (("missing.rct", "n.sysml"), "missing.rct")):
            with self.subTest(message):
                said = self.hocket("convert", "--skeleton", *words, exit=None)
                self.assertNotEqual(said.returncode, 0)
                self.assertIn(message, said.stderr)
        self.assertEqual((self.folder / "m.sysml").read_text(encoding="utf-8"), "mine")
        self.assertIn("--skeleton", self.hocket("convert", "m.rct", "n.sysml", exit=2).stderr)


if __name__ == "__main__":
    main()
