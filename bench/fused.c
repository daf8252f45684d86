/* SPDX-License-Identifier: MIT */
#include "fused.h"

#include "base/cflags.h"
#include "base/command.h"
#include "base/compiler.h"
#include "base/file.h"
#include "engine/fused.h"
#include "fuse/emit.h"
#include "native/native.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static hk_status write_text(bench *b, const char *path, const char *text) {
    FILE *out = fopen(path, "w");
    bool good = out && fputs(text, out) >= 0;
    good = out && fclose(out) == 0 && good;
    return good ? HK_OK
                : hk_error(b->ctx, HK_E_FILE_WRITE, (hk_where){.file = path}, NULL, "cannot write");
}

/* The type of that name, as the model has it. */
static const hk_unit_type *find_type(const hk_model *model, const char *name) {
    for (size_t c = 0; c < model->component_count; c++) {
        const hk_unit_type *type = hk_native_type_of(model->components[c].info);
        if (type && strcmp(type->name, name) == 0)
            return type;
    }
    return NULL;
}

static hk_leaf *make_leaves(hk_arena *arena, const hk_model *model, const bench_leaves *leaves) {
    hk_leaf *all = HK_NEW_ARRAY(arena, hk_leaf, leaves->count + 1);
    for (size_t i = 0; i < leaves->count; i++)
        all[i] = (hk_leaf){.type = find_type(model, leaves->all[i].type),
                           .step = hk_arena_printf(arena, "hk_leaf_%zu_step", i)};
    return all;
}

static hk_status build(bench *b, hk_arena *arena, const hk_model *model, const hk_sim *sim,
                       const bench_leaves *leaves, const char *library) {
    hk_leaves all = {.all = make_leaves(arena, model, leaves), .count = leaves->count};
    hk_fuse_printed printed = hk_fuse_emit(arena, sim, &all);
    const char *one = hk_path_join(arena, b->scratch, "one.c"), *text = "", *says = "";
    for (size_t i = 0; i < printed.count; i++) {
        const char *name = printed.files[i].name;
        HK_TRY(write_text(b, hk_path_join(arena, b->scratch, name), printed.files[i].text));
        if (strncmp(name, "cell_", 5) == 0 || strncmp(name, "instant_", 8) == 0)
            says = hk_arena_printf(arena, "%s#include \"%s\"\n", says, name);
    }
    if (leaves->source)
        text = hk_arena_printf(arena, "#include \"%s/%s\"\n", HK_BENCH_SOURCE, leaves->source);
    for (size_t i = 0; i < leaves->count; i++)
        text =
            hk_arena_printf(arena,
                            "%sint %s(void *self, double t, double h);\n"
                            "int %s(void *self, double t, double h) { return %s(self, t, h); }\n",
                            text, all.all[i].step, all.all[i].step, leaves->all[i].step);
    text = hk_arena_printf(arena,
                           "%s#define HK_FUSED_ONE_FILE 1\n#define HK_FUSED_LINKAGE "
                           "static\n%s#define HK_FUSED_SAYS 1\n"
                           "#include <hk/fused.h>\n%s#undef HK_FUSED_SAYS\n#include <hk/fused.h>\n"
                           "#include \"fused.c\"\n",
                           text, says, says);
    HK_TRY(write_text(b, one, text));
    hk_command c = {0};
    hk_command_add_words(&c, arena, hk_compiler_words("CC", "cc"));
    size_t flag_count;
    const char *const *flags = hk_plugin_flags(&flag_count);
    for (size_t i = 0; i < flag_count; i++)
        hk_command_add(&c, flags[i]);
    hk_command_add(&c, "-shared");
    hk_command_add(&c, "-I" HK_BENCH_SOURCE "/../include");
    hk_command_add(&c, "-o");
    hk_command_add(&c, library);
    hk_command_add(&c, one);
    hk_command_add(&c, "-lm");
    int status = hk_command_run(&c, NULL, NULL, hk_path_join(arena, b->scratch, "log"));
    hk_command_finish(&c);
    return status ? hk_error(b->ctx, HK_E_FILE_WRITE, HK_NOWHERE, NULL, "cc failed") : HK_OK;
}

hk_status bench_fuse(bench *b, const hk_model *model, hk_sim *sim, const bench_leaves *leaves) {
    hk_arena *arena = hk_arena_create();
    const char *library = hk_path_join(arena, b->scratch, "fused.so");
    hk_status status =
        hk_file_exists(library) ? HK_OK : build(b, arena, model, sim, leaves, library);
    void *handle = status == HK_OK ? dlopen(library, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (status == HK_OK && !handle)
        status = hk_error(b->ctx, HK_E_FILE_READ, HK_NOWHERE, NULL, "%s", dlerror());
    if (handle)
        status = hk_sim_attach_fused(sim, handle);
    hk_fused_count n = hk_sim_fused(sim);
    if (status == HK_OK && n.fused != n.cells)
        status = hk_error(b->ctx, HK_E_FUSED, HK_NOWHERE, NULL, "%zu of %zu cells are fused",
                          n.fused, n.cells);
    hk_arena_destroy(arena);
    return status;
}
