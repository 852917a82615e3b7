/* Steps of least norm on the tangent of the rows along which a distance reaches a given length, y = N N^T g (change) /
 * |N^T g|^2, projected to Phi = 0 after each; g: gradient of the distance; see short_length.h. */
#include "statics/short_length.h"

#include "statics/tangent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LENGTH_STEPS 30
#define LENGTH_STEP 0.5      /* [rad, sizes] */
#define LENGTH_TOLERANCE 0.1 /* part of the length */
#define NO_SLOPE 1e-6        /* part of the gradient: below it the rows keep the distance */

static const RbvMarker *end_marker(const RbvModel *model, int32_t measure, int side) {
    return &model->markers.items[model->measures.items[measure].marker[side]];
}

/* Order of two measures by the names of their bodies, then by the positions of their points on them. */
static int order_of_lengths(const RbvModel *model, int32_t a, int32_t b) {
    int by = 0;
    for (int side = 0; side < 2 && by == 0; side++)
        by = strcmp(model->bodies.items[end_marker(model, a, side)->body].name,
                    model->bodies.items[end_marker(model, b, side)->body].name);
    for (int side = 0; side < 2; side++) {
        const RbvVec3 one = end_marker(model, a, side)->at, other = end_marker(model, b, side)->at;
        const double differs[] = {one.x - other.x, one.y - other.y, one.z - other.z};
        for (int k = 0; k < 3 && by == 0; k++)
            by = differs[k] < 0 ? -1 : differs[k] > 0;
    }
    return by;
}

int32_t *rbv_find_lengths(const RbvModel *model, int32_t *count) {
    int32_t *which = malloc(((size_t)model->measures.count + 1) * sizeof *which);
    *count = 0;
    for (int32_t m = 0; which && m < model->measures.count; m++) {
        int32_t n = *count;
        if (model->measures.items[m].kind != RBV_MEASURE_DISTANCE)
            continue;
        for (; n > 0 && order_of_lengths(model, which[n - 1], m) > 0; n--)
            which[n] = which[n - 1];
        which[n] = m;
        ++*count;
    }
    return which;
}

/* slope[n]: gradient of the measure, scaled. False if out of memory. */
static bool gradient_of_length(const RbvBalance *b, int32_t measure, double *slope) {
    const RbvMeasureState *state = &b->state->measures[measure];
    RbvWrench *wrenches = calloc((size_t)b->system->bodies.count, sizeof *wrenches);
    for (int side = 0; wrenches && side < 2; side++) {
        RbvWrench *wrench = &wrenches[end_marker(b->system->model, measure, side)->body];
        wrench->force = rbv_add(wrench->force, state->gradient[side].force);
        wrench->torque = rbv_add(wrench->torque, state->gradient[side].torque);
    }
    if (wrenches)
        rbv_balance_pull(b, wrenches, slope);
    free(wrenches);
    return wrenches;
}

/* Replaces slope by y. False: the rows keep the distance. */
static bool motion_to_length(const RbvBalance *b, const double *N, int32_t f, double change, double *slope,
                             double *part) {
    double square = 0, whole = 0;
    for (int32_t k = 0; k < f; k++) {
        part[k] = 0;
        for (int32_t i = 0; i < b->n; i++)
            part[k] += N[i * f + k] * slope[i];
        square += part[k] * part[k];
    }
    for (int32_t i = 0; i < b->n; i++) {
        whole += slope[i] * slope[i];
        slope[i] = 0;
        for (int32_t k = 0; k < f; k++)
            slope[i] += N[i * f + k] * part[k] * change / square;
    }
    return square > NO_SLOPE * NO_SLOPE * whole;
}

bool rbv_make_short(RbvBalance *b, int32_t measure, double length) {
    double *y = malloc(2 * ((size_t)b->n + 1) * sizeof *y), l = b->state->measures[measure].value;
    bool good = y, on = true;
    for (int step = 0; good && on && step < MOST_LENGTH_STEPS && fabs(l - length) > LENGTH_TOLERANCE * length; step++) {
        int32_t f;
        bool safe;
        double *N = rbv_tangent_motions(b, true, false, &f, &safe);
        good = N && gradient_of_length(b, measure, y);
        on = good && motion_to_length(b, N, f, length - l, y, y + b->n);
        free(N);
        rbv_balance_keep(b);
        if (on)
            rbv_balance_move(b, y, rbv_balance_limit(b, y, LENGTH_STEP, LENGTH_STEP));
        good = good && (!on || rbv_balance_project(b));
        l = b->state->measures[measure].value;
        if (good)
            rbv_state_accept(b->state);
    }
    b->state->no_memory = b->state->no_memory || !y;
    free(y);
    return good;
}
