/* Position and motion of a body from those of the origin of its frame. */
#ifndef RBV_ANALYSIS_ANALYSES_BODY_MOTION_H
#define RBV_ANALYSIS_ANALYSES_BODY_MOTION_H

#include <roberval/state.h>

#include "mechanics/marker/marker.h"
#include "model/model/model.h"

/* From the motion `given` of the body's frame: position of the centroid and axes (`placed`), velocities (`twist`) and
 * accelerations at the centroid. Not `spatial`: components outside the plane are set to zero. */
void rbv_body_take(const RbvBody *body, const RbvBodyMotion *given, bool spatial, RbvBodyState *placed, RbvTwist *twist,
                   RbvTwist *acceleration);

#endif
