/* SPDX-License-Identifier: MIT
 *
 * Statements about what happens to values on connections: fault and repair, and override and
 * release where there are some. */
#include "lang/simulation/simulation_internal.h"

#include <math.h>
#include <string.h>

/* ---- which connections */

/* A connection that is meant, or some of the elements that it joins. */
typedef struct joint {
    uint32_t connection;
    hk_slice elements; /* of those that it joins; count 0: all */
    size_t first;      /* the number of the first of them among all values of that end */
} joint;

typedef struct joints {
    joint *all;
    size_t count, cap;
    const char *name;
    bool consumers; /* they were found by the end of who takes the values */
    size_t values;  /* of the end that they were found by */
} joints;

/* The elements of the connection that the signal stands for. */
static bool narrow(hk_simread *r, const hk_signal *signal, const hk_connection *k, joint *j) {
    bool source = signal->component == k->from_component && signal->variable == k->from_variable;
    uint32_t begin = source ? k->from_slice.first : k->to_slice.first;
    if (signal->element == HK_ALL_ELEMENTS)
        return true;
    uint32_t element = signal->element - begin;
    if (signal->element < begin || element >= hk_connection_count(r->model, k) ||
        (j->elements.count && j->elements.first != element))
        return false;
    j->elements = (hk_slice){element, 1};
    return true;
}

/* Has the target the connection, and which part of it? *ret_signal: by which of its signals. */
static bool takes(hk_simread *r, const hk_target *target, uint32_t connection, bool from, joint *j,
                  size_t *ret_signal) {
    for (size_t i = 0; i < target->signal_count; i++) {
        hk_target one = {.kind = target->kind,
                         .signals = target->signals + i,
                         .signal_count = 1,
                         .ports = target->ports ? target->ports + i : NULL};
        if (!hk_target_has(r, &one, connection, from))
            continue;
        *ret_signal = i;
        return narrow(r, &target->signals[i], &r->model->connections[connection], j);
    }
    return false;
}

static const char *consumers_hint(hk_simread *r, const hk_target *from) {
    const hk_model *model = r->model;
    const char **names = NULL;
    size_t count = 0, cap = 0;
    for (uint32_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        hk_signal to = {k->to_component, k->to_variable, HK_ALL_ELEMENTS, NULL};
        joint j = {.connection = i};
        size_t signal;
        if (!takes(r, from, i, true, &j, &signal))
            continue;
        if (j.elements.count)
            to.element = k->to_slice.first + j.elements.first;
        HK_PUSH(names, count, cap, hk_simread_signal_name(r, &to));
    }
    const char *hint =
        count ? hk_arena_printf(r->arena, "it is connected to %s", hk_simread_list(r, names, count))
              : "it is connected to nothing";
    hk_free(names);
    return hint;
}

static const char *producer_hint(hk_simread *r, const hk_target *at) {
    for (uint32_t i = 0; i < r->model->connection_count; i++) {
        const hk_connection *k = &r->model->connections[i];
        hk_signal from = {k->from_component, k->from_variable, HK_ALL_ELEMENTS, NULL};
        hk_signal to = {k->to_component, k->to_variable, HK_ALL_ELEMENTS, NULL};
        if (hk_target_has(r, at, i, false))
            return hk_arena_printf(r->arena, "name the producer first: '%s -> %s'",
                                   hk_simread_signal_name(r, &from),
                                   hk_simread_signal_name(r, &to));
    }
    return NULL;
}

static size_t count_values(hk_simread *r, const hk_target *target, size_t signals) {
    size_t count = 0;
    for (size_t i = 0; i < signals; i++)
        count += target->signals[i].element == HK_ALL_ELEMENTS
                     ? hk_simread_variable(r, &target->signals[i])->count
                     : 1;
    return count;
}

/* Where the first element of the joint is among the values of the END that it was found by. */
static size_t place_of(hk_simread *r, const hk_target *end, size_t signal, const joint *j) {
    const hk_connection *k = &r->model->connections[j->connection];
    const hk_signal *s = &end->signals[signal];
    bool source = s->component == k->from_component && s->variable == k->from_variable;
    size_t element = (source ? k->from_slice.first : k->to_slice.first) + j->elements.first;
    return count_values(r, end, signal) + (s->element == HK_ALL_ELEMENTS ? element : 0);
}

/* The connections at END; OTHER: those that have it at their other end, NULL: all. */
static void collect_joints(hk_simread *r, const hk_target *end, const hk_target *other,
                           joints *found) {
    for (uint32_t i = 0; i < r->model->connection_count; i++) {
        joint j = {.connection = i};
        size_t signal, unused;
        if (!takes(r, end, i, !found->consumers, &j, &signal) ||
            (other && !takes(r, other, i, found->consumers, &j, &unused)))
            continue;
        j.first = place_of(r, end, signal, &j);
        HK_PUSH(found->all, found->count, found->cap, j);
    }
    found->values = count_values(r, end, end->signal_count);
}

static hk_status no_connection(hk_simread *r, const hk_statement *s, const hk_target *from,
                               const joints *found) {
    const char *hint = producer_hint(r, from);
    if (!hint)
        hint = consumers_hint(r, from);
    return hk_simread_error(r, HK_E_SCENARIO, &s->path.at, hint,
                            *s->other.text ? "there is no connection '%s'"
                                           : "nothing is connected to '%s'",
                            found->name);
}

static hk_status find_joints(hk_simread *r, const hk_statement *s, joints *found) {
    hk_target from, to = {0};
    bool one = *s->other.text != '\0';
    hk_status first = hk_simread_find(r, &s->path, HK_TARGET_VARIABLES, &from);
    if (one)
        HK_TRY(hk_simread_find(r, &s->other, HK_TARGET_VARIABLES, &to));
    HK_TRY(first);
    collect_joints(r, &from, one ? &to : NULL, found);
    found->name = one ? hk_arena_printf(r->arena, "%s -> %s", from.name, to.name) : from.name;
    return found->count ? HK_OK : no_connection(r, s, &from, found);
}

/* ---- what happens to them */

typedef enum need { NOTHING, MAYBE, NUMBER, DURATION } need;
static const need needs[HK_FAULT_KINDS] = {
    [HK_FAULT_STUCK] = MAYBE,     [HK_FAULT_DELAY] = DURATION,     [HK_FAULT_DROP] = NUMBER,
    [HK_FAULT_SCALE] = NUMBER,    [HK_FAULT_BIAS] = NUMBER,        [HK_FAULT_NOISE] = NUMBER,
    [HK_FAULT_QUANTISE] = NUMBER, [HK_FAULT_DISCONNECT] = NOTHING,
};

static hk_status read_kind(hk_simread *r, const hk_statement *s, hk_fault *fault) {
    enum { WRITTEN = HK_FAULT_OVERRIDE };
    const char *names[WRITTEN];
    for (int i = 0; i < WRITTEN; i++) {
        names[i] = hk_fault_name((hk_fault_kind)i);
        fault->kind = (hk_fault_kind)i;
        if (strcmp(names[i], s->word.text) == 0)
            break;
        if (i + 1 == WRITTEN) {
            if (!*s->word.text)
                return hk_simread_missing(r, &s->at);
            const char *hint = hk_simread_suggest(r, s->word.text, names, WRITTEN);
            if (!hint)
                hint =
                    hk_arena_printf(r->arena, "use one of %s", hk_simread_list(r, names, WRITTEN));
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

static hk_status check_number(hk_simread *r, const hk_literal *l, hk_fault_kind kind,
                              const hk_connection *k, double x) {
    const hk_signal to = {k->to_component, k->to_variable, HK_ALL_ELEMENTS, NULL};
    const hk_type input = hk_simread_variable(r, &to)->type;
    const char *wrong = NULL;
    bool whole = input != HK_TYPE_F64 && input != HK_TYPE_F32 && !k->transform.kind;
    if (kind == HK_FAULT_DROP && !(x >= 0 && x <= 1))
        wrong = "the probability of 'drop' lies between 0 and 1";
    else if (kind == HK_FAULT_NOISE && !(x >= 0))
        wrong = "the deviation of 'noise' cannot be negative";
    else if (kind == HK_FAULT_QUANTISE && !(x > 0))
        wrong = "the step of 'quantise' must be above 0";
    else if ((kind == HK_FAULT_BIAS || kind == HK_FAULT_STUCK) && whole && x != floor(x))
        wrong = "the input takes whole numbers only";
    return wrong ? hk_simread_error(r, HK_E_VALUE, &l->at, NULL, "%s, found %s", wrong,
                                    hk_simread_show_literal(r, l))
                 : HK_OK;
}

/* Text and binary have no numbers, and nothing is kept of them. */
static hk_status check_type(hk_simread *r, const hk_statement *s, const hk_connection *k,
                            hk_fault_kind kind, bool given) {
    const hk_signal from = {k->from_component, k->from_variable, HK_ALL_ELEMENTS, NULL};
    hk_type type = hk_simread_variable(r, &from)->type;
    bool item = type == HK_TYPE_BOOL || type == HK_TYPE_ENUM;
    bool bytes = hk_store_of(type) == HK_STORE_BYTES;
    bool bends = given && kind != HK_FAULT_STUCK && kind != HK_FAULT_DROP && kind != HK_FAULT_DELAY;
    if (kind == HK_FAULT_DISCONNECT || (!bytes && !(item && bends)))
        return HK_OK;
    return hk_simread_error(r, HK_E_SCENARIO, &s->word.at,
                            bytes ? "only 'disconnect' works on text and binary values"
                                  : "'stuck', 'delay', 'drop' and 'disconnect' are for values of "
                                    "every type but text",
                            "the fault '%s' does not work on '%s' of type %s", s->word.text,
                            hk_simread_signal_name(r, &from), hk_type_name(type));
}

/* The value in the unit of the output. */
static hk_status read_number(hk_simread *r, const hk_statement *s, const hk_literal *l,
                             const hk_connection *k, hk_fault *fault) {
    const hk_signal from = {k->from_component, k->from_variable, HK_ALL_ELEMENTS, NULL};
    hk_slot slot = hk_simread_slot(r, &from);
    if (k->from_uom) {
        slot.uom = k->from_uom;
        slot.unit = k->from_uom->name;
    }
    if (fault->kind != HK_FAULT_STUCK) {
        slot.type = HK_TYPE_F64;
        slot.enumeration = NULL;
        slot.relative = true;
        slot.min = slot.max = NAN;
    }
    if (fault->kind == HK_FAULT_DROP || fault->kind == HK_FAULT_SCALE) {
        slot.unit = NULL;
        slot.uom = NULL;
        slot.name = s->word.text;
    }
    HK_TRY(hk_simread_number(r, l, &slot, &fault->value));
    return check_number(r, l, fault->kind, k, fault->value);
}

/* What the input gets: a value for the output undergoes what values of the connection do. */
static hk_status read_override(hk_simread *r, const hk_literal *l, const hk_connection *k,
                               bool consumers, double *ret_value) {
    const hk_signal from = {k->from_component, k->from_variable, HK_ALL_ELEMENTS, NULL};
    const hk_signal to = {k->to_component, k->to_variable, HK_ALL_ELEMENTS, NULL};
    const hk_uom *uom = consumers ? k->to_uom : k->from_uom;
    hk_slot slot = hk_simread_slot(r, consumers ? &to : &from);
    hk_type taken = hk_simread_variable(r, &to)->type;
    if (uom) {
        slot.uom = uom;
        slot.unit = uom->name;
    }
    HK_TRY(hk_simread_number(r, l, &slot, ret_value));
    if (!consumers && k->conversion.kind)
        *ret_value = hk_transform_value(&k->conversion, *ret_value);
    if (taken == HK_TYPE_F64 || taken == HK_TYPE_F32 || *ret_value == floor(*ret_value))
        return HK_OK;
    return hk_simread_error(r, HK_E_VALUE, &l->at, NULL, "'%s' takes whole numbers only, found %s",
                            hk_simread_signal_name(r, &to), hk_simread_show_literal(r, l));
}

static hk_status read_delay(hk_simread *r, const hk_statement *s, hk_fault *fault) {
    hk_literal l;
    HK_TRY(hk_simread_literal(r, &s->value, &l));
    if (l.kind != HK_LITERAL_NUMBER && l.kind != HK_LITERAL_TEXT)
        return hk_simread_error(r, HK_E_VALUE, &l.at, NULL, "'%s' is not a time", l.text);
    HK_TRY(hk_simread_time(r, "the delay", l.text, l.unit, &l.at, &fault->delay));
    if (fault->delay.num <= 0)
        return hk_simread_error(r, HK_E_TIME, &l.at, NULL, "the delay must be above 0");
    return HK_OK;
}

/* ---- actions: one for each element that is treated in its own way */

typedef struct numbers {
    hk_literal *all; /* NULL: no number was given */
    size_t count;    /* 1: for all elements */
} numbers;

/* What all actions of one statement have in common. */
typedef struct batch {
    const hk_statement *s;
    hk_action action; /* but for its connections, elements and number */
    bool consumers;   /* as in joints */
    numbers values;
    hk_action_list *list;
    size_t first; /* in the list */
} batch;

/* CONNECTION lies behind that of the joint before it, so that several can share an action. */
static void push(const batch *all, hk_action action, const uint32_t *connection,
                 hk_slice elements) {
    hk_action_list *list = all->list;
    hk_action *last = list->count > all->first ? &list->all[list->count - 1] : NULL;
    if (last && !elements.count && !last->fault.elements.count &&
        last->fault.value == action.fault.value) {
        last->connection_count++;
        return;
    }
    action.connections = connection;
    action.connection_count = 1;
    action.fault.elements = elements;
    HK_PUSH(list->all, list->count, list->cap, action);
}

static hk_status read_value(hk_simread *r, const batch *b, const hk_literal *l,
                            const hk_connection *k, hk_fault *fault) {
    return fault->kind == HK_FAULT_OVERRIDE ? read_override(r, l, k, b->consumers, &fault->value)
                                            : read_number(r, b->s, l, k, fault);
}

static hk_status push_joint(hk_simread *r, const batch *b, const joint *j,
                            const uint32_t *connection) {
    const numbers *values = &b->values;
    const hk_connection *k = &r->model->connections[j->connection];
    size_t all = hk_connection_count(r->model, k);
    hk_action action = b->action;
    if (action.kind == HK_ACTION_FAULT && action.fault.kind != HK_FAULT_OVERRIDE)
        HK_TRY(check_type(r, b->s, k, action.fault.kind, values->all != NULL));
    if (values->count > 1) {
        size_t count = j->elements.count ? j->elements.count : all;
        for (size_t i = 0; i < count; i++) {
            HK_TRY(read_value(r, b, &values->all[j->first + i], k, &action.fault));
            push(b, action, connection, (hk_slice){j->elements.first + (uint32_t)i, all > 1});
        }
        return HK_OK;
    }
    if (values->all)
        HK_TRY(read_value(r, b, &values->all[0], k, &action.fault));
    push(b, action, connection, j->elements);
    return HK_OK;
}

static hk_status push_joints(hk_simread *r, const hk_statement *s, const joints *found,
                             const hk_action *action, hk_action_list *list) {
    batch b = {.s = s,
               .action = *action,
               .consumers = found->consumers,
               .list = list,
               .first = list->count};
    numbers *values = &b.values;
    uint32_t *connections = HK_NEW_ARRAY(r->arena, uint32_t, found->count);
    hk_status status = HK_OK;
    if (action->fault.has_value && action->fault.kind != HK_FAULT_DELAY)
        status = hk_simread_flatten(r, &s->value, &values->all, &values->count);
    if (status == HK_OK && values->count > 1 && values->count != found->values)
        status = hk_simread_error(r, HK_E_VALUE, &s->value.at, NULL,
                                  "'%s' has %zu value%s, the list has %zu", found->name,
                                  found->values, found->values == 1 ? "" : "s", values->count);
    for (size_t i = 0; i < found->count && status == HK_OK; i++) {
        connections[i] = found->all[i].connection;
        status = push_joint(r, &b, &found->all[i], &connections[i]);
    }
    hk_free(values->all);
    return status;
}

hk_status hk_simread_fault(hk_simread *r, const hk_statement *s, hk_action_list *list) {
    hk_action action = {.kind = HK_ACTION_FAULT, .where = hk_simread_where(r, &s->at)};
    joints found = {0};
    hk_status kind = read_kind(r, s, &action.fault), status = find_joints(r, s, &found);
    if (status == HK_OK)
        status = kind;
    if (status == HK_OK && action.fault.kind == HK_FAULT_DELAY)
        status = read_delay(r, s, &action.fault);
    if (status == HK_OK) {
        bool given = action.fault.has_value;
        action.words =
            hk_arena_printf(r->arena, "fault %s %s%s%s", found.name, s->word.text, given ? " " : "",
                            given ? hk_simread_show_literal(r, &s->value) : "");
        status = push_joints(r, s, &found, &action, list);
    }
    hk_free(found.all);
    return status;
}

hk_status hk_simread_repair(hk_simread *r, const hk_statement *s, hk_action_list *list) {
    hk_action action = {.kind = HK_ACTION_REPAIR, .where = hk_simread_where(r, &s->at)};
    joints found = {0};
    hk_status status = find_joints(r, s, &found);
    if (status == HK_OK) {
        action.words = hk_arena_printf(r->arena, "repair %s", found.name);
        status = push_joints(r, s, &found, &action, list);
    }
    hk_free(found.all);
    return status;
}

/* ---- values that a person has taken over */

/* Numbers only: what is held by a connection has no text. */
static hk_status check_numbers(hk_simread *r, const hk_statement *s, const hk_target *target) {
    for (size_t i = 0; i < target->signal_count; i++) {
        hk_type type = hk_simread_variable(r, &target->signals[i])->type;
        if (hk_store_of(type) == HK_STORE_BYTES)
            return hk_simread_error(r, HK_E_SCENARIO, &s->path.at,
                                    "only 'fault ... disconnect' works on text and binary values",
                                    "'%s' is connected and of type %s, which cannot be overridden",
                                    target->name, hk_type_name(type));
    }
    return HK_OK;
}

/* Some parts of a record may be connected and others not: what one statement does is one thing. */
static hk_status check_whole(hk_simread *r, const hk_statement *s, const hk_target *target) {
    for (size_t i = 0; i < target->signal_count; i++) {
        hk_target one = {.kind = target->kind, .signals = target->signals + i, .signal_count = 1};
        joint j = {0};
        size_t unused;
        bool any = false;
        for (uint32_t k = 0; k < r->model->connection_count && !any; k++)
            any = takes(r, &one, k, false, &j, &unused);
        if (!any)
            return hk_simread_error(r, HK_E_SCENARIO, &s->path.at, "override its parts one by one",
                                    "'%s' is connected in part: nothing drives '%s'", target->name,
                                    hk_simread_signal_name(r, &target->signals[i]));
    }
    return HK_OK;
}

hk_status hk_simread_override(hk_simread *r, const hk_statement *s, hk_action_list *list,
                              bool *ret_taken) {
    bool release = s->kind == HK_SAY_RELEASE;
    hk_action action = {.kind = release ? HK_ACTION_RELEASE : HK_ACTION_FAULT,
                        .where = hk_simread_where(r, &s->at),
                        .fault = {.kind = HK_FAULT_OVERRIDE, .has_value = !release}};
    hk_target target;
    joints found = {0};
    *ret_taken = true;
    HK_TRY(hk_simread_find(r, &s->path, HK_TARGET_VARIABLES, &target));
    if (!release && s->value.kind == HK_LITERAL_NONE)
        return hk_simread_missing(r, &s->at);
    found.name = target.name;
    found.consumers = hk_simread_variable(r, &target.signals[0])->causality != HK_OUTPUT;
    collect_joints(r, &target, NULL, &found);
    hk_status status = HK_OK;
    if (!found.count && found.consumers) {
        *ret_taken = false; /* nothing drives it */
    } else if (!found.count) {
        status = hk_simread_error(r, HK_E_SCENARIO, &s->path.at,
                                  "an override changes what others get, and nobody gets it",
                                  "nothing is connected to '%s'", target.name);
    } else {
        status = check_numbers(r, s, &target);
        if (status == HK_OK && found.consumers && !target.ports)
            status = check_whole(r, s, &target);
        action.words = release ? hk_arena_printf(r->arena, "release %s", target.name)
                               : hk_arena_printf(r->arena, "override %s = %s", target.name,
                                                 hk_simread_show_literal(r, &s->value));
        if (status == HK_OK)
            status = push_joints(r, s, &found, &action, list);
    }
    hk_free(found.all);
    return status;
}
