/* Results: named columns of samples with units and verdicts. A result belongs to the caller and outlives its system.
 * Self-stresses and advice: advice.h; texts and files: folder.h.
 *
 *     int32_t effort = rbv_result_find(result, "motor.effort");
 *     RbvResultColumn column = rbv_result_column(result, effort);
 *     for (int32_t k = 0; k < rbv_result_counts(result).samples; k++)
 *         printf("%g %s\n", column.values[k * column.stride], column.unit); */
#ifndef ROBERVAL_RESULT_H
#define ROBERVAL_RESULT_H

#include <roberval/base.h>

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
    bool judged;          /* a reaction, effort, constraint force or an output of these: it has verdicts */
    double error;         /* [unit] estimated rounding error of the values, at the worst sample; NaN: not estimated */
    const double *values; /* SI: that of sample k is values[k * stride]; NULL: no samples */
    int32_t stride;
} RbvResultColumn;
/* The column at `index`; index out of range: empty name and unit, no values. */
RBV_API RbvResultColumn rbv_result_column(const RbvResult *result, int32_t index);
/* Verdicts of a column at each sample (RbvVerdict), into verdicts[samples]. False: index out of range. */
RBV_API bool rbv_result_verdicts(const RbvResult *result, int32_t column, uint8_t *verdicts);
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

#ifdef __cplusplus
}
#endif
#endif
