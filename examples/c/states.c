/* States from the program instead of a motion: the torque that holds a machine at any angle of its crank, and turns
 * it there at a given speed. usage: states [MODEL DRIVE RATE]     default: pumpjack/pumpjack.yaml gearbox 1 (run in
 * examples/); RATE in rad/s or m/s */
#include <roberval/roberval.h>

#include <stdio.h>
#include <stdlib.h>

#define STATES 12

static void print_messages(const RbvDiagnostics *diagnostics) {
    for (int32_t k = 0; k < rbv_diagnostics_count(diagnostics); k++)
        fprintf(stderr, "%s\n", rbv_diagnostics_at(diagnostics, k).message);
}

/* The drive's effort at a value and rate of its coordinate. */
static RbvStatus effort_at(RbvEvaluation *evaluation, int32_t drive, const double *effort, double value, double rate,
                           double *out) {
    RbvStatus status = rbv_evaluation_set_drive(evaluation, drive, value, rate, 0);
    if (status == RBV_OK)
        status = rbv_evaluation_inverse(evaluation);
    *out = *effort; /* the pointer stays; the number is that of the last evaluation */
    return status;
}

static RbvStatus print_table(RbvEvaluation *evaluation, int32_t drive, const double *effort, double rate) {
    RbvStatus status = RBV_OK;
    printf("%12s  %14s  %14s\n", "value", "effort at rest", "moving");
    for (int k = 0; k < STATES && status == RBV_OK; k++) {
        double value = (k * 5 % STATES) * 6.283185307179586 / STATES, at_rest = 0, moving = 0; /* in any order */
        status = effort_at(evaluation, drive, effort, value, 0, &at_rest);
        if (status == RBV_OK)
            status = effort_at(evaluation, drive, effort, value, rate, &moving);
        if (status == RBV_OK)
            printf("%12.6f  %14.6g  %14.6g\n", value, at_rest, moving);
    }
    return status;
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "pumpjack/pumpjack.yaml", *name = argc > 2 ? argv[2] : "gearbox";
    double rate = argc > 3 ? strtod(argv[3], NULL) : 1;
    char column[200];
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvModel *model = NULL;
    RbvSystem *system = NULL;
    RbvEvaluation *evaluation = NULL;

    RbvStatus status = rbv_model_read(&(RbvInput){.path = path}, diagnostics, &model);
    if (status == RBV_OK)
        status = rbv_system_create(model, NULL, diagnostics, &system);
    if (status == RBV_OK)
        status = rbv_evaluation_create(system, NULL, diagnostics, &evaluation);
    int32_t drive = rbv_system_find(system, RBV_ITEM_DRIVE, name);
    snprintf(column, sizeof column, "%s.effort", name);
    const double *effort = rbv_evaluation_column(evaluation, column).value;
    if (status == RBV_OK && (drive < 0 || !effort))
        fprintf(stderr, "%s has no drive '%s'\n", path, name);
    else if (status == RBV_OK)
        status = print_table(evaluation, drive, effort, rate);
    if (status != RBV_OK)
        fprintf(stderr, "%s: %s\n", path, rbv_status_text(status));
    print_messages(diagnostics);
    int code = status == RBV_OK && effort ? 0 : 1;

    rbv_evaluation_destroy(evaluation);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(diagnostics);
    return code;
}
