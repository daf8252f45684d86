/* SPDX-License-Identifier: MIT
 *
 * Which file the source of a simulator means. */
#include "base/file.h"
#include "format/uri.h"
#include "osp/osp_internal.h"

#include <string.h>

/* The file behind a proxy: it runs here, in this process. */
static hk_status read_proxy(hk_osp *r, const char *source, hk_where where, const char **ret_rest) {
    hk_uri_proxy proxy = hk_uri_read_proxy(r->arena, source);
    if (!proxy.local)
        return hk_error(r->ctx, HK_E_OSP, where,
                        "copy the FMU to this machine and name it as the source",
                        "the FMU runs on the host '%s' ('%s'), and hocket runs FMUs of this "
                        "machine only",
                        proxy.host, source);
    if (!proxy.file || !*proxy.file)
        return hk_error(r->ctx, HK_E_OSP, where, "write proxyfmu://localhost?file=NAME.fmu",
                        "the source '%s' names no file", source);
    if (hk_osp_first(r, "proxy"))
        hk_note(r->ctx, where, "no proxy is used: '%s' runs in this process", proxy.file);
    *ret_rest = proxy.file;
    return HK_OK;
}

/* Behind "file:" and "file://": a path. */
static const char *skip_file(const char *text) {
    size_t scheme = hk_uri_scheme(text);
    if (scheme != 4 || strncmp(text, "file", 4) != 0)
        return text;
    text += 5;
    if (strncmp(text, "//localhost/", 12) == 0)
        return text + 11;
    return strncmp(text, "//", 2) == 0 ? text + 2 : text;
}

static void turn_slashes(hk_osp *r, char *path, const char *source, hk_where where) {
    if (!strchr(path, '\\'))
        return;
    for (char *c = path; *c; c++)
        if (*c == '\\')
            *c = '/';
    if (hk_osp_first(r, "backslash"))
        hk_warn(r->ctx, HK_E_OSP, where, "write '/'", "source '%s' is read as '%s'", source, path);
}

hk_status hk_osp_resolve(hk_osp *r, const char *source, hk_where where, const char **ret_path) {
    const char *rest = source;
    if (hk_uri_is_proxy(source))
        HK_TRY(read_proxy(r, source, where, &rest));
    rest = skip_file(rest);
    if (hk_uri_scheme(rest))
        return hk_error(r->ctx, HK_E_OSP, where, "name a file",
                        "source '%s' uses the scheme '%.*s:', hocket reads files only", source,
                        (int)hk_uri_scheme(rest), rest);
    char *path = hk_arena_strdup(r->arena, rest);
    if (!hk_uri_decode(path))
        return hk_error(r->ctx, HK_E_OSP, where, "write '%' itself as %25",
                        "source '%s' has a '%%' without two hexadecimal digits", source);
    turn_slashes(r, path, source, where);
    if (!*path || path[strlen(path) - 1] == '/')
        return hk_error(r->ctx, HK_E_OSP, where, NULL, "source '%s' names no file", source);
    *ret_path = path[0] == '/' ? path : hk_path_join(r->arena, r->folder, path);
    return HK_OK;
}
