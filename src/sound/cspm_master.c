/* SPDX-License-Identifier: MIT
 *
 * A master in CSPm. Usually each input is set from one output: then a set takes part together with
 * the cell of that output, which remembers what was read, and a step with the clock of its
 * instance. Else what cells and clocks hold is asked for by events that are hidden. */
#include "sound/cspm_write.h"

#include <string.h>

typedef hk_cspm_writer writer;

/* ---- what it is like ---- */

static bool has_stale(const hk_sound_call *calls, size_t count) {
    for (size_t i = 0; i < count; i++)
        if ((calls[i].stale && calls[i].op == HK_OP_SET) ||
            (calls[i].op == HK_OP_LOOP &&
             has_stale(calls[i].loop->body, calls[i].loop->body_count)))
            return true;
    return false;
}

/* False: an input is set from different outputs. */
static bool note_sources(writer *w, const hk_sound_call *calls, size_t count) {
    bool one = true;
    for (size_t i = 0; i < count && one; i++) {
        const hk_sound_call *c = &calls[i];
        if (c->op == HK_OP_LOOP)
            one = note_sources(w, c->loop->body, c->loop->body_count) &&
                  note_sources(w, c->loop->retry, c->loop->retry_count);
        if (c->op != HK_OP_SET || c->exchange)
            continue;
        uint32_t from = c->carries ? c->carries - 1 : w->system->ports[c->port].source;
        one = w->taken[c->port] == HK_MAP_NONE || w->taken[c->port] == from;
        w->taken[c->port] = from;
    }
    return one;
}

/* Calls before the first get give initial values. */
static size_t settings_of(const hk_sound_master *m) {
    size_t count = 0;
    while (count < m->init_count && m->init[count].op != HK_OP_GET)
        count++;
    return count;
}

void hk_cspm_look_at_master(writer *w) {
    const hk_sound_master *m = w->sizes.master;
    size_t first = settings_of(m);
    w->taken = HK_NEW_ARRAY(w->arena, uint32_t, w->system->port_count + 1);
    for (size_t p = 0; p < w->system->port_count; p++)
        w->taken[p] = HK_MAP_NONE;
    w->stale = has_stale(m->step, m->step_count);
    w->direct = !w->stale && !w->sizes.late &&
                note_sources(w, m->init + first, m->init_count - first) &&
                note_sources(w, m->step, m->step_count);
}

static void write_call(writer *w, const hk_sound_call *c) {
    const hk_sound_port *port =
        c->op == HK_OP_GET || c->op == HK_OP_SET ? &w->system->ports[c->port] : NULL;
    const char *instance = w->instances[port ? port->instance : c->instance];
    switch (c->op) {
    case HK_OP_GET:
        fprintf(w->out, "fmi2Get.%s.%s?x!fmi2OK -> SKIP", instance, w->ports[c->port]);
        break;
    case HK_OP_SET: {
        uint32_t from = c->carries ? c->carries - 1 : port->source;
        if (w->direct && from != HK_MAP_NONE)
            fprintf(w->out, "fmi2Set.%s.%s?x!fmi2OK -> SKIP", instance, w->ports[c->port]);
        else if (from == HK_MAP_NONE)
            fprintf(w->out, "fmi2Set.%s.%s!0!fmi2OK -> SKIP", instance, w->ports[c->port]);
        else
            fprintf(w->out, "%s.%s.%s?x -> fmi2Set.%s.%s!x!fmi2OK -> SKIP", c->stale ? "old" : "rd",
                    w->instances[w->system->ports[from].instance], w->ports[from], instance,
                    w->ports[c->port]);
        break;
    }
    case HK_OP_STEP:
        if (w->direct) {
            fprintf(w->out, "fmi2DoStep.%s?t!%u!fmi2OK -> SKIP", instance,
                    hk_spec_size_number(&w->sizes, c));
            break;
        }
        fprintf(w->out, "%s.%s?t -> fmi2DoStep.%s!t!%u!fmi2OK -> SKIP", c->stale ? "was" : "now",
                instance, instance, hk_spec_size_number(&w->sizes, c));
        break;
    case HK_OP_PARAMETER:
        fprintf(w->out, "fmi2Set.%s.Par%u_%u!%d!fmi2OK -> SKIP", instance, c->instance, c->port,
                c->other && w->values > 1);
        break;
    case HK_OP_RESTORE:
        fprintf(w->out, "restore.%s -> SKIP", instance);
        break;
    case HK_OP_SAVE:
    case HK_OP_LOOP:
        fprintf(w->out, "SKIP");
        break;
    }
}

/* A set before the first get gives an initial value, whatever its source has. */
static void write_initial(writer *w, const hk_sound_call *c) {
    fprintf(w->out, "(fmi2Set.%s.%s!%d!fmi2OK -> SKIP)",
            w->instances[w->system->ports[c->port].instance], w->ports[c->port],
            c->other && w->values > 1);
}

static void write_sequence(writer *w, const char *name, const hk_sound_call *calls, size_t count,
                           bool initial);

/* Processes for the loops among the calls; per call the number of its own, 0: it is none. */
static const size_t *write_loops(writer *w, const hk_sound_call *calls, size_t count) {
    size_t *loops = HK_NEW_ARRAY(w->arena, size_t, count);
    for (size_t i = 0; i < count; i++) {
        if (calls[i].op != HK_OP_LOOP || calls[i].exchange)
            continue;
        size_t k = loops[i] = ++w->loops;
        const hk_sound_loop *l = calls[i].loop;
        write_sequence(w, hk_arena_printf(w->arena, "Body%zu", k), l->body, l->body_count, false);
        write_sequence(w, hk_arena_printf(w->arena, "Retry%zu", k), l->retry, l->retry_count,
                       false);
        fprintf(w->out, "Loop%zu = Body%zu ; (SKIP |~| (Retry%zu ; Loop%zu))\n", k, k, k, k);
    }
    return loops;
}

static void write_sequence(writer *w, const char *name, const hk_sound_call *calls, size_t count,
                           bool initial) {
    const size_t *loops = write_loops(w, calls, count);
    fprintf(w->out, "%s = SKIP", name);
    for (size_t i = 0; i < count; i++) {
        if (calls[i].exchange)
            continue;
        initial = initial && calls[i].op != HK_OP_GET;
        fprintf(w->out, "\n  ; ");
        if (loops[i])
            fprintf(w->out, "Loop%zu", loops[i]);
        else if (initial && calls[i].op == HK_OP_SET && w->system->ports[calls[i].port].initial)
            write_initial(w, &calls[i]);
        else {
            fprintf(w->out, "(");
            write_call(w, &calls[i]);
            fprintf(w->out, ")");
        }
    }
    fprintf(w->out, "\n");
}

/* Lists of calls that come before are shared, and so are their names. */
static size_t *name_lists(writer *w) {
    const hk_sound_master *m = w->sizes.master;
    size_t *names = HK_NEW_ARRAY(w->arena, size_t, m->step_count);
    size_t count = 0;
    for (size_t i = 0; i < m->step_count; i++) {
        bool same =
            i && m->before[i] == m->before[i - 1] && m->before_count[i] == m->before_count[i - 1];
        names[i] = same ? names[i - 1] : count++;
        if (same)
            continue;
        fprintf(w->out, "Earlier%zu = {", names[i]);
        for (size_t k = 0; k < m->before_count[i]; k++)
            fprintf(w->out, "%s%u", k ? ", " : "", m->before[i][k]);
        fprintf(w->out, "}\n");
    }
    return names;
}

/* How many calls are in the layer that begins with call BEGIN: all come after just those of the
 * layer before it, which begins with LAST. 0: it is not so. */
static size_t layer_at(const hk_sound_master *m, size_t last, size_t begin) {
    size_t count = 0;
    for (size_t i = begin; i < m->step_count; i++, count++) {
        bool same = m->before_count[i] == begin - last;
        for (size_t k = 0; k < m->before_count[i] && same; k++)
            same = m->before[i][k] >= last && m->before[i][k] < begin;
        if (!same)
            break;
    }
    return count;
}

static bool is_layered(const hk_sound_master *m) {
    size_t last = 0, begin = 0, count;
    while (begin < m->step_count && (count = layer_at(m, last, begin))) {
        last = begin;
        begin += count;
    }
    return begin == m->step_count && !m->before_last;
}

/* Phases: in each all calls are beside each other. */
static void write_layers(writer *w) {
    const hk_sound_master *m = w->sizes.master;
    const size_t *loops = write_loops(w, m->step, m->step_count);
    size_t last = 0, begin = 0;
    fprintf(w->out, "MasterStep = SKIP");
    while (begin < m->step_count) {
        size_t count = layer_at(m, last, begin);
        fprintf(w->out, "\n  ; (");
        for (size_t i = begin; i < begin + count; i++) {
            fprintf(w->out, "%s(", i > begin ? "\n    ||| " : "");
            if (loops[i])
                fprintf(w->out, "Loop%zu", loops[i]);
            else
                write_call(w, &m->step[i]);
            fprintf(w->out, ")");
        }
        fprintf(w->out, ")");
        last = begin;
        begin += count;
    }
    fprintf(w->out, "\n");
}

/* What each call does; the names of loops among them come first. */
static void write_calls(writer *w) {
    const hk_sound_master *m = w->sizes.master;
    size_t count = m->step_count;
    fprintf(w->out, "nametype CALL = {0..%zu}\nchannel go, done : CALL\n", count ? count - 1 : 0);
    const size_t *loops = write_loops(w, m->step, count);
    for (size_t i = 0; i < count; i++) {
        fprintf(w->out, "Do(%zu) = ", i);
        if (loops[i])
            fprintf(w->out, "Loop%zu", loops[i]);
        else
            write_call(w, &m->step[i]);
        fprintf(w->out, "\n");
    }
}

/* Each call is a process by itself; gates let it go when those before it are done. */
static void write_order(writer *w) {
    const hk_sound_master *m = w->sizes.master;
    size_t count = m->step_count;
    write_calls(w);
    size_t *lists = name_lists(w);
    for (size_t i = 0; i < count; i++)
        fprintf(w->out, "Before(%zu) = Earlier%zu\n", i, lists[i]);
    fprintf(w->out, "Node(i) = go.i -> (Do(i) ; (done.i -> SKIP))\n"
                    "Gate(i) = (||| j:Before(i) @ done.j -> SKIP) ; (go.i -> SKIP)\n"
                    "GateEvents(i) = union({ done.j | j <- Before(i) }, {go.i})\n"
                    "Gates = || i:CALL @ [GateEvents(i)] Gate(i)\n"
                    "AllDone = ||| j:CALL @ done.j -> SKIP\n"
                    "AllGateEvents = Union({ GateEvents(i) | i <- CALL })\n"
                    "Order = Gates [AllGateEvents || {| done |}] AllDone\n"
                    "MasterStep = (||| i:CALL @ Node(i)) [| {| go, done |} |] Order\n");
}

/* Cycles without a barrier between them: each call goes round by itself, and an edge lets a call go
 * when the one before it is done, in this cycle or in the one before. One that is ahead by two
 * cycles waits: what is wrong shows before that. */
static void write_cycles(writer *w) {
    const hk_sound_master *m = w->sizes.master;
    size_t written = 0;
    write_calls(w);
    fprintf(w->out, "Edges = {");
    for (size_t i = 0; i < m->step_count; i++) {
        for (size_t k = 0; k < m->before_count[i]; k++)
            fprintf(w->out, "%s(%u, %zu, 0)", written++ ? ", " : "", m->before[i][k], i);
        for (size_t k = 0; k < m->before_last_count[i]; k++)
            fprintf(w->out, "%s(%u, %zu, 1)", written++ ? ", " : "", m->before_last[i][k], i);
    }
    fprintf(w->out, "}\n"
                    "Node(i) = go.i -> (Do(i) ; (done.i -> Node(i)))\n"
                    "Edge(j,i,n) = (if n < 2 then done.j -> Edge(j,i,n+1) else STOP) [] (if n > 0 "
                    "then go.i -> Edge(j,i,n-1) else STOP)\n"
                    "EdgeEvents = Union({ {done.j, go.i} | (j,i,n) <- Edges })\n"
                    "MasterCycle = (||| i:CALL @ Node(i)) [| EdgeEvents |] (|| (j,i,n):Edges @ "
                    "[{done.j, go.i}] Edge(j,i,n))\n");
}

/* What the master remembers: values, and how far it is with each instance. */
static void write_cells(writer *w) {
    const char *more = w->stale ? ",v" : "";
    fprintf(w->out,
            "Cell(a,o,v%s) = fmi2Get.a.o?x!fmi2OK -> Cell(a,o,x%s) [] rd.a.o!v -> "
            "Cell(a,o,v%s)%s\n",
            w->stale ? ",u" : "", more, w->stale ? ",u" : "",
            w->stale ? " [] old.a.o!u -> Cell(a,o,v,u)" : "");
    fprintf(w->out, "Cells = ||| ec:FMI2COMP @ (||| o:Outputs(ec) @ Cell(ec,o,0%s))\n",
            w->stale ? ",0" : "");
    bool late = w->sizes.late;
    fprintf(w->out,
            "Clock(ec,t%s) = now.ec!t -> Clock(ec,t%s)%s [] fmi2DoStep.ec?u?h!fmi2OK -> "
            "Clock(ec,Later(t,h)%s)\n"
            "Clocks = ||| ec:FMI2COMP @ Clock(ec,0%s)\n",
            late ? ",s" : "", late ? ",s" : "", late ? " [] was.ec!s -> Clock(ec,t,s)" : "",
            late ? ",t" : "", late ? ",0" : "");
}

/* "(C0_a, P1_a_y)", with a comma before it if it is not the first. */
static void write_end(writer *w, bool first, size_t port) {
    fprintf(w->out, "%s(%s, %s)", first ? "" : ", ", w->instances[w->system->ports[port].instance],
            w->ports[port]);
}

/* The inputs that are set from an output; nothing is written if there are none. */
static void write_takers_of(writer *w, size_t output) {
    size_t count = 0;
    for (size_t i = 0; i < w->system->port_count; i++)
        if (w->taken[i] == output) {
            fprintf(w->out, "%s",
                    count ? "" : hk_arena_printf(w->arena, "Takers(%s) = {", w->ports[output]));
            write_end(w, !count++, i);
        }
    fprintf(w->out, count ? "}\n" : "");
}

/* The outputs that are read, and who takes what from them. */
static void write_takers(writer *w) {
    size_t ports = w->system->port_count, count = 0;
    bool *read = HK_NEW_ARRAY(w->arena, bool, ports + 1);
    for (size_t p = 0; p < ports; p++) {
        read[p] = read[p] || w->system->ports[p].is_output;
        if (w->taken[p] != HK_MAP_NONE)
            read[w->taken[p]] = true;
    }
    fprintf(w->out, "Read = {");
    for (size_t p = 0; p < ports; p++)
        if (read[p])
            write_end(w, !count++, p);
    fprintf(w->out, "}\n");
    for (size_t p = 0; p < ports; p++)
        write_takers_of(w, p);
    fprintf(w->out, "Takers(_) = {}\nRouted = {");
    count = 0;
    for (size_t p = 0; p < ports; p++)
        if (w->taken[p] != HK_MAP_NONE)
            write_end(w, !count++, p);
    fprintf(w->out, "}\n");
}

static void write_direct(writer *w) {
    write_takers(w);
    fprintf(w->out, "Cell(a,o,v) = fmi2Get.a.o?x!fmi2OK -> Cell(a,o,x) [] ([] (b,i):Takers(o) @ "
                    "fmi2Set.b.i!v!fmi2OK -> Cell(a,o,v))\n"
                    "Cells = ||| (a,o):Read @ Cell(a,o,0)\n"
                    "Clock(ec,t) = fmi2DoStep.ec!t?h!fmi2OK -> Clock(ec,Later(t,h))\n"
                    "Clocks = ||| ec:FMI2COMP @ Clock(ec,0)\n"
                    "Held = union({| fmi2Get, fmi2DoStep |}, Union({ {| fmi2Set.b.i |} | (b,i) <- "
                    "Routed }))\n");
}

static void write_channels(writer *w) {
    fprintf(w->out, "channel rd%s : FMI2COMP.PORT.VAL\nchannel now%s : FMI2COMP.TIME\n",
            w->stale ? ", old" : "", w->sizes.late ? ", was" : "");
}

void hk_cspm_write_master(writer *w) {
    const hk_sound_master *m = w->sizes.master;
    size_t first = settings_of(m);
    bool gates = m->before && !is_layered(m);
    fprintf(w->out, "channel restore : FMI2COMP\n");
    if (w->direct) {
        write_direct(w);
    } else {
        write_channels(w);
        write_cells(w);
    }
    write_sequence(w, "MasterInit", m->init, first, true);
    write_sequence(w, "MasterFirst", m->init + first, m->init_count - first, false);
    if (gates && m->before_last)
        write_cycles(w);
    else if (gates)
        write_order(w);
    else if (m->before)
        write_layers(w);
    else
        write_sequence(w, "MasterStep", m->step, m->step_count, false);
    const char *own = w->direct ? ""
                                : hk_arena_printf(w->arena, "rd, now%s%s", w->stale ? ", old" : "",
                                                  w->sizes.late ? ", was" : "");
    if (!m->before_last)
        fprintf(w->out, "MasterCycle = MasterStep ; MasterCycle\n");
    if (w->direct)
        fprintf(w->out, "MasterRun = (MasterFirst ; MasterCycle) [| Held |] (Cells ||| Clocks)\n");
    else
        fprintf(w->out,
                "MasterRun = (MasterFirst ; MasterCycle) [| {| fmi2Get, fmi2DoStep, %s |} |] "
                "(Cells ||| Clocks)\n",
                own);
    const char *hidden = hk_arena_printf(w->arena, "%s%s%s", own, gates && *own ? ", " : "",
                                         gates ? "go, done" : "");
    if (*hidden)
        fprintf(w->out, "Master = (MasterInit ; MasterRun) \\ {| %s |}\n\n", hidden);
    else
        fprintf(w->out, "Master = MasterInit ; MasterRun\n\n");
}
