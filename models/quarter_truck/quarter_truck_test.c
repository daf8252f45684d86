/* SPDX-License-Identifier: MIT
 *
 * The quarter truck without hocket's engine: a master of a few lines runs the units and compares
 * them with the coupled equations solved as one system. */
#include "base/number.h"
#include "qt_core.h"
#include "quarter_truck.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { CHASSIS, WHEEL, GROUND, UNITS };

/* from unit, output, to unit, input */
static const struct {
    int from;
    const char *output;
    int to;
    const char *input;
} connections[] = {{CHASSIS, "p.e", WHEEL, "p1.e"},
                   {WHEEL, "p1.f", CHASSIS, "p.f"},
                   {WHEEL, "p.e", GROUND, "p.e"},
                   {GROUND, "p.f", WHEEL, "p.f"}};
enum { CONNECTIONS = 4 };

/* The number as text; a few of them live at the same time. */
static const char *text(double value) {
    static char buffers[8][HK_NUMBER_MAX + 1];
    static unsigned next;
    char *buffer = buffers[next++ % 8];
    buffer[hk_write_f64(value, buffer)] = 0;
    return buffer;
}

static size_t find_port(const hk_unit_type *type, const char *name) {
    for (size_t i = 0; i < type->port_count; i++)
        if (strcmp(type->ports[i].name, name) == 0)
            return i;
    fail_msg("%s has no port %s", type->name, name);
    return 0;
}

/* ---- the native components ---- */

typedef struct native_truck {
    char *self[UNITS];
} native_truck;

static double *native_field(const native_truck *truck, int unit, const char *name) {
    const hk_unit_type *type = hk_quarter_truck_types[unit];
    return (double *)(void *)(truck->self[unit] + type->ports[find_port(type, name)].offset);
}

static void native_exchange(const native_truck *truck) {
    double values[CONNECTIONS];
    for (int i = 0; i < CONNECTIONS; i++)
        values[i] = *native_field(truck, connections[i].from, connections[i].output);
    for (int i = 0; i < CONNECTIONS; i++)
        *native_field(truck, connections[i].to, connections[i].input) = values[i];
}

static void native_outputs(const native_truck *truck, double t) {
    for (int u = 0; u < UNITS; u++)
        assert_int_equal(hk_quarter_truck_types[u]->output(truck->self[u], t), HK_STEP_OK);
}

static native_truck native_begin(bool exchange_initial_values) {
    native_truck truck;
    for (int u = 0; u < UNITS; u++) {
        const hk_unit_type *type = hk_quarter_truck_types[u];
        truck.self[u] = calloc(1, type->instance_size);
        for (size_t i = 0; i < type->port_count; i++)
            if (type->ports[i].start)
                assert_true(hk_read_f64(type->ports[i].start, strlen(type->ports[i].start),
                                        (double *)(void *)(truck.self[u] + type->ports[i].offset)));
        assert_int_equal(type->init(truck.self[u], 0.0), HK_STEP_OK);
    }
    native_outputs(&truck, 0.0);
    /* Twice: the second time brings what followed from the first. */
    for (int i = 0; exchange_initial_values && i < 2; i++) {
        native_exchange(&truck);
        native_outputs(&truck, 0.0);
    }
    return truck;
}

static void native_end(native_truck *truck) {
    for (int u = 0; u < UNITS; u++)
        free(truck->self[u]);
}

static void native_step(const native_truck *truck, int unit, double t, double h) {
    assert_int_equal(hk_quarter_truck_types[unit]->step(truck->self[unit], t, h), HK_STEP_OK);
}

static void step_jacobi(const native_truck *truck, double t, double h) {
    native_exchange(truck);
    for (int u = 0; u < UNITS; u++)
        native_step(truck, u, t, h);
}

/* Each unit in turn sees what those before it have just computed. */
static void step_in_order(const native_truck *truck, const int *order, double t, double h) {
    for (int k = 0; k < UNITS; k++) {
        for (int i = 0; i < CONNECTIONS; i++)
            if (connections[i].to == order[k])
                *native_field(truck, connections[i].to, connections[i].input) =
                    *native_field(truck, connections[i].from, connections[i].output);
        native_step(truck, order[k], t, h);
    }
}

static void step_gauss_seidel(const native_truck *truck, double t, double h) {
    static const int down[UNITS] = {CHASSIS, WHEEL, GROUND};
    step_in_order(truck, down, t, h);
}

static void step_gauss_seidel_up(const native_truck *truck, double t, double h) {
    static const int up[UNITS] = {GROUND, WHEEL, CHASSIS};
    step_in_order(truck, up, t, h);
}

/* ---- the coupled equations as one system: explicit Euler, 1 ms ---- */

static void reference(double *wheel_z, int steps) {
    const double g = 9.80665, h = 0.001, omega = 2.0 * 3.14159265358979323846 * 10.0;
    const double m_c = 400.0, k_c = 15000.0, d_c = 1000.0, m_w = 40.0, k_w = 150000.0;
    double p_c = 0.0, d_z_c = m_c * g / k_c, p_w = 0.0, d_z_w = (m_c + m_w) * g / k_w, z_w = 0.5;
    double x = 0.0;
    for (int i = 0; i <= steps; i++) {
        wheel_z[i] = z_w;
        double v_c = p_c / m_c, v_w = p_w / m_w;
        double v_g = omega * (i >= 1000 ? 0.1 : 0.0) + x;
        double f_c = k_c * d_z_c + d_c * (v_w - v_c), f_w = k_w * d_z_w;
        p_c += h * (f_c - m_c * g);
        d_z_c += h * (v_w - v_c);
        p_w += h * (f_w - m_w * g - f_c);
        d_z_w += h * (v_g - v_w);
        z_w += h * v_w;
        x += h * -omega * v_g;
    }
}

enum { HORIZON_MS = 5000 };

typedef void step_fn(const native_truck *truck, double t, double h);

/* Error of the wheel's height over 5 s, at the communication points. */
static double rmse(step_fn *step, int every_ms) {
    static double expected[HORIZON_MS + 1];
    reference(expected, HORIZON_MS);
    native_truck truck = native_begin(true);
    double sum = 0.0;
    int points = 1; /* the first one has no error */
    for (int i = 0; i < HORIZON_MS; i += every_ms, points++) {
        step(&truck, (double)i / 1000.0, (double)every_ms / 1000.0);
        double error = *native_field(&truck, WHEEL, "z") - expected[i + every_ms];
        sum += error * error;
    }
    native_end(&truck);
    return sqrt(sum / points);
}

static void assert_near(double value, double expected, double relative) {
    if (!(fabs(value - expected) <= relative * fabs(expected)))
        fail_msg("%s is not within a share of %s of %s", text(value), text(relative),
                 text(expected));
}

static void show(const char *algorithm, double slow, double fast) {
    print_message("%s: 100 Hz %s, 1000 Hz %s\n", algorithm, text(slow), text(fast));
}

static void test_table_3(void **state) {
    (void)state;
    double slow = rmse(step_jacobi, 10), fast = rmse(step_jacobi, 1);
    show("Jacobi", slow, fast);
    assert_near(slow, 0.030062, 0.04);
    assert_near(fast, 0.0018814, 0.04);
}

/* At 1000 Hz most of the error is the held derivative of the ground, which no order mends. */
static void test_gauss_seidel(void **state) {
    (void)state;
    double slow = rmse(step_gauss_seidel, 10), fast = rmse(step_gauss_seidel, 1);
    double slow_up = rmse(step_gauss_seidel_up, 10), fast_up = rmse(step_gauss_seidel_up, 1);
    show("Gauss-Seidel", slow, fast);
    show("Gauss-Seidel from below", slow_up, fast_up);
    assert_near(slow, 0.03, 0.02);
    assert_near(fast, 0.00195, 0.02);
    assert_near(slow_up, 0.030091, 0.001);
    assert_near(fast_up, 0.0019712, 0.001);
}

static void test_settles(void **state) {
    (void)state;
    native_truck truck = native_begin(true);
    for (int i = 0; i < 20000; i++)
        step_jacobi(&truck, (double)i / 1000.0, 0.001);
    double z = *native_field(&truck, WHEEL, "z");
    print_message("the wheel settles at %s\n", text(z));
    assert_true(fabs(z - 0.602094) < 5e-7);
    /* The integrator inside keeps the energy balance, whatever the exchange does. */
    assert_true(fabs(*native_field(&truck, CHASSIS, "E_error")) < 1e-3);
    assert_true(fabs(*native_field(&truck, WHEEL, "E_error")) < 1e-3);
    native_end(&truck);
}

/* In equilibrium nothing moves before the step, unless initial values are not exchanged. */
static void test_initial_exchange(void **state) {
    (void)state;
    double off[2] = {0.0, 0.0};
    for (int exchanged = 0; exchanged < 2; exchanged++) {
        native_truck truck = native_begin(exchanged);
        for (int i = 0; i < 990; i++) {
            if (exchanged || i > 0)
                native_exchange(&truck);
            for (int u = 0; u < UNITS; u++)
                native_step(&truck, u, (double)i / 1000.0, 0.001);
            double error = fabs(*native_field(&truck, WHEEL, "z") - 0.5);
            off[exchanged] = error > off[exchanged] ? error : off[exchanged];
        }
        native_end(&truck);
    }
    print_message("off equilibrium: %s m without exchange of initial values, %s m with\n",
                  text(off[0]), text(off[1]));
    assert_true(off[0] > 1e-5);
    assert_true(off[1] < 1e-12);
}

static void test_counts(void **state) {
    (void)state;
    assert_int_equal(hk_quarter_truck_types[CHASSIS]->port_count, 49);
    assert_int_equal(hk_quarter_truck_types[WHEEL]->port_count, 54);
    assert_int_equal(hk_quarter_truck_types[GROUND]->port_count, 18);
    assert_null(hk_quarter_truck_types[UNITS]);
}

/* No variable is a dummy: each is other than zero at some time, with damping in the tyre. */
static void test_every_variable_lives(void **state) {
    (void)state;
    native_truck truck = native_begin(true);
    *native_field(&truck, WHEEL, "Tyre.d") = 50.0;
    bool seen[UNITS][64] = {{false}};
    for (int i = 0; i < 2000; i++) {
        step_jacobi(&truck, (double)i / 1000.0, 0.001);
        for (int u = 0; u < UNITS; u++)
            for (size_t v = 0; v < hk_quarter_truck_types[u]->port_count; v++)
                seen[u][v] |=
                    *native_field(&truck, u, hk_quarter_truck_types[u]->ports[v].name) != 0;
    }
    for (int u = 0; u < UNITS; u++)
        for (size_t v = 0; v < hk_quarter_truck_types[u]->port_count; v++) {
            const hk_port *port = &hk_quarter_truck_types[u]->ports[v];
            if (!seen[u][v] && port->causality != HK_PARAMETER)
                fail_msg("%s.%s is always 0", hk_quarter_truck_types[u]->name, port->name);
        }
    native_end(&truck);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),           cmocka_unit_test(test_table_3),
        cmocka_unit_test(test_gauss_seidel),     cmocka_unit_test(test_settles),
        cmocka_unit_test(test_initial_exchange), cmocka_unit_test(test_every_variable_lives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
