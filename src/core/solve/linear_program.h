/* A small dense linear program: the largest c.x with A x <= b, x free, by the simplex method on dictionaries (Chvatal
 * 1983, chapters 2 to 5).
 *
 * x = p - m with p, m >= 0; a first phase with one more variable finds a corner, Bland's rule ends in all cases. For
 * tens of unknowns and some hundreds of rows.
 */
#ifndef RBV_CORE_SOLVE_LINEAR_PROGRAM_H
#define RBV_CORE_SOLVE_LINEAR_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

typedef enum RbvProgramEnd {
    RBV_PROGRAM_OPTIMAL,   /* x is a corner */
    RBV_PROGRAM_UNBOUNDED, /* x is a corner, and c.(x + s ray) grows with s without end */
    RBV_PROGRAM_INFEASIBLE,
    RBV_PROGRAM_GIVEN_UP /* too many steps: rounding */
} RbvProgramEnd;

typedef struct RbvProgram {
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
