/* SPDX-License-Identifier: MIT
 *
 * The style of NAVIDRO by a table of its own: every role to every role, by link, service, shared
 * parameter and binding, each is refused or accepted as the table says, at its place. */
#include "base/file.h"
#include "check/style.h"
#include "lang/lang.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ROLES = 7 };
static const char *const roles[ROLES] = {"environment", "user",       "controlled", "sensors",
                                         "actuators",   "controller", "analysis"};
/* Rows: from, columns: to; '+': allowed, 'o': inside of a role. */
static const char *const table[ROLES] = {
    "o-++--+", /* environment */
    "-o+---+", /* user */
    "--o+--+", /* controlled */
    "---o-++", /* sensors */
    "--+-o-+", /* actuators */
    "----+o+", /* controller */
    "------o", /* analysis */
};

static const char types_text[] =
    "Declaration p {\n"
    "  interfaces { Interface Level { core.double level(); } }\n"
    "  LeafComponentTypes {\n"
    "    LeafComponentType Source { outputs { core.double y; } }\n"
    "    LeafComponentType Sink { inputs { core.double u = 0; } }\n"
    "    LeafComponentType Fast { outputs { core.double y unit \"km/h\"; } }\n"
    "    LeafComponentType Right { outputs { core.double y unit \"m/s\" frame ned; } }\n"
    "    LeafComponentType Metre { outputs { core.double y unit \"m\"; } }\n"
    "    LeafComponentType Pass { inputs { core.double u = 0 unit \"m\"; } outputs { core.double y "
    "unit \"m\"; } }\n"
    "    LeafComponentType Plain { inputs { core.double u = 0 unit \"m/s\"; } }\n"
    "    LeafComponentType Feet { inputs { core.double u = 0 unit \"ft\"; } }\n"
    "    LeafComponentType Speed { inputs { core.double u = 0 unit \"m/s\" frame ned; } }\n"
    "    LeafComponentType Angles { outputs { core.double a unit \"deg\"; core.double b unit "
    "\"rad\"; core.double c unit \"kg\"; core.bool d; } }\n"
    "    LeafComponentType Turns { inputs { core.double a = 0 unit \"deg\"; core.double b = 0 unit "
    "\"rad\"; core.double c = 0 unit \"kg\"; core.bool d = false; } }\n"
    "    LeafComponentType Mast { outputs { core.double y unit \"m/s\" frame mast; } }\n"
    "    LeafComponentType MastIn { inputs { core.double u = 0 unit \"m/s\" frame mast; } }\n"
    "    LeafComponentType Server { providedInterfaces (Level pLevel) }\n"
    "    LeafComponentType Client { requiredInterfaces (Level rLevel) }\n"
    "    LeafComponentType Tuned { outputs { core.double y; } parameters { core.double k = 1; } }\n"
    "    LeafComponentType Agreed { parameters { core.double k = 1; } }\n"
    "  }\n"
    "}\n";

typedef struct fixture {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *folder;
    hk_model *model;
    hk_simulation *simulation;
} fixture;

static void put(fixture *f, const char *name, const char *text) {
    assert_int_equal(
        hk_file_write(f->ctx, hk_path_join(f->arena, f->folder, name), text, strlen(text)), HK_OK);
}

static int set_up(void **state) {
    static fixture f;
    f = (fixture){.ctx = hk_ctx_create(NULL, NULL), .arena = hk_arena_create()};
    assert_int_equal(hk_folder_temporary(f.ctx, f.arena, &f.folder), HK_OK);
    put(&f, "p.types", types_text);
    *state = &f;
    return 0;
}

/* For the next system. */
static void clear(fixture *f) {
    if (f->simulation)
        hk_simulation_destroy(f->simulation);
    else
        hk_model_destroy(f->model);
    f->simulation = NULL;
    f->model = NULL;
    hk_ctx_destroy(f->ctx);
    f->ctx = hk_ctx_create(NULL, NULL);
}

static int tear_down(void **state) {
    fixture *f = *state;
    clear(f);
    hk_folder_remove(f->folder);
    hk_ctx_destroy(f->ctx);
    hk_arena_destroy(f->arena);
    return 0;
}

static void show(const fixture *f) {
    for (size_t i = 0; i < hk_ctx_count(f->ctx, HK_NOTE); i++)
        print_message("%d: %s\n", hk_ctx_diag(f->ctx, i)->where.line, hk_ctx_diag(f->ctx, i)->text);
}

/* SIMULATION: the text behind its head; NULL: none. What reading notes is forgotten. */
static hk_status check(fixture *f, const char *body, const char *simulation, const char *exempt) {
    clear(f);
    put(f, "s.system",
        hk_arena_printf(f->arena, "system s { import \"p.types\"; composite all {\n%s\n} }", body));
    hk_status status =
        hk_system_read(f->ctx, hk_path_join(f->arena, f->folder, "s.system"), &f->model);
    if (status == HK_OK && simulation) {
        hk_simulation_options options = {.system = f->model};
        const char *text = hk_arena_printf(
            f->arena, "Simulation S (ms) system s; simulationTime [0, 100]:10;\n%s", simulation);
        status = hk_simulation_read_text(f->ctx, "s.simulation", text, strlen(text), &options,
                                         &f->simulation);
    }
    if (status != HK_OK)
        show(f);
    assert_int_equal(status, HK_OK);
    hk_ctx_destroy(f->ctx);
    f->ctx = hk_ctx_create(NULL, NULL);
    hk_style_wishes wishes = {.name = "navidro", .exempt = {&exempt, exempt ? 1 : 0}};
    assert_int_equal(hk_style_wishes_check(f->ctx, &wishes), HK_OK);
    return hk_style_check(f->ctx, f->model, f->simulation, &wishes);
}

/* The one message that there is, from line LINE on; "": there is none. */
static const hk_diag *only(const fixture *f) {
    if (hk_ctx_count(f->ctx, HK_NOTE) != 1)
        show(f);
    assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 1);
    return hk_ctx_diag(f->ctx, 0);
}

typedef struct way {
    const char *name, *words; /* words: of the message */
    const char *from, *to, *joined, *simulation;
    int line, column; /* of the message */
    const char *file;
} way;

#define BIND  "bind \"s.all.From.In.a.pLevel\" to \"s.all.To.In.b.rLevel\";"
#define OWN   "composite In { leaf b : p.Client; leaf c : p.Server; service b.rLevel -> c.pLevel; }"
#define ALONE "composite In { leaf a : p.Server; }"
static const way ways[] = {
    {"link", "gives data to",
     "output core.double y; composite In { output core.double y; leaf a : p.Source; link a.y -> y; "
     "} link In.y -> y;",
     "input core.double u; composite In { input core.double u; leaf b : p.Sink; link u -> b.u; } "
     "link u -> In.u;",
     "link From.y -> To.u;", NULL, 4, 16, "s.system"},
    {"service", "answers the calls of",
     "provides p.Level p; composite In { provides p.Level p; leaf a : p.Server; service p -> "
     "a.pLevel; } service p -> In.p;",
     "requires p.Level r; composite In { requires p.Level r; leaf b : p.Client; service b.rLevel "
     "-> r; } service In.r -> r;",
     "service To.r -> From.p;", NULL, 4, 17, "s.system"},
    {"share", "shares a parameter with", "composite In { leaf a : p.Tuned; }",
     "composite In { leaf b : p.Tuned; }", "share From.In.a.k -> To.In.b.k;", NULL, 4, 7,
     "s.system"},
    {"bind in begin", "is bound to", ALONE, OWN, "", "begin { " BIND " } scenarios { Scenario x }",
     2, 9, "s.simulation"},
    {"bind in the begin of a scenario", "is bound to", ALONE, OWN, "",
     "scenarios { Scenario x begin { " BIND " } }", 2, 32, "s.simulation"},
    {"bind in an event", "is bound to", ALONE, OWN, "",
     "scenarios { Scenario x events { instant 20 { " BIND " } } }", 2, 46, "s.simulation"},
};
enum { WAYS = sizeof ways / sizeof *ways };

static hk_status check_way(fixture *f, const way *w, size_t from, size_t to, const char *exempt) {
    return check(f,
                 hk_arena_printf(f->arena,
                                 "composite From role %s { %s }\ncomposite To role %s { %s }\n%s",
                                 roles[from], w->from, roles[to], w->to, w->joined),
                 w->simulation, exempt);
}

static void test_pairs(void **state) {
    fixture *f = *state;
    size_t refused = 0;
    for (size_t i = 0; i < WAYS * ROLES * ROLES; i++) {
        const way *w = &ways[i / (ROLES * ROLES)];
        size_t from = i / ROLES % ROLES, to = i % ROLES;
        hk_status status = check_way(f, w, from, to, NULL);
        bool allowed = table[from][to] != '-';
        if ((status == HK_OK) != allowed) {
            show(f);
            fail_msg("%s from %s to %s: %d", w->name, roles[from], roles[to], (int)status);
        }
        if (allowed) {
            assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 0);
            continue;
        }
        refused++;
        const hk_diag *d = only(f);
        assert_int_equal(d->code, HK_E_STYLE);
        assert_int_equal(status, HK_E_STYLE);
        assert_string_equal(
            d->text, hk_arena_printf(f->arena,
                                     "style 'navidro': 'From.In.a' (composite 'From', role %s) %s "
                                     "'To.In.b' (composite 'To', role %s)",
                                     roles[from], w->words, roles[to]));
        assert_string_equal(hk_path_name(d->where.file), w->file);
        assert_int_equal(d->where.line, w->line);
        assert_int_equal(d->where.column, w->column);
        assert_non_null(strstr(
            d->hint, hk_arena_printf(f->arena, "--style-exempt %s:%s", roles[from], roles[to])));
    }
    assert_int_equal(refused, WAYS * (size_t)29);
}

static void test_exemption(void **state) {
    fixture *f = *state;
    enum { CONTROLLED = 2, CONTROLLER = 5 };
    for (size_t i = 0; i < WAYS; i++) {
        assert_int_equal(check_way(f, &ways[i], CONTROLLED, CONTROLLER, "controlled:controller"),
                         HK_OK);
        assert_string_equal(only(f)->text,
                            "style 'navidro': controlled to controller is exempt, which this way "
                            "needs");
        assert_int_equal(only(f)->where.line, ways[i].line);
        /* Another direction is another pair. */
        assert_int_equal(check_way(f, &ways[i], CONTROLLER, CONTROLLED, "controlled:controller"),
                         HK_E_STYLE);
        assert_int_equal(hk_ctx_count(f->ctx, HK_ERROR), 1);
    }
    assert_int_equal(check_way(f, &ways[0], 0, CONTROLLED, "controlled:controller"), HK_OK);
    assert_string_equal(
        only(f)->text, "style 'navidro': controlled to controller is exempt, and nothing needs it");
}

/* What has nothing but parameters is there for all; what also gives something is not. */
static void test_agreements(void **state) {
    fixture *f = *state;
    static const way agreed = {.from = "composite In { leaf a : p.Agreed; }",
                               .to = "composite In { leaf b : p.Tuned; }",
                               .joined = "share From.In.a.k -> To.In.b.k;"};
    for (size_t i = 0; i < ROLES * ROLES; i++) {
        assert_int_equal(check_way(f, &agreed, i / ROLES, i % ROLES, NULL), HK_OK);
        assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 0);
    }
    static const way reversed = {.from = "composite In { leaf a : p.Tuned; }",
                                 .to = "composite In { leaf b : p.Agreed; }",
                                 .joined = "share From.In.a.k -> To.In.b.k;"};
    assert_int_equal(check_way(f, &reversed, 0, 1, NULL), HK_E_STYLE);
}

static void test_wishes(void **state) {
    fixture *f = *state;
    static const char *const wrong[] = {
        "controlled", "controlled:",    ":controller", "a:b", "controlled:controller:",
        "user:user",  "user:controlled"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hk_style_wishes wishes = {.name = "navidro", .exempt = {&wrong[i], 1}};
        assert_int_equal(hk_style_wishes_check(f->ctx, &wishes), HK_E_USAGE);
        wishes.name = NULL;
        assert_int_equal(hk_style_wishes_check(f->ctx, &wishes), HK_E_USAGE);
    }
    clear(f);
    assert_int_equal(hk_style_wishes_check(f->ctx, &(hk_style_wishes){.name = "navy"}), HK_E_USAGE);
    assert_string_equal(only(f)->hint, "one of: " HK_STYLES);
    char names[sizeof HK_STYLES] = HK_STYLES, *rest = names;
    for (char *name; (name = strtok_r(rest, " ", &rest));)
        assert_int_equal(hk_style_wishes_check(f->ctx, &(hk_style_wishes){.name = name}), HK_OK);
}

/* One message for each composite; what is in one with a role has it. */
static void test_missing_roles(void **state) {
    fixture *f = *state;
    assert_int_equal(check(f,
                           "leaf a : p.Source; leaf b : p.Sink; link a.y -> b.u;\n"
                           "composite Good role user { composite Inner { leaf x : p.Source; } }\n"
                           "composite Outer { composite Bad { leaf y : p.Source; } }\n",
                           NULL, NULL),
                     HK_E_CHECK_FAILED);
    assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 2);
    assert_string_equal(hk_ctx_diag(f->ctx, 0)->text,
                        "style 'navidro': composite 'Outer.Bad' has no role, so its leaf 'y' has "
                        "none");
    assert_int_equal(hk_ctx_diag(f->ctx, 0)->where.line, 4);
    assert_string_equal(hk_ctx_diag(f->ctx, 1)->text,
                        "style 'navidro': composite 'all' has no role, so its leaves 'a', 'b' have "
                        "none");
}

/* ---- units and frames ---- */

#define LINKED(from, a, y, to, b, u)                                                               \
    "composite From role " from " { output core.double o; leaf a : p." a "; link a." y             \
    " -> o; }\n"                                                                                   \
    "composite To role " to " { input core.double i; leaf b : p." b "; link i -> b." u "; }\n"     \
    "link From.o -> To.i;\n"

static void expect_standard(fixture *f, const char *body, const char *text, const char *hint) {
    hk_status status = check(f, body, NULL, NULL);
    if (!text) {
        show(f);
        assert_int_equal(status, HK_OK);
        return;
    }
    assert_int_equal(status, HK_E_STYLE);
    assert_string_equal(only(f)->text, hk_arena_printf(f->arena, "style 'navidro': %s", text));
    assert_string_equal(only(f)->hint, hint);
    assert_int_equal(only(f)->where.line, 4);
    assert_int_equal(only(f)->where.column, 16);
}

static void test_standard(void **state) {
    fixture *f = *state;
    expect_standard(f, LINKED("controlled", "Right", "y", "analysis", "Speed", "u"), NULL, NULL);
    expect_standard(f, LINKED("controlled", "Source", "y", "analysis", "Sink", "u"), NULL, NULL);
    expect_standard(f, LINKED("controlled", "Angles", "a", "analysis", "Turns", "a"), NULL, NULL);
    expect_standard(f, LINKED("controlled", "Angles", "b", "analysis", "Turns", "b"), NULL, NULL);
    expect_standard(f, LINKED("controlled", "Angles", "c", "analysis", "Turns", "c"), NULL, NULL);
    expect_standard(f, LINKED("sensors", "Mast", "y", "controller", "MastIn", "u"), NULL, NULL);
    expect_standard(f, LINKED("sensors", "Fast", "y", "sensors", "Plain", "u"), NULL, NULL);
    expect_standard(f, LINKED("controlled", "Angles", "a", "analysis", "Sink", "u"),
                    "'From.a.a' has the unit 'deg', and 'To.b.u' has none",
                    "declare the same unit at both ends");
    expect_standard(f, LINKED("controlled", "Source", "y", "analysis", "Turns", "b"),
                    "'To.b.b' has the unit 'rad', and 'From.a.y' has none",
                    "declare the same unit at both ends");
    expect_standard(f, LINKED("controlled", "Fast", "y", "analysis", "Plain", "u"),
                    "'From.a.y' is between roles and in 'km/h'", "declare it in 'm/s'");
    expect_standard(f, LINKED("controlled", "Metre", "y", "analysis", "Feet", "u"),
                    "'To.b.u' is between roles and in 'ft'", "declare it in 'm'");
    expect_standard(f, LINKED("controlled", "Right", "y", "analysis", "Plain", "u"),
                    "'From.a.y' has the frame 'ned', and 'To.b.u' has none",
                    "declare the same frame at both ends");
    expect_standard(f, LINKED("controlled", "Mast", "y", "sensors", "MastIn", "u"),
                    "'From.a.y' is between roles and in the frame 'mast', which role controlled "
                    "does not have",
                    "frames are ned, body, geo, ecef; others are for sensors and controller");
}

/* A leaf that is of use for many quantities has no unit; a port of its composite may. */
static void test_general_leaves(void **state) {
    fixture *f = *state;
#define GENERAL(port)                                                                              \
    "composite From role controlled { output core.double o; leaf a : p.Right; link a.y -> o; }\n"  \
    "composite To role sensors { input core.double i " port "; composite In {\n"                   \
    "  input core.double i; leaf b : p.Sink; link i -> b.u; } link i -> In.i; }\n"                 \
    "link From.o -> To.i;\n"
    expect_standard(f, GENERAL("unit \"m/s\" frame ned"), NULL, NULL);
    assert_int_equal(check(f, GENERAL("unit \"m/s\""), NULL, NULL), HK_E_STYLE);
    assert_string_equal(
        only(f)->text, "style 'navidro': 'From.a.y' has the frame 'ned', and 'To.In.b.u' has none");
    assert_int_equal(check(f, GENERAL("frame ned"), NULL, NULL), HK_E_STYLE);
    assert_string_equal(only(f)->text,
                        "style 'navidro': 'From.a.y' has the unit 'm/s', and 'To.In.b.u' has none");
    assert_int_equal(only(f)->where.line, 5);
    assert_int_equal(only(f)->where.column, 16);
#undef GENERAL
}

/* Ports of composites have units and frames of their own; parts of a record are one port. */
static void test_standard_ports(void **state) {
    fixture *f = *state;
    hk_status status = check(f,
                             "composite From role controlled {\n"
                             "  output core.double o unit \"km/h\";\n"
                             "  output core.Coordinate3D v unit \"km\" frame mast;\n"
                             "  composite In { output core.double o unit \"km/h\";\n"
                             "    leaf a : p.Right; link a.y -> o; }\n"
                             "  link In.o -> o;\n"
                             "}\n",
                             NULL, NULL);
    assert_int_equal(status, HK_E_CHECK_FAILED);
    static const struct {
        const char *text;
        int line, column;
    } expected[] = {
        {"style 'navidro': 'From.o' is between roles and in 'km/h'", 3, 22},
        {"style 'navidro': 'From.v' is between roles and in 'km'", 4, 28},
        {"style 'navidro': 'From.v' is between roles and in the frame 'mast', which role "
         "controlled does not have",
         4, 28},
    };
    enum { COUNT = sizeof expected / sizeof *expected };
    assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        const hk_diag *d = hk_ctx_diag(f->ctx, i);
        assert_string_equal(d->text, expected[i].text);
        assert_int_equal(d->where.line, expected[i].line);
        assert_int_equal(d->where.column, expected[i].column);
    }
}

/* ---- what nobody uses ---- */

/* The leaves that are told of, in one word. */
static const char *unused(fixture *f, const char *simulation) {
    const char *names = "";
    (void)check(f,
                "composite Sea role environment {\n"
                "  provides p.Level p1; provides p.Level p2;\n"
                "  leaf a : p.Source; leaf b : p.Source { inactive; }\n"
                "  leaf c : p.Server; leaf d : p.Server; leaf e : p.Server;\n"
                "  service p1 -> c.pLevel; service p2 -> d.pLevel; }\n"
                "composite Drone role controlled { requires p.Level r; leaf f : p.Client;\n"
                "  service f.rLevel -> r; }\n"
                "composite Seen role analysis { leaf g : p.Source; }\n"
                "service Drone.r -> Sea.p1, Sea.p2;\n",
                simulation, NULL);
    for (size_t i = 0; i < hk_ctx_count(f->ctx, HK_NOTE); i++) {
        const hk_diag *d = hk_ctx_diag(f->ctx, i);
        const char *at = strstr(d->text, "nothing uses what 'Sea.");
        assert_int_equal(d->code, HK_E_STYLE);
        assert_non_null(at);
        assert_non_null(strstr(d->text, "and it is not stopped in the first 'begin'"));
        const char *leaf = at + strlen("nothing uses what 'Sea.");
        assert_non_null(
            strstr(d->hint, hk_arena_printf(f->arena, "write \"s.all.Sea.%c\".Stop();", leaf[0])));
        names = hk_arena_printf(f->arena, "%s%c", names, leaf[0]);
    }
    return names;
}

#define CHOSEN     "bind \"s.all.Sea.c.pLevel\" to \"s.all.Drone.f.rLevel\"; "
#define STOP(leaf) "\"s.all.Sea." leaf "\".Stop(); "

static void test_unused(void **state) {
    fixture *f = *state;
    assert_string_equal(unused(f, "begin { " CHOSEN "} scenarios { Scenario x }"), "ade");
    assert_int_equal(hk_ctx_diag(f->ctx, 0)->where.line, 2);
    assert_string_equal(
        unused(f, "begin { " CHOSEN STOP("a") STOP("d") STOP("e") "} scenarios { Scenario x }"),
        "");
    /* Started again: then it runs. Stopped by an event: too late. Bound by an event: it is used. */
    assert_string_equal(unused(f, "begin { " CHOSEN STOP("a") STOP("d") STOP(
                                      "e") "\"s.all.Sea.a\".Start(); } scenarios { Scenario x }"),
                        "a");
    assert_string_equal(
        unused(f,
               "begin { " CHOSEN STOP("a") "} scenarios { Scenario x events { instant 20 { " STOP(
                   "e") "bind \"s.all.Sea.d.pLevel\" to \"s.all.Drone.f.rLevel\"; } } }"),
        "e");
    /* By the begin of every scenario, or of one. */
    assert_string_equal(unused(f, "begin { " CHOSEN "} scenarios { Scenario x begin { " STOP("a")
                                      STOP("d") "} Scenario y begin { " STOP("a") STOP("e") "} }"),
                        "de");
    /* What is logged, tested or measured is used. */
    assert_string_equal(unused(f, "begin { " CHOSEN STOP("d")
                                      STOP("e") "} scenarios { Scenario x logs { l.csv "
                                                "timed(10) { \"s.all.Sea.a.y\"; } } }"),
                        "");
    assert_string_equal(unused(f, "begin { " CHOSEN STOP("d")
                                      STOP("e") "} scenarios { Scenario x expects { require "
                                                "\"top\" maximum of \"s.all.Sea.a.y\" max 3; } }"),
                        "");
    /* Nothing says what is looked at: outputs are for the one who runs it. */
    assert_string_equal(unused(f, "scenarios { Scenario x }"), "");
}

/* What feeds only what is stopped is noted; the analysis looks at what it gets. */
static void test_unreached(void **state) {
    fixture *f = *state;
    static const char body[] =
        "composite Sea role environment { output core.double y; composite In {\n"
        "    output core.double y; leaf a : p.Metre; link a.y -> y; } link In.y -> y; }\n"
        "composite Drone role controlled { input core.double i; output core.double o;\n"
        "  leaf b : p.Pass; leaf c : p.Metre; link i -> b.u; link b.y -> o; }\n"
        "composite Seen role analysis { input core.double i; leaf d : p.Pass; link i -> d.u; }\n"
        "link Sea.y -> Drone.i; link Drone.o -> Seen.i;\n";
    static const struct {
        const char *begin, *expected;
    } cases[] = {
        {"", NULL},
        {"\"s.all.Drone.b\".Stop(); ",
         "style 'navidro': what 1 leaf produces is used by stopped or unused leaves only: "
         "'Sea.In.a'"},
        {"\"s.all.Seen.d\".Stop(); ",
         "style 'navidro': what 2 leaves produce is used by stopped or unused leaves only: "
         "'Sea.In.a', 'Drone.b'"},
        {"\"s.all.Drone.b\".Stop(); \"s.all.Sea.In.a\".Stop(); ", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = hk_arena_printf(f->arena,
                                           "begin { %s} scenarios { Scenario x logs { l.csv "
                                           "timed(10) { \"s.all.Drone.c.y\"; } } }",
                                           cases[i].begin);
        assert_int_equal(check(f, body, text, NULL), HK_OK);
        if (cases[i].expected)
            assert_string_equal(only(f)->text, cases[i].expected);
        else
            assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 0);
    }
    /* It runs again later. */
    assert_int_equal(check(f, body,
                           "begin { \"s.all.Drone.b\".Stop(); } scenarios { Scenario x\n"
                           "events { instant 20 { \"s.all.Drone.b\".Start(); } }\n"
                           "logs { l.csv timed(10) { \"s.all.Drone.c.y\"; } } }",
                           NULL),
                     HK_OK);
    assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_pairs),          TEST(test_exemption),      TEST(test_agreements),
        TEST(test_wishes),         TEST(test_missing_roles),  TEST(test_standard),
        TEST(test_standard_ports), TEST(test_general_leaves), TEST(test_unused),
        TEST(test_unreached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
