/* Makes the scene of a result from a model and a state; format: <roberval/scene.h>. */
#ifndef RBV_ANALYSIS_SCENE_SCENE_H
#define RBV_ANALYSIS_SCENE_SCENE_H

#include <roberval/analysis.h>

#include "mechanics/system/system.h"
#include "model/result/scene.h"

/* Add the scene to the result, at a state whose positions are evaluated; the poses are stored. No action if the
 * options do not request a scene or the result has one. False: out of memory. */
bool rbv_scene_show(RbvResult *result, const RbvState *state, const RbvOptions *options);

/* Find the virtual motions of the scene's bodies at this state (RbvScene.motions); shown[bodies]: index of each body
 * in the scene, or -1. No action for large systems. False: out of memory. */
bool rbv_scene_find_motions(RbvResult *result, const RbvState *state, const int32_t *shown);

/* Add one motion u[bodies.size] to the scene of the result, if it has one. False: out of memory. */
bool rbv_scene_add_motion(RbvResult *result, RbvState *state, const char *name, const char *freedom, const double *u);

/* Record the failure of an analysis in the scene of *result; without a result, in a new one that contains only a
 * scene (RbvResult.bare), at the state nearest to an assembled one, with the remaining constraint errors. `messages`:
 * the messages of the analysis. Only for numerical failures (not assembled, locked, ...), and if the options request a
 * scene. Returns NO_MEMORY, else `status`. */
RbvStatus rbv_scene_end(const RbvSystem *system, const RbvOptions *options, const char *analysis, RbvStatus status,
                        const RbvDiagnostics *messages, RbvResult **result);

#endif
