/* What may pass zero and come back between two looks at a step: rates of faces that slide, of drives that slip, events,
 * margins of laws. A parabola through three looks shows where, and looks there decide. Contacts, whose rates are known,
 * have a cubic of their own (event_loop.c).
 */
#ifndef RBV_DYNAMICS_DIPS_H
#define RBV_DYNAMICS_DIPS_H

#include "dynamics/event_loop.h"

/* Indicators at a time between, in loop->now; *seen: the state there is found. */
typedef RbvStatus (*RbvLook)(RbvEventLoop *loop, double t, bool *seen);

/* False: no memory; to be destroyed all the same. */
bool rbv_dips_create(RbvDips *dips, const RbvFlow *flow, const RbvPieces *pieces);
void rbv_dips_destroy(RbvDips *dips);
/* The number [count] that changes its sign where something happens, at the state of loop->now; NaN: nothing can, or
 * it has no number. */
double rbv_dips_value(const RbvEventLoop *loop, int32_t k);
/* The state of loop->now, at t, is the next look; the first of a step, if it begins there. */
void rbv_dips_note(RbvEventLoop *loop, double t, bool begins);
/* Among the last three looks: has something happened between them? Then *changed, at *high, and not at *low before it.
 */
RbvStatus rbv_dips_search(RbvEventLoop *loop, RbvLook look, double *low, double *high, bool *changed);

#endif
