/* A small dense program over cones: the largest c.x with |f_i(x)| <= t_i(x), A x <= b and |x| <= radius, f_i (up to
 * three numbers) and t_i affine; on request with e.x constant.
 *
 * Barrier method, from x within all limits: the largest of k c.x + sum log(t_i^2 - |f_i|^2) + sum log(b - A x) +
 * log(radius^2 - |x|^2) by Newton's method, with k increased by steps. At the end c.x is below its maximum by at most
 * the number of terms over k (Boyd and Vandenberghe 2004, chapter 11). For tens of unknowns.
 */
#ifndef RBV_CORE_SOLVE_CONE_PROGRAM_H
#define RBV_CORE_SOLVE_CONE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define RBV_CONE_DIRECTIONS 3

typedef struct RbvConeProgram {
    int32_t n, cones, rows;
    double *limit;   /* [cones][n + 1] coefficients of t_i, the constant first */
    double *force;   /* [cones][3][n + 1] coefficients of f_i, the constant first */
    double *A, *b;   /* [rows][n], [rows] */
    double *c;       /* [n] */
    const double *e; /* [n] direction with constant e.x, or NULL */
    double radius;
    double *work; /* workspace of the solver */
} RbvConeProgram;

/* All coefficients are zero. False: no memory; to be destroyed in both cases. */
bool rbv_cone_program_create(RbvConeProgram *program, int32_t n, int32_t cones, int32_t rows);
void rbv_cone_program_destroy(RbvConeProgram *program);
/* Maximises from x[n] within all limits; ends as soon as c.x is above `enough`. False: x is not within the limits, or
 * Newton's method fails by rounding. */
bool rbv_cone_program_solve(RbvConeProgram *program, double *x, double enough);
/* Largest violation at x: the largest of |f_i| - t_i and A x - b; negative within all limits. */
double rbv_cone_program_lack(const RbvConeProgram *program, const double *x);

#endif
