/* Time per sample of inverse dynamics by each method in each kind of coordinates, on four mechanisms: the table of
 * docs/methods.md.
 *
 * All of a sample is in it: motion, loads, multipliers, reactions, verdicts, audit, record. The difference of a long
 * and a short run takes out reading and assembly. Best of several rounds. */
#include "machines.h"

#include <math.h>

typedef struct Method {
    const char *name;
    RbvInverseMethod method;
} Method;
static const Method methods[] = {{"two-step", RBV_METHOD_TWO_STEP},   {"lagrange", RBV_METHOD_LAGRANGE},
                                 {"newton", RBV_METHOD_NEWTON},       {"penalty", RBV_METHOD_PENALTY},
                                 {"augmented", RBV_METHOD_AUGMENTED}, {"virtual-power", RBV_METHOD_VIRTUAL_POWER},
                                 {"recursive", RBV_METHOD_RECURSIVE}, {"pseudo-inverse", RBV_METHOD_PSEUDO_INVERSE}};

typedef struct Machine {
    const char *name;
    char *text; /* or */
    const char *file;
    int samples;
} Machine;

static RbvSystem *compile(const Machine *machine, RbvCoordinatesChoice coordinates, RbvModel **model) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvSystem *system = NULL;
    RbvStatus status =
        machine->text
            ? rbv_model_read(&(RbvInput){.path = "bench.yaml", .text = machine->text, .length = strlen(machine->text)},
                             diagnostics, model)
            : rbv_model_read(&(RbvInput){.path = machine->file}, diagnostics, model);
    if (status == RBV_OK)
        rbv_system_create(*model, &(RbvSystemOptions){.coordinates = coordinates}, diagnostics, &system);
    for (int32_t k = 0; !system && k < rbv_diagnostics_count(diagnostics); k++)
        fprintf(stderr, "%s\n", rbv_diagnostics_at(diagnostics, k).message);
    rbv_diagnostics_destroy(diagnostics);
    return system;
}

/* Seconds per sample; NaN: the method does not take it. */
static double per_sample(const RbvSystem *system, const Machine *machine, RbvInverseMethod method) {
    double best = INFINITY, to = 0.5;
    int few = machine->samples / 10, many = machine->samples;
    for (int round = 0; round < 5; round++) {
        double a = bench_inverse(system, to, to / few, method), b = bench_inverse(system, to, to / many, method);
        if (a < 0 || b < 0)
            return NAN;
        best = fmin(best, (b - a) / (many - few));
    }
    return best;
}

static void measure(const Machine *machine) {
    static const char *const coordinates[] = {"absolute", "natural", "joint"};
    double first = NAN;
    for (int c = 0; c < 3; c++) {
        RbvModel *model = NULL;
        RbvSystem *system = compile(machine, (RbvCoordinatesChoice)c, &model);
        for (size_t k = 0; system && k < sizeof methods / sizeof methods[0]; k++) {
            double each = per_sample(system, machine, methods[k].method);
            first = isnan(first) ? each : first;
            printf("%-28s %-9s %-14s %9.2f us  %6.2f of the first\n", machine->name, coordinates[c], methods[k].name,
                   1e6 * each, each / first);
        }
        rbv_system_destroy(system);
        rbv_model_destroy(model);
    }
}

int main(void) {
    char *four_bar = malloc(sizeof bench_four_bar), *train = bench_train(20);
    if (!four_bar || !train)
        return 1;
    memcpy(four_bar, bench_four_bar, sizeof bench_four_bar);
    const Machine machines[] = {
        {"four-bar", four_bar, NULL, 5000},
        {"train of 20 loops", train, NULL, 1000},
        {"slider-crank of space", NULL, RBV_SOURCE_DIR "/examples/slider3d/slider3d.yaml", 3000},
        {"Bricard's, overconstrained", NULL, RBV_SOURCE_DIR "/examples/bricard/bricard.yaml", 2000}};
    for (size_t k = 0; k < sizeof machines / sizeof machines[0]; k++)
        measure(&machines[k]);
    free(four_bar);
    free(train);
    return 0;
}
