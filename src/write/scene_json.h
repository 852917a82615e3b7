/* scene.json into a file as it comes: it may be large. */
#ifndef RBV_WRITE_SCENE_JSON_H
#define RBV_WRITE_SCENE_JSON_H

#include <roberval/result.h>
#include <stdio.h>

/* False: errno says why. The result has a scene. */
bool rbv_write_scene(const RbvResult *result, const RbvView *view, FILE *file);

#endif
