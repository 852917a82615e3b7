/* Parsers of the options of study and tolerance. */
#include "cli/study_options.h"
#include "cli/print.h"

#include <math.h>
#include <stdlib.h>

/* "3/16". */
bool set_part(Call *call, const char *value) {
    char *end, *last;
    long part = strtol(value, &end, 10), parts = *end == '/' ? strtol(end + 1, &last, 10) : 0;
    bool good = end != value && *end == '/' && last != end + 1 && !*last && part >= 1 && part <= parts;
    call->part = (int32_t)part;
    call->parts = (int32_t)parts;
    return (good && parts <= 1000000) ||
           wrong("--part wants one of several parts, such as 3/16, from 1/16 to 16/16, not '%s'", value);
}

bool set_extend(Call *call, const char *value) {
    char *end;
    long long number = strtoll(value, &end, 10);
    call->extend = number;
    return (end != value && !*end && number >= 1 && number <= 4000000000) ||
           wrong("--extend wants a number of samples, not '%s'", value);
}

bool set_monte_carlo(Call *call, const char *value) {
    char *end;
    call->monte_carlo = strtoll(value, &end, 10);
    return (end != value && !*end && call->monte_carlo >= 2 && call->monte_carlo <= 1000000000) ||
           wrong("--monte-carlo wants a number of samples from 2, not '%s'", value);
}

bool set_seed(Call *call, const char *value) {
    char *end;
    call->seed = strtoll(value, &end, 10);
    return (end != value && !*end && call->seed >= 1) || wrong("--seed wants a whole number from 1, not '%s'", value);
}

bool set_coverage(Call *call, const char *value) {
    return (rbv_quantity_read(value, "", &call->coverage) && call->coverage > 0 && isfinite(call->coverage)) ||
           wrong("--coverage wants the standard deviations of a tolerance, such as 3, not '%s'", value);
}

bool set_merge(Call *call, const char *value) {
    (void)value;
    return call->merge = true;
}

bool set_yes(Call *call, const char *value) {
    (void)value;
    return call->yes = true;
}

bool set_stop_on_failure(Call *call, const char *value) {
    (void)value;
    return call->stop_on_failure = true;
}

bool set_tolerance_analysis(Call *call, const char *value) {
    call->analysis = value;
    return is_listed("statics inverse simulate track", value) ||
           wrong("--analysis of tolerance is statics, inverse, simulate or track, not '%s'", value);
}
