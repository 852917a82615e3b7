/* Displacements of positions: q moved by v, and the v between two q. Lane by lane, as quaternions need trigonometric
 * functions, and run time is not critical. */

ALWAYS double LANED(one_given)(const RbvTreeFlow *flow, int k, int64_t e, int l) {
    return flow->in[k][e * flow->in_step[k] + l];
}
ALWAYS void LANED(one_put)(const RbvTreeFlow *flow, int64_t e, int l, double x) {
    flow->out[0][e * flow->out_step[0] + l * flow->apart[0]] = x;
}
ALWAYS RbvQuat LANED(quat_given)(const RbvTreeFlow *flow, int k, int64_t e, int l) {
    return (RbvQuat){LANED(one_given)(flow, k, e, l),
                     {LANED(one_given)(flow, k, e + 1, l), LANED(one_given)(flow, k, e + 2, l),
                      LANED(one_given)(flow, k, e + 3, l)}};
}

/* in: q, v; out: displaced q. A quaternion is multiplied by exp(v), v along the body's axes. */
static void LANED(move)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    (void)scratch;
    for (int32_t i = 0; i < tree->link_count; i++) {
        const RbvTreeLink *j = tree->link + i;
        if (j->v < 0 || tree->body[j->body].mimic >= 0)
            continue;
        for (int l = 0; l < RBV_LANES; l++) {
            if (j->kind != RBV_LINK_BALL) {
                LANED(one_put)(flow, j->q, l, LANED(one_given)(flow, 0, j->q, l) + LANED(one_given)(flow, 1, j->v, l));
                continue;
            }
            RbvQuat turn =
                rbv_quat_of_vector((RbvVec3){LANED(one_given)(flow, 1, j->v, l), LANED(one_given)(flow, 1, j->v + 1, l),
                                             LANED(one_given)(flow, 1, j->v + 2, l)});
            RbvQuat p = rbv_quat_normalised(rbv_quat_product(LANED(quat_given)(flow, 0, j->q, l), turn));
            const double x[4] = {p.w, p.e.x, p.e.y, p.e.z};
            for (int e = 0; e < 4; e++)
                LANED(one_put)(flow, j->q + e, l, x[e]);
        }
    }
}

/* in: from, to; out: v. The shorter rotation of quaternions. */
static void LANED(difference)(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow) {
    (void)scratch;
    for (int32_t i = 0; i < tree->link_count; i++) {
        const RbvTreeLink *j = tree->link + i;
        if (j->v < 0 || tree->body[j->body].mimic >= 0)
            continue;
        for (int l = 0; l < RBV_LANES; l++) {
            if (j->kind != RBV_LINK_BALL) {
                LANED(one_put)(flow, j->v, l, LANED(one_given)(flow, 4, j->q, l) - LANED(one_given)(flow, 0, j->q, l));
                continue;
            }
            RbvQuat p = rbv_quat_product(rbv_quat_conjugate(LANED(quat_given)(flow, 0, j->q, l)),
                                         LANED(quat_given)(flow, 4, j->q, l));
            double s = rbv_norm(p.e), angle = 2 * atan2(s, fabs(p.w)), length = rbv_quat_norm(p);
            /* angle / sin(angle/2), the scale of the vector part of the unit quaternion; 2 near zero */
            double k = s > 1e-150 * length ? angle / s : 2 / length;
            if (p.w < 0)
                k = -k;
            LANED(one_put)(flow, j->v, l, k * p.e.x);
            LANED(one_put)(flow, j->v + 1, l, k * p.e.y);
            LANED(one_put)(flow, j->v + 2, l, k * p.e.z);
        }
    }
}
