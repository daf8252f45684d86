#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The quarter truck with its units in every form: FMI 1.0, 2.0, 3.0 and native, and in every
mixture of them. All records must be equal to the last byte; so must a run that was saved in one
process and resumed in another. Standard library only.
"""
import itertools
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, Case, call, main  # noqa: E402

FORMS = ("fmi1", "fmi2", "fmi3", "native")
UNITS = ("chassis", "wheel", "ground")
FMU, PLUGIN = "application/x-fmu-sharedlibrary", "application/x-hocket-plugin"


def source_of(unit, form):
    """Media type and source of a unit in one form."""
    if form == "native":
        return PLUGIN, f"resources/quarter_truck.so#{unit}"
    name = unit if form == "fmi2" else f"{unit}_{form}"
    return FMU, f"resources/{name}.fmu"


class Mixtures(Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="truck-"))
        resources = cls.folder / "resources"
        resources.mkdir()
        for unit, form in itertools.product(UNITS, FORMS[:3]):
            name = pathlib.Path(source_of(unit, form)[1]).name
            shutil.copy(OPTIONS.fmus / name, resources / name)
        shutil.copy(OPTIONS.models / "quarter_truck_native" / "resources" / "quarter_truck.so",
                    resources / "quarter_truck.so")
        cls.template = (OPTIONS.models / "quarter_truck" / "SystemStructure.ssd").read_text()
        cls.records = {}

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def setUp(self):
        """All share the folder of the class."""

    def system(self, forms):
        """Writes the system with the units in these forms."""
        text = self.template
        for unit, form in zip(UNITS, forms):
            kind, source = source_of(unit, form)
            text, count = re.subn(rf'(name="{unit}") type="[^"]*" source="[^"]*"',
                                  rf'\1 type="{kind}" source="{source}"', text)
            self.assertEqual(count, 1, unit)
        path = self.folder / ("-".join(forms) + ".ssd")
        path.write_text(text)
        return path

    def run_hocket(self, *arguments):
        call(OPTIONS.hocket, "run", "--quiet", *arguments)

    def record(self, forms, *options):
        output = self.folder / "record.csv"
        self.run_hocket(self.system(forms), "-o", output, *options)
        return output.read_bytes()

    def check_all(self, *options):
        expected = self.record(("native",) * 3, *options)
        self.assertGreater(expected.count(b"\n"), 100)
        for forms in itertools.product(FORMS, repeat=3):
            with self.subTest(forms=forms):
                self.assertEqual(self.record(forms, *options), expected)

    def test_every_mixture(self):
        self.check_all("--stop-time", "1.2", "--step-size", "0.001")

    def test_every_mixture_in_order(self):
        self.check_all("--stop-time", "1.2", "--step-size", "0.01", "--algorithm", "gauss-seidel")

    def test_all_variables(self):
        """Not only outputs: everything that each form offers under the same name."""
        everything = ("--stop-time", "1.2", "--step-size", "0.01", "--output-variable", "*")
        expected = self.record(("native",) * 3, *everything)
        self.assertEqual(expected.split(b"\n", 1)[0].count(b","), 121)
        for form in FORMS[:3]:
            with self.subTest(form=form):
                record = self.record((form,) * 3, *everything)
                self.assertEqual(self.columns(record, expected), expected)

    @staticmethod
    def columns(record, like):
        """The columns of RECORD that LIKE has, in its order: FMI 3.0 has 'time' as a variable."""
        names = record.split(b"\n", 1)[0].split(b",")
        wanted = like.split(b"\n", 1)[0].split(b",")
        places = [names.index(name) for name in wanted]
        rows = [line.split(b",") for line in record.split(b"\n") if line]
        return b"".join(b",".join(row[i] for i in places) + b"\n" for row in rows)

    def test_states_of_another_process(self):
        for form in FORMS:
            with self.subTest(form=form):
                system = self.system((form,) * 3)
                whole, first, second = (self.folder / f"{n}.csv" for n in ("whole", "one", "two"))
                state = self.folder / "half.hks"
                options = ("--step-size", "0.001")
                self.run_hocket(system, "--stop-time", "2", "-o", whole, *options)
                self.run_hocket(system, "--stop-time", "1", "-o", first, "--save-state", state,
                                *options)
                self.run_hocket(system, "--stop-time", "2", "-o", second, "--load-state", state,
                                *options)
                begin = first.read_bytes().splitlines(keepends=True)
                rest = second.read_bytes().splitlines(keepends=True)
                self.assertEqual(b"".join(begin[:-1] + rest[1:]), whole.read_bytes())


if __name__ == "__main__":
    main()
