/* SPDX-License-Identifier: MIT
 *
 * What was found, in words, each with the inputs that lead to it. */
#include "explore/world.h"

#include "text/parser.h"

#include <math.h>
#include <string.h>

typedef struct telling {
    hk_world *world;
    hk_walk *walk;
    hk_explored *explored;
    hk_list findings;
    const uint64_t *futures; /* NULL: not all states are known */
    uint64_t *words;         /* room for one state */
} telling;

static void add(telling *t, const char *name, hk_explore_state state, const char *text) {
    hk_list_add(&t->findings, &(hk_explore_finding){.name = name, .state = state, .text = text});
}

/* With the way to the state STATE, and then through LAST. */
static void add_shown(telling *t, hk_explore_finding finding, uint32_t state,
                      const hk_walk_edge *last) {
    finding.rows = hk_witness_make(t->world, t->walk, state, last);
    hk_list_add(&t->findings, &finding);
}

/* What was not found where not everything was looked at. */
static void add_absent(telling *t, const char *name, const char *text) {
    bool whole = t->explored->whole;
    add(t, name, whole ? HK_EXPLORE_HOLDS : HK_EXPLORE_UNDECIDED,
        whole ? text
              : hk_arena_printf(t->world->arena,
                                "not decided: %u states were looked at, and there are more",
                                hk_walk_expanded(t->walk)));
}

static const char *place_text(const telling *t, unsigned unit, int line, int column) {
    return hk_arena_printf(t->world->arena, "%s:%d:%d", t->world->sides[unit].chart->file, line,
                           column);
}

/* ---- deadlock, termination */

static const char *machine_path(const telling *t, uint32_t machine) {
    return t->world->sides[0].chart->machines[machine].path;
}

/* Does the machine rest in the state where nothing leads out and nothing is being done? */
static bool has_no_way_out(const telling *t, uint32_t state, uint32_t machine) {
    const hk_side *s = &t->world->sides[0];
    const hk_chart_machine *m = &s->chart->machines[machine];
    hk_vault_get(hk_walk_states(t->walk), state, t->words);
    const char *now = (const char *)(t->words + s->at);
    const hk_chart_registers *at = hk_chart_machine_at(s->runner, now, machine);
    if (at->mode != HK_CHART_IDLE)
        return false;
    for (uint32_t n = at->node; n != HK_CHART_NONE; n = m->nodes[n].parent)
        if (m->nodes[n].outgoing_count)
            return false;
    for (uint32_t i = s->threads[machine]; i < s->threads[machine + 1]; i++) {
        hk_chart_thread thread;
        memcpy(&thread, now + s->layout->threads + i * sizeof thread, sizeof thread);
        if (thread.pc)
            return false;
    }
    return true;
}

/* The first state from which the machine can do nothing, and has not ended; NONE: there is none.
 * One where that is certain comes before all others: no cycle that fails can follow, behind which
 * something might come, or nothing can come in any case. */
static uint32_t find_deadlock(const telling *t, uint32_t machine, bool *ret_certain) {
    uint64_t mask = UINT64_C(1) << machine | UINT64_C(1) << (HK_WORLD_ENDED + machine);
    uint32_t found = HK_VAULT_NONE;
    for (uint32_t i = 0; i < t->explored->states; i++) {
        if (t->futures[i] & mask)
            continue;
        *ret_certain = !(t->futures[i] >> HK_WORLD_FAILED & 1) || has_no_way_out(t, i, machine);
        if (*ret_certain)
            return i;
        found = found == HK_VAULT_NONE ? i : found;
    }
    *ret_certain = false;
    return found;
}

static void tell_deadlock(telling *t, uint32_t machine) {
    hk_arena *arena = t->world->arena;
    bool certain;
    uint32_t state = find_deadlock(t, machine, &certain);
    if (state == HK_VAULT_NONE)
        return;
    size_t cycles = hk_walk_distance(t->walk, state);
    const char *text =
        cycles ? hk_arena_printf(arena,
                                 "%s can do nothing any more after %zu cycle%s, and has "
                                 "not terminated",
                                 machine_path(t, machine), cycles, hk_plural(cycles))
               : hk_arena_printf(arena, "%s never does anything", machine_path(t, machine));
    if (!certain)
        text = hk_arena_printf(arena,
                               "not decided: %s, as long as no cycle fails; what could come behind "
                               "one that does is not known",
                               text);
    add_shown(t,
              (hk_explore_finding){.name = "deadlock",
                                   .state = certain ? HK_EXPLORE_BROKEN : HK_EXPLORE_UNDECIDED,
                                   .text = text},
              state, NULL);
}

static void tell_deadlocks(telling *t) {
    const hk_side *s = &t->world->sides[0];
    size_t before = t->findings.count;
    for (uint32_t m = 0; t->futures && m < s->chart->machine_count; m++)
        if (s->root[m] == m)
            tell_deadlock(t, m);
    if (t->findings.count == before)
        add_absent(t, "deadlock", "each machine can go on, or has terminated");
}

/* The first state from which the mark can never come; NONE: it always can. */
static uint32_t find_without(const telling *t, unsigned mark) {
    for (uint32_t i = 0; i < t->explored->states; i++)
        if (!(t->futures[i] >> mark & 1))
            return i;
    return HK_VAULT_NONE;
}

static void tell_termination(telling *t) {
    const hk_world *w = t->world;
    t->explored->terminates = w->has_ended;
    if (!w->has_ended) {
        add_absent(t, "termination", "the module never terminates");
        return;
    }
    size_t cycles = hk_walk_distance(t->walk, w->ended.edge.from) + 1;
    uint32_t without = t->futures ? find_without(t, HK_WORLD_TERMINATED) : HK_VAULT_NONE;
    const char *can = hk_arena_printf(w->arena, "the module can terminate, first after %zu cycle%s",
                                      cycles, hk_plural(cycles));
    if (!t->futures)
        add(t, "termination", HK_EXPLORE_UNDECIDED, can);
    else if (without == HK_VAULT_NONE)
        add(t, "termination", HK_EXPLORE_HOLDS,
            hk_arena_printf(w->arena, "%s; from every state it still can", can));
    else
        add_shown(t,
                  (hk_explore_finding){.name = "termination",
                                       .state = HK_EXPLORE_DIFFERS,
                                       .text = hk_arena_printf(w->arena, "%s; but not always", can),
                                       .hint = "the property 'terminates' makes this a no"},
                  without, NULL);
}

/* ---- failures of cycles */

/* WHAT is so at the place of SITE, if it has one. */
static void place_finding(const telling *t, const hk_world_site *site, const char *what,
                          hk_explore_finding *f) {
    f->text = f->what = what;
    if (!site->line)
        return;
    f->where = (hk_where){.file = t->world->sides[site->unit].chart->file,
                          .line = site->line,
                          .column = site->column};
    f->text = hk_arena_printf(t->world->arena, "%s: %s",
                              place_text(t, site->unit, site->line, site->column), what);
}

/* Right behind the run that showed it: that one knows in which cycle it is. */
static const char *failure_text(const telling *t, const hk_world_site *site) {
    const hk_side *s = &t->world->sides[site->unit];
    if (!site->line)
        return site->text;
    return hk_arena_printf(t->world->arena, "%s%s%s%s", site->unit ? "plant: " : "",
                           site->machine == HK_CHART_NONE ? ""
                                                          : s->chart->machines[site->machine].path,
                           site->machine == HK_CHART_NONE ? "" : ": ", s->report.text);
}

/* Of COUNT places the first were shown. */
static void tell_rest(telling *t, const char *name, hk_explore_state state, size_t count) {
    if (count > HK_WORLD_SITES)
        add(t, name, state,
            hk_arena_printf(t->world->arena, "and at %zu more place%s", count - HK_WORLD_SITES,
                            hk_plural(count - HK_WORLD_SITES)));
}

static void tell_failures(telling *t, const char *name, const char *none, uint32_t from,
                          uint32_t to) {
    const hk_world *w = t->world;
    size_t count = 0;
    for (size_t i = 0; i < w->failures.count; i++) {
        hk_world_site site = w->failures.all[i]; /* more may come while it is shown again */
        if (site.kind < from || site.kind > to || ++count > HK_WORLD_SITES)
            continue;
        hk_explore_finding f = {.name = name, .state = HK_EXPLORE_BROKEN};
        f.rows = hk_witness_make(t->world, t->walk, site.edge.from, &site.edge);
        place_finding(t, &site, failure_text(t, &site), &f);
        hk_list_add(&t->findings, &f);
    }
    tell_rest(t, name, HK_EXPLORE_BROKEN, count);
    if (!count)
        add_absent(t, name, none);
}

static void tell_all_failures(telling *t) {
    tell_failures(t, "timelock", "no output comes twice in a cycle, no deadline is missed",
                  HK_CHART_TIMELOCK, HK_CHART_TIMELOCK);
    tell_failures(t, "divergence", "every cycle comes to an end", HK_CHART_NO_PROGRESS,
                  HK_CHART_NO_PROGRESS);
    tell_failures(t, "arithmetic",
                  "no computation fails, no output is infinite, all conditions of operations hold",
                  HK_CHART_ARITHMETIC, HK_CHART_CONDITION);
    if (t->world->table)
        tell_failures(t, "plant", "its table has a row for whatever the controller does",
                      UINT32_MAX, UINT32_MAX);
}

/* ---- nondeterminism */

static const hk_world_site *find_nondeterminism(const telling *t, uint32_t machine) {
    const hk_world_sites *all = &t->world->nondeterminism;
    for (size_t i = 0; i < all->count; i++)
        if (all->all[i].unit == 0 &&
            (machine == HK_CHART_NONE || t->world->sides[0].root[all->all[i].machine] == machine))
            return &all->all[i];
    return NULL;
}

static const char *nondeterminism_text(const telling *t, const hk_world_site *site) {
    const hk_chart_machine *m = &t->world->sides[0].chart->machines[site->machine];
    return hk_arena_printf(t->world->arena, "%s: '%s' and '%s' are enabled together", m->path,
                           m->transitions[site->first].name, m->transitions[site->second].name);
}

static void tell_nondeterminism(telling *t) {
    size_t count = 0;
    const hk_world *w = t->world;
    for (size_t i = 0; i < w->nondeterminism.count; i++) {
        hk_world_site site = w->nondeterminism.all[i];
        hk_explore_finding f = {
            .name = "determinism",
            .state = HK_EXPLORE_DIFFERS,
            .hint = "a run takes the first; the property 'deterministic' makes this a no"};
        if (site.unit != 0 || ++count > HK_WORLD_SITES)
            continue;
        place_finding(t, &site, nondeterminism_text(t, &site), &f);
        add_shown(t, f, site.edge.from, &site.edge);
    }
    tell_rest(t, "determinism", HK_EXPLORE_DIFFERS, count);
    if (!count)
        add_absent(t, "determinism", "never are two transitions enabled together");
}

/* ---- coverage */

/* The names of a machine's states (or transitions) that were never there, behind TEXT; *all: how
 * many there are. Final states are not counted, as in the coverage of runs, but missed. */
static const char *add_missing(const telling *t, bool states, uint32_t machine, const char *text,
                               size_t *all) {
    const hk_side *s = &t->world->sides[0];
    const hk_chart_machine *m = &s->chart->machines[machine];
    const bool *seen = states ? s->node_seen + hk_chart_first_node(s->chart, machine)
                              : s->taken_seen + hk_chart_first_transition(s->chart, machine);
    for (uint32_t i = 0; i < (states ? m->node_count : m->transition_count); i++) {
        bool state = states && m->nodes[i].kind == HK_CHART_STATE;
        bool final = states && m->nodes[i].kind == HK_CHART_FINAL;
        if (states && !state && !final)
            continue;
        *all += !final;
        if (!seen[i])
            text = hk_arena_printf(t->world->arena, "%s%s%s%s.%s", text, *text ? ", " : "",
                                   final ? "final " : "", m->path,
                                   states ? m->nodes[i].name : m->transitions[i].name);
    }
    return text;
}

/* The same of all machines that MACHINE runs; NONE: of all. "": everything was there. */
static const char *missing(const telling *t, bool states, uint32_t machine, size_t *ret_all) {
    const hk_side *s = &t->world->sides[0];
    const char *text = "";
    *ret_all = 0;
    for (uint32_t m = 0; m < s->chart->machine_count; m++)
        if (machine == HK_CHART_NONE || s->root[m] == machine)
            text = add_missing(t, states, m, text, ret_all);
    return text;
}

static void tell_coverage(telling *t, bool states, const char *name, uint32_t machine,
                          hk_explore_state bad, const char *before) {
    size_t all;
    const char *names = missing(t, states, machine, &all);
    hk_arena *arena = t->world->arena;
    const char *what = states ? "reached" : "taken";
    if (!*names)
        add(t, name, HK_EXPLORE_HOLDS,
            hk_arena_printf(arena, "%s%zu %s%s, all %s", before, all,
                            states ? "state" : "transition", hk_plural(all), what));
    else
        add(t, name, t->explored->whole ? bad : HK_EXPLORE_UNDECIDED,
            hk_arena_printf(arena, "%s%s %s: %s", before, t->explored->whole ? "never" : "not yet",
                            what, names));
}

/* ---- clocks that go on for ever */

static void tell_tick(telling *t, const hk_side *s, uint32_t tick, const char *what) {
    if (tick == HK_CHART_NONE || s->tick_caps[tick])
        return;
    hk_arena *arena = t->world->arena;
    const char *why =
        isnan(s->tick_largest[tick])
            ? "is not compared with constants alone"
            : hk_arena_printf(arena, "is compared with %g time units", s->tick_largest[tick]);
    add(t, "clocks", HK_EXPLORE_DIFFERS,
        hk_arena_printf(arena, "%s %s, so every time that it can have is a state of its own", what,
                        why));
}

static void tell_clocks(telling *t) {
    hk_arena *arena = t->world->arena;
    for (size_t u = 0; u < t->world->side_count; u++) {
        const hk_side *s = &t->world->sides[u];
        for (uint32_t m = 0; m < s->chart->machine_count; m++) {
            const hk_chart_machine *machine = &s->chart->machines[m];
            for (uint32_t c = 0; c < machine->clock_count; c++)
                tell_tick(t, s, hk_chart_clock_tick(s->runner, m, c),
                          hk_arena_printf(arena, "clock %s of %s", machine->clocks[c].name,
                                          machine->path));
            for (uint32_t n = 0; n < machine->node_count; n++)
                tell_tick(t, s, hk_chart_state_tick(s->runner, m, n),
                          hk_arena_printf(arena, "sinceEntry(%s) of %s", machine->nodes[n].name,
                                          machine->path));
        }
    }
}

/* ---- variables */

static void tell_variables(telling *t) {
    hk_arena *arena = t->world->arena;
    const char *idle = hk_world_idle_text(t->world);
    const char *many =
        t->explored->whole ? "" : hk_world_many_text(t->world, hk_walk_states(t->walk));
    if (*idle)
        add(t, "variables", HK_EXPLORE_HOLDS,
            hk_arena_printf(arena, "left out of states, since no verdict depends on it: %s", idle));
    if (*many)
        hk_list_add(&t->findings,
                    &(hk_explore_finding){
                        .name = "variables",
                        .state = HK_EXPLORE_DIFFERS,
                        .text = hk_arena_printf(arena, "most values were seen of %s", many),
                        .hint = "what is bounded in the model makes fewer states"});
}

/* ---- properties */

static void add_property(telling *t, const hk_property *p, hk_explore_state state, const char *why,
                         const hk_walk_edge *edge) {
    hk_explore_finding f = {.name = "property", .state = state};
    f.text = hk_arena_printf(t->world->arena, "%s%s%s%s%s", p->text, *why ? ": " : "", why,
                             state == HK_EXPLORE_BROKEN && p->message ? ": " : "",
                             state == HK_EXPLORE_BROKEN && p->message ? p->message : "");
    if (edge)
        add_shown(t, f, edge->from, edge);
    else
        hk_list_add(&t->findings, &f);
}

static void tell_terminates(telling *t, const hk_property *p) {
    unsigned mark = p->machine == HK_CHART_NONE ? HK_WORLD_TERMINATED : HK_WORLD_ENDED + p->machine;
    if (!t->futures) {
        add_property(t, p, HK_EXPLORE_UNDECIDED, "not decided", NULL);
        return;
    }
    uint32_t state = find_without(t, mark);
    if (state == HK_VAULT_NONE) {
        add_property(t, p, HK_EXPLORE_HOLDS, "from every state it can", NULL);
        return;
    }
    size_t cycles = hk_walk_distance(t->walk, state);
    hk_explore_finding f = {
        .name = "property",
        .state = HK_EXPLORE_BROKEN,
        .text = hk_arena_printf(t->world->arena, "%s: after %zu cycle%s it cannot any more%s%s",
                                p->text, cycles, hk_plural(cycles), p->message ? ": " : "",
                                p->message ? p->message : "")};
    add_shown(t, f, state, NULL);
}

static void tell_property(telling *t, size_t index) {
    hk_world *w = t->world;
    const hk_property *p = &w->properties->all[index];
    hk_explore_state rest = t->explored->whole ? HK_EXPLORE_HOLDS : HK_EXPLORE_UNDECIDED;
    const char *why = t->explored->whole ? "" : "not decided";
    const hk_walk_edge *edge = w->property_found[index] ? &w->property_sites[index].edge : NULL;
    switch (p->kind) {
    case HK_PROPERTY_REACHABLE:
        if (edge)
            add_property(t, p, HK_EXPLORE_HOLDS, "", edge);
        else
            add_property(t, p, t->explored->whole ? HK_EXPLORE_BROKEN : rest,
                         t->explored->whole ? "it never is" : why, NULL);
        break;
    case HK_PROPERTY_STATES:
    case HK_PROPERTY_TRANSITIONS:
        tell_coverage(t, p->kind == HK_PROPERTY_STATES, "property", p->machine, HK_EXPLORE_BROKEN,
                      hk_arena_printf(w->arena, "%s: ", p->text));
        break;
    case HK_PROPERTY_DETERMINISTIC: {
        const hk_world_site *site = find_nondeterminism(t, p->machine);
        if (site) {
            hk_walk_edge at = site->edge;
            const char *what =
                hk_arena_printf(w->arena, "%s: %s", place_text(t, 0, site->line, site->column),
                                nondeterminism_text(t, site));
            add_property(t, p, HK_EXPLORE_BROKEN, what, &at);
        } else {
            add_property(t, p, rest, why, NULL);
        }
        break;
    }
    case HK_PROPERTY_TERMINATES:
        tell_terminates(t, p);
        break;
    default:
        if (edge)
            add_property(t, p, HK_EXPLORE_BROKEN,
                         p->kind == HK_PROPERTY_FOLLOWS ? "it did not follow" : "it does not hold",
                         edge);
        else
            add_property(t, p, rest, why, NULL);
        break;
    }
}

void hk_world_tell(hk_world *w, hk_walk *walk, hk_explored *explored) {
    telling t = {
        .world = w, .walk = walk, .explored = explored, .findings = HK_LIST(hk_explore_finding)};
    t.words = HK_NEW_ARRAY(w->arena, uint64_t, w->words + 1);
    uint64_t *futures =
        explored->whole ? hk_walk_futures(walk, UINT64_C(1) << HK_WORLD_FAILED) : NULL;
    t.futures = futures;
    tell_deadlocks(&t);
    tell_all_failures(&t);
    tell_termination(&t);
    tell_nondeterminism(&t);
    tell_coverage(&t, true, "states", HK_CHART_NONE, HK_EXPLORE_DIFFERS, "");
    tell_coverage(&t, false, "transitions", HK_CHART_NONE, HK_EXPLORE_DIFFERS, "");
    tell_clocks(&t);
    tell_variables(&t);
    for (size_t i = 0; i < w->properties->count; i++)
        tell_property(&t, i);
    hk_free(futures);
    explored->count = t.findings.count;
    explored->findings = hk_list_keep(w->arena, &t.findings);
}
