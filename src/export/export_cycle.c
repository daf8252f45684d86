/* SPDX-License-Identifier: MIT
 *
 * Components that work in cycles: in FMI 3.0 their events are clocks, triggered ones for what comes
 * and goes, a periodic one for the cycle. */
#include "export/export_internal.h"

#include "base/number.h"

bool hk_export_has_clocks(const hk_export *e) {
    return e->options->cycle && e->options->cycle->events;
}

hk_export_role hk_export_role_of(const hk_export *e, size_t variable) {
    if (!hk_export_has_clocks(e) || variable >= hk_native_type_of(e->info)->port_count)
        return HK_EXPORT_PLAIN;
    return e->options->cycle->events[variable].role;
}

const char *hk_export_cycle_name(const hk_export *e) {
    const char *name = "cycle";
    for (unsigned n = 2; hk_info_find(e->info, name) != HK_MAP_NONE; n++)
        name = hk_arena_printf(e->arena, "cycle_%u", n);
    return name;
}

void hk_export_put_clock(const hk_export *e, FILE *out, const hk_variable *v, size_t ref) {
    (void)e;
    fputs("    <Clock", out);
    hk_export_put_attr(out, "name", v->name);
    fprintf(out, " valueReference=\"%zu\" causality=\"%s\" variability=\"discrete\"", ref,
            hk_causality_name(v->causality));
    hk_export_put_attr(out, "description", v->description);
    fputs(" intervalVariability=\"triggered\"/>\n", out);
}

void hk_export_put_cycle(const hk_export *e, FILE *out, size_t ref) {
    char length[HK_NUMBER_MAX + 1];
    if (!hk_export_has_clocks(e))
        return;
    length[hk_write_f64(e->options->cycle->length, length)] = 0;
    fputs("    <Clock", out);
    hk_export_put_attr(out, "name", hk_export_cycle_name(e));
    fprintf(out,
            " valueReference=\"%zu\" causality=\"input\" variability=\"discrete\" "
            "description=\"One cycle at each tick\" intervalVariability=\"constant\" "
            "intervalDecimal=\"%s\"/>\n",
            ref, length);
}

void hk_export_put_clocks(const hk_export *e, FILE *out, size_t ref) {
    if (hk_export_role_of(e, ref) == HK_EXPORT_CLOCKED)
        fprintf(out, " clocks=\"%zu\"", e->options->cycle->events[ref].clock);
}

void hk_export_write_events(const hk_export *e, FILE *out) {
    static const char *const roles[] = {"HK_SHELL_PLAIN", "HK_SHELL_CLOCK_IN", "HK_SHELL_CLOCK_OUT",
                                        "HK_SHELL_CLOCKED", "HK_SHELL_HIDDEN"};
    if (!hk_export_has_clocks(e))
        return;
    fputs("static const hk_shell_event events[] = {\n", out);
    for (size_t i = 0; i < hk_native_type_of(e->info)->port_count; i++) {
        const hk_export_event *event = &e->options->cycle->events[i];
        fprintf(out, "    {%s, %zu},\n", roles[event->role], event->clock);
    }
    fputs("    {HK_SHELL_PLAIN, 0}};\n", out);
}
