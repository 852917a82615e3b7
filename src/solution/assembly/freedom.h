/* The freedom that constraints leave, and the users' coordinates that can take it. */
#ifndef RBV_SOLUTION_ASSEMBLY_FREEDOM_H
#define RBV_SOLUTION_ASSEMBLY_FREEDOM_H

#include "mechanics/system/system.h"

typedef struct RbvFreedom RbvFreedom;

/* The null space of the first `rows` rows at the assembled state; `positions`: without rows on rates. NULL if out of
 * memory. */
RbvFreedom *rbv_freedom_create(RbvState *state, int32_t rows, bool positions);
/* The null space at velocity level without the rows marked in `without` [rows]. NULL if out of memory. */
RbvFreedom *rbv_freedom_create_without(RbvState *state, int32_t rows, const bool *without);
/* Marks in without[rows] the rows that are not counted in freedoms: inactive rows, rows of drives, of required motions,
 * of stops and of sticking friction. */
void rbv_freedom_open_rows(const RbvState *state, bool *without);
void rbv_freedom_destroy(RbvFreedom *freedom);
/* Takes the freedom in the gradient of row k (or of a measure); false if the gradient has no free part: the coordinate
 * is determined already. */
bool rbv_freedom_take_row(RbvFreedom *freedom, const RbvState *state, int32_t k);
bool rbv_freedom_take_measure(RbvFreedom *freedom, const RbvState *state, const RbvMeasure *measure);
/* True if the gradient of the measure has a free part. Takes nothing. */
bool rbv_freedom_is_free(RbvFreedom *freedom, const RbvState *state, const RbvMeasure *measure);
/* The free part of row k's gradient, 0 to 1. Takes nothing. */
double rbv_freedom_part_of_row(RbvFreedom *freedom, const RbvState *state, int32_t k);
/* Takes the freedoms that move a mass, row by row of M, so that M x = 0 for the remaining ones. False, and nothing is
 * taken: out of memory, or more than `most` columns of bodies. */
bool rbv_freedom_take_masses(RbvFreedom *freedom, const RbvState *state, int32_t most);
/* The free part of column j of the body twists, 0 to 1. Takes nothing. */
double rbv_freedom_part_of_column(RbvFreedom *freedom, int32_t j);
/* Takes the idle spins, which no condition needs to determine. */
void rbv_freedom_take_idle(RbvFreedom *freedom, const RbvState *state);
/* Takes all remaining freedoms: by the user's own coordinates, then joints' coordinates, then positions and rotations
 * of bodies, each from ground outward and at equal distance in alphabetic order. Returns how many; text: their names,
 * such as "O.angle, x(rod)". -1: freedoms remain, but naming them would take too long in so large a system. */
int32_t rbv_freedom_complete(RbvFreedom *freedom, const RbvState *state, char *text, size_t size);

/* rbv_freedom_keep, before the first gradient is taken: keeps the gradients. rbv_freedom_motion: the body velocities
 * u[system->bodies.size] with rate 1 of the k-th taken gradient (from 0) and rate 0 of all others; the taken gradients
 * must be all of the freedom. */
void rbv_freedom_keep(RbvFreedom *freedom);
void rbv_freedom_motion(const RbvFreedom *freedom, int32_t k, double *u);
/* The k-th gradient taken by rbv_freedom_complete, to be taken again at another state (gradients kept). `named`: index
 * of the user's own coordinate; `column`: of body twists; both -1: a measure. */
typedef struct RbvFreedomPick {
    int32_t named, column;
    RbvMeasure measure;
} RbvFreedomPick;
RbvFreedomPick rbv_freedom_pick(const RbvFreedom *freedom, int32_t k);
bool rbv_freedom_take(RbvFreedom *freedom, const RbvState *state, const RbvFreedomPick *pick);
/* Number of gradients taken; whether the system is small enough for projections, which rbv_freedom_motion needs. */
int32_t rbv_freedom_taken(const RbvFreedom *freedom);
bool rbv_freedom_is_small(const RbvSystem *system);

/* True if memory ran out: later answers are not valid. */
bool rbv_freedom_lost(const RbvFreedom *freedom);

/* Distance of bodies from ground, counted in rows: an order of elimination for rows on body twists, and the order in
 * which freedoms are named (outward.c). */

/* place[columns of bodies]: a permutation, bodies far from ground first. In a tree the elimination causes no fill-in;
 * in a chain of loops little. False if out of memory. */
bool rbv_outward_places(const RbvSystem *system, int32_t *place);

/* joint[joints], body[bodies]: their indices from ground outward, at equal distance in alphabetic order, independent of
 * the order in the model (decision 0042). The distance of a joint is that of the nearer of its bodies; items not
 * connected to ground come last. False if out of memory. */
bool rbv_outward_order(const RbvSystem *system, int32_t *joint, int32_t *body);

#endif
