/* Balance of forces at a state at rest and its linear system, plain and bordered: evaluated, filled, factored, solved;
 * multipliers of least residual and the projection onto the constraints. */
#include "statics/balance.h"

#include "core/base/tolerances.h"
#include "solution/assembly/assemble.h"

#include <stdlib.h>
#include <string.h>

/* Error of Phi, over the size of the part, at which the projection ends: rounding of a few operations. */
#define MOST_RETURNS 12
/* Ridge of the projection onto the constraints: singular values of C below its square root are not followed. */
#define RETURN_RIDGE 1e-13

/* Square root of the penalty factor of a row's joint, where rows are penalties; else 1. */
static double root_of_penalty(const RbvBalance *b, int32_t k) {
    const RbvRow *row = k < b->system->row_count ? &b->system->rows[k] : NULL;
    return b->yields && row && row->owner == RBV_OWNER_JOINT
               ? sqrt(rbv_joint_loose(&b->system->model->joints.items[row->index])->penalty)
               : 1;
}

/* Weights of the rows: unit gradients at the first state, times the root of the penalty factor. A row without a
 * gradient there keeps its own unit. */
static void set_weights(RbvBalance *b) {
    const RbvSystem *system = b->system;
    for (int32_t k = 0; k < b->rows; k++) {
        double sum = 0;
        for (int32_t e = system->C.start[k]; e < system->C.start[k + 1]; e++) {
            double c = b->state->C[e] * b->scale[system->C.column[e]];
            sum += c * c;
        }
        bool rate =
            k < system->all_count && system->rows[k].on_rates && system->rows[k].owner != RBV_OWNER_SPIN && !b->locked;
        b->weight[k] = rate || !rbv_balance_may_act(system, k) ? 0
                       : sum > 1e-20 && isfinite(sum)          ? root_of_penalty(b, k) / sqrt(sum)
                                                               : 1;
    }
}

bool rbv_balance_weigh(RbvBalance *b) {
    if (!rbv_state_place(b->state))
        return false;
    rbv_state_jacobian(b->state);
    for (int32_t k = 0; k < b->rows; k++) /* multipliers in the rows' own units */
        b->lambda[k] *= b->weight[k];
    set_weights(b);
    for (int32_t k = 0; k < b->rows; k++)
        b->lambda[k] = b->weight[k] > 0 ? b->lambda[k] / b->weight[k] : 0;
    return true;
}

/* Sets the scale factors [n]: one over the length by which a velocity in v is scaled (1 for translations). False if out
 * of memory. */
static bool set_scales(RbvBalance *b) {
    const RbvSystem *system = b->system;
    double *found = system->coordinates.of_bodies ? rbv_state_column_scales(b->state)
                                                  : malloc((size_t)system->bodies.count * sizeof *found);
    if (!found || !b->scale) {
        free(found);
        return false;
    }
    if (system->coordinates.of_bodies) {
        memcpy(b->scale, found, (size_t)b->n * sizeof *found);
    } else {
        for (int32_t i = 0; i < system->bodies.count; i++)
            found[i] = 1;
        rbv_coordinates_scale(&system->coordinates, found, b->state->arm, NULL, b->scale);
        for (int32_t j = 0; j < b->n; j++)
            b->scale[j] = 1 / b->scale[j];
    }
    free(found);
    return true;
}

static bool allocate_balance(RbvBalance *b) {
    const RbvSystem *system = b->system;
    size_t n = (size_t)b->n + 1, rows = (size_t)b->rows + 1, bodies = (size_t)system->bodies.count;
    b->scale = rbv_arena_alloc(&b->arena, n * sizeof(double));
    b->owner = rbv_arena_array(&b->arena, n, sizeof *b->owner);
    b->twists = rbv_arena_array(&b->arena, bodies, sizeof *b->twists);
    b->body_states = rbv_arena_array(&b->arena, system->coordinates.of_bodies ? 1 : 2 * bodies, sizeof *b->body_states);
    b->weight = rbv_arena_alloc(&b->arena, rows * sizeof(double));
    b->gradient = rbv_arena_alloc(&b->arena, n * sizeof(double));
    b->phi = rbv_arena_alloc(&b->arena, rows * sizeof(double));
    b->C = rbv_arena_alloc(&b->arena, ((size_t)system->C.start[b->rows] + 1) * sizeof(double));
    b->lambda = rbv_arena_array(&b->arena, rows, sizeof(double));
    b->b = rbv_arena_alloc(&b->arena, (n + rows) * sizeof(double));
    b->K_y = rbv_arena_alloc(&b->arena, n * sizeof(double));
    b->stored_q = rbv_arena_alloc(&b->arena, ((size_t)system->coordinates.position_size + 1) * sizeof(double));
    return set_scales(b) && b->owner && b->twists && b->body_states && b->weight && b->gradient && b->phi && b->C &&
           b->lambda && b->b && b->K_y && b->stored_q;
}

RbvBalance *rbv_balance_create(RbvState *state, bool locked) {
    const RbvSystem *system = state->system;
    RbvBalance *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->system = system;
    b->state = state;
    b->n = system->coordinates.size;
    b->rows = system->coordinates.of_bodies ? system->satisfied_count : system->C.count;
    b->locked = locked;
    for (int32_t i = 1; i < system->bodies.count; i++)
        b->reach = fmax(b->reach, rbv_state_body_size(state, i));
    b->kappa = 1;
    bool good = allocate_balance(b);
    if (good) {
        rbv_state_place(state);
        rbv_state_jacobian(state);
        set_weights(b);
        rbv_balance_store(b);
        rbv_balance_find_owners(b);
        rbv_balance_evaluate(b); /* if the loads are not finite, the caller's next rbv_balance_evaluate reports it */
        good = rbv_balance_create_pattern(b);
        if (good)
            rbv_balance_factor(b, 1, 0, 1); /* sets kappa */
    }
    if (!good) {
        rbv_balance_destroy(b);
        return NULL;
    }
    return b;
}

void rbv_balance_destroy(RbvBalance *b) {
    if (!b)
        return;
    rbv_along_joints_destroy(b->along);
    rbv_lu_destroy(b->lu);
    rbv_locked_bodies_destroy(b->locked_bodies);
    rbv_coordinate_blocks_destroy(b->blocks);
    rbv_arena_clear(&b->arena);
    free(b);
}

bool rbv_balance_lock_bodies(RbvBalance *b, double below) {
    if (!b->system->coordinates.of_bodies) /* locked bodies are found over bodies, which are balanced again at the
                                              equilibrium of these coordinates */
        return true;
    if (!rbv_locked_bodies_create(b->state, b->weight, below, &b->locked_bodies))
        return false;
    if (b->locked_bodies && !rbv_locked_bodies_factor(b->locked_bodies, b->C, &b->state->no_memory)) {
        rbv_locked_bodies_destroy(b->locked_bodies);
        b->locked_bodies = NULL;
    }
    return !b->state->no_memory;
}

/* Phi and C at the evaluated state, scaled, with their errors. */
static void evaluate_rows(RbvBalance *b) {
    const RbvSystem *system = b->system;
    rbv_state_jacobian(b->state);
    b->error = b->gap = 0;
    for (int32_t k = 0; k < b->rows; k++) {
        bool own = k >= system->all_count;
        b->phi[k] = !own && system->rows[k].on_rates ? 0 : b->weight[k] * b->state->phi[k];
        double root = root_of_penalty(b, k), gap = fabs(b->phi[k]) / root,
               rounding = own ? 0 : b->weight[k] / root * rbv_state_row_rounding(b->state, k);
        b->gap = fmax(b->gap, gap);
        b->error = fmax(b->error, (gap - rounding) / (own ? b->reach : rbv_state_row_size(b->state, k)));
        for (int32_t e = system->C.start[k]; e < system->C.start[k + 1]; e++)
            b->C[e] = b->weight[k] * b->state->C[e] * b->scale[system->C.column[e]];
    }
}

bool rbv_balance_evaluate(RbvBalance *b) {
    RbvState *state = b->state;
    const RbvBodyColumns *bodies = &b->system->bodies;
    memset(state->v, 0, (size_t)b->n * sizeof *state->v);
    memset(state->a, 0, (size_t)b->n * sizeof *state->a);
    if (!rbv_state_place(state) || !rbv_state_rates(state))
        return false;
    rbv_state_move(state);
    if (!rbv_state_load(state) || !rbv_state_masses(state))
        return false;
    evaluate_rows(b);
    b->force_size = 0;
    for (int32_t j = 0; j < b->n; j++)
        b->gradient[j] = -state->Q[j] * b->scale[j];
    for (int32_t i = 1; i < bodies->count; i++) {
        double load[6] = {0}, sum = 0;
        rbv_bodies_add(bodies, i, 1, &state->wrenches[i], load);
        for (int32_t k = 0; k < rbv_bodies_columns(bodies, i); k++)
            sum += fabs(load[k]) /
                   (rbv_bodies_is_rotation(bodies, i, bodies->start[i] + k) ? rbv_state_body_arm(state, i) : 1);
        b->force_size = fmax(b->force_size, sum);
    }
    b->V = b->system->model->generalized.count > 0 ? NAN : rbv_state_energy(state, &b->V_size);
    return true;
}

static int32_t offset_of(const RbvBalance *b, int32_t i, int32_t j) {
    int32_t low = b->neighbour_start[i], high = b->neighbour_start[i + 1] - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (b->neighbour[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return b->offset[low];
}

/* Updates the hardness from the translational part of a stiffness block [N/m], in any coordinates. */
static void raise_hardness(RbvBalance *b, double factor, const double *block, int32_t width) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            b->hardness = fmax(b->hardness, fabs(factor * block[r * width + c]));
}

static void add_stiffness_block(void *context, int32_t i, int32_t j, double factor, const double *block,
                                int32_t width) {
    RbvBalance *b = context;
    const RbvBodyColumns *bodies = &b->system->bodies;
    if (b->blocks) {
        raise_hardness(b, factor, block, width);
        rbv_coordinate_blocks_add(b->blocks, i, j, factor, block, width, b->start, b->values);
        return;
    }
    int32_t offset = offset_of(b, i, j), rows = rbv_bodies_columns(bodies, i), columns = rbv_bodies_columns(bodies, j);
    for (int32_t r = 0; r < rows; r++) {
        double *to = b->values + b->start[bodies->start[i] + r] + offset, k = factor * b->scale[bodies->start[i] + r];
        for (int32_t c = 0; c < columns; c++)
            to[c] += k * b->scale[bodies->start[j] + c] *
                     block[rbv_bodies_direction(bodies, r) * width + rbv_bodies_direction(bodies, c)];
    }
}

/* Adds s M of generalized coordinates. */
static void add_generalized(RbvBalance *b, double mass) {
    const RbvModel *model = b->system->model;
    int32_t n = model->generalized.count;
    for (int32_t k = 0; k < n * n; k++) {
        const double block[36] = {b->state->mass[k]};
        add_stiffness_block(b, model->generalized.items[k / n].body, model->generalized.items[k % n].body, mass, block,
                            6);
    }
}

/* Adds s M, scaled, to the blocks, and mu kappa to the diagonal. */
static void add_shifts(RbvBalance *b, double mu, double mass) {
    if (b->blocks) {
        if (mass != 0)
            rbv_coordinate_blocks_mass(b->blocks, mass, b->start, b->values);
        for (int32_t j = 0; j < b->n; j++)
            b->values[b->start[j] + rbv_coordinate_blocks_entry(b->blocks, j, j) - b->blocks->K.start[j]] +=
                mu * b->kappa;
        return;
    }
    if (mass != 0)
        add_generalized(b, mass);
    const RbvBodyColumns *bodies = &b->system->bodies;
    for (int32_t i = 1; i < bodies->count; i++) {
        double block[36] = {0}, J[3][3];
        rbv_state_tensor(b->state, i, J);
        for (int k = 0; k < 3; k++) {
            block[7 * k] = b->system->model->bodies.items[i].mass;
            for (int c = 0; c < 3; c++)
                block[6 * (3 + k) + 3 + c] = J[k][c];
        }
        if (mass != 0)
            add_stiffness_block(b, i, i, mass, block, 6);
        int32_t offset = offset_of(b, i, i);
        for (int32_t j = bodies->start[i]; j < bodies->start[i + 1]; j++)
            b->values[b->start[j] + offset + j - bodies->start[i]] += mu * b->kappa;
    }
}

static void add_rows(RbvBalance *b, double compliance) {
    b->compliance = compliance;
    for (int32_t k = 0; k < b->rows; k++) {
        for (int32_t c = b->system->C.start[k]; c < b->system->C.start[k] + rbv_balance_entries(b->system, k); c++)
            b->values[b->at[c]] = b->values[b->at_transposed[c]] = b->C[c];
        b->values[b->start[b->n + k + 1] - 1] = -compliance;
    }
}

/* Locked bodies: a diagonal of kappa for their coordinates and -1/kappa for their rows, and no coupling to others. */
static void decouple_locked(RbvBalance *b) {
    const RbvLockedBodies *locked = b->locked_bodies;
    for (int32_t r = 0; locked && r < b->n + b->rows; r++) {
        bool stays = r < b->n ? locked->place[r] >= 0 : locked->is_locked[r - b->n];
        double diagonal = r < b->n ? b->kappa : -1 / b->kappa;
        for (int32_t e = b->start[r]; e < b->start[r + 1]; e++) {
            int32_t c = b->index[e];
            if (stays || (c < b->n ? locked->place[c] >= 0 : locked->is_locked[c - b->n]))
                b->values[e] = r == c ? diagonal : 0;
        }
    }
}

void rbv_balance_clear_locked(const RbvBalance *b, double *x) {
    for (int32_t r = 0; b->locked_bodies && r < b->n + b->rows; r++)
        if (r < b->n ? b->locked_bodies->place[r] >= 0 : b->locked_bodies->is_locked[r - b->n])
            x[r] = 0;
}

void rbv_balance_complete(RbvBalance *b, double *l) {
    if (b->locked_bodies)
        rbv_locked_bodies_multipliers(b->locked_bodies, b->C, b->gradient, l);
}

/* Sets kappa: the largest entry of K, or the largest load over the reach, and no less than least_kappa. */
static void set_kappa(RbvBalance *b) {
    double largest = b->force_size / b->reach;
    for (int32_t k = 0; k < b->start[b->n]; k++)
        largest = fmax(largest, fabs(b->values[k]));
    b->kappa = largest > 0 && isfinite(largest) ? fmax(largest, b->least_kappa)
               : b->least_kappa > 0             ? b->least_kappa
                                                : 1;
    b->hardness = isfinite(b->hardness) ? fmax(b->hardness, b->kappa) : b->kappa;
}

void rbv_balance_fill_stiffness(RbvBalance *b) {
    memset(b->values, 0, (size_t)b->value_count * sizeof *b->values);
    for (int32_t k = 0; k < b->rows; k++) /* rbv_state_stiffness takes them in their own units */
        b->b[k] = b->lambda[k] * b->weight[k];
    RbvStiffnessSink sink = {b, add_stiffness_block, NULL};
    b->hardness = 0;
    if (b->blocks)
        rbv_coordinate_blocks_evaluate(b->blocks);
    rbv_state_stiffness(b->state, b->b, &sink);
    if (b->blocks)
        rbv_coordinate_blocks_add_second(b->blocks, b->b, b->start, b->values);
    set_kappa(b);
}

void rbv_balance_fill(RbvBalance *b, double mu, double mass, double compliance) {
    rbv_balance_fill_stiffness(b);
    add_shifts(b, mu, mass);
    add_rows(b, compliance);
    decouple_locked(b);
}

bool rbv_balance_factor(RbvBalance *b, double mu, double mass, double compliance) {
    rbv_balance_fill(b, mu, mass, compliance);
    return rbv_lu_factor(b->lu, b->values, &b->state->no_memory);
}

void rbv_balance_solve(RbvBalance *b, const double *f, const double *h, double *y, double *l) {
    memcpy(b->b, f, (size_t)b->n * sizeof *f);
    memcpy(b->b + b->n, h, (size_t)b->rows * sizeof *h);
    rbv_balance_clear_locked(b, b->b);
    rbv_lu_solve(b->lu, b->b);
    memcpy(y, b->b, (size_t)b->n * sizeof *y);
    if (l)
        memcpy(l, b->b + b->n, (size_t)b->rows * sizeof *l);
}

void rbv_balance_newton(RbvBalance *b, bool ignores_rows, double *y, double *l) {
    for (int32_t j = 0; j < b->n; j++)
        b->b[j] = -b->gradient[j];
    for (int32_t k = 0; k < b->rows; k++)
        b->b[b->n + k] = (ignores_rows ? 0 : -b->phi[k]) - b->compliance * b->lambda[k];
    rbv_balance_clear_locked(b, b->b);
    rbv_lu_solve(b->lu, b->b);
    memcpy(y, b->b, (size_t)b->n * sizeof *y);
    memcpy(l, b->b + b->n, (size_t)b->rows * sizeof *l);
    rbv_balance_complete(b, l);
}

/* Factors [I C^T; C -c], for projections onto the tangent space and its complement. */
static bool factor_projection(RbvBalance *b, double compliance) {
    double kappa = b->kappa;
    memset(b->values, 0, (size_t)b->value_count * sizeof *b->values);
    b->kappa = 1;
    add_shifts(b, 1, 0);
    add_rows(b, compliance);
    decouple_locked(b);
    b->kappa = kappa;
    return rbv_lu_factor(b->lu, b->values, &b->state->no_memory);
}

/* Least squares for the multipliers: ridge, and passes that remove its error, each all but ridge / (ridge + sigma^2) of
 * it. Near a singular position more passes are made, as long as each leaves less than half of the residual force. */
#define MULTIPLIER_RIDGE 1e-8
#define MULTIPLIER_PASSES 3
#define MOST_MULTIPLIER_PASSES 20
#define MULTIPLIER_GAIN 0.5

bool rbv_balance_multipliers(RbvBalance *b) {
    bool good = factor_projection(b, MULTIPLIER_RIDGE) &&
                (!b->locked_bodies || rbv_locked_bodies_factor(b->locked_bodies, b->C, &b->state->no_memory));
    double left = INFINITY, before = INFINITY;
    for (int pass = 0; good && (pass < MULTIPLIER_PASSES ||
                                (pass < MOST_MULTIPLIER_PASSES && left > 0 && left < MULTIPLIER_GAIN * before));
         pass++) {
        for (int32_t j = 0; j < b->n; j++)
            b->b[j] = -b->gradient[j];
        for (int32_t k = 0; k < b->rows; k++)
            b->b[b->n + k] = -MULTIPLIER_RIDGE * b->lambda[k];
        rbv_balance_clear_locked(b, b->b);
        rbv_lu_solve(b->lu, b->b);
        memcpy(b->lambda, b->b + b->n, (size_t)b->rows * sizeof *b->lambda);
        before = left;
        left = rbv_balance_residual(b, b->lambda);
    }
    if (good)
        rbv_balance_complete(b, b->lambda);
    return good;
}

double rbv_balance_residual(RbvBalance *b, const double *l) {
    double most = 0;
    memcpy(b->K_y, b->gradient, (size_t)b->n * sizeof *b->K_y);
    for (int32_t k = 0; k < b->rows; k++)
        for (int32_t e = b->system->C.start[k]; e < b->system->C.start[k + 1]; e++)
            b->K_y[b->system->C.column[e]] += l[k] * b->C[e];
    for (int32_t j = 0; j < b->n; j++)
        most = fmax(most, fabs(b->K_y[j]));
    return most;
}

void rbv_balance_stiffness(const RbvBalance *b, const double *x, double *out) {
    for (int32_t r = 0; r < b->n; r++) {
        double sum = 0;
        for (int32_t e = b->start[r]; e < b->start[r] + b->width[r]; e++)
            sum += b->values[e] * x[b->index[e]];
        out[r] = sum;
    }
}

double rbv_balance_body_stiffness(const RbvBalance *b, int32_t body) {
    const RbvBodyColumns *bodies = &b->system->bodies;
    double most = 0;
    for (int32_t r = bodies->start[body]; r < bodies->start[body + 1]; r++)
        for (int32_t e = b->start[r]; e < b->start[r] + b->width[r]; e++)
            most = fmax(most, fabs(b->values[e]));
    return most;
}

double rbv_balance_largest(const RbvBalance *b) {
    double most = 0;
    for (int32_t k = 0; k < b->rows; k++)
        most = fmax(most, fabs(b->lambda[k]));
    return most;
}

/* b->b: the least step that satisfies the linearized rows, from phi at the evaluated state. */
static bool step_to_rows(RbvBalance *b, double ridge) {
    if (!factor_projection(b, ridge))
        return false;
    memset(b->b, 0, (size_t)b->n * sizeof *b->b);
    for (int32_t k = 0; k < b->rows; k++)
        b->b[b->n + k] = -b->phi[k];
    rbv_balance_clear_locked(b, b->b);
    rbv_lu_solve(b->lu, b->b);
    return true;
}

bool rbv_balance_project(RbvBalance *b) {
    double last = INFINITY;
    for (int step = 0; step < MOST_RETURNS; step++) {
        if (!rbv_state_place(b->state))
            return false;
        evaluate_rows(b);
        if (!(b->error <= last))
            return rbv_balance_evaluate(b) && b->error <= RBV_ASSEMBLY_TOLERANCE;
        if (b->error <= RBV_ROUNDING || (b->error <= 1e-3 * RBV_ASSEMBLY_TOLERANCE && b->error > 0.1 * last))
            return rbv_balance_evaluate(b);
        last = b->error;
        if (!step_to_rows(b, RETURN_RIDGE))
            return false;
        for (int32_t j = 0; j < b->n; j++)
            b->K_y[j] = b->b[j] * b->scale[j];
        rbv_coordinates_step(&b->system->coordinates, b->state->q, b->K_y);
    }
    return rbv_balance_evaluate(b) && b->error <= RBV_ASSEMBLY_TOLERANCE;
}

/* Steps towards the rows with the same factors must each leave less than this part of the error; else the matrix is
 * factored again where the last one has led. */
#define MOST_APPROACHES 12
#define MOST_REFACTORED 3
#define CHORD_GAIN 0.5
/* Longest of these steps of a body [rad], and in parts of its size: a longer one has lost its way. */
#define MOST_APPROACH_TURN 0.6
#define MOST_APPROACH_MOVE 1

/* Newton's steps; false: one is too long. */
static bool approach(RbvBalance *b, double mu) {
    double last = INFINITY;
    int refactored = 0;
    for (int step = 0; step < MOST_APPROACHES && rbv_state_place(b->state); step++) {
        evaluate_rows(b);
        if (b->error <= (step == 0 ? RBV_ASSEMBLY_TOLERANCE : RBV_ROUNDING))
            return true;
        if (!(b->error < CHORD_GAIN * last) &&
            (b->error <= RBV_ASSEMBLY_TOLERANCE || refactored++ == MOST_REFACTORED || !rbv_balance_evaluate(b) ||
             !rbv_balance_factor(b, mu, 0, b->compliance)))
            return true;
        last = b->error;
        memset(b->b, 0, (size_t)b->n * sizeof *b->b);
        for (int32_t k = 0; k < b->rows; k++)
            b->b[b->n + k] = -b->phi[k];
        rbv_balance_clear_locked(b, b->b);
        rbv_lu_solve(b->lu, b->b);
        if (!(rbv_balance_limit(b, b->b, MOST_APPROACH_TURN, MOST_APPROACH_MOVE) >= 1))
            return false;
        rbv_balance_go_on(b, b->b);
    }
    return true;
}

bool rbv_balance_approach(RbvBalance *b, double mu) {
    const double kappa = b->kappa, hardness = b->hardness;
    bool near = approach(b, mu);
    b->kappa = kappa;
    b->hardness = hardness;
    return near;
}

/* Ridge for rows that may contradict each other. */
#define TOWARDS_RIDGE 1e-6

bool rbv_balance_step_to_rows(RbvBalance *b, double *y) {
    evaluate_rows(b);
    if (!step_to_rows(b, TOWARDS_RIDGE))
        return false;
    memcpy(y, b->b, (size_t)b->n * sizeof *y);
    return true;
}

/* Linear system of the balance with one more unknown and one more equation. It is regular at folds, where the system
 * itself is singular.
 *
 *   [ A     f ] [ x ]   [ a ]      A: the balance's matrix, as last filled; f[n + rows]; row[n] acts on the coordinates
 *   [ row   c ] [ u ] = [ b ]
 */

bool rbv_bordered_create(RbvBordered *p, const RbvBalance *b) {
    int32_t inner = b->n + b->rows, size = inner + 1;
    size_t count = (size_t)b->value_count + (size_t)inner + (size_t)b->n + 2;
    *p = (RbvBordered){.size = size, .n = b->n};
    p->start = rbv_arena_alloc(&p->arena, ((size_t)size + 1) * sizeof *p->start);
    p->index = rbv_arena_alloc(&p->arena, count * sizeof *p->index);
    p->values = rbv_arena_alloc(&p->arena, count * sizeof *p->values);
    if (!p->start || !p->index || !p->values)
        return false;
    int32_t at = 0;
    for (int32_t i = 0; i < inner; i++) {
        p->start[i] = at;
        for (int32_t e = b->start[i]; e < b->start[i + 1]; e++)
            p->index[at++] = b->index[e];
        p->index[at++] = inner;
    }
    p->start[inner] = at;
    for (int32_t j = 0; j < b->n; j++)
        p->index[at++] = j;
    p->index[at++] = inner;
    p->start[size] = at;
    p->lu = rbv_lu_create(size, p->start, p->index);
    return p->lu != NULL;
}

void rbv_bordered_destroy(RbvBordered *p) {
    rbv_lu_destroy(p->lu);
    rbv_arena_clear(&p->arena);
    *p = (RbvBordered){0};
}

bool rbv_bordered_factor(RbvBordered *p, const RbvBalance *b, const double *column, const double *row, double corner) {
    int32_t inner = p->size - 1;
    for (int32_t i = 0; i < inner; i++) {
        int32_t width = b->start[i + 1] - b->start[i];
        memcpy(p->values + p->start[i], b->values + b->start[i], (size_t)width * sizeof *p->values);
        p->values[p->start[i] + width] = column[i];
    }
    memcpy(p->values + p->start[inner], row, (size_t)p->n * sizeof *row);
    p->values[p->start[inner] + p->n] = corner;
    return rbv_lu_factor(p->lu, p->values, &b->state->no_memory);
}

void rbv_bordered_solve(RbvBordered *p, double *x) {
    rbv_lu_solve(p->lu, x);
}
