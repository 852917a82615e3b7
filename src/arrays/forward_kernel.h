/* Forward dynamics by articulated bodies (R. Featherstone: Rigid Body Dynamics Algorithms, 2008, chapter 7), along the
 * ground's axes, each link about its own origin.
 *
 * Inward, for each link: articulated mass IA (J, H, M: n = J w + H v, f = H^T w + M v) and force pA, its resistance to
 * accelerations; for each freedom, the last first,
 *
 *   U = IA s    D = s . U + rotor    e = tau - s . pA    IA -= U U^T / D    pA += U e / D
 *
 * then pA += IA c, and both are added to the parent. Outward: a = a_parent + c, for each freedom v' = (e - U . a) / D,
 * a += s v'. c: acceleration of the link at v' = 0 relative to the parent. */

/* Numbers of a link in inertia: J xx xy xz yy yz zz, H row-major, M as J. */
enum { LANED(ARTICULATED_H) = 6, LANED(ARTICULATED_M) = 15, LANED(ARTICULATED) = 21 };

ALWAYS void LANED(articulated_times)(const V *A, const V *s, V *o) {
    const V *H = A + 6, *v = s + 3;
    V Jw[3], Mv[3];
    LANED(symmetric)(A, s, Jw);
    LANED(symmetric)(A + 15, v, Mv);
    V n[3], f[3];
    LANED(out_of_turned)(H, v, n);
    LANED(into_turned)(H, s, f);
    for (int e = 0; e < 3; e++)
        o[e] = Jw[e] + n[e], o[3 + e] = f[e] + Mv[e];
}

/* A -= k U U^T. */
ALWAYS void LANED(articulated_less)(V *A, V k, const V *U) {
    V W[6];
    for (int e = 0; e < 6; e++)
        W[e] = k * U[e];
    for (int a = 0, n = 0; a < 3; a++)
        for (int b = a; b < 3; b++, n++)
            A[n] -= W[a] * U[b], A[15 + n] -= W[3 + a] * U[3 + b];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            A[6 + 3 * a + b] -= W[a] * U[3 + b];
}

/* Add A, shifted from the point r, to B: H' = H + r~ M, J' = J - H r~ + r~ H'^T. */
ALWAYS void LANED(articulated_to)(const V *A, const V *r, V *B) {
    const V *H = A + 6, M[9] = {A[15], A[16], A[17], A[16], A[18], A[19], A[17], A[19], A[20]};
    V K[9], N[9];
    for (int b = 0; b < 3; b++) { /* columns of r~ M: r x column */
        K[b] = H[b] + r[1] * M[6 + b] - r[2] * M[3 + b];
        K[3 + b] = H[3 + b] + r[2] * M[b] - r[0] * M[6 + b];
        K[6 + b] = H[6 + b] + r[0] * M[3 + b] - r[1] * M[b];
    }
    for (int a = 0; a < 3; a++) { /* row a of H r~ is (row of H) x r; column a of r~ K^T is r x (row a of K) */
        V t[3], u[3];
        LANED(cross)(H + 3 * a, r, t);
        LANED(cross)(r, K + 3 * a, u);
        for (int b = 0; b < 3; b++)
            N[3 * a + b] = u[b] - t[b];
    }
    for (int a = 0, n = 0; a < 3; a++)
        for (int b = a; b < 3; b++, n++)
            B[n] += A[n] + 0.5 * (N[3 * a + b] + N[3 * b + a]), B[15 + n] += A[15 + n];
    for (int e = 0; e < 9; e++)
        B[6 + e] += K[e];
}

/* Poses, columns about each link's own origin, motions (w, v of the origin) and c of all links, to twist. */
static void LANED(forward_outward)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    V X[12], k[6], zero = LANED(all)(0);
    LANED(angles)(tree, scratch, flow);
    for (int e = 0; e < 12; e++)
        X[e] = zero;
    for (int32_t i = 0; i < tree->link_count; i++) {
        const RbvTreeLink *j = tree->link + i;
        V before[3] = {zero, zero, zero}, t[12], r[3], own[6], none[3] = {zero, zero, zero};
        for (int e = 0; e < 6; e++)
            k[e] = own[e] = zero;
        if (j->parent >= 0) {
            LANED(fetch)(POSE_OF(j->parent), X, 12);
            LANED(fetch)(TWIST_OF(j->parent), k, 6);
            for (int e = 0; e < 3; e++)
                before[e] = X[9 + e];
        }
        LANED(link_pose)(tree, j, scratch, flow, X);
        LANED(keep)(POSE_OF(i), X, 12);
        for (int e = 0; e < 3; e++)
            r[e] = X[9 + e] - before[e];
        for (int f = 0; f < rbv_link_freedoms(j->kind); f++) {
            V s[6], v = tree->own[i].ratio * LANED(given)(flow, 1, j->v + f);
            LANED(link_column)(j, f, X, none, s);
            LANED(keep)(COLUMN_OF(j->column + f), s, 6);
            for (int e = 0; e < 6; e++)
                own[e] += v * s[e];
        }
        /* c = (w x w_rel, w x (w x r) + 2 w x v_rel), w of the parent */
        V *c = t + 6, b[3], d[3];
        LANED(cross)(k, r, b);
        LANED(cross)(k, own, c);
        for (int e = 0; e < 3; e++)
            d[e] = b[e] + 2.0 * own[3 + e], t[e] = k[e] + own[e], t[3 + e] = k[3 + e] + b[e] + own[3 + e];
        LANED(cross)(k, d, c + 3);
        LANED(keep)(TWIST_OF(i), t, 12);
    }
}

/* IA and pA of a single link: its mass about its own origin, its centrifugal forces minus the applied wrench. */
ALWAYS void LANED(articulated_of)(const RbvTree *tree, const RbvTreeScratch *scratch, const RbvTreeFlow *flow,
                                  int32_t i, V *A, V *p) {
    const RbvTreeMass *mass = tree->mass + i;
    V X[12], w[3], b[3], h[3], H[3], S[6], t[3], zero = LANED(all)(0);
    LANED(fetch)(POSE_OF(i), X, 12);
    LANED(fetch)(TWIST_OF(i), w, 3);
    for (int a = 0, n = 0; a < 3; a++) {
        const V *R = X + 3 * a;
        h[a] = R[0] * mass->h[0] + R[1] * mass->h[1] + R[2] * mass->h[2];
        V SR[3] = {R[0] * mass->S[0] + R[1] * mass->S[1] + R[2] * mass->S[2],
                   R[0] * mass->S[1] + R[1] * mass->S[3] + R[2] * mass->S[4],
                   R[0] * mass->S[2] + R[1] * mass->S[4] + R[2] * mass->S[5]};
        for (int c = a; c < 3; c++, n++)
            S[n] = LANED(dot3)(SR, X + 3 * c);
    }
    V trace = S[0] + S[3] + S[5];
    for (int n = 0; n < 6; n++)
        A[n] = -S[n], A[15 + n] = zero;
    A[0] += trace, A[3] += trace, A[5] += trace;
    A[15] = A[18] = A[20] = LANED(all)(mass->m);
    for (int e = 0; e < 9; e++)
        A[6 + e] = zero;
    A[7] = -h[2], A[8] = h[1], A[9] = h[2], A[11] = -h[0], A[12] = -h[1], A[13] = h[0];
    LANED(symmetric)(A, w, b); /* w x J w; w x (w x h) */
    LANED(cross)(w, b, p);
    LANED(cross)(w, h, H);
    LANED(cross)(w, H, p + 3);
    if (flow->in[3] && tree->link[i].last) {
        int32_t body = tree->link[i].body;
        V W[6];
        for (int e = 0; e < 6; e++)
            W[e] = LANED(given)(flow, 3, 6 * (int64_t)body + e);
        for (int part = 0; part < 2; part++) {
            LANED(from_body)(tree, body, W + 3 * part, t);
            LANED(out_of_turned)(X, t, t);
            for (int e = 0; e < 3; e++)
                p[3 * (1 - part) + e] -= t[e];
        }
    }
}

static void LANED(forward_inward)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    for (int32_t i = tree->link_count - 1; i >= 0; i--) {
        const RbvTreeLink *j = tree->link + i;
        V A[21], p[6], B[21], t[6], r[3];
        LANED(fetch)(INERTIA_OF(i), A, 21);
        LANED(fetch)(TOTAL_OF(i), p, 6);
        for (int f = rbv_link_freedoms(j->kind) - 1; f >= 0; f--) {
            const RbvTreeOwn *own = tree->own + i;
            V c[14], v = LANED(given)(flow, 1, j->v + f), *U = c + 6;
            LANED(fetch)(COLUMN_OF(j->column + f), c, 6);
            LANED(articulated_times)(A, c, U);
            V D = 1.0 / (LANED(dot6)(c, U) + own->rotor[f]);
            V e = LANED(given)(flow, 2, j->v + f) - own->damping[f] * v - own->friction[f] * LANED(sign)(v) -
                  LANED(dot6)(c, p);
            c[12] = D, c[13] = e;
            LANED(articulated_less)(A, D, U);
            for (int n = 0; n < 6; n++)
                p[n] += U[n] * (D * e);
            LANED(keep)(COLUMN_OF(j->column + f) + 6 * RBV_LANES, U, 8);
        }
        if (j->parent < 0)
            continue;
        V X[3], Y[3], c[6];
        LANED(fetch)(TWIST_OF(i) + 6 * RBV_LANES, c, 6);
        LANED(articulated_times)(A, c, t);
        for (int n = 0; n < 6; n++)
            p[n] += t[n];
        LANED(fetch)(POSE_OF(i) + 9 * RBV_LANES, X, 3);
        LANED(fetch)(POSE_OF(j->parent) + 9 * RBV_LANES, Y, 3);
        for (int e = 0; e < 3; e++)
            r[e] = X[e] - Y[e];
        LANED(fetch)(INERTIA_OF(j->parent), B, 21);
        LANED(articulated_to)(A, r, B);
        LANED(keep)(INERTIA_OF(j->parent), B, 21);
        LANED(fetch)(TOTAL_OF(j->parent), t, 6);
        LANED(cross)(r, p + 3, Y);
        for (int e = 0; e < 3; e++)
            t[e] += p[e] + Y[e], t[3 + e] += p[3 + e];
        LANED(keep)(TOTAL_OF(j->parent), t, 6);
    }
}

/* Accelerations of links, which replace their motions in twist[0..5]. */
static void LANED(forward_accelerate)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    const double *g = flow->call->gravity;
    for (int32_t i = 0; i < tree->link_count; i++) {
        const RbvTreeLink *j = tree->link + i;
        V a[6], c[6], X[3], Y[3], r[3], t[3], zero = LANED(all)(0);
        LANED(fetch)(TWIST_OF(i) + 6 * RBV_LANES, c, 6);
        if (j->parent >= 0) {
            LANED(fetch)(TWIST_OF(j->parent), a, 6);
            LANED(fetch)(POSE_OF(i) + 9 * RBV_LANES, X, 3);
            LANED(fetch)(POSE_OF(j->parent) + 9 * RBV_LANES, Y, 3);
            for (int e = 0; e < 3; e++)
                r[e] = X[e] - Y[e];
            LANED(cross)(a, r, t);
            for (int e = 0; e < 3; e++)
                a[3 + e] += t[e];
        } else {
            for (int e = 0; e < 3; e++)
                a[e] = zero, a[3 + e] = LANED(all)(-g[e]);
        }
        for (int e = 0; e < 6; e++)
            a[e] += c[e];
        for (int f = 0; f < rbv_link_freedoms(j->kind); f++) {
            V k[14];
            LANED(fetch)(COLUMN_OF(j->column + f), k, 14);
            V dv = (k[13] - LANED(dot6)(k + 6, a)) * k[12];
            LANED(put)(flow, 0, j->v + f, dv);
            for (int e = 0; e < 6; e++)
                a[e] += k[e] * dv;
        }
        LANED(keep)(TWIST_OF(i), a, 6);
    }
}

/* in: q, v, efforts, wrenches; out: a. For a tree without mimic joints. */
static void LANED(forward)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    LANED(forward_outward)(tree, scratch, flow);
    for (int32_t i = 0; i < tree->link_count; i++) {
        V A[21], p[6];
        LANED(articulated_of)(tree, scratch, flow, i, A, p);
        LANED(keep)(INERTIA_OF(i), A, 21);
        LANED(keep)(TOTAL_OF(i), p, 6);
    }
    LANED(forward_inward)(tree, scratch, flow);
    LANED(forward_accelerate)(tree, scratch, flow);
}

/* Solve M x = b, M positive definite, by elimination from the first number on. rows: the upper triangle of M, b in
 * column n, one row every `stride`; what is behind is changed, for one sample, where several numbers of a row are taken
 * abreast. All lanes at once. */
ALWAYS void LANED(solve_positive)(double *rows, ptrdiff_t stride, int64_t n, double *x) {
    const int64_t L = RBV_LANES;
    for (int64_t i = 0; i < n; i++) {
        double *row = rows + stride * i;
        V inverse = 1.0 / LANED(load)(row + L * i);
        LANED(store)(row + L * i, inverse);
        for (int64_t r = i + 1; r < n; r++) {
            double *other = rows + stride * r;
            WIDE(Lanes) l = LANED(for_all)(LANED(load)(row + L * r) * inverse);
            for (int64_t k = L * r; k <= L * n; k += L * LANED(ABREAST))
                WIDE(store)(other + k, WIDE(load)(other + k) - l * WIDE(load)(row + k));
        }
    }
    for (int64_t i = n - 1; i >= 0; i--) {
        const double *row = rows + stride * i;
        V y = LANED(load)(row + L * n);
        for (int64_t k = L * (i + 1); k < L * n; k += L)
            y -= LANED(load)(row + k) * LANED(load)(x + k);
        LANED(store)(x + L * i, y * LANED(load)(row + L * i));
    }
}

/* Solves M a = tau - inverse dynamics at a = 0: as `forward`, for trees with mimic joints, where a freedom belongs to
 * several joints; faster for few freedoms. */
static void LANED(forward_dense)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    int64_t n = tree->nv, stride = RBV_LANES * (n + RBV_MOST_LANES);
    double *rows = scratch->dense, *M = rows + stride * n, *x = scratch->total;
    RbvTreeFlow inner = *flow;
    inner.in[2] = scratch->zeros, inner.in_step[2] = 0;
    inner.out[0] = x, inner.out[1] = NULL, inner.out_step[0] = RBV_LANES, inner.apart[0] = 1;
    LANED(inverse)(tree, scratch, &inner);
    if (tree->arm) { /* inverse dynamics of so few links has left the sines and cosines of all */
        LANED(arm_matrix)(tree, scratch, rows, stride);
    } else {
        inner.out[0] = M;
        LANED(mass_matrix)(tree, scratch, &inner);
        for (int64_t i = 0; i < n; i++)
            memcpy(rows + stride * i, M + RBV_LANES * n * i, (size_t)(RBV_LANES * n) * sizeof *M);
    }
    for (int64_t k = 0; k < n; k++) {
        double *to = rows + stride * k + RBV_LANES * n;
        WIDE(store)(to, WIDE(all)(0));
        LANED(store)(to, LANED(given)(flow, 2, k) - LANED(load)(x + RBV_LANES * k));
    }
    LANED(solve_positive)(rows, stride, n, x);
    for (int64_t k = 0; k < n; k++)
        LANED(put)(flow, 0, k, LANED(load)(x + RBV_LANES * k));
}
