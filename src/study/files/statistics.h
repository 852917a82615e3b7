/* Statistics of a study, gathered from its rows in their order. */
#ifndef RBV_STUDY_FILES_STATISTICS_H
#define RBV_STUDY_FILES_STATISTICS_H

#include "study/definition/study.h"
#include "study/files/line.h"

/* Moments of a sequence of numbers after Welford (1962). */
typedef struct RbvMoments {
    double count, mean, squares; /* squares: sum of the squares of the deviations from the mean */
} RbvMoments;

/* A quantity beside a parameter. */
typedef struct RbvPair {
    RbvMoments parameter;
    double products; /* sum of the products of the deviations */
} RbvPair;

typedef struct RbvExtreme {
    double value;
    int64_t variant;
} RbvExtreme;

typedef struct RbvQuantityStatistics {
    RbvMoments moments;
    RbvExtreme least, largest;
    double *values;  /* [moments.count] sorted by rbv_statistics_end */
    int64_t over;    /* variants beyond the limit */
    uint8_t verdict; /* the worst */
    RbvPair *pairs;  /* [parameters] */
} RbvQuantityStatistics;

typedef struct RbvStatistics {
    const RbvStudy *study;
    RbvArena arena;
    RbvQuantityStatistics *quantities; /* [quantities] */
    int64_t done, failed, over;        /* over: variants beyond one limit at least */
    int64_t by_status[16];             /* by RbvStatus */
} RbvStatistics;

/* False: no memory. */
bool rbv_statistics_begin(RbvStatistics *statistics, const RbvStudy *study);
void rbv_statistics_take(RbvStatistics *statistics, const RbvStudyLine *line);
void rbv_statistics_end(RbvStatistics *statistics);
void rbv_statistics_clear(RbvStatistics *statistics);

/* Is the value beyond the quantity's limit? */
bool rbv_study_is_over(const RbvStudyQuantity *quantity, double value);
/* Standard deviation of a sample; NaN for fewer than two numbers. */
double rbv_moments_sigma(const RbvMoments *moments);
/* Bounds of mean and of sigma with 95 % confidence for independent normal numbers. False: fewer than two. */
bool rbv_moments_intervals(const RbvMoments *moments, double mean[2], double sigma[2]);
/* Percentile, with linear interpolation between the sorted values; NaN: there are none. */
double rbv_statistics_percentile(const RbvQuantityStatistics *quantity, double percent);
/* Pearson's correlation of a quantity with a parameter; NaN: one of them does not vary. */
double rbv_pair_correlation(const RbvQuantityStatistics *quantity, int32_t parameter);

#endif
