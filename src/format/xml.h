/* SPDX-License-Identifier: MIT
 *
 * XML as a tree in an arena, with the line and column of every element. Namespaces are resolved:
 * an element or attribute is known by its namespace URI and local name, never by its prefix.
 * Document type declarations are refused, and so are trees beyond the limits below: they are far
 * above any model's, and keep what a small archive can make us hold within bounds. */
#ifndef HK_FORMAT_XML_H
#define HK_FORMAT_XML_H

#include "base/diag.h"
#include "base/file.h"

enum {
    HK_XML_DEPTH_MAX = 128,
    HK_XML_ELEMENTS_MAX = 1000000, /* some 400 000 variables; a tree of so many takes 72 MB */
    HK_XML_ATTRIBUTES_MAX = 4000000,
    HK_XML_NAMESPACES_MAX = 1000 /* declared and in force at one place */
};

typedef struct hk_xml_attr {
    const char *ns; /* "" for attributes without prefix, as usual */
    const char *name;
    const char *value;
} hk_xml_attr;

typedef struct hk_xml hk_xml;
struct hk_xml {
    const char *ns; /* namespace URI, "" if none; equal URIs are the same pointer in one tree */
    const char *name;
    const hk_xml_attr *attrs;
    size_t attr_count;
    const char *text; /* character data directly inside, joined; "" if none or only layout */
    const hk_xml *child, *next; /* first child, next sibling */
    int line, column;
};

/* Parses DATA. FILE is used in messages only. The tree lives in ARENA. */
HK_NODISCARD hk_status hk_xml_parse(hk_ctx *ctx, hk_arena *arena, const char *file,
                                    const char *data, size_t size, const hk_xml **ret_root);

/* What hk_xml_parse_leniently has borne; counts of 0: nothing. Texts are static or in the arena. */
typedef struct hk_xml_borne {
    size_t prefix_count; /* names with a prefix that is not declared */
    const char *prefix;  /* of the first; it is taken as HK_XML_UNDECLARED and the prefix */
    int prefix_line, prefix_column;
    const char *encoding; /* what the text was read as, other than it says; NULL: as it says */
    int encoding_line, encoding_column; /* of the first character that says so */
} hk_xml_borne;
#define HK_XML_UNDECLARED "urn:undeclared:"

/* As hk_xml_parse for files that were written carelessly: prefixes need not be declared,
 * Windows-1252 and what is not the encoding it claims is read. RET_BORNE says so: the caller tells
 * it. After a failure *ret_root is the part before it, NULL if that is nothing; open elements end
 * there. */
HK_NODISCARD hk_status hk_xml_parse_leniently(hk_ctx *ctx, hk_arena *arena,
                                              const hk_file_text *text, const hk_xml **ret_root,
                                              hk_xml_borne *ret_borne);
/* The value of an attribute without namespace, or NULL. */
const char *hk_xml_attr_get(const hk_xml *element, const char *name);
/* The first child with this name (ns NULL: any namespace), or NULL; and the one after ELEMENT. */
const hk_xml *hk_xml_child(const hk_xml *element, const char *ns, const char *name);
const hk_xml *hk_xml_next(const hk_xml *element, const char *ns, const char *name);
hk_where hk_xml_where(const char *file, const hk_xml *element);

#endif
