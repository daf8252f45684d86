/* SPDX-License-Identifier: MIT
 *
 * Files of SSP alone, without what they belong to: for the fuzzer. */
#include "ssp/ssp.h"
#include "ssp/ssp_internal.h"

#include <string.h>

/* A dictionary in a file of its own has no name; the system that refers to it gives it one. */
static void read_dictionary(hk_ssp *r, const char *file, const hk_xml *root) {
    const hk_xml_attr name = {.ns = "", .name = "name", .value = "alone"};
    const hk_xml dictionary = {.ns = root->ns,
                               .name = "SignalDictionary",
                               .attrs = &name,
                               .attr_count = 1,
                               .text = "",
                               .child = root};
    const hk_xml list = {
        .ns = root->ns, .name = "SignalDictionaries", .text = "", .child = &dictionary};
    const hk_xml system = {.ns = root->ns, .name = "System", .text = "", .child = &list};
    hk_ssd_element element = {.is_system = true, .name = "alone", .path = ""};
    hk_ssp_scope scope = {0};
    hk_ssp_read_dictionaries(r, NULL, file, &scope, &system, &element);
}

hk_status hk_ssp_parse_part(hk_ctx *ctx, const char *file, const char *root, const char *data,
                            size_t size) {
    hk_ssp r;
    const hk_xml *xml;
    hk_ssp_begin(&r, ctx);
    hk_status status = hk_ssp_parse_xml(&r, file, data, size, root, &xml);
    if (status == HK_OK && strcmp(root, "ParameterSet") == 0)
        hk_ssv_read(&r, file, xml, NULL);
    else if (status == HK_OK && strcmp(root, "ParameterMapping") == 0)
        hk_ssm_read(&r, file, xml);
    else if (status == HK_OK)
        read_dictionary(&r, file, xml);
    if (status == HK_OK && r.reading.complaints.count)
        status = r.reading.complaints.first;
    hk_ssp_finish(&r);
    return status;
}
