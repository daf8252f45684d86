/* SPDX-License-Identifier: MIT */
#include "parse_rig.h"

#include "same_scene.h"

RIG_LANGUAGE(scene, hk_scenefile)

static void prints_what_it_reads(void **state) {
    rig_scene_prints(*state,
                     "scene s{frame ned;// which way\n"
                     "box b{at(1m,signal \"a.b\" in\"km\" scale 2 offset -1m,3);size(1,2,3);\n"
                     "attitude yaw 90deg roll signal x;colour red;}\n"
                     "group g { label l { of b; text \"it's\"; value signal v; } } water w; "
                     "/* end */ }",
                     "scene s {\n"
                     "  frame ned; // which way\n"
                     "  box b {\n"
                     "    at (1m, signal \"a.b\" in \"km\" scale 2 offset -1m, 3);\n"
                     "    size (1, 2, 3);\n"
                     "    attitude yaw 90deg roll signal x;\n"
                     "    colour red;\n"
                     "  }\n"
                     "  group g {\n"
                     "    label l {\n"
                     "      of b;\n"
                     "      text \"it's\";\n"
                     "      value signal v;\n"
                     "    }\n"
                     "  }\n"
                     "  water w; /* end */\n"
                     "}\n");
}

static void keeps_comments_in_lists(void **state) {
    rig_scene_prints(*state,
                     "scene s { camera c { view top; look (1, // one\n 2, 3); } }\n// rest\n",
                     "scene s {\n"
                     "  camera c {\n"
                     "    view top;\n"
                     "    look (\n"
                     "      1, // one\n"
                     "      2,\n"
                     "      3\n"
                     "    );\n"
                     "  }\n"
                     "}\n\n"
                     "// rest\n");
}

#define KINDS                                                                                      \
    "'group', 'box', 'sphere', 'cylinder', 'plane', 'mesh', 'heights', 'water', 'outline', "       \
    "'trail', 'label', 'arrow', 'camera'"
#define PROPERTIES                                                                                 \
    "'at', 'attitude', 'scale', 'size', 'radius', 'top', 'length', 'height', 'vector', 'value', "  \
    "'opacity', 'last', 'angle', 'width', 'look', 'of', 'follow', 'colour', 'text', 'file', "      \
    "'along', 'axes' or 'view'"

static void tells_all_mistakes(void **state) {
    rig_scene_wrong(*state,
                    "scene s {\n  box b { at 1, 2; sise (1, 2, 3); }\n  ball c;\n"
                    "  mesh m { axes up; }\n}\n",
                    "2:15: expected ';', found ','\n"
                    "2:20: expected " KINDS ", " PROPERTIES
                    ", found 'sise' [did you mean 'size'?]\n"
                    "3:3: expected " KINDS " or 'frame', found 'ball'\n"
                    "4:17: expected 'flu', 'frd' or 'gltf', found 'up'\n");
    rig_scene_wrong(*state, "", "1:1: there is no scene in this file [scene survey { ... }]\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {RIG_TEST(prints_what_it_reads),
                                       RIG_TEST(keeps_comments_in_lists),
                                       RIG_TEST(tells_all_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
