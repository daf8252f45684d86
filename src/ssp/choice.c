/* SPDX-License-Identifier: MIT
 *
 * One of several parameter sets. Other tools take one set by its name and leave the others out; so
 * it is here if sets of that name are bound. A file with parameters that nobody binds is bound to
 * the whole system, after all others. */
#include "base/file.h"
#include "base/packed.h"
#include "ssp/ssp_internal.h"

#include <string.h>

/* "resources/fast.ssv" is called "fast" too. */
static bool is_called(const char *source, const char *name) {
    if (!source)
        return false;
    const char *file = strrchr(source, '/');
    file = file ? file + 1 : source;
    size_t length = strlen(name);
    return strncmp(file, name, length) == 0 &&
           (strcmp(file + length, "") == 0 || strcmp(file + length, ".ssv") == 0);
}

static bool is_wanted(const hk_ssp *r, const hk_ssd_binding *binding, const hk_ssv *set) {
    return (set->name && strcmp(set->name, r->wanted_set) == 0) ||
           is_called(binding->set_source, r->wanted_set);
}

typedef struct bound {
    const char *list; /* in words; NULL: none */
    bool found;
} bound;

static void look_at(hk_ssp *r, hk_ssd_element *element, bound *names) {
    for (size_t i = 0; i < element->element_count; i++)
        look_at(r, element->elements[i], names);
    for (size_t i = 0; i < element->binding_count; i++) {
        const hk_ssv *set = hk_ssp_binding_set(r, element, &element->bindings[i]);
        if (!set)
            continue;
        names->found = names->found || is_wanted(r, &element->bindings[i], set);
        const char *name = set->name ? set->name : "";
        if (hk_ssp_first(r, hk_arena_printf(r->arena, "set %s", name)))
            names->list = hk_arena_printf(r->arena, "%s%s'%s'", names->list ? names->list : "",
                                          names->list ? ", " : "", name);
    }
}

/* The file with the name, beside the description or among its resources; NULL: there is none. */
static const char *find_file(hk_ssp *r, const hk_ssp_base *base, const char *name) {
    for (int i = 0; i < 4; i++) {
        const char *tail = i % 2 ? ".ssv" : "";
        const char *path =
            hk_arena_printf(r->arena, "%s%s%s", i / 2 ? "resources/" : "", name, tail);
        bool exists = false;
        if (strcmp(hk_path_extension(path), ".ssv") == 0 &&
            hk_ssp_exists(r, base->store, path, &exists) == HK_OK && exists)
            return path;
    }
    return NULL;
}

/* Into a tool nobody can put a file. LIST: what is bound, in words. */
static const char *hint_for(hk_ssp *r, const hk_where *where, const char *list) {
    if (hk_packed_is(where->file))
        return hk_arena_printf(r->arena,
                               "the model in this tool binds %s; --set-file takes an .ssv "
                               "file of yours",
                               list ? list : "none");
    return list ? hk_arena_printf(r->arena, "the system binds %s", list)
                : "the system binds none; put an .ssv file into its folder 'resources'";
}

void hk_ssp_choose(hk_ssp *r, const hk_ssp_base *base, hk_ssd_element *root) {
    bound names = {0};
    if (!r->wanted_set)
        return;
    look_at(r, root, &names);
    if (names.found)
        return;
    const char *path = find_file(r, base, r->wanted_set);
    hk_where where = {.file = hk_ssp_shown(r, base->store, base->ssd)};
    if (!path) {
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_USAGE, where, hint_for(r, &where, names.list),
                                  "there is no parameter set '%s'", r->wanted_set));
        r->wanted_set = NULL; /* that the others are left out follows from it */
        return;
    }
    r->wanted_set = NULL; /* in addition to all others */
    hk_ssd_binding binding = {.set_source = path, .base = base, .where = where};
    HK_SSP_PUSH(r, root->bindings, root->binding_count, root->binding_cap, binding);
}

bool hk_ssp_is_chosen(hk_ssp *r, const hk_ssd_binding *binding, const hk_ssv *set) {
    bool chosen = !r->wanted_set || is_wanted(r, binding, set);
    if (!chosen && !r->left_out++)
        r->first_left_out = binding->where;
    return chosen;
}

void hk_ssp_tell_left_out(hk_ssp *r) {
    if (r->left_out)
        hk_note(r->ctx, r->first_left_out,
                r->left_out == 1 ? "%zu parameter set is not called '%s' and is not applied"
                                 : "%zu parameter sets are not called '%s' and are not applied",
                r->left_out, r->wanted_set);
}
