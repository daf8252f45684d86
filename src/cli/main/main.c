/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

int main(int argc, char **argv) {
    static const hk_build build = {.version = HK_VERSION,
                                   .type = HK_BUILD_TYPE,
                                   .compiler = COMPILER,
                                   .sanitizers = HK_SANITIZERS};
    return hk_cli_main(&build, argc, argv);
}
