/* SPDX-License-Identifier: MIT
 *
 * The instances of the system: its parts, their parts and so on; and the connections between them.
 */
#include "sysml/profile_internal.h"

#include <string.h>

typedef struct grower {
    hk_profile_reader *r;
    hk_list instances;
    hk_map paths;        /* of all instances */
    hk_map *part_names;  /* per block, those that were asked for */
    bool *open;          /* per block: it is around what is being made, C7 */
    bool full, circular; /* was reported */
} grower;

static hk_profile_instance *instance_at(const grower *g, uint32_t index) {
    return (hk_profile_instance *)g->instances.data + index;
}

/* ---- values that a use gives -------------------------------------------------------------------
 */

/* The use of a part, and what it redefines: NAME -> its member. */
typedef struct use {
    const char *file;
    const hk_sysml_element *body; /* NULL: none */
    hk_map names;
    bool again; /* of several instances of one part: what is wrong was reported */
} use;

/* What is redefined twice is reported. */
static use open_use(grower *g, const char *file, const hk_sysml_element *body, bool again) {
    use u = {.file = file, .body = body, .again = again};
    for (size_t i = 0; body && i < body->member_count; i++) {
        const hk_sysml_element *e = &body->members[i];
        const char *name = hk_profile_last(&e->redefines);
        if (*name && hk_map_put(&u.names, name, (uint32_t)i) != i && !again)
            hk_profile_error(g->r, file, &e->redefines.at, "remove one of them",
                             "'%s' is redefined twice", name);
    }
    return u;
}

/* The member that redefines NAME; NULL: none. */
static const hk_sysml_element *find_use(const use *u, const char *name) {
    uint32_t index = u->body ? hk_map_get(&u->names, name) : HK_MAP_NONE;
    return index == HK_MAP_NONE ? NULL : &u->body->members[index];
}

static hk_profile_typed typed_of(const hk_profile_block *b, size_t index) {
    if (index < b->port_count) {
        const hk_profile_port *p = &b->ports[index];
        return (hk_profile_typed){p->name, p->shape.type, p->shape.type_name, p->shape.enumeration,
                                  p->shape.size_count ? p->shape.sizes[0] : 0};
    }
    const hk_profile_variable *v = &b->variables[index - b->port_count];
    return (hk_profile_typed){v->name, v->shape.type, v->shape.type_name, v->shape.enumeration,
                              v->shape.size_count ? v->shape.sizes[0] : 0};
}

static void read_values(grower *g, hk_profile_instance *instance, const hk_profile_block *block,
                        const use *u) {
    size_t count = block->port_count + block->variable_count;
    hk_profile_value *values = HK_NEW_ARRAY(g->r->arena, hk_profile_value, count + 1);
    for (size_t i = 0; u->body && i < count; i++) {
        hk_profile_typed typed = typed_of(block, i);
        const hk_sysml_element *member = find_use(u, typed.name);
        if (!member)
            continue;
        values[i] = hk_profile_value_of(g->r, member->value);
        if (!u->again)
            hk_profile_check_value(g->r, u->file, &typed, member->value, &values[i]);
    }
    instance->values = values;
}

static bool is_part(grower *g, uint32_t block, const char *name) {
    const hk_profile_block *b = &g->r->profile->blocks[block];
    hk_map *names = &g->part_names[block];
    bool empty = names->count == 0;
    for (size_t i = 0; empty && i < b->part_count; i++)
        hk_map_put(names, b->parts[i].name, (uint32_t)i);
    return hk_map_get(names, name) != HK_MAP_NONE;
}

static const char *suggest_use(grower *g, uint32_t block, const char *name) {
    size_t length = strcspn(name, "[");
    const char *whole = hk_arena_strndup(g->r->arena, name, length);
    if (name[length] && is_part(g, block, whole))
        return hk_arena_printf(g->r->arena,
                               "all of '%s' are redefined together: 'part :>> %s'; one of its own "
                               "is a part of its own",
                               whole, whole);
    const hk_profile_block *b = &g->r->profile->blocks[block];
    const char *hint = hk_profile_suggest(g->r, &b->by_name, name);
    return hint ? hint : hk_profile_suggest(g->r, &g->part_names[block], name);
}

/* What a use redefines must be there: a port or variable gets a value, a part has a body. */
static void check_uses(grower *g, uint32_t index, const use *u) {
    const hk_profile_block *block = &g->r->profile->blocks[index];
    for (size_t i = 0; u->body && !u->again && i < u->body->member_count; i++) {
        const hk_sysml_element *e = &u->body->members[i];
        const char *name = hk_profile_last(&e->redefines);
        bool member = hk_map_get(&block->by_name, name) != HK_MAP_NONE;
        if (!*name)
            continue;
        if (!member && !is_part(g, index, name))
            hk_profile_error(g->r, u->file, &e->redefines.at, suggest_use(g, index, name),
                             "there is no '%s' in '%s' that could be redefined", name, block->name);
        else if (member && !e->value)
            hk_profile_error(g->r, u->file, &e->redefines.at, "write ':>> NAME = VALUE;'",
                             "'%s' is redefined, and has no value", name);
        else if (!member && e->value)
            hk_profile_error(g->r, u->file, &e->value->at, NULL, "part '%s' has no value", name);
        else
            hk_profile_check_qualifiers(g->r, u->file, &e->redefines, block->name);
    }
}

/* ---- instances ---------------------------------------------------------------------------------
 */

static void grow(grower *g, uint32_t index, const use *u);

static void add_instance(grower *g, uint32_t parent, const hk_profile_part *part, uint32_t number,
                         const use *u) {
    const hk_profile_instance *above = instance_at(g, parent);
    const hk_profile_block *blocks = g->r->profile->blocks;
    const char *name =
        part->most == 1 ? part->name : hk_arena_printf(g->r->arena, "%s[%u]", part->name, number);
    hk_profile_instance instance = {
        .name = name,
        .path = *above->path ? hk_arena_printf(g->r->arena, "%s.%s", above->path, name) : name,
        .block = part->block,
        .parent = parent,
        .environment = above->environment,
        .platform = above->platform,
        .at = part->at};
    uint32_t index = (uint32_t)g->instances.count;
    const hk_profile_block *block = &blocks[part->block];
    if (block->kind == HK_PROFILE_ENVIRONMENT)
        instance.environment = index;
    if (block->kind == HK_PROFILE_PLATFORM)
        instance.platform = index;
    check_uses(g, part->block, u);
    read_values(g, &instance, block, u);
    hk_list_add(&g->instances, &instance);
    hk_map_put(&g->paths, instance.path, index);
    grow(g, index, u);
}

static void report_circle(grower *g, const hk_profile_block *block) {
    if (!g->circular)
        hk_complain(&g->r->complaints, HK_E_PROFILE, hk_place_where(block->file, &block->at), NULL,
                    "C7: block '%s' contains itself", block->name);
    g->circular = true;
}

static void grow_part(grower *g, uint32_t index, const hk_profile_part *part, const use *u) {
    /* how many there are is what the part says; of a range as many as it must have, one at least */
    uint32_t count = part->least ? part->least : part->most == 0 ? 1 : part->most;
    if (part->least && part->most > part->least)
        count = part->least;
    for (uint32_t i = 1; i <= count && !g->full; i++) {
        if (g->instances.count >= HK_PROFILE_INSTANCES_MAX) {
            g->full = true;
            hk_profile_error(g->r, u->file, &part->at, NULL,
                             "the system has more than %d instances", HK_PROFILE_INSTANCES_MAX);
            return;
        }
        use own = open_use(g, u->file, find_use(u, part->name), u->again || i > 1);
        add_instance(g, index, part, i, &own);
        hk_map_finish(&own.names);
    }
}

static void grow(grower *g, uint32_t index, const use *u) {
    uint32_t block_index = instance_at(g, index)->block;
    const hk_profile_block *block = &g->r->profile->blocks[block_index];
    if (g->open[block_index]) {
        report_circle(g, block);
        return;
    }
    g->open[block_index] = true;
    for (size_t i = 0; i < block->part_count; i++)
        if (block->parts[i].block != HK_MAP_NONE)
            grow_part(g, index, &block->parts[i], u);
    g->open[block_index] = false;
}

/* ---- the system --------------------------------------------------------------------------------
 */

/* The part that is the system: the use of a System block, if there is one; else the only block of
 * that kind is its own use. */
static const hk_profile_source *find_system(hk_profile_reader *r, uint32_t *ret_block) {
    const hk_profile_source *uses = r->uses.data, *found = NULL;
    *ret_block = HK_PROFILE_NONE;
    for (size_t i = 0; i < r->uses.count; i++) {
        const char *type = hk_profile_last(&uses[i].element->type);
        uint32_t block = hk_map_get(&r->block_names, type);
        bool is_system =
            block != HK_MAP_NONE && r->profile->blocks[block].kind == HK_PROFILE_SYSTEM;
        if (block == HK_MAP_NONE)
            hk_profile_error(r, uses[i].file, &uses[i].element->at,
                             hk_profile_suggest(r, &r->block_names, type), "there is no block '%s'",
                             type);
        else if (!is_system)
            hk_profile_error(r, uses[i].file, &uses[i].element->at,
                             "write it into the definition of the System",
                             "a part outside of definitions is the system, and '%s' is not a "
                             "System",
                             type);
        else if (is_system && found)
            hk_profile_error(r, uses[i].file, &uses[i].element->at, NULL,
                             "a second part is a system; the first is in line %d",
                             found->element->at.line);
        else if (is_system) {
            const hk_profile_source *source = (const hk_profile_source *)r->blocks.data + block;
            hk_profile_check_qualifiers(r, uses[i].file, &uses[i].element->type, source->package);
            found = &uses[i];
            *ret_block = block;
        }
    }
    for (uint32_t i = 0; !found && i < r->profile->block_count && *ret_block == HK_PROFILE_NONE;
         i++)
        if (r->profile->blocks[i].kind == HK_PROFILE_SYSTEM)
            *ret_block = i;
    return found;
}

/* @experiment of the system; NULL: it has none. */
static const hk_sysml_element *find_experiment(hk_profile_reader *r,
                                               const hk_profile_source *system) {
    const hk_sysml_element *body = NULL;
    for (size_t i = 0; i < system->element->member_count; i++) {
        const hk_sysml_element *m = &system->element->members[i];
        if (m->kind != HK_SYSML_METADATA || strcmp(hk_profile_last(&m->type), "experiment") != 0)
            continue;
        if (body)
            hk_profile_error(r, system->file, &m->at, "remove one of them",
                             "the experiment is given twice");
        body = m;
    }
    return body;
}

/* profile_form.c has looked at the names of its values. */
static void read_experiment(hk_profile_reader *r, const hk_profile_source *system) {
    hk_profile_experiment *x = &r->profile->experiment;
    const hk_sysml_element *body = find_experiment(r, system);
    x->file = system->file;
    for (size_t i = 0; body && i < body->member_count; i++) {
        const hk_sysml_element *v = &body->members[i];
        const hk_sysml_expr *e = v->value;
        const char *name = hk_profile_last(&v->redefines);
        bool minus = e && e->kind == HK_SYSML_MINUS;
        for (size_t k = 0; k < HK_PROFILE_EXPERIMENT_COUNT; k++) {
            if (strcmp(hk_profile_experiment_words[k], name) != 0)
                continue;
            x->at[k] = e ? e->at : v->at;
            if (e && (minus || e->kind == HK_SYSML_NUMBER))
                x->texts[k] = minus ? hk_arena_printf(r->arena, "-%s", e->items->text) : e->text;
            else
                hk_profile_error(r, system->file, &x->at[k], NULL, "'%s' is a number", name);
        }
    }
}

void hk_profile_make_instances(hk_profile_reader *r) {
    uint32_t block;
    const hk_profile_source *system = find_system(r, &block);
    hk_multimodel *profile = r->profile;
    profile->system = block;
    if (block == HK_PROFILE_NONE)
        return; /* rule R1 says so */
    const hk_profile_block *b = &profile->blocks[block];
    grower g = {.r = r, .instances = HK_LIST(hk_profile_instance)};
    g.open = hk_alloc((profile->block_count + 1) * sizeof *g.open);
    g.part_names = hk_alloc((profile->block_count + 1) * sizeof *g.part_names);
    hk_profile_instance root = {.name = system && system->element->name ? system->element->name
                                                                        : b->name,
                                .path = "",
                                .block = block,
                                .parent = HK_PROFILE_NONE,
                                .environment = HK_PROFILE_NONE,
                                .platform = HK_PROFILE_NONE,
                                .at = system ? system->element->at : b->at};
    profile->system_name = root.name;
    use u = open_use(&g, system ? system->file : b->file, system ? system->element : NULL, false);
    check_uses(&g, block, &u);
    read_values(&g, &root, b, &u);
    hk_list_add(&g.instances, &root);
    if (system)
        read_experiment(r, system);
    grow(&g, 0, &u);
    hk_map_finish(&u.names);
    profile->instance_count = g.instances.count;
    profile->instances = hk_list_keep(r->arena, &g.instances);
    hk_profile_make_connections(r, &g.paths, system);
    hk_map_finish(&g.paths);
    for (size_t i = 0; i < profile->block_count; i++)
        hk_map_finish(&g.part_names[i]);
    hk_free(g.part_names);
    hk_free(g.open);
}
