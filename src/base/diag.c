/* SPDX-License-Identifier: MIT */
#include "base/diag.h"

#include "base/claims.h"
#include "base/complaints.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct hk_ctx {
    pthread_mutex_t lock;
    hk_arena *arena;
    hk_diag **diags;
    size_t count, cap;
    struct renamed {
        const char *folder, *shown;
    } * renamed;
    size_t renamed_count, renamed_cap;
    hk_diag_fn *sink;
    void *user;
    hk_claims *claims;  /* NULL: none */
    size_t limit, seen; /* of errors, and those since it was set; 0: none */
};

hk_ctx *hk_ctx_create(hk_diag_fn *sink, void *user) {
    hk_ctx *ctx = hk_alloc(sizeof *ctx);
    pthread_mutex_init(&ctx->lock, NULL);
    ctx->arena = hk_arena_create();
    ctx->sink = sink;
    ctx->user = user;
    return ctx;
}

void hk_ctx_destroy(hk_ctx *ctx) {
    if (!ctx)
        return;
    hk_claims_release(ctx->claims);
    pthread_mutex_destroy(&ctx->lock);
    hk_arena_destroy(ctx->arena);
    hk_free(ctx->diags);
    hk_free(ctx->renamed);
    hk_free(ctx);
}

hk_claims *hk_ctx_claims(const hk_ctx *ctx) {
    return ctx->claims;
}

void hk_ctx_set_claims(hk_ctx *ctx, hk_claims *claims) {
    HK_ASSERT(!ctx->claims);
    ctx->claims = claims;
}

size_t hk_ctx_count(const hk_ctx *ctx, hk_severity at_least) {
    size_t n = 0;
    for (size_t i = 0; i < ctx->count; i++)
        n += ctx->diags[i]->severity >= at_least;
    return n;
}

const hk_diag *hk_ctx_diag(const hk_ctx *ctx, size_t index) {
    return ctx->diags[index];
}

void hk_ctx_clear(hk_ctx *ctx) {
    pthread_mutex_lock(&ctx->lock);
    hk_arena *old = ctx->arena;
    ctx->arena = hk_arena_create();
    for (size_t i = 0; i < ctx->renamed_count; i++) {
        struct renamed *pair = &ctx->renamed[i];
        pair->folder = hk_arena_strdup(ctx->arena, pair->folder);
        pair->shown = hk_arena_strdup(ctx->arena, pair->shown);
    }
    ctx->count = 0;
    hk_arena_destroy(old);
    pthread_mutex_unlock(&ctx->lock);
}

void hk_ctx_rename(hk_ctx *ctx, const char *folder, const char *shown) {
    pthread_mutex_lock(&ctx->lock);
    struct renamed pair = {hk_arena_strdup(ctx->arena, folder), hk_arena_strdup(ctx->arena, shown)};
    HK_PUSH(ctx->renamed, ctx->renamed_count, ctx->renamed_cap, pair);
    pthread_mutex_unlock(&ctx->lock);
}

/* A name from a file may be of any length: the middle of a text that nobody would read is left out.
 * TEXT is changed in place; may be NULL. */
static char *shortened(char *text) {
    enum { HEAD = 600, TAIL = 200 };
    size_t length = text ? strlen(text) : 0;
    if (length > HEAD + TAIL + 5) {
        memcpy(text + HEAD, " ... ", 5);
        memmove(text + HEAD + 5, text + length - TAIL, TAIL + 1);
    }
    return text;
}

/* TEXT as a person knows it; may be NULL. */
static const char *as_shown(hk_ctx *ctx, const char *text) {
    for (size_t i = 0; text && i < ctx->renamed_count; i++) {
        const struct renamed *pair = &ctx->renamed[i];
        const char *found = strstr(text, pair->folder);
        if (found)
            text = hk_arena_printf(ctx->arena, "%.*s%s%s", (int)(found - text), text, pair->shown,
                                   found + strlen(pair->folder));
    }
    return text;
}

size_t hk_ctx_limit_errors(hk_ctx *ctx, size_t limit) {
    pthread_mutex_lock(&ctx->lock);
    size_t before = ctx->limit;
    ctx->limit = limit;
    ctx->seen = before && limit ? ctx->seen : 0;
    pthread_mutex_unlock(&ctx->lock);
    return before;
}

/* ABOUT is all but the text. */
HK_PRINTF(3, 0)
static void add(hk_ctx *ctx, hk_diag about, const char *format, va_list args) {
    pthread_mutex_lock(&ctx->lock);
    bool error = ctx->limit && about.severity == HK_ERROR, last = false;
    if (error && ctx->seen++ >= ctx->limit) {
        last = ctx->seen == ctx->limit + 1;
        about = (hk_diag){.severity = HK_NOTE, .where = about.where};
        if (!last) {
            pthread_mutex_unlock(&ctx->lock);
            return;
        }
    }
    hk_diag *diag = HK_NEW(ctx->arena, hk_diag);
    *diag = about;
    diag->where.file = as_shown(ctx, hk_arena_strdup(ctx->arena, about.where.file));
    diag->where.element = shortened(hk_arena_strdup(ctx->arena, about.where.element));
    diag->hint = shortened(hk_arena_strdup(ctx->arena, about.hint));
    diag->text = last ? hk_complaints_more(ctx->arena, ctx->limit)
                      : as_shown(ctx, shortened(hk_arena_vprintf(ctx->arena, format, args)));
    HK_PUSH(ctx->diags, ctx->count, ctx->cap, diag);
    if (ctx->sink)
        ctx->sink(ctx->user, diag);
    pthread_mutex_unlock(&ctx->lock);
}

hk_status hk_error(hk_ctx *ctx, hk_status code, hk_where where, const char *hint,
                   const char *format, ...) {
    va_list args;
    va_start(args, format);
    add(ctx, (hk_diag){.severity = HK_ERROR, .code = code, .where = where, .hint = hint}, format,
        args);
    va_end(args);
    return code;
}

void hk_warn(hk_ctx *ctx, hk_status code, hk_where where, const char *hint, const char *format,
             ...) {
    va_list args;
    va_start(args, format);
    add(ctx, (hk_diag){.severity = HK_WARNING, .code = code, .where = where, .hint = hint}, format,
        args);
    va_end(args);
}

void hk_note(hk_ctx *ctx, hk_where where, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add(ctx, (hk_diag){.severity = HK_NOTE, .where = where}, format, args);
    va_end(args);
}

static const struct {
    hk_status code;
    int exit;
    const char *text, *why;
} statuses[] = {
#define HK_STATUS(name, number, exit, text, why) {HK_E_##name, exit, text, why},
#include <hk/status.def>
#undef HK_STATUS
};

enum { STATUS_COUNT = sizeof statuses / sizeof *statuses };

hk_status hk_status_by_index(size_t index) {
    return index < STATUS_COUNT ? statuses[index].code : HK_OK;
}

static size_t find(hk_status code) {
    size_t i = 0;
    while (i < STATUS_COUNT && statuses[i].code != code)
        i++;
    return i;
}

const char *hk_status_text(hk_status code) {
    size_t i = find(code);
    return i < STATUS_COUNT ? statuses[i].text : "success";
}

const char *hk_status_explain(hk_status code) {
    size_t i = find(code);
    return i < STATUS_COUNT ? statuses[i].why : NULL;
}

int hk_status_exit(hk_status code) {
    size_t i = find(code);
    return i < STATUS_COUNT ? statuses[i].exit : 0;
}

enum { CLOSEST_LENGTH_MAX = 96 };

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Levenshtein distance of two short words, row by row; two letters that have changed places are one
 * mistake, as people make it. */
static size_t distance(const char *a, const char *b) {
    size_t length_b = strlen(b);
    size_t rows[3][CLOSEST_LENGTH_MAX + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= length_b; j++)
        last[j] = before[j] = j;
    for (size_t i = 0; a[i]; i++) {
        row[0] = i + 1;
        for (size_t j = 1; j <= length_b; j++) {
            row[j] = smaller(last[j - 1] + (a[i] != b[j - 1]), smaller(last[j], row[j - 1]) + 1);
            if (i && j > 1 && a[i] == b[j - 2] && a[i - 1] == b[j - 1])
                row[j] = smaller(row[j], before[j - 2] + 1);
        }
        size_t *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[length_b];
}

const char *hk_closest(const char *word, const char *const *names, size_t count) {
    size_t length = strlen(word);
    if (length > CLOSEST_LENGTH_MAX)
        return NULL;
    size_t best = length / 3 + 1, best_common = 0;
    const char *closest = NULL;
    for (size_t i = 0; i < count; i++) {
        size_t other = strlen(names[i]);
        size_t apart = other > length ? other - length : length - other;
        if (other > CLOSEST_LENGTH_MAX || apart > best)
            continue;
        size_t d = distance(word, names[i]), common = 0;
        while (word[common] && word[common] == names[i][common])
            common++;
        /* Words that have nothing in common are not close, however short. */
        bool alike = d < (other > length ? other : length) || strcasecmp(word, names[i]) == 0;
        if (alike && (d < best || (d == best && (!closest || common > best_common)))) {
            best = d;
            best_common = common;
            closest = names[i];
        }
    }
    return closest;
}

const char *hk_hint_name(hk_arena *arena, const char *name, const char *fallback) {
    return name ? hk_arena_printf(arena, "did you mean '%s'?", name) : fallback;
}

const char *hk_hint_closest(hk_arena *arena, const char *word, const char *const *names,
                            size_t count, const char *fallback) {
    const char *closest = hk_closest(word, names, count);
    if (closest)
        return hk_hint_name(arena, closest, NULL);
    const char *found[HK_HINT_NAMES];
    size_t length = strlen(word), all = 0;
    for (size_t i = 0; i < count && length; i++) {
        size_t other = strlen(names[i]);
        if (other > length + 1 && names[i][other - length - 1] == '.' &&
            strcmp(names[i] + other - length, word) == 0 && all++ < HK_HINT_NAMES)
            found[all - 1] = names[i];
    }
    return hk_hint_names(arena, found, all, fallback);
}

const char *hk_hint_names(hk_arena *arena, const char *const *names, size_t count,
                          const char *fallback) {
    if (!count)
        return fallback;
    const char *text = "did you mean ";
    size_t shown = smaller(count, HK_HINT_NAMES);
    for (size_t i = 0; i < shown; i++)
        text = hk_arena_printf(arena, "%s%s'%s'", text,
                               i == 0                             ? ""
                               : i + 1 == shown && count == shown ? " or "
                                                                  : ", ",
                               names[i]);
    return count == shown ? hk_arena_printf(arena, "%s?", text)
                          : hk_arena_printf(arena, "%s or %zu more?", text, count - shown);
}

void hk_assert_failed(const char *condition, const char *file, int line) {
    fprintf(stderr, "hocket: error[HK0902]: internal error: %s:%d: '%s' does not hold\n", file,
            line, condition);
    abort();
}

void hk_say_again(hk_ctx *ctx, const hk_diag *d) {
    if (d->severity == HK_ERROR)
        (void)hk_error(ctx, d->code, d->where, d->hint, "%s", d->text);
    else if (d->severity == HK_WARNING)
        hk_warn(ctx, d->code, d->where, d->hint, "%s", d->text);
    else
        hk_note(ctx, d->where, "%s", d->text);
}
