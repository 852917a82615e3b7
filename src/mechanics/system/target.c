/* The value that a drive prescribes at the state's time: its own motion c(t), or for a drive with a target the quintic
 * from one value, rate and second rate to another. */
#include "mechanics/system/system.h"

#include <math.h>

/* p(x) = a_0 + a_1 x + ... + a_5 x^5 over x = 0 ... 1 with p, p', p'' prescribed at both ends. */
static void quintic(const RbvDriveTarget *guide, double t, double target[3]) {
    double H = guide->to - guide->from, x = (t - guide->from) / H;
    double a0 = guide->start[0], a1 = H * guide->start[1], a2 = 0.5 * H * H * guide->start[2];
    double D = guide->end[0] - (a0 + a1 + a2), E = H * guide->end[1] - (a1 + 2 * a2),
           F = H * H * guide->end[2] - 2 * a2;
    double a3 = 10 * D - 4 * E + 0.5 * F, a4 = -15 * D + 7 * E - F, a5 = 6 * D - 3 * E + 0.5 * F;
    target[0] = a0 + x * (a1 + x * (a2 + x * (a3 + x * (a4 + x * a5))));
    target[1] = (a1 + x * (2 * a2 + x * (3 * a3 + x * (4 * a4 + x * 5 * a5)))) / H;
    target[2] = (2 * a2 + x * (6 * a3 + x * (12 * a4 + x * 20 * a5))) / (H * H);
}

/* The quintic; at both ends exactly the prescribed numbers. */
static void guided(const RbvDriveTarget *guide, double t, double target[3]) {
    const double *end = t == guide->to ? guide->end : t == guide->from ? guide->start : NULL;
    if (!end) {
        quintic(guide, t, target);
        return;
    }
    for (int k = 0; k < 3; k++)
        target[k] = end[k];
}

/* Adds the decaying difference e exp(-r (t - t_0)) of a drive with a limit that follows its motion again since t_0, and
 * its rates. */
static void add_lag(const RbvState *state, const RbvRow *row, double target[3]) {
    if (!state->lag || state->lag[row->index][0] == 0)
        return;
    double r = state->system->model->drives.items[row->index].catch_up,
           e = state->lag[row->index][0] * exp(-r * (state->t - state->lag[row->index][1]));
    target[0] += e;
    target[1] -= r * e;
    target[2] += r * r * e;
}

double rbv_state_target(const RbvState *state, const RbvRow *row) {
    double target[3] = {0, 0, 0};
    if (!state->guides) {
        target[0] = rbv_expr_value(row->target, &state->t, state->work);
        add_lag(state, row, target);
        return target[0];
    }
    guided(&state->guides[row->index], state->t, target);
    return target[0];
}

void rbv_state_target_jet(const RbvState *state, const RbvRow *row, double target[3]) {
    if (state->guides) {
        guided(&state->guides[row->index], state->t, target);
    } else if (rbv_expr_variable_count(row->target) == 1) {
        target[0] = rbv_expr_jet(row->target, &state->t, state->work, &target[1], &target[2]);
    } else {
        target[0] = rbv_expr_value(row->target, NULL, state->work);
        target[1] = target[2] = 0;
    }
    if (!state->guides)
        add_lag(state, row, target);
}
