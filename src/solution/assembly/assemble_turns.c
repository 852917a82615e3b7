/* Chooses the whole turns with which an assembly starts: an angle is in the turn nearest to its drive or initial
 * condition. */
#include "solution/assembly/assemble.h"

/* [rad] Tolerance for a line of centres that its carrier holds to have made whole turns relative to the carrier: far
 * above errors of assembly, far below a tooth. */
#define SAME_LINE 1e-6

/* A screw whose distance is driven or prescribed: chooses the turn that belongs to that distance. */
static void choose_screw_turns(RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        if (row->owner != RBV_OWNER_JOINT || model->joints.items[row->index].extra != RBV_EXTRA_SCREW ||
            row->direction >= 0)
            continue;
        const RbvTerm *along = &system->terms[row->first], *turn = along + 1;
        for (int32_t n = system->undriven_count; n < system->position_count; n++) {
            const RbvRow *given = &system->rows[n];
            if (given->count != 1 || given->equation || system->terms[given->first].measure != along->measure)
                continue;
            double distance = state->measures[along->measure].value - state->phi[n],
                   now = state->measures[turn->measure].value;
            double requested = (row->constant - distance) / turn->coefficient;
            state->memory[turn->measure].turn = now + RBV_TWO_PI * round((requested - now) / RBV_TWO_PI);
        }
    }
    rbv_state_place(state);
}

/* Whole turns of rows on one angle: pass 0 of the measures of drives and initial conditions, pass 1 of the rows of
 * joints. */
static void choose_row_turns(RbvState *state, int pass) {
    const RbvSystem *system = state->system;
    for (int32_t k = 0; k < system->position_count && !state->keeps_turns; k++) {
        const RbvRow *row = &system->rows[k];
        if (!row->angular || row->on_rates || row->count != 1 || row->equation || !isfinite(state->phi[k]))
            continue;
        double turns = RBV_TWO_PI * round(state->phi[k] / RBV_TWO_PI);
        int32_t m = system->terms[row->first].measure;
        RbvMeasureKind kind = system->model->measures.items[m].kind;
        if (!rbv_measure_counts_turns(kind))
            continue;
        if (pass == 0 && row->owner != RBV_OWNER_JOINT)
            state->memory[m].turn =
                kind == RBV_MEASURE_ANGLE ? state->memory[m].turn - turns : state->measures[m].value - turns;
        else if (pass == 1 && row->owner == RBV_OWNER_JOINT)
            state->row_turn[k] += turns;
    }
    rbv_state_place(state);
}

void rbv_hold_turns(RbvState *state) {
    rbv_state_place(state);
    choose_row_turns(state, 1);
}

/* A driven or prescribed angle is in the turn nearest to its value, a locked angle is locked in the nearest turn. */
void rbv_choose_turns(RbvState *state) {
    rbv_state_place(state);
    choose_row_turns(state, 0);
    choose_row_turns(state, 1);
    if (state->system->bodies.spatial && !state->keeps_turns)
        choose_screw_turns(state);
}

/* The measure of the line of centres of a gear or belt of the plane; -1: another joint. */
static int32_t line_of_centres(const RbvModel *model, const RbvJoint *joint) {
    bool wheels = !joint->spatial && (joint->form == RBV_FORM_GEAR || joint->form == RBV_FORM_BELT);
    return wheels ? rbv_model_find_measure(model, RBV_MEASURE_DIRECTION, joint->marker[0], joint->marker[1], 0) : -1;
}

/* Whole turns of a joint's line of centres relative to its carrier between two states. False: no line of centres, or
 * its carrier does not hold it. */
static bool turns_of_line(const RbvState *from, const RbvState *to, int32_t joint, double *turns) {
    const RbvModel *model = to->system->model;
    const RbvBodyState *a = &from->bodies[model->joints.items[joint].carrier],
                       *b = &to->bodies[model->joints.items[joint].carrier];
    int32_t m = line_of_centres(model, &model->joints.items[joint]);
    if (m < 0)
        return false;
    double cut, turned = to->measures[m].value - from->measures[m].value -
                         rbv_turns_angle((RbvTurns){b->turn - a->turn, b->whole - a->whole}, &cut);
    *turns = round(turned / RBV_TWO_PI);
    return fabs(turned - *turns * RBV_TWO_PI) <= SAME_LINE;
}

bool rbv_turns_fit(const RbvState *from, const RbvState *to) {
    const RbvModel *model = to->system->model;
    double one, other;
    for (int32_t k = 0; k < model->joints.count; k++) {
        if (!turns_of_line(from, to, k, &one))
            continue;
        bool grounded = model->joints.items[k].carrier == 0;
        for (int32_t n = 0; n < k && !grounded; n++)
            if (model->joints.items[n].carrier == model->joints.items[k].carrier &&
                turns_of_line(from, to, n, &other) && fabs(one - other) > 0.5)
                return false;
        if (grounded && fabs(one) > 0.5)
            return false;
    }
    return true;
}
