/* A worker sets the parameters of its system where that gives what compiling the model anew would, and compiles it anew
 * where not (rbv_system_set_parameters). */
#include "study/run/worker.h"

#include "core/base/text.h"
#include "study/run/quantities.h"

#include <roberval/analysis.h>
#include <roberval/scene.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct RbvStudyWorker {
    const RbvStudy *study;
    bool (*go_on)(void *context);
    void *context;
    RbvModel *model;   /* NULL: none could be read yet */
    RbvSystem *system; /* NULL: none could be compiled yet */
    RbvDiagnostics *messages;
    RbvOptions options;
    RbvParameterValue *settings; /* [parameters] */
    double *parameters, *values;
    uint8_t *verdicts;
    RbvGathered gathered;
    char message[500];
};

static bool go_on(void *context, double share) {
    RbvStudyWorker *worker = context;
    (void)share;
    return !worker->go_on || worker->go_on(worker->context);
}

RbvStudyWorker *rbv_study_worker_create(const RbvStudy *study, bool (*ask)(void *context), void *context) {
    RbvStudyWorker *w = calloc(1, sizeof *w);
    size_t p = (size_t)study->parameter_count + 1, q = (size_t)study->quantity_count + 1;
    if (!w)
        return NULL;
    w->study = study;
    w->go_on = ask;
    w->context = context;
    w->messages = rbv_diagnostics_create();
    w->options = study->options;
    w->options.progress = go_on;
    w->options.context = w;
    w->options.threads = 1;
    w->options.scene = false;
    w->settings = calloc(p, sizeof *w->settings);
    w->parameters = calloc(p, sizeof *w->parameters);
    w->values = calloc(q, sizeof *w->values);
    w->verdicts = calloc(q, sizeof *w->verdicts);
    bool good = rbv_gathered_create(&w->gathered, study);
    if (good && w->messages && w->settings && w->parameters && w->values && w->verdicts)
        return w;
    rbv_study_worker_destroy(w);
    return NULL;
}

static void drop_system(RbvStudyWorker *w) {
    rbv_system_destroy(w->system);
    rbv_model_destroy(w->model);
    w->system = NULL;
    w->model = NULL;
}

void rbv_study_worker_destroy(RbvStudyWorker *w) {
    if (!w)
        return;
    drop_system(w);
    rbv_diagnostics_destroy(w->messages);
    rbv_gathered_clear(&w->gathered);
    free(w->settings);
    free(w->parameters);
    free(w->values);
    free(w->verdicts);
    free(w);
}

/* ---- values into the system ---- */

/* Texts "name=value unit" of --set, as many as parameters; one block, to be freed. NULL: no memory. */
static char **overrides_of(const RbvStudyWorker *w, int32_t *set) {
    const RbvStudy *study = w->study;
    *set = 0;
    size_t count = (size_t)study->parameter_count, size = count * sizeof(char *);
    for (size_t k = 0; k < count; k++)
        size += strlen(study->parameters[k].name) + strlen(study->parameters[k].unit) + 40;
    char **list = malloc(size + 1), *at = list ? (char *)(list + count) : NULL;
    for (size_t k = 0; list && k < count; k++) {
        const RbvStudyParameter *parameter = &study->parameters[k];
        if (parameter->joint >= 0)
            continue;
        list[(*set)++] = at;
        at += sprintf(at, "%s=", parameter->name);
        at += rbv_number_print(at, 40, w->parameters[k]);
        at += sprintf(at, *parameter->unit ? " %s" : "%s", parameter->unit) + 1;
    }
    return list;
}

/* Take the misfits back to those of the model. Then parameters are set, on which they may depend. */
static void restore_misfits(const RbvStudyWorker *w) {
    for (int32_t k = 0; w->model && k < w->study->parameter_count; k++) {
        const RbvStudyParameter *parameter = &w->study->parameters[k];
        if (parameter->joint >= 0)
            rbv_model_set_misfit(w->model, parameter->joint, parameter->direction, parameter->nominal);
    }
}

/* Add the deviations of the variant to the misfits that the model has with its parameters. */
static RbvStatus set_misfits(const RbvStudyWorker *w, RbvModel *model) {
    bool good = true;
    for (int32_t k = 0; good && k < w->study->parameter_count; k++) {
        const RbvStudyParameter *parameter = &w->study->parameters[k];
        if (parameter->joint < 0)
            continue;
        double here = rbv_joint_loose(&model->joints.items[parameter->joint])->misfit[parameter->direction];
        good = rbv_model_set_misfit(model, parameter->joint, parameter->direction,
                                    here + (w->parameters[k] - parameter->nominal));
    }
    return good ? RBV_OK : RBV_NO_MEMORY;
}

/* Read and compile the model with the values of the variant. `plain`: without the study's outputs, into *model and
 * *system, for the files that the analysis alone would write. */
static RbvStatus compile(RbvStudyWorker *w, bool plain, RbvModel **model, RbvSystem **system) {
    const RbvStudy *study = w->study;
    RbvInput input = rbv_study_model_input(study);
    char **overrides = overrides_of(w, &input.override_count);
    if (!overrides)
        return RBV_NO_MEMORY;
    input.overrides = (const char *const *)overrides;
    input.fixed = plain;
    input.scene = plain;
    RbvStatus status = rbv_model_read(&input, w->messages, model);
    if (status == RBV_OK && !plain)
        status = rbv_study_add_outputs(study, *model, w->messages);
    if (status == RBV_OK)
        status = rbv_system_create(*model, &study->options.system, w->messages, system);
    if (status == RBV_OK)
        status = set_misfits(w, *model);
    free(overrides);
    return status;
}

/* Give the system the values of the variant. */
static RbvStatus set_values(RbvStudyWorker *w) {
    const RbvStudy *study = w->study;
    int32_t count = 0;
    restore_misfits(w);
    for (int32_t k = 0; k < study->parameter_count; k++)
        if (study->parameters[k].joint < 0)
            w->settings[count++] =
                (RbvParameterValue){study->parameters[k].number, w->parameters[k] * study->parameters[k].factor};
    if (w->system) {
        RbvStatus status = rbv_system_set_parameters(w->system, count, w->settings, w->messages);
        if (status == RBV_OK) /* behind the parameters: a joint that is read again has the misfit of the file */
            return set_misfits(w, w->model);
        if (status == RBV_NO_MEMORY)
            return status;
    }
    drop_system(w);
    rbv_diagnostics_clear(w->messages);
    RbvStatus status = compile(w, false, &w->model, &w->system);
    if (status != RBV_OK)
        drop_system(w);
    return status;
}

/* The first error in words, on one line. */
static void take_message(RbvStudyWorker *w, RbvStatus status) {
    const char *text = rbv_status_text(status);
    for (int32_t k = rbv_diagnostics_count(w->messages) - 1; k >= 0; k--)
        if (rbv_diagnostics_at(w->messages, k).severity == RBV_ERROR)
            text = rbv_diagnostics_at(w->messages, k).message;
    snprintf(w->message, sizeof w->message, "%s", text);
    for (char *c = w->message; *c; c++)
        *c = (unsigned char)*c < ' ' ? ' ' : *c;
}

static bool is_row(RbvStatus status) {
    return status != RBV_NO_MEMORY && status != RBV_INTERRUPTED && status != RBV_BAD_ARGUMENT;
}

static RbvStatus analyse(RbvStudyWorker *w, RbvSystem *system, RbvResult **result) {
    const RbvOptions *o = &w->options;
    switch (w->study->of) {
    case RBV_STUDY_CHECK: return rbv_check(system, o, w->messages, result);
    case RBV_STUDY_ASSEMBLE: return rbv_assembly(system, o, w->messages, result);
    case RBV_STUDY_KINEMATICS: return rbv_kinematics(system, o, w->messages, result);
    case RBV_STUDY_STATICS: return rbv_statics(system, o, w->messages, result);
    case RBV_STUDY_INVERSE: return rbv_inverse(system, o, w->messages, result);
    case RBV_STUDY_SIMULATE: return rbv_simulate(system, o, w->messages, result);
    case RBV_STUDY_TRACK: return rbv_track(system, o, w->messages, result);
    case RBV_STUDY_MODES: return rbv_modes(system, o, w->messages, result);
    case RBV_STUDY_SIZE: return rbv_size(system, o, w->messages, result);
    }
    return RBV_BAD_ARGUMENT;
}

/* Report a path that leads nowhere in result.json. */
static RbvStatus refuse_path(const RbvStudy *study, int32_t part, RbvDiagnostics *diagnostics) {
    for (int32_t q = 0; q < study->quantity_count; q++) {
        const RbvStudyQuantity *quantity = &study->quantities[q];
        if (part >= quantity->first && part < quantity->first + quantity->count)
            rbv_diagnose(diagnostics, RBV_ERROR, study->file, quantity->at, "collect: %s: result.json of %s has no %s",
                         quantity->name, study->analysis, study->parts[part].text);
    }
    return RBV_BAD_INPUT;
}

RbvStatus rbv_study_worker_run(RbvStudyWorker *w, int64_t variant, RbvStudyRow *row, RbvDiagnostics *diagnostics) {
    const RbvStudy *study = w->study;
    RbvResult *result = NULL;
    if (!rbv_study_values(study, variant, w->parameters))
        return RBV_BAD_ARGUMENT;
    rbv_diagnostics_clear(w->messages);
    w->message[0] = '\0';
    for (int32_t q = 0; q < study->quantity_count; q++) {
        w->values[q] = NAN;
        w->verdicts[q] = RBV_UNIQUE;
    }
    RbvStatus status = set_values(w);
    if (status == RBV_OK)
        status = analyse(w, w->system, &result);
    if (status == RBV_OK && !rbv_gather(&w->gathered, study, w->system, result, w->values, w->verdicts))
        status = RBV_NO_MEMORY;
    rbv_result_destroy(result);
    if (!is_row(status))
        return status;
    if (status == RBV_OK && w->gathered.missing >= 0 && variant == 1) /* the same whoever computes it */
        return refuse_path(study, w->gathered.missing, diagnostics);
    if (status != RBV_OK)
        take_message(w, status);
    *row = (RbvStudyRow){.variant = variant,
                         .parameters = w->parameters,
                         .values = w->values,
                         .verdicts = w->verdicts,
                         .status = status,
                         .message = w->message};
    return RBV_OK;
}

RbvStatus rbv_study_worker_keep(RbvStudyWorker *w, int64_t variant, const char *folder, RbvDiagnostics *diagnostics) {
    RbvModel *model = NULL;
    RbvSystem *system = NULL;
    RbvResult *result = NULL;
    RbvText path = {0};
    rbv_text_format(&path, "%s/variants/%06lld", folder, (long long)variant);
    rbv_diagnostics_clear(w->messages);
    RbvStatus status = rbv_study_values(w->study, variant, w->parameters) ? RBV_OK : RBV_BAD_ARGUMENT;
    if (status == RBV_OK)
        status = compile(w, true, &model, &system);
    w->options.scene = true;
    if (status == RBV_OK)
        status = analyse(w, system, &result);
    w->options.scene = false;
    RbvStatus written = path.no_memory || status == RBV_NO_MEMORY ? RBV_NO_MEMORY : RBV_OK;
    if (status == RBV_INTERRUPTED)
        written = RBV_INTERRUPTED;
    if (written == RBV_OK && result && !rbv_result_is_bare(result))
        written = rbv_result_write(result, path.data, NULL, diagnostics);
    rbv_text_clear(&path);
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    return written;
}
