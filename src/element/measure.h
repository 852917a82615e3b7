/* Measures: the scalars that joints, drives, springs and users see of two markers.
 *
 * A measure m gives its value, its gradient (a wrench on each of the two bodies: dm = sum f.dr + n.dtheta), its rate,
 * its bias (the second rate when no body accelerates) and its Hessian in the retraction (r + dr, exp(dtheta) A), which
 * is symmetric, so that bias = v^T H v. Formulas: docs/theory.md, written for space; a planar body has w along z.
 */
#ifndef RBV_ELEMENT_MEASURE_H
#define RBV_ELEMENT_MEASURE_H

#include "marker/marker.h"
#include "model/model.h"

/* What a measure remembers of the last accepted state. */
typedef struct RbvMeasureMemory {
    double
        turn; /* ANGLE, TURN: a whole number of turns added [rad]; DIRECTION, TWIST: the last value, to stay near it */
    double contact[2]; /* GAP, GLIDE: contact parameters of first and second outline; of a flat, its side. MESH: twists
                          of both wheels */
} RbvMeasureMemory;

/* A start at half a turn, to rounding, is +pi: the turns lie in (-pi, pi] but for this much [rad]. */
#define RBV_HALF_TURN_TIE 1e-9

/* Before anything has been accepted. */
static inline RbvMeasureMemory rbv_measure_no_memory(RbvMeasureKind kind) {
    return (RbvMeasureMemory){kind == RBV_MEASURE_TWIST || kind == RBV_MEASURE_DIRECTION ? (double)NAN : 0,
                              {(double)NAN, (double)NAN}};
}

typedef struct RbvMeasureState {
    double value, rate, bias;
    double cut; /* what rounding has cut off the value; of angles of the plane and of meshes, that may have made many
                   turns */
    RbvWrench gradient[2]; /* by the twist of the bodies of markers 0 and 1 */
    double contact[2];     /* GAP, GLIDE: solved contact parameters; MESH: twists */
} RbvMeasureState;

/* Value and gradient. False when the measure has no gradient here (two points coincide; no contact point found): then
 * value is right where it exists and the gradient is zero. */
bool rbv_measure_place(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                       const RbvMeasureMemory *memory, RbvMeasureState *state);
/* Rate and bias for the bodies' twists; after rbv_measure_place. */
void rbv_measure_move(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                      const RbvTwist *twists, RbvMeasureState *state);
/* Hessian H[12][12] over (dr, dtheta of body 0; dr, dtheta of body 1); after rbv_measure_place. Symmetric but for
 * lines, spins and swings (SLIP, ROLL, MESH, GLIDE, SPIN, SWING, BEND), where H[r][c] is the derivative of gradient r
 * along motion c. */
void rbv_measure_hessian(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                         const RbvMeasureState *state, double H[12][12]);
/* A MESH's gradient also changes with the motion of the carrier: marker of it (-1: no such measure), and H[12][6] by
 * its motion. */
int32_t rbv_measure_carrier(const RbvMeasure *measure, const RbvModel *model);
void rbv_measure_carrier_hessian(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                                 double H[12][6]);
/* The memory after this state has been accepted. */
void rbv_measure_accept(const RbvMeasure *measure, const RbvMeasureState *state, RbvMeasureMemory *memory);

#endif
