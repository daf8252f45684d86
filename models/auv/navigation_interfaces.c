/* SPDX-License-Identifier: MIT
 *
 * navigation.Covariance: how a scenario calls it by name, and what a caller gets while the
 * provider is stopped. */
#include "navigation.h"

static const hk_field number_field[] = {{.name = "", .type = HK_TYPE_F64}};
static const hk_field whole_field[] = {{.name = "", .type = HK_TYPE_I32}};
static const hk_argument number_result = {"", sizeof(double), number_field, 1};

static void call_get_covariance(const void *functions, void *self, const void *const *arguments,
                                void *result) {
    const covariance_source *f = functions;
    *(double *)result =
        f->get_covariance(self, *(const int32_t *)arguments[0], *(const int32_t *)arguments[1]);
}

static double stopped_get_covariance(void *self, int32_t row, int32_t column) {
    (void)row, (void)column;
    hk_service_stopped(self);
    return 0;
}

static const hk_argument place_arguments[] = {{"row", sizeof(int32_t), whole_field, 1},
                                              {"column", sizeof(int32_t), whole_field, 1}};
static const hk_function covariance_functions[] = {{"getCovariance", place_arguments,
                                                    COUNT(place_arguments), &number_result,
                                                    call_get_covariance}};
static const covariance_source covariance_stopped = {stopped_get_covariance};

const hk_interface hk_auv_covariance_source = {.name = "navigation.Covariance",
                                               .signature =
                                                   "double getCovariance(int row, int column);",
                                               .functions = covariance_functions,
                                               .function_count = COUNT(covariance_functions),
                                               .stopped = &covariance_stopped};
