/* Drives, outputs, reactions, constraints and loads: one line for each column. */
#include "output/write/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* With more components of reactions than this, the page shows only the resultant of each joint, unless components are
 * requested. */
#define MOST_COMPONENTS 30

typedef enum Content { VERDICTS, VALUES, EXTREMES } Content;

static Content content_of(const RbvResult *result) {
    return result->sample_count == 0 ? VERDICTS : result->sample_count == 1 ? VALUES : EXTREMES;
}

typedef struct Lines {
    RbvPage *page;
    RbvTable table;
    Content content;
    bool verdicts;
    char at[60]; /* "at [s]" */
} Lines;

static void start(Lines *lines, RbvPage *page, const char *title, bool verdicts) {
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

static void finish(Lines *lines) {
    rbv_table_print(&lines->table, &lines->page->text, lines->page->view.width);
}

/* First value, and extremes with their times; of a constant column one value only. A column that is not unique has a
 * range of equally valid values, in brackets, and no times. */
static void extremes(Lines *lines, int32_t c, bool open) {
    RbvTable *table = &lines->table;
    bool constant;
    RbvSummary s = rbv_page_summary(lines->page, c, &constant);
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
static void line(Lines *lines, const char *name, int32_t c, const RbvVerdict *verdict) {
    bool constant;
    RbvShownUnit unit = rbv_page_unit(lines->page, c);
    rbv_table_word(&lines->table, name);
    rbv_table_word(&lines->table, unit.text);
    if (lines->content == VALUES)
        rbv_table_number(&lines->table, rbv_page_summary(lines->page, c, &constant).first / unit.factor);
    if (lines->content == EXTREMES)
        extremes(lines, c, verdict && *verdict == RBV_NOT_UNIQUE);
    if (lines->verdicts)
        rbv_table_word(&lines->table, verdict ? rbv_verdict_name(*verdict) : "");
}

static bool is_open(const RbvPage *page, int32_t c) {
    const RbvColumn *column = &page->result->columns[c];
    return !(column->has_verdict && column->verdict == RBV_FREE) && rbv_view_shows(&page->view, column->name);
}

static void list(RbvPage *page, const RbvList *entries, const char *title, bool verdicts) {
    Lines lines;
    start(&lines, page, title, verdicts);
    for (int32_t k = 0; k < entries->count; k++)
        for (int32_t c = entries->items[k].first;
             !entries->items[k].aside && c < entries->items[k].first + entries->items[k].count; c++)
            if (is_open(page, c))
                line(&lines, page->result->columns[c].name, c,
                     page->result->columns[c].has_verdict ? &page->result->columns[c].verdict : NULL);
    finish(&lines);
}

/* Resultant force of each joint, by which bearings are sized. A joint without force components has none. */
static void resultants(RbvPage *page) {
    const RbvResult *result = page->result;
    Lines lines;
    start(&lines, page, "force of the joint", true);
    for (int32_t k = 0; k < result->joints.count; k++) {
        const RbvEntry *entry = &result->joints.items[k];
        RbvVerdict worst = RBV_FREE;
        for (int32_t c = entry->first; c < entry->first + entry->components; c++)
            if (result->columns[c].unit[1] == '\0' && result->columns[c].verdict > worst) /* N, not N.m */
                worst = result->columns[c].verdict;
        char name[RBV_NAME_SIZE];
        snprintf(name, sizeof name, "%s |F|", entry->name);
        if (worst != RBV_FREE && !entry->aside && entry->resultant >= 0 && rbv_view_shows(&page->view, entry->name))
            line(&lines, name, entry->resultant, &worst);
    }
    finish(&lines);
}

static void reactions(RbvPage *page) {
    const RbvResult *result = page->result;
    const RbvList *joints = &result->joints;
    if (result->sample_count > 0)
        resultants(page);
    int32_t count = 0;
    for (int32_t k = 0; k < joints->count; k++)
        for (int32_t c = joints->items[k].first;
             !joints->items[k].aside && c < joints->items[k].first + joints->items[k].count; c++)
            count += is_open(page, c);
    if (result->sample_count == 0 || count <= MOST_COMPONENTS || page->view.only_count > 0)
        list(page, joints, "reaction on the second", true);
    else
        rbv_text_format(&page->text,
                        "%d components of reactions: --only %s shows those of a joint, series.csv holds all\n",
                        (int)count, joints->items[0].name);
}

void rbv_page_outputs(RbvPage *page) {
    list(page, &page->result->outputs, "output", page->result->joints.items != NULL);
}

void rbv_page_columns(RbvPage *page) {
    const RbvResult *result = page->result;
    list(page, &result->drives, "drive", true);
    if (result->sample_count > 0)
        rbv_page_outputs(page);
    reactions(page);
    list(page, &result->constraints, "constraint", true);
    list(page, &result->stops, "stop", true);
    if (result->sample_count > 0)
        list(page, &result->loads, "load", false);
    if (result->residuals.count > 0)
        list(page, &result->residuals, "left over of forces", false);
    if (result->sample_count > 1 || !result->natural.shown)
        list(page, &result->rigid_rows, "rigid row", true);
}

void rbv_page_kinematics(RbvPage *page) {
    const RbvResult *result = page->result;
    int32_t first_output = result->column_count - result->outputs.count;
    Lines lines;
    rbv_page_outputs(page);
    start(&lines, page, "series", false);
    for (int32_t c = 1; c < first_output; c++)
        if (is_open(page, c))
            line(&lines, result->columns[c].name, c, NULL);
    finish(&lines);
}
