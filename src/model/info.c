/* SPDX-License-Identifier: MIT */
#include "model/info.h"

#include <string.h>

uint32_t hk_info_find(const hk_info *info, const char *name) {
    return hk_map_get(&info->by_name, name);
}

const char *hk_info_why_not(const hk_info *info, const char *name) {
    for (size_t i = 0; hk_info_find(info, name) == HK_MAP_NONE && i < info->variable_count; i++)
        if (info->variables[i].unusable && strcmp(info->variables[i].name, name) == 0)
            return info->variables[i].unusable;
    return NULL;
}

const char *hk_info_closest(const hk_info *info, const char *name) {
    const char **names = hk_alloc(info->variable_count * sizeof *names);
    for (size_t i = 0; i < info->variable_count; i++)
        names[i] = info->variables[i].name;
    const char *closest = hk_closest(name, names, info->variable_count);
    hk_free(names);
    return closest;
}

const char *hk_causality_name(hk_causality causality) {
    static const char *const names[HK_CAUSALITY_COUNT] = {
        [HK_LOCAL] = "local",
        [HK_INPUT] = "input",
        [HK_OUTPUT] = "output",
        [HK_PARAMETER] = "parameter",
        [HK_CALCULATED_PARAMETER] = "calculatedParameter",
        [HK_STRUCTURAL_PARAMETER] = "structuralParameter",
        [HK_INDEPENDENT] = "independent",
    };
    return names[causality];
}

const char *hk_variability_name(hk_variability variability) {
    static const char *const names[HK_VARIABILITY_COUNT] = {
        [HK_CONSTANT] = "constant", [HK_FIXED] = "fixed",           [HK_TUNABLE] = "tunable",
        [HK_DISCRETE] = "discrete", [HK_CONTINUOUS] = "continuous",
    };
    return names[variability];
}

const char *hk_initial_name(hk_initial initial) {
    static const char *const names[] = {
        [HK_INITIAL_NONE] = "none",
        [HK_EXACT] = "exact",
        [HK_APPROX] = "approx",
        [HK_CALCULATED] = "calculated",
    };
    return names[initial];
}

bool hk_variable_settable(const hk_variable *variable) {
    if (variable->variability == HK_CONSTANT || variable->causality == HK_INDEPENDENT)
        return false;
    return variable->causality == HK_INPUT || variable->initial == HK_EXACT ||
           variable->initial == HK_APPROX;
}

const hk_enum *hk_service_items(const hk_service_info *service, uint32_t function,
                                uint32_t argument, uint32_t field) {
    for (size_t i = 0; i < service->item_count; i++) {
        const hk_argument_items *at = &service->items[i];
        if (at->function == function && at->argument == argument && at->field == field)
            return at->items;
    }
    return NULL;
}

bool hk_interface_mutable(const hk_interface *interface) {
    static const char word[] = "mutable ";
    const char *signature = interface ? interface->signature : NULL;
    return signature && (strncmp(signature, word, sizeof word - 1) == 0 ||
                         strstr(signature, "; mutable ") != NULL);
}
