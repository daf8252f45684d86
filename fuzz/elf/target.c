/* SPDX-License-Identifier: MIT
 *
 * Shared libraries that are read but not loaded: nothing outside of the file is touched, and what
 * is read are texts. */
#include "fuzz.h"

#include "format/elf.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    const hk_elf *elf = NULL;
    hk_status status = hk_elf_read(ctx, arena, "library.so", data, size, &elf);
    fuzz_check_diags(ctx, status, data, size);
    HK_ASSERT((status == HK_OK) == (elf != NULL));
    for (size_t i = 0; elf && i < elf->export_count; i++)
        HK_ASSERT(elf->exports[i][0] && strlen(elf->exports[i]) < size);
    for (size_t i = 0; elf && i < elf->import_count; i++)
        HK_ASSERT(elf->imports[i][0] && strlen(elf->imports[i]) < size);
    for (size_t i = 0; elf && i < elf->needed_count; i++)
        HK_ASSERT(strlen(elf->needed[i]) < size);
    (void)hk_elf_defines(data, size, "fmi2DoStep");
    const char *section = NULL;
    size_t length = 0;
    if (hk_elf_section(data, size, ".text", &section, &length))
        HK_ASSERT(length <= size && section >= (const char *)data &&
                  section + length <= (const char *)data + size);
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
    return 0;
}
