/* SPDX-License-Identifier: MIT
 *
 * Flows and connections between ports of instances. */
#include "sysml/profile_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct joiner {
    hk_profile_reader *r;
    const hk_map *paths;
    const char *file;
    hk_list connections;
} joiner;

/* The longest beginning of the chain that is an instance; the rest is a port. */
static hk_profile_end resolve(joiner *j, const hk_sysml_name *chain) {
    hk_profile_end end = {.chain = chain->text,
                          .instance = HK_PROFILE_NONE,
                          .port = HK_PROFILE_NONE,
                          .rest = "",
                          .at = chain->at};
    char *path = hk_arena_strdup(j->r->arena, chain->text);
    size_t length = strlen(path);
    for (;;) {
        while (length && path[length - 1] != '.')
            length--;
        if (!length)
            break;
        path[length - 1] = '\0';
        uint32_t instance = hk_map_get(j->paths, path);
        if (instance != HK_MAP_NONE) {
            const hk_multimodel *p = j->r->profile;
            const hk_profile_block *block = &p->blocks[p->instances[instance].block];
            end.instance = instance;
            end.rest = chain->text + length;
            uint32_t port = hk_map_get(&block->by_name, end.rest);
            if (port != HK_MAP_NONE && port < block->port_count)
                end.port = port;
            break;
        }
        length--;
    }
    return end;
}

static uint32_t read_size(joiner *j, const hk_sysml_element *e) {
    if (!e->has_multiplicity)
        return 0;
    char *end;
    unsigned long n = e->lower.kind == HK_SYSML_NUMBER ? strtoul(e->lower.text, &end, 10) : 0;
    if (e->has_range || n == 0 || *end || n > HK_PROFILE_INSTANCES_MAX) {
        hk_profile_error(j->r, j->file, &e->lower.at, NULL,
                         "the size of what flows is a whole number above 0");
        return 0;
    }
    return (uint32_t)n;
}

/* What flows is of a type of the library, or of an enumeration. */
static void check_carried(joiner *j, const hk_sysml_element *e) {
    uint32_t index = hk_map_get(&j->r->enum_names, hk_profile_last(&e->type));
    const hk_profile_source *enums = j->r->enums.data;
    hk_profile_check_qualifiers(j->r, j->file, &e->type,
                                index == HK_MAP_NONE ? "ScalarValues" : enums[index].package);
}

static void add(joiner *j, const hk_sysml_element *e, hk_profile_end from, hk_profile_end to) {
    check_carried(j, e);
    hk_profile_connection c = {.name = e->name ? e->name : "",
                               .number = (uint32_t)j->connections.count + 1,
                               .from = from,
                               .to = to,
                               .type_name = e->type.part_count ? hk_profile_last(&e->type) : NULL,
                               .type_size = read_size(j, e),
                               .file = j->file,
                               .at = e->at};
    hk_list_add(&j->connections, &c);
}

static const hk_profile_block *block_at(const joiner *j, const hk_profile_end *end) {
    const hk_multimodel *p = j->r->profile;
    return &p->blocks[p->instances[end->instance].block];
}

/* Whether the Nth port of the block at END is one of the bundle that END names, and which of the
 * bundle at OTHER belongs to it; NONE: none does, which is reported. */
static bool is_bundled(joiner *j, const hk_sysml_element *e, const hk_profile_end *end, uint32_t n,
                       const hk_profile_end *other, uint32_t *ret_port) {
    const hk_profile_block *two = block_at(j, other);
    const char *name = block_at(j, end)->ports[n].name;
    size_t length = strlen(end->rest);
    if (strncmp(name, end->rest, length) != 0 || name[length] != '.')
        return false;
    *ret_port =
        hk_map_get(&two->by_name, hk_arena_printf(j->r->arena, "%s%s", other->rest, name + length));
    if (*ret_port == HK_MAP_NONE || *ret_port >= two->port_count) {
        *ret_port = HK_PROFILE_NONE;
        hk_profile_error(j->r, j->file, &e->at, NULL,
                         "'%s' has no '%s' that '%s' could be connected to", other->chain,
                         name + length + 1, end->chain);
    }
    return true;
}

/* "x.p.a": the port NAME of the bundle at END, as messages call it. */
static const char *bundled_chain(joiner *j, const hk_profile_end *end, const char *name) {
    return hk_arena_printf(j->r->arena, "%s%s", end->chain, name + strlen(end->rest));
}

/* connect a.p to b.q: one flow for each directed feature, from who sends it. Both bundles have all
 * of them. */
static bool add_bundles(joiner *j, const hk_sysml_element *e, const hk_profile_end *a,
                        const hk_profile_end *b) {
    uint32_t other;
    bool added = false;
    if (a->instance == HK_PROFILE_NONE || b->instance == HK_PROFILE_NONE)
        return false;
    const hk_profile_block *one = block_at(j, a), *two = block_at(j, b);
    for (uint32_t i = 0; i < one->port_count; i++) {
        if (!is_bundled(j, e, a, i, b, &other) || other == HK_PROFILE_NONE)
            continue;
        hk_profile_end x = *a, y = *b;
        x.port = i;
        y.port = other;
        x.chain = bundled_chain(j, a, one->ports[i].name);
        y.chain = bundled_chain(j, b, two->ports[other].name);
        added = true;
        add(j, e, one->ports[i].output ? x : y, one->ports[i].output ? y : x);
    }
    for (uint32_t i = 0; added && i < two->port_count; i++)
        (void)is_bundled(j, e, b, i, a, &other);
    return added;
}

static void join(joiner *j, const hk_sysml_element *e) {
    hk_profile_end from = resolve(j, &e->ends[0]), to = resolve(j, &e->ends[1]);
    bool bundles =
        e->kind != HK_SYSML_FLOW && (from.port == HK_PROFILE_NONE || to.port == HK_PROFILE_NONE);
    if (bundles && add_bundles(j, e, &from, &to))
        return;
    const hk_multimodel *p = j->r->profile;
    bool backwards = e->kind != HK_SYSML_FLOW && from.port != HK_PROFILE_NONE &&
                     !p->blocks[p->instances[from.instance].block].ports[from.port].output;
    add(j, e, backwards ? to : from, backwards ? from : to);
}

static void join_all(joiner *j, const hk_sysml_element *body) {
    for (size_t i = 0; i < body->member_count; i++) {
        hk_sysml_kind kind = body->members[i].kind;
        bool joins =
            kind == HK_SYSML_FLOW || kind == HK_SYSML_CONNECT || kind == HK_SYSML_INTERFACE;
        if (joins && body->members[i].end_count == 2)
            join(j, &body->members[i]);
    }
}

void hk_profile_make_connections(hk_profile_reader *r, const hk_map *paths,
                                 const hk_profile_source *use) {
    joiner j = {.r = r, .paths = paths, .connections = HK_LIST(hk_profile_connection)};
    const hk_profile_source *system =
        (const hk_profile_source *)r->blocks.data + r->profile->system;
    j.file = system->file;
    join_all(&j, system->element);
    if (use) {
        j.file = use->file;
        join_all(&j, use->element);
    }
    r->profile->connection_count = j.connections.count;
    r->profile->connections = hk_list_keep(r->arena, &j.connections);
}
