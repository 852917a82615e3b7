/* Curve of equilibria g + C^T lambda = 0, Phi = 0 in (q, lambda, p), followed by arc length.
 *
 * u = (p - from)/(to - from); the arc is ds^2 = |dq|^2/l^2 + du^2, dq scaled as the balance's steps. The length l is
 * the displacement of the mechanism when u changes by 1 at the start, or half of its displacement so far, at most its
 * size: a snap-through may be small against the mechanism and against the range. A step goes along the tangent and
 * returns to the curve by Newton's method across it: the system of balance.h bordered by the derivative of the
 * equations by u and by the tangent, which stays regular at folds (Keller 1977). All points but the first share one
 * system, whose parameter is set to that of the present point; a second system stands a little ahead of it, for the
 * derivative. Where a value cannot be set, the point has a model and a system of its own, from the family. */
#ifndef RBV_STATICS_PATH_H
#define RBV_STATICS_PATH_H

#include <roberval/options.h>

#include "statics/balance.h"
#include "statics/equilibrium.h"
#include "statics/stability.h"

/* A point of the curve: a state at rest with its tangent and its stability. */
typedef struct RbvPathPoint {
    double u;
    RbvModel *model; /* NULL: `system` is shared, or owned by another object (first point) */
    RbvSystem *system;
    RbvState *state;
    RbvBalance *balance;
    RbvSupports *supports; /* stops and one-sided joints, each closed or open; NULL: the model has none */
    double *tangent;       /* [n] dq/ds, scaled */
    double tangent_u;      /* du/ds */
    bool drifts; /* equilibrium everywhere along stability.nearest, whatever u: no step goes in that direction */
    RbvStability stability;
} RbvPathPoint;

/* A system whose parameter is set as needed. model NULL: none, every point has a system of its own. */
typedef struct RbvPathSystem {
    RbvModel *model;
    RbvSystem *system;
    double u; /* value of u at which it is set */
    int32_t parameter;
} RbvPathSystem;

typedef struct RbvPath {
    RbvArena arena; /* of all arrays */
    const RbvFamily *family;
    const RbvOptions *options;
    bool has_energy;
    RbvEquilibriumSearch search; /* tolerances and workspace; search.balance is that of the present point */
    RbvPathSystem here, ahead;   /* of the present point, and for the derivative by u */
    RbvBalance *scales;          /* balance of the first point: the scale factors of all points */
    double *weight;              /* [rows] weights for all points; NaN: the row has not been active yet */
    double metric;               /* 1/l^2 */
    double least;                /* [m] lower bound of l */
    double *vary;                /* [n + rows] F_u: derivative of the equations by u */
    double *x, *z;               /* [n + rows + 1] solutions of the bordered system */
    int32_t corrections;         /* Newton corrections of the last step */
    double missed;               /* size of the first correction, over the step */
    bool depends;                /* forces or rows have changed with u */
    bool near_event;             /* a bifurcation is near: the tangent may turn, and Newton needs a ridge */
    bool no_memory;              /* a point could not be evaluated: the path's outcome is no result */
    double refused; /* value of the parameter at which the family gave no model of the same structure; NaN: none */
} RbvPath;

/* `first` is at rest and must outlive the path. OK; NO_MEMORY. */
RbvStatus rbv_path_create(RbvPath *path, const RbvFamily *family, const RbvOptions *options, bool has_energy,
                          const RbvEquilibriumSearch *first);
void rbv_path_destroy(RbvPath *path);

/* Sets the shared system to the parameter of the point, before the point is evaluated again. */
RbvStatus rbv_path_set_parameter(RbvPath *path, const RbvPathPoint *place);
double rbv_path_parameter(const RbvPath *path, double u);
/* First point, on the balance given to rbv_path_create, at u = 0; its tangent goes to growing u. OK; NO_EQUILIBRIUM:
 * the tangent is not determined; NO_MEMORY; NOT_FINITE. */
RbvStatus rbv_path_first(RbvPath *path, RbvPathPoint *place);
/* Point at about the arc ds from `from` (negative: backwards). NO_EQUILIBRIUM: not reached, a shorter step may succeed;
 * INTERRUPTED; NO_MEMORY. */
RbvStatus rbv_path_step(RbvPath *path, const RbvPathPoint *from, double ds, RbvPathPoint *to);
/* Point at u near `from`. Statuses as of rbv_path_step. */
RbvStatus rbv_path_at(RbvPath *path, const RbvPathPoint *from, double u, RbvPathPoint *to);
/* Point at u near a state at rest, with the supports that are closed there (or NULL). Statuses as of rbv_path_step. */
RbvStatus rbv_path_settle(RbvPath *path, const RbvBalance *near, const RbvSupports *supports, double u,
                          RbvPathPoint *to);
/* Point with the positions of `from` and other closed supports closed[contacts], whose forces are still zero. The
 * tangent continues that of `from` as far as there is a choice. Statuses as of rbv_path_step. */
RbvStatus rbv_path_change(RbvPath *path, const RbvPathPoint *from, const bool *closed, RbvPathPoint *to);
/* Point with the positions of `place` as a result shows it, without a tangent: supports that touch and carry no force
 * are closed, too, since the force of each of them is not determined. OK; OK with to->balance NULL: there are no such
 * supports; NO_MEMORY; NO_EQUILIBRIUM. */
RbvStatus rbv_path_close_touching(RbvPath *path, const RbvPathPoint *place, RbvPathPoint *to);
/* Reverses the tangent [n] of the point. */
void rbv_path_point_reverse(RbvPathPoint *place, int32_t n);
/* A state at u that is not in equilibrium: an arc ds from `from`, with Phi = 0. Statuses as of rbv_path_step. */
RbvStatus rbv_path_displace(RbvPath *path, const RbvPathPoint *from, double u, double ds, RbvPathPoint *to);
/* Distance of a point from the first point, as an arc; whole turns of bodies in the plane do not count. */
double rbv_path_distance(RbvPath *path, const RbvPathPoint *place);
/* Distance between two points, as an arc. */
double rbv_path_between(RbvPath *path, const RbvPathPoint *a, const RbvPathPoint *b);
/* Updates the length l from the displacement so far; the point's tangent is normalized again. */
void rbv_path_measure(RbvPath *path, RbvPathPoint *place);
/* Cosine of the angle between the tangents of two points. */
double rbv_path_cosine(const RbvPath *path, const RbvPathPoint *a, const RbvPathPoint *b);
void rbv_path_point_destroy(RbvPathPoint *place);

/* Changes of closed supports along a path (path_switching.c). */
/* Support with the least slack: gap if open, push if closed; among those whose slack is below -1 at `behind` (NULL:
 * all). -1: none. */
int32_t rbv_path_tightest(RbvPath *path, const RbvPathPoint *place, const RbvPathPoint *behind);
/* Slack of that support, in tolerances: below -1 a support is violated or pulls. Infinite: there are none. */
double rbv_path_slack(RbvPath *path, const RbvPathPoint *place, const RbvPathPoint *behind);
/* Continuation of the path at a point where a support closes or opens: the same point with the set that is closed from
 * there on, and its tangent to that side. `first`: at the start, to growing u, where nothing has to change.
 * opens[contacts]: touches and opens from there on, whether it carried force or not. NO_EQUILIBRIUM: no set continues
 * the path; INTERRUPTED; NO_MEMORY. */
RbvStatus rbv_path_switch(RbvPath *path, const RbvPathPoint *at, bool first, bool *opens, RbvPathPoint *to);
/* True if support k comes to touch between two points. */
bool rbv_path_closes(RbvPath *path, const RbvPathPoint *from, const RbvPathPoint *to, int32_t k);

#endif
