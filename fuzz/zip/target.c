/* SPDX-License-Identifier: MIT
 *
 * ZIP archives: opened, listed, every entry read. What is accepted has names that stay inside the
 * folder, are unique and can be found, and contents of the declared size. */
#include "fuzz.h"

#include "format/zip.h"

#include <string.h>

enum { READ_BYTES_MAX = 1 << 22 }; /* larger entries only cost time */

static void check_name(const hk_zip *zip, size_t index) {
    const char *name = hk_zip_name(zip, index);
    HK_ASSERT(name[0] && name[0] != '/' && !strchr(name, '\\'));
    HK_ASSERT(hk_zip_find(zip, name) == (int64_t)index);
    for (const char *part = name; part && *part; part = strchr(part, '/')) {
        part += *part == '/';
        HK_ASSERT(strncmp(part, "../", 3) != 0 && strcmp(part, "..") != 0);
    }
}

static void check_entry(hk_ctx *ctx, hk_zip *zip, size_t index) {
    char *data;
    size_t size, errors = hk_ctx_count(ctx, HK_ERROR);
    check_name(zip, index);
    if (hk_zip_size(zip, index) > READ_BYTES_MAX)
        return;
    if (hk_zip_read(ctx, zip, index, &data, &size) != HK_OK) {
        HK_ASSERT(hk_ctx_count(ctx, HK_ERROR) > errors);
        return;
    }
    HK_ASSERT(size == hk_zip_size(zip, index) && data[size] == '\0');
    hk_free(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { ENTRIES = 64 };
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_zip *zip = NULL;
    hk_status status = hk_zip_open_memory(ctx, "fuzz.zip", data, size, &zip);
    fuzz_check_diags(ctx, status, data, size);
    HK_ASSERT((status == HK_OK) == (zip != NULL));
    if (zip)
        for (size_t i = 0; i < hk_zip_count(zip) && i < ENTRIES; i++)
            check_entry(ctx, zip, i);
    hk_zip_close(zip);
    hk_ctx_destroy(ctx);
    return 0;
}
