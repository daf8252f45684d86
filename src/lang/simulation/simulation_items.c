/* SPDX-License-Identifier: MIT
 *
 * Items of enumerations in the arguments of functions. What a component says of an argument is for
 * C, where they are numbers; their names stand in the signature of the interface. */
#include "lang/simulation/simulation_internal.h"

#include <string.h>

/* Behind the bracket that belongs to the one at AT; texts in quotes may hold any. */
static const char *skip_brackets(const char *at) {
    int depth = 0;
    for (bool quoted = false; *at; at++) {
        quoted = quoted != (*at == '"');
        depth += !quoted && strchr("{[(", *at);
        depth -= !quoted && strchr("}])", *at);
        if (!depth && !quoted)
            return at + 1;
    }
    return at;
}

/* Behind "double", "Enum{a, b}[3]", "{double x; long n;}". */
static const char *skip_type(const char *at) {
    while (*at && !strchr(" {;,)", *at))
        at++;
    if (*at == '{')
        at = skip_brackets(at);
    while (*at == '[')
        at = skip_brackets(at);
    return at;
}

/* To the next of "type name annotations", which end with one of MARKS. */
static const char *skip_declaration(const char *at, const char *marks) {
    at = skip_type(at);
    for (bool quoted = false; *at && (quoted || !strchr(marks, *at)); at++)
        quoted = quoted != (*at == '"');
    at += *at != '\0';
    return at + (*at == ' ');
}

static bool is_called(const char *declaration, const char *name, size_t length) {
    const char *at = skip_type(declaration);
    at += *at == ' ';
    return strncmp(at, name, length) == 0 && at[length] && strchr(" ;,()", at[length]);
}

/* The type of the argument, as the signature writes it; NULL: not found. */
static const char *find_argument(const char *signature, const char *function, size_t index) {
    static const char changes[] = "mutable ";
    const char *at = signature;
    for (;;) {
        at += strncmp(at, changes, sizeof changes - 1) == 0 ? sizeof changes - 1 : 0;
        if (!*at || is_called(at, function, strlen(function)))
            break;
        at = skip_declaration(at, ";");
    }
    at = *at ? strchr(skip_type(at), '(') : NULL;
    if (!at)
        return NULL;
    for (at++; index && *at; index--)
        at = skip_declaration(at, ",)");
    return *at ? at : NULL;
}

/* "position.mode", "list[2].mode": the type of what the path stands for in a type. */
static const char *find_part(const char *type, const char *path) {
    while (*path) {
        path += *path == '[' ? strcspn(path, "]") + 1 : 0;
        path += *path == '.';
        size_t length = strcspn(path, ".[");
        if (!length)
            break;
        if (*type++ != '{')
            return NULL;
        while (*type && *type != '}' && !is_called(type, path, length))
            type = skip_declaration(type, ";");
        path += length;
    }
    return type;
}

const hk_enum *hk_simread_items(hk_simread *r, const hk_callee *callee, size_t argument,
                                const char *path) {
    static const char word[] = "Enum{";
    const char *at = find_argument(callee->interface->signature, callee->function->name, argument);
    at = at ? find_part(at, path) : NULL;
    if (!at || strncmp(at, word, strlen(word)) != 0)
        return NULL;
    at += strlen(word);
    size_t count = 1, length = strcspn(at, "}");
    for (size_t i = 0; i < length; i++)
        count += at[i] == ',';
    const char **names = HK_NEW_ARRAY(r->arena, const char *, count);
    int64_t *values = HK_NEW_ARRAY(r->arena, int64_t, count);
    for (size_t i = 0; i < count; i++) {
        length = strcspn(at, ",}");
        names[i] = hk_arena_strndup(r->arena, at, length);
        values[i] = (int64_t)i;
        at += length + strspn(at + length, ", ");
    }
    hk_enum *items = HK_NEW(r->arena, hk_enum);
    *items = (hk_enum){.item_count = count, .item_names = names, .item_values = values};
    return items;
}
