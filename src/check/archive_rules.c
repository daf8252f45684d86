/* SPDX-License-Identifier: MIT
 *
 * Rules about what is where inside the archive, and about its other XML files. */
#include "check/lint.h"

#include <string.h>

enum { XML_BYTES_MAX = 64 << 20 }; /* of the files beside the description */

/* The entries of an archive as a set of folders and files. */
typedef struct survey {
    hk_lint *lint;
    hk_zip *zip;
    const char *path;
} survey;

static hk_where entry_at(survey *s, const char *name) {
    return (hk_where){.file = s->path,
                      .element = hk_arena_printf(s->lint->arena, "entry '%.200s'", name)};
}

static bool begins(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool has_below(const survey *s, const char *folder) {
    for (size_t i = 0; i < hk_zip_count(s->zip); i++)
        if (begins(hk_zip_name(s->zip, i), folder) && hk_zip_name(s->zip, i)[strlen(folder)])
            return true;
    return false;
}

static void check_names(survey *s) {
    hk_map small = {0};
    for (size_t i = 0; i < hk_zip_count(s->zip); i++) {
        const char *raw = hk_zip_raw_name(s->zip, i), *name = hk_zip_name(s->zip, i);
        if (hk_zip_repeats(s->zip, i))
            hk_lint_where(s->lint, HK_RULE_ENTRY_TWICE, entry_at(s, name), NULL,
                          "the archive lists it more than once%s",
                          hk_zip_repeats(s->zip, i) == HK_ZIP_DIFFERENT ? ", with other contents"
                                                                        : "");
        if (s->lint->version > 1 && strcmp(raw, name) != 0)
            hk_lint_where(s->lint, HK_RULE_ENTRY_NAME, entry_at(s, raw), NULL, "%s",
                          strchr(raw, '\\') ? "the name has '\\' instead of '/'"
                                            : "the name holds '.' or an empty part");
        char *lower = hk_arena_strdup(s->lint->arena, name);
        for (char *p = lower; *p; p++)
            *p = *p >= 'A' && *p <= 'Z' ? (char)(*p + 32) : *p;
        uint32_t first = hk_map_put(&small, lower, (uint32_t)i);
        if (first != i)
            hk_lint_where(s->lint, HK_RULE_ENTRY_CASE, entry_at(s, name), NULL,
                          "the name differs from '%.200s' by capitals only",
                          hk_zip_name(s->zip, first));
    }
    hk_map_finish(&small);
}

/* Lists what is directly in FOLDER ("" or "x/"), each once: "a" for a file, "b/" for a folder.
 */
static const char **list_folder(survey *s, const char *folder, size_t *ret_count) {
    const char **names = HK_NEW_ARRAY(s->lint->arena, const char *, hk_zip_count(s->zip) + 1);
    hk_map seen = {0};
    size_t count = 0, skip = strlen(folder);
    for (size_t i = 0; i < hk_zip_count(s->zip); i++) {
        const char *name = hk_zip_name(s->zip, i);
        if (!begins(name, folder) || !name[skip])
            continue;
        size_t length = strcspn(name + skip, "/");
        length += name[skip + length] == '/';
        const char *part = hk_arena_strndup(s->lint->arena, name + skip, length);
        if (hk_map_put(&seen, part, (uint32_t)count) == count)
            names[count++] = part;
    }
    hk_map_finish(&seen);
    *ret_count = count;
    return names;
}

static void check_top(survey *s) {
    static const char *const known[] = {
        "modelDescription.xml", "model.png",      "binaries/",          "sources/",
        "resources/",           "documentation/", "terminalsAndIcons/", "extra/"};
    size_t count, extra_count;
    const char **names = list_folder(s, "", &count);
    for (size_t i = 0; i < count; i++) {
        bool found = false;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            found = found || strcmp(names[i], known[k]) == 0;
        if (!found)
            hk_lint_where(s->lint, HK_RULE_ENTRY_ROOT, entry_at(s, names[i]),
                          "put it below extra or resources",
                          "the standard has no such name at the top of the archive");
    }
    const char **extra = list_folder(s, "extra/", &extra_count);
    for (size_t i = 0; i < extra_count && s->lint->version > 1; i++) {
        const char *dot = strchr(extra[i], '.'), *slash = strchr(extra[i], '/');
        if (!slash || !dot || dot == extra[i] || dot + 1 >= slash)
            hk_lint_where(s->lint, HK_RULE_EXTRA_NAME,
                          entry_at(s, hk_arena_printf(s->lint->arena, "extra/%s", extra[i])), NULL,
                          "it is not a folder named after a domain, as in 'com.example'");
    }
    const char *page =
        s->lint->version == 1 ? "documentation/_main.html" : "documentation/index.html";
    if (has_below(s, "documentation/") && hk_zip_find(s->zip, page) < 0)
        hk_lint_where(s->lint, HK_RULE_DOCUMENTATION, entry_at(s, "documentation/"), NULL,
                      "there is no '%s'", page);
    if (s->lint->version > 1 && has_below(s, "documentation/licenses/") &&
        hk_zip_find(s->zip, "documentation/licenses/license.txt") < 0 &&
        hk_zip_find(s->zip, "documentation/licenses/license.html") < 0)
        hk_lint_where(s->lint, HK_RULE_LICENSES, entry_at(s, "documentation/licenses/"), NULL,
                      "there is neither license.txt nor license.html");
}

/* Reads an XML file of the archive and holds it to the row TYPE of the schema of FMI 3.0, which
 * FMI 2.0 uses for these files, too. NULL: not there, or not readable, which is reported then. */
static const hk_xml *read_xml(survey *s, const char *name, const char *type,
                              const char *root_name) {
    int64_t entry = hk_zip_find(s->zip, name);
    char *data = NULL;
    size_t size;
    const hk_xml *root = NULL;
    if (entry < 0)
        return NULL;
    if (hk_zip_size(s->zip, (size_t)entry) > XML_BYTES_MAX) {
        hk_lint_where(s->lint, HK_RULE_XML, entry_at(s, name), NULL, "the file is too large");
        return NULL;
    }
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    s->lint->file = hk_arena_printf(s->lint->arena, "%s/%s", s->path, name);
    hk_status status = hk_zip_read(quiet, s->zip, (size_t)entry, &data, &size);
    if (status == HK_OK)
        status = hk_xml_parse(quiet, s->lint->arena, s->lint->file, data, size, &root);
    if (status != HK_OK) {
        const hk_diag *why = hk_ctx_diag(quiet, 0);
        hk_where where = {
            .file = s->lint->file, .line = why->where.line, .column = why->where.column};
        hk_lint_where(s->lint, HK_RULE_XML, where, NULL, "%s", why->text);
        root = NULL;
    } else if (strcmp(root->name, root_name) != 0) {
        hk_lint_add(s->lint, HK_RULE_XML, root, NULL, "the root element is not %s", root_name);
        root = NULL;
    } else {
        hk_lint_schema(s->lint, hk_schema_fmi3, type, root);
    }
    hk_free(data);
    hk_ctx_destroy(quiet);
    return root;
}

static bool has_variable(const hk_lint *lint, const char *name) {
    if (hk_map_get(&lint->by_name, name) != HK_MAP_NONE)
        return true;
    for (size_t i = 0; i < lint->variable_count && lint->version == 3; i++) {
        const hk_xml *alias = hk_xml_child(lint->variables[i].element, NULL, "Alias");
        for (; alias; alias = hk_xml_next(alias, NULL, "Alias")) {
            const char *own = hk_xml_attr_get(alias, "name");
            if (own && strcmp(own, name) == 0)
                return true;
        }
    }
    return false;
}

static void check_member(hk_lint *lint, const hk_xml *member, const char *attribute) {
    const char *name = hk_xml_attr_get(member, attribute);
    if (name && !has_variable(lint, name))
        hk_lint_add(lint, HK_RULE_TERMINAL_VARIABLE, member, NULL,
                    "%s=\"%.100s\" names no variable", attribute, name);
}

static void check_members(survey *s, const hk_xml *terminal) {
    hk_lint *lint = s->lint;
    const char *rule = hk_xml_attr_get(terminal, "matchingRule");
    bool by_name = rule && (strcmp(rule, "plug") == 0 || strcmp(rule, "bus") == 0);
    hk_map names = {0};
    for (const hk_xml *m = terminal->child; m; m = m->next) {
        const char *icon = hk_xml_attr_get(m, "iconBaseName");
        if (strcmp(m->name, "TerminalStreamMemberVariable") == 0) {
            check_member(lint, m, "inStreamVariableName");
            check_member(lint, m, "outStreamVariableName");
        } else if (strcmp(m->name, "TerminalMemberVariable") == 0) {
            const char *name = hk_xml_attr_get(m, "memberName");
            check_member(lint, m, "variableName");
            if (by_name && !name)
                hk_lint_add(lint, HK_RULE_TERMINAL_MEMBER, m, NULL,
                            "the attribute 'memberName' is missing, but members match by name");
            else if (name && hk_map_get(&names, name) != HK_MAP_NONE)
                hk_lint_add(lint, HK_RULE_TERMINAL_MEMBER, m, NULL,
                            "another member has the name '%.100s'", name);
            if (name)
                hk_map_put(&names, name, 0);
        } else if (icon) {
            const char *file = hk_arena_printf(lint->arena, "terminalsAndIcons/%s.png", icon);
            if (hk_zip_find(s->zip, file) < 0)
                hk_lint_add(lint, HK_RULE_TERMINAL_ICON, m, NULL, "the archive has no '%.200s'",
                            file);
        }
    }
    hk_map_finish(&names);
}

/* PARENT holds elements <Terminal>; depth is bounded by the reader of XML. */
static void check_terminals(survey *s, const hk_xml *parent) {
    hk_map names = {0};
    for (const hk_xml *t = hk_xml_child(parent, NULL, "Terminal"); t;
         t = hk_xml_next(t, NULL, "Terminal")) {
        const char *name = hk_xml_attr_get(t, "name");
        if (name && hk_map_get(&names, name) != HK_MAP_NONE)
            hk_lint_add(s->lint, HK_RULE_TERMINAL_UNIQUE, t, NULL,
                        "another terminal beside it has the same name");
        if (name)
            hk_map_put(&names, name, 0);
        check_members(s, t);
        check_terminals(s, t);
    }
    hk_map_finish(&names);
}

static void check_source(survey *s, const hk_xml *e) {
    const char *name = hk_xml_attr_get(e, "name");
    if (name && hk_zip_find(s->zip, hk_arena_printf(s->lint->arena, "sources/%s", name)) < 0)
        hk_lint_add(s->lint, HK_RULE_SOURCES, e, NULL, "the archive has no 'sources/%.200s'", name);
}

static void check_sources(survey *s, const char *description) {
    hk_lint *lint = s->lint;
    bool listed = false;
    if (lint->version == 1)
        return;
    const hk_xml *build =
        read_xml(s, "sources/buildDescription.xml", "Build", "fmiBuildDescription");
    for (const hk_xml *c = build ? build->child : NULL; c; c = c->next)
        for (const hk_xml *set = c->child; set; set = set->next)
            for (const hk_xml *e = hk_xml_child(set, NULL, "SourceFile"); e;
                 e = hk_xml_next(e, NULL, "SourceFile"))
                check_source(s, e);
    lint->file = description;
    for (const hk_xml *e = lint->version == 2 ? lint->root->child : NULL; e; e = e->next) {
        const hk_xml *files = hk_xml_child(e, NULL, "SourceFiles");
        for (const hk_xml *f = files ? files->child : NULL; f; f = f->next) {
            listed = true;
            check_source(s, f);
        }
    }
    if (has_below(s, "sources/") && hk_zip_find(s->zip, "sources/buildDescription.xml") < 0 &&
        !listed)
        hk_lint_where(lint, HK_RULE_SOURCES, entry_at(s, "sources/"), NULL,
                      "there is no sources/buildDescription.xml%s",
                      lint->version == 2 ? ", and no SourceFiles in the description" : "");
}

void hk_lint_archive(hk_lint *lint, hk_zip *zip, const char *path) {
    survey s = {.lint = lint, .zip = zip, .path = path};
    const char *description = lint->file;
    check_names(&s);
    check_top(&s);
    check_sources(&s, description);
    if (lint->version > 1) {
        const hk_xml *t = read_xml(&s, "terminalsAndIcons/terminalsAndIcons.xml",
                                   "TerminalsAndIcons", "fmiTerminalsAndIcons");
        const hk_xml *list = t ? hk_xml_child(t, NULL, "Terminals") : NULL;
        if (list)
            check_terminals(&s, list);
    }
    lint->file = description;
    size_t count;
    const char **platforms = list_folder(&s, "binaries/", &count);
    if (!count && !has_below(&s, "sources/"))
        hk_lint_where(lint, HK_RULE_NO_IMPLEMENTATION, (hk_where){.file = path}, NULL,
                      "the archive holds neither a library nor sources");
    for (size_t i = 0; i < count; i++)
        hk_lint_platform(lint, zip, path, platforms[i]);
}
