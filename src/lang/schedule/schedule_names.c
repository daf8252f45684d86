/* SPDX-License-Identifier: MIT
 *
 * What the names in a schedule mean, and what was probably meant where they mean nothing. */
#include "lang/schedule/schedule_internal.h"

#include "model/address.h"

#include <string.h>

static const char *suggest_component(hk_schedule *s, const char *word) {
    const hk_model *model = s->model;
    if (!s->component_names) {
        s->component_names = HK_NEW_ARRAY(s->arena, const char *, model->component_count);
        for (size_t i = 0; i < model->component_count; i++)
            s->component_names[i] = model->components[i].name;
    }
    return hk_complaint_suggest(&s->complaints, s->arena, word, s->component_names,
                                model->component_count);
}

static bool is_name(const hk_token *token) {
    return token->kind == HK_TOKEN_WORD || token->kind == HK_TOKEN_NAME ||
           token->kind == HK_TOKEN_NUMBER;
}

hk_status hk_schedule_component(hk_schedule *s, uint32_t *ret_component) {
    if (!is_name(&s->token))
        return hk_schedule_unexpected(s, "a component",
                                      s->token.kind == HK_TOKEN_COMMA
                                          ? "components of a processor are separated by spaces"
                                          : NULL);
    const char *name = s->token.text;
    uint32_t index = hk_map_get(&s->model->by_name, name);
    if (index != HK_MAP_NONE) {
        hk_schedule_take(s);
        *ret_component = index;
        return HK_OK;
    }
    hk_address at;
    const char *hint = hk_model_find(s->model, name, &at)
                           ? hk_arena_printf(s->arena, "name the component alone: '%s'",
                                             s->model->components[at.component].name)
                           : suggest_component(s, name);
    return hk_error(s->ctx, HK_E_SCHEDULE, hk_schedule_where(s, &s->token), hint,
                    "there is no component '%s'", name);
}

/* NAME is not a port: says which part of it is wrong. */
static hk_status unknown_port(hk_schedule *s, const hk_token *token) {
    const char *name = token->text;
    hk_where where = hk_schedule_where(s, token);
    char *head = hk_arena_strdup(s->arena, name), *dot;
    const char *hint = NULL, *whole = NULL;
    while ((dot = strrchr(head, '.'))) {
        *dot = '\0';
        uint32_t index = hk_map_get(&s->model->by_name, head);
        if (index != HK_MAP_NONE) {
            const hk_info *info = s->model->components[index].info;
            const char *rest = name + (dot + 1 - head), *closest = hk_info_closest(info, rest);
            const char *why = hk_info_why_not(info, rest);
            if (why)
                return hk_error(s->ctx, HK_E_SCHEDULE, where, NULL,
                                "'%s' of component '%s' cannot be used: %s", rest, head, why);
            if (closest)
                hint =
                    hk_hint_name(s->arena, hk_arena_printf(s->arena, "%s.%s", head, closest), NULL);
            return hk_error(s->ctx, HK_E_SCHEDULE, where, hint, "component '%s' has no port '%s'",
                            head, rest);
        }
        if (!whole)
            whole = hk_arena_strdup(s->arena, head);
        if (!hint)
            hint = suggest_component(s, head);
    }
    if (!whole)
        return hk_error(s->ctx, HK_E_SCHEDULE, where, "write component.port",
                        "'%s' is not a port of a component", name);
    return hk_error(s->ctx, HK_E_SCHEDULE, where, hint, "there is no component '%s'", whole);
}

typedef struct port {
    hk_token token;
    hk_address at;
} port;

static hk_status take_port(hk_schedule *s, port *ret_port) {
    if (!is_name(&s->token))
        return hk_schedule_unexpected(s, "a port: component.port", NULL);
    port p = {.token = s->token};
    if (!hk_model_find(s->model, p.token.text, &p.at))
        return unknown_port(s, &p.token);
    hk_schedule_take(s);
    *ret_port = p;
    return HK_OK;
}

/* A name without an index means the first connection of that variable. */
static bool is_at(const hk_address *at, uint32_t component, uint32_t variable,
                  const hk_slice *slice) {
    return at->component == component && at->variable == variable &&
           (!at->count || (at->element == slice->first && at->count == slice->count));
}

static uint32_t find_connection(const hk_schedule *s, const port *from, const port *to) {
    for (size_t i = 0; i < s->model->connection_count; i++) {
        const hk_connection *k = &s->model->connections[i];
        if (is_at(&from->at, k->from_component, k->from_variable, &k->from_slice) &&
            is_at(&to->at, k->to_component, k->to_variable, &k->to_slice))
            return (uint32_t)i;
    }
    return HK_MAP_NONE;
}

/* The connection that was probably meant: turned round, or one that shares an end; the input first,
 * since only one connection leads there. */
static const char *suggest_connection(hk_schedule *s, const port *from, const port *to) {
    const hk_model *model = s->model;
    uint32_t best = find_connection(s, to, from);
    for (size_t i = 0; best == HK_MAP_NONE && i < model->connection_count; i++)
        if (model->connections[i].to_component == to->at.component &&
            model->connections[i].to_variable == to->at.variable)
            best = (uint32_t)i;
    for (size_t i = 0; best == HK_MAP_NONE && i < model->connection_count; i++)
        if (model->connections[i].from_component == from->at.component &&
            model->connections[i].from_variable == from->at.variable)
            best = (uint32_t)i;
    if (best == HK_MAP_NONE)
        return NULL;
    return hk_hint_name(s->arena, hk_connection_name(model, &model->connections[best]), NULL);
}

hk_status hk_schedule_connection(hk_schedule *s, uint32_t *ret_connection) {
    port from, to;
    HK_TRY(take_port(s, &from));
    if (s->token.kind != HK_TOKEN_ARROW)
        return hk_schedule_unexpected(s, "'->'", "write link a.y -> b.u");
    hk_schedule_take(s);
    HK_TRY(take_port(s, &to));
    uint32_t index = find_connection(s, &from, &to);
    if (index == HK_MAP_NONE)
        return hk_error(s->ctx, HK_E_SCHEDULE, hk_schedule_where(s, &from.token),
                        suggest_connection(s, &from, &to), "there is no connection '%s -> %s'",
                        from.token.text, to.token.text);
    *ret_connection = index;
    return HK_OK;
}
