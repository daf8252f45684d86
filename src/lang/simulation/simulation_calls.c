/* SPDX-License-Identifier: MIT
 *
 * Statements about interfaces: bind, and calls of functions. */
#include "lang/simulation/simulation_internal.h"

#include <string.h>

/* ---- bind */

static const hk_service_info *service_of(const hk_simread *r, const hk_target *t) {
    return &r->model->components[t->component].info->services[t->service];
}

static hk_requirement *find_requirement(const hk_simread *r, const hk_target *t) {
    for (size_t i = 0; i < r->model->requirement_count; i++)
        if (r->model->requirements[i].component == t->component &&
            r->model->requirements[i].service == t->service)
            return &r->model->requirements[i];
    return NULL;
}

static hk_status check_directions(hk_simread *r, const hk_statement *s, const hk_target *provided,
                                  const hk_target *required) {
    bool first = service_of(r, provided)->provided, second = service_of(r, required)->provided;
    if (first && !second)
        return HK_OK;
    if (!first && second)
        return hk_simread_error(r, HK_E_SERVICE, &s->path.at,
                                hk_arena_printf(r->arena, "swap them: bind \"%s\" to \"%s\"",
                                                s->other.text, s->path.text),
                                "bind goes from a provided to a required interface");
    const hk_target *wrong = first ? required : provided;
    const char *hint = hk_simread_list_services(r, wrong->component, !first);
    return hk_simread_error(r, HK_E_SERVICE, first ? &s->other.at : &s->path.at, hint,
                            "'%s' is %s, expected a %s interface", wrong->name,
                            first ? "provided" : "required", first ? "required" : "provided");
}

/* The one who provides the interface may be bound, linked or not; the order of the components knows
 * it from here on. What is bound by itself stays so. */
static void add_candidate(hk_simread *r, const hk_target *provided, const hk_target *required) {
    hk_requirement *q = find_requirement(r, required);
    hk_provider provider = {provided->component, provided->service};
    HK_ASSERT(q);
    for (size_t i = 0; i < q->candidate_count; i++)
        if (q->candidates[i].component == provider.component &&
            q->candidates[i].service == provider.service)
            return;
    if (q->candidate_count == 1)
        q->bound = 0;
    hk_provider *all = HK_NEW_ARRAY(r->model->arena, hk_provider, q->candidate_count + 1);
    memcpy(all, q->candidates, q->candidate_count * sizeof *all);
    all[q->candidate_count++] = provider;
    q->candidates = all;
}

static hk_status check_interfaces(hk_simread *r, const hk_statement *s, const hk_target *provided,
                                  const hk_target *required) {
    const hk_service_info *p = service_of(r, provided), *q = service_of(r, required);
    if (provided->component == required->component)
        return hk_simread_error(r, HK_E_SERVICE, &s->path.at, NULL, "'%s' cannot ask itself",
                                r->model->components[required->component].name);
    if (strcmp(p->interface, q->interface) != 0)
        return hk_simread_error(r, HK_E_SERVICE, &s->path.at, NULL,
                                "'%s' provides '%s', but '%s' requires '%s'", provided->name,
                                p->interface, required->name, q->interface);
    if (p->definition && q->definition &&
        strcmp(p->definition->signature, q->definition->signature) != 0)
        return hk_simread_error(r, HK_E_SERVICE, &s->path.at, "build both from the same type file",
                                "'%s' and '%s' mean different functions by '%s'", provided->name,
                                required->name, p->interface);
    return HK_OK;
}

hk_status hk_simread_bind(hk_simread *r, const hk_statement *s, hk_action *action) {
    hk_target provided, required;
    hk_status first = hk_simread_find(r, &s->path, HK_TARGET_SERVICE, &provided);
    HK_TRY(hk_simread_find(r, &s->other, HK_TARGET_SERVICE, &required));
    HK_TRY(first);
    HK_TRY(check_directions(r, s, &provided, &required));
    HK_TRY(check_interfaces(r, s, &provided, &required));
    add_candidate(r, &provided, &required);
    action->component = required.component;
    action->service = required.service;
    action->provider = provided.component;
    action->provider_service = provided.service;
    action->words = hk_arena_printf(r->arena, "bind %s to %s", provided.name, required.name);
    return HK_OK;
}

/* ---- calls */

typedef struct callable {
    uint32_t service, function;
    const char *name; /* "environment.CurrentConfig.setSpeed" */
} callable;

typedef struct callables {
    callable *all;
    size_t count, cap;
} callables;

static void add_functions(hk_simread *r, const hk_target *target, callables *found) {
    const hk_info *info = r->model->components[target->component].info;
    for (uint32_t i = 0; i < info->service_count; i++) {
        const hk_service_info *s = &info->services[i];
        if (!s->provided || !s->definition ||
            (target->service != HK_MAP_NONE && target->service != i))
            continue;
        for (uint32_t k = 0; k < s->definition->function_count; k++) {
            const char *name =
                hk_arena_printf(r->arena, "%s.%s", s->interface, s->definition->functions[k].name);
            HK_PUSH(found->all, found->count, found->cap, ((callable){i, k, name}));
        }
    }
}

/* How many parts, counted from the end, two names have in common. */
static size_t common_parts(const char *a, const char *b) {
    size_t i = strlen(a), k = strlen(b), parts = 0;
    while (i && k && a[i - 1] == b[k - 1]) {
        parts += a[i - 1] == '.';
        i--;
        k--;
    }
    return parts + ((!i && (!k || b[k - 1] == '.')) || (!k && i && a[i - 1] == '.'));
}

static size_t count_parts(const char *name) {
    size_t parts = 1;
    for (; *name; name++)
        parts += *name == '.';
    return parts;
}

/* A leaf that provides an interface twice: the interface is to be named, too. */
static const char *provider_hint(hk_simread *r, const hk_target *target, const callables *found,
                                 const callable *called) {
    const char **names = HK_NEW_ARRAY(r->arena, const char *, found->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < found->count; i++)
        if (strcmp(found->all[i].name, called->name) == 0)
            names[count++] = hk_simread_service_name(r, target->component, found->all[i].service);
    return count > 1 ? hk_arena_printf(r->arena, "name the interface: %s",
                                       hk_simread_list(r, names, count))
                     : NULL;
}

/* BEST: one of several that it may be; NULL: it is none. */
static hk_status no_function(hk_simread *r, const hk_statement *s, const hk_target *target,
                             const callables *found, const callable *best) {
    const char **names = HK_NEW_ARRAY(r->arena, const char *, found->count + 1);
    const char **tails = HK_NEW_ARRAY(r->arena, const char *, found->count + 1);
    for (size_t i = 0; i < found->count; i++) {
        names[i] = found->all[i].name;
        tails[i] = strrchr(names[i], '.') + 1;
    }
    const char *dot = strrchr(s->other.text, '.'), *hint = NULL;
    if (best)
        hint = provider_hint(r, target, found, best);
    else
        hint = hk_simread_suggest(r, s->other.text, names, found->count);
    if (!best && !hint)
        hint = hk_simread_suggest(r, dot ? dot + 1 : s->other.text, tails, found->count);
    if (!hint)
        hint = found->count ? hk_arena_printf(r->arena, "it provides %s",
                                              hk_simread_list(r, names, found->count))
                            : "it provides no functions";
    return hk_simread_error(r, HK_E_NAME, &s->other.at, hint,
                            best ? "several functions of '%s' are called '%s'"
                                 : "'%s' provides no function '%s'",
                            target->name, s->other.text);
}

/* The one that is called so; else the one whose last parts are written; else the one of the same
 * interface and name in another package. */
static hk_status find_function(hk_simread *r, const hk_statement *s, const hk_target *target,
                               const callables *found, const callable **ret_function) {
    const callable *best = NULL;
    size_t best_parts = 0, equal = 0, written = count_parts(s->other.text);
    bool exact = false;
    for (size_t i = 0; i < found->count; i++) {
        size_t parts = common_parts(s->other.text, found->all[i].name);
        bool same = strcmp(found->all[i].name, s->other.text) == 0;
        if (parts < (written < 2 ? written : 2) || parts < best_parts || (exact && !same))
            continue;
        equal = parts == best_parts && exact == same ? equal + 1 : 1;
        exact = same;
        best_parts = parts;
        best = &found->all[i];
    }
    if (!best || equal > 1)
        return no_function(r, s, target, found, best);
    if (best_parts < written)
        hk_warn(r->ctx, HK_E_NAME, hk_simread_where(r, &s->other.at),
                hk_arena_printf(r->arena, "write '%s'", best->name),
                "there is no '%s'; '%s' is called", s->other.text, best->name);
    *ret_function = best;
    return HK_OK;
}

static hk_status find_argument(hk_simread *r, const hk_callargument *a, const char *name,
                               const hk_function *function, size_t *ret_index) {
    const char *dot = strrchr(a->name.text, '.'), *last = dot ? dot + 1 : a->name.text;
    const char **names = HK_NEW_ARRAY(r->arena, const char *, function->argument_count + 1);
    for (size_t i = 0; i < function->argument_count; i++)
        names[i] = function->arguments[i].name;
    const char *owner =
        dot ? hk_arena_strndup(r->arena, a->name.text, (size_t)(dot - a->name.text)) : NULL;
    size_t least = owner && count_parts(owner) > 1 ? 2 : 1;
    if (owner && common_parts(owner, name) < least)
        return hk_simread_error(r, HK_E_NAME, &a->name.at,
                                hk_arena_printf(r->arena, "write '%s.%s'", name, last),
                                "'%s' is not an argument of '%s'", a->name.text, name);
    for (size_t i = 0; i < function->argument_count; i++)
        if (strcmp(names[i], last) == 0) {
            *ret_index = i;
            return HK_OK;
        }
    const char *hint = hk_simread_suggest(r, last, names, function->argument_count);
    if (!hint && function->argument_count)
        hint = hk_arena_printf(r->arena, "its arguments are %s",
                               hk_simread_list(r, names, function->argument_count));
    return hk_simread_error(r, HK_E_NAME, &a->name.at, hint, "'%s' has no argument '%s'", name,
                            last);
}

static hk_status read_arguments(hk_simread *r, const hk_statement *s, const hk_callee *callee,
                                const void **values) {
    const char *name = callee->name;
    const hk_function *function = callee->function;
    hk_status status = HK_OK;
    for (size_t i = 0; i < s->argument_count; i++) {
        const hk_callargument *a = &s->arguments[i];
        size_t index = i;
        if (!*a->name.text && i >= function->argument_count)
            return hk_simread_error(r, HK_E_SCENARIO, &a->at, NULL,
                                    "'%s' has %zu argument%s, found %zu", name,
                                    function->argument_count,
                                    function->argument_count == 1 ? "" : "s", s->argument_count);
        hk_status one = *a->name.text ? find_argument(r, a, name, function, &index) : HK_OK;
        if (one == HK_OK && values[index])
            one = hk_simread_error(r, HK_E_SCENARIO, &a->at, "remove one of them",
                                   "the argument '%s' of '%s' is given twice",
                                   function->arguments[index].name, name);
        if (one == HK_OK)
            one = hk_simread_argument(r, &a->value, callee, index, &values[index]);
        if (status == HK_OK)
            status = one;
    }
    for (size_t i = 0; status == HK_OK && i < function->argument_count; i++)
        if (!values[i])
            status = hk_simread_error(
                r, HK_E_SCENARIO, &s->other.at, NULL, "'%s' has %zu argument%s, '%s' is missing",
                name, function->argument_count, function->argument_count == 1 ? "" : "s",
                function->arguments[i].name);
    return status;
}

static const char *call_words(hk_simread *r, const hk_statement *s, const char *component,
                              const hk_function *function) {
    const char *text = hk_arena_printf(r->arena, "call %s.%s(", component, function->name);
    for (size_t i = 0; i < s->argument_count; i++) {
        const hk_callargument *a = &s->arguments[i];
        const char *dot = strrchr(a->name.text, '.'), *name = dot ? dot + 1 : a->name.text;
        text = hk_arena_printf(r->arena, "%s%s%s%s%s", text, i ? ", " : "", name,
                               *name ? " = " : "", hk_simread_show_literal(r, &a->value));
    }
    return hk_arena_printf(r->arena, "%s)", text);
}

static hk_status resolve_call(hk_simread *r, const hk_statement *s, const hk_target *target,
                              const callables *found, hk_action *action) {
    const callable *called = NULL;
    HK_TRY(find_function(r, s, target, found, &called));
    const hk_component *c = &r->model->components[target->component];
    const hk_service_info *service = &c->info->services[called->service];
    const hk_function *function = &service->definition->functions[called->function];
    /* Leaves without behaviour have interfaces that are declared only. */
    if (!function->call && service->definition->stopped)
        return hk_simread_error(r, HK_E_SCENARIO, &s->other.at,
                                "generate its code again with 'hocket gen'",
                                "'%s' cannot be called from a scenario", called->name);
    const void **values = HK_NEW_ARRAY(r->arena, const void *, function->argument_count + 1);
    const hk_callee callee = {called->name, service, called->function, function};
    HK_TRY(read_arguments(r, s, &callee, values));
    action->component = target->component;
    action->service = called->service;
    action->function = called->function;
    action->arguments = values;
    action->words = call_words(r, s, c->name, function);
    return HK_OK;
}

hk_status hk_simread_call(hk_simread *r, const hk_statement *s, hk_action *action) {
    hk_target target;
    callables found = {0};
    HK_TRY(hk_simread_find_callee(r, &s->path, &target));
    if (!*s->other.text)
        return hk_simread_missing(r, &s->other.at);
    add_functions(r, &target, &found);
    hk_status status = resolve_call(r, s, &target, &found, action);
    hk_free(found.all);
    return status;
}
