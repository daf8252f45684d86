/* SPDX-License-Identifier: MIT
 *
 * Walks backwards from a signal at an instant: the activation that computed it, the inputs it
 * depends on, the services that it calls, the activations these came from. */
#include "report/trace_report.h"

#include "base/seconds.h"
#include "model/address.h"

#include <string.h>

typedef struct trace {
    const hk_view *view;
    uint32_t *driver; /* per component and variable: the first connection into it */
    uint32_t *next;   /* per connection: the next one into the same variable */
    size_t *first;    /* where a component's variables begin in driver */
    hk_map shown;     /* "component variable activation" of what was followed already */
    hk_json *json;    /* NULL: it goes to the text */
    const hk_trace_text *text;
} trace;

/* A variable at an activation of its component, or as it was initialised; or a service, and what
 * its provider was then. */
typedef struct node {
    uint32_t component, variable;
    hk_tick at;                        /* HK_ORIGIN_INITIAL: before any activation */
    const hk_plan_dependency *service; /* NULL: it is a variable */
} node;

static const hk_variable *variable_of(const trace *t, const node *n) {
    return &t->view->model->components[n->component].info->variables[n->variable];
}

static const char *name_of(const trace *t, const node *n) {
    const hk_component *c = &t->view->model->components[n->component];
    const char *name = n->service ? c->info->services[n->variable].name : variable_of(t, n)->name;
    return hk_arena_printf(t->view->arena, "%s.%s", c->name, name);
}

static bool is_input(const trace *t, const node *n) {
    return !n->service && variable_of(t, n)->causality == HK_INPUT;
}

static void find_drivers(trace *t) {
    const hk_model *model = t->view->model;
    hk_arena *arena = t->view->arena;
    size_t total = 0;
    t->first = HK_NEW_ARRAY(arena, size_t, model->component_count);
    for (size_t i = 0; i < model->component_count; i++) {
        t->first[i] = total;
        total += model->components[i].info->variable_count;
    }
    t->driver = HK_NEW_ARRAY(arena, uint32_t, total);
    for (size_t i = 0; i < total; i++)
        t->driver[i] = HK_MAP_NONE;
    t->next = HK_NEW_ARRAY(arena, uint32_t, model->connection_count);
    for (uint32_t k = (uint32_t)model->connection_count; k-- > 0;) {
        const hk_connection *c = &model->connections[k];
        uint32_t *driver = &t->driver[t->first[c->to_component] + c->to_variable];
        t->next[k] = *driver;
        *driver = k;
    }
}

/* The newest activation of a component at or before T, or HK_ORIGIN_INITIAL. */
static hk_tick activation_by(const hk_plan *plan, uint32_t component, hk_tick t) {
    const hk_plan_component *c = &plan->components[component];
    hk_tick last = t < plan->stop ? t : plan->stop - 1;
    hk_tick since = last - plan->start - c->offset;
    HK_ASSERT(c->period > 0);
    return since < 0 ? HK_ORIGIN_INITIAL : plan->start + c->offset + since / c->period * c->period;
}

/* The same of a component with overruns, as the record shows it. */
static hk_tick uneven_by(const hk_plan *plan, const hk_plan_component *c, hk_tick t, bool input,
                         hk_tick shift) {
    hk_tick newest = hk_pattern_newest(c->pattern, t < plan->stop ? t : plan->stop - 1);
    bool shortened = t >= plan->stop && newest + c->period > plan->stop &&
                     hk_pattern_late(c->pattern, newest) == 0;
    return input || newest == HK_ORIGIN_INITIAL || shortened
               ? newest
               : hk_pattern_seen(c->pattern, t - shift);
}

/* What a record shows of a signal at T: inputs as they were set last, other variables with a stamp
 * at or before T. */
static node node_at(const trace *t, uint32_t component, uint32_t variable, hk_tick at) {
    const hk_plan *plan = t->view->plan;
    const hk_info *info = t->view->model->components[component].info;
    bool input = info->variables[variable].causality == HK_INPUT;
    hk_tick shift = !input && info->stamp == HK_STAMP_END ? plan->components[component].period : 0;
    const hk_plan_component *c = &plan->components[component];
    if (c->pattern)
        return (node){component, variable, uneven_by(plan, c, at, input, shift), NULL};
    /* The last step may be shortened: its end is the stop time. */
    if (shift && at == plan->stop)
        shift = 1;
    return (node){component, variable, activation_by(plan, component, at - shift), NULL};
}

/* "activation of t = 0.1 s, phase 2, LP1" */
static const char *activation_words(const trace *t, const node *n) {
    hk_arena *arena = t->view->arena;
    const char *processor = hk_view_processor(t->view, n->component);
    if (n->at == HK_ORIGIN_INITIAL)
        return "before its first activation";
    return hk_arena_printf(arena, "activation of t = %s, phase %u%s%s",
                           hk_view_time(t->view, n->at),
                           t->view->plan->components[n->component].level + 1, processor ? ", " : "",
                           processor ? processor : "");
}

static const char *start_words(const trace *t, const node *n) {
    const hk_component *c = &t->view->model->components[n->component];
    hk_arena *arena = t->view->arena;
    const hk_variable *v = variable_of(t, n);
    const hk_value *value = &v->start;
    for (size_t i = 0; i < c->setting_count; i++)
        if (c->settings[i].variable == n->variable)
            value = &c->settings[i].value;
    const char *what = v->causality == HK_INPUT ? "not connected: " : "";
    if (!value->data || value->count != 1)
        return hk_arena_printf(arena, "%skeeps its start value", what);
    return hk_arena_printf(arena, "%skeeps its start value %s%s%s", what,
                           hk_value_format(arena, v->type, hk_store_of(v->type), value->data),
                           v->unit ? " " : "", v->unit ? v->unit : "");
}

/* True the first time a node is met. */
static bool is_new(trace *t, const node *n) {
    const char *key = hk_arena_printf(t->view->arena, "%u %u %lld %d", n->component, n->variable,
                                      (long long)n->at, n->service != NULL);
    uint32_t count = (uint32_t)t->shown.count;
    return hk_map_put(&t->shown, key, count) == count;
}

static void put_line(const trace *t, int level, const char *name, const char *words) {
    t->text->node(t->text->user, level, name, NULL, words);
}

/* One node: written, then what it comes from. */
static void follow(trace *t, const node *n, int level, uint64_t depth, const char *way);

static void open_node(trace *t, const node *n, int level, const char *way, const char *words) {
    const char *name = name_of(t, n);
    if (!t->json) {
        t->text->node(t->text->user, level, name, way, words);
        return;
    }
    hk_json *json = t->json;
    hk_json_object(json, level ? NULL : "value");
    hk_json_string(json, n->service ? "service" : "signal", name);
    hk_json_string(json, "component", t->view->model->components[n->component].name);
    if (!n->service)
        hk_json_string(json, "causality", hk_causality_name(variable_of(t, n)->causality));
    hk_json_bool(json, "initial", n->at == HK_ORIGIN_INITIAL);
    if (n->at != HK_ORIGIN_INITIAL)
        hk_json_f64(json, "activation_s", hk_tick_seconds(n->at, t->view->plan->ticks_per_second));
    hk_json_i64(json, "phase", (int64_t)t->view->plan->components[n->component].level + 1);
    hk_json_string(json, "processor", hk_view_processor(t->view, n->component));
    hk_json_string(json, "note", words);
}

static void remark(const trace *t, int level, const char *text) {
    if (!t->json)
        put_line(t, level, "", text);
}

/* How FROM came to N over hop K, in words; in JSON it is written at once. */
static const char *put_way(trace *t, const node *n, const node *from, uint32_t k) {
    const hk_view *view = t->view;
    hk_arena *arena = view->arena;
    hk_tick lag = hk_plan_hop(view->plan, k).lag;
    const char *extra = hk_view_remark(view, k);
    const char *transform =
        from->service ? NULL : hk_view_transform(view, &view->model->connections[k]);
    const char *age = from->at == HK_ORIGIN_INITIAL
                          ? from->service ? "as it was initialised" : "the initial value"
                          : hk_arena_printf(arena, "age %s", hk_view_time(view, n->at - from->at));
    if (t->json) {
        hk_json_object(t->json, "connection");
        hk_json_f64(t->json, "lag_s", hk_tick_seconds(lag, view->plan->ticks_per_second));
        hk_json_string(t->json, "word", hk_view_lag_word(view, k));
        if (from->at != HK_ORIGIN_INITIAL)
            hk_json_f64(t->json, "age_s",
                        hk_tick_seconds(n->at - from->at, view->plan->ticks_per_second));
        hk_json_string(t->json, "transformation", transform);
        hk_json_string(t->json, "remark", extra);
        hk_json_end(t->json);
    }
    return hk_arena_printf(arena, "%s%s; lag %s (%s)%s%s%s%s", from->service ? "is called; " : "",
                           age, hk_view_time(view, lag), hk_view_lag_word(view, k),
                           transform ? "; " : "", transform ? transform : "", extra ? "; " : "",
                           extra ? extra : "");
}

/* Over the connection into an input. */
static void follow_input(trace *t, const node *n, uint32_t k, int level, uint64_t depth) {
    const hk_view *view = t->view;
    const hk_connection *c = &view->model->connections[k];
    node from = {c->from_component, c->from_variable,
                 n->at == HK_ORIGIN_INITIAL ? HK_ORIGIN_INITIAL : hk_age_seen(view->plan, k, n->at),
                 NULL};
    const char *way = put_way(t, n, &from, k);
    if (t->json)
        hk_json_array(t->json, "from");
    follow(t, &from, level + 1, depth, way);
    if (t->json)
        hk_json_end(t->json);
}

/* What the component may have called in the activation of N. */
static void follow_services(trace *t, const node *n, int level, uint64_t depth) {
    const hk_plan *plan = t->view->plan;
    for (uint32_t i = 0; i < plan->dependency_count; i++) {
        const hk_plan_dependency *d = &plan->dependencies[i];
        const hk_requirement *r = &t->view->model->requirements[d->requirement];
        uint32_t hop = (uint32_t)t->view->model->connection_count + i;
        if (d->to != n->component)
            continue;
        node from = {d->from, r->candidates[d->candidate].service, hk_age_seen(plan, hop, n->at),
                     d};
        if (t->json) {
            hk_json_object(t->json, NULL);
            hk_json_string(t->json, "calls",
                           t->view->model->components[d->to].info->services[r->service].name);
        }
        const char *way = put_way(t, n, &from, hop);
        if (t->json)
            hk_json_array(t->json, "from");
        follow(t, &from, level + 1, depth, way);
        if (t->json) {
            hk_json_end(t->json);
            hk_json_end(t->json);
        }
    }
}

static bool calls_services(const trace *t, uint32_t component) {
    for (uint32_t i = 0; i < t->view->plan->dependency_count; i++)
        if (t->view->plan->dependencies[i].to == component)
            return true;
    return false;
}

/* Over the connections into the elements of an array; K is the first. */
static void follow_elements(trace *t, const node *n, uint32_t k, int level, uint64_t depth) {
    const hk_model *model = t->view->model;
    if (t->json)
        hk_json_array(t->json, "elements");
    for (; k != HK_MAP_NONE; k = t->next[k]) {
        hk_address element = hk_connection_sink(&model->connections[k]);
        const char *name = hk_address_name(t->view->arena, model, &element);
        if (t->json) {
            hk_json_object(t->json, NULL);
            hk_json_string(t->json, "signal", name);
        } else {
            put_line(t, level + 1, name, "");
        }
        follow_input(t, n, k, level + 1, depth);
        if (t->json)
            hk_json_end(t->json);
    }
    if (t->json)
        hk_json_end(t->json);
}

/* One that depends on no input directly does so through the state, which the activation has
 * advanced with all inputs; so does what a service answers. */
static const hk_depends *depends_of(const trace *t, const node *n) {
    static const hk_depends state = {.known = true};
    return n->service ? &state : &variable_of(t, n)->depends;
}

static bool depends_directly(const hk_info *info, const hk_depends *depends) {
    for (size_t i = 0; depends->known && i < depends->count; i++)
        if (info->variables[depends->on[i]].causality == HK_INPUT)
            return true;
    return false;
}

static bool has_inputs(const hk_info *info) {
    for (uint32_t v = 0; v < info->variable_count; v++)
        if (info->variables[v].causality == HK_INPUT)
            return true;
    return false;
}

/* What an output depends on, in words. */
static const char *dependence_words(const trace *t, const node *n, bool direct) {
    bool any = has_inputs(t->view->model->components[n->component].info);
    bool calls = calls_services(t, n->component);
    const char *kind = !any && calls             ? "what it calls: there are no inputs"
                       : !any                    ? "nothing: there are no inputs"
                       : direct                  ? "declared inputs"
                       : depends_of(t, n)->known ? "all inputs, through the state"
                                                 : "all inputs: nothing is declared";
    return any && calls ? hk_arena_printf(t->view->arena, "%s, and what it calls", kind) : kind;
}

/* The inputs that an output depends on, and the services that its component calls, at the same
 * activation. */
static void follow_output(trace *t, const node *n, int level, uint64_t depth) {
    const hk_info *info = t->view->model->components[n->component].info;
    const hk_depends *depends = depends_of(t, n);
    bool direct = depends_directly(info, depends);
    const char *kind = dependence_words(t, n, direct);
    if (t->json) {
        hk_json_string(t->json, "depends_on", kind);
        hk_json_array(t->json, "from");
    } else if (!direct) {
        remark(t, level + 1, hk_arena_printf(t->view->arena, "depends on %s", kind));
    }
    size_t count = direct ? depends->count : info->variable_count;
    for (size_t i = 0; i < count; i++) {
        node input = {n->component, direct ? depends->on[i] : (uint32_t)i, n->at, NULL};
        if (is_input(t, &input))
            follow(t, &input, level + 1, depth, NULL);
    }
    if (depth)
        follow_services(t, n, level, depth - 1);
    if (t->json)
        hk_json_end(t->json);
}

static void follow(trace *t, const node *n, int level, uint64_t depth, const char *way) {
    uint32_t k = n->service ? HK_MAP_NONE : t->driver[t->first[n->component] + n->variable];
    bool input = is_input(t, n) || k != HK_MAP_NONE; /* parameters may be driven, too */
    bool kept =
        k == HK_MAP_NONE && !n->service && (input || variable_of(t, n)->variability <= HK_TUNABLE);
    bool leaf = kept || (!input && n->at == HK_ORIGIN_INITIAL);
    const char *words = kept ? start_words(t, n) : activation_words(t, n);
    bool fresh = leaf || is_new(t, n);
    if (!fresh)
        words = hk_arena_printf(t->view->arena, "%s; followed above", words);
    /* An input that is right below its output says its activation twice. */
    if (input && level && !leaf && fresh && !t->json)
        words = "";
    open_node(t, n, level, way, words);
    bool divided = k != HK_MAP_NONE && t->view->model->connections[k].to_slice.count;
    if (fresh && !leaf && input && depth && divided)
        follow_elements(t, n, k, level, depth - 1);
    else if (fresh && !leaf && input && depth)
        follow_input(t, n, k, level, depth - 1);
    else if (fresh && !leaf && !input && depth)
        follow_output(t, n, level, depth);
    else if (fresh && !leaf && !depth)
        remark(t, level + 1, "... (--depth shows more)");
    if (t->json)
        hk_json_end(t->json);
}

static hk_status unknown_signal(trace *t, const char *name) {
    hk_arena *arena = t->view->arena;
    const char *there =
        hk_arena_printf(arena, "'hocket info %s' lists what is there", t->view->file);
    return hk_error(t->view->ctx, HK_E_UNKNOWN_SIGNAL, HK_NOWHERE,
                    hk_model_hint(arena, t->view->model, name, there), "there is no signal '%s'",
                    name);
}

/* The last tick at or before the time asked for. */
static hk_status read_at(const trace *t, const char *text, hk_tick *ret_at) {
    const hk_plan *plan = t->view->plan;
    hk_ctx *ctx = t->view->ctx;
    hk_ratio at;
    if (!text)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "add --at TIME: --at 1.5, --at 20ms",
                        "'hocket trace' needs an instant");
    if (!hk_time_read(ctx, (hk_where){.element = "--at"}, text, &at))
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "seconds, or with a unit: 1.5, 1/120, 20ms",
                        "--at: '%s' is not a time", text);
    int64_t whole = hk_floor_div(at.num, at.den), part, ticks;
    if (__builtin_mul_overflow(whole, plan->ticks_per_second, &ticks) ||
        __builtin_mul_overflow(hk_floor_mod(at.num, at.den), plan->ticks_per_second, &part) ||
        __builtin_add_overflow(ticks, part / at.den, &ticks) || ticks < plan->start ||
        ticks > plan->stop)
        return hk_error(ctx, HK_E_TIME, HK_NOWHERE, "--stop-time makes the run longer",
                        "the run goes from %s to %s, and '%s' is outside",
                        hk_view_time(t->view, plan->start), hk_view_time(t->view, plan->stop),
                        text);
    *ret_at = ticks;
    return HK_OK;
}

/* Who is bound decides about what is said, and a run may change that: it is that of the beginning.
 */
static void say_order(trace *t) {
    const hk_plan *plan = t->view->plan;
    if (plan->order_count == 1)
        return;
    if (t->json) {
        hk_json_object(t->json, "order");
        hk_json_i64(t->json, "number", 1);
        hk_json_i64(t->json, "of", (int64_t)plan->order_count);
        hk_json_string(t->json, "with", plan->orders[0]->order_name);
        hk_json_end(t->json);
        return;
    }
    t->text->say(t->text->user,
                 hk_arena_printf(t->view->arena,
                                 "  in order 1 of %zu: with %s; 'hocket plan' shows the others",
                                 plan->order_count, plan->orders[0]->order_name));
}

/* An output of the outermost system that is made from the variable AT, which is followed. */
static void say_shown(trace *t, const hk_shown *shown, const hk_address *at) {
    hk_arena *arena = t->view->arena;
    hk_address named = *at;
    named.count = hk_variable_is_array(hk_address_variable(t->view->model, at));
    const char *from = hk_address_name(arena, t->view->model, &named);
    const char *how = hk_view_change(t->view, hk_address_variable(t->view->model, at)->unit,
                                     shown->unit, &shown->transform);
    if (t->json) {
        hk_json_object(t->json, "output");
        hk_json_string(t->json, "name", shown->name);
        hk_json_string(t->json, "from", from);
        hk_json_string(t->json, "transformation", how);
        hk_json_end(t->json);
        return;
    }
    put_line(t, 0, shown->name,
             hk_arena_printf(arena, "made from %s%s%s", from, how ? "; " : "", how ? how : ""));
}

/* The variable that NAME means; of an output that the outermost system makes from one, SHOWN is
 * how.
 */
static hk_status find_signal(trace *t, const char *name, hk_address *ret_signal,
                             const hk_shown **ret_shown) {
    const hk_shown *shown = hk_model_shown(t->view->model, name);
    *ret_shown = shown;
    if (shown)
        *ret_signal = (hk_address){shown->component, shown->variable, shown->element, 1, NULL};
    else if (!hk_model_find(t->view->model, name, ret_signal))
        return unknown_signal(t, name);
    return HK_OK;
}

static void begin(trace *t, hk_report *report, hk_json *json, hk_tick at) {
    const hk_view *view = t->view;
    if (t->text) {
        t->text->say(t->text->user, hk_arena_printf(view->arena, "at t = %s a record shows",
                                                    hk_view_time(view, at)));
        return;
    }
    t->json = json;
    hk_report_begin(report, json, "trace");
    hk_json_string(json, "file", view->file);
    hk_json_f64(json, "at_s", hk_tick_seconds(at, view->plan->ticks_per_second));
}

hk_status hk_trace_make(hk_report *report, const hk_view *view, const hk_trace_wishes *wishes,
                        const hk_trace_text *text) {
    trace t = {.view = view, .text = text};
    const hk_shown *shown;
    hk_address signal;
    hk_tick at = 0;
    hk_json json;
    HK_ASSERT(view->plan && wishes->depth <= HK_TRACE_DEPTH_MAX);
    HK_TRY(read_at(&t, wishes->at, &at));
    HK_TRY(find_signal(&t, wishes->signal, &signal, &shown));
    find_drivers(&t);
    node n = node_at(&t, signal.component, signal.variable, at);
    begin(&t, report, &json, at);
    say_order(&t);
    if (shown)
        say_shown(&t, shown, &signal);
    follow(&t, &n, 0, wishes->depth, NULL);
    if (t.json)
        hk_json_end(t.json);
    hk_map_finish(&t.shown);
    return HK_OK;
}
