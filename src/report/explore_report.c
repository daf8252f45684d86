/* SPDX-License-Identifier: MIT
 *
 * What a controller can do: files that are written about it, and the answer as JSON. */
#include "report/explore_report.h"

#include "base/file.h"
#include "report/run_report.h"

#include <string.h>

bool hk_names_chart(const char *path) {
    size_t length;
    return hk_chart_names(path, &length);
}

hk_proof_state hk_chart_proof_state(const hk_explore_finding *f) {
    static const hk_proof_state states[] = {
        [HK_EXPLORE_HOLDS] = HK_PROOF_HOLDS,
        [HK_EXPLORE_BROKEN] = HK_PROOF_BROKEN,
        [HK_EXPLORE_UNDECIDED] = HK_PROOF_INCONCLUSIVE,
        [HK_EXPLORE_DIFFERS] = HK_PROOF_DIFFERS,
    };
    return states[f->state];
}

/* The run that shows what was found: up to the end of the last cycle, with the same constants. */
static const char *replay_text(const hk_report *r, const hk_chart_proof *p,
                               const hk_explore_wishes *wishes, size_t index) {
    const hk_explore_rows *rows = &p->explored.findings[index].rows;
    size_t length;
    bool named = hk_chart_names(p->file, &length) && p->file[length];
    const char *file = wishes->module && !named
                           ? hk_arena_printf(r->arena, "%s#%s", p->file, wishes->module)
                           : p->file;
    const char *text =
        hk_arena_printf(r->arena, "hocket run %s --input-file %s --stop-time %s",
                        hk_shell_word(r->arena, file), hk_shell_word(r->arena, p->tables[index]),
                        rows->cells[rows->row_count * rows->column_count]);
    for (size_t i = 0; i < wishes->settings.count; i++)
        text = hk_arena_printf(r->arena, "%s --set %s", text,
                               hk_shell_word(r->arena, wishes->settings.all[i]));
    return text;
}

/* "deadlock.csv", then "deadlock2.csv"; of properties the number is that of the property. */
static hk_status write_tables(const hk_report *r, const hk_chart_proof_wishes *wishes,
                              hk_chart_proof *p) {
    const hk_explored *e = &p->explored;
    const char *folder = wishes->witnesses;
    HK_TRY(hk_folder_make(r->ctx, folder));
    for (size_t i = 0; i < e->count; i++) {
        const hk_explore_finding *f = &e->findings[i];
        size_t number = 1;
        if (!f->rows.columns)
            continue;
        for (size_t k = 0; k < i; k++)
            number += strcmp(e->findings[k].name, f->name) == 0;
        const char *name = number == 1 ? hk_arena_printf(r->arena, "%s.csv", f->name)
                                       : hk_arena_printf(r->arena, "%s%zu.csv", f->name, number);
        const char *path = hk_path_join(r->arena, folder, name);
        const char *text = hk_explore_rows_csv(r->arena, &f->rows);
        HK_TRY(hk_file_write(r->ctx, path, text, strlen(text)));
        p->tables[i] = path;
        p->replays[i] = replay_text(r, p, &wishes->explore, i);
    }
    return HK_OK;
}

static hk_status write_promela(const hk_report *r, const char *file,
                               const hk_chart_proof_wishes *wishes) {
    const char *text = NULL;
    HK_TRY(hk_explore_promela(r->ctx, r->arena, file, &wishes->explore, &text));
    return hk_file_write(r->ctx, wishes->export_promela, text, strlen(text));
}

hk_status hk_chart_proof_make(const hk_report *r, const char *file,
                              const hk_chart_proof_wishes *wishes, hk_chart_proof *ret_proof) {
    hk_chart_proof p = {.file = file};
    if (wishes->export_promela)
        HK_TRY(write_promela(r, file, wishes));
    HK_TRY(hk_explore(r->ctx, r->arena, file, &wishes->explore, &p.explored));
    p.tables = HK_NEW_ARRAY(r->arena, const char *, p.explored.count + 1);
    p.replays = HK_NEW_ARRAY(r->arena, const char *, p.explored.count + 1);
    if (wishes->witnesses)
        HK_TRY(write_tables(r, wishes, &p));
    *ret_proof = p;
    return HK_OK;
}

hk_status hk_chart_proof_status(const hk_chart_proof *p) {
    const hk_explore_finding *wrong = p->explored.wrong;
    return !wrong ? HK_OK : wrong->state == HK_EXPLORE_UNDECIDED ? HK_E_UNDECIDED : HK_E_UNSOUND;
}

hk_status hk_chart_proof_fail(const hk_report *r, const hk_chart_proof *p) {
    const hk_explore_finding *wrong = p->explored.wrong;
    bool undecided = wrong->state == HK_EXPLORE_UNDECIDED;
    hk_where where = wrong->where.line ? wrong->where : (hk_where){.file = p->file};
    return hk_error(r->ctx, hk_chart_proof_status(p), where,
                    undecided ? "--states allows more; shorter ranges and lengths make fewer"
                              : wrong->hint,
                    "%s: %s", wrong->name, wrong->what ? wrong->what : wrong->text);
}

static void put_rows(hk_json *json, const hk_explore_rows *rows) {
    hk_json_object(json, "inputs");
    hk_json_array(json, "columns");
    for (size_t k = 0; k < rows->column_count; k++)
        hk_json_string(json, NULL, rows->columns[k]);
    hk_json_end(json);
    hk_json_array(json, "rows");
    for (size_t i = 0; i < rows->row_count; i++) {
        hk_json_array(json, NULL);
        for (size_t k = 0; k < rows->column_count; k++)
            hk_json_string(json, NULL, rows->cells[i * rows->column_count + k]);
        hk_json_end(json);
    }
    hk_json_end(json);
    if (rows->unlike)
        hk_json_string(json, "unlike", rows->unlike);
    hk_json_end(json);
}

static void put_finding(hk_json *json, const hk_chart_proof *p, size_t index) {
    const hk_explore_finding *f = &p->explored.findings[index];
    hk_json_object(json, NULL);
    hk_json_string(json, "name", f->name);
    hk_json_string(json, "state", hk_proof_state_word(hk_chart_proof_state(f)));
    hk_json_string(json, "text", f->text);
    if (f->hint)
        hk_json_string(json, "hint", f->hint);
    hk_json_array(json, "calls");
    for (size_t k = 0; k < f->rows.row_count; k++)
        hk_json_string(json, NULL, f->rows.notes[k]);
    hk_json_end(json);
    if (f->rows.columns)
        put_rows(json, &f->rows);
    if (p->tables[index])
        hk_json_string(json, "table", p->tables[index]);
    if (p->replays[index])
        hk_json_string(json, "replay", p->replays[index]);
    hk_json_end(json);
}

void hk_chart_proof_put(const hk_report *r, const hk_chart_proof *p, hk_json *json) {
    const hk_explored *e = &p->explored;
    hk_json_string(json, "file", p->file);
    hk_json_bool(json, "holds", !e->wrong);
    hk_json_string(json, "answer", hk_explored_answer(r->arena, e));
    hk_json_string(json, "module", e->chart->name);
    hk_json_string(json, "plant", e->plant);
    hk_json_i64(json, "states", (int64_t)e->states);
    hk_json_i64(json, "cycles", (int64_t)e->steps);
    hk_json_i64(json, "inputs", (int64_t)e->inputs);
    hk_json_i64(json, "depth", (int64_t)e->depth);
    hk_json_i64(json, "bytes", (int64_t)e->bytes);
    hk_json_bool(json, "whole", e->whole);
    hk_json_array(json, "verdicts");
    for (size_t i = 0; i < e->count; i++)
        put_finding(json, p, i);
    hk_json_end(json);
}
