/* SPDX-License-Identifier: MIT
 *
 * `hocket new`: a project that runs as it is. The files are in templates/; in them words like
 * @NAME@ are replaced: expand(). */
#include "base/embed.h"
#include "base/file.h"
#include "cli/cli.h"
#include "gen/gen_text.h"

#include <ctype.h>
#include <dirent.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 64 };

extern const hk_embedded hk_embedded_templates[];

typedef struct project_file {
    const char *path; /* NULL ends the list; @NAME@ as in the files */
    const char *from; /* which template */
    const char *what;
} project_file;

#define FILES_OF_BOTH                                                                              \
    {"@NAME@.@EXTENSION@", "component.c.in", "the component: start here"},                         \
        {"system.ssd", "system.ssd.in", "a system of two of them"},                                \
        {"expected.csv", "expected.csv", "what it computes, for the test"}, {                      \
        ".gitignore", "gitignore.in", NULL                                                         \
    }

static const project_file component_files[] = {
    {"README.md", "component.md.in", "how to build and run it"},
    {"CMakeLists.txt", "component.cmake.in", NULL},
    FILES_OF_BOTH,
    {NULL, NULL, NULL},
};

static const project_file fmu_files[] = {
    {"README.md", "fmu.md.in", "how to build and run it"},
    {"CMakeLists.txt", "fmu.cmake.in", NULL},
    FILES_OF_BOTH,
    {NULL, NULL, NULL},
};

static const project_file world_files[] = {
    {"README.md", "world.md.in", "how to build and run it"},
    {"CMakeLists.txt", "world.cmake.in", NULL},
    {"@NAME@.c", "world.c.in", "components and systems: start here"},
    {"@NAME@.system", "world.system.in", "the entities that there are"},
    {"@NAME@.simulation", "world.simulation.in", "what happens to them"},
    {"expected.csv", "world.csv", "what it computes, for the test"},
    {".gitignore", "gitignore.in", NULL},
    {NULL, NULL, NULL},
};

typedef struct project {
    const char *kind, *name, *folder;
    const project_file *files;
    const char *fmi, *type, *source;          /* for @FMI@, @TYPE@ and @SOURCE@ */
    const char *language, *words, *extension; /* C or C++: for @LANGUAGE@, @WORD@, @EXTENSION@ */
    const char *pragmas;                      /* for @PRAGMAS@ */
} project;

/* A growing text. */
typedef struct text {
    char *data;
    size_t size, cap;
} text;

static void append(text *t, const char *data, size_t size) {
    for (size_t i = 0; i < size; i++)
        HK_PUSH(t->data, t->size, t->cap, data[i]);
}

/* Appends TEMPLATE with its marks replaced; an '@' that begins no mark stays. */
static void expand(const project *p, const char *data, size_t size, text *out) {
    const struct {
        const char *mark, *value;
    } marks[] = {{"@NAME@", p->name},           {"@FMI@", p->fmi},        {"@TYPE@", p->type},
                 {"@SOURCE@", p->source},       {"@WORD@", p->language},  {"@LANGUAGE@", p->words},
                 {"@EXTENSION@", p->extension}, {"@PRAGMAS@", p->pragmas}};
    for (size_t at = 0; at < size;) {
        size_t length = 0;
        for (size_t m = 0; m < sizeof marks / sizeof *marks && !length; m++) {
            size_t mark = strlen(marks[m].mark);
            if (mark <= size - at && memcmp(data + at, marks[m].mark, mark) == 0) {
                append(out, marks[m].value, strlen(marks[m].value));
                length = mark;
            }
        }
        if (!length)
            append(out, data + at, length = 1);
        at += length;
    }
}

static const char *path_of(hk_cli *cli, const project *p, const project_file *file) {
    text name = {0};
    expand(p, file->path, strlen(file->path) + 1, &name);
    const char *path = hk_path_join(cli->arena, p->folder, name.data);
    hk_free(name.data);
    return path;
}

/* Names that have another meaning, also inside the component. */
static bool is_taken(const char *name) {
    static const char *const ours[] = {"main", "self", "t", "h", "x"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (strcmp(ours[i], name) == 0)
            return true;
    return hk_c_is_reserved(name);
}

static bool has_our_prefix(const char *name) {
    return strncmp(name, "hk_", 3) == 0 || strncmp(name, "HK_", 3) == 0;
}

/* A name that is allowed and looks like NAME: "my_" comes before what cannot be alone, and
 * "size_t" becomes "my_size_type". */
static const char *better_name(hk_cli *cli, const char *name) {
    if (!*name)
        return "pump";
    char *better = hk_arena_printf(cli->arena, "my_%.*s", NAME_MAX_LENGTH - 8, name);
    for (char *c = better; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
    const char *bare = better + 3;
    if (isalpha((unsigned char)*bare) && !is_taken(bare) && !has_our_prefix(bare))
        return bare;
    return is_taken(better) ? hk_arena_printf(cli->arena, "%sype", better) : better;
}

static hk_status check_name(hk_cli *cli, const char *name) {
    size_t length = strlen(name);
    bool good = length > 0 && length <= NAME_MAX_LENGTH && isalpha((unsigned char)name[0]) &&
                !has_our_prefix(name);
    for (size_t i = 0; i < length; i++)
        good &= isalnum((unsigned char)name[i]) || name[i] == '_';
    if (good && !is_taken(name))
        return HK_OK;
    const char *hint = hk_arena_printf(
        cli->arena, "for example '%s'; --directory names the folder if that is to differ",
        better_name(cli, name));
    if (good)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, hint,
                        "'%s' has a meaning of its own in C, C++ or the component", name);
    return hk_error(
        cli->ctx, HK_E_USAGE, HK_NOWHERE, hint,
        "'%s' is not a name for a component: it has up to %d letters, digits and '_', and "
        "begins with a letter, but not with 'hk_'",
        name, NAME_MAX_LENGTH);
}

static bool is_empty_folder(const char *path) {
    DIR *dir = opendir(path);
    if (!dir)
        return false;
    bool empty = true;
    for (const struct dirent *entry; empty && (entry = readdir(dir));)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    closedir(dir);
    return empty;
}

static hk_status write_file(hk_cli *cli, const project *p, const project_file *file) {
    const hk_embedded *from = hk_embedded_templates;
    while (from->name && strcmp(from->name, file->from) != 0)
        from++;
    HK_ASSERT(from->name);
    text out = {0};
    expand(p, from->data, from->size, &out);
    hk_status status = hk_file_write(cli->ctx, path_of(cli, p, file), out.data, out.size);
    hk_free(out.data);
    return status;
}

static hk_status write_project(hk_cli *cli, const project *p) {
    bool was_there = hk_folder_exists(p->folder);
    if ((was_there && !is_empty_folder(p->folder)) || (!was_there && hk_file_exists(p->folder)))
        return hk_error(cli->ctx, HK_E_FILE_WRITE, (hk_where){.file = p->folder},
                        "remove it, or name another folder with --directory",
                        "is there already, and nothing is overwritten");
    HK_TRY(hk_folder_make(cli->ctx, p->folder));
    hk_status status = HK_OK;
    for (const project_file *file = p->files; file->path && status == HK_OK; file++)
        status = write_file(cli, p, file);
    if (status != HK_OK && !was_there)
        hk_folder_remove(p->folder);
    return status;
}

static void put_text(hk_cli *cli, const project *p) {
    bool color = cli->color_out;
    printf("made %s%s%s, %s:\n", hk_style_on(color, HK_BOLD), p->folder, hk_style_off(color),
           p->files == fmu_files     ? hk_arena_printf(cli->arena, "an FMU for FMI %s", p->fmi)
           : p->files == world_files ? "a world"
                                     : "a component");
    for (const project_file *file = p->files; file->path; file++)
        if (file->what)
            printf("  %-24s %s\n", hk_path_name(path_of(cli, p, file)), file->what);
    printf("\nnext:\n  cd %s\n", p->folder);
    if (p->files == fmu_files)
        printf("  hocket export %s.c -o %s.fmu --fmi %s\n", p->name, p->name, p->fmi);
    else
        printf("  hocket build .\n");
    printf("  hocket run %s -o result.csv\n"
           "README.md tells how to do it with CMake, and how to run the tests\n",
           p->files == world_files ? hk_arena_printf(cli->arena, "%s.system", p->name)
                                   : "system.ssd");
}

static void put_json(hk_cli *cli, const project *p) {
    hk_json json;
    hk_answer_begin(cli, &json, "new");
    hk_json_string(&json, "kind", p->kind);
    hk_json_string(&json, "name", p->name);
    hk_json_string(&json, "directory", p->folder);
    hk_json_array(&json, "files");
    for (const project_file *file = p->files; file->path; file++)
        hk_json_string(&json, NULL, path_of(cli, p, file));
    hk_json_end(&json);
    hk_answer_end(&json);
}

/* Compilers of C++ warn of members that an initializer leaves out, and below C++20 of naming them.
 */
static const char cpp_pragmas[] =
    "\n/* What the tables below leave out is zero, as in C. */\n"
    "#pragma GCC diagnostic ignored \"-Wmissing-field-initializers\"\n"
    "#pragma GCC diagnostic ignored \"-Wc++20-extensions\"\n";

/* What there is of a kind. */
static hk_status choose_kind(hk_cli *cli, project *p) {
    static const char *const kinds[] = {"component", "fmu", "world"};
    if (strcmp(p->kind, "component") == 0) {
        p->files = component_files;
        p->type = "application/x-hocket-plugin";
        p->source = hk_arena_printf(cli->arena, "%s.so#%s", p->name, p->name);
    } else if (strcmp(p->kind, "fmu") == 0) {
        p->files = fmu_files;
        p->type = "application/x-fmu-sharedlibrary";
        p->source = hk_arena_printf(cli->arena, "%s.fmu", p->name);
    } else if (strcmp(p->kind, "world") == 0) {
        p->files = world_files;
        p->type = p->source = "";
    } else {
        const char *close = hk_closest(p->kind, kinds, sizeof kinds / sizeof *kinds);
        const char *call = close ? hk_arena_printf(cli->arena, "hocket new %s", close) : NULL;
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        hk_hint_name(cli->arena, call,
                                     "'hocket new component NAME', 'hocket new fmu NAME' or "
                                     "'hocket new world NAME'"),
                        "there is no project of the kind '%s'", p->kind);
    }
    return HK_OK;
}

static hk_status run_new(hk_cli *cli, const hk_args *args) {
    const char *language = hk_args_value(args, "language");
    bool cpp = language && strcmp(language, "c++") == 0;
    project p = {.kind = args->operands[0],
                 .name = args->operands[1],
                 .fmi = "2",
                 .language = cpp ? "C++" : "C",
                 .words = cpp ? "CXX" : "C",
                 .extension = cpp ? "cpp" : "c",
                 .pragmas = cpp ? cpp_pragmas : ""};
    HK_TRY(choose_kind(cli, &p));
    if (hk_args_has(args, "fmi") && p.files != fmu_files)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "'hocket new fmu NAME' makes an FMU",
                        "--fmi is for FMUs, not for components");
    if (cpp && p.files == world_files)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "leave --language out",
                        "the project of a world is in C");
    if (cpp && p.files == fmu_files)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "'hocket new component NAME --language c++' makes a plugin",
                        "FMUs are exported from components in C");
    if (hk_args_has(args, "fmi"))
        p.fmi = hk_args_value(args, "fmi");
    HK_TRY(check_name(cli, p.name));
    p.folder = hk_args_has(args, "directory") ? hk_args_value(args, "directory") : p.name;
    HK_TRY(write_project(cli, &p));
    if (cli->json)
        put_json(cli, &p);
    else if (!cli->quiet)
        put_text(cli, &p);
    return HK_OK;
}

static const hk_option options[] = {
    {.name = "directory",
     .letter = 'd',
     .argument = "DIR",
     .files = "",
     .group = "Project",
     .help = "make the project in this folder, which must be empty or not there (default: NAME)"},
    {.name = "language",
     .argument = "LANGUAGE",
     .choices = "c c++",
     .group = "Project",
     .help = "language of a component (default: c)"},
    {.name = "fmi",
     .argument = "VERSION",
     .choices = "1 2 3",
     .group = "Project",
     .help = "version of FMI for an FMU (default: 2)"},
};

const hk_verb hk_verb_new = {
    .name = "new",
    .summary = "make a project that runs as it is",
    .operands = "KIND NAME",
    .words = "component fmu world",
    .description =
        "KIND is 'component' for a component in C or C++ that hocket loads as a plugin, "
        "'fmu' for one that is exported as an FMU, or 'world' for entities and the systems that "
        "move them. NAME is a name of C. The project has "
        "something that works, a system that uses it, a build with 'hocket build' or "
        "CMake and a test; "
        "change it step by step into your own. Nothing is overwritten.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_new,
};
