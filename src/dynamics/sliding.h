/* Coulomb friction of a motion: faces that slide, and faces that stick (system/friction_contacts.h).
 *
 *   sliding: s_j = -mu_j N_j(R(s)) along u/|u|, with M a + C^T lambda = Q + sum_j s_j g_j;   R is linear in s, so that
 *     Newton on s needs one solution for each pair of faces that slides
 *   sticking: rows hold the faces where they are; their forces are friction, up to static N
 * The way belongs to the phase where the rate says nothing: at the instant at which faces begin to slide u is zero.
 * Along one direction it is the phase's alone, so that the motion is smooth through u = 0; of several it is u/|u| while
 * u has a part along the phase's way, and while it is slow the way in which motion begins (first_slip.h), anew at each
 * state: u/|u| would turn there in no time.
 */
#ifndef RBV_DYNAMICS_SLIDING_H
#define RBV_DYNAMICS_SLIDING_H

#include "dynamics/kept_reactions.h"
#include "reaction/reactions.h"
#include "system/friction_contacts.h"

typedef double RbvSlipVector[RBV_MOST_SLIP_DIRECTIONS];

typedef struct RbvSliding {
    RbvState *state;
    RbvKeptReactions *kept_reactions; /* what forces bring about, with the multipliers of all rows; NULL: nobody asks */
    RbvReactions *reactions;          /* for its unit wrenches */
    int32_t count;                    /* the system's rubs that have rows to stick by */
    int32_t *friction;                /* [count] */
    bool *slides;                     /* [count] */
    RbvSlipVector *toward;            /* [count] the phase's way, of length 1 */
    RbvSlipVector *slip;              /* [count] of the last solution */
    double *slow; /* [count] [m/s] a rate of no more has no direction: that with which it stuck before it slid, or what
                     transition_sticking.c sets */
    bool *off;    /* [count] the joint is not there (active:): it rubs nothing, and slides in name */
    bool *begins; /* [count] it is slow: the way was found with the forces */
    bool *loose;  /* [count] it has begun to slide at this instant: it sticks again only within what holds it while it
                     slides */
    double (*mobility)[9]; /* [count] G [1/kg] of those, at the last solution */
    double *force;         /* [count] s [N] of the last solution */
    RbvSlipVector *effort; /* [count] e_c [N or N m] of the last solution: of those that stick too */
    double *load;          /* [count] N of the last solution */
    double *base;          /* [rows] without friction */
    double *answer, *a;    /* [count][rows], [count][n] of a unit force */
    double *unit;          /* [n + rows] for what a unit force along one way does */
    double *held;          /* [n] accelerations without friction */
    double *J;             /* [count][count + 1] */
    double *Q;             /* [n] */
    bool jams;             /* the last question had no answer: friction has no solution */
} RbvSliding;

/* False: no memory; to be destroyed all the same. */
bool rbv_sliding_create(RbvSliding *sliding, RbvState *state, RbvKeptReactions *kept_reactions);
void rbv_sliding_destroy(RbvSliding *sliding);
/* a[n] and lambda[rows] at the loaded state, with friction. False: a number is not finite, or it jams. */
bool rbv_sliding_solve(RbvSliding *sliding, double *a, double *lambda);
/* Its parts. The way of friction number i at the state, which is moved: the phase's, or that of u; */
void rbv_sliding_find_direction(RbvSliding *sliding, int32_t i);
/* force[count], and lambda[rows] with it, from lambda without friction in `base` and the answers to unit forces in
 * `answer`; reactions are placed. Without a bearing teeth and belts push nothing along lines of centres. False: it
 * jams. */
bool rbv_sliding_settle(RbvSliding *sliding, double *lambda);
/* Efforts on all ways from forces, ways and lambda. */
void rbv_sliding_take_efforts(RbvSliding *sliding, const double *lambda);
/* out[count]: s_i + mu_i N_i at the placed state; 0 of those that stick. */
void rbv_sliding_lacks(const RbvSliding *sliding, const double *lambda, double *out);
/* force[count]: ds with ds_i + mu_i dN_i(change + sum_j ds_j answer_j, ds) = -lack_i (NULL: 0), `change` that of
 * multipliers without ds. False: it jams. */
bool rbv_sliding_answer(RbvSliding *sliding, const double *lambda, const double *change, const double *lack,
                        double *force);
/* Into reactions for the same rows: multipliers of what has friction of its own, as if its rows held; and the columns
 * of friction, after the others are printed. */
void rbv_sliding_place_own(const RbvSliding *sliding, RbvReactions *reactions);
void rbv_sliding_print(const RbvSliding *sliding, RbvReactions *reactions);
/* After a solution: the rates of faces that begin to slide are made those along the ways in which they do, by impulses
 * of friction across: it sees to that faster than any step. True: the state's v has changed, and is to be moved. */
bool rbv_sliding_align(RbvSliding *sliding);
/* The power of sliding friction [W]. */
double rbv_sliding_power(const RbvSliding *sliding);
/* Its wrenches on bodies, added. */
void rbv_sliding_push(const RbvSliding *sliding, RbvWrench *wrenches);

/* sliding_friction.c. Of friction number i: */
const RbvFrictionContact *rbv_sliding_contact(const RbvSliding *sliding, int32_t i);
const RbvJoint *rbv_sliding_joint(const RbvSliding *sliding, int32_t i);
/* the rate with which its faces slide along the phase's way, and in all [m/s, of turns alone rad/s]; */
double rbv_sliding_forward(const RbvSliding *sliding, int32_t i);
double rbv_sliding_rate(const RbvSliding *sliding, int32_t i);
/* does what slides in several directions do so too slowly to have a direction; */
bool rbv_sliding_is_slow(const RbvSliding *sliding, int32_t i);
/* the coefficient up to which it sticks: static, or mu where it is loose; */
double rbv_sliding_limit(const RbvSliding *sliding, int32_t i);
/* |f| over static N (mu N where it is loose) where it sticks: above 1 it is too much; 0 where it slides; */
double rbv_sliding_strain(const RbvSliding *sliding, int32_t i);
/* u' at the accelerations of the state; the length. */
double rbv_sliding_second(const RbvSliding *sliding, int32_t i, RbvSlipVector second);
/* the phase's way becomes the one it slides (false: it stands), */
bool rbv_sliding_turn(RbvSliding *sliding, int32_t i);
/* or the one against the force with which it sticks, with which it slides from now on, */
void rbv_sliding_release(RbvSliding *sliding, int32_t i);
/* or the one in which it is found to begin; */
void rbv_sliding_begin(RbvSliding *sliding, int32_t i);
/* Q of a unit force on the faces along a way; what one along its own way does: a, answer; and G. False: a number is not
 * finite. */
void rbv_sliding_push_unit(RbvSliding *sliding, int32_t i, const RbvSlipVector slip);
bool rbv_sliding_find_answer(RbvSliding *sliding, int32_t i);
bool rbv_sliding_find_mobility(RbvSliding *sliding, int32_t i);
/* The acceleration along a way for a unit force along it [1/kg], and *alone: what it would be if no row held. NaN: a
 * number is not finite. */
double rbv_sliding_moves(RbvSliding *sliding, int32_t i, const RbvSlipVector slip, double *alone);
/* All that begin to slide do so the way in which they would with the forces as they are, and answer along that: by how
 * much ways have changed. */
bool rbv_sliding_turn_beginnings(RbvSliding *sliding, double *change);

#endif
