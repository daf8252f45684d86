/* SPDX-License-Identifier: MIT
 *
 * One component, called as hocket calls it, without hocket: ports by name, services bound by hand.
 */
#ifndef HK_TESTS_MISSION_RIG_H
#define HK_TESTS_MISSION_RIG_H

#include "auv.h"

#include <hk/geo.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct rig {
    const hk_unit_type *type;
    char *self;
    double t, h;
    int64_t tick;
} rig;

static inline void rig_within(const char *what, double got, double wanted, double tolerance) {
    if (!(fabs(got - wanted) <= tolerance))
        fail_msg("%s is %.17g, not %.17g (%.3g away)", what, got, wanted, got - wanted);
}

static inline const hk_port *rig_port(const rig *r, const char *name) {
    for (size_t i = 0; i < r->type->port_count; i++)
        if (strcmp(r->type->ports[i].name, name) == 0)
            return &r->type->ports[i];
    fail_msg("%s has no port '%s'", r->type->name, name);
    return NULL;
}

static inline void *rig_at(const rig *r, const char *name) {
    return r->self + rig_port(r, name)->offset;
}

static inline double rig_get(const rig *r, const char *name) {
    return *(const double *)rig_at(r, name);
}

static inline int64_t rig_item(const rig *r, const char *port, const char *item) {
    for (size_t i = 0; i < r->type->domain_count; i++) {
        const hk_domain *d = &r->type->domains[i];
        for (size_t k = 0; strcmp(d->port, port) == 0 && k < d->enumeration->item_count; k++)
            if (strcmp(d->enumeration->items[k].name, item) == 0)
                return d->enumeration->items[k].value;
    }
    fail_msg("'%s' is not an item of '%s'", item, port);
    return 0;
}

static inline void rig_set_text(const rig *r, const char *name, const char *text) {
    void *at = rig_at(r, name);
    switch (rig_port(r, name)->type) {
    case HK_TYPE_F64:
        *(double *)at = strtod(text, NULL);
        return;
    case HK_TYPE_I32:
        *(int32_t *)at = (int32_t)strtol(text, NULL, 10);
        return;
    case HK_TYPE_BOOL:
        *(bool *)at = strcmp(text, "true") == 0;
        return;
    case HK_TYPE_ENUM:
        *(int64_t *)at = rig_item(r, name, text);
        return;
    case HK_TYPE_STRING:
        *(hk_bytes *)at = (hk_bytes){text, strlen(text)};
        return;
    default:
        fail_msg("'%s' has a type that is not used here", name);
    }
}

static inline void rig_set(const rig *r, const char *name, double value) {
    *(double *)rig_at(r, name) = value;
}

static inline rig rig_make(const hk_unit_type *type, double h) {
    rig r = {.type = type, .self = calloc(1, type->instance_size), .h = h};
    assert_non_null(r.self);
    for (size_t i = 0; i < type->port_count; i++)
        if (type->ports[i].start)
            rig_set_text(&r, type->ports[i].name, type->ports[i].start);
    return r;
}

static inline void rig_bind(const rig *r, const char *required, const rig *to,
                            const char *provided) {
    const void *functions = NULL;
    for (size_t i = 0; i < to->type->service_count; i++)
        if (strcmp(to->type->services[i].name, provided) == 0)
            functions = to->type->services[i].functions;
    assert_non_null(functions);
    for (size_t i = 0; i < r->type->service_count; i++)
        if (strcmp(r->type->services[i].name, required) == 0) {
            *(hk_binding *)(r->self + r->type->services[i].offset) =
                (hk_binding){to->self, functions};
            return;
        }
    fail_msg("%s does not require '%s'", r->type->name, required);
}

static inline hk_resource *rig_resource(const rig *r) {
    return (hk_resource *)(r->self + r->type->resource->offset);
}

static inline void rig_init(rig *r) {
    if (r->type->init && r->type->init(r->self, r->t))
        fail_msg("%s: %s", r->type->name, r->type->complaint(r->self));
    if (r->type->output)
        assert_int_equal(r->type->output(r->self, r->t), HK_STEP_OK);
}

/* True: it went well. */
static inline bool rig_try(rig *r) {
    int result = r->type->step(r->self, r->t, r->h);
    r->t = (double)++r->tick * r->h;
    return result == HK_STEP_OK;
}

static inline void rig_step(rig *r) {
    if (!rig_try(r))
        fail_msg("%s at %g s: %s", r->type->name, r->t, r->type->complaint(r->self));
}

static inline const char *rig_complaint(const rig *r) {
    const char *text = r->type->complaint(r->self);
    return text ? text : "";
}

static inline void rig_end(rig *r) {
    if (r->type->resource && rig_resource(r)->data)
        r->type->resource->release(rig_resource(r)->data);
    free(r->self);
}

/* ---- who integrates what instruments see ---- */

/* Attitude and velocity over ground from rotation speed and specific force alone. */
typedef struct inertial {
    hk_geo_quaternion attitude;
    hk_geo_vector3 velocity;
} inertial;

static inline hk_geo_vector3 rig_vector(const rig *r, const char *base) {
    char name[3][64];
    for (int i = 0; i < 3; i++)
        snprintf(name[i], sizeof name[i], "%s.%c", base, "xyz"[i]);
    return hk_geo_vector(rig_get(r, name[0]), rig_get(r, name[1]), rig_get(r, name[2]));
}

static inline hk_geo_quaternion rig_attitude(const rig *r) {
    hk_geo_vector3 a = rig_vector(r, "state.attitude");
    return hk_geo_quaternion_of_euler((hk_geo_euler){a.x, a.y, a.z});
}

static inline inertial inertial_start(const rig *r) {
    inertial i = {.attitude = rig_attitude(r)};
    i.velocity = hk_geo_rotate(i.attitude, rig_vector(r, "state.bodySpeed"));
    return i;
}

static inline void inertial_step(inertial *i, const rig *r, double gravity) {
    hk_geo_vector3 turn = hk_geo_scale(r->h, rig_vector(r, "state.bodyRotationSpeed"));
    hk_geo_quaternion middle = hk_geo_turned(i->attitude, hk_geo_scale(0.5, turn));
    hk_geo_vector3 a = hk_geo_add(hk_geo_rotate(middle, rig_vector(r, "state.bodyAcceleration")),
                                  hk_geo_vector(0, 0, gravity));
    i->velocity = hk_geo_add(i->velocity, hk_geo_scale(r->h, a));
    i->attitude = hk_geo_turned(i->attitude, turn);
}

static inline void inertial_expect(const inertial *i, const rig *r, double tolerance) {
    hk_geo_quaternion q = rig_attitude(r);
    hk_geo_vector3 away =
        hk_geo_turn_of_quaternion(hk_geo_quaternion_product(hk_geo_conjugate(i->attitude), q));
    rig_within("integrated attitude", hk_geo_length(away), 0, tolerance);
    hk_geo_vector3 v = hk_geo_rotate(q, rig_vector(r, "state.bodySpeed"));
    rig_within("integrated velocity", hk_geo_length(hk_geo_subtract(v, i->velocity)), 0, tolerance);
}

/* ---- chance ---- */

/* From LOW to HIGH; the same in every run. */
static inline double rig_chance(uint64_t *seed, double low, double high) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

#endif
