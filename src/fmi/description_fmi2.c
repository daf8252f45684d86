/* SPDX-License-Identifier: MIT
 *
 * modelDescription.xml of FMI 2.0. What breaks the standard but has one possible meaning is
 * tolerated with a warning, since FMUs of that kind are about; what has none is an error. */
#include "fmi/description_fmi2.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {"Real", "Integer", "Boolean", "String", "Enumeration"};

static hk_status read_interface(hk_fmi2_parse *p, const hk_xml *root) {
    hk_fmu_facts *facts = &p->fmu->facts;
    hk_abilities *can = &p->info->can;
    const hk_xml *e = hk_xml_child(root, NULL, "CoSimulation");
    const hk_xml *exchange = hk_xml_child(root, NULL, "ModelExchange");
    facts->co_simulation = e != NULL;
    facts->model_exchange = exchange != NULL;
    if (!e && !exchange)
        return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(p->r.file, root),
                        "export the model as FMI 2.0 Co-Simulation",
                        "the FMU has neither a CoSimulation nor a ModelExchange element");
    if (!e) {
        p->info->kind = "FMI 2.0 model exchange";
        e = exchange;
    }
    HK_TRY(hk_read_model_identifier(&p->r, e, &facts->model_identifier));
    uint32_t order = 0;
    HK_TRY(
        hk_read_attr_bool(&p->r, e, "canHandleVariableCommunicationStepSize", &can->variable_step));
    HK_TRY(hk_read_attr_bool(&p->r, e, "canGetAndSetFMUstate", &can->save_state));
    HK_TRY(hk_read_attr_bool(&p->r, e, "canSerializeFMUstate", &can->serialize_state));
    HK_TRY(
        hk_read_attr_bool(&p->r, e, "canBeInstantiatedOnlyOncePerProcess", &can->once_per_process));
    HK_TRY(hk_read_attr_bool(&p->r, e, "needsExecutionTool", &can->needs_tool));
    HK_TRY(hk_read_attr_bool(&p->r, e, "canInterpolateInputs", &can->interpolates_inputs));
    HK_TRY(hk_read_attr_bool(&p->r, e, "canRunAsynchronuously", &can->asynchronous));
    HK_TRY(hk_read_attr_u32(&p->r, e, "maxOutputDerivativeOrder", &order));
    HK_TRY(hk_read_attr_bool(&p->r, e, "providesDirectionalDerivative",
                             &can->directional_derivatives));
    can->output_derivative_order = order;
    can->save_state |= can->serialize_state; /* the second implies the first */
    return HK_OK;
}

static hk_status read_root(hk_fmi2_parse *p, const hk_xml *root) {
    hk_fmu_facts *facts = &p->fmu->facts;
    HK_TRY(hk_read_attr_text(&p->r, root, "guid", &facts->guid));
    p->info->name = hk_xml_attr_get(root, "modelName");
    p->info->description = hk_xml_attr_get(root, "description");
    p->info->kind = "FMI 2.0 co-simulation";
    p->info->stamp = HK_STAMP_END;
    const hk_xml *own = hk_find_own_tool(root);
    HK_TRY(hk_read_stamp(&p->r, own ? hk_xml_child(own, HK_STAMP_NAMESPACE, "Schedule") : NULL,
                         "stamp", &p->info->stamp));
    facts->model_version = hk_xml_attr_get(root, "version");
    facts->author = hk_xml_attr_get(root, "author");
    facts->copyright = hk_xml_attr_get(root, "copyright");
    facts->license = hk_xml_attr_get(root, "license");
    facts->generation_tool = hk_xml_attr_get(root, "generationTool");
    facts->generation_date = hk_xml_attr_get(root, "generationDateAndTime");
    facts->naming_convention = hk_xml_attr_get(root, "variableNamingConvention");
    if (!facts->naming_convention)
        facts->naming_convention = "flat";
    hk_read_log_categories(p->fmu, hk_xml_child(root, NULL, "LogCategories"));
    HK_TRY(read_interface(p, root));
    if (!p->info->name || !p->info->name[0]) {
        hk_warn(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(p->r.file, root), NULL,
                "the attribute modelName is missing; the modelIdentifier is used");
        p->info->name = facts->model_identifier;
    }
    return HK_OK;
}

/* The element that says which type it is: Real, Integer and so on, with SUFFIX behind; NULL: none
 * does. */
static const hk_xml *find_kind(const hk_xml *parent, const char *suffix, hk_fmi2_kind *ret_kind) {
    for (const hk_xml *e = parent->child; e; e = e->next) {
        for (size_t i = 0; i < sizeof kind_names / sizeof *kind_names; i++) {
            size_t length = strlen(kind_names[i]);
            if (strncmp(e->name, kind_names[i], length) == 0 &&
                strcmp(e->name + length, suffix) == 0) {
                *ret_kind = (hk_fmi2_kind)i;
                return e;
            }
        }
    }
    return NULL;
}

hk_status hk_fmi2_read_types(hk_fmi2_parse *p, const hk_xml *list, const char *element,
                             const char *suffix) {
    size_t count = 0;
    for (const hk_xml *e = list ? hk_xml_child(list, NULL, element) : NULL; e;
         e = hk_xml_next(e, NULL, element))
        count++;
    p->types = HK_NEW_ARRAY(p->r.arena, hk_fmi2_type, count + 1);
    uint32_t i = 0;
    for (const hk_xml *e = count ? hk_xml_child(list, NULL, element) : NULL; e;
         e = hk_xml_next(e, NULL, element), i++) {
        hk_fmi2_type *type = &p->types[i];
        HK_TRY(hk_read_attr_text(&p->r, e, "name", &type->name));
        type->element = find_kind(e, suffix, &type->kind);
        if (!type->element)
            return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(p->r.file, e), NULL,
                            "the %s '%s' holds none of Real%s, Integer%s, Boolean%s, String%s, "
                            "Enumeration%s",
                            element, type->name, suffix, suffix, suffix, suffix, suffix);
        if (type->kind == HK_FMI2_ENUMERATION)
            HK_TRY(hk_read_items(&p->r, type->element, type->name, &type->enumeration));
        if (hk_map_put(&p->type_map, type->name, i) != i)
            hk_tally_add(&p->twice, e, type->name);
    }
    p->fmu->facts.type_count = count;
    return HK_OK;
}

hk_status hk_fmi2_read_variables(hk_fmi2_parse *p, const hk_xml *list,
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
        uint32_t index = (uint32_t)info->variable_count;
        hk_variable *v = &info->variables[index];
        const hk_xml *kind_element = find_kind(e, "", &p->kind);
        HK_TRY(read_variable(p, e, kind_element, v));
        uint32_t there = hk_map_put(&info->by_name, v->name, index);
        if (there != index)
            return hk_error(p->r.ctx, HK_E_DUPLICATE, hk_xml_where(p->r.file, e), NULL,
                            "the variable '%s' is declared twice, first in line %d", v->name,
                            info->variables[there].line);
        p->elements[index] = e;
        info->variable_count++;
    }
    return HK_OK;
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
            hk_tally_add(&p->alias_starts, p->elements[keys[i].index], v->name);
        started |= starts;
    }
    hk_free(keys);
}

static hk_status read_index(hk_fmi2_parse *p, const hk_xml *e, const char *attr, const char *text,
                            size_t length, uint32_t *ret_index) {
    uint64_t index;
    if (!hk_read_u64(text, length, &index) || index < 1 || index > p->info->variable_count)
        return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(p->r.file, e), NULL,
                        "%s: the attribute %s names the variable '%.*s', expected a number from 1 "
                        "to %zu",
                        e->name, attr, (int)(length < 40 ? length : 40), text,
                        p->info->variable_count);
    *ret_index = (uint32_t)index - 1;
    return HK_OK;
}

static hk_status read_dependencies(hk_fmi2_parse *p, const hk_xml *e, hk_depends *ret_depends) {
    static const char space[] = " \t\r\n";
    const char *text = hk_xml_attr_get(e, "dependencies");
    if (!text) {
        *ret_depends = (hk_depends){.known = false};
        return HK_OK;
    }
    size_t count = 0;
    for (const char *c = text + strspn(text, space); *c; c += strspn(c, space)) {
        c += strcspn(c, space);
        count++;
    }
    uint32_t *on = HK_NEW_ARRAY(p->r.arena, uint32_t, count + 1);
    size_t i = 0;
    for (const char *c = text + strspn(text, space); *c; c += strspn(c, space)) {
        size_t length = strcspn(c, space);
        HK_TRY(read_index(p, e, "dependencies", c, length, &on[i++]));
        c += length;
    }
    *ret_depends = (hk_depends){.known = true, .on = on, .count = count};
    return HK_OK;
}

typedef enum unknowns { OUTPUTS, DERIVATIVES, INITIAL_UNKNOWNS } unknowns;

static hk_status read_unknowns(hk_fmi2_parse *p, const hk_xml *list, unknowns which, bool *listed) {
    for (const hk_xml *e = list ? hk_xml_child(list, NULL, "Unknown") : NULL; e;
         e = hk_xml_next(e, NULL, "Unknown")) {
        const char *text;
        uint32_t index = 0;
        hk_depends depends;
        HK_TRY(hk_read_attr_text(&p->r, e, "index", &text));
        HK_TRY(read_index(p, e, "index", text, strlen(text), &index));
        HK_TRY(read_dependencies(p, e, &depends));
        hk_variable *v = &p->info->variables[index];
        if (which == OUTPUTS) {
            if (v->causality != HK_OUTPUT || listed[index])
                hk_tally_add(&p->odd_outputs, e, v->name);
            if (!listed[index])
                v->depends = depends;
            listed[index] = true;
        } else if (which == INITIAL_UNKNOWNS) {
            v->depends_init = depends;
        }
    }
    return HK_OK;
}

static hk_status read_structure(hk_fmi2_parse *p, const hk_xml *root) {
    const hk_xml *structure = hk_xml_child(root, NULL, "ModelStructure");
    if (!structure) {
        hk_warn(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(p->r.file, root), NULL,
                "the ModelStructure is missing; every output is taken to depend on every input");
        return HK_OK;
    }
    bool *listed = HK_NEW_ARRAY(p->r.arena, bool, p->info->variable_count + 1);
    HK_TRY(read_unknowns(p, hk_xml_child(structure, NULL, "Outputs"), OUTPUTS, listed));
    HK_TRY(read_unknowns(p, hk_xml_child(structure, NULL, "Derivatives"), DERIVATIVES, listed));
    HK_TRY(read_unknowns(p, hk_xml_child(structure, NULL, "InitialUnknowns"), INITIAL_UNKNOWNS,
                         listed));
    for (size_t i = 0; i < p->info->variable_count; i++)
        if (p->info->variables[i].causality == HK_OUTPUT && !listed[i])
            hk_tally_add(&p->unlisted, p->elements[i], p->info->variables[i].name);
    return HK_OK;
}

/* `derivative` names a variable that may stand later, so it is looked at when all are known. */
static hk_status check_derivatives(hk_fmi2_parse *p) {
    for (size_t i = 0; i < p->info->variable_count; i++) {
        const hk_xml *e = hk_xml_child(p->elements[i], NULL, "Real");
        const char *text = e ? hk_xml_attr_get(e, "derivative") : NULL;
        uint32_t index;
        if (text)
            HK_TRY(read_index(p, e, "derivative", text, strlen(text), &index));
    }
    return HK_OK;
}

static void report(const hk_fmi2_parse *p) {
    hk_ctx *ctx = p->r.ctx;
    const char *file = p->r.file;
    hk_tally_report(ctx, file, &p->twice, "is defined twice; the first definition counts", NULL);
    hk_tally_report(ctx, file, &p->unknown_unit, "uses a unit that UnitDefinitions does not hold",
                    "no conversion takes place on its connections");
    hk_tally_report(ctx, file, &p->unknown_type,
                    "has no declaredType that TypeDefinitions holds for its kind of value", NULL);
    hk_tally_report(ctx, file, &p->no_start,
                    "has no start value although it needs one; the FMU's own value counts", NULL);
    hk_tally_report(ctx, file, &p->forbidden_start,
                    "has a start value although it is calculated; the value is ignored", NULL);
    hk_tally_report(ctx, file, &p->forbidden_initial,
                    "has an attribute initial, which inputs and the time may not have; it is "
                    "ignored",
                    NULL);
    hk_tally_report(ctx, file, &p->no_variability,
                    "is a parameter without variability; it is taken as fixed", NULL);
    hk_tally_report(ctx, file, &p->alias_starts,
                    "has a start value, and so has another variable with the same reference",
                    "set one of them only");
    hk_tally_report(ctx, file, &p->odd_outputs,
                    "is listed in ModelStructure/Outputs twice, or is no output", NULL);
    hk_tally_report(ctx, file, &p->unlisted,
                    "is an output that ModelStructure/Outputs does not list; it is taken to depend "
                    "on every input",
                    NULL);
}

static hk_status parse_all(hk_fmi2_parse *p, const hk_xml *root) {
    HK_TRY(read_root(p, root));
    HK_TRY(hk_read_units(&p->r, hk_xml_child(root, NULL, "UnitDefinitions"), &p->units, &p->twice));
    p->fmu->facts.unit_count = p->units.count;
    HK_TRY(hk_fmi2_read_types(p, hk_xml_child(root, NULL, "TypeDefinitions"), "SimpleType", ""));
    hk_read_defaults(&p->r, hk_xml_child(root, NULL, "DefaultExperiment"), &p->info->defaults);
    const hk_xml *variables = hk_xml_child(root, NULL, "ModelVariables");
    if (!variables)
        return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(p->r.file, root), NULL,
                        "the element ModelVariables is missing");
    HK_TRY(hk_fmi2_read_variables(p, variables, hk_fmi2_read_variable));
    hk_fmi2_find_aliases(p);
    HK_TRY(check_derivatives(p));
    HK_TRY(read_structure(p, root));
    report(p);
    return HK_OK;
}

hk_status hk_fmi2_describe(hk_ctx *ctx, hk_fmu *fmu, const hk_xml *root) {
    hk_fmi2_parse parse = {.r = {.ctx = ctx, .file = fmu->info.file, .arena = fmu->arena},
                           .fmu = fmu,
                           .info = &fmu->info,
                           .truth_store = HK_STORE_BOOL32};
    hk_status status = parse_all(&parse, root);
    hk_map_finish(&parse.units.by_name);
    hk_map_finish(&parse.type_map);
    return status;
}
