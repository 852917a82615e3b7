/* Recorded motions: what the drives' coordinates were, row by row, instead of what the model says of them. */
#ifndef ROBERVAL_RECORDING_H
#define ROBERVAL_RECORDING_H

#include <roberval/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Given as options.recording to rbv_inverse and rbv_kinematics: each row is a sample, and all drives follow the rows;
 * in between they go smoothly from row to row. Of a motion of any length some 200 rows are held. One from a file
 * comes from rbv_recording_open; one of the caller's own is filled by the caller. */
typedef struct RbvRecording {
    const char *name;    /* what messages call it: "run7.csv" */
    int32_t drive_count; /* that of the model */
    /* [drive_count] do rows hold the rate, the second rate? Those that they do not are of the cubic spline through all
     * rows: of the values, or the second rate of the rates where these are given. */
    const bool (*given)[2];
    int32_t note_count; /* what must be known of its columns: each stands in the result */
    const char *const *notes;
    int32_t line;  /* of the row that was read last, for messages; 0: rows have none */
    void *context; /* of the functions */
    /* The next row: *t [s], larger than the last, and for each drive, in the model's order, value, rate and second
     * rate in SI, finite as far as they are given. *more false: there are no more rows. INTERRUPTED: a signal came
     * while it was waited for; it is called again unless options.progress stops the analysis. Other statuses end the
     * analysis after the rows before, with that status; the function has said why. */
    RbvStatus (*next)(void *context, double *t, double (*drives)[3], bool *more, RbvDiagnostics *diagnostics);
    double (*share)(void *context); /* of the rows, how much was read: 0 to 1, or NaN; NULL: nobody knows */
} RbvRecording;

/* The rows of a CSV file (NULL or "-": standard input): a column `time` and one for each drive, called as the drive
 * or its coordinate is, with the unit in the heading as in "hinge.angle [deg]"; "hinge.angle'" and "hinge.angle''"
 * are rates, "hinge.angle wrap [deg]" begins anew at each turn. Without a unit numbers are what units: of the model
 * says. Other columns are left out (a note says so). To be opened before a system is made of the model, which must
 * outlive it, and destroyed by the caller. BAD_INPUT (said): no such file, columns that lack or do not fit. The
 * functions of the recording may be called once through: it reads as it goes. */
RBV_API RbvStatus rbv_recording_open(RbvModel *model, const char *path, RbvDiagnostics *diagnostics,
                                     RbvRecording **recording);
/* Of rbv_recording_open. NULL is allowed. */
RBV_API void rbv_recording_destroy(RbvRecording *recording);

#ifdef __cplusplus
}
#endif
#endif
