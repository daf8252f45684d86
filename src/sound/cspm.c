/* SPDX-License-Identifier: MIT
 *
 * The specification and a master in CSPm, for FDR4 and other tools. The processes of the
 * specification are those of the published semantics, with its hole closed: only inputs that are
 * connected take part in the initialisation of the connections. */
#include "sound/cspm_write.h"

#include <stdlib.h>
#include <string.h>

typedef hk_cspm_writer writer;

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
            "nametype VAL = {0..%u}\n"
            "-- equal sizes of steps have equal numbers; 0 is an empty one\n"
            "nametype TIME = {0..%zu}\n"
            "nametype NZTIME = {1..%zu}\n",
            w->values - 1, sizes_of(w), sizes_of(w));
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

/* What is asserted: the specification and the master never stop and never go on unseen, and the
 * master does what the specification allows, also with times. */
static void write_assertions(writer *w) {
    static const char *const processes[] = {"CoSimulation", "CoSimulationT", "Master"};
    for (size_t i = 0; i < sizeof processes / sizeof *processes; i++)
        fprintf(w->out,
                "assert %s :[deadlock free [F]]\n"
                "assert %s :[divergence free]\n",
                processes[i], processes[i]);
    fprintf(w->out, "assert CoSimulation [T= Master\n"
                    "assert CoSimulationT [T= Master\n");
}

const char *hk_sound_cspm(hk_arena *arena, const hk_sound_phased *phased, int64_t max_step,
                          unsigned values) {
    const hk_sound_system *system = phased->system;
    writer w = {.arena = arena,
                .system = system,
                .sizes = hk_spec_sizes_of(phased->master, max_step),
                .instances = HK_NEW_ARRAY(arena, const char *, system->instance_count + 1),
                .ports = HK_NEW_ARRAY(arena, const char *, system->port_count + 1),
                .values = values};
    w.instances[0] = "None";
    for (size_t i = 0; i < system->instance_count; i++)
        w.instances[i] = identifier(&w, "C", i, system->instances[i].name);
    for (size_t p = 0; p < system->port_count; p++)
        w.ports[p] = identifier(&w, "P", p, system->ports[p].name);
    hk_cspm_look_at_master(&w);
    char *text = NULL;
    size_t size = 0;
    w.out = open_memstream(&text, &size);
    HK_ASSERT(w.out);
    write_alternatives(&w);
    write_specification(&w);
    write_connections(&w);
    write_time(&w);
    hk_cspm_write_master(&w);
    write_assertions(&w);
    fclose(w.out);
    const char *result =
        hk_arena_printf(arena, "-- %s\n%s", hk_spec_heading(arena, system, text), text);
    free(text);
    hk_free(w.sizes.all);
    return result;
}
