/* A matching of rows and columns in a sparse pattern. */
#ifndef RBV_CORE_LINALG_MATCHING_H
#define RBV_CORE_LINALG_MATCHING_H

#include <stdbool.h>
#include <stdint.h>

/* Match rows to columns of a square pattern: row i has the columns index[start[i]] ... index[start[i+1]-1]. match[n]:
 * for each row the position in `index` of its own column, or -1. The matching is as large as a search by degrees finds,
 * not always the largest. False: out of memory. */
bool rbv_match_rows(int32_t n, const int32_t *start, const int32_t *index, int32_t *match);

#endif
