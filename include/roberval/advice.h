/* Self-stresses, determined sums and advice: which reactions load can shift between, and what makes them unique.
 *
 *     for (int32_t k = 0; k < rbv_result_counts(result).self_stresses; k++) {
 *         const RbvMode *mode = rbv_result_self_stress(result, k);
 *         for (int32_t i = 0; i < mode->count; i++)
 *             printf("%s %g\n", mode->shares[i].name, mode->shares[i].share);
 *     } */
#ifndef ROBERVAL_ADVICE_H
#define ROBERVAL_ADVICE_H

#include <roberval/result.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
#endif
