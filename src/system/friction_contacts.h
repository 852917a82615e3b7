/* Friction contacts, compiled: the coordinates along which they slide, and the rows that hold them where they stick.
 *
 * Way c of a pair of faces has the rate w_c = sum_t weight_t m_t' over up to three measures, and slides with u_c =
 * lever_c w_c [m/s]; the effort e_c on it [N or N m] is printed, f_c = e_c/lever_c.
 *   turn: lever r;  along: lever 1;  thread of lead angle alpha: w = cos^2(alpha) angle' + sin(alpha) cos(alpha)/r z',
 *                   lever r/cos(alpha), so that u lies along the thread
 *   pins of a bar, theta the turn of its line: w = theta' - w_1 and w_2 - theta'; the couples e_1, e_2 push across the
 *     bar with (e_1 - e_2)/l, which both pins carry besides F
 *   teeth that roll: one wheel against the other; in space a sum of two measures (RbvMesh), lever r
 *   balls at the ends of a bar in space: the same with w_bar across it, in two directions (element/swing.c); their
 *     couples push across with both
 *   a constant-velocity joint: w_2 - w_1 in the plane that halves the shafts
 *   what rolls, and belts: the rate of the joint's own row, lever 1
 * A unit effort puts sum_t weight_t grad m_t on the bodies.
 */
#ifndef RBV_SYSTEM_FRICTION_CONTACTS_H
#define RBV_SYSTEM_FRICTION_CONTACTS_H

#include "model/joint_friction.h"
#include "system/system.h"

#define RBV_MOST_SLIP_TERMS 3

typedef struct RbvSlipDirection {
    int terms;
    int32_t measure[RBV_MOST_SLIP_TERMS];
    double weight[RBV_MOST_SLIP_TERMS];
    double lever;  /* [m], 1 along a line */
    int component; /* RBV_FRICTION ... in which it is printed */
    bool angular;
} RbvSlipDirection;

struct RbvFrictionContact {
    int32_t joint;
    const RbvFrictionSurfaces *surfaces;
    int count; /* of ways */
    RbvSlipDirection slip[RBV_MOST_SLIP_DIRECTIONS];
    int32_t stick_row; /* the first of `count` rows that hold it where it sticks; -1: its coefficient is 0 */
    bool own;          /* they are the joint's own: its friction is a part of the reaction */
};

/* The rate of way c: of the printed coordinate. After place and move. */
double rbv_friction_rate(const RbvState *state, const RbvFrictionContact *friction, int c);
/* u_c of all ways [m/s]; their length. */
double rbv_friction_slide(const RbvState *state, const RbvFrictionContact *friction,
                          double u[RBV_MOST_SLIP_DIRECTIONS]);
/* u_c' for accelerations a[n] of the coordinates that are in the state: a after rbv_state_accelerate. */
double rbv_friction_second(const RbvState *state, const RbvFrictionContact *friction, int c);
/* Its rows on positions hold its faces where they are from now on; measures are placed. */
void rbv_friction_hold_here(RbvState *state, const RbvFrictionContact *friction);
/* The wrenches of effort e_c on way c, added. */
void rbv_friction_push(const RbvState *state, const RbvFrictionContact *friction, int c, double effort,
                       RbvWrench *wrenches);
/* What a unit effort on way c of a bar's end lets the bar push its second body across; 0 of all other faces. */
RbvVec3 rbv_friction_across(const RbvState *state, const RbvFrictionContact *friction, int c);
/* The load N [N] on the faces for the joint's wrench on its second body at the second marker in ground axes, and its
 * derivative by that wrench. */
double rbv_friction_load(const RbvState *state, const RbvFrictionContact *friction, RbvWrench reaction,
                         RbvWrench *slope);
/* Weights and levers from the joints as they are, and those of rows: after parameters have other values. */
void rbv_system_place_friction(RbvSystem *system);

#endif
