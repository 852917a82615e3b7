/* Links along the ground's axes about one point: columns and moments for mass matrices, Jacobians, momenta and
 * derivatives.
 *
 * The point O is the origin of the first link, so that a machine far from the ground's origin loses no digits. A motion
 * is (w, v): angular velocity, velocity of the body point at O. A force is (n, f): moment about O, force. The column s
 * of a freedom is the motion at unit rate of the links that it moves. Accelerations, with (0, -gravity) for the ground:
 *
 *   a = a_parent + s v' + (motion of the parent x s) v
 *
 * A mass is (m, h, S) as in tree.h, about O; its momentum in the motion (w, v) is
 *
 *   f = m v - h x w,    n = h x v + tr(S) w - S w */

enum { LANED(POSE) = 12, LANED(COLUMN) = 24, LANED(INERTIA) = 22 };

/* Numbers of a link or a freedom. */
#define POSE_OF(i) (scratch->pose + LANED(POSE) * RBV_LANES * (ptrdiff_t)(i))
#define TWIST_OF(i) (scratch->twist + 12 * RBV_LANES * (ptrdiff_t)(i))
#define COLUMN_OF(k) (scratch->column + LANED(COLUMN) * RBV_LANES * (ptrdiff_t)(k))
#define INERTIA_OF(i) (scratch->inertia + LANED(INERTIA) * RBV_LANES * (ptrdiff_t)(i))
#define TOTAL_OF(i) (scratch->total + 6 * RBV_LANES * (ptrdiff_t)(i))

ALWAYS void LANED(cross)(const V *a, const V *b, V *o) {
    V x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    o[2] = a[0] * b[1] - a[1] * b[0];
    o[0] = x;
    o[1] = y;
}
ALWAYS V LANED(dot3)(const V *a, const V *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
ALWAYS V LANED(dot6)(const V *a, const V *b) {
    return LANED(dot3)(a, b) + LANED(dot3)(a + 3, b + 3);
}
/* Rate of a motion u fixed in a body with motion k: (w x u_w, w x u_v + v x u_w). */
ALWAYS void LANED(motion_cross)(const V *k, const V *u, V *o) {
    V a[3], b[3];
    LANED(cross)(k, u + 3, a);
    LANED(cross)(k + 3, u, b);
    LANED(cross)(k, u, o);
    for (int e = 0; e < 3; e++)
        o[3 + e] = a[e] + b[e];
}
/* Rate of a force F fixed in a body with motion k: (w x n + v x f, w x f). */
ALWAYS void LANED(force_cross)(const V *k, const V *F, V *o) {
    V a[3], b[3];
    LANED(cross)(k, F, a);
    LANED(cross)(k + 3, F + 3, b);
    LANED(cross)(k, F + 3, o + 3);
    for (int e = 0; e < 3; e++)
        o[e] = a[e] + b[e];
}
/* S u, S as xx xy xz yy yz zz. */
ALWAYS void LANED(symmetric)(const V *S, const V *u, V *o) {
    V x = S[0] * u[0] + S[1] * u[1] + S[2] * u[2], y = S[1] * u[0] + S[3] * u[1] + S[4] * u[2];
    o[2] = S[2] * u[0] + S[4] * u[1] + S[5] * u[2];
    o[0] = x;
    o[1] = y;
}
/* Momentum (n, f) of the mass I = (m, h, S) in the motion u. */
ALWAYS void LANED(momentum_of)(const V *I, const V *u, V *o) {
    V a[3], b[3], c[3], trace = I[4] + I[7] + I[9];
    LANED(cross)(I + 1, u + 3, a);
    LANED(symmetric)(I + 4, u, b);
    LANED(cross)(I + 1, u, c);
    for (int e = 0; e < 3; e++) {
        o[e] = a[e] + trace * u[e] - b[e];
        o[3 + e] = I[0] * u[3 + e] - c[e];
    }
}

/* M = R Rz or R Q of a link relative to its parent. */
ALWAYS void LANED(link_axes)(const RbvTreeLink *j, const RbvTreeScratch *scratch, const RbvTreeFlow *flow, V *M) {
    const double *R = j->R;
    if (j->angle >= 0) {
        V c = LANED(load)(scratch->cosine + RBV_LANES * (ptrdiff_t)j->angle),
          s = LANED(load)(scratch->sine + RBV_LANES * (ptrdiff_t)j->angle);
        for (int e = 0; e < 9; e += 3)
            M[e] = R[e] * c + R[e + 1] * s, M[e + 1] = R[e + 1] * c - R[e] * s, M[e + 2] = LANED(all)(R[e + 2]);
    } else if (j->kind == RBV_LINK_BALL) {
        LANED(turned_by_quaternion)(j, flow, M);
    } else {
        for (int e = 0; e < 9; e++)
            M[e] = LANED(all)(R[e]);
    }
}

/* Axes and origin of a link in the ground's frame; X[12]: on entry those of the parent, on return of the link. */
ALWAYS void LANED(link_pose)(const RbvTree *tree, const RbvTreeLink *j, const RbvTreeScratch *scratch,
                             const RbvTreeFlow *flow, V *X) {
    V M[9], R[9], p[3];
    LANED(link_axes)(j, scratch, flow, M);
    if (j->parent < 0) {
        for (int e = 0; e < 9; e++)
            X[e] = M[e];
        for (int e = 0; e < 3; e++)
            X[9 + e] = LANED(all)(j->p[e]);
    } else {
        for (int e = 0; e < 9; e += 3) {
            p[e / 3] = X[9 + e / 3] + X[e] * j->p[0] + X[e + 1] * j->p[1] + X[e + 2] * j->p[2];
            for (int c = 0; c < 3; c++)
                R[e + c] = X[e] * M[c] + X[e + 1] * M[3 + c] + X[e + 2] * M[6 + c];
        }
        for (int e = 0; e < 9; e++)
            X[e] = R[e];
        for (int e = 0; e < 3; e++)
            X[9 + e] = p[e];
    }
    if (j->kind == RBV_LINK_SLIDE || j->kind == RBV_LINK_SCREW) {
        V x = LANED(position)(tree, tree->sweep + (j - tree->link), flow);
        if (j->kind == RBV_LINK_SCREW)
            x *= j->pitch;
        for (int e = 0; e < 3; e++)
            X[9 + e] += x * X[3 * e + 2];
    }
}

/* Column of freedom f of a link, about a point at -r from its origin. */
ALWAYS void LANED(link_column)(const RbvTreeLink *j, int f, const V *X, const V *r, V *s) {
    int axis = j->kind == RBV_LINK_BALL ? f : 2;
    V u[3] = {X[axis], X[3 + axis], X[6 + axis]};
    for (int e = 0; e < 3; e++)
        s[e] = j->kind == RBV_LINK_SLIDE ? LANED(all)(0) : u[e],
        s[3 + e] = j->kind == RBV_LINK_SLIDE ? u[e] : LANED(all)(0);
    if (j->kind == RBV_LINK_SLIDE)
        return;
    LANED(cross)(r, u, s + 3);
    if (j->kind == RBV_LINK_SCREW)
        for (int e = 0; e < 3; e++)
            s[3 + e] += j->pitch * u[e];
}

/* Poses and columns of all links. */
static void LANED(place_links)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    V X[12], O[3] = {LANED(all)(0), LANED(all)(0), LANED(all)(0)};
    for (int e = 0; e < 12; e++)
        X[e] = O[0];
    LANED(angles)(tree, scratch, flow);
    for (int32_t i = 0; i < tree->link_count; i++) {
        const RbvTreeLink *j = tree->link + i;
        if (j->parent >= 0 && !j->chained)
            LANED(fetch)(POSE_OF(j->parent), X, 12);
        LANED(link_pose)(tree, j, scratch, flow, X);
        LANED(keep)(POSE_OF(i), X, 12);
        if (i == 0)
            O[0] = X[9], O[1] = X[10], O[2] = X[11];
        V r[3] = {X[9] - O[0], X[10] - O[1], X[11] - O[2]};
        for (int f = 0; f < rbv_link_freedoms(j->kind); f++) {
            V s[6];
            LANED(link_column)(j, f, X, r, s);
            LANED(keep)(COLUMN_OF(j->column + f), s, 6);
        }
    }
}

/* Motions (w, v) of all links, to twist[0..5]; with `accelerate` also accelerations from in[2], to twist[6..11]. */
static void LANED(move_links)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow, bool accelerate) {
    const double *g = flow->call->gravity;
    V k[12], zero = LANED(all)(0);
    for (int32_t i = 0; i < tree->link_count; i++) {
        const RbvTreeLink *j = tree->link + i;
        if (j->parent >= 0) {
            LANED(fetch)(TWIST_OF(j->parent), k, 12);
        } else {
            for (int e = 0; e < 9; e++)
                k[e] = zero;
            for (int e = 0; e < 3; e++)
                k[9 + e] = LANED(all)(-g[e]);
        }
        V joint[6], rate[6];
        for (int e = 0; e < 6; e++)
            joint[e] = zero;
        for (int f = 0; f < rbv_link_freedoms(j->kind); f++) {
            double ratio = tree->own[i].ratio;
            V s[6], v = ratio * LANED(given)(flow, 1, j->v + f);
            LANED(fetch)(COLUMN_OF(j->column + f), s, 6);
            for (int e = 0; e < 6; e++)
                joint[e] += s[e] * v;
            if (accelerate) {
                V dv = ratio * LANED(given)(flow, 2, j->v + f);
                for (int e = 0; e < 6; e++)
                    k[6 + e] += s[e] * dv;
            }
        }
        LANED(motion_cross)(k, joint, rate);
        for (int e = 0; e < 6; e++)
            k[6 + e] += rate[e], k[e] += joint[e];
        LANED(keep)(TWIST_OF(i), k, 12);
    }
}

/* Motions and accelerations of all links, after place_links. For linkages. */
static void LANED(motions)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    LANED(move_links)(tree, scratch, flow, true);
}

/* Mass of a link about O along the ground's axes: I = (m, h, S). */
ALWAYS void LANED(mass_about)(const RbvTreeMass *mass, const RbvTreeScratch *scratch, int32_t i, V *I) {
    V X[12], O[3], SR[9];
    LANED(fetch)(POSE_OF(i), X, 12);
    LANED(fetch)(POSE_OF(0) + 9 * RBV_LANES, O, 3);
    const double m = mass->m, *h = mass->h, *S = mass->S;
    V r[3] = {X[9] - O[0], X[10] - O[1], X[11] - O[2]}, d[3];
    for (int e = 0; e < 3; e++) {
        const V *R = X + 3 * e;
        d[e] = R[0] * h[0] + R[1] * h[1] + R[2] * h[2];
        SR[3 * e] = R[0] * S[0] + R[1] * S[1] + R[2] * S[2];
        SR[3 * e + 1] = R[0] * S[1] + R[1] * S[3] + R[2] * S[4];
        SR[3 * e + 2] = R[0] * S[2] + R[1] * S[4] + R[2] * S[5];
    }
    I[0] = LANED(all)(m);
    for (int e = 0; e < 3; e++)
        I[1 + e] = d[e] + m * r[e];
    for (int a = 0, n = 4; a < 3; a++)
        for (int b = a; b < 3; b++, n++) /* R S R^T + r d^T + d r^T + m r r^T */
            I[n] = SR[3 * a] * X[3 * b] + SR[3 * a + 1] * X[3 * b + 1] + SR[3 * a + 2] * X[3 * b + 2] + r[a] * d[b] +
                   I[1 + a] * r[b];
}

ALWAYS void LANED(link_mass)(const RbvTree *tree, const RbvTreeScratch *scratch, int32_t i, V *I) {
    LANED(mass_about)(tree->mass + i, scratch, i, I);
}

/* Add masses of links inward, so that each link has the mass of all its descendants: the first `count` numbers of
 * inertia. */
ALWAYS void LANED(sum_inward)(const RbvTree *tree, double *numbers, int stride, int count) {
    for (int32_t i = tree->link_count - 1; i >= 0; i--) {
        int32_t parent = tree->link[i].parent;
        double *from = numbers + (ptrdiff_t)stride * RBV_LANES * i,
               *to = numbers + (ptrdiff_t)stride * RBV_LANES * parent;
        for (int e = 0; parent >= 0 && e < count; e++)
            LANED(store)(to + RBV_LANES * e, LANED(load)(to + RBV_LANES * e) + LANED(load)(from + RBV_LANES * e));
    }
}
static void LANED(compose_masses)(const RbvTree *tree, RbvTreeScratch *scratch) {
    for (int32_t i = 0; i < tree->link_count; i++) {
        V I[10];
        LANED(link_mass)(tree, scratch, i, I);
        LANED(keep)(INERTIA_OF(i), I, 10);
    }
    LANED(sum_inward)(tree, scratch->inertia, LANED(INERTIA), 10);
}

/* Composite masses in one sweep of a chain, from lumped masses, which have the same mass matrix. */
static void LANED(compose_lumped)(const RbvTree *tree, RbvTreeScratch *scratch) {
    V sum[10];
    for (int e = 0; e < 10; e++)
        sum[e] = LANED(all)(0);
    for (int32_t i = tree->link_count - 1; i >= 0; i--) {
        V I[10];
        LANED(mass_about)(tree->lumped + i, scratch, i, I);
        for (int e = 0; e < 10; e++)
            sum[e] += I[e];
        LANED(keep)(INERTIA_OF(i), sum, 10);
    }
}

/* Set count numbers of an output to zero. */
ALWAYS void LANED(put_zeros)(const RbvTreeFlow *flow, int k, int64_t count) {
    for (int64_t e = 0; e < count; e++)
        LANED(put)(flow, k, e, LANED(all)(0));
}

/* --- mass matrix: M_ik = s_k . (momentum of the links moved by i, in the motion s_i), k on the path from i to the
 * ground (M. W. Walker, D. E. Orin 1982). out: M --- */

/* Row of freedom f of link i, for a chain without mimic joints: each pair of freedoms once. */
ALWAYS void LANED(mass_row_of_chain)(const RbvTree *tree, const RbvTreeScratch *scratch, const RbvTreeFlow *flow,
                                     int32_t i, int f, const V *P) {
    int64_t nv = tree->nv, row = tree->link[i].v + f;
    V s[6];
    for (int64_t k = row; k >= 0; k--) { /* columns are in the order of v */
        LANED(fetch)(COLUMN_OF(k), s, 6);
        V x = LANED(dot6)(s, P);
        if (k == row) {
            LANED(put)(flow, 0, (nv + 1) * row, x + tree->own[i].rotor[f]);
        } else {
            LANED(put)(flow, 0, nv * row + k, x);
            LANED(put)(flow, 0, nv * k + row, x);
        }
    }
}

ALWAYS void LANED(mass_row)(const RbvTree *tree, const RbvTreeScratch *scratch, const RbvTreeFlow *flow, int32_t i,
                            int f, const V *P) {
    const RbvTreeOwn *own = tree->own + i;
    int64_t nv = tree->nv, row = tree->link[i].v + f;
    V t[6];
    LANED(fetch)(COLUMN_OF(tree->link[i].column + f), t, 6);
    LANED(put_more)(flow, 0, (nv + 1) * row, own->ratio * own->ratio * (LANED(dot6)(t, P) + own->rotor[f]));
    for (int32_t k = i; k >= 0; k = tree->link[k].parent) {
        const RbvTreeLink *up = tree->link + k;
        for (int e = 0; e < (k == i ? f : rbv_link_freedoms(up->kind)); e++) {
            LANED(fetch)(COLUMN_OF(up->column + e), t, 6);
            V x = own->ratio * tree->own[k].ratio * LANED(dot6)(t, P);
            LANED(put_more)(flow, 0, nv * row + up->v + e, x);
            LANED(put_more)(flow, 0, nv * (up->v + e) + row, x);
        }
    }
}

static void LANED(mass_matrix)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    bool chain = tree->chain && !tree->mimics;
    if (tree->arm) {
        LANED(arm_mass_matrix)(tree, scratch, flow);
        return;
    }
    LANED(place_links)(tree, scratch, flow);
    if (tree->chain)
        LANED(compose_lumped)(tree, scratch);
    else
        LANED(compose_masses)(tree, scratch);
    if (!chain)
        LANED(put_zeros)(flow, 0, (int64_t)tree->nv * tree->nv);
    for (int32_t i = 0; i < tree->link_count; i++) {
        const RbvTreeLink *j = tree->link + i;
        V I[10];
        LANED(fetch)(INERTIA_OF(i), I, 10);
        for (int f = 0; f < rbv_link_freedoms(j->kind); f++) {
            V s[6], P[6];
            LANED(fetch)(COLUMN_OF(j->column + f), s, 6);
            LANED(momentum_of)(I, s, P);
            if (chain)
                LANED(mass_row_of_chain)(tree, scratch, flow, i, f, P);
            else
                LANED(mass_row)(tree, scratch, flow, i, f, P);
        }
    }
}

/* --- energies. in: q, v; out: kinetic, potential --- */

static void LANED(energies)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    V kinetic = LANED(all)(0), potential = LANED(all)(0), O[3];
    const double *g = tree->gravity;
    LANED(place_links)(tree, scratch, flow);
    LANED(move_links)(tree, scratch, flow, false);
    LANED(fetch)(POSE_OF(0) + 9 * RBV_LANES, O, 3);
    for (int32_t i = 0; i < tree->link_count; i++) {
        const RbvTreeLink *j = tree->link + i;
        V I[10], u[6], P[6];
        for (int f = 0; f < rbv_link_freedoms(j->kind); f++) {
            V v = tree->own[i].ratio * LANED(given)(flow, 1, j->v + f);
            kinetic += 0.5 * tree->own[i].rotor[f] * v * v;
        }
        if (j->massless)
            continue;
        LANED(link_mass)(tree, scratch, i, I);
        LANED(fetch)(TWIST_OF(i), u, 6);
        LANED(momentum_of)(I, u, P);
        kinetic += 0.5 * LANED(dot6)(u, P);
        for (int e = 0; e < 3; e++)
            potential -= g[e] * (I[1 + e] + I[0] * O[e]);
    }
    LANED(put)(flow, 0, 0, kinetic);
    LANED(put)(flow, 0, 1, potential);
}

/* --- centre of mass and its Jacobian; momentum, its matrix --- */

/* Mass and first moments of all bodies about O: sums over the links without parents. */
ALWAYS void LANED(whole_mass)(const RbvTree *tree, const RbvTreeScratch *scratch, V *I) {
    for (int e = 0; e < 4; e++)
        I[e] = LANED(all)(0);
    for (int32_t i = 0; i < tree->link_count; i++)
        for (int e = 0; tree->link[i].parent < 0 && e < 4; e++)
            I[e] += LANED(load)(INERTIA_OF(i) + RBV_LANES * e);
}

/* out: centre, Jacobian. */
static void LANED(centre_of_mass)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    V whole[4], O[3];
    LANED(place_links)(tree, scratch, flow);
    LANED(compose_masses)(tree, scratch);
    LANED(whole_mass)(tree, scratch, whole);
    LANED(fetch)(POSE_OF(0) + 9 * RBV_LANES, O, 3);
    for (int e = 0; e < 3; e++)
        LANED(put)(flow, 0, e, O[e] + whole[1 + e] / whole[0]);
    if (!flow->out[1])
        return;
    LANED(put_zeros)(flow, 1, 3 * (int64_t)tree->nv);
    for (int32_t i = 0; i < tree->link_count; i++) {
        const RbvTreeLink *j = tree->link + i;
        V I[10], s[6], P[6];
        LANED(fetch)(INERTIA_OF(i), I, 10);
        for (int f = 0; f < rbv_link_freedoms(j->kind); f++) {
            LANED(fetch)(COLUMN_OF(j->column + f), s, 6);
            LANED(momentum_of)(I, s, P);
            for (int e = 0; e < 3; e++)
                LANED(put_more)(flow, 1, (int64_t)tree->nv * e + j->v + f, tree->own[i].ratio * P[3 + e] / whole[0]);
        }
    }
}

/* out: momentum, then its moment about the centre of mass; the matrix. */
static void LANED(momentum)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    V whole[4], h[6], zero = LANED(all)(0);
    LANED(place_links)(tree, scratch, flow);
    LANED(compose_masses)(tree, scratch);
    LANED(whole_mass)(tree, scratch, whole);
    V c[3] = {whole[1] / whole[0], whole[2] / whole[0], whole[3] / whole[0]};
    for (int e = 0; e < 6; e++)
        h[e] = zero;
    if (flow->out[1])
        LANED(put_zeros)(flow, 1, 6 * (int64_t)tree->nv);
    for (int32_t i = 0; i < tree->link_count; i++) {
        const RbvTreeLink *j = tree->link + i;
        V I[10], s[6], P[6], moment[3];
        LANED(fetch)(INERTIA_OF(i), I, 10);
        for (int f = 0; f < rbv_link_freedoms(j->kind); f++) {
            LANED(fetch)(COLUMN_OF(j->column + f), s, 6);
            LANED(momentum_of)(I, s, P);
            LANED(cross)(c, P + 3, moment);
            V v = flow->in[1] ? LANED(given)(flow, 1, j->v + f) : zero;
            for (int e = 0; e < 6; e++) {
                V x = tree->own[i].ratio * (e < 3 ? P[3 + e] : P[e - 3] - moment[e - 3]);
                h[e] += x * v;
                if (flow->out[1])
                    LANED(put_more)(flow, 1, (int64_t)tree->nv * e + j->v + f, x);
            }
        }
    }
    for (int e = 0; flow->out[0] && e < 6; e++)
        LANED(put)(flow, 0, e, h[e]);
}

/* --- markers --- */

/* Position of the marker about O, and pose X of its body; body -1: the ground. */
ALWAYS void LANED(marker_place)(const RbvTree *tree, const RbvTreeScratch *scratch, const RbvTreeFlow *flow, V *X,
                                V *r) {
    int32_t body = flow->call->body;
    const double *P = flow->call->point;
    V O[3], R[9], zero = LANED(all)(0);
    LANED(fetch)(POSE_OF(0) + 9 * RBV_LANES, O, 3);
    if (body < 0) {
        for (int e = 0; e < 9; e++)
            X[e] = LANED(all)(e % 4 == 0);
        X[9] = X[10] = X[11] = zero;
    } else {
        LANED(fetch)(POSE_OF(tree->last[body]), X, 12);
        const double *A = tree->axes[body]; /* R A^T: axes of the body */
        for (int e = 0; e < 9; e += 3)
            for (int c = 0; c < 3; c++)
                R[e + c] = X[e] * A[3 * c] + X[e + 1] * A[3 * c + 1] + X[e + 2] * A[3 * c + 2];
        for (int e = 0; e < 9; e++)
            X[e] = R[e];
    }
    for (int e = 0; e < 3; e++)
        X[9 + e] += X[3 * e] * P[0] + X[3 * e + 1] * P[1] + X[3 * e + 2] * P[2], r[e] = X[9 + e] - O[e];
}

/* out: position, quaternion. From the largest of its four components (S. W. Shepperd 1978), w >= 0. */
static void LANED(pose)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    V X[12], r[3];
    LANED(place_links)(tree, scratch, flow);
    LANED(marker_place)(tree, scratch, flow, X, r);
    for (int e = 0; e < 3; e++)
        LANED(put)(flow, 0, e, X[9 + e]);
    for (int l = 0; l < RBV_LANES; l++) {
        double A[9], p[4];
        for (int e = 0; e < 9; e++)
            A[e] = LANED(lane)(X[e], l);
        RbvMat3 B = {{{A[0], A[3], A[6]}, {A[1], A[4], A[7]}, {A[2], A[5], A[8]}}};
        RbvQuat u = rbv_quat_of_mat3(&B);
        double sign = u.w < 0 ? -1 : 1;
        p[0] = u.w, p[1] = u.e.x, p[2] = u.e.y, p[3] = u.e.z;
        for (int e = 0; e < 4; e++)
            flow->out[0][(3 + e) * flow->out_step[0] + l * flow->apart[0]] = sign * p[e];
    }
}

/* out: J. */
static void LANED(jacobian)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    int64_t nv = tree->nv;
    V X[12], r[3];
    LANED(place_links)(tree, scratch, flow);
    LANED(marker_place)(tree, scratch, flow, X, r);
    LANED(put_zeros)(flow, 0, 6 * nv);
    int32_t body = flow->call->body;
    for (int32_t k = body < 0 ? -1 : tree->last[body]; k >= 0; k = tree->link[k].parent) {
        const RbvTreeLink *j = tree->link + k;
        for (int f = 0; f < rbv_link_freedoms(j->kind); f++) {
            V s[6], v[3];
            LANED(fetch)(COLUMN_OF(j->column + f), s, 6);
            LANED(cross)(s, r, v);
            for (int e = 0; e < 3; e++) {
                LANED(put_more)(flow, 0, nv * e + j->v + f, tree->own[k].ratio * (s[3 + e] + v[e]));
                LANED(put_more)(flow, 0, nv * (3 + e) + j->v + f, tree->own[k].ratio * s[e]);
            }
        }
    }
}

/* out: twist, bias. in[2] is zero and gravity is off: accelerations are those at a = 0. */
static void LANED(marker_rates)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    V X[12], r[3], k[12], a[3], b[3], zero = LANED(all)(0);
    LANED(place_links)(tree, scratch, flow);
    LANED(move_links)(tree, scratch, flow, false);
    LANED(marker_place)(tree, scratch, flow, X, r);
    for (int e = 0; e < 12; e++)
        k[e] = zero;
    if (flow->call->body >= 0)
        LANED(fetch)(TWIST_OF(tree->last[flow->call->body]), k, 12);
    LANED(cross)(k, r, a);
    V v[3] = {k[3] + a[0], k[4] + a[1], k[5] + a[2]};
    LANED(cross)(k + 6, r, a);
    LANED(cross)(k, v, b); /* acceleration of the marker: a_O + w' x r + w x v */
    for (int e = 0; e < 3; e++) {
        if (flow->out[0])
            LANED(put)(flow, 0, e, v[e]), LANED(put)(flow, 0, 3 + e, k[e]);
        if (flow->out[1])
            LANED(put)(flow, 1, e, k[9 + e] + a[e] + b[e]), LANED(put)(flow, 1, 3 + e, k[6 + e]);
    }
}
