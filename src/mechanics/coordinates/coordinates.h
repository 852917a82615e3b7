/* Coordinates: how the numbers q (positions) and v (velocities) move the bodies. One interface; absolute.c, joint.c,
 * natural.c and natural_numbers.c implement it.
 *
 *   bodies = positions(q)    twists = P(q) v            accelerations = P(q) v' + bias(q, v)
 *   M x = P^T (m, J) P x     Q = P^T (wrenches - (m, J) bias)
 *   C = D P                  gamma = gamma_D - D bias     for rows D on body twists, D accelerations = gamma_D
 *   M x = V^T (c V) x and Q = P^T (wrenches + w x J w) - drift where a module has masses of its own (inertia_drift)
 *   q <- step(q, dv), the retraction: bodies of step(q, h v) move by the twists h P v to first order
 *
 * Mixed coordinates have measures among the numbers of q. The value and the rate of such a measure are numbers of q and
 * v, and C has separate columns for them (mechanics/system/numbers.c).
 *
 * Coordinates may have conditions of their own: rigid rows Phi(q) = 0, which stand behind the rows of the system. They
 * may also satisfy rows of joints by themselves: these rows are kept. A system in other than absolute coordinates is
 * assembled in absolute coordinates (system.h, `absolute`), and its state is taken from there.
 *
 * All calls work on whole arrays, one call per instant and none per body. `bodies` are those that positions(q) gave. */
#ifndef RBV_MECHANICS_COORDINATES_COORDINATES_H
#define RBV_MECHANICS_COORDINATES_COORDINATES_H

#include <roberval/system.h>

#include "mechanics/marker/bodies.h"
#include "mechanics/marker/marker.h"
#include "model/model/model.h"

typedef struct RbvCoordinates RbvCoordinates;

/* Bit of a mask of kept directions: the relation that a kind of joint has besides its locked directions
 * (RbvJointExtra). */
#define RBV_KEPT_EXTRA 0x40

/* Pattern of sparse rows: row k has its entries in the columns column[start[k]] ... column[start[k+1] - 1]. */
typedef struct RbvRowPattern {
    int32_t count;
    int32_t *start, *column;
} RbvRowPattern;

/* The line of a rod: two markers of a body whose spin about the line through them is idle (decision 0012). Marker -1:
 * the body is no rod. */
typedef struct RbvRodLine {
    int32_t marker[2];
} RbvRodLine;

/* What the rows of a model determine about the layout of coordinates. */
typedef struct RbvFromRows {
    const RbvRodLine *rods; /* [bodies]; NULL: no rods */
    const int32_t *numbers; /* [number_count] measures that become numbers of q in mixed coordinates */
    int32_t number_count;
    const bool *cut;            /* [joints] joints that must not be tree joints; NULL: none */
    const bool *base;           /* [bodies] bodies that must be connected to ground without a joint; NULL: none */
    const RbvCoordinates *like; /* during layout only: coordinates of the same kind whose choices are repeated as far as
                                   possible; NULL: free choice */
} RbvFromRows;

/* The entries of one row of D on one body, and where P^T times them goes in C. */
typedef struct RbvRowPart {
    int32_t body, from; /* first entry of D */
    int32_t count;      /* columns of v that move the body and on which the row depends */
    int32_t first;      /* if apart is -1: entry of C of the first column; the others follow */
    int32_t apart; /* -1: entries of C are consecutive; else index of the first of them in the list RbvRowParts.apart */
} RbvRowPart;

typedef struct RbvRowParts {
    int32_t *start; /* [rows of D + 1] first part of each row; rows without entries have no part */
    RbvRowPart *parts;
    int32_t *apart;
} RbvRowParts;

/* The positions at one instant, as the functions of a kind take them. */
typedef struct RbvPosed {
    const double *q;            /* [position_size] */
    const RbvBodyState *bodies; /* [bodies] positions at q */
    RbvTwist *room;             /* [2 bodies] workspace for sweeps over the bodies */
    RbvWrench *sums; /* [bodies] workspace for sweeps over the bodies; both NULL where v is the body twists */
    void *prepared;  /* [prepared_size bytes] what `prepare` computed at q; NULL: nothing */
} RbvPosed;

/* The functions of one kind of coordinates; the equations are at the head of this file. */
typedef struct RbvCoordinatesKind {
    const char *name;
    bool live; /* true: the numbers of the model are read at each evaluation and none are laid out, so that parameters
                  may change */
    /* Where numbers of the model are laid out: copies the numbers of compatible coordinates laid out for other
     * parameter values. NULL: a kind that is not live keeps its values. */
    void (*adopt_layout)(RbvCoordinates *coordinates, const RbvCoordinates *layout);
    /* Sets the sizes and lays out the module's own data in `arena`. False if out of memory. */
    bool (*layout)(RbvCoordinates *coordinates, RbvArena *arena);
    /* The q nearest to bodies [bodies], of which it reads r, A, and turn with whole (plane) or p (space). */
    void (*from_bodies)(const RbvCoordinates *coordinates, const RbvBodyState *bodies, double *q);
    /* Computes bodies [bodies] at q, ground included. */
    void (*positions)(const RbvCoordinates *coordinates, const double *q, RbvBodyState *bodies);
    /* Computes into at.prepared what the functions below share at the same positions. NULL: nothing to prepare. */
    void (*prepare)(const RbvCoordinates *coordinates, RbvPosed at);
    /* Computes the body twists [bodies] for v. */
    void (*velocities)(const RbvCoordinates *coordinates, RbvPosed at, const double *v, RbvTwist *twists);
    /* Computes out[size] = P^T wrenches, for wrenches [bodies] about the centroids. */
    void (*generalized_forces)(const RbvCoordinates *coordinates, RbvPosed at, const RbvWrench *wrenches, double *out);
    /* Adds to accelerations [bodies] those of the bodies (centroid, and w') for v' = 0. NULL: zero. */
    void (*bias)(const RbvCoordinates *coordinates, RbvPosed at, const double *v, RbvTwist *accelerations);
    /* The columns of v that move the body, into column[size]; returns their number. */
    int32_t (*columns)(const RbvCoordinates *coordinates, int32_t body, int32_t *column);
    /* out[columns of body] += k P_b^T wrench, in the order of `columns`. */
    void (*add)(const RbvCoordinates *coordinates, RbvPosed at, int32_t body, double k, const RbvWrench *wrench,
                double *out);
    /* Where bodies carry each other in a tree (NULL: they do not). `common`: the body of the tree whose motion all of
     * bodies[count] share; 0 if there is none. `columns_beyond`, `add_beyond`: columns and add, without the columns
     * that move the body `common`. */
    int32_t (*common)(const RbvCoordinates *coordinates, int32_t count, const int32_t *bodies);
    int32_t (*columns_beyond)(const RbvCoordinates *coordinates, int32_t common, int32_t body, int32_t *column);
    void (*add_beyond)(const RbvCoordinates *coordinates, RbvPosed at, int32_t common, int32_t body, double k,
                       const RbvWrench *wrench, double *out);
    /* The numbers of q that determine the body's position, whole turns excepted: the first, and how many. */
    int32_t (*position_columns)(const RbvCoordinates *coordinates, int32_t body, int32_t *first);
    /* Moves q by the step dv[size]. */
    void (*step)(const RbvCoordinates *coordinates, double *q, const double *dv);
    /* The step dv[size] from `from` to `to`; rotations by quaternions take the shortest turn. */
    void (*difference)(const RbvCoordinates *coordinates, const double *from, const double *to, double *dv);
    /* Removes whole turns of angles from the step dv: the rest leads to the same positions of the bodies. NULL: no
     * number of the kind counts turns. */
    void (*without_turns)(const RbvCoordinates *coordinates, double *dv);
    /* True if the numbers of q mean the same in both coordinates, whose models differ in parameter values only. NULL:
     * always true. */
    bool (*compatible)(const RbvCoordinates *a, const RbvCoordinates *b);
    /* The time derivative rate[position_size] of the numbers of q, for v. For integration of q itself; call `renew`
     * afterwards. */
    void (*rate)(const RbvCoordinates *coordinates, const double *q, const double *v, double *rate);
    /* Normalises q (unit quaternions, whole turns) after its numbers were treated as plain numbers. */
    void (*renew)(const RbvCoordinates *coordinates, double *q);
    /* Movement per unit of each number of q (NULL: skipped) and of v, relative to the length size[bodies] [m], where an
     * angle counts arm[bodies] [m] per radian. */
    void (*scale)(const RbvCoordinates *coordinates, const double *size, const double *arm, double *of_q, double *of_v);
    /* out[size] = M x, for x[size]. */
    void (*mass)(const RbvCoordinates *coordinates, RbvPosed at, const double *x, double *out);
    /* Is M the same at all positions? NULL: it is not. */
    bool (*constant_mass)(const RbvCoordinates *coordinates);
    /* The v[size] of possible body twists [bodies]. NULL where v is the body twists. */
    void (*take_rates)(const RbvCoordinates *coordinates, RbvPosed at, const RbvTwist *twists, double *v);
    /* The v' in out[size] of accelerations [bodies] that are possible at v with its twists [bodies]. `drift` [own
     * rows]: workspace. NULL: `take_rates` of the accelerations minus the bias. */
    void (*take_accelerations)(const RbvCoordinates *coordinates, RbvPosed at, const double *v, const RbvTwist *twists,
                               const RbvTwist *accelerations, double *out, double *drift);
    /* Adds to out[size] the terms that the change of M contributes, gyroscopic couples included, as all inertia is in
     * M. NULL: M is P^T (m, J) P. */
    void (*inertia_drift)(const RbvCoordinates *coordinates, RbvPosed at, const double *v, double *out);
    /* `rows`: Phi of the coordinates' own rows and the entries of its gradient; `rows_drift`: gamma. NULL: no own rows.
     */
    void (*rows)(const RbvCoordinates *coordinates, const double *q, double *phi, double *entries);
    void (*rows_drift)(const RbvCoordinates *coordinates, const double *q, const double *v, double *gamma);
    /* u^T Phi_qq v of own row `row` at q, for u, v [size]. */
    double (*rows_second)(const RbvCoordinates *coordinates, const double *q, int32_t row, const double *u,
                          const double *v);
    /* out[columns of body][columns of body] = the wrench times the second derivative of the body's position by its
     * columns of v under q <- step(q, dv), with the position as (r, rotation vector from the present orientation).
     * zero[size]: zeros on entry and on return. NULL: the second derivative is zero, as where v is the body twists. */
    void (*place_second)(const RbvCoordinates *coordinates, RbvPosed at, int32_t body, const RbvWrench *wrench,
                         double *zero, double *out);
    bool mixed; /* true: measures can be numbers of q */
} RbvCoordinatesKind;

struct RbvCoordinates {
    const RbvCoordinatesKind *kind;
    const RbvModel *model;
    const RbvBodyColumns *bodies;
    int32_t size;          /* of v, a and Q */
    int32_t position_size; /* of q */
    const void *own;       /* the module's own layout */
    int32_t layouts;       /* number of layouts adopted so far, for new values of parameters */
    int32_t own_rows;      /* number of the coordinates' own conditions */
    const RbvRowPattern *own_pattern;
    double *phase; /* [joints] constant of the row of each screw, z - pitch turn/2pi, written by the compiler of the
                      rows; NULL: not used */
    const uint8_t *kept;  /* [joints] mask of directions the coordinates keep, and RBV_KEPT_EXTRA; NULL: none */
    size_t prepared_size; /* bytes of RbvPosed.prepared */
    int32_t *common;   /* [rows of D] the body whose motion does not change the row; 0: the row depends on all motion.
                          NULL: all rows do */
    RbvRowParts parts; /* of the rows of D, made by rbv_coordinates_pattern */
    RbvFromRows from_rows;
    int32_t first_number; /* column of from_rows.numbers[0] in q and v; the others follow. These numbers move no body:
                             own rows of the coordinates tie them to the bodies */
    bool keeps_spins;     /* rods have no spin about their lines */
    bool of_bodies;       /* v is the vector of body twists itself, column by column: P = 1 and bias = 0 */
};

/* Absolute coordinates: position of the centroid and orientation of each body; the velocities are the body twists
 * (absolute.c). */
extern const RbvCoordinatesKind rbv_absolute_coordinates;
/* Natural coordinates: points and unit vectors, shared at joints (natural.c). */
extern const RbvCoordinatesKind rbv_natural_coordinates;
/* Joint coordinates: the free motions of the joints of a tree (joint.c). */
extern const RbvCoordinatesKind rbv_joint_coordinates;
/* Mixed coordinates: natural coordinates with distances and angles as additional numbers (natural_numbers.c). */
extern const RbvCoordinatesKind rbv_mixed_coordinates;
/* The kind for a choice of the public interface. */
const RbvCoordinatesKind *rbv_coordinates_kind(RbvCoordinatesChoice choice);

/* Lay out the columns of the bodies of a model, and coordinates of a kind; arrays in `arena`. The columns, and the
 * arrays in *rows (NULL: none), must stay where they are. False if out of memory. */
bool rbv_bodies_create(const RbvModel *model, RbvArena *arena, RbvBodyColumns *bodies);
bool rbv_coordinates_create(const RbvCoordinatesKind *kind, const RbvModel *model, const RbvBodyColumns *bodies,
                            const RbvFromRows *rows, RbvArena *arena, RbvCoordinates *coordinates);
/* True if the numbers of both mean the same; their models differ in parameter values only. */
bool rbv_coordinates_compatible(const RbvCoordinates *a, const RbvCoordinates *b);
/* True if parameters of the model may change while the coordinates are in use. */
static inline bool rbv_coordinates_adapt(const RbvCoordinates *c) {
    return c->kind->live || c->kind->adopt_layout;
}
/* *layout: the coordinates for the present parameter values, in `arena`, laid out anew; if the numbers would then mean
 * something else, laid out by the choices of `coordinates`. *compatible false: these choices are no longer possible.
 * Returns false if out of memory. Compatible layouts are then taken over by rbv_coordinates_adopt_layout. */
bool rbv_coordinates_layout(const RbvCoordinates *coordinates, RbvArena *arena, RbvCoordinates *layout,
                            bool *compatible);
void rbv_coordinates_adopt_layout(RbvCoordinates *coordinates, const RbvCoordinates *layout);
/* A body moved by a small twist `step` of its own: r + dr, exp(dtheta) A. */
RbvBodyState rbv_body_moved(const RbvBodyColumns *bodies, int32_t body, const RbvBodyState *from, RbvTwist step);
/* The twist that leads from one position of a body to another: in space by the shortest turn, in the plane by the
 * difference of the angles, whole turns included. */
RbvTwist rbv_body_difference(const RbvBodyColumns *bodies, int32_t body, const RbvBodyState *from,
                             const RbvBodyState *to);
/* q[position_size] of the model's starting poses. False if out of memory. */
bool rbv_coordinates_start(const RbvCoordinates *coordinates, double *q);

static inline void rbv_coordinates_from_bodies(const RbvCoordinates *c, const RbvBodyState *bodies, double *q) {
    c->kind->from_bodies(c, bodies, q);
}
static inline void rbv_coordinates_positions(const RbvCoordinates *c, const double *q, RbvBodyState *bodies) {
    c->kind->positions(c, q, bodies);
}
static inline void rbv_coordinates_velocities(const RbvCoordinates *c, RbvPosed at, const double *v, RbvTwist *twists) {
    c->kind->velocities(c, at, v, twists);
}
static inline void rbv_coordinates_generalized_forces(const RbvCoordinates *c, RbvPosed at, const RbvWrench *wrenches,
                                                      double *out) {
    c->kind->generalized_forces(c, at, wrenches, out);
}
static inline void rbv_coordinates_step(const RbvCoordinates *c, double *q, const double *dv) {
    c->kind->step(c, q, dv);
}
static inline void rbv_coordinates_difference(const RbvCoordinates *c, const double *from, const double *to,
                                              double *dv) {
    c->kind->difference(c, from, to, dv);
}

static inline void rbv_coordinates_without_turns(const RbvCoordinates *c, double *dv) {
    if (c->kind->without_turns)
        c->kind->without_turns(c, dv);
}
static inline void rbv_coordinates_rate(const RbvCoordinates *c, const double *q, const double *v, double *rate) {
    c->kind->rate(c, q, v, rate);
}
static inline void rbv_coordinates_renew(const RbvCoordinates *c, double *q) {
    c->kind->renew(c, q);
}
static inline void rbv_coordinates_scale(const RbvCoordinates *c, const double *size, const double *arm, double *of_q,
                                         double *of_v) {
    c->kind->scale(c, size, arm, of_q, of_v);
}
static inline void rbv_coordinates_mass(const RbvCoordinates *c, RbvPosed at, const double *x, double *out) {
    c->kind->mass(c, at, x, out);
}
/* Accelerations [bodies] for v' = 0 at the velocities v. */
void rbv_coordinates_bias(const RbvCoordinates *coordinates, RbvPosed at, const double *v, RbvTwist *accelerations);
/* Accelerations [bodies] for v' = a at the velocities v. */
void rbv_coordinates_accelerate(const RbvCoordinates *coordinates, RbvPosed at, const double *v, const double *a,
                                RbvTwist *accelerations);
/* Accelerations [bodies] for v' = a, with the bias [bodies] of rbv_coordinates_bias (read only where the kind has one).
 */
void rbv_coordinates_accelerate_from(const RbvCoordinates *coordinates, RbvPosed at, const double *a,
                                     const RbvTwist *bias, RbvTwist *accelerations);

/* Q[size] of wrenches [bodies] at the velocities v and their bias [bodies] (read only where the kind has one).
 * `twists`, `less` [bodies]: workspace, used only where the kind has a bias. */
void rbv_coordinates_force(const RbvCoordinates *coordinates, RbvPosed at, const double *v, const RbvWrench *wrenches,
                           const RbvTwist *bias, RbvTwist *twists, RbvWrench *less, double *Q);

/* The pattern of C = D P for rows D on body twists, followed by the coordinates' own rows; arrays in `arena`, or those
 * of D where both patterns are equal. `relative` [rows of D]: the row depends only on the relative motion of its
 * bodies. `kept` [rows] (NULL: none): in a tree, kept rows have no entries. `numbers` (NULL: none): columns of numbers
 * of q, which stand behind the other columns of each row. False if out of memory. */
bool rbv_coordinates_pattern(RbvCoordinates *coordinates, const RbvRowPattern *D, const bool *relative,
                             const bool *kept, const RbvRowPattern *numbers, RbvArena *arena, RbvRowPattern *C);
/* Workspace for the computation of rows. */
typedef struct RbvRowWork {
    double *dense, *part; /* [size] */
    int32_t *column;      /* [size] */
} RbvRowWork;
/* out[size] += P_b^T wrench for one body b. */
void rbv_coordinates_add_to(const RbvCoordinates *coordinates, RbvPosed at, int32_t body, RbvWrench wrench,
                            RbvRowWork work, double *out);
/* Entries c of C from entries d of D, and gamma = gamma_D - D bias, where D and C are not the same (of_bodies). A row
 * that is kept and has no entries is satisfied by any v: gamma = 0. `kept` [rows]; NULL: none. */
void rbv_coordinates_rows(const RbvCoordinates *coordinates, RbvPosed at, const RbvRowPattern *D, const double *d,
                          const RbvRowPattern *C, double *c, RbvRowWork work);
void rbv_coordinates_drift(const RbvCoordinates *coordinates, const RbvRowPattern *D, const double *d, const bool *kept,
                           const RbvTwist *bias, const double *gamma_D, double *gamma);

#endif
