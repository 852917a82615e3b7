/* Penalty and augmented multipliers in natural coordinates: as many equations as coordinates.
 *
 *   W = V + lambda0.Phi + 1/2 alpha Phi^2,   g + J^T lambda = 0 with lambda = lambda0 + alpha Phi
 *   (H + alpha J^T J + sum lambda_k Phi_k,qq) y = -(g + J^T lambda)                                  (R000-33 ... R000-38)
 * What yields are bars, lengths of vectors and right angles between them, and rows that are not shared; joints that share points stay together. alpha grows in stages.
 */
#include "statics/natural_methods.h"

#include "solve/lapack.h"

#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 5000
#define STEP_TURN 0.3
#define STEP_MOVE 0.3
/* Times the stiffness: the first alpha, and where that leads nowhere others; those of the penalty grow until positions are off by less than a part of the reach. */
static const double firsts[] = {1e4, 1e2, 1e6, 1e8};
#define FIRSTS 4
#define LAST_ALPHA 1e6
#define HARDEST_ALPHA 1e10
#define STAGE 1e2
#define MOST_OFF 1e-3
/* Of the augmented method: rounds, and rows that are off by less are left to Newton, or where they no longer get better. */
#define MOST_ROUNDS 200
#define NEARLY_HOLD 1e-10
#define STALLED 1e-6
#define STAYS 0.99

typedef struct Penalty {
    RbvRest *rest;
    double *base;     /* [m] multipliers taken over */
    double *gradient; /* [n] of W */
    double *y;        /* [n] */
    double *start;    /* [position_size] of a step */
    double kappa;     /* of the bodies at the start */
} Penalty;

static void multipliers(const Penalty *p, double alpha) {
    RbvRest *r = p->rest;
    for (int32_t k = 0; k < r->m; k++)
        r->lambda[k] = p->base[k] + alpha * r->phi[k];
}

/* W; without an energy the force left over. */
static double merit(const Penalty *p, double alpha, double *size) {
    const RbvRest *r = p->rest;
    double sum = 0;
    *size = fabs(r->V_size);
    if (isnan(r->V))
        return rbv_rest_left(r, r->lambda, p->rest->other);
    for (int32_t k = 0; k < r->m; k++) {
        double part = p->base[k] * r->phi[k] + 0.5 * alpha * r->phi[k] * r->phi[k];
        sum += part;
        *size += fabs(part);
    }
    return r->V + sum;
}

/* y of the placed state, whose K and gradient are there. False: singular, or uphill. */
static bool find_step(Penalty *p, double alpha, double mu) {
    RbvRest *r = p->rest;
    size_t n = (size_t)r->n;
    memcpy(r->A, r->K, n * n * sizeof *r->A);
    for (int32_t k = 0; k < r->m; k++) {
        const double *row = r->J + (size_t)k * n;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; row[i] != 0 && j < n; j++)
                r->A[i * n + j] += alpha * row[i] * row[j];
    }
    for (size_t i = 0; i < n; i++) {
        r->A[i * n + i] += mu * p->kappa;
        p->y[i] = -p->gradient[i];
    }
    if (rbv_lapack_solve(r->n, 1, r->A, r->pivot, p->y) != RBV_OK)
        return false;
    return isnan(r->V) || rbv_rest_dot(r, p->y, p->gradient) < 0;
}

/* The step y taken from the place that is kept. False: not finite. */
static bool go_on(Penalty *p, double alpha) {
    RbvRest *r = p->rest;
    double factor = rbv_rest_limit(r, p->y, STEP_TURN, STEP_MOVE);
    rbv_rest_keep(r);
    rbv_rest_move(r, p->y, factor);
    bool placed = isfinite(factor) && rbv_rest_place(r);
    multipliers(p, alpha);
    return placed;
}

/* Gradient and K of the placed state. */
static bool derive(Penalty *p) {
    rbv_rest_left(p->rest, p->rest->lambda, p->gradient);
    return rbv_rest_stiffness(p->rest, p->rest->lambda);
}

/* The step taken, if W falls. The valley of a large alpha is narrow and bent, and a full step leaves it by the square of its length, which the next one mends: where `forgive`, both together may bring W down. */
static bool take(Penalty *p, double alpha, double mu, bool forgive) {
    RbvRest *r = p->rest;
    size_t positions = (size_t)r->system->coordinates.position_size * sizeof(double);
    double size, now = merit(p, alpha, &size), limit = now + 1e-13 * (size + fabs(now));
    memcpy(p->start, r->state->q, positions);
    bool placed = go_on(p, alpha), falls = placed && merit(p, alpha, &size) <= limit;
    if (!falls && placed && forgive) {
        falls = derive(p) && find_step(p, alpha, mu) && go_on(p, alpha) && merit(p, alpha, &size) <= limit;
        r->search->steps += falls;
    }
    if (falls) {
        rbv_state_accept(r->state);
        return true;
    }
    memcpy(r->state->q, p->start, positions);
    rbv_rest_place(r);
    multipliers(p, alpha);
    if (forgive)
        derive(p);
    return false;
}

/* Newton at one alpha. */
static RbvStatus stage(Penalty *p, double alpha) {
    RbvRest *r = p->rest;
    double mu = 1e-8, before = INFINITY;
    multipliers(p, alpha);
    r->search->coefficient = alpha;
    for (int count = 0; count < MOST_STEPS; count++) {
        double left = rbv_rest_left(r, r->lambda, p->gradient);
        bool forgive = true;
        if (rbv_rest_settled(r, left, before))
            return RBV_OK;
        if (rbv_equilibrium_interrupted(r->search))
            return RBV_INTERRUPTED;
        if (!rbv_rest_stiffness(r, r->lambda))
            return rbv_rest_fail(r, "the loads are not finite");
        for (; mu <= 1e12 && !(find_step(p, alpha, mu) && take(p, alpha, mu, forgive)); forgive = false)
            mu = fmax(8 * mu, 1e-8);
        if (mu > 1e12)
            return left <= rbv_rest_tolerance(r) ? RBV_OK : rbv_rest_lost(r, "the penalty method gets stuck; --method energy and lagrange hold joints exactly%s", "");
        mu = fmax(0.01 * mu, 1e-12);
        before = left;
        RbvStatus status = rbv_rest_check_far(r);
        if (status != RBV_OK)
            return status;
    }
    return rbv_rest_lost(r, "the penalty method does not converge; --method energy and lagrange hold joints exactly%s", "");
}

/* How far Newton with multipliers would still go from here. */
static double distance(Penalty *p) {
    RbvRest *r = p->rest;
    double most = 0;
    if (!rbv_rest_stiffness(r, r->lambda) || !rbv_rest_factor(r, 1e-11, RBV_PROXIMAL / r->kappa))
        return NAN;
    for (int32_t j = 0; j < r->n; j++)
        r->force[j] = -r->g[j];
    for (int32_t k = 0; k < r->m; k++)
        r->phi[k] = -r->phi[k] - r->compliance * r->lambda[k];
    rbv_rest_solve(r, r->force, r->phi);
    for (int32_t j = 0; j < r->n; j++)
        most = fmax(most, fabs(r->x[j]));
    rbv_rest_place(r);
    return most;
}

static RbvStatus stages(Penalty *p, double first) {
    RbvEquilibriumSearch *search = p->rest->search;
    bool given = !isnan(search->penalty);
    RbvStatus status = RBV_OK;
    for (double alpha = first * p->kappa; status == RBV_OK; alpha *= STAGE) {
        double now = given ? fmin(alpha, search->penalty) : alpha;
        if (!given && alpha > 1.01 * HARDEST_ALPHA * p->kappa)
            return rbv_rest_fail(p->rest, "however stiff the penalty, bodies are stretched too far; --method energy and lagrange hold them exactly");
        status = stage(p, now);
        if (status != RBV_OK)
            return status;
        search->off = distance(p);
        if (given ? now >= search->penalty : alpha >= 0.99 * LAST_ALPHA * p->kappa && search->off <= MOST_OFF * p->rest->reach)
            return RBV_OK;
    }
    return status;
}

/* At one alpha, multipliers taken over until the rows nearly hold; then Newton, the limit of ever larger alpha. */
static RbvStatus rounds(Penalty *p, double first) {
    RbvRest *r = p->rest;
    RbvEquilibriumSearch *search = r->search;
    double alpha = isnan(search->penalty) ? first * p->kappa : search->penalty, error = INFINITY;
    memset(p->base, 0, (size_t)r->m * sizeof *p->base);
    for (int count = 0; count < MOST_ROUNDS; count++) {
        RbvStatus status = stage(p, alpha);
        search->coefficient = 0;
        if (status != RBV_OK)
            return status;
        search->rounds = count + 1;
        bool stalls = r->error > STAYS * error;
        if (r->error <= NEARLY_HOLD || (stalls && r->error <= STALLED))
            return rbv_rest_newton(r, "the end phase");
        if (stalls)
            break;
        memcpy(p->base, r->lambda, (size_t)r->m * sizeof *p->base);
        error = r->error;
    }
    return rbv_rest_lost(r, "the multipliers of the augmented method do not settle; another --penalty may do, and --method energy and lagrange hold joints exactly%s", "");
}

/* From the start with one first alpha after the other; what is said is said of the last. */
static RbvStatus from_firsts(Penalty *p, RbvStatus (*go)(Penalty *p, double first)) {
    RbvRest *r = p->rest;
    RbvEquilibriumSearch *search = r->search;
    RbvDiagnostics *diagnostics = search->diagnostics;
    size_t positions = (size_t)r->system->coordinates.position_size * sizeof(double);
    double *start = malloc(positions + 1);
    RbvStatus status = start ? RBV_NO_EQUILIBRIUM : RBV_NO_MEMORY;
    if (start)
        memcpy(start, r->state->q, positions);
    for (int k = 0; k < FIRSTS && status == RBV_NO_EQUILIBRIUM; k++) {
        memcpy(r->state->q, start, positions);
        if (!rbv_rest_place(r))
            break;
        search->diagnostics = k + 1 < FIRSTS ? NULL : diagnostics;
        status = go(p, firsts[k]);
    }
    search->diagnostics = diagnostics;
    free(start);
    return status;
}

static RbvStatus by(RbvRest *r, RbvStatus (*go)(Penalty *p, double first)) {
    size_t n = (size_t)r->n, m = (size_t)r->m;
    double *room = calloc(2 * n + m + (size_t)r->system->coordinates.position_size + 1, sizeof *room);
    Penalty p = {.rest = r, .base = room, .gradient = room + m, .y = room + m + n, .start = room + m + 2 * n};
    RbvStatus status = !room ? RBV_NO_MEMORY : rbv_rest_stiffness(r, NULL) ? RBV_OK : rbv_rest_fail(r, "the loads are not finite");
    p.kappa = r->search->start_kappa;
    if (status == RBV_OK)
        status = from_firsts(&p, go);
    free(room);
    return status;
}

RbvStatus rbv_rest_by_penalty(RbvRest *r) {
    return by(r, stages);
}

RbvStatus rbv_rest_by_augmented(RbvRest *r) {
    return by(r, rounds);
}
