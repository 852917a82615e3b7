/* Mass matrix of an arm: a chain of few turning links, each but the first with R a rotation about x. Along the axes of
 * links, as inverse dynamics.
 *
 * Inward, for each link i: moments h, S of link i and all links after it, about the origin of i, from lumped masses,
 * whose sum has no mass m. A unit angular acceleration about the axis z of i needs the force F and the torque N about
 * the origin,
 *
 *   F = (-h_y, h_x, 0)    N = (-S_xz, -S_yz, S_xx + S_yy)
 *
 * which are transformed to the parent, and its parent, up to the first link: M_ki = N_z along the axes of k. From one
 * link to the parent all take the same way: for one sample those of several links i lie on the lanes of a vector. */
#undef WIDE
#if RBV_LANES == 1
#define WIDE(name) NATIVE(name)
enum { LANED(ABREAST) = RBV_NATIVE_LANES };
#else
#define WIDE(name) LANED(name)
enum { LANED(ABREAST) = 1 };
#endif
/* Numbers of F, N but N_z of all links, one after the other. */
enum { LANED(UNIT_FORCES) = RBV_LANES * (RBV_DENSE_FREEDOMS + LANED(ABREAST)) };

/* A number for all links abreast. */
ALWAYS WIDE(Lanes) LANED(for_all)(V x) {
#if RBV_LANES == 1
    return NATIVE(all)(x);
#else
    return x;
#endif
}
/* Rotate second moments by the angle of cosine c and sine s in the plane of the first two axes; z: the third. */
ALWAYS void LANED(turn_moments)(V c, V s, V *xx, V *xy, V *yy, V *xz, V *yz) {
    V p = c * *xx - s * *xy, q = c * *xy - s * *yy, x = *xz, trace = *xx + *yy;
    *xx = c * p - s * q, *xy = s * p + c * q, *yy = trace - *xx;
    *xz = c * x - s * *yz, *yz = s * x + c * *yz;
}
/* Transform the moments h, S (xx xy xz yy yz zz) of link j to the parent. */
ALWAYS void LANED(moments_to_parent)(const RbvTreeSweep *j, V c, V s, V *h, V *S) {
    const double *p = j->p;
    LANED(out_of_x)(j->cosine, j->sine, c, s, h, h);
    LANED(turn_moments)(c, s, S, S + 1, S + 3, S + 2, S + 4);
    LANED(turn_moments)(LANED(all)(j->cosine), LANED(all)(j->sine), S + 3, S + 4, S + 5, S + 1, S + 2);
    S[0] += 2.0 * p[0] * h[0], S[3] += 2.0 * p[1] * h[1], S[5] += 2.0 * p[2] * h[2];
    S[1] = S[1] + p[0] * h[1] + p[1] * h[0];
    S[2] = S[2] + p[0] * h[2] + p[2] * h[0];
    S[4] = S[4] + p[1] * h[2] + p[2] * h[1];
}
/* Transform the forces of the links from j, number i, to n - 1 from the axes and origin of j to the parent's. N_z: at
 * `from` before, at `to` after. */
ALWAYS void LANED(unit_forces_to_parent)(const RbvTreeSweep *j, V c, V s, int i, int n, double *forces,
                                         const double *from, double *to) {
    for (int k = RBV_LANES * i; k < RBV_LANES * n; k += RBV_LANES * LANED(ABREAST)) {
        WIDE(Lanes) F[6], t[3], *N = F + 3, cosine = LANED(for_all)(c), sine = LANED(for_all)(s);
        for (int e = 0; e < 5; e++)
            F[e] = WIDE(load)(forces + LANED(UNIT_FORCES) * e + k);
        F[5] = WIDE(load)(from + k);
        WIDE(out_of_x)(j->cosine, j->sine, cosine, sine, F, F);
        WIDE(lever)(j->p, F, t);
        WIDE(add_out_of_x)(j->cosine, j->sine, cosine, sine, N, t, N);
        for (int e = 0; e < 5; e++)
            WIDE(store)(forces + LANED(UNIT_FORCES) * e + k, F[e]);
        WIDE(store)(to + k, F[5]);
    }
}

/* After `angles`: the upper triangle of M; its row i starts at M + i stride. Behind a row other numbers are written, as
 * many as lie abreast less one. */
ALWAYS void LANED(arm_matrix)(const RbvTree *tree, const RbvTreeScratch *scratch, double *M, ptrdiff_t stride) {
    double forces[5 * LANED(UNIT_FORCES)];
    int n = tree->nv;
    V zero = LANED(all)(0), h[3] = {zero, zero, zero}, S[6] = {zero, zero, zero, zero, zero, zero};
    for (int e = 0; e < 5; e++) /* what is abreast of the last link */
        WIDE(store)(forces + LANED(UNIT_FORCES) * e + RBV_LANES * (n - 1), WIDE(all)(0));
    WIDE(store)(M + stride * (n - 1) + RBV_LANES * (n - 1), WIDE(all)(0));
    for (int i = n - 1; i >= 0; i--) {
        const double *own = tree->moments[i].h, *owned = tree->moments[i].S;
        double *row = M + stride * i;
        h[0] += own[0], h[1] += own[1];
        S[0] += owned[0], S[1] += owned[1], S[2] += owned[2], S[3] += owned[3], S[4] += owned[4];
        const V F[5] = {-h[1], h[0], zero, -S[2], -S[4]}, diagonal = S[0] + S[3];
        for (int e = 0; e < 5; e++)
            LANED(store)(forces + LANED(UNIT_FORCES) * e + RBV_LANES * i, F[e]);
        LANED(store)(row + RBV_LANES * i, diagonal);
        if (i > 0) {
            V c = LANED(load)(scratch->cosine + RBV_LANES * i), s = LANED(load)(scratch->sine + RBV_LANES * i);
            LANED(moments_to_parent)(tree->sweep + i, c, s, h, S);
            LANED(unit_forces_to_parent)(tree->sweep + i, c, s, i, n, forces, row, row - stride);
        }
        LANED(store)(row + RBV_LANES * i, diagonal + tree->own[i].rotor[0]);
    }
}

/* in: q; out: M. */
ALWAYS void LANED(arm_mass_matrix)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    int64_t n = tree->nv, stride = RBV_LANES * (n + RBV_MOST_LANES);
    LANED(angles)(tree, scratch, flow);
    LANED(arm_matrix)(tree, scratch, scratch->dense, stride);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < n; k++)
            LANED(put)
    (flow, 0, n * i + k,
     LANED(load)(scratch->dense + (i < k ? stride * i + RBV_LANES * k : stride * k + RBV_LANES * i)));
}
