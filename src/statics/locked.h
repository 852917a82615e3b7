/* Locked rows on velocities at rest: their reactions turn with the bodies, which gives a stiffness without an
 * energy. */
#ifndef RBV_STATICS_LOCKED_H
#define RBV_STATICS_LOCKED_H

#include "statics/balance.h"

/* True if such rows are active here. */
bool rbv_locked_rows(const RbvBalance *balance);
/* out[n] += d(C_r^T lambda_r)/dq x over the rows on velocities, with the step of K (balance.h), by differences of
 * fourth order. work[2n]. The state is moved and restored; only workspace of the balance is overwritten. */
void rbv_locked_stiffness(RbvBalance *balance, const double *x, double *out, double *work);

#endif
