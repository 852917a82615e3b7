/* The run of an analysis over samples: inverse (of a driven and of a prescribed motion), kinematics, check --motion,
 * simulate and track.
 *
 * An analysis is a table of functions; what it remembers from sample to sample is a struct of its own. The driver
 * checks arguments and options and collects messages. `admit` refuses what does not go together and says which samples
 * there are; `start` makes the state at the first instant, the record, and what belongs to no single sample. Then the
 * run goes from step to step: a step is the next sample, or what `next` makes of it; the caller's progress function is
 * called before each and may interrupt. `sample` evaluates the step, records its samples and audits them; where it
 * fails it has reported why and when. Then the new samples go to the caller's keeper, if the analysis has rows to keep.
 * However the run ends, but for want of memory, the samples so far are a result: `end` audits the run as a whole,
 * `finish` records and notes what concerns all samples, the failure is shown in the scene, and the status stays that of
 * the step that failed.
 */
#ifndef RBV_ANALYSIS_ANALYSES_SAMPLE_RUN_H
#define RBV_ANALYSIS_ANALYSES_SAMPLE_RUN_H

#include <roberval/analysis.h>

#include "solution/motion/motion.h"
#include "solution/record/record.h"
#include "solution/record/samples.h"

typedef struct RbvSampledAnalysis RbvSampledAnalysis;

/* One run of an analysis, at a fixed address. */
typedef struct RbvSampleRun {
    const RbvSampledAnalysis *analysis;
    void *own; /* the analysis' own data */
    const RbvSystem *system;
    const RbvModel *model;
    RbvOptions options; /* the caller's, or the default ones */
    RbvNotes notes;
    RbvDiagnostics *diagnostics; /* messages of the run, which are reported and kept as notes at its end */
    RbvSamples samples;          /* set by `admit`, but of a block; count 0: none */
    RbvRecord *record;           /* set by `start`; the analysis owns it */
    bool has_result;             /* what `start` has recorded is a result without any sample */
    /* Of a block of samples: a motion at the accepted state before its first sample, where `start` goes on, without
     * notes and scene; not to be read later. NULL: the run as a whole. */
    const RbvMotion *from;
    int32_t block_size; /* number of samples of a block */
} RbvSampleRun;

/* How an analysis is divided into blocks of samples, which are runs of their own (sample_blocks.h). */
typedef struct RbvDivision {
    size_t own_size; /* of the analysis' own data */
    /* After the first sample: nothing but the position goes on from sample to sample. NULL: always so. */
    bool (*may)(const RbvSampleRun *run);
    RbvMotion *(*motion)(const RbvSampleRun *run);
    /* Takes over what a block has gathered besides its record. Status of the run; what is wrong is reported to the
     * block's diagnostics. last: the block has the last sample of the run. */
    RbvStatus (*join)(RbvSampleRun *run, RbvSampleRun *block, bool last);
} RbvDivision;

/* Functions that return a status report what is wrong. NULL: nothing to do; admit, start, sample and destroy exist. */
struct RbvSampledAnalysis {
    const char *name;
    bool keeps; /* samples go to the caller's keeper (RbvOptions.keeper) after each step */
    RbvStatus (*admit)(RbvSampleRun *run);
    RbvStatus (*start)(RbvSampleRun *run);
    /* Go to step k; its time *t [s]. *more false: there is none. INTERRUPTED. NULL: a step is a sample. */
    RbvStatus (*next)(RbvSampleRun *run, int32_t k, double *t, bool *more);
    RbvStatus (*sample)(RbvSampleRun *run, int32_t k, double t);
    RbvStatus (*passed)(RbvSampleRun *run, int32_t k); /* after step k has gone to the keeper */
    /* After the last step, or the one that failed with `status`, where there is a result: the status of the run. */
    RbvStatus (*end)(RbvSampleRun *run, RbvStatus status);
    bool (*finish)(RbvSampleRun *run);  /* false: no memory */
    void (*destroy)(RbvSampleRun *run); /* in any case */
    const RbvDivision *division;        /* NULL: samples follow one after the other */
};

/* Run the analysis with its own data, which are zero. BAD_ARGUMENT; statuses of its functions. *result: the caller's
 * result, NULL where there is none. */
RbvStatus rbv_run_samples(const RbvSampledAnalysis *analysis, void *own, const RbvSystem *system,
                          const RbvOptions *options, RbvDiagnostics *diagnostics, RbvResult **result);
/* The record of the run (NULL: no memory for it), with memory for its rows, and the scene at the first state. False: no
 * memory. */
bool rbv_run_record(RbvSampleRun *run, RbvRecord *record, const RbvState *state);

#endif
