/* Virtual power and potential energy in natural coordinates, with the motions R that the rows leave; see natural_methods.h.
 *
 * Virtual power: Psi = R^T Q with [J; B] R = [0; 1], R by Gauss and Jordan with full pivoting (R000-40 ... R000-48)
 *   dPsi_j/dz_k = (dr_j/dz_k).Q - R_j^T H R_k,  dr_j/dz_k = d2q/dz_j dz_k by accelerations at unit rates,  dz = -(dPsi/dz)^-1 Psi,  then q back to Phi = 0 with B q held
 * Energy: R orthonormal, Kred = R^T K R with multipliers of least force left, and back to Phi = 0 by least movement.
 * With an energy the step is |T|^-1 Psi, T = -dPsi/dz or Kred, by its eigenvalues, so that V falls (R000-49).
 */
#include "statics/natural_null.h"
#include "statics/natural_methods.h"

#include "solve/lapack.h"
#include "statics/descending.h"
#include "solve/rank.h"

#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 1000
#define STEP_TURN 0.4
#define STEP_MOVE 0.4
#define MOST_FREEDOMS 120 /* accelerations grow with their square */
#define MOST_HALVINGS 40
#define MOST_RETURNS 30
/* Of the largest eigenvalue of T, and of the stiffness: smaller ones count as this much, or neutral directions would run away. */
#define LEAST_STIFFNESS 1e-9
/* Of the stiffness: a ridge that neutral directions need where T is not symmetric. */
#define NEUTRAL 1e-11
/* Saddles that are left before it gives up; and steps tried along the way down, to both sides. */
#define MOST_SADDLES 30
#define SADDLE_STEPS 12
#define SADDLE_FAR 0.3
#define SADDLE 1e-6

typedef struct Power {
    RbvRest *rest;
    RbvRestNull null;
    bool energy;     /* the method; else virtual power */
    int32_t f;
    double *psi, *T, *value, *dz; /* [n], [n][n], [n], [n] */
    double *y, *other;            /* [n] */
    double *Z;       /* [n][n] energy: orthonormal motions, row by row */
} Power;

static bool create(Power *p, RbvRest *r, bool energy) {
    size_t n = (size_t)r->n + 1;
    *p = (Power){.rest = r, .energy = energy};
    p->psi = malloc(n * sizeof(double));
    p->T = malloc(n * n * sizeof(double));
    p->Z = malloc(n * n * sizeof(double));
    p->value = malloc(n * sizeof(double));
    p->dz = malloc(n * sizeof(double));
    p->y = malloc(n * sizeof(double));
    p->other = malloc(n * sizeof(double));
    return rbv_rest_null_create(&p->null, r) && p->psi && p->T && p->Z && p->value && p->dz && p->y && p->other;
}

static void destroy(Power *p) {
    void *const parts[] = {p->psi, p->T, p->Z, p->value, p->dz, p->y, p->other};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        free(parts[k]);
    rbv_rest_null_destroy(&p->null);
}

static const double *motion(const Power *p, int32_t k) {
    return (p->energy ? p->Z : p->null.R) + (size_t)k * (size_t)p->rest->n;
}

/* T = R^T K R. */
static void reduce(Power *p) {
    RbvRest *r = p->rest;
    size_t n = (size_t)r->n;
    for (int32_t k = 0; k < p->f; k++) {
        const double *Rk = motion(p, k);
        for (size_t i = 0; i < n; i++)
            p->other[i] = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                p->other[i] += r->K[i * n + j] * Rk[j];
        for (int32_t j = 0; j < p->f; j++)
            p->T[j * p->f + k] = rbv_rest_dot(r, motion(p, j), p->other);
    }
}

static double powers(Power *p) {
    double most = 0;
    for (int32_t k = 0; k < p->f; k++) {
        p->psi[k] = -rbv_rest_dot(p->rest, motion(p, k), p->rest->g);
        most = fmax(most, fabs(p->psi[k]));
    }
    return most;
}

/* T = R^T H R + (d2q/dz_j dz_k).g = -dPsi/dz. */
static bool derive(Power *p) {
    RbvRest *r = p->rest;
    if (!rbv_rest_stiffness(r, NULL))
        return false;
    reduce(p);
    for (int32_t j = 0; j < p->f; j++)
        for (int32_t k = 0; k <= j; k++) {
            rbv_rest_second(&p->null, r, j, k, p->other);
            double part = rbv_rest_dot(r, p->other, r->g);
            p->T[j * p->f + k] += part;
            p->T[k * p->f + j] += j == k ? 0 : part;
        }
    return rbv_rest_place(r);
}

/* Orthonormal motions, and T = Kred; leaves the multipliers of least force. */
static bool curve(Power *p) {
    RbvRest *r = p->rest;
    size_t n = (size_t)r->n, f = (size_t)p->f;
    for (size_t k = 0; k < f; k++) /* [n][f] in T for a moment */
        for (size_t i = 0; i < n; i++)
            p->T[i * f + k] = p->null.R[k * n + i];
    if (f > 0 && rbv_rank_orthonormalize(r->n, p->f, p->T) != RBV_OK)
        return false;
    for (size_t k = 0; k < f; k++)
        for (size_t i = 0; i < n; i++)
            p->Z[k * n + i] = p->T[i * f + k];
    if (!rbv_rest_multipliers(r) || !rbv_rest_stiffness(r, r->lambda))
        return false;
    reduce(p);
    return true;
}

/* dz = |T|^-1 Psi, or T^-1 Psi where T is not symmetric. */
static bool step(Power *p, bool has_energy) {
    int32_t f = p->f;
    if (!has_energy) {
        for (int32_t i = 0; i < f; i++)
            p->T[i * f + i] += NEUTRAL * p->rest->kappa;
        memcpy(p->dz, p->psi, (size_t)f * sizeof *p->dz);
        return rbv_lapack_solve(f, 1, p->T, p->rest->pivot, p->dz) == RBV_OK;
    }
    return rbv_descending_step(f, p->T, p->psi, LEAST_STIFFNESS, p->rest->kappa, p->value, p->dz);
}

/* y = R dz */
static void combine(const Power *p, const double *dz, double *y) {
    memset(y, 0, (size_t)p->rest->n * sizeof *y);
    for (int32_t k = 0; k < p->f; k++)
        for (int32_t i = 0; i < p->rest->n; i++)
            y[i] += motion(p, k)[i] * dz[k];
}

/* Back to Phi = 0 with B q held, by the factors at the last place. */
static bool position(Power *p) {
    RbvRest *r = p->rest;
    double last = INFINITY;
    if (p->energy)
        return rbv_rest_project(r);
    for (int count = 0; count < MOST_RETURNS; count++) {
        if (!rbv_rest_place(r))
            return false;
        if (r->error <= 1e-13 || (r->error <= 1e-11 && r->error > 0.5 * last))
            return true;
        if (r->error > last && count > 2)
            return false;
        last = r->error;
        for (int32_t k = 0; k < p->null.rank; k++)
            p->other[k] = -r->phi[p->null.row[k]];
        rbv_rest_null_solve(&p->null, r, p->other, p->other);
        for (int32_t i = 0; i < r->n; i++)
            p->other[i] *= r->scale[i];
        rbv_coordinates_step(&r->system->coordinates, r->state->q, p->other);
    }
    return false;
}

/* The longest step, halved until it leads back to the rows and V does not rise. */
static bool take(Power *p, bool has_energy) {
    RbvRest *r = p->rest;
    double V = r->V, rounding = 1e-13 * r->V_size;
    combine(p, p->dz, p->y);
    double factor = rbv_rest_limit(r, p->y, STEP_TURN, STEP_MOVE);
    rbv_rest_keep(r);
    for (int halving = 0; halving < MOST_HALVINGS; halving++, factor *= 0.5) {
        rbv_rest_move(r, p->y, factor);
        if (position(p) && (!has_energy || r->V <= V + rounding)) {
            rbv_state_accept(r->state);
            return true;
        }
    }
    rbv_rest_back(r);
    rbv_rest_place(r);
    return false;
}

static RbvStatus stuck(Power *p, double left) {
    if (left <= rbv_rest_tolerance(p->rest))
        return RBV_OK;
    return rbv_rest_lost(p->rest, p->energy ? "the energy falls, but no step along the constraints makes it%s" : "virtual power finds no step on from here%s", "");
}

/* To where no power is left; at the end the eigenvalues of T are those there. */
static RbvStatus go(Power *p) {
    RbvRest *r = p->rest;
    bool has_energy = !isnan(r->V);
    double before = INFINITY;
    for (int count = 0; count < MOST_STEPS; count++) {
        if (!rbv_rest_null_find(&p->null, r))
            return rbv_rest_fail(r, "no independent coordinates are found");
        p->f = p->null.f;
        if (p->f > MOST_FREEDOMS && !p->energy)
            return rbv_rest_fail(r, "virtual power takes accelerations for each pair of freedoms, and the mechanism has too many for it");
        if (!(p->energy ? curve(p) : derive(p)))
            return rbv_rest_fail(r, "the loads are not finite, or rows have no multipliers");
        double left = powers(p);
        if (p->f == 0)
            return RBV_OK;
        if (!step(p, has_energy))
            return rbv_rest_lost(r, "the equations of virtual power are singular: some direction is neutral%s", "");
        if (rbv_rest_settled(r, left, before))
            return RBV_OK;
        if (rbv_equilibrium_interrupted(r->search))
            return RBV_INTERRUPTED;
        if (!take(p, has_energy))
            return stuck(p, left);
        before = left;
        RbvStatus status = rbv_rest_check_far(r);
        if (status != RBV_OK)
            return status;
    }
    return rbv_rest_lost(r, p->energy ? "the energy still falls after many steps%s" : "virtual power does not converge%s", "");
}

/* Along the motion of the least eigenvalue, to the side and by the step where V falls most. False: it falls nowhere. */
static bool leave_saddle(Power *p) {
    RbvRest *r = p->rest;
    double best = r->V - 1e-13 * r->V_size, factor = 0;
    if (p->f == 0 || !(p->value[0] < -SADDLE * fmax(fabs(p->value[p->f - 1]), LEAST_STIFFNESS * r->kappa)))
        return false;
    for (int32_t i = 0; i < p->f; i++)
        p->dz[i] = p->T[i * p->f];
    combine(p, p->dz, p->y);
    double full = SADDLE_FAR / fmax(1e-300, 1 / fmax(1e-300, rbv_rest_limit(r, p->y, 1e-3, 1e-3) / 1e-3));
    rbv_rest_keep(r);
    for (int n = 0; n < SADDLE_STEPS; n++) {
        double length = (n % 2 ? -full : full) / (double)(1 << (n / 2 * 2));
        rbv_rest_move(r, p->y, length);
        if (rbv_rest_project(r) && r->V < best) {
            best = r->V;
            factor = length;
        }
    }
    rbv_rest_move(r, p->y, factor);
    if (!rbv_rest_project(r) || factor == 0)
        return false;
    rbv_state_accept(r->state);
    return true;
}

RbvStatus rbv_rest_by_virtual_power(RbvRest *r) {
    Power p;
    RbvStatus status = create(&p, r, false) ? go(&p) : RBV_NO_MEMORY;
    destroy(&p);
    return status;
}

RbvStatus rbv_rest_by_energy(RbvRest *r) {
    Power p;
    RbvStatus status = create(&p, r, true) ? RBV_OK : RBV_NO_MEMORY;
    for (int saddles = 0; status == RBV_OK; saddles++) {
        status = go(&p);
        if (status != RBV_OK || saddles == MOST_SADDLES || !leave_saddle(&p))
            break;
    }
    destroy(&p);
    return status;
}
