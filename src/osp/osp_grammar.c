/* SPDX-License-Identifier: MIT
 *
 * Which elements and attributes OSP knows where, and how often. */
#include "format/grammar.h"
#include "osp/osp_internal.h"

static const hk_grammar_rule structure_rules[] = {
    {"OspSystemStructure",
     "StartTime EndTime BaseStepSize Algorithm Simulators Functions Connections "
     "*-EccoConfiguration *-Description",
     "version"},
    {"Simulators", "*Simulator", ""},
    {"Simulator", "InitialValues", "name source stepSize"},
    {"InitialValues", "*InitialValue", ""},
    {"InitialValue", "|Real |Integer |Boolean |String |Enumeration", "variable"},
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
    {"VariableConnection", "*Variable", "-powerBond -powerbond"},
    {"VariableGroupConnection", "*VariableGroup", "-powerBond -powerbond"},
    {"SignalConnection", "*Variable *Signal", ""},
    {"SignalGroupConnection", "*VariableGroup *SignalGroup", ""},
    {"Variable", "", "simulator name -causality -port"},
    {"VariableGroup", "", "simulator name -causality -port"},
    {"Signal", "", "function name"},
    {"SignalGroup", "", "function name"},
    {NULL, NULL, NULL},
};

/* Groups are looked at where they are read: groups.c. */
static const hk_grammar_rule description_rules[] = {
    {"OspModelDescription", "UnitDefinitions VariableGroups", "version"},
    {"UnitDefinitions", "*Unit", ""},
    {"Unit", "BaseUnit *-DisplayUnit", "name"},
    {"BaseUnit", "", "kg m s A K mol cd rad factor offset -percent"},
    {NULL, NULL, NULL},
};

void hk_osp_check_structure(hk_osp *r, const char *file, const hk_xml *root) {
    const hk_grammar grammar = {.rules = structure_rules};
    hk_grammar_check(r->ctx, &r->reading, &grammar, file, root);
}

void hk_osp_check_description(hk_osp *r, const char *file, const hk_xml *root) {
    const hk_grammar grammar = {.rules = description_rules};
    hk_grammar_check(r->ctx, &r->reading, &grammar, file, root);
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
