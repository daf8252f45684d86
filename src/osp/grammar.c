/* SPDX-License-Identifier: MIT
 *
 * Which elements and attributes OSP knows where, and how often. What is unknown, and what is known
 * and not used here, is told once of each kind; what stands twice and may stand once is an error.
 */
#include "osp/osp_internal.h"

#include <string.h>

/* A child stands once, unless there is a '*' before it. '!': it is known, and not used. '+' at the
 * end: who reads the others judges them. */
typedef struct rule {
    const char *name, *children, *attributes;
} rule;

static const rule structure_rules[] = {
    {"OspSystemStructure",
     "StartTime EndTime BaseStepSize Algorithm Simulators Functions Connections "
     "!EccoConfiguration !Description",
     "version"},
    {"Simulators", "*Simulator", ""},
    {"Simulator", "InitialValues", "name source stepSize"},
    {"InitialValues", "*InitialValue", ""},
    {"InitialValue", "Real Integer Boolean String Enumeration", "variable"},
    {"Real", "", "value"},
    {"Integer", "", "value"},
    {"Boolean", "", "value"},
    {"String", "", "value"},
    {"Enumeration", "", "value"},
    {"Functions", "*LinearTransformation *Sum *VectorSum +", ""},
    {"LinearTransformation", "", "name factor offset"},
    {"Sum", "", "name inputCount"},
    {"VectorSum", "", "name inputCount dimension"},
    {"Connections",
     "*VariableConnection *VariableGroupConnection *SignalConnection *SignalGroupConnection", ""},
    {"VariableConnection", "*Variable", "!powerBond !powerbond"},
    {"VariableGroupConnection", "*VariableGroup", "!powerBond !powerbond"},
    {"SignalConnection", "Variable Signal", ""},
    {"SignalGroupConnection", "VariableGroup SignalGroup", ""},
    {"Variable", "", "simulator name !causality !port"},
    {"VariableGroup", "", "simulator name !causality !port"},
    {"Signal", "", "function name"},
    {"SignalGroup", "", "function name"},
    {NULL, NULL, NULL},
};

/* Groups are looked at where they are read: groups.c. */
static const rule description_rules[] = {
    {"OspModelDescription", "UnitDefinitions VariableGroups", "version"},
    {"UnitDefinitions", "*Unit", ""},
    {"Unit", "BaseUnit *!DisplayUnit", "name"},
    {"BaseUnit", "", "kg m s A K mol cd rad factor offset !percent"},
    {NULL, NULL, NULL},
};

/* WORD in a list, with its marks; NULL: it is not there. */
static const char *find_word(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *c = list; *c; c += strspn(c, " ")) {
        size_t mark = strspn(c, "*!"), n = strcspn(c, " ");
        if (n - mark == length && memcmp(c + mark, word, length) == 0)
            return c;
        c += n;
    }
    return NULL;
}

static bool is_marked(const char *word, char mark) {
    return memchr(word, mark, strspn(word, "*!")) != NULL;
}

static const char *closest_word(hk_osp *r, const char *list, const char *word) {
    enum { WORDS_MAX = 16 };
    const char *words[WORDS_MAX];
    size_t count = 0;
    for (const char *c = list; *c && count < WORDS_MAX; c += strspn(c, " ")) {
        size_t mark = strspn(c, "*!"), n = strcspn(c, " ");
        words[count++] = hk_arena_strndup(r->arena, c + mark, n - mark);
        c += n;
    }
    return hk_osp_suggest(r, word, words, count);
}

/* WORD is the place of NAME in LIST, or NULL. */
static void tell(hk_osp *r, const char *file, const hk_xml *at, const char *what, const char *list,
                 const char *word, const char *parent, const char *name) {
    bool unused = word && is_marked(word, '!');
    if ((word && !unused) ||
        !hk_osp_first(r, hk_arena_printf(r->arena, "%s %s %s", what, parent, name)))
        return;
    if (unused)
        hk_note(r->ctx, hk_xml_where(file, at), "%s '%s' of '%s' is not used", what, name, parent);
    else
        hk_warn(r->ctx, HK_E_OSP, hk_xml_where(file, at), closest_word(r, list, name),
                "unknown %s '%s' of '%s' is ignored", what, name, parent);
}

static void refuse_second(hk_osp *r, const char *file, const hk_xml *parent, const hk_xml *child) {
    for (const hk_xml *x = parent->child; x != child; x = x->next)
        if (strcmp(x->name, child->name) == 0) {
            if (hk_osp_first(r, hk_arena_printf(r->arena, "second %s:%d:%d %s", file, parent->line,
                                                parent->column, child->name)))
                hk_osp_failed(r, hk_error(r->ctx, HK_E_DUPLICATE, hk_xml_where(file, child),
                                          "join the two, or remove one",
                                          "'%s' may have one '%s', and this is another; the first "
                                          "stands in line %d",
                                          parent->name, child->name, x->line));
            return;
        }
}

/* The depth is limited by the XML reader. */
static void look_at(hk_osp *r, const char *file, const hk_xml *element, const rule *rules) {
    const rule *it = rules;
    while (it->name && strcmp(it->name, element->name) != 0)
        it++;
    if (!it->name)
        return;
    for (size_t i = 0; i < element->attr_count; i++)
        if (!*element->attrs[i]
                  .ns) /* xsi:schemaLocation and the like say nothing about the system */
            tell(r, file, element, "attribute", it->attributes,
                 find_word(it->attributes, element->attrs[i].name), element->name,
                 element->attrs[i].name);
    for (const hk_xml *child = element->child; child; child = child->next) {
        const char *word = find_word(it->children, child->name);
        if (!word && strchr(it->children, '+'))
            continue;
        tell(r, file, child, "element", it->children, word, element->name, child->name);
        if (!word || is_marked(word, '!'))
            continue;
        if (!is_marked(word, '*'))
            refuse_second(r, file, element, child);
        look_at(r, file, child, rules);
    }
}

void hk_osp_check_structure(hk_osp *r, const char *file, const hk_xml *root) {
    look_at(r, file, root, structure_rules);
}

void hk_osp_check_description(hk_osp *r, const char *file, const hk_xml *root) {
    look_at(r, file, root, description_rules);
}

const char *hk_osp_need(hk_osp *r, const char *file, const hk_xml *xml, const char *name) {
    const char *value = hk_xml_attr_get(xml, name);
    if (value && *value)
        return value;
    hk_osp_failed(
        r, hk_error(r->ctx, HK_E_OSP, hk_xml_where(file, xml),
                    hk_arena_printf(r->arena, "write %s=\"...\"", name),
                    value ? "'%s' has an empty attribute '%s'" : "'%s' has no attribute '%s'",
                    xml->name, name));
    return NULL;
}
