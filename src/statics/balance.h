/* Balance of forces at a state at rest whose positions are evaluated, and its one sparse linear system, with which all
 * methods of statics make their steps.
 *
 *   [ K + mu kappa I + s M   C^T    ] [ y  ]   [ f ]
 *   [ C                     -c      ] [ l  ] = [ h ]
 * Everything is scaled: coordinates of rotation by 1/L, rows to unit gradients. K: stiffness d(g + C^T lambda)/dq;
 * kappa [N/m]: its largest entry; s M: mass matrix times a factor; y: step of the coordinates; l: multipliers. The
 * compliance c [m/N] makes the system regular whatever the rank of C. If c acts only on the change of the multipliers
 * (proximal method of multipliers), it leaves no error; with c = 1/alpha and h = -Phi the solution is Newton's step of
 * the penalty method. Bodies that are barely locked (locked_bodies.h) stay where they are. The system is written in the
 * coordinates of the RbvSystem. In other than absolute coordinates C also has the coordinates' own rows, but not the
 * rows that the coordinates keep by themselves, and K is built from the stiffness of the bodies
 * (coordinate_blocks.h). */
#ifndef RBV_STATICS_BALANCE_H
#define RBV_STATICS_BALANCE_H

#include "core/base/arena.h"
#include "core/linalg/lu.h"
#include "statics/coordinate_blocks.h"
#include "statics/locked_bodies.h"

/* Compliance of the multipliers times kappa in proximal steps. It is large enough that rounding of the rows, divided by
 * it, stays small against the multipliers. */
#define RBV_PROXIMAL 1e-8

/* Workspace of steps along the joints of a tree. */
typedef struct RbvAlongJoints {
    RbvArena arena;                    /* of all arrays */
    const RbvCoordinates *coordinates; /* joint coordinates of the tree */
    RbvBodyState *bodies;
    RbvTwist *twists;
    double *q, *step;
} RbvAlongJoints;

typedef struct RbvBalance {
    RbvArena arena; /* of all arrays */
    const RbvSystem *system;
    RbvState *state;
    int32_t n, rows; /* n: coordinates. rows: rows of C in the system. In absolute coordinates these are the rows up to
                        satisfied_count; in coordinates with rows of their own they are all rows, and those that are not
                        active have weight 0 */
    bool yields;     /* rows are penalties now: their weights contain the penalty factors of the joints */
    bool locked;     /* rows on velocities are active, too */
    double reach;    /* [m] size of the largest part of the mechanism */
    double allowed_error; /* [m] largest error of rows, besides rounding, that is allowed: how far the positions moved
                             that a penalty method found in other coordinates; 0 otherwise */
    double *scale;        /* [n] scale factors of the coordinates */
    int32_t *owner;       /* [n] a body that the coordinate moves */
    double *weight;       /* [rows] weights of the rows; 0: not active */
    /* at the evaluated state */
    double *gradient;  /* [n] -Q, scaled [N] */
    double *phi;       /* [rows] Phi, scaled [m] */
    double *C;         /* [nonzeros] rows C, scaled */
    double error;      /* largest |phi| beyond the rounding of its points' coordinates, over the size of its part of the
                          mechanism */
    double gap;        /* [m] largest |phi| */
    double force_size; /* [N] largest load on a body, scaled */
    double V, V_size;  /* [J] potential energy and the size of its terms; V is NaN if some load has no energy */
    double *lambda;    /* [rows] scaled [N] */
    double kappa, compliance;
    double hardness; /* [N/m] scale of the stiffness that bodies feel in translation. Along coordinates that keep joints
                        springs may be soft, but the rounding of the bodies' positions acts on their full stiffness */
    double least_kappa; /* [N/m] lower bound of kappa; 0 unless set: on a path the stiffness may vanish */
    /* the linear system */
    int32_t *start;              /* [n + rows + 1] first entry of each row of the matrix */
    int32_t *width;              /* [n] number of entries of K in a row; they come first in the row */
    RbvCoordinateBlocks *blocks; /* maps stiffness blocks of bodies to entries of K if v is not made of body twists;
                                    NULL: v is made of body twists */
    int32_t *neighbour_start, *neighbour,
        *offset; /* bodies j coupled to body i, sorted: neighbour_start [bodies + 1], neighbour [pairs]; offset [pairs]:
                    where the columns of j begin in the rows of i */
    int32_t *index;              /* column of each entry, row by row */
    int32_t *at, *at_transposed; /* [nonzeros of C] indices in values of the entries of C and of C^T */
    double *values;
    RbvLu *lu;
    RbvLockedBodies
        *locked_bodies;        /* bodies that stay where they are, with the factors for their multipliers; NULL: none */
    double *b;                 /* [n + rows] right-hand side, then solution */
    double *K_y;               /* [n] workspace */
    RbvAlongJoints *along;     /* moves bodies along tree joints; NULL: each by itself */
    double *stored_q;          /* [position_size] the q that steps start from; at first the q at creation */
    RbvTwist *twists;          /* [bodies] workspace: body twists */
    RbvBodyState *body_states; /* [2][bodies] workspace, if v is not made of body twists */
    int32_t value_count;
} RbvBalance;

/* Balance for a state that is assembled at its time; the caller keeps ownership of the state. Free with
 * rbv_balance_destroy. NULL if out of memory. */
RbvBalance *rbv_balance_create(RbvState *state, bool locked);
void rbv_balance_destroy(RbvBalance *balance);
/* Recomputes the weights of the rows at the state after the set of active rows has changed. False if a number is not
 * finite. */
bool rbv_balance_weigh(RbvBalance *balance);
/* If a locked block of bodies has a singular value below `below` times its largest at the evaluated state, all locked
 * bodies stay where they are from now on. False if out of memory. */
bool rbv_balance_lock_bodies(RbvBalance *balance, double below);

/* Evaluates positions, loads, rows, gradient and energy for the q of the state, at rest. False if a number is not
 * finite. */
bool rbv_balance_evaluate(RbvBalance *balance);
/* Fills the matrix (K with the current multipliers and the shifts mu and s = mass) and factors it. False: singular. */
bool rbv_balance_factor(RbvBalance *balance, double mu, double mass, double compliance);
/* Fills the matrix without factoring it. */
void rbv_balance_fill(RbvBalance *balance, double mu, double mass, double compliance);
/* Fills K alone, of all bodies, for rbv_balance_stiffness. */
void rbv_balance_fill_stiffness(RbvBalance *balance);
/* Computes the multipliers l[rows] of the locked blocks from those of the other rows. */
void rbv_balance_complete(RbvBalance *balance, double *l);
/* Sets the entries of a right-hand side b[n + rows] that belong to locked bodies and their rows to 0. */
void rbv_balance_clear_locked(const RbvBalance *balance, double *b);
/* Solves the factored system: y[n] and l[rows] for f[n] and h[rows]; l may be NULL. */
void rbv_balance_solve(RbvBalance *balance, const double *f, const double *h, double *y, double *l);
/* Newton's step y[n] to equilibrium, with f = -gradient, h = -phi - c lambda; l[rows] are the new multipliers.
 * `ignores_rows`: Phi counts as 0. Otherwise contradictions of redundant rows, which come from the rounding of lengths,
 * would let their multipliers grow step by step. */
void rbv_balance_newton(RbvBalance *balance, bool ignores_rows, double *y, double *l);
/* Multipliers that leave the least residual force, regardless of K. Overwrites the factors. False if the matrix is
 * singular or out of memory. */
bool rbv_balance_multipliers(RbvBalance *balance);
/* Largest residual force |gradient + C^T l| over the coordinates [N], scaled. */
double rbv_balance_residual(RbvBalance *balance, const double *l);
/* Largest |multiplier| [N], scaled. */
double rbv_balance_largest(const RbvBalance *balance);
/* Projection onto the constraints: moves q from nearby to Phi = 0 by the least motion, and evaluates the state.
 * Overwrites the factors. False: Phi = 0 is not reached. */
bool rbv_balance_project(RbvBalance *balance);
/* Moves q from nearby towards Phi = 0 by the motion of least energy: Newton's method for the rows with the matrix of a
 * step of ridge mu, whose factors are used as long as they serve. A long cable thus gives way as a whole, where the
 * least motion would stretch link by link. Ends where the error falls no more; rbv_balance_project does the rest.
 * False: the way there turns or moves a body so far that it leads elsewhere. kappa stays. */
bool rbv_balance_approach(RbvBalance *balance, double mu);
/* y[n]: the least linearized step, scaled, that brings the active rows as near to Phi = 0 as they can come together.
 * For a state whose positions are evaluated; overwrites the factors. False: singular matrix. */
bool rbv_balance_step_to_rows(RbvBalance *balance, double *y);
/* Largest entry of K [N/m] in the rows of a body, if v is made of body twists; K is that of the last fill. */
double rbv_balance_body_stiffness(const RbvBalance *balance, int32_t body);
/* out[n] = K x, scaled, with the K of the last fill. */
void rbv_balance_stiffness(const RbvBalance *balance, const double *x, double *out);

/* Motions (balance_motion.c). */
/* Stores q; restores it; sets q = stored q + factor y. */
void rbv_balance_store(RbvBalance *balance);
void rbv_balance_restore(RbvBalance *balance);
void rbv_balance_move(RbvBalance *balance, const double *y, double factor);
/* Moves q by y from where it is. */
void rbv_balance_go_on(RbvBalance *balance, const double *y);
/* Body twists [bodies] of the motion x[n], in workspace of the balance until the next call; overwrites K_y. */
const RbvTwist *rbv_balance_twists(const RbvBalance *balance, const double *x);
/* out[n] = P^T of wrenches[bodies], scaled, at the evaluated state. */
void rbv_balance_generalized_forces(const RbvBalance *balance, const RbvWrench *wrenches, double *out);
/* Body twists [bodies] that lead from positions `from` to the present ones, in the same workspace; overwrites K_y. */
const RbvTwist *rbv_balance_displacements(const RbvBalance *balance, const double *from);
/* Largest factor, 0 to 1, by which y may be taken so that no body turns by more than `turn` [rad] or moves by more than
 * `move` times the size of its part. */
double rbv_balance_limit(const RbvBalance *balance, const double *y, double turn, double move);
/* Largest |x| over the bodies, in scaled coordinates, divided by the smaller of the size of the part and the body's
 * arm, the length by which its rotations are scaled. */
double rbv_balance_extent(const RbvBalance *balance, const double *x);
/* Sum of a[k] b[k] over the n coordinates. */
double rbv_balance_dot(const RbvBalance *balance, const double *a, const double *b);
/* Orthonormal motions N[n][*count], row-major, scaled as steps, tangent to Phi = 0; by singular values, or by QR, which
 * costs a tenth. `nearly`: motions count, too, that are restrained only by rows whose independence is unsure. *safe:
 * the rank is certain. Freed by the caller; NULL if out of memory. */
double *rbv_tangent_motions(const RbvBalance *balance, bool by_qr, bool nearly, int32_t *count, bool *safe);
/* Workspace for a system in joint coordinates; free it with rbv_along_joints_destroy. NULL if out of memory. */
RbvAlongJoints *rbv_along_joints_create(const RbvSystem *system);
void rbv_along_joints_destroy(RbvAlongJoints *along);
/* True if the system is in joint coordinates of a tree that is deep enough for them (rbv_articulated_fits). */
bool rbv_along_joints_fits(const RbvSystem *system);
/* Moves the positions q of the bodies (absolute coordinates of_bodies) along the tree joints, by the joint velocities
 * contained in the body twists step[bodies.size]. */
void rbv_along_joints_move(RbvAlongJoints *along, const RbvCoordinates *of_bodies, const double *step, double *q);

/* Bordered system: one more unknown and one more equation. It is regular at folds, where the system itself is
 * singular. */
typedef struct RbvBordered {
    RbvArena arena;  /* of all arrays */
    int32_t size, n; /* size: unknowns of the bordered system, n + rows + 1; n: coordinates */
    int32_t *start, *index;
    double *values;
    RbvLu *lu;
} RbvBordered;

/* Pattern and workspace for the balance's pattern; free with rbv_bordered_destroy. False if out of memory. */
bool rbv_bordered_create(RbvBordered *bordered, const RbvBalance *balance);
void rbv_bordered_destroy(RbvBordered *bordered);
/* Factors the matrix bordered by column[n + rows], row[n] and corner. False: singular or out of memory. */
bool rbv_bordered_factor(RbvBordered *bordered, const RbvBalance *balance, const double *column, const double *row,
                         double corner);
/* Replaces the right-hand side x[size] by the solution. */
void rbv_bordered_solve(RbvBordered *bordered, double *x);

/* Sparsity pattern (balance_pattern.c), for rbv_balance_create. */
/* rbv_balance_may_act: true if row k can be a condition on positions or on locked velocities; other rows have no
 * entries and a zero multiplier. rbv_balance_entries: number of entries of row k of C in the matrix. */
bool rbv_balance_may_act(const RbvSystem *system, int32_t k);
int32_t rbv_balance_entries(const RbvSystem *system, int32_t k);
/* Finds for each coordinate a body that it moves. Coordinates that no body's position depends on get the body of other
 * coordinates in the same own row. */
void rbv_balance_find_owners(RbvBalance *balance);
/* Sets start, width, index, at, at_transposed, values, lu and blocks, at a state whose positions and loads are
 * evaluated. False if out of memory. */
bool rbv_balance_create_pattern(RbvBalance *balance);

#endif
