/* SPDX-License-Identifier: MIT
 *
 * What is around a state in a file: its format, its checksum, its time;
 * and a run that is written and read at once. */
#include "engine/statefile.h"

#include "base/claims.h"
#include "base/file.h"
#include "base/map.h"
#include "base/number.h"

#include <string.h>

bool hk_state_checksum_agrees(const char *data, size_t size) {
    uint64_t filed = 0;
    for (size_t i = 0; i < 8; i++)
        filed |= (uint64_t)(unsigned char)data[size - 8 + i] << (8 * i);
    return filed == hk_hash(HK_HASH_SEED, data, size - 8);
}

bool hk_state_is_other_format(char version) {
    return version != HK_STATE_VERSION && version >= '1' && version <= '9';
}

hk_status hk_state_other_format(hk_ctx *ctx, const char *path, char version) {
    return hk_error(ctx, HK_E_STATE_FILE, (hk_where){.file = path},
                    "load it with the hocket that saved it, or run from the start",
                    "the state has format %c, this hocket reads format %c only", version,
                    HK_STATE_VERSION);
}

hk_status hk_sim_save_file(hk_sim *sim, const char *path) {
    HK_ASSERT(sim && path);
    hk_snapshot *snapshot = NULL;
    HK_TRY(hk_sim_save(sim, &snapshot));
    hk_status status = hk_snapshot_write(sim, snapshot, path);
    hk_snapshot_destroy(sim, snapshot);
    return status;
}

hk_status hk_sim_load_file(hk_sim *sim, const char *path) {
    HK_ASSERT(sim && path);
    hk_snapshot *snapshot;
    HK_TRY(hk_snapshot_read(sim, path, &snapshot));
    hk_status status = hk_sim_restore(sim, snapshot);
    hk_snapshot_destroy(sim, snapshot);
    if (status != HK_OK || hk_sim_now(sim) < sim->plan->stop)
        return status;
    char now[HK_NUMBER_MAX + 1], stop[HK_NUMBER_MAX + 1];
    int64_t each = sim->plan->ticks_per_second;
    now[hk_write_f64(hk_tick_seconds(hk_sim_now(sim), each), now)] = '\0';
    stop[hk_write_f64(hk_tick_seconds(sim->plan->stop, each), stop)] = '\0';
    return hk_error(sim->ctx, HK_E_TIME, (hk_where){.file = path}, "raise --stop-time",
                    "the saved state is of %s s, and the run is to stop at %s s", now, stop);
}

hk_status hk_snapshot_time(hk_ctx *ctx, const char *path, hk_ratio *ret_seconds) {
    HK_ASSERT(ctx && path && ret_seconds);
    enum { BEFORE = sizeof HK_STATE_MAGIC + 8 }; /* magic and version, checksum */
    char *data;
    size_t size;
    HK_TRY(hk_file_read(ctx, path, 0, &data, &size));
    hk_claim_replaceable(ctx, path);
    bool named = size >= BEFORE && memcmp(data, HK_STATE_MAGIC, sizeof HK_STATE_MAGIC - 1) == 0;
    char version = named ? data[sizeof HK_STATE_MAGIC - 1] : '\0';
    if (hk_state_is_other_format(version)) { /* who knows where its time is */
        hk_free(data);
        return hk_state_other_format(ctx, path, version);
    }
    bool whole = named && size >= BEFORE + 24, ours = whole && hk_state_checksum_agrees(data, size);
    uint64_t words[3] = {0};
    for (size_t i = 0; ours && i < sizeof words; i++)
        words[i / 8] |= (uint64_t)(unsigned char)data[sizeof HK_STATE_MAGIC + i] << (i % 8 * 8);
    hk_free(data);
    if (!ours || (int64_t)words[0] <= 0 ||
        !hk_ratio_make((int64_t)words[2], (int64_t)words[0], ret_seconds))
        return hk_error(ctx, HK_E_STATE_FILE, (hk_where){.file = path},
                        "load a state that was saved by a run of this system", "%s",
                        !named           ? "this is not a state of hocket"
                        : whole && !ours ? "the state is damaged: its checksum does not agree"
                                         : "the state is damaged");
    return HK_OK;
}
