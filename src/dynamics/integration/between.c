/* Filippov's rule; see between.h. */
#include "dynamics/integration/between.h"

#include <math.h>
#include <string.h>

/* Shares have converged when the rate of each margin is below this part of what the shares add to it; linear systems
 * converge at once. */
#define SETTLED 1e-12
#define MOST_PASSES 5
/* Change of a share by which its effect is found. */
#define TRIAL 0.5

/* Value and rate of a variable of a law that acts at body b. */
static void find_variable(const RbvFlow *flow, const RbvLaw *law, int32_t b, RbvVariable variable, double *value,
                          double *rate) {
    const RbvState *state = flow->state;
    const RbvModel *model = flow->system->model;
    *value = *rate = NAN;
    if (variable.kind == RBV_VARIABLE_TIME) {
        *value = state->t;
        *rate = 1;
    } else if (variable.kind == RBV_VARIABLE_STATE) {
        *value = state->own[variable.index];
        *rate = rbv_state_expression(state, model->states.items[variable.index].rate, NULL, flow->value);
    } else if (variable.kind == RBV_VARIABLE_PLACE) {
        const RbvVec3 r = state->bodies[b].r, v = state->twists[b].v;
        *value = variable.part == 0 ? r.x : variable.part == 1 ? r.y : r.z;
        *rate = variable.part == 0 ? v.x : variable.part == 1 ? v.y : v.z;
    } else if (variable.kind == RBV_VARIABLE_COORDINATE || variable.kind == RBV_VARIABLE_LENGTH) {
        int32_t m = variable.kind == RBV_VARIABLE_LENGTH ? model->loads.items[law->index].measure[0] : variable.index;
        const RbvMeasureState *measured = &state->measures[m];
        double second = measured->bias;
        for (int side = 0; side < 2; side++)
            second += rbv_power(measured->gradient[side],
                                state->accelerations[model->markers.items[model->measures.items[m].marker[side]].body]);
        *value = variable.part == 0 ? measured->value : measured->rate;
        *rate = variable.part == 0 ? measured->rate : second;
    }
}

double rbv_between_rate(RbvFlow *flow, int32_t at) {
    RbvPieces *p = flow->state->pieces;
    const RbvLaw *law = rbv_pieces_law(p, at);
    int32_t n = rbv_expr_variable_count(law->expr), place = (at - law->first) / law->count;
    double *x = p->room, *rate = x + n, *gradient = rate + n, *hessian = gradient + n, *margin = hessian + n * n,
           *work = margin + 1 + n, sum = 0;
    for (int32_t v = 0; v < n; v++)
        find_variable(flow, law, place / 2, rbv_variable_of(flow->system->model, law->expr, v), &x[v], &rate[v]);
    memset(margin, 0, (size_t)(n + 1) * sizeof *margin);
    const RbvExprPieces on = {.held = p->held + law->first + place * law->count,
                              .requested = (at - law->first) % law->count + 1,
                              .margin = margin};
    rbv_expr_jet_on(law->expr, x, work, gradient, hessian, &on);
    for (int32_t v = 0; v < n; v++)
        sum += margin[1 + v] != 0 ? margin[1 + v] * rate[v] : 0;
    return sum;
}

static void find_rates(RbvFlow *flow, double *rate) {
    const RbvPieces *p = flow->state->pieces;
    for (int32_t k = 0; k < p->between_count; k++)
        rate[k] = rbv_between_rate(flow, p->between[k].at);
}

/* b := A^-1 b by elimination with pivoting; an unknown without pivot is zero. */
static void solve(int32_t n, double A[RBV_MOST_BETWEEN][RBV_MOST_BETWEEN], double *b) {
    for (int32_t k = 0; k < n; k++) {
        int32_t pivot = k;
        for (int32_t i = k; i < n; i++)
            pivot = fabs(A[i][k]) > fabs(A[pivot][k]) ? i : pivot;
        for (int32_t j = 0; j < n; j++) {
            double other = A[k][j];
            A[k][j] = A[pivot][j];
            A[pivot][j] = other;
        }
        double other = b[k];
        b[k] = b[pivot];
        b[pivot] = other;
        for (int32_t i = k + 1; i < n && A[k][k] != 0; i++) {
            double factor = A[i][k] / A[k][k];
            for (int32_t j = k; j < n; j++)
                A[i][j] -= factor * A[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int32_t k = n - 1; k >= 0; k--) {
        for (int32_t j = k + 1; j < n; j++)
            b[k] -= A[k][j] * b[j];
        b[k] = A[k][k] != 0 ? b[k] / A[k][k] : 0;
    }
}

/* A: change of the rate of each margin per unit of each share; rate: the present rates. */
static RbvStatus find_slopes(RbvFlow *flow, RbvStatus (*accelerate)(RbvFlow *), const double *rate,
                             double A[RBV_MOST_BETWEEN][RBV_MOST_BETWEEN]) {
    RbvPieces *p = flow->state->pieces;
    double moved[RBV_MOST_BETWEEN];
    RbvStatus status = RBV_OK;
    for (int32_t k = 0; status == RBV_OK && k < p->between_count; k++) {
        p->between[k].share += TRIAL;
        status = accelerate(flow);
        find_rates(flow, moved);
        p->between[k].share -= TRIAL;
        for (int32_t i = 0; i < p->between_count; i++)
            A[i][k] = (moved[i] - rate[i]) / TRIAL;
    }
    return status;
}

static bool has_settled(int32_t n, double A[RBV_MOST_BETWEEN][RBV_MOST_BETWEEN], const double *rate) {
    for (int32_t i = 0; i < n; i++) {
        double size = 0;
        for (int32_t k = 0; k < n; k++)
            size += fabs(A[i][k]);
        if (!(fabs(rate[i]) <= SETTLED * size))
            return false;
    }
    return true;
}

RbvStatus rbv_between_accelerate(RbvFlow *flow, RbvStatus (*accelerate)(RbvFlow *)) {
    RbvPieces *p = flow->state->pieces;
    int32_t n = p ? p->between_count : 0;
    double rate[RBV_MOST_BETWEEN], A[RBV_MOST_BETWEEN][RBV_MOST_BETWEEN], B[RBV_MOST_BETWEEN][RBV_MOST_BETWEEN];
    RbvStatus status = accelerate(flow);
    if (n == 0 || status != RBV_OK)
        return status;
    find_rates(flow, rate);
    status = find_slopes(flow, accelerate, rate, A);
    for (int pass = 0; status == RBV_OK && pass < MOST_PASSES; pass++) {
        memcpy(B, A, sizeof B);
        solve(n, B, rate);
        for (int32_t k = 0; k < n; k++)
            p->between[k].share -= rate[k];
        status = accelerate(flow);
        find_rates(flow, rate);
        if (has_settled(n, A, rate))
            break;
    }
    return status;
}
