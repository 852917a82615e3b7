/* Natural coordinates: points and unit vectors of bodies, shared between bodies where joints make them coincide; see
 * natural.c.
 *
 * A basic is a point or a unit vector in ground axes. Each body has a core (r1, a1, a2, a3): r1 is a point; a1, a2 and
 * sometimes a3 are differences of points, or vectors; a missing a_k is derived from the others. With X = [a1 a2 a3] in
 * body axes and c = X^-1 p, p from r1 to P in body axes,
 *
 *   r_P = r1 + c1 a1 + c2 a2 + c3 a3        (R000-09, SPEC-000 B1, B2) */
#ifndef RBV_MECHANICS_COORDINATES_NATURAL_H
#define RBV_MECHANICS_COORDINATES_NATURAL_H

#include "mechanics/coordinates/coordinates.h"

/* A basic: a point or a unit vector, of one body or of several. */
typedef struct RbvBasic {
    bool vector;
    int32_t column; /* first of its 2 or 3 numbers in q and v; -1: fixed in ground */
    RbvVec3 fixed;  /* of a basic fixed in ground: its value in ground axes */
    int32_t owner;  /* one body that has the basic */
    int32_t users;  /* number of bodies that have it */
    int32_t marker; /* marker that names it, or -1; a vector is axis `axis` of that marker */
    int axis;
} RbvBasic;

/* Use of a basic by one body: for a vector basic = sign (A local), for a point basic = r + A local. */
typedef struct RbvBasicUse {
    int32_t basic;
    double sign;
    RbvVec3 local; /* body axes; of a point from the centroid */
    int32_t slot;  /* first column among those that move the body; -1: fixed in ground, or derived from the core */
} RbvBasicUse;

typedef enum RbvNaturalForm {
    RBV_NATURAL_SCALAR,   /* a generalized coordinate: one number */
    RBV_NATURAL_PARTICLE, /* a particle: one point */
    RBV_NATURAL_PLANE,    /* plane: two points; a2 is a1 turned by a right angle */
    RBV_NATURAL_FULL,     /* three independent vectors a1, a2, a3: the mass matrix is constant */
    RBV_NATURAL_CROSSED,  /* two vectors; a3 = a1 x a2 / c0 */
    RBV_NATURAL_ROD       /* space: two points, for a body whose spin about the line through them is idle */
} RbvNaturalForm;

/* A core vector: use `head` minus use `tail` of the body; tail -1: the head is a vector itself. */
typedef struct RbvCoreVector {
    int32_t head, tail;
} RbvCoreVector;

typedef struct RbvNaturalBody {
    RbvNaturalForm form;
    int32_t first, count; /* range of its uses */
    int32_t column;       /* SCALAR: column in q and v */
    int32_t point;        /* use that is r1 */
    RbvCoreVector a[3];   /* core vectors that are not derived */
    int core;             /* number of core vectors that are not derived */
    double c0;            /* |a1 x a2| */
    RbvVec3 line;         /* ROD: a1 in body axes */
    RbvMat3 X_inverse;
    double g[3];     /* coordinates of the centroid G in the core: X^-1 (G - r1) */
    double c4[4][4]; /* [m, m g'; m g, Z] (R000-B2) */
    int32_t extra;   /* column in q of the numbers that no v moves (whole turns, or a quaternion); -1: none */
} RbvNaturalBody;

/* The condition of a rigid row, on uses of its body. */
typedef enum RbvRigidKind {
    RBV_RIGID_DISTANCE, /* |p_i - p_j|^2 - L^2 */
    RBV_RIGID_NORM,     /* u.u - 1, u a vector */
    RBV_RIGID_DOT,      /* a_k . a_l - c, of core vectors k and l */
    RBV_RIGID_LINEAR    /* component `axis` of: another point minus (r1 + sum c a), or another vector minus sum c a */
} RbvRigidKind;

typedef struct RbvRigidRow {
    RbvRigidKind kind;
    int32_t body;
    int32_t i, j; /* uses i and j; of DOT core vectors */
    int axis;
    double constant; /* L^2, 1 or c */
    double c[3];     /* LINEAR: coefficients of a1, a2, a3 */
} RbvRigidRow;

/* A measure z that is a number of q, tied to the basics by a row of its own (SPEC-000 B5; natural_numbers.c). */
typedef enum RbvNumberKind {
    RBV_NUMBER_DISTANCE, /* |p_j - p_i|^2 - z^2                 points 0, 1 */
    RBV_NUMBER_OFFSET,   /* z - u . (p_j - p_i)                 points 0, 1, vector 2 */
    RBV_NUMBER_ANGLE     /* (e . f) sin z - (g . f) cos z     e, g normal to each other; f a vector, or p_3 - p_2 */
} RbvNumberKind;

/* A point or vector of a body in terms of its core: r1 + c1 a1 + c2 a2 + c3 a3, without r1 for a vector. On ground, and
 * for vectors of a particle: `fixed`. */
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

/* A basic shared by the bodies of a joint. */
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
    RbvRowPattern pattern; /* of the rows in `rows`, columns of v */
    uint8_t *kept;         /* [joints] mask of directions kept by sharing */
    int dims;              /* 2 or 3 numbers per basic */
    int32_t basics_size; /* number of columns of basics and scalars; the columns of measures follow, up to size of v */
    RbvNaturalNumber *numbers; /* [number_count] their rows follow the rigid rows */
    int32_t number_count;
} RbvNatural;

/* True if the core is made of this use; other uses are derived from the core. */
bool rbv_natural_in_core(const RbvNatural *natural, int32_t body, int32_t use);

/* Chooses the shared basics and the basics of each body; lays out columns, cores and rows. False if out of memory
 * (natural_layout.c). */
bool rbv_natural_layout(RbvCoordinates *coordinates, RbvArena *arena, RbvNatural *natural);
/* True if points, vectors and rows are the same in both; their models differ in parameter values only. */
bool rbv_natural_compatible(const RbvCoordinates *a, const RbvCoordinates *b);
/* Copies the numbers of a compatible layout: points in body axes, masses, constants of rows. */
void rbv_natural_adopt_layout(RbvCoordinates *coordinates, const RbvCoordinates *layout);

/* True for natural coordinates, mixed ones included. */
static inline bool rbv_is_natural(const RbvCoordinates *c) {
    return c->kind == &rbv_natural_coordinates || c->kind == &rbv_mixed_coordinates;
}
static inline const RbvNatural *rbv_natural_of(const RbvCoordinates *c) {
    return c->own;
}

/* Value of a use at x = q, or its rate at x = v (`rate`): sign times that of the basic. */
static inline RbvVec3 rbv_use_at(const RbvNatural *n, int32_t use, const double *x, bool rate) {
    const RbvBasicUse *u = &n->uses[use];
    const RbvBasic *b = &n->basics[u->basic];
    if (b->column < 0)
        return rbv_scale(rate ? 0 : u->sign, b->fixed);
    const double *at = x + b->column;
    return rbv_scale(u->sign, rbv_vec3(at[0], at[1], n->dims == 3 ? at[2] : 0));
}

/* Where a force on a use is added: to all columns of v; to the columns of one body; or to an array over uses, three
 * numbers each, uses on ground included. */
typedef enum RbvUsePlace { RBV_USE_IN_ALL, RBV_USE_IN_BODY, RBV_USE_ALONE } RbvUsePlace;

/* out += the force [N] on a use, where the use can move. */
static inline void rbv_use_push(const RbvNatural *n, int32_t use, RbvVec3 force, RbvUsePlace positions, double *out) {
    const RbvBasicUse *u = &n->uses[use];
    const RbvBasic *b = &n->basics[u->basic];
    if (b->column < 0 && positions != RBV_USE_ALONE)
        return;
    double *at = out + (positions == RBV_USE_IN_BODY ? u->slot : b->column);
    if (positions == RBV_USE_ALONE)
        at = out + 3 * use;
    at[0] += u->sign * force.x;
    at[1] += u->sign * force.y;
    if (n->dims == 3)
        at[2] += u->sign * force.z;
}

/* Core of a body at q, its rate for v, its second time derivative for v' = 0, and forces on the core transferred to the
 * basics (natural_body.c). */
typedef struct RbvCore {
    RbvVec3 r1, a[3];
} RbvCore;
RbvCore rbv_natural_core(const RbvNatural *natural, int32_t body, const double *q);
RbvCore rbv_natural_core_rate(const RbvNatural *natural, int32_t body, const RbvCore *core, const double *v);
RbvCore rbv_natural_core_drift(const RbvNatural *natural, int32_t body, const RbvCore *rate);
void rbv_natural_core_push(const RbvNatural *natural, int32_t body, const RbvCore *core, const RbvCore *force,
                           RbvUsePlace positions, double *out);
/* rbv_rod_turned: the orientation whose line (body axes) points along `along`, reached from p by the least turn.
 * rbv_rod_spin: angular velocity, without spin, for the rate `rate` of `along`. rbv_rod_pull: the force on `along` that
 * has the power of `torque` (natural_body.c). */
RbvQuat rbv_rod_turned(RbvVec3 line, RbvQuat p, RbvVec3 along);
RbvVec3 rbv_rod_spin(RbvVec3 along, RbvVec3 rate);
RbvVec3 rbv_rod_pull(RbvVec3 along, RbvVec3 torque);
/* c4 and the other inertia terms of a rod: `line` from r1 to the other point, `arm` from r1 to the centroid, body axes.
 */
void rbv_rod_core(const RbvBody *model, RbvVec3 line, RbvVec3 arm, RbvNaturalBody *body);
/* [a1 a2 a3] X^-1: the axes of the body, orthonormal where its rigid rows are satisfied. */
RbvMat3 rbv_natural_axes(const RbvNaturalBody *body, const RbvCore *core);
/* 2 (tr S - S)^-1 with S = A^T F, in body axes: the identity where the body is rigid. */
RbvMat3 rbv_natural_stretch(const RbvMat3 *A, const RbvMat3 *F);
/* The force on the core that has the power of the wrench about the centroid in any rigid motion; A: axes of the body.
 */
RbvCore rbv_natural_force(const RbvNaturalBody *body, const RbvMat3 *A, const RbvMat3 *stretch, RbvWrench wrench);
/* c4 times the accelerations of the core. */
RbvCore rbv_natural_inertia(const RbvNaturalBody *body, const RbvCore *rates);

/* The wrench times the second derivative of a body's position; `place_second` of coordinates.h (natural_rows.c). */
void rbv_natural_place_second(const RbvCoordinates *coordinates, RbvPosed at, int32_t body, const RbvWrench *wrench,
                              double *zero, double *out);

/* Phi of the own rows, its gradient C [entries of the pattern], gamma, and u^T Phi_qq v of row `row` (natural_rows.c).
 */
void rbv_natural_rows(const RbvCoordinates *coordinates, const double *q, double *phi, double *C);
void rbv_natural_drift(const RbvCoordinates *coordinates, const double *q, const double *v, double *gamma);
double rbv_natural_second(const RbvCoordinates *coordinates, const double *q, int32_t row, const double *u,
                          const double *v);
/* rbv_natural_lay_numbers: lays out the spots of the measures that are numbers; false if out of memory.
 * rbv_natural_number_columns: the columns of the row of a number, its own column last; returns how many
 * (natural_numbers.c). */
bool rbv_natural_lay_numbers(const RbvCoordinates *coordinates, RbvArena *arena, RbvNatural *natural);
#define RBV_NUMBER_COLUMNS 25
int32_t rbv_natural_number_columns(const RbvCoordinates *coordinates, const RbvNaturalNumber *number, int32_t *column);
/* Values of these measures for the basics in q, written into q, angles with the whole turns of the bodies; and their
 * rates for the basics in v, written into v. */
void rbv_natural_take_numbers(const RbvCoordinates *coordinates, const RbvBodyState *bodies, double *q);
void rbv_natural_take_number_rates(const RbvCoordinates *coordinates, const double *q, double *v);
/* Of the row Psi of a number: Psi and its entries [count columns]; gamma; u^T Psi_qq v; uses += lambda times the
 * gradient of Psi; the derivative Psi_z. */
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
/* rbv_natural_wrench_push: uses += k P_b^T wrench of one body about its centroid (natural.c). */
void rbv_natural_wrench_push(const RbvCoordinates *coordinates, RbvPosed at, int32_t body, double k,
                             const RbvWrench *wrench, double *uses);
/* out += k times the core forces C_P^T F - (those of the wrench), for forces F at rho from the centroid with moments =
 * sum F rho^T in ground axes: the power of the forces on a stretched body beyond the power of their wrench (R000-B3).
 * rbv_natural_inertia_push: uses += M_b v' plus the terms from the change of M_b, at v and v' = a; zero for
 * generalized coordinates. */
void rbv_natural_spread_push(const RbvCoordinates *coordinates, RbvPosed at, int32_t body, double k,
                             const RbvMat3 *moments, RbvUsePlace positions, double *out);
void rbv_natural_inertia_push(const RbvCoordinates *coordinates, RbvPosed at, int32_t body, const double *v,
                              const double *a, double *uses);

#endif
