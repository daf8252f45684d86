/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <string.h>

static const hk_option common[] = {
    {.name = "quiet",
     .letter = 'q',
     .group = "General",
     .help = "say only what went wrong: no progress, no summary, no notes"},
    {.name = "json",
     .group = "General",
     .help = "answer with one JSON object on standard output; diagnostics become JSON lines on "
             "standard error"},
    {.name = "color",
     .argument = "WHEN",
     .aliases = "colour",
     .choices = "auto always never",
     .group = "General",
     .help = "colours: 'auto' (on a terminal; NO_COLOR and CLICOLOR_FORCE are heeded), 'always', "
             "'never'"},
    {.name = "help", .letter = 'h', .group = "General", .help = "show this help"},
};

const hk_option_table hk_common_options = {common, sizeof common / sizeof *common};

const hk_option *hk_option_at(const hk_option_table *own, size_t index) {
    if (index < own->count)
        return &own->options[index];
    index -= own->count;
    return index < hk_common_options.count ? &hk_common_options.options[index] : NULL;
}

bool hk_next_word(const char **list, const char **ret_word, size_t *ret_length) {
    if (!*list)
        return false;
    const char *word = *list + strspn(*list, " ");
    size_t length = strcspn(word, " ");
    *list = word + length;
    *ret_word = word;
    *ret_length = length;
    return length > 0;
}

static bool list_has(const char *list, const char *word, size_t length) {
    const char *item;
    size_t item_length;
    while (hk_next_word(&list, &item, &item_length))
        if (item_length == length && memcmp(item, word, length) == 0)
            return true;
    return false;
}

static const hk_option *find_long(const hk_option_table *own, const char *name, size_t length) {
    const hk_option *option;
    for (size_t i = 0; (option = hk_option_at(own, i)); i++)
        if ((strncmp(option->name, name, length) == 0 && !option->name[length]) ||
            list_has(option->aliases, name, length))
            return option;
    return NULL;
}

static const hk_option *find_letter(const hk_option_table *own, char letter) {
    const hk_option *option;
    for (size_t i = 0; (option = hk_option_at(own, i)); i++)
        if (option->letter == letter)
            return option;
    return NULL;
}

/* State of one parse. */
typedef struct reader {
    hk_ctx *ctx;
    const char *called;
    const hk_option_table *own;
    int count, next;
    char *const *words;
    hk_args args;
} reader;

/* Options that begin with WORD; if there are none, the one that is close to it. */
static const char *hint_option(const reader *r, hk_arena *arena, const char *word) {
    const char *longer[HK_HINT_NAMES];
    const char **names = NULL;
    size_t count = 0, cap = 0, longer_count = 0;
    const hk_option *option;
    for (size_t i = 0; (option = hk_option_at(r->own, i)); i++) {
        HK_PUSH(names, count, cap, option->name);
        if (*word && option->group && strncmp(option->name, word, strlen(word)) == 0 &&
            longer_count++ < HK_HINT_NAMES)
            longer[longer_count - 1] = hk_arena_printf(arena, "--%s", option->name);
    }
    const char *close = hk_closest(word, names, count);
    const char *hint = hk_hint_name(arena, close ? hk_arena_printf(arena, "--%s", close) : NULL,
                                    hk_arena_printf(arena, "'%s --help' lists them", r->called));
    hk_free(names);
    return longer_count > HK_HINT_NAMES ? hint : hk_hint_names(arena, longer, longer_count, hint);
}

static hk_status unknown_long(const reader *r, const char *name, size_t length) {
    hk_arena *arena = hk_arena_create();
    const char *word = hk_arena_strndup(arena, name, length);
    hk_status status = hk_error(r->ctx, HK_E_USAGE, HK_NOWHERE, hint_option(r, arena, word),
                                "'%s' has no option '--%s'", r->called, word);
    hk_arena_destroy(arena);
    return status;
}

/* One of two different values would not count. The same again changes nothing. */
static hk_status check_once(const reader *r, const hk_option *option, const char *value) {
    for (size_t i = 0; i < r->args.given_count && !option->repeatable; i++) {
        const char *other = r->args.given[i].value;
        if (r->args.given[i].option != option || other == value ||
            (other && value && strcmp(other, value) == 0))
            continue;
        return hk_error(r->ctx, HK_E_USAGE, HK_NOWHERE, "give it once",
                        "option '--%s' is given twice, %s%s%s and %s%s%s", option->name,
                        other ? "as '" : "without a value", other ? other : "", other ? "'" : "",
                        value ? "as '" : "without a value", value ? value : "", value ? "'" : "");
    }
    return HK_OK;
}

static hk_status accept(reader *r, const hk_option *option, const char *value) {
    if (value && option->choices && !list_has(option->choices, value, strlen(value))) {
        hk_arena *arena = hk_arena_create();
        const char *hint = hk_arena_printf(arena, "one of: %s", option->choices);
        hk_status status = hk_error(r->ctx, HK_E_USAGE, HK_NOWHERE, hint,
                                    "'%s' is not a value of option '--%s'", value, option->name);
        hk_arena_destroy(arena);
        return status;
    }
    HK_TRY(check_once(r, option, value));
    struct hk_given given = {option, value};
    HK_PUSH(r->args.given, r->args.given_count, r->args.given_cap, given);
    return HK_OK;
}

/* The next word as the value of OPTION. */
static hk_status take_value(reader *r, const hk_option *option, const char **ret_value) {
    const char *value = r->next < r->count ? r->words[r->next] : NULL;
    if (!value || strncmp(value, "--", 2) == 0) {
        hk_arena *arena = hk_arena_create();
        const char *hint = hk_arena_printf(arena, "write --%s=%s", option->name, option->argument);
        hk_status status = hk_error(r->ctx, HK_E_USAGE, HK_NOWHERE, hint,
                                    "option '--%s' needs a value", option->name);
        hk_arena_destroy(arena);
        return status;
    }
    r->next++;
    *ret_value = value;
    return HK_OK;
}

static hk_status read_long(reader *r, const char *word) {
    size_t length = strcspn(word, "=");
    const char *value = word[length] ? word + length + 1 : NULL;
    const hk_option *option = find_long(r->own, word, length);
    if (!option)
        return unknown_long(r, word, length);
    if (value && !option->argument)
        return hk_error(r->ctx, HK_E_USAGE, HK_NOWHERE, NULL, "option '--%s' takes no value",
                        option->name);
    if (!value && option->argument && !option->optional)
        HK_TRY(take_value(r, option, &value));
    return accept(r, option, value);
}

/* "-o FILE", "-oFILE", and several switches in one word. */
static hk_status read_letters(reader *r, const char *letters) {
    for (; *letters; letters++) {
        const hk_option *option = find_letter(r->own, *letters);
        if (!option) {
            hk_arena *arena = hk_arena_create();
            const char *hint = hk_arena_printf(arena, "'%s --help' lists them", r->called);
            hk_status status = hk_error(r->ctx, HK_E_USAGE, HK_NOWHERE, hint,
                                        "'%s' has no option '-%c'", r->called, *letters);
            hk_arena_destroy(arena);
            return status;
        }
        if (!option->argument) {
            HK_TRY(accept(r, option, NULL));
            continue;
        }
        const char *value = letters[1] ? letters + 1 : NULL;
        if (!value && !option->optional)
            HK_TRY(take_value(r, option, &value));
        return accept(r, option, value);
    }
    return HK_OK;
}

static hk_status read_words(reader *r) {
    bool only_operands = false;
    while (r->next < r->count) {
        const char *word = r->words[r->next++];
        if (only_operands || word[0] != '-' || !word[1])
            HK_PUSH(r->args.operands, r->args.operand_count, r->args.operand_cap, word);
        else if (strcmp(word, "--") == 0)
            only_operands = true;
        else if (word[1] == '-')
            HK_TRY(read_long(r, word + 2));
        else
            HK_TRY(read_letters(r, word + 1));
    }
    return HK_OK;
}

hk_status hk_args_parse(hk_ctx *ctx, const char *called, const hk_option_table *own, int count,
                        char *const *words, hk_args *ret_args) {
    reader r = {.ctx = ctx, .called = called, .own = own, .count = count, .words = words};
    r.args.own = own;
    hk_status status = read_words(&r);
    if (status != HK_OK) {
        hk_args_finish(&r.args);
        return status;
    }
    *ret_args = r.args;
    return HK_OK;
}

void hk_args_finish(hk_args *args) {
    hk_free(args->given);
    hk_free(args->operands);
    *args = (hk_args){0};
}

static const struct hk_given *nth(const hk_args *args, const char *name, size_t index) {
    HK_ASSERT(find_long(args->own, name, strlen(name)));
    for (size_t i = 0; i < args->given_count; i++)
        if (strcmp(args->given[i].option->name, name) == 0 && index-- == 0)
            return &args->given[i];
    return NULL;
}

bool hk_args_has(const hk_args *args, const char *name) {
    return nth(args, name, 0) != NULL;
}

const char *hk_args_value(const hk_args *args, const char *name) {
    const char *value = NULL;
    const struct hk_given *given;
    for (size_t i = 0; (given = nth(args, name, i)); i++)
        value = given->value;
    return value;
}

const char *hk_args_nth(const hk_args *args, const char *name, size_t index) {
    const struct hk_given *given = nth(args, name, index);
    return given ? given->value : NULL;
}

hk_status hk_args_check_for(hk_ctx *ctx, const hk_args *args, hk_for what) {
    for (size_t i = 0; i < args->given_count; i++) {
        const hk_option *o = args->given[i].option;
        if (o->only_for == HK_FOR_ALL || o->only_for == what)
            continue;
        if (o->only_for == HK_FOR_SIMULATIONS)
            return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "name a .simulation file",
                            "--%s is for simulations", o->name);
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, o->instead, "--%s is not for simulations: %s",
                        o->name, o->why);
    }
    return HK_OK;
}
