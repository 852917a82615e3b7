/* The design of a study: which values the parameters have in variant k. A value depends on k, the seed and the design
 * alone, so that any worker computes any variant. Values are in the units of the study file. */
#ifndef RBV_STUDY_DESIGN_DESIGN_H
#define RBV_STUDY_DESIGN_DESIGN_H

#include "core/base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum RbvDesignKind {
    RBV_DESIGN_DEFAULT, /* grid, or monte-carlo with distributions; replaced when the study is read */
    RBV_DESIGN_GRID,
    RBV_DESIGN_LATIN,
    RBV_DESIGN_SOBOL,
    RBV_DESIGN_MONTE_CARLO
} RbvDesignKind;

typedef enum RbvFactorKind {
    RBV_FACTOR_LIST,
    RBV_FACTOR_RANGE,
    RBV_FACTOR_NORMAL,  /* mean, sigma */
    RBV_FACTOR_UNIFORM, /* least, largest */
    RBV_FACTOR_TRIANGLE /* least, most likely, largest */
} RbvFactorKind;

/* How one parameter varies. */
typedef struct RbvFactor {
    RbvFactorKind kind;
    int32_t lead;         /* index of the factor along with which it moves; its own: it moves by itself */
    int64_t count;        /* values of LIST and of RANGE in a grid */
    const double *values; /* [count] LIST */
    double a, b, c;       /* RANGE: from, to; distributions: see RbvFactorKind */
    double step;          /* RANGE: between values; 0: `count` values in all */
    bool log;             /* RANGE: at equal ratios */
} RbvFactor;

typedef struct RbvDesign {
    RbvDesignKind kind;
    int32_t factor_count;
    const RbvFactor *factors;
    int64_t count; /* variants */
    uint64_t seed;
    int32_t mixed_count;   /* correlated factors; 0: none */
    const int32_t *mixed;  /* [mixed_count] their indices */
    const double *root;    /* [mixed_count][mixed_count] lower Cholesky factor of their correlations */
    const int32_t *column; /* [factor_count] place among factors that lead; -1: it does not lead */
} RbvDesign;

/* Is it a distribution, which a grid cannot have? */
bool rbv_factor_is_random(const RbvFactor *factor);
/* Value i of a LIST or RANGE in a grid. */
double rbv_factor_value(const RbvFactor *factor, int64_t i);
/* Number of variants of the grid of these factors, as a double: it may be larger than any integer. */
double rbv_design_grid_size(int32_t count, const RbvFactor *factors);
/* Values[factor_count] of variant k, from 0. */
void rbv_design_point(const RbvDesign *design, int64_t k, double *values);
/* Lower Cholesky factor of matrix[n][n] in place. False: the matrix is not positive definite. */
bool rbv_design_root(double *matrix, int32_t n);

#endif
