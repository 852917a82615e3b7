/* Storage of a result's scene while it is built: growing arrays, and names of items. Format: <roberval/scene.h>. */
#ifndef RBV_MODEL_RESULT_SCENE_H
#define RBV_MODEL_RESULT_SCENE_H

#include <roberval/scene.h>

#include "model/result/result.h"

/* One store per result with a scene, in the result's arena except the figures. `shown` points to the arrays below. */
typedef struct RbvSceneStore {
    RbvScene shown;
    RbvSceneBody *bodies;
    RbvSceneMarker *markers;
    RbvSceneItem *items;
    RbvSceneFigure *figures;
    int32_t figure_capacity;
    RbvSceneFailure failed;
} RbvSceneStore;

/* Create the result's scene with space for these numbers of bodies, markers and items. NULL: out of memory. */
RbvSceneStore *rbv_scene_begin(RbvResult *result, int32_t bodies, int32_t markers, int32_t items);
/* Remove the scene of the result. */
void rbv_scene_clear(RbvResult *result);
/* Append a copy of the figure; returns its index, or -1 if out of memory. For figures on one body on[1] = on[0]. */
int32_t rbv_scene_add(RbvResult *result, const RbvSceneFigure *figure);
/* Find the series columns of bodies and items by their names; to be called after rbv_result_name_columns. */
void rbv_scene_find_columns(RbvResult *result);

const char *rbv_scene_kind_name(RbvSceneKind kind);
const char *rbv_scene_role_name(RbvSceneRole role);
const char *rbv_scene_item_name(RbvSceneItemKind kind);

#endif
