/* Fuzz target: the whole way from a model text to a result. Mistakes must be said, never crash; what is accepted is
 * checked and solved for a few samples. */
#include <roberval/roberval.h>

#include <stdlib.h>

static bool briefly(void *context, double share) {
    (void)share;
    return ++*(int *)context < 3;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvModel *model = NULL;
    RbvSystem *system = NULL;
    RbvStatus status = rbv_model_read(
        &(RbvInput){.path = "fuzz/model.yaml", .text = (const char *)data, .length = size}, diagnostics, &model);
    if (status != RBV_OK && status != RBV_NO_MEMORY && rbv_diagnostics_count(diagnostics) == 0)
        abort(); /* refused without a word */
    if (status == RBV_OK && rbv_system_create(model, NULL, diagnostics, &system) == RBV_OK &&
        rbv_system_counts(system).coordinates < 60 && rbv_system_counts(system).rows < 80) {
        int calls = 0;
        RbvOptions options = rbv_options_default;
        RbvResult *result = NULL;
        options.from = 0;
        options.to = 0.02;
        options.step = 0.01;
        options.progress = briefly;
        options.context = &calls;
        options.check.along_motion = true;
        rbv_check(system, &options, diagnostics, &result);
        rbv_result_destroy(result);
        result = NULL;
        rbv_inverse(system, &options, diagnostics, &result);
        free(rbv_result_text(result, RBV_TEXT_JSON, NULL));
        rbv_result_destroy(result);
    }
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(diagnostics);
    return 0;
}
