/* What a machine looks like, from its model and a state, into a result: <roberval/scene.h>. */
#ifndef RBV_SCENE_SCENE_H
#define RBV_SCENE_SCENE_H

#include <roberval/analysis.h>

#include "result/scene.h"
#include "system/system.h"

/* The scene in the placed state, whose poses it keeps. Nothing is done where the options do not ask for it, or the
 * result has one. False: no memory. */
bool rbv_scene_show(RbvResult *result, const RbvState *state, const RbvOptions *options);

/* How the bodies of the result's scene can move there (RbvScene.motions); shown[bodies]: those of the scene, -1.
 * Nothing is done for large systems. False: no memory. */
bool rbv_scene_find_motions(RbvResult *result, const RbvState *state, const int32_t *shown);

/* One more, u[bodies.size], for the scene of the result if it has one. False: no memory. */
bool rbv_scene_add_motion(RbvResult *result, RbvState *state, const char *name, const char *freedom, const double *u);

/* What went wrong with the analysis: into the scene that *result has; where there is no result, into a new one that
 * holds nothing but a scene (RbvResult.bare), of the state nearest to an assembled one, with the gaps that are left.
 * `said`: what was said. Statuses of numbers alone (not assembled, locked, ...), and where the options ask for it.
 * NO_MEMORY, else `status`. */
RbvStatus rbv_scene_end(const RbvSystem *system, const RbvOptions *options, const char *analysis, RbvStatus status,
                        const RbvDiagnostics *said, RbvResult **result);

#endif
