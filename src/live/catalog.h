/* SPDX-License-Identifier: MIT
 *
 * What can be looked at: the variables of the components of a model, or the columns of a record.
 * Made once, read by both threads. */
#ifndef HK_LIVE_CATALOG_H
#define HK_LIVE_CATALOG_H

#include "base/map.h"
#include "format/table_read.h"
#include "model/model.h"

/* A value with a name: all elements of a variable, or a column. */
typedef struct hk_watchable {
    const char *name;   /* "chassis.p.f" */
    const char *inside; /* its group: "p.f" */
    const char *unit;   /* NULL: none */
    hk_type type;       /* HK_TYPE_COUNT: not known */
    uint32_t group;
    uint32_t component, variable; /* of a model; of a record: variable is the column */
    uint32_t count;               /* elements */
    bool settable;                /* a parameter that can be tuned, or an input */
} hk_watchable;

typedef struct hk_watchables {
    const char *name; /* of the component; of a record: all before the last dot */
    uint32_t first, end;
} hk_watchables;

typedef struct hk_catalog {
    hk_arena *arena;
    hk_watchable *all; /* those of a group lie together */
    size_t count;
    hk_watchables *groups;
    size_t group_count;
    hk_map names;
} hk_catalog;

/* Zeroed before, finished in any case. */
void hk_catalog_of_model(const hk_model *model, hk_catalog *ret_catalog);
void hk_catalog_of_table(const hk_table *table, hk_catalog *ret_catalog);
void hk_catalog_finish(hk_catalog *catalog);

/* One value that somebody wants: a name of the catalog, or that of an element, "arm.q[2]". */
typedef struct hk_wanted {
    uint32_t what;    /* HK_MAP_NONE: there is none */
    uint32_t element; /* from 0; HK_MAP_NONE: all */
} hk_wanted;
hk_wanted hk_catalog_find(const hk_catalog *catalog, const char *name, size_t size);

#endif
