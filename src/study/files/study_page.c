/* The page of a study for a terminal: how it went, and each quantity with its extremes and where they are. */
#include "model/result/result.h"
#include "output/write/table.h"
#include "study/files/study_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHOWN 4 /* parameters in the columns of the table */
#define PAGE_WIDTH 120

/* "2 failed (exit 1: locked)". */
static void add_failures(RbvText *text, const RbvStatistics *s) {
    if (s->failed == 0)
        return;
    rbv_text_format(text, ", %" PRId64 " failed (exit 1:", s->failed);
    bool first = true;
    for (int k = RBV_OK + 1; k <= RBV_NOT_WRITABLE; k++) {
        if (s->by_status[k] == 0)
            continue;
        rbv_text_add(text, first ? " " : ", ");
        if (s->by_status[k] != s->failed)
            rbv_text_format(text, "%" PRId64 " ", s->by_status[k]);
        rbv_text_add(text, rbv_study_status((RbvStatus)k));
        first = false;
    }
    rbv_text_add(text, ")");
}

static bool has_limits(const RbvStudy *study) {
    for (int32_t q = 0; q < study->quantity_count; q++)
        if (study->quantities[q].limit != RBV_LIMIT_NONE)
            return true;
    return false;
}

static void add_extreme(RbvPageTable *table, const RbvStatistics *s, const RbvExtreme *extreme, bool any) {
    double values[256];
    int32_t shown = s->study->parameter_count < SHOWN ? s->study->parameter_count : SHOWN;
    bool has = any && s->study->parameter_count <= 256 && rbv_study_values(s->study, extreme->variant, values);
    rbv_table_number(table, any ? extreme->value : NAN);
    for (int32_t p = 0; p < shown; p++)
        rbv_table_number(table, has ? values[p] : NAN);
}

static void print_table(RbvText *text, const RbvStatistics *s) {
    const RbvStudy *study = s->study;
    RbvPageTable table = {0};
    char heads[2][SHOWN][100];
    int32_t shown = study->parameter_count < SHOWN ? study->parameter_count : SHOWN;
    rbv_table_column(&table, "quantity", RBV_TABLE_WORD);
    rbv_table_column(&table, "unit", RBV_TABLE_WORD);
    for (int side = 0; side < 2; side++) {
        rbv_table_column(&table, side ? "largest" : "least", RBV_TABLE_NUMBER);
        for (int32_t p = 0; p < shown; p++) {
            const RbvStudyParameter *of = &study->parameters[p];
            const char *form = *of->unit ? "%s%.40s [%.30s]" : "%s%.40s";
            snprintf(heads[side][p], sizeof heads[side][p], form, p ? "" : "at ", of->name, of->unit);
            rbv_table_column(&table, heads[side][p], RBV_TABLE_SPARE);
        }
    }
    bool random = study->design.kind != RBV_DESIGN_GRID;
    if (random) {
        rbv_table_column(&table, "mean", RBV_TABLE_NUMBER);
        rbv_table_column(&table, "sigma", RBV_TABLE_NUMBER);
    }
    rbv_table_column(&table, "verdict", RBV_TABLE_WORD);
    for (int32_t q = 0; q < study->quantity_count; q++) {
        const RbvQuantityStatistics *of = &s->quantities[q];
        bool any = of->moments.count > 0;
        rbv_table_word(&table, study->quantities[q].name);
        rbv_table_word(&table, study->quantities[q].unit);
        add_extreme(&table, s, &of->least, any);
        add_extreme(&table, s, &of->largest, any);
        if (random) {
            rbv_table_number(&table, any ? of->moments.mean : NAN);
            rbv_table_number(&table, rbv_moments_sigma(&of->moments));
        }
        rbv_table_word(&table, any ? rbv_verdict_name((RbvVerdict)of->verdict) : "no value");
    }
    rbv_table_print(&table, text, PAGE_WIDTH);
}

static void print_limits(RbvText *text, const RbvStatistics *s) {
    for (int32_t q = 0; q < s->study->quantity_count; q++) {
        const RbvStudyQuantity *quantity = &s->study->quantities[q];
        if (quantity->limit != RBV_LIMIT_NONE)
            rbv_text_format(text, "%s %s: %" PRId64 " of %.0f variants are over the limit\n", quantity->name,
                            quantity->limit_text, s->quantities[q].over, s->quantities[q].moments.count);
    }
}

char *rbv_study_page(const RbvStatistics *s) {
    RbvText text = {0};
    const RbvStudy *study = s->study;
    const char *slash = strrchr(study->model_path, '/');
    rbv_text_format(&text, "study: %s by %s, %" PRId64 " variant%s of %d parameter%s: %" PRId64 " done",
                    slash ? slash + 1 : study->model_path, study->analysis, study->design.count,
                    rbv_plural(study->design.count), (int)study->parameter_count, rbv_plural(study->parameter_count),
                    s->done);
    add_failures(&text, s);
    if (has_limits(study))
        rbv_text_format(&text, ", %" PRId64 " over a limit", s->over);
    rbv_text_add(&text, "\n");
    print_table(&text, s);
    rbv_text_add(&text, has_limits(study) ? "\n" : "");
    print_limits(&text, s);
    return rbv_text_take(&text);
}
