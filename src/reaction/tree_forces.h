/* Forces and torques from the ends of a spanning tree to ground (Garcia de Jalon and Bayo, chapter 6, 6.116 ... 6.121).
 *
 * F_b, T_b: what acts on body b and on all that hangs on it, inertia included, about its centroid; P the point of the
 * arc's second marker:
 *
 *   n_b = T_b + (r_b - P) x F_b        F_p += F_b      T_p += n_b + (P - r_p) x F_b      p: the parent
 * The arc's joint makes up for it: it does (-F_b, -n_b) to b at P. Its part along a direction that the arc leaves free
 * is the effort there: F_b.u of a slide, n_b.u of a turn.
 */
#ifndef RBV_REACTION_TREE_FORCES_H
#define RBV_REACTION_TREE_FORCES_H

#include "coordinates/joint.h"
#include "system/system.h"

/* sums[bodies], at first what acts on each body alone about its centroid, become those of all that hangs on it. The
 * state is placed. */
void rbv_tree_forces_gather(const RbvJointTree *tree, const RbvState *state, RbvWrench *sums);
/* Their parts along the free directions of all tree joints, y[tree->size]. */
void rbv_tree_forces_efforts(const RbvJointTree *tree, const RbvState *state, const RbvWrench *sums, double *y);
/* What the joint of the arc of body b does to its second body at the second marker, for the sum of b. */
RbvWrench rbv_tree_forces_reaction(const RbvJointTree *tree, const RbvState *state, int32_t b, const RbvWrench *sum);

#endif
