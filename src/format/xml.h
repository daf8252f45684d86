/* SPDX-License-Identifier: MIT
 *
 * XML as a tree in an arena, with the line and column of every element. Namespaces are resolved:
 * an element or attribute is known by its namespace URI and local name, never by its prefix.
 * Document type declarations are refused, and so are trees beyond the limits below. */
#ifndef HK_FORMAT_XML_H
#define HK_FORMAT_XML_H

#include "base/diag.h"

enum { HK_XML_DEPTH_MAX = 128 };

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
/* The value of an attribute without namespace, or NULL. */
const char *hk_xml_attr_get(const hk_xml *element, const char *name);
/* The first child with this name (ns NULL: any namespace), or NULL; and the one after ELEMENT. */
const hk_xml *hk_xml_child(const hk_xml *element, const char *ns, const char *name);
const hk_xml *hk_xml_next(const hk_xml *element, const char *ns, const char *name);
hk_where hk_xml_where(const char *file, const hk_xml *element);

#endif
