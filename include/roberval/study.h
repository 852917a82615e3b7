/* Studies: one analysis for many values of a model's parameters (docs/studies.md).
 *
 *     RbvStudyInput input = {.path = "sweep.yaml", .options = rbv_options_default};
 *     RbvStudy *study;
 *     if (rbv_study_read(&input, diagnostics, &study) == RBV_OK)
 *         rbv_study_run(study, &(RbvStudyRun){.row = take_row, .context = table}, diagnostics);
 *     rbv_study_destroy(study); */
#ifndef ROBERVAL_STUDY_H
#define ROBERVAL_STUDY_H

#include <roberval/options.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Studies of more variants are run only where RbvStudyInput.any_size is set. */
#define RBV_STUDY_LARGE 10000000

/* ---- a study from calls ---- */

/* A study that is built by calls instead of a file. Mistakes in what it says are found when it is read. */
typedef struct RbvStudyDefinition RbvStudyDefinition;
/* `model`: path of the model file, beside RbvStudyInput.path; `analysis`: "inverse" ... as in a study file. NULL: no
 * memory, or one of them is NULL. Texts are copied. */
RBV_API RbvStudyDefinition *rbv_study_definition_create(const char *model, const char *analysis);
/* NULL is allowed. */
RBV_API void rbv_study_definition_destroy(RbvStudyDefinition *definition);

typedef enum RbvStudyChance {
    RBV_STUDY_SURE,     /* no distribution: `values`, or `steps` values from `from` to `to` */
    RBV_STUDY_NORMAL,   /* numbers: mean, standard deviation */
    RBV_STUDY_UNIFORM,  /* numbers: least, largest */
    RBV_STUDY_TRIANGLE, /* numbers: least, most likely, largest */
    RBV_STUDY_TABLE     /* the rows of `file`, whose columns are parameters */
} RbvStudyChance;

/* Values of one parameter: vary: of a study file. */
typedef struct RbvVaryDef {
    const char *parameter; /* of the model; of a table any name */
    const char *unit;      /* of all numbers here, "mm"; NULL: the parameter has none */
    RbvStudyChance chance;
    int32_t count; /* values[count]; 0: a range */
    const double *values;
    double from, to;
    int32_t steps;   /* number of values of the range, ends included; with `with` those of that parameter */
    bool logarithms; /* values of the range at equal ratios */
    double numbers[3];
    const char *file; /* of a table */
    const char *with; /* moves along with this parameter; NULL: by itself */
} RbvVaryDef;
/* BAD_ARGUMENT: no parameter, or a number that is not finite; NO_MEMORY. So for all that follow. */
RBV_API RbvStatus rbv_study_add_parameter(RbvStudyDefinition *definition, const RbvVaryDef *def);
/* Quantity `name` with the text of its expression, "max(abs(servo.effort))"; limit: "<= 900 kN"; NULL: none. */
RBV_API RbvStatus rbv_study_add_quantity(RbvStudyDefinition *definition, const char *name, const char *expression,
                                         const char *limit);
/* Correlation of the normal scores of two parameters of a random design. */
RBV_API RbvStatus rbv_study_add_correlation(RbvStudyDefinition *definition, const char *a, const char *b,
                                            double correlation);
/* `design`: "grid", "latin", "sobol", "monte-carlo", "tolerance"; `samples`: variants of a random design, 0 of a grid;
 * `seed`: up to 2^53. Without this call: as a study file without design:. */
RBV_API RbvStatus rbv_study_set_design(RbvStudyDefinition *definition, const char *design, int64_t samples,
                                       uint64_t seed);
/* `keep`: "none", "failed", "series". */
RBV_API RbvStatus rbv_study_set_keep(RbvStudyDefinition *definition, const char *keep);
/* The study file that says the same, JSON, as a new string, to be freed by the caller; NULL: no memory. */
RBV_API char *rbv_study_definition_text(const RbvStudyDefinition *definition);

/* ---- reading ---- */

/* A study file, its text or its definition, with what the caller adds. */
typedef struct RbvStudyInput {
    const char *path; /* of the file; with `text`, its name in messages. The model is looked for in its folder */
    const char *text; /* [length] text of the study; NULL: the file is read */
    size_t length;
    const RbvStudyDefinition *definition; /* a study from calls instead of both; NULL: none. `path` is its name */
    int32_t folder_count;
    const char *const *folders; /* [folder_count] further folders of tables and meshes, as in RbvInput */
    RbvOptions options;         /* of the analysis, before `options:` of the study. What they point to must outlive the
                                   study. Progress, samples and scene are the study's own */
    /* Set an option of the study's `options:`, by its name as the program has it ("to", "norm-length") and its value
     * as text ("true" for a flag), in *options. False: why[size] says what is wrong. NULL: `options:` is refused. */
    bool (*set_option)(void *context, const char *analysis, const char *name, const char *value, RbvOptions *options,
                       char *why, size_t size);
    void *context;
    int64_t extend; /* samples more than the study says, of monte-carlo and sobol; 0: none */
    bool any_size;  /* more than RBV_STUDY_LARGE variants are meant */
} RbvStudyInput;

typedef struct RbvStudy RbvStudy;
/* Read a study and its model, and check all that can be checked before it runs. On RBV_OK *study is new, to be
 * destroyed by the caller; otherwise NULL. BAD_INPUT: all mistakes are in `diagnostics`, with their places. */
RBV_API RbvStatus rbv_study_read(const RbvStudyInput *input, RbvDiagnostics *diagnostics, RbvStudy **study);
/* NULL is allowed. */
RBV_API void rbv_study_destroy(RbvStudy *study);

typedef struct RbvStudyCounts {
    int64_t variants;
    int32_t parameters, quantities;
} RbvStudyCounts;
/* All zero for NULL. */
RBV_API RbvStudyCounts rbv_study_counts(const RbvStudy *study);

/* Fingerprint of the study, its tables and its model: studies with different fingerprints are different. 0 for NULL. */
RBV_API uint64_t rbv_study_fingerprint(const RbvStudy *study);

/* Name and unit of a parameter, as its values are written, or of a quantity, SI ("" without unit). They live as long as
 * the study; NULL: no such index. */
typedef struct RbvStudyColumn {
    const char *name, *unit;
} RbvStudyColumn;
RBV_API RbvStudyColumn rbv_study_parameter(const RbvStudy *study, int32_t parameter);
RBV_API RbvStudyColumn rbv_study_quantity(const RbvStudy *study, int32_t quantity);

/* Values of the parameters in a variant, counted from 1, in their units, into values[parameters]. False: no such
 * variant. */
RBV_API bool rbv_study_values(const RbvStudy *study, int64_t variant, double *values);

/* What a variant gave. Pointers are valid during the call that gets the row. */
typedef struct RbvStudyRow {
    int64_t variant;          /* from 1 */
    const double *parameters; /* [parameters] in their units */
    const double *values;     /* [quantities] SI; NaN: none */
    const uint8_t *verdicts;  /* [quantities] RbvVerdict, the worst of what the quantity reads */
    RbvStatus status;         /* RBV_OK, or why the analysis failed */
    const char *message;      /* the first error in words; "" */
} RbvStudyRow;

/* One run, or a part of one. The functions are called by one thread at a time. */
typedef struct RbvStudyRun {
    int32_t threads; /* up to 256; 0: as many as this process may use processors */
    /* The next variant to compute, from 1; false: no more. NULL: all, in order. */
    bool (*next)(void *context, int64_t *variant);
    /* Takes a row; rows come in any order. Another status than RBV_OK ends the run with it. */
    RbvStatus (*row)(void *context, const RbvStudyRow *row);
    /* Asked often, also within variants: false ends the run with RBV_INTERRUPTED. NULL: never. */
    bool (*go_on)(void *context);
    void *context;
    bool stop_on_failure; /* the first failed variant ends the run, with RBV_OK */
    const char *kept;     /* folder for the folders variants/ of `keep:`; NULL: none are written */
} RbvStudyRun;
/* Compute variants: each gets the row of rbv_ANALYSIS on the model with its values, to the last bit (in natural
 * coordinates to rounding). Statuses: OK, also with failed variants; INTERRUPTED; NO_MEMORY; NOT_WRITABLE (a folder of
 * `keep:`), and those of `row`. */
RBV_API RbvStatus rbv_study_run(const RbvStudy *study, const RbvStudyRun *run, RbvDiagnostics *diagnostics);

/* The JSON Schema (2020-12) of the study file as a new string, to be freed by the caller; NULL: no memory. */
RBV_API char *rbv_study_schema(void);

/* ---- the folder of a study: journal, study.csv, study.json ---- */

typedef struct RbvStudyFolderOptions {
    const char *path;    /* NULL: no folder; the rows are kept in a file without name until the folder is closed */
    int32_t part, parts; /* this process computes variants part, part + parts, ...; parts 0: all */
    bool resume;         /* rows that the journal has are not computed again */
    bool merge;          /* all rows must be in the journal; none is computed */
    int32_t threads;     /* for the member `run` of study.json */
} RbvStudyFolderOptions;
typedef struct RbvStudyFolder RbvStudyFolder;
/* Open the folder, created if missing, and read its journal. BAD_INPUT (see diagnostics): another study, model or
 * version; rows without `resume`; rows missing for `merge`. NOT_WRITABLE: also if another run is in the folder. The
 * study must outlive it. Closing NULL is allowed. */
RBV_API RbvStatus rbv_study_folder_open(const RbvStudy *study, const RbvStudyFolderOptions *options,
                                        RbvDiagnostics *diagnostics, RbvStudyFolder **folder);
RBV_API void rbv_study_folder_close(RbvStudyFolder *folder);
/* RbvStudyRun.next: the next variant that has no row. */
RBV_API bool rbv_study_folder_next(RbvStudyFolder *folder, int64_t *variant);
/* Append a row to the journal. NOT_WRITABLE: see rbv_study_folder_error. */
RBV_API RbvStatus rbv_study_folder_row(RbvStudyFolder *folder, const RbvStudyRow *row);
/* The same with the row as a text of rbv_study_line, for rows from other processes. */
RBV_API RbvStatus rbv_study_folder_line(RbvStudyFolder *folder, const char *line);
/* The row as a line of study.csv with its end, a new string to be freed by the caller. NULL: no memory. */
RBV_API char *rbv_study_line(const RbvStudy *study, const RbvStudyRow *row);
/* Variants with a row, of all, and among them those that failed. */
typedef struct RbvStudyProgress {
    int64_t done, all, failed;
} RbvStudyProgress;
RBV_API RbvStudyProgress rbv_study_folder_progress(const RbvStudyFolder *folder);
/* Write study.csv and study.json if all variants have a row; `seconds`: time of the run. NOT_WRITABLE, NO_MEMORY: see
 * diagnostics. */
RBV_API RbvStatus rbv_study_folder_finish(RbvStudyFolder *folder, double seconds, RbvDiagnostics *diagnostics);
/* After rbv_study_folder_finish: the rows so far as study.csv (RBV_TEXT_SERIES); when all are there also study.json
 * (RBV_TEXT_JSON) and a page of tables: a new string, to be freed by the caller. NULL: no memory, or not all there. */
RBV_API char *rbv_study_folder_text(const RbvStudyFolder *folder, RbvTextForm form);

/* ---- the page of a study ---- */

typedef struct RbvStudyReportOptions {
    const char *variants; /* address of the folder variants/ as links of the page have it; NULL: no links */
    bool every_row;       /* all rows, also of a study of which the page would have more than about 2 MB */
} RbvStudyReportOptions;
/* A page for a browser, HTML without need of any other file, of the folder of a finished study: study.json and
 * study.csv are read, nothing is computed. options NULL: all zero. On RBV_OK *page is a new string, to be freed by the
 * caller; otherwise NULL. BAD_INPUT: a file is missing or damaged, see diagnostics. */
RBV_API RbvStatus rbv_study_report(const char *path, const RbvStudyReportOptions *options, RbvDiagnostics *diagnostics,
                                   char **page);

#ifdef __cplusplus
}
#endif
#endif
