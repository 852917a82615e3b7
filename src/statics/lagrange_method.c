/* Newton's method for positions and multipliers, F(q, lambda) = (g + C^T lambda, Phi) = 0.
 * First full steps: they end at an equilibrium near the start, stable or not. If they do not converge, the residual
 * force at the start, G = g + C^T lambda, is removed gradually along the constraints (Newton's homotopy):
 *
 *   g + C^T lambda = s G,   Phi = 0,   s from 1 to 0,
 * a curve that is followed by its arc length, since s need not decrease all the way: it increases where stiffness along
 * the curve changes sign. Where s passes 0 full steps end the search. The stability of the equilibrium found plays no
 * part. The curve may also close in itself, or end; then positions beside the start are tried in the same way, and a
 * note reports it.
 * G is made of constant wrenches on bodies, G = P^T W, so that the curve is the same in all coordinates. The result of
 * full steps does depend on coordinates, unless they are short: an equilibrium that is found by steps that had to be
 * shortened much counts only if the curve leads nowhere.
 * Where all that fails, or ends with forces that balance only beside large self-stresses, the curve is followed once
 * more on Phi = 0 itself, with multipliers of least norm. */
#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"
#include "solution/assembly/absolute_state.h"
#include "solution/assembly/assemble.h"
#include "statics/balance.h"
#include "statics/equilibrium.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Residual wrenches of bodies with the multipliers that leave least residual, and their generalized forces in any
 * coordinates. */

/* W[bodies] for a balance over body twists. False: no multipliers. */
static bool find_body_residual(RbvBalance *b, RbvWrench *W) {
    if (!rbv_balance_multipliers(b))
        return false;
    rbv_balance_residual(b, b->lambda);
    for (int32_t j = 0; j < b->n; j++)
        b->K_y[j] /= -b->scale[j];
    for (int32_t i = 0; i < b->system->bodies.count; i++) {
        RbvTwist sum = rbv_bodies_twist(&b->system->bodies, i, b->K_y); /* wrenches have the columns of twists */
        W[i] = (RbvWrench){sum.v, sum.w};
    }
    return true;
}

/* At a state whose positions and loads are evaluated: W[bodies] = -(g + C^T lambda) of the bodies, G[n] = P^T W,
 * scaled, and the multipliers of the balance with which g + C^T lambda + G vanishes. Overwrites the factors.
 * NO_EQUILIBRIUM: no multipliers; NO_MEMORY. */
static RbvStatus residual_find(RbvBalance *b, RbvWrench *W, double *G) {
    RbvStatus status = RBV_OK;
    if (!b->blocks) {
        status = find_body_residual(b, W) ? RBV_OK : RBV_NO_EQUILIBRIUM;
        rbv_balance_generalized_forces(b, W, G);
        return status;
    }
    RbvState *state = rbv_absolute_state_create(b->state);
    RbvBalance *bodies = state ? rbv_balance_create(state, b->locked) : NULL;
    if (!bodies)
        status = RBV_NO_MEMORY;
    else if (!rbv_balance_evaluate(bodies) || !find_body_residual(bodies, W))
        status = RBV_NO_EQUILIBRIUM;
    rbv_balance_destroy(bodies);
    rbv_state_destroy(state);
    if (status != RBV_OK)
        return status;
    rbv_balance_generalized_forces(b, W, G);
    for (int32_t j = 0; j < b->n; j++) /* with W among the loads the residual is zero */
        b->gradient[j] += G[j];
    status = rbv_balance_multipliers(b) ? RBV_OK : RBV_NO_EQUILIBRIUM;
    for (int32_t j = 0; j < b->n; j++)
        b->gradient[j] -= G[j];
    return status;
}

#define MOST_ARCS 600
/* Multiple of the loads: nearly flat mechanisms have reactions of 1e7 times their loads; larger ones indicate a
 * position that is no equilibrium, if the loads are not balanced either. */
#define UNBOUNDED 1e9
#define FIRST_ARC 0.05
#define LONGEST_ARC 0.25 /* in sizes */
#define MOST_OF_G 0.5    /* part of G, or of its remainder s G if that is larger */
#define SHORTEST_ARC 1e-7
#define MOST_CORRECTIONS 6
/* SMALL_CORRECTION: largest first correction over the arc. FALLS: factor between corrections. */
#define SMALL_CORRECTION 0.3
#define FALLS 0.5
#define ARC_TURN 0.3 /* [rad] per arc */
/* Starts beside the start: their number, and the increment of their distance [rad, sizes]. */
#define MOST_BESIDE 8
#define BESIDE_TURN 0.1
#define BESIDE_MOVE 0.02
/* Ridge mu for neutral directions. */
#define CURVE_RIDGE 1e-11

/* State on the curve and tangent: a vector [n + rows] has coordinates first and multipliers behind; q in units of
 * `scale`. */
typedef struct Curve {
    RbvArena arena; /* of all arrays */
    RbvEquilibriumSearch *search;
    RbvBalance *b;
    RbvBordered bordered;
    RbvWrench *W;              /* [bodies] minus the residual wrenches at the start */
    double *G;                 /* [n + rows] P^T W and zeros: the column of s */
    double *tangent;           /* [n + rows] */
    double *row;               /* [n] last row of the bordered system */
    double *x;                 /* [n + rows + 1] */
    double *q, *lambda;        /* at the last accepted point */
    double s, tangent_s, size; /* s and ds/d(arc); size [N]: largest entry of G */
    bool along;                /* every point is projected to Phi = 0 */
} Curve;

static bool create_curve(Curve *c, RbvEquilibriumSearch *search) {
    RbvBalance *b = search->balance;
    size_t n = (size_t)b->n, rows = (size_t)b->rows, inner = n + rows;
    *c = (Curve){.search = search, .b = b, .s = 1, .tangent_s = -1};
    c->G = rbv_arena_array(&c->arena, 4 * inner + 2 * n + 2, sizeof *c->G);
    c->q = rbv_arena_alloc(&c->arena, ((size_t)b->system->coordinates.position_size + 1) * sizeof *c->q);
    c->W = rbv_arena_array(&c->arena, (size_t)b->system->bodies.count, sizeof *c->W);
    if (!c->G || !c->q || !c->W || !rbv_bordered_create(&c->bordered, b))
        return false;
    c->tangent = c->G + inner;
    c->x = c->tangent + inner;
    c->lambda = c->x + inner + 1;
    c->row = c->lambda + rows;
    return true;
}

static void destroy_curve(Curve *c) {
    rbv_bordered_destroy(&c->bordered);
    if (c->b->blocks)
        c->b->blocks->lent = NULL;
    rbv_arena_clear(&c->arena);
}

/* Evaluates the state, and G there. */
static bool place_on_curve(Curve *c) {
    bool good = rbv_balance_evaluate(c->b);
    if (c->b->blocks)
        rbv_balance_generalized_forces(c->b, c->W, c->G);
    return good;
}

/* Scalar product of two motions, as lengths over the size. */
static double curve_product(const Curve *c, const double *x, const double *y) {
    return rbv_balance_dot(c->b, x, y) / (c->b->reach * c->b->reach);
}

static bool factor_curve(Curve *c) {
    RbvBalance *b = c->b;
    if (b->blocks)
        b->blocks->share = -c->s;
    for (int32_t j = 0; j < b->n; j++)
        c->row[j] = c->tangent[j] / (b->reach * b->reach);
    rbv_balance_fill(b, CURVE_RIDGE, 0, RBV_PROXIMAL / b->kappa);
    return rbv_bordered_factor(&c->bordered, b, c->G, c->row, c->tangent_s);
}

/* Unit tangent at the evaluated state, oriented as the last one. */
static bool find_curve_tangent(Curve *c) {
    RbvBalance *b = c->b;
    int32_t inner = b->n + b->rows;
    if (!factor_curve(c))
        return false;
    memset(c->x, 0, (size_t)inner * sizeof *c->x);
    c->x[inner] = 1;
    rbv_bordered_solve(&c->bordered, c->x);
    double length = sqrt(curve_product(c, c->x, c->x) + c->x[inner] * c->x[inner]);
    for (int32_t k = 0; k < inner; k++)
        c->tangent[k] = c->x[k] / length;
    c->tangent_s = c->x[inner] / length;
    return isfinite(length);
}

/* Largest residual force besides s G [N]. */
static double residual_beside_sG(Curve *c) {
    RbvBalance *b = c->b;
    double most = 0;
    rbv_balance_residual(b, b->lambda); /* leaves g + C^T lambda in K_y */
    for (int32_t j = 0; j < b->n; j++)
        most = fmax(most, fabs(b->K_y[j] + c->s * c->G[j]));
    return most;
}

/* Projects to Phi = 0, with the multipliers of least norm that leave s G. */
static bool project_to_rows(Curve *c) {
    RbvBalance *b = c->b;
    if (!rbv_balance_project(b) || !place_on_curve(c))
        return false;
    memset(b->lambda, 0, (size_t)b->rows * sizeof *b->lambda);
    for (int32_t j = 0; j < b->n; j++)
        b->gradient[j] += c->s * c->G[j];
    bool found = rbv_balance_multipliers(b);
    for (int32_t j = 0; j < b->n; j++)
        b->gradient[j] -= c->s * c->G[j];
    return found;
}

/* Newton's corrections to the curve across its tangent; they stay small against the arc ds. */
static bool correct_to_curve(Curve *c, double ds) {
    RbvBalance *b = c->b;
    int32_t inner = b->n + b->rows;
    double before = SMALL_CORRECTION * ds;
    for (int count = 0; count < MOST_CORRECTIONS; count++) {
        if (!factor_curve(c))
            return false;
        for (int32_t j = 0; j < b->n; j++)
            c->x[j] = -b->gradient[j] - c->s * c->G[j];
        for (int32_t k = 0; k < b->rows; k++)
            c->x[b->n + k] = -b->phi[k] - b->compliance * b->lambda[k];
        c->x[inner] = 0;
        rbv_balance_clear_locked(b, c->x);
        rbv_bordered_solve(&c->bordered, c->x);
        double length = sqrt(curve_product(c, c->x, c->x) + c->x[inner] * c->x[inner]);
        if (!(length <= before))
            return false;
        rbv_balance_store(b);
        rbv_balance_move(b, c->x, 1);
        memcpy(b->lambda, c->x + b->n, (size_t)b->rows * sizeof *b->lambda);
        c->s += c->x[inner];
        if (!place_on_curve(c))
            return false;
        rbv_balance_complete(b, b->lambda);
        if (c->along && !project_to_rows(c))
            return false;
        /* Part of G to which the curve is followed. */
        if (residual_beside_sG(c) <= RBV_FITS * c->size && b->error <= RBV_FITS)
            return true;
        before = fmax(FALLS * length, RBV_FITS * ds);
    }
    return false;
}

/* Advances by an arc ds from the last point. False: the step is too long, and the state is undefined. */
static bool advance_on_curve(Curve *c, double ds) {
    RbvBalance *b = c->b;
    if (rbv_balance_limit(b, c->tangent, ARC_TURN / ds, INFINITY) < 1)
        return false;
    rbv_balance_store(b);
    rbv_balance_move(b, c->tangent, ds);
    for (int32_t k = 0; k < b->rows; k++)
        b->lambda[k] += ds * c->tangent[b->n + k];
    c->s += ds * c->tangent_s;
    return place_on_curve(c) && (!c->along || project_to_rows(c)) && correct_to_curve(c, ds);
}

static void keep_point(Curve *c) {
    memcpy(c->q, c->b->state->q, (size_t)c->b->system->coordinates.position_size * sizeof *c->q);
    memcpy(c->lambda, c->b->lambda, (size_t)c->b->rows * sizeof *c->lambda);
}

static bool return_to_point(Curve *c, double s) {
    memcpy(c->b->state->q, c->q, (size_t)c->b->system->coordinates.position_size * sizeof *c->q);
    memcpy(c->b->lambda, c->lambda, (size_t)c->b->rows * sizeof *c->lambda);
    c->s = s;
    return place_on_curve(c);
}

/* Orients the first tangent where s does not change at the start, since rounding would decide there: along the residual
 * forces, or to the other side. */
static void orient_along_forces(Curve *c, double side) {
    double power = rbv_balance_dot(c->b, c->G, c->tangent);
    int32_t inner = c->b->n + c->b->rows;
    /* Of s along an arc at the start. */
    if (fabs(c->tangent_s) > RBV_FITS || power * side < 0)
        return;
    for (int32_t k = 0; k < inner; k++)
        c->tangent[k] = -c->tangent[k];
    c->tangent_s = -c->tangent_s;
}

/* Follows the curve until s passes 0, and repeats a part of the last arc to reach s = 0. */
static RbvStatus follow_curve(Curve *c) {
    double ds = FIRST_ARC, side = c->tangent_s;
    keep_point(c);
    for (int arcs = 0; arcs < MOST_ARCS; arcs++) {
        double s = c->s;
        if (rbv_equilibrium_interrupted(c->search))
            return RBV_INTERRUPTED;
        if (!find_curve_tangent(c))
            break;
        if (arcs == 0)
            orient_along_forces(c, side);
        ds = fmin(ds, fmin(LONGEST_ARC / sqrt(curve_product(c, c->tangent, c->tangent)),
                           MOST_OF_G * fmax(1, fabs(s)) / fabs(c->tangent_s)));
        while (!advance_on_curve(c, ds) && ds > SHORTEST_ARC) {
            ds *= 0.4;
            if (!return_to_point(c, s))
                return RBV_NO_EQUILIBRIUM;
        }
        if (ds <= SHORTEST_ARC)
            break;
        if (c->s <= 0 && s > 0) {
            double part = ds * s / (s - c->s);
            return !return_to_point(c, s) || advance_on_curve(c, part) ? RBV_OK : RBV_NO_EQUILIBRIUM;
        }
        rbv_state_accept(c->b->state);
        keep_point(c);
        ds *= 1.5;
        RbvStatus status = rbv_equilibrium_check_far(c->search);
        if (status != RBV_OK)
            return status;
    }
    return RBV_NO_EQUILIBRIUM;
}

/* Follows the curve from the start to the given side, then Newton's method. */
static RbvStatus search_along_curve(RbvEquilibriumSearch *search, double side, bool along) {
    RbvBalance *b = search->balance;
    Curve c;
    RbvStatus status = create_curve(&c, search) ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        memcpy(b->state->q, search->start, (size_t)b->system->coordinates.position_size * sizeof(double));
        status = rbv_balance_evaluate(b) ? residual_find(b, c.W, c.G) : RBV_NO_EQUILIBRIUM;
    }
    if (status == RBV_OK) {
        for (int32_t j = 0; j < b->n; j++)
            c.size = fmax(c.size, fabs(c.G[j]));
        if (b->blocks)
            b->blocks->lent = c.W;
        c.tangent_s = side;
        c.along = along;
        if (along && !project_to_rows(&c))
            status = RBV_NO_EQUILIBRIUM;
    }
    if (status == RBV_OK) {
        status = follow_curve(&c);
    }
    destroy_curve(&c);
    return status == RBV_OK ? rbv_equilibrium_newton(search, "lagrange") : status;
}

RbvStatus rbv_equilibrium_by_newton(RbvEquilibriumSearch *search) {
    return rbv_balance_multipliers(search->balance) ? rbv_equilibrium_newton(search, "lagrange")
                                                    : rbv_equilibrium_fail(search, "no multipliers at the start%s", "");
}

/* Full steps; an end at a singular position, where the residual is small beside unbounded multipliers, is no
 * equilibrium. */
static RbvStatus try_full_steps(RbvEquilibriumSearch *search) {
    const RbvBalance *b = search->balance;
    RbvStatus status = rbv_equilibrium_by_newton(search);
    bool unbounded = status == RBV_OK && rbv_balance_largest(b) > UNBOUNDED * fmax(b->force_size, search->start_force);
    return unbounded && !rbv_equilibrium_balances(search) ? RBV_NO_EQUILIBRIUM : status;
}

/* Full steps, then the curve to one side and the other. */
static RbvStatus search_from_start(RbvEquilibriumSearch *search) {
    RbvBalance *b = search->balance;
    size_t positions = (size_t)b->system->coordinates.position_size;
    double *plain = malloc((positions + (size_t)b->rows + 1) * sizeof *plain), *lambda = plain + positions;
    search->shortened = false;
    RbvStatus status = plain ? try_full_steps(search) : RBV_NO_MEMORY;
    bool found = status == RBV_OK, doubted = found && search->shortened;
    if (found) {
        memcpy(plain, b->state->q, positions * sizeof *plain);
        memcpy(lambda, b->lambda, (size_t)b->rows * sizeof *lambda);
    }
    for (int side = -1; (status == RBV_NO_EQUILIBRIUM || doubted) && side <= 1; side += 2) {
        status = search_along_curve(search, side, false);
        doubted = doubted && status == RBV_NO_EQUILIBRIUM;
    }
    if (found && status == RBV_NO_EQUILIBRIUM) {
        memcpy(b->state->q, plain, positions * sizeof *plain);
        memcpy(b->lambda, lambda, (size_t)b->rows * sizeof *lambda);
        status = rbv_balance_evaluate(b) ? RBV_OK : RBV_NO_EQUILIBRIUM;
    }
    free(plain);
    return status;
}

/* Follows the curve from the start again, with each point projected to Phi = 0. Rows that are redundant on the
 * constraints, as those of a Bennett linkage, contradict each other beside them by the square of the step; steps that
 * correct rows and forces together answer that with unbounded multipliers. Here multipliers have least norm. */
static RbvStatus search_along_rows(RbvEquilibriumSearch *search) {
    RbvStatus status = RBV_NO_EQUILIBRIUM;
    for (int side = -1; status == RBV_NO_EQUILIBRIUM && side <= 1; side += 2)
        status = search_along_curve(search, side, true);
    return status;
}

/* A state whose forces balance only beside self-stresses may be no equilibrium: an equilibrium found along the rows
 * replaces it. */
static RbvStatus replace_strained(RbvEquilibriumSearch *search) {
    RbvBalance *b = search->balance;
    size_t positions = (size_t)b->system->coordinates.position_size;
    double *kept = malloc((positions + (size_t)b->rows + 1) * sizeof *kept), *lambda = kept + positions;
    if (!kept)
        return RBV_NO_MEMORY;
    memcpy(kept, b->state->q, positions * sizeof *kept);
    memcpy(lambda, b->lambda, (size_t)b->rows * sizeof *lambda);
    RbvStatus status = search_along_rows(search);
    if (status == RBV_NO_EQUILIBRIUM || (status == RBV_OK && search->strained)) {
        memcpy(b->state->q, kept, positions * sizeof *kept);
        memcpy(b->lambda, lambda, (size_t)b->rows * sizeof *lambda);
        status = rbv_balance_evaluate(b) ? RBV_OK : RBV_NO_EQUILIBRIUM;
    }
    free(kept);
    return status;
}

/* Tries positions beside the start, at growing distance: a curve that closes in itself there may lead to an equilibrium
 * from here. The `bodies` are shaken, whatever the coordinates, so that the starts do not depend on these;
 * start[positions of bodies], step[columns of bodies]. */
static RbvStatus search_from_shaken(RbvEquilibriumSearch *search, RbvState *bodies, double *start, double *step) {
    RbvState *state = search->balance->state;
    uint64_t seed = 0x9E3779B97F4A7C15u;
    RbvStatus status = RBV_NO_EQUILIBRIUM;
    memcpy(start, bodies->q, (size_t)bodies->system->coordinates.position_size * sizeof *start);
    for (int count = 1; status == RBV_NO_EQUILIBRIUM && count <= MOST_BESIDE; count++) {
        RbvAssembly assembly = {.driven = true};
        rbv_shake(bodies, start, count * BESIDE_TURN, count * BESIDE_MOVE, &seed, step);
        RbvStatus assembled = rbv_assemble_position(bodies, bodies->t, NULL, &assembly);
        if (assembled == RBV_NO_MEMORY || assembled == RBV_INTERRUPTED)
            status = assembled;
        if (assembled != RBV_OK)
            continue;
        if (bodies != state)
            rbv_absolute_state_read(state, bodies);
        if (!rbv_balance_evaluate(search->balance))
            continue;
        memcpy(search->start, state->q, (size_t)state->system->coordinates.position_size * sizeof(double));
        status = search_from_start(search);
    }
    return status;
}

static RbvStatus search_from_beside(RbvEquilibriumSearch *search) {
    RbvState *state = search->balance->state;
    const RbvSystem *system = state->system;
    size_t positions = (size_t)system->coordinates.position_size * sizeof(double);
    double *start = malloc(positions + 1);
    if (start) {
        memcpy(start, search->start, positions);
        memcpy(state->q, start, positions);
    }
    RbvState *bodies = NULL;
    if (start)
        bodies = system->absolute ? rbv_absolute_state_create(state) : state;
    double *workspace =
        bodies ? malloc(((size_t)bodies->system->coordinates.position_size + (size_t)system->bodies.size + 1) *
                        sizeof *workspace)
               : NULL;
    RbvStatus status =
        workspace ? search_from_shaken(search, bodies, workspace, workspace + bodies->system->coordinates.position_size)
                  : RBV_NO_MEMORY;
    if (bodies != state)
        rbv_state_destroy(bodies);
    if (start)
        memcpy(search->start, start, positions);
    free(start);
    free(workspace);
    return status;
}

RbvStatus rbv_equilibrium_by_lagrange(RbvEquilibriumSearch *search) {
    RbvDiagnostics *diagnostics = search->diagnostics;
    search->diagnostics = NULL;
    RbvStatus status = search_from_start(search);
    if (status == RBV_NO_EQUILIBRIUM)
        status = search_along_rows(search);
    else if (status == RBV_OK && search->strained)
        status = replace_strained(search);
    bool beside = status == RBV_NO_EQUILIBRIUM;
    if (beside)
        status = search_from_beside(search);
    search->diagnostics = diagnostics;
    if (beside && status == RBV_OK)
        rbv_diagnose(diagnostics, RBV_NOTE, search->balance->system->model->file, (RbvPosition){0, 0},
                     "Newton's method (lagrange) does not converge from the starting poses; this equilibrium was found "
                     "from poses beside them");
    if (status != RBV_NO_EQUILIBRIUM)
        return status;
    return rbv_equilibrium_lost(search,
                                "Newton's method (lagrange) does not converge from this start; start nearer to it, or "
                                "try another " RBV_OPTION_STATICS_METHOD "%s",
                                "");
}
