#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A RoboChart module is a component like any other: alone, in systems and packages, on nodes and threads, in states and
simulations."""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from fragments import read_record  # pylint: disable=wrong-import-position
from hocket_case import Case, main  # pylint: disable=wrong-import-position

GOOD = pathlib.Path(__file__).resolve().parent / "good"

# Emits `x` for each event it sees; a cycle is one time unit.
COUNTER = """module M { robotic platform P { event e event v : int event x event z : int } cref c = C
  connection P on e to c on e ( _async ) connection P on v to c on v ( _async )
  connection c on x to P on x ( _async ) connection c on z to P on z ( _async ) }
controller C { event e event v : int event x event z : int sref s = S
  connection C on e to s on e connection C on v to s on v
  connection s on x to C on x connection s on z to C on z }
stm S { event e event v : int event x event z : int var k : int initial i state A { }
  transition t0 { from i to A }
  transition t1 { from A to A trigger e action send x }
  transition t2 { from A to A trigger v ? k action send z ! k } }
"""

# The detector's machine, its operations with the effect that they have.
EFFECTS = """
operation move ( lv : real , av : real ) { requires RoverVars terminates postcondition ls == lv /\\ ^as == av }
operation LoadFlag ( ) { terminates }
"""

INPUTS = "time,l,r,alarm\n0,0,0,0\n3,1,0,0\n4,0,0,0\n7,0,0,1\n8,0,0,0\n14,0,0,0\n"


# Draws in each cycle.
DICE = """package T
module M { robotic platform B { event e event x event y } cref c = C
  connection B on e to c on e ( _async ) connection c on x to B on x ( _async ) connection c on y to B on y ( _async ) }
controller C { event e event x event y sref s = S connection C on e to s on e connection s on x to C on x connection s on y to C on y }
stm S { event e event x event y initial i state A { } probabilistic p
  transition t0 { from i to A }
  transition t1 { from A to p trigger e }
  transition t2 { from p to A probability 0.5 action send x }
  transition t3 { from p to A probability 0.5 action send y } }
"""


class Component(Case):
    def rover(self):
        return self.write("rover.rct", (GOOD / "rover.rct").read_text(encoding="utf-8") + EFFECTS)

    def run_chart(self, *words, exit=0, record="out.csv"):
        done = self.hocket("run", *words, "--output-variable", "*", "-o", record, exit=exit)
        return done, read_record(self.folder / record)

    def test_c3_table_of_the_detector(self):
        """Facts 3.8 (C)."""
        self.rover()
        self.write("in.csv", INPUTS)
        _, rows = self.run_chart("rover.rct", "--stop-time", "14", "--input-file", "in.csv")
        speeds = [(float(row["ls"]), float(row["as"])) for row in rows[:14]]
        go, turn, stand = (0.5, 0.0), (0.0, -1.0), (0.0, 0.0)
        self.assertEqual(speeds, [go] * 3 + [turn] * 2 + [go] * 2 + [stand] + [go] * 6)
        for name, cycles in (("ReleaseFlag", [7]), ("lightOn", [8]), ("lightOff", [11])):
            self.assertEqual([k for k, row in enumerate(rows[:14]) if float(row[name])], cycles, name)
        states = [row["c0.s0.state"] for row in rows[:14]]
        self.assertEqual(states, ["Go"] * 3 + ["TurnR"] * 2 + ["Go"] * 2 + ["Drop"] + ["Go"] * 6)

    def test_c4_double_emission(self):
        self.rover()
        self.write("in.csv", INPUTS)
        done, rows = self.run_chart("rover.rct", "--stop-time", "14", "--input-file", "in.csv", "--set", "dropTime=0", exit=4)
        self.assertRegex(done.stderr, r"rover.rct:28:\d+: error\[HK0520\]: component 'ChemicalDetector' cannot go on at t = 7 s: "
                         r"machine 'c0.s0', timelock: operation 'move' is called twice in cycle 7")
        self.assertEqual(len(rows), 7)

    def test_time_of_a_failure(self):
        """It is the same in the message and in the summary, with a record and without one."""
        self.rover()
        self.write("in.csv", INPUTS)
        words = ["rover.rct", "--stop-time", "14", "--input-file", "in.csv", "--set", "dropTime=0"]
        for more in ([], ["-o", "out.csv"]):
            done = self.hocket("run", *words, *more, exit=4)
            self.assertIn("cannot go on at t = 7 s", done.stderr)
            self.assertIn("simulated  7 s", done.stderr)
            self.assertIn(", 7 steps", done.stderr)
            self.assertIn("failed     at 7 s", done.stderr)

    def test_c5_nondeterminism(self):
        """Detector (A): the first way is taken, a warning comes once, and the same bytes again."""
        words = ["--stop-time", "12", "--set", "flagTime=2", "--input-file", "in.csv"]
        self.write("in.csv", "time,gas\n0,0\n1,1\n")
        done, rows = self.run_chart(GOOD / "chemical.rct", *words)
        self.assertEqual(done.stderr.count("has a choice in 'GasPresent'"), 1, done.stderr)
        self.assertIn("transitions 't2' and 't3' are enabled", done.stderr)
        self.run_chart(GOOD / "chemical.rct", *words, record="again.csv")
        self.assertEqual((self.folder / "out.csv").read_bytes(), (self.folder / "again.csv").read_bytes())
        self.assertEqual(rows[11]["light_value"], "green")

    def test_c6_values_between_cycles(self):
        """Two values between two cycles: the second wins."""
        self.write("m.rct", COUNTER)
        self.write("in.csv", "time,v,v_value\n0,0,0\n0.25,1,5\n0.5,1,6\n0.75,0,9\n1,0,0\n2,0,0\n")
        _, rows = self.run_chart("m.rct", "--stop-time", "3", "--step-size", "0.25", "--input-file", "in.csv")
        sent = [(float(row["time"]), row["z_value"]) for row in rows if float(row["z"])]
        self.assertEqual(sent, [(1.0, "6")])

    def test_c9_autonomous_detector(self):
        """Detector (B): to the source, and the stuck branch on both sides of both thresholds."""
        constants = ["thr=5", "movement.lv=1", "evadeTime=1", "stuckPeriod=6", "stuckDist=2", "outPeriod=1",
                     "changeDirection.lv=1"]
        words = [word for value in constants for word in ("--set", value)]
        gas = ["gas", "gas_value.size", "gas_value[1].c", "gas_value[1].i", "gas_value[2].c", "gas_value[2].i"]

        def play(events, stop):
            names = gas + ["obstacle", "obstacle_value", "odometer", "odometer_value"]
            lines = ["time," + ",".join(names)]
            for k in range(stop):
                given = events.get(k, {})
                lines.append(f"{k}," + ",".join(str(given.get(name, 0)) for name in names))
            self.write("in.csv", "\n".join(lines) + "\n")
            return self.run_chart(GOOD / "autonomous" / "Detector.rct", *words, "--stop-time", stop, "--input-file", "in.csv")[1]

        weak = dict(zip(gas, (1, 2, 1, 2, 1, 3)))  # stronger to the right, below the threshold
        strong = dict(zip(gas, (1, 1, 1, 7, 0, 0)))
        rows = play({1: weak, 3: strong}, 8)
        movement = [row["micro.movement.state"] for row in rows[:7]]
        self.assertEqual(movement, ["Waiting"] * 2 + ["Going"] * 2 + ["final"] * 3)
        self.assertEqual([k for k, row in enumerate(rows[:7]) if float(row["flag"])], [4])
        self.assertEqual(rows[6]["main.analysis.state"], "final")

        hit = {"obstacle": 1, "obstacle_value": "left"}

        def stuck(again, distance):
            """The obstacle in cycle 3, once more in cycle AGAIN, DISTANCE later."""
            events = {1: weak, 3: hit | {"odometer": 1, "odometer_value": 10}, 4: weak,
                      again: hit | {"odometer": 1, "odometer_value": 10 + distance}}
            return play(events, again + 4)[again]["micro.movement.state"]

        self.assertEqual(stuck(8, 2), "Avoiding")  # 5 time units: not stuck yet
        self.assertEqual(stuck(9, 2), "GettingOut")  # 6 time units, and not far
        self.assertEqual(stuck(9, 2.5), "Avoiding")  # far enough

    def count(self, step, *words):
        self.write("m.rct", COUNTER)
        self.write("in.csv", "time,e\n0,0\n4,1\n14,0\n20,0\n")
        done, rows = self.run_chart("m.rct", "--stop-time", "20", "--step-size", step, "--input-file", "in.csv", *words)
        return done, [float(row["time"]) for row in rows if float(row["x"])]

    def test_level_and_edge(self):
        """A signal that is high for 10 cycles, at a step of one, half and two cycles."""
        ten = [float(k) for k in range(4, 14)]
        self.assertEqual(self.count("1")[1], ten)
        done, seen = self.count("0.5")
        self.assertEqual(seen, ten + [14.0])  # high at 13.5, which waits for the next cycle
        self.assertEqual(done.stderr.count("the step of 0.5 s is shorter than a cycle of module 'M', which takes 1 s"), 1)
        done, seen = self.count("2")
        self.assertIn("a cycle takes 1 s: let that be its period", done.stderr)
        self.assertEqual(seen, ten[::2])
        self.assertEqual(done.stderr.count("is longer than a cycle"), 1, done.stderr)
        for step in ("1", "0.5", "2"):
            self.assertEqual(self.count(step, "--set", "e_edge=true")[1], [4.0], step)

    def test_time_unit(self):
        self.write("m.rct", COUNTER)
        self.write("in.csv", "time,e\n0,0\n0.4,1\n")
        _, rows = self.run_chart("m.rct", "--stop-time", "1", "--step-size", "0.1", "--set", "timeUnit=0.1", "--input-file", "in.csv")
        self.assertEqual([float(row["time"]) for row in rows[:10] if float(row["x"])], [0.4, 0.5, 0.6, 0.7, 0.8, 0.9])

    def test_wrong_parameters(self):
        self.write("m.rct", COUNTER)
        done = self.hocket("run", "m.rct", "--stop-time", "1", "--set", "timeUnit=0", exit=1)
        self.assertIn("0 is not a timeUnit, which must be above 0", done.stderr)
        for unit in ("1e-9", "1e-300"):
            done = self.hocket("run", "m.rct", "--stop-time", "1", "--set", f"timeUnit={unit}", exit=4)
            self.assertIn("a step of 1 s has more than 1000000 cycles", done.stderr)
        done = self.hocket("run", GOOD / "chemical.rct", "--stop-time", "1", exit=1)
        self.assertIn("constant 'flagTime' has no value", done.stderr)
        self.assertRegex(done.stderr, r"chemical.rct:\d+:\d+: error\[HK0404\]")

    # ---- in systems

    def system(self, link="edge"):
        self.write("m.rct", COUNTER)
        self.write("drive.csv", "time,e\n0,0\n4,1\n14,0\n20,0\n")
        link = f"lag observe {link}".strip()
        return self.write("m.system", f"""system sys {{
  composite top {{
    leaf drive : "drive.csv#hold" {{ period 1; }}
    leaf ctrl : "m.rct" {{ period 1; }}
    leaf gain : hk.Gain {{ period 1; param gain = 3; }}
    link drive.e -> ctrl.e {link};
    link ctrl.x -> gain.u lag observe;
  }}
}}
""")

    def test_in_a_system(self):
        """The consumer sees at t what the controller made of the inputs at t."""
        self.system("")
        _, rows = self.run_chart("m.system", "--stop-time", "20")
        self.assertEqual([float(row["time"]) for row in rows if float(row["y"])], [float(k) for k in range(4, 14)])
        self.system()
        _, rows = self.run_chart("m.system", "--stop-time", "20")
        self.assertEqual([float(row["time"]) for row in rows if float(row["y"])], [4.0])

    def test_edge_is_printed_and_converted(self):
        self.system()
        self.assertIn("link drive.e -> ctrl.e lag observe edge;", self.hocket("fmt", "m.system").stdout)
        self.run_chart("m.system", "--stop-time", "20")
        self.hocket("convert", "m.system", "m.ssp")
        self.run_chart("m.ssp", "--stop-time", "20", record="ssp.csv")
        self.assertEqual((self.folder / "out.csv").read_bytes(), (self.folder / "ssp.csv").read_bytes())
        self.hocket("convert", "m.ssp", "back.system")
        self.run_chart("back.system", "--stop-time", "20", record="back.csv")
        self.assertEqual((self.folder / "out.csv").read_bytes(), (self.folder / "back.csv").read_bytes())

    def test_event_and_value_are_linked_together(self):
        """An event without its value, or a value without its event, is told where it is linked; also of a table alone."""
        self.write("m.rct", COUNTER)
        self.write("drive.csv", "time,v,n\n0,0,0\n4,1,3\n5,0,0\n")
        flag, value = "link drive.v -> ctrl.v lag observe;", "link drive.n -> ctrl.v_value lag observe;"
        for links, param, wanted in (
                (flag, "", r"m.system:6:\d+: warning\[HK\d+\]: the event 'ctrl.v' comes without a value: nothing gives 'v_value', so it is 0"),
                (value, "", r"m.system:6:\d+: warning\[HK\d+\]: a value of the event 'ctrl.v' comes and the event does not"),
                (flag + value, "", None), (flag, "param v_value = 7;", None), (value, "param v = 1;", None)):
            self.write("m.system", f"""system sys {{
  composite top {{
    leaf drive : "drive.csv#hold" {{ period 1; }}
    leaf ctrl : "m.rct" {{ period 1; {param} }}

    {links}
  }}
}}
""")
            for verb in (["check"], ["run", "--stop-time", "8"]):
                done = self.hocket(verb[0], "m.system", *verb[1:])
                said = done.stdout + done.stderr
                if wanted:
                    self.assertEqual(len(re.findall(wanted, said)), 1)
                else:
                    self.assertNotIn(" comes ", said)
        self.write("in.csv", "time,v\n0,0\n4,1\n")
        self.assertIn("the event 'M.v' comes without a value", self.hocket("run", "m.rct", "--input-file", "in.csv", "--stop-time", "8").stderr)

    def test_a_part_of_a_value(self):
        """An event comes with a part of its value: what nothing gives is told, unless it is elements that may be there or not."""
        self.write("m.rct", """package e module M {
          robotic platform P { event a : int * boolean event s : Seq(int) }
          controller C { event a : int * boolean event s : Seq(int)
            stm S { event a : int * boolean event s : Seq(int) var t : int * boolean, q : Seq(int)
              initial i state A {} transition t0 { from i to A }
              transition t1 { from A to A trigger a ? t } transition t2 { from A to A trigger s ? q } }
            connection C on a to S on a connection C on s to S on s }
          connection P on a to C on a (_async) connection P on s to C on s (_async) }
        """)
        for columns, wanted in (("a,a_value.1", "'M.a' comes with a part of its value: nothing gives 'a_value.2', so it is 0"),
                                ("a,a_value.1,a_value.2", None), ("s,s_value.size,s_value[1]", None),
                                ("s,s_value[1]", "'M.s' comes with a part of its value: nothing gives 's_value.size', so it is 0")):
            count = columns.count(",") + 1
            self.write("in.csv", f"time,{columns}\n0{',0' * count}\n2{',1' * count}\n")
            said = self.hocket("run", "m.rct", "--input-file", "in.csv", "--stop-time", "4").stderr
            if wanted:
                self.assertIn(wanted, said)
            else:
                self.assertNotIn(" comes ", said)

    def test_package_has_what_is_imported(self):
        self.write("m.system", f"""system sys {{
  composite top {{
    leaf ctrl : "{GOOD / 'autonomous' / 'Detector.rct'}" {{
      period 1;
      param thr = 5; param "movement.lv" = 1; param evadeTime = 1; param stuckPeriod = 6; param stuckDist = 2;
      param outPeriod = 1; param "changeDirection.lv" = 1;
    }}
  }}
}}
""")
        self.run_chart("m.system", "--stop-time", "4")
        self.hocket("convert", "m.system", "m.ssp")
        self.run_chart("m.ssp", "--stop-time", "4", record="ssp.csv")
        self.assertEqual((self.folder / "out.csv").read_bytes(), (self.folder / "ssp.csv").read_bytes())

    def test_edge_is_for_events(self):
        self.write("m.system", 'system s { composite t { leaf a : hk.Gain; leaf b : hk.Gain; link a.y -> b.u edge; } }\n')
        done = self.hocket("check", "m.system", exit=1)
        self.assertIn("'b.u' is not an event of a controller: 'b' has no parameter 'u_edge'", done.stdout + done.stderr)
        self.write("m.system", 'system s { composite t { leaf a : hk.Gain; leaf b : hk.Gain; link a.y -> b.u edge edge; } }\n')
        done = self.hocket("check", "m.system", exit=3)
        self.assertIn("'edge' is given twice", done.stdout + done.stderr)

    def test_edge_and_parameter(self):
        """They say the same, or it is an error."""
        path = self.system()
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace('"m.rct" { period 1; }', '"m.rct" { period 1; param e_edge = true; }'), encoding="utf-8")
        _, rows = self.run_chart("m.system", "--stop-time", "20")
        self.assertEqual([float(row["time"]) for row in rows if float(row["y"])], [4.0])
        path.write_text(text.replace('"m.rct" { period 1; }', '"m.rct" { period 1; param e_edge = false; }'), encoding="utf-8")
        done = self.hocket("run", "m.system", "--stop-time", "20", exit=1)
        self.assertIn("m.system:6:", done.stderr)
        self.assertIn("'edge' of the link says another thing than 'e_edge = false'", done.stderr)

    def test_same_bytes_everywhere(self):
        """One thread, several, two nodes, a process of its own."""
        self.system()
        self.run_chart("m.system", "--stop-time", "20")
        wanted = (self.folder / "out.csv").read_bytes()
        about = json.loads((self.folder / "out.csv-metadata.json").read_text(encoding="utf-8"))["notes"][0]["coverage"]
        self.assertEqual(about[0]["component"], "ctrl")
        self.assertEqual([(t["name"], t["taken"]) for t in about[0]["transitions"]], [("t0", 1), ("t1", 1), ("t2", 0)])
        for name, words in (("threads", ["--threads", "2"]), ("nodes", ["--nodes", "2"]), ("isolate", ["--isolate", "ctrl"])):
            with self.subTest(name):
                self.run_chart("m.system", "--stop-time", "20", *words, record=f"{name}.csv")
                self.assertEqual((self.folder / f"{name}.csv").read_bytes(), wanted)
                other = json.loads((self.folder / f"{name}.csv-metadata.json").read_text(encoding="utf-8"))
                self.assertEqual(other["notes"][0]["coverage"], about)

    def test_states(self):
        """A run that goes on from a saved state ends like one that was not interrupted."""
        self.rover()
        self.write("in.csv", INPUTS)
        run = ["rover.rct", "--input-file", "in.csv"]
        _, whole = self.run_chart(*run, "--stop-time", "14")
        for at in ("4", "7", "8"):
            self.hocket("run", *run, "--stop-time", at, "--save-state", "x.hks")
            _, rest = self.run_chart(*run, "--stop-time", "14", "--load-state", "x.hks", record="rest.csv")
            self.assertEqual(rest[1:], whole[int(at) + 1:], at)

    def counts(self, record):
        about = json.loads((self.folder / f"{record}-metadata.json").read_text(encoding="utf-8"))["notes"][0]["coverage"][0]
        return [s["entered"] for s in about["states"]], [t["taken"] for t in about["transitions"]]

    def test_coverage_goes_on(self):
        """That of a run in two halves, from a state or a checkpoint, is that of the whole one; in a process of its own, on nodes, too."""
        self.rover()
        self.write("in.csv", INPUTS)
        run = ["rover.rct", "--input-file", "in.csv"]
        self.run_chart(*run, "--stop-time", "14", record="whole.csv")
        whole = self.counts("whole.csv")
        for how in ([], ["--isolate", "ChemicalDetector"], ["--nodes", "2"]):
            with self.subTest(how):
                self.hocket("run", *run, *how, "--stop-time", "8", "--save-state", "x.hks", "-o", "half.csv")
                self.assertNotEqual(self.counts("half.csv"), whole)
                self.run_chart(*run, *how, "--stop-time", "14", "--load-state", "x.hks", record="rest.csv")
                self.assertEqual(self.counts("rest.csv"), whole)
                self.run_chart(*run, *how, "--stop-time", "9", "--checkpoint", "every=4,file=c.hks", record="again.csv")
                self.run_chart(*run, *how, "--stop-time", "14", "--resume", "c.hks", record="again.csv")
                self.assertEqual(self.counts("again.csv"), whole)
                about = json.loads((self.folder / "again.csv-metadata.json").read_text(encoding="utf-8"))["notes"][0]
                self.assertEqual(about["start_s"], 0)  # that of its rows
                self.assertIn(" --resume=c.hks", about["reproduce"])

    def test_states_have_the_seed(self):
        """A run that goes on draws what the whole run draws, whatever --seed says then; that it has no effect is said."""
        self.write("dice.rct", DICE)
        self.write("in.csv", "time,e\n0,1\n")
        run = ["dice.rct", "--input-file", "in.csv", "--stop-time"]
        _, whole = self.run_chart(*run, "40", "--seed", "7")
        _, plain = self.run_chart(*run, "40", record="plain.csv")
        self.assertNotEqual(whole[11:], plain[11:])
        self.hocket("run", *run, "10", "--seed", "7", "--save-state", "x.hks")
        for words in ([], ["--seed", "7"], ["--seed", "0"], ["--seed", "9"]):
            done, rest = self.run_chart(*run, "40", *words, "--load-state", "x.hks", record="rest.csv")
            self.assertEqual(rest[1:], whole[11:], words)
            self.assertEqual("random numbers go on as the state has them: --seed changes nothing" in done.stderr, bool(words))

    def test_states_of_another_version(self):
        """A state is of the text that it was saved with: a number that was changed is another module."""
        self.rover()
        self.write("in.csv", INPUTS)
        run = ["rover.rct", "--input-file", "in.csv", "--stop-time", "14"]
        self.hocket("run", *run[:3], "--stop-time", "4", "--save-state", "x.hks")
        text = (self.folder / "rover.rct").read_text(encoding="utf-8")
        (self.folder / "rover.rct").write_text(f"// comments do not matter\n{text}", encoding="utf-8")
        self.hocket("run", *run, "--load-state", "x.hks")
        self.assertIn("0.5", text)
        (self.folder / "rover.rct").write_text(text.replace("0.5", "0.25"), encoding="utf-8")
        self.assertIn("of the text", self.hocket("run", *run, "--load-state", "x.hks", exit=3).stderr)

    def test_seed(self):
        """--seed draws other random numbers, the same for the same seed; where nothing is drawn, that is said."""
        self.write("dice.rct", DICE)
        self.write("in.csv", "time,e\n0,1\n")
        draws = {}
        for seed in ("0", "1", "2", "1"):
            done, rows = self.run_chart("dice.rct", "--input-file", "in.csv", "--stop-time", "40", "--seed", seed)
            self.assertNotIn("changes nothing", done.stderr)
            draws.setdefault(seed, set()).add(tuple(row["x"] for row in rows))
        self.assertTrue(all(len(one) == 1 for one in draws.values()))
        self.assertEqual(len(set.union(*draws.values())), 3)
        _, rows = self.run_chart("dice.rct", "--input-file", "in.csv", "--stop-time", "40")
        self.assertEqual({tuple(row["x"] for row in rows)}, draws["0"])
        self.run_chart("dice.rct", "--input-file", "in.csv", "--stop-time", "40", "--seed", "7", record="one.csv")
        self.run_chart("dice.rct", "--input-file", "in.csv", "--stop-time", "40", "--seed", "7", "--nodes", "2", record="two.csv")
        self.assertEqual((self.folder / "one.csv").read_bytes(), (self.folder / "two.csv").read_bytes())
        self.assertIn("--seed", self.hocket("run", "dice.rct", "--seed", "-1", "--stop-time", "4", exit=2).stderr)
        self.rover()
        self.assertIn("--seed changes nothing", self.hocket("run", "rover.rct", "--seed", "1", "--stop-time", "4").stderr)

    def test_last_row(self):
        """Where a run ends nothing happens any more: what was sent in the last cycle is not there again."""
        path = GOOD.parent / "fragments" / "nat_sent.rct"
        self.write("in.csv", "time,n,n_value\n0,0,0\n3,1,5\n4,1,6\n")
        for stop, wanted in (("4", ["0", "0", "0", "1", "0"]), ("5", ["0", "0", "0", "1", "1", "0"])):
            _, rows = self.run_chart(path, "--input-file", "in.csv", "--stop-time", stop)
            self.assertEqual([row["z"] for row in rows], wanted)
            self.assertEqual(rows[-1]["z_value"], rows[-2]["z_value"])
        _, rows = self.run_chart(path, "--input-file", "in.csv", "--stop-time", "9", "--stop-when", "M.z_value > 2")
        self.assertEqual([(row["time"], row["z"]) for row in rows[-2:]], [("3", "1"), ("4", "0")])

    def test_stats_and_json(self):
        self.rover()
        self.write("in.csv", INPUTS)
        done = self.hocket("run", "rover.rct", "--stop-time", "14", "--input-file", "in.csv", "--stats")
        self.assertIn("coverage: ChemicalDetector: 6 of 7 states entered, 9 of 11 transitions taken", done.stderr)
        answer = json.loads(self.hocket("run", "rover.rct", "--stop-time", "14", "--input-file", "in.csv", "--json").stdout)
        self.assertEqual(answer["coverage"][0]["states_entered"], 6)

    def test_coverage_of_inner_states(self):
        """Those of one name are told apart by the states that they are in."""
        path = GOOD.parent / "fragments" / "same_state_names.rct"
        done = self.hocket("run", path, "--stop-time", "3", "--stats")
        self.assertRegex(done.stderr, r"state +c\.s\.O\.A +1\n")
        self.assertRegex(done.stderr, r"state +c\.s\.P\.A +0\n")
        answer = json.loads(self.hocket("run", path, "--stop-time", "3", "--json").stdout)
        states = {(s.get("inside"), s["name"]): s["entered"] for s in answer["coverage"][0]["states"]}
        self.assertEqual((states[None, "O"], states["O", "A"], states["P", "A"]), (1, 1, 0))

    def test_in_a_simulation(self):
        """Scenarios set events and parameters, stop the controller, and expect states."""
        self.system("")
        self.write("s.simulation", """Simulation s (s)
system sys;
simulationTime [0, 12]:1;
scenarios {
  Scenario by_edge
  begin {
    "sys.top.ctrl.e_edge" = true;
  }
  events {
    instant 6 {
      "sys.top.ctrl.v" = 1;
      "sys.top.ctrl.v_value" = 42;
    }
    instant 7 {
      "sys.top.ctrl.v" = 0;
    }
  }
  expects {
    expect always "sys.top.ctrl.c.s.state" == 1;
    expect at 4 "sys.top.ctrl.x" == 1;
    expect always "sys.top.ctrl.x" == 0 from 5 to 12;
    expect at 6 "sys.top.ctrl.z" == 1;
    expect at 6 "sys.top.ctrl.z_value" == 42;
    expect always "sys.top.ctrl.z" == 0 from 7 to 12;
  }
  Scenario stopped
  events {
    instant 6 {
      "sys.top.ctrl".Stop();
    }
    instant 9 {
      "sys.top.ctrl".Start();
    }
  }
  expects {
    expect always "sys.top.ctrl.x" == 1 from 4 to 5;
    expect always "sys.top.ctrl.x" == 0 from 6 to 8;
    expect always "sys.top.ctrl.x" == 1 from 9 to 11;
    expect at 12 "sys.top.ctrl.x" == 0;
  }
  logs {
    x.csv timed(1) {
      "sys.top.ctrl.x";
    }
  }
}
""")
        done = self.hocket("run", "s.simulation", "--system", "m.system", "-o", "out")
        self.assertNotIn("longer than a cycle", done.stderr)  # cycles that began while it was stopped do not run
        coverage = json.loads(next(self.folder.rglob("x*.csv-metadata.json")).read_text(encoding="utf-8"))
        counts = {t["name"]: t["taken"] for t in coverage["notes"][0]["coverage"][0]["transitions"]}
        self.assertEqual(counts, {"t0": 1, "t1": 5, "t2": 0})  # 4, 5, 9, 10, 11


if __name__ == "__main__":
    main()
