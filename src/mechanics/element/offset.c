/* a.d and its derivatives; see offset.h.
 *
 * First order, a in body o:  da = x_o x a,  dd = dr_j + x_j x s_j - dr_i - x_i x s_i.
 *   d(a.d) = a.dd + x_o.(a x d)
 * Second order of the retraction: a has the additional term (x x (x x a))/2, s correspondingly, and (x_o x a).dd is the
 * mixed term. */
#include "mechanics/element/offset.h"

double rbv_offset_gradient(const RbvOffset *offset, RbvWrench gradient[2]) {
    RbvVec3 a = offset->a;
    gradient[0].force = rbv_scale(-1, a);
    gradient[0].torque = rbv_scale(-1, rbv_cross(offset->s[0], a));
    gradient[1].force = a;
    gradient[1].torque = rbv_cross(offset->s[1], a);
    gradient[offset->owner].torque = rbv_add(gradient[offset->owner].torque, rbv_cross(a, offset->d));
    return rbv_dot(a, offset->d);
}

double rbv_offset_bias(const RbvOffset *offset, RbvTwist t0, RbvTwist t1) {
    RbvVec3 w = offset->owner ? t1.w : t0.w;
    RbvVec3 a_rate = rbv_cross(w, offset->a), a_bias = rbv_cross(w, a_rate);
    RbvVec3 s0_rate = rbv_cross(t0.w, offset->s[0]), s1_rate = rbv_cross(t1.w, offset->s[1]);
    RbvVec3 d_rate = rbv_sub(rbv_add(t1.v, s1_rate), rbv_add(t0.v, s0_rate));
    RbvVec3 d_bias = rbv_sub(rbv_cross(t1.w, s1_rate), rbv_cross(t0.w, s0_rate));
    return rbv_dot(a_bias, offset->d) + 2 * rbv_dot(a_rate, d_rate) + rbv_dot(offset->a, d_bias);
}

void rbv_block_add(double H[12][12], int row, int column, double k, double M[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            H[row + i][column + j] += k * M[i][j];
            if (row != column)
                H[column + j][row + i] += k * M[i][j];
        }
}

void rbv_block_turn(double H[12][12], int at, double k, RbvVec3 u, RbvVec3 w) {
    double a[3] = {u.x, u.y, u.z}, b[3] = {w.x, w.y, w.z}, dot = rbv_dot(u, w), M[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            M[i][j] = 0.5 * (b[i] * a[j] + a[i] * b[j]) - (i == j ? dot : 0);
    rbv_block_add(H, at, at, k, M);
}

/* (x x a).y = x.(a x y): matrix of a~. */
void rbv_block_cross(double H[12][12], int row, int column, double k, RbvVec3 a) {
    double M[3][3] = {{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}};
    rbv_block_add(H, row, column, k, M);
}

/* (x x a).(y x b) = (x.y)(a.b) - (x.b)(a.y): matrix (a.b) I - b a^T; on one body symmetrized by the caller's use of
 * both orders. */
void rbv_block_cross_cross(double H[12][12], int row, int column, double k, RbvVec3 a, RbvVec3 b) {
    double p[3] = {a.x, a.y, a.z}, q[3] = {b.x, b.y, b.z}, dot = rbv_dot(a, b), M[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            M[i][j] = (i == j ? dot : 0) - q[i] * p[j];
    if (row == column) /* quadratic form: the symmetric part counts twice */
        for (int i = 0; i < 3; i++)
            for (int j = i; j < 3; j++)
                M[i][j] = M[j][i] = M[i][j] + M[j][i];
    rbv_block_add(H, row, column, k, M);
}

void rbv_offset_hessian(const RbvOffset *offset, double k, double H[12][12]) {
    int o = offset->owner ? 9 : 3; /* rows of the owner's rotation */
    rbv_block_turn(H, o, k, offset->d, offset->a);
    rbv_block_turn(H, 9, k, offset->a, offset->s[1]);
    rbv_block_turn(H, 3, -k, offset->a, offset->s[0]);
    rbv_block_cross(H, o, 6, k, offset->a);
    rbv_block_cross(H, o, 0, -k, offset->a);
    rbv_block_cross_cross(H, o, 9, k, offset->a, offset->s[1]);
    rbv_block_cross_cross(H, o, 3, -k, offset->a, offset->s[0]);
}
