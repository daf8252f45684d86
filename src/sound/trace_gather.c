/* SPDX-License-Identifier: MIT
 *
 * Traces of a multi-model. Its ports and parameters may have several elements, which FMI 2 has
 * variables of their own for: the call is there with the last of them. Start values are calls of
 * the specification. */
#include "sound/trace_reader.h"

#include <string.h>

/* What a name in the trace stands for: a port or an initial value, or an element of it. */
typedef struct part {
    uint32_t whole;
    uint32_t element; /* from 0; HK_MAP_NONE: all of it */
} part;

typedef struct pending {
    double *numbers;
    bool *there;
    uint32_t count;
    bool whole; /* it was there once */
} pending;

struct hk_trace_gather {
    hk_arena *arena;
    hk_map names[2]; /* ports, initial values */
    part *parts[2];
    size_t count[2], cap[2];
    pending *pending[2];
    size_t open; /* so many of them wait for elements */
};

static void name_part(hk_trace_gather *g, int kind, const char *name, part one) {
    hk_map_put(&g->names[kind], name, (uint32_t)g->count[kind]);
    HK_PUSH(g->parts[kind], g->count[kind], g->cap[kind], one);
}

static void name_whole(hk_trace_gather *g, int kind, const char *name, uint32_t whole,
                       uint32_t elements) {
    name_part(g, kind, name, (part){whole, HK_MAP_NONE});
    for (uint32_t k = 0; k < elements; k++)
        name_part(g, kind, hk_arena_printf(g->arena, "%s[%u]", name, k + 1), (part){whole, k});
    if (!elements)
        return;
    g->pending[kind][whole] = (pending){.numbers = HK_NEW_ARRAY(g->arena, double, elements),
                                        .there = HK_NEW_ARRAY(g->arena, bool, elements)};
}

hk_trace_gather *hk_trace_gather_make(const hk_sound_system *s) {
    hk_arena *arena = hk_arena_create();
    hk_trace_gather *g = HK_NEW(arena, hk_trace_gather);
    g->arena = arena;
    g->pending[0] = HK_NEW_ARRAY(arena, pending, s->port_count + 1);
    g->pending[1] = HK_NEW_ARRAY(arena, pending, s->initial_count + 1);
    for (uint32_t i = 0; i < s->port_count; i++)
        name_whole(g, 0, s->ports[i].name, i, s->ports[i].elements);
    for (uint32_t i = 0; i < s->initial_count; i++)
        name_whole(g, 1, s->initials[i].name, i, s->initials[i].elements);
    return g;
}

void hk_trace_gather_free(hk_trace_gather *g) {
    if (!g)
        return;
    for (int kind = 0; kind < 2; kind++) {
        hk_map_finish(&g->names[kind]);
        hk_free(g->parts[kind]);
    }
    hk_arena_destroy(g->arena);
}

/* The element is one of those that make the whole. True: it was the last of them. */
static bool take_element(hk_trace_reader *r, pending *p, const part *one, uint32_t elements,
                         const char *name, hk_sound_call *call) {
    if (call->initial && p->whole)
        hk_sound_checker_object(r->checker,
                                hk_arena_printf(r->arena, "set %s again in phase INIT", name));
    else if (p->there[one->element])
        hk_sound_checker_object(r->checker,
                                hk_arena_printf(r->arena, "%s %s, again before all of it was",
                                                call->op == HK_OP_GET ? "get" : "set", name));
    r->gather->open += p->count == 0;
    p->count += !p->there[one->element];
    p->there[one->element] = true;
    p->numbers[one->element] = call->has_value ? call->value : (double)NAN;
    if (p->count < elements)
        return false;
    hk_sound_value *value = HK_NEW(r->arena, hk_sound_value);
    double *numbers = HK_NEW_ARRAY(r->arena, double, elements);
    memcpy(numbers, p->numbers, elements * sizeof *numbers);
    *value = (hk_sound_value){.numbers = numbers, .count = elements};
    call->many = value;
    call->has_value = false;
    memset(p->there, 0, elements * sizeof *p->there);
    p->count = 0;
    p->whole = true;
    r->gather->open--;
    return true;
}

hk_trace_gathered hk_trace_gather_take(hk_trace_reader *r, const char *name, bool start,
                                       hk_sound_call *call) {
    hk_trace_gather *g = r->gather;
    const char *full =
        hk_arena_printf(r->arena, "%s.%s", r->system->instances[call->instance].name, name);
    int kind = start ? 1 : 0;
    uint32_t index = hk_map_get(&g->names[kind], full);
    if (index == HK_MAP_NONE)
        return HK_GATHER_UNKNOWN;
    const part *one = &g->parts[kind][index];
    const hk_sound_initial *initial = start ? &r->system->initials[one->whole] : NULL;
    uint32_t elements = start ? initial->elements : r->system->ports[one->whole].elements;
    call->port = one->whole;
    if (start) { /* of the specification: before the first get, each once */
        call->exchange = false;
        call->op = initial->port == HK_MAP_NONE ? HK_OP_PARAMETER : HK_OP_SET;
        call->port = initial->port == HK_MAP_NONE ? initial->number : initial->port;
        call->initial = one->whole + 1;
    }
    return one->element == HK_MAP_NONE ||
                   take_element(r, &g->pending[kind][one->whole], one, elements, full, call)
               ? HK_GATHER_WHOLE
               : HK_GATHER_PART;
}

void hk_trace_gather_step(hk_trace_reader *r, uint32_t instance) {
    const hk_sound_system *s = r->system;
    for (size_t i = 0; r->gather->open && i < s->port_count; i++)
        if (s->ports[i].instance == instance && r->gather->pending[0][i].count)
            hk_sound_checker_object(
                r->checker, hk_arena_printf(r->arena, "step %s, and only a part of %s was %s",
                                            s->instances[instance].name, s->ports[i].name,
                                            s->ports[i].is_output ? "got" : "set"));
}
