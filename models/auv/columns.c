/* SPDX-License-Identifier: MIT */
#include "columns.h"

#include <stdlib.h>
#include <string.h>

bool hk_auv_column_find(const csv_file *file, const char *names, quantity what, const char *bare,
                        column *ret, words *why) {
    *ret = (column){.index = -1, .factor = 1};
    for (size_t i = 0; i < hk_auv_csv_columns(file); i++) {
        const char *name = hk_auv_csv_name(file, i);
        if (!hk_auv_csv_means(name, names))
            continue;
        if (ret->index >= 0)
            return hk_auv_fail(why, "%s: the columns '%.60s' and '%.60s' mean the same",
                               hk_auv_csv_path(file), hk_auv_csv_name(file, (size_t)ret->index),
                               name),
                   false;
        ret->index = (int)i;
    }
    if (ret->index < 0)
        return true;
    const char *unit = hk_auv_csv_unit(file, (size_t)ret->index);
    if (!*unit)
        unit = bare;
    const table_unit *known = hk_auv_unit_named(unit);
    if (known && known->what == what)
        return ret->factor = known->factor,
               hk_auv_csv_use(file, (size_t)ret->index, why) == HK_STEP_OK;
    return hk_auv_fail(why, "%s: column '%.60s' has the unit '%.20s', which is not known",
                       hk_auv_csv_path(file), hk_auv_csv_name(file, (size_t)ret->index), unit),
           false;
}

/* ---- keys ---- */

bool hk_auv_key_make(table_key *key, const hk_bytes *name, const double numbers[5]) {
    key->name = malloc(name->size + 1);
    if (!key->name)
        return false;
    memcpy(key->name, name->data, name->size);
    key->name[name->size] = 0;
    key->name_size = name->size;
    memcpy(key->numbers, numbers, sizeof key->numbers);
    return true;
}

bool hk_auv_key_fits(const table_key *key, const hk_bytes *name, const double numbers[5]) {
    return key->name_size == name->size &&
           memcmp(key->numbers, numbers, sizeof key->numbers) == 0 &&
           memcmp(key->name, name->data, name->size) == 0;
}
