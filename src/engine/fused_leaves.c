/* SPDX-License-Identifier: MIT
 *
 * Steps that are compiled into the library. Constants and functions of their source then exist
 * twice, in the plugin and in the library, at two addresses. A component may keep such an address
 * and compare it later, so its steps must all be of one of the two: interpreted instants call those
 * of the library, too, and a component that holds an address of the plugin (its init has run there)
 * stays with the plugin. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "engine/fused_internal.h"

#include <link.h>
#include <string.h>

/* ---- one step for all instants ---- */

static void take_steps(const struct hk_fused_state *f, hk_call_lists *l) {
    for (size_t i = 0; i < l->n.stepping; i++) {
        hk_stepping *s = &l->steppings[i];
        if (f->leaf[s->what.component])
            s->call.fn.plain = f->leaf[s->what.component]->step;
    }
}

/* Before any step is taken over: who holds an address now keeps the steps of its plugin. */
static void spare_who_keeps(hk_sim *sim, struct hk_fused_state *f) {
    for (size_t i = 0; i < sim->loop.cell_count; i++)
        (void)hk_fused_keeps_addresses(sim, f, &sim->loop.cells[i]);
    for (size_t c = 0; c < sim->model->component_count; c++)
        if (f->keeps[c])
            f->leaf[c] = NULL;
}

void hk_fused_take_steps(hk_sim *sim, struct hk_fused_state *f) {
    HK_ASSERT(sim && f);
    spare_who_keeps(sim, f);
    take_steps(f, &sim->loop.web.all);
    take_steps(f, &sim->loop.web.live);
    for (size_t i = 0; i < sim->changes.order_count; i++)
        if (i != sim->changes.order) {
            take_steps(f, &sim->changes.orders[i].web.all);
            take_steps(f, &sim->changes.orders[i].web.live);
        }
}

/* ---- addresses that a component keeps ---- */

/* The memory of a loaded library. */
typedef struct image {
    uintptr_t inside; /* an address in it */
    uintptr_t begin, end;
} image;

static int find_image(struct dl_phdr_info *info, size_t size, void *user) {
    (void)size;
    image *m = user;
    uintptr_t begin = UINTPTR_MAX, end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t first = info->dlpi_addr + p->p_vaddr;
        if (p->p_type != PT_LOAD)
            continue;
        begin = first < begin ? first : begin;
        end = first + p->p_memsz > end ? first + p->p_memsz : end;
    }
    if (m->inside < begin || m->inside >= end)
        return 0;
    m->begin = begin;
    m->end = end;
    return 1;
}

/* What the engine keeps there itself: texts, which it copies, and bindings, which it sets. */
static bool is_known(const hk_sim *sim, uint32_t component, const char *at) {
    hk_unit *unit = sim->slots.instances[component].unit;
    const hk_info *info = unit->info;
    for (uint32_t v = 0; v < info->variable_count; v++) {
        const hk_variable *about = &info->variables[v];
        const char *first =
            about->store == HK_STORE_BYTES ? unit->unit_class->address(unit, v) : NULL;
        if (first && at >= first && at < first + about->count * sizeof(hk_bytes))
            return true;
    }
    for (uint32_t s = 0; s < info->service_count; s++) {
        const char *place =
            info->services[s].provided ? NULL : unit->unit_class->services->place(unit, s);
        if (place && at >= place && at < place + sizeof(hk_binding))
            return true;
    }
    return false;
}

static bool keeps_address(const hk_sim *sim, uint32_t component) {
    hk_unit *unit = sim->slots.instances[component].unit;
    const hk_info *info = unit->info;
    hk_step_call own; /* of the plugin */
    unit->unit_class->bind_step(unit, &own);
    image m = {.inside = (uintptr_t)own.fn.plain};
    if (!dl_iterate_phdr(find_image, &m))
        return false;
    const char *memory = sim->memory.system + sim->memory.places[component];
    size_t size = info->unit_class->instance_size(info);
    for (size_t at = 0; at + sizeof(uintptr_t) <= size; at += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, memory + at, sizeof word);
        if (word >= m.begin && word < m.end && !is_known(sim, component, memory + at))
            return true;
    }
    return false;
}

bool hk_fused_keeps_addresses(hk_sim *sim, struct hk_fused_state *f, const hk_cell *c) {
    HK_ASSERT(sim && f && c);
    bool found = false;
    for (uint32_t i = 0; i < c->member_count; i++) {
        uint32_t member = c->members[i];
        if (!f->leaf[member] && !f->keeps[member])
            continue;
        bool told = f->keeps[member];
        f->keeps[member] = told || keeps_address(sim, member);
        if (f->keeps[member] && !told)
            hk_note(sim->ctx, sim->model->components[member].where,
                    "the cell of '%s' is interpreted: it keeps an address of its own library, "
                    "which is another one in fused code",
                    sim->model->components[member].name);
        found = found || f->keeps[member];
    }
    return found;
}
