#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""FMPy validates every exported FMU without findings and simulates it; hocket runs the component itself
with the same inputs. Every output after every step must be the same number, bit for bit."""
import csv
import re
import zipfile

import support
from hocket_case import SLOW, slow

STEPS, RATE = 96, 64  # steps of 1/64 s: FMPy adds them up without rounding

SYSTEM = """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription name="one" version="1.0"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon">
  <ssd:System name="one"><ssd:Elements>
    <ssd:Component name="{name}" type="application/x-hocket-plugin" source="{source}#{type}"/>
  </ssd:Elements></ssd:System>
</ssd:SystemStructureDescription>
"""


def value(variable, k, n):
    """Some input, exact and lively; different for each variable."""
    if variable.type == "Boolean":
        return (k // (3 + n)) % 2
    if variable.type in ("Integer", "Int32"):
        return (k // 5 + n) % 2 + 1
    return ((k * 37 + 11 * n) % 101 - 50) / 8


def base(name):
    """The port of a variable: "x" for "x[2]"."""
    return re.sub(r"\[[0-9,]+\]$", "", name)


def number(cell):
    """A cell of a record as what it says: a number, or else a text."""
    if cell in ("true", "false"):
        return float(cell == "true")
    try:
        return float(cell)
    except ValueError:
        return cell


class Oracle(support.Case):
    def native(self, library, kind, inputs, outputs, settings=()):
        """Rows of a run of the component itself, which has the name of its type."""
        system = self.folder / "one.ssd"
        target = self.folder / library.name
        if not target.exists():
            target.symlink_to(library)
        system.write_text(SYSTEM.format(name=kind, source=library.name, type=kind), encoding="utf-8")
        words = [word for name, text in settings for word in ("--set", f"{kind}.{name}={text}")]
        if inputs:
            with open(self.folder / "in.csv", "w", encoding="utf-8") as file:
                file.write("time," + ",".join(f"{kind}.{v.name}" for v in inputs) + "\n")
                for k in range(STEPS + 1):
                    cells = [repr(value(v, k, n)) for n, v in enumerate(inputs)]
                    file.write(",".join([repr(k / RATE), *cells]) + "\n")
            words += ["--input-file", "in.csv"]
        for name in dict.fromkeys(base(name) for name in outputs):
            words += ["--output-variable", f"{kind}.{name}"]
        self.run_hocket("run", system, "--step-size", f"1/{RATE}", "--stop-time", f"{STEPS}/{RATE}",
                        "-o", "out.csv", "-q", *words)
        with open(self.folder / "out.csv", newline="", encoding="utf-8") as file:
            return [{name[len(kind) + 1:]: number(cell) for name, cell in row.items() if name != "time"}
                    for row in csv.DictReader(file)]

    def simulate(self, fmu, inputs, outputs, start):
        """Rows of FMPy, one cell per element as hocket names them."""
        import fmpy
        import numpy
        kinds = {"Boolean": "?", "Integer": "i4", "Int32": "i4"}
        signals = None
        if inputs:
            signals = numpy.array(
                [(k / RATE, *(value(v, k, n) for n, v in enumerate(inputs))) for k in range(STEPS + 1)],
                dtype=[("time", "f8"), *((v.name, kinds.get(v.type, "f8")) for v in inputs)])
        # FMPy records no texts, so they are asked for after every step.
        texts = {v.name: v.valueReference for v in outputs if v.type == "String"}
        said = []

        def read_texts(_, recorder):
            if texts:
                got = recorder.fmu.getString(list(texts.values()))
                said.append([t.decode() if isinstance(t, bytes) else t for t in got])
            return True

        table = fmpy.simulate_fmu(str(fmu), stop_time=STEPS / RATE, step_size=1 / RATE,
                                  output_interval=1 / RATE, input=signals, start_values=start,
                                  output=[v.name for v in outputs if v.type != "String"],
                                  fmi_type="CoSimulation", step_finished=read_texts)
        rows = []
        for k, cells in enumerate(table):
            row = {}
            for name in table.dtype.names[1:]:
                cell = numpy.asarray(cells[name])
                row.update({f"{name}[{i + 1}]": float(x) for i, x in enumerate(cell)} if cell.ndim else
                           {name: float(cell)})
            if texts and k:
                row.update(zip(texts, said[k - 1]))
            rows.append(row)
        return rows

    def compare(self, library, kind, versions=(1, 2, 3), settings=(), singles=()):
        """SETTINGS: pairs of a parameter and its text, elements of arrays separated by spaces. SINGLES are
        Float32, of which hocket writes no more digits than they have."""
        import fmpy
        import numpy
        from fmpy.validation import validate_fmu
        ours = None
        for fmi in versions:
            fmu = self.export(library, fmi, "--type", kind, name=kind)
            self.assertEqual(validate_fmu(str(fmu)), [])
            variables = fmpy.read_model_description(str(fmu)).modelVariables
            inputs = [v for v in variables if v.causality == "input"]
            outputs = [v for v in variables if v.causality == "output"]
            self.assertTrue(outputs)
            if ours is None:
                ours = self.native(library, kind, inputs, [v.name for v in outputs], settings)
                for row in ours:
                    row.update({name: float(numpy.float32(row[name])) for name in singles})
            start = {}
            for name, text in settings:
                words = text.split() if any(v.name == f"{name}[1]" or (v.name == name and v.shape)
                                            for v in variables) else None
                start.update({name: text} if words is None else {name: [float(w) for w in words]} if fmi == 3
                             else {f"{name}[{i}]": w for i, w in enumerate(words, 1)})
            theirs = self.simulate(fmu, inputs, outputs, start)
            self.assertEqual((len(ours), len(theirs)), (STEPS + 1, STEPS + 1))
            self.assertEqual(set(ours[1]), set(theirs[1]))
            # hocket records by stamp: what an activation at t says of t is in the row of t. FMPy
            # shows it after the step. Before the first step both show the initial values.
            text = zipfile.ZipFile(fmu).read("modelDescription.xml").decode()
            shift = re.search(r'stamp"? ?(value)?="(start|end)"', text)[2] == "start"
            for k in range(STEPS + 1 - shift):
                for name, cell in theirs[k + shift].items():
                    self.assertEqual(ours[k][name], cell, f"FMI {fmi}: {kind}.{name} after {k} steps")

    def test_types(self):
        """Integers, booleans, texts and arrays, which change from step to step."""
        library = support.plugin("tests", "export", "one", "everything.so")
        self.compare(library, "mixer", settings=(("weights", "0.1 -2 3e-7"), ("word", "a <b> ")),
                     singles=("small",))

    def test_domains(self):
        """Names of items and limits go out, to FMPy and back to hocket; the numbers are the same."""
        import fmpy
        library = support.plugin("tests", "export", "one", "everything.so")
        self.compare(library, "valve", settings=(("gear", "2"),))
        gears = [("slow", 1), ("fast <2>", 2)]
        modes = [("shut", -1), ("open", 5)]
        for fmi in (1, 2, 3):
            fmu = self.folder / f"valve{fmi}.fmu"
            about = fmpy.read_model_description(str(fmu))
            types = {t.name: t for t in about.typeDefinitions}
            # FMPy leaves out the numbers of FMI 1.0, which follow from the order.
            names = [item.name for item in types["gears"].items]
            self.assertEqual(names, [name for name, _ in gears])
            if fmi != 1:  # 'mode' is the name of a variable, and types are called otherwise
                self.assertEqual([(i.name, int(i.value)) for i in types["mode_2"].items], modes)
            theirs = {v.name: v for v in about.modelVariables}
            self.assertEqual((float(theirs["most"].min), float(theirs["most"].max)), (0.1, 1e22))
            self.assertEqual((theirs["steps"].min, theirs["steps"].max), ("0", None))
            ours = {v["name"]: v for v in self.info(fmu)["variables"]}
            items = {name: [(i["name"], i["value"]) for i in v.get("items") or []]
                     for name, v in ours.items()}
            self.assertEqual(items["gear"], gears)
            self.assertEqual(items["mode"], modes)  # in FMI 1.0 by annotations of ours
            self.assertEqual((ours["most"]["min"], ours["most"]["max"]), (0.1, 1e22))
            array = ours["modes" if fmi == 3 else "modes[2]"]
            self.assertEqual((array["min"], array["max"]), (-1, 5))
            self.run_hocket("check", fmu)

    def test_domains_in_words(self):
        """What FMI 1.0 has no words for is said, and is in the description for people."""
        library = support.plugin("tests", "export", "one", "everything.so")
        said = self.run_hocket("export", library, "--type", "valve", "--fmi", "1", "-o", "v.fmu")
        self.assertIn("warning[HK0309]: enumeration 'mode_2': the items of FMI 1.0 count from 1", said)
        text = zipfile.ZipFile(self.folder / "v.fmu").read("modelDescription.xml").decode()
        self.assertIn('name="mode_2" description="-1: shut, 5: open"><IntegerType min="-1" max="5"/>', text)
        self.assertIn('<Annotation name="item -1 mode_2" value="shut"/>', text)
        page = zipfile.ZipFile(self.folder / "v.fmu").read("documentation/_main.html").decode()
        self.assertIn("<td>slow (1), fast &lt;2&gt; (2)</td>", page)
        self.assertIn("<td>at least 0.1, at most 1e22</td>", page)

    def test_random(self):
        """FMPy names the instance after the model, as the native component is named."""
        self.compare(support.plugin("tests", "export", "one", "everything.so"), "noisy")

    def test_examples(self):
        self.compare(support.plugin("examples", "01_hello", "tank.so"), "tank")
        for fmi, kind in ((2, "relay"), (3, "subtractor")):
            self.compare(support.plugin("examples", "02_coincidence", "subtractor.so"), kind, (2, 3) if SLOW else (fmi,))

    def test_quarter_truck(self):
        library = support.plugin("models", "quarter_truck_native", "resources", "quarter_truck.so")
        self.compare(library, "wheel")
        for fmi, kind in ((1, "chassis"), (2, "ground")):
            self.compare(library, kind, (1, 2, 3) if SLOW else (fmi,))

    def test_rosace(self):
        library = support.plugin("models", "rosace_plugin", "rosace.so")
        self.compare(library, "flight_dynamics")
        for kind in ("cables", "fcc_mon", "altitude_hold"):
            self.compare(library, kind, (1, 2, 3) if SLOW else (3,))

    @slow
    def test_rosace_all(self):
        library = support.plugin("models", "rosace_plugin", "rosace.so")
        for kind in ("elevator", "engine", "filter", "h_filter", "vz_filter", "va_filter",
                     "q_filter", "az_filter", "fcc_com", "fcu", "flight_mode", "va_control",
                     "vz_control"):
            self.compare(library, kind, (2,))

    def test_hocket_reads_it_back(self):
        """The exported FMU in hocket gives the same bytes as the component itself."""
        library = support.plugin("models", "quarter_truck_native", "resources", "quarter_truck.so")
        (self.folder / "one.ssd").write_text(
            SYSTEM.format(name="x", source="quarter_truck.so", type="wheel"), encoding="utf-8")
        (self.folder / "quarter_truck.so").symlink_to(library)
        words = ["--step-size", "0.001", "--stop-time", "1", "-q", "--output-variable", "x.z",
                 "--output-variable", "x.p.e", "-o"]
        self.run_hocket("run", "one.ssd", *words, "native.csv")
        for fmi in (1, 2, 3):
            fmu = self.export(library, fmi, "--type", "wheel", name="wheel")
            (self.folder / "two.ssd").write_text(
                (self.folder / "one.ssd").read_text(encoding="utf-8")
                .replace("application/x-hocket-plugin", "application/x-fmu-sharedlibrary")
                .replace("quarter_truck.so#wheel", fmu.name), encoding="utf-8")
            self.run_hocket("run", "two.ssd", *words, f"fmu{fmi}.csv")
            self.assertEqual((self.folder / "native.csv").read_bytes(),
                             (self.folder / f"fmu{fmi}.csv").read_bytes(), f"FMI {fmi}")

    def test_findings(self):
        """hocket itself finds nothing wrong with what it exports."""
        for fmi in (1, 2, 3):
            kind = "binary" if fmi == 3 else "one"
            library = support.plugin("tests", "export", kind, "everything.so")
            fmu = self.export(library, fmi, "--type", "everything")
            self.run_hocket("check", fmu)


if __name__ == "__main__":
    support.main()
