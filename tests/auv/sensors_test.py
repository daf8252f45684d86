# SPDX-License-Identifier: MIT
"""The six chains of sensors through the built program: errors, logs, messages, and the same bytes however they run."""
import csv
import math
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, Case, main, quick_cc  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
# Name of the chain, error model and its interface, value of the adapter.
CHAINS = {"Dvl": ("dvl", "pitfEDVL", "rItfEDVL", "out"), "Gyro": ("gyro", "pError", "rSource", "value"),
          "Force": ("force", "pError", "rSource", "value"), "Gps": ("gps", "pError", "rSource", "value"),
          "Depth": ("depth", "pError", "rSource", "value"), "Compass": ("compass", "pError", "rSource", "value")}
# The interface that only the sources of a chain provide and only its adapter requires.
QUANTITIES = {"Dvl": "VelocitySource", "Gyro": "AngularRateSource", "Force": "AccelerationSource", "Gps": "PositionSource",
              "Depth": "DepthSource", "Compass": "HeadingSource"}
NOISY = """
  "trial.comp.errorDvl.preset" = Workhorse600; "trial.comp.errorGyro.preset" = Stim300;
  "trial.comp.errorForce.preset" = Adis16448; "trial.comp.errorGps.preset" = Low;
  "trial.comp.errorGps.markovSigma" = 2.0; "trial.comp.errorGps.markovTime" = 100.0;
  "trial.comp.errorDepth.preset" = UuvSimulator; "trial.comp.errorDepth.latency" = 0.05;
  "trial.comp.errorCompass.preset" = Plain; "trial.comp.errorCompass.dropout" = 0.1;
  "trial.comp.errorDvl.outageTime" = 0.2; "trial.comp.errorDvl.outageInterval" = 0.5;
  "trial.comp.truth.bed" = 40.0;"""


class Sensors(Case):
    def setUp(self):
        super().setUp()
        for name in ("interfaces.types", "sensors.types"):
            shutil.copy(OPTIONS.source / "models" / "auv" / name, self.folder)
        for name in ("trial.types", "trial.system"):
            shutil.copy(HERE / name, self.folder)
        shutil.copy(OPTIONS.plugin, self.folder / "sensors.so")

    def simulation(self, begin="", events="", read=(), time=1000, repetitions=1):
        """Those named in READ come from logs, the others from models."""
        lines = []
        for chain, (adapter, error, needs, _) in CHAINS.items():
            if chain in read:
                lines += [f'"trial.comp.error{chain}".Stop();',
                          f'bind "trial.comp.reader{chain}.pItfReader" to "trial.comp.{adapter}.{needs}";']
            else:
                lines += [f'"trial.comp.reader{chain}".Stop();',
                          f'bind "trial.comp.error{chain}.{error}" to "trial.comp.{adapter}.{needs}";']
        logged = "".join(f'"trial.comp.{adapter}.{port}"; ' for adapter, _, _, value in CHAINS.values()
                         for port in (value, "valid", "stamp"))
        begin = "\n  ".join(lines) + begin
        self.write("trial.simulation", f"""Simulation Trial (ms)
system trial;
simulationTime [0, {time}]:1;
seed 7;
begin {{
  "trial.comp.truth.speed" = {{2.5, 0.0, 0.0}};
  "trial.comp.truth.force" = {{0.0, 0.0, -9.80665}};
  {begin}
}}
scenarios {{
  Scenario only [{repetitions}]
  events {{ {events} }}
  logs {{ out.csv timed(10) {{ {logged} }} }}
}}
""")

    def play(self, *words, exit=0, **more):
        done = self.hocket("run", "trial.simulation", *words, exit=exit, **more)
        return done

    def column(self, name, file="out.csv"):
        with open(self.folder / file, newline="", encoding="utf-8") as rows:
            return [float(row[name]) for row in csv.DictReader(rows)]

    def test_without_errors_the_truth(self):
        self.simulation('"trial.comp.toDvl.thetaDVL" = 15.0; "trial.comp.truth.position" = {10.0, 20.0, 0.1};')
        self.play()
        self.assertAlmostEqual(self.column("dvl.out.x")[-1], 2.414815, delta=5e-7)
        self.assertAlmostEqual(self.column("dvl.out.y")[-1], -0.647048, delta=5e-7)
        self.assertEqual(self.column("force.value.z")[-1], -9.80665)
        self.assertEqual([self.column(f"gps.value.{axis}")[-1] for axis in "xyz"], [10, 20, 0.1])
        self.assertEqual(self.column("depth.value")[-1], 0.1)
        for adapter, *_ in CHAINS.values():
            self.assertEqual(self.column(f"{adapter}.valid")[1:], [1] * 100)
            self.assertAlmostEqual(self.column(f"{adapter}.stamp")[-1], 1, delta=1e-12)

    def test_runs_are_alike_without_noise_and_differ_with_it(self):
        self.simulation(repetitions=2, time=20)
        self.assertIn("no random", self.play().stderr.lower() + self.play().stdout.lower())
        self.simulation('"trial.comp.errorGyro.preset" = Kvh1750;', repetitions=2, time=20)
        self.assertNotIn("no random", self.play().stderr.lower())
        one, two = (self.column("gyro.value.x", f"out.only.{run:04}.csv") for run in (0, 1))
        self.assertNotEqual(one[1:], two[1:])

    def test_same_bytes_fused(self):
        # A source that is stopped may not be asked: its adapter is stopped with it.
        events = """instant 300 { "trial.comp.gyro".Stop(); "trial.comp.errorGyro".Stop();
          "trial.comp.truth.position" = {1.0, 2.0, 5.0}; }
        instant 500 { "trial.comp.errorGyro".Start(); "trial.comp.gyro".Start();
          "trial.comp.errorForce.latency" = 0.1; }
        instant 700 { "trial.comp.truth.position" = {1.0, 2.0, 0.0}; "trial.comp.errorDvl.preset" = None; }"""
        self.simulation(NOISY, events)
        self.play()
        expected = (self.folder / "out.csv").read_bytes()
        self.assertGreater(len(set(self.column("gyro.value.x"))), 50)
        self.assertEqual(set(self.column("dvl.valid")), {0, 1})
        self.play("--fused", CC=quick_cc(), HOME=self.folder)
        self.assertEqual((self.folder / "out.csv").read_bytes(), expected)

    def logs(self):
        """Logs of all six, at rates of their own; the DVL's has a gap."""
        self.write("dvl.csv", "time,vx,vy,vz\n" + "".join(
            f"{i / 5},{'nan' if 2 <= i < 4 else i},0,0\n" for i in range(20)))
        self.write("gyro.csv", "time,p [deg/s],q [deg/s],r [deg/s]\n" + "".join(
            f"{i / 100},0,0,{i}\n" for i in range(400)))
        self.write("accelerometer.csv", "time,ax [g],ay [g],az [g]\n0,0,0,-1\n")
        self.write("gps.csv", "time,north,east,down\n0,1,2,0\n0.5,-,-,-\n")
        self.write("depth.csv", "time;depth [cm]\n0;100\n0.25;200\n")
        self.write("compass.csv", "time\theading [deg]\n0\t90\n")

    def test_logs(self):
        self.logs()
        self.simulation(read=CHAINS)
        self.play()
        at = [round(t, 3) for t in self.column("time")]
        for t, value, valid in zip(at, self.column("dvl.out.x"), self.column("dvl.valid")):
            if t > 0:
                row = math.floor(t * 5 + 1e-6)
                self.assertEqual((value, valid), (1 if row in (2, 3) else row, 0 if row in (2, 3) else 1), t)
        self.assertAlmostEqual(self.column("gyro.value.z")[at.index(0.5)], math.radians(50))
        self.assertAlmostEqual(self.column("force.value.z")[-1], -9.80665)
        self.assertEqual((self.column("gps.valid")[at.index(0.49)], self.column("gps.valid")[at.index(0.5)]), (1, 0))
        depth = self.column("depth.value")
        self.assertEqual((depth[at.index(0.24)], depth[at.index(0.25)]), (1, 2))
        self.assertAlmostEqual(self.column("compass.value")[-1], math.pi / 2)

    def test_bad_logs(self):
        self.logs()
        self.simulation(read=CHAINS)
        good = (self.folder / "dvl.csv").read_text(encoding="utf-8")
        for text, says in ((good.replace("0.8,", "0.1,"), "dvl.csv:6: time 0.1 s is before"),
                           (good.replace("vx", "speed"), "there is no column 'vx'"),
                           (good.replace("19,0,0", "19,0,zero"), "dvl.csv:21: 'zero' in column 'vz' is not a number"),
                           (good.replace("vz", "vz [kg]"), "'kg', the unit of column 'vz', is not known"),
                           ("", "is empty"), (None, "cannot be opened")):
            (self.folder / "dvl.csv").unlink(missing_ok=True)
            if text is not None:
                self.write("dvl.csv", text)
            (self.folder / "out.csv").unlink(missing_ok=True)
            done = self.play(exit=None)
            self.assertNotIn(done.returncode, (0, -6, -11), says)
            self.assertIn(says, done.stderr)
            self.assertIn("readerDvl", done.stderr)
        self.logs()
        for eighth in range(1, 8):
            self.write("dvl.csv", good[:len(good) * eighth // 8])
            done = self.play(exit=None)
            whole = good[:len(good) * eighth // 8].endswith("\n")
            self.assertEqual(done.returncode, 0 if whole else 4, done.stderr)
            if not whole:
                self.assertRegex(done.stderr, r"dvl\.csv:\d+: the last line does not end")

    def test_a_stopped_reader_opens_no_file(self):
        self.simulation()  # none of the logs is there
        self.play()

    def test_bad_terms(self):
        self.simulation('"trial.comp.errorGyro.markovSigma" = 1.0;')
        done = self.play(exit=None)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("errorGyro", done.stderr)
        self.assertIn("markovTime must be above 0", done.stderr)

    def sources(self, chain):
        return (f"error{chain}.{CHAINS[chain][1]}", f"reader{chain}.pItfReader")

    def refused(self, file, says, line):
        """FILE is refused by the check for one reason, at the line that has LINE."""
        said = self.hocket("check", file, exit=1).stdout
        where = (self.folder / file).read_text(encoding="utf-8").split(line)[0].count("\n") + 1
        self.assertRegex(said, rf"{file}:{where}:\d+: error\[HK0419\]: {says}")
        self.assertEqual(said.count("error["), 1, said)

    def wrong_pairs(self):
        for measured in CHAINS:
            for asked, (adapter, _, needs, _) in CHAINS.items():
                for source in self.sources(measured) if measured != asked else ():
                    yield source, QUANTITIES[measured], f"{adapter}.{needs}", QUANTITIES[asked]

    def test_a_source_of_another_quantity_is_not_bound(self):
        for source, has, asker, wants in self.wrong_pairs():
            wrong = f'bind "trial.comp.{source}" to "trial.comp.{asker}";'
            says = f"'{source}' provides 'sensors.{has}', but '{asker}' requires 'sensors.{wants}'"
            self.simulation(f"\n  {wrong}")
            self.refused("trial.simulation", says, wrong)
            self.simulation(events=f"instant 500 {{\n    {wrong} }}")
            self.refused("trial.simulation", says, wrong)
        self.play(exit=3)
        self.assertFalse((self.folder / "out.csv").exists())

    def test_a_source_of_another_quantity_is_not_linked(self):
        good = (HERE / "trial.system").read_text(encoding="utf-8")
        for source, has, asker, wants in self.wrong_pairs():
            wrong = f"service {asker} -> {source};"
            self.write("trial.system", good.replace("    service errorDvl.rMnt", f"    {wrong}\n    service errorDvl.rMnt"))
            self.refused("trial.system", f"interfaces differ: '{asker}' is a 'sensors.{wants}', '{source}' is a 'sensors.{has}'",
                         wrong)

    def test_both_sources_of_the_same_quantity_are_bound(self):
        self.logs()
        change = "".join(f'bind "trial.comp.{self.sources(chain)[1]}" to "trial.comp.{adapter}.{needs}"; '
                         f'"trial.comp.reader{chain}".Start(); "trial.comp.error{chain}".Stop(); '
                         for chain, (adapter, _, needs, _) in CHAINS.items())
        self.simulation(events=f"instant 600 {{ {change} }}")
        self.hocket("check", "trial.simulation")
        self.play()
        at = [round(t, 3) for t in self.column("time")]
        for name, before, after in (("dvl.out.x", 2.5, 4), ("gyro.value.z", 0, None), ("force.value.z", -9.80665, -9.80665),
                                    ("depth.value", 0, 2), ("compass.value", 0, math.pi / 2)):
            values = self.column(name)
            self.assertEqual(values[at.index(0.5)], before, name)
            if after is None:
                self.assertGreater(values[at.index(0.9)], 1, name)
            else:
                self.assertAlmostEqual(values[at.index(0.9)], after, msg=name)


main("--plugin")
