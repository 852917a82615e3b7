/* Selects the rows of a saddle point system: rows of joints, constraints and drives, then the rows of the coordinates'
 * own. Rows that coordinates keep by themselves and that have no entries constrain nothing and are left out. */
#ifndef RBV_DYNAMICS_ACCELERATIONS_SADDLE_ROWS_H
#define RBV_DYNAMICS_ACCELERATIONS_SADDLE_ROWS_H

#include "mechanics/system/system.h"

typedef struct RbvSaddleRows {
    int32_t count;
    int32_t of_system; /* number of rows from joints, constraints and drives; the remaining ones are the coordinates'
                          own rows */
    int32_t skip;      /* number of entries of the state's C between both groups of rows */
    bool all;          /* true: no row is left out */
    int32_t *place;    /* [count] index of each row among the rows of the system's C */
    RbvRowPattern C;   /* pattern of these rows; the system's own pattern where the entries are the same */
} RbvSaddleRows;

/* Allocates arrays in `arena`. False: out of memory. */
bool rbv_saddle_rows_create(const RbvSystem *system, RbvArena *arena, RbvSaddleRows *rows);

/* Pointer to be indexed by the entry numbers of row k in rows->C: the entries of the state's C. */
static inline const double *rbv_saddle_rows_entries(const RbvSaddleRows *rows, const RbvState *state, int32_t k) {
    return state->C + (k < rows->of_system ? 0 : rows->skip);
}

#endif
