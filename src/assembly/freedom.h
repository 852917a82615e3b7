/* The freedom that constraints leave, and the users' coordinates that could take it. */
#ifndef RBV_ASSEMBLY_FREEDOM_H
#define RBV_ASSEMBLY_FREEDOM_H

#include "system/system.h"

typedef struct RbvFreedom RbvFreedom;

/* The null space of the first `rows` rows at the assembled state; of positions: without the rows on rates. NULL: no
 * memory. */
RbvFreedom *rbv_freedom_create(RbvState *state, int32_t rows, bool positions);
/* The same at velocity level without the rows marked in `without` [rows]. */
RbvFreedom *rbv_freedom_create_without(RbvState *state, int32_t rows, const bool *without);
/* without[rows]: those that do not hold, of drives and of control, and those of stops and of friction that sticks, as
 * where freedoms are counted. */
void rbv_freedom_open_rows(const RbvState *state, bool *without);
void rbv_freedom_destroy(RbvFreedom *freedom);
/* Take what row k (or a measure) still finds free; false when nothing is left of it: it is held already. */
bool rbv_freedom_take_row(RbvFreedom *freedom, const RbvState *state, int32_t k);
bool rbv_freedom_take_measure(RbvFreedom *freedom, const RbvState *state, const RbvMeasure *measure);
/* Does the measure have a part in the freedom not yet taken? Takes nothing. */
bool rbv_freedom_is_free(RbvFreedom *freedom, const RbvState *state, const RbvMeasure *measure);
/* The part of row k's gradient that is in the freedom not yet taken, 0 to 1. Takes nothing. */
double rbv_freedom_part_of_row(RbvFreedom *freedom, const RbvState *state, int32_t k);
/* Take what moves a mass, row by row of M: what is left moves none, M x = 0. False, and nothing is taken: no memory, or
 * more than `most` coordinates. */
bool rbv_freedom_take_masses(RbvFreedom *freedom, const RbvState *state, int32_t most);
/* The part of coordinate j of the bodies' velocities that is in the freedom not yet taken, 0 to 1. Takes nothing. */
double rbv_freedom_part_of_column(RbvFreedom *freedom, int32_t j);
/* Take the idle spins, which are nobody's to decide. */
void rbv_freedom_take_idle(RbvFreedom *freedom, const RbvState *state);
/* Take all that is left with the user's own coordinates, joints' coordinates, then places and turns of bodies, each
 * from ground outward and of those equally far in the alphabet of names: how many it took, and their names as "O.angle,
 * x(rod)".
 * -1: there are some, but telling them apart would take too long in so large a system: they are not named. */
int32_t rbv_freedom_complete(RbvFreedom *freedom, const RbvState *state, char *text, size_t size);

/* The body velocities u[system->bodies.size] that give gradient k of those taken, counted from 0, the rate 1, and all
 * others taken 0. The gradients must have been kept, from before the first was taken (rbv_freedom_keep), and be all
 * that is free. */
void rbv_freedom_keep(RbvFreedom *freedom);
void rbv_freedom_motion(const RbvFreedom *freedom, int32_t k, double *u);
/* What rbv_freedom_complete has taken as number k, to be taken again at another state; gradients kept. `named`: of the
 * user's own coordinates; `column`: of body twists; both -1: a measure. */
typedef struct RbvFreedomPick {
    int32_t named, column;
    RbvMeasure measure;
} RbvFreedomPick;
RbvFreedomPick rbv_freedom_pick(const RbvFreedom *freedom, int32_t k);
bool rbv_freedom_take(RbvFreedom *freedom, const RbvState *state, const RbvFreedomPick *pick);
/* How many have been taken; are so many columns taken by projection, as rbv_freedom_motion needs it? */
int32_t rbv_freedom_taken(const RbvFreedom *freedom);
bool rbv_freedom_is_small(const RbvSystem *system);

/* Has memory run out while taking? Then what was answered since is not to be trusted. */
bool rbv_freedom_lost(const RbvFreedom *freedom);

#endif
