/* SPDX-License-Identifier: MIT
 *
 * Statements about what happens to values on connections: fault and repair. */
#include "lang/simulation_internal.h"

#include <math.h>
#include <string.h>

/* ---- which connections */

static bool among(const hk_target *target, uint32_t component, uint32_t variable) {
    for (size_t i = 0; i < target->signal_count; i++)
        if (target->signals[i].component == component && target->signals[i].variable == variable)
            return true;
    return false;
}

static const char *consumers_hint(hk_simread *r, const hk_target *from) {
    const hk_model *model = r->model;
    const char **names = NULL;
    size_t count = 0, cap = 0;
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        hk_signal to = {k->to_component, k->to_variable, HK_ALL_ELEMENTS};
        if (among(from, k->from_component, k->from_variable))
            HK_PUSH(names, count, cap, hk_simread_signal_name(r, &to));
    }
    const char *hint =
        count ? hk_arena_printf(r->arena, "it is connected to %s", hk_simread_list(r, names, count))
              : "it is connected to nothing";
    hk_free(names);
    return hint;
}

static const char *producer_hint(hk_simread *r, const hk_target *at) {
    for (size_t i = 0; i < r->model->connection_count; i++) {
        const hk_connection *k = &r->model->connections[i];
        hk_signal from = {k->from_component, k->from_variable, HK_ALL_ELEMENTS};
        hk_signal to = {k->to_component, k->to_variable, HK_ALL_ELEMENTS};
        if (among(at, k->to_component, k->to_variable))
            return hk_arena_printf(r->arena, "name the producer first: '%s -> %s'",
                                   hk_simread_signal_name(r, &from),
                                   hk_simread_signal_name(r, &to));
    }
    return NULL;
}

static hk_status find_connections(hk_simread *r, const hk_statement *s, hk_action *action,
                                  const char **ret_name) {
    hk_target from, to = {0};
    bool one = *s->other.text != '\0';
    hk_status first = hk_simread_find(r, &s->path, HK_TARGET_VARIABLES, &from);
    if (one)
        HK_TRY(hk_simread_find(r, &s->other, HK_TARGET_VARIABLES, &to));
    HK_TRY(first);
    uint32_t *found = NULL;
    size_t count = 0, cap = 0;
    for (uint32_t i = 0; i < r->model->connection_count; i++) {
        const hk_connection *k = &r->model->connections[i];
        if (among(&from, k->from_component, k->from_variable) &&
            (!one || among(&to, k->to_component, k->to_variable)))
            HK_PUSH(found, count, cap, i);
    }
    uint32_t *kept = HK_NEW_ARRAY(r->arena, uint32_t, count + 1);
    if (count)
        memcpy(kept, found, count * sizeof *kept);
    hk_free(found);
    action->connections = kept;
    action->connection_count = count;
    *ret_name = one ? hk_arena_printf(r->arena, "%s -> %s", from.name, to.name) : from.name;
    if (count)
        return HK_OK;
    const char *hint = producer_hint(r, &from);
    if (!hint)
        hint = consumers_hint(r, &from);
    return hk_simread_error(r, HK_E_SCENARIO, &s->path.at, hint,
                            one ? "there is no connection '%s'" : "nothing is connected to '%s'",
                            *ret_name);
}

/* ---- what happens to them */

typedef enum need { NOTHING, MAYBE, NUMBER, DURATION } need;
static const need needs[HK_FAULT_KINDS] = {
    [HK_FAULT_STUCK] = MAYBE,     [HK_FAULT_DELAY] = DURATION,     [HK_FAULT_DROP] = NUMBER,
    [HK_FAULT_SCALE] = NUMBER,    [HK_FAULT_BIAS] = NUMBER,        [HK_FAULT_NOISE] = NUMBER,
    [HK_FAULT_QUANTISE] = NUMBER, [HK_FAULT_DISCONNECT] = NOTHING,
};

static hk_status read_kind(hk_simread *r, const hk_statement *s, hk_fault *fault) {
    const char *names[HK_FAULT_KINDS];
    for (int i = 0; i < HK_FAULT_KINDS; i++) {
        names[i] = hk_fault_name((hk_fault_kind)i);
        fault->kind = (hk_fault_kind)i;
        if (strcmp(names[i], s->word.text) == 0)
            break;
        if (i + 1 == HK_FAULT_KINDS) {
            if (!*s->word.text)
                return hk_simread_missing(r, &s->at);
            const char *hint = hk_simread_suggest(r, s->word.text, names, HK_FAULT_KINDS);
            if (!hint)
                hint = hk_arena_printf(r->arena, "use one of %s",
                                       hk_simread_list(r, names, HK_FAULT_KINDS));
            return hk_simread_error(r, HK_E_SCENARIO, &s->word.at, hint, "there is no fault '%s'",
                                    s->word.text);
        }
    }
    bool given = s->value.kind != HK_LITERAL_NONE;
    need wanted = needs[fault->kind];
    if (given && wanted == NOTHING)
        return hk_simread_error(r, HK_E_SCENARIO, &s->value.at, "remove it",
                                "the fault '%s' takes no value", s->word.text);
    if (!given && (wanted == NUMBER || wanted == DURATION))
        return hk_simread_error(r, HK_E_SCENARIO, &s->word.at, NULL,
                                "the fault '%s' needs a %s behind it", s->word.text,
                                wanted == NUMBER ? "number" : "time");
    fault->has_value = given;
    return HK_OK;
}

static hk_status check_number(hk_simread *r, const hk_statement *s, hk_fault_kind kind,
                              const hk_slot *input, double x) {
    const char *wrong = NULL;
    bool real = input->type == HK_TYPE_F64 || input->type == HK_TYPE_F32;
    if (kind == HK_FAULT_DROP && !(x >= 0 && x <= 1))
        wrong = "the probability of 'drop' lies between 0 and 1";
    else if (kind == HK_FAULT_NOISE && !(x >= 0))
        wrong = "the deviation of 'noise' cannot be negative";
    else if (kind == HK_FAULT_QUANTISE && !(x > 0))
        wrong = "the step of 'quantise' must be above 0";
    else if ((kind == HK_FAULT_BIAS || kind == HK_FAULT_STUCK) && !real && x != floor(x))
        wrong = "the input takes whole numbers only";
    return wrong ? hk_simread_error(r, HK_E_VALUE, &s->value.at, NULL, "%s, found %s", wrong,
                                    hk_simread_show_literal(r, &s->value))
                 : HK_OK;
}

/* The value in the unit of the input. */
static hk_status read_number(hk_simread *r, const hk_statement *s, const hk_connection *k,
                             hk_fault *fault) {
    hk_signal to = {k->to_component, k->to_variable, HK_ALL_ELEMENTS};
    hk_slot input = hk_simread_slot(r, &to), slot = input;
    bool number = input.type <= HK_TYPE_U64;
    bool stuck = fault->kind == HK_FAULT_STUCK, pure = fault->kind == HK_FAULT_DROP;
    if (!pure && !number && !(stuck && (input.type == HK_TYPE_BOOL || input.type == HK_TYPE_ENUM)))
        return hk_simread_error(r, HK_E_SCENARIO, &s->word.at,
                                "'stuck' without a value, 'delay', 'drop' and 'disconnect' are "
                                "for values of every type",
                                "the fault '%s' does not work on '%s' of type %s", s->word.text,
                                input.name, hk_type_name(input.type));
    if (!stuck) {
        slot.type = HK_TYPE_F64;
        slot.enumeration = NULL;
        slot.relative = true;
        slot.min = slot.max = NAN;
    }
    if (pure || fault->kind == HK_FAULT_SCALE) {
        slot.unit = NULL;
        slot.uom = NULL;
        slot.name = s->word.text;
    }
    HK_TRY(hk_simread_number(r, &s->value, &slot, &fault->value));
    return check_number(r, s, fault->kind, &input, fault->value);
}

static hk_status read_delay(hk_simread *r, const hk_statement *s, hk_fault *fault) {
    hk_literal l;
    HK_TRY(hk_simread_literal(r, &s->value, &l));
    if (l.kind != HK_LITERAL_NUMBER && l.kind != HK_LITERAL_TEXT)
        return hk_simread_error(r, HK_E_VALUE, &l.at, NULL, "'%s' is no time", l.text);
    HK_TRY(hk_simread_time(r, "the delay", l.text, l.unit, &l.at, &fault->delay));
    if (fault->delay.num <= 0)
        return hk_simread_error(r, HK_E_TIME, &l.at, NULL, "the delay must be above 0");
    return HK_OK;
}

/* Connections whose inputs have different units get an action each time the number changes. */
static hk_status read_numbers(hk_simread *r, const hk_statement *s, hk_action action,
                              hk_action_list *list) {
    const uint32_t *all = action.connections;
    size_t count = action.connection_count, first = 0;
    double last = 0;
    for (size_t i = 0; i < count; i++) {
        HK_TRY(read_number(r, s, &r->model->connections[all[i]], &action.fault));
        if (i > 0 && action.fault.value != last) {
            hk_action before = action;
            before.connections = all + first;
            before.connection_count = i - first;
            before.fault.value = last;
            HK_PUSH(list->all, list->count, list->cap, before);
            first = i;
        }
        last = action.fault.value;
    }
    action.connections = all + first;
    action.connection_count = count - first;
    HK_PUSH(list->all, list->count, list->cap, action);
    return HK_OK;
}

hk_status hk_simread_fault(hk_simread *r, const hk_statement *s, hk_action_list *list) {
    hk_action action = {.kind = HK_ACTION_FAULT, .where = hk_simread_where(r, &s->at)};
    const char *name;
    hk_status status = read_kind(r, s, &action.fault);
    HK_TRY(find_connections(r, s, &action, &name));
    HK_TRY(status);
    bool given = action.fault.has_value;
    action.words =
        hk_arena_printf(r->arena, "fault %s %s%s%s", name, s->word.text, given ? " " : "",
                        given ? hk_simread_show_literal(r, &s->value) : "");
    if (action.fault.kind == HK_FAULT_DELAY) {
        HK_TRY(read_delay(r, s, &action.fault));
    } else if (given) {
        return read_numbers(r, s, action, list);
    }
    HK_PUSH(list->all, list->count, list->cap, action);
    return HK_OK;
}

hk_status hk_simread_repair(hk_simread *r, const hk_statement *s, hk_action *action) {
    const char *name;
    HK_TRY(find_connections(r, s, action, &name));
    action->words = hk_arena_printf(r->arena, "repair %s", name);
    return HK_OK;
}
