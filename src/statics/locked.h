/* Locked rows on rates at rest: what they carry turns with the bodies, which is stiffness without an energy. */
#ifndef RBV_STATICS_LOCKED_H
#define RBV_STATICS_LOCKED_H

#include "statics/balance.h"

/* Do such rows hold here? */
bool rbv_locked_rows(const RbvBalance *balance);
/* out[n] += d(C_r^T lambda_r)/dq x over the rows on rates, in the retraction of K (balance.h), by differences of
 * fourth order. work[2n]. The state moves and comes back; spoils nothing but scratch of the balance. */
void rbv_locked_stiffness(RbvBalance *balance, const double *x, double *out, double *work);

#endif
