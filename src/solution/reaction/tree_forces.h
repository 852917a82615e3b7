/* Sums of forces and torques from the ends of a spanning tree to ground (Garcia de Jalon and Bayo, chapter 6, 6.116
 * ... 6.121).
 *
 * F_b, T_b: sum of what acts on body b and on all bodies of its subtree, inertia included, about the centroid of b;
 * P: the point of the second marker of its tree joint:
 *
 *   n_b = T_b + (r_b - P) x F_b        F_p += F_b      T_p += n_b + (P - r_p) x F_b      p: the parent
 * The tree joint balances this sum: it exerts (-F_b, -n_b) on b at P. The part along a direction that the tree joint
 * leaves free is the effort there: F_b.u of a translation, n_b.u of a rotation. */
#ifndef RBV_SOLUTION_REACTION_TREE_FORCES_H
#define RBV_SOLUTION_REACTION_TREE_FORCES_H

#include "mechanics/coordinates/joint.h"
#include "mechanics/system/system.h"

/* sums[bodies]: on entry what acts on each body alone about its centroid [N, N m], on return the sum over its
 * subtree, at a state whose positions are evaluated. */
void rbv_tree_forces_gather(const RbvJointTree *tree, const RbvState *state, RbvWrench *sums);
/* Parts of the sums along the free directions of all tree joints, y[tree->size]. */
void rbv_tree_forces_efforts(const RbvJointTree *tree, const RbvState *state, const RbvWrench *sums, double *y);
/* Wrench of the tree joint of body b on the joint's second body at the second marker, for the sum of b. */
RbvWrench rbv_tree_forces_reaction(const RbvJointTree *tree, const RbvState *state, int32_t b, const RbvWrench *sum);

#endif
