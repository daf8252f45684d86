/* SPDX-License-Identifier: MIT
 *
 * First the whole text is read, then the tick is found in which all its times are whole numbers,
 * then names are looked up and the graph is made. */
#include "time/node_file.h"

#include "base/number.h"
#include "base/seconds.h"
#include "text/parser.h"

#include <string.h>

enum { LEVEL_MAX = 1000000, FILE_MAX = 16 << 20, CELLS_MAX = 4096, PERIODS_MAX = 1024 };

HK_LEVEL(file, "stop", "node", "flow");
HK_LEVEL(node, "cell");
HK_LEVEL(all, "stop", "node", "flow", "cell");
enum { WORD_STOP, WORD_NODE, WORD_FLOW };

/* A time as it is written; text "": it is not. */
typedef struct moment {
    const char *text;
    hk_ratio value;
    hk_place at;
} moment;

typedef struct cell_text {
    const char *name; /* as flows call it */
    hk_list periods;  /* moment */
    moment offset;
    int64_t level;
    uint32_t node;
    hk_place at;
} cell_text;

typedef struct node_text {
    hk_name name;
    moment until;
    uint32_t first, count; /* cells */
    hk_place at;
} node_text;

typedef struct flow_text {
    hk_name name, from, to;
    moment lag;
    bool observes;
    hk_place at;
} flow_text;

typedef struct reading {
    hk_parser parser;
    hk_ctx *ctx;
    hk_arena *arena; /* dies with the reader */
    const char *file;
    moment stop;
    bool stops; /* there is a stop time, be it right or wrong */
    hk_list nodes, cells, flows;
    uint32_t node;  /* the one whose body is read */
    hk_map by_name; /* nodes */
    hk_map cell_by_name;
    hk_map flow_by_name;
    int64_t ticks_per_second;
    hk_flow_graph *graph;
} reading;

static hk_where where_of(const reading *r, const hk_place *at) {
    return hk_place_where(r->file, at);
}

static node_text *node_at(const reading *r, size_t i) {
    return (node_text *)r->nodes.data + i;
}

static cell_text *cell_at(const reading *r, size_t i) {
    return (cell_text *)r->cells.data + i;
}

static flow_text *flow_at(const reading *r, size_t i) {
    return (flow_text *)r->flows.data + i;
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool read_time(reading *r, const char *what, unsigned rules, moment *ret_time) {
    hk_number number;
    hk_status code = HK_OK;
    if (!hk_parser_number(&r->parser, "a time", &number))
        return false;
    moment m = {.at = number.at};
    m.text = hk_arena_printf(r->arena, "%s%s", number.text, number.unit ? number.unit : "");
    const char *wrong = hk_time_judge(r->ctx, where_of(r, &number.at), m.text,
                                      rules | HK_TIME_UNITS, &m.value, &code);
    if (wrong) {
        hk_complain(&r->parser.complaints, code, where_of(r, &number.at), NULL, "%s '%s' %s", what,
                    m.text, wrong);
        return false;
    }
    *ret_time = m;
    return true;
}

static bool read_level(reading *r, int64_t *ret_level) {
    hk_number number;
    int64_t level = 0;
    if (!hk_parser_number(&r->parser, "a level", &number))
        return false;
    if (number.unit || !hk_read_i64(number.text, strlen(number.text), &level) || level < 0 ||
        level > LEVEL_MAX)
        return hk_parser_error(&r->parser, number.at.line, number.at.column, NULL,
                               "a level is a whole number from 0 to %d", (int)LEVEL_MAX);
    *ret_level = level;
    return true;
}

/* "period 1 ms, 3 ms offset 2 ms level 1". */
static bool read_timing(reading *r, cell_text *cell) {
    hk_parser *p = &r->parser;
    cell->periods = HK_LIST(moment);
    if (!hk_parser_expect(p, "period"))
        return false;
    do {
        moment period;
        if (!read_time(r, "period", HK_TIME_ABOVE_0, &period))
            return false;
        if (cell->periods.count == PERIODS_MAX)
            return hk_parser_error(p, period.at.line, period.at.column, NULL,
                                   "a cell has at most %d periods", (int)PERIODS_MAX);
        hk_list_add(&cell->periods, &period);
    } while (hk_parser_skip_mark(p, ","));
    if (hk_parser_skip(p, "offset") && !read_time(r, "offset", HK_TIME_FROM_0, &cell->offset))
        return false;
    return !hk_parser_skip(p, "level") || read_level(r, &cell->level);
}

/* ---- statements ------------------------------------------------------------------------------ */

static void add_cell(reading *r, cell_text *cell) {
    cell->node = r->node;
    node_at(r, r->node)->count++;
    uint32_t index = (uint32_t)r->cells.count;
    hk_list_add(&r->cells, cell);
    bool only = strcmp(cell->name, node_at(r, r->node)->name.text) == 0;
    if (hk_map_put(&r->cell_by_name, cell->name, index) != index && !only)
        hk_complain(&r->parser.complaints, HK_E_DUPLICATE, where_of(r, &cell->at),
                    "give it another name", "there are two cells '%s'", cell->name);
}

static bool read_cell(hk_parser *p, void *into, size_t word, hk_place at) {
    reading *r = into;
    cell_text cell = {.at = at};
    hk_name name;
    (void)word;
    bool ok = hk_parser_name(p, "the name of a cell", &name) && read_timing(r, &cell) &&
              hk_parser_semicolon(p, &cell.at);
    if (ok) {
        cell.name = hk_arena_printf(r->arena, "%s.%s", node_at(r, r->node)->name.text, name.text);
        add_cell(r, &cell);
    } else {
        hk_free(cell.periods.data);
    }
    return ok;
}

static bool read_only_cell(reading *r, hk_place at) {
    cell_text cell = {.at = at, .name = node_at(r, r->node)->name.text};
    if (read_timing(r, &cell) && hk_parser_semicolon(&r->parser, &cell.at)) {
        add_cell(r, &cell);
        return true;
    }
    hk_free(cell.periods.data);
    return false;
}

static bool read_node(reading *r, hk_place at) {
    hk_parser *p = &r->parser;
    node_text node = {.at = at, .first = (uint32_t)r->cells.count};
    hk_place end;
    if (!hk_parser_head(p, "the name of a node", &node.name))
        return false;
    r->node = (uint32_t)r->nodes.count;
    if (hk_map_put(&r->by_name, node.name.text, r->node) != r->node)
        hk_complain(&p->complaints, HK_E_DUPLICATE, where_of(r, &node.name.at),
                    "give it another name", "there are two nodes '%s'", node.name.text);
    if (hk_parser_skip(p, "until") && !read_time(r, "end", HK_TIME_FROM_0, &node.until))
        return false;
    hk_list_add(&r->nodes, &node);
    if (!hk_parser_is_mark(p, "{"))
        return read_only_cell(r, at);
    return hk_parser_braces(p, &node_level, &at, read_cell, r, &end);
}

static bool read_flow(reading *r, hk_place at) {
    hk_parser *p = &r->parser;
    flow_text flow = {.at = at, .name = HK_MISSING};
    if (!hk_parser_path(p, "the cell that the flow comes from", &flow.from))
        return false;
    if (hk_parser_skip_mark(p, ":")) {
        flow.name = flow.from;
        if (!hk_parser_path(p, "the cell that the flow comes from", &flow.from))
            return false;
    }
    if (!hk_parser_expect_mark(p, "->") ||
        !hk_parser_path(p, "the cell that the flow leads to", &flow.to))
        return false;
    if (hk_parser_skip(p, "observes"))
        flow.observes = true;
    else if (hk_parser_skip(p, "lag") && !read_time(r, "lag", HK_TIME_FROM_0, &flow.lag))
        return false;
    if (!hk_parser_semicolon(p, &flow.at))
        return false;
    hk_list_add(&r->flows, &flow);
    return true;
}

static bool read_statement(hk_parser *p, void *into, size_t word, hk_place at) {
    reading *r = into;
    if (word == WORD_NODE)
        return read_node(r, at);
    if (word == WORD_FLOW)
        return read_flow(r, at);
    r->stops = true;
    return hk_parser_once(p, &at, r->stop.text != NULL, "the stop time") &&
           read_time(r, "stop time", HK_TIME_FROM_0, &r->stop) && hk_parser_semicolon(p, &at);
}

/* ---- times as ticks -------------------------------------------------------------------------- */

static bool refine(reading *r, const moment *m) {
    if (!m->text || hk_tick_refine(&r->ticks_per_second, m->value))
        return true;
    hk_complain(&r->parser.complaints, HK_E_TICK_OVERFLOW, where_of(r, &m->at),
                "use times with a larger common divisor",
                "there is no tick in which this time and those before it are whole numbers");
    return false;
}

static bool find_tick(reading *r) {
    bool ok = refine(r, &r->stop);
    for (size_t i = 0; i < r->nodes.count && ok; i++)
        ok = refine(r, &node_at(r, i)->until);
    for (size_t i = 0; i < r->cells.count && ok; i++) {
        const cell_text *c = cell_at(r, i);
        ok = refine(r, &c->offset);
        for (size_t k = 0; k < c->periods.count && ok; k++)
            ok = refine(r, (const moment *)c->periods.data + k);
    }
    for (size_t i = 0; i < r->flows.count && ok; i++)
        ok = refine(r, &flow_at(r, i)->lag);
    return ok;
}

static bool to_ticks(reading *r, const moment *m, hk_tick *ret_tick) {
    *ret_tick = 0;
    if (!m->text || hk_tick_from_ratio(m->value, r->ticks_per_second, ret_tick))
        return true;
    hk_complain(&r->parser.complaints, HK_E_TICK_OVERFLOW, where_of(r, &m->at),
                "use a shorter time, or times with a larger common divisor",
                "this time has too many ticks of 1/%lld s", (long long)r->ticks_per_second);
    return false;
}

/* ---- the graph ------------------------------------------------------------------------------- */

static bool make_node(reading *r, size_t i) {
    const node_text *n = node_at(r, i);
    hk_tick until = 0;
    if (!n->count)
        hk_complain(&r->parser.complaints, HK_E_LANGUAGE, where_of(r, &n->at), "add a cell",
                    "the node '%s' has no cell", n->name.text);
    uint32_t node = hk_flow_graph_add_node(r->graph, n->name.text, where_of(r, &n->at));
    if (!to_ticks(r, &n->until, &until))
        return false;
    if (n->until.text && until > r->graph->end)
        hk_complain(&r->parser.complaints, HK_E_TIME, where_of(r, &n->until.at),
                    "leave it out: a node ends when the run does",
                    "the node '%s' ends after the stop time", n->name.text);
    else if (n->until.text)
        r->graph->nodes[node].end = until;
    return true;
}

static bool make_periods(reading *r, const cell_text *c, uint32_t cell) {
    hk_tick *periods = HK_NEW_ARRAY(r->arena, hk_tick, c->periods.count), sum = 0, longest = 0;
    for (size_t k = 0; k < c->periods.count; k++) {
        const moment *period = (const moment *)c->periods.data + k;
        if (!to_ticks(r, period, &periods[k]))
            return false;
        sum = sum > HK_TICK_LIMIT - periods[k] ? HK_TICK_LIMIT : sum + periods[k];
        longest = periods[k] > longest ? periods[k] : longest;
    }
    if (sum >= HK_TICK_LIMIT)
        hk_complain(&r->parser.complaints, HK_E_TICK_OVERFLOW, where_of(r, &c->at),
                    "use shorter periods", "the periods of the cell '%s' are too long", c->name);
    else
        hk_flow_graph_set_periods(r->graph, cell, periods, (uint32_t)c->periods.count);
    if (c->offset.text && r->graph->cells[cell].offset >= longest)
        hk_complain(&r->parser.complaints, HK_E_TIME, where_of(r, &c->offset.at), NULL,
                    "the offset of the cell '%s' is not below its longest period", c->name);
    return true;
}

static bool make_cell(reading *r, size_t i) {
    const cell_text *c = cell_at(r, i);
    hk_tick offset = 0;
    if (!to_ticks(r, &c->offset, &offset))
        return false;
    uint32_t cell =
        hk_flow_graph_add_cell(r->graph, c->node, c->name, 1, offset, (uint32_t)c->level);
    r->graph->cells[cell].where.line = c->at.line;
    r->graph->cells[cell].where.column = c->at.column;
    return make_periods(r, c, cell);
}

static bool find_cell(reading *r, const hk_name *name, uint32_t *ret_cell) {
    uint32_t node = hk_map_get(&r->by_name, name->text);
    uint32_t cell = hk_map_get(&r->cell_by_name, name->text);
    if (cell == HK_MAP_NONE && node != HK_MAP_NONE && node_at(r, node)->count == 1)
        cell = node_at(r, node)->first;
    if (cell != HK_MAP_NONE) {
        *ret_cell = cell;
        return true;
    }
    hk_complaints *all = &r->parser.complaints;
    const char *close =
        !hk_complaints_may_suggest(all) ? NULL : hk_map_closest(&r->cell_by_name, name->text);
    if (node != HK_MAP_NONE)
        hk_complain(all, HK_E_NAME, where_of(r, &name->at), "name one of them: NODE.CELL",
                    "the node '%s' has several cells", name->text);
    else
        hk_complain(all, HK_E_NAME, where_of(r, &name->at), hk_hint_name(r->arena, close, NULL),
                    "there is no cell '%s'", name->text);
    return false;
}

/* Without a word a value is seen when the next one is computed. */
static bool find_lag(reading *r, const flow_text *f, uint32_t from, hk_tick *ret_lag) {
    const hk_flow_cell *source = &r->graph->cells[from];
    if (f->lag.text || f->observes)
        return to_ticks(r, &f->lag, ret_lag);
    *ret_lag = source->periods[0];
    if (source->period_count > 1)
        hk_complain(&r->parser.complaints, HK_E_TIME, where_of(r, &f->at),
                    "add 'lag TIME' or 'observes'",
                    "the lag of a flow from a cell with several periods must be given");
    return source->period_count == 1;
}

static bool make_flow(reading *r, size_t i) {
    const flow_text *f = flow_at(r, i);
    uint32_t from = 0, to = 0;
    hk_tick lag = 0;
    if (!find_cell(r, &f->from, &from) || !find_cell(r, &f->to, &to) || !find_lag(r, f, from, &lag))
        return false;
    if (r->graph->cells[from].node == r->graph->cells[to].node) {
        hk_complain(&r->parser.complaints, HK_E_CONNECTION, where_of(r, &f->at),
                    "cells of one node need no flow: they run in the order of their levels",
                    "a flow leads from one node to another, and '%s' is the same node as '%s'",
                    f->from.text, f->to.text);
        return false;
    }
    uint32_t flow = hk_flow_graph_add_flow(r->graph, from, to, lag);
    r->graph->flows[flow].where = r->graph->cells[from].where;
    r->graph->flows[flow].where.line = f->at.line;
    r->graph->flows[flow].where.column = f->at.column;
    if (!f->name.text[0])
        return true;
    r->graph->flows[flow].name = hk_arena_strdup(r->graph->arena, f->name.text);
    if (hk_map_put(&r->flow_by_name, f->name.text, flow) != flow)
        hk_complain(&r->parser.complaints, HK_E_DUPLICATE, where_of(r, &f->name.at),
                    "give it another name", "there are two flows '%s'", f->name.text);
    return true;
}

/* After a mistake of the form there is no graph; what else is wrong is found as far as it goes. */
static void make_graph(reading *r) {
    hk_tick stop = 0;
    if (!r->stops) /* one that is wrong is reported already */
        hk_complain(&r->parser.complaints, HK_E_LANGUAGE, (hk_where){.file = r->file},
                    "add 'stop TIME;'", "there is no stop time");
    if (r->cells.count > CELLS_MAX)
        hk_complain(&r->parser.complaints, HK_E_LANGUAGE, where_of(r, &cell_at(r, CELLS_MAX)->at),
                    NULL, "there are more than %d cells", (int)CELLS_MAX);
    if (r->parser.complaints.count || !find_tick(r) || !to_ticks(r, &r->stop, &stop))
        return;
    if (!r->nodes.count) {
        hk_complain(&r->parser.complaints, HK_E_LANGUAGE, (hk_where){.file = r->file},
                    "add 'node NAME period TIME;'", "there is no node");
        return;
    }
    r->graph = hk_flow_graph_create(r->ticks_per_second, 0, stop);
    bool ok = true;
    for (size_t i = 0; i < r->nodes.count && ok; i++)
        ok = make_node(r, i);
    for (size_t i = 0; i < r->cells.count && ok; i++)
        ok = make_cell(r, i);
    for (size_t i = 0; i < r->flows.count && ok; i++)
        make_flow(r, i);
    if (ok && !r->parser.complaints.count)
        hk_flow_graph_finish(r->graph);
}

hk_status hk_node_file_parse(hk_ctx *ctx, const hk_file_text *text, hk_flow_graph **ret_graph) {
    reading r = {.ctx = ctx,
                 .arena = hk_arena_create(),
                 .file = text->file,
                 .nodes = HK_LIST(node_text),
                 .cells = HK_LIST(cell_text),
                 .flows = HK_LIST(flow_text),
                 .ticks_per_second = 1};
    hk_place end;
    hk_parser_begin(&r.parser, ctx, r.arena, text, &all_level);
    hk_parser_whole(&r.parser, &file_level, read_statement, &r, &end);
    make_graph(&r);
    for (size_t i = 0; i < r.cells.count; i++)
        hk_free(cell_at(&r, i)->periods.data);
    hk_free(r.nodes.data);
    hk_free(r.cells.data);
    hk_free(r.flows.data);
    hk_map_finish(&r.by_name);
    hk_map_finish(&r.cell_by_name);
    hk_map_finish(&r.flow_by_name);
    hk_status status = hk_parser_finish(&r.parser);
    hk_arena_destroy(r.arena);
    if (status != HK_OK)
        hk_flow_graph_destroy(r.graph);
    else
        *ret_graph = r.graph;
    return status;
}

hk_status hk_node_file_read(hk_ctx *ctx, const char *path, hk_flow_graph **ret_graph) {
    char *data = NULL;
    size_t size = 0;
    HK_TRY(hk_file_read(ctx, path, FILE_MAX, &data, &size));
    hk_status status = hk_node_file_parse(ctx, &(hk_file_text){path, data, size}, ret_graph);
    hk_free(data);
    return status;
}
