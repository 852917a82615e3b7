/* Pictures of results: still sketches of the mechanism, curves of its series (SVG), and files for other viewers (glTF).
 * Texts are new strings, to be freed with free().
 *
 *     RbvSketch sketch = rbv_sketch_default;
 *     sketch.viewpoint = RBV_VIEW_FRONT;
 *     char *svg;
 *     if (rbv_result_sketch(result, NULL, &sketch, diagnostics, &svg) == RBV_OK)
 *         rbv_file_write("machine.svg", svg, strlen(svg), diagnostics); */
#ifndef ROBERVAL_DRAW_H
#define ROBERVAL_DRAW_H

#include <roberval/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Direction of view on a spatial mechanism, with its up direction at the top of the sheet; a planar mechanism is seen
 * along z. Front: along y, side: against x, top: from above. */
typedef enum RbvViewpoint { RBV_VIEW_OBLIQUE, RBV_VIEW_FRONT, RBV_VIEW_SIDE, RBV_VIEW_TOP } RbvViewpoint;

/* Settings of a still picture of the mechanism. */
typedef struct RbvSketch {
    double width, height; /* [px] of the sheet; height 0: as the mechanism needs */
    RbvViewpoint viewpoint;
    int32_t time_count;  /* number of poses drawn over each other, the last one strong, the others faint; 0: the first
                            sample only */
    const double *times; /* [time_count] values of the first column; the nearest sample is drawn */
    bool reactions;      /* forces and torques of joints in the last pose; the line style shows the verdict */
    int32_t self_stress; /* number of the self-stress, from 1, drawn as arrows instead of the reactions; 0: none */
    const char *virtual_motion; /* number of the virtual motion, from 1, or the name of its freedom or drive: the
                                   mechanism in its first state, with velocities as arrows and, faint, a slightly
                                   displaced pose; NULL: none */
    bool names;                 /* show names of joints, constraints and stops */
    const char *title;          /* NULL: title of the result; "": none */
} RbvSketch;
RBV_API extern const RbvSketch rbv_sketch_default;
/* Sketch as SVG text in *svg. BAD_INPUT (see diagnostics): the result has no scene (RbvOptions.scene), no such
 * self-stress or virtual motion, or a time lies beyond its samples; then *svg is NULL. */
RBV_API RbvStatus rbv_result_sketch(const RbvResult *result, const RbvView *view, const RbvSketch *sketch,
                                    RbvDiagnostics *diagnostics, char **svg);

/* The mechanism in glTF 2.0, with the motion as animation: bodies as nodes with their names, y up, metres and seconds;
 * reactions as arrows whose material is named after the verdict; the arrow length per newton is in the file's extras.
 * *length bytes, binary (.glb) or a text (.gltf), which ends with a zero byte beyond them. BAD_INPUT (see diagnostics):
 * the result has no scene; then *gltf is NULL. */
RBV_API RbvStatus rbv_result_gltf(const RbvResult *result, bool binary, RbvDiagnostics *diagnostics, char **gltf,
                                  size_t *length);

/* Settings of curves: columns over the first column or over another one; one panel for each unit. */
typedef struct RbvCurves {
    const char *title;  /* NULL: title of the result */
    const char *across; /* column on the horizontal axis; NULL: the first column, time or the parameter */
    double width;       /* [px] of the sheet; 0: 760 */
} RbvCurves;
/* Curves as SVG text of the columns that `view` shows (its patterns; NULL: all of the series). Without the model's
 * units, thousands of N become kN, and angles are in degrees. A column with a verdict other than unique is dashed and
 * labelled; lines are thin where a followed equilibrium is unstable. BAD_INPUT (see diagnostics): no such column, or no
 * samples; then *svg is NULL. */
RBV_API RbvStatus rbv_result_curves(const RbvResult *result, const RbvView *view, const RbvCurves *curves,
                                    RbvDiagnostics *diagnostics, char **svg);

#ifdef __cplusplus
}
#endif
#endif
