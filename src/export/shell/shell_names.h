/* SPDX-License-Identifier: MIT
 *
 * The names of the shell that the linker sees begin with the model identifier, so that the sources
 * of several FMUs can be linked into one program. */
#ifndef HK_SHELL_NAMES_H
#define HK_SHELL_NAMES_H

#include "shell_model.h"

#define HK_SHELL_PASTE(id, name)  id##_##name
#define HK_SHELL_EXPAND(id, name) HK_SHELL_PASTE(id, name)
#define HK_SHELL_NAME(name)       HK_SHELL_EXPAND(HK_SHELL_ID, name)

#define hk_shell_open                  HK_SHELL_NAME(hk_shell_open)
#define hk_shell_close                 HK_SHELL_NAME(hk_shell_close)
#define hk_shell_refuse                HK_SHELL_NAME(hk_shell_refuse)
#define hk_shell_refuse_ref            HK_SHELL_NAME(hk_shell_refuse_ref)
#define hk_shell_check_categories      HK_SHELL_NAME(hk_shell_check_categories)
#define hk_shell_set_experiment        HK_SHELL_NAME(hk_shell_set_experiment)
#define hk_shell_initialize            HK_SHELL_NAME(hk_shell_initialize)
#define hk_shell_finish_initialization HK_SHELL_NAME(hk_shell_finish_initialization)
#define hk_shell_step                  HK_SHELL_NAME(hk_shell_step)
#define hk_shell_terminate             HK_SHELL_NAME(hk_shell_terminate)
#define hk_shell_reset                 HK_SHELL_NAME(hk_shell_reset)
#define hk_shell_settle                HK_SHELL_NAME(hk_shell_settle)
#define hk_shell_note_initial          HK_SHELL_NAME(hk_shell_note_initial)
#define hk_shell_put_bytes             HK_SHELL_NAME(hk_shell_put_bytes)
#define hk_shell_state_get             HK_SHELL_NAME(hk_shell_state_get)
#define hk_shell_state_set             HK_SHELL_NAME(hk_shell_state_set)
#define hk_shell_state_free            HK_SHELL_NAME(hk_shell_state_free)
#define hk_shell_state_size            HK_SHELL_NAME(hk_shell_state_size)
#define hk_shell_state_save            HK_SHELL_NAME(hk_shell_state_save)
#define hk_shell_state_load            HK_SHELL_NAME(hk_shell_state_load)
#define hk_shell_copy                  HK_SHELL_NAME(hk_shell_copy)
#define hk_shell_make_block            HK_SHELL_NAME(hk_shell_make_block)
#define hk_shell_free_block            HK_SHELL_NAME(hk_shell_free_block)
#define hk_shell_derivative            HK_SHELL_NAME(hk_shell_derivative)
#define hk_shell_get_real              HK_SHELL_NAME(hk_shell_get_real)
#define hk_shell_set_real              HK_SHELL_NAME(hk_shell_set_real)
#define hk_shell_get_integer           HK_SHELL_NAME(hk_shell_get_integer)
#define hk_shell_set_integer           HK_SHELL_NAME(hk_shell_set_integer)
#define hk_shell_get_string            HK_SHELL_NAME(hk_shell_get_string)
#define hk_shell_set_string            HK_SHELL_NAME(hk_shell_set_string)
#define hk_shell_get_boolean           HK_SHELL_NAME(hk_shell_get_boolean)
#define hk_shell_set_boolean           HK_SHELL_NAME(hk_shell_set_boolean)
#define hk_shell_unload_plugin         HK_SHELL_NAME(hk_shell_unload_plugin)
#define hk_shell_check_clock           HK_SHELL_NAME(hk_shell_check_clock)
#define hk_shell_failed                HK_SHELL_NAME(hk_shell_failed)
#define hk_shell_data                  HK_SHELL_NAME(hk_shell_data)
#define hk_shell_load_plugin           HK_SHELL_NAME(hk_shell_load_plugin)

#endif
