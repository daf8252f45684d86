/* SPDX-License-Identifier: MIT
 *
 * Parameter bindings. Inner bindings are applied first and later ones after earlier ones, so that
 * the outermost and last wins. */
#include "base/file.h"
#include "base/number.h"
#include "ssp/ssp_internal.h"

#include <math.h>
#include <string.h>

/* What a parameter becomes on its way to a variable. */
typedef struct parcel {
    const hk_ssd_binding *binding;
    const hk_ssv_parameter *parameter;
    const char *name;                  /* of the target, relative to the bound element */
    const char *value;                 /* as written, until it is set */
    const char *const *items;          /* as many as the parameter has; NULL: none */
    const hk_ssp_transform *transform; /* of the mapping; NULL: none */
    bool suppressed;
    hk_where where; /* of the name: the mapping's entry, or the parameter */
} parcel;

static hk_status set_text(hk_ssp_flat *flat, const parcel *p, const hk_address *at,
                          const char *text, const hk_uom *unit) {
    HK_TRY(hk_ssp_remember(flat, p->binding, p->parameter, at, text, unit));
    return hk_model_set_slice(flat->reader->ctx, flat->model, at->component, at->variable,
                              (hk_slice){at->element, at->count},
                              &(hk_given_text){text, unit, {HK_FROM_SYSTEM, p->parameter->where}});
}

static hk_status check_shape(hk_ssp_flat *flat, const hk_ssv_parameter *given,
                             const hk_address *at) {
    hk_ssp *r = flat->reader;
    const hk_variable *v = hk_address_variable(flat->model, at);
    size_t count = hk_address_count(flat->model, at), given_count = given->item_count;
    if (given_count && given_count != count)
        return hk_error(r->ctx, HK_E_VALUE, given->where, "give each element one Value",
                        "parameter '%s' has %zu value%s, and '%s' has %zu element%s", given->name,
                        given_count, given_count == 1 ? "" : "s",
                        hk_address_name(r->arena, flat->model, at), count, count == 1 ? "" : "s");
    if (!at->count && !hk_ssp_shape_fits(given->shape.sizes, given->shape.count, v))
        return hk_error(r->ctx, HK_E_VALUE, given->where, NULL,
                        "parameter '%s' is %s, and '%s' is %s", given->name,
                        hk_ssp_shape_text(r, given->shape.sizes, given->shape.count),
                        hk_address_name(r->arena, flat->model, at),
                        hk_ssp_shape_text(r, v->dims, v->dim_count));
    return HK_OK;
}

/* Without a transformation. Items stay apart, and each has its element; one text fills an array. */
static hk_status set_plain(hk_ssp_flat *flat, const parcel *p, const hk_address *at) {
    const hk_ssv_parameter *given = p->parameter;
    const hk_variable *v = hk_address_variable(flat->model, at);
    const char *text = p->value;
    HK_TRY(check_shape(flat, given, at));
    if (given->item_count == 1)
        text = p->items[0];
    else if (given->is_text && hk_address_count(flat->model, at) != 1 && v->type == HK_TYPE_STRING)
        text = hk_value_list(flat->reader->arena, &p->value, 1);
    return set_text(flat, p, at, text, p->suppressed ? NULL : given->uom);
}

/* The words of TEXT, which are the elements of an array; a TEXT without any is one word. */
static size_t split(hk_arena *arena, const char *text, const char ***ret_words) {
    static const char blanks[] = " \t\n\r";
    size_t count = 0, length = strlen(text);
    const char **words = HK_NEW_ARRAY(arena, const char *, length / 2 + 1);
    for (const char *c = text + strspn(text, blanks); *c; c += strspn(c, blanks)) {
        size_t size = strcspn(c, blanks);
        words[count++] = hk_arena_strndup(arena, c, size);
        c += size;
    }
    if (!count)
        words[count++] = text;
    *ret_words = words;
    return count;
}

/* "1" and "true", "2" and "2.0" are one value. */
static bool same_value(const char *a, const char *b) {
    double x, y;
    bool truth;
    if (strcmp(a, b) == 0)
        return true;
    if (hk_read_bool(a, strlen(a), &truth))
        x = truth;
    else if (!hk_read_f64(a, strlen(a), &x))
        return false;
    if (hk_read_bool(b, strlen(b), &truth))
        y = truth;
    else if (!hk_read_f64(b, strlen(b), &y))
        return false;
    return x == y;
}

/* Item names are mapped as they are written. */
static const char *map_text(const hk_ssp_transform *transform, const char *value) {
    for (size_t i = 0; transform && i < transform->map_count; i++)
        if (same_value(transform->map_from[i], value))
            return transform->map_to[i];
    return value;
}

/* A value that is written as one attribute, after the table of the mapping: COUNT elements are
 * mapped one by one, and what is one element may be an item name with blanks. */
static const char *map_value(hk_ssp *r, const parcel *p, size_t count) {
    const char **words;
    if (count == 1 || p->parameter->is_text || !p->transform || !p->transform->map_count)
        return map_text(p->transform, p->value);
    size_t word_count = split(r->arena, p->value, &words);
    for (size_t i = 0; i < word_count; i++)
        words[i] = map_text(p->transform, words[i]);
    return hk_value_list(r->arena, words, word_count);
}

/* What one element passes: VALUE becomes FACTOR * VALUE + OFFSET for the sake of units, then come
 * the mapping's transformation and what lies between connector and leaf. */
typedef struct passage {
    const parcel *parcel;
    const hk_flat_leaf *leaf; /* NULL: none */
    const hk_variable *variable;
    double factor, offset;
    bool inexact; /* an integer may be too large for a Float64 */
} passage;

static hk_status pass(hk_ssp *r, passage *way, const char *word, const char **ret_text) {
    const hk_ssp_transform *mapping = way->parcel->transform;
    const hk_transform *inner = way->leaf ? &way->leaf->transform : NULL;
    char text[HK_NUMBER_MAX];
    double given, value;
    bool truth;
    if (hk_read_bool(word, strlen(word), &truth))
        given = truth;
    else if (!hk_read_f64(word, strlen(word), &given))
        return hk_error(r->ctx, HK_E_VALUE, way->parcel->parameter->where, NULL,
                        "'%s' is not a number, so '%s' cannot be transformed", word,
                        way->parcel->parameter->name);
    value = way->factor * given + way->offset;
    if (mapping && mapping->kind == HK_TRANSFORM_LINEAR)
        value = mapping->factor * value + mapping->offset;
    if (inner)
        value = hk_transform_value(inner, value);
    if ((way->variable->type == HK_TYPE_I64 || way->variable->type == HK_TYPE_U64) &&
        (fabs(given) >= 0x1p53 || fabs(value) >= 0x1p53))
        way->inexact = true;
    *ret_text = hk_arena_strndup(r->arena, text, hk_write_f64(value, text));
    return HK_OK;
}

static hk_status set_transformed(hk_ssp_flat *flat, const parcel *p, const hk_address *at,
                                 const hk_flat_leaf *leaf) {
    hk_ssp *r = flat->reader;
    const hk_variable *v = hk_address_variable(flat->model, at);
    const hk_uom *to = leaf && leaf->uom ? leaf->uom : v->uom;
    const hk_uom *from = p->parameter->uom;
    passage way = {p, leaf, v, 1, 0, false};
    const char **words;
    HK_TRY(check_shape(flat, p->parameter, at));
    if (from && to && !p->suppressed &&
        !hk_uom_conversion(from, to, v->relative, &way.factor, &way.offset))
        return hk_error(r->ctx, HK_E_UNIT_MISMATCH, p->parameter->where, NULL,
                        "parameter '%s' is in '%s' and is wanted in '%s'", p->parameter->name,
                        from->name, to->name ? to->name : "?");
    size_t count = split(r->arena, p->value, &words);
    for (size_t i = 0; i < count; i++)
        HK_TRY(pass(r, &way, words[i], &words[i]));
    if (way.inexact)
        hk_warn(r->ctx, HK_E_VALUE, p->parameter->where, "give the value without a transformation",
                "the value of '%s' is calculated as a Float64, which holds 53 bits, so that the "
                "last digits of an integer beyond that may be lost",
                p->parameter->name);
    return set_text(flat, p, at, hk_value_list(r->arena, words, count), NULL);
}

/* Once of each kind: a whole number for a Real loses nothing, the rest may mean something else
 * elsewhere. */
static void compare_types(hk_ssp_flat *flat, const parcel *p, const hk_address *at) {
    hk_ssp *r = flat->reader;
    const char *given = hk_type_kind(p->parameter->type);
    const char *wanted = hk_type_kind(hk_address_variable(flat->model, at)->type);
    if (strcmp(given, wanted) == 0 || (p->transform && p->transform->kind != HK_TRANSFORM_NONE) ||
        !hk_ssp_first(r, hk_arena_printf(r->arena, "type %s %s", wanted, given)))
        return;
    const char *name = hk_address_name(r->arena, flat->model, at);
    if (strcmp(wanted, "Real") == 0 && strcmp(given, "Integer") == 0)
        hk_note(r->ctx, p->parameter->where,
                "'%s' is of type Real, and is given a value of type Integer", name);
    else
        hk_warn(r->ctx, HK_E_PARAMETER, p->parameter->where,
                hk_arena_printf(r->arena, "write <ssv:%s value=...>", wanted),
                "'%s' is of type %s, and is given a value of type %s", name, wanted, given);
}

static void set_now(hk_ssp_flat *flat, const parcel *given, const hk_address *at,
                    const hk_flat_leaf *leaf) {
    parcel p = *given;
    bool linear = p.transform && p.transform->kind == HK_TRANSFORM_LINEAR;
    bool numeric =
        linear ||
        (leaf && (leaf->transform.kind != HK_TRANSFORM_NONE || (leaf->uom && p.parameter->uom)));
    if (!p.items)
        p.value = map_value(flat->reader, &p, hk_address_count(flat->model, at));
    hk_status status = numeric ? set_transformed(flat, &p, at, leaf) : set_plain(flat, &p, at);
    if (status != HK_OK)
        hk_ssp_failed(flat->reader, status);
    else if (!leaf) /* what is not a value at all is reported once */
        compare_types(flat, given, at);
}

/* Structural parameters decide the sizes of arrays, so other values wait until all those are set;
 * without any nothing has to wait. */
struct hk_ssp_waiting {
    parcel parcel;
    hk_address at;
    uint32_t leaf; /* HK_MAP_NONE: none */
};

static void set_variable(hk_ssp_flat *flat, const parcel *p, const hk_address *at, uint32_t leaf) {
    const hk_variable *v = hk_address_variable(flat->model, at);
    if (!flat->has_structural || v->causality == HK_STRUCTURAL_PARAMETER) {
        set_now(flat, p, at, leaf == HK_MAP_NONE ? NULL : &flat->graph.leaves[leaf]);
        return;
    }
    struct hk_ssp_waiting waiting = {*p, *at, leaf};
    HK_SSP_PUSH(flat->reader, flat->waiting, flat->waiting_count, flat->waiting_cap, waiting);
}

static void set_waiting(hk_ssp_flat *flat) {
    for (size_t i = 0; i < flat->waiting_count; i++) {
        const struct hk_ssp_waiting *w = &flat->waiting[i];
        set_now(flat, &w->parcel, &w->at,
                w->leaf == HK_MAP_NONE ? NULL : &flat->graph.leaves[w->leaf]);
    }
}

/* PARAMETER on its way to NAME. Its items are mapped here; other values wait, since the target says
 * whether they are lists. */
static parcel make_parcel(hk_ssp *r, const hk_ssd_binding *binding,
                          const hk_ssv_parameter *parameter, const char *name,
                          const hk_ssm_entry *entry) {
    const hk_ssp_transform *transform = entry ? &entry->transform : NULL;
    parcel p = {binding,
                parameter,
                name,
                NULL,
                NULL,
                transform,
                entry && entry->suppress_unit_conversion,
                entry ? entry->where : parameter->where};
    if (!parameter->item_count) {
        p.value = parameter->value;
        return p;
    }
    const char **items = HK_NEW_ARRAY(r->arena, const char *, parameter->item_count);
    for (size_t i = 0; i < parameter->item_count; i++)
        items[i] = map_text(transform, parameter->items[i]);
    p.items = items;
    p.value = hk_value_list(r->arena, items, parameter->item_count);
    return p;
}

/* What of a set found no place: one note for each binding, since a set may serve many. */
typedef struct unmatched {
    hk_where where; /* of the first */
    const char *name;
    size_t count;
} unmatched;

/* A set may hold more than one system needs, but a misspelt name deserves a word: the variable
 * whose name is close to that of FULL, as a hint. NULL: there is none. */
static const char *suggest_variable(hk_ssp_flat *flat, const char *full) {
    hk_ssp *r = flat->reader;
    for (size_t c = 0; hk_ssp_may_suggest(r) && c < flat->model->component_count; c++) {
        const hk_component *component = &flat->model->components[c];
        size_t length = strlen(component->name), count = component->info->variable_count;
        if (strncmp(full, component->name, length) != 0 || full[length] != '.')
            continue;
        const char **names = HK_NEW_ARRAY(r->arena, const char *, count + 1);
        for (size_t v = 0; v < count; v++)
            names[v] = component->info->variables[v].name;
        const char *hint = hk_ssp_suggest(r, full + length + 1, names, count);
        if (hint)
            return hint;
    }
    return NULL;
}

/* A connector of a system is there, but no value can pass it. */
static void tell_idle(const hk_ssp_flat *flat, const hk_flat_node *node, const parcel *p) {
    bool driven = node->inbound != HK_MAP_NONE;
    hk_where where = p->parameter->where;
    hk_warn(flat->reader->ctx, HK_E_PARAMETER, where,
            driven ? "remove the value, or the connection" : "connect it to a component inside",
            "the value of '%s' is not used: connector '%s' of system '%s' %s", p->name,
            node->connector->name, node->system,
            driven ? "gets its value from a connection" : "leads to no component");
}

/* Elements of the connector lead elsewhere than all of it, or than each other. */
static void refuse_divided(hk_ssp_flat *flat, uint32_t index, const parcel *p) {
    const hk_flat_node *node = &flat->graph.nodes[index];
    bool whole = node->whole != HK_MAP_NONE || node->first_leaf != HK_MAP_NONE;
    hk_ssp *r = flat->reader;
    const char *part = "";
    for (uint32_t i = node->first_part; i != HK_MAP_NONE; i = flat->graph.nodes[i].next_part)
        if (flat->graph.nodes[i].first_leaf != HK_MAP_NONE)
            part = flat->graph.nodes[i].index;
    hk_ssp_failed(r, hk_error(r->ctx, HK_E_PARAMETER, p->parameter->where,
                              whole ? "set the inputs that it leads to"
                                    : hk_arena_printf(r->arena, "set '%s%s'", p->name, part),
                              "'%s' cannot be set: connections take %s of connector '%s' of system "
                              "'%s'",
                              p->name, whole ? "all and elements" : "single elements",
                              node->connector->name, node->system));
}

/* Several things may have the name: all of them are set. */
static void deliver(hk_ssp_flat *flat, const hk_ssd_element *element, const parcel *p,
                    unmatched *missed) {
    const char *full =
        *element->path ? hk_arena_printf(flat->scratch, "%s.%s", element->path, p->name) : p->name;
    uint32_t node = hk_map_get(flat->node_paths, full);
    hk_address at;
    bool found = false;
    if (hk_model_find(flat->model, full, &at)) {
        const char *name = flat->model->components[at.component].name;
        size_t length = strlen(name);
        if (strncmp(full, name, length) == 0 && full[length] == '.') {
            set_variable(flat, p, &at, HK_MAP_NONE);
            found = true;
        }
    }
    if (node != HK_MAP_NONE && hk_flat_is_divided(&flat->graph, node)) {
        refuse_divided(flat, node, p);
        return;
    }
    for (uint32_t i = node == HK_MAP_NONE ? HK_MAP_NONE : flat->graph.nodes[node].first_leaf;
         i != HK_MAP_NONE; i = flat->graph.leaves[i].next) {
        const hk_flat_leaf *leaf = &flat->graph.leaves[i];
        set_variable(flat, p, &leaf->at, i);
        found = true;
    }
    if (!found && node != HK_MAP_NONE) {
        tell_idle(flat, &flat->graph.nodes[node], p);
        return;
    }
    if (!found && flat->reader->reading.complaints.count) /* perhaps the component was not opened */
        return;
    const char *close = found ? NULL : suggest_variable(flat, full);
    if (close) {
        hk_warn(flat->reader->ctx, HK_E_PARAMETER, p->where, close,
                "parameter '%s' matches nothing in '%s' and is ignored", p->name,
                *element->path ? element->path : element->name);
    } else if (!found && missed->count++ == 0) {
        missed->where = p->where;
        missed->name = p->name;
    }
}

static void report_unmatched(hk_ssp *r, const hk_ssd_element *element, const unmatched *missed) {
    const char *place = *element->path ? element->path : element->name;
    if (missed->count == 1)
        hk_note(r->ctx, missed->where, "parameter '%s' matches nothing in '%s' and is ignored",
                missed->name, place);
    else if (missed->count)
        hk_note(r->ctx, missed->where,
                "parameter '%s' matches nothing in '%s' and is ignored, and so are %zu others",
                missed->name, place, missed->count - 1);
}

static const char *prefixed(hk_arena *arena, const hk_ssd_binding *binding, const char *name) {
    return binding->prefix && *binding->prefix
               ? hk_arena_printf(arena, "%s%s", binding->prefix, name)
               : name;
}

/* Something has this name, seen from ELEMENT. */
static bool is_name(hk_ssp_flat *flat, const hk_ssd_element *element, const char *name) {
    const char *full =
        *element->path ? hk_arena_printf(flat->scratch, "%s.%s", element->path, name) : name;
    hk_address at;
    return hk_map_get(flat->node_paths, full) != HK_MAP_NONE ||
           hk_model_find(flat->model, full, &at);
}

/* SSP does not apply what a mapping leaves out, even if a parameter has that name: then its author
 * may have thought otherwise. */
static void tell_unmapped(hk_ssp_flat *flat, const hk_ssd_element *element,
                          const hk_ssd_binding *binding, const hk_ssv *set, const bool *mapped) {
    const hk_ssv_parameter *first = NULL;
    size_t count = 0;
    bool fits = false;
    for (size_t i = 0; i < set->count; i++) {
        const hk_ssv_parameter *p = &set->parameters[i];
        if (mapped[i])
            continue;
        bool named = is_name(flat, element, prefixed(flat->scratch, binding, p->name));
        if (!count++ || (named && !fits))
            first = p;
        fits = fits || named;
    }
    if (!count || flat->reader->reading.complaints.count) /* perhaps an entry was refused */
        return;
    const char *others =
        count > 1 ? hk_arena_printf(flat->reader->arena, ", and neither are %zu others", count - 1)
                  : "";
    if (fits)
        hk_warn(flat->reader->ctx, HK_E_PARAMETER, first->where,
                "add a MappingEntry with this name as source and target, or a second binding "
                "without a mapping",
                "parameter '%s' is not applied: the mapping of its binding does not name it%s",
                first->name, others);
    else
        hk_note(flat->reader->ctx, first->where,
                "parameter '%s' is not applied: the mapping of its binding does not name it%s",
                first->name, others);
}

/* With a mapping only what it names is applied, under the names it gives. */
static void apply_mapped(hk_ssp_flat *flat, const hk_ssd_element *element,
                         const hk_ssd_binding *binding, const hk_ssv *set, const hk_ssm *map,
                         unmatched *missed) {
    hk_map by_name = {0};
    size_t absent = 0;
    bool *mapped = HK_NEW_ARRAY(flat->scratch, bool, set->count + 1);
    for (size_t i = 0; i < set->count; i++)
        hk_map_put(&by_name, prefixed(flat->scratch, binding, set->parameters[i].name),
                   (uint32_t)i);
    for (size_t i = 0; i < map->count; i++) {
        const hk_ssm_entry *entry = &map->entries[i];
        uint32_t index = hk_map_get(&by_name, entry->source);
        if (index == HK_MAP_NONE) {
            if (absent++ == 0)
                hk_note(flat->reader->ctx, binding->where,
                        "the mapping's source '%s' is not a parameter of the set", entry->source);
            continue;
        }
        const hk_ssv_parameter *parameter = &set->parameters[index];
        mapped[index] = true;
        parcel p = make_parcel(flat->reader, binding, parameter, entry->target, entry);
        deliver(flat, element, &p, missed);
    }
    tell_unmapped(flat, element, binding, set, mapped);
    hk_map_finish(&by_name);
}

static void apply_binding(hk_ssp_flat *flat, hk_ssd_element *element,
                          const hk_ssd_binding *binding) {
    hk_ssp *r = flat->reader;
    const hk_ssv *set = hk_ssp_binding_set(r, element, binding);
    unmatched missed = {0};
    if (set && !hk_ssp_is_chosen(r, binding, set))
        return;
    const hk_ssm *map = hk_ssp_binding_map(r, element, binding);
    if (!set || (binding->map_source && !map))
        return;
    flat->scratch = hk_arena_create();
    if (map)
        apply_mapped(flat, element, binding, set, map, &missed);
    for (size_t i = 0; !map && i < set->count; i++) {
        const hk_ssv_parameter *parameter = &set->parameters[i];
        const char *name = prefixed(flat->scratch, binding, parameter->name);
        parcel p = make_parcel(r, binding, parameter, name, NULL);
        deliver(flat, element, &p, &missed);
    }
    report_unmatched(r, element, &missed);
    hk_arena_destroy(flat->scratch);
}

static void apply_element(hk_ssp_flat *flat, hk_ssd_element *element) {
    for (size_t i = 0; i < element->element_count; i++)
        apply_element(flat, element->elements[i]);
    if (!element->is_system && element->component == HK_MAP_NONE)
        return; /* could not be opened */
    for (size_t i = 0; i < element->binding_count; i++)
        apply_binding(flat, element, &element->bindings[i]);
}

static bool has_structural(const hk_model *model) {
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_info *info = model->components[i].info;
        for (size_t v = 0; v < info->variable_count; v++)
            if (info->variables[v].causality == HK_STRUCTURAL_PARAMETER)
                return true;
    }
    return false;
}

void hk_ssp_apply_bindings(hk_ssp_flat *flat, hk_ssd_element *root) {
    flat->has_structural = has_structural(flat->model);
    apply_element(flat, root);
    set_waiting(flat);
    hk_ssp_tell_replaced(flat);
    hk_ssp_forget_given(flat);
    hk_ssp_set_initials(flat);
}
