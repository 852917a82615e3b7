/* Draws columns as curves: one panel for each unit, one horizontal axis below all panels. */
#include <roberval/draw.h>

#include "core/base/diagnostics.h"
#include "model/result/result.h"
#include "output/draw/pen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* [px] */
#define SHEET_WIDTH 760
#define PANEL 190
#define LEFT 78
#define RIGHT 20
#define TOP 48
#define GAP 34
#define BOTTOM 44
#define LABEL_LETTER 7.3 /* average width of a letter of a label */
#define THICK 1.7
#define THIN 0.6

#define DEGREES 57.29577951308232
#define ANGLE_ROUNDING 1e-9 /* [deg] */

/* Colours of curves, used again from the first after the last. All can be distinguished, from a set that people who do
 * not distinguish red and green can distinguish. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#7d4a9c", "#8a6d00", "#56b4e9"};
#define COLOURS 6

typedef struct Axis {
    const RbvResult *result;
    int32_t column;
    double factor;     /* SI value of the unit */
    double low, high;  /* limits, in the unit */
    double from, over; /* px = from + (value - low) * over */
} Axis;

typedef struct Sheet {
    RbvPen pen;
    const RbvResult *result;
    RbvView view;
    double width;
    Axis x;
    int32_t unstable; /* column that is > 0 at unstable equilibria of a followed path; -1: none */
    int32_t *columns, count;
} Sheet;

/* Unit in which a column is drawn: degrees for rad unless the view has the model's units. */
static RbvShownUnit unit_of(const Sheet *sheet, int32_t column) {
    RbvShownUnit unit = rbv_series_unit(&sheet->view, sheet->result, column);
    if (!sheet->view.model_units && strcmp(unit.text, "rad") == 0)
        return (RbvShownUnit){"deg", 1 / DEGREES};
    return unit;
}

static double value_at(const Sheet *sheet, const Axis *axis, int32_t sample) {
    return rbv_result_value(sheet->result, sample, axis->column) / axis->factor;
}

static void take_range(const Sheet *sheet, Axis *axis) {
    for (int32_t s = 0; s < sheet->result->sample_count; s++) {
        double value = value_at(sheet, axis, s);
        axis->low = fmin(axis->low, value); /* fmin and fmax ignore a NaN */
        axis->high = fmax(axis->high, value);
    }
}

/* Is the line from sample s to the next one between stable equilibria? Always true if no parameter was followed. */
static bool is_firm(const Sheet *sheet, int32_t s) {
    if (sheet->unstable < 0)
        return true;
    return !(rbv_result_value(sheet->result, s, sheet->unstable) > 0) &&
           !(rbv_result_value(sheet->result, s + 1, sheet->unstable) > 0);
}

/* Draws the lines between samples that are all stable (firm), or all not. Points within a tenth of a px are drawn as
 * one. Returns whether a path was begun. */
static bool trace_column(Sheet *sheet, const Axis *y, bool firm) {
    bool down = false, any = false;
    double at[2] = {NAN, NAN};
    for (int32_t s = 0; s + 1 < sheet->result->sample_count; s++) {
        double p[2], q[2];
        p[0] = sheet->x.from + (value_at(sheet, &sheet->x, s) - sheet->x.low) * sheet->x.over;
        p[1] = y->from + (value_at(sheet, y, s) - y->low) * y->over;
        q[0] = sheet->x.from + (value_at(sheet, &sheet->x, s + 1) - sheet->x.low) * sheet->x.over;
        q[1] = y->from + (value_at(sheet, y, s + 1) - y->low) * y->over;
        if (!isfinite(p[0] + p[1] + q[0] + q[1]) || is_firm(sheet, s) != firm) {
            down = false;
            continue;
        }
        if (!any)
            rbv_pen_path_begin(&sheet->pen);
        if (!down)
            rbv_pen_path_to(&sheet->pen, p[0], p[1], true);
        if (!down || fabs(q[0] - at[0]) >= 0.1 || fabs(q[1] - at[1]) >= 0.1) {
            rbv_pen_path_to(&sheet->pen, q[0], q[1], false);
            at[0] = q[0], at[1] = q[1];
        }
        down = any = true;
    }
    return any;
}

static void draw_curve(Sheet *sheet, const Axis *y, const char *colour, RbvDash dash) {
    if (trace_column(sheet, y, true))
        rbv_pen_path_end(&sheet->pen, &(RbvInk){.stroke = colour, .width = THICK, .dash = dash});
    if (trace_column(sheet, y, false))
        rbv_pen_path_end(&sheet->pen, &(RbvInk){.stroke = colour, .width = THIN, .dash = dash});
    if (sheet->result->sample_count == 1)
        rbv_pen_circle(&sheet->pen, sheet->x.from + (value_at(sheet, &sheet->x, 0) - sheet->x.low) * sheet->x.over,
                       y->from + (value_at(sheet, y, 0) - y->low) * y->over, 3, &(RbvInk){.fill = colour});
}

static RbvDash dash_of(const RbvColumn *column) {
    static const RbvDash dashes[] = {RBV_DASH_NONE, RBV_DASH_NONE, RBV_DASH_DOT, RBV_DASH_POINTS, RBV_DASH_LONG};
    return column->has_verdict ? dashes[column->verdict] : RBV_DASH_NONE;
}

/* Draws the label above the panel: a piece of the line, the name, and the verdict unless it is unique. */
static void draw_label(Sheet *sheet, const RbvColumn *column, const char *colour, double *x, double y) {
    RbvText words = {0};
    RbvDash dash = dash_of(column);
    rbv_text_add(&words, column->name);
    if (dash)
        rbv_text_format(&words, " (%s)", rbv_verdict_name(column->verdict));
    double length = LABEL_LETTER * (double)words.length;
    rbv_pen_lines(&sheet->pen, 2, (const double[][2]){{*x, y - 4}, {*x + 22, y - 4}}, false,
                  &(RbvInk){.stroke = colour, .width = 2, .dash = dash});
    rbv_pen_text(&sheet->pen, *x + 27, y, words.data ? words.data : "", &(RbvLettering){.size = 12});
    sheet->pen.text.no_memory = sheet->pen.text.no_memory || words.no_memory;
    *x += 48 + length;
    rbv_text_clear(&words);
}

/* Extends the axis to zero if that costs little space: the reader of a force wants to see how large it is. An angle
 * that varies by rounding only is drawn as constant. */
static void widen_axis(Axis *y, bool angle) {
    if (angle && y->high - y->low < ANGLE_ROUNDING)
        y->low = fmin(y->low, -1), y->high = fmax(y->high, 1);
    if (!(y->low <= y->high))
        y->low = y->high = 0;
    if (y->low > 0 && y->low < 0.4 * y->high)
        y->low = 0;
    if (y->high < 0 && y->high > 0.4 * y->low)
        y->high = 0;
}

static void draw_grid(Sheet *sheet, Axis *y, const char *unit, double top, const RbvTicks *across) {
    char text[64], label[80];
    RbvTicks ticks = rbv_ticks(y->low, y->high, 5, strcmp(unit, "deg") == 0);
    y->low = ticks.at[0], y->high = ticks.at[ticks.count - 1];
    y->from = top + PANEL, y->over = -PANEL / (y->high - y->low);
    double right = sheet->width - RIGHT, step = ticks.at[1] - ticks.at[0];
    double factor =
        sheet->view.model_units ? 1 : rbv_prefix(fmax(fabs(y->low), fabs(y->high)), unit, label, sizeof label);
    const char *shown = !sheet->view.model_units && *label ? label : "1";
    for (int k = 0; k < across->count; k++) {
        double x = sheet->x.from + (across->at[k] - sheet->x.low) * sheet->x.over;
        if (x >= LEFT - 0.01 && x <= right + 0.01)
            rbv_pen_lines(&sheet->pen, 2, (const double[][2]){{x, top}, {x, top + PANEL}}, false,
                          &(RbvInk){.stroke = "#e4e4e4", .width = 1});
    }
    for (int k = 0; k < ticks.count; k++) {
        double at = y->from + (ticks.at[k] - y->low) * y->over;
        rbv_pen_lines(&sheet->pen, 2, (const double[][2]){{LEFT, at}, {right, at}}, false,
                      &(RbvInk){.stroke = fabs(ticks.at[k]) < 1e-9 * step ? "#999999" : "#e4e4e4", .width = 1});
        rbv_tick_text(ticks.at[k] / factor, step / factor, text, sizeof text);
        rbv_pen_text(&sheet->pen, LEFT - 7, at + 4, text, &(RbvLettering){.size = 12, .anchor = RBV_ANCHOR_END});
    }
    rbv_pen_box(&sheet->pen, LEFT, top, right - LEFT, PANEL, &(RbvInk){.stroke = "#666666", .width = 1});
    rbv_pen_text(&sheet->pen, 16, top + PANEL / 2.0, sheet->view.model_units ? unit : shown,
                 &(RbvLettering){.size = 12, .anchor = RBV_ANCHOR_MIDDLE, .upright = true});
}

/* Draws all columns that have the unit of columns[first] in one panel, and marks them as drawn by -1. */
static void draw_panel(Sheet *sheet, int32_t first, double top, const RbvTicks *across) {
    const RbvShownUnit unit = unit_of(sheet, sheet->columns[first]);
    Axis y = {.result = sheet->result, .factor = unit.factor, .low = INFINITY, .high = -INFINITY};
    for (int32_t k = first; k < sheet->count; k++)
        if (sheet->columns[k] >= 0 && strcmp(unit_of(sheet, sheet->columns[k]).text, unit.text) == 0) {
            y.column = sheet->columns[k];
            take_range(sheet, &y);
        }
    widen_axis(&y, strcmp(unit.text, "deg") == 0);
    draw_grid(sheet, &y, unit.text, top, across);
    double label = LEFT;
    int drawn = 0;
    for (int32_t k = first; k < sheet->count; k++)
        if (sheet->columns[k] >= 0 && strcmp(unit_of(sheet, sheet->columns[k]).text, unit.text) == 0) {
            const RbvColumn *column = &sheet->result->columns[y.column = sheet->columns[k]];
            const char *colour = colours[drawn++ % COLOURS];
            rbv_pen_open(&sheet->pen, "curve", column->name);
            draw_curve(sheet, &y, colour, dash_of(column));
            rbv_pen_close(&sheet->pen);
            draw_label(sheet, column, colour, &label, top - 4);
            sheet->columns[k] = -1;
        }
}

static void draw_across(Sheet *sheet, const RbvTicks *across, const char *unit, double top) {
    char text[64], label[RBV_NAME_SIZE + 80], shown[64];
    double factor = sheet->view.model_units
                        ? 1
                        : rbv_prefix(fmax(fabs(sheet->x.low), fabs(sheet->x.high)), unit, shown, sizeof shown);
    const char *name = sheet->result->columns[sheet->x.column].name;
    for (int k = 0; k < across->count; k++) {
        double x = sheet->x.from + (across->at[k] - sheet->x.low) * sheet->x.over;
        rbv_tick_text(across->at[k] / factor, (across->at[1] - across->at[0]) / factor, text, sizeof text);
        if (x >= LEFT - 0.01 && x <= sheet->width - RIGHT + 0.01)
            rbv_pen_text(&sheet->pen, x, top + 17, text, &(RbvLettering){.size = 12, .anchor = RBV_ANCHOR_MIDDLE});
    }
    const char *in = sheet->view.model_units ? unit : shown;
    snprintf(label, sizeof label, *in ? "%s [%s]" : "%s", name, in);
    rbv_pen_text(&sheet->pen, (LEFT + sheet->width - RIGHT) / 2, top + 36, label,
                 &(RbvLettering){.size = 12, .anchor = RBV_ANCHOR_MIDDLE});
}

static int32_t panel_count(const Sheet *sheet) {
    int32_t panels = 0;
    for (int32_t k = 0; k < sheet->count; k++) {
        bool new = true;
        for (int32_t n = 0; n < k && new; n++)
            new = strcmp(unit_of(sheet, sheet->columns[n]).text, unit_of(sheet, sheet->columns[k]).text) != 0;
        panels += new;
    }
    return panels;
}

static char *draw_curve_sheet(Sheet *sheet, const char *title) {
    const RbvShownUnit unit = unit_of(sheet, sheet->x.column);
    int32_t panels = panel_count(sheet);
    double above = *title ? TOP : TOP - 24;
    double height = above + panels * PANEL + (panels - 1) * GAP + BOTTOM, top = above;
    sheet->x.factor = unit.factor;
    take_range(sheet, &sheet->x);
    if (!(sheet->x.low < sheet->x.high))
        sheet->x.low -= 0.5, sheet->x.high = sheet->x.low + 1;
    RbvTicks across = rbv_ticks(sheet->x.low, sheet->x.high, 8, strcmp(unit.text, "deg") == 0);
    sheet->x.from = LEFT, sheet->x.over = (sheet->width - LEFT - RIGHT) / (sheet->x.high - sheet->x.low);
    rbv_pen_begin(&sheet->pen, sheet->width, height, title);
    if (*title)
        rbv_pen_text(&sheet->pen, LEFT, 20, title, &(RbvLettering){.size = 14, .bold = true});
    for (int32_t k = 0; k < sheet->count; k++)
        if (sheet->columns[k] >= 0) {
            draw_panel(sheet, k, top, &across);
            top += PANEL + GAP;
        }
    draw_across(sheet, &across, unit.text, top - GAP);
    return rbv_pen_end(&sheet->pen);
}

RbvStatus rbv_result_curves(const RbvResult *result, const RbvView *view, const RbvCurves *curves,
                            RbvDiagnostics *diagnostics, char **svg) {
    if (!result || !svg)
        return RBV_BAD_ARGUMENT;
    *svg = NULL;
    Sheet sheet = {.result = result,
                   .view = view ? *view : rbv_view_default,
                   .width = curves && curves->width > 0 ? curves->width : SHEET_WIDTH};
    const char *across = curves ? curves->across : NULL;
    const char *own = result->title ? result->title : "";
    const char *title = curves && curves->title ? curves->title : own;
    sheet.x = (Axis){
        .result = result, .column = across ? rbv_result_find(result, across) : 0, .low = INFINITY, .high = -INFINITY};
    sheet.unstable = rbv_result_find(result, "equilibrium.unstable");
    if (result->sample_count == 0 || result->column_count < 2) {
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0}, "%s has no series to draw curves of",
                     result->analysis);
        return RBV_BAD_INPUT;
    }
    if (sheet.x.column < 0) {
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0},
                     "there is no column '%s' to draw the others over; a coordinate or another expression is one when "
                     "it stands under output:, as in output: {across: %s}",
                     across, across);
        return RBV_BAD_INPUT;
    }
    sheet.columns = malloc((size_t)result->column_count * sizeof *sheet.columns);
    for (int32_t c = 1; sheet.columns && c < result->column_count; c++)
        if (c != sheet.x.column && rbv_view_shows(&sheet.view, result->columns[c].name))
            sheet.columns[sheet.count++] = c;
    if (sheet.columns && sheet.count == 0)
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0}, "no column fits what is to be drawn");
    else if (sheet.columns)
        *svg = draw_curve_sheet(&sheet, title);
    bool empty = sheet.columns && sheet.count == 0;
    free(sheet.columns);
    if (empty)
        return RBV_BAD_INPUT;
    return *svg ? RBV_OK : RBV_NO_MEMORY;
}
