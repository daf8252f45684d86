/* SPDX-License-Identifier: MIT */
#include "bare.h"

#include "fmi/fmu.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static void ignore_log(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                       fmi2String category, fmi2String message, ...) {
    (void)environment, (void)instance, (void)status, (void)category, (void)message;
}

static hk_status failed(hk_ctx *ctx, const char *what) {
    return hk_error(ctx, HK_E_UNIT_FAILED, HK_NOWHERE, NULL, "the bare loop failed: %s", what);
}

static hk_status load(hk_ctx *ctx, hk_fmu *fmu, bare_fmu *bare) {
    const char *path;
    hk_arena *arena = hk_arena_create();
    hk_status status = hk_fmu_unpack(ctx, fmu);
    if (status == HK_OK)
        status = hk_fmu_binary(ctx, fmu, arena, &path);
    if (status == HK_OK) {
        bare->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!bare->library)
            status = failed(ctx, dlerror());
    }
    hk_arena_destroy(arena);
    HK_TRY(status);
#define FMI2(need, name, result, arguments)                                                        \
    *(void **)&bare->call.name = dlsym(bare->library, "fmi2" #name);
    HK_FMI2_FUNCTIONS(FMI2)
#undef FMI2
    return HK_OK;
}

hk_status bare_open(hk_ctx *ctx, const hk_info *info, const char *name, bare_fmu *bare) {
    hk_fmu *fmu = info->origin;
    bare->info = info;
    HK_TRY(load(ctx, fmu, bare));
    bare->callbacks = (fmi2CallbackFunctions){ignore_log, calloc, free, NULL, NULL};
    bare->instance =
        bare->call.Instantiate(name, fmi2CoSimulation, hk_fmu_get_facts(fmu)->guid,
                               "file:///nothing", &bare->callbacks, fmi2False, fmi2False);
    if (!bare->instance)
        return failed(ctx, "fmi2Instantiate");
    if (bare->call.SetupExperiment(bare->instance, fmi2False, 0, 0, fmi2False, 0) != fmi2OK ||
        bare->call.EnterInitializationMode(bare->instance) != fmi2OK ||
        bare->call.ExitInitializationMode(bare->instance) != fmi2OK)
        return failed(ctx, "initialization");
    return HK_OK;
}

void bare_close(bare_fmu *bare) {
    if (bare->instance) {
        bare->call.Terminate(bare->instance);
        bare->call.FreeInstance(bare->instance);
    }
    if (bare->library)
        dlclose(bare->library);
    *bare = (bare_fmu){0};
}

hk_status bare_ref(hk_ctx *ctx, const hk_info *info, const char *name,
                   fmi2ValueReference *ret_ref) {
    uint32_t index = hk_info_find(info, name);
    if (index == HK_MAP_NONE)
        return hk_error(ctx, HK_E_UNKNOWN_SIGNAL, (hk_where){.file = info->file}, NULL,
                        "the benchmark needs the variable '%s'", name);
    *ret_ref = info->variables[index].ref;
    return HK_OK;
}

static hk_status open_by_name(hk_ctx *ctx, const hk_model *model, const char *name,
                              bare_fmu *bare) {
    uint32_t index = hk_map_get(&model->by_name, name);
    if (index == HK_MAP_NONE)
        return hk_error(ctx, HK_E_CONNECTION, (hk_where){.file = model->file}, NULL,
                        "the benchmark needs the component '%s'", name);
    return bare_open(ctx, model->components[index].info, name, bare);
}

hk_status bare_truck_open(hk_ctx *ctx, const hk_model *model, bare_truck *x) {
    x->h = 0.001;
    HK_TRY(open_by_name(ctx, model, "chassis", &x->chassis));
    HK_TRY(open_by_name(ctx, model, "wheel", &x->wheel));
    HK_TRY(open_by_name(ctx, model, "ground", &x->ground));
    HK_TRY(bare_ref(ctx, x->chassis.info, "p.f", &x->chassis_in));
    HK_TRY(bare_ref(ctx, x->chassis.info, "p.e", &x->chassis_out));
    HK_TRY(bare_ref(ctx, x->wheel.info, "p1.e", &x->wheel_in[0]));
    HK_TRY(bare_ref(ctx, x->wheel.info, "p.f", &x->wheel_in[1]));
    HK_TRY(bare_ref(ctx, x->wheel.info, "p1.f", &x->wheel_out[0]));
    HK_TRY(bare_ref(ctx, x->wheel.info, "p.e", &x->wheel_out[1]));
    HK_TRY(bare_ref(ctx, x->ground.info, "p.e", &x->ground_in));
    return bare_ref(ctx, x->ground.info, "p.f", &x->ground_out);
}

void bare_truck_close(bare_truck *x) {
    bare_close(&x->chassis);
    bare_close(&x->wheel);
    bare_close(&x->ground);
}
