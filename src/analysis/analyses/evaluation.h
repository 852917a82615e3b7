/* Data of an evaluation (rbv_evaluation_*): what the caller has set, the motion that goes there, and the known
 * positions.
 *
 *   evaluation.c   setting and reading by the caller, and the conditions that are true there
 *   advance.c      to a position: from drive values, followed, leapt or assembled; or from bodies that are prescribed
 */
#ifndef RBV_ANALYSIS_ANALYSES_EVALUATION_H
#define RBV_ANALYSIS_ANALYSES_EVALUATION_H

#include <roberval/state.h>

#include "analysis/analyses/instant.h"
#include "solution/assembly/activity.h"

/* Positions reached before, from which a leap may start: at most this many, and together at most this many numbers. */
#define RBV_MOST_KNOWN 64
#define RBV_KNOWN_NUMBERS 1000000

/* A drive's motion: value, rate, second rate. */
typedef double RbvDriveMotion[3];

typedef struct RbvKnownPlace {
    double *drives; /* [drives] values [m or rad] */
    double t;
    double *q;                /* [position_size] */
    RbvMeasureMemory *memory; /* [measures] */
} RbvKnownPlace;

struct RbvEvaluation {
    RbvArena arena; /* owns the arrays */
    const RbvSystem *system;
    RbvOptions options;
    RbvProgress progress; /* the caller's function, asked while a motion is followed */
    RbvInstant now;
    RbvDiagnostics *diagnostics;
    RbvEvaluationReport report;
    double t;
    bool *is_set;                        /* [drives] set by the caller instead of by the model's target */
    RbvDriveMotion *set_motion;          /* [drives] the values set */
    RbvDriveMotion *requested, *reached; /* [drives] motion requested in this evaluation; motion at the present state */
    RbvDriveTarget *targets;             /* [drives] targets of drives during the motion */
    bool times;                          /* some equation depends on time explicitly */
    int32_t generation;                  /* generation of the system's parameters at the last evaluation */
    bool changed;                        /* parameters have changed since the last good position */
    bool stands;                         /* the motion's state is that of `reached`, at the present time */
    RbvActivity activity;                /* conditions and active rows at the last position, where the model has any */
    bool *truth;                         /* [conditions] scratch */
    double *own;                         /* [states] own states, as set by the caller */
    bool rows_differ;                    /* the active rows differ from those of the motion's choice */
    bool switched;                       /* the motion has taken other active rows and has not moved since */
    double *q;                           /* [position_size] scratch */
    double *change;                      /* [size] scratch */
    RbvKnownPlace *known;                /* [known_capacity] */
    int32_t known_count, known_capacity, known_next;
    bool any_prescribed;
    bool *is_prescribed;              /* [bodies] */
    RbvBodyMotion *prescribed;        /* [bodies] */
    RbvTwist *twists, *accelerations; /* [bodies] prescribed twists and accelerations, or those of the last motion */
};

/* Bring the motion to the requested drive values at t: q, v, a in its state. Statuses of rbv_evaluation_kinematics. */
RbvStatus rbv_evaluation_arrive(RbvEvaluation *evaluation);
/* Bring the motion to the bodies that the caller has prescribed. Statuses of rbv_evaluation_kinematics. */
RbvStatus rbv_evaluation_arrive_at_bodies(RbvEvaluation *evaluation);
/* The column `name` of a result of one sample, which is replaced by the next. */
RbvEvaluationColumn rbv_column_of_last(const RbvResult *result, const char *name);
/* The motion has reached the ends of its drive targets: store this as the last good position. */
void rbv_evaluation_note_reached(RbvEvaluation *evaluation);
/* Set every drive target to the constant `value` (value, rate, second rate) at the instant t. */
void rbv_evaluation_hold(RbvEvaluation *evaluation, const RbvDriveMotion *value, double t);

#endif
