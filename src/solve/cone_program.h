/* A small dense program over cones: the largest c.x with |f_i(x)| <= t_i(x), A x <= b and |x| <= radius, f_i (up to
 * three numbers) and t_i affine; on request with e.x kept as it is.
 *
 * By a barrier, from x within all limits: the largest of k c.x + sum log(t_i^2 - |f_i|^2) + sum log(b - A x) +
 * log(radius^2 - |x|^2) by Newton's method, k larger by steps; what c.x may lack at the end is the number of terms over
 * k (Boyd and Vandenberghe 2004, chapter 11). For tens of unknowns.
 */
#ifndef RBV_SOLVE_CONE_PROGRAM_H
#define RBV_SOLVE_CONE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define RBV_CONE_DIRECTIONS 3

typedef struct RbvConeProgram {
    int32_t n, cones, rows;
    double *limit;   /* [cones][n + 1] t_i: the constant first */
    double *force;   /* [cones][3][n + 1] f_i */
    double *A, *b;   /* [rows][n], [rows] */
    double *c;       /* [n] */
    const double *e; /* [n], or NULL */
    double radius;
    double *work; /* of the solver */
} RbvConeProgram;

/* Zeros. False: no memory; to be destroyed all the same. */
bool rbv_cone_program_create(RbvConeProgram *program, int32_t n, int32_t cones, int32_t rows);
void rbv_cone_program_destroy(RbvConeProgram *program);
/* From x[n] within all limits; ends as soon as c.x is above `enough`. False: x is not within them, or Newton fails:
 * rounding. */
bool rbv_cone_program_solve(RbvConeProgram *program, double *x, double enough);
/* What lacks most at x: the largest of |f_i| - t_i and A x - b. */
double rbv_cone_program_lack(const RbvConeProgram *program, const double *x);

#endif
