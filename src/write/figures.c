/* What of a number is shown on a page: 0 where it is rounding (scales.h), and no digit beyond its error where that is
 * known. result.json and series.csv keep what was computed. */
#include "result/rows.h"
#include "write/page.h"

#include <math.h>

/* What varies by less, of its largest value, does not vary. */
#define CONSTANT 1e-12

double rbv_page_figure(const RbvPage *page, const char *si, double value) {
    return fabs(value) <= rbv_scales_rounding(&page->scales, si) ? 0 : value;
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
    double rounding = fmax(rbv_scales_rounding_of(&page->scales, of), RBV_ROUNDING * s.peak),
           error = of->has_error && isfinite(of->error) ? of->error : 0;
    Sieve sieve = {fmax(rounding, error), error > rounding ? pow(10, floor(log10(error))) : 0};
    *constant = !(s.max - s.min > fmax(sieve.floor, CONSTANT * s.peak)); /* and what has no value */
    s.first = sieved(&sieve, s.first);
    s.min = sieved(&sieve, s.min);
    s.max = sieved(&sieve, s.max);
    *constant = *constant || (s.min == 0 && s.max == 0); /* of both signs, less than what is shown */
    return s;
}

double rbv_page_value(const RbvPage *page, int32_t column, double value) {
    const RbvColumn *of = &page->result->columns[column];
    double error = of->has_error && isfinite(of->error) ? of->error : 0;
    return fabs(value) <= fmax(rbv_scales_rounding_of(&page->scales, of), error) ? 0 : value;
}

RbvShownUnit rbv_page_unit(const RbvPage *page, int32_t column) {
    const RbvResult *result = page->result;
    if (column == 0 && result->followed.parameter && result->followed.shown.text)
        return result->followed.shown;
    return rbv_view_unit(&page->view, result, result->columns[column].unit);
}
