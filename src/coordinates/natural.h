/* Natural coordinates: points and unit vectors of bodies, shared where joints keep them together; see natural.c.
 *
 * A basic is a point or a unit vector in ground axes. Each body has a core (r1, a1, a2, a3), r1 a point, a1 and a2,
 * perhaps a3, differences of points or vectors; what is missing of three is derived from the others. With X = [a1 a2
 * a3] in body axes and c = X^-1 p
 *
 *   r_P = r1 + c1 a1 + c2 a2 + c3 a3        (R000-09, SPEC-000 B1, B2)
 */
#ifndef RBV_COORDINATES_NATURAL_H
#define RBV_COORDINATES_NATURAL_H

#include "coordinates/coordinates.h"

/* A point or a unit vector, of one body or of several. */
typedef struct RbvBasic {
    bool vector;
    int32_t column; /* first of its 2 or 3 numbers in q and v; -1: it is ground's */
    RbvVec3 fixed;  /* of ground's: where it is */
    int32_t owner;  /* a body that has it */
    int32_t users;  /* how many have */
    int32_t marker; /* by which it is named, or -1; of a vector: its axis `axis` */
    int axis;
} RbvBasic;

/* A basic as one body sees it: basic = sign (A local), of points r + A local. */
typedef struct RbvBasicUse {
    int32_t basic;
    double sign;
    RbvVec3 local; /* body axes; of points from the centroid */
    int32_t slot;  /* its first among the columns that move the body; -1: it is ground's, or follows from the core */
} RbvBasicUse;

typedef enum RbvNaturalForm {
    RBV_NATURAL_SCALAR,   /* a generalized coordinate: one number */
    RBV_NATURAL_PARTICLE, /* a point that is the body */
    RBV_NATURAL_PLANE,    /* two points; a2 is a1 turned by a right angle */
    RBV_NATURAL_FULL,     /* three independent vectors: the mass matrix is constant */
    RBV_NATURAL_CROSSED,  /* two; a3 = a1 x a2 / c0 */
    RBV_NATURAL_ROD       /* two points of space, for a body whose spin about their line is idle */
} RbvNaturalForm;

/* The head of a core vector less its tail, uses of the body; tail -1: the head is a vector itself. */
typedef struct RbvCoreVector {
    int32_t head, tail;
} RbvCoreVector;

typedef struct RbvNaturalBody {
    RbvNaturalForm form;
    int32_t first, count; /* of its uses */
    int32_t column;       /* SCALAR: its number */
    int32_t point;        /* use of r1 */
    RbvCoreVector a[3];   /* those that are not derived */
    int core;             /* how many */
    double c0;            /* |a1 x a2| */
    RbvVec3 line;         /* ROD: a1 in body axes */
    RbvMat3 X_inverse;
    double g[3];     /* centroid: X^-1 (G - r1) */
    double c4[4][4]; /* [m, m g'; m g, Z] (R000-B2) */
    int32_t extra;   /* its place among the numbers of q that no v moves: turns or quaternion; -1: none */
} RbvNaturalBody;

/* What a rigid row holds, in uses of its body. */
typedef enum RbvRigidKind {
    RBV_RIGID_DISTANCE, /* |p_i - p_j|^2 - L^2 */
    RBV_RIGID_NORM,     /* u.u - 1 */
    RBV_RIGID_DOT,      /* a_k . a_l - c, core vectors */
    RBV_RIGID_LINEAR    /* component `axis` of a further point less r1 + sum c a, or of a vector less sum c a */
} RbvRigidKind;

typedef struct RbvRigidRow {
    RbvRigidKind kind;
    int32_t body;
    int32_t i, j; /* uses, or core vectors of DOT */
    int axis;
    double constant; /* L^2, 1, c */
    double c[3];     /* LINEAR */
} RbvRigidRow;

/* A measured coordinate z that is a number of q, by its own row (SPEC-000 B5; natural_numbers.c). */
typedef enum RbvNumberKind {
    RBV_NUMBER_DISTANCE, /* |p_j - p_i|^2 - z^2                 points 0, 1 */
    RBV_NUMBER_OFFSET,   /* z - u . (p_j - p_i)                 points 0, 1, vector 2 */
    RBV_NUMBER_ANGLE /* (e . f) sin z - (g . f) cos z       vectors e, g normal to each other, and f, or f = p_3 - p_2
                      */
} RbvNumberKind;

/* A point or vector of a body as its core has it: r1 + c1 a1 + c2 a2 + c3 a3, of a vector without r1. Of ground's and
 * for a particle's vectors `fixed`. */
typedef struct RbvSpot {
    int32_t body;
    bool point;
    double c[3];
    RbvVec3 fixed;
} RbvSpot;

typedef struct RbvNaturalNumber {
    RbvNumberKind kind;
    int32_t measure, column, count; /* of spots */
    RbvSpot spot[4];
} RbvNaturalNumber;

/* A joint shares a basic. */
typedef struct RbvBasicShare {
    int32_t joint, basic;
} RbvBasicShare;

typedef struct RbvNatural {
    RbvBasicShare *shares;
    int32_t share_count;
    int32_t basic_count, use_count, row_count;
    RbvBasic *basics;
    RbvBasicUse *uses;
    RbvNaturalBody *bodies; /* [bodies] */
    RbvRigidRow *rows;
    RbvRowPattern pattern;     /* of the rows, columns of v */
    uint8_t *kept;             /* [joints] directions that sharing keeps */
    int dims;                  /* 2 or 3 numbers of a basic */
    int32_t basics_size;       /* numbers of basics and scalars; then those of measures = size of v */
    RbvNaturalNumber *numbers; /* [number_count] their rows stand behind the rigid ones */
    int32_t number_count;
} RbvNatural;

/* Is the use one that the core is made of? Others follow from it. */
bool rbv_natural_in_core(const RbvNatural *natural, int32_t body, int32_t use);

/* natural_layout.c: what is shared and which basics each body has; columns, cores and rows. False: no memory. */
bool rbv_natural_layout(RbvCoordinates *coordinates, RbvArena *arena, RbvNatural *natural);
/* Are they the same points, vectors and rows, of models that differ in numbers only? */
bool rbv_natural_compatible(const RbvCoordinates *a, const RbvCoordinates *b);
/* Numbers of others that are alike: where points lie in their bodies, masses, constants of rows. */
void rbv_natural_adopt_layout(RbvCoordinates *coordinates, const RbvCoordinates *layout);

/* Natural coordinates, mixed or not. */
static inline bool rbv_is_natural(const RbvCoordinates *c) {
    return c->kind == &rbv_natural_coordinates || c->kind == &rbv_mixed_coordinates;
}
static inline const RbvNatural *rbv_natural_of(const RbvCoordinates *c) {
    return c->own;
}

/* Value and rate of a use at q or v: sign times that of its basic. */
static inline RbvVec3 rbv_use_at(const RbvNatural *n, int32_t use, const double *x, bool rate) {
    const RbvBasicUse *u = &n->uses[use];
    const RbvBasic *b = &n->basics[u->basic];
    if (b->column < 0)
        return rbv_scale(rate ? 0 : u->sign, b->fixed);
    const double *at = x + b->column;
    return rbv_scale(u->sign, rbv_vec3(at[0], at[1], n->dims == 3 ? at[2] : 0));
}

/* Where forces go: to all columns of v, to those of one body, or to uses, three numbers each, ground's too: what is
 * asked of a body alone. */
typedef enum RbvUsePlace { RBV_USE_IN_ALL, RBV_USE_IN_BODY, RBV_USE_ALONE } RbvUsePlace;

/* out += the force on a use, where it can move. */
static inline void rbv_use_push(const RbvNatural *n, int32_t use, RbvVec3 force, RbvUsePlace positions, double *out) {
    const RbvBasicUse *u = &n->uses[use];
    const RbvBasic *b = &n->basics[u->basic];
    if (b->column < 0 && positions != RBV_USE_ALONE)
        return;
    double *at = out + (positions == RBV_USE_ALONE ? 3 * use : positions == RBV_USE_IN_BODY ? u->slot : b->column);
    at[0] += u->sign * force.x;
    at[1] += u->sign * force.y;
    if (n->dims == 3)
        at[2] += u->sign * force.z;
}

/* natural_body.c: a body's core at q, its rates for v, its second rates for v' = 0, and forces on it back to basics. */
typedef struct RbvCore {
    RbvVec3 r1, a[3];
} RbvCore;
RbvCore rbv_natural_core(const RbvNatural *natural, int32_t body, const double *q);
RbvCore rbv_natural_core_rate(const RbvNatural *natural, int32_t body, const RbvCore *core, const double *v);
RbvCore rbv_natural_core_drift(const RbvNatural *natural, int32_t body, const RbvCore *rate);
void rbv_natural_core_push(const RbvNatural *natural, int32_t body, const RbvCore *core, const RbvCore *force,
                           RbvUsePlace positions, double *out);
/* natural_rod.c: the orientation with a rod's line along `along`, by the least turn from p; its spinless rate for a
 * rate of `along`; what a torque pulls at `along`. */
RbvQuat rbv_rod_turned(RbvVec3 line, RbvQuat p, RbvVec3 along);
RbvVec3 rbv_rod_spin(RbvVec3 along, RbvVec3 rate);
RbvVec3 rbv_rod_pull(RbvVec3 along, RbvVec3 torque);
/* c4 and what else a rod's masses take: `line` from r1 to the other point, `arm` from r1 to the centroid, body axes. */
void rbv_rod_core(const RbvBody *model, RbvVec3 line, RbvVec3 arm, RbvNaturalBody *body);
/* [a1 a2 a3] X^-1: the body's axes where its rigid rows hold. */
RbvMat3 rbv_natural_axes(const RbvNaturalBody *body, const RbvCore *core);
/* 2 (tr S - S)^-1 with S = A^T F, body axes: 1 where the body is rigid. */
RbvMat3 rbv_natural_stretch(const RbvMat3 *A, const RbvMat3 *F);
/* The force on the core that has the power of the wrench about the centroid on a rigid motion, A the body's axes. */
RbvCore rbv_natural_force(const RbvNaturalBody *body, const RbvMat3 *A, const RbvMat3 *stretch, RbvWrench wrench);
/* c4 times the core's accelerations. */
RbvCore rbv_natural_inertia(const RbvNaturalBody *body, const RbvCore *rates);

/* natural_second.c: the wrench on the second derivative of a body's place; as in coordinates.h. */
void rbv_natural_place_second(const RbvCoordinates *coordinates, RbvPosed at, int32_t body, const RbvWrench *wrench,
                              double *zero, double *out);

/* natural_rows.c: Phi, its gradient C [entries of the pattern], and gamma of the rigid rows. */
void rbv_natural_rows(const RbvCoordinates *coordinates, const double *q, double *phi, double *C);
void rbv_natural_drift(const RbvCoordinates *coordinates, const double *q, const double *v, double *gamma);
double rbv_natural_second(const RbvCoordinates *coordinates, const double *q, int32_t row, const double *u,
                          const double *v);
/* natural_numbers.c: spots of the measures that are numbers. False: no memory. The columns of a number's row, its own
 * last: how many. */
bool rbv_natural_lay_numbers(const RbvCoordinates *coordinates, RbvArena *arena, RbvNatural *natural);
#define RBV_NUMBER_COLUMNS 25
int32_t rbv_natural_number_columns(const RbvCoordinates *coordinates, const RbvNaturalNumber *number, int32_t *column);
/* Their values for the basics in q, angles with the whole turns of bodies; and their rates for the basics in v. */
void rbv_natural_take_numbers(const RbvCoordinates *coordinates, const RbvBodyState *bodies, double *q);
void rbv_natural_take_number_rates(const RbvCoordinates *coordinates, const double *q, double *v);
/* Psi and entries [columns of its row]; gamma; u^T Psi_qq v; uses += lambda times its gradient; Psi_z. */
double rbv_natural_number_row(const RbvCoordinates *coordinates, const RbvNaturalNumber *number, const double *q,
                              int32_t count, const int32_t *column, double *entries);
double rbv_natural_number_drift(const RbvNatural *natural, const RbvNaturalNumber *number, const double *q,
                                const double *v);
double rbv_natural_number_second(const RbvNatural *natural, const RbvNaturalNumber *number, const double *q,
                                 const double *u, const double *v);
void rbv_natural_number_push(const RbvNatural *natural, const RbvNaturalNumber *number, const double *q, double lambda,
                             double *uses);
double rbv_natural_number_slope(const RbvNatural *natural, const RbvNaturalNumber *number, const double *q);
/* uses[3 use_count] += lambda times the gradient of own row `row`. */
void rbv_natural_row_push(const RbvNatural *natural, int32_t row, const double *q, double lambda, double *uses);
/* natural.c: uses += k P_b^T wrench of one body about its centroid; and M_b v' + what its change takes, at the
 * velocities v. Nothing for generalized coordinates. */
void rbv_natural_wrench_push(const RbvCoordinates *coordinates, RbvPosed at, int32_t body, double k,
                             const RbvWrench *wrench, double *uses);
/* out += k times what forces F at rho from the centroid, moments = sum F rho^T in ground axes, have of power on
 * stretched bodies beside their wrench: the core's forces of C_P^T F less those of the wrench (R000-B3). */
void rbv_natural_spread_push(const RbvCoordinates *coordinates, RbvPosed at, int32_t body, double k,
                             const RbvMat3 *moments, RbvUsePlace positions, double *out);
void rbv_natural_inertia_push(const RbvCoordinates *coordinates, RbvPosed at, int32_t body, const double *v,
                              const double *a, double *uses);

#endif
