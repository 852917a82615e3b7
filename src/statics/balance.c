/* The balance of forces and its linear system; see balance.h. */
#include "statics/balance.h"

#include "assembly/assemble.h"

#include <stdlib.h>
#include <string.h>

/* Largest error of Phi when a step has returned, over the size of the part: rounding of a few operations. */
#define RETURNED 1e-13
#define MOST_RETURNS 12
/* Of the projection onto the constraints: singular values of C below its root are not followed. */
#define RETURN_RIDGE 1e-13

typedef struct Pairs {
    uint64_t *items;
    size_t count, capacity;
    bool lost;
} Pairs;

static void note_pair(void *context, int32_t i, int32_t j, double factor, const double *block, int32_t width) {
    Pairs *pairs = context;
    (void)factor, (void)block, (void)width;
    uint64_t pair = (uint64_t)(uint32_t)i << 32 | (uint32_t)j;
    if (pairs->count > 0 && pairs->items[pairs->count - 1] == pair)
        return;
    if (pairs->count == pairs->capacity) {
        size_t capacity = pairs->capacity ? 2 * pairs->capacity : 256;
        uint64_t *grown = realloc(pairs->items, capacity * sizeof *grown);
        pairs->lost = pairs->lost || !grown;
        if (!grown)
            return;
        pairs->items = grown;
        pairs->capacity = capacity;
    }
    pairs->items[pairs->count++] = pair;
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Which bodies' blocks K has, from one stream of it: the pattern does not depend on the state. */
static bool find_neighbours(RbvBalance *b) {
    const RbvBodyColumns *bodies = &b->system->bodies;
    Pairs pairs = {0};
    RbvStiffnessSink sink = {&pairs, note_pair, NULL};
    rbv_state_stiffness(b->state, b->lambda, &sink);
    for (int32_t i = 1; i < bodies->count; i++)
        note_pair(&pairs, i, i, 0, NULL, 0);
    const RbvModel *model = b->system->model;
    for (int32_t k = 0; k < model->generalized.count * model->generalized.count; k++) /* their masses */
        note_pair(&pairs, model->generalized.items[k / model->generalized.count].body, model->generalized.items[k % model->generalized.count].body, 0, NULL, 0);
    b->neighbour_start = calloc((size_t)bodies->count + 2, sizeof *b->neighbour_start);
    b->neighbour = malloc((pairs.count + 1) * sizeof *b->neighbour);
    b->offset = malloc((pairs.count + 1) * sizeof *b->offset);
    bool good = !pairs.lost && b->neighbour_start && b->neighbour && b->offset;
    if (good) {
        qsort(pairs.items, pairs.count, sizeof *pairs.items, by_value);
        int32_t count = 0, width = 0, last = -1;
        for (size_t k = 0; k < pairs.count; k++) {
            int32_t i = (int32_t)(pairs.items[k] >> 32), j = (int32_t)(pairs.items[k] & 0xffffffffu);
            if (k > 0 && pairs.items[k] == pairs.items[k - 1])
                continue;
            width = i == last ? width : 0;
            last = i;
            b->neighbour[count] = j;
            b->offset[count++] = width;
            width += rbv_bodies_columns(bodies, j);
            b->neighbour_start[i + 1] = count;
        }
    }
    free(pairs.items);
    return good;
}

/* Rows 0 ... n-1: blocks of K, then the columns of C^T; rows n ...: C_k and the diagonal. */
static bool build(RbvBalance *b) {
    const RbvSystem *system = b->system;
    const RbvBodyColumns *bodies = &system->bodies;
    int32_t n = b->n, total = n + b->rows, nonzeros = system->C.start[b->rows];
    b->start = calloc((size_t)total + 2, sizeof *b->start);
    b->at = malloc(((size_t)nonzeros + 1) * sizeof *b->at);
    b->at_transposed = malloc(((size_t)nonzeros + 1) * sizeof *b->at_transposed);
    if (!b->start || !b->at || !b->at_transposed)
        return false;
    for (int32_t i = 1; i < bodies->count; i++) {
        int32_t last = b->neighbour_start[i + 1] - 1;
        for (int32_t r = bodies->start[i]; r < bodies->start[i + 1]; r++)
            b->start[r + 1] = b->offset[last] + rbv_bodies_columns(bodies, b->neighbour[last]);
    }
    for (int32_t e = 0; e < nonzeros; e++)
        b->start[system->C.column[e] + 1]++;
    for (int32_t k = 0; k < b->rows; k++)
        b->start[n + k + 1] = system->C.start[k + 1] - system->C.start[k] + 1;
    for (int32_t k = 0; k < total; k++)
        b->start[k + 1] += b->start[k];
    b->value_count = b->start[total];
    int32_t *index = b->index = malloc(((size_t)b->value_count + 1) * sizeof *index), *next = malloc(((size_t)n + 1) * sizeof *next);
    b->values = malloc(((size_t)b->value_count + 1) * sizeof *b->values);
    bool good = index && next && b->values;
    for (int32_t i = 1; good && i < bodies->count; i++)
        for (int32_t r = bodies->start[i]; r < bodies->start[i + 1]; r++) {
            next[r] = b->start[r];
            for (int32_t p = b->neighbour_start[i]; p < b->neighbour_start[i + 1]; p++)
                for (int32_t c = bodies->start[b->neighbour[p]]; c < bodies->start[b->neighbour[p] + 1]; c++)
                    index[next[r]++] = c;
        }
    for (int32_t k = 0; good && k < b->rows; k++) {
        int32_t at = b->start[n + k];
        for (int32_t e = system->C.start[k]; e < system->C.start[k + 1]; e++) {
            int32_t j = system->C.column[e];
            index[at] = j;
            b->at[e] = at++;
            index[next[j]] = n + k;
            b->at_transposed[e] = next[j]++;
        }
        index[at] = n + k;
    }
    if (good)
        b->lu = rbv_lu_create(total, b->start, index);
    free(next);
    return good && b->lu;
}

/* Rows to unit gradients at the first state; a row without a gradient here keeps its own units. */
static void set_weights(RbvBalance *b) {
    const RbvSystem *system = b->system;
    for (int32_t k = 0; k < b->rows; k++) {
        double sum = 0;
        for (int32_t e = system->C.start[k]; e < system->C.start[k + 1]; e++) {
            double c = b->state->C[e] * b->scale[system->C.column[e]];
            sum += c * c;
        }
        b->weight[k] = system->rows[k].on_rates && system->rows[k].owner != RBV_OWNER_SPIN && !b->locked ? 0 : sum > 1e-20 && isfinite(sum) ? 1 / sqrt(sum) : 1;
    }
}

bool rbv_balance_weigh(RbvBalance *b) {
    if (!rbv_state_place(b->state))
        return false;
    rbv_state_jacobian(b->state);
    for (int32_t k = 0; k < b->rows; k++) /* in their own units meanwhile */
        b->lambda[k] *= b->weight[k];
    set_weights(b);
    for (int32_t k = 0; k < b->rows; k++)
        b->lambda[k] = b->weight[k] > 0 ? b->lambda[k] / b->weight[k] : 0;
    return true;
}

RbvBalance *rbv_balance_create(RbvState *state, bool locked) {
    const RbvSystem *system = state->system;
    RbvBalance *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    size_t n = (size_t)system->coordinates.size + 1, rows = (size_t)system->held_count + 1;
    b->system = system;
    b->state = state;
    b->n = system->coordinates.size;
    b->rows = system->held_count;
    b->locked = locked;
    for (int32_t i = 1; i < system->bodies.count; i++)
        b->reach = fmax(b->reach, rbv_state_body_size(state, i));
    b->scale = rbv_state_column_scales(state);
    b->weight = malloc(rows * sizeof(double));
    b->gradient = malloc(n * sizeof(double));
    b->phi = malloc(rows * sizeof(double));
    b->C = malloc(((size_t)system->C.start[b->rows] + 1) * sizeof(double));
    b->lambda = calloc(rows, sizeof(double));
    b->b = malloc((n + rows) * sizeof(double));
    b->K_y = malloc(n * sizeof(double));
    b->kept = malloc(((size_t)system->coordinates.position_size + 1) * sizeof(double));
    b->kappa = 1;
    bool good = b->scale && b->weight && b->gradient && b->phi && b->C && b->lambda && b->b && b->K_y && b->kept;
    if (good) {
        rbv_state_place(state);
        rbv_state_jacobian(state);
        set_weights(b);
        rbv_balance_keep(b);
        rbv_balance_place(b); /* when the loads are not finite the caller finds out by placing again */
        good = find_neighbours(b) && build(b);
        if (good)
            rbv_balance_factor(b, 1, 0, 1); /* for kappa */
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
    rbv_lu_destroy(b->lu);
    rbv_held_destroy(b->held);
    void *const parts[] = {b->scale, b->weight, b->gradient, b->phi, b->C, b->lambda, b->start, b->neighbour_start, b->neighbour, b->offset,
                           b->index, b->at, b->at_transposed, b->values, b->b, b->K_y, b->kept};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        free(parts[k]);
    free(b);
}

bool rbv_balance_hold(RbvBalance *b, double below) {
    if (!rbv_held_create(b->state, b->weight, below, &b->held))
        return false;
    if (b->held && !rbv_held_factor(b->held, b->C, &b->state->no_memory)) {
        rbv_held_destroy(b->held);
        b->held = NULL;
    }
    return !b->state->no_memory;
}

/* Phi and C of the placed state, scaled. */
static void take_rows(RbvBalance *b) {
    const RbvSystem *system = b->system;
    rbv_state_jacobian(b->state);
    b->error = b->gap = 0;
    for (int32_t k = 0; k < b->rows; k++) {
        b->phi[k] = system->rows[k].on_rates ? 0 : b->weight[k] * b->state->phi[k];
        double gap = fabs(b->phi[k]), rounding = b->weight[k] * rbv_state_row_rounding(b->state, k);
        b->gap = fmax(b->gap, gap);
        b->error = fmax(b->error, (gap - rounding) / rbv_state_row_size(b->state, k));
        for (int32_t e = system->C.start[k]; e < system->C.start[k + 1]; e++)
            b->C[e] = b->weight[k] * b->state->C[e] * b->scale[system->C.column[e]];
    }
}

bool rbv_balance_place(RbvBalance *b) {
    RbvState *state = b->state;
    const RbvBodyColumns *bodies = &b->system->bodies;
    memset(state->v, 0, (size_t)b->n * sizeof *state->v);
    memset(state->a, 0, (size_t)b->n * sizeof *state->a);
    if (!rbv_state_place(state) || !rbv_state_rates(state))
        return false;
    rbv_state_move(state);
    if (!rbv_state_load(state) || !rbv_state_masses(state))
        return false;
    take_rows(b);
    b->force_size = 0;
    for (int32_t j = 0; j < b->n; j++)
        b->gradient[j] = -state->Q[j] * b->scale[j];
    for (int32_t body = 1; body < bodies->count; body++) {
        double sum = 0;
        for (int32_t j = bodies->start[body]; j < bodies->start[body + 1]; j++)
            sum += fabs(b->gradient[j]);
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

static void add_block(void *context, int32_t i, int32_t j, double factor, const double *block, int32_t width) {
    RbvBalance *b = context;
    const RbvBodyColumns *bodies = &b->system->bodies;
    int32_t offset = offset_of(b, i, j), rows = rbv_bodies_columns(bodies, i), columns = rbv_bodies_columns(bodies, j);
    for (int32_t r = 0; r < rows; r++) {
        double *to = b->values + b->start[bodies->start[i] + r] + offset, k = factor * b->scale[bodies->start[i] + r];
        for (int32_t c = 0; c < columns; c++)
            to[c] += k * b->scale[bodies->start[j] + c] * block[rbv_bodies_direction(bodies, r) * width + rbv_bodies_direction(bodies, c)];
    }
}

/* s M of generalized coordinates. */
static void add_generalized(RbvBalance *b, double mass) {
    const RbvModel *model = b->system->model;
    int32_t n = model->generalized.count;
    for (int32_t k = 0; k < n * n; k++) {
        const double block[36] = {b->state->mass[k]};
        add_block(b, model->generalized.items[k / n].body, model->generalized.items[k % n].body, mass, block, 6);
    }
}

/* s M, scaled, onto the blocks; and mu kappa on the diagonal. */
static void add_shifts(RbvBalance *b, double mu, double mass) {
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
            add_block(b, i, i, mass, block, 6);
        int32_t offset = offset_of(b, i, i);
        for (int32_t j = bodies->start[i]; j < bodies->start[i + 1]; j++)
            b->values[b->start[j] + offset + j - bodies->start[i]] += mu * b->kappa;
    }
}

static void add_rows(RbvBalance *b, double compliance) {
    b->compliance = compliance;
    for (int32_t k = 0; k < b->rows; k++) {
        for (int32_t c = b->system->C.start[k]; c < b->system->C.start[k + 1]; c++)
            b->values[b->at[c]] = b->values[b->at_transposed[c]] = b->C[c];
        b->values[b->start[b->n + k + 1] - 1] = -compliance;
    }
}

/* Held bodies: unit stiffness by themselves, and nothing that joins them to others. */
static void clamp(RbvBalance *b) {
    const RbvHeld *held = b->held;
    for (int32_t r = 0; held && r < b->n + b->rows; r++) {
        bool stays = r < b->n ? held->place[r] >= 0 : held->is_held[r - b->n];
        for (int32_t e = b->start[r]; e < b->start[r + 1]; e++) {
            int32_t c = b->index[e];
            if (stays || (c < b->n ? held->place[c] >= 0 : held->is_held[c - b->n]))
                b->values[e] = r != c ? 0 : r < b->n ? b->kappa : -1 / b->kappa;
        }
    }
}

void rbv_balance_leave_held(const RbvBalance *b, double *x) {
    for (int32_t r = 0; b->held && r < b->n + b->rows; r++)
        if (r < b->n ? b->held->place[r] >= 0 : b->held->is_held[r - b->n])
            x[r] = 0;
}

void rbv_balance_complete(RbvBalance *b, double *l) {
    if (b->held)
        rbv_held_multipliers(b->held, b->C, b->gradient, l);
}

/* The scale of stiffness: the largest entry, or what the loads over the reach would be. */
static void take_kappa(RbvBalance *b) {
    double largest = b->force_size / b->reach;
    for (int32_t k = 0; k < b->start[b->n]; k++)
        largest = fmax(largest, fabs(b->values[k]));
    b->kappa = largest > 0 && isfinite(largest) ? fmax(largest, b->least_kappa) : b->least_kappa > 0 ? b->least_kappa : 1;
}

void rbv_balance_take_stiffness(RbvBalance *b) {
    memset(b->values, 0, (size_t)b->value_count * sizeof *b->values);
    for (int32_t k = 0; k < b->rows; k++) /* the stream wants them in their own units */
        b->b[k] = b->lambda[k] * b->weight[k];
    RbvStiffnessSink sink = {b, add_block, NULL};
    rbv_state_stiffness(b->state, b->b, &sink);
    take_kappa(b);
}

void rbv_balance_fill(RbvBalance *b, double mu, double mass, double compliance) {
    rbv_balance_take_stiffness(b);
    add_shifts(b, mu, mass);
    add_rows(b, compliance);
    clamp(b);
}

bool rbv_balance_factor(RbvBalance *b, double mu, double mass, double compliance) {
    rbv_balance_fill(b, mu, mass, compliance);
    return rbv_lu_factor(b->lu, b->values, &b->state->no_memory);
}

void rbv_balance_solve(RbvBalance *b, const double *f, const double *h, double *y, double *l) {
    memcpy(b->b, f, (size_t)b->n * sizeof *f);
    memcpy(b->b + b->n, h, (size_t)b->rows * sizeof *h);
    rbv_balance_leave_held(b, b->b);
    rbv_lu_solve(b->lu, b->b);
    memcpy(y, b->b, (size_t)b->n * sizeof *y);
    if (l)
        memcpy(l, b->b + b->n, (size_t)b->rows * sizeof *l);
}

void rbv_balance_newton(RbvBalance *b, bool held, double *y, double *l) {
    for (int32_t j = 0; j < b->n; j++)
        b->b[j] = -b->gradient[j];
    for (int32_t k = 0; k < b->rows; k++)
        b->b[b->n + k] = (held ? 0 : -b->phi[k]) - b->compliance * b->lambda[k];
    rbv_balance_leave_held(b, b->b);
    rbv_lu_solve(b->lu, b->b);
    memcpy(y, b->b, (size_t)b->n * sizeof *y);
    memcpy(l, b->b + b->n, (size_t)b->rows * sizeof *l);
    rbv_balance_complete(b, l);
}

/* Factors of [I C^T; C -c]: projections on the tangent space and off it. */
static bool factor_projection(RbvBalance *b, double compliance) {
    double kappa = b->kappa;
    memset(b->values, 0, (size_t)b->value_count * sizeof *b->values);
    b->kappa = 1;
    add_shifts(b, 1, 0);
    add_rows(b, compliance);
    clamp(b);
    b->kappa = kappa;
    return rbv_lu_factor(b->lu, b->values, &b->state->no_memory);
}

/* Ridge of the multipliers' least squares; more passes wipe out what it costs. */
#define MULTIPLIER_RIDGE 1e-8

bool rbv_balance_multipliers(RbvBalance *b) {
    bool good = factor_projection(b, MULTIPLIER_RIDGE) && (!b->held || rbv_held_factor(b->held, b->C, &b->state->no_memory));
    for (int pass = 0; good && pass < 3; pass++) {
        for (int32_t j = 0; j < b->n; j++)
            b->b[j] = -b->gradient[j];
        for (int32_t k = 0; k < b->rows; k++)
            b->b[b->n + k] = -MULTIPLIER_RIDGE * b->lambda[k];
        rbv_balance_leave_held(b, b->b);
        rbv_lu_solve(b->lu, b->b);
        memcpy(b->lambda, b->b + b->n, (size_t)b->rows * sizeof *b->lambda);
    }
    if (good)
        rbv_balance_complete(b, b->lambda);
    return good;
}

double rbv_balance_left(RbvBalance *b, const double *l) {
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
    const RbvBodyColumns *bodies = &b->system->bodies;
    for (int32_t i = 1; i < bodies->count; i++)
        for (int32_t r = bodies->start[i]; r < bodies->start[i + 1]; r++) {
            double sum = 0;
            for (int32_t p = b->neighbour_start[i]; p < b->neighbour_start[i + 1]; p++) {
                int32_t first = bodies->start[b->neighbour[p]];
                for (int32_t c = first; c < bodies->start[b->neighbour[p] + 1]; c++)
                    sum += b->values[b->start[r] + b->offset[p] + c - first] * x[c];
            }
            out[r] = sum;
        }
}

double rbv_balance_body_stiffness(const RbvBalance *b, int32_t body) {
    const RbvBodyColumns *bodies = &b->system->bodies;
    int32_t last = b->neighbour_start[body + 1] - 1, width = b->offset[last] + rbv_bodies_columns(bodies, b->neighbour[last]);
    double most = 0;
    for (int32_t r = bodies->start[body]; r < bodies->start[body + 1]; r++)
        for (int32_t c = 0; c < width; c++)
            most = fmax(most, fabs(b->values[b->start[r] + c]));
    return most;
}

double rbv_balance_largest(const RbvBalance *b) {
    double most = 0;
    for (int32_t k = 0; k < b->rows; k++)
        most = fmax(most, fabs(b->lambda[k]));
    return most;
}

double rbv_balance_dot(const RbvBalance *balance, const double *a, const double *b) {
    double sum = 0;
    for (int32_t k = 0; k < balance->n; k++)
        sum += a[k] * b[k];
    return sum;
}

void rbv_balance_keep(RbvBalance *b) {
    memcpy(b->kept, b->state->q, (size_t)b->system->coordinates.position_size * sizeof *b->kept);
}

void rbv_balance_back(RbvBalance *b) {
    memcpy(b->state->q, b->kept, (size_t)b->system->coordinates.position_size * sizeof *b->kept);
}

void rbv_balance_move(RbvBalance *b, const double *y, double factor) {
    rbv_balance_back(b);
    for (int32_t j = 0; j < b->n; j++)
        b->K_y[j] = factor * b->scale[j] * y[j];
    rbv_coordinates_step(&b->system->coordinates, b->state->q, b->K_y);
}

double rbv_balance_limit(const RbvBalance *b, const double *y, double turn, double move) {
    const RbvBodyColumns *bodies = &b->system->bodies;
    double turned = 0, moved = 0;
    for (int32_t j = 0; j < b->n; j++)
        b->K_y[j] = b->scale[j] * y[j];
    for (int32_t i = 1; i < bodies->count; i++) {
        RbvTwist twist = rbv_bodies_twist(bodies, i, b->K_y);
        turned = fmax(turned, rbv_norm(twist.w));
        moved = fmax(moved, rbv_norm(twist.v) / rbv_state_body_size(b->state, i));
    }
    return fmin(1, fmin(turn / fmax(turned, 1e-300), move / fmax(moved, 1e-300)));
}

double rbv_balance_extent(const RbvBalance *b, const double *x) {
    const RbvBodyColumns *bodies = &b->system->bodies;
    double most = 0;
    for (int32_t i = 1; i < bodies->count; i++)
        for (int32_t j = bodies->start[i]; j < bodies->start[i + 1]; j++)
            most = fmax(most, fabs(x[j]) / fmin(rbv_state_body_size(b->state, i), rbv_state_body_arm(b->state, i)));
    return most;
}

/* b->b: the step that puts the rows back, the nearest one, from their gaps at the placed state. */
static bool step_to_rows(RbvBalance *b, double ridge) {
    if (!factor_projection(b, ridge))
        return false;
    memset(b->b, 0, (size_t)b->n * sizeof *b->b);
    for (int32_t k = 0; k < b->rows; k++)
        b->b[b->n + k] = -b->phi[k];
    rbv_balance_leave_held(b, b->b);
    rbv_lu_solve(b->lu, b->b);
    return true;
}

bool rbv_balance_project(RbvBalance *b) {
    double last = INFINITY;
    for (int step = 0; step < MOST_RETURNS; step++) {
        if (!rbv_state_place(b->state))
            return false;
        take_rows(b);
        if (!(b->error <= last))
            return rbv_balance_place(b) && b->error <= RBV_ASSEMBLY_TOLERANCE;
        if (b->error <= RETURNED || (b->error <= 1e-3 * RBV_ASSEMBLY_TOLERANCE && b->error > 0.1 * last))
            return rbv_balance_place(b);
        last = b->error;
        if (!step_to_rows(b, RETURN_RIDGE))
            return false;
        for (int32_t j = 0; j < b->n; j++)
            b->K_y[j] = b->b[j] * b->scale[j];
        rbv_coordinates_step(&b->system->coordinates, b->state->q, b->K_y);
    }
    return rbv_balance_place(b) && b->error <= RBV_ASSEMBLY_TOLERANCE;
}

/* Ridge of rows that may contradict each other. */
#define TOWARDS_RIDGE 1e-6

bool rbv_balance_towards(RbvBalance *b, double *y) {
    take_rows(b);
    if (!step_to_rows(b, TOWARDS_RIDGE))
        return false;
    memcpy(y, b->b, (size_t)b->n * sizeof *y);
    return true;
}
