/* Reads scene.json into the scene of a result. */
#ifndef RBV_MODEL_READ_SCENE_JSON_H
#define RBV_MODEL_READ_SCENE_JSON_H

#include "model/read/tree.h"
#include "model/result/scene.h"

/* Read the scene from a tree into the result. BAD_INPUT: missing or damaged data of `file`, reported. */
RbvStatus rbv_read_scene(const RbvNode *root, const char *file, RbvDiagnostics *diagnostics, RbvResult *result);

#endif
