/* SPDX-License-Identifier: MIT
 *
 * Sources are relative to the SSD, and stay below its folder: a file from a stranger must not
 * reach others. */
#include "base/file.h"
#include "base/number.h"
#include "ssp/ssp_internal.h"

#include <string.h>

/* False if a '%' is not followed by two digits, or stands for NUL. */
static bool percent_decode(char *text) {
    char *out = text;
    for (const char *c = text; *c; c++) {
        int high = -1, low = -1;
        if (*c == '%') {
            high = hk_read_hex_digit(c[1]);
            low = high < 0 ? -1 : hk_read_hex_digit(c[2]);
            if (low < 0 || high + low == 0)
                return false;
            c += 2;
        }
        *out++ = (char)(high < 0 ? *c : 16 * high + low);
    }
    *out = '\0';
    return true;
}

static size_t scheme_length(const char *uri) {
    size_t n = 0;
    while ((uri[n] >= 'a' && uri[n] <= 'z') || (uri[n] >= 'A' && uri[n] <= 'Z') ||
           (n && ((uri[n] >= '0' && uri[n] <= '9') || strchr("+-.", uri[n] ? uri[n] : 'x'))))
        n++;
    return n && uri[n] == ':' ? n : 0;
}

static bool leaves_folder(const char *path) {
    for (const char *c = path; c;) {
        size_t length = strcspn(c, "/\\");
        if (length == 2 && c[0] == '.' && c[1] == '.')
            return true;
        c = c[length] ? c + length + 1 : NULL;
    }
    return false;
}

hk_status hk_ssp_resolve(hk_ssp *r, const char *source, hk_where where, const char **ret_path,
                         const char **ret_fragment) {
    const char *rest = source;
    size_t scheme = scheme_length(source);
    if (scheme == 4 && strncmp(source, "file", 4) == 0)
        rest += 5;
    else if (scheme)
        return hk_error(r->ctx, HK_E_SSP, where, "put the file beside the .ssd and name it there",
                        "source '%s' uses the scheme '%.*s:', hocket reads files only", source,
                        (int)scheme, source);
    const char *hash = strchr(rest, '#');
    char *path = hk_arena_strndup(r->arena, rest, hash ? (size_t)(hash - rest) : strlen(rest));
    char *fragment = hash ? hk_arena_strdup(r->arena, hash + 1) : NULL;
    if (!percent_decode(path) || (fragment && !percent_decode(fragment)))
        return hk_error(r->ctx, HK_E_SSP, where, "write '%' itself as %25",
                        "source '%s' has a '%%' without two hexadecimal digits", source);
    if (path[0] == '/' || path[0] == '\\')
        return hk_error(r->ctx, HK_E_SSP, where, "use a path relative to the .ssd file",
                        "source '%s' is absolute", source);
    if (leaves_folder(path))
        return hk_error(r->ctx, HK_E_SSP, where, "put the file beside or below the .ssd file",
                        "source '%s' leaves the folder of the system with '..'", source);
    const char *relative = path;
    while (strncmp(relative, "./", 2) == 0)
        relative += 2;
    if (!*relative)
        return hk_error(r->ctx, HK_E_SSP, where, NULL, "source '%s' names no file", source);
    *ret_path = relative;
    *ret_fragment = fragment;
    return HK_OK;
}
