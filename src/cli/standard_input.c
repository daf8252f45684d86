/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <errno.h>
#include <string.h>

enum { READ_AT_ONCE = 1 << 16 };

hk_status hk_input_read(hk_cli *cli, char **ret_data, size_t *ret_size) {
    char *data = NULL;
    size_t size = 0, cap = 0, got;
    do {
        if (cap - size < READ_AT_ONCE) {
            cap = 2 * (cap + READ_AT_ONCE);
            data = hk_realloc(data, cap + 1);
        }
        got = fread(data + size, 1, READ_AT_ONCE, stdin);
        size += got;
    } while (got > 0);
    if (ferror(stdin)) {
        int why = errno;
        hk_free(data);
        return hk_error(cli->ctx, HK_E_FILE_READ, HK_NOWHERE, NULL,
                        "standard input cannot be read: %s", strerror(why));
    }
    data[size] = '\0';
    *ret_data = data;
    *ret_size = size;
    return HK_OK;
}
