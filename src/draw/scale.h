/* Round ticks on an axis, and how numbers and units stand beside them. */
#ifndef RBV_DRAW_SCALE_H
#define RBV_DRAW_SCALE_H

#include <stdbool.h>
#include <stddef.h>

#define RBV_TICKS 24

typedef struct RbvTicks {
    double at[RBV_TICKS];
    int count;
} RbvTicks;

/* Ticks from below `low` to above `high`, a step of 1, 2 or 5 times a power of ten apart (degrees: 15, 30, 45, 60, 90),
 * about `most` of them. What is the same at both ends gets room on both sides. */
RbvTicks rbv_ticks(double low, double high, int most, bool degrees);

/* A factor and a prefix that keep numbers short: 12000 N stand as 12 kN, 0.02 m as 20 mm. Units that have no such
 * prefix keep 1. Into text[size]. */
double rbv_prefix(double largest, const char *unit, char *text, size_t size);

/* Six digits, a true minus; what is rounding of `step` is 0. Into text[size], size >= 32. */
void rbv_tick_text(double value, double step, char *text, size_t size);

#endif
