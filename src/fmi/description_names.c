/* SPDX-License-Identifier: MIT
 *
 * Names that a description has and its version of FMI does not know: typing errors, and what tools
 * have added. Where a known name may be is left to `hocket check`; here it is only said what is
 * not read at all. */
#include "fmi/description.h"

#include <string.h>

/* Elements and attributes by version. */
static const struct {
    const char *elements, *attributes;
} words[] = {
    {"Annotation BaseUnit Boolean BooleanType Capabilities CoSimulation_StandAlone "
     "CoSimulation_Tool DefaultExperiment DirectDependency DisplayUnitDefinition "
     "Enumeration EnumerationType File Implementation Integer IntegerType Item Model "
     "ModelVariables Name Real RealType ScalarVariable String StringType Tool Type "
     "TypeDefinitions UnitDefinitions VendorAnnotations fmiModelDescription",
     "alias author canBeInstantiatedOnlyOncePerProcess canHandleEvents "
     "canHandleVariableCommunicationStepSize canInterpolateInputs "
     "canNotUseMemoryManagementFunctions canRejectSteps canRunAsynchronuously "
     "canSignalEvents causality declaredType description displayUnit entryPoint file "
     "fixed fmiVersion gain generationDateAndTime generationTool guid manualStart max "
     "maxOutputDerivativeOrder min modelIdentifier modelName name nominal "
     "numberOfContinuousStates numberOfEventIndicators offset quantity relativeQuantity "
     "start startTime stopTime tolerance type unit value valueReference variability "
     "variableNamingConvention version"},
    {"Annotations BaseUnit Boolean Category CoSimulation DefaultExperiment Derivatives "
     "DisplayUnit Enumeration File InitialUnknowns Integer Item LogCategories "
     "ModelExchange ModelStructure ModelVariables Outputs Real ScalarVariable SimpleType "
     "SourceFiles String Tool TypeDefinitions Unit UnitDefinitions Unknown "
     "VendorAnnotations fmiModelDescription",
     "A K author canBeInstantiatedOnlyOncePerProcess canGetAndSetFMUstate "
     "canHandleMultipleSetPerTimeInstant canHandleVariableCommunicationStepSize "
     "canInterpolateInputs canNotUseMemoryManagementFunctions canRunAsynchronuously "
     "canSerializeFMUstate causality cd completedIntegratorStepNotNeeded copyright "
     "declaredType dependencies dependenciesKind derivative description displayUnit "
     "factor fmiVersion generationDateAndTime generationTool guid index initial kg "
     "license m max maxOutputDerivativeOrder min modelIdentifier modelName mol name "
     "needsExecutionTool nominal numberOfEventIndicators offset "
     "providesDirectionalDerivative quantity rad reinit relativeQuantity s start "
     "startTime stepSize stopTime tolerance unbounded unit value valueReference "
     "variability variableNamingConvention version"},
    {"Alias Annotation Annotations BaseUnit Binary BinaryType Boolean BooleanType "
     "Category Clock ClockType ClockedState CoSimulation ContinuousStateDerivative "
     "DefaultExperiment Dimension DisplayUnit Enumeration EnumerationType EventIndicator "
     "Float32 Float32Type Float64 Float64Type InitialUnknown Int16 Int16Type Int32 "
     "Int32Type Int64 Int64Type Int8 Int8Type Item LogCategories ModelExchange "
     "ModelStructure ModelVariables Output ScheduledExecution Start String StringType "
     "TypeDefinitions UInt16 UInt16Type UInt32 UInt32Type UInt64 UInt64Type UInt8 "
     "UInt8Type Unit UnitDefinitions fmiModelDescription",
     "A K author canBeDeactivated canBeInstantiatedOnlyOncePerProcess "
     "canGetAndSetFMUState canHandleMultipleSetPerTimeInstant "
     "canHandleVariableCommunicationStepSize canReturnEarlyAfterIntermediateUpdate "
     "canSerializeFMUState causality cd clocks copyright declaredType dependencies "
     "dependenciesKind derivative description displayUnit factor fixedInternalStepSize "
     "fmiVersion generationDateAndTime generationTool hasEventMode initial "
     "instantiationToken intermediateUpdate intervalCounter intervalDecimal "
     "intervalVariability inverse kg license m max maxOutputDerivativeOrder maxSize "
     "mightReturnEarlyFromDoStep mimeType min modelIdentifier modelName mol name "
     "needsCompletedIntegratorStep needsExecutionTool nominal offset previous priority "
     "providesAdjointDerivatives providesDirectionalDerivatives "
     "providesEvaluateDiscreteStates providesIntermediateUpdate "
     "providesPerElementDependencies quantity rad recommendedIntermediateInputSmoothness "
     "reinit relativeQuantity resolution s shiftCounter shiftDecimal start startTime "
     "stepSize stopTime supportsFraction tolerance type unbounded unit value "
     "valueReference variability variableNamingConvention version"},
};

enum { MEMO = 128 };

/* The names of a tree are shared, so that most are recognised by their address. */
typedef struct known_names {
    hk_map map;
    const char *memo[MEMO];
} known_names;

static void learn(hk_arena *arena, const char *list, known_names *ret) {
    uint32_t count = 0;
    for (size_t length; *list; list += length + (list[length] == ' ')) {
        length = strcspn(list, " ");
        hk_map_put(&ret->map, hk_arena_strndup(arena, list, length), count++);
    }
}

static bool is_known(known_names *names, const char *name) {
    size_t slot = ((uintptr_t)name >> 3) % MEMO;
    if (names->memo[slot] == name)
        return true;
    if (hk_map_get(&names->map, name) == HK_MAP_NONE)
        return false;
    names->memo[slot] = name;
    return true;
}

typedef struct walk {
    const hk_reader *r;
    known_names elements, attributes;
    bool
        fmi3; /* capabilities of later versions are allowed; ModelVariables are looked at already */
} walk;

static bool is_free(const char *name) {
    return strcmp(name, "Annotations") == 0 || strcmp(name, "VendorAnnotations") == 0;
}

static bool has_free_flags(const walk *w, const char *name) {
    return w->fmi3 && (strcmp(name, "CoSimulation") == 0 || strcmp(name, "ModelExchange") == 0 ||
                       strcmp(name, "ScheduledExecution") == 0);
}

static void visit(walk *w, const hk_xml *e) {
    bool flags = has_free_flags(w, e->name);
    for (size_t i = 0; i < e->attr_count && !flags; i++)
        if (!e->attrs[i].ns[0] && !is_known(&w->attributes, e->attrs[i].name))
            hk_fault_add(w->r, HK_FAULT_UNKNOWN_ATTRIBUTE, e, e->attrs[i].name);
    for (const hk_xml *c = is_free(e->name) ? NULL : e->child; c; c = c->next) {
        if (is_known(&w->elements, c->name))
            visit(w, c);
        else if (!w->fmi3 || strcmp(e->name, "ModelVariables") != 0)
            hk_fault_add(w->r, HK_FAULT_UNKNOWN_ELEMENT, c, c->name);
    }
}

void hk_find_unknown_names(const hk_reader *r, const hk_xml *root, int version) {
    HK_ASSERT(version >= 1 && version <= 3);
    walk w = {.r = r, .fmi3 = version == 3};
    learn(r->arena, words[version - 1].elements, &w.elements);
    learn(r->arena, words[version - 1].attributes, &w.attributes);
    visit(&w, root);
    hk_map_finish(&w.elements.map);
    hk_map_finish(&w.attributes.map);
}
