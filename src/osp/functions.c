/* SPDX-License-Identifier: MIT
 *
 * Functions between variables. A linear transformation is what happens to values on their way; a
 * sum is a component that takes no time. It is made at the instants at which all that it goes to
 * begin a step. */
#include "native/native.h"
#include "osp/osp_internal.h"

#include "base/number.h"

#include <string.h>

/* One function while it is put into the model. */
typedef struct work {
    hk_osp *r;
    const hk_osp_function *f;
    const hk_osp_connection **inputs; /* per input; NULL: nothing is connected */
    const hk_osp_connection **outputs;
    size_t output_count;
    bool lost; /* one of its connections is wrong: what is not connected may be meant by it */
} work;

static size_t input_count(const hk_osp_function *f) {
    return f->kind == HK_OSP_LINEAR ? 1 : f->inputs;
}

/* The number of the input called NAME: "in" of a transformation, else "in[2]". */
static bool input_index(const hk_osp_function *f, const char *name, size_t *ret_index) {
    int64_t number;
    size_t length = strlen(name);
    if (f->kind == HK_OSP_LINEAR) {
        *ret_index = 0;
        return strcmp(name, "in") == 0;
    }
    if (length < 5 || strncmp(name, "in[", 3) != 0 || name[length - 1] != ']' ||
        !hk_read_i64(name + 3, length - 4, &number) || number < 0 || (uint64_t)number >= f->inputs)
        return false;
    *ret_index = (size_t)number;
    return true;
}

static void no_signal(hk_osp *r, const hk_osp_function *f, const hk_osp_end *end) {
    const char *hint =
        f->kind == HK_OSP_LINEAR
            ? "it has 'in' and 'out'"
            : hk_arena_printf(r->arena, "it has 'in[0]' to 'in[%zu]' and 'out'", f->inputs - 1);
    hk_osp_failed(r, hk_error(r->ctx, HK_E_CONNECTION, end->where, hint,
                              "the function '%s' has no signal%s '%s'", f->name,
                              f->kind == HK_OSP_VECTOR_SUM ? " group" : "", end->name));
}

/* Sorts a connection of the function under its signal. */
static void take(work *w, const hk_osp_connection *k) {
    hk_osp *r = w->r;
    size_t index;
    bool groups = w->f->kind == HK_OSP_VECTOR_SUM;
    if ((k->join == HK_OSP_SIGNALS) != groups) {
        w->lost = true;
        hk_osp_failed(r, hk_error(r->ctx, HK_E_CONNECTION, k->where,
                                  groups ? "use a SignalGroupConnection" : "use a SignalConnection",
                                  groups ? "the VectorSum '%s' has groups of signals"
                                         : "the function '%s' has no groups of signals",
                                  w->f->name));
    } else if (strcmp(k->a.name, "out") == 0) {
        if (w->output_count == 1 && hk_osp_first(r, "outputs"))
            hk_note(r->ctx, k->where,
                    "'out' of the function '%s' goes to more than one place; libcosim uses the "
                    "first connection only",
                    w->f->name);
        w->outputs[w->output_count++] = k;
    } else if (!input_index(w->f, k->a.name, &index)) {
        w->lost = true;
        no_signal(r, w->f, &k->a);
    } else if (w->inputs[index]) {
        hk_osp_failed(r, hk_error(r->ctx, HK_E_TWO_DRIVERS, k->where,
                                  "remove one of the two connections",
                                  "'%s' of the function '%s' is driven in line %d already",
                                  k->a.name, w->f->name, w->inputs[index]->where.line));
    } else {
        w->inputs[index] = k;
    }
}

/* The variables at the other end of K, as many as the function has dimensions, into PLACES. */
static bool find_places(work *w, const hk_osp_connection *k, hk_osp_place *places) {
    hk_osp *r = w->r;
    hk_osp_simulator *s;
    if (!hk_osp_find_simulator(r, &k->b, &s))
        return false;
    if (k->join == HK_OSP_SIGNAL)
        return hk_osp_find_variable(r, s, k->b.name, k->b.where, places);
    const hk_osp_group *group = hk_osp_need_group(r, s, &k->b);
    if (!group)
        return false;
    if (group->member_count != w->f->dimension) {
        hk_osp_failed(r, hk_error(r->ctx, HK_E_CONNECTION, k->where, NULL,
                                  "group '%s' of '%s' has %zu variables, and the function '%s' has "
                                  "the dimension %zu",
                                  group->name, s->name, group->member_count, w->f->name,
                                  w->f->dimension));
        return false;
    }
    bool found = true;
    for (size_t j = 0; j < w->f->dimension; j++)
        found = hk_osp_find_variable(r, s, group->members[j].name, group->members[j].where,
                                     &places[j]) &&
                found;
    return found;
}

static size_t width(const hk_osp_function *f) {
    return f->kind == HK_OSP_VECTOR_SUM ? f->dimension : 1;
}

/* All ends of the function: those of inputs first, then those of outputs; NULL after an error. */
static hk_osp_place *all_places(work *w) {
    size_t inputs = input_count(w->f), n = width(w->f);
    hk_osp_place *places =
        HK_NEW_ARRAY(w->r->arena, hk_osp_place, (inputs + w->output_count) * n + 1);
    bool found = true;
    for (size_t i = 0; i < inputs; i++) {
        if (!w->inputs[i] && (w->lost || w->r->structure->connection_lost))
            return NULL;
        if (!w->inputs[i]) {
            hk_osp_failed(
                w->r, hk_error(w->r->ctx, HK_E_CONNECTION, w->f->where, "connect a variable to it",
                               w->f->kind == HK_OSP_LINEAR ? "its 'in' is not connected"
                                                           : "its 'in[%zu]' is not connected",
                               i));
            return NULL;
        }
        found = find_places(w, w->inputs[i], &places[i * n]) && found;
    }
    for (size_t i = 0; i < w->output_count; i++)
        found = find_places(w, w->outputs[i], &places[(inputs + i) * n]) && found;
    return found ? places : NULL;
}

static void add_linear(work *w, const hk_osp_place *places) {
    for (size_t i = 0; i < w->output_count; i++)
        hk_osp_link(w->r, places[0], places[1 + i], w->f->factor, w->f->offset,
                    w->outputs[i]->where);
}

static void add_sum(work *w, const hk_osp_place *places) {
    hk_osp *r = w->r;
    const hk_osp_function *f = w->f;
    size_t inputs = f->inputs, n = width(f);
    const hk_info *info;
    uint32_t component;
    int64_t factor = 1;
    for (size_t i = inputs * n; i < (inputs + w->output_count) * n && factor; i++)
        factor = hk_osp_common(factor, places[i].factor);
    hk_status status = hk_sum_info(r->ctx, r->model, inputs, f->dimension, &info);
    if (status == HK_OK)
        status = hk_model_add_component(r->ctx, r->model, f->name, info, f->where, &component);
    if (status != HK_OK) {
        hk_osp_failed(r, status);
        return;
    }
    if (factor != 1 && !hk_osp_set_rate(r, component, factor, f->where))
        return;
    /* The ports of a sum: the inputs one after the other, then the outputs. */
    for (uint32_t i = 0; i < inputs * n; i++)
        hk_osp_link(r, places[i], (hk_osp_place){component, i, factor, NULL}, 1, 0,
                    w->inputs[i / n]->where);
    for (uint32_t i = 0; i < w->output_count * n; i++)
        hk_osp_link(r, (hk_osp_place){component, (uint32_t)(inputs * n + i % n), factor, NULL},
                    places[inputs * n + i], 1, 0, w->outputs[i / n]->where);
}

static void add_function(work *w) {
    const hk_osp_place *places = all_places(w);
    if (!places)
        return;
    if (!w->output_count && (w->lost || w->r->structure->connection_lost))
        return;
    if (!w->output_count)
        hk_warn(w->r->ctx, HK_E_OSP, w->f->where, "connect its 'out'",
                "its 'out' is not connected, so it has no effect");
    else if (w->f->kind == HK_OSP_LINEAR)
        add_linear(w, places);
    else
        add_sum(w, places);
}

/* The function of a connection with a signal; HK_MAP_NONE after an error. */
static uint32_t function_of(hk_osp *r, const hk_osp_connection *k) {
    const hk_osp_structure *s = r->structure;
    uint32_t index = hk_map_get(&r->by_name, k->a.owner);
    if (index != HK_MAP_NONE && index >= s->simulator_count)
        return index - (uint32_t)s->simulator_count;
    if (hk_map_get(&r->broken, k->a.owner) != HK_MAP_NONE)
        return HK_MAP_NONE;
    const char **names = HK_NEW_ARRAY(r->arena, const char *, s->function_count + 1);
    for (size_t i = 0; i < s->function_count; i++)
        names[i] = s->functions[i].name;
    hk_osp_failed(r, hk_error(r->ctx, HK_E_CONNECTION, k->a.where,
                              hk_osp_suggest(r, k->a.owner, names, s->function_count),
                              "there is no function '%s'", k->a.owner));
    return HK_MAP_NONE;
}

void hk_osp_add_functions(hk_osp *r) {
    const hk_osp_structure *s = r->structure;
    work *works = HK_NEW_ARRAY(r->arena, work, s->function_count + 1);
    for (size_t i = 0; i < s->function_count; i++)
        works[i] = (work){.r = r,
                          .f = &s->functions[i],
                          .inputs = HK_NEW_ARRAY(r->arena, const hk_osp_connection *,
                                                 input_count(&s->functions[i]))};
    uint32_t *owner = HK_NEW_ARRAY(r->arena, uint32_t, s->connection_count + 1);
    for (size_t i = 0; i < s->connection_count; i++) {
        bool signal = s->connections[i].join >= HK_OSP_SIGNAL;
        owner[i] = signal ? function_of(r, &s->connections[i]) : HK_MAP_NONE;
        if (owner[i] != HK_MAP_NONE)
            works[owner[i]].output_count++; /* at most */
    }
    for (size_t i = 0; i < s->function_count; i++) {
        works[i].outputs =
            HK_NEW_ARRAY(r->arena, const hk_osp_connection *, works[i].output_count + 1);
        works[i].output_count = 0;
    }
    for (size_t i = 0; i < s->connection_count; i++)
        if (owner[i] != HK_MAP_NONE)
            take(&works[owner[i]], &s->connections[i]);
    for (size_t i = 0; i < s->function_count; i++)
        add_function(&works[i]);
}
