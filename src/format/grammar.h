/* SPDX-License-Identifier: MIT
 *
 * Which elements and attributes a format of XML knows where, and how often: a table of who reads
 * it, and one walk over a tree. What is unknown is ignored with one warning of each kind; what is
 * known and not used is reported; what occurs twice and may occur once is an error, since only one
 * of the two would be read. */
#ifndef HK_FORMAT_GRAMMAR_H
#define HK_FORMAT_GRAMMAR_H

#include "format/reading.h"
#include "format/xml.h"

/* An element, and lists of words: what may be in it. A child is at most once, unless there
 * is a '*' before it; of those with a '|' at most one is in a parent. What has a '-' is known
 * and not used. A '+' as the last word: who reads the other children judges them. */
typedef struct hk_grammar_rule {
    const char *name, *children, *attributes;
} hk_grammar_rule;

typedef struct hk_grammar {
    /* Up to one without a name. Elements that are not here are accepted where a parent names them,
     * and not looked into. */
    const hk_grammar_rule *rules;
    /* What a table cannot say; each may be NULL. */
    bool (*is_own)(const hk_xml *element); /* of a namespace of the format; NULL: all are */
    const char *foreign_hint;              /* for the others */
    bool (*may_repeat)(const hk_xml *child);
    bool (*knows)(const hk_xml *element, const char *attribute);
    /* Takes what is known and not used: ELEMENT, or if it is not NULL its ATTRIBUTE. NULL: there is
     * a note of each kind. */
    void (*idle)(void *user, const char *file, const hk_xml *element, const hk_xml_attr *attribute);
    void *user;
} hk_grammar;

/* The failures are counted in READING. */
void hk_grammar_check(hk_ctx *ctx, hk_reading *reading, const hk_grammar *grammar, const char *file,
                      const hk_xml *root);

#endif
