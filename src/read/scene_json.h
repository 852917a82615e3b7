/* scene.json back to a scene. */
#ifndef RBV_READ_SCENE_JSON_H
#define RBV_READ_SCENE_JSON_H

#include "read/tree.h"
#include "result/scene.h"

/* The scene of the tree into the result. BAD_INPUT: said of `file`, what is missing or damaged. */
RbvStatus rbv_read_scene(const RbvNode *root, const char *file, RbvDiagnostics *diagnostics, RbvResult *result);

#endif
