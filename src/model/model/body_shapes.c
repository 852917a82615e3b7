/* Stores the shapes of bodies; see body_shapes.h. */
#include "model/model/body_shapes.h"

#include "model/model/refill.h"

#include <string.h>

/* Index of the shape in the first reading, or -1. */
static int32_t place_again(RbvModel *model, int32_t body, int32_t index) {
    for (int32_t k = 0; k < model->shapes.count; k++)
        if (model->shapes.items[k].body == body && index-- == 0)
            return rbv_refill_take(model, &model->shapes, sizeof(RbvBodyShape), k) ? k : -1;
    model->refill->differs = true;
    return -1;
}

bool rbv_model_add_shape(RbvModel *model, int32_t body, int32_t index, const RbvBodyShape *shape) {
    if (!model->scene || body < 0)
        return true;
    int32_t k =
        model->refill ? place_again(model, body, index) : rbv_model_grow(model, &model->shapes, sizeof(RbvBodyShape));
    RbvVec3 *points = rbv_arena_array(&model->arena, (size_t)shape->count + 1, sizeof *points);
    model->no_memory = model->no_memory || !points;
    if (k < 0 || !points)
        return false;
    if (shape->count > 0)
        memcpy(points, shape->points, (size_t)shape->count * sizeof *points);
    model->shapes.items[k] = *shape;
    model->shapes.items[k].body = body;
    model->shapes.items[k].points = points;
    return true;
}
