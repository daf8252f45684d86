/* SPDX-License-Identifier: MIT
 *
 * A plugin with two counters, which PLUGIN_... makes misbehave. */
#include <hk/unit.h>

#include <fenv.h>

typedef struct counter {
    int32_t count;
} counter;

static int counter_step(void *self, double t, double h) {
    (void)t;
    (void)h;
    ((counter *)self)->count++;
    return HK_STEP_OK;
}

static const hk_port ports[] = {HK_PORT(counter, count, HK_OUTPUT, HK_TYPE_I32, .depends_on = "")};

static const hk_unit_type counter_type = {HK_UNIT_TYPE(counter), .ports = ports, .port_count = 1,
                                          .step = counter_step};

static const hk_unit_type wrong_type = {.abi = HK_UNIT_ABI + 1,
                                        .size = sizeof(hk_unit_type),
                                        .name = "wrong",
                                        .instance_size = sizeof(counter),
                                        .ports = ports,
                                        .port_count = 1,
                                        .step = counter_step};

#ifdef PLUGIN_ROUNDING
/* As a library built with -ffast-math does, only with the rounding mode, which C can reach. */
__attribute__((constructor)) static void spoil(void) {
    fesetround(FE_UPWARD);
}
#endif

#ifdef PLUGIN_NONE
HK_EXPORT const hk_unit_type *const *other_name(void);
#define hk_plugin other_name
#endif

const hk_unit_type *const *hk_plugin(void) {
    static const hk_unit_type *const types[] = {&counter_type, NULL};
    static const hk_unit_type *const wrong_types[] = {&counter_type, &wrong_type, NULL};
#if defined(PLUGIN_NULL)
    (void)types;
    (void)wrong_types;
    return NULL;
#elif defined(PLUGIN_ABI)
    (void)types;
    return wrong_types;
#else
    (void)wrong_types;
    return types;
#endif
}
