/* SPDX-License-Identifier: MIT
 *
 * What whole files become: machines, lines, operations and variables of the module. */
#include "chart/chart.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct rig {
    hk_ctx *ctx;
    hk_arena *arena;
} rig;

static int set_up(void **state) {
    static rig r;
    r = (rig){hk_ctx_create(NULL, NULL), hk_arena_create()};
    *state = &r;
    return 0;
}

static int tear_down(void **state) {
    rig *r = *state;
    hk_ctx_destroy(r->ctx);
    hk_arena_destroy(r->arena);
    return 0;
}

static const hk_chart *read_good(rig *r, const char *name) {
    const hk_chart *chart;
    const char *path = hk_path_join(r->arena, HK_TEST_FOLDER "/good", name);
    hk_status status = hk_chart_read(r->ctx, r->arena, path, NULL, &chart);
    if (status != HK_OK)
        fail_msg("%s: %s", name, hk_ctx_diag(r->ctx, 0)->text);
    return chart;
}

static const hk_chart_node *node(const hk_chart_machine *machine, const char *name) {
    for (uint32_t i = 0; i < machine->node_count; i++)
        if (strcmp(machine->nodes[i].name, name) == 0)
            return &machine->nodes[i];
    fail_msg("no node %s", name);
    return NULL;
}

static const hk_chart_variable *variable(const hk_chart *chart, const char *path) {
    for (uint32_t i = 0; i < chart->variable_count; i++)
        if (strcmp(chart->variables[i].path, path) == 0)
            return &chart->variables[i];
    fail_msg("no variable %s", path);
    return NULL;
}

static void test_rover(void **state) {
    const hk_chart *chart = read_good(*state, "rover.rct");
    assert_string_equal(chart->package, "RoverDetector");
    assert_string_equal(chart->name, "ChemicalDetector");
    assert_string_equal(chart->platform, "Rover");
    assert_int_equal(chart->cycle.num, 1);
    assert_int_equal(chart->controller_count, 2);
    assert_int_equal(chart->machine_count, 2);
    const hk_chart_machine *flag = &chart->machines[0];
    assert_string_equal(flag->path, "c0.s0");
    assert_string_equal(flag->name, "DetectAndFlag");
    assert_int_equal(flag->node_count, 6);
    assert_int_equal(flag->nodes[flag->initial].outgoing_count, 1);
    assert_int_equal(flag->clocks[0].largest, 2);
    const hk_chart_node *go = node(flag, "Go");
    assert_int_equal(go->outgoing_count, 3);
    const hk_chart_transition *turn = &flag->transitions[go->outgoing[0]];
    assert_string_equal(turn->name, "t2");
    assert_string_equal(flag->events[turn->trigger].name, "left");
    assert_string_equal(chart->lines[flag->events[turn->trigger].in].name, "l");
    assert_int_equal(turn->reset_count, 1);
    const hk_chart_stmt *drop = node(flag, "Drop")->entry;
    assert_int_equal(drop->does, HK_CHART_SEQUENTIAL);
    assert_int_equal(drop->part_count, 4);
    assert_int_equal(drop->parts[0]->does, HK_CHART_OPERATE);
    assert_int_equal(drop->parts[2]->does, HK_CHART_SEND);
    assert_int_equal(drop->parts[3]->does, HK_CHART_WAIT);
    assert_true(drop->blocks);
    const hk_chart_line *flagged = &chart->lines[flag->events[3].out];
    assert_int_equal(flagged->kind, HK_CHART_BETWEEN);
    assert_string_equal(flagged->name, "c0.s0.flagged");
    assert_int_equal(flagged->from_machine, 0);
    assert_int_equal(flagged->to_machine, 1);
    assert_true(variable(chart, "as")->platform);
    assert_true(variable(chart, "lv")->constant);
    assert_true(variable(chart, "lv")->start.expr->value.r == 0.5);
}

static void test_chemical(void **state) {
    const hk_chart *chart = read_good(*state, "chemical.rct");
    assert_int_equal(chart->machine_count, 3);
    const hk_chart_machine *moving = &chart->machines[0];
    const hk_chart_transition *left = &moving->transitions[1];
    assert_true(left->stores);
    /* the guard asks what is received, and not what the variable held */
    assert_int_equal(left->guard.expr->op, HK_CHART_EQUAL);
    assert_int_equal(left->guard.expr->args[0]->cell, chart->lines[moving->events[0].in].cell);
    assert_int_equal(left->action->does, HK_CHART_SEND);
    assert_int_equal(left->action->value.expr->op, HK_CHART_LITERAL);
    assert_true(left->action->value.expr->value.r == -90.0);
    const hk_chart_machine *detecting = &chart->machines[1];
    assert_int_equal(detecting->transitions[4].action->does, HK_CHART_DEADLINE);
    assert_null(variable(chart, "flagTime")->start.expr);
    assert_string_equal(variable(chart, "moving.c")->type->name, "Command");
    assert_string_equal(variable(chart, "signalling.c")->type->name, "Chemical");
}

static void test_autonomous(void **state) {
    const hk_chart *chart = read_good(*state, "autonomous/Detector.rct");
    assert_int_equal(chart->machine_count, 3);
    const hk_chart_machine *movement = &chart->machines[0], *change = &chart->machines[1];
    assert_string_equal(change->path, "micro.movement.changeDirection");
    assert_int_equal(change->caller, 0);
    assert_int_equal(change->parameter_count, 1);
    const hk_chart_stmt *avoid = node(movement, "Avoiding")->entry;
    assert_int_equal(avoid->parts[0]->does, HK_CHART_RECEIVE);
    assert_int_equal(avoid->parts[1]->does, HK_CHART_PERFORM);
    assert_int_equal(avoid->parts[1]->machine, 1);
    assert_int_equal(chart->controllers[0].machine_count, 1);
    assert_int_equal(chart->controllers[1].machines[0], 2);
    assert_int_equal(chart->operation_count, 3);
    assert_int_equal(chart->operations[0].kind, HK_CHART_VISIBLE);
    assert_int_equal(chart->operations[2].kind, HK_CHART_HIDDEN);
    assert_int_equal(variable(chart, "gs")->type->size, 1 + 16 * 2);
    assert_string_equal(variable(chart, "movement.lv")->type->name, "real");
    assert_int_equal(chart->function_count, 6);
    assert_true(chart->functions[0]->frame_size > 33);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rover, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_chemical, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_autonomous, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
