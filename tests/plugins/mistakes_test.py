#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is said of plugins with mistakes: one message, at the place where the plugin is named, and for a crash the line
of its source. Standard library only; needs a C compiler."""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import Case, environment, main  # noqa: E402

THING = """#include <hk/unit.h>
#include <stdlib.h>
typedef struct thing { double y; } thing;
extern int nowhere(void);
static void deep(thing *x, double t) {
    x->y = t;
    if (t > 0.45)
        CRASH;
}
static int thing_step(void *self, double t, double h) {
    (void)h;
    deep((thing *)self, t);
    return RESULT;
}
static const hk_port ports[] = {HK_PORT(thing, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = "")};
static const hk_unit_type type = {HK_UNIT_TYPE(thing), .ports = ports, .port_count = 1, .step = thing_step};
const hk_unit_type *const *hk_plugin(void) {
    static const hk_unit_type *const types[] = {&type, NULL};
    return types;
}
"""
SYSTEM = """system s {
  plugin "code/thing.so";
  composite c {
    leaf a : thing { frequency 10 Hz; }
    leaf b : thing { frequency 10 Hz; }
  }
}
"""
SIMULATION = """Simulation s (s)
system s;
simulationTime [0, 1]:0.1;
scenarios { Scenario x [RUNS] }
"""
SSD = """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription name="s" version="1.0"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon">
  <ssd:System name="s"><ssd:Elements>
    <ssd:Component name="a" type="application/x-hocket-plugin" source="code/thing.so#thing"/>
    <ssd:Component name="b" type="application/x-hocket-plugin" source="code/thing.so#thing"/>
  </ssd:Elements></ssd:System>
</ssd:SystemStructureDescription>
"""


class Mistakes(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "code").mkdir()
        self.write("s.system", SYSTEM)
        self.write("s.ssd", SSD)

    def source(self, crash="abort()", result="HK_STEP_OK"):
        text = THING.replace("CRASH", crash).replace("RESULT", result)
        return self.write("code/thing.c", text)

    def by_hand(self, *flags):
        subprocess.run(["cc", "-shared", "-fPIC", f"-I{self.options.source / 'include'}", *flags, "-o", "thing.so",
                        "thing.c"], cwd=self.folder / "code", check=True)

    def test_not_built(self):
        self.source()
        for file, line in (("s.system", 4), ("s.ssd", 6)):
            said = self.hocket("check", file, exit=None).stdout
            self.assertEqual(said.count("error["), 1, said)
            self.assertRegex(said, rf"^{file}:{line}:\d+: error")
            self.assertIn("hocket build", said)

    def test_cannot_be_loaded(self):
        self.source(result="nowhere()")
        self.by_hand()
        for file, line in (("s.system", 2), ("s.ssd", 6)):
            for verb in ("check", "run"):
                done = self.hocket(verb, file, *(["--stop-time", "1"] if verb == "run" else []), exit=3)
                said = done.stdout + done.stderr
                self.assertEqual(said.count("error["), 1, said)
                self.assertRegex(said, rf"(?m)^{file}:{line}:\d+: error\[HK0308\]: .*undefined symbol: nowhere")
        self.source()
        (self.folder / "code/thing.c").write_text("int nothing_here;\n")
        self.by_hand()
        said = self.hocket("check", "s.system", exit=3).stdout
        self.assertRegex(said, r"^s.system:2:10: error\[HK0308\]: the library 'thing.so' does not export hk_plugin\n")

    def test_crash_has_a_place(self):
        """By debug information, by symbols, and without either."""
        self.source("*(volatile int *)NULL = 1")
        built = [(r" \(deep, thing\.c:8\)", lambda: self.hocket("build", "code")),
                 (r" \(deep, thing\.c\)", lambda: self.by_hand("-O0")),
                 ("", lambda: self.by_hand("-O0", "-s"))]
        if not shutil.which("addr2line"):
            built[0] = (r" \((deep|thing_step), thing\.c\)", built[0][1])
        for place, build in built:
            build()
            said = self.hocket("run", "s.system", "--stop-time", "1", exit=4).stderr
            self.assertRegex(said, r"^hocket: error\[HK0506\]: component '[ab]': crashed \(invalid memory access\) in step "
                                   rf"at t = 0\.5 s{place}\n  hint: the fault is in the component\n$")

    def test_abort_and_exit_have_a_place(self):
        for crash, said in (("abort()", "aborted"), ("exit(0)", r"called exit\(\)")):
            self.source(crash)
            self.by_hand("-O0")
            text = self.hocket("run", "s.system", "--stop-time", "1", exit=4).stderr
            self.assertRegex(text, rf"component '[ab]': {said} in step at t = 0\.5 s \(deep, thing\.c\)\n")

    def test_crash_in_repeated_runs(self):
        self.source("*(volatile int *)NULL = 1")
        self.by_hand("-O0")
        self.write("s.simulation", SIMULATION.replace("RUNS", "3"))
        said = self.hocket("run", "s.simulation", exit=4).stderr
        self.assertEqual(said.count("error["), 3, said)
        for i in range(3):
            self.assertEqual(len([line for line in said.splitlines() if f"run {i}: component '" in line
                                  and line.endswith("(deep, thing.c)")]), 1, said)

    def test_failed_step_names_it_once(self):
        self.source("return", result="HK_STEP_FAILED")
        self.hocket("build", "code")
        said = self.hocket("run", "s.system", "--stop-time", "1", exit=4).stderr
        self.assertRegex(said, r"error\[HK0503\]: component 'a': step returned 3 at t = 0 s\n")

    def test_flags_of_the_user(self):
        self.source()
        said = self.hocket("build", "code", "--cc", "cc -march=native").stderr
        self.assertEqual(said.count("warning"), 1, said)
        self.assertIn("code: warning[HK0308]: it is compiled with -march=native", said)
        self.assertNotIn("warning", self.hocket("build", "code", "--cc", "cc -O3").stderr)

    def test_doctor_of_a_folder(self):
        self.source()
        said = self.hocket("doctor", "code", exit=3).stderr
        self.assertEqual(said, "code: error[HK0201]: there is no plugin (.so) in the folder\n"
                               "  hint: 'hocket build code' makes one\n")
        self.hocket("build", "code")
        self.assertRegex(self.hocket("doctor", "code").stdout, r"(?m)^ok +plugin +thing\.so by ")

    def tool(self, *words, exit):
        done = subprocess.run([self.folder / "tool", *words], cwd=self.folder, env=environment(), capture_output=True,
                              encoding="utf-8", check=False)
        self.assertEqual(done.returncode, exit, done.stderr)
        return done.stderr

    def test_a_tool_speaks_for_itself(self):
        source = self.source("*(volatile int *)NULL = 1")
        self.hocket("build", "code")
        self.hocket("build", "s.system", "--no-fused", "-o", "tool")
        source.write_text(source.read_text() + "/* more */\n")
        os.utime(source, (2e9, 2e9))
        said = self.tool("--stop-time", "1", exit=4)
        self.assertRegex(said, r"^tool: error\[HK0506\]: component '[ab]': crashed")
        self.assertNotIn("hocket", said)


if __name__ == "__main__":
    main("--hocket", "--source")
