#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`hocket build` of a model: a program that runs it, with the same bytes, where there is nothing else."""
import json
import os
import pathlib
import shutil
import stat
import struct
import subprocess
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import Case, environment, main  # noqa: E402

# What glibc brings: all that an empty root may have beside the tool.
GLIBC = ("libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux")

SMALL = """system small {
  import "../shared/units.types";
  composite top {
    leaf swell : hk.Sine { frequency 100 Hz; param amplitude = 2.0; param frequency = 3.0; }
    leaf log : hk.Replay { frequency 10 Hz; param file = "log.csv"; param column = "a"; }
    leaf both : hk.Sum { frequency 20 Hz; }
    link swell.y -> both.a;
    link log.y -> both.b;
  }
}
"""
LOG = "time,a\n0,1\n0.5,3\n1,-2\n"


def chroot_command():
    """How to change the root here; None: not at all."""
    for words in (["chroot"], ["unshare", "-r", "chroot"]):
        if shutil.which(words[0]) and subprocess.run([*words, "/", "true"], capture_output=True, check=False).returncode == 0:
            return words
    return None


class ToolTest(Case):
    def setUp(self):
        super().setUp()
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()

    def run_tool(self, tool, *words, exit=0, cwd=None, **added):
        done = subprocess.run([str(tool), *map(str, words)], cwd=cwd or self.folder, timeout=900, capture_output=True,
                              text=True, errors="replace", check=False,
                              env=environment(**({"TMPDIR": str(self.temporary),
                                                  "XDG_CACHE_HOME": str(self.folder / "cache")} | added)))
        self.assertEqual(done.returncode, exit, f"{tool} {words}\n{done.stdout}\n{done.stderr}")
        return done

    def build(self, model, output="tool", exit=0, fused=False, **added):
        words = [] if fused else ["--no-fused"]
        return self.hocket("build", model, "-o", output, *words, exit=exit, TMPDIR=str(self.temporary), **added)

    def nothing_left(self):
        self.assertEqual(os.listdir(self.temporary), [])

    def model(self, name):
        return self.options.models / name

    def tree(self, folder):
        """Every file below FOLDER but what is said about records, which names the program."""
        return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(pathlib.Path(folder).rglob("*"))
                if p.is_file() and not p.name.endswith("-metadata.json")}

    def small(self):
        """A model with files beside it, outside of its folder, and by two ways."""
        shared = self.folder / "there/shared"
        own = self.folder / "there/own"
        shared.mkdir(parents=True)
        own.mkdir()
        (shared / "units.types").write_text('import "../own/more.types";\nimport "more.types";\n')
        (own / "more.types").write_text("Declaration more { dataTypes { Record Point { core.double x; } } }\n")
        (shared / "more.types").symlink_to("../own/more.types")
        (own / "small.system").write_text(SMALL)
        (own / "log.csv").write_text(LOG)
        return own / "small.system"


class SameBytes(ToolTest):
    """The tool, the tool in an empty root, and hocket."""

    def empty_root(self, tool):
        root = self.folder / "root"
        (root / "tmp").mkdir(parents=True)
        needed = subprocess.run(["ldd", tool], capture_output=True, text=True, check=True).stdout
        for line in needed.splitlines():
            words = line.split()
            path = next((w for w in words if w.startswith("/")), None)
            if not path or "vdso" in words[0]:
                continue
            name = os.path.basename(path)
            self.assertTrue(name.startswith(GLIBC), f"{name} is not part of glibc")
            copy = root / path.lstrip("/")
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(os.path.realpath(path), copy)
        shutil.copy(tool, root / "tool")
        return root

    def in_empty_root(self, tool, *words, opens=()):
        command = chroot_command()
        if not command:
            self.skipTest("the root cannot be changed here")
        root = self.empty_root(tool)
        for name in opens:
            shutil.copy(self.folder / name, root)
        done = subprocess.run([*command, str(root), "/tool", *words], capture_output=True, text=True, errors="replace",
                              check=False, timeout=900, env={"PATH": os.environ["PATH"]})
        self.assertEqual(done.returncode, 0, done.stderr)
        left = sorted(p.name for p in (root / "tmp").iterdir())
        self.assertNotIn("hocket-", " ".join(left))
        return root

    def check_record(self, model, *words):
        copy = self.folder / "model"
        shutil.copytree(model.parent, copy) if model.suffix == ".system" else copy.mkdir()
        if model.suffix != ".system":
            shutil.copy(model, copy)
        self.hocket("run", copy / model.name, "-q", "-o", "run.csv", *words)
        self.build(copy / model.name, fused=True)
        shutil.rmtree(copy)
        tool = self.folder / "tool"
        for more in ([], ["--no-fused"]):
            self.run_tool(tool, "-q", "-o", "tool.csv", *words, *more)
            self.assertEqual((self.folder / "tool.csv").read_bytes(), (self.folder / "run.csv").read_bytes())
        self.nothing_left()
        root = self.in_empty_root(tool, "-q", "-o", "/tmp/tool.csv", *words)
        self.assertEqual((root / "tmp/tool.csv").read_bytes(), (self.folder / "run.csv").read_bytes())

    def check_logs(self, model, *words, opens=()):
        """OPENS: files that components open by themselves, which then lie beside the tool."""
        copy = self.folder / "model"
        shutil.copytree(model.parent, copy)
        self.hocket("run", copy / model.name, "-q", "-o", "run", *words)
        self.build(copy / model.name, fused=True)
        for name in opens:
            shutil.copy(copy / name, self.folder)
        shutil.rmtree(copy)
        tool = self.folder / "tool"
        expected = self.tree(self.folder / "run")
        self.assertTrue(expected)
        for more in ([], ["--no-fused"]):
            self.run_tool(tool, "-q", "-o", "logs", *words, *more)
            self.assertEqual(self.tree(self.folder / "logs"), expected)
        self.nothing_left()
        root = self.in_empty_root(tool, "-q", "-o", "/tmp/logs", *words, opens=opens)
        self.assertEqual(self.tree(root / "tmp/logs"), expected)

    def test_rosace(self):
        self.check_record(self.model("language/r_rosace.system"), "--stop-time", "20")

    def test_rosace_simulation(self):
        self.check_logs(self.model("language/case1.simulation"))

    def test_auv(self):
        self.check_logs(self.model("auv/AuvSimulation.simulation"), "--stop-time", "20", opens=["mission.csv"])

    def test_truck(self):
        self.check_record(self.model("quarter_truck.ssp"), "--stop-time", "2")

    def test_truck_native_ssp(self):
        """A plugin inside of a package."""
        self.check_record(self.model("quarter_truck_native.ssp"), "--stop-time", "2")

    def test_truck_fmus_as_leaves(self):
        self.check_record(self.model("language/quarter_truck_fmus.system"), "--stop-time", "2", "--threads", "2")

    def test_description_beside_its_files(self):
        """An SSD with its FMUs beside it."""
        with zipfile.ZipFile(self.model("quarter_truck.ssp")) as package:
            package.extractall(self.folder / "loose")
        self.hocket("run", "loose/SystemStructure.ssd", "-q", "-o", "run.csv")
        self.build("loose/SystemStructure.ssd")
        shutil.rmtree(self.folder / "loose")
        self.run_tool("./tool", "-q", "-o", "tool.csv")
        self.assertEqual((self.folder / "tool.csv").read_bytes(), (self.folder / "run.csv").read_bytes())


class Fused(ToolTest):
    """The code that was compiled for the tool."""

    def setUp(self):
        super().setUp()
        if not shutil.which("cc"):
            self.skipTest("there is no compiler")

    def test_used_by_default(self):
        said = self.build(self.model("language/r_rosace.system"), fused=True).stderr
        self.assertIn("with 3 files, fused code", said)
        said = self.run_tool("./tool", "--stop-time", "5", "-o", "fused.csv").stderr
        self.assertIn("fused      9 of 9 cells", said)
        said = self.run_tool("./tool", "--stop-time", "5", "-o", "plain.csv", "--no-fused").stderr
        self.assertNotIn("fused", said)
        self.assertEqual((self.folder / "fused.csv").read_bytes(), (self.folder / "plain.csv").read_bytes())
        self.assertIn("contradict", self.run_tool("./tool", "--fused", "--no-fused", exit=2).stderr)

    def test_where_it_fits(self):
        """Another plan than the one that was compiled is interpreted, and that is reported."""
        self.build(self.model("language/r_rosace.system"), fused=True)
        words = ["--schedule", self.model("e4.schedule"), "--stop-time", "5"]
        said = self.run_tool("./tool", "-o", "tool.csv", *words).stderr
        self.assertIn("interpreted", said)
        self.hocket("run", self.model("language/r_rosace.system"), "-q", "-o", "run.csv", *words)
        self.assertEqual((self.folder / "tool.csv").read_bytes(), (self.folder / "run.csv").read_bytes())

    def test_no_compiler(self):
        done = self.build(self.model("language/r_rosace.system"), fused=True, CC="/nowhere/cc", HK_NO_CACHE="1")
        self.assertIn("note", done.stderr)
        self.assertIn("with 3 files,", done.stderr)
        with zipfile.ZipFile(self.folder / "tool") as archive:
            self.assertNotIn("fused.so", archive.namelist())
        self.run_tool("./tool", "-q")

    def test_no_folder_for_temporary_files(self):
        model = self.small()
        self.build(model, fused=True)
        said = self.run_tool("./tool", "-o", "out.csv", TMPDIR="/nowhere").stderr
        self.assertIn("the fused code cannot be loaded", said)
        self.hocket("run", model, "-q", "-o", "run.csv")
        self.assertEqual((self.folder / "out.csv").read_bytes(), (self.folder / "run.csv").read_bytes())

    def test_damaged(self):
        self.build(self.model("language/r_rosace.system"), fused=True)
        tool = self.folder / "tool"
        data = bytearray(tool.read_bytes())
        data[data.rindex(b"fused.so", 0, data.rindex(b"PK\1\2")) + 2000] ^= 1
        tool.write_bytes(data)
        said = self.run_tool("./tool", "-q", exit=3).stderr
        self.assertIn("this tool is damaged", said)
        self.run_tool("./tool", "-q", "--no-fused")  # what is not used is not looked at

    def test_options(self):
        self.assertIn("--no-fused", self.hocket("build", self.small(), "--cc", "cc", "--no-fused", exit=2).stderr)
        answer = json.loads(self.hocket("build", self.folder / "there/own/small.system", "--json", "-o", "t").stdout)
        self.assertTrue(answer["fused"])


class Files(ToolTest):
    """What is packed, and by which paths."""

    def test_outside_and_by_two_ways(self):
        model = self.small()
        self.hocket("run", model, "-q", "-o", "run.csv", "--stop-time", "2")
        self.build("there/own/small.system")
        shutil.rmtree(self.folder / "there")
        tool = self.folder / "tool"
        with zipfile.ZipFile(tool) as archive:
            names = set(archive.namelist())
            about = json.loads(archive.read("hocket-tool.json"))
        self.assertEqual((about["model"], about["plugins"]), ("small.system", []))
        self.assertEqual(len(names), 5, names)  # one entry for more.types, by two paths
        self.assertTrue({"model/small.system", "model/log.csv"} <= names)
        paths = [f["path"] for f in about["files"]]
        self.assertIn("../shared/units.types", paths)
        self.run_tool(tool, "-q", "-o", "tool.csv", "--stop-time", "2")
        self.assertEqual((self.folder / "tool.csv").read_bytes(), (self.folder / "run.csv").read_bytes())

    def test_description_names_compilers(self):
        self.build(self.model("language/r_rosace.system"))
        with zipfile.ZipFile(self.folder / "tool") as archive:
            plugin, = json.loads(archive.read("hocket-tool.json"))["plugins"]
        self.assertEqual(plugin["path"], "rosace.so")
        self.assertIn("-ffp-contract=off", plugin["flags"])
        self.assertTrue(plugin["compiler"])

    def test_absolute_names(self):
        """A file that the model names from the root on, inside and outside of its folder."""
        model = self.small()
        log = self.folder / "far.csv"
        log.write_text(LOG)
        text = model.read_text().replace('"log.csv"', f'"{log}"').replace('"../shared/', f'"{model.parent.parent}/shared/')
        model.write_text(text)
        self.hocket("run", model, "-q", "-o", "run.csv")
        self.build(model)
        shutil.rmtree(self.folder / "there")
        log.unlink()
        self.run_tool("./tool", "-q", "-o", "tool.csv")
        self.assertEqual((self.folder / "tool.csv").read_bytes(), (self.folder / "run.csv").read_bytes())

    def test_file_of_a_scenario(self):
        """A built-in component reads what a scenario names."""
        model = self.small()
        (model.parent / "other.csv").write_text("time,a\n0,5\n9,5\n")
        (model.parent / "s.simulation").write_text("""Simulation s (s)
system small;
simulationTime [0, 1]:0.01;
scenarios {
  Scenario one begin { "small.top.log.file" = "other.csv"; }
  logs { one.csv timed(0.1) { "small.top.both.y"; } }
}
""")
        self.hocket("run", model.parent / "s.simulation", "-q", "-o", "run")
        self.build(model.parent / "s.simulation")
        shutil.rmtree(self.folder / "there")
        self.run_tool("./tool", "-q", "-o", "logs")
        self.assertEqual(self.tree(self.folder / "logs"), self.tree(self.folder / "run"))

    def test_files_of_the_user(self):
        """What an option names is the user's, also if the tool carries a file of that name."""
        model = self.small()
        self.build(model)
        (self.folder / "log.csv").write_text("time,swell.nothing\n0,1\n")
        (self.folder / "mine.csv").write_text("time,a\n0,8\n9,8\n")
        said = self.run_tool("./tool", "--input-file", "log.csv", exit=2).stderr
        self.assertTrue(said.startswith("log.csv"), said)
        self.assertIn("swell.nothing", said)
        self.assertIn("missing.csv: error", self.run_tool("./tool", "--input-file", "missing.csv", exit=3).stderr)
        self.run_tool("./tool", "-q", "--set", "log.file=mine.csv", "--output-variable", "log.y", "-o", "out.csv")
        self.assertEqual((self.folder / "out.csv").read_text().splitlines()[1].split(",")[1], "8")

    def test_parameter_sets(self):
        """Those that an .ssd does not bind are not carried, and the hint works; of a package all are."""
        heavy = """<ssv:ParameterSet xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues" version="1.0"
  name="heavy"><ssv:Parameters><ssv:Parameter name="chassis.Mass.m"><ssv:Real value="900"/></ssv:Parameter></ssv:Parameters>
</ssv:ParameterSet>"""
        copy = self.folder / "truck"
        with zipfile.ZipFile(self.model("quarter_truck.ssp")) as archive:
            archive.extractall(copy)
        (copy / "resources/heavy.ssv").write_text(heavy)
        package = self.folder / "truck.ssp"
        with zipfile.ZipFile(package, "w") as archive:
            for path in copy.rglob("*"):
                archive.write(path, path.relative_to(copy))
        self.hocket("run", package, "-q", "--parameter-set", "heavy", "-o", "run.csv")
        self.hocket("run", package, "-q", "-o", "plain.csv")
        self.build(package, "whole")
        self.build(copy / "SystemStructure.ssd", "part")
        said = self.run_tool("./part", "--parameter-set", "heavy", exit=2).stderr
        self.assertIn("hint: the model in this tool binds 'chassis', 'wheel'; --set-file takes an .ssv file of yours", said)
        expected = (self.folder / "run.csv").read_bytes()
        self.assertNotEqual(expected, (self.folder / "plain.csv").read_bytes())
        for tool, words in (("./whole", ["--parameter-set", "heavy"]), ("./part", ["--set-file", copy / "resources/heavy.ssv"])):
            self.run_tool(tool, "-q", "-o", "tool.csv", *words)
            self.assertEqual((self.folder / "tool.csv").read_bytes(), expected)

    def test_messages_fit_a_tool(self):
        """They begin with its name, and hints do not name files inside of it."""
        self.build(self.small())
        where = "lists what is there, where the model is"
        for words, hint in ((["--set", "nowhere.nothing=1"], f"'hocket info small.system' {where}"),
                            (["--stop-when", "nowhere.nothing > 1"], f"'hocket info small.system' {where}"),
                            (["--none-of-these"], "'tool --help' lists them")):
            said = self.run_tool(self.folder / "tool", *words, exit=2).stderr
            error = next(line for line in said.splitlines() if "error[" in line)
            self.assertTrue(error.startswith("tool: error["), said)
            self.assertIn(f"hint: {hint}\n", said)
        said = self.run_tool("./tool", "--output-variable", "zzzzzzzzzzzz", "-o", "x.csv", exit=2).stderr
        self.assertIn("hint: 'hocket info' lists the names, where the model is", said)

    def test_messages_name_the_files(self):
        model = self.small()
        model.write_text(model.read_text().replace("link log.y", "link both.y -> both.b;\n    link log.y"))
        said = self.build("there/own/small.system", exit=1).stderr
        self.assertIn("there/own/small.system:9:19: error", said)
        self.assertFalse((self.folder / "tool").exists())
        shutil.rmtree(self.folder / "there")
        self.build(self.small())
        said = self.run_tool("./tool", "--schedule", "none", exit=3).stderr
        self.assertNotIn(str(self.temporary), said)
        said = self.run_tool("./tool", "--set", "swell.nothing=1", exit=2).stderr
        self.assertNotIn("/tmp/hocket-", said)

    def test_missing_files(self):
        model = self.small()
        for name in ("log.csv", "more.types"):
            kept = (model.parent / name).read_text()
            (model.parent / name).unlink()
            said = self.build(model, exit=3).stderr
            self.assertIn(name, said)
            self.assertFalse((self.folder / "tool").exists())
            (model.parent / name).write_text(kept)
        self.assertIn("did you mean 'small.system'", self.build(model.parent / "smal.system", exit=3).stderr)
        self.nothing_left()

    def test_what_cannot_be_packed(self):
        model = self.small()
        (model.parent / "log.csv").unlink()
        os.mkfifo(model.parent / "log.csv")
        self.assertIn("cannot be packed", self.build(model, exit=3).stderr)
        bare = self.folder / "bare.fmu"
        with zipfile.ZipFile(self.model("language/chassis.fmu")) as old, zipfile.ZipFile(bare, "w") as new:
            for entry in old.namelist():
                if not entry.startswith("binaries/"):
                    new.writestr(entry, old.read(entry))
            new.writestr("sources/chassis.c", "int chassis;\n")
        self.write("bare.system", 'system bare { composite top { leaf c : "bare.fmu" { frequency 1000 Hz; } } }\n')
        said = self.build("bare.system", exit=3).stderr
        self.assertIn("no binary", said)
        self.assertIn("hint: the FMU has sources: 'hocket build bare.fmu' makes one that runs here, to put in its place", said)
        self.assertNotIn("the option --build", said)  # 'build' has none
        self.assertFalse((self.folder / "tool").exists())

    def test_needed_libraries_are_told(self):
        compiler = shutil.which("cc")
        if not compiler:
            self.skipTest("there is no compiler")
        other = self.write("other.c", "int other(void) { return 1; }\n")
        plugin = self.write("plugin.c", """#include <hk/unit.h>
int other(void);
typedef struct one { double y; } one;
static int step(void *self, double t, double h) { ((one *)self)->y = t + h + other(); return HK_STEP_OK; }
static const hk_port ports[] = {HK_PORT(one, y, HK_OUTPUT, HK_TYPE_F64)};
static const hk_unit_type type = {.abi = HK_UNIT_ABI, .size = sizeof type, .name = "one",
  .instance_size = sizeof(one), .ports = ports, .port_count = 1, .step = step};
static const hk_unit_type *const all[] = {&type, NULL};
const hk_unit_type *const *hk_plugin(void) { return all; }
""")
        shared = [compiler, "-shared", "-fPIC", "-I", str(self.options.source / "include")]
        subprocess.run([*shared, other, "-o", self.folder / "libother.so"], check=True)
        subprocess.run([*shared, plugin, "-o", self.folder / "plugin.so", "-L", self.folder, "-lother",
                        f"-Wl,-rpath,{self.folder}"], check=True)
        self.write("p.system", 'system p { plugin "plugin.so"; composite top { leaf a : one { frequency 10 Hz; } } }\n')
        said = self.build("p.system").stderr
        self.assertIn("libother.so", said)
        self.assertIn("warning", said)


class Damage(ToolTest):
    def setUp(self):
        super().setUp()
        self.build(self.model("language/r_rosace.system"), "whole")
        self.bytes = (self.folder / "whole").read_bytes()
        self.run_tool("./whole", "-q")

    def refused(self, data, *words):
        tool = self.folder / "part"
        tool.write_bytes(data)
        tool.chmod(0o755)
        done = self.run_tool("./part", *words, exit=3)
        self.assertIn("this tool is damaged", done.stderr)
        self.assertEqual(done.stderr.count("error["), 1, done.stderr)
        self.assertEqual(done.stdout, "")

    def archive_begins(self):
        """Where the archive begins, as the end of it tells."""
        at = self.bytes.rindex(b"PK\5\6")
        size, offset = struct.unpack("<II", self.bytes[at + 12:at + 20])
        return at - size - offset

    def test_cut(self):
        begin = self.archive_begins()
        for size in (len(self.bytes) - 1, begin + 700, begin, begin - 1000):
            self.refused(self.bytes[:size])
            self.refused(self.bytes[:size], "--version")

    def test_longer(self):
        self.refused(self.bytes + b"\0")

    def test_damaged(self):
        begin = self.archive_begins()
        with zipfile.ZipFile(self.folder / "whole") as archive:
            entries = [begin + i.header_offset + 60 if i.header_offset < begin else i.header_offset + 60
                       for i in archive.infolist()]
        for at in (*entries, len(self.bytes) - 150, begin // 2, begin - 3000):
            data = bytearray(self.bytes)
            data[at] ^= 0x55
            self.refused(bytes(data))

    def test_mark(self):
        """What says that it is a tool."""
        at = self.bytes.index(b"hocket tool 1\r\n")
        for offset in (17, 25, 36, 50):
            data = bytearray(self.bytes)
            data[at + offset] ^= 1
            self.refused(bytes(data))

    def test_other_contents(self):
        """A file that was exchanged, with a right checksum of ZIP."""
        packed = self.folder / "again"
        begin = self.archive_begins()
        with zipfile.ZipFile(self.folder / "whole") as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
            for entry in old.infolist():
                data = old.read(entry)
                new.writestr(entry, data.replace(b"200 Hz", b"100 Hz") if entry.filename.endswith(".system") else data)
        data = self.bytes[:begin] + packed.read_bytes()
        tool = self.folder / "part"
        tool.write_bytes(data + bytes(len(self.bytes) - len(data)) if len(data) < len(self.bytes) else data)
        tool.chmod(0o755)
        self.assertIn("this tool is damaged", self.run_tool("./part", exit=3).stderr)


class Conduct(ToolTest):
    def setUp(self):
        super().setUp()
        self.small()

    def test_default_name_and_mode(self):
        done = self.hocket("build", "there/own/small.system", "--no-fused")
        self.assertIn("build: small (small.system with 4 files", done.stderr)
        mode = (self.folder / "small").stat().st_mode
        self.assertTrue(mode & stat.S_IXUSR)
        answer = json.loads(self.hocket("build", "there/own/small.system", "-o", "other", "--json", "--no-fused").stdout)
        self.assertEqual((answer["schema"], answer["output"], answer["files"], answer["libraries"]),
                         ("hocket.build/1", "other", 4, None))
        self.assertEqual((self.folder / "other").read_bytes(), (self.folder / "small").read_bytes())

    def test_existing_output(self):
        (self.folder / "tool").write_text("old")
        (self.folder / "tool").chmod(0o640)
        self.build("there/own/small.system")
        self.assertEqual((self.folder / "tool").stat().st_mode & 0o777, 0o750)
        self.run_tool("./tool", "-q")
        self.build("there/own/small.system", "there", exit=3)
        self.build("there/own/small.system", "nowhere/tool", exit=3)
        before = (self.folder / "there/own/log.csv").read_text()
        self.assertIn("would overwrite", self.build("there/own/small.system", "there/own/log.csv", exit=2).stderr)
        self.assertEqual((self.folder / "there/own/log.csv").read_text(), before)

    def test_not_over_what_is_read(self):
        """Whatever is packed is refused as output, by any path, and named as its user knows it."""
        own = self.folder / "there/own"
        (own / "s.simulation").write_text("Simulation s (s)\nsystem small;\nsimulationTime [0, 1]:0.01;\n"
                                          "scenarios { Scenario one }\n")
        os.link(own / "more.types", self.folder / "hard.types")
        (self.folder / "link.types").symlink_to("there/shared/units.types")
        before = self.tree(self.folder)
        for model in ("there/own/small.system", own / "small.system", "there/own/s.simulation"):
            for output, read in (("there/own/small.system", "own/small.system"), ("there/own/more.types", "more.types"),
                                 ("there/own/../shared/units.types", "shared/units.types"),
                                 (own / "log.csv", "own/log.csv"), ("hard.types", "more.types"),
                                 ("link.types", "shared/units.types"), ("./there/shared/more.types", "more.types")):
                for fused in (False, True):
                    said = self.build(model, output, exit=2, fused=fused).stderr
                    self.assertRegex(said, f"--output would overwrite '[^']*{read}', which is read")
                    self.assertEqual(said.count("error["), 1, said)
                    self.assertEqual(self.tree(self.folder), before)
        done = subprocess.run([self.options.hocket, "build", "small.system", "-o", "log.csv"], cwd=own, text=True,
                              env=environment(), capture_output=True, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("log.csv: error[HK0101]: --output would overwrite 'log.csv', which is read", done.stderr)
        self.assertEqual(self.tree(self.folder), before)
        self.nothing_left()

    def test_what_is_loaded(self):
        """As docs/security.md says: the libraries of FMUs for fused code and --emit-c, not with --no-fused."""
        model = self.model("quarter_truck.ssp")
        for words, loads in ((["-o", "t"], True), (["--emit-c", "c"], True), (["-o", "t", "--no-fused"], False)):
            log = self.folder / f"loaded{len(words)}{loads}"
            self.hocket("build", model, *words, LD_DEBUG="files", LD_DEBUG_OUTPUT=str(log), HK_NO_CACHE="1",
                        TMPDIR=str(self.temporary))
            said = "".join(p.read_text() for p in self.folder.glob(log.name + ".*"))
            self.assertIn("libc.so", said)
            (self.assertIn if loads else self.assertNotIn)("chassis.so", said)
            for part in self.folder.glob(log.name + ".*"):
                part.unlink()

    def test_not_over_hocket(self):
        hocket = self.folder / "hocket"
        shutil.copy(self.options.hocket, hocket)
        before = hocket.read_bytes()
        done = subprocess.run([hocket, "build", "there/own/small.system", "-o", "hocket"], cwd=self.folder, text=True,
                              env=environment(), capture_output=True, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(hocket.read_bytes(), before)

    def test_options_of_the_tool(self):
        self.build("there/own/small.system")
        self.assertIn("tool: small.system, made by hocket", self.run_tool("./tool", "--version").stdout)
        self.assertEqual(json.loads(self.run_tool("./tool", "--version", "--json").stdout)["model"], "small.system")
        text = self.run_tool("./tool", "--help").stdout
        self.assertTrue(text.startswith("tool: simulates small.system\n\nUsage: tool [OPTION...]\n"), text[:80])
        self.assertIn("--stop-time", text)
        for words, what in ((["--stop-tme", "1"], "did you mean '--stop-time'?"), (["x.system"], "takes no operands"),
                            (["--stop-time", "soon"], "soon")):
            self.assertIn(what, self.run_tool("./tool", *words, exit=2).stderr)
        for verb in ("build", "run", "info"):
            said = self.run_tool("./tool", verb, "small.system", exit=2).stderr
            self.assertIn(f"it has no verb '{verb}'", said)
        self.assertIn("--scenario is for simulations", self.run_tool("./tool", "--scenario", "x", exit=2).stderr)

    def test_paths_of_the_user(self):
        self.build("there/own/small.system")
        place = self.folder / "elsewhere"
        place.mkdir()
        self.run_tool(self.folder / "tool", "-q", "-o", "out.csv", cwd=place)
        self.assertTrue((place / "out.csv").is_file())
        answer = self.run_tool(self.folder / "tool", "-o", "-", "-q", cwd=place).stdout
        self.assertEqual(answer, (place / "out.csv").read_text())
        about = json.loads((place / "out.csv-metadata.json").read_text())
        self.assertNotIn("hocket run", json.dumps(about))

    def test_by_any_name(self):
        """By a path, found by the search path, by a link."""
        self.build("there/own/small.system")
        shutil.move(self.folder / "tool", self.folder / "there/tool")
        self.run_tool(self.folder / "there/tool", "-q")
        self.run_tool("sh", "-c", "exec tool -q", PATH=f"{self.folder}/there:{os.environ['PATH']}")
        (self.folder / "link").symlink_to("there/tool")
        self.run_tool("./link", "-q")
        self.assertIn("link: small.system", self.run_tool("./link", "--version").stdout)

    def test_no_folder_for_temporary_files(self):
        """What needs none runs; what does says so."""
        self.build("there/own/small.system")
        self.run_tool("./tool", "-q", "-o", "out.csv", TMPDIR="/nowhere")
        self.build(self.model("language/r_rosace.system"), "rosace")
        said = self.run_tool("./rosace", "-q", exit=3, TMPDIR="/nowhere").stderr
        self.assertEqual(said.count("error["), 1, said)
        self.assertIn("/nowhere: error[HK0202]: cannot create a temporary folder there", said)
        self.assertIn("TMPDIR", said)


if __name__ == "__main__":
    main("--hocket", "--models", "--source")
