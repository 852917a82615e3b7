/* The track analysis: a motion with its requirements active. */
#include "analysis/analyses/simulation.h"

RbvStatus rbv_track(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                    RbvResult **result) {
    return rbv_run_motion(system, options, true, diagnostics, result);
}
