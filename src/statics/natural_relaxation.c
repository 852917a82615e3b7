/* Dynamic relaxation in natural coordinates: M v' + J^T lambda = Q - c M v until nothing moves (R000-50 ... R000-52). M is constant but for bodies of two vectors.
 *
 *   (M (1/h^2 + c/h) + K) y + J^T l = Q + M v/h,   J y = -Phi,   v <- y/h
 * The linearly implicit method of Euler, stable for every stiffness. Steps begin at a hundredth of the time that loads need to move the mechanism by its own size; where nothing is given c = 1/h, which lets
 * nothing ring. Newton ends it.
 */
#include "statics/natural_methods.h"

#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 5000
#define STEP_TURN 0.3
#define STEP_MOVE 0.3
/* Of the largest mass: what every direction is slowed by, so that those without mass cannot run away. */
#define DRAG 1e-3
/* When the forces left over have fallen so far, Newton ends it. */
#define NEAR 1e-6

typedef struct Damped {
    RbvRest *rest;
    double *v;     /* [n] scaled */
    double *Mv;    /* [n] */
    double *M;     /* [n][n] scaled */
    double mass;   /* the largest */
} Damped;

static double largest_mass(const RbvModel *model) {
    double mass = 0;
    for (int32_t i = 1; i < model->bodies.count; i++)
        mass = fmax(mass, model->bodies.items[i].mass);
    return mass > 0 ? mass : 1;
}

/* The time in which the largest force moves the mechanism by its size: sqrt(m L / F). */
static double own_time(const Damped *d) {
    const RbvRest *r = d->rest;
    double force = r->force_size > 0 ? r->force_size : r->kappa * r->reach;
    return force > 0 ? sqrt(d->mass * r->reach / force) : 1;
}

static void masses(Damped *d) {
    RbvRest *r = d->rest;
    size_t n = (size_t)r->n;
    memset(r->other, 0, n * sizeof *r->other);
    for (size_t j = 0; j < n; j++) {
        r->other[j] = r->scale[j];
        rbv_state_inertia(r->state, r->other, r->force);
        r->other[j] = 0;
        for (size_t i = 0; i < n; i++)
            d->M[i * n + j] = r->scale[i] * r->force[i];
    }
}

/* One step of time h: y and multipliers in rest->x. */
static bool advance(Damped *d, double h, double c) {
    RbvRest *r = d->rest;
    size_t n = (size_t)r->n;
    double inertia = 1 / (h * h) + c / h;
    if (!rbv_rest_stiffness(r, r->lambda))
        return false;
    masses(d);
    for (size_t i = 0; i < n * n; i++)
        r->K[i] += inertia * d->M[i];
    if (!rbv_rest_factor(r, DRAG * d->mass * inertia / r->kappa, RBV_PROXIMAL / r->kappa))
        return false;
    for (size_t i = 0; i < n; i++) {
        d->Mv[i] = -r->g[i];
        for (size_t j = 0; j < n; j++)
            d->Mv[i] += d->M[i * n + j] * d->v[j] / h;
    }
    for (int32_t k = 0; k < r->m; k++)
        r->phi[k] = -r->phi[k] - r->compliance * r->lambda[k];
    rbv_rest_solve(r, d->Mv, r->phi);
    return true;
}

static RbvStatus settle(Damped *d) {
    RbvRest *r = d->rest;
    const double given = r->search->damping;
    double h = 0.01 * own_time(d), *y = calloc((size_t)r->n + (size_t)r->m + 1, sizeof *y);
    RbvStatus status = y ? RBV_OK : RBV_NO_MEMORY;
    for (int count = 0; status == RBV_OK; count++) {
        double left = rbv_rest_left(r, r->lambda, r->force), tolerance = rbv_rest_tolerance(r);
        if (count > 0 && left <= fmax(NEAR / RBV_EQUILIBRIUM_LEFT * tolerance, tolerance))
            break;
        if (rbv_equilibrium_interrupted(r->search))
            status = RBV_INTERRUPTED;
        else if (count == MOST_STEPS)
            status = rbv_rest_lost(r, "the damped motion has not come to rest after many steps%s", "");
        else if (!advance(d, h, isnan(given) ? 1 / h : given))
            status = rbv_rest_fail(r, "the equations of motion are singular or not finite");
        if (status != RBV_OK)
            break;
        memcpy(y, r->x, ((size_t)r->n + (size_t)r->m) * sizeof *y);
        double factor = rbv_rest_limit(r, y, STEP_TURN, STEP_MOVE);
        rbv_rest_keep(r);
        rbv_rest_move(r, y, 1);
        if (!(factor >= 1) || !rbv_rest_project(r)) { /* too far at once: a shorter time */
            rbv_rest_back(r);
            rbv_rest_place(r);
            h *= 0.5;
            for (int32_t j = 0; j < r->n; j++)
                d->v[j] *= 0.5;
            if (!isfinite(factor) || h < 1e-12)
                status = rbv_rest_fail(r, "the damped motion is not finite");
            continue;
        }
        rbv_state_accept(r->state);
        memcpy(r->lambda, y + r->n, (size_t)r->m * sizeof *r->lambda);
        for (int32_t j = 0; j < r->n; j++)
            d->v[j] = y[j] / h;
        h *= isnan(given) ? 1.1 : 1.02; /* what moves slowly may take longer steps */
        status = rbv_rest_check_far(r);
    }
    free(y);
    return status;
}

RbvStatus rbv_rest_by_relaxation(RbvRest *r) {
    size_t n = (size_t)r->n;
    double *room = calloc(n * n + 2 * n + 1, sizeof *room);
    Damped d = {.rest = r, .v = room, .Mv = room + n, .M = room + 2 * n, .mass = largest_mass(r->system->model)};
    RbvStatus status = room ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK && !rbv_rest_multipliers(r))
        status = rbv_rest_fail(r, "no multipliers at the start");
    if (status == RBV_OK)
        status = settle(&d);
    free(room);
    return status == RBV_OK ? rbv_rest_newton(r, "the end phase") : status;
}
