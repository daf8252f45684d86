/* SPDX-License-Identifier: MIT
 *
 * What the files that write systems share: write_system.c the structure, write_links.c links,
 * write_values.c what leaves say about themselves. */
#ifndef HK_LANG_WRITE_INTERNAL_H
#define HK_LANG_WRITE_INTERNAL_H

#include "base/files_beside.h"
#include "lang/lang.h"
#include "model/tree.h"

typedef struct hk_system_writer {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_model *model;
    const hk_tree *tree;
    hk_copies beside; /* the file, and those that it names */
    hk_map sinks;     /* "component.variable" -> the connection that drives it */
    size_t error_count;
    hk_status error;
    hk_left_out *left;
} hk_system_writer;

static inline void hk_system_write_failed(hk_system_writer *w, hk_status error) {
    if (!w->error_count++)
        w->error = error;
}
/* Tells, once of each kind, what is of no account for the values of a run and is not written. */
void hk_system_write_left(hk_system_writer *w, hk_where where, const char *what);

void hk_system_write_comments(const hk_tree_comments *comments, hk_place *at);
hk_name hk_system_write_name(hk_system_writer *w, const char *text);
hk_number hk_system_write_time(hk_system_writer *w, hk_ratio time);
/* How the file names what lies at PATH. */
const char *hk_system_write_file(hk_system_writer *w, const char *path, hk_where where);

/* write_values.c: the items of a leaf. */
void hk_system_write_leaf(hk_system_writer *w, const hk_tree_element *e, hk_leaf *ret_leaf);
/* The same with its unit behind a number. */
hk_literal hk_system_write_quantity(hk_system_writer *w, const hk_variable *v,
                                    const hk_value *value);
hk_literal hk_system_write_value(hk_system_writer *w, const hk_variable *v, const hk_value *value);

/* system_experiment.c: the times of a run; NULL: the model has none. */
hk_experimentdecl *hk_system_write_experiment(hk_system_writer *w);

/* write_links.c: appends the links of a system, and the ports that they lead through. */
typedef struct hk_system_items {
    hk_item *all;
    size_t count, cap;
} hk_system_items;
void hk_system_write_ports(hk_system_writer *w, const hk_tree_element *e, hk_system_items *items);
/* Comments above what is not written as a link are added to STRAY. */
void hk_system_write_links(hk_system_writer *w, const hk_tree_element *e, hk_system_items *items,
                           hk_tree_comments *stray);
/* Connections whose values are changed on their way have no words in a system file. */
void hk_system_write_check(hk_system_writer *w);

#define HK_NO_NAME ((hk_name){.text = ""})

#endif
