/* SPDX-License-Identifier: MIT */
#include "others.h"

#include "base/clock.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static double seconds(struct timeval t) {
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double used_by(int who) {
    struct rusage usage;
    return getrusage(who, &usage) == 0 ? seconds(usage.ru_utime) + seconds(usage.ru_stime) : 0.0;
}

/* The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. */
static double used_by_all(void) {
    enum { FIELDS = 8, IDLE = 3, IOWAIT = 4 };
    FILE *file = fopen("/proc/stat", "r");
    char line[512];
    double sum = 0.0;
    bool good = file && fgets(line, sizeof line, file) && strncmp(line, "cpu", 3) == 0;
    const char *at = line + 3;
    for (int i = 0; i < FIELDS && good; i++) {
        char *end;
        double ticks = strtod(at, &end);
        good = end != at;
        if (good && i != IDLE && i != IOWAIT)
            sum += ticks;
        at = end;
    }
    if (file)
        fclose(file);
    return good ? sum / (double)sysconf(_SC_CLK_TCK) : (double)NAN;
}

bench_moment bench_now(void) {
    return (bench_moment){.wall_s = (double)hk_clock_ns() / 1e9,
                          .all_s = used_by_all(),
                          .own_s = used_by(RUSAGE_SELF) + used_by(RUSAGE_CHILDREN)};
}

double bench_others(bench_moment since) {
    bench_moment now = bench_now();
    double wall = now.wall_s - since.wall_s;
    double others = (now.all_s - since.all_s) - (now.own_s - since.own_s);
    return wall > 0.0 && others > 0.0 ? others / wall : 0.0; /* NaN is not above 0 */
}
