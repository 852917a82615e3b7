/* Errors of the penalty and augmented methods, and the augmented method's own multipliers of redundant rows. */
#include "solution/record/record.h"

#include <math.h>
#include <string.h>

static void enlarge(double *to, double value) {
    if (value > *to || isnan(value))
        *to = value;
}

static const char *unit_of_multiplier(const RbvSystem *system, int32_t row) {
    const RbvRow *r = &system->rows[row];
    return r->owner == RBV_OWNER_CONSTRAINT ? system->model->constraints.items[r->index].unit
           : r->angular                     ? "N.m"
                                            : "N";
}

/* Multipliers of all active rows: those of least sum lambda^2/alpha. False: no memory. */
static bool keep_rows(RbvRecord *record, RbvSolvability *solvability, const RbvMethodReport *report) {
    const RbvSystem *system = record->system;
    RbvSoftRows *soft = &record->result->soft;
    const double one = 1;
    soft->rows = rbv_arena_alloc(&record->result->arena, ((size_t)system->row_count + 1) * sizeof *soft->rows);
    if (!soft->rows)
        return false;
    for (int32_t k = 0; k < system->row_count && k < report->rows; k++) {
        RbvOwner owner = system->rows[k].owner;
        if (!(report->alpha[k] > 0) ||
            (owner != RBV_OWNER_JOINT && owner != RBV_OWNER_CONSTRAINT && owner != RBV_OWNER_DRIVE))
            continue;
        RbvRowVerdict row = rbv_record_row(system, record->result, k, rbv_solvability_verdict(solvability, k, 1, &one));
        const char *unit = rbv_arena_copy(&record->result->arena, unit_of_multiplier(system, k),
                                          strlen(unit_of_multiplier(system, k)));
        if (!unit)
            return false;
        soft->rows[soft->row_count++] = (RbvSoftRow){row, unit, report->lambda[k], report->alpha[k]};
    }
    return true;
}

bool rbv_record_soft(RbvRecord *record, const RbvState *state, const RbvReactions *reactions,
                     RbvSolvability *solvability, const RbvMethodReport *report) {
    RbvSoftRows *soft = &record->result->soft;
    if (!soft->found || record->options.instant)
        *soft = (RbvSoftRows){.found = true,
                              .augmented = report->augmented,
                              .at = state->t,
                              .rows = soft->rows,
                              .row_count = soft->row_count};
    enlarge(&soft->coefficient, report->coefficient);
    enlarge(&soft->acceleration_error, report->acceleration_error);
    enlarge(&soft->force_error, reactions->method_error);
    soft->rounds = report->rounds > soft->rounds ? report->rounds : soft->rounds;
    bool requested = report->augmented && solvability->redundant > 0 && !soft->rows && !record->options.instant;
    if (requested)
        soft->at = state->t;
    return !requested || keep_rows(record, solvability, report);
}
