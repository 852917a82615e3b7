/* Looks for a position with smaller gaps beside one that is within the tolerance of assembly.
 *
 * Gaps within the tolerance come from rounded lengths or from a false position: near a singular position rows are
 * quadratic along directions that are nearly free, so that gaps of e belong to positions off by sqrt(e), and a descent
 * may end in a valley between the branches where C^T Phi = 0 and Phi is not zero. Descents start again from positions
 * that far beside, and a position with much smaller gaps is taken. Rounded lengths leave the same gaps from every
 * start: then nothing changes. */
#include "solution/assembly/descent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLOSES 1e-15    /* relative to the arm, beyond rounding: gap of a closed row */
#define MOST_VALLEYS 24 /* valleys between branches are few; large mechanisms get fewer tries */
#define WORK 60000      /* limit of rows times tries */
#define EACH 6          /* tries before the distance is doubled */
/* Relative to the gaps: those on a branch are smaller than this; else the position is the same */
#define MUCH_NEARER 0.3

/* Moves the bodies of rows with gaps at random by up to `amount` times their arm; other bodies do not move. */
static void step_aside(RbvDescent *d, const double *phi, double amount, uint64_t *seed) {
    const RbvSystem *system = d->system;
    memset(d->step, 0, (size_t)system->coordinates.size * sizeof *d->step);
    for (int32_t k = 0; k < d->rows; k++) {
        double arm = rbv_state_row_arm(d->state, k);
        for (int32_t e = system->C.start[k]; fabs(phi[k]) > CLOSES * arm && e < system->C.start[k + 1]; e++) {
            int32_t column = system->C.column[e];
            if (d->step[column] == 0)
                d->step[column] = amount * arm * d->scale[column] * rbv_unit_random(seed);
        }
    }
    rbv_coordinates_step(&system->coordinates, d->state->q, d->step);
}

typedef struct Place {
    double *q;
    RbvMeasureMemory *memory;
    size_t positions, measures; /* in bytes */
} Place;

static void keep_place(Place *place, const RbvState *state) {
    memcpy(place->q, state->q, place->positions);
    memcpy(place->memory, state->memory, place->measures);
}

static void bring_back(const Place *place, RbvState *state) {
    memcpy(state->q, place->q, place->positions);
    memcpy(state->memory, place->memory, place->measures);
}

static void search_beside(RbvDescent *d, double error, const double *phi, Place *place) {
    uint64_t seed = 0x9E3779B97F4A7C15u;
    double best = error;
    int32_t tries = WORK / (d->rows + 1) < MOST_VALLEYS ? WORK / (d->rows + 1) : MOST_VALLEYS;
    keep_place(place, d->state);
    for (int32_t n = 0; n < tries && best > CLOSES && !d->state->no_memory && !rbv_progress_stopped(d->state->progress);
         n++) {
        bring_back(place, d->state);
        step_aside(d, phi, sqrt(error) * (1 << n / EACH), &seed);
        double next = rbv_descend_with(d, 0.1 * error);
        if (next < MUCH_NEARER * best) {
            best = next;
            keep_place(place, d->state);
        }
    }
    bring_back(place, d->state);
    rbv_state_place(d->state);
}

bool rbv_descend_beside(RbvDescent *d) {
    double error = rbv_descent_error(d);
    if (!(error > CLOSES))
        return true;
    Place place = {.positions = (size_t)d->system->coordinates.position_size * sizeof(double),
                   .measures = (size_t)d->system->model->measures.count * sizeof *d->memory};
    double *phi = malloc(((size_t)d->rows + 1) * sizeof *phi);
    place.q = malloc(place.positions + 1), place.memory = malloc(place.measures + 1);
    bool good = phi && place.q && place.memory;
    if (good) {
        memcpy(phi, d->phi, (size_t)d->rows * sizeof *phi);
        search_beside(d, error, phi, &place);
    }
    free(phi);
    free(place.q);
    free(place.memory);
    return good;
}
