/* SPDX-License-Identifier: MIT
 *
 * Whose state a file is: the names of components and connections, so that a state of another
 * system is refused with what is different. */
#include "engine/statefile.h"

#include "base/map.h"
#include "model/address.h"

#include <string.h>

typedef struct names {
    const char **all;
    size_t count;
} names;

static names of_components(hk_arena *arena, const hk_model *model) {
    names n = {HK_NEW_ARRAY(arena, const char *, model->component_count + 1),
               model->component_count};
    for (size_t c = 0; c < n.count; c++)
        n.all[c] = model->components[c].name;
    return n;
}

static names of_connections(hk_arena *arena, const hk_model *model) {
    names n = {HK_NEW_ARRAY(arena, const char *, model->connection_count + 1),
               model->connection_count};
    for (size_t k = 0; k < n.count; k++) {
        hk_address from = hk_connection_source(&model->connections[k]);
        hk_address to = hk_connection_sink(&model->connections[k]);
        n.all[k] = hk_arena_printf(arena, "%s -> %s", hk_address_name(arena, model, &from),
                                   hk_address_name(arena, model, &to));
    }
    return n;
}

/* ---- writing ---- */

static void put_names(hk_buffer *b, names n) {
    hk_state_word(b, n.count);
    for (size_t i = 0; i < n.count; i++)
        hk_state_text(b, n.all[i]);
}

void hk_state_put_names(hk_buffer *b, const hk_sim *sim) {
    HK_ASSERT(b && sim);
    hk_arena *arena = hk_arena_create();
    put_names(b, of_components(arena, sim->model));
    put_names(b, of_connections(arena, sim->model));
    hk_arena_destroy(arena);
}

/* ---- reading ---- */

static names get_names(hk_state_reader *r, hk_arena *arena) {
    names n = {0};
    uint64_t count = hk_state_get_word(r);
    if (count > r->left / 8) /* each has its length first */
        hk_state_bad(r, "the state ends in the middle");
    if (r->failed)
        return n;
    n.all = HK_NEW_ARRAY(arena, const char *, (size_t)count + 1);
    for (uint64_t i = 0; i < count && !r->failed; i++) {
        hk_bytes name = hk_state_get_bytes(r);
        n.all[n.count++] = name.data ? hk_arena_strndup(arena, name.data, name.size) : "";
    }
    return n;
}

/* The first of A that is not in B; NULL: all are. */
static const char *first_without(names a, names b) {
    hk_map map = {0};
    const char *found = NULL;
    for (size_t i = 0; i < b.count; i++)
        (void)hk_map_put(&map, b.all[i], (uint32_t)i);
    for (size_t i = 0; i < a.count && !found; i++)
        found = hk_map_get(&map, a.all[i]) == HK_MAP_NONE ? a.all[i] : NULL;
    hk_map_finish(&map);
    return found;
}

static void compare(hk_state_reader *r, const char *what, names filed, names here) {
    const char *gone = first_without(filed, here), *added = first_without(here, filed);
    if (gone && added)
        hk_state_bad(r, hk_arena_printf(r->sim->arena,
                                        "the state is of a system with the %s '%s', which is not "
                                        "here, and without '%s'",
                                        what, gone, added));
    else if (gone)
        hk_state_bad(r, hk_arena_printf(r->sim->arena,
                                        "the state is of a system with the %s '%s', which is not "
                                        "here",
                                        what, gone));
    else if (added)
        hk_state_bad(r,
                     hk_arena_printf(r->sim->arena, "the state is of a system without the %s '%s'",
                                     what, added));
}

static bool same_order(names a, names b) {
    bool same = a.count == b.count;
    for (size_t i = 0; i < a.count && same; i++)
        same = strcmp(a.all[i], b.all[i]) == 0;
    return same;
}

void hk_state_get_names(hk_state_reader *r) {
    HK_ASSERT(r);
    hk_arena *arena = hk_arena_create();
    names components = get_names(r, arena), connections = get_names(r, arena);
    names here = of_connections(arena, r->sim->model);
    if (!r->failed && components.count != r->sim->model->component_count)
        compare(r, "component", components, of_components(arena, r->sim->model));
    bool same = same_order(components, of_components(arena, r->sim->model));
    r->same_connections = same_order(connections, here);
    if (!r->failed && same && !r->same_connections) /* else it is said of a component */
        compare(r, "connection", connections, here);
    hk_arena_destroy(arena);
}
