#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""FMUs that bring sources: `hocket build` and `run --build`."""
import pathlib
import re
import shutil
import signal
import subprocess
import time
import zipfile

import support
from support import Case, OPTIONS, PLATFORM, code, description, quick_cc


def build_description(files, fmi=3, platform="", more="", attributes="", libraries="", identifier="grow"):
    listed = "".join(f'<SourceFile name="{f}"/>' for f in files)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiBuildDescription fmiVersion="3.0">
  <BuildConfiguration modelIdentifier="{identifier}" {platform}>
    <SourceFileSet {attributes}>{listed}{more}</SourceFileSet>
    {libraries}
  </BuildConfiguration>
</fmiBuildDescription>"""


class BuildTest(Case):
    def entries(self, path):
        with zipfile.ZipFile(path) as archive:
            return {i.filename: (archive.read(i), i.date_time, i.compress_type, i.external_attr, i.extra, i.comment)
                    for i in archive.infolist()}

    def stripped(self, fmu, name, sources=None, drop="binaries/"):
        """FMU without its binaries, SOURCES in it if there are some."""
        path = self.folder / name
        with zipfile.ZipFile(fmu) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
            for entry in old.infolist():
                if not entry.filename.startswith(drop):
                    new.writestr(entry, old.read(entry))
            for entry, text in (sources or {}).items():
                new.writestr("sources/" + entry, text)
        return path

    # ---- what it makes ----

    def test_all_versions(self):
        """Headers of the standard are provided; the library is where each version has it."""
        for fmi in (1, 2, 3):
            files = {"grow.c": code(fmi)}
            if fmi == 3:
                files["buildDescription.xml"] = build_description(["grow.c"])
            fmu = self.source_fmu(fmi, files)
            made = self.folder / f"made{fmi}.fmu"
            self.hocket("build", fmu, "-o", made)
            library = f"binaries/{PLATFORM[fmi]}/grow.so"
            self.assertIn(library, zipfile.ZipFile(made).namelist())
            record = self.record(made)
            self.assertEqual(record.decode().splitlines()[-1].split(",")[-1], "2.083333333333333")
            self.assertEqual(self.record(fmu, "--build"), record)
        self.no_leftovers()

    def test_the_rest_stays(self):
        """Every other byte of the archive is as it was, comments, times and dead data too."""
        fmu = self.folder / "x.fmu"
        with zipfile.ZipFile(fmu, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.comment = b"made by hand"
            for name, text in (("modelDescription.xml", description(2, "<SourceFiles><File name='grow.c'/></SourceFiles>")),
                               ("sources/grow.c", code(2)), ("resources/data.bin", bytes(range(256)) * 50),
                               ("binaries/win64/grow.dll", b"MZ"), ("extra/a/b.txt", "x")):
                about = zipfile.ZipInfo(name, (2001, 2, 3, 4, 5, 6))
                about.compress_type = zipfile.ZIP_STORED if name.endswith("dll") else zipfile.ZIP_DEFLATED
                about.external_attr = 0o100640 << 16
                about.comment = b"note"
                archive.writestr(about, text)
        self.hocket("build", fmu, "-o", "y.fmu")
        old, new = self.entries(fmu), self.entries(self.folder / "y.fmu")
        self.assertEqual(set(new) - set(old), {"binaries/linux64/grow.so"})
        self.assertEqual({name: new[name] for name in old}, old)
        self.assertEqual(zipfile.ZipFile(self.folder / "y.fmu").comment, b"made by hand")
        start = zipfile.ZipFile(fmu).start_dir
        self.assertEqual((self.folder / "y.fmu").read_bytes()[:start], fmu.read_bytes()[:start])
        # built again: the library is replaced, told, and there once
        said = self.hocket("build", "y.fmu", "-o", "z.fmu")
        self.assertIn("'binaries/linux64/grow.so' is replaced", said)
        names = zipfile.ZipFile(self.folder / "z.fmu").namelist()
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(self.entries(self.folder / "z.fmu")["binaries/linux64/grow.so"][0],
                         new["binaries/linux64/grow.so"][0])
        self.record("z.fmu")

    def test_same_bytes_again(self):
        fmu = self.source_fmu(2)
        other = self.folder / "elsewhere"
        other.mkdir()
        self.hocket("build", fmu, "-o", "a.fmu")
        self.hocket("build", fmu, "-o", "b.fmu", TMPDIR=str(other))
        self.assertEqual((self.folder / "a.fmu").read_bytes(), (self.folder / "b.fmu").read_bytes())

    def test_default_name_and_json(self):
        fmu = self.source_fmu(2)
        said = self.hocket("build", fmu)
        self.assertRegex(said, r"^build: grow2_built\.fmu \(binaries/linux64/grow\.so, 1 source file by .+\)\n$")
        self.hocket("build", fmu, "--json", "-o", "j.fmu")
        self.assertIn('"schema":"hocket.build/1"', self.said_out.replace(" ", ""))

    def test_quarter_truck(self):
        """The truck of all versions, its FMUs stripped to sources: the records are the same to the byte."""
        models = OPTIONS.source / "models"
        for fmi, suffix, cc in ((1, "_fmi1", quick_cc()), (2, "", "cc"), (3, "_fmi3", quick_cc())):
            package = OPTIONS.build / "models" / f"quarter_truck{suffix}.ssp"
            stripped = self.folder / f"truck{fmi}.ssp"
            with zipfile.ZipFile(package) as old, zipfile.ZipFile(stripped, "w") as new:
                for entry in old.infolist():
                    data = old.read(entry)
                    unit = pathlib.Path(entry.filename).stem.replace(suffix, "") if suffix else pathlib.Path(entry.filename).stem
                    if entry.filename.endswith(".fmu"):
                        fmu = self.folder / "one.fmu"
                        # Its library is thrown away.
                        self.hocket("export", models / "quarter_truck" / f"{unit}.c", models / "common" / "one_type.c", "-D",
                                    f"ONE_TYPE=hk_qt_{unit}_type", "--type", unit, "--name", unit, "--fmi", fmi,
                                    "--step-size", "0.001", "--sources", "-q", "-o", fmu, CC=quick_cc())
                        data = self.stripped(fmu, "bare.fmu").read_bytes()
                    new.writestr(entry.filename, data)
            self.hocket("run", package, "--stop-time", "1", "-q", "-o", "whole.csv")
            said = self.hocket("run", stripped, "--stop-time", "1", "-o", "none.csv", status=1)
            self.assertIn("'hocket run --build' compiles it for a run", said)
            said = self.hocket("run", stripped, "--stop-time", "1", "--build", "-o", "built.csv", CC=cc)
            self.assertEqual(len(re.findall("its sources were compiled", said)), 3, said)
            whole = (self.folder / "whole.csv").read_bytes()
            self.assertGreater(len(whole), 10000)
            self.assertEqual(whole, (self.folder / "built.csv").read_bytes())
            said = self.hocket("run", stripped, "--stop-time", "1", "--build", "-o", "again.csv", CC=cc)
            self.assertNotIn("compiled", said)
            self.assertEqual(whole, (self.folder / "again.csv").read_bytes())
        self.no_leftovers()

    def test_probes(self):
        """The probes and mocks of all versions, with the headers of the house among their sources."""
        tree, fmus = OPTIONS.source / "src" / "fmi", OPTIONS.build / "fmus"
        tests = OPTIONS.source / "tests"
        for fmi, name in ((1, "probe1"), (2, "probe"), (3, "probe3"), (1, "mock1"), (2, "mock2"), (3, "mock3")):
            sources = {}
            for folder, pattern, place in ((tree, f"fmi{fmi}_*.h", "fmi/"), (tree, "shared_api.h", "fmi/"),
                                           (tests / "fmus", "*.h", ""),
                                           (tests / "fmus", f"{name}.c", ""), (tests / "fmus", "rest3.c", ""),
                                           (tests / "support", "mock_book.h", "support/")):
                for file in folder.glob(pattern):
                    sources[place + file.name] = file.read_text().replace("../support/", "support/")
            files = [f"{name}.c"] + (["rest3.c"] if name == "probe3" else [])
            sources["buildDescription.xml"] = build_description(
                files, more='<IncludeDirectory name="."/>', identifier=self.identifier(fmus / f"{name}.fmu"))
            bare = self.stripped(fmus / f"{name}.fmu", f"bare_{name}.fmu", sources)
            self.record(bare, status=3)
            whole = self.record(fmus / f"{name}.fmu", "-q", name="w.csv")
            self.assertEqual(self.record(bare, "--build", "-q", name="b.csv"), whole, name)
            self.assertGreater(len(whole), 30)

    def identifier(self, fmu):
        text = zipfile.ZipFile(fmu).read("modelDescription.xml").decode()
        return re.search('modelIdentifier="([^"]+)"', text)[1]

    # ---- what is compiled and how ----

    def test_build_description(self):
        """Sets with definitions, folders of headers, languages and options of their own; other platforms are not used."""
        half = code(2, HEAD='#include "deep.h"\n#include "values.h"\nextern double more(void);\n'
                            '#ifndef PLAIN\n#error PLAIN\n#endif\n#ifdef LEFT_OUT\n#error LEFT_OUT\n#endif\n'
                            '#if FAST != 3\n#error FAST\n#endif\n'
                            'static const char *text = TEXT;', STEP="x->y += more() + DEEP + VALUE + text[1];")
        other = '#ifdef VALUE\n#error VALUE\n#endif\n#if __STDC_VERSION__ != 199901L\n#error C99\n#endif\n' \
                'double more(void) { return TWO; }\n'
        xml = build_description(["grow.c"], attributes='language="C11" compiler="gcc" compilerOptions="-DFAST=3 -Wall"', more="""
            <PreprocessorDefinition name="VALUE" value="0.25"/><PreprocessorDefinition name="PLAIN"/>
            <PreprocessorDefinition name="TEXT" value="&quot;a b&quot;"/>
            <PreprocessorDefinition name="LEFT_OUT" optional="true"/>
            <IncludeDirectory name="in here/deep"/><IncludeDirectory name="./x/../headers"/>""",
                                libraries="""<SourceFileSet language="C99"><SourceFile name="sub/../more things.c"/>
            <PreprocessorDefinition name="TWO" value="2.0"/></SourceFileSet><Library name="m" external="true"/>""")
        xml = xml.replace("<BuildConfiguration", """<BuildConfiguration modelIdentifier="grow" platform="x86_64-windows">
            <SourceFileSet><SourceFile name="no_such.c"/></SourceFileSet></BuildConfiguration>
            <BuildConfiguration modelIdentifier="other"><SourceFileSet><SourceFile name="nor_that.c"/></SourceFileSet>
            </BuildConfiguration><BuildConfiguration""", 1)
        fmu = self.source_fmu(2, {"grow.c": half, "more things.c": other, "in here/deep/deep.h": "#define DEEP 0.5\n",
                                  "headers/values.h": "", "x/y": "", "buildDescription.xml": xml}, inside="")
        said = self.hocket("build", fmu, "-o", "made.fmu")
        self.assertIn("the optional definition 'LEFT_OUT' is left out", said)
        self.assertIn("that it was made for 'gcc' is not used", said)
        last = self.record("made.fmu").decode().splitlines()[-1].split(",")[-1]
        self.assertAlmostEqual(float(last), 2 + 1 / 12 + 16 * (2 + 0.5 + 0.25 + ord(" ")), places=9)

    def test_lists(self):
        """FMI 2.0: the list of the model description. Headers in it are not compiled, unlisted files neither."""
        fmu = self.source_fmu(2, {"grow.c": code(2), "a.h": "", "trap.c": "#error trap\n"},
                              inside="<SourceFiles><File name='grow.c'/><File name='a.h'/></SourceFiles>")
        said = self.hocket("build", fmu, "-o", "made.fmu")
        self.assertIn("'a.h' is listed as a source file but is a header", said)
        self.record("made.fmu")

    def test_no_list(self):
        """All C files right in sources/ that no other includes, with a note."""
        for fmi in (1, 2):
            fmu = self.source_fmu(fmi, {"grow.c": '#include "part.c"\n', "part.c": code(fmi),
                                        "more.c": "int grow_more;\n", "deep/trap.c": "#error trap\n"}, inside="")
            said = self.hocket("build", fmu, "-o", "made.fmu")
            self.assertRegex(said, r"grow\d\.fmu: note: the FMU does not list its source files: .*\(2\)")
            self.record("made.fmu")

    def test_prefixes(self):
        """Sources that name their prefix: by the macro of the standard, or with headers of their own."""
        for fmi in (2, 3):
            macro = f"#define FMI{fmi}_FUNCTION_PREFIX grow_\n"
            files = {}
            own = "".join(f"#define fmi{fmi}{name} his_fmi{fmi}{name}\n" for name in
                          re.findall(rf"\bfmi{fmi}(\w+)\(fmi{fmi}(?:Component|Instance|String)", code(fmi)) + ["GetVersion"])
            for text in (macro + code(fmi), code(fmi, HEAD=own)):
                if fmi == 3:
                    files["buildDescription.xml"] = build_description(["grow.c"])
                files["grow.c"] = text
                fmu = self.source_fmu(fmi, files)
                self.hocket("build", fmu, "-o", "made.fmu")
                self.assertGreater(len(self.record("made.fmu")), 100)
        # FMI 1.0: a prefix of its own in the sources
        fmu = self.source_fmu(1, {"grow.c": "#undef MODEL_IDENTIFIER\n#define MODEL_IDENTIFIER another\n" + code(1)})
        self.hocket("build", fmu, "-o", "made.fmu")
        self.assertGreater(len(self.record("made.fmu")), 100)

    def test_cpp(self):
        text = code(2, HEAD="#include <vector>\nstatic std::vector<double> kept(3, 0.5);", STEP="x->y += kept[1];")
        fmu = self.source_fmu(2, {"grow.cpp": text}, inside="<SourceFiles><File name='grow.cpp'/></SourceFiles>")
        if shutil.which("c++"):
            self.hocket("build", fmu, "-o", "made.fmu")
            last = self.record("made.fmu").decode().splitlines()[-1].split(",")[-1]
            self.assertAlmostEqual(float(last), 2 + 1 / 12 + 8, places=9)
        said = self.hocket("build", fmu, "-o", "no.fmu", status=3, CXX="no-such-c++")
        self.assertIn("sources in C++, and the compiler 'no-such-c++' cannot be started", said)

    def test_libraries(self):
        """A static library that the FMU brings; one of the system that is not there."""
        (self.folder / "part.c").write_text("double part(void) { return 0.5; }\n")
        subprocess.run("cc -fPIC -c part.c && ar rc libpart.a part.o", shell=True, cwd=self.folder, check=True)
        text = code(2, HEAD="extern double part(void);", STEP="x->y += part();")
        files = {"grow.c": text, "buildDescription.xml": build_description(["grow.c"], libraries='<Library name="part"/>')}
        fmu = self.source_fmu(2, files, inside="")
        said = self.hocket("build", fmu, "-o", "no.fmu", status=3)
        self.assertRegex(said, r"grow2\.fmu/sources/buildDescription\.xml:\d+:\d+: error\[HK0303\]: the FMU does not hold the "
                               r"library 'part'")
        with zipfile.ZipFile(fmu, "a") as archive:
            archive.write(self.folder / "libpart.a", "binaries/x86_64-linux/libpart.a")
        self.hocket("build", fmu, "-o", "made.fmu")
        last = self.record("made.fmu").decode().splitlines()[-1].split(",")[-1]
        self.assertAlmostEqual(float(last), 2 + 1 / 12 + 8, places=9)
        files["buildDescription.xml"] = build_description(["grow.c"], libraries='<Library name="nowhere" external="true"/>')
        said = self.hocket("build", self.source_fmu(2, files, inside=""), "-o", "no.fmu", status=3)
        self.assertIn("nowhere", said.splitlines()[0])

    def test_contraction(self):
        """Products and sums stay apart, whatever the FMU's options say of the processor."""
        text = code(2, STEP="{ volatile double a = 1 + 0x1p-30; x->y = a * a - (1 + 0x1p-29); }")
        files = {"grow.c": text, "buildDescription.xml": build_description(
            ["grow.c"], attributes='compilerOptions="-O3 -mfma -ffp-contract=fast"')}
        self.hocket("build", self.source_fmu(2, files, inside=""), "-o", "made.fmu")
        self.assertEqual(float(self.record("made.fmu").decode().splitlines()[-1].split(",")[-1]), 0.0)

    # ---- what is refused ----

    def refuse(self, fmu, *says, status=3, words=(), **environment):
        said = self.hocket("build", fmu, "-o", "no.fmu", *words, status=status, **environment)
        self.assertFalse((self.folder / "no.fmu").exists())
        self.no_leftovers()
        lines = said.splitlines()
        self.assertEqual(len([line for line in lines if "error[HK" in line]), 1, said)
        for text in says:
            self.assertRegex(lines[0], text)
        self.assertNotIn(str(self.temporary), said)
        return said

    def test_compiler_errors(self):
        """The first error of the compiler, with its place in the sources of the FMU."""
        said = self.refuse(self.source_fmu(2, {"grow.c": code(2), "sub/bad.c": "\nint f(void) { return nothing; }\nint g(void) { return nor_that; }\n"},
                                           inside="<SourceFiles><File name='grow.c'/><File name='sub/bad.c'/></SourceFiles>"),
                           r"^\S*grow2\.fmu/sources/sub/bad\.c:2:22: error\[HK0310\]: the compiler 'cc' says: .?.?nothing.* undeclared")
        self.assertIn("nor_that", said)  # all that it said follows
        self.refuse(self.source_fmu(2, {"grow.c": '#include "lost.h"\n'}),
                    r"sources/grow\.c:1:10: error\[HK0310\]: .*lost\.h: No such file")
        self.refuse(self.source_fmu(2, {"grow.c": code(2, HEAD="extern double lost(void);", STEP="x->y = lost();")}),
                    r"undefined reference to .lost.")
        self.refuse(self.source_fmu(2, {"grow.c": "int nothing;\n"}), r"define no function 'fmi2Instantiate'")
        self.refuse(self.source_fmu(2), r"'no-such-cc' cannot be started", words=("--cc", "no-such-cc"))
        for nothing in ("", " \t"):
            self.refuse(self.source_fmu(2), r"is not a compiler", words=("--cc", nothing), status=2)
        self.refuse(self.source_fmu(2), r"'no-such-cc' cannot be started", CC="no-such-cc")
        self.hocket("build", self.source_fmu(2), "-o", "blank.fmu", CC="\t")
        self.refuse(self.source_fmu(2), r"'true' says that all is well, and made nothing", words=("--cc", "true"))
        fmu = self.source_fmu(2, {"grow.c": "\nbad\n"})
        self.record(fmu, "--build", status=3)
        self.assertRegex(self.said.splitlines()[0], r"sources/grow\.c:2:1: error\[HK0310\]")
        self.assertFalse((self.folder / "out.csv").exists())
        self.no_leftovers()

    def test_wrong_lists(self):
        listed = "<SourceFiles><File name='{}'/></SourceFiles>"
        for name, says in (("lost.c", "'lost.c' is named but the FMU does not hold 'sources/lost.c'"),
                           ("../modelDescription.c", "leads out of the folder sources/"),
                           ("a/../../x.c", "leads out"), ("/etc/passwd.c", "leads out"), ("C:\\x.c", "leads out"),
                           ("grow.f90", "'grow.f90' is neither C nor C\\+\\+")):
            fmu = self.source_fmu(2, {"grow.c": code(2), "grow.f90": ""}, inside=listed.format(name))
            self.refuse(fmu, r"grow2\.fmu/modelDescription\.xml:\d+:\d+: error\[HK030[23]\]: .*" + says)
        for xml, says in ((build_description(["lost.c"]), "'lost.c' is named"),
                          (build_description(["grow.c"], platform='platform="x86_64-windows"'), "no BuildConfiguration is for"),
                          (build_description(["grow.c"], identifier="other"), "no BuildConfiguration is for"),
                          (build_description(["grow.c"], more='<IncludeDirectory name="../.."/>'), "leads out"),
                          (build_description(["grow.c"], more='<PreprocessorDefinition name="A B"/>'), "not a name"),
                          (build_description(["grow.c"], attributes='language="Fortran90"'), "the language 'Fortran90'"),
                          (build_description([]), "names no source file"),
                          ("<fmiBuild/>", "the root element is 'fmiBuild'"), ("<fmi", "HK0301")):
            fmu = self.source_fmu(3, {"grow.c": code(3), "buildDescription.xml": xml})
            self.refuse(fmu, says)
        self.refuse(self.pack("bare.fmu", {"modelDescription.xml": description(2)}), "holds no sources")
        self.refuse(self.pack("bare.fmu", {"modelDescription.xml": description(2), "sources/a.txt": ""}),
                    "names no source file")

    def test_dangerous_options(self):
        """Options that make the compiler run or write something are not passed on, and that is reported."""
        target = self.folder / "written"
        for option in (f"-o {target}", f"-wrapper touch,{target}", f"-fplugin={target}.so", f"@{target}", "-fpass-plugin=evil.so", "-Xclang -load", f"-Wl,-Map={target}",
                       f"-fdump-tree-all={target}", f"-MD -MF {target}", f"-save-temps", f"-B{self.folder}", f"-specs={target}",
                       f"-Wp,-MD,{target}", f"-x none {target}", f"-include {target}", "/O2"):
            files = {"grow.c": code(2), "buildDescription.xml": build_description(
                ["grow.c"], attributes=f'compilerOptions="-O1 {option}"')}
            said = self.hocket("build", self.source_fmu(2, files, inside=""), "-o", "made.fmu")
            self.assertRegex(said, r"buildDescription\.xml:4:\d+: warning\[HK0303\]: options of the compiler that are not used: ")
            self.assertFalse(target.exists(), option)

    def test_odd_names(self):
        """No name of a file is an option, a list of options, or a command."""
        for name in ("-v.c", "@list.c", "a $(touch hit) `touch hit` ;touch hit&.c", "'q' \"p\".c", "ü ä.c", "%s%n.c", "--version.c"):
            escaped = name.replace("&", "&amp;").replace('"', "&quot;").replace("'", "&apos;")
            fmu = self.source_fmu(2, {name: code(2)}, inside=f"<SourceFiles><File name='{escaped}'/></SourceFiles>")
            self.hocket("build", fmu, "-o", "made.fmu")
            self.record("made.fmu")
            fmu = self.source_fmu(2, {name: "bad\n"}, inside=f"<SourceFiles><File name='{escaped}'/></SourceFiles>")
            self.refuse(fmu, r"HK0310.*says: ")
        self.assertFalse((self.folder / "hit").exists())

    def test_outputs(self):
        fmu = self.source_fmu(2)
        self.hocket("build", fmu, "-o", fmu, status=2)
        self.hocket("build", fmu, "-o", "x.zip", status=2)
        self.hocket("build", fmu, "-o", "no/such/x.fmu", status=3)
        self.hocket("build", status=2)
        self.hocket("build", "nowhere.fmu", status=3)
        (self.folder / "x.txt").write_text("")
        self.assertIn("an FMU that holds sources", self.hocket("build", "x.txt", status=3))
        self.no_leftovers()

    def test_interrupted(self):
        """Ctrl-C while the compiler runs: no output, no folder, no compiler stays."""
        slow = self.folder / "slow-cc"
        slow.write_text("#!/bin/sh\ncase $1 in --version) echo slow;; *) echo $$ > started; exec sleep 900;; esac\n"
                        .replace("started", str(self.folder / "started")))
        slow.chmod(0o755)
        fmu = self.source_fmu(2)
        for words in (["build", str(fmu), "-o", "no.fmu", "--cc", str(slow)],
                      ["run", str(fmu), "--build", "-o", "no.csv"]):
            (self.folder / "started").unlink(missing_ok=True)
            job = subprocess.Popen([OPTIONS.hocket, *words], cwd=self.folder, stderr=subprocess.DEVNULL,
                                   env={**self.environment, "CC": str(slow)})
            started = self.folder / "started"
            support.wait_until(lambda: started.exists() and started.read_text().strip(), "the compiler runs", job)
            child = int((self.folder / "started").read_text())
            job.send_signal(signal.SIGINT)
            self.assertEqual(job.wait(support.TIMEOUT_S), -signal.SIGINT)
            self.no_leftovers()
            support.wait_until(lambda: self.is_gone(child), "the compiler is gone")
        self.assertFalse((self.folder / "no.fmu").exists())

    def is_gone(self, process):
        try:
            return "zombie" in pathlib.Path(f"/proc/{process}/status").read_text()
        except OSError:
            return True

    def test_timeout(self):
        """It is for the compiler of run --build, too, and for what that started."""
        slow = self.folder / "slow-cc"
        slow.write_text("#!/bin/sh\ncase $1 in --version) echo slow;; *) sleep 1000; echo;; esac\n")
        slow.chmod(0o755)
        begin = time.monotonic()
        said = self.hocket("run", self.source_fmu(2), "--build", "--timeout", "4", "-o", "no.csv", status=124, CC=str(slow))
        self.assertLess(time.monotonic() - begin, 500)
        self.assertIn("slow-cc' is not finished when --timeout ends the run", said)
        self.no_leftovers()

    # ---- on the fly ----

    def test_only_when_asked(self):
        """Nothing is compiled unless --build is given; a binary that is there is taken."""
        marker = self.folder / "ran"
        spy = self.folder / "spy-cc"
        spy.write_text(f"#!/bin/sh\ntouch {marker}\nexec cc \"$@\"\n")
        spy.chmod(0o755)
        fmu = self.source_fmu(2)
        self.record(fmu, status=3, CC=str(spy))
        self.assertIn("'hocket build grow2.fmu' makes one that runs here, to put in its place; 'hocket run --build' compiles it for a run",
                      self.said)
        told = subprocess.run([OPTIONS.hocket, "info", str(fmu)], cwd=self.folder, env=self.environment,
                              capture_output=True, text=True).stdout
        self.assertRegex(told, r"runs here +no: .*; .*'hocket build grow2.fmu' makes one that runs here")
        for verb in ("info", "check", "plan"):
            subprocess.run([OPTIONS.hocket, verb, str(fmu)], cwd=self.folder, env={**self.environment, "CC": str(spy)},
                           capture_output=True)
        self.assertFalse(marker.exists())
        made = self.folder / "made.fmu"
        self.hocket("build", fmu, "-o", made)
        self.record(made, "--build", CC=str(spy))
        self.assertFalse(marker.exists())
        self.record(fmu, "--build", CC=str(spy))
        self.assertTrue(marker.exists())

    def test_cached_by_content(self):
        """Compiled once per sources, compiler and flags; told when a compiler ran."""
        fmu = self.source_fmu(2)
        first = self.record(fmu, "--build")
        self.assertEqual(len(re.findall("its sources were compiled for this machine, 1 file by", self.said)), 1)
        self.assertEqual(self.record(fmu, "--build"), first)
        self.assertNotIn("compiled", self.said)
        self.record(fmu, "--build", CC="cc -DX=1")
        self.assertIn("compiled", self.said)
        self.source_fmu(2, {"grow.c": code(2, STEP="x->y += 1;")})
        self.assertNotEqual(self.record(fmu, "--build"), first)
        self.assertIn("compiled", self.said)
        self.record(fmu, "--build", HK_NO_CACHE="1")
        self.assertIn("compiled", self.said)
        self.no_leftovers()

    def test_cached_by_environment(self):
        """Where the compiler looks for headers decides, too."""
        fmu = self.source_fmu(2, {"grow.c": code(2, HEAD="#include <rate.h>", STEP="x->y += RATE;")})
        rows = []
        for rate in (1, 2):
            (self.folder / f"i{rate}").mkdir()
            (self.folder / f"i{rate}" / "rate.h").write_text(f"#define RATE {rate}\n")
            rows.append(self.record(fmu, "--build", CPATH=str(self.folder / f"i{rate}")))
        self.assertNotEqual(*rows)
        self.record(fmu, "--build", CPATH=str(self.folder / "i1"))
        self.assertNotIn("compiled", self.said)

    def test_cached_library_is_verified(self):
        """A patched library of the cache is not run, nor one that others can write to, nor a link."""
        fmu = self.source_fmu(2)
        first = self.record(fmu, "--build")
        folder = self.cache / "hocket" / "fmu"
        evil = self.folder / "evil.so"
        other = self.source_fmu(2, {"grow.c": code(2, STEP="x->y += 100;")}, name="other.fmu")
        self.hocket("build", other, "-o", "evil.fmu")
        evil.write_bytes(zipfile.ZipFile(self.folder / "evil.fmu").read("binaries/linux64/grow.so"))
        def built():
            return [p for p in folder.iterdir() if p.name.startswith("built-")]
        self.record(other, "--build")
        [foreign] = [p for p in built() if p.read_bytes() == evil.read_bytes()]
        foreign.rename(self.folder / foreign.name)
        for attack in ("patched", "other", "renamed", "link", "folder", "writable", "cut"):
            [path] = built()
            data = path.read_bytes()
            if attack == "patched":
                path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
            elif attack == "other":
                path.write_bytes(evil.read_bytes())
            elif attack == "renamed":  # one of other sources, under the key of these
                path.unlink()
                shutil.copy(self.folder / foreign.name,
                            folder / "-".join(path.name.split("-")[:2] + foreign.name.split("-")[2:]))
            elif attack == "link":
                path.unlink()
                path.symlink_to(evil)
            elif attack == "folder":
                path.unlink()
                path.mkdir()
            elif attack == "writable":
                path.chmod(0o666)
            else:
                path.write_bytes(data[:100])
            self.assertEqual(self.record(fmu, "--build"), first, attack)
            self.assertIn("compiled", self.said, attack)
            self.assertTrue(evil.exists())
        self.record(fmu, "--build")
        self.assertNotIn("compiled", self.said)

    def test_in_systems(self):
        """--build works for FMUs of .ssd and .system files, and in simulations."""
        fmu = self.source_fmu(2)
        self.hocket("build", fmu, "-o", "made.fmu")
        for name, text in (("x.ssd", SSD), ("y.ssd", SSD)):
            (self.folder / name).write_text(text.replace("FMU", "grow2.fmu" if name == "x.ssd" else "made.fmu"))
        said = self.hocket("run", "x.ssd", "--stop-time", "1", "-o", "x.csv", "--build")
        self.assertEqual(said.count("its sources were compiled"), 1, said)
        self.hocket("run", "y.ssd", "--stop-time", "1", "-o", "y.csv", "-q")
        self.assertEqual((self.folder / "x.csv").read_bytes(), (self.folder / "y.csv").read_bytes())
        self.assertGreater((self.folder / "x.csv").stat().st_size, 100)

    def test_other_verbs(self):
        """check, plan, prove and trace compile as run does; without --build they say what is missing."""
        fmu = self.source_fmu(2)
        (self.folder / "x.ssd").write_text(SSD.replace("FMU", "grow2.fmu"))
        horizon = ["--stop-time", "1", "--step-size", "0.1"]
        for number, words in enumerate((["check", "x.ssd", *horizon], ["check", fmu, "--level", "run"],
                                        ["plan", "x.ssd", *horizon], ["prove", "x.ssd", *horizon, "--spin=never"],
                                        ["trace", "x.ssd", "a.y", "--at", "0.5", *horizon])):
            with self.subTest(words=words):
                cache = str(self.folder / f"cache{number}")
                refused = subprocess.run([OPTIONS.hocket, *map(str, words)], cwd=self.folder, env=self.environment,
                                         capture_output=True, text=True, check=False)
                self.assertNotEqual(refused.returncode, 0, refused.stdout)
                self.assertIn("no binary", refused.stdout + refused.stderr)
                said = self.hocket(*words, "--build", XDG_CACHE_HOME=cache)
                self.assertEqual((said + self.said_out).count("its sources were compiled"), 1, said + self.said_out)
                self.no_leftovers()

    def test_empty_folder(self):
        """A folder for this platform that holds nothing is not reported as one that is there."""
        path = self.source_fmu(2)
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr("binaries/linux64/", "")
            archive.writestr("binaries/win64/grow.dll", "MZ")
        self.record(path, status=3)
        self.assertIn("no binary 'grow.so' for the platform linux64; it has: win64\n", self.said)

    # ---- headers ----

    def test_headers(self):
        """The headers agree with the standard's own (those of FMPy): each function has the same type."""
        try:
            import fmpy
        except ImportError:
            self.skipTest("no FMPy")
        official = pathlib.Path(fmpy.__file__).parent / "c-code"
        dump = self.folder / "dump-cc"
        dump.write_text("#!/bin/sh\nfor w in \"$@\"; do case $w in -I../headers) cp ../headers/*.h %s;; esac; done\nexec cc \"$@\"\n"
                        % self.folder)
        dump.chmod(0o755)
        for fmi in (2, 3):
            self.record(self.source_fmu(fmi), "--build", "-q", CC=str(dump))
            ours = (self.folder / f"fmi{fmi}Functions.h").read_text()
            names = re.findall(rf"#define (fmi{fmi}\w+) +fmi{fmi}FullName", (official / f"fmi{fmi}Functions.h").read_text())
            self.assertEqual(set(names), set(re.findall(rf"#define (fmi{fmi}\w+) +fmi{fmi}FullName", ours)))
            self.assertGreaterEqual(len(names), 44)
            # the prototypes of both in one file: a difference is an error of the compiler
            both = f'#include "{official}/fmi{fmi}Functions.h"\n' + "".join(
                line + "\n" for line in ours.splitlines() if line.startswith(f"FMI{fmi}_Export "))
            types = (self.folder / f"fmi{fmi}FunctionTypes.h").read_text()
            both += "".join(line.replace("TYPE(", "OURS(") + "\n" for line in types.splitlines()
                            if line.startswith("typedef ") and "TYPE(" in line)
            both += "".join(f"extern {name}OURS {name};\n" for name in names)
            (self.folder / "both.c").write_text(both)
            subprocess.run(["cc", "-std=c11", "-fsyntax-only", "-Wall", "-Werror", "both.c"], cwd=self.folder, check=True)
            (self.folder / "plain.cpp").write_text(f'#include "fmi{fmi}Functions.h"\n')
            subprocess.run(["c++", "-fsyntax-only", "-Wall", "-Werror", "plain.cpp"], cwd=self.folder, check=True)

    def test_own_headers(self):
        """Headers that an FMU brings are taken before those of hocket, also if it brings only some."""
        types = '#define fmi2TypesPlatform "default"\n#define MINE 0.5\ntypedef void *fmi2Component;\n' \
                'typedef void *fmi2ComponentEnvironment;\ntypedef void *fmi2FMUstate;\ntypedef unsigned int fmi2ValueReference;\n' \
                'typedef double fmi2Real;\ntypedef int fmi2Integer;\ntypedef int fmi2Boolean;\ntypedef char fmi2Char;\n' \
                'typedef const fmi2Char *fmi2String;\ntypedef char fmi2Byte;\n#define fmi2True 1\n#define fmi2False 0\n'
        text = '#include "fmi2TypesPlatform.h"\n' + code(2, STEP="x->y += MINE;")
        guarded = "#ifndef fmi2TypesPlatform_h\n#define fmi2TypesPlatform_h\n" + types + "#endif\n"
        fmu = self.source_fmu(2, {"grow.c": text, "fmi2TypesPlatform.h": guarded})
        self.hocket("build", fmu, "-o", "made.fmu")
        last = self.record("made.fmu").decode().splitlines()[-1].split(",")[-1]
        self.assertAlmostEqual(float(last), 2 + 1 / 12 + 8, places=9)


SSD = """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
 xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" version="1.0" name="s">
<ssd:System name="s"><ssd:Elements>
 <ssd:Component name="a" source="FMU"><ssd:Connectors><ssd:Connector name="y" kind="output"><ssc:Real/></ssd:Connector>
 </ssd:Connectors></ssd:Component>
 <ssd:Component name="b" source="FMU"><ssd:Connectors><ssd:Connector name="u" kind="input"><ssc:Real/></ssd:Connector>
 </ssd:Connectors></ssd:Component>
</ssd:Elements><ssd:Connections><ssd:Connection startElement="a" startConnector="y" endElement="b" endConnector="u"/>
</ssd:Connections></ssd:System></ssd:SystemStructureDescription>
"""

if __name__ == "__main__":
    support.main()
