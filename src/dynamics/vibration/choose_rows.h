/* Which of many gradients are coordinates: rows that are independent, the longest first. */
#ifndef RBV_DYNAMICS_VIBRATION_CHOOSE_ROWS_H
#define RBV_DYNAMICS_VIBRATION_CHOOSE_ROWS_H

#include <stdint.h>

/* Length of row k of rows[][wide]. */
double rbv_row_length(const double *rows, int32_t wide, int32_t k);
/* Chooses up to `most` rows, the longest first, of rows[first ... end - 1] in rows[count][wide]; what a chosen row sees
 * is removed from all. whole[count]: their lengths before, of which at least the part `least` is left in what is
 * chosen. chosen[] continues at `done`; returns how many are chosen.
 */
int32_t rbv_choose_rows(double *rows, const double *whole, double least, int32_t count, int32_t wide, int32_t first,
                        int32_t end, int32_t most, int32_t done, int32_t *chosen);

#endif
