/* What deviations do to the columns of a result: influences, worst cases, standard deviations. */
#ifndef RBV_STUDY_TOLERANCE_TOLERANCES_H
#define RBV_STUDY_TOLERANCE_TOLERANCES_H

#include "core/base/arena.h"
#include "model/model/model.h"

#include <roberval/tolerance.h>

/* A deviation and its size. */
typedef struct RbvCause {
    const char *name, *unit; /* SI */
    int32_t joint, of;       /* as RbvTolerance */
    RbvToleranceKind kind;
    double width, sigma; /* [unit] of the worst case; standard deviation */
    double nominal;      /* [unit] value without deviation */
    int32_t cluster;     /* coupled self-stresses that it stresses; -1: none at the first state */
    bool unbounded;      /* it stresses a loop without compliance */
    bool idle;           /* a misfit where no joint gives way: no run could have it */
} RbvCause;

/* A component that is followed. */
typedef struct RbvAffected {
    const char *name, *unit;
    RbvVerdict verdict;
    bool determined;   /* it has numbers */
    int32_t column;    /* of the result */
    int32_t same_unit; /* the first row of this unit */
    int32_t cluster;   /* coupled self-stresses that hold it; -1: none */
    int32_t worst;     /* sample of the largest magnitude in the worst case */
} RbvAffected;

/* Moments and extremes of Monte Carlo at one sample. */
typedef struct RbvSpread {
    double mean, squares, least, largest;
} RbvSpread;

struct RbvTolerances {
    RbvArena arena;
    const char *title, *file, *analysis;
    double coverage;
    bool linear; /* influences were computed */
    RbvCause *causes;
    int32_t cause_count;
    RbvAffected *rows;
    int32_t row_count, sample_count;
    double *t;         /* [samples] */
    double *nominal;   /* [rows][samples] */
    double *influence; /* [causes][rows][samples] */
    double *reach;     /* [rows][samples] sum of |influence| width */
    double *sigma;     /* [rows][samples] */
    RbvSpread *spread; /* [rows][samples] of Monte Carlo; NULL: none */
    int64_t trials, failed;
    const char **sums; /* [sum_count] sums that no misfit reaches */
    int32_t sum_count;
    const char **advice; /* [advice_count] compliances that make the rest finite */
    int32_t advice_count;
};

static inline size_t rbv_tolerances_at(const RbvTolerances *t, int32_t row, int32_t sample) {
    return (size_t)row * (size_t)t->sample_count + (size_t)sample;
}
static inline double *rbv_tolerances_influence_at(const RbvTolerances *t, int32_t cause, int32_t row, int32_t sample) {
    return &t->influence[(size_t)cause * (size_t)t->row_count * (size_t)t->sample_count +
                         rbv_tolerances_at(t, row, sample)];
}
/* Least and largest value at a sample in the worst case; of Monte Carlo where nothing is linear. */
void rbv_tolerances_worst(const RbvTolerances *t, int32_t row, int32_t sample, double *least, double *largest);
double rbv_tolerances_sigma(const RbvTolerances *t, int32_t row, int32_t sample);
/* Share of a cause in the variance at the worst sample of a row; 0: none. */
double rbv_tolerances_share(const RbvTolerances *t, int32_t row, int32_t cause);
/* Name of an unbounded misfit in the component's own self-stresses, which leaves it without worst case; NULL: none. */
const char *rbv_tolerances_open(const RbvTolerances *t, int32_t row);
/* Standard deviation of Monte Carlo at a sample. */
double rbv_tolerances_spread(const RbvTolerances *t, int32_t row, int32_t sample);
/* Do linear and nonlinear numbers of a row differ by more than 5 % of the deviation at its worst sample? */
bool rbv_tolerances_differ(const RbvTolerances *t, int32_t row);

char *rbv_tolerances_json(const RbvTolerances *t);
char *rbv_tolerances_page(const RbvTolerances *t);
char *rbv_tolerances_csv(const RbvTolerances *t);

#endif
