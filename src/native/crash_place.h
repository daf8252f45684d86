/* SPDX-License-Identifier: MIT
 *
 * Where in its source a component crashed: the function, and the file and line where the library
 * carries debug information. */
#ifndef HK_NATIVE_CRASH_PLACE_H
#define HK_NATIVE_CRASH_PLACE_H

#include <stddef.h>

/* "deep, pump.c:12", "deep, pump.c" or "deep" of the innermost function of the calling thread that
 * is in a loaded library and not in one of the system. Returns the length; 0: it is not known. For
 * the handler of a fatal signal: a process of its own looks, so that nothing there can do harm, and
 * it has two seconds. */
size_t hk_crash_place(char *text, size_t size);

#endif
