/* Measures: scalar functions of two markers that joints, drives, springs and users refer to.
 *
 * A measure m has a value, a gradient (a wrench on each of the two bodies: dm = sum f.dr + n.dtheta), a rate, a bias
 * (the second rate when no body accelerates) and a Hessian in the retraction (r + dr, exp(dtheta) A), which is
 * symmetric, so that bias = v^T H v. Formulas: docs/theory.md, written for space; a planar body has w along z. */
#ifndef RBV_MECHANICS_ELEMENT_MEASURE_H
#define RBV_MECHANICS_ELEMENT_MEASURE_H

#include "mechanics/marker/marker.h"
#include "model/model/model.h"

/* Memory of a measure of the last accepted state. */
typedef struct RbvMeasureMemory {
    double turn; /* ANGLE, TURN: whole turns added [rad]; DIRECTION, TWIST: the last value, to which the next is near */
    double contact[2]; /* GAP, GLIDE: contact parameters of first and second outline; for a flat, its side. MESH: twists
                          of both wheels */
} RbvMeasureMemory;

/* The memory before any state has been accepted. */
static inline RbvMeasureMemory rbv_measure_no_memory(RbvMeasureKind kind) {
    return (RbvMeasureMemory){kind == RBV_MEASURE_TWIST || kind == RBV_MEASURE_DIRECTION ? (double)NAN : 0,
                              {(double)NAN, (double)NAN}};
}

typedef struct RbvMeasureState {
    double value, rate, bias;
    double cut; /* rounding error cut off the value; for angles of the plane and for meshes, which may have made many
                   turns */
    RbvWrench gradient[2]; /* by the twists of the bodies of markers 0 and 1 */
    double contact[2];     /* GAP, GLIDE: solved contact parameters; MESH: twists */
} RbvMeasureState;

/* Evaluates value and gradient. False when the measure has no gradient here (two points coincide; no contact point
 * found): the value is then right where it exists, and the gradient is zero. */
bool rbv_measure_place(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                       const RbvMeasureMemory *memory, RbvMeasureState *state);
/* Evaluates rate and bias for the twists[bodies]; after rbv_measure_place. */
void rbv_measure_move(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                      const RbvTwist *twists, RbvMeasureState *state);
/* Second rate [unit of the measure per s^2] with the accelerations[bodies]: the gradient on these, plus the bias; after
 * rbv_measure_move. */
double rbv_measure_second_rate(const RbvMeasure *measure, const RbvMarkerState *markers, const RbvTwist *accelerations,
                               const RbvMeasureState *state);
/* Hessian H[12][12] over (dr, dtheta of body 0; dr, dtheta of body 1); after rbv_measure_place. Symmetric but for
 * lines, spins and swings (SLIP, ROLL, MESH, GLIDE, SPIN, SWING, BEND), where H[r][c] is the derivative of gradient r
 * along motion c. */
void rbv_measure_hessian(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                         const RbvMeasureState *state, double H[12][12]);
/* The gradient of a MESH also changes with the motion of the carrier: the carrier's marker (-1: the measure has none),
 * and the derivative H[12][6] by the carrier's motion. */
int32_t rbv_measure_carrier(const RbvMeasure *measure, const RbvModel *model);
void rbv_measure_carrier_hessian(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                                 double H[12][6]);
/* Updates the memory when this state is accepted. */
void rbv_measure_accept(const RbvMeasure *measure, const RbvMeasureState *state, RbvMeasureMemory *memory);

#endif
