/* SPDX-License-Identifier: MIT
 *
 * Sessions: variables, found once and then read and written. */
#include "api/api_internal.h"

#include <string.h>

/* An hk_var is the serial number of its session, then one more than the index of the variable. */
enum { INDEX_BITS = 32 };

/* The widest element in any store. */
enum { ELEMENT_MAX = sizeof(hk_bytes) };

static bool same_place(const hk_address *a, const hk_address *b) {
    return a->component == b->component && a->variable == b->variable && a->element == b->element &&
           a->count == b->count;
}

hk_status hk_session_var(hk_session *session, const char *name, hk_var *ret_var) {
    if (!session || !name || !ret_var)
        return HK_MISSING_ARGUMENT(session);
    const hk_model *model = session->system->model;
    hk_bound b = {0};
    HK_TRY(hk_model_need(session->ctx, model, NULL, hk_names_hint, name, &b.at));
    size_t i = 0;
    while (i < session->var_count && !same_place(&session->vars[i].at, &b.at))
        i++;
    if (i == session->var_count) {
        b.about = hk_address_variable(model, &b.at);
        b.access = hk_sim_access(session->sim, b.at.component, b.at.variable);
        b.count = hk_address_count(model, &b.at);
        b.scratch = hk_arena_alloc(session->arena, b.about->count * ELEMENT_MAX + 1);
        HK_PUSH(session->vars, session->var_count, session->var_cap, b);
    }
    *ret_var = (uint64_t)session->serial << INDEX_BITS | (uint64_t)(i + 1);
    return HK_OK;
}

/* NULL: there is no such variable, which was said. */
static hk_bound *need_var(const hk_session *session, hk_var var) {
    if (!session)
        return NULL;
    uint64_t index = var & ((UINT64_C(1) << INDEX_BITS) - 1);
    if (var >> INDEX_BITS == session->serial && index > 0 && index <= session->var_count)
        return &session->vars[index - 1];
    hk_error(session->ctx, HK_E_USAGE, HK_NOWHERE, "hk_session_var gives those of a session",
             var ? "this hk_var belongs to another session" : "this hk_var is none");
    return NULL;
}

hk_status hk_session_describe(const hk_session *session, hk_var var, hk_variable_info *ret_info) {
    if (!ret_info)
        return HK_MISSING_ARGUMENT(session);
    const hk_bound *b = need_var(session, var);
    if (!b)
        return HK_E_USAGE;
    return hk_variable_give(b->about, b->at.count != 0, ret_info)
               ? HK_OK
               : hk_wrong_size(session->ctx, "hk_variable_info");
}

static const char *full_name(const hk_session *s, const hk_bound *b) {
    return hk_address_name(s->arena, s->system->model, &b->at);
}

static hk_status wrong_count(const hk_session *s, const hk_bound *b, size_t count) {
    return hk_error(s->ctx, HK_E_VALUE, HK_NOWHERE, "hk_session_describe tells the count",
                    "'%s' has %zu element%s, not %zu", full_name(s, b), b->count,
                    b->count == 1 ? "" : "s", count);
}

static hk_status wrong_type(const hk_session *s, const hk_bound *b, const char *wanted) {
    return hk_error(s->ctx, HK_E_VALUE, HK_NOWHERE, NULL, "'%s' is of type %s: no %s",
                    full_name(s, b), hk_type_name(b->about->type), wanted);
}

/* Where the elements lie in the store that is asked for. */
static hk_status get(hk_session *s, hk_var var, hk_store store, const char *wanted, size_t count,
                     const void **ret_data) {
    const void *data = NULL;
    const hk_bound *b = need_var(s, var);
    if (!b)
        return HK_E_USAGE;
    if (count != b->count)
        return wrong_count(s, b, count);
    if ((b->about->store == HK_STORE_BYTES) != (store == HK_STORE_BYTES))
        return wrong_type(s, b, wanted);
    HK_TRY(hk_access_read(b->access, &data));
    data = (const char *)data + b->at.element * hk_store_size(b->about->store);
    if (b->about->store == store) {
        *ret_data = data;
        return HK_OK;
    }
    if (!hk_value_convert(store, b->scratch, b->about->store, data, count))
        return hk_error(s->ctx, HK_E_VALUE, HK_NOWHERE, NULL, "the value of '%s' is not of type %s",
                        full_name(s, b), wanted);
    *ret_data = b->scratch;
    return HK_OK;
}

static hk_status get_copy(hk_session *s, hk_var var, hk_store store, const char *wanted,
                          void *ret_values, size_t count) {
    const void *data = NULL;
    if (!ret_values)
        return hk_missing_argument(s ? s->ctx : NULL, "hk_session_get");
    HK_TRY(get(s, var, store, wanted, count, &data));
    memcpy(ret_values, data, count * hk_store_size(store));
    return HK_OK;
}

hk_status hk_session_get_f64(hk_session *session, hk_var var, double *ret_values, size_t count) {
    return get_copy(session, var, HK_STORE_F64, "number", ret_values, count);
}

hk_status hk_session_get_i64(hk_session *session, hk_var var, int64_t *ret_values, size_t count) {
    return get_copy(session, var, HK_STORE_I64, "whole number that fits", ret_values, count);
}

hk_status hk_session_get_u64(hk_session *session, hk_var var, uint64_t *ret_values, size_t count) {
    return get_copy(session, var, HK_STORE_U64, "whole number that fits", ret_values, count);
}

hk_status hk_session_get_bool(hk_session *session, hk_var var, bool *ret_values, size_t count) {
    return get_copy(session, var, HK_STORE_BOOL8, "Boolean", ret_values, count);
}

hk_status hk_session_get_binary(hk_session *session, hk_var var, hk_bytes *ret_values,
                                size_t count) {
    return get_copy(session, var, HK_STORE_BYTES, "binary", ret_values, count);
}

hk_status hk_session_get_text(hk_session *session, hk_var var, const char **ret_values,
                              size_t count) {
    const void *data = NULL;
    if (!ret_values)
        return HK_MISSING_ARGUMENT(session);
    HK_TRY(get(session, var, HK_STORE_BYTES, "text", count, &data));
    const hk_bound *b = need_var(session, var);
    if (!b)
        return HK_E_USAGE;
    if (b->about->type != HK_TYPE_STRING)
        return wrong_type(session, b, "text");
    const hk_bytes *texts = data;
    for (size_t i = 0; i < count; i++)
        ret_values[i] = texts[i].data ? texts[i].data : "";
    return HK_OK;
}

/* An element is set together with those beside it, which keep what they have. */
static hk_status set_element(hk_session *s, const hk_bound *b, hk_store store, const void *values) {
    hk_store own = b->about->store;
    size_t size = hk_store_size(own);
    const void *before = NULL;
    char element[ELEMENT_MAX];
    if (!hk_access_writable(b->access)) /* it says why */
        return hk_access_write(b->access, store, values, b->about->count);
    if (!hk_value_convert(own, element, store, values, 1))
        return hk_error(s->ctx, HK_E_VALUE, HK_NOWHERE, NULL, "the value does not fit '%s'",
                        full_name(s, b));
    HK_TRY(hk_access_read(b->access, &before));
    memcpy(b->scratch, before, b->about->count * size);
    memcpy((char *)b->scratch + b->at.element * size, element, size);
    return hk_access_write(b->access, own, b->scratch, b->about->count);
}

static bool is_item(const hk_enum *enumeration, int64_t value) {
    for (size_t i = 0; i < enumeration->item_count; i++)
        if (enumeration->item_values[i] == value)
            return true;
    return false;
}

/* The component has the last word on it, so this is a warning, and one is enough. */
static void check_items(hk_session *s, hk_bound *b, hk_store store, const void *values) {
    size_t size = hk_store_size(store);
    for (size_t i = 0; b->about->enumeration && !b->item_warned && i < b->count; i++) {
        int64_t value;
        if (!hk_value_convert(HK_STORE_I64, &value, store, (const char *)values + i * size, 1) ||
            is_item(b->about->enumeration, value))
            continue;
        b->item_warned = true;
        hk_warn(s->ctx, HK_E_PARAMETER, HK_NOWHERE, NULL,
                "'%s' is set to %lld, which is not an item of its enumeration", full_name(s, b),
                (long long)value);
    }
}

static hk_status set(hk_session *s, hk_var var, hk_store store, const void *values, size_t count) {
    if (!values)
        return hk_missing_argument(s ? s->ctx : NULL, "hk_session_set");
    hk_bound *b = need_var(s, var);
    if (!b)
        return HK_E_USAGE;
    if (count != b->count)
        return wrong_count(s, b, count);
    HK_TRY(hk_model_refuse_follower(s->ctx, s->system->model, b->at.component, b->at.variable,
                                    HK_NOWHERE));
    check_items(s, b, store, values);
    return b->count == b->about->count ? hk_access_write(b->access, store, values, count)
                                       : set_element(s, b, store, values);
}

hk_status hk_session_set_f64(hk_session *session, hk_var var, const double *values, size_t count) {
    return set(session, var, HK_STORE_F64, values, count);
}

hk_status hk_session_set_i64(hk_session *session, hk_var var, const int64_t *values, size_t count) {
    return set(session, var, HK_STORE_I64, values, count);
}

hk_status hk_session_set_u64(hk_session *session, hk_var var, const uint64_t *values,
                             size_t count) {
    return set(session, var, HK_STORE_U64, values, count);
}

hk_status hk_session_set_bool(hk_session *session, hk_var var, const bool *values, size_t count) {
    return set(session, var, HK_STORE_BOOL8, values, count);
}

/* Text into text, binary into binary. */
static hk_status set_bytes(hk_session *s, hk_var var, hk_type type, const char *wanted,
                           const hk_bytes *values, size_t count) {
    const hk_bound *b = need_var(s, var);
    if (!b)
        return HK_E_USAGE;
    if (b->about->type != type)
        return wrong_type(s, b, wanted);
    if (!values)
        return hk_missing_argument(s->ctx, "hk_session_set");
    if (count != b->count)
        return wrong_count(s, b, count);
    for (size_t i = 0; i < count; i++)
        if (!values[i].data && values[i].size)
            return hk_missing_argument(s->ctx, "hk_session_set");
    return set(s, var, HK_STORE_BYTES, values, count);
}

hk_status hk_session_set_text(hk_session *session, hk_var var, const char *const *values,
                              size_t count) {
    if (!values)
        return HK_MISSING_ARGUMENT(session);
    const hk_bound *b = need_var(session, var);
    if (!b)
        return HK_E_USAGE;
    if (count != b->count)
        return wrong_count(session, b, count);
    hk_bytes *texts = hk_alloc(count * sizeof *texts);
    hk_status status = HK_OK;
    for (size_t i = 0; i < count; i++) {
        if (!values[i])
            status = HK_MISSING_ARGUMENT(session);
        texts[i] = (hk_bytes){values[i], values[i] ? strlen(values[i]) : 0};
    }
    if (status == HK_OK)
        status = set_bytes(session, var, HK_TYPE_STRING, "text", texts, count);
    hk_free(texts);
    return status;
}

hk_status hk_session_set_binary(hk_session *session, hk_var var, const hk_bytes *values,
                                size_t count) {
    if (!values)
        return HK_MISSING_ARGUMENT(session);
    return set_bytes(session, var, HK_TYPE_BINARY, "binary", values, count);
}

static hk_status need_enum(hk_session *s, hk_var var, const hk_bound **ret_bound,
                           const hk_enum **ret_enum) {
    const hk_bound *b = need_var(s, var);
    if (!b)
        return HK_E_USAGE;
    if (!b->about->enumeration)
        return wrong_type(s, b, "enumeration with items");
    *ret_bound = b;
    *ret_enum = b->about->enumeration;
    return HK_OK;
}

hk_status hk_session_set_item(hk_session *session, hk_var var, const char *const *items,
                              size_t count) {
    const hk_bound *b = NULL;
    const hk_enum *e = NULL;
    if (!items)
        return HK_MISSING_ARGUMENT(session);
    HK_TRY(need_enum(session, var, &b, &e));
    if (count != b->count)
        return wrong_count(session, b, count);
    int64_t *values = hk_alloc(count * sizeof *values);
    hk_status status = HK_OK;
    for (size_t i = 0; i < count && status == HK_OK; i++) {
        size_t k = 0;
        while (items[i] && k < e->item_count && strcmp(e->item_names[k], items[i]) != 0)
            k++;
        if (!items[i])
            status = HK_MISSING_ARGUMENT(session);
        else if (k == e->item_count)
            status = hk_error(session->ctx, HK_E_VALUE, HK_NOWHERE, "hk_variable_info lists them",
                              "'%s' is not an item of the enumeration of '%s'", items[i],
                              full_name(session, b));
        else
            values[i] = e->item_values[k];
    }
    if (status == HK_OK)
        status = set(session, var, HK_STORE_I64, values, count);
    hk_free(values);
    return status;
}

hk_status hk_session_get_item(hk_session *session, hk_var var, const char **ret_items,
                              size_t count) {
    const hk_bound *b = NULL;
    const hk_enum *e = NULL;
    const void *data = NULL;
    if (!ret_items)
        return HK_MISSING_ARGUMENT(session);
    HK_TRY(need_enum(session, var, &b, &e));
    HK_TRY(get(session, var, HK_STORE_I64, "enumeration", count, &data));
    const int64_t *values = data;
    for (size_t i = 0; i < count; i++)
        if (!is_item(e, values[i]))
            return hk_error(session->ctx, HK_E_VALUE, HK_NOWHERE, "hk_session_get_i64 reads it",
                            "the value %lld of '%s' is not an item of its enumeration",
                            (long long)values[i], full_name(session, b));
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < e->item_count; k++)
            if (e->item_values[k] == values[i])
                ret_items[i] = e->item_names[k];
    return HK_OK;
}
