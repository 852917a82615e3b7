/* Data of cam joints, and of toothed and belt wheels in space, besides markers. */
#ifndef RBV_MODEL_MODEL_TRANSMISSION_H
#define RBV_MODEL_MODEL_TRANSMISSION_H

#include "core/expr/expr.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct RbvCam {
    RbvSpline *x[2], *y[2]; /* [m] outlines of the first and second body over the chord parameter; second NULL: none */
    double span[2];         /* parameter range 0 ... span */
    bool closed[2];
    double side[2]; /* +1: (y', -x') points out of the material, -1: (-y', x') */
    bool flat;
    RbvSpline *z;  /* [m] with x[0], y[0] a spatial curve; NULL: none */
    bool revolved; /* the outline is turned about z */
} RbvCam;

/* Toothed or belt wheels in space. Constraint: sum of turn[k] theta_k is constant, theta_k the twist of wheel k
 * against the carrier. The force acts along lines n through p that are fixed in the carrier:
 *   turn[k] = h_k . ((p - o_k) x n), opposite sign for the first wheel
 * h_k: axis of wheel k, o_k: its centre. */
typedef struct RbvMesh {
    int32_t seat[2];    /* markers of the carrier at the wheels' centres, axes as the wheels' at the start */
    int32_t line[2];    /* markers of the carrier: origin p, y along n, x separating (from first to second) */
    int32_t line_count; /* 1, or 2 for a belt: each strand carries half */
    double weight[2];
    double turn[2]; /* [m] */
    bool crossed;   /* axes are neither parallel nor intersecting: teeth slide along each other */
    bool parallel;  /* axes are parallel: the wheels may slide along them */
    double axial;   /* tan of the helix angle: force along z of the line's marker per unit of force along y */
    double apart;   /* tan(alpha)/cos(beta): separating force per unit of force along the line */
    double roll[2]; /* not for crossed axes: the second wheel turns against the first about a line through p. Parallel
                       axes: along h_0, with roll[k] theta_k'; intersecting axes: from the intersection to p, along
                       roll[0] h_0 + roll[1] h_1 */
} RbvMesh;

#endif
