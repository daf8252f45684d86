/* SPDX-License-Identifier: MIT
 *
 * The canonical text of a tree. */
#include "sysml/sysml_syntax.h"
#include "text/print.h"

#include <string.h>

static const char *const kind_words[HK_SYSML_KINDS] = {[HK_SYSML_PACKAGE] = "package",
                                                       [HK_SYSML_IMPORT] = "import",
                                                       [HK_SYSML_DOC] = "doc",
                                                       [HK_SYSML_PART] = "part",
                                                       [HK_SYSML_ATTRIBUTE] = "attribute",
                                                       [HK_SYSML_ITEM] = "item",
                                                       [HK_SYSML_PORT] = "port",
                                                       [HK_SYSML_ENUM] = "enum",
                                                       [HK_SYSML_METADATA_DEF] = "metadata",
                                                       [HK_SYSML_METADATA] = "@",
                                                       [HK_SYSML_REDEFINE] = "",
                                                       [HK_SYSML_FLOW] = "flow",
                                                       [HK_SYSML_CONNECT] = "connect",
                                                       [HK_SYSML_INTERFACE] = "interface",
                                                       [HK_SYSML_DEPENDENCY] = "dependency"};

typedef struct sysml_printer {
    hk_printer pr;
    hk_arena *arena;
} sysml_printer;

static void put_name(sysml_printer *s, const char *name) {
    hk_print(&s->pr, hk_sysml_spell(s->arena, name));
}

static void put_path(sysml_printer *s, const hk_sysml_name *name, const char *separator) {
    for (size_t i = 0; i < name->part_count; i++) {
        hk_print(&s->pr, i ? separator : "");
        put_name(s, name->parts[i]);
    }
}

static void put_text(sysml_printer *s, const char *text) {
    static const char special[] = "\"\\\n\t\r\b\f", letters[] = "\"\\ntrbf";
    hk_print(&s->pr, "\"");
    for (; *text; text++) {
        const char *at = strchr(special, *text);
        char c[3] = {'\\', at ? letters[at - special] : *text, '\0'};
        hk_print(&s->pr, at ? c : c + 1);
    }
    hk_print(&s->pr, "\"");
}

static void put_value_name(sysml_printer *s, const hk_sysml_expr *expr) {
    for (size_t i = 0; i < expr->name.part_count; i++) {
        hk_print(&s->pr, i ? "::" : "");
        put_name(s, expr->name.parts[i]);
    }
}

static void put_expr(sysml_printer *s, const hk_sysml_expr *expr) {
    if (expr->kind == HK_SYSML_TEXT) {
        put_text(s, expr->text);
    } else if (expr->kind == HK_SYSML_NAME) {
        put_value_name(s, expr);
    } else if (expr->kind == HK_SYSML_MINUS) {
        hk_print(&s->pr, "-");
        put_expr(s, expr->items);
    } else if (expr->kind == HK_SYSML_LIST) {
        hk_print(&s->pr, "(");
        for (size_t i = 0; i < expr->item_count; i++) {
            hk_print(&s->pr, i ? ", " : "");
            put_expr(s, &expr->items[i]);
        }
        hk_print(&s->pr, ")");
    } else {
        hk_print(&s->pr, expr->text);
    }
}

static void put_multiplicity(sysml_printer *s, const hk_sysml_element *e) {
    if (!e->has_multiplicity)
        return;
    hk_print(&s->pr, "[");
    put_expr(s, &e->lower);
    if (e->has_range) {
        hk_print(&s->pr, "..");
        put_expr(s, &e->upper);
    }
    hk_print(&s->pr, "]");
}

static void put_flags(sysml_printer *s, const hk_sysml_element *e) {
    hk_print(&s->pr, e->ordered ? " ordered" : "");
    hk_print(&s->pr, e->nonunique ? " nonunique" : "");
}

static void put_modifiers(sysml_printer *s, const hk_sysml_element *e) {
    static const char *const directions[] = {"", "in ", "out ", "inout "};
    hk_print(&s->pr, e->is_private ? "private " : e->is_public ? "public " : "");
    hk_print(&s->pr, directions[e->direction]);
    hk_print(&s->pr, e->is_abstract ? "abstract " : "");
    hk_print(&s->pr, e->is_constant ? "constant " : "");
    hk_print(&s->pr, e->is_ref ? "ref " : "");
    for (size_t i = 0; i < e->prefix_count; i++) {
        hk_print(&s->pr, "#");
        put_path(s, &e->prefixes[i], "::");
        hk_print(&s->pr, " ");
    }
}

static void put_relations(sysml_printer *s, const hk_sysml_element *e) {
    if (e->redefines.part_count) {
        hk_print(&s->pr, " :>> ");
        put_path(s, &e->redefines, "::");
    }
    for (size_t i = 0; i < e->specialize_count; i++) {
        hk_print(&s->pr, i ? ", " : " :> ");
        put_path(s, &e->specializes[i], "::");
    }
    if (e->type.part_count) {
        hk_print(&s->pr, e->conjugated ? " : ~" : " : ");
        put_path(s, &e->type, "::");
    }
    hk_print(&s->pr, e->has_multiplicity && !e->type.part_count ? " " : "");
    put_multiplicity(s, e);
    put_flags(s, e);
}

static void put_assigned(sysml_printer *s, const hk_sysml_element *e) {
    if (!e->value)
        return;
    hk_print(&s->pr, e->is_default ? " default = " : " = ");
    put_expr(s, e->value);
}

static void put_feature(sysml_printer *s, const hk_sysml_element *e) {
    bool bare = e->kind == HK_SYSML_ENUM && !e->has_word;
    hk_print(&s->pr, bare ? "" : kind_words[e->kind]);
    hk_print(&s->pr, e->definition ? " def" : "");
    if (e->name) {
        hk_print(&s->pr, bare ? "" : " ");
        put_name(s, e->name);
    }
    put_relations(s, e);
    put_assigned(s, e);
}

static void put_joining(sysml_printer *s, const hk_sysml_element *e) {
    bool connects = e->kind == HK_SYSML_CONNECT || e->kind == HK_SYSML_INTERFACE;
    bool dependency = e->kind == HK_SYSML_DEPENDENCY;
    hk_print(&s->pr, e->kind == HK_SYSML_CONNECT && e->name ? "connection" : kind_words[e->kind]);
    if (e->name) {
        hk_print(&s->pr, " ");
        put_name(s, e->name);
    }
    if (connects && e->name) {
        put_relations(s, e);
        hk_print(&s->pr, " connect");
    } else if (e->type.part_count) {
        hk_print(&s->pr, " of ");
        put_path(s, &e->type, "::");
        put_multiplicity(s, e);
        put_flags(s, e);
    }
    hk_print(&s->pr, dependency || e->from_word ? " from " : " ");
    for (size_t i = 0; i < e->end_count; i++) {
        hk_print(&s->pr, i == 0 ? "" : i == 1 ? " to " : ", ");
        put_path(s, &e->ends[i], ".");
    }
}

static void put_metadata(sysml_printer *s, const hk_sysml_element *e) {
    hk_print(&s->pr, "@");
    put_path(s, &e->type, "::");
    for (size_t i = 0; i < e->end_count; i++) {
        hk_print(&s->pr, i ? ", " : " about ");
        put_path(s, &e->ends[i], ".");
    }
}

static void put_import(sysml_printer *s, const hk_sysml_element *e) {
    hk_print(&s->pr, "import ");
    put_path(s, &e->type, "::");
    hk_print(&s->pr, e->wildcard ? "::*" : e->recursive ? "::**" : "");
}

static void put_redefine(sysml_printer *s, const hk_sysml_element *e) {
    hk_print(&s->pr, e->has_word ? ":>> " : "");
    put_path(s, &e->redefines, "::");
    put_multiplicity(s, e);
    put_assigned(s, e);
}

static void put_head(sysml_printer *s, const hk_sysml_element *e) {
    put_modifiers(s, e);
    if (e->kind == HK_SYSML_METADATA)
        put_metadata(s, e);
    else if (e->kind == HK_SYSML_IMPORT)
        put_import(s, e);
    else if (e->kind == HK_SYSML_REDEFINE)
        put_redefine(s, e);
    else if (e->kind >= HK_SYSML_FLOW)
        put_joining(s, e);
    else
        put_feature(s, e);
}

static void put_members(sysml_printer *s, const hk_sysml_element *members, size_t count);

static void put_member(sysml_printer *s, const hk_sysml_element *e) {
    hk_print_line(&s->pr, &e->at);
    if (e->kind == HK_SYSML_DOC) {
        hk_print(&s->pr, "doc ");
        hk_print(&s->pr, e->doc);
        hk_print_end(&s->pr, &e->at);
        return;
    }
    hk_print(&s->pr, e->library ? "library " : "");
    put_head(s, e);
    if (!e->has_body) {
        hk_print(&s->pr, ";");
        hk_print_end(&s->pr, &e->at);
    } else if (hk_print_open(&s->pr, &e->at, &e->end, e->member_count == 0)) {
        put_members(s, e->members, e->member_count);
        hk_print_close(&s->pr, &e->end);
    }
}

static void put_members(sysml_printer *s, const hk_sysml_element *members, size_t count) {
    for (size_t i = 0; i < count; i++)
        put_member(s, &members[i]);
}

const char *hk_sysml_print(hk_arena *arena, const hk_sysml_file *file) {
    sysml_printer s = {.arena = arena};
    put_members(&s, file->members, file->member_count);
    hk_print_rest(&s.pr, &file->end);
    return hk_print_finish(&s.pr, arena);
}
