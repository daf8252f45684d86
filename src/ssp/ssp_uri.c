/* SPDX-License-Identifier: MIT
 *
 * Sources are relative to the SSD. In a package they stay below its folder: an archive from a
 * stranger holds what it needs. A loose SSD names files as its owner keeps them, anywhere. */
#include "format/source.h"
#include "ssp/ssp_internal.h"

#include <string.h>

/* "a/./b/../c" without what leads nowhere: "a/c". False: it leads out of the folder it begins in.
 */
static bool tidy(char *path) {
    size_t depth = 0;
    bool inside = true, absolute = path[0] == '/';
    char *out = path + absolute;
    const char *const start = out;
    for (const char *c = out + strspn(out, "/"); *c; c += strspn(c, "/")) {
        size_t length = strcspn(c, "/");
        bool here = length == 1 && c[0] == '.', up = length == 2 && c[0] == '.' && c[1] == '.';
        if (up && depth) {
            for (depth--, out--; out > start && out[-1] != '/'; out--) {
            }
        } else if (!here) {
            inside = inside && !up;
            depth += !up;
            memmove(out, c, length);
            out += length;
            if (c[length])
                *out++ = '/';
        }
        c += length;
    }
    *out = '\0';
    return inside;
}

hk_status hk_ssp_resolve(hk_ssp *r, const hk_ssp_base *base, const char *source, hk_where where,
                         const char **ret_path, const char **ret_fragment) {
    char *path, *fragment;
    bool packed = base->store->packed;
    HK_TRY(hk_source_read(r->ctx, &r->reading, source, where, &path, &fragment));
    if (path[0] != '/' && *path && *base->inner)
        path = hk_arena_printf(r->arena, "%s/%s", base->inner, path);
    if (path[0] == '/' && packed)
        return hk_error(r->ctx, HK_E_SSP, where, "use a path relative to the .ssd file",
                        "source '%s' is absolute", source);
    if (!tidy(path) && packed)
        return hk_error(r->ctx, HK_E_SSP, where, "put the file into the package",
                        "source '%s' leaves the folder of the system with '..'", source);
    HK_TRY(hk_source_check_file(r->ctx, &r->reading, source, path, where));
    *ret_path = path;
    *ret_fragment = fragment;
    return HK_OK;
}
