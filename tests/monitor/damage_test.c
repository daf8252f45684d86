/* SPDX-License-Identifier: MIT
 *
 * Damaged traces. Every byte of a short trace is changed, one at a time and in several ways. The
 * trace is then refused, or what is read is what was read before: the same members with the same
 * texts and equal numbers. One thing cannot be seen, since nothing depends on it: another number
 * that was read and that nobody is handed. */
#include "system.h"

#include "format/json_read.h"
#include "sound/sound.h"

#include <stdlib.h>

typedef struct text {
    char *data;
    size_t size, cap;
} text;

static void keep(void *user, const char *data, size_t size) {
    text *t = user;
    if (t->size + size + 1 > t->cap) {
        t->cap = 2 * (t->size + size) + 4096;
        t->data = hk_realloc(t->data, t->cap);
    }
    memcpy(t->data + t->size, data, size);
    t->size += size;
    t->data[t->size] = '\0';
}

typedef struct bench {
    rig rig;
    text trace;
    hk_sound_system *system;
    hk_sound_view view;
    hk_arena *arena; /* of one change */
    double last;     /* time of the last instant */
    size_t refused, same, untaken;
} bench;

static bool accepted(bench *b) {
    hk_sound_verdict v = {0};
    hk_status status = hk_sound_check_text(
        b->rig.ctx, b->arena, &(hk_sound_wanted){b->system, b->view, b->system->start},
        &(hk_sound_text){"trace", b->trace.data, b->trace.size}, &v);
    hk_ctx_clear(b->rig.ctx);
    return status == HK_OK && v.holds;
}

/* ---- what a line says ---- */

static hk_json_value *parse(bench *b, const char *line, size_t size) {
    hk_json_value *value = NULL;
    bool fine = hk_json_read(b->rig.ctx, b->arena, HK_E_LANGUAGE,
                             &(hk_file_text){"line", line, size}, &value) == HK_OK;
    hk_ctx_clear(b->rig.ctx);
    return fine ? value : NULL;
}

static bool same_one(const hk_json_value *x, const hk_json_value *y) {
    if (x->kind != y->kind)
        return false;
    if (x->kind == HK_JSON_STRING)
        return x->text_size == y->text_size && memcmp(x->text, y->text, x->text_size) == 0;
    return (x->kind != HK_JSON_NUMBER && x->kind != HK_JSON_BOOL) || x->number == y->number;
}

static bool same(const hk_json_value *x, const hk_json_value *y) {
    if (!same_one(x, y) || x->count != y->count)
        return false;
    const hk_json_value *b = y->first;
    for (const hk_json_value *a = x->first; a; a = a->next, b = b->next) {
        if (x->kind == HK_JSON_OBJECT && !(b = hk_json_member(y, a->name)))
            return false;
        if (!same(a, b))
            return false;
    }
    return true;
}

static bool connected(const bench *b, const char *instance, const char *port) {
    const hk_model *m = b->rig.model;
    for (size_t i = 0; i < m->connection_count; i++) {
        const hk_connection *k = &m->connections[i];
        const hk_component *c = &m->components[k->from_component];
        if (strcmp(c->name, instance) == 0 &&
            strcmp(c->info->variables[k->from_variable].name, port) == 0)
            return true;
    }
    return false;
}

/* The lines differ in one number that was read, and nobody is handed that one. */
static bool untaken(const bench *b, const hk_json_value *x, const hk_json_value *y) {
    const hk_json_value *op = hk_json_member(x, "op"), *values = hk_json_member(y, "values");
    if (strcmp(op->text, "get") != 0 || hk_json_member(x, "mode") || !values)
        return false;
    /* One after the other, what is read first is never handed on: each sees a newer one. */
    bool first = b->view == HK_VIEW_CONTRACT && hk_json_member(x, "phase")->number == 2;
    bool last = first || hk_json_member(x, "t")->number == b->last, found = false;
    for (const hk_json_value *m = x->first; m; m = m->next) {
        const hk_json_value *n = hk_json_member(y, m->name);
        if (!n || (strcmp(m->name, "values") != 0 && !same(m, n)))
            return false;
    }
    const hk_json_value *port = hk_json_member(x, "ports")->first, *w = values->first;
    for (const hk_json_value *v = hk_json_member(x, "values")->first; v && w;
         v = v->next, w = w->next, port = port->next) {
        if (same(v, w))
            continue;
        if (v->kind != w->kind || found ||
            (!last && connected(b, hk_json_member(x, "instance")->text, port->text)))
            return false;
        found = true;
    }
    return found && values->count == hk_json_member(x, "values")->count;
}

/* ---- changes ---- */

static void judge(bench *b, size_t at, char byte) {
    char *data = b->trace.data, was = data[at];
    size_t begin = at, end = at;
    while (begin && data[begin - 1] != '\n')
        begin--;
    while (data[end] != '\n')
        end++;
    hk_json_value *before = parse(b, data + begin, end - begin);
    assert_non_null(before);
    data[at] = byte;
    if (!accepted(b)) {
        b->refused++;
    } else {
        hk_json_value *now = parse(b, data + begin, end - begin);
        if (now && same(before, now))
            b->same++;
        else if (now && untaken(b, before, now))
            b->untaken++;
        else
            fail_msg("accepted at byte %zu, '%c' for '%c': %.*s", at - begin, byte, was,
                     (int)(end - begin), data + begin);
    }
    data[at] = was;
}

static void judge_all(bench *b) {
    static const char others[] = "09\"e- \n#";
    const char *thin = getenv("HK_THIN"); /* cmake/options.cmake */
    size_t step = thin ? strtoul(thin, NULL, 10) : 1;
    for (size_t at = 0; at < b->trace.size; at += step) {
        char was = b->trace.data[at];
        b->arena = hk_arena_create();
        for (int bit = 0; bit < 8; bit++)
            judge(b, at, (char)(was ^ 1 << bit));
        for (size_t i = 0; i < sizeof others; i++) /* NUL, too */
            if (others[i] != was)
                judge(b, at, others[i]);
        if (was >= '0' && was < '9')
            judge(b, at, (char)(was + 1));
        hk_arena_destroy(b->arena);
    }
}

static void begin(bench *b, const char *last) {
    b->rig.listener.trace = (hk_trace_sink){keep, &b->trace, 0};
    assert_int_equal(run_and_tell(&b->rig), HK_OK);
    assert_int_equal(
        hk_sound_from_plan(b->rig.ctx, b->rig.plan, HK_VIEW_CONNECTED, NULL, &b->system), HK_OK);
    bool phased = !hk_sound_unphased(b->system->arena, b->system);
    b->view = phased ? HK_VIEW_CONNECTED : HK_VIEW_CONTRACT;
    b->last = hk_ratio_to_double(rig_seconds(last));
    b->arena = b->system->arena;
    assert_true(accepted(b));
}

static void end(bench *b) {
    print_message("%zu bytes: %zu changes refused, %zu read as before, %zu that nobody is handed\n",
                  b->trace.size, b->refused, b->same, b->untaken);
    assert_true(b->refused > 20 * b->untaken);
    hk_sound_destroy(b->system);
    hk_free(b->trace.data);
    rig_end(&b->rig);
}

static void phases(void **state) { /* FMUs, by phases, with start values */
    (void)state;
    bench b = {0};
    open_package(&b.rig, "quarter_truck", "0.002");
    begin(&b, "0.001");
    judge_all(&b);
    end(&b);
}

static void contracts(void **state) { /* components in C, one after the other */
    (void)state;
    bench b = {0};
    rig_begin(&b.rig, "0.01", "0.02", NULL);
    rig_add(&b.rig, "p", &mixer_type, NULL, NULL);
    rig_add(&b.rig, "q", &mixer_type, NULL, NULL);
    rig_connect(&b.rig, "p.y", "q.a");
    rig_connect(&b.rig, "q.z", "p.b");
    b.rig.algorithm = HK_GAUSS_SEIDEL;
    begin(&b, "0.01");
    judge_all(&b);
    end(&b);
}

static void threads(void **state) { /* lines with 'thread' and 'order' */
    (void)state;
    bench b = {0};
    open_package(&b.rig, "quarter_truck", "0.002");
    b.rig.options.threads = 2;
    b.rig.options.threads_always = true;
    begin(&b, "0.001");
    assert_non_null(strstr(b.trace.data, "\"thread\":1"));
    judge_all(&b);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases),
        cmocka_unit_test(contracts),
        cmocka_unit_test(threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
