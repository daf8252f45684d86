/* SPDX-License-Identifier: MIT
 *
 * Logs of a scenario: which signals go to which file, and how often. */
#include "lang/simulation/simulation_internal.h"
#include "model/address.h"

#include <string.h>

typedef struct columns {
    hk_signal *signals;
    const char **names;
    size_t count, signal_cap, name_count, name_cap;
    hk_map known;
} columns;

/* A file of a log stays in the folder of the run. */
static hk_status check_file(hk_simread *r, const hk_name *file) {
    const char *name = file->text;
    const char *wrong = NULL;
    if (!*name)
        return hk_simread_missing(r, &file->at);
    if (name[0] == '/' || strchr(name, '\\') || strchr(name, ':'))
        wrong = "logs are written to the folder of the run, so their names are relative";
    for (const char *part = name; part && !wrong; part = strchr(part, '/')) {
        part += *part == '/';
        size_t length = strcspn(part, "/");
        if (!length || (length == 2 && strncmp(part, "..", 2) == 0))
            wrong = "logs stay in the folder of the run, so '..' and empty names are not allowed";
    }
    for (const char *c = name; *c && !wrong; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            wrong = "use letters, digits, '_', '-' and '.'";
    if (!wrong)
        return HK_OK;
    return hk_simread_error(r, HK_E_SCENARIO, &file->at, wrong, "'%s' is not a name for a log",
                            name);
}

/* D13: rows are written at instants of the simulation. */
static hk_status read_period(hk_simread *r, const hk_logdecl *decl, hk_ratio *ret_period) {
    const hk_ratio step = r->model->experiment.step;
    int64_t n;
    bool exact;
    if (!*decl->period.text) {
        *ret_period = step;
        return HK_OK;
    }
    HK_TRY(hk_simread_time(r, "the period of the log", decl->period.text, decl->period.unit,
                           &decl->period.at, ret_period));
    if (ret_period->num <= 0)
        return hk_simread_error(r, HK_E_TIME, &decl->period.at, NULL,
                                "the period of a log must be above 0");
    if (!r->has_times || !hk_simread_divide(*ret_period, step, &n, &exact) || exact)
        return HK_OK;
    hk_ratio below, above;
    const char *hint = NULL;
    if (hk_simread_times(step, n, &below) && hk_simread_times(step, n + 1, &above))
        hint =
            n ? hk_arena_printf(r->arena, "the nearest ones are %s and %s",
                                hk_simread_show_time(r, below), hk_simread_show_time(r, above))
              : hk_arena_printf(r->arena, "the shortest one is %s", hk_simread_show_time(r, above));
    return hk_simread_error(r, HK_E_TIME, &decl->period.at, hint,
                            "the period %s of the log is not a multiple of the step %s",
                            hk_simread_show_time(r, *ret_period), hk_simread_show_time(r, step));
}

/* A port of a composite keeps its own name. */
static const char *column_name(hk_simread *r, const hk_signal *signal, const hk_delegate *port) {
    const hk_variable *v = hk_simread_variable(r, signal);
    if (!port)
        return hk_simread_signal_name(r, signal);
    if (!hk_variable_is_array(v))
        return port->name;
    char *index = hk_arena_alloc(r->arena, hk_index_size(v));
    hk_index_write(v, signal->element, index);
    return hk_arena_printf(r->arena, "%s%s", port->name, index);
}

static bool add_column(hk_simread *r, columns *c, const hk_signal *signal,
                       const hk_delegate *port) {
    const char *name = column_name(r, signal, port);
    if (hk_map_get(&c->known, name) != HK_MAP_NONE)
        return false;
    hk_map_put(&c->known, name, (uint32_t)c->count);
    HK_PUSH(c->signals, c->count, c->signal_cap, *signal);
    HK_PUSH(c->names, c->name_count, c->name_cap, name);
    return true;
}

static void add_columns(hk_simread *r, columns *c, const hk_name *path) {
    hk_target target;
    bool again = false;
    if (hk_simread_find_observed(r, path, &target) != HK_OK)
        return;
    for (size_t i = 0; i < target.signal_count; i++) {
        hk_signal signal = target.signals[i];
        const hk_delegate *port = target.ports ? target.ports[i] : NULL;
        size_t elements = hk_simread_variable(r, &signal)->count;
        if (signal.element != HK_ALL_ELEMENTS) {
            again |= !add_column(r, c, &signal, port);
            continue;
        }
        for (size_t e = 0; e < elements; e++) {
            signal.element = (uint32_t)e;
            again |= !add_column(r, c, &signal, port);
        }
    }
    if (again)
        hk_warn(r->ctx, HK_E_SCENARIO, hk_simread_where(r, &path->at), "remove one of them",
                "'%s' is in this log already; it gets one column", path->text);
}

static void read_columns(hk_simread *r, const hk_logdecl *decl, hk_scenario_log *log) {
    columns c = {0};
    for (size_t i = 0; i < decl->signal_count; i++)
        add_columns(r, &c, &decl->signals[i]);
    hk_signal *signals = HK_NEW_ARRAY(r->arena, hk_signal, c.count + 1);
    const char **names = HK_NEW_ARRAY(r->arena, const char *, c.count + 1);
    if (c.count) {
        memcpy(signals, c.signals, c.count * sizeof *signals);
        memcpy(names, c.names, c.count * sizeof *names);
    }
    log->signals = signals;
    log->names = names;
    log->count = c.count;
    hk_free(c.signals);
    hk_free(c.names);
    hk_map_finish(&c.known);
}

static hk_status check_new(hk_simread *r, const hk_logdecl *decl, const hk_scenario *scenario) {
    for (size_t i = 0; i < scenario->log_count; i++)
        if (strcmp(scenario->logs[i].file, decl->file.text) == 0)
            return hk_simread_error(r, HK_E_DUPLICATE, &decl->file.at, "give each its own name",
                                    "two logs of a scenario are called '%s'; the other one is "
                                    "in line %d",
                                    decl->file.text, scenario->logs[i].where.line);
    return HK_OK;
}

void hk_simread_logs(hk_simread *r, const hk_scenariodecl *decl, hk_scenario *scenario) {
    scenario->logs = HK_NEW_ARRAY(r->arena, hk_scenario_log, decl->log_count + 1);
    for (size_t i = 0; i < decl->log_count; i++) {
        const hk_logdecl *d = &decl->logs[i];
        hk_scenario_log *log = &scenario->logs[scenario->log_count];
        *log = (hk_scenario_log){.file = d->file.text, .where = hk_simread_where(r, &d->at)};
        hk_status status = check_file(r, &d->file);
        if (status == HK_OK)
            status = check_new(r, d, scenario);
        hk_status period = read_period(r, d, &log->period);
        read_columns(r, d, log);
        if (!d->signal_count)
            hk_warn(r->ctx, HK_E_SCENARIO, log->where, NULL,
                    "the log '%s' has no signals, so it holds the time only", d->file.text);
        scenario->log_count += status == HK_OK && period == HK_OK;
    }
}
