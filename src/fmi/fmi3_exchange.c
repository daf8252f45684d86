/* SPDX-License-Identifier: MIT
 *
 * Values in and out of an FMI 3.0 instance. Numbers go through the FMU's own functions, arrays as a
 * whole; truth values need a thunk that makes all that is not 0 a 1, and texts and binary values
 * one between the FMU's pointers and hk_bytes. */
#include "fmi/fmi3_unit.h"

#include <string.h>

/* The getter or setter of a store. */
static hk_accessor find(const hk_fmi3_unit *unit, hk_store store, bool set) {
    switch (store) {
#define NUMBERS(STORE, Name)                                                                       \
    case HK_STORE_##STORE:                                                                         \
        return set ? (hk_accessor){(hk_symbol *)unit->f.Set##Name, "fmi3Set" #Name}                \
                   : (hk_accessor){(hk_symbol *)unit->f.Get##Name, "fmi3Get" #Name};
        NUMBERS(F32, Float32)
        NUMBERS(F64, Float64)
        NUMBERS(I8, Int8)
        NUMBERS(U8, UInt8)
        NUMBERS(I16, Int16)
        NUMBERS(U16, UInt16)
        NUMBERS(I32, Int32)
        NUMBERS(U32, UInt32)
        NUMBERS(I64, Int64) /* enumerations too */
        NUMBERS(U64, UInt64)
        NUMBERS(BOOL8, Boolean)
#undef NUMBERS
    default:
        return (hk_accessor){NULL, "a function for values of this kind"};
    }
}

/* A 7 is not a truth value of C: it must not be read as one. */
static int get_truth(void *self, const uint32_t *refs, size_t n, void *values, size_t count) {
    const hk_fmi3_unit *unit = self;
    unsigned char *truths = values;
    int code = unit->f.GetBoolean(unit->in.component, refs, n, values, count);
    for (size_t i = 0; !hk_unit_bad(code) && i < count; i++)
        truths[i] = truths[i] != 0;
    return code;
}

/* ---- texts and binary values ------------------------------------------------------------------
 */

/* Variables of one kind in a call, and where their elements are among all of the call. */
typedef struct share {
    uint32_t *refs;
    size_t n;
    size_t *places;
    size_t count;
} share;

/* Texts and binary values in one call of the engine are two of the FMU. This is used as `self`. */
typedef struct hk_fmi3_bytes {
    struct hk_fmi3_bytes *next;
    hk_fmi3_unit *unit;
    share texts, blobs;
    fmi3String *strings;
    fmi3Binary *binaries;
    size_t *sizes;
    char *copies; /* texts last until the next call only, which is the one for binary values */
    size_t copies_cap;
} hk_fmi3_bytes;

static void copy_texts(hk_fmi3_bytes *call, hk_bytes *values) {
    const share *texts = &call->texts;
    size_t need = 0;
    for (size_t i = 0; i < texts->count; i++)
        need += values[texts->places[i]].size + 1;
    if (need > call->copies_cap) {
        call->copies_cap = 2 * need; /* seldom again */
        call->copies = hk_realloc(call->copies, call->copies_cap);
    }
    char *end = call->copies;
    for (size_t i = 0; i < texts->count; i++) {
        hk_bytes *value = &values[texts->places[i]];
        memcpy(end, value->data, value->size + 1);
        value->data = end;
        end += value->size + 1;
    }
}

static int get_texts(hk_fmi3_bytes *call, hk_bytes *values) {
    const share *texts = &call->texts;
    int code = call->unit->f.GetString(call->unit->in.component, texts->refs, texts->n,
                                       call->strings, texts->count);
    if (hk_unit_bad(code))
        return code;
    for (size_t i = 0; i < texts->count; i++) {
        const char *text = call->strings[i] ? call->strings[i] : "";
        values[texts->places[i]] = (hk_bytes){.data = text, .size = strlen(text)};
    }
    if (call->blobs.n)
        copy_texts(call, values);
    return code;
}

static int get_blobs(hk_fmi3_bytes *call, hk_bytes *values) {
    const share *blobs = &call->blobs;
    int code = call->unit->f.GetBinary(call->unit->in.component, blobs->refs, blobs->n, call->sizes,
                                       call->binaries, blobs->count);
    if (hk_unit_bad(code))
        return code;
    for (size_t i = 0; i < blobs->count; i++) {
        const fmi3Byte *data = call->binaries[i];
        values[blobs->places[i]] =
            data ? (hk_bytes){.data = (const char *)data, .size = call->sizes[i]}
                 : (hk_bytes){.data = "", .size = 0};
    }
    return code;
}

static int get_bytes(void *self, const uint32_t *refs, size_t n, void *values, size_t count) {
    hk_fmi3_bytes *call = self;
    (void)refs, (void)n, (void)count; /* both shares know theirs */
    int code = call->texts.n ? get_texts(call, values) : fmi3OK;
    if (hk_unit_bad(code) || !call->blobs.n)
        return code;
    int second = get_blobs(call, values);
    return second != fmi3OK ? second : code;
}

static int set_bytes(void *self, const uint32_t *refs, size_t n, void *values, size_t count) {
    hk_fmi3_bytes *call = self;
    const hk_bytes *bytes = values;
    const hk_fmi3_functions *f = &call->unit->f;
    void *component = call->unit->in.component;
    (void)refs, (void)n, (void)count;
    const share *texts = &call->texts, *blobs = &call->blobs;
    for (size_t i = 0; i < texts->count; i++) {
        const hk_bytes *value = &bytes[texts->places[i]];
        call->strings[i] = value->data ? value->data : "";
    }
    for (size_t i = 0; i < blobs->count; i++) {
        const hk_bytes *value = &bytes[blobs->places[i]];
        call->binaries[i] = (fmi3Binary)(value->data ? (const void *)value->data : "");
        call->sizes[i] = value->data ? value->size : 0;
    }
    int code = texts->n
                   ? f->SetString(component, texts->refs, texts->n, call->strings, texts->count)
                   : fmi3OK;
    if (hk_unit_bad(code) || !blobs->n)
        return code;
    int second =
        f->SetBinary(component, blobs->refs, blobs->n, call->sizes, call->binaries, blobs->count);
    return second != fmi3OK ? second : code;
}

void hk_fmi3_free_bytes(hk_fmi3_unit *unit) {
    for (hk_fmi3_bytes *call = unit->bytes; call; call = call->next) {
        hk_free(call->copies);
        call->copies = NULL;
        call->copies_cap = 0;
    }
}

static void deal(hk_fmi3_bytes *call, const uint32_t *variables, size_t n, size_t count) {
    hk_arena *arena = call->unit->in.arena;
    share *both[2] = {&call->texts, &call->blobs};
    for (int i = 0; i < 2; i++) {
        both[i]->refs = HK_NEW_ARRAY(arena, uint32_t, n);
        both[i]->places = HK_NEW_ARRAY(arena, size_t, count);
    }
    size_t place = 0;
    for (size_t i = 0; i < n; i++) {
        const hk_variable *v = &call->unit->in.base.info->variables[variables[i]];
        share *s = both[v->type == HK_TYPE_BINARY];
        s->refs[s->n++] = v->ref;
        for (size_t e = 0; e < v->count; e++)
            s->places[s->count++] = place++;
    }
    call->strings = HK_NEW_ARRAY(arena, fmi3String, call->texts.count);
    call->binaries = HK_NEW_ARRAY(arena, fmi3Binary, call->blobs.count);
    call->sizes = HK_NEW_ARRAY(arena, size_t, call->blobs.count);
}

static hk_status bind_bytes(hk_ctx *ctx, hk_fmi3_unit *unit, const uint32_t *variables, size_t n,
                            bool set, hk_call *call) {
    const char *const names[2][3] = {
        {"fmi3GetString", "fmi3GetBinary", "fmi3GetString or fmi3GetBinary"},
        {"fmi3SetString", "fmi3SetBinary", "fmi3SetString or fmi3SetBinary"}};
    const hk_fmi3_functions *f = &unit->f;
    hk_fmi3_bytes *bytes = HK_NEW(unit->in.arena, hk_fmi3_bytes);
    bytes->unit = unit;
    deal(bytes, variables, n, call->value_count);
    bool texts = !bytes->texts.n || (set ? f->SetString != NULL : f->GetString != NULL);
    bool blobs = !bytes->blobs.n || (set ? f->SetBinary != NULL : f->GetBinary != NULL);
    HK_TRY(hk_instance_need(ctx, &unit->in, texts, names[set][0]));
    HK_TRY(hk_instance_need(ctx, &unit->in, blobs, names[set][1]));
    bytes->next = unit->bytes;
    unit->bytes = bytes;
    call->self = bytes;
    call->fn.refs_sized = set ? set_bytes : get_bytes;
    call->name = names[set][!bytes->blobs.n ? 0 : !bytes->texts.n ? 1 : 2];
    return HK_OK;
}

/* ---- calls ------------------------------------------------------------------------------------
 */

static hk_status bind(hk_ctx *ctx, hk_fmi3_unit *unit, bool set, hk_call_about about,
                      hk_call *ret_call) {
    const uint32_t *variables = about.variables;
    size_t n = about.count;
    hk_instance *in = &unit->in;
    const hk_variable *all = in->base.info->variables;
    hk_store store = n ? all[variables[0]].store : HK_STORE_F64;
    hk_call call = {.shape = HK_SHAPE_REFS_SIZED,
                    .self = in->component,
                    .refs = hk_instance_refs(in, variables, n),
                    .n = n,
                    .values = about.values};
    for (size_t i = 0; i < n; i++)
        call.value_count += all[variables[i]].count;
    if (store == HK_STORE_BYTES) {
        HK_TRY(bind_bytes(ctx, unit, variables, n, set, &call));
    } else {
        hk_accessor use = find(unit, store, set);
        HK_TRY(hk_instance_need(ctx, in, use.function != NULL, use.name));
        bool truths = store == HK_STORE_BOOL8 && !set;
        call.name = use.name;
        call.fn.refs_sized = truths ? get_truth : (hk_refs_sized_fn *)use.function;
        if (truths)
            call.self = unit;
    }
    *ret_call = call;
    return HK_OK;
}

HK_INSTANCE_BIND_HOOKS(fmi3)

/* ---- before initialization --------------------------------------------------------------------
 */

/* Sets a variable, an array as a whole. DATA lies in its store. */
static hk_status set_one(hk_ctx *ctx, hk_fmi3_unit *unit, uint32_t variable, void *data) {
    hk_call call;
    HK_TRY(bind(ctx, unit, true, (hk_call_about){&variable, 1, data}, &call));
    const hk_variable *v = &unit->in.base.info->variables[variable];
    bool structural = v->causality == HK_STRUCTURAL_PARAMETER;
    HK_TRY(
        hk_instance_may(ctx, &unit->in, structural ? HK_FMI_SET_STRUCTURE : HK_FMI_SET, call.name));
    hk_instance_calling(&unit->in, call.name);
    return hk_instance_check_start(
        ctx, &unit->in, variable, call.name,
        call.fn.refs_sized(call.self, call.refs, call.n, call.values, call.value_count));
}

hk_status hk_fmi3_set_start(hk_ctx *ctx, hk_unit *base, uint32_t variable, const hk_value *value) {
    hk_fmi3_unit *unit = (hk_fmi3_unit *)base;
    const hk_variable *v = &base->info->variables[variable];
    if (v->causality == HK_STRUCTURAL_PARAMETER && hk_value_same(&v->start, value))
        return HK_OK; /* the instance was made with it */
    if (v->causality == HK_STRUCTURAL_PARAMETER || value->count != v->count)
        return hk_error(ctx, HK_E_PARAMETER, hk_instance_where(&unit->in), NULL,
                        "'%s.%s' cannot be set: %s", base->name, v->name,
                        v->causality == HK_STRUCTURAL_PARAMETER
                            ? "it is a structural parameter, and the instance exists already"
                            : "the value has another number of elements");
    void *data;
    HK_TRY(hk_instance_start(ctx, &unit->in, variable, value, &data));
    return set_one(ctx, unit, variable, data);
}

/* Sets the structural parameters that are not as the FMU has them by itself. */
static hk_status set_structure(hk_ctx *ctx, hk_fmi3_unit *unit) {
    hk_instance *in = &unit->in;
    const hk_info *info = in->base.info, *own = &in->fmu->info;
    bool configuring = false;
    for (uint32_t i = 0; i < info->variable_count; i++) {
        const hk_variable *v = &info->variables[i];
        if (v->causality != HK_STRUCTURAL_PARAMETER || v->alias_of != i || !v->start.data ||
            hk_value_same(&v->start, &own->variables[i].start))
            continue;
        if (!configuring) {
            HK_TRY(hk_instance_need(ctx, in,
                                    unit->f.EnterConfigurationMode && unit->f.ExitConfigurationMode,
                                    "fmi3EnterConfigurationMode"));
            HK_TRY(HK_INSTANCE_CALL(ctx, in, HK_FMI_ENTER_CONFIG, "fmi3EnterConfigurationMode",
                                    unit->f.EnterConfigurationMode(in->component)));
            in->phase = HK_PHASE_CONFIGURING;
            configuring = true;
        }
        HK_TRY(set_one(ctx, unit, i, v->start.data));
    }
    if (!configuring)
        return HK_OK;
    HK_TRY(HK_INSTANCE_CALL(ctx, in, HK_FMI_EXIT_CONFIG, "fmi3ExitConfigurationMode",
                            unit->f.ExitConfigurationMode(in->component)));
    in->phase = HK_PHASE_INSTANTIATED;
    return HK_OK;
}

hk_status hk_fmi3_configure(hk_ctx *ctx, hk_fmi3_unit *unit) {
    const hk_info *info = unit->in.base.info, *own = &unit->in.fmu->info;
    if (info == own)
        return HK_OK;
    HK_TRY(set_structure(ctx, unit));
    /* What an array of another size holds now is not said anywhere. */
    for (uint32_t i = 0; i < info->variable_count; i++) {
        const hk_variable *v = &info->variables[i];
        if (v->count != own->variables[i].count && v->alias_of == i && v->start.data &&
            v->start.count == v->count && hk_variable_settable(v))
            HK_TRY(set_one(ctx, unit, i, v->start.data));
    }
    return HK_OK;
}
