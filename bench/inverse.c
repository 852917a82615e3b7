/* Time per sample of inverse dynamics: position, velocity, acceleration, multipliers, reactions, verdict monitor,
 * audit, record.
 *
 * The four-bar is judged at <= 5 us per sample; the train of N loops at growth linear in N. The difference of a long
 * and a short run takes out assembly. Best of several rounds: machines are noisy. */
#include "machines.h"

static double per_sample(const RbvSystem *system, double step_long, double step_short, RbvInverseMethod method,
                         int rounds) {
    double best = 1e9, to = 1;
    for (int k = 0; k < rounds; k++) {
        double few = bench_inverse(system, to, step_short, method), many = bench_inverse(system, to, step_long, method);
        if (few < 0 || many < 0)
            return -1;
        double samples = to / step_long - to / step_short, each = (many - few) / samples;
        best = each < best ? each : best;
    }
    return best;
}

int main(void) {
    RbvModel *model;
    RbvSystem *system = bench_system(bench_four_bar, &model);
    if (!system)
        return 1;
    double two = per_sample(system, 1e-5, 1e-3, RBV_METHOD_TWO_STEP, 7);
    double one = per_sample(system, 1e-5, 1e-3, RBV_METHOD_LAGRANGE, 7);
    printf("four-bar, two-step:  %6.2f us per sample (limit 5)\n", 1e6 * two);
    printf("four-bar, lagrange:  %6.2f us per sample\n", 1e6 * one);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    static const int sizes[] = {1, 3, 10, 30, 100, 300, 1000};
    double first = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        char *text = bench_train(sizes[k]);
        double start = bench_seconds();
        system = text ? bench_system(text, &model) : NULL;
        double loaded = bench_seconds() - start;
        if (!system)
            return 1;
        int many = sizes[k] < 100 ? 2000 : 500;
        double each = per_sample(system, 1.0 / many, 1.0 / (many / 10), RBV_METHOD_TWO_STEP, 3);
        double bodies = 2.0 * sizes[k] + 1;
        if (k == 0)
            first = each / bodies;
        printf("train of %4d loops: %9.2f us per sample, %6.3f us per body (%.2f of one loop), read and compiled in "
               "%.1f ms\n",
               sizes[k], 1e6 * each, 1e6 * each / bodies, each / bodies / first, 1e3 * loaded);
        rbv_system_destroy(system);
        rbv_model_destroy(model);
        free(text);
    }
    return 0;
}
