/* Is an equilibrium stable? K u = mu M u on the tangent space of Phi = 0, massless directions condensed. */
#ifndef RBV_STATICS_STABILITY_H
#define RBV_STATICS_STABILITY_H

#include "statics/balance.h"

typedef enum RbvStabilityKind { RBV_STABLE, RBV_NEUTRAL, RBV_UNSTABLE, RBV_UNDECIDED } RbvStabilityKind;

typedef struct RbvStability {
    RbvStabilityKind kind;
    double curvature; /* [1/s^2] the smallest mu; NaN: none, see there */
    double
        *direction;  /* [n] the motion of least stiffness, scaled as the balance's steps; zero when nothing can move */
    double *nearest; /* [n] the motion whose stiffness is nearest to zero; in the memory of direction */
    int32_t falling; /* how many independent motions it falls by */
    double margin;   /* [1/s^2] the curvature nearest to zero; NaN: none, or there are massless directions */
    bool level;      /* that one counts as zero */
    int32_t flutter; /* without an energy: in how many motions it swings more and more */
    bool touches;    /* it hangs on supports that only touch: set by who knows them */
    bool edge; /* the curvature is less than ten times what counts as none: of a single place it is not said which it is
                */
    bool open; /* it hangs on self-stresses that the rigid model leaves open: set by who knows them */
} RbvStability;

/* Of a place that stands alone: UNDECIDED where `edge` is set. Along a path signs change at places of their own. */
void rbv_stability_alone(RbvStability *stability);
/* Why it is UNDECIDED, for messages. */
const char *rbv_stability_doubt(const RbvStability *stability, const RbvBalance *balance, bool plain);
/* "stable", "neutral", "unstable"; NULL: not decided. */
const char *rbv_stability_name(const RbvStability *stability);

/* Above so many coordinates the eigenvalues are sought one by one (stability_sparse.c), and above the second number
 * nothing is decided without an energy or with joints that stand off: UNDECIDED. */
#define RBV_STABILITY_SPARSE 200
#define RBV_STABILITY_MOST 1200

/* `off` [m]: how far the state may be from the equilibrium, which widens what counts as neutral. At an equilibrium that
 * is placed, with its multipliers in the balance. direction[n] is allocated: free(). Spoils the factors. Where v is no
 * body twists it is that of the bodies there. */
RbvStatus rbv_stability_find(RbvBalance *balance, bool has_energy, double off, RbvStability *stability);
/* The same for a large system with an energy: `falling` is 1 when there is any motion it falls by. */
RbvStatus rbv_stability_sparse(RbvBalance *balance, RbvStability *stability);

#endif
