/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include "engine/guard.h"
#include "tool/tool.h"

#include <stdlib.h>
#include <unistd.h>

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* `hocket build` writes what it packs into the mark of the copy; so no compiler may know it. */
__attribute__((section(".hocket.tool"), used)) static const volatile hk_tool_mark mark = {
    .magic = HK_TOOL_MAGIC};

/* Components find these before those of the system: one that ends the process is to be reported. */
__attribute__((visibility("default"))) void _exit(int status) {
    hk_guard_exit();
    hk_guard_end(status);
}

__attribute__((visibility("default"))) void _Exit(int status) {
    _exit(status);
}

int main(int argc, char **argv) {
    static const hk_build build = {.version = HK_VERSION,
                                   .type = HK_BUILD_TYPE,
                                   .compiler = COMPILER,
                                   .sanitizers = HK_SANITIZERS,
                                   .mark = &mark};
    hk_guard_program(true);
    int status = hk_cli_main(&build, argc, argv);
    hk_guard_program(false);
    return status;
}
