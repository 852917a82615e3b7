/* The info analysis: the contents of a model. Nothing is assembled or solved. */
#include <roberval/analysis.h>

#include "solution/record/record.h"

RbvStatus rbv_info(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                   RbvResult **result) {
    (void)options;
    if (!system || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    RbvNotes notes;
    if (!rbv_notes_open(&notes, diagnostics))
        return RBV_NO_MEMORY;
    RbvRecordOptions what = {.analysis = "info"};
    RbvRecord *record = rbv_record_create(system, NULL, &what);
    RbvState *state = rbv_state_create(system);
    if (state)
        rbv_state_place(state); /* in the starting poses, whether or not joints are satisfied */
    bool kept = record && state && rbv_record_info(record->result, state) &&
                rbv_notes_keep(&notes, system->model, record->result);
    if (kept) {
        *result = record->result;
        record->result = NULL;
    }
    rbv_state_destroy(state);
    rbv_record_destroy(record);
    rbv_notes_close(&notes);
    return kept ? RBV_OK : RBV_NO_MEMORY;
}
