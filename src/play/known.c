/* SPDX-License-Identifier: MIT
 *
 * Variables whose values a scenario knows: those that a DURING puts back, and those that somebody
 * may override. Under an override a variable keeps its value; what is set meanwhile lies beneath
 * it, and is there when it is released. */
#include "play/play_internal.h"

#include <stdlib.h>
#include <string.h>

static const hk_variable *variable_of(const hk_playing *p, uint32_t component, uint32_t variable) {
    return &p->stage->simulation->model->components[component].info->variables[variable];
}

static int by_variable(const void *a, const void *b) {
    const hk_known *x = a, *y = b;
    if (x->component != y->component)
        return x->component < y->component ? -1 : 1;
    return x->variable < y->variable ? -1 : x->variable > y->variable;
}

hk_known *hk_find_known(const hk_playing *p, uint32_t component, uint32_t variable) {
    HK_ASSERT(p);
    const hk_known key = {.component = component, .variable = variable};
    return p->known_count ? bsearch(&key, p->known, p->known_count, sizeof key, by_variable) : NULL;
}

static void keep(hk_value *to, const hk_value *value) {
    if (value->data && value->count == to->count)
        (void)hk_value_convert(hk_store_of(to->type), to->data, hk_store_of(value->type),
                               value->data, value->count);
}

static void remember(hk_known *known, const hk_value *value) {
    if (known)
        keep(&known->value, value);
}

static void add_known(hk_playing *p, const hk_action *target) {
    const hk_variable *v = variable_of(p, target->component, target->variable);
    hk_known known = {.component = target->component,
                      .variable = target->variable,
                      .value = {v->type, v->count, NULL}};
    known.value.data =
        hk_arena_alloc(p->scratch, (v->count + 1) * hk_store_size(hk_store_of(v->type)));
    HK_PUSH(p->known, p->known_count, p->known_cap, known);
}

/* What a DURING sets, or somebody overrides, is asked for later. */
static void collect_known(hk_playing *p, const hk_actions *actions, bool during) {
    const hk_model *model = p->stage->simulation->model;
    for (size_t i = 0; i < actions->count; i++) {
        const hk_action *a = &actions->all[i];
        bool put_back = during && (a->kind == HK_ACTION_SET || a->kind == HK_ACTION_RAMP);
        bool held =
            a->kind == HK_ACTION_OVERRIDE || (a->kind == HK_ACTION_RELEASE && !a->connection_count);
        if (!put_back && !held)
            continue;
        hk_actions targets = hk_spell_out(model, p->scratch, a);
        for (size_t k = 0; k < targets.count; k++)
            add_known(p, &targets.all[k]);
    }
}

void hk_known_learn(hk_playing *p) {
    HK_ASSERT(p);
    const hk_scenario *s = p->scene->scenario;
    const hk_model *model = p->stage->simulation->model;
    collect_known(p, &p->stage->simulation->begin, false);
    collect_known(p, &s->begin, false);
    for (size_t i = 0; i < s->event_count; i++)
        collect_known(p, &s->events[i].actions, s->events[i].kind == HK_DURING);
    if (p->known_count)
        qsort(p->known, p->known_count, sizeof *p->known, by_variable);
    size_t n = 0;
    for (size_t i = 0; i < p->known_count; i++)
        if (!n || by_variable(&p->known[n - 1], &p->known[i]) != 0)
            p->known[n++] = p->known[i];
    p->known_count = n;
    for (size_t i = 0; i < n; i++) {
        hk_known *k = &p->known[i];
        const hk_component *c = &model->components[k->component];
        remember(k, &c->info->variables[k->variable].start);
        for (size_t m = 0; m < c->setting_count; m++)
            if (c->settings[m].variable == k->variable)
                remember(k, &c->settings[m].value);
    }
    for (size_t list = 0; list < HK_PRESETS; list++)
        for (size_t i = 0; n && i < p->scene->preset[list].count; i++) {
            const hk_action *a = &p->scene->preset[list].all[i];
            if (a->kind == HK_ACTION_SET)
                remember(hk_find_known(p, a->component, a->variable), &a->value);
        }
}

/* In the memory of the run. */
static hk_value copy_of(hk_playing *p, const hk_value *value) {
    hk_value copy = *value;
    size_t size = value->count * hk_store_size(hk_store_of(value->type));
    copy.data = hk_arena_alloc(p->scratch, size + 1);
    memcpy(copy.data, value->data, size);
    return copy;
}

/* The value that the variable has now, overrides aside. A component may have changed it in a call,
 * so what can be read is read; the value that is remembered is exact where the two agree. */
hk_value hk_value_now(hk_playing *p, const hk_known *known) {
    HK_ASSERT(p && known);
    if (known->held)
        return copy_of(p, &known->beneath);
    const hk_variable *v = variable_of(p, known->component, known->variable);
    hk_store store = hk_store_of(v->type);
    size_t size = hk_store_size(store);
    hk_value now = {v->type, v->count, hk_arena_alloc(p->scratch, (v->count + 1) * size)};
    memcpy(now.data, known->value.data, v->count * size);
    for (size_t i = 0; store != HK_STORE_BYTES && i < v->count; i++) {
        double read, kept;
        char *at = (char *)now.data + i * size;
        if (hk_sim_value_f64(p->sim, known->component, known->variable, (uint32_t)i, &read) &&
            hk_value_convert(HK_STORE_F64, &kept, store, at, 1) && read != kept)
            (void)hk_value_convert(store, at, HK_STORE_F64, &read, 1);
    }
    return now;
}

hk_status hk_known_put(hk_playing *p, uint32_t component, uint32_t variable,
                       const hk_value *value) {
    HK_ASSERT(p && value);
    hk_known *known = hk_find_known(p, component, variable);
    if (known && known->held) {
        keep(&known->beneath, value);
        return HK_OK;
    }
    HK_TRY(hk_sim_write(p->sim, component, variable, value));
    remember(known, value);
    return HK_OK;
}

bool hk_known_f64(const hk_playing *p, uint32_t component, uint32_t variable, uint32_t element,
                  double *ret_value) {
    HK_ASSERT(p && ret_value);
    const hk_known *known = hk_find_known(p, component, variable);
    if (!known || !known->held)
        return hk_sim_value_f64(p->sim, component, variable, element, ret_value);
    hk_store store = hk_store_of(known->beneath.type);
    const char *at = (const char *)known->beneath.data + element * hk_store_size(store);
    return hk_value_convert(HK_STORE_F64, ret_value, store, at, 1);
}

/* ---- overrides ---- */

hk_status hk_known_override(hk_playing *p, const hk_action *action) {
    HK_ASSERT(p && action);
    hk_actions targets = hk_spell_out(p->stage->simulation->model, p->scratch, action);
    for (size_t i = 0; i < targets.count; i++) {
        const hk_action *a = &targets.all[i];
        hk_known *known = hk_find_known(p, a->component, a->variable);
        HK_ASSERT(known);
        if (!known->held)
            known->beneath = hk_value_now(p, known);
        known->held = true;
        HK_TRY(hk_sim_write(p->sim, a->component, a->variable, &a->value));
        remember(known, &a->value);
    }
    return HK_OK;
}

hk_status hk_known_release(hk_playing *p, const hk_action *action, bool *ret_any) {
    HK_ASSERT(p && action && ret_any);
    hk_actions targets = hk_spell_out(p->stage->simulation->model, p->scratch, action);
    for (size_t i = 0; i < targets.count; i++) {
        hk_known *known = hk_find_known(p, targets.all[i].component, targets.all[i].variable);
        HK_ASSERT(known);
        if (!known->held)
            continue;
        *ret_any = true;
        known->held = false;
        HK_TRY(hk_known_put(p, known->component, known->variable, &known->beneath));
    }
    return HK_OK;
}
