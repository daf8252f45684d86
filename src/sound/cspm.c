/* SPDX-License-Identifier: MIT
 *
 * The specification and a master in CSPm, for FDR4 and other tools. The processes of the
 * specification are those of the published semantics, with its hole closed: only inputs that are
 * connected take part in the initialisation of the connections. */
#include "sound/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    FILE *out;
    hk_arena *arena;
    const hk_sound_system *system;
    hk_spec_sizes sizes;             /* of the steps of the master that is written */
    const char **instances, **ports; /* identifiers */
    bool stale;                      /* some set carries an old value: cells remember two */
    size_t loops;
} writer;

/* A name that CSPm takes: a prefix that makes it its own, then letters, digits and underscores. */
static const char *identifier(writer *w, const char *prefix, size_t number, const char *name) {
    char *id = hk_arena_printf(w->arena, "%s%zu_%s", prefix, number, name);
    for (char *c = id; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9')))
            *c = '_';
    return id;
}

static size_t sizes_of(const writer *w) {
    return w->sizes.count ? w->sizes.count : 1;
}

static void write_alternatives(writer *w) {
    const hk_sound_system *s = w->system;
    fprintf(w->out, "datatype FMI2COMP =");
    for (size_t i = 0; i < s->instance_count; i++)
        fprintf(w->out, "%s %s", i ? " |" : "", w->instances[i]);
    fprintf(w->out, "\ndatatype PORT = NoPort");
    for (size_t i = 0; i < s->port_count; i++)
        fprintf(w->out, " | %s", w->ports[i]);
    for (size_t i = 0; i < s->instance_count; i++)
        for (uint32_t k = 0; k < s->instances[i].parameters; k++)
            fprintf(w->out, " | Par%zu_%u", i, k);
    fprintf(w->out,
            "\n"
            "nametype VAL = {0..1}\n"
            "-- equal sizes of steps have equal numbers; 0 is an empty one\n"
            "nametype TIME = {0..%zu}\n"
            "nametype NZTIME = {1..%zu}\n",
            sizes_of(w), sizes_of(w));
    fprintf(w->out, "datatype FMI2STATUSF = fmi2OK | fmi2Warning | fmi2Discard | fmi2Error | "
                    "fmi2Fatal\n"
                    "nametype FMI2STATUS = {fmi2OK, fmi2Warning, fmi2Error, fmi2Fatal}\n"
                    "channel fmi2Get : FMI2COMP.PORT.VAL.FMI2STATUSF\n"
                    "channel fmi2Set : FMI2COMP.PORT.VAL.FMI2STATUS\n"
                    "channel fmi2DoStep : FMI2COMP.TIME.TIME.FMI2STATUSF\n"
                    "channel sync\n\n");
}

typedef enum column { PARAMETERS, INPUTS, OUTPUTS, INITIALS } column;

static void write_set(writer *w, column which, size_t instance) {
    static const char *const names[] = {"Parameters", "Inputs", "Outputs", "Initials"};
    size_t count = 0;
    fprintf(w->out, "%s(%s) = {", names[which], w->instances[instance]);
    for (uint32_t k = 0; which == PARAMETERS && k < w->system->instances[instance].parameters; k++)
        fprintf(w->out, "%sPar%zu_%u", count++ ? ", " : "", instance, k);
    for (size_t p = 0; p < w->system->port_count && which != PARAMETERS; p++) {
        const hk_sound_port *port = &w->system->ports[p];
        bool in = which == OUTPUTS  ? port->is_output
                  : which == INPUTS ? !port->is_output
                                    : !port->is_output && port->initial;
        if (port->instance == instance && in)
            fprintf(w->out, "%s%s", count++ ? ", " : "", w->ports[p]);
    }
    fprintf(w->out, "}\n");
}

static void write_specification(writer *w) {
    for (column c = PARAMETERS; c <= INITIALS; c++)
        for (size_t i = 0; i < w->system->instance_count; i++)
            write_set(w, c, i);
    fprintf(w->out,
            "InitialValues(_,_) = 0\n\n"
            "EComponent(ec) =\n"
            "  let Init(S) = ||| v:S @ fmi2Set.ec.v!InitialValues(ec,v)!fmi2OK -> SKIP\n"
            "      TakeOutputs(S) = sync -> (||| v:S @ fmi2Get.ec.v?x!fmi2OK -> SKIP)\n"
            "      DistributeInputs(S) = sync -> (||| v:S @ fmi2Set.ec.v?x!fmi2OK -> SKIP)\n"
            "      Step = sync -> fmi2DoStep.ec?t?ss:NZTIME!fmi2OK -> SKIP\n"
            "      Cycle = TakeOutputs(Outputs(ec)) ; DistributeInputs(Inputs(ec)) ; Step ; Cycle\n"
            "  within Init(union(Parameters(ec), Initials(ec))) ; Cycle\n"
            "BlockInstances = ([| {sync} |] ec:FMI2COMP @ EComponent(ec)) \\ {sync}\n\n");
}

static size_t count_connections(const writer *w) {
    size_t count = 0;
    for (size_t p = 0; p < w->system->port_count; p++)
        count += !w->system->ports[p].is_output && w->system->ports[p].source != HK_MAP_NONE;
    return count;
}

/* Clauses of one function are together, the one for anything last. */
static void write_ends(writer *w) {
    const hk_sound_system *s = w->system;
    size_t count = 0;
    fprintf(w->out, "ConnectionIndex = {");
    for (size_t p = 0; p < s->port_count; p++)
        if (!s->ports[p].is_output && s->ports[p].source != HK_MAP_NONE)
            fprintf(w->out, "%s%zu", count++ ? ", " : "", p);
    fprintf(w->out, "}\n");
    for (int end = 0; end < 2; end++) {
        for (size_t p = 0; p < s->port_count; p++) {
            const hk_sound_port *port = &s->ports[p];
            if (port->is_output || port->source == HK_MAP_NONE)
                continue;
            size_t at = end ? p : port->source;
            fprintf(w->out, "%s(%zu) = (%s, %s)\n", end ? "Tgt" : "Src", p,
                    w->instances[s->ports[at].instance], w->ports[at]);
        }
        fprintf(w->out, "%s(_) = (%s, NoPort)\n", end ? "Tgt" : "Src", w->instances[0]);
    }
}

/* Without connections there would be a process that turns for ever and does nothing. */
static void write_connections(writer *w) {
    if (!count_connections(w)) {
        fprintf(w->out, "-- nothing is connected\nCoSimulation = BlockInstances\n\n");
        return;
    }
    write_ends(w);
    fprintf(w->out,
            "Link((a,o),(b,i)) = fmi2Get.a.o?x!fmi2OK -> fmi2Set.b.i!x!fmi2OK -> SKIP\n"
            "Alpha((a,o),(b,i)) = {| fmi2Get.a.o, fmi2Set.b.i |}\n"
            "Connected = { Tgt(c) | c <- ConnectionIndex }\n"
            "Connections =\n"
            "  let Init = ||| ec:FMI2COMP @ (||| v:{ w | w <- Initials(ec), "
            "member((ec,w),Connected) } @ fmi2Set.ec.v?x!fmi2OK -> SKIP)\n"
            "      Step = || c:ConnectionIndex @ [Alpha(Src(c),Tgt(c))] Link(Src(c),Tgt(c))\n"
            "      Cycle = Step ; Cycle\n"
            "  within Init ; Cycle\n"
            "FMIGetSet = Union({ Alpha(Src(c),Tgt(c)) | c <- ConnectionIndex })\n"
            "CoSimulation = BlockInstances [| FMIGetSet |] Connections\n\n");
}

/* All steps of a cycle begin together and are equally long; the next begin where they ended. */
static void write_time(writer *w) {
    fprintf(w->out,
            "-- time goes around, so that it is finite\n"
            "Later(t,h) = (t+h)%%%zu\n"
            "StepAll(t,h,S) = if empty(S) then SKIP else [] ec:S @ fmi2DoStep.ec!t!h!fmi2OK -> "
            "StepAll(t,h,diff(S,{ec}))\n"
            "TimePhase(t) = [] ec:FMI2COMP, h:NZTIME @ fmi2DoStep.ec!t!h!fmi2OK -> "
            "(StepAll(t,h,diff(FMI2COMP,{ec})) ; TimePhase(Later(t,h)))\n"
            "CoSimulationT = CoSimulation [| {| fmi2DoStep |} |] TimePhase(0)\n\n",
            sizes_of(w) + 1);
}

/* ---- the master ---- */

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
        if (from == HK_MAP_NONE)
            fprintf(w->out, "fmi2Set.%s.%s!0!fmi2OK -> SKIP", instance, w->ports[c->port]);
        else
            fprintf(w->out, "%s.%s.%s?x -> fmi2Set.%s.%s!x!fmi2OK -> SKIP", c->stale ? "old" : "rd",
                    w->instances[w->system->ports[from].instance], w->ports[from], instance,
                    w->ports[c->port]);
        break;
    }
    case HK_OP_STEP:
        fprintf(w->out, "%s.%s?t -> fmi2DoStep.%s!t!%u!fmi2OK -> SKIP", c->stale ? "was" : "now",
                instance, instance, hk_spec_size_number(&w->sizes, c));
        break;
    case HK_OP_PARAMETER:
        fprintf(w->out, "fmi2Set.%s.Par%u_%u!0!fmi2OK -> SKIP", instance, c->instance, c->port);
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
    fprintf(w->out, "fmi2Set.%s.%s!0!fmi2OK -> SKIP",
            w->instances[w->system->ports[c->port].instance], w->ports[c->port]);
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

/* Each call is a process by itself; gates let it go when those before it are done. */
static void write_order(writer *w) {
    const hk_sound_master *m = w->sizes.master;
    size_t count = m->step_count;
    fprintf(w->out, "nametype CALL = {0..%zu}\nchannel go, done : CALL\n", count ? count - 1 : 0);
    const size_t *loops = write_loops(w, m->step, count);
    size_t *lists = name_lists(w);
    for (size_t i = 0; i < count; i++)
        fprintf(w->out, "Before(%zu) = Earlier%zu\n", i, lists[i]);
    for (size_t i = 0; i < count; i++) {
        fprintf(w->out, "Do(%zu) = ", i);
        if (loops[i])
            fprintf(w->out, "Loop%zu", loops[i]);
        else
            write_call(w, &m->step[i]);
        fprintf(w->out, "\n");
    }
    fprintf(w->out, "Node(i) = go.i -> (Do(i) ; (done.i -> SKIP))\n"
                    "Gate(i) = (||| j:Before(i) @ done.j -> SKIP) ; (go.i -> SKIP)\n"
                    "GateEvents(i) = union({ done.j | j <- Before(i) }, {go.i})\n"
                    "Gates = || i:CALL @ [GateEvents(i)] Gate(i)\n"
                    "AllDone = ||| j:CALL @ done.j -> SKIP\n"
                    "AllGateEvents = Union({ GateEvents(i) | i <- CALL })\n"
                    "Order = Gates [AllGateEvents || {| done |}] AllDone\n"
                    "MasterStep = (||| i:CALL @ Node(i)) [| {| go, done |} |] Order\n");
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

static void write_master(writer *w) {
    const hk_sound_master *m = w->sizes.master;
    fprintf(w->out,
            "channel rd%s : FMI2COMP.PORT.VAL\nchannel now%s : FMI2COMP.TIME\n"
            "channel restore : FMI2COMP\n",
            w->stale ? ", old" : "", w->sizes.late ? ", was" : "");
    write_cells(w);
    write_sequence(w, "MasterInit", m->init, m->init_count, true);
    if (m->before)
        write_order(w);
    else
        write_sequence(w, "MasterStep", m->step, m->step_count, false);
    const char *own = hk_arena_printf(w->arena, "rd, now%s%s", w->stale ? ", old" : "",
                                      w->sizes.late ? ", was" : "");
    fprintf(w->out,
            "MasterCycle = MasterStep ; MasterCycle\n"
            "Master = ((MasterInit ; MasterCycle) [| {| fmi2Get, fmi2DoStep, %s |} |] (Cells ||| "
            "Clocks)) \\ {| %s%s |}\n\n"
            "assert CoSimulation :[deadlock free [F]]\n"
            "assert CoSimulation :[divergence free]\n"
            "assert CoSimulation [T= Master\n"
            "assert CoSimulationT :[deadlock free [F]]\n"
            "assert CoSimulationT [T= Master\n",
            own, own, m->before ? ", go, done" : "");
}

static bool has_stale(const hk_sound_call *calls, size_t count) {
    for (size_t i = 0; i < count; i++)
        if ((calls[i].stale && calls[i].op == HK_OP_SET) ||
            (calls[i].op == HK_OP_LOOP &&
             has_stale(calls[i].loop->body, calls[i].loop->body_count)))
            return true;
    return false;
}

const char *hk_sound_cspm(hk_arena *arena, const hk_sound_system *system,
                          const hk_sound_master *master, int64_t max_step) {
    writer w = {.arena = arena,
                .system = system,
                .sizes = hk_spec_sizes_of(master, max_step),
                .instances = HK_NEW_ARRAY(arena, const char *, system->instance_count + 1),
                .ports = HK_NEW_ARRAY(arena, const char *, system->port_count),
                .stale = has_stale(master->step, master->step_count)};
    w.instances[0] = "None";
    for (size_t i = 0; i < system->instance_count; i++)
        w.instances[i] = identifier(&w, "C", i, system->instances[i].name);
    for (size_t p = 0; p < system->port_count; p++)
        w.ports[p] = identifier(&w, "P", p, system->ports[p].name);
    char *text = NULL;
    size_t size = 0;
    w.out = open_memstream(&text, &size);
    HK_ASSERT(w.out);
    write_alternatives(&w);
    write_specification(&w);
    write_connections(&w);
    write_time(&w);
    write_master(&w);
    fclose(w.out);
    const char *result =
        hk_arena_printf(arena, "-- %s\n%s", hk_spec_heading(arena, system, text), text);
    free(text);
    hk_free(w.sizes.all);
    return result;
}
