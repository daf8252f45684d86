/* SPDX-License-Identifier: MIT
 *
 * The state machines of the standards, as far as hocket goes through them: which of its calls are
 * legal in which state. Cold calls ask here before they are made; of the hot ones (get, set, step)
 * the monitor of the engine proves the order before the run. What a standard allows only for
 * debugging is not allowed. */
#include "fmi/instance.h"

/* One letter per call, in the order of hk_fmi_call. */
static const char letters[] = "EXSGDQTFgs";

/* By state. E: enter initialization, X: leave it, S: set, G: get, D: step, Q: ask about a step, T:
 * terminate, F: free, g, s: get and set the state. */
static const char *const allowed[3][HK_PHASE_DEAD + 1] = {
    {"ESFgs", "XSGFgs", "SGDQTFgs", "GQTFgs", "GFgs", "Fs", ""}, /* states: not of the standard */
    {"ESFgs", "XSGFgs", "SGDQTFgs", "GQTFgs", "GQFgs", "Fs", ""},
    {"ESFgs", "XSGFgs", "SGDTFgs", "SGDTFgs", "GFgs", "Fs", ""}, /* a step that was discarded was
                                                                    not made */
};

bool hk_fmi_legal(int version, hk_phase phase, hk_fmi_call call, bool set_since_step) {
    if (version < 1 || version > 3 || phase > HK_PHASE_DEAD)
        return false;
    const char *calls = allowed[version - 1][phase];
    while (*calls && *calls != letters[call])
        calls++;
    bool late = call == HK_FMI_GET && phase == HK_PHASE_STEPPING && set_since_step;
    return *calls && !late;
}

static const char *state_name(hk_phase phase) {
    static const char *const names[] = {"instantiated",   "initialization mode", "step complete",
                                        "step discarded", "terminated",          "error",
                                        "fatal"};
    return names[phase];
}

hk_status hk_instance_may(hk_ctx *ctx, const hk_instance *in, hk_fmi_call call, const char *name) {
    int version = in->base.info->kind[4] - '0'; /* "FMI 2.0 ..." */
    if (hk_fmi_legal(version, in->phase, call, false))
        return HK_OK;
    return hk_error(ctx, HK_E_INTERNAL, hk_instance_where(in), NULL,
                    "component '%s': %s is not allowed in the state '%s'", in->base.name, name,
                    state_name(in->phase));
}
