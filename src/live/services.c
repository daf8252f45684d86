/* SPDX-License-Identifier: MIT */
#include "live/services.h"

const hk_service_about hk_live_services[HK_SERVICES] = {
    [HK_SERVICE_PLAY] = {"/hocket/play", "", true},
    [HK_SERVICE_PAUSE] = {"/hocket/pause", "", true},
    [HK_SERVICE_STEP] = {"/hocket/step", "\"count\":{\"type\":\"integer\",\"minimum\":1}", true},
    [HK_SERVICE_BACK] = {"/hocket/back", "\"count\":{\"type\":\"integer\",\"minimum\":1}", true},
    [HK_SERVICE_SPEED] = {"/hocket/speed", "\"factor\":{\"type\":\"number\",\"minimum\":0}", true},
    [HK_SERVICE_SEEK] = {"/hocket/seek", "\"time\":{\"type\":\"number\"}", true},
    [HK_SERVICE_PAUSE_WHEN] = {"/hocket/pause_when", "\"condition\":{\"type\":\"string\"}", true},
    [HK_SERVICE_DO] = {"/hocket/do", "\"actions\":{\"type\":\"string\"}", true},
    [HK_SERVICE_SAVE] = {"/hocket/save", "", false},
    [HK_SERVICE_RANGE] = {"/hocket/range",
                          "\"signals\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
                          "\"from\":{\"type\":\"number\"},\"to\":{\"type\":\"number\"},"
                          "\"points\":{\"type\":\"integer\"}",
                          false},
    [HK_SERVICE_WATCH] = {"/hocket/watch",
                          "\"signals\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}",
                          false}};

void hk_services_put(hk_json *json, bool read_only) {
    hk_json_array(json, "services");
    for (int i = 0; i < HK_SERVICES; i++) {
        const hk_service_about *s = &hk_live_services[i];
        if (read_only && s->changes)
            continue;
        char schema[512];
        int size = snprintf(schema, sizeof schema, "{\"type\":\"object\",\"properties\":{%s}}",
                            s->members);
        hk_json_object(json, NULL);
        hk_json_i64(json, "id", i + 1);
        hk_json_string(json, "name", s->name);
        hk_json_string(json, "type", s->name + 1);
        for (int side = 0; side < 2; side++) {
            hk_json_object(json, side ? "response" : "request");
            hk_json_string(json, "encoding", "json");
            hk_json_string(json, "schemaName", s->name + 1);
            hk_json_string(json, "schemaEncoding", "jsonschema");
            hk_json_string(json, "schema", side || size <= 0 ? "{\"type\":\"object\"}" : schema);
            hk_json_end(json);
        }
        hk_json_string(json, "requestSchema", schema); /* of older clients */
        hk_json_string(json, "responseSchema", "{\"type\":\"object\"}");
        hk_json_end(json);
    }
    hk_json_end(json);
}
