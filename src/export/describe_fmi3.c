/* SPDX-License-Identifier: MIT
 *
 * modelDescription.xml of FMI 3.0. A port is one variable, whose value reference is its index; the
 * independent variable comes after them. */
#include "export/export_internal.h"

/* An enumeration without items, which FMI demands, is an integer. */
static const char *type_name(const hk_export *e, const hk_variable *v) {
    return hk_type_name(v->type == HK_TYPE_ENUM && !hk_export_is_enum(e, v) ? HK_TYPE_I64
                                                                            : v->type);
}

static bool is_bytes(const hk_variable *v) {
    return v->type == HK_TYPE_STRING || v->type == HK_TYPE_BINARY;
}

/* All elements, or one if they are all the same, which then stands for all. */
static void put_start(const hk_export *e, FILE *out, const hk_variable *v) {
    fputs(" start=\"", out);
    for (size_t k = 0; k < (v->start.data ? v->count : 1); k++)
        fprintf(out, "%s%s", k ? " " : "", hk_export_start(e->arena, v, k, false));
    fputc('"', out);
}

static void put_children(const hk_export *e, FILE *out, const hk_variable *v) {
    for (size_t d = 0; d < v->dim_count; d++)
        fprintf(out, "<Dimension start=\"%zu\"/>", v->dims[d]);
    for (size_t k = 0; is_bytes(v) && hk_export_has_start(v) && k < v->count; k++) {
        fputs("<Start", out);
        hk_export_put_attr(out, "value", hk_export_start(e->arena, v, k, false));
        fputs("/>", out);
    }
}

static void put_variable(const hk_export *e, FILE *out, const hk_variable *v, size_t ref) {
    bool real = v->type == HK_TYPE_F64 || v->type == HK_TYPE_F32;
    hk_export_role role = hk_export_role_of(e, ref);
    if (role == HK_EXPORT_HIDDEN)
        return;
    if (role == HK_EXPORT_CLOCK_IN || role == HK_EXPORT_CLOCK_OUT) {
        hk_export_put_clock(e, out, v, ref);
        return;
    }
    fprintf(out, "    <%s", type_name(e, v));
    hk_export_put_attr(out, "name", v->name);
    fprintf(out, " valueReference=\"%zu\" causality=\"%s\" variability=\"%s\"", ref,
            hk_causality_name(v->causality), hk_variability_name(v->variability));
    if (v->initial != HK_INITIAL_NONE)
        hk_export_put_attr(out, "initial", hk_initial_name(v->initial));
    hk_export_put_attr(out, "description", v->description);
    hk_export_put_clocks(e, out, ref);
    if (real)
        hk_export_put_attr(out, "unit", v->unit);
    hk_export_put_domain(e, out, v);
    if (hk_export_has_start(v) && !is_bytes(v))
        put_start(e, out, v);
    if (!v->dim_count && !(is_bytes(v) && hk_export_has_start(v))) {
        fputs("/>\n", out);
        return;
    }
    fputc('>', out);
    put_children(e, out, v);
    fprintf(out, "</%s>\n", type_name(e, v));
}

static void put_unknown(const hk_export *e, FILE *out, const hk_variable *v, size_t ref,
                        bool initial) {
    const hk_depends *depends = initial ? &v->depends_init : &v->depends;
    fprintf(out, "    <%s valueReference=\"%zu\"", initial ? "InitialUnknown" : "Output", ref);
    if (v->causality == HK_OUTPUT && depends->known) {
        fputs(" dependencies=\"", out);
        const char *gap = "";
        for (uint32_t i = 0; i < e->info->variable_count; i++)
            if (hk_export_role_of(e, i) != HK_EXPORT_HIDDEN &&
                hk_export_depends(e, v, i, initial)) {
                fprintf(out, "%s%u", gap, (unsigned)i);
                gap = " ";
            }
        fputc('"', out);
    }
    fputs("/>\n", out);
}

void hk_export_describe_fmi3(const hk_export *e, FILE *out) {
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"3.0\"",
          out);
    hk_export_put_root(e, out);
    fputs(">\n  <CoSimulation", out);
    hk_export_put_attr(out, "modelIdentifier", e->identifier);
    fprintf(out,
            " canHandleVariableCommunicationStepSize=\"true\" canGetAndSetFMUState=\"true\" "
            "canSerializeFMUState=\"%s\"%s%s%s/>\n",
            e->info->can.serialize_state ? "true" : "false",
            e->options->once_per_process ? " canBeInstantiatedOnlyOncePerProcess=\"true\"" : "",
            e->info->can.directional_derivatives ? " providesDirectionalDerivatives=\"true\"" : "",
            hk_export_has_clocks(e) ? " hasEventMode=\"true\"" : "");
    hk_export_put_units(e, out);
    hk_export_put_types(e, out);
    hk_export_put_categories(out);
    hk_export_put_experiment(e, out);
    fputs("  <ModelVariables>\n", out);
    size_t count = e->info->variable_count;
    for (size_t i = 0; i < count; i++)
        put_variable(e, out, &e->info->variables[i], i);
    fprintf(out,
            "    <Float64 name=\"%s\" valueReference=\"%zu\" causality=\"independent\" "
            "variability=\"continuous\" description=\"Time in seconds\"/>\n",
            hk_export_time_name(e), count);
    hk_export_put_cycle(e, out, count + 1);
    fputs("  </ModelVariables>\n  <ModelStructure>\n", out);
    for (size_t i = 0; i < count; i++)
        if (e->info->variables[i].causality == HK_OUTPUT)
            put_unknown(e, out, &e->info->variables[i], i, false);
    for (size_t i = 0; i < count; i++)
        if (hk_export_is_initial_unknown(&e->info->variables[i]) &&
            hk_export_role_of(e, i) != HK_EXPORT_CLOCKED)
            put_unknown(e, out, &e->info->variables[i], i, true);
    fputs("  </ModelStructure>\n  <Annotations><Annotation type=\"org.hocket.schedule\">", out);
    hk_export_put_schedule(e, out);
    fputs("</Annotation></Annotations>\n</fmiModelDescription>\n", out);
}
