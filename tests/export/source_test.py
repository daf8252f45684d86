#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Exports from C files: FMUs that hold their sources compile from what is in them alone; exports can be
repeated byte for byte; and what is wrong is said."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree
import zipfile

import support

BROKEN = "#include <hk/unit.h>\nint broken(void) { return no_such_thing; }\n"


class Sources(support.Case):
    def tank(self):
        return support.OPTIONS.source / "examples" / "01_hello" / "tank.c"

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
                       timeout=120)
        return self.pack(folder, fmu)

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
        truck = support.OPTIONS.source / "models" / "quarter_truck"
        fmu = self.folder / "wheel.fmu"
        self.run_hocket("export", *(truck / f"{name}.c" for name in ("chassis", "wheel", "ground", "plugin")),
                        "-D", "QT_IS_PLUGIN", "--type", "wheel", "--sources", "-o", fmu, "-q")
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
        self.run_hocket("export", "a/src/tank.c", "-I", "a/my headers", "--sources", "-o", fmu, "-q")
        self.assertIn("sources/my headers/deep/far.h", zipfile.ZipFile(fmu).namelist())
        self.assert_same_runs(fmu, self.rebuild(fmu), ["level"])

    def test_odd_names(self):
        """No name of a file is an option of the compiler, or lost on the way through its list of headers."""
        for name in ("-v.c", "@list.c", "a $b #c 'd' \"e\".c", "$$.c"):
            folder = self.folder / "in $it"
            folder.mkdir(exist_ok=True)
            shutil.copy(self.tank(), folder / name)
            fmu = self.folder / "tank.fmu"
            self.run_hocket("export", "./" + name, "--sources", "-o", fmu, "-q", cwd=folder)
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
            self.run_hocket(*words, *(["--sources"] if component == self.tank() else []), cwd=other)
            self.assertEqual(first.read_bytes(), (other / "b.fmu").read_bytes())
        text = zipfile.ZipFile(first).read("modelDescription.xml")
        self.assertNotIn(b"generationDateAndTime", text)
        self.run_hocket("export", self.tank(), "-o", "dated.fmu", "-q", SOURCE_DATE_EPOCH="86400")
        text = zipfile.ZipFile(self.folder / "dated.fmu").read("modelDescription.xml")
        self.assertIn(b'generationDateAndTime="1970-01-02T00:00:00Z"', text)

    def test_name(self):
        self.run_hocket("export", self.tank(), "--name", "My tank 2", "-q")
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

    def test_refused(self):
        plugin = support.plugin("tests", "export", "binary", "everything.so")
        self.refuse(3, self.tank(), says=["HK0310", "no-such-cc"], CC="no-such-cc")
        self.refuse(3, plugin, "--type", "older", says=["HK0310"], CC="no-such-cc")
        self.refuse(3, plugin, "--type", "oldr", says=["'older'"])
        self.refuse(3, plugin, says=["everything, older"])
        self.refuse(3, self.tank(), "--type", "tnk", says=["'tank'", "tank.c"])
        for fmi in (1, 2):
            self.refuse(3, plugin, "--type", "everything", "--fmi", fmi, says=["HK0309", "bin_in", "--fmi 3"])
        (self.folder / "broken.c").write_text(BROKEN, encoding="utf-8")
        self.refuse(3, "broken.c", says=["HK0310", "no_such_thing"])
        (self.folder / "empty.c").write_text("int nothing;\n", encoding="utf-8")
        self.refuse(3, "empty.c", says=["hk_plugin"])
        self.refuse(3, "missing.c", says=["missing.c"])
        self.refuse(3, "missing.so", says=["missing.so"])
        self.refuse(2, plugin, self.tank(), says=["C files"])
        self.refuse(2, plugin, "--type", "older", "--sources", says=["C files"])
        for size in ("0", "inf", "nan", "0x1"):
            self.refuse(2, self.tank(), "--step-size", size, says=["step size"])
        self.refuse(2, self.tank(), "--fmi", "4", says=["4"])
        self.run_hocket("export", self.tank(), "-o", "x.zip", status=3)
        self.run_hocket("export", self.tank(), "-o", "no/such/folder/x.fmu", status=3)
        self.assertFalse(any(name.endswith(".fmu") for name in os.listdir(self.folder)))


if __name__ == "__main__":
    support.main()
