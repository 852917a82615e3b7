/* Results of statics as members of result.json: equilibria, paths along a parameter, ranges that friction can hold. */
#include "output/write/json_statics.h"

#include "output/write/json_modes.h"

#include <math.h>

/* Position of a body [m] and its angle [rad] (plane) or quaternion (space). */
static void rest_body(RbvJson *json, const double *row, const RbvEntry *body) {
    rbv_json_open(json, body->name, "{");
    const double *at = row + body->first;
    rbv_json_numbers(json, "at", at, body->components);
    if (body->count - body->components == 1)
        rbv_json_number(json, "angle", at[body->components]);
    if (body->count - body->components == 4)
        rbv_json_numbers(json, "quaternion", at + 3, 4);
    rbv_json_close(json, "}");
}

/* Compliance matrix: change of coordinate i per unit of load along coordinate j; null if not computed. */
static void compliance(RbvJson *json, const RbvEquilibrium *e) {
    int32_t count = e->coordinates.count;
    if (!e->compliance) {
        rbv_json_string(json, "compliance", NULL);
        return;
    }
    rbv_json_open(json, "compliance", "{");
    for (int32_t i = 0; i < count; i++) {
        rbv_json_open(json, e->coordinates.shares[i].name, "{");
        for (int32_t j = 0; j < count; j++)
            rbv_json_number(json, e->coordinates.shares[j].name, e->compliance[i * count + j]);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

static void equilibrium(RbvJson *json, const char *name, const RbvEquilibrium *e) {
    rbv_json_open(json, name, "{");
    rbv_json_shares(json, "coordinates", &e->coordinates);
    rbv_json_open(json, "bodies", "{");
    for (int32_t k = 0; k < e->body_count; k++)
        rest_body(json, e->pose, &e->bodies[k]);
    rbv_json_close(json, "}");
    compliance(json, e);
    rbv_json_number(json, "energy", e->energy);
    rbv_json_string(json, "stability", e->stability);
    rbv_json_number(json, "curvature", e->curvature);
    rbv_json_string(json, "falls_by", e->falls_by);
    if (e->pressed)
        rbv_json_strings(json, "pressed", e->pressed, e->pressed_count);
    rbv_json_integer(json, "iterations", e->iterations);
    rbv_json_string(json, "method", e->method);
    if (e->rounds > 0)
        rbv_json_integer(json, "rounds", e->rounds);
    if (isfinite(e->penalty)) {
        rbv_json_open(json, "penalty", "{");
        rbv_json_number(json, "coefficient", e->penalty);
        rbv_json_number(json, "position_error", e->penalty_error);
        rbv_json_number(json, "force_error", e->penalty_force_error);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

/* statics: the equilibrium; with --all every equilibrium found. */
void rbv_json_equilibria(RbvJson *json, const RbvResult *result) {
    if (!result->equilibrium.found)
        return;
    equilibrium(json, "equilibrium", &result->equilibrium);
    if (result->equilibrium_starts == 0)
        return;
    rbv_json_integer(json, "equilibria_starts", result->equilibrium_starts);
    rbv_json_open(json, "equilibria", "[");
    for (int32_t k = 0; k < result->equilibrium_count; k++)
        equilibrium(json, NULL, &result->equilibria[k]);
    rbv_json_close(json, "]");
}

static void event(RbvJson *json, const RbvFollowed *f, const RbvEvent *e) {
    rbv_json_open(json, NULL, "{");
    rbv_json_string(json, "kind", e->kind);
    rbv_json_number(json, "at", e->at);
    rbv_json_integer(json, "sample", e->sample);
    rbv_json_string(json, "moves", e->place.falls_by);
    rbv_json_string(json, "before", e->before);
    rbv_json_string(json, "after", e->after);
    if (e->rises)
        rbv_json_string(json, "turns_at", (e->rises > 0) == (f->to > f->from) ? "most" : "least");
    if (e->supports)
        rbv_json_strings(json, "supports", e->supports, e->support_count);
    equilibrium(json, "equilibrium", &e->place);
    if (e->lands)
        equilibrium(json, "lands", &e->landing);
    else if (e->snaps)
        rbv_json_string(json, "lands", NULL);
    rbv_json_close(json, "}");
}

/* statics --follow */
void rbv_json_followed(RbvJson *json, const RbvResult *result) {
    const RbvFollowed *f = &result->followed;
    if (!f->parameter)
        return;
    rbv_json_open_followed(json, f);
    rbv_json_string(json, "ended", f->ended);
    rbv_json_integer(json, "places", result->sample_count);
    rbv_json_open(json, "events", "[");
    for (int32_t k = 0; k < f->event_count; k++)
        event(json, f, &f->events[k]);
    rbv_json_close(json, "]");
    if (f->last.found)
        equilibrium(json, "last", &f->last);
    rbv_json_close(json, "}");
}

/* statics --hold: the ends of an interval; an infinite end is null. */
static void held_ends(RbvJson *json, const double end[2]) {
    rbv_json_number(json, "min", isfinite(end[0]) ? end[0] : (double)NAN);
    rbv_json_number(json, "max", isfinite(end[1]) ? end[1] : (double)NAN);
}

void rbv_json_held(RbvJson *json, const RbvHoldable *h) {
    rbv_json_open(json, "hold", "{");
    rbv_json_string(json, "parameter", h->parameter);
    rbv_json_string(json, "unit", h->unit);
    rbv_json_number(json, "at", h->at);
    rbv_json_bool(json, "holds", h->at >= h->end[0][0] && h->at <= h->end[0][1]);
    held_ends(json, h->end[0]);
    rbv_json_open(json, "others", "[");
    for (int32_t k = 1; k < h->count; k++) {
        rbv_json_open(json, NULL, "{");
        held_ends(json, h->end[k]);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    rbv_json_strings(json, "at_limit", h->at_limit, h->at_limit_count);
    rbv_json_close(json, "}");
}
