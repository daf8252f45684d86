/* SPDX-License-Identifier: MIT
 *
 * What things are made of: meshes, grids of heights, outlines. */
#include "base/number.h"
#include "format/csv.h"
#include "scene/scene_internal.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { GRID_MAX = 4000 }; /* columns of heights */

/* ---- meshes ---- */

/* From the axes of the file to those of things in the frame: forward, left, up, or forward, right,
 * down. */
static hk_geo_vector3 turn_axes(hk_geo_vector3 v, hk_scene_axes axes, bool down) {
    if (axes == HK_AXES_GLTF) /* its x is left, y is up, z is forward */
        v = hk_geo_vector(v.z, v.x, v.y);
    bool is_down = axes == HK_AXES_FRD;
    return is_down == down ? v : hk_geo_vector(v.x, -v.y, -v.z);
}

static hk_status read_mesh(hk_scene_reading *r, hk_scene_thing *thing, const char *path) {
    hk_mesh *mesh;
    const char *extension = hk_path_extension(path);
    HK_TRY(hk_mesh_read(r->complaints.ctx, r->arena, path, &mesh));
    if (!thing->has[HK_SCENE_AXES] &&
        (strcasecmp(extension, ".gltf") == 0 || strcasecmp(extension, ".glb") == 0))
        thing->axes = HK_AXES_GLTF;
    for (size_t i = 0; i < mesh->point_count; i++)
        mesh->points[i] = turn_axes(mesh->points[i], thing->axes, r->scene->frame == HK_SCENE_NED);
    thing->mesh = mesh;
    return HK_OK;
}

/* ---- tables ---- */

typedef struct sheet {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_csv *csv;
    hk_scene_frame frame;
    hk_mesh_builder mesh;
} sheet;

static hk_status wrong(const sheet *s, int line, int column, const char *hint, const char *text) {
    return hk_error(s->ctx, HK_E_MESH, hk_csv_place(s->csv, line, column), hint, "%s", text);
}

/* A cell with a finite number; *RET_EMPTY: it has nothing. */
static hk_status read_cell(const sheet *s, int line, const hk_table_cell *cell, double *ret_value,
                           bool *ret_empty) {
    *ret_empty = !cell->length;
    *ret_value = 0;
    if (*ret_empty)
        return HK_OK;
    if (!hk_read_f64(cell->text, cell->length, ret_value) || !isfinite(*ret_value))
        return wrong(s, line, cell->column, "leave a cell empty where there is nothing",
                     hk_arena_printf(s->arena, "'%s' is not a number",
                                     hk_arena_strndup(s->arena, cell->text, cell->length)));
    return HK_OK;
}

/* ---- heights ---- */

typedef struct grid {
    double *easts;   /* of each column but the first */
    uint32_t *below; /* points of the row before; UINT32_MAX: none */
    uint32_t *row;
    size_t count;
    double north, step; /* of the row before, and which way rows go; NaN and 0: none yet */
} grid;

static hk_status read_easts(const sheet *s, grid *g) {
    size_t columns = hk_csv_columns(s->csv);
    const char *const *names = hk_csv_names(s->csv);
    if (columns < 3 || columns > GRID_MAX)
        return wrong(s, 1, 0, "the first row has the eastings, the first column the northings",
                     "a grid of heights has 3 to 4000 columns");
    g->count = columns - 1;
    g->easts = HK_NEW_ARRAY(s->arena, double, g->count);
    g->below = HK_NEW_ARRAY(s->arena, uint32_t, g->count);
    g->row = HK_NEW_ARRAY(s->arena, uint32_t, g->count);
    g->north = (double)NAN;
    for (size_t i = 0; i < g->count; i++) {
        hk_where where = hk_csv_name_place(s->csv, i + 1);
        const char *name = names[i + 1];
        if (!hk_read_f64(name, strlen(name), &g->easts[i]) || !isfinite(g->easts[i]))
            return wrong(s, where.line, where.column,
                         "the first row has the eastings, the first column the northings",
                         hk_arena_printf(s->arena, "'%s' is not a number", name));
        if (i && !(g->easts[i] > g->easts[i - 1]))
            return wrong(s, where.line, where.column, NULL, "eastings do not rise");
    }
    return HK_OK;
}

/* The faces between two rows, where all four corners are there. */
static void join_rows(sheet *s, const grid *g, bool rises) {
    for (size_t i = 0; i + 1 < g->count; i++) {
        uint32_t a = g->below[i], b = g->below[i + 1], c = g->row[i + 1], d = g->row[i];
        if (a != UINT32_MAX && b != UINT32_MAX && c != UINT32_MAX && d != UINT32_MAX)
            hk_mesh_face(&s->mesh, (uint32_t[]){a, rises ? b : d, c, rises ? d : b}, 4);
    }
}

static hk_status read_row(sheet *s, grid *g, const hk_table_row *row) {
    double north, z;
    bool empty, first = isnan(g->north);
    HK_TRY(read_cell(s, row->line, &row->cells[0], &north, &empty));
    if (empty)
        return wrong(s, row->line, 1, NULL, "a row of heights begins with its northing");
    double step = first ? 0 : north - g->north;
    if (!first && (step == 0 || step * g->step < 0))
        return wrong(s, row->line, 1, NULL, "northings neither rise nor fall all the way");
    for (size_t i = 0; i < g->count; i++) {
        HK_TRY(read_cell(s, row->line, &row->cells[i + 1], &z, &empty));
        bool ned = s->frame == HK_SCENE_NED;
        g->row[i] = empty ? UINT32_MAX
                          : hk_mesh_point(&s->mesh, hk_geo_vector(ned ? north : g->easts[i],
                                                                  ned ? g->easts[i] : north, z));
    }
    if (!first)
        join_rows(s, g, step > 0);
    uint32_t *swap = g->below;
    g->below = g->row;
    g->row = swap;
    g->north = north;
    g->step = first ? g->step : step;
    return HK_OK;
}

static hk_status read_heights(sheet *s) {
    grid g = {0};
    HK_TRY(read_easts(s, &g));
    for (;;) {
        const hk_table_row *row;
        HK_TRY(hk_csv_next(s->csv, &row));
        if (!row)
            break;
        HK_TRY(read_row(s, &g, row));
    }
    if (!s->mesh.mesh.face_count)
        return wrong(s, 0, 0, "two rows and two columns of numbers at least",
                     "there is not a single face in this grid");
    return HK_OK;
}

/* ---- outlines ---- */

static size_t find_column(const sheet *s, const char *name) {
    size_t columns = hk_csv_columns(s->csv), i = 0;
    while (i < columns && strcmp(hk_csv_names(s->csv)[i], name) != 0)
        i++;
    return i;
}

static hk_status read_outline(sheet *s) {
    static const char hint[] = "columns x and y, and z if there is one: a point in each row, and "
                               "empty cells between two lines";
    size_t columns = hk_csv_columns(s->csv), at[3];
    uint32_t last = UINT32_MAX;
    at[0] = find_column(s, "x");
    at[1] = find_column(s, "y");
    at[2] = find_column(s, "z");
    if (at[0] == columns || at[1] == columns)
        return wrong(s, 1, 0, hint, "an outline has the columns x and y");
    for (;;) {
        const hk_table_row *row;
        double xyz[3] = {0, 0, 0};
        bool empty[3] = {false, false, false};
        HK_TRY(hk_csv_next(s->csv, &row));
        if (!row)
            break;
        for (int i = 0; i < 3; i++)
            if (at[i] < columns)
                HK_TRY(read_cell(s, row->line, &row->cells[at[i]], &xyz[i], &empty[i]));
        if (empty[0] != empty[1] || (empty[2] && !empty[0]))
            return wrong(s, row->line, 0, hint, "a point has all its numbers, or none");
        uint32_t point = UINT32_MAX;
        if (!empty[0])
            point = hk_mesh_point(&s->mesh, hk_geo_vector(xyz[0], xyz[1], xyz[2]));
        if (point != UINT32_MAX && last != UINT32_MAX)
            hk_mesh_face(&s->mesh, (uint32_t[]){last, point}, 2);
        last = point;
    }
    return s->mesh.mesh.face_count ? HK_OK
                                   : wrong(s, 0, 0, hint, "there is not a single line in it");
}

static hk_status read_sheet(hk_scene_reading *r, hk_scene_thing *thing, const char *path) {
    const char *extension = hk_path_extension(path);
    hk_ctx *ctx = r->complaints.ctx;
    sheet s = {.ctx = ctx, .arena = r->arena, .frame = r->scene->frame};
    if (strcasecmp(extension, ".csv") != 0)
        return hk_error(ctx, HK_E_FILE_KIND, (hk_where){.file = path},
                        strcasecmp(extension, ".tif") == 0 || strcasecmp(extension, ".tiff") == 0
                            ? "gdal_translate and a few lines of a script make a grid of it"
                            : NULL,
                        "%s are read from .csv",
                        thing->kind == HK_SCENE_HEIGHTS ? "heights" : "outlines");
    HK_TRY(hk_csv_open(ctx, path, &s.csv));
    hk_csv_be_strict(s.csv, false);
    hk_status status = thing->kind == HK_SCENE_HEIGHTS ? read_heights(&s) : read_outline(&s);
    if (status == HK_OK)
        thing->mesh = hk_mesh_keep(&s.mesh, r->arena);
    hk_mesh_drop(&s.mesh);
    hk_csv_close(s.csv);
    return status;
}

/* ---- both ---- */

/* A scene may come from a stranger: it opens nothing that does not lie with it. */
static bool lies_below(const char *name) {
    for (const char *p = name; p; p = strchr(p, '/')) {
        p += *p == '/';
        if (strncmp(p, "..", 2) == 0 && (!p[2] || p[2] == '/'))
            return false;
    }
    return name[0] != '/' && name[0] != '\\' && name[0];
}

hk_status hk_scene_read_file(hk_scene_reading *r, hk_scene_thing *thing,
                             const hk_scene_property *property) {
    const char *name = property->name.text;
    if (!lies_below(name))
        return hk_error(r->complaints.ctx, HK_E_SCENE, hk_place_where(r->file, &property->name.at),
                        "copy it there, and name it without '..'",
                        "'%s' is not a file in the folder of the scene or below", name);
    if (!r->folder)
        return HK_OK;
    const char *path = hk_path_join(r->arena, r->folder, name);
    if (!hk_file_exists(path))
        return hk_error(r->complaints.ctx, HK_E_FILE_READ,
                        hk_place_where(r->file, &property->name.at), NULL, "there is no file '%s'",
                        path);
    return thing->kind == HK_SCENE_MESH ? read_mesh(r, thing, path) : read_sheet(r, thing, path);
}
