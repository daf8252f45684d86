/* SPDX-License-Identifier: MIT
 *
 * Type files. docs/languages.md has the grammar. */
#include "lang/declaration.h"

#include <string.h>

HK_LEVEL(file, "dataTypes", "interfaces", "LeafComponentTypes", "Declaration", "import");
HK_LEVEL(declaration, "dataTypes", "interfaces", "LeafComponentTypes");
HK_LEVEL(datatypes, "Record", "Array", "Enum");
HK_LEVEL(interfaces, "Interface");
HK_LEVEL(leaves, "LeafComponentType");
HK_LEVEL(leaf, "providedInterfaces", "requiredInterfaces", "inputs", "outputs", "parameters",
         "stamp", "behaviour");
HK_LEVEL(all, "dataTypes", "interfaces", "LeafComponentTypes", "Declaration", "import", "Record",
         "Array", "Enum", "Interface", "LeafComponentType", "providedInterfaces",
         "requiredInterfaces", "inputs", "outputs", "parameters", "stamp", "behaviour");

static const char *const parameter_words[] = {"private"};
static const hk_level parameter_level = {
    .words = parameter_words, .count = 1, .texts = true, .any = true, .what = "a type"};
static const hk_level decl_level = {.texts = true, .any = true, .what = "a type"};

/* Declarations of one kind, up to the closing brace. */
typedef struct decl_list {
    hk_list list;
    unsigned says;
} decl_list;

static bool read_decl(hk_parser *p, void *into, size_t word, hk_place at) {
    decl_list *decls = into;
    hk_decl decl;
    bool is_private = decls->says & HK_SAYS_RANGE && word == 0;
    if (!hk_parser_decl(p, decls->says, &decl))
        return false;
    decl.is_private = is_private;
    decl.at = at;
    if (!hk_parser_semicolon(p, &decl.at))
        return false;
    hk_list_add(&decls->list, &decl);
    return true;
}

static bool read_decls(hk_parser *p, unsigned says, hk_place *at, hk_place *end,
                       hk_decl **ret_decls, size_t *ret_count) {
    decl_list decls = {HK_LIST(hk_decl), says};
    const hk_level *level = says & HK_SAYS_RANGE ? &parameter_level : &decl_level;
    bool ok = hk_parser_braces(p, level, at, read_decl, &decls, end);
    *ret_count = decls.list.count;
    *ret_decls = hk_list_keep(p->arena, &decls.list);
    return ok;
}

/* ---- data types -------------------------------------------------------------------------------
 */

static bool read_size(hk_parser *p, void *element, hk_place **ret_place) {
    hk_number *size = element;
    *ret_place = &size->at;
    return hk_parser_number(p, "a number of elements", size);
}

static bool read_array(hk_parser *p, hk_datatype *type) {
    hk_list sizes = HK_LIST(hk_number);
    bool ok =
        hk_parser_name(p, "the name of the array", &type->name) && hk_parser_expect(p, "of") &&
        hk_parser_path(p, "the type of its elements", &type->element) &&
        hk_parser_expect_mark(p, "[") &&
        (!hk_parser_is_mark(p, "]") || hk_parser_unexpected(p, "a number of elements", NULL)) &&
        hk_parser_elements(p, "]", read_size, &sizes, &type->at) &&
        hk_parser_semicolon(p, &type->at);
    type->size_count = sizes.count;
    type->sizes = hk_list_keep(p->arena, &sizes);
    return ok;
}

static bool read_enum_item(hk_parser *p, void *element, hk_place **ret_place) {
    hk_name *item = element;
    *ret_place = &item->at;
    return hk_parser_name(p, "the name of an item", item);
}

static bool read_enum(hk_parser *p, hk_datatype *type) {
    hk_list items = HK_LIST(hk_name);
    bool ok = hk_parser_head(p, "the name of the enumeration", &type->name) &&
              hk_parser_expect_mark(p, "{");
    if (ok)
        hk_parser_settle(p, &type->at);
    ok = ok &&
         (!hk_parser_is_mark(p, "}") || hk_parser_unexpected(p, "the name of an item", NULL)) &&
         hk_parser_elements(p, "}", read_enum_item, &items, &type->end);
    if (ok) {
        type->end.line = p->last.line;
        type->end.column = p->last.column;
        hk_parser_skip_mark(p, ";");
        hk_parser_settle(p, &type->end);
    }
    type->item_count = items.count;
    type->items = hk_list_keep(p->arena, &items);
    return ok;
}

static bool read_datatype(hk_parser *p, void *into, size_t word, hk_place at) {
    static const hk_datatype_kind kinds[] = {HK_RECORD, HK_ARRAY, HK_ENUMERATION};
    hk_datatype type = {.kind = kinds[word], .name = HK_MISSING, .element = HK_MISSING, .at = at};
    bool ok;
    if (type.kind == HK_RECORD)
        ok = hk_parser_head(p, "the name of the record", &type.name) &&
             read_decls(p, HK_SAYS_UNIT, &type.at, &type.end, &type.fields, &type.field_count);
    else
        ok = type.kind == HK_ARRAY ? read_array(p, &type) : read_enum(p, &type);
    /* one whose name is known is kept, so that its uses are not mistakes */
    if (type.name.text[0])
        hk_list_add(into, &type);
    return ok;
}

/* ---- interfaces -------------------------------------------------------------------------------
 */

static bool read_argument(hk_parser *p, void *element, hk_place **ret_place) {
    hk_decl *argument = element;
    *ret_place = &argument->at;
    return hk_parser_decl(p, HK_SAYS_UNIT, argument);
}

static bool read_function(hk_parser *p, void *into, size_t word, hk_place at) {
    (void)word;
    hk_functiondecl function = {.at = at};
    hk_list arguments = HK_LIST(hk_decl);
    function.is_mutable = hk_parser_skip(p, "mutable");
    bool ok = hk_parser_path(p, "the type of the result", &function.result) &&
              hk_parser_name(p, "the name of the function", &function.name) &&
              hk_parser_expect_mark(p, "(") &&
              hk_parser_elements(p, ")", read_argument, &arguments, &function.at) &&
              hk_parser_semicolon(p, &function.at);
    function.argument_count = arguments.count;
    function.arguments = hk_list_keep(p->arena, &arguments);
    if (ok)
        hk_list_add(into, &function);
    return ok;
}

static bool read_interface(hk_parser *p, void *into, size_t word, hk_place at) {
    static const hk_level level = {.texts = true, .any = true, .what = "the type of a result"};
    (void)word;
    hk_interfacedecl interface = {.at = at};
    hk_list functions = HK_LIST(hk_functiondecl);
    bool ok = hk_parser_head(p, "the name of the interface", &interface.name) &&
              hk_parser_braces(p, &level, &interface.at, read_function, &functions, &interface.end);
    interface.function_count = functions.count;
    interface.functions = hk_list_keep(p->arena, &functions);
    if (interface.name.text[0])
        hk_list_add(into, &interface);
    return ok;
}

/* ---- leaf types -------------------------------------------------------------------------------
 */

static bool read_use(hk_parser *p, void *element, hk_place **ret_place) {
    hk_interfaceuse *use = element;
    *ret_place = &use->at;
    return hk_parser_use(p, use);
}

static bool read_uses(hk_parser *p, hk_leafsection *section) {
    hk_list uses = HK_LIST(hk_interfaceuse);
    bool ok =
        hk_parser_expect_mark(p, "(") && hk_parser_elements(p, ")", read_use, &uses, &section->at);
    if (ok) {
        hk_parser_skip_mark(p, ";");
        hk_parser_settle(p, &section->at);
    }
    section->count = uses.count;
    section->uses = hk_list_keep(p->arena, &uses);
    return ok;
}

static bool read_section_value(hk_parser *p, hk_leafsection *section) {
    static const char *const stamps[] = {"start", "end"};
    bool ok = section->kind == HK_SECTION_STAMP
                  ? hk_parser_word(p, stamps, 2, &section->value)
                  : hk_parser_text(p, "a file in double quotes", &section->value);
    return ok && hk_parser_semicolon(p, &section->at);
}

static bool read_leaf_section(hk_parser *p, void *into, size_t word, hk_place at) {
    static const hk_leafsection_kind kinds[] = {
        HK_SECTION_PROVIDED,   HK_SECTION_REQUIRED, HK_SECTION_INPUTS,   HK_SECTION_OUTPUTS,
        HK_SECTION_PARAMETERS, HK_SECTION_STAMP,    HK_SECTION_BEHAVIOUR};
    static const unsigned says[] = {
        [HK_SECTION_INPUTS] = HK_SAYS_UNIT | HK_SAYS_START | HK_SAYS_MODE,
        [HK_SECTION_OUTPUTS] = HK_SAYS_UNIT | HK_SAYS_START,
        [HK_SECTION_PARAMETERS] = HK_SAYS_UNIT | HK_SAYS_START | HK_SAYS_RANGE};
    hk_leafsection section = {.kind = kinds[word], .value = HK_MISSING, .at = at};
    bool ok;
    if (section.kind == HK_SECTION_PROVIDED || section.kind == HK_SECTION_REQUIRED)
        ok = read_uses(p, &section);
    else if (section.kind == HK_SECTION_STAMP || section.kind == HK_SECTION_BEHAVIOUR)
        ok = read_section_value(p, &section);
    else
        ok = read_decls(p, says[section.kind], &section.at, &section.end, &section.decls,
                        &section.count);
    if (ok || section.count)
        hk_list_add(into, &section);
    return ok;
}

static bool read_leaf(hk_parser *p, void *into, size_t word, hk_place at) {
    (void)word;
    hk_leaftype leaf = {.at = at};
    hk_list sections = HK_LIST(hk_leafsection);
    bool ok = hk_parser_head(p, "the name of the leaf component type", &leaf.name) &&
              hk_parser_braces(p, &leaf_level, &leaf.at, read_leaf_section, &sections, &leaf.end);
    leaf.section_count = sections.count;
    leaf.sections = hk_list_keep(p->arena, &sections);
    if (leaf.name.text[0])
        hk_list_add(into, &leaf);
    return ok;
}

/* ---- sections and files -----------------------------------------------------------------------
 */

static bool read_section(hk_parser *p, void *into, size_t word, hk_place at) {
    static const struct {
        const hk_level *level;
        hk_statement_fn *read;
        size_t size;
    } kinds[] = {
        [HK_SECTION_DATATYPES] = {&datatypes_level, read_datatype, sizeof(hk_datatype)},
        [HK_SECTION_INTERFACES] = {&interfaces_level, read_interface, sizeof(hk_interfacedecl)},
        [HK_SECTION_LEAVES] = {&leaves_level, read_leaf, sizeof(hk_leaftype)}};
    hk_typesection section = {.kind = (hk_typesection_kind)word, .at = at};
    hk_list list = {.size = kinds[word].size};
    bool ok =
        hk_parser_braces(p, kinds[word].level, &section.at, kinds[word].read, &list, &section.end);
    section.count = list.count;
    void *kept = hk_list_keep(p->arena, &list);
    if (section.kind == HK_SECTION_DATATYPES)
        section.datatypes = kept;
    else if (section.kind == HK_SECTION_INTERFACES)
        section.interfaces = kept;
    else
        section.leaves = kept;
    if (ok)
        hk_list_add(into, &section);
    return ok;
}

typedef struct file_reader {
    hk_list imports, declarations;
    hk_list top; /* sections outside a Declaration, not yet in one */
} file_reader;

/* Sections at the top that follow each other are one Declaration without a name. */
static void keep_top(hk_parser *p, file_reader *r) {
    hk_declaration declaration = {.name = HK_MISSING, .section_count = r->top.count};
    if (!r->top.count)
        return;
    declaration.sections = hk_list_keep(p->arena, &r->top);
    const hk_place *first = &declaration.sections[0].at;
    declaration.at = declaration.end = (hk_place){.line = first->line, .column = first->column};
    r->top = HK_LIST(hk_typesection);
    hk_list_add(&r->declarations, &declaration);
}

static bool read_declaration(hk_parser *p, file_reader *r, hk_place at) {
    hk_declaration declaration = {.at = at};
    hk_list sections = HK_LIST(hk_typesection);
    keep_top(p, r);
    bool ok = hk_parser_head(p, "the name of the Declaration", &declaration.name) &&
              hk_parser_braces(p, &declaration_level, &declaration.at, read_section, &sections,
                               &declaration.end);
    declaration.section_count = sections.count;
    declaration.sections = hk_list_keep(p->arena, &sections);
    if (declaration.name.text[0] || declaration.section_count)
        hk_list_add(&r->declarations, &declaration);
    return ok;
}

static bool read_statement(hk_parser *p, void *into, size_t word, hk_place at) {
    file_reader *r = into;
    if (word < declaration_level.count)
        return read_section(p, &r->top, word, at);
    if (strcmp(file_words[word], "Declaration") == 0)
        return read_declaration(p, r, at);
    hk_name import;
    if (!hk_parser_text(p, "a file in double quotes", &import) ||
        !hk_parser_semicolon(p, &import.at))
        return false;
    import.at.blank = at.blank;
    hk_list_add(&r->imports, &import);
    return true;
}

hk_status hk_types_parse(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                         size_t size, hk_typefile **ret_file) {
    hk_parser p;
    file_reader r = {HK_LIST(hk_name), HK_LIST(hk_declaration), HK_LIST(hk_typesection)};
    hk_typefile *types = HK_NEW(arena, hk_typefile);
    hk_parser_begin(&p, ctx, arena, &(hk_file_text){file, data, size}, &all_level);
    hk_parser_whole(&p, &file_level, read_statement, &r, &types->end);
    keep_top(&p, &r);
    types->file = hk_arena_strdup(arena, file);
    types->import_count = r.imports.count;
    types->imports = hk_list_keep(arena, &r.imports);
    types->declaration_count = r.declarations.count;
    types->declarations = hk_list_keep(arena, &r.declarations);
    hk_list_keep(arena, &r.top);
    *ret_file = types;
    return hk_parser_finish(&p);
}
