/* Drives whose effort has a limit (max:): those that follow their motion, and those that slip.
 *
 *   follows: its row holds the coordinate at c = m(t) + e_0 exp(-r (t - t_0)), by whatever effort within +-max
 *   slips:   the effort is sign max, the row does not hold, until s = m' - c' + r (m - c) is zero: then it follows
 *            again, from where it is (e_0 at t_0)
 * With r = 0 (no catch_up:) the lag e stays, else it dies out with s = 0 kept, e' = -r e. The sign belongs to the
 * phase, as that of friction: where a drive begins to slip s is zero. With active: it has no effort while that is not
 * so, and follows from where it is, or slips, from when it is. In an impact it has no impulse, for its effort is
 * limited: where s jumps it slips, with the sign of s.
 */
#ifndef RBV_DYNAMICS_SLIPPING_H
#define RBV_DYNAMICS_SLIPPING_H

#include "reaction/reactions.h"

typedef struct RbvSlipping {
    RbvState *state;
    int32_t count;
    int32_t *drive; /* [count] */
    int *sign;      /* [count] of the effort of one that slips; 0: follows */
    int *before;    /* [count] signs before what happens */
    bool *off;      /* [count] its condition (active:) does not hold: no effort */
    bool *freed; /* [count] follows, but holds nothing during an impact: a limited effort has no impulse; or has begun
                    to slip at this instant */
    double *effort;      /* [count] of the last solution */
    RbvWrench *wrenches; /* [bodies] */
    double *Q;           /* [n] */
    double *work;        /* scratch of expressions */
} RbvSlipping;

/* False: no memory; to be destroyed all the same. */
bool rbv_slipping_create(RbvSlipping *slipping, RbvState *state);
void rbv_slipping_destroy(RbvSlipping *slipping);
/* The limit of number i in the state, which is moved; below zero counts as zero. NaN: its max: is not finite. */
double rbv_slipping_limit(const RbvSlipping *slipping, int32_t i);
/* m' - c' + r (m - c), of an expression as the rate of one of its coordinates that it is worth; and the lag c - m. */
double rbv_slipping_surface(const RbvSlipping *slipping, int32_t i, double *lag);
/* Efforts of those that slip, added to the loaded state's wrenches and Q. False: a limit is not finite. */
bool rbv_slipping_push(RbvSlipping *slipping);
/* Efforts of those that follow. */
void rbv_slipping_take(RbvSlipping *slipping, const double *lambda);
/* "drive 'motor': ..." of the first max: that is not finite, or "". */
void rbv_slipping_explain(const RbvSlipping *slipping, char *message, size_t size);

/* Number i follows from where the state is, or slips; its row in active[rows]. */
void rbv_slipping_engage(RbvSlipping *slipping, int32_t i, bool *active);
void rbv_slipping_slip(RbvSlipping *slipping, int32_t i, int sign, bool *active);
/* The number of drive k; -1: it has no limit. */
int32_t rbv_slipping_find(const RbvSlipping *slipping, int32_t drive);
/* Its condition begins to hold, from where it is, whatever its place and rate; or ceases to. */
void rbv_slipping_switch(RbvSlipping *slipping, int32_t i, bool on, bool *active);
/* Number i follows and its row holds; or the row is freed for an impact. */
void rbv_slipping_free(RbvSlipping *slipping, int32_t i, bool freed, bool *active);
/* By how much the effort of number i, which follows, is below its limit (below 0: beyond it by more than rounding), in
 * its unit; NaN: it slips, or is off. */
double rbv_slipping_margin(const RbvSlipping *slipping, int32_t i);
/* Does it need more than its limit, by more than rounding? */
bool rbv_slipping_needs_more(const RbvSlipping *slipping, int32_t i);

#endif
