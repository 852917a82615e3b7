/* Which whole turns an assembly starts with: an angle is counted from the turn nearest to its drive or initial condition. */
#include "assembly/assemble.h"

/* A screw whose distance is driven or given: its turn is the one that belongs to it. */
static void choose_screw_turns(RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        if (row->owner != RBV_OWNER_JOINT || model->joints.items[row->index].extra != RBV_EXTRA_SCREW || row->direction >= 0)
            continue;
        const RbvTerm *along = &system->terms[row->first], *turn = along + 1;
        for (int32_t n = system->undriven_count; n < system->position_count; n++) {
            const RbvRow *given = &system->rows[n];
            if (given->count != 1 || given->equation || system->terms[given->first].measure != along->measure)
                continue;
            double distance = state->measures[along->measure].value - state->phi[n], now = state->measures[turn->measure].value;
            double wanted = (row->constant - distance) / turn->coefficient;
            state->memory[turn->measure].turn = now + RBV_TWO_PI * round((wanted - now) / RBV_TWO_PI);
        }
    }
    rbv_state_place(state);
}

/* Whole turns of rows that hold, drive or give an angle: pass 0 counts the measured turn, pass 1 what a joint holds. */
static void choose(RbvState *state, int pass) {
    const RbvSystem *system = state->system;
    for (int32_t k = 0; k < system->position_count; k++) {
        const RbvRow *row = &system->rows[k];
        if (!row->angular || row->on_rates || row->count != 1 || row->equation || !isfinite(state->phi[k]))
            continue;
        double turns = RBV_TWO_PI * round(state->phi[k] / RBV_TWO_PI);
        int32_t m = system->terms[row->first].measure;
        RbvMeasureKind kind = system->model->measures.items[m].kind;
        if (!rbv_measure_counts_turns(kind))
            continue;
        if (pass == 0 && row->owner != RBV_OWNER_JOINT)
            state->memory[m].turn = kind == RBV_MEASURE_ANGLE ? state->memory[m].turn - turns : state->measures[m].value - turns;
        else if (pass == 1 && row->owner == RBV_OWNER_JOINT)
            state->row_turn[k] += turns;
    }
    rbv_state_place(state);
}

void rbv_hold_turns(RbvState *state) {
    rbv_state_place(state);
    choose(state, 1);
}

/* Whole turns of angles: a driven or given angle is the one nearest to its value, a held one is held where it is nearest. */
void rbv_choose_turns(RbvState *state) {
    rbv_state_place(state);
    choose(state, 0);
    choose(state, 1);
    if (state->system->bodies.spatial)
        choose_screw_turns(state);
}
