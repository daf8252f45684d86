/* SPDX-License-Identifier: MIT
 *
 * Regions that belong to the user: found by their marks, put into the new text by their names. */
#include "gen/gen_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ORPHANED "orphaned: "
#define ORPHANS_BEGIN                                                                              \
    "#if 0 /* orphaned user code: what has no place any more; take it or delete it */"
#define ORPHANS_END "#endif /* orphaned user code */"
#define CHECKSUM    "checksum "

enum { CHECKSUM_DIGITS = 16 };

/* ---- lines ------------------------------------------------------------------------------------
 */

typedef struct line {
    const char *text; /* without the spaces around it */
    size_t length;
    size_t begin, end; /* in the whole; end is behind the line break */
} line;

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

static bool next_line(const char *data, size_t size, size_t *at, line *ret_line) {
    if (*at >= size)
        return false;
    const char *start = data + *at, *stop = memchr(start, '\n', size - *at);
    size_t whole = stop ? (size_t)(stop - start) + 1 : size - *at, length = whole;
    *ret_line = (line){.begin = *at, .end = *at + whole};
    while (length && is_space(start[length - 1]))
        length--;
    while (length && is_space(*start)) {
        start++;
        length--;
    }
    ret_line->text = start;
    ret_line->length = length;
    *at += whole;
    return true;
}

static bool contains(const line *l, const char *word) {
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= l->length; i++)
        if (memcmp(l->text + i, word, length) == 0)
            return true;
    return false;
}

static bool is_line(const line *l, const char *text) {
    return l->length == strlen(text) && memcmp(l->text, text, l->length) == 0;
}

/* The name in a line that is nothing but a mark; NULL: it is none. */
static const char *mark_name(hk_arena *arena, const line *l, const char *mark) {
    size_t head = strlen(mark);
    if (l->length < head + 4 || memcmp(l->text, mark, head) != 0 ||
        memcmp(l->text + l->length - 3, " */", 3) != 0)
        return NULL;
    line inner = {.text = l->text + head, .length = l->length - head - 3};
    return contains(&inner, "*/") ? NULL : hk_arena_strndup(arena, inner.text, inner.length);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

const hk_region *hk_regions_find(const hk_regions *regions, const char *name) {
    for (size_t i = 0; i < regions->count; i++)
        if (strcmp(regions->list[i].name, name) == 0)
            return &regions->list[i];
    return NULL;
}

bool hk_region_is_blank(const hk_regions *regions, const hk_region *region) {
    for (size_t i = region->begin; i < region->end; i++)
        if (!is_space(regions->data[i]))
            return false;
    return true;
}

void hk_regions_finish(hk_regions *regions) {
    hk_free(regions->list);
    *regions = (hk_regions){0};
}

typedef struct reader {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *file;
    hk_regions regions;
    hk_region open; /* name NULL: none */
    int line;
} reader;

static hk_status wrong(const reader *r, int number, const char *missing, const char *name,
                       const char *what) {
    const char *hint = hk_arena_printf(r->arena, "put back its mark 'user code %s'", missing);
    return hk_error(r->ctx, HK_E_REGENERATE, (hk_where){.file = r->file, .line = number}, hint,
                    "the region '%s' %s", name, what);
}

static hk_status read_begin(reader *r, const line *l, const char *name) {
    if (r->open.name)
        return wrong(r, r->open.line, "end", r->open.name,
                     "is not closed before the next one begins");
    const hk_region *other = hk_regions_find(&r->regions, name);
    if (other)
        return hk_error(r->ctx, HK_E_REGENERATE, (hk_where){.file = r->file, .line = r->line},
                        "keep one of them",
                        "the region '%s' is there twice; the other one begins in line %d", name,
                        other->line);
    r->open = (hk_region){.name = name, .begin = l->end, .line = r->line};
    return HK_OK;
}

static hk_status read_end(reader *r, const line *l, const char *name) {
    if (!r->open.name)
        return wrong(r, r->line, "begin", name, "ends here and begins nowhere");
    if (strcmp(r->open.name, name) != 0)
        return wrong(r, r->open.line, "end", r->open.name, "is not closed before another one ends");
    r->open.end = l->begin;
    HK_PUSH(r->regions.list, r->regions.count, r->regions.cap, r->open);
    r->open.name = NULL;
    return HK_OK;
}

static hk_status read_lines(reader *r) {
    size_t at = 0;
    line l;
    for (r->line = 1; next_line(r->regions.data, r->regions.size, &at, &l); r->line++) {
        bool begins = contains(&l, "user code begin:"), ends = contains(&l, "user code end:");
        if (!begins && !ends)
            continue;
        const char *name = mark_name(r->arena, &l, begins ? HK_GEN_BEGIN : HK_GEN_END);
        if (!name || (begins && ends))
            return hk_error(r->ctx, HK_E_REGENERATE, (hk_where){.file = r->file, .line = r->line},
                            "write it as '/* user code begin: name */' in a line of its own",
                            "this is not a mark of a region");
        HK_TRY(begins ? read_begin(r, &l, name) : read_end(r, &l, name));
    }
    if (r->open.name)
        return wrong(r, r->open.line, "end", r->open.name, "is not closed");
    return HK_OK;
}

hk_status hk_regions_read(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                          size_t size, hk_regions *ret_regions) {
    reader r = {.ctx = ctx, .arena = arena, .file = file, .regions = {.data = data, .size = size}};
    hk_status status = HK_OK;
    if (memchr(data, 0, size))
        status = hk_error(ctx, HK_E_REGENERATE, (hk_where){.file = file},
                          "move it away; it will be written anew", "is not text");
    if (status == HK_OK)
        status = read_lines(&r);
    if (status != HK_OK) {
        hk_regions_finish(&r.regions);
        return status;
    }
    *ret_regions = r.regions;
    return HK_OK;
}

/* ---- what is outside ----------------------------------------------------------------------
 */

/* The next line that is neither the user's nor a mark nor about orphans. */
typedef struct outside {
    const hk_regions *regions;
    size_t at, region;
    int number;
} outside;

static bool next_outside(outside *o, line *ret_line) {
    const hk_regions *r = o->regions;
    for (;;) {
        if (o->region < r->count && o->at == r->list[o->region].begin) {
            for (; o->at < r->list[o->region].end; o->number++) {
                line skipped;
                next_line(r->data, r->size, &o->at, &skipped);
            }
            o->region++;
        }
        if (!next_line(r->data, r->size, &o->at, ret_line))
            return false;
        o->number++;
        if (!contains(ret_line, HK_GEN_BEGIN) && !contains(ret_line, HK_GEN_END) &&
            !is_line(ret_line, ORPHANS_BEGIN) && !is_line(ret_line, ORPHANS_END))
            return true;
    }
}

/* Where the digits of the checksum are in a line that has them; NULL: none. */
static const char *checksum_digits(const line *l) {
    size_t head = strlen(HK_GEN_MARK);
    for (size_t i = 0; i + head + CHECKSUM_DIGITS <= l->length; i++)
        if (memcmp(l->text + i, HK_GEN_MARK, head) == 0)
            return l->text + i + head;
    return NULL;
}

/* Layout does not count: somebody may have formatted the file. */
static uint64_t hash_line(uint64_t hash, const line *l) {
    const char *digits = checksum_digits(l);
    for (size_t i = 0; i < l->length; i++) {
        bool digit = digits && l->text + i >= digits && l->text + i < digits + CHECKSUM_DIGITS;
        if (!is_space(l->text[i]) && !digit)
            hash = hk_hash(hash, l->text + i, 1);
    }
    return hash;
}

uint64_t hk_regions_checksum(const hk_regions *regions) {
    outside o = {.regions = regions};
    uint64_t hash = HK_HASH_SEED;
    line l;
    while (next_outside(&o, &l))
        hash = hash_line(hash, &l);
    return hash;
}

static const char *find_digits(const hk_regions *regions) {
    outside o = {.regions = regions};
    line l;
    while (next_outside(&o, &l))
        if (checksum_digits(&l))
            return checksum_digits(&l);
    return NULL;
}

static void write_digits(uint64_t hash, char *digits) {
    for (int i = 0; i < CHECKSUM_DIGITS; i++)
        digits[i] = "0123456789abcdef"[hash >> (60 - 4 * i) & 15];
}

void hk_regions_seal(hk_arena *arena, hk_text *text) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_regions regions;
    hk_status status = hk_regions_read(ctx, arena, "", text->data, text->size, &regions);
    HK_ASSERT(status == HK_OK); /* it was made here, of regions that were read */
    const char *digits = find_digits(&regions);
    if (digits)
        write_digits(hk_regions_checksum(&regions), text->data + (digits - text->data));
    hk_regions_finish(&regions);
    hk_ctx_destroy(ctx);
}

hk_seal hk_regions_seal_state(const hk_regions *regions) {
    const char *digits = find_digits(regions);
    char expected[CHECKSUM_DIGITS];
    if (!digits)
        return HK_SEAL_NONE;
    write_digits(hk_regions_checksum(regions), expected);
    return memcmp(digits, expected, CHECKSUM_DIGITS) == 0 ? HK_SEAL_GOOD : HK_SEAL_BROKEN;
}

static const char *squeezed(hk_arena *arena, const line *l) {
    char *text = hk_arena_strndup(arena, l->text, l->length);
    size_t n = 0;
    for (size_t i = 0; i < l->length; i++)
        if (!is_space(l->text[i]))
            text[n++] = l->text[i];
    text[n] = '\0';
    return text;
}

int hk_regions_first_change(const hk_regions *old, const hk_regions *fresh) {
    hk_arena *arena = hk_arena_create();
    hk_map known = {0};
    outside o = {.regions = fresh};
    line l;
    int number = 0;
    while (next_outside(&o, &l))
        hk_map_put(&known, squeezed(arena, &l), 0);
    o = (outside){.regions = old};
    while (!number && next_outside(&o, &l))
        if (l.length && !checksum_digits(&l) &&
            hk_map_get(&known, squeezed(arena, &l)) == HK_MAP_NONE)
            number = o.number;
    hk_map_finish(&known);
    hk_arena_destroy(arena);
    return number;
}

/* ---- merging ----------------------------------------------------------------------------------
 */

static bool is_orphan(const char *name) {
    return strncmp(name, ORPHANED, strlen(ORPHANED)) == 0;
}

/* Where the text of the new region NAME comes from; NULL: there is none yet. */
static const hk_region *source_of(hk_arena *arena, const hk_regions *old, const char *name) {
    const hk_region *same = hk_regions_find(old, name);
    return same ? same : hk_regions_find(old, hk_arena_printf(arena, ORPHANED "%s", name));
}

static void note(hk_gen_report *report, const char *path, const hk_region *region, const char *name,
                 bool restored) {
    hk_gen_region row = {path, name, region->line, restored};
    HK_PUSH(report->regions, report->region_count, report->region_cap, row);
}

/* A name for the orphan that no other one has. */
static const char *orphan_name(hk_arena *arena, const hk_regions *old, const char *name) {
    const char *first = hk_arena_printf(arena, ORPHANED "%s", name), *free = first;
    for (int i = 2; hk_regions_find(old, free); i++)
        free = hk_arena_printf(arena, "%s (%d)", first, i);
    return free;
}

static void put_orphans(hk_arena *arena, const hk_regions *fresh, const hk_regions *old,
                        const char *path, hk_gen_report *report, hk_text *text) {
    bool any = false;
    for (size_t i = 0; i < old->count; i++) {
        const hk_region *region = &old->list[i];
        bool before = is_orphan(region->name);
        const char *bare = before ? region->name + strlen(ORPHANED) : region->name;
        bool restored = before && hk_regions_find(fresh, bare) && !hk_regions_find(old, bare);
        if (restored || hk_regions_find(fresh, region->name) || hk_region_is_blank(old, region))
            continue;
        const char *name = before ? region->name : orphan_name(arena, old, region->name);
        if (!any)
            hk_text_put(text, "\n" ORPHANS_BEGIN "\n");
        any = true;
        if (!before)
            note(report, path, region, region->name, false);
        hk_text_put(text, HK_GEN_BEGIN "%s */\n", name);
        hk_text_add(text, old->data + region->begin, region->end - region->begin);
        hk_text_put(text, HK_GEN_END "%s */\n", name);
    }
    if (any)
        hk_text_put(text, ORPHANS_END "\n");
}

void hk_regions_merge(hk_arena *arena, const hk_regions *fresh, const hk_regions *old,
                      const char *path, hk_gen_report *report, hk_text *ret_text) {
    hk_text text = {0};
    size_t at = 0;
    for (size_t i = 0; i < fresh->count; i++) {
        const hk_region *region = &fresh->list[i];
        const hk_region *from = source_of(arena, old, region->name);
        hk_text_add(&text, fresh->data + at, region->begin - at);
        if (from)
            hk_text_add(&text, old->data + from->begin, from->end - from->begin);
        else
            hk_text_add(&text, fresh->data + region->begin, region->end - region->begin);
        if (from && is_orphan(from->name))
            note(report, path, from, region->name, true);
        at = region->end;
    }
    hk_text_add(&text, fresh->data + at, fresh->size - at);
    put_orphans(arena, fresh, old, path, report, &text);
    *ret_text = text;
}
