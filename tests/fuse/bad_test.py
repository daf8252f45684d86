#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fused code where something is wrong: no compiler, sources that do not compile or are not what they were, variables
outside of components, a cache that is stale, damaged, full or not to be written. Each is reported, and the interpreter
gives the result wherever it can. Standard library only."""
import hashlib
import json
import os
import shutil
import subprocess

from support import FuseCase, leaf, main

# Compiled as a plugin, but not with CC="gcc -O0".
PICKY = "#ifndef __OPTIMIZE__\n#error not without optimisation\n#endif"


def sealed(entry, data):
    """The name that DATA would have in the cache, in the place of ENTRY."""
    key = entry.name.split("-")[1]
    both = f"{key} {hashlib.sha256(data).hexdigest()}"
    return entry.with_name(f"built-{key}-{hashlib.sha256(both.encode()).hexdigest()}")


class Compiler(FuseCase):
    def test_none(self):
        """A note, the interpreter, exit 0: nobody is kept from a result for want of a compiler."""
        self.plugin(leaf())
        system = self.chain(3)
        plain, _ = self.record(system, "--stop-time", "1")
        fused, said = self.record(system, "--stop-time", "1", fused=True, CC="/nowhere/cc")
        self.assertEqual(plain, fused)
        self.assertEqual(said.count("the compiler '/nowhere/cc' cannot be started, so nothing is fused"), 1, said)

    def test_words(self):
        """What CC says beside its name is taken if it is known to change nothing; if not, the run is interpreted."""
        self.plugin(leaf(STEP="x->scale = 0.1 + x->u * 1.1;"))
        system = self.chain(2)
        for word in ("-DHK_X=1", "-fsingle-precision-constant", "-mfpmath=387", "-fsanitize=undefined", "-std=c99", "@words"):
            _, said = self.assert_same(system, "--stop-time", "1", CC=f"gcc {word}")
            self.assertEqual(said.count(f"the compiler 'gcc' is to be called with {word}, which may change results, "
                                        "so nothing is fused"), 1, said)
        _, said = self.assert_same(system, "--stop-time", "1", CC="gcc -g -Wall -O1")
        self.assertNotIn("nothing is fused", said)

    def test_fails(self):
        """A program that is there and fails was started."""
        self.plugin(leaf())
        _, said = self.assert_same(self.chain(2), "--stop-time", "1", CC="false")
        self.assertIn("the compiler 'false' failed when it was asked for its version, so nothing is fused", said)

    def test_source_does_not_compile(self):
        """The first error, at its place in the leaf's own file; exit 3; without --fused all is well."""
        self.plugin(leaf(HEAD=PICKY))
        system = self.chain(3)
        source = self.folder / "code" / "wave.c"
        line = source.read_text(encoding="utf-8").splitlines().index("#error not without optimisation") + 1
        record, said = self.record(system, "--stop-time", "1", fused=True, exit=3, CC="gcc -O0")
        self.assertIn(f"{source}:{line}:2: error[HK0310]: the compiler 'gcc' says: #error not without optimisation", said)
        self.assertEqual(said.count("error[HK"), 1, said)
        self.assertFalse(record)
        self.assertFalse(self.entries())
        self.assertTrue(self.record(system, "--stop-time", "1")[0])
        self.assertTrue(self.record(system, "--stop-time", "1", fused=True)[0])

    def ten(self):
        """A simulation of ten runs of the chain."""
        return self.write("many.simulation", """Simulation many (ms)
system chain;
simulationTime [0,1000]:10;
begin{}
scenarios {
  Scenario ten [10]
  begin{} events {}
end {}
logs { y.csv timed(10.0) { "chain.all.c2.y"; } };
}
end {}
""")

    def test_nowhere_to_work(self):
        """No folder for temporary files: as without a compiler."""
        self.plugin(leaf())
        system, simulation = self.chain(3), self.ten()
        self.write("file", "in the way\n")
        for place in ("/nowhere", str(self.folder / "file")):
            _, said = self.assert_same(system, "--stop-time", "1", TMPDIR=place)
            self.assertEqual(said.count(f"{place}: note: cannot create a temporary folder there: "), 1, said)
            self.assertEqual(said.count("so nothing is fused: the run is interpreted; TMPDIR names another place"), 1, said)
            said = self.run_hocket("run", simulation, "-o", "logs", "--fused", TMPDIR=place).stderr
            self.assertEqual(said.count("so nothing is fused: the run is interpreted"), 1, said)
        self.assertFalse(self.entries())

    def test_of_a_simulation(self):
        """Ten runs that cannot begin are one failure."""
        self.plugin(leaf(HEAD=PICKY))
        self.chain(3)
        simulation = self.ten()
        done = self.run_hocket("run", simulation, "-o", "logs", "--fused", exit=3, CC="gcc -O0")
        self.assertEqual(done.stderr.count("error[HK0310]"), 1, done.stderr)
        self.run_hocket("run", simulation, "-o", "logs", "--fused")

    def test_text_of_ours(self):
        """A compiler that cannot compile what hocket printed: no fault of the user, who has a result."""
        self.plugin(leaf())
        poor = self.write("poor", "#!/bin/sh\ncase \"$*\" in *batch_*) echo 'cell_0_0.c:1:2: error: not this' >&2; exit 1;; esac\n"
                                  "exec gcc \"$@\"\n")
        poor.chmod(0o755)
        _, said = self.assert_same(self.chain(2), "--stop-time", "1", CC=str(poor))
        self.assertEqual(said.count(f"the compiler '{poor}' says: not this, so nothing is fused"), 1, said)
        self.assertFalse(self.entries())

    def test_timeout(self):
        self.plugin(leaf())
        slow = self.write("slow", "#!/bin/sh\ncase \"$*\" in *--version*) exec gcc --version;; esac\nexec sleep 900\n")
        slow.chmod(0o755)
        _, said = self.record(self.chain(2), "--stop-time", "1", "--timeout", "4", fused=True, exit=124, CC=str(slow))
        self.assertIn("is not finished when --timeout ends the run", said)


class QuickCase(FuseCase):
    """What is wrong is wrong at every level of optimisation, and this one is the quickest."""

    def setUp(self):
        super().setUp()
        self.environment["CC"] = "gcc -O0"


class Sources(QuickCase):
    def told(self, words, count=3, **added):
        """The run has the same bytes, and WORDS are said of a leaf that is not fused, once."""
        _, said = self.assert_same(self.chain(count), "--stop-time", "1", **added)
        self.assertEqual(said.count(words), 1, said)
        return said

    def test_static_variables(self):
        self.plugin(leaf(HEAD="static double before;", STEP="x->y += before; before = x->u;"))
        self.told("its steps are not fused but called: its variable 'before' of wave.c is not part of a component")

    def test_names_of_the_compiler(self):
        """Nothing keeps a source from names that begin with two underscores."""
        self.plugin(leaf(HEAD="static double __before;", STEP="x->y += __before; __before = x->u;"))
        self.told("its steps are not fused but called: its variable '__before' of wave.c is not part of a component")

    def test_static_inside_a_function(self):
        self.plugin(leaf(STEP="static int count; x->y += count++;"))
        self.told("its variable 'count' of wave.c")

    def test_constants_are_fine(self):
        self.plugin(leaf(HEAD="static const double table[] = {1, 2}; static const char *const names[] = {\"a\", \"b\"};",
                         STEP="x->y = table[names[1][0] == 'b'];"))
        _, said = self.assert_same(self.chain(3), "--stop-time", "1")
        self.assertNotIn("not fused", said)

    def test_changed(self):
        self.plugin(leaf())
        source = self.folder / "code" / "wave.c"
        source.write_text(leaf(STEP="x->u += 1;"), encoding="utf-8")
        said = self.told(f"its steps are not fused but called: its source '{source}' was changed since it was built")
        self.assertIn(f"build it again: hocket build {source.parent} -o {self.folder / 'wave.so'}", said)
        source.unlink()
        self.told(f"its source '{source}' is not there")

    def test_changed_header(self):
        code = self.folder / "code"
        code.mkdir()
        (code / "factor.h").write_text("#define FACTOR 2.0\n", encoding="utf-8")
        self.plugin(leaf(HEAD='#include "factor.h"', STEP="x->scale = FACTOR;"))
        _, said = self.assert_same(self.chain(2), "--stop-time", "1")
        self.assertNotIn("not fused", said)
        (code / "factor.h").write_text("#define FACTOR 3.0\n", encoding="utf-8")
        self.told("not fused but called: its header '" + str(code / "factor.h") + "' was changed since it was built")

    def test_moved(self):
        """The whole project is elsewhere: its sources are found beside the plugin."""
        place = self.folder / "before"
        place.mkdir()
        (place / "wave.c").write_text(leaf(), encoding="utf-8")
        self.hocket("build", place, "-q", CC="gcc")
        place.rename(self.folder / "after")
        system = self.chain(2, library="after/wave.so")
        _, said = self.assert_same(system, "--stop-time", "1")
        self.assertNotIn("not fused", said)
        (self.folder / "after" / "wave.c").write_text(leaf(STEP="x->u += 1;"), encoding="utf-8")
        _, said = self.assert_same(system, "--stop-time", "1")
        self.assertIn(f"its source '{self.folder / 'after' / 'wave.c'}' was changed since it was built", said)

    def test_stripped(self):
        subprocess.run(["strip", self.plugin(leaf())], check=True)
        self.told("it was stripped of its symbols")

    def test_without_a_note(self):
        self.plugin(leaf())
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-I", self.options.include, "-o", self.folder / "wave.so",
                        self.folder / "code" / "wave.c", "-lm"], check=True)
        self.told("it carries no note of its sources")

    def test_other_flags(self):
        """What was compiled otherwise would have other bits in fused code: it is called as it is."""
        self.plugin(leaf())
        self.hocket("build", self.folder / "code", "-o", self.folder / "wave.so", "-q", "--cc", "gcc -march=native")
        self.told("its steps are not fused but called: it was built with -march=native")

    def test_words_of_the_compiler(self):
        """What CC said when the plugin was built: a definition is passed on, what is not known keeps it from being fused."""
        self.plugin(leaf(HEAD="#ifndef GAIN\n#define GAIN 1\n#endif\nstruct bit { int one : 1; };",
                         STEP="struct bit b = {1}; x->scale = GAIN + b.one;"))
        for word, fused in (("-DGAIN=7", True), ("-UGAIN", False), ("-funsigned-bitfields", False), ("-Wp,-DGAIN=7", False),
                            ("-g -Wall -O1", True)):
            self.hocket("build", self.folder / "code", "-o", self.folder / "wave.so", "-q", CC=f"gcc {word}")
            said = self.told(f"it was built with {word}, and fused code is not") if not fused else \
                self.assert_same(self.chain(2), "--stop-time", "1")[1]
            self.assertEqual("not fused" in said, not fused, said)

    def test_a_step_for_all(self):
        """A step that is not static, in one of two files."""
        code = self.folder / "code"
        code.mkdir()
        (code / "other.c").write_text("double other(double x);\ndouble other(double x) { return 3 * x; }\n", encoding="utf-8")
        self.plugin(leaf(HEAD="double other(double x);", STEP="x->scale = other(0.5);")
                    .replace("static int wave_step(", "int wave_step(void *self, double t, double h);\nint wave_step("))
        _, said = self.assert_same(self.chain(3), "--stop-time", "1")
        self.assertNotIn("not fused", said)

    def test_macros(self):
        """What a source defines ends with it."""
        macros = "#define self 1\n#define t 3\n#define h 4\n#define double float\n#define wave_step(a, b, c) (0 * (int)(b))\n"
        for text in (macros, macros.replace("wave_step(a, b, c) (0 * (int)(b))", "wave_step nothing")):
            self.plugin(leaf() + text)
            _, said = self.assert_same(self.chain(3), "--stop-time", "1")
            self.assertNotIn("not fused", said)

    def test_a_step_with_a_type(self):
        """A step that is not static, whose first argument is a pointer to its own struct, in one of two files."""
        code = self.folder / "code"
        code.mkdir()
        (code / "other.c").write_text("int other(int x);\nint other(int x) { return x; }\n", encoding="utf-8")
        self.plugin(leaf().replace("static int wave_step(void *self", "int wave_step(wave *self")
                    .replace(".step = wave_step", ".step = (int (*)(void *, double, double))wave_step"))
        _, said = self.assert_same(self.chain(3), "--stop-time", "1")
        self.assertNotIn("not fused", said)

    def test_two_plugins_with_one_name(self):
        """Both have a function `helper` that all their files see, and each calls its own."""
        system = ["system two {\n  composite all {\n"]
        for number, name in enumerate(("one", "two")):
            text = leaf(HEAD="double helper(double x);\ndouble helper(double x) { return x + %d; }" % (number + 1),
                        STEP="x->scale = helper(1);")
            self.plugin(text, name, f"code_{name}")
            system.append(f'    leaf {name} : "{name}.so#wave" {{ frequency 10 Hz; }}\n')
        system.append("    link one.y -> two.u;\n  }\n}\n")
        plain, said = self.assert_same(self.write("two.system", "".join(system)), "--stop-time", "1")
        self.assertNotIn("not fused", said)

    def pair(self, one, two):
        """A system of two plugins with these texts; what its fused run says."""
        for name, text in (("one", one), ("two", two)):
            self.plugin(text, name, f"code_{name}")
        system = self.write("two.system", """system two {
  composite all {
    leaf one : "one.so#wave" { frequency 10 Hz; }
    leaf two : "two.so#wave" { frequency 10 Hz; }
    link one.y -> two.u;
  }
}
""")
        return self.assert_same(system, "--stop-time", "1")[1]

    def test_a_name_of_the_system(self):
        """One has a `hypot` of its own, the other calls that of libm."""
        own = leaf(HEAD="double own_hypot(double a, double b) __asm__(\"hypot\");\n"
                        "double own_hypot(double a, double b) { return a + b; }", STEP="x->scale = own_hypot(3, 4);")
        said = self.pair(own, leaf(STEP="x->scale = hypot(x->u, 4);"))
        self.assertEqual(said.count("its 'hypot' has the name of a function of the system that '"), 1, said)
        self.assertIn("one.so: note: its steps are not fused but called", said)

    def test_weak_names(self):
        """Of weak functions linkers take one; each plugin calls its own all the same."""
        gain = "__attribute__((weak, noinline, visibility(\"default\"))) double gain(double v) { return v + %d; }"
        said = self.pair(*(leaf(HEAD=gain % number, STEP="x->scale = gain(x->u);") for number in (1, 100)))
        self.assertNotIn("not fused", said)

    def test_cpp(self):
        """Leaves in C++: in a namespace, in one without a name, and static."""
        if not shutil.which("g++"):
            self.skipTest("there is no C++ compiler")
        for number, (begin, end, step) in enumerate((("static", "", "wave_step"), ("namespace {", "}", "wave_step"),
                                                     ("namespace plant {", "}", "plant::wave_step"))):
            text = """
#include <hk/unit.h>
#include <cmath>
struct wave { double u, y; };
%s int wave_step(void *self, double t, double h) {
    wave *x = static_cast<wave *>(self);
    x->y = 0.5 * x->u + std::exp(-t) * h;
    return HK_STEP_OK;
}
%s
static hk_port ports_of(int i) {
    hk_port p = {};
    p.name = i ? "y" : "u"; p.offset = i ? offsetof(wave, y) : offsetof(wave, u);
    p.causality = i ? HK_OUTPUT : HK_INPUT; p.type = HK_TYPE_F64;
    return p;
}
static hk_unit_type type_of(const hk_port *ports) {
    hk_unit_type t = {};
    t.abi = HK_UNIT_ABI; t.size = sizeof t; t.name = "wave"; t.instance_size = sizeof(wave);
    t.ports = ports; t.port_count = 2; t.step = %s;
    return t;
}
extern "C" const hk_unit_type *const *hk_plugin(void) {
    static const hk_port ports[] = {ports_of(0), ports_of(1)};
    static const hk_unit_type type = type_of(ports);
    static const hk_unit_type *const types[] = {&type, nullptr};
    return types;
}
""" % (begin, end, step)
            code = self.folder / f"cpp{number}"
            code.mkdir()
            (code / "wave.cpp").write_text(text, encoding="utf-8")
            self.hocket("build", code, "-o", self.folder / "wave.so", "-q")
            self.assert_same(self.chain(3), "--stop-time", "1")


class Cache(QuickCase):
    def setUp(self):
        super().setUp()
        self.plugin(leaf())
        self.system = self.chain(3)

    def run_fused(self, **added):
        """The record of a fused run is that of an interpreted one; what it says."""
        return self.assert_same(self.system, "--stop-time", "1", **added)[1]

    def entry(self):
        [entry] = self.entries()
        return entry

    def test_used_again(self):
        self.assertEqual(self.run_fused().count("compiling "), 1)
        self.assertNotIn("compil", self.run_fused())
        self.assertIn("compiling ", self.run_fused(CC="gcc -O3"))
        self.assertEqual(len(self.entries()), 2)

    def test_other_sources(self):
        """A plugin that was built again is another key; so nothing old is ever taken."""
        self.run_fused()
        self.plugin(leaf(STEP="x->scale = 2;"))
        self.assertIn("compiling ", self.run_fused())

    def test_entry_of_another_system(self):
        """A whole library in the place of another one is known by its stamp, and made again."""
        self.run_fused()
        mine = self.entry()
        self.assert_same(self.chain(5, name="other"), "--stop-time", "1")
        [other] = [e for e in self.entries() if e != mine]
        mine.unlink()
        shutil.copy(other, mine)
        self.assertIn("is damaged: it is compiled again", self.run_fused())
        mine = [e for e in self.entries() if e != other][0]
        mine.unlink()
        sealed(mine, other.read_bytes()).write_bytes(other.read_bytes())
        said = self.run_fused()
        self.assertIn("cannot be used (it was made of something else): it is made again", said)
        self.assertNotIn("compil", self.run_fused())

    def test_stale_entry(self):
        """One that bears the right stamp is still caught: the engine compares what it says, cell by cell."""
        self.run_fused()
        mine = self.entry()
        key = mine.name.split("-")[1]
        self.assert_same(self.chain(5, name="other"), "--stop-time", "1")
        [other] = [e for e in self.entries() if e != mine]
        forged = other.read_bytes().replace(other.name.split("-")[1].encode(), key.encode())
        mine.unlink()
        sealed(mine, forged).write_bytes(forged)
        _, said = self.record(self.system, "--stop-time", "1", fused=True, exit=5)
        self.assertIn("error[HK0429]", said)
        self.assertIn("it was taken from the cache, and is not there any more", said)
        self.assertIn("compiling ", self.run_fused())

    def test_damaged(self):
        self.run_fused()
        entry = self.entry()
        whole = entry.read_bytes()
        for data in (whole[:1000], b"", whole[:-1] + bytes([whole[-1] ^ 1])):
            entry.write_bytes(data)
            said = self.run_fused()
            self.assertIn("the fused code that was kept there is damaged: it is compiled again", said)
            self.assertEqual(self.entry().read_bytes()[:4], b"\x7fELF")

    def test_nowhere(self):
        """A cache that cannot be made or written: told, and the run is fused all the same."""
        self.write("file", "in the way\n")
        for place in ("/proc/hocket", str(self.folder / "file")):
            said = self.run_fused(XDG_CACHE_HOME=place)
            self.assertEqual(said.count("there is no cache that can be written to"), 1, said)
        self.cache.mkdir()
        self.cache.chmod(0o777)
        said = self.run_fused()
        self.assertIn("the cache lies in a folder that others can write to and is not used", said)
        said = self.run_fused(HK_NO_CACHE="1", XDG_CACHE_HOME="/proc/hocket")
        self.assertNotIn("cache", said)

    def mounted(self, options, prepare=""):
        """A fused run whose cache is a tmpfs of its own."""
        self.cache.mkdir()
        record = self.folder / "kept.csv"
        script = (f"mount -t tmpfs -o mode=700,{options} none {self.cache} && {prepare} "
                  f"{self.options.hocket} run {self.system} --stop-time 1 -o {record} --fused")
        done = subprocess.run(["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True, check=False,
                              env=os.environ | self.environment, cwd=self.folder)
        if done.stderr.startswith(("mount", "unshare")):
            self.skipTest("no file system can be mounted here")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(record.read_bytes(), self.record(self.system, "--stop-time", "1")[0])
        return done.stderr

    def test_full(self):
        said = self.mounted("size=8k")
        self.assertIn("the fused code cannot be kept (No space left on device): it is compiled again", said)

    def test_read_only(self):
        said = self.mounted("size=1m", f"mount -o remount,ro {self.cache} &&")
        self.assertIn("there is no cache that can be written to", said)

    def test_two_at_once(self):
        """Processes that need the same code: one compiles it, and all have the same record."""
        runs = [subprocess.Popen([self.options.hocket, "run", self.system, "--stop-time", "1", "-o", self.folder / f"{i}.csv",
                                  "--fused"], stderr=subprocess.PIPE, text=True, env=os.environ | self.environment)
                for i in range(4)]
        said = [run.communicate()[1] for run in runs]
        self.assertEqual([run.returncode for run in runs], [0] * 4, said)
        self.assertEqual(sum("the system was compiled" in text for text in said), 1, said)
        self.assertEqual(len({(self.folder / f"{i}.csv").read_bytes() for i in range(4)}), 1)
        self.assertFalse(list((self.cache / "hocket" / "fmu").glob(".making-*")))


class Told(QuickCase):
    def test_interpreted(self):
        """What calls one by one, and looks at each, is reported before anything is compiled."""
        self.plugin(leaf())
        system = self.chain(3)
        for words, why in ((("--trace", "calls.json"), "its calls are traced"),
                           (("--trace", "calls.json", "--trace-sample", "10"), "its calls are traced"),
                           (("--monitor", "values"), "the values of every call are compared (--monitor values)"),
                           (("--real-time=100",), "it follows real time, and every call is timed"),
                           (("--threads", "2"), "threads share its phases")):
            _, said = self.assert_same(system, "--stop-time", "0.5", *words)
            self.assertEqual(said.count(f"note: the run is interpreted, and nothing is fused: {why}"), 1, said)
            self.assertEqual(said.count("interpreted"), 1, said)
            self.assertNotIn("compil", said)
            self.assertFalse(self.entries())

    def test_progress(self):
        self.plugin(leaf())
        system = self.chain(3)
        done = self.run_hocket("run", system, "--stop-time", "1", "--fused", "--progress", "json")
        lines = [json.loads(line)["compiling"] for line in done.stderr.splitlines() if line.startswith('{"compiling"')]
        self.assertEqual(lines[0]["files"], 0)
        self.assertEqual(lines[-1]["files"], lines[-1]["of"])
        self.assertEqual([line["files"] for line in lines], sorted(line["files"] for line in lines))
        shutil.rmtree(self.cache)
        done = self.run_hocket("run", system, "--stop-time", "1", "--fused", "-q")
        self.assertEqual(done.stderr.count("compiling"), 0, done.stderr)


if __name__ == "__main__":
    main("--hocket", "--models", "--include")
