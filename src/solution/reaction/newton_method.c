/* Newton's equilibrium of all bodies: the wrenches of joints and the efforts in one system; see newton_system.c and
 * method.h.
 *
 * The system is square where no row is redundant. Else its solution is of least norm, or in large systems, where
 * that would cost too much, the one with zero multipliers of redundant rows; printed reactions are the same in both
 * cases (choice.h). */
#include "solution/reaction/method.h"

#include "core/base/arena.h"
#include "core/solve/orthogonal.h"
#include "solution/reaction/newton_system.h"

#include <stdlib.h>
#include <string.h>

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

static void clear(Newton *own) {
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
    bool *zero = calloc((size_t)motion->system->held_count + 1, sizeof *zero);
    if (!zero)
        return NULL;
    for (int32_t k = 0; k < motion->solvability->redundant; k++)
        zero[motion->solvability->dependent[k]] = true;
    system = rbv_newton_system_create(motion->state, NULL, zero);
    free(zero);
    return system;
}

/* Allocates system and workspace for the rows now active. False: no memory. */
static bool make(Newton *own, const RbvMotion *motion) {
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
        own->lu = rbv_lu_create(own->system->unknowns, own->system->start, own->system->index);
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

static void *create(RbvMotion *motion, const RbvOptions *options) {
    (void)options;
    Newton *own = calloc(1, sizeof *own);
    if (own && !make(own, motion)) {
        clear(own);
        free(own);
        return NULL;
    }
    return own;
}

static void destroy(void *given) {
    Newton *own = given;
    if (own)
        clear(own);
    free(own);
}

static RbvStatus prepare(void *given, RbvMotion *motion) {
    Newton *own = given;
    if (own->row_sets != motion->row_sets) {
        clear(own);
        if (!make(own, motion)) {
            clear(own);
            own->row_sets = -1;
            return RBV_NO_MEMORY;
        }
    }
    RbvNewtonSystem *system = own->system;
    rbv_newton_system_fill(system, motion->state);
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

static RbvStatus solve(void *given, RbvMotion *motion, double *Q, double *lambda) {
    Newton *own = given;
    rbv_state_body_inertia(motion->state, motion->state->accelerations, own->inertia);
    for (int32_t k = 0; k < motion->system->bodies.size; k++)
        own->inertia[k] -= Q[k];
    rbv_newton_system_push(own->system, motion->state, own->inertia, own->b);
    if (own->lu) {
        memcpy(own->x, own->b, (size_t)own->system->unknowns * sizeof *own->x);
        rbv_lu_solve(own->lu, own->x);
    } else {
        rbv_orthogonal_solve(own->system->unknowns, own->rank, own->A, own->order, own->unknown, own->tau, own->b,
                             own->work, own->x);
    }
    rbv_newton_system_multipliers(own->system, own->x, lambda);
    return RBV_OK;
}

const RbvMethodKind rbv_newton_method = {
    .name = "newton", .create = create, .destroy = destroy, .prepare = prepare, .solve = solve};
