/* Inside of an evaluation: what the caller said, the motion that goes there, the places it knows.
 *
 *   evaluation.c   what the caller says and reads
 *   advance.c      from what was said to a position: followed, leapt, assembled
 *   given.c        the same from bodies that the caller gave
 *   evaluation_holds.c  which conditions hold there
 */
#ifndef RBV_ANALYSIS_EVALUATION_H
#define RBV_ANALYSIS_EVALUATION_H

#include <roberval/state.h>

#include "analysis/instant.h"
#include "assembly/activity.h"

/* Places that were reached, for leaps between them: so many, if they fit into so many numbers. */
#define RBV_MOST_KNOWN 64
#define RBV_KNOWN_NUMBERS 1000000

/* What a drive does: value, rate, second rate. */
typedef double RbvDriven[3];

typedef struct RbvKnownPlace {
    double *drives; /* [drives] values */
    double t;
    double *q;                /* [position_size] */
    RbvMeasureMemory *memory; /* [measures] */
} RbvKnownPlace;

struct RbvEvaluation {
    const RbvSystem *system;
    RbvOptions options;
    RbvInstant now;
    RbvDiagnostics *diagnostics;
    RbvEvaluationReport report;
    double t;
    bool *said;                     /* [drives] does the caller lead it? */
    RbvDriven *saying;              /* [drives] to what */
    RbvDriven *requested, *reached; /* [drives] where this evaluation goes, and where the motion is */
    RbvDriveTarget *guides;         /* [drives] */
    bool times;                     /* some equation moves with time by itself */
    int32_t generation;             /* of the system's numbers, when it was last evaluated */
    bool changed;                   /* they are others since the last good place */
    bool stands;                    /* the motion's state is that of `reached`, at its time */
    RbvActivity activity;           /* what holds at the last place, where the model has conditions */
    bool *truth;                    /* [conditions] scratch */
    double *own;                    /* [states] as the caller says */
    bool torn;                      /* other rows hold than those the motion has taken */
    bool switched;                  /* it has taken others, and has not gone anywhere with them */
    double *q;                      /* [position_size] scratch */
    double *change;                 /* [size] scratch */
    RbvKnownPlace *known;           /* [known_capacity] */
    int32_t known_count, known_capacity, known_next;
    bool any_given;
    bool *is_given;                   /* [bodies] */
    RbvBodyMotion *given;             /* [bodies] */
    RbvTwist *twists, *accelerations; /* [bodies] those given, or of the last motion */
};

/* The motion to `wanted` at t: q, v, a in its state. Statuses of rbv_evaluation_kinematics. */
RbvStatus rbv_evaluation_arrive(RbvEvaluation *evaluation);
/* The same to the bodies given. */
RbvStatus rbv_evaluation_arrive_at_bodies(RbvEvaluation *evaluation);
/* The motion is where the guides end: it becomes the last good place. */
void rbv_evaluation_note_reached(RbvEvaluation *evaluation);
/* Guides that stand still at `value`, with these rates. */
void rbv_evaluation_hold(RbvEvaluation *evaluation, const RbvDriven *value, double t);

/* evaluation_holds.c. BAD_INPUT (said): a condition knows of an instant at which it engaged. */
RbvStatus rbv_evaluation_check_conditions(const RbvEvaluation *evaluation);
/* A first state with what holds there. Statuses of rbv_activity_assemble. */
RbvStatus rbv_evaluation_assemble_holding(RbvEvaluation *evaluation, RbvState *first, RbvDiagnostics *diagnostics);
/* The motion's state is at the last place, for the time and the states that were said. NOT_FINITE. */
RbvStatus rbv_evaluation_go_back(RbvEvaluation *evaluation);
/* Conditions at the motion's state: where they differ from those that it was found with other rows hold from now on.
 * NOT_FINITE, INCONSISTENT: said; NO_MEMORY. */
RbvStatus rbv_evaluation_decide_conditions(RbvEvaluation *evaluation, bool *differ);
/* They do not settle. */
RbvStatus rbv_evaluation_report_contradictory(const RbvEvaluation *evaluation);

#endif
