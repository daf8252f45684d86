/* SPDX-License-Identifier: MIT
 *
 * What the monitor proves before the run: prepared calls that were spoilt in one place each are not
 * accepted, and memory that is spoilt during the run is noticed. */
#include "system.h"

#include "engine/monitor_internal.h"
#include "engine/sim_parts.h"

static void drop_set(hk_sim *sim) {
    sim->loop.cells[0].sets++;
}

static void drop_get(hk_sim *sim) {
    sim->loop.cells[0].gets_end--;
    sim->loop.cells[0].gets_sized--;
}

static void drop_step(hk_sim *sim) {
    for (int i = HK_STEP_FLAGGED + 1; i <= HK_STEP_SHAPES; i++)
        sim->loop.cells[0].steps[i]--;
}

static void repeat_step(hk_sim *sim) {
    sim->loop.web.all.steppings[1] = sim->loop.web.all.steppings[0];
}

static void move_values(hk_sim *sim) {
    hk_exchange *x = &sim->loop.web.all.exchanges[sim->loop.web.ranges[0].gets[0].begin];
    x->call.values = (char *)x->call.values + 8;
}

static void other_variable(hk_sim *sim) {
    hk_exchange *x = &sim->loop.web.all.exchanges[sim->loop.web.ranges[0].gets[0].begin];
    static const uint32_t refs[] = {12345, 12346};
    x->call.refs = refs;
}

static void fewer_variables(hk_sim *sim) {
    hk_exchange *x = &sim->loop.web.all.exchanges[sim->loop.web.ranges[0].gets[0].begin + 1];
    x->call.n--;
}

static void other_instance(hk_sim *sim) {
    hk_exchange *x = &sim->loop.web.all.exchanges[sim->loop.web.ranges[0].gets[0].begin];
    x->what.component = 2;
}

static void other_source(hk_sim *sim) {
    for (size_t i = 0; i < sim->slots.port_count; i++)
        if (sim->slots.ports[i].use & USE_IN) {
            sim->slots.ports[i].borrowed = sim->memory.block;
            return;
        }
}

static void other_clock(hk_sim *sim) {
    sim->loop.web.all.steppings[0].shift = 5;
}

static void other_length(hk_sim *sim) {
    sim->loop.rates[0].h *= 2;
}

static const struct {
    void (*spoil)(hk_sim *sim);
    const char *text;
} cases[] = {
    {drop_set, "has inputs that are not set once in its phase"},
    {drop_get, "has outputs that are not got once in its phase"},
    {drop_step, "is not stepped once in its phase"},
    {repeat_step, "is not stepped once in its phase"},
    {move_values, "has a call whose values lie elsewhere"},
    {other_variable, "has a call that is about other variables"},
    {fewer_variables, "has a call that is not about all its variables of one type"},
    {other_instance, "component 'ground' has a call"},
    {other_source, "has an input that is set from elsewhere"},
    {other_clock, "has a step by another clock than its own"},
    {other_length, "has another step than the plan gives it"},
};

static void not_proved(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rig r;
        open_package(&r, "quarter_truck", "0.1");
        assert_int_equal(rig_start(&r), HK_OK);
        hk_monitor_arm(r.sim);
        assert_int_equal(r.sim->status, HK_OK);
        cases[i].spoil(r.sim);
        hk_monitor_arm(r.sim);
        if (r.sim->status != HK_E_SOUND)
            fail_msg("case %zu was accepted", i);
        assert_says(rig_error(&r), cases[i].text);
        rig_end(&r);
    }
}

/* The same during the run, where nothing is proved again. (A step made twice these FMUs notice.) */
static void noticed(void **state) {
    (void)state;
    static void (*const spoils[])(hk_sim *) = {drop_set, drop_get, drop_step, move_values};
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        rig r;
        open_package(&r, "quarter_truck", "0.1");
        assert_int_equal(rig_start(&r), HK_OK);
        assert_int_equal(hk_sim_run_until(r.sim, 20 * r.plan->components[0].period), HK_OK);
        spoils[i](r.sim);
        if (hk_sim_run(r.sim) != HK_E_SOUND)
            fail_msg("case %zu was not noticed", i);
        rig_end(&r);
    }
}

/* Activations that are left out or come too early are noticed, too. */
static void wrong_clock(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        rig r;
        make_mixers(&r, "1", "0.03");
        assert_int_equal(rig_start(&r), HK_OK);
        hk_tick step = r.plan->components[0].period;
        assert_int_equal(hk_sim_run_until(r.sim, 7 * step), HK_OK);
        for (size_t k = 0; k < r.sim->loop.rate_count; k++)
            if (r.sim->loop.rates[k].period != step)
                r.sim->loop.rate_next[k] = i ? HK_TICK_NEVER : r.sim->loop.rate_next[k] + step;
        assert_int_equal(hk_sim_run(r.sim), HK_E_SOUND);
        assert_says(rig_error(&r), i ? "has missed an activation" : "but the plan has it from");
        rig_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_proved),
        cmocka_unit_test(noticed),
        cmocka_unit_test(wrong_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
