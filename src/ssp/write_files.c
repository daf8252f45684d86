/* SPDX-License-Identifier: MIT
 *
 * The files that a description names: the ways to them, or their places in the package. */
#include "base/file.h"
#include "ssp/ssp_write_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *hk_ssp_encode(hk_arena *arena, const char *path) {
    char *text = hk_arena_alloc(arena, 3 * strlen(path) + 1), *at = text;
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        if (c <= ' ' || c == 0x7f || strchr("%#?\"<>\\^`{|}:", c))
            at += sprintf(at, "%%%02X", c);
        else
            *at++ = (char)c;
    }
    return text;
}

/* The name of a file in the package: its own, with a number where another one has that. */
static const char *pack(hk_ssp_writer *w, const char *path) {
    const char *name = hk_arena_printf(w->arena, "resources/%s", hk_path_name(path));
    bool taken = true;
    for (size_t i = 0; i < w->item_count; i++)
        if (strcmp(w->items[i].path, path) == 0)
            return w->items[i].name;
    for (int number = 2; taken; number++) {
        taken = false;
        for (size_t i = 0; i < w->item_count; i++)
            taken |= strcmp(w->items[i].name, name) == 0;
        if (taken)
            name = hk_arena_printf(w->arena, "resources/%d_%s", number, hk_path_name(path));
    }
    hk_zip_item item = {.name = name, .path = path};
    HK_PUSH(w->items, w->item_count, w->item_cap, item);
    return name;
}

const char *hk_ssp_write_source(hk_ssp_writer *w, const char *path, hk_where where) {
    const char *full = path ? hk_path_real(w->arena, path) : NULL;
    if (!full || !hk_file_exists(full)) {
        hk_ssp_write_failed(w, hk_error(w->ctx, HK_E_SSP, where, "unpack the package first",
                                        "its file ('%s') is not a file of its own, so a "
                                        "description cannot name it",
                                        path ? path : "?"));
        return NULL;
    }
    return hk_ssp_encode(w->arena,
                         w->packed ? pack(w, full) : hk_path_way(w->arena, w->folder, full));
}
