/* SPDX-License-Identifier: MIT
 *
 * For memory_test.c, instead of the generated file. */
#ifndef HK_SHELL_MODEL_H
#define HK_SHELL_MODEL_H

#define HK_SHELL_ID tested

#endif
