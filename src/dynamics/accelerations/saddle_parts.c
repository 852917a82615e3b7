/* Rows and mass matrix M of the saddle point system (saddle.h).
 *
 * Rows are those of joints, constraints and drives, then the rows of the coordinates' own. Rows that coordinates keep
 * by themselves and that have no entries constrain nothing and are left out.
 *
 * M has bodies, generalized coordinates, rotors of drives, and a substitute for the inertia of idle spins (turns of a
 * rod without inertia about its own line):
 *
 *   M <- M + m P^T u u^T P,   Q <- Q - m P^T u (u . bias)   for a line u of a body with w' = P v' + bias: a rod between
 *                             two balls that has no inertia about its own line (line_spin.c).
 *
 * Forces at points of the line leave u.w' = 0, so that M v' - Q stays unchanged. */
#include "dynamics/accelerations/saddle_parts.h"

#include "core/base/extremes.h"

#include <math.h>
#include <string.h>

/* Largest ratio of masses, and of moments of inertia over arms squared, for a Schur complement. Up to here motions were
 * measured to be as accurate by it as by LU of the whole matrix (decision 0081). */
#define ALIKE 1e8

/* ---- rows ---- */

/* Returns whether row k constrains anything: coordinates do not keep it, or it has entries. */
static bool stands(const RbvSystem *system, int32_t k) {
    return !rbv_system_keeps(system, k) || system->C.start[k + 1] > system->C.start[k];
}

static void place_rows(const RbvSystem *system, RbvSaddleRows *rows) {
    int32_t own = system->coordinates.own_rows;
    for (int32_t k = 0; k < system->row_count; k++)
        if (stands(system, k))
            rows->place[rows->of_system++] = k;
    rows->all = rows->of_system == system->row_count;
    for (int32_t k = 0; k < own; k++)
        rows->place[rows->of_system + k] = system->all_count + k;
    rows->count = rows->of_system + own;
}

/* Finds the pattern of the selected rows. Rows that are left out have no entries, so the other entries keep their
 * indices. */
static bool take_pattern(const RbvSystem *system, RbvArena *arena, RbvSaddleRows *rows) {
    const RbvRowPattern *from = &system->C;
    int32_t first = from->start[system->row_count], own_first = from->start[system->all_count],
            entries = first + from->start[from->count] - own_first;
    rows->skip = rows->count > rows->of_system ? own_first - first : 0;
    rows->C.start = rbv_arena_alloc(arena, ((size_t)rows->count + 1) * sizeof(int32_t));
    rows->C.column = rbv_arena_alloc(arena, ((size_t)entries + 1) * sizeof(int32_t));
    if (!rows->C.start || !rows->C.column)
        return false;
    for (int32_t k = 0; k < rows->count; k++)
        rows->C.start[k] = from->start[rows->place[k]] - (k < rows->of_system ? 0 : rows->skip);
    rows->C.start[rows->count] = entries;
    memcpy(rows->C.column, from->column, (size_t)first * sizeof(int32_t));
    memcpy(rows->C.column + first, from->column + own_first, (size_t)(entries - first) * sizeof(int32_t));
    return true;
}

bool rbv_saddle_rows_create(const RbvSystem *system, RbvArena *arena, RbvSaddleRows *rows) {
    int32_t own = system->coordinates.own_rows;
    *rows = (RbvSaddleRows){.C = system->C};
    rows->place = rbv_arena_alloc(arena, ((size_t)system->row_count + (size_t)own + 1) * sizeof(int32_t));
    if (!rows->place)
        return false;
    place_rows(system, rows);
    bool same = rows->all && own == 0;
    bool good = same || take_pattern(system, arena, rows);
    rows->C.count = rows->count;
    return good;
}

/* ---- mass matrix ---- */

static bool stands_in(const RbvSystem *system, const RbvLineSpin *spin) {
    return spin->stands_in > 0 && !rbv_system_keeps(system, spin->row);
}

bool rbv_saddle_mass_stands_in(const RbvSystem *system) {
    for (int32_t k = 0; k < system->spin_count; k++)
        if (stands_in(system, &system->spins[k]))
            return true;
    return false;
}

static void add_rotors(const RbvState *state, RbvMassMatrix *mass) {
    const RbvModel *model = state->system->model;
    for (int32_t k = 0; model->rotor_count > 0 && k < model->drives.count; k++) {
        const RbvDrive *drive = &model->drives.items[k];
        const RbvMeasure *measure = &model->measures.items[drive->of.measure];
        int32_t body[2] = {model->markers.items[measure->marker[0]].body,
                           model->markers.items[measure->marker[1]].body};
        if (drive->has_rotor)
            rbv_mass_matrix_add_rotor(&state->system->coordinates, rbv_state_at(state), body,
                                      state->measures[drive->of.measure].gradient,
                                      drive->rotor_inertia * drive->rotor_ratio * drive->rotor_ratio, mass);
    }
}

/* Unit vector along the line of the spin, in ground's axes. */
static RbvVec3 line_of(const RbvState *state, const RbvLineSpin *spin) {
    RbvVec3 d = rbv_sub(state->markers[spin->marker[1]].point, state->markers[spin->marker[0]].point);
    return rbv_scale(1 / rbv_norm(d), d);
}

static void add_spins(const RbvState *state, RbvMassMatrix *mass) {
    const RbvSystem *system = state->system;
    const RbvVec3 none = {0, 0, 0};
    for (int32_t k = 0; k < system->spin_count; k++) {
        const RbvLineSpin *spin = &system->spins[k];
        if (!stands_in(system, spin))
            continue;
        const RbvWrench gradient[2] = {{none, none}, {none, line_of(state, spin)}};
        const int32_t body[2] = {0, spin->body};
        rbv_mass_matrix_add_rotor(&system->coordinates, rbv_state_at(state), body, gradient, spin->stands_in, mass);
    }
}

void rbv_saddle_mass_fill(const RbvState *state, RbvMassMatrix *mass) {
    const RbvCoordinates *coordinates = &state->system->coordinates;
    rbv_mass_matrix_fill(coordinates, rbv_state_at(state), mass);
    rbv_mass_matrix_add(coordinates, state->mass, mass);
    add_rotors(state, mass);
    add_spins(state, mass);
}

void rbv_saddle_mass_load(RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvTwist *bias = system->coordinates.kind->bias ? rbv_state_bias(state) : NULL;
    for (int32_t k = 0; bias && k < system->spin_count; k++) {
        const RbvLineSpin *spin = &system->spins[k];
        if (!stands_in(system, spin))
            continue;
        RbvVec3 u = line_of(state, spin);
        RbvWrench wrench = {{0, 0, 0}, rbv_scale(-spin->stands_in * rbv_dot(u, bias[spin->body].w), u)};
        rbv_coordinates_add_to(&system->coordinates, rbv_state_at(state), spin->body, wrench, state->row_work,
                               state->Q);
    }
}

/* Bounds the principal moments of inertia: none is above the trace T; the smallest is det J over the product of the
 * others, which is at most (T/2)^2. */
static void bound_moments(const RbvBody *body, bool spatial, double *low, double *high) {
    const double *I = body->inertia;
    *low = *high = I[2];
    if (!spatial)
        return;
    *high = I[0] + I[1] + I[2];
    double det =
        I[0] * (I[1] * I[2] - I[5] * I[5]) - I[3] * (I[3] * I[2] - I[5] * I[4]) + I[4] * (I[3] * I[5] - I[1] * I[4]);
    *low = 4 * det / (*high * *high);
}

/* Returns whether masses, and moments of inertia over arms squared, of all bodies are of similar size. Where M^-1 is
 * applied first, a body that is light beside others moves by small differences of large forces. */
bool rbv_saddle_mass_alike(const RbvState *state) {
    const RbvBodyColumns *bodies = &state->system->bodies;
    double least = INFINITY, most = 0;
    for (int32_t b = 1; b < bodies->count; b++) {
        const RbvBody *body = &state->system->model->bodies.items[b];
        double arm = state->arm[b], low, high;
        least = rbv_min(least, body->mass), most = rbv_max(most, body->mass);
        if (!rbv_bodies_turns(bodies, b))
            continue;
        bound_moments(body, bodies->spatial, &low, &high);
        least = rbv_min(least, low / (arm * arm)), most = rbv_max(most, high / (arm * arm));
    }
    return least > 0 && most <= ALIKE * least;
}
