/* Archives what a record has gathered besides its samples, for a run that may be continued: verdicts and their
 * changes, errors, turns of coordinates, the audit, notes. */
#include "solution/record/record.h"

#include "core/base/diagnostics.h"

#include <stdlib.h>

static void keep_columns(RbvArchive *archive, RbvRecord *record) {
    RbvResult *result = record->result;
    for (int32_t c = 0; c < result->column_count + result->hidden_count; c++) {
        RbvColumn *column = &result->columns[c];
        RBV_KEEP(archive, column->error);
        RBV_KEEP(archive, column->verdict);
        RBV_KEEP(archive, column->has_verdict);
        RBV_KEEP(archive, column->has_error);
    }
    RBV_KEEP_ARRAY(archive, record->last_verdict, result->column_count);
}

static void keep_changes(RbvArchive *archive, RbvResult *result) {
    int32_t count = result->change_count;
    RBV_KEEP(archive, count);
    for (int32_t k = 0; k < count && !archive->broken; k++) {
        RbvVerdictChange change = archive->from ? (RbvVerdictChange){0} : result->changes[k];
        RBV_KEEP(archive, change.time);
        RBV_KEEP(archive, change.column);
        RBV_KEEP(archive, change.verdict);
        if (!archive->from)
            continue;
        result->change_count = k == 0 ? 0 : result->change_count;
        bool good = change.column >= 0 && change.column < result->column_count &&
                    rbv_result_change(result, change.column, change.verdict, change.time);
        archive->broken = archive->broken || !good;
    }
}

void rbv_record_keep(RbvRecord *record, RbvArchive *archive) {
    const RbvModel *model = record->system->model;
    keep_columns(archive, record);
    keep_changes(archive, record->result);
    RBV_KEEP_ARRAY(archive, record->memory, record->coordinate_count);
    RBV_KEEP_ARRAY(archive, record->last_quat, record->system->bodies.spatial ? 4 * model->bodies.count : 0);
    RBV_KEEP_ARRAY(archive, record->valueless, model->outputs.count);
    RBV_KEEP_ARRAY(archive, record->mixes, record->result->outputs.count);
    RBV_KEEP(archive, record->first_sample);
    RBV_KEEP(archive, record->lost_change);
}

void rbv_audit_keep(RbvAudit *audit, RbvArchive *archive) {
    RBV_KEEP(archive, audit->force);
    RBV_KEEP(archive, audit->torque);
    RBV_KEEP(archive, audit->power);
    RBV_KEEP(archive, audit->constraint);
    RBV_KEEP(archive, audit->force_scale);
    RBV_KEEP(archive, audit->torque_scale);
    RBV_KEEP(archive, audit->power_scale);
    RBV_KEEP_ARRAY(archive, audit->scale, audit->system->part_count);
    RBV_KEEP_ARRAY(archive, audit->largest, audit->system->model->bodies.count);
    RBV_KEEP(archive, audit->worst_body);
    RBV_KEEP(archive, audit->worst_time);
    RBV_KEEP(archive, audit->worst);
    RBV_KEEP(archive, audit->gear_off);
    RBV_KEEP(archive, audit->failed);
}

void rbv_notes_archive(RbvNotes *notes, RbvArchive *archive) {
    RbvArena arena = {0};
    int32_t count = rbv_diagnostics_count(notes->report);
    RBV_KEEP(archive, count);
    if (archive->from)
        rbv_diagnostics_clear(notes->report);
    for (int32_t k = 0; k < count && !archive->broken; k++) {
        RbvDiagnostic note = archive->from ? (RbvDiagnostic){0} : rbv_diagnostics_at(notes->report, k);
        RBV_KEEP(archive, note.severity);
        RBV_KEEP(archive, note.at);
        rbv_archive_string(archive, &note.file, &arena);
        rbv_archive_string(archive, &note.message, &arena);
        if (archive->from && !archive->broken)
            rbv_diagnose(notes->report, note.severity, note.file, note.at, "%s", note.message);
    }
    rbv_arena_clear(&arena);
}
