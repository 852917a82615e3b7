/* Inverse dynamics by the recursion of Newton and Euler, for RBV_LANES samples at once.
 *
 * Outward, for each link, along its own axes: angular velocity w, angular acceleration w', acceleration a of the origin
 * (that of the ground is -gravity, which gives the weights). With A = w'~ + w~ w~ the point r has the acceleration a +
 * A r. With h = integral r dm and S = integral r r^T dm:
 *
 *   force  F = m a + A h          torque about the origin  N = integral r x (a + A r) dm = axial (A S) + h x a
 *
 * Inward: the wrench of the parent on the link is F, N plus the wrenches on the children; its power on the freedoms
 * gives the efforts (Garcia de Jalon and Bayo 6.2.6; J. Y. S. Luh et al. 1980). */

/* Motion of a link along its axes: angular velocity, angular acceleration, acceleration of the origin. */
typedef struct LANED(Motion) {
    V w[3], dw[3], a[3];
} LANED(Motion);

/* A = dw~ + w~ w~, row-major. */
ALWAYS void LANED(acceleration_field)(const LANED(Motion) * k, V *A) {
    V x = k->w[0], y = k->w[1], z = k->w[2], yy = y * y, zz = z * z;
    A[0] = -(y * y) - zz, A[4] = -(x * x) - zz, A[8] = -(x * x) - yy;
    A[1] = x * y - k->dw[2], A[3] = x * y + k->dw[2];
    A[2] = x * z + k->dw[1], A[6] = x * z - k->dw[1];
    A[5] = y * z - k->dw[0], A[7] = y * z + k->dw[0];
}

ALWAYS void LANED(keep_motion)(double *to, const LANED(Motion) * k) {
    LANED(keep_three)(to, k->w);
    LANED(keep_three)(to + 3 * RBV_LANES, k->dw);
    LANED(keep_three)(to + 6 * RBV_LANES, k->a);
}
ALWAYS void LANED(fetch_motion)(const double *from, LANED(Motion) * k) {
    LANED(fetch_three)(from, k->w);
    LANED(fetch_three)(from + 3 * RBV_LANES, k->dw);
    LANED(fetch_three)(from + 6 * RBV_LANES, k->a);
}
/* Motions and forces of a slot, for links with children that are not the next link. */
#define MOTION_OF(slot) (scratch->motion + 9 * RBV_LANES * (ptrdiff_t)(slot))
#define BRANCH_OF(slot) (scratch->branch + 6 * RBV_LANES * (ptrdiff_t)(slot))

/* A part of the tree: the links from..to; arrays of forces, sines and cosines start at its first link and angle. */
typedef struct LANED(Part) {
    const RbvTree *tree;
    RbvTreeScratch *scratch;
    const RbvTreeFlow *flow;
    int32_t from, to;
    int64_t angle, angles; /* angles from index angle to index angles */
} LANED(Part);

/* What decides how a link is swept. Of most links it is known when the kernel is compiled, and nothing is left to
 * decide. */
typedef struct LANED(Form) {
    RbvLinkKind kind;
    bool ground, chained, about_x, own, branches;
} LANED(Form);
ALWAYS LANED(Form) LANED(form_of)(const RbvTreeSweep *j, RbvTreePlain plain) {
    if (plain == RBV_PLAIN_NEXT)
        return (LANED(Form)){RBV_LINK_TURN, .chained = true, .about_x = true};
    if (plain == RBV_PLAIN_FIRST)
        return (LANED(Form)){RBV_LINK_TURN, .ground = true};
    return (LANED(Form)){(RbvLinkKind)j->kind, j->ground, j->chained, j->about_x, j->own, j->branches};
}

/* Force and torque of a link: six numbers, FORCE_STEP apart. */
#if RBV_LANES == 1
enum { LANED(FORCE_STEP) = RBV_ABREAST };
ALWAYS double *LANED(force_of)(const LANED(Part) * s, int32_t link) {
    return s->scratch->force + rbv_abreast(link, 6);
}
#else
enum { LANED(FORCE_STEP) = RBV_LANES };
ALWAYS double *LANED(force_of)(const LANED(Part) * s, int32_t link) {
    return s->scratch->force + 6 * RBV_LANES * (ptrdiff_t)(link - s->from);
}
#endif

/* M = R Q for a ball. */
ALWAYS void LANED(turned_by_quaternion)(const RbvTreeLink *j, const RbvTreeFlow *flow, V *M) {
    const double *R = j->R;
    V Q[9];
    LANED(rotation)
    (LANED(given)(flow, 0, j->q), LANED(given)(flow, 0, j->q + 1), LANED(given)(flow, 0, j->q + 2),
     LANED(given)(flow, 0, j->q + 3), Q);
    for (int e = 0; e < 9; e += 3)
        for (int c = 0; c < 3; c++)
            M[e + c] = R[e] * Q[c] + R[e + 1] * Q[3 + c] + R[e + 2] * Q[6 + c];
}
/* Transform vectors from the parent's axes to those of link i: t, and w and a if the parent is not the ground. */
ALWAYS void LANED(turn_into)(const LANED(Part) * s, int32_t i, LANED(Form) form, V *t, V *u, V *w) {
    const RbvTreeSweep *sweep = s->tree->sweep + i;
    const double *R = s->tree->link[i].R;
    bool ground = form.ground;
    if (form.kind == RBV_LINK_TURN || form.kind == RBV_LINK_SCREW) {
        ptrdiff_t at = RBV_LANES * (ptrdiff_t)(sweep->angle - s->angle);
        V c = LANED(load)(s->scratch->cosine + at), d = LANED(load)(s->scratch->sine + at);
        if (form.about_x) {
            LANED(into_x)(sweep->cosine, sweep->sine, c, d, t, t);
            if (!ground)
                LANED(into_x)
            (sweep->cosine, sweep->sine, c, d, u, u), LANED(into_x)(sweep->cosine, sweep->sine, c, d, w, w);
        } else {
            LANED(into)(R, c, d, t, t);
            if (!ground)
                LANED(into)(R, c, d, u, u), LANED(into)(R, c, d, w, w);
        }
    } else if (form.kind == RBV_LINK_BALL) {
        V M[9];
        LANED(turned_by_quaternion)(s->tree->link + i, s->flow, M);
        LANED(into_turned)(M, t, t);
        if (!ground)
            LANED(into_turned)(M, u, u), LANED(into_turned)(M, w, w);
    } else {
        LANED(into_fixed)(R, t, t);
        if (!ground)
            LANED(into_fixed)(R, u, u), LANED(into_fixed)(R, w, w);
    }
}
/* Transform F, N from the axes of link i, about its joint's origin, to the parent's axes and origin. */
ALWAYS void LANED(turn_out_of)(const LANED(Part) * s, int32_t i, LANED(Form) form, V *F, V *N) {
    const RbvTreeSweep *sweep = s->tree->sweep + i;
    const double *R = s->tree->link[i].R, *p = sweep->p;
    V t[3];
    if (form.kind == RBV_LINK_TURN || form.kind == RBV_LINK_SCREW) {
        ptrdiff_t at = RBV_LANES * (ptrdiff_t)(sweep->angle - s->angle);
        V c = LANED(load)(s->scratch->cosine + at), d = LANED(load)(s->scratch->sine + at);
        if (form.about_x) {
            LANED(out_of_x)(sweep->cosine, sweep->sine, c, d, F, F);
            LANED(lever)(p, F, t);
            LANED(add_out_of_x)(sweep->cosine, sweep->sine, c, d, N, t, N);
            return;
        }
        LANED(out_of_turn)(R, c, d, F, F), LANED(out_of_turn)(R, c, d, N, N);
    } else if (form.kind == RBV_LINK_BALL) {
        V M[9];
        LANED(turned_by_quaternion)(s->tree->link + i, s->flow, M);
        LANED(out_of_turned)(M, F, F), LANED(out_of_turned)(M, N, N);
    } else {
        LANED(out_of)(R, F, F), LANED(out_of)(R, N, N);
    }
    LANED(lever)(p, F, t);
    N[0] += t[0], N[1] += t[1], N[2] += t[2];
}

/* Move the origin by x along z, with velocity dx and acceleration ddx: a += A (0, 0, x) + 2 w x (0, 0, dx) + (0, 0,
 * ddx). The z axis of A is the same in the joint's and the link's axes. */
ALWAYS void LANED(slide_outward)(V x, V dx, V ddx, LANED(Motion) * k) {
    V xz = k->w[0] * k->w[2], yz = k->w[1] * k->w[2];
    k->a[0] += (xz + k->dw[1]) * x + 2.0 * dx * k->w[1];
    k->a[1] += (yz - k->dw[0]) * x - 2.0 * dx * k->w[0];
    k->a[2] += ddx - (k->w[0] * k->w[0] + k->w[1] * k->w[1]) * x;
}

/* F, N of a mass m, h, S. */
ALWAYS void LANED(inertia_forces)(V m, const V *h, const V *S, const LANED(Motion) * k, const V *A, V *F) {
    const V *a = k->a;
    V *N = F + 3;
    F[0] = m * a[0] + A[0] * h[0] + A[1] * h[1] + A[2] * h[2];
    F[1] = m * a[1] + A[3] * h[0] + A[4] * h[1] + A[5] * h[2];
    F[2] = m * a[2] + A[6] * h[0] + A[7] * h[1] + A[8] * h[2];
    N[0] = (A[6] * S[1] + A[7] * S[3] + A[8] * S[4]) - (A[3] * S[2] + A[4] * S[4] + A[5] * S[5]) +
           (h[1] * a[2] - h[2] * a[1]);
    N[1] = (A[0] * S[2] + A[1] * S[4] + A[2] * S[5]) - (A[6] * S[0] + A[7] * S[1] + A[8] * S[2]) +
           (h[2] * a[0] - h[0] * a[2]);
    N[2] = (A[3] * S[0] + A[4] * S[1] + A[5] * S[2]) - (A[0] * S[1] + A[1] * S[3] + A[2] * S[4]) +
           (h[0] * a[1] - h[1] * a[0]);
}
ALWAYS void LANED(mass_forces)(const RbvTreeMass *mass, const LANED(Motion) * k, const V *A, V *F) {
    V h[3], S[6];
    for (int e = 0; e < 3; e++)
        h[e] = LANED(all)(mass->h[e]);
    for (int e = 0; e < 6; e++)
        S[e] = LANED(all)(mass->S[e]);
    LANED(inertia_forces)(LANED(all)(mass->m), h, S, k, A, F);
}
/* F, N of the lumped mass of a turning link, whose m, h_z and S_zz are zero. */
ALWAYS void LANED(lumped_forces)(const RbvTreeMoments *mass, const LANED(Motion) * k, const V *A, V *F) {
    const double *h = mass->h, *S = mass->S;
    const V *a = k->a;
    V *N = F + 3;
    F[0] = A[0] * h[0] + A[1] * h[1];
    F[1] = A[3] * h[0] + A[4] * h[1];
    F[2] = A[6] * h[0] + A[7] * h[1];
    N[0] = A[6] * S[1] + A[7] * S[3] + A[8] * S[4] - A[3] * S[2] - A[4] * S[4] + h[1] * a[2];
    N[1] = A[0] * S[2] + A[1] * S[4] - A[6] * S[0] - A[7] * S[1] - A[8] * S[2] - h[0] * a[2];
    N[2] =
        A[3] * S[0] + A[4] * S[1] + A[5] * S[2] - A[0] * S[1] - A[1] * S[3] - A[2] * S[4] + h[0] * a[1] - h[1] * a[0];
}

/* Does an outward sweep know the acceleration field of each link? Not for one sample: forces follow later. */
enum { LANED(FIELD) = RBV_LANES > 1 };

/* From the motion k of the parent, in its axes, to that of link i; A is the parent's acceleration field. The motion of
 * the ground is (0, 0, -gravity). */
ALWAYS void LANED(link_outward)(const LANED(Part) * s, int32_t i, LANED(Form) form, const V *A, LANED(Motion) * k) {
    const RbvTree *tree = s->tree;
    const RbvTreeFlow *flow = s->flow;
    const RbvTreeSweep *j = tree->sweep + i;
    const double *p = j->p;
    if (!form.ground && LANED(FIELD)) {
        k->a[0] = k->a[0] + A[0] * p[0] + A[1] * p[1] + A[2] * p[2];
        k->a[1] = k->a[1] + A[3] * p[0] + A[4] * p[1] + A[5] * p[2];
        k->a[2] = k->a[2] + A[6] * p[0] + A[7] * p[1] + A[8] * p[2];
    } else if (!form.ground) {
        const V *w = k->w, *dw = k->dw;
        V x = w[1] * p[2] - w[2] * p[1], y = w[2] * p[0] - w[0] * p[2], z = w[0] * p[1] - w[1] * p[0];
        k->a[0] += w[1] * z - w[2] * y + dw[1] * p[2] - dw[2] * p[1];
        k->a[1] += w[2] * x - w[0] * z + dw[2] * p[0] - dw[0] * p[2];
        k->a[2] += w[0] * y - w[1] * x + dw[0] * p[1] - dw[1] * p[0];
    }
    LANED(turn_into)(s, i, form, k->a, k->w, k->dw);
    V t[3] = {k->w[0], k->w[1], k->w[2]};
    if (form.kind == RBV_LINK_TURN || form.kind == RBV_LINK_SCREW) {
        V v = LANED(rate)(tree, j, flow, 1, form.own), dv = LANED(rate)(tree, j, flow, 2, form.own);
        /* derivative of the joint's angular velocity (0, 0, v) in axes that rotate with w: (0, 0, v') + w x (0, 0, v)
         */
        k->dw[0] += t[1] * v, k->dw[1] -= t[0] * v, k->dw[2] += dv;
        k->w[2] += v;
        if (form.kind == RBV_LINK_SCREW) {
            LANED(slide_outward)(j->pitch * LANED(position)(tree, j, flow), j->pitch * v, j->pitch * dv, k);
        }
    } else if (form.kind == RBV_LINK_SLIDE) {
        LANED(slide_outward)
        (LANED(position)(tree, j, flow), LANED(rate)(tree, j, flow, 1, form.own),
         LANED(rate)(tree, j, flow, 2, form.own), k);
    } else if (form.kind == RBV_LINK_BALL) {
        V v[3] = {LANED(given)(flow, 1, j->v), LANED(given)(flow, 1, j->v + 1), LANED(given)(flow, 1, j->v + 2)};
        k->dw[0] += t[1] * v[2] - t[2] * v[1] + LANED(given)(flow, 2, j->v);
        k->dw[1] += t[2] * v[0] - t[0] * v[2] + LANED(given)(flow, 2, j->v + 1);
        k->dw[2] += t[0] * v[1] - t[1] * v[0] + LANED(given)(flow, 2, j->v + 2);
        k->w[0] += v[0], k->w[1] += v[1], k->w[2] += v[2];
    }
}

/* o = A u or A^T u for a body's axes A, or u if these are the link's. */
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

/* Subtract the wrenches applied to bodies from the forces of links. */
static __attribute__((noinline)) void LANED(apply_wrenches)(const LANED(Part) * s) {
    const RbvTree *tree = s->tree;
    for (int32_t i = s->from; i < s->to; i++) {
        if (!tree->sweep[i].last)
            continue;
        int32_t body = tree->link[i].body;
        V W[6];
        double *force = LANED(force_of)(s, i);
        for (int e = 0; e < 6; e++)
            W[e] = LANED(given)(s->flow, 3, 6 * (int64_t)body + e);
        LANED(from_body)(tree, body, W, W);
        LANED(from_body)(tree, body, W + 3, W + 3);
        for (int e = 0; e < 6; e++, force += LANED(FORCE_STEP))
            LANED(store)(force, LANED(load)(force) - W[e]);
    }
}

#if RBV_LANES == 1
/* Keep the motion of link i; forces of those kept are computed when link `last` of the sweep or of those abreast is
 * among them. */
ALWAYS void LANED(link_forces)(const LANED(Part) * s, int32_t i, LANED(Form) form, bool whole, const LANED(Motion) * k,
                               const V *A) {
    double *to = s->scratch->moving + (i & (RBV_ABREAST - 1));
    (void)form, (void)whole, (void)A;
    for (int e = 0; e < 3; e++)
        to[RBV_ABREAST * e] = k->w[e], to[RBV_ABREAST * (3 + e)] = k->dw[e], to[RBV_ABREAST * (6 + e)] = k->a[e];
}
/* Forces of the links kept, up to link `last`; those of links before, kept by another sweep, come out again. */
ALWAYS void LANED(forces_abreast)(const LANED(Part) * s, int32_t last, bool whole) {
    int32_t first = last & -RBV_ABREAST;
    const double *mass = s->tree->abreast[whole] + rbv_abreast(first, 10), *motion = s->scratch->moving;
    double *force = LANED(force_of)(s, first);
    for (int32_t i = first; i <= last; i += RBV_NATIVE_LANES) {
        NATIVE(Motion) k;
        NATIVE(Lanes) A[9], F[6], m[10];
        for (int e = 0; e < 3; e++) {
            k.w[e] = NATIVE(load)(motion + RBV_ABREAST * e);
            k.dw[e] = NATIVE(load)(motion + RBV_ABREAST * (3 + e));
            k.a[e] = NATIVE(load)(motion + RBV_ABREAST * (6 + e));
        }
        for (int e = 0; e < 10; e++)
            m[e] = NATIVE(load)(mass + RBV_ABREAST * e);
        NATIVE(acceleration_field)(&k, A);
        NATIVE(inertia_forces)(m[0], m + 1, m + 4, &k, A, F);
        for (int e = 0; e < 6; e++)
            NATIVE(store)(force + RBV_ABREAST * e, F[e]);
        mass += RBV_NATIVE_LANES, motion += RBV_NATIVE_LANES, force += RBV_NATIVE_LANES;
    }
}
#else
/* Forces for the motion of link i. `whole`: with all masses at their places, as reactions need; else lumped masses. */
ALWAYS void LANED(link_forces)(const LANED(Part) * s, int32_t i, LANED(Form) form, bool whole, const LANED(Motion) * k,
                               const V *A) {
    const RbvTree *tree = s->tree;
    V F[6];
    if (!whole && form.kind == RBV_LINK_TURN)
        LANED(lumped_forces)(tree->moments + i, k, A, F);
    else if (!whole && form.kind != RBV_LINK_FIXED)
        LANED(mass_forces)(tree->lumped + i, k, A, F);
    else if (!whole || tree->link[i].massless)
        F[0] = F[1] = F[2] = F[3] = F[4] = F[5] = LANED(all)(0);
    else
        LANED(mass_forces)(tree->mass + i, k, A, F);
    LANED(keep_six)(LANED(force_of)(s, i), F);
}
#endif

/* One link of an outward sweep: from the motion k of the previous link and its acceleration field A to those of link i,
 * and to its forces. */
ALWAYS void LANED(step_outward)(const LANED(Part) * s, int32_t i, LANED(Form) form, LANED(Motion) * k, V *A,
                                bool forces, bool whole) {
    const RbvTree *tree = s->tree;
    RbvTreeScratch *scratch = s->scratch;
    const double *g = s->flow->call->gravity;
    V zero = LANED(all)(0);
    if (form.ground) {
        k->w[0] = k->w[1] = k->w[2] = k->dw[0] = k->dw[1] = k->dw[2] = zero;
        k->a[0] = LANED(all)(-g[0]), k->a[1] = LANED(all)(-g[1]), k->a[2] = LANED(all)(-g[2]);
    } else if (!form.chained) {
        LANED(fetch_motion)(MOTION_OF(tree->link[tree->link[i].parent].saved), k);
        if (LANED(FIELD))
            LANED(acceleration_field)(k, A);
    }
    LANED(link_outward)(s, i, form, A, k);
    if (LANED(FIELD))
        LANED(acceleration_field)(k, A);
    if (form.branches)
        LANED(keep_motion)(MOTION_OF(tree->link[i].saved), k);
    if (forces)
        LANED(link_forces)(s, i, form, whole, k, A);
}

/* Outward sweep over the links from..to of a part. `before`: motion of the previous link (NULL: none); `after`:
 * receives the motion of the last link (NULL: not kept). */
ALWAYS void LANED(outward)(const LANED(Part) * all, int32_t from, int32_t to, const double *before, double *after,
                           bool forces, bool whole) {
    const LANED(Part) part = *all, *s = &part;
    const RbvTreeSweep *sweep = s->tree->sweep;
    V zero = LANED(all)(0), A[9] = {zero, zero, zero, zero, zero, zero, zero, zero, zero};
    LANED(Motion) k = {{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}};
    if (before) {
        LANED(fetch_motion)(before, &k);
        if (LANED(FIELD))
            LANED(acceleration_field)(&k, A);
    }
    for (int32_t i = from; i < to;) {
        int32_t abreast = (i | (RBV_ABREAST - 1)) + 1, end = LANED(FIELD) || abreast > to ? to : abreast;
        while (i < end) {
            for (; i < end && sweep[i].plain == RBV_PLAIN_NEXT; i++)
                LANED(step_outward)(s, i, LANED(form_of)(sweep + i, RBV_PLAIN_NEXT), &k, A, forces, whole);
            if (i == end)
                break;
            if (sweep[i].plain == RBV_PLAIN_FIRST)
                LANED(step_outward)(s, i, LANED(form_of)(sweep + i, RBV_PLAIN_FIRST), &k, A, forces, whole);
            else
                LANED(step_outward)(s, i, LANED(form_of)(sweep + i, RBV_PLAIN_NOT), &k, A, forces, whole);
            i++;
        }
#if RBV_LANES == 1
        if (forces)
            LANED(forces_abreast)(s, end - 1, whole);
#endif
    }
    if (after)
        LANED(keep_motion)(after, &k);
}
static __attribute__((noinline)) void LANED(outward_motions)(const LANED(Part) * s, int32_t from, int32_t to,
                                                             const double *before, double *after) {
    LANED(outward)(s, from, to, before, after, false, false);
}
static __attribute__((noinline)) void LANED(outward_forces)(const LANED(Part) * s, int32_t from, int32_t to,
                                                            const double *before, double *after) {
    LANED(outward)(s, from, to, before, after, true, false);
}
static __attribute__((noinline)) void LANED(outward_whole)(const LANED(Part) * s, int32_t from, int32_t to,
                                                           const double *before, double *after) {
    LANED(outward)(s, from, to, before, after, true, true);
}
static __attribute__((noinline)) void LANED(some_angles)(const LANED(Part) * s, int64_t from, int64_t to) {
    ptrdiff_t at = RBV_LANES * (from - s->angle);
    LANED(angles_between)(s->tree, s->flow, from, to, s->scratch->sine + at, s->scratch->cosine + at);
}

/* Link of angle k; links without angle before the first one belong to it. */
ALWAYS int32_t LANED(link_of_angle)(const RbvTree *tree, int64_t k) {
    if (k <= 0)
        return 0;
    return k < tree->angle_count ? tree->angle_link[k] : tree->link_count;
}

/* Outward sweep over a part, from the motion `before` of the previous link (NULL: none) to that of its last, `motion`.
 * Angles are computed in groups, so that their data are still in the nearest cache when the links follow. */
ALWAYS void LANED(part_outward)(const LANED(Part) * s, const double *before, double *motion, bool forces) {
    int64_t k = s->angle;
    int32_t from = s->from, to;
    do {
        int64_t next = s->angles - k < RBV_TREE_ANGLES ? s->angles : k + RBV_TREE_ANGLES;
        to = next < s->angles ? s->tree->angle_link[next] : s->to;
        LANED(some_angles)(s, k, next);
        if (!forces)
            LANED(outward_motions)(s, from, to, before, motion);
        else if (s->flow->out[1])
            LANED(outward_whole)(s, from, to, before, to < s->to ? motion : NULL);
        else
            LANED(outward_forces)(s, from, to, before, to < s->to ? motion : NULL);
        k = next, from = to, before = motion;
    } while (to < s->to);
    if (forces && s->flow->in[3])
        LANED(apply_wrenches)(s);
}

/* Effort of freedom f of a link: with rotor, damping, friction, and for mimic joints transferred to the joint they
 * follow. */
ALWAYS void LANED(put_effort)(const RbvTree *tree, const RbvTreeSweep *j, const RbvTreeFlow *flow, int f, bool is_own,
                              V effort) {
    if (is_own) {
        const RbvTreeOwn *own = tree->own + (j - tree->sweep);
        V v = own->ratio * LANED(given)(flow, 1, j->v + f), dv = own->ratio * LANED(given)(flow, 2, j->v + f);
        effort = own->ratio * (effort + own->rotor[f] * dv + own->damping[f] * v + own->friction[f] * LANED(sign)(v));
        if (j->adds) {
            LANED(put_more)(flow, 0, j->v + f, effort);
            return;
        }
    }
    LANED(put)(flow, 0, j->v + f, effort);
}

ALWAYS void LANED(efforts)(const RbvTree *tree, int32_t i, LANED(Form) form, const RbvTreeFlow *flow, const V *F) {
    const RbvTreeSweep *j = tree->sweep + i;
    if (form.kind == RBV_LINK_TURN)
        LANED(put_effort)(tree, j, flow, 0, form.own, F[5]);
    else if (form.kind == RBV_LINK_SLIDE)
        LANED(put_effort)(tree, j, flow, 0, form.own, F[2]);
    else if (form.kind == RBV_LINK_SCREW)
        LANED(put_effort)(tree, j, flow, 0, form.own, F[5] + j->pitch * F[2]);
    else if (form.kind == RBV_LINK_BALL)
        LANED(put_effort)
    (tree, j, flow, 0, form.own, F[3]), LANED(put_effort)(tree, j, flow, 1, form.own, F[4]),
        LANED(put_effort)(tree, j, flow, 2, form.own, F[5]);
}

ALWAYS void LANED(put_reaction)(const RbvTree *tree, int32_t body, const V *F, const RbvTreeFlow *flow) {
    V W[6];
    LANED(to_body)(tree, body, F, W);
    LANED(to_body)(tree, body, F + 3, W + 3);
    for (int e = 0; e < 6; e++)
        LANED(put)(flow, 1, 6 * (int64_t)body + e, W[e]);
}

/* Transform F, N of link i, along its own axes about its origin, to the parent's axes and origin. */
ALWAYS void LANED(to_parent)(const LANED(Part) * s, int32_t i, LANED(Form) form, V *F) {
    const RbvTreeSweep *j = s->tree->sweep + i;
    V *N = F + 3;
    if (form.kind == RBV_LINK_SLIDE || form.kind == RBV_LINK_SCREW) { /* N += (0, 0, x) x F */
        V x = LANED(position)(s->tree, j, s->flow);
        if (form.kind == RBV_LINK_SCREW)
            x *= j->pitch;
        N[0] -= x * F[1];
        N[1] += x * F[0];
    }
    LANED(turn_out_of)(s, i, form, F, N);
}

/* One link of an inward sweep; F: on entry the wrench on the next link if that is its child, along the link's axes
 * about its origin, else zero; on return the same for the previous link. */
ALWAYS void LANED(step_inward)(const LANED(Part) * s, int32_t i, LANED(Form) form, V *F, bool reactions) {
    const RbvTree *tree = s->tree;
    RbvTreeScratch *scratch = s->scratch;
    const double *force = LANED(force_of)(s, i);
    for (int e = 0; e < 6; e++)
        F[e] += LANED(load)(force + LANED(FORCE_STEP) * e);
    if (form.branches)
        LANED(add_six)(F, BRANCH_OF(tree->link[i].saved));
    LANED(efforts)(tree, i, form, s->flow, F);
    if (reactions && tree->sweep[i].last)
        LANED(put_reaction)(tree, tree->link[i].body, F, s->flow);
    if (!form.ground)
        LANED(to_parent)(s, i, form, F);
    if (form.chained)
        return;
    if (!form.ground) {
        double *to = BRANCH_OF(tree->link[tree->link[i].parent].saved);
        LANED(add_six)(F, to);
        LANED(keep_six)(to, F);
    }
    F[0] = F[1] = F[2] = F[3] = F[4] = F[5] = LANED(all)(0);
}

/* Inward sweep over the links of s. `behind`: on entry the wrench on the next link after s, a child of the last link;
 * on return that on the first link of s, for the previous part (NULL: not used). Along a chain it stays in registers.
 */
ALWAYS void LANED(inward)(const LANED(Part) * all, double *behind, bool reactions) {
    const LANED(Part) part = *all, *s = &part; /* a copy, so that stores cannot change it */
    const RbvTreeSweep *sweep = s->tree->sweep;
    V zero = LANED(all)(0), F[6] = {zero, zero, zero, zero, zero, zero};
    if (behind)
        LANED(add_six)(F, behind);
    for (int32_t i = s->to - 1; i >= s->from;) {
        for (; i >= s->from && sweep[i].plain == RBV_PLAIN_NEXT; i--)
            LANED(step_inward)(s, i, LANED(form_of)(sweep + i, RBV_PLAIN_NEXT), F, reactions);
        if (i < s->from)
            break;
        if (sweep[i].plain == RBV_PLAIN_FIRST)
            LANED(step_inward)(s, i, LANED(form_of)(sweep + i, RBV_PLAIN_FIRST), F, reactions);
        else
            LANED(step_inward)(s, i, LANED(form_of)(sweep + i, RBV_PLAIN_NOT), F, reactions);
        i--;
    }
    if (behind)
        LANED(keep_six)(behind, F);
}

static __attribute__((noinline)) void LANED(inward_efforts)(const LANED(Part) * s, double *behind) {
    LANED(inward)(s, behind, false);
}
static __attribute__((noinline)) void LANED(inward_reactions)(const LANED(Part) * s, double *behind) {
    LANED(inward)(s, behind, true);
}
ALWAYS void LANED(part_inward)(const LANED(Part) * s, double *behind) {
    if (s->flow->out[1])
        LANED(inward_reactions)(s, behind);
    else
        LANED(inward_efforts)(s, behind);
}

/* Part p of a tree divided every `size` angles. */
ALWAYS void LANED(cut)(LANED(Part) * s, int64_t p, int64_t size) {
    int64_t count = s->tree->angle_count;
    s->angle = p * size, s->angles = (p + 1) * size < count ? (p + 1) * size : count;
    s->from = LANED(link_of_angle)(s->tree, s->angle), s->to = LANED(link_of_angle)(s->tree, s->angles);
}

/* For a deep tree whose forces exceed a cache: one outward sweep for the motions only, some of which are kept as
 * starting points; then part by part, the last first, outward again and inward, in small arrays. Computing motions
 * twice takes less time than writing and reading the forces of all links (for one sample these are small, and one pass
 * is faster). */
static __attribute__((noinline)) void LANED(inverse_by_parts)(const RbvTree *tree, RbvTreeScratch *scratch,
                                                              const RbvTreeFlow *flow) {
    double *rest = scratch->rest, motion[9 * RBV_LANES], behind[6 * RBV_LANES] = {0};
    int64_t size = scratch->part / RBV_LANES, parts = (tree->angle_count + size - 1) / size;
    LANED(Part) s = {tree, scratch, flow, 0, 0, 0, 0};
    for (int e = 0; e < 9 * RBV_LANES; e++)
        rest[e] = 0;
    for (int64_t p = 0; p < parts - 1; p++, rest += 9 * RBV_LANES) {
        LANED(cut)(&s, p, size);
        LANED(part_outward)(&s, rest, rest + 9 * RBV_LANES, false);
    }
    for (int64_t p = parts - 1; p >= 0; p--, rest -= 9 * RBV_LANES) {
        LANED(cut)(&s, p, size);
        LANED(part_outward)(&s, rest, motion, true);
        LANED(part_inward)(&s, behind);
    }
}

ALWAYS void LANED(clear_branches)(const RbvTree *tree, RbvTreeScratch *scratch) {
    for (int32_t e = 0; e < 6 * tree->saved_count; e++)
        LANED(store)(scratch->branch + RBV_LANES * (ptrdiff_t)e, LANED(all)(0));
}

/* in: q, v, a, wrenches; out: efforts, reactions. */
static void LANED(inverse)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    double motion[9 * RBV_LANES];
    LANED(clear_branches)(tree, scratch);
    if (RBV_LANES > 1 && (int64_t)tree->angle_count * RBV_LANES > scratch->deep) {
        LANED(inverse_by_parts)(tree, scratch, flow);
        return;
    }
    LANED(Part) s = {tree, scratch, flow, 0, tree->link_count, 0, tree->angle_count};
    LANED(part_outward)(&s, NULL, motion, true);
    LANED(part_inward)(&s, NULL);
}

/* Copy the forces of links to `total`, or back. */
ALWAYS void LANED(exchange_totals)(const LANED(Part) * s, bool to_total) {
    for (int32_t i = 0; i < s->tree->link_count; i++) {
        double *force = LANED(force_of)(s, i), *total = s->scratch->total + 6 * RBV_LANES * (ptrdiff_t)i;
        for (int e = 0; e < 6; e++, force += LANED(FORCE_STEP), total += RBV_LANES) {
            if (to_total)
                LANED(store)(total, LANED(load)(force));
            else
                LANED(store)(force, LANED(load)(total));
        }
    }
}

/* Inverse dynamics in two kernels, for linkages: efforts under some wrenches, after place_links; then efforts and
 * reactions of the same motion, after the forces of links (`total`) were changed. */
static void LANED(forces)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    LANED(Part) s = {tree, scratch, flow, 0, tree->link_count, 0, tree->angle_count};
    LANED(clear_branches)(tree, scratch);
    LANED(outward_whole)(&s, 0, tree->link_count, NULL, NULL);
    LANED(exchange_totals)(&s, true);
    if (flow->in[3])
        LANED(apply_wrenches)(&s);
    LANED(part_inward)(&s, NULL);
}
static void LANED(reactions)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    LANED(Part) s = {tree, scratch, flow, 0, tree->link_count, 0, tree->angle_count};
    LANED(clear_branches)(tree, scratch);
    LANED(exchange_totals)(&s, false);
    if (flow->in[3])
        LANED(apply_wrenches)(&s);
    LANED(part_inward)(&s, NULL);
}
