/* SPDX-License-Identifier: MIT */
#include "format/xml.h"

#include "base/map.h"

#include <expat.h>
#include <string.h>

/* Expat joins URI and local name with this. It is no URI character, so expat refuses URIs that
 * hold it. */
enum { SEPARATOR = '\n' };
/* Expat writes the URI out again for every name, so a long one would cost quadratic time. */
enum { URI_MAX = 4096 };
enum { PIECE_BYTES = 1 << 20 };

typedef struct qname {
    const char *ns, *name;
} qname;

typedef struct builder {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *file;
    XML_Parser parser;
    hk_status status; /* the first failure of ours */
    hk_map known;     /* a name as expat writes it -> index into names */
    hk_map uris;      /* URI -> index into uri_texts */
    qname *names;
    size_t name_count, name_cap;
    const char **uri_texts;
    size_t uri_count, uri_cap;
    /* Text of the open elements, the inner ones behind the outer ones. */
    char *text;
    size_t text_used, text_cap;
    int depth;
    struct level {
        hk_xml *element, *last_child;
        size_t text_start;
    } levels[HK_XML_DEPTH_MAX];
    hk_xml *root;
} builder;

static hk_where here(const builder *b) {
    return (hk_where){.file = b->file,
                      .line = (int)XML_GetCurrentLineNumber(b->parser),
                      .column = (int)XML_GetCurrentColumnNumber(b->parser) + 1};
}

static void stop(builder *b, hk_status status) {
    b->status = status;
    XML_StopParser(b->parser, XML_FALSE);
}

static const char *intern_uri(builder *b, const char *text, size_t length) {
    char uri[URI_MAX + 1];
    if (length > URI_MAX)
        length = URI_MAX;
    memcpy(uri, text, length);
    uri[length] = '\0';
    uint32_t index = hk_map_get(&b->uris, uri);
    if (index == HK_MAP_NONE) {
        const char *copy = hk_arena_strdup(b->arena, uri);
        index = hk_map_put(&b->uris, copy, (uint32_t)b->uri_count);
        HK_PUSH(b->uri_texts, b->uri_count, b->uri_cap, copy);
    }
    return b->uri_texts[index];
}

/* The names of a file repeat: each is copied and split once. */
static qname intern(builder *b, const char *full) {
    uint32_t index = hk_map_get(&b->known, full);
    if (index != HK_MAP_NONE)
        return b->names[index];
    const char *copy = hk_arena_strdup(b->arena, full);
    const char *separator = strrchr(copy, SEPARATOR);
    qname name = {intern_uri(b, copy, separator ? (size_t)(separator - copy) : 0),
                  separator ? separator + 1 : copy};
    hk_map_put(&b->known, copy, (uint32_t)b->name_count);
    HK_PUSH(b->names, b->name_count, b->name_cap, name);
    return name;
}

static void XMLCALL on_start(void *user, const XML_Char *full, const XML_Char **pairs) {
    builder *b = user;
    if (b->status != HK_OK)
        return;
    if (b->depth == HK_XML_DEPTH_MAX) {
        stop(b, hk_error(b->ctx, HK_E_XML, here(b), NULL, "elements are nested more than %d deep",
                         HK_XML_DEPTH_MAX));
        return;
    }
    qname name = intern(b, full);
    hk_xml *element = HK_NEW(b->arena, hk_xml);
    hk_where where = here(b);
    element->ns = name.ns;
    element->name = name.name;
    element->text = "";
    element->line = where.line;
    element->column = where.column;
    size_t count = 0;
    while (pairs[2 * count])
        count++;
    hk_xml_attr *attrs = count ? HK_NEW_ARRAY(b->arena, hk_xml_attr, count) : NULL;
    for (size_t i = 0; i < count; i++) {
        qname attr = intern(b, pairs[2 * i]);
        attrs[i] = (hk_xml_attr){attr.ns, attr.name, hk_arena_strdup(b->arena, pairs[2 * i + 1])};
    }
    element->attrs = attrs;
    element->attr_count = count;
    if (b->depth) {
        struct level *parent = &b->levels[b->depth - 1];
        if (parent->last_child)
            parent->last_child->next = element;
        else
            parent->element->child = element;
        parent->last_child = element;
    } else {
        b->root = element;
    }
    b->levels[b->depth++] = (struct level){.element = element, .text_start = b->text_used};
}

static bool is_blank(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!strchr(" \t\r\n", text[i]))
            return false;
    return true;
}

static void XMLCALL on_end(void *user, const XML_Char *full) {
    (void)full;
    builder *b = user;
    if (b->status != HK_OK)
        return;
    struct level *level = &b->levels[--b->depth];
    size_t length = b->text_used - level->text_start;
    const char *text = length ? b->text + level->text_start : "";
    /* The line breaks between children are layout, not text. */
    if (length && !(level->element->child && is_blank(text, length)))
        level->element->text = hk_arena_strndup(b->arena, text, length);
    b->text_used = level->text_start;
}

static void XMLCALL on_text(void *user, const XML_Char *text, int length) {
    builder *b = user;
    size_t size = (size_t)length;
    if (b->status != HK_OK)
        return;
    if (size > b->text_cap - b->text_used) {
        b->text_cap = 2 * (b->text_used + size);
        b->text = hk_realloc(b->text, b->text_cap);
    }
    memcpy(b->text + b->text_used, text, size);
    b->text_used += size;
}

static void XMLCALL on_doctype(void *user, const XML_Char *name, const XML_Char *system,
                               const XML_Char *public, int has_subset) {
    (void)name, (void)system, (void)public, (void)has_subset;
    builder *b = user;
    stop(b, hk_error(b->ctx, HK_E_XML, here(b), "remove the <!DOCTYPE ...> line",
                     "document type declarations are not allowed"));
}

static void XMLCALL on_namespace(void *user, const XML_Char *prefix, const XML_Char *uri) {
    (void)prefix;
    builder *b = user;
    if (uri && strlen(uri) > URI_MAX && b->status == HK_OK)
        stop(b, hk_error(b->ctx, HK_E_XML, here(b), NULL,
                         "the namespace is longer than %d characters", URI_MAX));
}

static hk_status run(builder *b, const char *data, size_t size) {
    size_t done = 0;
    do {
        size_t piece = size - done < PIECE_BYTES ? size - done : PIECE_BYTES;
        bool last = done + piece == size;
        if (XML_Parse(b->parser, data + done, (int)piece, last) != XML_STATUS_OK) {
            if (b->status != HK_OK)
                return b->status;
            enum XML_Error problem = XML_GetErrorCode(b->parser);
            const char *hint = NULL;
            if (problem == XML_ERROR_NO_ELEMENTS)
                hint = "the file is empty or ends too early";
            else if (problem == XML_ERROR_UNKNOWN_ENCODING)
                hint = "save the file as UTF-8";
            return hk_error(b->ctx, HK_E_XML, here(b), hint, "%s", XML_ErrorString(problem));
        }
        done += piece;
    } while (done < size);
    return HK_OK;
}

hk_status hk_xml_parse(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                       size_t size, const hk_xml **ret_root) {
    builder *b = hk_alloc(sizeof *b);
    b->ctx = ctx;
    b->arena = arena;
    b->file = file;
    b->parser = XML_ParserCreateNS(NULL, SEPARATOR);
    hk_status status;
    if (!b->parser) {
        status = hk_error(ctx, HK_E_MEMORY, (hk_where){.file = file}, NULL,
                          "the XML parser got no memory");
    } else {
        XML_SetUserData(b->parser, b);
        XML_SetElementHandler(b->parser, on_start, on_end);
        XML_SetCharacterDataHandler(b->parser, on_text);
        XML_SetStartDoctypeDeclHandler(b->parser, on_doctype);
        XML_SetStartNamespaceDeclHandler(b->parser, on_namespace);
        status = run(b, data, size);
        XML_ParserFree(b->parser);
    }
    if (status == HK_OK)
        *ret_root = b->root;
    hk_map_finish(&b->known);
    hk_map_finish(&b->uris);
    hk_free(b->names);
    hk_free(b->uri_texts);
    hk_free(b->text);
    hk_free(b);
    return status;
}

const char *hk_xml_attr_get(const hk_xml *element, const char *name) {
    for (size_t i = 0; i < element->attr_count; i++)
        if (!element->attrs[i].ns[0] && strcmp(element->attrs[i].name, name) == 0)
            return element->attrs[i].value;
    return NULL;
}

static const hk_xml *first_match(const hk_xml *element, const char *ns, const char *name) {
    while (element && (strcmp(element->name, name) != 0 || (ns && strcmp(element->ns, ns) != 0)))
        element = element->next;
    return element;
}

const hk_xml *hk_xml_child(const hk_xml *element, const char *ns, const char *name) {
    return first_match(element->child, ns, name);
}

const hk_xml *hk_xml_next(const hk_xml *element, const char *ns, const char *name) {
    return first_match(element->next, ns, name);
}

hk_where hk_xml_where(const char *file, const hk_xml *element) {
    return (hk_where){.file = file, .line = element->line, .column = element->column};
}
