/* SPDX-License-Identifier: MIT
 *
 * A leaf on its own, driven by a test: its struct with the start values of its table of ports, and
 * its ports by name. */
#ifndef HK_TESTS_AUV_LEAF_H
#define HK_TESTS_AUV_LEAF_H

#include <hk/unit.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct leaf {
    const hk_unit_type *type;
    void *self;
} leaf;

/* An item of the enumeration of a port, or a number. */
static inline int64_t leaf_item(const hk_unit_type *type, const char *port, const char *text) {
    for (size_t i = 0; i < type->domain_count; i++) {
        const hk_enum_type *e = type->domains[i].enumeration;
        for (size_t k = 0; e && !strcmp(type->domains[i].port, port) && k < e->item_count; k++)
            if (!strcmp(e->items[k].name, text))
                return e->items[k].value;
    }
    return strtoll(text, NULL, 10);
}

static inline void leaf_start(const leaf *x, const hk_port *port) {
    for (size_t i = 0; port->start && i < (port->count ? port->count : 1); i++) {
        char *at = (char *)x->self + port->offset;
        switch (port->type) {
        case HK_TYPE_F64:
            ((double *)at)[i] = strtod(port->start, NULL);
            break;
        case HK_TYPE_I32:
            ((int32_t *)at)[i] = (int32_t)strtol(port->start, NULL, 10);
            break;
        case HK_TYPE_I64:
        case HK_TYPE_ENUM:
            ((int64_t *)at)[i] = leaf_item(x->type, port->name, port->start);
            break;
        case HK_TYPE_BOOL:
            ((bool *)at)[i] = !strcmp(port->start, "true");
            break;
        default:
            abort();
        }
    }
}

static inline leaf leaf_make(const hk_unit_type *type) {
    leaf x = {type, calloc(1, type->instance_size)};
    if (!x.self)
        abort();
    for (size_t i = 0; i < type->port_count; i++)
        leaf_start(&x, &type->ports[i]);
    return x;
}

/* Ends the program if there is no such port. */
static inline void *leaf_port(leaf x, const char *name, hk_type type) {
    for (size_t i = 0; i < x.type->port_count; i++)
        if (!strcmp(x.type->ports[i].name, name) && x.type->ports[i].type == type)
            return (char *)x.self + x.type->ports[i].offset;
    fprintf(stderr, "%s has no port %s\n", x.type->name, name);
    abort();
}

static inline double *leaf_number(leaf x, const char *name) {
    return leaf_port(x, name, HK_TYPE_F64);
}

static inline bool *leaf_truth(leaf x, const char *name) {
    return leaf_port(x, name, HK_TYPE_BOOL);
}

/* The three numbers of a record are beside each other. */
static inline void leaf_xyz(leaf x, const char *name, double a, double b, double c) {
    char full[64];
    snprintf(full, sizeof full, "%s.x", name);
    double *at = leaf_number(x, full);
    at[0] = a;
    at[1] = b;
    at[2] = c;
}

static inline void leaf_choose(leaf x, const char *name, const char *item) {
    *(int64_t *)leaf_port(x, name, HK_TYPE_ENUM) = leaf_item(x.type, name, item);
}

static inline void leaf_init(leaf x, double t) {
    if (x.type->init && x.type->init(x.self, t) != HK_STEP_OK)
        abort();
    if (x.type->output && x.type->output(x.self, t) != HK_STEP_OK)
        abort();
}

static inline int leaf_step(leaf x, double t, double h) {
    return x.type->step(x.self, t, h);
}

static inline const char *leaf_complaint(leaf x) {
    return x.type->complaint(x.self);
}

static inline void leaf_free(leaf x) {
    free(x.self);
}

#endif
