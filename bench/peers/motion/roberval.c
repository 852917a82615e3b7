/* Motion from forces with Roberval, in the words of the programs for its peers.
 *
 *   roberval MODEL explicit|implicit|joint|joint-implicit TOLERANCE
 *
 * Prints `cpu`, the processor time of one rbv_simulate [s], the mean of as many as fill some tenths of a second; `at
 * t x y z` for every sample after the first, from the model's outputs px py pz; `value` name number. A sample holds
 * reactions, verdicts and the audit; reading and compiling are not counted. */
#include <roberval/roberval.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ENOUGH 0.3 /* [s] of repetitions */
#define MOST 1000

static double cpu_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static void say(const RbvDiagnostics *diagnostics) {
    for (int32_t k = 0; k < rbv_diagnostics_count(diagnostics); k++)
        if (rbv_diagnostics_at(diagnostics, k).severity == RBV_ERROR)
            fprintf(stderr, "roberval: %s\n", rbv_diagnostics_at(diagnostics, k).message);
}

static void print(const RbvResult *result) {
    static const char *const names[] = {"px", "py", "pz"};
    for (int32_t k = 1; k < rbv_result_counts(result).samples; k++) {
        printf("at %.17g", rbv_result_value(result, k, 0));
        for (int i = 0; i < 3; i++) {
            int32_t column = rbv_result_find(result, names[i]);
            printf(" %.17g", column < 0 ? 0.0 : rbv_result_value(result, k, column));
        }
        printf("\n");
    }
    int32_t energy = rbv_result_find(result, "energy.error");
    double worst = 0;
    for (int32_t k = 0; energy >= 0 && k < rbv_result_counts(result).samples; k++)
        worst = fmax(worst, fabs(rbv_result_value(result, k, energy)));
    printf("value energy %.3g\n", worst);
}

int main(int count, char **words) {
    if (count != 4)
        return 2;
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvModel *model = NULL;
    RbvSystem *system = NULL;
    RbvResult *result = NULL;
    RbvOptions options = rbv_options_default;
    RbvCoordinatesChoice coordinates =
        strncmp(words[2], "joint", 5) == 0 ? RBV_COORDINATES_JOINT : RBV_COORDINATES_ABSOLUTE;
    options.motion.method = strstr(words[2], "implicit") ? RBV_MOTION_IMPLICIT : RBV_MOTION_EXPLICIT;
    options.motion.tolerance = atof(words[3]);
    RbvStatus status = rbv_model_read(&(RbvInput){.path = words[1]}, diagnostics, &model);
    if (status == RBV_OK)
        status = rbv_system_create(model, &(RbvSystemOptions){.coordinates = coordinates}, diagnostics, &system);
    double begun = cpu_seconds(), spent = 0;
    int rounds = 0;
    for (; status == RBV_OK && rounds < MOST && (rounds == 0 || spent < ENOUGH); rounds++) {
        rbv_result_destroy(result);
        status = rbv_simulate(system, &options, diagnostics, &result);
        spent = cpu_seconds() - begun;
    }
    say(diagnostics);
    if (status == RBV_OK) {
        printf("cpu %.6g\n", spent / rounds);
        print(result);
    }
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(diagnostics);
    return status == RBV_OK ? 0 : 1;
}
