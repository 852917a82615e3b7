/* Inverse dynamics with Roberval, in the words of the programs for its peers.
 *
 *   roberval MODEL SAMPLE...      prints efforts and reactions (ground axes) at these samples, and verdicts
 *
 * A sample holds all that rbv_inverse does: position from the last one, velocity, acceleration, forces, reactions,
 * watch over the rank, audit, record. Reading, compiling, assembly and the verdicts at the start are taken out: the
 * difference of the whole motion and its first tenth. */
#include <roberval/roberval.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void say(const RbvDiagnostics *diagnostics) {
    for (int32_t k = 0; k < rbv_diagnostics_count(diagnostics); k++)
        if (rbv_diagnostics_at(diagnostics, k).severity == RBV_ERROR)
            fprintf(stderr, "roberval: %s\n", rbv_diagnostics_at(diagnostics, k).message);
}

/* The number N of samples to be computed once by `way`, before the program ends: PEERS_COUNT="WAY N" in the
 * environment; 0: measure; -1: another way is requested. */
static int32_t counted(const char *way) {
    const char *requested = getenv("PEERS_COUNT");
    size_t size = strlen(way);
    if (!requested)
        return 0;
    return strncmp(requested, way, size) == 0 && requested[size] == ' ' ? atoi(requested + size) : -1;
}

/* One analysis up to the time `to` (NaN: all of the motion); NULL and a message when it fails. */
static RbvResult *inverse(const RbvSystem *system, RbvInverseMethod method, double to, double *spent) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvOptions options = rbv_options_default;
    RbvResult *result = NULL;
    options.inverse.method = method;
    options.threads = 1; /* peers compute on one core */
    options.reactions.frame = RBV_FRAME_GROUND;
    options.to = to;
    double start = seconds();
    RbvStatus status = rbv_inverse(system, &options, diagnostics, &result);
    *spent = seconds() - start;
    if (status != RBV_OK) {
        say(diagnostics);
        rbv_result_destroy(result);
        result = NULL;
    }
    rbv_diagnostics_destroy(diagnostics);
    return result;
}

/* One analysis of `samples` samples, and the end of the program. */
static void count_samples(const RbvSystem *system, RbvInverseMethod method, int32_t samples) {
    RbvResult *motion = NULL;
    double spent;
    if (rbv_kinematics(system, NULL, NULL, &motion) != RBV_OK || samples > rbv_result_counts(motion).samples)
        exit(2);
    exit(inverse(system, method, rbv_result_value(motion, samples - 1, 0), &spent) ? 0 : 1);
}

/* Seconds per sample, and the result of the whole motion; the best of several rounds within some seconds. */
static double measure(const RbvSystem *system, RbvInverseMethod method, RbvResult **kept) {
    double many = 1e9, few = 1e9, begun = seconds(), spent;
    int32_t all = 0, first = 0;
    for (int round = 0; round < 7 && (round < 2 || seconds() - begun < 3); round++) {
        RbvResult *result = inverse(system, method, rbv_options_default.to, &spent);
        if (!result)
            return -1;
        many = spent < many ? spent : many;
        all = rbv_result_counts(result).samples;
        double to = rbv_result_value(result, all / 10, 0);
        rbv_result_destroy(*kept);
        *kept = result;
        result = inverse(system, method, to, &spent);
        if (!result)
            return -1;
        few = spent < few ? spent : few;
        first = rbv_result_counts(result).samples;
        rbv_result_destroy(result);
    }
    return (many - few) / (all - first);
}

static const char *const components[] = {"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};

/* The column of joint (length `size`) and component, or -1. */
static int32_t column(const RbvResult *result, const char *joint, size_t size, const char *component) {
    char name[200];
    snprintf(name, sizeof name, "%.*s.%s", (int)size, joint, component);
    return rbv_result_find(result, name);
}

static const char *verdict_word(RbvVerdict verdict) {
    switch (verdict) {
    case RBV_FREE: return "free";
    case RBV_UNIQUE: return "unique";
    case RBV_COMPLIANCE: return "compliance";
    case RBV_UNSURE: return "unsure";
    case RBV_NOT_UNIQUE: return "open";
    }
    return "?";
}

/* Every joint once: at its Fx. */
static void print_joint(const RbvResult *result, const char *way, const char *joint, size_t size, int count,
                        char **samples) {
    printf("verdict %s %.*s", way, (int)size, joint);
    for (int c = 0; c < 6; c++) {
        int32_t of = column(result, joint, size, components[c]);
        printf(" %s", of < 0 ? "free" : verdict_word(rbv_result_column(result, of).verdict));
    }
    printf("\n");
    for (int k = 0; k < count; k++) {
        printf("reaction %s %s %.*s", way, samples[k], (int)size, joint);
        for (int c = 0; c < 6; c++) {
            int32_t of = column(result, joint, size, components[c]);
            printf(" %.17g", of < 0 ? 0.0 : rbv_result_value(result, atoi(samples[k]), of));
        }
        printf("\n");
    }
}

static void print(const RbvResult *result, const char *way, int count, char **samples) {
    for (int32_t i = 0; i < rbv_result_counts(result).columns; i++) {
        const char *name = rbv_result_column(result, i).name, *dot = strrchr(name, '.');
        if (!dot)
            continue;
        size_t size = (size_t)(dot - name);
        if (strcmp(dot, ".Fx") == 0)
            print_joint(result, way, name, size, count, samples);
        for (int k = 0; k < count && strcmp(dot, ".effort") == 0; k++)
            printf("effort %s %s %.*s %.17g\n", way, samples[k], (int)size, name,
                   rbv_result_value(result, atoi(samples[k]), i));
    }
}

int main(int count, char **words) {
    if (count < 2)
        return 2;
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvModel *model = NULL;
    RbvSystem *system = NULL;
    int status = 1;
    if (rbv_model_read(&(RbvInput){.path = words[1]}, diagnostics, &model) == RBV_OK)
        rbv_system_create(model, NULL, diagnostics, &system);
    say(diagnostics);
    static const RbvInverseMethod methods[] = {RBV_METHOD_TWO_STEP, RBV_METHOD_LAGRANGE};
    static const char *const ways[] = {"two-step", "lagrange"};
    for (int k = 0; system && k < 2; k++) {
        RbvResult *result = NULL;
        int32_t samples = counted(ways[k]);
        if (samples > 0)
            count_samples(system, methods[k], samples);
        if (samples < 0)
            continue;
        double each = measure(system, methods[k], &result);
        if (each >= 0) {
            printf("time %s %.9g\n", ways[k], each);
            print(result, ways[k], count - 2, words + 2);
            status = 0;
        }
        rbv_result_destroy(result);
    }
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(diagnostics);
    return status;
}
