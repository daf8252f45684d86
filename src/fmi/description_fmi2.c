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
    facts->model_exchange = hk_xml_child(root, NULL, "ModelExchange") != NULL;
    if (!e)
        return hk_error(p->r.ctx, HK_E_FMI_UNSUPPORTED, hk_xml_where(p->r.file, root),
                        "export the model as FMI 2.0 Co-Simulation",
                        "the FMU has no CoSimulation element%s",
                        facts->model_exchange ? ", it is for model exchange only" : "");
    facts->co_simulation = true;
    HK_TRY(hk_read_attr_text(&p->r, e, "modelIdentifier", &facts->model_identifier));
    if (strchr(facts->model_identifier, '/') || facts->model_identifier[0] == '.')
        return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(p->r.file, e), NULL,
                        "the modelIdentifier is '%s', expected the name of a library without "
                        "folder",
                        facts->model_identifier);
    uint32_t order = 0;
    HK_TRY(
        hk_read_attr_bool(&p->r, e, "canHandleVariableCommunicationStepSize", &can->variable_step));
    HK_TRY(hk_read_attr_bool(&p->r, e, "canGetAndSetFMUstate", &can->save_state));
    HK_TRY(hk_read_attr_bool(&p->r, e, "canSerializeFMUstate", &can->serialize_state));
    HK_TRY(
        hk_read_attr_bool(&p->r, e, "canBeInstantiatedOnlyOncePerProcess", &can->once_per_process));
    HK_TRY(hk_read_attr_bool(&p->r, e, "needsExecutionTool", &can->needs_tool));
    HK_TRY(hk_read_attr_bool(&p->r, e, "canInterpolateInputs", &can->interpolates_inputs));
    HK_TRY(hk_read_attr_u32(&p->r, e, "maxOutputDerivativeOrder", &order));
    HK_TRY(hk_read_attr_bool(&p->r, e, "providesDirectionalDerivative",
                             &can->directional_derivatives));
    can->output_derivative_order = order;
    can->save_state |= can->serialize_state; /* the second implies the first */
    return HK_OK;
}

static void read_log_categories(hk_fmi2_parse *p, const hk_xml *root) {
    enum { FAILURE_LOGS = sizeof p->fmu->failure_logs / sizeof *p->fmu->failure_logs };
    const hk_xml *list = hk_xml_child(root, NULL, "LogCategories");
    for (const hk_xml *e = list ? list->child : NULL; e; e = e->next) {
        const char *name = hk_xml_attr_get(e, "name");
        hk_fmu *fmu = p->fmu;
        fmu->facts.log_category_count++;
        if (name && fmu->failure_log_count < FAILURE_LOGS &&
            (strcmp(name, "logStatusError") == 0 || strcmp(name, "logStatusFatal") == 0))
            fmu->failure_logs[fmu->failure_log_count++] = name;
    }
}

static hk_status read_root(hk_fmi2_parse *p, const hk_xml *root) {
    hk_fmu_facts *facts = &p->fmu->facts;
    HK_TRY(hk_read_attr_text(&p->r, root, "guid", &facts->guid));
    p->info->name = hk_xml_attr_get(root, "modelName");
    p->info->description = hk_xml_attr_get(root, "description");
    p->info->kind = "FMI 2.0 co-simulation";
    p->info->stamp = HK_STAMP_END;
    facts->model_version = hk_xml_attr_get(root, "version");
    facts->author = hk_xml_attr_get(root, "author");
    facts->copyright = hk_xml_attr_get(root, "copyright");
    facts->license = hk_xml_attr_get(root, "license");
    facts->generation_tool = hk_xml_attr_get(root, "generationTool");
    facts->generation_date = hk_xml_attr_get(root, "generationDateAndTime");
    facts->naming_convention = hk_xml_attr_get(root, "variableNamingConvention");
    if (!facts->naming_convention)
        facts->naming_convention = "flat";
    read_log_categories(p, root);
    HK_TRY(read_interface(p, root));
    if (!p->info->name || !p->info->name[0]) {
        hk_warn(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(p->r.file, root), NULL,
                "the attribute modelName is missing; the modelIdentifier is used");
        p->info->name = facts->model_identifier;
    }
    return HK_OK;
}

static hk_status read_units(hk_fmi2_parse *p, const hk_xml *list) {
    size_t count = 0;
    for (const hk_xml *e = list ? hk_xml_child(list, NULL, "Unit") : NULL; e;
         e = hk_xml_next(e, NULL, "Unit"))
        count++;
    p->uoms = HK_NEW_ARRAY(p->r.arena, const hk_uom *, count + 1);
    uint32_t i = 0;
    for (const hk_xml *e = count ? hk_xml_child(list, NULL, "Unit") : NULL; e;
         e = hk_xml_next(e, NULL, "Unit"), i++) {
        const char *name;
        HK_TRY(hk_read_attr_text(&p->r, e, "name", &name));
        HK_TRY(hk_read_unit(&p->r, e, &p->uoms[i]));
        if (hk_map_put(&p->unit_map, name, i) != i)
            hk_tally_add(&p->twice, e, name);
    }
    p->fmu->facts.unit_count = count;
    return HK_OK;
}

static hk_status read_enumeration(hk_fmi2_parse *p, const hk_xml *e, const char *name,
                                  const hk_enum **ret_enum) {
    size_t count = 0, i = 0;
    for (const hk_xml *item = hk_xml_child(e, NULL, "Item"); item;
         item = hk_xml_next(item, NULL, "Item"))
        count++;
    const char **names = HK_NEW_ARRAY(p->r.arena, const char *, count + 1);
    int64_t *values = HK_NEW_ARRAY(p->r.arena, int64_t, count + 1);
    for (const hk_xml *item = hk_xml_child(e, NULL, "Item"); item;
         item = hk_xml_next(item, NULL, "Item"), i++) {
        values[i] = (int64_t)i + 1;
        HK_TRY(hk_read_attr_text(&p->r, item, "name", &names[i]));
        HK_TRY(hk_read_attr_i64(&p->r, item, "value", &values[i]));
    }
    hk_enum *enumeration = HK_NEW(p->r.arena, hk_enum);
    *enumeration = (hk_enum){name, names, values, count};
    *ret_enum = enumeration;
    return HK_OK;
}

/* The element that says which type it is: Real, Integer and so on; NULL: none does. */
static const hk_xml *find_kind(const hk_xml *parent, hk_fmi2_kind *ret_kind) {
    for (const hk_xml *e = parent->child; e; e = e->next) {
        for (size_t i = 0; i < sizeof kind_names / sizeof *kind_names; i++) {
            if (strcmp(e->name, kind_names[i]) == 0) {
                *ret_kind = (hk_fmi2_kind)i;
                return e;
            }
        }
    }
    return NULL;
}

static hk_status read_types(hk_fmi2_parse *p, const hk_xml *list) {
    size_t count = 0;
    for (const hk_xml *e = list ? hk_xml_child(list, NULL, "SimpleType") : NULL; e;
         e = hk_xml_next(e, NULL, "SimpleType"))
        count++;
    p->types = HK_NEW_ARRAY(p->r.arena, hk_fmi2_type, count + 1);
    uint32_t i = 0;
    for (const hk_xml *e = count ? hk_xml_child(list, NULL, "SimpleType") : NULL; e;
         e = hk_xml_next(e, NULL, "SimpleType"), i++) {
        hk_fmi2_type *type = &p->types[i];
        HK_TRY(hk_read_attr_text(&p->r, e, "name", &type->name));
        type->element = find_kind(e, &type->kind);
        if (!type->element)
            return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(p->r.file, e), NULL,
                            "the SimpleType '%s' holds none of Real, Integer, Boolean, String, "
                            "Enumeration",
                            type->name);
        if (type->kind == HK_FMI2_ENUMERATION)
            HK_TRY(read_enumeration(p, type->element, type->name, &type->enumeration));
        if (hk_map_put(&p->type_map, type->name, i) != i)
            hk_tally_add(&p->twice, e, type->name);
    }
    p->fmu->facts.type_count = count;
    return HK_OK;
}

static hk_status read_variables(hk_fmi2_parse *p, const hk_xml *list) {
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
        const hk_xml *kind_element = find_kind(e, &p->kind);
        HK_TRY(hk_fmi2_read_variable(p, e, kind_element, v));
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

static void find_aliases(hk_fmi2_parse *p) {
    static const uint8_t base[HK_STORE_COUNT] = {
        [HK_STORE_F64] = 0, [HK_STORE_I32] = 1, [HK_STORE_BOOL32] = 2, [HK_STORE_BYTES] = 3};
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
    HK_TRY(read_units(p, hk_xml_child(root, NULL, "UnitDefinitions")));
    HK_TRY(read_types(p, hk_xml_child(root, NULL, "TypeDefinitions")));
    hk_read_defaults(&p->r, hk_xml_child(root, NULL, "DefaultExperiment"), &p->info->defaults);
    const hk_xml *variables = hk_xml_child(root, NULL, "ModelVariables");
    if (!variables)
        return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(p->r.file, root), NULL,
                        "the element ModelVariables is missing");
    HK_TRY(read_variables(p, variables));
    find_aliases(p);
    HK_TRY(check_derivatives(p));
    HK_TRY(read_structure(p, root));
    report(p);
    return HK_OK;
}

hk_status hk_fmi2_describe(hk_ctx *ctx, hk_fmu *fmu, const hk_xml *root) {
    hk_fmi2_parse parse = {.r = {.ctx = ctx, .file = fmu->info.file, .arena = fmu->arena},
                           .fmu = fmu,
                           .info = &fmu->info};
    hk_status status = parse_all(&parse, root);
    hk_map_finish(&parse.unit_map);
    hk_map_finish(&parse.type_map);
    return status;
}
