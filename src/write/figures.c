/* What of a number is shown on a page. result.json and series.csv keep what was computed.
 *
 * A value is a sum of parts as large as the largest of its unit, each of them rounded to 1e-16 of itself: what is below ROUNDING of that is nothing but their rounding, and is
 * shown as 0. Forces and torques are parts of each other by the size of the mechanism; a unit that is composed has the size of its parts, energy that of force times size, power that of energy times
 * the fastest rate. A turn is known to rounding of 1 rad, a place to rounding of the size. An output is also known no better than what it reads (RbvMix). Where an error is known no digit beyond it is
 * shown. */
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

/* A generalized coordinate, by its bare name, has the unit that it is written in; "hinge.angle" and "ball.rx" are turns. */
const char *rbv_page_coordinate_unit(const char *coordinate) {
    const char *dot = strrchr(coordinate, '.');
    return !dot ? "" : strcmp(dot, ".angle") == 0 || dot[1] == 'r' ? "rad" : "m";
}

static void raise_coordinates(RbvPage *page, const RbvMode *coordinates) {
    for (int32_t c = 0; c < coordinates->count; c++) {
        const char *si = rbv_page_coordinate_unit(coordinates->shares[c].name);
        if (*si)
            raise(page, si, fabs(coordinates->shares[c].share));
    }
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
    double alpha = fmax(slow * slow, fmax(largest_of(page, "rad/s^2"), largest_of(page, "m/s^2") / size));
    raise(page, "rad/s^2", alpha);
    raise(page, "m/s^2", alpha * size);
    raise(page, "s", result->sample_count > 0 && !result->followed.parameter ? fabs(rbv_result_value(result, result->sample_count - 1, 0)) : 0);
    for (int32_t k = 0; k < result->equilibrium_count; k++) {
        raise_coordinates(page, &result->equilibria[k].coordinates);
        raise(page, "J", fabs(result->equilibria[k].energy));
    }
}

static double seen(const RbvPage *page, const char *si) {
    for (int32_t k = 0; k < page->scale_count; k++)
        if (strcmp(page->scales[k].unit, si) == 0)
            return page->scales[k].largest;
    return 0;
}

/* How large a unit that is composed may be: mass l^a m^b t^c = force^b length^(a-b) time^(c+2b), 1/time the fastest rate, 1/time^2 the largest acceleration. 0: not known. */
static double composed(const RbvPage *page, const char *si) {
    RbvUnit unit;
    if (!rbv_unit_parse(si, strlen(si), &unit, NULL))
        return 0;
    const int16_t *half = unit.exponents.half;
    double b = 0.5 * half[RBV_OF_MASS], length = 0.5 * half[RBV_OF_LENGTH] - b, time = 0.5 * half[RBV_OF_TIME] + 2 * b;
    if (b < 0 || time > 0 || half[RBV_OF_CYCLE])
        return 0;
    double rate = seen(page, "rad/s"), rates = time > -2 ? pow(rate, -time) : seen(page, "rad/s^2") * pow(rate, -2 - time);
    return (b > 0 ? pow(seen(page, "N"), b) : 1) * pow(seen(page, "m"), length) * rates;
}

static double scale(const RbvPage *page, const char *si) {
    return fmax(seen(page, si), composed(page, si));
}

/* Below this a value of the unit is rounding. */
static double floor_of(const RbvPage *page, const char *si) {
    return *si ? ROUNDING * scale(page, si) : 0;
}

/* Of a column: parts of a quaternion are parts of 1, and what an output reads may be off by its own rounding, at the places whose values are shown. */
static double floor_of_column(const RbvPage *page, const RbvColumn *column) {
    double most = *column->unit || column->mix ? floor_of(page, column->unit) : ROUNDING;
    for (int k = 0; column->mix && column->mix->known && k < RBV_MIX_COUNT; k++) {
        double sum = ROUNDING * column->mix->part[k], value = fabs(column->mix->value[k]);
        for (int d = 1; d < RBV_DIM_COUNT; d++)
            sum += column->mix->gain[k][d] > 0 ? column->mix->gain[k][d] * floor_of(page, rbv_dimension_si((RbvDimension)d)) : 0;
        most = value <= sum ? fmax(most, value) : most;
    }
    return most;
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
    double rounding = fmax(floor_of_column(page, of), ROUNDING * s.peak), error = of->has_error && isfinite(of->error) ? of->error : 0;
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
    return fabs(value) <= fmax(floor_of_column(page, of), error) ? 0 : value;
}

RbvShownUnit rbv_page_unit(const RbvPage *page, int32_t column) {
    const RbvResult *result = page->result;
    if (column == 0 && result->followed.parameter && result->followed.shown.text)
        return result->followed.shown;
    return rbv_view_unit(&page->view, result, result->columns[column].unit);
}
