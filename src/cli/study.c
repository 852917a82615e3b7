/* The command study: many variants of a model (docs/studies.md). */
#define _GNU_SOURCE
#include "cli/commands.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/ranks.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_THREADS 256

/* Options of a study's file, set by the table of options of the program. */

/* Options that name files, ask for other results, or print. */
static const char closed[] = "--out --json --quiet --resume --svg --frames --at --view --self-stress --virtual-motion "
                             "--x --width --title --only --units --record --motion --motors --gears --sort --follow "
                             "--hold --ask --rows --threads --path --set --start";

static bool set_option(void *context, const char *analysis, const char *name, const char *value, RbvOptions *options,
                       char *why, size_t size) {
    Call *of = context;
    char word[64];
    if (snprintf(word, sizeof word, "--%s", name) >= (int)sizeof word) {
        snprintf(why, size, "there is no option '%s'", name);
        return false;
    }
    bool at_rest = strcmp(word, "--start") == 0 && strcmp(value, "statics") == 0;
    bool verdicts = strcmp(word, "--motion") == 0 && strcmp(analysis, "check") == 0;
    of->command = find_command(of->commands, analysis);
    of->options = *options;
    capture_wrong(why, size);
    bool good = set_one_option(of, word, value, is_listed(closed, word) && !at_rest && !verdicts);
    capture_wrong(NULL, 0);
    if (of->mixed && of->coordinates == RBV_COORDINATES_NATURAL)
        of->options.system.coordinates = of->coordinates = RBV_COORDINATES_MIXED;
    *options = options_of(of);
    return good;
}

/* The run. */

typedef struct StudyRun {
    const Call *call;
    Call options; /* what options: of the study set; RbvOptions points into it */
    RbvStudy *study;
    RbvStudyFolder *folder; /* of the first rank; NULL on others */
    RbvDiagnostics *diagnostics;
    Progress progress;
    Ranks *ranks;
    RbvStatus status;
} StudyRun;

static bool go_on(void *context) {
    StudyRun *run = context;
    RbvStudyProgress done = rbv_study_folder_progress(run->folder);
    return on_progress(&run->progress, done.all > 0 ? (double)done.done / (double)done.all : 0);
}

static bool next(void *context, int64_t *variant) {
    StudyRun *run = context;
    return rank_next(run->ranks, variant);
}

static RbvStatus take_row(void *context, const RbvStudyRow *row) {
    StudyRun *run = context;
    return rank_row(run->ranks, row);
}

static int32_t processors(void) {
    cpu_set_t set;
    int32_t count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count < MOST_THREADS ? count : MOST_THREADS;
}

static double seconds(void) {
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Thread count: as asked; else all processors of a run of one rank, and one of several ranks. */
static int32_t thread_count(const StudyRun *run) {
    if (run->call->options.threads > 0)
        return run->call->options.threads;
    return rank_count() > 1 ? 1 : processors();
}

static void read_study(StudyRun *run) {
    const Call *call = run->call;
    RbvStudyInput input = {.path = call->argument,
                           .folder_count = call->folder_count,
                           .folders = call->folders,
                           .options = rbv_options_default,
                           .set_option = set_option,
                           .context = &run->options,
                           .extend = call->extend,
                           .any_size = call->yes};
    run->options = (Call){.command = call->command, .commands = call->commands, .options = rbv_options_default};
    run->status = rbv_study_read(&input, run->diagnostics, &run->study);
    const Command *analysis = run->options.command;
    if (run->status == RBV_OK && analysis->fits && !analysis->fits(&run->options))
        run->status = RBV_BAD_INPUT;
}

static void open_folder(StudyRun *run) {
    const Call *call = run->call;
    RbvStudyFolderOptions options = {.path = call->out,
                                     .part = call->part,
                                     .parts = call->parts,
                                     .resume = call->resume || call->extend > 0,
                                     .merge = call->merge,
                                     .threads = thread_count(run)};
    if (run->status == RBV_OK && rank_number() == 0)
        run->status = rbv_study_folder_open(run->study, &options, run->diagnostics, &run->folder);
}

static RbvStatus compute(void *context) {
    StudyRun *run = context;
    const Call *call = run->call;
    read_study(run);
    open_folder(run);
    run->status = rank_agree(run->status);
    if (run->status != RBV_OK)
        return run->status;
    if (!rank_same(run->study)) {
        if (rank_number() == 0)
            wrong("the processes have read different studies or models under these names; give all of them one copy");
        return run->status = RBV_BAD_INPUT;
    }
    start_analysing(&run->progress);
    double began = seconds();
    run->ranks = rank_begin(run->study, run->folder);
    RbvStudyRun asked = {.threads = thread_count(run),
                         .next = next,
                         .row = take_row,
                         .go_on = go_on,
                         .context = run,
                         .stop_on_failure = call->stop_on_failure,
                         .kept = call->out};
    run->status = run->ranks ? RBV_OK : RBV_NO_MEMORY;
    if (run->status == RBV_OK && !call->merge)
        run->status = rbv_study_run(run->study, &asked, run->diagnostics);
    run->status = rank_end(run->ranks, run->status);
    if (rank_number() == 0 && (run->status == RBV_OK || run->status == RBV_NOT_WRITABLE)) {
        RbvStatus written = rbv_study_folder_finish(run->folder, seconds() - began, run->diagnostics);
        run->status = run->status == RBV_OK ? written : run->status;
    }
    return run->status;
}

/* What a run that did not finish leaves. */
static void report_rest(const StudyRun *run) {
    RbvStudyProgress done = rbv_study_folder_progress(run->folder);
    if (run->status == RBV_INTERRUPTED)
        fprintf(stderr, "roberval: interrupted; %lld of %lld variants are done%s\n", (long long)done.done,
                (long long)done.all, run->call->out ? ", and in the journal: --resume computes the others" : "");
    else if (run->status == RBV_OK && run->call->parts > 0 && run->call->quiet)
        return;
    else if (run->status == RBV_OK && run->call->parts > 0)
        printf("study: part %d of %d: %lld of %lld variants are in %s/journal; --merge writes the files when all are\n",
               (int)run->call->part, (int)run->call->parts, (long long)done.done, (long long)done.all, run->call->out);
    else if (run->status == RBV_OK && done.done < done.all)
        fprintf(stderr, "roberval: stopped at a failed variant; %lld of %lld variants are done\n", (long long)done.done,
                (long long)done.all);
}

static int show(const StudyRun *run) {
    const Call *call = run->call;
    if (call->json || (call->out && strcmp(call->out, "-") == 0))
        return print_taken(rbv_study_folder_text(run->folder, RBV_TEXT_JSON));
    if (call->quiet)
        return EXIT_DONE;
    int code = print_tables(rbv_study_folder_text(run->folder, RBV_TEXT_TABLES));
    char *folder = code == EXIT_DONE && call->out ? rbv_text_visible(call->out) : NULL;
    if (folder)
        printf("\nwrote %s/study.csv and %s/study.json\n", folder, folder);
    free(folder);
    return code;
}

int command_study(const Call *call) {
    if (!call->command->fits(call))
        return EXIT_CALL;
    StudyRun run = {.call = call, .diagnostics = create_messages()};
    catch_interrupts();
    if (!run.diagnostics)
        return report_status(RBV_NO_MEMORY);
    watch_work(&run.progress, call->quiet || rank_number() > 0, compute, &run);
    int code = exit_of(run.status);
    if (rank_reports())
        print_diagnostics(run.diagnostics, call->quiet);
    if (rank_number() == 0) {
        RbvStudyProgress done = rbv_study_folder_progress(run.folder);
        if (run.folder)
            report_rest(&run);
        if (run.status != RBV_INTERRUPTED && rank_reports())
            report_end(run.status);
        if (run.status == RBV_OK && done.done == done.all && call->parts == 0)
            code = show(&run);
        if (code == EXIT_DONE && done.failed > 0)
            code = EXIT_ANALYSIS;
    }
    rbv_study_folder_close(run.folder);
    rbv_study_destroy(run.study);
    rbv_diagnostics_destroy(run.diagnostics);
    rank_finish();
    return code;
}
