/* Roots along a parameter, each a track of its own: which root of one place is which of the next. */
#ifndef RBV_DYNAMICS_MODE_TRACKS_H
#define RBV_DYNAMICS_MODE_TRACKS_H

#include "dynamics/oscillations.h"

typedef struct RbvModeTracks {
    int32_t count, rows, n;  /* tracks, places, size of v */
    double *at;              /* [rows] the parameter */
    double *re, *im;         /* [rows][width]; NaN: not there */
    int32_t width, capacity; /* of a row, of rows */
    double *shape;           /* [width][2][n] where each was last seen */
    double *last;            /* [width][2][2]: the last two roots */
} RbvModeTracks;

/* One more place. By the least distance of root and shape from those expected; what goes on in no track begins one.
 * False: no memory. */
bool rbv_mode_tracks_add(RbvModeTracks *tracks, double at, int32_t n, const RbvModalMotions *motions);
/* Column c of a place: 2 k the real part of track k, 2 k + 1 the imaginary one. */
double rbv_mode_tracks_value(const RbvModeTracks *tracks, int32_t row, int32_t c);
/* The track that is nearest to a root at the last place; -1: there are none. */
int32_t rbv_mode_tracks_nearest(const RbvModeTracks *tracks, double re, double im);
void rbv_mode_tracks_destroy(RbvModeTracks *tracks);

#endif
