/* Modes of z' = A z: eigenvalues and their eigenvectors. Eigenvalues that are zero are told from small ones by the null
 * space of A. */
#ifndef RBV_DYNAMICS_VIBRATION_OSCILLATIONS_H
#define RBV_DYNAMICS_VIBRATION_OSCILLATIONS_H

#include "dynamics/vibration/linearisation.h"
#include "solution/record/record.h"

typedef struct RbvModalMotions {
    RbvModalMotion *items; /* sorted by |lambda|; of a pair +-r the growing one first */
    int32_t count;
    double *memory;
} RbvModalMotions;

/* Returns false if out of memory or if an iteration does not converge; the object must be destroyed in either case. */
bool rbv_modal_motions_find(const RbvLinear *linear, RbvModalMotions *motions);
void rbv_modal_motions_destroy(RbvModalMotions *motions);

/* ---- tracks of roots ----
 *
 * Follows the eigenvalues (roots) of linearised motion along a parameter: tracks tell which root at one parameter value
 * belongs to which root at the next. */

typedef struct RbvModeTracks {
    RbvArena arena;          /* owns the arrays */
    int32_t count, rows, n;  /* numbers of tracks, of parameter values (rows), of entries of v */
    double *at;              /* [rows] parameter values */
    double *re, *im;         /* [rows][width] real and imaginary parts of the roots; NaN: the track has no root at this
                                parameter value */
    int32_t width, capacity; /* allocated tracks per row; allocated rows */
    double *shape;           /* [width][2][n] mode shape of each track (real, imaginary) where it had its last root */
    double *last;            /* [width][2][2] the last two roots of each track (real, imaginary) */
} RbvModeTracks;

/* Adds the roots `motions` at the parameter value `at`. Roots are assigned to tracks by the least distance of root and
 * shape from the values expected for the track; a root that continues no track begins a new one. False: out of memory.
 */
bool rbv_mode_tracks_add(RbvModeTracks *tracks, double at, int32_t n, const RbvModalMotions *motions);
/* Value of column c in a row: c = 2 k is the real part of track k, c = 2 k + 1 its imaginary part. */
double rbv_mode_tracks_value(const RbvModeTracks *tracks, int32_t row, int32_t c);
/* Index of the track nearest to the root re + i im in the last row; -1: there are no tracks. */
int32_t rbv_mode_tracks_nearest(const RbvModeTracks *tracks, double re, double im);
void rbv_mode_tracks_destroy(RbvModeTracks *tracks);

#endif
