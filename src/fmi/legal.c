/* SPDX-License-Identifier: MIT
 *
 * The state machines of the standards for co-simulation: which calls are legal in which state.
 * Every call that hocket makes outside of the loop asks here first; of those in the loop (get, set,
 * step) the monitor of the engine proves the order before the run, and its debug mode asks call by
 * call. What a standard allows only for debugging is not allowed, nor is event mode, which is not
 * used. */
#include "fmi/instance.h"

#include <string.h>

/* One letter per call, in the order of hk_fmi_call. */
static const char letters[] = "PEXCcVSRGdDHKQTZFgsf";

/* By version and state. P: announce the experiment, E, X: enter and leave initialization, C, c: and
 * configuration, V: enter event mode, S: set, R: set a structural parameter, G: get, d: set
 * derivatives of inputs, D: get those of outputs, H: step, K: cancel it, Q: ask about it, T:
 * terminate, Z: reset, F: free, g, s, f: get and set the state, and all else that is done with one.
 * FMI 1.0 has no functions for states; those of hocket's extension follow FMI 2.0. */
#define FROM_THE_FIRST_STEP /* in FMI 1.0 and 2.0 */                                               \
    [HK_PHASE_STEPPING] = "SGdDHQTZFgsf", [HK_PHASE_PENDING] = "KQ",                               \
    [HK_PHASE_DISCARDED] = "QTZFsf", [HK_PHASE_ENDING] = "GDQTZFgsf",                              \
    [HK_PHASE_CANCELED] = "DZFsf", [HK_PHASE_TERMINATED] = "GDQZFgsf", [HK_PHASE_BROKEN] = "ZFsf"
static const char *const allowed[3][HK_PHASE_DEAD + 1] = {
    {
        [HK_PHASE_INSTANTIATED] = "XSdZFgsf",
        [HK_PHASE_INITIALIZING] = "SGdDHQTZFgsf", /* initialized, and not yet done with initial
                                                     values: "step complete" of the standard */
        FROM_THE_FIRST_STEP,
    },
    {
        [HK_PHASE_INSTANTIATED] = "PESdZFgsf",
        [HK_PHASE_INITIALIZING] = "XSGdZFgsf",
        FROM_THE_FIRST_STEP,
    },
    {
        [HK_PHASE_INSTANTIATED] = "ECSZFgsf",
        [HK_PHASE_CONFIGURING] = "cRZFgsf",
        [HK_PHASE_INITIALIZING] = "XSGZFgsf",
        [HK_PHASE_STEPPING] = "CSGDHTZFgsf", /* also after a step that was discarded: it was not
                                                made */
        [HK_PHASE_RECONFIGURING] = "cRZFgsf",
        [HK_PHASE_TERMINATED] = "GDZFgsf",
        [HK_PHASE_BROKEN] = "GDZFgsf", /* an error terminates */
    },
};

bool hk_fmi_legal(int version, hk_phase phase, hk_fmi_call call, bool set_since_step) {
    if (version < 1 || version > 3 || phase > HK_PHASE_DEAD || !allowed[version - 1][phase])
        return false;
    bool gets = call == HK_FMI_GET || call == HK_FMI_GET_DERIVATIVE;
    return strchr(allowed[version - 1][phase], letters[call]) &&
           !(gets && phase == HK_PHASE_STEPPING && set_since_step);
}

static const char *state_name(hk_phase phase) {
    static const char *const names[] = {[HK_PHASE_INSTANTIATED] = "instantiated",
                                        [HK_PHASE_CONFIGURING] = "configuration mode",
                                        [HK_PHASE_INITIALIZING] = "initialization mode",
                                        [HK_PHASE_STEPPING] = "step complete",
                                        [HK_PHASE_PENDING] = "step in progress",
                                        [HK_PHASE_DISCARDED] = "step failed",
                                        [HK_PHASE_ENDING] = "step failed, end requested",
                                        [HK_PHASE_CANCELED] = "step canceled",
                                        [HK_PHASE_RECONFIGURING] = "reconfiguration mode",
                                        [HK_PHASE_TERMINATED] = "terminated",
                                        [HK_PHASE_BROKEN] = "error",
                                        [HK_PHASE_DEAD] = "fatal"};
    return names[phase];
}

bool hk_instance_legal(const hk_instance *in, hk_fmi_call call) {
    return hk_fmi_legal(in->base.info->can.fmi, in->phase, call, false);
}

static hk_status refuse(hk_ctx *ctx, const hk_instance *in, const char *name, const char *after) {
    return hk_error(ctx, HK_E_INTERNAL, hk_instance_where(in), NULL,
                    "component '%s': %s is not allowed in the state '%s'%s%s", in->base.name, name,
                    state_name(in->phase), after, hk_instance_when(in));
}

hk_status hk_instance_may(hk_ctx *ctx, const hk_instance *in, hk_fmi_call call, const char *name) {
    return hk_instance_legal(in, call) ? HK_OK : refuse(ctx, in, name, "");
}

hk_status hk_instance_may_exchange(hk_ctx *ctx, hk_unit *base, hk_unit_call call, bool set_before) {
    static const hk_fmi_call calls[] = {
        [HK_UNIT_GET] = HK_FMI_GET, [HK_UNIT_SET] = HK_FMI_SET, [HK_UNIT_STEP] = HK_FMI_STEP};
    const hk_instance *in = (const hk_instance *)base;
    const char *name = call == HK_UNIT_GET   ? "a get"
                       : call == HK_UNIT_SET ? "a set"
                                             : in->names->step;
    HK_TRY(hk_instance_may(ctx, in, calls[call], name));
    if (hk_fmi_legal(base->info->can.fmi, in->phase, calls[call], set_before))
        return HK_OK;
    return refuse(ctx, in, name, " between a set and the next step");
}
