/* Sparsity pattern of the balance's linear system: K by pairs of bodies that rows and loads couple, or by the
 * coordinates that move these bodies, and the rows of C and their transposes. */
#ifndef RBV_STATICS_BALANCE_PATTERN_H
#define RBV_STATICS_BALANCE_PATTERN_H

#include "statics/balance.h"

/* rbv_balance_may_hold: true if row k can be a condition on positions or on locked velocities; other rows have no
 * entries and a zero multiplier. rbv_balance_entries: number of entries of row k of C in the matrix. */
bool rbv_balance_may_hold(const RbvSystem *system, int32_t k);
int32_t rbv_balance_entries(const RbvSystem *system, int32_t k);
/* Finds for each coordinate a body that it moves. Coordinates that no body's position depends on get the body of other
 * coordinates in the same own row. */
void rbv_balance_find_owners(RbvBalance *balance);
/* Sets start, width, index, at, at_transposed, values, lu and blocks, at a state whose positions and loads are
 * evaluated. False if out of memory. */
bool rbv_balance_lay_out(RbvBalance *balance);

#endif
