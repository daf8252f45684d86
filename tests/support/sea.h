/* SPDX-License-Identifier: MIT
 *
 * A small executor for tests, written from the definition and sharing nothing with hocket's plan
 * and engine. Logical processors run side by side; each runs its components one after the other in
 * a fixed order. Its step is the greatest common divisor of their periods. Inside a processor a
 * value is seen at once; what a processor computed in its step at t, others see from t + step on.
 * Before the first production a consumer sees the declared initial value. */
#ifndef HK_TEST_SEA_H
#define HK_TEST_SEA_H

#include "base/number.h"

#include <hk/unit.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEA_COMPONENTS = 24, SEA_LINKS = 128 };

typedef struct sea_component {
    const char *name;
    const hk_unit_type *type;
    int period, lp; /* ticks; processor */
    bool produced;
    char *self;
} sea_component;

typedef struct sea_link {
    int from, to;
    size_t from_offset, to_offset, size;
    bool zero_inside; /* inside one processor the initial value is 0, whatever the producer says */
    char seen[8], sent[8];
} sea_link;

typedef struct sea {
    double ticks_per_second;
    const hk_unit_type *const *types;
    sea_component components[SEA_COMPONENTS];
    sea_link links[SEA_LINKS];
    int count, link_count, tick;
    int order[SEA_COMPONENTS]; /* processor by processor */
    int lp_count, lp_step[SEA_COMPONENTS];
} sea;

static inline const char *sea_text(double value, char *buffer) {
    buffer[hk_write_f64(value, buffer)] = '\0';
    return buffer;
}

static inline void expect_within(const char *what, double got, double wanted, double tolerance) {
    char texts[3][HK_NUMBER_MAX + 1];
    if (!(fabs(got - wanted) <= tolerance))
        fail_msg("%s is %s, expected %s +- %s", what, sea_text(got, texts[0]),
                 sea_text(wanted, texts[1]), sea_text(tolerance, texts[2]));
}

static inline void sea_add(sea *s, const char *name, const char *type, int period) {
    sea_component *c = &s->components[s->count++];
    *c = (sea_component){.name = name, .period = period};
    for (size_t i = 0; s->types[i]; i++)
        if (strcmp(s->types[i]->name, type) == 0)
            c->type = s->types[i];
    assert_non_null(c->type);
    c->self = calloc(1, c->type->instance_size);
    for (size_t i = 0; i < c->type->port_count; i++) {
        const hk_port *p = &c->type->ports[i];
        size_t length = p->start ? strlen(p->start) : 0;
        char *at = c->self + p->offset;
        int64_t number = 0;
        if (!p->start)
            continue;
        if (p->type == HK_TYPE_F64)
            assert_true(hk_read_f64(p->start, length, (double *)(void *)at));
        else if (p->type == HK_TYPE_BOOL)
            assert_true(hk_read_bool(p->start, length, (bool *)at));
        else if (p->type == HK_TYPE_I32 && hk_read_i64(p->start, length, &number))
            *(int32_t *)(void *)at = (int32_t)number;
        else
            fail_msg("type of %s.%s", name, p->name);
    }
}

static inline int sea_component_index(const sea *s, const char *name, size_t length) {
    for (int i = 0; i < s->count; i++)
        if (strlen(s->components[i].name) == length &&
            strncmp(s->components[i].name, name, length) == 0)
            return i;
    fail_msg("no component %.*s", (int)length, name);
    return 0;
}

/* PATH is "component.port". */
static inline const hk_port *sea_port(const sea *s, const char *path, int *ret_component) {
    size_t length = strcspn(path, ".");
    *ret_component = sea_component_index(s, path, length);
    const hk_unit_type *type = s->components[*ret_component].type;
    for (size_t i = 0; i < type->port_count; i++)
        if (strcmp(type->ports[i].name, path + length + 1) == 0)
            return &type->ports[i];
    fail_msg("no port %s", path);
    return NULL;
}

static inline void *sea_at(const sea *s, const char *path) {
    int component;
    const hk_port *port = sea_port(s, path, &component);
    return s->components[component].self + port->offset;
}

static inline double *sea_f64(const sea *s, const char *path) {
    return sea_at(s, path);
}

static inline void sea_connect(sea *s, const char *from, const char *to) {
    sea_link *k = &s->links[s->link_count++];
    const hk_port *output = sea_port(s, from, &k->from), *input = sea_port(s, to, &k->to);
    assert_int_equal(output->causality, HK_OUTPUT);
    assert_int_equal(input->causality, HK_INPUT);
    assert_int_equal(output->type, input->type);
    assert_string_equal(output->unit ? output->unit : "", input->unit ? input->unit : "");
    k->from_offset = output->offset;
    k->to_offset = input->offset;
    k->size = output->type == HK_TYPE_F64 ? 8 : output->type == HK_TYPE_I32 ? 4 : 1;
}

static inline int sea_gcd(int a, int b) {
    return b ? sea_gcd(b, a % b) : a;
}

/* PARTITION names every component once, in order, processors separated by '|'. */
static inline void sea_partition(sea *s, const char *partition) {
    int placed = 0;
    s->lp_count = 1;
    s->lp_step[0] = 0;
    for (const char *at = partition; *at;) {
        size_t length = strcspn(at, " |");
        if (length) {
            int c = sea_component_index(s, at, length);
            int lp = s->lp_count - 1;
            s->components[c].lp = lp;
            s->lp_step[lp] = sea_gcd(s->components[c].period, s->lp_step[lp]);
            s->order[placed++] = c;
        }
        at += length;
        if (*at == '|')
            s->lp_step[s->lp_count++] = 0;
        at += *at != 0;
    }
    assert_int_equal(placed, s->count);
}

static inline void sea_begin(sea *s) {
    for (int i = 0; i < s->count; i++) {
        sea_component *c = &s->components[i];
        if (c->type->init)
            assert_int_equal(c->type->init(c->self, 0.0), HK_STEP_OK);
        assert_int_equal(c->type->output(c->self, 0.0), HK_STEP_OK);
    }
    for (int i = 0; i < s->link_count; i++) {
        sea_link *k = &s->links[i];
        memcpy(k->seen, s->components[k->from].self + k->from_offset, k->size);
        memcpy(k->sent, k->seen, k->size);
    }
    s->tick = 0;
}

static inline void sea_consume(const sea *s, int consumer) {
    static const char zero[8];
    for (int i = 0; i < s->link_count; i++) {
        const sea_link *k = &s->links[i];
        if (k->to != consumer)
            continue;
        const sea_component *from = &s->components[k->from], *to = &s->components[consumer];
        const char *value = k->seen;
        if (from->lp == to->lp)
            value = k->zero_inside && !from->produced ? zero : from->self + k->from_offset;
        memcpy(to->self + k->to_offset, value, k->size);
    }
}

/* One tick. What was sent is delivered first, at the processor's next step; then all run. */
static inline void sea_tick(sea *s) {
    for (int i = 0; i < s->link_count; i++) {
        sea_link *k = &s->links[i];
        if (s->tick % s->lp_step[s->components[k->from].lp] == 0)
            memcpy(k->seen, k->sent, k->size);
    }
    for (int i = 0; i < s->count; i++) {
        sea_component *c = &s->components[s->order[i]];
        if (s->tick % c->period != 0)
            continue;
        sea_consume(s, s->order[i]);
        int code =
            c->type->step(c->self, s->tick / s->ticks_per_second, c->period / s->ticks_per_second);
        assert_int_equal(code, HK_STEP_OK);
        c->produced = true;
    }
    for (int i = 0; i < s->link_count; i++) {
        sea_link *k = &s->links[i];
        memcpy(k->sent, s->components[k->from].self + k->from_offset, k->size);
    }
    s->tick++;
}

static inline void sea_end(sea *s) {
    for (int i = 0; i < s->count; i++)
        free(s->components[i].self);
}

#endif
