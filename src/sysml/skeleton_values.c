/* SPDX-License-Identifier: MIT
 *
 * Types and values of RoboChart, from the names of their parts: 'p.x' and 'p.y' are the fields of a
 * record, 'p[1]' and 'p[2]' of a vector, 'p[1,2]' of a matrix, 'p.1' of a tuple, and 'p.size' with
 * 'p[1]' of a sequence. */
#include "sysml/skeleton_internal.h"

#include "chart/chart_syntax.h"

#include <stdlib.h>
#include <string.h>

typedef struct built {
    const char *type, *value; /* NULL: it cannot be one; it has none */
} built;

static built build(hk_skeleton_types *t, const hk_skeleton_part *parts, size_t count,
                   const char *path);

/* ---- names -------------------------------------------------------------------------------------
 */

static bool is_identifier(const char *name) {
    for (const char *c = name; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_' ||
              (c > name && *c >= '0' && *c <= '9')))
            return false;
    return *name != '\0';
}

const char *hk_skeleton_name(hk_arena *arena, const char *name) {
    if (!is_identifier(name))
        return NULL;
    return hk_rct_is_keyword(name) ? hk_arena_printf(arena, "^%s", name) : name;
}

const char *hk_skeleton_unique(hk_arena *arena, hk_map *names, const char *wanted) {
    while (hk_map_get(names, wanted) != HK_MAP_NONE)
        wanted = hk_arena_printf(arena, "%s_", wanted);
    hk_map_put(names, wanted, 0);
    return wanted;
}

/* ---- numbers -----------------------------------------------------------------------------------
 */

/* RoboChart has no exponents: "1.5e-3" is "0.0015". REAL: with a dot. */
static const char *plain_number(hk_arena *arena, const char *text, bool real) {
    const char *sign = *text == '-' ? "-" : "";
    const char *at = text + (*text == '-' || *text == '+');
    const char *e = strpbrk(at, "eE");
    size_t length = e ? (size_t)(e - at) : strlen(at);
    long power = e ? strtol(e + 1, NULL, 10) : 0;
    enum { POWER_MAX = 400 };
    if (power > POWER_MAX || power < -POWER_MAX)
        return NULL;
    const char *dot = memchr(at, '.', length);
    size_t whole = dot ? (size_t)(dot - at) : length, room = length + 2 * POWER_MAX + 8;
    char *digits = hk_arena_alloc(arena, room), *out = hk_arena_alloc(arena, room);
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        if (at[i] != '.')
            digits[count++] = at[i];
    long point = (long)whole + power; /* digits in front of the dot */
    size_t n = 0;
    if (point <= 0)
        out[n++] = '0';
    for (long i = 0; i < point; i++)
        out[n++] = i < (long)count ? digits[i] : '0';
    if (real || point < (long)count)
        out[n++] = '.';
    for (long i = point; i < 0; i++)
        out[n++] = '0';
    for (long i = point > 0 ? point : 0; i < (long)count; i++)
        out[n++] = digits[i];
    if (out[n - 1] == '.')
        out[n++] = '0';
    out[n] = '\0';
    return hk_arena_printf(arena, "%s%s", sign, out);
}

/* ---- scalars -----------------------------------------------------------------------------------
 */

static void refuse(hk_skeleton_types *t, const hk_place *at, const char *wrong) {
    if (t->wrong)
        return;
    t->wrong = wrong;
    t->at = at;
}

static const char *scalar_type(hk_skeleton_types *t, const hk_skeleton_part *p) {
    const hk_profile_shape *s = p->shape;
    if (s->size_count)
        refuse(t, p->at, "a list: each element is a port of its own, 'p[1]'");
    switch (s->type) {
    case HK_PROFILE_REAL:
        return "real";
    case HK_PROFILE_INTEGER:
        return s->type_name && strcmp(s->type_name, "Integer") != 0 ? "nat" : "int";
    case HK_PROFILE_BOOLEAN:
        return "boolean";
    case HK_PROFILE_ENUM:
        t->used[s->enumeration] = true;
        return hk_skeleton_name(t->arena, t->profile->enums[s->enumeration].name);
    default:
        refuse(t, p->at, "of a type that RoboChart does not have");
        return NULL;
    }
}

static const char *scalar_value(hk_skeleton_types *t, const hk_skeleton_part *p, const char *type) {
    const hk_literal *l = p->value;
    if (l->kind == HK_LITERAL_NONE || !type)
        return NULL;
    if (l->kind == HK_LITERAL_WORD) {
        const char *item = hk_skeleton_name(t->arena, l->text);
        return item ? hk_arena_printf(t->arena, "%s::%s", type, item) : NULL;
    }
    if (l->kind == HK_LITERAL_BOOL)
        return l->text;
    const char *number = l->kind == HK_LITERAL_NUMBER
                             ? plain_number(t->arena, l->text, p->shape->type == HK_PROFILE_REAL)
                             : NULL;
    if (!number)
        refuse(t, p->at, "a value that RoboChart cannot write");
    return number;
}

/* ---- parts -------------------------------------------------------------------------------------
 */

/* Of ".x.y" ".x", of "[1].x" "[1]". */
static size_t key_length(const char *rest) {
    return *rest == '[' ? strcspn(rest, "]") + (strchr(rest, ']') != NULL)
                        : 1 + strcspn(rest + 1, ".[");
}

/* Those whose rest begins with the same key as that of part FIRST, without it. */
static hk_skeleton_part *inside(hk_skeleton_types *t, const hk_skeleton_part *parts, size_t count,
                                size_t first, size_t *ret_count) {
    size_t length = key_length(parts[first].rest);
    hk_skeleton_part *found = HK_NEW_ARRAY(t->arena, hk_skeleton_part, count);
    *ret_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!*parts[i].rest || key_length(parts[i].rest) != length ||
            strncmp(parts[i].rest, parts[first].rest, length) != 0)
            continue;
        found[*ret_count] = parts[i];
        found[(*ret_count)++].rest += length;
    }
    return found;
}

/* No part before FIRST has the same key. */
static bool is_new(const hk_skeleton_part *parts, size_t first) {
    size_t length = key_length(parts[first].rest);
    for (size_t i = 0; i < first; i++)
        if (key_length(parts[i].rest) == length &&
            strncmp(parts[i].rest, parts[first].rest, length) == 0)
            return false;
    return true;
}

/* What a value with parts is made of, one key after the other. */
typedef struct pieces {
    built *all;
    const char **keys;
    size_t count;
    bool valued; /* all have values */
} pieces;

static pieces take_apart(hk_skeleton_types *t, const hk_skeleton_part *parts, size_t count,
                         const char *path) {
    pieces p = {HK_NEW_ARRAY(t->arena, built, count + 1),
                HK_NEW_ARRAY(t->arena, const char *, count + 1), 0, true};
    for (size_t i = 0; i < count && !t->wrong; i++) {
        if (!*parts[i].rest) {
            refuse(t, parts[i].at, "a value and a part of one");
            break;
        }
        if (!is_new(parts, i))
            continue;
        size_t within, length = key_length(parts[i].rest);
        hk_skeleton_part *own = inside(t, parts, count, i, &within);
        p.keys[p.count] = hk_arena_strndup(t->arena, parts[i].rest + 1, length - 1);
        p.all[p.count] =
            build(t, own, within, hk_arena_printf(t->arena, "%s_%s", path, p.keys[p.count]));
        p.valued = p.valued && p.all[p.count].value;
        p.count++;
    }
    return p;
}

/* OPEN a, b CLOSE; a matrix has ROW elements between semicolons. */
static const char *list_of(hk_skeleton_types *t, const pieces *p, size_t first, size_t count,
                           size_t row) {
    const char *list = "";
    for (size_t i = 0; i < count; i++)
        list = hk_arena_printf(t->arena, "%s%s%s", list,
                               !i                    ? ""
                               : row && i % row == 0 ? "; "
                                                     : ", ",
                               p->all[first + i].value);
    return list;
}

static built build_sequence(hk_skeleton_types *t, const pieces *p) {
    built b = {0};
    long size = p->all[0].value ? strtol(p->all[0].value, NULL, 10) : 0;
    if (p->all[1].type)
        b.type = hk_arena_printf(t->arena, "Seq(%s)", p->all[1].type);
    if (p->valued && size >= 0 && (size_t)size < p->count)
        b.value = hk_arena_printf(t->arena, "<%s>", list_of(t, p, 1, (size_t)size, 0));
    return b;
}

static built build_array(hk_skeleton_types *t, const pieces *p) {
    built b = {0};
    char *end;
    size_t rows = strtoul(p->keys[p->count - 1], &end, 10);
    size_t columns = *end == ',' ? strtoul(end + 1, NULL, 10) : 0;
    if (!p->all[0].type)
        return b;
    b.type = columns
                 ? hk_arena_printf(t->arena, "matrix(%s, %zu, %zu)", p->all[0].type, rows, columns)
                 : hk_arena_printf(t->arena, "vector(%s, %zu)", p->all[0].type, p->count);
    if (p->valued)
        b.value = hk_arena_printf(t->arena, "[| %s |]", list_of(t, p, 0, p->count, columns));
    return b;
}

static built build_tuple(hk_skeleton_types *t, const pieces *p) {
    built b = {.type = ""};
    for (size_t i = 0; i < p->count; i++)
        b.type = hk_arena_printf(t->arena, "%s%s%s", b.type, i ? " * " : "",
                                 p->all[i].type ? p->all[i].type : "");
    b.type = hk_arena_printf(t->arena, "(%s)", b.type);
    if (p->valued)
        b.value = hk_arena_printf(t->arena, "(| %s |)", list_of(t, p, 0, p->count, 0));
    return b;
}

static built build_record(hk_skeleton_types *t, const pieces *p, const hk_skeleton_part *parts,
                          const char *path) {
    char *wanted = hk_arena_printf(t->arena, "T_%s", path);
    for (char *c = wanted; *c; c++)
        *c = is_identifier((const char[]){'_', *c, '\0'}) ? *c : '_';
    built b = {.type = hk_skeleton_unique(t->arena, t->names, wanted), .value = ""};
    const char *text = hk_arena_printf(t->arena, "record %s {\n", b.type);
    for (size_t i = 0; i < p->count; i++) {
        const char *field = hk_skeleton_name(t->arena, p->keys[i]);
        if (!field)
            refuse(t, parts->at, "not a name in RoboChart");
        if (t->wrong || !p->all[i].type)
            return (built){0};
        text = hk_arena_printf(t->arena, "%s%s : %s\n", text, field, p->all[i].type);
        if (p->valued)
            b.value = hk_arena_printf(t->arena, "%s%s%s = %s", b.value, i ? ", " : "", field,
                                      p->all[i].value);
    }
    text = hk_arena_printf(t->arena, "%s}\n", text);
    hk_list_add(&t->records, &text);
    b.value = p->valued ? hk_arena_printf(t->arena, "%s (| %s |)", b.type, b.value) : NULL;
    return b;
}

static built build(hk_skeleton_types *t, const hk_skeleton_part *parts, size_t count,
                   const char *path) {
    if (count == 1 && !*parts->rest) {
        const char *type = scalar_type(t, parts);
        return (built){type, scalar_value(t, parts, type)};
    }
    pieces p = take_apart(t, parts, count, path);
    if (t->wrong)
        return (built){0};
    bool size = strcmp(parts->rest, ".size") == 0;
    if (size && p.count > 1 && parts[1].rest[0] == '[')
        return build_sequence(t, &p);
    if (*parts->rest == '[')
        return build_array(t, &p);
    if (p.keys[0][0] == '1' && p.count > 1)
        return build_tuple(t, &p);
    return build_record(t, &p, parts, path);
}

const char *hk_skeleton_type(hk_skeleton_types *t, const hk_skeleton_value *value, const char *path,
                             const char **ret_value) {
    built b = build(t, value->all, value->count, path);
    if (!b.type)
        refuse(t, value->all[0].at, "not a value of RoboChart");
    *ret_value = b.value;
    return b.type;
}
