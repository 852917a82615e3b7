/* The motion linearised about an equilibrium at rest, M x'' + D x' + K x = 0 on the tangent space of the active rows.
 *
 *   K = sum_k lambda_k H_k - dQ/dq (symmetric second derivatives along the retraction; and lambda_k dC_k/dq of rows on
 *       velocities whose multiplier is not zero),   D = -dQ/dv
 *
 * In coordinates whose v is not the body twists K = P^T K_bodies P for multipliers with which the forces on each body
 * balance; M, D and the rows are those of the coordinates. Basis of the tangent space, B = [P U V E]: P moving, of mass
 * 1 each; U without mass and damping; V without mass but damped; E positions that rows on velocities keep.
 *
 *   U without delay:   u = -K_UU^-1 K_UR r, r all other numbers
 *   V of first order:  D_VV v' = -K_V r - D_VP p'
 *   E constant:        e' = 0
 *   P                  p'' = -K_P r - D_PP p' - D_PV v'
 *
 * With D = 0 and K symmetric P is rotated to its principal axes, where p'' = -square p. */
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "core/solve/lapack.h"
#include "core/solve/rank.h"
#include "dynamics/vibration/linearisation.h"
#include "solution/assembly/absolute_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Velocity step of the differences of forces: part of the mechanism's length, per second. Forces are nearly always
 * linear in velocities, and then no step is too long. */
#define VELOCITY_STEP 1e-3

typedef struct Rest {
    RbvLinear *l;
    int32_t n, m, p, moving, loose, damped; /* numbers of: v, velocity freedoms, position freedoms, moving, without mass
                                               and damping, without mass but damped */
    double *K;                              /* [n][n] scaled */
    int32_t nb;                             /* size of the body twists */
    double *K_bodies;           /* [nb][nb] stiffness, not scaled, where v is not the body twists; else NULL */
    double *B, *DB;             /* [n][p] basis; [n][p] D B, zero in columns of E */
    double *work;               /* [n][p] */
    double *small;              /* [p][p] */
    double *values;             /* [p] */
    double stiffest, strongest; /* the largest entries of K and of DB */
    double asymmetry;           /* of the last matrix whose principal axes were found, over its largest entry */
} Rest;

typedef struct Sink {
    Rest *r;
    const double *u; /* [nb] motion, not scaled, whose curvature terms are summed by magnitude */
    double term, sum;
} Sink;

static void add_block(void *context, int32_t i, int32_t j, double factor, const double *block, int32_t width) {
    const Sink *s = context;
    const RbvBodyColumns *bodies = &s->r->l->state->system->bodies;
    const double *scale = s->r->l->scale;
    double *K = s->r->K_bodies ? s->r->K_bodies : s->r->K;
    for (int32_t a = 0; a < rbv_bodies_columns(bodies, i); a++)
        for (int32_t c = 0; c < rbv_bodies_columns(bodies, j); c++) {
            size_t row = (size_t)(bodies->start[i] + a), column = (size_t)(bodies->start[j] + c);
            K[row * (size_t)s->r->nb + column] +=
                factor * (s->r->K_bodies ? 1 : scale[row] * scale[column]) *
                block[rbv_bodies_direction(bodies, a) * width + rbv_bodies_direction(bodies, c)];
        }
}

static void add_curvature(void *context, int32_t i, int32_t j, double factor, const double *block, int32_t width) {
    Sink *s = context;
    const RbvBodyColumns *bodies = &s->r->l->state->system->bodies;
    for (int32_t a = 0; a < rbv_bodies_columns(bodies, i); a++)
        for (int32_t c = 0; c < rbv_bodies_columns(bodies, j); c++)
            s->term += s->u[bodies->start[i] + a] * factor *
                       block[rbv_bodies_direction(bodies, a) * width + rbv_bodies_direction(bodies, c)] *
                       s->u[bodies->start[j] + c];
}

static void end_term(void *context) {
    Sink *s = context;
    s->sum += fabs(s->term);
    s->term = 0;
}

/* x[nb]: body twists, not scaled, of column c of the basis. */
static void spread(const Rest *r, int32_t c, double *x) {
    const double *T = r->l->T;
    for (int32_t b = 0; b < r->nb; b++) {
        x[b] = T ? 0 : r->l->scale[b] * r->B[(size_t)b * (size_t)r->p + (size_t)c];
        for (int32_t i = 0; T && i < r->n; i++)
            x[b] += T[(size_t)b * (size_t)r->n + (size_t)i] * r->B[(size_t)i * (size_t)r->p + (size_t)c];
    }
}

/* Column c of out[n][p] += scaled generalized force of `force` on number b of the body twists. */
static void add_force(const Rest *r, int32_t b, int32_t c, double force, double *out) {
    const double *T = r->l->T;
    if (!T)
        out[(size_t)b * (size_t)r->p + (size_t)c] += r->l->scale[b] * force;
    for (int32_t i = 0; T && i < r->n; i++)
        out[(size_t)i * (size_t)r->p + (size_t)c] += T[(size_t)b * (size_t)r->n + (size_t)i] * force;
}

/* out[n][p] += lambda_k dD_k(x) for the columns x of the basis and the rows k on velocities: the forces of these rows
 * turn with the bodies. These terms are in `out`, not in K. */
static bool carried(Rest *r, double *out) {
    const RbvSystem *system = r->l->state->system;
    const RbvRowPattern *D = &system->D;
    double *x = calloc((size_t)r->nb + 1, sizeof *x), *change = calloc((size_t)r->nb + 1, sizeof *change);
    bool good = x && change, any = false;
    for (int32_t k = 0; k < system->row_count; k++)
        any = any || (system->rows[k].on_rates && r->l->lambda[k] != 0);
    for (int32_t c = 0; good && any && c < r->p; c++) {
        spread(r, c, x);
        for (int32_t k = 0; k < system->row_count; k++) {
            if (!system->rows[k].on_rates || r->l->lambda[k] == 0)
                continue;
            rbv_state_row_derivative(r->l->state, k, x, change);
            for (int32_t e = D->start[k]; e < D->start[k + 1]; e++)
                add_force(r, D->column[e], c, r->l->lambda[k] * change[e - D->start[k]], out);
        }
    }
    free(x);
    free(change);
    return good;
}

/* Do forces change with the sign of all velocities? Each part of them that is linear in velocities does. Velocities
 * along `tries` sums of the basis with different weights; what is even, as w x J w, leaves exactly zero. */
static bool is_damped(Rest *r, bool *good) {
    RbvState *state = r->l->state;
    double h = VELOCITY_STEP * r->l->length;
    bool damped = false;
    for (int tried = 1; *good && !damped && tried <= 2; tried++) {
        for (int32_t c = 0; c < r->m; c++)
            r->values[c] = sin(1 + tried * (c + 0.7));
        for (int sign = 1; *good && sign >= -1; sign -= 2) {
            for (int32_t i = 0; i < r->n; i++) {
                double sum = 0;
                for (int32_t c = 0; c < r->m; c++)
                    sum += r->values[c] * r->B[(size_t)i * (size_t)r->p + (size_t)c];
                state->v[i] = sign * h * r->l->scale[i] * sum;
            }
            *good = rbv_linear_good(r->l, rbv_state_move(state) && rbv_state_load(state) ? RBV_OK : RBV_NOT_FINITE);
            for (int32_t i = 0; *good && i < r->n; i++) {
                damped = damped || (sign < 0 && r->work[i] != state->Q[i]);
                r->work[i] = state->Q[i];
            }
        }
    }
    return damped;
}

/* DB by differences of the forces along velocities. */
static bool dampings(Rest *r) {
    RbvState *state = r->l->state;
    double h = VELOCITY_STEP * r->l->length;
    bool good = true;
    if (!is_damped(r, &good)) {
        memset(state->v, 0, (size_t)r->n * sizeof *state->v);
        return good && rbv_linear_good(r->l, rbv_state_move(state) && rbv_state_load(state) ? RBV_OK : RBV_NOT_FINITE);
    }
    for (int32_t c = 0; c < r->m; c++)
        for (int k = 1; k <= RBV_DIFFERENCE_POINTS; k++)
            for (int sign = -1; sign <= 1; sign += 2) {
                for (int32_t i = 0; i < r->n; i++)
                    state->v[i] = sign * k * h * r->l->scale[i] * r->B[(size_t)i * (size_t)r->p + (size_t)c];
                if (!rbv_linear_good(r->l, rbv_state_move(state) && rbv_state_load(state) ? RBV_OK : RBV_NOT_FINITE))
                    return false;
                for (int32_t i = 0; i < r->n; i++)
                    r->work[i] = (sign < 0 ? 0 : r->work[i]) + sign * state->Q[i];
                for (int32_t i = 0; sign > 0 && i < r->n; i++)
                    r->DB[(size_t)i * (size_t)r->p + (size_t)c] -=
                        r->l->scale[i] * rbv_difference_weight[k - 1] / h * r->work[i];
            }
    memset(state->v, 0, (size_t)r->n * sizeof *state->v);
    return rbv_linear_good(r->l, rbv_state_move(state) && rbv_state_load(state) ? RBV_OK : RBV_NOT_FINITE);
}

/* out[count][p] = (columns first ... of B)^T X, X[n][p]. */
static void project(const Rest *r, int32_t first, int32_t count, const double *X, double *out) {
    rbv_lapack_product(true, count, r->n, r->p, r->B + first, r->p, X, r->p, out, r->p);
}

/* Replaces columns first ... of B, and of DB if that is not zero, by their combinations V[count][count]. */
static bool turn(Rest *r, int32_t first, int32_t count, const double *V) {
    size_t width = (size_t)count;
    double *turned = malloc(((size_t)r->n * width + 1) * sizeof *turned), *const both[] = {r->B, r->DB};
    for (int which = 0; turned && which < (r->strongest > 0 ? 2 : 1); which++) {
        rbv_lapack_product(false, r->n, count, count, both[which] + first, r->p, V, count, turned, count);
        for (size_t i = 0; i < (size_t)r->n; i++)
            memcpy(both[which] + i * (size_t)r->p + first, turned + i * width, width * sizeof *turned);
    }
    free(turned);
    return turned != NULL;
}

/* Eigenvectors into square[count][count], and eigenvalues into r->values, of the symmetric part of columns and rows
 * first ... of B^T X; r->asymmetry of the rest. */
static bool principal(Rest *r, int32_t first, int32_t count, const double *X, double *square) {
    double *part = calloc((size_t)count * (size_t)r->p + 1, sizeof *part);
    if (!part)
        return false;
    project(r, first, count, X, part);
    double differ = 0, size = 0;
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < count; j++) {
            double above = part[(size_t)i * (size_t)r->p + (size_t)(first + j)],
                   below = part[(size_t)j * (size_t)r->p + (size_t)(first + i)];
            square[(size_t)i * (size_t)count + (size_t)j] = 0.5 * (above + below);
            differ = rbv_max(differ, fabs(above - below));
            size = rbv_max(size, fabs(above));
        }
    r->asymmetry = size > 0 ? differ / size : 0;
    free(part);
    return rbv_linear_good(r->l, rbv_lapack_eigen_symmetric(count, square, r->values));
}

/* Rotates the basis of velocities to the principal axes of mass: P first, of mass 1 each, then the massless ones. */
static bool split_masses(Rest *r) {
    RbvState *state = r->l->state;
    double *x = calloc(2 * (size_t)r->n + 1, sizeof *x), *V = calloc((size_t)r->m * (size_t)r->m + 1, sizeof *V);
    bool good = x && V;
    for (int32_t c = 0; good && c < r->m; c++) {
        for (int32_t i = 0; i < r->n; i++)
            x[i] = r->l->scale[i] * r->B[(size_t)i * (size_t)r->p + (size_t)c];
        rbv_state_inertia(state, x, x + r->n);
        for (int32_t i = 0; i < r->n; i++)
            r->work[(size_t)i * (size_t)r->p + (size_t)c] = r->l->scale[i] * x[r->n + i];
    }
    good = good && principal(r, 0, r->m, r->work, r->small);
    /* Parts of the largest mass, damping and stiffness, below which there is none; of the largest entry of K, up to
     * which its asymmetry is rounding (RBV_SOLVED). */
    while (good && r->moving < r->m && r->values[r->m - 1 - r->moving] > RBV_CANCELLED * r->values[r->m - 1])
        r->moving++;
    for (int32_t k = 0; good && k < r->m; k++) /* largest mass first */
        for (int32_t i = 0; i < r->m; i++)
            V[(size_t)i * (size_t)r->m + (size_t)k] = r->small[(size_t)i * (size_t)r->m + (size_t)(r->m - 1 - k)] /
                                                      (k < r->moving ? sqrt(r->values[r->m - 1 - k]) : 1);
    good = good && turn(r, 0, r->m, V);
    free(x);
    free(V);
    return good;
}

/* Splits the massless columns into U, without damping, and V; and eliminates U: each other column gets the U that
 * follows it. */
static bool condense(Rest *r) {
    int32_t z = r->m - r->moving, u;
    size_t p = (size_t)r->p;
    if (z == 0)
        return true;
    if (!principal(r, r->moving, z, r->DB, r->small) || !turn(r, r->moving, z, r->small))
        return false;
    for (r->loose = 0; r->loose < z && fabs(r->values[r->loose]) <= RBV_CANCELLED * r->strongest; r->loose++) {
    }
    u = r->loose;
    r->damped = z - u;
    rbv_dense_product(r->n, r->n, r->p, r->K, r->B, r->work);
    RbvArena arena = {0};
    double *Ku = rbv_arena_array(&arena, (size_t)u * p + 1, sizeof *Ku),
           *square = rbv_arena_array(&arena, (size_t)u * (size_t)u + 1, sizeof *square),
           *sigma = rbv_arena_array(&arena, (size_t)u + 1, sizeof *sigma);
    int32_t *pivot = rbv_arena_array(&arena, (size_t)u + 1, sizeof *pivot);
    bool good = Ku && square && sigma && pivot;
    if (good && u > 0) {
        project(r, r->moving, u, r->work, Ku);
        for (int pass = 0; pass < 2; pass++) {
            for (int32_t i = 0; i < u; i++)
                memcpy(square + (size_t)i * (size_t)u, Ku + (size_t)i * p + (size_t)r->moving,
                       (size_t)u * sizeof *square);
            if (pass == 0)
                good = rbv_linear_good(r->l, rbv_lapack_svd('N', u, u, square, sigma, NULL, NULL));
        }
        if (good && !(sigma[u - 1] > RBV_DATA * r->stiffest)) {
            r->l->refusal = "a motion that the joints leave free has neither mass nor stiffness nor damping";
            good = false;
        }
        good = good && rbv_linear_good(r->l, rbv_lapack_solve(u, r->p, square, pivot, Ku));
        for (int32_t i = 0; good && i < r->n; i++)
            for (int32_t c = 0; c < r->p; c++)
                for (int32_t k = 0; k < u && (c < r->moving || c >= r->moving + u); k++) {
                    r->B[(size_t)i * p + (size_t)c] -=
                        r->B[(size_t)i * p + (size_t)(r->moving + k)] * Ku[(size_t)k * p + (size_t)c];
                    r->DB[(size_t)i * p + (size_t)c] -=
                        c < r->m ? r->DB[(size_t)i * p + (size_t)(r->moving + k)] * Ku[(size_t)k * p + (size_t)c] : 0;
                }
    }
    rbv_arena_clear(&arena);
    return good;
}

/* work[n][p] := K B, with the forces that rows on velocities carry along. */
static bool take_forces(Rest *r) {
    rbv_dense_product(r->n, r->n, r->p, r->K, r->B, r->work);
    return carried(r, r->work);
}

/* K = T^T K_bodies T. The forces on each body balance, so that second derivatives of body positions along the
 * coordinates do not contribute. */
static bool take_stiffness(Rest *r) {
    RbvLinear *l = r->l;
    size_t n = (size_t)r->n, nb = (size_t)r->nb;
    Sink s = {.r = r};
    RbvStiffnessSink sink = {&s, add_block, NULL};
    double *half = l->T ? calloc(nb * n + 1, sizeof *half) : NULL;
    r->K_bodies = l->T ? calloc(nb * nb + 1, sizeof *r->K_bodies) : NULL;
    bool good = !l->T || (half && r->K_bodies);
    if (good)
        rbv_state_stiffness(l->state, l->lambda, &sink);
    if (good && l->T) {
        rbv_dense_product(r->nb, r->nb, r->n, r->K_bodies, l->T, half);
        rbv_dense_product_transposed(r->n, r->nb, r->n, l->T, half, r->K);
    }
    free(half);
    free(r->K_bodies);
    r->K_bodies = NULL;
    return good;
}

/* p'' = -square p; the squares are the eigenvalues in r->values, found for the last `turn`. */
static bool take_squares(Rest *r) {
    RbvLinear *l = r->l;
    size_t count = (size_t)r->moving;
    l->size = l->places = r->moving;
    l->square = rbv_arena_array(&l->results, count + 1, sizeof(double));
    l->neutral = rbv_arena_array(&l->results, count + 1, sizeof(double));
    l->shape = rbv_arena_array(&l->results, (size_t)r->nb * count + 1, sizeof(double));
    double *u = malloc(((size_t)r->nb + 1) * sizeof *u), largest = 0;
    bool good = l->square && l->neutral && l->shape && u;
    for (size_t k = 0; good && k < count; k++)
        largest = rbv_max(largest, fabs(r->values[k]));
    for (size_t k = 0; good && k < count; k++) {
        spread(r, (int32_t)k, u);
        for (size_t i = 0; i < (size_t)r->nb; i++)
            l->shape[i * count + k] = u[i];
        Sink s = {.r = r, .u = u};
        RbvStiffnessSink sink = {&s, add_curvature, end_term};
        if (fabs(r->values[k]) <= 1e-4 * largest || r->moving < 50)
            rbv_state_stiffness(l->state, l->lambda, &sink);
        l->square[k] = r->values[k];
        /* A square is zero below RBV_ROOT_EPS of the magnitudes that its curvature is summed from, or below RBV_EXACT
         * of the largest square, per number of squares. */
        l->neutral[k] = rbv_max(RBV_ROOT_EPS * s.sum, RBV_EXACT * (double)count * largest);
    }
    free(u);
    return good;
}

/* A for z = (p, v, e, p'): the numbers of P, V, E, then the velocities of P. */
static bool take_matrix(Rest *r, const double *Kt, const double *Dt) {
    RbvLinear *l = r->l;
    int32_t q = r->moving, d = r->damped, e = r->p - r->m, places = q + d + e;
    size_t p = (size_t)r->p, size = (size_t)(places + q);
    int32_t first_damped = q + r->loose;
    l->size = (int32_t)size;
    l->places = places;
    RbvArena arena = {0};
    l->A = rbv_arena_array(&l->results, size * size + 1, sizeof(double));
    l->shape = rbv_arena_array(&l->results, (size_t)r->nb * size + 1, sizeof(double));
    double *u = rbv_arena_array(&arena, (size_t)r->nb + 1, sizeof *u),
           *Ddd = rbv_arena_array(&arena, (size_t)d * (size_t)d + 1, sizeof(double)),
           *rate = rbv_arena_array(&arena, (size_t)d * size + 1, sizeof(double));
    int32_t *pivot = rbv_arena_array(&arena, (size_t)d + 1, sizeof *pivot),
            *column = rbv_arena_array(&arena, (size_t)places + 1, sizeof *column);
    bool good = l->A && l->shape && u && Ddd && rate && pivot && column;
    for (int32_t k = 0; good && k < places; k++)
        column[k] = k < q + d ? first_damped + k - q : r->m + k - q - d;
    for (int32_t k = 0; good && k < q; k++)
        column[k] = k;
    for (int32_t i = 0; good && i < d; i++) {
        const double *K = Kt + (size_t)(first_damped + i) * p, *D = Dt + (size_t)(first_damped + i) * p;
        for (int32_t j = 0; j < d; j++)
            Ddd[(size_t)i * (size_t)d + (size_t)j] = D[first_damped + j];
        for (int32_t j = 0; j < places; j++)
            rate[(size_t)i * size + (size_t)j] = -K[column[j]];
        for (int32_t j = 0; j < q; j++)
            rate[(size_t)i * size + (size_t)(places + j)] = -D[j];
    }
    good = good && rbv_linear_good(l, rbv_lapack_solve(d, (int32_t)size, Ddd, pivot, rate));
    for (int32_t i = 0; good && i < d; i++)
        memcpy(l->A + (size_t)(q + i) * size, rate + (size_t)i * size, size * sizeof(double));
    for (int32_t i = 0; good && i < q; i++) {
        double *row = l->A + (size_t)(places + i) * size;
        l->A[(size_t)i * size + (size_t)(places + i)] = 1;
        for (int32_t j = 0; j < places; j++)
            row[j] = -Kt[(size_t)i * p + (size_t)column[j]];
        for (int32_t j = 0; j < q; j++)
            row[places + j] = -Dt[(size_t)i * p + (size_t)j];
        for (int32_t k = 0; k < d; k++)
            for (size_t j = 0; j < size; j++)
                row[j] -= Dt[(size_t)i * p + (size_t)(first_damped + k)] * rate[(size_t)k * size + j];
    }
    for (int32_t k = 0; good && k < places; k++) {
        spread(r, column[k], u);
        for (int32_t i = 0; i < r->nb; i++)
            l->shape[(size_t)i * size + (size_t)k] = u[i];
    }
    rbv_arena_clear(&arena);
    return good;
}

/* B = [N E], E the free positions that N does not span. */
static bool take_basis(Rest *r) {
    RbvLinear *l = r->l;
    size_t n = (size_t)r->n, m = (size_t)r->m, p = (size_t)r->p;
    double *inner = calloc(p * m + 1, sizeof *inner), *null = calloc(p * p + 1, sizeof *null);
    RbvRank rank;
    bool good = inner && null;
    if (good && p > m) {
        rbv_dense_product_transposed(r->p, r->n, r->m, l->P, l->N, inner);
        good = rbv_linear_good(l, rbv_rank_known(r->p, r->m, inner, r->m, &rank, null));
    }
    for (size_t i = 0; good && i < n; i++) {
        memcpy(r->B + i * p, l->N + i * m, m * sizeof(double));
        for (size_t c = m; c < p; c++)
            for (size_t k = 0; k < p; k++)
                r->B[i * p + c] += l->P[i * p + k] * null[k * (p - m) + c - m];
    }
    free(inner);
    free(null);
    return good;
}

static double largest(const double *x, size_t count) {
    double most = 0;
    for (size_t k = 0; k < count; k++)
        most = rbv_max(most, fabs(x[k]));
    return most;
}

static bool linearise(Rest *r) {
    size_t n = (size_t)r->n, p = (size_t)r->p;
    bool good = take_basis(r) && take_stiffness(r);
    r->stiffest = largest(r->K, n * n);
    good = good && dampings(r);
    r->strongest = largest(r->DB, n * p);
    good = good && split_masses(r) && condense(r) && take_forces(r) && principal(r, 0, r->moving, r->work, r->small) &&
           turn(r, 0, r->moving, r->small);
    /* Only forces with an energy act: no damping, no rows on velocities, K symmetric. */
    if (good && r->p == r->m && r->strongest == 0 && r->asymmetry <= RBV_SOLVED)
        return take_squares(r);
    double *Kt = calloc(p * p + 1, sizeof *Kt), *Dt = calloc(p * p + 1, sizeof *Dt);
    good = good && Kt && Dt && take_forces(r);
    if (good)
        project(r, 0, r->m, r->work, Kt);
    if (good && r->strongest > 0)
        project(r, 0, r->m, r->DB, Dt);
    good = good && take_matrix(r, Kt, Dt);
    free(Kt);
    free(Dt);
    return good;
}

bool rbv_linear_at_rest(RbvLinear *l) {
    size_t n = (size_t)l->n, p = (size_t)l->p;
    Rest r = {.l = l, .n = l->n, .nb = l->state->system->bodies.size, .m = l->m, .p = l->p};
    RbvArena arena = {0};
    l->blur = 1e-13;
    r.K = rbv_arena_array(&arena, n * n + 1, sizeof *r.K);
    r.B = rbv_arena_array(&arena, n * p + 1, sizeof *r.B);
    r.DB = rbv_arena_array(&arena, n * p + 1, sizeof *r.DB);
    r.work = rbv_arena_array(&arena, n * (p + 1) + 1, sizeof *r.work);
    r.small = rbv_arena_array(&arena, p * p + 1, sizeof *r.small);
    r.values = rbv_arena_array(&arena, p + 1, sizeof *r.values);
    bool good = r.K && r.B && r.DB && r.work && r.small && r.values && linearise(&r);
    rbv_arena_clear(&arena);
    return good;
}

/* ---- other coordinates than body twists ----
 *
 * The motion linearised about an equilibrium at rest, in coordinates whose v is not the body twists: R^T M R, R^T D R,
 * R^T K R with their own M, rows and null space R.
 *
 * The multipliers are those of bodies, D^T lambda = w, with which the forces on each body balance. Then the
 * coordinates' own rows carry no force, and second derivatives of body positions along the coordinates do not
 * contribute:
 *
 *   K = P^T (sum_k lambda_k H_k - dw/dx) P
 *
 * The eigenvalues are those in absolute coordinates; they are computed from other matrices, so that comparing both is a
 * test. */

/* l->scale: the scale of each number of v as a length; l->T: body twists of scaled coordinates. */
static bool take_scales(RbvLinear *l) {
    const RbvState *state = l->state;
    const RbvCoordinates *coordinates = &state->system->coordinates;
    const RbvBodyColumns *bodies = &state->system->bodies;
    size_t n = (size_t)l->n, nb = (size_t)bodies->size;
    double *v = calloc(n + 1, sizeof *v), *x = calloc(nb + 1, sizeof *x);
    l->scale = calloc(n + 1, sizeof *l->scale);
    l->T = rbv_arena_array(&l->arena, nb * n + 1, sizeof *l->T);
    bool good = v && x && l->scale && l->T;
    if (good)
        rbv_coordinates_scale(coordinates, state->size, state->arm, NULL, l->scale);
    for (size_t j = 0; good && j < n; j++) {
        l->scale[j] = l->scale[j] > 0 ? 1 / (l->scale[j] * l->length) : 1;
        v[j] = l->scale[j];
        rbv_coordinates_velocities(coordinates, rbv_state_at(state), v, state->pushed);
        v[j] = 0;
        for (int32_t b = 1; b < bodies->count; b++)
            rbv_bodies_put(bodies, b, state->pushed[b], x);
        for (size_t i = 0; i < nb; i++)
            l->T[i * n + j] = x[i];
    }
    free(v);
    free(x);
    return good;
}

/* Evaluates the state at rest. False: not finite. */
static bool evaluate_at_rest(RbvLinear *l) {
    RbvState *state = l->state;
    memset(state->v, 0, (size_t)l->n * sizeof *state->v);
    memset(state->a, 0, (size_t)l->n * sizeof *state->a);
    bool good = rbv_linear_good(l, rbv_state_place(state) ? RBV_OK : RBV_NOT_FINITE);
    if (good)
        rbv_state_jacobian(state);
    return good && rbv_linear_good(l, rbv_state_masses(state) && rbv_state_rates(state) && rbv_state_move(state) &&
                                              rbv_state_load(state)
                                          ? RBV_OK
                                          : RBV_NOT_FINITE);
}

/* Allocates arrays, takes the multipliers of the absolute system, and computes the bases. */
static bool prepare_in_coordinates(RbvLinear *l, const RbvLinear *bodies) {
    size_t n = (size_t)l->n, rows = (size_t)l->rows;
    l->row_scale = rbv_arena_array(&l->arena, rows + 1, sizeof(double));
    l->C = rbv_arena_array(&l->arena, rows * n + 1, sizeof(double));
    l->lambda = rbv_arena_array(&l->arena, rows + 1, sizeof(double));
    if (!l->row_scale || !l->C || !l->lambda)
        return false;
    memcpy(l->lambda, bodies->lambda, (size_t)bodies->rows * sizeof *l->lambda);
    if (!evaluate_at_rest(l) || !take_scales(l) || !rbv_linear_take_bases(l))
        return false;
    if (l->unsafe || l->m != bodies->m || l->p != bodies->p)
        l->refusal =
            "the rank of the constraints is in doubt in these coordinates: the position is singular, or nearly so";
    return !l->refusal;
}

bool rbv_linear_at_rest_in(RbvLinear *bodies, const RbvSystem *system) {
    RbvState *state = rbv_state_create(system);
    if (!state)
        return false;
    RbvLinear l = {.state = state,
                   .n = system->coordinates.size,
                   .rows = system->satisfied_count + system->coordinates.own_rows,
                   .length = bodies->length,
                   .released = bodies->released};
    state->active = bodies->state->active;
    state->acting = bodies->state->acting;
    rbv_absolute_state_read(state, bodies->state);
    bool good = prepare_in_coordinates(&l, bodies) && rbv_linear_at_rest(&l);
    bodies->refusal = l.refusal;
    bodies->not_finite = l.not_finite;
    bodies->size = l.size;
    bodies->places = l.places;
    bodies->blur = l.blur;
    bodies->A = l.A, bodies->shape = l.shape, bodies->square = l.square, bodies->neutral = l.neutral;
    rbv_arena_clear(&bodies->results);
    bodies->results = l.results;
    l.results = (RbvArena){0};
    rbv_linear_destroy(&l);
    rbv_state_destroy(state);
    return good;
}
