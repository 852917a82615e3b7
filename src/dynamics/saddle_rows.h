/* Which rows stand in a saddle point system: those of joints, constraints and drives, and behind them those of the
 * coordinates' own. Rows that coordinates keep and that have no entries hold nothing, and are left out. */
#ifndef RBV_DYNAMICS_SADDLE_ROWS_H
#define RBV_DYNAMICS_SADDLE_ROWS_H

#include "system/system.h"

typedef struct RbvSaddleRows {
    int32_t count;
    int32_t of_system; /* of them from joints, constraints and drives; the others are the coordinates' own */
    int32_t skip;      /* entries of the state's C between both */
    bool all;          /* none is left out */
    int32_t *place;    /* [count] where each stands among the rows of the system's C */
    RbvRowPattern C;   /* of these rows; the system's own where the entries are the same */
} RbvSaddleRows;

/* Arrays in `arena`. False: no memory. */
bool rbv_saddle_rows_create(const RbvSystem *system, RbvArena *arena, RbvSaddleRows *rows);

/* The entries of the state's C as those of row k are numbered here. */
static inline const double *rbv_saddle_rows_entries(const RbvSaddleRows *rows, const RbvState *state, int32_t k) {
    return state->C + (k < rows->of_system ? 0 : rows->skip);
}

#endif
