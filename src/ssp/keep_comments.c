/* SPDX-License-Identifier: MIT
 *
 * Comments of a description, which its reader does not see: they go with what is below them, or, if
 * nothing is, with the system or component that ends behind them. */
#include "format/xml_document.h"
#include "ssp/keep_internal.h"

#include <string.h>

typedef hk_ssp_keeper keeper;

/* What comments can be about. */
typedef struct owner {
    hk_tree_comments *above;
    hk_tree_element *element; /* NULL: a connector, a connection or a parameter */
} owner;

typedef struct walk {
    const keeper *k;
    const char *file;
    hk_map at; /* "line:column" -> index of the owner */
    owner *owners;
    size_t count, cap;
    hk_tree_comments waiting; /* that nobody has yet */
} walk;

static const char *place_key(const walk *w, int line, int column) {
    return hk_arena_printf(w->k->r->arena, "%d:%d", line, column);
}

static void list_owner(walk *w, hk_where where, owner o) {
    if (where.file && strcmp(where.file, w->file) == 0 &&
        hk_map_put(&w->at, place_key(w, where.line, where.column), (uint32_t)w->count) == w->count)
        HK_PUSH(w->owners, w->count, w->cap, o);
}

static void list_owners(walk *w, hk_tree_element *e) {
    list_owner(w, e->where, (owner){&e->above, e});
    for (size_t i = 0; i < e->connector_count; i++)
        list_owner(w, e->connectors[i].where, (owner){&e->connectors[i].above, NULL});
    for (size_t i = 0; i < e->connection_count; i++)
        list_owner(w, e->connections[i].where, (owner){&e->connections[i].above, NULL});
    for (size_t i = 0; i < e->element_count; i++)
        list_owners(w, e->elements[i]);
}

/* What write_comments.c has escaped: a backslash between hyphens goes. */
static const char *unescape(const walk *w, const char *text) {
    char *kept = hk_arena_strdup(w->k->r->arena, text), *to = kept;
    for (const char *c = text; *c;) {
        size_t slashes = *c == '-' ? strspn(c + 1, "\\") : 0;
        bool escaped = slashes && c[1 + slashes] == '-';
        *to++ = *c++;
        c += escaped ? 1 : 0;
    }
    *to = '\0';
    return kept;
}

/* As the languages of hocket write them: each line by itself, without blanks at its end. Of several
 * lines the first and the last one may be there for the marks only. */
static void add_lines(walk *w, const char *text) {
    bool several = strpbrk(text, "\r\n") != NULL;
    for (bool first = true, more = true; more; first = false) {
        size_t line = strcspn(text, "\r\n"), length = line;
        while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
            length--;
        more = text[line] != '\0';
        if (length || !several || (!first && more))
            hk_tree_comment(w->k->r->arena, &w->waiting,
                            hk_arena_printf(w->k->r->arena, "//%.*s", (int)length, text));
        text += line + (strncmp(text + line, "\r\n", 2) == 0) + more;
    }
}

static void give(walk *w, hk_tree_comments *to) {
    hk_tree_comment_all(w->k->arena, to, &w->waiting);
    w->waiting.count = 0;
}

/* A component that is a description of its own is a system whose place is in there. */
static owner find_owner(const walk *w, hk_tree_element *inside, const hk_xml_node *n) {
    uint32_t index = hk_map_get(&w->at, place_key(w, n->line, n->column));
    const char *name = hk_xml_get(n, "name"), *local = hk_xml_local(n);
    if (index != HK_MAP_NONE)
        return w->owners[index];
    if (!inside || !name)
        return (owner){0};
    if (inside->kind == HK_TREE_COMPONENT && strcmp(local, "Parameter") == 0)
        return (owner){&hk_tree_note_add(w->k->tree, inside, name)->above, NULL};
    hk_tree_element *e = inside->kind == HK_TREE_SYSTEM && strcmp(local, "Component") == 0
                             ? hk_tree_find(inside, name)
                             : NULL;
    return e ? (owner){&e->above, e} : (owner){0};
}

static void visit(walk *w, const hk_xml_node *parent, hk_tree_element *inside) {
    for (const hk_xml_node *n = parent->child; n; n = n->next) {
        if (n->kind == HK_XML_COMMENT)
            add_lines(w, unescape(w, n->text));
        if (n->kind != HK_XML_ELEMENT)
            continue;
        owner o = find_owner(w, inside, n);
        if (o.above)
            give(w, o.above);
        visit(w, n, o.element ? o.element : inside);
        if (o.above)
            give(w, o.element ? &o.element->inside : o.above);
    }
}

/* Only for those who write the system again: the file is read a second time. */
void hk_ssp_keep_comments(keeper *k, const hk_ssp_base *base, hk_tree_element *e) {
    hk_xml_document *doc;
    walk w = {.k = k, .file = e->where.file};
    char *data;
    size_t size;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL), *ctx = k->r->ctx;
    k->r->ctx = quiet; /* it was read once, and what is wrong was reported */
    if (hk_ssp_load(k->r, base->store, base->ssd, HK_SSD_BYTES_MAX, &data, &size) == HK_OK) {
        if (hk_xml_document_read(quiet, k->r->arena, "", data, size, &doc) == HK_OK) {
            list_owners(&w, e);
            visit(&w, &doc->top, NULL);
            give(&w, e->parent ? &e->inside : &k->tree->rest);
        }
        hk_free(data);
    }
    k->r->ctx = ctx;
    hk_ctx_destroy(quiet);
    hk_map_finish(&w.at);
    hk_free(w.owners);
}
