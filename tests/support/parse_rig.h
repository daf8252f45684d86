/* SPDX-License-Identifier: MIT
 *
 * For tests of the parsers: a text, the trees of it, and the mistakes that must be found. */
#ifndef HK_TEST_PARSE_RIG_H
#define HK_TEST_PARSE_RIG_H

#include "same_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

typedef struct rig {
    hk_ctx *ctx;
    hk_arena *arena;
} rig;

static inline int rig_set_up(void **state) {
    static rig r;
    r = (rig){hk_ctx_create(NULL, NULL), hk_arena_create()};
    *state = &r;
    return 0;
}

static inline int rig_tear_down(void **state) {
    rig *r = *state;
    hk_ctx_destroy(r->ctx);
    hk_arena_destroy(r->arena);
    return 0;
}

#define RIG_TEST(name) cmocka_unit_test_setup_teardown(name, rig_set_up, rig_tear_down)

/* Every diagnostic in one string: "line:column: text [hint]\n". */
static inline const char *rig_messages(rig *r) {
    const char *text = "";
    for (size_t i = 0; i < hk_ctx_count(r->ctx, HK_NOTE); i++) {
        const hk_diag *d = hk_ctx_diag(r->ctx, i);
        text = hk_arena_printf(r->arena, "%s%d:%d: %s%s%s%s\n", text, d->where.line,
                               d->where.column, d->text, d->hint ? " [" : "",
                               d->hint ? d->hint : "", d->hint ? "]" : "");
    }
    return text;
}

/* For LANGUAGE types, system, simulation: rig_LANGUAGE parses TEXT, and expects it to be understood
 * and to be the same after printing; rig_LANGUAGE_wrong expects MESSAGES and returns what was
 * understood. rig_LANGUAGE_prints expects CANONICAL to be printed. */
#define RIG_LANGUAGE(language, type)                                                               \
    static inline type *rig_##language(rig *r, const char *text) {                                 \
        type *file, *again;                                                                        \
        hk_status status =                                                                         \
            hk_##language##_parse(r->ctx, r->arena, "f", text, strlen(text), &file);               \
        if (status != HK_OK)                                                                       \
            fail_msg("%s", rig_messages(r));                                                       \
        const char *printed = hk_##language##_print(r->arena, file);                               \
        status = hk_##language##_parse(r->ctx, r->arena, "g", printed, strlen(printed), &again);   \
        if (status != HK_OK)                                                                       \
            fail_msg("%s\n%s", rig_messages(r), printed);                                          \
        if (!same_##language(file, again))                                                         \
            fail_msg("not the same again:\n%s\n%s", text, printed);                                \
        assert_string_equal(printed, hk_##language##_print(r->arena, again));                      \
        return file;                                                                               \
    }                                                                                              \
    static inline void rig_##language##_prints(rig *r, const char *text, const char *canonical) {  \
        assert_string_equal(hk_##language##_print(r->arena, rig_##language(r, text)), canonical);  \
    }                                                                                              \
    static inline type *rig_##language##_wrong(rig *r, const char *text, const char *messages) {   \
        type *file = NULL;                                                                         \
        hk_ctx_destroy(r->ctx);                                                                    \
        r->ctx = hk_ctx_create(NULL, NULL);                                                        \
        hk_status status =                                                                         \
            hk_##language##_parse(r->ctx, r->arena, "f", text, strlen(text), &file);               \
        assert_string_equal(rig_messages(r), messages);                                            \
        assert_int_equal(status, HK_E_LANGUAGE);                                                   \
        return file;                                                                               \
    }

RIG_LANGUAGE(types, hk_typefile)
RIG_LANGUAGE(system, hk_systemfile)
RIG_LANGUAGE(simulation, hk_simulationfile)

/* TEXT with a byte order mark, and with CR before every LF. */
static inline const char *rig_crlf(rig *r, const char *text) {
    char *made = hk_arena_alloc(r->arena, 2 * strlen(text) + 4), *at = made;
    at = stpcpy(at, "\xef\xbb\xbf");
    for (; *text; text++) {
        if (*text == '\n')
            *at++ = '\r';
        *at++ = *text;
    }
    return made;
}

#endif
