/* Round ticks on an axis, and the text of numbers and units beside them. */
#ifndef RBV_OUTPUT_DRAW_SCALE_H
#define RBV_OUTPUT_DRAW_SCALE_H

#include <stdbool.h>
#include <stddef.h>

#define RBV_TICKS 24

typedef struct RbvTicks {
    double at[RBV_TICKS];
    int count;
} RbvTicks;

/* About `most` ticks from below `low` to above `high`, 1, 2 or 5 times a power of ten apart (degrees: 15, 30, 45, 60,
 * 90). If low equals high, the axis has space on both sides. */
RbvTicks rbv_ticks(double low, double high, int most, bool degrees);

/* Factor and prefixed unit that keep numbers short: 12000 N are shown as 12 kN, 0.02 m as 20 mm; 1 for units that take
 * no such prefix. The unit is written to text[size]. */
double rbv_prefix(double largest, const char *unit, char *text, size_t size);

/* A number with six digits and a typographic minus; 0 if it is rounding relative to `step`. Writes text[size], size
 * >= 32. */
void rbv_tick_text(double value, double step, char *text, size_t size);

#endif
