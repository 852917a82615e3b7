/* When is a curvature none at all? */
#ifndef RBV_STATICS_NEUTRAL_H
#define RBV_STATICS_NEUTRAL_H

#include "statics/stability.h"

/* |mu| below this part of the sum of the magnitudes that make it is neutral. */
#define RBV_NEUTRAL_PART 1e-8

/* The |mu| of a motion direction[n] (scaled as steps) below which it is neutral: `part` of the sum of the magnitudes
 * of the contributions to u^T K u, or what rounding of K leaves. work[n]. With the K of the balance's last factor,
 * whose multipliers count. */
double rbv_neutral_threshold(RbvBalance *balance, double part, const double *direction, double *work);

/* What a curvature says of the energy beside this threshold. Between it and ten times as much *edge is set. */
RbvStabilityKind rbv_neutral_kind(double curvature, double threshold, bool *edge);

#endif
