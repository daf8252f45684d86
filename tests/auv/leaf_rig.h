/* SPDX-License-Identifier: MIT
 *
 * One component by itself, as a test drives it: its ports by their names, and steps. */
#ifndef HK_TESTS_LEAF_RIG_H
#define HK_TESTS_LEAF_RIG_H

/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "auv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct leaf {
    const hk_unit_type *type;
    char *self;
} leaf;

static const hk_port *leaf_port(const leaf *x, const char *name) {
    for (size_t i = 0; i < x->type->port_count; i++)
        if (strcmp(x->type->ports[i].name, name) == 0)
            return &x->type->ports[i];
    fail_msg("%s has no port '%s'", x->type->name, name);
    return NULL;
}

static void leaf_set(const leaf *x, const char *name, double value) {
    const hk_port *port = leaf_port(x, name);
    char *at = x->self + port->offset;
    if (port->type == HK_TYPE_F64)
        *(double *)at = value;
    else if (port->type == HK_TYPE_ENUM)
        *(int64_t *)at = (int64_t)value;
    else if (port->type == HK_TYPE_I32)
        *(int32_t *)at = (int32_t)value;
    else if (port->type == HK_TYPE_BOOL)
        *(bool *)at = value != 0;
    else
        fail_msg("%s.%s is not a number", x->type->name, name);
}

static void leaf_set3(const leaf *x, const char *name, double a, double b, double c) {
    const double values[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        char full[80];
        snprintf(full, sizeof full, "%s.%c", name, 'x' + i);
        leaf_set(x, full, values[i]);
    }
}

static void leaf_text(const leaf *x, const char *name, const char *text) {
    const hk_port *port = leaf_port(x, name);
    assert_int_equal(port->type, HK_TYPE_STRING);
    *(hk_bytes *)(x->self + port->offset) = (hk_bytes){text, strlen(text)};
}

static double leaf_get(const leaf *x, const char *name) {
    const hk_port *port = leaf_port(x, name);
    const char *at = x->self + port->offset;
    if (port->type == HK_TYPE_F64)
        return *(const double *)at;
    if (port->type == HK_TYPE_I32)
        return *(const int32_t *)at;
    if (port->type == HK_TYPE_BOOL)
        return *(const bool *)at;
    fail_msg("%s.%s is not a number", x->type->name, name);
    return 0;
}

static void *leaf_field(const leaf *x, const char *name) {
    return x->self + leaf_port(x, name)->offset;
}

/* The number of an item of the enumeration of a port. */
static double leaf_item(const leaf *x, const char *port, const char *item) {
    for (size_t i = 0; i < x->type->domain_count; i++) {
        const hk_enum_type *type = x->type->domains[i].enumeration;
        if (strcmp(x->type->domains[i].port, port) != 0)
            continue;
        for (size_t k = 0; k < type->item_count; k++)
            if (strcmp(type->items[k].name, item) == 0)
                return (double)type->items[k].value;
    }
    fail_msg("%s.%s has no item '%s'", x->type->name, port, item);
    return 0;
}

/* As it was, in run RUN of seed 1. */
static void leaf_reset(const leaf *x, uint64_t run) {
    memset(x->self, 0, x->type->instance_size);
    for (size_t i = 0; i < x->type->port_count; i++) {
        const hk_port *port = &x->type->ports[i];
        if (!port->start)
            continue;
        if (port->type == HK_TYPE_STRING)
            leaf_text(x, port->name, port->start);
        else
            leaf_set(x, port->name, strtod(port->start, NULL));
    }
    for (size_t i = 0; i < x->type->stream_count; i++)
        *(hk_stream *)(x->self + x->type->streams[i].offset) =
            hk_stream_make(1, run, "trial.leaf", x->type->streams[i].name);
}

static leaf leaf_new(const hk_unit_type *type) {
    leaf x = {type, malloc(type->instance_size)};
    assert_non_null(x.self);
    leaf_reset(&x, 0);
    return x;
}

static void leaf_free(leaf *x) {
    if (x->type->resource) {
        hk_resource *resource = (hk_resource *)(x->self + x->type->resource->offset);
        if (resource->data)
            x->type->resource->release(resource->data);
    }
    free(x->self);
}

static void leaf_bind(const leaf *x, const char *name, void *self, const void *functions) {
    for (size_t i = 0; i < x->type->service_count; i++) {
        const hk_service *service = &x->type->services[i];
        if (strcmp(service->name, name) == 0 && !service->functions) {
            *(hk_binding *)(x->self + service->offset) = (hk_binding){self, functions};
            return;
        }
    }
    fail_msg("%s requires no '%s'", x->type->name, name);
}

/* What a provided interface answers with. */
static const void *leaf_provides(const leaf *x, const char *name) {
    for (size_t i = 0; i < x->type->service_count; i++)
        if (strcmp(x->type->services[i].name, name) == 0)
            return x->type->services[i].functions;
    fail_msg("%s provides no '%s'", x->type->name, name);
    return NULL;
}

static void leaf_step(const leaf *x, double t, double h) {
    if (x->type->step(x->self, t, h) != HK_STEP_OK)
        fail_msg("%s failed: %s", x->type->name,
                 x->type->complaint ? x->type->complaint(x->self) : "");
}

/* It fails, and says TEXT. */
static void leaf_refuses(const leaf *x, double t, double h, const char *text) {
    assert_int_equal(x->type->step(x->self, t, h), HK_STEP_FAILED);
    const char *complaint = x->type->complaint(x->self);
    if (!complaint || !strstr(complaint, text))
        fail_msg("'%s' is not in '%s'", text, complaint ? complaint : "");
}

static inline void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.12g is not %.12g within %.3g", value, expected, tolerance);
}

/* Not all tests use all of it. */
static inline void leaf_unused(void) {
    (void)leaf_set3, (void)leaf_text, (void)leaf_get, (void)leaf_field, (void)leaf_item,
        (void)leaf_new, (void)leaf_free, (void)leaf_bind, (void)leaf_provides, (void)leaf_step,
        (void)leaf_refuses;
}

#endif
