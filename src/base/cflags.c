/* SPDX-License-Identifier: MIT */
#include "base/cflags.h"

#include <string.h>

#define NO_BUILTIN          "-fno-builtin-"
#define HK_CFLAG(flag)      flag,
#define HK_CFLAG_LIBM(name) NO_BUILTIN #name, NO_BUILTIN #name "f", NO_BUILTIN #name "l",
static const char *const flags_of_plugins[] = {
#include "base/cflags.def"
};
#undef HK_CFLAG
#undef HK_CFLAG_LIBM
enum { FLAG_COUNT = sizeof flags_of_plugins / sizeof *flags_of_plugins };

const char *const *hk_plugin_flags(size_t *ret_count) {
    *ret_count = FLAG_COUNT;
    return flags_of_plugins;
}

const char *hk_plugin_flags_text(hk_arena *arena) {
    const char *text = "";
    for (size_t i = 0; i < FLAG_COUNT; i++)
        text = hk_arena_printf(arena, "%s%s%s", text, i ? " " : "", flags_of_plugins[i]);
    return text;
}

/* The next word at *AT, which moves behind it; false: there is none. */
static bool next_word(const char **at, const char **ret_word, size_t *ret_length) {
    *at += strspn(*at, " \t\r\n");
    *ret_word = *at;
    *ret_length = strcspn(*at, " \t\r\n");
    *at += *ret_length;
    return *ret_length != 0;
}

static bool is_word(const char *word, size_t length, const char *text) {
    return strlen(text) == length && strncmp(word, text, length) == 0;
}

static bool begins(const char *word, size_t length, const char *text) {
    return strlen(text) <= length && strncmp(word, text, strlen(text)) == 0;
}

static bool has_word(const char *flags, const char *text) {
    const char *word;
    size_t length;
    while (next_word(&flags, &word, &length))
        if (is_word(word, length, text))
            return true;
    return false;
}

static bool is_no_builtin(const char *word, size_t length) {
    return begins(word, length, NO_BUILTIN) && length > strlen(NO_BUILTIN);
}

/* Whether the compiler knows nothing of any function of the list. */
static bool lacks_libm(const char *flags) {
    const char *at = flags, *word;
    size_t length, count = 0, wanted = 0;
    if (has_word(flags, "-fno-builtin") || has_word(flags, "-ffreestanding"))
        return true;
    while (next_word(&at, &word, &length))
        count += is_no_builtin(word, length);
    for (size_t i = 0; i < FLAG_COUNT; i++)
        wanted += is_no_builtin(flags_of_plugins[i], strlen(flags_of_plugins[i]));
    if (count < wanted) /* the usual case of a stranger's flags, and cheap */
        return false;
    for (size_t i = 0; i < FLAG_COUNT; i++)
        if (is_no_builtin(flags_of_plugins[i], strlen(flags_of_plugins[i])) &&
            !has_word(flags, flags_of_plugins[i]))
            return false;
    return true;
}

/* Words that let a compiler compute something else than what is written; "-fX" is taken back by
 * "-fno-X", and by -fno-fast-math if FAST. */
static const struct {
    const char *on, *off;
    bool fast;
} freedoms[] = {
    {"-ffast-math", "-fno-fast-math", true},
    {"-Ofast", "-fno-fast-math", true},
    {"-funsafe-math-optimizations", "-fno-unsafe-math-optimizations", true},
    {"-fassociative-math", "-fno-associative-math", true},
    {"-freciprocal-math", "-fno-reciprocal-math", true},
    {"-ffinite-math-only", "-fno-finite-math-only", true},
    {"-fno-signed-zeros", "-fsigned-zeros", true},
    {"-fcx-limited-range", "-fno-cx-limited-range", true},
    {"-frounding-math", "-fno-rounding-math", false},
    {"-fsingle-precision-constant", "-fno-single-precision-constant", false},
    {"-ffloat-store", "-fno-float-store", false},
};

/* The word of freedom NUMBER that counts in the end; NULL: none. */
static const char *taken(const char *flags, size_t number) {
    const char *word, *found = NULL;
    size_t length;
    while (next_word(&flags, &word, &length)) {
        if (is_word(word, length, freedoms[number].on))
            found = freedoms[number].on;
        else if (is_word(word, length, freedoms[number].off) ||
                 (freedoms[number].fast && is_word(word, length, "-fno-fast-math")))
            found = NULL;
    }
    return found;
}

static bool contracts(const char *flags) {
    const char *word;
    size_t length;
    bool off = false;
    while (next_word(&flags, &word, &length))
        if (begins(word, length, "-ffp-contract="))
            off = is_word(word, length, "-ffp-contract=off");
    return !off;
}

/* Words that choose instructions that not every processor of the kind has, or x87. */
static bool is_of_machine(const char *word, size_t length) {
    static const char *const words[] = {"-march=", "-mcpu=",  "-mfpmath=", "-mfma",    "-mavx",
                                        "-msse3",  "-mssse3", "-msse4",    "-mf16c",   "-mbmi",
                                        "-mlzcnt", "-mabm",   "-mpopcnt",  "-mno-sse", "-mpc"};
    if (is_word(word, length, "-march=x86-64") || is_word(word, length, "-march=armv8-a") ||
        is_word(word, length, "-mfpmath=sse"))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins(word, length, words[i]))
            return true;
    return false;
}

static const char *join(hk_arena *arena, const char *list, const char *how, const char *what,
                        size_t length) {
    return hk_arena_printf(arena, "%s%s%s %.*s", list ? list : "", list ? ", " : "", how,
                           (int)length, what);
}

const char *hk_cflags_difference(hk_arena *arena, const char *flags) {
    const char *list = NULL, *at = flags, *word;
    size_t length;
    if (contracts(flags))
        list = join(arena, list, "without", "-ffp-contract=off", strlen("-ffp-contract=off"));
    for (size_t i = 0; i < sizeof freedoms / sizeof *freedoms; i++) {
        const char *freedom = taken(flags, i);
        if (freedom)
            list = join(arena, list, "with", freedom, strlen(freedom));
    }
    while (next_word(&at, &word, &length))
        if (is_of_machine(word, length))
            list = join(arena, list, "with", word, length);
    if (!lacks_libm(flags))
        list = join(arena, list, "with", "functions of libm built in",
                    strlen("functions of libm built in"));
    return list;
}

/* ---- words that are not known ---- */

/* Quotes are left out: who wrote the word down may have read them, or not. */
static bool is_definition(const char *word, size_t length) {
    return begins(word, length, "-D") && length > 2 && !memchr(word, '\'', length) &&
           !memchr(word, '"', length) && !memchr(word, '\\', length);
}

bool hk_cflag_is_of_language(const char *word, size_t length) {
    static const char *const words[] = {"-fsigned-char",   "-funsigned-char", "-fshort-enums",
                                        "-fms-extensions", "-pthread",        "-fno-exceptions",
                                        "-fno-rtti",       "-fwrapv"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(word, length, words[i]))
            return true;
    return begins(word, length, "-std=") || is_definition(word, length);
}

/* Words that say something to the preprocessor, the assembler or the linker begin like warnings. */
static bool is_warning(const char *word, size_t length) {
    return is_word(word, length, "-w") || begins(word, length, "-pedantic") ||
           (begins(word, length, "-W") && !begins(word, length, "-Wp,") &&
            !begins(word, length, "-Wa,") && !begins(word, length, "-Wl,"));
}

static bool is_harmless(const char *word, size_t length) {
    static const char *const words[] = {"-O",
                                        "-O0",
                                        "-O1",
                                        "-O2",
                                        "-O3",
                                        "-Og",
                                        "-pipe",
                                        "-fPIC",
                                        "-fpic",
                                        "-shared",
                                        "-m64",
                                        "-march=x86-64",
                                        "-march=armv8-a",
                                        "-mfpmath=sse",
                                        "-msse2",
                                        "-fno-builtin",
                                        "-fno-plt",
                                        "-fcommon",
                                        "-fno-common",
                                        "-fdata-sections",
                                        "-ffunction-sections",
                                        "-fomit-frame-pointer",
                                        "-fno-omit-frame-pointer",
                                        "-fno-semantic-interposition",
                                        "-fexcess-precision=standard",
                                        "-fno-sanitize=all",
                                        "-fvisibility-inlines-hidden"};
    static const char *const starts[] = {"-fno-builtin-", "-fvisibility=", "-fdiagnostics-",
                                         "-fstack-protector", "-mtune="};
    for (size_t i = 0; i < FLAG_COUNT; i++)
        if (is_word(word, length, flags_of_plugins[i]))
            return true;
    for (size_t i = 0; i < sizeof freedoms / sizeof *freedoms; i++)
        if (is_word(word, length, freedoms[i].off))
            return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(word, length, words[i]))
            return true;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (begins(word, length, starts[i]))
            return true;
    return begins(word, length, "-g") || is_warning(word, length);
}

const char *hk_cflags_unknown(hk_arena *arena, const char *flags, bool passed_on) {
    const char *word;
    size_t length;
    bool named = true;
    while (next_word(&flags, &word, &length)) {
        named = named && *word != '-' && *word != '@';
        if (named || is_harmless(word, length) ||
            (passed_on && hk_cflag_is_of_language(word, length)))
            continue;
        return hk_arena_strndup(arena, word, length);
    }
    return NULL;
}

const char *hk_cflags_short(hk_arena *arena, const char *flags) {
    const char *text = "", *at = flags, *word;
    size_t length;
    bool all = lacks_libm(flags), said = false;
    while (next_word(&at, &word, &length)) {
        bool hidden = all && is_no_builtin(word, length);
        if (hidden && said)
            continue;
        said |= hidden;
        text = hidden
                   ? hk_arena_printf(arena, "%s%s" NO_BUILTIN "LIBM", text, *text ? " " : "")
                   : hk_arena_printf(arena, "%s%s%.*s", text, *text ? " " : "", (int)length, word);
    }
    return text;
}
