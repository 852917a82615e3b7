/* The motion linearised about a state of a system whose v is the body twists: z' = A z on the tangent space of the
 * active rows.
 *
 *   at rest in equilibrium   M x'' + D x' + K x = 0 on the null space of C, massless directions condensed; positions
 *                            that only rows on velocities keep are numbers of z, too
 *   elsewhere                x' = f(x, y, s), y' = g(x, y, s), s' = h(x, y, s) by its derivatives at the state, frozen
 *                            there: x positions and y velocities of chosen coordinates, s the user's states
 */
#ifndef RBV_DYNAMICS_VIBRATION_LINEARISATION_H
#define RBV_DYNAMICS_VIBRATION_LINEARISATION_H

#include "core/base/arena.h"
#include "dynamics/contact/sliding.h"

/* Most coordinates and most freedoms of a mechanism whose matrices are treated by dense algebra. */
#define RBV_LINEAR_COORDINATES 3000
#define RBV_LINEAR_FREEDOMS 1500

/* Meaning of a number of z where the state moves: a coordinate of a joint, number `column` of v, or a user's state. */
typedef struct RbvLinearPlace {
    int32_t joint, direction; /* joint and direction of its coordinate; joint -1: none */
    int32_t column;           /* number of v; -1: none */
    int32_t own;              /* number of the user's state; -1: none */
} RbvLinearPlace;

/* Changes of the motion per unit of each number of z and per unit of each input, where requested
 * (rbv_linear_in_motion): of v and of its derivative [n], of multipliers [rows], not scaled. */
typedef struct RbvLinearSpace {
    RbvArena arena; /* owns the arrays, but `force` */
    int32_t inputs;
    const double *force;   /* [inputs][n] the caller's: generalized force of a unit of each input */
    RbvLinearPlace *place; /* [size] positions first, then those whose velocities are meant, then the user's states */
    double *rate, *gain, *multiplier;      /* [size][n] of v, [size][n] of v', [size][rows] of multipliers */
    double *B;                             /* [size][inputs] z' = A z + B u */
    double *input_gain, *input_multiplier; /* [inputs][n] of v', [inputs][rows] of multipliers */
    double *friction, *input_friction; /* [size][friction contacts], [inputs][friction contacts] changes of the forces
                                          of sliding friction */
} RbvLinearSpace;

typedef struct RbvLinear {
    RbvArena arena, bases, results; /* own the arrays, but scale: N and P are in bases; A, shape, square and neutral in
                                       results */
    RbvState *state;
    RbvWrench *wrenches; /* [bodies] scratch for friction */
    RbvSliding *sliding; /* the caller's: sliding friction in the state, with its slip directions; NULL: none */
    int32_t n, rows;     /* size of v; active rows, with those of idle spins, then the coordinates' own rows */
    int32_t m, p;        /* freedoms of velocities (m) and of positions (p); p > m with rows on velocities */
    double *scale;       /* [n] scale of each number of v: all are lengths then */
    double *T;           /* [bodies.size][n] body twists of scaled coordinates; NULL: v is the body twists */
    double *row_scale;   /* [rows] factor that gives the scaled row length 1 */
    double *C;           /* [rows][n] scaled */
    double *N, *P;       /* [n][m], [n][p]: orthonormal bases of the free velocities and the free positions, scaled */
    double *W;           /* [n][n] factors of C^T C + N N^T: C^+ = W^-1 C^T; of small systems */
    int32_t *pivot;
    struct RbvGram *gram; /* of large ones: factors of C^T C; the rows of C, sparse; workspace */
    int32_t *start, *column, *node;
    double *entries, *solve;
    double *lambda, *a;    /* [rows] multipliers, [n] accelerations at the state */
    double length;         /* [m] size of the largest body: scale of difference steps */
    const bool *released;  /* [rows] the caller's: rows that carry their force but restrict no motion; NULL: none */
    RbvLinearSpace *space; /* the caller's, filled by rbv_linear_in_motion; NULL: not requested */
    bool unsafe;           /* the rank of C is unsure: a singular position */
    bool rest, equilibrium;
    const char *refusal;  /* reason for which z' = A z does not exist; NULL: none */
    bool not_finite;      /* the cause of failure is a number that is not finite; else it is lack of memory */
    int32_t size, places; /* size of z; its first `places` numbers are positions, then velocities, */
    int32_t own;          /* and the last `own` numbers the user's states */
    const char *changes;  /* name of a user's state whose rate is not zero; NULL: all are in equilibrium */
    double *A;            /* [size][size] */
    double *shape;  /* [bodies.size + own][size] motion of bodies (not scaled) and user's states per unit of each number
                       of z */
    double *square; /* [size] if only forces with an energy act and nothing depends on velocities: z'' = -square z
                       replaces A; else NULL */
    double *neutral; /* [size] a square of smaller magnitude counts as zero */
    double blur;     /* error of A, as a part of its largest entry */
} RbvLinear;

/* Computes bases, multipliers and accelerations at the state, whose positions and velocities are set and which stays
 * the caller's. held: drives stand still, all velocities are set to zero. False: out of memory, or not_finite. To be
 * destroyed all the same. */
bool rbv_linear_create(RbvLinear *linear, RbvState *state, RbvSliding *sliding, bool locked);
void rbv_linear_destroy(RbvLinear *linear);
/* Releases rows: released[rows] restrict no motion from now on, at the multipliers and accelerations found before; the
 * array must live as long as the linearisation. False: out of memory, or not_finite. */
bool rbv_linear_release(RbvLinear *linear, const bool *released);
/* out[rows]: the lambda of least norm of the scaled rows with C^T lambda = f[n]. work[n]. */
void rbv_linear_multipliers(const RbvLinear *linear, const double *f, double *work, double *out);
/* Has every free motion a mass? *good: false if out of memory or not_finite. */
bool rbv_linear_has_masses(RbvLinear *linear, bool *good);
void rbv_linear_space_destroy(RbvLinearSpace *space);
/* Compute A (or square) about an equilibrium at rest, and about any state. False: out of memory, not_finite, or refusal
 * tells why A does not exist. */
bool rbv_linear_at_rest(RbvLinear *linear);
bool rbv_linear_in_motion(RbvLinear *linear);
/* rbv_linear_at_rest in the coordinates of `system`, whose absolute system the linearised state belongs to
 * (linear_rest.c). */
bool rbv_linear_at_rest_in(RbvLinear *linear, const RbvSystem *system);
/* x[n] := (C^T C + N N^T)^-1 x. */
void rbv_linear_solve(const RbvLinear *linear, double *x);
/* Computes scaled rows, bases of free motions and factors at the state, whose positions are evaluated; the array of
 * C exists. False: out of memory, or not_finite. */
bool rbv_linear_take_bases(RbvLinear *linear);
/* Number of rows of `shape`: numbers of body twists, then user's states. */
static inline int32_t rbv_linear_height(const RbvLinear *linear) {
    return linear->state->system->bodies.size + linear->own;
}
/* True: the status is OK. Sets not_finite for NOT_FINITE. */
bool rbv_linear_good(RbvLinear *linear, RbvStatus status);
/* Forces at the state, whose positions and velocities are evaluated; Q includes sliding friction of
 * unchanged magnitude. False: not finite. */
bool rbv_linear_load(RbvLinear *linear);
/* force[n]: generalized force of a unit force on friction contact i along its slip direction. */
void rbv_linear_unit_friction(const RbvLinear *linear, int32_t i, double *force);
/* [m/s] the slowest slip velocity of friction contacts with several directions, of which u/|u| must not pass 0;
 * INFINITY: there are none. */
double rbv_linear_slowest_slip(const RbvLinear *linear);
/* Weights of the difference quotient of order 8: f' = sum_k weight[k] (f(k h) - f(-k h)) / h, k = 1 ... 4. */
extern const double rbv_difference_weight[4];
#define RBV_DIFFERENCE_POINTS 4
/* Computes value[width] with the number increased by h. Failures other than NO_MEMORY do not end the search: that step
 * is too long. */
typedef RbvStatus RbvShifted(void *context, double h, double *value);

/* out[width] = d value / dh at h = 0; `at`: present value of the number. NOT_FINITE: with no step were all values
 * finite; NO_MEMORY. */
RbvStatus rbv_sweep(RbvShifted *shifted, void *context, double at, int32_t width, double *out);

/* C[a][c] = A[a][b] B[b][c], and A[b][a]^T B[b][c]; row-major. */
void rbv_dense_product(int32_t a, int32_t b, int32_t c, const double *A, const double *B, double *C);
void rbv_dense_product_transposed(int32_t a, int32_t b, int32_t c, const double *A, const double *B, double *C);

#endif
