/* SPDX-License-Identifier: MIT
 *
 * What the animals of the three versions have in common: the little model, and the deeds. One
 * library is the body of all animals of a version; which one it is, is in the GUID, which is
 * "zoo:DEED@PLACE" or "zoo:calm". At that place the animal does its deed: in step, get and set from
 * t = 0.5 on, elsewhere at once. The environment variable ZOO_LOAD names a deed that is done while
 * the library is loaded, ZOO_UNLOAD one for the end, ZOO_NOTE the resource that is read. */
#ifndef HK_ZOO_ANIMAL_H
#define HK_ZOO_ANIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The same numbers in all versions of FMI; 3.0 has no PENDING. */
enum { OK, WARNING, DISCARD, ERROR, FATAL, PENDING };

/* Value references; FMI 3 wants them to differ across types. From MANY on there are reals. */
enum {
    X = 0,
    Y,
    K,
    N = 10,
    MODE,
    B = 20,
    S = 30,
    PLACE,
    F = 40,
    L,
    BLOB,
    ARRAY,
    CLOCK,
    MANY = 100
};

typedef struct animal animal;
/* What it can do; a table of them ends with a name that is NULL. A name that ends with '_' is for
 * all deeds that begin so; the rest of the word says more. */
typedef struct animal_deed {
    const char *name;
    int (*act)(animal *a);
} animal_deed;
extern const animal_deed hostile_ends[], hostile_files[], hostile_memory[], hostile_reach[];
#ifdef __cplusplus
extern "C" const animal_deed hostile_throws[];
#else
extern const animal_deed hostile_throws[] __attribute__((weak)); /* only with a compiler of C++ */
#endif

struct animal {
    double x, y, k, t; /* y grows by k + x per second */
    int n, mode, b;
    float f;
    int64_t l;
    const char *text;
    char resource[64];    /* the first line of a file of the resources */
    char resources[2048]; /* their folder */
    char *long_text;
    char deed[32], place[32];
    bool done, terminated;
    bool told, stop_told; /* the flag of the step; whether a stop time was named */
    int questions;
    double last;        /* the time that was reached */
    uint64_t extent;    /* how many elements the animal says that its array has */
    void *library_side; /* callbacks of the version */
    void (*say)(animal *a, int status, const char *category, const char *text);
    void (*say_null)(animal *a);
    void (*say_wild)(animal *a); /* with pointers that lead nowhere */
    void (*step_finished)(animal *a);
};

#define ANIMAL_NOWHERE ((char *)(uintptr_t)8)

/* Sets the model to its beginning and reads the deed from GUID; false: it is not an animal's. */
bool animal_born(animal *a, const char *guid, const char *resources);
void animal_dies(animal *a); /* frees what it holds, not itself */
/* Does the deed if PLACE is its place; returns what the call returns. */
int act(animal *a, const char *place);
/* The same, for a deed that others look at: true if this is the moment. */
bool is_to(const animal *a, const char *deed, const char *place);
/* One step, the deed aside. */
void animal_steps(animal *a, double t, double h);
const char *animal_version(const char *right); /* another one if ZOO_VERSION is set */
double animal_real(const animal *a, unsigned ref);
/* What a step that is pending has come to. */
int animal_pending(animal *a, int *ret_status);

/* States. SELF is the instance, an animal. */
int animal_get_state(void *self, void **state);
int animal_set_state(void *self, const void *state);
int animal_free_state(void **state);
int animal_state_size(void *self, size_t *ret_size);
int animal_save(void *self, const void *state, void *bytes, size_t size);
int animal_load(void *self, const void *bytes, size_t size, void **ret_state);

#endif
