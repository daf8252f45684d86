/* SPDX-License-Identifier: MIT
 *
 * What variables of FMI 3.0 have to do with each other, named by value references: ModelStructure,
 * derivatives, previous values and clocks. */
#include "base/number.h"
#include "base/search.h"
#include "fmi/description_fmi3.h"

#include <string.h>

static const char space[] = " \t\r\n";

static uint32_t find_ref(const hk_fmi3_parse *p, uint64_t ref) {
    size_t at = 0;
    HK_SEARCH(at, p->ref_count, i, p->refs[i].ref < ref)
    return at < p->ref_count && p->refs[at].ref == ref ? p->refs[at].variable : HK_MAP_NONE;
}

uint32_t hk_fmi3_find_ref(const hk_fmi3_parse *p, const hk_xml *e, const char *attr,
                          const char *text, size_t length) {
    uint64_t ref;
    uint32_t variable = hk_read_u64(text, length, &ref) ? find_ref(p, ref) : HK_MAP_NONE;
    if (variable == HK_MAP_NONE)
        hk_fault_add(&p->r, HK_FAULT_DEPENDENCY, e,
                     p->r.faults[HK_FAULT_DEPENDENCY].count
                         ? NULL
                         : hk_arena_printf(p->r.arena, "%s %s=\"%.*s\"", e->name, attr,
                                           (int)(length < 40 ? length : 40), text));
    return variable;
}

/* A list of value references; NULL if the attribute is absent or names one that is not there. */
static uint32_t *read_refs(const hk_fmi3_parse *p, const hk_xml *e, const char *attr,
                           size_t *ret_count) {
    const char *text = hk_xml_attr_get(e, attr);
    size_t count = 0, i = 0;
    *ret_count = 0;
    if (!text)
        return NULL;
    for (const char *c = text + strspn(text, space); *c; c += strspn(c, space)) {
        c += strcspn(c, space);
        count++;
    }
    uint32_t *list = HK_NEW_ARRAY(p->r.arena, uint32_t, count + 1);
    for (const char *c = text + strspn(text, space); *c; c += strspn(c, space)) {
        size_t length = strcspn(c, space);
        list[i] = hk_fmi3_find_ref(p, e, attr, c, length);
        if (list[i++] == HK_MAP_NONE)
            return NULL;
        c += length;
    }
    *ret_count = count;
    return list;
}

/* One of the five words for each dependency. */
static bool kinds_fit(const hk_xml *e, const hk_depends *depends) {
    static const char *const words[] = {"dependent", "constant", "fixed", "tunable", "discrete"};
    const char *text = hk_xml_attr_get(e, "dependenciesKind");
    size_t count = 0;
    if (!text)
        return true;
    for (const char *c = text + strspn(text, space); *c; c += strspn(c, space)) {
        size_t length = strcspn(c, space), i = 0;
        while (i < 5 && (strlen(words[i]) != length || memcmp(words[i], c, length) != 0))
            i++;
        if (i == 5)
            return false;
        c += length;
        count++;
    }
    return depends->known && count == depends->count;
}

/* `derivative` of the variable at INDEX names the state. */
static void mark_state(hk_fmi3_parse *p, uint32_t index) {
    const char *text = hk_xml_attr_get(p->elements[index], "derivative");
    uint64_t ref;
    uint32_t state = text && hk_read_u64(text, strlen(text), &ref) ? find_ref(p, ref) : HK_MAP_NONE;
    if (state != HK_MAP_NONE)
        p->info->variables[state].state = true;
}

/* Outputs, states and initial unknowns are what is used; of the rest the form is checked. */
static void read_unknown(hk_fmi3_parse *p, const hk_xml *e, bool *listed) {
    const char *text = hk_read_attr_text(&p->r, e, "valueReference");
    uint32_t index =
        text ? hk_fmi3_find_ref(p, e, "valueReference", text, strlen(text)) : HK_MAP_NONE;
    hk_depends depends = {0};
    depends.on = read_refs(p, e, "dependencies", &depends.count);
    depends.known = depends.on != NULL;
    if (index == HK_MAP_NONE)
        return;
    hk_variable *v = &p->info->variables[index];
    if (!kinds_fit(e, &depends))
        hk_fault_add(&p->r, HK_FAULT_ODD_KINDS, e, v->name);
    if (strcmp(e->name, "Output") == 0) {
        if (v->causality != HK_OUTPUT || listed[index])
            hk_fault_add(&p->r, HK_FAULT_ODD_OUTPUT, e, v->name);
        if (!listed[index])
            v->depends = depends;
        listed[index] = true;
    } else if (strcmp(e->name, "InitialUnknown") == 0) {
        v->depends_init = depends;
    } else if (strcmp(e->name, "ContinuousStateDerivative") == 0) {
        mark_state(p, index);
    }
}

static bool is_unknown(const hk_xml *e) {
    static const char *const names[] = {"Output", "ContinuousStateDerivative", "ClockedState",
                                        "InitialUnknown", "EventIndicator"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(e->name, names[i]) == 0)
            return true;
    return false;
}

static void check_references(hk_fmi3_parse *p) {
    for (uint32_t i = 0; i < p->info->variable_count; i++) {
        const hk_variable *v = &p->info->variables[i];
        const hk_xml *e = p->elements[i];
        if (v->alias_of != i)
            continue;
        for (int k = 0; k < 2; k++) {
            const char *attr = k ? "previous" : "derivative", *text = hk_xml_attr_get(e, attr);
            uint32_t other = text ? hk_fmi3_find_ref(p, e, attr, text, strlen(text)) : i;
            if (other != HK_MAP_NONE && p->info->variables[other].type != v->type)
                hk_fault_add(&p->r, HK_FAULT_ODD_REFERENCE, e, v->name);
        }
        size_t count;
        const uint32_t *clocks = read_refs(p, e, "clocks", &count);
        for (size_t k = 0; k < count; k++)
            if (p->info->variables[clocks[k]].type != HK_TYPE_CLOCK)
                hk_fault_add(&p->r, HK_FAULT_ODD_REFERENCE, e, v->name);
    }
}

void hk_fmi3_read_structure(hk_fmi3_parse *p, const hk_xml *root) {
    hk_info *info = p->info;
    check_references(p);
    const hk_xml *structure = hk_xml_child(root, NULL, "ModelStructure");
    if (!structure) {
        hk_fault_add(&p->r, HK_FAULT_NO_STRUCTURE, root, NULL);
        return;
    }
    bool *listed = HK_NEW_ARRAY(p->r.arena, bool, info->variable_count + 1);
    for (const hk_xml *e = structure->child; e; e = e->next)
        if (is_unknown(e))
            read_unknown(p, e, listed);
    for (uint32_t i = 0; i < info->variable_count; i++) {
        hk_variable *v = &info->variables[i];
        const hk_variable *first = &info->variables[v->alias_of];
        v->depends = first->depends;
        v->depends_init = first->depends_init;
        if (v->causality == HK_OUTPUT && v->alias_of == i && !listed[i])
            hk_fault_add(&p->r, HK_FAULT_UNLISTED, p->elements[i], v->name);
    }
}
