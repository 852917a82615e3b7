/* Results as texts and files: how they are shown, the folder of a run, what is kept for resuming, and states and
 * motions read from folders.
 *
 *     RbvView view = rbv_view_default;
 *     view.model_units = true;
 *     char *page = rbv_result_text(result, RBV_TEXT_TABLES, &view);
 *     rbv_result_write(result, "out", &view, diagnostics); */
#ifndef ROBERVAL_FOLDER_H
#define ROBERVAL_FOLDER_H

#include <roberval/result.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a result is shown in tables and in series.csv. result.json always holds everything, in SI. */
typedef struct RbvView {
    int32_t width;        /* page width in characters: tables and lists fit into this width */
    bool break_sentences; /* sentences fit into this width, too; false: each stays on one line */
    int32_t only_count; /* number of patterns with '*', '?' and '[a-z]': only items whose name ("leg1") or columns whose
                           name ("leg1.Fx") fits a pattern are shown; 0: all */
    const char *const *only;
    bool model_units;  /* units that the model declares under units:, instead of SI */
    bool rows;         /* check: also show each constraint row */
    bool every_sample; /* report: all samples, not only those that the page's pixels show */
} RbvView;
/* Width 100 characters, everything shown, SI units. */
RBV_API extern const RbvView rbv_view_default;
/* Number of columns (without the first) that the pattern fits; for info: number of items of the model. */
RBV_API int32_t rbv_result_match_count(const RbvResult *result, const char *pattern);

/* A folder for the files of one run, created if missing. The folder is reserved from open to close. NOT_WRITABLE: the
 * folder is open already, in this or another process (diagnostics name it), or a link, FIFO, device or folder has the
 * name of a file that runs write. Notes name files that killed runs have left. Closing NULL is allowed; a folder that
 * was created and stayed empty is removed. */
typedef struct RbvFolder RbvFolder;
RBV_API RbvStatus rbv_folder_open(const char *path, RbvDiagnostics *diagnostics, RbvFolder **folder);
RBV_API void rbv_folder_close(RbvFolder *folder);
/* BAD_INPUT (see diagnostics): the folder holds an interrupted run that can be resumed; then rbv_folder_write, and
 * rbv_folder_keep without `resume`, return BAD_INPUT, too. */
RBV_API RbvStatus rbv_folder_is_free(const RbvFolder *folder, RbvDiagnostics *diagnostics);
/* Write series.csv, result.json, scene.json (if there is a scene) and verdicts.csv (if verdicts change); existing ones
 * are replaced. Files are complete or absent, never cut off, also after a power failure; all files of a folder are
 * always of one result. NOT_WRITABLE: see diagnostics. */
RBV_API RbvStatus rbv_folder_write(RbvFolder *folder, const RbvResult *result, const RbvView *view,
                                   RbvDiagnostics *diagnostics);
/* Keeps the samples of a long run (simulate) while it goes on, and the states from which it can be resumed.
 * rbv_folder_keep creates one. */
typedef struct RbvKeeper {
    void *context;
    /* Called when the samples of `result`, from the first on, are done. state[size]: all data needed to resume from
     * there; NULL: only more samples. A status other than RBV_OK (see diagnostics) ends the run; its samples so far are
     * kept. May be NULL. */
    RbvStatus (*keep)(void *context, const RbvResult *result, const void *state, size_t size,
                      RbvDiagnostics *diagnostics);
    /* Resume from here: state[size] that `keep` got in a run of the same model, options and program, and
     * values[samples][...] of the samples of that time. NULL, or size 0: start from the beginning. The result equals
     * that of an uninterrupted run to the last bit. */
    const void *state;
    size_t size;
    const double *values;
    int32_t samples;
    int32_t steps; /* integration steps between two states passed to `keep`; 0: chosen by the size of the model. Numbers
                      depend on this by rounding */
    /* Text in which `keep` would write the samples of `part`, which has the columns of the run's result. Called on any
     * thread, for several parts at a time. The caller frees it; NULL: out of memory. May be NULL: `keep` prints all. */
    char *(*print)(void *context, const RbvResult *part, size_t *length);
    /* As `keep` without a state, where text[length] is what `print` gave for the samples from `first` to the last. Not
     * NULL if `print` is not. */
    RbvStatus (*keep_text)(void *context, const RbvResult *result, int32_t first, const char *text, size_t length,
                           RbvDiagnostics *diagnostics);
} RbvKeeper;

/* A keeper that writes samples to series.csv.part, and the data to resume to `checkpoint` and `checkpoint.rows`: at
 * once a mark that the run has begun; a state, with its samples on the disk, every 10 s if keep() is called that often;
 * the last state when the folder is closed. `run`: lines that must be equal when a run is resumed ("model: ..."); NULL:
 * samples only, and series.csv.part goes when the folder is closed without a result. `resume`: go on from the folder's
 * checkpoint, which is checked; BAD_INPUT (see diagnostics): it is missing, damaged, or of another `run`. The keeper
 * belongs to the folder and lives as long as it. */
RBV_API RbvStatus rbv_folder_keep(RbvFolder *folder, const RbvView *view, const char *run, bool resume,
                                  RbvDiagnostics *diagnostics, const RbvKeeper **keeper);
/* Delete the checkpoint of the folder: the run can no longer be resumed. */
RBV_API void rbv_folder_forget(RbvFolder *folder);
/* Initial state by column names of series.csv ("rod.x", "rod.vx", "hinge.angle"), in SI units. */
typedef struct RbvStart {
    const char *from; /* name in messages: "out/series.csv" */
    double t;         /* [s] time of the state */
    int32_t count;
    const char *const *names; /* [count] */
    const double *values;     /* [count] NaN: no value */
} RbvStart;
/* The sample at time t [s] of series.csv in a folder; t NaN: the last sample. On RBV_OK *start is new, to be destroyed
 * by the caller; else NULL. BAD_INPUT: no such file or no such sample (see diagnostics). */
RBV_API RbvStatus rbv_start_read(const char *folder, double t, RbvDiagnostics *diagnostics, RbvStart **start);
/* NULL is allowed. */
RBV_API void rbv_start_destroy(RbvStart *start);
/* A prescribed motion, measured or from another program: positions, velocities and accelerations of all bodies in
 * columns as in series.csv ("rod.x", "rod.y", "rod.angle", "rod.vx", "rod.vy", "rod.omega", "rod.ax", "rod.ay",
 * "rod.alpha"; in space .z, .qw ... .qz, .omegax ..., .alphax ...), in SI units. Other columns are ignored, except
 * whole turns of joint angles. */
typedef struct RbvGivenMotion {
    const char *from; /* name in messages */
    int32_t count, samples;
    const char *const *names; /* [count] the first is "time" [s] */
    const double *values;     /* [samples][count] NaN: no value */
} RbvGivenMotion;
/* All samples between the times from and to [s] (NaN: no limit) of a table like series.csv, or of series.csv in a
 * folder. Statuses and ownership as rbv_start_read. */
RBV_API RbvStatus rbv_given_motion_read(const char *path, double from, double to, RbvDiagnostics *diagnostics,
                                        RbvGivenMotion **motion);
/* NULL is allowed. */
RBV_API void rbv_given_motion_destroy(RbvGivenMotion *motion);
/* Open a folder, write the result, close the folder. `view` NULL: the default view, also in the functions below. */
RBV_API RbvStatus rbv_result_write(const RbvResult *result, const char *folder, const RbvView *view,
                                   RbvDiagnostics *diagnostics);
/* Form of a result as a text. */
typedef enum RbvTextForm {
    RBV_TEXT_JSON,   /* result.json */
    RBV_TEXT_SERIES, /* series.csv, as `view` shows it */
    RBV_TEXT_TABLES, /* a page for a terminal, as `view` shows it */
    RBV_TEXT_SCENE   /* scene.json */
} RbvTextForm;
/* The result as a new string, to be freed with free(). NULL: out of memory, or no scene. */
RBV_API char *rbv_result_text(const RbvResult *result, RbvTextForm form, const RbvView *view);
/* Write bytes to a file. Links are followed; a regular file is complete or unchanged, also after a power failure; a
 * device or a pipe is written to. NOT_WRITABLE: see diagnostics. */
RBV_API RbvStatus rbv_file_write(const char *path, const void *bytes, size_t size, RbvDiagnostics *diagnostics);
/* Write series.csv to an open stream, sample by sample, for results of any length. NOT_WRITABLE, NO_MEMORY. */
RBV_API RbvStatus rbv_result_print_series(const RbvResult *result, const RbvView *view, FILE *stream);
/* Read what a run has written to a folder (rbv_folder_write), for pictures: the scene, the series with units and
 * verdicts, and the text of result.json. Data that stand in result.json only, such as rbv_result_mobility, are not
 * restored. On RBV_OK *result is new, to be destroyed by the caller; else NULL. BAD_INPUT (see diagnostics): a file is
 * missing or damaged. */
RBV_API RbvStatus rbv_result_read(const char *folder, RbvDiagnostics *diagnostics, RbvResult **result);

#ifdef __cplusplus
}
#endif
#endif
