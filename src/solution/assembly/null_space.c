/* R and the accelerations of constant z'; see null_space.h. Accelerations: those of least norm that satisfy the rows,
 * minus R times the second rates that they give the coordinates z. */
#include "solution/assembly/null_space.h"

#include "core/base/tolerances.h"
#include "core/solve/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *rbv_null_space_missing(const RbvSystem *system) {
    if (system->rate_equations)
        return "an equation is not linear in the rates, so that no matrix gives them";
    return system->bodies.size > RBV_NULL_SPACE_MOST || system->row_count > 2 * RBV_NULL_SPACE_MOST
               ? "there are too many coordinates or rows for full matrices"
               : NULL;
}

/* Lists the active rows with the drives open. False if out of memory. */
static bool list_rows(RbvNullSpace *s, const bool *without) {
    const RbvSystem *system = s->state->system;
    s->rows = rbv_arena_array(&s->arena, (size_t)system->satisfied_count + 1, sizeof *s->rows);
    for (int32_t k = 0; s->rows && k < system->satisfied_count; k++)
        if (k >= system->row_count || !without[k])
            s->rows[s->row_count++] = k;
    return s->rows != NULL;
}

/* Takes the drives' coordinates, then the remaining freedoms with their names. False if out of memory. */
static bool take_coordinates(RbvNullSpace *s) {
    const RbvModel *model = s->state->system->model;
    const size_t most = (size_t)s->state->system->bodies.size + 1, room = 300 * most;
    char *text = rbv_arena_array(&s->arena, room, 1);
    s->names = rbv_arena_array(&s->arena, most, sizeof *s->names);
    s->drive = rbv_arena_array(&s->arena, most, sizeof *s->drive);
    s->taken = rbv_arena_array(&s->arena, most, sizeof *s->taken);
    if (!text || !s->names || !s->drive || !s->taken)
        return false;
    rbv_freedom_keep(s->freedom);
    rbv_freedom_take_idle(s->freedom, s->state);
    for (int32_t k = 0; k < model->drives.count; k++) {
        if (!rbv_freedom_take_row(s->freedom, s->state, s->state->system->drive_row[k]))
            continue;
        s->names[s->count] = model->drives.items[k].coordinate;
        s->taken[s->count] = rbv_freedom_taken(s->freedom) - 1;
        s->drive[s->count++] = k;
    }
    int32_t first = rbv_freedom_taken(s->freedom);
    rbv_freedom_complete(s->freedom, s->state, text, room);
    for (char *at = text; *at; s->count++) {
        size_t length = strcspn(at, ",");
        char *next = at + length + strspn(at + length, ", ");
        s->names[s->count] = at;
        s->drive[s->count] = -1;
        s->taken[s->count] = first++;
        at[length] = '\0';
        at = next;
    }
    return !rbv_freedom_lost(s->freedom);
}

/* The pseudoinverse of the rows, with columns scaled to lengths as in freedoms. */
static RbvStatus invert_rows(RbvNullSpace *s) {
    const RbvSystem *system = s->state->system;
    const int32_t n = system->bodies.size, m = s->row_count, least = n < m ? n : m;
    RbvArena arena = {0};
    double *A = rbv_arena_array(&arena, (size_t)n * (size_t)m + 1, sizeof *A),
           *U = rbv_arena_array(&arena, (size_t)m * (size_t)m + 1, sizeof *U),
           *Vt = rbv_arena_array(&arena, (size_t)n * (size_t)n + 1, sizeof *Vt),
           *sigma = rbv_arena_array(&arena, (size_t)n + 1, sizeof *sigma);
    double *scale = rbv_state_column_scales(s->state);
    s->inverse = rbv_arena_array(&s->arena, (size_t)n * (size_t)m + 1, sizeof *s->inverse);
    RbvStatus status = A && U && Vt && sigma && scale && s->inverse ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t k = 0; status == RBV_OK && k < m; k++)
        for (int32_t e = system->D.start[s->rows[k]]; e < system->D.start[s->rows[k] + 1]; e++)
            A[(size_t)k + (size_t)system->D.column[e] * (size_t)m] += s->state->D[e] * scale[system->D.column[e]];
    if (status == RBV_OK && m > 0 && n > 0)
        status = rbv_lapack_svd('A', m, n, A, sigma, U, Vt);
    /* Relative to the largest singular value: smaller ones belong to rows that repeat others; as in
     * natural_multipliers.c. */
    for (int32_t r = 0; status == RBV_OK && r < least && sigma[r] > RBV_DATA * sigma[0]; r++)
        for (int32_t j = 0; j < n; j++)
            for (int32_t k = 0; k < m; k++)
                s->inverse[(size_t)j * (size_t)m + (size_t)k] +=
                    scale[j] * Vt[(size_t)r + (size_t)j * (size_t)n] / sigma[r] * U[(size_t)k + (size_t)r * (size_t)m];
    rbv_arena_clear(&arena);
    free(scale);
    return status;
}

RbvStatus rbv_null_space_create(RbvState *state, RbvNullSpace *s) {
    const RbvSystem *system = state->system;
    const size_t n = (size_t)system->bodies.size + 1;
    *s = (RbvNullSpace){.state = state};
    bool *without = rbv_arena_array(&s->arena, (size_t)system->row_count + 1, sizeof *without);
    s->gamma = rbv_arena_array(&s->arena, 2 * (size_t)system->all_count + 1, sizeof(double));
    s->work = rbv_arena_array(&s->arena, 2 * n, sizeof(double));
    if (!without || !s->gamma || !s->work)
        return RBV_NO_MEMORY;
    rbv_freedom_open_rows(state, without);
    if (!(s->freedom = rbv_freedom_create_without(state, system->row_count, without)) || !list_rows(s, without) ||
        !take_coordinates(s))
        return RBV_NO_MEMORY;
    if (!(s->R = rbv_arena_array(&s->arena, (size_t)s->count * n + 1, sizeof(double))))
        return RBV_NO_MEMORY;
    for (int32_t k = 0; k < s->count; k++)
        rbv_freedom_motion(s->freedom, s->taken[k], s->R + (size_t)k * (size_t)system->bodies.size);
    return invert_rows(s);
}

void rbv_null_space_destroy(RbvNullSpace *s) {
    rbv_freedom_destroy(s->freedom);
    rbv_arena_clear(&s->arena);
}

static void move_with(RbvState *state, const double *u, double sign) {
    for (int32_t j = 0; j < state->system->bodies.size; j++)
        state->v[j] = sign * u[j];
    rbv_state_move(state);
}

/* gamma for the rates u alone, without explicit time dependence: the part that is quadratic in u. */
static void find_gamma(RbvNullSpace *s, const double *u) {
    RbvState *state = s->state;
    double *sum = s->gamma, *still = s->gamma + state->system->all_count;
    move_with(state, u, 0);
    memcpy(still, state->gamma_D, (size_t)state->system->satisfied_count * sizeof *still);
    move_with(state, u, -1);
    memcpy(sum, state->gamma_D, (size_t)state->system->satisfied_count * sizeof *sum);
    move_with(state, u, 1);
    for (int32_t k = 0; k < state->system->satisfied_count; k++)
        sum[k] = 0.5 * (sum[k] + state->gamma_D[k]) - still[k];
}

/* Second rate of a measure for the accelerations a of the bodies, at the twists of the state; *measured has value and
 * rate. */
static double second_of(const RbvState *state, const RbvMeasure *measure, RbvMeasureMemory memory, const double *a,
                        RbvMeasureState *measured) {
    const RbvSystem *system = state->system;
    memset(measured, 0, sizeof *measured);
    rbv_measure_place(measure, system->model, state->markers, &memory, measured);
    rbv_measure_move(measure, system->model, state->markers, state->twists, measured);
    double second = measured->bias;
    for (int side = 0; side < 2; side++) {
        int32_t b = state->markers[measure->marker[side]].body;
        RbvTwist twist = b > 0 ? rbv_bodies_twist(&system->bodies, b, a) : (RbvTwist){{0, 0, 0}, {0, 0, 0}};
        second += rbv_dot(measured->gradient[side].force, twist.v) + rbv_dot(measured->gradient[side].torque, twist.w);
    }
    return second;
}

/* Second rate of the user's coordinate f(m): sum f_m m'' + sum f_mn m' n'. */
static double second_of_named(const RbvState *state, const RbvNamedCoordinate *named, const double *a) {
    const RbvModel *model = state->system->model;
    int32_t n = rbv_expr_variable_count(named->value);
    double *x = state->work, *rate = x + n, *second = rate + n, *gradient = second + n, *hessian = gradient + n,
           sum = 0;
    RbvMeasureState measured;
    for (int32_t v = 0; v < n; v++) {
        int32_t m = rbv_variable_of(model, named->value, v).index;
        second[v] = second_of(state, &model->measures.items[m], state->memory[m], a, &measured);
        x[v] = measured.value;
        rate[v] = measured.rate;
    }
    rbv_expr_jet(named->value, x, hessian + n * n, gradient, hessian);
    for (int32_t v = 0; v < n; v++) {
        sum += gradient[v] * second[v];
        for (int32_t w = 0; w < n; w++)
            sum += hessian[v * n + w] * rate[v] * rate[w];
    }
    return sum;
}

/* z_k'' for the accelerations a. */
static double second_rate(const RbvNullSpace *s, int32_t k, const double *a) {
    const RbvState *state = s->state;
    const RbvSystem *system = state->system;
    RbvMeasureState measured;
    if (s->drive[k] >= 0) {
        int32_t row = system->drive_row[s->drive[k]];
        double sum = -s->gamma[row];
        for (int32_t e = system->D.start[row]; e < system->D.start[row + 1]; e++)
            sum += state->D[e] * a[system->D.column[e]];
        return sum;
    }
    RbvFreedomPick pick = rbv_freedom_pick(s->freedom, s->taken[k]);
    if (pick.column >= 0)
        return a[pick.column];
    if (pick.named >= 0)
        return second_of_named(state, &system->model->coordinates.items[pick.named], a);
    return second_of(state, &pick.measure, (RbvMeasureMemory){0, {NAN, NAN}}, a, &measured);
}

void rbv_null_space_accelerate(RbvNullSpace *s, const double *u, double *a) {
    const int32_t n = s->state->system->bodies.size;
    find_gamma(s, u);
    for (int32_t j = 0; j < n; j++) {
        a[j] = 0;
        for (int32_t k = 0; k < s->row_count; k++)
            a[j] += s->inverse[(size_t)j * (size_t)s->row_count + (size_t)k] * s->gamma[s->rows[k]];
    }
    double *least = s->work;
    memcpy(least, a, (size_t)n * sizeof *least);
    for (int32_t k = 0; k < s->count; k++) {
        double second = second_rate(s, k, least);
        for (int32_t j = 0; j < n; j++)
            a[j] -= second * s->R[(size_t)k * (size_t)n + (size_t)j];
    }
}
