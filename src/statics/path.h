/* The curve of equilibria g + C^T lambda = 0, Phi = 0 in (q, lambda, p), walked by arc length.
 *
 * u = (p - from)/(to - from); the arc is ds^2 = |dq|^2/l^2 + du^2, dq scaled as the balance's steps. The length l is
 * what the mechanism moves by when u changes by 1 at the start, or half of what it has moved by so far, at most its
 * size: what snaps may be small against the machine and against the range. A step goes along the tangent and comes back
 * to the curve by Newton across it: the system of balance.h bordered by the derivative of the equations by u and by the
 * tangent, which stays regular at folds (Keller 1977). All places but the first share one system, whose parameter is
 * set to that of the place in work; a second one stands a little ahead of it, for the derivative. Where a value cannot
 * be set the place has a model and a system of its own, from the family.
 */
#ifndef RBV_STATICS_PATH_H
#define RBV_STATICS_PATH_H

#include <roberval/analysis.h>

#include "statics/bordered.h"
#include "statics/equilibrium.h"
#include "statics/stability.h"

/* A place of the curve: at rest, with its tangent and its stability. */
typedef struct RbvPlace {
    double u;
    RbvModel *model; /* NULL: system is shared, or somebody else's (the first place) */
    RbvSystem *system;
    RbvState *state;
    RbvBalance *balance;
    RbvSupports *supports; /* stops and one-sided joints, each pressed or free; NULL: the model has none */
    double *tangent;       /* [n] dq/ds, scaled */
    double tangent_u;      /* du/ds */
    bool drifts; /* it is in equilibrium anywhere along stability.nearest, whatever u: no step goes that way */
    RbvStability stability;
} RbvPlace;

/* A system that is set to where it is needed. NULL: there is none, every place has its own. */
typedef struct RbvPathSystem {
    RbvModel *model;
    RbvSystem *system;
    double u; /* where it is set */
    int32_t parameter;
} RbvPathSystem;

typedef struct RbvPath {
    const RbvFamily *family;
    const RbvOptions *options;
    bool has_energy;
    RbvEquilibriumSearch search; /* tolerances and scratch; search.balance is that of the place in work */
    RbvPathSystem here, ahead;   /* of the place in work, and for the derivative by u */
    RbvBalance *scales;          /* of the first place: all are scaled alike */
    double *weight;              /* [rows] of all places; NaN: the row has not held yet */
    double metric;               /* 1/l^2 */
    double least;                /* [m] l is no smaller */
    double *vary;                /* [n + rows] F_u */
    double *x, *z;               /* [n + rows + 1] */
    int32_t corrections;         /* of the last step */
    double missed;               /* the first of them, over the step */
    bool depends;                /* forces or rows have changed with u */
    bool near_event;             /* a bifurcation is near: the tangent may turn, and Newton needs a ridge */
    bool no_memory;              /* a place could not be looked at: what comes of it is no result */
    double refused;              /* the parameter at which the family gave no model of the same structure; NaN: none */
} RbvPath;

/* `first` is at rest and outlives the path. NO_MEMORY. */
RbvStatus rbv_path_create(RbvPath *path, const RbvFamily *family, const RbvOptions *options, bool has_energy,
                          const RbvEquilibriumSearch *first);
void rbv_path_destroy(RbvPath *path);

/* Set the system to where the place is, before it is evaluated again. */
RbvStatus rbv_path_stand(RbvPath *path, const RbvPlace *place);
double rbv_path_parameter(const RbvPath *path, double u);
/* The first place, on the balance given at creation, at u = 0; its tangent goes to growing u. OK, NO_EQUILIBRIUM: its
 * tangent is not determined; NO_MEMORY, NOT_FINITE. */
RbvStatus rbv_path_first(RbvPath *path, RbvPlace *place);
/* The place about an arc ds (negative: backwards) away from one. NO_EQUILIBRIUM: not reached from there, a shorter step
 * may; INTERRUPTED; NO_MEMORY. */
RbvStatus rbv_path_step(RbvPath *path, const RbvPlace *from, double ds, RbvPlace *to);
/* The place at u near to one. Statuses likewise. */
RbvStatus rbv_path_at(RbvPath *path, const RbvPlace *from, double u, RbvPlace *to);
/* The place at u near to a state at rest, with the supports that are held there (or NULL). Statuses likewise. */
RbvStatus rbv_path_settle(RbvPath *path, const RbvBalance *near, const RbvSupports *supports, double u, RbvPlace *to);
/* The same place with other supports held[contacts], which carry nothing yet; its tangent goes on from the old one as
 * far as there is a choice. Statuses likewise. */
RbvStatus rbv_path_change(RbvPath *path, const RbvPlace *from, const bool *held, RbvPlace *to);
/* The same place as a result has it, without a tangent: supports that touch and are not needed are held, too, since
 * what each of them carries is not determined. OK: also where there are none of them, and to->balance is NULL.
 * NO_MEMORY, NO_EQUILIBRIUM. */
RbvStatus rbv_path_bear(RbvPath *path, const RbvPlace *place, RbvPlace *to);
/* The tangent points the other way. */
void rbv_place_turn(RbvPlace *place, int32_t n);
/* A state at u that is no equilibrium yet: an arc ds away from a place, with Phi = 0. Statuses likewise. */
RbvStatus rbv_path_beside(RbvPath *path, const RbvPlace *from, double u, double ds, RbvPlace *to);
/* How far a place is from the first one, as an arc; whole turns of bodies in the plane do not count. */
double rbv_path_distance(RbvPath *path, const RbvPlace *place);
/* And how far two places are apart, as an arc. */
double rbv_path_apart(RbvPath *path, const RbvPlace *a, const RbvPlace *b);
/* The length l for what has been moved by; the place's tangent is measured anew. */
void rbv_path_measure(RbvPath *path, RbvPlace *place);
/* The cosine between the tangents of two places. */
double rbv_path_along(const RbvPath *path, const RbvPlace *a, const RbvPlace *b);
void rbv_place_destroy(RbvPlace *place);

#endif
