/* SPDX-License-Identifier: MIT
 *
 * modelDescription.xml of FMI 1.0. */
#include "export/export_internal.h"

static const char *causality(const hk_variable *v) {
    return v->causality == HK_INPUT ? "input" : v->causality == HK_OUTPUT ? "output" : "internal";
}

static const char *variability(const hk_variable *v) {
    return v->variability == HK_CONTINUOUS ? "continuous"
           : v->variability == HK_DISCRETE ? "discrete"
                                           : "parameter";
}

static void put_dependencies(const hk_export *e, FILE *out, const hk_variable *v) {
    if (v->causality != HK_OUTPUT || !v->depends.known)
        return;
    fputs("<DirectDependency>", out);
    for (uint32_t i = 0; i < e->info->variable_count; i++) {
        const hk_variable *from = &e->info->variables[i];
        size_t count = hk_export_depends(e, v, i, false) ? from->count : 0;
        for (size_t k = 0; k < count; k++) {
            fputs("<Name>", out);
            hk_export_put_escaped(out, hk_export_element_name(e->arena, from, k));
            fputs("</Name>", out);
        }
    }
    fputs("</DirectDependency>", out);
}

static void put_variable(const hk_export *e, FILE *out, const hk_variable *v, size_t element,
                         size_t ref) {
    bool real = v->type == HK_TYPE_F64 || v->type == HK_TYPE_F32;
    fputs("    <ScalarVariable", out);
    hk_export_put_attr(out, "name", hk_export_element_name(e->arena, v, element));
    fprintf(out, " valueReference=\"%zu\" causality=\"%s\" variability=\"%s\"", ref, causality(v),
            variability(v));
    hk_export_put_attr(out, "description", v->description);
    fprintf(out, "><%s", hk_export_type_name(e, v));
    if (real)
        hk_export_put_attr(out, "unit", v->unit);
    hk_export_put_domain(e, out, v);
    if (hk_export_has_start(v)) {
        hk_export_put_attr(out, "start", hk_export_start(e->arena, v, element, true));
        /* An input's start value is a proposal only; those of the others hold. */
        if (v->causality != HK_INPUT)
            fputs(" fixed=\"true\"", out);
    }
    fputs("/>", out);
    put_dependencies(e, out, v);
    fputs("</ScalarVariable>\n", out);
}

void hk_export_describe_fmi1(const hk_export *e, FILE *out) {
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"1.0\"",
          out);
    hk_export_put_attr(out, "modelIdentifier", e->identifier);
    hk_export_put_root(e, out);
    fputs(" numberOfContinuousStates=\"0\" numberOfEventIndicators=\"0\">\n", out);
    hk_export_put_units(e, out);
    hk_export_put_types(e, out);
    fprintf(out,
            "  <VendorAnnotations><Tool name=\"hocket\"><Annotation name=\"stamp\" value=\"%s\"/>"
            "<Annotation name=\"state\" value=\"%s\"/>",
            hk_export_stamp(e), e->info->can.serialize_state ? "true" : "false");
    if (hk_export_pulses(e)) {
        fputs("<Annotation name=\"pulses\"", out);
        hk_export_put_attr(out, "value", hk_export_pulses(e));
        fputs("/>", out);
    }
    hk_export_put_own_items(e, out);
    fputs("</Tool></VendorAnnotations>\n", out);
    hk_export_put_scalars(e, out, put_variable);
    fprintf(
        out,
        "  <Implementation><CoSimulation_StandAlone>"
        "<Capabilities canHandleVariableCommunicationStepSize=\"true\" canHandleEvents=\"false\" "
        "canRejectSteps=\"false\" canInterpolateInputs=\"false\" maxOutputDerivativeOrder=\"0\" "
        "canRunAsynchronuously=\"false\" canSignalEvents=\"false\" "
        "canBeInstantiatedOnlyOncePerProcess=\"%s\" "
        "canNotUseMemoryManagementFunctions=\"true\"/></CoSimulation_StandAlone>"
        "</Implementation>\n</fmiModelDescription>\n",
        e->options->once_per_process ? "true" : "false");
}
