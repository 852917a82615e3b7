/* Energy, power, and the balance of both over a step; see power.h. */
#include "dynamics/accelerations/power.h"

#include "core/base/extremes.h"
#include "core/base/tolerances.h"

#include <math.h>
#include <string.h>

/* A load that begins and ceases to act stores no energy: all it does is work. */
static bool has_condition(const RbvModel *model, int32_t load) {
    for (int32_t k = 0; k < model->conditions.count; k++)
        if (model->conditions.items[k].of == RBV_CONDITION_LOAD && model->conditions.items[k].index == load)
            return true;
    return false;
}

/* Returns whether a load depends on time, or on a state, which changes with time. */
static bool reads_time(const RbvModel *model, const RbvLoad *load) {
    for (int k = 0; k < 3; k++)
        for (int32_t v = 0; load->value[k] && v < rbv_expr_variable_count(load->value[k]); v++)
            if (rbv_variable_of(model, load->value[k], v).kind == RBV_VARIABLE_TIME ||
                rbv_variable_of(model, load->value[k], v).kind == RBV_VARIABLE_STATE)
                return true;
    return false;
}

bool rbv_power_create(RbvPower *power, const RbvSystem *system) {
    const RbvModel *model = system->model;
    *power = (RbvPower){.system = system};
    power->potential = rbv_arena_array(&power->arena, (size_t)model->loads.count + 1, sizeof *power->potential);
    power->start = rbv_arena_array(&power->arena, (size_t)model->loads.count + (size_t)model->bodies.count + 1,
                                   sizeof *power->start);
    power->wrenches = rbv_arena_array(&power->arena, (size_t)model->bodies.count + 1, sizeof *power->wrenches);
    power->twists = rbv_arena_array(&power->arena, (size_t)model->bodies.count + 1, sizeof *power->twists);
    power->measures = rbv_arena_array(&power->arena, (size_t)model->measures.count + 1, sizeof *power->measures);
    if (!power->start || !power->potential || !power->wrenches || !power->twists || !power->measures)
        return false;
    for (int32_t k = 0; k < model->loads.count; k++) {
        const RbvLoad *load = &model->loads.items[k];
        power->potential[k] = rbv_load_formulas(load->kind)->energy && rbv_load_has_energy(model, load) &&
                              !reads_time(model, load) && !has_condition(model, k);
    }
    return true;
}

void rbv_power_destroy(RbvPower *power) {
    rbv_arena_clear(&power->arena);
    *power = (RbvPower){0};
}

/* Springs and bushings have an energy of their own, zero where unstrained; for weights, constant forces and potentials
 * of the user the zero is arbitrary. */
static bool has_own_zero(const RbvLoad *load) {
    return rbv_load_row(load->kind)->elastic;
}

/* Updates the energy scales by a potential, term number `part`; `begins`: changes count from this value. Returns the
 * value. */
static double take_part(RbvPower *power, int32_t part, double value, bool begins) {
    if (begins)
        power->start[part] = value;
    power->size = rbv_max(power->size, fabs(value - power->start[part]));
    power->parts = rbv_max(power->parts, fabs(value));
    return value;
}

static double find_energy(RbvPower *power, const RbvState *state, bool begins) {
    const RbvModel *model = power->system->model;
    const RbvConfiguration at = rbv_state_configuration(state);
    double kinetic = rbv_state_generalized_energy(state) + rbv_state_rotor_energy(state), potential = 0;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        RbvTwist t = state->twists[b];
        kinetic +=
            0.5 * (body->mass * rbv_dot(t.v, t.v) + rbv_dot(t.w, rbv_body_momentum(body, &state->bodies[b].A, t.w)));
        potential += take_part(power, b, -body->mass * rbv_dot(model->gravity, state->bodies[b].r), begins);
    }
    for (int32_t k = 0; k < model->loads.count; k++) {
        if (!power->potential[k] || !rbv_state_acts(state, k))
            continue;
        potential += take_part(power, model->bodies.count + k,
                               rbv_load_formulas(model->loads.items[k].kind)->energy(&at, &model->loads.items[k]),
                               begins && !has_own_zero(&model->loads.items[k]));
    }
    power->size = rbv_max(power->size, kinetic);
    power->parts = rbv_max(power->parts, kinetic);
    return kinetic + potential;
}

double rbv_power_energy(RbvPower *power, const RbvState *state) {
    return find_energy(power, state, false);
}

void rbv_power_begin(RbvPower *power, const RbvState *state) {
    find_energy(power, state, true);
    power->size = 0;
    rbv_power_energy(power, state);
}

/* sum_b wrench . twist. */
static double power_of(const RbvState *state, const RbvWrench *wrenches) {
    double sum = 0;
    for (int32_t b = 1; b < state->system->bodies.count; b++)
        sum += rbv_power(wrenches[b], state->twists[b]);
    return sum;
}

/* Finds the wrenches of weights and of the loads with a potential, as if nothing moved. */
void rbv_power_look(RbvPower *power, const RbvState *state) {
    const RbvModel *model = power->system->model;
    RbvConfiguration at = rbv_state_configuration(state);
    double value[6];
    if (model->loads.count > 0) /* only loads read measures */
        memcpy(power->measures, state->measures, (size_t)model->measures.count * sizeof *power->measures);
    for (int32_t m = 0; m < model->measures.count; m++)
        power->measures[m].rate = 0;
    at.measures = power->measures;
    at.twists = power->twists;
    at.at_rest = true;
    for (int32_t b = 0; b < model->bodies.count; b++)
        power->wrenches[b] = (RbvWrench){rbv_scale(model->bodies.items[b].mass, model->gravity), {0, 0, 0}};
    for (int32_t k = 0; k < model->loads.count; k++)
        if (power->potential[k] && rbv_state_acts(state, k))
            rbv_load_formulas(model->loads.items[k].kind)->force(&at, &model->loads.items[k], power->wrenches, value);
}

double rbv_power_in(RbvPower *power, const RbvState *state, const double *lambda) {
    const RbvSystem *system = power->system;
    rbv_power_look(power, state);
    double sum = power_of(state, state->wrenches) - power_of(state, power->wrenches) +
                 rbv_state_rotor_gain(state); /* the inertia of rotors is among the wrenches */
    for (int32_t k = 0; k < system->row_count; k++)
        sum -= lambda[k] * state->nu[k];
    return sum;
}

/* Balance of energy over a step. The energy E less the work W is constant in every motion, so its change over a step is
 * an error of the step: of the integration, the projection and the iterations.
 *
 *   |E(y1) - W1 - (E(y0) - W0)| <= tolerance * size + rounding
 *
 * size [J] is that of the energies so far, including this step's: a motion that begins from rest has the size that its
 * first step gives it. The audit allows a run 1000 tolerances: a step of a run of N > 1000 steps may use 1000/N of
 * one. */

/* Part of the allowed rounding of a run that one step may use. */
#define OF_A_STEP 0.1
/* FALLS: least power of the step length with which the error of a step falls. A jump of forces in the step, and
 * rounding, do not fall so. Such a change is no error of the step: it is left to the audit, and UNASKED further steps
 * are not verified. */
#define FALLS 2
#define UNASKED 30

double rbv_energy_balance_most(const RbvState *state, const double *share) {
    double most = 0;
    for (int32_t j = 0; j < state->system->coordinates.size; j++)
        most = rbv_max(most, fabs(state->Q[j]) / share[j]);
    return most;
}

double rbv_energy_of_a_run(double tolerance) {
    return rbv_min(1000 * tolerance, rbv_max(RBV_NOTICEABLE, 10 * tolerance));
}

double rbv_energy_balance_rounding(const RbvState *state, const double *share, double parts) {
    /* Part of the largest part of an energy that is rounding. Where heights and lengths are large, small differences of
     * their energies are known no better. Part of the work that forces could do: where nothing moves, the balance is
     * rounding of it. */
    return RBV_SUM_EXACT * parts + RBV_ROUNDING * rbv_energy_balance_most(state, share);
}

/* Returns E - W [J] at the state; *size, *parts [J]: scales of the balance with this state. The sizes that
 * samples measure (RbvPower) are restored: no step may depend on where samples are. */
static double look_at_balance(const RbvEnergyBalance *balance, RbvPower *power, const RbvState *state, double work,
                              double *size, double *parts) {
    const double largest = power->size, largest_part = power->parts;
    power->size = power->parts = 0;
    double energy = rbv_power_energy(power, state);
    *size = rbv_max(balance->size, rbv_max(power->size, fabs(work)));
    *parts = rbv_max(balance->parts, power->parts);
    power->size = largest;
    power->parts = largest_part;
    return energy - work;
}

void rbv_energy_balance_begin(RbvEnergyBalance *balance, RbvPower *power, const RbvState *state) {
    *balance = (RbvEnergyBalance){0};
    rbv_energy_balance_keep(balance, power, state, 0);
}

void rbv_energy_balance_keep(RbvEnergyBalance *balance, RbvPower *power, const RbvState *state, double work) {
    balance->kept = look_at_balance(balance, power, state, work, &balance->size, &balance->parts);
    balance->error = 0;
}

void rbv_energy_balance_step(RbvEnergyBalance *balance, RbvPower *power, const RbvState *state, double work) {
    balance->before = balance->kept;
    rbv_energy_balance_keep(balance, power, state, work);
}

double rbv_energy_balance_verify(RbvEnergyBalance *balance, RbvPower *power, const RbvState *state, const double *share,
                                 double tolerance, double work, double h) {
    const RbvEnergyBalance last = *balance;
    rbv_energy_balance_step(balance, power, state, work);
    balance->unasked -= balance->unasked > 0;
    double change = fabs(balance->kept - last.kept),
           allowed = tolerance * balance->size + OF_A_STEP * rbv_energy_balance_rounding(state, share, balance->parts);
    if (change <= allowed)
        return allowed > 0 ? change / allowed : 0;
    if (balance->unasked > 0)
        return 0;
    if (last.error > 0 && change > last.error * pow(h / last.over, FALLS)) {
        balance->unasked = UNASKED;
        return 0;
    }
    *balance = last;
    balance->error = change;
    balance->over = h;
    return allowed > 0 ? change / allowed : 2;
}

bool rbv_energy_balance_is_coarse(const RbvEnergyBalance *balance, RbvPower *power, const RbvState *state,
                                  const double *share, double tolerance, double work) {
    double size, parts, change = fabs(look_at_balance(balance, power, state, work, &size, &parts) - balance->before);
    return balance->unasked == 0 &&
           change > tolerance * size + OF_A_STEP * rbv_energy_balance_rounding(state, share, parts);
}
