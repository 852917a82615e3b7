/* The motion linearised about a state: z' = A z, with the tangent of all that rows hold taken out.
 *
 *   at rest in equilibrium   M x'' + D x' + K x = 0 on the null space of C, massless directions condensed; places that only rows on rates keep stand in z besides
 *   elsewhere                x' = f(x, y), y' = g(x, y) by its derivatives at the state, frozen there: x the places of chosen coordinates, y their rates
 */
#ifndef RBV_DYNAMICS_LINEARISATION_H
#define RBV_DYNAMICS_LINEARISATION_H

#include "system/system.h"

/* Coordinates and freedoms of mechanisms whose matrices are not too large for dense algebra. */
#define RBV_LINEAR_COORDINATES 3000
#define RBV_LINEAR_FREEDOMS 1500

typedef struct RbvLinear {
    RbvState *state;
    int32_t n, rows;          /* of v; rows that hold, idle spins among them */
    int32_t m, p;             /* freedoms of rates, of places: p > m with rows on rates */
    double *scale;            /* [n] of coordinates: all are lengths then */
    double *row_scale;        /* [rows] 1 / length of a scaled row */
    double *C;                /* [rows][n], scaled; */
    double *N, *P;            /* [n][m], [n][p]: orthonormal bases of rates and places that rows leave free, scaled */
    double *W;                /* [n][n] factors of C^T C + N N^T: C^+ = W^-1 C^T */
    int32_t *pivot;
    double *lambda, *a;       /* [rows], [n] at the state */
    double length;            /* [m] of the mechanism: what steps of differences are measured by */
    bool unsafe;              /* the rank of C is in doubt: a singular position */
    bool rest, equilibrium;
    const char *refusal;      /* why there is no z' = A z */
    bool not_finite;          /* it ended because a number is not finite; else for want of memory */
    int32_t size, places;     /* of z; the first of them are places, the others rates */
    double *A;                /* [size][size] */
    double *shape;            /* [n][size]: the motion of v that z moves by, not scaled */
    double *square;           /* [size] with an energy and nothing that depends on rates: z'' = -square z instead, A is not used; NULL */
    double *neutral;          /* [size] a square of smaller magnitude is zero */
    double blur;              /* what A is off by, of its largest */
} RbvLinear;

/* Bases, multipliers and accelerations at the state, which is placed, with its rates, and stays the caller's. `held`: drives stand still. False: no memory, or not_finite. To be destroyed all the same. */
bool rbv_linear_create(RbvLinear *linear, RbvState *state, bool held);
void rbv_linear_destroy(RbvLinear *linear);
/* A, by one way or the other. False: likewise, or refusal says why there is none. */
bool rbv_linear_at_rest(RbvLinear *linear);
bool rbv_linear_in_motion(RbvLinear *linear);
/* Is the status OK? Notes where a number is not finite. */
bool rbv_linear_good(RbvLinear *linear, RbvStatus status);
/* Weights of the difference quotient of order 8: f' = sum_k weight[k] (f(k h) - f(-k h)) / h, k = 1 ... 4. */
extern const double rbv_difference_weight[4];
#define RBV_DIFFERENCE_POINTS 4

/* C[a][c] = A[a][b] B[b][c], and A[b][a]^T B[b][c]; row-major. */
void rbv_dense_product(int32_t a, int32_t b, int32_t c, const double *A, const double *B, double *C);
void rbv_dense_product_transposed(int32_t a, int32_t b, int32_t c, const double *A, const double *B, double *C);

#endif
