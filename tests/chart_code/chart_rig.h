/* SPDX-License-Identifier: MIT
 *
 * Modules of RoboChart as the interpreter and as C: the C of all of them is compiled by one call of
 * the compiler ($HK_CHART_CC, or tcc, or cc). */
#ifndef CHART_RIG_H
#define CHART_RIG_H

#include "base/command.h"
#include "base/file.h"
#include "chart/chart_component.h"
#include "gen/chart_gen.h"
#include "native/native.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct rig {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_model *model;
    const char *folder;
    void *library;
} rig;

/* One module, as the interpreter and as C. */
typedef struct pair {
    const char *file;
    const hk_info *chart, *code;
} pair;

static void say(void *user, const hk_diag *diag) {
    (void)user;
    if (diag->severity == HK_ERROR)
        fprintf(stderr, "%s:%d:%d: %s\n", diag->where.file ? diag->where.file : "",
                diag->where.line, diag->where.column, diag->text);
}

static void must(hk_status status, const char *what) {
    if (status == HK_OK)
        return;
    fprintf(stderr, "%s failed\n", what);
    exit(2);
}

/* ---- making */

static const char *write_code(rig *h, pair *p, size_t i) {
    hk_text text = {0};
    hk_text_put(&text, "#define hk_plugin hk_plugin_%zu\n", i);
    must(hk_chart_info(h->ctx, h->model, p->file, NULL, &p->chart), p->file);
    must(hk_gen_chart_text(h->ctx, h->arena, hk_chart_of(p->chart), 1.0, &text), p->file);
    const char *path = hk_arena_printf(h->arena, "%s/code%zu.c", h->folder, i);
    must(hk_file_write(h->ctx, path, text.data, text.size), path);
    hk_text_finish(&text);
    return path;
}

static void compile(rig *h, const char *const *files, size_t count) {
    const char *library = hk_path_join(h->arena, h->folder, "code.so"), *cc = getenv("HK_CHART_CC");
    hk_command c = {0};
    if (!cc)
        cc = hk_command_find(h->arena, "tcc") ? "tcc" : "cc -O0 -fPIC -ffp-contract=off";
    hk_command_add_words(&c, h->arena, cc);
    hk_command_add_words(&c, h->arena, "-shared -I" HK_SOURCE_DIR "/include -o");
    hk_command_add(&c, library);
    for (size_t i = 0; i < count; i++)
        hk_command_add(&c, files[i]);
    hk_command_add(&c, "-lm");
    const char *log = hk_path_join(h->arena, h->folder, "compiler.log");
    int code = hk_command_run(&c, NULL, NULL, log);
    hk_command_finish(&c);
    if (code != 0) {
        fprintf(stderr, "the compiler ended with %d: %s\n", code, log);
        exit(2);
    }
    h->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!h->library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
}

static void find_code(rig *h, pair *p, size_t i) {
    hk_plugin_fn *types;
    void *found = dlsym(h->library, hk_arena_printf(h->arena, "hk_plugin_%zu", i));
    memcpy(&types, &found, sizeof types);
    must(hk_native_info(h->ctx, h->model, types()[0], &p->code), p->file);
}

/* The C of COUNT modules, whose files are set; all are ready then. */
static void make_pairs(rig *h, pair *pairs, size_t count) {
    const char **files = HK_NEW_ARRAY(h->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        files[i] = write_code(h, &pairs[i], i);
    compile(h, files, count);
    for (size_t i = 0; i < count; i++)
        find_code(h, &pairs[i], i);
}

static rig open_rig(const char *folder) {
    return (rig){.ctx = hk_ctx_create(say, NULL),
                 .arena = hk_arena_create(),
                 .model = hk_model_create("charts", NULL),
                 .folder = folder};
}

static void close_rig(rig *h) {
    hk_model_destroy(h->model);
    hk_arena_destroy(h->arena);
    hk_ctx_destroy(h->ctx);
    dlclose(h->library);
}

#endif
