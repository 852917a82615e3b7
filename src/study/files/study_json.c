/* study.json: the definition, the counts, the statistics of each quantity, the run. */
#define _DEFAULT_SOURCE
#include "study/files/study_json.h"

#include "model/result/result.h"
#include "output/write/json_text.h"
#include "study/design/chances.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const designs[] = {"", "grid", "latin", "sobol", "monte-carlo"};
static const double percents[] = {1, 5, 25, 50, 75, 95, 99};

/* Of a grid: along which axis of the grid the parameter moves, counted from 0, and how many values the axis has. The
 * last axis runs fastest. */
static void write_axis(RbvJson *json, const RbvDesign *design, int32_t parameter) {
    int32_t axis = 0, lead = design->factors[parameter].lead;
    for (int32_t k = 0; k < lead; k++)
        axis += design->factors[k].lead == k;
    rbv_json_integer(json, "axis", axis);
    rbv_json_number(json, "values", (double)design->factors[lead].count);
}

static void write_definition(RbvJson *json, const RbvStudy *study) {
    rbv_json_open(json, "study", "{");
    rbv_json_string(json, "file", study->file);
    rbv_json_string(json, "title", study->title);
    rbv_json_string(json, "model", study->model_path);
    rbv_json_string(json, "model_title", study->model_title);
    rbv_json_string(json, "analysis", study->analysis);
    rbv_json_string(json, "options", study->options_text);
    rbv_json_string(json, "text", study->text);
    rbv_json_string(json, "design", designs[study->design.kind]);
    if (study->samples > 0) {
        rbv_json_number(json, "samples", (double)study->design.count);
        rbv_json_number(json, "seed", (double)study->design.seed);
    }
    rbv_json_open(json, "vary", "{");
    for (int32_t k = 0; k < study->parameter_count; k++) {
        rbv_json_open(json, study->parameters[k].name, "{");
        rbv_json_string(json, "unit", study->parameters[k].unit);
        if (study->design.kind == RBV_DESIGN_GRID)
            write_axis(json, &study->design, k);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
    rbv_json_close(json, "}");
}

static void write_counts(RbvJson *json, const RbvStatistics *s) {
    rbv_json_number(json, "variants", (double)s->study->design.count);
    rbv_json_number(json, "done", (double)s->done);
    rbv_json_open(json, "failed", "{");
    for (int k = RBV_OK + 1; k <= RBV_NOT_WRITABLE; k++)
        if (s->by_status[k] > 0)
            rbv_json_number(json, rbv_study_status((RbvStatus)k), (double)s->by_status[k]);
    rbv_json_close(json, "}");
    rbv_json_number(json, "over_limit", (double)s->over);
}

static void write_extreme(RbvJson *json, const char *name, const RbvStudy *study, const RbvExtreme *extreme) {
    double values[256], *parameters = values;
    rbv_json_open(json, name, "{");
    rbv_json_number(json, "value", extreme->value);
    rbv_json_number(json, "variant", (double)extreme->variant);
    if (study->parameter_count <= 256 && rbv_study_values(study, extreme->variant, parameters)) {
        rbv_json_open(json, "parameters", "{");
        for (int32_t k = 0; k < study->parameter_count; k++)
            rbv_json_number(json, study->parameters[k].name, parameters[k]);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

static void write_limit(RbvJson *json, const RbvStudyQuantity *quantity, const RbvQuantityStatistics *of) {
    double interval[2];
    if (quantity->limit == RBV_LIMIT_NONE)
        return;
    rbv_json_open(json, "limit", "{");
    rbv_json_string(json, "text", quantity->limit_text);
    rbv_json_number(json, "value", quantity->bound);
    rbv_json_number(json, "over", (double)of->over);
    if (of->moments.count > 0) {
        rbv_wilson((double)of->over, of->moments.count, &interval[0], &interval[1]);
        rbv_json_number(json, "share", (double)of->over / of->moments.count);
        rbv_json_numbers(json, "share_interval", interval, 2);
    }
    rbv_json_close(json, "}");
}

static void write_statistics(RbvJson *json, const RbvStudy *study, const RbvQuantityStatistics *of) {
    double mean[2], sigma[2];
    char name[20];
    rbv_json_number(json, "mean", of->moments.mean);
    rbv_json_number(json, "sigma", rbv_moments_sigma(&of->moments));
    if (study->design.kind == RBV_DESIGN_MONTE_CARLO && rbv_moments_intervals(&of->moments, mean, sigma)) {
        rbv_json_numbers(json, "mean_interval", mean, 2);
        rbv_json_numbers(json, "sigma_interval", sigma, 2);
    }
    write_extreme(json, "least", study, &of->least);
    write_extreme(json, "largest", study, &of->largest);
    rbv_json_open(json, "percentiles", "{");
    for (size_t k = 0; k < sizeof percents / sizeof percents[0]; k++) {
        snprintf(name, sizeof name, "%g", percents[k]);
        rbv_json_number(json, name, rbv_statistics_percentile(of, percents[k]));
    }
    rbv_json_close(json, "}");
    rbv_json_open(json, "correlations", "{");
    for (int32_t p = 0; p < study->parameter_count; p++)
        rbv_json_number(json, study->parameters[p].name, rbv_pair_correlation(of, p));
    rbv_json_close(json, "}");
}

static void write_quantities(RbvJson *json, const RbvStatistics *s) {
    rbv_json_open(json, "quantities", "{");
    for (int32_t q = 0; q < s->study->quantity_count; q++) {
        const RbvStudyQuantity *quantity = &s->study->quantities[q];
        const RbvQuantityStatistics *of = &s->quantities[q];
        rbv_json_open(json, quantity->name, "{");
        rbv_json_string(json, "value", quantity->text);
        rbv_json_string(json, "unit", quantity->unit);
        rbv_json_number(json, "count", of->moments.count);
        if (of->moments.count > 0) {
            rbv_json_string(json, "verdict", rbv_verdict_name((RbvVerdict)of->verdict));
            write_statistics(json, s->study, of);
        }
        write_limit(json, quantity, of);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

static void write_run(RbvJson *json, const RbvStudyRunFacts *facts) {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    rbv_json_open(json, "run", "{");
    rbv_json_string(json, "host", host);
    rbv_json_integer(json, "threads", facts->threads);
    rbv_json_number(json, "seconds", facts->seconds);
    rbv_json_close(json, "}");
}

char *rbv_study_json(const RbvStatistics *statistics, const RbvStudyRunFacts *facts) {
    RbvJson json = {.empty = true};
    rbv_text_add(&json.text, "{");
    json.depth = 1;
    rbv_json_string(&json, "roberval", rbv_version());
    write_definition(&json, statistics->study);
    write_counts(&json, statistics);
    write_quantities(&json, statistics);
    write_run(&json, facts);
    rbv_json_close(&json, "}");
    rbv_text_add(&json.text, "\n");
    return rbv_text_take(&json.text);
}
