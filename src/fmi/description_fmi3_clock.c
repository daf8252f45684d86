/* SPDX-License-Identifier: MIT
 *
 * Clocks of FMI 3.0: read and reported. */
#include "base/number.h"
#include "base/seconds.h"
#include "fmi/description_fmi3.h"

#include <string.h>

/* A time as a decimal, or as so many parts of a second; true: one of them is there. NAME is that of
 * the clock. */
static bool read_time(const hk_fmi3_parse *p, const hk_xml *e, const hk_declared_type *type,
                      const char *name, bool interval, hk_ratio *ret_time) {
    const char *decimal = interval ? "intervalDecimal" : "shiftDecimal";
    const char *counter = interval ? "intervalCounter" : "shiftCounter";
    const hk_xml *d = hk_declared_holder(e, type, decimal),
                 *c = hk_declared_holder(e, type, counter);
    const char *text = hk_xml_attr_get(d, decimal);
    uint64_t count = 0, resolution = 0;
    double rounded;
    hk_ratio time = {0, 1};
    bool given = text || hk_xml_attr_get(c, counter);
    hk_read_attr_u64(&p->r, c, counter, &count);
    hk_read_attr_u64(&p->r, hk_declared_holder(e, type, "resolution"), "resolution", &resolution);
    bool usable = true;
    if (text)
        usable =
            hk_seconds_read(p->r.ctx, hk_xml_where(p->r.file, d), text, &time) ||
            (hk_read_f64(text, strlen(text), &rounded) && hk_seconds_from_double(rounded, &time));
    else if (count || interval)
        usable = !given || (resolution && resolution <= INT64_MAX && count <= INT64_MAX &&
                            hk_ratio_make((int64_t)count, (int64_t)resolution, &time));
    usable = usable && !(given && (time.num < 0 || (interval && time.num == 0)));
    if (!usable)
        hk_fault_add(&p->r, HK_FAULT_CLOCK, e, name);
    *ret_time = usable ? time : (hk_ratio){0, 1};
    return given && usable;
}

static void read_clock(hk_fmi3_parse *p, const hk_xml *e, uint32_t index, hk_fmu_clock *ret_clock) {
    static const char *const words[] = {"constant", "fixed",     "tunable",
                                        "changing", "countdown", "triggered"};
    const hk_variable *v = &p->info->variables[index];
    const hk_declared_type *type = hk_find_declared(&p->types, e, HK_TYPE_CLOCK);
    hk_fmu_clock clock = {.variable = index};
    int interval = 0;
    const hk_xml *holder = hk_declared_holder(e, type, "intervalVariability");
    (void)hk_read_attr_text(&p->r, holder, "intervalVariability");
    hk_read_attr_word(&p->r, holder, "intervalVariability", words, 6, &interval);
    clock.interval = words[interval];
    clock.has_interval = read_time(p, e, type, v->name, true, &clock.period);
    (void)read_time(p, e, type, v->name, false, &clock.shift);
    hk_read_attr_bool(&p->r, hk_declared_holder(e, type, "canBeDeactivated"), "canBeDeactivated",
                      &clock.can_be_deactivated);
    hk_read_attr_bool(&p->r, hk_declared_holder(e, type, "supportsFraction"), "supportsFraction",
                      &clock.supports_fraction);
    holder = hk_declared_holder(e, type, "priority");
    clock.has_priority = hk_xml_attr_get(holder, "priority") != NULL;
    hk_read_attr_u32(&p->r, holder, "priority", &clock.priority);
    if (interval == 0 && !clock.has_interval)
        hk_fault_add(&p->r, HK_FAULT_NO_INTERVAL, e, v->name);
    *ret_clock = clock;
}

void hk_fmi3_read_clocks(hk_fmi3_parse *p) {
    const hk_info *info = p->info;
    size_t count = 0, next = 0;
    for (uint32_t i = 0; i < info->variable_count; i++)
        count += info->variables[i].type == HK_TYPE_CLOCK && info->variables[i].alias_of == i;
    hk_fmu_clock *clocks = HK_NEW_ARRAY(p->r.arena, hk_fmu_clock, count + 1);
    for (uint32_t i = 0; i < info->variable_count; i++)
        if (info->variables[i].type == HK_TYPE_CLOCK && info->variables[i].alias_of == i)
            read_clock(p, p->elements[i], i, &clocks[next++]);
    p->fmu->facts.clocks = clocks;
    p->fmu->facts.clock_count = count;
}
