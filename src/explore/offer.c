/* SPDX-License-Identifier: MIT
 *
 * Values of inputs: lists of scalars, and how records and sequences are made of them. */
#include "explore/offer.h"

#include "base/number.h"

#include <string.h>

typedef struct making {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_ask_bounds *bounds;
    hk_where where; /* of the event */
} making;

/* What is said of PATH, or else of its type. */
static const hk_ask_bound *find_bound(const making *m, const char *path, const hk_chart_type *type,
                                      bool length) {
    const char *names[] = {path, type->name};
    for (size_t n = 0; n < 2; n++)
        for (size_t i = m->bounds->count; i > 0; i--) { /* the last one counts */
            const hk_ask_bound *b = &m->bounds->all[i - 1];
            if (b->length == length && strcmp(b->name, names[n]) == 0) {
                for (size_t k = 0; k < m->bounds->count; k++) /* those before it are overruled */
                    if (m->bounds->all[k].length == length &&
                        strcmp(m->bounds->all[k].name, names[n]) == 0)
                        m->bounds->used[k] = true;
                return b;
            }
        }
    return NULL;
}

static hk_status wrong_bound(const making *m, const hk_ask_bound *b, const hk_chart_type *type,
                             const char *word) {
    return hk_error(m->ctx, HK_E_VALUE, b->where,
                    b->length ? "a length is a whole number from 0 to 16"
                              : "write values with commas between them, or FIRST..LAST",
                    "%s '%s': '%s' is not a value of %s", b->length ? "length" : "range", b->name,
                    word, b->length ? "a length" : type->name);
}

/* "FIRST..LAST" of whole numbers. */
static hk_status add_interval(const making *m, const hk_ask_bound *b, hk_offer *d, char *first,
                              char *dots, hk_cell **values) {
    int64_t from = 0, to = 0;
    if (d->type->kind == HK_CHART_REAL)
        return hk_error(m->ctx, HK_E_VALUE, b->where, "write the values: 0.0, 0.5, 1.0",
                        "range '%s': from one real to another there are values without number",
                        b->name);
    *dots = '\0';
    bool ok = hk_read_i64(first, strlen(first), &from) &&
              hk_read_i64(dots + 2, strlen(dots + 2), &to) && from <= to &&
              (d->type->kind != HK_CHART_NAT || from >= 0) && d->type->kind != HK_CHART_BOOLEAN &&
              d->type->kind != HK_CHART_ENUMERATION;
    if (!ok)
        return wrong_bound(m, b, d->type, b->values);
    if ((uint64_t)to - (uint64_t)from >= HK_OFFER_MAX)
        return hk_error(m->ctx, HK_E_VALUE, b->where, NULL, "range '%s' has more than %d values",
                        b->name, (int)HK_OFFER_MAX);
    uint64_t count = (uint64_t)to - (uint64_t)from + 1;
    *values = HK_NEW_ARRAY(m->arena, hk_cell, count);
    for (uint64_t i = 0; i < count; i++)
        (*values)[i].i = from + (int64_t)i;
    d->count = count;
    return HK_OK;
}

static hk_status read_values(const making *m, const hk_ask_bound *b, hk_offer *d) {
    char *text = hk_arena_strdup(m->arena, b->values), *after = NULL;
    char *dots = strstr(text, "..");
    hk_cell *values = NULL;
    if (dots) {
        HK_TRY(add_interval(m, b, d, text, dots, &values));
        d->values = values;
        return HK_OK;
    }
    values = HK_NEW_ARRAY(m->arena, hk_cell, strlen(text) + 1);
    for (char *word = strtok_r(text, ", ", &after); word; word = strtok_r(NULL, ", ", &after)) {
        hk_cell cell;
        if (!hk_read_cell(d->type, word, &cell))
            return wrong_bound(m, b, d->type, word);
        for (uint64_t i = 0; i < d->count; i++)
            if (values[i].i == cell.i)
                return hk_error(m->ctx, HK_E_VALUE, b->where, NULL, "range '%s' has '%s' twice",
                                b->name, word);
        values[d->count++] = cell;
    }
    d->values = values;
    return d->count ? HK_OK : wrong_bound(m, b, d->type, b->values);
}

/* All of a type that is finite, or 0 and 1 of a given one. */
static bool take_whole(const making *m, hk_offer *d) {
    const hk_chart_type *type = d->type;
    d->count = type->kind == HK_CHART_ENUMERATION                               ? type->item_count
               : type->kind == HK_CHART_BOOLEAN || type->kind == HK_CHART_GIVEN ? 2
                                                                                : 0;
    hk_cell *values = HK_NEW_ARRAY(m->arena, hk_cell, d->count + 1);
    for (uint64_t i = 0; i < d->count; i++)
        values[i].i = (int64_t)i;
    d->values = values;
    return d->count > 0;
}

static hk_status make_scalar(const making *m, const char *path, hk_offer *d) {
    const hk_ask_bound *b = find_bound(m, path, d->type, false);
    if (b)
        return read_values(m, b, d);
    if (take_whole(m, d))
        return HK_OK;
    return hk_error(m->ctx, HK_E_VALUE, m->where,
                    hk_arena_printf(m->arena, "--range %s=0,1,2 says which are looked at", path),
                    "'%s' is not bounded: values of %s are without number", path, d->type->name);
}

static hk_status too_many(const making *m, const char *path) {
    return hk_error(m->ctx, HK_E_VALUE, m->where, "shorter lengths and ranges",
                    "'%s' has more than %d values", path, (int)HK_OFFER_MAX);
}

static hk_status make(const making *m, const char *path, const hk_chart_type *type,
                      const hk_offer **ret_domain);

/* A part for each field, whose values are combined. */
static hk_status make_record(const making *m, const char *path, hk_offer *d) {
    const hk_offer **parts = HK_NEW_ARRAY(m->arena, const hk_offer *, d->type->field_count + 1);
    d->count = 1;
    d->parts = parts;
    for (uint32_t i = 0; i < d->type->field_count; i++) {
        const hk_chart_field *f = &d->type->fields[i];
        HK_TRY(make(m, hk_arena_printf(m->arena, "%s.%s", path, f->name), f->type, &parts[i]));
        d->count *= parts[i]->count;
        if (d->count > HK_OFFER_MAX)
            return too_many(m, path);
    }
    return HK_OK;
}

static hk_status read_length(const making *m, const char *path, hk_offer *d) {
    const hk_ask_bound *b = find_bound(m, path, d->type, true);
    int64_t length = 0;
    if (!b)
        return hk_error(m->ctx, HK_E_VALUE, m->where,
                        hk_arena_printf(m->arena, "--length %s=2 says up to which", path),
                        "'%s' is not bounded: a sequence can have any length", path);
    if (!hk_read_i64(b->values, strlen(b->values), &length) || length < 0 ||
        length > HK_CHART_SEQUENCE_MAX)
        return wrong_bound(m, b, d->type, b->values);
    d->longest = (uint32_t)length;
    return HK_OK;
}

/* Vectors have all their elements, sequences from none to the longest. */
static hk_status make_elements(const making *m, const char *path, hk_offer *d) {
    const hk_offer **part = HK_NEW(m->arena, const hk_offer *);
    uint64_t power = 1, sum = 1;
    bool sequence = d->type->kind == HK_CHART_SEQUENCE;
    if (sequence)
        HK_TRY(read_length(m, path, d));
    HK_TRY(make(m, path, d->type->element, part));
    d->parts = part;
    for (uint32_t i = 0; i < (sequence ? d->longest : d->type->length); i++) {
        power *= (*part)->count;
        sum += power;
        if (sum > HK_OFFER_MAX)
            return too_many(m, path);
    }
    d->count = sequence ? sum : power;
    return HK_OK;
}

static hk_status make(const making *m, const char *path, const hk_chart_type *type,
                      const hk_offer **ret_domain) {
    hk_offer *d = HK_NEW(m->arena, hk_offer);
    d->type = type;
    *ret_domain = d;
    if (hk_chart_is_scalar(type))
        return make_scalar(m, path, d);
    if (type->kind == HK_CHART_RECORD || type->kind == HK_CHART_TUPLE)
        return make_record(m, path, d);
    return make_elements(m, path, d);
}

hk_status hk_offer_make(hk_ctx *ctx, hk_arena *arena, const hk_ask_bounds *bounds,
                        const hk_offer_of *of, const hk_offer **ret_offer) {
    making m = {.ctx = ctx, .arena = arena, .bounds = bounds, .where = of->where};
    return make(&m, of->path, of->type, ret_offer);
}

void hk_offer_leave(hk_arena *arena, const hk_ask_bounds *bounds, const char *path,
                    const hk_chart_type *type) {
    for (size_t i = 0; i < bounds->count; i++)
        if (strcmp(bounds->all[i].name, path) == 0 || strcmp(bounds->all[i].name, type->name) == 0)
            bounds->left[i] = true;
    for (uint32_t i = 0; i < type->field_count; i++)
        hk_offer_leave(arena, bounds, hk_arena_printf(arena, "%s.%s", path, type->fields[i].name),
                       type->fields[i].type);
    if (type->element)
        hk_offer_leave(arena, bounds, path, type->element);
}

hk_status hk_ask_bounds_check(hk_ctx *ctx, const hk_ask_bounds *bounds) {
    hk_status status = HK_OK;
    for (size_t i = 0; i < bounds->count; i++)
        if (bounds->left[i] && !bounds->used[i])
            hk_warn(ctx, HK_E_NAME, bounds->all[i].where, NULL,
                    "%s '%s' is not used: the plant brings it",
                    bounds->all[i].length ? "length" : "range", bounds->all[i].name);
        else if (!bounds->used[i])
            status = hk_error(ctx, HK_E_NAME, bounds->all[i].where,
                              "names are those of input events, their parts, and types",
                              "%s '%s' is of nothing that has to be bounded",
                              bounds->all[i].length ? "length" : "range", bounds->all[i].name);
    return status;
}

void hk_offer_put(const hk_offer *o, uint64_t index, hk_cell *cells) {
    const hk_chart_type *type = o->type;
    memset(cells, 0, type->size * sizeof *cells);
    if (o->values) {
        *cells = o->values[index];
        return;
    }
    if (type->kind == HK_CHART_RECORD || type->kind == HK_CHART_TUPLE) {
        for (uint32_t i = 0; i < type->field_count; i++) {
            hk_offer_put(o->parts[i], index % o->parts[i]->count, cells + type->fields[i].offset);
            index /= o->parts[i]->count;
        }
        return;
    }
    uint64_t power = 1, base = o->parts[0]->count;
    uint32_t length = type->length;
    if (type->kind == HK_CHART_SEQUENCE) {
        for (length = 0; index >= power; length++, power *= base)
            index -= power;
        cells++->i = length;
    }
    for (uint32_t i = 0; i < length; i++, index /= base)
        hk_offer_put(o->parts[0], index % base, cells + i * type->element->size);
}

hk_status hk_ask_bound_read(hk_ctx *ctx, hk_arena *arena, const char *option, bool length,
                            const char *text, hk_ask_bound *ret_bound) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE,
                        length ? "--length gas=2" : "--range odometer=0,1,2",
                        "%s '%s' is not NAME=VALUES", option, text);
    *ret_bound = (hk_ask_bound){
        .name = hk_name_plain(arena, hk_arena_strndup(arena, text, (size_t)(equals - text))),
        .values = hk_arena_strdup(arena, equals + 1),
        .length = length,
        .where = {.element = hk_arena_printf(arena, "%s %s", option, text)}};
    return HK_OK;
}
