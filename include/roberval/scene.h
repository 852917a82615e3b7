/* What a mechanism looks like: the scene of a result, for viewers.
 *
 * A scene is made once, in the first state of an analysis that was asked for it (RbvOptions.scene), and does not change
 * along the motion: its figures lie on bodies, and bodies move by rbv_result_pose. It copies all names, so it needs no
 * model, and lives as long as its result. Lengths are in metres. Points and turns are in the axes of the body they lie
 * on, those of body 0, ground, in ground's axes; in the plane z is 0. A turn is a unit quaternion (w, x, y, z). The
 * index -1 is none. docs/decisions/0035-pictures.md describes the same as JSON (scene.json).
 */
#ifndef ROBERVAL_SCENE_H
#define ROBERVAL_SCENE_H

#include <roberval/result.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbvSceneBody {
    const char *name;
    double at[3], turn[4]; /* its frame in the first state, in ground's axes */
    bool particle;
    double mass;        /* [kg] NaN: none is known (ground) */
    double centroid[3]; /* in its own axes */
    int32_t line;       /* of the model file, from 1; 0: none */
    int32_t column[7]; /* of the series: x, y, z, then in the plane angle, in space qw, qx, qy, qz; -1: it has none, and
                          what stands in at and turn holds */
} RbvSceneBody;

typedef struct RbvSceneMarker {
    const char *name; /* "crank.A", or the body's own name for its frame */
    int32_t body;
    double at[3], turn[4]; /* in the body's axes */
} RbvSceneMarker;

/* What of a model has a name besides its bodies. */
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
    const char *name, *type; /* type: of joints and loads as in the model, "revolute"; of drives, stops, constraints and
                                coordinates what they are about, as written: "hinge.angle" */
    int32_t line;            /* of the model file, from 1; 0: none */
    int32_t marker[2];       /* first and second; -1: none */
    int32_t axes;            /* marker in whose axes its components are; -1: ground's */
    int32_t point;           /* marker at which its force acts on the second body; -1: it has no such point */
    int32_t column[6]; /* of the series: Fx, Fy, Fz, Tx, Ty, Tz (torque as Tz in the plane); -1: none. Of what has one
                          value alone (effort, force, torque) that one is column[0] */
    int32_t figure;    /* of what has one value alone: the figure (BAR, COIL, DAMPER, ARROW or TURNING) along which it
                          acts; -1 */
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
    RBV_SCENE_SUBSTANCE, /* a shape that the model gives */
    RBV_SCENE_VOID,      /* the same, taken away */
    RBV_SCENE_OUTLINE,   /* of a body without shapes: what joins its joints */
    RBV_SCENE_SYMBOL,    /* of a joint */
    RBV_SCENE_GROUND,    /* hatching */
    RBV_SCENE_OF_LOAD,
    RBV_SCENE_OF_DRIVE
} RbvSceneRole;

/* A rail, plate, rack or hatching that another body goes along. In the first state it reaches as far as it is drawn;
 * a viewer draws it out along the `axes` of the first marker, so that it reaches `beside` to both sides of the
 * second's origin wherever that comes. LINE with a period: points[k + period] is points[k] one tooth or stroke
 * further, and it grows by whole ones. */
typedef struct RbvSceneGuide {
    int32_t marker[2];
    int32_t axes;   /* bits: 1 x, 2 y, 4 z; 0: it is no guide */
    int32_t period; /* 0: it is drawn out */
    double beside;  /* [m] */
} RbvSceneGuide;

/* Which numbers a figure has stands beside them; the others are zero. */
typedef struct RbvSceneFigure {
    RbvSceneKind kind;
    RbvSceneRole role;
    int32_t of, body; /* the thing and the body that a click on it selects; -1 */
    int32_t on[2];    /* the body whose axes `at` (from) is in; of BAR, COIL, DAMPER, STRAND also that of `to`, else the
                         same once more */
    double at[3]; /* CIRCLE, BOX, SPHERE, WHEEL: its middle; ARROW, TURNING: its foot; CYLINDER, CONE (its base), BAR,
                     COIL, DAMPER, STRAND: from */
    union {
        double to[3];   /* CYLINDER, CONE (its apex), BAR, COIL, DAMPER, STRAND */
        double size[3]; /* BOX: edges along the axes of `turn` */
        double axis[3]; /* ARROW: unit, the way of a positive value; TURNING: the axis of a positive turn */
    };
    double turn[4];         /* CIRCLE: its z is the normal; BOX; WHEEL: its z is the axis; STRAND: the first wheel's */
    double turn_to[4];      /* STRAND: the second wheel's, in the axes of on[1] */
    double radius;          /* CIRCLE, CYLINDER, CONE, SPHERE, WHEEL, BAR, COIL, DAMPER; STRAND: of the first wheel */
    double other;           /* WHEEL: width along its axis, 0 in the plane; STRAND: radius of the second wheel */
    int32_t count;          /* LINE: points; MESH: vertices; WHEEL: teeth (0: plain); COIL, DAMPER: turns */
    int32_t triangle_count; /* MESH */
    const double *points;   /* [count][3] LINE, MESH */
    const int32_t *triangles; /* [triangle_count][3] MESH: vertices, counterclockwise from outside */
    bool closed, filled;      /* LINE, CIRCLE */
    bool internal;            /* WHEEL: toothed inside */
    bool crossed;             /* STRAND */
    RbvSceneGuide guide;      /* LINE, CYLINDER, BOX */
} RbvSceneFigure;

/* What is left open by a joint, constraint or drive where no state was found that fits. */
typedef struct RbvSceneGap {
    int32_t of;            /* thing */
    double from[3], to[3]; /* both markers, in ground's axes */
    double length, angle;  /* [m], [rad] of its equations */
} RbvSceneGap;

typedef struct RbvSceneFailure {
    const char *text; /* what was said, a line for each message */
    int32_t gap_count;
    const RbvSceneGap *gaps; /* [gap_count] largest first, at the nearest state that was found */
    int32_t loop_count;
    const int32_t *loop; /* [loop_count] things: the loop that does not close, in order */
} RbvSceneFailure;

/* How the bodies move in the first state when one freedom is let go at unit rate and the others stand still: those
 * that are left first, then those of the drives. Velocities are for the rate at which the fastest point of the
 * figures has 1 m/s. */
typedef struct RbvSceneMotion {
    const char *name;            /* the freedom's own; of a drive the drive's */
    const char *freedom;         /* "hinge.angle", "x(rod)" */
    const char *unit;            /* of the freedom, in SI: "rad", "m"; "": a number, or not known */
    double rate;                 /* of the freedom [unit/s]; NaN: nothing that is seen moves */
    int32_t body_count;          /* bodies that move */
    const int32_t *bodies;       /* [body_count] */
    const double (*velocity)[3]; /* [body_count] of the origin of the body's frame, in ground's axes */
    const double (*angular)[3];  /* [body_count] */
} RbvSceneMotion;

typedef struct RbvScene {
    bool spatial;
    const char *title, *file;
    const char *text; /* the model file as it was read; NULL: not kept (RbvInput.scene), or longer than 1 MiB */
    double size;      /* [m] longest extent of the mechanism */
    double symbol;    /* [m] that symbols are drawn with: the radius of a pin is a quarter of it */
    double up[3];     /* unit, against gravity; without gravity y in the plane, z in space */
    int32_t body_count;
    const RbvSceneBody *bodies; /* [body_count] body 0 is ground */
    int32_t marker_count;
    const RbvSceneMarker *markers; /* [marker_count] */
    int32_t item_count;
    const RbvSceneItem *items; /* [item_count] joints, drives, constraints, loads, stops, named coordinates, each in
                                    the order of the model */
    int32_t figure_count;
    const RbvSceneFigure *figures;  /* [figure_count] */
    const RbvSceneFailure *failure; /* NULL: nothing went wrong */
    int32_t motion_count;           /* -1: not asked of so large a system, or of one that is wrong */
    const RbvSceneMotion *motions;  /* [motion_count] virtual motions */
} RbvScene;

/* NULL: the analysis was not asked for it, or has none (info). */
RBV_API const RbvScene *rbv_result_scene(const RbvResult *result);
/* Does the result hold nothing but the scene of a machine that is wrong? Then it has no numbers, and is not written. */
RBV_API bool rbv_result_is_bare(const RbvResult *result);

/* Where a body is at a sample, from its columns: at[3], turn[4] in ground's axes. Without columns, or with the sample
 * -1: where it is in the scene. False: there is no such body or sample, or no scene. */
RBV_API bool rbv_result_pose(const RbvResult *result, int32_t sample, int32_t body, double at[3], double turn[4]);
/* A point given in a body's axes, in ground's at that sample. */
RBV_API bool rbv_result_point(const RbvResult *result, int32_t sample, int32_t body, const double on_body[3],
                              double point[3]);

/* What a joint, drive or load does to its second body (a force on its one body) at a sample: force [N] and torque [N
 * m] about `point` [m], all in ground's axes. What its markers' bodies get is this and the opposite, at the same
 * point. A spring's or a link's is along its line, that of an effort along or about its coordinate. False: it has
 * none. */
typedef struct RbvSceneWrench {
    double point[3], force[3], torque[3];
    RbvVerdict verdict; /* the worst of its components over all samples */
} RbvSceneWrench;
RBV_API bool rbv_result_wrench(const RbvResult *result, int32_t sample, int32_t item, RbvSceneWrench *wrench);

/* The text of scene.json; a new string, to be freed with free(). NULL: no memory, or no scene. */
RBV_API char *rbv_result_scene_json(const RbvResult *result);

/* One page for a browser, self-contained: pictures, motion, curves and tables of results[count] that have a scene; of
 * several the later ones are laid over the first. view (NULL: everything): `only` says which columns it has besides
 * poses, model_units in which units it begins. A new string, to be freed with free(). NULL: no memory, or a result
 * has no scene. */
RBV_API char *rbv_result_report(const RbvResult *const *results, int32_t count, const RbvView *view);
/* The same into a file, which is complete or absent. BAD_ARGUMENT: a result has no scene; NOT_WRITABLE: said. */
RBV_API RbvStatus rbv_report_write(const char *path, const RbvResult *const *results, int32_t count,
                                   const RbvView *view, RbvDiagnostics *diagnostics);

/* What a run has written to a folder (rbv_folder_write), for pictures: the scene, the series with units and verdicts,
 * and the text of result.json. Not what stands in result.json alone: rbv_result_mobility and its like know nothing of
 * it. On RBV_OK *result is new, to be destroyed by the caller; else NULL. BAD_INPUT: a file is missing or damaged
 * (said). */
RBV_API RbvStatus rbv_result_read(const char *folder, RbvDiagnostics *diagnostics, RbvResult **result);

#ifdef __cplusplus
}
#endif
#endif
