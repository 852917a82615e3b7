/* Small dense programs, linear and over cones.
 *
 * Linear: the largest c.x with A x <= b, x free, by the simplex method on dictionaries (Chvatal
 * 1983, chapters 2 to 5).
 *
 * x = p - m with p, m >= 0; a first phase with one more variable finds a corner, Bland's rule ends in all cases. For
 * tens of unknowns and some hundreds of rows.
 *
 * Over cones: the largest c.x with |f_i(x)| <= t_i(x), A x <= b and |x| <= radius, f_i (up to three numbers) and t_i
 * affine; on request with e.x constant. Barrier method, from x within all limits: the largest of k c.x + sum log(t_i^2
 * - |f_i|^2) + sum log(b - A x) + log(radius^2 - |x|^2) by Newton's method, with k increased by steps. At the end c.x
 * is below its maximum by at most the number of terms over k (Boyd and Vandenberghe 2004, chapter 11). For tens of
 * unknowns.
 */
#ifndef RBV_CORE_SOLVE_PROGRAMS_H
#define RBV_CORE_SOLVE_PROGRAMS_H

#include "core/base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define RBV_CONE_DIRECTIONS 3

typedef struct RbvConeProgram {
    RbvArena arena; /* memory of all arrays */
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

typedef enum RbvProgramEnd {
    RBV_PROGRAM_OPTIMAL,   /* x is a corner */
    RBV_PROGRAM_UNBOUNDED, /* x is a corner, and c.(x + s ray) grows with s without end */
    RBV_PROGRAM_INFEASIBLE,
    RBV_PROGRAM_GIVEN_UP /* too many steps: rounding */
} RbvProgramEnd;

typedef struct RbvProgram {
    RbvArena arena;         /* memory of all arrays */
    int32_t n, rows, most;  /* number of unknowns; number of rows; capacity in rows */
    double *A, *b, *c;      /* [most][n], [most], [n] filled in by the caller; rows of size about 1 */
    double *x, *ray;        /* [n] */
    double *dictionary;     /* [most + 1][2 n + 2] */
    int32_t *basic, *other; /* [most], [2 n + 1] variables of the dictionary's rows and columns */
} RbvProgram;

/* False: no memory; to be destroyed in both cases. */
bool rbv_program_create(RbvProgram *program, int32_t n, int32_t most);
void rbv_program_destroy(RbvProgram *program);
/* A new row of zeros with right-hand side b; NULL: the capacity is reached. */
double *rbv_program_row(RbvProgram *program, double b);
RbvProgramEnd rbv_program_solve(RbvProgram *program);

#endif
