#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The same bytes in a record whichever compiler has made the components, and whatever the C library does on this CPU.

R-ROSACE, the vehicle of Fig. 10 and a system of built-in components: their mathematics is that of hk/math.h. No
library of a shipped model, and none of the objects of the built-in components, can call a function of libm whose last
digit is not the same everywhere."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from hocket_case import Case, main  # noqa: E402

# What a component is built with: nothing that the CPU of this machine has beyond the common ones.
FLAGS = ("-std=c17", "-D_POSIX_C_SOURCE=200809L", "-O2", "-ffp-contract=off", "-fPIC", "-shared")
# Without the instructions for which glibc has other code, with other last digits.
PLAIN = "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4"

ROSACE = ("aircraft.c", "filter.c", "controllers.c", "fcc.c", "cables.c", "pilot.c", "plugin.c")

# Exact in every C library: floor, sqrt, fmod, remainder and their like are not here.
INEXACT = re.compile(
    r"(?:__)?(?:a?(?:sin|cos|tan)h?|atan2|sincos|exp(?:2|10|m1)?|pow|log(?:2|10|1p)?|cbrt|hypot|erfc?|[lt]gamma|gamma|"
    r"[jy][01n])[fl]?(?:_finite|_r)?")

BUILT_IN = """system s {
  composite root {
    leaf swell : hk.Sine { frequency 100 Hz; param amplitude = 0.7; param frequency = 0.31; param phase = 0.2; }
    leaf wind : hk.Sine { frequency 100 Hz; param amplitude = 1.3; param frequency = 0.07; }
    leaf noise : hk.Noise { frequency 100 Hz; param sigma = 0.1; }
    leaf turn : hk.Rotation { frequency 100 Hz; param yaw = 1.1; param pitch = 0.3; param roll = 2.9; }
    leaf fixed : hk.Rotation { frequency 100 Hz; param yaw = 33 "deg"; param pitch = 12 "deg"; param roll = -7 "deg"; }
    leaf sum : hk.Integrator { frequency 100 Hz; }
    link swell.y -> turn.u.x, sum.u;
    link wind.y -> turn.u.y;
    link noise.y -> turn.u.z;
    link turn.y -> fixed.u;
  }
}
"""


class SameBytes(Case):
    def other_compiler(self, library):
        """The one of the two that has not made the library."""
        found = "gcc" if b"clang version" in library.read_bytes() else "clang"
        if not shutil.which(found):
            self.skipTest("gcc and clang are not both there")
        return found

    def built(self, compiler, model, sources, name, *words):
        folder = self.options.source / "models" / model
        done = subprocess.run([compiler, *FLAGS, *words, f"-I{self.options.source / 'include'}",
                               *(folder / source for source in sources), "-o", self.folder / name, "-lm"],
                              capture_output=True, encoding="utf-8", check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def same(self, run, records):
        """RUN, with the functions of this CPU and with those for all, writes RECORDS that are the same."""
        found = []
        for added in ({}, {"GLIBC_TUNABLES": PLAIN}):
            run(**added)
            found.append([(self.folder / record).read_bytes() for record in records])
        self.assertGreater(min(map(len, found[0])), 10000)
        self.assertEqual([len(set(pair)) for pair in zip(*found)], [1] * len(records))
        return found[0]

    def for_all_compilers(self, library, build, run, records):
        """LIBRARY is of the build under test; BUILD(compiler) makes it with the other one."""
        other = self.other_compiler(library)
        shutil.copy(library, self.folder)
        first = self.same(run, records)
        (self.folder / library.name).unlink()
        build(other)
        second = self.same(run, records)
        self.assertEqual([len(set(pair)) for pair in zip(first, second)], [1] * len(records))

    def test_the_cpu_counts(self):
        """That there is something to see: libm itself is not the same without those instructions."""
        hashes = {re.search(r"libm +([0-9a-f]{16})", self.hocket("doctor", **added).stdout)[1]
                  for added in ({}, {"GLIBC_TUNABLES": PLAIN})}
        if len(hashes) == 1:
            self.skipTest("the C library has one variant on this CPU")

    def test_r_rosace(self):
        for name in ("r_rosace.types", "r_rosace.system"):
            shutil.copy(self.options.source / "models" / "rosace" / name, self.folder)
        self.for_all_compilers(
            self.options.models / "language" / "rosace.so",
            lambda compiler: self.built(compiler, "rosace", ROSACE, "rosace.so", "-DROSACE_IS_PLUGIN"),
            lambda **added: self.hocket("run", "r_rosace.system", "--stop-time", 50, "-q", "-o", "run.csv", **added),
            ["run.csv"])

    def test_auv(self):
        """Fig. 10 for two minutes and twice, with noise, a turn and a tide."""
        models = self.options.source / "models" / "auv"
        for file in (*models.glob("*.types"), models / "auv.system", models / "mission.csv",
                     self.options.models / "auv" / "auv_files.so"):
            shutil.copy(file, self.folder)
        sources = [path.name for path in models.glob("*.c")]
        text = (models / "AuvSimulation.simulation").read_text(encoding="utf-8")
        drone = '"auv.comp.Drone.mySimpleMission.'
        for old, new in (('myEstimatedNedPosition";', 'myEstimatedNedPosition";'
                          '"auv.comp.Drone.myMissionAdapter.nedPosition"; "auv.comp.Drone.myMissionAdapter.attitude";'),
                         ("1800000", "120000"), ("instant 2700000", "instant 60000"), ("scenar [10]", "scenar [2]"),
                         (drone + 'speed"=2.5;', drone + 'speed"=2.5;' + drone + 'legLength" = 20.0;' +
                          drone + 'radius" = 25.0; "auv.comp.Sensors.DVL.myErrorDVL.sigma" = 0.01;'
                          '"auv.comp.Environment.Current.myCurrent.amplitude" = 0.4;'
                          '"auv.comp.Environment.Current.myCurrent.period" = 50.0;')):
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        self.write("AuvSimulation.simulation", text)
        self.for_all_compilers(
            self.options.models / "auv" / "auv.so",
            lambda compiler: self.built(compiler, "auv", sources, "auv.so"),
            lambda **added: self.hocket("run", "AuvSimulation.simulation", "-q", **added),
            [f"DronePosition.scenar.{run:04}.csv" for run in range(2)])

    def test_built_in(self):
        self.write("s.system", BUILT_IN)
        self.same(lambda **added: self.hocket("run", "s.system", "--stop-time", 100, "-q", "-o", "run.csv", **added),
                  ["run.csv"])


SAYS = """#include <hk/unit.h>
%s
typedef struct says { double u, y; } says;
static const hk_port ports[] = {HK_PORT(says, u, HK_INPUT, HK_TYPE_F64, .start = "2"), HK_PORT(says, y, HK_OUTPUT, HK_TYPE_F64)};
static int step(void *self, double t, double h) {
    says *x = self;
    (void)t, (void)h;
    x->y = %s;
    return HK_STEP_OK;
}
static const hk_unit_type type = {HK_UNIT_TYPE(says), .ports = ports, .port_count = 2, .step = step};
const hk_unit_type *const *hk_plugin(void) {
    static const hk_unit_type *const types[] = {&type, NULL};
    return types;
}
"""


class Told(Case):
    """What a record says about the mathematics that it was made with."""

    def mathematics(self, *leaves):
        text = " ".join(f"leaf l{i} : {leaf} {{ frequency 10 Hz; }}" for i, leaf in enumerate(leaves))
        self.write("s.system", f"system s {{ composite root {{ {text} }} }}")
        self.hocket("run", "s.system", "--stop-time", 1, "-q", "-o", "run.csv")
        about = json.loads((self.folder / "run.csv-metadata.json").read_text(encoding="utf-8"))
        return about["notes"][0]["mathematics"]

    def plugin(self, name, header, value):
        source = self.write("says.c", SAYS % (f"#include <{header}>", value))
        subprocess.run(["cc", *FLAGS, f"-I{self.options.source / 'include'}", source, "-o", self.folder / name, "-lm"],
                       check=True)
        return f'"{name}#says"'

    def test_told(self):
        version = re.search(r"#define HK_MATH_VERSION (\d+)", (self.options.source / "include/hk/math_base.h").read_text(
            encoding="utf-8"))[1]
        portable = {"portable": "hk/math.h " + version, "libm": []}
        own = {"library": "hocket"} | portable
        good = self.plugin("good.so", "hk/math.h", "hk_pow(x->u, 1.5) + sqrt(x->u) + fmod(t, 3)")
        bad = self.plugin("bad.so", "math.h", "pow(x->u, 1.5) + sin(t) + floor(t)")
        self.assertEqual(self.mathematics("hk.Sine", good, "hk.Constant", good),
                         {"depends_on_libm": False, "libraries": [own, {"library": "good.so"} | portable]})
        told = self.mathematics("hk.Sine", bad)
        self.assertEqual(told["depends_on_libm"], True)
        self.assertEqual(told["libraries"][0], own)
        self.assertEqual({k: sorted(v) if k == "libm" else v for k, v in told["libraries"][1].items()},
                         {"library": "bad.so", "libm": ["pow", "sin"]})

    def test_fmus_and_simulations(self):
        """In a package of FMUs, and in the logs of a scenario."""
        self.hocket("run", self.options.models / "quarter_truck.ssp", "--stop-time", "0.01", "-q", "-o", "run.csv")
        self.hocket("run", self.options.models / "language" / "case1.simulation", "-q")
        for record, libraries in (("run", {"chassis.so", "wheel.so", "ground.so"}), ("case1", {"rosace.so"})):
            about = json.loads((self.folder / (record + ".csv-metadata.json")).read_text(encoding="utf-8"))
            told = about["notes"][0]["mathematics"]
            self.assertIs(told["depends_on_libm"], False)
            self.assertEqual({one["library"] for one in told["libraries"]}, libraries)


class NoLibm(Case):
    def called(self, path, *words):
        """The functions of libm, other than exact ones, that PATH calls."""
        done = subprocess.run(["nm", *words, "--undefined-only", "--format=posix", path], capture_output=True,
                              encoding="utf-8", check=True)
        names = {line.split()[0].split("@")[0] for line in done.stdout.splitlines() if len(line.split()) > 1}
        self.assertTrue(names, path)
        return sorted(name for name in names if INEXACT.fullmatch(name))

    def test_the_list(self):
        for name in ("sin", "pow", "atan2f", "sincos", "log1p", "expl", "__exp_finite", "lgamma_r", "tanh"):
            self.assertTrue(INEXACT.fullmatch(name), name)
        for name in ("sqrt", "floor", "fmod", "remainder", "printf", "signal", "strlen", "expand", "fabs"):
            self.assertFalse(INEXACT.fullmatch(name), name)

    def test_plugins(self):
        found = sorted(self.options.models.rglob("*.so"))
        names = {path.name for path in found}
        self.assertLessEqual({"rosace.so", "auv.so", "quarter_truck.so"}, names)
        for path in found:
            self.assertEqual(self.called(path, "-D"), [], path)

    def test_fmus(self):
        found = sorted(self.options.models.rglob("*.fmu"))
        self.assertLessEqual({"hull.fmu", "sea.fmu", "chassis.fmu"}, {path.name for path in found})
        for path in found:
            with zipfile.ZipFile(path) as archive:
                for name in archive.namelist():
                    if name.endswith(".so"):
                        self.assertEqual(self.called(archive.extract(name, self.folder), "-D"), [], (path, name))

    def test_built_in(self):
        """The rooms that make values of a run; not those that draw, print, or look at libm itself."""
        for room in ("native", "model", "plan", "engine", "lang", "fmi", "ssp", "osp", "assembly", "play"):
            self.assertEqual(self.called(self.options.build / f"libhk_{room}.a"), [], room)


if __name__ == "__main__":
    main("--hocket", "--source", "--models", "--build")
