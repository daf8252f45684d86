/* SPDX-License-Identifier: MIT
 *
 * Multi-models of INTO-CPS, read. First the text becomes a list of what it says; then the FMUs are
 * opened, and it becomes a model. */
#include "sysml/multimodel.h"

#include "base/complaints.h"
#include "base/file.h"
#include "base/number.h"
#include "base/seconds.h"
#include "fmi/fmi.h"
#include "format/json_read.h"
#include "model/address.h"
#include "text/parser.h"

#include <string.h>

enum { FILE_BYTES_MAX = 64 << 20 };

/* {fmu}.instance.variable */
typedef struct end {
    const char *fmu, *instance, *variable; /* fmu without braces */
    hk_where where;
} end;

typedef struct fmu {
    const char *key, *path; /* without braces; as it is written */
    hk_where where;
} fmu;

typedef struct link {
    end from, to;
} link;

typedef struct given {
    end at;
    const char *text; /* as hk_value_parse reads it */
} given;

typedef struct reader {
    hk_complaints complaints;
    hk_arena *arena;
    const char *file;
    hk_list fmus, links, values;
    hk_map keys;  /* of FMUs -> index */
    hk_list lost; /* hk_tree_lost */
    hk_experiment experiment;
} reader;

static hk_where place(const reader *r, const hk_json_value *v) {
    return (hk_where){.file = r->file, .line = v->line, .column = v->column};
}

#define WRONG(r, v, hint, ...)                                                                     \
    ((void)hk_complain(&(r)->complaints, HK_E_LANGUAGE, place((r), (v)), (hint), __VA_ARGS__))

static void leave_out(reader *r, hk_where where, const char *what, const char *why) {
    hk_tree_lost lost = {.what = what, .where = where, .told = true};
    hk_list_add(&r->lost, &lost);
    hk_warn(r->complaints.ctx, HK_E_NO_WORDS, where, NULL, "%s is left out: %s", what, why);
}

static void tell_unknown(reader *r, const hk_json_value *v) {
    leave_out(r, place(r, v), hk_arena_printf(r->arena, "'%s'", v->name),
              "hocket has no use for it");
}

/* False: it is not there, or is not an object, which is reported. */
static bool is_object(reader *r, const hk_json_value *v, const char *what) {
    if (v && v->kind != HK_JSON_OBJECT)
        WRONG(r, v, NULL, "%s is not an object", what);
    return v && v->kind == HK_JSON_OBJECT;
}

static bool is_text(const hk_json_value *v) {
    return v->kind == HK_JSON_STRING && v->text_size && strlen(v->text) == v->text_size;
}

/* ---- names -------------------------------------------------------------------------------------
 */

static bool read_end(reader *r, const hk_json_value *v, const char *text, end *ret_end) {
    const char *close = *text == '{' ? strchr(text, '}') : NULL;
    const char *instance = close && close[1] == '.' ? close + 2 : NULL;
    const char *dot = instance ? strchr(instance, '.') : NULL;
    if (!dot || dot == instance || !dot[1] || close == text + 1) {
        WRONG(r, v, "it is written {fmu}.instance.variable", "'%s' does not name a variable", text);
        return false;
    }
    *ret_end = (end){.fmu = hk_arena_strndup(r->arena, text + 1, (size_t)(close - text - 1)),
                     .instance = hk_arena_strndup(r->arena, instance, (size_t)(dot - instance)),
                     .variable = dot + 1,
                     .where = place(r, v)};
    if (hk_map_get(&r->keys, ret_end->fmu) != HK_MAP_NONE)
        return true;
    const char *close_name =
        hk_complaints_may_suggest(&r->complaints) ? hk_map_closest(&r->keys, ret_end->fmu) : NULL;
    WRONG(r, v, close_name ? hk_hint_name(r->arena, close_name, NULL) : NULL,
          "there is no FMU '{%s}'", ret_end->fmu);
    return false;
}

static void read_fmus(reader *r, const hk_json_value *fmus) {
    for (const hk_json_value *v = fmus->first; v; v = v->next) {
        size_t length = strlen(v->name);
        bool braces =
            length > 2 && v->name[0] == '{' && strchr(v->name, '}') == v->name + length - 1;
        if (!braces)
            WRONG(r, v, "it is written \"{name}\": \"file.fmu\"", "'%s' is not the key of an FMU",
                  v->name);
        else if (!is_text(v))
            WRONG(r, v, NULL, "the FMU of '%s' is not the name of a file", v->name);
        else {
            fmu f = {.key = hk_arena_strndup(r->arena, v->name + 1, length - 2),
                     .path = strncmp(v->text, "file://", 7) == 0 ? v->text + 7 : v->text,
                     .where = place(r, v)};
            hk_map_put(&r->keys, f.key, (uint32_t)r->fmus.count);
            hk_list_add(&r->fmus, &f);
        }
    }
}

static void read_links(reader *r, const hk_json_value *links) {
    for (const hk_json_value *v = links->first; v; v = v->next) {
        link k;
        bool good = read_end(r, v, v->name, &k.from);
        if (v->kind != HK_JSON_ARRAY) {
            WRONG(r, v, "it is written \"{a}.a.y\": [\"{b}.b.u\"]",
                  "what '%s' is connected to is not a list", v->name);
            continue;
        }
        for (const hk_json_value *to = v->first; to; to = to->next)
            if (!is_text(to))
                WRONG(r, to, NULL, "the end of a connection is not a text");
            else if (read_end(r, to, to->text, &k.to) && good)
                hk_list_add(&r->links, &k);
    }
}

static void read_values(reader *r, const hk_json_value *values) {
    for (const hk_json_value *v = values->first; v; v = v->next) {
        given g;
        bool scalar =
            v->kind == HK_JSON_NUMBER || v->kind == HK_JSON_BOOL || v->kind == HK_JSON_STRING;
        if (!scalar || (v->kind == HK_JSON_STRING && strlen(v->text) != v->text_size)) {
            WRONG(r, v, NULL, "the value of '%s' is not a number, truth or text", v->name);
            continue;
        }
        g.text = v->kind == HK_JSON_BOOL ? (v->number != 0 ? "true" : "false") : v->text;
        if (read_end(r, v, v->name, &g.at))
            hk_list_add(&r->values, &g);
    }
}

static void read_root(reader *r, const hk_json_value *root) {
    const hk_json_value *fmus = hk_json_member(root, "fmus");
    const hk_json_value *links = hk_json_member(root, "connections");
    const hk_json_value *values = hk_json_member(root, "parameters");
    if (!is_object(r, root, "a multi-model"))
        return;
    if (!fmus)
        WRONG(r, root, NULL, "a multi-model has FMUs: 'fmus' is missing");
    if (is_object(r, fmus, "'fmus'"))
        read_fmus(r, fmus);
    if (is_object(r, links, "'connections'"))
        read_links(r, links);
    if (is_object(r, values, "'parameters'"))
        read_values(r, values);
    for (const hk_json_value *v = root->first; v; v = v->next)
        if (v != fmus && v != links && v != values)
            tell_unknown(r, v);
}

/* ---- the experiment ----------------------------------------------------------------------------
 */

/* Numbers of JSON are texts of exact digits; many are what a tool has printed of a fraction. */
static bool read_time(reader *r, const hk_json_value *v, bool length, hk_ratio *ret_time) {
    if (!v)
        return false;
    if (v->kind == HK_JSON_NUMBER &&
        hk_seconds_read(r->complaints.ctx, place(r, v), v->text, ret_time) &&
        (!length || ret_time->num > 0))
        return true;
    WRONG(r, v, NULL, "'%s' is not a time%s, in seconds", v->name, length ? " above 0" : "");
    return false;
}

static void read_algorithm(reader *r, const hk_json_value *algorithm) {
    if (!is_object(r, algorithm, "'algorithm'"))
        return;
    const hk_json_value *type = hk_json_member(algorithm, "type");
    if (!type || !is_text(type) || strcmp(type->text, "fixed-step") != 0) {
        hk_complain(&r->complaints, HK_E_NO_WORDS, place(r, type ? type : algorithm),
                    "write {\"type\": \"fixed-step\", \"size\": 0.1}",
                    "hocket runs with fixed steps, and this is another algorithm");
        return;
    }
    r->experiment.has_step =
        read_time(r, hk_json_member(algorithm, "size"), true, &r->experiment.step);
    if (!hk_json_member(algorithm, "size"))
        WRONG(r, algorithm, NULL, "a fixed step has a size");
    for (const hk_json_value *v = algorithm->first; v; v = v->next)
        if (v != type && strcmp(v->name, "size") != 0)
            tell_unknown(r, v);
}

static void read_experiment(reader *r, const hk_json_value *root) {
    hk_experiment *e = &r->experiment;
    static const char *const names[] = {"startTime", "endTime", "algorithm"};
    if (!is_object(r, root, "an experiment"))
        return;
    if (read_time(r, hk_json_member(root, names[0]), false, &e->start))
        e->start_source = HK_FROM_SYSTEM;
    e->has_stop = read_time(r, hk_json_member(root, names[1]), false, &e->stop);
    if (e->has_stop && hk_ratio_compare(e->stop, e->start) <= 0)
        WRONG(r, hk_json_member(root, names[1]), NULL, "the end time is not after the start time");
    read_algorithm(r, hk_json_member(root, names[2]));
    e->stop_source = e->has_stop ? HK_FROM_SYSTEM : e->stop_source;
    e->step_source = e->has_step ? HK_FROM_SYSTEM : e->step_source;
    for (const hk_json_value *v = root->first; v; v = v->next)
        if (strcmp(v->name, names[0]) != 0 && strcmp(v->name, names[1]) != 0 &&
            strcmp(v->name, names[2]) != 0)
            tell_unknown(r, v);
}

/* ---- texts -------------------------------------------------------------------------------------
 */

static reader begin(hk_ctx *ctx, hk_arena *arena, const char *file) {
    return (reader){.complaints = {.ctx = ctx},
                    .arena = arena,
                    .file = file,
                    .fmus = HK_LIST(fmu),
                    .links = HK_LIST(link),
                    .values = HK_LIST(given),
                    .lost = HK_LIST(hk_tree_lost),
                    .experiment = {.start = {0, 1}}};
}

static void finish(reader *r) {
    hk_free(r->fmus.data);
    hk_free(r->links.data);
    hk_free(r->values.data);
    hk_free(r->lost.data);
    hk_map_finish(&r->keys);
}

static void read_text(reader *r, const hk_file_text *text, bool experiment) {
    hk_json_value *root;
    hk_status status = hk_json_read(r->complaints.ctx, r->arena, HK_E_DUPLICATE, text, &root);
    r->file = text->file;
    if (status)
        hk_complaint_heard(&r->complaints, status);
    else if (experiment)
        read_experiment(r, root);
    else
        read_root(r, root);
}

static void read_file(reader *r, const char *path, bool experiment) {
    char *data;
    size_t size;
    hk_status status = hk_file_read(r->complaints.ctx, path, FILE_BYTES_MAX, &data, &size);
    if (status) {
        hk_complaint_heard(&r->complaints, status);
        return;
    }
    read_text(r, &(hk_file_text){path, data, size}, experiment);
    hk_free(data);
}

static hk_status check(hk_ctx *ctx, const hk_file_text *text, bool experiment) {
    hk_arena *arena = hk_arena_create();
    reader r = begin(ctx, arena, text->file);
    read_text(&r, text, experiment);
    hk_status status = r.complaints.first;
    finish(&r);
    hk_arena_destroy(arena);
    return status;
}

hk_status hk_multimodel_check(hk_ctx *ctx, const hk_file_text *text) {
    return check(ctx, text, false);
}

hk_status hk_multimodel_check_experiment(hk_ctx *ctx, const hk_file_text *text) {
    return check(ctx, text, true);
}

const char *hk_multimodel_experiment(hk_arena *arena, const char *path) {
    size_t length = strlen(path) - strlen(hk_path_extension(path));
    if (length > 3 && strncmp(path + length - 3, ".mm", 3) == 0)
        length -= 3;
    return hk_arena_printf(arena, "%.*s.coe.json", (int)length, path);
}

/* ---- the model ---------------------------------------------------------------------------------
 */

typedef struct builder {
    reader *r;
    hk_model *model;
    const hk_info **infos; /* per FMU */
    const char **paths;
} builder;

static void open_fmus(builder *b) {
    const fmu *fmus = b->r->fmus.data;
    b->infos = HK_NEW_ARRAY(b->r->arena, const hk_info *, b->r->fmus.count + 1);
    b->paths = HK_NEW_ARRAY(b->r->arena, const char *, b->r->fmus.count + 1);
    for (size_t i = 0; i < b->r->fmus.count; i++) {
        hk_fmu *opened;
        const char *path =
            hk_path_join(b->r->arena, hk_path_folder(b->r->arena, b->r->file), fmus[i].path);
        hk_status status = HK_E_FILE_READ;
        if (!hk_file_exists(path)) {
            hk_complain(&b->r->complaints, HK_E_FILE_READ, fmus[i].where, NULL,
                        "the FMU '%s' of '{%s}' does not exist", path, fmus[i].key);
            continue;
        }
        status = hk_fmu_open(b->r->complaints.ctx, path, &opened);
        if (status) {
            hk_complaint_heard(&b->r->complaints, status);
            continue;
        }
        b->infos[i] = hk_fmu_own(b->model, opened);
        b->paths[i] = hk_arena_strdup(b->model->arena, path);
    }
}

/* The component of an instance, which is there from then on. */
static uint32_t component_of(builder *b, const end *e) {
    uint32_t index = hk_map_get(&b->model->by_name, e->instance);
    uint32_t f = hk_map_get(&b->r->keys, e->fmu);
    if (index != HK_MAP_NONE) {
        if (b->model->components[index].info != b->infos[f])
            hk_complain(&b->r->complaints, HK_E_DUPLICATE, e->where, NULL,
                        "instance '%s' is one of '{%s}', and of another FMU elsewhere", e->instance,
                        e->fmu);
        return index;
    }
    hk_status status = hk_model_add_component(b->r->complaints.ctx, b->model, e->instance,
                                              b->infos[f], e->where, &index);
    if (status) {
        hk_complaint_heard(&b->r->complaints, status);
        return HK_MAP_NONE;
    }
    hk_tree_element *element =
        hk_tree_add(b->model->tree, b->model->tree->root, HK_TREE_COMPONENT, e->instance);
    element->component = index;
    element->where = b->model->components[index].where;
    element->source = (hk_tree_source){
        .kind = HK_TREE_FMU, .file = b->paths[f], .leaf = hk_arena_strdup(b->model->arena, e->fmu)};
    return index;
}

static bool find(builder *b, const end *e, uint32_t component, hk_address *ret_at) {
    const hk_info *info = b->model->components[component].info;
    if (hk_info_address(info, e->variable, ret_at)) {
        ret_at->component = component;
        return true;
    }
    hk_complain(&b->r->complaints, HK_E_CONNECTION, e->where,
                hk_hint_name(b->r->arena, hk_info_closest(info, e->variable), NULL),
                "there is no variable '%s' in '{%s}'", e->variable, e->fmu);
    return false;
}

static hk_tree_end tree_end(builder *b, const end *e) {
    return (hk_tree_end){hk_arena_strdup(b->model->arena, e->instance),
                         hk_arena_strdup(b->model->arena, e->variable)};
}

static void add_link(builder *b, const link *k, hk_map *driven) {
    uint32_t from = component_of(b, &k->from), to = component_of(b, &k->to);
    hk_address source, sink;
    if (from == HK_MAP_NONE || to == HK_MAP_NONE || !find(b, &k->from, from, &source) ||
        !find(b, &k->to, to, &sink))
        return;
    const char *key = hk_arena_printf(b->r->arena, "%s.%s", k->to.instance, k->to.variable);
    uint32_t fresh = (uint32_t)driven->count;
    hk_causality causality = hk_address_variable(b->model, &source)->causality;
    if (causality == HK_INPUT || causality == HK_PARAMETER) {
        hk_complain(&b->r->complaints, HK_E_CONNECTION, k->from.where,
                    "connections begin at outputs", "'%s' is %s, and not an output",
                    k->from.variable, causality == HK_INPUT ? "an input" : "a parameter");
        return;
    }
    if (hk_address_variable(b->model, &sink)->causality != HK_INPUT) {
        hk_complain(&b->r->complaints, HK_E_CONNECTION, k->to.where, NULL, "'%s' is not an input",
                    k->to.variable);
        return;
    }
    if (hk_map_put(driven, key, fresh) != fresh) {
        hk_complain(&b->r->complaints, HK_E_CONNECTION, k->to.where, NULL,
                    "'%s' of '%s' has two connections to it", k->to.variable, k->to.instance);
        return;
    }
    hk_connection like = {.where = b->model->components[from].where, .delay = {0, 1}};
    hk_joined joined;
    like.where.line = k->to.where.line;
    like.where.column = k->to.where.column;
    like.lag = HK_LAG_PREVIOUS;
    hk_status status =
        hk_model_join(b->r->complaints.ctx, b->model, &source, &sink, &like, &joined);
    if (status)
        hk_complaint_heard(&b->r->complaints, status);
    hk_tree_element *root = b->model->tree->root;
    hk_tree_connection c = {.from = tree_end(b, &k->from),
                            .to = tree_end(b, &k->to),
                            .factor = 1,
                            .lag = HK_LAG_PREVIOUS,
                            .delay = {0, 1},
                            .where = like.where};
    HK_TREE_PUSH(b->model->arena, root->connections, root->connection_count, root->connection_cap,
                 c);
}

static void add_value(builder *b, const given *g) {
    uint32_t component = component_of(b, &g->at);
    hk_address at;
    if (component == HK_MAP_NONE || !find(b, &g->at, component, &at))
        return;
    hk_where where = b->model->components[component].where;
    where.line = g->at.where.line;
    where.column = g->at.where.column;
    hk_given_text text = {g->text, NULL, {HK_FROM_SYSTEM, where}};
    hk_status status = hk_model_set(b->r->complaints.ctx, b->model, component, at.variable, &text);
    if (status)
        hk_complaint_heard(&b->r->complaints, status);
}

static void tell_unused(builder *b) {
    const fmu *fmus = b->r->fmus.data;
    for (size_t i = 0; i < b->r->fmus.count; i++) {
        bool used = false;
        for (size_t c = 0; c < b->model->component_count && !used; c++)
            used = b->model->components[c].info == b->infos[i];
        if (!used)
            leave_out(b->r, fmus[i].where, hk_arena_printf(b->r->arena, "'{%s}'", fmus[i].key),
                      "no connection or parameter names an instance of it");
    }
}

static void build(builder *b) {
    const link *links = b->r->links.data;
    const given *values = b->r->values.data;
    hk_map driven = {0};
    open_fmus(b);
    if (b->r->complaints.count)
        return;
    for (size_t i = 0; i < b->r->links.count; i++)
        add_link(b, &links[i], &driven);
    for (size_t i = 0; i < b->r->values.count; i++)
        add_value(b, &values[i]);
    tell_unused(b);
    hk_map_finish(&driven);
}

hk_status hk_multimodel_read(hk_ctx *ctx, const char *path, hk_model **ret_model) {
    hk_arena *arena = hk_arena_create();
    reader r = begin(ctx, arena, path);
    const char *experiment = hk_multimodel_experiment(arena, path);
    hk_model *model = NULL;
    read_file(&r, path, false);
    if (!r.complaints.count && hk_file_exists(experiment)) {
        hk_note(ctx, (hk_where){.file = path}, "the experiment is that of %s", experiment);
        read_file(&r, experiment, true);
        r.file = path;
    }
    if (!r.complaints.count) {
        const char *name = hk_path_name(path);
        name = hk_arena_strndup(arena, name, strcspn(name, "."));
        model = hk_model_create(*name ? name : "multimodel", path);
        hk_tree_create(model, model->name);
        model->experiment = r.experiment;
        model->experiment.has_algorithm = true;
        model->experiment.algorithm = HK_JACOBI;
        model->experiment.algorithm_source = HK_FROM_DEFAULT;
        build(&(builder){.r = &r, .model = model});
        for (size_t i = 0; i < r.lost.count; i++)
            hk_tree_lose(model->tree, (const hk_tree_lost *)r.lost.data + i);
    }
    hk_status status = r.complaints.first;
    finish(&r);
    hk_arena_destroy(arena);
    if (status)
        hk_model_destroy(model);
    else
        *ret_model = model;
    return status;
}
