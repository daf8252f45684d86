/* SPDX-License-Identifier: MIT
 *
 * `hocket info x.fmu`: what an FMU is and can do. */
#include "cli/info_view.h"

#include "base/file.h"
#include "format/xml.h"
#include "format/zip.h"
#include "model/unit.h"

#include <string.h>

/* What info asks of an FMU beyond its description. */
typedef struct fmu_view {
    hk_cli *cli;
    const char *path;
    const hk_info *info;
    const hk_fmu_facts *facts;
    const char *why_not; /* it cannot run here; NULL: it can */
    const char **terminals;
    size_t terminal_count, terminal_cap;
    bool documentation;
} fmu_view;

static void add_terminals(fmu_view *view, const hk_xml *parent, const char *prefix) {
    for (const hk_xml *t = hk_xml_child(parent, NULL, "Terminal"); t;
         t = hk_xml_next(t, NULL, "Terminal")) {
        const char *own = hk_xml_attr_get(t, "name");
        const char *name = hk_arena_printf(view->cli->arena, "%s%s", prefix, own ? own : "?");
        HK_PUSH(view->terminals, view->terminal_count, view->terminal_cap, name);
        add_terminals(view, t, hk_arena_printf(view->cli->arena, "%s.", name));
    }
}

/* Terminals are an extra: what is wrong with them is told by `hocket check`. */
static void read_archive(fmu_view *view) {
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    hk_zip *zip = NULL;
    char *data = NULL;
    size_t size;
    const hk_xml *root;
    if (hk_zip_open(quiet, view->path, &zip) == HK_OK) {
        int64_t entry = hk_zip_find(zip, "terminalsAndIcons/terminalsAndIcons.xml");
        for (size_t i = 0; i < hk_zip_count(zip); i++)
            view->documentation =
                view->documentation || strncmp(hk_zip_name(zip, i), "documentation/", 14) == 0;
        if (entry >= 0 && hk_zip_read(quiet, zip, (size_t)entry, &data, &size) == HK_OK &&
            hk_xml_parse(quiet, view->cli->arena, "", data, size, &root) == HK_OK) {
            const hk_xml *list = hk_xml_child(root, NULL, "Terminals");
            if (list)
                add_terminals(view, list, "");
        }
    }
    hk_free(data);
    hk_zip_close(zip);
    hk_ctx_destroy(quiet);
}

/* What is wrong, and what helps. */
static const char *why_not(hk_arena *arena, const hk_diag *d) {
    return d->hint ? hk_arena_printf(arena, "%s; %s", d->text, d->hint)
                   : hk_arena_strdup(arena, d->text);
}

static void ask_machine(fmu_view *view) {
    const hk_unit_class *class = view->info->unit_class;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    if (class && class->can_open && class->can_open(quiet, view->info) != HK_OK)
        view->why_not = why_not(view->cli->arena, hk_ctx_diag(quiet, 0));
    hk_ctx_destroy(quiet);
}

/* What an FMU can do, as words and as keys of the JSON answer. */
typedef struct ability {
    bool is;
    const char *key, *text;
} ability;
enum { ABILITIES = 10 };

static void list_abilities(const fmu_view *view, ability ret[ABILITIES]) {
    const hk_abilities *can = &view->info->can;
    const hk_fmu_facts *facts = view->facts;
    const ability all[ABILITIES] = {
        {can->variable_step, "variable_step", "variable step"},
        {can->save_state, "save_state", "saves its state"},
        {can->serialize_state, "serialize_state", "saves its state to a file"},
        {can->interpolates_inputs, "interpolates_inputs", "takes input derivatives"},
        {can->directional_derivatives, "directional_derivatives", "directional derivatives"},
        {facts->has_event_mode, "event_mode", "has an event mode"},
        {facts->might_return_early, "early_return", "may return early from a step"},
        {facts->intermediate_update, "intermediate_update", "gives intermediate values"},
        {can->once_per_process, "once_per_process", "one instance per process"},
        {can->needs_tool, "needs_tool", "needs its tool installed"}};
    memcpy(ret, all, sizeof all);
}

static const char *abilities_text(const fmu_view *view) {
    ability all[ABILITIES];
    hk_arena *arena = view->cli->arena;
    const char *text = NULL;
    list_abilities(view, all);
    for (size_t i = 0; i < ABILITIES; i++)
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

static const char *platforms_text(const fmu_view *view) {
    const hk_fmu_facts *facts = view->facts;
    const char *text = join(view->cli->arena, facts->platforms, facts->platform_count);
    if (facts->has_sources)
        text = hk_arena_printf(view->cli->arena, "%s%ssources", text, *text ? ", " : "");
    return text;
}

static const char *interfaces_text(const fmu_view *view) {
    const char *names[3];
    size_t count = 0;
    if (view->facts->co_simulation)
        names[count++] = "co-simulation";
    if (view->facts->model_exchange)
        names[count++] = "model exchange";
    if (view->facts->scheduled_execution)
        names[count++] = "scheduled execution";
    return join(view->cli->arena, names, count);
}

static const char *contents_text(const fmu_view *view) {
    const hk_fmu_facts *facts = view->facts;
    const char *text = hk_arena_printf(
        view->cli->arena, "%zu unit%s, %zu type%s, %zu log categor%s", facts->unit_count,
        facts->unit_count == 1 ? "" : "s", facts->type_count, facts->type_count == 1 ? "" : "s",
        facts->log_category_count, facts->log_category_count == 1 ? "y" : "ies");
    return hk_arena_printf(view->cli->arena, "%s%s%s", text,
                           facts->has_resources ? ", resources" : "",
                           view->documentation ? ", documentation" : "");
}

static void print_clocks(const fmu_view *view) {
    const hk_fmu_facts *facts = view->facts;
    if (!facts->clock_count)
        return;
    hk_info_heading(view->cli, hk_arena_printf(view->cli->arena, "%zu clock%s", facts->clock_count,
                                               facts->clock_count == 1 ? "" : "s"));
    for (size_t i = 0; i < facts->clock_count; i++) {
        const hk_fmu_clock *c = &facts->clocks[i];
        const hk_variable *v = &view->info->variables[c->variable];
        int room = 20 - (int)strnlen(v->name, 20);
        hk_put_clean(stdout, v->name);
        printf("%*s %-9s %s", room, "", hk_causality_name(v->causality), c->interval);
        if (c->has_interval)
            printf("  every %s s", hk_info_ratio(view->cli, c->period));
        if (c->has_interval && c->shift.num)
            printf("  from %s s on", hk_info_ratio(view->cli, c->shift));
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
static const char *archive_text(const fmu_view *view) {
    const hk_fmu_facts *facts = view->facts;
    if (!facts->first_entry)
        return "empty";
    return hk_arena_printf(view->cli->arena, "%zu entr%s, '%s' first", facts->entry_count,
                           facts->entry_count == 1 ? "y" : "ies", facts->first_entry);
}

static void print_heading(const fmu_view *view) {
    hk_cli *cli = view->cli;
    fputs(hk_style_on(cli->color_out, HK_BOLD), stdout);
    hk_put_clean(stdout, view->info->name ? view->info->name : hk_path_name(view->path));
    puts(hk_style_off(cli->color_out));
}

/* An archive whose description is missing or says nothing. */
static void print_undescribed(const fmu_view *view) {
    print_heading(view);
    hk_info_fact("archive", archive_text(view));
    hk_info_fact("platforms", platforms_text(view));
    hk_info_fact("runs here", "no: the description cannot be read");
    hk_info_fact("terminals", join(view->cli->arena, view->terminals, view->terminal_count));
}

static void print_fmu(const fmu_view *view, const hk_args *args) {
    hk_cli *cli = view->cli;
    const hk_info *info = view->info;
    const hk_fmu_facts *facts = view->facts;
    print_heading(view);
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
    print_clocks(view);
    hk_info_print_variables(cli, args, NULL, info);
}

static void put_names(hk_json *json, const char *key, const char *const *names, size_t count) {
    hk_json_array(json, key);
    for (size_t i = 0; i < count; i++)
        hk_json_string(json, NULL, names[i]);
    hk_json_end(json);
}

static void put_clocks(const fmu_view *view, hk_json *json) {
    hk_json_array(json, "clocks");
    for (size_t i = 0; i < view->facts->clock_count; i++) {
        const hk_fmu_clock *c = &view->facts->clocks[i];
        hk_json_object(json, NULL);
        hk_json_string(json, "name", view->info->variables[c->variable].name);
        hk_json_string(json, "interval_variability", c->interval);
        if (c->has_interval) {
            hk_json_f64(json, "interval", hk_ratio_to_double(c->period));
            hk_json_f64(json, "shift", hk_ratio_to_double(c->shift));
        }
        if (c->has_priority)
            hk_json_i64(json, "priority", c->priority);
        hk_json_bool(json, "can_be_deactivated", c->can_be_deactivated);
        hk_json_bool(json, "supports_fraction", c->supports_fraction);
        hk_json_end(json);
    }
    hk_json_end(json);
}

static void put_abilities(const fmu_view *view, hk_json *json) {
    ability all[ABILITIES];
    list_abilities(view, all);
    hk_json_object(json, "abilities");
    for (size_t i = 0; i < ABILITIES; i++)
        hk_json_bool(json, all[i].key, all[i].is);
    hk_json_i64(json, "output_derivative_order", view->info->can.output_derivative_order);
    if (view->facts->fixed_internal_step > 0)
        hk_json_f64(json, "fixed_internal_step", view->facts->fixed_internal_step);
    hk_json_end(json);
}

static void put_fmu(const fmu_view *view, const hk_args *args) {
    const hk_info *info = view->info;
    const hk_fmu_facts *facts = view->facts;
    const struct {
        const char *key, *text;
    } texts[] = {{"kind", "fmu"},
                 {"file", view->path},
                 {"name", info->name},
                 {"description", info->description},
                 {"fmi_version", facts->fmi_version},
                 {"model_identifier", facts->model_identifier},
                 {"model_version", facts->model_version},
                 {"author", facts->author},
                 {"copyright", facts->copyright},
                 {"license", facts->license},
                 {"guid", facts->guid},
                 {"generation_tool", facts->generation_tool},
                 {"generation_date", facts->generation_date},
                 {"naming_convention", facts->naming_convention},
                 {"why_not", view->why_not}};
    hk_json json;
    hk_answer_begin(view->cli, &json, "info");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        hk_json_string(&json, texts[i].key, texts[i].text);
    hk_json_bool(&json, "described", facts->described);
    hk_json_bool(&json, "runs_here", !view->why_not);
    hk_json_bool(&json, "co_simulation", facts->co_simulation);
    hk_json_bool(&json, "model_exchange", facts->model_exchange);
    hk_json_bool(&json, "scheduled_execution", facts->scheduled_execution);
    hk_json_bool(&json, "sources", facts->has_sources);
    hk_json_bool(&json, "resources", facts->has_resources);
    hk_json_bool(&json, "documentation", view->documentation);
    hk_json_i64(&json, "units", (int64_t)facts->unit_count);
    hk_json_i64(&json, "types", (int64_t)facts->type_count);
    hk_json_i64(&json, "log_categories", (int64_t)facts->log_category_count);
    put_names(&json, "platforms", facts->platforms, facts->platform_count);
    put_names(&json, "terminals", view->terminals, view->terminal_count);
    put_abilities(view, &json);
    hk_info_put_defaults(&json, &info->defaults);
    put_clocks(view, &json);
    hk_info_put_variables(view->cli, &json, args, NULL, info);
    hk_answer_end(&json);
}

hk_status hk_info_fmu(hk_cli *cli, const hk_args *args, const char *path) {
    hk_fmu *fmu;
    hk_status status = hk_fmu_open_partly(cli->ctx, path, &fmu);
    if (!fmu)
        return status;
    fmu_view view = {
        .cli = cli, .path = path, .info = hk_fmu_info(fmu), .facts = hk_fmu_get_facts(fmu)};
    read_archive(&view);
    if (status == HK_OK)
        ask_machine(&view);
    else
        view.why_not = "the description cannot be read to its end";
    if (cli->json)
        put_fmu(&view, args);
    else if (view.facts->described)
        print_fmu(&view, args);
    else
        print_undescribed(&view);
    hk_free(view.terminals);
    hk_fmu_close(fmu);
    return status;
}
