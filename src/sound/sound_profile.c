/* SPDX-License-Identifier: MIT
 *
 * What a multi-model means, from its own text: the processes of the paper. EComponents are the
 * instances, LComponents are transparent; parameters and initial values are set once, then all
 * outputs are read, all inputs set and all instances stepped, for ever. */
#include "sound/sound.h"

#include "base/number.h"
#include "base/seconds.h"
#include "plan/graph.h"
#include "sysml/profile.h"

#include <string.h>

typedef struct work {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_multimodel *profile;
    hk_sound_system *system;
    uint32_t *instance_of;   /* per instance of the profile; HK_MAP_NONE: not an EComponent */
    uint32_t *first_port_of; /* per instance of the profile */
    hk_sound_initial *initials;
    size_t initial_count, initial_cap;
} work;

static const hk_profile_block *block_of(const work *w, size_t instance) {
    return &w->profile->blocks[w->profile->instances[instance].block];
}

static uint32_t elements_of(const uint32_t *sizes, size_t count) {
    uint32_t elements = 1;
    for (size_t i = 0; i < count; i++)
        elements *= sizes[i];
    return count ? elements : 0;
}

/* ---- values ------------------------------------------------------------------------------------
 */

static bool number_of(const hk_literal *l, double *ret_number) {
    if (l->kind == HK_LITERAL_BOOL) {
        *ret_number = strcmp(l->text, "true") == 0;
        return true;
    }
    return l->kind == HK_LITERAL_NUMBER && hk_read_f64(l->text, strlen(l->text), ret_number);
}

/* What stands for one element; one may stand for all of them. */
static const hk_literal *element_of(const hk_literal *l, size_t i) {
    return l->kind == HK_LITERAL_LIST ? &l->items[i] : l;
}

static size_t count_of(const hk_literal *l, uint32_t elements) {
    return l->kind == HK_LITERAL_LIST ? l->item_count : elements ? elements : 1;
}

static hk_sound_value value_of(work *w, const hk_literal *l, uint32_t elements) {
    size_t count = count_of(l, elements);
    if (l->kind == HK_LITERAL_TEXT)
        return (hk_sound_value){.text = hk_arena_strdup(w->system->arena, l->text),
                                .size = strlen(l->text)};
    double *numbers = HK_NEW_ARRAY(w->system->arena, double, count + 1);
    for (size_t i = 0; i < count; i++)
        if (!number_of(element_of(l, i), &numbers[i]))
            return (hk_sound_value){0};
    return (hk_sound_value){.numbers = numbers, .count = count};
}

/* Items of an enumeration have numbers that only what runs knows. */
static void keep_items(work *w, hk_sound_initial *initial, const hk_literal *l) {
    size_t count = count_of(l, initial->elements);
    if (!count || element_of(l, 0)->kind != HK_LITERAL_WORD)
        return;
    const char **items = HK_NEW_ARRAY(w->system->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        items[i] = hk_arena_strdup(w->system->arena, element_of(l, i)->text);
    initial->items = items;
    initial->item_count = count;
}

/* What the instance is given, or else its block says; NULL: nothing. */
static const hk_literal *literal_of(const work *w, size_t instance, size_t member,
                                    const hk_profile_value *usual) {
    const hk_literal *own = &w->profile->instances[instance].values[member].literal;
    const hk_literal *l = own->kind != HK_LITERAL_NONE ? own : &usual->literal;
    return l->kind != HK_LITERAL_NONE ? l : NULL;
}

static void add_initial(work *w, hk_sound_initial initial, const hk_literal *l) {
    initial.value = value_of(w, l, initial.elements);
    keep_items(w, &initial, l);
    initial.unit = hk_arena_strdup(w->system->arena, initial.unit);
    HK_PUSH(w->initials, w->initial_count, w->initial_cap, initial);
}

/* ---- instances ---------------------------------------------------------------------------------
 */

static void add_variables(work *w, size_t instance, hk_sound_instance *to) {
    const hk_profile_block *b = block_of(w, instance);
    for (size_t i = 0; i < b->variable_count; i++) {
        const hk_profile_variable *v = &b->variables[i];
        const hk_literal *l = literal_of(w, instance, b->port_count + i, &v->init);
        if (!l)
            continue;
        add_initial(w,
                    (hk_sound_initial){
                        .name = hk_arena_printf(w->system->arena, "%s.%s", to->name, v->name),
                        .instance = w->instance_of[instance],
                        .port = HK_MAP_NONE,
                        .number = to->parameters++,
                        .elements = elements_of(v->shape.sizes, v->shape.size_count),
                        .unit = v->shape.unit},
                    l);
    }
}

static void add_ports(work *w, size_t instance, const hk_sound_instance *of) {
    hk_sound_system *s = w->system;
    const hk_profile_block *b = block_of(w, instance);
    w->first_port_of[instance] = (uint32_t)s->port_count;
    for (size_t i = 0; i < b->port_count; i++) {
        const hk_profile_port *p = &b->ports[i];
        const hk_literal *l = p->output ? NULL : literal_of(w, instance, i, &p->init);
        hk_sound_port port = {.name = hk_arena_printf(s->arena, "%s.%s", of->name, p->name),
                              .instance = w->instance_of[instance],
                              .is_output = p->output,
                              .source = HK_MAP_NONE,
                              .reactive = p->reactive,
                              .initial = l != NULL,
                              .elements = elements_of(p->shape.sizes, p->shape.size_count),
                              .line = p->at.line};
        if (l)
            add_initial(w,
                        (hk_sound_initial){.name = port.name,
                                           .instance = port.instance,
                                           .port = (uint32_t)s->port_count,
                                           .elements = port.elements,
                                           .unit = p->shape.unit},
                        l);
        s->ports[s->port_count++] = port;
    }
}

/* Outputs and the inputs that act on them at once, as the block says; in initialization mode, too.
 */
static void add_depends(work *w, size_t instance) {
    const hk_profile_block *b = block_of(w, instance);
    for (size_t i = 0; i < b->port_count; i++) {
        const hk_profile_port *p = &b->ports[i];
        hk_sound_port *port = &w->system->ports[w->first_port_of[instance] + i];
        uint32_t *on = HK_NEW_ARRAY(w->system->arena, uint32_t, p->depend_count + 1);
        size_t count = 0;
        for (size_t k = 0; k < p->depend_count; k++)
            if (p->depends[k] != HK_PROFILE_NONE && !b->ports[p->depends[k]].output)
                on[count++] = w->first_port_of[instance] + p->depends[k];
        port->depends = port->depends_init = on;
        port->depends_count = port->depends_init_count = count;
    }
}

static void add_instances(work *w) {
    hk_sound_system *s = w->system;
    for (size_t i = 0; i < w->profile->instance_count; i++) {
        w->instance_of[i] = HK_MAP_NONE;
        if (block_of(w, i)->kind != HK_PROFILE_ECOMPONENT)
            continue;
        hk_sound_instance *to = &s->instances[s->instance_count];
        const char *fmu = block_of(w, i)->fmu;
        size_t length = fmu ? strlen(fmu) : 0;
        *to = (hk_sound_instance){.name = hk_arena_strdup(s->arena, w->profile->instances[i].path),
                                  .rate = 1,
                                  .is_fmu = length > 4 && strcmp(fmu + length - 4, ".fmu") == 0,
                                  .line = w->profile->instances[i].at.line};
        w->instance_of[i] = (uint32_t)s->instance_count++;
        add_variables(w, i, to);
        add_ports(w, i, to);
        add_depends(w, i);
    }
}

/* ---- connections -------------------------------------------------------------------------------
 */

static const hk_transform *conversion_of(work *w, const char *from, const char *to) {
    hk_uom have, want;
    double factor, offset;
    if (!from || !to || !hk_uom_parse(from, &have) || !hk_uom_parse(to, &want) ||
        !hk_uom_conversion(&have, &want, false, &factor, &offset) || (factor == 1 && offset == 0))
        return NULL;
    hk_transform *t = HK_NEW(w->system->arena, hk_transform);
    *t = (hk_transform){.kind = HK_TRANSFORM_LINEAR, .factor = factor, .offset = offset};
    return t;
}

static void connect(work *w) {
    for (size_t i = 0; i < w->profile->connection_count; i++) {
        const hk_profile_connection *c = &w->profile->connections[i];
        HK_ASSERT(c->from.port != HK_PROFILE_NONE && c->to.port != HK_PROFILE_NONE);
        hk_sound_port *to = &w->system->ports[w->first_port_of[c->to.instance] + c->to.port];
        to->source = w->first_port_of[c->from.instance] + c->from.port;
        to->conversion =
            conversion_of(w, block_of(w, c->from.instance)->ports[c->from.port].shape.unit,
                          block_of(w, c->to.instance)->ports[c->to.port].shape.unit);
    }
}

/* ---- cycles of reactive inputs -----------------------------------------------------------------
 */

/* The reactive inputs as edges between instances; tag: the port. */
static size_t reactive_edges(const hk_sound_system *s, hk_edge *edges) {
    size_t count = 0;
    for (uint32_t p = 0; p < s->port_count; p++)
        if (s->ports[p].reactive && s->ports[p].source != HK_MAP_NONE)
            edges[count++] =
                (hk_edge){s->ports[s->ports[p].source].instance, s->ports[p].instance, p};
    return count;
}

/* Who runs first in a cycle sees what the others were before: of each part that hangs together the
 * first instance of the file gives way, and so on in what is left. False: there was no cycle. */
static bool cut_once(hk_sound_system *s, hk_edge *edges) {
    size_t count = reactive_edges(s, edges);
    uint32_t n = (uint32_t)s->instance_count;
    uint32_t *part_of = hk_alloc((n + 1) * sizeof *part_of);
    uint32_t *first = hk_alloc((n + 1) * sizeof *first); /* per part */
    hk_graph graph;
    hk_graph_init(&graph, n, edges, count);
    (void)hk_graph_parts(&graph, part_of);
    hk_graph_finish(&graph);
    bool cut = false;
    for (uint32_t i = n; i-- > 0;)
        first[part_of[i]] = i;
    for (size_t e = 0; e < count; e++) {
        uint32_t part = part_of[edges[e].to];
        if (part_of[edges[e].from] != part || first[part] != edges[e].to)
            continue;
        s->ports[edges[e].tag].reactive = false;
        cut = true;
    }
    hk_free(part_of);
    hk_free(first);
    return cut;
}

static void cut_cycles(hk_sound_system *s) {
    hk_edge *edges = hk_alloc((s->port_count + 1) * sizeof *edges);
    while (cut_once(s, edges))
        ; /* each time it has fewer of them */
    hk_free(edges);
}

/* ---- time --------------------------------------------------------------------------------------
 */

static bool cycle_of(const work *w, size_t instance, hk_ratio step, hk_ratio *ret_cycle) {
    const char *cycle = block_of(w, instance)->cycle;
    *ret_cycle = step;
    bool meant;
    return cycle ? hk_seconds_parse(cycle, ret_cycle, &meant) && ret_cycle->num > 0 : step.num > 0;
}

/* The cycle of the whole is the longest that all of them are multiples of. Where some have one and
 * others do not, what these do depends on how the system is run. */
static hk_status find_rates(work *w, hk_ratio step) {
    hk_ratio all = {0, 1};
    const char *with = NULL, *without = NULL;
    for (size_t i = 0; i < w->profile->instance_count; i++) {
        hk_ratio one;
        if (w->instance_of[i] == HK_MAP_NONE)
            continue;
        if (!cycle_of(w, i, step, &one)) {
            without = w->profile->instances[i].path;
            continue;
        }
        with = w->profile->instances[i].path;
        int64_t a, b, den;
        if (__builtin_mul_overflow(all.num, one.den, &a) ||
            __builtin_mul_overflow(one.num, all.den, &b) ||
            __builtin_mul_overflow(all.den, one.den, &den))
            return hk_error(w->ctx, HK_E_TIME, (hk_where){.file = w->profile->file}, NULL,
                            "the cycles of its blocks have no common one that can be counted");
        int64_t num = hk_gcd(a, b), least = hk_gcd(num, den);
        all = (hk_ratio){num / least, den / least};
    }
    if (with && without)
        return hk_error(w->ctx, HK_E_TIME, (hk_where){.file = w->profile->file},
                        "give --step-size, which holds for blocks without a cycle",
                        "'%s' has a cycle and '%s' has none", with, without);
    if (!with)
        return HK_OK;
    w->system->cycle = hk_ratio_to_double(all);
    for (size_t i = 0; i < w->profile->instance_count; i++) {
        hk_ratio one;
        if (w->instance_of[i] == HK_MAP_NONE || !cycle_of(w, i, step, &one))
            continue;
        hk_sound_instance *to = &w->system->instances[w->instance_of[i]];
        to->rate = one.num * (all.den / one.den) / all.num; /* all.den is a multiple of one.den */
        to->period = one;
    }
    return HK_OK;
}

hk_status hk_sound_from_profile(hk_ctx *ctx, const hk_multimodel *profile, hk_ratio step,
                                hk_sound_system **ret_system) {
    hk_arena *arena = hk_arena_create();
    hk_sound_system *s = HK_NEW(arena, hk_sound_system);
    size_t ports = 0;
    *s = (hk_sound_system){
        .arena = arena, .name = hk_arena_strdup(arena, profile->system_name), .of_file = true};
    work w = {.ctx = ctx,
              .profile = profile,
              .system = s,
              .instance_of = HK_NEW_ARRAY(arena, uint32_t, profile->instance_count + 1),
              .first_port_of = HK_NEW_ARRAY(arena, uint32_t, profile->instance_count + 1)};
    for (size_t i = 0; i < profile->instance_count; i++)
        if (block_of(&w, i)->kind == HK_PROFILE_ECOMPONENT)
            ports += block_of(&w, i)->port_count;
    s->instances = HK_NEW_ARRAY(arena, hk_sound_instance, profile->instance_count + 1);
    s->ports = HK_NEW_ARRAY(arena, hk_sound_port, ports + 1);
    add_instances(&w);
    connect(&w);
    cut_cycles(s);
    hk_status status = find_rates(&w, step);
    hk_sound_initial *initials = HK_NEW_ARRAY(arena, hk_sound_initial, w.initial_count + 1);
    if (w.initial_count)
        memcpy(initials, w.initials, w.initial_count * sizeof *initials);
    hk_free(w.initials);
    s->initials = initials;
    s->initial_count = w.initial_count;
    if (status == HK_OK)
        *ret_system = s;
    else
        hk_sound_destroy(s);
    return status;
}
