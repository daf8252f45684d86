/* SPDX-License-Identifier: MIT
 *
 * play_chart FOLDER: runs the C that is generated from modules, as standard input says:
 *
 *     chart FILE.rct COUNT        so many cycles of the module
 *     set NAME VALUE              a parameter
 *     in K NAME VALUE             an input in cycle K; all others are 0
 *
 * and writes "chart FILE.rct", then a line per cycle with NAME=VALUE of all ports, with tabs
 * between them, or "failed WORDS". */
#include "chart_rig.h"

enum { LINES_MAX = 100000, WORDS = 4 };

typedef struct line {
    char *words[WORDS];
} line;

static size_t read_lines(line *lines) {
    size_t count = 0;
    char text[1024];
    while (count < LINES_MAX && fgets(text, sizeof text, stdin)) {
        char *kept = strdup(text), *at = NULL;
        char *word = strtok_r(kept, " \n", &at);
        for (size_t i = 0; word && i < WORDS; i++) {
            lines[count].words[i] = word;
            word = strtok_r(NULL, i == WORDS - 2 ? "\n" : " \n", &at);
        }
        count++;
    }
    return count;
}

static bool is(const line *l, const char *word) {
    return l->words[0] && strcmp(l->words[0], word) == 0;
}

static hk_value value_of(rig *h, const hk_info *info, const char *name, const char *text,
                         uint32_t *ret_variable) {
    hk_value value = {0};
    *ret_variable = hk_info_find(info, name);
    if (*ret_variable == HK_MAP_NONE) {
        fprintf(stderr, "there is no port %s\n", name);
        exit(2);
    }
    const hk_variable *v = &info->variables[*ret_variable];
    if (!hk_value_parse(h->arena, v->type, 1, v->enumeration, text, &value)) {
        fprintf(stderr, "%s: what is %s?\n", name, text);
        exit(2);
    }
    return value;
}

static void show(rig *h, hk_unit *unit) {
    for (uint32_t i = 0; i < unit->info->variable_count; i++) {
        const hk_variable *v = &unit->info->variables[i];
        const hk_value value = {v->type, 1, unit->unit_class->address(unit, i)};
        const char *text = hk_value_format(h->arena, v->type, v->store, value.data);
        for (size_t k = 0; v->enumeration && k < v->enumeration->item_count; k++)
            if (v->enumeration->item_values[k] == *(const int64_t *)value.data)
                text = v->enumeration->item_names[k];
        printf("%s%s=%s", i ? "\t" : "", v->name, text);
    }
    printf("\n");
}

static void put_inputs(rig *h, hk_unit *unit, const line *lines, size_t count, int64_t k) {
    for (uint32_t i = 0; i < unit->info->variable_count; i++) {
        const hk_variable *v = &unit->info->variables[i];
        if (v->causality == HK_INPUT)
            memset(unit->unit_class->address(unit, i), 0, hk_store_size(v->store));
    }
    for (size_t i = 0; i < count && !is(&lines[i], "chart"); i++) {
        uint32_t variable;
        if (!is(&lines[i], "in") || strtoll(lines[i].words[1], NULL, 10) != k)
            continue;
        hk_value value = value_of(h, unit->info, lines[i].words[2], lines[i].words[3], &variable);
        memcpy(unit->unit_class->address(unit, variable), value.data,
               hk_store_size(unit->info->variables[variable].store));
    }
}

static void say_failed(const hk_ctx *ctx) {
    printf("failed %s\n", hk_ctx_diag(ctx, hk_ctx_count(ctx, HK_NOTE) - 1)->text);
}

/* LINES are those behind its own. */
static void play(rig *h, const pair *p, const line *lines, size_t count, int64_t cycles) {
    const hk_unit_class *class = p->code->unit_class;
    const hk_unit_options options = {.name = p->chart->name};
    double cycle = hk_ratio_to_double(hk_chart_of(p->chart)->cycle);
    hk_unit *unit = NULL;
    hk_step_call step;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    printf("chart %s\n", p->file);
    must(class->open(quiet, p->code, &options, &unit), p->file);
    for (size_t i = 0; i < count && !is(&lines[i], "chart"); i++) {
        uint32_t variable;
        if (!is(&lines[i], "set"))
            continue;
        hk_value value = value_of(h, p->code, lines[i].words[1], lines[i].words[2], &variable);
        must(class->set_start(quiet, unit, variable, &value), p->file);
    }
    bool going = class->enter_init(quiet, unit) == HK_OK && hk_unit_exit_init(quiet, unit) == HK_OK;
    if (!going)
        say_failed(quiet);
    class->bind_step(unit, &step);
    for (int64_t k = 0; k < cycles && going; k++) {
        double t = (double)k * cycle;
        hk_stepped stepped;
        put_inputs(h, unit, lines, count, k);
        going = step.fn.plain(step.self, t, cycle) == HK_STEP_OK;
        if (going) {
            show(h, unit);
        } else {
            (void)!class->step_failed(quiet, unit, HK_STEP_FAILED, t, cycle, &stepped);
            say_failed(quiet);
        }
    }
    class->close(unit);
    hk_ctx_destroy(quiet);
}

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    rig h = open_rig(argv[1]);
    line *lines = HK_NEW_ARRAY(h.arena, line, LINES_MAX);
    size_t line_count = read_lines(lines), count = 0;
    pair *pairs = HK_NEW_ARRAY(h.arena, pair, line_count + 1);
    for (size_t i = 0; i < line_count; i++)
        if (is(&lines[i], "chart"))
            pairs[count++].file = lines[i].words[1];
    make_pairs(&h, pairs, count);
    for (size_t i = 0, p = 0; i < line_count; i++)
        if (is(&lines[i], "chart"))
            play(&h, &pairs[p++], lines + i + 1, line_count - i - 1,
                 strtoll(lines[i].words[2], NULL, 10));
    for (size_t i = 0; i < line_count; i++)
        free(lines[i].words[0]);
    close_rig(&h);
    return 0;
}
