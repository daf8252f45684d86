#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`hocket prove x.rct`: what a controller can do, with the inputs that lead there, which `hocket run` replays."""
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
sys.path.insert(0, str(HERE))
from hocket_case import SLOW, Case, main, slow  # noqa: E402
from machines import STATES, module  # noqa: E402

MODELS = HERE / "models"
DATA = ["--range", "gas.c=0,1", "--range", "gas.i=0,1", "--range", "odometer=0,1"]


class Exploring(Case):
    def prove(self, text, *words, exit=None):
        """The answer as JSON. TEXT is a module, or the name of one that is there."""
        path = "m.rct"
        if text.endswith(".rct"):
            path = MODELS / text
        else:
            self.write("m.rct", text)
        done = self.hocket("prove", path, "--json", *words, exit=exit)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual(answer["holds"], done.returncode == 0)
        return answer

    def states(self, answer, name):
        return [v["state"] for v in answer["verdicts"] if v["name"] == name]

    def first(self, answer, name):
        return next(v for v in answer["verdicts"] if v["name"] == name)

    def one(self, answer, name):
        found = [v for v in answer["verdicts"] if v["name"] == name]
        self.assertEqual(len(found), 1, found)
        return found[0]


class Published(Exploring):
    """What is published about the autonomous detector holds, and a mutant breaks each of it."""

    def setUp(self):
        super().setUp()
        self.text = (MODELS / "autonomous.rct").read_text()
        self.words = [*DATA, "--length", "gas=2" if SLOW else "gas=1", "--set", "thr=1"]

    def mutant(self, old, new):
        self.assertEqual(self.text.count(old), 1, old)
        return self.text.replace(old, new)

    def holds(self, text, *properties, words=None):
        """Which of the properties hold."""
        asked = [word for p in properties for word in ("--property", p)]
        answer = self.prove(text, *(self.words if words is None else words), *asked)
        return answer, [state == "holds" for state in self.states(answer, "property")]

    def both(self, text, property_):
        """It holds, and not for the mutant."""
        self.assertEqual(self.holds(self.text, property_)[1], [True])
        answer, found = self.holds(text, property_)
        self.assertEqual(found, [False])
        return answer

    def test_deterministic(self):
        self.both(self.mutant("condition goreq(i, thr) action stop", "condition goreq(i, 0) action stop"),
                  "deterministic GasAnalysis")

    def test_terminates(self):
        self.both(self.mutant("from GasDetected to j0 condition goreq(i, thr) action stop",
                              "from GasDetected to Reading condition goreq(i, thr) action stop"),
                  "terminates GasAnalysis")

    def test_every_reading_is_answered(self):
        self.both(self.mutant("condition st == Status::noGas action resume", "condition st == Status::noGas"),
                  "always GasAnalysis takes t1 or GasAnalysis takes t6 then resume or stop or turn within 0 cycles")

    def test_module_terminates(self):
        self.both(self.mutant("from Found to j1", "from Found to Waiting trigger resume"),
                  "reachable movement terminated and GasAnalysis terminated")

    def test_states_are_reachable(self):
        mutant = self.mutant("condition since(T) >= stuckPeriod /\\", "condition since(T) < 0 /\\")
        answer = self.both(mutant, "reachable states of movement")
        self.assertIn("never reached: micro.movement.GettingOut", self.one(answer, "property")["text"])
        self.both(self.mutant("condition st == Status::gasD }", "condition st == Status::gasD /\\ size(gs) > 9 }"),
                  "reachable states of GasAnalysis")

    def test_gas_analysis_does_not_diverge(self):
        self.assertEqual(self.states(self.holds(self.text)[0], "divergence"), ["holds"])
        answer = self.holds(self.mutant("from Reading to Analysis trigger gas ? gs", "from Reading to Analysis"))[0]
        self.assertIn("main.analysis: no progress", self.first(answer, "divergence")["text"])

    def test_movement_does_not_diverge(self):
        answer = self.holds(self.mutant("from Waiting to Waiting trigger resume", "from Waiting to Waiting"))[0]
        self.assertIn("micro.movement: no progress", self.first(answer, "divergence")["text"])

    def test_without_gas_no_deadlock(self):
        words = ["--range", "gas.c=0", "--range", "gas.i=0,1", "--range", "odometer=0,1", "--length", "gas=2", "--set", "thr=1"]
        self.assertEqual(self.states(self.holds(self.text, words=words)[0], "deadlock"), ["holds"])
        mutant = self.mutant("from Analysis to NoGas condition", "from Analysis to Stuck condition")
        mutant = mutant.replace("state NoGas {}", "state NoGas {} state Stuck {}")
        mutant = mutant.replace("from i0 to NoGas }", "from i0 to NoGas } transition t9 { from Stuck to NoGas trigger gas ? gs condition size(gs) > 3 }")
        self.assertIn("broken", self.states(self.holds(mutant, words=words)[0], "deadlock"))

    def test_file(self):
        """The same from a file, which has the ranges, too."""
        answer = self.prove("autonomous.rct", "--set", "thr=1", "--properties", MODELS / "autonomous.properties",
                            *([] if SLOW else ["--length", "gas=1"]))
        self.assertEqual(self.states(answer, "property"), ["holds"] * 6)


class Rover(Exploring):
    """The rover with a plant: an alarm is followed by the flag."""
    FLAG = ["--property", "always alarm then ReleaseFlag within 0 cycles"]

    def test_alone(self):
        """Without a plant an alarm can come in the cycle in which it begins to drive."""
        answer = self.prove("rover.rct", *self.FLAG)
        self.assertEqual(self.states(answer, "property"), ["broken"])
        self.assertEqual(set(self.states(answer, "timelock")), {"broken"})

    def test_with_a_table(self):
        answer = self.prove("rover.rct", *self.FLAG, "--plant", MODELS / "room.csv", "--property",
                            "reachable plant in Source and ReleaseFlag", exit=0)
        self.assertEqual(self.states(answer, "property"), ["holds", "holds"])

    def test_with_a_second_module(self):
        answer = self.prove("rover.rct", *self.FLAG, "--plant", MODELS / "room.rct", "--property",
                            "reachable plant.S takes source", exit=0)
        self.assertEqual(self.states(answer, "property"), ["holds", "holds"])

    def test_mutants(self):
        text = (MODELS / "rover.rct").read_text()
        for plant in ("room.csv", "room.rct"):
            for old, new in ((" ReleaseFlag ( ) ; send flagged ;", " send flagged ;"),
                             ("ReleaseFlag ( ) ; send flagged ; wait ( dropTime )", "wait ( dropTime ) ; ReleaseFlag ( ) ; send flagged")):
                self.assertEqual(text.count(old), 1)
                answer = self.prove(text.replace(old, new), *self.FLAG, "--plant", MODELS / plant)
                self.assertEqual(self.states(answer, "property"), ["broken"])

    def test_table_without_a_row(self):
        table = (MODELS / "room.csv").read_text().replace("Source,,1,Room,,,\n", "")
        self.write("p.csv", table)
        answer = self.prove("rover.rct", "--plant", self.folder / "p.csv")
        self.assertIn("does not have a row for the state 'Source'", self.one(answer, "plant")["text"])

    def test_wrong_tables(self):
        head = "state,ls,ReleaseFlag,next,l,r,alarm\n"
        for text, message in (("a,next\n1,2\n", "the columns 'state' (the first one) and 'next'"),
                              ("state,x,next,l\nA,1,A,1\n", "there is not an event, operation or variable 'x'"),
                              ("state,ls,next,q\nA,1,A,1\n", "'q' is not an event that the platform sends"),
                              (head + "A,z,,A,,,\n", "'z' is not a value of real"),
                              (head + "A,,2,A,,,\n", "'2' is not 0 or 1"),
                              (head + "A,,,A,7,,\n", "'7' is not 0, 1 or *"),
                              (head + ",,,A,,,\n", "is not the name of a state"),
                              (head, "does not have a row")):
            with self.subTest(message):
                self.write("p.csv", text)
                done = self.hocket("prove", MODELS / "rover.rct", "--plant", "p.csv", exit=None)
                self.assertIn(message, done.stderr)
                self.assertNotEqual(done.returncode, 0)


class Replay(Exploring):
    """What is found is shown by a run with the inputs that were written."""

    def replay(self, text, name, *words):
        answer = self.prove(text, "--witnesses", "w", *words)
        verdict = next(v for v in answer["verdicts"] if v["name"] == name and v["state"] != "holds")
        self.assertNotIn("unlike", verdict["inputs"])
        cycles = len(verdict["inputs"]["rows"])
        self.assertEqual(cycles, len(verdict["calls"]))
        run = self.hocket("run", "m.rct", "--input-file", verdict["table"], "--step-size", "1", "--stop-time", cycles + 2,
                          "-o", "run.csv", exit=None)
        return verdict, run

    def test_failures(self):
        """The run fails at the same place, for the same reason, in the same cycle."""
        late = """initial i state A {} state B { entry wait ( 2 ) <{ 1 } } transition t0 { from i to A }
            transition t1 { from A to B trigger a condition n == 2 } transition t2 { from B to A }
            transition t3 { from A to A trigger b condition n < 2 action n = n + 1 }"""
        below = STATES + """transition t1 { from A to B trigger a action n = n + 2 }
            transition t2 { from B to A trigger b action n = n - 3 }"""
        twice = STATES + """transition t1 { from A to B trigger a action x } transition t2 { from B to A trigger b action x }"""
        rounds = STATES + "transition t1 { from A to B trigger b } transition t2 { from B to B }"
        for name, body in (("timelock", late), ("arithmetic", below), ("timelock", twice), ("divergence", rounds)):
            with self.subTest(body):
                verdict, run = self.replay(module(body, variables="var n : nat"), name)
                self.assertEqual(run.returncode, 4)
                place, reason = verdict["text"].split(": ", 1)
                self.assertIn(place, run.stderr)
                self.assertIn(reason.split(": ", 1)[1], run.stderr)

    def test_property(self):
        """An alarm that is not answered: the record has the input, and no output behind it."""
        text = module(STATES + """transition t1 { from A to B trigger a } transition t2 { from B to A trigger b action x }""")
        verdict, run = self.replay(text, "property", "--property", "always b then x within 1 cycles")
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = verdict["inputs"]["rows"]
        self.assertEqual([row[2] for row in rows][0], "1")
        record = (self.folder / "run.csv").read_text().splitlines()
        at = record[0].split(",").index('"M.x"' if '"M.x"' in record[0] else "M.x")
        self.assertTrue(all(float(line.split(",")[at]) == 0 for line in record[1:]))

    def test_shortest(self):
        """Three events are needed; two of them may come in one cycle."""
        text = module("""initial i state A {} state B {} state D {} state E {}
            transition t0 { from i to A } transition t1 { from A to B trigger a } transition t2 { from B to D trigger a }
            transition t3 { from D to E trigger b } transition t4 { from B to A trigger b } transition t5 { from D to A trigger a }""")
        verdict = self.one(self.prove(text), "deadlock")
        self.assertEqual([row[1:] for row in verdict["inputs"]["rows"]], [["1", "0"], ["1", "1"]])

    def test_values(self):
        """Values of records and sequences are in the table."""
        text = module(STATES + """transition t1 { from A to B trigger n ? v
            condition size ( v ) == 2 /\\ ( exists e : R | e in v @ e . p == 3 /\\ e . q ) }
            transition t2 { from B to A trigger a action x }""",
                      inputs=("a", "n : Seq ( R )"), types="record R { p : nat q : boolean }", variables="var v : Seq ( R )")
        verdict, run = self.replay(text, "property", "--range", "n.p=2,3", "--length", "n=2", "--property", "never x")
        self.assertEqual(run.returncode, 0, run.stderr)
        record = (self.folder / "run.csv").read_text().splitlines()
        names = [name.strip('"') for name in record[0].split(",")]
        at = names.index("M.x")
        self.assertTrue(any(float(line.split(",")[at]) == 1 for line in record[1:]), record)

    def test_choices_are_told(self):
        """What a run may do otherwise is said."""
        text = module(STATES + "transition t1 { from A to A trigger a } transition t2 { from A to B trigger a action x }"
                      " transition t3 { from B to A trigger b }")
        verdict = self.one(self.prove(text, "--property", "never x"), "property")
        self.assertEqual(verdict["inputs"]["unlike"], "C.S chooses t2")


class Verdicts(Exploring):
    def test_termination(self):
        end = "final f transition t9 { from B to f trigger b }"
        never = self.prove(module(STATES + "transition t1 { from A to B trigger a } transition t2 { from B to A trigger a }"), exit=0)
        self.assertIn("never terminates", self.one(never, "termination")["text"])
        always = self.prove(module(STATES + "transition t1 { from A to B trigger a }" + end), "--property", "terminates", exit=0)
        self.assertIn("from every state it still can", self.one(always, "termination")["text"])
        some = self.prove(module(STATES + "state D {} transition t1 { from A to B trigger a } transition t2 { from A to D trigger b }"
                                 " transition t3 { from D to D trigger a }" + end), "--property", "terminates", exit=1)
        self.assertEqual(self.one(some, "termination")["state"], "differs")
        self.assertEqual(self.one(some, "property")["state"], "broken")

    def test_a_deadlock_that_only_inputs_of_the_future_show(self):
        """B waits for something that cannot come any more: nothing in the state itself says so."""
        text = module(STATES + """transition t1 { from A to B trigger a action n = 1 } transition t2 { from A to A trigger b }
            transition t3 { from B to A trigger b condition n == 0 }""", variables="var n : int")
        self.assertIn("C.S can do nothing any more after 1 cycle,", self.one(self.prove(text), "deadlock")["text"])

    def test_waiting_is_not_a_deadlock(self):
        text = module("initial i state A { entry wait ( 7 ) ; x } transition t0 { from i to A } transition t1 { from A to A }")
        self.assertEqual(self.states(self.prove(text, exit=0), "deadlock"), ["holds"])

    def test_limit(self):
        """More states than are allowed: nothing is decided, and that is a no."""
        text = module("initial i state A {} transition t0 { from i to A } transition t1 { from A to A trigger a action n = n + 1 }",
                      variables="var n : nat")
        answer = self.prove(text, "--states", "100", exit=1)
        self.assertFalse(answer["whole"])
        self.assertIn("not decided", answer["answer"])
        self.assertEqual(self.one(answer, "deadlock")["state"], "inconclusive")

    def test_clock_against_a_computation(self):
        """A clock whose last time is not found is told, since it makes states; here it goes back in time."""
        text = module("initial i state A {} transition t0 { from i to A } transition t1 { from A to A condition since ( T ) > max ( 2 , n ) action # T }",
                      variables="const n : nat = 1", declarations="clock T")
        answer = self.prove(text, exit=0)
        self.assertIn("clock T of C.S is not compared with constants alone", self.one(answer, "clocks")["text"])

    def test_clock_against_a_constant(self):
        """A clock stops behind what it is compared with: few states, whatever the time."""
        body = "initial i state A {} transition t0 { from i to A } transition t1 { from A to A trigger a condition since ( T ) > n }"
        text = module(body, variables="const n : nat = 5", declarations="clock T")
        self.assertEqual(self.prove(text, exit=0)["states"], 7)
        self.assertEqual(self.prove(text, "--set", "n=20", exit=0)["states"], 22)

    def test_same_answer(self):
        words = [*DATA, "--length", "gas=1", "--set", "thr=1"]
        first = self.hocket("prove", MODELS / "autonomous.rct", *words, exit=1).stdout
        self.assertEqual(first, self.hocket("prove", MODELS / "autonomous.rct", *words, exit=1).stdout)

    def test_many_states(self):
        size = 1000 if SLOW else 100
        answer = self.prove("grid.rct", "--set", f"size={size}", exit=0)
        self.assertEqual(answer["states"], size * size + 1)
        self.assertLess(answer["bytes"], 200 * answer["states"])

    def test_depth(self):
        answer = self.prove("grid.rct", "--set", "size=10", exit=0)
        self.assertEqual(answer["depth"], 9)


class Wrong(Exploring):
    """One located message for each mistake."""

    def refused(self, message, *words, text=None, exit=None):
        self.write("m.rct", text or module(STATES + "transition t1 { from A to B trigger a } transition t2 { from B to A trigger b }"))
        done = self.hocket("prove", "m.rct", *words, exit=exit)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(message, done.stderr)
        self.assertEqual(len(re.findall(r"error\[", done.stderr)), 1, done.stderr)

    def test_bounds(self):
        text = module(STATES + "transition t1 { from A to B trigger n ? v } transition t2 { from B to A trigger s ? w }",
                      inputs=("n : int", "s : Seq ( int )"), variables="var v : int , w : Seq ( int )")
        n, s, e = ["--range", "n=0,1"], ["--length", "s=1"], ["--range", "s=0,1"]
        self.refused("'n' is not bounded: values of int are without number", *s, *e, text=text)
        self.refused("'s' is not bounded: a sequence can have any length", *n, *e, text=text)
        self.refused("range 'n': 'x' is not a value of int", "--range", "n=0,x", *s, *e, text=text)
        self.refused("range 'n' has '1' twice", "--range", "n=1,0,1", *s, *e, text=text)
        self.refused("'17' is not a value of a length", *n, *e, "--length", "s=17", text=text)
        self.refused("range 'q' is of nothing that has to be bounded", *n, *s, *e, "--range", "q=1", text=text)
        self.refused("is not NAME=VALUES", "--range", "n", text=text)
        self.refused("has more than 1000000 values", "--range", "n=0..99999999", *s, *e, text=text)
        self.refused("'s' has more than 1000000 values", *n, "--length", "s=16", "--range", "s=0..9", text=text)

    def test_properties(self):
        for text, message in (("always q", "there is not an event, operation or variable 'q'"),
                              ("always S in Q", "there is not a state 'Q'"),
                              ("never Q in A", "there is not a machine 'Q'"),
                              ("never S takes t7", "there is not a transition 't7'"),
                              ("always a then x", "expected 'within'"),
                              ("always a then x within -1 cycles", "expected a whole number from 0"),
                              ("always a then x within 3 s", "time is counted in cycles"),
                              ("always a == 1", "'a' is not one value that can be compared"),
                              ("sometimes a", "sometimes"),
                              ("never (a or b", "expected ')'")):
            with self.subTest(text):
                self.refused(message, "--property", text)

    def test_options(self):
        self.refused("--trace is about systems", "--trace", "x.jsonl", exit=2)
        self.refused("is not a number of states", "--states", "many", exit=2)
        self.refused("the module does not have a constant 'n'", "--set", "n=1")
        done = self.hocket("prove", HERE.parent / "sound" / "none.master", "--property", "x", exit=2)
        self.assertIn("--property is about controllers in RoboChart", done.stderr)

    def test_constant_without_value(self):
        done = self.hocket("prove", MODELS / "autonomous.rct", *DATA, "--length", "gas=1", exit=1)
        self.assertIn("constant 'thr' does not have a value", done.stderr)


if __name__ == "__main__":
    main()
