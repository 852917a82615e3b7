/* From other coordinates to bodies and back; see twin.h. Rows, measures and bodies have the same numbers in both. */
#include "assembly/twin.h"

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

RbvState *rbv_twin_create(const RbvState *state) {
    const RbvSystem *system = state->system, *bodily = system->twin;
    RbvState *twin = rbv_state_create(bodily);
    if (!twin)
        return NULL;
    carry(state, twin);
    twin->active = state->active;
    twin->acting = state->acting;
    twin->guides = state->guides;
    twin->lenient = state->lenient;
    twin->keeps_turns = state->keeps_turns;
    twin->watch = state->watch;
    /* at the starting poses as they were given, which need not fit points that joints share */
    if (memcmp(state->q, system->start_q, (size_t)system->coordinates.position_size * sizeof *state->q) == 0)
        return twin;
    rbv_coordinates_place(&system->coordinates, state->q, twin->bodies);
    rbv_coordinates_take(&bodily->coordinates, twin->bodies, twin->q);
    return twin;
}

void rbv_twin_follow(const RbvState *state, RbvState *twin) {
    const RbvBodyColumns *bodies = &twin->system->bodies;
    carry(state, twin);
    twin->active = state->active;
    twin->acting = state->acting;
    rbv_coordinates_take(&twin->system->coordinates, state->bodies, twin->q);
    for (int32_t b = 1; b < bodies->count; b++)
        rbv_bodies_put(bodies, b, state->twists[b], twin->v);
}

void rbv_twin_read(RbvState *state, RbvState *twin) {
    const RbvCoordinates *from = &twin->system->coordinates, *to = &state->system->coordinates;
    carry(twin, state);
    rbv_coordinates_place(from, twin->q, twin->bodies);
    rbv_coordinates_push(from, rbv_state_at(twin), twin->v, twin->twists);
    rbv_coordinates_take(to, twin->bodies, state->q);
    to->kind->take_rates(to, rbv_state_at(twin), twin->twists, state->v);
    state->no_memory = state->no_memory || twin->no_memory;
    rbv_state_place(state);
}

void rbv_twin_take(RbvState *state, RbvState *twin) {
    rbv_twin_read(state, twin);
    rbv_state_destroy(twin);
}

void rbv_twin_write(const RbvState *state, RbvState *twin) {
    carry(state, twin);
    rbv_coordinates_take(&twin->system->coordinates, state->bodies, twin->q);
    twin->no_memory = twin->no_memory || state->no_memory;
}
