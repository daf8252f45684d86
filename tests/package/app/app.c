/* SPDX-License-Identifier: MIT
 *
 * A program outside the source tree: opens the plugin given as its argument and runs it. It is also
 * compiled as C++. */
#include <hk/hk.h>

#include <stdio.h>

#define TRY(call)                                                                                  \
    if ((status = (call)) != HK_OK)                                                                \
    return status

static hk_status run(hk_context *context, const char *plugin) {
    hk_status status;
    hk_system *system;
    hk_session *session;
    hk_var level;
    double value;
    TRY(hk_system_create(context, "app", &system));
    TRY(hk_system_add_plugin(system, "pump", plugin, "pump"));
    TRY(hk_system_set_text(system, "pump.flow", "2 l/min"));
    TRY(hk_system_set_times(system, 0, 60, 1));
    TRY(hk_session_create(system, NULL, &session));
    TRY(hk_session_var(session, "pump.volume", &level));
    for (double t = 20; t <= 60; t += 20) {
        TRY(hk_session_advance(session, t));
        TRY(hk_session_get_f64(session, level, &value, 1));
        printf("%.0f s: %.6f m3\n", hk_session_time(session), value);
    }
    hk_session_destroy(session);
    hk_system_destroy(system);
    return HK_OK;
}

int main(int count, char **words) {
    hk_context *context = NULL;
    hk_system *none = NULL;
    if (count != 2 || hk_context_create(&context) != HK_OK)
        return 2;
    printf("hocket %s\n", hk_version());
    if (run(context, words[1]) != HK_OK)
        printf("%s\n", hk_context_errors(context));
    hk_context_clear(context);
    if (hk_system_open(context, "missing.ssp", &none) != HK_OK)
        printf("%s\n", hk_context_errors(context));
    hk_context_destroy(context);
    return 0;
}
