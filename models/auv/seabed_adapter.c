/* SPDX-License-Identifier: MIT
 *
 * The sea bed, from whichever source is bound. */
#include "environment.h"

typedef struct mnt_adapter {
    double depth; /* holds while it is not known: a run ends where an output is not a number */
    bool known;
    mnt_source_binding source;
} mnt_adapter;

static const hk_port mnt_adapter_ports[] = {NUMBER_OUT(mnt_adapter, depth, "depth", "m"),
                                            TRUTH_OUT(mnt_adapter, known, "known")};

static double mnt_adapter_depth(void *self, coordinate2d position) {
    const mnt_source_binding *to = &((mnt_adapter *)self)->source;
    return to->functions->get_depth(to->self, position);
}

static int mnt_adapter_step(void *self, double t, double h) {
    mnt_adapter *x = self;
    (void)t, (void)h;
    double depth = mnt_adapter_depth(x, (coordinate2d){0});
    x->known = isfinite(depth);
    x->depth = x->known ? depth : x->depth;
    return HK_STEP_OK;
}

static const mnt_source mnt_adapter_source = {mnt_adapter_depth};
static const hk_service mnt_adapter_services[] = {
    {"pMnt", &hk_auv_mnt_source, &mnt_adapter_source, 0},
    {"rMntSource", &hk_auv_mnt_source, NULL, offsetof(mnt_adapter, source)},
};

const hk_unit_type hk_auv_mnt_adapter = {
    AUV_TYPE(mnt_adapter, "environment.MntAdapter", mnt_adapter_ports),
    .description = "The sea bed from the source that is bound", .stamp = HK_STAMP_END,
    .step = mnt_adapter_step, SERVICES(mnt_adapter_services)};
