/* SPDX-License-Identifier: MIT
 *
 * Values in and out of instances, as FMI 1.0 and 2.0 have it in common: one function of the FMU per
 * type, and a thunk for texts. */
#include "fmi/instance.h"

#include <string.h>

hk_store hk_instance_store(const hk_instance *in, hk_call_about about) {
    return about.count ? in->base.info->variables[about.variables[0]].store : HK_STORE_F64;
}

/* Text goes through a thunk between C strings and hk_bytes; this is used as `self` in the hk_call.
 */
typedef int get_strings_fn(void *component, const uint32_t *refs, size_t n, const char **texts);
typedef int set_strings_fn(void *component, const uint32_t *refs, size_t n,
                           const char *const *texts);
typedef struct text_call {
    const hk_instance *in;
    get_strings_fn *get;
    set_strings_fn *set;
    const char **strings; /* room for n */
} text_call;

static int get_texts(void *self, const uint32_t *refs, size_t n, void *values) {
    const text_call *call = self;
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
    const text_call *call = self;
    const hk_bytes *bytes = values;
    for (size_t i = 0; i < n; i++)
        call->strings[i] = bytes[i].data ? bytes[i].data : "";
    return call->set(call->in->component, refs, n, call->strings);
}

static size_t type_of(hk_store store) {
    switch (store) {
    case HK_STORE_F64:
        return 0;
    case HK_STORE_I32:
        return 1;
    case HK_STORE_BOOL8:
    case HK_STORE_BOOL32:
        return 2;
    default:
        return 3;
    }
}

hk_status hk_accessors_bind(hk_ctx *ctx, const hk_instance *in, const hk_accessor all[2][4],
                            bool set, hk_call_about about, hk_call *ret_call) {
    hk_store store = hk_instance_store(in, about);
    hk_accessor use = all[set][type_of(store)];
    HK_TRY(hk_instance_need(ctx, in, use.function != NULL, use.name));
    *ret_call = (hk_call){.shape = HK_SHAPE_REFS,
                          .fn.refs = (hk_refs_fn *)use.function,
                          .self = in->component,
                          .refs = hk_instance_refs(in, about.variables, about.count),
                          .n = about.count,
                          .values = about.values,
                          .value_count = about.count,
                          .name = use.name};
    if (store == HK_STORE_BYTES) {
        text_call *text = HK_NEW(in->arena, text_call);
        *text = (text_call){in, (get_strings_fn *)all[0][type_of(store)].function,
                            (set_strings_fn *)all[1][type_of(store)].function,
                            HK_NEW_ARRAY(in->arena, const char *, about.count)};
        ret_call->self = text;
        ret_call->fn.refs = set ? set_texts : get_texts;
    }
    return HK_OK;
}
