/* A recorded motion: rows of the caller's, one sample each, as guides of the drives from row to row.
 *
 * What a row lacks comes from the cubic spline through all rows (expr/running_spline.h): rates and second rates from
 * that of the values; where rates are given, second rates from that of the rates. Between two rows a guide is the
 * quintic with their values, rates and second rates, which is the spline itself where both come from it.
 */
#ifndef RBV_MOTION_RECORDED_H
#define RBV_MOTION_RECORDED_H

#include <roberval/recording.h>

#include "base/progress.h"
#include "system/system.h"

typedef struct RbvRecorded RbvRecorded;

/* With no row taken. Recording and model outlive it. `watch` is asked while rows are waited for. BAD_INPUT (said):
 * there is no drive, or the recording is of another number of them; NO_MEMORY. */
RbvStatus rbv_recorded_create(const RbvModel *model, const RbvRecording *recording, RbvProgress *progress,
                              RbvDiagnostics *diagnostics, RbvRecorded **recorded);
void rbv_recorded_destroy(RbvRecorded *recorded);
/* The guides lead to the next row, at *t; at first they stand there. *more false: the one before was the last.
 * BAD_INPUT (said): no rows, times that do not grow, numbers that are not finite, a single row without rates; other
 * statuses of the recording. Either way after all rows before. Allocates nothing. */
RbvStatus rbv_recorded_next(RbvRecorded *recorded, double *t, bool *more);
/* [s] After the first row: to the second one; 1 where there is none. */
double rbv_recorded_step(const RbvRecorded *recorded);
/* BAD_INPUT, said of the row that was read last. */
RbvStatus rbv_recorded_refuse(const RbvRecorded *recorded, const char *text);
/* [drives] the place stays, its numbers change. */
const RbvDriveTarget *rbv_recorded_guides(const RbvRecorded *recorded);
/* Around the present row, all second rates stay as they are until a row is taken: a motion that is smooth at its both
 * sides. */
void rbv_recorded_hold(RbvRecorded *recorded);
/* Of the recording, how much was read: 0 to 1; NaN: nobody knows. */
double rbv_recorded_share(const RbvRecorded *recorded);
/* What was not given and comes from splines, as a note; where nothing is, none. */
void rbv_recorded_note(const RbvRecorded *recorded, RbvDiagnostics *diagnostics);

#endif
