/* Groups of columns of a sparse matrix without a common row: one product with the sum of a group's unit vectors gives
 * the entries of all its columns (Curtis, Powell and Reid 1974). */
#ifndef RBV_CORE_LINALG_GROUPING_H
#define RBV_CORE_LINALG_GROUPING_H

#include <stdint.h>

/* Group the columns of a symmetric pattern: row i has the columns column[start[i]] ... . Fills group[n]; taken[n + 1]
 * is workspace. Returns the number of groups. */
int32_t rbv_group_columns(int32_t n, const int32_t *start, const int32_t *column, int32_t *group, int32_t *taken);

#endif
