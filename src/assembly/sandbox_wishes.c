/* SPDX-License-Identifier: MIT */
#include "assembly/sandbox_wishes.h"

#include "base/file.h"
#include "base/number.h"
#include "base/seconds.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

hk_status hk_sandbox_needed(hk_ctx *ctx, const hk_request *request) {
    HK_ASSERT(ctx && request);
    if (request->sandbox.count || (!request->allow.count && !request->limits.count))
        return HK_OK;
    return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "add --sandbox NAME, or --sandbox all",
                    "--%s is for components in a sandbox",
                    request->allow.count ? "allow" : "limit");
}

static hk_status is_wrong(hk_ctx *ctx, const char *option, const char *text, const char *hint) {
    return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, hint, "--%s: '%s' is not something that it takes",
                    option, text);
}

/* ---- --allow ---- */

static const char write_word[] = "write=";
enum { WRITE_LENGTH = sizeof write_word - 1 };

static bool names_folder(const char *text) {
    return strncmp(text, write_word, WRITE_LENGTH) == 0;
}

static bool can_be_written(const char *folder) {
    return hk_folder_exists(folder) && access(folder, W_OK | X_OK) == 0;
}

static bool is_in(const char *path, const char *folder) {
    size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* There a component could put something else in the place of the folder of another one that is
 * about to be locked into it, or change what is unpacked for it. */
static bool holds_folders_of_others(hk_arena *arena, const char *folder) {
    const char *named = hk_path_absolute(arena, hk_folder_of_temporary());
    return is_in(named, folder) || is_in(hk_path_real(arena, named), folder);
}

static hk_status allow_folder(hk_ctx *ctx, hk_arena *arena, const char *path, const char **ret) {
    const char *why = !hk_folder_exists(path) ? "it is not a folder"
                      : !can_be_written(path) ? "it cannot be written to"
                                              : NULL;
    if (why)
        return hk_error(ctx, HK_E_USAGE, (hk_where){.file = path},
                        "name a folder that is there and that you may write to",
                        "--allow write: %s", why);
    *ret = hk_path_real(arena, hk_path_absolute(arena, path));
    if (holds_folders_of_others(arena, *ret))
        return hk_error(ctx, HK_E_USAGE, (hk_where){.file = path},
                        "name a folder of its own in it, or another TMPDIR",
                        "--allow write: the temporary folders of all components are in it");
    return HK_OK;
}

/* In the outer one a component could put another folder, or a link, in the place of the inner one,
 * and the next run would allow that. */
static hk_status look_for_nested(hk_ctx *ctx, const hk_texts *folders) {
    for (size_t i = 0; i < folders->count; i++)
        for (size_t k = 0; k < folders->count; k++)
            if (i != k && strcmp(folders->all[i], folders->all[k]) != 0 &&
                is_in(folders->all[i], folders->all[k]))
                return hk_error(ctx, HK_E_USAGE, (hk_where){.file = folders->all[i]},
                                "leave it out: the outer one is enough",
                                "--allow write: it is in '%s', which is allowed, too",
                                folders->all[k]);
    return HK_OK;
}

static hk_status read_allow(hk_ctx *ctx, hk_arena *arena, const hk_texts *texts, hk_sandbox *box) {
    const char **folders = HK_NEW_ARRAY(arena, const char *, texts->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < texts->count; i++) {
        const char *text = texts->all[i];
        if (strcmp(text, "network") == 0)
            box->network = true;
        else if (names_folder(text))
            HK_TRY(allow_folder(ctx, arena, text + WRITE_LENGTH, &folders[count++]));
        else
            return is_wrong(ctx, "allow", text, "write 'network' or 'write=DIR'");
    }
    box->write = (hk_texts){folders, count};
    return look_for_nested(ctx, &box->write);
}

/* ---- --limit ---- */

/* "512M": bytes, with a letter for powers of 1024. */
static bool read_size(const char *text, uint64_t *ret) {
    static const char letters[] = "KMGT";
    size_t length = strlen(text);
    const char *letter = length ? strchr(letters, text[length - 1]) : NULL;
    unsigned shift = letter && *letter ? 10 * (unsigned)(letter - letters + 1) : 0;
    uint64_t number;
    if (!hk_read_u64(text, length - (shift ? 1 : 0), &number) || !number ||
        number > (UINT64_MAX >> 1) >> shift)
        return false;
    *ret = number << shift;
    return true;
}

static bool read_count(const char *text, unsigned *ret) {
    uint64_t number;
    if (!hk_read_u64(text, strlen(text), &number) || !number || number > INT_MAX)
        return false;
    *ret = (unsigned)number;
    return true;
}

static bool read_seconds(const char *text, unsigned *ret) {
    hk_ratio time;
    bool meant;
    double seconds = hk_time_parse(text, &time, &meant) ? hk_ratio_to_double(time) : 0;
    if (seconds < 1 || seconds > INT_MAX)
        return false;
    *ret = (unsigned)seconds + ((double)(unsigned)seconds < seconds);
    return true;
}

static bool read_limit(const char *text, hk_sandbox *box) {
    const char *value = strchr(text, '=');
    size_t length = value ? (size_t)(value - text) : 0;
    value = value ? value + 1 : "";
    bool none = strcmp(value, "none") == 0;
#define IS(word) (length == sizeof(word) - 1 && memcmp(text, word, sizeof(word) - 1) == 0)
    if (IS("memory"))
        return none ? (box->memory_bytes = 0, true) : read_size(value, &box->memory_bytes);
    if (IS("file"))
        return none ? (box->file_bytes = 0, true) : read_size(value, &box->file_bytes);
    if (IS("threads"))
        return none ? (box->threads = 0, true) : read_count(value, &box->threads);
    if (IS("cpu"))
        return none ? (box->cpu_s = 0, true) : read_seconds(value, &box->cpu_s);
#undef IS
    return false;
}

/* One word of LIMITS has two values: nobody could say which one holds. */
static hk_status look_for_repeated(hk_ctx *ctx, const hk_texts *limits) {
    for (size_t i = 0; i < limits->count; i++)
        for (size_t k = 0; k < i; k++) {
            const char *first = limits->all[k], *second = limits->all[i];
            size_t length = strcspn(first, "=") + 1;
            if (strncmp(first, second, length) == 0 && strcmp(first, second) != 0)
                return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "leave out one of them",
                                "--limit: '%s' and '%s' contradict each other", first, second);
        }
    return HK_OK;
}

static hk_status read_limits(hk_ctx *ctx, const hk_texts *limits, hk_sandbox *box) {
    const uint64_t least = (uint64_t)1 << 20;
    for (size_t i = 0; i < limits->count; i++) {
        if (!read_limit(limits->all[i], box))
            return is_wrong(ctx, "limit", limits->all[i],
                            "write 'memory=8G', 'file=100M', 'threads=16' or 'cpu=3600' (seconds, "
                            "at least 1), or 'none' behind the '='");
        if (box->memory_bytes && box->memory_bytes < least)
            return hk_error(ctx, HK_E_USAGE, HK_NOWHERE,
                            "1M is the least; its library and its data must fit, so try "
                            "64M first",
                            "--limit: '%s' is too little to load any component", limits->all[i]);
    }
    return look_for_repeated(ctx, limits);
}

hk_status hk_sandbox_wished(hk_ctx *ctx, hk_arena *arena, const hk_request *request,
                            hk_sandbox *ret_sandbox) {
    HK_ASSERT(ctx && arena && request && ret_sandbox);
    hk_sandbox box = {.means = hk_sandbox_look(),
                      .memory_bytes = HK_SANDBOX_MEMORY_BYTES,
                      .file_bytes = HK_SANDBOX_FILE_BYTES,
                      .cpu_s = HK_SANDBOX_CPU_S,
                      .threads = HK_SANDBOX_THREADS};
    HK_TRY(read_allow(ctx, arena, &request->allow, &box));
    HK_TRY(read_limits(ctx, &request->limits, &box));
    if (box.means.no_filter)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE,
                        "--isolate protects the run, and not the machine",
                        "--sandbox is not possible on this machine: %s", box.means.no_filter);
    if (box.write.count && !box.means.landlock)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "leave it out",
                        "--allow write is not possible without Landlock: %s",
                        box.means.no_landlock);
    if (!box.means.landlock)
        hk_note(
            ctx, HK_NOWHERE,
            "components in a sandbox can write no file at all, also not in a folder of their own: "
            "there is no Landlock: %s",
            box.means.no_landlock);
    *ret_sandbox = box;
    return HK_OK;
}

void hk_sandbox_warn_of_plugins(hk_ctx *ctx, const hk_model *model, const bool *sandboxed) {
    HK_ASSERT(ctx && model && sandboxed);
    for (size_t i = 0; i < model->library_count; i++) {
        const hk_library *library = model->libraries[i];
        for (size_t c = 0; c < model->component_count; c++) {
            const hk_info *info = model->components[c].info;
            if (!sandboxed[c] || info->can.fmi || !info->file ||
                strcmp(hk_path_name(info->file), library->file) != 0)
                continue;
            hk_warn(
                ctx, HK_E_UNIT_DENIED, model->components[c].where,
                "only FMUs are described without loading them",
                "the plugin '%s' of component '%s' was loaded by hocket itself to be described, "
                "outside of the sandbox",
                library->file, model->components[c].name);
            break;
        }
    }
}
