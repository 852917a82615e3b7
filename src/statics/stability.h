/* Stability of an equilibrium: K u = mu M u on the tangent space of Phi = 0, massless directions condensed. */
#ifndef RBV_STATICS_STABILITY_H
#define RBV_STATICS_STABILITY_H

#include "statics/equilibrium.h"

typedef enum RbvStabilityKind { RBV_STABLE, RBV_NEUTRAL, RBV_UNSTABLE, RBV_UNDECIDED } RbvStabilityKind;

typedef struct RbvStability {
    RbvStabilityKind kind;
    double curvature;  /* [1/s^2] smallest mu; NaN: none */
    double *direction; /* [n] motion of least stiffness, scaled as the balance's steps; zero if nothing can move */
    double *nearest;   /* [n] motion whose stiffness is nearest to zero; in the memory of `direction` */
    int32_t falling;   /* number of independent motions along which the energy decreases */
    double margin;     /* [1/s^2] the curvature nearest to zero; NaN: none, or there are massless directions */
    bool level;        /* `margin` counts as zero */
    int32_t flutter;   /* without an energy: number of motions that oscillate with growing amplitude */
    bool touches;      /* stability depends on supports that touch without force; set by the caller */
    bool edge; /* the curvature is less than ten times the threshold of neutral: not decided for a single equilibrium */
    bool open; /* stability depends on self-stresses that the rigid model leaves open; set by the caller */
} RbvStability;

/* For an equilibrium alone: kind UNDECIDED if `edge` is set. On a path each change of sign is an event with a position
 * of its own. */
void rbv_stability_alone(RbvStability *stability);
/* Reason why the stability is UNDECIDED, for messages; `plain`: with an energy, at an exact equilibrium. */
const char *rbv_stability_doubt(const RbvStability *stability, const RbvBalance *balance, bool plain);
/* "stable", "neutral", "unstable"; NULL: not decided. */
const char *rbv_stability_name(const RbvStability *stability);

/* RBV_STABILITY_SPARSE: with more coordinates the eigenvalues are found one by one (stability_sparse.c).
 * RBV_STABILITY_MOST: with more coordinates, stability without an energy, or at a state off the equilibrium
 * (`position_error` not 0), is UNDECIDED. */
#define RBV_STABILITY_SPARSE 200
#define RBV_STABILITY_MOST 1200

/* Decides the stability at an equilibrium with evaluated state and with its multipliers in the balance.
 * `position_error` [m]: distance of the state from the equilibrium, which widens the band of neutral.
 * stability->direction[n] is allocated; free it with free(). Overwrites the factors. If v is not made of body twists
 * the stability of the bodies is decided. */
RbvStatus rbv_stability_find(RbvBalance *balance, bool has_energy, double position_error, RbvStability *stability);
/* As rbv_stability_find, for a large system with an energy: `falling` is 1 if the energy decreases along any motion. */
RbvStatus rbv_stability_sparse(RbvBalance *balance, RbvStability *stability);

/* Motions whose curvature is nearest to zero, nearest first; the arrays are the caller's. */
typedef struct RbvLowestMotions {
    int32_t count;   /* motions found */
    double *mu;      /* [count] curvatures [1/s^2] */
    double *u;       /* [count][n] motions of mass 1, scaled as the balance's steps; orthogonal in the masses */
    double *neutral; /* [count] a curvature of smaller magnitude counts as zero */
    bool massless;   /* one of the motions has no mass of its own: neither mass nor stiffness */
} RbvLowestMotions;

/* Finds the `most` motions at an equilibrium with an energy, whose state is evaluated and whose multipliers are in the
 * balance. Fewer where fewer are free. Overwrites the factors. LOCKED: it does not converge; NO_MEMORY; INTERRUPTED;
 * none is reported. */
RbvStatus rbv_lowest_motions(RbvBalance *balance, int32_t most, RbvLowestMotions *motions);
/* As rbv_stability_find, on the motions that the supports with force allow and that do not enter supports which touch
 * without force. The latter are open afterwards if the equilibrium is unstable by leaving them, and closed otherwise.
 * Without supports: rbv_stability_find. */
RbvStatus rbv_supported_stability(RbvEquilibriumSearch *search, bool has_energy, RbvStability *stability);

/* Curvature along a motion (stability_curvature.c). */
/* For the equilibrium in `search`, with an energy and with its stability found. Sets kind NEUTRAL with curvature 0 in
 * two cases: the curvature changes its sign within the position's uncertainty (returns true); or it lies within ten
 * times the threshold of neutral and changes by more than half of its value there (returns false, nothing is to be
 * reported). State, multipliers and loads are restored. */
bool rbv_stability_inflects(RbvEquilibriumSearch *search, RbvStability *stability);
/* Rows on velocities, locked at rest: their reactions turn with the bodies, a stiffness without an energy. True if
 * such rows are active here. */
bool rbv_has_locked_rows(const RbvBalance *balance);
/* out[n] += d(C_r^T lambda_r)/dq x over the rows on velocities, with the step of K (balance.h), by differences of
 * fourth order. work[2n]. The state is moved and restored; only workspace of the balance is overwritten. */
void rbv_add_locked_stiffness(RbvBalance *balance, const double *x, double *out, double *work);
/* |mu| below this part of the sum of the magnitudes of its contributions is neutral. */
#define RBV_NEUTRAL_PART 1e-8

/* |mu| of a motion direction[n] (scaled as steps) below which it is neutral: `part` of the sum of the magnitudes of the
 * contributions to u^T K u, or the rounding of K. work[n]. K is that of the balance's last factorization, with its
 * multipliers. */
double rbv_neutral_threshold(RbvBalance *balance, double part, const double *direction, double *work);

/* Kind of stability for a curvature and this threshold. *edge is set if the curvature lies between the threshold and
 * ten times the threshold. */
RbvStabilityKind rbv_neutral_kind(double curvature, double threshold, bool *edge);

#endif
