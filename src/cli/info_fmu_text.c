/* SPDX-License-Identifier: MIT
 *
 * `hocket info x.fmu`: what an FMU is and can do. */
#include "cli/info_view.h"

#include "base/file.h"

#include <string.h>

static const char *abilities_text(const hk_fmu_view *view) {
    hk_ability all[HK_ABILITIES];
    hk_arena *arena = view->arena;
    const char *text = NULL;
    hk_fmu_view_abilities(view, all);
    for (size_t i = 0; i < HK_ABILITIES; i++)
        if (all[i].is)
            text = text ? hk_arena_printf(arena, "%s, %s", text, all[i].text) : all[i].text;
    if (view->info->can.output_derivative_order)
        text = hk_arena_printf(arena, "%s%soutput derivatives up to order %u", text ? text : "",
                               text ? ", " : "", view->info->can.output_derivative_order);
    return text ? text : "nothing optional";
}

/* The names with commas between them; an archive may hold a hundred thousand. */
static const char *join(hk_arena *arena, const char *const *names, size_t count) {
    enum { SHOWN_MAX = 32 };
    const char *text = "";
    for (size_t i = 0; i < count && i < SHOWN_MAX; i++)
        text = hk_arena_printf(arena, "%s%s%s", text, i ? ", " : "", names[i]);
    return count > SHOWN_MAX ? hk_arena_printf(arena, "%s, ...", text) : text;
}

static const char *platforms_text(const hk_fmu_view *view) {
    const hk_fmu_facts *facts = view->facts;
    const char *text = join(view->arena, facts->platforms, facts->platform_count);
    if (facts->has_sources)
        text = hk_arena_printf(view->arena, "%s%ssources", text, *text ? ", " : "");
    return text;
}

static const char *interfaces_text(const hk_fmu_view *view) {
    const char *names[3];
    size_t count = 0;
    if (view->facts->co_simulation)
        names[count++] = "co-simulation";
    if (view->facts->model_exchange)
        names[count++] = "model exchange";
    if (view->facts->scheduled_execution)
        names[count++] = "scheduled execution";
    return join(view->arena, names, count);
}

static const char *contents_text(const hk_fmu_view *view) {
    const hk_fmu_facts *facts = view->facts;
    const char *text = hk_arena_printf(
        view->arena, "%zu unit%s, %zu type%s, %zu log categor%s", facts->unit_count,
        facts->unit_count == 1 ? "" : "s", facts->type_count, facts->type_count == 1 ? "" : "s",
        facts->log_category_count, facts->log_category_count == 1 ? "y" : "ies");
    return hk_arena_printf(view->arena, "%s%s%s", text, facts->has_resources ? ", resources" : "",
                           view->documentation ? ", documentation" : "");
}

static void print_clocks(hk_cli *cli, const hk_fmu_view *view) {
    const hk_fmu_facts *facts = view->facts;
    if (!facts->clock_count)
        return;
    hk_info_heading(cli, hk_arena_printf(view->arena, "%zu clock%s", facts->clock_count,
                                         facts->clock_count == 1 ? "" : "s"));
    for (size_t i = 0; i < facts->clock_count; i++) {
        const hk_fmu_clock *c = &facts->clocks[i];
        const hk_variable *v = &view->info->variables[c->variable];
        int room = 20 - (int)strnlen(v->name, 20);
        hk_put_clean(stdout, v->name);
        printf("%*s %-9s %s", room, "", hk_causality_name(v->causality), c->interval);
        if (c->has_interval)
            printf("  every %s s", hk_info_ratio(cli, c->period));
        if (c->has_interval && c->shift.num)
            printf("  from %s s on", hk_info_ratio(cli, c->shift));
        if (c->has_priority)
            printf("  priority %u", c->priority);
        putchar('\n');
    }
}

static void print_defaults(hk_cli *cli, const hk_defaults *d) {
    if (d->has_start)
        hk_info_fact("start time", hk_info_ratio(cli, d->start));
    if (d->has_stop)
        hk_info_fact("stop time", hk_info_ratio(cli, d->stop));
    if (d->has_step)
        hk_info_fact("step size", hk_info_ratio(cli, d->step));
    if (d->has_tolerance)
        hk_info_fact("tolerance", hk_show_f64(cli->arena, d->tolerance));
}

/* "12 entries, modelDescription.xml first": all that is known of an FMU without a description. */
static const char *archive_text(const hk_fmu_view *view) {
    const hk_fmu_facts *facts = view->facts;
    if (!facts->first_entry)
        return "empty";
    return hk_arena_printf(view->arena, "%zu entr%s, '%s' first", facts->entry_count,
                           facts->entry_count == 1 ? "y" : "ies", facts->first_entry);
}

static void print_heading(const hk_cli *cli, const hk_fmu_view *view) {
    fputs(hk_style_on(cli->color_out, HK_BOLD), stdout);
    hk_put_clean(stdout, view->info->name ? view->info->name : hk_path_name(view->path));
    puts(hk_style_off(cli->color_out));
}

/* An archive whose description is missing or says nothing. */
static void print_undescribed(const hk_cli *cli, const hk_fmu_view *view) {
    print_heading(cli, view);
    hk_info_fact("archive", archive_text(view));
    hk_info_fact("platforms", platforms_text(view));
    hk_info_fact("runs here", "no: the description cannot be read");
    hk_info_fact("terminals", join(view->arena, view->terminals, view->terminal_count));
}

static void print_fmu(hk_cli *cli, const hk_args *args, const hk_fmu_view *view) {
    const hk_info *info = view->info;
    const hk_fmu_facts *facts = view->facts;
    print_heading(cli, view);
    hk_info_fact("description", info->description);
    hk_info_fact("FMI version", facts->fmi_version);
    hk_info_fact("interfaces", interfaces_text(view));
    hk_info_fact("identifier", facts->model_identifier);
    hk_info_fact("model version", facts->model_version);
    hk_info_fact("author", facts->author);
    hk_info_fact("copyright", facts->copyright);
    hk_info_fact("license", facts->license);
    hk_info_fact("made by", facts->generation_tool);
    hk_info_fact("made on", facts->generation_date);
    hk_info_fact("names", facts->naming_convention);
    hk_info_fact("platforms", platforms_text(view));
    hk_info_fact("runs here",
                 view->why_not ? hk_arena_printf(cli->arena, "no: %s", view->why_not) : "yes");
    hk_info_fact("guid", facts->guid);
    hk_info_fact("abilities", abilities_text(view));
    if (facts->fixed_internal_step > 0)
        hk_info_fact("internal step", hk_show_f64(cli->arena, facts->fixed_internal_step));
    hk_info_fact("contents", contents_text(view));
    hk_info_fact("terminals", join(cli->arena, view->terminals, view->terminal_count));
    print_defaults(cli, &info->defaults);
    print_clocks(cli, view);
    hk_info_print_variables(cli, args, NULL, info);
}

hk_status hk_info_fmu(hk_cli *cli, const hk_args *args, const char *path) {
    hk_fmu_view view;
    hk_status status = hk_fmu_view_open(cli->ctx, cli->arena, path, &view);
    if (view.fmu && view.facts->described)
        print_fmu(cli, args, &view);
    else if (view.fmu)
        print_undescribed(cli, &view);
    hk_fmu_view_close(&view);
    return status;
}
