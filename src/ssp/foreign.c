/* SPDX-License-Identifier: MIT
 *
 * What the annotations of other tools say about steps. By names only, since namespaces differ from
 * version to version and are often not declared. */
#include "base/seconds.h"
#include "ssp/ssp_internal.h"

#include <string.h>

/* OpenModelica: FixedStepMaster@stepSize. Open Simulation Platform:
 * FixedStepAlgorithm@baseStepSize. By name only, since the namespaces differ from version to
 * version. */
static bool find_step(const hk_xml *xml, const hk_xml **ret_at, const char **ret_text) {
    for (const hk_xml *x = xml->child; x; x = x->next) {
        const char *text = NULL;
        if (strcmp(x->name, "FixedStepMaster") == 0)
            text = hk_xml_attr_get(x, "stepSize");
        else if (strcmp(x->name, "FixedStepAlgorithm") == 0)
            text = hk_xml_attr_get(x, "baseStepSize");
        if (text) {
            *ret_at = x;
            *ret_text = text;
            return true;
        }
        if (find_step(x, ret_at, ret_text))
            return true;
    }
    return false;
}

void hk_ssp_read_other_step(hk_ssp *r, const char *file, const hk_xml *xml, hk_ssd *ssd) {
    hk_experiment *e = &ssd->experiment;
    const hk_xml *list = hk_ssp_child(xml, "Annotations"), *at;
    const char *text;
    hk_ratio step;
    if (e->has_step || !list || !find_step(list, &at, &text))
        return;
    if (!hk_seconds_read(r->ctx, hk_xml_where(file, at), text, &step) || step.num <= 0) {
        hk_warn(r->ctx, HK_E_VALUE, hk_xml_where(file, at), NULL,
                "the step size '%s' of '%s' is not a positive time and is ignored", text, at->name);
        return;
    }
    e->step = step;
    e->has_step = true;
    e->step_source = HK_FROM_SYSTEM;
    ssd->step = at;
}

/* Open Simulation Platform and Vico: an annotation of a component that holds
 * <StepSizeHint value="0.01"/>. */
const hk_xml *hk_ssp_find_hint(const hk_xml *xml) {
    const hk_xml *list = hk_ssp_child(xml, "Annotations");
    for (const hk_xml *a = list ? hk_ssp_child(list, "Annotation") : NULL; a;
         a = hk_ssp_next(a, "Annotation")) {
        const char *type = hk_xml_attr_get(a, "type");
        if (!type || (strcmp(type, "com.opensimulationplatform") != 0 && !strstr(type, "vico")))
            continue;
        for (const hk_xml *x = a->child; x; x = x->next)
            if (strcmp(x->name, "StepSizeHint") == 0)
                return x;
    }
    return NULL;
}

void hk_ssp_read_hint(hk_ssp *r, const char *file, const hk_xml *xml, hk_ssd_element *component) {
    const hk_xml *hint = hk_ssp_find_hint(xml);
    const char *text = hint ? hk_xml_attr_get(hint, "value") : NULL;
    if (!hint)
        return;
    if (text && hk_seconds_read(r->ctx, hk_xml_where(file, hint), text, &component->hinted) &&
        component->hinted.num > 0)
        component->hint = hint;
    else
        hk_warn(r->ctx, HK_E_VALUE, hk_xml_where(file, hint), "write value=\"0.01\"",
                "the step size hint '%s' of component '%s' is not a positive time and is ignored",
                text ? text : "", component->name);
}
