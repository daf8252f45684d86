#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fused = interpreted, to the last byte, through the command line: the shipped models, with each compiler that is here. Standard library only."""
import itertools
import json
import random
import re
import subprocess

from support import SLOW, FuseCase, compilers, leaf, main, slow

# With HK_SLOW=1: each partition with each compiler at two levels; else each compiler at one.
COMPILERS = [f"{cc} {level}" for cc, level in (itertools.product(compilers(), ("-O2", "-O3")) if SLOW else
                                               zip(compilers(), ("-O2", "-O3")))]
# Fig. 10 with all that a scenario can do: noise, an outage, a binding in an event, a stop, faults, ten repetitions.
AUV_EVENTS = """
    instant 2000 { "auv.comp.Navigation.myDvl".Stop(); }
    instant 2500 { "auv.comp.Navigation.myDvl".Start(); }
    instant 3000 { bind "auv.comp.Environment.Current.myCurrentSeries.pSeries"
                     to "auv.comp.Environment.Current.myCurrentAdapter.rCurrentSource";
                   "auv.comp.Environment.Current.myCurrentSeries".Start(); }
    instant 3500 { fault "auv.comp.Sensors.DVL.mySourceDVLAdapter.out" -> "auv.comp.Navigation.myDvl.sensorSpeed" noise 0.05; }
    instant 4000 { repair "auv.comp.Sensors.DVL.mySourceDVLAdapter.out" -> "auv.comp.Navigation.myDvl.sensorSpeed"; }
    instant 4200 { fault "auv.comp.Navigation.myDvl.bodySpeed" stuck; }
    instant 4400 { repair "auv.comp.Navigation.myDvl.bodySpeed"; }
"""


class Rosace(FuseCase):
    def test_schedules(self):
        """R-ROSACE as a package with each of its partitions."""
        models, schedules = self.options.models, ("e1", "e2", "e3", "e4", "e5")[::1 if SLOW else 2]
        pairs = [(schedule, COMPILERS[i % len(COMPILERS)]) for i, schedule in enumerate(schedules)]
        for schedule, cc in itertools.product(schedules, COMPILERS) if SLOW else pairs:
            self.assert_same(models / "r_rosace.ssp", "--schedule", models / f"{schedule}.schedule", "--stop-time", "20",
                             CC=cc)

    def test_language(self):
        """The same system in hocket's language: all cells are fused, and none falls back."""
        for cc in COMPILERS:
            system = self.options.models / "language" / "r_rosace.system"
            self.assert_same(system, "--stop-time", "20", CC=cc)
        answer = json.loads(self.run_hocket("run", system, "--stop-time", "20", "--fused", "--json", CC=cc).stdout)
        self.assertGreater(answer["fused"]["cells"], 0)
        self.assertEqual(answer["fused"]["cells"], answer["fused"]["fused"])
        self.assertGreater(answer["fused"]["runs"], 0)


class Metadata(FuseCase):
    """What the record says of who has computed it."""

    def about(self, record):
        return json.loads((self.folder / f"{record}-metadata.json").read_text(encoding="utf-8"))["notes"][0]

    def test_system(self):
        system = self.options.models / "language" / "r_rosace.system"
        self.record(system, "--stop-time", "1")
        self.assertNotIn("fused", self.about("record.csv"))
        self.assertNotIn("--fused", self.about("record.csv")["reproduce"])
        for number in range(2):  # compiled, and taken from the cache
            _, said = self.record(system, "--stop-time", "1", fused=True, CC="gcc -O3 -Wall")
            self.assertEqual("compiling " in said, number == 0)
            about = self.about("record.csv")
            version = subprocess.run(["gcc", "--version"], capture_output=True, text=True, check=True).stdout
            self.assertEqual(about["fused"]["compiler"], version.splitlines()[0])
            self.assertRegex(about["fused"]["flags"], "^-O3 .*-ffp-contract=off .*-fno-builtin-LIBM -fno-tree-slp-vectorize$")
            self.assertGreater(about["fused"]["cells"], 0)
            self.assertEqual(about["fused"]["cells"], about["fused"]["of"])
            self.assertIn(" --fused", about["reproduce"])


class Truck(FuseCase):
    def test_native(self):
        for cc in COMPILERS:
            self.assert_same(self.options.models / "language" / "quarter_truck.system", "--stop-time", "5", CC=cc)

    def test_fmus(self):
        """FMUs of every version are called through their pointers."""
        for name, cc in itertools.product(("quarter_truck", "quarter_truck_fmi1", "quarter_truck_fmi3"), COMPILERS[:1]):
            self.assert_same(self.options.models / f"{name}.ssp", "--stop-time", "2", CC=cc)
        for cc in COMPILERS:
            self.assert_same(self.options.models / "language" / "quarter_truck_fmus.system", "--stop-time", "2", CC=cc)

    def test_gauss_seidel(self):
        self.assert_same(self.options.models / "quarter_truck_native.ssp", "--algorithm", "gauss-seidel", "--stop-time", "2")

    def test_states(self):
        """A state that one has saved is loaded by the other, and the run goes on as if it had never ended."""
        system = self.options.models / "language" / "quarter_truck.system"
        whole, _ = self.record(system, "--stop-time", "2")
        for first, second in itertools.product((False, True), repeat=2):
            begin, _ = self.record(system, "--stop-time", "1", "--save-state", "half.hks", fused=first)
            rest, _ = self.record(system, "--stop-time", "2", "--load-state", "half.hks", fused=second)
            self.assertTrue(whole.startswith(begin[:begin.rindex(b"\n1,")]))
            self.assertTrue(whole.endswith(rest[rest.index(b"\n1,"):]), (first, second))
        states = []
        for fused in (False, True):
            self.record(system, "--stop-time", "1", "--save-state", "half.hks", fused=fused)
            states.append((self.folder / "half.hks").read_bytes())
        self.assertEqual(*states)


class Auv(FuseCase):
    def variant(self):
        source = self.options.models / "auv"
        for file in (*source.glob("*.types"), *source.glob("*.so"), source / "auv.system", source / "mission.csv"):
            (self.folder / file.name).symlink_to(file)
        self.write("current.csv", "time [s],east [m/s],north [m/s]\n0,0.2,0.1\n5,0.4,-0.3\n")
        text = (source / "AuvSimulation.simulation").read_text(encoding="utf-8")
        text = text.replace("[0,1800000]:1", "[0,5000]:1")
        text = text.replace('"auv.comp.Navigation.myDvl.thetaDVL" = 0.0;',
                            '"auv.comp.Navigation.myDvl.thetaDVL" = 0.0;\n'
                            '  "auv.comp.Sensors.DVL.myErrorDVL.sigma" = 0.01;')
        begin, end = text.index("    // after 10 seconds"), text.index("  }\nend {}")
        return self.write("AuvSimulation.simulation", text[:begin] + AUV_EVENTS + text[end:])

    def play(self, simulation, *words, **added):
        folder = self.folder / "logs"
        done = self.run_hocket("run", simulation, "-o", folder, "-q", *words, **added)
        files = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix == ".csv"}
        for path in folder.iterdir():
            path.unlink()
        return files, done.stderr

    @slow
    def test_figure_10(self):
        """With each compiler; tests/auv/same_bytes_test.py has the user's every day."""
        simulation = self.variant()
        plain, _ = self.play(simulation)
        self.assertEqual(len(plain), 10)
        self.assertEqual(len(set(plain.values())), 10, "the noise makes each run another one")
        for cc in COMPILERS:
            fused, _ = self.play(simulation, "--fused", CC=cc)
            self.assertEqual(plain, fused, cc)


STUDY = """Simulation study (ms)
system chain;
simulationTime [0, 200]:10;
scenarios {
  Scenario noisy [10]
  begin { fault "chain.all.c0.y" -> "chain.all.c1.u" noise 0.1; }
  events { instant 100 { "chain.all.c2".Stop(); } }
  logs { y.csv timed(10) { "chain.all.c3.y"; } }
}
"""


class Studies(FuseCase):
    """Ten runs of a scenario, with cells that are not fused all the time."""

    def setUp(self):
        super().setUp()
        self.plugin(leaf())
        self.chain(4)
        self.simulation = self.write("study.simulation", STUDY)

    def test_one_compiles_for_all(self):
        """Ten runs in two processes: the system is compiled once, also where nothing is kept."""
        for added in ({}, {"HK_NO_CACHE": "1"}):
            done = self.run_hocket("run", self.simulation, "-o", "logs", "--fused", "--workers", "2",
                                   CC="gcc -O0", **added)
            self.assertEqual(done.stderr.count("compiling "), 1, done.stderr)
            self.assertEqual(done.stderr.count("the system was compiled"), 1, done.stderr)

    def test_told(self):
        """How much was fused, in the summary, in --json of each run, and in the metadata of its log."""
        said = self.run_hocket("run", self.simulation, "-o", "logs", "--fused").stderr
        [line] = re.findall(r"^fused      (?:\d+ to )?(\d+) of (\d+) cells, ([0-9 ]+) activations$", said, re.MULTILINE)
        runs = json.loads(self.run_hocket("run", self.simulation, "-o", "logs", "--fused", "--json").stdout)["runs"]
        self.assertEqual(max(run["fused"]["fused"] for run in runs), int(line[0]))
        self.assertEqual({run["fused"]["cells"] for run in runs}, {int(line[1])})
        # Sampled instants are interpreted, and how many are depends on the clock: the two runs need not agree in number.
        self.assertGreater(int(line[2].replace(" ", "")), 0)
        self.assertTrue(all(0 < run["fused"]["runs"] <= sum(run["activations"].values()) for run in runs))
        abouts = [json.loads(path.read_text(encoding="utf-8"))["notes"][0] for path in (self.folder / "logs").glob("*.json")]
        self.assertEqual(len(abouts), 10)
        self.assertEqual({(about["run"], about["fused"]["cells"]) for about in abouts},
                         {(run["run"], run["fused"]["fused"]) for run in runs})
        plain = self.run_hocket("run", self.simulation, "-o", "logs").stderr
        self.assertNotIn("fused", plain)


# Every built-in component, its inputs and outputs in use.
BUILTINS = """system builtins {
  composite all {
    leaf one : hk.Constant { frequency 100 Hz; param value = 1.5; }
    leaf swell : hk.Sine { frequency 100 Hz; param amplitude = 2; param frequency = 1.3; param phase = 0.4; }
    leaf jump : hk.Step { frequency 50 Hz; param time = 0.3; }
    leaf slope : hk.Ramp { frequency 100 Hz; param begin = 0.1; param end = 0.7; param to = 3; }
    leaf hiss : hk.Noise { frequency 100 Hz; param sigma = 0.1; }
    leaf gain : hk.Gain { frequency 100 Hz; param gain = 1.1; param offset = -0.3; }
    leaf sum : hk.Sum { frequency 100 Hz; param gain_b = -1; }
    leaf late : hk.Delay { frequency 100 Hz; param start = 7; }
    leaf all : hk.Integrator { frequency 100 Hz; }
    leaf turned : hk.Rotation { frequency 100 Hz; param yaw = 0.3; param pitch = -0.2; param roll = 1.1; }
    leaf curve : hk.Table { frequency 100 Hz; param xs = "0 1 2"; param ys = "0 2 1"; }
    leaf degrees : hk.UnitAdapter { frequency 100 Hz; param from = "rad"; param to = "deg"; }
    link swell.y -> gain.u, turned.u.x, curve.u, degrees.u;
    link slope.y -> sum.a, turned.u.y;
    link hiss.y -> sum.b;
    link jump.y -> sum.c;
    link one.y -> sum.d, turned.u.z;
    link sum.y -> late.u, all.u;
  }
}
"""


class Builtins(FuseCase):
    def test_all(self):
        """Those of numbers are compiled from the text that hocket carries; those of texts are called, and told."""
        system = self.write("builtins.system", BUILTINS)
        for cc in COMPILERS:
            _, said = self.assert_same(system, "--stop-time", "1", CC=cc)
            self.assertEqual(said.count("is not fused but called"), 2, said)
            for name in ("hk.Table", "hk.UnitAdapter"):
                self.assertIn(f"the step of '{name}' is not fused but called", said)


class Mathematics(FuseCase):
    def test_random_parameters(self):
        """exp, sinh and pow with many random parameters, 10 000 with HK_SLOW=1: no compiler folds, contracts or replaces a call."""
        components, runs, draw = 84, 40 if SLOW else 12, random.Random(13)  # what takes long is to compile them
        self.plugin(leaf())
        system = self.chain(components)
        for number in range(runs):
            rows = ["name,value"]
            for i in range(components):
                rows.append(f"c{i}.rate,{draw.uniform(-3, 3)!r}" if number % 2 else f"c{i}.rate,{draw.uniform(0, 3)!r}")
                rows.append(f"c{i}.power,{draw.choice((1, 2, 3))!r}" if number % 2 else f"c{i}.power,{draw.uniform(-9, 9)!r}")
                rows.append(f"c{i}.scale,{draw.uniform(-1e3, 1e3)!r}")
            self.write("set.csv", "\n".join(rows) + "\n")
            plain, _ = self.record(system, "--set-file", "set.csv", "--stop-time", "0.05", "--allow-nan")
            for cc in COMPILERS:
                fused, _ = self.record(system, "--set-file", "set.csv", "--stop-time", "0.05", "--allow-nan", fused=True, CC=cc)
                self.assertEqual(plain, fused, (number, cc))
        self.assertEqual(len(self.entries()), len(COMPILERS), "parameters are data: nothing is compiled again for others")
        self.assertGreaterEqual(3 * components * runs, 10_000 if SLOW else 3_000)


# What its state is, is reported by the address of a constant.
MODES = """
#include <hk/unit.h>
typedef struct mode { double gain; } mode;
static const mode off = {1}, on = {2};
typedef struct wave { double u, y; const mode *now; } wave;
static int wave_init(void *self, double t) {
    wave *x = self;
    (void)t;
    x->now = FIRST;
    return HK_STEP_OK;
}
static int wave_step(void *self, double t, double h) {
    wave *x = self;
    x->now = x->now == &off ? &on : &off;
    x->y = x->u + x->now->gain + t * h;
    return HK_STEP_OK;
}
static const hk_port wave_ports[] = {
    HK_PORT(wave, u, HK_INPUT, HK_TYPE_F64, .start = "0"),
    HK_PORT(wave, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = "u"),
};
static const hk_unit_type wave_type = {
    HK_UNIT_TYPE(wave), .ports = wave_ports, .port_count = 2, .init = wave_init, .step = wave_step};
static const hk_unit_type *const types[] = {&wave_type, 0};
const hk_unit_type *const *hk_plugin(void) { return types; }
"""


class Addresses(FuseCase):
    """Constants exist twice, in the plugin and in fused code. All steps are of one of the two."""

    def test_kept_by_steps(self):
        self.plugin(MODES.replace("FIRST", "(const mode *)0"))
        _, said = self.assert_same(self.chain(3), "--stop-time", "1")
        self.assertRegex(said, r"fused +3 of 3 cells, [1-9]")

    def test_kept_by_init(self):
        self.plugin(MODES.replace("FIRST", "&off"))
        _, said = self.assert_same(self.chain(3), "--stop-time", "1")
        self.assertEqual(said.count("it keeps an address of its own library"), 3, said)
        self.assertRegex(said, r"fused +0 of 3 cells")


if __name__ == "__main__":
    main("--hocket", "--models")
