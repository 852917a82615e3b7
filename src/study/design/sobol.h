/* Sobol sequences. */
#ifndef RBV_STUDY_DESIGN_SOBOL_H
#define RBV_STUDY_DESIGN_SOBOL_H

#include <stdint.h>

#define RBV_SOBOL_MOST 100 /* dimensions */

/* Coordinate `dimension` (from 0, below RBV_SOBOL_MOST) of point `index` of the unscrambled sequence, in [0, 1); that
 * of point 0 is 0. Exact. */
double rbv_sobol(int32_t dimension, uint32_t index);

#endif
