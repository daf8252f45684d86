/* SPDX-License-Identifier: MIT */
#include "record/select.h"

#include "base/packed.h"
#include "model/address.h"

#include <string.h>

bool hk_glob_is_plain(const char *pattern) {
    return !strpbrk(pattern, "*?");
}

bool hk_glob_match(const char *pattern, const char *text) {
    const char *star = NULL, *resume = NULL; /* after the last '*', and where its text ends */
    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            resume = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

/* What was asked for. Plain names are looked up, so that many of them cost no more than few. */
typedef struct wishes {
    const char *const *patterns;
    size_t count;
    hk_map plain;    /* name -> index of the pattern */
    uint32_t *globs; /* indices of the patterns that are not plain names */
    size_t glob_count;
    bool *met;
} wishes;

static void wishes_init(wishes *w, hk_texts patterns) {
    size_t count = patterns.count;
    *w = (wishes){.patterns = patterns.all, .count = count};
    w->met = hk_alloc(count * sizeof *w->met);
    w->globs = hk_alloc(count * sizeof *w->globs);
    for (size_t i = 0; i < count; i++) {
        if (!hk_glob_is_plain(patterns.all[i]))
            w->globs[w->glob_count++] = (uint32_t)i;
        else if (hk_map_put(&w->plain, patterns.all[i], (uint32_t)i) != i)
            w->met[i] = true; /* the same name once more: its first place speaks for it */
    }
}

static void wishes_finish(wishes *w) {
    hk_map_finish(&w->plain);
    hk_free(w->globs);
    hk_free(w->met);
}

static bool wished_by_name(wishes *w, const char *name) {
    uint32_t i = hk_map_get(&w->plain, name);
    if (i == HK_MAP_NONE)
        return false;
    w->met[i] = true;
    return true;
}

/* True if a glob matches NAME and does not match OTHER (NULL: no other). */
static bool wished_by_glob(wishes *w, const char *name, const char *other) {
    bool wished = false;
    for (size_t i = 0; i < w->glob_count; i++) {
        const char *glob = w->patterns[w->globs[i]];
        if (hk_glob_match(glob, name) && !(other && hk_glob_match(glob, other))) {
            w->met[w->globs[i]] = true;
            wished = true;
        }
    }
    return wished;
}

/* A text that is written over and over. */
typedef struct scratch {
    char *text;
    size_t cap;
} scratch;

static char *scratch_room(scratch *s, size_t size) {
    if (s->cap < size) {
        s->cap = 2 * size;
        s->text = hk_realloc(s->text, s->cap);
    }
    return s->text;
}

static const char *join(scratch *s, const char *component, const char *variable) {
    size_t a = strlen(component), b = strlen(variable);
    char *text = scratch_room(s, a + b + 2);
    memcpy(text, component, a);
    text[a] = '.';
    memcpy(text + a + 1, variable, b + 1);
    return text;
}

typedef struct selection {
    const hk_model *model;
    hk_arena *arena;
    wishes wishes;
    hk_column *columns;
    size_t count, cap;
    scratch name, element;
    bool states; /* no component has an output, and nothing is asked for */
} selection;

static const char *element_name(selection *s, const hk_variable *v, const char *name, size_t e) {
    if (!hk_variable_is_array(v))
        return name;
    size_t length = strlen(name);
    char *text = scratch_room(&s->element, length + hk_index_size(v));
    memcpy(text, name, length);
    hk_index_write(v, e, text + length);
    return text;
}

static void add_column(selection *s, uint32_t component, uint32_t variable, size_t element,
                       const char *name) {
    const hk_variable *v = &s->model->components[component].info->variables[variable];
    hk_column column = {.name = hk_arena_strdup(s->arena, name),
                        .unit = v->unit,
                        .component = component,
                        .variable = variable,
                        .element = (uint32_t)element,
                        .type = v->type,
                        .store = v->store,
                        .of = v};
    HK_PUSH(s->columns, s->count, s->cap, column);
}

/* Adds the elements of a variable that are wished for under NAME. SHORT_NAME and OTHER may be NULL:
 * a second name for it, and one whose globs do not count. */
static void select_variable(selection *s, uint32_t component, uint32_t variable, const char *name,
                            const char *short_name, const char *other) {
    const hk_variable *v = &s->model->components[component].info->variables[variable];
    bool globs = v->causality != HK_INDEPENDENT;
    wishes *w = &s->wishes;
    bool all = !w->count && (s->states ? v->state : v->causality == HK_OUTPUT) && !other;
    if (v->unusable)
        return;
    if (w->count) { /* each is asked, since each marks the patterns that it meets */
        all = wished_by_name(w, name);
        all |= globs && wished_by_glob(w, name, other);
        all |= short_name && wished_by_name(w, short_name);
        all |= short_name && globs && wished_by_glob(w, short_name, other);
    }
    for (size_t e = 0; e < v->count; e++) {
        const char *element = element_name(s, v, name, e);
        bool wished = all;
        if (w->count && hk_variable_is_array(v)) {
            wished |= wished_by_name(w, element);
            wished |= !other && globs && wished_by_glob(w, element, NULL);
        }
        if (wished)
            add_column(s, component, variable, e, element);
    }
}

static bool has_outputs(const hk_model *model) {
    for (size_t c = 0; c < model->component_count; c++) {
        const hk_info *info = model->components[c].info;
        for (size_t v = 0; v < info->variable_count; v++)
            if (info->variables[v].causality == HK_OUTPUT && !info->variables[v].unusable)
                return true;
    }
    return false;
}

static void select_all(selection *s) {
    const hk_model *model = s->model;
    s->states = !s->wishes.count && !has_outputs(model);
    for (size_t c = 0; c < model->component_count; c++) {
        const hk_component *component = &model->components[c];
        for (size_t v = 0; v < component->info->variable_count; v++) {
            const char *variable = component->info->variables[v].name;
            select_variable(s, (uint32_t)c, (uint32_t)v, join(&s->name, component->name, variable),
                            hk_model_is_single(model) ? variable : NULL, NULL);
        }
    }
    for (size_t a = 0; a < model->alias_count; a++) {
        const hk_alias *alias = &model->aliases[a];
        const hk_component *component = &model->components[alias->component];
        const char *own =
            join(&s->name, component->name, component->info->variables[alias->variable].name);
        if (strcmp(own, alias->name) != 0)
            select_variable(s, alias->component, alias->variable, alias->name, NULL, own);
    }
}

/* Outputs of the outermost system that are not variables: recorded where nothing is asked for, as
 * other outputs are. */
static void select_shown(selection *s) {
    for (size_t i = 0; i < s->model->shown_count; i++) {
        const hk_shown *shown = &s->model->shown[i];
        bool wished = !s->wishes.count;
        wished |= wished_by_name(&s->wishes, shown->name);
        wished |= wished_by_glob(&s->wishes, shown->name, NULL);
        if (!wished)
            continue;
        add_column(s, shown->component, shown->variable, shown->element, shown->name);
        s->columns[s->count - 1].unit = shown->unit;
        if (shown->transform.kind != HK_TRANSFORM_NONE)
            s->columns[s->count - 1].transform = &shown->transform;
    }
}

/* Of NAME the first PARTS parts; NULL: it does not have more. */
static const char *first_parts(hk_arena *arena, const char *name, size_t parts) {
    const char *end = name;
    for (size_t i = 0; end && i < parts; i++)
        end = strchr(i ? end + 1 : end, '.');
    return end ? hk_arena_strndup(arena, name, (size_t)(end - name)) : NULL;
}

/* Who may be meant by the parts before the first wildcard: 'chassis.*' for 'chasis.*'. */
static const char *hint_pattern(hk_arena *arena, const char *pattern, const char *const *names,
                                size_t count, const char *fallback) {
    size_t plain = strcspn(pattern, "*?"), parts = 0, before = 0;
    for (size_t i = 0; i < plain; i++)
        if (pattern[i] == '.') {
            parts++;
            before = i;
        }
    if (!parts)
        return fallback;
    const char **owners = HK_NEW_ARRAY(arena, const char *, count);
    const char *asked = hk_arena_strndup(arena, pattern, before);
    size_t owner_count = 0;
    for (size_t i = 0; i < count; i++) {
        const char *owner = first_parts(arena, names[i], parts);
        if (owner && strcmp(owner, asked) == 0)
            return fallback; /* it is there: the rest of the pattern is wrong */
        if (owner)
            owners[owner_count++] = owner;
    }
    const char *close = hk_closest(asked, owners, owner_count);
    return close
               ? hk_hint_name(arena, hk_arena_printf(arena, "%s%s", close, pattern + before), NULL)
               : fallback;
}

hk_status hk_signal_unknown(hk_ctx *ctx, const char *file, const char *pattern,
                            const char *const *names, size_t count) {
    hk_arena *arena = hk_arena_create();
    hk_where where = {.file = file};
    hk_status status;
    if (hk_glob_is_plain(pattern))
        status = hk_error(ctx, HK_E_UNKNOWN_SIGNAL, where,
                          hk_hint_closest(arena, pattern, names, count,
                                          file && hk_packed_is(file)
                                              ? "'hocket info' lists the names, where the model is"
                                              : "'hocket info' lists the names"),
                          "there is no signal '%s'", pattern);
    else
        status = hk_error(ctx, HK_E_UNKNOWN_SIGNAL, where,
                          hint_pattern(arena, pattern, names, count,
                                       "'*' stands for any text, '?' for one character; names are "
                                       "'component.variable'"),
                          "no signal matches '%s'", pattern);
    hk_arena_destroy(arena);
    return status;
}

/* The first pattern that met nothing, or NULL. */
static const char *first_unmet(const wishes *w) {
    for (size_t i = 0; i < w->count; i++)
        if (!w->met[i])
            return w->patterns[i];
    return NULL;
}

static hk_status check_model_wishes(hk_ctx *ctx, const selection *s) {
    const char *pattern = first_unmet(&s->wishes);
    if (!pattern)
        return HK_OK;
    hk_arena *arena = hk_arena_create();
    const char *why = hk_model_why_not(s->model, pattern);
    if (why) {
        hk_status refused = hk_error(ctx, HK_E_UNKNOWN_SIGNAL, (hk_where){.file = s->model->file},
                                     NULL, "'%s' cannot be recorded: %s", pattern, why);
        hk_arena_destroy(arena);
        return refused;
    }
    const char **names = NULL;
    size_t count = 0, cap = 0;
    for (size_t c = 0; c < s->model->component_count; c++) {
        const hk_component *component = &s->model->components[c];
        for (size_t v = 0; v < component->info->variable_count; v++)
            HK_PUSH(names, count, cap,
                    hk_arena_printf(arena, "%s.%s", component->name,
                                    component->info->variables[v].name));
    }
    for (size_t a = 0; a < s->model->alias_count; a++)
        HK_PUSH(names, count, cap, s->model->aliases[a].name);
    for (size_t i = 0; i < s->model->shown_count; i++)
        HK_PUSH(names, count, cap, s->model->shown[i].name);
    hk_status status = hk_signal_unknown(ctx, s->model->file, pattern, names, count);
    hk_free(names);
    hk_arena_destroy(arena);
    return status;
}

hk_status hk_columns_select(hk_ctx *ctx, const hk_model *model, hk_texts patterns, hk_arena *arena,
                            hk_column **ret_columns, size_t *ret_count) {
    selection s = {.model = model, .arena = arena};
    wishes_init(&s.wishes, patterns);
    select_all(&s);
    select_shown(&s);
    hk_status status = check_model_wishes(ctx, &s);
    if (status == HK_OK) {
        *ret_columns = HK_NEW_ARRAY(arena, hk_column, s.count);
        if (s.count)
            memcpy(*ret_columns, s.columns, s.count * sizeof *s.columns);
        *ret_count = s.count;
    }
    hk_free(s.columns);
    hk_free(s.name.text);
    hk_free(s.element.text);
    wishes_finish(&s.wishes);
    return status;
}

void hk_columns_tell(hk_ctx *ctx, const hk_model *model, bool by_default, size_t count) {
    if (count && !(by_default && !has_outputs(model)))
        return;
    size_t variables = 0;
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_info *info = model->components[i].info;
        for (size_t k = 0; k < info->variable_count; k++)
            variables += info->variables[k].causality != HK_INDEPENDENT;
    }
    hk_where where = {.file = model->file};
    if (count)
        hk_note(ctx, where,
                "no component has an output, so the record holds the %zu continuous state%s; "
                "--output-variable '*' chooses all %zu variables, or name some of them",
                count, count == 1 ? "" : "s", variables);
    else
        hk_note(ctx, where,
                "no component has an output, so the record holds nothing but the time; "
                "--output-variable '*' chooses all %zu variables, or name some of them",
                variables);
}

hk_status hk_table_select(hk_ctx *ctx, const hk_record_names *table, hk_texts patterns,
                          hk_arena *arena, size_t **ret_columns, size_t *ret_count) {
    wishes w;
    wishes_init(&w, patterns);
    size_t *columns = HK_NEW_ARRAY(arena, size_t, table->count);
    size_t count = 0;
    for (size_t c = 1; c < table->count; c++) {
        bool wished = !patterns.count;
        wished |= wished_by_name(&w, table->names[c]);
        wished |= wished_by_glob(&w, table->names[c], NULL);
        if (wished)
            columns[count++] = c;
    }
    hk_status status = HK_OK;
    const char *pattern = first_unmet(&w);
    if (pattern) {
        status = hk_signal_unknown(ctx, table->file, pattern, table->names + 1, table->count - 1);
    } else {
        *ret_columns = columns;
        *ret_count = count;
    }
    wishes_finish(&w);
    return status;
}
