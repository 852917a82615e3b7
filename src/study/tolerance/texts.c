/* Tolerances as tolerance.json, tolerance.csv and a page of tables. */
#include "model/result/result.h"
#include "output/write/json_text.h"
#include "output/write/table.h"
#include "study/tolerance/tolerances.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PAGE_WIDTH 120

static const char *const kinds[] = {"width", "normal", "uniform"};

/* ---- tolerance.json ---- */

static void write_causes(RbvJson *json, const RbvTolerances *t) {
    rbv_json_open(json, "tolerances", "{");
    for (int32_t c = 0; c < t->cause_count; c++) {
        const RbvCause *cause = &t->causes[c];
        rbv_json_open(json, cause->name, "{");
        rbv_json_string(json, "unit", cause->unit);
        rbv_json_string(json, "kind", kinds[cause->kind]);
        rbv_json_number(json, "nominal", cause->nominal);
        rbv_json_number(json, "width", cause->width);
        rbv_json_number(json, "sigma", cause->sigma);
        rbv_json_bool(json, "unbounded", cause->unbounded);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

static void write_by_cause(RbvJson *json, const RbvTolerances *t, int32_t row) {
    int32_t worst = t->rows[row].worst;
    rbv_json_open(json, "influences", "{");
    for (int32_t c = 0; c < t->cause_count; c++)
        rbv_json_number(json, t->causes[c].name, rbv_tolerances_influence(t, row, worst, c));
    rbv_json_close(json, "}");
    rbv_json_open(json, "shares", "{");
    for (int32_t c = 0; c < t->cause_count; c++)
        rbv_json_number(json, t->causes[c].name, rbv_tolerances_share(t, row, c));
    rbv_json_close(json, "}");
}

static void write_trials(RbvJson *json, const RbvTolerances *t, int32_t row) {
    const RbvSpread *spread = &t->spread[rbv_tolerances_at(t, row, t->rows[row].worst)];
    rbv_json_open(json, "monte_carlo", "{");
    rbv_json_number(json, "mean", spread->mean);
    rbv_json_number(json, "sigma", rbv_tolerances_spread(t, row, t->rows[row].worst));
    rbv_json_number(json, "least", spread->least);
    rbv_json_number(json, "largest", spread->largest);
    rbv_json_bool(json, "differs", rbv_tolerances_differ(t, row));
    rbv_json_close(json, "}");
}

static void write_rows(RbvJson *json, const RbvTolerances *t) {
    rbv_json_open(json, "components", "{");
    for (int32_t r = 0; r < t->row_count; r++) {
        RbvToleranceValue value = rbv_tolerances_value(t, r, t->rows[r].worst);
        rbv_json_open(json, value.name, "{");
        rbv_json_string(json, "unit", value.unit);
        rbv_json_string(json, "verdict", rbv_verdict_name(value.verdict));
        rbv_json_number(json, "at", value.t);
        rbv_json_number(json, "nominal", value.nominal);
        rbv_json_numbers(json, "worst", (double[]){value.least, value.largest}, 2);
        rbv_json_number(json, "sigma", value.sigma);
        if (t->linear && t->rows[r].determined)
            write_by_cause(json, t, r);
        if (t->spread && t->rows[r].determined)
            write_trials(json, t, r);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

/* Components of the same coupled self-stresses that are not determined. */
static void write_unbounded(RbvJson *json, const RbvTolerances *t) {
    rbv_json_open(json, "unbounded", "{");
    for (int32_t c = 0; c < t->cause_count; c++) {
        if (!t->causes[c].unbounded)
            continue;
        rbv_json_open(json, t->causes[c].name, "[");
        for (int32_t r = 0; r < t->row_count; r++)
            if (t->rows[r].cluster == t->causes[c].cluster && !t->rows[r].determined) {
                rbv_json_next(json);
                rbv_json_text(json, t->rows[r].name);
            }
        rbv_json_close(json, "]");
    }
    rbv_json_close(json, "}");
}

char *rbv_tolerances_json(const RbvTolerances *t) {
    RbvJson json = {.empty = true};
    rbv_text_add(&json.text, "{");
    json.depth = 1;
    rbv_json_string(&json, "roberval", rbv_version());
    rbv_json_string(&json, "title", t->title);
    rbv_json_string(&json, "file", t->file);
    rbv_json_string(&json, "analysis", t->analysis);
    rbv_json_number(&json, "coverage", t->coverage);
    rbv_json_bool(&json, "linear", t->linear);
    if (t->spread) {
        rbv_json_number(&json, "trials", (double)t->trials);
        rbv_json_number(&json, "failed", (double)t->failed);
    }
    write_causes(&json, t);
    write_rows(&json, t);
    write_unbounded(&json, t);
    rbv_json_strings(&json, "safe", t->sums, t->sum_count);
    rbv_json_strings(&json, "compliances", t->advice, t->advice_count);
    rbv_json_close(&json, "}");
    rbv_text_add(&json.text, "\n");
    return rbv_text_take(&json.text);
}

/* ---- tolerance.csv ---- */

static void add_number(RbvText *text, double value) {
    rbv_text_put(text, ',');
    if (isfinite(value))
        rbv_text_number(text, value);
}

char *rbv_tolerances_csv(const RbvTolerances *t) {
    static const char *const parts[] = {"nominal", "least", "largest", "sigma"};
    RbvText text = {0};
    rbv_text_add(&text, "time [s]");
    for (int32_t r = 0; r < t->row_count; r++)
        for (int k = 0; k < 4; k++)
            rbv_text_format(&text, *t->rows[r].unit ? ",%s.%s [%s]" : ",%s.%s", t->rows[r].name, parts[k],
                            t->rows[r].unit);
    rbv_text_add(&text, "\n");
    for (int32_t s = 0; s < t->sample_count; s++) {
        rbv_text_number(&text, t->t[s]);
        for (int32_t r = 0; r < t->row_count; r++) {
            RbvToleranceValue value = rbv_tolerances_value(t, r, s);
            add_number(&text, value.nominal);
            add_number(&text, value.least);
            add_number(&text, value.largest);
            add_number(&text, value.sigma);
        }
        rbv_text_add(&text, "\n");
    }
    return rbv_text_take(&text);
}

/* ---- the page ---- */

/* "top.z 100 %": causes by their shares of the variance; or why there are none. */
static void describe(const RbvTolerances *t, int32_t row, char *text, size_t size) {
    const RbvAffected *of = &t->rows[row];
    text[0] = '\0';
    if (!of->determined) {
        snprintf(text, size, "%s", rbv_verdict_name(of->verdict));
        return;
    }
    if (rbv_tolerances_open(t, row)) {
        snprintf(text, size, "%s is unbounded", rbv_tolerances_open(t, row));
        return;
    }
    if (!t->linear)
        return;
    int32_t told[4];
    for (int32_t n = 0; n < 4; n++) {
        int32_t best = -1;
        for (int32_t c = 0; c < t->cause_count; c++) {
            bool more = best < 0 || rbv_tolerances_share(t, row, c) > rbv_tolerances_share(t, row, best);
            for (int32_t k = 0; k < n; k++)
                more = more && told[k] != c;
            if (more && 100 * rbv_tolerances_share(t, row, c) >= 0.5)
                best = c;
        }
        size_t used = strlen(text);
        told[n] = best;
        if (best >= 0)
            snprintf(text + used, size - used, "%s%s %.0f %%", used ? ", " : "", t->causes[best].name,
                     100 * rbv_tolerances_share(t, row, best));
    }
    if (!*text)
        snprintf(text, size, of->verdict == RBV_UNIQUE ? "nothing reaches it: unique" : "nothing reaches it");
}

static void print_rows(RbvText *text, const RbvTolerances *t) {
    RbvPageTable table = {0};
    bool times = t->sample_count > 1;
    rbv_table_column(&table, "component", RBV_TABLE_WORD);
    rbv_table_column(&table, "unit", RBV_TABLE_WORD);
    rbv_table_column(&table, "nominal", RBV_TABLE_NUMBER);
    rbv_table_column(&table, "worst", RBV_TABLE_NUMBER);
    rbv_table_column(&table, "case", RBV_TABLE_NUMBER);
    rbv_table_column(&table, "sigma", RBV_TABLE_NUMBER);
    if (t->spread && t->linear)
        rbv_table_column(&table, "Monte Carlo", RBV_TABLE_NUMBER);
    if (times)
        rbv_table_column(&table, "at t [s]", RBV_TABLE_SPARE);
    rbv_table_column(&table, "from", RBV_TABLE_WORD);
    for (int32_t r = 0; r < t->row_count; r++) {
        RbvToleranceValue value = rbv_tolerances_value(t, r, t->rows[r].worst);
        char from[400];
        describe(t, r, from, sizeof from);
        rbv_table_word(&table, value.name);
        rbv_table_word(&table, value.unit);
        rbv_table_number(&table, value.nominal);
        rbv_table_number(&table, value.least);
        if (isfinite(value.least))
            rbv_table_bracket(&table, true, false);
        rbv_table_number(&table, value.largest);
        if (isfinite(value.largest))
            rbv_table_bracket(&table, false, true);
        rbv_table_number(&table, value.sigma);
        if (t->spread && t->linear)
            rbv_table_number(&table, t->rows[r].determined ? rbv_tolerances_spread(t, r, t->rows[r].worst) : NAN);
        if (times)
            rbv_table_number(&table, value.t);
        rbv_table_word(&table, from);
    }
    rbv_table_print(&table, text, PAGE_WIDTH);
}

static void print_unbounded(RbvText *text, const RbvTolerances *t) {
    for (int32_t c = 0; c < t->cause_count; c++) {
        bool first = true;
        if (!t->causes[c].unbounded)
            continue;
        rbv_text_format(text, "%s stresses a loop without compliance; unbounded:", t->causes[c].name);
        for (int32_t r = 0; r < t->row_count; r++)
            if (t->rows[r].cluster == t->causes[c].cluster && !t->rows[r].determined) {
                rbv_text_format(text, first ? " %s" : ", %s", t->rows[r].name);
                first = false;
            }
        rbv_text_add(text, "\n");
    }
    for (int32_t k = 0; k < t->advice_count; k++)
        rbv_text_format(text, "compliances that would make them finite: %s\n", t->advice[k]);
    for (int32_t k = 0; k < t->sum_count; k++)
        rbv_text_format(text, "no misfit reaches %s\n", t->sums[k]);
}

static void print_differences(RbvText *text, const RbvTolerances *t) {
    if (t->spread)
        rbv_text_format(text, "Monte Carlo: standard deviations of %lld samples of the whole nonlinear model\n",
                        (long long)t->trials);
    for (int32_t r = 0; t->spread && r < t->row_count; r++)
        if (t->rows[r].determined && rbv_tolerances_differ(t, r))
            rbv_text_format(text, "%s is not linear within its tolerances: mean %.6g, standard deviation %.6g\n",
                            t->rows[r].name, t->spread[rbv_tolerances_at(t, r, t->rows[r].worst)].mean,
                            rbv_tolerances_spread(t, r, t->rows[r].worst));
}

char *rbv_tolerances_page(const RbvTolerances *t) {
    RbvText text = {0};
    int misfits = 0;
    for (int32_t c = 0; c < t->cause_count; c++)
        misfits += t->causes[c].joint >= 0;
    int others = t->cause_count - misfits;
    rbv_text_format(&text, "tolerance: %s; %d misfit%s, ", *t->title ? t->title : t->file, misfits,
                    rbv_plural(misfits));
    if (others > 0)
        rbv_text_format(&text, "%d parameter%s, ", others, rbv_plural(others));
    rbv_text_format(&text, "%s\n", t->analysis);
    print_rows(&text, t);
    rbv_text_add(&text, "\n");
    print_unbounded(&text, t);
    print_differences(&text, t);
    return rbv_text_take(&text);
}

char *rbv_tolerances_text(const RbvTolerances *t, RbvTextForm form) {
    if (!t)
        return NULL;
    switch (form) {
    case RBV_TEXT_JSON: return rbv_tolerances_json(t);
    case RBV_TEXT_SERIES: return rbv_tolerances_csv(t);
    case RBV_TEXT_TABLES: return rbv_tolerances_page(t);
    case RBV_TEXT_SCENE: break;
    }
    return NULL;
}
