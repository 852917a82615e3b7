/* M of the saddle point system: of bodies, of generalized coordinates, of the rotors of drives, and what stands in for
 * the inertia of idle spins.
 *
 *   M <- M + m P^T u u^T P,   Q <- Q - m P^T u (u . bias)   for a line u of a body with w' = P v' + bias: a rod between
 *                             two balls that has no inertia about its own line (line_spin.c).
 * Forces at points of the line leave u.w' = 0, so that M v' - Q stays what it was.
 */
#ifndef RBV_DYNAMICS_SADDLE_MASS_H
#define RBV_DYNAMICS_SADDLE_MASS_H

#include "coordinates/mass_matrix.h"
#include "system/system.h"

/* Has v a spin that something stands in for? Natural coordinates have none of rods. */
bool rbv_saddle_mass_stands_in(const RbvSystem *system);
/* M at the placed state. */
void rbv_saddle_mass_fill(const RbvState *state, RbvMassMatrix *mass);
/* What stands in for inertia, in the state's Q: after rbv_state_load, where that is what accelerations are found from.
 */
void rbv_saddle_mass_load(RbvState *state);
/* Are masses and moments of inertia over arms squared, of all bodies, of sizes alike? */
bool rbv_saddle_mass_alike(const RbvState *state);

#endif
