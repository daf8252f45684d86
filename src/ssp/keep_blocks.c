/* SPDX-License-Identifier: MIT
 *
 * Blocks of a multi-model that was written as SSP: what they say about themselves. */
#include "ssp/keep_internal.h"

#include <string.h>

void hk_ssp_keep_block(hk_ssp_keeper *k, const char *file, const hk_xml *own, hk_tree_element *e) {
    hk_tree_block *b = &e->block;
    const struct {
        const char *name, **to;
    } known[] = {
        {"name", &b->name},         {"stereotype", &b->stereotype}, {"kind", &b->kind},
        {"platform", &b->platform}, {"modelType", &b->model_type},  {"package", &b->package}};
    b->where = hk_xml_where(hk_arena_strdup(k->arena, file), own);
    b->where.element = NULL;
    for (size_t i = 0; i < own->attr_count; i++) {
        size_t n = 0;
        while (n < sizeof known / sizeof *known && strcmp(known[n].name, own->attrs[i].name) != 0)
            n++;
        if (n < sizeof known / sizeof *known)
            *known[n].to = hk_arena_strdup(k->arena, own->attrs[i].value);
        else
            hk_ssp_failed(k->r, hk_error(k->r->ctx, HK_E_SSP, hk_xml_where(file, own), NULL,
                                         "unknown attribute '%s' of 'Block'", own->attrs[i].name));
    }
    if (!b->name || !*b->name)
        hk_ssp_failed(k->r, hk_error(k->r->ctx, HK_E_SSP, hk_xml_where(file, own), NULL,
                                     "'Block' has no attribute 'name'"));
}

void hk_ssp_declare_starts(hk_ssp_keeper *k) {
    hk_model *model = k->flat->model;
    const hk_tree_element **leaves = hk_tree_leaves(k->r->arena, model);
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *to = &model->connections[i];
        hk_component *c = &model->components[to->to_component];
        const hk_tree_element *leaf = leaves[to->to_component];
        for (size_t s = 0; leaf && leaf->block.name && s < c->setting_count; s++)
            if (c->settings[s].variable == to->to_variable &&
                c->settings[s].source == HK_FROM_SYSTEM)
                c->settings[s].source = HK_FROM_DESCRIPTION;
    }
}
