/* Which rows hold and which loads act where a machine stands: by conditions (active:), and of joints that can let go (unilateral:) those that touch. */
#ifndef RBV_ASSEMBLY_ACTIVITY_H
#define RBV_ASSEMBLY_ACTIVITY_H

#include "assembly/assemble.h"
#include "system/contacts.h"

typedef struct RbvActivity {
    RbvState *state;
    bool one_sided;                /* joints may be open */
    RbvContacts contacts;
    bool *active, *acting, *truth; /* [rows], [loads], [conditions] */
    bool *open;                    /* [contacts] */
    double *work;                  /* scratch of expressions */
} RbvActivity;

/* Assemble the state with what holds there: conditions may read where things are. In starting poses a one-sided joint is open that stands off by more than a thousandth of the size; what is passed
 * then holds. The activity lives as long as the state looks at it. Statuses of rbv_assemble; NOT_FINITE: a condition is (said). To be destroyed in any case. */
RbvStatus rbv_activity_assemble(RbvActivity *activity, RbvState *state, double from, bool one_sided, RbvDiagnostics *diagnostics, RbvAssembly *assembly);
void rbv_activity_destroy(RbvActivity *activity);

#endif
