/* M x + C^T lambda = f,  C x = g, for rows of any rank: accelerations and multipliers, impulses, corrections of
 * positions and rates.
 *
 *   [ M    C_w^T ] [ x        ]   [ f   ]
 *   [ C_w   -eps ] [ lambda_w ] = [ g_w ]     C_w = W C, rows so weighted that C_w M^-1 C_w^T has a diagonal of ones
 * Factored once, sparse; then iterated as a proximal point method, by the residual of the equations without eps: what
 * rows determine converges in two or three solutions, at the rate eps / (eps + sigma^2); of multipliers that dependent
 * rows leave open the iteration adds none. x is unique where M is positive on the null space of C (Haug 6.3.24),
 * whatever the rank of C; near singular positions motions across them count as free below sigma = 1e-5
 * (rbv_saddle_set_redundant), for the moment that they last (Bayo and Ledesma 1996; Garcia de Jalon and Bayo 1994,
 * 5.1).
 *
 * Rows are those of joints, constraints and drives, but for what coordinates keep by themselves, and rows of the
 * coordinates' own (points and vectors of rigid bodies). g has the places of all rows of the system's C, lambda only
 * those of [rows] joints, constraints and drives; of rows that are kept it is zero.
 */
#ifndef RBV_DYNAMICS_SADDLE_H
#define RBV_DYNAMICS_SADDLE_H

#include "coordinates/mass_matrix.h"
#include "linalg/lu.h"
#include "system/system.h"

typedef struct RbvSaddle RbvSaddle;

/* Over the rows of the state's system. The state stays the caller's. NULL: no memory. */
RbvSaddle *rbv_saddle_create(RbvState *state);
void rbv_saddle_destroy(RbvSaddle *saddle);
/* Rows left out from now on: active[rows], NULL: none is. They count as 0 = 0, and their multipliers are zero. The
 * array stays the caller's. */
void rbv_saddle_set_active(RbvSaddle *saddle, const bool *active);
/* Whether some rows repeat others: of small singular values more are then left out (below 1e-3), for the sake of states
 * beside the constraints. At first: no. */
void rbv_saddle_set_redundant(RbvSaddle *saddle, bool redundant);
bool rbv_saddle_is_redundant(const RbvSaddle *saddle);
/* Rows left out besides, from the next factors on: left_out[rows of the saddle] of them repeat others, which are then
 * followed to small singular values beside the constraints, too. NULL: none. The array stays the caller's. */
void rbv_saddle_leave_out(RbvSaddle *saddle, const bool *left_out);
bool rbv_saddle_leaves_out(const RbvSaddle *saddle);
/* How many rows there are, and where each stands among the rows of the system's C. */
int32_t rbv_saddle_rows(const RbvSaddle *saddle, const int32_t **place);
/* lambda = eps (C_w M^-1 C_w^T + eps)^-1 g [rows of the saddle], by the factors of now: of rows in other combinations
 * than those that repeat others little is left. */
void rbv_saddle_soften(RbvSaddle *saddle, const double *g, double *lambda);
/* Instead: accelerations are known, forces being what is asked for (kept_reactions.h), so that no motion has to stay
 * free: singular values are followed to rounding. */
void rbv_saddle_set_known(RbvSaddle *saddle);
/* Take over M and C at the placed state with its Jacobian, without new factors: good where it has moved by little since
 * they were made. */
void rbv_saddle_fill(RbvSaddle *saddle);
/* The same and factor. False: not finite, or singular: a motion that rows leave free has no mass; or no memory (in the
 * state). */
bool rbv_saddle_factor(RbvSaddle *saddle);
/* The next factors do not depend on those before, not even by rounding. */
void rbv_saddle_forget(RbvSaddle *saddle);
/* Has, since this was asked last, some acceleration not settled: near a singular position rows gave way to what they
 * resist elsewhere? *nearness: the largest 1 / sigma^2, of what accelerations have along such a motion; 0 where rows
 * repeat others in all positions. */
bool rbv_saddle_yields(RbvSaddle *saddle, double *nearness);
/* Has the last solution for forces not settled? It is to be made again, and does not count for the former. */
bool rbv_saddle_retract(RbvSaddle *saddle);
/* lambda[rows]: what the solution x[n] for f and g lacks of multipliers where a singular value is below the root of
 * eps: rows resist less there than they should. */
bool rbv_saddle_left(RbvSaddle *saddle, const double *f, const double *g, double *x, double *lambda);
/* x[size of v] and lambda[rows] for f[size] (NULL: zero) and g[rows of C] (NULL: zero). False: a number is not finite.
 */
bool rbv_saddle_solve(RbvSaddle *saddle, const double *f, const double *g, double *x, double *lambda);
/* [bodies] all zero: to push forces into, for the next two. */
RbvWrench *rbv_saddle_wrenches(RbvSaddle *saddle);
/* The same as they have been pushed since. */
const RbvWrench *rbv_saddle_pushed(const RbvSaddle *saddle);
/* The rate in their own direction that they would give bodies if nothing held these: sum f^2/m. */
double rbv_saddle_alone(const RbvSaddle *saddle);
/* What these are on coordinates: Q[size of v]. */
void rbv_saddle_pull(RbvSaddle *saddle, double *Q);
/* And what they bring about: x and lambda of rbv_saddle_solve for f = Q and g = 0. */
bool rbv_saddle_answer(RbvSaddle *saddle, double *Q, double *x, double *lambda);
/* The same for f = 0 where the caller looks at what is left of g and corrects again: in large systems by the factors
 * alone. */
bool rbv_saddle_correct(RbvSaddle *saddle, const double *g, double *x, double *lambda);
/* 1 / M_jj [size of v]: accelerations that forces would cause by themselves. */
const double *rbv_saddle_inverse_mass(const RbvSaddle *saddle);
/* M; w[rows] by which rows are weighted, 0: left out; eps: of the last factors. */
const RbvMassMatrix *rbv_saddle_mass(const RbvSaddle *saddle);
const double *rbv_saddle_weights(const RbvSaddle *saddle);
double rbv_saddle_proximal(const RbvSaddle *saddle);

#endif
