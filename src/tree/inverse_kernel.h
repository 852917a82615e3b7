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

/* o = (R Rz)^T u, Rz the rotation with cosine c and sine s about z. */
ALWAYS void LANED(into)(const double *R, V c, V s, const V *u, V *o) {
    V x = R[0] * u[0] + R[3] * u[1] + R[6] * u[2], y = R[1] * u[0] + R[4] * u[1] + R[7] * u[2];
    o[2] = R[2] * u[0] + R[5] * u[1] + R[8] * u[2];
    o[0] = c * x + s * y;
    o[1] = c * y - s * x;
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
/* o = Rz u. */
ALWAYS void LANED(about_z)(V c, V s, const V *u, V *o) {
    V x = c * u[0] - s * u[1], y = s * u[0] + c * u[1];
    o[0] = x;
    o[1] = y;
    o[2] = u[2];
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

/* Sines and cosines of all angles, to scratch. One sample: those of several joints are taken at once. */
#if RBV_LANES == 1
static void LANED(angles)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    enum { WIDE = RBV_NATIVE_LANES };
    double x[WIDE] = {0};
    for (int32_t k = 0; k < tree->angle_count; k += WIDE) {
        int32_t count = tree->angle_count - k < WIDE ? tree->angle_count - k : WIDE;
        for (int32_t l = 0; l < count; l++)
            x[l] = LANED(position)(tree, tree->link + tree->angle_link[k + l], flow);
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
        V angle = LANED(position)(tree, tree->link + tree->angle_link[k], flow);
        if (LANED(any)(LANED(beyond)(angle)))
            for (int32_t l = 0; l < RBV_LANES; l++)
                scratch->sine[RBV_LANES * k + l] = sin(angle[l]), scratch->cosine[RBV_LANES * k + l] = cos(angle[l]);
    }
}
static void LANED(angles)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    VI large = {0};
    for (int32_t k = 0; k < tree->angle_count; k++) {
        V angle = LANED(position)(tree, tree->link + tree->angle_link[k], flow), s, c;
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

/* From the axes of a ball's joint into the link's: the motion of the parent's axes, then that of the joint. */
ALWAYS void LANED(ball_outward)(const RbvTreeLink *j, RbvTreeScratch *scratch, const RbvTreeFlow *flow, LANED(Motion) * k) {
    V Q[9], t[3];
    LANED(rotation)(LANED(given)(flow, 0, j->q), LANED(given)(flow, 0, j->q + 1), LANED(given)(flow, 0, j->q + 2), LANED(given)(flow, 0, j->q + 3), Q);
    LANED(keep)(scratch->turn + 9 * RBV_LANES * (ptrdiff_t)j->ball, Q, 9);
    V v[3] = {LANED(given)(flow, 1, j->v), LANED(given)(flow, 1, j->v + 1), LANED(given)(flow, 1, j->v + 2)};
    LANED(into_turned)(Q, k->a, t);
    k->a[0] = t[0], k->a[1] = t[1], k->a[2] = t[2];
    LANED(into_turned)(Q, k->w, t);
    LANED(into_turned)(Q, k->dw, k->dw);
    /* d/dt of the joint's angular velocity v in the turning axes: v' + w x v */
    k->dw[0] += t[1] * v[2] - t[2] * v[1] + LANED(given)(flow, 2, j->v);
    k->dw[1] += t[2] * v[0] - t[0] * v[2] + LANED(given)(flow, 2, j->v + 1);
    k->dw[2] += t[0] * v[1] - t[1] * v[0] + LANED(given)(flow, 2, j->v + 2);
    k->w[0] = t[0] + v[0], k->w[1] = t[1] + v[1], k->w[2] = t[2] + v[2];
}

/* The origin is at distance x along z, with rate dx and acceleration ddx: a += A (0, 0, x) + 2 w x (0, 0, dx) + (0, 0, ddx). A z of the joint's axes and of the link's is the same. */
ALWAYS void LANED(slide_outward)(V x, V dx, V ddx, LANED(Motion) * k) {
    V xz = k->w[0] * k->w[2], yz = k->w[1] * k->w[2];
    k->a[0] += (xz + k->dw[1]) * x + 2.0 * dx * k->w[1];
    k->a[1] += (yz - k->dw[0]) * x - 2.0 * dx * k->w[0];
    k->a[2] += ddx - (k->w[0] * k->w[0] + k->w[1] * k->w[1]) * x;
}

/* F, N of a link by its own mass. */
ALWAYS void LANED(inertia_forces)(const RbvTreeLink *j, const LANED(Motion) * k, const V *A, V *F) {
    const double *h = j->h, *S = j->S;
    const V *a = k->a;
    V *N = F + 3;
    F[0] = j->m * a[0] + A[0] * h[0] + A[1] * h[1] + A[2] * h[2];
    F[1] = j->m * a[1] + A[3] * h[0] + A[4] * h[1] + A[5] * h[2];
    F[2] = j->m * a[2] + A[6] * h[0] + A[7] * h[1] + A[8] * h[2];
    N[0] = (A[6] * S[1] + A[7] * S[3] + A[8] * S[4]) - (A[3] * S[2] + A[4] * S[4] + A[5] * S[5]) + (h[1] * a[2] - h[2] * a[1]);
    N[1] = (A[0] * S[2] + A[1] * S[4] + A[2] * S[5]) - (A[6] * S[0] + A[7] * S[1] + A[8] * S[2]) + (h[2] * a[0] - h[0] * a[2]);
    N[2] = (A[3] * S[0] + A[4] * S[1] + A[5] * S[2]) - (A[0] * S[1] + A[1] * S[3] + A[2] * S[4]) + (h[0] * a[1] - h[1] * a[0]);
}

/* The motion of a link of a parent with motion k and field A of it (k->a, w, dw = -gravity, 0, 0 of the ground); cosine and sine, or slide and nothing, to turn[2] for the way back. */
ALWAYS void LANED(link_outward)(const RbvTree *tree, const RbvTreeLink *j, RbvTreeScratch *scratch, const RbvTreeFlow *flow, LANED(Motion) * k, const V *A, V *turn) {
    const double *p = j->p, *R = j->R;
    V b[3] = {k->a[0], k->a[1], k->a[2]}, t[3];
    if (j->parent >= 0) {
        b[0] += A[0] * p[0] + A[1] * p[1] + A[2] * p[2];
        b[1] += A[3] * p[0] + A[4] * p[1] + A[5] * p[2];
        b[2] += A[6] * p[0] + A[7] * p[1] + A[8] * p[2];
    }
    if (j->kind == RBV_LINK_TURN || j->kind == RBV_LINK_SCREW) {
        V c = LANED(load)(scratch->cosine + RBV_LANES * (ptrdiff_t)j->angle), s = LANED(load)(scratch->sine + RBV_LANES * (ptrdiff_t)j->angle);
        V v = LANED(rate)(tree, j, flow, 1), dv = LANED(rate)(tree, j, flow, 2);
        turn[0] = c, turn[1] = s;
        LANED(into)(R, c, s, b, k->a);
        if (j->parent >= 0) {
            LANED(into)(R, c, s, k->w, t);
            LANED(into)(R, c, s, k->dw, k->dw);
            k->dw[0] += t[1] * v, k->dw[1] -= t[0] * v, k->dw[2] += dv;
            k->w[0] = t[0], k->w[1] = t[1], k->w[2] = t[2] + v;
        } else {
            k->dw[2] = dv, k->w[2] = v;
        }
        if (j->kind == RBV_LINK_SCREW)
            LANED(slide_outward)(j->pitch * LANED(position)(tree, j, flow), j->pitch * v, j->pitch * dv, k);
        return;
    }
    LANED(into_fixed)(R, b, k->a);
    LANED(into_fixed)(R, k->w, k->w);
    LANED(into_fixed)(R, k->dw, k->dw);
    turn[0] = turn[1] = LANED(all)(0);
    if (j->kind == RBV_LINK_SLIDE) {
        turn[0] = LANED(position)(tree, j, flow);
        LANED(slide_outward)(turn[0], LANED(rate)(tree, j, flow, 1), LANED(rate)(tree, j, flow, 2), k);
    } else if (j->kind == RBV_LINK_BALL) {
        LANED(ball_outward)(j, scratch, flow, k);
    }
}

static void LANED(outward)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    const double *g = flow->call->gravity;
    V zero = LANED(all)(0), A[9];
    LANED(Motion) k = {{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}};
    for (int e = 0; e < 9; e++)
        A[e] = zero;
    for (int32_t i = 0; i < tree->link_count; i++) {
        const RbvTreeLink *j = tree->link + i;
        V F[8];
        if (j->parent < 0) {
            for (int e = 0; e < 3; e++)
                k.w[e] = k.dw[e] = zero, k.a[e] = LANED(all)(-g[e]);
        } else if (!j->chained) {
            LANED(fetch_motion)(scratch, tree->link[j->parent].saved, &k);
            LANED(acceleration_field)(&k, A);
        }
        LANED(link_outward)(tree, j, scratch, flow, &k, A, F + 6);
        LANED(acceleration_field)(&k, A);
        if (j->saved >= 0)
            LANED(keep_motion)(scratch, j->saved, &k);
        if (j->massless)
            F[0] = F[1] = F[2] = F[3] = F[4] = F[5] = zero;
        else
            LANED(inertia_forces)(j, &k, A, F);
        LANED(keep)(scratch->force + 8 * RBV_LANES * (ptrdiff_t)i, F, 8);
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
        double *at = scratch->force + 8 * RBV_LANES * (ptrdiff_t)tree->last[body];
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

/* F, N of a link, in its own axes about its origin, to its joint's axes and origin in the parent's frame. */
ALWAYS void LANED(to_joint)(const RbvTree *tree, const RbvTreeLink *j, const RbvTreeScratch *scratch, const RbvTreeFlow *flow, const V *turn, V *F) {
    V *N = F + 3;
    if (j->kind == RBV_LINK_TURN || j->kind == RBV_LINK_SCREW) {
        LANED(about_z)(turn[0], turn[1], F, F);
        LANED(about_z)(turn[0], turn[1], N, N);
    } else if (j->kind == RBV_LINK_BALL) {
        V Q[9];
        LANED(fetch)(scratch->turn + 9 * RBV_LANES * (ptrdiff_t)j->ball, Q, 9);
        LANED(out_of_turned)(Q, F, F);
        LANED(out_of_turned)(Q, N, N);
    }
    if (j->kind == RBV_LINK_SLIDE || j->kind == RBV_LINK_SCREW) { /* N += (0, 0, x) x F */
        V x = j->kind == RBV_LINK_SLIDE ? turn[0] : j->pitch * LANED(position)(tree, j, flow);
        N[0] -= x * F[1];
        N[1] += x * F[0];
    }
}

static void LANED(inward)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    for (int32_t i = tree->link_count - 1; i >= 0; i--) {
        const RbvTreeLink *j = tree->link + i;
        V F[8];
        LANED(fetch)(scratch->force + 8 * RBV_LANES * (ptrdiff_t)i, F, 8);
        LANED(efforts)(tree, j, flow, F);
        if (j->last && flow->out[1])
            LANED(put_reaction)(tree, j->body, F, flow);
        if (j->parent < 0)
            continue;
        double *to = scratch->force + 8 * RBV_LANES * (ptrdiff_t)j->parent;
        V P[6];
        LANED(to_joint)(tree, j, scratch, flow, F + 6, F);
        LANED(out_of)(j->R, F, F);
        LANED(out_of)(j->R, F + 3, F + 3);
        LANED(fetch)(to, P, 6);
        const double *p = j->p;
        P[0] += F[0], P[1] += F[1], P[2] += F[2];
        P[3] += F[3] + (p[1] * F[2] - p[2] * F[1]);
        P[4] += F[4] + (p[2] * F[0] - p[0] * F[2]);
        P[5] += F[5] + (p[0] * F[1] - p[1] * F[0]);
        LANED(keep)(to, P, 6);
    }
}

/* in: q, v, a, wrenches; out: efforts, reactions. */
static void LANED(inverse)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *given) {
    RbvTreeFlow flow = *given;
    for (int k = 1; k < 3; k++)
        if (!flow.in[k])
            flow.in[k] = scratch->zeros, flow.in_step[k] = 0;
    LANED(angles)(tree, scratch, &flow);
    LANED(outward)(tree, scratch, &flow);
    if (flow.in[3])
        LANED(apply_wrenches)(tree, scratch, &flow);
    LANED(inward)(tree, scratch, &flow);
}
