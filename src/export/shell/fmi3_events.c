/* SPDX-License-Identifier: MIT
 *
 * Event mode and clocks of FMI 3.0, for a component whose events are flags: an input flag that is
 * 1.0 is seen by its next step, an output flag is 1.0 after a step in which the event occurred. One
 * clock, the last of all variables, is its cycle: each tick of it is one step of the component.
 * Events that come between two ticks wait for the next one.
 *
 * In an instant, the importer sets clocks and values, reads what came of it and updates the
 * discrete states. The cycle is done when the first thing that it decides about is asked for. */
#include "shell_model.h"

#include "fmi/fmi3_export.h"
#include "shell_version.h"

#include <string.h>

static double *flag_of(const hk_shell *x, size_t port) {
    return (double *)(void *)(x->now.self + x->type->ports[port].offset);
}

/* Events that were there wait for the cycle, or have been seen by it. */
static void put_flags(const hk_shell *x, bool seen) {
    for (size_t i = 0; i < x->type->port_count; i++) {
        if (hk_shell_data.events[i].role != HK_SHELL_CLOCK_IN)
            continue;
        if (seen)
            *flag_of(x, i) = 0.0;
        else if (x->active[i])
            *flag_of(x, i) = 1.0;
    }
}

/* Does the cycle of this instant, if there is one and it is not done. */
static int settle(hk_shell *x, const char *call) {
    if (!x->head.event_mode || !x->cycle_active || x->cycle_done)
        return HK_SHELL_OK;
    put_flags(x, false);
    double t = (double)x->head.ticks * hk_shell_data.step;
    int code = x->type->step(x->now.self, t, (double)(x->head.ticks + 1) * hk_shell_data.step - t);
    if (code != HK_STEP_OK)
        return hk_shell_failed(x, call, "step", code);
    put_flags(x, true);
    x->head.ticks++;
    x->cycle_done = true;
    return HK_SHELL_OK;
}

static bool is_active(const hk_shell *x, size_t port) {
    if (hk_shell_data.events[port].role == HK_SHELL_CLOCK_IN)
        return x->active[port];
    return x->cycle_done && *flag_of(x, port) >= 0.5;
}

int hk_shell_check_clock(hk_shell *x, const char *call, unsigned ref, const hk_shell_variable *v,
                         bool setting) {
    if (v->port == SIZE_MAX)
        return HK_SHELL_OK;
    const hk_shell_event *event = &hk_shell_data.events[v->port];
    if (!setting && x->type->ports[v->port].causality != HK_INPUT && settle(x, call) != HK_SHELL_OK)
        return HK_SHELL_ERROR;
    if (event->role != HK_SHELL_CLOCKED || is_active(x, event->clock))
        return HK_SHELL_OK;
    return hk_shell_refuse_ref(x, call, ref, "has a clock that is not active");
}

static int need_event_mode(const hk_shell *x, const char *call) {
    if (!hk_shell_data.events)
        return hk_shell_refuse(x, call, "not offered");
    if (x->head.phase != HK_SHELL_STEPPING || !x->head.event_mode)
        return hk_shell_refuse(x, call, "the instance is not in event mode");
    return HK_SHELL_OK;
}

fmi3Status FMI3_NAME(EnterEventMode)(fmi3Instance i) {
    static const char call[] = "fmi3EnterEventMode";
    hk_shell *x = i;
    NEED(x);
    if (!hk_shell_data.events)
        return hk_shell_refuse(x, call, "not offered");
    if (x->head.phase != HK_SHELL_STEPPING || x->head.event_mode)
        return hk_shell_refuse(x, call, "the instance is not in step mode");
    x->head.event_mode = true;
    return fmi3OK;
}

fmi3Status FMI3_NAME(EnterStepMode)(fmi3Instance i) {
    static const char call[] = "fmi3EnterStepMode";
    hk_shell *x = i;
    NEED(x);
    if (need_event_mode(x, call) != HK_SHELL_OK)
        return fmi3Error;
    if (x->busy)
        return hk_shell_refuse(x, call, "clocks are active: update the discrete states first");
    x->head.event_mode = false;
    return fmi3OK;
}

/* The variable of REF, which is to be a clock; NULL after a message. */
static const hk_shell_variable *find_clock(const hk_shell *x, const char *call, unsigned ref) {
    const hk_shell_variable *v = hk_shell_find(x, call, ref);
    if (!v || v->type == HK_SHELL_TYPE_CLOCK)
        return v;
    hk_shell_refuse_ref(x, call, ref, "is not a clock");
    return NULL;
}

fmi3Status FMI3_NAME(GetClock)(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                               fmi3Clock values[]) {
    static const char call[] = "fmi3GetClock";
    hk_shell *x = i;
    NEED(x && (!n || (refs && values)));
    bool before =
        hk_shell_data.events && x->head.phase == HK_SHELL_INITIALIZING; /* none is active */
    if (!before && need_event_mode(x, call) != HK_SHELL_OK)
        return fmi3Error;
    for (size_t k = 0; k < n; k++) {
        const hk_shell_variable *v = find_clock(x, call, refs[k]);
        if (!v)
            return fmi3Error;
        bool cycle = v->port == SIZE_MAX;
        bool out = !cycle && hk_shell_data.events[v->port].role == HK_SHELL_CLOCK_OUT;
        if (out && settle(x, call) != HK_SHELL_OK)
            return fmi3Error;
        values[k] = cycle ? x->cycle_active : is_active(x, v->port);
    }
    return fmi3OK;
}

fmi3Status FMI3_NAME(SetClock)(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                               const fmi3Clock values[]) {
    static const char call[] = "fmi3SetClock";
    hk_shell *x = i;
    NEED(x && (!n || (refs && values)));
    if (need_event_mode(x, call) != HK_SHELL_OK)
        return fmi3Error;
    if (x->cycle_done)
        return hk_shell_refuse(x, call, "the cycle of this instant is done");
    for (size_t k = 0; k < n; k++) {
        const hk_shell_variable *v = find_clock(x, call, refs[k]);
        if (!v)
            return fmi3Error;
        if (v->port != SIZE_MAX && hk_shell_data.events[v->port].role == HK_SHELL_CLOCK_OUT)
            return hk_shell_refuse_ref(x, call, refs[k], "is an output");
    }
    for (size_t k = 0; k < n; k++) {
        const hk_shell_variable *v = &x->variables[refs[k]];
        if (v->port == SIZE_MAX)
            x->cycle_active = values[k];
        else
            x->active[v->port] = values[k];
        x->busy = true;
    }
    return fmi3OK;
}

fmi3Status FMI3_NAME(EvaluateDiscreteStates)(fmi3Instance i) {
    static const char call[] = "fmi3EvaluateDiscreteStates";
    NEED(i);
    return need_event_mode(i, call) == HK_SHELL_OK ? settle(i, call) : fmi3Error;
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi3Status FMI3_NAME(UpdateDiscreteStates)(fmi3Instance i, fmi3Boolean *need_update,
                                           fmi3Boolean *terminate, fmi3Boolean *nominals_changed,
                                           fmi3Boolean *values_changed,
                                           fmi3Boolean *next_event_defined,
                                           fmi3Float64 *next_event) {
    static const char call[] = "fmi3UpdateDiscreteStates";
    hk_shell *x = i;
    NEED(x && need_update && terminate && nominals_changed && values_changed &&
         next_event_defined && next_event);
    if (need_event_mode(x, call) != HK_SHELL_OK || settle(x, call) != HK_SHELL_OK)
        return fmi3Error;
    if (!x->cycle_done)
        put_flags(x, false);
    memset(x->active, 0, x->type->port_count);
    x->cycle_active = x->cycle_done = x->busy = false;
    *need_update = *terminate = *nominals_changed = *values_changed = *next_event_defined = false;
    *next_event = 0.0;
    return fmi3OK;
}
