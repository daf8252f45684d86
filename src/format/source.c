/* SPDX-License-Identifier: MIT */
#include "format/source.h"

#include "format/uri.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define RELATIVE "use a path relative to the file of the system"

/* Some tools write the way as Windows does; a name with a backslash in it is rarer than that. */
static void turn_slashes(hk_ctx *ctx, hk_reading *r, char *path, const char *source,
                         hk_where where) {
    if (!strchr(path, '\\'))
        return;
    for (char *c = path; (c = strchr(c, '\\'));)
        *c = '/';
    if (hk_reading_first(r, "backslash"))
        hk_warn(ctx, r->code, where, "write '/', on every system",
                "source '%s' has backslashes; they are read as '/'", source);
}

/* The file behind a proxy (libcosim, ecos, Vico): it runs here, in this process. */
static hk_status read_proxy(hk_ctx *ctx, hk_reading *r, const char *source, hk_where where,
                            const char **ret_rest) {
    hk_uri_proxy proxy = hk_uri_read_proxy(r->arena, source);
    if (!proxy.local)
        return hk_error(ctx, r->code, where,
                        "copy the FMU to this machine and name it as the source",
                        "source '%s' runs on the host '%s', and hocket runs FMUs of this machine "
                        "only",
                        source, proxy.host);
    if (!proxy.file || !*proxy.file)
        return hk_error(ctx, r->code, where, "write proxyfmu://localhost?file=NAME.fmu",
                        "source '%s' names no file", source);
    if (hk_reading_first(r, "proxy"))
        hk_note(ctx, where, "no proxy is used: '%s' runs in this process", proxy.file);
    *ret_rest = proxy.file;
    return HK_OK;
}

/* Where the path begins behind "file:", "file://" and "file://localhost"; NULL: another machine. */
static const char *skip_file(const char *rest) {
    static const char here[] = "//localhost/";
    if (strncasecmp(rest, here, sizeof here - 1) == 0)
        return rest + sizeof here - 2;
    if (strncmp(rest, "//", 2) != 0)
        return rest;
    return rest[2] == '/' ? rest + 2 : NULL;
}

/* *REST: what is left of the source. */
static hk_status skip_scheme(hk_ctx *ctx, const hk_reading *r, const char *source, hk_where where,
                             const char **rest) {
    size_t scheme = hk_uri_scheme(*rest);
    if (isalpha((unsigned char)(*rest)[0]) && (*rest)[1] == ':')
        return hk_error(ctx, r->code, where, RELATIVE, "source '%s' names a drive of Windows",
                        source);
    if (!scheme)
        return HK_OK;
    if (scheme != 4 || strncasecmp(*rest, "file", 4) != 0)
        return hk_error(ctx, r->code, where,
                        "put the file beside that of the system and name it "
                        "there",
                        "source '%s' uses the scheme '%.*s:', hocket reads files only", source,
                        (int)scheme, *rest);
    *rest = skip_file(*rest + scheme + 1);
    return *rest ? HK_OK
                 : hk_error(ctx, r->code, where, RELATIVE, "source '%s' names a machine", source);
}

hk_status hk_source_read(hk_ctx *ctx, hk_reading *r, const char *source, hk_where where,
                         char **ret_path, char **ret_fragment) {
    const char *rest = source;
    if (hk_uri_is_proxy(source))
        HK_TRY(read_proxy(ctx, r, source, where, &rest));
    HK_TRY(skip_scheme(ctx, r, source, where, &rest));
    const char *hash = ret_fragment ? strchr(rest, '#') : NULL;
    char *path = hk_arena_strndup(r->arena, rest, hash ? (size_t)(hash - rest) : strlen(rest));
    char *fragment = hash ? hk_arena_strdup(r->arena, hash + 1) : NULL;
    if (!hk_uri_decode(path) || (fragment && !hk_uri_decode(fragment)))
        return hk_error(ctx, r->code, where, "write '%' itself as %25",
                        "source '%s' has a '%%' without two hexadecimal digits", source);
    turn_slashes(ctx, r, path, source, where);
    *ret_path = path;
    if (ret_fragment)
        *ret_fragment = fragment;
    return HK_OK;
}

hk_status hk_source_check_file(hk_ctx *ctx, const hk_reading *r, const char *source,
                               const char *path, hk_where where) {
    if (*path && path[strlen(path) - 1] != '/')
        return HK_OK;
    return hk_error(ctx, r->code, where, NULL, "source '%s' names no file", source);
}
