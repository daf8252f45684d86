/* SPDX-License-Identifier: MIT
 *
 * Sources are relative to the SSD. In a package they stay below its folder: an archive from a
 * stranger holds what it needs. A loose SSD names files as its owner keeps them, anywhere. */
#include "format/uri.h"
#include "base/file.h"
#include "ssp/ssp_internal.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

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

/* Some tools write the way as Windows does; a name with a backslash in it is rarer than that. */
static void turn_slashes(hk_ssp *r, char *path, const char *source, hk_where where) {
    if (!strchr(path, '\\'))
        return;
    for (char *c = path; (c = strchr(c, '\\'));)
        *c = '/';
    if (hk_ssp_first(r, "backslash"))
        hk_warn(r->ctx, HK_E_SSP, where, "write '/', on every system",
                "source '%s' has backslashes; they are read as '/'", source);
}

/* The file behind a proxy (libcosim, ecos, Vico): it runs here, in this process. NULL after an
 * error.
 */
static const char *behind_proxy(hk_ssp *r, const char *source, hk_where where, hk_status *ret) {
    hk_uri_proxy proxy = hk_uri_read_proxy(r->arena, source);
    if (!proxy.local) {
        *ret = hk_error(r->ctx, HK_E_SSP, where, "put the FMU beside the .ssd and name it there",
                        "source '%s' runs on the host '%s', and hocket runs FMUs of this machine "
                        "only",
                        source, proxy.host);
        return NULL;
    }
    if (!proxy.file || !*proxy.file) {
        *ret = hk_error(r->ctx, HK_E_SSP, where, "write proxyfmu://localhost?file=NAME.fmu",
                        "source '%s' names no file", source);
        return NULL;
    }
    if (hk_ssp_first(r, "proxy"))
        hk_note(r->ctx, where, "no proxy is used: '%s' runs in this process", proxy.file);
    return proxy.file;
}

/* Where the path begins in a source; NULL after an error. */
static const char *skip_scheme(hk_ssp *r, const char *source, hk_where where, hk_status *ret) {
    if (hk_uri_is_proxy(source))
        return behind_proxy(r, source, where, ret);
    size_t scheme = hk_uri_scheme(source);
    const char *rest = source + (scheme ? scheme + 1 : 0);
    bool drive = isalpha((unsigned char)source[0]) && source[1] == ':';
    bool file = scheme == 4 && strncasecmp(source, "file", 4) == 0;
    if (drive || (file && strncmp(rest, "//", 2) == 0 && rest[2] != '/'))
        *ret = hk_error(
            r->ctx, HK_E_SSP, where, "use a path relative to the .ssd file",
            drive ? "source '%s' names a drive of Windows" : "source '%s' names a machine", source);
    else if (scheme && !file)
        *ret = hk_error(r->ctx, HK_E_SSP, where, "put the file beside the .ssd and name it there",
                        "source '%s' uses the scheme '%.*s:', hocket reads files only", source,
                        (int)scheme, source);
    else
        return rest;
    return NULL;
}

hk_status hk_ssp_resolve(hk_ssp *r, const hk_ssp_base *base, const char *source, hk_where where,
                         const char **ret_path, const char **ret_fragment) {
    hk_status status = HK_OK;
    bool packed = base->store->packed;
    const char *rest = skip_scheme(r, source, where, &status);
    if (!rest)
        return status;
    const char *hash = strchr(rest, '#');
    char *path = hk_arena_strndup(r->arena, rest, hash ? (size_t)(hash - rest) : strlen(rest));
    char *fragment = hash ? hk_arena_strdup(r->arena, hash + 1) : NULL;
    if (!hk_uri_decode(path) || (fragment && !hk_uri_decode(fragment)))
        return hk_error(r->ctx, HK_E_SSP, where, "write '%' itself as %25",
                        "source '%s' has a '%%' without two hexadecimal digits", source);
    turn_slashes(r, path, source, where);
    if (path[0] != '/' && *path && *base->inner)
        path = hk_arena_printf(r->arena, "%s/%s", base->inner, path);
    if (path[0] == '/' && packed)
        return hk_error(r->ctx, HK_E_SSP, where, "use a path relative to the .ssd file",
                        "source '%s' is absolute", source);
    if (!tidy(path) && packed)
        return hk_error(r->ctx, HK_E_SSP, where, "put the file into the package",
                        "source '%s' leaves the folder of the system with '..'", source);
    if (!*path || path[strlen(path) - 1] == '/')
        return hk_error(r->ctx, HK_E_SSP, where, NULL, "source '%s' names no file", source);
    *ret_path = path;
    *ret_fragment = fragment;
    return HK_OK;
}
