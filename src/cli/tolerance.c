/* The command tolerance: what fits of parts do to reactions (docs/tolerance.md). */
#include "cli/commands.h"
#include "cli/print.h"
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ToleranceRun {
    const Call *call;
    RbvDiagnostics *diagnostics;
    RbvTolerances *tolerances;
    Progress progress;
} ToleranceRun;

static RbvStatus compute(void *context) {
    ToleranceRun *run = context;
    const Call *call = run->call;
    RbvOptions options = options_of(call);
    start_analysing(&run->progress);
    options.progress = on_progress;
    options.context = &run->progress;
    RbvToleranceInput input = rbv_tolerance_input_default;
    input.model.path = call->argument;
    input.model.override_count = call->override_count;
    input.model.overrides = call->overrides;
    input.model.folder_count = call->folder_count;
    input.model.folders = call->folders;
    input.options = &options;
    input.analysis = call->analysis;
    input.monte_carlo = call->monte_carlo;
    if (call->coverage > 0)
        input.coverage = call->coverage;
    if (call->seed > 0)
        input.seed = (uint64_t)call->seed;
    return rbv_tolerance(&input, run->diagnostics, &run->tolerances);
}

/* Write one of the files of --out. */
static RbvStatus write_file(const ToleranceRun *run, RbvFolder *folder, const char *name, RbvTextForm form) {
    char path[4096];
    char *text = rbv_tolerances_text(run->tolerances, form);
    (void)folder; /* it holds the folder for this run */
    bool fits = snprintf(path, sizeof path, "%s/%s", run->call->out, name) < (int)sizeof path;
    RbvStatus status = text && fits ? rbv_file_write(path, text, strlen(text), run->diagnostics) : RBV_NO_MEMORY;
    free(text);
    return status;
}

static RbvStatus write_files(const ToleranceRun *run) {
    RbvFolder *folder = NULL;
    RbvStatus status = rbv_folder_open(run->call->out, run->diagnostics, &folder);
    if (status == RBV_OK)
        status = write_file(run, folder, "tolerance.csv", RBV_TEXT_SERIES);
    if (status == RBV_OK)
        status = write_file(run, folder, "tolerance.json", RBV_TEXT_JSON);
    rbv_folder_close(folder);
    return status;
}

static int show(const ToleranceRun *run) {
    const Call *call = run->call;
    if (call->out && strcmp(call->out, "-") == 0)
        return print_taken(rbv_tolerances_text(run->tolerances, RBV_TEXT_SERIES));
    if (call->json)
        return print_taken(rbv_tolerances_text(run->tolerances, RBV_TEXT_JSON));
    if (call->quiet)
        return EXIT_DONE;
    int code = print_tables(rbv_tolerances_text(run->tolerances, RBV_TEXT_TABLES));
    char *folder = code == EXIT_DONE && call->out ? rbv_text_visible(call->out) : NULL;
    if (folder)
        printf("\nwrote %s/tolerance.csv and %s/tolerance.json\n", folder, folder);
    free(folder);
    return code;
}

int command_tolerance(const Call *call) {
    ToleranceRun run = {.call = call, .diagnostics = create_messages()};
    catch_interrupts();
    if (!run.diagnostics)
        return report_status(RBV_NO_MEMORY);
    RbvStatus status = watch_work(&run.progress, call->quiet, compute, &run);
    if (status == RBV_OK && call->out && strcmp(call->out, "-") != 0)
        status = write_files(&run);
    print_diagnostics(run.diagnostics, call->quiet);
    if (status == RBV_INTERRUPTED)
        fputs("roberval: interrupted\n", stderr);
    else
        report_end(status);
    int code = exit_of(status);
    if (status == RBV_OK)
        code = show(&run);
    rbv_tolerances_destroy(run.tolerances);
    rbv_diagnostics_destroy(run.diagnostics);
    return code;
}
