/* Cams, and toothed or strung wheels of space: what such joints have besides markers. */
#ifndef RBV_MODEL_TRANSMISSION_H
#define RBV_MODEL_TRANSMISSION_H

#include "expr/expr.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct RbvCam {
    RbvSpline *x[2], *y[2]; /* outlines of first and second over the chord parameter; second NULL: none */
    double span[2];         /* parameter range 0 ... span */
    bool closed[2];
    double side[2]; /* +1: (y', -x') points out of the material, -1: (-y', x') */
    bool flat;
    RbvSpline *z;  /* with x[0], y[0]: a curve of space; NULL: none */
    bool revolved; /* the outline is turned about z */
} RbvCam;

/* Toothed or strung wheels in space: sum of turn[k] theta_k is constant, theta_k the twist of wheel k against its
 * carrier; the force acts along lines n through p that the carrier holds. turn[k] is what the line gives: h_k . ((p -
 * o_k) x n), opposite for the first wheel. */
typedef struct RbvMesh {
    int32_t seat[2];    /* markers of the carrier at the wheels' centres, with the wheels' axes at the start */
    int32_t line[2];    /* markers of the carrier: origin at p, y along n, x apart (from first to second) */
    int32_t line_count; /* 1, or 2 for a belt: half of each strand */
    double weight[2];
    double turn[2]; /* [m] */
    bool crossed;   /* axes that neither are parallel nor meet: teeth slide along each other */
    bool parallel;  /* axes: the wheels may slide along them */
    double axial;   /* tan of the helix: the force along z of the line's marker per unit along y */
    double apart;   /* tan(alpha)/cos(beta): the force apart per unit of force along the line */
    double roll[2]; /* not of crossed axes: the second turns against the first about a line through p. Parallel
                     * axes: along h_0, with roll[k] theta_k'; axes that meet: from there to p, along roll[0]
                     * h_0 + roll[1] h_1 */
} RbvMesh;

#endif
