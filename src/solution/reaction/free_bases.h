/* The wrench that drives and constraints have to exert on bodies that no joint connects to ground, with all bodies
 * of their tree (Garcia de Jalon and Bayo, chapter 6). A free body moves without such a wrench; where drives and
 * constraints prescribe its motion, the wrench is theirs and is reported. */
#ifndef RBV_SOLUTION_REACTION_FREE_BASES_H
#define RBV_SOLUTION_REACTION_FREE_BASES_H

#include "mechanics/coordinates/joint_tree.h"
#include "mechanics/system/system.h"

typedef struct RbvFreeBases RbvFreeBases;

/* Free bases of a tree. NULL: no memory. */
RbvFreeBases *rbv_free_bases_create(const RbvSystem *system, const RbvJointTree *tree);
void rbv_free_bases_destroy(RbvFreeBases *bases);
/* Adds the multipliers lambda[rows] of a sample, at a state whose loads and accelerations are evaluated. */
void rbv_free_bases_see(RbvFreeBases *bases, const RbvState *state, const double *lambda);
/* Reports the largest wrenches so far as notes. */
void rbv_free_bases_note(const RbvFreeBases *bases, RbvDiagnostics *diagnostics);

#endif
