/* Scenes: the geometry of a mechanism in a result, for viewers.
 *
 * A scene is made once, in the first state of an analysis with RbvOptions.scene, and does not change along the motion:
 * its figures lie on bodies, and bodies move by rbv_result_pose. It copies all names, needs no model, and lives as long
 * as its result. Lengths are in metres. Points and orientations on a body are along the body's axes, those of body 0,
 * ground, along ground's axes; in the plane z is 0. An orientation (`turn`) is a unit quaternion (w, x, y, z). The
 * index -1 means none. docs/decisions/0035-pictures.md describes the scene as JSON (scene.json).
 *
 *     const RbvScene *scene = rbv_result_scene(result);
 *     double at[3], turn[4];
 *     for (int32_t k = 1; scene && k < scene->body_count; k++)
 *         if (rbv_result_pose(result, 0, k, at, turn))
 *             printf("%s %g %g\n", scene->bodies[k].name, at[0], at[1]); */
#ifndef ROBERVAL_SCENE_H
#define ROBERVAL_SCENE_H

#include <roberval/folder.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbvSceneBody {
    const char *name;
    double at[3], turn[4]; /* body frame in the first state, in ground's axes */
    bool particle;
    double mass;        /* [kg] NaN: unknown (ground) */
    double centroid[3]; /* [m] in the body's axes */
    int32_t line;       /* line in the model file, from 1; 0: none */
    int32_t column[7];  /* columns of the series: x, y, z, then in the plane angle, in space qw, qx, qy, qz; -1: no
                           column, the value of `at` and `turn` holds */
} RbvSceneBody;

typedef struct RbvSceneMarker {
    const char *name; /* "crank.A", or the body's own name for the body frame */
    int32_t body;
    double at[3], turn[4]; /* in the body's axes */
} RbvSceneMarker;

/* Kinds of named items of a model besides bodies. */
typedef enum RbvSceneItemKind {
    RBV_SCENE_JOINT,
    RBV_SCENE_DRIVE,
    RBV_SCENE_CONSTRAINT,
    RBV_SCENE_LOAD,
    RBV_SCENE_STOP,
    RBV_SCENE_COORDINATE
} RbvSceneItemKind;

typedef struct RbvSceneItem {
    RbvSceneItemKind kind;
    const char *name, *type; /* type: for joints and loads as in the model, "revolute"; for drives, stops, constraints
                                and coordinates the expression as written: "hinge.angle" */
    int32_t line;            /* line in the model file, from 1; 0: none */
    int32_t marker[2];       /* first and second marker; -1: none */
    int32_t axes;            /* marker along whose axes the components are; -1: ground's axes */
    int32_t point;           /* marker at which the force acts on the second body; -1: none */
    int32_t column[6]; /* columns of the series: Fx, Fy, Fz, Tx, Ty, Tz (in the plane the torque is Tz); -1: none. An
                          item with one value (effort, force, torque): column[0] */
    int32_t figure;    /* item with one value: index of the figure (BAR, COIL, DAMPER, ARROW or TURNING) along which the
                          value acts; -1: none */
} RbvSceneItem;

typedef enum RbvSceneKind {
    RBV_SCENE_LINE,
    RBV_SCENE_CIRCLE,
    RBV_SCENE_BOX,
    RBV_SCENE_CYLINDER,
    RBV_SCENE_CONE,
    RBV_SCENE_SPHERE,
    RBV_SCENE_WHEEL,
    RBV_SCENE_MESH,
    RBV_SCENE_BAR,
    RBV_SCENE_COIL,
    RBV_SCENE_DAMPER,
    RBV_SCENE_STRAND,
    RBV_SCENE_ARROW,
    RBV_SCENE_TURNING
} RbvSceneKind;

typedef enum RbvSceneRole {
    RBV_SCENE_SUBSTANCE, /* shape of a body, given by the model */
    RBV_SCENE_VOID,      /* shape given by the model that is cut out of the body */
    RBV_SCENE_OUTLINE,   /* body without shapes: lines that connect its joints */
    RBV_SCENE_SYMBOL,    /* symbol of a joint */
    RBV_SCENE_GROUND,    /* hatching of ground */
    RBV_SCENE_OF_LOAD,
    RBV_SCENE_OF_DRIVE
} RbvSceneRole;

/* A rail, plate, rack or hatching along which another body moves. The figure has the extent of the first state; a
 * viewer extends it along the `axes` of the first marker, so that it reaches `beside` to both sides of the second
 * marker's origin in every pose. LINE with a period: points[k + period] is points[k] one tooth or stroke further, and
 * the line grows by whole periods. */
typedef struct RbvSceneGuide {
    int32_t marker[2];
    int32_t axes;   /* bits: 1 x, 2 y, 4 z; 0: the figure is no guide */
    int32_t period; /* points per period; 0: the figure is stretched */
    double beside;  /* [m] */
} RbvSceneGuide;

/* A figure. The comment of each member lists the kinds that use it; other members are zero. */
typedef struct RbvSceneFigure {
    RbvSceneKind kind;
    RbvSceneRole role;
    int32_t of, body; /* index of the item, and of the body, that a click on the figure selects; -1: none */
    int32_t on[2];    /* bodies in whose axes the points are given: on[0] for `at`; on[1] for `to` of BAR, COIL, DAMPER,
                         STRAND, else equal to on[0] */
    double at[3];     /* [m] CIRCLE, BOX, SPHERE, WHEEL: centre; ARROW, TURNING: foot; CYLINDER, CONE (base), BAR, COIL,
                         DAMPER, STRAND: first end */
    union {
        double to[3];   /* [m] CYLINDER, CONE (apex), BAR, COIL, DAMPER, STRAND: second end */
        double size[3]; /* [m] BOX: edges along the axes of `turn` */
        double axis[3]; /* ARROW: unit vector, direction of a positive value; TURNING: unit vector, axis of a positive
                           rotation */
    };
    double turn[4];    /* CIRCLE: its z is the normal; BOX; WHEEL: its z is the axis; STRAND: orientation of the first
                          wheel */
    double turn_to[4]; /* STRAND: orientation of the second wheel, in the axes of on[1] */
    double radius;     /* [m] CIRCLE, CYLINDER, CONE, SPHERE, WHEEL, BAR, COIL, DAMPER; STRAND: first wheel */
    double other;      /* [m] WHEEL: width along its axis, 0 in the plane; STRAND: radius of the second wheel */
    int32_t count;     /* LINE: points; MESH: vertices; WHEEL: teeth (0: plain); COIL, DAMPER: turns */
    int32_t triangle_count;   /* MESH */
    const double *points;     /* [count][3] [m] LINE, MESH */
    const int32_t *triangles; /* [triangle_count][3] MESH: vertices, counterclockwise from outside */
    bool closed, filled;      /* LINE, CIRCLE */
    bool internal;            /* WHEEL: toothed inside */
    bool crossed;             /* STRAND */
    RbvSceneGuide guide;      /* LINE, CYLINDER, BOX */
} RbvSceneFigure;

/* The gap that a joint, constraint or drive leaves open if no consistent state was found. */
typedef struct RbvSceneGap {
    int32_t of;            /* index of the item */
    double from[3], to[3]; /* [m] both markers, in ground's axes */
    double length, angle;  /* [m], [rad] residuals of its equations */
} RbvSceneGap;

typedef struct RbvSceneFailure {
    const char *text; /* the messages, one line each */
    int32_t gap_count;
    const RbvSceneGap *gaps; /* [gap_count] largest first, at the nearest state found */
    int32_t loop_count;
    const int32_t *loop; /* [loop_count] item indices, in order, of the loop that does not close */
} RbvSceneFailure;

/* A virtual motion: velocities of the bodies in the first state when one freedom moves at a rate and all others are
 * locked; first the remaining freedoms, then those of the drives. The rate is such that the fastest point of the
 * figures has 1 m/s. */
typedef struct RbvSceneMotion {
    const char *name;            /* name of the freedom; of a drive, the drive's name */
    const char *freedom;         /* coordinate of the freedom: "hinge.angle", "x(rod)" */
    const char *unit;            /* SI unit of the freedom: "rad", "m"; "": a number, or unknown */
    double rate;                 /* [unit/s] rate of the freedom; NaN: no visible point moves */
    int32_t body_count;          /* number of moving bodies */
    const int32_t *bodies;       /* [body_count] indices of bodies */
    const double (*velocity)[3]; /* [body_count] [m/s] velocity of the body frame's origin, in ground's axes */
    const double (*angular)[3];  /* [body_count] [rad/s] angular velocity, in ground's axes */
} RbvSceneMotion;

typedef struct RbvScene {
    bool spatial;
    const char *title, *file;
    const char *text; /* text of the model file; NULL: not kept (RbvInput.scene), or longer than 1 MiB */
    double size;      /* [m] longest extent of the mechanism */
    double symbol;    /* [m] size of symbols: the radius of a pin is a quarter of it */
    double up[3];     /* unit vector against gravity; without gravity y in the plane, z in space */
    int32_t body_count;
    const RbvSceneBody *bodies; /* [body_count] body 0 is ground */
    int32_t marker_count;
    const RbvSceneMarker *markers; /* [marker_count] */
    int32_t item_count;
    const RbvSceneItem *items; /* [item_count] joints, drives, constraints, loads, stops, named coordinates, each in the
                                  order of the model */
    int32_t figure_count;
    const RbvSceneFigure *figures;  /* [figure_count] */
    const RbvSceneFailure *failure; /* NULL: no failure */
    int32_t motion_count;           /* -1: not computed, the system is too large or in error */
    const RbvSceneMotion *motions;  /* [motion_count] virtual motions */
} RbvScene;

/* Scene of a result. NULL: the analysis was run without RbvOptions.scene, or has no scene (info). */
RBV_API const RbvScene *rbv_result_scene(const RbvResult *result);
/* True if the result holds only the scene of a failed analysis: it has no numbers, and is not written. */
RBV_API bool rbv_result_is_bare(const RbvResult *result);

/* Pose of a body at a sample, from its columns: at[3] [m], turn[4] in ground's axes. Without columns, or for sample -1:
 * the pose in the scene. False: no such body or sample, or no scene. */
RBV_API bool rbv_result_pose(const RbvResult *result, int32_t sample, int32_t body, double at[3], double turn[4]);
/* Point in ground's axes at a sample [m], from a point in the body's axes [m]. */
RBV_API bool rbv_result_point(const RbvResult *result, int32_t sample, int32_t body, const double on_body[3],
                              double point[3]);

/* Wrench of a joint, drive or load on its second body (of a force, on its only body) at a sample: force [N] and torque
 * [N m] about `point` [m], all in ground's axes. The other body gets the opposite wrench at the same point. The wrench
 * of a spring or a link is along its line, that of an effort along or about its coordinate. False: the item has none.
 */
typedef struct RbvSceneWrench {
    double point[3], force[3], torque[3];
    RbvVerdict verdict; /* worst verdict of its components over all samples */
} RbvSceneWrench;
RBV_API bool rbv_result_wrench(const RbvResult *result, int32_t sample, int32_t item, RbvSceneWrench *wrench);

/* A self-contained page for a browser: pictures, motion, curves and tables of results[count] that have a scene; the
 * later results are drawn over the first. view (NULL: everything): `only` selects the columns besides poses,
 * model_units the initial units. A new string, to be freed with free(). NULL: out of memory, or a result has no scene.
 */
RBV_API char *rbv_result_report(const RbvResult *const *results, int32_t count, const RbvView *view);
/* Write the page of rbv_result_report to a file, which is complete or absent. BAD_ARGUMENT: a result has no scene;
 * NOT_WRITABLE: see diagnostics. */
RBV_API RbvStatus rbv_report_write(const char *path, const RbvResult *const *results, int32_t count,
                                   const RbvView *view, RbvDiagnostics *diagnostics);

#ifdef __cplusplus
}
#endif
#endif
