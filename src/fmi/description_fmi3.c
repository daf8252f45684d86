/* SPDX-License-Identifier: MIT
 *
 * modelDescription.xml of FMI 3.0: root, types and the list of variables. As in FMI 2.0, what
 * breaks the standard but has one possible meaning is tolerated with a warning. */
#include "fmi/description_fmi3.h"

#include <stdlib.h>
#include <string.h>

static hk_status read_interface(hk_fmi3_parse *p, const hk_xml *root) {
    hk_fmu_facts *facts = &p->fmu->facts;
    hk_abilities *can = &p->info->can;
    const hk_reader *r = &p->r;
    const hk_xml *e = hk_xml_child(root, NULL, "CoSimulation");
    const hk_xml *exchange = hk_xml_child(root, NULL, "ModelExchange");
    const hk_xml *scheduled = hk_xml_child(root, NULL, "ScheduledExecution");
    facts->co_simulation = e != NULL;
    facts->model_exchange = exchange != NULL;
    facts->scheduled_execution = scheduled != NULL;
    if (!e && !exchange && !scheduled)
        return hk_error(r->ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(r->file, root),
                        "export the model as FMI 3.0 Co-Simulation",
                        "the FMU has no CoSimulation, ModelExchange or ScheduledExecution element");
    if (!e) {
        p->info->kind = exchange ? "FMI 3.0 model exchange" : "FMI 3.0 scheduled execution";
        e = exchange ? exchange : scheduled;
    }
    uint32_t order = 0;
    HK_TRY(hk_read_model_identifier(r, e, &facts->model_identifier));
    HK_TRY(hk_read_attr_bool(r, e, "canHandleVariableCommunicationStepSize", &can->variable_step));
    HK_TRY(hk_read_attr_bool(r, e, "canGetAndSetFMUState", &can->save_state));
    HK_TRY(hk_read_attr_bool(r, e, "canSerializeFMUState", &can->serialize_state));
    HK_TRY(hk_read_attr_bool(r, e, "canBeInstantiatedOnlyOncePerProcess", &can->once_per_process));
    HK_TRY(hk_read_attr_bool(r, e, "needsExecutionTool", &can->needs_tool));
    HK_TRY(hk_read_attr_u32(r, e, "maxOutputDerivativeOrder", &order));
    HK_TRY(
        hk_read_attr_bool(r, e, "providesDirectionalDerivatives", &can->directional_derivatives));
    HK_TRY(hk_read_attr_bool(r, e, "hasEventMode", &facts->has_event_mode));
    HK_TRY(hk_read_attr_bool(r, e, "mightReturnEarlyFromDoStep", &facts->might_return_early));
    HK_TRY(hk_read_attr_bool(r, e, "providesIntermediateUpdate", &facts->intermediate_update));
    HK_TRY(hk_read_attr_f64(r, e, "fixedInternalStepSize", &facts->fixed_internal_step));
    can->output_derivative_order = order;
    can->save_state |= can->serialize_state; /* the second implies the first */
    return HK_OK;
}

static hk_status read_stamp(hk_fmi3_parse *p, const hk_xml *list) {
    p->info->stamp = HK_STAMP_END;
    for (const hk_xml *e = list ? hk_xml_child(list, NULL, "Annotation") : NULL; e;
         e = hk_xml_next(e, NULL, "Annotation")) {
        const char *type = hk_xml_attr_get(e, "type");
        if (type && strcmp(type, HK_STAMP_TOOL) == 0)
            HK_TRY(hk_read_stamp(&p->r, hk_xml_child(e, HK_STAMP_NAMESPACE, "Schedule"), "stamp",
                                 &p->info->stamp));
    }
    return HK_OK;
}

static hk_status read_root(hk_fmi3_parse *p, const hk_xml *root) {
    hk_fmu_facts *facts = &p->fmu->facts;
    HK_TRY(hk_read_attr_text(&p->r, root, "instantiationToken", &facts->guid));
    p->info->name = hk_xml_attr_get(root, "modelName");
    p->info->description = hk_xml_attr_get(root, "description");
    p->info->kind = "FMI 3.0 co-simulation";
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
    HK_TRY(read_stamp(p, hk_xml_child(root, NULL, "Annotations")));
    HK_TRY(read_interface(p, root));
    if (!p->info->name || !p->info->name[0]) {
        hk_warn(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(p->r.file, root), NULL,
                "the attribute modelName is missing; the modelIdentifier is used");
        p->info->name = facts->model_identifier;
    }
    return HK_OK;
}

/* The type that an element is named after, with SUFFIX behind it. */
static bool find_kind(const char *name, const char *suffix, hk_type *ret_type) {
    for (int i = 0; i < HK_TYPE_COUNT; i++) {
        const char *kind = hk_type_name((hk_type)i);
        size_t length = strlen(kind);
        if (strncmp(name, kind, length) == 0 && strcmp(name + length, suffix) == 0) {
            *ret_type = (hk_type)i;
            return true;
        }
    }
    return false;
}

static hk_status read_types(hk_fmi3_parse *p, const hk_xml *list) {
    size_t count = 0;
    hk_type type;
    for (const hk_xml *e = list ? list->child : NULL; e; e = e->next)
        count += find_kind(e->name, "Type", &type);
    p->types = HK_NEW_ARRAY(p->r.arena, hk_fmi3_type, count + 1);
    uint32_t i = 0;
    for (const hk_xml *e = list ? list->child : NULL; e; e = e->next) {
        if (!find_kind(e->name, "Type", &type))
            continue;
        hk_fmi3_type *t = &p->types[i];
        *t = (hk_fmi3_type){.type = type, .element = e};
        HK_TRY(hk_read_attr_text(&p->r, e, "name", &t->name));
        if (type == HK_TYPE_ENUM)
            HK_TRY(hk_read_items(&p->r, e, t->name, &t->enumeration));
        if (hk_map_put(&p->type_map, t->name, i) != i)
            hk_tally_add(&p->twice, e, t->name);
        i++;
    }
    p->fmu->facts.type_count = count;
    return HK_OK;
}

/* Takes the next place of info for V, which is read from E. */
static hk_status add_variable(hk_fmi3_parse *p, const hk_xml *e, const hk_variable *v) {
    hk_info *info = p->info;
    uint32_t index = (uint32_t)info->variable_count;
    uint32_t there = hk_map_put(&info->by_name, v->name, index);
    if (there != index)
        return hk_error(p->r.ctx, HK_E_DUPLICATE, hk_xml_where(p->r.file, e), NULL,
                        "the variable '%s' is declared twice, first in line %d", v->name,
                        info->variables[there].line);
    info->variables[index] = *v;
    p->elements[index] = e;
    info->variable_count++;
    return HK_OK;
}

/* An alias is the same variable under another name. */
static hk_status add_aliases(hk_fmi3_parse *p, const hk_xml *e, hk_variable v) {
    for (const hk_xml *a = hk_xml_child(e, NULL, "Alias"); a; a = hk_xml_next(a, NULL, "Alias")) {
        HK_TRY(hk_read_attr_text(&p->r, a, "name", &v.name));
        v.description = hk_xml_attr_get(a, "description");
        v.display_unit = hk_xml_attr_get(a, "displayUnit");
        v.line = a->line;
        v.column = a->column;
        HK_TRY(add_variable(p, a, &v));
    }
    return HK_OK;
}

static hk_status read_variables(hk_fmi3_parse *p, const hk_xml *list) {
    hk_info *info = p->info;
    size_t count = 0;
    for (const hk_xml *e = list->child; e; e = e->next) {
        count++;
        for (const hk_xml *a = hk_xml_child(e, NULL, "Alias"); a; a = hk_xml_next(a, NULL, "Alias"))
            count++;
    }
    info->variables = HK_NEW_ARRAY(p->r.arena, hk_variable, count + 1);
    p->elements = HK_NEW_ARRAY(p->r.arena, const hk_xml *, count + 1);
    p->refs = HK_NEW_ARRAY(p->r.arena, hk_fmi3_ref, count + 1);
    for (const hk_xml *e = list->child; e; e = e->next) {
        hk_type type;
        hk_variable v = {.alias_of = (uint32_t)info->variable_count};
        if (!find_kind(e->name, "", &type))
            return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(p->r.file, e),
                            "the types are Float32, Float64, Int8 to UInt64, Boolean, String, "
                            "Binary, Enumeration and Clock",
                            "the element '%s' in ModelVariables is no type of FMI 3.0", e->name);
        HK_TRY(hk_fmi3_read_variable(p, e, type, &v));
        HK_TRY(add_variable(p, e, &v));
        p->refs[p->ref_count++] = (hk_fmi3_ref){v.ref, v.alias_of};
        HK_TRY(add_aliases(p, e, v));
    }
    return HK_OK;
}

static int compare_refs(const void *left, const void *right) {
    const hk_fmi3_ref *a = left, *b = right;
    if (a->ref != b->ref)
        return a->ref < b->ref ? -1 : 1;
    return a->variable < b->variable ? -1 : a->variable > b->variable;
}

/* Value references are unique over all types. */
static hk_status sort_refs(hk_fmi3_parse *p) {
    qsort(p->refs, p->ref_count, sizeof *p->refs, compare_refs);
    for (size_t i = 1; i < p->ref_count; i++) {
        if (p->refs[i].ref != p->refs[i - 1].ref)
            continue;
        const hk_variable *v = &p->info->variables[p->refs[i].variable];
        const hk_variable *first = &p->info->variables[p->refs[i - 1].variable];
        return hk_error(p->r.ctx, HK_E_DUPLICATE,
                        hk_fmi3_where(p, p->elements[p->refs[i].variable], v),
                        "a second name for a variable is an Alias element within it",
                        "'%s' has the value reference %u, and so has '%s' in line %d", v->name,
                        (unsigned)v->ref, first->name, first->line);
    }
    return HK_OK;
}

static void report(const hk_fmi3_parse *p, const hk_xml *variables) {
    static const char *const no_conversion = "no conversion takes place on its connections";
    const struct {
        const hk_tally *tally;
        const char *text, *hint;
    } rows[] = {
        {&p->twice, "is defined twice; the first definition counts", NULL},
        {&p->unknown_unit, "uses a unit that UnitDefinitions does not hold", no_conversion},
        {&p->unknown_type, "has no declaredType that TypeDefinitions holds for its kind of value",
         NULL},
        {&p->no_start, "has no start value although it needs one; the FMU's own value counts",
         NULL},
        {&p->forbidden_start, "has a start value although it is calculated; the value is ignored",
         NULL},
        {&p->forbidden_initial,
         "has an attribute initial, which the time may not have; it is "
         "ignored",
         NULL},
        {&p->large_fills,
         "is a large array with one start value for all elements; the FMU's own "
         "values count",
         NULL},
        {&p->no_interval, "is a clock that needs an interval and has none", NULL},
        {&p->odd_reference,
         "names a variable as its clock, derivative or previous value that "
         "cannot be it",
         NULL},
        {&p->odd_outputs, "is listed as Output of the ModelStructure twice, or is no output", NULL},
        {&p->odd_kinds,
         "has dependenciesKind in the ModelStructure that do not fit its "
         "dependencies; they are ignored",
         NULL},
        {&p->unlisted,
         "is an output that the ModelStructure does not list; it is taken to depend "
         "on every input",
         NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        hk_tally_report(p->r.ctx, p->r.file, rows[i].tally, rows[i].text, rows[i].hint);
    if (!p->has_independent)
        hk_warn(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(p->r.file, variables), NULL,
                "no variable has the causality independent, which FMI 3.0 demands of one");
}

static hk_status parse_all(hk_fmi3_parse *p, const hk_xml *root) {
    HK_TRY(read_root(p, root));
    HK_TRY(hk_read_units(&p->r, hk_xml_child(root, NULL, "UnitDefinitions"), &p->units, &p->twice));
    p->fmu->facts.unit_count = p->units.count;
    HK_TRY(read_types(p, hk_xml_child(root, NULL, "TypeDefinitions")));
    hk_read_defaults(&p->r, hk_xml_child(root, NULL, "DefaultExperiment"), &p->info->defaults);
    const hk_xml *variables = hk_xml_child(root, NULL, "ModelVariables");
    if (!variables)
        return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(p->r.file, root), NULL,
                        "the element ModelVariables is missing");
    HK_TRY(read_variables(p, variables));
    HK_TRY(sort_refs(p));
    HK_TRY(hk_fmi3_read_values(p));
    HK_TRY(hk_fmi3_read_clocks(p));
    HK_TRY(hk_fmi3_read_structure(p, root));
    report(p, variables);
    return HK_OK;
}

hk_status hk_fmi3_describe(hk_ctx *ctx, hk_fmu *fmu, const hk_xml *root) {
    hk_fmi3_parse parse = {.r = {.ctx = ctx, .file = fmu->info.file, .arena = fmu->arena},
                           .fmu = fmu,
                           .info = &fmu->info,
                           .fill_budget = HK_FMI3_FILL_MAX};
    hk_status status = parse_all(&parse, root);
    hk_map_finish(&parse.units.by_name);
    hk_map_finish(&parse.type_map);
    return status;
}
