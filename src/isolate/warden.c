/* SPDX-License-Identifier: MIT
 *
 * The warden of a sandbox: a thread of hocket that the kernel asks what a call of a component is to
 * be answered with, while the component waits. He writes down what was denied. What he lets go on
 * is decided by Landlock once more: the component could change a path between his look and the
 * kernel's. */
#define _GNU_SOURCE /* process_vm_readv */
#include "isolate/sandbox_internal.h"

#include "base/descriptors.h"
#include "base/file.h"
#include "base/number.h"
#include "base/thread.h"
#include "fmi/fmu.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WHAT_BYTES = 512 };

struct hk_warden {
    pthread_t thread;
    const hk_sandbox *box;
    hk_iso_page *page;
    const char *folder;
    char here[PATH_MAX]; /* where hocket was started: what is below is shown without it */
    pid_t process;
    int door, listener, stop;
    bool landlock;
    _Atomic uint32_t denied; /* by deed: `what` holds the first of them */
    char what[HK_DEEDS][WHAT_BYTES];
    const char *calling[HK_DEEDS]; /* as the page says it; the text need not be there */
    uint32_t told;                 /* of hocket's own thread */
};

/* ---- paths ---- */

/* A text in the memory of the component, which may change at any time; false: it cannot be read. */
static bool read_text(pid_t task, uint64_t at, char text[PATH_MAX]) {
    enum { PAGE = 4096 };
    if (!at)
        return false;
    const size_t first = PAGE - at % PAGE;
    struct iovec here = {text, PATH_MAX - 1};
    struct iovec there[2] = {
        {(void *)(uintptr_t)at, first},
        {(void *)(uintptr_t)(at + first), PATH_MAX - 1 - (first < PATH_MAX ? first : 0)}};
    there[0].iov_len = first < PATH_MAX ? first : PATH_MAX - 1;
    ssize_t got = process_vm_readv(task, &here, 1, there, first < PATH_MAX - 1 ? 2 : 1, 0);
    if (got <= 0)
        return false;
    text[got] = '\0';
    return strlen(text) < (size_t)got;
}

/* PATH as it is seen from here: begins at the root, or in a folder that the component has open. */
static void seen_from_here(pid_t task, const char *path, int folder, char whole[2 * PATH_MAX]) {
    static const char self[] = "/proc/self/", thread[] = "/proc/thread-self/";
    if (strncmp(path, self, sizeof self - 1) == 0)
        snprintf(whole, (size_t)2 * PATH_MAX, "/proc/%ld/%s", (long)task, path + sizeof self - 1);
    else if (strncmp(path, thread, sizeof thread - 1) == 0)
        snprintf(whole, (size_t)2 * PATH_MAX, "/proc/%ld/%s", (long)task, path + sizeof thread - 1);
    else if (*path == '/')
        snprintf(whole, (size_t)2 * PATH_MAX, "%s", path);
    else if (folder == AT_FDCWD)
        snprintf(whole, (size_t)2 * PATH_MAX, "/proc/%ld/cwd/%s", (long)task, path);
    else
        snprintf(whole, (size_t)2 * PATH_MAX, "/proc/%ld/fd/%d/%s", (long)task, folder, path);
}

/* Where the last name is, without links; FOLLOW: what it links to, if there is something. */
static bool resolve(const char *whole, bool follow, char real[PATH_MAX]) {
    char folder[2 * PATH_MAX], name[PATH_MAX];
    if (follow && realpath(whole, real))
        return true;
    size_t length = strlen(whole);
    while (length > 1 && whole[length - 1] == '/')
        length--;
    size_t cut = length;
    while (cut && whole[cut - 1] != '/')
        cut--;
    if (length - cut >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)(length - cut), whole + cut);
    snprintf(folder, sizeof folder, "%.*s", (int)cut, whole);
    if (!realpath(*folder ? folder : ".", real))
        return false;
    length = strlen(real);
    int more = snprintf(real + length, PATH_MAX - length, "%s%s", length > 1 ? "/" : "", name);
    return more >= 0 && (size_t)more < PATH_MAX - length;
}

static bool is_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static bool may_write(const hk_warden *w, const char *real) {
    static const char *const nowhere[] = {"/dev/null", "/dev/zero", "/dev/full"};
    bool may = is_below(real, w->folder);
    for (size_t i = 0; i < w->box->write.count && !may; i++)
        may = is_below(real, w->box->write.all[i]);
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere && !may; i++)
        may = strcmp(real, nowhere[i]) == 0;
    return may;
}

/* What the component has open itself need not have a name here: Landlock knows. What is behind it,
 * or behind its root and its folder, has one. */
static bool is_its_own(const char *path) {
    static const char *const begins[] = {"/proc/self/fd/", "/proc/thread-self/fd/", "/dev/fd/",
                                         "/dev/std"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(path, begins[i], strlen(begins[i])) == 0)
            return !strchr(path + strlen(begins[i]), '/');
    return false;
}

/* ---- a question ---- */

typedef struct question {
    const struct seccomp_notif *asked;
    const hk_sandbox_call *call; /* NULL: is not known */
    char path[PATH_MAX];         /* "": none */
} question;

static uint64_t argument(const question *q, int index) {
    return q->asked->data.args[index];
}

/* True: the call may go on, as far as this path says. */
static bool may_path(const hk_warden *w, question *q, int path, int folder) {
    char whole[2 * PATH_MAX], real[PATH_MAX];
    pid_t task = (pid_t)q->asked->pid;
    if (path < 0)
        return true;
    if (!read_text(task, argument(q, path), q->path))
        q->path[0] = '\0';
    if (!q->path[0] || is_its_own(q->path))
        return true;
    seen_from_here(task, q->path, folder < 0 ? AT_FDCWD : (int)argument(q, folder), whole);
    if (!resolve(whole, q->call->rule == HK_RULE_OPENS, real))
        return true; /* there is no such folder, and the kernel will say so */
    memcpy(q->path, real, sizeof real);
    return may_write(w, real);
}

static bool may_all_paths(const hk_warden *w, question *q) {
    const hk_sandbox_call *c = q->call;
    return may_path(w, q, c->path, c->folder) && may_path(w, q, c->other_path, c->other_folder) &&
           w->landlock;
}

static bool is_own_thread(const hk_warden *w, int task) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/task/%d", (long)w->process, task);
    return access(path, F_OK) == 0;
}

/* A folder has two links of its own, and one for each folder in it. */
static bool may_have_thread(const hk_warden *w) {
    char path[64];
    struct stat info;
    snprintf(path, sizeof path, "/proc/%ld/task", (long)w->process);
    return stat(path, &info) == 0 &&
           (!w->box->threads || info.st_nlink < 2 + (uint64_t)w->box->threads);
}

static bool may_go_on(const hk_warden *w, question *q, hk_deed *ret_deed) {
    const hk_sandbox_call *c = q->call;
    *ret_deed = c ? c->deed : HK_DEED_UNKNOWN;
    switch (c ? c->rule : HK_RULE_DENIED) {
    case HK_RULE_OPENS:
    case HK_RULE_WRITES:
        return may_all_paths(w, q);
    case HK_RULE_THREAD:
        return is_own_thread(w, (int)argument(q, 0));
    case HK_RULE_CLONE:
        if (!(argument(q, 0) & CLONE_THREAD))
            return false;
        *ret_deed = HK_DEED_THREADS;
        return may_have_thread(w);
    case HK_RULE_FCNTL:
        if ((int)argument(q, 1) == F_SETLEASE || (int)argument(q, 1) == HK_SETDELEG)
            *ret_deed = HK_DEED_LEASE;
        return false;
    case HK_RULE_SOCKET:
        if ((int)argument(q, 0) == AF_UNIX || (int)argument(q, 0) == AF_NETLINK)
            *ret_deed = HK_DEED_SERVICE;
        return false;
    default:
        if (c && c->path >= 0) /* only for the message */
            (void)may_path(w, q, c->path, c->folder);
        return false;
    }
}

static const char *as_shown(const hk_warden *w, const char *path) {
    size_t length = strlen(w->here);
    return length > 1 && is_below(path, w->here) && path[length] ? path + length + 1 : path;
}

static void write_down(hk_warden *w, hk_deed deed, const question *q) {
    char *what = w->what[deed];
    uint32_t bit = UINT32_C(1) << deed;
    if (atomic_load_explicit(&w->denied, memory_order_relaxed) & bit)
        return;
    if (!q->call)
        snprintf(what, WHAT_BYTES, "system call %d%s", q->asked->data.nr,
                 q->asked->data.arch == AUDIT_ARCH_I386 ? " of 32 bits" : "");
    else if (q->path[0])
        snprintf(what, WHAT_BYTES, "%s of '%.400s'", q->call->name, as_shown(w, q->path));
    else if (q->call->rule == HK_RULE_SOCKET)
        snprintf(what, WHAT_BYTES, "%s of family %d", q->call->name, (int)argument(q, 0));
    else
        snprintf(what, WHAT_BYTES, "%s", q->call->name);
    w->calling[deed] = atomic_load(&w->page->calling);
    atomic_fetch_or_explicit(&w->denied, bit, memory_order_release);
    atomic_store(&w->page->spoke, 1);
}

static bool is_of_this_processor(const struct seccomp_data *data) {
#if defined(__x86_64__)
    return data->arch == AUDIT_ARCH_X86_64;
#else
    return data->arch == AUDIT_ARCH_AARCH64;
#endif
}

static void answer(hk_warden *w, const struct seccomp_notif *asked) {
    question q = {.asked = asked,
                  .call = is_of_this_processor(&asked->data) ? hk_sandbox_call_of(asked->data.nr)
                                                             : NULL};
    struct seccomp_notif_resp response = {.id = asked->id};
    hk_deed deed;
    if (may_go_on(w, &q, &deed)) {
        response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    } else {
        response.error = -hk_sandbox_errno(deed);
        write_down(w, deed, &q);
    }
    (void)ioctl(w->listener, SECCOMP_IOCTL_NOTIF_SEND, &response); /* it may be gone by now */
}

/* ---- the thread ---- */

/* True: there is something at FD; false: it is time to stop. */
static bool wait_for(const hk_warden *w, int fd) {
    struct pollfd both[] = {{.fd = fd, .events = POLLIN}, {.fd = w->stop, .events = POLLIN}};
    while (poll(both, 2, -1) < 0)
        if (errno != EINTR)
            return false;
    return both[1].revents == 0 && (both[0].revents & POLLIN);
}

static void *watch(void *user) {
    hk_warden *w = user;
    union { /* a kernel may have more to say than the headers know */
        struct seccomp_notif asked;
        char room[512];
    } one;
    if (wait_for(w, w->door)) /* else the component has gone before, and asks nothing */
        w->listener = hk_descriptor_take(w->door);
    while (w->listener >= 0 && wait_for(w, w->listener)) {
        memset(&one, 0, sizeof one);
        if (ioctl(w->listener, SECCOMP_IOCTL_NOTIF_RECV, &one.asked) == 0)
            answer(w, &one.asked);
        else if (errno != EINTR && errno != ENOENT) /* the one who asked is gone */
            break;
    }
    return NULL;
}

hk_warden *hk_warden_start(const hk_iso_unit *u, int door, pid_t process) {
    const char *why_not;
    hk_warden *w = hk_alloc(sizeof *w);
    *w = (hk_warden){.box = u->sandbox,
                     .page = u->page,
                     .folder = u->child_folder,
                     .process = process,
                     .door = door,
                     .listener = -1,
                     .stop = eventfd(0, EFD_CLOEXEC),
                     .landlock = hk_landlock_version(&why_not) > 0};
    if (!getcwd(w->here, sizeof w->here))
        w->here[0] = '\0';
    int problem = w->stop < 0 ? errno : hk_thread_start(&w->thread, watch, w);
    if (!problem)
        return w;
    if (w->stop >= 0)
        close(w->stop);
    close(door);
    hk_free(w);
    errno = problem;
    return NULL;
}

void hk_warden_end(hk_warden *w) {
    if (!w)
        return;
    (void)eventfd_write(w->stop, 1);
    (void)pthread_join(w->thread, NULL);
    close(w->stop);
    close(w->door);
    if (w->listener >= 0)
        close(w->listener);
    hk_free(w);
}

/* ---- what is said of it ---- */

static const struct {
    const char *what, *hint;
} words[HK_DEEDS] = {
    [HK_DEED_NETWORK] = {"the network", "--allow network permits it"},
    [HK_DEED_SERVICE] = {"a connection to a service of this machine", NULL},
    [HK_DEED_PROGRAM] = {"a new process or program", NULL},
    [HK_DEED_WRITE] = {"a write outside of its folder", "--allow write=DIR permits it in a folder"},
    [HK_DEED_ATTRIBUTE] = {"a change of the attributes of a file", NULL},
    [HK_DEED_SIGNAL] = {"a signal or another priority for another process", NULL},
    [HK_DEED_REACH] = {"a way into another process", NULL},
    [HK_DEED_SHARE] = {"memory or queues that others can see or that outlive it", NULL},
    [HK_DEED_SYSTEM] = {"a call that administers a process or the machine", NULL},
    [HK_DEED_LEASE] = {"a lease of a file, for which others would wait", NULL},
    [HK_DEED_THREADS] = {"one more thread", "--limit threads=N permits more"},
    [HK_DEED_UNKNOWN] = {"a call that it does not know", NULL},
};

static const char *hint_of(hk_iso_unit *u, hk_deed deed) {
    const hk_warden *w = u->warden;
    if (deed == HK_DEED_WRITE && !w->landlock)
        return "without Landlock nothing can be written; hocket doctor says why it is not there";
    return words[deed].hint ? words[deed].hint : "nothing of it was done; the run goes on";
}

static void tell_one(hk_iso_unit *u, hk_deed deed) {
    const hk_warden *w = u->warden;
    char time[HK_NUMBER_MAX + 1];
    hk_where where = {.element = u->base.name};
    char *calling = hk_guarded_text(w->calling[deed], 64);
    time[hk_write_f64(hk_iso_now(u), time)] = '\0';
    const char *text = hk_arena_printf(
        u->arena, "component '%s': the sandbox has denied %s (%s) in %s at t = %s s", u->base.name,
        words[deed].what, w->what[deed], calling ? calling : u->last_call, time);
    hk_free(calling);
    if (deed == HK_DEED_SERVICE) /* the system's library tries that for everybody */
        hk_note(u->ctx, where, "%s; looking up users and hosts tries one, and goes on without",
                text);
    else
        hk_warn(u->ctx, HK_E_UNIT_DENIED, where, hint_of(u, deed), "%s", text);
}

void hk_warden_tell(hk_iso_unit *u) {
    hk_warden *w = u->warden;
    if (!w)
        return;
    uint32_t news = atomic_load_explicit(&w->denied, memory_order_acquire) & ~w->told;
    w->told |= news;
    for (unsigned deed = 0; deed < HK_DEEDS; deed++)
        if (news & UINT32_C(1) << deed)
            tell_one(u, (hk_deed)deed);
}
