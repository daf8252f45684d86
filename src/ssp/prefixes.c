/* SPDX-License-Identifier: MIT
 *
 * Prefixes that are used and not declared, a common mistake in published systems. One of SSP itself
 * is an error with the line that is missing. One of another tool is in annotations, which are
 * that tool's: it is declared as nobody's, and the file is read. */
#include "ssp/ssp_internal.h"

#include <string.h>

#define MENDED_MAX ((size_t)8 << 20) /* bytes; it is copied once for each prefix */

/* What the prefix stands for wherever it is declared; NULL: it is not one of SSP or ours. */
static const char *namespace_of(const char *prefix) {
    static const char *const known[][2] = {
        {"ssd", HK_SSP_STANDARD "SystemStructureDescription"},
        {"ssc", HK_SSP_STANDARD "SystemStructureCommon"},
        {"ssv", HK_SSP_STANDARD "SystemStructureParameterValues"},
        {"ssm", HK_SSP_STANDARD "SystemStructureParameterMapping"},
        {"ssb", HK_SSP_STANDARD "SystemStructureSignalDictionary"},
        {"hk", HK_SSP_NAMESPACE},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i][0], prefix) == 0)
            return known[i][1];
    return NULL;
}

static bool is_declared(const char *text, const char *prefix, hk_ssp *r) {
    return strcmp(prefix, "xml") == 0 || strcmp(prefix, "xmlns") == 0 ||
           strstr(text, hk_arena_printf(r->arena, "xmlns:%s", prefix));
}

/* The first undeclared prefix in the tag that begins at LINE and COLUMN; NULL if it is not found.
 */
static const char *undeclared_prefix(hk_ssp *r, const char *data, size_t size, int line,
                                     int column) {
    const char *text = hk_arena_strndup(r->arena, data, size), *c = text;
    for (int i = 1; i < line && *c; c++)
        i += *c == '\n';
    for (int i = 1; i < column && *c; i++)
        c++;
    if (*c != '<')
        return NULL;
    int looked_up = 0; /* each takes a walk through the text */
    for (const char *word = ++c; *c && *c != '>' && looked_up < 100; c++) {
        if (*c == '"' || *c == '\'') { /* a value: not ours */
            c = strchr(c + 1, *c);
            if (!c)
                return NULL;
            word = c + 1;
        } else if (*c == ':') {
            const char *prefix = hk_arena_strndup(r->arena, word, (size_t)(c - word));
            looked_up++;
            if (!is_declared(text, prefix, r))
                return prefix;
        } else if (strchr(" \t\r\n=/", *c)) {
            word = c + 1;
        }
    }
    return NULL;
}

/* The text with a declaration of PREFIX in the tag of the root; NULL: there is none. Lines stay. */
static const char *declare(hk_ssp *r, const char *data, size_t size, const char *prefix,
                           size_t *ret_size) {
    const char *text = hk_arena_strndup(r->arena, data, size), *c = text;
    while ((c = strchr(c, '<')) && (c[1] == '?' || c[1] == '!')) {
        bool comment = strncmp(c, "<!--", 4) == 0;
        c = strstr(c, comment ? "-->" : ">");
        if (!c)
            return NULL;
    }
    if (!c)
        return NULL;
    c += strcspn(c, " \t\r\n/>");
    char *changed = hk_arena_printf(r->arena, "%.*s xmlns:%s=\"urn:undeclared:%s\"%s",
                                    (int)(c - text), text, prefix, prefix, c);
    *ret_size = strlen(changed);
    return changed;
}

/* Makes sense of what the XML reader, which knows nothing of SSP, has found. HK_OK: *data is to be
 * read again. */
static hk_status mend(hk_ssp *r, const hk_diag *diag, const char **data, size_t *size) {
    const char *prefix = NULL, *changed = NULL;
    if (strstr(diag->text, "unbound prefix"))
        prefix = undeclared_prefix(r, *data, *size, diag->where.line, diag->where.column);
    if (!prefix)
        return hk_error(r->ctx, diag->code, diag->where, diag->hint, "%s", diag->text);
    const char *known = namespace_of(prefix);
    const char *hint = hk_arena_printf(r->arena, "add xmlns:%s=\"%s\" to the root element", prefix,
                                       known ? known : "...");
    if (!known && *size <= MENDED_MAX)
        changed = declare(r, *data, *size, prefix, size);
    if (!changed)
        return hk_error(r->ctx, diag->code, diag->where, hint,
                        "the namespace prefix '%s:' is used but not declared", prefix);
    hk_warn(
        r->ctx, HK_E_SSP, diag->where, hint,
        "the namespace prefix '%s:' is used but not declared; it is taken for one of another tool",
        prefix);
    *data = changed;
    return HK_OK;
}

hk_status hk_ssp_parse_tree(hk_ssp *r, const char *file, const char *data, size_t size,
                            const hk_xml **ret_root) {
    enum { PREFIXES_MAX = 16 };
    for (int i = 0;; i++) {
        hk_ctx *quiet = hk_ctx_create(NULL, NULL);
        hk_status status = hk_xml_parse(quiet, r->arena, file, data, size, ret_root),
                  mended = status;
        for (size_t k = 0; status != HK_OK && k < hk_ctx_count(quiet, HK_NOTE); k++)
            if (hk_ctx_diag(quiet, k)->severity == HK_ERROR)
                mended = mend(r, hk_ctx_diag(quiet, k), &data, &size);
        hk_ctx_destroy(quiet);
        if (status == HK_OK || mended != HK_OK)
            return mended;
        if (i == PREFIXES_MAX)
            return hk_error(r->ctx, status, (hk_where){.file = file}, NULL,
                            "more than %d namespace prefixes are used but not declared",
                            PREFIXES_MAX);
    }
}
