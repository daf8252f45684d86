/* SPDX-License-Identifier: MIT
 *
 * XML as a document that can be changed and written again: names as they are written, comments,
 * processing instructions, texts and the order of everything are kept. hk_xml is for those who read
 * only; a document knows nothing of namespaces. */
#ifndef HK_FORMAT_XML_DOCUMENT_H
#define HK_FORMAT_XML_DOCUMENT_H

#include "base/diag.h"

typedef enum hk_xml_node_kind {
    HK_XML_ELEMENT,
    HK_XML_TEXT,       /* also the blanks between elements */
    HK_XML_CDATA,      /* text in <![CDATA[ ]]> */
    HK_XML_COMMENT,    /* text without the marks around it */
    HK_XML_INSTRUCTION /* <?name text?> */
} hk_xml_node_kind;

typedef struct hk_xml_pair {
    const char *name, *value;
} hk_xml_pair;

typedef struct hk_xml_node hk_xml_node;
struct hk_xml_node {
    hk_xml_node_kind kind;
    const char *name; /* elements: with its prefix; instructions: the first word; else NULL */
    const char *text; /* all others; elements: NULL */
    hk_xml_pair *attrs;
    size_t attr_count, attr_cap;
    hk_xml_node *parent, *child, *last, *next; /* child: the first one */
    bool verbatim;    /* elements: the blanks inside are kept and none are added */
    int line, column; /* where it was read; 0: it was not */
};

typedef struct hk_xml_document {
    hk_arena *arena;
    hk_xml_node top; /* holds the root, and comments and instructions around it */
    hk_xml_node *root;
} hk_xml_document;

/* An empty document; the root is added by hk_xml_add to its top. */
hk_xml_document *hk_xml_document_create(hk_arena *arena);
/* Reads DATA; FILE is for messages. The limits of format/xml.h hold, and document types are
 * refused. */
HK_NODISCARD hk_status hk_xml_document_read(hk_ctx *ctx, hk_arena *arena, const char *file,
                                            const char *data, size_t size,
                                            hk_xml_document **ret_document);
/* The canonical form, in ARENA: UTF-8, one element a line, two spaces for each level; an empty line
 * above an element stays. What is between text, and what is verbatim, stays as it is. Reading
 * it gives the same document, and printing that the same text. */
const char *hk_xml_document_print(hk_arena *arena, const hk_xml_document *document);

/* Adds an element at the end of PARENT, or in front of BEFORE. Names are not copied. */
hk_xml_node *hk_xml_add(hk_xml_document *document, hk_xml_node *parent, const char *name);
hk_xml_node *hk_xml_add_before(hk_xml_document *document, hk_xml_node *parent, hk_xml_node *before,
                               const char *name);
/* Adds text; it is copied. */
void hk_xml_add_text(hk_xml_document *document, hk_xml_node *parent, const char *text);
/* Gives an attribute a value (copied): it keeps its place, or becomes the last one. */
void hk_xml_set(hk_xml_document *document, hk_xml_node *element, const char *name,
                const char *value);
void hk_xml_unset(hk_xml_node *element, const char *name);
const char *hk_xml_get(const hk_xml_node *element, const char *name); /* NULL: not there */
/* The name of an element behind its prefix. */
const char *hk_xml_local(const hk_xml_node *element);
/* The first child that is an element with this local name, and the one behind NODE; NULL. */
hk_xml_node *hk_xml_find(const hk_xml_node *parent, const char *local);
hk_xml_node *hk_xml_find_next(const hk_xml_node *node, const char *local);

#endif
