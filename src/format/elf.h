/* SPDX-License-Identifier: MIT
 *
 * What a shared library of Linux (ELF) says about itself, without loading it: what it exports, what
 * it needs, for which processor it is. The file comes from a stranger: every offset in it is
 * checked before it is followed. */
#ifndef HK_FORMAT_ELF_H
#define HK_FORMAT_ELF_H

#include "base/diag.h"

enum { HK_ELF_X86 = 3, HK_ELF_PPC = 20, HK_ELF_PPC64 = 21, HK_ELF_ARM = 40 };
enum { HK_ELF_X86_64 = 62, HK_ELF_AARCH64 = 183, HK_ELF_RISCV = 243 };

typedef struct hk_elf {
    int bits; /* 32, 64 */
    unsigned machine;
    bool shared;                /* a shared library, not a program or an object file */
    const char *const *exports; /* symbols that others can use, in the order of the file */
    size_t export_count;
    const char *const *imports; /* symbols that it expects others to have */
    size_t import_count;
    const char *const *needed; /* names of the libraries it is linked with */
    size_t needed_count;
    const char *search_path; /* where it looks for them (RUNPATH or RPATH); NULL: not said */
} hk_elf;

/* DATA need not outlive the call: everything is copied to ARENA. FILE is for messages. */
HK_NODISCARD hk_status hk_elf_read(hk_ctx *ctx, hk_arena *arena, const char *file, const void *data,
                                   size_t size, const hk_elf **ret_elf);

/* What is in the section called NAME of the ELF file DATA, as a place in DATA; false: there is
 * no such section, or the file is damaged or not an ELF file. */
bool hk_elf_section(const void *data, size_t size, const char *name, const char **ret_data,
                    size_t *ret_size);
/* Does the table of all symbols of the object file or library DATA have SYMBOL, defined there and
 * visible to others? */
bool hk_elf_defines(const void *data, size_t size, const char *symbol);

/* A function or an object that the file defines, as the table has it that debuggers read. */
typedef struct hk_elf_symbol {
    const char *name;
    const char *file; /* name of the source it comes from; NULL: it is not said, as for all that
                         other sources can use */
    uint64_t address; /* counted from where the file is loaded */
    bool function;
    bool variable; /* an object that can be written while the program runs, of a thread or not */
    bool weak;     /* several files may define it, and it is the same in all */
} hk_elf_symbol;

typedef struct hk_elf_symbols {
    const hk_elf_symbol *all; /* in the order of the file */
    size_t count;
} hk_elf_symbols;

/* In ARENA. A file that was stripped has none; what is damaged is left out. What compilers and
 * linkers add of their own is not reported. */
hk_elf_symbols hk_elf_read_symbols(hk_arena *arena, const void *data, size_t size);

#endif
