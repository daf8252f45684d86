/* SPDX-License-Identifier: MIT
 *
 * The deeds of the animals. */
#define _GNU_SOURCE /* feenableexcept */
#include "animal.h"

#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Values. */
static int do_nan(animal *a) {
    a->y = NAN;
    return OK;
}
static int do_inf(animal *a) {
    a->y = INFINITY;
    return OK;
}
static int do_minus_inf(animal *a) {
    a->y = -INFINITY;
    return OK;
}
static int do_nan32(animal *a) {
    a->f = NAN;
    return OK;
}
static int do_inf32(animal *a) {
    a->f = INFINITY;
    return OK;
}
static int do_boolean_7(animal *a) {
    a->b = 7;
    return OK;
}
static int do_enum_99(animal *a) {
    a->mode = 99;
    return OK;
}
static int do_int_limits(animal *a) {
    a->n = INT32_MIN;
    a->mode = 1;
    a->l = INT64_MIN;
    return OK;
}
static int do_long_text(animal *a) {
    enum { BYTES = 64 << 20 };
    a->long_text = malloc(BYTES + 1);
    memset(a->long_text, 'x', BYTES);
    a->long_text[BYTES] = '\0';
    a->text = a->long_text;
    return OK;
}
static int do_bad_utf8(animal *a) {
    a->text = "caf\xe9 \xff\xc3";
    return OK;
}
static int do_null_text(animal *a) {
    a->text = NULL;
    return OK;
}
static int do_odd_text(animal *a) {
    a->text = "a,\"b\"\nc\r\033[31m";
    return OK;
}
static int do_wrong_extent(animal *a) {
    a->extent = 1000;
    return OK;
}

/* Statuses. */
static int do_warning(animal *a) {
    a->say(a, WARNING, "logStatusWarning", "it is getting warm");
    return WARNING;
}
static int do_discard(animal *a) {
    a->last = a->t + 0.125;
    return DISCARD;
}
static int do_terminated(animal *a) {
    a->last = a->t + 0.125;
    a->terminated = true;
    return DISCARD;
}
static int do_error(animal *a) {
    a->say(a, ERROR, "logStatusError", "the animal will not");
    return ERROR;
}
static int do_tell(animal *a) {
    a->say(a, ERROR, "logStatusError", a->told ? "its flag is true" : "its flag is false");
    return ERROR;
}
static int do_refuse_stop(animal *a) {
    return a->stop_told ? ERROR : OK;
}
static int do_silent_error(animal *a) {
    (void)a;
    return ERROR;
}
static int do_fatal(animal *a) {
    (void)a;
    return FATAL;
}
static int do_pending(animal *a) {
    a->questions = 0;
    return PENDING;
}
static int do_status_77(animal *a) {
    (void)a;
    return 77;
}
static int do_finish_step(animal *a) {
    a->step_finished(a);
    a->questions = 0;
    return PENDING;
}

/* Ends of the process. */
static int do_null_pointer(animal *a) {
    volatile int *nowhere = NULL;
    *nowhere = 1;
    return a->n;
}
static int do_abort(animal *a) {
    (void)a;
    abort();
}
static int do_exit(animal *a) {
    (void)a;
    exit(0);
}
static int do_exit_now(animal *a) {
    (void)a;
    _exit(0);
}
static int do_quick_exit(animal *a) {
    (void)a;
    quick_exit(0);
}
static void *end_it(void *nothing) {
    exit(0);
    return nothing;
}
static void *end_it_now(void *nothing) {
    _exit(0);
    return nothing;
}
static int do_exit_thread(animal *a) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, end_it, NULL) == 0)
        pthread_join(thread, NULL);
    return a->n < 0;
}
static int do_exit_now_thread(animal *a) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, end_it_now, NULL) == 0)
        pthread_join(thread, NULL);
    return a->n < 0;
}
static void *end_it_soon(void *nothing) {
    usleep(100000);
    return end_it(nothing);
}
static int do_exit_soon(animal *a) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, end_it_soon, NULL) == 0)
        pthread_detach(thread);
    return a->n < 0;
}
static int do_divide(animal *a) {
    volatile int zero = 0;
    return a->n / zero;
}
static int do_illegal(animal *a) {
    (void)a;
    __builtin_trap();
}
static int do_bus(animal *a) {
    raise(SIGBUS);
    return a->n;
}
static int do_kill(animal *a) {
    raise(SIGALRM);
    return a->n ? OK : OK;
}
static int do_broken_pipe(animal *a) {
    int ends[2];
    if (pipe(ends) == 0) {
        close(ends[0]);
        ssize_t written = write(ends[1], "x", 1);
        (void)written;
        close(ends[1]);
    }
    return a->n ? OK : OK;
}
static int do_interrupt(animal *a) {
    raise(SIGINT);
    return a->n ? OK : OK;
}
static int overflow(volatile char *above, int depth) {
    volatile char frame[4096];
    frame[0] = *above;
    return depth ? overflow(frame, depth + 1) + frame[0] : 0;
}
static int do_stack(animal *a) {
    volatile char top = 1;
    return overflow(&top, 1 + a->n);
}
static int do_hang(animal *a) {
    for (;;)
        if (sleep(1) && !a)
            return OK;
}
static int do_spin(animal *a) {
    for (volatile unsigned turns = 0;; turns++)
        if (!a)
            return OK;
}
static int do_smash_heap(animal *a) {
    char *volatile block = malloc(24); /* volatile: or the compiler takes all of it away */
    free(block);
    char *again = block;
    free(again); /* glibc finds this and aborts */
    return a->n ? OK : OK;
}

/* Messages. */
static int do_log_storm(animal *a) {
    for (int i = 0; i < 100000; i++)
        a->say(a, i == 99999 ? WARNING : OK, "logAll", "many words");
    return OK;
}
static int do_log_null(animal *a) {
    a->say_null(a);
    return OK;
}
static int do_log_wild(animal *a) {
    a->say_wild(a);
    return OK;
}
static int do_log_crash(animal *a) {
    a->say(a, OK, "logAll", "it looks for its licence");
    a->say(a, ERROR, "logStatusError", "there is none:\n  server: nowhere\n  port: 27000");
    return do_null_pointer(a);
}
static int do_log_lines(animal *a) {
    for (int i = 0; i < 12; i++)
        a->say(a, OK, "logAll", i % 2 ? "odd" : "even");
    a->say(a, ERROR, "logStatusError", "there is no licence:\n  server: nowhere\n  port: 27000");
    return ERROR;
}
static int do_log_signs(animal *a) {
    a->say(a, OK, "logAll", "#r1# is ##1, 100%, #r999#, #z1#, \033[31mred\n");
    return OK;
}
static int do_log_long(animal *a) {
    static char text[1 << 20];
    memset(text, 'w', sizeof text - 1);
    a->say(a, OK, "logAll", text);
    return OK;
}
static void *talk(void *self) {
    animal *a = self;
    a->say(a, OK, "logAll", "from another thread");
    return NULL;
}
static int do_log_thread(animal *a) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, talk, a) == 0)
        pthread_join(thread, NULL);
    return OK;
}
static int do_print(animal *a) {
    printf("printed %d\n", a->n < 0);
    ssize_t written = write(1, "written\n", 8);
    (void)written;
    fprintf(stderr, "moaned\n");
    return OK;
}

/* The state of the process. */
static int do_locale(animal *a) {
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) /* its decimal sign is a comma */
        setlocale(LC_ALL, "C.UTF-8");
    return a->n < 0;
}
static int do_thread_locale(animal *a) {
    uselocale(newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0));
    return a->n < 0;
}
static int do_rounding(animal *a) {
    fesetround(FE_UPWARD);
    return a->n < 0;
}
static int do_flush_to_zero(animal *a) {
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#endif
    return a->n < 0;
}
static int do_traps(animal *a) {
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
    return a->n < 0;
}
static void ignore(int number) {
    (void)number;
}
static int do_handlers(animal *a) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGPIPE, SIGSEGV, SIGABRT, SIGHUP, SIGUSR1};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        signal(numbers[i], ignore);
    return a->n < 0;
}
static int do_signal_mask(animal *a) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    return a->n < 0;
}
static int do_alternate_stack(animal *a) {
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    return a->n < 0;
}
static int do_chdir(animal *a) {
    return chdir("/") != 0 ? a->n < 0 : OK;
}
static int do_umask(animal *a) {
    umask(0777);
    return a->n < 0;
}
static int do_environment(animal *a) {
    setenv("HOME", "/nowhere", 1);
    setenv("TMPDIR", "/nowhere", 1);
    setenv("XDG_CACHE_HOME", "/nowhere", 1);
    return a->n < 0;
}
static int do_leak_files(animal *a) {
    for (int i = 0; i < 100; i++)
        if (open("/dev/null", O_RDONLY) < 0)
            return ERROR;
    return a->n < 0;
}
static int do_leak_memory(animal *a) {
    for (int i = 0; i < 100; i++) {
        char *volatile lost = malloc(10000);
        memset(lost, i, 10000);
    }
    return a->n < 0;
}
static int do_close_1(animal *a) {
    close(1);
    return a->n < 0;
}
static int do_close_2(animal *a) {
    close(2);
    return a->n < 0;
}
static int do_close_2_error(animal *a) {
    close(2);
    return do_error(a);
}
static int do_close_all(animal *a) {
    for (int fd = 0; fd < 64; fd++)
        close(fd);
    return a->n < 0;
}
static int do_take_files(animal *a) {
    usleep(1500000); /* by then the first rows are in the record */
    int fd = open("/dev/null", O_WRONLY);
    for (int other = 3; other < 64; other++)
        if (other != fd)
            dup2(fd, other);
    return a->n < 0;
}
/* Where its host writes: out.csv, or out.jsonl where there is no record. */
static const char *results(void) {
    return access("out.csv", F_OK) == 0 ? "out.csv" : "out.jsonl";
}
/* Another digit in the last line, so that neither length nor rows change. */
static void scribble(int fd) {
    struct stat info;
    char digit = '7';
    if (fstat(fd, &info) == 0 && info.st_size > 2)
        while (pwrite(fd, &digit, 1, info.st_size - 2) < 0)
            ;
}
static int do_scribble(animal *a) {
    usleep(1500000); /* by then the first rows are in the record */
    int fd = open(results(), O_WRONLY);
    scribble(fd);
    close(fd);
    return a->n < 0;
}
static int do_scribble_fd(animal *a) {
    struct stat wanted, info;
    usleep(1500000);
    if (stat(results(), &wanted) == 0)
        for (int fd = 3; fd < 64; fd++)
            if (fstat(fd, &info) == 0 && info.st_ino == wanted.st_ino)
                scribble(fd);
    return a->n < 0;
}
static int do_shorten(animal *a) {
    usleep(1500000);
    return truncate(results(), 10) == 0 ? a->n < 0 : ERROR;
}
/* At once: for a place where all is written. */
static int do_scribble_late(animal *a) {
    int fd = open(results(), O_WRONLY);
    scribble(fd);
    close(fd);
    return a->n < 0;
}
static int do_remove_late(animal *a) {
    return unlink(results()) == 0 ? a->n < 0 : ERROR;
}
static void *live_on(void *nothing) {
    static volatile int turns;
    for (;;) {
        usleep(1000);
        turns++;
    }
    return nothing;
}
static int do_thread(animal *a) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, live_on, NULL) == 0)
        pthread_detach(thread);
    return a->n < 0;
}
static int do_alarm(animal *a) {
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 100000}}, NULL);
    usleep(a->n < 0 ? 1 : 300000);
    return OK;
}
static int do_late_alarm(animal *a) {
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 900000}}, NULL);
    return a->n < 0;
}
static int do_ticking(animal *a) {
    signal(SIGALRM, ignore);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 5000}, {0, 5000}}, NULL);
    return a->n < 0;
}
static int do_limits(animal *a) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = 4;
    setrlimit(RLIMIT_NOFILE, &limit);
    return nice(1) == -2 ? a->n < 0 : OK;
}
static int do_fork_exit(animal *a) {
    pid_t child = fork();
    if (child == 0)
        exit(3);
    waitpid(child, NULL, 0);
    return a->n < 0;
}
static int do_fork_exit_now(animal *a) {
    pid_t child = fork();
    if (child == 0)
        _exit(3);
    waitpid(child, NULL, 0);
    return a->n < 0;
}
static int do_fork_crash(animal *a) {
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0});
        do_null_pointer(a);
    }
    waitpid(child, NULL, 0);
    return a->n < 0;
}
static int do_sleep(animal *a) {
    usleep(300000);
    return a->n < 0;
}

/* Deeds that the calls themselves look for. */
static int do_nothing(animal *a) {
    (void)a;
    return OK;
}

static const animal_deed deeds[] = {
    {"nan", do_nan},
    {"inf", do_inf},
    {"minus_inf", do_minus_inf},
    {"nan32", do_nan32},
    {"inf32", do_inf32},
    {"boolean_7", do_boolean_7},
    {"enum_99", do_enum_99},
    {"int_limits", do_int_limits},
    {"long_text", do_long_text},
    {"bad_utf8", do_bad_utf8},
    {"null_text", do_null_text},
    {"odd_text", do_odd_text},
    {"wrong_extent", do_wrong_extent},
    {"warning", do_warning},
    {"discard", do_discard},
    {"terminated", do_terminated},
    {"error", do_error},
    {"tell", do_tell},
    {"refuse_stop", do_refuse_stop},
    {"silent_error", do_silent_error},
    {"fatal", do_fatal},
    {"pending", do_pending},
    {"pending_error", do_pending},
    {"pending_fatal", do_pending},
    {"pending_for_ever", do_pending},
    {"pending_unasked", do_pending},
    {"finish_step", do_finish_step},
    {"status_77", do_status_77},
    {"null_pointer", do_null_pointer},
    {"abort", do_abort},
    {"exit", do_exit},
    {"exit_now", do_exit_now},
    {"quick_exit", do_quick_exit},
    {"exit_thread", do_exit_thread},
    {"exit_now_thread", do_exit_now_thread},
    {"exit_soon", do_exit_soon},
    {"divide", do_divide},
    {"illegal", do_illegal},
    {"bus", do_bus},
    {"raise_alarm", do_kill},
    {"broken_pipe", do_broken_pipe},
    {"interrupt", do_interrupt},
    {"stack", do_stack},
    {"hang", do_hang},
    {"spin", do_spin},
    {"smash_heap", do_smash_heap},
    {"log_storm", do_log_storm},
    {"log_null", do_log_null},
    {"log_wild", do_log_wild},
    {"log_crash", do_log_crash},
    {"log_lines", do_log_lines},
    {"log_signs", do_log_signs},
    {"log_long", do_log_long},
    {"log_thread", do_log_thread},
    {"print", do_print},
    {"locale", do_locale},
    {"thread_locale", do_thread_locale},
    {"rounding", do_rounding},
    {"flush_to_zero", do_flush_to_zero},
    {"traps", do_traps},
    {"handlers", do_handlers},
    {"signal_mask", do_signal_mask},
    {"alternate_stack", do_alternate_stack},
    {"chdir", do_chdir},
    {"umask", do_umask},
    {"environment", do_environment},
    {"leak_files", do_leak_files},
    {"leak_memory", do_leak_memory},
    {"close_1", do_close_1},
    {"close_2", do_close_2},
    {"close_2_error", do_close_2_error},
    {"close_all", do_close_all},
    {"take_files", do_take_files},
    {"scribble", do_scribble},
    {"scribble_fd", do_scribble_fd},
    {"shorten", do_shorten},
    {"scribble_late", do_scribble_late},
    {"remove_late", do_remove_late},
    {"thread", do_thread},
    {"alarm", do_alarm},
    {"late_alarm", do_late_alarm},
    {"ticking", do_ticking},
    {"limits", do_limits},
    {"fork_exit", do_fork_exit},
    {"fork_exit_now", do_fork_exit_now},
    {"fork_crash", do_fork_crash},
    {"sleep", do_sleep},
    {"calm", do_nothing},
    {"same", do_nothing},           /* instantiate: always the same instance */
    {"size_zero", do_nothing},      /* the serialised state has no bytes */
    {"size_huge", do_nothing},      /* ... or more than there is memory */
    {"null_state", do_nothing},     /* the state is NULL, and the call OK */
    {"returns_early", do_nothing},  /* FMI 3: after half of the step */
    {"stands_still", do_nothing},   /* FMI 3: returns early, without progress */
    {"goes_too_far", do_nothing},   /* FMI 3: last successful time behind the end of the step */
    {"needs_event", do_nothing},    /* FMI 3: event handling is needed */
    {"stops_at_event", do_nothing}, /* FMI 3: the same, after half of the step */
    {"asks_to_end", do_nothing},    /* FMI 3: terminate simulation */
    {NULL, NULL},
};

static bool is_named(const char *name, const char *word) {
    size_t length = strlen(name);
    return name[length - 1] == '_' ? strncmp(name, word, length) == 0 : strcmp(name, word) == 0;
}

static int do_deed(animal *a) {
    const animal_deed *const tables[] = {deeds,          hostile_ends,  hostile_files,
                                         hostile_memory, hostile_reach, hostile_throws};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const animal_deed *d = tables[t]; d && d->name; d++)
            if (is_named(d->name, a->deed))
                return d->act(a);
    fprintf(stderr, "no animal can do '%s'\n", a->deed);
    abort();
}

/* The deed that the environment variable names, if there is one. */
static void do_named(const char *variable) {
    animal nobody = {.n = 1};
    const char *word = getenv(variable);
    if (!word)
        return;
    snprintf(nobody.deed, sizeof nobody.deed, "%s", word);
    do_deed(&nobody);
}

__attribute__((constructor)) static void at_load(void) {
    do_named("ZOO_LOAD");
}

__attribute__((destructor)) static void at_unload(void) {
    do_named("ZOO_UNLOAD");
}

static int hex(char c) {
    return c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
}

/* The first line of FILE in the folder that LOCATION, a URI or a path, names. */
static void read_resource(animal *a, const char *location, const char *file) {
    char path[4096];
    size_t length = 0;
    bool uri = strncmp(location, "file://", 7) == 0;
    for (const char *c = uri ? location + 7 : location; *c && length < sizeof path - 300; c++) {
        bool escape = uri && c[0] == '%';
        path[length++] = escape ? (char)(hex(c[1]) * 16 + hex(c[2])) : *c;
        c += escape ? 2 : 0;
    }
    if (length && path[length - 1] == '/')
        length--;
    snprintf(a->resources, sizeof a->resources, "%.*s", (int)length, path);
    snprintf(path + length, sizeof path - length, "/%s", file);
    FILE *in = fopen(path, "r");
    if (!in)
        return;
    if (fgets(a->resource, sizeof a->resource, in))
        a->resource[strcspn(a->resource, "\n")] = '\0';
    fclose(in);
}

bool animal_born(animal *a, const char *guid, const char *resources) {
    a->k = 1;
    a->mode = 1;
    a->text = "text";
    a->extent = 3;
    a->l = 1;
    strcpy(a->resource, "nothing");
    if (resources)
        read_resource(a, resources, getenv("ZOO_NOTE") ? getenv("ZOO_NOTE") : "note.txt");
    if (!guid || strncmp(guid, "zoo:", 4) != 0) {
        a->say(a, ERROR, "logStatusError", "this is not an animal");
        return false;
    }
    const char *deed = guid + 4, *at = strchr(deed, '@');
    snprintf(a->deed, sizeof a->deed, "%.*s", (int)(at ? at - deed : 31), deed);
    snprintf(a->place, sizeof a->place, "%s", at ? at + 1 : "never");
    return true;
}

void animal_dies(animal *a) {
    free(a->long_text);
}

bool is_to(const animal *a, const char *deed, const char *place) {
    bool running =
        strcmp(place, "step") == 0 || strcmp(place, "get") == 0 || strcmp(place, "set") == 0;
    return strcmp(a->place, place) == 0 && strcmp(a->deed, deed) == 0 && !(running && a->t < 0.5);
}

int act(animal *a, const char *place) {
    if (a->done || !is_to(a, a->deed, place))
        return OK;
    a->done = true;
    return do_deed(a);
}

void animal_steps(animal *a, double t, double h) {
    a->y += h * (a->k + a->x);
    a->f += (float)h;
    a->t = t + h;
    a->last = a->t;
    a->n += a->n >= 0;
}

const char *animal_version(const char *right) {
    return getenv("ZOO_VERSION") ? getenv("ZOO_VERSION") : right;
}

double animal_real(const animal *a, unsigned ref) {
    switch (ref) {
    case X:
        return a->x;
    case Y:
        return a->y;
    case K:
        return a->k;
    default:
        return a->y + ref;
    }
}

int animal_pending(animal *a, int *ret_status) {
    if (strcmp(a->deed, "pending_unasked") == 0)
        return DISCARD;
    bool ended = ++a->questions >= 3 && strcmp(a->deed, "pending_for_ever") != 0;
    *ret_status = !ended                                  ? PENDING
                  : strcmp(a->deed, "pending_error") == 0 ? ERROR
                  : strcmp(a->deed, "pending_fatal") == 0 ? FATAL
                                                          : OK;
    return OK;
}

/* What a state is: nothing that belongs to one instance only. */
typedef struct kept {
    double x, y, k, t;
    int n;
    float f;
} kept;

int animal_get_state(void *self, void **state) {
    animal *a = self;
    int status = act(a, "state");
    if (status > WARNING || is_to(a, "null_state", "state"))
        return status;
    if (!*state)
        *state = malloc(sizeof(kept));
    *(kept *)*state = (kept){a->x, a->y, a->k, a->t, a->n, a->f};
    return status;
}

int animal_set_state(void *self, const void *state) {
    animal *a = self;
    int status = act(a, "restore");
    if (status > WARNING)
        return status;
    const kept *s = state;
    a->x = s->x, a->y = s->y, a->k = s->k, a->t = s->t, a->n = s->n, a->f = s->f;
    return status;
}

int animal_free_state(void **state) {
    free(*state);
    *state = NULL;
    return OK;
}

int animal_state_size(void *self, size_t *ret_size) {
    *ret_size = is_to(self, "size_zero", "serialize")   ? 0
                : is_to(self, "size_huge", "serialize") ? SIZE_MAX / 4
                                                        : sizeof(kept);
    return OK;
}

int animal_save(void *self, const void *state, void *bytes, size_t size) {
    int status = act(self, "serialize");
    if (status <= WARNING && size == sizeof(kept))
        memcpy(bytes, state, size);
    return status;
}

int animal_load(void *self, const void *bytes, size_t size, void **ret_state) {
    int status = act(self, "deserialize");
    if (status > WARNING || size != sizeof(kept))
        return status > WARNING ? status : ERROR;
    *ret_state = malloc(size);
    memcpy(*ret_state, bytes, size);
    return status;
}
