/* SPDX-License-Identifier: MIT
 *
 * Two trees of RoboChart are the same if they differ in lines, columns and empty lines only. */
#ifndef HK_TEST_SAME_CHART_H
#define HK_TEST_SAME_CHART_H

#include "chart/chart_syntax.h"
#include "same_tree.h"

static inline bool same_rctype(const hk_rctype *a, const hk_rctype *b);
static inline bool same_rcexpr(const hk_rcexpr *a, const hk_rcexpr *b);
static inline bool same_rcstmt(const hk_rcstmt *a, const hk_rcstmt *b);

#define SAME_POINTERS(what, field, length)                                                         \
    do {                                                                                           \
        SAME_VALUE(length);                                                                        \
        for (size_t same_i = 0; same_i < a->length; same_i++)                                      \
            SAME_OPTIONAL(what, field[same_i]);                                                    \
    } while (0)

static inline bool same_rctype(const hk_rctype *a, const hk_rctype *b) {
    SAME_VALUE(kind);
    SAME(text, name.text);
    SAME_POINTERS(rctype, parts, part_count);
    SAME_OPTIONAL(rcexpr, sizes[0]);
    SAME_OPTIONAL(rcexpr, sizes[1]);
    return true;
}

static inline bool same_rcvar(const hk_rcvar *a, const hk_rcvar *b) {
    SAME(text, name.text);
    SAME_OPTIONAL(rctype, type);
    SAME_OPTIONAL(rcexpr, value);
    return true;
}

static inline bool same_rcexpr(const hk_rcexpr *a, const hk_rcexpr *b) {
    SAME_VALUE(kind);
    SAME(text, name.text);
    SAME_POINTERS(rcexpr, args, arg_count);
    SAME_LIST(rcvar, vars, var_count);
    SAME_OPTIONAL(rctype, type);
    SAME_VALUE(open_left);
    SAME_VALUE(open_right);
    SAME_VALUE(height);
    return true;
}

static inline bool same_rcstmt(const hk_rcstmt *a, const hk_rcstmt *b) {
    SAME_VALUE(kind);
    SAME(text, name.text);
    SAME(text, other.text);
    SAME_OPTIONAL(rcexpr, place);
    SAME_OPTIONAL(rcexpr, value);
    SAME_POINTERS(rcexpr, args, arg_count);
    SAME_POINTERS(rcstmt, parts, part_count);
    return true;
}

static inline bool same_rclink(const hk_rclink *a, const hk_rclink *b) {
    SAME(text, from.text);
    SAME(text, from_event.text);
    SAME(text, to.text);
    SAME(text, to_event.text);
    SAME_VALUE(async);
    SAME_VALUE(mult);
    return true;
}

static inline bool same_rcname(const hk_name *a, const hk_name *b) {
    SAME(text, text);
    return true;
}

static inline bool same_rcway(const hk_rcway *a, const hk_rcway *b) {
    SAME(text, from.text);
    SAME(text, to.text);
    SAME_OPTIONAL(rcstmt, trigger);
    SAME_OPTIONAL(rcexpr, probability);
    SAME_LIST(rcname, resets, reset_count);
    SAME_OPTIONAL(rcexpr, deadline);
    SAME_OPTIONAL(rcexpr, condition);
    SAME_VALUE(otherwise);
    SAME_OPTIONAL(rcstmt, action);
    return true;
}

static inline bool same_rcitem(const hk_rcitem *a, const hk_rcitem *b) {
    SAME_VALUE(kind);
    SAME(text, name.text);
    SAME(text, target.text);
    SAME_VALUE(flag);
    SAME_LIST(rcvar, vars, var_count);
    SAME_OPTIONAL(rctype, type);
    SAME_OPTIONAL(rcexpr, value);
    SAME_OPTIONAL(rcstmt, action);
    SAME_OPTIONAL(rclink, link);
    SAME_OPTIONAL(rcway, way);
    SAME_LIST(rcitem, items, item_count);
    SAME(place, at);
    SAME(place, end);
    return true;
}

static inline bool same_rct(const hk_rcfile *a, const hk_rcfile *b) {
    SAME(text, package.text);
    SAME(place, package_at);
    SAME_LIST(rcitem, items, item_count);
    SAME(place, end);
    return true;
}

#endif
