/* Lagrange's equations in one shot: [M C_I^T; C_I 0] [a; lambda] = [Q; gamma]. */
#ifndef RBV_REACTION_KKT_H
#define RBV_REACTION_KKT_H

#include "motion/motion.h"

typedef struct RbvKkt RbvKkt;

RbvKkt *rbv_kkt_create(const RbvMotion *motion);
void rbv_kkt_destroy(RbvKkt *kkt);
/* Factor at the motion's accepted state. False: singular. */
bool rbv_kkt_factor(RbvKkt *kkt, const RbvMotion *motion);
/* a[n] and lambda[rows] (zero on dependent rows) for Q[n]. */
void rbv_kkt_solve(RbvKkt *kkt, const RbvMotion *motion, const double *Q, double *a, double *lambda);
/* Is this still the set of rows the motion uses? */
bool rbv_kkt_matches(const RbvKkt *kkt, const RbvMotion *motion);

#endif
