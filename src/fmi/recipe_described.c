/* SPDX-License-Identifier: MIT
 *
 * sources/buildDescription.xml: of its configurations, the one for the library that is run and for
 * this machine. Options of the compiler come from a stranger and could make it start programs or
 * write files; those that say how to translate go on, others do not. */
#include "fmi/recipe_internal.h"

#include "base/file.h"

#include <string.h>

#if defined(__linux__) && defined(__x86_64__)
static const char this_platform[] = "x86_64-linux";
#elif defined(__linux__) && defined(__aarch64__)
static const char this_platform[] = "aarch64-linux";
#elif defined(__linux__) && defined(__riscv)
static const char this_platform[] = "riscv64-linux";
#else
static const char this_platform[] = "x86-linux";
#endif

const char *hk_recipe_platform(void) {
    return this_platform;
}

typedef struct description {
    const reading *r;
    const char *file; /* for messages */
    hk_recipe *recipe;
} description;

static hk_where at(const description *d, const hk_xml *element) {
    return hk_xml_where(d->file, element);
}

static hk_status nameless(const description *d, const hk_xml *element) {
    return hk_error(d->r->ctx, HK_E_FMI_DESCRIPTION, at(d, element), NULL, "the %s has no name",
                    element->name);
}

/* ---- options ---- */

/* Options of gcc and clang that change the translation and nothing else. Nothing with a path: it
 * could be written to. */
static bool is_harmless(const char *option) {
    static const char *const begins[] = {"-D", "-U", "-O", "-f", "-m", "-W", "-g", "-std=", NULL};
    static const char *const whole[] = {"-pthread",         "-ansi", "-pedantic", "-w",
                                        "-pedantic-errors", NULL};
    static const char *const wrong[] = {"-fplugin",  "-fpass-plugin", "-Wl,",      "-Wa,",
                                        "-Wp,",      "-fdump",        "-fprofile", "-mllvm",
                                        "-fauto-pr", "-fuse-ld",      NULL};
    for (size_t i = 0; wrong[i]; i++)
        if (strncmp(option, wrong[i], strlen(wrong[i])) == 0)
            return false;
    for (size_t i = 0; whole[i]; i++)
        if (strcmp(option, whole[i]) == 0)
            return true;
    if (option[0] == '-' && option[1] == 'D' && option[2])
        return true;
    for (size_t i = 0; begins[i]; i++)
        if (strncmp(option, begins[i], strlen(begins[i])) == 0)
            return !strchr(option, '/') &&
                   (option[2] || strcmp(begins[i], "-O") == 0 || strcmp(begins[i], "-g") == 0);
    return false;
}

/* The next word of the list; quotes keep blanks together, as a shell would have it. */
static char *next_word(hk_arena *arena, const char **text) {
    const char *at = *text + strspn(*text, " \t\r\n");
    char *word = hk_arena_alloc(arena, strlen(at) + 1), *to = word;
    char quote = '\0';
    if (!*at)
        return NULL;
    for (; *at && (quote || !strchr(" \t\r\n", *at)); at++) {
        if (quote ? *at == quote : (*at == '"' || *at == '\''))
            quote = quote ? '\0' : *at;
        else if (*at == '\\' && at[1] && quote != '\'')
            *to++ = *++at;
        else
            *to++ = *at;
    }
    *text = at;
    return word;
}

static void read_options(const description *d, const hk_xml *element, hk_source_set *set) {
    const char *text = hk_xml_attr_get(element, "compilerOptions"), *word;
    const char *dropped = "";
    while (text && (word = next_word(d->r->arena, &text))) {
        if (is_harmless(word))
            HK_PUSH(set->options, set->option_count, set->option_cap, word);
        else
            dropped = hk_arena_printf(d->r->arena, "%s%s%s", dropped, *dropped ? " " : "", word);
    }
    if (*dropped)
        hk_warn(d->r->ctx, HK_E_FMI_UNSUPPORTED, at(d, element),
                "hocket passes on what only changes the translation: -D -U -O -f -m -W -g -std "
                "-pthread, without paths",
                "options of the compiler that are not used: %s", dropped);
}

/* ---- sets ---- */

/* A name as C has it, with the list of parameters that a macro may have. */
static bool is_macro(const char *name) {
    size_t length = strcspn(name, "(");
    bool good = length && !(name[0] >= '0' && name[0] <= '9');
    for (size_t i = 0; i < length; i++)
        good &= name[i] == '_' || (name[i] >= '0' && name[i] <= '9') ||
                ((name[i] | 32) >= 'a' && (name[i] | 32) <= 'z');
    return good && !strchr(name, '=') && (!name[length] || name[strlen(name) - 1] == ')');
}

static hk_status read_define(const description *d, const hk_xml *element, hk_source_set *set) {
    const char *name = hk_xml_attr_get(element, "name"), *value = hk_xml_attr_get(element, "value");
    const char *optional = hk_xml_attr_get(element, "optional");
    if (!name)
        return nameless(d, element);
    if (!is_macro(name))
        return hk_error(d->r->ctx, HK_E_FMI_DESCRIPTION, at(d, element), NULL,
                        "'%s' is not a name that can be defined", name);
    if (optional && (strcmp(optional, "true") == 0 || strcmp(optional, "1") == 0)) {
        if (!strstr(name, "_OVERRIDE_FUNCTION_PREFIX")) /* that one is defined anyway */
            hk_note(d->r->ctx, at(d, element), "the optional definition '%s' is left out", name);
        return HK_OK;
    }
    const char *word = value ? hk_arena_printf(d->r->arena, "%s=%s", name, value) : name;
    HK_PUSH(set->defines, set->define_count, set->define_cap, word);
    return HK_OK;
}

static hk_status read_include(const description *d, const hk_xml *element, hk_source_set *set) {
    const char *name = hk_xml_attr_get(element, "name");
    if (!name)
        return nameless(d, element);
    const char *path = hk_recipe_path(d->r->arena, name);
    if (!path)
        return hk_error(d->r->ctx, HK_E_FMI_DESCRIPTION, at(d, element),
                        "folders are named relative to sources/, and lie there",
                        "the folder of headers '%s' leads out of the folder sources/", name);
    HK_PUSH(set->includes, set->include_count, set->include_cap, *path ? path : ".");
    return HK_OK;
}

static hk_status read_set(const description *d, const hk_xml *element) {
    hk_source_set *set = hk_recipe_add_set(d->recipe);
    set->language = hk_xml_attr_get(element, "language");
    if (set->language && set->language[0] != 'C')
        return hk_error(d->r->ctx, HK_E_FMI_UNSUPPORTED, at(d, element),
                        "hocket compiles C and C++", "the sources are in the language '%s'",
                        set->language);
    const char *compiler = hk_xml_attr_get(element, "compiler");
    if (compiler)
        hk_note(d->r->ctx, at(d, element),
                "that it was made for '%s' is not used; --cc chooses a compiler", compiler);
    read_options(d, element, set);
    for (const hk_xml *e = element->child; e; e = e->next) {
        const char *name = hk_xml_attr_get(e, "name");
        if (strcmp(e->name, "SourceFile") == 0)
            HK_TRY(name ? hk_recipe_add_file(d->r, set, at(d, e), name) : nameless(d, e));
        else if (strcmp(e->name, "PreprocessorDefinition") == 0)
            HK_TRY(read_define(d, e, set));
        else if (strcmp(e->name, "IncludeDirectory") == 0)
            HK_TRY(read_include(d, e, set));
        else
            hk_note(d->r->ctx, at(d, e), "the element '%s' is not used", e->name);
    }
    return HK_OK;
}

/* ---- libraries ---- */

/* One that the FMU brings: beside its binaries for this machine, or among its sources. */
static const char *find_inside(const description *d, const char *name) {
    static const char *const folders[] = {NULL, "binaries/linux64", "sources"};
    static const char *const begins[] = {"", "lib", ""}, *const ends[] = {"", ".a", ".a"};
    const char *path = hk_recipe_path(d->r->arena, name);
    const char *ours = hk_arena_printf(d->r->arena, "binaries/%s", this_platform);
    for (size_t i = 0; path && i < sizeof folders / sizeof *folders; i++) {
        for (size_t k = 0; k < sizeof begins / sizeof *begins; k++) {
            const char *full = hk_arena_printf(
                d->r->arena, "%s/%s%s%s", folders[i] ? folders[i] : ours, begins[k], path, ends[k]);
            if (hk_zip_find(d->r->zip, full) >= 0)
                return full;
        }
    }
    return NULL;
}

static hk_status read_library(const description *d, const hk_xml *element) {
    const char *name = hk_xml_attr_get(element, "name");
    const char *outside = hk_xml_attr_get(element, "external");
    if (!name || !*name)
        return nameless(d, element);
    const char *word;
    if (outside && (strcmp(outside, "true") == 0 || strcmp(outside, "1") == 0)) {
        if (strchr(name, '/'))
            return hk_error(d->r->ctx, HK_E_FMI_DESCRIPTION, at(d, element), NULL,
                            "the library '%s' of the system is named by a path", name);
        word = hk_arena_printf(d->r->arena, "-l%s", name);
    } else {
        word = find_inside(d, name);
        if (!word)
            return hk_error(d->r->ctx, HK_E_FMI_UNSUPPORTED, at(d, element),
                            "it is looked for in binaries/ of this platform and in sources/; one "
                            "of the system has external=\"true\"",
                            "the FMU does not hold the library '%s' for %s", name, this_platform);
    }
    HK_PUSH(d->recipe->libraries, d->recipe->library_count, d->recipe->library_cap, word);
    return HK_OK;
}

/* ---- the configuration ---- */

/* How well a configuration fits; 0: not at all. */
static int fit(const description *d, const hk_xml *configuration) {
    const char *id = hk_xml_attr_get(configuration, "modelIdentifier");
    const char *platform = hk_xml_attr_get(configuration, "platform");
    if (id && strcmp(id, d->r->fmu->facts.model_identifier) != 0)
        return 0;
    if (!platform || !*platform)
        return 1;
    size_t length = strlen(this_platform); /* an ABI may follow: "x86_64-linux-gnu" */
    bool ours = strncmp(platform, this_platform, length) == 0 &&
                (!platform[length] || platform[length] == '-');
    return ours || strcmp(platform, "linux64") == 0 ? 2 : 0;
}

static hk_status read_configuration(const description *d, const hk_xml *configuration) {
    for (const hk_xml *e = configuration->child; e; e = e->next) {
        if (strcmp(e->name, "SourceFileSet") == 0)
            HK_TRY(read_set(d, e));
        else if (strcmp(e->name, "Library") == 0)
            HK_TRY(read_library(d, e));
        else if (strcmp(e->name, "Annotations") != 0)
            hk_note(d->r->ctx, at(d, e), "the element '%s' is not used", e->name);
    }
    return HK_OK;
}

hk_status hk_recipe_read_described(const reading *r, size_t index, hk_recipe *recipe) {
    description d = {
        .r = r,
        .file = hk_arena_printf(r->arena, "%s/sources/buildDescription.xml", r->fmu->shown),
        .recipe = recipe};
    const hk_xml *root = NULL, *best = NULL;
    HK_TRY(hk_recipe_parse(r, index, d.file, &root));
    if (strcmp(root->name, "fmiBuildDescription") != 0)
        return hk_error(r->ctx, HK_E_FMI_DESCRIPTION, at(&d, root), NULL,
                        "the root element is '%s', expected 'fmiBuildDescription'", root->name);
    for (const hk_xml *c = hk_xml_child(root, NULL, "BuildConfiguration"); c;
         c = hk_xml_next(c, NULL, "BuildConfiguration"))
        if (fit(&d, c) > (best ? fit(&d, best) : 0))
            best = c;
    if (!best)
        return hk_error(r->ctx, HK_E_FMI_UNSUPPORTED, at(&d, root),
                        "export the FMU again, with sources for this platform",
                        "no BuildConfiguration is for the library '%s' on %s",
                        r->fmu->facts.model_identifier, this_platform);
    return read_configuration(&d, best);
}
