/* SPDX-License-Identifier: MIT
 *
 * A model as a loose system description. What SSP has words for is written with them, the rest of
 * what a run needs in annotations: those of the Open Simulation Platform where they say it, since
 * other tools read them, else our own. What nothing can say is refused, all of it, with its places.
 */
#include "base/file.h"
#include "base/number.h"
#include "fmi/fmi.h"
#include "native/native.h"
#include "ssp/ssp.h"
#include "ssp/ssp_internal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_model *model;
    FILE *out;
    const char *folder; /* of the file, absolute */
    bool newer;         /* something that SSP 1.0 does not know */
    size_t error_count;
    hk_status error;
} writer;

static void failed(writer *w, hk_status error) {
    if (!w->error_count++)
        w->error = error;
}

/* ---- text ---- */

static void put_escaped(FILE *out, const char *text) {
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        const char *entity = c == '&'   ? "&amp;"
                             : c == '<' ? "&lt;"
                             : c == '>' ? "&gt;"
                             : c == '"' ? "&quot;"
                                        : NULL;
        if (entity)
            fputs(entity, out);
        else if (c < 0x20)
            fprintf(out, "&#%d;", c);
        else
            fputc(c, out);
    }
}

static void put_attr(writer *w, const char *name, const char *value) {
    fprintf(w->out, " %s=\"", name);
    put_escaped(w->out, value);
    fputc('"', w->out);
}

static const char *number(writer *w, double value) {
    char text[HK_NUMBER_MAX + 1];
    text[hk_write_f64(value, text)] = 0;
    return hk_arena_strdup(w->arena, text);
}

/* Exactly; NULL: it is no short decimal. */
static const char *decimal(writer *w, hk_ratio r) {
    char text[48];
    return strchr(hk_ratio_format(r, text), '/') ? NULL : hk_arena_strdup(w->arena, text);
}

static const char *fraction(writer *w, hk_ratio r) {
    char text[48];
    return hk_arena_strdup(w->arena, hk_ratio_format(r, text));
}

/* ---- sources ---- */

/* The way from one folder to a file, both absolute. */
static const char *way(writer *w, const char *folder, const char *file) {
    size_t common = 0, up = 0;
    for (size_t i = 0; folder[i] == file[i] || !folder[i]; i++) {
        if (file[i] == '/' && (folder[i] == '/' || !folder[i]))
            common = i + 1;
        if (!folder[i] || !file[i])
            break;
    }
    const char *rest = common > strlen(folder) ? "" : folder + common;
    for (const char *c = rest; *c; c++)
        up += *c == '/' || !c[1];
    const char *path = file + common;
    while (up--)
        path = hk_arena_printf(w->arena, "../%s", path);
    return path;
}

static const char *encode(writer *w, const char *path) {
    char *text = hk_arena_alloc(w->arena, 3 * strlen(path) + 1), *at = text;
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        if (c <= ' ' || c == 0x7f || strchr("%#?\"<>\\^`{|}:", c))
            at += sprintf(at, "%%%02X", c);
        else
            *at++ = (char)c;
    }
    return text;
}

/* The type and the source of a component; false after an error. */
static bool find_source(writer *w, const hk_component *c, const char **ret_type,
                        const char **ret_source) {
    if (c->info->can.fmi) {
        const char *path = hk_fmu_get_facts(c->info->origin)->path;
        char *real = realpath(path, NULL);
        if (!real) {
            failed(w, hk_error(w->ctx, HK_E_SSP, c->where, "unpack the package first",
                               "its FMU is no file of its own ('%s'), so a description cannot name "
                               "it",
                               path));
            return false;
        }
        *ret_type = HK_SSP_TYPE_FMU;
        *ret_source = encode(w, way(w, w->folder, real));
        free(real);
        return true;
    }
    if (hk_native_type_of(c->info) && !c->info->file && strncmp(c->info->name, "hk.", 3) == 0) {
        *ret_type = HK_SSP_TYPE_BUILTIN;
        *ret_source = c->info->name;
        return true;
    }
    failed(w, hk_error(w->ctx, HK_E_SSP, c->where, "export it as an FMU, and use that",
                       "component '%s' (%s) has no source that a description can name", c->name,
                       c->info->kind ? c->info->kind : "?"));
    return false;
}

/* ---- types and values ---- */

/* The element of SSP 1.0 or 2.0 for a type; NULL: it needs none, or there is none. */
static const char *type_element(hk_type type, bool *ret_newer) {
    static const struct {
        hk_type type;
        const char *name;
        bool newer;
    } all[] = {{HK_TYPE_F64, "Real", false},      {HK_TYPE_I32, "Integer", false},
               {HK_TYPE_BOOL, "Boolean", false},  {HK_TYPE_STRING, "String", false},
               {HK_TYPE_BINARY, "Binary", false}, {HK_TYPE_F32, "Float32", true},
               {HK_TYPE_I8, "Int8", true},        {HK_TYPE_U8, "UInt8", true},
               {HK_TYPE_I16, "Int16", true},      {HK_TYPE_U16, "UInt16", true},
               {HK_TYPE_U32, "UInt32", true},     {HK_TYPE_I64, "Int64", true},
               {HK_TYPE_U64, "UInt64", true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].type == type) {
            *ret_newer = *ret_newer || all[i].newer;
            return all[i].name;
        }
    return NULL;
}

static const char *item_name(const hk_variable *v, int64_t value) {
    for (size_t i = 0; v->enumeration && i < v->enumeration->item_count; i++)
        if (v->enumeration->item_values[i] == value)
            return v->enumeration->item_names[i];
    return NULL;
}

static void put_value(writer *w, const hk_component *c, const hk_setting *s) {
    const hk_variable *v = &c->info->variables[s->variable];
    if (s->value.count != 1) {
        failed(w, hk_error(w->ctx, HK_E_SSP, s->where, NULL,
                           "values of arrays ('%s.%s') are not written", c->name, v->name));
        return;
    }
    const char *text = hk_value_format(w->arena, v->type, hk_store_of(v->type), s->value.data);
    const char *element = type_element(v->type, &w->newer);
    const char *item =
        v->type == HK_TYPE_ENUM ? item_name(v, *(const int64_t *)s->value.data) : NULL;
    fputs("                <ssv:Parameter", w->out);
    put_attr(w, "name", v->name);
    fprintf(w->out, "><ssv:%s", element ? element : "Enumeration");
    put_attr(w, "value", item ? item : text);
    fputs("/></ssv:Parameter>\n", w->out);
}

/* The last value of a variable counts. */
static void put_values(writer *w, const hk_component *c) {
    if (!c->setting_count)
        return;
    fputs("        <ssd:ParameterBindings>\n          <ssd:ParameterBinding>\n"
          "            <ssd:ParameterValues>\n              <ssv:ParameterSet version=\"1.0\"",
          w->out);
    put_attr(w, "name", c->name);
    fputs(">\n              <ssv:Parameters>\n", w->out);
    for (size_t i = 0; i < c->setting_count; i++)
        if (hk_component_last_setting(c, c->settings[i].variable) == &c->settings[i])
            put_value(w, c, &c->settings[i]);
    fputs("              </ssv:Parameters>\n              </ssv:ParameterSet>\n"
          "            </ssd:ParameterValues>\n          </ssd:ParameterBinding>\n"
          "        </ssd:ParameterBindings>\n",
          w->out);
}

/* ---- components ---- */

static void put_connectors(writer *w, const hk_component *c, const bool *used) {
    bool any = false;
    for (size_t i = 0; i < c->info->variable_count; i++) {
        const hk_variable *v = &c->info->variables[i];
        if (!used[i])
            continue;
        if (!any)
            fputs("        <ssd:Connectors>\n", w->out);
        any = true;
        w->newer = w->newer || v->causality == HK_LOCAL;
        const char *element = type_element(v->type, &w->newer);
        fputs("          <ssd:Connector", w->out);
        put_attr(w, "name", v->name);
        put_attr(w, "kind", hk_causality_name(v->causality));
        if (element)
            fprintf(w->out, "><ssc:%s/></ssd:Connector>\n", element);
        else
            fputs("/>\n", w->out);
    }
    if (any)
        fputs("        </ssd:Connectors>\n", w->out);
}

#define OWN_BEGIN   "<ssc:Annotation type=\"" HK_SSP_ANNOTATION "\">"
#define OTHER_BEGIN "<ssc:Annotation type=\"com.opensimulationplatform\">"

/* A period is a hint of OSP where that says it: of an FMU, and as a decimal. */
static void put_schedule(writer *w, const hk_component *c) {
    const char *hint = c->info->can.fmi && c->has_period ? decimal(w, c->period) : NULL;
    bool own = (c->has_period && !hint) || c->offset.num || c->priority;
    if (!hint && !own)
        return;
    fputs("        <ssd:Annotations>\n", w->out);
    if (own) {
        fputs("          " OWN_BEGIN "<hk:Schedule", w->out);
        if (c->has_period)
            put_attr(w, "period", fraction(w, c->period));
        if (c->offset.num)
            put_attr(w, "offset", fraction(w, c->offset));
        if (c->priority)
            put_attr(w, "priority", hk_arena_printf(w->arena, "%d", c->priority));
        fputs("/></ssc:Annotation>\n", w->out);
    } else {
        fputs("          " OTHER_BEGIN "<osp:StepSizeHint", w->out);
        put_attr(w, "value", hint);
        fputs("/></ssc:Annotation>\n", w->out);
    }
    fputs("        </ssd:Annotations>\n", w->out);
}

static void put_component(writer *w, const hk_component *c, const bool *used) {
    const char *type, *source;
    if (c->has_cost || c->has_deadline || c->has_overrun || c->inactive)
        failed(w, hk_error(w->ctx, HK_E_SSP, c->where, "put it into a schedule file",
                           "execution times of component '%s' are not written", c->name));
    if (!find_source(w, c, &type, &source))
        return;
    fputs("      <ssd:Component", w->out);
    put_attr(w, "name", c->name);
    put_attr(w, "type", type);
    put_attr(w, "source", source);
    fputs(">\n", w->out);
    put_connectors(w, c, used);
    put_values(w, c);
    put_schedule(w, c);
    fputs("      </ssd:Component>\n", w->out);
}

static void put_elements(writer *w) {
    const hk_model *m = w->model;
    bool **used = HK_NEW_ARRAY(w->arena, bool *, m->component_count);
    for (size_t i = 0; i < m->component_count; i++)
        used[i] = HK_NEW_ARRAY(w->arena, bool, m->components[i].info->variable_count + 1);
    for (size_t i = 0; i < m->connection_count; i++) {
        used[m->connections[i].from_component][m->connections[i].from_variable] = true;
        used[m->connections[i].to_component][m->connections[i].to_variable] = true;
    }
    fputs("    <ssd:Elements>\n", w->out);
    for (size_t i = 0; i < m->component_count; i++)
        put_component(w, &m->components[i], used[i]);
    fputs("    </ssd:Elements>\n", w->out);
}

/* ---- connections ---- */

static void put_transform(writer *w, const hk_connection *k) {
    if (k->transform.kind != HK_TRANSFORM_LINEAR)
        return;
    fputs("        <ssc:LinearTransformation", w->out);
    put_attr(w, "factor", number(w, k->transform.factor));
    put_attr(w, "offset", number(w, k->transform.offset));
    fputs("/>\n", w->out);
}

static void put_link(writer *w, const hk_connection *k) {
    static const char *const words[] = {
        [HK_LAG_PREVIOUS] = "previous", [HK_LAG_OBSERVE] = "observe", [HK_LAG_CURRENT] = "current"};
    if (k->lag == HK_LAG_DEFAULT && !k->delay.num)
        return;
    fputs("        <ssd:Annotations>" OWN_BEGIN "<hk:Link", w->out);
    if (k->lag != HK_LAG_DEFAULT)
        put_attr(w, "lag", words[k->lag]);
    if (k->delay.num)
        put_attr(w, "delay", fraction(w, k->delay));
    fputs("/></ssc:Annotation></ssd:Annotations>\n", w->out);
}

/* What SSP cannot say of a connection; NULL: nothing. */
static const char *unspeakable(const hk_connection *k) {
    if (k->from_slice.count || k->to_slice.count)
        return "single elements of arrays";
    if (k->transform.kind == HK_TRANSFORM_MAP)
        return "a mapping of values";
    if (k->shared)
        return "a shared parameter";
    return k->initial.data ? "an initial value of its own" : NULL;
}

static void put_connection(writer *w, const hk_connection *k) {
    const hk_component *from = &w->model->components[k->from_component];
    const hk_component *to = &w->model->components[k->to_component];
    const char *cannot = unspeakable(k);
    if (cannot)
        failed(w, hk_error(w->ctx, HK_E_SSP, hk_connection_where(w->model, k), NULL,
                           "%s is not written", cannot));
    fputs("      <ssd:Connection", w->out);
    put_attr(w, "startElement", from->name);
    put_attr(w, "startConnector", from->info->variables[k->from_variable].name);
    put_attr(w, "endElement", to->name);
    put_attr(w, "endConnector", to->info->variables[k->to_variable].name);
    if (k->suppress_unit_conversion)
        put_attr(w, "suppressUnitConversion", "true");
    if (k->transform.kind == HK_TRANSFORM_NONE && k->lag == HK_LAG_DEFAULT && !k->delay.num) {
        fputs("/>\n", w->out);
        return;
    }
    fputs(">\n", w->out);
    put_transform(w, k);
    put_link(w, k);
    fputs("      </ssd:Connection>\n", w->out);
}

static void put_connections(writer *w) {
    if (!w->model->connection_count)
        return;
    fputs("    <ssd:Connections>\n", w->out);
    for (size_t i = 0; i < w->model->connection_count; i++)
        put_connection(w, &w->model->connections[i]);
    fputs("    </ssd:Connections>\n", w->out);
}

/* ---- the whole ---- */

static void put_experiment(writer *w) {
    const hk_experiment *e = &w->model->experiment;
    const char *step = e->has_step ? decimal(w, e->step) : NULL;
    bool own = (e->has_step && !step) || e->has_algorithm || e->output_interval.num;
    fputs("  <ssd:DefaultExperiment", w->out);
    if (e->start_source > HK_FROM_DEFAULT)
        put_attr(w, "startTime", number(w, hk_ratio_to_double(e->start)));
    if (e->has_stop)
        put_attr(w, "stopTime", number(w, hk_ratio_to_double(e->stop)));
    if (!own && !step) {
        fputs("/>\n", w->out);
        return;
    }
    fputs(">\n    <ssd:Annotations>\n", w->out);
    if (own) {
        fputs("      " OWN_BEGIN "<hk:Experiment", w->out);
        if (e->has_step && !step)
            put_attr(w, "stepSize", fraction(w, e->step));
        if (e->output_interval.num)
            put_attr(w, "outputInterval", fraction(w, e->output_interval));
        if (e->has_algorithm)
            put_attr(w, "algorithm", e->algorithm == HK_JACOBI ? "jacobi" : "gauss-seidel");
        fputs("/></ssc:Annotation>\n", w->out);
    }
    if (step) {
        fputs("      " OTHER_BEGIN "<osp:Algorithm><osp:FixedStepAlgorithm", w->out);
        put_attr(w, "baseStepSize", step);
        fputs("/></osp:Algorithm></ssc:Annotation>\n", w->out);
    }
    fputs("    </ssd:Annotations>\n  </ssd:DefaultExperiment>\n", w->out);
}

static void put_body(writer *w) {
    fputs("  <ssd:System", w->out);
    put_attr(w, "name", w->model->name);
    fputs(">\n", w->out);
    put_elements(w);
    put_connections(w);
    fputs("  </ssd:System>\n", w->out);
    put_experiment(w);
    fputs("</ssd:SystemStructureDescription>\n", w->out);
}

static void put_head(writer *w) {
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ssd:SystemStructureDescription", w->out);
    put_attr(w, "name", w->model->name);
    put_attr(w, "version", w->newer ? "2.0" : "1.0");
    fputs("\n    xmlns:ssd=\"" HK_SSP_STANDARD "SystemStructureDescription\""
          "\n    xmlns:ssc=\"" HK_SSP_STANDARD "SystemStructureCommon\""
          "\n    xmlns:ssv=\"" HK_SSP_STANDARD "SystemStructureParameterValues\""
          "\n    xmlns:osp=\"http://opensimulationplatform.com/SSP/OSPAnnotations\""
          "\n    xmlns:hk=\"" HK_SSP_NAMESPACE "\">\n",
          w->out);
}

/* Parts of a model that have no words in SSP, and are refused as a whole. */
static void refuse_parts(writer *w) {
    const hk_model *m = w->model;
    const struct {
        size_t count;
        const char *what;
    } parts[] = {{m->requirement_count, "services"},
                 {m->shared_count, "shared parameters"},
                 {m->processor_count, "processors"},
                 {m->constraint_count, "constraints on the age of data"},
                 {m->alias_count, "names for variables of components"}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].count)
            failed(w, hk_error(w->ctx, HK_E_SSP, (hk_where){.file = m->file}, NULL,
                               "%s are not written", parts[i].what));
}

/* TEXT of one of the functions above. */
static const char *text_of(writer *w, void (*put)(writer *w)) {
    char *data = NULL;
    size_t size = 0;
    w->out = open_memstream(&data, &size);
    HK_ASSERT(w->out);
    put(w);
    HK_ASSERT(fclose(w->out) == 0);
    const char *kept = hk_arena_strndup(w->arena, data, size);
    free(data);
    return kept;
}

hk_status hk_ssp_write(hk_ctx *ctx, const hk_model *model, const char *path) {
    hk_arena *arena = hk_arena_create();
    const char *folder = hk_path_folder(arena, path);
    char *real = realpath(folder, NULL);
    hk_status status = HK_OK;
    if (!real)
        status = hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = path}, "make it first",
                          "the folder '%s' does not exist", folder);
    if (status == HK_OK) {
        writer w = {.ctx = ctx, .arena = arena, .model = model};
        w.folder = hk_arena_strdup(arena, real);
        refuse_parts(&w);
        const char *body = text_of(&w, put_body), *head = text_of(&w, put_head);
        const char *text = hk_arena_printf(arena, "%s%s", head, body);
        status = w.error_count ? w.error : hk_file_write(ctx, path, text, strlen(text));
    }
    free(real);
    hk_arena_destroy(arena);
    return status;
}
