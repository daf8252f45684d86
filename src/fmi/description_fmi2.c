/* SPDX-License-Identifier: MIT
 *
 * modelDescription.xml of FMI 2.0. What breaks the standard but has one possible meaning is
 * tolerated with a warning, since FMUs of that kind are about; what has none is an error. */
#include "fmi/description_fmi2.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

/* Their elements have the names of hk_type_kind. */
static const hk_type types[] = {HK_TYPE_F64, HK_TYPE_I32, HK_TYPE_BOOL, HK_TYPE_STRING,
                                HK_TYPE_ENUM};

static void read_interface(hk_fmi2_parse *p, const hk_xml *root) {
    hk_fmu_facts *facts = &p->fmu->facts;
    hk_abilities *can = &p->info->can;
    const hk_xml *e = hk_xml_child(root, NULL, "CoSimulation");
    const hk_xml *exchange = hk_xml_child(root, NULL, "ModelExchange");
    facts->co_simulation = e != NULL;
    facts->model_exchange = exchange != NULL;
    if (!e && !exchange) {
        hk_fault_add(&p->r, HK_FAULT_NO_INTERFACE, root, NULL);
        p->info->kind = "FMI 2.0";
        return;
    }
    if (!e) {
        p->info->kind = "FMI 2.0 model exchange";
        e = exchange;
    }
    facts->model_identifier = hk_read_model_identifier(&p->r, e);
    uint32_t order = 0;
    hk_read_attr_bool(&p->r, e, "canHandleVariableCommunicationStepSize", &can->variable_step);
    hk_read_attr_bool(&p->r, e, "canGetAndSetFMUstate", &can->save_state);
    hk_read_attr_bool(&p->r, e, "canSerializeFMUstate", &can->serialize_state);
    hk_read_attr_bool(&p->r, e, "canBeInstantiatedOnlyOncePerProcess", &can->once_per_process);
    hk_read_attr_bool(&p->r, e, "needsExecutionTool", &can->needs_tool);
    hk_read_attr_bool(&p->r, e, "canInterpolateInputs", &can->interpolates_inputs);
    hk_read_attr_bool(&p->r, e, "canRunAsynchronuously", &can->asynchronous);
    hk_read_attr_u32(&p->r, e, "maxOutputDerivativeOrder", &order);
    hk_read_attr_bool(&p->r, e, "providesDirectionalDerivative", &can->directional_derivatives);
    can->output_derivative_order = order;
    can->save_state |= can->serialize_state; /* the second implies the first */
}

static const hk_xml *find_schedule(const hk_xml *root) {
    const hk_xml *own = hk_find_own_tool(root);
    return own ? hk_xml_child(own, HK_STAMP_NAMESPACE, "Schedule") : NULL;
}

static void read_root(hk_fmi2_parse *p, const hk_xml *root) {
    hk_read_about(&p->r, root, "guid", p->fmu);
    p->info->kind = "FMI 2.0 co-simulation";
    hk_read_stamp(&p->r, find_schedule(root), "stamp", &p->info->stamp);
    hk_read_log_categories(p->fmu, hk_xml_child(root, NULL, "LogCategories"));
    read_interface(p, root);
    hk_name_model(&p->r, root, p->fmu);
}

/* The element that says which type it is: Real, Integer and so on, with SUFFIX behind; NULL: none
 * does. */
static const hk_xml *find_kind(const hk_xml *parent, const char *suffix, hk_type *ret_type) {
    for (const hk_xml *e = parent->child; e; e = e->next) {
        for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
            const char *kind = hk_type_kind(types[i]);
            size_t length = strlen(kind);
            if (strncmp(e->name, kind, length) == 0 && strcmp(e->name + length, suffix) == 0) {
                *ret_type = types[i];
                return e;
            }
        }
    }
    return NULL;
}

void hk_fmi2_read_types(hk_fmi2_parse *p, const hk_xml *list, const char *element,
                        const char *suffix) {
    size_t count = 0;
    for (const hk_xml *e = list ? hk_xml_child(list, NULL, element) : NULL; e;
         e = hk_xml_next(e, NULL, element))
        count++;
    p->types.all = HK_NEW_ARRAY(p->r.arena, hk_declared_type, count + 1);
    uint32_t i = 0;
    for (const hk_xml *e = count ? hk_xml_child(list, NULL, element) : NULL; e;
         e = hk_xml_next(e, NULL, element)) {
        hk_declared_type *type = &p->types.all[i];
        type->name = hk_read_attr_text(&p->r, e, "name");
        type->element = find_kind(e, suffix, &type->type);
        if (!type->element)
            hk_fault_add(&p->r, HK_FAULT_TYPE, e, type->name);
        if (!type->element || !type->name)
            continue;
        if (type->type == HK_TYPE_ENUM)
            type->enumeration = hk_read_items(&p->r, type->element, type->name);
        if (hk_map_put(&p->types.by_name, type->name, i) != i)
            hk_fault_add(&p->r, HK_FAULT_TWICE, e, type->name);
        i++;
    }
    p->fmu->facts.type_count = count;
}

void hk_fmi2_read_variables(hk_fmi2_parse *p, const hk_xml *list,
                            hk_fmi2_read_variable_fn *read_variable) {
    hk_info *info = p->info;
    size_t count = 0;
    for (const hk_xml *e = list->child; e; e = e->next)
        count += strcmp(e->name, "ScalarVariable") == 0;
    info->variables = HK_NEW_ARRAY(p->r.arena, hk_variable, count + 1);
    p->elements = HK_NEW_ARRAY(p->r.arena, const hk_xml *, count + 1);
    for (const hk_xml *e = list->child; e; e = e->next) {
        if (strcmp(e->name, "ScalarVariable") != 0)
            continue;
        size_t index = info->variable_count++;
        p->elements[index] = e;
        read_variable(p, e, find_kind(e, "", &p->type), &info->variables[index]);
    }
    hk_name_variables(&p->r, info, p->elements);
}

/* Aliases are variables of one base type with one value reference. */
typedef struct alias_key {
    uint64_t key; /* base type, then reference */
    uint32_t index;
} alias_key;

static int compare_keys(const void *left, const void *right) {
    const alias_key *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

void hk_fmi2_find_aliases(hk_fmi2_parse *p) {
    static const uint8_t base[HK_STORE_COUNT] = {[HK_STORE_F64] = 0,
                                                 [HK_STORE_I32] = 1,
                                                 [HK_STORE_BOOL32] = 2,
                                                 [HK_STORE_BOOL8] = 2,
                                                 [HK_STORE_BYTES] = 3};
    hk_info *info = p->info;
    size_t n = info->variable_count;
    alias_key *keys = hk_alloc((n + 1) * sizeof *keys);
    for (uint32_t i = 0; i < n; i++) {
        const hk_variable *v = &info->variables[i];
        keys[i] = (alias_key){(uint64_t)base[v->store] << 32 | v->ref, i};
    }
    qsort(keys, n, sizeof *keys, compare_keys);
    size_t first = 0;
    bool started = false;
    for (size_t i = 0; i < n; i++) {
        if (keys[i].key != keys[first].key) {
            first = i;
            started = false;
        }
        hk_variable *v = &info->variables[keys[i].index];
        v->alias_of = keys[first].index;
        bool starts = v->start.data && v->variability != HK_CONSTANT;
        if (starts && started)
            hk_fault_add(&p->r, HK_FAULT_ALIAS_STARTS, p->elements[keys[i].index], v->name);
        started |= starts;
    }
    hk_free(keys);
}

/* The variable that a number from 1 names; HK_MAP_NONE: there is none. */
static uint32_t find_index(const hk_fmi2_parse *p, const char *text, size_t length) {
    uint64_t index;
    bool there =
        hk_read_u64(text, length, &index) && index >= 1 && index <= p->info->variable_count;
    return there ? (uint32_t)index - 1 : HK_MAP_NONE;
}

/* The same, with a fault of the attribute NAME if there is none. */
static uint32_t read_index(hk_fmi2_parse *p, const hk_xml *e, const char *name, const char *text,
                           size_t length) {
    uint32_t found = find_index(p, text, length);
    if (found != HK_MAP_NONE)
        return found;
    hk_fault_add(&p->r, HK_FAULT_DEPENDENCY, e,
                 p->r.faults[HK_FAULT_DEPENDENCY].count
                     ? NULL
                     : hk_arena_printf(p->r.arena, "%s %s=\"%.*s\"", e->name, name,
                                       (int)(length < 40 ? length : 40), text));
    return HK_MAP_NONE;
}

/* Not known if one of them names no variable. */
static hk_depends read_dependencies(hk_fmi2_parse *p, const hk_xml *e) {
    static const char space[] = " \t\r\n";
    const char *text = hk_xml_attr_get(e, "dependencies");
    if (!text)
        return (hk_depends){.known = false};
    size_t count = 0, i = 0;
    for (const char *c = text + strspn(text, space); *c; c += strspn(c, space)) {
        c += strcspn(c, space);
        count++;
    }
    uint32_t *on = HK_NEW_ARRAY(p->r.arena, uint32_t, count + 1);
    for (const char *c = text + strspn(text, space); *c; c += strspn(c, space)) {
        size_t length = strcspn(c, space);
        on[i] = read_index(p, e, "dependencies", c, length);
        if (on[i++] == HK_MAP_NONE)
            return (hk_depends){.known = false};
        c += length;
    }
    return (hk_depends){.known = true, .on = on, .count = count};
}

typedef enum unknowns { OUTPUTS, DERIVATIVES, INITIAL_UNKNOWNS } unknowns;

/* `derivative` of the variable at INDEX names the state. */
static void mark_state(hk_fmi2_parse *p, uint32_t index) {
    const hk_xml *e = hk_xml_child(p->elements[index], NULL, "Real");
    const char *text = e ? hk_xml_attr_get(e, "derivative") : NULL;
    uint32_t state = text ? find_index(p, text, strlen(text)) : HK_MAP_NONE;
    if (state != HK_MAP_NONE)
        p->info->variables[state].state = true;
}

static void read_unknown(hk_fmi2_parse *p, const hk_xml *e, unknowns which, bool *listed) {
    const char *text = hk_read_attr_text(&p->r, e, "index");
    uint32_t index = text ? read_index(p, e, "index", text, strlen(text)) : HK_MAP_NONE;
    hk_depends depends = read_dependencies(p, e);
    if (index == HK_MAP_NONE)
        return;
    hk_variable *v = &p->info->variables[index];
    if (which == OUTPUTS) {
        if (v->causality != HK_OUTPUT || listed[index])
            hk_fault_add(&p->r, HK_FAULT_ODD_OUTPUT, e, v->name);
        if (!listed[index])
            v->depends = depends;
        listed[index] = true;
    } else if (which == INITIAL_UNKNOWNS) {
        v->depends_init = depends;
    } else {
        mark_state(p, index);
    }
}

static void read_unknowns(hk_fmi2_parse *p, const hk_xml *list, unknowns which, bool *listed) {
    for (const hk_xml *e = list ? hk_xml_child(list, NULL, "Unknown") : NULL; e;
         e = hk_xml_next(e, NULL, "Unknown"))
        read_unknown(p, e, which, listed);
}

static void read_structure(hk_fmi2_parse *p, const hk_xml *root) {
    const hk_xml *structure = hk_xml_child(root, NULL, "ModelStructure");
    if (!structure) {
        hk_fault_add(&p->r, HK_FAULT_NO_STRUCTURE, root, NULL);
        return;
    }
    bool *listed = HK_NEW_ARRAY(p->r.arena, bool, p->info->variable_count + 1);
    read_unknowns(p, hk_xml_child(structure, NULL, "Outputs"), OUTPUTS, listed);
    read_unknowns(p, hk_xml_child(structure, NULL, "Derivatives"), DERIVATIVES, listed);
    read_unknowns(p, hk_xml_child(structure, NULL, "InitialUnknowns"), INITIAL_UNKNOWNS, listed);
    for (size_t i = 0; i < p->info->variable_count; i++)
        if (p->info->variables[i].causality == HK_OUTPUT && !listed[i])
            hk_fault_add(&p->r, HK_FAULT_UNLISTED, p->elements[i], p->info->variables[i].name);
}

/* `derivative` names a variable that may be later, so it is looked at when all are known. */
static void check_derivatives(hk_fmi2_parse *p) {
    for (size_t i = 0; i < p->info->variable_count; i++) {
        const hk_xml *e = hk_xml_child(p->elements[i], NULL, "Real");
        const char *text = e ? hk_xml_attr_get(e, "derivative") : NULL;
        if (text)
            (void)read_index(p, e, "derivative", text, strlen(text));
    }
}

static void parse_all(hk_fmi2_parse *p, const hk_xml *root) {
    read_root(p, root);
    hk_read_units(&p->r, hk_xml_child(root, NULL, "UnitDefinitions"), &p->units);
    p->fmu->facts.unit_count = p->units.count;
    hk_fmi2_read_types(p, hk_xml_child(root, NULL, "TypeDefinitions"), "SimpleType", "");
    hk_read_defaults(&p->r, hk_xml_child(root, NULL, "DefaultExperiment"), &p->info->defaults);
    const hk_xml *variables = hk_xml_child(root, NULL, "ModelVariables");
    if (variables)
        hk_fmi2_read_variables(p, variables, hk_fmi2_read_variable);
    else
        hk_fault_add(&p->r, HK_FAULT_NO_VARIABLES, root, NULL);
    hk_read_pulses(&p->r, find_schedule(root), "pulses", p->info);
    hk_fmi2_find_aliases(p);
    check_derivatives(p);
    read_structure(p, root);
}

void hk_fmi2_describe(const hk_reader *r, hk_fmu *fmu, const hk_xml *root) {
    hk_fmi2_parse parse = {.r = *r, .fmu = fmu, .info = &fmu->info, .truth_store = HK_STORE_BOOL32};
    parse_all(&parse, root);
    hk_map_finish(&parse.units.by_name);
    hk_map_finish(&parse.types.by_name);
}
