/* SPDX-License-Identifier: MIT
 *
 * Names that C and C++ take. */
#include "gen/gen_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Keywords of C and C++, and names that the headers of a component define as macros. Sorted. */
static const char *const reserved[] = {
    "BUFSIZ",
    "DOMAIN",
    "EOF",
    "FILE",
    "FP_INFINITE",
    "FP_NAN",
    "FP_NORMAL",
    "FP_SUBNORMAL",
    "FP_ZERO",
    "HUGE_VAL",
    "HUGE_VALF",
    "HUGE_VALL",
    "I",
    "INFINITY",
    "MATH_ERREXCEPT",
    "MATH_ERRNO",
    "M_1_PI",
    "M_2_PI",
    "M_2_SQRTPI",
    "M_E",
    "M_LN10",
    "M_LN2",
    "M_LOG10E",
    "M_LOG2E",
    "M_PI",
    "M_PI_2",
    "M_PI_4",
    "M_SQRT1_2",
    "M_SQRT2",
    "NAN",
    "NULL",
    "OVERFLOW",
    "PTRDIFF_MAX",
    "PTRDIFF_MIN",
    "SIG_ATOMIC_MAX",
    "SIG_ATOMIC_MIN",
    "SIZE_MAX",
    "UNDERFLOW",
    "WCHAR_MAX",
    "WCHAR_MIN",
    "WINT_MAX",
    "WINT_MIN",
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "assert",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "complex",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "errno",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "fpclassify",
    "friend",
    "goto",
    "i386",
    "if",
    "imaginary",
    "inline",
    "int",
    "isfinite",
    "isgreater",
    "isgreaterequal",
    "isinf",
    "isless",
    "islessequal",
    "islessgreater",
    "isnan",
    "isnormal",
    "isunordered",
    "linux",
    "long",
    "math_errhandling",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "noreturn",
    "not",
    "not_eq",
    "nullptr",
    "offsetof",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signbit",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "stderr",
    "stdin",
    "stdout",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unix",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
};

static int compare(const void *key, const void *entry) {
    return strcmp(key, *(const char *const *)entry);
}

bool hk_c_is_reserved(const char *name) {
    size_t count = sizeof reserved / sizeof *reserved, length = strlen(name);
    bool type = length > 2 && strcmp(name + length - 2, "_t") == 0; /* int64_t, size_t ... */
    return type || bsearch(name, reserved, count, sizeof *reserved, compare) != NULL;
}

static bool begins(const char *name, const char *prefix) {
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Names that are not ours by their beginning: the language's, hocket's, INT64_C and the like. */
static bool has_reserved_beginning(const char *name) {
    const char *rest = begins(name, "UINT") ? name + 4 : begins(name, "INT") ? name + 3 : "x";
    bool number = (*rest >= '0' && *rest <= '9') || *rest == '_' || begins(rest, "MAX_") ||
                  begins(rest, "PTR_");
    return number || begins(name, "HK_") || begins(name, "hk_") ||
           (name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1])));
}

const char *hk_c_word(hk_arena *arena, const char *text) {
    char *word = hk_arena_printf(arena, "%s%s", isdigit((unsigned char)text[0]) ? "n" : "",
                                 *text ? text : "unnamed");
    for (char *c = word; *c; c++)
        if (!(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z') && !(*c >= '0' && *c <= '9'))
            *c = '_';
    return word;
}

const char *hk_scope_name(hk_arena *arena, hk_scope *scope, const char *text) {
    const char *name = hk_c_word(arena, text);
    if (has_reserved_beginning(name))
        name = hk_arena_printf(arena, "n%s", name);
    while (hk_c_is_reserved(name) || hk_map_get(&scope->taken, name) != HK_MAP_NONE)
        name = hk_arena_printf(arena, "%s_", name);
    hk_map_put(&scope->taken, name, 0);
    return name;
}

void hk_scope_finish(hk_scope *scope) {
    hk_map_finish(&scope->taken);
}
