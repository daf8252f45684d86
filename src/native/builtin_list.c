/* SPDX-License-Identifier: MIT
 *
 * All built-in types, by name. */
#include "native/builtin_internal.h"

#include <string.h>

static const hk_unit_type *const types[] = {
    &hk_builtin_constant, &hk_builtin_sine,     &hk_builtin_step_source,
    &hk_builtin_ramp,     &hk_builtin_noise,    &hk_replay_type,
    &hk_builtin_gain,     &hk_builtin_sum,      &hk_builtin_switcher,
    &hk_lookup_type,      &hk_builtin_delay,    &hk_builtin_integrator,
    &hk_adapter_type,     &hk_builtin_rotation, NULL};

const hk_unit_type *const *hk_builtin_types(void) {
    return types;
}

const hk_unit_type *hk_builtin_find(const char *name) {
    for (size_t i = 0; types[i]; i++)
        if (strcmp(types[i]->name, name) == 0)
            return types[i];
    return NULL;
}

const char *hk_builtin_closest(const char *name) {
    enum { COUNT = sizeof types / sizeof *types - 1 };
    const char *names[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        names[i] = types[i]->name;
    return hk_closest(name, names, COUNT);
}

const char *hk_builtin_step_name(const hk_unit_type *type) {
#define STEP(name)                                                                                 \
    if (type == &hk_builtin_##name)                                                                \
        return #name "_step";
    HK_BUILTINS(STEP)
#undef STEP
    return NULL;
}
