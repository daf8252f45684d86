/* SPDX-License-Identifier: MIT
 *
 * Systems that are right, and what becomes of them. Wrong ones with their messages are in
 * tests/lang/wrong. */
#include "lang/system/system_internal.h"

#include "base/file.h"
#include "model/address.h"
#include "native/native.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char types_text[] =
    "Declaration sea {\n"
    "  dataTypes { Record State { core.Coordinate2D place unit \"m\"; core.double speed unit "
    "\"m/s\"; } Enum Mode { off, on } }\n"
    "  interfaces { Interface Depth { core.double depth(core.Coordinate2D place, core.bool ok); } "
    "}\n"
    "  LeafComponentTypes {\n"
    "    LeafComponentType Boat { inputs { core.double rudder previous; core.double wind; }\n"
    "      outputs { State state; core.double fuel; } requiredInterfaces (Depth rDepth)\n"
    "      parameters { core.double mass = 5 unit \"kg\"; Mode mode = on; State start; } }\n"
    "    LeafComponentType Pilot { inputs { State state; } outputs { core.double rudder; }\n"
    "      parameters { core.double mass = 7 unit \"g\"; } }\n"
    "    LeafComponentType Chart { providedInterfaces (Depth pDepth) }\n"
    "  }\n"
    "}\n";

typedef struct fixture {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *folder;
    hk_model *model;
} fixture;

static void put(fixture *f, const char *name, const char *text) {
    assert_int_equal(
        hk_file_write(f->ctx, hk_path_join(f->arena, f->folder, name), text, strlen(text)), HK_OK);
}

static int set_up(void **state) {
    static fixture f;
    f = (fixture){.ctx = hk_ctx_create(NULL, NULL), .arena = hk_arena_create()};
    assert_int_equal(hk_folder_temporary(f.ctx, f.arena, &f.folder), HK_OK);
    put(&f, "sea.types", types_text);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_model_destroy(f->model);
    hk_folder_remove(f->folder);
    hk_ctx_destroy(f->ctx);
    hk_arena_destroy(f->arena);
    return 0;
}

static hk_status read_system(fixture *f, const char *body) {
    put(f, "s.system",
        hk_arena_printf(f->arena, "system s { import \"sea.types\"; composite root {\n%s\n} }",
                        body));
    return hk_system_read(f->ctx, hk_path_join(f->arena, f->folder, "s.system"), &f->model);
}

static void read_well(fixture *f, const char *body) {
    hk_status status = read_system(f, body);
    for (size_t i = 0; i < hk_ctx_count(f->ctx, HK_NOTE); i++)
        print_message("%s\n", hk_ctx_diag(f->ctx, i)->text);
    assert_int_equal(status, HK_OK);
}

static const hk_connection *connection(const fixture *f, const char *name) {
    for (size_t i = 0; i < f->model->connection_count; i++)
        if (strcmp(hk_connection_name(f->model, &f->model->connections[i]), name) == 0)
            return &f->model->connections[i];
    fail_msg("there is no %s", name);
    return NULL;
}

static const hk_setting *setting(const fixture *f, const char *path) {
    hk_address at;
    assert_true(hk_model_find(f->model, path, &at));
    const hk_component *component = &f->model->components[at.component];
    for (size_t i = component->setting_count; i-- > 0;)
        if (component->settings[i].variable == at.variable)
            return &component->settings[i];
    return NULL;
}

#define CHART "leaf chart : sea.Chart; service boat.rDepth -> chart.pDepth;\n"

static void test_leaf_items(void **state) {
    fixture *f = *state;
    read_well(f, "leaf boat : sea.Boat { frequency 3 Hz; offset 1/6 s; priority -2; inactive;\n"
                 "  param mass = 2 \"t\"; param mode = off; param start.speed = 36 \"km/h\";\n"
                 "  param start.place = {1, 2}; cost 1 ms; deadline 2 ms; overrun skip; }\n"
                 "leaf slow : sea.Chart { period 20 ms; }\n" CHART);
    const hk_component *boat = &f->model->components[0];
    assert_string_equal(boat->name, "boat");
    assert_string_equal(f->model->name, "s");
    assert_string_equal(f->model->root, "root");
    assert_true(boat->period.num == 1 && boat->period.den == 3);
    assert_true(boat->offset.num == 1 && boat->offset.den == 6);
    assert_true(f->model->components[1].period.num == 1 &&
                f->model->components[1].period.den == 50);
    assert_false(f->model->components[2].has_period);
    assert_int_equal(boat->priority, -2);
    assert_true(boat->inactive && boat->has_cost && boat->has_deadline && boat->has_overrun);
    assert_int_equal(boat->overrun, HK_OVERRUN_SKIP);
    assert_true(*(double *)setting(f, "boat.mass")->value.data == 2000);
    assert_int_equal(*(int64_t *)setting(f, "boat.mode")->value.data, 0);
    assert_true(*(double *)setting(f, "boat.start.speed")->value.data == 10);
    assert_true(*(double *)setting(f, "boat.start.place.y")->value.data == 2);
    assert_int_equal(setting(f, "boat.mass")->where.line, 3);
}

static void test_roles(void **state) {
    fixture *f = *state;
    read_well(f, "composite ship role controlled {\n"
                 "  composite hull { leaf a : sea.Chart; }\n"
                 "  composite deck role controlled { leaf b : sea.Chart; }\n"
                 "}\n"
                 "leaf c : sea.Chart;\n");
    const hk_tree_element **leaves = hk_tree_leaves(f->arena, f->model);
    const hk_tree_element *ship = hk_tree_find(f->model->tree->root, "ship");
    assert_int_equal(ship->role, HK_TREE_ROLE_CONTROLLED);
    assert_ptr_equal(hk_tree_role_owner(leaves[0]), ship);
    assert_ptr_equal(hk_tree_role_owner(leaves[1]), hk_tree_find(ship, "deck"));
    assert_string_equal(leaves[2]->name, "c");
    assert_null(hk_tree_role_owner(leaves[2]));
}

/* Through two composites, in both directions, with lags and delays on the way. */
static void test_delegation(void **state) {
    fixture *f = *state;
    read_well(f, "composite ship {\n"
                 "  input core.double order; output sea.State state; output core.double fuel;\n"
                 "  composite hull {\n"
                 "    input core.double rudder; output sea.State out;\n"
                 "    leaf boat : sea.Boat { delay 5 ms; }\n" CHART
                 "    link rudder -> boat.rudder; link boat.state -> out delay 10 ms;\n"
                 "  }\n"
                 "  link order -> hull.rudder lag current;\n"
                 "  link hull.out -> state;\n"
                 "}\n"
                 "leaf pilot : sea.Pilot;\n"
                 "leaf second : sea.Pilot { use state previous; use state.speed observe; }\n"
                 "link ship.state -> pilot.state, second.state;\n"
                 "link pilot.rudder -> ship.order initial 4;\n");
    assert_string_equal(f->model->components[0].name, "ship.hull.boat");
    assert_int_equal(f->model->connection_count, 7);
    const hk_connection *k = connection(f, "ship.hull.boat.state.place.x -> pilot.state.place.x");
    assert_int_equal(k->lag, HK_LAG_DEFAULT);
    assert_true(k->delay.num == 3 && k->delay.den == 200);
    assert_int_equal(connection(f, "ship.hull.boat.state.place.y -> second.state.place.y")->lag,
                     HK_LAG_PREVIOUS);
    assert_int_equal(connection(f, "ship.hull.boat.state.speed -> second.state.speed")->lag,
                     HK_LAG_OBSERVE);
    /* A word on a link is nearer than that of the type. */
    k = connection(f, "pilot.rudder -> ship.hull.boat.rudder");
    assert_int_equal(k->lag, HK_LAG_CURRENT);
    assert_true(*(double *)k->initial.data == 4);
}

static void test_fields_and_modes(void **state) {
    fixture *f = *state;
    read_well(f,
              "leaf boat : sea.Boat;\n" CHART "leaf pilot : sea.Pilot;\n"
              "link boat.state.place -> pilot.state.place; link boat.fuel -> pilot.state.speed;\n"
              "link pilot.rudder -> boat.rudder, boat.wind;\n");
    assert_int_equal(f->model->connection_count, 5);
    assert_int_equal(connection(f, "pilot.rudder -> boat.rudder")->lag, HK_LAG_PREVIOUS);
    assert_int_equal(connection(f, "pilot.rudder -> boat.wind")->lag, HK_LAG_DEFAULT);
    connection(f, "boat.fuel -> pilot.state.speed");
}

/* Initial values are given in the unit of the port they are at. */
static void test_initial_units(void **state) {
    fixture *f = *state;
    read_well(
        f, "composite ship { output core.double speed unit \"km/h\"; leaf boat : sea.Boat;\n" CHART
           "link boat.state.speed -> speed; }\nleaf pilot : sea.Pilot;\n"
           "link ship.speed -> pilot.state.speed initial 36;\n");
    const hk_connection *k = connection(f, "ship.boat.state.speed -> pilot.state.speed");
    assert_true(*(double *)k->initial.data == 10);
}

static void test_root_ports(void **state) {
    fixture *f = *state;
    hk_address at;
    read_well(f, "output sea.State state; leaf boat : sea.Boat;\n" CHART
                 "link boat.state -> state;\n");
    assert_true(hk_model_find(f->model, "state.place.y", &at));
    assert_string_equal(hk_address_variable(f->model, &at)->name, "state.place.y");
}

static const hk_delegate *port(const fixture *f, const char *name) {
    uint32_t index = hk_map_get(&f->model->by_delegate, name);
    if (index == HK_MAP_NONE)
        fail_msg("there is no port %s", name);
    return &f->model->delegates[index];
}

static void ends_at(const fixture *f, const hk_delegate *d, size_t end, const char *path) {
    hk_address at;
    assert_true(hk_model_find(f->model, path, &at));
    assert_int_equal(d->ends[end].component, at.component);
    assert_int_equal(d->ends[end].member, at.variable);
}

/* What ports and interfaces of composites stand for. */
static void test_ports(void **state) {
    fixture *f = *state;
    read_well(f, "composite ship {\n"
                 "  input core.double order; output sea.State state; requires sea.Depth rDepth;\n"
                 "  composite hull {\n"
                 "    input core.double rudder; output sea.State out; requires sea.Depth rDepth;\n"
                 "    leaf boat : sea.Boat; leaf second : sea.Boat;\n"
                 "    service boat.rDepth -> rDepth; service second.rDepth -> rDepth;\n"
                 "    link rudder -> boat.rudder, second.rudder; link boat.state -> out;\n"
                 "  }\n"
                 "  link order -> hull.rudder; link hull.out -> state;\n"
                 "  service hull.rDepth -> rDepth;\n"
                 "}\n"
                 "composite charts { provides sea.Depth pDepth; leaf a : sea.Chart;\n"
                 "  service pDepth -> a.pDepth; }\n"
                 "leaf pilot : sea.Pilot; service ship.rDepth -> charts.pDepth;\n"
                 "link ship.state -> pilot.state; link pilot.rudder -> ship.order;\n");
    const hk_delegate *d = port(f, "ship.state.speed");
    assert_int_equal(d->kind, HK_DELEGATE_OUTPUT);
    assert_int_equal(d->end_count, 1);
    ends_at(f, d, 0, "ship.hull.boat.state.speed");
    assert_int_equal(d->connection_count, 1);
    assert_ptr_equal(&f->model->connections[d->connections[0]],
                     connection(f, "ship.hull.boat.state.speed -> pilot.state.speed"));
    d = port(f, "ship.order");
    assert_int_equal(d->kind, HK_DELEGATE_INPUT);
    assert_int_equal(d->end_count, 2);
    ends_at(f, d, 0, "ship.hull.boat.rudder");
    ends_at(f, d, 1, "ship.hull.second.rudder");
    assert_int_equal(d->connection_count, 2);
    d = port(f, "ship.rDepth");
    assert_int_equal(d->kind, HK_DELEGATE_REQUIRED);
    assert_int_equal(d->end_count, 2);
    assert_string_equal(f->model->components[d->ends[1].component].name, "ship.hull.second");
    d = port(f, "charts.pDepth");
    assert_int_equal(d->kind, HK_DELEGATE_PROVIDED);
    assert_int_equal(d->end_count, 1);
    assert_string_equal(f->model->components[d->ends[0].component].name, "charts.a");
}

static void test_services(void **state) {
    fixture *f = *state;
    read_well(f,
              "composite charts { provides sea.Depth pDepth;\n"
              "  leaf a : sea.Chart; leaf b : sea.Chart; service pDepth -> a.pDepth, b.pDepth; }\n"
              "composite ship { requires sea.Depth rDepth; leaf boat : sea.Boat;\n"
              "  service boat.rDepth -> rDepth; }\n"
              "leaf c : sea.Chart; leaf other : sea.Boat;\n"
              "service ship.rDepth -> c.pDepth, charts.pDepth; service other.rDepth -> "
              "c.pDepth;\n");
    assert_int_equal(f->model->requirement_count, 2);
    const hk_requirement *r = f->model->requirements;
    assert_int_equal(r[0].candidate_count, 3);
    assert_int_equal(r[0].bound, HK_MAP_NONE);
    static const char *const names[] = {"c", "charts.a", "charts.b"};
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(f->model->components[r[0].candidates[i].component].name, names[i]);
    assert_int_equal(r[1].candidate_count, 1);
    assert_int_equal(r[1].bound, 0);
    /* Calls can be checked without a behaviour. */
    const hk_interface *depth = f->model->components[0].info->services[0].definition;
    assert_string_equal(depth->name, "sea.Depth");
    assert_int_equal(depth->functions[0].argument_count, 2);
    assert_int_equal(depth->functions[0].arguments[0].size, 16);
    assert_int_equal(depth->functions[0].arguments[0].fields[1].offset, 8);
}

static void test_share(void **state) {
    fixture *f = *state;
    read_well(f, "leaf boat : sea.Boat { param mass = 3; }\n" CHART
                 "composite c { leaf pilot : sea.Pilot; }\nshare boat.mass -> c.pilot.mass;\n");
    assert_int_equal(f->model->shared_count, 1);
    assert_true(f->model->shared[0].others->transform.factor == 1000);
    assert_null(f->model->shared[0].others->next);
    assert_true(*(double *)setting(f, "c.pilot.mass")->value.data == 3000);
    const hk_connection *k = &f->model->connections[f->model->connection_count - 1];
    assert_true(k->shared && k->lag == HK_LAG_CURRENT && k->from_component == 0);
    tear_down(state);
    set_up(state);
    f = *state;
    read_well(f, "leaf boat : sea.Boat { param mass = 3; }\n" CHART
                 "leaf pilot : sea.Pilot;\nshare boat.mass -> pilot.mass lag previous;\n");
    assert_int_equal(f->model->connections[f->model->connection_count - 1].lag, HK_LAG_PREVIOUS);
}

static void test_processors(void **state) {
    fixture *f = *state;
    read_well(f, "leaf boat : sea.Boat;\n" CHART "composite c { leaf p : sea.Pilot; leaf q : "
                 "sea.Pilot; }\nprocessor one: boat chart; processor two: c; cut hla;\n");
    assert_int_equal(f->model->processor_count, 2);
    assert_int_equal(f->model->processors[1].count, 2);
    assert_int_equal(f->model->components[3].processor, 1);
    assert_int_equal(f->model->cut, HK_CUT_HLA);
}

/* Paths lead through the ports of composites, and are said where they belong. */
static void test_ages(void **state) {
    fixture *f = *state;
    read_well(f, "composite ship { output sea.State state;\n"
                 "  composite hull { output sea.State out; leaf boat : sea.Boat;\n" CHART
                 "    link boat.state -> out; freshness boat max 1s; }\n"
                 "  link hull.out -> state; leaf mate : sea.Pilot; link hull.out -> mate.state;\n"
                 "  latency hull.boat -> mate min 0 max 20 ms; }\n"
                 "leaf pilot : sea.Pilot; link ship.state -> pilot.state;\n"
                 "leaf second : sea.Pilot; link ship.state -> second.state;\n"
                 "leaf sum : hk.Sum; link pilot.rudder -> sum.a; link second.rudder -> sum.b;\n"
                 "coincidence pilot -> sum, ship.hull.boat -> second -> sum;\n");
    const hk_constraint *c = f->model->constraints;
    assert_int_equal(f->model->constraint_count, 3);
    assert_int_equal(c[0].kind, HK_FRESHNESS);
    assert_string_equal(hk_model_path_name(f->model, &c[0].paths[0]), "ship.hull.boat");
    assert_true(c[0].has_max && c[0].max.num == 1 && !c[0].has_min);
    assert_int_equal(c[1].kind, HK_LATENCY);
    assert_string_equal(hk_model_path_name(f->model, &c[1].paths[0]),
                        "ship.hull.boat -> ship.mate");
    assert_true(c[1].has_min && c[1].has_max && c[1].max.num == 1 && c[1].max.den == 50);
    assert_int_equal(c[2].kind, HK_COINCIDENCE);
    assert_int_equal(c[2].path_count, 2);
    assert_string_equal(hk_model_path_name(f->model, &c[2].paths[1]),
                        "ship.hull.boat -> second -> sum");
    assert_string_equal(hk_path_name(c[2].where.file), "s.system");
    assert_true(c[2].where.line > 1 && c[2].where.column == 1);
}

static void test_files_and_built_ins(void **state) {
    fixture *f = *state;
    put(f, "winds.csv", "time,u,v\n0,1,2\n1,3,4\n");
    read_well(f, "leaf wind : \"winds.csv\"; leaf gain : hk.Gain; leaf boat : sea.Boat;\n" CHART
                 "link wind.v -> boat.wind;\n");
    assert_int_equal(f->model->components[0].info->stamp, HK_STAMP_START);
    assert_string_equal(f->model->components[1].info->name, "hk.Gain");
    connection(f, "wind.v -> boat.wind");
}

/* ---- does a native type fit? */

typedef struct boat {
    double rudder, wind, x, y, speed, fuel, mass, sx, sy, ss;
    int64_t mode;
    int32_t wrong;
} boat;

static int boat_step(void *self, double t, double h) {
    (void)self, (void)t, (void)h;
    return HK_STEP_OK;
}

#define PORT(n, field, cause, ...)                                                                 \
    { .name = (n), .offset = offsetof(boat, field), .causality = (cause), .type = __VA_ARGS__ }
static hk_port boat_ports[] = {
    PORT("rudder", rudder, HK_INPUT, HK_TYPE_F64),
    PORT("state.place.x", x, HK_OUTPUT, HK_TYPE_F64, .unit = "m"),
    PORT("state.place.y", y, HK_OUTPUT, HK_TYPE_F64),
    PORT("state.speed", speed, HK_OUTPUT, HK_TYPE_F64),
    PORT("gain", mass, HK_PARAMETER, HK_TYPE_F64, .start = "3"),
    PORT("mode", mode, HK_PARAMETER, HK_TYPE_ENUM),
};
static const hk_unit_type boat_type = {HK_UNIT_TYPE(boat), .ports = boat_ports, .port_count = 6,
                                       .step = boat_step};

static const hk_info *fit(fixture *f, const char *leaf) {
    const char *text = hk_arena_printf(
        f->arena, "%s Declaration b { LeafComponentTypes { LeafComponentType T { %s } } }",
        types_text, leaf);
    hk_types *types = hk_types_create();
    const hk_info *info;
    f->model = hk_model_create("m", "m.system");
    hk_model_own(f->model, types, (void (*)(void *))hk_types_destroy);
    assert_int_equal(hk_types_read_text(f->ctx, types, "x.types", text, strlen(text)), HK_OK);
    assert_int_equal(hk_native_info(f->ctx, f->model, &boat_type, &info), HK_OK);
    hk_system s = {.complaints = {.ctx = f->ctx}, .arena = f->arena, .model = f->model};
    bool suffix;
    return hk_system_fit(&s, hk_types_find_leaf(types, "b.T", &suffix), info, true);
}

#define FITTING                                                                                    \
    "inputs { core.double rudder unit \"deg\"; } outputs { sea.State state; } parameters { "       \
    "core.double gain = 4 in [0, 9]; private sea.Mode mode; }"

static void test_fit(void **state) {
    fixture *f = *state;
    const hk_info *info = fit(f, FITTING);
    assert_non_null(info);
    /* What the type knows better is in the description. */
    assert_string_equal(info->variables[0].unit, "deg");
    assert_non_null(info->variables[0].uom);
    assert_string_equal(info->variables[3].unit, "m/s");
    assert_true(info->variables[4].max == 9);
    assert_string_equal(info->variables[5].enumeration->item_names[1], "on");
    assert_true(info->variables[5].hidden && !info->variables[4].hidden);
}

static void test_misfit(void **state) {
    fixture *f = *state;
    const hk_info *info = fit(f, "inputs { core.int rudder; } outputs { sea.State state; } "
                                 "parameters { core.double gian; sea.Mode mode; } stamp start; "
                                 "providedInterfaces (sea.Depth pDepth)");
    assert_null(info);
    const hk_diag *d = hk_ctx_diag(f->ctx, hk_ctx_count(f->ctx, HK_NOTE) - 1);
    assert_int_equal(d->code, HK_E_REGENERATE);
    static const char *const differences[] = {
        "'rudder' is Float64, not Int32", "parameter 'gian' is missing",
        "provided interface 'pDepth' is missing", "'gain' is not in the type",
        "stamp is 'end', not 'start'"};
    for (size_t i = 0; i < 5; i++)
        if (!strstr(d->text, differences[i]))
            fail_msg("no \"%s\" in: %s", differences[i], d->text);
}

/* Every prefix of a system is refused or read, never worse. */
static void test_prefixes(void **state) {
    fixture *f = *state;
    static const char text[] =
        "system s { import \"sea.types\"; composite r { input core.double i; leaf b : sea.Boat { "
        "param mass = 2; use wind previous; } composite c { output sea.State o; leaf b : sea.Boat; "
        "link b.state -> o; } leaf p : sea.Pilot; link c.o -> p.state; link i -> b.wind; service "
        "b.rDepth -> h.pDepth; leaf h : sea.Chart; share b.mass -> p.mass; processor q: b c; } }";
    const char *path = hk_path_join(f->arena, f->folder, "s.system");
    for (size_t n = 0; n < sizeof text; n++) {
        assert_int_equal(hk_file_write(f->ctx, path, text, n), HK_OK);
        hk_model *model = NULL;
        size_t before = hk_ctx_count(f->ctx, HK_ERROR);
        hk_status status = hk_system_read(f->ctx, path, &model);
        assert_true((status == HK_OK) == (model != NULL));
        assert_true((status != HK_OK) == (hk_ctx_count(f->ctx, HK_ERROR) > before));
        hk_model_destroy(model);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_leaf_items),
        TEST(test_roles),
        TEST(test_delegation),
        TEST(test_fields_and_modes),
        TEST(test_root_ports),
        TEST(test_initial_units),
        TEST(test_services),
        TEST(test_share),
        TEST(test_processors),
        TEST(test_ages),
        TEST(test_files_and_built_ins),
        TEST(test_fit),
        TEST(test_misfit),
        TEST(test_prefixes),
        TEST(test_ports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
