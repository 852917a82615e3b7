/* Data of the forces of a sample. Private to forces.c, friction.c and multipliers.c; see forces.h. */
#ifndef RBV_SOLUTION_REACTION_FORCES_PARTS_H
#define RBV_SOLUTION_REACTION_FORCES_PARTS_H

#include "solution/reaction/dependent_loads.h"
#include "solution/reaction/forces.h"
#include "solution/reaction/requested.h"

/* Most steps of the iterations for friction and tooth forces. */
#define RBV_FORCES_STEPS 100

struct RbvForces {
    const RbvSystem *system;
    RbvMotion *motion;
    RbvReactions *reactions;
    RbvDiagnostics *diagnostics, *report; /* NULL while reports are suppressed; the caller's */
    RbvChoice *choice;
    const RbvMethodKind *method;
    void *own;               /* data of the method */
    RbvRequested *requested; /* the caller's: solve for these alone; NULL: for all */
    bool placed;             /* evaluate unit wrenches of all rows nevertheless */
    bool choice_always;      /* check eliminations also where nothing is redundant */
    bool judged;
    double *Q;                                /* [bodies.size] forces on body twists */
    double *before;                           /* [joints] multipliers of the first rows in the last pass */
    RbvWrench *wrenches;                      /* [bodies] loads, friction and tooth forces about centroids */
    int32_t friction_count;                   /* number of the system's friction contacts */
    double *force;                            /* [friction] s along the slip direction, never positive [N] */
    double (*slip)[RBV_MOST_SLIP_DIRECTIONS]; /* [friction] slip direction u/|u|; 0: no sliding */
    bool *slides, *stands;                    /* [friction] slides; stands still for longer than an instant */
    double *load;                             /* [friction] N of the last solution [N] */
    double *kept;                             /* [friction] scratch */
    double *J;                                /* [friction][friction + 1] Newton's matrix and right-hand side */
    double *base, *response;               /* [rows], [friction][rows] multipliers: without friction; per unit force */
    bool *still_said;                      /* [friction] already reported */
    double *found;                         /* [friction] s of the solution printed */
    bool *doubled;                         /* [friction] another solution has other friction there */
    RbvFrictionPhase *phase;               /* [friction] as decided last */
    bool any_doubled, doubled_said, stale; /* stale: verdicts are older than the state of friction */
    char names[RBV_NAME_SIZE];
};

/* lambda for the loads and the friction in f->force (multipliers.c): without forces along lines of centres, or with
 * those of the previous lambda. */
RbvStatus rbv_multipliers_for(RbvForces *f, bool lines);
/* lambda with the forces along lines of centres that belong to it. */
RbvStatus rbv_multipliers_with_lines(RbvForces *f);
/* Reports "at t = ... s" and the message; returns the status. */
RbvStatus rbv_forces_fail(const RbvForces *f, RbvStatus status, const char *format, const char *name);

/* Forces of friction, and lambda with them (friction.c). LOCKED: friction jams, reported. */
RbvStatus rbv_friction_solve(RbvForces *f);
/* Effort of friction contact i along its slip direction c [N or N m]. */
static inline double rbv_friction_effort(const RbvForces *f, int32_t i, int c) {
    return f->force[i] * f->slip[i][c] * f->system->friction[i].slip[c].lever;
}

#endif
