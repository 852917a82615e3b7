/* Motions that the rows allow at a placed balance. */
#ifndef RBV_STATICS_TANGENT_H
#define RBV_STATICS_TANGENT_H

#include "statics/balance.h"

/* Orthonormal motions N[n][*count], row-major, scaled as steps are, tangent to Phi = 0; by singular values, or by QR,
 * which costs a tenth. `nearly`: those that rows hold in doubt count, too. *safe: there are none of them. To be freed;
 * NULL: no memory. */
double *rbv_tangent_motions(const RbvBalance *balance, bool by_qr, bool nearly, int32_t *count, bool *safe);

#endif
