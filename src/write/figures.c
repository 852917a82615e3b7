/* What of a number is shown on a page. result.json and series.csv keep what was computed.
 *
 * A value is a sum of parts as large as the largest of its unit, each of them rounded to 1e-16 of itself: what is below ROUNDING of that is nothing but their rounding, and is
 * shown as 0. Forces and torques are parts of each other by the size of the mechanism. A turn is known to rounding of 1 rad, a place to rounding of the size. Where an error is
 * known no digit beyond it is shown. */
#include "result/rows.h"
#include "write/page.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-13
/* [rad/s] Where all rates are less, they are measured against this: what stands still has none. */
#define SLOW 1e-3
/* What varies by less, of its largest value, does not vary. */
#define CONSTANT 1e-12

static double *scale_of(RbvPage *page, const char *si) {
    for (int32_t k = 0; k < page->scale_count; k++)
        if (strcmp(page->scales[k].unit, si) == 0)
            return &page->scales[k].largest;
    if (page->scale_count == RBV_PAGE_SCALES)
        return NULL;
    page->scales[page->scale_count] = (RbvScale){si, 0};
    return &page->scales[page->scale_count++].largest;
}

static double largest_of(RbvPage *page, const char *si) {
    const double *largest = scale_of(page, si);
    return largest ? *largest : 0;
}

static void raise(RbvPage *page, const char *si, double value) {
    double *largest = scale_of(page, si);
    if (largest && isfinite(value))
        *largest = fmax(*largest, value);
}

void rbv_page_scale(RbvPage *page) {
    const RbvResult *result = page->result;
    double size = result->machine.size > 0 ? result->machine.size : 1;
    raise(page, "rad", 1);
    raise(page, "m", size);
    for (int32_t c = 1; c < result->column_count + result->hidden_count; c++)
        if (*result->columns[c].unit)
            raise(page, result->columns[c].unit, rbv_result_summary(result, c).peak);
    double force = largest_of(page, "N"), torque = largest_of(page, "N.m");
    raise(page, "N", torque / size);
    raise(page, "N.m", force * size);
    raise(page, "J", fmax(force * size, torque));
    double turning = largest_of(page, "rad/s"), moving = largest_of(page, "m/s"), slow = fmax(SLOW, fmax(turning, moving / size));
    raise(page, "rad/s", slow);
    raise(page, "m/s", slow * size);
}

/* Below this a value of the unit is rounding. */
static double floor_of(const RbvPage *page, const char *si) {
    for (int32_t k = 0; k < page->scale_count; k++)
        if (strcmp(page->scales[k].unit, si) == 0)
            return ROUNDING * page->scales[k].largest;
    return 0;
}

double rbv_page_figure(const RbvPage *page, const char *si, double value) {
    return fabs(value) <= floor_of(page, si) ? 0 : value;
}

typedef struct Sieve {
    double floor; /* below it: 0 */
    double last;  /* the decimal place of the error, 0: all digits */
} Sieve;

static double sieved(const Sieve *sieve, double value) {
    return fabs(value) <= sieve->floor ? 0 : sieve->last > 0 ? sieve->last * round(value / sieve->last) : value;
}

RbvSummary rbv_page_summary(const RbvPage *page, int32_t column, bool *constant) {
    const RbvResult *result = page->result;
    const RbvColumn *of = &result->columns[column];
    RbvSummary s = rbv_result_summary(result, column);
    double rounding = fmax(floor_of(page, of->unit), ROUNDING * s.peak), error = of->has_error && isfinite(of->error) ? of->error : 0;
    Sieve sieve = {fmax(rounding, error), error > rounding ? pow(10, floor(log10(error))) : 0};
    *constant = !(s.max - s.min > fmax(sieve.floor, CONSTANT * s.peak)); /* and what has no value */
    s.first = sieved(&sieve, s.first);
    s.min = sieved(&sieve, s.min);
    s.max = sieved(&sieve, s.max);
    return s;
}

RbvShownUnit rbv_page_unit(const RbvPage *page, int32_t column) {
    const RbvResult *result = page->result;
    if (column == 0 && result->followed.parameter && result->followed.shown.text)
        return result->followed.shown;
    return rbv_view_unit(&page->view, result, result->columns[column].unit);
}
