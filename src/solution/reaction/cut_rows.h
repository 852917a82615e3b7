/* Multipliers of the rows that no tree joint of a spanning tree keeps, by virtual power: rows of cut joints, drives,
 * gears, constraints. With C = D P over the rates of the tree joints,
 *
 *   C^T lambda = y
 * where y is the power of all forces, those of inertia included, at unit rates of the tree joints (Garcia de Jalon
 * and Bayo, chapter 6: the mechanism is cut, its rates are free). Where no row is redundant the system is square and
 * solved block by block: in an open tree with a drive on each tree joint every block is one division, and a loop
 * brings as many unknowns as its cut has rows. Else the solution is of least norm, or in large systems that of
 * chosen rows; printed reactions are the same in both cases (choice.h). */
#ifndef RBV_SOLUTION_REACTION_CUT_ROWS_H
#define RBV_SOLUTION_REACTION_CUT_ROWS_H

#include "mechanics/coordinates/joint.h"
#include "solution/motion/motion.h"

typedef struct RbvCutRows {
    const RbvSystem *system;
    RbvCoordinates tree; /* joint coordinates of the same bodies: rates of tree joints */
    RbvArena arena;
    bool *kept;         /* [rows] does a tree joint keep the row? */
    int32_t count;      /* number of cut rows */
    int32_t *row;       /* [count] their indices in the system */
    RbvRowPattern C, D; /* patterns of the cut rows over rates of tree joints and over body twists */
    double *c, *d;      /* [entries] values of C and D at the prepared state */
    int32_t *body;      /* [tree.size] body of the tree joint that a rate belongs to */
    bool own;           /* the system has other coordinates: C is computed here */
    RbvRowWork work;
    void *prepared;        /* [tree.prepared_size] workspace of the tree where `own` */
    double *scale, *share; /* scales that turn torques into forces: of equations [tree.size], of unknowns [count] */
    struct RbvCutEquations *equations;
} RbvCutRows;

/* Cut rows among the rows active at the motion's state. NULL: no memory. */
RbvCutRows *rbv_cut_rows_create(const RbvMotion *motion);
void rbv_cut_rows_destroy(RbvCutRows *rows);
/* C and its factors at a state whose positions are evaluated. LOCKED: singular; NO_MEMORY. */
RbvStatus rbv_cut_rows_prepare(RbvCutRows *rows, RbvState *state);
/* lambda[count] for y[tree.size]; overwrites y. */
void rbv_cut_rows_solve(RbvCutRows *rows, double *y, double *lambda);

#endif
