/* Processor time and memory from text to result of check and of one sample of inverse dynamics, for mechanisms of
 * many bodies (goal for 100 000: check in 5 s, inverse within 400 MB). A train of parallelograms is one block as
 * large as the mechanism; a chain of driven bars falls into as many blocks as there are bars. Each run is a process
 * of its own. */
#define _DEFAULT_SOURCE
#include "machines.h"

#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char *chain(int count) {
    size_t size = (size_t)count * 360 + 500, used = 0;
    char *text = malloc(size);
    if (!text)
        return NULL;
#define PUT(...) used += (size_t)snprintf(text + used, size - used, __VA_ARGS__)
    PUT("roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n");
    double x = 0, y = 0;
    for (int k = 0; k < count; k++) {
        double angle = 0.1 * (k % 2);
        PUT("  b%d: {mass: 1, inertia: 0.1, centroid: [0.5, 0], pose: {at: [%.17g, %.17g], angle: %g}, markers: {P: "
            "[0, 0], Q: [1, 0]}}\n",
            k, x, y, angle);
        x += cos(angle);
        y += sin(angle);
    }
    PUT("joints:\n  j0: {type: revolute, between: [ground, b0.P]}\n");
    for (int k = 1; k < count; k++)
        PUT("  j%d: {type: revolute, between: [b%d.Q, b%d.P]}\n", k, k - 1, k);
    PUT("drives:\n");
    for (int k = 0; k < count; k++)
        PUT("  d%d: {coordinate: j%d.angle, motion: \"%g\"}\n", k, k, k == 0 ? 0 : k % 2 ? 0.1 : -0.1);
    PUT("motion: {from: 0, to: 0, step: 1}\n");
#undef PUT
    return text;
}

typedef RbvStatus Analysis(const RbvSystem *, const RbvOptions *, RbvDiagnostics *, RbvResult **);

/* As the program does it, in this process. */
static bool run(char *text, Analysis *analysis) {
    RbvModel *model;
    RbvSystem *system = bench_system(text, &model);
    free(text);
    RbvOptions options = rbv_options_default;
    options.to = 0;
    RbvResult *result = NULL;
    bool good = system && analysis(system, &options, NULL, &result) == RBV_OK;
    rbv_result_destroy(result);
    if (system) {
        rbv_system_destroy(system);
        rbv_model_destroy(model);
    }
    return good;
}

static bool measure(const char *command, Analysis *analysis, const char *kind, char *(*make)(int), int bodies,
                    int parts) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        char *text = make(parts);
        _exit(text && run(text, analysis) ? 0 : 1);
    }
    int status;
    struct rusage used;
    if (child < 0 || wait4(child, &status, 0, &used) != child || status != 0)
        return false;
    double seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                     1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    printf("%-8s %-6s %7d bodies: %6.2f s, %4ld MB\n", command, kind, bodies, seconds, used.ru_maxrss / 1024);
    return true;
}

int main(void) {
    static const int sizes[] = {1000, 10000, 100000};
    bool good = true;
    for (size_t k = 0; good && k < sizeof sizes / sizeof sizes[0]; k++) {
        int n = sizes[k], loops = (n - 1) / 2;
        good = measure("check", rbv_check, "chain", chain, n, n) &&
               measure("inverse", rbv_inverse, "chain", chain, n, n) &&
               measure("check", rbv_check, "train", bench_train, 2 * loops + 1, loops) &&
               measure("inverse", rbv_inverse, "train", bench_train, 2 * loops + 1, loops);
    }
    return good ? 0 : 1;
}
