/* SPDX-License-Identifier: MIT
 *
 * Values in and out of instances, as FMI 1.0 and 2.0 have it in common: one function of the FMU per
 * type, and a thunk for texts. */
#include "fmi/instance.h"

#include <string.h>

hk_accessor hk_accessor_of(const hk_accessor by_type[4], hk_store store) {
    switch (store) {
    case HK_STORE_F64:
        return by_type[0];
    case HK_STORE_I32:
        return by_type[1];
    case HK_STORE_BOOL8:
    case HK_STORE_BOOL32:
        return by_type[2];
    default:
        return by_type[3];
    }
}

hk_status hk_accessor_bind(hk_ctx *ctx, const hk_instance *in, hk_accessor use, hk_call_about about,
                           hk_call *ret_call) {
    HK_TRY(hk_instance_need(ctx, in, use.function != NULL, use.name));
    *ret_call = (hk_call){.shape = HK_SHAPE_REFS,
                          .fn.refs = (hk_refs_fn *)use.function,
                          .self = in->component,
                          .refs = hk_instance_refs(in, about.variables, about.count),
                          .n = about.count,
                          .values = about.values,
                          .value_count = about.count,
                          .name = use.name};
    return HK_OK;
}

static int get_texts(void *self, const uint32_t *refs, size_t n, void *values) {
    const hk_text_call *call = self;
    hk_bytes *bytes = values;
    int code = call->get(call->in->component, refs, n, call->strings);
    if (hk_unit_bad(code))
        return code;
    for (size_t i = 0; i < n; i++) {
        const char *text = call->strings[i] ? call->strings[i] : "";
        bytes[i] = (hk_bytes){.data = text, .size = strlen(text)};
    }
    return code;
}

static int set_texts(void *self, const uint32_t *refs, size_t n, void *values) {
    const hk_text_call *call = self;
    const hk_bytes *bytes = values;
    for (size_t i = 0; i < n; i++)
        call->strings[i] = bytes[i].data ? bytes[i].data : "";
    return call->set(call->in->component, refs, n, call->strings);
}

void hk_text_bind(const hk_instance *in, hk_get_strings_fn *get, hk_set_strings_fn *set,
                  bool is_get, hk_call *call) {
    hk_text_call *text = HK_NEW(in->arena, hk_text_call);
    *text = (hk_text_call){in, get, set, HK_NEW_ARRAY(in->arena, const char *, call->n)};
    call->self = text;
    call->fn.refs = is_get ? get_texts : set_texts;
}
