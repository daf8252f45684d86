/* SPDX-License-Identifier: MIT
 *
 * What a leaf says about itself: when it runs, its parameters, how it looks at its inputs. */
#include "lang/system/system_internal.h"

#include "base/number.h"
#include "base/seconds.h"

#include <string.h>

enum { PRIORITY_MAX = 1000000 };
#define TIME_HINT "write seconds (0.005) or a unit behind them: 5 ms"

bool hk_system_lag(hk_system *s, const hk_name *word, hk_lag *ret_lag) {
    if (hk_lag_find(word->text, ret_lag))
        return true;
    if (*word->text)
        hk_complain(&s->complaints, HK_E_NAME, hk_system_where(s, &word->at),
                    "write 'previous', 'observe' or 'current'", "'%s' is not a lag", word->text);
    return false;
}

bool hk_system_any_time(hk_system *s, const hk_number *number, const char *what, unsigned rules,
                        hk_ratio *ret_time) {
    if (!*number->text)
        return false;
    hk_where where = hk_system_where(s, &number->at);
    const char *text = hk_arena_printf(s->arena, "%s%s%s", number->text, number->unit ? " " : "",
                                       number->unit ? number->unit : "");
    hk_status code;
    const char *wrong =
        hk_time_judge(s->complaints.ctx, where, text, HK_TIME_UNITS | rules, ret_time, &code);
    if (wrong && code == HK_E_VALUE)
        hk_complain(&s->complaints, code, where, TIME_HINT, "'%s' %s", text, wrong);
    else if (wrong)
        hk_complain(&s->complaints, code, where, NULL, "the %s '%s' %s", what, text, wrong);
    return !wrong;
}

bool hk_system_time(hk_system *s, const hk_number *number, const char *what, bool positive,
                    hk_ratio *ret_time) {
    return hk_system_any_time(s, number, what, positive ? HK_TIME_ABOVE_0 : HK_TIME_FROM_0,
                              ret_time);
}

/* The period of a frequency, exactly. */
bool hk_system_frequency(hk_system *s, const hk_number *number, hk_ratio *ret_period) {
    static const struct {
        const char *unit;
        int64_t factor;
    } units[] = {{"Hz", 1}, {"kHz", 1000}, {"MHz", 1000000}};
    if (!*number->text)
        return false;
    hk_where where = hk_system_where(s, &number->at);
    int64_t factor = number->unit ? 0 : 1;
    for (size_t i = 0; number->unit && i < sizeof units / sizeof *units; i++)
        if (strcmp(number->unit, units[i].unit) == 0)
            factor = units[i].factor;
    hk_ratio f;
    bool meant;
    if (!factor || !hk_seconds_parse(number->text, &f, &meant)) {
        hk_complain(&s->complaints, HK_E_VALUE, where, "write it like 100 Hz",
                    "'%s%s%s' is not a frequency", number->text, number->unit ? " " : "",
                    number->unit ? number->unit : "");
        return false;
    }
    if (f.num <= 0) {
        hk_complain(&s->complaints, HK_E_TIME, where, "a leaf that never runs is 'inactive;'",
                    "the frequency '%s' must be above 0", number->text);
        return false;
    }
    if (meant)
        hk_seconds_tell(s->complaints.ctx, where, number->text, f, "");
    int64_t common = hk_gcd(f.den, factor);
    if (f.num > INT64_MAX / (factor / common) ||
        !hk_ratio_make(f.den / common, f.num * (factor / common), ret_period)) {
        hk_complain(&s->complaints, HK_E_TIME, where, NULL, "the frequency '%s' is too high",
                    number->text);
        return false;
    }
    return true;
}

void hk_system_priority(hk_system *s, const hk_number *number, int *ret_priority) {
    int64_t value;
    bool good = !number->unit && hk_read_i64(number->text, strlen(number->text), &value) &&
                value >= -PRIORITY_MAX && value <= PRIORITY_MAX;
    if (good)
        *ret_priority = (int)value;
    else if (*number->text)
        hk_complain(&s->complaints, HK_E_VALUE, hk_system_where(s, &number->at), NULL,
                    "priority '%s' is not a small integer", number->text);
}

static void read_overrun(hk_system *s, const hk_name *word, hk_component *c) {
    static const char *const words[] = {"late", "skip", "stop"};
    static const hk_overrun values[] = {HK_OVERRUN_LATE, HK_OVERRUN_SKIP, HK_OVERRUN_STOP};
    for (size_t i = 0; i < 3; i++)
        if (strcmp(word->text, words[i]) == 0) {
            c->has_overrun = true;
            c->overrun = values[i];
            return;
        }
    if (*word->text)
        hk_complain(&s->complaints, HK_E_NAME, hk_system_where(s, &word->at),
                    "write 'late', 'skip' or 'stop'", "'%s' is not a policy", word->text);
}

/* ---- parameters -------------------------------------------------------------------------------
 */

bool hk_system_convert(hk_arena *arena, const hk_variable *v, const char *unit,
                       const hk_value *value, hk_value *ret_value) {
    hk_uom from;
    double factor = 1, offset = 0;
    if (unit && v->uom && hk_uom_parse(unit, &from))
        (void)hk_uom_conversion(&from, v->uom, v->relative, &factor, &offset);
    hk_store have = hk_store_of(value->type), want = hk_store_of(v->type);
    if (have == want && factor == 1 && offset == 0) {
        *ret_value = *value;
        ret_value->type = v->type;
        return true;
    }
    hk_value to = {v->type, value->count, NULL};
    to.data = hk_arena_alloc(arena, (value->count + 1) * hk_store_size(want));
    for (size_t i = 0; i < value->count; i++) {
        const char *at = (const char *)value->data + i * hk_store_size(have);
        char *into = (char *)to.data + i * hk_store_size(want);
        double number;
        if (factor == 1 && offset == 0) {
            if (!hk_value_convert(want, into, have, at, 1))
                return false;
            continue;
        }
        if (!hk_value_convert(HK_STORE_F64, &number, have, at, 1))
            return false;
        number = factor * number + offset;
        if (!hk_value_convert(want, into, HK_STORE_F64, &number, 1))
            return false;
    }
    *ret_value = to;
    return true;
}

hk_status hk_system_set_part(hk_system *s, uint32_t component, const hk_leafmember *member,
                             size_t part, const hk_value *value, hk_origin origin) {
    const hk_component *c = &s->model->components[component];
    uint32_t variable = member->variables[part];
    const hk_variable *v = &c->info->variables[variable];
    const hk_part *p = &member->type->parts[part];
    const char *unit = p->unit ? p->unit : member->unit;
    hk_value converted;
    if (!hk_system_convert(s->model->arena, v, unit, value, &converted))
        return hk_error(s->complaints.ctx, HK_E_VALUE, origin.where, NULL,
                        "the value does not fit '%s.%s', which is %s", c->name, v->name,
                        hk_type_name(v->type));
    return hk_model_set_value(s->complaints.ctx, s->model, component, variable, &converted, origin);
}

static hk_leafmember *find_input_or_parameter(hk_system *s, hk_leafnode *leaf, const hk_name *name,
                                              bool parameter, const char **ret_rest) {
    hk_leafmember *member = hk_system_find_member(s, leaf->kind, name->text, ret_rest);
    const char *what = parameter ? "parameter" : "input";
    if (member &&
        (member->role == HK_ROLE_INPUT || (parameter && member->role == HK_ROLE_PARAMETER) ||
         (parameter && leaf->kind->world && member->role == HK_ROLE_OUTPUT)))
        return member;
    if (leaf->kind->broken && !member)
        return NULL;
    if (member)
        hk_complain(&s->complaints, HK_E_PARAMETER, hk_system_where(s, &name->at), NULL,
                    "'%s' of '%s' is not %s %s", name->text, leaf->kind->name,
                    parameter ? "a" : "an", what);
    else
        hk_complain(&s->complaints, HK_E_NAME, hk_system_where(s, &name->at),
                    hk_system_closest_member(s, leaf->kind, name->text), "'%s' has no %s '%s'",
                    leaf->kind->name, what, name->text);
    return NULL;
}

static void read_param(hk_system *s, hk_leafnode *leaf, const hk_leafitem *item, hk_map *seen) {
    const char *rest;
    const hk_lang_type *type;
    size_t first, count;
    if (!*item->name.text || item->value.kind == HK_LITERAL_NONE || s->complaints.mute)
        return;
    hk_where where = hk_system_where(s, &item->name.at);
    uint32_t line = (uint32_t)item->name.at.line;
    uint32_t before = hk_map_get(seen, item->name.text);
    if (before != HK_MAP_NONE) {
        hk_complain(&s->complaints, HK_E_DUPLICATE, where, "remove one of them",
                    "'%s' is set twice; the other one is in line %d", item->name.text, (int)before);
        return;
    }
    hk_map_put(seen, item->name.text, line);
    hk_leafmember *member = find_input_or_parameter(s, leaf, &item->name, true, &rest);
    if (!member)
        return;
    if (!hk_system_select(member->type, rest, &type, &first, &count, NULL)) {
        hk_complain(&s->complaints, HK_E_NAME, where, NULL, "'%s' has no field '%s'",
                    member->type->name, rest);
        return;
    }
    hk_value *parts = HK_NEW_ARRAY(s->arena, hk_value, count + 1);
    const char *unit = member->unit;
    if (count && member->type->parts[first].unit && !type->parts[0].unit)
        unit = member->type->parts[first].unit;
    hk_status status = hk_literal_value(s->complaints.ctx, s->model->arena, s->file, &item->value,
                                        (hk_typed){type, unit}, parts);
    for (size_t i = 0; i < count && status == HK_OK; i++)
        status = hk_system_set_part(s, leaf->component, member, first + i, &parts[i],
                                    (hk_origin){HK_FROM_SYSTEM, where});
    if (status != HK_OK)
        hk_system_failed(s, status);
}

static void read_use(hk_system *s, hk_leafnode *leaf, const hk_leafitem *item) {
    const char *rest;
    const hk_lang_type *type;
    size_t first, count;
    hk_lag lag;
    if (!*item->name.text || !hk_system_lag(s, &item->word, &lag))
        return;
    hk_leafmember *member = find_input_or_parameter(s, leaf, &item->name, false, &rest);
    if (!member)
        return;
    if (!hk_system_select(member->type, rest, &type, &first, &count, NULL)) {
        hk_complain(&s->complaints, HK_E_NAME, hk_system_where(s, &item->name.at), NULL,
                    "'%s' has no field '%s'", member->type->name, rest);
        return;
    }
    for (size_t i = first; i < first + count; i++)
        s->slots[leaf->first_slot + member->variables[i]].lag = lag;
}

/* ---- the whole leaf ---------------------------------------------------------------------------
 */

static void read_item(hk_system *s, hk_leafnode *leaf, const hk_leafitem *item, hk_map *seen) {
    hk_component *c = &s->model->components[leaf->component];
    switch (item->kind) {
    case HK_LEAF_FREQUENCY:
        c->has_period = hk_system_frequency(s, &item->number, &c->period);
        break;
    case HK_LEAF_PERIOD:
        c->has_period = hk_system_time(s, &item->number, "period", true, &c->period);
        break;
    case HK_LEAF_OFFSET:
        (void)hk_system_time(s, &item->number, "offset", false, &c->offset);
        break;
    case HK_LEAF_PRIORITY:
        hk_system_priority(s, &item->number, &c->priority);
        break;
    case HK_LEAF_PARAM:
        read_param(s, leaf, item, seen);
        break;
    case HK_LEAF_USE:
        read_use(s, leaf, item);
        break;
    case HK_LEAF_DELAY:
        (void)hk_system_time(s, &item->number, "delay", false, &leaf->delay);
        break;
    case HK_LEAF_INACTIVE:
        c->inactive = true;
        break;
    case HK_LEAF_COST:
        c->has_cost = hk_system_time(s, &item->number, "cost", true, &c->cost);
        break;
    case HK_LEAF_DEADLINE:
        c->has_deadline = hk_system_time(s, &item->number, "deadline", true, &c->deadline);
        break;
    default:
        read_overrun(s, &item->word, c);
        break;
    }
}

/* What may be said once only. Frequency and period are the same thing. */
static bool is_first(hk_system *s, const hk_leafitem *item, int *lines) {
    static const char *const words[] = {
        [HK_LEAF_FREQUENCY] = "frequency", [HK_LEAF_PERIOD] = "period",
        [HK_LEAF_OFFSET] = "offset",       [HK_LEAF_PRIORITY] = "priority",
        [HK_LEAF_DELAY] = "delay",         [HK_LEAF_INACTIVE] = "inactive",
        [HK_LEAF_COST] = "cost",           [HK_LEAF_DEADLINE] = "deadline",
        [HK_LEAF_OVERRUN] = "overrun"};
    if (item->kind == HK_LEAF_PARAM || item->kind == HK_LEAF_USE)
        return true;
    int *line = &lines[item->kind == HK_LEAF_PERIOD ? HK_LEAF_FREQUENCY : item->kind];
    if (!*line) {
        *line = item->at.line;
        return true;
    }
    hk_complain(&s->complaints, HK_E_DUPLICATE, hk_system_where(s, &item->at), "remove one of them",
                "the %s of the leaf is given twice; the other one is in line %d", words[item->kind],
                *line);
    return false;
}

/* Lags that the type of the leaf gives its inputs, and start values of its own. */
static void apply_type(hk_system *s, const hk_leafnode *leaf) {
    const hk_leafkind *kind = leaf->kind;
    for (size_t m = 0; m < kind->member_count; m++) {
        const hk_leafmember *member = &kind->members[m];
        if (!member->var || !member->var->mode)
            continue;
        hk_lag lag = HK_LAG_DEFAULT;
        (void)hk_system_lag(s, &(hk_name){.text = member->var->mode}, &lag);
        for (size_t p = 0; p < member->type->part_count; p++)
            s->slots[leaf->first_slot + member->variables[p]].lag = lag;
    }
    for (size_t i = 0; i < kind->default_count; i++) {
        const hk_leafdefault *d = &kind->defaults[i];
        const hk_leafmember *member = &kind->members[d->member];
        hk_status status = hk_system_set_part(s, leaf->component, member, d->part, &d->value,
                                              (hk_origin){HK_FROM_DESCRIPTION, member->var->where});
        if (status != HK_OK)
            hk_system_failed(s, status);
    }
}

static void check_times(hk_system *s, const hk_component *c) {
    if (c->offset.num && c->has_period && hk_ratio_compare(c->offset, c->period) >= 0)
        hk_complain(&s->complaints, HK_E_TIME, c->where, NULL,
                    "the offset of '%s' is not below its period", c->name);
}

void hk_system_add_leaf(hk_system *s, const char *path, uint32_t index) {
    hk_leafnode *leaf = &s->leaves[index];
    int lines[HK_LEAF_OVERRUN + 1] = {0};
    hk_map seen = {0};
    hk_status status =
        hk_model_add_component(s->complaints.ctx, s->model, path, leaf->kind->info,
                               hk_system_where(s, &leaf->syntax->name.at), &leaf->component);
    if (status != HK_OK) {
        hk_system_failed(s, status);
        leaf->kind = NULL;
        return;
    }
    apply_type(s, leaf);
    for (size_t i = 0; i < leaf->syntax->item_count; i++)
        if (is_first(s, &leaf->syntax->items[i], lines))
            read_item(s, leaf, &leaf->syntax->items[i], &seen);
    hk_map_finish(&seen);
    check_times(s, &s->model->components[leaf->component]);
}
