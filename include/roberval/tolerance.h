/* Tolerances: what deviations of fits and parameters (tolerances: of a model) do to reactions, efforts, loads and
 * outputs (docs/tolerance.md).
 *
 *     RbvToleranceInput input = rbv_tolerance_input_default;
 *     input.model.path = "door.yaml";
 *     RbvTolerances *tolerances;
 *     if (rbv_tolerance(&input, diagnostics, &tolerances) == RBV_OK)
 *         puts(rbv_tolerances_text(tolerances, RBV_TEXT_TABLES)); */
#ifndef ROBERVAL_TOLERANCE_H
#define ROBERVAL_TOLERANCE_H

#include <roberval/options.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbvToleranceInput {
    RbvInput model;
    const RbvOptions *options; /* of the analysis; reactions are along the axes of joints. NULL: the defaults */
    const char *analysis;      /* "statics", "inverse", "simulate", "track"; NULL: what suits the model */
    double coverage;           /* a tolerance t is so many standard deviations */
    int64_t monte_carlo; /* samples of the whole nonlinear truth beside the linear one; 0: none, but 1000 where friction
                            or unilateral joints leave no linear one */
    uint64_t seed;
} RbvToleranceInput;
/* Coverage 3, seed 1. */
RBV_API extern const RbvToleranceInput rbv_tolerance_input_default;

typedef struct RbvTolerances RbvTolerances;
/* On RBV_OK *tolerances is new, to be destroyed by the caller; otherwise NULL. BAD_INPUT: also a model without
 * tolerances; statuses of the analysis. */
RBV_API RbvStatus rbv_tolerance(const RbvToleranceInput *input, RbvDiagnostics *diagnostics,
                                RbvTolerances **tolerances);
/* NULL is allowed. */
RBV_API void rbv_tolerances_destroy(RbvTolerances *tolerances);

typedef struct RbvToleranceCounts {
    int32_t causes, rows, samples;
} RbvToleranceCounts;
/* All zero for NULL. */
RBV_API RbvToleranceCounts rbv_tolerances_counts(const RbvTolerances *tolerances);

/* A component at a sample. */
typedef struct RbvToleranceValue {
    const char *name, *unit;               /* SI */
    RbvVerdict verdict;                    /* NOT_UNIQUE, UNSURE: the numbers below are NaN */
    double t;                              /* [s] */
    double nominal, least, largest, sigma; /* worst case; standard deviation */
} RbvToleranceValue;
/* All zero for an index out of range. */
RBV_API RbvToleranceValue rbv_tolerances_value(const RbvTolerances *tolerances, int32_t row, int32_t sample);
/* Name of a cause, "top.z"; NULL: no such index. */
RBV_API const char *rbv_tolerances_cause(const RbvTolerances *tolerances, int32_t cause);
/* Derivative of a component at a sample by a cause [SI]; NaN: not determined, not finite, or no such index. */
RBV_API double rbv_tolerances_influence(const RbvTolerances *tolerances, int32_t row, int32_t sample, int32_t cause);

/* tolerance.json, tolerance.csv (RBV_TEXT_SERIES), or a page of tables, as a new string, to be freed by the caller.
 * NULL: no memory. */
RBV_API char *rbv_tolerances_text(const RbvTolerances *tolerances, RbvTextForm form);

#ifdef __cplusplus
}
#endif
#endif
