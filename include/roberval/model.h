/* Models built in C, with plain Def structs: parameters, tables, bodies, markers, loads, initial conditions and
 * outputs; joints and what else holds or moves bodies: joints.h.
 *
 *     RbvModel *model = rbv_model_create(RBV_PLANAR, "Pendulum");
 *     RbvBodyDef rod = rbv_body_def_default;
 *     rod.name = "rod", rod.mass = 2, rod.inertia[2] = 0.1;
 *     rbv_model_add_body(model, &rod, diagnostics);
 *     rbv_model_add_marker(model, "rod", "end", (double[]){1, 0}, 0, diagnostics);
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

#include <roberval/input.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RbvSpace { RBV_PLANAR, RBV_SPATIAL } RbvSpace;

/* An empty model with ground. NULL: out of memory, or a space that this version does not have. */
RBV_API RbvModel *rbv_model_create(RbvSpace space, const char *title);
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

/* Let a parameter that was added be an input of simulations (simulation.h), for every expression added later: it may
 * stand in laws of loads, conditions (active:), limits of drives, events and outputs alone. BAD_INPUT: no such
 * parameter. */
RBV_API RbvStatus rbv_model_add_input(RbvModel *model, const char *name, RbvDiagnostics *diagnostics);

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

/* Add a function of the caller's program. Its name is copied; the context stays the caller's and must outlive the
 * model. Expressions added later may call it; a model that was read may be extended this way. */
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
