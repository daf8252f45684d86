/* SPDX-License-Identifier: MIT
 *
 * What the files that make a model of a profile share. */
#ifndef HK_SYSML_MODEL_INTERNAL_H
#define HK_SYSML_MODEL_INTERNAL_H

#include "base/complaints.h"
#include "model/flatten.h"
#include "sysml/sysml.h"

typedef struct hk_sysml_maker {
    hk_complaints complaints;
    hk_arena *arena; /* as long as the model is made */
    const hk_multimodel *profile;
    hk_model *model;
    hk_tree_element **elements; /* per instance; NULL: it is inside of an EComponent */
    bool *checked;              /* per block: its mistakes are reported */
    uint32_t *components;       /* per instance; HK_MAP_NONE: it is not one */
    hk_map opened;              /* what runs -> index in infos */
    const hk_info **infos;
    size_t info_count, info_cap;
    hk_map driven; /* "instance.port" of inputs that a flow leads to */
    hk_flat flat;
    hk_map nodes;      /* "system instance.port" -> node of a connector */
    hk_map connectors; /* "system name" that is taken */
    hk_map files;      /* names of files that live as long as the model -> index in file_names */
    const char **file_names;
    size_t file_count, file_cap;
} hk_sysml_maker;

const hk_profile_block *hk_sysml_block(const hk_sysml_maker *m, uint32_t instance);
/* A place that the model may keep. */
hk_where hk_sysml_where(hk_sysml_maker *m, const char *file, const hk_place *at);

/* model_components.c: instances become components, with their values. */
void hk_sysml_add_components(hk_sysml_maker *m);
/* model_flows.c: flows become connections. */
void hk_sysml_add_flows(hk_sysml_maker *m);
/* model_lost.c: notes what neither the model nor its tree has a place for. */
void hk_sysml_tell_lost(hk_sysml_maker *m);

#endif
