/* Reactions of joints, drives and constraints from multipliers, coordinates-free: what they do to the second body at
 * the second marker.
 *
 * Row r with multiplier lambda_r puts -lambda_r times its gradient on the bodies. Which of the equally right
 * multipliers of redundant rows are taken is the choice of choice.h.
 */
#ifndef RBV_REACTION_REACTIONS_H
#define RBV_REACTION_REACTIONS_H

#include <roberval/analysis.h>

#include "marker/marker.h"
#include "solvability/solvability.h"

/* A load that follows an open reaction: what a unit of it does. */
typedef struct RbvPush {
    int32_t joint;
    int component; /* of friction; -1: of a gear */
    RbvVerdict verdict;
    RbvWrench own;  /* gears: part of the joint's own force and torque at the second marker, in the axes printed */
    double *lambda; /* [rows] some multipliers that answer to it: right for combinations that are determined */
} RbvPush;

/* Of a connected part of the system, by unit: force [N], torque [N m]. With errors. */
typedef struct RbvForceSizes {
    double most[2];           /* the largest that takes part */
    double value[2], sure[2]; /* the largest value printed, and the largest of what is sure of them */
    double error[2];          /* the largest error */
} RbvForceSizes;

typedef struct RbvReactions {
    const RbvSystem *system;
    RbvFrame frame;
    RbvArena arena;
    double *unit;   /* [rows][3; in space 6] wrench on the second body at the second marker, ground axes, of lambda = 1:
                       rbv_reactions_unit */
    double *lambda; /* [rows] */
    double **value; /* [joints][components it can have: six, and those of lines and friction where there are any] what
                       is printed */
    int32_t component_count; /* of all joints together, one behind the other from value[0], verdict[0], error[0] on */
    RbvVerdict **verdict;    /* like value */
    uint32_t *held;          /* [joints] structure, a bit of each component: may it be other than zero? */
    uint32_t *printed;       /* [joints] likewise: has it a column? */
    bool *mixed;             /* [joints] printed in axes that turn against the directions held */
    RbvPush *pushes;         /* [push_count] loads that follow open reactions: see dependent_loads.h */
    int32_t push_count, push_capacity;
    double **error;                          /* like value: absolute errors of the components, estimated (error.h) */
    double *effort_error, *multiplier_error; /* [drives], [constraints] likewise */
    RbvForceSizes *size;                     /* [parts + 1] the last: of what touches ground alone */
    double floor; /* no error is above this part of those sizes; 1 where neighbours were asked */
    bool regular; /* errors are those of the motion's tolerance, far from singular positions */
    double *past; /* [parts + 1][force, torque], then [constraints] where they have units of their own: the largest sure
                     values of such samples so far */
    double method_error; /* [N] what the method itself is off by at most, torques over the arm of their part; NaN: not
                            known */
    double method_share; /* the same of what takes part in the force's part, with a margin; 0: the method is exact */
    bool doubted;        /* some verdict is UNSURE for its error */
    double *stop;        /* [stops] [N or N m] positive where it pushes the coordinate up */
    RbvVerdict *stop_verdict;
    double *stop_error; /* [stops] likewise */
    double *stop_scale; /* [stops] of those on expressions: the push that is 1 N on one of its coordinates; else 0 */
    double *effort;     /* [drives] */
    RbvVerdict *effort_verdict;
    double *multiplier; /* [constraints] generalized force that pushes the equation's value up */
    RbvVerdict *multiplier_verdict;
    double *carried;  /* [constraints] the same as the rows really exert it; where the constraint does work `multiplier`
                         is the ideal effort, and this what is left of both */
    double *ideal;    /* [constraints] efforts as if no constraint did work: what non-ideal forces read */
    double *actuator; /* [actuators] efforts of control */
    double *track_error;    /* [constraints] left-hand sides of those that are required */
    double *nonideal_power; /* [constraints] [W] of the work they do */
    RbvWrench *line; /* [joints], where has_line: gear, belt: what follows the tooth force or the preload, on the second
                        at its marker; ground axes */
    bool has_line;
    bool impulsive;  /* what is printed are impulses: the preload of a belt is none */
    bool opened;     /* a component that was judged free is not free any more */
    double *scratch; /* [2][scratch_size] coefficients of one element, twice */
    int32_t scratch_size;
} RbvReactions;

/* Is it among the components whose bits are set? */
static inline bool rbv_component_in(uint32_t components, int component) {
    return components >> component & 1;
}
/* How many components joint k can have: value, verdict and error have no more. */
static inline int32_t rbv_reactions_components(const RbvReactions *reactions, int32_t k) {
    return (int32_t)(reactions->value[k + 1] - reactions->value[k]);
}
/* Running totals of impulses [N s, N m s], with the signs of reactions and efforts. */
typedef struct RbvImpulses {
    double (*joint)[RBV_COMPONENT_COUNT]; /* [joints] */
    double *drive, *constraint, *stop;
} RbvImpulses;

RbvReactions *rbv_reactions_create(const RbvSystem *system, RbvFrame frame);
void rbv_reactions_destroy(RbvReactions *reactions);

/* Unit wrenches of all rows at the placed state with its coefficients. */
void rbv_reactions_place(RbvReactions *reactions, const RbvState *state);
/* Those of one joint. */
void rbv_reactions_place_joint(RbvReactions *reactions, const RbvState *state, int32_t joint);
/* Does this gear or belt push its wheels apart, or pull them together? */
bool rbv_joint_pushes_along_line(const RbvJoint *joint);
/* Forces along lines of centres that tooth forces and preloads bring (|Ft| tan(alpha)/cos(beta), -2 T cos): added to
 * `wrenches` on the bodies about their centroids. False when there are none. */
bool rbv_reactions_lines(RbvReactions *reactions, const RbvState *state, RbvWrench *wrenches);
/* Where a spatial mesh pushes its wheels apart: the unit vector, its point in *at. */
RbvVec3 rbv_mesh_push(const RbvMesh *mesh, const RbvMarkerState *markers, RbvVec3 *at);
/* Minus the gradient of row k on the body of marker `second`, as a wrench at that marker, ground axes; `always`: also
 * where the row does not hold. */
RbvWrench rbv_row_wrench(const RbvState *state, int32_t k, int32_t second, bool always);
/* The unit wrench of a row. */
RbvWrench rbv_reactions_unit(const RbvReactions *reactions, int32_t row);
/* What joint `joint` does to its second body at the second marker, ground axes, for multipliers lambda[rows]; with the
 * forces along lines of centres where `lines`. */
RbvWrench rbv_reactions_wrench(const RbvReactions *reactions, int32_t joint, const double *lambda, bool lines);
/* Components, efforts and constraint forces from lambda. */
void rbv_reactions_print(RbvReactions *reactions, const RbvState *state);
/* Verdicts of all of them, for this state. */
void rbv_reactions_decide(RbvReactions *reactions, const RbvState *state, RbvSolvability *solvability);
/* Column k of the functional: component `component` of joint `joint` per unit of each of its rows, c[rows of the
 * joint]. */
void rbv_reactions_functional(const RbvReactions *reactions, const RbvState *state, int32_t joint, int component,
                              double *c);
/* The same in the axes of `frame`. */
void rbv_reactions_in_frame(const RbvReactions *reactions, const RbvState *state, RbvFrame frame, int32_t joint,
                            int component, double *c);

#endif
