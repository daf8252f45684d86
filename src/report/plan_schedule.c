/* SPDX-License-Identifier: MIT
 *
 * `hocket plan --allocate N -o FILE`: the schedule that holds now, in words. Lines of the one it
 * was made from stay as they are, comments too, but for what the allocation and --cost replace. */
#include "report/plan_view.h"

#include <string.h>

static const char spaces[] = " \t";

/* The next word of a line, quotes included; moves on behind it. */
static const char *next_word(const char **at, size_t *ret_length) {
    const char *begin = *at + strspn(*at, spaces), *end = begin;
    if (*end == '"') {
        do { /* two quotes are one in the name */
            end += 1 + strcspn(end + 1, "\"\n");
            end += *end == '"';
        } while (*end == '"');
    } else {
        end += strcspn(end, " \t\n");
    }
    *at = end;
    *ret_length = (size_t)(end - begin);
    return begin;
}

static bool is_word(const char *word, size_t length, const char *text) {
    return strlen(text) == length && strncmp(word, text, length) == 0;
}

/* True for statements that an allocation replaces. */
static bool is_replaced(const char *line) {
    size_t length;
    const char *word = next_word(&line, &length);
    return is_word(word, length, "processor") || is_word(word, length, "cut");
}

/* Which component the line is about; HK_MAP_NONE: none. */
static uint32_t component_of(const hk_view *view, const char **line) {
    size_t length;
    const char *word = next_word(line, &length);
    if (!is_word(word, length, "component"))
        return HK_MAP_NONE;
    word = next_word(line, &length);
    char *name = hk_arena_alloc(view->arena, length + 1), *to = name;
    bool quoted = word[0] == '"';
    for (size_t i = quoted; i + quoted < length; i++) {
        *to++ = word[i];
        i += quoted && word[i] == '"';
    }
    return hk_map_get(&view->model->by_name, name);
}

/* Prints the line; the cost in it, if there is one, is that of --cost. True: there was one. */
static bool put_line(FILE *out, const hk_view *view, const char *line) {
    const char *end = line + strcspn(line, "\n"), *at = line;
    uint32_t component = component_of(view, &at);
    const char *cost = component == HK_MAP_NONE ? NULL : view->cost_texts[component];
    bool found = false;
    while (cost && at < end && !found) {
        size_t length;
        const char *word = next_word(&at, &length);
        if (!length || word[0] == '#')
            break;
        found = is_word(word, length, "cost");
    }
    if (found) {
        size_t length;
        const char *time = next_word(&at, &length);
        fprintf(out, "%.*s%s", (int)(time - line), line, cost);
        line = time + length;
    }
    fprintf(out, "%.*s\n", (int)(end - line), line);
    return found;
}

void hk_schedule_rewrite(FILE *out, const hk_view *view, const char *old) {
    const hk_model *model = view->model;
    bool *said = HK_NEW_ARRAY(view->arena, bool, model->component_count + 1);
    fputs(hk_allocation_text(view->arena, model, view->allocation), out);
    for (const char *line = old; line && *line;) {
        const char *at = line;
        uint32_t component = component_of(view, &at);
        if (!is_replaced(line) && put_line(out, view, line))
            said[component] = true;
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    for (size_t i = 0; i < model->component_count; i++) {
        const char *name = hk_allocation_name(view->arena, model->components[i].name);
        if (view->cost_texts[i] && !said[i])
            fprintf(out, "component %s cost %s\n", name, view->cost_texts[i]);
    }
}
