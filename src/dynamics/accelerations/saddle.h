/* Saddle point system M x + C^T lambda = f,  C x = g, for constraint rows of any rank: accelerations and multipliers,
 * impulses, corrections of positions and velocities.
 *
 *   [ M    C_w^T ] [ x        ]   [ f   ]
 *   [ C_w   -eps ] [ lambda_w ] = [ g_w ]     C_w = W C, weights W such that C_w M^-1 C_w^T has a diagonal of ones
 *
 * The sparse matrix is factored once; then follows a proximal point iteration on the residual of the equations without
 * eps. Components that rows determine converge in two or three solutions, at the rate eps / (eps + sigma^2); the
 * iteration adds no self-stress, the part of multipliers that dependent rows leave open. x is unique where M is
 * positive definite on the null space of C (Haug 6.3.24), whatever the rank of C. Near singular positions motions
 * across them count as free below sigma = 1e-5 (rbv_saddle_set_redundant), for the moment of passage (Bayo and Ledesma
 * 1996; Garcia de Jalon and Bayo 1994, 5.1).
 *
 * Rows are those of joints, constraints and drives, except rows that the coordinates satisfy by themselves (kept rows),
 * and rows of the coordinates' own (points and vectors of rigid bodies). g is indexed by all rows of the system's C,
 * lambda only by the [rows] of joints, constraints and drives; lambda of kept rows is zero. */
#ifndef RBV_DYNAMICS_ACCELERATIONS_SADDLE_H
#define RBV_DYNAMICS_ACCELERATIONS_SADDLE_H

#include "core/linalg/lu.h"
#include "mechanics/coordinates/mass_matrix.h"
#include "mechanics/system/system.h"

typedef struct RbvSaddle RbvSaddle;

/* Creates the system for the rows of the state's system. The state stays the caller's. `whole`: the whole
 * matrix is factored, never its Schur complement, which has more rounding in how rows that repeat others share a force:
 * for friction, which follows such forces. NULL: out of memory. */
RbvSaddle *rbv_saddle_create(RbvState *state, bool whole);
void rbv_saddle_destroy(RbvSaddle *saddle);
/* Sets which rows act from now on: active[rows]; NULL: all rows act. An inactive row reads 0 = 0, and its multiplier is
 * zero. The array stays the caller's. */
void rbv_saddle_set_active(RbvSaddle *saddle, const bool *active);
/* Sets whether some rows repeat others. If so, rows with singular values below 1e-3 are ignored (else 1e-5), for states
 * that violate the constraints slightly. Initially false. */
void rbv_saddle_set_redundant(RbvSaddle *saddle, bool redundant);
bool rbv_saddle_is_redundant(const RbvSaddle *saddle);
/* Leaves further rows out of the next factors: left_out[rows of the saddle] are rows that repeat others; the remaining
 * rows are then followed to small singular values also at states that violate the constraints. NULL: none. The array
 * stays the caller's. */
void rbv_saddle_leave_out(RbvSaddle *saddle, const bool *left_out);
bool rbv_saddle_leaves_out(const RbvSaddle *saddle);
/* Returns the number of rows; *place: index of each among the rows of the system's C. */
int32_t rbv_saddle_rows(const RbvSaddle *saddle, const int32_t **place);
/* lambda = eps (C_w M^-1 C_w^T + eps)^-1 g [rows of the saddle] by the current factors: keeps combinations of rows that
 * repeat others, and leaves little of the other combinations. */
void rbv_saddle_soften(RbvSaddle *saddle, const double *g, double *lambda);
/* Selects the problem where accelerations are known and forces are to be found (kept_reactions.h): no motion has to
 * stay free, so singular values are followed to rounding. */
void rbv_saddle_set_known(RbvSaddle *saddle);
/* Takes over M and C at a state whose positions and Jacobian are evaluated, which has moved little since the factors
 * were made: these are kept, unless rows repeat others and the Schur complement is factored. Off the constraints, where
 * the last factors were made, repeated rows resist a free motion, and the iteration with the complement of there hardly
 * converges. False: as of rbv_saddle_factor. */
bool rbv_saddle_fill(RbvSaddle *saddle);
/* Takes over M and C as rbv_saddle_fill does, and factors. False: a number is not finite, or the matrix is singular (a
 * motion that rows leave free has no mass), or out of memory (noted in the state). */
bool rbv_saddle_factor(RbvSaddle *saddle);
/* Makes the next factors independent of earlier ones, even in rounding. */
void rbv_saddle_forget(RbvSaddle *saddle);
/* Returns whether some solution for accelerations since the last call did not settle: near a singular position rows
 * yielded to motions that they resist elsewhere. *nearness: the largest 1 / sigma^2 among the components of
 * accelerations; 0 where rows repeat others at all positions. */
bool rbv_saddle_yields(RbvSaddle *saddle, double *nearness);
/* Returns whether the last solution for forces did not settle. The solution is to be repeated and is not counted by
 * rbv_saddle_yields. */
bool rbv_saddle_retract(RbvSaddle *saddle);
/* lambda[rows]: part of the multipliers that is missing in the solution x[n] for f and g where a singular value is
 * below the root of eps, since rows resist less there than they should. False: a number is not finite. */
bool rbv_saddle_left(RbvSaddle *saddle, const double *f, const double *g, double *x, double *lambda);
/* Finds x[size of v] and lambda[rows] for f[size of v] (NULL: zero) and g[rows of C] (NULL: zero). False: a number is
 * not finite. */
bool rbv_saddle_solve(RbvSaddle *saddle, const double *f, const double *g, double *x, double *lambda);
/* Returns wrenches [bodies] set to zero, into which the caller adds forces for rbv_saddle_pull and rbv_saddle_answer.
 */
RbvWrench *rbv_saddle_wrenches(RbvSaddle *saddle);
/* Returns the wrenches [bodies] of rbv_saddle_wrenches with the forces that the caller has added. */
const RbvWrench *rbv_saddle_pushed(const RbvSaddle *saddle);
/* Returns sum f^2/m over the wrenches of rbv_saddle_wrenches: the acceleration that they would cause along themselves
 * if no row acted. */
double rbv_saddle_alone(const RbvSaddle *saddle);
/* Finds the generalized forces Q[size of v] of the wrenches of rbv_saddle_wrenches. */
void rbv_saddle_pull(RbvSaddle *saddle, double *Q);
/* Finds Q as rbv_saddle_pull does, and x and lambda of rbv_saddle_solve for f = Q, g = 0. False: a number is not
 * finite. */
bool rbv_saddle_answer(RbvSaddle *saddle, double *Q, double *x, double *lambda);
/* As rbv_saddle_solve for f = 0, for callers that check the residual of g and correct again: large systems use the
 * factors alone, without iteration. */
bool rbv_saddle_correct(RbvSaddle *saddle, const double *g, double *x, double *lambda);
/* Returns 1 / M_jj [size of v]: acceleration per unit of generalized force without constraints. */
const double *rbv_saddle_inverse_mass(const RbvSaddle *saddle);
/* Return M; the row weights w[rows] (0: left out); eps. All of the last factors. */
const RbvMassMatrix *rbv_saddle_mass(const RbvSaddle *saddle);
const double *rbv_saddle_weights(const RbvSaddle *saddle);
double rbv_saddle_proximal(const RbvSaddle *saddle);

#endif
