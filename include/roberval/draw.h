/* Pictures of results: still sketches of the mechanism, curves of its series (SVG), and files for other viewers (glTF).
 * Texts are new strings, to be freed with free(). */
#ifndef ROBERVAL_DRAW_H
#define ROBERVAL_DRAW_H

#include <roberval/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From where a mechanism of space is seen, its up at the top of the sheet; one of the plane is seen along z. Front:
 * along y, side: against x, top: from above. */
typedef enum RbvViewpoint { RBV_VIEW_OBLIQUE, RBV_VIEW_FRONT, RBV_VIEW_SIDE, RBV_VIEW_TOP } RbvViewpoint;

/* A still picture of the mechanism. */
typedef struct RbvSketch {
    double width, height; /* [px] of the sheet; a height of 0: as the mechanism needs it */
    RbvViewpoint viewpoint;
    int32_t time_count;  /* poses over each other, the last one strong, the others faint; 0: the first sample alone */
    const double *times; /* [time_count] values of the first column; the nearest sample is drawn */
    bool reactions;      /* forces and torques of joints in the last pose: how the line is drawn says the verdict */
    int32_t self_stress; /* from 1: that self-stress as arrows instead of them; 0: none */
    const char *virtual_motion; /* its number, from 1, or the name of its freedom or drive: the mechanism in its first
                                   state, velocities as arrows, and, faint, a little further; NULL: none */
    bool names;                 /* of joints, constraints and stops */
    const char *title;          /* NULL: that of the result; "": none */
} RbvSketch;
RBV_API RbvSketch rbv_sketch_default(void);
/* BAD_INPUT (said): the result has no scene (RbvOptions.scene), no such self-stress or virtual motion, or a time lies
 * beyond its samples; *svg is NULL then. */
RBV_API RbvStatus rbv_result_sketch(const RbvResult *result, const RbvView *view, const RbvSketch *sketch,
                                    RbvDiagnostics *diagnostics, char **svg);

/* The same in glTF 2.0, with the motion as its animation: bodies as nodes with their names, y up, metres and seconds;
 * reactions as arrows whose material is called by the verdict, and whose length for a newton stands in the file's
 * extras. BAD_INPUT (said): the result has no scene; *gltf is NULL then. */
RBV_API RbvStatus rbv_result_gltf(const RbvResult *result, RbvDiagnostics *diagnostics, char **gltf);
/* The same as binary glTF (.glb), length[0] bytes. */
RBV_API RbvStatus rbv_result_glb(const RbvResult *result, RbvDiagnostics *diagnostics, char **glb, size_t *length);

/* Columns over the first one, or over another: one panel for each unit. */
typedef struct RbvCurves {
    const char *title;  /* NULL: that of the result */
    const char *across; /* the column below; NULL: the first, time or the parameter */
    double width;       /* [px] of the sheet; 0: 760 */
} RbvCurves;
/* The columns that `view` shows (its patterns; NULL: all of the series). Where units are not the model's, thousands
 * of N are kN, and angles are in degrees. A column with a verdict other than unique is dashed and says so; where a
 * followed equilibrium is unstable lines are thin. BAD_INPUT (said): no such column, or no samples; *svg is NULL
 * then. */
RBV_API RbvStatus rbv_result_curves(const RbvResult *result, const RbvView *view, const RbvCurves *curves,
                                    RbvDiagnostics *diagnostics, char **svg);

#ifdef __cplusplus
}
#endif
#endif
