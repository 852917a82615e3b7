/* What a form of joint does: its rows, the measures of its slip directions, its place and the twists that it leaves
 * free. One file a form exports one RbvFormFunctions; forms.c has the table of them. */
#ifndef RBV_MECHANICS_FORMS_FORM_H
#define RBV_MECHANICS_FORMS_FORM_H

#include "mechanics/system/builder.h"
#include "mechanics/system/friction_contacts.h"

typedef struct RbvFormFunctions {
    /* Appends the rows of joint `index`. Mistakes are reported and noted in `wrong`. */
    void (*rows)(RbvBuilder *builder, int32_t index);
    /* Writes the measures of slip direction k of the surfaces, and how many they are: slip->measure[], slip->terms. A
     * measure is -1 if out of memory. NULL: the slip directions are the joint's own rows. */
    void (*slip_direction)(RbvModel *model, const RbvJoint *joint, const RbvFrictionSurfaces *surfaces, int k,
                           RbvSlipDirection *slip);
    /* Changes slip->weight[] and slip->lever where they are not 1, 0 and the friction radius (or 1 of slides), for the
     * present parameter values. NULL: they are. */
    void (*slip_weights)(const RbvModel *model, const RbvJoint *joint, const RbvFrictionSurfaces *surfaces,
                         RbvSlipDirection *slip);
    /* Position of the joint (rbv_joint_place). NULL: as the form's trait `symmetric` says. */
    RbvVec3 (*place)(const RbvState *state, int32_t joint);
    /* The twists that the joint leaves free (rbv_joint_free_directions). */
    int (*free_directions)(const RbvState *state, int32_t joint, double length, RbvTwist freed[6]);
} RbvFormFunctions;

extern const RbvFormFunctions rbv_form_locks, rbv_form_bar, rbv_form_wheels, rbv_form_rack, rbv_form_cam, rbv_form_edge,
    rbv_form_roll;

/* Appends the rows of joint `index`. Mistakes are reported and noted in `wrong`. */
void rbv_joint_rows(RbvBuilder *builder, int32_t index);
/* Writes slip->measure[] and slip->terms of slip direction k of the surfaces, where it is not one of the joint's rows.
 */
void rbv_joint_slip_direction(RbvModel *model, const RbvJoint *joint, const RbvFrictionSurfaces *surfaces, int k,
                              RbvSlipDirection *slip);
/* Writes slip->weight[] and slip->lever of a slip direction that is not one of the joint's rows. */
void rbv_joint_slip_weights(const RbvModel *model, const RbvJoint *joint, const RbvFrictionSurfaces *surfaces,
                            RbvSlipDirection *slip);
/* Position of a joint, for sizes: its second marker; the middle of both markers where both ends are alike (links,
 * gears, belts) or no point is locked; of a rack the pitch point, of a cam the contact. */
RbvVec3 rbv_joint_place(const RbvState *state, int32_t joint);
/* Relative twists freed[] of the second body that the joint allows, v at the second marker's origin, ground axes, at
 * a state whose positions are evaluated: a wrench (F, T) of the joint at that marker has F.v + T.w = 0 for each of
 * them. `length` [m]: scale of rotations where a direction mixes both. Returns their number: six (in the plane
 * three) minus the rows of the joint. */
int rbv_joint_free_directions(const RbvState *state, int32_t joint, double length, RbvTwist freed[6]);

/* All twists orthogonal to one wrench at the second marker, for forms that act along single lines (free_twists.c).
 * Returns their number. */
int rbv_twists_across(bool spatial, RbvWrench locked, double length, RbvTwist *freed);
/* Wrench about the second marker of a unit force along n at `place`. */
RbvWrench rbv_force_about_second(RbvVec3 n, RbvVec3 place, const RbvMarkerState *second);

/* Twist along u, and twist about u through the second marker. */
static inline RbvTwist rbv_slide_along(RbvVec3 u) {
    return (RbvTwist){u, {0, 0, 0}};
}
static inline RbvTwist rbv_turn_about(RbvVec3 u) {
    return (RbvTwist){{0, 0, 0}, u};
}
static inline RbvVec3 rbv_unit_along(RbvVec3 a) {
    return rbv_scale(1 / rbv_norm(a), a);
}
/* Axis k of ground. */
static inline RbvVec3 rbv_ground_axis(int k) {
    return rbv_vec3(k == 0, k == 1, k == 2);
}

#endif
