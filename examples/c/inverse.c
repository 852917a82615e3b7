/* Read a model file, solve its inverse dynamics, print a torque and a reaction over time.
 * usage: inverse [MODEL DRIVE REACTION]     default: press/press.yaml servo.effort crankpin.Fx (run in examples/) */
#include <roberval/roberval.h>

#include <stdio.h>

static const char *const severity_text[] = {"note", "warning", "error"};

static void print_messages(const RbvDiagnostics *diagnostics) {
    for (int32_t k = 0; k < rbv_diagnostics_count(diagnostics); k++) {
        RbvDiagnostic d = rbv_diagnostics_at(diagnostics, k);
        fprintf(stderr, "%s:%d:%d: %s: %s\n", d.file, (int)d.at.line, (int)d.at.column, severity_text[d.severity],
                d.message);
    }
}

static int print_columns(const RbvResult *result, const char *const *names) {
    int32_t column[2];
    for (int k = 0; k < 2; k++) {
        column[k] = rbv_result_find(result, names[k]);
        if (column[k] < 0) {
            fprintf(stderr, "the result has no column %s\n", names[k]);
            return 2;
        }
        printf("%s [%s]%s\n", names[k], rbv_result_column(result, column[k]).unit,
               rbv_result_column(result, column[k]).verdict == RBV_NOT_UNIQUE ? " (not unique)" : "");
    }
    int32_t samples = rbv_result_counts(result).samples, stride = samples > 12 ? samples / 12 : 1;
    for (int32_t k = 0; k < samples; k += stride)
        printf("%10.4f s  %14.6g  %14.6g\n", rbv_result_value(result, k, 0), rbv_result_value(result, k, column[0]),
               rbv_result_value(result, k, column[1]));
    return 0;
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "press/press.yaml";
    const char *names[2] = {argc > 3 ? argv[2] : "servo.effort", argc > 3 ? argv[3] : "crankpin.Fx"};
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvModel *model = NULL;
    RbvSystem *system = NULL;
    RbvResult *result = NULL;

    RbvStatus status = rbv_model_read(&(RbvInput){.path = path}, diagnostics, &model);
    if (status == RBV_OK)
        status = rbv_system_create(model, NULL, diagnostics, &system);
    if (status == RBV_OK)
        status = rbv_inverse(system, NULL, diagnostics, &result);
    print_messages(diagnostics);
    int code = status == RBV_OK ? print_columns(result, names) : 1;
    if (status != RBV_OK)
        fprintf(stderr, "%s: %s\n", path, rbv_status_text(status));

    if (result)
        rbv_result_destroy(result);
    if (system)
        rbv_system_destroy(system);
    if (model)
        rbv_model_destroy(model);
    rbv_diagnostics_destroy(diagnostics);
    return code;
}
