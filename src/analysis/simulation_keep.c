/* Long runs: all numbers of a motion kept, and taken back. */
#include "analysis/simulation.h"
#include "base/diagnostics.h"
#include "dynamics/checkpoint.h"
#include "result/rows.h"

/* Work between two states from which a run can go on, some tenths of a second: evaluations of the motion, and
 * samples, times the number of coordinates and rows. At each of these states all that is derived is made anew,
 * whether somebody keeps it or not: numbers depend neither on where results go nor on the clock. */
#define KEPT_WORK 400000
/* Coordinates and rows beyond which there is as much more work between them as there are more of these: samples and
 * states are long, too. */
#define KEPT_SIZE 400
#define SAMPLE_WORK 40 /* evaluations */

/* All numbers of the run that do not follow from others, but its samples. */
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

/* The numbers are kept, and what follows from them is made anew, as a run does that goes on from them. */
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

/* Go on from what was kept: the beginning has been made as always. */
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
