/* SPDX-License-Identifier: MIT
 *
 * A small simulation made by hand and played in a test: a rig with one or two scenarios, and the
 * logs that it has written as text. */
#ifndef HK_TEST_SHOW_H
#define HK_TEST_SHOW_H

#include "base/file.h"
#include "base/number.h"
#include "play/play.h"
#include "rig.h"

#include <math.h>
#include <stdio.h>

enum { SHOW_SCENARIOS = 2, SHOW_PLACES = 16 };

typedef struct show {
    rig r;
    hk_simulation simulation;
    hk_scenario scenarios[SHOW_SCENARIOS];
    hk_event events[SHOW_SCENARIOS][SHOW_PLACES];
    hk_expectation expectations[SHOW_SCENARIOS][SHOW_PLACES];
    hk_scenario_log logs[SHOW_SCENARIOS][SHOW_PLACES];
    hk_play_options options;
    hk_request request;
    hk_play_report *report;
} show;

static inline void show_begin(show *s, const char *step, const char *stop) {
    memset(s, 0, sizeof *s);
    rig_begin(&s->r, step, stop, NULL);
    const char *folder;
    assert_int_equal(hk_folder_temporary(s->r.ctx, s->r.model->arena, &folder), HK_OK);
    s->options = (hk_play_options){.folder = folder, .only_run = -1, .trace = true};
    s->simulation = (hk_simulation){.name = "show",
                                    .file = "show.simulation",
                                    .model = s->r.model,
                                    .scenarios = s->scenarios,
                                    .scenario_count = 1};
    static const char *const names[] = {"first", "second"};
    for (int i = 0; i < SHOW_SCENARIOS; i++)
        s->scenarios[i] = (hk_scenario){.name = names[i],
                                        .repetitions = 1,
                                        .events = s->events[i],
                                        .expectations = s->expectations[i],
                                        .logs = s->logs[i],
                                        .where = {.file = "show.simulation", .line = 100 + i}};
}

/* Does what the rig would do in rig_start: check and lower the model, once it is complete. */
static inline void show_ready(show *s) {
    assert_int_equal(hk_check_model(s->r.ctx, s->r.model), HK_OK);
    hk_model_lower(s->r.model);
}

static inline hk_status show_play(show *s) {
    hk_play_report_destroy(s->report);
    s->report = NULL;
    hk_assembly made;
    hk_assembly_take(&s->request, s->r.model, &s->simulation, &made);
    made.settings.algorithm = s->r.algorithm;
    hk_status status = hk_assembly_plan(s->r.ctx, &made, false);
    if (status == HK_OK)
        status = hk_play(s->r.ctx, &made, &s->options, &s->report);
    hk_assembly_close(&made);
    return status;
}

static inline void show_end(show *s) {
    hk_play_report_destroy(s->report);
    hk_folder_remove(s->options.folder);
    rig_end(&s->r);
}

/* The actions are copied. */
static inline hk_actions show_actions(show *s, size_t count, const hk_action *all) {
    hk_actions list = {HK_NEW_ARRAY(s->r.model->arena, hk_action, count), count};
    memcpy(list.all, all, count * sizeof *all);
    return list;
}
#define DO(s, ...)                                                                                 \
    show_actions((s), sizeof((hk_action[]){__VA_ARGS__}) / sizeof(hk_action),                      \
                 (hk_action[]){__VA_ARGS__})

static inline hk_action show_set(show *s, const char *path, const char *text) {
    hk_action a = {.kind = HK_ACTION_SET};
    rig_find(&s->r, path, &a.component, &a.variable);
    const hk_variable *v = &s->r.model->components[a.component].info->variables[a.variable];
    hk_arena *arena = s->r.model->arena;
    assert_true(hk_value_parse(arena, v->type, v->count, v->enumeration, text, &a.value));
    a.words = hk_arena_printf(arena, "set %s = %s", path, text);
    return a;
}

static inline hk_action show_ramp(show *s, const char *path, const char *text, const char *over) {
    hk_action a = show_set(s, path, text);
    a.kind = HK_ACTION_RAMP;
    a.over = rig_seconds(over);
    a.words = hk_arena_printf(s->r.model->arena, "ramp %s to %s over %s", path, text, over);
    return a;
}

static inline hk_action show_activity(show *s, hk_action_kind kind, uint32_t component) {
    uint32_t *list = HK_NEW_ARRAY(s->r.model->arena, uint32_t, 1);
    *list = component;
    const char *word = kind == HK_ACTION_STOP ? "stop" : "start";
    return (hk_action){.kind = kind,
                       .components = list,
                       .component_count = 1,
                       .words = hk_arena_printf(s->r.model->arena, "%s %s", word,
                                                s->r.model->components[component].name)};
}

static inline hk_action show_fault(show *s, uint32_t connection, hk_fault fault) {
    uint32_t *list = HK_NEW_ARRAY(s->r.model->arena, uint32_t, 1);
    *list = connection;
    return (hk_action){.kind = HK_ACTION_FAULT,
                       .fault = fault,
                       .connections = list,
                       .connection_count = 1,
                       .words = hk_fault_name(fault.kind)};
}

static inline hk_event *show_event(show *s, hk_event event) {
    hk_scenario *scenario = &s->scenarios[0];
    assert_true(scenario->event_count < SHOW_PLACES);
    event.where = (hk_where){.file = "show.simulation", .line = (int)scenario->event_count + 10};
    scenario->events[scenario->event_count] = event;
    return &scenario->events[scenario->event_count++];
}

static inline void show_at(show *s, const char *when, hk_actions actions) {
    show_event(s, (hk_event){.kind = HK_AT, .from = rig_seconds(when), .actions = actions});
}

static inline void show_during(show *s, const char *from, const char *to, hk_actions actions) {
    show_event(s, (hk_event){.kind = HK_DURING,
                             .from = rig_seconds(from),
                             .to = rig_seconds(to),
                             .actions = actions});
}

static inline const hk_test *show_test(show *s, const char *path, hk_relation relation,
                                       double number) {
    hk_test *t = HK_NEW(s->r.model->arena, hk_test);
    t->left.is_signal = true;
    rig_find(&s->r, path, &t->left.signal.component, &t->left.signal.variable);
    t->relation = relation;
    t->right.number = number;
    t->words = path;
    return t;
}

static inline hk_expectation *show_expect(show *s, hk_expectation expectation) {
    hk_scenario *scenario = &s->scenarios[0];
    size_t n = scenario->expectation_count++;
    assert_true(n < SHOW_PLACES);
    expectation.where = (hk_where){.file = "show.simulation", .line = (int)n + 50};
    if (!expectation.words)
        expectation.words = "words";
    scenario->expectations[n] = expectation;
    return &scenario->expectations[n];
}

/* PATHS: separated by spaces; scalars only. */
static inline void show_log_in(show *s, size_t scenario, const char *file, const char *period,
                               const char *paths) {
    hk_arena *arena = s->r.model->arena;
    hk_scenario_log *log = &s->logs[scenario][s->scenarios[scenario].log_count++];
    hk_signal *signals = HK_NEW_ARRAY(arena, hk_signal, 16);
    const char **names = HK_NEW_ARRAY(arena, const char *, 16);
    *log = (hk_scenario_log){.file = file,
                             .period = rig_seconds(period),
                             .signals = signals,
                             .names = names,
                             .where = {.file = "show.simulation", .line = 90}};
    while (*paths) {
        size_t length = strcspn(paths, " ");
        names[log->count] = hk_arena_strndup(arena, paths, length);
        rig_find(&s->r, names[log->count], &signals[log->count].component,
                 &signals[log->count].variable);
        log->count++;
        paths += length + (paths[length] == ' ');
    }
}

static inline void show_log(show *s, const char *paths) {
    show_log_in(s, 0, "log.csv", "1", paths);
}

/* A file that was written, in the model's arena; NULL: it is not there. */
static inline const char *show_file(show *s, const char *name) {
    hk_arena *arena = s->r.model->arena;
    const char *path = hk_path_join(arena, s->options.folder, name);
    char *data;
    size_t size;
    if (!hk_file_exists(path))
        return NULL;
    assert_int_equal(hk_file_read(s->r.ctx, path, 0, &data, &size), HK_OK);
    const char *text = hk_arena_strndup(arena, data, size);
    hk_free(data);
    return text;
}

enum { SHOW_ROWS = 64 };

/* Column COLUMN (from 1) of log.csv; how many rows there are. */
static inline size_t show_column(show *s, size_t column, double values[SHOW_ROWS]) {
    const char *line = strchr(show_file(s, "log.csv"), '\n') + 1;
    size_t row = 0;
    for (; *line; line = strchr(line, '\n') + 1, row++) {
        const char *cell = line;
        for (size_t i = 0; i < column; i++)
            cell = strchr(cell, ',') + 1;
        assert_true(row < SHOW_ROWS);
        assert_true(hk_read_f64(cell, strcspn(cell, ",\n"), &values[row]));
    }
    return row;
}

/* That column has these values. */
static inline void show_column_is(show *s, size_t column, const double *expected, size_t count) {
    double values[SHOW_ROWS];
    assert_int_equal(show_column(s, column, values), count);
    for (size_t row = 0; row < count; row++)
        if (values[row] != expected[row])
            fail_msg("row %zu, column %zu: %.17g, expected %.17g", row, column, values[row],
                     expected[row]);
}
#define COLUMN_IS(s, column, ...)                                                                  \
    show_column_is((s), (column), (const double[]){__VA_ARGS__},                                   \
                   sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static inline const hk_diag *show_said(const show *s, hk_severity severity, size_t number) {
    for (size_t i = 0; i < hk_ctx_count(s->r.ctx, HK_NOTE); i++) {
        const hk_diag *d = hk_ctx_diag(s->r.ctx, i);
        if (d->severity == severity && number-- == 0)
            return d;
    }
    fail_msg("nothing was said");
    return NULL;
}

static inline void show_trace_is(const show *s, size_t run, const char *expected) {
    char text[4096] = "";
    const hk_play_run *r = &s->report->runs[run];
    for (size_t i = 0; i < r->trace_count; i++) {
        strncat(text, r->trace[i], sizeof text - strlen(text) - 1);
        strncat(text, "\n", sizeof text - strlen(text) - 1);
    }
    assert_string_equal(text, expected);
}

/* ---- components ---- */

/* Counts its steps: y is t if it was never stopped. */
typedef struct show_counter {
    double y;
} show_counter;

static int show_counter_step(void *self, double t, double h) {
    (void)t, (void)h;
    ((show_counter *)self)->y += 1;
    return HK_STEP_OK;
}

static const hk_port show_counter_ports[] = {
    HK_PORT(show_counter, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
};
static const hk_unit_type show_counter_type = {HK_UNIT_TYPE(show_counter),
                                               .ports = show_counter_ports, .port_count = 1,
                                               .step = show_counter_step};

/* y = k u + whole */
typedef struct show_gain {
    double u, k, y;
    int32_t whole;
    hk_bytes mode;
} show_gain;

static int show_gain_step(void *self, double t, double h) {
    (void)t, (void)h;
    show_gain *g = self;
    g->y = g->k * g->u + g->whole;
    return HK_STEP_OK;
}

static const hk_port show_gain_ports[] = {
    HK_PORT(show_gain, u, HK_INPUT, HK_TYPE_F64, .start = "-1"),
    HK_PORT(show_gain, k, HK_PARAMETER, HK_TYPE_F64, .start = "2", .tunable = true),
    HK_PORT(show_gain, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(show_gain, whole, HK_PARAMETER, HK_TYPE_I32, .tunable = true),
    HK_PORT(show_gain, mode, HK_PARAMETER, HK_TYPE_STRING, .start = "calm", .tunable = true),
};
static const hk_unit_type show_gain_type = {HK_UNIT_TYPE(show_gain), .ports = show_gain_ports,
                                            .port_count = 5, .step = show_gain_step};

#endif
