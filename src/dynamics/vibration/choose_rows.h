/* Which of many gradients are coordinates: rows that are independent, the longest first. */
#ifndef RBV_DYNAMICS_VIBRATION_CHOOSE_ROWS_H
#define RBV_DYNAMICS_VIBRATION_CHOOSE_ROWS_H

#include <stdint.h>

/* Chooses up to `most` rows longer than `least`, the longest first, of rows[first ... end - 1] in rows[count][wide];
 * what a chosen row sees is removed from all. chosen[] continues at `done`; returns how many are chosen. */
int32_t rbv_choose_rows(double *rows, double least, int32_t count, int32_t wide, int32_t first, int32_t end,
                        int32_t most, int32_t done, int32_t *chosen);

#endif
