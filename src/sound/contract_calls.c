/* SPDX-License-Identifier: MIT
 *
 * What each call of an orchestration algorithm needs and does, on stamps. */
#include "sound/contract.h"

/* ---- words ----------------------------------------------------------------------------------- */

static const char *port_name(const hk_contract *c, uint32_t port) {
    return c->system->ports[port].name;
}

static const char *name_of(const hk_contract *c, uint32_t i) {
    return c->system->instances[i].name;
}

/* "set A.x (line 12)" */
static const char *call_name(hk_contract *c, const hk_sound_call *call) {
    static const char *const words[] = {"set", "get", "step", "save", "restore", "parameter"};
    bool port = call->op == HK_OP_SET || call->op == HK_OP_GET;
    const char *name = port ? port_name(c, call->port) : name_of(c, call->instance);
    if (call->line)
        return hk_arena_printf(c->arena, "%s %s (line %d)", words[call->op], name, call->line);
    return hk_arena_printf(c->arena, "%s %s", words[call->op], name);
}

/* "a value of time 2", "no value yet" */
static const char *stamp_text(hk_contract *c, hk_age s) {
    if (!c->loud)
        return "";
    return s.defined ? hk_arena_printf(c->arena, "a value of time %lld", (long long)s.time)
                     : "no value yet";
}

const char *hk_contract_say(hk_contract *c, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = c->loud ? hk_arena_vprintf(c->arena, format, args) : NULL;
    va_end(args);
    return text;
}

void hk_contract_note(hk_contract *c, const hk_sound_call *call, const char *note) {
    if (!c->loud || c->noted_count >= HK_CONTRACT_NOTED)
        return;
    hk_sound_call noted = *call;
    noted.note = note;
    HK_PUSH(c->noted, c->noted_count, c->noted_cap, noted);
}

static void put_fault(hk_contract *c, hk_breach *to, const hk_sound_call *call, const char *hint,
                      const char *text) {
    if (to->why)
        return;
    if (c->loud && call)
        text = hk_arena_printf(c->arena, "%s: %s", call_name(c, call), text);
    *to = (hk_breach){.why = text, .hint = hint, .calls = c->noted_count, .after = !call};
}

bool hk_contract_fail(hk_contract *c, const hk_sound_call *call, const char *hint,
                      const char *format, ...) {
    va_list args;
    va_start(args, format);
    put_fault(c, &c->fault, call, hint, c->loud ? hk_arena_vprintf(c->arena, format, args) : "");
    va_end(args);
    return false;
}

/* A precondition does not hold; false. In a loop that matters only if the turn is the one that
 * counts. */
static bool object(hk_contract *c, const hk_sound_call *call, const char *hint, const char *format,
                   ...) HK_PRINTF(4, 5);
static bool object(hk_contract *c, const hk_sound_call *call, const char *hint, const char *format,
                   ...) {
    va_list args;
    va_start(args, format);
    put_fault(c, c->depth ? &c->objection : &c->fault, call, hint,
              c->loud ? hk_arena_vprintf(c->arena, format, args) : "");
    va_end(args);
    return false;
}

/* Is that the end? */
static bool may_go_on(const hk_contract *c, bool held) {
    return held || c->depth > 0;
}

/* WHAT is, or holds, the value of an output. */
static bool object_to_loss(hk_contract *c, const hk_sound_call *call, hk_age_loss loss,
                           const char *what, uint32_t output) {
    const char *name = port_name(c, output);
    if (loss == HK_AGE_UNSOUND)
        return object(
            c, call,
            hk_contract_say(c,
                            "restore in 'retry' all that is stepped, and get %s in "
                            "each attempt before it is set",
                            name),
            "%s has a value that %s had after calls that do not count: in an attempt that "
            "was rejected, or after a step of another size",
            what, name);
    return object(c, call, hk_contract_say(c, "add %s to those of 'until converged'", name),
                  "%s is handed on from one iteration to the next, but the loop does not watch it",
                  name);
}

/* ---- cycles ---------------------------------------------------------------------------------- */

int64_t hk_contract_rate(const hk_contract *c, uint32_t instance) {
    int64_t rate = c->system->instances[instance].rate;
    return rate > 1 ? rate : 1;
}

bool hk_contract_takes_part(const hk_contract *c, uint32_t instance) {
    int64_t first = c->system->instances[instance].first;
    return c->initial ||
           (c->cycle >= first && (c->cycle - first) % hk_contract_rate(c, instance) == 0);
}

/* Between instances of different rates the value that is set may be one of the past, chosen by the
 * lag of the connection: which one, the proof of the program looks at. That one is handed over for
 * every step, and is not left from long ago, is looked at here. */
static bool across_rates(const hk_contract *c, uint32_t input) {
    const hk_sound_port *port = &c->system->ports[input];
    uint32_t from = c->system->ports[port->source].instance;
    return hk_contract_rate(c, port->instance) != hk_contract_rate(c, from) ||
           c->system->instances[port->instance].first != c->system->instances[from].first;
}

/* ---- gets and sets --------------------------------------------------------------------------- */

static bool check_get(hk_contract *c, const hk_sound_call *call) {
    const hk_sound_port *port = &c->system->ports[call->port];
    size_t count = c->initial ? port->depends_init_count : port->depends_count;
    const uint32_t *depends = c->initial ? port->depends_init : port->depends;
    int64_t now = c->instances[port->instance].time;
    for (size_t i = 0; i < count; i++) {
        const hk_age *in = &c->in[depends[i]];
        uint32_t source = c->system->ports[depends[i]].source;
        if (source == HK_MAP_NONE || across_rates(c, depends[i]))
            continue;
        if (!in->defined || (!c->initial && in->time != now))
            return object(c, call,
                          hk_contract_say(c, "before it, get %s at that time and set %s",
                                          port_name(c, source), port_name(c, depends[i])),
                          "it depends on %s, which has %s, but %s is at time %lld",
                          port_name(c, depends[i]), stamp_text(c, *in), name_of(c, port->instance),
                          (long long)now);
        if (in->loss)
            return object_to_loss(c, call, in->loss, port_name(c, depends[i]), source);
    }
    return true;
}

static bool do_get(hk_contract *c, const hk_sound_call *call) {
    uint32_t owner = c->system->ports[call->port].instance;
    hk_contract_note(c, call, hk_contract_say(c, "at %lld", (long long)c->instances[owner].time));
    bool held = check_get(c, call);
    if (!may_go_on(c, held))
        return false;
    if (c->system->instances[owner].is_fmu && c->instances[owner].dirty && !c->fmi)
        c->fmi = hk_arena_printf(c->arena,
                                 "%s: an input of %s was set and no step followed, and then FMI "
                                 "allows no get",
                                 call_name(c, call), name_of(c, owner));
    *(call->tentative ? &c->tentative[call->port] : &c->final[call->port]) =
        (hk_age){.defined = true,
                 .time = c->instances[owner].time,
                 .turn = c->turn,
                 .loss = held && !c->instances[owner].unsound ? HK_AGE_KEPT : HK_AGE_UNSOUND};
    return true;
}

/* The engine keeps past values as long as a lag needs them: where the source is ahead, it sets the
 * one that is asked for. */
static bool keeps_history(const hk_contract *c) {
    return c->system->port_of != NULL;
}

/* How an input gets a value of the right time. */
static const char *hint_for_set(hk_contract *c, const hk_sound_port *port, hk_age from) {
    const char *source = port_name(c, port->source);
    const char *driver = name_of(c, c->system->ports[port->source].instance);
    int64_t ahead = c->instances[c->system->ports[port->source].instance].time;
    int64_t now = c->instances[port->instance].time;
    if (port->reactive && ahead > now)
        return hk_contract_say(c, "get %s before it: %s has been stepped", source, driver);
    if (port->reactive)
        return hk_contract_say(c, "step %s and get %s before it, or declare %s delayed", driver,
                               source, port->name);
    if (from.time < now && ahead == now)
        return hk_contract_say(c, "get %s again before it: %s has been stepped", source, driver);
    if (from.time < now)
        return hk_contract_say(c, "step %s and get %s before it", driver, source);
    return hk_contract_say(c, "set it after %s was stepped, or declare %s reactive",
                           name_of(c, port->instance), port->name);
}

/* Across rates: what is set was got after the last step of the source, or after the one before. */
static bool check_set_across(hk_contract *c, const hk_sound_call *call, hk_age from) {
    const hk_sound_port *port = &c->system->ports[call->port];
    uint32_t driver = c->system->ports[port->source].instance;
    int64_t ahead = c->instances[driver].time;
    if (keeps_history(c) || from.time >= ahead - c->max_step * hk_contract_rate(c, driver))
        return true;
    return object(c, call, hk_contract_say(c, "get %s before it", port_name(c, port->source)),
                  "its source %s has %s, and %s is at time %lld", port_name(c, port->source),
                  stamp_text(c, from), name_of(c, driver), (long long)ahead);
}

static bool check_set(hk_contract *c, const hk_sound_call *call, hk_age from) {
    const hk_sound_port *port = &c->system->ports[call->port];
    int64_t now = c->instances[port->instance].time;
    const char *source = port_name(c, port->source), *owner = name_of(c, port->instance);
    if (!from.defined)
        return object(c, call, hk_contract_say(c, "get %s before it", source),
                      "its source %s has no value yet", source);
    if (from.loss)
        return object_to_loss(c, call, from.loss, "it", port->source);
    if (c->initial)
        return true;
    if (across_rates(c, call->port))
        return check_set_across(c, call, from);
    if (port->reactive && from.time <= now)
        return object(c, call, hint_for_set(c, port, from),
                      "it is reactive and needs a value of the end of the step, but its source %s "
                      "has %s and %s is at time %lld",
                      source, stamp_text(c, from), owner, (long long)now);
    if (!port->reactive && from.time != now && !(keeps_history(c) && from.time > now))
        return object(c, call, hint_for_set(c, port, from),
                      "it is delayed and needs a value of the time of %s, which is %lld, but its "
                      "source %s has %s",
                      owner, (long long)now, source, stamp_text(c, from));
    return true;
}

static bool do_set(hk_contract *c, const hk_sound_call *call) {
    const hk_sound_port *port = &c->system->ports[call->port];
    c->instances[port->instance].dirty = !c->initial;
    if (port->source == HK_MAP_NONE) {
        hk_contract_note(c, call, NULL);
        return true; /* always fresh */
    }
    hk_age from = call->tentative ? c->tentative[port->source] : c->final[port->source];
    bool own = c->initial && port->initial && !from.defined;
    hk_contract_note(
        c, call,
        own ? "to a value of its own"
        : from.defined
            ? hk_contract_say(c, "to %s of time %lld", port_name(c, port->source),
                              (long long)from.time)
            : hk_contract_say(c, "to %s, which has no value yet", port_name(c, port->source)));
    if (own)
        from = (hk_age){.defined = true};
    else if (!may_go_on(c, check_set(c, call, from)))
        return false;
    if (keeps_history(c) && !port->reactive && from.time > c->instances[port->instance].time)
        from.time = c->instances[port->instance].time;
    c->in[call->port] = from;
    c->in[call->port].fresh = true;
    return true;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static const char *hint_for_step(hk_contract *c, const hk_sound_call *call, uint32_t input) {
    const hk_sound_port *port = &c->system->ports[input];
    const char *source = port_name(c, port->source), *name = name_of(c, call->instance);
    uint32_t driver = c->system->ports[port->source].instance;
    if (!port->reactive)
        return hk_contract_say(c, "at the end of the step before, get %s and set %s", source,
                               port->name);
    if (c->in[input].defined && c->in[input].time > c->instances[call->instance].time)
        return hk_contract_say(c, "both must take the same step: 'step %s as %s'", name,
                               name_of(c, driver));
    return hk_contract_say(c, "before it, step %s, get %s and set %s", name_of(c, driver), source,
                           port->name);
}

static bool check_step(hk_contract *c, const hk_sound_call *call, int64_t h) {
    const hk_contract_instance *self = &c->instances[call->instance];
    for (uint32_t i = 0; i < self->input_count; i++) {
        uint32_t input = c->inputs[self->inputs + i];
        const hk_age *in = &c->in[input];
        bool reactive = c->system->ports[input].reactive;
        int64_t wanted = self->time + (reactive ? h : 0);
        if (across_rates(c, input)) {
            if (!in->fresh)
                return object(c, call, hint_for_step(c, call, input),
                              "its input %s was not set since its last step", port_name(c, input));
            continue;
        }
        if (!in->defined || in->time != wanted)
            return object(c, call, hint_for_step(c, call, input),
                          "its %s input %s has %s, but the step needs one of time %lld",
                          reactive ? "reactive" : "delayed", port_name(c, input),
                          stamp_text(c, *in), (long long)wanted);
        if (in->loss)
            return object_to_loss(c, call, in->loss, port_name(c, input),
                                  c->system->ports[input].source);
    }
    return true;
}

/* How far to go; 0 if that cannot be said. */
static int64_t step_size(const hk_contract *c, const hk_sound_call *call) {
    if (call->as != HK_MAP_NONE)
        return c->instances[call->as].took;
    return (call->has_value ? (int64_t)call->value : c->h) * hk_contract_rate(c, call->instance);
}

/* What no turn may do. */
static bool is_step_possible(hk_contract *c, const hk_sound_call *call, int64_t h) {
    if (c->initial)
        return hk_contract_fail(c, call, NULL, "before the first step nothing may be stepped");
    if (h <= 0 && call->as != HK_MAP_NONE)
        return hk_contract_fail(
            c, call, hk_contract_say(c, "step %s before it", name_of(c, call->as)),
            "it is to take the step of %s, which took none yet", name_of(c, call->as));
    if (h <= 0)
        return hk_contract_fail(c, call, NULL, "a step must take time");
    if (h > c->max_step && call->has_value)
        return hk_contract_fail(c, call, NULL, "it is longer than the largest step");
    if (c->instances[call->instance].time > INT64_MAX / 4)
        return hk_contract_fail(c, call, NULL, "%s runs away", name_of(c, call->instance));
    return true;
}

static void note_step(hk_contract *c, const hk_sound_call *call, int64_t asked, int64_t took) {
    hk_sound_call noted = *call;
    noted.t = (double)c->instances[call->instance].time;
    noted.h = (double)asked;
    hk_contract_note(
        c, &noted, took < asked ? hk_contract_say(c, "(%lld is accepted)", (long long)took) : NULL);
}

static bool do_step(hk_contract *c, const hk_sound_call *call) {
    hk_contract_instance *self = &c->instances[call->instance];
    int64_t asked = step_size(c, call), took = asked;
    int64_t most = self->accepts * hk_contract_rate(c, call->instance);
    if (c->system->instances[call->instance].can_reject && took > most)
        took = most;
    note_step(c, call, asked, took);
    if (!is_step_possible(c, call, asked))
        return false;
    bool held = check_step(c, call, took);
    if (!may_go_on(c, held))
        return false;
    if (!held || (c->depth && (self->time != self->began ||
                               took != c->due * hk_contract_rate(c, call->instance))))
        self->unsound = true;
    self->took = took;
    self->steps++;
    self->dirty = false;
    self->time += took;
    for (uint32_t i = 0; i < self->input_count; i++)
        c->in[c->inputs[self->inputs + i]].fresh = false;
    return true;
}

static bool do_save(hk_contract *c, const hk_sound_call *call) {
    hk_contract_instance *self = &c->instances[call->instance];
    hk_contract_note(c, call, hk_contract_say(c, "at %lld", (long long)self->time));
    if (!c->system->instances[call->instance].can_save)
        return hk_contract_fail(c, call, NULL, "it cannot save its state");
    self->saved = true;
    self->saved_time = self->time;
    self->saved_steps = self->steps;
    self->saved_dirty = self->dirty;
    self->saved_unsound = self->unsound;
    for (uint32_t i = 0; i < self->input_count; i++)
        c->saved_in[c->inputs[self->inputs + i]] = c->in[c->inputs[self->inputs + i]];
    return true;
}

static bool do_restore(hk_contract *c, const hk_sound_call *call) {
    hk_contract_instance *self = &c->instances[call->instance];
    hk_contract_note(c, call,
                     self->saved ? hk_contract_say(c, "from %lld to %lld", (long long)self->time,
                                                   (long long)self->saved_time)
                                 : NULL);
    if (!self->saved)
        return hk_contract_fail(c, call,
                                hk_contract_say(c, "save %s first", name_of(c, call->instance)),
                                "its state was not saved");
    self->time = self->saved_time;
    self->steps = self->saved_steps;
    self->dirty = self->saved_dirty;
    self->unsound = self->saved_unsound;
    for (uint32_t i = 0; i < self->input_count; i++)
        c->in[c->inputs[self->inputs + i]] = c->saved_in[c->inputs[self->inputs + i]];
    return true;
}

bool hk_contract_call(hk_contract *c, const hk_sound_call *call) {
    bool port = call->op == HK_OP_SET || call->op == HK_OP_GET;
    if (!hk_contract_takes_part(c, port ? c->system->ports[call->port].instance : call->instance))
        return true;
    switch (call->op) {
    case HK_OP_SET:
        return do_set(c, call);
    case HK_OP_GET:
        return do_get(c, call);
    case HK_OP_STEP:
        return do_step(c, call);
    case HK_OP_SAVE:
        return do_save(c, call);
    case HK_OP_RESTORE:
        return do_restore(c, call);
    default:
        hk_contract_note(c, call, NULL);
        return c->initial ||
               hk_contract_fail(c, call, NULL, "parameters are set before the first step");
    }
}
