/* The pieces that laws of a motion are on: forces, rates of states, generalized forces and masses, forces that constraints prescribe. Within a step each law is held on its pieces, so that what is integrated is smooth;
 * where one would leave its piece something happens (dynamics/laws.h), and it goes on on the next.
 */
#ifndef RBV_ELEMENT_PIECES_H
#define RBV_ELEMENT_PIECES_H

#include "model/model.h"

typedef enum RbvLawOwner { RBV_LAW_LOAD, RBV_LAW_STATE, RBV_LAW_GENERALIZED, RBV_LAW_MASS, RBV_LAW_NONIDEAL } RbvLawOwner;

typedef struct RbvLaw {
    const RbvExpr *expr;
    RbvLawOwner owner;
    int32_t index;         /* of the owner in the model's list */
    int32_t first, count;  /* its switches among all, of each place */
    int32_t places;        /* 1; of a load 2 for each place it acts at: as it moves, and at rest (dynamics/power.h) */
} RbvLaw;

typedef struct RbvPieces {
    RbvLaw *laws;          /* those with switches, in the model's order */
    const RbvLaw **sorted; /* [count] by expression */
    int32_t count, total;  /* laws; switches */
    int32_t *held, *here;  /* [total] the pieces that laws are held on; those that the state seen last is on */
    bool follows;          /* held are those that the state is on, as it moves */
} RbvPieces;

/* False: no memory; to be destroyed all the same. */
bool rbv_pieces_create(RbvPieces *pieces, const RbvModel *model);
void rbv_pieces_destroy(RbvPieces *pieces);
/* What has the law, in words: "load 'spring'". */
void rbv_law_describe(const RbvModel *model, const RbvLaw *law, char *text, size_t size);
/* The value, or value, gradient and Hessian, of an expression at x, of place number `place`; pieces NULL: wherever x is. A law that has no value beyond the end of its piece (a power of what is negative there) has that of x. */
double rbv_pieces_value(RbvPieces *pieces, const RbvExpr *expr, int32_t place, const double *x, double *work);
double rbv_pieces_jet(RbvPieces *pieces, const RbvExpr *expr, int32_t place, const double *x, double *work, double *gradient, double *hessian);
/* The first law from number k on of which a switch would leave its piece; -1: none. */
int32_t rbv_pieces_left(const RbvPieces *pieces, int32_t k);
/* They go on on the pieces that the state is on. */
void rbv_pieces_go_on(RbvPieces *pieces);

#endif
