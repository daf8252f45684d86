/* SPDX-License-Identifier: MIT
 *
 * Shared libraries of FMUs. The loader gives one handle per file, so there is one object per file
 * too: what one instance does to the library (Fatal), it does to all of them. */
#include "base/file.h"
#include "base/fpenv.h"
#include "base/thread.h"
#include "fmi/fmu.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct hk_library {
    hk_library *next;
    char *path; /* without links: an FMU may be unpacked several times, its library not */
    void *handle;
    int users, threads; /* threads: strange ones when it was loaded */
    atomic_int instances;
    atomic_bool poisoned;
};

/* Poisoned libraries stay in the list for ever. */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static hk_library *list;

/* The working directory belongs to the whole process. */
static pthread_mutex_t visit_lock = PTHREAD_MUTEX_INITIALIZER;

hk_visit hk_visit_enter(const char *library_path) {
    hk_visit visit;
    pthread_mutex_lock(&visit_lock);
    hk_host_look(&visit.host);
    hk_arena *arena = hk_arena_create();
    /* Without a way back hocket stays where it is; most FMUs do not care. */
    if (visit.host.folder >= 0 && chdir(hk_path_folder(arena, library_path)) != 0)
        hk_host_forget(&visit.host);
    hk_arena_destroy(arena);
    return visit;
}

void hk_visit_leave(hk_ctx *ctx, hk_visit *visit, const hk_visitor *visitor, const char *doing) {
    hk_where where = {.file = visitor->file, .element = visitor->instance};
    uint64_t fpenv = hk_fpenv_read();
    unsigned changes = hk_host_restore(&visit->host, false);
    hk_host_forget(&visit->host);
    pthread_mutex_unlock(&visit_lock);
    if (changes & HK_HOST_LOST)
        hk_warn(ctx, HK_E_FMU_LOAD, where, NULL,
                "component '%s': after %s%s the working directory is gone, hocket could not return "
                "to it",
                visitor->instance, doing, visitor->when);
    if (changes & HK_HOST_FPENV)
        hk_warn(ctx, HK_E_FMU_LOAD, where,
                "the library was probably built with -ffast-math; hocket put it back",
                "component '%s': %s changed the floating-point environment (%s)%s",
                visitor->instance, doing, hk_fpenv_difference(visit->host.fpenv, fpenv),
                visitor->when);
    /* The folder was changed by us; interpreters take over signals when they start. */
    unsigned worth_telling = changes & (HK_HOST_LOCALE | HK_HOST_UMASK);
    char what[128];
    if (worth_telling)
        hk_warn(ctx, HK_E_FMU_LOAD, where, "hocket put it back", "component '%s': %s changed %s%s",
                visitor->instance, doing, hk_host_text(worth_telling, what, sizeof what),
                visitor->when);
}

/* Some FMUs use functions of libraries that they do not name: mathematics, or those of pythonfmu
 * the interpreter, which they expect to run in. Puts the library that has SYMBOL in the global
 * scope; false if there is none. HK_LIBPYTHON names another interpreter than the system's. */
static bool supply(const char *symbol) {
    if (strncmp(symbol, "Py", 2) != 0 && strncmp(symbol, "_Py", 3) != 0)
        return dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL) != NULL;
    const char *chosen = getenv("HK_LIBPYTHON");
    if (chosen && chosen[0])
        return dlopen(chosen, RTLD_NOW | RTLD_GLOBAL) != NULL;
    for (int minor = 20; minor >= 7; minor--) {
        char name[32];
        snprintf(name, sizeof name, "libpython3.%d.so.1.0", minor);
        if (dlopen(name, RTLD_NOW | RTLD_GLOBAL))
            return true;
    }
    return false;
}

/* Loads the library; if it fails *ret_why is the reason, to be freed. */
static void *load(const char *path, char **ret_why) {
    static const char undefined[] = "undefined symbol: ";
    void *handle = NULL;
    char *why = NULL;
    for (int attempt = 0; attempt < 3 && !handle; attempt++) {
        handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (handle)
            break;
        const char *text = dlerror();
        free(why);
        why = strdup(text ? text : "unknown reason");
        const char *symbol = strstr(why, undefined);
        if (!symbol || !supply(symbol + strlen(undefined)))
            break;
    }
    *ret_why = why;
    return handle;
}

/* The loader begins with the path, which is one in the cache and tells nobody anything. */
static const char *without_path(const char *why, const char *path) {
    size_t length = strlen(path);
    if (strncmp(why, path, length) != 0 || strncmp(why + length, ": ", 2) != 0)
        return why;
    why += length + 2;
    /* So the loader calls a library for another processor; the file itself is there. */
    return strstr(why, "cannot open shared object file: No such")
               ? "it is not an ELF file for this machine"
               : why;
}

static const char *hint_for(const char *why) {
    if (strstr(why, "symbol: Py") || strstr(why, "symbol: _Py"))
        return "install libpython3, or name its file in HK_LIBPYTHON";
    if (strstr(why, "invalid ELF") || strstr(why, "file too short") || strstr(why, "ELF class") ||
        strstr(why, "ELF file"))
        return "the file is not a library for this machine: export the FMU again";
    if (strstr(why, "undefined symbol"))
        return "the library was linked without something it needs: export the FMU again";
    return "install the library that is missing, or name its folder in LD_LIBRARY_PATH";
}

/* The threads of the process that are none of ours. */
static int count_strange_threads(void) {
    DIR *folder = opendir("/proc/self/task");
    int count = -hk_thread_count();
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

static hk_library *find_loaded(const char *path) {
    hk_library *library = list;
    while (library && strcmp(library->path, path) != 0)
        library = library->next;
    return library;
}

static struct {
    hk_before_load_fn *call;
    void *user;
} before_load;

void hk_library_before_load(hk_before_load_fn *before, void *user) {
    before_load.call = before;
    before_load.user = user;
}

hk_status hk_library_open(hk_ctx *ctx, const hk_visitor *visitor, const char *path,
                          hk_library **ret_library) {
    hk_status status = HK_OK;
    char *real = realpath(path, NULL);
    pthread_mutex_lock(&list_lock);
    hk_library *library = find_loaded(real ? real : path);
    if (before_load.call)
        status = before_load.call(ctx, before_load.user);
    if (!library && status == HK_OK) {
        char *why = NULL;
        int threads = count_strange_threads();
        hk_visit visit = hk_visit_enter(path);
        void *handle = load(path, &why);
        hk_visit_leave(ctx, &visit, visitor, "the loading of the library");
        if (handle) {
            library = hk_alloc(sizeof *library);
            *library = (hk_library){.next = list,
                                    .path = strdup(real ? real : path),
                                    .handle = handle,
                                    .threads = threads};
            list = library;
        } else {
            const char *reason = without_path(why, path);
            status =
                hk_error(ctx, HK_E_FMU_LOAD, (hk_where){.file = visitor->file}, hint_for(reason),
                         "component '%s': the library '%s' cannot be loaded%s: %s",
                         visitor->instance, hk_path_name(path), visitor->when, reason);
        }
        free(why);
    }
    if (library && status == HK_OK)
        library->users++;
    pthread_mutex_unlock(&list_lock);
    free(real);
    if (status == HK_OK)
        *ret_library = library;
    return status;
}

void hk_library_close(hk_library *library) {
    if (!library)
        return;
    pthread_mutex_lock(&list_lock);
    if (--library->users == 0 && !library->poisoned) {
        hk_library **link = &list;
        while (*link != library)
            link = &(*link)->next;
        *link = library->next;
        /* A thread that an FMU has left behind would find its code gone. */
        if (!getenv("HK_KEEP_LIBS") && count_strange_threads() <= library->threads)
            dlclose(library->handle);
        free(library->path);
        hk_free(library);
    }
    pthread_mutex_unlock(&list_lock);
}

hk_symbol *hk_library_find(const hk_library *library, const char *name) {
    /* ISO C has no cast from an object to a function pointer; POSIX says both are alike. */
    union {
        void *object;
        hk_symbol *function;
    } found = {.object = dlsym(library->handle, name)};
    return found.function;
}

const char *hk_library_path(const hk_library *library) {
    return library->path;
}

int hk_library_count(hk_library *library, int change) {
    return atomic_fetch_add(&library->instances, change) + change;
}

void hk_library_poison(hk_library *library) {
    atomic_store(&library->poisoned, true);
}

bool hk_library_poisoned(const hk_library *library) {
    return atomic_load(&library->poisoned);
}
