#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random numbers of exported FMUs: those of the native component with the same name and seed."""
import ctypes
import subprocess

import support

NUMBERS = """#include <hk/random.h>
double normal(uint64_t seed, uint64_t run, const char *component, const char *stream, int64_t tick) {
    hk_stream made = hk_stream_make(seed, run, component, stream);
    return hk_stream_normal(&made, tick, 0);
}
"""

SYSTEM = """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription name="two" version="1.0"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon">
  <ssd:System name="two"><ssd:Elements>
    <ssd:Component name="a" type="{type}" source="{source}"/>
    <ssd:Component name="b" type="{type}" source="{source}"/>
  </ssd:Elements></ssd:System>
</ssd:SystemStructureDescription>
"""


class Random(support.Case):
    def library(self):
        return support.plugin("tests", "export", "one", "everything.so")

    def normal(self):
        """The function of hk/random.h that the component calls, by itself."""
        (self.folder / "numbers.c").write_text(NUMBERS, encoding="utf-8")
        subprocess.run(["cc", "-std=c17", "-shared", "-fPIC", "-ffp-contract=off", "-I",
                        self.options.source / "include", "numbers.c", "-o", "numbers.so", "-lm"],
                       cwd=self.folder, check=True, timeout=900)
        function = ctypes.CDLL(self.folder / "numbers.so").normal
        function.restype = ctypes.c_double
        function.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int64]
        return lambda name, seed, run, tick: function(seed, run, name.encode(), b"noise", tick)

    def begin(self, fmi, fmu, name, **settings):
        """An instance after its first initialization, and a function that reads its output."""
        x, v = self.open(fmu, name)
        put = x.setUInt64 if fmi == 3 else x.setInteger
        get = x.getFloat64 if fmi == 3 else x.getReal
        for word, number in settings.items():
            put([v[f"random.{word}"].valueReference], [number])
        if fmi == 1:
            x.initialize(0.0, None)
        elif fmi == 2:
            x.setupExperiment(startTime=0.0)
            x.enterInitializationMode()
        else:
            x.enterInitializationMode(startTime=0.0)
        return x, v, put, lambda: get([v["y"].valueReference])[0]

    def test_seed_run_and_name(self):
        normal = self.normal()
        for fmi in (1, 2, 3):
            fmu = self.export(self.library(), fmi, "--type", "noisy")
            for name, settings in (("a", {}), ("b.c", {}), ("a", {"seed": 7}), ("a", {"seed": 7, "run": 3}),
                                   ("a", {"seed": 2 ** 64 - 1 if fmi == 3 else 2 ** 31 - 1})):
                x, _, _, read = self.begin(fmi, fmu, name, **settings)
                expected = [normal(name, settings.get("seed", 0), settings.get("run", 0), k) for k in range(4)]
                got = [read()]
                if fmi != 1:
                    x.exitInitializationMode()
                for k in range(3):
                    x.doStep(k / 8, 1 / 8)
                    got.append(read())
                self.assertEqual(got, expected, f"FMI {fmi}: {name} {settings}")
                x.reset()
                if fmi == 1:
                    x.initialize(0.0, None)
                    self.assertEqual(read(), normal(name, 0, 0, 0))

    def test_seed_during_initialization(self):
        from fmpy.fmi1 import FMICallException
        normal = self.normal()
        for fmi in (2, 3):
            fmu = self.export(self.library(), fmi, "--type", "noisy")
            x, v, put, read = self.begin(fmi, fmu, "a")
            put([v["random.seed"].valueReference], [9])
            self.assertEqual(read(), normal("a", 9, 0, 0))
            if fmi == 2:
                with self.assertRaises(FMICallException):
                    put([v["random.seed"].valueReference], [-1])
            x.exitInitializationMode()
            with self.assertRaises(FMICallException):
                put([v["random.seed"].valueReference], [1])
            x.doStep(0.0, 0.5)
            self.assertEqual(read(), normal("a", 9, 0, 1))

    def test_state(self):
        """The state of one instance goes on with its numbers in an instance of another name and seed."""
        normal = self.normal()
        for fmi, word, load in ((2, "FMUstate", "deSerialize"), (3, "FMUState", "deserialize")):
            fmu = self.export(self.library(), fmi, "--type", "noisy")
            x, v, _, _ = self.begin(fmi, fmu, "a", seed=5)
            x.exitInitializationMode()
            x.doStep(0.0, 0.5)
            state = getattr(x, "get" + word)()
            data = getattr(x, "serialize" + word)(state)
            getattr(x, "free" + word)(state)
            y, _, _, read = self.begin(fmi, fmu, "b")
            y.exitInitializationMode()
            state = getattr(y, load + word)(data)
            getattr(y, "set" + word)(state)
            getattr(y, "free" + word)(state)
            y.doStep(0.5, 0.5)
            self.assertEqual(read(), normal("a", 5, 0, 2))
            seed = (y.getUInt64 if fmi == 3 else y.getInteger)([v["random.seed"].valueReference])
            self.assertEqual(seed, [5])

    def test_in_hocket(self):
        """Two instances, native and as FMUs: the same bytes; and so if a run is gone on with."""
        (self.folder / "everything.so").symlink_to(self.library())
        words = ["--step-size", "0.125", "-q", "--output-variable", "*.y", "--output-variable", "*.eyes"]
        texts = {}
        for fmi in (0, 1, 2, 3):
            if fmi:
                kind, source = "application/x-fmu-sharedlibrary", self.export(self.library(), fmi, "--type", "noisy").name
            else:
                kind, source = "application/x-hocket-plugin", "everything.so#noisy"
            (self.folder / "two.ssd").write_text(SYSTEM.format(type=kind, source=source), encoding="utf-8")
            self.run_hocket("run", "two.ssd", *words, "--stop-time", "4", "-o", "all.csv")
            texts[fmi] = (self.folder / "all.csv").read_text(encoding="utf-8")
            self.run_hocket("run", "two.ssd", *words, "--stop-time", "2", "--save-state", "s.hks", "-o", "half.csv")
            self.run_hocket("run", "two.ssd", *words, "--stop-time", "4", "--load-state", "s.hks", "-o", "rest.csv")
            rest = (self.folder / "rest.csv").read_text(encoding="utf-8").splitlines()
            self.assertEqual(rest[-8:], texts[fmi].splitlines()[-8:])
        self.assertEqual([texts[fmi] == texts[0] for fmi in (1, 2, 3)], [True] * 3)
        rows = [row.split(",") for row in texts[0].splitlines()[1:]]
        self.assertNotEqual([row[1] for row in rows], [row[3] for row in rows])

    def test_parameters(self):
        """They are described where they have a meaning."""
        import fmpy
        for fmi in (1, 2, 3):
            about = fmpy.read_model_description(str(self.export(self.library(), fmi, "--type", "noisy")))
            seed = next(v for v in about.modelVariables if v.name == "random.seed")
            self.assertEqual((seed.type, seed.start), ("UInt64" if fmi == 3 else "Integer", "0"))
            self.assertTrue(seed.description)
            about = fmpy.read_model_description(str(self.export(self.library(), fmi, "--type", "mixer")))
            self.assertFalse([v.name for v in about.modelVariables if "random" in v.name])

    def test_services(self):
        for fmi in (1, 2, 3):
            said = self.run_hocket("export", self.library(), "--type", "caller", "--fmi", fmi, "-o", "no.fmu",
                                   status=3)
            for text in ("HK0309", "everything.so", "service 'chart'", "sea.ChartSource", "hint:"):
                self.assertIn(text, said)
            self.assertFalse((self.folder / "no.fmu").exists())


if __name__ == "__main__":
    support.main()
