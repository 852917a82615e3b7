/* Results: named columns of samples with units and verdicts, and functions that write them. A result belongs to the
 * caller and outlives its system. */
#ifndef ROBERVAL_RESULT_H
#define ROBERVAL_RESULT_H

#include <roberval/base.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Verdict: is a reaction determined by the rigid model? Ordered from good to bad. */
typedef enum RbvVerdict {
    RBV_FREE,       /* a direction that the joint does not constrain: the reaction is zero */
    RBV_UNIQUE,     /* the rigid model determines the reaction */
    RBV_COMPLIANCE, /* not unique in the rigid model, made unique by the given compliances */
    RBV_UNSURE,     /* the rank decision is not safe at one state at least */
    RBV_NOT_UNIQUE  /* the value plus any multiple of a self-stress is equally right */
} RbvVerdict;

typedef struct RbvResult RbvResult;

/* NULL is allowed. */
RBV_API void rbv_result_destroy(RbvResult *result);

/* How much of each a result holds; all zero for NULL. */
typedef struct RbvResultCounts {
    int32_t samples, columns;
    int32_t path_events;   /* statics along a parameter */
    int32_t modes;         /* modes of vibration */
    int32_t self_stresses; /* independent self-stresses */
    int32_t sums;          /* sums of components that are unique although none of their parts is */
    int32_t clusters;      /* coupled self-stresses */
} RbvResultCounts;
RBV_API RbvResultCounts rbv_result_counts(const RbvResult *result);

/* A column; column 0 is the time [s]. Names and values are valid as long as the result. */
typedef struct RbvResultColumn {
    const char *name;     /* "hinge.Fx", "motor.effort", "rod.angle" */
    const char *unit;     /* SI: "N", "N.m", "rad"; "": no unit, or unknown */
    RbvVerdict verdict;   /* worst of all samples; RBV_UNIQUE for columns that are not reactions */
    const double *values; /* SI: that of sample k is values[k * stride]; NULL: no samples */
    int32_t stride;
} RbvResultColumn;
/* The column at `index`; index out of range: empty name and unit, no values. */
RBV_API RbvResultColumn rbv_result_column(const RbvResult *result, int32_t index);
/* Index of the column `name` ("hinge.Fx", "motor.effort", "rod.angle"), or -1. */
RBV_API int32_t rbv_result_find(const RbvResult *result, const char *name);
/* Value of a column at a sample, in SI units; NaN: index out of range. Signs: docs/conventions.md. */
RBV_API double rbv_result_value(const RbvResult *result, int32_t sample, int32_t column);

typedef struct RbvMobility {
    int32_t coordinates; /* 3 per body, 2 per particle */
    int32_t rows;        /* of joints, constraints and drives */
    int32_t rank, redundant;
    int32_t degrees_of_freedom;          /* coordinates - rank */
    int32_t degrees_of_freedom_position; /* degrees of freedom without the rows on velocities: knife edges, velocity:
                                            constraints */
    int32_t gruebler;                    /* coordinates minus the number of rows of joints and constraints */
    int32_t mobility;  /* coordinates minus the rank of these rows: freedom of the velocities without drives */
    int32_t permanent; /* number of redundant rows that stay redundant along every motion; -1: not examined */
    int32_t drives;    /* number of rows that belong to drives */
} RbvMobility;
RBV_API RbvMobility rbv_result_mobility(const RbvResult *result);

/* Statics: the equilibrium; along a parameter, the first place of the path. Names are valid as long as the result. */
typedef struct RbvEquilibriumSummary {
    bool found;
    const char *stability; /* "stable", "unstable", "neutral"; NULL: not decided */
    const char *moves;     /* coordinate along which an unstable equilibrium falls or a neutral one moves; NULL: none */
    double energy, curvature; /* [J], [1/s^2] as in result.json; NaN: none */
    int32_t iterations;
} RbvEquilibriumSummary;
RBV_API RbvEquilibriumSummary rbv_result_equilibrium(const RbvResult *result);

/* Statics along a parameter: one event of the path. Events are in the order of the path. */
typedef struct RbvPathEvent {
    const char *kind;  /* "fold", "snap-through", "bifurcation", "flutter", "stability", "land", "release"; NULL: index
                          out of range */
    double at;         /* value of the parameter, SI */
    int32_t sample;    /* index of the sample */
    const char *moves; /* coordinate that moves; NULL: none */
    const char *before, *after; /* stability before and after; NULL: not decided */
} RbvPathEvent;
RBV_API RbvPathEvent rbv_result_path_event(const RbvResult *result, int32_t event);

/* Modes: motion exp(lambda t). One mode for each conjugate pair (im >= 0), one for each real root; sorted by |lambda|.
 * Names are valid as long as the result. */
typedef struct RbvShapePart {
    const char *name; /* "hinge.angle", "bob.x" */
    double re, im;    /* [m or rad] the largest component of the shape is 1 */
} RbvShapePart;
typedef struct RbvModeSummary {
    double re, im;             /* [1/s] lambda */
    double frequency, damping; /* |lambda| / 2 pi [Hz], -re / |lambda| (NaN: lambda is 0) */
    int32_t shape_count;
    const RbvShapePart *shape; /* [shape_count] */
} RbvModeSummary;
/* All zero for an index out of range. */
RBV_API RbvModeSummary rbv_result_mode(const RbvResult *result, int32_t mode);

/* Linear state-space model about the state:
 *   x' = A x + B u
 *   y - at = C x + D u
 * x: changes of coordinates and velocities, u: changes of loads and efforts. Matrices are row-major. */
typedef struct RbvSignal {
    const char *name, *unit; /* "hinge.angle'", SI */
    double at;               /* outputs: value at the state; states and inputs: NaN */
} RbvSignal;
typedef struct RbvStateSpace {
    int32_t states, inputs, outputs;
    const RbvSignal *state, *input, *output;
    const double *A, *B, *C, *D; /* [states][states], [states][inputs], [outputs][states], [outputs][inputs] */
} RbvStateSpace;
/* NULL: no state-space model was requested. */
RBV_API const RbvStateSpace *rbv_result_state_space(const RbvResult *result);

/* Self-stress and advice of check and inverse, as in result.json under self_stress, groups and advice; components are
 * called "joint.Fx". All objects are valid as long as the result. */
typedef struct RbvShare {
    const char *name; /* "joint.component" */
    double share;
} RbvShare;

/* Combination of reaction components. Self-stress: the change of each component, the largest is 1. Sum: the factor of
 * each component. */
typedef struct RbvMode {
    RbvShare *shares; /* [count] */
    int32_t count;
} RbvMode;

/* A change of the model beside the type of a joint: replace the text `from` by `to`; "": remove it. */
typedef struct RbvEdit {
    const char *from, *to;
} RbvEdit;

/* A change that makes all reactions of a cluster unique: directions to be freed, measured or given a compliance. */
typedef struct RbvRemedy {
    const char **names; /* [count] "B2.x", or components to be measured */
    int32_t count;
    const char **instead; /* [count] freeing: new type of the joint ("slot", "no joint"); NULL: another entry names it,
                             or no type alone does it */
    RbvEdit *edits;       /* [edit_count] */
    int32_t edit_count;
    const char *obstacle; /* freeing: reason why no joint type alone does it; NULL: joint types exist for all */
    double independence;  /* 1: best possible, near 0: only just independent */
} RbvRemedy;

/* Coupled self-stresses: reactions between which load can shift. */
typedef struct RbvCluster {
    int32_t degree;
    const char **names; /* [count] reaction components */
    int32_t count;
    RbvRemedy *free, *measure,
        *comply; /* [free_count], [measure_count], [comply_count]: alternatives, the best first */
    int32_t free_count, measure_count, comply_count;
    RbvRemedy otherwise; /* if no joint type frees the cluster: a remedy that does; count 0: nothing found */
} RbvCluster;

/* Independent self-stresses; sums of components that are unique although none of their parts is; clusters. NULL: index
 * out of range. */
RBV_API const RbvMode *rbv_result_self_stress(const RbvResult *result, int32_t index);
RBV_API const RbvMode *rbv_result_sum(const RbvResult *result, int32_t index);
RBV_API const RbvCluster *rbv_result_cluster(const RbvResult *result, int32_t index);
/* Remedy that frees all clusters at once by joint types that exist; NULL: none exists, or none is needed. */
RBV_API const RbvRemedy *rbv_result_remedy(const RbvResult *result);

/* How a result is shown in tables and in series.csv. result.json always holds everything, in SI. */
typedef struct RbvView {
    int32_t width;        /* page width in characters: tables and lists fit into this width */
    bool break_sentences; /* sentences fit into this width, too; false: each stays on one line */
    int32_t only_count; /* number of patterns with '*', '?' and '[a-z]': only items whose name ("leg1") or columns whose
                           name ("leg1.Fx") fits a pattern are shown; 0: all */
    const char *const *only;
    bool model_units; /* units that the model declares under units:, instead of SI */
    bool rows;        /* check: also show each constraint row */
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
} RbvKeeper;

/* A keeper that writes samples to series.csv.part, and the data to resume to `checkpoint` and `checkpoint.rows`: at
 * once a mark that the run has begun; a state, with its samples on the disk, every 10 s if keep() is called that often;
 * the last state when the folder is closed. `run`: lines that must be equal when a run is resumed ("model: ..."); NULL:
 * samples only. `resume`: go on from the folder's checkpoint, which is checked; BAD_INPUT (see diagnostics): it is
 * missing, damaged, or of another `run`. The keeper belongs to the folder and lives as long as it. */
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

#ifdef __cplusplus
}
#endif
#endif
