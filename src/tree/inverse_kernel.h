/* Inverse dynamics by the recursion of Newton and Euler, for RBV_LANES samples at once.
 *
 * Outward, for each link, in its own axes: angular velocity w, angular acceleration w', acceleration a of the origin (that of the ground is -gravity: weights follow by themselves). With A = w'~ + w~ w~ the
 * point r accelerates with a + A r, so that with h = integral r dm and S = integral r r^T dm
 *
 *   force  F = m a + A h          torque about the origin  N = integral r x (a + A r) dm = axial (A S) + h x a
 *
 * Inward: what the parent does to the link is F, N and what the children need; its power on the freedoms are the efforts (Garcia de Jalon and Bayo 6.2.6; J. Y. S. Luh et al. 1980).
 */

/* The motion of a link. */
typedef struct LANED(Motion) {
    V w[3], dw[3], a[3];
} LANED(Motion);

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
/* The same where R is a rotation about x with cosine ca and sine sa. */
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
/* o = R^T u. */
ALWAYS void LANED(into_fixed)(const double *R, const V *u, V *o) {
    V x = R[0] * u[0] + R[3] * u[1] + R[6] * u[2], y = R[1] * u[0] + R[4] * u[1] + R[7] * u[2];
    o[2] = R[2] * u[0] + R[5] * u[1] + R[8] * u[2];
    o[0] = x;
    o[1] = y;
}
/* o = Q^T u of a rotation that differs by lanes. */
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
/* o = Q u of a rotation that differs by lanes. */
ALWAYS void LANED(out_of_turned)(const V *Q, const V *u, V *o) {
    V x = Q[0] * u[0] + Q[1] * u[1] + Q[2] * u[2], y = Q[3] * u[0] + Q[4] * u[1] + Q[5] * u[2];
    o[2] = Q[6] * u[0] + Q[7] * u[1] + Q[8] * u[2];
    o[0] = x;
    o[1] = y;
}
/* A = dw~ + w~ w~, row-major. */
ALWAYS void LANED(acceleration_field)(const LANED(Motion) * k, V *A) {
    V xx = k->w[0] * k->w[0], yy = k->w[1] * k->w[1], zz = k->w[2] * k->w[2];
    V xy = k->w[0] * k->w[1], xz = k->w[0] * k->w[2], yz = k->w[1] * k->w[2];
    A[0] = -yy - zz, A[4] = -xx - zz, A[8] = -xx - yy;
    A[1] = xy - k->dw[2], A[3] = xy + k->dw[2];
    A[2] = xz + k->dw[1], A[6] = xz - k->dw[1];
    A[5] = yz - k->dw[0], A[7] = yz + k->dw[0];
}

/* Q[9] of a quaternion of any length: Q = 1 + 2 (w e~ + e~ e~) / (w^2 + e^2). */
ALWAYS void LANED(rotation)(V w, V x, V y, V z, V *Q) {
    V t = 2.0 / (w * w + x * x + y * y + z * z);
    V tx = t * x, ty = t * y, tz = t * z;
    V wx = tx * w, wy = ty * w, wz = tz * w, xx = tx * x, xy = tx * y, xz = tx * z, yy = ty * y, yz = ty * z, zz = tz * z;
    Q[0] = 1.0 - yy - zz, Q[1] = xy - wz, Q[2] = xz + wy;
    Q[3] = xy + wz, Q[4] = 1.0 - xx - zz, Q[5] = yz - wx;
    Q[6] = xz - wy, Q[7] = yz + wx, Q[8] = 1.0 - xx - yy;
}

/* Number e of an input of a block. */
ALWAYS V LANED(given)(const RbvTreeFlow *flow, int k, int64_t e) {
    return LANED(load)(flow->in[k] + e * flow->in_step[k]);
}
ALWAYS void LANED(put)(const RbvTreeFlow *flow, int k, int64_t e, V x) {
    LANED(store_apart)(flow->out[k] + e * flow->out_step[k], flow->apart[k], x);
}
/* Add to an output that is written already. */
ALWAYS void LANED(put_more)(const RbvTreeFlow *flow, int k, int64_t e, V x) {
    double *to = flow->out[k] + e * flow->out_step[k];
    for (int l = 0; l < RBV_LANES; l++)
        to[l * flow->apart[k]] += LANED(lane)(x, l);
}

/* q of a link with one freedom, its rate (k = 1) and acceleration (k = 2): of what it follows, if it mimics. */
ALWAYS V LANED(position)(const RbvTree *tree, const RbvTreeLink *j, const RbvTreeFlow *flow) {
    V q = LANED(given)(flow, 0, j->q);
    const RbvTreeOwn *own = tree->own + (j - tree->link);
    return j->own ? own->ratio * q + own->offset : q;
}
ALWAYS V LANED(rate)(const RbvTree *tree, const RbvTreeLink *j, const RbvTreeFlow *flow, int k) {
    V v = LANED(given)(flow, k, j->v);
    return j->own ? tree->own[j - tree->link].ratio * v : v;
}

ALWAYS V LANED(angle_of)(const RbvTree *tree, int32_t link, const RbvTreeFlow *flow) {
    return LANED(position)(tree, tree->link + link, flow) + tree->link[link].angle0;
}

/* Sines and cosines of all angles, to scratch. One sample: those of several joints are taken at once. */
#if RBV_LANES == 1
static void LANED(angles)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    enum { WIDE = RBV_NATIVE_LANES };
    double x[WIDE] = {0};
    for (int32_t k = 0; k < tree->angle_count; k += WIDE) {
        int32_t count = tree->angle_count - k < WIDE ? tree->angle_count - k : WIDE;
        for (int32_t l = 0; l < count; l++)
            x[l] = LANED(angle_of)(tree, tree->angle_link[k + l], flow);
        NATIVE(Lanes) angle = NATIVE(load)(x), s, c;
        NATIVE(sine_cosine)(angle, &s, &c);
        NATIVE(store)(scratch->sine + k, s); /* to full lanes: the arrays are longer */
        NATIVE(store)(scratch->cosine + k, c);
        if (NATIVE(any)(NATIVE(beyond)(angle)))
            for (int32_t l = 0; l < count; l++)
                scratch->sine[k + l] = sin(x[l]), scratch->cosine[k + l] = cos(x[l]);
    }
}
#else
static __attribute__((noinline)) void LANED(large_angles)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    for (int32_t k = 0; k < tree->angle_count; k++) {
        V angle = LANED(angle_of)(tree, tree->angle_link[k], flow);
        if (LANED(any)(LANED(beyond)(angle)))
            for (int32_t l = 0; l < RBV_LANES; l++)
                scratch->sine[RBV_LANES * k + l] = sin(angle[l]), scratch->cosine[RBV_LANES * k + l] = cos(angle[l]);
    }
}
static void LANED(angles)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    VI large = {0};
    for (int32_t k = 0; k < tree->angle_count; k++) {
        V angle = LANED(angle_of)(tree, tree->angle_link[k], flow), s, c;
        large |= LANED(beyond)(angle);
        LANED(sine_cosine)(angle, &s, &c);
        LANED(store)(scratch->sine + RBV_LANES * k, s);
        LANED(store)(scratch->cosine + RBV_LANES * k, c);
    }
    if (LANED(any)(large))
        LANED(large_angles)(tree, scratch, flow);
}
#endif

ALWAYS void LANED(keep)(double *to, const V *from, int count) {
    for (int k = 0; k < count; k++)
        LANED(store)(to + RBV_LANES * k, from[k]);
}
ALWAYS void LANED(fetch)(const double *from, V *to, int count) {
    for (int k = 0; k < count; k++)
        to[k] = LANED(load)(from + RBV_LANES * k);
}

ALWAYS void LANED(keep_motion)(RbvTreeScratch *scratch, int32_t slot, const LANED(Motion) * k) {
    double *to = scratch->motion + 9 * RBV_LANES * (ptrdiff_t)slot;
    LANED(keep)(to, k->w, 3);
    LANED(keep)(to + 3 * RBV_LANES, k->dw, 3);
    LANED(keep)(to + 6 * RBV_LANES, k->a, 3);
}
ALWAYS void LANED(fetch_motion)(const RbvTreeScratch *scratch, int32_t slot, LANED(Motion) * k) {
    const double *from = scratch->motion + 9 * RBV_LANES * (ptrdiff_t)slot;
    LANED(fetch)(from, k->w, 3);
    LANED(fetch)(from + 3 * RBV_LANES, k->dw, 3);
    LANED(fetch)(from + 6 * RBV_LANES, k->a, 3);
}

/* M = R Q of a ball. */
ALWAYS void LANED(turned_by_quaternion)(const RbvTreeLink *j, const RbvTreeFlow *flow, V *M) {
    const double *R = j->R;
    V Q[9];
    LANED(rotation)(LANED(given)(flow, 0, j->q), LANED(given)(flow, 0, j->q + 1), LANED(given)(flow, 0, j->q + 2), LANED(given)(flow, 0, j->q + 3), Q);
    for (int e = 0; e < 9; e += 3)
        for (int c = 0; c < 3; c++)
            M[e + c] = R[e] * Q[c] + R[e + 1] * Q[3 + c] + R[e + 2] * Q[6 + c];
}
/* count vectors of the parent's axes in the link's, or back. */
ALWAYS void LANED(turn_into)(const RbvTreeLink *j, const RbvTreeScratch *scratch, const RbvTreeFlow *flow, V *const *u, int count) {
    if (j->angle >= 0) {
        V c = LANED(load)(scratch->cosine + RBV_LANES * (ptrdiff_t)j->angle), s = LANED(load)(scratch->sine + RBV_LANES * (ptrdiff_t)j->angle);
        if (j->about_x)
            for (int k = 0; k < count; k++)
                LANED(into_x)(j->R[4], j->R[7], c, s, u[k], u[k]);
        else
            for (int k = 0; k < count; k++)
                LANED(into)(j->R, c, s, u[k], u[k]);
    } else if (j->kind == RBV_LINK_BALL) {
        V M[9];
        LANED(turned_by_quaternion)(j, flow, M);
        for (int k = 0; k < count; k++)
            LANED(into_turned)(M, u[k], u[k]);
    } else {
        for (int k = 0; k < count; k++)
            LANED(into_fixed)(j->R, u[k], u[k]);
    }
}
ALWAYS void LANED(turn_out_of)(const RbvTreeLink *j, const RbvTreeScratch *scratch, const RbvTreeFlow *flow, V *const *u, int count) {
    if (j->angle >= 0) {
        V c = LANED(load)(scratch->cosine + RBV_LANES * (ptrdiff_t)j->angle), s = LANED(load)(scratch->sine + RBV_LANES * (ptrdiff_t)j->angle);
        if (j->about_x)
            for (int k = 0; k < count; k++)
                LANED(out_of_x)(j->R[4], j->R[7], c, s, u[k], u[k]);
        else
            for (int k = 0; k < count; k++)
                LANED(out_of_turn)(j->R, c, s, u[k], u[k]);
    } else if (j->kind == RBV_LINK_BALL) {
        V M[9];
        LANED(turned_by_quaternion)(j, flow, M);
        for (int k = 0; k < count; k++)
            LANED(out_of_turned)(M, u[k], u[k]);
    } else {
        for (int k = 0; k < count; k++)
            LANED(out_of)(j->R, u[k], u[k]);
    }
}

/* The origin is at distance x along z, with rate dx and acceleration ddx: a += A (0, 0, x) + 2 w x (0, 0, dx) + (0, 0, ddx). A z of the joint's axes and of the link's is the same. */
ALWAYS void LANED(slide_outward)(V x, V dx, V ddx, LANED(Motion) * k) {
    V xz = k->w[0] * k->w[2], yz = k->w[1] * k->w[2];
    k->a[0] += (xz + k->dw[1]) * x + 2.0 * dx * k->w[1];
    k->a[1] += (yz - k->dw[0]) * x - 2.0 * dx * k->w[0];
    k->a[2] += ddx - (k->w[0] * k->w[0] + k->w[1] * k->w[1]) * x;
}

/* F, N of a mass. */
ALWAYS void LANED(inertia_forces)(const RbvTreeMass *mass, const LANED(Motion) * k, const V *A, V *F) {
    const double *h = mass->h, *S = mass->S, m = mass->m;
    const V *a = k->a;
    V *N = F + 3;
    F[0] = m * a[0] + A[0] * h[0] + A[1] * h[1] + A[2] * h[2];
    F[1] = m * a[1] + A[3] * h[0] + A[4] * h[1] + A[5] * h[2];
    F[2] = m * a[2] + A[6] * h[0] + A[7] * h[1] + A[8] * h[2];
    N[0] = (A[6] * S[1] + A[7] * S[3] + A[8] * S[4]) - (A[3] * S[2] + A[4] * S[4] + A[5] * S[5]) + (h[1] * a[2] - h[2] * a[1]);
    N[1] = (A[0] * S[2] + A[1] * S[4] + A[2] * S[5]) - (A[6] * S[0] + A[7] * S[1] + A[8] * S[2]) + (h[2] * a[0] - h[0] * a[2]);
    N[2] = (A[3] * S[0] + A[4] * S[1] + A[5] * S[2]) - (A[0] * S[1] + A[1] * S[3] + A[2] * S[4]) + (h[0] * a[1] - h[1] * a[0]);
}
/* The same of the lumped mass of a turning link, whose m, h_z and S_zz are zero. */
ALWAYS void LANED(lumped_forces)(const RbvTreeMass *mass, const LANED(Motion) * k, const V *A, V *F) {
    const double *h = mass->h, *S = mass->S;
    const V *a = k->a;
    V *N = F + 3;
    F[0] = A[0] * h[0] + A[1] * h[1];
    F[1] = A[3] * h[0] + A[4] * h[1];
    F[2] = A[6] * h[0] + A[7] * h[1];
    N[0] = (A[6] * S[1] + A[7] * S[3] + A[8] * S[4]) - (A[3] * S[2] + A[4] * S[4]) + h[1] * a[2];
    N[1] = (A[0] * S[2] + A[1] * S[4]) - (A[6] * S[0] + A[7] * S[1] + A[8] * S[2]) - h[0] * a[2];
    N[2] = (A[3] * S[0] + A[4] * S[1] + A[5] * S[2]) - (A[0] * S[1] + A[1] * S[3] + A[2] * S[4]) + (h[0] * a[1] - h[1] * a[0]);
}

/* From the motion k of the parent, in its axes, to that of the link; A is the parent's field. The motion of the ground is (0, 0, -gravity). */
ALWAYS void LANED(link_outward)(const RbvTree *tree, const RbvTreeLink *j, const RbvTreeScratch *scratch, const RbvTreeFlow *flow, const V *A, LANED(Motion) * k) {
    const double *p = j->p;
    if (j->parent >= 0) {
        k->a[0] += A[0] * p[0] + A[1] * p[1] + A[2] * p[2];
        k->a[1] += A[3] * p[0] + A[4] * p[1] + A[5] * p[2];
        k->a[2] += A[6] * p[0] + A[7] * p[1] + A[8] * p[2];
        V *const u[3] = {k->a, k->w, k->dw};
        LANED(turn_into)(j, scratch, flow, u, 3);
    } else {
        V *const u[1] = {k->a};
        LANED(turn_into)(j, scratch, flow, u, 1);
    }
    V t[3] = {k->w[0], k->w[1], k->w[2]};
    if (j->kind == RBV_LINK_TURN || j->kind == RBV_LINK_SCREW) {
        V v = LANED(rate)(tree, j, flow, 1), dv = LANED(rate)(tree, j, flow, 2);
        /* d/dt of the joint's angular velocity (0, 0, v) in axes that turn with w: (0, 0, v') + w x (0, 0, v) */
        k->dw[0] += t[1] * v, k->dw[1] -= t[0] * v, k->dw[2] += dv;
        k->w[2] += v;
        if (j->kind == RBV_LINK_SCREW)
            LANED(slide_outward)(j->pitch * LANED(position)(tree, j, flow), j->pitch * v, j->pitch * dv, k);
    } else if (j->kind == RBV_LINK_SLIDE) {
        LANED(slide_outward)(LANED(position)(tree, j, flow), LANED(rate)(tree, j, flow, 1), LANED(rate)(tree, j, flow, 2), k);
    } else if (j->kind == RBV_LINK_BALL) {
        V v[3] = {LANED(given)(flow, 1, j->v), LANED(given)(flow, 1, j->v + 1), LANED(given)(flow, 1, j->v + 2)};
        k->dw[0] += t[1] * v[2] - t[2] * v[1] + LANED(given)(flow, 2, j->v);
        k->dw[1] += t[2] * v[0] - t[0] * v[2] + LANED(given)(flow, 2, j->v + 1);
        k->dw[2] += t[0] * v[1] - t[1] * v[0] + LANED(given)(flow, 2, j->v + 2);
        k->w[0] += v[0], k->w[1] += v[1], k->w[2] += v[2];
    }
}

/* `whole`: reactions need all masses where they are, efforts do not. */
static void LANED(outward)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow, bool whole) {
    const double *g = flow->call->gravity;
    V zero = LANED(all)(0), A[9];
    LANED(Motion) k = {{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}};
    for (int e = 0; e < 9; e++)
        A[e] = zero;
    for (int32_t i = 0; i < tree->link_count; i++) {
        const RbvTreeLink *j = tree->link + i;
        V F[6];
        if (j->parent < 0) {
            for (int e = 0; e < 3; e++)
                k.w[e] = k.dw[e] = zero, k.a[e] = LANED(all)(-g[e]);
        } else if (!j->chained) {
            LANED(fetch_motion)(scratch, tree->link[j->parent].saved, &k);
            LANED(acceleration_field)(&k, A);
        }
        LANED(link_outward)(tree, j, scratch, flow, A, &k);
        LANED(acceleration_field)(&k, A);
        if (j->saved >= 0)
            LANED(keep_motion)(scratch, j->saved, &k);
        if (!whole && j->kind == RBV_LINK_TURN)
            LANED(lumped_forces)(tree->lumped + i, &k, A, F);
        else if (!whole && j->kind != RBV_LINK_FIXED)
            LANED(inertia_forces)(tree->lumped + i, &k, A, F);
        else if (!whole || j->massless)
            F[0] = F[1] = F[2] = F[3] = F[4] = F[5] = zero;
        else
            LANED(inertia_forces)(tree->mass + i, &k, A, F);
        LANED(keep)(scratch->force + 6 * RBV_LANES * (ptrdiff_t)i, F, 6);
    }
}

/* o = A u or A^T u of a body's axes, or u itself. */
ALWAYS void LANED(to_body)(const RbvTree *tree, int32_t body, const V *u, V *o) {
    if (tree->turned[body])
        LANED(out_of)(tree->axes[body], u, o);
    else
        o[0] = u[0], o[1] = u[1], o[2] = u[2];
}
ALWAYS void LANED(from_body)(const RbvTree *tree, int32_t body, const V *u, V *o) {
    if (tree->turned[body])
        LANED(into_fixed)(tree->axes[body], u, o);
    else
        o[0] = u[0], o[1] = u[1], o[2] = u[2];
}

/* Wrenches applied to bodies: what the joint need not do. */
static __attribute__((noinline)) void LANED(apply_wrenches)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    for (int32_t body = 0; body < tree->body_count; body++) {
        double *at = scratch->force + 6 * RBV_LANES * (ptrdiff_t)tree->last[body];
        V F[6], W[6];
        LANED(fetch)(at, F, 6);
        for (int e = 0; e < 6; e++)
            W[e] = LANED(given)(flow, 3, 6 * (int64_t)body + e);
        LANED(from_body)(tree, body, W, W);
        LANED(from_body)(tree, body, W + 3, W + 3);
        for (int e = 0; e < 6; e++)
            F[e] -= W[e];
        LANED(keep)(at, F, 6);
    }
}

/* The effort of one freedom f of a link: with rotor, damping, friction, and as what it mimics feels it. */
ALWAYS void LANED(put_effort)(const RbvTree *tree, const RbvTreeLink *j, const RbvTreeFlow *flow, int f, V effort) {
    if (j->own) {
        const RbvTreeOwn *own = tree->own + (j - tree->link);
        V v = own->ratio * LANED(given)(flow, 1, j->v + f), dv = own->ratio * LANED(given)(flow, 2, j->v + f);
        effort = own->ratio * (effort + own->rotor[f] * dv + own->damping[f] * v + own->friction[f] * LANED(sign)(v));
        if (j->adds) {
            LANED(put_more)(flow, 0, j->v + f, effort);
            return;
        }
    }
    LANED(put)(flow, 0, j->v + f, effort);
}

ALWAYS void LANED(efforts)(const RbvTree *tree, const RbvTreeLink *j, const RbvTreeFlow *flow, const V *F) {
    if (j->kind == RBV_LINK_TURN)
        LANED(put_effort)(tree, j, flow, 0, F[5]);
    else if (j->kind == RBV_LINK_SLIDE)
        LANED(put_effort)(tree, j, flow, 0, F[2]);
    else if (j->kind == RBV_LINK_SCREW)
        LANED(put_effort)(tree, j, flow, 0, F[5] + j->pitch * F[2]);
    else if (j->kind == RBV_LINK_BALL)
        for (int f = 0; f < 3; f++)
            LANED(put_effort)(tree, j, flow, f, F[3 + f]);
}

static __attribute__((noinline)) void LANED(put_reaction)(const RbvTree *tree, int32_t body, const V *F, const RbvTreeFlow *flow) {
    V W[6];
    LANED(to_body)(tree, body, F, W);
    LANED(to_body)(tree, body, F + 3, W + 3);
    for (int e = 0; e < 6; e++)
        LANED(put)(flow, 1, 6 * (int64_t)body + e, W[e]);
}

/* F, N of a link, in its own axes about its origin, to the parent's axes and origin. */
ALWAYS void LANED(to_parent)(const RbvTree *tree, const RbvTreeLink *j, const RbvTreeScratch *scratch, const RbvTreeFlow *flow, V *F) {
    const double *p = j->p;
    V *N = F + 3, *const u[2] = {F, N};
    if (j->kind == RBV_LINK_SLIDE || j->kind == RBV_LINK_SCREW) { /* N += (0, 0, x) x F */
        V x = LANED(position)(tree, j, flow);
        if (j->kind == RBV_LINK_SCREW)
            x *= j->pitch;
        N[0] -= x * F[1];
        N[1] += x * F[0];
    }
    LANED(turn_out_of)(j, scratch, flow, u, 2);
    N[0] += p[1] * F[2] - p[2] * F[1];
    N[1] += p[2] * F[0] - p[0] * F[2];
    N[2] += p[0] * F[1] - p[1] * F[0];
}

static void LANED(inward)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    V F[6], zero = LANED(all)(0); /* of the link before, where this is its parent: kept in registers along a chain */
    for (int e = 0; e < 6; e++)
        F[e] = zero;
    for (int32_t i = tree->link_count - 1; i >= 0; i--) {
        const RbvTreeLink *j = tree->link + i;
        const double *own = scratch->force + 6 * RBV_LANES * (ptrdiff_t)i;
        for (int e = 0; e < 6; e++)
            F[e] += LANED(load)(own + RBV_LANES * e);
        LANED(efforts)(tree, j, flow, F);
        if (j->last && flow->out[1])
            LANED(put_reaction)(tree, j->body, F, flow);
        if (j->parent >= 0)
            LANED(to_parent)(tree, j, scratch, flow, F);
        if (j->chained)
            continue;
        double *to = scratch->force + 6 * RBV_LANES * (ptrdiff_t)j->parent;
        for (int e = 0; e < 6; e++) {
            if (j->parent >= 0)
                LANED(store)(to + RBV_LANES * e, LANED(load)(to + RBV_LANES * e) + F[e]);
            F[e] = zero;
        }
    }
}

/* in: q, v, a, wrenches; out: efforts, reactions. */
static void LANED(inverse)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    LANED(angles)(tree, scratch, flow);
    LANED(outward)(tree, scratch, flow, flow->out[1]);
    if (flow->in[3])
        LANED(apply_wrenches)(tree, scratch, flow);
    LANED(inward)(tree, scratch, flow);
}

/* The same in two parts, for linkages: efforts under some wrenches, where place_links has been; then efforts and reactions of the same motion, what links need (`total`) being changed in between. */
static void LANED(forces)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    LANED(outward)(tree, scratch, flow, true);
    memcpy(scratch->total, scratch->force, 6 * RBV_LANES * (size_t)tree->link_count * sizeof *scratch->force);
    if (flow->in[3])
        LANED(apply_wrenches)(tree, scratch, flow);
    LANED(inward)(tree, scratch, flow);
}
static void LANED(reactions)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    memcpy(scratch->force, scratch->total, 6 * RBV_LANES * (size_t)tree->link_count * sizeof *scratch->force);
    if (flow->in[3])
        LANED(apply_wrenches)(tree, scratch, flow);
    LANED(inward)(tree, scratch, flow);
}
