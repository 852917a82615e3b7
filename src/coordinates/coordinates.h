/* Coordinates: how numbers q and v make bodies move. One interface; modules behind it (absolute.c).
 *
 *   bodies = place(q)        twists = P(q) v            accelerations = P(q) v' + bias(q, v)
 *   M x = P^T (m, J) P x     Q = P^T (wrenches - (m, J) bias)
 *   C = D P                  gamma = gamma_D - D bias     for rows D on body twists, D accelerations = gamma_D
 *   M x = V^T (c V) x and Q = P^T (wrenches + w x J w) - drift where a module has masses of its own (inertia_drift)
 *   Mixed coordinates have measures among the numbers of q: their value and rate are these numbers then, and C has them
 *     in their own columns (system/numbers.c).
 *   q <- step(q, dv), the retraction: place of step(q, h v) moves by the twists h P v to first order
 *
 * Coordinates may have conditions of their own, rigid rows Phi(q) = 0 that stand behind those of the system, and
 * satisfy rows of joints by themselves: these are kept. All but those of bodies are assembled as bodies (system.h,
 * `absolute system`), and then taken.
 *
 * All calls are over whole arrays, one per instant and none per body. `bodies` are those that place(q) gave.
 */
#ifndef RBV_COORDINATES_COORDINATES_H
#define RBV_COORDINATES_COORDINATES_H

#include <roberval/system.h>

#include "marker/bodies.h"
#include "marker/marker.h"
#include "model/model.h"

typedef struct RbvCoordinates RbvCoordinates;

/* The relation that a kind of joint holds besides directions (RbvJointExtra), in a mask of those that are kept. */
#define RBV_KEPT_EXTRA 0x40

/* Where the entries of sparse rows are: row k has column[start[k]] ... column[start[k+1] - 1]. */
typedef struct RbvRowPattern {
    int32_t count;
    int32_t *start, *column;
} RbvRowPattern;

/* The line of a rod: two markers of a body whose spin about their line is idle (decision 0012). Marker -1: the body is
 * none. */
typedef struct RbvRodLine {
    int32_t marker[2];
} RbvRodLine;

/* What rows tell of a model, for coordinates to be laid out by. */
typedef struct RbvFromRows {
    const RbvRodLine *rods; /* [bodies]; NULL: there are none */
    const int32_t *numbers; /* [number_count] measures that are to be numbers of q, where the kind is mixed */
    int32_t number_count;
    const bool *cut;            /* [joints] that shall be no tree joints of a tree; NULL: none */
    const bool *base;           /* [bodies] that shall hang on ground by nothing; NULL: none */
    const RbvCoordinates *like; /* while they are laid out: others of that kind, whose choices are to be made again as
                                   far as they can; NULL: free */
} RbvFromRows;

/* What a row has on one body, and where P^T of it goes. */
typedef struct RbvRowPart {
    int32_t body, from; /* its entries of D from there on */
    int32_t count;      /* columns of v that move it so that the row feels it */
    int32_t first;      /* the first one's entry of C, the others following, where `apart` is */
    int32_t apart;      /* -1; else entries are those of the list `apart` of all rows from there on */
} RbvRowPart;

typedef struct RbvRowParts {
    int32_t *start; /* [rows of D + 1] the first part of each; none of rows without entries */
    RbvRowPart *parts;
    int32_t *apart;
} RbvRowParts;

/* An instant as coordinates see it. */
typedef struct RbvPosed {
    const double *q;            /* [position_size] */
    const RbvBodyState *bodies; /* [bodies], placed at q */
    RbvTwist *room;             /* [2 bodies] and */
    RbvWrench *sums;            /* [bodies] room for sweeps over the bodies; NULL where v is the body twists */
    void *prepared;             /* [prepared_size bytes] what `prepare` has made of the place; NULL: nothing */
} RbvPosed;

/* What a module offers; the equations are above. */
typedef struct RbvCoordinatesKind {
    const char *name;
    bool live; /* numbers of the model are read at each place, and none are laid out: parameters may be given other
                  values */
    /* Where numbers are laid out: take those of others that are alike (`alike`), which are laid out for other values.
     * NULL: a kind that is not live keeps its values. */
    void (*adopt_layout)(RbvCoordinates *coordinates, const RbvCoordinates *layout);
    /* Sizes and whatever the module lays out for itself, in `arena`. False: no memory. */
    bool (*layout)(RbvCoordinates *coordinates, RbvArena *arena);
    /* The q that is nearest to bodies [bodies]: r, and turn or p. */
    void (*from_bodies)(const RbvCoordinates *coordinates, const RbvBodyState *bodies, double *q);
    /* Bodies [bodies] at q; ground too. */
    void (*positions)(const RbvCoordinates *coordinates, const double *q, RbvBodyState *bodies);
    /* Once for a place what the calls below share, into at.prepared. NULL: nothing. */
    void (*prepare)(const RbvCoordinates *coordinates, RbvPosed at);
    /* Twists [bodies] of v. */
    void (*velocities)(const RbvCoordinates *coordinates, RbvPosed at, const double *v, RbvTwist *twists);
    /* P^T of wrenches [bodies] about the centroids: out[size]. */
    void (*generalized_forces)(const RbvCoordinates *coordinates, RbvPosed at, const RbvWrench *wrenches, double *out);
    /* accelerations [bodies] += those of the centroids, and w', when v' = 0. NULL: there are none. */
    void (*bias)(const RbvCoordinates *coordinates, RbvPosed at, const double *v, RbvTwist *accelerations);
    /* Which coordinates of v move the body: their number, and themselves in column[size]. */
    int32_t (*columns)(const RbvCoordinates *coordinates, int32_t body, int32_t *column);
    /* out[columns of body] += k P_b^T wrench, in the order of `columns`. */
    void (*add)(const RbvCoordinates *coordinates, RbvPosed at, int32_t body, double k, const RbvWrench *wrench,
                double *out);
    /* Where bodies hang on each other (NULL: they do not): the body of a tree whose motion all of bodies[count] share,
     * and columns and `add` without what moves it. */
    int32_t (*common)(const RbvCoordinates *coordinates, int32_t count, const int32_t *bodies);
    int32_t (*columns_beyond)(const RbvCoordinates *coordinates, int32_t common, int32_t body, int32_t *column);
    void (*add_beyond)(const RbvCoordinates *coordinates, RbvPosed at, int32_t common, int32_t body, double k,
                       const RbvWrench *wrench, double *out);
    /* The numbers of q that place the body, without whole turns: the first, and how many. */
    int32_t (*position_columns)(const RbvCoordinates *coordinates, int32_t body, int32_t *first);
    /* q moved by the step dv[size]. */
    void (*step)(const RbvCoordinates *coordinates, double *q, const double *dv);
    /* The step dv[size] that leads from `from` to `to`; turns by the shortest way. */
    void (*difference)(const RbvCoordinates *coordinates, const double *from, const double *to, double *dv);
    /* Whole turns of angles out of such a step: what is left leads to bodies in the same places. NULL: none of its
     * numbers counts turns. */
    void (*without_turns)(const RbvCoordinates *coordinates, double *dv);
    /* Do the numbers of q mean the same in both, which are of models that differ in numbers only? NULL: always. */
    bool (*compatible)(const RbvCoordinates *a, const RbvCoordinates *b);
    /* The rate of q as plain numbers, for v. For integration in the numbers of q; renew afterwards. */
    void (*rate)(const RbvCoordinates *coordinates, const double *q, const double *v, double *rate);
    /* Make q obey its own conditions (unit quaternions) again after its numbers were treated as plain ones. */
    void (*renew)(const RbvCoordinates *coordinates, double *q);
    /* What one of each number of q (NULL: not wanted) and of v is worth as a share of size[bodies], when a radian of
     * each body is worth arm[bodies] in length. */
    void (*scale)(const RbvCoordinates *coordinates, const double *size, const double *arm, double *of_q, double *of_v);
    /* out = M x, x[size]. */
    void (*mass)(const RbvCoordinates *coordinates, RbvPosed at, const double *x, double *out);
    /* v of twists [bodies] that are possible. NULL where v is the body twists. */
    void (*take_rates)(const RbvCoordinates *coordinates, RbvPosed at, const RbvTwist *twists, double *v);
    /* v' of accelerations [bodies] that are possible with v and its twists [bodies]. `drift` [own rows]: room. NULL:
     * `take_rates` of what they are beside the bias. */
    void (*take_accelerations)(const RbvCoordinates *coordinates, RbvPosed at, const double *v, const RbvTwist *twists,
                               const RbvTwist *accelerations, double *out, double *drift);
    /* out[size] += what M's own change takes, all of inertia being in M: gyroscopic couples too. NULL: M is P^T (m, J)
     * P. */
    void (*inertia_drift)(const RbvCoordinates *coordinates, RbvPosed at, const double *v, double *out);
    /* Phi of its own rows and the entries of their gradient; gamma. NULL: there are none. */
    void (*rows)(const RbvCoordinates *coordinates, const double *q, double *phi, double *entries);
    void (*rows_drift)(const RbvCoordinates *coordinates, const double *q, const double *v, double *gamma);
    /* u^T Phi_qq v of own row `row` at q, for u, v [size]. */
    double (*rows_second)(const RbvCoordinates *coordinates, const double *q, int32_t row, const double *u,
                          const double *v);
    /* out[columns of body][columns of body] = the wrench on the second derivative of the body's place by its columns,
     * q <- step(q, dv): the place as (r, rotation vector from where it is). zero[size]: zeros, and left so. NULL:
     * there is none, as where v is the body twists. */
    void (*place_second)(const RbvCoordinates *coordinates, RbvPosed at, int32_t body, const RbvWrench *wrench,
                         double *zero, double *out);
    bool mixed; /* measured coordinates can be numbers of q */
} RbvCoordinatesKind;

struct RbvCoordinates {
    const RbvCoordinatesKind *kind;
    const RbvModel *model;
    const RbvBodyColumns *bodies;
    int32_t size;          /* of v, a, Q */
    int32_t position_size; /* of q */
    const void *own;       /* what the module laid out for itself */
    int32_t own_rows;      /* conditions of its own */
    const RbvRowPattern *own_pattern;
    double *phase; /* [joints] what the rows of screws hold, z - pitch turn/2pi: whoever compiles them puts it here;
                      NULL: no use is made of it */
    const uint8_t
        *kept; /* [joints] directions that the coordinates keep by themselves, and RBV_KEPT_EXTRA; NULL: none */
    size_t prepared_size; /* of what is prepared for a place */
    int32_t *common;      /* [rows of D] the body whose motion a row does not feel, 0: it feels all; NULL: all do */
    RbvRowParts parts;    /* of the rows of D, by rbv_coordinates_pattern */
    RbvFromRows from_rows;
    int32_t first_number; /* column of from_rows.numbers[0] in q and v; the others follow. They move no body: rows of
                             the coordinates' own tie them to it */
    bool keeps_spins;     /* rods have no spin about their lines */
    bool of_bodies;       /* v is the vector of body twists itself, column by column: P = 1 and bias = 0 */
};

/* Absolute coordinates: each body by the position of its centroid and its orientation, its velocities are its twist
 * (absolute.c). */
extern const RbvCoordinatesKind rbv_absolute_coordinates;
/* Points and unit vectors, shared at joints (natural.c). */
extern const RbvCoordinatesKind rbv_natural_coordinates;
/* What the joints of a tree leave free (joint.c). */
extern const RbvCoordinatesKind rbv_joint_coordinates;
/* The same with distances and angles as numbers of their own (natural_numbers.c). */
extern const RbvCoordinatesKind rbv_mixed_coordinates;
/* The coordinates of a choice. */
const RbvCoordinatesKind *rbv_coordinates_kind(RbvCoordinatesChoice choice);

/* Lay out the bodies of a model, and its coordinates of that kind; arrays in `arena`. The columns, and what is in *rows
 * (NULL: nothing), must stay where they are. False: no memory. */
bool rbv_bodies_create(const RbvModel *model, RbvArena *arena, RbvBodyColumns *bodies);
bool rbv_coordinates_create(const RbvCoordinatesKind *kind, const RbvModel *model, const RbvBodyColumns *bodies,
                            const RbvFromRows *rows, RbvArena *arena, RbvCoordinates *coordinates);
/* Do the numbers of both mean the same, of models that differ in numbers only? */
bool rbv_coordinates_compatible(const RbvCoordinates *a, const RbvCoordinates *b);
/* May numbers of the model change under them? */
static inline bool rbv_coordinates_adapt(const RbvCoordinates *c) {
    return c->kind->live || c->kind->adopt_layout;
}
/* *beside: the coordinates for the numbers that the model has now, in `arena`; as they would be laid out anew or,
 * where these would mean something else, by the choices made before. *alike false: these cannot be made any more.
 * False: no memory. Then, if they are alike, what they lay out goes into the coordinates themselves. */
bool rbv_coordinates_layout(const RbvCoordinates *coordinates, RbvArena *arena, RbvCoordinates *layout,
                            bool *compatible);
void rbv_coordinates_adopt_layout(RbvCoordinates *coordinates, const RbvCoordinates *layout);
/* A body moved by a small twist of its own: r + dr, exp(dtheta) A. */
RbvBodyState rbv_body_moved(const RbvBodyColumns *bodies, int32_t body, const RbvBodyState *from, RbvTwist step);
/* The twist that leads from one place to another; turns by the shortest way, in the plane as they are. */
RbvTwist rbv_body_difference(const RbvBodyColumns *bodies, int32_t body, const RbvBodyState *from,
                             const RbvBodyState *to);
/* The model's starting poses as q. False: no memory. */
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
/* The accelerations [bodies] of v' = 0. */
void rbv_coordinates_bias(const RbvCoordinates *coordinates, RbvPosed at, const double *v, RbvTwist *accelerations);
/* Accelerations [bodies] for v' = a at the velocities v. */
void rbv_coordinates_accelerate(const RbvCoordinates *coordinates, RbvPosed at, const double *v, const double *a,
                                RbvTwist *accelerations);
/* The same with the bias [bodies] as it was found, where there is one. */
void rbv_coordinates_accelerate_from(const RbvCoordinates *coordinates, RbvPosed at, const double *a,
                                     const RbvTwist *bias, RbvTwist *accelerations);

/* Q of wrenches [bodies] at the velocities v and their bias [bodies], where there is one. `twists` and `less` [bodies]
 * are room for what it takes then. */
void rbv_coordinates_force(const RbvCoordinates *coordinates, RbvPosed at, const double *v, const RbvWrench *wrenches,
                           const RbvTwist *bias, RbvTwist *twists, RbvWrench *less, double *Q);

/* The pattern of C = D P for rows D on body twists, then of the rows of its own; arrays in `arena`, or those of D
 * where both are the same. `relative` [rows of D]: the row feels only how its bodies move against each other; where
 * bodies hang on each other rows that are kept[rows] have no entries (NULL: none are). Behind the columns of a row
 * stand those of `numbers` (NULL: none). False: no memory. */
bool rbv_coordinates_pattern(RbvCoordinates *coordinates, const RbvRowPattern *D, const bool *relative,
                             const bool *kept, const RbvRowPattern *numbers, RbvArena *arena, RbvRowPattern *C);
/* What making rows needs. */
typedef struct RbvRowWork {
    double *dense, *part; /* [size] */
    int32_t *column;      /* [size] */
} RbvRowWork;
/* out[size] += P_b^T wrench of one body. */
void rbv_coordinates_add_to(const RbvCoordinates *coordinates, RbvPosed at, int32_t body, RbvWrench wrench,
                            RbvRowWork work, double *out);
/* The entries c of C from d of D, and gamma = gamma_D - D bias, where they are not the same (of_bodies). Rows that are
 * kept[rows] and have no entries hold at any v: 0 (NULL: none are). */
void rbv_coordinates_rows(const RbvCoordinates *coordinates, RbvPosed at, const RbvRowPattern *D, const double *d,
                          const RbvRowPattern *C, double *c, RbvRowWork work);
void rbv_coordinates_drift(const RbvCoordinates *coordinates, const RbvRowPattern *D, const double *d, const bool *kept,
                           const RbvTwist *bias, const double *gamma_D, double *gamma);

#endif
