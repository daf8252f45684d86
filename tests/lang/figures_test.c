/* SPDX-License-Identifier: MIT
 *
 * The two listings of the paper (Fig. 3: types, Fig. 10: a simulation) are read as printed there,
 * with any line ends. */
#include "base/file.h"
#include "parse_rig.h"

static const char *read_text(rig *r, const char *name) {
    char *data;
    size_t size;
    const char *path = hk_path_join(r->arena, HK_TEST_FOLDER, name);
    assert_int_equal(hk_file_read(r->ctx, path, 0, &data, &size), HK_OK);
    const char *text = hk_arena_strndup(r->arena, data, size);
    hk_free(data);
    return text;
}

static void test_figure_3(void **state) {
    rig *r = *state;
    const char *text = read_text(r, "figure3.types");
    const hk_typefile *file = rig_types(r, text);
    assert_int_equal(file->declaration_count, 2);
    const hk_declaration *first = &file->declarations[0], *top = &file->declarations[1];
    assert_string_equal(first->name.text, "CurrentTypes");
    assert_string_equal(top->name.text, "");
    const hk_interfacedecl *source = &first->sections[0].interfaces[0];
    assert_string_equal(source->name.text, "CurrentSource");
    assert_int_equal(source->function_count, 2);
    assert_string_equal(source->functions[0].result.text, "core.bool");
    assert_true(source->functions[0].result.quoted);
    assert_string_equal(source->functions[0].arguments[1].type.text, "core.Coordinate2D");
    assert_int_equal(source->functions[0].at.before_count, 2);
    const hk_leaftype *leaf = &top->sections[0].leaves[0];
    assert_int_equal(leaf->section_count, 2);
    assert_int_equal(leaf->sections[0].kind, HK_SECTION_PROVIDED);
    assert_string_equal(leaf->sections[0].uses[1].interface.text, "CurrentSource");
    assert_string_equal(leaf->sections[0].uses[1].name.text, "pSinModelSource");
    assert_int_equal(leaf->sections[1].count, 5);
    assert_string_equal(leaf->sections[1].decls[4].at.behind, "// offset s");
    assert_true(same_types(file, rig_types(r, rig_crlf(r, text))));
}

static void test_figure_10(void **state) {
    rig *r = *state;
    const char *text = read_text(r, "figure10.simulation");
    const hk_simulationfile *file = rig_simulation(r, text);
    assert_string_equal(file->name.text, "AuvSimulation");
    assert_string_equal(file->unit.text, "ms");
    assert_string_equal(file->system.text, "auv");
    assert_string_equal(file->stop.text, "1800000");
    assert_string_equal(file->step.text, "1");
    assert_string_equal(file->start.at.behind, "// simulation from 0 to 1 800 s, step of 1ms");
    assert_int_equal(file->begin.count, 12);
    const hk_statement *call = &file->begin.statements[3];
    assert_int_equal(call->kind, HK_SAY_CALL);
    assert_string_equal(call->other.text, "environment.CurrentConfig.setSpeed");
    assert_int_equal(call->argument_count, 2);
    assert_string_equal(call->arguments[1].label.text, "p2");
    assert_string_equal(call->arguments[1].value.text, "45.0");
    assert_int_equal(call->arguments[1].value.kind, HK_LITERAL_TEXT);
    assert_int_equal(file->scenario_count, 1);
    const hk_scenariodecl *scenario = &file->scenarios[0];
    assert_string_equal(scenario->repetitions.text, "10");
    assert_int_equal(scenario->event_count, 3);
    assert_string_equal(scenario->events[2].from.text, "2700000");
    assert_int_equal(scenario->events[2].at.line, 42);
    assert_true(scenario->finish.given && scenario->finish.count == 0);
    assert_string_equal(scenario->logs[0].file.text, "DronePosition.csv");
    assert_string_equal(scenario->logs[0].period.text, "1.0");
    assert_int_equal(scenario->logs[0].signal_count, 1);
    assert_true(file->finish.given);
    assert_true(same_simulation(file, rig_simulation(r, rig_crlf(r, text))));
    /* what the canonical form changes */
    const char *printed = hk_simulation_print(r->arena, file);
    assert_null(strstr(printed, "\"1.0\""));
    assert_null(strstr(printed, "};"));
    assert_non_null(strstr(printed, "p1: \"environment.CurrentConfig.setSpeed.speed\" = 1.0,\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {RIG_TEST(test_figure_3), RIG_TEST(test_figure_10)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
