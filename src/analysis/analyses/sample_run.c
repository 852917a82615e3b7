/* Runs of analyses over samples; see sample_run.h. */
#include "analysis/analyses/sample_run.h"

#include "analysis/analyses/sample_blocks.h"
#include "analysis/scene/scene.h"
#include "analysis/sizing/sizing.h"
#include "model/result/result.h"

bool rbv_run_record(RbvSampleRun *run, RbvRecord *record, const RbvState *state) {
    run->record = record;
    if (record && run->from)
        return rbv_result_reserve(record->result, run->block_size);
    return record &&
           rbv_result_reserve_in(record->result, run->samples.count, run->options.samples.folder,
                                 run->options.samples.memory) &&
           rbv_scene_show(record->result, state, &run->options);
}

/* Go from step to step until there is none, or one fails. Steps above INT32_MAX have that number. */
static RbvStatus run_steps(RbvSampleRun *run) {
    const RbvSampledAnalysis *analysis = run->analysis;
    for (int32_t k = 0;; k += k < INT32_MAX) {
        double t;
        bool more;
        RbvStatus status =
            analysis->next ? analysis->next(run, k, &t, &more) : rbv_samples_next(&run->samples, k, &t, &more);
        if (status != RBV_OK || !more)
            return status;
        status = analysis->sample(run, k, t);
        if (status == RBV_OK && analysis->keeps)
            status = rbv_samples_keep(&run->options, run->record->result, run->diagnostics);
        if (status == RBV_OK && analysis->passed)
            status = analysis->passed(run, k);
        if (status != RBV_OK)
            return status;
        bool fit = false;
        if (k == 0)
            status = rbv_blocks_fit(run, &fit);
        if (fit || status != RBV_OK)
            return fit ? rbv_run_blocks(run) : status;
    }
}

/* What a run with this status has recorded becomes *result. The status of the run, or NO_MEMORY. */
static RbvStatus keep_result(RbvSampleRun *run, RbvStatus status, RbvResult **result) {
    const RbvSampledAnalysis *analysis = run->analysis;
    RbvResult *done = run->record ? run->record->result : NULL;
    if (!done || (done->sample_count == 0 && !run->has_result))
        return status;
    if (analysis->end)
        status = analysis->end(run, status);
    if (status == RBV_NO_MEMORY)
        return status;
    if ((analysis->finish && !analysis->finish(run)) ||
        (status == RBV_OK && !rbv_size_result(run->model, done, run->diagnostics)) ||
        !rbv_notes_keep(&run->notes, run->model, done))
        return RBV_NO_MEMORY;
    *result = done;
    run->record->result = NULL;
    return status;
}

RbvStatus rbv_run_samples(const RbvSampledAnalysis *analysis, void *own, const RbvSystem *system,
                          const RbvOptions *given, RbvDiagnostics *diagnostics, RbvResult **result) {
    if (!system || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    RbvSampleRun run = {.analysis = analysis,
                        .own = own,
                        .system = system,
                        .model = system->model,
                        .options = given ? *given : rbv_options_default};
    if (!rbv_options_valid(&run.options))
        return RBV_BAD_ARGUMENT;
    RbvStatus status = rbv_notes_open(&run.notes, diagnostics) ? RBV_OK : RBV_NO_MEMORY;
    run.diagnostics = run.notes.report;
    if (status == RBV_OK)
        status = analysis->admit(&run);
    if (status == RBV_OK)
        status = analysis->start(&run);
    if (status == RBV_OK)
        status = run_steps(&run);
    status = keep_result(&run, status, result);
    status = rbv_scene_end(system, &run.options, analysis->name, status, run.diagnostics, result);
    analysis->destroy(&run);
    rbv_samples_close(&run.samples);
    rbv_notes_close(&run.notes);
    return status;
}
