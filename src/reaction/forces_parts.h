/* What the files that find the forces of a sample share. Private to forces.c, friction.c and multipliers.c; see
 * forces.h. */
#ifndef RBV_REACTION_FORCES_PARTS_H
#define RBV_REACTION_FORCES_PARTS_H

#include "reaction/dependent_loads.h"
#include "reaction/forces.h"
#include "reaction/requested.h"

/* Steps of an iteration before it is given up. */
#define RBV_FORCES_STEPS 100

struct RbvForces {
    const RbvSystem *system;
    RbvMotion *motion;
    RbvReactions *reactions;
    RbvDiagnostics *diagnostics, *report; /* NULL while silent; the caller's */
    RbvChoice *choice;
    const RbvMethodKind *method;
    void *own;               /* of the method */
    RbvRequested *requested; /* the caller's: they alone are solved for; NULL: all */
    bool placed;             /* unit wrenches of all rows are wanted nevertheless */
    bool choice_always;      /* eliminations are checked where nothing is redundant, too */
    bool judged;
    double *Q;                                /* [bodies.size] */
    double *before;                           /* [joints] multipliers of the last pass */
    RbvWrench *wrenches;                      /* [bodies] */
    int32_t friction_count;                   /* the system's rubs */
    double *force;                            /* [friction] s along the way that faces slide, none positive [N] */
    double (*slip)[RBV_MOST_SLIP_DIRECTIONS]; /* [friction] u/|u|; 0: they stand still */
    bool *slides, *stands;                    /* [friction] they stand: for longer than an instant */
    double *load;                             /* [friction] N of the last solution */
    double *kept;                             /* [friction] scratch */
    double *J;                                /* [friction][friction + 1] */
    double *base, *response;                  /* [rows], [friction][rows] multipliers */
    bool *still_said;                         /* [friction] */
    double *found;                            /* [friction] the solution printed */
    bool *doubled;                            /* [friction] another solution has other friction there */
    RbvFrictionPhase *phase;                  /* [friction] as judged */
    bool any_doubled, doubled_said, stale;    /* stale: verdicts are older than what was found out about friction */
    char names[RBV_NAME_SIZE];
};

/* multipliers.c: lambda for the loads and friction as it is in `force`, without the pushes along lines of centres, or
 * with those of the lambda before. */
RbvStatus rbv_multipliers_for(RbvForces *f, bool lines);
/* The same with the pushes that belong to them. */
RbvStatus rbv_multipliers_with_lines(RbvForces *f);
/* "at t = ... s" and the message; the status. */
RbvStatus rbv_forces_fail(const RbvForces *f, RbvStatus status, const char *format, const char *name);

/* friction.c: forces of friction, and lambda with them. LOCKED: it jams, said. */
RbvStatus rbv_friction_solve(RbvForces *f);
/* The effort of faces i on their way c. */
static inline double rbv_friction_effort(const RbvForces *f, int32_t i, int c) {
    return f->force[i] * f->slip[i][c] * f->system->friction[i].slip[c].lever;
}

#endif
