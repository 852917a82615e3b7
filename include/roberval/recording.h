/* Recorded motions: values of the drives' coordinates row by row, instead of the motions in the model.
 *
 *     RbvRecording *recording;
 *     RbvOptions options = rbv_options_default;
 *     if (rbv_recording_open(model, "swing.csv", diagnostics, &recording) == RBV_OK)
 *         options.recording = recording;
 *     rbv_inverse(system, &options, diagnostics, &result); */
#ifndef ROBERVAL_RECORDING_H
#define ROBERVAL_RECORDING_H

#include <roberval/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For options.recording of rbv_inverse and rbv_kinematics: each row is a sample, and all drives follow the rows, with
 * smooth interpolation between rows. Some 200 rows are kept in memory, whatever the length; where `share` tells how
 * much is read, some thousand more, which threads work at. rbv_recording_open creates one from a file; a program may
 * also fill in its own. */
typedef struct RbvRecording {
    const char *name;    /* name in messages: "run7.csv" */
    int32_t drive_count; /* number of drives of the model */
    /* [drive_count] [0]: rows hold the rate, [1]: rows hold the second rate. Missing ones come from the cubic spline
     * through all rows: of the values, or for the second rate of the rates if these are given. */
    const bool (*given)[2];
    int32_t note_count; /* notes about the columns, each is put into the result */
    const char *const *notes;
    int32_t line;  /* line of the row read last, for messages; 0: rows have no lines */
    void *context; /* first argument of the functions */
    /* Reads the next row: *t [s], larger than before, and for each drive, in the model's order, value, rate and second
     * rate in SI, finite where given. *more false: no more rows. INTERRUPTED: a signal came while waiting; the function
     * is called again unless options.progress stops the analysis. Other statuses end the analysis after the previous
     * rows with this status; the function has put the reason into diagnostics. */
    RbvStatus (*next)(void *context, double *t, double (*drives)[3], bool *more, RbvDiagnostics *diagnostics);
    /* Share of the rows read: 0 to 1. NaN, NULL: unknown, as where rows come while they are measured; then each row is
     * used before the next but few is read. Both functions are called by the thread of the analysis alone. */
    double (*share)(void *context);
} RbvRecording;

/* Rows of a CSV file (path NULL or "-": standard input): a column `time` and one for each drive, named like the drive
 * or its coordinate, with the unit in the heading: "hinge.angle [deg]"; "hinge.angle'" and "hinge.angle''" are rates,
 * "hinge.angle wrap [deg]" begins anew at each turn; [SI] is the SI unit of any column. Numbers without a unit are in
 * the units: of the model. Other columns are ignored with a note. Open the recording before a system is created from
 * the model; the model must outlive it; the caller destroys it. The rows are read once, during the analysis. BAD_INPUT
 * (see diagnostics): no such file, columns missing or wrong. */
RBV_API RbvStatus rbv_recording_open(RbvModel *model, const char *path, RbvDiagnostics *diagnostics,
                                     RbvRecording **recording);
/* For recordings of rbv_recording_open. NULL is allowed. */
RBV_API void rbv_recording_destroy(RbvRecording *recording);

#ifdef __cplusplus
}
#endif
#endif
