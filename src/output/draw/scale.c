/* Ticks; see scale.h. */
#include "output/draw/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Tolerance of a value as a part of the step, for rounding: a tick at the very edge counts as inside. */
#define TICK_ROUNDING 1e-9

static double round_step(double raw, bool degrees) {
    static const double of_turn[] = {15, 30, 45, 60, 90, 180, 360};
    static const double of_ten[] = {1, 2, 5, 10};
    double power = pow(10, floor(log10(raw)));
    if (degrees && raw > 10)
        for (int k = 0; k < 7; k++)
            if (of_turn[k] >= raw)
                return of_turn[k];
    for (int k = 0; k < 4; k++)
        if (of_ten[k] * power >= raw * (1 - TICK_ROUNDING))
            return of_ten[k] * power;
    return 10 * power;
}

RbvTicks rbv_ticks(double low, double high, int most, bool degrees) {
    double size = fmax(fabs(low), fabs(high));
    RbvTicks ticks = {.count = 0};
    if (high - low <= TICK_ROUNDING * fmax(size, TICK_ROUNDING)) {
        double margin = fmax(size / 2, TICK_ROUNDING);
        low -= margin, high += margin;
    }
    double step = round_step((high - low) / most, degrees);
    double first = floor(low / step + TICK_ROUNDING), last = ceil(high / step - TICK_ROUNDING);
    for (double k = first; k <= last && ticks.count < RBV_TICKS; k++)
        ticks.at[ticks.count++] = k * step;
    return ticks;
}

double rbv_prefix(double largest, const char *unit, char *text, size_t size) {
    static const char *const of_thousands[] = {"N", "N.m", "W", "J", "Pa"};
    double factor = 1;
    const char *prefix = "";
    for (int k = 0; k < 5; k++)
        if (strcmp(unit, of_thousands[k]) == 0 && largest >= 1e3) {
            bool mega = largest >= 1e6;
            factor = mega ? 1e6 : 1e3;
            prefix = mega ? "M" : "k";
        }
    if (strcmp(unit, "m") == 0 && largest < 0.1)
        factor = 1e-3, prefix = "m";
    snprintf(text, size, "%s%s", prefix, unit);
    return factor;
}

void rbv_tick_text(double value, double step, char *text, size_t size) {
    if (fabs(value) < TICK_ROUNDING * step)
        value = 0;
    snprintf(text, size, "%s%.6g", value < 0 ? "\xe2\x88\x92" : "", fabs(value));
    for (char *c = text; *c; c++) /* in locales with a decimal comma */
        *c = *c == ',' ? '.' : *c;
}
