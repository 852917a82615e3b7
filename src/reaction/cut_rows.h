/* Rows that no arc of a spanning tree holds: those of joints that are cut, drives, gears, constraints. Their
 * multipliers by virtual power: with C = D P over the rates of the tree joints,
 *
 *   C^T lambda = y
 * where y is the power of all forces, those of inertia included, at unit rates of the tree joints (Garcia de Jalon and
 * Bayo, chapter 6: the mechanism is cut, its rates are free). Where no row is redundant the system is square, and
 * solved block by block: in an open tree with a drive on each arc every block is one division, and a loop brings as
 * many unknowns as its cut has rows. Else the solution is of least norm, and in large systems that of chosen rows; what
 * is printed is the same (choice.h).
 */
#ifndef RBV_REACTION_CUT_ROWS_H
#define RBV_REACTION_CUT_ROWS_H

#include "coordinates/joint.h"
#include "motion/motion.h"

typedef struct RbvCutRows {
    const RbvSystem *system;
    RbvCoordinates tree; /* joint coordinates of the same bodies: rates of tree joints */
    RbvArena arena;
    bool *kept;         /* [rows] those that tree joints hold */
    int32_t count;      /* of rows */
    int32_t *row;       /* [count] which of the system they are */
    RbvRowPattern C, D; /* their patterns over rates of tree joints and over body twists */
    double *c, *d;      /* [entries] at the prepared state */
    int32_t *body;      /* [tree.size] on whose arc a rate is */
    bool own;           /* the system has other coordinates: C is made here */
    RbvRowWork work;
    void *prepared;        /* of the tree, likewise */
    double *scale, *share; /* [tree.size] of equations, [count] of unknowns: torques as forces */
    struct RbvCutEquations *equations;
} RbvCutRows;

/* For the rows that hold at the motion's state. NULL: no memory. */
RbvCutRows *rbv_cut_rows_create(const RbvMotion *motion);
void rbv_cut_rows_destroy(RbvCutRows *rows);
/* C and its factors at the placed state. LOCKED: singular; NO_MEMORY. */
RbvStatus rbv_cut_rows_prepare(RbvCutRows *rows, RbvState *state);
/* lambda[count] for y[tree.size], which is spoilt. */
void rbv_cut_rows_solve(RbvCutRows *rows, double *y, double *lambda);

#endif
