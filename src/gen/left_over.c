/* SPDX-License-Identifier: MIT */
#include "base/file.h"
#include "gen/gen_internal.h"

#include <string.h>

#define FILE_BYTES_MAX ((size_t)64 << 20)

/* The text of a file, or "". */
static const char *text_of(hk_arena *arena, const char *path) {
    char *data = NULL;
    size_t size = 0;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    const char *text = "";
    if (hk_file_read(quiet, path, FILE_BYTES_MAX, &data, &size) == HK_OK)
        text = hk_arena_strdup(arena, data);
    hk_free(data);
    hk_ctx_destroy(quiet);
    return text;
}

/* A list that is not there leaves nothing out. */
bool hk_gen_is_left_over(hk_arena *arena, const char *path) {
    static const char word[] = "Package ";
    const char *text = text_of(arena, path), *package = strstr(text, word);
    if (!strstr(text, HK_GEN_MARK) || !package)
        return false;
    package += strlen(word);
    const char *list =
        text_of(arena, hk_path_join(arena, hk_path_folder(arena, path),
                                    hk_arena_printf(arena, "%.*s_sources.cmake",
                                                    (int)strcspn(package, ";\n"), package)));
    return *list && !strstr(list, hk_arena_printf(arena, "\n  %s\n", hk_path_name(path)));
}
