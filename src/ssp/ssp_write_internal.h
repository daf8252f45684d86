/* SPDX-License-Identifier: MIT
 *
 * What the files that write systems share: ssp_write.c the structure, write_parts.c values, types
 * and units, write_files.c the files that a description names. */
#ifndef HK_SSP_SSP_WRITE_INTERNAL_H
#define HK_SSP_SSP_WRITE_INTERNAL_H

#include "format/xml_document.h"
#include "format/zip.h"
#include "model/tree.h"
#include "ssp/ssp.h"
#include "ssp/ssp_internal.h"

typedef struct hk_ssp_writer {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_model *model;
    hk_xml_document *doc;
    const char *folder; /* of the file, absolute */
    bool packed;        /* the files go into a package */
    bool newer;         /* something that SSP 1.0 does not know */
    hk_map sinks;       /* "component.variable" -> the connection that drives it */
    const hk_uom **units;
    size_t unit_count, unit_cap;
    hk_zip_item *items; /* of the package */
    size_t item_count, item_cap;
    size_t error_count;
    hk_status error;
} hk_ssp_writer;

static inline void hk_ssp_write_failed(hk_ssp_writer *w, hk_status error) {
    if (!w->error_count++)
        w->error = error;
}

/* ssp_write.c: the package PATH of the description TEXT and the items. */
HK_NODISCARD hk_status hk_ssp_write_package(hk_ssp_writer *w, const char *path, const char *text);

/* write_parts.c */
const char *hk_ssp_write_number(hk_ssp_writer *w, double value);
const char *hk_ssp_write_decimal(hk_ssp_writer *w,
                                 hk_ratio r); /* NULL: it is not a short decimal */
const char *hk_ssp_write_fraction(hk_ssp_writer *w, hk_ratio r);
/* The type of a connector with its unit and sizes. */
void hk_ssp_write_type(hk_ssp_writer *w, hk_xml_node *connector, const hk_tree_connector *c);
/* What a component begins with, as a binding of its own, with the comments about values. */
void hk_ssp_write_values(hk_ssp_writer *w, hk_xml_node *element, const hk_tree_element *e);
/* One parameter of a set, with the prefix ssv; and the text of its value. */
void hk_ssp_write_parameter(hk_ssp_writer *w, hk_xml_node *list, const char *name,
                            const hk_variable *v, const hk_value *value);
const char *hk_ssp_write_text(hk_ssp_writer *w, const hk_variable *v, const hk_value *value);
void hk_ssp_write_units(hk_ssp_writer *w, hk_xml_node *root);
/* The schedule of the whole model, as text; "": nothing is to be said. */
const char *hk_ssp_write_schedule(hk_ssp_writer *w);

/* write_comments.c: comments of a tree as those of XML, at the end of LIST. */
void hk_ssp_write_comments(hk_ssp_writer *w, hk_xml_node *list, const hk_tree_comments *comments);

/* write_files.c: how the description names what lies at PATH; NULL after an error. */
const char *hk_ssp_write_source(hk_ssp_writer *w, const char *path, hk_where where);
/* edit.c: the text of a description as the document in hand, with the values of the user. */
HK_NODISCARD hk_status hk_ssp_edit_document(hk_ssp_writer *w, const char *file, const char *data,
                                            size_t size);
/* The folder of the file TO, which must exist; absolute. */
HK_NODISCARD hk_status hk_ssp_edit_folder(hk_ssp_writer *w, const char *to,
                                          const char **ret_folder);
/* Another source for the file that NODE names; NULL: it stays. */
typedef const char *hk_ssp_rename_fn(hk_ssp_writer *w, void *user, const hk_xml_node *node,
                                     const char *source);
void hk_ssp_rename_sources(hk_ssp_writer *w, hk_xml_node *node, hk_ssp_rename_fn *rename,
                           void *user);
/* One such: USER is the way, encoded, from the folder of the description to the one that its
 * sources were relative to. */
hk_ssp_rename_fn hk_ssp_moved_source;
/* repack.c: from a description to a package and back. */
HK_NODISCARD hk_status hk_ssp_pack(hk_ssp_writer *w, const char *from, const char *to);
HK_NODISCARD hk_status hk_ssp_unpack(hk_ssp_writer *w, const char *package, const char *to);
/* A path as a URI writes it, in ARENA. */
const char *hk_ssp_encode(hk_arena *arena, const char *path);

#endif
