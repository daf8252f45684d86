/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
#include "format/xml.h"

#include "base/map.h"
#include "format/xml_encoding.h"

#include <expat.h>
#include <string.h>

enum { URI_MAX = 4096, PIECE_BYTES = 1 << 20 };

/* A name as it is written, taken apart. */
typedef struct qname {
    const char *prefix, *local; /* prefix "": none */
    bool declares;              /* an attribute xmlns or xmlns:local */
} qname;

typedef struct binding {
    const char *prefix, *uri;
    int depth; /* of the element that declares it */
} binding;

typedef struct builder {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *file;
    XML_Parser parser;
    hk_status status; /* the first failure of ours */
    bool lenient;
    hk_xml_borne borne;
    hk_map known; /* a name as it is written -> index into names */
    qname *names;
    size_t name_count, name_cap;
    hk_map uris; /* URI -> index into uri_texts */
    const char **uri_texts;
    size_t uri_count, uri_cap;
    binding *bindings; /* in force, the inner ones last */
    size_t binding_count, binding_cap;
    size_t element_count, attribute_count;
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

/* ---- names ---- */

static const char *intern_uri(builder *b, const char *uri) {
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
    const char *colon = strchr(copy, ':');
    qname name = {"", copy, strcmp(copy, "xmlns") == 0};
    if (name.declares) {
        name.local = "";
    } else if (colon && colon > copy && colon[1]) {
        name.prefix = hk_arena_strndup(b->arena, copy, (size_t)(colon - copy));
        name.local = colon + 1;
        name.declares = strcmp(name.prefix, "xmlns") == 0;
    }
    /* Equal local names are one text, whatever their prefix. */
    if (name.prefix[0])
        name.local = intern_uri(b, name.local);
    else if (!name.declares)
        name.local = intern_uri(b, copy);
    hk_map_put(&b->known, copy, (uint32_t)b->name_count);
    HK_PUSH(b->names, b->name_count, b->name_cap, name);
    return name;
}

static void declare(builder *b, const char *prefix, const char *uri) {
    if (strlen(uri) > URI_MAX)
        stop(b, hk_error(b->ctx, HK_E_XML, here(b), NULL,
                         "the namespace is longer than %d characters", URI_MAX));
    else if (b->binding_count == HK_XML_NAMESPACES_MAX)
        stop(b, hk_error(b->ctx, HK_E_XML, here(b), NULL, "more than %d namespaces are declared",
                         HK_XML_NAMESPACES_MAX));
    else
        HK_PUSH(b->bindings, b->binding_count, b->binding_cap,
                ((binding){prefix, intern_uri(b, uri), b->depth}));
}

/* A prefix that nobody has declared: its own namespace if that is borne, else the end. */
static const char *undeclared(builder *b, const char *prefix) {
    hk_where where = here(b);
    if (!b->lenient) {
        stop(b, hk_error(b->ctx, HK_E_XML, where, NULL, "%s",
                         XML_ErrorString(XML_ERROR_UNBOUND_PREFIX)));
        return "";
    }
    if (b->borne.prefix_count++ == 0) {
        b->borne.prefix = prefix;
        b->borne.prefix_line = where.line;
        b->borne.prefix_column = where.column;
    }
    return intern_uri(b, hk_arena_printf(b->arena, HK_XML_UNDECLARED "%.200s", prefix));
}

static const char *find_namespace(builder *b, const char *prefix) {
    for (size_t i = b->binding_count; i-- > 0;)
        if (strcmp(b->bindings[i].prefix, prefix) == 0)
            return b->bindings[i].uri;
    if (!prefix[0])
        return intern_uri(b, "");
    if (strcmp(prefix, "xml") == 0)
        return intern_uri(b, "http://www.w3.org/XML/1998/namespace");
    return undeclared(b, prefix);
}

/* ---- elements ---- */

static bool within_limits(builder *b, size_t attributes) {
    b->element_count++;
    b->attribute_count += attributes;
    if (b->depth == HK_XML_DEPTH_MAX)
        stop(b, hk_error(b->ctx, HK_E_XML, here(b), NULL, "elements are nested more than %d deep",
                         HK_XML_DEPTH_MAX));
    else if (b->element_count > HK_XML_ELEMENTS_MAX)
        stop(b, hk_error(b->ctx, HK_E_XML, here(b), NULL, "the file has more than %d elements",
                         HK_XML_ELEMENTS_MAX));
    else if (b->attribute_count > HK_XML_ATTRIBUTES_MAX)
        stop(b, hk_error(b->ctx, HK_E_XML, here(b), NULL, "the file has more than %d attributes",
                         HK_XML_ATTRIBUTES_MAX));
    return b->status == HK_OK;
}

static void add_attributes(builder *b, hk_xml *element, const XML_Char **pairs, size_t count) {
    hk_xml_attr *attrs = count ? HK_NEW_ARRAY(b->arena, hk_xml_attr, count) : NULL;
    for (size_t i = 0; b->status == HK_OK && pairs[2 * i]; i++) {
        const char *value = pairs[2 * i + 1];
        qname name = intern(b, pairs[2 * i]);
        if (!name.declares)
            attrs[element->attr_count++] =
                (hk_xml_attr){name.prefix[0] ? find_namespace(b, name.prefix) : "", name.local,
                              *value ? hk_arena_strdup(b->arena, value) : ""};
    }
    element->attrs = attrs;
}

static void hang_in(builder *b, hk_xml *element) {
    if (!b->depth) {
        b->root = element;
        return;
    }
    struct level *parent = &b->levels[b->depth - 1];
    if (parent->last_child)
        parent->last_child->next = element;
    else
        parent->element->child = element;
    parent->last_child = element;
}

static void XMLCALL on_start(void *user, const XML_Char *full, const XML_Char **pairs) {
    builder *b = user;
    size_t count = 0;
    while (pairs[2 * count])
        count++;
    if (b->status != HK_OK || !within_limits(b, count))
        return;
    size_t kept = 0;
    for (size_t i = 0; i < count && b->status == HK_OK; i++) {
        qname name = intern(b, pairs[2 * i]);
        if (name.declares)
            declare(b, name.local, pairs[2 * i + 1]);
        else
            kept++;
    }
    qname name = intern(b, full);
    hk_where where = here(b);
    hk_xml *element = HK_NEW(b->arena, hk_xml);
    element->ns = b->status == HK_OK ? find_namespace(b, name.prefix) : "";
    element->name = name.local;
    element->text = "";
    element->line = where.line;
    element->column = where.column;
    add_attributes(b, element, pairs, kept);
    if (b->status != HK_OK)
        return;
    hang_in(b, element);
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
    while (b->binding_count && b->bindings[b->binding_count - 1].depth == b->depth)
        b->binding_count--;
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

/* ---- the whole file ---- */

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
            if (problem == XML_ERROR_NO_ELEMENTS || problem == XML_ERROR_UNCLOSED_TOKEN ||
                problem == XML_ERROR_PARTIAL_CHAR || problem == XML_ERROR_UNCLOSED_CDATA_SECTION)
                hint = "the file is empty or ends too early";
            else if (problem == XML_ERROR_UNKNOWN_ENCODING)
                hint = "save the file as UTF-8";
            return hk_error(b->ctx, HK_E_XML, here(b), hint, "%s", XML_ErrorString(problem));
        }
        done += piece;
    } while (done < size);
    return HK_OK;
}

/* Behind a part that begins at AT and ends with END. */
static const char *behind(const char *at, const char *stop_at, const char *end) {
    const char *found = memmem(at, (size_t)(stop_at - at), end, strlen(end));
    return found ? found + strlen(end) : stop_at;
}

/* Counts before anything is built: what is packed well is large already, and need not become a tree
 * that is larger still. Shorter texts cannot hold so many, and in others than of bytes a '<' says
 * less. */
static hk_status count_elements(const builder *b, const char *data, size_t size) {
    enum { SHORTEST = sizeof "<a/>" - 1 };
    const char *end = data + size, *counted = data;
    size_t count = 0;
    int line = 1;
    if (size / SHORTEST <= HK_XML_ELEMENTS_MAX || memchr(data, '\0', SHORTEST))
        return HK_OK;
    const char *at = data;
    while ((at = memchr(at, '<', (size_t)(end - at))) && end - at > 1) {
        if (strncmp(at, "<!--", 4) == 0)
            at = behind(at, end, "-->");
        else if (strncmp(at, "<![CDATA[", 9) == 0)
            at = behind(at, end, "]]>");
        else if (strchr("/!?", *++at) == NULL && ++count > HK_XML_ELEMENTS_MAX)
            break;
    }
    if (count <= HK_XML_ELEMENTS_MAX)
        return HK_OK;
    for (; (counted = memchr(counted, '\n', (size_t)(at - counted))); counted++)
        line++;
    return hk_error(b->ctx, HK_E_XML, (hk_where){.file = b->file, .line = line}, NULL,
                    "the file has more than %d elements", HK_XML_ELEMENTS_MAX);
}

/* ENCODING: NULL for the one that the file names. */
static hk_status parse_as(builder *b, const char *encoding, const char *data, size_t size) {
    b->parser = XML_ParserCreate(encoding);
    if (!b->parser)
        return hk_error(b->ctx, HK_E_MEMORY, (hk_where){.file = b->file}, NULL,
                        "the XML parser got no memory");
    XML_SetUserData(b->parser, b);
    XML_SetElementHandler(b->parser, on_start, on_end);
    XML_SetCharacterDataHandler(b->parser, on_text);
    XML_SetStartDoctypeDeclHandler(b->parser, on_doctype);
    XML_SetUnknownEncodingHandler(b->parser, hk_xml_encoding_map, NULL);
    hk_status status = run(b, data, size);
    XML_ParserFree(b->parser);
    return status;
}

static void finish(builder *b) {
    hk_map_finish(&b->known);
    hk_map_finish(&b->uris);
    hk_free(b->names);
    hk_free(b->uri_texts);
    hk_free(b->bindings);
    hk_free(b->text);
    hk_free(b);
}

static hk_status parse(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                       const hk_xml **ret_root, hk_xml_borne *ret_borne) {
    const char *data = text->data;
    size_t size = text->size;
    hk_xml_borne borne = {0};
    const char *encoding = ret_borne ? hk_xml_encoding_choose(data, size, &borne) : NULL;
    builder *b = hk_alloc(sizeof *b);
    b->ctx = ctx;
    b->arena = arena;
    b->file = text->file;
    b->lenient = ret_borne != NULL;
    b->borne = borne;
    hk_status status = count_elements(b, data, size);
    if (status == HK_OK)
        status = parse_as(b, encoding, data, size);
    if (status == HK_OK || ret_borne)
        *ret_root = b->root;
    if (ret_borne)
        *ret_borne = b->borne;
    finish(b);
    return status;
}

hk_status hk_xml_parse(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                       size_t size, const hk_xml **ret_root) {
    return parse(ctx, arena, &(hk_file_text){file, data, size}, ret_root, NULL);
}

hk_status hk_xml_parse_leniently(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                                 const hk_xml **ret_root, hk_xml_borne *ret_borne) {
    return parse(ctx, arena, text, ret_root, ret_borne);
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
