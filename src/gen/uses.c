/* SPDX-License-Identifier: MIT
 *
 * What the user's code says about fields that are gone: a port that was removed or renamed is
 * still written as self->name there. */
#include "gen/uses.h"
#include "gen/gen_internal.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Past the comment or literal that begins at AT, or AT itself if none does. */
static size_t skip(const char *data, size_t at, size_t end) {
    if (data[at] == '/' && at + 1 < end && (data[at + 1] == '/' || data[at + 1] == '*')) {
        bool lined = data[at + 1] == '/';
        for (at += 2; at < end; at++)
            if (lined ? data[at] == '\n' : data[at] == '/' && data[at - 1] == '*')
                return lined ? at : at + 1;
        return end;
    }
    if (data[at] != '"' && data[at] != '\'')
        return at;
    char quote = data[at];
    for (at++; at < end && data[at] != quote && data[at] != '\n'; at++)
        at += data[at] == '\\';
    return at < end ? at + 1 : end;
}

typedef struct search {
    const hk_gen *gen;
    const hk_genleaf *leaf;
    const char *path;
    const char **fields;
    size_t field_count;
    hk_map known;
    const char *header; /* text of the leaf's header: streams are declared there */
} search;

static void add_fields(search *s, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        s->fields[s->field_count++] = names[i];
        hk_map_put(&s->known, names[i], 0);
    }
}

static bool is_stream(const search *s, const char *name) {
    hk_arena *arena = s->gen->arena;
    return s->header && (strstr(s->header, hk_arena_printf(arena, "STREAM(%s)", name)) ||
                         strstr(s->header, hk_arena_printf(arena, "hk_stream %s", name)));
}

static void judge(const search *s, const char *data, size_t at, size_t end) {
    size_t length = 0;
    while (at + length < end && is_word(data[at + length]))
        length++;
    const char *name = hk_arena_strndup(s->gen->arena, data + at, length);
    if (!length || hk_map_get(&s->known, name) != HK_MAP_NONE || is_stream(s, name))
        return;
    int line = 1;
    for (size_t i = 0; i < at; i++)
        line += data[i] == '\n';
    const char *closest = hk_closest(name, s->fields, s->field_count);
    const char *used = closest ? hk_arena_printf(s->gen->arena, "self->%s", closest) : NULL;
    hk_warn(s->gen->ctx, HK_E_REGENERATE, (hk_where){.file = s->path, .line = line},
            hk_hint_name(s->gen->arena, used, NULL),
            "'self->%s' is used here, and '%s' has no '%s' (any more)", name, s->leaf->leaf->name,
            name);
}

static void search_region(const search *s, const char *data, size_t at, size_t end) {
    static const char word[] = "self->";
    size_t length = sizeof word - 1;
    while (at < end) {
        size_t behind = skip(data, at, end);
        if (behind != at) {
            at = behind;
        } else if (end - at > length && memcmp(data + at, word, length) == 0 &&
                   (at == 0 || (!is_word(data[at - 1]) && !strchr(".>", data[at - 1])))) {
            at += length;
            judge(s, data, at, end);
        } else {
            at++;
        }
    }
}

void hk_gen_check_uses(const hk_gen *gen, const hk_genleaf *leaf, const char *path,
                       const char *header, const hk_regions *regions) {
    const hk_lang_leaf *l = leaf->leaf;
    size_t count = l->input_count + l->output_count + l->parameter_count + l->required_count + 1;
    search s = {.gen = gen, .leaf = leaf, .path = path, .header = header};
    s.fields = HK_NEW_ARRAY(gen->arena, const char *, count);
    add_fields(&s, leaf->inputs, l->input_count);
    add_fields(&s, leaf->outputs, l->output_count);
    add_fields(&s, leaf->parameters, l->parameter_count);
    add_fields(&s, leaf->required, l->required_count);
    add_fields(&s, (const char *const[]){"user"}, 1);
    for (size_t i = 0; i < regions->count; i++)
        if (strncmp(regions->list[i].name, "orphaned: ", 10) != 0)
            search_region(&s, regions->data, regions->list[i].begin, regions->list[i].end);
    hk_map_finish(&s.known);
}
