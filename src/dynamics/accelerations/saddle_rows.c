/* Rows of a saddle point system; see saddle_rows.h. */
#include "dynamics/accelerations/saddle_rows.h"

#include <string.h>

/* Returns whether row k constrains anything: coordinates do not keep it, or it has entries. */
static bool stands(const RbvSystem *system, int32_t k) {
    return !rbv_system_keeps(system, k) || system->C.start[k + 1] > system->C.start[k];
}

static void place_rows(const RbvSystem *system, RbvSaddleRows *rows) {
    int32_t own = system->coordinates.own_rows;
    for (int32_t k = 0; k < system->row_count; k++)
        if (stands(system, k))
            rows->place[rows->of_system++] = k;
    rows->all = rows->of_system == system->row_count;
    for (int32_t k = 0; k < own; k++)
        rows->place[rows->of_system + k] = system->all_count + k;
    rows->count = rows->of_system + own;
}

/* Finds the pattern of the selected rows. Rows that are left out have no entries, so the other entries keep their
 * indices. */
static bool take_pattern(const RbvSystem *system, RbvArena *arena, RbvSaddleRows *rows) {
    const RbvRowPattern *from = &system->C;
    int32_t first = from->start[system->row_count], own_first = from->start[system->all_count],
            entries = first + from->start[from->count] - own_first;
    rows->skip = rows->count > rows->of_system ? own_first - first : 0;
    rows->C.start = rbv_arena_alloc(arena, ((size_t)rows->count + 1) * sizeof(int32_t));
    rows->C.column = rbv_arena_alloc(arena, ((size_t)entries + 1) * sizeof(int32_t));
    if (!rows->C.start || !rows->C.column)
        return false;
    for (int32_t k = 0; k < rows->count; k++)
        rows->C.start[k] = from->start[rows->place[k]] - (k < rows->of_system ? 0 : rows->skip);
    rows->C.start[rows->count] = entries;
    memcpy(rows->C.column, from->column, (size_t)first * sizeof(int32_t));
    memcpy(rows->C.column + first, from->column + own_first, (size_t)(entries - first) * sizeof(int32_t));
    return true;
}

bool rbv_saddle_rows_create(const RbvSystem *system, RbvArena *arena, RbvSaddleRows *rows) {
    int32_t own = system->coordinates.own_rows;
    *rows = (RbvSaddleRows){.C = system->C};
    rows->place = rbv_arena_alloc(arena, ((size_t)system->row_count + (size_t)own + 1) * sizeof(int32_t));
    if (!rows->place)
        return false;
    place_rows(system, rows);
    bool same = rows->all && own == 0;
    bool good = same || take_pattern(system, arena, rows);
    rows->C.count = rows->count;
    return good;
}
