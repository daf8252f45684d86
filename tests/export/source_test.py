#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Exports from C files: FMUs that hold their sources compile from what is in them alone; exports can be
repeated byte for byte; and what is wrong is said."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree
import zipfile

import support

BROKEN = """#include <hk/unit.h>
int broken(void) { return no_such_thing; }
int worse(void) { return nor_that; }
"""

# One step of half a second with each of two FMUs that are linked into the program.
CALLS = {
    1: """#include "fmi/fmi1_api.h"
#define DECLARE(id) fmi1InstantiateSlaveFn id##_fmiInstantiateSlave; fmi1InitializeSlaveFn id##_fmiInitializeSlave; \\
    fmi1DoStepFn id##_fmiDoStep; fmi1GetRealFn id##_fmiGetReal; fmi1FreeSlaveInstanceFn id##_fmiFreeSlaveInstance;
#define RUN(id, guid, ref) do { \\
    fmi1CallbackFunctions none = {0}; unsigned at = ref; \\
    void *c = id##_fmiInstantiateSlave("x", guid, "", "", 0, 0, 0, none, 0); \\
    id##_fmiInitializeSlave(c, 0, 0, 0); id##_fmiDoStep(c, 0, 0.5, 1); id##_fmiGetReal(c, &at, 1, &value); \\
    id##_fmiFreeSlaveInstance(c); } while (0)
""",
    2: """#include "fmi/fmi2_api.h"
#define DECLARE(id) fmi2InstantiateFn id##_fmi2Instantiate; fmi2SetupExperimentFn id##_fmi2SetupExperiment; \\
    fmi2EnterInitializationModeFn id##_fmi2EnterInitializationMode, id##_fmi2ExitInitializationMode; \\
    fmi2DoStepFn id##_fmi2DoStep; fmi2GetRealFn id##_fmi2GetReal; fmi2FreeInstanceFn id##_fmi2FreeInstance;
#define RUN(id, guid, ref) do { \\
    fmi2CallbackFunctions none = {0}; unsigned at = ref; \\
    void *c = id##_fmi2Instantiate("x", fmi2CoSimulation, guid, "", &none, 0, 0); \\
    id##_fmi2SetupExperiment(c, 0, 0, 0, 0, 0); \\
    id##_fmi2EnterInitializationMode(c); id##_fmi2ExitInitializationMode(c); \\
    id##_fmi2DoStep(c, 0, 0.5, 1); id##_fmi2GetReal(c, &at, 1, &value); id##_fmi2FreeInstance(c); } while (0)
""",
    3: """#include "fmi/fmi3_api.h"
#define DECLARE(id) fmi3InstantiateCoSimulationFn id##_fmi3InstantiateCoSimulation; \\
    fmi3EnterInitializationModeFn id##_fmi3EnterInitializationMode; \\
    fmi3ExitInitializationModeFn id##_fmi3ExitInitializationMode; fmi3DoStepFn id##_fmi3DoStep; \\
    fmi3GetFloat64Fn id##_fmi3GetFloat64; fmi3FreeInstanceFn id##_fmi3FreeInstance;
#define RUN(id, guid, ref) do { \\
    unsigned at = ref; bool a, b, d; double t; \\
    void *c = id##_fmi3InstantiateCoSimulation("x", guid, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0); \\
    id##_fmi3EnterInitializationMode(c, 0, 0, 0, 0, 0); id##_fmi3ExitInitializationMode(c); \\
    id##_fmi3DoStep(c, 0, 0.5, 1, &a, &b, &d, &t); id##_fmi3GetFloat64(c, &at, 1, &value, 1); \\
    id##_fmi3FreeInstance(c); } while (0)
"""}
MAIN = """#include <stdio.h>
DECLARE(one) DECLARE(two)
int main(void) {
    double value = 0;
    RUN(one, "%s", %d);
    printf("%%a\\n", value);
    RUN(two, "%s", %d);
    printf("%%a\\n", value);
    return 0;
}
"""


class Sources(support.Case):
    def tank(self):
        return self.options.source / "examples" / "01_hello" / "tank.c"

    def rebuild(self, fmu):
        """The FMU again, with a library made only from its folder sources/, by a call of cc."""
        import fmpy
        folder = pathlib.Path(fmpy.extract(str(fmu), unzipdir=tempfile.mkdtemp(dir=self.folder)))
        library = next((folder / "binaries").rglob("*.so"))
        library.unlink()
        build = xml.etree.ElementTree.parse(folder / "sources" / "buildDescription.xml")
        files = build.findall(".//SourceFile")
        words = ["cc", "-shared", "-fPIC", "-std=c17", "-ffp-contract=off", "-Wall", "-Werror", "-o", library]
        words += [f"-I{f.get('name')}" for f in build.findall(".//IncludeDirectory")]
        words += [f"-D{d.get('name')}={d.get('value')}" for d in build.findall(".//PreprocessorDefinition")]
        subprocess.run([*words, *(f.get("name") for f in files), "-lm"], cwd=folder / "sources", check=True,
                       timeout=900)
        return self.pack(folder, fmu)

    def compile_objects(self, fmu, prefix, of=""):
        """The objects of the FMU's sources, compiled as if for a static library: of those that mention OF."""
        import fmpy
        folder = pathlib.Path(fmpy.extract(str(fmu), unzipdir=tempfile.mkdtemp(dir=self.folder))) / "sources"
        build = xml.etree.ElementTree.parse(folder / "buildDescription.xml")
        files = [f.get("name") for f in build.findall(".//SourceFile") if of in (folder / f.get("name")).read_text(encoding="utf-8")]
        subprocess.run(["cc", "-c", "-std=c17", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-I.", *prefix,
                        *files], cwd=folder, check=True, timeout=900)
        return folder, [folder / (pathlib.Path(name).stem + ".o") for name in files]

    def symbols(self, *objects, words=()):
        """What the linker sees defined in them."""
        said = subprocess.run(["nm", "--defined-only", "-g", "-P", *words, *objects], check=True,
                              capture_output=True, text=True).stdout
        return {line.split()[0] for line in said.splitlines() if line and not line.endswith(":")}

    def test_two_in_one_program(self):
        """Every name that the sources show the linker begins with the model identifier."""
        import fmpy
        other = self.folder / "other.c"
        other.write_text(self.tank().read_text(encoding="utf-8").replace('.start = "2"', '.start = "4"'),
                         encoding="utf-8")
        for fmi in (1, 2, 3):
            objects, values, expected = [], [], []
            for name, source in (("one", self.tank()), ("two", other)):
                fmu = self.export(source, fmi, "--sources", "--name", name, name=name)
                folder, made = self.compile_objects(fmu, [f"-DFMI2_FUNCTION_PREFIX={name}_"] if fmi == 2 else [])
                self.assertEqual({s for s in self.symbols(*made) if not s.startswith(name + "_")}, set())
                objects += made
                about = fmpy.read_model_description(str(fmu))
                level = next(v for v in about.modelVariables if v.name == "level")
                values += [about.guid, level.valueReference]
                rows = fmpy.simulate_fmu(str(fmu), stop_time=0.5, step_size=0.5, output_interval=0.5,
                                         output=["level"])
                expected.append(float(rows["level"][-1]))
            (self.folder / "main.c").write_text(CALLS[fmi] + MAIN % tuple(values), encoding="utf-8")
            subprocess.run(["cc", "-std=c17", "-I", folder, "main.c", *objects, "-o", "main", "-lm"],
                           cwd=self.folder, check=True, timeout=900)
            said = subprocess.run([self.folder / "main"], check=True, capture_output=True, text=True).stdout
            self.assertEqual([float.fromhex(word) for word in said.split()], expected)
            self.assertNotEqual(*expected)

    def test_prefix(self):
        """The macros of the standard's own headers."""
        for fmi, word in ((2, "FMI2"), (3, "FMI3")):
            fmu = self.export(self.tank(), fmi, "--sources")
            for prefix, expected in (([], "fmi2DoStep" if fmi == 2 else "tank_fmi3DoStep"),
                                     ([f"-D{word}_FUNCTION_PREFIX=mine_"], f"mine_fmi{fmi}DoStep"),
                                     ([f"-D{word}_FUNCTION_PREFIX="], f"fmi{fmi}DoStep"),
                                     ([f"-D{word}_OVERRIDE_FUNCTION_PREFIX"], f"fmi{fmi}DoStep"),
                                     ([f"-D{word}_OVERRIDE_FUNCTION_PREFIX",
                                       f"-D{word}_ACTUAL_FUNCTION_PREFIX=his_"], f"his_fmi{fmi}DoStep")):
                found = self.symbols(*self.compile_objects(fmu, prefix, "DoStep" if prefix else "")[1])
                self.assertEqual([s for s in found if s.endswith("DoStep")], [expected])
        fmu = self.export(self.tank(), 1, "--sources")
        found = self.symbols(*self.compile_objects(fmu, ["-DMODEL_IDENTIFIER=mine"], "DoStep")[1])
        self.assertEqual([s for s in found if s.endswith("DoStep")], ["mine_fmiDoStep"])

    def test_all_functions(self):
        """The library has all functions of the standard, also those of model exchange."""
        import fmpy
        headers = pathlib.Path(fmpy.__file__).parent / "c-code"
        for fmi in (2, 3):
            fmu = self.export(self.tank(), fmi)
            folder = pathlib.Path(fmpy.extract(str(fmu), unzipdir=tempfile.mkdtemp(dir=self.folder)))
            text = (headers / f"fmi{fmi}Functions.h").read_text(encoding="utf-8")
            names = set(re.findall(rf"#define (fmi{fmi}\w+) +fmi{fmi}FullName", text))
            self.assertGreaterEqual(len(names), 44)
            library = next((folder / "binaries").rglob("*.so"))
            self.assertEqual(names - self.symbols(library, words=["-D"]), set())

    def pack(self, folder, fmu):
        again = fmu.with_name("again_" + fmu.name)
        with zipfile.ZipFile(again, "w") as archive:
            for path in sorted(folder.rglob("*")):
                archive.write(path, path.relative_to(folder))
        return again

    def assert_same_runs(self, one, two, outputs):
        import fmpy
        import numpy
        rows = [fmpy.simulate_fmu(str(fmu), stop_time=2, step_size=0.125, output_interval=0.125,
                                  output=outputs) for fmu in (one, two)]
        self.assertEqual(len(rows[0]), 17)
        for name in outputs:
            self.assertGreater(len(numpy.unique(rows[0][name])), 1)
            self.assertTrue((rows[0][name] == rows[1][name]).all(), name)

    def test_sources_compile(self):
        for fmi in (1, 2, 3):
            fmu = self.export(self.tank(), fmi, "--sources")
            self.assert_same_runs(fmu, self.rebuild(fmu), ["level", "outflow"])

    def test_fmpy_compiles_them(self):
        import fmpy
        from fmpy.build import build_platform_binary
        from fmpy.validation import validate_fmu
        for fmi in (2, 3):
            fmu = self.export(self.tank(), fmi, "--sources")
            self.assertEqual(validate_fmu(str(fmu)), [])
            folder = pathlib.Path(fmpy.extract(str(fmu), unzipdir=tempfile.mkdtemp(dir=self.folder)))
            shutil.rmtree(folder / "binaries")
            build_platform_binary(folder)
            self.assert_same_runs(fmu, self.pack(folder, fmu), ["level", "outflow"])

    def test_several_files_and_headers(self):
        truck = self.options.source / "models" / "quarter_truck"
        fmu = self.folder / "wheel.fmu"
        self.run_hocket("export", *(truck / f"{name}.c" for name in ("chassis", "wheel", "ground", "plugin")),
                        "-D", "QT_IS_PLUGIN", "--type", "wheel", "--sources", "-o", fmu, "-q", CC=support.QUICK)
        self.assert_same_runs(fmu, self.rebuild(fmu), ["p.e", "p1.f"])
        library = support.plugin("models", "quarter_truck_native", "resources", "quarter_truck.so")
        plugged = self.export(library, 2, "--type", "wheel")
        self.assert_same_runs(fmu, plugged, ["p.e", "p1.f"])

    def test_headers_elsewhere(self):
        (self.folder / "a" / "src").mkdir(parents=True)
        (self.folder / "a" / "my headers" / "deep").mkdir(parents=True)
        text = self.tank().read_text(encoding="utf-8")
        (self.folder / "a" / "src" / "tank.c").write_text(
            '#include "../near.h"\n#include <deep/far.h>\n' + text.replace('"0.2"', "FAR"), encoding="utf-8")
        (self.folder / "a" / "near.h").write_text("#define NEAR 1\n", encoding="utf-8")
        (self.folder / "a" / "my headers" / "deep" / "far.h").write_text('#define FAR "0.2"\n', encoding="utf-8")
        fmu = self.folder / "tank.fmu"
        self.run_hocket("export", "a/src/tank.c", "-I", "a/my headers", "--sources", "-o", fmu, "-q", CC=support.QUICK)
        self.assertIn("sources/my headers/deep/far.h", zipfile.ZipFile(fmu).namelist())
        self.assert_same_runs(fmu, self.rebuild(fmu), ["level"])

    def test_odd_names(self):
        """No name of a file is an option of the compiler, or lost on the way through its list of headers."""
        for name in ("-v.c", "@list.c", "a $b #c 'd' \"e\".c", "$$.c"):
            folder = self.folder / "in $it"
            folder.mkdir(exist_ok=True)
            shutil.copy(self.tank(), folder / name)
            fmu = self.folder / "tank.fmu"
            self.run_hocket("export", "./" + name, "--sources", "-o", fmu, "-q", cwd=folder, CC=support.QUICK)
            self.assertIn("sources/" + name, zipfile.ZipFile(fmu).namelist())
            self.run_hocket("run", fmu, "-q", "-o", "out.csv", "--step-size", "0.125", "--stop-time", "1")

    def test_repeatable(self):
        plugin = support.plugin("examples", "01_hello", "tank.so")
        other = self.folder / "elsewhere"
        other.mkdir()
        shutil.copy(self.tank(), other)
        for component in (plugin, self.tank()):
            first = self.export(component, 3, *(["--sources"] if component == self.tank() else []), name="a")
            words = ["export", component if component == plugin else "tank.c", "--fmi", 3, "-o", "b.fmu", "-q"]
            self.run_hocket(*words, *(["--sources"] if component == self.tank() else []), cwd=other, CC=support.QUICK)
            self.assertEqual(first.read_bytes(), (other / "b.fmu").read_bytes())
        text = zipfile.ZipFile(first).read("modelDescription.xml")
        self.assertNotIn(b"generationDateAndTime", text)
        self.run_hocket("export", self.tank(), "-o", "dated.fmu", "-q", SOURCE_DATE_EPOCH="86400", CC=support.QUICK)
        text = zipfile.ZipFile(self.folder / "dated.fmu").read("modelDescription.xml")
        self.assertIn(b'generationDateAndTime="1970-01-02T00:00:00Z"', text)

    def test_name(self):
        self.run_hocket("export", self.tank(), "--name", "My tank 2", "-q", CC=support.QUICK)
        import fmpy
        about = fmpy.read_model_description(str(self.folder / "My_tank_2.fmu"))
        self.assertEqual(about.modelName, "My tank 2")
        self.assertEqual(about.coSimulation.modelIdentifier, "My_tank_2")

    def refuse(self, status, *words, says, **environment):
        said = self.run_hocket("export", *words, "-o", "no.fmu", status=status, **environment)
        for text in says:
            self.assertIn(text, said)
        self.assertFalse((self.folder / "no.fmu").exists())
        self.assertNotIn(tempfile.gettempdir() + "/hocket", said)

    def test_errors_of_the_compiler(self):
        """One message says where; then what the compiler said, line by line."""
        (self.folder / "sub").mkdir()
        (self.folder / "sub" / "broken.c").write_text(BROKEN, encoding="utf-8")
        said = self.run_hocket("export", "sub/broken.c", "-o", "no.fmu", status=3)
        lines = said.splitlines()
        self.assertRegex(lines[0], r"^sub/broken\.c:2:27: error\[HK0310\]: the compiler 'cc' failed$")
        self.assertEqual(len([line for line in lines if "HK0310" in line]), 1)
        for number, name in ((2, "no_such_thing"), (3, "nor_that")):
            self.assertTrue([line for line in lines
                             if line.startswith(f"broken.c:{number}:") and "error:" in line and name in line], said)
        self.assertNotIn(tempfile.gettempdir() + "/hocket", said)
        said = self.run_hocket("export", "sub/broken.c", "-o", "no.fmu", "--json", status=3)
        notes = [json.loads(line) for line in said.splitlines()]
        self.assertEqual((notes[0]["code"], notes[0]["line"]), ("HK0310", 2))
        self.assertTrue([note for note in notes if "nor_that" in note["text"]])
        (self.folder / "lost.c").write_text("#include <no/such.h>\n", encoding="utf-8")
        said = self.run_hocket("export", "lost.c", "-o", "no.fmu", status=3)
        self.assertRegex(said.splitlines()[0], r"^lost\.c:1:10: error\[HK0310\]")

    def test_refused(self):
        plugin = support.plugin("tests", "export", "binary", "everything.so")
        self.refuse(3, self.tank(), says=["HK0310", "no-such-cc"], CC="no-such-cc")
        self.refuse(3, plugin, "--type", "older", says=["HK0310"], CC="no-such-cc")
        self.refuse(3, plugin, "--type", "oldr", says=["'older'"])
        self.refuse(3, plugin, says=["everything, older"])
        self.refuse(3, self.tank(), "--type", "tnk", says=["'tank'", "tank.c"])
        for fmi in (1, 2):
            self.refuse(3, plugin, "--type", "everything", "--fmi", fmi, says=["HK0309", "bin_in", "--fmi 3"])
        (self.folder / "empty.c").write_text("int nothing;\n", encoding="utf-8")
        self.refuse(3, "empty.c", says=["hk_plugin"])
        self.refuse(3, "missing.c", says=["missing.c"])
        self.refuse(3, "missing.so", says=["missing.so"])
        self.refuse(2, plugin, self.tank(), says=["C files"])
        self.refuse(2, plugin, "--type", "older", "--sources", says=["C files"])
        for size in ("0", "inf", "nan", "0x1"):
            self.refuse(2, self.tank(), "--step-size", size, says=["step size"])
        self.refuse(2, self.tank(), "--fmi", "4", says=["4"])
        self.run_hocket("export", self.tank(), "-o", "x.zip", status=2)
        self.run_hocket("export", self.tank(), "-o", "no/such/folder/x.fmu", status=3)
        self.assertFalse(any(name.endswith(".fmu") for name in os.listdir(self.folder)))


if __name__ == "__main__":
    support.main()
