/* Numbers that most joints do not have: they stand apart, so that joints are small. */
#ifndef RBV_MODEL_JOINT_NUMBERS_H
#define RBV_MODEL_JOINT_NUMBERS_H

/* How a joint gives way, and what it does not fit by. */
typedef struct RbvLoose {
    double compliance[6][2]; /* [m/N, rad/(N m)] in the printed axes: least and largest; 0: rigid */
    double misfit[6];        /* [m, rad] offset of the second marker that the loose joint would have */
    double penalty;          /* by how much its rows are stiffer where rows are penalties */
} RbvLoose;
extern const RbvLoose rbv_rigid;

/* Those of its kind, contact and friction. Zero; not a number: `length`, `friction_normal`. */
typedef struct RbvJointSizes {
    double pitch;  /* [m] advance per turn: screw; worm */
    double value;  /* value held by a single lock */
    double length; /* DISTANCE; NaN: starting distance */
    double radii[2];
    double teeth[2];
    double pressure_angle, helix_angle;
    double preload;
    double restitution;                                /* of the rate of approach where it lands */
    double friction, friction_static, friction_radius; /* coefficients; [m] */
    double friction_normal;                            /* [N] of what nothing in the model presses */
} RbvJointSizes;

#endif
