/* SPDX-License-Identifier: MIT
 *
 * R-ROSACE for the executor of sea.h: the graph, the partitions of the case study, the
 * configurations and the cases. For tests. */
#ifndef HK_TEST_SEA_ROSACE_H
#define HK_TEST_SEA_ROSACE_H

#include "rosace.h"
#include "sea.h"

#include <stdio.h>

/* ---- the systems; a tick is 5 ms ---- */

static inline sea sea_make(void) {
    return (sea){.ticks_per_second = 200.0, .types = hk_rosace_types};
}

static inline void sea_connect_ports(sea *s, const char *from, const char *from_port,
                                     const char *to, const char *to_port) {
    char a[64], b[64];
    snprintf(a, sizeof a, "%s.%s", from, from_port);
    snprintf(b, sizeof b, "%s.%s", to, to_port);
    sea_connect(s, a, b);
}

static const char *const signals[] = {"h", "vz", "va", "q", "az"};
static const char *const filters[] = {"h_filter", "vz_filter", "va_filter", "q_filter",
                                      "az_filter"};

static inline void add_aircraft(sea *s, const int *filter_periods) {
    sea_add(s, "elevator", "elevator", 1);
    sea_add(s, "engine", "engine", 1);
    sea_add(s, "flight_dynamics", "flight_dynamics", 1);
    for (int i = 0; i < 5; i++)
        sea_add(s, filters[i], filters[i], filter_periods[i]);
    sea_connect(s, "elevator.delta_e", "flight_dynamics.delta_e");
    sea_connect(s, "engine.thrust", "flight_dynamics.thrust");
    for (int i = 0; i < 5; i++)
        sea_connect_ports(s, "flight_dynamics", signals[i], filters[i], "raw");
}

/* All connections of R-ROSACE, the cross-links of the monitors among them. */
static inline sea r_rosace(void) {
    static const char *const fccs[] = {"fcc1a", "fcc1b", "fcc2a", "fcc2b"};
    static const char *const sensed[] = {"h_f", "vz_f", "va_f", "q_f", "az_f"};
    static const char *const asked[] = {"h_c", "vz_c", "va_c"};
    static const int periods[] = {4, 2, 2, 2, 2};
    sea s = sea_make();
    add_aircraft(&s, periods);
    sea_add(&s, "flight_mode", "flight_mode", 4);
    sea_add(&s, "fcu", "fcu", 4);
    for (int i = 0; i < 4; i++)
        sea_add(&s, fccs[i], i % 2 ? "fcc_mon" : "fcc_com", 4);
    sea_add(&s, "cables", "cables", 1);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 5; j++)
            sea_connect_ports(&s, filters[j], "filtered", fccs[i], sensed[j]);
        for (int j = 0; j < 3; j++)
            sea_connect_ports(&s, "fcu", asked[j], fccs[i], asked[j]);
        sea_connect_ports(&s, "flight_mode", "mode", fccs[i], "mode");
    }
    for (int i = 0; i < 2; i++) {
        const char *com = fccs[2 * i], *mon = fccs[2 * i + 1];
        sea_connect_ports(&s, com, "delta_e_c", mon, "delta_e_c");
        sea_connect_ports(&s, com, "delta_th_c", mon, "delta_th_c");
        sea_connect_ports(&s, com, "delta_e_c", "cables", i ? "delta_e_c_2" : "delta_e_c_1");
        sea_connect_ports(&s, com, "delta_th_c", "cables", i ? "delta_th_c_2" : "delta_th_c_1");
        sea_connect_ports(&s, mon, "relay_e", "cables", i ? "relay_e_2" : "relay_e_1");
        sea_connect_ports(&s, mon, "relay_th", "cables", i ? "relay_th_2" : "relay_th_1");
        sea_connect_ports(&s, mon, "master", fccs[i ? 1 : 3], "other_master");
    }
    sea_connect(&s, "cables.delta_e_c", "elevator.delta_e_c");
    sea_connect(&s, "cables.delta_th_c", "engine.delta_th_c");
    assert_int_equal(s.link_count, 59);
    *(bool *)sea_at(&s, "fcc1b.relay_e_initial") = true;
    *(bool *)sea_at(&s, "fcc1b.relay_th_initial") = true;
    *(bool *)sea_at(&s, "fcc1b.master_initial") = true;
    return s;
}

/* ---- partitions, configurations, cases ---- */

#define PLANT "elevator engine flight_dynamics h_filter vz_filter va_filter q_filter az_filter "
#define PILOT "flight_mode fcu "
static const char *const partitions[] = {
    /* the order of the upstream C loop */
    PLANT PILOT "fcc1a fcc2a fcc1b fcc2b cables",
    /* E1 to E5 */
    PLANT PILOT "fcc1a fcc1b fcc2a fcc2b cables",
    "elevator|engine|flight_dynamics|h_filter|vz_filter|va_filter|q_filter|az_filter|"
    "flight_mode|fcu|fcc1a|fcc1b|fcc2a|fcc2b|cables",
    "cables " PLANT PILOT "|fcc1a fcc1b fcc2a fcc2b",
    "cables " PLANT PILOT "|fcc1b fcc1a fcc2a fcc2b",
    "cables " PLANT PILOT "|fcc1b fcc1a fcc2b fcc2a",
    /* both ends of couples kept together, all else apart */
    "elevator|engine|flight_dynamics|h_filter|vz_filter|va_filter|q_filter|az_filter|"
    "flight_mode|fcu|fcc1a fcc1b|fcc2a fcc2b|cables",
};
enum { UPSTREAM, E1, E2, E3, E4, E5, COUPLES };

typedef struct configuration {
    double eps;
    bool zero_inside, static_master, hold_when_open;
} configuration;
static const configuration config_a = {.eps = 1e-3};
static const configuration config_b = {.eps = 1e-4};
static const configuration config_c = {.eps = 1e-3, .zero_inside = true};

static inline void configure(sea *s, const configuration *c) {
    static const char *const monitors[] = {"fcc1b", "fcc2b"};
    for (int i = 0; i < 2; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s.eps_e", monitors[i]);
        *sea_f64(s, path) = c->eps;
        snprintf(path, sizeof path, "%s.eps_th", monitors[i]);
        *sea_f64(s, path) = c->eps;
        snprintf(path, sizeof path, "%s.cross_linked", monitors[i]);
        *(bool *)sea_at(s, path) = !c->static_master;
    }
    *(bool *)sea_at(s, "fcc2b.other_master_static") = true;
    *(bool *)sea_at(s, "cables.hold_when_open") = c->hold_when_open;
    for (int i = 0; i < s->link_count; i++) {
        const char *from = s->components[s->links[i].from].type->name;
        s->links[i].zero_inside = c->zero_inside && strcmp(from, "fcc_com") == 0;
    }
}

static inline void set_step(sea *s, int number, double time, double h, double vz, double va) {
    const char *const names[] = {"time", "h", "vz", "va"};
    const double values[] = {time, h, vz, va};
    for (int i = 0; i < 4; i++) {
        char path[32];
        snprintf(path, sizeof path, "fcu.%s_%d", names[i], number);
        *sea_f64(s, path) = values[i];
    }
}

static inline void set_case(sea *s, int number) {
    static const double levels[] = {10500, 11000, 11500, 8000};
    *(int32_t *)sea_at(s, "flight_mode.selected") =
        number <= 2 ? ROSACE_MODE_COMMANDED : ROSACE_MODE_ALTITUDE_HOLD;
    if (number == 1)
        set_step(s, 1, 0.0, 10000.0, 2.5, 230.0);
    else if (number == 2)
        set_step(s, 1, 0.0, 10000.0, 0.0, 235.0);
    else if (number == 3)
        set_step(s, 1, 50.0, 11000.0, -2.5, 230.0);
    else
        for (int i = 0; i < 4; i++)
            set_step(s, i + 1, 50.0 + 300.0 * i, levels[i], -2.5, 230.0);
}

static inline sea start_r_rosace(int case_number, int partition, const configuration *c) {
    sea s = r_rosace();
    configure(&s, c);
    set_case(&s, case_number);
    sea_partition(&s, partitions[partition]);
    sea_begin(&s);
    return s;
}

#endif
