/* The shapes of bodies, as they were read. */
#ifndef RBV_MODEL_BODY_SHAPES_H
#define RBV_MODEL_BODY_SHAPES_H

#include "model/model.h"

/* Shape number `index` (from 0) of the body, a copy, where the model keeps shapes. False: no memory (remembered). */
bool rbv_model_add_shape(RbvModel *model, int32_t body, int32_t index, const RbvBodyShape *shape);

#endif
