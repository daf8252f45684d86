/* SPDX-License-Identifier: MIT
 *
 * Recorded calls: those of a run with threads are those of a run with one, in another order, which
 * differs only by calls of different instances within one phase: put back into the order of the
 * plan they are the same, value by value. */
#include "system.h"

#include "base/number.h"

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

/* One line, and where the plan has it. */
typedef struct call {
    uint64_t number, phase, thread;
    int64_t order; /* when it was really made; below 0: not told */
    int op;        /* 0: set, 1: step, 2: get */
    bool initial;
    uint32_t component;
    const char *about; /* from its time to its values */
} call;

typedef struct calls {
    call *all;
    size_t count, cap;
} calls;

static uint64_t number_after(const char *line, const char *key) {
    const char *at = strstr(line, key);
    return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

static calls read_calls(const rig *r, text *t) {
    static const char *const ops[] = {"\"op\":\"set\"", "\"op\":\"step\"", "\"op\":\"get\""};
    calls c = {0};
    for (char *line = t->data, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        assert_non_null(next);
        *next++ = '\0';
        call x = {.number = number_after(line, "{\"n\":"),
                  .phase = number_after(line, ",\"phase\":"),
                  .thread = number_after(line, ",\"thread\":"),
                  .order =
                      strstr(line, ",\"order\":") ? (int64_t)number_after(line, ",\"order\":") : -1,
                  .initial = strstr(line, "\"mode\":") != NULL,
                  .op = -1};
        for (int i = 0; i < 3; i++)
            x.op = strstr(line, ops[i]) ? i : x.op;
        assert_true(x.op >= 0);
        const char *name = strstr(line, "\"instance\":\"") + 12;
        char instance[64] = {0};
        memcpy(instance, name, strcspn(name, "\""));
        x.component = hk_map_get(&r->model->by_name, instance);
        assert_true(x.component < r->model->component_count);
        x.about = strchr(line, ',');
        *strstr(line, x.order < 0 ? ",\"phase\":" : ",\"order\":") = '\0';
        HK_PUSH(c.all, c.count, c.cap, x);
    }
    return c;
}

/* The order of the plan: by phases, in each first all sets, then steps, then gets. */
static int by_plan(const void *a, const void *b) {
    const call *x = a, *y = b;
    if (x->phase != y->phase)
        return x->phase < y->phase ? -1 : 1;
    if (x->op != y->op)
        return x->op - y->op;
    if (x->component != y->component)
        return x->component < y->component ? -1 : 1;
    return strcmp(x->about, y->about);
}

static calls record(rig *r, text *t, unsigned threads, uint64_t every) {
    r->listener.trace = (hk_trace_sink){keep, t, every};
    r->options.threads = threads;
    r->options.threads_always = threads > 1;
    assert_int_equal(run_and_tell(r), HK_OK);
    return read_calls(r, t);
}

/* For each instance the order is set, step, get, in every phase, no matter who runs it; nobody sets
 * before a phase is over. */
static void expect_own_order(const rig *r, const calls *c) {
    int *last = hk_alloc(r->model->component_count * sizeof *last);
    uint64_t *phase = hk_alloc(r->model->component_count * sizeof *phase);
    uint64_t newest = 0;
    for (size_t i = 0; i < c->count; i++) {
        const call *x = &c->all[i];
        assert_int_equal(x->number, i);
        assert_true(x->phase >= newest);
        newest = x->phase;
        if (x->initial)
            continue;
        if (phase[x->component] == x->phase)
            assert_true(x->op >= last[x->component]);
        phase[x->component] = x->phase;
        last[x->component] = x->op;
    }
    hk_free(last);
    hk_free(phase);
}

/* Each has a number of its own, and a phase begins when the one before is over. */
static void expect_real_order(const calls *c) {
    bool *taken = hk_alloc(c->count + 1);
    int64_t newest = -1, before = -1;
    uint64_t phase = 0;
    size_t told = 0;
    for (size_t i = 0; i < c->count; i++) {
        const call *x = &c->all[i];
        if (x->order < 0)
            continue;
        told++;
        before = x->phase == phase ? before : newest;
        phase = x->phase;
        assert_true(x->order > before && x->order < (int64_t)c->count);
        assert_false(taken[x->order]);
        taken[x->order] = true;
        newest = x->order > newest ? x->order : newest;
    }
    assert_int_equal(newest + 1, told);
    hk_free(taken);
}

static void expect_same_calls(const char *package, const char *stop) {
    for (int algorithm = 0; algorithm < 2; algorithm++) {
        rig one, two;
        text first = {0}, second = {0};
        open_package(&one, package, stop);
        open_package(&two, package, stop);
        one.algorithm = two.algorithm = algorithm ? HK_GAUSS_SEIDEL : HK_JACOBI;
        calls serial = record(&one, &first, 1, 0);
        two.options.threads_always = true;
        calls shared = record(&two, &second, 2, 0);
        expect_own_order(&one, &serial);
        expect_own_order(&two, &shared);
        expect_real_order(&shared);
        size_t elsewhere = 0;
        for (size_t i = 0; i < shared.count; i++)
            elsewhere += shared.all[i].thread > 0;
        if (!algorithm) /* a phase of one component is not shared */
            assert_true(elsewhere > 0);
        assert_int_equal(serial.count, shared.count);
        qsort(serial.all, serial.count, sizeof *serial.all, by_plan);
        qsort(shared.all, shared.count, sizeof *shared.all, by_plan);
        for (size_t i = 0; i < serial.count; i++) {
            assert_int_equal(serial.all[i].phase, shared.all[i].phase);
            assert_string_equal(serial.all[i].about, shared.all[i].about);
        }
        hk_free(serial.all);
        hk_free(shared.all);
        hk_free(first.data);
        hk_free(second.data);
        rig_end(&one);
        rig_end(&two);
    }
}

static void truck(void **state) {
    (void)state;
    expect_same_calls("quarter_truck", "0.05");
}

static void rosace(void **state) {
    (void)state;
    expect_same_calls("r_rosace", "0.2");
}

/* Every fourth instant; numbers tell what is left out. */
static void sampled(void **state) {
    (void)state;
    rig r;
    text t = {0};
    open_package(&r, "quarter_truck", "0.04");
    calls c = record(&r, &t, 1, 4);
    size_t steps = 0, jumps = 0;
    for (size_t i = 0; i < c.count; i++) {
        steps += c.all[i].op == 1;
        jumps += i && c.all[i].number != c.all[i - 1].number + 1;
    }
    assert_int_equal(steps, 3 * 10);
    assert_int_equal(jumps, 9);
    hk_free(c.all);
    hk_free(t.data);
    rig_end(&r);
}

/* The form, word for word. */
static void form(void **state) {
    (void)state;
    rig r;
    text t = {0};
    rig_begin(&r, "0.01", "0.02", NULL);
    rig_add(&r, "p", &mixer_type, NULL, NULL);
    rig_add(&r, "q", &mixer_type, NULL, NULL);
    rig_connect(&r, "p.y", "q.a");
    r.listener.trace = (hk_trace_sink){keep, &t, 0};
    assert_int_equal(run_and_tell(&r), HK_OK);
    static const char must[] =
        "{\"n\":0,\"t\":0,\"op\":\"get\",\"instance\":\"p\",\"mode\":\"init\",\"ports\":[\"y\"],"
        "\"values\":[1],\"phase\":1}\n"
        "{\"n\":1,\"t\":0,\"op\":\"set\",\"instance\":\"q\",\"mode\":\"init\",\"ports\":[\"a\"],"
        "\"values\":[1],\"phase\":1}\n"
        "{\"n\":2,\"t\":0,\"op\":\"get\",\"instance\":\"p\",\"ports\":[\"y\"],\"values\":[1],"
        "\"phase\":2}\n"
        "{\"n\":3,\"t\":0,\"op\":\"set\",\"instance\":\"q\",\"cell\":0,\"ports\":[\"a\"],"
        "\"values\":[1],"
        "\"phase\":3}\n"
        "{\"n\":4,\"t\":0,\"op\":\"step\",\"instance\":\"p\",\"cell\":0,\"h\":0.01,\"phase\":3}\n";
    assert_true(strlen(t.data) > sizeof must);
    t.data[sizeof must - 1] = '\0';
    assert_string_equal(t.data, must);
    hk_free(t.data);
    rig_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truck),
        cmocka_unit_test(rosace),
        cmocka_unit_test(sampled),
        cmocka_unit_test(form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
