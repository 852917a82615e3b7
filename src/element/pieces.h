/* The pieces that laws of a motion are on: forces, rates of states, generalized forces and masses, forces that
 * constraints prescribe. Within a step each law is held on its pieces, so that what is integrated is smooth; where one
 * would leave its piece something happens (dynamics/laws.h), and it goes on on the next.
 */
#ifndef RBV_ELEMENT_PIECES_H
#define RBV_ELEMENT_PIECES_H

#include "model/model.h"

typedef enum RbvLawOwner {
    RBV_LAW_LOAD,
    RBV_LAW_STATE,
    RBV_LAW_GENERALIZED,
    RBV_LAW_MASS,
    RBV_LAW_NONIDEAL
} RbvLawOwner;

typedef struct RbvLaw {
    const RbvExpr *expr;
    RbvLawOwner owner;
    int32_t index;        /* of the owner in the model's list */
    int32_t first, count; /* its switches among all, of each place */
    int32_t places;       /* 1; of a load 2 for each place it acts at: as it moves, and at rest (dynamics/power.h) */
} RbvLaw;

/* Switches that change together where both pieces push towards each other: their laws are between both (Filippov). */
#define RBV_MOST_BETWEEN 8
#define RBV_NOT_TURNED INT32_MIN
typedef struct RbvBetween {
    int32_t law, place, at; /* one of the switches: of a law, at a place */
    double share;           /* of the other pieces; those that are held have the rest */
} RbvBetween;

typedef struct RbvPieces {
    RbvLaw *laws;          /* those with switches, in the model's order */
    const RbvLaw **sorted; /* [count] by expression */
    int32_t count, total;  /* laws; switches */
    int32_t *held, *here;  /* [total] the pieces that laws are held on; those that the state seen last is on */
    double *margins; /* [total] of switches with two pieces what changes its sign between them, of the state seen last;
                        of others NaN */
    int32_t *group;  /* [total] the number of what the switch is between; -1: it is on its piece */
    int32_t *other;  /* [total] the other piece of those; else the one that is held */
    int32_t *turned; /* [total] room: the pieces before the last change; RBV_NOT_TURNED of those that did not */
    RbvBetween between[RBV_MOST_BETWEEN];
    int32_t between_count;
    int32_t most_variables; /* of a law */
    double *room;           /* [variables, their rates, gradient, hessian, margin, work of a law] */
    bool lacking;           /* the caller's to clear: a law had no value beyond its piece */
    bool follows;           /* held are those that the state is on, as it moves */
} RbvPieces;

/* False: no memory; to be destroyed all the same. */
bool rbv_pieces_create(RbvPieces *pieces, const RbvModel *model);
void rbv_pieces_destroy(RbvPieces *pieces);
/* What has the law, in words: "load 'spring'". */
void rbv_law_describe(const RbvModel *model, const RbvLaw *law, char *text, size_t size);
/* The value, or value, gradient and Hessian, of an expression at x, of place number `place`; pieces NULL: wherever x
 * is. A law that has no value beyond the end of its piece (a power of what is negative there) has that of x. */
double rbv_pieces_value(RbvPieces *pieces, const RbvExpr *expr, int32_t place, const double *x, double *work);
double rbv_pieces_jet(RbvPieces *pieces, const RbvExpr *expr, int32_t place, const double *x, double *work,
                      double *gradient, double *hessian);
/* The first switch that has left its piece; -1: none; and the law that a switch is of. */
int32_t rbv_pieces_left(const RbvPieces *pieces);
const RbvLaw *rbv_pieces_law(const RbvPieces *pieces, int32_t at);
/* They go on on the pieces that the state is on. */
void rbv_pieces_go_on(RbvPieces *pieces);
/* Number k of what is between: from now on on its other pieces, or on those that are held. */
void rbv_pieces_end_between(RbvPieces *pieces, int32_t k, bool other);

#endif
