/* Mass matrix M of the saddle point system: bodies, generalized coordinates, rotors of drives, and a substitute for the
 * inertia of idle spins (turns of a rod without inertia about its own line).
 *
 *   M <- M + m P^T u u^T P,   Q <- Q - m P^T u (u . bias)   for a line u of a body with w' = P v' + bias: a rod between
 *                             two balls that has no inertia about its own line (line_spin.c).
 *
 * Forces at points of the line leave u.w' = 0, so that M v' - Q stays unchanged. */
#ifndef RBV_DYNAMICS_ACCELERATIONS_SADDLE_MASS_H
#define RBV_DYNAMICS_ACCELERATIONS_SADDLE_MASS_H

#include "mechanics/coordinates/mass_matrix.h"
#include "mechanics/system/system.h"

/* Returns whether v contains a spin with substitute inertia. Natural coordinates have none for rods. */
bool rbv_saddle_mass_stands_in(const RbvSystem *system);
/* Evaluates M at a state whose positions are evaluated. */
void rbv_saddle_mass_fill(const RbvState *state, RbvMassMatrix *mass);
/* Adds the term of the substitute inertia to the state's Q: to be called after rbv_state_load where accelerations are
 * found from Q. */
void rbv_saddle_mass_load(RbvState *state);
/* Returns whether masses, and moments of inertia over arms squared, of all bodies are of similar size. */
bool rbv_saddle_mass_alike(const RbvState *state);

#endif
