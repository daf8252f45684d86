/* SPDX-License-Identifier: MIT
 *
 * Rules about the libraries below binaries/, which are read but never loaded. */
#include "check/lint.h"

#include "fmi/fmi1_api.h"
#include "fmi/fmi2_api.h"
#include "fmi/fmi3_api.h"
#include "format/elf.h"

#include <string.h>

enum { LIBRARY_BYTES_MAX = 1 << 30 };

typedef enum format { ELF, PE, MACH } format;

/* The platforms of FMI 1.0 and 2.0, then the parts of those of FMI 3.0. */
static const struct {
    const char *folder;
    format format;
    unsigned machine;
    int bits;
} platforms[] = {{"win32", PE, 0x14c, 32},
                 {"win64", PE, 0x8664, 64},
                 {"linux32", ELF, HK_ELF_X86, 32},
                 {"linux64", ELF, HK_ELF_X86_64, 64},
                 {"darwin32", MACH, 0, 32},
                 {"darwin64", MACH, 0, 64},
                 {"x86-windows", PE, 0x14c, 32},
                 {"x86_64-windows", PE, 0x8664, 64},
                 {"aarch32-windows", PE, 0x1c4, 32},
                 {"aarch64-windows", PE, 0xaa64, 64},
                 {"x86-linux", ELF, HK_ELF_X86, 32},
                 {"x86_64-linux", ELF, HK_ELF_X86_64, 64},
                 {"aarch32-linux", ELF, HK_ELF_ARM, 32},
                 {"aarch64-linux", ELF, HK_ELF_AARCH64, 64},
                 {"riscv32-linux", ELF, HK_ELF_RISCV, 32},
                 {"riscv64-linux", ELF, HK_ELF_RISCV, 64},
                 {"ppc32-linux", ELF, HK_ELF_PPC, 32},
                 {"ppc64-linux", ELF, HK_ELF_PPC64, 64},
                 {"x86-darwin", MACH, 0, 32},
                 {"x86_64-darwin", MACH, 0, 64},
                 {"aarch64-darwin", MACH, 0, 64}};
enum { PLATFORMS = sizeof platforms / sizeof *platforms, OLD_PLATFORMS = 6 };

static const char *const extensions[] = {".so", ".dll", ".dylib"};

/* Functions that belong to one interface type only; the names are separated by blanks. */
static const char model_exchange_2[] =
    "EnterEventMode NewDiscreteStates EnterContinuousTimeMode CompletedIntegratorStep SetTime "
    "SetContinuousStates GetDerivatives GetEventIndicators GetContinuousStates "
    "GetNominalsOfContinuousStates";
static const char co_simulation_2[] =
    "SetRealInputDerivatives GetRealOutputDerivatives DoStep CancelStep GetStatus GetRealStatus "
    "GetIntegerStatus GetBooleanStatus GetStringStatus";
static const char model_exchange_1[] =
    "GetModelTypesPlatform GetVersion SetDebugLogging InstantiateModel FreeModelInstance SetTime "
    "SetContinuousStates CompletedIntegratorStep SetReal SetInteger SetBoolean SetString "
    "Initialize GetDerivatives GetEventIndicators GetReal GetInteger GetBoolean GetString "
    "EventUpdate GetContinuousStates GetNominalContinuousStates GetStateValueReferences Terminate";
static const char model_exchange_3[] =
    "InstantiateModelExchange EnterContinuousTimeMode CompletedIntegratorStep SetTime "
    "SetContinuousStates GetContinuousStateDerivatives GetEventIndicators GetContinuousStates "
    "GetNominalsOfContinuousStates GetNumberOfEventIndicators GetNumberOfContinuousStates";
static const char co_simulation_3[] =
    "InstantiateCoSimulation EnterStepMode GetOutputDerivatives DoStep";
static const char scheduled_execution_3[] = "InstantiateScheduledExecution ActivateModelPartition";

#define NAME1(need, name, ...) #name " "
#define NAME2(need, name, ...) #name " "
#define NAME3(need, name, ...) #name " "
static const char functions_1[] = HK_FMI1_FUNCTIONS(NAME1);
static const char functions_2[] = HK_FMI2_FUNCTIONS(NAME2);
static const char functions_3[] = HK_FMI3_FUNCTIONS(NAME3);

static bool has_word(const char *list, const char *word, size_t length) {
    size_t size;
    for (const char *p; (p = hk_lint_word(&list, &size));)
        if (size == length && memcmp(p, word, length) == 0)
            return true;
    return false;
}

/* One library and what is missing in it. */
typedef struct library {
    hk_lint *lint;
    hk_where where;
    hk_map exports;
    const char *prefix;
    const char *missing[2]; /* of its own interface types, of the others */
    size_t missing_count[2];
} library;

static void demand(library *l, const char *names, const char *except, bool other) {
    enum { SHOWN_MAX = 8 };
    hk_arena *arena = l->lint->arena;
    size_t length;
    for (const char *word; (word = hk_lint_word(&names, &length));) {
        if (except && has_word(except, word, length))
            continue;
        const char *name = hk_arena_printf(arena, "%s%.*s", l->prefix, (int)length, word);
        if (hk_map_get(&l->exports, name) != HK_MAP_NONE)
            continue;
        const char *before = l->missing[other] ? l->missing[other] : "";
        if (l->missing_count[other]++ < SHOWN_MAX)
            l->missing[other] = hk_arena_printf(arena, "%s%s%s", before, *before ? ", " : "", name);
    }
}

static void check_functions(library *l, const char *id) {
    hk_lint *lint = l->lint;
    bool me = hk_lint_interface(lint, "ModelExchange") != NULL;
    bool cs = hk_lint_interface(lint, "CoSimulation") != NULL;
    bool se = hk_lint_interface(lint, "ScheduledExecution") != NULL;
    switch (lint->version) {
    case 1:
        l->prefix = hk_arena_printf(lint->arena, "%s_fmi", id);
        demand(l, hk_xml_child(lint->root, NULL, "Implementation") ? functions_1 : model_exchange_1,
               NULL, false);
        break;
    case 2:
        l->prefix = "fmi2";
        demand(l, functions_2, cs ? NULL : co_simulation_2, false);
        if (me)
            demand(l, model_exchange_2, NULL, false);
        break;
    default:
        l->prefix = "fmi3";
        demand(l, functions_3,
               hk_arena_printf(lint->arena, "%s %s %s", model_exchange_3, co_simulation_3,
                               scheduled_execution_3),
               false);
        demand(l, model_exchange_3, NULL, !me);
        demand(l, co_simulation_3, NULL, !cs);
        demand(l, scheduled_execution_3, NULL, !se);
        break;
    }
    for (int other = 0; other < 2; other++)
        if (l->missing[other])
            hk_lint_where(lint, other ? HK_RULE_LIBRARY_OTHER_FUNCTIONS : HK_RULE_LIBRARY_FUNCTIONS,
                          l->where, NULL, "%zu function%s missing: %s%s", l->missing_count[other],
                          l->missing_count[other] == 1 ? " is" : "s are", l->missing[other],
                          l->missing_count[other] > 8 ? ", ..." : "");
}

static void check_needed(library *l, const hk_zip *zip, const char *folder, const hk_elf *elf) {
    static const char usual[] = "libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 "
                                "libutil.so.1 libgcc_s.so.1 libstdc++.so.6";
    for (size_t i = 0; i < elf->needed_count; i++) {
        const char *name = elf->needed[i];
        const char *beside = hk_arena_printf(l->lint->arena, "%s%s", folder, name);
        if (has_word(usual, name, strlen(name)) || strncmp(name, "ld-linux", 8) == 0 ||
            hk_zip_find(zip, beside) >= 0)
            continue;
        hk_lint_where(l->lint, HK_RULE_LIBRARY_NEEDED, l->where, "put it beside the library",
                      "it needs '%.200s', which is not in every system", name);
    }
    for (const char *path = elf->search_path; path && *path;) {
        size_t length = strcspn(path, ":");
        if (strncmp(path, "$ORIGIN", 7) != 0 && strncmp(path, "${ORIGIN}", 9) != 0)
            hk_lint_where(l->lint, HK_RULE_LIBRARY_PATH, l->where, "use $ORIGIN",
                          "it looks for libraries in '%.*s'", (int)(length > 200 ? 200 : length),
                          path);
        path += length + (path[length] == ':');
    }
}

static unsigned pe_machine(const uint8_t *data, size_t size) {
    if (size < 64)
        return 0;
    size_t at = data[60] | (size_t)data[61] << 8 | (size_t)data[62] << 16 | (size_t)data[63] << 24;
    if (at > size || size - at < 6 || memcmp(data + at, "PE\0\0", 4) != 0)
        return 0;
    return data[at + 4] | (unsigned)data[at + 5] << 8;
}

static bool is_mach(const uint8_t *data, size_t size) {
    static const uint8_t magic[][4] = {
        {0xcf, 0xfa, 0xed, 0xfe}, {0xce, 0xfa, 0xed, 0xfe}, {0xca, 0xfe, 0xba, 0xbe}};
    for (size_t i = 0; i < 3 && size >= 4; i++)
        if (memcmp(data, magic[i], 4) == 0)
            return true;
    return false;
}

/* The processor of an ELF file, for people. */
static const char *machine_name(hk_arena *arena, unsigned machine, int bits) {
    static const struct {
        unsigned machine;
        const char *name;
    } names[] = {{HK_ELF_X86, "x86"},         {HK_ELF_X86_64, "x86-64"}, {HK_ELF_ARM, "ARM"},
                 {HK_ELF_AARCH64, "ARM 64"},  {HK_ELF_RISCV, "RISC-V"},  {HK_ELF_PPC, "PowerPC"},
                 {HK_ELF_PPC64, "PowerPC 64"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].machine == machine)
            return hk_arena_printf(arena, "%s, %d bits", names[i].name, bits);
    return hk_arena_printf(arena, "number %u of ELF, %d bits", machine, bits);
}

/* The processor of a DLL. */
static const char *dll_name(hk_arena *arena, unsigned machine) {
    switch (machine) {
    case 0x14c:
        return "x86, 32 bits";
    case 0x8664:
        return "x86-64, 64 bits";
    case 0xaa64:
        return "ARM 64, 64 bits";
    default:
        return hk_arena_printf(arena, "number 0x%x of PE", machine);
    }
}

/* NULL: it is not a shared library, which was said. */
static const hk_elf *read_elf(library *l, const char *data, size_t size) {
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    const hk_elf *elf = NULL;
    hk_status status = hk_elf_read(quiet, l->lint->arena, "", data, size, &elf);
    if (status != HK_OK || !elf->shared) {
        hk_lint_where(l->lint, HK_RULE_LIBRARY_FORMAT, l->where, NULL, "%s",
                      status != HK_OK ? hk_ctx_diag(quiet, 0)->text
                                      : "the file is not a shared library");
        elf = NULL;
    }
    hk_ctx_destroy(quiet);
    return elf;
}

static void check_elf(library *l, const hk_zip *zip, const char *folder, size_t platform,
                      const char *id, const hk_elf *elf) {
    if (elf->machine != platforms[platform].machine || elf->bits != platforms[platform].bits)
        hk_lint_where(l->lint, HK_RULE_LIBRARY_MACHINE, l->where, NULL,
                      "it is made for another processor (%s)",
                      machine_name(l->lint->arena, elf->machine, elf->bits));
    for (size_t i = 0; i < elf->export_count; i++)
        hk_map_put(&l->exports, elf->exports[i], 0);
    check_functions(l, id);
    check_needed(l, zip, folder, elf);
}

static void check_library(hk_lint *lint, hk_zip *zip, size_t entry, const char *path,
                          size_t platform, const char *id) {
    const char *name = hk_zip_name(zip, entry);
    library l = {
        .lint = lint,
        .where = {.file = path, .element = hk_arena_printf(lint->arena, "entry '%.200s'", name)}};
    const char *folder =
        hk_arena_strndup(lint->arena, name, (size_t)(strrchr(name, '/') + 1 - name));
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    char *data = NULL;
    size_t size = 0;
    if (hk_zip_size(zip, entry) > LIBRARY_BYTES_MAX) {
        hk_lint_where(lint, HK_RULE_LIBRARY_FORMAT, l.where, NULL, "the file is too large");
    } else if (hk_zip_read(quiet, zip, entry, &data, &size) != HK_OK) {
        hk_lint_where(lint, HK_RULE_LIBRARY_FORMAT, l.where, NULL, "%s",
                      hk_ctx_diag(quiet, 0)->text);
    } else if (platforms[platform].format == ELF) {
        const hk_elf *elf = read_elf(&l, data, size);
        if (elf)
            check_elf(&l, zip, folder, platform, id, elf);
    } else if (platforms[platform].format == PE) {
        unsigned machine = pe_machine((const uint8_t *)data, size);
        if (!machine)
            hk_lint_where(lint, HK_RULE_LIBRARY_FORMAT, l.where, NULL, "the file is not a DLL");
        else if (machine != platforms[platform].machine)
            hk_lint_where(lint, HK_RULE_LIBRARY_MACHINE, l.where, NULL,
                          "it is made for another processor (%s)", dll_name(lint->arena, machine));
    } else if (!is_mach((const uint8_t *)data, size)) {
        hk_lint_where(lint, HK_RULE_LIBRARY_FORMAT, l.where, NULL,
                      "the file is not a library of macOS");
    }
    hk_free(data);
    hk_map_finish(&l.exports);
    hk_ctx_destroy(quiet);
}

/* FOLDER is "linux64/". FMI 2.0 uses the names of FMI 3.0 for processors it does not name. */
static size_t find_platform(const hk_lint *lint, const char *folder) {
    size_t length = strcspn(folder, "/");
    for (size_t i = lint->version == 3 ? OLD_PLATFORMS : 0; i < PLATFORMS; i++)
        if (strlen(platforms[i].folder) == length &&
            memcmp(platforms[i].folder, folder, length) == 0)
            return i;
    return PLATFORMS;
}

/* A platform with the name of an ABI behind it holds static libraries. */
static bool is_static(const char *folder) {
    for (size_t i = OLD_PLATFORMS; i < PLATFORMS; i++) {
        size_t length = strlen(platforms[i].folder);
        if (strncmp(folder, platforms[i].folder, length) == 0 && folder[length] == '-')
            return true;
    }
    return false;
}

static bool has_static(const hk_zip *zip, const char *folder) {
    for (size_t i = 0; i < hk_zip_count(zip); i++) {
        const char *name = hk_zip_name(zip, i), *dot = strrchr(name, '.');
        if (strncmp(name, folder, strlen(folder)) == 0 && dot &&
            (strcmp(dot, ".a") == 0 || strcmp(dot, ".lib") == 0))
            return true;
    }
    return false;
}

void hk_lint_platform(hk_lint *lint, hk_zip *zip, const char *path, const char *folder) {
    hk_arena *arena = lint->arena;
    const char *full = hk_arena_printf(arena, "binaries/%s", folder);
    hk_where where = {.file = path, .element = hk_arena_printf(arena, "entry '%.200s'", full)};
    size_t platform = find_platform(lint, folder);
    if (is_static(folder))
        return;
    if (platform == PLATFORMS) {
        hk_lint_where(lint, HK_RULE_PLATFORM, where, NULL, "FMI %s names no such platform",
                      lint->version == 3   ? "3.0"
                      : lint->version == 2 ? "2.0"
                                           : "1.0");
        return;
    }
    const char *done = NULL;
    for (size_t i = 0; i < 3; i++) {
        const char *id = hk_lint_identifier(lint, i);
        if (!id || (done && strcmp(done, id) == 0))
            continue;
        const char *name =
            hk_arena_printf(arena, "%s%s%s", full, id, extensions[platforms[platform].format]);
        int64_t entry = hk_zip_find(zip, name);
        if (entry >= 0)
            check_library(lint, zip, (size_t)entry, path, platform, id);
        else if (!has_static(zip, full))
            hk_lint_where(lint, HK_RULE_BINARY_NAME, where, NULL, "there is no '%.200s'", name);
        done = id;
    }
}
