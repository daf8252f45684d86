/* SPDX-License-Identifier: MIT */
#include "format/xml_document.h"

#include "format/xml.h"
#include "format/xml_encoding.h"

#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE_BYTES = 1 << 20 };

/* ---- building ---- */

static void hang_in(hk_xml_node *parent, hk_xml_node *node) {
    node->parent = parent;
    if (parent->last)
        parent->last->next = node;
    else
        parent->child = node;
    parent->last = node;
}

hk_xml_document *hk_xml_document_create(hk_arena *arena) {
    hk_xml_document *document = HK_NEW(arena, hk_xml_document);
    document->arena = arena;
    document->top.kind = HK_XML_ELEMENT;
    return document;
}

hk_xml_node *hk_xml_add(hk_xml_document *document, hk_xml_node *parent, const char *name) {
    hk_xml_node *node = HK_NEW(document->arena, hk_xml_node);
    node->kind = HK_XML_ELEMENT;
    node->name = name;
    hang_in(parent, node);
    if (parent == &document->top)
        document->root = node;
    return node;
}

hk_xml_node *hk_xml_add_before(hk_xml_document *document, hk_xml_node *parent, hk_xml_node *before,
                               const char *name) {
    if (!before)
        return hk_xml_add(document, parent, name);
    hk_xml_node *node = HK_NEW(document->arena, hk_xml_node), **at = &parent->child;
    *node = (hk_xml_node){.kind = HK_XML_ELEMENT, .name = name, .parent = parent, .next = before};
    while (*at && *at != before)
        at = &(*at)->next;
    HK_ASSERT(*at == before);
    *at = node;
    return node;
}

void hk_xml_add_text(hk_xml_document *document, hk_xml_node *parent, const char *text) {
    hk_xml_node *node = HK_NEW(document->arena, hk_xml_node);
    node->kind = HK_XML_TEXT;
    node->text = hk_arena_strdup(document->arena, text);
    hang_in(parent, node);
}

/* NAME is new: expat has refused an attribute that is given twice. */
static void add_attribute(hk_xml_document *document, hk_xml_node *element, const char *name,
                          const char *value) {
    size_t count = element->attr_count;
    if (count == element->attr_cap) {
        size_t cap = count ? 2 * count : 4;
        hk_xml_pair *attrs = HK_NEW_ARRAY(document->arena, hk_xml_pair, cap);
        if (count)
            memcpy(attrs, element->attrs, count * sizeof *attrs);
        element->attrs = attrs;
        element->attr_cap = cap;
    }
    element->attrs[count].name = hk_arena_strdup(document->arena, name);
    element->attrs[count].value = hk_arena_strdup(document->arena, value);
    element->attr_count++;
}

void hk_xml_set(hk_xml_document *document, hk_xml_node *element, const char *name,
                const char *value) {
    for (size_t i = 0; i < element->attr_count; i++)
        if (strcmp(element->attrs[i].name, name) == 0) {
            element->attrs[i].value = hk_arena_strdup(document->arena, value);
            return;
        }
    add_attribute(document, element, name, value);
}

void hk_xml_unset(hk_xml_node *element, const char *name) {
    for (size_t i = 0; i < element->attr_count; i++)
        if (strcmp(element->attrs[i].name, name) == 0) {
            element->attr_count--;
            memmove(&element->attrs[i], &element->attrs[i + 1],
                    (element->attr_count - i) * sizeof *element->attrs);
            return;
        }
}

/* ---- looking ---- */

const char *hk_xml_get(const hk_xml_node *element, const char *name) {
    for (size_t i = 0; i < element->attr_count; i++)
        if (strcmp(element->attrs[i].name, name) == 0)
            return element->attrs[i].value;
    return NULL;
}

const char *hk_xml_local(const hk_xml_node *element) {
    const char *colon = strchr(element->name, ':');
    return colon ? colon + 1 : element->name;
}

static hk_xml_node *first_called(hk_xml_node *node, const char *local) {
    while (node && (node->kind != HK_XML_ELEMENT || strcmp(hk_xml_local(node), local) != 0))
        node = node->next;
    return node;
}

hk_xml_node *hk_xml_find(const hk_xml_node *parent, const char *local) {
    return first_called(parent->child, local);
}

hk_xml_node *hk_xml_find_next(const hk_xml_node *node, const char *local) {
    return first_called(node->next, local);
}

/* ---- reading ---- */

typedef struct reader {
    hk_ctx *ctx;
    hk_xml_document *document;
    const char *file;
    XML_Parser parser;
    hk_status status;
    hk_xml_node *open;
    int depth;
    size_t element_count, attribute_count;
    bool cdata;
    char *text; /* of the piece of text in hand */
    size_t text_used, text_cap;
    int text_line, text_column;
} reader;

static hk_where here(const reader *r) {
    return (hk_where){.file = r->file,
                      .line = (int)XML_GetCurrentLineNumber(r->parser),
                      .column = (int)XML_GetCurrentColumnNumber(r->parser) + 1};
}

static void stop(reader *r, hk_status status) {
    r->status = status;
    XML_StopParser(r->parser, XML_FALSE);
}

static void too_many(reader *r, const char *what, int limit) {
    stop(r, hk_error(r->ctx, HK_E_XML, here(r), NULL, "%s more than %d", what, limit));
}

static hk_xml_node *add_node(reader *r, hk_xml_node_kind kind, const char *text) {
    hk_xml_node *node = HK_NEW(r->document->arena, hk_xml_node);
    hk_where where = here(r);
    node->kind = kind;
    node->text = text;
    node->line = where.line;
    node->column = where.column;
    hang_in(r->open, node);
    return node;
}

/* The text that has come so far is one node. */
static void end_text(reader *r, hk_xml_node_kind kind) {
    if (!r->text_used && kind == HK_XML_TEXT)
        return;
    const char *text = hk_arena_strndup(r->document->arena, r->text ? r->text : "", r->text_used);
    if (r->open != &r->document->top)
        add_node(r, kind, text);
    r->text_used = 0;
}

static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **pairs) {
    reader *r = user;
    hk_arena *arena = r->document->arena;
    if (r->status != HK_OK)
        return;
    end_text(r, HK_XML_TEXT);
    hk_xml_node *node = add_node(r, HK_XML_ELEMENT, NULL);
    node->name = hk_arena_strdup(arena, name);
    for (size_t i = 0; pairs[i]; i += 2) {
        add_attribute(r->document, node, pairs[i], pairs[i + 1]);
        r->attribute_count++;
    }
    if (r->open == &r->document->top)
        r->document->root = node;
    r->open = node;
    if (++r->depth > HK_XML_DEPTH_MAX)
        too_many(r, "levels of elements are", HK_XML_DEPTH_MAX);
    else if (++r->element_count > HK_XML_ELEMENTS_MAX)
        too_many(r, "elements are", HK_XML_ELEMENTS_MAX);
    else if (r->attribute_count > HK_XML_ATTRIBUTES_MAX)
        too_many(r, "attributes are", HK_XML_ATTRIBUTES_MAX);
}

static void XMLCALL on_end(void *user, const XML_Char *name) {
    (void)name;
    reader *r = user;
    if (r->status != HK_OK)
        return;
    end_text(r, HK_XML_TEXT);
    r->open = r->open->parent;
    r->depth--;
}

static void XMLCALL on_text(void *user, const XML_Char *text, int length) {
    reader *r = user;
    size_t size = (size_t)length;
    if (r->status != HK_OK)
        return;
    if (size > r->text_cap - r->text_used) {
        r->text_cap = 2 * (r->text_used + size);
        r->text = hk_realloc(r->text, r->text_cap);
    }
    memcpy(r->text + r->text_used, text, size);
    r->text_used += size;
}

/* What is around the root comes here, too: its empty lines are kept. */
static void XMLCALL on_default(void *user, const XML_Char *text, int length) {
    reader *r = user;
    size_t breaks = 0;
    if (r->status != HK_OK || r->open != &r->document->top)
        return;
    for (int i = 0; i < length; i++)
        breaks += text[i] == '\n';
    if (breaks && !strchr("<", text[0]))
        add_node(r, HK_XML_TEXT, hk_arena_strndup(r->document->arena, "\n\n", breaks > 1 ? 2 : 1));
}

static void XMLCALL on_cdata_start(void *user) {
    reader *r = user;
    end_text(r, HK_XML_TEXT);
    r->cdata = true;
}

static void XMLCALL on_cdata_end(void *user) {
    reader *r = user;
    if (r->status == HK_OK)
        end_text(r, HK_XML_CDATA);
    r->cdata = false;
}

static void XMLCALL on_comment(void *user, const XML_Char *text) {
    reader *r = user;
    if (r->status != HK_OK)
        return;
    end_text(r, HK_XML_TEXT);
    add_node(r, HK_XML_COMMENT, hk_arena_strdup(r->document->arena, text));
}

static void XMLCALL on_instruction(void *user, const XML_Char *name, const XML_Char *text) {
    reader *r = user;
    if (r->status != HK_OK)
        return;
    end_text(r, HK_XML_TEXT);
    add_node(r, HK_XML_INSTRUCTION, hk_arena_strdup(r->document->arena, text))->name =
        hk_arena_strdup(r->document->arena, name);
}

static void XMLCALL on_doctype(void *user, const XML_Char *name, const XML_Char *system,
                               const XML_Char *public, int has_subset) {
    (void)name, (void)system, (void)public, (void)has_subset;
    reader *r = user;
    stop(r, hk_error(r->ctx, HK_E_XML, here(r), "remove the <!DOCTYPE ...> line",
                     "document type declarations are not allowed"));
}

/* The declaration is written anew. */
static void XMLCALL on_declaration(void *user, const XML_Char *version, const XML_Char *encoding,
                                   int standalone) {
    (void)user, (void)version, (void)encoding, (void)standalone;
}

static hk_status run(reader *r, const char *data, size_t size) {
    size_t done = 0;
    do {
        size_t piece = size - done < PIECE_BYTES ? size - done : PIECE_BYTES;
        if (XML_Parse(r->parser, data + done, (int)piece, done + piece == size) != XML_STATUS_OK)
            return r->status != HK_OK ? r->status
                                      : hk_error(r->ctx, HK_E_XML, here(r), NULL, "%s",
                                                 XML_ErrorString(XML_GetErrorCode(r->parser)));
        done += piece;
    } while (done < size);
    return HK_OK;
}

hk_status hk_xml_document_read(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                               size_t size, hk_xml_document **ret_document) {
    reader r = {.ctx = ctx, .document = hk_xml_document_create(arena), .file = file};
    r.open = &r.document->top;
    r.parser = XML_ParserCreate(NULL);
    if (!r.parser)
        return hk_error(ctx, HK_E_MEMORY, (hk_where){.file = file}, NULL,
                        "the XML parser got no memory");
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, on_start, on_end);
    XML_SetCharacterDataHandler(r.parser, on_text);
    XML_SetCommentHandler(r.parser, on_comment);
    XML_SetCdataSectionHandler(r.parser, on_cdata_start, on_cdata_end);
    XML_SetProcessingInstructionHandler(r.parser, on_instruction);
    XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
    XML_SetXmlDeclHandler(r.parser, on_declaration);
    XML_SetDefaultHandler(r.parser, on_default);
    XML_SetUnknownEncodingHandler(r.parser, hk_xml_encoding_map, NULL);
    hk_status status = run(&r, data, size);
    XML_ParserFree(r.parser);
    hk_free(r.text);
    if (status == HK_OK)
        *ret_document = r.document;
    return status;
}

/* ---- printing ---- */

static bool is_blank(const char *text) {
    return !text[strspn(text, " \t\r\n")];
}

static bool has_empty_line(const char *text) {
    const char *first = strchr(text, '\n');
    return first && strchr(first + 1, '\n');
}

static void put_text(FILE *out, const char *text, bool attribute) {
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        const char *entity = c == '&'                ? "&amp;"
                             : c == '<'              ? "&lt;"
                             : c == '>'              ? "&gt;"
                             : c == '"' && attribute ? "&quot;"
                                                     : NULL;
        if (entity)
            fputs(entity, out);
        else if (c == '\r' || (attribute && c < 0x20))
            fprintf(out, "&#%d;", c);
        else
            fputc(c, out);
    }
}

static void put_indent(FILE *out, int depth) {
    fprintf(out, "%*s", 2 * depth, "");
}

/* Each namespace of an element that declares several has a line of its own. */
static void put_start(FILE *out, const hk_xml_node *node, int depth) {
    size_t namespaces = 0;
    for (size_t i = 0; i < node->attr_count; i++)
        namespaces += strncmp(node->attrs[i].name, "xmlns", 5) == 0;
    fprintf(out, "<%s", node->name);
    for (size_t i = 0; i < node->attr_count; i++) {
        if (namespaces > 1 && strncmp(node->attrs[i].name, "xmlns", 5) == 0) {
            fputc('\n', out);
            put_indent(out, depth + 2);
        } else {
            fputc(' ', out);
        }
        fprintf(out, "%s=\"", node->attrs[i].name);
        put_text(out, node->attrs[i].value, true);
        fputc('"', out);
    }
    fputs(node->child ? ">" : "/>", out);
}

/* True if the blanks between its children are layout. */
static bool is_block(const hk_xml_node *node) {
    bool any = false;
    if (node->verbatim)
        return false;
    for (const hk_xml_node *n = node->child; n; n = n->next) {
        if (n->kind == HK_XML_CDATA || (n->kind == HK_XML_TEXT && !is_blank(n->text)))
            return false;
        any |= n->kind != HK_XML_TEXT;
    }
    const char *space = hk_xml_get(node, "xml:space");
    return any && !(space && strcmp(space, "preserve") == 0);
}

static void put_node(FILE *out, const hk_xml_node *node, int depth, bool verbatim);

static void put_inside(FILE *out, const hk_xml_node *node, int depth, bool verbatim) {
    bool block = !verbatim && is_block(node), blank = false, first = true;
    if (block)
        fputc('\n', out);
    for (const hk_xml_node *n = node->child; n; n = n->next) {
        if (block && n->kind == HK_XML_TEXT) {
            blank |= has_empty_line(n->text);
            continue;
        }
        if (block && blank && !first)
            fputc('\n', out);
        if (block)
            put_indent(out, depth);
        put_node(out, n, depth, !block);
        if (block)
            fputc('\n', out);
        blank = first = false;
    }
    if (block)
        put_indent(out, depth - 1);
}

static void put_node(FILE *out, const hk_xml_node *node, int depth, bool verbatim) {
    switch (node->kind) {
    case HK_XML_ELEMENT:
        put_start(out, node, depth);
        if (node->child) {
            put_inside(out, node, depth + 1, verbatim);
            fprintf(out, "</%s>", node->name);
        }
        break;
    case HK_XML_TEXT:
        put_text(out, node->text, false);
        break;
    case HK_XML_CDATA:
        fprintf(out, "<![CDATA[%s]]>", node->text);
        break;
    case HK_XML_COMMENT:
        fprintf(out, "<!--%s-->", node->text);
        break;
    default:
        fprintf(out, "<?%s%s%s?>", node->name, *node->text ? " " : "", node->text);
        break;
    }
}

const char *hk_xml_document_print(hk_arena *arena, const hk_xml_document *document) {
    char *data = NULL;
    size_t size = 0;
    bool blank = false, first = true;
    FILE *out = open_memstream(&data, &size);
    HK_ASSERT(out);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
    for (const hk_xml_node *n = document->top.child; n; n = n->next) {
        if (n->kind == HK_XML_TEXT) {
            blank |= has_empty_line(n->text);
            continue;
        }
        if (blank && !first)
            fputc('\n', out);
        put_node(out, n, 0, false);
        fputc('\n', out);
        blank = first = false;
    }
    HK_ASSERT(fclose(out) == 0);
    const char *text = hk_arena_strndup(arena, data, size);
    free(data);
    return text;
}
