/* check, kinematics, statics, inverse: read, compile, analyse, write. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted, analysing;

static void on_interrupt(int number) {
    (void)number;
    if (interrupted) /* asked twice: at once */
        _exit(EXIT_INTERRUPT);
    if (!analysing) { /* nothing is done yet that could be kept */
        static const char words[] = "roberval: interrupted\n";
        if (write(STDERR_FILENO, words, sizeof words - 1) < 0)
            _exit(EXIT_INTERRUPT);
        _exit(EXIT_INTERRUPT);
    }
    interrupted = 1;
}

typedef struct Progress {
    bool shown, terminal;
    struct timespec start, last;
} Progress;

static double seconds_between(struct timespec a, struct timespec b) {
    return (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
}

/* Called now and then: ^C stops; a terminal sees how far it is, twice a second, after the first half second. */
static bool on_progress(void *context, double share) {
    Progress *progress = context;
    struct timespec now;
    if (interrupted)
        return false;
    if (!progress->terminal || clock_gettime(CLOCK_MONOTONIC, &now) != 0 || seconds_between(progress->last, now) < 0.5)
        return true;
    double passed = seconds_between(progress->start, now);
    fprintf(stderr, "\r%3.0f %%, %.0f s to go   ", 100 * share, share > 0 ? passed / share - passed : 0);
    fflush(stderr);
    progress->last = now;
    progress->shown = true;
    return true;
}

static RbvStatus analyse(const Call *call, const RbvSystem *system, const RbvFamily *family, RbvDiagnostics *diagnostics, RbvResult **result) {
    RbvOptions options = call->options;
    Progress progress = {.terminal = !call->quiet && isatty(STDERR_FILENO)};
    analysing = 1;
    clock_gettime(CLOCK_MONOTONIC, &progress.start);
    progress.last = progress.start;
    options.progress = on_progress;
    options.context = &progress;
    options.eliminated = call->eliminated;
    options.eliminated_count = call->eliminated_count;
    RbvStatus status = family                                     ? rbv_statics_follow(family, &options, diagnostics, result)
                       : strcmp(call->command, "check") == 0      ? rbv_check(system, &options, diagnostics, result)
                       : strcmp(call->command, "kinematics") == 0 ? rbv_kinematics(system, &options, diagnostics, result)
                       : strcmp(call->command, "statics") == 0    ? rbv_statics(system, &options, diagnostics, result)
                                                                  : rbv_inverse(system, &options, diagnostics, result);
    if (progress.shown)
        fputs("\r                              \r", stderr);
    return status;
}

static int show(const Call *call, const RbvResult *result) {
    char *text = call->json ? rbv_result_json(result) : call->quiet ? NULL : rbv_result_tables(result);
    int status = text ? print_out(text) : EXIT_DONE;
    free(text);
    return status;
}

int command_analysis(const Call *call) {
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvModel *model = NULL;
    RbvSystem *system = NULL;
    RbvResult *result = NULL;
    RbvFamily *family = NULL;
    RbvStatus status = call->follow ? rbv_family_read(call->model, call->override_count, call->overrides, call->follow, diagnostics, &family)
                                    : rbv_model_read(call->model, call->override_count, call->overrides, diagnostics, &model);
    for (int k = 0; status == RBV_OK && k < call->question_count; k++)
        status = rbv_model_add_question(model, call->questions[k], diagnostics);
    if (status == RBV_OK && !family)
        status = rbv_system_create(model, diagnostics, &system);
    if (status == RBV_OK)
        status = analyse(call, system, family, diagnostics, &result);
    int code = exit_of(status);
    bool written = false;
    if (result && call->out) {
        RbvStatus on_disk = rbv_result_write(result, call->out, diagnostics);
        written = on_disk == RBV_OK;
        if (!written && code == EXIT_DONE)
            code = exit_of(on_disk);
    }
    /* notes of a result stand in its tables */
    print_diagnostics(diagnostics, call->quiet || (result && !call->json && code == EXIT_DONE));
    if (status == RBV_NO_MEMORY || status == RBV_BAD_ARGUMENT)
        fprintf(stderr, "roberval: error: %s\n", rbv_status_text(status));
    if (status == RBV_INTERRUPTED)
        fprintf(stderr, "roberval: interrupted%s\n", written ? "; the samples done are written" : "");
    else if (interrupted) { /* too late to change the result, but not to be told to the caller */
        fputs("roberval: interrupted when the analysis was done\n", stderr);
        code = code == EXIT_DONE ? EXIT_INTERRUPT : code;
    }
    if (result) {
        int shown = show(call, result);
        code = shown != EXIT_DONE && (code == EXIT_DONE || code == EXIT_INTERRUPT) ? shown : code;
        if (call->out && !call->quiet && !call->json && written)
            printf(rbv_result_sample_count(result) > 0 ? "\nwrote %s/series.csv and %s/result.json\n" : "\nwrote %.0s%s/result.json\n",
                   call->out, call->out);
    }
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    rbv_family_destroy(family);
    rbv_diagnostics_destroy(diagnostics);
    return code;
}
