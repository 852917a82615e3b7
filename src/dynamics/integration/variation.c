/* Magnification of small differences by the motion; see variation.h. */
#include "dynamics/integration/variation.h"

#include "core/base/extremes.h"
#include "core/base/tolerances.h"

#include <math.h>
#include <string.h>

/* Length of the difference in w by which states are moved, relative to size: curvature causes an error of its square,
 * rounding one of 1e-16 over it. */
#define MOVED 1e-7
/* For a larger change of w in a step, relative to its length, the method of order 4 is near its stability bound: what
 * changes so fast decays, or the explicit step would not have been accepted. */
#define TOO_FAST 1.8
/* w leaves the constraints by its own errors, at most 1e-3 a step, and drifts further with time: it is projected after
 * so many steps. */
#define DRIFTS 16
/* Relative to the length of a step: a step that ends earlier was cut at an event. */
#define WHOLE (1 - RBV_SAME)
/* From this magnification on w is carried by the method of the motion itself: where what has grown shrinks again, as
 * beyond the top of a pendulum, errors of 1e-3 a step would continue to grow. */
#define CLOSELY 10
/* Stages of Dormand and Prince's method at 1/3 and 127/195 of the step, whose states are accurate to higher orders. */
static const int stages[2] = {5, 8};

bool rbv_variation_create(RbvVariation *v, RbvFlow *flow, const double *unit_scale, const double *share) {
    double **const parts[] = {&v->w,    &v->y[0], &v->y[1], &v->y[2], &v->y[3], &v->f[0],    &v->f[1], &v->f[2],
                              &v->f[3], &v->k[0], &v->k[1], &v->k[2], &v->k[3], &v->shifted, &v->rate};
    bool good = true;
    *v = (RbvVariation){.unit_scale = unit_scale, .share = share};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        good = (*parts[k] = rbv_arena_array(&v->arena, (size_t)flow->size + 1, sizeof(double))) && good;
    return rbv_dormand_prince_create(&v->method, flow->size, rbv_flow_rate, flow) && good;
}

void rbv_variation_destroy(RbvVariation *v) {
    rbv_arena_clear(&v->arena);
    rbv_dormand_prince_destroy(&v->method);
    *v = (RbvVariation){0};
}

/* Largest movement in w, also of its velocities over the time h. */
static double movement(const RbvVariation *v, const RbvFlow *flow, const double *w, double h) {
    double most = 0;
    for (int32_t i = 0; i < flow->positions; i++)
        most = rbv_max(most, v->unit_scale[i] * fabs(w[i]));
    for (int32_t j = 0; h > 0 && j < flow->n; j++)
        most = rbv_max(most, h * v->share[j] * fabs(w[flow->positions + j]));
    return most;
}

/* Scales w to length 1, velocities counted over the time h. False: w is zero or not finite. */
static bool normalise(RbvVariation *v, const RbvFlow *flow, double h) {
    double length = movement(v, flow, v->w, h);
    if (!(length > 0) || !isfinite(length))
        return false;
    for (int32_t i = 0; i < flow->size; i++)
        v->w[i] /= length;
    v->scale += log(length);
    return true;
}

/* out = y + e w. */
static void move(const RbvFlow *flow, const double *y, const double *w, double e, double *out) {
    for (int32_t i = 0; i < flow->size; i++)
        out[i] = y[i] + e * w[i];
    out[flow->size - 1] = y[flow->size - 1]; /* work moves nothing */
}

/* Replaces w by the difference of the projected state near y + e w. False: projection fails. */
static bool project(RbvVariation *v, RbvFlow *flow, double t, const double *y) {
    move(flow, y, v->w, MOVED, v->shifted);
    v->carried = 0;
    if (rbv_flow_hold(flow, t, v->shifted, NULL) != RBV_OK)
        return false;
    for (int32_t i = 0; i < flow->size - 1; i++)
        v->w[i] = (v->shifted[i] - y[i]) / MOVED;
    return true;
}

/* A number from -1 to 1, derived from a name. */
static double number_of(const char *name, int part) {
    uint32_t x = 2166136261u ^ (uint32_t)part * 2654435761u;
    for (; *name; name++)
        x = (x ^ (uint8_t)*name) * 16777619u;
    x = (x ^ x >> 15) * 2654435769u;
    x ^= x >> 13;
    return (double)(x >> 8) / (1 << 23) - 1;
}

/* Sets forces mass * arm and torques mass * arm^2 of each body, over 1 s^2, in directions derived from its name. */
static void push_bodies(const RbvFlow *flow, RbvWrench *wrenches) {
    const RbvState *state = flow->state;
    const RbvModel *model = flow->system->model;
    for (int32_t b = 1; b < flow->system->bodies.count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        double mass = body->mass > 0 ? body->mass : 1;
        double arm = state->arm[b] > 0 ? state->arm[b] : 1;
        double d[6];
        for (int k = 0; k < 6; k++)
            d[k] = number_of(body->name, k) * mass * arm * (k < 3 ? 1 : arm);
        if (model->space != RBV_SPATIAL)
            d[2] = d[3] = d[4] = 0;
        wrenches[b] = (RbvWrench){{d[0], d[1], d[2]}, {d[3], d[4], d[5]}};
    }
}

void rbv_variation_begin(RbvVariation *v, RbvFlow *flow, double t, const double *y) {
    RbvState *state = flow->state;
    int64_t evaluations = flow->evaluations;
    v->begun = v->lost = v->closely = false;
    v->h = 0;
    v->end = t;
    push_bodies(flow, rbv_saddle_wrenches(flow->saddle));
    if (!rbv_saddle_answer(flow->saddle, v->shifted, flow->dq, flow->mu))
        return;
    const double *ease = rbv_saddle_inverse_mass(flow->saddle);
    double most = 0, alone = 0;
    for (int32_t j = 0; j < flow->n; j++) {
        most = rbv_max(most, v->share[j] * fabs(flow->dq[j]));
        alone = rbv_max(alone, v->share[j] * ease[j] * fabs(v->shifted[j]));
    }
    /* What moves less than this part of the movement that forces alone would cause is held by its constraints and
     * drives, except for rounding. */
    if (!(most > RBV_SAME * alone) || !isfinite(most))
        return;
    for (int32_t j = 0; j < flow->n; j++)
        flow->dq[j] *= MOVED / most;
    rbv_coordinates_step(&flow->system->coordinates, state->q, flow->dq);
    for (int32_t i = 0; i < flow->size; i++)
        v->w[i] = i < flow->positions ? (state->q[i] - y[i]) / MOVED : 0;
    v->scale = 0;
    v->begun = project(v, flow, t, y) && normalise(v, flow, 0);
    v->most = v->start = v->scale;
    flow->evaluations = evaluations;
}

void rbv_variation_note(RbvVariation *v, const RbvDormandPrince *method, double t, double h, const double *y) {
    if (!v->begun || v->lost)
        return;
    size_t bytes = (size_t)method->n * sizeof *y;
    const double *rate;
    v->t = t;
    v->h = h;
    memcpy(v->y[0], y, bytes);
    memcpy(v->f[0], method->k, bytes);
    for (int i = 0; i < 2; i++) {
        rbv_dormand_prince_stage(method, stages[i], y, h, v->y[1 + i], &rate);
        memcpy(v->f[1 + i], rate, bytes);
    }
}

/* k = (df/dy) w at stage i, at time t. False: not finite. */
static bool differentiate(RbvVariation *v, RbvFlow *flow, double t, int i, const double *w) {
    double length = movement(v, flow, w, v->h), e = MOVED / (length > 0 ? length : 1);
    move(flow, v->y[i], w, e, v->shifted);
    if (rbv_flow_rate(flow, t, v->shifted, v->rate) != RBV_OK)
        return false;
    for (int32_t j = 0; j < flow->size; j++)
        v->k[i][j] = (v->rate[j] - v->f[i][j]) / e;
    v->k[i][flow->size - 1] = 0;
    return true;
}

/* out = w + h times the sum of weights times k: a stage of w. */
static void combine(const RbvVariation *v, const RbvFlow *flow, const double *weight, int count, double *out) {
    for (int32_t j = 0; j < flow->size; j++) {
        double sum = 0;
        for (int i = 0; i < count; i++)
            sum += weight[i] * v->k[i][j];
        out[j] = v->w[j] + v->h * sum;
    }
}

/* Kutta's family of methods of order 4 with stages at 0, u, v, 1. */
typedef struct Kutta {
    double at[4], a[4][4];
} Kutta;

static Kutta kutta(double u, double v) {
    double q = 6 * u * v - 4 * (u + v) + 3;
    double a32 = v * (v - u) / (2 * u * (1 - 2 * u)),
           a42 = (1 - u) * (u + v - 1 - (2 * v - 1) * (2 * v - 1)) / (2 * u * (v - u) * q),
           a43 = (1 - 2 * u) * (1 - u) * (1 - v) / (v * (v - u) * q);
    double b2 = (2 * v - 1) / (12 * u * (v - u) * (1 - u)), b3 = (1 - 2 * u) / (12 * v * (v - u) * (1 - v)),
           b4 = 0.5 + (2 * (u + v) - 3) / (12 * (1 - u) * (1 - v));
    return (Kutta){{0, u, v, 1}, {{u}, {v - a32, a32}, {1 - a42 - a43, a42, a43}, {1 - b2 - b3 - b4, b2, b3, b4}}};
}

/* Carries w over the step, or the part of it before an event, by a step of the same method from y + e w, projected like
 * the motion's: the errors of both are equal. */
static bool shadow(RbvVariation *v, RbvFlow *flow, double end, const double *y1) {
    double error;
    move(flow, v->y[0], v->w, MOVED, v->k[0]);
    if (rbv_flow_rate(flow, v->t, v->k[0], rbv_dormand_prince_first(&v->method)) != RBV_OK)
        return false;
    memset(v->k[1], 0, (size_t)flow->size * sizeof(double));
    if (rbv_dormand_prince_step(&v->method, v->t, v->k[0], v->h, v->k[1], v->shifted, &error) != RBV_OK ||
        rbv_flow_hold(flow, end, v->shifted, NULL) != RBV_OK)
        return false;
    for (int32_t i = 0; i < flow->size - 1; i++)
        v->w[i] = (v->shifted[i] - y1[i]) / MOVED;
    v->carried = 0;
    return true;
}

/* Carries w over the step that was noted. */
static bool step(RbvVariation *v, RbvFlow *flow) {
    const Kutta method = kutta(1.0 / 3, 127.0 / 195);
    double *w = v->rate;
    if (!differentiate(v, flow, v->t, 0, v->w))
        return false;
    double fast = v->h * movement(v, flow, v->k[0], v->h) / movement(v, flow, v->w, v->h);
    if (fast > TOO_FAST) { /* as w' = -w / T over h > T, by the implicit Euler method */
        for (int32_t j = 0; j < flow->size; j++)
            v->w[j] += v->h / (1 + fast) * v->k[0][j];
        return true;
    }
    for (int i = 1; i < 4; i++) {
        combine(v, flow, method.a[i - 1], i, w);
        memcpy(v->k[i], w, (size_t)flow->size * sizeof *w);
        if (!differentiate(v, flow, v->t + method.at[i] * v->h, i, v->k[i]))
            return false;
    }
    combine(v, flow, method.a[3], 4, w);
    memcpy(v->w, w, (size_t)flow->size * sizeof *w);
    return true;
}

void rbv_variation_carry(RbvVariation *v, RbvFlow *flow, double end, const double *y1, const double *f1) {
    if (!v->begun || v->lost || v->h == 0)
        return;
    const bool whole = end >= v->t + WHOLE * v->h;
    size_t bytes = (size_t)flow->size * sizeof *y1;
    int64_t evaluations = flow->evaluations;
    v->h = whole ? v->h : end - v->t;
    if (v->h <= 0) { /* the step was taken back */
        v->h = 0;
        return;
    }
    memcpy(v->y[3], y1, bytes);
    memcpy(v->f[3], f1, bytes);
    rbv_repeats_swap(&flow->repeats);
    v->closely = v->closely || v->most - v->start > log(CLOSELY);
    bool good = whole && !v->closely ? step(v, flow) : shadow(v, flow, end, y1);
    rbv_repeats_swap(&flow->repeats);
    if (good && ++v->carried >= DRIFTS)
        good = project(v, flow, end, y1);
    v->lost = !good || !normalise(v, flow, v->h);
    v->most = v->lost ? v->most : rbv_max(v->most, v->scale + log(rbv_max(movement(v, flow, v->w, 0), 1e-300)));
    v->end = end;
    v->h = 0;
    flow->evaluations = evaluations;
}

void rbv_variation_project(RbvVariation *v, RbvFlow *flow, double t, const double *y) {
    int64_t evaluations = flow->evaluations;
    if (v->begun && !v->lost)
        v->lost = !project(v, flow, t, y);
    flow->evaluations = evaluations;
}

double rbv_variation_magnification(const RbvVariation *v) {
    return v->begun && !v->lost ? exp(v->most - v->start) : NAN;
}
