/* SPDX-License-Identifier: MIT
 *
 * Directional derivatives: from the value references of the importer to the ports of the component
 * and back. A reference may stand for one element, the component works with whole ports. */
#include "shell_core.h"

#include <stdlib.h>
#include <string.h>

/* The ports behind some references, each once, and where in a vector of all their elements the
 * references lie. */
typedef struct group {
    size_t *ports, port_count;
    size_t *first; /* per reference */
    double *values;
} group;

static void free_group(group *g) {
    free(g->ports);
    free(g->first);
    free(g->values);
}

static size_t elements(const hk_shell *x, size_t port) {
    return x->type->ports[port].count ? x->type->ports[port].count : 1;
}

static bool is_float(const hk_shell_variable *v) {
    return v->port != SIZE_MAX && (v->type == HK_TYPE_F64 || v->type == HK_TYPE_F32);
}

static int make_group(const hk_shell *x, const char *call, const hk_shell_named *named, group *g) {
    const unsigned *refs = named->refs;
    size_t n = named->count, total = 0, given = 0;
    g->ports = calloc(n + 1, sizeof *g->ports);
    g->first = calloc(n + 1, sizeof *g->first);
    if (!g->ports || !g->first)
        return hk_shell_refuse(x, call, "out of memory");
    for (size_t i = 0; i < n; i++) {
        const hk_shell_variable *v = hk_shell_find(x, call, refs[i]);
        if (!v)
            return HK_SHELL_ERROR;
        if (!is_float(v))
            return hk_shell_refuse_ref(x, call, refs[i], "has no derivative");
        size_t at = 0, k = 0;
        for (; k < g->port_count && g->ports[k] != v->port; k++)
            at += elements(x, g->ports[k]);
        if (k == g->port_count) {
            g->ports[g->port_count++] = v->port;
            total += elements(x, v->port);
        }
        size_t width = v->type == HK_TYPE_F64 ? sizeof(double) : sizeof(float);
        size_t offset = (size_t)(v->at - x->now.self) - x->type->ports[v->port].offset;
        g->first[i] = at + offset / width;
        given += v->count;
    }
    if (given != named->values)
        return hk_shell_refuse(x, call, "the number of values is not that of the variables");
    g->values = calloc(total + 1, sizeof *g->values);
    return g->values ? HK_SHELL_OK : hk_shell_refuse(x, call, "out of memory");
}

int hk_shell_derivative(hk_shell *x, const char *call, const hk_shell_named *unknowns,
                        const hk_shell_named *knowns, const double *seed, double *sensitivity) {
    group to = {0}, from = {0};
    if (!HK_UNIT_HAS(x->type, derivative))
        return hk_shell_refuse(x, call, "the component offers no derivatives");
    if (hk_shell_before_get(x, call,
                            HK_SHELL_INITIALIZING | HK_SHELL_STEPPING | HK_SHELL_TERMINATED) !=
        HK_SHELL_OK)
        return HK_SHELL_ERROR;
    int status = make_group(x, call, unknowns, &to);
    if (status == HK_SHELL_OK)
        status = make_group(x, call, knowns, &from);
    if (status == HK_SHELL_OK) {
        const double *next = seed;
        for (size_t i = 0; i < knowns->count; i++)
            for (size_t k = 0; k < x->variables[knowns->refs[i]].count; k++)
                from.values[from.first[i] + k] += *next++;
        int code = x->type->derivative(x->now.self, to.ports, to.port_count, from.ports,
                                       from.port_count, from.values, to.values);
        if (code != HK_STEP_OK)
            status = hk_shell_refuse(x, call, "the component's function 'derivative' failed");
    }
    for (size_t i = 0; status == HK_SHELL_OK && i < unknowns->count; i++) {
        size_t count = x->variables[unknowns->refs[i]].count;
        memcpy(sensitivity, to.values + to.first[i], count * sizeof(double));
        sensitivity += count;
    }
    free_group(&to);
    free_group(&from);
    return status;
}
