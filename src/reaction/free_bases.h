/* Bodies that no joint ties down, with all that hangs on them: the wrench that their motion asks for (Garcia de Jalon
 * and Bayo, chapter 6). A free body moves without one; where drives and constraints lead it, it is theirs, and is told.
 */
#ifndef RBV_REACTION_FREE_BASES_H
#define RBV_REACTION_FREE_BASES_H

#include "coordinates/joint_tree.h"
#include "system/system.h"

typedef struct RbvFreeBases RbvFreeBases;

/* Those of a tree. NULL: no memory. */
RbvFreeBases *rbv_free_bases_create(const RbvSystem *system, const RbvJointTree *tree);
void rbv_free_bases_destroy(RbvFreeBases *bases);
/* The multipliers lambda[rows] of a sample, which has its loads. */
void rbv_free_bases_see(RbvFreeBases *bases, const RbvState *state, const double *lambda);
/* The largest so far, as notes. */
void rbv_free_bases_note(const RbvFreeBases *bases, RbvDiagnostics *diagnostics);

#endif
