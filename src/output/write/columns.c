/* The columns of a result, as members of result.json and as tables: drives, reactions, constraints, stops, loads,
 * outputs.
 *
 * A page rounds numbers: 0 where a value is within rounding (scales.h), and no digit beyond the column's error if that
 * is known. result.json and series.csv keep the computed values. */
#include "core/base/diagnostics.h"
#include "model/result/result.h"
#include "output/write/sections.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Members of result.json. */

static void write_extremes(RbvJson *json, const RbvResult *result, int32_t column) {
    RbvSummary s = rbv_result_summary(result, column);
    rbv_json_number(json, "first", s.first);
    rbv_json_number(json, "min", s.min);
    rbv_json_number(json, "max", s.max);
    rbv_json_number(json, "at_min", s.at_min);
    rbv_json_number(json, "at_max", s.at_max);
}

/* "joint.Fx" -> "Fx" */
static const char *component_name(const RbvResult *result, int32_t column) {
    const char *dot = strchr(result->columns[column].name, '.');
    return dot ? dot + 1 : result->columns[column].name;
}

static void write_range(RbvJson *json, const RbvResult *result, int32_t column) {
    const double *range = rbv_result_range(result, column);
    if (!range)
        return;
    rbv_json_number(json, "range_min", range[0]);
    rbv_json_number(json, "range_max", range[1]);
}

/* Bound of the rounding error of the column at the worst sample, in its unit; nothing without samples. */
static void write_error(RbvJson *json, const RbvResult *result, int32_t column) {
    if (result->sample_count > 0 && result->columns[column].has_error)
        rbv_json_number(json, "error", result->columns[column].error);
}

static void write_component(RbvJson *json, const RbvResult *result, int32_t column) {
    rbv_json_open(json, component_name(result, column), "{");
    rbv_json_string(json, "unit", result->columns[column].unit);
    rbv_json_string(json, "verdict", rbv_verdict_name(result->columns[column].verdict));
    write_extremes(json, result, column);
    write_error(json, result, column);
    write_range(json, result, column);
    rbv_json_close(json, "}");
}

/* Extremes of the resultant force; null if column < 0: with only some components requested, the resultant of a part
 * would pass for that of the whole joint. */
static void write_resultant(RbvJson *json, const RbvResult *result, int32_t column) {
    static const char *const names[] = {"first", "min", "max", "at_min", "at_max"};
    if (column >= 0) {
        write_extremes(json, result, column);
        return;
    }
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        rbv_json_number(json, names[k], NAN);
}

void rbv_json_reactions(RbvJson *json, const RbvResult *result) {
    rbv_json_open(json, "reactions", "{");
    for (int32_t k = 0; k < result->joints.count; k++) {
        const RbvEntry *entry = &result->joints.items[k];
        if (entry->aside || entry->count == 0) /* not requested */
            continue;
        rbv_json_open(json, entry->name, "{");
        rbv_json_string(json, "type", entry->kind);
        rbv_json_string(json, "on", entry->on);
        rbv_json_string(json, "by", entry->by);
        rbv_json_string(json, "verdict", rbv_verdict_name(rbv_result_entry_verdict(result, entry)));
        rbv_json_open(json, "resultant", "{");
        rbv_json_string(json, "unit", "N");
        write_resultant(json, result, entry->resultant);
        rbv_json_close(json, "}");
        rbv_json_open(json, "components", "{");
        for (int32_t c = entry->first; c < entry->first + entry->count; c++)
            write_component(json, result, c);
        rbv_json_close(json, "}");
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

void rbv_json_drives(RbvJson *json, const RbvResult *result) {
    int32_t count = result->drives.count, *columns = calloc((size_t)count + 1, sizeof *columns);
    double *rms = calloc((size_t)count + 1, sizeof *rms);
    for (int32_t k = 0; columns && k < count; k++)
        columns[k] = result->drives.items[k].first;
    if (!columns || !rms || !rbv_result_rms(result, columns, count, rms))
        json->text.no_memory = true;
    rbv_json_open(json, "drives", "{");
    for (int32_t k = 0; !json->text.no_memory && k < result->drives.count; k++) {
        const RbvEntry *entry = &result->drives.items[k];
        if (entry->aside)
            continue;
        rbv_json_open(json, entry->name, "{");
        rbv_json_string(json, "unit", result->columns[entry->first].unit);
        rbv_json_string(json, "verdict", rbv_verdict_name(result->columns[entry->first].verdict));
        write_extremes(json, result, entry->first);
        write_error(json, result, entry->first);
        write_range(json, result, entry->first);
        rbv_json_number(json, "rms", rms[k]);
        rbv_json_number(json, "peak_power", rbv_result_summary(result, entry->power).peak);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
    free(columns);
    free(rms);
}

void rbv_json_entries(RbvJson *json, const RbvResult *result, const char *name, const RbvList *list, bool verdicts) {
    rbv_json_open(json, name, "{");
    for (int32_t k = 0; k < list->count; k++) {
        const RbvEntry *entry = &list->items[k];
        if (entry->aside || (entry->count == 0 && list == &result->constraints))
            continue;
        rbv_json_open(json, entry->name, "{");
        if (*entry->kind)
            rbv_json_string(json, "type", entry->kind);
        for (int32_t c = entry->first; c < entry->first + entry->count; c++) {
            if (entry->count > 1) {
                write_component(json, result, c);
                continue;
            }
            rbv_json_string(json, "unit", result->columns[c].unit);
            if (verdicts || result->columns[c].has_verdict)
                rbv_json_string(json, "verdict", rbv_verdict_name(result->columns[c].verdict));
            write_extremes(json, result, c);
            write_error(json, result, c);
        }
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

/* Numbers of a page. */

/* A column is constant if it varies by less than this part of its largest magnitude. */
#define CONSTANT 1e-12

double rbv_page_figure(const RbvPage *page, const char *si, double value) {
    return fabs(value) <= rbv_scales_rounding(&page->scales, si) ? 0 : value;
}

typedef struct Sieve {
    double floor; /* smaller magnitudes are shown as 0 */
    double last;  /* decimal place of the error; 0: all digits */
} Sieve;

static double rounded_by(const Sieve *sieve, double value) {
    if (fabs(value) <= sieve->floor)
        return 0;
    return sieve->last > 0 ? sieve->last * round(value / sieve->last) : value;
}

/* Summary of a column as the page shows it, in SI units. *constant: the column stays at its first value. */
static RbvSummary shown_summary(const RbvPage *page, int32_t column, bool *constant) {
    const RbvResult *result = page->result;
    const RbvColumn *of = &result->columns[column];
    RbvSummary s = rbv_result_summary(result, column);
    double rounding = fmax(rbv_scales_rounding_of(&page->scales, of), RBV_ROUNDING * s.peak),
           error = of->has_error && isfinite(of->error) ? of->error : 0;
    Sieve sieve = {fmax(rounding, error), error > rounding ? pow(10, floor(log10(error))) : 0};
    *constant = !(s.max - s.min > fmax(sieve.floor, CONSTANT * s.peak)); /* also true for NaN */
    s.first = rounded_by(&sieve, s.first);
    s.min = rounded_by(&sieve, s.min);
    s.max = rounded_by(&sieve, s.max);
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
    return rbv_page_si(page, result->columns[column].unit);
}

/* Tables: one line for each column. */

/* With more components of reactions than this, the page shows only the resultant of each joint, unless components are
 * requested. */
#define MOST_COMPONENTS 30

typedef enum Content { VERDICTS, VALUES, EXTREMES } Content;

static Content content_of(const RbvResult *result) {
    if (result->sample_count == 0)
        return VERDICTS;
    return result->sample_count == 1 ? VALUES : EXTREMES;
}

typedef struct Lines {
    RbvPage *page;
    RbvPageTable table;
    Content content;
    bool verdicts;
    char at[60]; /* "at [s]" */
} Lines;

static void start_lines(Lines *lines, RbvPage *page, const char *title, bool verdicts) {
    RbvShownUnit along = rbv_page_unit(page, 0);
    *lines = (Lines){.page = page, .content = content_of(page->result), .verdicts = verdicts};
    snprintf(lines->at, sizeof lines->at, *along.text ? "at [%.40s]" : "at", along.text);
    rbv_table_column(&lines->table, title, RBV_TABLE_WORD);
    rbv_table_column(&lines->table, "unit", RBV_TABLE_WORD);
    if (lines->content == VALUES)
        rbv_table_column(&lines->table, "value", RBV_TABLE_NUMBER);
    if (lines->content == EXTREMES) {
        rbv_table_column(&lines->table, "first", RBV_TABLE_SPARE);
        rbv_table_column(&lines->table, "min", RBV_TABLE_NUMBER);
        rbv_table_column(&lines->table, lines->at, RBV_TABLE_DETAIL);
        rbv_table_column(&lines->table, "max", RBV_TABLE_NUMBER);
        rbv_table_column(&lines->table, lines->at, RBV_TABLE_DETAIL);
    }
    if (verdicts)
        rbv_table_column(&lines->table, "verdict", RBV_TABLE_WORD);
}

static void finish_lines(Lines *lines) {
    rbv_table_print(&lines->table, &lines->page->text, lines->page->view.width);
}

/* First value, and extremes with their times; of a constant column one value only. A column that is not unique has a
 * range of equally valid values, in brackets, and no times. */
static void print_extremes(Lines *lines, int32_t c, bool open) {
    RbvPageTable *table = &lines->table;
    bool constant;
    RbvSummary s = shown_summary(lines->page, c, &constant);
    double unit = rbv_page_unit(lines->page, c).factor, along = rbv_page_unit(lines->page, 0).factor;
    rbv_table_number(table, s.first / unit);
    rbv_table_bracket(table, open, open);
    if (constant)
        table->kinds[table->columns - (lines->verdicts ? 6 : 5)] =
            RBV_TABLE_NUMBER; /* the first value is the only one */
    for (int most = 0; most < 2; most++) {
        if (constant)
            rbv_table_word(table, "");
        else
            rbv_table_number(table, (most ? s.max : s.min) / unit);
        if (open && !constant)
            rbv_table_bracket(table, !most, most);
        if (constant || open)
            rbv_table_word(table, "");
        else
            rbv_table_number(table, (most ? s.at_max : s.at_min) / along);
    }
}

/* One line: column c with this name and verdict; NULL: no verdict. */
static void print_column_line(Lines *lines, const char *name, int32_t c, const RbvVerdict *verdict) {
    bool constant;
    RbvShownUnit unit = rbv_page_unit(lines->page, c);
    rbv_table_word(&lines->table, name);
    rbv_table_word(&lines->table, unit.text);
    if (lines->content == VALUES)
        rbv_table_number(&lines->table, shown_summary(lines->page, c, &constant).first / unit.factor);
    if (lines->content == EXTREMES)
        print_extremes(lines, c, verdict && *verdict == RBV_NOT_UNIQUE);
    if (lines->verdicts)
        rbv_table_word(&lines->table, verdict ? rbv_verdict_name(*verdict) : "");
}

static bool is_column_shown(const RbvPage *page, int32_t c) {
    const RbvColumn *column = &page->result->columns[c];
    return !(column->has_verdict && column->verdict == RBV_FREE) && rbv_view_shows(&page->view, column->name);
}

static void print_list(RbvPage *page, const RbvList *entries, const char *title, bool verdicts) {
    Lines lines;
    start_lines(&lines, page, title, verdicts);
    for (int32_t k = 0; k < entries->count; k++)
        for (int32_t c = entries->items[k].first;
             !entries->items[k].aside && c < entries->items[k].first + entries->items[k].count; c++)
            if (is_column_shown(page, c))
                print_column_line(&lines, page->result->columns[c].name, c,
                                  page->result->columns[c].has_verdict ? &page->result->columns[c].verdict : NULL);
    finish_lines(&lines);
}

/* Resultant force of each joint, by which bearings are sized. A joint without force components has none. */
static void print_resultants(RbvPage *page) {
    const RbvResult *result = page->result;
    Lines lines;
    start_lines(&lines, page, "force of the joint", true);
    for (int32_t k = 0; k < result->joints.count; k++) {
        const RbvEntry *entry = &result->joints.items[k];
        RbvVerdict worst = RBV_FREE;
        for (int32_t c = entry->first; c < entry->first + entry->components; c++)
            if (result->columns[c].unit[1] == '\0' && result->columns[c].verdict > worst) /* N, not N.m */
                worst = result->columns[c].verdict;
        char name[RBV_NAME_SIZE];
        snprintf(name, sizeof name, "%s |F|", entry->name);
        if (worst != RBV_FREE && !entry->aside && entry->resultant >= 0 && rbv_view_shows(&page->view, entry->name))
            print_column_line(&lines, name, entry->resultant, &worst);
    }
    finish_lines(&lines);
}

static void print_reactions(RbvPage *page) {
    const RbvResult *result = page->result;
    const RbvList *joints = &result->joints;
    if (result->sample_count > 0)
        print_resultants(page);
    int32_t count = 0;
    for (int32_t k = 0; k < joints->count; k++)
        for (int32_t c = joints->items[k].first;
             !joints->items[k].aside && c < joints->items[k].first + joints->items[k].count; c++)
            count += is_column_shown(page, c);
    if (result->sample_count == 0 || count <= MOST_COMPONENTS || page->view.only_count > 0)
        print_list(page, joints, "reaction on the second", true);
    else {
        char only[RBV_NAME_SIZE];
        rbv_spell(result->speller, RBV_OPTION_VIEW_ONLY, only, sizeof only);
        rbv_text_format(&page->text, "%d components of reactions: %s %s shows those of a joint, series.csv holds all\n",
                        (int)count, only, joints->items[0].name);
    }
}

void rbv_page_outputs(RbvPage *page) {
    print_list(page, &page->result->outputs, "output", page->result->joints.items != NULL);
}

void rbv_page_columns(RbvPage *page) {
    const RbvResult *result = page->result;
    print_list(page, &result->drives, "drive", true);
    if (result->sample_count > 0)
        rbv_page_outputs(page);
    print_reactions(page);
    print_list(page, &result->constraints, "constraint", true);
    print_list(page, &result->stops, "stop", true);
    if (result->sample_count > 0)
        print_list(page, &result->loads, "load", false);
    if (result->residuals.count > 0)
        print_list(page, &result->residuals, "left over of forces", false);
    if (result->sample_count > 1 || !result->natural.shown)
        print_list(page, &result->rigid_rows, "rigid row", true);
}

void rbv_page_kinematics(RbvPage *page) {
    const RbvResult *result = page->result;
    int32_t first_output = result->column_count - result->outputs.count;
    Lines lines;
    rbv_page_outputs(page);
    start_lines(&lines, page, "series", false);
    for (int32_t c = 1; c < first_output; c++)
        if (is_column_shown(page, c))
            print_column_line(&lines, result->columns[c].name, c, NULL);
    finish_lines(&lines);
}
