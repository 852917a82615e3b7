/* Finds the rows that coordinates keep by themselves, and the rows that depend only on relative motion of their bodies.
 */
#include "mechanics/system/system.h"

#include <stdlib.h>

/* True if the measure depends only on the relative position of its two bodies, neither being ground. */
static bool is_relative(const RbvModel *model, const RbvMeasure *measure) {
    int32_t a = model->markers.items[measure->marker[0]].body, b = model->markers.items[measure->marker[1]].body;
    if (a == 0 || b == 0 || a == b)
        return false;
    return measure->kind == RBV_MEASURE_OFFSET || measure->kind == RBV_MEASURE_ANGLE ||
           measure->kind == RBV_MEASURE_DISTANCE || measure->kind == RBV_MEASURE_ROTATION ||
           measure->kind == RBV_MEASURE_TILT || measure->kind == RBV_MEASURE_TWIST || measure->kind == RBV_MEASURE_DOT;
}

bool *rbv_system_relative_rows(const RbvSystem *system) {
    bool *relative = calloc((size_t)system->all_count + 1, sizeof *relative);
    for (int32_t k = 0; relative && k < system->all_count; k++) {
        relative[k] = true;
        for (int32_t n = 0; n < system->rows[k].count; n++)
            relative[k] = relative[k] &&
                          is_relative(system->model,
                                      &system->model->measures.items[system->terms[system->rows[k].first + n].measure]);
    }
    return relative;
}

bool *rbv_system_kept_rows(const RbvSystem *system, const RbvCoordinates *coordinates, RbvArena *arena) {
    bool *kept = rbv_arena_alloc(arena, (size_t)system->all_count + 1);
    for (int32_t k = system->row_count; kept && k < system->held_count; k++)
        kept[k] = coordinates->keeps_spins;
    for (int32_t k = 0; kept && k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        uint8_t bit = (uint8_t)(row->direction >= 0 ? 1 << row->direction : RBV_KEPT_EXTRA);
        kept[k] = row->owner == RBV_OWNER_JOINT && coordinates->kept[row->index] & bit;
    }
    return kept;
}
