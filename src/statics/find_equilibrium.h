/* Finds the equilibrium of a system: assembly, the method of the options, decision of stability. */
#ifndef RBV_STATICS_FIND_EQUILIBRIUM_H
#define RBV_STATICS_FIND_EQUILIBRIUM_H

#include <roberval/options.h>

#include "solution/assembly/activity.h"
#include "solution/record/record.h"
#include "statics/equilibrium.h"
#include "statics/stability.h"

typedef struct RbvFind {
    const RbvSystem *system;   /* in absolute coordinates */
    const RbvSystem *found_in; /* the same model in the coordinates in which a method named by the user searches for the
                                  equilibrium; NULL: absolute coordinates. The default method works over bodies,
                                  whatever the model's coordinates, so that one start has one answer */
    RbvSystem *tree; /* default method, deep trees: the system in joint coordinates, along which steps go; else NULL */
    const RbvModel *model;
    const RbvOptions *options;
    RbvDiagnostics *diagnostics;
    RbvProgress progress; /* progress function of the options */
    RbvStaticsMethod method;
    bool has_energy;      /* all loads have a known energy */
    bool two_sided;       /* set by the caller: one-sided joints act as two-sided ones, stops do not act */
    bool one_sided;       /* there are stops or one-sided joints, and they act */
    RbvActivity activity; /* truth of the model's conditions */
    RbvSupports supports;
    RbvState *state;
    RbvBalance *balance;
    RbvEquilibriumSearch search;
    RbvStability stability;
} RbvFind;

/* Name of a method as in results. */
const char *rbv_statics_method_name(RbvStaticsMethod method);
/* Chooses the method and assembles. system, model, options and diagnostics are set by the caller, all else is zero.
 * Statuses as of rbv_statics, reported. */
RbvStatus rbv_find_start(RbvFind *find);
/* Moves from the assembled state to the equilibrium and decides its stability. Statuses as of rbv_statics, reported. */
RbvStatus rbv_find_finish(RbvFind *find);
void rbv_find_destroy(RbvFind *find);

/* Treatment of one-sided joints and stops at a start. TWO_SIDED: rows of one-sided joints are active, those of stops
 * are not. BY_JOINTS: the equilibrium is found with all supports, and from there the rows of closed one-sided joints
 * are active. BY_ALL: those of closed stops, too. */
typedef enum RbvSupported { RBV_SUPPORTED_TWO_SIDED, RBV_SUPPORTED_BY_JOINTS, RBV_SUPPORTED_BY_ALL } RbvSupported;
/* State at the equilibrium of statics, as the start of another analysis. *state is a new state with the rows and loads
 * that act there. *assembled: the model as assembled, before it came to rest. Statuses as of rbv_statics. */
RbvStatus rbv_equilibrium_state(const RbvSystem *system, const RbvOptions *options, RbvSupported by,
                                RbvDiagnostics *diagnostics, RbvMachine *assembled, RbvState **state);

#endif
