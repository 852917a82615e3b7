/* Where a motion starts: assembled with the rows that hold there, which hold by conditions (active:) that may read where things are. */
#ifndef RBV_DYNAMICS_START_H
#define RBV_DYNAMICS_START_H

#include "system/system.h"

#include "base/diagnostics.h"

/* What holds and acts at the start; the state points here. */
typedef struct RbvStart {
    bool *active, *acting, *truth; /* [rows], [loads], [conditions]; NULL where the model has no conditions */
} RbvStart;

/* Statuses as of rbv_assemble; NOT_FINITE: a condition is not (said). To be destroyed after the state, all the same. */
RbvStatus rbv_start_assemble(RbvStart *start, RbvState *state, double from, RbvDiagnostics *diagnostics);
void rbv_start_destroy(RbvStart *start);

#endif
