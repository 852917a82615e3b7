/* Checks the caller's closings and driven coordinates of a linkage. */
#include "arrays/linkage.h"
#include "core/base/diagnostics.h"

#include <math.h>

#define ALL_HOLDS 1023u
#define PLACE (RBV_HOLD_X | RBV_HOLD_Y | RBV_HOLD_Z)

static bool finite(const double *x, int count) {
    for (int k = 0; k < count; k++)
        if (!isfinite(x[k]))
            return false;
    return true;
}

static bool wrong(RbvDiagnostics *diagnostics, const char *what, int32_t index, const char *why) {
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0}, "%s %d of the linkage: %s", what, (int)index, why);
    return false;
}

/* Contradiction of holds and drives as text; NULL: none. */
static const char *contradiction(uint32_t holds, uint32_t drives) {
    const uint32_t turns = RBV_HOLD_AXES | RBV_HOLD_TURN | RBV_HOLD_CROSS | RBV_HOLD_EQUAL;
    if ((holds == 0 && drives == 0) || holds > ALL_HOLDS ||
        ((holds & RBV_HOLD_CROSS) && (holds & (turns & ~(uint32_t)RBV_HOLD_CROSS))))
        return "it holds nothing, or what no joint holds (AXES and CROSS contradict each other)";
    if ((holds & RBV_HOLD_EQUAL) && (holds & ((turns | RBV_HOLD_SCREW) & ~(uint32_t)RBV_HOLD_EQUAL)))
        return "EQUAL speeds of shafts go with no other hold on turns";
    if ((holds & RBV_HOLD_SCREW) && (!(holds & RBV_HOLD_AXES) || (holds & (RBV_HOLD_Z | RBV_HOLD_TURN))))
        return "a SCREW has parallel AXES, and Z and TURN are free";
    if ((holds & RBV_HOLD_DISTANCE) && (holds & PLACE))
        return "a DISTANCE goes with none of X, Y and Z";
    if ((holds & RBV_HOLD_TEETH) && (holds != RBV_HOLD_TEETH || drives))
        return "TEETH hold nothing else";
    if ((drives & ~(uint32_t)(PLACE | RBV_HOLD_TURN | RBV_HOLD_DISTANCE)) || (drives & holds) ||
        ((drives & RBV_HOLD_TURN) && (holds & (RBV_HOLD_EQUAL | RBV_HOLD_CROSS))))
        return "it drives what it holds, or what is no coordinate of a closing: X, Y, Z, DISTANCE, or the TURN about "
               "parallel axes";
    return NULL;
}

static bool check_sizes(const RbvTree *tree, const RbvClosing *c, int32_t index, RbvDiagnostics *diagnostics) {
    if ((c->holds & RBV_HOLD_SCREW) && !(fabs(c->pitch) > 0 && isfinite(c->pitch)))
        return wrong(diagnostics, "closing", index, "the pitch of a screw is finite and not zero");
    if ((c->holds & RBV_HOLD_DISTANCE) && !(c->distance > 0 && isfinite(c->distance)))
        return wrong(diagnostics, "closing", index, "the distance that it holds is finite and positive");
    for (int k = 0; k < RBV_CLOSING_COORDINATES; k++) {
        if (!(c->damping[k] >= 0 && c->rotor[k] >= 0 && isfinite(c->damping[k]) && isfinite(c->rotor[k])))
            return wrong(diagnostics, "closing", index, "damping and rotors are finite and not negative");
        if (c->rotor[k] > 0 && !(c->drives & rbv_linkage_bit(k)))
            return wrong(diagnostics, "closing", index, "it has a rotor on a coordinate that is not driven");
    }
    const RbvTeeth *t = &c->teeth;
    if ((c->holds & RBV_HOLD_TEETH) &&
        (t->carrier < -1 || t->carrier >= tree->body_count || !finite(t->line, 6) || !finite(t->beside, 6) ||
         !finite(t->apart, 6) || !finite(t->constant, 6) || !isfinite(t->phase)))
        return wrong(diagnostics, "closing", index,
                     "its teeth have a carrier that the tree has not, or numbers that are not finite");
    return true;
}

static bool check_closing(const RbvTree *tree, const RbvClosing *c, int32_t index, RbvDiagnostics *diagnostics) {
    for (int side = 0; side < 2; side++) {
        if (c->body[side] < -1 || c->body[side] >= tree->body_count)
            return wrong(diagnostics, "closing", index, "it names a body that the tree has not");
        const double *t = c->turn[side];
        if (!finite(c->place[side], 3) || !finite(t, 4) || (t[0] == 0 && t[1] == 0 && t[2] == 0 && t[3] == 0))
            return wrong(diagnostics, "closing", index, "the place or the quaternion of a frame is not finite or zero");
    }
    if (c->body[0] == c->body[1])
        return wrong(diagnostics, "closing", index, "it is between a body and itself");
    const char *why = contradiction(c->holds, c->drives);
    return why ? wrong(diagnostics, "closing", index, why) : check_sizes(tree, c, index, diagnostics);
}

static bool check_driven(const RbvTree *tree, int32_t coordinates, int32_t count, const int32_t *driven,
                         RbvDiagnostics *diagnostics) {
    int32_t found = 0;
    for (int32_t k = 0; k < count; k++) {
        if (driven[k] < 0 || driven[k] >= tree->nv + coordinates)
            return wrong(diagnostics, "driven number", k,
                         "the tree has no such index of v, and the closings no such driven coordinate");
        for (int32_t e = 0; e < k; e++)
            if (driven[e] == driven[k])
                return wrong(diagnostics, "driven number", k, "it is driven twice");
        if (driven[k] >= tree->nv) {
            found++;
            continue;
        }
        int32_t body = tree->v_body[driven[k]];
        RbvTreeJoint joint = tree->body[body].joint;
        if (joint == RBV_TREE_SPHERICAL || (joint == RBV_TREE_FREE && driven[k] - tree->body_v[body] > 2))
            return wrong(diagnostics, "driven number", k,
                         "it is a part of an angular velocity, whose position is a quaternion");
    }
    return found == coordinates || wrong(diagnostics, "driven number", count,
                                         "it is missing: a closing has a driven coordinate that is not among them");
}

static int32_t bits(uint32_t mask) {
    int32_t count = 0;
    for (; mask; mask &= mask - 1)
        count++;
    return count;
}

int32_t rbv_linkage_rows_of(uint32_t holds, uint32_t drives) {
    return bits(holds) + (holds & RBV_HOLD_AXES ? 1 : 0) + bits(drives); /* AXES has two rows */
}

bool rbv_linkage_check(const RbvTree *tree, int32_t count, const RbvClosing *closings, int32_t driven_count,
                       const int32_t *driven, RbvDiagnostics *diagnostics) {
    bool good = true;
    int32_t coordinates = 0;
    for (int32_t k = 0; k < count; k++) {
        good = check_closing(tree, closings + k, k, diagnostics) && good;
        coordinates += bits(closings[k].drives);
    }
    return check_driven(tree, coordinates, driven_count, driven, diagnostics) && good;
}
