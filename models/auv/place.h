/* SPDX-License-Identifier: MIT
 *
 * Between north, east, down and latitude, longitude, by the kind of Earth that all parts share. */
#ifndef HK_MODELS_PLACE_H
#define HK_MODELS_PLACE_H

#include "auv.h"

#include <hk/geo.h>

/* Three parameters, and what follows from them. */
typedef struct place {
    int64_t earth;              /* EARTH_FLAT, EARTH_WGS84 */
    double latitude, longitude; /* of the origin, deg */
    double known[2];            /* the origin of FRAME */
    bool is_known;
    hk_geo_frame frame;
} place;

/* They have the same names everywhere. */
#define PLACE_PARAMETERS(struct_type, field)                                                       \
    ITEM_PARAMETER(struct_type, field.earth, "earth", "Flat"),                                     \
        PARAMETER(struct_type, field.latitude, "originLatitude", "deg", "0"),                      \
        PARAMETER(struct_type, field.longitude, "originLongitude", "deg", "0")
#define PLACE_DOMAIN                                                                               \
    { .port = "earth", .enumeration = &hk_auv_earth_type }

static inline const hk_geo_frame *hk_auv_frame(place *p) {
    if (!p->is_known || p->known[0] != p->latitude || p->known[1] != p->longitude) {
        p->frame = hk_geo_frame_at(hk_geo_point_of_degrees(p->latitude, p->longitude, 0));
        p->known[0] = p->latitude;
        p->known[1] = p->longitude;
        p->is_known = true;
    }
    return &p->frame;
}

static inline hk_geo_point hk_auv_point_of_ned(place *p, coordinate3d ned) {
    hk_geo_vector3 at = {ned.x, ned.y, ned.z};
    return p->earth == EARTH_WGS84 ? hk_geo_tangent_to_point(hk_auv_frame(p), at)
                                   : hk_geo_flat_to_point(hk_auv_frame(p), at);
}

static inline coordinate3d hk_auv_ned_of_point(place *p, hk_geo_point point) {
    hk_geo_vector3 at = p->earth == EARTH_WGS84 ? hk_geo_tangent_of_point(hk_auv_frame(p), point)
                                                : hk_geo_flat_of_point(hk_auv_frame(p), point);
    return (coordinate3d){at.x, at.y, at.z};
}

/* How deep a place is below the sea, whose surface is height 0. */
static inline double hk_auv_depth(place *p, coordinate3d ned) {
    return p->earth == EARTH_WGS84 ? -hk_auv_point_of_ned(p, ned).height : ned.z;
}

#endif
