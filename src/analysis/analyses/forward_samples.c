/* Samples of a motion from forces: forces, verdicts, the audit and the balance of energy at one instant; and all
 * numbers from which the motion can be continued. */
#include "analysis/analyses/forward_run.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "dynamics/events/checkpoint.h"
#include "model/result/result.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

void rbv_forward_run_keep(RbvForwardRun *s, RbvArchive *archive) {
    RBV_KEEP(archive, s->next);
    RBV_KEEP(archive, s->kept_work);
    RBV_KEEP(archive, s->energy);
    RBV_KEEP(archive, s->energy_error);
    RBV_KEEP(archive, s->energy_error_time);
    rbv_checkpoint_keep(archive, &s->loop);
    rbv_choice_keep(s->forces.choice, archive);
    RBV_KEEP_ARRAY(archive, s->forces.reactions->past,
                   2 * (s->run->system->part_count + 1) + s->run->model->constraints.count);
    rbv_record_keep(s->run->record, archive);
    rbv_audit_keep(&s->audit, archive);
    rbv_notes_archive(&s->run->notes, archive);
}

/* Energy lost where rows give way at a singular position (dynamics/accelerations/saddle.h) depends on no tolerance; the
 * report gives this reason. */
#define YIELDING_TEXT                                                                                                  \
    "; %.3g J of that in %lld steps at singular positions, where rows depend on each other and give way whatever the " \
    "tolerance: the first at t = %.6g s"
#define YIELDING_START_TEXT                                                                                            \
    "; %.3g J of that at the start, a singular position: rows depend on each other, motions branch there, and the "    \
    "rates or drives at the start follow none of them. Start beside it, or with rates of one of the motions"
#define YIELDED_TEXT                                                                                                   \
    "; this is a singular position, or next to one: rows depend on each other and contradict the rates. Pass it "      \
    "elsewhere, or with other rates"
/* Part of the longest step that counts as the start. */
#define AT_START 1e-3
/* Rounding of coordinates, as a part of the size and the distance from the origin. */
#define ROUNDED (16 * DBL_EPSILON)

/* Data of the first sample that hold for the whole result. False: no memory. */
static bool record_first(RbvForwardRun *s) {
    RbvResult *result = s->run->record->result;
    if (!rbv_record_mobility(s->run->record, s->state, s->forces.solvability))
        return false;
    rbv_record_length(result, rbv_sample_forces_decides(&s->forces));
    rbv_sample_forces_share(&s->forces, true);
    bool modes = rbv_record_modes(s->run->record, s->state, s->forces.reactions, rbv_sample_forces_decides(&s->forces));
    rbv_sample_forces_share(&s->forces, false);
    if (!modes)
        return false;
    result->redundant_by = rbv_choice_name(s->forces.choice);
    result->length = rbv_choice_norm_length(s->forces.choice, result->length);
    return true;
}

/* The inertia that drives feel, with all other freedoms left to their forces: [M C^T; C 0] [a; lambda] = [0; e_k] for
 * the drive's row k gives the effort per second rate. */
static void find_felt(RbvForwardRun *s) {
    const RbvSystem *system = s->run->system;
    int32_t drives = s->run->model->drives.count, rows = system->row_count + system->coordinates.own_rows;
    double *g = s->felt + drives, *lambda = g + rows, *x = lambda + rows;
    for (int32_t k = 0; k < drives; k++) {
        int32_t row = system->drive_row[k];
        s->felt[k] = NAN;
        if (s->run->record->result->drives.items[k].rate == 0 || row < 0 ||
            (s->state->active && !s->state->active[row]))
            continue;
        g[row] = 1;
        if (rbv_saddle_solve(s->flow.saddle, NULL, g, x, lambda))
            s->felt[k] = fabs(lambda[row]);
        g[row] = 0;
    }
}

/* Record the sample at the state that the flow has evaluated, with `work` [J] done since the start. */
static RbvStatus record_sample(RbvForwardRun *s, double work, bool first) {
    char why[256] = "";
    bool renewed = first || s->loop.changed;
    RbvStatus status = s->loop.changed ? rbv_sample_forces_renew(&s->forces) : RBV_OK;
    s->loop.changed = false;
    rbv_event_loop_find_sharing(&s->loop);
    if (status == RBV_OK)
        status = rbv_sample_forces_solve(&s->forces, s->tolerance);
    if (status != RBV_OK)
        return status;
    if (renewed && !rbv_flow_expect_repeats(&s->flow, rbv_singular_lasting(&s->forces.singular, s->forces.solvability)))
        return RBV_NO_MEMORY;
    rbv_sample_forces_share(&s->forces, true);
    bool recorded =
        rbv_record_verdicts(s->run->record, s->state, s->forces.reactions, rbv_sample_forces_decides(&s->forces),
                            s->forces.shared ? NULL : s->forces.choice);
    rbv_sample_forces_share(&s->forces, false);
    if (!recorded)
        return RBV_NO_MEMORY;
    rbv_record_errors(s->run->record, s->forces.reactions);
    rbv_audit_sample(&s->audit, s->state, s->forces.reactions);
    rbv_audit_accelerations(&s->audit, s->state);
    rbv_audit_one_sided(&s->audit, s->state, s->forces.reactions);
    s->audit.constraint = rbv_max(s->audit.constraint, s->flow.constraint_error);
    double energy = rbv_power_energy(&s->flow.power, s->state), error = energy - s->energy - work;
    s->run->record->energy[0] = energy;
    s->run->record->energy[1] = error;
    if (fabs(error) > s->energy_error) {
        s->energy_error = fabs(error);
        s->energy_error_time = s->state->t;
    }
    if (s->felt)
        find_felt(s);
    status =
        rbv_record_influences(s->run->record, s->state, s->forces.solvability, s->forces.choice, s->forces.reactions);
    if (status != RBV_OK)
        return status;
    if (!rbv_record_sample(s->run->record, s->state, s->forces.reactions, why, sizeof why))
        return rbv_forward_run_fail(s, RBV_NOT_FINITE, why);
    return first && !record_first(s) ? RBV_NO_MEMORY : RBV_OK;
}

/* [J] Energy of a motion that moves each body within the longest step by no more than the rounding of its coordinates,
 * plus the work of forces over that distance. */
static double energy_of_rounding(const RbvForwardRun *s) {
    const RbvModel *model = s->flow.system->model;
    double sum = 0;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        double place = ROUNDED * (rbv_state_body_size(s->state, b) + rbv_norm(s->state->bodies[b].r)),
               rate = place / s->stepper.longest, turn = rate / rbv_state_body_arm(s->state, b);
        sum += place * s->audit.scale[s->flow.system->part[b]].force;
        sum += 0.5 * (body->mass * rate * rate +
                      (body->particle ? 0 : (body->inertia[0] + body->inertia[1] + body->inertia[2]) * turn * turn));
    }
    return isfinite(sum) ? sum : 0;
}

RbvStatus rbv_forward_run_verify_energy(RbvForwardRun *s) {
    char text[500];
    const RbvEnergyBalance *balance = &s->stepper.balance;
    double size = rbv_max(s->flow.power.size, balance->size), parts = rbv_max(s->flow.power.parts, balance->parts);
    double share = rbv_energy_of_a_run(s->tolerance);
    if (s->stepped) /* no end is known; each step may have the tolerance */
        share = rbv_max(share, s->tolerance * (double)s->stepper.steps);
    if (s->energy_error <=
        share * size + rbv_energy_balance_rounding(s->flow.state, s->stepper.share, parts) + energy_of_rounding(s))
        return RBV_OK;
    s->state->t = s->energy_error_time;
    int used =
        snprintf(text, sizeof text, "the result fails its audit: the balance of energy is off by %.3g J of %.3g J",
                 s->energy_error, size);
    const RbvStepper *stepper = &s->stepper;
    if (stepper->yielding > 0 && stepper->yielded_from <= stepper->started + AT_START * stepper->longest)
        snprintf(text + used, sizeof text - (size_t)used, YIELDING_START_TEXT,
                 rbv_min(stepper->yielded, s->energy_error));
    else if (stepper->yielding > 0)
        snprintf(text + used, sizeof text - (size_t)used, YIELDING_TEXT, rbv_min(stepper->yielded, s->energy_error),
                 (long long)stepper->yielding, stepper->yielded_from);
    return rbv_forward_run_fail(s, RBV_AUDIT_FAILED, text);
}

static RbvStatus verify_sample(const RbvForwardRun *s) {
    char why[400], text[600];
    double nearness;
    if (rbv_audit_verify(&s->audit, "the result", why, sizeof why) == RBV_OK)
        return RBV_OK;
    snprintf(text, sizeof text, "%s%s", why, rbv_saddle_yields(s->flow.saddle, &nearness) ? YIELDED_TEXT : "");
    return rbv_forward_run_fail(s, RBV_AUDIT_FAILED, text);
}

RbvStatus rbv_forward_run_sample(RbvForwardRun *s, double t, bool first) {
    RbvStatus status = rbv_stepper_visit(&s->stepper, t);
    if (status == RBV_OK)
        status = record_sample(s, s->stepper.y_next[s->flow.size - 1], first);
    return status == RBV_OK ? verify_sample(s) : status;
}
