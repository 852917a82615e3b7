/* Results: named series with units and verdicts, and how to write them. A result belongs to the caller and outlives its
 * system. */
#ifndef ROBERVAL_RESULT_H
#define ROBERVAL_RESULT_H

#include <roberval/base.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Is a reaction determined by the rigid model? Ordered from good to bad. */
typedef enum RbvVerdict {
    RBV_FREE,       /* a direction the joint does not hold: zero */
    RBV_UNIQUE,     /* determined */
    RBV_COMPLIANCE, /* not unique in the rigid model, made so by given compliances */
    RBV_UNSURE,     /* the rank decision is not safe at some state */
    RBV_NOT_UNIQUE  /* the value plus any self-stress is equally right */
} RbvVerdict;

typedef struct RbvResult RbvResult;

/* NULL is allowed. */
RBV_API void rbv_result_destroy(RbvResult *result);

/* Samples done, and columns of the series; column 0 is the time [s]. */
RBV_API int32_t rbv_result_sample_count(const RbvResult *result);
RBV_API int32_t rbv_result_column_count(const RbvResult *result);
/* The column called `name` ("hinge.Fx", "motor.effort", "rod.angle"), or -1. */
RBV_API int32_t rbv_result_find(const RbvResult *result, const char *name);
RBV_API const char *rbv_result_column_name(const RbvResult *result, int32_t column);
/* SI unit ("N", "N.m", "rad", ...), "" when it has none or none is known. */
RBV_API const char *rbv_result_column_unit(const RbvResult *result, int32_t column);
/* All values of a column: that of sample k is at k * *stride. The pointer holds as long as the result. NULL: an index
 * out of range, or no samples. */
RBV_API const double *rbv_result_column_values(const RbvResult *result, int32_t column, int32_t *stride);
/* The worst verdict of the samples; RBV_UNIQUE for columns that are no reactions. */
RBV_API RbvVerdict rbv_result_column_verdict(const RbvResult *result, int32_t column);
/* The value; NaN for an index out of range. Signs: docs/conventions.md. */
RBV_API double rbv_result_value(const RbvResult *result, int32_t sample, int32_t column);

typedef struct RbvMobility {
    int32_t coordinates; /* 3 per body, 2 per particle */
    int32_t rows;        /* joints, constraints and drives */
    int32_t rank, redundant;
    int32_t degrees_of_freedom;          /* coordinates - rank */
    int32_t degrees_of_freedom_position; /* the same without the rows on rates: knife edges, velocity: constraints */
    int32_t gruebler;                    /* coordinates less the rows of joints and constraints */
    int32_t mobility;                    /* coordinates less their rank: freedom on velocity level without drives */
    int32_t permanent; /* of the redundant rows, how many stay so along every motion; -1: not looked into */
    int32_t drives;    /* of the rows, those of drives */
} RbvMobility;
RBV_API RbvMobility rbv_result_mobility(const RbvResult *result);

/* Statics: the equilibrium, of the path along a parameter the first place. Names live as long as the result. */
typedef struct RbvEquilibriumSummary {
    bool found;
    const char *stability;    /* "stable", "unstable", "neutral"; NULL: not decided */
    const char *moves;        /* the coordinate it falls or moves by; NULL: none */
    double energy, curvature; /* [J], [1/s^2] as in result.json; NaN: none */
    int32_t iterations;
} RbvEquilibriumSummary;
RBV_API RbvEquilibriumSummary rbv_result_equilibrium(const RbvResult *result);

/* Statics along a parameter: what happens on the way, in the order of the path. */
typedef struct RbvPathEvent {
    const char *kind;  /* "fold", "snap-through", "bifurcation", "flutter", "stability", "land", "release"; NULL: there
                          is none of that number */
    double at;         /* the parameter, SI */
    int32_t sample;    /* of the series */
    const char *moves; /* the coordinate; NULL: none */
    const char *before, *after; /* stability; NULL: not decided */
} RbvPathEvent;
RBV_API int32_t rbv_result_event_count(const RbvResult *result);
RBV_API RbvPathEvent rbv_result_path_event(const RbvResult *result, int32_t event);

/* Modes: exp(lambda t), one of each conjugate pair (im >= 0), one per real root; sorted by |lambda|. Names live as long
 * as the result. */
typedef struct RbvShapePart {
    const char *name; /* "hinge.angle", "bob.x" */
    double re, im;    /* [m or rad] the largest is 1 */
} RbvShapePart;
typedef struct RbvModeSummary {
    double re, im;             /* [1/s] lambda */
    double frequency, damping; /* |lambda| / 2 pi [Hz], -re / |lambda| (NaN: lambda is 0) */
    int32_t shape_count;
    const RbvShapePart *shape; /* [shape_count] */
} RbvModeSummary;
RBV_API int32_t rbv_result_mode_count(const RbvResult *result);
/* All zero for an index out of range. */
RBV_API RbvModeSummary rbv_result_mode(const RbvResult *result, int32_t mode);

/* x' = A x + B u, y - at = C x + D u about the state: x are changes of coordinates and of rates, u of loads and
 * efforts. Matrices are row-major. */
typedef struct RbvSignal {
    const char *name, *unit; /* "hinge.angle'", SI */
    double at;               /* of outputs, in the state; else NaN */
} RbvSignal;
typedef struct RbvStateSpace {
    int32_t states, inputs, outputs;
    const RbvSignal *state, *input, *output;
    const double *A, *B, *C, *D; /* [states][states], [states][inputs], [outputs][states], [outputs][inputs] */
} RbvStateSpace;
/* NULL: none was asked for. */
RBV_API const RbvStateSpace *rbv_result_state_space(const RbvResult *result);

/* Self-stress and advice of check and inverse, as result.json has them under self_stress, groups and advice; components
 * are called "joint.Fx". All of it lives as long as the result. */
typedef struct RbvShare {
    const char *name; /* "joint.component" */
    double share;
} RbvShare;

/* A combination of components: of a self-stress what each is changed by, the largest by 1; of a sum what each is
 * multiplied by. */
typedef struct RbvMode {
    RbvShare *shares; /* [count] */
    int32_t count;
} RbvMode;

/* Something to change beside the type of a joint: what is called `from` is `to` then; "": it goes. */
typedef struct RbvEdit {
    const char *from, *to;
} RbvEdit;

/* What makes all reactions of a cluster unique: directions freed, measured or given a compliance. */
typedef struct RbvRemedy {
    const char **names; /* [count] "B2.x", or components to be measured */
    int32_t count;
    const char **instead; /* [count] freeing: "slot", "no joint": what the joint becomes; NULL where another entry says
                             it, or where no type alone does it */
    RbvEdit *edits;       /* [edit_count] */
    int32_t edit_count;
    const char *obstacle; /* freeing: why no type alone does it; NULL: all can be typed */
    double independence;  /* 1: the best there is, near 0: just so */
} RbvRemedy;

/* Self-stresses that hang together: reactions between which load can shift. */
typedef struct RbvCluster {
    int32_t degree;
    const char **names; /* [count] components */
    int32_t count;
    RbvRemedy *free, *measure, *comply; /* [free_count], ... different ways, the best first */
    int32_t free_count, measure_count, comply_count;
    RbvRemedy otherwise; /* where nothing that can be typed frees it: what would; count 0: nothing found */
} RbvCluster;

/* The independent self-stresses; the sums of components that are determined although none of their parts is; the
 * clusters. An index out of range is NULL. */
RBV_API int32_t rbv_result_self_stress_count(const RbvResult *result);
RBV_API const RbvMode *rbv_result_self_stress(const RbvResult *result, int32_t index);
RBV_API int32_t rbv_result_sum_count(const RbvResult *result);
RBV_API const RbvMode *rbv_result_sum(const RbvResult *result, int32_t index);
RBV_API int32_t rbv_result_cluster_count(const RbvResult *result);
RBV_API const RbvCluster *rbv_result_cluster(const RbvResult *result, int32_t index);
/* What frees all clusters at once, in types that can be typed; NULL: nothing does, or nothing needs it. */
RBV_API const RbvRemedy *rbv_result_remedy(const RbvResult *result);

/* How a result is shown: on pages and in series.csv. result.json always holds everything, in SI. */
typedef struct RbvView {
    int32_t width;        /* of a page, in characters: tables and lists fit it */
    bool break_sentences; /* so do sentences; else each stays on one line */
    int32_t only_count;   /* patterns with '*', '?' and '[a-z]': only what one of them fits is shown, by the name of a
                             thing ("leg1") or of a column ("leg1.Fx"); 0: all */
    const char *const *only;
    bool model_units; /* in the units that the model declares under units:, instead of SI */
    bool rows;        /* check: the constraint rows one by one, too */
} RbvView;
/* 100 characters, everything, in SI. */
RBV_API RbvView rbv_view_default(void);
/* Columns (without the first) that such a pattern fits; of info: things of the model. */
RBV_API int32_t rbv_result_match_count(const RbvResult *result, const char *pattern);

/* A folder for the files of one run (made when it is not there), held from open to close: opening it again meanwhile,
 * in this or another process, is NOT_WRITABLE and says who holds it. So is a folder in which a link, a FIFO, a device
 * or a folder has the name of a file that runs write. Notes name what killed runs have left there. NULL may be
 * closed; a folder that was made and stayed empty is removed. */
typedef struct RbvFolder RbvFolder;
RBV_API RbvStatus rbv_folder_open(const char *path, RbvDiagnostics *diagnostics, RbvFolder **folder);
RBV_API void rbv_folder_close(RbvFolder *folder);
/* BAD_INPUT (said): a run that was interrupted waits here to be resumed; rbv_folder_write and rbv_folder_keep without
 * `resume` refuse it, too. */
RBV_API RbvStatus rbv_folder_is_free(const RbvFolder *folder, RbvDiagnostics *diagnostics);
/* Write series.csv, result.json, where there is a scene scene.json, and, when verdicts change, verdicts.csv in place
 * of what stands there. NOT_WRITABLE: said in diagnostics. Files are complete or absent, never cut off, also when the
 * machine goes down, and those of a folder are always of one result. */
RBV_API RbvStatus rbv_folder_write(RbvFolder *folder, const RbvResult *result, const RbvView *view,
                                   RbvDiagnostics *diagnostics);
/* Somebody who keeps what a long run has done while it goes on (simulate), and from whom it can be continued.
 * rbv_folder_keep makes one. */
typedef struct RbvKeeper {
    void *context;
    /* The samples of `result` are done, from the first on. state[size] is all that is needed to go on from there;
     * NULL: more samples only. What is not RBV_OK (said) ends the run, and what was done is kept. May be NULL. */
    RbvStatus (*keep)(void *context, const RbvResult *result, const void *state, size_t size,
                      RbvDiagnostics *diagnostics);
    /* Go on from here: a state[size] that was given to `keep` by a run of the same model, options and program, and
     * the values[samples][...] of its samples then. NULL, or a size of 0: from the beginning. The result is that of a
     * run without a break, to the last bit. */
    const void *state;
    size_t size;
    const double *values;
    int32_t samples;
    int32_t steps; /* of the integration between two states that are given; 0: chosen by the size of the model. Numbers
                      depend on it by rounding */
} RbvKeeper;

/* A keeper that writes samples to series.csv.part, and to `checkpoint` and `checkpoint.rows` what is needed to go on:
 * that the run has begun, at once; a state, with its samples on the disk, each 10 s while keep() is called so often,
 * and the last one when the folder is closed. `run`: lines that must be the same where a run goes on ("model: ...");
 * NULL: samples alone. With `resume` the keeper goes on from the folder's checkpoint, which is checked; BAD_INPUT
 * (said): there is none, it is damaged, or of another `run`. The keeper lives as long as the folder. */
RBV_API RbvStatus rbv_folder_keep(RbvFolder *folder, const RbvView *view, const char *run, bool resume,
                                  RbvDiagnostics *diagnostics, const RbvKeeper **keeper);
/* Its checkpoint goes: there is nothing to go on from. */
RBV_API void rbv_folder_forget(RbvFolder *folder);
/* A state to go on from, by the names that columns of series.csv have ("rod.x", "rod.vx", "hinge.angle"), in SI units.
 */
typedef struct RbvStart {
    const char *from; /* what messages call it: "out/series.csv" */
    double t;         /* [s] */
    int32_t count;
    const char *const *names; /* [count] */
    const double *values;     /* [count] NaN: none */
} RbvStart;
/* The sample at t of the series.csv in a folder; NaN: the last. On RBV_OK *start is new, to be destroyed by the caller;
 * else NULL. BAD_INPUT: there is no such file, or no such sample (said). */
RBV_API RbvStatus rbv_start_read(const char *folder, double t, RbvDiagnostics *diagnostics, RbvStart **start);
/* NULL is allowed. */
RBV_API void rbv_start_destroy(RbvStart *start);
/* A motion, measured or of another program: bodies by their columns as in series.csv, places, rates and accelerations
 * of all ("rod.x", "rod.y", "rod.angle", "rod.vx", "rod.vy", "rod.omega", "rod.ax", "rod.ay", "rod.alpha"; in space
 * .z, .qw ... .qz, .omegax ..., .alphax ...), in SI units. Other columns are not looked at, but for turns of joints'
 * angles. */
typedef struct RbvGivenMotion {
    const char *from; /* what messages call it */
    int32_t count, samples;
    const char *const *names; /* [count] the first is "time" [s] */
    const double *values;     /* [samples][count] NaN: none */
} RbvGivenMotion;
/* All samples of a table like series.csv, or of the series.csv in a folder, between these times (NaN: all). Statuses
 * and ownership as of rbv_start_read. */
RBV_API RbvStatus rbv_given_motion_read(const char *path, double from, double to, RbvDiagnostics *diagnostics,
                                        RbvGivenMotion **motion);
/* NULL is allowed. */
RBV_API void rbv_given_motion_destroy(RbvGivenMotion *motion);
/* Open, write, close. A NULL view is the default one, here and below. */
RBV_API RbvStatus rbv_result_write(const RbvResult *result, const char *folder, const RbvView *view,
                                   RbvDiagnostics *diagnostics);
/* The text of result.json, of series.csv, and a page to read on a terminal; new strings, to be freed with free(). NULL:
 * no memory. */
RBV_API char *rbv_result_json(const RbvResult *result);
RBV_API char *rbv_result_series(const RbvResult *result, const RbvView *view);
/* Bytes into a file, as all files that are named are written: links are followed; a regular file is complete or stays
 * as it was, also when the machine goes down; a device or a pipe is written to. NOT_WRITABLE: said. */
RBV_API RbvStatus rbv_file_write(const char *path, const void *bytes, size_t size, RbvDiagnostics *diagnostics);
/* series.csv to an open stream, sample by sample: of any length. NOT_WRITABLE, NO_MEMORY. */
RBV_API RbvStatus rbv_result_print_series(const RbvResult *result, const RbvView *view, FILE *stream);
RBV_API char *rbv_result_tables(const RbvResult *result, const RbvView *view);

#ifdef __cplusplus
}
#endif
#endif
