/* Any bytes as an STL file: no crash, no leak; triangles with finite corners, or a reason. */
#include "model/model/shape.h"
#include "model/read/stl.h"

#include <math.h>
#include <stdlib.h>

static void require(bool holds) {
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    RbvArena arena = {0};
    RbvStl stl;
    char why[300];
    char *text = malloc(size + 1);
    require(text != NULL);
    for (size_t k = 0; k < size; k++)
        text[k] = (char)data[k];
    if (rbv_stl_parse(text, size, &arena, &stl, why, sizeof why)) {
        require(stl.count >= 4);
        for (int32_t k = 0; k < 3 * stl.count; k++)
            require(isfinite(stl.corner[k].x) && isfinite(stl.corner[k].y) && isfinite(stl.corner[k].z));
        require(rbv_stl_is_closed(&stl, &arena, why, sizeof why) || why[0]);
        rbv_solid_mesh(stl.count, stl.corner);
    } else {
        require(why[0] != '\0');
    }
    rbv_arena_clear(&arena);
    free(text);
    return 0;
}
