/* Newton's equilibrium of bodies (Garcia de Jalon and Bayo, chapter 6). For each body, moments about its centroid,
 * the forces of the joints on it and the efforts balance its inertia and loads,
 *
 *   sum_j +-F_j = m a - F_Q,   sum_j +-(T_j + r_j x F_j) = J alpha + w x J w - T_Q
 * with the wrench (F_j, T_j) of joint j at its second marker, r_j from the centroid to that marker, + on the second
 * body. For each direction (v, w) that a joint leaves free: F_j.v + T_j.w = 0. Efforts act along their rows' own
 * coordinates. Torques and moments are divided by a length, so that they are forces. Multipliers of the rows of a
 * joint follow from its wrench, which is a combination of their unit wrenches. */
#include "solution/reaction/newton_method.h"

#include "core/base/arena.h"
#include "core/base/extremes.h"
#include "core/solve/least_squares.h"
#include "mechanics/forms/form.h"
#include "mechanics/system/system.h"
#include "solution/reaction/method.h"
#include "solution/reaction/reactions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The equations of all bodies or of a group. */

static int32_t body_of(const RbvSystem *system, int32_t joint, int side) {
    return system->model->markers.items[system->model->joints.items[joint].marker[side]].body;
}

static bool is_taken(const bool *taken, int32_t body) {
    return body > 0 && (!taken || taken[body]);
}

static bool some_row_holds(const RbvState *state, int32_t joint) {
    for (int32_t r = state->system->joint_row[joint]; r < state->system->joint_row[joint + 1]; r++)
        if (rbv_state_holds(state, r))
            return true;
    return false;
}

bool rbv_newton_row_acts(const RbvSystem *system, const bool *taken, int32_t row) {
    for (int32_t e = system->D.start[row]; e < system->D.start[row + 1]; e++)
        if (taken[rbv_bodies_at(&system->bodies, system->D.column[e])])
            return true;
    return false;
}

/* Finds the joints and other rows that are unknowns. For all bodies these include the rows of idle spins, whose
 * efforts are zero, so that there are as many unknowns as equations. */
static void find_unknowns(RbvNewtonSystem *n, const RbvState *state, const bool *taken) {
    const RbvSystem *system = n->system;
    for (int32_t k = 0; k < system->model->joints.count; k++) {
        bool touches = is_taken(taken, body_of(system, k, 0)) || is_taken(taken, body_of(system, k, 1));
        if (touches && some_row_holds(state, k))
            n->joints[n->joint_count++] = (RbvNewtonJoint){.joint = k,
                                                           .first = system->joint_row[k],
                                                           .rows = system->joint_row[k + 1] - system->joint_row[k],
                                                           .length = rbv_state_row_arm(state, system->joint_row[k])};
    }
    for (int32_t r = 0; r < (taken ? system->row_count : system->satisfied_count); r++)
        if (system->rows[r].owner != RBV_OWNER_JOINT && rbv_state_holds(state, r) &&
            (!taken || rbv_newton_row_acts(system, taken, r)))
            n->other[n->other_count++] = r;
    n->unknowns = n->width * n->joint_count + n->other_count;
}

/* Finds the equations: bodies, free directions, and zero multipliers: those requested, and inactive rows of joints
 * with other active rows. */
static void find_equations(RbvNewtonSystem *n, const RbvState *state, const bool *taken, const bool *zero) {
    const RbvBodyColumns *bodies = &n->system->bodies;
    for (int32_t b = 1; b < bodies->count; b++)
        for (int32_t c = bodies->start[b]; is_taken(taken, b) && c < bodies->start[b + 1]; c++) {
            n->body[n->body_rows] = b;
            n->column[n->body_rows++] = c;
        }
    for (int32_t k = 0; k < n->joint_count; k++) {
        n->free_rows += n->width - n->joints[k].rows;
        for (int32_t r = n->joints[k].first; r < n->joints[k].first + n->joints[k].rows; r++)
            if ((zero && zero[r]) || !rbv_state_holds(state, r)) {
                n->zero_of[n->zero_count] = k;
                n->zero[n->zero_count++] = r;
            }
    }
    for (int32_t k = 0; zero && k < n->other_count; k++)
        if (zero[n->other[k]]) {
            n->zero_of[n->zero_count] = n->joint_count + k;
            n->zero[n->zero_count++] = n->other[k];
        }
    n->equations = n->body_rows + n->free_rows + n->zero_count;
}

/* Turns counts in start[place + 1] into starts. */
static void add_up(int32_t *start, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        start[k + 1] += start[k];
}

/* Counts joint ends at each body and entries of D at each column; fill: writes the lists, advancing their starts. */
static void find_touching(RbvNewtonSystem *n, bool fill) {
    const RbvSystem *system = n->system;
    for (int32_t k = 0; k < n->joint_count; k++)
        for (int side = 0; side < 2; side++) {
            int32_t body = body_of(system, n->joints[k].joint, side);
            if (fill)
                n->touch[n->touch_start[body]] = 2 * k + side;
            n->touch_start[body + !fill]++;
        }
    for (int32_t k = 0; k < n->other_count; k++)
        for (int32_t e = system->D.start[n->other[k]]; e < system->D.start[n->other[k] + 1]; e++) {
            int32_t column = system->D.column[e];
            if (fill) {
                n->entry[n->entry_start[column]] = e;
                n->entry_other[n->entry_start[column]] = k;
            }
            n->entry_start[column + !fill]++;
        }
}

/* Moves the starts back that filling the lists has advanced. */
static void move_back(int32_t *start, int32_t count) {
    memmove(start + 1, start, (size_t)count * sizeof *start);
    start[0] = 0;
}

static void put(RbvNewtonSystem *n, int32_t column, double value) {
    if (n->values) {
        n->index[n->count] = column;
        n->values[n->count] = value;
    }
    n->count++;
}

static void end_row(RbvNewtonSystem *n) {
    n->start[++n->row] = n->count;
}

/* Component `direction`, 0 ... 5, of the force and the moment about the centroid of a joint's wrench on a body. */
static void put_joint(RbvNewtonSystem *n, const RbvState *state, int32_t k, int side, int32_t body, int direction) {
    const RbvNewtonJoint *joint = &n->joints[k];
    const RbvJoint *of = &n->system->model->joints.items[joint->joint];
    const RbvMarkerState *i = &state->markers[of->marker[0]], *j = &state->markers[of->marker[1]];
    double sign = side ? 1 : -1, scale = sign / rbv_state_body_arm(state, body);
    int32_t at = n->width * k;
    if (direction < 3) {
        put(n, at + direction, sign);
        return;
    }
    RbvVec3 r = side ? j->arm : rbv_add(i->arm, rbv_sub(j->point, i->point));
    const double arm[3] = {r.x, r.y, r.z};
    int a = direction - 3, b = (a + 1) % 3, c = (a + 2) % 3;
    put(n, at + b, -scale * arm[c]);
    put(n, at + c, scale * arm[b]);
    put(n, at + (n->width == 6 ? direction : 2), scale * joint->length);
}

static void put_body(RbvNewtonSystem *n, const RbvState *state, int32_t body, int32_t column) {
    const RbvBodyColumns *bodies = &n->system->bodies;
    int direction = rbv_bodies_direction(bodies, column - bodies->start[body]);
    double scale = direction < 3 ? 1 : 1 / rbv_state_body_arm(state, body);
    for (int32_t e = n->touch_start[body]; e < n->touch_start[body + 1]; e++)
        put_joint(n, state, n->touch[e] / 2, n->touch[e] % 2, body, direction);
    for (int32_t e = n->entry_start[column]; e < n->entry_start[column + 1]; e++)
        put(n, n->width * n->joint_count + n->entry_other[e], -scale * state->D[n->entry[e]]);
    end_row(n);
}

/* Equations of a joint's free directions, scaled to unit length. */
static void put_free(RbvNewtonSystem *n, const RbvState *state, int32_t k) {
    const RbvNewtonJoint *joint = &n->joints[k];
    RbvTwist freed[6];
    int count = rbv_joint_free_directions(state, joint->joint, joint->length, freed);
    for (int32_t f = 0; f < n->width - joint->rows; f++) {
        RbvVec3 v = f < count ? freed[f].v : rbv_vec3(0, 0, 0),
                w = f < count ? rbv_scale(joint->length, freed[f].w) : v;
        double size = sqrt(rbv_dot(v, v) + rbv_dot(w, w)), scale = size > 0 ? 1 / size : 0;
        const double all[6] = {v.x, v.y, n->width == 6 ? v.z : w.z, w.x, w.y, w.z};
        for (int32_t c = 0; c < n->width; c++)
            put(n, n->width * k + c, scale * all[c]);
        end_row(n);
    }
}

static void find_wrench_parts(const RbvNewtonSystem *n, const RbvState *state, RbvNewtonJoint *joint) {
    double unit[6][6];
    int32_t second = n->system->model->joints.items[joint->joint].marker[1];
    for (int32_t k = 0; k < joint->rows; k++)
        rbv_wrench_numbers(n->width == 6, rbv_row_wrench(state, joint->first + k, second, true), joint->length,
                           unit[k]);
    rbv_wrench_parts(joint->rows, n->width, unit, joint->part);
}

static void put_zero(RbvNewtonSystem *n, int32_t z) {
    int32_t k = n->zero_of[z];
    double size = 0;
    if (k >= n->joint_count) {
        put(n, n->width * n->joint_count + k - n->joint_count, 1);
    } else {
        const double *part = n->joints[k].part[n->zero[z] - n->joints[k].first];
        for (int c = 0; c < n->width; c++)
            size = rbv_max(size, fabs(part[c]));
        for (int c = 0; c < n->width; c++)
            put(n, n->width * k + c, size > 0 ? part[c] / size : 0);
    }
    end_row(n);
}

/* Computes the entries at a state whose positions are evaluated. */
static void newton_system_fill(RbvNewtonSystem *n, const RbvState *state) {
    n->count = n->row = n->start[0] = 0;
    for (int32_t k = 0; k < n->body_rows; k++)
        put_body(n, state, n->body[k], n->column[k]);
    for (int32_t k = 0; k < n->joint_count; k++) {
        put_free(n, state, k);
        find_wrench_parts(n, state, &n->joints[k]);
    }
    for (int32_t z = 0; z < n->zero_count; z++)
        put_zero(n, z);
}

/* Right-hand side b[equations] for inertia[bodies.size] = (m, J) a - Q. */
static void newton_system_push(const RbvNewtonSystem *n, const RbvState *state, const double *inertia, double *b) {
    memset(b, 0, (size_t)n->equations * sizeof *b);
    for (int32_t k = 0; k < n->body_rows; k++)
        b[k] = inertia[n->column[k]] / (rbv_bodies_is_rotation(&n->system->bodies, n->body[k], n->column[k])
                                            ? rbv_state_body_arm(state, n->body[k])
                                            : 1);
}

/* lambda[held rows] from the unknowns x[unknowns]; 0 for rows that are not among them. */
static void newton_system_multipliers(const RbvNewtonSystem *n, const double *x, double *lambda) {
    memset(lambda, 0, (size_t)n->system->satisfied_count * sizeof *lambda);
    for (int32_t k = 0; k < n->joint_count; k++)
        for (int32_t r = 0; r < n->joints[k].rows; r++)
            for (int c = 0; c < n->width; c++)
                lambda[n->joints[k].first + r] += n->joints[k].part[r][c] * x[n->width * k + c];
    for (int32_t z = 0; z < n->zero_count; z++)
        lambda[n->zero[z]] = 0;
    for (int32_t k = 0; k < n->other_count; k++)
        lambda[n->other[k]] = x[n->width * n->joint_count + k];
}

static bool allocate_newton_system(RbvNewtonSystem *n) {
    const RbvSystem *system = n->system;
    size_t joints = (size_t)system->model->joints.count + 1, rows = (size_t)system->satisfied_count + 1,
           bodies = (size_t)system->bodies.count + 2, size = (size_t)system->bodies.size + 2;
    n->joints = rbv_arena_array(&n->arena, joints, sizeof *n->joints);
    n->other = rbv_arena_array(&n->arena, rows, sizeof *n->other);
    n->zero = rbv_arena_array(&n->arena, rows, sizeof *n->zero);
    n->zero_of = rbv_arena_array(&n->arena, rows, sizeof *n->zero_of);
    n->column = rbv_arena_array(&n->arena, size, sizeof *n->column);
    n->body = rbv_arena_array(&n->arena, size, sizeof *n->body);
    n->touch_start = rbv_arena_array(&n->arena, bodies, sizeof *n->touch_start);
    n->touch = rbv_arena_array(&n->arena, 2 * joints, sizeof *n->touch);
    n->entry_start = rbv_arena_array(&n->arena, size, sizeof *n->entry_start);
    return n->joints && n->other && n->zero && n->zero_of && n->column && n->body && n->touch_start && n->touch &&
           n->entry_start;
}

/* Lists of what acts on each body and column; then counts the entries and allocates them. False: no memory. */
static bool lay_out_equations(RbvNewtonSystem *n, const RbvState *state) {
    int32_t bodies = n->system->bodies.count, size = n->system->bodies.size;
    find_touching(n, false);
    add_up(n->touch_start, bodies);
    add_up(n->entry_start, size);
    size_t entries = (size_t)n->entry_start[size] + 1;
    n->entry = rbv_arena_array(&n->arena, entries, sizeof *n->entry);
    n->entry_other = rbv_arena_array(&n->arena, entries, sizeof *n->entry_other);
    n->start = rbv_arena_array(&n->arena, (size_t)n->equations + 2, sizeof *n->start);
    if (!n->entry || !n->entry_other || !n->start)
        return false;
    find_touching(n, true);
    move_back(n->touch_start, bodies);
    move_back(n->entry_start, size);
    newton_system_fill(n, state);
    n->index = rbv_arena_array(&n->arena, (size_t)n->count + 1, sizeof *n->index);
    double *values = rbv_arena_array(&n->arena, (size_t)n->count + 1, sizeof *values);
    n->values = values;
    if (n->index && values)
        newton_system_fill(n, state);
    return n->index && values;
}

void rbv_newton_system_destroy(RbvNewtonSystem *n) {
    if (!n)
        return;
    rbv_arena_clear(&n->arena);
    free(n);
}

RbvNewtonSystem *rbv_newton_system_create(const RbvState *state, const bool *taken, const bool *zero) {
    RbvNewtonSystem *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->system = state->system;
    n->width = state->system->bodies.spatial ? 6 : 3;
    bool good = allocate_newton_system(n);
    if (good) {
        find_unknowns(n, state, taken);
        find_equations(n, state, taken, zero);
        good = lay_out_equations(n, state);
    }
    if (good)
        return n;
    rbv_newton_system_destroy(n);
    return NULL;
}

/* The method: the wrenches of joints and the efforts of all bodies in one system.
 *
 * The system is square where no row is redundant. Else its solution is of least norm, or in large systems, where
 * that would cost too much, the one with zero multipliers of redundant rows; printed reactions are the same in both
 * cases, those of the choice among solutions. */

/* Limit of the unknowns of a system with redundant rows that is solved by orthogonal factors: some ms a sample. */
#define ORTHOGONAL_MOST 240

typedef struct Newton {
    RbvArena arena; /* memory of the arrays */
    RbvNewtonSystem *system;
    int32_t row_sets;
    RbvLu *lu;                /* factors of a square system, else NULL */
    double *A, *tau;          /* [equations][unknowns] orthogonal factors; [equations] their scalars */
    int32_t *order, *unknown; /* [equations], [unknowns] */
    double *work;             /* [unknowns] scratch */
    int32_t rank;
    double *b, *x;   /* right-hand side [equations], solution [unknowns] */
    double *inertia; /* [bodies.size] (m, J) a - Q */
} Newton;

static void clear_newton(Newton *own) {
    rbv_newton_system_destroy(own->system);
    rbv_lu_destroy(own->lu);
    rbv_arena_clear(&own->arena);
    *own = (Newton){0};
}

/* The system of all bodies; where it has too many unknowns, with zero multipliers of redundant rows. NULL: no
 * memory. */
static RbvNewtonSystem *system_of(const RbvMotion *motion) {
    RbvNewtonSystem *system = rbv_newton_system_create(motion->state, NULL, NULL);
    if (!system || system->unknowns <= system->equations || system->unknowns <= ORTHOGONAL_MOST)
        return system;
    rbv_newton_system_destroy(system);
    bool *zero = calloc((size_t)motion->system->satisfied_count + 1, sizeof *zero);
    if (!zero)
        return NULL;
    for (int32_t k = 0; k < motion->solvability->redundant; k++)
        zero[motion->solvability->dependent[k]] = true;
    system = rbv_newton_system_create(motion->state, NULL, zero);
    free(zero);
    return system;
}

/* Allocates system and workspace for the rows now active. False: no memory. */
static bool allocate_newton(Newton *own, const RbvMotion *motion) {
    own->row_sets = motion->row_sets;
    own->system = system_of(motion);
    if (!own->system)
        return false;
    size_t m = (size_t)own->system->equations + 1, n = (size_t)own->system->unknowns + 1;
    bool square = m == n;
    own->b = rbv_arena_array(&own->arena, m, sizeof *own->b);
    own->x = rbv_arena_array(&own->arena, m > n ? m : n, sizeof *own->x);
    own->inertia = rbv_arena_array(&own->arena, (size_t)motion->system->bodies.size + 1, sizeof *own->inertia);
    if (square)
        own->lu = rbv_lu_create_planned(own->system->unknowns, own->system->start, own->system->index);
    else {
        own->A = rbv_arena_array(&own->arena, m * n, sizeof *own->A);
        own->tau = rbv_arena_array(&own->arena, m, sizeof *own->tau);
        own->order = rbv_arena_array(&own->arena, m, sizeof *own->order);
        own->unknown = rbv_arena_array(&own->arena, n, sizeof *own->unknown);
        own->work = rbv_arena_array(&own->arena, n, sizeof *own->work);
    }
    return own->b && own->x && own->inertia &&
           (square ? own->lu != NULL : own->A && own->tau && own->order && own->unknown && own->work);
}

static void *newton_create(RbvMotion *motion, const RbvOptions *options) {
    (void)options;
    Newton *own = calloc(1, sizeof *own);
    if (own && !allocate_newton(own, motion)) {
        clear_newton(own);
        free(own);
        return NULL;
    }
    return own;
}

static void newton_destroy(void *data) {
    Newton *own = data;
    if (own)
        clear_newton(own);
    free(own);
}

static RbvStatus newton_prepare(void *data, RbvMotion *motion) {
    Newton *own = data;
    if (own->row_sets != motion->row_sets) {
        clear_newton(own);
        if (!allocate_newton(own, motion)) {
            clear_newton(own);
            own->row_sets = -1;
            return RBV_NO_MEMORY;
        }
    }
    RbvNewtonSystem *system = own->system;
    newton_system_fill(system, motion->state);
    if (own->lu)
        return rbv_lu_factor(own->lu, system->values, &motion->state->no_memory) ? RBV_OK
               : motion->state->no_memory                                        ? RBV_NO_MEMORY
                                                                                 : RBV_LOCKED;
    memset(own->A, 0, (size_t)system->equations * (size_t)system->unknowns * sizeof *own->A);
    for (int32_t i = 0; i < system->equations; i++)
        for (int32_t e = system->start[i]; e < system->start[i + 1]; e++)
            own->A[(size_t)i * (size_t)system->unknowns + (size_t)system->index[e]] += system->values[e];
    own->rank = rbv_orthogonal_factor(system->equations, system->unknowns, own->A, own->order, own->unknown, own->tau);
    return own->rank >= 0 ? RBV_OK : RBV_LOCKED;
}

static RbvStatus newton_solve(void *data, RbvMotion *motion, double *Q, double *lambda) {
    Newton *own = data;
    rbv_state_body_inertia(motion->state, motion->state->accelerations, own->inertia);
    for (int32_t k = 0; k < motion->system->bodies.size; k++)
        own->inertia[k] -= Q[k];
    newton_system_push(own->system, motion->state, own->inertia, own->b);
    if (own->lu) {
        memcpy(own->x, own->b, (size_t)own->system->unknowns * sizeof *own->x);
        rbv_lu_solve(own->lu, own->x);
    } else {
        rbv_orthogonal_solve(own->system->unknowns, own->rank, own->A, own->order, own->unknown, own->tau, own->b,
                             own->work, own->x);
    }
    newton_system_multipliers(own->system, own->x, lambda);
    return RBV_OK;
}

const RbvMethodKind rbv_newton_method = {.name = "newton",
                                         .create = newton_create,
                                         .destroy = newton_destroy,
                                         .prepare = newton_prepare,
                                         .solve = newton_solve};
