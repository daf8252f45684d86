/* SPDX-License-Identifier: MIT
 *
 * What clients say: the first byte tells texts from calls; what is read lies inside of what was
 * given. */
#include "fuzz.h"

#include "web/foxglove.h"

static void inside(hk_json_span part, const char *text, size_t size) {
    HK_ASSERT(!part.size || (part.at >= text && part.at + part.size <= text + size));
}

static void read_text(const char *text, size_t size) {
    hk_foxglove_said said;
    hk_json_span item;
    uint32_t number;
    if (!hk_foxglove_read(text, size, &said))
        return;
    inside(said.name, text, size);
    inside(said.id, text, size);
    while (said.items.size && hk_json_element(&said.items, &item)) {
        inside(item, text, size);
        inside(hk_foxglove_member(item, "name"), text, size);
        (void)hk_foxglove_number(item, "id", &number);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    hk_foxglove_call call;
    if (size && text[0] == '{')
        read_text(text, size);
    else if (hk_foxglove_read_call(text, size, &call))
        inside(call.request, text, size);
    return 0;
}
