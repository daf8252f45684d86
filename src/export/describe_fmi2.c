/* SPDX-License-Identifier: MIT
 *
 * modelDescription.xml of FMI 2.0. */
#include "export/export_internal.h"

#include <stdlib.h>

static void put_variable(const hk_export *e, FILE *out, const hk_variable *v, size_t element,
                         size_t ref) {
    bool real = v->type == HK_TYPE_F64 || v->type == HK_TYPE_F32;
    fputs("    <ScalarVariable", out);
    hk_export_put_attr(out, "name", hk_export_element_name(e->arena, v, element));
    fprintf(out, " valueReference=\"%zu\" causality=\"%s\" variability=\"%s\"", ref,
            hk_causality_name(v->causality), hk_variability_name(v->variability));
    if (v->initial != HK_INITIAL_NONE)
        hk_export_put_attr(out, "initial", hk_initial_name(v->initial));
    hk_export_put_attr(out, "description", v->description);
    fprintf(out, "><%s", hk_export_type_name(e, v));
    if (real)
        hk_export_put_attr(out, "unit", v->unit);
    hk_export_put_domain(e, out, v);
    if (hk_export_has_start(v))
        hk_export_put_attr(out, "start", hk_export_start(e->arena, v, element, true));
    fputs("/></ScalarVariable>\n", out);
}

/* The attribute with the indices, from 1, of what V depends on; "" if that is not known. */
static const char *dependencies(const hk_export *e, const hk_variable *v, bool initial) {
    const hk_depends *depends = initial ? &v->depends_init : &v->depends;
    if (v->causality != HK_OUTPUT || !depends->known)
        return "";
    char *text = NULL;
    size_t size = 0, index = 1;
    FILE *out = open_memstream(&text, &size);
    HK_ASSERT(out);
    const char *gap = " dependencies=\"";
    for (uint32_t i = 0; i < e->info->variable_count; i++) {
        size_t count = e->info->variables[i].count;
        bool listed = hk_export_depends(e, v, i, initial);
        for (size_t k = 0; k < count; k++, index++)
            if (listed) {
                fprintf(out, "%s%zu", gap, index);
                gap = " ";
            }
    }
    fputs(*gap && gap[1] ? " dependencies=\"\"" : "\"", out);
    HK_ASSERT(fclose(out) == 0);
    const char *kept = hk_arena_strndup(e->arena, text, size);
    free(text);
    return kept;
}

static void put_unknowns(const hk_export *e, FILE *out, const char *list, bool initial) {
    bool any = false;
    size_t index = 1;
    for (size_t i = 0; i < e->info->variable_count; i++) {
        const hk_variable *v = &e->info->variables[i];
        if (!(initial ? hk_export_is_initial_unknown(v) : v->causality == HK_OUTPUT)) {
            index += v->count;
            continue;
        }
        const char *on = dependencies(e, v, initial);
        if (!any)
            fprintf(out, "    <%s>\n", list);
        any = true;
        for (size_t k = 0; k < v->count; k++, index++)
            fprintf(out, "      <Unknown index=\"%zu\"%s/>\n", index, on);
    }
    if (any)
        fprintf(out, "    </%s>\n", list);
}

static void put_interface(const hk_export *e, FILE *out) {
    fputs("  <CoSimulation", out);
    hk_export_put_attr(out, "modelIdentifier", e->identifier);
    fprintf(out,
            " canHandleVariableCommunicationStepSize=\"true\" "
            "canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\" "
            "canSerializeFMUstate=\"%s\"%s%s",
            e->info->can.serialize_state ? "true" : "false",
            e->options->once_per_process ? " canBeInstantiatedOnlyOncePerProcess=\"true\"" : "",
            e->info->can.directional_derivatives ? " providesDirectionalDerivative=\"true\"" : "");
    if (!e->options->sources) {
        fputs("/>\n", out);
        return;
    }
    fputs(">\n    <SourceFiles>\n", out);
    const char *unit;
    for (size_t i = 0; i < e->unit_count; i++) {
        fputs("      <File", out);
        hk_export_put_attr(out, "name", e->units[i]);
        fputs("/>\n", out);
    }
    for (size_t i = 0; (unit = hk_export_shell_unit(e, i)); i++)
        fprintf(out, "      <File name=\"%s\"/>\n", unit);
    fputs("    </SourceFiles>\n  </CoSimulation>\n", out);
}

void hk_export_describe_fmi2(const hk_export *e, FILE *out) {
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\"",
          out);
    hk_export_put_root(e, out);
    fputs(" numberOfEventIndicators=\"0\">\n", out);
    put_interface(e, out);
    hk_export_put_units(e, out);
    hk_export_put_types(e, out);
    hk_export_put_categories(out);
    hk_export_put_experiment(e, out);
    fputs("  <VendorAnnotations><Tool name=\"hocket\">", out);
    hk_export_put_schedule(e, out);
    fputs("</Tool></VendorAnnotations>\n", out);
    hk_export_put_scalars(e, out, put_variable);
    fputs("  <ModelStructure>\n", out);
    put_unknowns(e, out, "Outputs", false);
    put_unknowns(e, out, "InitialUnknowns", true);
    fputs("  </ModelStructure>\n</fmiModelDescription>\n", out);
}
