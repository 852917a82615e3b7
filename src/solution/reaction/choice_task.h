/* One redundant block while its multipliers are chosen. Private to choice_*.c; see choice.h.
 *
 * In a block with p self-stresses the unknown is a[p]. Each stage fixes part of a in the subspace Z[p][z] that
 * earlier stages left open. */
#ifndef RBV_SOLUTION_REACTION_CHOICE_TASK_H
#define RBV_SOLUTION_REACTION_CHOICE_TASK_H

#include "solution/reaction/choice_block.h"

/* Smallest singular value, relative to rows of unit length, for which eliminated components are independent
 * self-stresses. */
#define RBV_ADMISSIBLE 1e-7

typedef struct RbvChoiceTask {
    RbvChoice *choice;
    const RbvState *state;
    const RbvSolvability *s;
    RbvReactions *r;
    int32_t b;
    const RbvBlock *block;
    const RbvBlockRank *rank;
    int32_t p; /* number of self-stresses */
    double *a; /* [p] coefficients of the self-stresses */
    double *Z; /* [p][z] orthonormal columns: directions still open */
    int32_t z;
} RbvChoiceTask;

/* For a functional c on the multipliers of an element's rows (choice_minimize.c): c N into out[p]. */
void rbv_choice_on_null(const RbvChoiceTask *task, const RbvElement *element, const double *c, double *out);
/* Value of the functional c for the multipliers before the choice. */
double rbv_choice_on_base(const RbvChoiceTask *task, const RbvElement *element, const double *c);
/* Length of the functional c in scaled multipliers, an upper bound of |c N|. */
double rbv_choice_length(const RbvChoiceTask *task, const RbvElement *element, const double *c);
/* Singular values and right singular vectors of A[m][n] row-major: sigma[n], V[n][n] row-major with vectors as
 * columns. For m = 0: sigma 0 and V the identity. False: no memory, or LAPACK failed. */
bool rbv_choice_right_vectors(int32_t m, int32_t n, const double *A, double *sigma, double *V);
/* Minimizes 1/2 |B a + r|^2 + g.a over the directions still open, and removes those it fixes from Z. B[m][p]:
 * weighted rows; plain[m][p]: the rows scaled to order one, directions that none of them sees stay open; r[m]; g[p]
 * or NULL: none. NO_MEMORY; NOT_FINITE: the weights differ by too many powers of ten. */
RbvStatus rbv_choice_minimize(RbvChoiceTask *task, int32_t m, const double *plain, const double *B, const double *r,
                              const double *g);

/* Elimination: E a = -e0 (choice_eliminate.c). BAD_INPUT, INCONSISTENT: reported. NO_MEMORY. */
RbvStatus rbv_choice_eliminate(RbvChoiceTask *task, RbvDiagnostics *diagnostics);
/* Compliance: N^T (s R - misfit) = 0 (choice_comply.c). BAD_INPUT, NOT_FINITE: reported. NO_MEMORY. */
RbvStatus rbv_choice_comply(RbvChoiceTask *task, RbvDiagnostics *diagnostics);

#endif
