/* Motions that the rows allow at a balance with evaluated positions. */
#ifndef RBV_STATICS_TANGENT_H
#define RBV_STATICS_TANGENT_H

#include "statics/balance.h"

/* Orthonormal motions N[n][*count], row-major, scaled as steps, tangent to Phi = 0; by singular values, or by QR, which
 * costs a tenth. `nearly`: motions count, too, that are restrained only by rows whose independence is unsure. *safe:
 * the rank is certain. Freed by the caller; NULL if out of memory. */
double *rbv_tangent_motions(const RbvBalance *balance, bool by_qr, bool nearly, int32_t *count, bool *safe);

#endif
