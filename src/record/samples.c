/* Sample times; see samples.h. */
#include "record/samples.h"

#include "base/diagnostics.h"

#include <math.h>

RbvOptions rbv_options_default(void) {
    return (RbvOptions){.from = NAN, .to = NAN, .step = NAN, .damping = NAN, .penalty = NAN, .norm_length = NAN, .tolerance = NAN};
}

double rbv_first_instant(const RbvModel *model, const RbvOptions *options) {
    return !isnan(options->from) ? options->from : model->has_motion ? model->from : 0;
}

RbvStatus rbv_samples_create(const RbvModel *model, const RbvOptions *options, RbvDiagnostics *diagnostics, RbvSamples *samples) {
    bool own = !isnan(options->to) && !isnan(options->step); /* `from` is 0 unless given */
    if (!model->has_motion && !own) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "the model has no motion: section; write motion: {from: 0 s, to: 1 s, step: 10 ms}");
        return RBV_BAD_INPUT;
    }
    samples->watch = (RbvWatch){.go_on = options->progress, .context = options->context};
    samples->from = rbv_first_instant(model, options);
    samples->to = isnan(options->to) ? model->to : options->to;
    samples->step = isnan(options->step) ? model->step : options->step;
    double steps = (samples->to - samples->from) / samples->step;
    if (!(samples->to >= samples->from) || !(samples->step > 0) || !isfinite(steps)) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "the motion from %g s to %g s in steps of %g s is empty; to must not lie before from, and step is positive",
                     samples->from, samples->to, samples->step);
        return RBV_BAD_INPUT;
    }
    if (steps < 1 && steps > 0 && isnan(options->from) && isnan(options->to) && isnan(options->step))
        rbv_diagnose(diagnostics, RBV_NOTE, model->file, (RbvPosition){0, 0}, "the step of %g s is longer than the motion from %g s to %g s: is a unit wrong?", samples->step,
                     samples->from, samples->to);
    if (steps > 1e8) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "the motion has %.3g samples; more than 1e8 are refused, so step: is probably wrong", steps);
        return RBV_BAD_INPUT;
    }
    /* `to` is a sample of its own unless from + i step falls on it, to a millionth of a step. */
    double whole = floor(steps + 1e-6);
    samples->count = (int32_t)whole + 1 + (steps - whole > 1e-6 ? 1 : 0);
    return RBV_OK;
}

double rbv_samples_time(const RbvSamples *samples, int32_t k) {
    return k == samples->count - 1 && k > 0 ? samples->to : samples->from + k * samples->step;
}

bool rbv_samples_go_on(RbvSamples *samples, int32_t k) {
    return !rbv_watch_stops_at(&samples->watch, (double)k / samples->count);
}
