/* The motion linearised about a state of a system whose v is the body twists: z' = A z, with the tangent of all that
 * rows hold taken out.
 *
 *   at rest in equilibrium   M x'' + D x' + K x = 0 on the null space of C, massless directions condensed; places that
 *                            only rows on rates keep stand in z besides
 *   elsewhere                x' = f(x, y, s), y' = g(x, y, s), s' = h(x, y, s) by its derivatives at the state, frozen
 *                            there: x the places of chosen coordinates, y their rates, s the user's own states
 */
#ifndef RBV_DYNAMICS_LINEARISATION_H
#define RBV_DYNAMICS_LINEARISATION_H

#include "dynamics/sliding.h"

/* Coordinates and freedoms of mechanisms whose matrices are not too large for dense algebra. */
#define RBV_LINEAR_COORDINATES 3000
#define RBV_LINEAR_FREEDOMS 1500

/* What a number of z is, where the state moves: a coordinate of a joint, or number `column` of v. */
typedef struct RbvLinearPlace {
    int32_t joint, direction; /* joint -1: none */
    int32_t column;           /* -1: none */
    int32_t own;              /* one of the user's states; -1: none */
} RbvLinearPlace;

/* What moves with a number of z, and what a unit of an input brings, where they are wanted (rbv_linear_in_motion):
 * changes of v and of its rates [n] and of multipliers [rows], not scaled. */
typedef struct RbvLinearSpace {
    int32_t inputs;
    const double *force;                   /* [inputs][n] the caller's: generalized forces of one unit each */
    RbvLinearPlace *place;                 /* [size] places first, then those whose rates are meant, then own states */
    double *rate, *gain, *multiplier;      /* [size][n], [size][n], [size][rows] */
    double *B;                             /* [size][inputs] */
    double *input_gain, *input_multiplier; /* [inputs][n], [inputs][rows] */
    double *friction, *input_friction; /* [size][friction contacts], [inputs][friction contacts] changes of forces of
                                          friction that slides */
} RbvLinearSpace;

typedef struct RbvLinear {
    RbvState *state;
    RbvWrench *wrenches; /* [bodies] scratch of friction */
    RbvSliding *sliding; /* the caller's: friction that slides in the state, with its ways; NULL: none */
    int32_t n, rows;     /* of v; rows that hold, idle spins among them, and the coordinates' own behind them */
    int32_t m, p;        /* freedoms of rates, of places: p > m with rows on rates */
    double *scale;       /* [n] of coordinates: all are lengths then */
    double *T; /* [bodies.size][n] body twists of scaled coordinates; NULL: v is the body twists, and it is the scale
                  alone */
    double *row_scale; /* [rows] 1 / length of a scaled row */
    double *C;         /* [rows][n], scaled; */
    double *N, *P;     /* [n][m], [n][p]: orthonormal bases of rates and places that rows leave free, scaled */
    double *W;         /* [n][n] factors of C^T C + N N^T: C^+ = W^-1 C^T */
    int32_t *pivot;
    double *lambda, *a;    /* [rows], [n] at the state */
    double length;         /* [m] of the mechanism: what steps of differences are measured by */
    const bool *released;  /* [rows] the caller's: rows that carry their force but hold nothing; NULL: none */
    RbvLinearSpace *space; /* the caller's, for in_motion; NULL: not wanted */
    bool unsafe;           /* the rank of C is in doubt: a singular position */
    bool rest, equilibrium;
    const char *refusal;  /* why there is no z' = A z */
    bool not_finite;      /* it ended because a number is not finite; else for want of memory */
    int32_t size, places; /* of z; the first of them are places, the others rates, */
    int32_t own;          /* but the last, which are the user's states */
    const char *changes;  /* one of these, whose rate is not zero; NULL: all are in equilibrium */
    double *A;            /* [size][size] */
    double *shape;   /* [bodies.size + own][size]: the motion of bodies that z moves by, not scaled, and the states */
    double *square;  /* [size] with an energy and nothing that depends on rates: z'' = -square z instead, A is not used;
                        NULL */
    double *neutral; /* [size] a square of smaller magnitude is zero */
    double blur;     /* what A is off by, of its largest */
} RbvLinear;

/* Bases, multipliers and accelerations at the state, which is placed, with its rates, and stays the caller's. `held`:
 * drives stand still. False: no memory, or not_finite. To be destroyed all the same. */
bool rbv_linear_create(RbvLinear *linear, RbvState *state, RbvSliding *sliding, bool held);
void rbv_linear_destroy(RbvLinear *linear);
/* From now on rows hold no more, at the multipliers and accelerations that they had. released[rows] lives as long as
 * the linearisation. False: likewise. */
bool rbv_linear_release(RbvLinear *linear, const bool *released);
/* out[rows]: some lambda with C^T lambda = f[n] of the rows that hold, the least where they depend on each other.
 * work[n]. */
void rbv_linear_multipliers(const RbvLinear *linear, const double *f, double *work, double *out);
/* Is every motion that rows leave free one of a mass? *good: there was memory. */
bool rbv_linear_has_masses(RbvLinear *linear, bool *good);
void rbv_linear_space_destroy(RbvLinearSpace *space);
/* A, by one way or the other. False: likewise, or refusal says why there is none. */
bool rbv_linear_at_rest(RbvLinear *linear);
bool rbv_linear_in_motion(RbvLinear *linear);
/* The first in the coordinates of `system`, whose absolute system the linearised state belongs to
 * (linear_coordinates.c). */
bool rbv_linear_at_rest_in(RbvLinear *linear, const RbvSystem *system);
/* Scaled rows, the bases of what they leave free, and factors, at the placed state: of what has arrays for them. False:
 * likewise. */
bool rbv_linear_take_bases(RbvLinear *linear);
/* The number of rows of a shape: of bodies, then own states. */
static inline int32_t rbv_linear_height(const RbvLinear *linear) {
    return linear->state->system->bodies.size + linear->own;
}
/* Is the status OK? Notes where a number is not finite. */
bool rbv_linear_good(RbvLinear *linear, RbvStatus status);
/* linear_friction.c: forces at the placed and moved state, Q with friction that slides with forces as they are. False:
 * not finite. */
bool rbv_linear_load(RbvLinear *linear);
/* Forces of friction at the state, its Q with them, a and lambda, by what finds a and lambda for a Q. False: likewise,
 * or refusal says that it jams. */
typedef bool RbvLinearAnswer(RbvLinear *linear, double *work);
bool rbv_linear_friction(RbvLinear *linear, RbvLinearAnswer *answer, double *work);
/* force[n] of a unit force on faces i along their way. */
void rbv_linear_unit_friction(const RbvLinear *linear, int32_t i, double *force);
/* [m/s] Of faces that slide in several directions, where u/|u| must not be led through 0: the slowest; INFINITY: there
 * are none. */
double rbv_linear_slowest_slip(const RbvLinear *linear);
/* Weights of the difference quotient of order 8: f' = sum_k weight[k] (f(k h) - f(-k h)) / h, k = 1 ... 4. */
extern const double rbv_difference_weight[4];
#define RBV_DIFFERENCE_POINTS 4

/* C[a][c] = A[a][b] B[b][c], and A[b][a]^T B[b][c]; row-major. */
void rbv_dense_product(int32_t a, int32_t b, int32_t c, const double *A, const double *B, double *C);
void rbv_dense_product_transposed(int32_t a, int32_t b, int32_t c, const double *A, const double *B, double *C);

#endif
