/* SPDX-License-Identifier: MIT
 *
 * From a native component to an FMU for this platform: description, library, documentation and, if
 * wanted, sources, in one archive. The same inputs give the same bytes. */
#ifndef HK_EXPORT_EXPORT_H
#define HK_EXPORT_EXPORT_H

#include "base/diag.h"

/* Is told what the compiler said after the diagnostic that it failed. */
typedef void hk_export_said_fn(void *user, const char *text);

/* What a port is where events are clocks (FMI 3.0): the flag of an event, the value of one, or
 * nothing that an importer sees. */
typedef enum hk_export_role {
    HK_EXPORT_PLAIN,
    HK_EXPORT_CLOCK_IN,
    HK_EXPORT_CLOCK_OUT,
    HK_EXPORT_CLOCKED,
    HK_EXPORT_HIDDEN
} hk_export_role;

typedef struct hk_export_event {
    hk_export_role role;
    size_t clock; /* CLOCKED: port of the flag */
} hk_export_event;

/* What a component does in cycles. */
typedef struct hk_export_cycle {
    double length;                 /* in seconds */
    const hk_export_event *events; /* per port; NULL: events are numbers */
} hk_export_cycle;

typedef struct hk_export_options {
    const char *const *files; /* one plugin, or the C sources of one */
    size_t file_count;
    const char *type;           /* NULL: the only one */
    const char *name;           /* of the model; NULL: that of the type */
    const char *output;         /* NULL: NAME.fmu in the working directory */
    int fmi;                    /* 1, 2 or 3 */
    const char *step_size;      /* seconds, for the default experiment; NULL: none */
    bool sources;               /* the FMU is to hold its sources too */
    bool once_per_process;      /* a process may hold one instance, no more */
    const char *const *defines; /* NAME or NAME=VALUE, for the sources */
    size_t define_count;
    const char *const *includes; /* folders in which the sources find headers */
    size_t include_count;
    const char *tool;             /* who made it: "hocket 0.1.0" */
    const hk_export_cycle *cycle; /* NULL: it has none */
    const char *made_from;   /* what the files were generated from; NULL: a person wrote them */
    hk_export_said_fn *said; /* NULL: nobody wants to know */
    void *user;
} hk_export_options;

/* What was made; texts live in the arena. */
typedef struct hk_export_result {
    const char *output, *type, *name, *identifier, *guid, *platform;
    size_t variables;
} hk_export_result;

HK_NODISCARD hk_status hk_export_fmu(hk_ctx *ctx, hk_arena *arena, const hk_export_options *options,
                                     hk_export_result *ret_result);

/* The same of a RoboChart file, the only one of FILES: C is generated from its module (`type`;
 * NULL: the only one) and exported. In FMI 3.0 its events are clocks, else numbers. */
HK_NODISCARD hk_status hk_export_chart(hk_ctx *ctx, hk_arena *arena,
                                       const hk_export_options *options,
                                       hk_export_result *ret_result);

#endif
