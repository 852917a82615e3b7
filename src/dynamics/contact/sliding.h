/* Coulomb friction of a motion: friction contacts that slide or stick (mechanics/system/friction_contacts.h).
 *
 *   sliding: s_j = -mu_j N_j(R(s)) along u/|u|, with M a + C^T lambda = Q + sum_j s_j g_j;   reactions R are linear
 *     in s, so that Newton's method on s needs one solution for each sliding friction contact
 *   sticking: constraint rows keep the surfaces from slipping; the forces of these rows are friction, up to static N
 *
 * s_j [N] is the friction force along the slip direction, 0 or less: it acts against u. g_j are the generalized forces
 * of a unit of it, N_j [N] the normal load, mu_j the coefficient of sliding, `static` that of sticking. Several slip
 * directions of one contact (two in a plane, three at a ball) have one friction force. A phase lasts from one event to
 * the next, in which each contact only slides or only sticks; the event loop changes phases and the active rows.
 *
 * The slip direction belongs to the phase where the slip velocity u does not define it: at the instant at which slip
 * begins u is zero. With one slip direction it is the phase's alone, so that the motion is smooth through u = 0. With
 * several it is u/|u| while u has a component along the phase's direction; while slip is slow it is the direction in
 * which slip begins, found anew at each state, since u/|u| would turn there in no time. */
#ifndef RBV_DYNAMICS_CONTACT_SLIDING_H
#define RBV_DYNAMICS_CONTACT_SLIDING_H

#include "core/base/arena.h"
#include "dynamics/accelerations/kept_reactions.h"
#include "mechanics/system/friction_contacts.h"
#include "solution/reaction/reactions.h"

/* Numbers along the slip directions of one friction contact; 0 beyond their number. */
typedef double RbvSlipVector[RBV_MOST_SLIP_DIRECTIONS];

typedef struct RbvSliding {
    RbvArena arena; /* owns all arrays */
    RbvState *state;
    RbvKeptReactions *kept_reactions; /* answers of the system to forces, with the multipliers of all rows; NULL: the
                                         caller fills `base` and `answer`; solve, align and moves must not be called */
    RbvReactions *reactions;          /* wrenches of joints for multipliers: the unit wrenches of rows at the state */
    int32_t count;                    /* number of the system's friction contacts that have rows to stick by */
    int32_t *friction;                /* [count] index among the system's friction contacts */
    bool *slides;                     /* [count] true: slides; false: sticks */
    RbvSlipVector *toward;            /* [count] slip direction of the phase, of length 1 */
    RbvSlipVector *slip; /* [count] slip direction of the last solution, of length 1: of toward, u, or found with the
                            forces (begins) */
    double *slow;        /* [count] [m/s] a slip speed up to this has no direction: twice the speed that was left while
                          * sticking, before slip began, or the value set in transition_friction.c */
    bool *off;           /* [count] true: the joint is off (active:): no friction; counts as sliding */
    bool *begins;        /* [count] true: slip is slow; the direction was found together with the forces */
    bool *loose; /* [count] true: slip began at this instant; sticks again only within the limit of sliding, mu N */
    double (*mobility)[9]; /* [count] G[3][3] [1/kg], slip accelerations for unit forces along the slip directions, of
                              contacts with begins[], at the last solution */
    double *force;         /* [count] s [N] friction force along the slip direction, 0 or less, of the last solution;
                              sticking contacts do not use it */
    RbvSlipVector *effort; /* [count] e_c [N or N m] friction efforts along each slip direction, of the last solution,
                              also of sticking contacts */
    double *load;          /* [count] load N [N] of the last solution, also of sticking contacts */
    double *base;          /* [rows] multipliers without sliding friction */
    double *answer, *a;    /* [count][rows], [count][n] changes of multipliers and of v' for a unit of s_i alone */
    double *unit;          /* [n + rows] scratch: v' and multipliers for a force of one contact */
    double *bare_a;        /* [n] v' without sliding friction */
    double *J;             /* [count][count + 1] linear system of Newton's method, with its right-hand side */
    double *Q;             /* [n] generalized forces, workspace */
    bool jams;             /* true: the last problem had no solution: friction jams */
} RbvSliding;

/* Returns false if out of memory; the object must be destroyed in either case. */
bool rbv_sliding_create(RbvSliding *sliding, RbvState *state, RbvKeptReactions *kept_reactions);
void rbv_sliding_destroy(RbvSliding *sliding);
/* Finds a[n] = v' and lambda[rows] with friction, at a state whose loads are evaluated, and force, effort, load, slip,
 * begins. Directions in which slip begins that do not settle are taken as they are. False: a number is not finite, or
 * friction jams (jams: no s fulfils the equation of sliding). */
bool rbv_sliding_solve(RbvSliding *sliding, double *a, double *lambda);
/* Finds slip[i], the slip direction of friction contact i, and begins[i], at a state whose velocities are evaluated:
 * that of the phase or that of u. */
void rbv_sliding_find_direction(RbvSliding *sliding, int32_t i);
/* Finds force[count], and lambda[rows] with friction, from lambda without friction in `base` and the answers to unit
 * forces in `answer`; reactions must be evaluated at the state. Without kept_reactions gears and belts add no forces
 * along lines of centres. False: friction jams. */
bool rbv_sliding_settle(RbvSliding *sliding, double *lambda);
/* Finds the efforts along all slip directions: from force[] and slip[] of sliding contacts, from lambda[rows] of
 * sticking ones. */
void rbv_sliding_take_efforts(RbvSliding *sliding, const double *lambda);
/* out[count]: residuals s_i + mu_i N_i [N] at the evaluated state; 0 for sticking contacts. */
void rbv_sliding_violations(const RbvSliding *sliding, const double *lambda, double *out);
/* Finds force[count], changes ds [N] of the friction forces near a solution: ds_i + mu_i dN_i(change + sum_j ds_j
 * answer_j, ds) = -violation_i (NULL: 0), dN_i the linearised change of the load; ds_i = 0 for sticking contacts.
 * lambda[rows]: multipliers of the solution; change[rows]: change of the multipliers without ds. False: friction jams,
 * and all ds are zero. */
bool rbv_sliding_answer(RbvSliding *sliding, const double *lambda, const double *change, const double *violation,
                        double *force);
/* Write to reactions of the same rows: the first, for sliding contacts, the multipliers of joints whose friction is
 * part of their reaction (rolling, belts), as if their rows acted; the second the friction components of joints
 * (reactions->value [N or N m]), after the other components are printed. */
void rbv_sliding_place_own(const RbvSliding *sliding, RbvReactions *reactions);
void rbv_sliding_print(const RbvSliding *sliding, RbvReactions *reactions);
/* To be called after a solution: velocities of contacts that begin to slide are turned into the direction in which slip
 * begins, by impulses of friction across it, since friction does so faster than any step. True: the state's v has
 * changed and its velocities must be evaluated again. */
bool rbv_sliding_align(RbvSliding *sliding);
/* Returns the power of sliding friction on the bodies [W]. */
double rbv_sliding_power(const RbvSliding *sliding);
/* Adds the wrenches of sliding friction on bodies to wrenches[bodies]. */
void rbv_sliding_push(const RbvSliding *sliding, RbvWrench *wrenches);

/* The friction contact and the joint of index i in [count]. */
const RbvFrictionContact *rbv_sliding_contact(const RbvSliding *sliding, int32_t i);
const RbvJoint *rbv_sliding_joint(const RbvSliding *sliding, int32_t i);
/* Slip speed along the phase's direction (negative: backwards), and length of the slip velocity [m/s; rad/s if all slip
 * directions are rotations]. */
double rbv_sliding_forward(const RbvSliding *sliding, int32_t i);
double rbv_sliding_rate(const RbvSliding *sliding, int32_t i);
/* Returns whether a contact with several slip directions slides too slowly to have a direction. */
bool rbv_sliding_is_slow(const RbvSliding *sliding, int32_t i);
/* Returns the coefficient up to which the contact sticks: static, or mu if loose[i]. */
double rbv_sliding_limit(const RbvSliding *sliding, int32_t i);
/* |f| / (static N), or |f| / (mu N) if loose[i], of a sticking contact, from effort[] and load[]: above 1 the limit is
 * exceeded; 0 if it slides, and if |f| exceeds the limit but is rounding. */
double rbv_sliding_strain(const RbvSliding *sliding, int32_t i);
/* Finds the slip acceleration u' [m/s^2] at the accelerations of the state (rbv_state_accelerate); returns its
 * length. */
double rbv_sliding_second(const RbvSliding *sliding, int32_t i, RbvSlipVector second);
/* Sets the phase's direction to that of the slip velocity; false: the slip velocity is zero. */
bool rbv_sliding_turn(RbvSliding *sliding, int32_t i);
/* Starts slip in the direction opposite to the sticking force effort[i]: sets toward, slow, slides and loose. The
 * caller makes the rows of sticking inactive. */
void rbv_sliding_release(RbvSliding *sliding, int32_t i);
/* Sets the phase's direction, toward[i], to that in which slip was found to begin, slip[i]. */
void rbv_sliding_begin(RbvSliding *sliding, int32_t i);
/* Returns the slip acceleration of contact i along `slip`, a unit vector, for a unit force along it [1/kg], with the
 * rows that are factored; *alone: its value if no row acted and M were diagonal. NaN: a number is not finite. */
double rbv_sliding_moves(RbvSliding *sliding, int32_t i, const RbvSlipVector slip, double *alone);

#endif
