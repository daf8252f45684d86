/* SPDX-License-Identifier: MIT
 *
 * Services: functions that one component offers and another calls, directly, as C functions. An
 * interface is a struct of function pointers; who provides it has such a struct with functions of
 * its own, who requires it has a field of the form {self, functions} that hocket fills in when the
 * two are bound. `hocket gen` writes all of this from a type file; by hand it looks like this:
 *
 *     typedef struct depth_source {           // the interface
 *         double (*depth)(void *self, double x, double y);
 *     } depth_source;
 *
 *     typedef struct diver {                  // a component that requires it
 *         struct { void *self; const depth_source *functions; } chart;
 *         double x, y, depth;
 *     } diver;
 *
 *     d->depth = d->chart.functions->depth(d->chart.self, d->x, d->y);
 *
 * A call runs on the caller's thread; components that call each other are never run at the same
 * time, so a function needs no locks, whatever it keeps. What a function changes in its provider in
 * a way that others can see is to be declared: see hk_interface.signature. A required interface is
 * bound before init, so it may be called from there on. */
#ifndef HK_SERVICE_H
#define HK_SERVICE_H

#include <hk/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One basic value inside an argument or a result: the argument itself, or a field of a record. */
typedef struct hk_field {
    const char *name; /* "" if the whole is one basic value; "x", "position.x" in a record */
    hk_type type;
    size_t count;  /* elements, 0 or 1: one */
    size_t offset; /* in the argument */
    const char *unit;
} hk_field;

typedef struct hk_argument {
    const char *name;
    size_t size; /* sizeof the C type */
    const hk_field *fields;
    size_t field_count;
} hk_argument;

/* A function of an interface, so that a scenario can call it by name. */
typedef struct hk_function {
    const char *name;
    const hk_argument *arguments;
    size_t argument_count;
    const hk_argument *result; /* NULL: void */
    /* Calls it: FUNCTIONS is the provider's struct of function pointers, ARGUMENTS[i] points to a
     * value of the i-th argument's C type, RESULT to room for the result. */
    void (*call)(const void *functions, void *self, const void *const *arguments, void *result);
} hk_function;

typedef struct hk_interface {
    const char *name; /* with its package: "environment.CurrentSource" */
    /* What it consists of, in one line of the type language; two components agree about an
     * interface if name and signature are equal. A function that changes its provider has 'mutable'
     * before it, as in "mutable void reset(); double value()": those who call the interface then
     * run one after the other, in the order of the model. */
    const char *signature;
    const hk_function *functions;
    size_t function_count;
    /* The struct of function pointers that a caller gets while its provider is stopped: each
     * function calls hk_service_stopped(self) and returns zeros. */
    const void *stopped;
} hk_interface;

/* A provided or required interface of a component type. */
typedef struct hk_service {
    const char *name; /* local: "pMntModel" */
    const hk_interface *interface;
    const void *functions; /* provided: the struct of function pointers; NULL: it is required */
    size_t offset;         /* required: of the hk_binding in the component's struct */
} hk_service;

/* What is in the struct of a component that requires an interface; a typed struct with the same
 * two pointers is the same. */
typedef struct hk_binding {
    void *self;
    const void *functions;
} hk_binding;

/* For the functions of hk_interface.stopped: notes that a stopped provider was called; the run ends
 * with a message at this instant, of which no row is recorded. SELF is what the binding holds then.
 */
typedef struct hk_stopped {
    void (*note)(struct hk_stopped *self);
} hk_stopped;
static inline void hk_service_stopped(void *self) {
    hk_stopped *stopped = (hk_stopped *)self;
    stopped->note(stopped);
}

#ifdef __cplusplus
}
#endif
#endif
