/* One redundant block while its multipliers are chosen. Private to choice_*.c; see choice.h.
 *
 * In a block with p self-stresses the unknown is a[p]. Each stage fixes part of it in the subspace Z[p][z] that the
 * stages before left open.
 */
#ifndef RBV_REACTION_CHOICE_TASK_H
#define RBV_REACTION_CHOICE_TASK_H

#include "reaction/choice_block.h"

/* Smallest singular value, relative to unit rows, for which eliminated components are independent self-stresses. */
#define RBV_ADMISSIBLE 1e-7

typedef struct RbvChoiceTask {
    RbvChoice *choice;
    const RbvState *state;
    const RbvSolvability *s;
    RbvReactions *r;
    int32_t b;
    const RbvBlock *block;
    const RbvBlockRank *rank;
    int32_t p; /* self-stresses */
    double *a; /* [p] */
    double *Z; /* [p][z] orthonormal columns, what is still open */
    int32_t z;
} RbvChoiceTask;

/* choice_minimize.c: the multipliers c[count] of an element's rows, as a functional. c N: out[p]; c lambda before; its
 * length in scaled multipliers, what |c N| is at most. */
void rbv_choice_on_null(const RbvChoiceTask *task, const RbvElement *element, const double *c, double *out);
double rbv_choice_on_base(const RbvChoiceTask *task, const RbvElement *element, const double *c);
double rbv_choice_length(const RbvChoiceTask *task, const RbvElement *element, const double *c);
/* Singular values and right singular vectors of A[m][n] row-major: V[n][n] row-major with vectors as columns. Zero for
 * m = 0. */
bool rbv_choice_right_vectors(int32_t m, int32_t n, const double *A, double *sigma, double *V);
/* Minimize 1/2 |B a + r|^2 + g.a over what is still open: B[m][p] weighs rows, `plain` are the same rows of order
 * one, and directions that no row of `plain` sees stay open. g[p] NULL: none. NOT_FINITE: the weights differ by too
 * many powers of ten. */
RbvStatus rbv_choice_minimize(RbvChoiceTask *task, int32_t m, const double *plain, const double *B, const double *r,
                              const double *g);

/* The stages: choice_eliminate.c, E a = -e0; choice_comply.c, N^T (s R - misfit) = 0. BAD_INPUT, INCONSISTENT: said. */
RbvStatus rbv_choice_eliminate(RbvChoiceTask *task, RbvDiagnostics *diagnostics);
RbvStatus rbv_choice_comply(RbvChoiceTask *task, RbvDiagnostics *diagnostics);

#endif
