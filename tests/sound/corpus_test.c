/* SPDX-License-Identifier: MIT
 *
 * The corpus of scenarios: correct masters are accepted, each mistake is rejected for the reason
 * that its file states, synthesis solves all, and texts are read as they were printed. */
#include "base/file.h"
#include "sound/sound.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

typedef struct text {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_sound_system *system;
    hk_sound_master *master;
    int64_t max_step;
} text;

static text read_data(const char *name, const char *data, size_t size) {
    text t = {.ctx = hk_ctx_create(NULL, NULL), .arena = hk_arena_create()};
    hk_status status = hk_sound_read_text(t.ctx, t.arena, &(hk_file_text){name, data, size},
                                          &t.system, &t.master, &t.max_step);
    for (size_t i = 0; i < hk_ctx_count(t.ctx, HK_NOTE); i++)
        print_message("%s:%d: %s\n", name, hk_ctx_diag(t.ctx, i)->where.line,
                      hk_ctx_diag(t.ctx, i)->text);
    assert_int_equal(status, HK_OK);
    assert_non_null(t.master);
    return t;
}

static text read_corpus(const char *name) {
    char path[512], *data;
    size_t size;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    snprintf(path, sizeof path, HK_TEST_FOLDER "/%s.master", name);
    assert_int_equal(hk_file_read(ctx, path, 1 << 20, &data, &size), HK_OK);
    text t = read_data(name, data, size);
    hk_free(data);
    hk_ctx_destroy(ctx);
    return t;
}

static void drop(text *t) {
    hk_arena_destroy(t->arena);
    hk_ctx_destroy(t->ctx);
}

static const struct {
    const char *name, *why; /* NULL: it is correct */
    bool illegal;
} corpus[] = {
    {"S1", NULL, false},
    {"S1_parallel", NULL, false},
    {"S1_race", "set B.v (line 30) and step B (line 31) are in no order", false},
    {"S1_no_v",
     "step B (line 27): its reactive input B.v has a value of time 0, but the step "
     "needs one of time 1",
     false},
    {"S1_set_first",
     "set B.v (line 27): it is reactive and needs a value of the end of the step, "
     "but its source A.v has a value of time 0",
     false},
    {"S1_step_by_0", "step A (line 25): a step must take time", false},
    {"S1_x_delayed",
     "set B.x (line 26): it is delayed and needs a value of the time of B, which "
     "is 0, but its source A.x has a value of time 1",
     false},
    {"S2", NULL, false},
    {"S2_plain_B",
     "step B (line 34): its reactive input B.x has a value of time 1, but the step "
     "needs one of time 3",
     false},
    {"S2_plain_C",
     "set C.f (line 35): it is delayed and needs a value of the time of C, which is "
     "3, but its source B.f has a value of time 1",
     false},
    {"S3", NULL, false},
    {"S3_no_get_f", "set A.f (line 33): it is delayed and needs a value of the time of A", false},
    {"S4", NULL, false},
    {"S4_no_loop", "set B.x (line 30): it is reactive", false},
    {"S4_restore_B", "the loop does not converge", false},
    {"S5", NULL, false},
    {"S5_stale", "its source prey.x has a value of time 0", true},
    {"S5_stale_sources", "its source prey.x has a value of time 0", false},
    {"S6", NULL, true},
    {"S6_jacobi",
     "get prey.x (line 23): it depends on prey.y, which has a value of time 0, but "
     "prey is at time 1",
     false},
    {"S7", NULL, true},
    {"S7_no_v", "set B.v (line 41): it is reactive and needs a value of the end of the step", true},
    {"S8", NULL, false},
    {"S8_no_loop", "get A.x (line 18): it depends on A.f, which has no value yet", false},
    {"S8_undefined", "after init the input B.y has no value", false},
    {"S9", NULL, false},
    {"S9_get_first", "its source tank.level has a value of time 0", false},
    {"S9_get_between", "its source ctrl.valve has a value of time 0", false},
    {"S10", NULL, false},
    {"S10_no_plant", "get plant.w (line 49): it depends on plant.v", false},
};
enum { CORPUS = sizeof corpus / sizeof *corpus };

/* T1 */
static void correct_accepted_mistakes_rejected(void **state) {
    int wrong = 0;
    (void)state;
    for (size_t i = 0; i < CORPUS; i++) {
        text t = read_corpus(corpus[i].name);
        bool legal;
        hk_sound_verdict v =
            hk_sound_keeps_contract(t.arena, t.system, t.master, t.max_step, &legal);
        bool good = corpus[i].why ? !v.holds && v.why && strstr(v.why, corpus[i].why) : v.holds;
        good = good && legal != corpus[i].illegal && legal == !v.fmi && v.calls > 0;
        if (!good)
            print_message("%s: %s; FMI: %s\n", corpus[i].name, v.why ? v.why : "accepted",
                          v.fmi ? v.fmi : "legal");
        wrong += !good;
        drop(&t);
    }
    assert_int_equal(wrong, 0);
}

/* T2 */
static void synthesis_solves_all(void **state) {
    int wrong = 0;
    (void)state;
    for (size_t i = 0; i < CORPUS; i++) {
        if (strchr(corpus[i].name, '_'))
            continue;
        text t = read_corpus(corpus[i].name);
        hk_sound_master *made = NULL;
        bool legal;
        hk_sound_verdict v = hk_sound_synthesise(t.arena, t.system, &made);
        assert_true(v.holds);
        hk_sound_verdict w = hk_sound_keeps_contract(t.arena, t.system, made, t.max_step, &legal);
        bool good = w.holds && legal != corpus[i].illegal && legal == !v.fmi;
        if (!good)
            print_message("%s: %s; FMI: %s\n%s\n", corpus[i].name, w.why ? w.why : "accepted",
                          v.fmi ? v.fmi : "legal",
                          hk_sound_print_text(t.arena, t.system, made, t.max_step));
        if (corpus[i].illegal)
            for (const char *way = "abcd"; *way; way++)
                assert_non_null(strstr(v.fmi, (char[]){'(', *way, ')', '\0'}));
        if (strcmp(corpus[i].name, "S10") == 0)
            assert_int_equal(made->step_count, 20);
        /* Where the specification applies, what is made refines it. */
        static const char *const phased[] = {"S5", "S8", "S9"};
        bool applies = false;
        for (size_t k = 0; k < sizeof phased / sizeof *phased; k++)
            applies = applies || strcmp(corpus[i].name, phased[k]) == 0;
        assert_int_equal(applies, hk_sound_unphased(t.arena, t.system) == NULL);
        hk_sound_phased seen = hk_sound_in_phases(t.arena, t.system, made, HK_VIEW_CONNECTED);
        good = good &&
               (!applies || hk_sound_refines(t.arena, seen.system, seen.master, t.max_step).holds);
        wrong += !good;
        drop(&t);
    }
    assert_int_equal(wrong, 0);
}

static void same_numbers(const uint32_t *a, const uint32_t *b, size_t count) {
    for (size_t i = 0; i < count; i++)
        assert_int_equal(a[i], b[i]);
}

static void same_calls(const hk_sound_call *a, size_t a_count, const hk_sound_call *b,
                       size_t b_count) {
    assert_int_equal(a_count, b_count);
    for (size_t i = 0; i < a_count; i++) {
        assert_int_equal(a[i].op, b[i].op);
        assert_int_equal(a[i].port, b[i].port);
        assert_int_equal(a[i].instance, b[i].instance);
        assert_int_equal(a[i].tentative, b[i].tentative);
        assert_int_equal(a[i].as, b[i].as);
        assert_int_equal(a[i].has_value, b[i].has_value);
        assert_true(a[i].value == b[i].value);
        if (a[i].op != HK_OP_LOOP)
            continue;
        assert_int_equal(a[i].loop->kind, b[i].loop->kind);
        assert_int_equal(a[i].loop->watched_count, b[i].loop->watched_count);
        same_numbers(a[i].loop->watched, b[i].loop->watched, a[i].loop->watched_count);
        same_calls(a[i].loop->body, a[i].loop->body_count, b[i].loop->body, b[i].loop->body_count);
        same_calls(a[i].loop->retry, a[i].loop->retry_count, b[i].loop->retry,
                   b[i].loop->retry_count);
    }
}

static void same_order(const hk_sound_master *a, const hk_sound_master *b) {
    assert_int_equal(a->before != NULL, b->before != NULL);
    for (size_t i = 0; a->before && i < a->step_count; i++) {
        assert_int_equal(a->before_count[i], b->before_count[i]);
        same_numbers(a->before[i], b->before[i], a->before_count[i]);
    }
}

static void same_systems(const hk_sound_system *a, const hk_sound_system *b) {
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->instance_count, b->instance_count);
    assert_int_equal(a->port_count, b->port_count);
    for (size_t i = 0; i < a->instance_count; i++) {
        assert_string_equal(a->instances[i].name, b->instances[i].name);
        assert_int_equal(a->instances[i].can_reject, b->instances[i].can_reject);
    }
    for (size_t i = 0; i < a->port_count; i++) {
        const hk_sound_port *p = &a->ports[i], *q = &b->ports[i];
        assert_string_equal(p->name, q->name);
        assert_int_equal(p->is_output, q->is_output);
        assert_int_equal(p->source, q->source);
        assert_int_equal(p->reactive, q->reactive);
        assert_int_equal(p->depends_count, q->depends_count);
        assert_int_equal(p->depends_init_count, q->depends_init_count);
        for (size_t k = 0; k < p->depends_count; k++)
            assert_int_equal(p->depends[k], q->depends[k]);
    }
}

static void printed_texts_read_the_same(void **state) {
    (void)state;
    for (size_t i = 0; i < CORPUS; i++) {
        text t = read_corpus(corpus[i].name);
        const char *printed = hk_sound_print_text(t.arena, t.system, t.master, t.max_step);
        text again = read_data("printed", printed, strlen(printed));
        assert_int_equal(t.max_step, again.max_step);
        same_systems(t.system, again.system);
        same_calls(t.master->init, t.master->init_count, again.master->init,
                   again.master->init_count);
        same_calls(t.master->step, t.master->step_count, again.master->step,
                   again.master->step_count);
        same_order(t.master, again.master);
        assert_string_equal(
            printed, hk_sound_print_text(t.arena, again.system, again.master, again.max_step));
        drop(&again);
        drop(&t);
    }
}

/* The example of docs/masters.md is right, and the mistake it tells of gives the message shown. */
static void documentation_is_true(void **state) {
    static const char right[] = "step damper as mass;     ", wrong[] = "step damper;             ";
    char *data;
    size_t size;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    bool legal;
    (void)state;
    assert_int_equal(
        hk_file_read(ctx, HK_TEST_FOLDER "/../../docs/masters.md", 1 << 20, &data, &size), HK_OK);
    char *begin = strstr(data, "```\n") + 4, *end = strstr(begin, "```"), *shown;
    text t = read_data("masters.md", begin, (size_t)(end - begin));
    assert_true(hk_sound_keeps_contract(t.arena, t.system, t.master, t.max_step, &legal).holds);
    assert_true(legal);
    drop(&t);
    memcpy(strstr(begin, right), wrong, strlen(wrong));
    t = read_data("masters.md", begin, (size_t)(end - begin));
    hk_sound_verdict v = hk_sound_keeps_contract(t.arena, t.system, t.master, t.max_step, &legal);
    assert_false(v.holds);
    shown = strstr(end + 4, "```\n") + 4;
    for (size_t i = 0; v.why[i]; i++)
        assert_int_equal(shown[i] == '\n' ? ' ' : shown[i], v.why[i]);
    drop(&t);
    hk_free(data);
    hk_ctx_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(correct_accepted_mistakes_rejected),
        cmocka_unit_test(synthesis_solves_all),
        cmocka_unit_test(printed_texts_read_the_same),
        cmocka_unit_test(documentation_is_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
