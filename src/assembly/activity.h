/* Which rows hold and which loads act where a machine stands: by conditions (active:), and of joints that can let go
 * (unilateral:) those that touch. */
#ifndef RBV_ASSEMBLY_ACTIVITY_H
#define RBV_ASSEMBLY_ACTIVITY_H

#include "assembly/assemble.h"
#include "system/contacts.h"

typedef struct RbvActivity {
    RbvState *state;
    bool one_sided; /* joints may be open */
    RbvContacts contacts;
    bool *active, *acting, *truth; /* [rows], [loads], [conditions] */
    bool *open;                    /* [contacts] */
    bool *slides;                  /* [friction contacts] what would stick by the joint's own rows slides */
    bool *slips;                   /* [drives] one with a limit that begins behind its motion */
    double *work;                  /* scratch of expressions */
} RbvActivity;

/* Assemble the state with what holds there: conditions may read where things are. In starting poses a one-sided joint
 * is open that stands off by more than a thousandth of the size; what is passed then holds. Joints that hold by
 * friction do not where initial conditions contradict them: then each of them holds that could do so alone, if all of
 * these can, else none. Drives with limits likewise, where the assembly is told that they may. The activity lives as
 * long as the state looks at it. Statuses of rbv_assemble; NOT_FINITE: a condition is (said). To be destroyed in any
 * case. */
RbvStatus rbv_activity_assemble(RbvActivity *activity, RbvState *state, double from, bool one_sided,
                                RbvDiagnostics *diagnostics, RbvAssembly *assembly);
/* What holds where it stands (value: here) does so from now on; without one-sided joints this has been done. */
void rbv_activity_hold_here(RbvActivity *activity);
/* What holds and acts at a state that has been found otherwise is taken over, and conditions are looked at there as if
 * at rest; the state looks at the activity from here on. NO_MEMORY, NOT_FINITE (said). */
RbvStatus rbv_activity_take(RbvActivity *activity, RbvState *state, RbvDiagnostics *diagnostics);
/* Decide what holds in a state that is placed and moved, by what is so there: a one-sided joint is open that stands
 * off, or is about to. NOT_FINITE (said), NO_MEMORY. */
RbvStatus rbv_activity_find(RbvActivity *activity, RbvState *state, RbvDiagnostics *diagnostics);
void rbv_activity_destroy(RbvActivity *activity);

#endif
