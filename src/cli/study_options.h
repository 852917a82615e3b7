/* Parsers of the options of study and tolerance, for the table of options (options.c). False: error reported. */
#ifndef RBV_CLI_STUDY_OPTIONS_H
#define RBV_CLI_STUDY_OPTIONS_H

#include "cli/call.h"

bool set_part(Call *call, const char *value);
bool set_extend(Call *call, const char *value);
bool set_merge(Call *call, const char *value);
bool set_yes(Call *call, const char *value);
bool set_stop_on_failure(Call *call, const char *value);
bool set_monte_carlo(Call *call, const char *value);
bool set_seed(Call *call, const char *value);
bool set_coverage(Call *call, const char *value);
bool set_tolerance_analysis(Call *call, const char *value);

#endif
