/* What is sized: member "sizing" of result.json, sizing.csv, and the tables of the page. */
#include "output/write/files.h"
#include "output/write/sections.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const sections[] = {[RBV_SIZED_DRIVE] = "drives",
                                       [RBV_SIZED_BEARING] = "bearings",
                                       [RBV_SIZED_PLAIN] = "plain",
                                       [RBV_SIZED_GUIDE] = "guides",
                                       [RBV_SIZED_SCREW] = "screws"};
#define KINDS ((int)(sizeof sections / sizeof sections[0]))

/* ---- result.json ---- */

/* "plot": points, and of a drive what its motor can do: a constant peak as a curve of two points, and what limits a
 * curve besides. */
static void write_plot(RbvJson *json, const RbvSizedPlot *plot, bool drive) {
    const RbvRatingDef *r = &plot->rating;
    bool constant = drive && r->curve_count == 0;
    const double speed[2] = {0, r->speed}, peak[2] = {r->peak, r->peak};
    rbv_json_open(json, "plot", "{");
    rbv_json_numbers(json, "x", plot->x, plot->count);
    rbv_json_numbers(json, "y", plot->y, plot->count);
    if (drive) {
        int32_t count = constant ? 2 : r->curve_count;
        rbv_json_numbers(json, "speed", constant ? speed : r->curve_speed, count);
        rbv_json_numbers(json, "peak", constant ? peak : r->curve_peak, count);
        if (r->curve_continuous)
            rbv_json_numbers(json, "continuous_curve", r->curve_continuous, r->curve_count);
        rbv_json_number(json, "continuous", r->continuous);
        rbv_json_number(json, "peak_limit", r->peak);
        rbv_json_number(json, "speed_limit", r->speed);
    }
    rbv_json_close(json, "}");
}

static void write_item(RbvJson *json, const RbvSizedItem *item, const RbvSizedPlot *plot) {
    rbv_json_open(json, item->name, "{");
    rbv_json_string(json, "verdict", rbv_verdict_name(item->verdict));
    rbv_json_string(json, "why", item->why);
    for (int32_t n = 0; n < item->figure_count; n++)
        rbv_json_number(json, item->figures[n].name, item->figures[n].value);
    rbv_json_open(json, "units", "{");
    for (int32_t n = 0; n < item->figure_count; n++)
        rbv_json_string(json, item->figures[n].name, item->figures[n].unit);
    rbv_json_close(json, "}");
    rbv_json_open(json, "errors", "{");
    for (int32_t n = 0; n < item->figure_count; n++)
        if (isfinite(item->figures[n].error))
            rbv_json_number(json, item->figures[n].name, item->figures[n].error);
    rbv_json_close(json, "}");
    if (plot && plot->count > 1)
        write_plot(json, plot, item->kind == RBV_SIZED_DRIVE);
    rbv_json_close(json, "}");
}

void rbv_json_sizing(RbvJson *json, const RbvResult *result) {
    if (result->sized_count == 0 && result->choice_count == 0)
        return;
    rbv_json_open(json, "sizing", "{");
    for (int kind = 0; kind < KINDS; kind++) {
        rbv_json_open(json, sections[kind], "{");
        for (int32_t k = 0; k < result->sized_count; k++)
            if ((int)result->sized[k].kind == kind)
                write_item(json, &result->sized[k], result->plots ? &result->plots[k] : NULL);
        rbv_json_close(json, "}");
    }
    rbv_json_choices(json, result);
    rbv_json_close(json, "}");
}

/* ---- sizing.csv ---- */

bool rbv_write_sizing(const RbvResult *result, const RbvView *view, FILE *file) {
    RbvText text = {0};
    (void)view;
    rbv_text_add(&text, "kind,name,figure,unit,value,error,verdict\n");
    for (int32_t k = 0; k < result->sized_count; k++) {
        const RbvSizedItem *item = &result->sized[k];
        for (int32_t n = 0; n < item->figure_count; n++) {
            const RbvSizedFigure *f = &item->figures[n];
            rbv_text_format(&text, "%s,%s,%s,%s,", sections[item->kind], item->name, f->name, f->unit);
            if (isfinite(f->value))
                rbv_text_number(&text, f->value);
            rbv_text_put(&text, ',');
            if (isfinite(f->error))
                rbv_text_number(&text, f->error);
            rbv_text_format(&text, ",%s\n", rbv_verdict_name(item->verdict));
        }
    }
    bool good = !text.no_memory && fputs(text.data, file) >= 0;
    if (text.no_memory)
        errno = ENOMEM;
    rbv_text_clear(&text);
    return good;
}

/* ---- tables ---- */

#define DIGITS 4 /* of figures in tables; fewer where their error asks for it */

static const RbvSizedFigure *find(const RbvSizedItem *item, const char *name) {
    for (int32_t n = 0; n < item->figure_count; n++)
        if (strcmp(item->figures[n].name, name) == 0)
            return &item->figures[n];
    return NULL;
}

static double value_of(const RbvSizedItem *item, const char *name) {
    const RbvSizedFigure *figure = find(item, name);
    return figure ? figure->value : NAN;
}

/* A number over `factor`, with as many digits as its error leaves; "-" of none. */
static void put_number(char *text, size_t size, double value, double error, double factor) {
    double v = value / factor, e = fabs(error / factor);
    int digits = DIGITS;
    if (!isfinite(v)) {
        snprintf(text, size, "-");
        return;
    }
    int tens = v == 0 ? 0 : (int)floor(log10(fabs(v)));
    if (isfinite(e) && e > 0 && v != 0)
        digits = (int)fmax(1, fmin(DIGITS, tens - floor(log10(e)) + 1)); /* one digit more than is sure */
    double unit = pow(10, tens - digits + 1);
    if (v != 0 && (tens > 9 || tens < -4))
        snprintf(text, size, "%.*e", digits - 1, v);
    else
        snprintf(text, size, "%.*f", digits - 1 - tens > 0 ? digits - 1 - tens : 0,
                 unit > 1 ? round(v / unit) * unit : v);
    char *dot = strchr(text, '.');
    for (char *end = dot ? text + strlen(text) - 1 : NULL; end && !strchr(text, 'e') && (*end == '0' || end == dot);
         end--) {
        *end = '\0';
        if (end == dot)
            break;
    }
}

/* A column of a table: figures, and how they are shown. */
typedef enum Shown {
    SHOWN_NUMBER,
    SHOWN_AT,    /* "1.36 at 0.076 s": value and second figure */
    SHOWN_RANGE, /* "0.54 .. 1.05" */
    SHOWN_POWER  /* "2.18 kW" */
} Shown;

typedef struct SizingColumn {
    const char *head; /* with its unit in brackets where `si` is one */
    const char *figure, *second;
    const char *si; /* unit of the result, shown as the page's unit; NULL: none; "rpm": shown so */
    Shown shown;
} SizingColumn;

static const SizingColumn drive_columns[] = {
    {"peak", "peak", NULL, NULL, SHOWN_NUMBER},
    {"at", "peak_at", NULL, "s", SHOWN_NUMBER},
    {"rms", "rms", NULL, NULL, SHOWN_NUMBER},
    {"mean speed", "mean_speed", NULL, "rpm", SHOWN_NUMBER},
    {"top speed", "top_speed", NULL, NULL, SHOWN_NUMBER},
    {"power", "motoring_mean", NULL, NULL, SHOWN_POWER},
    {"regenerated", "regenerating_mean", NULL, NULL, SHOWN_POWER},
    {"rms/continuous", "rms_to_continuous", NULL, NULL, SHOWN_NUMBER},
    {"least margin to peak", "margin_to_peak", "margin_at", NULL, SHOWN_AT},
    {"speed/limit", "speed_to_limit", NULL, NULL, SHOWN_NUMBER},
    {"samples outside", "outside", "outside_first", NULL, SHOWN_AT},
    {"inertia ratio", "inertia_ratio_least", "inertia_ratio_largest", NULL, SHOWN_RANGE},
    {NULL, NULL, NULL, NULL, SHOWN_NUMBER}};
static const SizingColumn bearing_columns[] = {
    {"P0", "P0", NULL, "N", SHOWN_NUMBER},           {"P", "P", NULL, "N", SHOWN_NUMBER},
    {"L10 [10^6]", "L10", NULL, NULL, SHOWN_NUMBER}, {"L10h [h]", "L10h", NULL, NULL, SHOWN_NUMBER},
    {"Lnmh [h]", "Lnmh", NULL, NULL, SHOWN_NUMBER},  {"s0", "s0", NULL, NULL, SHOWN_NUMBER},
    {NULL, NULL, NULL, NULL, SHOWN_NUMBER}};
static const SizingColumn plain_columns[] = {{"p", "p", NULL, "MPa", SHOWN_NUMBER},
                                             {"share", "p_share", NULL, NULL, SHOWN_NUMBER},
                                             {"v", "v", NULL, "m/s", SHOWN_NUMBER},
                                             {"share", "v_share", NULL, NULL, SHOWN_NUMBER},
                                             {"p v", "pv", NULL, "MPa.m/s", SHOWN_NUMBER},
                                             {"share", "pv_share", NULL, NULL, SHOWN_NUMBER},
                                             {"wear", "wear_per_hour", NULL, "um/h", SHOWN_NUMBER},
                                             {"life [h]", "life", NULL, NULL, SHOWN_NUMBER},
                                             {NULL, NULL, NULL, NULL, SHOWN_NUMBER}};
static const SizingColumn guide_columns[] = {
    {"P0", "P0", NULL, "N", SHOWN_NUMBER},    {"P", "P", NULL, "N", SHOWN_NUMBER},
    {"L10", "L10", NULL, "km", SHOWN_NUMBER}, {"L10h [h]", "L10h", NULL, NULL, SHOWN_NUMBER},
    {"s0", "s0", NULL, NULL, SHOWN_NUMBER},   {NULL, NULL, NULL, NULL, SHOWN_NUMBER}};
static const SizingColumn *const columns_of[] = {[RBV_SIZED_DRIVE] = drive_columns,
                                                 [RBV_SIZED_BEARING] = bearing_columns,
                                                 [RBV_SIZED_PLAIN] = plain_columns,
                                                 [RBV_SIZED_GUIDE] = guide_columns,
                                                 [RBV_SIZED_SCREW] = bearing_columns};
static const char *const titles[] = {[RBV_SIZED_DRIVE] = "motor",
                                     [RBV_SIZED_BEARING] = "bearing",
                                     [RBV_SIZED_PLAIN] = "plain bearing",
                                     [RBV_SIZED_GUIDE] = "guide",
                                     [RBV_SIZED_SCREW] = "ball screw"};

#define RPM (6.28318530717958647693 / 60)

/* Is there an item of the kind with a value of the column? Columns without any are left out. */
static bool has_values(const RbvResult *result, int kind, const SizingColumn *column) {
    for (int32_t k = 0; k < result->sized_count; k++) {
        const RbvSizedItem *item = &result->sized[k];
        bool same = strcmp(column->figure, "Lnmh") == 0 && value_of(item, "Lnmh") == value_of(item, "L10h");
        double value = value_of(item, column->figure);
        bool inside = strcmp(column->figure, "outside") == 0 && value == 0;
        bool slow = strcmp(column->figure, "speed_to_limit") == 0 && value <= 1;
        if ((int)item->kind == kind && isfinite(value) && !same && !inside && !slow)
            return true;
    }
    return false;
}

/* Units that tables of sizing have of their own: those of catalogues. */
typedef struct OwnUnit {
    const char *text;
    double factor;
} OwnUnit;
static const OwnUnit own_units[] = {{"rpm", RPM}, {"MPa", 1e6}, {"MPa.m/s", 1e6}, {"um/h", 1e-6}, {"km", 1e3}};

static const OwnUnit *own_unit(const char *text) {
    for (size_t k = 0; text && k < sizeof own_units / sizeof own_units[0]; k++)
        if (strcmp(own_units[k].text, text) == 0)
            return &own_units[k];
    return NULL;
}

/* Factor of the shown unit of a column. Speeds of shafts that turn are shown in rpm. */
static double factor_of(const RbvPage *page, const SizingColumn *column, const char *si) {
    const OwnUnit *own = own_unit(column->si);
    bool turns = si && strcmp(si, "rad/s") == 0;
    if (turns)
        return RPM;
    if (own && strcmp(own->text, "rpm") != 0)
        return own->factor;
    const char *unit = column->si && !own ? column->si : si;
    return unit && *unit && strcmp(column->figure, "L10") != 0 ? rbv_page_si(page, unit).factor : 1;
}

static void put_cell(const RbvPage *page, const RbvSizedItem *item, const SizingColumn *column, RbvPageTable *table) {
    const RbvSizedFigure *figure = find(item, column->figure);
    char text[120], more[40];
    double value = figure ? figure->value : NAN;
    double error = figure ? figure->error : NAN;
    double factor = factor_of(page, column, figure ? figure->unit : NULL);
    bool kilo = column->shown == SHOWN_POWER && fabs(value) >= 1000;
    put_number(text, sizeof text, value, error, kilo ? 1000 : factor);
    bool pushed = figure && strcmp(figure->unit, "m/s") == 0 && item->kind == RBV_SIZED_DRIVE;
    if (pushed && isfinite(value))
        snprintf(text + strlen(text), sizeof text - strlen(text), " %s", rbv_page_si(page, "m/s").text);
    if (column->shown == SHOWN_POWER && isfinite(value))
        snprintf(text + strlen(text), sizeof text - strlen(text), kilo ? " kW" : " W");
    if (column->shown == SHOWN_AT && isfinite(value_of(item, column->second))) {
        RbvShownUnit s = rbv_page_si(page, "s");
        put_number(more, sizeof more, value_of(item, column->second), NAN, s.factor);
        snprintf(text + strlen(text), sizeof text - strlen(text), " at %s %s", more, s.text);
    }
    if (column->shown == SHOWN_RANGE && isfinite(value) && value_of(item, column->second) != value) {
        put_number(more, sizeof more, value_of(item, column->second), NAN, 1);
        if (strcmp(text, more) != 0)
            snprintf(text + strlen(text), sizeof text - strlen(text), " .. %s", more);
    }
    rbv_table_word(table, text);
}

/* "compliance: L10 at least 3.2, s0 at least 4.1": bounds within ranges of compliances. */
static void put_verdict(const RbvSizedItem *item, RbvPageTable *table) {
    static const struct {
        const char *figure, *words, *unit;
    } bounds[] = {{"L10_least", "L10 at least", ""},
                  {"s0_least", "s0 at least", ""},
                  {"life_least", "life at least", " h"},
                  {"p_share_most", "share of p at most", ""}};
    char text[400], number[40];
    bool any = false;
    snprintf(text, sizeof text, "%s%s%s", rbv_verdict_name(item->verdict), item->why ? ": " : "",
             item->why ? item->why : "");
    for (size_t k = 0; k < sizeof bounds / sizeof bounds[0]; k++) {
        double bound = value_of(item, bounds[k].figure);
        if (!isfinite(bound))
            continue;
        put_number(number, sizeof number, bound, NAN, 1);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s %s %s%s", any ? "," : ":", bounds[k].words,
                 number, bounds[k].unit);
        any = true;
    }
    rbv_table_word(table, text);
}

static void print_kind(RbvPage *page, int kind) {
    const RbvResult *result = page->result;
    RbvPageTable table = {.digits = DIGITS};
    char heads[RBV_TABLE_COLUMNS][60];
    bool any = false, shown[RBV_TABLE_COLUMNS];
    int32_t count = 0;
    rbv_table_column(&table, titles[kind], RBV_TABLE_WORD);
    if (kind == RBV_SIZED_DRIVE)
        rbv_table_column(&table, "unit", RBV_TABLE_WORD);
    for (const SizingColumn *column = columns_of[kind]; column->head; column++, count++) {
        shown[count] = has_values(result, kind, column);
        if (!shown[count])
            continue;
        const OwnUnit *own = own_unit(column->si);
        const char *unit = column->si && !own ? rbv_page_si(page, column->si).text : NULL;
        unit = own ? own->text : unit;
        snprintf(heads[count], sizeof heads[count], unit ? "%s [%s]" : "%s", column->head, unit);
        rbv_table_column(&table, heads[count], RBV_TABLE_WORD);
    }
    rbv_table_column(&table, "verdict", RBV_TABLE_WORD);
    for (int32_t k = 0; k < result->sized_count; k++) {
        const RbvSizedItem *item = &result->sized[k];
        if ((int)item->kind != kind || !rbv_view_shows(&page->view, item->name))
            continue;
        any = true;
        rbv_table_word(&table, item->name);
        if (kind == RBV_SIZED_DRIVE)
            rbv_table_word(&table, rbv_page_si(page, item->figures[0].unit).text);
        for (int32_t c = 0; c < count; c++)
            if (shown[c])
                put_cell(page, item, &columns_of[kind][c], &table);
        put_verdict(item, &table);
    }
    if (any)
        rbv_table_print(&table, &page->text, page->view.width);
    else
        rbv_table_print(&table, &(RbvText){0}, page->view.width);
}

void rbv_page_sizing(RbvPage *page) {
    for (int kind = 0; kind < KINDS; kind++)
        for (int32_t k = 0; k < page->result->sized_count; k++)
            if ((int)page->result->sized[k].kind == kind) {
                print_kind(page, kind);
                break;
            }
}
