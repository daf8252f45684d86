/* SPDX-License-Identifier: MIT */
#include "lang/declaration.h"

static void put_statement(hk_printer *pr, const char *word, const hk_name *name,
                          const hk_place *at) {
    hk_print_line(pr, at);
    hk_print(pr, word);
    hk_print(pr, " ");
    hk_print_name(pr, name);
    hk_print(pr, ";");
    hk_print_end(pr, at);
}

static void put_decls(hk_printer *pr, const hk_decl *decls, size_t count) {
    for (size_t i = 0; i < count; i++) {
        hk_print_line(pr, &decls[i].at);
        hk_print_decl(pr, &decls[i]);
        hk_print(pr, ";");
        hk_print_end(pr, &decls[i].at);
    }
}

/* "WORD NAME", the beginning of a body. */
static void put_head(hk_printer *pr, const char *word, const hk_name *name, const hk_place *at) {
    hk_print_line(pr, at);
    hk_print(pr, word);
    if (name) {
        hk_print(pr, " ");
        hk_print_name(pr, name);
    }
}

/* ---- data types */

static void put_item(hk_printer *pr, const void *element) {
    hk_print_name(pr, element);
}

static void put_size(hk_printer *pr, const void *element) {
    hk_print_number(pr, element);
}

static void put_enum(hk_printer *pr, const hk_datatype *type) {
    static const char *const word = "Enum";
    put_head(pr, word, &type->name, &type->at);
    hk_elements items = {type->items, type->item_count, sizeof(hk_name), offsetof(hk_name, at),
                         put_item};
    bool comments = type->at.behind || type->end.before_count;
    for (size_t i = 0; i < type->item_count; i++)
        comments |= type->items[i].at.behind || type->items[i].at.before_count;
    if (!comments) {
        hk_print_elements(pr, " {", items, "}");
        hk_print_end(pr, &type->end);
        return;
    }
    hk_print_open(pr, &type->at, &type->end, false);
    for (size_t i = 0; i < type->item_count; i++) {
        hk_print_line(pr, &type->items[i].at);
        hk_print_name(pr, &type->items[i]);
        hk_print(pr, i + 1 < type->item_count ? "," : "");
        hk_print_end(pr, &type->items[i].at);
    }
    hk_print_close(pr, &type->end);
}

static void put_datatype(hk_printer *pr, const hk_datatype *type) {
    if (type->kind == HK_ENUMERATION) {
        put_enum(pr, type);
    } else if (type->kind == HK_ARRAY) {
        put_head(pr, "Array", &type->name, &type->at);
        hk_print(pr, " of ");
        hk_print_name(pr, &type->element);
        hk_elements sizes = {type->sizes, type->size_count, sizeof(hk_number),
                             offsetof(hk_number, at), put_size};
        hk_print_elements(pr, "[", sizes, "]");
        hk_print(pr, ";");
        hk_print_end(pr, &type->at);
    } else {
        put_head(pr, "Record", &type->name, &type->at);
        if (hk_print_open(pr, &type->at, &type->end, type->field_count == 0)) {
            put_decls(pr, type->fields, type->field_count);
            hk_print_close(pr, &type->end);
        }
    }
}

/* ---- interfaces */

static void put_argument(hk_printer *pr, const void *element) {
    hk_print_decl(pr, element);
}

static void put_function(hk_printer *pr, const hk_functiondecl *function) {
    hk_elements arguments = {function->arguments, function->argument_count, sizeof(hk_decl),
                             offsetof(hk_decl, at), put_argument};
    hk_print_line(pr, &function->at);
    hk_print(pr, function->is_mutable ? "mutable " : "");
    hk_print_name(pr, &function->result);
    hk_print(pr, " ");
    hk_print_name(pr, &function->name);
    hk_print_elements(pr, "(", arguments, ")");
    hk_print(pr, ";");
    hk_print_end(pr, &function->at);
}

static void put_interface(hk_printer *pr, const hk_interfacedecl *interface) {
    put_head(pr, "Interface", &interface->name, &interface->at);
    if (hk_print_open(pr, &interface->at, &interface->end, interface->function_count == 0)) {
        for (size_t i = 0; i < interface->function_count; i++)
            put_function(pr, &interface->functions[i]);
        hk_print_close(pr, &interface->end);
    }
}

/* ---- leaf types */

static void put_use(hk_printer *pr, const void *element) {
    hk_print_use(pr, element);
}

static void put_leaf_section(hk_printer *pr, const hk_leafsection *section) {
    static const char *const words[] = {[HK_SECTION_PROVIDED] = "providedInterfaces",
                                        [HK_SECTION_REQUIRED] = "requiredInterfaces",
                                        [HK_SECTION_INPUTS] = "inputs",
                                        [HK_SECTION_OUTPUTS] = "outputs",
                                        [HK_SECTION_PARAMETERS] = "parameters",
                                        [HK_SECTION_STAMP] = "stamp",
                                        [HK_SECTION_BEHAVIOUR] = "behaviour"};
    const char *word = words[section->kind];
    if (section->kind == HK_SECTION_STAMP || section->kind == HK_SECTION_BEHAVIOUR) {
        put_statement(pr, word, &section->value, &section->at);
        return;
    }
    put_head(pr, word, NULL, &section->at);
    if (section->kind == HK_SECTION_PROVIDED || section->kind == HK_SECTION_REQUIRED) {
        hk_elements uses = {section->uses, section->count, sizeof(hk_interfaceuse),
                            offsetof(hk_interfaceuse, at), put_use};
        hk_print_elements(pr, " (", uses, ")");
        hk_print_end(pr, &section->at);
    } else if (hk_print_open(pr, &section->at, &section->end, section->count == 0)) {
        put_decls(pr, section->decls, section->count);
        hk_print_close(pr, &section->end);
    }
}

static void put_leaf(hk_printer *pr, const hk_leaftype *leaf) {
    put_head(pr, "LeafComponentType", &leaf->name, &leaf->at);
    if (hk_print_open(pr, &leaf->at, &leaf->end, leaf->section_count == 0)) {
        for (size_t i = 0; i < leaf->section_count; i++)
            put_leaf_section(pr, &leaf->sections[i]);
        hk_print_close(pr, &leaf->end);
    }
}

/* ---- files */

static void put_section(hk_printer *pr, const hk_typesection *section) {
    static const char *const words[] = {[HK_SECTION_DATATYPES] = "dataTypes",
                                        [HK_SECTION_INTERFACES] = "interfaces",
                                        [HK_SECTION_LEAVES] = "LeafComponentTypes"};
    put_head(pr, words[section->kind], NULL, &section->at);
    if (!hk_print_open(pr, &section->at, &section->end, section->count == 0))
        return;
    for (size_t i = 0; i < section->count; i++) {
        if (section->kind == HK_SECTION_DATATYPES)
            put_datatype(pr, &section->datatypes[i]);
        else if (section->kind == HK_SECTION_INTERFACES)
            put_interface(pr, &section->interfaces[i]);
        else
            put_leaf(pr, &section->leaves[i]);
    }
    hk_print_close(pr, &section->end);
}

static void put_declaration(hk_printer *pr, const hk_declaration *declaration) {
    bool named = declaration->name.text[0];
    hk_print_blank(pr);
    if (named) {
        put_head(pr, "Declaration", &declaration->name, &declaration->at);
        if (!hk_print_open(pr, &declaration->at, &declaration->end,
                           declaration->section_count == 0))
            return;
    }
    for (size_t i = 0; i < declaration->section_count; i++) {
        if (!named && i)
            hk_print_blank(pr);
        put_section(pr, &declaration->sections[i]);
    }
    if (named)
        hk_print_close(pr, &declaration->end);
}

const char *hk_types_print(hk_arena *arena, const hk_typefile *file) {
    hk_printer pr = {0};
    for (size_t i = 0; i < file->import_count; i++)
        put_statement(&pr, "import", &file->imports[i], &file->imports[i].at);
    for (size_t i = 0; i < file->declaration_count; i++)
        put_declaration(&pr, &file->declarations[i]);
    hk_print_rest(&pr, &file->end);
    return hk_print_finish(&pr, arena);
}
