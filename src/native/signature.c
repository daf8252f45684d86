/* SPDX-License-Identifier: MIT
 *
 * Items of enumerations in the arguments of functions. What a plugin says of an argument is for C,
 * where they are numbers; their names are in the text of the signature alone, and this is where it
 * becomes types. */
#include "native/native_internal.h"

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

/* The names behind "Enum{". */
static const hk_enum *read_items(hk_arena *arena, const char *at) {
    size_t count = 1, length = strcspn(at, "}");
    for (size_t i = 0; i < length; i++)
        count += at[i] == ',';
    const char **names = HK_NEW_ARRAY(arena, const char *, count);
    int64_t *values = HK_NEW_ARRAY(arena, int64_t, count);
    for (size_t i = 0; i < count; i++) {
        length = strcspn(at, ",}");
        names[i] = hk_arena_strndup(arena, at, length);
        values[i] = (int64_t)i;
        at += length + strspn(at + length, ", ");
    }
    hk_enum *items = HK_NEW(arena, hk_enum);
    *items = (hk_enum){.item_count = count, .item_names = names, .item_values = values};
    return items;
}

static const hk_enum *find_items(hk_arena *arena, const hk_interface *interface,
                                 const char *function, size_t argument, const hk_field *field) {
    static const char word[] = "Enum{";
    const char *at = find_argument(interface->signature, function, argument);
    at = at ? find_part(at, field->name ? field->name : "") : NULL;
    if (!at || strncmp(at, word, strlen(word)) != 0)
        return NULL;
    return read_items(arena, at + strlen(word));
}

/* Looks at every enumeration in the arguments of a function. */
static void read_function(hk_arena *arena, const hk_interface *interface, uint32_t index,
                          hk_argument_items **list, size_t *count, size_t *cap) {
    const hk_function *function = &interface->functions[index];
    bool told = function->name && function->arguments;
    for (uint32_t k = 0; told && k < function->argument_count; k++)
        for (uint32_t f = 0; f < function->arguments[k].field_count; f++) {
            const hk_field *field = &function->arguments[k].fields[f];
            const hk_enum *items = field->type == HK_TYPE_ENUM
                                       ? find_items(arena, interface, function->name, k, field)
                                       : NULL;
            if (items)
                HK_PUSH(*list, *count, *cap, ((hk_argument_items){index, k, f, items}));
        }
}

void hk_native_read_items(hk_arena *arena, hk_service_info *service) {
    hk_argument_items *list = NULL;
    size_t count = 0, cap = 0;
    const hk_interface *definition = service->definition;
    for (uint32_t i = 0; definition->functions && i < definition->function_count; i++)
        read_function(arena, definition, i, &list, &count, &cap);
    hk_argument_items *kept = HK_NEW_ARRAY(arena, hk_argument_items, count + 1);
    if (count)
        memcpy(kept, list, count * sizeof *kept);
    hk_free(list);
    service->items = kept;
    service->item_count = count;
}
