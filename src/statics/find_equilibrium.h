/* From a system to its equilibrium: assemble, let the method of the options find it, judge its stability. */
#ifndef RBV_STATICS_FIND_EQUILIBRIUM_H
#define RBV_STATICS_FIND_EQUILIBRIUM_H

#include <roberval/analysis.h>

#include "assembly/activity.h"
#include "record/record.h"
#include "statics/equilibrium.h"
#include "statics/stability.h"

typedef struct RbvFind {
    const RbvSystem *system;   /* in absolute coordinates */
    const RbvSystem *found_in; /* the same machine in the coordinates in which a method that is named looks for the
                                  equilibrium; NULL: in absolute ones. By default it is looked for along bodies,
                                  whatever these are, so that one start has one answer */
    RbvSystem *tree;           /* by default of deep trees: in joint coordinates, along which steps go */
    const RbvModel *model;
    const RbvOptions *options;
    RbvDiagnostics *diagnostics;
    RbvProgress progress; /* the progress function of the options */
    RbvStaticsMethod method;
    bool has_energy;      /* all loads have one that is known */
    bool two_sided;       /* given: one-sided joints hold, stops do not */
    bool one_sided;       /* there are stops or one-sided joints, and they act */
    RbvActivity activity; /* conditions */
    RbvSupports supports;
    RbvState *state;
    RbvBalance *balance;
    RbvEquilibriumSearch search;
    RbvStability stability;
} RbvFind;

/* The name of a method, as in results. */
const char *rbv_statics_method_name(RbvStaticsMethod method);
/* Choose the method and assemble: system, model, options and diagnostics are set, all else is zero. Statuses as of
 * rbv_statics, said. */
RbvStatus rbv_find_start(RbvFind *find);
/* Go from there to the equilibrium and decide its stability. Statuses likewise. */
RbvStatus rbv_find_finish(RbvFind *find);
void rbv_find_destroy(RbvFind *find);

/* What is one-sided at a start: one-sided joints hold and stops do not, as far as rows go; or what rests there is
 * found with all of them, and rows of one-sided joints that touch hold from there; or of stops, too. */
typedef enum RbvSupported { RBV_SUPPORTED_TWO_SIDED, RBV_SUPPORTED_BY_JOINTS, RBV_SUPPORTED_BY_ALL } RbvSupported;
/* The state at the equilibrium that statics finds, as the start of something else: *state is new, with the rows and
 * loads that hold and act there; *assembled: the machine as it was assembled, before it came to rest. Statuses as of
 * rbv_statics. */
RbvStatus rbv_equilibrium_place(const RbvSystem *system, const RbvOptions *options, RbvSupported by,
                                RbvDiagnostics *diagnostics, RbvMachine *assembled, RbvState **state);

#endif
