/* SPDX-License-Identifier: MIT
 *
 * `hocket doctor`: whether this machine is fit to run hocket. */
#include "assembly/load.h"
#include "base/cflags.h"
#include "base/command.h"
#include "base/compiler.h"
#include "base/file.h"
#include "base/libm.h"
#include "cli/cli.h"
#include "draw/graph_layout.h"
#include "fmi/cache.h"
#include "format/hdf5.h"
#include "isolate/sandbox.h"
#include "native/plugin_note.h"
#include "osp/osp.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum verdict { GOOD, PLAIN, BAD } verdict;

/* The findings, printed as they are made. */
typedef struct doctor {
    hk_cli *cli;
    hk_json json;
    size_t bad;
} doctor;

static void say(doctor *d, verdict v, const char *name, const char *text) {
    static const char *const words[] = {"ok", "-", "BAD"};
    static const hk_style styles[] = {HK_GREEN, HK_DIM, HK_RED};
    bool color = d->cli->color_out;
    d->bad += v == BAD;
    if (d->cli->json) {
        hk_json_object(&d->json, NULL);
        hk_json_string(&d->json, "name", name);
        hk_json_bool(&d->json, "ok", v != BAD);
        hk_json_string(&d->json, "text", text);
        hk_json_end(&d->json);
    } else {
        printf("%s%-3s%s  %-16s %s\n", hk_style_on(color, styles[v]), words[v], hk_style_off(color),
               name, text);
    }
}

/* Bytes in the files below FOLDER. */
static double folder_bytes(hk_cli *cli, const char *folder, int depth) {
    DIR *dir = depth < 16 ? opendir(folder) : NULL;
    double bytes = 0;
    struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        struct stat st;
        const char *path = hk_path_join(cli->arena, folder, entry->d_name);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            lstat(path, &st) != 0)
            continue;
        bytes += S_ISDIR(st.st_mode) ? folder_bytes(cli, path, depth + 1) : (double)st.st_size;
    }
    if (dir)
        closedir(dir);
    return bytes;
}

/* The nearest folder that exists decides whether the cache can be made. */
static bool can_be_made(hk_cli *cli, const char *path) {
    while (!hk_folder_exists(path)) {
        const char *parent = hk_path_folder(cli->arena, path);
        if (strcmp(parent, path) == 0)
            return false;
        path = parent;
    }
    return access(path, W_OK) == 0;
}

static void check_trust(doctor *d, const char *folder) {
    hk_cli *cli = d->cli;
    const char *entries = hk_path_join(cli->arena, folder, "fmu");
    const char *why = hk_folder_exists(folder) ? hk_cache_distrust(folder) : NULL;
    if (!why && hk_folder_exists(entries))
        why = hk_cache_distrust(entries);
    if (why)
        say(d, PLAIN, "cache",
            hk_arena_printf(cli->arena,
                            "%s %s and is not used; FMUs are unpacked for each run (chmod go-w)",
                            folder, why));
    else
        say(d, GOOD, "cache",
            hk_arena_printf(cli->arena, "%s (%s; up to %s, unused for up to %d days)", folder,
                            hk_show_bytes(cli->arena, folder_bytes(cli, folder, 0)),
                            hk_show_bytes(cli->arena, HK_CACHE_BYTES), HK_CACHE_DAYS));
}

static void check_cache(doctor *d) {
    hk_cli *cli = d->cli;
    const char *off = getenv("HK_NO_CACHE"), *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME"), *folder;
    if (off && *off && strcmp(off, "0") != 0) {
        say(d, PLAIN, "cache", "switched off by HK_NO_CACHE");
        return;
    }
    if (xdg && *xdg == '/') {
        folder = hk_path_join(cli->arena, xdg, "hocket");
    } else if (home && *home == '/') {
        folder = hk_path_join(cli->arena, home, ".cache/hocket");
    } else {
        say(d, PLAIN, "cache", "none: neither XDG_CACHE_HOME nor HOME is set");
        return;
    }
    if (!can_be_made(cli, folder))
        say(d, PLAIN, "cache",
            hk_arena_printf(cli->arena, "%s is not writable; FMUs are unpacked for each run",
                            folder));
    else
        check_trust(d, folder);
}

static void check_temporary(doctor *d) {
    hk_cli *cli = d->cli;
    hk_ctx *silent = hk_ctx_create(NULL, NULL);
    const char *folder;
    if (hk_folder_temporary(silent, cli->arena, &folder) == HK_OK) {
        say(d, GOOD, "temporary files", hk_path_folder(cli->arena, folder));
        hk_folder_remove(folder);
    } else {
        say(d, BAD, "temporary files", hk_ctx_diag(silent, 0)->text);
    }
    hk_ctx_destroy(silent);
}

/* On two machines that print the same number the same model gives the same bytes. */
static void check_libm(doctor *d) {
    char libm[HK_LIBM_TEXT];
    say(d, PLAIN, "libm",
        hk_arena_printf(d->cli->arena, "%s (of 4096 results; records and states name it)",
                        hk_libm_text(hk_libm_hash(), libm)));
}

static void check_loading(doctor *d) {
    void *self = dlopen(NULL, RTLD_NOW);
    const char *error = self ? NULL : dlerror();
    if (self)
        dlclose(self);
    say(d, self ? GOOD : BAD, "loading FMUs",
        self    ? "shared libraries can be loaded"
        : error ? error
                : "dlopen fails");
}

static void check_terminal(doctor *d) {
    int width = hk_terminal_width(STDOUT_FILENO);
    const char *term = getenv("TERM");
    say(d, PLAIN, "terminal",
        width ? hk_arena_printf(d->cli->arena, "%s, %d x %d, colours %s", term ? term : "unknown",
                                width, hk_terminal_height(STDOUT_FILENO),
                                d->cli->color_out ? "on" : "off")
              : "standard output is not a terminal");
    const char *locale = getenv("LC_ALL");
    if (!locale || !*locale)
        locale = getenv("LC_CTYPE");
    if (!locale || !*locale)
        locale = getenv("LANG");
    say(d, PLAIN, "locale",
        hk_arena_printf(d->cli->arena, "%s (results never depend on it)",
                        locale && *locale ? locale : "C"));
}

/* What `run --sandbox` has to lock components in with. */
static void check_sandbox(doctor *d) {
    hk_arena *arena = d->cli->arena;
    (void)fflush(stdout); /* it is tried in a copy of this process */
    hk_sandbox_means means = hk_sandbox_look();
    if (means.no_filter) {
        say(d, PLAIN, "sandbox",
            hk_arena_printf(arena, "run --sandbox is not possible: %s", means.no_filter));
        return;
    }
    const char *reports =
        means.no_reports
            ? hk_arena_printf(arena, "without reports of what is denied: %s", means.no_reports)
            : "with reports of what is denied";
    const char *landlock =
        means.landlock ? hk_arena_printf(arena, "Landlock ABI %d", means.landlock)
                       : hk_arena_printf(arena, "no Landlock, so components can write no file: %s",
                                         means.no_landlock);
    say(d, means.no_reports || !means.landlock ? PLAIN : GOOD, "sandbox",
        hk_arena_printf(arena, "a filter of system calls (seccomp) %s; %s (run --sandbox)", reports,
                        landlock));
}

/* The compiler of `hocket build` and of FMUs with sources; it is not needed to run anything. */
static void check_compiler(doctor *d) {
    hk_cli *cli = d->cli;
    hk_ctx *silent = hk_ctx_create(NULL, NULL);
    const char *words = hk_compiler_words("CC", "cc"), *name = NULL, *folder = NULL;
    if (hk_folder_temporary(silent, cli->arena, &folder) == HK_OK) {
        name = hk_compiler_name(cli->arena, words, hk_path_join(cli->arena, folder, "log"));
        hk_folder_remove(folder);
    }
    hk_ctx_destroy(silent);
    say(d, PLAIN, "building plugins",
        name ? hk_arena_printf(cli->arena, "%s, %s", name,
                               hk_cflags_short(cli->arena, hk_plugin_flags_text(cli->arena)))
             : hk_arena_printf(cli->arena,
                               "the C compiler '%s' cannot be started; what is built runs without",
                               words));
}

/* ---- what some verbs need; a run needs nothing of it ---- */

/* STATUS and what SILENT has heard say whether the PURPOSE can be served. */
static void say_tool(doctor *d, const char *name, hk_ctx *silent, hk_status status,
                     const char *purpose) {
    const hk_diag *diag = status == HK_OK ? NULL : hk_ctx_diag(silent, 0);
    say(d, diag ? PLAIN : GOOD, name,
        diag ? hk_arena_printf(d->cli->arena, "%s%s%s", diag->text, diag->hint ? "; " : "",
                               diag->hint ? diag->hint : "")
             : purpose);
    hk_ctx_destroy(silent);
}

static void check_pictures(doctor *d) {
    hk_ctx *silent = hk_ctx_create(NULL, NULL);
    hk_status status = hk_picture_check(silent, "x.png", "plots");
    say_tool(d, "rsvg-convert", silent, status, "pictures as PNG and PDF (plot -o x.png)");
}

/* One box is laid out: that the library is there does not say that it works. */
static void check_graphviz(doctor *d) {
    hk_ctx *silent = hk_ctx_create(NULL, NULL);
    hk_layout_node node = {.parent = SIZE_MAX, .w = 40, .h = 20};
    hk_layout layout = {.nodes = &node, .node_count = 1};
    (void)fflush(stdout); /* the process that Graphviz is in writes out what it has inherited */
    hk_status status = hk_layout_find(silent, d->cli->arena, &layout);
    say_tool(d, "Graphviz", silent, status, "graphs of systems (plot SYSTEM -o x.svg)");
}

static void check_hdf5(doctor *d) {
    hk_ctx *silent = hk_ctx_create(NULL, NULL);
    hk_status status = hk_hdf5_load(silent, "x.h5");
    say_tool(d, "libhdf5", silent, status, "records and tables as HDF5 (run -o x.h5)");
}

static void check_spin(doctor *d) {
    const char *file = hk_command_find(d->cli->arena, "spin");
    say(d, file ? GOOD : PLAIN, "spin",
        file ? hk_arena_printf(d->cli->arena, "a second opinion on proofs (prove --spin): %s", file)
             : "proofs have no second opinion (prove --spin): the program 'spin' is not there; "
               "install the package spin (Debian: apt install spin)");
}

static void check_tools(doctor *d) {
    check_pictures(d);
    check_graphviz(d);
    check_hdf5(d);
    check_spin(d);
}

/* A plugin is read, not loaded: nothing of it runs. */
static hk_status check_library(doctor *d, const char *path) {
    hk_cli *cli = d->cli;
    const hk_library *library = NULL;
    HK_TRY(hk_plugin_library(cli->ctx, cli->arena, path, false, &library));
    const char *text = hk_library_text(cli->arena, library);
    if (library->difference)
        text = hk_arena_printf(cli->arena, "%s (%s)", text, library->difference);
    say(d, library->compiler && !library->difference && !library->changed ? GOOD : PLAIN, "plugin",
        text);
    if (library->changed)
        say(d, PLAIN, "plugin",
            hk_arena_printf(cli->arena, "%s: %s", library->file, library->changed));
    return HK_OK;
}

/* The plugins right in the folder, by name. */
static hk_status check_folder(doctor *d, const char *path) {
    hk_cli *cli = d->cli;
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, NULL, alphasort);
    hk_status status = HK_OK;
    size_t found = 0;
    for (int i = 0; i < count; i++) {
        if (status == HK_OK && strcmp(hk_path_extension(entries[i]->d_name), ".so") == 0) {
            found++;
            status = check_library(d, hk_path_join(cli->arena, path, entries[i]->d_name));
        }
        free(entries[i]);
    }
    free(entries);
    HK_TRY(status);
    if (!found)
        return hk_error(cli->ctx, HK_E_FILE_READ, (hk_where){.file = path},
                        hk_arena_printf(cli->arena, "'hocket build %s' makes one", path),
                        "there is no plugin (.so) in the folder");
    return HK_OK;
}

static hk_status check_file(doctor *d, const char *path) {
    hk_cli *cli = d->cli;
    if (hk_folder_exists(path) && !hk_file_exists(hk_path_join(cli->arena, path, HK_OSP_FILE)))
        return check_folder(d, path);
    if (strcmp(hk_path_extension(path), ".so") == 0)
        return check_library(d, path);
    hk_model *model = NULL;
    HK_TRY(hk_model_open(cli->ctx, path, &model));
    hk_status status = HK_OK;
    for (size_t i = 0; i < model->library_count && status == HK_OK; i++)
        status = check_library(d, model->libraries[i]->path);
    if (!model->library_count)
        say(d, PLAIN, "plugin", hk_arena_printf(cli->arena, "%s uses none", path));
    hk_model_destroy(model);
    return status;
}

static hk_status check_files(doctor *d, const hk_args *args) {
    for (size_t i = 0; i < args->operand_count; i++)
        HK_TRY(check_file(d, args->operands[i]));
    return HK_OK;
}

static hk_status run_doctor(hk_cli *cli, const hk_args *args) {
    doctor d = {.cli = cli};
    if (cli->json) {
        hk_answer_begin(cli, &d.json, "doctor");
        hk_json_array(&d.json, "checks");
    }
    const hk_build *build = cli->build;
    say(&d, PLAIN, "hocket",
        hk_arena_printf(cli->arena, "%s, %s build%s%s", build->version, build->type,
                        *build->sanitizers ? ", sanitizers " : "", build->sanitizers));
    say(&d, PLAIN, "compiler", build->compiler);
    say(&d, PLAIN, "processors", hk_arena_printf(cli->arena, "%ld", sysconf(_SC_NPROCESSORS_ONLN)));
    check_loading(&d);
    check_cache(&d);
    check_temporary(&d);
    check_libm(&d);
    check_sandbox(&d);
    check_terminal(&d);
    check_compiler(&d);
    check_tools(&d);
    hk_status status = check_files(&d, args);
    if (cli->json) {
        hk_json_end(&d.json);
        hk_json_bool(&d.json, "ok", d.bad == 0 && status == HK_OK);
        hk_answer_end(&d.json);
    }
    HK_TRY(status);
    if (d.bad)
        return hk_error(cli->ctx, HK_E_CHECK_FAILED, HK_NOWHERE, NULL,
                        "%zu thing%s on this machine must be mended", d.bad, d.bad == 1 ? "" : "s");
    return HK_OK;
}

const hk_verb hk_verb_doctor = {
    .name = "doctor",
    .summary = "check that this machine can run hocket",
    .operands = "[FILE...]",
    .files = "so system ssd ssp",
    .description = "Looks at the build, the loading of shared libraries, the cache of unpacked "
                   "FMUs, temporary files, the sandbox of components, the terminal, the compiler, "
                   "and what some verbs need: "
                   "rsvg-convert, Graphviz, libhdf5, spin. Lines that say BAD must "
                   "be mended; the exit status is then 1. Of each FILE, a plugin, a folder with "
                   "plugins or a system that uses some, it says by which compiler and with which "
                   "flags the plugins were "
                   "compiled, and whether their sources were changed since.",
    .run = run_doctor,
};
