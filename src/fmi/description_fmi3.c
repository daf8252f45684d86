/* SPDX-License-Identifier: MIT
 *
 * modelDescription.xml of FMI 3.0: root, types and the list of variables. As in FMI 2.0, what
 * breaks the standard but has one possible meaning is tolerated with a warning. */
#include "fmi/description_fmi3.h"

#include <stdlib.h>
#include <string.h>

static void read_interface(hk_fmi3_parse *p, const hk_xml *root) {
    hk_fmu_facts *facts = &p->fmu->facts;
    hk_abilities *can = &p->info->can;
    const hk_reader *r = &p->r;
    const hk_xml *e = hk_xml_child(root, NULL, "CoSimulation");
    const hk_xml *exchange = hk_xml_child(root, NULL, "ModelExchange");
    const hk_xml *scheduled = hk_xml_child(root, NULL, "ScheduledExecution");
    facts->co_simulation = e != NULL;
    facts->model_exchange = exchange != NULL;
    facts->scheduled_execution = scheduled != NULL;
    if (!e && !exchange && !scheduled) {
        hk_fault_add(r, HK_FAULT_NO_INTERFACE, root, NULL);
        p->info->kind = "FMI 3.0";
        return;
    }
    if (!e) {
        p->info->kind = exchange ? "FMI 3.0 model exchange" : "FMI 3.0 scheduled execution";
        e = exchange ? exchange : scheduled;
    }
    uint32_t order = 0;
    facts->model_identifier = hk_read_model_identifier(r, e);
    hk_read_attr_bool(r, e, "canHandleVariableCommunicationStepSize", &can->variable_step);
    hk_read_attr_bool(r, e, "canGetAndSetFMUState", &can->save_state);
    hk_read_attr_bool(r, e, "canSerializeFMUState", &can->serialize_state);
    hk_read_attr_bool(r, e, "canBeInstantiatedOnlyOncePerProcess", &can->once_per_process);
    hk_read_attr_bool(r, e, "needsExecutionTool", &can->needs_tool);
    hk_read_attr_u32(r, e, "maxOutputDerivativeOrder", &order);
    hk_read_attr_bool(r, e, "providesDirectionalDerivatives", &can->directional_derivatives);
    hk_read_attr_bool(r, e, "hasEventMode", &facts->has_event_mode);
    hk_read_attr_bool(r, e, "mightReturnEarlyFromDoStep", &facts->might_return_early);
    hk_read_attr_bool(r, e, "providesIntermediateUpdate", &facts->intermediate_update);
    hk_read_attr_f64(r, e, "fixedInternalStepSize", &facts->fixed_internal_step);
    can->output_derivative_order = order;
    can->save_state |= can->serialize_state; /* the second implies the first */
}

static const hk_xml *find_schedule(const hk_xml *root) {
    const hk_xml *list = hk_xml_child(root, NULL, "Annotations");
    for (const hk_xml *e = list ? hk_xml_child(list, NULL, "Annotation") : NULL; e;
         e = hk_xml_next(e, NULL, "Annotation")) {
        const char *type = hk_xml_attr_get(e, "type");
        if (type && strcmp(type, HK_STAMP_TOOL) == 0)
            return hk_xml_child(e, HK_STAMP_NAMESPACE, "Schedule");
    }
    return NULL;
}

static void read_root(hk_fmi3_parse *p, const hk_xml *root) {
    hk_read_about(&p->r, root, "instantiationToken", p->fmu);
    p->info->kind = "FMI 3.0 co-simulation";
    hk_read_log_categories(p->fmu, hk_xml_child(root, NULL, "LogCategories"));
    hk_read_stamp(&p->r, find_schedule(root), "stamp", &p->info->stamp);
    read_interface(p, root);
    hk_name_model(&p->r, root, p->fmu);
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

static void read_types(hk_fmi3_parse *p, const hk_xml *list) {
    size_t count = 0;
    hk_type type;
    for (const hk_xml *e = list ? list->child : NULL; e; e = e->next)
        count += find_kind(e->name, "Type", &type);
    p->types.all = HK_NEW_ARRAY(p->r.arena, hk_declared_type, count + 1);
    uint32_t i = 0;
    for (const hk_xml *e = list ? list->child : NULL; e; e = e->next) {
        if (!find_kind(e->name, "Type", &type))
            continue;
        hk_declared_type *t = &p->types.all[i];
        *t = (hk_declared_type){.type = type, .element = e};
        t->name = hk_read_attr_text(&p->r, e, "name");
        if (!t->name)
            continue;
        if (type == HK_TYPE_ENUM)
            t->enumeration = hk_read_items(&p->r, e, t->name);
        if (hk_map_put(&p->types.by_name, t->name, i) != i)
            hk_fault_add(&p->r, HK_FAULT_TWICE, e, t->name);
        i++;
    }
    p->fmu->facts.type_count = count;
}

/* Takes the next place of info for V, which is read from E. */
static void add_variable(hk_fmi3_parse *p, const hk_xml *e, const hk_variable *v) {
    size_t index = p->info->variable_count++;
    p->info->variables[index] = *v;
    p->elements[index] = e;
}

/* An alias is the same variable under another name. */
static void add_aliases(hk_fmi3_parse *p, const hk_xml *e, hk_variable v) {
    for (const hk_xml *a = hk_xml_child(e, NULL, "Alias"); a; a = hk_xml_next(a, NULL, "Alias")) {
        v.name = hk_read_attr_text(&p->r, a, "name");
        if (!v.name)
            continue;
        v.description = hk_xml_attr_get(a, "description");
        v.display_unit = hk_xml_attr_get(a, "displayUnit");
        v.line = a->line;
        v.column = a->column;
        add_variable(p, a, &v);
    }
}

static void read_variables(hk_fmi3_parse *p, const hk_xml *list) {
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
        if (!find_kind(e->name, "", &type)) {
            hk_fault_add(&p->r, HK_FAULT_UNKNOWN_ELEMENT, e, e->name);
            continue;
        }
        hk_fmi3_read_variable(p, e, type, &v);
        add_variable(p, e, &v);
        if (!v.unusable)
            p->refs[p->ref_count++] = (hk_fmi3_ref){v.ref, v.alias_of};
        add_aliases(p, e, v);
    }
}

static int compare_refs(const void *left, const void *right) {
    const hk_fmi3_ref *a = left, *b = right;
    if (a->ref != b->ref)
        return a->ref < b->ref ? -1 : 1;
    return a->variable < b->variable ? -1 : a->variable > b->variable;
}

/* Value references are unique over all types; of those that are not the first is meant. */
static void sort_refs(hk_fmi3_parse *p) {
    qsort(p->refs, p->ref_count, sizeof *p->refs, compare_refs);
    for (size_t i = 1; i < p->ref_count; i++)
        if (p->refs[i].ref == p->refs[i - 1].ref) {
            uint32_t index = p->refs[i].variable;
            hk_fault_add(&p->r, HK_FAULT_SAME_REFERENCE, p->elements[index],
                         p->info->variables[index].name);
        }
}

static bool has_aliases(const hk_info *info, uint32_t index) {
    return index + 1 < info->variable_count && info->variables[index + 1].alias_of == index;
}

/* Scalars of one type with one reference have one memory. */
static void join_same_refs(hk_fmi3_parse *p) {
    size_t first = 0;
    for (size_t i = 1; i < p->ref_count; i++) {
        if (p->refs[i].ref != p->refs[first].ref)
            first = i;
        const hk_variable *a = &p->info->variables[p->refs[first].variable];
        hk_variable *b = &p->info->variables[p->refs[i].variable];
        if (a != b && a->type == b->type && !a->dim_count && !b->dim_count &&
            a->alias_of == p->refs[first].variable && !has_aliases(p->info, p->refs[i].variable))
            b->alias_of = p->refs[first].variable;
    }
}

static void parse_all(hk_fmi3_parse *p, const hk_xml *root) {
    read_root(p, root);
    hk_read_units(&p->r, hk_xml_child(root, NULL, "UnitDefinitions"), &p->units);
    p->fmu->facts.unit_count = p->units.count;
    read_types(p, hk_xml_child(root, NULL, "TypeDefinitions"));
    hk_read_defaults(&p->r, hk_xml_child(root, NULL, "DefaultExperiment"), &p->info->defaults);
    const hk_xml *variables = hk_xml_child(root, NULL, "ModelVariables");
    if (!variables) {
        hk_fault_add(&p->r, HK_FAULT_NO_VARIABLES, root, NULL);
        return;
    }
    read_variables(p, variables);
    sort_refs(p);
    hk_fmi3_read_values(p);
    hk_fmi3_read_clocks(p);
    hk_fmi3_read_structure(p, root);
    join_same_refs(p);
    hk_name_variables(&p->r, p->info, p->elements);
    hk_read_pulses(&p->r, find_schedule(root), "pulses", p->info);
    if (!p->has_independent)
        hk_fault_add(&p->r, HK_FAULT_NO_INDEPENDENT, variables, NULL);
}

void hk_fmi3_describe(const hk_reader *r, hk_fmu *fmu, const hk_xml *root) {
    hk_fmi3_parse parse = {
        .r = *r, .fmu = fmu, .info = &fmu->info, .fill_budget = HK_FMI3_FILL_MAX};
    parse_all(&parse, root);
    hk_map_finish(&parse.units.by_name);
    hk_map_finish(&parse.types.by_name);
}
