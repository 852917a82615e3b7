/* roberval report: an HTML page of a result in a folder, of a model that is analysed first, or of a study. */
#define _POSIX_C_SOURCE 200809L
#include "cli/commands.h"
#include "cli/picture.h"
#include "cli/print.h"
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Report {
    const Call *call;
    RbvOptions options;
    Progress progress;
    RbvDiagnostics *diagnostics;
    RbvStart *start; /* state of --start DIR */
    RbvResult *results[2];
    int32_t count;
} Report;

/* The analysis `name` among the commands; NULL: there is none. */
static const Command *find_analysis(const Call *call, const char *name) {
    const Command *command = find_command(call->commands, name);
    return command && command->assembles && command->analysis ? command : NULL;
}

static bool is_folder(const char *path) {
    struct stat what;
    return stat(path, &what) == 0 && S_ISDIR(what.st_mode);
}

static RbvStatus read_folder(Report *r, const char *path) {
    RbvStatus status = rbv_result_read(path, r->diagnostics, &r->results[r->count]);
    r->count += status == RBV_OK;
    return status;
}

/* True if the call has options of an analysis, which a result in a folder cannot take. */
static bool is_analysed(const Call *call) {
    return call->analysis || call->follow || call->override_count > 0 || call->options.statics.all || call->start[0] ||
           call->options.start_at_equilibrium || call->coordinates != RBV_COORDINATES_ABSOLUTE;
}

static void begin_analysis(Report *r) {
    r->options = options_of(r->call);
    r->options.scene = true;
    r->options.start = r->start;
    start_analysing(&r->progress);
    r->options.progress = on_progress;
    r->options.context = &r->progress;
}

static RbvStatus follow_parameter(void *context) {
    Report *r = context;
    RbvFamily *family = NULL;
    const Command *named = find_analysis(r->call, r->call->analysis ? r->call->analysis : "statics");
    if (!named->along) {
        wrong("--follow goes with --analysis statics and --analysis modes");
        return RBV_BAD_INPUT;
    }
    RbvStatus status = read_family(r->call, r->diagnostics, &family);
    if (status == RBV_OK) {
        begin_analysis(r);
        status = named->along(family, &r->options, r->diagnostics, &r->results[0]);
    }
    rbv_family_destroy(family);
    return status;
}

/* True if the analysis accepts the start that the call requests, if any; false: error reported. */
static bool is_start_of(const Call *call, const char *analysis) {
    bool moves = is_listed("simulate track modes", analysis), rests = moves || strcmp(analysis, "inverse") == 0;
    if (call->start[0] && !moves)
        return wrong("--start %s goes with --analysis simulate, track or modes; here it is %s", call->start, analysis);
    return !call->options.start_at_equilibrium || rests ||
           wrong("--start statics goes with --analysis inverse, simulate, track or modes; here it is %s", analysis);
}

static RbvStatus analyse_for_page(void *context) {
    Report *r = context;
    const Call *call = r->call;
    RbvModel *model = NULL;
    RbvSystem *system = NULL;
    const char *name = r->call->analysis;
    const RbvSystemOptions options = options_of(call).system;
    RbvStatus status = read_model(r->call, r->diagnostics, &model);
    if (status == RBV_OK)
        status = rbv_system_create(model, &options, r->diagnostics, &system);
    if (status == RBV_OK && call->start[0])
        status = rbv_start_read(call->start, call->start_time, r->diagnostics, &r->start);
    if (status == RBV_OK) {
        begin_analysis(r);
        status = name ? RBV_OK : rbv_analysis_choose(system, &r->options, &name);
        if (status == RBV_OK && !is_start_of(call, name))
            status = RBV_BAD_INPUT;
        const Command *named = status == RBV_OK ? find_analysis(call, name) : NULL;
        if (status == RBV_OK)
            status = !named ? RBV_BAD_ARGUMENT : named->analysis(system, &r->options, r->diagnostics, &r->results[0]);
    }
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    return status;
}

/* Length and begin (*name) of the last component of a path, without trailing slashes. */
static int last_name(const char *path, const char **name) {
    size_t end = strlen(path), first;
    while (end > 1 && path[end - 1] == '/')
        end--;
    for (first = end; first > 0 && path[first - 1] != '/'; first--)
        ;
    *name = path + first;
    return (int)(end - first);
}

/* Length and begin (*name) of the name of the page: that of the model without its ending, or of the folder. */
static int page_name(const char *argument, const char **name) {
    int length = last_name(argument, name);
    if (length == 0 || strncmp(*name, "-", (size_t)length) == 0 || (*name)[0] == '.') {
        *name = "report";
        return 6;
    }
    int dot = is_folder(argument) ? 0 : length - 1;
    while (dot > 0 && (*name)[dot] != '.')
        dot--;
    return dot > 0 ? dot : length;
}

/* Path of the page: --out, a file in --out if that is a folder, else report.html in the folder of the result, or a file
 * named after the model in the current folder. The caller frees the path. */
static char *page_of(const Call *call) {
    const char *name, *beside = is_folder(call->argument) ? call->argument : "";
    const char *into = call->out ? call->out : beside;
    int length = page_name(call->argument, &name);
    size_t size = strlen(into) + (size_t)length + 16;
    char *path = malloc(size);
    if (!path)
        return NULL;
    const char *slash = *into && into[strlen(into) - 1] != '/' ? "/" : "";
    if (call->out && !is_folder(call->out))
        snprintf(path, size, "%s", call->out);
    else if (!call->out && is_folder(call->argument))
        snprintf(path, size, "%s%sreport.html", into, slash);
    else
        snprintf(path, size, "%s%s%.*s.html", into, slash, length, name);
    return path;
}

/* True (error reported) if the path was not named by the caller and is a link, pipe or device in a folder: such names
 * are neither followed nor waited for. */
static bool is_foreign(const Call *call, const char *path) {
    struct stat what;
    bool named = call->out ? !is_folder(call->out) : !is_folder(call->argument);
    if (named || lstat(path, &what) != 0 || S_ISREG(what.st_mode) || S_ISDIR(what.st_mode))
        return false;
    return !wrong("cannot write %s: it is no regular file, and nothing in a folder is followed; name the page by --out",
                  path);
}

/* Write the page; its diagnostics come after those of the analysis. Returns the exit status. */
static int write_page(Report *r) {
    const Call *call = r->call;
    const RbvResult *const results[2] = {r->results[0], r->results[1]};
    RbvView view = call->view;
    view.only = call->only;
    if (requests_picture(call)) {
        int drawn = write_pictures(call, &view, r->results[0]);
        if (!call->out || drawn != EXIT_DONE)
            return drawn;
    }
    if (call->out && strcmp(call->out, "-") == 0)
        return print_taken(rbv_result_report(results, r->count, &view));
    char *path = page_of(call);
    if (path && is_foreign(call, path)) {
        free(path);
        return EXIT_ANALYSIS;
    }
    RbvDiagnostics *messages = create_messages();
    RbvStatus status = path && messages ? rbv_report_write(path, results, r->count, &view, messages) : RBV_NO_MEMORY;
    if (messages)
        print_diagnostics(messages, call->quiet);
    char *shown = status == RBV_OK && !call->quiet ? rbv_text_visible(path) : NULL;
    if (shown)
        printf("wrote %s\n", shown);
    free(shown);
    rbv_diagnostics_destroy(messages);
    free(path);
    return report_status(status);
}

/* The first argument is a folder or a model, the second a folder. */
static RbvStatus get_results(Report *r) {
    const Call *call = r->call;
    RbvStatus status;
    if (is_folder(call->argument)) {
        if (is_analysed(call)) {
            wrong("%s is the folder of a result, of which nothing is computed; --set, --analysis, --follow and --all "
                  "go with a model",
                  call->argument);
            return RBV_BAD_INPUT;
        }
        status = read_folder(r, call->argument);
    } else {
        status = watch_work(&r->progress, call->quiet, call->follow ? follow_parameter : analyse_for_page, r);
        r->count = r->results[0] != NULL;
    }
    if (r->count > 0 && call->second) {
        RbvStatus second = read_folder(r, call->second);
        status = second != RBV_OK ? second : status;
    }
    return status;
}

/* True if the analysis of --analysis is one; else an error is reported. */
static bool is_known_analysis(const Call *call) {
    char list[200] = "";
    const char *last = "";
    size_t used = 0;
    if (find_analysis(call, call->analysis))
        return true;
    for (const Command *c = call->commands; c->name && used < sizeof list; c++)
        if (c->assembles && c->analysis) {
            used += (size_t)snprintf(list + used, sizeof list - used, used ? ", %s" : "%s", last);
            last = c->name;
        }
    return wrong("--analysis cannot be '%s'; there are %s and %s", call->analysis, list, last);
}

/* The page of a study. */

/* Does the folder have a file, or a folder, of that name? */
static bool has_entry(const char *folder, const char *name, bool as_folder) {
    struct stat what;
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (!path)
        return false;
    snprintf(path, size, "%s/%s", folder, name);
    bool there = stat(path, &what) == 0 && (as_folder ? S_ISDIR(what.st_mode) : S_ISREG(what.st_mode));
    free(path);
    return there;
}

/* A study that is not finished has a journal alone. */
static bool is_study(const char *path) {
    return is_folder(path) && (has_entry(path, "study.json", false) ||
                               (has_entry(path, "journal", true) && !has_entry(path, "scene.json", false)));
}

/* Does the page go into the folder of the study? Only there its links to variants/ lead somewhere. */
static bool is_beside(const char *page, const char *folder) {
    struct stat one, other;
    const char *name;
    int length = last_name(page, &name);
    char *place = length > 0 && name > page ? strndup(page, (size_t)(name - page)) : strdup(".");
    bool same = place && stat(place, &one) == 0 && stat(folder, &other) == 0 && one.st_dev == other.st_dev &&
                one.st_ino == other.st_ino;
    free(place);
    return same;
}

/* False: an option of the call, or a second folder, goes with a result only (reported). */
static bool fits_page_of_study(const Call *call) {
    if (call->second)
        return wrong("%s is the folder of a study, whose page is of one study; a second folder lies over a result",
                     call->argument);
    return !call->other || wrong("%s is the folder of a study, of which nothing is computed or left out: its page "
                                 "takes --out and --full, not %s",
                                 call->argument, call->other->name);
}

/* Write the page to its file; messages go to the list. */
static int write_page_of_study(const Call *call, const char *path, RbvDiagnostics *messages) {
    char *page = NULL;
    const RbvStudyReportOptions options = {.variants = is_beside(path, call->argument) ? "variants/" : NULL,
                                           .every_row = call->view.every_sample};
    RbvStatus status = rbv_study_report(call->argument, &options, messages, &page);
    if (status == RBV_OK && call->out && strcmp(call->out, "-") == 0)
        return print_taken(page);
    if (status == RBV_OK)
        status = rbv_file_write(path, page, strlen(page), messages);
    free(page);
    print_diagnostics(messages, call->quiet);
    char *shown = status == RBV_OK && !call->quiet ? rbv_text_visible(path) : NULL;
    if (shown)
        printf("wrote %s\n", shown);
    free(shown);
    return report_end(status);
}

static int report_study(const Call *call) {
    if (!fits_page_of_study(call))
        return EXIT_CALL;
    char *path = page_of(call);
    RbvDiagnostics *messages = create_messages();
    int code = path && is_foreign(call, path) ? EXIT_ANALYSIS : EXIT_DONE;
    if (!path || !messages)
        code = report_status(RBV_NO_MEMORY);
    else if (code == EXIT_DONE)
        code = write_page_of_study(call, path, messages);
    rbv_diagnostics_destroy(messages);
    free(path);
    return code;
}

int command_report(const Call *call) {
    if (call->analysis && !is_known_analysis(call))
        return EXIT_CALL;
    if (is_study(call->argument))
        return report_study(call);
    catch_interrupts();
    Report r = {.call = call, .diagnostics = create_messages()};
    RbvStatus status = r.diagnostics ? get_results(&r) : RBV_NO_MEMORY;
    int code = exit_of(status);
    if (r.diagnostics)
        print_diagnostics(r.diagnostics, call->quiet);
    report_end(status);
    if (status == RBV_INTERRUPTED)
        fputs("roberval: interrupted\n", stderr);
    bool complete = r.count == 1 + (call->second != NULL) && status != RBV_NO_MEMORY;
    int page = complete ? write_page(&r) : EXIT_DONE;
    for (int k = 0; k < 2; k++)
        rbv_result_destroy(r.results[k]);
    rbv_start_destroy(r.start);
    rbv_diagnostics_destroy(r.diagnostics);
    return code == EXIT_DONE || page == EXIT_FAULT ? page : code;
}
