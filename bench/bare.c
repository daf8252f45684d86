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

static void ignore_log1(fmi1Component c, fmi1String instance, fmi1Status status,
                        fmi1String category, fmi1String message, ...) {
    (void)c, (void)instance, (void)status, (void)category, (void)message;
}

static int version_of(const hk_info *info) {
    return hk_fmu_get_facts(info->origin)->fmi_version[0] - '0';
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
    return status;
}

/* Those of the FMU's version; a function that is not there is NULL. */
static void find_functions(int version, const hk_fmu_facts *facts, bare_fmu *bare) {
    hk_arena *arena = hk_arena_create();
#define FMI1(need, fn, result, arguments)                                                          \
    *(void **)&bare->call1.fn =                                                                    \
        dlsym(bare->library, hk_arena_printf(arena, "%s_fmi" #fn, facts->model_identifier));
#define FMI2(need, fn, result, arguments)                                                          \
    *(void **)&bare->call.fn = dlsym(bare->library, "fmi2" #fn);
#define FMI3(need, fn, result, arguments)                                                          \
    *(void **)&bare->call3.fn = dlsym(bare->library, "fmi3" #fn);
    switch (version) {
    case 1:
        HK_FMI1_FUNCTIONS(FMI1)
        break;
    case 2:
        HK_FMI2_FUNCTIONS(FMI2)
        break;
    default:
        HK_FMI3_FUNCTIONS(FMI3)
    }
    hk_arena_destroy(arena);
#undef FMI1
#undef FMI2
#undef FMI3
}

static hk_status open1(hk_ctx *ctx, const hk_fmu_facts *facts, const char *name, bare_fmu *bare) {
    const fmi1CallbackFunctions callbacks = {ignore_log1, calloc, free, NULL};
    bare->instance = bare->call1.InstantiateSlave(name, facts->guid, "file:///nothing",
                                                  "application/x-fmu-sharedlibrary", 0, fmi1False,
                                                  fmi1False, callbacks, fmi1False);
    if (!bare->instance)
        return failed(ctx, "fmiInstantiateSlave");
    if (bare->call1.InitializeSlave(bare->instance, 0, fmi1False, 0) != fmi1OK)
        return failed(ctx, "initialization");
    return HK_OK;
}

static hk_status open2(hk_ctx *ctx, const hk_fmu_facts *facts, const char *name, bare_fmu *bare) {
    bare->callbacks = (fmi2CallbackFunctions){ignore_log, calloc, free, NULL, NULL};
    bare->instance = bare->call.Instantiate(name, fmi2CoSimulation, facts->guid, "file:///nothing",
                                            &bare->callbacks, fmi2False, fmi2False);
    if (!bare->instance)
        return failed(ctx, "fmi2Instantiate");
    if (bare->call.SetupExperiment(bare->instance, fmi2False, 0, 0, fmi2False, 0) != fmi2OK ||
        bare->call.EnterInitializationMode(bare->instance) != fmi2OK ||
        bare->call.ExitInitializationMode(bare->instance) != fmi2OK)
        return failed(ctx, "initialization");
    return HK_OK;
}

static hk_status open3(hk_ctx *ctx, const hk_fmu_facts *facts, const char *name, bare_fmu *bare) {
    bare->instance = bare->call3.InstantiateCoSimulation(name, facts->guid, NULL, false, false,
                                                         false, false, NULL, 0, NULL, NULL, NULL);
    if (!bare->instance)
        return failed(ctx, "fmi3InstantiateCoSimulation");
    if (bare->call3.EnterInitializationMode(bare->instance, false, 0, 0, false, 0) != fmi3OK ||
        bare->call3.ExitInitializationMode(bare->instance) != fmi3OK)
        return failed(ctx, "initialization");
    return HK_OK;
}

hk_status bare_open(hk_ctx *ctx, const hk_info *info, const char *name, bare_fmu *bare) {
    hk_fmu *fmu = info->origin;
    const hk_fmu_facts *facts = hk_fmu_get_facts(fmu);
    bare->info = info;
    HK_TRY(load(ctx, fmu, bare));
    find_functions(version_of(info), facts, bare);
    switch (version_of(info)) {
    case 1:
        return open1(ctx, facts, name, bare);
    case 2:
        return open2(ctx, facts, name, bare);
    default:
        return open3(ctx, facts, name, bare);
    }
}

static void end(const bare_fmu *bare) {
    switch (version_of(bare->info)) {
    case 1:
        bare->call1.TerminateSlave(bare->instance);
        bare->call1.FreeSlaveInstance(bare->instance);
        break;
    case 2:
        bare->call.Terminate(bare->instance);
        bare->call.FreeInstance(bare->instance);
        break;
    default:
        bare->call3.Terminate(bare->instance);
        bare->call3.FreeInstance(bare->instance);
    }
}

void bare_close(bare_fmu *bare) {
    if (bare->instance)
        end(bare);
    if (bare->library)
        dlclose(bare->library);
    *bare = (bare_fmu){0};
}

hk_status bare_ref(hk_ctx *ctx, const hk_info *info, const char *name, uint32_t *ret_ref) {
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
