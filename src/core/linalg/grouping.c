/* Puts each column into the first group that has none of its rows yet; see grouping.h. */
#include "core/linalg/grouping.h"

#include <string.h>

int32_t rbv_group_columns(int32_t n, const int32_t *start, const int32_t *column, int32_t *group, int32_t *taken) {
    int32_t count = 0; /* taken[group]: index + 1 of the last column that conflicts with the group */
    memset(taken, 0, ((size_t)n + 1) * sizeof *taken);
    for (int32_t j = 0; j < n; j++)
        group[j] = -1;
    for (int32_t j = 0; j < n; j++) {
        for (int32_t e = start[j]; e < start[j + 1]; e++) /* rows of column j, and the columns with these rows */
            for (int32_t f = start[column[e]]; f < start[column[e] + 1]; f++)
                if (group[column[f]] >= 0)
                    taken[group[column[f]]] = j + 1;
        int32_t g = 0;
        while (taken[g] == j + 1)
            g++;
        group[j] = g;
        count = g >= count ? g + 1 : count;
    }
    return count;
}
