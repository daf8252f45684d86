/* SPDX-License-Identifier: MIT
 *
 * What an input is set to is what was got from its source: of the step that the lag of the
 * connection asks for, after the conversion that it declares. Without a plan it is what was got
 * last. What cannot be compared is counted. */
#include "sound/sound_trace.h"

#include "base/number.h"

#include <string.h>

#define INITIAL INT64_MIN

/* What an output was after one step. */
typedef struct kept {
    hk_tick tick; /* where the step began; INITIAL: after initialization. Without a plan: any */
    double begin;
    bool is_text, opaque; /* opaque: there is nothing to compare */
    size_t count, cap;    /* numbers; one lies in `number` */
    double number, *numbers;
    char *text;
    size_t size, text_cap;
} kept;

/* The newest of them. */
typedef struct past {
    kept *all;
    size_t depth, count; /* count: so far */
} past;

struct hk_trace_values {
    hk_arena *arena;
    const hk_sound_system *system;
    past *past;           /* per port */
    uint32_t *first_into; /* per port: the first connection into it; HK_MAP_NONE: none */
    uint32_t *next_into;  /* per connection */
    kept *own;            /* per connection: its own initial value */
    bool newest;
    hk_tick known; /* what was before is not known */
    uint64_t compared, uncompared;
};

const char *hk_trace_number(hk_arena *arena, double value) {
    char text[HK_NUMBER_MAX + 1];
    text[hk_write_f64(value, text)] = '\0';
    return hk_arena_strdup(arena, text);
}

static hk_tick tick_of(const hk_trace_values *v, double t) {
    const hk_plan *plan = v->system->plan;
    return !plan || !isfinite(t) ? INITIAL : (hk_tick)llround(t * (double)plan->ticks_per_second);
}

/* ---- one value ---- */

static void keep_numbers(kept *k, const double *numbers, size_t count) {
    k->is_text = k->opaque = false;
    k->count = count;
    if (count == 1) {
        k->number = *numbers;
        return;
    }
    if (count > k->cap)
        k->numbers = hk_realloc(k->numbers, (k->cap = count) * sizeof *k->numbers);
    if (count)
        memcpy(k->numbers, numbers, count * sizeof *numbers);
}

static void keep_text(kept *k, const char *text, size_t size) {
    k->is_text = true;
    k->opaque = false;
    if (size > k->text_cap)
        k->text = hk_realloc(k->text, k->text_cap = size);
    if (size)
        memcpy(k->text, text, size);
    k->size = size;
}

static void keep_call(kept *k, const hk_sound_call *call) {
    k->opaque = !call->has_value && (!call->many || (!call->many->numbers && !call->many->text));
    if (call->has_value)
        keep_numbers(k, &call->value, 1);
    else if (!k->opaque && call->many->numbers)
        keep_numbers(k, call->many->numbers, call->many->count);
    else if (!k->opaque)
        keep_text(k, call->many->text, call->many->size);
}

/* A value of the model; nothing that compares if it has more digits than a double, or is binary. */
static void keep_value(kept *k, const hk_value *value) {
    hk_store store = hk_store_of(value->type);
    double *numbers = hk_alloc((value->count + 1) * sizeof *numbers);
    k->opaque = true;
    if (store == HK_STORE_BYTES && value->count == 1) {
        const hk_bytes *bytes = value->data;
        if (hk_bytes_are_text(*bytes))
            keep_text(k, bytes->data, bytes->size);
    } else if (store != HK_STORE_BYTES &&
               hk_value_convert(HK_STORE_F64, numbers, store, value->data, value->count)) {
        keep_numbers(k, numbers, value->count);
    }
    hk_free(numbers);
}

static void release(kept *k) {
    hk_free(k->numbers);
    hk_free(k->text);
}

static const double *numbers_of(const kept *k) {
    return k->count == 1 ? &k->number : k->numbers;
}

static bool same(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* ---- all of them ---- */

hk_trace_values *hk_trace_values_make(hk_arena *arena, const hk_sound_system *system) {
    hk_trace_values *v = HK_NEW(arena, hk_trace_values);
    const hk_plan *plan = system->plan;
    *v = (hk_trace_values){.arena = arena,
                           .system = system,
                           .past = HK_NEW_ARRAY(arena, past, system->port_count),
                           .known = INITIAL};
    for (size_t p = 0; p < system->port_count; p++) {
        const hk_sound_port *port = &system->ports[p];
        past *x = &v->past[p];
        x->depth = !port->is_output ? 0 : plan ? plan->components[port->instance].depth + 2u : 4;
        x->all = HK_NEW_ARRAY(arena, kept, x->depth);
    }
    if (!plan)
        return v;
    size_t count = plan->model->connection_count;
    v->first_into = HK_NEW_ARRAY(arena, uint32_t, system->port_count);
    v->next_into = HK_NEW_ARRAY(arena, uint32_t, count);
    v->own = HK_NEW_ARRAY(arena, kept, count);
    for (size_t p = 0; p < system->port_count; p++)
        v->first_into[p] = HK_MAP_NONE;
    for (size_t i = count; i-- > 0;) {
        const hk_connection *k = &plan->model->connections[i];
        uint32_t to = system->port_of[k->to_component][k->to_variable];
        v->next_into[i] = v->first_into[to];
        v->first_into[to] = (uint32_t)i;
        if (k->initial.data)
            keep_value(&v->own[i], &k->initial);
    }
    return v;
}

void hk_trace_values_free(hk_trace_values *v) {
    for (size_t p = 0; p < v->system->port_count; p++)
        for (size_t i = 0; i < v->past[p].depth; i++)
            release(&v->past[p].all[i]);
    for (size_t i = 0; v->own && i < v->system->plan->model->connection_count; i++)
        release(&v->own[i]);
}

void hk_trace_values_newest(hk_trace_values *v, bool newest) {
    v->newest = newest;
}

void hk_trace_values_count(const hk_trace_values *v, uint64_t *ret_compared, uint64_t *ret_not) {
    *ret_compared = v->compared;
    *ret_not = v->uncompared;
}

void hk_trace_values_got(hk_trace_values *v, const hk_sound_call *call, double begin) {
    past *x = &v->past[call->port];
    kept *newest = x->count ? &x->all[(x->count - 1) % x->depth] : NULL;
    /* What initialization reads several times is one value. */
    bool again = newest && !isfinite(begin) && !isfinite(newest->begin);
    kept *k = again ? newest : &x->all[x->count++ % x->depth];
    k->tick = tick_of(v, begin);
    k->begin = begin;
    keep_call(k, call);
}

void hk_trace_values_gap(hk_trace_values *v, double t) {
    for (size_t p = 0; p < v->system->port_count; p++)
        v->past[p].count = 0;
    v->known = tick_of(v, t);
}

void hk_trace_values_known_from(hk_trace_values *v, double t) {
    v->known = tick_of(v, t);
}

void hk_trace_values_undo(hk_trace_values *v, uint32_t instance, double t) {
    for (size_t p = 0; p < v->system->port_count; p++) {
        past *x = &v->past[p];
        while (v->system->ports[p].instance == instance && x->count &&
               (x->all[(x->count - 1) % x->depth].begin > t ||
                hk_near(x->all[(x->count - 1) % x->depth].begin, t)))
            x->count--;
    }
}

/* ---- what an input must be ---- */

static const kept *newest_of(const past *x) {
    return x->count ? &x->all[(x->count - 1) % x->depth] : NULL;
}

/* Of a multi-model: what the last step of its source has made that has ended at NOW. A slow one
 * ends later than those who read it, and any may have stepped before them; a reactive input wants
 * just that, the end of the step that its source is in. */
static const kept *ended_at(const hk_trace_values *v, const hk_sound_port *port, double now) {
    const hk_sound_system *s = v->system;
    uint32_t source = port->source;
    const past *x = &v->past[source];
    int64_t rate = s->instances[s->ports[source].instance].rate;
    double period = (double)(rate > 1 ? rate : 1) * s->cycle;
    if (!s->of_file || s->cycle <= 0 || !isfinite(now) || port->reactive)
        return newest_of(x);
    for (size_t back = 1; back <= x->depth && back <= x->count; back++) {
        const kept *k = &x->all[(x->count - back) % x->depth];
        double end = k->begin + period;
        if (!isfinite(k->begin) || end < now || hk_near(end, now))
            return k;
    }
    return NULL;
}

/* The step of its source that a connection shows at NOW, by the plan. */
static hk_tick wanted(const hk_trace_values *v, uint32_t connection, double now) {
    const hk_plan *plan = v->system->plan;
    const hk_plan_component *from =
        &plan->components[plan->model->connections[connection].from_component];
    hk_tick first = plan->start + from->offset;
    hk_tick latest = tick_of(v, now) - plan->connections[connection].lag;
    return latest < first ? INITIAL : latest - (latest - first) % from->period;
}

/* What the connection brings now. NULL: it is not known, or, if RET_WHY is given, was not read. */
static const kept *brought(hk_trace_values *v, const hk_sound_call *call, uint32_t connection,
                           double now, const char **ret_why) {
    const hk_plan *plan = v->system->plan;
    const hk_connection *k = &plan->model->connections[connection];
    uint32_t source = v->system->port_of[k->from_component][k->from_variable];
    const past *x = &v->past[source];
    if (isinf(now))
        return k->initial.data ? &v->own[connection] : newest_of(x);
    if (v->newest)
        return newest_of(x);
    hk_tick tick = wanted(v, connection, now);
    if (tick == INITIAL && k->initial.data)
        return &v->own[connection];
    for (size_t back = 1; back <= x->depth && back <= x->count; back++) {
        const kept *found = &x->all[(x->count - back) % x->depth];
        if (found->tick == tick)
            return found;
    }
    if (tick >= v->known) {
        const char *port = v->system->ports[call->port].name, *from = v->system->ports[source].name;
        *ret_why =
            tick == INITIAL
                ? hk_arena_printf(v->arena, "set %s: %s was not read before the first step", port,
                                  from)
                : hk_arena_printf(
                      v->arena,
                      "set %s: it wants %s as the step at %s has made it, and that was "
                      "not read",
                      port, from,
                      hk_trace_number(v->arena, hk_tick_seconds(tick, plan->ticks_per_second)));
    }
    return NULL;
}

/* What a connection makes of a number; false: it does not fit. */
static bool convert(const hk_connection *k, hk_store to, double value, double *ret_value) {
    const hk_transform *t = &k->conversion;
    double mapped = t->kind == HK_TRANSFORM_LINEAR ? t->factor * value + t->offset : value;
    for (size_t j = t->map_count; t->kind && t->kind != HK_TRANSFORM_LINEAR && j > 0; j--)
        mapped = (double)t->map_from[j - 1] == value ? (double)t->map_to[j - 1] : mapped;
    char room[16];
    return hk_value_convert(to, room, HK_STORE_F64, &mapped, 1) &&
           hk_value_convert(HK_STORE_F64, ret_value, to, room, 1);
}

/* ELEMENT of what is given must be MUST, which comes from FROM. */
static const char *differs(hk_trace_values *v, const char *name, const kept *given, size_t element,
                           const char *from, double must) {
    const char *set =
        given->count > 1 ? hk_arena_printf(v->arena, "%s[%zu]", name, element + 1) : name;
    return hk_arena_printf(v->arena, "set %s to %s; %s gave %s", set,
                           hk_trace_number(v->arena, numbers_of(given)[element]), from,
                           hk_trace_number(v->arena, must));
}

static const char *compare_texts(hk_trace_values *v, const char *name, const kept *given,
                                 const kept *value, const hk_connection *k, const char *from) {
    if (k && (k->from_slice.count || k->to_slice.count)) {
        v->uncompared++; /* texts of arrays are kept as one */
        return NULL;
    }
    v->compared++;
    return given->size == value->size && memcmp(given->text, value->text, value->size) == 0
               ? NULL
               : hk_arena_printf(v->arena, "set %s to another text than %s gave", name, from);
}

/* GIVEN is what the input is set to, VALUE what comes from its source, by connection K; NULL: as it
 * is. */
static const char *compare(hk_trace_values *v, const hk_sound_call *call, const kept *given,
                           const kept *value, const hk_connection *k, const char *from) {
    const hk_model *model = k ? v->system->plan->model : NULL;
    const hk_variable *to =
        k ? &model->components[k->to_component].info->variables[k->to_variable] : NULL;
    const char *name = v->system->ports[call->port].name;
    size_t n = k ? hk_connection_count(model, k) : value->count;
    size_t to_first = k && k->to_slice.count ? k->to_slice.first : 0;
    bool own = k && value >= v->own && value < v->own + model->connection_count;
    size_t from_first = k && k->from_slice.count && !own ? k->from_slice.first : 0;
    if (given->is_text != value->is_text)
        return hk_arena_printf(v->arena, "set %s to a %s; %s gave a %s", name,
                               given->is_text ? "text" : "number", from,
                               value->is_text ? "text" : "number");
    if (given->is_text)
        return compare_texts(v, name, given, value, k, from);
    if (to_first + n > given->count || from_first + n > value->count)
        return hk_arena_printf(v->arena, "set %s to %zu numbers; %s gave %zu", name, given->count,
                               from, value->count);
    for (size_t i = 0; i < n; i++) {
        double must = numbers_of(value)[from_first + i];
        if (k && !convert(k, to->store, must, &must)) {
            v->uncompared++;
            return NULL;
        }
        const hk_transform *unit = k ? NULL : v->system->ports[call->port].conversion;
        must = unit ? hk_transform_value(unit, must) : must;
        if (!same(numbers_of(given)[to_first + i], must))
            return differs(v, name, given, to_first + i, from, must);
    }
    v->compared++;
    return NULL;
}

static const char *check(hk_trace_values *v, const hk_sound_call *call, const kept *given,
                         const kept *value, const hk_connection *k) {
    uint32_t source = v->system->ports[call->port].source;
    if (k)
        source = v->system->port_of[k->from_component][k->from_variable];
    if (!value || value->opaque || given->opaque || call->altered) {
        v->uncompared++;
        return NULL;
    }
    return compare(v, call, given, value, k, v->system->ports[source].name);
}

const char *hk_trace_values_set(hk_trace_values *v, const hk_sound_call *call, double now) {
    const hk_sound_port *port = &v->system->ports[call->port];
    if (port->source == HK_MAP_NONE)
        return NULL;
    kept given = {0};
    const char *why = NULL;
    keep_call(&given, call);
    if (!v->system->plan)
        why = check(v, call, &given,
                    v->newest ? newest_of(&v->past[port->source]) : ended_at(v, port, now), NULL);
    uint32_t i = v->system->plan ? v->first_into[call->port] : HK_MAP_NONE;
    for (; i != HK_MAP_NONE && !why; i = v->next_into[i]) {
        const kept *value = brought(v, call, i, now, &why);
        if (!why)
            why = check(v, call, &given, value, &v->system->plan->model->connections[i]);
    }
    release(&given);
    return why;
}

const char *hk_trace_values_start(hk_trace_values *v, const hk_sound_call *call, size_t nth) {
    const hk_component *component = &v->system->plan->model->components[call->instance];
    const hk_setting *setting = NULL;
    for (size_t i = 0; i < component->setting_count && !setting; i++)
        if (component->settings[i].variable == call->port && nth-- == 0)
            setting = &component->settings[i];
    kept given = {0}, must = {0};
    keep_call(&given, call);
    if (setting)
        keep_value(&must, &setting->value);
    bool fine = true;
    if (!setting || given.opaque || must.opaque) {
        v->uncompared++;
    } else {
        v->compared++;
        fine = given.is_text == must.is_text &&
               (given.is_text
                    ? given.size == must.size && memcmp(given.text, must.text, must.size) == 0
                    : given.count == must.count);
        for (size_t i = 0; fine && !given.is_text && i < must.count; i++)
            fine = same(numbers_of(&given)[i], numbers_of(&must)[i]);
    }
    release(&given);
    release(&must);
    return fine ? NULL
                : hk_arena_printf(v->arena,
                                  "%s.%s is given another start value than the system says",
                                  component->name, component->info->variables[call->port].name);
}

const char *hk_trace_values_initial(hk_trace_values *v, const hk_sound_call *call) {
    const hk_sound_initial *initial = &v->system->initials[call->initial - 1];
    const hk_sound_value *must = &initial->value;
    const char *why = NULL;
    kept given = {0};
    keep_call(&given, call);
    bool nothing = given.opaque || (!must->numbers && !must->text);
    v->uncompared += nothing;
    v->compared += !nothing;
    bool alike = nothing || given.is_text == (must->numbers == NULL);
    if (alike && !nothing && given.is_text)
        alike = given.size == must->size && memcmp(given.text, must->text, must->size) == 0;
    else if (alike && !nothing)
        alike = given.count == must->count;
    if (!alike)
        why = hk_arena_printf(v->arena, "%s is given another start value than the file says",
                              initial->name);
    for (size_t i = 0; alike && !why && !nothing && !given.is_text && i < must->count; i++)
        if (!same(numbers_of(&given)[i], must->numbers[i]))
            why = hk_arena_printf(v->arena, "set %s%s to %s before the first get; the file says %s",
                                  initial->name,
                                  must->count > 1 ? hk_arena_printf(v->arena, "[%zu]", i + 1) : "",
                                  hk_trace_number(v->arena, numbers_of(&given)[i]),
                                  hk_trace_number(v->arena, must->numbers[i]));
    release(&given);
    return why;
}
