/* SPDX-License-Identifier: MIT
 *
 * Does a behaviour fit its leaf type? */
#include "lang/system/system_internal.h"
#include "model/rescale.h"

#include <hk/service.h>

#include <math.h>
#include <string.h>

enum { DIFFERENCES_MAX = 8 };

typedef struct fitting {
    hk_system *s;
    const hk_lang_leaf *leaf;
    const hk_info *info;
    hk_variable *variables; /* of the new description */
    hk_scale *scales;       /* per variable */
    bool rescaled;          /* one of them is used */
    bool *used;
    bool exact;
    const char *text; /* the differences */
    size_t count;
} fitting;

static void differ(fitting *f, const char *text) {
    if (f->count < DIFFERENCES_MAX)
        f->text = hk_arena_printf(f->s->arena, "%s%s%s", f->text, f->count ? "; " : "", text);
    f->count++;
}

static const char *shape(fitting *f, hk_type type, size_t count) {
    const char *name = hk_type_name(type);
    return count == 1 ? name : hk_arena_printf(f->s->arena, "%s[%zu]", name, count);
}

static bool same_causality(const fitting *f, hk_causality have, hk_causality want) {
    if (f->exact || want == HK_INPUT)
        return have == want;
    if (want == HK_PARAMETER)
        return have == HK_PARAMETER || have == HK_STRUCTURAL_PARAMETER;
    return have == HK_OUTPUT || have == HK_LOCAL || have == HK_CALCULATED_PARAMETER;
}

/* In the unit of the leaf type from here on. Generated code computes in the units of its type file;
 * an FMU has its own. */
static void fit_unit(fitting *f, hk_variable *v, const char *unit, hk_scale *scale) {
    hk_arena *arena = f->s->model->arena;
    hk_uom uom;
    double factor = 1, offset = 0;
    bool real = v->type == HK_TYPE_F64 || v->type == HK_TYPE_F32;
    if (!unit || (v->unit && !v->uom) || !hk_uom_parse(unit, &uom))
        return;
    if (!v->unit) {
        hk_uom *kept = HK_NEW(arena, hk_uom);
        *kept = uom;
        v->unit = unit;
        v->uom = kept;
        return;
    }
    bool fits = hk_uom_conversion(v->uom, &uom, v->relative, &factor, &offset);
    bool same = factor == 1 && offset == 0;
    if (!fits || (f->exact && !same)) {
        differ(f, hk_arena_printf(f->s->arena, "'%s' is in '%s', not in '%s'", v->name, v->unit,
                                  unit));
    } else if (!same && !real) {
        differ(f, hk_arena_printf(f->s->arena, "'%s' is %s in '%s', which is not converted to '%s'",
                                  v->name, hk_type_name(v->type), v->unit, unit));
    } else if (!same) {
        f->rescaled = true;
        HK_ASSERT(hk_variable_rescale(arena, v, unit, &uom, scale));
    }
}

/* What holds for the behaviour and what the leaf type allows. */
static void fit_range(hk_variable *v, const hk_lang_var *var) {
    if (!var->has_range)
        return;
    if (isnan(v->min) || var->min > v->min)
        v->min = var->min;
    if (isnan(v->max) || var->max < v->max)
        v->max = var->max;
}

/* What the leaf type knows and the behaviour does not say. */
static void enrich(fitting *f, hk_variable *v, const hk_part *part, const hk_lang_var *var) {
    v->hidden = var->is_private;
    if (part->enumeration && !v->enumeration)
        v->enumeration = part->enumeration->items;
    if (!v->declared_type)
        v->declared_type = var->type->name;
    if (f->exact && part->dim_count) {
        v->dims = part->dims;
        v->dim_count = part->dim_count;
    }
    fit_range(v, var);
}

/* Types that can be converted are not a mistake, but the behaviour keeps its own. */
static void warn_type(const fitting *f, const hk_variable *v, hk_type declared,
                      const hk_lang_var *var) {
    if (v->type != declared)
        hk_warn(f->s->complaints.ctx, HK_E_CONVERSION, var->where, "declare it as it is there",
                "'%s' is %s in the leaf type '%s' and %s in %s, whose type holds", v->name,
                hk_type_name(declared), f->leaf->name, hk_type_name(v->type),
                f->info->file ? f->info->file : f->info->name);
}

static void fit_part(fitting *f, const hk_lang_var *var, hk_causality causality, size_t index) {
    const hk_part *part = &var->type->parts[index];
    hk_arena *arena = f->s->arena;
    const char *name = hk_part_name(arena, var->name, part->name);
    const char *unit = part->unit ? part->unit : var->unit;
    uint32_t found = hk_info_find(f->info, name);
    if (found == HK_MAP_NONE) {
        const char *why = hk_info_why_not(f->info, name);
        differ(f, why ? hk_arena_printf(arena, "'%s' cannot be used: %s", name, why)
                      : hk_arena_printf(arena, "%s '%s' is missing", hk_causality_name(causality),
                                        name));
        return;
    }
    hk_variable *v = &f->variables[found];
    f->used[found] = true;
    bool same = f->exact ? v->type == part->type : hk_type_connectable(part->type, v->type);
    if (!same_causality(f, v->causality, causality))
        differ(f, hk_arena_printf(arena, "'%s' is %s, not %s", name,
                                  hk_causality_name(v->causality), hk_causality_name(causality)));
    else if (!same || v->count != part->count)
        differ(f, hk_arena_printf(arena, "'%s' is %s, not %s", name, shape(f, v->type, v->count),
                                  shape(f, part->type, part->count)));
    else {
        warn_type(f, v, part->type, var);
        fit_unit(f, v, unit, &f->scales[found]);
        enrich(f, v, part, var);
    }
}

static void fit_vars(fitting *f, const hk_lang_var *vars, size_t count, hk_causality causality) {
    for (size_t i = 0; i < count; i++)
        for (size_t p = 0; p < vars[i].type->part_count; p++)
            fit_part(f, &vars[i], causality, p);
}

static void fit_services(fitting *f, const hk_lang_service *services, size_t count, bool provided) {
    hk_arena *arena = f->s->arena;
    const char *word = provided ? "provided" : "required";
    for (size_t i = 0; i < count; i++) {
        const hk_service_info *found = NULL;
        for (size_t k = 0; k < f->info->service_count && !found; k++)
            if (strcmp(f->info->services[k].name, services[i].name) == 0)
                found = &f->info->services[k];
        const hk_lang_interface *want = services[i].interface;
        if (!found || found->provided != provided)
            differ(f, hk_arena_printf(arena, "the %s interface '%s' is missing", word,
                                      services[i].name));
        else if (strcmp(found->interface, want->name) != 0)
            differ(f, hk_arena_printf(arena, "'%s' is a '%s', not a '%s'", services[i].name,
                                      found->interface, want->name));
        else if (found->definition && strcmp(found->definition->signature, want->signature) != 0)
            differ(f, hk_arena_printf(arena, "the functions of '%s' are others", want->name));
    }
}

/* Generated code has nothing that the type file does not say. */
static void find_extras(fitting *f) {
    hk_arena *arena = f->s->arena;
    for (size_t i = 0; i < f->info->variable_count; i++)
        if (!f->used[i] && f->info->variables[i].causality != HK_LOCAL)
            differ(f,
                   hk_arena_printf(arena, "'%s' is not in the type", f->info->variables[i].name));
    size_t known = f->leaf->provided_count + f->leaf->required_count;
    if (f->info->service_count > known && !f->count)
        differ(f, "it has more interfaces than the type");
}

static hk_status report(fitting *f) {
    const char *more = f->count > DIFFERENCES_MAX ? hk_arena_printf(f->s->arena, "; and %zu more",
                                                                    f->count - DIFFERENCES_MAX)
                                                  : "";
    if (f->exact)
        return hk_complain(&f->s->complaints, HK_E_REGENERATE, f->leaf->where,
                           "run 'hocket gen' again and build the plugin",
                           "the native type '%s'%s%s does not fit its leaf type: %s%s",
                           f->info->name, f->info->file ? " of " : "",
                           f->info->file ? f->info->file : "", f->text, more);
    return hk_complain(&f->s->complaints, HK_E_NAME, f->leaf->where,
                       "correct the leaf type; 'hocket info' shows what the file has",
                       "%s does not fit the leaf type '%s': %s%s",
                       f->info->file ? f->info->file : f->info->name, f->leaf->name, f->text, more);
}

const hk_info *hk_system_fit(hk_system *s, const hk_lang_leaf *leaf, const hk_info *info,
                             bool exact) {
    size_t n = info->variable_count;
    fitting f = {.s = s,
                 .leaf = leaf,
                 .info = info,
                 .variables = HK_NEW_ARRAY(s->model->arena, hk_variable, n + 1),
                 .scales = HK_NEW_ARRAY(s->model->arena, hk_scale, n + 1),
                 .used = HK_NEW_ARRAY(s->arena, bool, n + 1),
                 .exact = exact,
                 .text = ""};
    if (n)
        memcpy(f.variables, info->variables, n * sizeof *f.variables);
    fit_vars(&f, leaf->inputs, leaf->input_count, HK_INPUT);
    fit_vars(&f, leaf->outputs, leaf->output_count, HK_OUTPUT);
    fit_vars(&f, leaf->parameters, leaf->parameter_count, HK_PARAMETER);
    fit_services(&f, leaf->provided, leaf->provided_count, true);
    fit_services(&f, leaf->required, leaf->required_count, false);
    if (exact)
        find_extras(&f);
    if (exact && info->stamp != leaf->stamp)
        differ(&f, info->stamp == HK_STAMP_START ? "its stamp is 'start', not 'end'"
                                                 : "its stamp is 'end', not 'start'");
    if (f.count) {
        (void)report(&f);
        return NULL;
    }
    /* The same behaviour with a better description; names and origin are shared. */
    hk_info *better = HK_NEW(s->model->arena, hk_info);
    *better = *info;
    better->variables = f.variables;
    if (f.rescaled)
        hk_info_rescale(s->model->arena, better, info, f.scales);
    return better;
}
