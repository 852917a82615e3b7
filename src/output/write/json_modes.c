/* "modes": [{frequency, damping, eigenvalue, shape, participation}], and "linearised": the state of the linearisation.
 */
#include "output/write/json_modes.h"

#include <string.h>

void rbv_json_shares(RbvJson *json, const char *name, const RbvMode *mode) {
    rbv_json_open(json, name, "{");
    for (int32_t n = 0; n < mode->count; n++)
        rbv_json_number(json, mode->shares[n].name, mode->shares[n].share);
    rbv_json_close(json, "}");
}

/* "bodies": {name: {"at": [[re, im], ...], "turn": [...]}} */
static void bodies(RbvJson *json, const RbvOscillation *o) {
    rbv_json_open(json, "bodies", "{");
    for (int32_t b = 0; b < o->body_count; b++) {
        rbv_json_open(json, o->bodies[b].name, "{");
        for (int turns = 0; turns < 2; turns++) {
            rbv_json_open(json, turns ? "turn" : "at", "[");
            for (int axis = 0; axis < 3; axis++)
                rbv_json_numbers(json, NULL, turns ? o->bodies[b].turn[axis] : o->bodies[b].at[axis], 2);
            rbv_json_close(json, "]");
        }
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

static void mode(RbvJson *json, const RbvOscillation *o) {
    rbv_json_open(json, NULL, "{");
    rbv_json_number(json, "frequency", o->frequency);
    rbv_json_number(json, "damping", o->damping);
    rbv_json_numbers(json, "eigenvalue", (const double[]){o->re, o->im}, 2);
    rbv_json_open(json, "shape", "{");
    for (int32_t k = 0; k < o->shape_count; k++)
        rbv_json_numbers(json, o->shape[k].name, (const double[]){o->shape[k].re, o->shape[k].im}, 2);
    rbv_json_close(json, "}");
    if (o->body_count > 0)
        bodies(json, o);
    rbv_json_shares(json, "participation", &o->participation);
    rbv_json_close(json, "}");
}

void rbv_json_open_followed(RbvJson *json, const RbvFollowed *f) {
    rbv_json_open(json, "follow", "{");
    rbv_json_string(json, "parameter", f->parameter);
    rbv_json_string(json, "unit", f->unit);
    rbv_json_number(json, "from", f->from);
    rbv_json_number(json, "to", f->to);
    rbv_json_number(json, "reached", f->reached);
}

static void followed(RbvJson *json, const RbvResult *result) {
    const RbvFollowed *f = &result->followed;
    const RbvOscillations *list = &result->oscillations;
    rbv_json_open_followed(json, f);
    rbv_json_open(json, "events", "[");
    for (int32_t k = 0; k < list->event_count; k++) {
        const RbvOscillationEvent *e = &list->events[k];
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "kind", e->kind);
        rbv_json_number(json, "at", e->at);
        rbv_json_integer(json, "mode", e->mode);
        rbv_json_numbers(json, "eigenvalue", (const double[]){e->re, e->im}, 2);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    rbv_json_close(json, "}");
}

static void signals(RbvJson *json, const char *name, const RbvSignal *list, int32_t count) {
    rbv_json_open(json, name, "[");
    for (int32_t k = 0; k < count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "name", list[k].name);
        rbv_json_string(json, "unit", list[k].unit);
        if (strcmp(name, "outputs") == 0)
            rbv_json_number(json, "at", list[k].at);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
}

static void matrix(RbvJson *json, const char *name, const double *values, int32_t rows, int32_t columns) {
    rbv_json_open(json, name, "[");
    for (int32_t k = 0; k < rows; k++)
        rbv_json_numbers(json, NULL, values + (size_t)k * (size_t)columns, columns);
    rbv_json_close(json, "]");
}

static void state_space(RbvJson *json, const RbvStateSpace *space) {
    rbv_json_open(json, "state_space", "{");
    signals(json, "states", space->state, space->states);
    signals(json, "inputs", space->input, space->inputs);
    signals(json, "outputs", space->output, space->outputs);
    matrix(json, "A", space->A, space->states, space->states);
    matrix(json, "B", space->B, space->states, space->inputs);
    matrix(json, "C", space->C, space->outputs, space->states);
    matrix(json, "D", space->D, space->outputs, space->inputs);
    rbv_json_close(json, "}");
}

void rbv_json_modes(RbvJson *json, const RbvResult *result) {
    const RbvOscillations *list = &result->oscillations;
    if (!list->found)
        return;
    rbv_json_open(json, "linearised", "{");
    rbv_json_string(json, "about", list->equilibrium ? "equilibrium" : "state");
    rbv_json_number(json, "time", list->time);
    rbv_json_integer(json, "freedoms", list->freedoms);
    rbv_json_close(json, "}");
    rbv_json_open(json, "modes", "[");
    for (int32_t k = 0; k < list->count; k++)
        mode(json, &list->items[k]);
    rbv_json_close(json, "]");
    if (list->has_space)
        state_space(json, &list->space);
    if (result->followed.parameter)
        followed(json, result);
}
