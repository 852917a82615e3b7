/* Studies: threads against one, variants against bare calls, the journal, resuming, memory; tolerances against the
 * analysis. Argument: variants of one sample (default 100000). */
#define _GNU_SOURCE
#include <roberval/roberval.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop(const char *what, RbvDiagnostics *diagnostics) {
    fprintf(stderr, "%s failed\n", what);
    for (int32_t k = 0; k < rbv_diagnostics_count(diagnostics); k++)
        fprintf(stderr, "%s\n", rbv_diagnostics_at(diagnostics, k).message);
    exit(1);
}

static const char fourbar[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {L: 0.4 m}\nbodies:\n"
    "  crank: {mass: 0.5, inertia: 0.001, centroid: [0.05, 0], markers: {A: [0.1, 0]}}\n"
    "  rod: {mass: 2, inertia: 0.05, centroid: [0.2, 0], markers: {B: [L, 0]}, pose: {at: [0.1, 0], angle: 40 deg}}\n"
    "  rocker: {mass: 1.5, inertia: 0.02, markers: {B: [0.3, 0]}, pose: {at: [0.4, 0], angle: 90 deg}}\n"
    "  ground: {markers: {C: [0.4, 0]}}\n"
    "joints:\n  O: {type: revolute, between: [ground, crank]}\n  A: {type: revolute, between: [crank.A, rod]}\n"
    "  B: {type: revolute, between: [rod.B, rocker.B]}\n  C: {type: revolute, between: [ground.C, rocker]}\n"
    "drives: {motor: {coordinate: O.angle, motion: \"2*pi*t\"}}\nmotion: {from: 0, to: 1 s, step: 1 ms}\n";

static char folder[] = "/var/tmp/rbv-bench-XXXXXX";

static void write_model(void) {
    char path[64];
    snprintf(path, sizeof path, "%s/model.yaml", folder);
    FILE *file = fopen(path, "w");
    if (!file || fputs(fourbar, file) < 0 || fclose(file) != 0)
        exit(1);
}

/* A study of `count` values of L, one sample or a second of motion each. */
static RbvStudy *read_study(long count, bool one_sample, RbvDiagnostics *diagnostics) {
    char text[500], path[64];
    snprintf(text, sizeof text,
             "study: 1\nmodel: model.yaml\nanalysis: inverse\nvary: {L: {from: 0.36 m, to: 0.44 m, steps: %ld}}\n"
             "collect: {peak: \"max(abs(motor.effort))\"}\n",
             count);
    snprintf(path, sizeof path, "%s/study.yaml", folder);
    RbvStudyInput input = {.path = path, .text = text, .length = strlen(text), .options = rbv_options_default};
    input.options.to = one_sample ? 0 : 0.1;
    RbvStudy *study;
    if (rbv_study_read(&input, diagnostics, &study) != RBV_OK)
        stop("reading the study", diagnostics);
    return study;
}

static RbvStatus take_nothing(void *context, const RbvStudyRow *row) {
    (void)context;
    (void)row;
    return RBV_OK;
}

static double time_threads(const RbvStudy *study, int32_t threads, RbvDiagnostics *diagnostics) {
    double began = now();
    if (rbv_study_run(study, &(RbvStudyRun){.threads = threads, .row = take_nothing}, diagnostics) != RBV_OK)
        stop("a run", diagnostics);
    return now() - began;
}

static bool next_of(void *context, int64_t *variant) {
    return rbv_study_folder_next(context, variant);
}

static RbvStatus row_of(void *context, const RbvStudyRow *row) {
    return rbv_study_folder_row(context, row);
}

/* Seconds of a run into a folder, on one thread, with the files at the end. */
static double time_folder(const RbvStudy *study, bool resume, RbvDiagnostics *diagnostics) {
    char path[64];
    snprintf(path, sizeof path, "%s/out", folder);
    RbvStudyFolder *to;
    double began = now();
    RbvStudyFolderOptions options = {.path = path, .resume = resume, .threads = 1};
    if (rbv_study_folder_open(study, &options, diagnostics, &to) != RBV_OK)
        stop("opening the folder", diagnostics);
    RbvStudyRun run = {.threads = 1, .next = next_of, .row = row_of, .context = to};
    if (rbv_study_run(study, &run, diagnostics) != RBV_OK || rbv_study_folder_finish(to, 0, diagnostics) != RBV_OK)
        stop("a run into a folder", diagnostics);
    rbv_study_folder_close(to);
    return now() - began;
}

/* The same variants by rbv_system_set_parameters and rbv_inverse alone. */
static double time_bare(long count, RbvDiagnostics *diagnostics) {
    RbvInput input = rbv_input_default;
    input.path = "model.yaml";
    input.text = fourbar;
    input.length = strlen(fourbar);
    RbvModel *model;
    RbvSystem *system;
    if (rbv_model_read(&input, diagnostics, &model) != RBV_OK ||
        rbv_system_create(model, NULL, diagnostics, &system) != RBV_OK)
        stop("reading the model", diagnostics);
    RbvOptions options = rbv_options_default;
    options.to = 0;
    options.threads = 1;
    RbvParameterValue value = {rbv_system_find(system, RBV_ITEM_PARAMETER, "L"), 0};
    double began = now();
    for (long k = 0; k < count; k++) {
        RbvResult *result;
        value.value = 0.36 + 0.08 * (double)k / (double)(count - 1);
        if (rbv_system_set_parameters(system, 1, &value, diagnostics) != RBV_OK ||
            rbv_inverse(system, &options, diagnostics, &result) != RBV_OK)
            stop("a variant", diagnostics);
        rbv_result_destroy(result);
    }
    double seconds = now() - began;
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    return seconds;
}

/* Forty frames of a bar on six yielding feet, 200 misfits; the time of tolerances over that of statics. */
static void time_tolerances(RbvDiagnostics *diagnostics) {
    static char text[200000];
    size_t n = 0;
    n += (size_t)snprintf(text, sizeof text, "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n");
    for (int k = 0; k < 40; k++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "  b%d: {mass: 10, inertia: 1, centroid: [1, 0], markers: {p0: [0, 0], p1: [0.4, 0], "
                              "p2: [0.8, 0], p3: [1.2, 0], p4: [1.6, 0], p5: [2, 0]}}\n",
                              k);
    n +=
        (size_t)snprintf(text + n, sizeof text - n,
                         "  ground: {markers: {p0: [0, 0], p1: [0.4, 0], p2: [0.8, 0], p3: [1.2, 0], p4: [1.6, 0], p5: "
                         "[2, 0]}}\njoints:\n");
    for (int k = 0; k < 40; k++)
        for (int j = 0; j < 6; j++)
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "  f%d_%d: {type: %s, between: [ground.p%d, b%d.p%d], compliance: {y: 1e-6 m/N}}\n",
                                  k, j, j ? "slot" : "revolute", j, k, j);
    n += (size_t)snprintf(text + n, sizeof text - n, "tolerances:\n");
    for (int k = 0; k < 40; k++)
        for (int j = 0; j < 5; j++)
            n += (size_t)snprintf(text + n, sizeof text - n, "  f%d_%d.y: 0.1 mm\n", k, j);
    RbvToleranceInput input = rbv_tolerance_input_default;
    input.model = rbv_input_default;
    input.model.path = "frames.yaml";
    input.model.text = text;
    input.model.length = n;
    input.analysis = "statics";
    RbvTolerances *tolerances;
    double began = now();
    if (rbv_tolerance(&input, diagnostics, &tolerances) != RBV_OK)
        stop("tolerances", diagnostics);
    double all = now() - began;
    rbv_tolerances_destroy(tolerances);
    RbvModel *model;
    RbvSystem *system;
    RbvResult *result;
    began = now();
    if (rbv_model_read(&input.model, diagnostics, &model) != RBV_OK ||
        rbv_system_create(model, NULL, diagnostics, &system) != RBV_OK ||
        rbv_statics(system, NULL, diagnostics, &result) != RBV_OK)
        stop("statics", diagnostics);
    double one = now() - began;
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    printf("tolerances of 200 misfits on 40 frames: %.3f s, statics with reading %.3f s: %.2f\n", all, one, all / one);
}

int main(int argc, char **argv) {
    long count = argc > 1 ? atol(argv[1]) : 100000;
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    if (!mkdtemp(folder))
        return 1;
    write_model();
    RbvStudy *slow = read_study(400, false, diagnostics), *quick = read_study(count, true, diagnostics);
    double best[2] = {INFINITY, INFINITY};
    for (int k = 0; k < 5; k++)
        for (int t = 0; t < 2; t++)
            best[t] = fmin(best[t], time_threads(slow, t + 1, diagnostics));
    printf("400 variants of 101 samples: %.2f ms a variant; two threads %.2f times as fast\n", best[0] / 400 * 1e3,
           best[0] / best[1]);
    double bare = time_bare(count, diagnostics), plain = time_threads(quick, 1, diagnostics),
           kept = time_folder(quick, false, diagnostics), again = time_folder(quick, true, diagnostics);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%ld variants of one sample: %.1f us a variant, bare %.1f: %.2f; with journal and files %.1f: %.3f\n", count,
           plain / (double)count * 1e6, bare / (double)count * 1e6, plain / bare, kept / (double)count * 1e6,
           kept / plain);
    printf("resuming all of them: %.2f s; largest memory %.0f MB\n", again, (double)usage.ru_maxrss / 1024);
    time_tolerances(diagnostics);
    rbv_study_destroy(slow);
    rbv_study_destroy(quick);
    rbv_diagnostics_destroy(diagnostics);
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}
