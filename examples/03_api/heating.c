/* SPDX-License-Identifier: MIT
 *
 * A program that builds a system of two components, runs it and looks at it. Build it with
 *     cc heating.c $(pkg-config --cflags --libs hocket) -o heating
 */
#include <hk/hk.h>

#include <stdio.h>

/* A room that loses heat to the outside. */
typedef struct room {
    double heat, temperature, outside;
} room;

static const hk_port room_ports[] = {
    HK_PORT(room, heat, HK_INPUT, HK_TYPE_F64, .unit = "W"),
    HK_PORT(room, temperature, HK_OUTPUT, HK_TYPE_F64, .unit = "degC", .start = "18",
            .depends_on = ""),
    HK_PORT(room, outside, HK_PARAMETER, HK_TYPE_F64, .unit = "degC", .start = "0",
            .tunable = true),
};

static int room_step(void *self, double t, double h) {
    room *x = self;
    (void)t;
    x->temperature += h * (x->heat - 50 * (x->temperature - x->outside)) / 200000;
    return HK_STEP_OK;
}

/* A heater that a thermostat switches. */
typedef struct heater {
    double temperature, heat, wanted;
} heater;

static const hk_port heater_ports[] = {
    HK_PORT(heater, temperature, HK_INPUT, HK_TYPE_F64, .unit = "degC", .start = "18"),
    HK_PORT(heater, heat, HK_OUTPUT, HK_TYPE_F64, .unit = "W", .depends_on = ""),
    HK_PORT(heater, wanted, HK_PARAMETER, HK_TYPE_F64, .unit = "degC", .start = "20"),
};

static int heater_step(void *self, double t, double h) {
    heater *x = self;
    (void)t;
    (void)h;
    if (x->temperature < x->wanted - 0.5)
        x->heat = 2000;
    else if (x->temperature > x->wanted + 0.5)
        x->heat = 0;
    return HK_STEP_OK;
}

static const hk_unit_type room_type = {HK_UNIT_TYPE(room), .ports = room_ports, .port_count = 3,
                                       .step = room_step};
static const hk_unit_type heater_type = {HK_UNIT_TYPE(heater), .ports = heater_ports,
                                         .port_count = 3, .step = heater_step};

/* Each call needs what the ones before it made; the first that fails ends the work. */
#define TRY(call)                                                                                  \
    if ((status = (call)) != HK_OK)                                                                \
    return status

static hk_status run(hk_context *context, hk_system **system, hk_session **session) {
    hk_status status;
    hk_var temperature, heat;
    double degrees, watts;
    TRY(hk_system_create(context, "house", system));
    TRY(hk_system_register(*system, &room_type));
    TRY(hk_system_register(*system, &heater_type));
    TRY(hk_system_add_native(*system, "room", "room"));
    TRY(hk_system_add_native(*system, "heater", "heater"));
    TRY(hk_system_connect(*system, "room.temperature", "heater.temperature", NULL));
    TRY(hk_system_connect(*system, "heater.heat", "room.heat", NULL));
    TRY(hk_system_set_text(*system, "heater.wanted", "294.15 K"));
    TRY(hk_system_set_times(*system, 0, 3600, 10));
    TRY(hk_session_create(*system, NULL, session));
    TRY(hk_session_var(*session, "room.temperature", &temperature));
    TRY(hk_session_var(*session, "heater.heat", &heat));
    for (int minute = 10; minute <= 60; minute += 10) {
        TRY(hk_session_advance(*session, minute * 60.0));
        TRY(hk_session_get_f64(*session, temperature, &degrees, 1));
        TRY(hk_session_get_f64(*session, heat, &watts, 1));
        printf("%d min: %.2f degC, heater %s\n", minute, degrees, watts > 0 ? "on" : "off");
    }
    return HK_OK;
}

int main(void) {
    hk_context *context = NULL;
    hk_system *system = NULL;
    hk_session *session = NULL;
    hk_status status = hk_context_create(&context);
    if (!status)
        status = run(context, &system, &session);
    if (status)
        fprintf(stderr, "%s\n", hk_context_errors(context));
    hk_session_destroy(session);
    hk_system_destroy(system);
    hk_context_destroy(context);
    return status ? 1 : 0;
}
