/* Threshold below which a curvature counts as zero. */
#ifndef RBV_STATICS_NEUTRAL_H
#define RBV_STATICS_NEUTRAL_H

#include "statics/stability.h"

/* |mu| below this part of the sum of the magnitudes of its contributions is neutral. */
#define RBV_NEUTRAL_PART 1e-8

/* |mu| of a motion direction[n] (scaled as steps) below which it is neutral: `part` of the sum of the magnitudes of the
 * contributions to u^T K u, or the rounding of K. work[n]. K is that of the balance's last factorization, with its
 * multipliers. */
double rbv_neutral_threshold(RbvBalance *balance, double part, const double *direction, double *work);

/* Kind of stability for a curvature and this threshold. *edge is set if the curvature lies between the threshold and
 * ten times the threshold. */
RbvStabilityKind rbv_neutral_kind(double curvature, double threshold, bool *edge);

#endif
