/* SPDX-License-Identifier: MIT
 *
 * Requirements: what is measured of a signal, and the limits that it must keep. */
#include "lang/simulation/simulation_internal.h"

#include <math.h>
#include <string.h>

/* In what a metric is measured. */
typedef enum quantity { IN_SECONDS, IN_PERCENT, AS_SIGNAL } quantity;

static quantity quantity_of(hk_metric metric) {
    switch (metric) {
    case HK_METRIC_SETTLING:
    case HK_METRIC_RISE:
        return IN_SECONDS;
    case HK_METRIC_OVERSHOOT:
    case HK_METRIC_ERROR:
        return IN_PERCENT;
    default:
        return AS_SIGNAL;
    }
}

static hk_status read_percent(hk_simread *r, const char *what, const hk_literal *literal,
                              double *ret_number) {
    hk_uom uom;
    HK_ASSERT(hk_uom_parse("%", &uom));
    const hk_slot slot = {
        .name = what, .type = HK_TYPE_F64, .unit = "%", .uom = &uom, .min = NAN, .max = NAN};
    return hk_simread_number(r, literal, &slot, ret_number);
}

static hk_status read_signal_value(hk_simread *r, const hk_signal *signal,
                                   const hk_literal *literal, double *ret_number) {
    hk_slot slot = hk_simread_slot(r, signal);
    slot.min = slot.max = NAN; /* what is required need not be possible */
    slot.type = HK_TYPE_F64;
    slot.enumeration = NULL;
    return hk_simread_number(r, literal, &slot, ret_number);
}

static hk_status read_seconds(hk_simread *r, const char *what, const hk_literal *literal,
                              double *ret_number) {
    hk_ratio time = {0, 1};
    bool parameter = literal->kind == HK_LITERAL_WORD && literal->text[0] == '$';
    if (literal->kind != HK_LITERAL_NUMBER && !parameter)
        return hk_simread_error(r, HK_E_TIME, &literal->at,
                                "write 10s, or 10 in the unit of the file", "%s is a time", what);
    HK_TRY(hk_simread_time(r, what, literal->text, literal->unit, &literal->at, &time));
    *ret_number = hk_ratio_to_double(time);
    return HK_OK;
}

/* A limit or reference, in what is measured; NaN if it is not given. */
static hk_status read_limit(hk_simread *r, const hk_measure *m, const char *what,
                            const hk_literal *literal, double *ret_number) {
    if (literal->kind == HK_LITERAL_NONE)
        return HK_OK;
    switch (quantity_of(m->metric)) {
    case IN_SECONDS:
        return read_seconds(r, what, literal, ret_number);
    case IN_PERCENT:
        return read_percent(r, what, literal, ret_number);
    default:
        return read_signal_value(r, &m->signal, literal, ret_number);
    }
}

static hk_status read_response(hk_simread *r, const hk_requiredecl *decl, hk_measure *m) {
    static const char *const words[] = {"from", "to", "within"};
    const hk_literal *given[] = {&decl->from, &decl->to, &decl->within};
    bool response = quantity_of(m->metric) != AS_SIGNAL;
    for (size_t i = 0; i < 3; i++)
        if (given[i]->kind != HK_LITERAL_NONE &&
            (!response || (i == 2 && m->metric != HK_METRIC_SETTLING)))
            return hk_simread_error(r, HK_E_SCENARIO, &given[i]->at, "leave it out",
                                    "'%s' says nothing about '%s'", words[i],
                                    hk_metric_words[m->metric]);
    if (decl->from.kind != HK_LITERAL_NONE)
        HK_TRY(read_signal_value(r, &m->signal, &decl->from, &m->base));
    if (decl->to.kind != HK_LITERAL_NONE)
        HK_TRY(read_signal_value(r, &m->signal, &decl->to, &m->target));
    if (m->metric == HK_METRIC_ERROR && isnan(m->target))
        return hk_simread_error(r, HK_E_SCENARIO, &decl->metric.at,
                                "write to VALUE behind the path",
                                "'error' needs the value that the signal should have");
    if (m->base == m->target)
        return hk_simread_error(r, HK_E_SCENARIO, &decl->to.at, NULL,
                                "'from' and 'to' are the same value");
    if (decl->within.kind == HK_LITERAL_NONE)
        return HK_OK;
    double percent = 0;
    HK_TRY(read_percent(r, "within", &decl->within, &percent));
    m->band = percent / 100;
    return m->band > 0
               ? HK_OK
               : hk_simread_error(r, HK_E_VALUE, &decl->within.at, NULL, "'within' is above 0 %%");
}

static hk_metric metric_of(const char *word) {
    hk_metric metric = 0;
    while (metric < HK_METRICS && strcmp(hk_metric_words[metric], word) != 0)
        metric++;
    return metric;
}

static const char *with_limits(hk_simread *r, const hk_measure *m, const char *name) {
    const char *text =
        hk_arena_printf(r->arena, "%s: %s of %s", m->name, hk_metric_words[m->metric], name);
    const char *space = m->unit ? " " : "", *unit = m->unit ? m->unit : "";
    if (!isnan(m->min))
        text = hk_arena_printf(r->arena, "%s min %s%s%s", text, hk_simread_show_number(r, m->min),
                               space, unit);
    if (!isnan(m->max))
        text = hk_arena_printf(r->arena, "%s max %s%s%s", text, hk_simread_show_number(r, m->max),
                               space, unit);
    return text;
}

hk_status hk_simread_requirement(hk_simread *r, const hk_requiredecl *decl, hk_expectation *x) {
    hk_measure *m = HK_NEW(r->arena, hk_measure);
    const char *name;
    *m = (hk_measure){.name = hk_arena_strdup(r->arena, decl->name.text),
                      .metric = metric_of(decl->metric.text),
                      .base = NAN,
                      .target = NAN,
                      .band = 0.05,
                      .min = NAN,
                      .max = NAN,
                      .reference = NAN};
    if (m->metric == HK_METRICS || !*decl->path.text)
        return hk_simread_missing(r, &decl->name.at);
    HK_TRY(hk_simread_find_signal(r, &decl->path, &m->signal, &name));
    const hk_variable *v = hk_simread_variable(r, &m->signal);
    if (hk_store_of(v->type) == HK_STORE_BYTES || v->enumeration || v->type == HK_TYPE_CLOCK)
        return hk_simread_error(r, HK_E_SCENARIO, &decl->path.at, "only numbers can be measured",
                                "'%s' is of type %s", decl->path.text,
                                v->enumeration ? "enumeration" : hk_type_name(v->type));
    HK_TRY(read_response(r, decl, m));
    HK_TRY(read_limit(r, m, "min", &decl->min, &m->min));
    HK_TRY(read_limit(r, m, "max", &decl->max, &m->max));
    HK_TRY(read_limit(r, m, "reference", &decl->reference, &m->reference));
    if (m->min > m->max)
        return hk_simread_error(r, HK_E_VALUE, &decl->min.at, "swap them",
                                "min is larger than max");
    quantity q = quantity_of(m->metric);
    m->unit = q == IN_SECONDS ? "s" : q == IN_PERCENT ? "%" : hk_simread_slot(r, &m->signal).unit;
    x->measure = m;
    x->words = with_limits(r, m, name);
    return HK_OK;
}
