/* Friction contacts, compiled: their slip directions, and the rows that are active while they stick.
 *
 * Slip direction c of a pair of surfaces has the rate w_c = sum_t weight_t m_t' over up to three measures, and the slip
 * velocity u_c = lever_c w_c [m/s]. The effort e_c on it [N or N m] is printed; f_c = e_c/lever_c is the friction
 * force.
 *
 *   turn: lever r;  along: lever 1
 *   thread of lead angle alpha: w = cos^2(alpha) angle' + sin(alpha) cos(alpha)/r z',
 *     lever r/cos(alpha), so that u lies along the thread
 *   pins of a bar, theta the turn of its line: w = theta' - w_1 and w_2 - theta';
 *     the couples e_1, e_2 push across the bar with (e_1 - e_2)/l, which both pins carry besides F
 *   teeth that roll: one wheel against the other; in space a sum of two measures (RbvMesh), lever r
 *   balls at the ends of a bar in space: as the pins, with w_bar across the bar, in two directions
 * (mechanics/element/turning.c); both couples push across the bar a constant-velocity joint: w_2 - w_1 in the plane
 * that halves the angle of the shafts rolling contacts and belts: the rate of the joint's own row, lever 1
 *
 * A unit effort adds the wrenches sum_t weight_t grad m_t to the bodies. */
#ifndef RBV_MECHANICS_SYSTEM_FRICTION_CONTACTS_H
#define RBV_MECHANICS_SYSTEM_FRICTION_CONTACTS_H

#include "mechanics/system/system.h"
#include "model/model/kinds.h"

#define RBV_MOST_SLIP_TERMS 3

typedef struct RbvSlipDirection {
    int terms;
    int32_t measure[RBV_MOST_SLIP_TERMS];
    double weight[RBV_MOST_SLIP_TERMS];
    double lever;  /* [m]; 1 for sliding along a line */
    int component; /* RBV_FRICTION ... component under which it is printed */
    bool angular;
} RbvSlipDirection;

struct RbvFrictionContact {
    int32_t joint;
    const RbvFrictionSurfaces *surfaces;
    int count; /* number of slip directions */
    RbvSlipDirection slip[RBV_MOST_SLIP_DIRECTIONS];
    int32_t stick_row; /* first of the `count` rows that are active while the contact sticks; -1: no such rows, as the
                          coefficient is 0 */
    bool own;          /* these are the joint's own rows: the friction is part of the joint reaction */
};

/* Rate w_c of slip direction c. After rbv_state_place and rbv_state_move. */
double rbv_friction_rate(const RbvState *state, const RbvFrictionContact *friction, int c);
/* Slip velocities u_c [m/s] of all slip directions; returns their norm. */
double rbv_friction_slide(const RbvState *state, const RbvFrictionContact *friction,
                          double u[RBV_MOST_SLIP_DIRECTIONS]);
/* u_c' [m/s^2] for the accelerations of bodies in the state (rbv_state_accelerate). */
double rbv_friction_second(const RbvState *state, const RbvFrictionContact *friction, int c);
/* Lets the contact's rows on positions hold the present position (row_turn); at evaluated measures. */
void rbv_friction_hold_here(RbvState *state, const RbvFrictionContact *friction);
/* Adds the wrenches of effort e_c on slip direction c to wrenches[bodies]. */
void rbv_friction_push(const RbvState *state, const RbvFrictionContact *friction, int c, double effort,
                       RbvWrench *wrenches);
/* Transverse force on the joint's second body per unit effort on slip direction c at an end of a bar; 0 for other
 * contacts. */
RbvVec3 rbv_friction_across(const RbvState *state, const RbvFrictionContact *friction, int c);
/* Normal load N [N] of the contact, for the joint's wrench on its second body at the second marker in ground axes, and
 * its derivative `slope` by that wrench. */
double rbv_friction_load(const RbvState *state, const RbvFrictionContact *friction, RbvWrench reaction,
                         RbvWrench *slope);
/* Tangent of the lead angle of a thread. */
static inline double rbv_thread_slope(const RbvJoint *joint) {
    return joint->sizes->pitch / (RBV_TWO_PI * joint->sizes->friction_radius);
}

#endif
