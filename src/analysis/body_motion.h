/* How a body is and moves, from what is said of the origin of its frame. */
#ifndef RBV_ANALYSIS_BODY_MOTION_H
#define RBV_ANALYSIS_BODY_MOTION_H

#include <roberval/state.h>

#include "marker/marker.h"
#include "model/model.h"

/* The body's centroid and axes, and its motion there, from those of its frame. */
void rbv_body_take(const RbvBody *body, const RbvBodyMotion *given, bool spatial, RbvBodyState *placed, RbvTwist *twist,
                   RbvTwist *acceleration);

#endif
