/* SPDX-License-Identifier: MIT
 *
 * modelDescription.xml of FMI 1.0, read with the tools of FMI 2.0 as far as the two are alike. Its
 * words are translated into those of FMI 2.0: a parameter is what has variability "parameter", and
 * `start` and `fixed` stand for `initial`. */
#include "base/number.h"
#include "fmi/description_fmi2.h"
#include "fmi/fmi1_api.h"

#include <string.h>

/* VendorAnnotations: the stamp, and whether hocket's functions for states are there. */
static void read_own_annotations(hk_fmi2_parse *p, const hk_xml *root) {
    const hk_xml *own = hk_find_own_tool(root);
    const hk_xml *e = own ? hk_xml_child(own, NULL, "Annotation") : NULL;
    for (; e; e = hk_xml_next(e, NULL, "Annotation")) {
        const char *name = hk_xml_attr_get(e, "name");
        if (name && strcmp(name, "stamp") == 0)
            hk_read_stamp(&p->r, e, "value", &p->info->stamp);
        else if (name && strcmp(name, "state") == 0)
            hk_read_attr_bool(&p->r, e, "value", &p->info->can.save_state);
    }
    p->info->can.serialize_state = p->info->can.save_state;
}

static void read_own_pulses(hk_fmi2_parse *p, const hk_xml *root) {
    const hk_xml *own = hk_find_own_tool(root);
    const hk_xml *e = own ? hk_xml_child(own, NULL, "Annotation") : NULL;
    for (; e; e = hk_xml_next(e, NULL, "Annotation")) {
        const char *name = hk_xml_attr_get(e, "name");
        if (name && strcmp(name, "pulses") == 0)
            hk_read_pulses(&p->r, e, "value", p->info);
    }
}

/* "item 2 drone.Mode": FMI 1.0 has no numbers for the items of an enumeration, so hocket writes
 * those of its own FMUs down beside. Returns the number of the type; HK_MAP_NONE: it is none of
 * these. */
static uint32_t read_item(hk_fmi2_parse *p, const hk_xml *e, int64_t *ret_value) {
    const char *name = hk_xml_attr_get(e, "name");
    const char *number = name && strncmp(name, "item ", 5) == 0 ? name + 5 : NULL;
    const char *type = number ? strchr(number, ' ') : NULL;
    if (!type || !hk_xml_attr_get(e, "value") ||
        !hk_read_i64(number, (size_t)(type - number), ret_value))
        return HK_MAP_NONE;
    uint32_t index = hk_map_get(&p->types.by_name, type + 1);
    return index != HK_MAP_NONE && p->types.all[index].type == HK_TYPE_I32 ? index : HK_MAP_NONE;
}

static void read_own_items(hk_fmi2_parse *p, const hk_xml *root) {
    const hk_xml *own = hk_find_own_tool(root);
    const hk_xml *first = own ? hk_xml_child(own, NULL, "Annotation") : NULL;
    size_t count = 0;
    int64_t value;
    for (const hk_xml *e = first; e; e = hk_xml_next(e, NULL, "Annotation"))
        count++;
    for (const hk_xml *e = first; e; e = hk_xml_next(e, NULL, "Annotation")) {
        uint32_t index = read_item(p, e, &value);
        if (index == HK_MAP_NONE)
            continue;
        hk_declared_type *type = &p->types.all[index];
        hk_enum *items = (hk_enum *)(uintptr_t)type->enumeration; /* ours, while they are read */
        if (!items) {
            items = HK_NEW(p->r.arena, hk_enum);
            *items = (hk_enum){.name = type->name,
                               .item_names = HK_NEW_ARRAY(p->r.arena, const char *, count),
                               .item_values = HK_NEW_ARRAY(p->r.arena, int64_t, count)};
            type->enumeration = items;
        }
        items->item_names[items->item_count] = hk_xml_attr_get(e, "value");
        ((int64_t *)(uintptr_t)items->item_values)[items->item_count++] = value;
    }
}

static void read_capabilities(hk_fmi2_parse *p, const hk_xml *e) {
    hk_abilities *can = &p->info->can;
    uint32_t order = 0;
    if (!e)
        return;
    hk_read_attr_bool(&p->r, e, "canHandleVariableCommunicationStepSize", &can->variable_step);
    hk_read_attr_bool(&p->r, e, "canBeInstantiatedOnlyOncePerProcess", &can->once_per_process);
    hk_read_attr_bool(&p->r, e, "canInterpolateInputs", &can->interpolates_inputs);
    hk_read_attr_bool(&p->r, e, "canRunAsynchronuously", &can->asynchronous);
    hk_read_attr_u32(&p->r, e, "maxOutputDerivativeOrder", &order);
    can->output_derivative_order = order;
}

static void read_implementation(hk_fmi2_parse *p, const hk_xml *root) {
    hk_fmu_facts *facts = &p->fmu->facts;
    const hk_xml *e = hk_xml_child(root, NULL, "Implementation");
    if (!e) {
        facts->model_exchange = true;
        p->info->kind = "FMI 1.0 model exchange";
        return;
    }
    const hk_xml *alone = hk_xml_child(e, NULL, "CoSimulation_StandAlone");
    const hk_xml *tool = hk_xml_child(e, NULL, "CoSimulation_Tool");
    if (!alone && !tool) {
        hk_fault_add(&p->r, HK_FAULT_NO_INTERFACE, e, NULL);
        p->info->kind = "FMI 1.0";
        return;
    }
    facts->co_simulation = true;
    p->info->can.needs_tool = !alone;
    const hk_xml *model = alone ? NULL : hk_xml_child(tool, NULL, "Model");
    const char *type = model ? hk_xml_attr_get(model, "type") : NULL;
    p->fmu->mime_type = type && type[0] ? type : "application/x-fmu-sharedlibrary";
    read_capabilities(p, hk_xml_child(alone ? alone : tool, NULL, "Capabilities"));
}

static void read_root(hk_fmi2_parse *p, const hk_xml *root) {
    hk_read_about(&p->r, root, "guid", p->fmu);
    p->fmu->facts.model_identifier = hk_read_model_identifier(&p->r, root);
    p->info->kind = "FMI 1.0 co-simulation";
    hk_name_model(&p->r, root, p->fmu);
    read_implementation(p, root);
    read_own_annotations(p, root);
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
    if (v->unit && !v->unit[0])
        v->unit = NULL;
    if (!v->unit || !hk_uom_parse(v->unit, &uom))
        return;
    hk_uom *kept = HK_NEW(p->r.arena, hk_uom);
    *kept = uom;
    v->uom = kept;
}

typedef enum word_causality { INTERNAL, INPUT, OUTPUT, NONE } word_causality;
typedef enum word_variability { CONTINUOUS, CONSTANT, PARAMETER, DISCRETE } word_variability;

/* Causality, variability and initial in the words of FMI 2.0. */
static void read_role(hk_fmi2_parse *p, const hk_xml *e, const hk_xml *value, hk_variable *v) {
    static const char *const causalities[] = {"internal", "input", "output", "none"};
    static const char *const variabilities[] = {"continuous", "constant", "parameter", "discrete"};
    static const hk_causality meaning[] = {HK_LOCAL, HK_INPUT, HK_OUTPUT, HK_LOCAL};
    int causality = INTERNAL, variability = CONTINUOUS;
    bool fixed = true, starts = hk_xml_attr_get(value, "start") != NULL;
    hk_read_attr_word(&p->r, e, "causality", causalities, 4, &causality);
    hk_read_attr_word(&p->r, e, "variability", variabilities, 4, &variability);
    hk_read_attr_bool(&p->r, value, "fixed", &fixed);
    v->causality = meaning[causality];
    v->initial = !starts ? HK_CALCULATED : fixed ? HK_EXACT : HK_APPROX;
    /* "continuous" is the default, and only Real variables can be. */
    v->variability =
        variability == CONTINUOUS && p->type == HK_TYPE_F64 ? HK_CONTINUOUS : HK_DISCRETE;
    if (causality == INPUT)
        v->initial = HK_INITIAL_NONE;
    if (variability == CONSTANT) {
        if (causality == INPUT) {
            hk_fault_add(&p->r, HK_FAULT_CONTRADICTION, e, v->name);
            v->unusable = "it is an input and constant, which contradict each other";
        }
        v->variability = HK_CONSTANT;
        v->initial = HK_EXACT;
    } else if (variability == PARAMETER && causality != OUTPUT) {
        bool settable = starts || causality == INPUT;
        v->causality = settable ? HK_PARAMETER : HK_CALCULATED_PARAMETER;
        v->variability = HK_FIXED;
        v->initial = settable ? HK_EXACT : HK_CALCULATED;
    }
}

static void read_alias(hk_fmi2_parse *p, const hk_xml *e, hk_variable *v) {
    static const char *const words[] = {"noAlias", "alias", "negatedAlias"};
    enum { NEGATED = 2 };
    int alias = 0;
    hk_read_attr_word(&p->r, e, "alias", words, 3, &alias);
    v->negated = alias == NEGATED;
    if (v->negated && (v->type == HK_TYPE_STRING || v->type == HK_TYPE_ENUM)) {
        hk_fault_add(&p->r, HK_FAULT_ALIAS, e, v->name);
        v->negated = false;
        v->unusable = "it is a negatedAlias of a value that has no opposite";
    }
}

static void read_variable(hk_fmi2_parse *p, const hk_xml *e, const hk_xml *value, hk_variable *v) {
    hk_fmi2_read_type(p, e, value, v);
    if (v->enumeration && v->type == HK_TYPE_I32) /* one of ours */
        v->type = HK_TYPE_ENUM;
    read_unit(p, v);
    read_role(p, e, value ? value : e, v);
    read_alias(p, e, v);
    if (value && hk_xml_attr_get(value, "start"))
        hk_fmi2_read_start(p, e, value, v);
}

/* DirectDependency lists the inputs on which an output depends; without it these are all. */
static void read_dependencies(hk_fmi2_parse *p, uint32_t index) {
    hk_variable *v = &p->info->variables[index];
    const hk_xml *list = hk_xml_child(p->elements[index], NULL, "DirectDependency");
    if (!list)
        return;
    size_t count = 0, i = 0;
    for (const hk_xml *e = hk_xml_child(list, NULL, "Name"); e; e = hk_xml_next(e, NULL, "Name"))
        count++;
    uint32_t *on = HK_NEW_ARRAY(p->r.arena, uint32_t, count + 1);
    for (const hk_xml *e = hk_xml_child(list, NULL, "Name"); e; e = hk_xml_next(e, NULL, "Name")) {
        const char *name = hk_text_trim(p->r.arena, e->text);
        on[i] = hk_info_find(p->info, name);
        if (on[i++] == HK_MAP_NONE) {
            hk_fault_add(&p->r, HK_FAULT_DEPENDENCY, e,
                         hk_arena_printf(p->r.arena, "Name %.60s", name));
            return; /* on all of them */
        }
    }
    v->depends = v->depends_init = (hk_depends){.known = true, .on = on, .count = count};
}

static void parse_all(hk_fmi2_parse *p, const hk_xml *root) {
    read_root(p, root);
    count_units(p, hk_xml_child(root, NULL, "UnitDefinitions"));
    hk_fmi2_read_types(p, hk_xml_child(root, NULL, "TypeDefinitions"), "Type", "Type");
    read_own_items(p, root);
    hk_read_defaults(&p->r, hk_xml_child(root, NULL, "DefaultExperiment"), &p->info->defaults);
    const hk_xml *variables = hk_xml_child(root, NULL, "ModelVariables");
    if (variables)
        hk_fmi2_read_variables(p, variables, read_variable);
    read_own_pulses(p, root);
    hk_fmi2_find_aliases(p);
    for (uint32_t i = 0; i < p->info->variable_count; i++) {
        if (p->info->variables[i].ref == HK_FMI1_NO_REFERENCE)
            p->info->variables[i].alias_of = i;
        read_dependencies(p, i);
    }
}

void hk_fmi1_describe(const hk_reader *r, hk_fmu *fmu, const hk_xml *root) {
    hk_fmi2_parse parse = {.r = *r, .fmu = fmu, .info = &fmu->info, .truth_store = HK_STORE_BOOL8};
    parse_all(&parse, root);
    hk_map_finish(&parse.units.by_name);
    hk_map_finish(&parse.types.by_name);
}
