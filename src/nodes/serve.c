/* SPDX-License-Identifier: MIT */
#include "nodes/serve.h"

#include "base/clock.h"
#include "base/libm.h"
#include "fmi/fmi.h"
#include "isolate/isolate.h"
#include "nodes/meeting_place.h"

#include <hk/version.h>

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- what both must have the same of ---- */

static void agree(const hk_info *info, hk_agreement *a) {
    char libm[HK_LIBM_TEXT];
    const hk_fmu_facts *facts = hk_fmu_get_facts(info->origin);
    hk_agreement_add(a, "the version of hocket",
                     hk_arena_printf(a->arena, "%d.%d.%d", HK_VERSION_MAJOR, HK_VERSION_MINOR,
                                     HK_VERSION_PATCH));
    hk_agreement_add(a, "the mathematical library", hk_libm_text(hk_libm_hash(), libm));
    hk_agreement_add(a, "the model", info->name);
    hk_agreement_add(
        a, "the content of the FMU",
        hk_arena_printf(a->arena, "%.16s", facts->fingerprint ? facts->fingerprint : ""));
    hk_agreement_add(
        a, "what is known of its variables",
        hk_arena_printf(a->arena, "%016llx", (unsigned long long)hk_isolate_key(info)));
}

/* ---- who asks ---- */

hk_status hk_serve_reach(hk_ctx *ctx, const hk_meet *meet, const hk_info *info, const char *name,
                         double timeout_s, int *ret_fd) {
    HK_ASSERT(ctx && meet && meet->place && info && info->can.fmi && name && ret_fd);
    hk_agreement agreement = {.arena = hk_arena_create()};
    agree(info, &agreement);
    hk_meet mine = *meet;
    mine.number = 1;
    const hk_meeting meeting = {
        .meet = &mine,
        .timeout_s = timeout_s,
        .agreement = &agreement,
        .host = hk_arena_printf(agreement.arena, "who serves component '%s'", name),
        .guest = "this run"};
    hk_status status = hk_meeting_visit(ctx, &meeting, ret_fd);
    hk_agreement_finish(&agreement);
    hk_arena_destroy(agreement.arena);
    return status;
}

/* ---- who serves ---- */

typedef struct server {
    hk_ctx *ctx;
    const hk_info *info;
    const hk_agreement *agreement; /* all that is kept lives in its arena */
    hk_meeting_host place;
} server;

/* Whoever comes says first what it has. HK_OK without *RET_AGREED: it was a stranger. */
static hk_status hear_guest(const server *s, int fd, bool *ret_agreed) {
    static const int64_t PATIENCE_NS = 5000000000;
    int64_t until = hk_clock_ns() + PATIENCE_NS;
    hk_buffer in = {0};
    hk_greeting g = {0};
    hk_heard heard;
    while ((heard = hk_meeting_hear(s->agreement->arena, fd, &in, &g)) == HK_HEARD_NOT_YET &&
           hk_clock_ns() < until && !hk_patience_stopped()) {
        struct pollfd one = {.fd = fd, .events = POLLIN};
        (void)poll(&one, 1, HK_MEETING_LOOK_MS);
    }
    hk_free(in.data);
    *ret_agreed = false;
    if (heard != HK_HEARD)
        return HK_OK;
    const char *difference = hk_greeting_difference(s->agreement->arena, s->agreement, &g);
    *ret_agreed = g.kind == HK_GREETING_HELLO && !difference;
    hk_agreement_finish(&g.agreement);
    return difference ? hk_error(s->ctx, HK_E_MEETING, (hk_where){.file = s->place.path},
                                 "both read the same FMU with the same hocket",
                                 "the run that came for the FMU has something else: %s", difference)
                      : HK_OK;
}

/* *RET_SERVED: it was one who asked for the FMU. */
static hk_status serve_one(const server *s, int fd, bool *ret_served) {
    *ret_served = false;
    if (!hk_meeting_is_ours(fd) ||
        !hk_meeting_greet(fd, &(hk_greeting){.agreement = *s->agreement}))
        return HK_OK;
    HK_TRY(hear_guest(s, fd, ret_served));
    return *ret_served ? hk_isolate_serve(s->ctx, s->info, fd, hk_patience_stopped) : HK_OK;
}

static void say_begin(const server *s, const hk_meet *meet, bool once) {
    if (meet->waits)
        meet->waits(meet->user,
                    hk_arena_printf(s->agreement->arena, "serving the FMU '%s' in %s, %s",
                                    s->info->name, s->place.path,
                                    once ? "to one run" : "until Ctrl-C"));
}

/* What differs, or fails, is said; and the next one may have the same. */
static hk_status serve_all(const server *s, bool once) {
    for (;;) {
        struct pollfd one = {.fd = s->place.socket, .events = POLLIN};
        int ready = poll(&one, 1, HK_MEETING_LOOK_MS);
        if (hk_patience_stopped())
            return HK_OK;
        int fd = ready > 0 ? accept(s->place.socket, NULL, NULL) : -1;
        if (fd < 0)
            continue;
        bool served = false;
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
        hk_status status = serve_one(s, fd, &served);
        close(fd);
        if (once && (served || status != HK_OK))
            return status;
    }
}

hk_status hk_serve(hk_ctx *ctx, const hk_meet *meet, const hk_info *info, bool once) {
    HK_ASSERT(ctx && meet && meet->place && info && info->can.fmi);
    hk_agreement agreement = {.arena = hk_arena_create()};
    server s = {.ctx = ctx, .info = info, .agreement = &agreement};
    const char *path = NULL;
    agree(info, &agreement);
    hk_status status = hk_meeting_path(ctx, agreement.arena, meet->place, &path);
    (void)hk_patience_begin(NULL, path); /* before anybody can know of the place */
    if (status == HK_OK)
        status = hk_meeting_open(ctx, agreement.arena, path, &s.place);
    if (status == HK_OK) {
        say_begin(&s, meet, once);
        status = serve_all(&s, once);
        hk_meeting_close(&s.place);
    }
    hk_patience_end();
    hk_agreement_finish(&agreement);
    hk_arena_destroy(agreement.arena);
    return status;
}
