/* SPDX-License-Identifier: MIT
 *
 * Sessions: states in memory and in files. A state belongs to the program, what it holds to the
 * session; the two may go in any order. */
#include "api/api_internal.h"

static void unlink_state(hk_state *state) {
    if (state->before)
        state->before->next = state->next;
    else
        state->session->states = state->next;
    if (state->next)
        state->next->before = state->before;
}

static hk_status savable(const hk_session *session) {
    if (!session->performance)
        return HK_OK;
    return hk_error(session->ctx, HK_E_UNIT_STATE, HK_NOWHERE,
                    "take a session of the system alone, or 'hocket run --save-state'",
                    "a session of a scenario has no states: its logs cannot go back");
}

hk_status hk_session_save(hk_session *session, hk_state **state) {
    if (!session || !state)
        return HK_MISSING_ARGUMENT(session);
    hk_state *s = *state;
    HK_TRY(savable(session));
    if (s && s->session != session)
        return hk_error(session->ctx, HK_E_USAGE, HK_NOWHERE, "begin with a NULL",
                        "the state to be used again belongs to another session");
    hk_snapshot *snapshot = s ? s->snapshot : NULL;
    HK_TRY(hk_sim_save(session->sim, &snapshot));
    if (!s) {
        s = hk_alloc(sizeof *s);
        s->session = session;
        s->next = session->states;
        if (s->next)
            s->next->before = s;
        session->states = s;
    }
    s->snapshot = snapshot;
    *state = s;
    return HK_OK;
}

static hk_status restore(hk_session *session, const hk_snapshot *snapshot) {
    hk_status status = hk_sim_restore(session->sim, snapshot);
    session->finished = false;
    session->failed = status != HK_OK;
    return status;
}

hk_status hk_session_restore(hk_session *session, const hk_state *state) {
    if (!session || !state)
        return HK_MISSING_ARGUMENT(session);
    if (state->session != session)
        return hk_error(session->ctx, HK_E_USAGE, HK_NOWHERE, "hk_session_load_file takes others",
                        "the state belongs to another session");
    return restore(session, state->snapshot);
}

void hk_state_destroy(hk_state *state) {
    if (!state)
        return;
    if (state->session) {
        hk_snapshot_destroy(state->session->sim, state->snapshot);
        unlink_state(state);
    }
    hk_free(state);
}

void hk_states_detach(hk_session *session) {
    for (hk_state *s = session->states; s; s = s->next) {
        hk_snapshot_destroy(session->sim, s->snapshot);
        s->snapshot = NULL;
        s->session = NULL;
    }
}

hk_status hk_session_save_file(hk_session *session, const char *path) {
    hk_snapshot *snapshot = NULL;
    if (!session || !path)
        return HK_MISSING_ARGUMENT(session);
    HK_TRY(savable(session));
    HK_TRY(hk_sim_save(session->sim, &snapshot));
    hk_status status = hk_snapshot_write(session->sim, snapshot, path);
    hk_snapshot_destroy(session->sim, snapshot);
    return status;
}

hk_status hk_session_load_file(hk_session *session, const char *path) {
    hk_snapshot *snapshot;
    if (!session || !path)
        return HK_MISSING_ARGUMENT(session);
    HK_TRY(savable(session));
    HK_TRY(hk_snapshot_read(session->sim, path, &snapshot));
    hk_status status = restore(session, snapshot);
    hk_snapshot_destroy(session->sim, snapshot);
    return status;
}
