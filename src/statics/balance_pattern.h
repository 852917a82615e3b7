/* The pattern of the balance's linear system: K by pairs of bodies that rows and loads join, or by the coordinates that
 * move these, and the rows of C and their transposes. */
#ifndef RBV_STATICS_BALANCE_PATTERN_H
#define RBV_STATICS_BALANCE_PATTERN_H

#include "statics/balance.h"

/* Is row k ever a condition on the position or on locked rates? The others have no entries, and carry nothing. How many
 * entries of C it has in the matrix. */
bool rbv_balance_may_hold(const RbvSystem *system, int32_t k);
int32_t rbv_balance_entries(const RbvSystem *system, int32_t k);
/* Whose each coordinate is. Those that no body's place is made of stand in rows of the coordinates' own beside others
 * that are. */
void rbv_balance_find_owners(RbvBalance *balance);
/* start, width, index, at, at_transposed, values and lu; blocks. At a placed and loaded state. False: no memory. */
bool rbv_balance_lay_out(RbvBalance *balance);

#endif
