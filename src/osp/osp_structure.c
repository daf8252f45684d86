/* SPDX-License-Identifier: MIT
 *
 * From the tree of an OspSystemStructure to the structs of osp_internal.h. */
#include "base/number.h"
#include "base/seconds.h"
#include "native/native.h"
#include "osp/osp_internal.h"

#include <math.h>
#include <string.h>

static size_t count_children(const hk_xml *xml) {
    size_t count = 0;
    for (const hk_xml *x = xml ? xml->child : NULL; x; x = x->next)
        count++;
    return count;
}

static hk_where where_of(const hk_osp *r, const hk_xml *xml) {
    return hk_xml_where(r->file, xml);
}

/* TEXT without the white space around it. */
static const char *trim(hk_osp *r, const char *text) {
    static const char blanks[] = " \t\r\n";
    text += strspn(text, blanks);
    size_t length = strlen(text);
    while (length && strchr(blanks, text[length - 1]))
        length--;
    return hk_arena_strndup(r->arena, text, length);
}

static bool read_time(hk_osp *r, const hk_xml *xml, const char *what, const char *text,
                      bool positive, hk_ratio *ret_time) {
    hk_status code;
    text = trim(r, text);
    const char *wrong = hk_time_judge(r->ctx, where_of(r, xml), text,
                                      positive ? HK_TIME_ABOVE_0 : 0, ret_time, &code);
    if (wrong)
        hk_osp_failed(r, hk_error(r->ctx, code, where_of(r, xml),
                                  code == HK_E_VALUE ? "write seconds: 0.01 or 1e-3" : NULL,
                                  "%s '%s' %s", what, text, wrong));
    return !wrong;
}

/* ---- experiment ---- */

static void read_algorithm(hk_osp *r, const hk_xml *xml) {
    const char *name = trim(r, xml->text);
    if (strcmp(name, "fixedStep") == 0 || !*name)
        return;
    if (strcmp(name, "ecco") == 0)
        hk_warn(r->ctx, HK_E_OSP, where_of(r, xml), "write fixedStep",
                "the algorithm '%s' is not there: it runs with fixed steps", name);
    else
        hk_osp_failed(r, hk_error(r->ctx, HK_E_OSP, where_of(r, xml), "write fixedStep",
                                  "the algorithm '%s' is not known", name));
}

static void read_experiment(hk_osp *r, const hk_xml *root, hk_osp_structure *s) {
    hk_experiment *e = &s->experiment;
    const hk_xml *start = hk_xml_child(root, NULL, "StartTime");
    const hk_xml *stop = hk_xml_child(root, NULL, "EndTime");
    const hk_xml *step = hk_xml_child(root, NULL, "BaseStepSize");
    const hk_xml *algorithm = hk_xml_child(root, NULL, "Algorithm");
    *e = (hk_experiment){
        .start = {0, 1}, .stop = {0, 1}, .step = {1, 10}, .output_interval = {0, 1}};
    if (start && read_time(r, start, "StartTime", start->text, false, &e->start))
        e->start_source = HK_FROM_SYSTEM;
    if (stop && read_time(r, stop, "EndTime", stop->text, false, &e->stop)) {
        e->has_stop = true;
        e->stop_source = HK_FROM_SYSTEM;
        if (hk_ratio_compare(e->stop, e->start) < 0)
            hk_osp_failed(r, hk_error(r->ctx, HK_E_TIME, where_of(r, stop), NULL,
                                      "EndTime lies before StartTime"));
    }
    e->has_step = true;
    e->step_source = HK_FROM_SYSTEM;
    if (step)
        read_time(r, step, "BaseStepSize", step->text, true, &e->step);
    else if (!r->step)
        hk_note(r->ctx, where_of(r, root), "there is no BaseStepSize; it is 0.1 s then");
    if (algorithm)
        read_algorithm(r, algorithm);
    if (r->step)
        e->step = *r->step;
    s->base = e->step;
}

/* ---- simulators ---- */

/* What is in an InitialValue: the first of its children; a second was refused. */
static bool read_value(hk_osp *r, const hk_xml *xml, hk_osp_value *ret_value) {
    const char *variable = hk_osp_need(r, r->file, xml, "variable");
    if (!variable)
        return false;
    static const char *const types[] = {"Real", "Integer", "Boolean", "String", "Enumeration"};
    for (const hk_xml *x = xml->child; x; x = x->next)
        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
            if (strcmp(x->name, types[i]) == 0) {
                const char *text = hk_xml_attr_get(x, "value"); /* a String may be empty */
                if (!text && !hk_osp_need(r, r->file, x, "value"))
                    return false;
                *ret_value = (hk_osp_value){variable, types[i], text, where_of(r, x)};
                return true;
            }
    hk_osp_failed(r, hk_error(r->ctx, HK_E_OSP, where_of(r, xml),
                              "put <Real value=\"...\"/>, Integer, Boolean or String into it",
                              "the initial value of '%s' is missing", variable));
    return false;
}

static void read_simulator(hk_osp *r, const hk_xml *xml, hk_osp_structure *s) {
    const char *name = hk_osp_need(r, r->file, xml, "name");
    const char *source = hk_osp_need(r, r->file, xml, "source");
    const char *step = hk_xml_attr_get(xml, "stepSize");
    if (name && !source)
        hk_map_put(&r->broken, name, 0);
    if (!name || !source)
        return;
    hk_osp_simulator *a = &s->simulators[s->simulator_count];
    *a = (hk_osp_simulator){.name = name, .source = source, .where = where_of(r, xml), .factor = 1};
    a->where.element = hk_arena_printf(r->arena, "simulator '%s'", name);
    if (step)
        a->has_step = read_time(r, xml, "stepSize", step, false, &a->step);
    const hk_xml *values = hk_xml_child(xml, NULL, "InitialValues");
    a->values = HK_NEW_ARRAY(r->arena, hk_osp_value, count_children(values) + 1);
    for (const hk_xml *x = values ? hk_xml_child(values, NULL, "InitialValue") : NULL; x;
         x = hk_xml_next(x, NULL, "InitialValue"))
        a->value_count += read_value(r, x, &a->values[a->value_count]);
    uint32_t first = hk_map_put(&r->by_name, name, (uint32_t)s->simulator_count);
    if (first != s->simulator_count)
        hk_osp_failed(r, hk_error(r->ctx, HK_E_DUPLICATE, a->where, "give each a name of its own",
                                  "there are two simulators '%s'; the first is in line %d", name,
                                  s->simulators[first].where.line));
    else
        s->simulator_count++;
}

/* ---- functions ---- */

static bool read_number(hk_osp *r, const hk_xml *xml, const char *name, double *ret_number) {
    const char *text = hk_xml_attr_get(xml, name);
    if (!text)
        return true;
    if (hk_read_f64(text, strlen(text), ret_number) && isfinite(*ret_number))
        return true;
    hk_osp_failed(r, hk_error(r->ctx, HK_E_VALUE, where_of(r, xml), NULL, "%s '%s' is not a number",
                              name, text));
    return false;
}

static bool read_count(hk_osp *r, const hk_xml *xml, const char *name, size_t max,
                       size_t *ret_count) {
    const char *text = hk_osp_need(r, r->file, xml, name);
    int64_t count;
    if (!text)
        return false;
    if (!hk_read_i64(text, strlen(text), &count) || count < 1 || (uint64_t)count > max) {
        hk_osp_failed(r, hk_error(r->ctx, HK_E_VALUE, where_of(r, xml), NULL,
                                  "%s '%s' is not a number from 1 to %zu", name, text, max));
        return false;
    }
    *ret_count = (size_t)count;
    return true;
}

static bool fill_function(hk_osp *r, const hk_xml *xml, hk_osp_function *f) {
    if (strcmp(xml->name, "LinearTransformation") == 0) {
        f->kind = HK_OSP_LINEAR;
        f->factor = 1;
        return read_number(r, xml, "factor", &f->factor) &&
               read_number(r, xml, "offset", &f->offset);
    }
    f->kind = strcmp(xml->name, "Sum") == 0 ? HK_OSP_SUM : HK_OSP_VECTOR_SUM;
    return read_count(r, xml, "inputCount", HK_SUM_INPUTS_MAX, &f->inputs) &&
           (f->kind == HK_OSP_SUM ||
            read_count(r, xml, "dimension", HK_SUM_DIMENSION_MAX, &f->dimension));
}

static void read_function(hk_osp *r, const hk_xml *xml, hk_osp_structure *s) {
    if (strcmp(xml->name, "LinearTransformation") != 0 && strcmp(xml->name, "Sum") != 0 &&
        strcmp(xml->name, "VectorSum") != 0) {
        hk_osp_failed(r, hk_error(r->ctx, HK_E_OSP, where_of(r, xml),
                                  "there are LinearTransformation, Sum and VectorSum",
                                  "the function '%s' is not known", xml->name));
        if (hk_xml_attr_get(xml, "name"))
            hk_map_put(&r->broken, hk_xml_attr_get(xml, "name"), 0);
        return;
    }
    const char *name = hk_osp_need(r, r->file, xml, "name");
    hk_osp_function *f = &s->functions[s->function_count];
    *f = (hk_osp_function){.name = name, .where = where_of(r, xml)};
    if (!name)
        return;
    if (!fill_function(r, xml, f)) {
        hk_map_put(&r->broken, name, 0);
        return;
    }
    f->where.element = hk_arena_printf(r->arena, "function '%s'", name);
    uint32_t index = (uint32_t)(s->simulator_count + s->function_count);
    if (hk_map_put(&r->by_name, name, index) != index) {
        hk_osp_failed(r, hk_error(r->ctx, HK_E_DUPLICATE, f->where, "give each a name of its own",
                                  "there are two functions or simulators '%s'", name));
        hk_map_put(&r->broken, name, 0);
    } else {
        s->function_count++;
    }
}

/* ---- connections ---- */

static bool read_end(hk_osp *r, const hk_xml *xml, const char *owner, hk_osp_end *ret_end) {
    const char *who = hk_osp_need(r, r->file, xml, owner);
    const char *name = hk_osp_need(r, r->file, xml, "name");
    *ret_end = (hk_osp_end){who, name, where_of(r, xml)};
    return who && name;
}

static void missing_end(hk_osp *r, const hk_xml *xml, const char *first, const char *second) {
    hk_osp_failed(r, hk_error(r->ctx, HK_E_OSP, where_of(r, xml), NULL,
                              strcmp(first, second) == 0 ? "'%s' joins two '%s'"
                                                         : "'%s' joins a '%s' and a '%s'",
                              xml->name, first, second));
}

static void read_connection(hk_osp *r, const hk_xml *xml, hk_osp_structure *s) {
    static const struct {
        const char *name, *first, *second;
        hk_osp_join join;
    } kinds[] = {
        {"VariableConnection", "Variable", "Variable", HK_OSP_VARIABLES},
        {"VariableGroupConnection", "VariableGroup", "VariableGroup", HK_OSP_GROUPS},
        {"SignalConnection", "Signal", "Variable", HK_OSP_SIGNAL},
        {"SignalGroupConnection", "SignalGroup", "VariableGroup", HK_OSP_SIGNALS},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(xml->name, kinds[i].name) != 0)
            continue;
        bool same = kinds[i].join <= HK_OSP_GROUPS;
        const hk_xml *a = hk_xml_child(xml, NULL, kinds[i].first);
        const hk_xml *b = same && a ? hk_xml_next(a, NULL, kinds[i].second)
                                    : hk_xml_child(xml, NULL, kinds[i].second);
        if (!a || !b || hk_xml_next(b, NULL, kinds[i].second) ||
            (!same && hk_xml_next(a, NULL, kinds[i].first))) {
            missing_end(r, xml, kinds[i].first, kinds[i].second);
            s->connection_lost = true;
            return;
        }
        hk_osp_connection *k = &s->connections[s->connection_count];
        *k = (hk_osp_connection){.join = kinds[i].join, .where = where_of(r, xml)};
        bool whole = read_end(r, a, same ? "simulator" : "function", &k->a);
        whole = read_end(r, b, "simulator", &k->b) && whole;
        s->connection_count += whole;
        s->connection_lost |= !whole;
    }
}

/* ---- all of it ---- */

hk_osp_structure *hk_osp_read_structure(hk_osp *r, const hk_xml *root) {
    hk_osp_structure *s = HK_NEW(r->arena, hk_osp_structure);
    const hk_xml *simulators = hk_xml_child(root, NULL, "Simulators");
    const hk_xml *functions = hk_xml_child(root, NULL, "Functions");
    const hk_xml *connections = hk_xml_child(root, NULL, "Connections");
    s->simulators = HK_NEW_ARRAY(r->arena, hk_osp_simulator, count_children(simulators) + 1);
    s->functions = HK_NEW_ARRAY(r->arena, hk_osp_function, count_children(functions) + 1);
    s->connections = HK_NEW_ARRAY(r->arena, hk_osp_connection, count_children(connections) + 1);
    read_experiment(r, root, s);
    for (const hk_xml *x = simulators ? hk_xml_child(simulators, NULL, "Simulator") : NULL; x;
         x = hk_xml_next(x, NULL, "Simulator"))
        read_simulator(r, x, s);
    for (const hk_xml *x = functions ? functions->child : NULL; x; x = x->next)
        read_function(r, x, s);
    for (const hk_xml *x = connections ? connections->child : NULL; x; x = x->next)
        read_connection(r, x, s);
    if (!s->simulator_count && !r->reading.complaints.count)
        hk_osp_failed(r, hk_error(r->ctx, HK_E_OSP, where_of(r, root),
                                  "put a Simulator with a source into Simulators",
                                  "the system has no simulators, so there is nothing to run"));
    return s;
}
