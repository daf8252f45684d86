/* SPDX-License-Identifier: MIT
 *
 * P9: files that were changed at random are refused with a message, or read and held to the rules;
 * no change of them is a crash or a leak. A million of them with HK_SLOW=1. */
#include "base/file.h"
#include "dice.h"
#include "sysml/profile_rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MILLION = 1000 * 1000, SOME = 3000, CHANGES = 3, GROWS = 256 };

static const char *const files[] = {HK_SYSML_DIR "/detector.sysml",
                                    HK_SYSML_DIR "/../wrong/good.sysml"};

typedef struct mutant {
    char *text;
    size_t size;
    dice dice;
} mutant;

static size_t below(mutant *m, size_t limit) {
    return limit ? roll(&m->dice, (uint32_t)limit) : 0;
}

/* Where a word or sign begins, at random; END: behind it. */
static size_t token(mutant *m, size_t *ret_end) {
    size_t at = below(m, m->size), end;
    while (at < m->size && strchr(" \n", m->text[at]))
        at++;
    end = at + (at < m->size);
    while (end < m->size && !strchr(" \n;:.{}[]()=,", m->text[end]))
        end++;
    *ret_end = end;
    return at;
}

static void splice(mutant *m, size_t at, size_t end, const char *with, size_t size) {
    memmove(m->text + at + size, m->text + end, m->size - end);
    memcpy(m->text + at, with, size);
    m->size += size - (end - at);
}

static void change(mutant *m) {
    static const char *const words[] = {
        "{",    "}",   ";",       ":>>",          "#ecomponent ", "part def X;",
        "'",    "[4]", "= 1e999", "= (1.0, 2)",   "@unit ",       "flow ",
        "\xc3", "/*",  "in item", "import A::*;", "::",           "\"",
        "[*]",  "-",   "\x01"};
    char kept[GROWS / 4];
    size_t end, at = token(m, &end), other, last;
    switch (below(m, 6)) {
    case 0: /* a byte */
        if (m->size)
            m->text[below(m, m->size)] = (char)below(m, 256);
        break;
    case 1: /* gone */
        splice(m, at, end, "", 0);
        break;
    case 2: { /* a word of another place */
        other = token(m, &last);
        size_t length = last - other < sizeof kept ? last - other : sizeof kept;
        memcpy(kept, m->text + other, length);
        splice(m, at, end - at < GROWS ? end : at, kept, length);
        break;
    }
    case 3: { /* a word of the language */
        const char *word = words[below(m, sizeof words / sizeof *words)];
        splice(m, at, at, word, strlen(word));
        break;
    }
    case 4: /* a line is gone */
        while (end < m->size && m->text[end] != '\n')
            end++;
        splice(m, at, end, "", 0);
        break;
    default: /* cut */
        if (below(m, 8) == 0)
            m->size = at;
    }
}

static hk_status read_text(hk_ctx *ctx, hk_arena *arena, const char *text, size_t size,
                           const hk_multimodel **ret_profile) {
    hk_status status = hk_profile_read_text(
        ctx, arena, &(hk_file_text){"/nowhere/m.sysml", text, size}, ret_profile);
    assert_true((status == HK_OK) == (hk_ctx_count(ctx, HK_ERROR) == 0));
    return status;
}

/* True: it is a multi-model, and what is printed of one that keeps the rules is one, too. */
static bool look(const mutant *m) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    const hk_multimodel *profile = NULL, *again = NULL;
    bool read = read_text(ctx, arena, m->text, m->size, &profile) == HK_OK;
    if (read) {
        hk_status status = hk_profile_check(ctx, arena, profile, &(hk_profile_wishes){0});
        assert_true((status == HK_OK) == (hk_ctx_count(ctx, HK_ERROR) == 0));
        if (status == HK_OK) {
            const char *text = hk_profile_print(arena, profile);
            assert_int_equal(read_text(ctx, arena, text, strlen(text), &again), HK_OK);
            hk_profile_finish(again);
        }
        hk_profile_finish(profile);
    }
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
    return read;
}

static void p9_mutated_files(void **state) {
    const char *thin = getenv("HK_THIN");
    size_t count = getenv("HK_SLOW") ? MILLION : SOME / (thin ? strtoul(thin, NULL, 10) : 1);
    size_t understood = 0;
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        char *data;
        size_t size;
        assert_int_equal(hk_file_read(ctx, files[f], 0, &data, &size), HK_OK);
        mutant m = {.text = hk_alloc(size + (size_t)GROWS * CHANGES)};
        m.dice.stream = hk_stream_make(9, f, "mutants", "sysml");
        for (size_t i = 0; i < count / 2; i++) {
            m.size = size;
            memcpy(m.text, data, size);
            for (size_t k = 1 + below(&m, CHANGES); k > 0; k--)
                change(&m);
            understood += look(&m);
        }
        hk_free(m.text);
        hk_free(data);
        hk_ctx_destroy(ctx);
    }
    print_message("%zu of %zu files are multi-models\n", understood, count);
    assert_in_range(understood, count / 50, count - count / 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(p9_mutated_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
