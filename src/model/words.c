/* SPDX-License-Identifier: MIT
 *
 * The words for algorithms, lags and roles. */
#include "model/tree.h"

#include <string.h>

const char *const hk_algorithm_words[HK_ALGORITHMS] = {
    [HK_JACOBI] = "jacobi", [HK_GAUSS_SEIDEL] = "gauss-seidel"};

const char *const hk_lag_words[HK_LAGS] = {[HK_LAG_DEFAULT] = "default",
                                           [HK_LAG_PREVIOUS] = "previous",
                                           [HK_LAG_OBSERVE] = "observe",
                                           [HK_LAG_CURRENT] = "current"};

const char *const hk_tree_role_words[HK_TREE_ROLES] = {[HK_TREE_NO_ROLE] = "",
                                                       [HK_TREE_ROLE_ENVIRONMENT] = "environment",
                                                       [HK_TREE_ROLE_USER] = "user",
                                                       [HK_TREE_ROLE_CONTROLLED] = "controlled",
                                                       [HK_TREE_ROLE_SENSORS] = "sensors",
                                                       [HK_TREE_ROLE_ACTUATORS] = "actuators",
                                                       [HK_TREE_ROLE_CONTROLLER] = "controller",
                                                       [HK_TREE_ROLE_ANALYSIS] = "analysis"};

bool hk_tree_role_find(const char *word, hk_tree_role *ret_role) {
    for (size_t i = HK_TREE_NO_ROLE + 1; i < HK_TREE_ROLES; i++)
        if (strcmp(word, hk_tree_role_words[i]) == 0) {
            *ret_role = (hk_tree_role)i;
            return true;
        }
    return false;
}

bool hk_algorithm_find(const char *word, hk_algorithm *ret_algorithm) {
    for (size_t i = 0; i < HK_ALGORITHMS; i++)
        if (strcmp(word, hk_algorithm_words[i]) == 0) {
            *ret_algorithm = (hk_algorithm)i;
            return true;
        }
    return false;
}

bool hk_lag_find(const char *word, hk_lag *ret_lag) {
    for (size_t i = HK_LAG_DEFAULT + 1; i < HK_LAGS; i++)
        if (strcmp(word, hk_lag_words[i]) == 0) {
            *ret_lag = (hk_lag)i;
            return true;
        }
    return false;
}

hk_lag hk_connection_lag(const hk_connection *connection, hk_algorithm algorithm) {
    if (connection->lag != HK_LAG_DEFAULT)
        return connection->lag;
    return algorithm == HK_GAUSS_SEIDEL ? HK_LAG_CURRENT : HK_LAG_PREVIOUS;
}
