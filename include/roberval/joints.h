/* What holds and moves bodies, for models built in C: joints, coordinates, constraints, drives with rotors and limits,
 * requirements and actuators of rbv_track. Units, expressions and statuses as in model.h.
 *
 *     RbvJointDef pin = rbv_joint_def_default;
 *     pin.name = "pin", pin.type = "revolute";
 *     pin.between[0] = "ground", pin.between[1] = "rod";
 *     rbv_model_add_joint(model, &pin, diagnostics);
 *     rbv_model_add_drive(model, "motor", "pin.angle", "2*t", diagnostics); */
#ifndef ROBERVAL_JOINTS_H
#define ROBERVAL_JOINTS_H

#include <roberval/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Outline of a cam in the frame of its marker: a C2 spline through count points. In space, a plane outline extends
 * along z without limit, or is revolved about z; with z it is a space curve that the origin of the second marker
 * follows. */
typedef struct RbvCurveDef {
    int32_t count;       /* 0: no curve */
    const double *x, *y; /* [count] m */
    bool closed;         /* closed: the last point repeats the first, material inside. Open: material to the left of the
                            direction of travel */
    const double *z;     /* [count] m; NULL: a plane curve */
    bool revolved;       /* revolved about z: x is the distance from the axis, y the height along it */
} RbvCurveDef;

typedef struct RbvJointDef {
    const char *name;
    const char *type;       /* "revolute", "prismatic", "slot", "gear", ... (docs/joints.md) */
    const char *between[2]; /* "body.marker", or "body": the body's origin, or the point `at` */
    bool has_at, has_axis;
    double at[3], axis[3]; /* point [m] and axis in ground coordinates in the starting pose, for the bodies given
                              without a marker */
    double value;          /* [m or rad] slot, x, y, z, angle: prescribed value; default 0 */
    double length;         /* [m] link, distance; NaN: distance in the starting pose */
    double radii[2];       /* [m] gear, belt; NaN: not given */
    double teeth[2];       /* gear: instead of radii; NaN: not given */
    double radius;         /* [m] rack; wheel and ball in space */
    bool lateral;          /* wheel in space: no slip across its rolling direction; default true */
    double pitch;          /* [m] advance per turn, right-handed positive: screw; worm */
    const char *carrier;   /* gear: body that carries the centres; NULL: ground */
    double pressure_angle; /* [rad] gear, default 20 deg */
    double helix_angle;    /* [rad] gear, default 0 */
    bool internal;         /* gear: the larger wheel is an internal gear */
    bool crossed;          /* belt: crossed strands */
    double preload;        /* [N] belt: tension of each strand at rest, default 0 */
    int32_t locked_count;  /* general: number of locked directions */
    const char *locked[6]; /* locked directions "x" ... "rz" */
    RbvCurveDef curve;     /* cam: outline of the first body */
    RbvCurveDef curve2;    /* cam: outline of the second body */
    bool flat;             /* cam: the second body is a flat along its x axis; with neither curve2 nor flat, a point */
    int32_t damping_count;
    double damping[6];    /* [N s/m or N m s/rad] per free direction, in the order x y z rx ry rz */
    double compliance[6]; /* [m/N, rad/(N m)] x y z rx ry rz, along the axes in which reactions are printed; 0: rigid */
    double compliance_most[6]; /* upper bound of compliance[k] if larger: the compliance lies between both */
    double misfit[6];          /* [m, rad] lack of fit: offset of the second marker from the first when the joint is not
                                  assembled */
    double penalty;            /* penalty and augmented methods: factor on the stiffness of its rows; default 1 */
    bool unilateral;    /* point, cam, link, distance, belt; in space wheel, ball: unilateral constraint, which opens in
                           rbv_simulate where its force would become negative, and closes again */
    double restitution; /* coefficient of restitution of a unilateral joint, relative to the approach velocity; default
                           0 */
    double friction_static;      /* static friction coefficient; NaN: equal to friction_coefficient */
    double friction_coefficient; /* Coulomb's friction coefficient; NaN: no friction (0 keeps the column of results) */
    double friction_radius;      /* [m] revolute: radius of the pin; prismatic: half the length of the guide, 0: turning
                                    moments do not load it */
    double friction_normal;      /* [N] knife edges, and wheels of the plane: normal load; NaN: not given */
} RbvJointDef;
RBV_API extern const RbvJointDef rbv_joint_def_default;
RBV_API RbvStatus rbv_model_add_joint(RbvModel *model, const RbvJointDef *def, RbvDiagnostics *diagnostics);

/* Name a coordinate ("distance(boom.P, ground.Q)"), or an expression of coordinates, parameters and names added before
 * ("2*stroke + x(rod.P)"). The name can be used like any coordinate in what is added later, with its rates stroke' and
 * stroke''. The expression contains no time, rates or results. A drive on the name has as effort the generalized force
 * on the expression. */
RBV_API RbvStatus rbv_model_add_coordinate(RbvModel *model, const char *name, const char *expression,
                                           RbvDiagnostics *diagnostics);

/* Constrain `equation`, an expression of coordinates and t, to zero. */
RBV_API RbvStatus rbv_model_add_constraint(RbvModel *model, const char *name, const char *equation,
                                           RbvDiagnostics *diagnostics);

/* Constrain `velocity`, an expression of coordinates, at least one of their rates, and t, to zero: a nonholonomic row,
 * which may be nonlinear. */
RBV_API RbvStatus rbv_model_add_velocity_constraint(RbvModel *model, const char *name, const char *velocity,
                                                    RbvDiagnostics *diagnostics);

/* Let a constraint do work: it exerts `force` [N or N m] along `coordinate`. `force` is an expression of coordinates,
 * rates, t and the efforts that constraints would have without such forces ("rough.effort"). Once for each coordinate.
 * The part of the force along constrained directions is removed (docs/theory.md). For rbv_simulate. */
RBV_API RbvStatus rbv_model_add_nonideal(RbvModel *model, const char *constraint, const char *coordinate,
                                         const char *force, RbvDiagnostics *diagnostics);

/* Drive `coordinate` (or a name of rbv_model_add_coordinate) along the expression `motion` of t [m, rad, or the unit of
 * the coordinate]. The effort is an unknown. */
RBV_API RbvStatus rbv_model_add_drive(RbvModel *model, const char *name, const char *coordinate, const char *motion,
                                      RbvDiagnostics *diagnostics);

/* Limit the effort of drive `name` to between -most and most, an expression of coordinates, rates, states and t. Where
 * more would be needed, the drive slips with this effort until its rate equals that of its motion again. The lag then
 * decays at the rate catch_up [1/s], or stays (0). Only for drives of a plain coordinate; for rbv_simulate. */
RBV_API RbvStatus rbv_model_limit_drive(RbvModel *model, const char *name, const char *most, double catch_up,
                                        RbvDiagnostics *diagnostics);

/* Add a rotor of `inertia` [kg m^2] about its own axis that turns `ratio` times as fast as the coordinate of `drive`
 * [rad/rad, or rad/m for a length], like a motor behind its gear. Its kinetic energy is inertia (ratio rate)^2 / 2, and
 * the drive accelerates it too. Only for drives of a plain coordinate. A second call for a drive replaces the first. */
RBV_API RbvStatus rbv_model_add_rotor(RbvModel *model, const char *drive, double inertia, double ratio,
                                      RbvDiagnostics *diagnostics);

/* For rbv_track, after all constraints. Require a motion that control brings about: `equation` of coordinates and t is
 * zero; or `velocity`, of coordinates, rates and t, is zero. In other analyses requirements constrain nothing. */
RBV_API RbvStatus rbv_model_require(RbvModel *model, const char *name, const char *equation,
                                    RbvDiagnostics *diagnostics);
RBV_API RbvStatus rbv_model_require_velocity(RbvModel *model, const char *name, const char *velocity,
                                             RbvDiagnostics *diagnostics);
/* Add an effort along `coordinate` that control may use, between -most and most (INFINITY: no limit); control minimises
 * the sum of weight effort^2. Without actuators a control force acts on every coordinate. */
RBV_API RbvStatus rbv_model_add_actuator(RbvModel *model, const char *name, const char *coordinate, double weight,
                                         double most, RbvDiagnostics *diagnostics);
/* Set the rate r [1/s] at which errors e of requirements decay: e'' + 2 r e' + r^2 e = 0, and e' + r e = 0 for
 * requirements on velocities. NaN: errors are not corrected, and the initial state must fit. */
RBV_API RbvStatus rbv_model_set_track_rate(RbvModel *model, double rate);

#ifdef __cplusplus
}
#endif
#endif
