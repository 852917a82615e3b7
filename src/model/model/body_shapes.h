/* Storage of the shapes of bodies, as read from the model file. */
#ifndef RBV_MODEL_MODEL_BODY_SHAPES_H
#define RBV_MODEL_MODEL_BODY_SHAPES_H

#include "model/model/model.h"

/* Store a copy of shape number `index` (from 0) of the body, if the model keeps shapes. False: out of memory
 * (remembered in the model). */
bool rbv_model_add_shape(RbvModel *model, int32_t body, int32_t index, const RbvBodyShape *shape);

#endif
