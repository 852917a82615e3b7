/* Parameters that most joints do not have, stored apart so that joints stay small. */
#ifndef RBV_MODEL_MODEL_JOINT_NUMBERS_H
#define RBV_MODEL_MODEL_JOINT_NUMBERS_H

/* Compliance and misfit of a joint. */
typedef struct RbvLoose {
    double compliance[6][2]; /* [m/N, rad/(N m)] along the axes of the printed reaction: least and largest; 0: rigid */
    double misfit[6];        /* [m, rad] offset of the second marker if the joint were not loaded */
    double penalty;          /* factor on the penalty stiffness of the joint's rows in penalty methods */
} RbvLoose;
extern const RbvLoose rbv_rigid;

/* Sizes, contact and friction parameters of a joint. Default 0; NaN: `length`, `friction_normal`. */
typedef struct RbvJointSizes {
    double pitch;  /* [m] advance per turn: screw; worm */
    double value;  /* [m, rad] value at which a single locked direction is held */
    double length; /* DISTANCE; NaN: starting distance */
    double radii[2];
    double teeth[2];
    double pressure_angle, helix_angle;
    double preload;
    double restitution; /* coefficient of restitution of the approach rate when the joint closes (Newton) */
    double friction, friction_static, friction_radius; /* coefficients of sliding and static friction; radius [m] */
    double friction_normal; /* [N] normal load given by the user where the model has no reaction for it */
} RbvJointSizes;

#endif
