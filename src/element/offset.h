/* The form a.d: a a unit (or any) vector fixed in body `a_body`, d = p_j - p_i. The measure beneath x, y, slots and
 * cams.
 *
 * With body vectors a, s_i, s_j: gradient (-a, -(d+s_i) x a ... ) see offset.c. The vector may belong to either body.
 */
#ifndef RBV_ELEMENT_OFFSET_H
#define RBV_ELEMENT_OFFSET_H

#include "linalg/vec3.h"

/* Bodies 0 (i) and 1 (j): s[b] is the arm of the point on body b, a is fixed in body `owner`. */
typedef struct RbvOffset {
    RbvVec3 a, d, s[2];
    int owner;
} RbvOffset;

double rbv_offset_gradient(const RbvOffset *offset, RbvWrench gradient[2]);
/* Second rate without accelerations, for the twists of bodies 0 and 1. */
double rbv_offset_bias(const RbvOffset *offset, RbvTwist t0, RbvTwist t1);
/* The same where all points lie in the plane and bodies turn about z: with the products that are zero left out. */
double rbv_offset_gradient_flat(const RbvOffset *offset, RbvWrench gradient[2]);
double rbv_offset_bias_flat(const RbvOffset *offset, const RbvTwist *t0, const RbvTwist *t1);
/* Add k times the Hessian. */
void rbv_offset_hessian(const RbvOffset *offset, double k, double H[12][12]);

/* H[row..row+2][column..column+2] += k M, and the transposed block, for row != column; helpers of Hessians. */
void rbv_block_add(double H[12][12], int row, int column, double k, double M[3][3]);
/* The quadratic form u.(x x (x x w))/2 of a rotation x as a symmetric matrix: sym(w u^T) - (w.u) I, times k. */
void rbv_block_turn(double H[12][12], int at, double k, RbvVec3 u, RbvVec3 w);
/* The bilinear form (x x a).(y) and (x x a).(y x b) as blocks over (x at row, y at column), with the transposed block.
 */
void rbv_block_cross(double H[12][12], int row, int column, double k, RbvVec3 a);
void rbv_block_cross_cross(double H[12][12], int row, int column, double k, RbvVec3 a, RbvVec3 b);

#endif
