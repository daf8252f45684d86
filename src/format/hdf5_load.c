/* SPDX-License-Identifier: MIT */
#include "format/hdf5.h"

#ifndef HK_HDF5

hk_status hk_hdf5_load(hk_ctx *ctx, const char *path) {
    return hk_error(ctx, HK_E_FILE_KIND, (hk_where){.file = path},
                    "use .csv or .mat, or build hocket where libhdf5-dev is installed",
                    "this hocket was built without HDF5");
}

#else

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;
static hk_hdf5 api;
static bool loaded;
static sigset_t signals_before; /* of the thread that is inside */

/* Names of functions may be macros: what they stand for is what is looked for. */
#define TEXT_OF(name) #name

static bool load(void *library, const char *name, void *to, size_t size) {
    void *symbol = dlsym(library, name);
    memcpy(to, &symbol, size); /* ISO C knows no other way from an object to a function */
    return symbol != NULL;
}

static bool load_all(void *library) {
    const hid_t *id;
#define HK_H5_ID(name)
#define HK_H5_FUNCTION(name)                                                                       \
    if (!load(library, TEXT_OF(name), &api.name, sizeof api.name))                                 \
        return false;
#include "format/hdf5.def"
#undef HK_H5_FUNCTION
#undef HK_H5_ID
    /* Its own last words would be spoken when the files are long closed, or must not be touched. */
    if (api.H5dont_atexit() < 0 || api.H5open() < 0)
        return false;
#define HK_H5_FUNCTION(name)
#define HK_H5_ID(name)                                                                             \
    id = dlsym(library, TEXT_OF(name));                                                            \
    if (!id)                                                                                       \
        return false;                                                                              \
    api.name = *id;
#include "format/hdf5.def"
#undef HK_H5_FUNCTION
#undef HK_H5_ID
    api.text = api.H5Tcopy(api.H5T_C_S1_g);
    return api.text >= 0 && api.H5Tset_size(api.text, H5T_VARIABLE) >= 0 &&
           api.H5Tset_cset(api.text, H5T_CSET_UTF8) >= 0;
}

hk_status hk_hdf5_load(hk_ctx *ctx, const char *path) {
    hk_status status = HK_OK;
    pthread_mutex_lock(&busy);
    if (!loaded) {
        void *library = dlopen(HK_HDF5_LIBRARY, RTLD_NOW | RTLD_LOCAL);
        loaded = library && load_all(library);
        if (!loaded)
            status = hk_error(ctx, HK_E_FILE_KIND, (hk_where){.file = path},
                              "install the package of libhdf5 (Debian: libhdf5-103-1), or use .csv "
                              "or .mat",
                              "HDF5 needs the library %s: %s", HK_HDF5_LIBRARY,
                              library ? "it is of another version" : "it is not there");
    }
    pthread_mutex_unlock(&busy);
    return status;
}

const hk_hdf5 *hk_hdf5_enter(void) {
    pthread_mutex_lock(&busy);
    HK_ASSERT(loaded);
    sigset_t quiet; /* a full disk is an error, not a signal */
    sigemptyset(&quiet);
    sigaddset(&quiet, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &quiet, &signals_before);
    (void)api.H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* each thread has its own */
    return &api;
}

void hk_hdf5_leave(void) {
    sigset_t quiet, before = signals_before;
    sigemptyset(&quiet);
    sigaddset(&quiet, SIGXFSZ);
    (void)sigtimedwait(&quiet, NULL, &(struct timespec){0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_mutex_unlock(&busy);
}

typedef struct reason {
    char *text;
    size_t size;
} reason;

/* The innermost one comes first. */
static herr_t take_reason(unsigned n, const H5E_error2_t *error, void *user) {
    const reason *r = user;
    if (n == 0)
        snprintf(r->text, r->size, "%s", error->desc ? error->desc : "unknown reason");
    return 0;
}

/* "truncated file: eof = 3000, sblock->base_addr = 0, stored_eof = 5573478": in words for people.
 */
static void tell_cut_off(char *text, size_t size) {
    static const char words[] = "truncated file: eof = ", whole_words[] = "stored_eof = ";
    const char *whole = strstr(text, whole_words);
    if (strncmp(text, words, strlen(words)) != 0 || !whole)
        return;
    unsigned long long there = strtoull(text + strlen(words), NULL, 10);
    unsigned long long all = strtoull(whole + strlen(whole_words), NULL, 10);
    if (there < all)
        snprintf(text, size, "the file is cut off: it has %llu of %llu bytes", there, all);
}

void hk_hdf5_why(char *text, size_t size) {
    reason r = {text, size};
    snprintf(text, size, "unknown reason");
    (void)api.H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, &r);
    (void)api.H5Eclear2(H5E_DEFAULT);
    text[strcspn(text, "\n")] = '\0';
    tell_cut_off(text, size);
}

#endif
