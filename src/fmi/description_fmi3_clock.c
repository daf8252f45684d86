/* SPDX-License-Identifier: MIT
 *
 * Clocks of FMI 3.0: read and reported. */
#include "base/number.h"
#include "base/seconds.h"
#include "fmi/description_fmi3.h"

#include <string.h>

static hk_status read_u64(const hk_fmi3_parse *p, const hk_xml *e, const hk_variable *v,
                          const char *name, uint64_t *ret_value) {
    const char *text = hk_xml_attr_get(e, name);
    if (text && !hk_read_u64(text, strlen(text), ret_value))
        return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_fmi3_where(p, e, v), NULL,
                        "the attribute %s of the clock '%s' is '%.40s', expected a whole number "
                        "from 0",
                        name, v->name, text);
    return HK_OK;
}

/* A time as a decimal, or as so many parts of a second. *ret_given: one of them is there. */
static hk_status read_time(const hk_fmi3_parse *p, const hk_xml *e, const hk_fmi3_type *type,
                           const hk_variable *v, bool interval, hk_ratio *ret_time,
                           bool *ret_given) {
    const char *decimal = interval ? "intervalDecimal" : "shiftDecimal";
    const char *counter = interval ? "intervalCounter" : "shiftCounter";
    const hk_xml *d = hk_fmi3_holder(e, type, decimal), *c = hk_fmi3_holder(e, type, counter);
    const char *text = hk_xml_attr_get(d, decimal);
    uint64_t count = 0, resolution = 0;
    double rounded;
    hk_ratio time = {0, 1};
    bool given = text || hk_xml_attr_get(c, counter);
    HK_TRY(read_u64(p, c, v, counter, &count));
    HK_TRY(read_u64(p, hk_fmi3_holder(e, type, "resolution"), v, "resolution", &resolution));
    bool usable = true;
    if (text)
        usable =
            hk_seconds_read(p->r.ctx, hk_fmi3_where(p, d, v), text, &time) ||
            (hk_read_f64(text, strlen(text), &rounded) && hk_seconds_from_double(rounded, &time));
    else if (count || interval)
        usable = !given || (resolution && resolution <= INT64_MAX && count <= INT64_MAX &&
                            hk_ratio_make((int64_t)count, (int64_t)resolution, &time));
    if (!usable || (given && (time.num < 0 || (interval && time.num == 0))))
        return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_fmi3_where(p, e, v), NULL,
                        "the clock '%s' has a%s that is no time", v->name,
                        interval ? "n interval" : " shift");
    *ret_time = time;
    *ret_given = given;
    return HK_OK;
}

static hk_status read_clock(hk_fmi3_parse *p, const hk_xml *e, uint32_t index,
                            hk_fmu_clock *ret_clock) {
    static const char *const words[] = {"constant", "fixed",     "tunable",
                                        "changing", "countdown", "triggered"};
    const hk_variable *v = &p->info->variables[index];
    const hk_fmi3_type *type = hk_fmi3_find_type(p, e, HK_TYPE_CLOCK);
    hk_fmu_clock clock = {.variable = index};
    const char *text;
    int interval = 0;
    bool has_shift;
    const hk_xml *holder = hk_fmi3_holder(e, type, "intervalVariability");
    HK_TRY(hk_read_attr_text(&p->r, holder, "intervalVariability", &text));
    HK_TRY(hk_read_attr_word(&p->r, holder, "intervalVariability", words, 6, &interval));
    clock.interval = words[interval];
    HK_TRY(read_time(p, e, type, v, true, &clock.period, &clock.has_interval));
    HK_TRY(read_time(p, e, type, v, false, &clock.shift, &has_shift));
    HK_TRY(hk_read_attr_bool(&p->r, hk_fmi3_holder(e, type, "canBeDeactivated"), "canBeDeactivated",
                             &clock.can_be_deactivated));
    HK_TRY(hk_read_attr_bool(&p->r, hk_fmi3_holder(e, type, "supportsFraction"), "supportsFraction",
                             &clock.supports_fraction));
    holder = hk_fmi3_holder(e, type, "priority");
    clock.has_priority = hk_xml_attr_get(holder, "priority") != NULL;
    HK_TRY(hk_read_attr_u32(&p->r, holder, "priority", &clock.priority));
    if (interval == 0 && !clock.has_interval)
        hk_tally_add(&p->no_interval, e, v->name);
    *ret_clock = clock;
    return HK_OK;
}

hk_status hk_fmi3_read_clocks(hk_fmi3_parse *p) {
    const hk_info *info = p->info;
    size_t count = 0, next = 0;
    for (uint32_t i = 0; i < info->variable_count; i++)
        count += info->variables[i].type == HK_TYPE_CLOCK && info->variables[i].alias_of == i;
    hk_fmu_clock *clocks = HK_NEW_ARRAY(p->r.arena, hk_fmu_clock, count + 1);
    for (uint32_t i = 0; i < info->variable_count; i++)
        if (info->variables[i].type == HK_TYPE_CLOCK && info->variables[i].alias_of == i)
            HK_TRY(read_clock(p, p->elements[i], i, &clocks[next++]));
    p->fmu->facts.clocks = clocks;
    p->fmu->facts.clock_count = count;
    return HK_OK;
}
