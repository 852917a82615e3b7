/* How far a scene reaches: the points of its figures that stand out. */
#ifndef RBV_SCENE_REACH_H
#define RBV_SCENE_REACH_H

#include <roberval/scene.h>

#include "linalg/vec3.h"

/* The largest speed of a point of the figures while bodies move by twists[body_count] of the origins of their frames,
 * in ground's axes, where they are in the scene. */
double rbv_scene_fastest(const RbvScene *scene, const RbvTwist *twists);

#endif
