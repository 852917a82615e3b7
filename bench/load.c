/* Time to load a model file of 1 MB: read, check, resolve names (limit 80 ms), and to compile it. */
#include "machines.h"

int main(void) {
    int loops = 100;
    char *text = bench_train(loops);
    while (text && strlen(text) < 1000000) {
        loops = (int)((double)loops * 1.02e6 / (double)strlen(text)) + 1;
        free(text);
        text = bench_train(loops);
    }
    if (!text)
        return 1;
    double read = 1e9, compiled = 1e9;
    for (int round = 0; round < 7; round++) {
        RbvModel *model = NULL;
        RbvSystem *system = NULL;
        double start = bench_seconds();
        if (rbv_model_read(&(RbvInput){.path = "bench.yaml", .text = text, .length = strlen(text)}, NULL, &model) !=
            RBV_OK)
            return 1;
        double middle = bench_seconds();
        if (rbv_system_create(model, NULL, NULL, &system) != RBV_OK)
            return 1;
        double end = bench_seconds();
        read = middle - start < read ? middle - start : read;
        compiled = end - middle < compiled ? end - middle : compiled;
        rbv_system_destroy(system);
        rbv_model_destroy(model);
    }
    printf("model of %.2f MB, %d loops: read in %.1f ms (limit 80), compiled in %.1f ms\n", 1e-6 * (double)strlen(text),
           loops, 1e3 * read, 1e3 * compiled);
    free(text);
    return 0;
}
