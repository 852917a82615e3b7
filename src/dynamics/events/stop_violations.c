/* Stops that a prescribed motion violates; see stop_violations.h. */
#include "dynamics/events/stop_violations.h"

#include "core/base/diagnostics.h"
#include "mechanics/system/contacts.h"

#include <math.h>
#include <stdlib.h>

/* Relative to size: a stop that is only touched is not violated. */
#define FITS 1e-6

bool rbv_stop_violations_create(RbvStopViolations *p, const RbvSystem *system) {
    *p = (RbvStopViolations){system, calloc(2 * (size_t)system->model->stops.count + 1, sizeof *p->limits)};
    return p->limits != NULL;
}

void rbv_stop_violations_destroy(RbvStopViolations *p) {
    free(p->limits);
    *p = (RbvStopViolations){0};
}

static bool is_there(const RbvModel *model, int32_t stop, const bool *truth) {
    for (int32_t k = 0; truth && k < model->conditions.count; k++)
        if (model->conditions.items[k].of == RBV_CONDITION_STOP && model->conditions.items[k].index == stop)
            return truth[k];
    return true;
}

void rbv_stop_violations_look(RbvStopViolations *p, const RbvState *state, const bool *truth) {
    const RbvModel *model = p->system->model;
    for (int32_t k = 0; k < 2 * model->stops.count; k++) {
        const RbvStop *stop = &model->stops.items[k / 2];
        RbvStopViolation *limit = &p->limits[k];
        int32_t row = p->system->stop_row[k];
        if (row < 0 || !is_there(model, k / 2, truth))
            continue;
        double value, rate, fits = FITS * rbv_state_row_scale(state, row);
        rbv_state_coordinate(state, &stop->of, &value, &rate);
        double beyond = k % 2 ? value - stop->limit[1] : stop->limit[0] - value;
        if (!(beyond > fits))
            continue;
        if (!limit->passed)
            *limit = (RbvStopViolation){state->t, state->t, value, true};
        if (k % 2 ? value > limit->value : value < limit->value) {
            limit->at = state->t;
            limit->value = value;
        }
    }
}

void rbv_stop_violations_note(const RbvStopViolations *p, RbvDiagnostics *diagnostics) {
    const RbvModel *model = p->system->model;
    for (int32_t k = 0; k < 2 * model->stops.count; k++) {
        const RbvStop *stop = &model->stops.items[k / 2];
        const RbvStopViolation *limit = &p->limits[k];
        if (!limit->passed)
            continue;
        rbv_diagnose(
            diagnostics, RBV_WARNING, model->file, stop->where,
            "stop '%s' is passed from t = %.6g s on: %s is beyond %s = %.6g%s%s, farthest at t = %.6g s with %.6g%s%s",
            stop->name, limit->first, stop->coordinate, k % 2 ? "max" : "min", stop->limit[k % 2],
            *stop->unit ? " " : "", stop->unit, limit->at, limit->value, *stop->unit ? " " : "", stop->unit);
    }
}
