#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`hocket prove x.rct`: what a controller can do, with the inputs that lead there, which `hocket run` replays."""
import json
import pathlib
import re
import resource
import shlex
import sys
from fractions import Fraction

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
sys.path.insert(0, str(HERE))
from hocket_case import SLOW, Case, few, main, plain, slow  # noqa: E402
from machines import STATES, module  # noqa: E402

MODELS = HERE / "models"
DATA = ["--range", "gas.c=0,1", "--range", "gas.i=0,1", "--range", "odometer=0,1"]


def processor_time():
    """Of all that were called and have ended, in s."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


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

    @plain
    def test_deterministic(self):
        self.both(self.mutant("condition goreq(i, thr) action stop", "condition goreq(i, 0) action stop"),
                  "deterministic GasAnalysis")

    @plain
    def test_terminates(self):
        self.both(self.mutant("from GasDetected to j0 condition goreq(i, thr) action stop",
                              "from GasDetected to Reading condition goreq(i, thr) action stop"),
                  "terminates GasAnalysis")

    @plain
    def test_every_reading_is_answered(self):
        self.both(self.mutant("condition st == Status::noGas action resume", "condition st == Status::noGas"),
                  "always GasAnalysis takes t1 or GasAnalysis takes t6 then resume or stop or turn within 0 cycles")

    @plain
    def test_module_terminates(self):
        """Where it comes to rest, it has terminated, and it can: that is what is published; here it still can from every state.
        There `stop` waits for the other machine; here it is there for one cycle, so the vehicle is one that brings no
        reading while it evades. One mutant never terminates, the other can, and then at one place cannot any more."""
        never = self.mutant("from Found to j1", "from Found to Waiting trigger resume")
        sometimes = self.mutant("transition t18 { from Avoiding to Found trigger stop }", "")
        asked = ("terminates", "terminates movement", "reachable movement terminated and GasAnalysis terminated")
        words = [*self.words, "--plant", MODELS / "vehicle.csv"]
        for text, wanted in ((self.text, [True, True, True]), (never, [False, False, False]), (sometimes, [False, False, True])):
            self.assertEqual(self.holds(text, *asked, words=words)[1], wanted)
        self.assertEqual(self.holds(self.text, *asked)[1], [False, False, True])  # any vehicle

    def test_states_are_reachable(self):
        stuck = self.mutant("condition since(T) >= stuckPeriod /\\", "condition since(T) < 0 /\\")
        found = self.mutant("condition st == Status::gasD }", "condition st == Status::gasD /\\ size(gs) > 9 }")
        for mutant, machine, says in few(((stuck, "movement", "never reached: micro.movement.GettingOut"),
                                          (found, "GasAnalysis", "never reached: ")), 2):
            answer = self.both(mutant, f"reachable states of {machine}")
            self.assertIn(says, self.one(answer, "property")["text"])

    @plain
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
                            "--plant", MODELS / "vehicle.csv", *([] if SLOW else ["--length", "gas=1"]), exit=0)
        self.assertEqual(self.states(answer, "property"), ["holds"] * 7)


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

    def test_one_of_several_modules_as_plant(self):
        text = (MODELS / "room.rct").read_text()
        self.write("two.rct", text + text.replace("module Room", "module Other").replace("action alarm", ""))
        for name, state in (("Room", "holds"), ("Other", "broken")):
            answer = self.prove("rover.rct", "--plant", f"{self.folder}/two.rct#{name}", "--property", "reachable alarm")
            self.assertEqual(self.states(answer, "property"), [state])

    def test_what_the_plant_receives(self):
        """Events that the controller sends and the plant receives, with their values, are there in the cycle in which it sees them."""
        answer = self.prove("rover.rct", "--plant", MODELS / "room.rct", "--property", "reachable plant.ls", "--property",
                            "reachable plant.ls == 0.5 and plant.S takes source", "--property", "reachable plant.ls == 7.0",
                            "--property", "never plant.S takes left and not plant.ls > 0.0")
        self.assertEqual(self.states(answer, "property"), ["holds", "holds", "broken", "holds"])

    def test_escaped_names(self):
        """Names that are words of RoboChart may be written as there."""
        text = module(STATES + "transition t1 { from A to B trigger ^event ? ^as } transition t2 { from B to A trigger b }",
                      inputs=("^event : int", "b"), variables="var ^as : int")
        words = ["--range", "^event=1,2"]
        for asked in ("reachable ^as == 2", "reachable as == 2", "reachable ^event==2 and S.^as == 2", 'never as > 2 "^as"'):
            answer = self.prove(text, *words, "--property", asked, exit=0)
            self.assertEqual(self.one(answer, "property")["text"], asked.split(' "')[0])
        self.write("p.csv", "state,^as,next,^event\nS,0,S,1\nS,1,T,2\nT,,T,\n")
        self.prove(text, "--plant", self.folder / "p.csv", "--property", "reachable plant in T and ^event == 2", exit=1)
        done = self.hocket("prove", "m.rct", *words, "--property", "reachable b and ^ay == 2", exit=1)
        self.assertIn("--property:1:18: error", done.stderr)

    def test_zeros_of_a_table(self):
        """-0 and 0 are one number."""
        text = module(STATES + "transition t1 { from A to B trigger a action v = - 0.0 } transition t2 { from B to A trigger b }",
                      variables="var v : real = 1.0")
        for zero in ("0", "-0.0", "0.0"):
            self.write("p.csv", f"state,v,next,a,b\nS,1,S,1,\nS,{zero},T,,1\nT,,T,,\n")
            answer = self.prove(text, "--plant", self.folder / "p.csv", "--property", "reachable plant in T")
            self.assertEqual(self.states(answer, "plant") + self.states(answer, "property"), ["holds", "holds"])

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
                              ("state,ls,ls,next,l\nA,1,,A,1\n", "p.csv:1:10: error[HK0425]: the column 'ls' is there twice"),
                              ("state,ls,next,l,l\nA,1,A,1,0\n", "p.csv:1:17: error[HK0425]: the column 'l' is there twice"),
                              ("state,l,next\nA,1,A\n", "'l' is an input of the controller, not something that it does"),
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
        self.assertEqual(len(verdict["inputs"]["rows"]), len(verdict["calls"]))
        words = shlex.split(verdict["replay"])
        self.assertEqual(words[:5], ["hocket", "run", "m.rct", "--input-file", verdict["table"]])
        run = self.hocket(*words[1:], "-o", "run.csv", exit=None)
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

    def test_replay_with_constants(self):
        """The command has the constants of the proof, and the whole time of a module whose cycle is not 1."""
        text = module(STATES + """transition t1 { from A to B trigger a action # T }
            transition t2 { from B to A trigger b condition since ( T ) > n action x ; x }""", declarations="clock T", variables="const n : nat")
        text = text.replace("module M {", "module M { cycleDef cycle == 2")
        verdict, run = self.replay(text, "timelock", "--set", "n=3")
        self.assertEqual(verdict["replay"].split("--stop-time ")[1], "6 --set n=3")
        self.assertEqual(run.returncode, 4, run.stderr)
        self.assertIn("event 'x' is sent twice in cycle 2", run.stderr)

    def test_replay_of_one_of_several_modules(self):
        text = module(STATES + "transition t1 { from A to B trigger a action x ; x } transition t2 { from B to A trigger b }")
        self.write("m.rct", text + text.replace("module M ", "module N ").replace("x ; x", "x"))
        for words in (("m.rct", "--module", "M"), ("m.rct#M",), ("m.rct#M", "--module", "M")):
            done = self.hocket("prove", *words, "--json", "--witnesses", "w", exit=1)
            replay = shlex.split(self.one(json.loads(done.stdout), "timelock")["replay"])
            self.assertEqual(replay[2], "m.rct#M")
            self.assertIn("event 'x' is sent twice in cycle 0", self.hocket(*replay[1:], exit=4).stderr)
        self.hocket("prove", "m.rct#N", exit=0)

    def test_files_have_the_numbers_of_properties(self):
        text = module(STATES + "transition t1 { from A to B trigger a } transition t2 { from B to A trigger b action x }")
        answer = self.prove(text, "--witnesses", "w", "--property", "never y", "--property", "never x", "--property", "always a")
        self.assertEqual([pathlib.Path(v.get("table", "")).name for v in answer["verdicts"] if v["name"] == "property"],
                         ["", "property2.csv", "property3.csv"])

    def test_in_the_order_in_which_it_happens(self):
        """Transitions as they are taken, the second time too; what goes round is told once; operations have their arguments."""
        text = module("""initial i state A {} state B {} transition t0 { from i to A } transition t9 { from B to A }
            transition t1 { from A to B trigger a action f ( n , true ) } transition t2 { from A to B trigger b }""", variables="var n : nat = 7",
                      operations="f ( p : nat , q : boolean )")
        self.assertEqual(self.one(self.prove(text, "--property", "never S takes t1 and S takes t2"), "property")["calls"],
                         ["a, b -> [C.S chooses t1] C.S.t0 C.S.t1 C.S.t9 C.S.t2 C.S.t9 f(7, true)"])
        rounds = module(STATES + "transition t1 { from A to B trigger a } transition t2 { from B to A trigger b action x } "
                        "state D {} transition t3 { from B to D } transition t4 { from D to B }")
        self.assertEqual(self.first(self.prove(rounds), "divergence")["calls"],
                         ["a -> C.S.t0 C.S.t1 499 times [ C.S.t3 C.S.t4 ]"])

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
    def test_names_of_receivers(self):
        """What a machine receives has its name there: between machines it comes one cycle after it was sent."""
        answer = self.prove("rover.rct", *[word for p in (
            "reachable flagged and not activate", "never activate and c1.s0 in Off", "always flagged then activate within 1 cycles",
            "always activate then lightOn within 0 cycles", "never found and not alarm", "never alarm and not c0.s0.found",
            "never c1.s0.lon and not lightOn", "reachable left and right") for word in ("--property", p)])
        self.assertEqual(self.states(answer, "property"),
                         ["holds", "holds", "holds", "broken", "holds", "holds", "holds", "holds"])
        never = self.prove("rover.rct", "--set", "dropTime=3", "--property", "reachable flagged and activate")
        self.assertEqual(self.states(never, "property"), ["broken"])

    def test_all_pairs_of_transitions(self):
        ways = "".join(f"transition t{k} {{ from A to B trigger a condition n != {k} }} " for k in (1, 2, 3))
        text = module(STATES + ways + "transition t4 { from B to A trigger b action n = 3 - n }", variables="var n : int = 1")
        found = [v["text"].split(": ")[2] for v in self.prove(text)["verdicts"] if v["name"] == "determinism"]
        self.assertEqual(sorted(found), ["'t1' and 't3' are enabled together", "'t2' and 't3' are enabled together"])
        text = text.replace("n != ", "n + 9 > ")
        found = [v["text"].split(": ")[2] for v in self.prove(text)["verdicts"] if v["name"] == "determinism"]
        self.assertEqual(sorted(found), [f"'t{a}' and 't{b}' are enabled together" for a, b in ((1, 2), (1, 3), (2, 3))])

    def test_else_looks_at_its_own_state(self):
        """What leads out of the state around it is enabled together with it."""
        answer = self.prove(module("""initial i state O { initial k state I {} state J {} transition s0 { from k to I }
                transition s1 { from I to J trigger a condition else } transition s2 { from J to I trigger b } }
            transition t0 { from i to O } transition t1 { from O to O trigger a action x }"""), exit=0)
        self.assertIn("'t1' and 's1' are enabled together", self.first(answer, "determinism")["text"])
        self.assertEqual((self.states(answer, "states"), self.states(answer, "transitions")), (["holds"], ["holds"]))

    def test_time_counts_from_the_first(self):
        """What is asked for again before it has followed does not begin anew."""
        text = module(STATES + "transition t1 { from A to B trigger a } transition t2 { from B to A trigger b action x }")
        verdict = self.one(self.prove(text, "--property", "always S in B then x within 2 cycles", exit=1), "property")
        self.assertEqual((verdict["state"], len(verdict["inputs"]["rows"])), ("broken", 3))

    def test_one_round_is_one_divergence(self):
        """... though the limit ends it at one transition or the other, by the way that leads into it."""
        text = module(STATES + "transition t1 { from A to B trigger a } state D {} transition t2 { from A to D trigger b } "
                      "transition t3 { from B to D } transition t4 { from D to B }")
        self.assertEqual(self.states(self.prove(text), "divergence"), ["broken"])
        text = text.replace("transition t4 { from D to B }", "transition t4 { from D to D }").replace("from B to D", "from B to B")
        self.assertEqual(self.states(self.prove(text), "divergence"), ["broken", "broken"])

    def test_many_places(self):
        """More failures of one kind than are shown do not hide one of another kind."""
        ways = "".join(f"transition w{k} {{ from A to A trigger a condition n == {k} action x ; x }} " for k in range(70))
        text = module("initial i state A {} transition t0 { from i to A } " + ways
                      + "transition u { from A to A trigger b action n = n + 1 } transition v { from A to A trigger b condition n == 71 action n = 1 / ( n - 71 ) }",
                      variables="var n : int")
        answer = self.prove(text, "--states", "1000")
        self.assertEqual(len(self.states(answer, "timelock")), 65)
        self.assertEqual([v["text"] for v in answer["verdicts"] if v["name"] == "timelock"][-1], "and at 6 more places")
        self.assertEqual(self.states(answer, "arithmetic"), ["broken"])

    def test_final_states(self):
        """They are not counted, as in the coverage of runs; one that is never reached is told."""
        text = module(STATES + "final f transition t1 { from A to B trigger a } transition t2 { from B to f trigger b condition n > 0 }", variables="var n : int")
        self.assertEqual(self.one(self.prove(text), "states")["text"], "never reached: final C.S.f")
        text = text.replace("condition n > 0", "")
        self.assertEqual(self.one(self.prove(text), "states")["text"], "2 states, all reached")

    def test_what_nobody_reads(self):
        """A counter that nothing depends on makes no states."""
        for counted, then in (("n + 1", "skip"), ("1 + n", "m = m - 2"), ("n + step", "n = 0"), ("if true then n + 1 else n end", "skip"),
                              ("n + 1", "d = d + 0.5"), ("- 5", "skip")):
            with self.subTest(counted):
                text = module(STATES + f"transition t1 {{ from A to B trigger a action n = {counted} }} "
                              f"transition t2 {{ from B to A trigger b action m = n ; {then} }}",
                              variables="var n : int , m : int , d : real const step : nat = 3")
                answer = self.prove(text, exit=0)
                self.assertLessEqual(answer["states"], 3)
                names = "n, m, d" if "d = " in then else "n, m"
                self.assertEqual(self.one(answer, "variables")["text"], f"left out of states, since no verdict depends on it: {names}")

    def test_what_somebody_reads(self):
        """... but not one that decides something: a guard, an output, a time, a property, a failing computation."""
        for counted, then, words in (("n + 1", "condition n > 3 \\/ true", []), ("n + 1", "action k ! n", []), ("n + 1", "action wait ( n )", []),
                                     ("n + 1", "", ["--property", "never n == 99"]), ("n * 2 + 1", "", []), ("n + n + 1", "", []),
                                     ("n + 1", "action m = 10 / ( n - 20 )", []), ("n + 1", "action v [ n ] = 2", []),
                                     ("n + 1", "action q = n", []), ("n + 1", "action if n == 4 then x else y end", [])):
            with self.subTest(counted + then):
                text = module(STATES + f"transition t1 {{ from A to B trigger a action n = {counted} }} "
                              f"transition t2 {{ from B to A trigger b {then} }}", outputs=("x", "y", "k : int"),
                              variables="var n : int , m : int , v : vector ( int , 3 ) , q : nat")
                verdicts = self.prove(text, "--states", "40", *words)["verdicts"]
                left = [v["text"].split(": ")[1].split(", ") for v in verdicts if v["name"] == "variables" and v["state"] == "holds"]
                self.assertNotIn("n", sum(left, []))
        below = module(STATES + "transition t1 { from A to A trigger a action n = n - 1 }", variables="var n : nat = 3")
        self.assertEqual(self.one(self.prove(below), "arithmetic")["state"], "broken")

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

    def test_a_deadlock_beside_a_machine_that_fails(self):
        """A cycle that fails says nothing of the other machines: where nothing leads out, one is dead in any case; else it is not decided."""
        pair = """module M {
          robotic platform P { event a event b event x }
          controller C { event a event b event x
            stm F { event a event x initial i state A {} transition t0 { from i to A } transition t1 { from A to A trigger a action ACTION } }
            stm D { event b var n : nat initial i state A {} state B {} transition t0 { from i to A }
              transition t1 { from A to B trigger b } BACK }
            connection C on a to F on a connection C on b to D on b connection F on x to C on x }
          connection P on a to C on a ( _async ) connection P on b to C on b ( _async ) connection C on x to P on x ( _async ) }"""
        guarded = "transition t2 { from B to A trigger b condition n > 0 }"
        for action, back, wanted in (("x", "", "broken"), ("x ; x", "", "broken"), ("x", guarded, "broken"), ("x ; x", guarded, "inconclusive"),
                                     ("x ; x", "transition t2 { from B to A trigger b }", "holds")):
            with self.subTest(action=action, back=back):
                verdict = self.one(self.prove(pair.replace("ACTION", action).replace("BACK", back)), "deadlock")
                self.assertEqual(verdict["state"], wanted, verdict)
                if wanted != "holds":
                    self.assertIn("C.D can do nothing any more after 1 cycle", verdict["text"])

    def test_a_property_in_a_cycle_that_misses_a_deadline(self):
        """All machines had their turn: what was to come by then has not."""
        answer = self.prove(module(STATES + """transition t1 { from A to B trigger b <{ 1 } condition k == 1 }
            transition t2 { from B to A trigger a action x }""", variables="var k : int"), "--property", "always a then x within 1 cycles")
        self.assertEqual((self.states(answer, "property"), self.states(answer, "timelock")), (["broken"], ["broken"]))

    def test_an_output_that_is_infinite(self):
        """A run ends there, in the same cycle."""
        text = module("""initial i state A {} transition t0 { from i to A } transition t1 { from A to A trigger a action v = v * v ; o ! v }""",
                      inputs=("a",), outputs=("o : real",), variables="var v : real = 10.0")
        verdict = self.one(self.prove(text, exit=1), "arithmetic")
        self.assertEqual((verdict["state"], len(verdict["inputs"]["rows"])), ("broken", 9))
        self.assertIn("output 'o_value' is infinite", verdict["text"])

    def test_waiting_is_not_a_deadlock(self):
        text = module("initial i state A { entry wait ( 7 ) ; x } transition t0 { from i to A } transition t1 { from A to A }")
        self.assertEqual(self.states(self.prove(text, exit=0), "deadlock"), ["holds"])

    def test_limit(self):
        """More states than are allowed: nothing is decided, and that is a no."""
        text = module("initial i state A {} transition t0 { from i to A } transition t1 { from A to A trigger a action n = n + 1 }"
                      " transition t2 { from A to A trigger b condition n == 7 }", variables="var n : nat")
        answer = self.prove(text, "--states", "100", exit=1)
        self.assertEqual(self.one(answer, "variables")["text"], "most values were seen of n (100)")
        self.assertFalse(answer["whole"])
        self.assertIn("not decided", answer["answer"])
        self.assertEqual(self.one(answer, "deadlock")["state"], "inconclusive")

    def test_clock_against_a_computation(self):
        """A clock whose last time is not found is told, since it makes states; here it goes back in time."""
        text = module("initial i state A {} transition t0 { from i to A } transition t1 { from A to A condition since ( T ) > max ( 2 , n ) action # T }",
                      variables="const n : nat = 1", declarations="clock T")
        answer = self.prove(text, exit=0)
        self.assertIn("clock T of C.S is not compared with constants alone", self.one(answer, "clocks")["text"])
        entered = self.prove(text.replace("since ( T )", "sinceEntry ( A )").replace("clock T", "").replace("action # T", ""), exit=0)
        self.assertIn("sinceEntry(A) of C.S is not compared with constants alone", self.one(entered, "clocks")["text"])

    def test_clock_against_a_large_constant(self):
        text = module("initial i state A {} transition t0 { from i to A } transition t1 { from A to A condition since ( T ) > n }",
                      variables="const n : nat = 10000000000", declarations="clock T")
        answer = self.prove(text, "--states", "50", exit=1)
        self.assertIn("clock T of C.S is compared with 1e+10 time units", self.one(answer, "clocks")["text"])
        self.assertEqual(self.one(answer, "variables")["text"], "most values were seen of clock T of C.S (51)")

    def test_clock_against_a_constant(self):
        """A clock stops behind what it is compared with: few states, whatever the time."""
        body = "initial i state A {} transition t0 { from i to A } transition t1 { from A to A trigger a condition since ( T ) > n }"
        text = module(body, variables="const n : nat = 5", declarations="clock T")
        self.assertEqual(self.prove(text, exit=0)["states"], 7)
        self.assertEqual(self.prove(text, "--set", "n=20", exit=0)["states"], 22)

    def test_clock_with_cycles_of_fractions(self):
        """It stops behind the constant, not at it, whatever a quotient of the two is rounded to."""
        for asked, declared in (("since ( T )", "clock T"), ("sinceEntry ( A )", "")):
            for cycle, times in (("0.1", 3), ("0.2", 3), ("0.1", 6), ("0.7", 3), ("0.3", 3), ("1.1", 7), ("1.4", 11), ("0.01", 29)):
                with self.subTest(f"{asked} {cycle} * {times}"):
                    text = module(STATES + f"transition t1 {{ from A to B condition {asked} > {float(Fraction(cycle) * times)!r} action x }} "
                                  "transition t2 { from B to A trigger a }", declarations=declared)
                    answer = self.prove(text.replace("module M {", f"module M {{ cycleDef cycle == {cycle}"), "--property", "never x", exit=1)
                    self.assertEqual(self.one(answer, "property")["state"], "broken")

    def test_a_large_counter(self):
        """A counter that nobody reads is left out only where it is far from the end of its 64 bits."""
        large = 2**63 - 2
        for start, given in ((large, "z + 1"), (-large, "z - 2"), (0, f"{large} ; z = z + 1 ; z = z + 1")):
            with self.subTest(given):
                text = module(STATES + f"transition t1 {{ from A to B trigger a action z = {given} }} transition t2 {{ from B to A trigger b }}",
                              variables=f"var z : int = {start}")
                self.assertEqual(self.first(self.prove(text, exit=1), "arithmetic")["state"], "broken")

    @plain
    def test_same_answer(self):
        words = [*DATA, "--length", "gas=1", "--set", "thr=1"]
        first = self.hocket("prove", MODELS / "autonomous.rct", *words, exit=1).stdout
        self.assertEqual(first, self.hocket("prove", MODELS / "autonomous.rct", *words, exit=1).stdout)

    def test_many_states(self):
        """10^6 states in less than 60 s of processor time (it takes about 2), with at most 200 bytes each."""
        size = 1000 if SLOW else 100
        before = processor_time()
        answer = self.prove("grid.rct", "--set", f"size={size}", exit=0)
        took = processor_time() - before
        self.assertEqual(answer["states"], size * size + 1)
        self.assertLessEqual(answer["bytes"], 200 * answer["states"])
        self.assertLess(took, 60)

    def test_depth(self):
        answer = self.prove("grid.rct", "--set", "size=10", exit=0)
        self.assertEqual(answer["depth"], 9)


class Plants(Exploring):
    def test_ranges_of_what_the_plant_brings(self):
        """A file of properties may bound inputs that a plant brings: that is told, and no mistake."""
        text = module(STATES + "transition t1 { from A to B trigger n ? v } transition t2 { from B to A trigger s ? w }",
                      inputs=("n : int", "s : Seq ( int )"), variables="var v : int , w : Seq ( int )")
        self.write("m.rct", text)
        self.write("p.csv", "state,next,n\nS,S,3\n")
        self.write("q.properties", "range n 0, 1;\nrange s 0, 1;\nlength s 1;\nreachable n == 3;\nnever n == 0;\n")
        done = self.hocket("prove", "m.rct", "--plant", "p.csv", "--properties", "q.properties", exit=0)
        self.assertEqual(re.findall(r"(?m)^property +(\w+)", done.stdout), ["holds", "holds"])
        self.assertEqual(re.findall(r"q.properties:(\d+):\d+: warning\[HK\d+\]: (.*)", done.stderr),
                         [("1", "range 'n' is not used: the plant brings it")])
        self.hocket("prove", "m.rct", "--properties", "q.properties", exit=1)
        self.assertIn("is of nothing that has to be bounded", self.hocket("prove", "m.rct", "--plant", "p.csv", "--properties", "q.properties",
                                                                          "--range", "z=1", exit=None).stderr)

    def test_hints_of_values(self):
        """What is empty is any where the controller does something, and nothing where the plant does."""
        text = module(STATES + "transition t1 { from A to B trigger n ? v action o ! v } transition t2 { from B to A trigger n ? v }",
                      inputs=("n : int",), outputs=("o : int",), variables="var v : int")
        self.write("m.rct", text)
        for row, hint in (("S,z,S,1", "empty: any"), ("S,1,S,99999999999999999999", "empty: it does not come; *: it may")):
            self.write("p.csv", f"state,o,next,n\n{row}\n")
            self.assertIn(f"hint: {hint}", self.hocket("prove", "m.rct", "--plant", "p.csv", exit=3).stderr)

    def test_choices_of_the_plant(self):
        """They are told under its name."""
        plant = module(STATES + "transition t1 { from A to B action a } transition t2 { from A to B action b } transition t3 { from B to B trigger x }",
                       inputs=("x",), outputs=("a", "b"))
        self.write("p.rct", plant)
        text = module(STATES + "transition t1 { from A to B trigger b action x } transition t2 { from B to A trigger a }", outputs=("x",))
        verdict = self.one(self.prove(text, "--plant", "p.rct", "--property", "never x"), "property")
        self.assertIn("[plant.C.S chooses t2]", verdict["calls"][0])

    def test_a_value_of_0_is_not_nothing(self):
        """A row for the value 0 does not fit a cycle in which the event was not sent."""
        text = module("""initial i state A { entry go ! 1 } state B { entry go ! ( - 1 ) } transition t0 { from i to A }
            transition t1 { from A to B trigger wall } transition t2 { from B to A trigger free }""",
                      inputs=("wall", "free"), outputs=("go : int",))
        for value, reached in (("0", "differs"), ("-", "holds")):
            self.write("t.csv", f"state,go,next,wall,free\nfar,{value},far,1,\nfar,-,far,,\nfar,1,far,,\nfar,-1,far,,1\n")
            self.assertEqual(self.states(self.prove(text, "--plant", "t.csv"), "states"), [reached])

    def test_cycles_of_another_length(self):
        """Controller and plant take turns, cycle by cycle."""
        self.write("p.rct", (MODELS / "room.rct").read_text().replace("module Room {", "module Room { cycleDef cycle == 0.5"))
        done = self.hocket("prove", MODELS / "rover.rct", "--plant", "p.rct", exit=1)
        self.assertIn("a cycle of the plant has 0.5 time units, one of the controller 1", done.stderr)


class Told(Exploring):
    """A no on stderr, for those who do not read what is printed: located, and said once."""

    def test_quiet(self):
        self.write("m.rct", module(STATES + "transition t1 { from A to B trigger a action x ; x } transition t2 { from B to A trigger b }"))
        done = self.hocket("prove", "m.rct", "-q", exit=1)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"(?m)^m.rct:\d+:\d+: error\[HK\d+\]: timelock: C.S: timelock: event 'x' is sent twice in cycle 0$")
        self.assertEqual(done.stderr.count("m.rct"), 1)

    def test_json(self):
        self.write("m.rct", module(STATES + "transition t1 { from A to B trigger a action x ; x } transition t2 { from B to A trigger b }"))
        error = json.loads(self.hocket("prove", "m.rct", "--json", exit=1).stderr)
        self.assertTrue(error["line"] > 0 and error["column"] > 0)
        self.assertNotIn("m.rct", error["text"])


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

    def test_range_of_reals(self):
        text = module(STATES + "transition t1 { from A to B trigger r ? q } transition t2 { from B to A trigger b }",
                      inputs=("b", "r : real"), variables="var q : real")
        message = "range 'r': from one real to another there are values without number"
        self.refused(message, "--range", "r=0..1", text=text)
        self.write("r.properties", "range r 0 to 1;\n")
        self.refused(message, "--properties", "r.properties", text=text)
        self.prove(text, "--range", "r=0,0.5,1", exit=0)

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
                              ("never (a or b", "expected ')'"),
                              ("", "--property: error[HK0311]: nothing is asked for"),
                              (" ", "nothing is asked for")):
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
