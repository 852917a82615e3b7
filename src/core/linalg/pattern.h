/* Sparse patterns: a matching of rows and columns; groups of columns without a common row; the sign of an order. */
#ifndef RBV_CORE_LINALG_PATTERN_H
#define RBV_CORE_LINALG_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

/* Groups of columns of a sparse matrix without a common row: one product with the sum of a group's unit vectors gives
 * the entries of all its columns (Curtis, Powell and Reid 1974).
 *
 * Group the columns of a symmetric pattern: row i has the columns column[start[i]] ... . Fills group[n]; taken[n + 1]
 * is workspace. Returns the number of groups. */
int32_t rbv_group_columns(int32_t n, const int32_t *start, const int32_t *column, int32_t *group, int32_t *taken);

/* Match rows to columns of a square pattern: row i has the columns index[start[i]] ... index[start[i+1]-1]. match[n]:
 * for each row the position in `index` of its own column, or -1. The matching is as large as a search by degrees finds,
 * not always the largest. False: out of memory. */
bool rbv_match_rows(int32_t n, const int32_t *start, const int32_t *index, int32_t *match);

/* +1 or -1: sign of the permutation order[n]; visited[n] is workspace. */
int rbv_permutation_sign(int32_t n, const int32_t *order, double *visited);

#endif
