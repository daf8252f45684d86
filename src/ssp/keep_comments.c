/* SPDX-License-Identifier: MIT
 *
 * Comments of a description, which its reader does not see: they go with the elements below them.
 */
#include "format/xml_document.h"
#include "ssp/keep_internal.h"

#include <string.h>

typedef hk_ssp_keeper keeper;

typedef struct comments {
    hk_map at; /* "line:column" -> index */
    hk_tree_element **elements;
    size_t count, cap;
} comments;

static const char *place_key(const keeper *k, int line, int column) {
    return hk_arena_printf(k->r->arena, "%d:%d", line, column);
}

static void list_elements(const keeper *k, hk_tree_element *e, comments *c) {
    if (e->where.file && strcmp(e->where.file, k->tree->root->where.file) == 0 &&
        hk_map_put(&c->at, place_key(k, e->where.line, e->where.column), (uint32_t)c->count) ==
            c->count)
        HK_PUSH(c->elements, c->count, c->cap, e);
    for (size_t i = 0; i < e->element_count; i++)
        list_elements(k, e->elements[i], c);
}

/* As the languages of hocket write them: each line by itself, without blanks at its end. */
static void add_lines(const keeper *k, hk_tree_element *e, size_t *cap, const char *text) {
    const char **texts = (const char **)(uintptr_t)e->comments;
    while (*text) {
        size_t line = strcspn(text, "\r\n"), length = line;
        while (length && text[length - 1] == ' ')
            length--;
        const char *kept = hk_arena_printf(k->arena, "//%.*s", (int)length, text);
        if (length)
            HK_TREE_PUSH(k->arena, texts, e->comment_count, *cap, kept);
        text += line + strspn(text + line, "\r\n");
    }
    e->comments = texts;
}

static void attach(const keeper *k, hk_tree_element *e, const hk_xml_node *first,
                   const hk_xml_node *end) {
    size_t cap = 0;
    for (const hk_xml_node *n = first; n != end; n = n->next)
        if (n->kind == HK_XML_COMMENT)
            add_lines(k, e, &cap, n->text);
}

/* Comments right above an element are about it. */
static void attach_all(const keeper *k, const hk_xml_node *parent, comments *c) {
    const hk_xml_node *first = parent->child;
    for (const hk_xml_node *n = parent->child; n; n = n->next) {
        if (n->kind != HK_XML_ELEMENT)
            continue;
        uint32_t index = hk_map_get(&c->at, place_key(k, n->line, n->column));
        if (index != HK_MAP_NONE)
            attach(k, c->elements[index], first, n);
        attach_all(k, n, c);
        first = n->next;
    }
}

/* Only for those who write the system again: the file is read a second time. */
void hk_ssp_keep_comments(keeper *k) {
    hk_xml_document *doc;
    comments c = {0};
    char *data;
    size_t size;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL), *ctx = k->r->ctx;
    k->r->ctx = quiet; /* it was read once, and what is wrong was reported */
    if (hk_ssp_load(k->r, k->base->store, k->base->ssd, HK_SSD_BYTES_MAX, &data, &size) == HK_OK) {
        if (hk_xml_document_read(quiet, k->r->arena, "", data, size, &doc) == HK_OK) {
            list_elements(k, k->tree->root, &c);
            attach_all(k, &doc->top, &c);
        }
        hk_free(data);
    }
    k->r->ctx = ctx;
    hk_ctx_destroy(quiet);
    hk_map_finish(&c.at);
    hk_free(c.elements);
}
