/* A recorded motion: the caller's rows, one sample each, as drive targets from row to row. A row is a time and for each
 * drive its value [rad or m], rate and second rate; it is no constraint row.
 *
 * Missing derivatives come from the cubic spline through all rows (core/expr/spline.h): rates and second rates
 * from the spline of the values; where rates are given, second rates from the spline of the rates. Between two rows a
 * target is the quintic with their values, rates and second rates, which is the spline itself where both derivatives
 * come from it.
 */
#ifndef RBV_SOLUTION_MOTION_RECORDED_H
#define RBV_SOLUTION_MOTION_RECORDED_H

#include <roberval/recording.h>

#include "core/base/progress.h"
#include "mechanics/system/system.h"

typedef struct RbvRecorded RbvRecorded;

/* A recorded motion before its first row. `recording` and `model` must outlive it. `progress` is called while waiting
 * for rows. BAD_INPUT (reported): the model has no drive, or the recording has another number of them; NO_MEMORY. To be
 * destroyed in any case. */
RbvStatus rbv_recorded_create(const RbvModel *model, const RbvRecording *recording, RbvProgress *progress,
                              RbvDiagnostics *diagnostics, RbvRecorded **recorded);
void rbv_recorded_destroy(RbvRecorded *recorded);
/* Take the next row, at *t: drive targets lead from the row taken before to it. At the first row they have only its
 * numbers, at *t alone. *more false: the row before was the last. BAD_INPUT (reported): no rows, times that do not
 * grow, numbers that are not finite, a single row without rates; other statuses of the recording. Errors are returned
 * after all earlier rows. Allocates nothing. */
RbvStatus rbv_recorded_next(RbvRecorded *recorded, double *t, bool *more);
/* Is the recording all at hand, in a file, say, so that rows may be read before they are used? Not where they come
 * while they are measured. */
bool rbv_recorded_is_stored(const RbvRecorded *recorded);
/* Reads up to `count` rows, which rbv_recorded_next then gives, with what ended them. *enough: there are so many. To be
 * called once. NO_MEMORY. */
RbvStatus rbv_recorded_read_ahead(RbvRecorded *recorded, int32_t count, bool *enough);

/* Rows of the recording in memory. */
typedef struct RbvRecordedRows {
    int32_t count;
    double *t;               /* [s] [count] */
    RbvDriveTarget *targets; /* [count][drives] targets that lead from the row before to each */
    double *share;           /* [count] rbv_recorded_share after each */
} RbvRecordedRows;
/* The next rows, at most `most`; *rows is the caller's in any case, with the rows before the end or an error. Otherwise
 * as rbv_recorded_next. */
RbvStatus rbv_recorded_take(RbvRecorded *recorded, int32_t most, RbvRecordedRows **rows, bool *more);
void rbv_recorded_rows_destroy(RbvRecordedRows *rows);
/* Errors are reported to other diagnostics, and another progress is asked, from now on. */
void rbv_recorded_report_to(RbvRecorded *recorded, RbvDiagnostics *diagnostics, RbvProgress *progress);
/* [s] Time from the first row to the second, to be called after the first; 1 where there is no second. */
double rbv_recorded_step(const RbvRecorded *recorded);
/* Report an error at the row read last, which may be many rows after the one taken last; BAD_INPUT. */
RbvStatus rbv_recorded_refuse(const RbvRecorded *recorded, const char *text);
/* [drives] Drive targets, for state->targets: the array stays where it is, its numbers change with each row. */
RbvDriveTarget *rbv_recorded_targets(const RbvRecorded *recorded);
/* Gives drive targets constant second rates, with the numbers of the row they lead to at its time: a parabola that
 * holds before and after that time, for derivatives by differences there. */
void rbv_recorded_hold(RbvDriveTarget *targets, int32_t drives);
/* Share of the recording that has been taken, as its source tells: 0 to 1; NaN: unknown. */
double rbv_recorded_share(const RbvRecorded *recorded);
/* Note which derivatives come from splines; no note where none does. */
void rbv_recorded_note(const RbvRecorded *recorded, RbvDiagnostics *diagnostics);

#endif
