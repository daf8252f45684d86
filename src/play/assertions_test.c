/* SPDX-License-Identifier: MIT
 *
 * Mistakes of ours, made on purpose: functions of engine, plan and play that are called with what
 * they cannot be called with, and structures that something has spoilt. Each, in a process of its
 * own, is caught by an assertion that says what does not hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/bind_stages.h"
#include "engine/snapshot.h"
#include "play/play_internal.h"
#include "show.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* A counter and a gain that listens to it; planned, made and run for two steps. */
static rig r;

static void begin(void) {
    rig_begin(&r, "1", "10", NULL);
    rig_add(&r, "count", &show_counter_type, NULL, NULL);
    rig_add(&r, "gain", &show_gain_type, NULL, NULL);
    rig_connect(&r, "count.y", "gain.u");
    rig_record(&r, "count.y");
    rig_record(&r, "gain.y");
    if (rig_start(&r) != HK_OK || hk_sim_run_until(r.sim, 2) != HK_OK)
        _exit(97);
}

/* ---- the engine ---- */

static void model_not_lowered(void) {
    hk_sim *sim;
    r.model->lowered = false;
    (void)!hk_sim_create(r.ctx, r.plan, &r.options, &sim);
}

static void no_options(void) {
    hk_sim *sim;
    (void)!hk_sim_create(r.ctx, r.plan, NULL, &sim);
}

static void columns_not_laid_out(void) {
    hk_sim *sim;
    r.columns[0].offset = r.columns[1].offset = 0;
    (void)!hk_sim_create(r.ctx, r.plan, &r.options, &sim);
}

static void column_of_nobody(void) {
    hk_sim *sim;
    r.columns[1].component = 2;
    (void)!hk_sim_create(r.ctx, r.plan, &r.options, &sim);
}

static void rows_that_go_back(void) {
    hk_sim *sim;
    r.listener.interval = -1;
    (void)!hk_sim_create(r.ctx, r.plan, &r.options, &sim);
}

static void interval_lost(void) {
    r.sim->rows.interval = 0;
    (void)!hk_sim_run(r.sim);
}

static void clock_before_the_start(void) {
    *r.sim->time.clock = -1;
    (void)!hk_sim_run(r.sim);
}

static void cells_lost(void) {
    r.sim->loop.cells = NULL;
    (void)!hk_sim_run(r.sim);
}

static void no_such_listener(void) {
    hk_sim_end_rows(r.sim, 1);
}

static void state_of_another_system(void) {
    hk_snapshot other = {.state_count = 3};
    (void)!hk_sim_restore(r.sim, &other);
}

static void lane_not_entered(void) {
    hk_lane_leave(&r.sim->threads.self);
}

static void no_such_component(void) {
    bool changed;
    (void)!hk_sim_stop_component(r.sim, 2, &changed);
}

static void no_such_variable(void) {
    double value = 1;
    (void)!hk_sim_write(r.sim, 1, 5, &(hk_value){HK_TYPE_F64, 1, &value});
}

static void no_such_connection(void) {
    (void)!hk_sim_add_fault(r.sim, 1, &(hk_fault){.kind = HK_FAULT_DROP});
}

static void copy_of_no_connection(void) {
    (void)hk_wiring_general(r.sim, 1);
}

/* ---- the plan ---- */

static void plan_of_what_is_not_lowered(void) {
    hk_plan *plan;
    r.model->lowered = false;
    (void)!hk_plan_make(r.ctx, r.model, &(hk_plan_options){0}, &plan);
}

static void step_that_does_not_fit(void) {
    r.model->experiment.step = (hk_ratio){1, 7};
    (void)hk_plan_row_interval(r.plan);
}

static void period_of_nothing(void) {
    (void)hk_plan_newer_count(0, 0, 1, 0, 0, false);
}

static void no_such_hop(void) {
    (void)hk_plan_hop(r.plan, 1);
}

static void past_of_no_connection(void) {
    (void)!hk_plan_keep_past(r.ctx, r.plan, 1, (hk_ratio){1, 1}, HK_NOWHERE);
}

/* ---- the player ---- */

static void play_without_a_plan(void) {
    hk_simulation simulation = {.model = r.model};
    hk_play_report *report;
    (void)!hk_play(r.ctx, &(hk_assembly){.simulation = &simulation, .model = r.model},
                   &(hk_play_options){0}, &report);
}

static void plan_of_another_model(void) {
    hk_sim *sim;
    (void)!hk_assembly_simulate(r.ctx, &(hk_assembly){.model = NULL}, r.plan, &r.options, &sim);
}

static void more_samples_than_room(void) {
    hk_samples samples = {0};
    hk_measure_take(&samples, 0, 0);
}

static void run_of_no_scenario(void) {
    hk_simulation simulation = {.model = r.model, .scenario_count = 1};
    hk_stage stage = {.simulation = &simulation, .plan = r.plan};
    hk_play_run run;
    hk_run_play(r.ctx, r.model->arena, &stage, (hk_run_key){1, 0}, &run);
}

static const struct {
    const char *name;
    void (*mistake)(void);
    const char *said;
} cases[] = {
    {"model not lowered", model_not_lowered, "'plan->model->lowered'"},
    {"no options", no_options, "'ctx && plan && options && ret_sim'"},
    {"columns not laid out", columns_not_laid_out, "'columns[i].offset >= size'"},
    {"column of nobody", column_of_nobody, "'columns[i].component < model->component_count'"},
    {"rows that go back", rows_that_go_back, "'l->interval >= 0 && "},
    {"interval lost", interval_lost, "'sim->rows.interval > 0'"},
    {"clock before the start", clock_before_the_start, "'*sim->time.clock >= sim->plan->start'"},
    {"cells lost", cells_lost, "'sim->loop.rate_count == 0 || sim->loop.cells'"},
    {"no such listener", no_such_listener, "'listener < sim->listening.count'"},
    {"state of another system", state_of_another_system,
     "'snapshot->state_count == sim->model->component_count'"},
    {"lane not entered", lane_not_entered, "'here == l'"},
    {"no such component", no_such_component, "'component < sim->model->component_count'"},
    {"no such variable", no_such_variable, "'variable < sim->model->components[component]"},
    {"no such connection", no_such_connection, "'connection < sim->model->connection_count'"},
    {"copy of no connection", copy_of_no_connection, "'index < sim->model->connection_count'"},
    {"plan of what is not lowered", plan_of_what_is_not_lowered, "'model->lowered'"},
    {"step that does not fit", step_that_does_not_fit, "'fits && interval > 0'"},
    {"period of nothing", period_of_nothing, "'producer_period > 0 && consumer_period > 0'"},
    {"no such hop", no_such_hop, "'hop < hk_hop_count(plan)'"},
    {"past of no connection", past_of_no_connection,
     "'connection < plan->model->connection_count'"},
    {"play without a plan", play_without_a_plan, "'made->simulation && made->plan'"},
    {"plan of another model", plan_of_another_model, "'plan->model == assembly->model'"},
    {"more samples than room", more_samples_than_room, "'samples->count < samples->cap'"},
    {"run of no scenario", run_of_no_scenario,
     "'key.scenario < stage->simulation->scenario_count'"},
};

static _Noreturn void child(int out, void (*mistake)(void)) {
    signal(SIGABRT, SIG_DFL); /* the test framework has a handler of its own */
    signal(SIGSEGV, SIG_DFL);
    dup2(out, STDERR_FILENO);
    begin();
    mistake();
    _exit(96); /* nobody noticed */
}

static void each_is_caught(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int ends[2], status;
        char text[1024];
        size_t n = 0;
        ssize_t got;
        assert_int_equal(pipe(ends), 0);
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0)
            child(ends[1], cases[i].mistake);
        close(ends[1]);
        while (n + 1 < sizeof text && (got = read(ends[0], text + n, sizeof text - 1 - n)) > 0)
            n += (size_t)got;
        text[n] = '\0';
        close(ends[0]);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT || !strstr(text, "error[HK0902]") ||
            !strstr(text, cases[i].said))
            fail_msg("%s: status %x, said: %s", cases[i].name, (unsigned)status, text);
    }
}

/* Without a mistake nothing is caught. */
static void none_without_a_mistake(void **state) {
    (void)state;
    begin();
    assert_int_equal(hk_sim_run(r.sim), HK_OK);
    rig_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_is_caught),
                                       cmocka_unit_test(none_without_a_mistake)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
