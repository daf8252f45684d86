/* SPDX-License-Identifier: MIT
 *
 * From files to definitions: reads a file and what it imports, and collects what is declared. */
#include "sysml/profile_internal.h"

#include "base/file.h"

#include <string.h>

enum { FILE_BYTES_MAX = 64 << 20 };

const char *const hk_profile_kind_words[HK_PROFILE_KINDS] = {
    "part", "System", "EComponent", "LComponent", "Environment", "RoboticPlatform", "POComponent"};

const char *const hk_profile_marks[HK_PROFILE_KINDS] = {
    NULL, "system", "ecomponent", "lcomponent", "environment", "roboticPlatform", "pocomponent"};

const char *const hk_profile_component_words[HK_PROFILE_COMPONENTS] = {NULL, "subsystem", "cyber",
                                                                       "physical"};
const char *const hk_profile_time_words[HK_PROFILE_TIMES] = {NULL, "discrete", "continuous"};

const char *const hk_profile_experiment_words[HK_PROFILE_EXPERIMENT_COUNT] = {
    "startTime", "stopTime", "stepSize", "outputInterval", "tolerance"};

bool hk_profile_is_logical(hk_profile_kind kind) {
    return kind == HK_PROFILE_LCOMPONENT || kind == HK_PROFILE_ENVIRONMENT ||
           kind == HK_PROFILE_PLATFORM;
}

uint32_t hk_profile_member(const hk_profile_block *block, const char *name) {
    return hk_map_get(&block->by_name, name);
}

bool hk_profile_error(hk_profile_reader *r, const char *file, const hk_place *at, const char *hint,
                      const char *format, ...) {
    va_list args;
    va_start(args, format);
    hk_complain_args(&r->complaints, HK_E_LANGUAGE, hk_place_where(file, at), hint, format, args);
    va_end(args);
    return false;
}

const char *hk_profile_last(const hk_sysml_name *name) {
    return name->part_count ? name->parts[name->part_count - 1] : "";
}

/* Whether the qualifiers of NAME are the last parts of OWNER. */
static bool is_of(const hk_sysml_name *name, const char *owner) {
    size_t end = strlen(owner);
    for (size_t i = name->part_count - 1; i-- > 0;) {
        size_t length = strlen(name->parts[i]);
        if (length > end || strncmp(owner + end - length, name->parts[i], length) != 0)
            return false;
        end -= length;
        if (end && (end < 2 || strncmp(owner + end - 2, "::", 2) != 0))
            return false;
        end = end ? end - 2 : 0;
    }
    return true;
}

void hk_profile_check_qualifiers(hk_profile_reader *r, const char *file, const hk_sysml_name *name,
                                 const char *owner) {
    if (name->part_count < 2 || is_of(name, owner))
        return;
    const char *last = hk_profile_last(name);
    hk_profile_error(r, file, &name->at,
                     hk_arena_printf(r->arena, *owner ? "write '%s', or '%s::%s'" : "write '%s'",
                                     last, owner, last),
                     "there is no '%s'", name->text);
}

bool hk_profile_marked(const hk_sysml_element *element, const char *word) {
    for (size_t i = 0; i < element->prefix_count; i++)
        if (strcmp(hk_profile_last(&element->prefixes[i]), word) == 0)
            return true;
    for (size_t i = 0; i < element->member_count; i++) {
        const hk_sysml_element *m = &element->members[i];
        if (m->kind == HK_SYSML_METADATA && strcmp(hk_profile_last(&m->type), word) == 0)
            return true;
    }
    return false;
}

bool hk_profile_given_before(const hk_sysml_element *body, size_t index, const char *name) {
    for (size_t i = 0; i < index; i++)
        if (strcmp(hk_profile_last(&body->members[i].redefines), name) == 0)
            return true;
    return false;
}

const char *hk_profile_suggest(hk_profile_reader *r, const hk_map *map, const char *name) {
    if (!hk_complaints_may_suggest(&r->complaints))
        return NULL;
    const char *close = hk_map_closest(map, name);
    return close ? hk_hint_name(r->arena, close, NULL) : NULL;
}

/* ---- collecting --------------------------------------------------------------------------------
 */

static void collect(hk_profile_reader *r, const hk_profile_source *in,
                    const hk_sysml_element *members, size_t count);

static void add_named(hk_profile_reader *r, hk_list *list, hk_map *names,
                      const hk_profile_source *source, const char *what) {
    uint32_t index = (uint32_t)list->count;
    const char *name = source->element->name ? source->element->name : "";
    uint32_t before = hk_map_put(names, name, index);
    if (before != index) {
        const hk_profile_source *first = (const hk_profile_source *)list->data + before;
        hk_profile_error(r, source->file, &source->element->name_at, NULL,
                         "%s '%s' is defined twice; the first is in line %d of %s", what, name,
                         first->element->at.line, first->file);
        return;
    }
    hk_list_add(list, source);
}

static bool read_file(hk_profile_reader *r, const char *path, hk_where asked);

/* The library of the profile, the scalar types and units are known; other packages are files. */
static bool is_built_in(const char *package) {
    static const char *const names[] = {"CoSim", "ScalarValues", "ISQ", "SI", "Base", "Quantities"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(package, names[i]) == 0)
            return true;
    return false;
}

static bool declares_package(const hk_sysml_element *members, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (members[i].kind == HK_SYSML_PACKAGE && members[i].name &&
            strcmp(members[i].name, name) == 0)
            return true;
    return false;
}

static void import(hk_profile_reader *r, const char *file, const hk_sysml_element *e) {
    const char *package = e->type.part_count ? e->type.parts[0] : "";
    if (is_built_in(package) || strcmp(package, r->profile->package) == 0)
        return;
    const char *folder = hk_path_folder(r->arena, file);
    const char *name = hk_arena_printf(r->arena, "%s.sysml", package);
    const char *path = hk_path_join(r->arena, folder, name);
    if (!hk_file_exists(path)) {
        hk_profile_error(r, file, &e->type.at,
                         hk_arena_printf(r->arena, "a package is looked for in %s", path),
                         "there is no package '%s'", package);
        return;
    }
    read_file(r, path, hk_place_where(file, &e->at));
}

/* IN: the package that it is in. */
static void collect_member(hk_profile_reader *r, const hk_profile_source *in,
                           const hk_sysml_element *e) {
    const char *file = in->file, *name = e->name ? e->name : "";
    hk_profile_source source = {.element = e, .file = file, .package = in->package};
    switch (e->kind) {
    case HK_SYSML_PACKAGE:
        source.package =
            *in->package ? hk_arena_printf(r->arena, "%s::%s", in->package, name) : name;
        collect(r, &source, e->members, e->member_count);
        break;
    case HK_SYSML_IMPORT:
        import(r, file, e);
        break;
    case HK_SYSML_PART:
        if (e->definition)
            add_named(r, &r->blocks, &r->block_names, &source, "block");
        else
            hk_list_add(&r->uses, &source);
        break;
    case HK_SYSML_PORT:
        if (e->definition)
            add_named(r, &r->ports, &r->port_names, &source, "port definition");
        break;
    case HK_SYSML_ENUM:
        if (e->definition)
            add_named(r, &r->enums, &r->enum_names, &source, "enumeration");
        break;
    case HK_SYSML_METADATA_DEF:
        add_named(r, &r->metadata, &r->metadata_names, &source, "metadata");
        break;
    case HK_SYSML_DOC:
        break;
    default:
        hk_profile_error(r, file, &e->at, NULL,
                         "this means nothing outside of a part: a package holds definitions, "
                         "imports and the part that is the system");
    }
}

static void collect(hk_profile_reader *r, const hk_profile_source *in,
                    const hk_sysml_element *members, size_t count) {
    for (size_t i = 0; i < count; i++)
        collect_member(r, in, &members[i]);
}

/* The package that an imported file is to declare: its name without the extension. */
static const char *package_of(hk_profile_reader *r, const char *path) {
    const char *name = hk_path_name(path);
    return hk_arena_strndup(r->arena, name, strlen(name) - strlen(hk_path_extension(name)));
}

static bool was_read(const hk_profile_reader *r, const char *path) {
    const char *const *files = r->files.data;
    for (size_t i = 0; i < r->files.count; i++)
        if (strcmp(files[i], path) == 0)
            return true;
    return false;
}

/* The text of one of the files; false after mistakes in its form. */
static bool read_text(hk_profile_reader *r, const hk_file_text *text) {
    hk_sysml_file *file;
    hk_status status =
        hk_sysml_parse(r->complaints.ctx, r->arena, text->file, text->data, text->size, &file);
    if (status) {
        hk_complaint_heard(&r->complaints, status);
        return false;
    }
    hk_profile_tree tree = {text->file, file};
    hk_list_add(&r->trees, &tree);
    bool first = r->files.count == 1;
    for (size_t i = 0; first && i < file->member_count; i++)
        if (file->members[i].kind == HK_SYSML_PACKAGE && file->members[i].name &&
            !*r->profile->package)
            r->profile->package = file->members[i].name;
    const char *package = package_of(r, text->file);
    if (!first && !declares_package(file->members, file->member_count, package))
        hk_complain(&r->complaints, HK_E_LANGUAGE, (hk_where){.file = text->file}, NULL,
                    "the file does not declare package '%s'", package);
    collect(r, &(hk_profile_source){.file = text->file, .package = ""}, file->members,
            file->member_count);
    return true;
}

static bool read_file(hk_profile_reader *r, const char *path, hk_where asked) {
    char *data;
    size_t size;
    if (was_read(r, path))
        return true;
    if (r->files.count == HK_PROFILE_FILES_MAX) {
        hk_complain(&r->complaints, HK_E_LANGUAGE, asked, NULL, "more than %d files are imported",
                    HK_PROFILE_FILES_MAX);
        return false;
    }
    const char *kept = hk_arena_strdup(r->arena, path);
    hk_list_add(&r->files, &kept);
    hk_status status = hk_file_read(r->complaints.ctx, kept, FILE_BYTES_MAX, &data, &size);
    if (status) {
        hk_complaint_heard(&r->complaints, status);
        return false;
    }
    bool good = read_text(r, &(hk_file_text){kept, data, size});
    hk_free(data);
    return good;
}

/* ---- what means nothing here -------------------------------------------------------------------
 */

static bool has_comment(const hk_place *at) {
    bool any = at->behind != NULL;
    for (size_t i = 0; i < at->before_count && !any; i++)
        any = *at->before[i] != '\0'; /* not an empty line */
    return any;
}

static void find_rest(hk_profile_reader *r, const char *file, const hk_sysml_element *e) {
    hk_multimodel *p = r->profile;
    bool comment = has_comment(&e->at) || has_comment(&e->end) || e->kind == HK_SYSML_DOC;
    bool other = e->kind == HK_SYSML_METADATA &&
                 hk_map_get(&r->metadata_names, hk_profile_last(&e->type)) != HK_MAP_NONE;
    for (size_t i = 0; i < e->prefix_count && !other; i++)
        other = hk_map_get(&r->metadata_names, hk_profile_last(&e->prefixes[i])) != HK_MAP_NONE;
    if (comment && !p->comment.file)
        p->comment = hk_place_where(file, &e->at);
    if (other && !p->other.file)
        p->other = hk_place_where(file, &e->at);
    for (size_t i = 0; i < e->member_count && (!p->comment.file || !p->other.file); i++)
        find_rest(r, file, &e->members[i]);
}

static void find_rests(hk_profile_reader *r) {
    const hk_profile_tree *trees = r->trees.data;
    for (size_t i = 0; i < r->trees.count; i++) {
        for (size_t k = 0; k < trees[i].tree->member_count; k++)
            find_rest(r, trees[i].file, &trees[i].tree->members[k]);
        if (has_comment(&trees[i].tree->end) && !r->profile->comment.file)
            r->profile->comment = hk_place_where(trees[i].file, &trees[i].tree->end);
    }
}

/* ---- the entry ---------------------------------------------------------------------------------
 */

static void finish_reader(hk_profile_reader *r) {
    hk_free(r->files.data);
    hk_free(r->trees.data);
    hk_free(r->blocks.data);
    hk_free(r->ports.data);
    hk_free(r->enums.data);
    hk_free(r->metadata.data);
    hk_free(r->uses.data);
    hk_map_finish(&r->block_names);
    hk_map_finish(&r->port_names);
    hk_map_finish(&r->enum_names);
    hk_map_finish(&r->metadata_names);
}

/* TEXT NULL: it is the file at PATH. */
static hk_status read_profile(hk_ctx *ctx, hk_arena *arena, const char *path,
                              const hk_file_text *text, const hk_multimodel **ret_profile) {
    hk_multimodel *profile = HK_NEW(arena, hk_multimodel);
    hk_profile_reader r = {.complaints = {.ctx = ctx},
                           .arena = arena,
                           .profile = profile,
                           .files = HK_LIST(const char *),
                           .trees = HK_LIST(hk_profile_tree),
                           .blocks = HK_LIST(hk_profile_source),
                           .ports = HK_LIST(hk_profile_source),
                           .enums = HK_LIST(hk_profile_source),
                           .metadata = HK_LIST(hk_profile_source),
                           .uses = HK_LIST(hk_profile_source)};
    *profile = (hk_multimodel){.file = hk_arena_strdup(arena, path),
                               .package = "",
                               .system_name = "",
                               .system = HK_PROFILE_NONE};
    if (text)
        hk_list_add(&r.files, &profile->file);
    bool good = text ? read_text(&r, text) : read_file(&r, path, HK_NOWHERE);
    if (good && !r.complaints.count)
        hk_profile_check_form(&r);
    if (good && !r.complaints.count) { /* what follows from a mistake in the form is not reported */
        hk_profile_make_blocks(&r);
        hk_profile_make_instances(&r);
        find_rests(&r);
    }
    hk_status status = r.complaints.first;
    finish_reader(&r);
    if (status)
        hk_profile_finish(profile);
    else
        *ret_profile = profile;
    return status;
}

hk_status hk_profile_read(hk_ctx *ctx, hk_arena *arena, const char *path,
                          const hk_multimodel **ret_profile) {
    return read_profile(ctx, arena, path, NULL, ret_profile);
}

hk_status hk_profile_read_text(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                               const hk_multimodel **ret_profile) {
    return read_profile(ctx, arena, text->file, text, ret_profile);
}

void hk_profile_finish(const hk_multimodel *profile) {
    for (size_t i = 0; profile && i < profile->block_count; i++) {
        hk_map names = profile->blocks[i].by_name;
        hk_map_finish(&names);
    }
}

size_t hk_profile_components(const hk_multimodel *profile) {
    size_t count = 0;
    for (size_t i = 0; i < profile->instance_count; i++)
        count += profile->blocks[profile->instances[i].block].kind == HK_PROFILE_ECOMPONENT;
    return count;
}
