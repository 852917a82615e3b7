/* The pieces of piecewise laws: forces of loads, rates of states, generalized forces and masses, nonideal forces of
 * constraints. During a step each law is held on its pieces, so that the integrated functions are smooth. An event
 * occurs where a law would leave its piece (dynamics/events/laws.c); then it continues on the next piece. */
#ifndef RBV_MECHANICS_ELEMENT_PIECES_H
#define RBV_MECHANICS_ELEMENT_PIECES_H

#include "model/model/model.h"

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
    int32_t first, count; /* first switch of the law among all switches; number of switches at each place */
    int32_t places; /* number of places; 1 in general; for a load 2 for each point it acts at: as it moves, and at rest
                       (dynamics/accelerations/power.h) */
} RbvLaw;

/* A group of switches that change together where the laws of both pieces drive the state towards the other piece: the
 * law is between both pieces (Filippov). */
#define RBV_MOST_BETWEEN 8
#define RBV_NOT_TURNED INT32_MIN
typedef struct RbvBetween {
    int32_t law, place, at; /* one of the switches: law, place, and index of the switch */
    double share;           /* weight of the other pieces; the held pieces have the rest */
} RbvBetween;

typedef struct RbvPieces {
    RbvLaw *laws;          /* laws with switches, in the model's order */
    const RbvLaw **sorted; /* [count] sorted by expression */
    int32_t count, total;  /* number of laws; number of switches */
    int32_t *held, *here;  /* [total] pieces on which laws are held; pieces of the state evaluated last */
    double *margins; /* [total] for a switch with two pieces, the function whose sign changes between them, at the state
                        evaluated last; for others NaN */
    int32_t *group;  /* [total] index of the switch's group in `between`; -1: the switch is on its piece */
    int32_t *other;  /* [total] the other piece of a switch in a group; else the held piece */
    int32_t *turned; /* [total] workspace: the pieces before the last change; RBV_NOT_TURNED for switches that did not
                        change */
    RbvBetween between[RBV_MOST_BETWEEN];
    int32_t between_count;
    int32_t most_variables; /* largest number of variables of a law */
    double *room;           /* workspace [variables, their rates, gradient, hessian, margin, work of a law] */
    bool out_of_piece;      /* to be cleared by the caller: a law had no value beyond its piece */
    bool follows;           /* laws follow the pieces of the moving state instead of the held ones */
} RbvPieces;

/* Finds the laws with switches. False if out of memory; to be destroyed in any case. */
bool rbv_pieces_create(RbvPieces *pieces, const RbvModel *model);
void rbv_pieces_destroy(RbvPieces *pieces);
/* Writes the owner of a law, such as "load 'spring'". */
void rbv_law_describe(const RbvModel *model, const RbvLaw *law, char *text, size_t size);
/* The value, or value, gradient and Hessian, of an expression at x, at place number `place`; pieces NULL: on the piece
 * of x. Where a law has no value beyond the end of its held piece (a power of a negative number), the value on the
 * piece of x is used and `out_of_piece` is set. */
double rbv_pieces_value(RbvPieces *pieces, const RbvExpr *expr, int32_t place, const double *x, double *work);
double rbv_pieces_jet(RbvPieces *pieces, const RbvExpr *expr, int32_t place, const double *x, double *work,
                      double *gradient, double *hessian);
/* The first switch that has left its piece, or -1; and the law of a switch. */
int32_t rbv_pieces_left(const RbvPieces *pieces);
const RbvLaw *rbv_pieces_law(const RbvPieces *pieces, int32_t at);
/* Holds all laws, those in groups excepted, on the pieces of the state evaluated last. */
void rbv_pieces_go_on(RbvPieces *pieces);
/* Ends group k of `between`: its switches continue on their other pieces (other), or on the held ones. */
void rbv_pieces_end_between(RbvPieces *pieces, int32_t k, bool other);

#endif
