/* Forces of all rows from what bodies lack: D^T lambda = wrenches - (m, J) a.
 *
 * Where coordinates keep joints by themselves, motion has no multipliers of these; the bodies are then those of the system's twin in absolute coordinates, whose saddle point system has D for C:
 *
 *   [ M  D^T ] [ x      ]   [ wrenches - (m, J) a ]
 *   [ D   0  ] [ lambda ] = [ 0                   ]      x is zero, as far as a is the acceleration
 */
#ifndef RBV_DYNAMICS_BEARING_H
#define RBV_DYNAMICS_BEARING_H

#include "dynamics/saddle.h"

typedef struct RbvBearing {
    RbvState *twin;    /* NULL: motion has all multipliers itself */
    RbvSaddle *saddle;
    double *f, *x;     /* [bodies.size] */
    bool *kept;        /* [rows] */
    double *lambda;    /* [rows] */
} RbvBearing;

/* At the state. False: no memory; to be destroyed all the same. */
bool rbv_bearing_create(RbvBearing *bearing, const RbvState *state);
void rbv_bearing_destroy(RbvBearing *bearing);
/* D and its factors at the bodies of the state; carrying[rows]: those that carry forces, NULL: all; `redundant` as of rbv_saddle_set_redundant. False: not finite, singular, or no memory. */
bool rbv_bearing_place(RbvBearing *bearing, const RbvState *state, const bool *carrying, bool redundant);
/* Some lambda[rows] for wrenches[bodies] and accelerations[bodies] (NULL: none). False: a number is not finite. */
bool rbv_bearing_solve(RbvBearing *bearing, const RbvWrench *wrenches, const RbvTwist *accelerations, double *lambda);
/* impulse[rows] of joints that are kept, where those of all other rows are known, from the rates v[] before to those of the state: D^T impulse = -(m, J) (change of twists). The state is placed, with what holds in the
 * impact. False: as rbv_bearing_place. */
bool rbv_bearing_complete(RbvBearing *bearing, const RbvState *state, const double *v, double *impulse);
/* What the twin's own accelerations and multipliers have left open near a singular position: rbv_saddle_left. */
bool rbv_bearing_left(RbvBearing *bearing, double *lambda);

#endif
