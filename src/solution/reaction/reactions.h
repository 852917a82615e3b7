/* Reactions of joints, efforts of drives and forces of constraints from multipliers, in any coordinates. A reaction
 * is the wrench on the second body at the second marker.
 *
 * Row r with multiplier lambda_r exerts -lambda_r times its gradient on the bodies. Which solution is taken where
 * rows are redundant is decided in choice.h. */
#ifndef RBV_SOLUTION_REACTION_REACTIONS_H
#define RBV_SOLUTION_REACTION_REACTIONS_H

#include "mechanics/marker/marker.h"
#include "solution/solvability/solvability.h"

#include <roberval/options.h>

/* part[rows] times a wrench of `width` numbers that is a combination of unit[rows] gives the multiplier of each row;
 * a unit wrench that is a combination of previous ones gets 0. Overwrites `unit`. */

void rbv_wrench_parts(int rows, int width, double unit[6][6], double part[6][6]);
/* A wrench as numbers of one unit, x[6], in the plane the first three: forces, and torques over `length`. */
void rbv_wrench_numbers(bool spatial, RbvWrench w, double length, double x[6]);

/* A load that depends on an open reaction, and the response of reactions to one unit of it. */
typedef struct RbvPush {
    int32_t joint;
    int component; /* component of friction; -1: radial force of a gear */
    RbvVerdict verdict;
    RbvWrench own;  /* gears: part in the joint's force and torque at the second marker, axes as printed */
    double *lambda; /* [rows] multipliers that balance the load, one of several solutions: correct for combinations that
                       are determined */
} RbvPush;

/* Sizes of the forces of a connected part of the system, by unit: force [N], torque [N m]; with errors. */
typedef struct RbvForceSizes {
    double most[2];           /* the largest that takes part: loads, inertia, reactions */
    double value[2], sure[2]; /* the largest value printed, and the largest value minus its error */
    double error[2];          /* the largest error */
} RbvForceSizes;

typedef struct RbvReactions {
    const RbvSystem *system;
    RbvFrame frame;
    RbvArena arena;
    double *unit;   /* [rows][3; in space 6] wrench on the second body at the second marker for lambda = 1, ground axes;
                       see rbv_reactions_unit */
    double *lambda; /* [held rows] multipliers [N, N m or of the row's unit] */
    double **value; /* [joints][components the joint can have: six, and those of lines and friction where it has any]
                       printed values */
    const double (*most)[RBV_COMPONENT_COUNT]; /* [joints] largest magnitudes of printed values at this sample, over the
                                                  intervals of compliances; the choice's. NULL: no intervals */
    int32_t component_count; /* of all joints together, stored consecutively from value[0], verdict[0], error[0] on */
    RbvVerdict **verdict;    /* [joints][components] verdicts */
    uint32_t *possible;      /* [joints] structure, one bit for each component: may the component be nonzero? */
    uint32_t *printed;       /* [joints] one bit for each component: does the component have a column? */
    bool *mixed;             /* [joints] printed in axes that turn against the constrained directions */
    RbvPush *pushes;         /* [push_count] loads that depend on open reactions: see dependent_loads.h */
    int32_t push_count, push_capacity;
    double **error;                          /* like value: estimated absolute errors of the components (error.h) */
    double *effort_error, *multiplier_error; /* [drives], [constraints] estimated absolute errors */
    RbvForceSizes *size;                     /* [parts + 1] the last: of what acts on ground alone */
    double floor; /* bound of all errors as a part of those sizes; 1 where neighbouring states were computed */
    bool by_size; /* errors of this sample are such a part of the sizes and nothing else */
    double (*recorded_error)[2]; /* [parts + 1] largest errors recorded that have been that part alone: force [N],
                           torque [N m]; -1: none */
    bool each_sample;            /* errors of every sample are asked for, not the largest ones alone */
    bool within_recorded; /* errors of this sample are at most `recorded_error`; `error` and its like are of an earlier
                             sample */
    bool regular;         /* errors come from the tolerance of the motion, far from singular positions */
    double *past; /* [parts + 1][force, torque], then [constraints] where multipliers have units of their own: largest
                     value minus error over such samples so far */
    double method_error; /* [N] largest error of the method, torques over the arm of their part; NaN: unknown */
    double method_share; /* error of the method relative to the largest force of the part, with a margin; 0: the method
                            is exact */
    bool doubted;        /* some verdict is UNSURE because of its error */
    double *stop;        /* [stops] [N or N m] positive where the stop pushes the coordinate up */
    RbvVerdict *stop_verdict;
    double *stop_error; /* [stops] estimated absolute errors */
    double *stop_scale; /* [stops] of stops on expressions: the push that is 1 N on one of the coordinates; else 0 */
    double *effort;     /* [drives] [N or N m] */
    RbvVerdict *effort_verdict;
    double *multiplier; /* [constraints] generalized force, positive where it pushes the equation's value up */
    RbvVerdict *multiplier_verdict;
    double *carried;     /* [constraints] effort -lambda of the row; where the constraint does work, `multiplier` is the
                            ideal effort, and this the effort of the row besides the non-ideal force */
    double *ideal;       /* [constraints] efforts as if no constraint did work: input of non-ideal forces */
    double *actuator;    /* [actuators] efforts of control */
    double *track_error; /* [constraints] left-hand sides of the equations that are required */
    double *nonideal_power; /* [constraints] [W] power of constraints that do work */
    RbvWrench *line; /* [joints], where has_line: gear, belt: the force along the line of centres from tooth force or
                        preload, on the second body at its marker; ground axes */
    bool has_line;
    bool impulsive;  /* printed values are impulses: the preload of a belt has none */
    bool opened;     /* a component whose verdict is FREE is no longer free */
    double *scratch; /* [2][scratch_size] coefficients of the rows of one element, twice */
    int32_t scratch_size;
} RbvReactions;

/* Number 0 (x), 1 (y) or 2 (z) of a vector. */
static inline double rbv_along_axis(RbvVec3 v, int axis) {
    const double all[3] = {v.x, v.y, v.z};
    return all[axis];
}
/* Is `component` among the components whose bits are set? */
static inline bool rbv_component_in(uint32_t components, int component) {
    return components >> component & 1;
}
/* Number of components that joint k can have: the lengths of value[k], verdict[k] and error[k]. */
static inline int32_t rbv_reactions_components(const RbvReactions *reactions, int32_t k) {
    return (int32_t)(reactions->value[k + 1] - reactions->value[k]);
}
/* Sums of impulses [N s, N m s] so far, with the signs of reactions and efforts. */
typedef struct RbvImpulses {
    double (*joint)[RBV_COMPONENT_COUNT]; /* [joints] */
    double *drive, *constraint, *stop;
} RbvImpulses;

/* Reactions of a system, printed in the axes of `frame`. NULL: no memory. */
RbvReactions *rbv_reactions_create(const RbvSystem *system, RbvFrame frame);
void rbv_reactions_destroy(RbvReactions *reactions);

/* Unit wrenches of all rows, at a state whose positions and row coefficients are evaluated. */
void rbv_reactions_place(RbvReactions *reactions, const RbvState *state);
/* Unit wrenches of the rows of one joint. */
void rbv_reactions_place_joint(RbvReactions *reactions, const RbvState *state, int32_t joint);
/* Does the gear or belt exert a force along its line of centres? */
bool rbv_joint_pushes_along_line(const RbvJoint *joint);
/* Forces along lines of centres from tooth forces and preloads (|Ft| tan(alpha)/cos(beta), -2 T cos): added to
 * wrenches[bodies] about centroids, kept in reactions->line. False: there are none. */
bool rbv_reactions_lines(RbvReactions *reactions, const RbvState *state, RbvWrench *wrenches);
/* Direction in which a spatial mesh pushes its wheels apart, unit vector, ground axes; *at: its point of
 * application. */
RbvVec3 rbv_mesh_push(const RbvMesh *mesh, const RbvMarkerState *markers, RbvVec3 *at);
/* Minus the gradient of row k on the body of marker `second`, as a wrench at that marker, ground axes; `always`:
 * also where the row is not active. */
RbvWrench rbv_row_wrench(const RbvState *state, int32_t k, int32_t second, bool always);
/* Unit wrench of a row, from the last rbv_reactions_place. */
RbvWrench rbv_reactions_unit(const RbvReactions *reactions, int32_t row);
/* Wrench of joint `joint` on its second body at the second marker, ground axes, for multipliers lambda[rows];
 * `lines`: with the forces along lines of centres. */
RbvWrench rbv_reactions_wrench(const RbvReactions *reactions, int32_t joint, const double *lambda, bool lines);
/* Values of components, efforts, constraint forces and stops from reactions->lambda. */
void rbv_reactions_print(RbvReactions *reactions, const RbvState *state);
/* Verdicts of all components, efforts, constraint forces and stops at this state. */
void rbv_reactions_decide(RbvReactions *reactions, const RbvState *state, RbvSolvability *solvability);
/* Coefficients c[rows of the joint] of component `component` of joint `joint` as a combination of the joint's
 * multipliers, in the axes printed. */
void rbv_reactions_functional(const RbvReactions *reactions, const RbvState *state, int32_t joint, int component,
                              double *c);
/* rbv_reactions_functional in the axes of `frame`. */
void rbv_reactions_in_frame(const RbvReactions *reactions, const RbvState *state, RbvFrame frame, int32_t joint,
                            int component, double *c);

#endif
