/* The scene of a result while it is made: arrays that grow, and the names of its things. What it is:
 * <roberval/scene.h>. */
#ifndef RBV_RESULT_SCENE_H
#define RBV_RESULT_SCENE_H

#include <roberval/scene.h>

#include "result/result.h"

/* One for each result that has a scene, in its arena, but for the figures. The arrays of `shown` are those here. */
typedef struct RbvSceneStore {
    RbvScene shown;
    RbvSceneBody *bodies;
    RbvSceneMarker *markers;
    RbvSceneItem *items;
    RbvSceneFigure *figures;
    int32_t figure_capacity;
    RbvSceneFailure failed;
} RbvSceneStore;

/* Room for so many; the result has a scene from now on. NULL: no memory. */
RbvSceneStore *rbv_scene_begin(RbvResult *result, int32_t bodies, int32_t markers, int32_t items);
/* The result has none any more. */
void rbv_scene_clear(RbvResult *result);
/* One more figure, a copy; its index, or -1: no memory. Figures on one body have on[1] = on[0]. */
int32_t rbv_scene_add(RbvResult *result, const RbvSceneFigure *figure);
/* The columns of bodies and things in the series, found by their names; after rbv_result_name_columns. */
void rbv_scene_find_columns(RbvResult *result);

const char *rbv_scene_kind_name(RbvSceneKind kind);
const char *rbv_scene_role_name(RbvSceneRole role);
const char *rbv_scene_item_name(RbvSceneItemKind kind);

#endif
