/* SPDX-License-Identifier: MIT
 *
 * An isolated unit does what its own class does, in another process; and whatever ends that
 * process, the one who asked is told so. */
#include "isolate/isolate.h"

#include "base/diag.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

/* ---- a class of components: y += gain * u * h, and what `deed` asks for ---- */

enum { IN, OUT, GAIN, DEED, PROCESS, TEXT, VARIABLES };
enum { CALM, CRASH, EXIT, ABORT, KILL, SET_FAILS, GET_FAILS, GET_CRASHES, STEP_FAILS };

typedef struct toy {
    hk_unit base;
    double values[VARIABLES];
    hk_bytes text;
    char kept[64];
    uint32_t refs[VARIABLES][VARIABLES]; /* of the calls that are bound, one after the other */
    size_t bound;
} toy;

static hk_variable variables[VARIABLES];
static hk_unit_class toy_class;
static hk_info info = {.name = "Toy", .variables = variables, .variable_count = VARIABLES};

static hk_status toy_open(hk_ctx *ctx, const hk_info *about, const hk_unit_options *options,
                          hk_unit **ret_unit) {
    if (strcmp(options->name, "refused") == 0)
        return hk_error(ctx, HK_E_FMU_INSTANTIATE, HK_NOWHERE, NULL, "it does not want to");
    toy *t = hk_alloc(sizeof *t);
    t->base = (hk_unit){.unit_class = &toy_class, .info = about, .name = options->name};
    t->values[GAIN] = 1;
    t->values[PROCESS] = (double)getpid();
    t->text = (hk_bytes){"", 0};
    *ret_unit = &t->base;
    return HK_OK;
}

static void toy_close(hk_unit *unit) {
    hk_free(unit);
}

static hk_status toy_set_start(hk_ctx *ctx, hk_unit *unit, uint32_t variable,
                               const hk_value *value) {
    (void)ctx;
    memcpy(&((toy *)unit)->values[variable], value->data, sizeof(double));
    return HK_OK;
}

static hk_status toy_phase(hk_ctx *ctx, hk_unit *unit) {
    hk_note(ctx, HK_NOWHERE, "'%s' changes its phase", unit->name);
    return HK_OK;
}

static int toy_get(void *self, const uint32_t *refs, size_t n, void *values) {
    toy *t = self;
    if (t->values[DEED] == GET_CRASHES && t->values[OUT] > 0)
        abort();
    if (t->values[DEED] == GET_FAILS && t->values[OUT] > 0)
        return HK_UNIT_ERROR;
    for (size_t i = 0; i < n; i++)
        memcpy((double *)values + i, &t->values[refs[i]], sizeof(double));
    return HK_UNIT_OK;
}

static int toy_set(void *self, const uint32_t *refs, size_t n, void *values) {
    toy *t = self;
    if (t->values[DEED] == SET_FAILS && t->values[OUT] > 0)
        return HK_UNIT_ERROR;
    for (size_t i = 0; i < n; i++)
        memcpy(&t->values[refs[i]], (const double *)values + i, sizeof(double));
    return HK_UNIT_OK;
}

static int toy_get_text(void *self, const uint32_t *refs, size_t n, void *values) {
    (void)refs, (void)n;
    *(hk_bytes *)values = ((toy *)self)->text;
    return HK_UNIT_OK;
}

static int toy_set_text(void *self, const uint32_t *refs, size_t n, void *values) {
    toy *t = self;
    const hk_bytes *text = values;
    (void)refs, (void)n;
    memcpy(t->kept, text->data, text->size + 1);
    t->text = (hk_bytes){t->kept, text->size};
    return HK_UNIT_OK;
}

static hk_status bind(hk_unit *unit, const uint32_t *which, size_t n, void *values, bool set,
                      hk_call *ret_call) {
    toy *t = (toy *)unit;
    bool text = which[0] == TEXT;
    uint32_t *refs = t->refs[t->bound++];
    memcpy(refs, which, n * sizeof *refs);
    *ret_call = (hk_call){.shape = HK_SHAPE_REFS,
                          .fn.refs = text  ? set ? toy_set_text : toy_get_text
                                     : set ? toy_set
                                           : toy_get,
                          .self = t,
                          .refs = refs,
                          .n = n,
                          .values = values,
                          .name = set ? "toySet" : "toyGet"};
    return HK_OK;
}

static hk_status toy_bind_get(hk_ctx *ctx, hk_unit *unit, const uint32_t *which, size_t n,
                              void *values, hk_call *ret_call) {
    (void)ctx;
    return bind(unit, which, n, values, false, ret_call);
}

static hk_status toy_bind_set(hk_ctx *ctx, hk_unit *unit, const uint32_t *which, size_t n,
                              void *values, hk_call *ret_call) {
    (void)ctx;
    return bind(unit, which, n, values, true, ret_call);
}

static int toy_step(void *self, double t, double h) {
    toy *unit = self;
    (void)t;
    unit->values[OUT] += unit->values[GAIN] * unit->values[IN] * h;
    switch ((int)unit->values[DEED]) {
    case CRASH:
        raise(SIGSEGV);
        break;
    case EXIT:
        exit(3);
    case ABORT:
        abort();
    case KILL:
        kill(getpid(), SIGKILL);
        break;
    case STEP_FAILS:
        return 7;
    default:
        break;
    }
    return HK_STEP_OK;
}

static void toy_bind_step(hk_unit *unit, hk_step_call *ret_call) {
    *ret_call = (hk_step_call){
        .shape = HK_STEP_PLAIN, .fn.plain = toy_step, .self = unit, .name = "toyStep"};
}

static hk_status toy_step_failed(hk_ctx *ctx, hk_unit *unit, int code, double t, double h,
                                 hk_stepped *ret_stepped) {
    (void)t, (void)h, (void)ret_stepped;
    return hk_error(ctx, HK_E_UNIT_FAILED, HK_NOWHERE, NULL, "'%s' gave up: %d", unit->name, code);
}

static const char *toy_call_failed(hk_unit *unit, int code) {
    (void)unit, (void)code;
    return "; it said: no";
}

static hk_status toy_state_get(hk_ctx *ctx, hk_unit *unit, void **state) {
    (void)ctx;
    *state = *state ? *state : hk_alloc(sizeof(toy));
    memcpy(*state, unit, sizeof(toy));
    return HK_OK;
}

static hk_status toy_state_set(hk_ctx *ctx, hk_unit *unit, void *state) {
    (void)ctx;
    memcpy(unit, state, sizeof(toy));
    return HK_OK;
}

static void toy_state_free(hk_unit *unit, void *state) {
    (void)unit;
    hk_free(state);
}

static hk_unit_class toy_class = {.open = toy_open,
                                  .close = toy_close,
                                  .set_start = toy_set_start,
                                  .enter_init = toy_phase,
                                  .exit_init = toy_phase,
                                  .terminate = toy_phase,
                                  .bind_get = toy_bind_get,
                                  .bind_set = toy_bind_set,
                                  .bind_step = toy_bind_step,
                                  .step_failed = toy_step_failed,
                                  .call_failed = toy_call_failed,
                                  .state_get = toy_state_get,
                                  .state_set = toy_state_set,
                                  .state_free = toy_state_free};

/* ---- the rig ---- */

typedef struct rig {
    hk_ctx *ctx;
    hk_unit *unit;
    hk_call set, get;
    hk_step_call step;
    double in, out[2];
    _Atomic double now;
} rig;

static int code_of(const hk_call *c) {
    return c->fn.refs(c->self, c->refs, c->n, c->values);
}

static void begin(rig *r, double deed) {
    static const uint32_t in[] = {IN}, out[] = {OUT, PROCESS};
    *r = (rig){.ctx = hk_ctx_create(NULL, NULL), .now = 0.5};
    hk_unit_options options = {.name = "toy", .now = &r->now};
    assert_int_equal(hk_isolate_open(r->ctx, &info, &options, NULL, &r->unit), HK_OK);
    const hk_unit_class *k = r->unit->unit_class;
    hk_value value = {HK_TYPE_F64, 1, &deed};
    assert_int_equal(k->set_start(r->ctx, r->unit, DEED, &value), HK_OK);
    assert_int_equal(k->enter_init(r->ctx, r->unit), HK_OK);
    assert_int_equal(k->bind_set(r->ctx, r->unit, in, 1, &r->in, &r->set), HK_OK);
    assert_int_equal(k->bind_get(r->ctx, r->unit, out, 2, r->out, &r->get), HK_OK);
    k->bind_step(r->unit, &r->step);
    assert_int_equal(k->exit_init(r->ctx, r->unit), HK_OK);
    assert_int_equal(hk_ctx_count(r->ctx, HK_NOTE), 2);
}

static int step(rig *r, double in) {
    r->in = in;
    assert_int_equal(code_of(&r->set), HK_UNIT_OK);
    return r->step.fn.plain(r->step.self, 0.5, 0.25);
}

static void end(rig *r) {
    r->unit->unit_class->close(r->unit);
    hk_ctx_destroy(r->ctx);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
    assert_int_equal(errno, ECHILD);
}

static void expect_said(const rig *r, const char *text) {
    const hk_diag *last = hk_ctx_diag(r->ctx, hk_ctx_count(r->ctx, HK_NOTE) - 1);
    assert_int_equal(hk_ctx_count(r->ctx, HK_ERROR), 1);
    if (!strstr(last->text, text))
        fail_msg("'%s' does not hold '%s'", last->text, text);
}

/* ---- tests ---- */

static void test_values(void **state) {
    (void)state;
    rig r;
    begin(&r, CALM);
    for (int i = 1; i <= 100; i++) {
        assert_int_equal(step(&r, i), HK_STEP_OK);
        assert_int_equal(code_of(&r.get), HK_UNIT_OK);
        assert_true(r.out[0] == 0.125 * i * (i + 1));
        assert_true(r.out[1] != getpid() && r.out[1] > 0);
    }
    assert_int_equal(code_of(&r.get), HK_UNIT_OK); /* once more, without a step */
    assert_true(r.out[0] == 0.125 * 100 * 101);
    assert_int_equal(r.unit->unit_class->terminate(r.ctx, r.unit), HK_OK);
    end(&r);
}

static void test_texts(void **state) {
    (void)state;
    rig r;
    static const uint32_t which[] = {TEXT};
    hk_bytes in = {"words", 5}, out = {0};
    hk_call set, get;
    begin(&r, CALM);
    const hk_unit_class *k = r.unit->unit_class;
    assert_int_equal(k->bind_set(r.ctx, r.unit, which, 1, &in, &set), HK_OK);
    assert_int_equal(k->bind_get(r.ctx, r.unit, which, 1, &out, &get), HK_OK);
    assert_int_equal(code_of(&get), HK_UNIT_OK);
    assert_int_equal(out.size, 0);
    assert_int_equal(code_of(&set), HK_UNIT_OK);
    assert_int_equal(code_of(&get), HK_UNIT_OK);
    assert_int_equal(out.size, 5);
    assert_string_equal(out.data, "words");
    end(&r);
}

static void test_states(void **state) {
    (void)state;
    rig r;
    void *saved = NULL;
    begin(&r, CALM);
    const hk_unit_class *k = r.unit->unit_class;
    assert_null(k->state_save); /* its own class has none */
    assert_int_equal(step(&r, 4), HK_STEP_OK);
    assert_int_equal(k->state_get(r.ctx, r.unit, &saved), HK_OK);
    assert_int_equal(step(&r, 8), HK_STEP_OK);
    assert_int_equal(code_of(&r.get), HK_UNIT_OK);
    assert_true(r.out[0] == 3);
    assert_int_equal(k->state_set(r.ctx, r.unit, saved), HK_OK);
    assert_int_equal(code_of(&r.get), HK_UNIT_OK);
    assert_true(r.out[0] == 1);
    k->state_free(r.unit, saved);
    end(&r);
}

static void test_refused(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_unit *unit = NULL;
    assert_int_equal(
        hk_isolate_open(ctx, &info, &(hk_unit_options){.name = "refused"}, NULL, &unit),
        HK_E_FMU_INSTANTIATE);
    assert_string_equal(hk_ctx_diag(ctx, 0)->text, "it does not want to");
    assert_null(unit);
    hk_ctx_destroy(ctx);
}

/* What ends the process in a step. */
static void test_ends(void **state) {
    (void)state;
    static const struct {
        double deed;
        const char *said;
    } rows[] = {
        {CRASH, "component 'toy': crashed (invalid memory access) in toyStep at t = 0.5 s"},
        {EXIT, "component 'toy': called exit(3) in toyStep at t = 0.5 s"},
        {ABORT, "component 'toy': aborted in toyStep at t = 0.5 s"},
        {KILL, "component 'toy': was killed (SIGKILL) in toyStep at t = 0.5 s"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rig r;
        hk_stepped stepped;
        begin(&r, rows[i].deed);
        int code = step(&r, 1);
        assert_true(code != HK_STEP_OK);
        assert_int_equal(r.unit->unit_class->step_failed(r.ctx, r.unit, code, 0.5, 0.25, &stepped),
                         HK_E_UNIT_CRASHED);
        expect_said(&r, rows[i].said);
        assert_int_equal(r.unit->unit_class->terminate(r.ctx, r.unit), HK_OK);
        expect_said(&r, rows[i].said); /* nothing more */
        end(&r);
    }
}

static void test_failures(void **state) {
    (void)state;
    rig r;
    hk_stepped stepped;
    begin(&r, STEP_FAILS);
    assert_int_equal(step(&r, 1), 7);
    assert_int_equal(r.unit->unit_class->step_failed(r.ctx, r.unit, 7, 0.5, 0.25, &stepped),
                     HK_E_UNIT_FAILED);
    expect_said(&r, "'toy' gave up: 7");
    end(&r);
    begin(&r, SET_FAILS); /* is found when the set is made, with the next step */
    assert_int_equal(step(&r, 1), HK_STEP_OK);
    assert_int_equal(step(&r, 1), HK_UNIT_ERROR);
    assert_int_equal(
        r.unit->unit_class->step_failed(r.ctx, r.unit, HK_UNIT_ERROR, 0.5, 0.25, &stepped),
        HK_E_UNIT_FAILED);
    expect_said(&r, "component 'toy': toySet returned Error at t = 0.5 s; it said: no");
    end(&r);
    begin(&r, GET_FAILS);
    assert_int_equal(step(&r, 1), HK_STEP_OK);
    assert_int_equal(code_of(&r.get), HK_UNIT_ERROR);
    assert_int_equal(r.unit->unit_class->gone(r.ctx, r.unit), HK_OK);
    assert_string_equal(r.unit->unit_class->call_failed(r.unit, HK_UNIT_ERROR), "; it said: no");
    end(&r);
    begin(&r, GET_CRASHES);
    assert_int_equal(step(&r, 1), HK_STEP_OK);
    assert_int_equal(code_of(&r.get), HK_UNIT_FATAL);
    assert_int_equal(r.unit->unit_class->gone(r.ctx, r.unit), HK_E_UNIT_CRASHED);
    expect_said(&r, "component 'toy': aborted in toyGet at t = 0.5 s");
    end(&r);
}

int main(void) {
    static const char *const names[] = {"in", "out", "gain", "deed", "process", "text"};
    for (uint32_t i = 0; i < VARIABLES; i++)
        variables[i] = (hk_variable){.name = names[i],
                                     .ref = i,
                                     .type = i == TEXT ? HK_TYPE_STRING : HK_TYPE_F64,
                                     .store = i == TEXT ? HK_STORE_BYTES : HK_STORE_F64,
                                     .count = 1};
    info.unit_class = &toy_class;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values), cmocka_unit_test(test_texts),
        cmocka_unit_test(test_states), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_ends),   cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
