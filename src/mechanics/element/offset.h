/* The form a.d: a is a vector fixed in one of two bodies, unit or not, and d = p_j - p_i. The measures x, y, slots and
 * cams use it.
 *
 * s_i, s_j are the arms of the points p_i, p_j from the centroids; gradient and second derivatives: offset.c. */
#ifndef RBV_MECHANICS_ELEMENT_OFFSET_H
#define RBV_MECHANICS_ELEMENT_OFFSET_H

#include "core/linalg/small.h"

/* Bodies 0 (i) and 1 (j): s[b] is the arm of the point on body b; a is fixed in body `owner`. */
typedef struct RbvOffset {
    RbvVec3 a, d, s[2];
    int owner;
} RbvOffset;

double rbv_offset_gradient(const RbvOffset *offset, RbvWrench gradient[2]);
/* Second rate without accelerations, for the twists of bodies 0 and 1. */
double rbv_offset_bias(const RbvOffset *offset, RbvTwist t0, RbvTwist t1);
/* Adds k times the Hessian to H. */
void rbv_offset_hessian(const RbvOffset *offset, double k, double H[12][12]);

/* H[row..row+2][column..column+2] += k M, and the transposed block if row != column. */
void rbv_block_add(double H[12][12], int row, int column, double k, double M[3][3]);
/* Adds k times the quadratic form u.(x x (x x w))/2 of a rotation x as a symmetric matrix: sym(w u^T) - (w.u) I. */
void rbv_block_turn(double H[12][12], int at, double k, RbvVec3 u, RbvVec3 w);
/* Adds k times the bilinear forms (x x a).(y) and (x x a).(y x b) as blocks over (x at row, y at column), and the
 * transposed blocks. */
void rbv_block_cross(double H[12][12], int row, int column, double k, RbvVec3 a);
void rbv_block_cross_cross(double H[12][12], int row, int column, double k, RbvVec3 a, RbvVec3 b);

#endif
