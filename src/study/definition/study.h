/* The content of a study: what is computed of which model, how its parameters vary, what is collected. */
#ifndef RBV_STUDY_DEFINITION_STUDY_H
#define RBV_STUDY_DEFINITION_STUDY_H

#include "core/base/arena.h"
#include "core/base/diagnostics.h"
#include "core/expr/expr.h"
#include "model/model/model.h"
#include "study/design/design.h"

#include <roberval/study.h>

typedef enum RbvStudyAnalysis {
    RBV_STUDY_CHECK,
    RBV_STUDY_ASSEMBLE,
    RBV_STUDY_KINEMATICS,
    RBV_STUDY_STATICS,
    RBV_STUDY_INVERSE,
    RBV_STUDY_SIMULATE,
    RBV_STUDY_TRACK,
    RBV_STUDY_MODES,
    RBV_STUDY_SIZE
} RbvStudyAnalysis;

/* Functions over the samples of a run, in the order of their names (collect.c). */
typedef enum RbvAggregateKind {
    RBV_AGGREGATE_MAX,
    RBV_AGGREGATE_MIN,
    RBV_AGGREGATE_MEAN,
    RBV_AGGREGATE_RMS,
    RBV_AGGREGATE_FIRST,
    RBV_AGGREGATE_LAST,
    RBV_AGGREGATE_ARGMAX,
    RBV_AGGREGATE_RANGE,
    RBV_AGGREGATE_INTEGRAL,
    RBV_AGGREGATE_AT,
    RBV_AGGREGATE_PERCENTILE,
    RBV_AGGREGATE_COUNT,
    RBV_AGGREGATE_PATH /* no function: a scalar of result.json */
} RbvAggregateKind;

/* What a quantity is made of: a function over samples, or a scalar of result.json. */
typedef struct RbvStudyPart {
    RbvAggregateKind kind;
    const char *text;   /* expression of the samples; path */
    const char *output; /* output added to the model, with this expression */
    double argument;    /* [s] of AT; [%] of PERCENTILE */
    RbvExponents exponents;
    bool bare; /* its dimension is not known */
} RbvStudyPart;

typedef enum RbvLimitKind {
    RBV_LIMIT_NONE,
    RBV_LIMIT_LESS,
    RBV_LIMIT_LESS_EQUAL,
    RBV_LIMIT_GREATER,
    RBV_LIMIT_GREATER_EQUAL
} RbvLimitKind;

typedef struct RbvStudyQuantity {
    const char *name, *text; /* as written */
    RbvPosition at;
    int32_t first, count; /* its parts */
    const char *outer;    /* its text with the names of parts in place of them */
    RbvExpr *expr;        /* of variables 2 k: part k of the study, 2 p + 1: parameter p of the model */
    const char *unit;     /* SI */
    RbvLimitKind limit;
    double bound; /* [unit] */
    const char *limit_text;
    RbvPosition limit_at;
} RbvStudyQuantity;

typedef struct RbvStudyParameter {
    const char *name, *unit;  /* unit as written; "" */
    double factor;            /* SI value of the unit */
    int32_t number;           /* of the model's parameter; -1: a misfit */
    int32_t joint, direction; /* of a misfit; joint -1: none */
    double nominal;           /* [SI] misfit of the model */
    RbvPosition at;
} RbvStudyParameter;

typedef enum RbvStudyKeep { RBV_KEEP_NONE, RBV_KEEP_FAILED, RBV_KEEP_SERIES } RbvStudyKeep;

struct RbvStudy {
    RbvArena arena; /* all strings and arrays */
    const char *file, *title, *model_path;
    const char *analysis;
    RbvStudyAnalysis of;
    bool one_state; /* the analysis has one sample */
    RbvOptions options;
    const char *text;         /* of the file, for study.json */
    const char *options_text; /* options of the file, for study.json */
    int32_t folder_count;
    const char *const *folders;
    RbvDesign design;
    int64_t samples; /* of the file; 0: a grid */
    RbvStudyKeep keep;
    int32_t parameter_count;
    RbvStudyParameter *parameters; /* [parameter_count] of factors of the same index */
    int32_t quantity_count;
    RbvStudyQuantity *quantities; /* [quantity_count] */
    int32_t part_count;
    RbvStudyPart *parts;                     /* [part_count] of all quantities */
    bool reads_json;                         /* a quantity reads a scalar of result.json */
    uint64_t fingerprint, model_fingerprint; /* of the study with its tables; of the model with its */
    const char *model_title;
};

/* Prefix of the names of outputs and parts that a study adds. */
#define RBV_STUDY_PREFIX "study_part_"

/* Add the study's outputs to a model that was just read. BAD_INPUT: reported, without a place. */
RbvStatus rbv_study_add_outputs(const RbvStudy *study, RbvModel *model, RbvDiagnostics *diagnostics);
/* Input of rbv_model_read for the study's model. */
RbvInput rbv_study_model_input(const RbvStudy *study);

#endif
