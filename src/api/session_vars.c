/* SPDX-License-Identifier: MIT
 *
 * Sessions: variables, found once and then read and written. */
#include "api/api_internal.h"

#include <string.h>

/* An hk_var is the serial number of its session, then one more than the index of the variable. */
enum { INDEX_BITS = 32 };

/* The widest element in any store. */
enum { ELEMENT_MAX = sizeof(hk_bytes) };

hk_status hk_session_var(hk_session *session, const char *name, hk_var *ret_var) {
    hk_bound b = {0};
    if (!session || !name || !ret_var)
        return HK_E_USAGE;
    const hk_model *model = session->system->model;
    HK_TRY(
        hk_model_need(session->ctx, model, NULL, hk_names_hint, name, &b.component, &b.variable));
    size_t i = 0;
    while (i < session->var_count &&
           (session->vars[i].component != b.component || session->vars[i].variable != b.variable))
        i++;
    if (i == session->var_count) {
        b.about = &model->components[b.component].info->variables[b.variable];
        b.access = hk_sim_access(session->sim, b.component, b.variable);
        b.scratch = hk_arena_alloc(session->arena, b.about->count * ELEMENT_MAX + 1);
        HK_PUSH(session->vars, session->var_count, session->var_cap, b);
    }
    *ret_var = (uint64_t)session->serial << INDEX_BITS | (uint64_t)(i + 1);
    return HK_OK;
}

/* NULL: there is no such variable, which was said. */
static const hk_bound *need_var(const hk_session *session, hk_var var) {
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
        return HK_E_USAGE;
    const hk_bound *b = need_var(session, var);
    if (!b)
        return HK_E_USAGE;
    return hk_variable_give(b->about, ret_info) ? HK_OK
                                                : hk_wrong_size(session->ctx, "hk_variable_info");
}

static const char *full_name(const hk_session *s, const hk_bound *b) {
    return hk_arena_printf(s->arena, "%s.%s", s->system->model->components[b->component].name,
                           b->about->name);
}

static hk_status wrong_count(const hk_session *s, const hk_bound *b, size_t count) {
    return hk_error(s->ctx, HK_E_VALUE, HK_NOWHERE, "hk_session_describe tells the count",
                    "'%s' has %zu element%s, not %zu", full_name(s, b), b->about->count,
                    b->about->count == 1 ? "" : "s", count);
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
    if (count != b->about->count)
        return wrong_count(s, b, count);
    if ((b->about->store == HK_STORE_BYTES) != (store == HK_STORE_BYTES))
        return wrong_type(s, b, wanted);
    HK_TRY(hk_access_read(b->access, &data));
    if (b->about->store == store) {
        *ret_data = data;
        return HK_OK;
    }
    if (!hk_value_convert(store, b->scratch, b->about->store, data, count))
        return hk_error(s->ctx, HK_E_VALUE, HK_NOWHERE, NULL, "the value of '%s' is no %s",
                        full_name(s, b), wanted);
    *ret_data = b->scratch;
    return HK_OK;
}

static hk_status get_copy(hk_session *s, hk_var var, hk_store store, const char *wanted,
                          void *ret_values, size_t count) {
    const void *data = NULL;
    if (!ret_values)
        return HK_E_USAGE;
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
        return HK_E_USAGE;
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

static hk_status set(hk_session *s, hk_var var, hk_store store, const void *values, size_t count) {
    if (!values)
        return HK_E_USAGE;
    const hk_bound *b = need_var(s, var);
    if (!b)
        return HK_E_USAGE;
    if (count != b->about->count)
        return wrong_count(s, b, count);
    return hk_access_write(b->access, store, values, count);
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
    for (size_t i = 0; i < count; i++)
        if (!values[i].data && values[i].size)
            return HK_E_USAGE;
    return set(s, var, HK_STORE_BYTES, values, count);
}

hk_status hk_session_set_text(hk_session *session, hk_var var, const char *const *values,
                              size_t count) {
    if (!values)
        return HK_E_USAGE;
    const hk_bound *b = need_var(session, var);
    if (!b)
        return HK_E_USAGE;
    if (count != b->about->count)
        return wrong_count(session, b, count);
    hk_bytes *texts = b->scratch;
    for (size_t i = 0; i < count; i++) {
        if (!values[i])
            return HK_E_USAGE;
        texts[i] = (hk_bytes){values[i], strlen(values[i])};
    }
    return set_bytes(session, var, HK_TYPE_STRING, "text", texts, count);
}

hk_status hk_session_set_binary(hk_session *session, hk_var var, const hk_bytes *values,
                                size_t count) {
    if (!values)
        return HK_E_USAGE;
    return set_bytes(session, var, HK_TYPE_BINARY, "binary", values, count);
}
