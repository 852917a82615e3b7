/* Forces, rows and derivatives of natural coordinates at rest; see natural_rest.h. */
#include "statics/natural_rest.h"

#include "solve/lapack.h"

#include <stdlib.h>
#include <string.h>

/* Of the size: the step of differences. Its square, and rounding over it, are what they are off by. */
#define DIFFERENCE 5e-6
/* Of the stiffness of the bodies at the start: less is none, where nothing is loaded. */
#define NO_STIFFNESS 1e-9
/* Ridges of projections; see balance.c, where they are the same. */
#define MULTIPLIER_RIDGE 1e-8
#define RETURN_RIDGE 1e-13
#define RETURNED 1e-13
#define MOST_RETURNS 12

static size_t at(const RbvRest *r, int32_t i, int32_t j) {
    return (size_t)i * (size_t)r->n + (size_t)j;
}

/* The rows that are unknown's business: those on positions that hold and are not kept, and the rigid ones. */
static void list_rows(RbvRest *r) {
    const RbvSystem *system = r->system;
    r->m = 0;
    for (int32_t k = 0; k < system->C.count; k++) {
        bool own = k >= system->all_count, holds = k < system->held_count && rbv_state_holds(r->state, k) && !rbv_system_keeps(system, k);
        if (own || (holds && (!system->rows[k].on_rates || system->rows[k].owner == RBV_OWNER_SPIN)))
            r->row[r->m++] = k;
    }
}

static bool allocate(RbvRest *r) {
    size_t n = (size_t)r->n + 1, m = (size_t)r->m + 1, all = n + m;
    r->scale = malloc(n * sizeof(double));
    r->step = malloc(n * sizeof(double));
    r->weight = malloc(m * sizeof(double));
    r->lambda = calloc(m, sizeof(double));
    r->g = malloc(n * sizeof(double));
    r->phi = malloc(m * sizeof(double));
    r->J = malloc(m * n * sizeof(double));
    r->K = malloc(n * n * sizeof(double));
    r->A = malloc(all * all * sizeof(double));
    r->pivot = malloc(all * sizeof(int32_t));
    r->x = malloc(all * sizeof(double));
    r->kept = malloc(((size_t)r->system->coordinates.position_size + 1) * sizeof(double));
    r->force = malloc(n * sizeof(double));
    r->other = malloc(n * sizeof(double));
    return r->scale && r->step && r->weight && r->lambda && r->g && r->phi && r->J && r->K && r->A && r->pivot && r->x && r->kept && r->force && r->other;
}

/* A coordinate in lengths: a point's as it is, a vector's times what a turn is worth; and the steps of differences. False: no memory. */
static bool set_scales(RbvRest *r) {
    const RbvState *state = r->state;
    double *ones = malloc((size_t)r->system->bodies.count * sizeof *ones);
    for (int32_t b = 0; ones && b < r->system->bodies.count; b++)
        ones[b] = 1;
    if (!ones)
        return false;
    rbv_coordinates_worth(&r->system->coordinates, ones, state->arm, NULL, r->scale);
    rbv_coordinates_worth(&r->system->coordinates, state->size, state->arm, NULL, r->step);
    for (int32_t j = 0; j < r->n; j++) {
        r->scale[j] = 1 / r->scale[j];
        r->step[j] = DIFFERENCE / r->step[j];
    }
    free(ones);
    return true;
}

static void set_weights(RbvRest *r) {
    const RbvRowPattern *C = &r->system->C;
    for (int32_t k = 0; k < r->m; k++) {
        double sum = 0;
        for (int32_t e = C->start[r->row[k]]; e < C->start[r->row[k] + 1]; e++) {
            double c = r->state->C[e] * r->scale[C->column[e]];
            sum += c * c;
        }
        r->weight[k] = sum > 1e-20 && isfinite(sum) ? 1 / sqrt(sum) : 1;
    }
}

bool rbv_rest_create(RbvRest *r, RbvState *state, RbvEquilibriumSearch *search) {
    const RbvSystem *system = state->system;
    *r = (RbvRest){.search = search, .system = system, .state = state, .n = system->coordinates.size, .kappa = 1};
    r->row = malloc(((size_t)system->C.count + 1) * sizeof *r->row);
    if (!r->row)
        return false;
    list_rows(r);
    for (int32_t b = 1; b < system->bodies.count; b++)
        r->reach = fmax(r->reach, rbv_state_body_size(state, b));
    if (!allocate(r) || !set_scales(r))
        return false;
    rbv_state_place(state);
    rbv_state_jacobian(state);
    set_weights(r);
    rbv_rest_keep(r);
    return true;
}

void rbv_rest_destroy(RbvRest *r) {
    void *const parts[] = {r->row, r->scale, r->step, r->weight, r->lambda, r->g, r->phi, r->J, r->K, r->A, r->pivot, r->x, r->kept, r->force, r->other};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        free(parts[k]);
}

static void take_rows(RbvRest *r) {
    const RbvRowPattern *C = &r->system->C;
    rbv_state_jacobian(r->state);
    memset(r->J, 0, (size_t)r->m * (size_t)r->n * sizeof *r->J);
    r->error = 0;
    for (int32_t k = 0; k < r->m; k++) {
        int32_t row = r->row[k];
        bool own = row >= r->system->all_count;
        r->phi[k] = r->weight[k] * r->state->phi[row];
        double rounding = own ? 0 : r->weight[k] * rbv_state_row_rounding(r->state, row), size = own ? r->reach : rbv_state_row_size(r->state, row);
        r->error = fmax(r->error, (fabs(r->phi[k]) - rounding) / size);
        for (int32_t e = C->start[row]; e < C->start[row + 1]; e++)
            r->J[at(r, k, C->column[e])] += r->weight[k] * r->state->C[e] * r->scale[C->column[e]];
    }
}

/* Q of the q in the state. */
static bool load(RbvState *state, int32_t n) {
    memset(state->v, 0, (size_t)n * sizeof *state->v);
    memset(state->a, 0, (size_t)n * sizeof *state->a);
    if (!rbv_state_place(state) || !rbv_state_rates(state))
        return false;
    rbv_state_move(state);
    return rbv_state_load(state);
}

bool rbv_rest_place(RbvRest *r) {
    RbvState *state = r->state;
    if (!load(state, r->n) || !rbv_state_masses(state))
        return false;
    take_rows(r);
    r->force_size = 0;
    for (int32_t j = 0; j < r->n; j++) {
        r->g[j] = -state->Q[j] * r->scale[j];
        r->force_size = fmax(r->force_size, fabs(r->g[j]));
    }
    r->V = r->system->model->generalized.count > 0 ? NAN : rbv_state_energy(state, &r->V_size);
    return isfinite(r->force_size + r->error);
}

/* out[n] = g and the part of J^T lambda that other than rigid rows have, in their own units, at q. */
static bool differ(RbvRest *r, const double *lambda, double *out) {
    const RbvRowPattern *C = &r->system->C;
    if (!load(r->state, r->n))
        return false;
    for (int32_t j = 0; j < r->n; j++)
        out[j] = -r->state->Q[j];
    if (!lambda)
        return true;
    rbv_state_jacobian(r->state);
    for (int32_t k = 0; k < r->m && r->row[k] < r->system->all_count; k++)
        for (int32_t e = C->start[r->row[k]]; e < C->start[r->row[k] + 1]; e++)
            out[C->column[e]] += lambda[k] * r->weight[k] * r->state->C[e];
    return true;
}

/* lambda_k Phi_k,qq of rigid rows; u and v are zero, and are left so. */
static void add_rigid(RbvRest *r, const double *lambda, double *u, double *v) {
    const RbvCoordinates *coordinates = &r->system->coordinates;
    const RbvRowPattern *C = &r->system->C;
    for (int32_t k = 0; lambda && k < r->m; k++) {
        int32_t row = r->row[k];
        if (row < r->system->all_count)
            continue;
        for (int32_t e = C->start[row]; e < C->start[row + 1]; e++)
            for (int32_t d = C->start[row]; d <= e; d++) {
                int32_t i = C->column[e], j = C->column[d];
                u[i] = v[j] = 1;
                double second = lambda[k] * r->weight[k] * coordinates->kind->rows_second(coordinates, row - r->system->all_count, u, v);
                u[i] = v[j] = 0;
                r->K[at(r, i, j)] += second;
                if (i != j)
                    r->K[at(r, j, i)] += second;
            }
    }
}

/* Scaled; symmetric where there is an energy; kappa. */
static void finish(RbvRest *r) {
    double largest = r->force_size / r->reach;
    for (int32_t i = 0; i < r->n; i++)
        for (int32_t j = 0; j < r->n; j++)
            r->K[at(r, i, j)] *= r->scale[i] * r->scale[j];
    for (int32_t i = 0; i < r->n; i++)
        for (int32_t j = 0; j <= i; j++) {
            double *a = &r->K[at(r, i, j)], *b = &r->K[at(r, j, i)];
            if (!isnan(r->V))
                *a = *b = 0.5 * (*a + *b);
            largest = fmax(largest, fmax(fabs(*a), fabs(*b)));
        }
    r->kappa = isfinite(largest) ? fmax(largest, NO_STIFFNESS * r->search->start_kappa) : 1;
}

bool rbv_rest_stiffness(RbvRest *r, const double *lambda) {
    double *q = r->state->q, *forward = r->force, *back = r->other;
    bool good = true;
    for (int32_t j = 0; good && j < r->n; j++) {
        double here = q[j];
        q[j] = here + r->step[j];
        double width = q[j];
        good = differ(r, lambda, forward);
        q[j] = here - r->step[j];
        width -= q[j];
        good = good && differ(r, lambda, back);
        q[j] = here;
        for (int32_t i = 0; i < r->n; i++)
            r->K[at(r, i, j)] = (forward[i] - back[i]) / width;
    }
    memset(forward, 0, (size_t)r->n * sizeof *forward);
    memset(back, 0, (size_t)r->n * sizeof *back);
    add_rigid(r, lambda, forward, back);
    finish(r);
    return rbv_rest_place(r) && good;
}

double rbv_rest_left(const RbvRest *r, const double *lambda, double *out) {
    double most = 0;
    memcpy(out, r->g, (size_t)r->n * sizeof *out);
    for (int32_t k = 0; k < r->m; k++)
        for (int32_t j = 0; lambda[k] != 0 && j < r->n; j++)
            out[j] += lambda[k] * r->J[at(r, k, j)];
    for (int32_t j = 0; j < r->n; j++)
        most = fmax(most, fabs(out[j]));
    return most;
}

double rbv_rest_tolerance(RbvRest *r) {
    double largest = r->force_size;
    for (int32_t k = 0; k < r->m; k++)
        largest = fmax(largest, fabs(r->lambda[k]));
    return RBV_EQUILIBRIUM_LEFT * largest + rbv_equilibrium_rounding(r->search, r->kappa, r->reach);
}

bool rbv_rest_settled(RbvRest *r, double left, double before) {
    double tolerance = rbv_rest_tolerance(r);
    return left <= tolerance && (left <= 1e-4 * tolerance || left > 0.5 * before);
}

bool rbv_rest_factor(RbvRest *r, double mu, double compliance) {
    int32_t n = r->n, all = n + r->m;
    memset(r->A, 0, (size_t)all * (size_t)all * sizeof *r->A);
    r->compliance = compliance;
    for (int32_t i = 0; i < n; i++) {
        double *a = r->A + (size_t)i * (size_t)all;
        memcpy(a, r->K + at(r, i, 0), (size_t)n * sizeof *a);
        a[i] += mu * r->kappa;
    }
    for (int32_t k = 0; k < r->m; k++) {
        double *a = r->A + (size_t)(n + k) * (size_t)all;
        memcpy(a, r->J + at(r, k, 0), (size_t)n * sizeof *a);
        for (int32_t j = 0; j < n; j++)
            r->A[(size_t)j * (size_t)all + (size_t)(n + k)] = a[j];
        a[n + k] = -compliance;
    }
    RbvStatus status = rbv_lapack_lu(all, r->A, r->pivot);
    r->state->no_memory = r->state->no_memory || status == RBV_NO_MEMORY;
    return status == RBV_OK;
}

void rbv_rest_solve(RbvRest *r, const double *f, const double *h) {
    memset(r->x, 0, ((size_t)r->n + (size_t)r->m) * sizeof *r->x);
    if (f)
        memcpy(r->x, f, (size_t)r->n * sizeof *f);
    if (h)
        memcpy(r->x + r->n, h, (size_t)r->m * sizeof *h);
    rbv_lapack_lu_solve(r->n + r->m, r->A, r->pivot, r->x);
}

/* Factors of [1, J^T; J, -compliance]. K is spoiled. */
static bool factor_projection(RbvRest *r, double compliance) {
    memset(r->K, 0, (size_t)r->n * (size_t)r->n * sizeof *r->K);
    r->kappa = 1;
    return rbv_rest_factor(r, 1, compliance);
}

bool rbv_rest_multipliers(RbvRest *r) {
    double kappa = r->kappa;
    bool good = factor_projection(r, MULTIPLIER_RIDGE);
    for (int pass = 0; good && pass < 3; pass++) {
        for (int32_t j = 0; j < r->n; j++)
            r->x[j] = -r->g[j];
        for (int32_t k = 0; k < r->m; k++)
            r->x[r->n + k] = -MULTIPLIER_RIDGE * r->lambda[k];
        rbv_lapack_lu_solve(r->n + r->m, r->A, r->pivot, r->x);
        memcpy(r->lambda, r->x + r->n, (size_t)r->m * sizeof *r->lambda);
    }
    r->kappa = kappa;
    return good;
}

void rbv_rest_keep(RbvRest *r) {
    memcpy(r->kept, r->state->q, (size_t)r->system->coordinates.position_size * sizeof *r->kept);
}

void rbv_rest_back(RbvRest *r) {
    memcpy(r->state->q, r->kept, (size_t)r->system->coordinates.position_size * sizeof *r->kept);
}

void rbv_rest_move(RbvRest *r, const double *y, double factor) {
    rbv_rest_back(r);
    for (int32_t j = 0; j < r->n; j++)
        r->other[j] = factor * r->scale[j] * y[j];
    rbv_coordinates_step(&r->system->coordinates, r->state->q, r->other);
}

double rbv_rest_limit(RbvRest *r, const double *y, double turn, double move) {
    double turned = 0, moved = 0;
    for (int32_t j = 0; j < r->n; j++)
        r->other[j] = r->scale[j] * y[j];
    rbv_coordinates_push(&r->system->coordinates, rbv_state_at(r->state), r->other, r->state->twists);
    for (int32_t b = 1; b < r->system->bodies.count; b++) {
        turned = fmax(turned, rbv_norm(r->state->twists[b].w));
        moved = fmax(moved, rbv_norm(r->state->twists[b].v) / rbv_state_body_size(r->state, b));
    }
    return fmin(1, fmin(turn / fmax(turned, 1e-300), move / fmax(moved, 1e-300)));
}

bool rbv_rest_project(RbvRest *r) {
    double last = INFINITY, kappa = r->kappa;
    for (int step = 0; step < MOST_RETURNS; step++) {
        if (!rbv_state_place(r->state))
            return false;
        take_rows(r);
        if (r->error <= RETURNED || !(r->error <= 0.5 * last))
            break;
        last = r->error;
        if (!factor_projection(r, RETURN_RIDGE))
            return false;
        for (int32_t k = 0; k < r->m; k++)
            r->phi[k] = -r->phi[k];
        rbv_rest_solve(r, NULL, r->phi);
        for (int32_t j = 0; j < r->n; j++)
            r->other[j] = r->scale[j] * r->x[j];
        rbv_coordinates_step(&r->system->coordinates, r->state->q, r->other);
    }
    r->kappa = kappa;
    return rbv_rest_place(r) && r->error <= 1e-11;
}

double rbv_rest_dot(const RbvRest *r, const double *a, const double *b) {
    double sum = 0;
    for (int32_t j = 0; j < r->n; j++)
        sum += a[j] * b[j];
    return sum;
}
