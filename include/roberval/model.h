/* The model: bodies, joints, drives, loads and other items, checked when added. Read one from a file, or build one in C
 * with plain Def structs.
 *
 * Units are SI (m, kg, s, rad, N, N m). Every string called an expression follows the language of the model file
 * (docs/model-file.md), including dimensions: a written unit that contradicts another unit, or the purpose of the
 * expression, is BAD_INPUT. In the plane z components are 0 and only rotations about z exist. A quaternion is (w, x, y,
 * z). Names are copied. Items are added in the order in which they refer to each other: parameters and tables, bodies
 * and their markers, joints, constraints, drives, loads, initial conditions, outputs. A model is built by one thread.
 * Each add function returns RBV_OK, RBV_BAD_INPUT (the mistakes are in `diagnostics`, which may be NULL),
 * RBV_BAD_ARGUMENT or RBV_NO_MEMORY. After RBV_BAD_INPUT more items can be added, to find further mistakes, but the
 * model can no longer be compiled. */
#ifndef ROBERVAL_MODEL_H
#define ROBERVAL_MODEL_H

#include <roberval/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbvModel RbvModel;

typedef enum RbvSpace { RBV_PLANAR, RBV_SPATIAL } RbvSpace;

/* A model file (docs/model-file.md), or its text, with the settings of the call. */
typedef struct RbvInput {
    const char *path; /* path of the file; with `text`, its name in messages. Tables and meshes are looked for in the
                         folder of this path */
    const char *text; /* [length] text of the model; NULL: the file is read */
    size_t length;
    int32_t override_count;
    const char *const *overrides; /* [override_count] "name=value" each, as in --set */
    int32_t folder_count;
    const char *const *folders; /* [folder_count] folders besides the model's folder that may hold tables and meshes, as
                                   in --path; links do not lead out of them */
    bool scene;                 /* keep the text of the file and the shapes of bodies, for scenes (scene.h) */
    bool fixed; /* parameters will get no other values (rbv_system_set_parameters): data for this are not kept, which
                   saves memory */
} RbvInput;
RBV_API extern const RbvInput rbv_input_default;
/* Read a model. On RBV_OK *model is new, to be destroyed by the caller; otherwise NULL. Notes and all mistakes of the
 * file go to `diagnostics`. */
RBV_API RbvStatus rbv_model_read(const RbvInput *input, RbvDiagnostics *diagnostics, RbvModel **model);

/* Models along one parameter, for analyses that follow it. Fill in one, or load the family of a file (rbv_family_read).
 */
typedef struct RbvFamily {
    const char *parameter;  /* name of the parameter, for results */
    const char *unit;       /* SI, as printed: "N"; "" for a pure number */
    double from, to;        /* [unit] ends of the range; from != to */
    const char *shown_unit; /* unit in tables: "deg"; NULL: SI */
    double shown_factor;    /* SI value of the shown unit */
    /* Creates a new *model with the parameter at `value`, to be destroyed by the caller. Bodies, joints, loads and
     * their names must be the same at every value. Statuses and `diagnostics` (may be NULL) as rbv_model_read. Called
     * from one thread. */
    RbvStatus (*at)(void *context, double value, RbvDiagnostics *diagnostics, RbvModel **model);
    void *context;
    /* `at` always gives the same model, with its parameter of that name at `value` (rounded as the shown unit). Then
     * systems get other values by rbv_system_set_parameters, which is cheaper than a new model, and `at` is called only
     * where they refuse a value. True for families of files. */
    bool one_model;
} RbvFamily;
/* Family of a model file: `along` is "name=a..b" with units as in --set ("F=0..50 N"); the other overrides hold for all
 * models. The file is parsed once; tables and meshes that it names are read for every model. On RBV_OK *family is new,
 * to be freed with rbv_family_destroy; otherwise NULL and the mistakes are in `diagnostics`. */
RBV_API RbvStatus rbv_family_read(const RbvInput *input, const char *along, RbvDiagnostics *diagnostics,
                                  RbvFamily **family);
RBV_API void rbv_family_destroy(RbvFamily *family);

/* Text of a spatial model of the same machine as a planar model: a new string in *yaml, to be freed by the caller with
 * free(), or NULL. Of `input` the file or its text counts. Items without a counterpart in space are refused by name,
 * additions are noted (docs/command-line.md). Comments are not copied. */
RBV_API RbvStatus rbv_model_to_spatial(const RbvInput *input, RbvDiagnostics *diagnostics, char **yaml);

/* The JSON Schema (2020-12) of the model file as a new string, to be freed by the caller with free(); NULL: no memory.
 */
RBV_API char *rbv_model_schema(void);

/* An empty model with ground. NULL: out of memory, or a space that this version does not have. */
RBV_API RbvModel *rbv_model_create(RbvSpace space, const char *title);
RBV_API void rbv_model_destroy(RbvModel *model);
RBV_API const char *rbv_model_title(const RbvModel *model);

/* Fingerprint of the texts the model was read from: model file, --set, tables and meshes. Models with different
 * fingerprints are different. */
RBV_API uint64_t rbv_model_fingerprint(const RbvModel *model);

/* gravity[3] [m/s^2] along ground axes. Not set: zero. */
RBV_API RbvStatus rbv_model_set_gravity(RbvModel *model, const double *gravity);
/* Set the times [s] of the samples: from + i*step, and `to`; to >= from, step > 0. */
RBV_API RbvStatus rbv_model_set_motion(RbvModel *model, double from, double to, double step);

/* Add a named constant of `value` in `unit` ("rpm", "N/mm", ...), for every expression added later. Expressions know
 * its dimension and refuse contradictions. NULL or "": a plain number [SI], without dimension check. */
RBV_API RbvStatus rbv_model_add_parameter(RbvModel *model, const char *name, double value, const char *unit,
                                          RbvDiagnostics *diagnostics);

/* New value of a parameter of a compiled system (rbv_system_set_parameters). */
typedef struct RbvParameterValue {
    int32_t parameter; /* number of the parameter: rbv_system_find */
    double value; /* SI value of its dimension (rad, m, N/m, ...); a plain number as it is; NaN: back to the value of
                     the model itself */
} RbvParameterValue;

/* A function of one variable: the twice continuously differentiable spline through (x[k], y[k]). */
typedef struct RbvTableDef {
    const char *name;
    int32_t count;
    const double *x, *y;         /* [count], x strictly increasing */
    bool periodic;               /* y[0] = y[count-1], the period is x[count-1] - x[0] */
    bool hold;                   /* outside the data: true: the end value, false: an error */
    double smooth;               /* cut-off of a zero-phase low-pass filter [cycles per unit of x]; 0: none */
    const char *x_unit, *y_unit; /* units of x and y ("deg", "mm"), checked in expressions; NULL: plain numbers [SI] */
} RbvTableDef;
RBV_API extern const RbvTableDef rbv_table_def_default;
RBV_API RbvStatus rbv_model_add_table(RbvModel *model, const RbvTableDef *def, RbvDiagnostics *diagnostics);

/* A function of the caller's program, which expressions call by name like sin: evaluate(context, x, gradient, hessian)
 * returns the value at x[argument_count]. It is called when the expression is evaluated, perhaps several times for one
 * state, and from all threads that run analyses: during this time the same arguments must give the same value. NaN: no
 * value at x; the analysis ends with a message. The function fills in gradient[argument_count] and
 * hessian[argument_count*argument_count] unless they are NULL; they are NULL beyond the order `derivatives`. */
typedef struct RbvFunctionDef {
    const char *name;
    int32_t argument_count; /* 1 ... 8 */
    int32_t
        derivatives; /* 0: value only, enough for loads in inverse dynamics; 1: gradient, for loads in statics, speeds
                        of frames and energies; 2: also the Hessian, for drives, constraints, and energies in statics */
    double (*evaluate)(void *context, const double *x, double *gradient, double *hessian);
    void *context;
} RbvFunctionDef;
/* Add the function. Its name is copied; the context stays the caller's and must outlive the model. Expressions added
 * later may call it; a model that was read may be extended this way. */
RBV_API RbvStatus rbv_model_add_function(RbvModel *model, const RbvFunctionDef *def, RbvDiagnostics *diagnostics);

typedef struct RbvBodyDef {
    const char *name;
    bool particle;      /* a point mass: no rotation */
    double mass;        /* [kg] >= 0 */
    double centroid[3]; /* [m] in the body frame */
    double
        inertia[6]; /* [kg m^2] about the centroid, body axes: Ixx Iyy Izz Ixy Ixz Iyz; in the plane only Izz is used */
    bool any_tensor;    /* space: accept a tensor that no real body has, with a note; the mass must be positive */
    double at[3];       /* [m] expected origin of the body frame in ground axes: the start of assembly */
    double angle;       /* [rad] expected rotation about z (plane) */
    double rotation[4]; /* expected orientation, unit quaternion of the body axes (space) */
    bool posed; /* at, angle, rotation are intended even if all are zero: results report how far assembly moved the body
                   from them */
} RbvBodyDef;
RBV_API extern const RbvBodyDef rbv_body_def_default;
RBV_API RbvStatus rbv_model_add_body(RbvModel *model, const RbvBodyDef *def, RbvDiagnostics *diagnostics);

/* Add a marker, a point with axes on a body ("ground" is a body): at[3] [m] and angle [rad] of its x axis about z, in
 * the body frame. */
RBV_API RbvStatus rbv_model_add_marker(RbvModel *model, const char *body, const char *name, const double *at,
                                       double angle, RbvDiagnostics *diagnostics);
/* Add a marker in space: at[3] [m] and rotation[4], unit quaternion of its axes, in the body frame. */
RBV_API RbvStatus rbv_model_add_frame(RbvModel *model, const char *body, const char *name, const double *at,
                                      const double *rotation, RbvDiagnostics *diagnostics);

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
    bool unilateral;           /* cam, link, distance, belt; in space wheel, ball: unilateral constraint, which opens in
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

typedef struct RbvLoadDef {
    const char *name;
    const char
        *type;       /* "force", "torque", "spring", "torsion-spring", "bushing", "rotating-frame", "field", "energy" */
    const char *to;  /* force: "body.marker"; torque: "body" */
    bool body_frame; /* force, torque: components along the body's axes; false: along ground's axes */
    const char
        *value[3]; /* expressions: force [N], torque [N m] (plane: value[0]), energy [J] (value[0]), field [m/s^2] */
    const char *between[2]; /* spring, bushing */
    const char *joint;      /* torsion-spring */
    double stiffness[6];    /* spring, torsion-spring: [0]; bushing: x, y, rz, in space x y z rx ry rz, along the first
                               marker's axes */
    double damping[6];      /* spring, torsion-spring: [0]; bushing: as stiffness */
    double free;            /* free length [m] (NaN: not given) or angle [rad] (NaN: 0) */
    const char *law;        /* spring: force [N] of l, l', t; torsion-spring: torque [N m]; added to the linear part */
    const char *speed;      /* rotating-frame: expression of t [rad/s] */
    double axis[3];         /* rotating-frame: of any length, default z */
    double center[3];       /* rotating-frame [m] */
} RbvLoadDef;
RBV_API extern const RbvLoadDef rbv_load_def_default;
RBV_API RbvStatus rbv_model_add_load(RbvModel *model, const RbvLoadDef *def, RbvDiagnostics *diagnostics);

/* Add an initial condition: `coordinate` ("hinge.angle", or its rate "hinge.angle'") has `value` [m, rad, m/s, rad/s,
 * or the unit of the coordinate]. */
RBV_API RbvStatus rbv_model_add_initial(RbvModel *model, const char *coordinate, double value,
                                        RbvDiagnostics *diagnostics);
/* Let rbv_check decide whether a linear combination of reactions, efforts and constraint forces is determined: "A.Fz +
 * D.Fz". Before compiling. */
RBV_API RbvStatus rbv_model_add_question(RbvModel *model, const char *combination, RbvDiagnostics *diagnostics);
/* Add a column to the results: an expression of coordinates, rates, efforts, reactions and t. */
RBV_API RbvStatus rbv_model_add_output(RbvModel *model, const char *name, const char *expression,
                                       RbvDiagnostics *diagnostics);

#ifdef __cplusplus
}
#endif
#endif
