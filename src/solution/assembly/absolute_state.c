/* Transfers states between other coordinates and absolute coordinates; see absolute_state.h. Rows, measures and bodies
 * have the same indices in both systems. */
#include "solution/assembly/absolute_state.h"

#include <string.h>

static void carry(const RbvState *from, RbvState *to) {
    const RbvSystem *system = from->system;
    const RbvModel *model = system->model;
    to->t = from->t;
    memcpy(to->own, from->own, (size_t)model->states.count * sizeof *to->own);
    memcpy(to->memory, from->memory, (size_t)model->measures.count * sizeof *to->memory);
    memcpy(to->row_turn, from->row_turn, (size_t)system->all_count * sizeof *to->row_turn);
    memcpy(to->part_size, from->part_size, (size_t)system->bodies.count * sizeof *to->part_size);
    memcpy(to->size, from->size, (size_t)system->bodies.count * sizeof *to->size);
    memcpy(to->arm, from->arm, (size_t)system->bodies.count * sizeof *to->arm);
    if (from->lag && to->lag)
        memcpy(to->lag, from->lag, (size_t)model->drives.count * sizeof *to->lag);
}

RbvState *rbv_absolute_state_create(const RbvState *state) {
    const RbvSystem *system = state->system, *bodily = system->absolute;
    RbvState *absolute = rbv_state_create(bodily);
    if (!absolute)
        return NULL;
    carry(state, absolute);
    absolute->active = state->active;
    absolute->acting = state->acting;
    absolute->targets = state->targets;
    absolute->lenient = state->lenient;
    absolute->keeps_turns = state->keeps_turns;
    absolute->progress = state->progress;
    /* at the starting poses as given, which need not agree with points that joints share */
    if (memcmp(state->q, system->start_q, (size_t)system->coordinates.position_size * sizeof *state->q) == 0)
        return absolute;
    rbv_coordinates_positions(&system->coordinates, state->q, absolute->bodies);
    rbv_coordinates_from_bodies(&bodily->coordinates, absolute->bodies, absolute->q);
    return absolute;
}

void rbv_absolute_state_follow(const RbvState *state, RbvState *absolute) {
    const RbvBodyColumns *bodies = &absolute->system->bodies;
    carry(state, absolute);
    absolute->active = state->active;
    absolute->acting = state->acting;
    rbv_coordinates_from_bodies(&absolute->system->coordinates, state->bodies, absolute->q);
    for (int32_t b = 1; b < bodies->count; b++)
        rbv_bodies_put(bodies, b, state->twists[b], absolute->v);
}

void rbv_absolute_state_read(RbvState *state, RbvState *absolute) {
    const RbvCoordinates *from = &absolute->system->coordinates, *to = &state->system->coordinates;
    carry(absolute, state);
    rbv_coordinates_positions(from, absolute->q, absolute->bodies);
    rbv_coordinates_velocities(from, rbv_state_at(absolute), absolute->v, absolute->twists);
    rbv_coordinates_from_bodies(to, absolute->bodies, state->q);
    to->kind->take_rates(to, rbv_state_at(absolute), absolute->twists, state->v);
    state->no_memory = state->no_memory || absolute->no_memory;
    rbv_state_place(state);
}

void rbv_absolute_state_take(RbvState *state, RbvState *absolute) {
    rbv_absolute_state_read(state, absolute);
    rbv_state_destroy(absolute);
}

void rbv_absolute_state_write(const RbvState *state, RbvState *absolute) {
    carry(state, absolute);
    rbv_coordinates_from_bodies(&absolute->system->coordinates, state->bodies, absolute->q);
    absolute->no_memory = absolute->no_memory || state->no_memory;
}
