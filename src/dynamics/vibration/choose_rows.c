/* Choice of rows by their lengths, one after the other; see choose_rows.h. */
#include "dynamics/vibration/choose_rows.h"

#include <math.h>
#include <string.h>

static double length_of(const double *rows, int32_t wide, int32_t k) {
    const double *row = rows + (size_t)k * (size_t)wide;
    double sum = 0;
    for (int32_t j = 0; j < wide; j++)
        sum += row[j] * row[j];
    return sqrt(sum);
}

int32_t rbv_choose_rows(double *rows, double least, int32_t count, int32_t wide, int32_t first, int32_t end,
                        int32_t most, int32_t done, int32_t *chosen) {
    while (done < most) {
        int32_t best = -1;
        double seen = 0;
        for (int32_t k = first; k < end; k++) {
            double length = length_of(rows, wide, k);
            if (length > least && length > seen * (1 + 1e-9))
                seen = length, best = k;
        }
        if (best < 0)
            return done;
        double *u = rows + (size_t)best * (size_t)wide;
        for (int32_t j = 0; j < wide; j++)
            u[j] /= seen;
        for (int32_t k = 0; k < count; k++) {
            double *row = rows + (size_t)k * (size_t)wide, along = 0;
            for (int32_t j = 0; k != best && j < wide; j++)
                along += row[j] * u[j];
            for (int32_t j = 0; k != best && j < wide; j++)
                row[j] -= along * u[j];
        }
        memset(u, 0, (size_t)wide * sizeof *u);
        chosen[done++] = best;
    }
    return done;
}
