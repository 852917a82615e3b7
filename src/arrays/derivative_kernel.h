/* Derivatives of the efforts, Coriolis matrix and regressor, from columns along the ground's axes (ground_kernel.h).
 *
 * With s the column of a freedom, v and a motion and acceleration of the previous link, v+ the motion of its own link:
 *
 *   s' = v+ x s        p = v x s        pp = a x s + v x p
 *
 * and, for all links moved by link i: mass I, momentum l, Z = integral r u^T dm (u: velocity), force F. The force of
 * moving points under an angular velocity w', 2 w' x u for each, is N(w') = 2 (tr Z w' - Z^T w') about O and 2 w' x l.
 * For freedoms i and k, k on the path from i to the ground or equal to i:
 *
 *   d tau_i/d q_k = s_i . (N(p_k) + I pp_k)         d tau_i/d v_k = s_i . (N(s_k) + I (p_k + s'_k))
 *   d tau_k/d q_i = s_k . (N(p_i) + I pp_i + s_i x F)   d tau_k/d v_i = s_k . (N(s_i) + I (p_i + s'_i))
 *   C_ik = s_i . (N(s_k)/2 + I s'_k)                C_ki = s_k . (N(s_i)/2 + I s'_i)
 *
 * (S. Singh, R. P. Russell, P. M. Wensing: Efficient analytical derivatives of rigid-body dynamics using spatial vector
 * algebra, 2022; S. Echeandia, P. M. Wensing 2021; their matrix B of a rigid body reduces to Z and l. Derivatives are
 * along the directions of v: for a ball, rotations about its own axes.) */

/* s' (6..11), p (12..17), pp (18..23) behind the columns. */
ALWAYS void LANED(rates_of_columns)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    const double *g = flow->call->gravity;
    V zero = LANED(all)(0);
    for (int32_t i = 0; i < tree->link_count; i++) {
        const RbvTreeLink *j = tree->link + i;
        V own[6], before[12];
        LANED(fetch)(TWIST_OF(i), own, 6);
        if (j->parent >= 0) {
            LANED(fetch)(TWIST_OF(j->parent), before, 12);
        } else {
            for (int e = 0; e < 9; e++)
                before[e] = zero;
            for (int e = 0; e < 3; e++)
                before[9 + e] = LANED(all)(-g[e]);
        }
        for (int f = 0; f < rbv_link_freedoms(j->kind); f++) {
            V c[24], a[6], b[6];
            LANED(fetch)(COLUMN_OF(j->column + f), c, 6);
            LANED(motion_cross)(own, c, c + 6);
            LANED(motion_cross)(before, c, c + 12);
            LANED(motion_cross)(before + 6, c, a);
            LANED(motion_cross)(before, c + 12, b);
            for (int e = 0; e < 6; e++)
                c[18 + e] = a[e] + b[e];
            LANED(keep)(COLUMN_OF(j->column + f) + 6 * RBV_LANES, c + 6, 18);
        }
    }
}

/* Of a link: I (10), Z (9, row-major), l (3); its force F = I a + v x (I v) minus the applied wrench. */
ALWAYS void LANED(link_moments)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow, int32_t i) {
    V I[22], k[12], P[6], F[6], G[6];
    LANED(link_mass)(tree, scratch, i, I);
    LANED(fetch)(TWIST_OF(i), k, 12);
    LANED(momentum_of)(I, k, P);
    V *Z = I + 10, *l = I + 19;
    const V *w = k, *v = k + 3, S[9] = {I[4], I[5], I[6], I[5], I[7], I[8], I[6], I[8], I[9]};
    for (int a = 0; a < 3; a++) { /* h v^T + S w~^T: row a of the second is w x (row a of S) */
        V t[3];
        LANED(cross)(w, S + 3 * a, t);
        for (int b = 0; b < 3; b++)
            Z[3 * a + b] = I[1 + a] * v[b] + t[b];
        l[a] = P[3 + a];
    }
    LANED(keep)(INERTIA_OF(i), I, 22);
    LANED(momentum_of)(I, k + 6, F);
    LANED(force_cross)(k, P, G);
    for (int e = 0; e < 6; e++)
        F[e] += G[e];
    if (flow->in[3] && tree->link[i].last) {
        V W[6], X[12], O[3], t[3];
        int32_t body = tree->link[i].body;
        LANED(fetch)(POSE_OF(i), X, 12);
        LANED(fetch)(POSE_OF(0) + 9 * RBV_LANES, O, 3);
        for (int e = 0; e < 6; e++)
            W[e] = LANED(given)(flow, 3, 6 * (int64_t)body + e);
        LANED(from_body)(tree, body, W, W);
        LANED(from_body)(tree, body, W + 3, W + 3);
        LANED(out_of_turned)(X, W, W);
        LANED(out_of_turned)(X, W + 3, W + 3);
        V r[3] = {X[9] - O[0], X[10] - O[1], X[11] - O[2]};
        LANED(cross)(r, W, t);
        for (int e = 0; e < 3; e++)
            F[e] -= W[3 + e] + t[e], F[3 + e] -= W[e];
    }
    LANED(keep)(TOTAL_OF(i), F, 6);
}

/* N(w') as a force (n, f), with w' from a motion. */
ALWAYS void LANED(turn_force)(const V *Z, const V *l, const V *w, V *o) {
    V trace = Z[0] + Z[4] + Z[8];
    LANED(cross)(w, l, o + 3);
    for (int e = 0; e < 3; e++) {
        o[e] = 2.0 * (trace * w[e] - Z[e] * w[0] - Z[3 + e] * w[1] - Z[6 + e] * w[2]);
        o[3 + e] *= 2.0;
    }
}
/* d with s . N(w') = d . w' for all w'. */
ALWAYS void LANED(turn_power)(const V *Z, const V *l, const V *s, V *d) {
    V trace = Z[0] + Z[4] + Z[8];
    LANED(cross)(l, s + 3, d);
    for (int e = 0; e < 3; e++)
        d[e] = 2.0 * (trace * s[e] - Z[3 * e] * s[0] - Z[3 * e + 1] * s[1] - Z[3 * e + 2] * s[2] + d[e]);
}

static void LANED(prepare_derivatives)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    LANED(place_links)(tree, scratch, flow);
    LANED(move_links)(tree, scratch, flow, true);
    LANED(rates_of_columns)(tree, scratch, flow);
    for (int32_t i = 0; i < tree->link_count; i++)
        LANED(link_moments)(tree, scratch, flow, i);
    LANED(sum_inward)(tree, scratch->inertia, LANED(INERTIA), 22);
    LANED(sum_inward)(tree, scratch->total, 6, 6);
}

/* Data of freedom i for its rows and columns. */
typedef struct LANED(Freedom) {
    V c[24], d[3], P[6], by_q[6], by_v[6];
} LANED(Freedom);

ALWAYS void LANED(freedom_of)(const RbvTreeScratch *scratch, int32_t i, int32_t column, LANED(Freedom) * k) {
    V I[22], F[6], t[6], u[6], sum[6];
    LANED(fetch)(INERTIA_OF(i), I, 22);
    LANED(fetch)(TOTAL_OF(i), F, 6);
    LANED(fetch)(COLUMN_OF(column), k->c, 24);
    const V *s = k->c, *Z = I + 10, *l = I + 19;
    LANED(turn_power)(Z, l, s, k->d);
    LANED(momentum_of)(I, s, k->P);
    LANED(turn_force)(Z, l, k->c + 12, k->by_q);
    LANED(momentum_of)(I, k->c + 18, t);
    LANED(force_cross)(s, F, u);
    for (int e = 0; e < 6; e++)
        k->by_q[e] += t[e] + u[e], sum[e] = k->c[6 + e] + k->c[12 + e];
    LANED(turn_force)(Z, l, s, k->by_v);
    LANED(momentum_of)(I, sum, t);
    for (int e = 0; e < 6; e++)
        k->by_v[e] += t[e];
}

/* in: q, v, a, wrenches; out: by q, by v, efforts. */
static void LANED(derivatives)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    int64_t nv = tree->nv;
    LANED(prepare_derivatives)(tree, scratch, flow);
    LANED(put_zeros)(flow, 0, nv * nv);
    LANED(put_zeros)(flow, 1, nv * nv);
    if (flow->out[2])
        LANED(put_zeros)(flow, 2, nv);
    for (int32_t i = 0; i < tree->link_count; i++) {
        const RbvTreeLink *j = tree->link + i;
        const RbvTreeOwn *own = tree->own + i;
        for (int f = 0; f < rbv_link_freedoms(j->kind); f++) {
            LANED(Freedom) x;
            V F[6];
            int64_t row = j->v + f;
            LANED(freedom_of)(scratch, i, j->column + f, &x);
            LANED(put_more)(flow, 1, (nv + 1) * row, LANED(all)(own->ratio * own->ratio * own->damping[f]));
            if (flow->out[2]) {
                V v = own->ratio * LANED(given)(flow, 1, row), dv = own->ratio * LANED(given)(flow, 2, row);
                LANED(fetch)(TOTAL_OF(i), F, 6);
                LANED(put_more)
                (flow, 2, row,
                 own->ratio * (LANED(dot6)(x.c, F) + own->rotor[f] * dv + own->damping[f] * v +
                               own->friction[f] * LANED(sign)(v)));
            }
            for (int32_t k = i; k >= 0; k = tree->link[k].parent) {
                const RbvTreeLink *up = tree->link + k;
                double ratio = own->ratio * tree->own[k].ratio;
                for (int e = 0; e < rbv_link_freedoms(up->kind); e++) {
                    int64_t column = up->v + e;
                    V c[24];
                    LANED(fetch)(COLUMN_OF(up->column + e), c, 24);
                    V rate[6] = {c[6] + c[12], c[7] + c[13], c[8] + c[14], c[9] + c[15], c[10] + c[16], c[11] + c[17]};
                    LANED(put_more)
                    (flow, 0, nv * row + column, ratio * (LANED(dot3)(x.d, c + 12) + LANED(dot6)(x.P, c + 18)));
                    LANED(put_more)(flow, 1, nv * row + column, ratio * (LANED(dot3)(x.d, c) + LANED(dot6)(x.P, rate)));
                    if (k == i) /* all pairs of its freedoms are done; their columns rotate with it, as F does */
                        continue;
                    LANED(put_more)(flow, 0, nv * column + row, ratio * LANED(dot6)(c, x.by_q));
                    LANED(put_more)(flow, 1, nv * column + row, ratio * LANED(dot6)(c, x.by_v));
                }
            }
        }
    }
}

/* in: q, v; out: C. */
static void LANED(coriolis)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    int64_t nv = tree->nv;
    LANED(prepare_derivatives)(tree, scratch, flow);
    LANED(put_zeros)(flow, 0, nv * nv);
    for (int32_t i = 0; i < tree->link_count; i++) {
        const RbvTreeLink *j = tree->link + i;
        for (int f = 0; f < rbv_link_freedoms(j->kind); f++) {
            LANED(Freedom) x;
            V I[22], N[6], t[6];
            int64_t row = j->v + f;
            LANED(freedom_of)(scratch, i, j->column + f, &x);
            LANED(fetch)(INERTIA_OF(i), I, 22);
            LANED(turn_force)(I + 10, I + 19, x.c, N);
            LANED(momentum_of)(I, x.c + 6, t);
            for (int e = 0; e < 6; e++)
                t[e] += 0.5 * N[e];
            for (int32_t k = i; k >= 0; k = tree->link[k].parent) {
                const RbvTreeLink *up = tree->link + k;
                double ratio = tree->own[i].ratio * tree->own[k].ratio;
                for (int e = 0; e < rbv_link_freedoms(up->kind); e++) {
                    int64_t column = up->v + e;
                    V c[12];
                    LANED(fetch)(COLUMN_OF(up->column + e), c, 12);
                    LANED(put_more)(flow, 0, nv * column + row, ratio * LANED(dot6)(c, t));
                    if (k != i)
                        LANED(put_more)
                    (flow, 0, nv * row + column, ratio * (0.5 * LANED(dot3)(x.d, c) + LANED(dot6)(x.P, c + 6)));
                }
            }
        }
    }
}

/* --- regressor --- */

/* Forces (moment about its origin, force; along its own axes) for the ten unit parameters of a body with motion w, w',
 * a: mass, first moments, inertia about the origin. */
ALWAYS void LANED(parameter_forces)(const LANED(Motion) * k, V (*F)[6]) {
    V A[9], zero = LANED(all)(0);
    LANED(acceleration_field)(k, A);
    for (int n = 0; n < 10; n++)
        for (int e = 0; e < 6; e++)
            F[n][e] = zero;
    for (int e = 0; e < 3; e++) {
        F[0][3 + e] = k->a[e];
        for (int n = 0; n < 3; n++)
            F[1 + n][3 + e] = A[3 * e + n];
    }
    F[1][1] = -k->a[2], F[1][2] = k->a[1]; /* e_n x a */
    F[2][0] = k->a[2], F[2][2] = -k->a[0];
    F[3][0] = -k->a[1], F[3][1] = k->a[0];
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int n = 0; n < 6; n++) { /* J w' + w x J w for a unit entry of J */
        int x = pair[n][0], y = pair[n][1];
        V u[3] = {zero, zero, zero}, t[3];
        u[x] = k->w[y];
        if (x != y)
            u[y] = k->w[x];
        LANED(cross)(k->w, u, t);
        for (int e = 0; e < 3; e++)
            F[4 + n][e] = t[e];
        F[4 + n][x] += k->dw[y];
        if (x != y)
            F[4 + n][y] += k->dw[x];
    }
}

/* in: q, v, a; out: Y. */
static void LANED(regressor)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    int64_t width = 10 * (int64_t)tree->body_count;
    V O[3];
    LANED(place_links)(tree, scratch, flow);
    LANED(move_links)(tree, scratch, flow, true);
    LANED(fetch)(POSE_OF(0) + 9 * RBV_LANES, O, 3);
    LANED(put_zeros)(flow, 0, tree->nv * width);
    for (int32_t body = 0; body < tree->body_count; body++) {
        V X[12], m[12], t[3], b[3], F[10][6];
        LANED(Motion) k;
        int32_t i = tree->last[body];
        LANED(fetch)(POSE_OF(i), X, 12);
        LANED(fetch)(TWIST_OF(i), m, 12);
        V r[3] = {X[9] - O[0], X[10] - O[1], X[11] - O[2]};
        LANED(cross)(m, r, t);
        V u[3] = {m[3] + t[0], m[4] + t[1], m[5] + t[2]}, a[3];
        LANED(cross)(m + 6, r, t);
        LANED(cross)(m, u, b);
        for (int e = 0; e < 3; e++)
            a[e] = m[9 + e] + t[e] + b[e];
        LANED(into_turned)(X, m, k.w);
        LANED(into_turned)(X, m + 6, k.dw);
        LANED(into_turned)(X, a, k.a);
        LANED(to_body)(tree, body, k.w, k.w);
        LANED(to_body)(tree, body, k.dw, k.dw);
        LANED(to_body)(tree, body, k.a, k.a);
        LANED(parameter_forces)(&k, F);
        for (int n = 0; n < 10; n++) { /* to the ground's axes, about O */
            for (int part = 0; part < 6; part += 3) {
                LANED(from_body)(tree, body, F[n] + part, F[n] + part);
                LANED(out_of_turned)(X, F[n] + part, F[n] + part);
            }
            LANED(cross)(r, F[n] + 3, t);
            for (int e = 0; e < 3; e++)
                F[n][e] += t[e];
        }
        for (int32_t up = i; up >= 0; up = tree->link[up].parent)
            for (int f = 0; f < rbv_link_freedoms(tree->link[up].kind); f++) {
                V s[6];
                LANED(fetch)(COLUMN_OF(tree->link[up].column + f), s, 6);
                for (int n = 0; n < 10; n++)
                    LANED(put_more)
                (flow, 0, width * (tree->link[up].v + f) + 10 * (int64_t)body + n,
                 tree->own[up].ratio * LANED(dot6)(s, F[n]));
            }
    }
}
