#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How an exported FMU behaves, called by FMPy function by function: values of all types, the state
machine, saved states, derivatives, and two FMUs whose libraries have the same name."""
import ctypes
import shutil
import subprocess
import zipfile

import support

PAIR = """#include <hk/unit.h>
typedef struct pair { %s } pair;
static const hk_port ports[] = {HK_PORT(pair, u, HK_INPUT, HK_TYPE_F64), HK_PORT(pair, y, HK_OUTPUT, HK_TYPE_F64)};
static int step(void *self, double t, double h) { pair *x = self; (void)t; x->y += h * x->u; return HK_STEP_OK; }
static const hk_unit_type type = {HK_UNIT_TYPE(pair), .ports = ports, .port_count = 2, .step = step};
const hk_unit_type *const *hk_plugin(void) { static const hk_unit_type *const all[] = {&type, NULL}; return all; }
"""
TEXT = 'a "b" <c> \u00e9\n?'


class Shell(support.Case):
    def everything(self, fmi, kind="one"):
        library = support.plugin("tests", "export", kind, "everything.so")
        fmu = self.export(library, fmi, "--type", "everything")
        x, v = self.open(fmu)
        self.fmi = fmi
        return x, {name: variable.valueReference for name, variable in v.items()}

    def begin(self, x, stop=None):
        if self.fmi == 1:
            x.initialize(0.0, stop)
        elif self.fmi == 2:
            x.setupExperiment(startTime=0.0, stopTime=stop)
            x.enterInitializationMode()
        else:
            x.enterInitializationMode(startTime=0.0, stopTime=stop)

    def refused(self, call, *words, **more):
        from fmpy.fmi1 import FMICallException
        with self.assertRaises(FMICallException):
            call(*words, **more)

    def real(self, x):
        return (x.getFloat64, x.setFloat64) if self.fmi == 3 else (x.getReal, x.setReal)

    def integer(self, x):
        return (x.getInt32, x.setInt32) if self.fmi == 3 else (x.getInteger, x.setInteger)

    def test_scalar_values(self):
        for fmi in (1, 2):
            x, v = self.everything(fmi)
            get, put = self.real(x)
            if fmi == 2:
                self.refused(get, [v["f64_out"]])
            self.begin(x)
            # The start values are there, and the outputs follow them.
            self.assertEqual(get([v["f64_out"]]), [2 * 0.1 + 0.25])
            self.assertEqual(get([v[f"f64_out_v[{k}]"] for k in (1, 2, 3)]), [2.0, -0.0, 6e-7])
            self.assertEqual(get([v["f32_out"]]), [ctypes.c_float(0.1).value])
            integers = {"i8": -128, "u8": 255, "i16": -32768, "u16": 65535, "i32": -2 ** 31,
                        "u32": 2 ** 31 - 1, "i64": -5, "u64": 6, "enum": 2}
            for name, start in integers.items():
                self.assertEqual(x.getInteger([v[name + "_out"]]), [start], name)
            self.assertEqual([bool(b) for b in x.getBoolean([v[f"bool_out_v[{k}]"] for k in (1, 2, 3)])],
                             [False, True, False])
            self.assertEqual(x.getString([v["text_out"], v["text_out_v[1]"], v["text_out_v[2]"]]),
                             [TEXT.encode(), b"", b"<"])
            # What does not fit is refused; what does arrives.
            for name, wrong in (("i8", 128), ("u8", -1), ("u16", 65536), ("u32", -1), ("u64", -1)):
                self.refused(x.setInteger, [v[name + "_in"]], [wrong])
            for name in integers:
                x.setInteger([v[name + "_in"]], [100])
                self.assertEqual(x.getInteger([v[name + "_out"]]), [100], name)
            put([v["f32_in"]], [0.3])
            self.assertEqual(get([v["f32_out"]]), [ctypes.c_float(0.3).value])
            x.setString([v["text_in_v[1]"], v["text_in_v[2]"]], ["one", "two"])
            self.assertEqual(x.getString([v["text_out_v[1]"], v["text_out_v[2]"]]), [b"two", b"<one"])
            x.setBoolean([v["bool_in"]], [False])
            self.assertFalse(x.getBoolean([v["bool_out"]])[0])
            self.assertEqual(x.getInteger([v["inits"]]), [1])

    def test_array_values(self):
        x, v = self.everything(3, "binary")
        self.begin(x)
        self.assertEqual(x.getFloat64([v["f64_out_v"], v["f64_out"]], nValues=4), [2.0, -0.0, 6e-7, 0.45])
        self.assertEqual(x.getFloat32([v["f32_out"]]), [ctypes.c_float(0.1).value])
        wide = {"Int8": ("i8", -128), "UInt8": ("u8", 255), "Int16": ("i16", -32768),
                "UInt16": ("u16", 65535), "Int32": ("i32", -2 ** 31), "UInt32": ("u32", 2 ** 31 - 1),
                "Int64": ("i64", -5), "UInt64": ("u64", 6)}
        for kind, (name, start) in wide.items():
            self.assertEqual(getattr(x, "get" + kind)([v[name + "_out"]]), [start], kind)
        x.setUInt64([v["u64_in"]], [2 ** 64 - 1])
        x.setInt64([v["enum_in"]], [-2 ** 63])
        self.assertEqual(x.getUInt64([v["u64_out"]]), [2 ** 64 - 1])
        self.assertEqual(x.getInt64([v["enum_out"]]), [-2 ** 63])
        x.setInt32([v["i32_in_v"]], [1, 2, 3])
        self.assertEqual(x.getInt32([v["i32_out_v"]], nValues=3), [3, 2, 1])
        self.assertEqual(list(x.getBoolean([v["bool_out_v"]], nValues=3)), [False, True, False])
        self.assertEqual(x.getString([v["text_out"]]), [TEXT])
        self.assertEqual(x.getBinary([v["bin_out"]]), [b"\x00\xff0\""])
        x.setBinary([v["bin_in"]], [b"\x01\x00\x02"])
        self.assertEqual(x.getBinary([v["bin_out"]]), [b"\x01\x00\x02"])
        self.assertEqual(x.getFloat64([v["time"]]), [0.0])
        self.refused(x.getFloat64, [v["f64_out_v"]], nValues=2)
        self.refused(x.getFloat64, [v["f64_out"]], nValues=2)
        self.refused(x.setFloat64, [v["time"]], [1.0])
        self.refused(x.getInt32, [v["i64_out"]])
        x.exitInitializationMode()
        x.doStep(0.0, 0.5)
        self.assertEqual(x.getFloat64([v["time"]]), [0.5])

    def test_state_machine(self):
        for fmi in (1, 2, 3):
            x, v = self.everything(fmi)
            get, put = self.real(x)
            self.refused(x.doStep, 0.0, 0.1)
            put([v["gain"], v["stated"]], [4.0, 5.0])
            self.refused(put, [v["scaled"]], [1.0])
            self.refused(put, [v["watch"]], [1.0])
            self.refused(put, [99999], [1.0])
            self.begin(x, stop=1.0)
            self.refused(get, [99999])
            self.refused(get, [v["i32_out"]])
            self.assertEqual(get([v["scaled"], v["stated"]]), [40.0, 5.0])
            if fmi != 1:
                # A parameter that comes late: init sees what it would have seen, and sees it once.
                put([v["f64_in"], v["gain"]], [8.0, 3.0])
                self.assertEqual(get([v["scaled"], v["f64_out"]]), [30.0, 24.25])
                self.assertEqual(self.integer(x)[0]([v["inits"]]), [1])
                x.exitInitializationMode()
                self.refused(x.exitInitializationMode)
            else:
                put([v["f64_in"]], [8.0])
                self.assertEqual(get([v["f64_out"]]), [32.25])
            self.refused(put, [v["gain"]], [1.0])
            self.refused(put, [v["stated"]], [1.0])
            put([v["offset"]], [0.5])
            self.refused(x.doStep, 0.25, 0.25)
            self.refused(x.doStep, 0.0, 0.0)
            self.refused(x.doStep, 0.0, 1.25)
            x.doStep(0.0, 0.25)
            gain = 4.0 if fmi == 1 else 3.0
            self.assertEqual(get([v["stated"], v["f64_out"]]), [7.0, gain * 8 + 0.5])
            x.terminate()
            self.refused(put, [v["f64_in"]], [1.0])
            self.refused(x.doStep, 0.25, 0.25)
            self.assertEqual(get([v["stated"]]), [7.0])
            x.reset()
            self.begin(x)
            self.assertEqual(get([v["stated"], v["scaled"]]), [3.0, 20.0])

    def test_failures_of_the_component(self):
        for fmi in (1, 2, 3):
            x, v = self.everything(fmi)
            put = self.real(x)[1]
            put([v["gain"]], [-1.0])
            self.refused(self.begin, x)
            x.reset()
            self.begin(x)
            if fmi != 1:
                x.exitInitializationMode()
            put([v["f64_in"]], [1e7])
            self.refused(x.doStep, 0.0, 0.25)
            self.refused(x.doStep, 0.0, 0.25)

    def test_wrong_guid(self):
        library = support.plugin("tests", "export", "one", "everything.so")
        for fmi in (2, 3):
            x, _ = self.open(self.export(library, fmi, "--type", "older"))
            x.guid = "{0}"
            with self.assertRaises(Exception):
                x.instantiate(loggingOn=False)

    def test_state(self):
        for fmi in (2, 3):
            x, v = self.everything(fmi)
            get, put = self.real(x)
            text = "text_in_v" if fmi == 3 else "text_in_v[1]"
            size = {"nValues": 2} if fmi == 3 else {}
            read = "getFMUState" if fmi == 3 else "getFMUstate"
            write = "setFMUState" if fmi == 3 else "setFMUstate"
            free = "freeFMUState" if fmi == 3 else "freeFMUstate"
            save = "serializeFMUState" if fmi == 3 else "serializeFMUstate"
            load = "deserializeFMUState" if fmi == 3 else "deSerializeFMUstate"
            self.begin(x)
            x.setString([v[text]], ["kept", "there"] if fmi == 3 else ["kept"])
            x.exitInitializationMode()
            put([v["f64_in"]], [8.0])
            x.doStep(0.0, 0.25)
            state = getattr(x, read)()
            out = "text_out_v" if fmi == 3 else "text_out_v[2]"
            before = (get([v["stated"]]), x.getString([v[out]], **size))
            data = getattr(x, save)(state)
            self.assertEqual(data, getattr(x, save)(state))
            x.setString([v[text]], ["other", "!"] if fmi == 3 else ["other"])
            x.doStep(0.25, 0.25)
            self.assertNotEqual(before, (get([v["stated"]]), x.getString([v[out]], **size)))
            getattr(x, write)(state)
            getattr(x, free)(state)
            self.assertEqual(before, (get([v["stated"]]), x.getString([v[out]], **size)))
            # Another instance, as if in another process.
            y, _ = self.everything(fmi)
            again = getattr(y, load)(data)
            getattr(y, write)(again)
            self.assertEqual(before, (self.real(y)[0]([v["stated"]]), y.getString([v[out]], **size)))
            self.assertEqual(data, getattr(y, save)(again))
            getattr(y, free)(again)
            self.refused(getattr(y, load), data[:-1])
            x.doStep(0.25, 0.25)
            y.doStep(0.25, 0.25)
            self.assertEqual(get([v["stated"]]), self.real(y)[0]([v["stated"]]))

    def test_state_of_another_run(self):
        """A run that ended where its state was saved is gone on with by one that ends later."""
        library = support.plugin("tests", "export", "one", "everything.so")
        for self.fmi in (2, 3):
            word = "FMUState" if self.fmi == 3 else "FMUstate"
            load = "deserialize" if self.fmi == 3 else "deSerialize"
            fmu = self.export(library, self.fmi, "--type", "older")
            short, long = self.open(fmu)[0], self.open(fmu)[0]
            for x, stop in ((short, 0.25), (long, 0.5)):
                self.begin(x, stop)
                x.exitInitializationMode()
            short.doStep(0.0, 0.25)
            self.refused(short.doStep, 0.25, 0.25)
            state = getattr(short, "get" + word)()
            data = getattr(short, "serialize" + word)(state)
            getattr(short, "free" + word)(state)
            state = getattr(long, load + word)(data)
            getattr(long, "set" + word)(state)
            getattr(long, "free" + word)(state)
            long.doStep(0.25, 0.25)
            self.refused(long.doStep, 0.5, 0.25)

    def state_of(self, x, fmi):
        """The bytes of the state of an instance after a step."""
        self.fmi = fmi
        self.begin(x)
        x.exitInitializationMode()
        x.doStep(0.0, 0.25)
        word = "FMUState" if fmi == 3 else "FMUstate"
        state = getattr(x, "get" + word)()
        data = getattr(x, "serialize" + word)(state)
        getattr(x, "free" + word)(state)
        return data

    def test_state_of_another_build(self):
        """Two fields of the struct change places, and nothing else: old states do not fit."""
        for fmi in (2, 3):
            load = "deserializeFMUState" if fmi == 3 else "deSerializeFMUstate"
            found = []
            for fields in ("double u, y;", "double y, u;"):
                (self.folder / "pair.c").write_text(PAIR % fields, encoding="utf-8")
                found.append(self.open(self.export(self.folder / "pair.c", fmi))[0])
            self.assertNotEqual(found[0].guid, found[1].guid)
            data = self.state_of(found[0], fmi)
            getattr(found[0], load)(data)
            self.refused(getattr(found[1], load), data)
            # The same description, but compiled for another struct elsewhere.
            (self.folder / "pair.c").write_text(PAIR % "\n#ifdef TURNED\ndouble y, u;\n#else\ndouble u, y;\n#endif\n",
                                                encoding="utf-8")
            fmu = self.export(self.folder / "pair.c", fmi, "--sources")
            same = self.open(fmu)[0]
            folder = self.folder / f"turned{fmi}"  # another path, or the loaded library would be found again
            shutil.copytree(same.unzipDirectory, folder)
            library = next((folder / "binaries").rglob("*.so"))
            library.unlink()
            subprocess.run(["cc", "-shared", "-fPIC", "-DTURNED", f"-DFMI{fmi}_OVERRIDE_FUNCTION_PREFIX", "-I.",
                            *(path.name for path in (folder / "sources").glob("*.c")), "-o", library, "-lm"],
                           cwd=folder / "sources", check=True, timeout=900)
            turned = type(same)(guid=same.guid, unzipDirectory=folder, instanceName="x", modelIdentifier="pair")
            turned.instantiate(loggingOn=False)
            self.addCleanup(turned.freeInstance)
            self.refused(getattr(turned, load), self.state_of(same, fmi))

    def instantiates(self, x):
        try:
            x.instantiate(loggingOn=False)
        except Exception:  # FMPy's own, of no class of its own; its class for FMI 1.0 raises nothing
            return False
        return bool(x.component)

    def test_once_per_process(self):
        """Of such an FMU a process holds one instance; when that is gone there may be another."""
        (self.folder / "pair.c").write_text(PAIR % "double u, y;", encoding="utf-8")
        for fmi in (1, 2, 3):
            fmu = self.export(self.folder / "pair.c", fmi, "--once-per-process")
            first = self.open(fmu)[0]
            text = zipfile.ZipFile(fmu).read("modelDescription.xml").decode()
            self.assertIn('canBeInstantiatedOnlyOncePerProcess="true"', text)
            second = type(first)(guid=first.guid, unzipDirectory=first.unzipDirectory, instanceName="y",
                                 modelIdentifier="pair")
            self.assertFalse(self.instantiates(second))
            free = {1: "fmi1FreeSlaveInstance", 2: "fmi2FreeInstance", 3: "fmi3FreeInstance"}[fmi]
            getattr(first, free)(first.component)
            self.assertTrue(self.instantiates(second))
            first.component = None  # freeInstance does not free it again
            self.addCleanup(second.freeInstance)

    def test_memory_of_its_own(self):
        """What init obtained is not in the struct, and so not in a file."""
        library = support.plugin("tests", "export", "one", "everything.so")
        words = ('name="state" value="true"', 'canSerializeFMUstate="true"', 'canSerializeFMUState="true"')
        for fmi, word in enumerate(words, 1):
            for kind in ("everything", "older"):
                fmu = self.export(library, fmi, "--type", kind)
                self.assertEqual(word in zipfile.ZipFile(fmu).read("modelDescription.xml").decode(), kind == "older")

    def test_state_of_fmi1(self):
        library = support.plugin("tests", "export", "one", "everything.so")
        x, v = self.open(self.export(library, 1, "--type", "older"))
        dll = x.dll
        u, y = v["u"].valueReference, v["y"].valueReference
        x.initialize(0.0, None)
        x.setReal([u], [3.0])
        x.doStep(0.0, 0.5)
        state, size = ctypes.c_void_p(), ctypes.c_size_t()
        c = ctypes.c_void_p(x.component)
        self.assertEqual(dll.older_hkGetState(c, ctypes.byref(state)), 0)
        self.assertEqual(dll.older_hkStateSize(c, state, ctypes.byref(size)), 0)
        data = ctypes.create_string_buffer(size.value)
        self.assertEqual(dll.older_hkSaveState(c, state, data, size), 0)
        x.doStep(0.5, 0.5)
        self.assertEqual(x.getReal([y]), [3.0])
        self.assertEqual(dll.older_hkSetState(c, state), 0)
        self.assertEqual(dll.older_hkFreeState(c, ctypes.byref(state)), 0)
        self.assertIsNone(state.value)
        self.assertEqual(x.getReal([y]), [1.5])
        x.doStep(0.5, 0.5)
        self.assertEqual(dll.older_hkLoadState(c, data, size, ctypes.byref(state)), 0)
        self.assertEqual(dll.older_hkSetState(c, state), 0)
        self.assertEqual(x.getReal([y]), [1.5])
        dll.older_hkFreeState(c, ctypes.byref(state))

    def test_derivatives(self):
        x, v = self.everything(2)
        self.begin(x)
        out = [v["f64_out"], v["f64_out_v[3]"], v["f64_out_v[1]"]]
        known = [v["f64_in_v[1]"], v["f64_in"], v["f64_in_v[3]"], v["offset"]]
        self.assertEqual(list(x.getDirectionalDerivative(out, known, [1.0, 10.0, 100.0, 1000.0])),
                         [1020.0, 200.0, 2.0])
        self.refused(x.getDirectionalDerivative, [v["i32_out"]], known, [1.0] * 4)
        x, v = self.everything(3)
        self.begin(x)
        got = x.getDirectionalDerivative([v["f64_out_v"], v["f64_out"]], [v["f64_in"], v["f64_in_v"]],
                                         [1.0, 10.0, 100.0, 1000.0], nSensitivity=4)
        self.assertEqual(list(got), [20.0, 200.0, 2000.0, 2.0])

    def test_two_of_one_name(self):
        for fmi in (1, 2, 3):
            slopes = []
            for kind in ("one", "two"):
                library = support.plugin("tests", "export", kind, "everything.so")
                x, v = self.open(self.export(library, fmi, "--type", "older", name=kind))
                self.fmi = fmi
                get, put = self.real(x)
                slopes.append((x, get, v["y"].valueReference))
                put([v["u"].valueReference], [8.0])
                self.begin(x)
                if fmi != 1:
                    x.exitInitializationMode()
            for x, _, _ in slopes:
                x.doStep(0.0, 0.25)
            self.assertEqual([get([y]) for _, get, y in slopes], [[2.0], [4.0]])


if __name__ == "__main__":
    support.main()
