# SPDX-License-Identifier: MIT
"""Every system of the repository as a package of SSP and back: the same columns and values, to the byte. So for what
SSP and the Open Simulation Platform have written, and what cannot be said is refused with its place."""
import json
import pathlib
import shutil
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import hocket_case  # noqa: E402

# One short run of each; a system whose services are not bound is run by its simulation.
RUNS = {
    "auv": "simulation",
    "detector": 5,
    "figure9": 5,
    "quarter_truck": 1,
    "quarter_truck_fmus": 1,
    "r_rosace": 2,
    "uav": 5,
}
WORDS = """
system words {
  composite all {
    input core.double level unit "m";
    output core.double seen unit "m";
    composite inner {
      input core.double u;
      output core.double y;
      leaf first : hk.Gain { period 1/120 s; offset 1/240 s; priority 3; param gain = -2.5e-3; cost 1ms; overrun late; }
      leaf second : hk.Gain { period 1/60 s; inactive; }
      link u -> first.u lag previous delay 1/60 s initial 7;
      link first.y -> second.u, y;
    }
    leaf source : hk.Constant { frequency 60 Hz; param value = 3; delay 1/60 s; }
    leaf sink : hk.Gain { frequency 60 Hz; use u observe; }
    link source.y -> inner.u;
    link inner.y -> sink.u, seen;
    share inner.first.gain -> sink.gain;
    processor one: inner source;
    processor two: sink;
    cut hla;
    latency source -> inner.first -> sink max 1s;
    freshness sink max 2s;
  }
}
"""


# With a world, which other formats cannot say: tests/world.
WORLDS = {"falling"}


class RoundTrip(hocket_case.Case):
    def there_and_back(self, path):
        """The package and the system made of it, in a folder of their own, called as PATH is."""
        name = path.stem
        (self.folder / "back").mkdir(exist_ok=True)
        self.hocket("convert", "-q", path, f"{name}.ssp")
        self.hocket("convert", "-q", f"{name}.ssp", f"back/{name}.system")
        return self.folder / f"{name}.ssp", self.folder / f"back/{name}.system"

    def record(self, path, time):
        self.hocket("run", path, "--stop-time", time, "-q", "-o", "record.csv")
        data = (self.folder / "record.csv").read_bytes()
        self.assertGreater(data.count(b"\n"), 1)
        return data

    def systems(self):
        built = {p.stem: p for folder in (self.options.models, self.options.examples) for p in folder.glob("**/*.system")}
        return built

    def test_every_system_is_in_the_list(self):
        names = {p.stem for folder in ("models", "examples") for p in (self.options.source / folder).glob("**/*.system")}
        self.assertEqual(names - WORLDS, set(RUNS))

    def test_every_system_of_the_repository(self):
        built = self.systems()
        for name, time in hocket_case.few(RUNS.items(), 2):
            with self.subTest(name):
                if time == "simulation":
                    continue
                package, back = self.there_and_back(built[name])
                expected = self.record(built[name], time)
                self.assertEqual(self.record(package, time), expected)
                self.assertEqual(self.record(back, time), expected)

    def test_a_system_with_services(self):
        original = self.systems()["auv"]
        _, back = self.there_and_back(original)
        text = (original.parent / "AuvSimulation.simulation").read_text(encoding="utf-8")
        short = text.replace("[0,1800000]:1", "[0,200]:1").replace("scenar [10]", "scenar [1]")
        self.assertNotEqual(short, text)
        logs = []
        read = [original.parent / "mission.csv"]  # by a leaf, when it runs
        one = [*original.parent.glob("auv*"), *original.parent.glob("*.types")]
        for folder, files in (("one", one), ("two", back.parent.glob("auv*"))):
            (self.folder / folder).mkdir()
            for file in [*files, *read]:
                copy = shutil.copytree if file.is_dir() else shutil.copy
                copy(file, self.folder / folder / file.name)
            (self.folder / folder / "s.simulation").write_text(short, encoding="utf-8")
            self.hocket("run", f"{folder}/s.simulation", "-q", "-o", f"{folder}/out")
            logs.append({p.name: p.read_bytes() for p in (self.folder / folder / "out").rglob("*.csv")})
        self.assertEqual(logs[0], logs[1])
        self.assertGreater(sum(map(len, logs[0].values())), 1000)

    def test_every_word_of_the_language(self):
        path = self.write("words.system", WORDS)
        package, back = self.there_and_back(path)
        expected = self.record(path, 1)
        self.assertEqual(self.record(package, 1), expected)
        self.assertEqual(self.record(back, 1), expected)
        text = back.read_text(encoding="utf-8")
        for words in ("composite inner", "input core.double level unit \"m\"", "offset 1/240s", "share inner.first.gain -> sink.gain;", "priority 3", "inactive",
                      "overrun late", "cost 0.001s", "delay 1/30s", "initial 7", "lag observe", "processor one:", "cut hla",
                      "latency source -> inner.first -> sink max 1s", "freshness sink max 2s"):
            self.assertIn(words, text)
        # The second time around nothing changes.
        self.hocket("convert", "-q", back, "again.ssp")
        self.hocket("convert", "-q", "again.ssp", "back2.system")
        self.assertEqual((self.folder / "back2.system").read_text(encoding="utf-8"), text)

    def test_elements_and_records(self):
        """Single elements of arrays, records through ports, and what type files declare."""
        self.write("parts.types", """
Declaration parts {
  dataTypes { Array Three of core.double [3]; Record Pair { core.double a unit "m"; Three b; } }
  LeafComponentTypes {
    LeafComponentType Source { outputs { core.double y; } parameters { core.double value = 4; } behaviour "source.so#source"; }
  }
}
""")
        shutil.copy(self.options.examples / "02_coincidence/subtractor.so", self.folder / "source.so")
        self.write("v.system", """
system v {
  import "parts.types";
  composite all {
    input parts.Pair unused;
    composite inner {
      output core.double t;
      leaf w : "source.so#watch" { period 1s; }
      link w.time -> t;
    }
    leaf c : "source.so#subtractor" { period 1s; }
    leaf d : "source.so#watch" { period 1s; }
    link inner.t -> c.a;
    link d.time -> c.b lag previous initial 2;
  }
}
""")
        package, back = self.there_and_back(self.folder / "v.system")
        expected = self.record("v.system", 5)
        self.assertEqual(self.record(package, 5), expected)
        self.assertEqual(self.record(back, 5), expected)
        self.assertIn("input parts.Pair unused;", back.read_text(encoding="utf-8"))

    def test_a_loose_description(self):
        original = self.systems()["quarter_truck_fmus"]
        self.hocket("convert", "-q", original, "loose.ssd")
        self.hocket("convert", "-q", "loose.ssd", "back.system")
        expected = self.record(original, 1)
        self.assertEqual(self.record("loose.ssd", 1), expected)
        self.assertEqual(self.record("back.system", 1), expected)

    def test_packages_of_the_repository(self):
        """What other tools know has nothing to say about a run here, and is left out with a warning."""
        for path, time in ((self.options.models / "quarter_truck.ssp", 1), (self.options.models / "rosace.ssp", 2)):
            with self.subTest(path.name):
                done = self.hocket("convert", path, f"{path.stem}.system")
                self.assertIn("left out: ", done.stderr)
                self.assertEqual(self.record(f"{path.stem}.system", time), self.record(path, time))

    def test_a_scene_and_other_annotations(self):
        """Wherever they are: a package keeps them, and the file that they name; a system file has no words for them."""
        with zipfile.ZipFile(self.options.models / "quarter_truck.ssp") as package:
            files = {name: package.read(name) for name in package.namelist()}
        ssd = files["SystemStructure.ssd"].decode()
        scene = "scene truck { box chassis { size (1, 2, 3); } }"
        for end in ("</ssd:System>", "</ssd:DefaultExperiment>", "</ssd:SystemStructureDescription>"):
            for kind, words in (("org.hocket.scene", "a scene"), ("com.example", "annotations of other tools")):
                with self.subTest(end=end, kind=kind):
                    element = f'<ssc:Annotation type="{kind}"><hk:Scene source="resources/t.scene"/></ssc:Annotation>'
                    head, tail = ssd[:ssd.rindex(end)], ssd[ssd.rindex(end):]
                    if head.rstrip().endswith("</ssd:Annotations>"):
                        head = head[:head.rindex("</ssd:Annotations>")] + element + "</ssd:Annotations>"
                    else:
                        head += f"<ssd:Annotations>{element}</ssd:Annotations>"
                    files["SystemStructure.ssd"] = (head + tail).encode()
                    with zipfile.ZipFile(self.folder / "s.ssp", "w") as package:
                        for name, data in {**files, "resources/t.scene": scene}.items():
                            package.writestr(name, data)
                    self.hocket("convert", "-q", "s.ssp", "again.ssp", "--set", "wheel.z_initial=0.25")
                    with zipfile.ZipFile(self.folder / "again.ssp") as package:
                        self.assertIn(element, package.read("SystemStructure.ssd").decode())
                        self.assertEqual(package.read("resources/t.scene").decode(), scene)
                    shutil.rmtree(self.folder / "s_files", ignore_errors=True)
                    done = self.hocket("convert", "s.ssp", "s.system")
                    line = (head + tail)[:(head + tail).index("<hk:Scene source")].count("\n") + 1
                    self.assertIn(f"s.ssp/SystemStructure.ssd:{line}:", done.stderr)
                    self.assertIn(f"a system file has no words for {words}: left out", done.stderr)

    def test_descriptions_of_other_tools(self):
        """Loose ones of the set that is compared with other tools: written again, and as a system file."""
        folder = self.options.source / "tests/interop/ssp"
        cases = {case["name"]: case for case in json.loads((folder / "cases.json").read_text(encoding="utf-8"))}
        for name in hocket_case.few(("nested_system", "nested_bindings", "types", "prefix", "annotation", "hint_vico", "step_omsimulator"), 2):
            with self.subTest(name):
                case = cases[name]
                place = self.folder / name
                shutil.copytree(folder / case.get("files", name), place)
                for path, fmu in case["fmus"].items():
                    (place / path).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(self.options.fmus / f"{fmu}.fmu", place / path)
                self.hocket("run", place / "SystemStructure.ssd", "-q", "-o", "x.csv")
                expected = (self.folder / "x.csv").read_bytes()
                end = expected.decode().splitlines()[-1].split(",")[0]
                self.hocket("convert", "-q", place / "SystemStructure.ssd", "again.ssd")
                self.assertEqual(self.record("again.ssd", end), expected)
                self.hocket("convert", "-q", place / "SystemStructure.ssd", "x.system")
                self.hocket("run", "x.system", "-q", "-o", "y.csv")  # its times are those of the description
                self.assertEqual((self.folder / "y.csv").read_bytes(), expected)

    def test_times_of_a_run(self):
        """There and back without any option: the same rows; and what is left out is a list."""
        for times in ("stop 1.5s", "start 0.5s stop 2s step 1/8s interval 0.25s", "start -1s stop 1/3s step 1/12s"):
            with self.subTest(times):
                self.write("t.system", "system t {\n  experiment %s;\n  composite all {\n    leaf r : hk.Ramp;\n  }\n}\n" % times)
                self.assertIn(f"experiment {times};", self.hocket("fmt", "t.system").stdout)
                self.hocket("convert", "-q", "t.system", "t.ssp")
                answer = json.loads(self.hocket("convert", "--json", "t.ssp", "u.system").stdout)
                self.assertEqual(answer["left_out"], [])
                records = []
                for name in ("t.system", "t.ssp", "u.system"):
                    self.hocket("run", name, "-q", "-o", "x.csv")
                    records.append((self.folder / "x.csv").read_bytes())
                self.assertEqual(records, [records[0]] * 3)
                self.assertIn(times.split()[1].rstrip("s"), (self.folder / "u.system").read_text(encoding="utf-8"))

    def test_wrong_times_of_a_run(self):
        for times, words in (("stop 1", ""), ("", "expected 'start', 'stop', 'step' or 'interval'"), ("stop 0s", "not after the start"),
                             ("step 0s", "must be above 0"), ("stop 1s stop 2s", "stop time"), ("stopp 1s", "did you mean 'stop'"),
                             ("stop 1s; experiment step 1s", "experiment")):
            with self.subTest(times):
                self.write("t.system", "system t { experiment %s; composite all { leaf r : hk.Ramp; } }\n" % times)
                done = self.hocket("run", "t.system", "-q", exit=None)
                self.assertEqual(done.returncode != 0, words != "")
                self.assertIn(words, done.stderr)
                self.assertIn("t.system:1:" if words else "", done.stderr)

    def test_values_are_set_on_the_way(self):
        original = self.systems()["quarter_truck"]
        self.hocket("convert", "-q", "--set", "chassis.Mass.m=410", original, "heavy.ssp")
        self.hocket("run", original, "--set", "chassis.Mass.m=410", "--stop-time", "1", "-q", "-o", "x.csv")
        self.assertEqual(self.record("heavy.ssp", 1), (self.folder / "x.csv").read_bytes())

    def test_what_cannot_be_said_is_refused(self):
        head = ('<SystemStructureDescription version="1.0" name="x" xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription" '
                'xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"><System name="s"><Elements>'
                '<Component name="a{0}" type="application/x-hocket-builtin" source="hk.Gain"/>'
                '<Component name="b" type="application/x-hocket-builtin" source="hk.Gain"/></Elements><Connections>'
                '<Connection startElement="a{0}" startConnector="y" endElement="b" endConnector="u">{1}</Connection>'
                '</Connections></System></SystemStructureDescription>')
        linear = '<ssc:LinearTransformation factor="2"/>'
        for number, (dot, inside, words) in enumerate((("", linear, "a transformation of a value"),
                                                       (".x", "", "the name 'a.x' cannot be written"))):
            with self.subTest(words):
                self.write(f"x{number}.ssd", head.format(dot, inside))
                done = self.hocket("convert", f"x{number}.ssd", "y.system", exit=3)
                self.assertIn(words, done.stderr)
                self.assertIn(f"x{number}.ssd:1:", done.stderr)
                self.assertFalse((self.folder / "y.system").exists())

    def test_another_file_is_not_overwritten(self):
        original = self.systems()["quarter_truck"]
        self.hocket("convert", "-q", original, "x.ssp")
        self.hocket("convert", "-q", "x.ssp", "y.system")
        (self.folder / "y_files/quarter_truck.so").write_bytes(b"another")
        done = self.hocket("convert", "-q", "x.ssp", "y.system", exit=3)
        self.assertIn("would go into 'y_files', which is there already", done.stderr)
        self.assertEqual((self.folder / "y_files/quarter_truck.so").read_bytes(), b"another")


if __name__ == "__main__":
    hocket_case.main("--hocket", "--models", "--examples", "--source", "--fmus")
