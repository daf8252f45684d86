#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rules of CARES and the decisions about what they leave open, one by one, through the built
program; and whether every test that docs/cares-rules.md names exists. Standard library only.
"""
import csv
import json
import math
import os
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, Case, main, plain  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
ESTIMATE = "Navigation.myNavigationFunction.myEstimatedNedPosition"
HEAD = """Simulation s (ms)
system %s;
simulationTime [%s]:%s;
"""
BEGIN = """
  bind "auv.comp.Environment.MNT.myMntModel.pMntModel"
    to "auv.comp.Environment.MNT.myMntAdapter.rMntSource";
  bind "auv.comp.Environment.Current.myCurrent.itfCurrentModel"
    to "auv.comp.Environment.Current.myCurrentAdapter.rCurrentSource";
  bind "auv.comp.Sensors.DVL.myErrorDVL.pitfEDVL"
    to "auv.comp.Sensors.DVL.mySourceDVLAdapter.rItfEDVL";
  "auv.comp.Environment.MNT.myGeoTiff".Stop();
  "auv.comp.Environment.Current.myS111CurrentFile".Stop();
  "auv.comp.Drone.myMissionInterpreter".Stop();
  "auv.comp.Drone.myMissionAdapter.isSpline" = false;
  "auv.comp.Navigation.myNavigationFunction.myNavFunctionNumber" = 2;
"""
SPEEDS = pathlib.Path(__file__).resolve().parent / "inconsistencies" / "speeds.csv"
SLOW_READER = ("sensors.DvlReader    { frequency 1000 Hz", "sensors.DvlReader    { frequency 10 Hz")
NO_READER = '"auv.comp.Sensors.DVL.myReaderDVL".Stop();'
LOOP = """system loop {
  composite all {
    leaf a : hk.Gain { frequency 10 Hz; priority %d; param gain = 1; param offset = 1; }
    leaf b : hk.Gain { frequency 10 Hz; priority %d; param gain = 2; }
    link a.y -> b.u;
    link b.y -> a.u;
  }
}
"""


class Rules(Case):
    def setUp(self):
        super().setUp()
        models = OPTIONS.models / "auv"
        for file in (*models.glob("*.types"), *models.glob("*.so"), models / "mission.csv"):
            os.symlink(file, self.folder / file.name)
        os.symlink(SPEEDS, self.folder / SPEEDS.name)
        self.system = (models / "auv.system").read_text()
        self.write("auv.system", self.system)

    def call(self, *words):
        return self.hocket(*words, exit=None)

    def edit(self, *pairs):
        """Plays on a variant of the vehicle from here on."""
        text = self.system
        for old, new in pairs:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        self.write("auv.system", text)

    def simulation(self, begin=NO_READER, scenario="", horizon="0,1000", step=1, end="",
                   name="only", logs=(ESTIMATE,), period=1):
        log = "logs { log.csv timed(%s) { %s } }" % (
            period, " ".join('"auv.comp.%s";' % s for s in logs)) if logs else ""
        self.write("s.simulation", HEAD % ("auv", horizon, step) + "begin {" + BEGIN + begin +
                   "}\nscenarios { Scenario " + name + " " + scenario + log + " }\n" + end)

    def play(self):
        done = self.call("run", "s.simulation", "--json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.said = done.stderr
        return json.loads(done.stdout)["runs"]

    def column(self, name, file="log.csv"):
        with open(self.folder / file, newline="") as handle:
            return [float(row[name]) for row in csv.DictReader(handle)]

    # ---- structure

    def test_s1_ports_of_composites(self):
        """Ports and interfaces of composites stand for what they lead to."""
        self.simulation(scenario='events { instant 500 { fault "auv.comp.Drone.bodySpeed.x" -> '
                        '"auv.comp.Sensors.DVL.bodySpeed.x" bias 1; } instant 700 { '
                        'repair "auv.comp.Drone.bodySpeed"; } instant 800 { '
                        'fault "auv.comp.Sensors.measuredDVLSpeed.x" stuck 9; } } '
                        'expects { expect always "auv.comp.Drone.bodySpeed.x" < 2.6; }',
                        logs=("Sensors.DVL.bodySpeed", "Navigation.measuredDVLSpeed.x",
                              "Drone.bodySpeed"))
        self.play()
        x = self.column("Sensors.DVL.bodySpeed.x")
        self.assertEqual([x[i] for i in (499, 500, 699, 700)], [2.5, 3.5, 3.5, 2.5])
        self.assertEqual(self.column("Navigation.measuredDVLSpeed.x")[900], 9)
        self.assertEqual(self.column("Drone.bodySpeed.x")[600], 2.5)

    def test_s1_ports_that_lead_to_several(self):
        """An input of a composite sets all that it feeds; what is read must be one."""
        self.write("p.system", "system p { composite all { composite sub { "
                   'input core.double u unit "m"; output core.double y; leaf a : hk.Gain; '
                   "leaf b : hk.Gain; link u -> a.u, b.u; link a.y -> y; } } }")
        text = HEAD % ("p", "0, 10", 1) + 'scenarios { Scenario one %s ' \
            'logs { p.csv timed(1) { %s } } }'
        self.write("p.simulation", text % ('begin { "p.all.sub.u" = 3; }',
                                           '"p.all.sub.a.y"; "p.all.sub.b.y"; "p.all.sub.y";'))
        done = self.call("run", "p.simulation")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("sub.a.y", "sub.b.y", "sub.y"):
            self.assertEqual(self.column(name, "p.csv")[-1], 3)
        self.write("p.simulation", text % ("", '"p.all.sub.u";'))
        done = self.call("check", "p.simulation")
        self.assertIn("'p.all.sub.u' is an input of a composite that leads to 2: 'sub.a.u' and "
                      "'sub.b.u'", done.stdout + done.stderr)

    def test_s3_provider_that_is_not_linked(self):
        """The one who provides an interface can be bound, also through interfaces of composites."""
        called = ('bind "auv.comp.Environment.MNT.myMntModel.pMntModel" to '
                  '"auv.comp.Sensors.rMnt";')
        self.simulation(begin=NO_READER + called)
        self.play()
        done = self.call("check", "s.simulation")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.simulation(begin=NO_READER + called.replace(
            "MNT.myMntModel.pMntModel", "Current.myCurrent.pConfigCurrentModel"))
        self.assertIn("provides 'environment.CurrentConfig'",
                      self.call("check", "s.simulation").stdout)

    # ---- execution

    @plain
    def test_e1_run_to_completion(self):
        """What a step computes is there when it ends, not before: at t = 0 there is nothing."""
        self.simulation()
        self.play()
        x = self.column(ESTIMATE + ".x")
        self.assertEqual(x[0], 0)
        self.assertAlmostEqual(x[1], 0.0025, 12)

    @plain
    def test_e2_frequency(self):
        self.edit(SLOW_READER)
        self.simulation(begin='"auv.comp.Sensors.DVL.myReaderDVL.fileName" = "speeds.csv";')
        counts = self.play()[0]["activations"]
        self.assertEqual([counts[n] for n in ("Mission.myMission", "Sensors.DVL.myReaderDVL",
                                              "Drone.mySimpleMission")], [1, 10, 1000])

    @plain
    def test_e3_valid_after_the_interval(self):
        """A component of 1 Hz computes at 0 what holds at 1 s."""
        self.simulation(horizon="0,2000", logs=["Environment.Current.myCurrent.meanSpeed"],
                        begin=NO_READER +
                        '"auv.comp.Environment.Current.myCurrent.nominalSpeed" = 3.0;')
        self.play()
        self.assertEqual(self.column("Environment.Current.myCurrent.meanSpeed"),
                         [0] * 1000 + [3] * 1001)

    @plain
    def test_e4_d3_previous_and_current(self):
        """Every link that takes the previous value sees a change one step later: 2.5 mm of a change
        by 2.5 m/s."""
        for links in range(4):
            chosen = [("myBodyToDVL        : sensors.BodyToSensor { ", "use in previous; "),
                      ("myErrorDVL         : sensors.DvlError     { ", "use in previous; "),
                      ("myDvl                : navigation.DvlDriver          { ",
                       "use sensorSpeed previous; ")][:links]
            self.edit(*((a, a + b) for a, b in chosen))
            self.simulation(scenario="events { instant 500 { "
                            '"auv.comp.Drone.mySimpleMission.speed" = 5.0; } }')
            self.play()
            # In the step of the change navigation takes the mean of both speeds: 1.25 mm.
            x = self.column(ESTIMATE + ".x")
            self.assertAlmostEqual(x[1000] - x[500], 2.5 - 0.00125 - 0.0025 * links, 9)

    @plain
    def test_d2_frequency_that_is_nearly_a_period(self):
        """33.33333333333 Hz is three steps of 10 ms, 33.3333 Hz is not."""
        for frequency, good in (("33.33333333333", True), ("33.3333", False)):
            self.write("f.system", "system f { composite c { leaf g : hk.Gain { frequency %s Hz; } "
                       "leaf k : hk.Constant { frequency 100 Hz; } link k.y -> g.u; } }" % frequency)
            self.write("f.simulation", HEAD % ("f", "0, 300", 10) + "scenarios { Scenario a }")
            done = self.call("run", "f.simulation", "--json")
            self.assertEqual(done.returncode == 0, good, done.stderr)
            if good:
                self.assertEqual(json.loads(done.stdout)["runs"][0]["activations"]["g"], 10)

    @plain
    def test_d2_rows_of_a_plain_run(self):
        """Without a step a system is recorded at the common period of its components."""
        self.write("f.system", "system f { composite c { leaf a : hk.Gain { period 100 ms; } "
                   "leaf b : hk.Gain { period 150 ms; } } }")
        done = self.call("run", "f.system", "--stop-time", "7", "-o", "f.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        times = self.column("time", "f.csv")
        self.assertEqual(len(times), 141)
        self.assertEqual(times[:3], [0, 0.05, 0.1])

    @plain
    def test_d3_slow_producer_is_held(self):
        """A quick consumer takes what is newest of a slow producer: the held value."""
        self.edit(("myBodyToDVL        : sensors.BodyToSensor { frequency 1000 Hz;",
                   "myBodyToDVL        : sensors.BodyToSensor { frequency 10 Hz;"))
        self.simulation(logs=["Sensors.DVL.myErrorDVL.out"], scenario="events { instant 150 { "
                        '"auv.comp.Drone.mySimpleMission.speed" = 2.0; } }')
        self.play()
        speeds = self.column("Sensors.DVL.myErrorDVL.out.x")
        # At 200 ms the slow one steps again; `current` takes it in the same tick.
        self.assertEqual((speeds[150], speeds[200], speeds[201]), (2.5, 2.5, 2.0))

    @plain
    def test_d4_default_is_current(self):
        self.simulation()
        self.play()
        for tick, x in enumerate(self.column(ESTIMATE + ".x")):
            self.assertAlmostEqual(x, 0.0025 * tick, 9)

    def test_e5_d5_priorities_cut_cycles(self):
        """a = b + 1, b = 2 a, both from 0 and what they are initially: 3, and 6 or 2."""
        for first, second, word in ((0, 1, "'a' runs before 'b'"), (1, 0, "'b' runs before 'a'"),
                                    (1, 1, "'a' runs before 'b'")):
            self.write("loop.system", LOOP % (first, second))
            done = self.call("check", "loop.system")
            self.assertIn(word, done.stdout + done.stderr)
            self.assertEqual("warning[HK0407]" in done.stdout + done.stderr, first == second)
            self.write("loop.simulation", HEAD % ("loop", "0,300", 100) + "scenarios { Scenario s "
                       'logs { loop.csv timed(100) { "loop.all.a.y"; "loop.all.b.y"; } } }')
            done = self.call("run", "loop.simulation", "-q")
            self.assertEqual(done.returncode, 0, done.stderr)
            a, b = self.column("a.y", "loop.csv"), self.column("b.y", "loop.csv")
            for k in range(1, 3):
                if (first, second) == (1, 0):
                    self.assertEqual(b[k], 2 * a[k - 1])
                    self.assertEqual(a[k], b[k] + 1)
                else:
                    self.assertEqual(a[k], b[k - 1] + 1)
                    self.assertEqual(b[k], 2 * a[k])

    def test_s3_a_partition_cuts_a_service(self):
        """A schedule that puts caller and provider on two processors is reported where the caller is."""
        leaves = re.findall(r"^\s*leaf (\w+)", self.system, re.MULTILINE)
        done = self.call("info", "auv.system", "--json")
        names = [c["name"] for c in json.loads(done.stdout)["components"]]
        self.assertEqual(len(names), len(leaves))
        provider = "Environment.MNT.myMntAdapter"
        others = " ".join(name for name in names if name != provider)
        self.write("cut.schedule", f"processor one: {provider}\nprocessor two: {others}\n")
        done = self.call("check", "auv.system", "--schedule", "cut.schedule")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"auv\.system:\d+:\d+: error\[HK0419\]: the partition cuts a "
                         r"service: 'Drone\.myMissionInterpreter\.rMnt' on 'two' calls "
                         r"'Environment\.MNT\.myMntAdapter\.pMnt' on 'one'")
        # Nobody has bound 'rMntSource' yet: it may be any of those that provide it.
        self.assertIn("'Environment.MNT.myMntAdapter.rMntSource' on 'one' calls", done.stdout)

    @plain
    def test_s2_shared_parameters_follow_their_owner(self):
        """Also where the owner changes the parameter itself: here in a call."""
        share = ("  share Environment.Current.myCurrent.nominalSpeed -> Drone.mySimpleMission.speed%s;\n"
                 "    composite Environment role environment {")
        call = '"auv.comp.Environment.Current.myCurrent"."environment.CurrentConfig.setSpeed"'
        for word, expected in (("", [0, 0, 3, 3]), (" lag previous", [0, 0, 0, 0])):
            self.edit(("param speed = 2.5;", ""), ("    composite Environment role environment {", share % word))
            self.simulation(scenario="events { instant 500 { " + call + "(3.0, 0.0); } }",
                            logs=("Drone.mySimpleMission.speed",))
            self.play()
            self.assertEqual(self.column("Drone.mySimpleMission.speed")[498:502], expected)

    def test_s3_services_are_data_flow(self):
        """What a component asks is in its trace, and in latencies, as what it reads does."""
        names = [c["name"] for c in json.loads(self.call("info", "auv.system", "--json").stdout)
                 ["components"]]
        adapter = next(n for n in names if n.endswith("mySourceDVLAdapter"))
        error = next(n for n in names if n.endswith("myErrorDVL"))
        done = self.call("trace", "auv.system", adapter + ".out.x", "--at", "0.5")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("depends on what it calls", done.stdout)
        self.assertIn(f"<- {error}.pitfEDVL", done.stdout)
        self.assertRegex(done.stdout, r"is called; age 0; lag 0 \(current\)")
        self.assertIn(f"{error}.in.x", done.stdout)
        asked = [s for s in json.loads(self.call("plan", "auv.system", "--json").stdout)["services"]
                 if s["to"] == adapter + ".rItfEDVL"]
        self.assertEqual([s["from"].rsplit(".", 1)[1] for s in asked], ["pitfEDVL", "pItfReader"])
        self.assertEqual(asked[0]["age_max_s"], 0)
        body = next(n for n in names if n.endswith("myBodyToDVL"))
        self.write("age.schedule", f"latency {body} -> {error} -> {adapter} max 0ms\n"
                   f"latency {error} -> {adapter} min 1ms max 5ms\n")
        done = self.call("check", "auv.system", "--schedule", "age.schedule")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(re.findall(r"error\[HK04", done.stdout)), 1, done.stdout)
        self.assertRegex(done.stdout, f"the path '{error} -> {adapter}' has the age 0 s")

    @plain
    def test_s3_calls_know_no_lateness(self):
        """What a late activation did is seen by who calls at once, and that is reported, once."""
        error = "Sensors.DVL.myErrorDVL"
        for cost, times in (("0.5ms", 0), ("1.5ms", 1)):
            self.write("late.schedule", f"component {error} cost {cost} overrun late\n")
            for verb in ("check", "plan"):
                done = self.call(verb, "auv.system", "--schedule", "late.schedule", "--stop-time",
                                 "0.1")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertEqual((done.stdout + done.stderr).count(
                    f"activations of '{error}' are late, but 'Sensors.DVL.mySourceDVLAdapter'"),
                    times, verb + done.stderr)

    def test_s3_orders_of_bindings(self):
        """Where who is bound decides about the order, plan shows each, and events choose."""
        self.edit(("link myBodyToDVL.out -> myErrorDVL.in;",
                   "link mySourceDVLAdapter.out -> myErrorDVL.in;"))
        done = self.call("plan", "auv.system")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        dvl = "Sensors.DVL."
        with_error = f"service {dvl}mySourceDVLAdapter.rItfEDVL -> {dvl}myErrorDVL.pitfEDVL"
        self.assertIn("Order 1 of 2: with " + with_error, done.stdout)
        self.assertIn("Order 2 of 2: with service", done.stdout)
        orders = json.loads(self.call("plan", "auv.system", "--json").stdout)["orders"]
        phase = [{c["name"]: c["phase"] for c in o["components"]} for o in orders]
        self.assertEqual(orders[0]["with"], with_error)
        error, adapter = dvl + "myErrorDVL", dvl + "mySourceDVLAdapter"
        self.assertLess(phase[0][error], phase[0][adapter])
        self.assertGreater(phase[1][error], phase[1][adapter])
        traced = ("trace", "auv.system", adapter + ".out.x", "--at", "0.5")
        self.assertIn(f"in order 1 of 2: with {with_error}; ", self.call(*traced).stdout)
        self.assertEqual(json.loads(self.call(*traced, "--json").stdout)["order"],
                         {"number": 1, "of": 2, "with": with_error})
        answer = json.loads(self.call("plan", "auv.system", "--program", "--json").stdout)
        self.assertEqual([p["with"] for p in answer["programs"]], [o["with"] for o in orders])
        self.assertEqual([{name: cell["phase"] for cell in p["cells"] for name in cell["step"]}
                          for p in answer["programs"]], phase)
        text = self.call("plan", "auv.system", "--program").stdout
        self.assertEqual(re.findall("^// with (.*)$", text, re.M), [o["with"] for o in orders])
        ages = [next(c["age_max_s"] for c in o["connections"] if c["to"] == error + ".in.x")
                for o in orders]
        self.assertEqual(ages, [0.001, 0])
        comp = "auv.comp." + dvl
        bind = f'bind "{comp}%s" to "{comp}mySourceDVLAdapter.rItfEDVL"; '
        self.simulation(scenario="events { instant 500 { " + bind % "myReaderDVL.pItfReader" +
                        "} instant 700 { " + bind % "myErrorDVL.pitfEDVL" + "} }")
        done = self.call("run", "s.simulation", "--allow-stopped") # there is no file to be read
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @plain
    def test_e6_fixed_steps(self):
        """Neither rollback nor variable steps: the step is one number, above 0."""
        self.simulation(step=0)
        self.assertNotEqual(self.call("check", "s.simulation").returncode, 0)

    @plain
    def test_e7_inactive_from_the_beginning(self):
        self.edit(('param fileName = "dvl.csv";', 'param fileName = "dvl.csv"; inactive;'))
        self.simulation(begin="")
        counts = self.play()[0]["activations"]
        self.assertEqual(counts["Sensors.DVL.myReaderDVL"], 0)
        self.assertEqual(counts["Sensors.DVL.myErrorDVL"], 1000)

    # ---- scenarios

    @plain
    def test_c1_horizon(self):
        self.simulation(horizon="2000,3000", step=1)
        self.play()
        times = self.column("time")
        self.assertEqual((times[0], times[-1], len(times)), (2, 3, 1001))

    def test_c3_calls_in_events(self):
        call = '"auv.comp.Environment.Current.myCurrent"."environment.CurrentConfig.setSpeed"'
        self.simulation(horizon="0,4000", logs=["Environment.Current.myCurrent.meanSpeed"],
                        scenario="events { instant 1000 { " + call +
                        "(2.0, 0.0); } instant 2000 { " + call +
                        '("direction" = 0, "speed" = 3); } }')
        self.play()
        self.assertEqual(self.column("Environment.Current.myCurrent.meanSpeed")[::1000],
                         [0, 0, 2, 3, 3])

    def test_c4_d11_ends(self):
        call = '"auv.comp.Environment.Current.myCurrent"."environment.CurrentConfig.setSpeed"'
        self.simulation(name="three [3]", scenario="end { " + call + "(2.0, 0.0); } ",
                        end="end { " + call + "(5.0, 0.0); }")
        runs = self.play()
        ends = [[t for t in run["trace"] if t.startswith("1 s: call")] for run in runs]
        self.assertEqual([len(e) for e in ends], [1, 1, 2])
        self.assertIn("5.0", ends[2][1])

    # ---- decisions

    @plain
    def test_d2_phase_after_a_restart(self):
        """10 Hz is at 0, 100, 200 ...; stopped from 50 to 150 it misses 100 and goes on at 200."""
        reader = '"auv.comp.Sensors.DVL.myReaderDVL'
        self.edit(SLOW_READER)
        for end, expected in ((200, 1), (201, 2)):
            self.simulation(begin=reader + '.fileName" = "speeds.csv";', horizon="0,%d" % end,
                            scenario="events { instant 50 { " + reader + '".Stop(); } '
                            "instant 150 { " + reader + '".Start(); } }')
            self.assertEqual(self.play()[0]["activations"]["Sensors.DVL.myReaderDVL"], expected)

    @plain
    def test_d6_between_two_steps(self):
        self.edit(*((name, name.replace("1000 Hz", "500 Hz")) for name in
                    re.findall(r"leaf .*frequency 1000 Hz", self.system)))
        self.simulation(step=2, period=2, scenario='events { instant 101 { '
                        '"auv.comp.Navigation.myDvl".Stop(); } }')
        run = self.play()[0]
        self.assertIn("0.102 s: stop Navigation.myDvl", run["trace"])
        self.assertIn("event at 101 ms lies between two steps, it fires at 102 ms", self.said)
        self.assertEqual(self.call("run", "s.simulation", "--strict").returncode, 3)

    def test_d6_order_of_the_text(self):
        speed = '"auv.comp.Drone.mySimpleMission.speed" = %s; '
        self.simulation(scenario="events { instant 500 { " + speed % "1.0" + speed % "2.0" +
                        "} instant 500 { " + speed % "1.5" + "} }",
                        logs=["Drone.mySimpleMission.state.bodySpeed"])
        self.play()
        self.assertEqual(self.column("Drone.mySimpleMission.state.bodySpeed.x")[-1], 1.5)

    def test_d7_composites_and_twice(self):
        self.simulation(scenario='events { instant 500 { "auv.comp.Navigation".Stop(); '
                        '"auv.comp.Navigation.myDvl".Stop(); } }')
        counts = self.play()[0]["activations"]
        self.assertEqual((counts["Navigation.myDvl"], counts["Navigation.myNavigationFunction"],
                          counts["Analysis.myAnalysis"]), (500, 500, 1000))
        self.assertIn('"severity":"warning"', self.said)
        self.assertEqual(len(set(self.column(ESTIMATE + ".x")[500:])), 1)

    @plain
    def test_d7_last_value_is_still_published(self):
        """A slow component is stopped before what it has computed holds."""
        self.simulation(horizon="0,2000", logs=["Environment.MNT.myMntAdapter.depth"],
                        scenario='events { instant 500 { "auv.comp.Environment.MNT.myMntAdapter"'
                        ".Stop(); } }")
        self.play()
        self.assertEqual(self.column("Environment.MNT.myMntAdapter.depth"),
                         [0] * 1000 + [100] * 1001)

    def test_d8_stopped_provider(self):
        self.simulation(scenario='events { instant 500 { '
                        '"auv.comp.Sensors.DVL.myErrorDVL".Stop(); } }')
        done = self.call("run", "s.simulation")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("myErrorDVL", done.stderr)
        self.assertIn("stopped", done.stderr)

    def test_d8_stopped_providers_allowed(self):
        """With the option the run goes on: what was stopped answers with what it has."""
        self.simulation(scenario='events { instant 500 { '
                        '"auv.comp.Sensors.DVL.myErrorDVL".Stop(); } instant 600 { '
                        '"auv.comp.Environment.Current.myS111CurrentFile".Stop(); } }',
                        logs=("Sensors.DVL.mySourceDVLAdapter.out",))
        done = self.call("run", "s.simulation", "--allow-stopped")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("warning[HK0424]: 'Sensors.DVL.myErrorDVL' is stopped, and answers "
                      "'Sensors.DVL.mySourceDVLAdapter.rItfEDVL' as it is", done.stderr)
        self.assertEqual(done.stderr.count("HK0424]: 'Sensors.DVL.myErrorDVL'"), 1, done.stderr)
        self.assertEqual(self.column("Sensors.DVL.mySourceDVLAdapter.out.x")[-1], 2.5)

    def test_d8_call_of_a_stopped_leaf_allowed(self):
        self.simulation(scenario='events { instant 500 { '
                        '"auv.comp.Environment.Current.myS111CurrentFile".Start(); '
                        '"auv.comp.Environment.Current.myS111CurrentFile".Stop(); '
                        '"auv.comp.Environment.Current.pCurrent".'
                        '"environment.CurrentSource.getCurrent"(); '
                        '"auv.comp.Environment.Current.myCurrentAdapter".Stop(); '
                        '"auv.comp.Environment.Current.pCurrent".'
                        '"environment.CurrentSource.getCurrent"(); } }')
        self.assertNotEqual(self.call("run", "s.simulation").returncode, 0)
        done = self.call("run", "s.simulation", "--allow-stopped")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("is called while it is stopped", done.stderr)

    def test_d9_units_of_a_leaf_type(self):
        """A leaf type says in which units an FMU's variables are reported, whatever its own are."""
        for version in ("_fmi1", "", "_fmi3"):
            fmu = OPTIONS.models.parent / "fmus" / ("chassis%s.fmu" % version)
            self.write("u.types", 'Declaration u { LeafComponentTypes { LeafComponentType Chassis {'
                       ' behaviour "%s"; outputs { core.double z unit "cm"; } parameters {'
                       ' core.double z_initial = 120 unit "cm" in [0, 200]; } } } }' % fmu)
            self.write("u.system", 'system u { import "u.types"; composite c { leaf a : u.Chassis {'
                       ' period 1 ms; } leaf g : hk.Gain { period 1 ms; } link a.z -> g.u; } }')
            text = (HEAD % ("u", "0, 10", 1) + 'begin { "u.c.a.z_initial" = %s; } scenarios {'
                    ' Scenario a events { instant 4 { fault "u.c.a.z" -> "u.c.g.u" bias 7; } }'
                    ' expects { expect always "u.c.a.z" > 149; expect at 0 ("u.c.a.z" < 1.51 "m"); }'
                    ' logs { u.csv timed(1) { "u.c.a.z"; "u.c.a.z_initial"; "u.c.g.y"; } } }')
            self.write("u.simulation", text % '150')
            done = self.call("run", "u.simulation")
            self.assertEqual(done.returncode, 0, done.stderr)
            for name in ("a.z", "a.z_initial"):
                self.assertAlmostEqual(self.column(name, "u.csv")[0], 150, 9)
            y = self.column("g.y", "u.csv")
            self.assertAlmostEqual(y[-1] - y[1], 7, 6)
            self.write("u.simulation", text % '2.5 "m"')
            done = self.call("check", "u.simulation")
            self.assertIn("above its maximum 200 cm", done.stdout + done.stderr)

    def test_d9_types_of_a_leaf_type(self):
        for kind, code, text in (("core.int", 0, "warning[HK0509]: 'z' is Int32 in the leaf type"),
                                 ("core.string", 1, "'z' is Float64, not String")):
            self.write("u.types", 'Declaration u { LeafComponentTypes { LeafComponentType Chassis {'
                       ' behaviour "%s"; outputs { %s z; } } } }' %
                       (OPTIONS.models.parent / "fmus" / "chassis.fmu", kind))
            self.write("u.system", 'system u { import "u.types"; composite c { '
                       'leaf a : u.Chassis { period 1 ms; } } }')
            done = self.call("check", "u.system")
            said = done.stdout + done.stderr
            self.assertEqual(done.returncode != 0, code != 0, said)
            self.assertIn(text, said)

    def test_d9_units_and_types(self):
        self.simulation(begin=NO_READER + '"auv.comp.Drone.mySimpleMission.speed" = 9.0 "km/h"; '
                        '"auv.comp.Sensors.DVL.myBodyToDVL.thetaDVL" = %r "rad";' % (math.pi / 6))
        self.play()
        self.assertAlmostEqual(self.column(ESTIMATE + ".x")[-1], 2.5 * math.cos(math.pi / 6), 9)
        for value in ('"fast"', "true", '3.0 "kg"'):
            self.simulation(begin=NO_READER +
                            '"auv.comp.Drone.mySimpleMission.speed" = %s;' % value)
            self.assertNotEqual(self.call("check", "s.simulation").returncode, 0, value)

    @plain
    def test_d10_who_sets_a_parameter_last(self):
        """Type, then system, then simulation, then scenario."""
        speed = '"auv.comp.Drone.mySimpleMission.speed" = %s;'
        without = ("{ frequency 1000 Hz; param speed = 2.5; }", "{ frequency 1000 Hz; }")
        of_system = ("param speed = 2.5", "param speed = 4.0")
        for edits, begin, scenario, expected in (
                ([without], "", "", 2.5), ([of_system], "", "", 4),
                ([of_system], speed % 3.0, "", 3),
                ([of_system], speed % 3.0, "begin { " + speed % 1.0 + " } ", 1)):
            self.edit(*edits)
            self.simulation(begin=NO_READER + begin, scenario=scenario)
            self.play()
            self.assertAlmostEqual(self.column(ESTIMATE + ".x")[-1], expected, 9)

    @plain
    def test_d12_streams_of_their_own(self):
        """Another component does not change the noise of this one; seed and scenario do."""
        noise = NO_READER + '"auv.comp.Sensors.DVL.myErrorDVL.sigma" = 0.1;'
        self.simulation(begin=noise)
        self.play()
        first = self.column(ESTIMATE + ".x")
        more = "leaf myErrorGyro      : sensors.GyroError   { frequency 1000 Hz; }"
        self.edit((more, more.replace("myErrorGyro", "another") + more))
        self.simulation(begin=noise + '"auv.comp.Sensors.Gyroscope.another.sigma" = 1.0;')
        self.play()
        self.assertEqual(self.column(ESTIMATE + ".x"), first)
        self.simulation(begin=noise, name="other")
        self.play()
        self.assertNotEqual(self.column(ESTIMATE + ".x"), first)
        self.simulation(begin=noise)
        text = (self.folder / "s.simulation").read_text()
        self.write("s.simulation", text.replace("begin {", "seed 5; begin {", 1))
        self.play()
        self.assertNotEqual(self.column(ESTIMATE + ".x"), first)

    def test_d12_noise_of_nothing(self):
        """Noise with the deviation 0 is none, unless an event turns it up."""
        for sigma, events, silent in (("0", "", True), ("0.5", "", False),
                                      ("0", "events { instant 500 { \"n.all.a.sigma\" = 1; } }",
                                       False)):
            self.write("n.system", "system n { composite all { "
                       "leaf a : hk.Noise { frequency 10 Hz; param sigma = %s; } } }" % sigma)
            self.write("n.simulation", HEAD % ("n", "0,1000", 100) +
                       "scenarios { Scenario s [2] %s }" % events)
            done = self.call("check", "n.simulation")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual("no random source" in done.stdout + done.stderr, silent, sigma)

    def test_d13_names_of_logs(self):
        self.simulation(name="some [2]", period=250)
        self.play()
        self.assertEqual(sorted(p.name for p in self.folder.glob("log*.csv")),
                         ["log.some.0000.csv", "log.some.0001.csv"])
        self.assertEqual(self.column("time", "log.some.0001.csv"), [0, 0.25, 0.5, 0.75, 1])
        self.simulation(step=1, period=0.5)
        self.assertNotEqual(self.call("check", "s.simulation").returncode, 0)


class Table(unittest.TestCase):
    """docs/cares-rules.md: every rule is there, and every test that it names."""

    def test_every_rule_has_a_row(self):
        rows = re.findall(r"^\| ([A-Z]\d+) \|", (ROOT / "docs/cares-rules.md").read_text(), re.M)
        expected = ["S%d" % i for i in range(1, 6)] + ["E%d" % i for i in range(1, 8)]
        expected += ["C%d" % i for i in range(1, 8)] + ["D%d" % i for i in range(1, 16)]
        expected += ["I%d" % i for i in range(1, 23)]
        self.assertEqual(rows, expected)

    def test_every_named_test_exists(self):
        text = (ROOT / "docs/cares-rules.md").read_text()
        named = re.findall(r"`([\w/.]+):(\w+)`", text)
        self.assertGreater(len(named), 60)
        for file, name in named:
            source = (ROOT / file).read_text(encoding="utf-8")
            self.assertTrue(re.search(r"\b(def|void) %s\(" % name, source), (file, name))
        for file in re.findall(r"`(tests/lang/wrong/[\w.]+)`", text):
            self.assertTrue((ROOT / file).exists(), file)
            self.assertTrue((ROOT / (file.replace("/wrong/", "/expected/") + ".txt")).exists(), file)

    def test_forty_wrong_files(self):
        wrong = [p for p in (ROOT / "tests/lang/expected").glob("*.txt")
                 if not p.read_text(encoding="utf-8").startswith("exit 0")]
        self.assertGreaterEqual(len(wrong), 40)


if __name__ == "__main__":
    main()
