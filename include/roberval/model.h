/* The model: what the user said, checked. Read one from a file, or build one in C with plain Def structs.
 *
 * Units are SI (m, kg, s, rad, N, N m) and every string that is called an expression follows the language of the model
 * file (docs/model-file.md), its dimensions too: a unit that is written and contradicts another, or what the expression
 * is for, is BAD_INPUT. In the plane z components are 0 and only rotations about z exist. A quaternion is (w, x, y, z).
 * Names are copied. Things are added in the order in which they refer to each other: parameters and tables, bodies and
 * their markers, joints, constraints, drives, loads, initial conditions, outputs. A model is built by one thread. Each
 * add function returns RBV_OK, RBV_BAD_INPUT (the mistakes are in `diagnostics`, which may be NULL), RBV_BAD_ARGUMENT
 * or RBV_NO_MEMORY; after RBV_BAD_INPUT the model can
 * still be added to, to find further mistakes, but no longer compiled.
 */
#ifndef ROBERVAL_MODEL_H
#define ROBERVAL_MODEL_H

#include <roberval/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbvModel RbvModel;

typedef enum RbvSpace { RBV_PLANAR, RBV_SPATIAL } RbvSpace;

/* A model file (docs/model-file.md), or its text, and what the call says of it. */
typedef struct RbvInput {
    const char *path; /* the file; of a text what stands for it in messages: its folder is where tables and meshes are
                         looked for */
    const char *text; /* [length] instead of the file's; NULL: the file is read */
    size_t length;
    int32_t override_count;
    const char *const *overrides; /* "name=value" each, as of --set */
    int32_t folder_count;
    const char *const *folders; /* where tables and meshes may lie besides the model's folder, as of --path; links do
                                   not lead out of them */
    bool scene;                 /* the text of the file and the shapes of bodies are kept, for scenes (scene.h) */
    bool fixed; /* no parameter will be given another value (rbv_system_set_parameters): what that takes is not kept,
                   which saves memory */
} RbvInput;
RBV_API RbvInput rbv_input_default(void);
/* Read it. On RBV_OK *model is the new model, to be destroyed by the caller; otherwise NULL. Notes and all mistakes of
 * the file go to `diagnostics`. */
RBV_API RbvStatus rbv_model_load(const RbvInput *input, RbvDiagnostics *diagnostics, RbvModel **model);
/* The same of a file, or of a text, with overrides alone. */
RBV_API RbvStatus rbv_model_read(const char *path, int32_t override_count, const char *const *overrides,
                                 RbvDiagnostics *diagnostics, RbvModel **model);
RBV_API RbvStatus rbv_model_read_text(const char *name, const char *text, size_t length, int32_t override_count,
                                      const char *const *overrides, RbvDiagnostics *diagnostics, RbvModel **model);

/* Models along one parameter, for analyses that follow it. Fill one in, or take a file's. */
typedef struct RbvFamily {
    const char *parameter;  /* its name, for results */
    const char *unit;       /* SI, as printed: "N"; "" for a pure number */
    double from, to;        /* [unit] the range asked for; from != to */
    const char *shown_unit; /* in which tables show it: "deg"; NULL: in SI */
    double shown_factor;    /* SI value of that unit */
    /* A new *model with the parameter at `value`, to be destroyed by the caller. Bodies, joints, loads and their
     * names must be the same at every value. Statuses and `diagnostics` (may be NULL) as of rbv_model_load. Called
     * from one thread. */
    RbvStatus (*at)(void *context, double value, RbvDiagnostics *diagnostics, RbvModel **model);
    void *context;
    /* `at` gives one model with its parameter of that name at `value` (rounded as the shown unit is): then its
     * systems are given other values (rbv_system_set_parameters), which takes less than a new model does, and `at` is
     * asked where they refuse them. Families of files are such. */
    bool one_model;
} RbvFamily;
/* The family of a model file: `along` is "name=a..b" with units as of --set ("F=0..50 N"), the other overrides hold
 * everywhere. The file is parsed once; tables and meshes that it names are read for every model. On RBV_OK
 * *family is new, to be given back to rbv_family_destroy; otherwise NULL and the mistakes are in `diagnostics`. */
RBV_API RbvStatus rbv_family_load(const RbvInput *input, const char *along, RbvDiagnostics *diagnostics,
                                  RbvFamily **family);
/* The same of a file, or of a text, with overrides alone. */
RBV_API RbvStatus rbv_family_read(const char *path, int32_t override_count, const char *const *overrides,
                                  const char *along, RbvDiagnostics *diagnostics, RbvFamily **family);
RBV_API RbvStatus rbv_family_read_text(const char *name, const char *text, size_t length, int32_t override_count,
                                       const char *const *overrides, const char *along, RbvDiagnostics *diagnostics,
                                       RbvFamily **family);
RBV_API void rbv_family_destroy(RbvFamily *family);

/* The text of a planar model file as that of a spatial model of the same machine: a new string in *yaml, to be freed
 * by the caller with free(), or NULL. What has no counterpart is refused by name, what is added is noted
 * (docs/command-line.md). Comments are not carried over. */
RBV_API RbvStatus rbv_model_to_spatial(const char *path, RbvDiagnostics *diagnostics, char **yaml);
/* The same from memory; `name` stands for the file. */
RBV_API RbvStatus rbv_model_to_spatial_text(const char *name, const char *text, size_t length,
                                            RbvDiagnostics *diagnostics, char **yaml);

/* The JSON Schema (2020-12) of the model file as a new string, to be freed by the caller with free(); NULL: no memory.
 */
RBV_API char *rbv_model_schema(void);

/* An empty model with ground in it. NULL: no memory, or a space that is not in this version. */
RBV_API RbvModel *rbv_model_create(RbvSpace space, const char *title);
RBV_API void rbv_model_destroy(RbvModel *model);
RBV_API const char *rbv_model_title(const RbvModel *model);

/* A number of the texts it was read from: of the model file, --set, tables and meshes. Models whose numbers differ are
 * different. */
RBV_API uint64_t rbv_model_fingerprint(const RbvModel *model);

/* Gravity [m/s^2], ground axes: gravity[3]. Absent: none. */
RBV_API RbvStatus rbv_model_set_gravity(RbvModel *model, const double *gravity);
/* The samples from + i*step and `to` [s]; to >= from, step > 0. */
RBV_API RbvStatus rbv_model_set_motion(RbvModel *model, double from, double to, double step);

/* A named constant, usable in every expression added later: a plain number [SI], which fits anything. */
RBV_API RbvStatus rbv_model_add_parameter(RbvModel *model, const char *name, double value, RbvDiagnostics *diagnostics);
/* A named constant of `value` `unit` ("rpm", "N/mm", ...): expressions know what it measures, and refuse what
 * contradicts it. */
RBV_API RbvStatus rbv_model_add_quantity(RbvModel *model, const char *name, double value, const char *unit,
                                         RbvDiagnostics *diagnostics);

/* A value for a parameter of a compiled system (rbv_system_set_parameters). */
typedef struct RbvParameterValue {
    int32_t parameter; /* its number: rbv_system_find_parameter */
    double value;      /* SI of its dimension: rad, m, N/m, ...; as it is for a plain number; NaN: what the model itself
                          makes of it again */
} RbvParameterValue;

/* A function of one variable: the twice continuously differentiable spline through (x[k], y[k]). */
typedef struct RbvTableDef {
    const char *name;
    int32_t count;
    const double *x, *y; /* [count], x strictly increasing */
    bool periodic;       /* y[0] = y[count-1], the period is x[count-1] - x[0] */
    bool hold;           /* outside the data: true the end value, false an error */
    double smooth;       /* cut-off of a zero-phase low-pass [cycles per unit of x]; 0: none */
    const char *x_unit,
        *y_unit; /* units of x and y ("deg", "mm"), which expressions know then; NULL: plain numbers [SI] */
} RbvTableDef;
RBV_API RbvTableDef rbv_table_def_default(void);
RBV_API RbvStatus rbv_model_add_table(RbvModel *model, const RbvTableDef *def, RbvDiagnostics *diagnostics);

/* A function of the program that expressions call by name, as they call sin: evaluate(context, x, gradient, hessian)
 * gives its value at x[argument_count]. It is called where the expression is evaluated, perhaps several times for one
 * state and, when several threads analyse, from all of them: meanwhile the same arguments must give the same value.
 * NaN: it has none there, which ends the analysis in words. gradient[argument_count] and
 * hessian[argument_count*argument_count] are to be filled in where they are not NULL, which they are beyond
 * `derivatives`. */
typedef struct RbvFunctionDef {
    const char *name;
    int32_t argument_count; /* 1 ... 8 */
    int32_t derivatives;    /* 0: the value alone, enough for loads in inverse dynamics; 1: the gradient, for loads in
                               statics, speeds of frames and energies; 2: the Hessian as well, for drives, constraints,
                               and energies in statics */
    double (*evaluate)(void *context, const double *x, double *gradient, double *hessian);
    void *context;
} RbvFunctionDef;
/* The name is copied, the context stays the caller's and must outlive the model. Expressions added later may call it;
 * so a model that was read may be added to. */
RBV_API RbvStatus rbv_model_add_function(RbvModel *model, const RbvFunctionDef *def, RbvDiagnostics *diagnostics);

typedef struct RbvBodyDef {
    const char *name;
    bool particle;      /* a point mass: no rotation */
    double mass;        /* [kg] >= 0 */
    double centroid[3]; /* [m] in the body frame */
    double
        inertia[6]; /* [kg m^2] about the centroid, body axes: Ixx Iyy Izz Ixy Ixz Iyz; in the plane Izz alone counts */
    bool any_tensor;    /* space: accept a tensor that no real body has, with a note; the mass must be positive */
    double at[3];       /* [m] where the body frame's origin is expected: the start of assembly */
    double angle;       /* [rad] its turn about z there (plane) */
    double rotation[4]; /* unit quaternion of its axes there (space) */
    bool posed; /* at, angle, rotation are meant, also where all are zero: results say how far assembly took the body
                   from there */
} RbvBodyDef;
RBV_API RbvBodyDef rbv_body_def_default(void);
RBV_API RbvStatus rbv_model_add_body(RbvModel *model, const RbvBodyDef *def, RbvDiagnostics *diagnostics);

/* A point with axes on a body ("ground" is one): at[3] [m] and angle [rad] of its x about z, in the body frame. */
RBV_API RbvStatus rbv_model_add_marker(RbvModel *model, const char *body, const char *name, const double *at,
                                       double angle, RbvDiagnostics *diagnostics);
/* The same in space: rotation[4], a unit quaternion of its axes in the body's. */
RBV_API RbvStatus rbv_model_add_frame(RbvModel *model, const char *body, const char *name, const double *at,
                                      const double *rotation, RbvDiagnostics *diagnostics);

/* A cam's outline in its marker's frame: a C2 spline through count points. In space: an outline of the xy plane
 * reaches along z as far as is wanted, or is turned about z; with z it is a curve that the second's origin follows. */
typedef struct RbvCurveDef {
    int32_t count;       /* 0: no curve */
    const double *x, *y; /* [count] m */
    bool closed;     /* the last point repeats the first; material inside. Open: material to the left of the travel */
    const double *z; /* [count] m; NULL: a plane curve */
    bool revolved;   /* turned about z: x is the distance from the axis, y the height along it */
} RbvCurveDef;

typedef struct RbvJointDef {
    const char *name;
    const char *type;       /* "revolute", "prismatic", "slot", "gear", ... (docs/joints.md) */
    const char *between[2]; /* "body.marker", or "body": its origin, or the place `at` */
    bool has_at, has_axis;
    double at[3], axis[3]; /* in ground coordinates in the starting pose, for the bodies given without a marker */
    double value;          /* [m or rad] slot, x, y, z, angle: the value held; default 0 */
    double length;         /* [m] link, distance; NaN: the starting distance */
    double radii[2];       /* [m] gear, belt; NaN: not given */
    double teeth[2];       /* gear: instead of radii; NaN: not given */
    double radius;         /* [m] rack; wheel and ball in space */
    double pitch;          /* [m] advance per turn, right-handed positive: screw; worm */
    const char *carrier;   /* gear: the body that holds the centres; NULL: ground */
    double pressure_angle; /* [rad] gear, default 20 deg */
    double helix_angle;    /* [rad] gear, default 0 */
    bool internal;         /* gear: the larger wheel is a ring */
    bool crossed;          /* belt */
    double preload;        /* [N] belt: tension of each strand at rest, default 0 */
    int32_t locked_count;  /* general */
    const char *locked[6]; /* "x" ... "rz" */
    RbvCurveDef curve;     /* cam: outline of the first */
    RbvCurveDef curve2;    /* cam: outline of the second, or */
    bool flat;             /* cam: the second is a flat along its x; neither: a point */
    int32_t damping_count;
    double damping[6];    /* [N s/m or N m s/rad] per free direction in the order x y z rx ry rz */
    double compliance[6]; /* [m/N, rad/(N m)] x y z rx ry rz of the axes in which reactions are printed; 0: rigid */
    double compliance_most[6]; /* when above compliance[k]: it lies somewhere between the two */
    double misfit[6];          /* [m, rad] how far the second marker of the loose joint stands off: lack of fit */
    double penalty;     /* methods by penalty, augmented: its rows are so many times as stiff as others; default 1 */
    bool unilateral;    /* cam, link, distance, belt; in space wheel, ball: in rbv_simulate it lets go where its force
                           would turn negative, and lands again */
    double restitution; /* then: of the rate of approach, default 0 */
    double friction_static;      /* limit of sticking; NaN: the coefficient */
    double friction_coefficient; /* Coulomb's, NaN: none (0 keeps the column of results) */
    double friction_radius; /* [m] revolute: of the pin; prismatic: half the length of the guide, 0: turning moments
                               ignored */
    double friction_normal; /* [N] knife edges, and wheels of the plane: the load on them; NaN: not given */
} RbvJointDef;
RBV_API RbvJointDef rbv_joint_def_default(void);
RBV_API RbvStatus rbv_model_add_joint(RbvModel *model, const RbvJointDef *def, RbvDiagnostics *diagnostics);

/* A name for a coordinate ("distance(boom.P, ground.Q)"), or for an expression of coordinates, parameters and names
 * added before ("2*stroke + x(rod.P)"): it serves wherever a coordinate does, with its rates stroke' and stroke'', in
 * what is added later. Not time, no rates, no results. What is driven on it has an effort: the generalized force on
 * the expression. */
RBV_API RbvStatus rbv_model_add_coordinate(RbvModel *model, const char *name, const char *expression,
                                           RbvDiagnostics *diagnostics);

/* `equation` of coordinates and t is held at zero. */
RBV_API RbvStatus rbv_model_add_constraint(RbvModel *model, const char *name, const char *equation,
                                           RbvDiagnostics *diagnostics);

/* `velocity`, an expression of coordinates, at least one of their rates, and t, is held at zero: a nonholonomic row,
 * nonlinear if need be. */
RBV_API RbvStatus rbv_model_add_velocity_constraint(RbvModel *model, const char *name, const char *velocity,
                                                    RbvDiagnostics *diagnostics);

/* The constraint does work: along `coordinate` it exerts `force` [N or N m], an expression of coordinates, rates, t
 * and the efforts that constraints would have without such forces ("rough.effort"). Once for each coordinate. What of
 * it lies along the directions that constraints hold is taken off; see docs/theory.md. For rbv_simulate. */
RBV_API RbvStatus rbv_model_add_nonideal(RbvModel *model, const char *constraint, const char *coordinate,
                                         const char *force, RbvDiagnostics *diagnostics);

/* `coordinate`, also one of the caller's names, follows the expression `motion` of t [m, rad, or what it measures]; the
 * effort this needs is an unknown. */
RBV_API RbvStatus rbv_model_add_drive(RbvModel *model, const char *name, const char *coordinate, const char *motion,
                                      RbvDiagnostics *diagnostics);

/* The effort of that drive stays between -most and most, an expression of coordinates, rates, states and t: where it
 * would need more it slips, with that effort, until its rate is that of its motion again. A lag then dies out at the
 * rate catch_up [1/s], or stays (0). Of a coordinate as it is; for rbv_simulate. */
RBV_API RbvStatus rbv_model_limit_drive(RbvModel *model, const char *name, const char *most, double catch_up,
                                        RbvDiagnostics *diagnostics);

/* A wheel of `inertia` [kg m^2] about its own axis turns with that drive's coordinate, `ratio` times as fast
 * [rad/rad, or rad/m of a length], as the rotor of a motor behind its gear does: it has the energy inertia (ratio
 * rate)^2 / 2, and the drive moves it as well. Of a coordinate as it is. Said twice of a drive, the last counts. */
RBV_API RbvStatus rbv_model_add_rotor(RbvModel *model, const char *drive, double inertia, double ratio,
                                      RbvDiagnostics *diagnostics);

/* For rbv_track, after all constraints. A motion that control is to bring about: `equation` of coordinates and t is
 * to be zero; or `velocity`, of coordinates, rates and t. In other analyses they hold nothing. */
RBV_API RbvStatus rbv_model_require(RbvModel *model, const char *name, const char *equation,
                                    RbvDiagnostics *diagnostics);
RBV_API RbvStatus rbv_model_require_velocity(RbvModel *model, const char *name, const char *velocity,
                                             RbvDiagnostics *diagnostics);
/* An effort along `coordinate` that control may use: least sum of weight effort^2, between -most and most (INFINITY: no
 * limit). Without any, a control force acts on every coordinate. */
RBV_API RbvStatus rbv_model_add_actuator(RbvModel *model, const char *name, const char *coordinate, double weight,
                                         double most, RbvDiagnostics *diagnostics);
/* [1/s] Errors e die out by e'' + 2 r e' + r^2 e = 0, those on rates by e' + r e = 0. NaN: they are not corrected, and
 * the start must fit. */
RBV_API RbvStatus rbv_model_set_track_rate(RbvModel *model, double rate);

typedef struct RbvLoadDef {
    const char *name;
    const char
        *type;       /* "force", "torque", "spring", "torsion-spring", "bushing", "rotating-frame", "field", "energy" */
    const char *to;  /* force: "body.marker"; torque: "body" */
    bool body_frame; /* force, torque: along the body's axes, else ground's */
    const char
        *value[3]; /* expressions: force [N], torque [N m] (plane: value[0]), energy [J] (value[0]), field [m/s^2] */
    const char *between[2]; /* spring, bushing */
    const char *joint;      /* torsion-spring */
    double stiffness[6];    /* spring, torsion-spring: [0]; bushing: x, y, rz, in space x y z rx ry rz, of the first
                               marker's axes */
    double damping[6];      /* likewise */
    double free;            /* free length [m] (NaN: not given) or angle [rad] (NaN: 0) */
    const char *law;        /* spring: force [N] of l, l', t; torsion-spring: torque [N m]; added to the linear part */
    const char *speed;      /* rotating-frame: expression of t [rad/s] */
    double axis[3];         /* rotating-frame: of any length, default z */
    double center[3];       /* rotating-frame [m] */
} RbvLoadDef;
RBV_API RbvLoadDef rbv_load_def_default(void);
RBV_API RbvStatus rbv_model_add_load(RbvModel *model, const RbvLoadDef *def, RbvDiagnostics *diagnostics);

/* One condition at the start: `coordinate` ("hinge.angle", or its rate "hinge.angle'") has `value` [m, rad, m/s, rad/s,
 * or what it measures]. */
RBV_API RbvStatus rbv_model_add_initial(RbvModel *model, const char *coordinate, double value,
                                        RbvDiagnostics *diagnostics);
/* Have rbv_check say whether a linear combination of reactions, efforts and constraint forces is determined: "A.Fz +
 * D.Fz". Before compiling. */
RBV_API RbvStatus rbv_model_add_question(RbvModel *model, const char *combination, RbvDiagnostics *diagnostics);
/* One more column of the results: an expression of coordinates, rates, efforts, reactions and t. */
RBV_API RbvStatus rbv_model_add_output(RbvModel *model, const char *name, const char *expression,
                                       RbvDiagnostics *diagnostics);

#ifdef __cplusplus
}
#endif
#endif
