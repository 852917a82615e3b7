/* One run of an analysis: read the model, compile, analyse, show, write. */
#include "cli/commands.h"

#include "cli/picture.h"
#include "cli/print.h"
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The model of a call, from its file or from standard input. */

/* name of standard input in messages; tables and meshes are searched in the current folder */
#define STDIN_NAME "<stdin>"
#define MOST_BYTES (256u << 20) /* limit of a model on standard input: 256 MiB */

static bool is_stdin(const Call *call) {
    return strcmp(call->argument, "-") == 0;
}

/* Read all of standard input into *text, owned by the caller. BAD_INPUT: error reported. */
static RbvStatus read_stdin(char **text, size_t *length) {
    size_t capacity = 1 << 16, used = 0;
    char *data = malloc(capacity);
    while (data) {
        used += fread(data + used, 1, capacity - used, stdin);
        if (used < capacity || used > MOST_BYTES)
            break;
        char *grown = realloc(data, capacity *= 2);
        if (!grown)
            free(data);
        data = grown;
    }
    *text = data;
    *length = used;
    if (data && (ferror(stdin) || used > MOST_BYTES)) {
        wrong(ferror(stdin) ? "cannot read standard input" : "standard input is larger than 256 MiB; a model is not");
        free(data);
        return RBV_BAD_INPUT;
    }
    return data ? RBV_OK : RBV_NO_MEMORY;
}

/* Input of the model from the call; the caller frees *text (NULL for a file). */
static RbvStatus find_input(const Call *call, char **text, RbvInput *input) {
    *text = NULL;
    *input = (RbvInput){.path = call->argument,
                        .override_count = call->override_count,
                        .overrides = call->overrides,
                        .folder_count = call->folder_count,
                        .folders = call->folders,
                        .fixed = call->hold == NULL && call->options.sizing.case_count == 0,
                        .scene = needs_scene(call)};
    if (!is_stdin(call))
        return RBV_OK;
    input->path = STDIN_NAME;
    RbvStatus status = read_stdin(text, &input->length);
    input->text = *text;
    return status;
}

RbvStatus read_model(const Call *call, RbvDiagnostics *diagnostics, RbvModel **model) {
    char *text;
    RbvInput input;
    RbvStatus status = find_input(call, &text, &input);
    if (status != RBV_OK)
        return status;
    status = rbv_model_read(&input, diagnostics, model);
    free(text);
    for (int k = 0; status == RBV_OK && k < call->question_count; k++)
        status = rbv_model_add_question(*model, call->questions[k], diagnostics);
    return status;
}

RbvStatus read_family(const Call *call, RbvDiagnostics *diagnostics, RbvFamily **family) {
    char *text;
    RbvInput input;
    RbvStatus status = find_input(call, &text, &input);
    if (status != RBV_OK)
        return status;
    status = rbv_family_read(&input, call->follow, diagnostics, family);
    free(text);
    return status;
}

RbvStatus read_as_spatial(const Call *call, RbvDiagnostics *diagnostics, char **yaml) {
    char *text;
    RbvInput input;
    RbvStatus status = find_input(call, &text, &input);
    if (status != RBV_OK)
        return status;
    status = rbv_model_to_spatial(&input, diagnostics, yaml);
    free(text);
    return status;
}

/* The run. */

/* [bytes] Samples of up to this size are in memory; larger results are in a mapped file. */
#define ROWS_MEMORY ((int64_t)1 << 26)
/* [bytes] Limit of memory for the samples of a recorded motion. Its length is unknown, so the samples grow in memory up
 * to the limit before they move to a file. */
#define RECORD_MEMORY ((int64_t)1 << 23)

typedef struct Run {
    const Call *call;
    RbvModel *model;
    RbvSystem *system;
    RbvFamily *family;
    RbvOptions options;
    RbvView view;
    Progress progress;
    RbvDiagnostics *diagnostics;
    RbvFolder *folder;       /* folder of --out, locked while the run lasts */
    RbvStart *start;         /* state of --start DIR */
    RbvRecording *recording; /* recorded motion of --record */
    RbvGivenMotion *given;   /* prescribed motion of --motion */
    RbvCatalogue *catalogue; /* motors and gears of --motors, --gears */
    RbvResult *result;
    RbvStatus status;
} Run;

RbvOptions options_of(const Call *call) {
    RbvOptions options = call->options;
    options.reactions.eliminated = call->eliminated;
    options.reactions.eliminated_count = call->eliminated_count;
    options.modes.inputs = call->inputs;
    options.modes.outputs = call->outputs;
    options.inverse.balance = call->balance;
    options.system.tree.cut = call->cut;
    options.system.tree.base = call->base;
    options.inverse.reactions = call->reactions;
    return options;
}

static void start_run(Run *run, const Call *call) {
    catch_interrupts();
    *run = (Run){.call = call, .options = options_of(call), .diagnostics = create_messages()};
    run->options.scene = needs_scene(call);
    run->view = call->view;
    run->view.width = page_width(&run->view.break_sentences);
    run->view.only = call->only;
}

/* True if standard output holds the series (else the JSON result, or the page of tables). */
static bool shows_series(const Call *call) {
    return call->out && strcmp(call->out, "-") == 0;
}

static bool shows_page(const Call *call) {
    return !shows_series(call) && !call->json && !call->quiet;
}

/* Open the folder of --out; files left there by killed runs are reported at once. */
static void open_folder(Run *run) {
    if (run->status != RBV_OK || !run->call->out || shows_series(run->call))
        return;
    RbvDiagnostics *messages = create_messages();
    run->status = messages ? rbv_folder_open(run->call->out, messages, &run->folder) : RBV_NO_MEMORY;
    if (run->status == RBV_OK && !run->call->resume)
        run->status = rbv_folder_is_free(run->folder, messages);
    if (messages)
        print_diagnostics(messages, run->call->quiet);
    rbv_diagnostics_destroy(messages);
}

static bool reads_stdin_twice(const Call *call) {
    return call->record && strcmp(call->record, "-") == 0 && strcmp(call->argument, "-") == 0 &&
           !wrong("the model and --record cannot both be standard input");
}

/* Open the recorded motion of --record; before the system is created from the model. */
static void open_recording(Run *run, RbvModel *model) {
    if (run->status != RBV_OK || !run->call->record)
        return;
    run->status = rbv_recording_open(model, run->call->record, run->diagnostics, &run->recording);
    run->options.recording = run->recording;
}

/* Read the state of --start DIR before the folder of --out, which may be the same, is written. */
static void read_start(Run *run) {
    if (run->status == RBV_OK && run->call->start[0])
        run->status = rbv_start_read(run->call->start, run->call->start_time, run->diagnostics, &run->start);
    run->options.start = run->start;
}

/* Read the prescribed motion of --motion before the folder of --out, which may be the same, is written. */
static void read_given(Run *run) {
    if (run->status == RBV_OK && run->call->motion)
        run->status =
            rbv_given_motion_read(run->call->motion, run->options.from, run->options.to, run->diagnostics, &run->given);
    run->options.inverse.prescribed = run->given;
}

/* Read the motors and gears of --motors and --gears. */
static void read_catalogue(Run *run) {
    if (run->status == RBV_OK && run->call->motors)
        run->status = rbv_catalogue_read(run->call->motors, run->call->gears, run->diagnostics, &run->catalogue);
    run->options.sizing.catalogue = run->catalogue;
    run->options.sizing.analysis = run->call->analysis;
    run->options.sizing.cases = run->call->cases;
}

/* Hash of a start state (FNV-1a over names and values), which tells different states apart. */
static unsigned long long fingerprint(const RbvStart *start) {
    unsigned long long hash = 0xcbf29ce484222325u;
    for (int32_t k = 0; start && k < start->count; k++) {
        const unsigned char *value = (const unsigned char *)&start->values[k];
        for (const char *c = start->names[k]; *c; c++)
            hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
        for (size_t byte = 0; byte < sizeof *start->values; byte++)
            hash = (hash ^ value[byte]) * 0x100000001b3u;
    }
    return hash;
}

/* Append names to the text; returns the new length. */
static int add_names(char *text, size_t size, int length, int count, const char *const *names) {
    for (int k = 0; k < count && length > 0 && (size_t)length < size; k++)
        length += snprintf(text + length, size - (size_t)length, " %s", names[k]);
    return length;
}

/* Description of everything that the numbers of a run depend on, to all digits; a resumed run must have the same. */
static void describe_run(const Run *run, const RbvModel *model, char *text, size_t size) {
    const RbvOptions *o = &run->options;
    int length =
        snprintf(text, size,
                 "version: %s\nmodel: %016llx\noption --from, --to or --step: %a %a %a\noption --tolerance: %a\noption "
                 "--samples: %d\noption --start: %d %016llx\noption --method: %d\noption --frame: %d\n"
                 "option --redundant or --norm-length: %d %a",
                 rbv_version(), (unsigned long long)rbv_model_fingerprint(model), o->from, o->to, o->step,
                 o->motion.tolerance, o->motion.every_step, o->start_at_equilibrium, fingerprint(o->start),
                 (int)o->motion.method, (int)o->reactions.frame, (int)o->reactions.redundant, o->reactions.norm_length);
    length = add_names(text, size, length, o->reactions.eliminated_count, o->reactions.eliminated);
    if (length > 0 && (size_t)length < size)
        length += snprintf(text + length, size - (size_t)length, "\noption --coordinates, --mixed or --cut: %d",
                           (int)run->call->coordinates);
    length = add_names(text, size, length, o->system.tree.cut_count, o->system.tree.cut);
    if (o->system.tree.base_count > 0 && length > 0 && (size_t)length < size)
        length += snprintf(text + length, size - (size_t)length, "\noption --base:");
    add_names(text, size, length, o->system.tree.base_count, o->system.tree.base);
}

/* Are rows of series.csv written while the analysis computes others? */
static bool writes_along(const Call *call) {
    const Analysis analysis = call->command->analysis;
    return call->record || analysis == rbv_simulate || analysis == rbv_inverse || analysis == rbv_kinematics;
}

/* Keep the samples of a motion on disk during the run, of simulate with states to resume from; with --resume continue
 * from the kept samples. */
static void keep_run(Run *run, const RbvModel *model) {
    char text[8192]; /* larger than all names that a call can hold */
    if (run->call->resume && !run->folder) {
        wrong("--resume goes on with a run into a folder: name it by --out");
        run->status = RBV_BAD_INPUT;
        return;
    }
    if (!run->folder)
        return;
    describe_run(run, model, text, sizeof text);
    bool resumable = run->call->command->analysis == rbv_simulate && !run->call->record;
    run->status = rbv_folder_keep(run->folder, &run->view, resumable ? text : NULL, run->call->resume, run->diagnostics,
                                  &run->options.samples.keeper);
}

/* Prepare options, start state, motion and folder of the analysis. The options point into *run, which must not be
 * moved. */
static void start_analysis(Run *run) {
    start_analysing(&run->progress);
    run->options.progress = on_progress;
    const char *temporary = getenv("TMPDIR");
    run->options.samples.folder = run->call->out && !shows_series(run->call) ? run->call->out
                                  : temporary && *temporary                  ? temporary
                                                                             : "/var/tmp";
    run->options.samples.memory = run->call->record ? RECORD_MEMORY : ROWS_MEMORY;
    run->options.context = &run->progress;
    read_start(run);
    read_given(run);
    read_catalogue(run);
    open_folder(run);
}

/* Write the files of --out if requested; *written: the result is on disk. Returns the exit status so far. */
static int write_files(const Run *run, bool *written) {
    int code = exit_of(run->status);
    if (!run->result || !run->folder || run->status == RBV_NOT_WRITABLE)
        return code;
    RbvStatus on_disk = rbv_folder_write(run->folder, run->result, &run->view, run->diagnostics);
    *written = on_disk == RBV_OK;
    if (*written && run->status != RBV_INTERRUPTED)
        rbv_folder_forget(run->folder);
    report_status(on_disk);
    return *written || code != EXIT_DONE ? code : exit_of(on_disk);
}

/* Print errors, and notes that the page of the result does not show; returns the exit status. */
static int report_run(const Run *run, int code, bool written) {
    const Call *call = run->call;
    /* the page of a result shows its notes */
    print_diagnostics(run->diagnostics, call->quiet || (run->result && shows_page(call) && code == EXIT_DONE));
    report_end(run->status);
    if (run->status == RBV_INTERRUPTED)
        fprintf(stderr, "roberval: interrupted%s\n", written ? "; the samples done are written" : "");
    if (run->status == RBV_INTERRUPTED || !is_interrupted())
        return code;
    fputs("roberval: interrupted when the analysis was done\n",
          stderr); /* the result is complete, but the caller must learn of the interruption */
    return code == EXIT_DONE ? EXIT_INTERRUPT : code;
}

static void report_unmatched(const Run *run) {
    for (int32_t k = 0; k < run->view.only_count; k++)
        if (rbv_result_match_count(run->result, run->view.only[k]) == 0)
            report_note("--only '%s' fits no name of the result", run->view.only[k]);
}

static int show_result(const Run *run, bool written) {
    const Call *call = run->call;
    if (!call->quiet)
        report_unmatched(run);
    if (shows_series(call))
        return report_printed(rbv_result_print_series(run->result, &run->view, stdout));
    if (call->json)
        return print_taken(rbv_result_text(run->result, RBV_TEXT_JSON, NULL));
    if (call->quiet || prints_picture(call))
        return EXIT_DONE;
    int status = print_tables(rbv_result_text(run->result, RBV_TEXT_TABLES, &run->view));
    if (status == EXIT_DONE && written) {
        char *folder = rbv_text_visible(call->out);
        if (folder)
            printf(rbv_result_counts(run->result).samples > 0 ? "\nwrote %s/series.csv and %s/result.json\n"
                                                              : "\nwrote %.0s%s/result.json\n",
                   folder, folder);
        free(folder);
    }
    return status;
}

/* Drop a result that holds only the scene of an erroneous model: it must not be written. */
static void drop_bare(Run *run) {
    if (!rbv_result_is_bare(run->result))
        return;
    rbv_result_destroy(run->result);
    run->result = NULL;
}

static int finish_run(Run *run) {
    bool written = false;
    int code = write_files(run, &written);
    code = report_run(run, code, written);
    int shown =
        run->result && requests_picture(run->call) ? write_pictures(run->call, &run->view, run->result) : EXIT_DONE;
    if (run->result && shown == EXIT_DONE)
        shown = show_result(run, written);
    if (shown != EXIT_DONE && (code == EXIT_DONE || code == EXIT_INTERRUPT))
        code = shown;
    rbv_folder_close(run->folder);
    rbv_result_destroy(run->result);
    rbv_start_destroy(run->start);
    rbv_recording_destroy(run->recording);
    rbv_given_motion_destroy(run->given);
    rbv_catalogue_destroy(run->catalogue);
    rbv_diagnostics_destroy(run->diagnostics);
    return code;
}

static RbvStatus analyse_model(void *context) {
    Run *run = context;
    const Call *call = run->call;
    run->status = reads_stdin_twice(call) ? RBV_BAD_INPUT : read_model(call, run->diagnostics, &run->model);
    open_recording(run, run->model);
    if (run->status == RBV_OK)
        run->status =
            rbv_system_create(run->model, call->hold ? NULL : &run->options.system, run->diagnostics, &run->system);
    if (run->status == RBV_OK)
        start_analysis(run);
    if (run->status == RBV_OK && writes_along(call))
        keep_run(run, run->model);
    if (run->status == RBV_OK && call->hold)
        run->status = rbv_statics_hold(run->system, call->hold, &run->options, run->diagnostics, &run->result);
    else if (run->status == RBV_OK && call->command->changing)
        run->status = call->command->changing(run->system, &run->options, run->diagnostics, &run->result);
    else if (run->status == RBV_OK)
        run->status = call->command->analysis(run->system, &run->options, run->diagnostics, &run->result);
    return run->status;
}

static RbvStatus analyse_family(void *context) {
    Run *run = context;
    run->status = read_family(run->call, run->diagnostics, &run->family);
    if (run->status == RBV_OK)
        start_analysis(run);
    if (run->status == RBV_OK)
        run->status = run->call->command->along(run->family, &run->options, run->diagnostics, &run->result);
    return run->status;
}

int command_analysis(const Call *call) {
    const Command *command = call->command;
    if (command->fits && !command->fits(call))
        return EXIT_CALL;
    Run run;
    start_run(&run, call);
    watch_work(&run.progress, call->quiet, call->follow ? analyse_family : analyse_model, &run);
    drop_bare(&run);
    int code = finish_run(&run);
    rbv_system_destroy(run.system);
    rbv_model_destroy(run.model);
    rbv_family_destroy(run.family);
    return code;
}
