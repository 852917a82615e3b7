/* Inverse kinematics: q such that a marker has a pose, by damped least squares (C. W. Wampler 1986) within the limits
 * of joints.
 *
 * With the error e of position and orientation and the Jacobian J, a step is
 *
 *   v = J^T (J J^T + d W)^-1 e
 *
 * the least of all v with the same effect. Coordinates at a limit that the step would pass are locked, and the step is
 * solved again. The damping d is decreased if a step lowers the error, else increased. */
#include "arrays/kernels.h"
#include "core/linalg/small.h"

#include <math.h>
#include <string.h>

#define MOST_STEPS 300
#define START_DAMPING 1e-3
#define LEAST_DAMPING 1e-12 /* keeps J J^T positive where J loses rank: far above rounding of its entries' squares */
#define MOST_DAMPING 1e8    /* no step lowers the error: it is at its minimum */

typedef struct Reach {
    const RbvTree *tree;
    RbvTreeWorkspace *workspace;
    int32_t body;
    const double *point, *pose;
    int32_t rows;          /* 3 or 6 */
    double *J, *v, *trial; /* [6][nv], [nv], [nq] */
    bool *held;            /* [nv] locked at a limit */
} Reach;

/* Error of the position [m] and, as a rotation vector along the ground's axes, of the orientation [rad]. */
static void error_at(const Reach *r, const double *q, double e[6]) {
    double now[7];
    rbv_tree_pose(r->tree, r->workspace, NULL, r->body, r->point, q, now);
    for (int k = 0; k < 3; k++)
        e[k] = r->pose[k] - now[k], e[3 + k] = 0;
    if (r->rows == 3)
        return;
    RbvQuat requested = rbv_quat_normalised((RbvQuat){r->pose[3], {r->pose[4], r->pose[5], r->pose[6]}});
    RbvQuat p = rbv_quat_product(requested, rbv_quat_conjugate((RbvQuat){now[3], {now[4], now[5], now[6]}}));
    double s = rbv_norm(p.e), k = s > 0 ? 2 * atan2(s, fabs(p.w)) / s : 2;
    k *= p.w < 0 ? -1 : 1;
    e[3] = k * p.e.x, e[4] = k * p.e.y, e[5] = k * p.e.z;
}
static double error_length(const double *e, int count) {
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += e[k] * e[k];
    return sqrt(sum);
}

/* Limits of component `index` of v; false: none (rotations of balls). *q_index: its index in q. */
static bool limits_of(const RbvTree *tree, int32_t index, int32_t *q_index, double limit[2]) {
    int32_t body = tree->v_body[index], f = index - tree->body_v[body];
    const RbvTreeBody *b = tree->body + body;
    if (b->joint == RBV_TREE_SPHERICAL || (b->joint == RBV_TREE_FREE && f > 2))
        return false;
    *q_index = tree->body_q[body] + f;
    limit[0] = b->lower[f], limit[1] = b->upper[f];
    return true;
}

/* The step for the error e with damping; locked coordinates do not move. False: the small system is singular. */
static bool step(const Reach *r, const double *e, double damping) {
    int32_t n = r->rows, nv = r->tree->nv;
    double A[6 * 7];
    for (int32_t a = 0; a < n; a++) {
        for (int32_t b = 0; b < n; b++) {
            double sum = a == b ? damping : 0;
            for (int32_t k = 0; k < nv; k++)
                sum += r->held[k] ? 0 : r->J[a * nv + k] * r->J[b * nv + k];
            A[a * (n + 1) + b] = sum;
        }
        A[a * (n + 1) + n] = e[a];
    }
    if (!rbv_small_solve(A, n, 0))
        return false;
    for (int32_t k = 0; k < nv; k++) {
        r->v[k] = 0;
        for (int32_t a = 0; a < n && !r->held[k]; a++)
            r->v[k] += r->J[a * nv + k] * A[a * (n + 1) + n];
    }
    return true;
}

/* Lock coordinates at a limit that the step would pass. True: at least one more is locked. */
static bool lock_at_limit(const Reach *r, const double *q) {
    bool more = false;
    for (int32_t k = 0; k < r->tree->nv; k++) {
        int32_t at;
        double limit[2];
        if (r->held[k] || !limits_of(r->tree, k, &at, limit) ||
            !((q[at] <= limit[0] && r->v[k] < 0) || (q[at] >= limit[1] && r->v[k] > 0)))
            continue;
        r->held[k] = more = true;
    }
    return more;
}

/* Move q into its limits. True: q is at a limit. */
static bool limit(const RbvTree *tree, double *q) {
    bool limited = false;
    for (int32_t k = 0; k < tree->nv; k++) {
        int32_t at;
        double limits[2];
        if (!limits_of(tree, k, &at, limits))
            continue;
        q[at] = fmin(fmax(q[at], limits[0]), limits[1]);
        limited = limited || q[at] == limits[0] || q[at] == limits[1];
    }
    return limited;
}

/* One step from q, accepted if it lowers the error. */
static bool reach_step(const Reach *r, double *q, double e[6], double *damping) {
    double now = error_length(e, r->rows), next[6];
    rbv_tree_jacobian(r->tree, r->workspace, NULL, r->body, r->point, q, r->J);
    for (; *damping <= MOST_DAMPING; *damping *= 10) {
        memset(r->held, 0, (size_t)r->tree->nv * sizeof *r->held);
        do {
            if (!step(r, e, *damping))
                return false;
        } while (lock_at_limit(r, q));
        rbv_tree_move(r->tree, r->workspace, NULL, q, r->v, r->trial);
        limit(r->tree, r->trial);
        error_at(r, r->trial, next);
        if (!(error_length(next, r->rows) < now))
            continue;
        memcpy(q, r->trial, (size_t)r->tree->nq * sizeof *q);
        memcpy(e, next, sizeof next);
        *damping = fmax(*damping / 10, LEAST_DAMPING);
        return true;
    }
    return false;
}

RbvStatus rbv_tree_reach(const RbvTree *tree, RbvTreeWorkspace *workspace, int32_t body, const double *point,
                         const double *pose, bool turn, double tolerance, double *q, RbvTreeReach *reach) {
    if (!rbv_tree_fits(tree, workspace) || body < 0 || body >= tree->body_count || !pose || !q || !(tolerance > 0))
        return RBV_BAD_ARGUMENT;
    RbvTreeScratch *scratch = workspace->scratch;
    Reach r = {tree,
               workspace,
               body,
               point,
               pose,
               turn ? 6 : 3,
               scratch->reach,
               scratch->reach + 6 * (ptrdiff_t)tree->nv,
               scratch->reach + 7 * (ptrdiff_t)tree->nv,
               scratch->held};
    double e[6], damping = START_DAMPING;
    int32_t count = 0;
    bool limited = limit(tree, q);
    error_at(&r, q, e);
    while (count < MOST_STEPS && (error_length(e, 3) > tolerance || error_length(e + 3, 3) > tolerance) &&
           reach_step(&r, q, e, &damping))
        count++;
    limited = limit(tree, q);
    double position_error = error_length(e, 3), angle_error = error_length(e + 3, 3);
    if (reach)
        *reach = (RbvTreeReach){count, position_error, angle_error, limited};
    return position_error <= tolerance && angle_error <= tolerance ? RBV_OK : RBV_NOT_ASSEMBLED;
}
