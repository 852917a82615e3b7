/* Largest speed of the points of a scene's figures. */
#ifndef RBV_ANALYSIS_SCENE_REACH_H
#define RBV_ANALYSIS_SCENE_REACH_H

#include <roberval/scene.h>

#include "core/linalg/vec3.h"

/* Largest speed of a point of the figures, in the poses of the scene, if bodies move by twists[body_count] of their
 * frame origins in ground's axes. */
double rbv_scene_fastest(const RbvScene *scene, const RbvTwist *twists);

#endif
