/* Why a motion does not go on, in the words of the model. */
#include "analysis/simulation.h"
#include "base/diagnostics.h"

#include <math.h>
#include <stdio.h>

RbvStatus rbv_simulation_fail(const RbvSimulation *s, RbvStatus status, const char *text) {
    rbv_diagnose(s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s", s->state->t, text);
    return status;
}

/* The first body without mass or inertia: no proof, but most often the one that is free. */
static void suspect(const RbvState *state, char *why, size_t size) {
    const RbvModel *model = state->system->model;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        int32_t own = body->generalized - 1, n = model->generalized.count;
        if (own >= 0 && !(state->mass[own * n + own] > 0)) {
            snprintf(why, size, "generalized coordinate '%s' has no mass", body->name);
            return;
        }
        if (own >= 0)
            continue;
        bool massless = body->mass <= 0, spatial = model->space == RBV_SPATIAL;
        double least = spatial ? fmin(body->inertia[0], fmin(body->inertia[1], body->inertia[2])) : body->inertia[2];
        if (!massless && (body->particle || least > 0))
            continue;
        snprintf(why, size, "body '%s' has no %s", body->name, massless ? "mass" : spatial ? "inertia about one of its axes" : "inertia");
        return;
    }
}

/* Why there is no motion from the start on. */
RbvStatus rbv_simulation_say_stuck(const RbvSimulation *s, RbvStatus status) {
    char why[256] = "", text[400];
    const char *what = status == RBV_LOCKED ? "the equations of motion are singular: a motion that the joints leave free has no mass" : "the forces are not finite";
    if (status == RBV_NOT_FINITE)
        rbv_flow_explain(&s->flow, why, sizeof why);
    if (status == RBV_LOCKED)
        suspect(s->state, why, sizeof why);
    if (status == RBV_INCONSISTENT && s->tracks)
        rbv_tracking_explain(&s->tracking, why, sizeof why);
    if (status == RBV_INCONSISTENT && s->tracks)
        what = why[0] ? "there is no motion as required" : "the mechanism cannot follow what is required";
    snprintf(text, sizeof text, "%s%s%s", what, why[0] ? ": " : "", why);
    return rbv_simulation_fail(s, status, text);
}
