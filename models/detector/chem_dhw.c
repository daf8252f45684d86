/* SPDX-License-Identifier: MIT
 *
 * The nose of the rover: whether there is more of the chemical than a level. */
#include "detector.h"

typedef struct chem_dhw {
    double concentration, detected, level;
} chem_dhw;

static const hk_port chem_dhw_ports[] = {
    HK_PORT(chem_dhw, concentration, HK_INPUT, HK_TYPE_F64,
            .description = "Of the chemical, where the rover is"),
    HK_PORT(chem_dhw, detected, HK_OUTPUT, HK_TYPE_F64, .depends_on = "concentration",
            .description = "1: there is more than the level"),
    DETECTOR_PARAMETER(chem_dhw, level, NULL, "0.5", "What is more is detected"),
};

static int chem_dhw_output(void *self, double t) {
    chem_dhw *c = self;
    (void)t;
    c->detected = c->concentration > c->level ? 1 : 0;
    return HK_STEP_OK;
}

static int chem_dhw_step(void *self, double t, double h) {
    (void)h;
    return chem_dhw_output(self, t);
}

const hk_unit_type hk_detector_chem_type = {
    DETECTOR_TYPE(chem_dhw, "ChemDHW", chem_dhw_ports, HK_STAMP_START),
    .description = "Whether a rover smells a chemical", .output = chem_dhw_output,
    .step = chem_dhw_step};
