/* A state from the caller against a sample of a series: the four-bar at successive crank angles, limit 1.2, and at random ones, median, limit 3. */
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
        double few = bench_inverse(system, FEW * step, step, RBV_METHOD_TWO_STEP), many = bench_inverse(system, MANY * step, step, RBV_METHOD_TWO_STEP);
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
        printf("successive, step %g s: %6.2f us, a sample of the series %6.2f us: %.2f (limit 1.2)\n", steps[k], 1e6 * state, 1e6 * series, state / series);
    }
    double jump = per_jump(evaluation);
    printf("random, median:       %6.2f us: %.2f samples of 10 ms (limit 3)\n", 1e6 * jump, jump / sample);
    rbv_evaluation_destroy(evaluation);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    return 0;
}
