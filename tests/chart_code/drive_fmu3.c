/* SPDX-License-Identifier: MIT
 *
 * drive_fmu3 LIBRARY: an importer of FMI 3.0 that can do event mode, which hocket itself cannot. It
 * does what standard input says, line by line, and answers each line with one of its own: "ok", the
 * values that were asked for, or "refused: " and what the FMU logged.
 *
 *     open TOKEN EVENT_MODE_USED      close
 *     init START                      step T H, step_mode, event_mode, update
 *     set REF...                      sets these clocks
 *     clocks REF...                   reads clocks
 *     get REF | geti REF              reads a Float64, or an Int64
 *     put REF VALUE | puti REF VALUE  sets one */
#include "fmi/fmi3_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 64 };

static hk_fmi3_functions f;
static char said[1024];

static void take_message(fmi3InstanceEnvironment environment, fmi3Status status,
                         fmi3String category, fmi3String message) {
    (void)environment;
    (void)status;
    (void)category;
    snprintf(said, sizeof said, "%s", message);
}

static void load(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
#define FMI3(need, name, result, arguments)                                                        \
    {                                                                                              \
        void *found = dlsym(library, "fmi3" #name);                                                \
        memcpy(&f.name, &found, sizeof found);                                                     \
    }
    HK_FMI3_FUNCTIONS(FMI3)
#undef FMI3
}

static void answer(fmi3Status status) {
    if (status == fmi3OK)
        printf("ok\n");
    else
        printf("refused: %s\n", said);
}

static fmi3Status update(fmi3Instance x) {
    fmi3Boolean need = true, terminate, nominals, values, defined;
    fmi3Float64 next;
    fmi3Status status = fmi3OK;
    while (status == fmi3OK && need)
        status = f.UpdateDiscreteStates(x, &need, &terminate, &nominals, &values, &defined, &next);
    return status;
}

static fmi3Status step(fmi3Instance x, double t, double h) {
    fmi3Boolean event, terminate, early;
    fmi3Float64 last;
    return f.DoStep(x, t, h, true, &event, &terminate, &early, &last);
}

static fmi3Status init(fmi3Instance x, double start) {
    fmi3Status status = f.EnterInitializationMode(x, false, 0.0, start, false, 0.0);
    return status == fmi3OK ? f.ExitInitializationMode(x) : status;
}

static void read_clocks(fmi3Instance x, const fmi3ValueReference *refs, size_t n) {
    fmi3Clock values[WORDS_MAX];
    fmi3Status status = f.GetClock(x, refs, n, values);
    if (status != fmi3OK) {
        answer(status);
        return;
    }
    for (size_t i = 0; i < n; i++)
        printf("%s%d", i ? " " : "", values[i]);
    printf("\n");
}

static void read_value(fmi3Instance x, fmi3ValueReference ref, bool whole) {
    fmi3Float64 real;
    fmi3Int64 integer;
    fmi3Status status =
        whole ? f.GetInt64(x, &ref, 1, &integer, 1) : f.GetFloat64(x, &ref, 1, &real, 1);
    if (status != fmi3OK)
        answer(status);
    else if (whole)
        printf("%lld\n", (long long)integer);
    else
        printf("%.17g\n", real);
}

static fmi3Status put_value(fmi3Instance x, fmi3ValueReference ref, const char *text, bool whole) {
    fmi3Float64 real = atof(text);
    fmi3Int64 integer = atoll(text);
    return whole ? f.SetInt64(x, &ref, 1, &integer, 1) : f.SetFloat64(x, &ref, 1, &real, 1);
}

static void obey(fmi3Instance *x, char **words, size_t count) {
    const char *verb = words[0];
    fmi3ValueReference refs[WORDS_MAX];
    fmi3Clock active[WORDS_MAX];
    for (size_t i = 1; i < count; i++) {
        refs[i - 1] = (fmi3ValueReference)strtoul(words[i], NULL, 10);
        active[i - 1] = true;
    }
    if (strcmp(verb, "open") == 0) {
        *x = f.InstantiateCoSimulation("it", words[1], NULL, false, true, words[2][0] == '1', false,
                                       NULL, 0, NULL, take_message, NULL);
        answer(*x ? fmi3OK : fmi3Error);
    } else if (strcmp(verb, "close") == 0) {
        f.FreeInstance(*x);
        answer(fmi3OK);
    } else if (strcmp(verb, "init") == 0) {
        answer(init(*x, atof(words[1])));
    } else if (strcmp(verb, "step") == 0) {
        answer(step(*x, atof(words[1]), atof(words[2])));
    } else if (strcmp(verb, "step_mode") == 0) {
        answer(f.EnterStepMode(*x));
    } else if (strcmp(verb, "event_mode") == 0) {
        answer(f.EnterEventMode(*x));
    } else if (strcmp(verb, "update") == 0) {
        answer(update(*x));
    } else if (strcmp(verb, "set") == 0) {
        answer(f.SetClock(*x, refs, count - 1, active));
    } else if (strcmp(verb, "clocks") == 0) {
        read_clocks(*x, refs, count - 1);
    } else if (strncmp(verb, "get", 3) == 0) {
        read_value(*x, refs[0], verb[3] == 'i');
    } else {
        answer(put_value(*x, refs[0], words[2], verb[3] == 'i'));
    }
}

int main(int argc, char **argv) {
    char line[4096];
    fmi3Instance x = NULL;
    if (argc != 2)
        return 2;
    load(argv[1]);
    while (fgets(line, sizeof line, stdin)) {
        char *words[WORDS_MAX], *at = NULL;
        size_t count = 0;
        for (char *word = strtok_r(line, " \n", &at); word && count < WORDS_MAX;
             word = strtok_r(NULL, " \n", &at))
            words[count++] = word;
        if (count)
            obey(&x, words, count);
        fflush(stdout);
    }
    return 0;
}
