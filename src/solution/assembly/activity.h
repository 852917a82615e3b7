/* Which rows are active and which loads act at the initial state: by conditions (active:), and for one-sided joints
 * (unilateral:) by contact. */
#ifndef RBV_SOLUTION_ASSEMBLY_ACTIVITY_H
#define RBV_SOLUTION_ASSEMBLY_ACTIVITY_H

#include "mechanics/system/contacts.h"
#include "solution/assembly/assemble.h"

typedef struct RbvActivity {
    RbvArena arena; /* of the arrays below */
    RbvState *state;
    bool one_sided; /* one-sided joints may be open, sticking joints may slide and drives may slip */
    RbvContacts contacts;
    bool *active, *acting, *truth; /* [rows], [loads], [conditions] */
    bool *open;                    /* [contacts] open */
    bool *slides;                  /* [friction contacts] true: slides instead of sticking by the joint's own rows */
    bool *slips;                   /* [drives] true: a drive with a limit that begins apart from its motion */
    double *work;                  /* workspace of expressions */
} RbvActivity;

/* Assembles the state with the rows that are active there; conditions may read positions. In the starting poses a
 * one-sided joint is open if its gap is more than a thousandth of the size; a joint that the assembly then penetrates
 * is closed. Where initial conditions contradict joints that stick by friction: those that could stick alone do so, if
 * they all can together, else none sticks; in the same manner drives with limits slip, if assembly->may_slip. The
 * activity must live as long as the state points to it. Statuses of rbv_assemble; NOT_FINITE: a condition is not finite
 * (reported). To be destroyed in any case. */
RbvStatus rbv_activity_assemble(RbvActivity *activity, RbvState *state, double from, bool one_sided,
                                RbvDiagnostics *diagnostics, RbvAssembly *assembly);
/* Activates the items that engage at their present position (value: here) and whose conditions are true. Without
 * one-sided joints rbv_activity_assemble has done so. */
void rbv_activity_hold_here(RbvActivity *activity);
/* Takes over the active rows and acting loads of a state found by other means, and decides its conditions as at rest;
 * the state then points to the activity. NO_MEMORY, NOT_FINITE (reported). */
RbvStatus rbv_activity_take(RbvActivity *activity, RbvState *state, RbvDiagnostics *diagnostics);
/* Decides which rows are active at a state with evaluated positions and velocities: a one-sided joint is open if its
 * gap, or the rate of the gap, is positive beyond a tolerance. NOT_FINITE (reported), NO_MEMORY. */
RbvStatus rbv_activity_find(RbvActivity *activity, RbvState *state, RbvDiagnostics *diagnostics);
void rbv_activity_destroy(RbvActivity *activity);

#endif
