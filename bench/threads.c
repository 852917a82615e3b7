/* Blocks of samples on threads (decision 71): `inverse` and `kinematics` of 10^5 samples of a four-bar and 10^4 of a
 * train of ten loops, on one thread and on more. Goal: 1.85 times on two cores. Runs take turns, the best of five
 * counts. */
#include "machines.h"

#define ROUNDS 5
#define MOST 8

typedef RbvStatus (*Analysis)(const RbvSystem *, const RbvOptions *, RbvDiagnostics *, RbvResult **);

/* [s] of one run; negative: it failed. */
static double seconds_of(Analysis analysis, const RbvSystem *system, int samples, int threads) {
    RbvOptions options = rbv_options_default;
    RbvResult *result = NULL;
    options.from = 0;
    options.to = 1;
    options.step = 1.0 / samples;
    options.threads = threads;
    double start = bench_seconds();
    RbvStatus status = analysis(system, &options, NULL, &result);
    double took = bench_seconds() - start;
    rbv_result_destroy(result);
    return status == RBV_OK ? took : -1;
}

static bool compare(const char *name, Analysis analysis, const RbvSystem *system, int samples) {
    double best[MOST + 1] = {0};
    for (int round = 0; round < ROUNDS; round++)
        for (int threads = 1; threads <= MOST; threads *= 2) {
            double took = seconds_of(analysis, system, samples, threads);
            if (took < 0)
                return false;
            best[threads] = round == 0 || took < best[threads] ? took : best[threads];
        }
    printf("%-22s", name);
    for (int threads = 1; threads <= MOST; threads *= 2)
        printf("  %d: %6.3f s (%.2f)", threads, best[threads], best[1] / best[threads]);
    printf("\n");
    return true;
}

int main(void) {
    char *train = bench_train(10);
    RbvModel *model, *other;
    RbvSystem *four_bar = bench_system(bench_four_bar, &model), *loops = train ? bench_system(train, &other) : NULL;
    free(train);
    printf("threads: time of a run (times one thread)\n");
    bool good = four_bar && loops && compare("four-bar, inverse", rbv_inverse, four_bar, 100000) &&
                compare("four-bar, kinematics", rbv_kinematics, four_bar, 100000) &&
                compare("ten loops, inverse", rbv_inverse, loops, 10000) &&
                compare("ten loops, kinematics", rbv_kinematics, loops, 10000);
    rbv_system_destroy(four_bar);
    rbv_system_destroy(loops);
    if (four_bar)
        rbv_model_destroy(model);
    if (loops)
        rbv_model_destroy(other);
    return !good;
}
