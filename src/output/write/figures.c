/* Rounds numbers for a page: 0 where a value is within rounding (scales.h), and no digit beyond the column's error if
 * that is known. result.json and series.csv keep the computed values. */
#include "model/result/result.h"
#include "output/write/page.h"

#include <math.h>

/* A column is constant if it varies by less than this part of its largest magnitude. */
#define CONSTANT 1e-12

double rbv_page_figure(const RbvPage *page, const char *si, double value) {
    return fabs(value) <= rbv_scales_rounding(&page->scales, si) ? 0 : value;
}

typedef struct Sieve {
    double floor; /* smaller magnitudes are shown as 0 */
    double last;  /* decimal place of the error; 0: all digits */
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
    *constant = !(s.max - s.min > fmax(sieve.floor, CONSTANT * s.peak)); /* also true for NaN */
    s.first = sieved(&sieve, s.first);
    s.min = sieved(&sieve, s.min);
    s.max = sieved(&sieve, s.max);
    *constant = *constant || (s.min == 0 && s.max == 0); /* extremes of both signs that are rounded to 0 */
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
