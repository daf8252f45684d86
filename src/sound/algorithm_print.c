/* SPDX-License-Identifier: MIT
 *
 * Writes a scenario and an algorithm as the text that is read as just that. */
#include "base/number.h"
#include "sound/sound.h"
#include "text/parser.h"
#include "text/print.h"

#include <string.h>

static const hk_place nowhere = {0};

/* Names that would be taken for a word are in quotes. */
static void put_name(hk_printer *pr, const char *text) {
    static const char *const words[] = {"reactive", "observed", "tentative", "initial"};
    hk_name name = {.text = text};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        name.quoted = name.quoted || strcmp(text, words[i]) == 0;
    hk_print_name(pr, &name);
}

static void put_whole(hk_printer *pr, int64_t value) {
    char text[HK_NUMBER_MAX + 1];
    text[hk_write_i64(value, text)] = '\0';
    hk_print(pr, text);
}

static void put_line(hk_printer *pr, const char *text) {
    hk_print_line(pr, &nowhere);
    hk_print(pr, text);
    hk_print_end(pr, &nowhere);
}

static void open(hk_printer *pr, const char *text) {
    put_line(pr, text);
    pr->depth++;
}

static void close(hk_printer *pr, const char *text) {
    pr->depth--;
    put_line(pr, text);
}

static void end_statement(hk_printer *pr) {
    hk_print(pr, ";");
    hk_print_end(pr, &nowhere);
}

/* Without its instance. */
static const char *local_name(const hk_sound_system *system, uint32_t port) {
    const hk_sound_port *p = &system->ports[port];
    return p->name + strlen(system->instances[p->instance].name) + 1;
}

static void put_dependencies(hk_printer *pr, const hk_sound_system *system, const char *word,
                             const uint32_t *list, size_t count) {
    if (!count)
        return;
    hk_print(pr, word);
    for (size_t i = 0; i < count; i++) {
        hk_print(pr, i ? ", " : "[");
        put_name(pr, local_name(system, list[i]));
    }
    hk_print(pr, "]");
}

static void put_port(hk_printer *pr, const hk_sound_system *system, uint32_t index) {
    const hk_sound_port *port = &system->ports[index];
    hk_print_line(pr, &nowhere);
    hk_print(pr, port->is_output ? "out " : "in ");
    hk_print(pr, port->is_output && port->observed ? "observed " : "");
    hk_print(pr, !port->is_output && port->reactive ? "reactive " : "");
    put_name(pr, local_name(system, index));
    hk_print(pr, !port->is_output && port->initial ? " initial" : "");
    if (port->is_output) {
        put_dependencies(pr, system, " ", port->depends, port->depends_count);
        put_dependencies(pr, system, " init ", port->depends_init, port->depends_init_count);
    }
    end_statement(pr);
}

static void put_number(hk_printer *pr, const char *word, int64_t value) {
    hk_print_line(pr, &nowhere);
    hk_print(pr, word);
    put_whole(pr, value);
}

static void put_abilities(hk_printer *pr, const hk_sound_instance *instance) {
    if (instance->can_reject)
        put_line(pr, "can reject;");
    if (!instance->can_save)
        put_line(pr, "cannot save;");
    if (!instance->is_fmu)
        put_line(pr, "native;");
    if (instance->rate > 1 || instance->first) {
        put_number(pr, "rate ", instance->rate > 1 ? instance->rate : 1);
        if (instance->first) {
            hk_print(pr, " from ");
            put_whole(pr, instance->first);
        }
        end_statement(pr);
    }
    if (instance->parameters) {
        put_number(pr, "parameters ", instance->parameters);
        end_statement(pr);
    }
}

static void put_named(hk_printer *pr, const char *word, const char *name, const char *mark) {
    hk_print_line(pr, &nowhere);
    hk_print(pr, word);
    put_name(pr, name);
    hk_print(pr, mark);
}

/* Ports are written instance by instance, as they must be in the system for that. */
static void put_scenario(hk_printer *pr, const hk_sound_system *system, int64_t max_step) {
    put_named(pr, "scenario ", system->name[0] ? system->name : "unnamed", " {");
    hk_print_end(pr, &nowhere);
    pr->depth++;
    put_number(pr, "max step ", max_step);
    end_statement(pr);
    uint32_t port = 0;
    for (uint32_t i = 0; i < system->instance_count; i++) {
        put_named(pr, "instance ", system->instances[i].name, " {");
        hk_print_end(pr, &nowhere);
        pr->depth++;
        put_abilities(pr, &system->instances[i]);
        for (; port < system->port_count && system->ports[port].instance == i; port++)
            put_port(pr, system, port);
        close(pr, "}");
    }
    for (uint32_t p = 0; p < system->port_count; p++) {
        if (system->ports[p].is_output || system->ports[p].source == HK_MAP_NONE)
            continue;
        put_named(pr, "connect ", system->ports[system->ports[p].source].name, " -> ");
        put_name(pr, system->ports[p].name);
        end_statement(pr);
    }
    close(pr, "}");
}

static void put_calls(hk_printer *pr, const hk_sound_system *system, const hk_sound_call *calls,
                      size_t count);

/* In a partial order: the labels of those that call INDEX follows. ORDER NULL: there is none. */
static void put_after(hk_printer *pr, const hk_sound_master *order, size_t index) {
    for (size_t k = 0; order && k < order->before_count[index]; k++) {
        hk_print(pr, k ? ", c" : " after c");
        put_whole(pr, (int64_t)order->before[index][k] + 1);
    }
}

static void put_loop(hk_printer *pr, const hk_sound_system *system, const hk_sound_loop *loop,
                     const hk_sound_master *order, size_t index) {
    bool ports = loop->kind == HK_LOOP_CONVERGED;
    hk_print(pr, ports ? "until converged (" : "until accepted (");
    for (size_t i = 0; i < loop->watched_count; i++) {
        uint32_t who = loop->watched[i];
        hk_print(pr, i ? ", " : "");
        put_name(pr, ports ? system->ports[who].name : system->instances[who].name);
    }
    hk_print(pr, ")");
    put_after(pr, order, index);
    hk_print(pr, " {");
    hk_print_end(pr, &nowhere);
    pr->depth++;
    put_calls(pr, system, loop->body, loop->body_count);
    close(pr, loop->retry_count ? "} retry {" : "}");
    if (!loop->retry_count)
        return;
    pr->depth++;
    put_calls(pr, system, loop->retry, loop->retry_count);
    close(pr, "}");
}

/* The rest of a line that has begun. */
static void put_call(hk_printer *pr, const hk_sound_system *system, const hk_sound_call *call,
                     const hk_sound_master *order, size_t index) {
    static const char *const words[] = {"set ", "get ", "step ", "save ", "restore ", "parameter "};
    bool port = call->op == HK_OP_SET || call->op == HK_OP_GET;
    if (call->op == HK_OP_LOOP) {
        put_loop(pr, system, call->loop, order, index);
        return;
    }
    hk_print(pr, words[call->op]);
    hk_print(pr, call->tentative ? "tentative " : "");
    put_name(pr, port ? system->ports[call->port].name : system->instances[call->instance].name);
    if (call->op == HK_OP_STEP && call->as != HK_MAP_NONE) {
        hk_print(pr, " as ");
        put_name(pr, system->instances[call->as].name);
    } else if (call->op == HK_OP_STEP && call->has_value) {
        hk_print(pr, " by ");
        put_whole(pr, (int64_t)call->value);
    }
    put_after(pr, order, index);
    end_statement(pr);
}

static void put_calls(hk_printer *pr, const hk_sound_system *system, const hk_sound_call *calls,
                      size_t count) {
    for (size_t i = 0; i < count; i++) {
        hk_print_line(pr, &nowhere);
        put_call(pr, system, &calls[i], NULL, i);
    }
}

/* A partial order is one parallel block in which each call names those it follows. */
static void put_order(hk_printer *pr, const hk_sound_system *system,
                      const hk_sound_master *master) {
    open(pr, "par {");
    for (size_t i = 0; i < master->step_count; i++) {
        hk_print_line(pr, &nowhere);
        hk_print(pr, "c");
        put_whole(pr, (int64_t)i + 1);
        hk_print(pr, ": ");
        put_call(pr, system, &master->step[i], master, i);
    }
    close(pr, "}");
}

const char *hk_sound_print_text(hk_arena *arena, const hk_sound_system *system,
                                const hk_sound_master *master, int64_t max_step) {
    hk_printer pr = {0};
    put_scenario(&pr, system, max_step);
    if (master) {
        hk_print_blank(&pr);
        open(&pr, "algorithm {");
        open(&pr, "init {");
        put_calls(&pr, system, master->init, master->init_count);
        close(&pr, "}");
        open(&pr, "step {");
        if (master->before)
            put_order(&pr, system, master);
        else
            put_calls(&pr, system, master->step, master->step_count);
        close(&pr, "}");
        close(&pr, "}");
    }
    return hk_print_finish(&pr, arena);
}
