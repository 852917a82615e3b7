/* Transposition by counting; see transpose.h. */
#include "core/solve/transpose.h"

void rbv_transpose(int32_t rows, int32_t columns, const int32_t *start, const int32_t *column, int32_t *of,
                   int32_t *row, int32_t *at) {
    for (int32_t e = 0; e < start[rows]; e++)
        of[column[e] + 2]++;
    for (int32_t j = 0; j < columns; j++)
        of[j + 2] += of[j + 1];
    for (int32_t k = 0; k < rows; k++)
        for (int32_t e = start[k]; e < start[k + 1]; e++) {
            at[e] = of[column[e] + 1]++;
            row[at[e]] = k;
        }
}
