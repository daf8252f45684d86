/* SPDX-License-Identifier: MIT
 *
 * modelDescription.xml of FMI 1.0, read with the tools of FMI 2.0 as far as the two are alike. Its
 * words are translated into those of FMI 2.0: a parameter is what has variability "parameter", and
 * `start` and `fixed` stand for `initial`. */
#include "fmi/description_fmi2.h"
#include "fmi/fmi1_api.h"

#include <string.h>

/* VendorAnnotations: the stamp, and whether hocket's functions for states are there. */
static hk_status read_own_annotations(hk_fmi2_parse *p, const hk_xml *root) {
    const hk_xml *own = hk_find_own_tool(root);
    const hk_xml *e = own ? hk_xml_child(own, NULL, "Annotation") : NULL;
    for (; e; e = hk_xml_next(e, NULL, "Annotation")) {
        const char *name = hk_xml_attr_get(e, "name");
        if (name && strcmp(name, "stamp") == 0)
            HK_TRY(hk_read_stamp(&p->r, e, "value", &p->info->stamp));
        else if (name && strcmp(name, "state") == 0)
            HK_TRY(hk_read_attr_bool(&p->r, e, "value", &p->info->can.save_state));
    }
    p->info->can.serialize_state = p->info->can.save_state;
    return HK_OK;
}

static hk_status read_capabilities(hk_fmi2_parse *p, const hk_xml *e) {
    hk_abilities *can = &p->info->can;
    uint32_t order = 0;
    if (!e)
        return HK_OK;
    HK_TRY(
        hk_read_attr_bool(&p->r, e, "canHandleVariableCommunicationStepSize", &can->variable_step));
    HK_TRY(
        hk_read_attr_bool(&p->r, e, "canBeInstantiatedOnlyOncePerProcess", &can->once_per_process));
    HK_TRY(hk_read_attr_bool(&p->r, e, "canInterpolateInputs", &can->interpolates_inputs));
    HK_TRY(hk_read_attr_bool(&p->r, e, "canRunAsynchronuously", &can->asynchronous));
    HK_TRY(hk_read_attr_u32(&p->r, e, "maxOutputDerivativeOrder", &order));
    can->output_derivative_order = order;
    return HK_OK;
}

static hk_status read_implementation(hk_fmi2_parse *p, const hk_xml *root) {
    hk_fmu_facts *facts = &p->fmu->facts;
    const hk_xml *e = hk_xml_child(root, NULL, "Implementation");
    if (!e) {
        facts->model_exchange = true;
        p->info->kind = "FMI 1.0 model exchange";
        return HK_OK;
    }
    const hk_xml *alone = hk_xml_child(e, NULL, "CoSimulation_StandAlone");
    const hk_xml *tool = hk_xml_child(e, NULL, "CoSimulation_Tool");
    if (!alone && !tool)
        return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(p->r.file, e), NULL,
                        "the Implementation holds none of CoSimulation_StandAlone, "
                        "CoSimulation_Tool");
    facts->co_simulation = true;
    p->info->can.needs_tool = !alone;
    const hk_xml *model = alone ? NULL : hk_xml_child(tool, NULL, "Model");
    const char *type = model ? hk_xml_attr_get(model, "type") : NULL;
    p->fmu->mime_type = type && type[0] ? type : "application/x-fmu-sharedlibrary";
    return read_capabilities(p, hk_xml_child(alone ? alone : tool, NULL, "Capabilities"));
}

static hk_status read_root(hk_fmi2_parse *p, const hk_xml *root) {
    hk_fmu_facts *facts = &p->fmu->facts;
    HK_TRY(hk_read_attr_text(&p->r, root, "guid", &facts->guid));
    HK_TRY(hk_read_model_identifier(&p->r, root, &facts->model_identifier));
    p->info->name = hk_xml_attr_get(root, "modelName");
    p->info->description = hk_xml_attr_get(root, "description");
    p->info->kind = "FMI 1.0 co-simulation";
    p->info->stamp = HK_STAMP_END;
    facts->model_version = hk_xml_attr_get(root, "version");
    facts->author = hk_xml_attr_get(root, "author");
    facts->generation_tool = hk_xml_attr_get(root, "generationTool");
    facts->generation_date = hk_xml_attr_get(root, "generationDateAndTime");
    facts->naming_convention = hk_xml_attr_get(root, "variableNamingConvention");
    if (!facts->naming_convention)
        facts->naming_convention = "flat";
    if (!p->info->name || !p->info->name[0]) {
        hk_warn(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(p->r.file, root), NULL,
                "the attribute modelName is missing; the modelIdentifier is used");
        p->info->name = facts->model_identifier;
    }
    HK_TRY(read_implementation(p, root));
    return read_own_annotations(p, root);
}

/* UnitDefinitions only give display units, and not every unit in use is among them. */
static void count_units(hk_fmi2_parse *p, const hk_xml *list) {
    for (const hk_xml *e = list ? hk_xml_child(list, NULL, "BaseUnit") : NULL; e;
         e = hk_xml_next(e, NULL, "BaseUnit"))
        p->fmu->facts.unit_count++;
}

/* A unit is a name only: it means what hocket takes it for, and may mean nothing. */
static void read_unit(hk_fmi2_parse *p, hk_variable *v) {
    hk_uom uom;
    if (!v->unit || !hk_uom_parse(v->unit, &uom))
        return;
    hk_uom *kept = HK_NEW(p->r.arena, hk_uom);
    *kept = uom;
    v->uom = kept;
}

typedef enum word_causality { INTERNAL, INPUT, OUTPUT, NONE } word_causality;
typedef enum word_variability { CONTINUOUS, CONSTANT, PARAMETER, DISCRETE } word_variability;

/* Causality, variability and initial in the words of FMI 2.0. */
static hk_status read_role(hk_fmi2_parse *p, const hk_xml *e, const hk_xml *value, hk_variable *v) {
    static const char *const causalities[] = {"internal", "input", "output", "none"};
    static const char *const variabilities[] = {"continuous", "constant", "parameter", "discrete"};
    static const hk_causality meaning[] = {HK_LOCAL, HK_INPUT, HK_OUTPUT, HK_LOCAL};
    int causality = INTERNAL, variability = CONTINUOUS;
    bool fixed = true, starts = hk_xml_attr_get(value, "start") != NULL;
    HK_TRY(hk_read_attr_word(&p->r, e, "causality", causalities, 4, &causality));
    HK_TRY(hk_read_attr_word(&p->r, e, "variability", variabilities, 4, &variability));
    HK_TRY(hk_read_attr_bool(&p->r, value, "fixed", &fixed));
    v->causality = meaning[causality];
    v->initial = !starts ? HK_CALCULATED : fixed ? HK_EXACT : HK_APPROX;
    /* "continuous" is the default, and only Real variables can be. */
    v->variability =
        variability == CONTINUOUS && p->kind == HK_FMI2_REAL ? HK_CONTINUOUS : HK_DISCRETE;
    if (causality == INPUT)
        v->initial = HK_INITIAL_NONE;
    if (variability == CONSTANT) {
        if (causality == INPUT)
            return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_fmi2_where(p, e, v), NULL,
                            "'%s' is an input and constant, which contradict each other", v->name);
        v->variability = HK_CONSTANT;
        v->initial = HK_EXACT;
    } else if (variability == PARAMETER && causality != OUTPUT) {
        bool settable = starts || causality == INPUT;
        v->causality = settable ? HK_PARAMETER : HK_CALCULATED_PARAMETER;
        v->variability = HK_FIXED;
        v->initial = settable ? HK_EXACT : HK_CALCULATED;
    }
    return HK_OK;
}

static hk_status read_alias(hk_fmi2_parse *p, uint32_t index) {
    static const char *const words[] = {"noAlias", "alias", "negatedAlias"};
    enum { NEGATED = 2 };
    hk_variable *v = &p->info->variables[index];
    const hk_xml *e = p->elements[index];
    int alias = 0;
    HK_TRY(hk_read_attr_word(&p->r, e, "alias", words, 3, &alias));
    if (alias != NEGATED)
        return HK_OK;
    if (v->type == HK_TYPE_STRING || v->type == HK_TYPE_ENUM)
        return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_fmi2_where(p, e, v), NULL,
                        "'%s' is a negatedAlias, but a value of type %s has no opposite", v->name,
                        hk_type_name(v->type));
    v->negated = true;
    return HK_OK;
}

static hk_status read_variable(hk_fmi2_parse *p, const hk_xml *e, const hk_xml *value,
                               hk_variable *v) {
    HK_TRY(hk_fmi2_read_type(p, e, value, v));
    read_unit(p, v);
    HK_TRY(read_role(p, e, value, v));
    return hk_xml_attr_get(value, "start") ? hk_fmi2_read_start(p, e, value, v) : HK_OK;
}

/* Text without the white space around it, in the arena. */
static const char *trim(hk_arena *arena, const char *text) {
    static const char space[] = " \t\r\n";
    text += strspn(text, space);
    size_t length = strlen(text);
    while (length && strchr(space, text[length - 1]))
        length--;
    return hk_arena_strndup(arena, text, length);
}

/* DirectDependency lists the inputs on which an output depends; without it these are all. */
static hk_status read_dependencies(hk_fmi2_parse *p, uint32_t index) {
    hk_variable *v = &p->info->variables[index];
    const hk_xml *list = hk_xml_child(p->elements[index], NULL, "DirectDependency");
    if (!list)
        return HK_OK;
    size_t count = 0, i = 0;
    for (const hk_xml *e = hk_xml_child(list, NULL, "Name"); e; e = hk_xml_next(e, NULL, "Name"))
        count++;
    uint32_t *on = HK_NEW_ARRAY(p->r.arena, uint32_t, count + 1);
    for (const hk_xml *e = hk_xml_child(list, NULL, "Name"); e; e = hk_xml_next(e, NULL, "Name")) {
        const char *name = trim(p->r.arena, e->text);
        on[i] = hk_info_find(p->info, name);
        if (on[i++] == HK_MAP_NONE)
            return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(p->r.file, e), NULL,
                            "the DirectDependency of '%s' names '%.60s', which is no variable",
                            v->name, name);
    }
    v->depends = v->depends_init = (hk_depends){.known = true, .on = on, .count = count};
    return HK_OK;
}

static void report(const hk_fmi2_parse *p) {
    hk_ctx *ctx = p->r.ctx;
    const char *file = p->r.file;
    hk_tally_report(ctx, file, &p->twice, "is defined twice; the first definition counts", NULL);
    hk_tally_report(ctx, file, &p->unknown_type,
                    "has no declaredType that TypeDefinitions holds for its kind of value", NULL);
    hk_tally_report(ctx, file, &p->alias_starts,
                    "has a start value, and so has another variable with the same reference",
                    "set one of them only");
}

static hk_status parse_all(hk_fmi2_parse *p, const hk_xml *root) {
    HK_TRY(read_root(p, root));
    count_units(p, hk_xml_child(root, NULL, "UnitDefinitions"));
    HK_TRY(hk_fmi2_read_types(p, hk_xml_child(root, NULL, "TypeDefinitions"), "Type", "Type"));
    hk_read_defaults(&p->r, hk_xml_child(root, NULL, "DefaultExperiment"), &p->info->defaults);
    const hk_xml *variables = hk_xml_child(root, NULL, "ModelVariables");
    if (variables)
        HK_TRY(hk_fmi2_read_variables(p, variables, read_variable));
    hk_fmi2_find_aliases(p);
    for (uint32_t i = 0; i < p->info->variable_count; i++) {
        if (p->info->variables[i].ref == HK_FMI1_NO_REFERENCE)
            p->info->variables[i].alias_of = i;
        HK_TRY(read_alias(p, i));
        HK_TRY(read_dependencies(p, i));
    }
    report(p);
    return HK_OK;
}

hk_status hk_fmi1_describe(hk_ctx *ctx, hk_fmu *fmu, const hk_xml *root) {
    hk_fmi2_parse parse = {.r = {.ctx = ctx, .file = fmu->info.file, .arena = fmu->arena},
                           .fmu = fmu,
                           .info = &fmu->info,
                           .truth_store = HK_STORE_BOOL8};
    hk_status status = parse_all(&parse, root);
    hk_map_finish(&parse.units.by_name);
    hk_map_finish(&parse.type_map);
    return status;
}
