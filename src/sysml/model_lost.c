/* SPDX-License-Identifier: MIT
 *
 * What a multi-model says, and neither the model nor its tree has a place for: who converts the
 * file is told. */
#include "sysml/model_internal.h"

#include <stdlib.h>
#include <string.h>

/* The first of its kind is told. */
static void lose(hk_sysml_maker *m, const char *what, hk_where where) {
    const hk_tree *tree = m->model->tree;
    for (size_t i = 0; i < tree->lost_count; i++)
        if (strcmp(tree->lost[i].what, what) == 0)
            return;
    hk_tree_lose(m->model->tree, &(hk_tree_lost){.what = what, .where = where});
}

/* Flows of other formats have no names; those that come back are c1, c2, ... */
static void look_at_flows(hk_sysml_maker *m) {
    for (size_t i = 0; i < m->profile->connection_count; i++) {
        const hk_profile_connection *c = &m->profile->connections[i];
        if (*c->name && strcmp(c->name, hk_arena_printf(m->arena, "c%u", c->number)) != 0)
            lose(m, "names of flows", hk_place_where(c->file, &c->at));
    }
}

static void look_at_port(hk_sysml_maker *m, uint32_t instance, const hk_profile_port *p) {
    const hk_profile_block *b = hk_sysml_block(m, instance);
    hk_where where = hk_place_where(b->file, &p->at);
    const char *path = m->profile->instances[instance].path;
    hk_address at;
    if (p->convert)
        lose(m, "'@convert'", where);
    if (!hk_model_find_end(m->model, hk_arena_printf(m->arena, "%s.%s", path, p->name), &at))
        return; /* was reported */
    const hk_variable *v = hk_address_variable(m->model, &at);
    if (p->shape.unit && !v->uom)
        lose(m, "units that what runs does not say", where);
    if (p->depend_count && !v->depends.known)
        lose(m, "dependencies that what runs does not say", where);
}

static void look_at_block(hk_sysml_maker *m, uint32_t instance) {
    const hk_profile_block *b = hk_sysml_block(m, instance);
    for (size_t i = 0; i < b->port_count; i++)
        look_at_port(m, instance, &b->ports[i]);
    for (size_t i = 0; i < b->variable_count; i++)
        if (b->variables[i].init.literal.kind == HK_LITERAL_NONE)
            lose(m, "variables without a value", hk_place_where(b->file, &b->variables[i].at));
}

void hk_sysml_tell_lost(hk_sysml_maker *m) {
    const hk_multimodel *p = m->profile;
    bool *seen = HK_NEW_ARRAY(m->arena, bool, p->block_count + 1);
    if (p->comment.file)
        lose(m, "comments", p->comment);
    if (p->other.file)
        lose(m, "metadata of other tools", p->other);
    look_at_flows(m);
    for (uint32_t i = 0; i < p->instance_count; i++) {
        const hk_profile_block *b = hk_sysml_block(m, i);
        if (!m->elements[i])
            lose(m, "what is in EComponents", hk_place_where(p->file, &p->instances[i].at));
        else if (b->kind == HK_PROFILE_ECOMPONENT && !seen[p->instances[i].block])
            look_at_block(m, i);
        seen[p->instances[i].block] = true;
    }
    for (size_t i = 0; i < p->block_count; i++) /* an import may bring more than is used */
        if (!seen[i] && strcmp(p->blocks[i].file, p->file) == 0)
            lose(m, "blocks that are not part of the system",
                 hk_place_where(p->blocks[i].file, &p->blocks[i].at));
}
