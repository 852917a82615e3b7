/* Coulomb friction of a motion: faces that slide, and faces that stick (system/rubs.h).
 *
 *   sliding: s_j = -mu_j N_j(R(s)) along u/|u|, with M a + C^T lambda = Q + sum_j s_j g_j;   R is linear in s, so that Newton on s needs one solution for each pair of faces that slides
 *   sticking: rows hold the faces where they are; their forces are friction, up to static N
 * The way belongs to the phase where the rate says nothing: at the instant at which faces begin to slide u is zero. Along one direction it is the phase's alone, so that the motion is smooth through u = 0;
 * of several it is u/|u| while u has a part along the phase's way.
 */
#ifndef RBV_DYNAMICS_SLIDING_H
#define RBV_DYNAMICS_SLIDING_H

#include "dynamics/saddle.h"
#include "reaction/reactions.h"
#include "system/rubs.h"

typedef double RbvWay[RBV_MOST_WAYS];

typedef struct RbvSliding {
    RbvState *state;
    RbvSaddle *saddle;
    RbvReactions *reactions; /* for its unit wrenches */
    int32_t count;           /* the system's rubs that have rows to stick by */
    int32_t *rub;            /* [count] */
    bool *slides;            /* [count] */
    RbvWay *toward;          /* [count] the phase's way, of length 1 */
    RbvWay *way;             /* [count] of the last solution */
    double *rounding;        /* [count] [m/s] a rate of no more has no direction: that with which it stuck before it slid, or what happen.c sets */
    double *force;           /* [count] s [N] of the last solution */
    RbvWay *effort;          /* [count] e_c [N or N m] of the last solution: of those that stick too */
    double *load;            /* [count] N of the last solution */
    double *base;            /* [rows] */
    double *answer, *a;      /* [count][rows], [count][n] of a unit force */
    double *unit;            /* [n + rows] for what a unit force along one way does */
    double *J;               /* [count][count + 1] */
    double *Q;               /* [n] */
    RbvWrench *wrenches;     /* [bodies] */
} RbvSliding;

/* False: no memory; to be destroyed all the same. */
bool rbv_sliding_create(RbvSliding *sliding, RbvState *state, RbvSaddle *saddle);
void rbv_sliding_destroy(RbvSliding *sliding);
/* a[n] and lambda[rows] at the loaded state, with friction. False: a number is not finite, or it jams. */
bool rbv_sliding_solve(RbvSliding *sliding, double *a, double *lambda);
/* The power of sliding friction [W]. */
double rbv_sliding_power(const RbvSliding *sliding);
/* Its wrenches on bodies, added. */
void rbv_sliding_push(const RbvSliding *sliding, RbvWrench *wrenches);

/* Of friction number i: */
const RbvRub *rbv_sliding_rub(const RbvSliding *sliding, int32_t i);
const RbvJoint *rbv_sliding_joint(const RbvSliding *sliding, int32_t i);
/* the rate with which its faces slide along the phase's way, and in all [m/s, of turns alone rad/s]; */
double rbv_sliding_forward(const RbvSliding *sliding, int32_t i);
double rbv_sliding_rate(const RbvSliding *sliding, int32_t i);
/* |f| over static N where it sticks: above 1 it is too much; 0 where it slides; */
double rbv_sliding_strain(const RbvSliding *sliding, int32_t i);
/* u' at the accelerations of the state; the length. */
double rbv_sliding_second(const RbvSliding *sliding, int32_t i, RbvWay second);
/* the phase's way becomes the one it slides (false: it stands), */
bool rbv_sliding_turn(RbvSliding *sliding, int32_t i);
/* or the one against the force with which it sticks, with which it slides from now on, */
void rbv_sliding_release(RbvSliding *sliding, int32_t i);
/* or, at rest, one nearer to that in which it is accelerated: how much the way has changed, 0 where the acceleration is rounding of what friction does. mobility: of all that begin to slide;
 * with f on the faces, a(u) = G (f - mu N u) is the slope of h(u) = u.G f - mu N u.G u/2 on the sphere |u| = 1. With m >= the largest eigenvalue of G, h + mu N m u.u/2 is convex, so that each step u <- a + mu N m u
 * raises h: it ends at a maximum of h, where a is along u and where the direction of a motion that has begun stays; */
double rbv_sliding_follow(RbvSliding *sliding, int32_t i, double mobility);
/* the mobility G_cc [1/kg] of its faces along each of its ways, added: the trace of G. False: a number is not finite. */
bool rbv_sliding_mobility(RbvSliding *sliding, int32_t i, double *sum);

#endif
