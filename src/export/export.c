/* SPDX-License-Identifier: MIT
 *
 * hk_export_fmu() reads like the way of a component into an FMU. */
#include "export/export_internal.h"

#include "base/file.h"
#include "base/number.h"
#include "format/sha256.h"
#include "format/zip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>
#include <time.h>

static bool is_source(const char *path) {
    return strcasecmp(hk_path_extension(path), ".c") == 0;
}

/* A plugin, or sources; and what fits them. */
static hk_status judge_options(hk_export *e) {
    const hk_export_options *o = e->options;
    size_t sources = 0;
    for (size_t i = 0; i < o->file_count; i++)
        sources += is_source(o->files[i]);
    if (sources != 0 && sources != o->file_count)
        return hk_error(e->ctx, HK_E_USAGE, HK_NOWHERE, "give the plugin, or its C files",
                        "a plugin and C files cannot be exported together");
    if (sources == 0 && o->file_count != 1)
        return hk_error(e->ctx, HK_E_USAGE, HK_NOWHERE, NULL,
                        "one plugin is exported at a time, not %zu", o->file_count);
    if (sources == 0 && (o->sources || o->define_count || o->include_count))
        return hk_error(e->ctx, HK_E_USAGE, HK_NOWHERE, "give its C files instead of the plugin",
                        "--sources, --define and --include are for C files");
    if (sources == 0)
        e->plugin = hk_path_absolute(e->arena, o->files[0]);
    double step = 0.0;
    if (o->step_size && (!hk_read_f64(o->step_size, strlen(o->step_size), &step) ||
                         !isfinite(step) || !(step > 0.0)))
        return hk_error(e->ctx, HK_E_USAGE, HK_NOWHERE, "a number of seconds above 0",
                        "'%s' is not a step size", o->step_size);
    if (o->output && strcasecmp(hk_path_extension(o->output), ".fmu") != 0)
        return hk_error(e->ctx, HK_E_USAGE, (hk_where){.file = o->output},
                        "name it with the extension .fmu", "components are exported as FMUs only");
    return HK_OK;
}

/* Fills in where and when; the time only if it was given, so that exports can be repeated. */
static void set_up(hk_export *e) {
    struct utsname about;
    const char *machine = uname(&about) == 0 ? about.machine : "unknown";
    if (e->options->fmi != 3 && strcmp(machine, "x86_64") == 0)
        e->platform = "linux64";
    else
        e->platform = hk_arena_printf(e->arena, "%s-linux", machine);
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    int64_t seconds;
    if (epoch && hk_read_i64(epoch, strlen(epoch), &seconds)) {
        char text[sizeof "-2147483648-01-01T00:00:00Z"];
        struct tm when;
        time_t at = (time_t)seconds;
        if (gmtime_r(&at, &when) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &when))
            e->date = hk_arena_strdup(e->arena, text);
    }
}

/* Learns what the component says of itself; sources are compiled to a plugin for that. */
static hk_status load_component(hk_export *e) {
    const char *library = e->plugin;
    if (!library) {
        HK_TRY(hk_export_stage_component(e));
        library = hk_path_join(e->arena, e->folder, "component.so");
        HK_TRY(hk_export_compile(e, e->units, e->unit_count, library));
        hk_ctx_rename(e->ctx, library, e->options->files[0]);
    }
    HK_TRY(hk_plugin_info(e->ctx, e->model, library, e->options->type, &e->info));
    hk_export_add_random(e);
    hk_export_find_enums(e);
    e->name = e->options->name ? e->options->name : e->info->name;
    e->identifier = hk_export_identifier(e->arena, e->name);
    return hk_export_check(e);
}

static const char *describe(hk_export *e) {
    void (*const write[])(const hk_export *, FILE *) = {
        hk_export_describe_fmi1, hk_export_describe_fmi2, hk_export_describe_fmi3};
    return hk_export_text(e->arena, write[e->options->fmi - 1], e);
}

/* The GUID is a fingerprint of the description without it, and of the component's struct: a state
 * of one FMU must not be taken for that of another. */
static void make_guid(hk_export *e) {
    char hex[65];
    e->guid = "";
    const char *text = hk_arena_printf(e->arena, "%s%s", describe(e),
                                       hk_export_text(e->arena, hk_export_write_layout, e));
    hk_sha256_hex(text, strlen(text), hex);
    e->guid = hk_arena_printf(e->arena, "{%.8s-%.4s-%.4s-%.4s-%.12s}", hex, hex + 8, hex + 12,
                              hex + 16, hex + 20);
}

static hk_status build_library(hk_export *e, const char *library) {
    const char **units = HK_NEW_ARRAY(e->arena, const char *, e->unit_count + 32), *unit;
    size_t count = 0;
    HK_TRY(hk_export_stage_text(e, "shell_model.h",
                                hk_export_text(e->arena, hk_export_write_model_header, e)));
    HK_TRY(hk_export_stage_text(e, "shell_model.c",
                                hk_export_text(e->arena, hk_export_write_model, e)));
    if (!e->plugin)
        HK_TRY(hk_export_stage_plugin_name(e));
    for (size_t i = 0; i < e->unit_count; i++)
        units[count++] = e->units[i];
    for (size_t i = 0; (unit = hk_export_shell_unit(e, i)); i++)
        units[count++] = unit;
    return hk_export_compile(e, units, count, library);
}

typedef struct items {
    hk_zip_item *list;
    size_t count, cap;
} items;

static void add_text(items *i, const char *name, const char *text) {
    hk_zip_item item = {.name = name, .data = text, .size = strlen(text)};
    HK_PUSH(i->list, i->count, i->cap, item);
}

static void add_file(items *i, const char *name, const char *path) {
    hk_zip_item item = {.name = name, .path = path};
    HK_PUSH(i->list, i->count, i->cap, item);
}

static void add_source(hk_export *e, items *i, const char *name) {
    add_file(i, hk_arena_printf(e->arena, "sources/%s", name),
             hk_path_join(e->arena, e->stage, name));
}

static hk_status pack(hk_export *e, const char *library, const char *output) {
    items all = {0};
    const char *name;
    const char *folder = hk_arena_printf(e->arena, "binaries/%s/%s", e->platform, e->identifier);
    add_text(&all, "modelDescription.xml", describe(e));
    add_file(&all, hk_arena_printf(e->arena, "%s.so", folder), library);
    if (e->plugin)
        add_file(&all, hk_arena_printf(e->arena, "%s_plugin.so", folder), e->plugin);
    add_text(&all, e->options->fmi == 1 ? "documentation/_main.html" : "documentation/index.html",
             hk_export_text(e->arena, hk_export_write_page, e));
    if (e->options->sources) {
        add_text(&all, "sources/buildDescription.xml",
                 hk_export_text(e->arena, hk_export_write_build, e));
        for (size_t i = 0; i < e->file_count; i++)
            add_source(e, &all, e->files[i]);
        for (size_t i = 0; (name = hk_export_shell_file(e, i)); i++)
            add_source(e, &all, name);
    }
    hk_status status = hk_zip_write(e->ctx, output, all.list, all.count);
    hk_free(all.list);
    return status;
}

static hk_status make(hk_export *e, hk_export_result *ret_result) {
    HK_TRY(judge_options(e));
    set_up(e);
    HK_TRY(hk_folder_temporary(e->ctx, e->arena, &e->folder));
    e->stage = hk_path_join(e->arena, e->folder, "sources");
    HK_TRY(hk_folder_make(e->ctx, e->stage));
    HK_TRY(hk_export_stage_shell(e));
    HK_TRY(load_component(e));
    make_guid(e);
    const char *library = hk_path_join(e->arena, e->folder, "library.so");
    const char *output = e->options->output;
    if (!output)
        output = hk_arena_printf(e->arena, "%s.fmu", e->identifier);
    HK_TRY(build_library(e, library));
    HK_TRY(pack(e, library, output));
    size_t variables = 0;
    for (size_t i = 0; i < e->info->variable_count; i++)
        variables += e->options->fmi == 3 ? 1 : e->info->variables[i].count;
    *ret_result = (hk_export_result){
        .output = output,
        .type = hk_arena_strdup(e->arena, e->info->name),
        .name = hk_arena_strdup(e->arena, e->name),
        .identifier = e->identifier,
        .guid = e->guid,
        .platform = e->platform,
        .variables = variables,
    };
    return HK_OK;
}

hk_status hk_export_fmu(hk_ctx *ctx, hk_arena *arena, const hk_export_options *options,
                        hk_export_result *ret_result) {
    hk_export e = {
        .ctx = ctx, .arena = arena, .options = options, .model = hk_model_create("export", NULL)};
    hk_status status = make(&e, ret_result);
    hk_model_destroy(e.model);
    if (e.folder)
        hk_folder_remove(e.folder);
    hk_free(e.units);
    hk_free(e.files);
    hk_free(e.includes);
    return status;
}
