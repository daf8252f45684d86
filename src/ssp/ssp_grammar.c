/* SPDX-License-Identifier: MIT
 *
 * Which elements and attributes SSP knows where, and how often. Namespaces decide, prefixes do not.
 */
#include "format/grammar.h"
#include "ssp/ssp_internal.h"

#include <string.h>

#define NAMESPACE HK_SSP_STANDARD
#define TYPES                                                                                      \
    "|Real |Integer |Boolean |String |Enumeration |Binary |Float64 |Float32 |Int8 |UInt8 |Int16 "  \
    "|UInt16 |Int32 |UInt32 |Int64 |UInt64 |Clock "
#define TRANSFORMATIONS                                                                            \
    "|LinearTransformation |BooleanMappingTransformation |IntegerMappingTransformation "           \
    "|EnumerationMappingTransformation "
#define EXTRAS "*-MetaData *-Signature Annotations "
#define BASE   "-id -description "
#define ORIGIN                                                                                     \
    BASE "version -author -fileversion -copyright -license -generationTool "                       \
         "-generationDateAndTime "

static const hk_grammar_rule rules[] = {
    {"SystemStructureDescription", EXTRAS "System Enumerations Units DefaultExperiment",
     ORIGIN "name"},
    {"System",
     EXTRAS "Connectors -ElementGeometry ParameterBindings Elements Connections "
            "SignalDictionaries -SystemGeometry -GraphicalElements",
     "-id description name"},
    {"Component", EXTRAS "Connectors -ElementGeometry ParameterBindings",
     BASE "name type source implementation"},
    {"SignalDictionaryReference", EXTRAS "Connectors -ElementGeometry ParameterBindings",
     BASE "name dictionary"},
    {"Connectors", "*Connector", ""},
    {"Connector", TYPES "*Dimension -ConnectorGeometry Annotations", BASE "name kind"},
    {"SignalDictionaries", "*SignalDictionary", ""},
    {"SignalDictionary", EXTRAS "SignalDictionary *DictionaryEntry Enumerations Units",
     ORIGIN "name type source"},
    {"DictionaryEntry", TYPES "*Dimension Annotations", BASE "name"},
    {"Elements", "*Component *SignalDictionaryReference *System", ""},
    {"Connections", "*Connection", ""},
    {"Connection", TRANSFORMATIONS "-ConnectionGeometry Annotations",
     BASE "startElement startConnector endElement endConnector startIndices endIndices "
          "suppressUnitConversion"},
    {"LinearTransformation", "Annotations", "factor offset"},
    {"BooleanMappingTransformation", "*MapEntry Annotations", ""},
    {"IntegerMappingTransformation", "*MapEntry Annotations", ""},
    {"EnumerationMappingTransformation", "*MapEntry Annotations", ""},
    {"MapEntry", "", "source target"},
    {"ParameterBindings", "*ParameterBinding", ""},
    {"ParameterBinding", EXTRAS "ParameterValues ParameterMapping",
     BASE "type source sourceBase prefix"},
    {"ParameterValues", "ParameterSet", ""},
    {"ParameterSet", EXTRAS "Parameters -Enumerations Units", ORIGIN "name"},
    {"Parameters", "*Parameter", ""},
    {"Parameter", TYPES "*Dimension Annotations", BASE "name"},
    {"ParameterMapping", EXTRAS "ParameterMapping *MappingEntry", ORIGIN "type source sourceBase"},
    {"MappingEntry", TRANSFORMATIONS "Annotations", BASE "source target suppressUnitConversion"},
    {"Units", "*Unit", ""},
    {"Unit", "BaseUnit Annotations", BASE "name"},
    {"BaseUnit", "", "kg m s A K mol cd rad factor offset"},
    {"Enumerations", "*Enumeration", ""},
    {"Enumeration", "*Item *Value Annotations", BASE "name value"},
    {"Item", "Annotations", "name value"},
    {"Real", "Annotations", "unit value"},
    {"Float64", "Annotations", "unit value"},
    {"Float32", "Annotations", "unit value"},
    {"Integer", "Annotations", "value"},
    {"Boolean", "Annotations", "value"},
    {"String", "*Value Annotations", "value"},
    {"Value", "", "value"},
    {"Int8", "Annotations", "value"},
    {"UInt8", "Annotations", "value"},
    {"Int16", "Annotations", "value"},
    {"UInt16", "Annotations", "value"},
    {"Int32", "Annotations", "value"},
    {"UInt32", "Annotations", "value"},
    {"Int64", "Annotations", "value"},
    {"UInt64", "Annotations", "value"},
    {"Binary", "*Value Annotations", "-mime-type value"},
    {"Clock", "Annotations",
     "name -intervalVariability -intervalDecimal -shiftDecimal -supportsFraction -resolution "
     "-intervalCounter -shiftCounter -priority"},
    {"Dimension", "", "size sizeConnector"},
    {"DefaultExperiment", "Annotations", BASE "startTime stopTime"},
    {"Annotations", "*Annotation", ""},
    {NULL, NULL, NULL},
};

/* Before 1.0 the namespaces were others; files of then are still about. */
static bool is_draft(const char *ns) {
    static const char draft[] = "http://www.pmsf.net/xsd/SystemStructure";
    size_t length = strlen(ns);
    return strncmp(ns, draft, sizeof draft - 1) == 0 && strcmp(ns + length - 5, "Draft") == 0;
}

bool hk_ssp_in_namespace(const hk_xml *element) {
    return strncmp(element->ns, NAMESPACE, strlen(NAMESPACE)) == 0 || is_draft(element->ns);
}

const hk_xml *hk_ssp_next(const hk_xml *element, const char *name) {
    do
        element = element->next;
    while (element && (strcmp(element->name, name) != 0 || !hk_ssp_in_namespace(element)));
    return element;
}

const hk_xml *hk_ssp_child(const hk_xml *element, const char *name) {
    const hk_xml *first = element->child;
    if (!first || (strcmp(first->name, name) == 0 && hk_ssp_in_namespace(first)))
        return first;
    return hk_ssp_next(first, name);
}

/* <ssd:Clock name="c"/> says which clocks a connector belongs to; <ssc:Clock/> is a type. */
static bool is_clock_of(const hk_xml *element) {
    return strcmp(element->name, "Clock") == 0 &&
           strcmp(element->ns, NAMESPACE "SystemStructureDescription") == 0;
}

/* Drafts give the type of a connector as an attribute. */
static bool is_draft_attribute(const hk_xml *element, const char *name) {
    return is_draft(element->ns) && strcmp(element->name, "Connector") == 0 &&
           strcmp(name, "type") == 0;
}

/* All of them are in one list. */
static void list_idle(void *user, const char *file, const hk_xml *element,
                      const hk_xml_attr *attribute) {
    hk_ssp *r = user;
    const char *what = element->name;
    if (attribute)
        what = *attribute->ns
                   ? hk_arena_printf(r->arena, "%s of '%s'", attribute->name, attribute->ns)
                   : hk_arena_printf(r->arena, "%s@%s", element->name, attribute->name);
    hk_ssp_idle(r, hk_xml_where(file, element), what);
}

hk_status hk_ssp_parse_xml(hk_ssp *r, const char *file, const char *data, size_t size,
                           const char *root, const hk_xml **ret_root) {
    const hk_xml *xml = NULL;
    HK_TRY(hk_ssp_parse_tree(r, file, data, size, &xml));
    if (strcmp(xml->name, root) != 0 || !hk_ssp_in_namespace(xml))
        return hk_error(r->ctx, HK_E_SSP, hk_xml_where(file, xml), NULL,
                        "the root element is '%s' of namespace '%s', expected '%s' of '%s...'",
                        xml->name, xml->ns, root, NAMESPACE);
    const char *version = hk_xml_attr_get(xml, "version");
    bool draft = version && strncmp(version, "Draft", 5) == 0 && is_draft(xml->ns);
    if (!draft && (!version || (strncmp(version, "1.", 2) != 0 && strncmp(version, "2.", 2) != 0)))
        hk_warn(r->ctx, HK_E_SSP, hk_xml_where(file, xml), NULL,
                version ? "version '%s' is neither 1.0 nor 2.0; read as 1.0"
                        : "the version is missing%s; read as 1.0",
                version ? version : "");
    if (is_draft(xml->ns) && hk_ssp_first(r, "draft"))
        hk_note(r->ctx, hk_xml_where(file, xml),
                "the namespaces are those of a draft of SSP; what it says is read as SSP 1.0");
    const hk_grammar grammar = {.rules = rules,
                                .is_own = hk_ssp_in_namespace,
                                .foreign_hint = "data of other tools belongs into an Annotation",
                                .may_repeat = is_clock_of,
                                .knows = is_draft_attribute,
                                .idle = list_idle,
                                .user = r};
    hk_grammar_check(r->ctx, &r->reading, &grammar, file, xml);
    *ret_root = xml;
    return HK_OK;
}
