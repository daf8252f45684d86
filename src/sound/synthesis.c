/* SPDX-License-Identifier: MIT
 *
 * Makes a correct orchestration algorithm for a scenario. The operations are nodes of a hk_needs
 * whose edges say what must come first; what leads back to itself is a loop and is solved by
 * iteration. */
#include "sound/synthesis.h"
#include "sound/call_list.h"

#include <string.h>

/* ---- operations ------------------------------------------------------------------------------ */

static hk_sound_call instance_call(hk_sound_op op, uint32_t instance) {
    return (hk_sound_call){.op = op, .instance = instance, .as = HK_MAP_NONE};
}

static void emit(const hk_needs *g, uint32_t node, bool tentative, uint32_t as, hk_call_list *to) {
    hk_sound_call call = {.instance = hk_needs_owner(g, node), .as = HK_MAP_NONE};
    if (!g->present[node])
        return;
    if (hk_needs_is_step(g, node)) {
        call.op = HK_OP_STEP;
        call.as = call.instance == as ? HK_MAP_NONE : as;
    } else if (node < g->system->port_count) {
        call.op = hk_needs_is_get(g, node) ? HK_OP_GET : HK_OP_SET;
        call.port = node;
        call.tentative = tentative;
    } else {
        return;
    }
    hk_call_list_add(to, call);
}

/* The nodes of a component in an order that its edges allow; those for the size of steps are left
 * out. With BROKEN values flow only from earlier to later instances, as in Gauss-Seidel iterations:
 * what is left has no cycle. FED[i]: node i of the result gets a value in the same iteration.
 * False: a cycle was left. */
static bool order_part(hk_needs *g, const uint32_t *nodes, uint32_t count, bool broken,
                       uint32_t *sorted, bool *fed) {
    hk_needs part = {.arena = g->arena, .system = g->system};
    bool *gets_value = hk_alloc(count + 1);
    hk_needs_begin(&part, count);
    for (uint32_t i = 0; i < count; i++) {
        g->local[nodes[i]] = i + 1;
        part.present[i] = true;
    }
    for (uint32_t n = 0; n < count; n++)
        for (uint32_t i = g->first[nodes[n]]; i < g->first[nodes[n] + 1]; i++) {
            const hk_need *e = &g->edges[g->out[i]];
            bool back =
                e->kind == HK_NEED_VALUE && hk_needs_owner(g, e->from) >= hk_needs_owner(g, e->to);
            if (e->kind == HK_NEED_SIZE || (broken && back) || !g->local[e->to])
                continue;
            hk_needs_add(&part, n, g->local[e->to] - 1, e->kind);
            gets_value[g->local[e->to] - 1] |= e->kind == HK_NEED_VALUE;
        }
    hk_needs_sort(&part);
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = nodes[part.nodes[i]];
        fed[i] = gets_value[part.nodes[i]];
        g->local[nodes[i]] = 0;
    }
    bool acyclic = part.component_count == count;
    hk_free(gets_value);
    hk_needs_finish(&part);
    return acyclic;
}

/* Instances whose steps are among the nodes. */
static uint32_t *stepped(const hk_needs *g, const uint32_t *nodes, size_t count, bool rejecting,
                         size_t *ret_count) {
    uint32_t *found = HK_NEW_ARRAY(g->arena, uint32_t, count + 1);
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t owner = hk_needs_owner(g, nodes[i]);
        if (hk_needs_is_step(g, nodes[i]) && (!rejecting || g->system->instances[owner].can_reject))
            found[n++] = owner;
    }
    *ret_count = n;
    return found;
}

static void add_restores(const uint32_t *instances, size_t count, hk_sound_loop *loop,
                         hk_arena *arena) {
    hk_call_list retry = {0};
    for (size_t i = 0; i < count; i++)
        hk_call_list_add(&retry, instance_call(HK_OP_RESTORE, instances[i]));
    loop->retry = hk_call_list_keep(arena, &retry, &loop->retry_count);
}

/* Iterates until no output of the component changes. If instances are stepped in it they go back
 * before each iteration, and what is read is tentative. */
static hk_sound_call value_loop(hk_needs *g, const uint32_t *nodes, uint32_t count, uint32_t as) {
    hk_sound_loop *loop = HK_NEW(g->arena, hk_sound_loop);
    uint32_t *watched = HK_NEW_ARRAY(g->arena, uint32_t, count + 1);
    size_t step_count;
    uint32_t *steps = stepped(g, nodes, count, false, &step_count);
    uint32_t *sorted = hk_alloc((count + 1) * sizeof *sorted);
    bool *fed = hk_alloc(count + 1);
    hk_call_list body = {0};
    order_part(g, nodes, count, true, sorted, fed);
    for (size_t i = 0; i < count; i++) {
        bool get = hk_needs_is_get(g, sorted[i]);
        emit(g, sorted[i], step_count && (get || fed[i]), as, &body);
        if (get)
            watched[loop->watched_count++] = sorted[i];
    }
    hk_free(sorted);
    hk_free(fed);
    loop->kind = HK_LOOP_CONVERGED;
    loop->watched = watched;
    loop->body = hk_call_list_keep(g->arena, &body, &loop->body_count);
    add_restores(steps, step_count, loop, g->arena);
    return (hk_sound_call){.op = HK_OP_LOOP, .as = HK_MAP_NONE, .loop = loop};
}

/* Repeats with smaller steps until all accept. */
static hk_sound_call size_loop(hk_needs *g, const uint32_t *nodes, uint32_t count) {
    hk_sound_loop *loop = HK_NEW(g->arena, hk_sound_loop);
    size_t step_count;
    uint32_t *steps = stepped(g, nodes, count, false, &step_count);
    uint32_t *sorted = hk_alloc((count + 1) * sizeof *sorted);
    bool *fed = hk_alloc(count + 1);
    hk_call_list body = {0};
    if (!order_part(g, nodes, count, false, sorted, fed))
        hk_call_list_add(&body, value_loop(g, nodes, count, HK_MAP_NONE));
    else
        for (uint32_t i = 0; i < count; i++)
            emit(g, sorted[i], false, HK_MAP_NONE, &body);
    hk_free(sorted);
    hk_free(fed);
    loop->kind = HK_LOOP_ACCEPTED;
    loop->watched = stepped(g, nodes, count, true, &loop->watched_count);
    loop->body = hk_call_list_keep(g->arena, &body, &loop->body_count);
    add_restores(steps, step_count, loop, g->arena);
    return (hk_sound_call){.op = HK_OP_LOOP, .as = HK_MAP_NONE, .loop = loop};
}

/* What is set before anything is read: parameters, and inputs that have values of their own. */
static void emit_settings(const hk_needs *g, hk_call_list *to) {
    for (uint32_t i = 0; i < g->system->instance_count; i++)
        for (uint32_t k = 0; k < g->system->instances[i].parameters; k++) {
            hk_sound_call call = instance_call(HK_OP_PARAMETER, i);
            call.port = k;
            hk_call_list_add(to, call);
        }
    for (uint32_t p = 0; p < g->system->port_count; p++)
        if (!g->system->ports[p].is_output && g->system->ports[p].initial) {
            hk_sound_call call = instance_call(HK_OP_SET, g->system->ports[p].instance);
            call.port = p;
            hk_call_list_add(to, call);
        }
}

/* Steps of several that may reject are negotiated. One alone is asked first and the others follow
 * it, unless it is part of a loop. */
static void emit_component(hk_needs *g, uint32_t component, uint32_t as, hk_call_list *to) {
    uint32_t begin = component ? g->ends[component - 1] : 0, count = g->ends[component] - begin;
    const uint32_t *nodes = &g->nodes[begin];
    size_t step_count;
    bool rejecting = false;
    if (count == 1) {
        emit(g, nodes[0], false, as, to);
        return;
    }
    uint32_t *steps = stepped(g, nodes, count, false, &step_count);
    for (size_t i = 0; i < step_count; i++) {
        hk_call_list_add(to, instance_call(HK_OP_SAVE, steps[i]));
        rejecting = rejecting || g->closed[steps[i]];
    }
    hk_call_list_add(to, rejecting ? size_loop(g, nodes, count) : value_loop(g, nodes, count, as));
}

/* Steps, gets, sets: the kinds in the order in which they may come when nothing acts at once; or
 * sets first, where they are early. */
static int kind_of(const hk_needs *g, uint32_t component) {
    uint32_t begin = component ? g->ends[component - 1] : 0;
    for (uint32_t i = begin; i < g->ends[component]; i++)
        if (hk_needs_is_step(g, g->nodes[i]))
            return g->early ? 1 : 0;
    if (g->early)
        return hk_needs_is_get(g, g->nodes[begin]) ? 2 : 0;
    return hk_needs_is_get(g, g->nodes[begin]) ? 1 : 2;
}

/* GROUPED: all of one kind, then all of the next, as the phases of the specification are. */
static void emit_all(hk_needs *g, bool grouped, uint32_t as, hk_call_list *to) {
    for (int kind = 0; kind < (grouped ? 3 : 1); kind++)
        for (uint32_t c = 0; c < g->component_count; c++)
            if (!grouped || kind_of(g, c) == kind)
                emit_component(g, c, as, to);
}

/* The one that the others follow; HK_MAP_NONE: none, or all take the same step anyhow. */
static uint32_t find_leader(const hk_needs *g) {
    for (uint32_t i = 0; i < g->system->instance_count && g->closed_count == 1; i++) {
        uint32_t c = g->component[hk_needs_step(g, i)];
        if (g->closed[i] && g->ends[c] - (c ? g->ends[c - 1] : 0) == 1)
            return i;
    }
    return HK_MAP_NONE;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static bool is_reactive(const hk_needs *g, uint32_t instance) {
    for (uint32_t p = 0; p < g->system->port_count; p++)
        if (g->present[p] && g->system->ports[p].instance == instance && hk_needs_is_reactive(g, p))
            return true;
    return false;
}

/* Loops go back in time: all that are stepped in them must be able to. */
static const char *find_unsaved(const hk_needs *g, const hk_call_list *calls) {
    for (size_t i = 0; i < calls->count; i++) {
        uint32_t who = calls->calls[i].instance;
        const hk_sound_instance *instance = &g->system->instances[who];
        if (calls->calls[i].op != HK_OP_SAVE || instance->can_save)
            continue;
        return hk_arena_printf(
            g->arena,
            "%s is stepped in a loop that must be iterated, but it cannot save its state: %s",
            instance->name,
            is_reactive(g, who) ? "make one of its reactive inputs delayed"
                                : "let one instance alone reject steps, which the others follow");
    }
    return NULL;
}

static const char *find_illegal(const hk_needs *g) {
    for (uint32_t p = 0; p < g->system->port_count; p++) {
        const hk_sound_instance *owner = &g->system->instances[g->system->ports[p].instance];
        bool read = g->used_output[p] && owner->is_fmu;
        uint32_t input = read ? hk_needs_delayed(g, p) : HK_MAP_NONE;
        if (input != HK_MAP_NONE)
            return hk_arena_printf(
                g->arena,
                "%s depends without delay on %s, which is delayed and so is set after the step: it "
                "would be read after a set without a step in between, which FMI forbids. Ways out: "
                "(a) declare %s reactive; (b) read %s one step later, which adds a delay; (c) "
                "declare %s 'native' if it is known to bear that; (d) use FMI 3 with event mode",
                g->system->ports[p].name, g->system->ports[input].name,
                g->system->ports[input].name, g->system->ports[p].name, owner->name);
    }
    return NULL;
}

hk_sound_verdict hk_sound_synthesise(hk_arena *arena, const hk_sound_system *system,
                                     hk_sound_master **ret_master) {
    hk_sound_master *master = HK_NEW(arena, hk_sound_master);
    hk_sound_verdict verdict = {.holds = true};
    hk_call_list calls = {0};
    hk_needs g;
    hk_needs_of(&g, arena, system);
    bool grouped = !hk_needs_init(&g);
    hk_needs_sort(&g);
    emit_settings(&g, &calls);
    emit_all(&g, grouped, HK_MAP_NONE, &calls);
    hk_needs_finish(&g);
    master->init = hk_call_list_keep(arena, &calls, &master->init_count);
    hk_needs_of(&g, arena, system);
    hk_needs_steps(&g);
    hk_needs_sort(&g);
    if (hk_needs_drop_wishes(&g))
        hk_needs_sort(&g);
    emit_all(&g, !hk_sound_unphased(arena, system), find_leader(&g), &calls);
    verdict.fmi = find_illegal(&g);
    verdict.why = find_unsaved(&g, &calls);
    hk_needs_finish(&g);
    master->step = hk_call_list_keep(arena, &calls, &master->step_count);
    verdict.holds = !verdict.why;
    verdict.outcome = verdict.holds ? HK_SOUND_OK : HK_SOUND_VIOLATION;
    verdict.calls = master->init_count + master->step_count;
    *ret_master = verdict.holds ? master : NULL;
    return verdict;
}
