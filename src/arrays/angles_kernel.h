/* Positions and velocities of links, and sines and cosines of their angles. */

/* q of a link with one freedom, its velocity (k = 1) and acceleration (k = 2); for a mimic joint from the joint it
 * follows. */
ALWAYS V LANED(position)(const RbvTree *tree, const RbvTreeSweep *sweep, const RbvTreeFlow *flow) {
    V q = LANED(given)(flow, 0, sweep->q);
    const RbvTreeOwn *own = tree->own + (sweep - tree->sweep);
    return sweep->own ? own->ratio * q + own->offset : q;
}
ALWAYS V LANED(rate)(const RbvTree *tree, const RbvTreeSweep *sweep, const RbvTreeFlow *flow, int k, bool own) {
    V v = LANED(given)(flow, k, sweep->v);
    return own ? tree->own[sweep - tree->sweep].ratio * v : v;
}

/* Angle number k. */
ALWAYS V LANED(angle)(const RbvTree *tree, int64_t k, const RbvTreeFlow *flow) {
    return tree->angle_ratio[k] * LANED(given)(flow, 0, tree->angle_q[k]) + tree->angle_zero[k];
}

/* Sines and cosines of the angles from..to, stored from sine[0] and cosine[0] on. One sample: several angles at once.
 */
#if RBV_LANES == 1
ALWAYS void LANED(angles_between)(const RbvTree *tree, const RbvTreeFlow *flow, int64_t from, int64_t to, double *sine,
                                  double *cosine) {
    enum { AT_ONCE = RBV_NATIVE_LANES }; /* full lanes: the arrays are longer */
    for (int64_t k = from; k < to; k += AT_ONCE, sine += AT_ONCE, cosine += AT_ONCE) {
        NATIVE(Lanes) q = {0}, angle, s, c;
        for (int l = 0; l < AT_ONCE; l++)
            q[l] = LANED(given)(flow, 0, tree->angle_q[k + l]);
        angle = NATIVE(load)(tree->angle_ratio + k) * q + NATIVE(load)(tree->angle_zero + k);
        NATIVE(sine_cosine)(angle, &s, &c);
        NATIVE(store)(sine, s);
        NATIVE(store)(cosine, c);
        if (NATIVE(any)(NATIVE(beyond)(angle)))
            for (int l = 0; l < AT_ONCE; l++)
                sine[l] = sin(angle[l]), cosine[l] = cos(angle[l]);
    }
}
#else
static __attribute__((noinline)) void LANED(large_angles)(const RbvTree *tree, const RbvTreeFlow *flow, int64_t from,
                                                          int64_t to, double *sine, double *cosine) {
    for (int64_t k = from; k < to; k++, sine += RBV_LANES, cosine += RBV_LANES) {
        V angle = LANED(angle)(tree, k, flow);
        if (LANED(any)(LANED(beyond)(angle)))
            for (int l = 0; l < RBV_LANES; l++)
                sine[l] = sin(angle[l]), cosine[l] = cos(angle[l]);
    }
}
ALWAYS void LANED(angles_between)(const RbvTree *tree, const RbvTreeFlow *flow, int64_t from, int64_t to, double *sine,
                                  double *cosine) {
    VI large = {0};
    for (int64_t k = from; k < to; k++) {
        V angle = LANED(angle)(tree, k, flow), s, c;
        large |= LANED(beyond)(angle);
        LANED(sine_cosine)(angle, &s, &c);
        LANED(store)(sine + RBV_LANES * (k - from), s);
        LANED(store)(cosine + RBV_LANES * (k - from), c);
    }
    if (LANED(any)(large))
        LANED(large_angles)(tree, flow, from, to, sine, cosine);
}
#endif

/* Sines and cosines of all angles, to scratch. */
static void LANED(angles)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    LANED(angles_between)(tree, flow, 0, tree->angle_count, scratch->sine, scratch->cosine);
}
