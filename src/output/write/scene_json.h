/* Writes scene.json directly into a file, since it may be large. */
#ifndef RBV_OUTPUT_WRITE_SCENE_JSON_H
#define RBV_OUTPUT_WRITE_SCENE_JSON_H

#include <roberval/result.h>
#include <stdio.h>

/* Writes the scene of a result that has one. False: errno has the cause. */
bool rbv_write_scene(const RbvResult *result, const RbvView *view, FILE *file);

#endif
