/* Drives whose effort has a limit (max:): drives that follow their motion, and drives that slip.
 *
 * m(t) is the motion that the drive asks for, c its coordinate [m, rad or the unit of its expression], e = c - m its
 * lag (e_0 at t_0, where it began to follow), r its rate catch_up [1/s]. The effort [N or N m, power = effort c'] is
 * that on the coordinate.
 *
 *   follows: the drive's row keeps the coordinate at c = m(t) + e_0 exp(-r (t - t_0)), with any effort within +-max
 *   slips:   the effort is sign max, the row is inactive, until s = m' - c' + r (m - c) is zero; then the drive follows
 *            again from the present coordinate (e_0 at t_0)
 *
 * With r = 0 (no catch_up:) the lag e stays; else it decays with s = 0, e' = -r e. As for friction, the sign belongs to
 * the phase: s is zero where a drive begins to slip. With active: the drive has no effort while the condition is false;
 * when it becomes true the drive follows from the present coordinate, or slips. The effort is limited, so in an impact
 * it has no impulse: where s jumps the drive slips with the sign of s. */
#ifndef RBV_DYNAMICS_CONTACT_SLIPPING_H
#define RBV_DYNAMICS_CONTACT_SLIPPING_H

#include "core/base/arena.h"
#include "solution/reaction/reactions.h"

typedef struct RbvSlipping {
    RbvArena arena; /* owns all arrays */
    RbvState *state;
    int32_t count;  /* number of drives with a limit */
    int32_t *drive; /* [count] index among the model's drives */
    int *sign;      /* [count] sign of the effort of a slipping drive; 0: follows */
    int *before;    /* [count] signs before the transition; kept by the event loop */
    bool *off;      /* [count] true: the condition (active:) is false, no effort */
    bool *freed;    /* [count] true: follows, but its row is inactive during an impact, since a limited effort has no
                     * impulse; or began to slip at this instant */
    double *effort; /* [count] effort of the last solution; of a drive that rbv_shares_find lets give way, perhaps only
                     * its sign */
    RbvWrench *wrenches; /* [bodies] wrenches of the efforts, workspace */
    double *Q;           /* [n] generalized forces of the efforts, workspace */
    double *work;        /* workspace for expressions */
} RbvSlipping;

/* Returns false if out of memory; the object must be destroyed in either case. */
bool rbv_slipping_create(RbvSlipping *slipping, RbvState *state);
void rbv_slipping_destroy(RbvSlipping *slipping);
/* Returns the limit max of drive i, in the unit of its effort, at a state whose velocities are evaluated; negative
 * values count as zero. NaN: max: is not finite. */
double rbv_slipping_limit(const RbvSlipping *slipping, int32_t i);
/* Returns s = m' - c' + r (m - c), for an expression converted to a velocity [m/s] of one of its coordinates, else in
 * the unit of c'. Positive: the drive is behind, and slips with a positive effort. *lag = c - m. */
double rbv_slipping_surface(const RbvSlipping *slipping, int32_t i, double *lag);
/* Sets the efforts of slipping drives and adds them to wrenches and Q of the state. False: a limit is not finite. */
bool rbv_slipping_push(RbvSlipping *slipping);
/* Sets the efforts of drives that follow to -lambda[rows] of their rows. */
void rbv_slipping_take(RbvSlipping *slipping, const double *lambda);
/* Writes "drive 'motor': ..." for the first max: that is not finite, or "". */
void rbv_slipping_explain(const RbvSlipping *slipping, char *message, size_t size);

/* i: index in [count]. Drive i follows from the present coordinate, or slips with `sign`; sets its row in
 * active[rows]. */
void rbv_slipping_engage(RbvSlipping *slipping, int32_t i, bool *active);
void rbv_slipping_slip(RbvSlipping *slipping, int32_t i, int sign, bool *active);
/* Returns the index i of drive k; -1: the drive has no limit. */
int32_t rbv_slipping_find(const RbvSlipping *slipping, int32_t drive);
/* Switches drive i on, following from the present coordinate whatever its value and velocity, or off. */
void rbv_slipping_switch(RbvSlipping *slipping, int32_t i, bool on, bool *active);
/* Frees the row of drive i for an impact (freed: inactive), or activates it again. */
void rbv_slipping_free(RbvSlipping *slipping, int32_t i, bool freed, bool *active);
/* Limit minus |effort| of drive i, which follows, in the unit of the effort (negative: exceeded by more than rounding);
 * NaN: the drive slips or is off. */
double rbv_slipping_margin(const RbvSlipping *slipping, int32_t i);
/* Returns whether drive i needs more than its limit, by more than rounding. */
bool rbv_slipping_needs_more(const RbvSlipping *slipping, int32_t i);

#endif
