/* SPDX-License-Identifier: MIT
 *
 * Orders that look into the run or change it: conditions, values of parameters and inputs. */
#include "live/drive.h"

#include "assembly/values.h"

#include <math.h>
#include <string.h>

/* The last message of a context, for one who has only a line. */
static void refuse_as_said(hk_driver *d, const hk_order *o, const hk_ctx *said) {
    size_t count = hk_ctx_count(said, HK_NOTE);
    const hk_diag *last = count ? hk_ctx_diag(said, count - 1) : NULL;
    hk_order_refuse(d->live, o, last ? last->text : "it failed");
}

/* ---- conditions ---- */

void hk_drive_pause_when(hk_driver *driver, const hk_order *order) {
    hk_driver *d = driver;
    hk_ctx *said = hk_ctx_create(NULL, NULL);
    const char *text =
        hk_json_decode(d->arena, hk_foxglove_member(hk_order_request(order), "condition"), NULL);
    hk_stop_when condition;
    hk_status status = HK_OK;
    if (text && *text)
        status =
            hk_condition_read(said, d->arena, d->live->model,
                              &(hk_asker){.who = "pause when", .fallback = NULL}, text, &condition);
    if (status == HK_OK) {
        d->has_condition = text && *text;
        d->condition = d->has_condition ? condition : (hk_stop_when){0};
        d->condition_held = false;
        if (d->has_condition)
            (void)hk_drive_condition_holds(d); /* what holds already does not count */
        hk_order_done(d->live, order);
    } else {
        refuse_as_said(d, order, said);
    }
    hk_ctx_destroy(said);
}

static bool compare(double a, hk_compare how, double b) {
    switch (how) {
    case HK_LT:
        return a < b;
    case HK_LE:
        return a <= b;
    case HK_GT:
        return a > b;
    case HK_GE:
        return a >= b;
    case HK_EQ:
        return a == b;
    case HK_NE:
        return a != b;
    }
    return false;
}

/* Becomes true: one that holds on does not make a run pause at every instant. */
bool hk_drive_condition_holds(hk_driver *driver) {
    const hk_stop_when *c = &driver->condition;
    const hk_variable *v =
        &driver->live->model->components[c->component].info->variables[c->variable];
    const void *data;
    double value = (double)NAN;
    hk_access *access = hk_sim_access(driver->run->sim, c->component, c->variable);
    if (hk_access_read(access, &data) == HK_OK)
        (void)hk_value_convert(HK_STORE_F64, &value, v->store,
                               (const char *)data + c->element * hk_store_size(v->store), 1);
    if (c->transform)
        value = hk_transform_value(c->transform, value);
    bool held = driver->condition_held, holds = compare(value, c->compare, c->threshold);
    driver->condition_held = holds;
    return holds && !held;
}

/* ---- parameters ---- */

static void put_parameter(hk_driver *d, hk_json *json, uint32_t what) {
    hk_look value = {0};
    hk_drive_put_value(d, &value, what);
    hk_json_object(json, NULL);
    hk_json_string(json, "name", d->live->catalog.all[what].name);
    hk_json_as_it_is(json, "value", value.text.data, value.text.size);
    hk_json_end(json);
    hk_free(value.text.data);
}

static void begin_values(hk_foxglove_text *text, hk_json_span id) {
    hk_foxglove_begin(text, "parameterValues");
    if (id.size)
        hk_json_as_it_is(&text->json, "id", id.at, id.size);
    hk_json_array(&text->json, "parameters");
}

static void end_values(hk_driver *d, const hk_order *o, hk_foxglove_text *text) {
    hk_buffer answer = {0};
    hk_json_end(&text->json);
    hk_foxglove_end(text, &answer);
    hk_desk_answer(&d->live->desk, o, true, answer.data, answer.size);
    hk_free(answer.data);
}

void hk_drive_get(hk_driver *driver, const hk_order *order) {
    hk_foxglove_said said;
    hk_foxglove_text text;
    hk_json_span item;
    const hk_catalog *c = &driver->live->catalog;
    if (!hk_foxglove_read(order->text.data, order->text.size, &said))
        return;
    begin_values(&text, said.id);
    bool any = false;
    while (said.items.size && hk_json_element(&said.items, &item)) {
        size_t size = 0;
        const char *name = hk_json_decode(driver->arena, item, &size);
        hk_wanted found = hk_catalog_find(c, name ? name : "", name ? size : 0);
        any = true;
        if (found.what != HK_MAP_NONE && found.element == HK_MAP_NONE)
            put_parameter(driver, &text.json, found.what);
    }
    for (uint32_t i = 0; !any && i < c->count; i++)
        if (c->all[i].settable)
            put_parameter(driver, &text.json, i);
    end_values(driver, order, &text);
}

/* A number, a truth value, a text or a list of numbers. */
static bool read_numbers(hk_json_span value, size_t count, double *ret_values) {
    hk_json_span item;
    if (count == 1 && hk_json_number(value, ret_values))
        return true;
    if (count == 1 && value.size == 4 && memcmp(value.at, "true", 4) == 0) {
        *ret_values = 1;
        return true;
    }
    if (count == 1 && value.size == 5 && memcmp(value.at, "false", 5) == 0) {
        *ret_values = 0;
        return true;
    }
    if (!value.size || value.at[0] != '[')
        return false;
    for (size_t i = 0; i < count; i++)
        if (!hk_json_element(&value, &item) || !hk_json_number(item, &ret_values[i]))
            return false;
    return !hk_json_element(&value, &item);
}

static hk_status set_one(hk_driver *d, uint32_t what, hk_json_span value) {
    const hk_watchable *w = &d->live->catalog.all[what];
    hk_access *access = hk_sim_access(d->run->sim, w->component, w->variable);
    double *numbers = HK_NEW_ARRAY(d->arena, double, w->count);
    if (!hk_access_writable(access))
        return HK_E_PARAMETER;
    if (w->type == HK_TYPE_STRING) {
        size_t size = 0;
        const char *text = hk_json_decode(d->arena, value, &size);
        hk_bytes bytes = {text, size};
        return text && w->count == 1 ? hk_access_write(access, HK_STORE_BYTES, &bytes, 1)
                                     : HK_E_VALUE;
    }
    if (!read_numbers(value, w->count, numbers))
        return HK_E_VALUE;
    return hk_access_write(access, HK_STORE_F64, numbers, w->count);
}

void hk_drive_set(hk_driver *driver, const hk_order *order) {
    hk_foxglove_said said;
    hk_foxglove_text text;
    hk_json_span item;
    const char *refused = NULL;
    if (!hk_foxglove_read(order->text.data, order->text.size, &said))
        return;
    begin_values(&text, said.id);
    while (said.items.size && hk_json_element(&said.items, &item)) {
        size_t size = 0;
        const char *name = hk_json_decode(driver->arena, hk_foxglove_member(item, "name"), &size);
        hk_wanted found =
            hk_catalog_find(&driver->live->catalog, name ? name : "", name ? size : 0);
        if (found.what == HK_MAP_NONE || found.element != HK_MAP_NONE ||
            set_one(driver, found.what, hk_foxglove_member(item, "value")) != HK_OK)
            refused = name ? name : "";
        else
            driver->set_by_hand++;
        if (found.what != HK_MAP_NONE && found.element == HK_MAP_NONE)
            put_parameter(driver, &text.json, found.what);
    }
    driver->changed = true;
    end_values(driver, order, &text);
    if (refused) {
        const char *why = hk_arena_printf(driver->arena, "'%s' cannot be set to that", refused);
        hk_order_refuse(driver->live, order, why);
    }
}
