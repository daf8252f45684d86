/* SPDX-License-Identifier: MIT
 *
 * SSP leaves schedules to annotations. Ours are strict, since nobody else writes them. */
#include "base/number.h"
#include "base/seconds.h"
#include "ssp/ssp_internal.h"

#include <string.h>

const hk_xml *hk_ssp_annotation(const hk_xml *xml, const hk_xml *after, const char *type) {
    const hk_xml *list = hk_ssp_child(xml, "Annotations");
    const hk_xml *a = after ? hk_ssp_next(after, "Annotation") : NULL;
    if (!after && list)
        a = hk_ssp_child(list, "Annotation");
    for (; a; a = hk_ssp_next(a, "Annotation")) {
        const char *has = hk_xml_attr_get(a, "type");
        if (has && strcmp(has, type) == 0)
            return a;
    }
    return NULL;
}

static const hk_xml *next_own(const hk_xml *xml, const hk_xml *after) {
    return hk_ssp_annotation(xml, after, HK_SSP_ANNOTATION);
}

/* Our element called NAME in the annotations of XML, or NULL. */
static const hk_xml *find_own(const hk_xml *xml, const char *name) {
    for (const hk_xml *a = next_own(xml, NULL); a; a = next_own(xml, a)) {
        const hk_xml *own = hk_xml_child(a, HK_SSP_NAMESPACE, name);
        if (own)
            return own;
    }
    return NULL;
}

/* What is in our annotation but does not belong there is a mistake, not another tool's data.
 * There are one or two NAMES. */
static void check_elements(hk_ssp *r, const char *file, const hk_xml *xml, const char *const *names,
                           size_t count) {
    for (const hk_xml *a = next_own(xml, NULL); a; a = next_own(xml, a)) {
        for (const hk_xml *x = a->child; x; x = x->next) {
            if (strcmp(x->ns, HK_SSP_NAMESPACE) != 0)
                hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, hk_xml_where(file, x),
                                          "declare xmlns:hk=\"" HK_SSP_NAMESPACE "\"",
                                          "element '%s' is not of the namespace '%s'", x->name,
                                          HK_SSP_NAMESPACE));
            else if (strcmp(x->name, names[0]) != 0 && strcmp(x->name, names[count - 1]) != 0)
                hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, hk_xml_where(file, x),
                                          hk_ssp_suggest(r, x->name, names, count),
                                          "element '%s' does not belong here, expected '%s'%s%s%s",
                                          x->name, names[0], count > 1 ? " or '" : "",
                                          count > 1 ? names[1] : "", count > 1 ? "'" : ""));
        }
    }
}

static void check_attributes(hk_ssp *r, const char *file, const hk_xml *own,
                             const char *const *attributes, size_t count) {
    for (size_t i = 0; i < own->attr_count; i++) {
        size_t j = 0;
        while (j < count && strcmp(attributes[j], own->attrs[i].name) != 0)
            j++;
        if (j == count && !*own->attrs[i].ns)
            hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, hk_xml_where(file, own),
                                      hk_ssp_suggest(r, own->attrs[i].name, attributes, count),
                                      "unknown attribute '%s' of '%s'", own->attrs[i].name,
                                      own->name));
    }
}

/* Our element called NAME, which alone may be in the annotations of XML; NULL: none. */
static const hk_xml *take_own(hk_ssp *r, const char *file, const hk_xml *xml, const char *name,
                              const char *const *attributes, size_t count) {
    check_elements(r, file, xml, &name, 1);
    const hk_xml *own = find_own(xml, name);
    if (own)
        check_attributes(r, file, own, attributes, count);
    return own;
}

/* A time that is at least 0, or above 0. False and nothing written if it is missing or wrong. */
static bool read_time(hk_ssp *r, const char *file, const hk_xml *xml, const char *name,
                      bool positive, hk_ratio *ret_ratio) {
    const char *text = hk_xml_attr_get(xml, name);
    hk_status code;
    if (!text)
        return false;
    const char *wrong =
        hk_time_judge(r->ctx, hk_xml_where(file, xml), text,
                      positive ? HK_TIME_ABOVE_0 : HK_TIME_FROM_0, ret_ratio, &code);
    if (wrong)
        hk_ssp_failed(r, hk_error(r->ctx, code, hk_xml_where(file, xml),
                                  code == HK_E_VALUE ? "write seconds: 0.01, 1e-3 or 1/120" : NULL,
                                  "%s '%s' of '%s' %s", name, text, xml->name, wrong));
    return !wrong;
}

void hk_ssp_read_schedule(hk_ssp *r, const char *file, const hk_xml *xml, hk_ssd_element *element) {
    static const char *const attributes[] = {"period", "offset", "priority"};
    const hk_xml *own = take_own(r, file, xml, "Schedule", attributes, 3);
    if (!own)
        return;
    if (own->text[strspn(own->text, " \t\r\n")])
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, hk_xml_where(file, own),
                                  "the text of a schedule belongs to the outermost System",
                                  "the Schedule of component '%s' holds text", element->name));
    element->has_period = read_time(r, file, own, "period", true, &element->period);
    read_time(r, file, own, "offset", false, &element->offset);
    const char *text = hk_xml_attr_get(own, "priority");
    int64_t priority = 0;
    if (text &&
        (!hk_read_i64(text, strlen(text), &priority) || priority < -1000000 || priority > 1000000))
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_VALUE, hk_xml_where(file, own), NULL,
                                  "priority '%s' is not a small integer", text));
    element->priority = (int)priority;
}

void hk_ssp_refuse_schedule(hk_ssp *r, const char *file, const hk_xml *xml) {
    for (const hk_xml *a = next_own(xml, NULL); a; a = next_own(xml, a))
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, hk_xml_where(file, a),
                                  "give it to the components inside",
                                  "a system inside another has no schedule of its own"));
}

void hk_ssp_read_link(hk_ssp *r, const char *file, const hk_xml *xml, hk_tree_connection *k) {
    static const char *const attributes[] = {"lag", "delay", "initial"};
    const hk_xml *own = take_own(r, file, xml, "Link", attributes, 3);
    if (!own)
        return;
    read_time(r, file, own, "delay", false, &k->delay);
    k->initial = hk_xml_attr_get(own, "initial");
    const char *lag = hk_xml_attr_get(own, "lag");
    if (lag && !hk_lag_find(lag, &k->lag))
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_VALUE, hk_xml_where(file, own),
                                  hk_ssp_suggest(r, lag, hk_lag_words + 1, HK_LAGS - 1),
                                  "lag '%s' is none of previous, observe, current", lag));
}

static void read_own_experiment(hk_ssp *r, const char *file, const hk_xml *xml, hk_experiment *e) {
    static const char *const attributes[] = {"stepSize", "outputInterval", "algorithm"};
    const hk_xml *own = find_own(xml, "Experiment");
    if (!own)
        return;
    check_attributes(r, file, own, attributes, 3);
    if (read_time(r, file, own, "stepSize", true, &e->step)) {
        e->has_step = true;
        e->step_source = HK_FROM_SYSTEM;
    }
    if (read_time(r, file, own, "outputInterval", false, &e->output_interval))
        e->output_interval_source = HK_FROM_SYSTEM;
    const char *text = hk_xml_attr_get(own, "algorithm");
    if (text && hk_algorithm_find(text, &e->algorithm)) {
        e->has_algorithm = true;
        e->algorithm_source = HK_FROM_SYSTEM;
    } else if (text)
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_VALUE, hk_xml_where(file, own),
                                  hk_ssp_suggest(r, text, hk_algorithm_words, HK_ALGORITHMS),
                                  "algorithm '%s' is neither jacobi nor gauss-seidel", text));
}

static void read_default_experiment(hk_ssp *r, const char *file, const hk_xml *xml,
                                    hk_experiment *e) {
    static const char *const names[] = {"startTime", "stopTime"};
    hk_ratio *times[] = {&e->start, &e->stop};
    bool has[2];
    for (size_t i = 0; i < 2; i++) {
        const char *text = hk_xml_attr_get(xml, names[i]);
        has[i] = text && hk_seconds_read(r->ctx, hk_xml_where(file, xml), text, times[i]);
        if (text && !has[i])
            hk_ssp_failed(r, hk_error(r->ctx, HK_E_VALUE, hk_xml_where(file, xml),
                                      "write seconds: 10, 0.5 or 1e-3", "%s '%s' is not a time",
                                      names[i], text));
    }
    e->has_stop = has[1];
    if (has[0])
        e->start_source = HK_FROM_SYSTEM;
    if (has[1])
        e->stop_source = HK_FROM_SYSTEM;
    if (has[0] && !hk_xml_attr_get(xml, "stopTime") && e->start.num > 0 &&
        !find_own(xml, "Experiment")) /* hocket has written it so */
        hk_warn(r->ctx, HK_E_SSP, hk_xml_where(file, xml),
                "if that is the end of the run, write startTime=\"0\" and stopTime",
                "startTime is '%s' and there is no stopTime: was stopTime meant?",
                hk_xml_attr_get(xml, "startTime"));
}

/* The text of a schedule file, at most one for the whole system. */
static void read_schedule_text(hk_ssp *r, const char *file, const hk_xml *xml, hk_ssd *ssd) {
    for (const hk_xml *a = next_own(xml, NULL); a; a = next_own(xml, a)) {
        for (const hk_xml *own = hk_xml_child(a, HK_SSP_NAMESPACE, "Schedule"); own;
             own = hk_xml_next(own, HK_SSP_NAMESPACE, "Schedule")) {
            check_attributes(r, file, own, NULL, 0);
            if (ssd->schedule)
                hk_ssp_failed(r,
                              hk_error(r->ctx, HK_E_DUPLICATE, hk_xml_where(file, own), "join them",
                                       "the system has two schedules; the other one is in "
                                       "line %d",
                                       ssd->schedule->line));
            else
                ssd->schedule = own;
        }
    }
}

void hk_ssp_read_experiment(hk_ssp *r, const char *file, const hk_xml *root, hk_ssd *ssd) {
    hk_experiment *e = &ssd->experiment;
    const hk_xml *experiment = hk_ssp_child(root, "DefaultExperiment");
    const hk_xml *system = hk_ssp_child(root, "System");
    e->start = e->stop = e->step = e->output_interval = (hk_ratio){0, 1};
    if (experiment)
        read_default_experiment(r, file, experiment, e);
    const hk_xml *places[] = {experiment, system, root};
    for (size_t i = 0; i < 3; i++) {
        static const char *const names[] = {"Experiment", "Schedule"};
        if (!places[i])
            continue;
        bool whole = places[i] != experiment;
        check_elements(r, file, places[i], names, whole ? 2 : 1);
        read_own_experiment(r, file, places[i], e);
        if (whole)
            read_schedule_text(r, file, places[i], ssd);
    }
    for (size_t i = 0; i < 3; i++)
        if (places[i])
            hk_ssp_read_other_step(r, file, places[i], ssd);
}
