/* Basics of all kernels: numbers of a block in and out, vectors transformed between the axes of links. */

/* Number e of input k of a block. */
ALWAYS V LANED(given)(const RbvTreeFlow *flow, int k, int64_t e) {
    return LANED(load)(flow->in[k] + e * flow->in_step[k]);
}
ALWAYS void LANED(put)(const RbvTreeFlow *flow, int k, int64_t e, V x) {
    LANED(store_apart)(flow->out[k] + e * flow->out_step[k], flow->apart[k], x);
}
/* Add to a number that was written before. */
ALWAYS void LANED(put_more)(const RbvTreeFlow *flow, int k, int64_t e, V x) {
    double *to = flow->out[k] + e * flow->out_step[k];
    for (int l = 0; l < RBV_LANES; l++)
        to[l * flow->apart[k]] += LANED(lane)(x, l);
}

ALWAYS void LANED(keep)(double *to, const V *from, int count) {
    for (int k = 0; k < count; k++)
        LANED(store)(to + RBV_LANES * k, from[k]);
}
ALWAYS void LANED(fetch)(const double *from, V *to, int count) {
    for (int k = 0; k < count; k++)
        to[k] = LANED(load)(from + RBV_LANES * k);
}

/* LANED(keep) for three numbers without a loop: compilers keep some arrays indexed by loops in memory. */
ALWAYS void LANED(keep_three)(double *to, const V *u) {
    LANED(store)(to, u[0]), LANED(store)(to + RBV_LANES, u[1]), LANED(store)(to + 2 * RBV_LANES, u[2]);
}
ALWAYS void LANED(fetch_three)(const double *from, V *u) {
    u[0] = LANED(load)(from), u[1] = LANED(load)(from + RBV_LANES), u[2] = LANED(load)(from + 2 * RBV_LANES);
}
ALWAYS void LANED(keep_six)(double *to, const V *F) {
    LANED(keep_three)(to, F);
    LANED(keep_three)(to + 3 * RBV_LANES, F + 3);
}
ALWAYS void LANED(add_six)(V *F, const double *from) {
    F[0] += LANED(load)(from), F[1] += LANED(load)(from + RBV_LANES), F[2] += LANED(load)(from + 2 * RBV_LANES);
    F[3] += LANED(load)(from + 3 * RBV_LANES), F[4] += LANED(load)(from + 4 * RBV_LANES),
        F[5] += LANED(load)(from + 5 * RBV_LANES);
}

/* o = (R Rz)^T u, Rz the rotation about z with cosine c and sine s. */
ALWAYS void LANED(into)(const double *R, V c, V s, const V *u, V *o) {
    V x = R[0] * u[0] + R[3] * u[1] + R[6] * u[2], y = R[1] * u[0] + R[4] * u[1] + R[7] * u[2];
    o[2] = R[2] * u[0] + R[5] * u[1] + R[8] * u[2];
    o[0] = c * x + s * y;
    o[1] = c * y - s * x;
}
/* o = R Rz u. */
ALWAYS void LANED(out_of_turn)(const double *R, V c, V s, const V *u, V *o) {
    V x = c * u[0] - s * u[1], y = s * u[0] + c * u[1], z = u[2];
    o[0] = R[0] * x + R[1] * y + R[2] * z;
    o[1] = R[3] * x + R[4] * y + R[5] * z;
    o[2] = R[6] * x + R[7] * y + R[8] * z;
}
/* o = (R Rz)^T u for R a rotation about x with cosine ca and sine sa. */
ALWAYS void LANED(into_x)(double ca, double sa, V c, V s, const V *u, V *o) {
    V x = u[0], y = ca * u[1] + sa * u[2];
    o[2] = ca * u[2] - sa * u[1];
    o[0] = c * x + s * y;
    o[1] = c * y - s * x;
}
ALWAYS void LANED(out_of_x)(double ca, double sa, V c, V s, const V *u, V *o) {
    V y = s * u[0] + c * u[1], z = u[2];
    o[0] = c * u[0] - s * u[1];
    o[1] = ca * y - sa * z;
    o[2] = sa * y + ca * z;
}
/* o = t + R Rz u, products with u last: t may depend on what is known before u. */
ALWAYS void LANED(add_out_of_x)(double ca, double sa, V c, V s, const V *u, const V *t, V *o) {
    V y = s * u[0] + c * u[1], z = u[2];
    o[0] = t[0] - s * u[1] + c * u[0];
    o[1] = t[1] - sa * z + ca * y;
    o[2] = t[2] + ca * z + sa * y;
}
/* o = p x u. */
ALWAYS void LANED(lever)(const double *p, const V *u, V *o) {
    V x = p[1] * u[2] - p[2] * u[1], y = p[2] * u[0] - p[0] * u[2];
    o[2] = p[0] * u[1] - p[1] * u[0];
    o[0] = x;
    o[1] = y;
}
/* o = R^T u. */
ALWAYS void LANED(into_fixed)(const double *R, const V *u, V *o) {
    V x = R[0] * u[0] + R[3] * u[1] + R[6] * u[2], y = R[1] * u[0] + R[4] * u[1] + R[7] * u[2];
    o[2] = R[2] * u[0] + R[5] * u[1] + R[8] * u[2];
    o[0] = x;
    o[1] = y;
}
/* o = Q^T u for a rotation Q that differs between lanes. */
ALWAYS void LANED(into_turned)(const V *Q, const V *u, V *o) {
    V x = Q[0] * u[0] + Q[3] * u[1] + Q[6] * u[2], y = Q[1] * u[0] + Q[4] * u[1] + Q[7] * u[2];
    o[2] = Q[2] * u[0] + Q[5] * u[1] + Q[8] * u[2];
    o[0] = x;
    o[1] = y;
}
/* o = R u. */
ALWAYS void LANED(out_of)(const double *R, const V *u, V *o) {
    V x = R[0] * u[0] + R[1] * u[1] + R[2] * u[2], y = R[3] * u[0] + R[4] * u[1] + R[5] * u[2];
    o[2] = R[6] * u[0] + R[7] * u[1] + R[8] * u[2];
    o[0] = x;
    o[1] = y;
}
/* o = Q u for a rotation Q that differs between lanes. */
ALWAYS void LANED(out_of_turned)(const V *Q, const V *u, V *o) {
    V x = Q[0] * u[0] + Q[1] * u[1] + Q[2] * u[2], y = Q[3] * u[0] + Q[4] * u[1] + Q[5] * u[2];
    o[2] = Q[6] * u[0] + Q[7] * u[1] + Q[8] * u[2];
    o[0] = x;
    o[1] = y;
}

/* Rotation matrix Q[9] of a quaternion of any length: Q = 1 + 2 (w e~ + e~ e~) / (w^2 + e^2). */
ALWAYS void LANED(rotation)(V w, V x, V y, V z, V *Q) {
    V t = 2.0 / (w * w + x * x + y * y + z * z);
    V tx = t * x, ty = t * y, tz = t * z;
    V wx = tx * w, wy = ty * w, wz = tz * w, xx = tx * x, xy = tx * y, xz = tx * z, yy = ty * y, yz = ty * z,
      zz = tz * z;
    Q[0] = 1.0 - yy - zz, Q[1] = xy - wz, Q[2] = xz + wy;
    Q[3] = xy + wz, Q[4] = 1.0 - xx - zz, Q[5] = yz - wx;
    Q[6] = xz - wy, Q[7] = yz + wx, Q[8] = 1.0 - xx - yy;
}
