/* Checkpoints of long runs: all numbers of a motion are stored, and restored. */
#include "analysis/analyses/simulation.h"
#include "core/base/diagnostics.h"
#include "dynamics/events/checkpoint.h"
#include "model/result/result.h"

/* Work between two checkpoints, some tenths of a second: evaluations of the motion, and samples, times the number of
 * coordinates and rows. At each checkpoint all derived data is made again, whether or not the caller stores it: numbers
 * depend neither on the place of results nor on the clock. */
#define KEPT_WORK 400000
/* Above this number of coordinates and rows the work between checkpoints grows in proportion: samples and states are
 * longer, too. */
#define KEPT_SIZE 400
#define SAMPLE_WORK 40 /* work of a sample, in evaluations */

/* Store or restore all numbers of the run that do not follow from others, except its samples. */
static void keep_all(RbvSimulation *s, RbvArchive *archive) {
    RBV_KEEP(archive, s->next);
    RBV_KEEP(archive, s->kept_work);
    RBV_KEEP(archive, s->energy);
    RBV_KEEP(archive, s->energy_error);
    RBV_KEEP(archive, s->energy_error_time);
    rbv_checkpoint_keep(archive, &s->loop);
    rbv_choice_keep(s->forces.choice, archive);
    RBV_KEEP_ARRAY(archive, s->forces.reactions->past, 2 * (s->system->part_count + 1) + s->model->constraints.count);
    rbv_record_keep(s->record, archive);
    rbv_audit_keep(&s->audit, archive);
    rbv_notes_archive(s->notes, archive);
}

/* Store the numbers where the caller keeps checkpoints; then derived data is made again, as in a run that continues
 * from here. */
RbvStatus rbv_simulation_pass_checkpoint(RbvSimulation *s) {
    const RbvKeeper *keeper = s->options->keeper;
    if (keeper && keeper->keep) {
        RbvArchive archive = {0};
        keep_all(s, &archive);
        RbvStatus status = !rbv_archive_is_good(&archive)
                               ? RBV_NO_MEMORY
                               : keeper->keep(keeper->context, s->record->result, archive.text.data,
                                              archive.text.length, s->diagnostics);
        rbv_text_clear(&archive.text);
        if (status != RBV_OK)
            return status;
    }
    return rbv_checkpoint_refresh(&s->loop);
}

/* Continue from a checkpoint, after the usual start. BAD_INPUT (reported): the checkpoint is damaged. */
RbvStatus rbv_simulation_go_on(RbvSimulation *s) {
    const RbvKeeper *keeper = s->options->keeper;
    RbvResult *result = s->record->result;
    RbvArchive archive = {.from = keeper->state, .left = keeper->size};
    if (!rbv_result_adopt(result, keeper->values, keeper->samples))
        return RBV_NO_MEMORY;
    keep_all(s, &archive);
    if (rbv_archive_is_good(&archive))
        return rbv_checkpoint_refresh(&s->loop);
    result->sample_count = 0;
    rbv_diagnose(s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0},
                 "the run cannot go on: what was kept of it is damaged, or of another model");
    return RBV_BAD_INPUT;
}

bool rbv_simulation_is_due(RbvSimulation *s) {
    int32_t own = s->options->keeper ? s->options->keeper->steps : 0;
    int64_t size = s->flow.n + s->system->row_count + 1,
            done = (s->flow.evaluations + SAMPLE_WORK * (int64_t)s->record->result->sample_count) * size;
    int64_t least = KEPT_WORK * (size > KEPT_SIZE ? size / KEPT_SIZE : 1);
    bool due = own > 0 ? s->stepper.steps % own == 0 : done - s->kept_work >= least;
    if (due)
        s->kept_work = done;
    return due;
}
