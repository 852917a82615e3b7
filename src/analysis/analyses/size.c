/* The sizing of a model alone: an analysis of the model as it is, or of its load cases, and the choice of motors and
 * gears.
 */
#include "analysis/sizing/choose.h"
#include "analysis/sizing/sizing.h"
#include "core/base/diagnostics.h"
#include "mechanics/system/system.h"
#include "model/result/result.h"
#include "solution/record/record.h"
#include "solution/record/samples.h"

#include <roberval/analysis.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef RbvStatus (*Run)(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                         RbvResult **result);

static const struct {
    const char *name;
    Run run;
} runs[] = {{"inverse", rbv_inverse}, {"simulate", rbv_simulate}, {"track", rbv_track}, {"statics", rbv_statics}};

typedef struct Size {
    RbvSystem *system;
    RbvOptions options;
    RbvDiagnostics *diagnostics;
    RbvNotes notes;
    RbvSizing *sizing;
    RbvChooser *chooser; /* NULL: no catalogue */
    RbvResult **results; /* [cases] */
    int32_t count;
    double *before; /* [parameters] values set before; NaN: those of the model */
    Run run;
} Size;

static RbvStatus wrong(const Size *s, const char *format, const char *what) {
    rbv_diagnose(s->diagnostics, RBV_ERROR, s->system->model->file, (RbvPosition){0, 0}, format, what);
    return RBV_BAD_INPUT;
}

/* The analysis that is asked for, or what suits the model. Where none does, one that says what is wrong. */
static RbvStatus choose_run(Size *s) {
    const char *asked = s->options.sizing.analysis, *name = asked;
    RbvStatus status = name ? RBV_OK : rbv_analysis_choose(s->system, &s->options, &name);
    for (size_t k = 0; status == RBV_OK && k < sizeof runs / sizeof runs[0]; k++)
        if (strcmp(runs[k].name, name) == 0)
            s->run = runs[k].run;
    if (status == RBV_OK && !s->run && asked)
        return wrong(s, "size needs loads: by inverse, simulate, track or statics, not by %s", asked);
    if (!s->run)
        s->run = s->system->model->has_motion ? rbv_inverse : rbv_statics;
    return status;
}

static const RbvCase *find_case(const RbvModel *model, const char *name) {
    for (int32_t k = 0; k < model->cases.count; k++)
        if (name && strcmp(model->cases.items[k].name, name) == 0)
            return &model->cases.items[k];
    return NULL;
}

/* Shares of the cases: positive, and there are such cases. Their sum. */
static RbvStatus check_cases(const Size *s, double *sum) {
    const RbvSizingOptions *o = &s->options.sizing;
    *sum = 0;
    for (int32_t k = 0; k < o->case_count; k++) {
        if (!find_case(s->system->model, o->cases[k].name))
            return wrong(s, "the model has no load case '%s' under cases:", o->cases[k].name);
        if (!(o->cases[k].share > 0) || !isfinite(o->cases[k].share))
            return wrong(s, "the share of load case '%s' must be positive", o->cases[k].name);
        *sum += o->cases[k].share;
    }
    return isfinite(*sum)
               ? RBV_OK
               : wrong(s, "the shares of the load cases are too large%s: they count relative to their sum", "");
}

/* Runs the analysis and adds it with its share of the time; NaN: the only one. A failed run is the result. */
static RbvStatus add_run(Size *s, double share) {
    RbvResult **result = &s->results[s->count];
    RbvStatus status = s->run(s->system, &s->options, s->diagnostics, result);
    if (*result)
        s->count++;
    if (status != RBV_OK || !*result)
        return status;
    bool good = rbv_sizing_add(s->sizing, *result, share);
    const char *changed = rbv_sizing_changed(s->sizing);
    if (good && changed)
        return wrong(s,
                     "the rating of '%s' differs between load cases, but the part is the same: cases may change "
                     "loads, motions and factor:",
                     changed);
    if (good && s->chooser)
        good = rbv_chooser_add(s->chooser, *result, share);
    return good ? RBV_OK : RBV_NO_MEMORY;
}

/* Keeps the values that parameters have. False: no memory. */
static bool keep_values(Size *s) {
    const RbvModel *model = s->system->model;
    s->before = calloc((size_t)model->parameters.count + 1, sizeof *s->before);
    for (int32_t k = 0; s->before && k < model->parameters.count; k++)
        s->before[k] = model->parameters.items[k].fixed ? model->parameters.items[k].value : NAN;
    return s->before != NULL;
}

/* Gives all parameters of the cases the values that they had. */
static void restore(const Size *s) {
    for (int32_t k = 0; k < s->options.sizing.case_count; k++) {
        const RbvCase *of = find_case(s->system->model, s->options.sizing.cases[k].name);
        for (int32_t n = 0; of && n < of->count; n++) {
            const RbvParameterValue value = {of->values[n].parameter, s->before[of->values[n].parameter]};
            rbv_system_set_parameters(s->system, 1, &value, NULL);
        }
    }
}

static RbvStatus run_cases(Size *s) {
    const RbvSizingOptions *o = &s->options.sizing;
    double sum;
    RbvStatus status = check_cases(s, &sum);
    for (int32_t k = 0; status == RBV_OK && k < o->case_count; k++) {
        const RbvCase *of = find_case(s->system->model, o->cases[k].name);
        restore(s);
        status = rbv_system_set_parameters(s->system, of->count, of->values, s->diagnostics);
        if (status == RBV_OK)
            status = add_run(s, o->cases[k].share / sum);
        if (status != RBV_OK)
            wrong(s, "in load case '%s'", of->name);
    }
    return o->case_count == 0 && status == RBV_OK ? add_run(s, NAN) : status;
}

/* Notes of what a reader would miss: cases, motors without drives, nothing that is rated. */
static void note_contents(Size *s) {
    const RbvSizingOptions *o = &s->options.sizing;
    const RbvModel *model = s->system->model;
    RbvPosition nowhere = {0, 0};
    double sum;
    char text[800] = "";
    if (model->sized.count == 0 && !s->chooser)
        rbv_diagnose(s->notes.report, RBV_NOTE, model->file, nowhere,
                     "nothing is rated: rating: of drives, bearing:, bearings:, plain:, guide:, screw_life: of joints");
    if (s->chooser && model->drives.count == 0)
        rbv_diagnose(s->notes.report, RBV_NOTE, model->file, nowhere, "there is no drive to choose a motor for%s",
                     model->actuators.count > 0 ? "; actuators of track have none" : "");
    if (o->case_count == 0 || check_cases(s, &sum) != RBV_OK)
        return;
    for (int32_t k = 0; k < o->case_count; k++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s %.4g", k ? ", " : "", o->cases[k].name,
                 o->cases[k].share / sum);
    }
    rbv_diagnose(s->notes.report, RBV_NOTE, model->file, nowhere,
                 "load cases by their shares: %s; peaks are the largest of all; series and plots are those of '%s'",
                 text, o->cases[0].name);
}

static bool finish(Size *s) {
    RbvResult *result = s->results[0];
    result->sizes = true;
    note_contents(s);
    return rbv_sizing_finish(s->sizing, result) && (!s->chooser || rbv_chooser_finish(s->chooser, result)) &&
           rbv_notes_keep(&s->notes, s->system->model, result);
}

RbvStatus rbv_size(RbvSystem *system, const RbvOptions *given, RbvDiagnostics *diagnostics, RbvResult **result) {
    if (!system || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    Size s = {.system = system, .options = given ? *given : rbv_options_default, .diagnostics = diagnostics};
    const RbvSizingOptions *o = &s.options.sizing;
    if (!rbv_options_valid(&s.options))
        return RBV_BAD_ARGUMENT;
    s.results = calloc((size_t)o->case_count + 1, sizeof *s.results);
    bool noted = rbv_notes_open(&s.notes, diagnostics);
    s.sizing = rbv_sizing_create(system->model, s.notes.report);
    s.chooser = o->catalogue ? rbv_chooser_create(system->model, &s.options.sizing, s.notes.report) : NULL;
    bool good = noted && s.results && s.sizing && (s.chooser || !o->catalogue) && keep_values(&s);
    RbvStatus status = good ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK && s.chooser && !rbv_chooser_suits(s.chooser, diagnostics))
        status = RBV_BAD_INPUT;
    if (status == RBV_OK)
        status = choose_run(&s);
    if (status == RBV_OK)
        status = run_cases(&s);
    if (status == RBV_OK && s.count > 0 && !finish(&s))
        status = RBV_NO_MEMORY;
    if (s.before)
        restore(&s);
    if (status != RBV_NO_MEMORY && s.count > 0) { /* a failed run is shown as it is */
        int32_t shown = status == RBV_OK ? 0 : s.count - 1;
        *result = s.results[shown];
        s.results[shown] = NULL;
    }
    for (int32_t k = 0; s.results && k <= o->case_count; k++)
        rbv_result_destroy(s.results[k]);
    free(s.results);
    free(s.before);
    rbv_sizing_destroy(s.sizing);
    rbv_chooser_destroy(s.chooser);
    rbv_notes_close(&s.notes);
    return status;
}
