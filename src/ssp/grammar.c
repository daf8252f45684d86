/* SPDX-License-Identifier: MIT
 *
 * Which elements and attributes SSP knows where, and how often. What is unknown is ignored with one
 * warning of each kind; what stands twice and may stand once is an error, since only one of the two
 * would be read. Namespaces decide, prefixes do not. */
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

/* Elements that are not here are accepted where a parent names them, and not looked into. A child
 * stands at most once, unless there is a '*' before it; of those with a '|' at most one stands in
 * a parent. What has a '-' is known and not used: that is told. */
static const struct rule {
    const char *name, *children, *attributes;
} rules[] = {
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

#define MARKS "*|-"
/* WORD in a list; NULL: it is not there. Marks are no part of the words. */
static const char *find_in_list(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *c = list; *c;) {
        size_t mark = strspn(c, MARKS), n = strcspn(c, " ");
        if (n - mark == length && memcmp(c + mark, word, length) == 0)
            return c;
        c += n;
        c += strspn(c, " ");
    }
    return NULL;
}

static const char *closest_in_list(hk_ssp *r, const char *list, const char *word) {
    enum { WORDS_MAX = 32 };
    const char *words[WORDS_MAX];
    size_t count = 0;
    for (const char *c = list; *c && count < WORDS_MAX;) {
        size_t mark = strspn(c, MARKS), n = strcspn(c, " ");
        words[count++] = hk_arena_strndup(r->arena, c + mark, n - mark);
        c += n;
        c += strspn(c, " ");
    }
    return hk_ssp_suggest(r, word, words, count);
}

static void unknown(hk_ssp *r, const char *file, const hk_xml *at, const char *what,
                    const char *list, const char *parent, const char *name) {
    const char *key = hk_arena_printf(r->arena, "%s %s %s", what, parent, name);
    if (hk_ssp_first(r, key))
        hk_warn(r->ctx, HK_E_SSP, hk_xml_where(file, at), closest_in_list(r, list, name),
                "unknown %s '%s' of '%s' is ignored", what, name, parent);
}

static const struct rule *find_rule(const hk_xml *element) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].name, element->name) == 0)
            return &rules[i];
    return NULL;
}

/* <ssd:Clock name="c"/> says which clocks a connector belongs to; <ssc:Clock/> is a type. */
static bool is_clock_of(const hk_xml *element) {
    return strcmp(element->name, "Clock") == 0 &&
           strcmp(element->ns, NAMESPACE "SystemStructureDescription") == 0;
}

/* What stands in one parent so far, by the place of its name in the list of children; those with a
 * '|' share one place. */
enum { PLACES_MAX = 32 };
typedef struct places {
    const hk_xml *first[PLACES_MAX];
    bool told[PLACES_MAX];
} places;

static size_t place_of(const char *children, const char *at) {
    size_t place = 1; /* 0 is for the alternatives */
    for (const char *c = children; c < at && *at != '|'; c++)
        place += *c == ' ';
    return *at == '|' ? 0 : place;
}

/* CHILD is one that SSP knows in ELEMENT: was there one before it, where only one may be? */
static void take_place(hk_ssp *r, const char *file, const hk_xml *element, const hk_xml *child,
                       const char *children, places *taken) {
    const char *at = find_in_list(children, child->name);
    if (*at == '*' || is_clock_of(child))
        return;
    size_t place = place_of(children, at);
    HK_ASSERT(place < PLACES_MAX);
    const hk_xml *first = taken->first[place];
    if (!first)
        taken->first[place] = child;
    if (!first || taken->told[place])
        return;
    taken->told[place] = true;
    bool alike = strcmp(first->name, child->name) == 0;
    hk_ssp_failed(r, hk_error(r->ctx, HK_E_DUPLICATE, hk_xml_where(file, child),
                              alike ? "join the two, or remove one" : "remove one of the two",
                              alike ? "'%s' may have one '%s', and this is another%s; the first "
                                      "stands in line %d"
                                    : "'%s' may not have '%s' beside '%s', which stands in line %d",
                              element->name, child->name, alike ? "" : first->name, first->line));
}

/* Drafts give the type of a connector as an attribute. */
static bool is_draft_attribute(const hk_xml *element, const char *name) {
    return strcmp(element->name, "Connector") == 0 && strcmp(name, "type") == 0;
}

static bool is_idle(const char *at) {
    return memchr(at, '-', strspn(at, MARKS)) != NULL;
}

static void look_at_attribute(hk_ssp *r, const char *file, const hk_xml *element, const char *list,
                              const hk_xml_attr *attribute) {
    const char *at = find_in_list(list, attribute->name);
    if (*attribute->ns) {
        if (!strstr(attribute->ns, "/XMLSchema-instance") && !strstr(attribute->ns, "/XML/1998"))
            hk_ssp_idle(r, hk_xml_where(file, element),
                        hk_arena_printf(r->arena, "%s of '%s'", attribute->name, attribute->ns));
    } else if (at && is_idle(at)) {
        hk_ssp_idle(r, hk_xml_where(file, element),
                    hk_arena_printf(r->arena, "%s@%s", element->name, attribute->name));
    } else if (!at && !(is_draft(element->ns) && is_draft_attribute(element, attribute->name))) {
        unknown(r, file, element, "attribute", list, element->name, attribute->name);
    }
}

/* The depth is limited by the XML reader. */
static void look_at(hk_ssp *r, const char *file, const hk_xml *element) {
    const struct rule *rule = find_rule(element);
    if (!rule)
        return;
    for (size_t i = 0; i < element->attr_count; i++)
        look_at_attribute(r, file, element, rule->attributes, &element->attrs[i]);
    places taken = {0};
    for (const hk_xml *child = element->child; child; child = child->next) {
        if (hk_ssp_in_namespace(child) && find_in_list(rule->children, child->name)) {
            take_place(r, file, element, child, rule->children, &taken);
            if (is_idle(find_in_list(rule->children, child->name)))
                hk_ssp_idle(r, hk_xml_where(file, child), child->name);
            look_at(r, file, child);
        } else if (hk_ssp_in_namespace(child)) {
            unknown(r, file, child, "element", rule->children, element->name, child->name);
        } else {
            const char *key = hk_arena_printf(r->arena, "foreign %s %s", child->ns, child->name);
            if (hk_ssp_first(r, key))
                hk_warn(r->ctx, HK_E_SSP, hk_xml_where(file, child),
                        "data of other tools belongs into an Annotation",
                        "element '%s' of namespace '%s' inside '%s' is ignored", child->name,
                        child->ns, element->name);
        }
    }
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
    look_at(r, file, xml);
    *ret_root = xml;
    return HK_OK;
}
