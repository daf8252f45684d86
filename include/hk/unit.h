/* SPDX-License-Identifier: MIT
 *
 * A native component: an ordinary C struct, a table that says which of its fields are ports, and
 * one function that advances it. Write the table and the function, and hocket does the rest.
 *
 *     typedef struct tank { double inflow, level, area; } tank;
 *
 *     static const hk_port tank_ports[] = {
 *         HK_PORT(tank, inflow, HK_INPUT, HK_TYPE_F64, .unit = "m3/s"),
 *         HK_PORT(tank, level, HK_OUTPUT, HK_TYPE_F64, .unit = "m", .depends_on = ""),
 *         HK_PORT(tank, area, HK_PARAMETER, HK_TYPE_F64, .unit = "m2", .start = "2"),
 *     };
 *
 *     static int tank_step(void *self, double t, double h) {
 *         tank *x = self;
 *         x->level += h * x->inflow / x->area;
 *         return HK_STEP_OK;
 *     }
 *
 *     static const hk_unit_type tank_type = {
 *         HK_UNIT_TYPE(tank), .ports = tank_ports, .port_count = 3, .step = tank_step};
 *
 * Ownership: hocket allocates the struct (zeroed, then filled with the start values), and frees it.
 * Threads: hocket never calls two functions of one instance at the same time; different instances
 * may be called at the same time, so a component keeps no global state. */
#ifndef HK_UNIT_H
#define HK_UNIT_H

#include <hk/base.h>
#include <hk/random.h>
#include <hk/service.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when the layout of the structs below changes incompatibly. */
#define HK_UNIT_ABI 1

/* What init, output and step return: any other value counts as HK_STEP_FAILED. */
enum {
    HK_STEP_OK = 0,
    HK_STEP_FAILED = 3 /* the run ends with a message that names the component and the time */
};

/* A text or binary port is a field of this type. The engine owns what an input points to; what an
 * output points to must stay valid until the component's next call. */
typedef struct hk_bytes {
    const void *data; /* for text: UTF-8, a NUL follows the last byte */
    size_t size;
} hk_bytes;

/* One field of the component's struct that others can see. All texts are static. */
typedef struct hk_port {
    const char *name;
    size_t offset; /* of the field; an array port has count elements there */
    hk_causality causality;
    hk_type type;           /* field: double, float, int8_t ... bool, hk_bytes; enum: int64_t */
    size_t count;           /* elements, 0 or 1: scalar */
    const char *unit;       /* "m/s"; NULL: none declared */
    const char *start;      /* start value as text; NULL: zero. One value fills an array */
    const char *depends_on; /* outputs: names of the inputs that act without delay, separated by
                               spaces; "": none; NULL: not known, so all of them */
    const char *description;
    bool tunable; /* parameters: may change during the run */
    /* Floating-point outputs: NaN is one of its values, "not known", and does not end a run. */
    bool may_be_nan;
} hk_port;

/* HK_PORT(struct, field, causality, type, .unit = "m", ...): all after the type may be left out. */
#define HK_PORT(struct_type, field, cause, ...)                                                    \
    {                                                                                              \
        .name = #field, .offset = offsetof(struct_type, field), .causality = (cause),              \
        .type = __VA_ARGS__                                                                        \
    }

/* A source of random numbers: a field of type hk_stream, filled in before init from the seed of the
 * run, its number, the component's path and this name. */
typedef struct hk_stream_field {
    const char *name;
    size_t offset;
} hk_stream_field;

/* What a component obtains outside of its struct, such as the contents of a file: a field of this
 * type. It is not part of the state: in a saved state it is empty, and an instance that takes a
 * state over keeps its own. So obtain it where it is needed and DATA is NULL: in a step, or in a
 * function of a service; a component that is never asked then opens no file. */
typedef struct hk_resource {
    const char *folder; /* of the system, or of the tool that carries it; filled in before init:
                           relative names begin there */
    void *data;         /* the component's own; NULL: nothing */
} hk_resource;

typedef struct hk_resource_field {
    size_t offset;               /* of the hk_resource in the struct */
    void (*release)(void *data); /* called once, if DATA is not NULL, when the instance is closed */
} hk_resource_field;

/* An enumeration: what its numbers are called. Ports of one enumeration point to one of these. */
typedef struct hk_enum_item {
    const char *name;
    int64_t value;
} hk_enum_item;

typedef struct hk_enum_type {
    const char *name; /* "plant.Mode" */
    const hk_enum_item *items;
    size_t item_count;
} hk_enum_type;

/* Which values a port is meant to hold, for those who set it, and for the description of an FMU. A
 * value outside is a warning: the component has the last word. */
typedef struct hk_domain {
    const char *port;                /* its name */
    const char *min, *max;           /* as text; NULL: no limit. They hold for every element */
    const hk_enum_type *enumeration; /* HK_TYPE_ENUM only; NULL: its numbers have no names */
} hk_domain;

/* A type of component. The struct is plain data: a copy of its bytes (hk_bytes ports aside, which
 * the engine copies itself) is its whole state, which is how runs are saved and restored. */
typedef struct hk_unit_type {
    uint32_t abi;         /* HK_UNIT_ABI */
    uint32_t size;        /* sizeof(hk_unit_type), so that the struct can grow */
    const char *name;     /* how systems refer to it */
    size_t instance_size; /* of the component's struct */
    const hk_port *ports;
    size_t port_count;
    const char *description;
    hk_stamp stamp;

    /* Called once when parameters and start values are in place; t is the first activation.
     * Computes the initial state. May be NULL. */
    int (*init)(void *self, double t);
    /* Computes the outputs from state and inputs without advancing, for the exchange of initial
     * values; called again whenever an input changed there. NULL: outputs keep their start. */
    int (*output)(void *self, double t);
    /* One activation: reads the inputs, advances from t to t + h, writes the outputs. What a
     * connection or a share brings is not written: it need not be brought again before every
     * step. */
    int (*step)(void *self, double t, double h);
    /* Frees what init obtained. NULL: nothing. What init obtained is not in the struct: the state
     * of a component with an end can be kept in memory, and is as the struct says if that does not
     * change after init, but it cannot be written to a file. */
    void (*end)(void *self);

    /* From here on only if SIZE says that the field is there: HK_UNIT_HAS(type, field). */

    /* How the unknowns move if the knowns move by SEED: sensitivity = d unknowns / d knowns * seed.
     * Both are named by their index in the port table and are ports of floating-point type; SEED
     * and SENSITIVITY hold all elements of these ports, one port after the other. Changes nothing
     * that can be seen. NULL: not offered. */
    int (*derivative)(void *self, const size_t *unknowns, size_t unknown_count,
                      const size_t *knowns, size_t known_count, const double *seed,
                      double *sensitivity);

    /* Interfaces that it provides or requires: hk/service.h. */
    const hk_service *services;
    size_t service_count;
    /* It is stopped, or started again, between two activations: by a scenario. While it is stopped
     * step is not called. What they change of its outputs is seen by others from then on. May be
     * NULL. */
    int (*start)(void *self, double t);
    int (*stop)(void *self, double t);
    /* Its sources of random numbers: hk/random.h. */
    const hk_stream_field *streams;
    size_t stream_count;
    /* Names of the parameters by which the random numbers are multiplied, separated by spaces:
     * where all of them are 0, one run is like the other. NULL: every run is different. */
    const char *random_scales;
    /* Limits and items of ports, of which each is named once at most. */
    const hk_domain *domains;
    size_t domain_count;
    /* false: END frees nothing, so that the state can be written to a file as if it were NULL. It
     * is a pointer so that a table can be const and what it tells be known in another file. NULL:
     * END frees something if it is there. */
    const bool *end_frees;
    /* Why the function that was called last did not return HK_STEP_OK, in words for a user: "leg 3
     * cannot be held against a current of 2.1 m/s". It is called right after that and is part of
     * the message; what it returns stays valid until the next call. NULL: there is nothing to add.
     */
    const char *(*complaint)(const void *self);
    /* What it obtains outside of its struct. NULL: nothing. */
    const hk_resource_field *resource;
    /* Its reals change in steps, as all its other values do: tables hold them between two rows. */
    bool discrete;
    /* Names of the outputs that say that something happens in a step, and are 0 in all others,
     * separated by spaces: where a run ends nothing happens any more. NULL: none. */
    const char *pulses;
    /* What a user should know of the run, though nothing failed: "3 rows of 'dvl.csv' were not
     * seen". It is called once, when a run has come to its end, before END; what it returns is told
     * as a note. NULL, or a function that returns NULL: nothing. */
    const char *(*remark)(void *self);
    /* Somebody sets a port before init, be it to the start value that it has: PORT is its index in
     * the table. So a component can tell a value that was given from one that was not. Called
     * behind the change. May be NULL. */
    void (*given)(void *self, size_t port);
} hk_unit_type;

/* What a type has at least, and whether one that may be older than this header has FIELD too. */
#define HK_UNIT_TYPE_MIN offsetof(hk_unit_type, derivative)
#define HK_UNIT_HAS(type, field)                                                                   \
    ((type)->size >= offsetof(hk_unit_type, field) + sizeof(type)->field && (type)->field)

#define HK_UNIT_TYPE(struct_type)                                                                  \
    .abi = HK_UNIT_ABI, .size = sizeof(hk_unit_type), .name = #struct_type,                        \
    .instance_size = sizeof(struct_type)

/* A plugin is a shared library that exports this one function. It returns the types the library
 * offers, a NULL-terminated array of pointers that stays valid while the library is loaded. */
typedef const hk_unit_type *const *hk_plugin_fn(void);
HK_EXPORT const hk_unit_type *const *hk_plugin(void);

#ifdef __cplusplus
}
#endif
#endif
