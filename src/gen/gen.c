/* SPDX-License-Identifier: MIT
 *
 * From the type file to all texts, and from there to the folder. */
#include "gen/gen_internal.h"

#include "base/file.h"
#include "chart/chart.h"

enum { FILES_BESIDE_LEAVES = 5 };

static hk_status make_files(hk_gen *gen, hk_genfile *files, size_t *ret_count) {
    hk_arena *arena = gen->arena;
    size_t n = 0;
    files[n].name = hk_arena_printf(arena, "%s.h", gen->name);
    hk_gen_header(gen, &files[n++].text);
    *ret_count = n;
    if (!gen->leaf_count) {
        hk_note(gen->ctx, (hk_where){.file = gen->options->types},
                "there is no leaf type to generate, so that there is no plugin to build");
        return HK_OK;
    }
    for (size_t i = 0; i < gen->leaf_count; i++) {
        const hk_genleaf *leaf = &gen->leaves[i];
        files[n].name = hk_arena_printf(arena, "%s.h", leaf->c);
        hk_gen_leaf_header(gen, leaf, &files[n++].text);
        files[n].name = hk_arena_printf(arena, "%s.c", leaf->c);
        files[n].leaf = leaf;
        hk_gen_leaf_source(gen, leaf, &files[n++].text);
    }
    files[n].name = hk_arena_printf(arena, "%s_sources.cmake", gen->name);
    hk_gen_sources(gen, &files[n++].text);
    files[n] = (hk_genfile){.name = "CMakeLists.txt", .only_if_absent = true};
    hk_gen_cmake(gen, &files[n++].text);
    files[n] = (hk_genfile){.name = "README.md", .only_if_absent = true};
    hk_gen_readme(gen, &files[n++].text);
    files[n].name = hk_arena_printf(arena, "%s_glue.c", gen->name);
    *ret_count = n + 1;
    return hk_gen_glue(gen, &files[n].text);
}

static hk_status from_types(hk_gen *gen) {
    HK_TRY(hk_gen_collect(gen));
    gen->report->package = gen->name;
    hk_genfile *files =
        HK_NEW_ARRAY(gen->arena, hk_genfile, 2 * gen->leaf_count + FILES_BESIDE_LEAVES);
    size_t count = 0;
    hk_status status = make_files(gen, files, &count);
    if (status == HK_OK)
        status = hk_gen_write(gen, files, count);
    for (size_t i = 0; i < count; i++)
        hk_text_finish(&files[i].text);
    return status;
}

hk_status hk_gen_run(hk_ctx *ctx, hk_arena *arena, const hk_gen_options *options,
                     hk_gen_report *ret_report) {
    hk_gen_report report = {0};
    hk_gen gen = {.ctx = ctx, .arena = arena, .options = options, .report = &report};
    size_t length;
    hk_status status =
        hk_chart_names(options->types, &length) ? hk_gen_chart(&gen) : from_types(&gen);
    hk_gen_finish(&gen);
    if (status != HK_OK) {
        hk_gen_report_finish(&report);
        return status;
    }
    *ret_report = report;
    return HK_OK;
}

void hk_gen_report_finish(hk_gen_report *report) {
    hk_free(report->files);
    hk_free(report->regions);
    hk_free(report->names);
    *report = (hk_gen_report){0};
}
