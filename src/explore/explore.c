/* SPDX-License-Identifier: MIT
 *
 * From a file to an answer. */
#include "explore/world.h"

#include <string.h>

static hk_status look(hk_world *w, const hk_explore_wishes *wishes, hk_explored *e) {
    uint32_t limit = wishes->states ? wishes->states : HK_EXPLORE_STATES;
    hk_walk *walk = hk_walk_all(&w->system, limit);
    *e = (hk_explored){.chart = w->sides[0].chart,
                       .plant = wishes->plant,
                       .states = hk_vault_count(hk_walk_states(walk)),
                       .steps = hk_walk_steps(walk),
                       .inputs = w->inputs,
                       .row_bytes = hk_vault_row(hk_walk_states(walk)),
                       .whole = hk_walk_is_whole(walk)};
    e->depth =
        hk_walk_distance(walk, (uint32_t)e->states - 1); /* breadth first: the last is farthest */
    hk_world_tell(w, walk, e);
    e->bytes = hk_walk_memory(walk);
    hk_walk_destroy(walk);
    for (size_t i = 0; i < e->count && !e->wrong; i++)
        if (e->findings[i].state == HK_EXPLORE_BROKEN)
            e->wrong = &e->findings[i];
    for (size_t i = 0; i < e->count && !e->wrong; i++)
        if (e->findings[i].state == HK_EXPLORE_UNDECIDED)
            e->wrong = &e->findings[i];
    return HK_OK;
}

hk_status hk_explore(hk_ctx *ctx, hk_arena *arena, const char *path,
                     const hk_explore_wishes *wishes, hk_explored *ret_explored) {
    hk_world w;
    hk_status status = hk_world_make(&w, ctx, arena, path, wishes);
    if (status == HK_OK)
        status = look(&w, wishes, ret_explored);
    hk_world_finish(&w);
    return status;
}

/* The names of what is broken, each once. */
static const char *broken_names(hk_arena *arena, const hk_explored *e) {
    const char *text = "";
    size_t names = 0, properties = 0;
    for (size_t i = 0; i < e->count; i++)
        properties += e->findings[i].state == HK_EXPLORE_BROKEN &&
                      strcmp(e->findings[i].name, "property") == 0;
    for (size_t i = 0; i < e->count; i++) {
        const hk_explore_finding *f = &e->findings[i];
        bool again = f->state != HK_EXPLORE_BROKEN || strcmp(f->name, "property") == 0;
        for (size_t k = 0; k < i && !again; k++)
            again = e->findings[k].state == HK_EXPLORE_BROKEN &&
                    strcmp(e->findings[k].name, f->name) == 0;
        if (!again)
            text = hk_arena_printf(arena, "%s%s%s", text, names++ ? ", " : "", f->name);
    }
    if (properties == 1)
        return hk_arena_printf(arena, "%s%sa property does not hold", text, names ? ", and " : "");
    if (properties)
        return hk_arena_printf(arena, "%s%s%zu properties do not hold", text, names ? ", and " : "",
                               properties);
    return text;
}

const char *hk_explored_answer(hk_arena *arena, const hk_explored *e) {
    size_t properties = 0;
    for (size_t i = 0; i < e->count; i++)
        properties += strcmp(e->findings[i].name, "property") == 0;
    if (e->wrong && e->wrong->state == HK_EXPLORE_UNDECIDED)
        return hk_arena_printf(arena,
                               "no: not decided: there are more states than --states allows");
    if (e->wrong)
        return hk_arena_printf(arena, "no: %s", broken_names(arena, e));
    return hk_arena_printf(arena, "yes: no deadlock, timelock, divergence or failing computation%s",
                           properties == 1  ? ", and the property holds"
                           : properties > 1 ? ", and all properties hold"
                                            : "");
}
