/* SPDX-License-Identifier: MIT
 *
 * What the components share: the trimmed flight, and how their types are written down. */
#ifndef HK_MODELS_ROSACE_CORE_H
#define HK_MODELS_ROSACE_CORE_H

#include "rosace.h"

/* The trimmed flight. Macros, since start values of ports are texts. */
#define H_EQ        10000.0
#define VA_EQ       230.0
#define THETA_EQ    0.026485847681737
#define DELTA_E_EQ  0.012009615652468
#define DELTA_TH_EQ 1.5868660794926
#define T_EQ        41813.92119463001 /* 26350 * DELTA_TH_EQ */

#define TEXT_OF(number) #number
#define TEXT(macro)     TEXT_OF(macro)

/* The fields of hk_unit_type that all types of this model fill in the same way. Every component
 * first computes its outputs and then updates its state, so its outputs hold at the start of the
 * step. */
#define ROSACE_TYPE(type_name, struct_type, port_table)                                            \
    .abi = HK_UNIT_ABI, .size = sizeof(hk_unit_type), .name = #type_name,                          \
    .instance_size = sizeof(struct_type), .ports = (port_table),                                   \
    .port_count = sizeof(port_table) / sizeof *(port_table), .stamp = HK_STAMP_START

extern const hk_unit_type hk_rosace_flight_dynamics, hk_rosace_elevator, hk_rosace_engine;
extern const hk_unit_type hk_rosace_filter, hk_rosace_h_filter, hk_rosace_vz_filter,
    hk_rosace_va_filter, hk_rosace_q_filter, hk_rosace_az_filter;
extern const hk_unit_type hk_rosace_altitude_hold, hk_rosace_va_control, hk_rosace_vz_control;
extern const hk_unit_type hk_rosace_fcc_com, hk_rosace_fcc_mon, hk_rosace_cables;
extern const hk_unit_type hk_rosace_fcu, hk_rosace_flight_mode;

#endif
