/* A matching of rows and columns in a sparse pattern. */
#ifndef RBV_LINALG_MATCHING_H
#define RBV_LINALG_MATCHING_H

#include <stdbool.h>
#include <stdint.h>

/* Row i of a square pattern has the columns index[start[i]] ... index[start[i+1]-1]. match[n]: for each row the place
 * in `index` of a column of its own, or -1. As large a matching as degrees show, not always the largest. False: no
 * memory. */
bool rbv_match_rows(int32_t n, const int32_t *start, const int32_t *index, int32_t *match);

#endif
