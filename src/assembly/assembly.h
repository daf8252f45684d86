/* SPDX-License-Identifier: MIT
 *
 * The one way from a file and what is asked for to a run that can begin: `run`, `check`, `plan`,
 * `prove`, `trace`, sessions and simulations all go it, so that a setting means the same in each.
 * hk_assembly_open, _complete and _plan are its first three parts; recording.h has the rest. */
#ifndef HK_ASSEMBLY_ASSEMBLY_H
#define HK_ASSEMBLY_ASSEMBLY_H

#include "assembly/load.h"
#include "assembly/settings.h"
#include "assembly/values.h"
#include "fuse/fuse_options.h"
#include "model/scenario.h"
#include "nodes/meeting.h"
#include "nodes/wires.h"
#include "plan/plan.h"
#include "sound/master_file.h"

/* What somebody asks for; zero in every field: nothing but what the file says. All of it lives as
 * long as the assembly. */
typedef struct hk_request {
    const char *file; /* an FMU, a system or a simulation */
    hk_file_kind kind;
    const char *system; /* simulations: played on this one; NULL: the one beside the file */
    hk_texts defines;   /* simulations: "name=value" of its parameters */
    const char *schedule;
    const char *parameter_set; /* of an SSP; NULL: all that it binds */
    const char *master; /* a master in words whose order and lags hold; NULL: those of the plan */
    hk_wishes wishes;
    hk_texts tables;    /* that drive inputs */
    hk_texts set_files; /* of start values, assembly/set_file.h */
    hk_texts sets;      /* "name=value" of start values; they count before those of files */
    hk_texts stop_when; /* conditions that end a run */
    bool contract;      /* does the plan keep the contracts of the components? */
    unsigned nodes;     /* processes that run the components; 0: this one does */
    hk_transport transport;
    hk_meet meet;     /* the nodes are started by hand, and this is one of them or their recorder */
    hk_texts remote;  /* "NAME=PLACE": components that other processes serve, nodes/serve.h */
    hk_texts isolate; /* components that get a process of their own; "all": all of them */
    hk_texts sandbox; /* likewise, and may do nothing there but compute */
    hk_texts allow;   /* what they may do after all: "network", "write=DIR" */
    hk_texts limits;  /* "memory=8G", "cpu=60" */
    const hk_fuse_options *fused; /* simulations run by compiled code; NULL: interpreted */
} hk_request;

typedef struct hk_assembly {
    hk_arena *arena;
    const hk_request *request;
    hk_model *model;
    bool borrowed;             /* model and simulation are not ours to destroy */
    hk_simulation *simulation; /* owns the model; NULL: a system alone */
    hk_settings settings;
    hk_stop_when *stop_when;
    size_t stop_when_count;
    hk_master_file *master; /* NULL: none was asked for */
    const bool *isolated;   /* by component: it gets a process of its own; NULL: none does */
    const bool *sandboxed;  /* likewise: that is a sandbox */
    const struct hk_sandbox *sandbox;
    hk_plan *plan;
    const char *contract; /* what was found of the plan; NULL: was not asked for */
} hk_assembly;

/* Fills in file and kind of a request; says so if the file is none that can be planned. */
HK_NODISCARD hk_status hk_request_begin(hk_ctx *ctx, const char *file, hk_request *ret_request);

/* Reads the file. Zero-initialised before, closed in any case. */
HK_NODISCARD hk_status hk_assembly_open(hk_ctx *ctx, const hk_request *request,
                                        hk_assembly *ret_assembly);
/* A model that a program has made and owns, in place of a file; SIMULATION NULL: it has none. */
void hk_assembly_take(const hk_request *request, hk_model *model, hk_simulation *simulation,
                      hk_assembly *ret_assembly);
/* Everything that is asked for goes onto the model: schedule, settings, tables, values, conditions;
 * then it is checked and lowered. */
HK_NODISCARD hk_status hk_assembly_complete(hk_ctx *ctx, hk_assembly *assembly);
/* Tables and values alone, for a model that is to be completed later. */
HK_NODISCARD hk_status hk_assembly_set(hk_ctx *ctx, hk_assembly *assembly);
/* Checks and lowers a model. */
HK_NODISCARD hk_status hk_assembly_check(hk_ctx *ctx, hk_model *model);
/* Completes the experiment alone: for a model that was checked before. */
HK_NODISCARD hk_status hk_assembly_settle(hk_ctx *ctx, hk_assembly *assembly);
/* Makes the plan, again if the schedule has changed, and says what should be known of it before a
 * run. QUIET: nothing is said of constraints, for those who list them anyway. */
HK_NODISCARD hk_status hk_assembly_plan(hk_ctx *ctx, hk_assembly *assembly, bool quiet);
void hk_assembly_close(hk_assembly *assembly);

#endif
