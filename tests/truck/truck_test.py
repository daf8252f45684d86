#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The quarter truck from end to end: the built program runs it, and the records are compared with
the published errors, with the exact solution, and with each other.

`truck_test.py ... --table` prints the errors that docs/quarter-truck.md shows. Standard library only.
"""
import csv
import functools
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, Case, call, environment, main, read_options  # noqa: E402

HORIZON_MS = 5000  # the paper does not give one
OUTPUTS = ["chassis.p.e", "chassis.z", "chassis.v", "wheel.p1.f", "wheel.p.e", "wheel.z",
           "ground.p.f", "ground.z"]
VARIABLES = {"chassis": 49, "wheel": 54, "ground": 18}

# ---- the coupled equations as one system: x' = A x, the constant 1 being the last state ----

G = 9.80665
M_C, K_C, D_C, M_W, K_W = 400.0, 15000.0, 1000.0, 40.0, 150000.0
OMEGA = 2.0 * math.pi * 10.0
P_C, ZD_C, Z_C, P_W, ZD_W, Z_W, X, ONE = range(8)


def system(step_height):
    """The matrix A while the road is at step_height."""
    a = [[0.0] * 8 for _ in range(8)]
    a[ZD_C][P_W], a[ZD_C][P_C] = 1.0 / M_W, -1.0 / M_C
    a[Z_C][P_C], a[Z_W][P_W] = 1.0 / M_C, 1.0 / M_W
    chassis_force = [0.0] * 8
    chassis_force[ZD_C] = K_C
    chassis_force[P_W], chassis_force[P_C] = D_C / M_W, -D_C / M_C
    a[P_C] = list(chassis_force)
    a[P_C][ONE] -= M_C * G
    a[P_W] = [-f for f in chassis_force]
    a[P_W][ZD_W] += K_W
    a[P_W][ONE] -= M_W * G
    a[ZD_W][P_W], a[ZD_W][X], a[ZD_W][ONE] = -1.0 / M_W, 1.0, OMEGA * step_height
    a[X][X], a[X][ONE] = -OMEGA, -OMEGA * OMEGA * step_height
    return a


def multiply(a, b):
    return [[math.fsum(a[i][k] * b[k][j] for k in range(8)) for j in range(8)] for i in range(8)]


def added(a, b, factor=1.0):
    return [[a[i][j] + factor * b[i][j] for j in range(8)] for i in range(8)]


def identity():
    return [[1.0 if i == j else 0.0 for j in range(8)] for i in range(8)]


def exponential(a, h):
    """exp(A h): the Taylor series for h / 1024, squared ten times."""
    total, term = identity(), identity()
    for n in range(1, 16):
        term = [[h / 1024.0 / n * value for value in row] for row in multiply(term, a)]
        total = added(total, term)
    for _ in range(10):
        total = multiply(total, total)
    return total


def heights_of(before, after, momentum=0.0, of=Z_W):
    """wheel.z (or chassis.z) at each millisecond; the state is multiplied by BEFORE, from 1 s on by
    AFTER."""
    x = [0.0] * 8
    x[P_C] = momentum
    x[ZD_C], x[Z_C], x[ZD_W], x[Z_W], x[ONE] = M_C * G / K_C, 1.0, (M_C + M_W) * G / K_W, 0.5, 1.0
    heights = []
    for i in range(HORIZON_MS + 1):
        heights.append(x[of])
        matrix = after if i >= 1000 else before
        x = [sum(map(float.__mul__, row, x)) for row in matrix]
    return heights


@functools.lru_cache(None)
def euler():
    """The reference of the paper: explicit Euler, 1 ms."""
    return heights_of(added(identity(), system(0.0), 0.001), added(identity(), system(0.1), 0.001))


@functools.lru_cache(None)
def exact():
    """Propagated by the matrix exponential: no error of method, only rounding."""
    return heights_of(exponential(system(0.0), 0.001), exponential(system(0.1), 0.001))


def rms(errors):
    return math.sqrt(math.fsum(e * e for e in errors) / len(errors))


def rmse(heights, reference):
    """At the communication points, the first one included."""
    every = HORIZON_MS // (len(heights) - 1)
    return rms([z - reference[i * every] for i, z in enumerate(heights)])


# ---- systems made from the one in the package ----

def written_system(folder, source, schedules, name="system.ssd"):
    """The package's system beside its resources, with schedules {component: attributes} added."""
    text = (OPTIONS.models / source / "SystemStructure.ssd").read_text(encoding="utf-8")
    for component, attributes in schedules.items():
        note = ('<ssd:Annotations><ssc:Annotation type="org.hocket.schedule"><hk:Schedule '
                f'{attributes}/></ssc:Annotation></ssd:Annotations>')
        text, count = re.subn(rf'(<ssd:Component name="{component}".*?)(\n\s*</ssd:Component>)',
                              rf"\1{note}\2", text, count=1, flags=re.DOTALL)
        assert count == 1, component
    (folder / source).mkdir(exist_ok=True)
    path = folder / source / name
    path.write_text(text, encoding="utf-8")
    resources = folder / source / "resources"
    if not resources.exists():
        shutil.copytree(OPTIONS.models / source / "resources", resources)
    return path


def hocket(*words, folder, exit=0, **added):
    return call(OPTIONS.hocket, *words, cwd=folder, exit=exit, env=environment(XDG_CACHE_HOME=folder / "cache", **added))


def columns_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        names = next(rows)
        columns = list(zip(*[[float(cell) for cell in row] for row in rows]))
    return dict(zip(names, columns))


# The ways to run the truck whose errors are documented.
GROUND_FIRST = {"ground": 'priority="1"', "wheel": 'priority="2"', "chassis": 'priority="3"'}
WAYS = {
    "jacobi": ({}, []),
    "gauss-seidel": ({}, ["--algorithm", "gauss-seidel"]),
    "gauss-seidel, ground first": (GROUND_FIRST, ["--algorithm", "gauss-seidel"]),
    "jacobi, extrapolated": ({}, ["--extrapolate"]),
    "gauss-seidel, extrapolated": ({}, ["--algorithm", "gauss-seidel", "--extrapolate"]),
    "gauss-seidel, ground first, extrapolated":
        (GROUND_FIRST, ["--algorithm", "gauss-seidel", "--extrapolate"]),
}


def height_of(way, step, folder, settings=(), column="wheel.z"):
    schedules, options = WAYS[way]
    path = written_system(folder, "quarter_truck", schedules)
    hocket("run", path, "--step-size", step, "--stop-time", "5", *options, *settings,
           "-o", "way.csv", "-q", folder=folder)
    return columns_of(folder / "way.csv")[column]


def errors_of(way, folder):
    """{step: (error against Euler, error against the exact solution)}"""
    found = {}
    for step in ("0.01", "0.001"):
        heights = height_of(way, step, folder)
        found[step] = (rmse(heights, euler()), rmse(heights, exact()))
    return found


SMOOTH = ["--set", "ground.Step.height=0", "--set", "chassis.Mass.p_initial=200"]


@functools.lru_cache(None)
def exact_smooth(of=Z_W):
    """A flat road, and a chassis that starts upwards at 0.5 m/s."""
    matrix = exponential(system(0.0), 0.001)
    return heights_of(matrix, matrix, momentum=200.0, of=of)


def smooth_errors_of(way, folder):
    return [rmse(height_of(way, step, folder, SMOOTH), exact_smooth())
            for step in ("0.01", "0.001")]


class Truck(Case):
    def run_to(self, name, system, *options, **environment):
        """Runs SYSTEM, a path or the name of a package, and returns the bytes of the record."""
        path = system if isinstance(system, pathlib.Path) else OPTIONS.models / f"{system}.ssp"
        hocket("run", path, *options, "-o", name, "-q", folder=self.folder, **environment)
        return (self.folder / name).read_bytes()

    def assert_near(self, value, expected, share):
        self.assertLessEqual(abs(value - expected), share * abs(expected), f"{value} {expected}")


class References(Truck):
    def test_exact_solution_is_that_of_a_fine_runge_kutta(self):
        x = [0.0, M_C * G / K_C, 1.0, 0.0, (M_C + M_W) * G / K_W, 0.5, 0.0, 1.0]
        h, per_ms = 1e-4, 10
        for i in range(1300 * per_ms):
            if i % per_ms == 0:
                self.assertLess(abs(x[Z_W] - exact()[i // per_ms]), 1e-8)
            if i % (1000 * per_ms) == 0:
                a = system(0.1 if i else 0.0)
            total, k = list(x), x
            for n in range(1, 5):  # for a linear system RK4 is the Taylor series
                k = [h / n * sum(map(float.__mul__, row, k)) for row in a]
                total = [t + dt for t, dt in zip(total, k)]
            x = total

    def test_euler_is_not_exact(self):
        self.assert_near(rmse(euler(), exact()), 5.9218e-4, 1e-4)


class Errors(Truck):
    """Root mean square errors of the wheel's height over 5 s: the numbers of the document."""

    def test_table_3_of_the_paper(self):
        self.assert_near(rmse(height_of("jacobi", "0.01", self.folder), euler()), 0.030062, 0.04)
        self.assert_near(rmse(height_of("jacobi", "0.001", self.folder), euler()), 0.0018814, 0.04)

    def test_paper_is_met_within_a_hundredth_by_the_error_against_the_exact_solution(self):
        self.assert_near(rmse(height_of("jacobi", "0.01", self.folder), exact()), 0.030062, 0.01)
        self.assert_near(rmse(height_of("jacobi", "0.001", self.folder), exact()), 0.0018814, 0.01)

    def test_errors_of_all_ways(self):
        # against Euler at 100 and 1000 Hz, against the exact solution at 100 and 1000 Hz
        expected = {
            "jacobi": (3.02102e-2, 1.94953e-3, 3.02128e-2, 1.88870e-3),
            "gauss-seidel": (2.97063e-2, 1.93817e-3, 2.97269e-2, 1.87240e-3),
            "gauss-seidel, ground first": (3.00909e-2, 1.97120e-3, 3.00947e-2, 1.91385e-3),
            "jacobi, extrapolated": (2.99127e-2, 1.95064e-3, 2.99132e-2, 1.88803e-3),
            "gauss-seidel, extrapolated": (2.98996e-2, 1.94896e-3, 2.99173e-2, 1.88816e-3),
            "gauss-seidel, ground first, extrapolated":
                (2.98544e-2, 1.95034e-3, 2.98592e-2, 1.88775e-3),
        }
        self.assertEqual(set(expected), set(WAYS))
        for way, numbers in expected.items():
            found = errors_of(way, self.folder).values()
            for value, number in zip([e for pair in zip(*found) for e in pair], numbers):
                with self.subTest(way=way):
                    self.assert_near(value, number, 1e-4)

    def test_errors_on_a_smooth_motion(self):
        # 100 and 1000 Hz, against the exact solution
        expected = {
            "jacobi": (2.2236e-4, 1.4655e-5),
            "gauss-seidel": (7.6841e-5, 6.7137e-6),
            "gauss-seidel, ground first": (5.8794e-5, 6.4985e-6),
            "jacobi, extrapolated": (7.6798e-5, 4.5777e-6),
            "gauss-seidel, extrapolated": (7.5523e-5, 4.6800e-6),
            "gauss-seidel, ground first, extrapolated": (4.7134e-5, 4.3841e-6),
        }
        self.assertEqual(set(expected), set(WAYS))
        found = {way: smooth_errors_of(way, self.folder) for way in WAYS}
        for way, numbers in expected.items():
            for value, number in zip(found[way], numbers):
                with self.subTest(way=way):
                    self.assert_near(value, number, 1e-4)
        for plain, better in zip(found["jacobi"], found["jacobi, extrapolated"]):
            self.assertLess(2.0 * better, plain, "extrapolation halves the error")

    def test_extrapolation_can_make_the_chassis_worse(self):
        expected = {"jacobi": 2.4481e-4, "jacobi, extrapolated": 6.3418e-4}
        for way, number in expected.items():
            heights = height_of(way, "0.01", self.folder, SMOOTH, "chassis.z")
            self.assert_near(rmse(heights, exact_smooth(Z_C)), number, 1e-4)

    def test_wheel_settles_off_the_step_and_extrapolation_does_not_mend_it(self):
        for options in ([], ["--extrapolate"], ["--algorithm", "gauss-seidel"]):
            with self.subTest(options=options):
                self.run_to("long.csv", "quarter_truck", "--stop-time", "20", *options)
                columns = columns_of(self.folder / "long.csv")
                self.assertLess(abs(columns["wheel.z"][-1] - 0.602094), 5e-7)
                self.assertLess(abs(columns["chassis.z"][-1] - 1.102094), 5e-7)


class Initialisation(Truck):
    def test_first_row_is_in_equilibrium(self):
        self.run_to("all.csv", "quarter_truck", "--stop-time", "0.9", "--output-variable", "*")
        first = {name: values[0] for name, values in columns_of(self.folder / "all.csv").items()}
        self.assertEqual(first["time"], 0.0)
        self.assertEqual(first["chassis.p.e"], M_C * G)
        self.assertEqual(first["wheel.p1.e"], M_C * G)
        self.assert_near(first["wheel.p.e"], (M_C + M_W) * G, 1e-15)
        self.assertEqual(first["ground.p.e"], first["wheel.p.e"])
        # Of the forces on the wheel only rounding is left over.
        self.assertLess(abs(first["wheel.der(Mass.p)"]), 1e-11)

    def test_nothing_moves_before_the_step(self):
        for system in ("quarter_truck", "quarter_truck_native"):
            self.run_to("still.csv", system, "--stop-time", "1")
            columns = columns_of(self.folder / "still.csv")
            # Without the exchange of initial values it would be 2.2e-5.
            self.assertLess(max(abs(z - 0.5) for z in columns["wheel.z"][:-1]), 1e-12)
            self.assertLess(max(abs(z - 1.0) for z in columns["chassis.z"][:-1]), 1e-12)


class SameBytes(Truck):
    RATES = {"chassis": 'period="0.001"', "wheel": 'period="0.002"', "ground": 'period="0.003"'}
    OFFSETS = {"chassis": 'period="0.002"', "wheel": 'period="0.002" offset="0.001"',
               "ground": 'period="0.006" offset="0.004"'}

    def test_fmus_and_native_components(self):
        records = set()
        for name, schedules in (("plain", {}), ("ground", GROUND_FIRST), ("rates", self.RATES),
                                ("offsets", self.OFFSETS)):
            fmus, native = (written_system(self.folder, source, schedules)
                            for source in ("quarter_truck", "quarter_truck_native"))
            for options in ([], ["--extrapolate"], ["--algorithm", "gauss-seidel"],
                            ["--algorithm", "gauss-seidel", "--extrapolate"]):
                with self.subTest(name, options=options):
                    outputs = [self.run_to("record.csv", system, "--stop-time", "1.8", *options)
                               for system in (fmus, native)]
                    self.assertEqual(outputs[0].partition(b"\n")[0].decode(),
                                     ",".join(["time", *OUTPUTS]))
                    self.assertTrue(outputs[0] == outputs[1], "outputs differ")
                    everything = [self.run_to("record.csv", system, "--stop-time", "1.2", *options,
                                              "--output-variable", "*")
                                  for system in (fmus, native)]
                    self.assertTrue(everything[0] == everything[1], "variables differ")
                    records.add(outputs[0])
        # Jacobi has no order, so "ground" gives two records that "plain" has given already.
        self.assertEqual(len(records), 14)

    def test_inputs_are_recorded_as_they_were_set(self):
        """At 1 ms Jacobi the input set at t is the output that holds at t."""
        for system in ("quarter_truck", "quarter_truck_native"):
            self.run_to("all.csv", system, "--stop-time", "1.2", "--output-variable", "*")
            columns = columns_of(self.folder / "all.csv")
            for output, input in (("chassis.p.e", "wheel.p1.e"), ("wheel.p1.f", "chassis.p.f"),
                                  ("wheel.p.e", "ground.p.e"), ("ground.p.f", "wheel.p.f")):
                self.assertEqual(columns[output][:-1], columns[input][:-1], (system, input))
                self.assertGreater(len(set(columns[input])), 100)

    def test_what_is_recorded_changes_nothing(self):
        """Columns are the same whatever is beside them."""
        for schedules in ({}, self.RATES):
            system = written_system(self.folder, "quarter_truck", schedules)
            self.run_to("all.csv", system, "--stop-time", "1.2", "--output-variable", "*")
            everything = columns_of(self.folder / "all.csv")
            for pattern in ("*.p.f", "wheel.z", "ground.*"):
                self.run_to("some.csv", system, "--stop-time", "1.2", "--output-variable", pattern)
                some = columns_of(self.folder / "some.csv")
                self.assertGreater(len(some), 1)
                for name, values in some.items():
                    self.assertEqual(values, everything[name], name)

    def test_again_and_without_cache(self):
        arguments = ("quarter_truck", "--stop-time", "2", "--output-variable", "*")
        first = self.run_to("a.csv", *arguments)
        self.assertTrue(first == self.run_to("b.csv", *arguments))
        self.assertTrue(first == self.run_to("c.csv", *arguments, HK_NO_CACHE="1"))

    def test_in_a_locale_with_a_decimal_comma(self):
        names = subprocess.run(["locale", "-a"], capture_output=True, encoding="utf-8",
                               check=False).stdout.split()
        comma = [name for name in names if name.lower() in ("de_de.utf8", "fr_fr.utf8")]
        if not comma:
            self.skipTest("this machine has no locale with a decimal comma")
        arguments = ("quarter_truck", "--stop-time", "2", "--output-variable", "*")
        self.assertTrue(self.run_to("a.csv", *arguments) ==
                        self.run_to("b.csv", *arguments, LC_ALL=comma[0], LANG=comma[0]))

    def test_saved_and_loaded_in_another_process(self):
        for schedules in ({}, self.RATES):
            system = written_system(self.folder, "quarter_truck", schedules)
            for options in ([], ["--algorithm", "gauss-seidel"], ["--extrapolate"],
                            ["--output-variable", "*"]):
                with self.subTest(schedules=schedules, options=options):
                    whole = self.run_to("whole.csv", system, "--stop-time", "4.8", *options)
                    self.run_to("first.csv", system, "--stop-time", "2.4", *options,
                                "--save-state", "middle.state")
                    second = self.run_to("second.csv", system, "--stop-time", "4.8", *options,
                                         "--load-state", "middle.state")
                    lines = whole.splitlines(keepends=True)
                    self.assertEqual(second.count(b"\n"), 2402)
                    self.assertTrue(b"".join(lines[:1] + lines[2401:]) == second)

    def test_saved_at_two_and_a_half_seconds(self):
        whole = self.run_to("whole.csv", "quarter_truck", "--stop-time", "5")
        self.run_to("first.csv", "quarter_truck", "--stop-time", "2.5", "--save-state", "s.state")
        second = self.run_to("second.csv", "quarter_truck", "--stop-time", "5", "--load-state",
                             "s.state")
        lines = whole.splitlines(keepends=True)
        self.assertTrue(b"".join(lines[:1] + lines[2501:]) == second)


class Language(Truck):
    """quarter_truck.system, with native leaves and with FMUs, gives the bytes of the packages."""

    def test_same_bytes(self):
        expected = self.run_to("ssp.csv", "quarter_truck", "--output-variable", "*")
        for name in ("quarter_truck", "quarter_truck_fmus"):
            path = OPTIONS.models / "language" / f"{name}.system"
            found = self.run_to(f"{name}.csv", path, "--stop-time", "10", "--output-interval",
                                "0.001", "--output-variable", "*")
            self.assertTrue(found == expected, name)

    def test_current_links_are_gauss_seidel(self):
        """`current` is the rule of the language; the links of the truck say otherwise."""
        expected = self.run_to("ssp.csv", "quarter_truck_native", "--algorithm", "gauss-seidel")
        folder = OPTIONS.models / "language"
        text = (folder / "quarter_truck.system").read_text(encoding="utf-8")
        self.assertEqual(text.count(" lag previous;"), 4)
        text = text.replace(" lag previous;", ";").replace("quarter_truck.so",
                                                           str(folder / "quarter_truck.so"))
        path = self.folder / "current.system"
        path.write_text(text, encoding="utf-8")
        found = self.run_to("current.csv", path, "--stop-time", "10", "--output-interval", "0.001")
        self.assertTrue(found == expected)


class Report(Truck):
    def test_times_add_up_to_the_total(self):
        answer = json.loads(hocket("run", "--json", "--stats", OPTIONS.models / "quarter_truck.ssp",
                                   folder=self.folder).stdout)
        parts = re.findall(r'"(?:get|set|step|copy|record)_s": ?([0-9.e-]+)',
                           json.dumps(answer))
        self.assertGreaterEqual(len(parts), 9, answer)
        self.assertLessEqual(sum(map(float, parts)), answer["wall_s"] * (1 + 1e-12))


class Variables(Truck):
    def test_information_counts_them(self):
        for name, count in VARIABLES.items():
            answer = json.loads(hocket("info", OPTIONS.fmus / f"{name}.fmu", "--json",
                                       folder=self.folder).stdout)
            self.assertEqual(len(answer["variables"]), count)
            self.assertIn(f"{count} variables",
                          hocket("info", OPTIONS.fmus / f"{name}.fmu", folder=self.folder).stdout)

    def test_everything_is_recorded(self):
        self.run_to("all.csv", "quarter_truck", "--stop-time", "0.01", "--output-variable", "*")
        names = list(columns_of(self.folder / "all.csv"))
        self.assertEqual(names[0], "time")
        self.assertEqual(len(set(names)), 1 + 121)
        for component, count in VARIABLES.items():
            self.assertEqual(sum(n.startswith(component + ".") for n in names), count)


def print_table():
    with tempfile.TemporaryDirectory() as name:
        print(f"euler itself against exact: {rmse(euler(), exact()):.4e}")
        for way in WAYS:
            found = errors_of(way, pathlib.Path(name))
            cells = [f"{e:.5e}" for pair in zip(*found.values()) for e in pair]
            cells += [f"{e:.5e}" for e in smooth_errors_of(way, pathlib.Path(name))]
            print(f"{way:45}", *cells)


if __name__ == "__main__":
    if "--table" in sys.argv:
        read_options(flags=("--table",))
        print_table()
    else:
        main()
