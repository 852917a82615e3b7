/* A state from the caller against a sample of a series: the four-bar at successive crank angles, limit 1.2, and at
 * random ones, median, limit 3; and other values of parameters against reading and compiling anew. */
#include "machines.h"

#include <math.h>

/* Samples of the short and of the long run. */
#define FEW 1000
#define MANY 11000

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double random_number(uint64_t *seed) {
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* Best of several rounds, of the difference of a long and a short run. */
static double per_sample(const RbvSystem *system, double step) {
    double best = 1e9;
    for (int k = 0; k < 7; k++) {
        double few = bench_inverse(system, FEW * step, step, RBV_METHOD_TWO_STEP),
               many = bench_inverse(system, MANY * step, step, RBV_METHOD_TWO_STEP);
        if (few < 0 || many < 0)
            return -1;
        best = fmin(best, (many - few) / (MANY - FEW));
    }
    return best;
}

/* Successive states of the same motion, told by the caller. */
static double per_state(RbvEvaluation *evaluation, double step) {
    double best = 1e9;
    for (int round = 0; round < 7; round++) {
        double begin = 0;
        for (int k = 0; k < MANY; k++) {
            double t = (round * MANY + k) * step;
            if (k == FEW)
                begin = bench_seconds();
            rbv_evaluation_set_time(evaluation, t);
            rbv_evaluation_set_drive(evaluation, 0, 0.9 + 6 * t, 6, 0);
            if (rbv_evaluation_inverse(evaluation) != RBV_OK)
                return -1;
        }
        best = fmin(best, (bench_seconds() - begin) / (MANY - FEW));
    }
    return best;
}

static double per_jump(RbvEvaluation *evaluation) {
    enum { COUNT = 4001 };
    static double each[COUNT];
    uint64_t seed = 0x9e3779b97f4a7c15u;
    for (int k = 0; k < COUNT; k++) {
        double angle = 6.283185307179586 * random_number(&seed), begin = bench_seconds();
        rbv_evaluation_set_drive(evaluation, 0, angle, 6, 0);
        if (rbv_evaluation_inverse(evaluation) != RBV_OK)
            return -1;
        each[k] = bench_seconds() - begin;
    }
    qsort(each, COUNT, sizeof *each, by_size);
    return each[COUNT / 2];
}

/* ---- other values of parameters ---- */

/* The four-bar with the crank's length and mass, the speed and a force as parameters. */
static const char four_bar[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {a: 0.1, m: 0.5, n: 6, F: 10}\n"
    "bodies:\n  ground: {markers: {O: [0, 0], Q: [0.4, 0]}}\n"
    "  crank: {mass: m, inertia: 4e-4, centroid: [\"a/2\", 0], pose: {angle: 0.9}, markers: {A: [a, 0]}}\n"
    "  rod: {mass: 2, inertia: 0.03, pose: {at: [0.062, 0.078], angle: 0.6}, markers: {B: [0.4, 0], P: [0.2, 0.1]}}\n"
    "  rocker: {mass: 1.5, inertia: 0.02, pose: {at: [0.4, 0], angle: 1.5}, markers: {B: [0.3, 0]}}\n"
    "joints:\n  O: {type: revolute, between: [ground.O, crank]}\n  A: {type: revolute, between: [crank.A, rod]}\n"
    "  B: {type: revolute, between: [rod.B, rocker.B]}\n  Q: {type: revolute, between: [ground.Q, rocker]}\n"
    "drives: {motor: {coordinate: O.angle, motion: \"0.9 + n*t\"}}\nloads: {push: {type: force, to: rod.P, value: "
    "[\"F*cos(n*t)\", \"-F\"]}}\n"
    "motion: {from: 0, to: 1, step: 0.01}\n";

/* Arms in a row: the mass of the last is m, the length of all is L. */
static char *chain(int count) {
    size_t size = 400 * (size_t)count + 400;
    char *text = malloc(size), *at = text;
    if (!text)
        return NULL;
    at += sprintf(at, "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {m: 1, L: 0.1}\nbodies:\n");
    for (int k = 0; k < count; k++)
        at += sprintf(at,
                      "  b%d: {mass: %s, inertia: 0.01, centroid: [\"L/2\", 0], pose: {at: [\"%d*L\", 0]}, markers: "
                      "{P: [L, 0]}}\n",
                      k, k == count - 1 ? "m" : "1", k);
    at += sprintf(at, "joints:\n  j0: {type: revolute, between: [ground, b0]}\n");
    for (int k = 1; k < count; k++)
        at += sprintf(at, "  j%d: {type: revolute, between: [b%d.P, b%d]}\n", k, k - 1, k);
    at += sprintf(at, "drives:\n");
    for (int k = 0; k < count; k++)
        at += sprintf(at, "  d%d: {coordinate: j%d.angle, motion: \"0.01*t\"}\n", k, k);
    sprintf(at, "motion: {from: 0, to: 1, step: 0.1}\n");
    return text;
}

/* The best of several rounds of giving a parameter another value, and, where there is an evaluation, of evaluating
 * after it. */
static double per_change(RbvSystem *system, const char *name, RbvEvaluation *evaluation, int count) {
    int32_t parameter = rbv_system_find(system, RBV_ITEM_PARAMETER, name);
    double own = rbv_system_parameter(system, parameter), best = 1e9;
    for (int round = 0; round < 5; round++) {
        double begin = bench_seconds();
        for (int k = 0; k < count; k++) {
            if (rbv_system_set_parameters(system, 1, &(RbvParameterValue){parameter, own * (1 + 1e-4 * (k % 7))},
                                          NULL) != RBV_OK)
                return -1;
            if (evaluation && rbv_evaluation_inverse(evaluation) != RBV_OK)
                return -1;
        }
        best = fmin(best, (bench_seconds() - begin) / count);
    }
    return best;
}

static double per_reading(const char *text, int count) {
    double best = 1e9;
    for (int round = 0; round < 5; round++) {
        double begin = bench_seconds();
        for (int k = 0; k < count; k++) {
            RbvModel *model;
            RbvSystem *system = bench_system(text, &model);
            if (!system)
                return -1;
            rbv_system_destroy(system);
            rbv_model_destroy(model);
        }
        best = fmin(best, (bench_seconds() - begin) / count);
    }
    return best;
}

static int compare_changes(void) {
    static const char *const names[] = {"a", "m", "n", "F"}, *const of_chain[] = {"m", "L"};
    RbvModel *model;
    RbvEvaluation *evaluation = NULL;
    RbvSystem *system = bench_system(four_bar, &model);
    if (!system || rbv_evaluation_create(system, NULL, NULL, &evaluation) != RBV_OK)
        return 1;
    printf("four-bar read and compiled anew: %7.1f us\n", 1e6 * per_reading(four_bar, 200));
    for (int k = 0; k < 4; k++)
        printf("  another %s: %6.2f us, with the next evaluation %6.2f us\n", names[k],
               1e6 * per_change(system, names[k], NULL, 1000), 1e6 * per_change(system, names[k], evaluation, 1000));
    rbv_evaluation_destroy(evaluation);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    char *text = chain(1000);
    system = text ? bench_system(text, &model) : NULL;
    if (!system)
        return 1;
    printf("chain of 1000 read and compiled anew: %7.2f ms\n", 1e3 * per_reading(text, 3));
    for (int k = 0; k < 2; k++)
        printf("  another %s: %6.3f ms\n", of_chain[k], 1e3 * per_change(system, of_chain[k], NULL, 20));
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    free(text);
    return 0;
}

int main(void) {
    RbvModel *model;
    RbvSystem *system = bench_system(bench_four_bar, &model);
    RbvEvaluation *evaluation = NULL;
    if (!system || rbv_evaluation_create(system, NULL, NULL, &evaluation) != RBV_OK)
        return 1;
    static const double steps[] = {1e-2, 1e-3, 1e-4};
    double sample = 0;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        double series = per_sample(system, steps[k]), state = per_state(evaluation, steps[k]);
        if (k == 0)
            sample = series;
        printf("successive, step %g s: %6.2f us, a sample of the series %6.2f us: %.2f (limit 1.2)\n", steps[k],
               1e6 * state, 1e6 * series, state / series);
    }
    double jump = per_jump(evaluation);
    printf("random, median:       %6.2f us: %.2f samples of 10 ms (limit 3)\n", 1e6 * jump, jump / sample);
    rbv_evaluation_destroy(evaluation);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    return compare_changes();
}
