/* SPDX-License-Identifier: MIT
 *
 * The component as a shared library that lies beside this one. */
#define _GNU_SOURCE /* dladdr */
#include "shell_core.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* By its full path and not by its name: another FMU in the same process may bring a library of the
 * same name, and each must get its own. */
hk_shell_types_fn *hk_shell_load_plugin(const char *file, void **ret_library,
                                        const char **ret_reason) {
    Dl_info own;
    if (dladdr(&hk_shell_data, &own) == 0 || !own.dli_fname) {
        *ret_reason = "the folder of the FMU's library cannot be found";
        return NULL;
    }
    const char *slash = strrchr(own.dli_fname, '/');
    size_t folder = slash ? (size_t)(slash - own.dli_fname) + 1 : 0;
    char *path = malloc(folder + strlen(file) + 3);
    if (!path) {
        *ret_reason = "out of memory";
        return NULL;
    }
    /* A name without a slash would be searched for elsewhere. */
    memcpy(path, folder ? own.dli_fname : "./", folder ? folder : 2);
    strcpy(path + (folder ? folder : 2), file);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    free(path);
    if (!library) {
        const char *reason = dlerror();
        *ret_reason = reason ? reason : "the component's library cannot be loaded";
        return NULL;
    }
    /* ISO C has no way from an object pointer to a function pointer; POSIX promises this one. */
    hk_shell_types_fn *types = NULL;
    void *symbol = dlsym(library, "hk_plugin");
    memcpy(&types, &symbol, sizeof types);
    *ret_library = library;
    if (!types)
        *ret_reason = "the component's library does not export hk_plugin";
    return types;
}

void hk_shell_unload_plugin(void *library) {
    dlclose(library);
}
