/* Values of a study's quantities from a result. */
#ifndef RBV_STUDY_RUN_QUANTITIES_H
#define RBV_STUDY_RUN_QUANTITIES_H

#include "study/definition/study.h"

/* Work memory of one worker; all zero at the start. */
typedef struct RbvGathered {
    double *parts;            /* [part_count] */
    double *variables, *work; /* of the quantity's expression */
    double *samples;          /* [capacity] sorted values, or weights of an integral */
    double *times;            /* [capacity] */
    int32_t capacity;
    int32_t missing; /* a part whose path the last result did not have; -1: none */
} RbvGathered;

bool rbv_gathered_create(RbvGathered *gathered, const RbvStudy *study);
void rbv_gathered_clear(RbvGathered *gathered);
/* values[quantities] and verdicts[quantities] of a result; NaN: it has no such value. False: no memory. */
bool rbv_gather(RbvGathered *gathered, const RbvStudy *study, const RbvSystem *system, const RbvResult *result,
                double *values, uint8_t *verdicts);

#endif
