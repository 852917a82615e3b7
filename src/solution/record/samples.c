/* Times of samples, and validity of options; see samples.h. */
#include "solution/record/samples.h"

#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "solution/reaction/method.h"

#include <math.h>

const RbvOptions rbv_options_default = {.from = NAN,
                                        .to = NAN,
                                        .step = NAN,
                                        .penalty = NAN,
                                        .reactions.norm_length = NAN,
                                        .statics.damping = NAN,
                                        .motion.tolerance = NAN};

static bool is_list(int32_t count, const char *const *names) {
    return count == 0 || (count > 0 && names);
}

bool rbv_options_valid(const RbvOptions *o) {
    bool choices = (unsigned)o->reactions.frame <= RBV_FRAME_GROUND && rbv_method_kind(o->inverse.method) &&
                   (unsigned)o->inverse.by <= RBV_BY_BODY && (unsigned)o->reactions.criterion <= RBV_CRITERION_QR &&
                   (unsigned)o->reactions.redundant <= RBV_REDUNDANT_COMPLIANCE &&
                   (unsigned)o->statics.method <= RBV_STATICS_RELAXATION &&
                   (unsigned)o->motion.method <= RBV_MOTION_IMPLICIT &&
                   (unsigned)o->system.coordinates <= RBV_COORDINATES_MIXED &&
                   (unsigned)o->assembly.udwadia <= RBV_UDWADIA_CHOLESKY;
    return choices && is_list(o->inverse.balance_count, o->inverse.balance) &&
           is_list(o->inverse.reaction_count, o->inverse.reactions) &&
           is_list(o->reactions.eliminated_count, o->reactions.eliminated) && o->modes.count >= 0 && o->threads >= 0 &&
           o->threads <= 256 && is_list(o->modes.input_count, o->modes.inputs) &&
           is_list(o->modes.output_count, o->modes.outputs) && is_list(o->system.tree.cut_count, o->system.tree.cut) &&
           is_list(o->system.tree.base_count, o->system.tree.base);
}

double rbv_first_instant(const RbvModel *model, const RbvOptions *options) {
    if (!isnan(options->from))
        return options->from;
    return model->has_motion ? model->from : 0;
}

/* With fewer, times of samples have errors of more than a part in 2e4 of the time between them, which is reported. */
#define MANY_INSTANTS 1e4

/* Verifies that times have enough digits: late ones have few, those next to 1e9 s are 1.2e-7 s apart. */
static RbvStatus check_digits(const RbvModel *model, const RbvSamples *s, RbvDiagnostics *diagnostics) {
    double late = rbv_max(fabs(s->from), fabs(s->to)), apart = nextafter(late, INFINITY) - late,
           shortest = rbv_min(s->step, s->to - s->from);
    if (!(s->to > s->from) || shortest >= MANY_INSTANTS * apart)
        return RBV_OK;
    bool refused = shortest < RBV_LEAST_INSTANTS * apart;
    rbv_diagnose(diagnostics, refused ? RBV_ERROR : RBV_NOTE, model->file, (RbvPosition){0, 0},
                 refused ? "motion: at t = %g s numbers are %.2g s apart, too far for a motion of %g s in steps of %g "
                           "s; let it begin nearer to 0, or take longer steps"
                         : "motion: at t = %g s numbers are %.2g s apart, which is what samples of a motion of %g s in "
                           "steps of %g s are off by; nearer to 0 they are finer",
                 late, apart, s->to - s->from, s->step);
    return refused ? RBV_BAD_INPUT : RBV_OK;
}

RbvStatus rbv_samples_create(const RbvModel *model, const RbvOptions *options, RbvDiagnostics *diagnostics,
                             RbvSamples *samples) {
    bool own = !isnan(options->to) && !isnan(options->step); /* `from` is 0 by default */
    if (!model->has_motion && !own) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "the model has no motion: section; write motion: {from: 0 s, to: 1 s, step: 10 ms}");
        return RBV_BAD_INPUT;
    }
    samples->progress = (RbvProgress){.go_on = options->progress, .context = options->context};
    samples->from = rbv_first_instant(model, options);
    samples->to = isnan(options->to) ? model->to : options->to;
    samples->step = isnan(options->step) ? model->step : options->step;
    double steps = (samples->to - samples->from) / samples->step;
    if (!(samples->to >= samples->from) || !(samples->step > 0) || !isfinite(steps)) {
        rbv_diagnose(
            diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
            "the motion from %g s to %g s in steps of %g s is empty; to must not lie before from, and step is positive",
            samples->from, samples->to, samples->step);
        return RBV_BAD_INPUT;
    }
    if (steps < 1 && steps > 0 && isnan(options->from) && isnan(options->to) && isnan(options->step))
        rbv_diagnose(diagnostics, RBV_NOTE, model->file, (RbvPosition){0, 0},
                     "the step of %g s is longer than the motion from %g s to %g s: is a unit wrong?", samples->step,
                     samples->from, samples->to);
    if (steps > 1e8) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "the motion has %.3g samples; more than 1e8 are refused, so step: is probably wrong", steps);
        return RBV_BAD_INPUT;
    }
    /* `to` is a sample of its own unless from + i step falls on it, to a millionth of a step */
    double whole = floor(steps + 1e-6);
    samples->count = (int32_t)whole + 1 + (steps - whole > 1e-6 ? 1 : 0);
    return check_digits(model, samples, diagnostics);
}

double rbv_samples_time(const RbvSamples *samples, int32_t k) {
    return k == samples->count - 1 && k > 0 ? samples->to : samples->from + k * samples->step;
}

bool rbv_samples_go_on(RbvSamples *samples, int32_t k) {
    return !rbv_progress_stops_at(&samples->progress, (double)k / samples->count);
}

/* Initial capacity for a motion of unknown length. */
#define SOME_ROWS 1024

RbvStatus rbv_samples_open(const RbvModel *model, const RbvOptions *options, RbvDiagnostics *diagnostics,
                           RbvSamples *samples) {
    *samples = (RbvSamples){.count = SOME_ROWS};
    if (!options->recording)
        return rbv_samples_create(model, options, diagnostics, samples);
    samples->progress = (RbvProgress){.go_on = options->progress, .context = options->context};
    if (!isnan(options->from) || !isnan(options->to) || !isnan(options->step)) {
        rbv_diagnose(diagnostics, RBV_ERROR, options->recording->name, (RbvPosition){0, 0},
                     "a recorded motion has its own times, each row is a sample: from, to and step do not go with it");
        return RBV_BAD_INPUT;
    }
    bool more;
    RbvStatus status =
        rbv_recorded_create(model, options->recording, &samples->progress, diagnostics, &samples->recorded);
    if (status == RBV_OK)
        status = rbv_recorded_next(samples->recorded, &samples->from, &more);
    if (status == RBV_OK)
        rbv_recorded_note(samples->recorded, diagnostics);
    samples->step = status == RBV_OK ? rbv_recorded_step(samples->recorded) : NAN;
    samples->targets = status == RBV_OK ? rbv_recorded_targets(samples->recorded) : NULL;
    return status;
}

void rbv_samples_close(RbvSamples *samples) {
    rbv_recorded_destroy(samples->recorded);
    samples->recorded = NULL;
}

RbvStatus rbv_samples_next(RbvSamples *samples, int32_t k, double *t, bool *more) {
    if (!samples->recorded) {
        *more = k < samples->count;
        *t = rbv_samples_time(samples, k);
        return *more && !rbv_samples_go_on(samples, k) ? RBV_INTERRUPTED : RBV_OK;
    }
    *more = true;
    *t = samples->from;
    if (rbv_progress_stops_at(&samples->progress, rbv_recorded_share(samples->recorded)))
        return RBV_INTERRUPTED;
    if (k == 0) /* the targets of the first row are set already */
        return RBV_OK;
    return rbv_recorded_next(samples->recorded, t, more);
}

RbvStatus rbv_samples_keep(const RbvOptions *options, const RbvResult *result, RbvDiagnostics *diagnostics) {
    const RbvKeeper *keeper = options->samples.keeper;
    return keeper && keeper->keep ? keeper->keep(keeper->context, result, NULL, 0, diagnostics) : RBV_OK;
}
