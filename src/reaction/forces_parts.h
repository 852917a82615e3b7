/* What the files that find the forces of a sample share. Private to forces.c, friction.c and multipliers.c; see forces.h. */
#ifndef RBV_REACTION_FORCES_PARTS_H
#define RBV_REACTION_FORCES_PARTS_H

#include "reaction/forces.h"

/* Steps of an iteration before it is given up. */
#define RBV_FORCES_STEPS 100

struct RbvForces {
    const RbvSystem *system;
    RbvMotion *motion;
    RbvReactions *reactions;
    RbvDiagnostics *diagnostics, *heard; /* NULL while silent; the caller's */
    RbvChoice *choice;
    RbvKkt *kkt;
    bool choice_always;       /* eliminations are checked where nothing is redundant, too */
    bool judged;
    double *Q, *x;            /* [n] */
    double *before;           /* [joints] multipliers of the last pass */
    RbvWrench *wrenches;      /* [bodies] */
    int32_t friction_count;
    int32_t *joint;           /* [friction] */
    double *effort, *sign;    /* [friction] */
    double *limit;            /* [friction] residuals */
    double *J;                /* [friction][friction + 1] */
    double *base, *response;  /* [rows], [friction][rows] multipliers */
    bool *still_said;         /* [friction] */
    double *found;            /* [friction] the solution printed */
    bool *doubled;            /* [joints] another solution has other friction there */
    bool any_doubled, doubled_said, stale; /* stale: verdicts are older than what was found out about friction */
    char names[RBV_NAME_ROOM];
};

/* multipliers.c: lambda for the loads and the friction efforts as they are in `effort`, without the pushes along lines of centres, or with those of the lambda before. */
RbvStatus rbv_multipliers_for(RbvForces *f, bool lines);
/* The same with the pushes that belong to them. */
RbvStatus rbv_multipliers_with_lines(RbvForces *f);
/* "at t = ... s" and the message; the status. */
RbvStatus rbv_forces_fail(const RbvForces *f, RbvStatus status, const char *format, const char *name);

/* friction.c: efforts of friction, and lambda with them. LOCKED: it jams, said. */
RbvStatus rbv_friction_solve(RbvForces *f);

#endif
