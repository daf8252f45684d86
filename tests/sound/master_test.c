/* SPDX-License-Identifier: MIT
 *
 * Masters in words that are run. Those that are made for 100 random systems, many with several
 * rates and offsets, give the bytes of the run without a master under the same lags, and those of
 * the reference interpreter; so do the masters without loops of the corpus (S1, S5, S9, S10) on
 * systems of such components. One wrong call in each is refused at that call. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "mixers.h"
#include "sound/master_file.h"

enum { MASTERS = 100, MULTIRATE = 20 };

/* ---- runs ------------------------------------------------------------------------------------ */

typedef struct wanted {
    hk_column *all;
    size_t count;
} wanted;

static void run_plan(hk_ctx *ctx, const hk_plan *plan, wanted shown, tape *t) {
    hk_sim *sim;
    hk_listener listener = {
        .columns = shown.all, .column_count = shown.count, .sink = {tape_begin, tape_end, t}};
    hk_sim_options options = {.listeners = &listener, .listener_count = 1};
    hk_columns_layout(shown.all, shown.count);
    t->rows = 0;
    assert_int_equal(hk_sim_create(ctx, plan, &options, &sim), HK_OK);
    assert_int_equal(hk_sim_run(sim), HK_OK);
    hk_sim_destroy(sim);
}

static void expect_same(const tape *a, const tape *b, size_t columns) {
    assert_int_equal(a->rows, b->rows);
    for (size_t row = 0; row < a->rows; row++)
        assert_memory_equal(a->cells[row], b->cells[row], columns * sizeof(uint64_t));
    assert_memory_equal(a->times, b->times, a->rows * sizeof *a->times);
}

/* The master is right; then it is run, and the same lags are run without it. */
static void run_both(hk_ctx *ctx, hk_model *model, const hk_master_file *m, wanted shown,
                     hk_plan **ret_plan, tape *ret_tape) {
    static tape without;
    hk_plan *plan;
    assert_int_equal(hk_plan_make(ctx, model, &(hk_plan_options){0}, &plan), HK_OK);
    run_plan(ctx, plan, shown, &without);
    for (size_t i = 0; i < model->connection_count; i++)
        assert_false(plan->connections[i].cut); /* the words are those that are run */
    hk_plan_destroy(plan);
    assert_int_equal(hk_plan_make(ctx, model, &(hk_plan_options){.levels = m->levels}, ret_plan),
                     HK_OK);
    assert_int_equal(hk_master_file_prove(ctx, m, *ret_plan), HK_OK);
    run_plan(ctx, *ret_plan, shown, ret_tape);
    expect_same(&without, ret_tape, shown.count);
}

/* ---- wrong calls ----------------------------------------------------------------------------- */

typedef enum wrong { DOUBLE_STEP, DROPPED_SET, SET_TOO_EARLY, WRONGS } wrong;

/* A text in lines; all from BEGIN on are calls of the step, one a line. */
typedef struct lines {
    char *text[1024];
    size_t count, begin;
} lines;

static lines split(hk_arena *arena, const char *text) {
    lines l = {0};
    while (*text) {
        size_t length = strcspn(text, "\n");
        assert_true(l.count < 1024);
        l.text[l.count++] = hk_arena_strndup(arena, text, length);
        text += length + (text[length] == '\n');
        if (strstr(l.text[l.count - 1], "step {"))
            l.begin = l.count;
    }
    return l;
}

static const char *join(hk_arena *arena, const lines *l) {
    const char *text = "";
    for (size_t i = 0; i < l->count; i++)
        text = hk_arena_printf(arena, "%s%s\n", text, l->text[i]);
    return text;
}

static void insert(lines *l, size_t at, char *text) {
    assert_true(l->count < 1024);
    memmove(&l->text[at + 1], &l->text[at], (l->count - at) * sizeof *l->text);
    l->text[at] = text;
    l->count++;
}

static char *take(lines *l, size_t at) {
    char *text = l->text[at];
    memmove(&l->text[at], &l->text[at + 1], (l->count - at - 1) * sizeof *l->text);
    l->count--;
    return text;
}

/* The line of a call, from 0; -1: there is none. */
static long line_of(const lines *l, const char *word, const char *name) {
    char text[256];
    snprintf(text, sizeof text, "    %s %s;", word, name);
    for (size_t i = l->begin; i < l->count; i++)
        if (strcmp(l->text[i], text) == 0)
            return (long)i;
    return -1;
}

/* Seeds one wrong call. Returns the line, from 1, at which it is to be found; 0: it cannot be. */
static int seed_wrong(lines *l, const hk_sound_system *system, wrong how, uint32_t pick) {
    uint32_t count = (uint32_t)system->port_count;
    if (how == DOUBLE_STEP) {
        const char *name = system->instances[pick % system->instance_count].name;
        long at = line_of(l, "step", name);
        insert(l, (size_t)at + 1, l->text[at]);
        return (int)at + 2;
    }
    for (uint32_t i = 0; i < count; i++) {
        const hk_sound_port *port = &system->ports[(pick + i) % count];
        if (port->source == HK_MAP_NONE)
            continue;
        long at = line_of(l, "set", port->name);
        assert_true(at >= 0);
        if (how == DROPPED_SET) {
            take(l, (size_t)at);
            return (int)line_of(l, "step", system->instances[port->instance].name) + 1;
        }
        const hk_sound_instance *to = &system->instances[port->instance];
        const hk_sound_instance *from = &system->instances[system->ports[port->source].instance];
        bool meet = (to->first - from->first) % hk_gcd(to->rate, from->rate) == 0;
        if (port->reactive && meet) { /* before its source has been stepped */
            insert(l, l->begin, take(l, (size_t)at));
            return (int)l->begin + 1;
        }
    }
    return 0;
}

/* TEXT with one wrong call is refused there. */
static bool expect_refused(hk_model *model, const char *text, wrong how, uint32_t pick) {
    hk_arena *arena = hk_arena_create();
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_master_file *m;
    hk_plan *plan;
    lines l = split(arena, text);
    assert_int_equal(hk_master_text_apply(ctx, arena, model, "right.master", text, &m), HK_OK);
    int line = seed_wrong(&l, m->system, how, pick);
    if (line) {
        assert_int_equal(
            hk_master_text_apply(ctx, arena, model, "wrong.master", join(arena, &l), &m), HK_OK);
        assert_int_equal(hk_plan_make(ctx, model, &(hk_plan_options){.levels = m->levels}, &plan),
                         HK_OK);
        hk_status status = hk_master_file_prove(ctx, m, plan);
        if (status == HK_OK)
            fail_msg("mutation %d is not refused, expected at %d:\n%s", how, line, join(arena, &l));
        const hk_diag *last = hk_ctx_diag(ctx, hk_ctx_count(ctx, HK_NOTE) - 1);
        if (status != HK_E_UNSOUND || last->where.line != line)
            fail_msg("mutation %d: refused at line %d (%s), expected at %d:\n%s", how,
                     last->where.line, last->text, line, join(arena, &l));
        assert_string_equal(last->where.file, "wrong.master");
        hk_plan_destroy(plan);
    }
    hk_ctx_destroy(ctx);
    hk_arena_destroy(arena);
    return line != 0;
}

/* ---- random systems -------------------------------------------------------------------------- */

/* A random system that a master can speak of. */
static hk_model *plain_model(hk_ctx *ctx, uint32_t seed, hk_algorithm *ret_algorithm) {
    dice d = {hk_stream_make(seed, 0, "master_test", "system"), 0};
    hk_model *model = random_model(ctx, &d, ret_algorithm);
    for (size_t i = 0; i < model->connection_count; i++) {
        model->connections[i].delay = (hk_ratio){0, 1};
        if (model->connections[i].lag == HK_LAG_OBSERVE)
            model->connections[i].lag = HK_LAG_DEFAULT;
    }
    for (size_t c = 0; seed % 3 == 0 && c < model->component_count; c++) {
        model->components[c].period = (hk_ratio){1, 1000}; /* a third has one rate */
        model->components[c].offset = (hk_ratio){0, 1};
    }
    assert_int_equal(hk_check_model(ctx, model), HK_OK);
    hk_model_lower(model);
    return model;
}

/* The text of the master that is made for a model as it would be run, and PLAIN, what that run
 * gives: the lags are those of the plan, whether two components ever meet or not. */
static const char *synthesise(hk_ctx *ctx, hk_arena *arena, const hk_model *model,
                              hk_algorithm algorithm, tape *plain) {
    hk_column columns[COMPONENTS_MAX * 4];
    hk_plan *plan;
    hk_sound_system *system;
    hk_sound_master *master;
    assert_int_equal(hk_plan_make(ctx, model, &(hk_plan_options){.algorithm = algorithm}, &plan),
                     HK_OK);
    assert_int_equal(hk_sound_from_plan(ctx, plan, HK_VIEW_CONNECTED, NULL, &system), HK_OK);
    hk_sound_verdict verdict = hk_sound_synthesise(arena, system, &master);
    assert_true(verdict.holds);
    const char *text = hk_sound_print_text(arena, system, master, 1);
    run_plan(ctx, plan, (wanted){columns, all_columns(model, true, columns)}, plain);
    hk_sound_destroy(system);
    hk_plan_destroy(plan);
    return text;
}

static bool is_right(hk_model *model, hk_arena *arena, const char *text, hk_master_file **ret_m) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_plan *plan;
    assert_int_equal(hk_master_text_apply(ctx, arena, model, "any.master", text, ret_m), HK_OK);
    assert_int_equal(
        hk_plan_make(ctx, model, &(hk_plan_options){.levels = (*ret_m)->levels}, &plan), HK_OK);
    bool right = hk_master_file_prove(ctx, *ret_m, plan) == HK_OK;
    hk_plan_destroy(plan);
    hk_ctx_destroy(ctx);
    return right;
}

/* The same master in another order that is right, too: neighbours change places as long as it is.
 * Returns how often they did. */
static size_t reorder(hk_model *model, hk_arena *arena, uint32_t seed, const char **text) {
    enum { TRIES = 40, TAIL = 2 };
    dice d = {hk_stream_make(seed, 0, "master_test", "order"), 0};
    lines l = split(arena, *text);
    size_t moved = 0, calls = l.count - l.begin - TAIL;
    for (int i = 0; i < TRIES && calls > 1; i++) {
        size_t at = l.begin + roll(&d, (uint32_t)calls - 1);
        hk_master_file *m;
        for (int back = 0; back < 2; back++) {
            char *first = l.text[at];
            l.text[at] = l.text[at + 1];
            l.text[at + 1] = first;
            if (back == 0 && is_right(model, arena, join(arena, &l), &m)) {
                moved++;
                break;
            }
        }
    }
    *text = join(arena, &l);
    return moved;
}

static void made_masters_run(void **state) {
    (void)state;
    static tape plain, with;
    size_t several = 0, reactive = 0, moved = 0, refused[WRONGS] = {0};
    for (uint32_t seed = 0; seed < MASTERS; seed++) {
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        hk_arena *arena = hk_arena_create();
        hk_algorithm algorithm;
        hk_model *model = plain_model(ctx, seed, &algorithm);
        const char *text = synthesise(ctx, arena, model, algorithm, &plain);
        hk_master_file *m;
        hk_plan *plan;
        hk_column columns[COMPONENTS_MAX * 4];
        assert_int_equal(hk_master_text_apply(ctx, arena, model, "made.master", text, &m), HK_OK);
        size_t count = all_columns(model, true, columns);
        run_both(ctx, model, m, (wanted){columns, count}, &plan, &with);
        expect_same(&plain, &with, count);
        compare(plan, &with, true, seed);
        bool offset = false;
        for (size_t c = 0; c < model->component_count; c++)
            offset = offset || m->system->instances[c].first;
        several += plan->rate_count > 1 && offset;
        reactive += plan->level_count > 1;
        hk_plan_destroy(plan);
        const char *other = text;
        moved += reorder(model, arena, seed, &other);
        assert_true(is_right(model, arena, other, &m));
        run_both(ctx, model, m, (wanted){columns, count}, &plan, &with);
        compare(plan, &with, true, seed);
        hk_plan_destroy(plan);
        for (int how = 0; how < WRONGS; how++)
            if (model->component_count && (how == DOUBLE_STEP || model->connection_count))
                refused[how] += expect_refused(model, text, (wrong)how, seed);
        hk_arena_destroy(arena);
        hk_model_destroy(model);
        hk_ctx_destroy(ctx);
    }
    print_message("%zu with several rates and offsets, %zu with several levels, %zu calls moved; "
                  "refused: %zu %zu %zu\n",
                  several, reactive, moved, refused[0], refused[1], refused[2]);
    assert_true(moved > 5 * MASTERS);
    assert_true(several >= MULTIRATE && reactive >= MULTIRATE);
    assert_int_equal(refused[DOUBLE_STEP], MASTERS);
    assert_true(refused[DROPPED_SET] > 3 * MASTERS / 4 && refused[SET_TOO_EARLY] >= MULTIRATE);
}

/* Lines are lost, doubled or moved, wherever they are. */
static void damage(lines *l, dice *d) {
    for (uint32_t i = 0; i <= roll(d, 3) && l->count > 1; i++) {
        size_t at = roll(d, (uint32_t)l->count), to = roll(d, (uint32_t)l->count);
        uint32_t how = roll(d, 4);
        char *text = l->text[at];
        if (how == 0) {
            take(l, at);
        } else if (how == 1) {
            insert(l, to, text);
        } else {
            insert(l, to, take(l, at));
        }
    }
}

/* Whatever is in a file: it is refused, or it runs as its own lags ask for. */
static void damaged_masters_are_refused_or_right(void **state) {
    enum { TEXTS = 60, EACH = 40 };
    static tape with;
    size_t accepted = 0, refused = 0;
    static tape plain;
    (void)state;
    for (uint32_t seed = 0; seed < TEXTS; seed++) {
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        hk_arena *arena = hk_arena_create();
        hk_algorithm algorithm;
        hk_model *model = plain_model(ctx, seed, &algorithm);
        const char *text = synthesise(ctx, arena, model, algorithm, &plain);
        hk_column columns[COMPONENTS_MAX * 4];
        size_t count = all_columns(model, true, columns);
        dice d = {hk_stream_make(seed, 0, "master_test", "damage"), 0};
        for (int i = 0; i < EACH; i++) {
            hk_ctx *quiet = hk_ctx_create(NULL, NULL);
            hk_master_file *m;
            hk_plan *plan = NULL;
            lines l = split(arena, text);
            damage(&l, &d);
            hk_status status =
                hk_master_text_apply(quiet, arena, model, "damaged.master", join(arena, &l), &m);
            if (status == HK_OK)
                status = hk_plan_make(quiet, model, &(hk_plan_options){.levels = m->levels}, &plan);
            if (status == HK_OK)
                status = hk_master_file_prove(quiet, m, plan);
            accepted += status == HK_OK;
            refused += status != HK_OK;
            assert_true(status == HK_OK || hk_ctx_count(quiet, HK_ERROR) > 0);
            if (status == HK_OK) {
                run_plan(quiet, plan, (wanted){columns, count}, &with);
                compare(plan, &with, true, seed);
            }
            hk_plan_destroy(plan);
            hk_ctx_destroy(quiet);
        }
        hk_arena_destroy(arena);
        hk_model_destroy(model);
        hk_ctx_destroy(ctx);
    }
    print_message("%zu accepted, %zu refused\n", accepted, refused);
    assert_true(accepted > TEXTS && refused > TEXTS * EACH / 2);
}

/* ---- the corpus ------------------------------------------------------------------------------ */

enum { WIDE = 4 };

/* Up to four inputs and four outputs, each output another mixture. */
typedef struct wide {
    uint64_t u[WIDE], y[WIDE], id, k;
} wide;

static uint64_t mix_wide(const wide *w, int output) {
    uint64_t first = mix(w->id, w->k, w->u[0], w->u[1], w->u[2]);
    return mix(w->id + (uint64_t)output + 100, w->k, first, w->u[3], 0);
}

static int wide_output(void *self, double t) {
    (void)t;
    wide *w = self;
    for (int i = 0; i < WIDE; i++)
        w->y[i] = mix(w->id, (uint64_t)i, 1, 2, 3);
    return HK_STEP_OK;
}

static int wide_step(void *self, double t, double h) {
    (void)t, (void)h;
    wide *w = self;
    w->k++;
    for (int i = 0; i < WIDE; i++)
        w->y[i] = mix_wide(w, i);
    return HK_STEP_OK;
}

/* A type with the ports of an instance of the scenario. */
static const hk_unit_type *wide_type(hk_arena *arena, const hk_sound_system *s, uint32_t instance) {
    hk_port *all = HK_NEW_ARRAY(arena, hk_port, 2 * WIDE + 1);
    size_t inputs = 0, outputs = 0, count = 0;
    for (uint32_t p = 0; p < s->port_count; p++) {
        const hk_sound_port *port = &s->ports[p];
        if (port->instance != instance)
            continue;
        size_t place = port->is_output ? outputs++ : inputs++;
        assert_true(place < WIDE);
        all[count++] =
            (hk_port){.name = port->name + strlen(s->instances[instance].name) + 1,
                      .offset = (port->is_output ? offsetof(wide, y) : offsetof(wide, u)) +
                                place * sizeof(uint64_t),
                      .causality = port->is_output ? HK_OUTPUT : HK_INPUT,
                      .type = HK_TYPE_U64,
                      .depends_on = port->is_output ? "" : NULL};
    }
    all[count++] = (hk_port){
        .name = "id", .offset = offsetof(wide, id), .causality = HK_PARAMETER, .type = HK_TYPE_U64};
    hk_unit_type *type = HK_NEW(arena, hk_unit_type);
    *type = (hk_unit_type){.abi = HK_UNIT_ABI,
                           .size = sizeof(hk_unit_type),
                           .name = s->instances[instance].name,
                           .instance_size = sizeof(wide),
                           .ports = all,
                           .port_count = count,
                           .stamp = HK_STAMP_END,
                           .output = wide_output,
                           .step = wide_step};
    return type;
}

static void find_variable(const hk_model *model, const hk_sound_system *s, uint32_t port,
                          uint32_t *component, uint32_t *variable) {
    *component = s->ports[port].instance;
    const hk_info *info = model->components[*component].info;
    const char *name = s->ports[port].name + strlen(s->instances[*component].name) + 1;
    for (*variable = 0; strcmp(info->variables[*variable].name, name) != 0;)
        (*variable)++;
}

static hk_model *model_of(hk_ctx *ctx, hk_arena *arena, const hk_sound_system *s) {
    hk_model *model = hk_model_create(s->name, NULL);
    for (uint32_t i = 0; i < s->instance_count; i++) {
        const hk_info *info;
        char id[16];
        uint32_t index, v = 0;
        assert_int_equal(hk_native_info(ctx, model, wide_type(arena, s, i), &info), HK_OK);
        assert_int_equal(
            hk_model_add_component(ctx, model, s->instances[i].name, info, HK_NOWHERE, &index),
            HK_OK);
        while (strcmp(info->variables[v].name, "id") != 0)
            v++;
        snprintf(id, sizeof id, "%u", i + 1);
        assert_int_equal(
            hk_model_set(ctx, model, i, v, &(hk_given_text){id, NULL, {HK_FROM_USER, HK_NOWHERE}}),
            HK_OK);
    }
    for (uint32_t p = 0; p < s->port_count; p++) {
        uint32_t from, from_variable, to, to_variable;
        if (s->ports[p].source == HK_MAP_NONE)
            continue;
        find_variable(model, s, s->ports[p].source, &from, &from_variable);
        find_variable(model, s, p, &to, &to_variable);
        hk_model_connect(model, from, from_variable, to, to_variable, HK_NOWHERE);
    }
    hk_experiment *x = &model->experiment;
    x->step = (hk_ratio){1, 100};
    x->stop = (hk_ratio){1, 2};
    x->has_step = x->has_stop = true;
    assert_int_equal(hk_check_model(ctx, model), HK_OK);
    hk_model_lower(model);
    return model;
}

static bool waits_for_another(const hk_sound_system *s, uint32_t i, const bool *done) {
    for (uint32_t p = 0; p < s->port_count; p++)
        if (s->ports[p].instance == i && s->ports[p].reactive &&
            !done[s->ports[s->ports[p].source].instance])
            return true;
    return false;
}

/* Sets the inputs of instance I, from what is there NOW and what was there at the LAST step. */
static void take_inputs(const hk_model *model, const hk_sound_system *s, uint32_t i, wide *now,
                        const wide *last) {
    for (uint32_t p = 0, u = 0; p < s->port_count; p++) {
        if (s->ports[p].instance != i || s->ports[p].is_output)
            continue;
        uint32_t from, variable, output = 0;
        find_variable(model, s, s->ports[p].source, &from, &variable);
        for (uint32_t q = 0; q < s->ports[p].source; q++)
            output += s->ports[q].instance == from && s->ports[q].is_output;
        now[i].u[u++] = (s->ports[p].reactive ? now : last)[from].y[output];
    }
}

static void expect_row(const hk_sound_system *s, const tape *t, size_t row, const wide *now) {
    size_t cell = 0;
    for (uint32_t i = 0; i < s->instance_count; i++)
        for (int y = 0; y < WIDE; y++, cell++)
            if (t->cells[row][cell] != 0 && t->cells[row][cell] != now[i].y[y])
                fail_msg("%s: row %zu, output %d of %s", s->name, row, y, s->instances[i].name);
}

/* The rule alone: at each step what a reactive input sees is of this step, what a delayed one sees
 * of the one before. Expects that the rows of outputs are what comes of that. */
static void expect_rule(const hk_model *model, const hk_sound_system *s, const tape *t) {
    wide now[8] = {{{0}, {0}, 0, 0}}, last[8];
    uint32_t n = (uint32_t)s->instance_count;
    for (uint32_t i = 0; i < n; i++) {
        now[i].id = i + 1;
        wide_output(&now[i], 0);
    }
    for (size_t row = 0; row < t->rows; row++) {
        expect_row(s, t, row, now);
        memcpy(last, now, sizeof last);
        bool done[8] = {false};
        for (uint32_t turn = 0; turn < n * n; turn++) { /* so often that all had their turn */
            uint32_t i = turn % n;
            if (done[i] || waits_for_another(s, i, done))
                continue;
            take_inputs(model, s, i, now, last);
            wide_step(&now[i], 0, 0);
            done[i] = true;
        }
    }
}

/* Output Y of the component; if it has fewer, its own number, which is a parameter. */
static uint32_t output_or_number(const hk_info *info, uint32_t y) {
    uint32_t v = 0, found = 0;
    while (v < info->variable_count && (info->variables[v].causality != HK_OUTPUT || found++ < y))
        v++;
    if (v < info->variable_count)
        return v;
    for (v = 0; info->variables[v].causality != HK_PARAMETER;)
        v++;
    return v;
}

/* Parameters are not outputs. */
static void forget_numbers(tape *t, size_t columns, size_t largest) {
    for (size_t row = 0; row < t->rows; row++)
        for (size_t i = 0; i < columns; i++)
            if (t->cells[row][i] <= largest)
                t->cells[row][i] = 0;
}

static void corpus_runs(void **state) {
    static const char *const files[] = {"S1", "S5", "S9", "S10", "S1_parallel"};
    static tape with;
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        hk_arena *arena = hk_arena_create();
        const char *path = hk_arena_printf(arena, "%s/%s.master", HK_TEST_FOLDER, files[f]);
        hk_sound_system *s;
        hk_sound_master *master;
        int64_t max_step;
        char *data;
        size_t size, count = 0;
        assert_int_equal(hk_file_read(ctx, path, 0, &data, &size), HK_OK);
        assert_int_equal(hk_sound_read_text(ctx, arena, &(hk_file_text){path, data, size}, &s,
                                            &master, &max_step),
                         HK_OK);
        hk_free(data);
        hk_model *model = model_of(ctx, arena, s);
        hk_master_file *m;
        hk_plan *plan;
        hk_column shown[COMPONENTS_MAX * 4] = {{0}};
        assert_int_equal(hk_master_file_apply(ctx, arena, model, path, &m), HK_OK);
        for (uint32_t i = 0; i < s->instance_count; i++)
            for (uint32_t y = 0; y < WIDE; y++)
                shown[count++] =
                    (hk_column){.name = "",
                                .component = i,
                                .variable = output_or_number(model->components[i].info, y),
                                .type = HK_TYPE_U64,
                                .store = HK_STORE_U64};
        run_both(ctx, model, m, (wanted){shown, count}, &plan, &with);
        forget_numbers(&with, count, s->instance_count);
        assert_int_equal(with.rows, 51);
        expect_rule(model, s, &with);
        hk_plan_destroy(plan);
        const char *text = hk_sound_print_text(arena, s, m->master, 1);
        for (int how = 0; how < WRONGS && !master->before; how++)
            assert_true(expect_refused(model, text, (wrong)how, 0) || how == SET_TOO_EARLY);
        hk_arena_destroy(arena);
        hk_model_destroy(model);
        hk_ctx_destroy(ctx);
    }
}

/* ---- what is refused ------------------------------------------------------------------------- */

/* The master of the corpus for the model of S1, or another one; what is said, or NULL. */
static const char *refusal(hk_arena *arena, const char *file, const char *of,
                           void (*change)(hk_model *), int *ret_line) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_sound_system *s;
    hk_sound_master *master;
    int64_t max_step;
    char *data;
    size_t size;
    hk_master_file *m;
    hk_plan *plan = NULL;
    const char *path = hk_arena_printf(arena, "%s/%s.master", HK_TEST_FOLDER, of);
    assert_int_equal(hk_file_read(ctx, path, 0, &data, &size), HK_OK);
    assert_int_equal(
        hk_sound_read_text(ctx, arena, &(hk_file_text){path, data, size}, &s, &master, &max_step),
        HK_OK);
    hk_free(data);
    hk_model *model = model_of(ctx, arena, s);
    if (change)
        change(model);
    path = hk_arena_printf(arena, "%s/%s.master", HK_TEST_FOLDER, file);
    hk_status status = hk_master_file_apply(ctx, arena, model, path, &m);
    if (status == HK_OK)
        status = hk_plan_make(ctx, model, &(hk_plan_options){.levels = m->levels}, &plan);
    if (status == HK_OK)
        status = hk_master_file_prove(ctx, m, plan);
    const hk_diag *d = status == HK_OK ? NULL : hk_ctx_diag(ctx, hk_ctx_count(ctx, HK_NOTE) - 1);
    const char *text =
        d ? hk_arena_printf(arena, "%s | %s", d->where.element ? d->where.element : "", d->text)
          : NULL;
    *ret_line = d ? d->where.line : 0;
    hk_plan_destroy(plan);
    hk_model_destroy(model);
    hk_ctx_destroy(ctx);
    return text;
}

static void delay_one(hk_model *model) {
    model->connections[1].delay = (hk_ratio){1, 100};
}

static void observe_one(hk_model *model) {
    model->connections[1].lag = HK_LAG_OBSERVE;
}

static void cost_one(hk_model *model) {
    model->components[1].has_cost = true;
}

static void slow_one(hk_model *model) {
    model->components[1].has_period = true;
    model->components[1].period = (hk_ratio){2, 100};
}

static void disconnect_one(hk_model *model) {
    model->connection_count--;
}

static void what_cannot_be_run_is_refused(void **state) {
    static const struct {
        const char *file, *of;
        void (*change)(hk_model *);
        int line;
        const char *text;
    } cases[] = {
        {"S1", "S1", NULL, 0, NULL},
        {"S1", "S1", delay_one, 0,
         "connection A.x -> B.x | a master cannot say that a connection has a delay"},
        {"S1", "S1", observe_one, 0,
         "connection A.x -> B.x | a master cannot say that a connection has the lag 'observe'"},
        {"S1", "S1", cost_one, 0, " | a master cannot say that 'B' has a cost"},
        {"S1", "S1", slow_one, 9, " | 'B' has the rate 2 from 0 in the system"},
        {"S1", "S1", disconnect_one, 11, " | the system has no connection A.v -> B.v"},
        {"S5", "S1", NULL, 4, " | the system has no component 'prey'"},
        {"S4", "S4", NULL, 0, "cannot be run yet"},
        {"S3", "S3", NULL, 0, "cannot be run yet"},
        {"S2_plain_B", "S2_plain_B", NULL, 0, "cannot be run yet"},
        {"S1_no_v", "S1", NULL, 27, " | step B: its input is not set (A.v -> B.v)"},
        {"S1_set_first", "S1", NULL, 27, "set B.v: at 0 s A.v -> B.v brings the initial value"},
        {"S1_x_delayed", "S1", NULL, 26, "A.x -> B.x brings the value of 0 s"},
        {"S5_stale", "S5", NULL, 22, "brings"},
        {"S10_no_plant", "S10", NULL, 0, "'plant' is never stepped"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hk_arena *arena = hk_arena_create();
        int line;
        const char *said = refusal(arena, cases[i].file, cases[i].of, cases[i].change, &line);
        bool good = cases[i].text ? said && strstr(said, cases[i].text) : !said;
        if (!good || (cases[i].line && cases[i].line != line))
            fail_msg("case %zu, %s: line %d: %s", i, cases[i].file, line, said ? said : "is right");
        hk_arena_destroy(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_masters_run), cmocka_unit_test(damaged_masters_are_refused_or_right),
        cmocka_unit_test(corpus_runs), cmocka_unit_test(what_cannot_be_run_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
