#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Worlds with mistakes: one message each, with its place, and the right exit status."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, Case, call, main, quick_cc  # noqa: E402

SYSTEMS = r"""
#include <hk/world.h>
#include <stdlib.h>
typedef struct Body { double z, v; } Body;
static const hk_port fields[] = {HK_PORT(Body, z, HK_LOCAL, HK_TYPE_F64, .unit = "m"),
                                 HK_PORT(Body, v, HK_LOCAL, HK_TYPE_F64, .unit = "m/s")};
static const hk_component_type body = {HK_COMPONENT(Body), .fields = fields, .field_count = 2};
static const hk_family all[] = {{.with = "Body"}}, wrong[] = {{.with = "Bodi"}};
static int still(void *self, hk_view *view, double t, double h) { return (void)self, (void)view, (void)t, (void)h, HK_STEP_OK; }
static int sneak(void *self, hk_view *view, double t, double h) {
    (void)self, (void)t, (void)h;
    for (const hk_batch *b = hk_batches(view, 0); b; b = b->next)
        ((Body *)hk_batch_write(b, 0))->z += 1;
    return HK_STEP_OK;
}
static int crash(void *self, hk_view *view, double t, double h) {
    (void)self, (void)view, (void)h;
    if (t > 0.05)
        abort();
    return HK_STEP_OK;
}
static int fail(void *self, hk_view *view, double t, double h) { return (void)self, (void)view, (void)t, (void)h, 7; }
static const char *why(const void *self) { return (void)self, "the rope is too short"; }
static int twin(void *self, hk_view *view, double t, double h) {
    (void)self, (void)t, (void)h;
    view->calls->create(view->world, "twin");
    return HK_STEP_OK;
}
static int foreign(void *self, hk_view *view, double t, double h) {
    (void)self, (void)t, (void)h;
    view->calls->give(view->world, view->calls->create(view->world, NULL), "Engine", NULL);
    return HK_STEP_OK;
}
#define SYSTEM(name, f, does, ...) static const hk_system_type name = {HK_SYSTEM(name), .families = f, .family_count = 1, .step = does, __VA_ARGS__}
SYSTEM(Mover, all, still, .writes = "Body.z");
SYSTEM(Other, all, still, .writes = "Body");
SYSTEM(Lost, wrong, still);
SYSTEM(Liar, all, still, .writes = "Body.mass");
SYSTEM(Sneak, all, sneak, .writes = "Body.v");
SYSTEM(Crash, all, crash);
SYSTEM(Fail, all, fail, .complaint = why);
SYSTEM(Twin, all, twin);
SYSTEM(Foreign, all, foreign);
static const hk_component_type *const components[] = {&body, NULL};
static const hk_system_type *const systems[] = {&Mover, &Other, &Lost, &Liar, &Sneak, &Crash, &Fail, &Twin, &Foreign, NULL};
static const hk_world_types types = {HK_WORLD_ABI, sizeof types, components, systems};
const hk_world_types *hk_world_plugin(void) { return &types; }
"""

PLUGIN = []


class Bad(Case):
    def setUp(self):
        super().setUp()
        if not PLUGIN:
            self.write("systems.c", SYSTEMS)
            call(quick_cc(), "-shared", "-fPIC", "-g", f"-I{OPTIONS.source}/include", "-o", "systems.so", "systems.c",
                 cwd=self.scratch)
            PLUGIN.append((self.scratch / "systems.so").read_bytes())
        (self.scratch / "systems.so").write_bytes(PLUGIN[0])

    def refuse(self, body, *says, exit=1, verb="check", around=""):
        self.write("bad.system", f"""system S {{
  experiment stop 0.1 step 10 ms;
  composite top {{
    {around}
    world w {{
      plugin "systems.so";
      {body}
    }}
  }}
}}
""")
        done = self.hocket(verb, "bad.system", *(["-o", "o.csv"] if verb == "run" else []), exit=exit)
        said = done.stdout + done.stderr
        for words in says:
            self.assertIn(words, said)
        if verb == "check":
            self.assertIn("bad.system:", said)
        self.assertEqual(said.count("error["), 1, said)

    def test_names(self):
        self.refuse("entity a; entity a;", "has two things called 'a'; the other one is in line 7")
        self.refuse("system Mover; entity Mover;", "has two things called 'Mover'")
        self.refuse("entity a { Bode { z = 1; } }", "no component type 'Bode'", "did you mean 'Body'?")
        self.refuse("entity a { Body { x = 1; } }", "has no parameter 'a.Body.x'")
        self.refuse("entity a { Body { z = 1; z = 2; } }", "'a.Body.z' is set twice")
        self.refuse("entity a { Body; Body; }", "has the component 'Body' twice")
        self.refuse("system Muver;", "no system type 'Muver'", "did you mean 'Mover'?")
        self.refuse("system Mover { param g = 1; }", "has no parameter 'Mover.g'")
        self.refuse("entity a { Body { z = 1 \"kg\"; } }", "kg")

    def test_parents(self):
        self.refuse("entity a { parent b; } entity b { parent a; }", "is above itself")
        self.refuse("entity a { parent a; }", "is above itself")
        self.refuse("entity a { parent x; }", "'x' cannot be the parent of 'a'")

    def test_systems(self):
        self.refuse("system Mover; system Other;", "systems 'Mover' and 'Other' both write 'Body.z'", "priority")
        self.refuse("system Lost;", "names the component 'Bodi', which is not known", "'Body'")
        self.refuse("system Liar;", "'Body.mass', which is not known")
        self.refuse("period 10 ms; system Mover { period 15 ms; }", "is not a multiple")
        self.refuse("system Mover { cost 1 ms; }", "not for a system of a world", exit=3)

    def test_variants(self):
        self.refuse("entity a { variant x { Body; } variant x { tag t; } }", "the same name", exit=3)
        self.refuse("entity a { variant absent { Body; } }", "cannot be called 'absent'", exit=3)
        self.refuse("entity a [5] { variant x { Body; } }", "alone", exit=3)
        self.refuse("entity a [0] { Body; }", "not a number of entities", exit=3)
        self.refuse("entity a [5] dormant { Body; }", "cannot be dormant", exit=3)
        self.refuse("entity a { Body; leaf l : nothing; }", "no leaf type 'nothing'")
        self.refuse("entity a { Pose; variant x { leaf l : hk.Gain; link l.y -> \"Pose.position[3]\"; } }",
                    "one element of 'a.Pose.position[3]' cannot be linked inside a variant")
        self.refuse("entity a { Pose; leaf l : hk.Gain; link l.y -> \"Pose.world_position[1]\"; }", "is an output")

    def test_plugins(self):
        (self.scratch / "systems.so").unlink()
        self.refuse("system Mover;", "the plugin 'systems.so' is not there", "hocket build", exit=3)
        self.write("systems.so", "nothing")
        self.refuse("system Mover;", "cannot be loaded", exit=3)

    def test_runs(self):
        entity = " entity a { Body; }"
        self.refuse("system Sneak;" + entity, "system 'Sneak' writes 'Body.z', and does not say so", exit=4, verb="run")
        self.refuse("system Fail;" + entity, "step of system 'Fail' returned 7: the rope is too short", "t = 0 s",
                    exit=4, verb="run")
        self.refuse("system Twin;" + entity, "entity 'twin': the name is used already", "t = 0.01 s", exit=4,
                    verb="run")
        self.refuse("system Twin; entity twin { Body; }", "makes entity 'twin', which the file declares", exit=4,
                    verb="run")
        self.refuse("system Foreign;" + entity, "names the component 'Engine', which is not known", exit=4, verb="run")
        self.refuse("system Crash;" + entity, "'w'", "step of system 'Crash'", exit=4, verb="run")

    def test_scenarios(self):
        self.write("good.system", """system S { composite top { world w { plugin "systems.so"; system Mover;
          entity a { variant x { Body; } } entity many [3] { Body; } } } }""")
        for action, says in (
                ('remove "w.b";', "world 'w' has no entity or system 'b'"),
                ('remove "nowhere.b";', "'nowhere.b' is not in a world"),
                ('change "w.a" to y;', "entity 'a' has no variant 'y'"),
                ('change "w.Mover" to y;', "is a system, which has no variants"),
                ('remove "w.many";', "is many entities"),
                ('"w.a.Body.z" = 1;', "cannot be set")):
            self.write("s.simulation", f"""Simulation s (s)
system good;
simulationTime [0, 1]:0.1;
scenarios {{ Scenario one events {{ instant 0.5 {{ {action} }} }} }}
""")
            done = self.hocket("check", "s.simulation", exit=1)
            self.assertIn(says, done.stdout)
            self.assertIn("s.simulation:4:", done.stdout)


main()
