/* SPDX-License-Identifier: MIT */
#include "check/lint.h"

#include "fmi/fmi.h"

#include <string.h>

/* The first line of an XML file names the encoding. */
static void check_encoding(hk_lint *lint, const char *data, size_t size) {
    static const char mark[] = "\xEF\xBB\xBF";
    const char *head = data;
    hk_where where = {.file = lint->file, .line = 1};
    if (lint->version < 2)
        return;
    if (size >= 3 && memcmp(head, mark, 3) == 0)
        head += 3;
    size_t left = size - (size_t)(head - data), length = 0;
    while (length < left && length < 200 && head[length] != '>')
        length++;
    char line[201] = "";
    memcpy(line, head, length);
    const char *word = strncmp(line, "<?xml", 5) == 0 ? strstr(line, "encoding") : NULL;
    const char *value = word ? strpbrk(word, "\"'") : NULL;
    bool utf8 = value && (value[1] == 'U' || value[1] == 'u') &&
                (value[2] == 'T' || value[2] == 't') && (value[3] == 'F' || value[3] == 'f') &&
                strncmp(value + 4, "-8", 2) == 0;
    if (!utf8)
        hk_lint_where(lint, HK_RULE_ENCODING, where,
                      "begin with <?xml version=\"1.0\" encoding=\"UTF-8\"?>",
                      value ? "the encoding is not UTF-8" : "the encoding is not given");
}

/* 1, 2, 3 by the first digit of fmiVersion; 0 if that is not a help. */
static int version_of(const hk_xml *root) {
    const char *text = hk_xml_attr_get(root, "fmiVersion");
    return text && text[0] >= '1' && text[0] <= '3' && (text[1] == '.' || !text[1]) ? text[0] - '0'
                                                                                    : 0;
}

/* The rules for the tree of a description. */
static void check_tree(hk_lint *lint, const hk_xml *root, const char *data, size_t size) {
    static const hk_schema_row *const schemas[] = {hk_schema_fmi1, hk_schema_fmi2, hk_schema_fmi3};
    lint->root = root;
    lint->version = version_of(root);
    if (strcmp(root->name, "fmiModelDescription") != 0) {
        hk_lint_add(lint, HK_RULE_SCHEMA_ROOT, root, NULL,
                    "the root element is not fmiModelDescription");
        return;
    }
    if (!lint->version) {
        const char *text = hk_xml_attr_get(root, "fmiVersion");
        hk_lint_add(lint, HK_RULE_FMI_VERSION, root, NULL,
                    text ? "fmiVersion=\"%.40s\" is not a version of FMI that hocket knows"
                         : "the attribute fmiVersion is missing%s",
                    text ? text : "");
        return;
    }
    check_encoding(lint, data, size);
    hk_lint_schema(lint, schemas[lint->version - 1], "Root", root);
    hk_lint_read(lint);
    hk_lint_root(lint);
    hk_lint_definitions(lint);
    hk_lint_names(lint);
    switch (lint->version) {
    case 1:
        hk_lint_fmi1(lint);
        break;
    case 2:
        hk_lint_fmi2(lint);
        break;
    default:
        hk_lint_fmi3(lint);
        break;
    }
}

/* The tree, as far as it can be understood; what the XML had to be forgiven breaks a rule. */
static hk_status parse(hk_lint *lint, hk_ctx *ctx, const char *data, size_t size,
                       const hk_xml **ret_root) {
    hk_xml_borne borne;
    HK_TRY(hk_xml_parse_leniently(ctx, lint->arena, &(hk_file_text){lint->file, data, size},
                                  ret_root, &borne));
    hk_where where = {
        .file = lint->file, .line = borne.encoding_line, .column = borne.encoding_column};
    if (borne.encoding)
        hk_lint_where(lint, HK_RULE_XML, where, "save the file as UTF-8",
                      "the text is not in the encoding that it claims; it is read as %s",
                      borne.encoding);
    where.line = borne.prefix_line;
    where.column = borne.prefix_column;
    if (borne.prefix_count)
        hk_lint_where(lint, HK_RULE_XML, where, NULL,
                      "the namespace prefix '%.60s:' is used but not declared", borne.prefix);
    return HK_OK;
}

hk_status hk_check_description(hk_ctx *ctx, const char *file, const char *data, size_t size,
                               hk_fmu_findings *ret_findings) {
    hk_arena *arena = hk_arena_create();
    hk_lint lint;
    const hk_xml *root;
    *ret_findings = (hk_fmu_findings){0};
    hk_lint_init(&lint, arena, file);
    hk_status status = parse(&lint, ctx, data, size, &root);
    if (status == HK_OK) {
        check_tree(&lint, root, data, size);
        status = hk_lint_report(&lint, ctx, ret_findings);
    } else {
        ret_findings->errors = 1;
    }
    hk_lint_finish(&lint);
    hk_arena_destroy(arena);
    return status;
}

/* "x.fmu is packed inside a folder": the usual reason for a missing description. */
static void no_description(hk_lint *lint, const hk_zip *zip, const char *path) {
    const char *name = NULL;
    for (size_t i = 0; i < hk_zip_count(zip) && !name; i++) {
        const char *slash = strrchr(hk_zip_name(zip, i), '/');
        if (slash && strcmp(slash + 1, "modelDescription.xml") == 0)
            name = hk_zip_name(zip, i);
    }
    hk_lint_where(lint, HK_RULE_DESCRIPTION_PLACE, (hk_where){.file = path},
                  name ? "pack the contents of the folder, not the folder" : NULL,
                  name ? "modelDescription.xml is not at the top of the archive but at '%.200s'"
                       : "there is no modelDescription.xml%s",
                  name ? name : "");
}

hk_status hk_check_fmu(hk_ctx *ctx, const char *path, hk_fmu_findings *ret_findings) {
    hk_arena *arena = hk_arena_create();
    hk_lint lint;
    hk_zip *zip = NULL;
    char *data = NULL;
    size_t size = 0;
    const hk_xml *root = NULL;
    const char *file = hk_arena_printf(arena, "%s/modelDescription.xml", path);
    *ret_findings = (hk_fmu_findings){.errors = 1};
    hk_lint_init(&lint, arena, file);
    hk_status status = hk_zip_open(ctx, path, &zip);
    if (status != HK_OK)
        goto done;
    int64_t entry = hk_zip_find(zip, "modelDescription.xml");
    if (entry < 0) {
        no_description(&lint, zip, path);
    } else {
        status = hk_zip_size(zip, (size_t)entry) > HK_FMU_DESCRIPTION_MAX
                     ? hk_error(ctx, HK_E_ZIP_UNSAFE, (hk_where){.file = path}, NULL,
                                "modelDescription.xml has more than %d MiB",
                                (int)(HK_FMU_DESCRIPTION_MAX >> 20))
                     : hk_zip_read(ctx, zip, (size_t)entry, &data, &size);
        if (status == HK_OK)
            status = parse(&lint, ctx, data, size, &root);
        if (status != HK_OK)
            goto done;
        check_tree(&lint, root, data, size);
    }
    if (lint.version)
        hk_lint_archive(&lint, zip, path);
    status = hk_lint_report(&lint, ctx, ret_findings);
done:
    hk_free(data);
    hk_zip_close(zip);
    hk_lint_finish(&lint);
    hk_arena_destroy(arena);
    return status;
}
