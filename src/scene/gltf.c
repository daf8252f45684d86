/* SPDX-License-Identifier: MIT
 *
 * glTF 2.0: what the nodes of the scene show, as one mesh. Triangles, strips, fans and lines with
 * plain accessors are read; what would change the shape (sparse accessors, skins and morphs are
 * left at rest, compressed meshes) is refused or noted. */
#include "scene/gltf_parts.h"

#include <math.h>
#include <string.h>

enum { DEPTH_MAX = 64, PARTS_MAX = 1 << 23 };

/* ---- primitives ---- */

/* Nodes may show one mesh again and again, so that the bytes of the file are not a limit. */
static hk_status count_parts(gltf *g, const hk_json_value *primitive, size_t count) {
    g->parts += count;
    return g->parts <= PARTS_MAX
               ? HK_OK
               : hk_gltf_wrong(g, primitive, "there are more than %d points and corners",
                               PARTS_MAX);
}

static hk_status add_points(gltf *g, const hk_json_value *primitive, const hk_gltf_pose *pose,
                            size_t *ret_first, size_t *ret_count) {
    hk_gltf_view view;
    const hk_json_value *attributes = hk_json_member(primitive, "attributes");
    const hk_json_value *position = attributes ? hk_json_member(attributes, "POSITION") : NULL;
    if (!position)
        return hk_gltf_wrong(g, primitive, "a primitive has no POSITION");
    HK_TRY(hk_gltf_accessor(g, position, "VEC3", &view));
    if (view.component != HK_GLTF_FLOAT)
        return hk_gltf_wrong(g, position, "a POSITION is not of floating-point numbers");
    HK_TRY(count_parts(g, primitive, view.count));
    *ret_first = g->mesh.mesh.point_count;
    *ret_count = view.count;
    for (size_t i = 0; i < view.count; i++) {
        const char *at = view.data + i * view.stride;
        hk_geo_vector3 p = hk_geo_vector(hk_mesh_f32(at), hk_mesh_f32(at + 4), hk_mesh_f32(at + 8));
        p = hk_geo_add(pose->at, hk_geo_apply(&pose->turn, p));
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z))
            return hk_gltf_wrong(g, position, "a point is not finite");
        hk_mesh_point(&g->mesh, p);
    }
    return HK_OK;
}

static size_t index_at(const hk_gltf_view *view, size_t i) {
    const char *at = view->data + i * view->stride;
    if (view->component == HK_GLTF_U8)
        return (unsigned char)*at;
    if (view->component == HK_GLTF_U16)
        return (unsigned char)at[0] | (size_t)(unsigned char)at[1] << 8;
    return hk_mesh_u32(at);
}

/* The corners of a primitive in a row: by its indices, or all points. */
static hk_status list_corners(gltf *g, const hk_json_value *primitive, size_t first, size_t count) {
    const hk_json_value *indices = hk_json_member(primitive, "indices");
    hk_gltf_view view = {.count = count};
    g->corner_count = 0;
    if (indices) {
        HK_TRY(hk_gltf_accessor(g, indices, "SCALAR", &view));
        if (view.component != HK_GLTF_U8 && view.component != HK_GLTF_U16 &&
            view.component != HK_GLTF_U32)
            return hk_gltf_wrong(g, indices, "indices are not whole numbers from 0");
    }
    HK_TRY(count_parts(g, primitive, view.count));
    for (size_t i = 0; i < view.count; i++) {
        size_t index = indices ? index_at(&view, i) : i;
        if (index >= count)
            return hk_gltf_wrong(g, indices,
                                 "index %zu is not that of a point, of which there "
                                 "are %zu",
                                 index, count);
        uint32_t corner = (uint32_t)(first + index);
        HK_PUSH(g->corners, g->corner_count, g->corner_cap, corner);
    }
    return HK_OK;
}

typedef enum mode { POINTS, LINES, LINE_LOOP, LINE_STRIP, TRIANGLES, STRIP, FAN, MODES } mode;

static void add_lines(gltf *g, mode how) {
    const uint32_t *c = g->corners;
    for (size_t i = 0; i + 1 < g->corner_count; i += how == LINES ? 2 : 1)
        hk_mesh_face(&g->mesh, &c[i], 2);
    if (how == LINE_LOOP && g->corner_count > 2)
        hk_mesh_face(&g->mesh, (uint32_t[]){c[g->corner_count - 1], c[0]}, 2);
}

static void add_faces(gltf *g, mode how, bool mirrored) {
    const uint32_t *c = g->corners;
    for (size_t i = 0; i + 2 < g->corner_count; i += how == TRIANGLES ? 3 : 1) {
        bool odd = (how == STRIP && i % 2) != mirrored;
        uint32_t a = how == FAN ? c[0] : c[i], b = c[i + 1], d = c[i + 2];
        hk_mesh_face(&g->mesh, (uint32_t[]){a, odd ? d : b, odd ? b : d}, 3);
    }
}

static bool is_mirrored(const hk_geo_matrix3 *m) {
    const double(*a)[3] = m->m;
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
               a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
               a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]) <
           0;
}

static hk_status add_primitive(gltf *g, const hk_json_value *primitive, const hk_gltf_pose *pose) {
    size_t first = 0, count = 0, how = TRIANGLES;
    const hk_json_value *given = hk_json_member(primitive, "mode");
    if (given && (!hk_gltf_index(given, &how) || how >= MODES))
        return hk_gltf_wrong(g, given, "mode is not a whole number from 0 to 6");
    HK_TRY(add_points(g, primitive, pose, &first, &count));
    HK_TRY(list_corners(g, primitive, first, count));
    if (how == POINTS)
        return HK_OK;
    if (how < TRIANGLES)
        add_lines(g, (mode)how);
    else
        add_faces(g, (mode)how, is_mirrored(&pose->turn));
    return HK_OK;
}

/* ---- nodes ---- */

/* Numbers of a node, or what holds without them. */
static hk_status read_numbers(gltf *g, const hk_json_value *node, const char *name, size_t count,
                              double *numbers) {
    const hk_json_value *list = hk_json_member(node, name);
    size_t i = 0;
    if (!list)
        return HK_OK;
    if (list->kind != HK_JSON_ARRAY || list->count != count)
        return hk_gltf_wrong(g, list, "'%s' has not %zu numbers", name, count);
    for (const hk_json_value *v = list->first; v; v = v->next) {
        if (v->kind != HK_JSON_NUMBER || !isfinite(v->number))
            return hk_gltf_wrong(g, v, "'%s' has something that is not a number", name);
        numbers[i++] = v->number;
    }
    return HK_OK;
}

static hk_status read_pose(gltf *g, const hk_json_value *node, hk_gltf_pose *ret_pose) {
    double matrix[16], at[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, scale[3] = {1, 1, 1};
    if (hk_json_member(node, "matrix")) {
        HK_TRY(read_numbers(g, node, "matrix", 16, matrix));
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                ret_pose->turn.m[i][k] = matrix[4 * k + i];
        ret_pose->at = hk_geo_vector(matrix[12], matrix[13], matrix[14]);
        return HK_OK;
    }
    HK_TRY(read_numbers(g, node, "translation", 3, at));
    HK_TRY(read_numbers(g, node, "rotation", 4, q));
    HK_TRY(read_numbers(g, node, "scale", 3, scale));
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 1e-6) || !isfinite(length))
        return hk_gltf_wrong(g, node, "the rotation of a node is not a quaternion");
    hk_geo_quaternion turn = {q[3] / length, q[0] / length, q[1] / length, q[2] / length};
    ret_pose->turn = hk_geo_matrix_of_quaternion(turn);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            ret_pose->turn.m[i][k] *= scale[k];
    ret_pose->at = hk_geo_vector(at[0], at[1], at[2]);
    return HK_OK;
}

static hk_status add_mesh(gltf *g, const hk_json_value *index, const hk_gltf_pose *pose) {
    const hk_json_value *mesh;
    HK_TRY(hk_gltf_element(g, "meshes", index, &mesh));
    const hk_json_value *primitives = hk_json_member(mesh, "primitives");
    for (const hk_json_value *p = primitives ? primitives->first : NULL; p; p = p->next)
        HK_TRY(add_primitive(g, p, pose));
    return HK_OK;
}

static hk_status add_node(gltf *g, const hk_json_value *index, const hk_gltf_pose *parent,
                          int depth) {
    const hk_json_value *node, *inner;
    hk_gltf_pose own, pose;
    if (depth > DEPTH_MAX)
        return hk_gltf_wrong(g, index, "nodes are nested deeper than %d, or in a circle",
                             DEPTH_MAX);
    if (++g->visits > g->node_max)
        return hk_gltf_wrong(g, index, "a node has two parents, or is its own");
    HK_TRY(hk_gltf_element(g, "nodes", index, &node));
    HK_TRY(read_pose(g, node, &own));
    pose.turn = hk_geo_multiply(&parent->turn, &own.turn);
    pose.at = hk_geo_add(parent->at, hk_geo_apply(&parent->turn, own.at));
    inner = hk_json_member(node, "mesh");
    if (inner)
        HK_TRY(add_mesh(g, inner, &pose));
    inner = hk_json_member(node, "children");
    for (const hk_json_value *c = inner ? inner->first : NULL; c; c = c->next)
        HK_TRY(add_node(g, c, &pose, depth + 1));
    return HK_OK;
}

/* The nodes of the scene that is shown; without scenes all meshes, as they are. */
static hk_status add_scene(gltf *g) {
    const hk_gltf_pose still = {.turn = hk_geo_identity()};
    const hk_json_value *scenes = hk_json_member(g->root, "scenes"), *scene;
    const hk_json_value *chosen = hk_json_member(g->root, "scene");
    const hk_json_value *nodes = hk_json_member(g->root, "nodes");
    const hk_json_value *meshes = hk_json_member(g->root, "meshes");
    g->node_max = nodes ? nodes->count : 0;
    if (scenes && scenes->kind == HK_JSON_ARRAY && scenes->first) {
        scene = scenes->first;
        if (chosen)
            HK_TRY(hk_gltf_element(g, "scenes", chosen, &scene));
        nodes = hk_json_member(scene, "nodes");
        for (const hk_json_value *n = nodes ? nodes->first : NULL; n; n = n->next)
            HK_TRY(add_node(g, n, &still, 0));
        return HK_OK;
    }
    for (const hk_json_value *m = meshes ? meshes->first : NULL; m; m = m->next) {
        const hk_json_value *primitives = hk_json_member(m, "primitives");
        for (const hk_json_value *p = primitives ? primitives->first : NULL; p; p = p->next)
            HK_TRY(add_primitive(g, p, &still));
    }
    return HK_OK;
}

/* ---- the whole ---- */

static hk_status check_root(gltf *g) {
    const hk_json_value *asset = hk_json_member(g->root, "asset");
    const hk_json_value *version = asset ? hk_json_member(asset, "version") : NULL;
    const hk_json_value *needed = hk_json_member(g->root, "extensionsRequired");
    if (!version || version->kind != HK_JSON_STRING || strncmp(version->text, "2.", 2) != 0)
        return hk_gltf_wrong(g, version ? version : g->root, "this is not glTF 2.0");
    if (needed && needed->first)
        return hk_gltf_wrong(g, needed, "it needs an extension, which is not read: '%s'",
                             needed->first->kind == HK_JSON_STRING ? needed->first->text : "?");
    if (hk_json_member(g->root, "skins"))
        hk_note(g->from.ctx, (hk_where){.file = g->from.file}, "skins are shown at rest");
    return HK_OK;
}

static hk_status read_all(gltf *g, const hk_file_text *text) {
    hk_file_text json = *text;
    HK_TRY(hk_gltf_unwrap(g, text, &json));
    hk_json_value *root;
    HK_TRY(hk_json_read(g->from.ctx, g->from.arena, HK_E_MESH, &json, &root));
    g->root = root;
    HK_TRY(check_root(g));
    HK_TRY(add_scene(g));
    return g->mesh.mesh.face_count
               ? HK_OK
               : hk_gltf_wrong(g, g->root, "there is not a single face in this file");
}

hk_status hk_gltf_parse(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text, const char *folder,
                        hk_mesh **ret_mesh) {
    gltf g = {.from = {ctx, arena, text->file, 0}, .folder = folder};
    HK_ASSERT(text->data);
    hk_status status = read_all(&g, text);
    if (status == HK_OK)
        *ret_mesh = hk_mesh_keep(&g.mesh, arena);
    hk_mesh_drop(&g.mesh);
    hk_free(g.corners);
    return status;
}
