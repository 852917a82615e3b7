/* Results of statics: an equilibrium, all that were found, a path along a parameter, ranges that friction can hold. */
#include "output/write/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Largest number of coordinates in lists of equilibria. */
#define MOST_COORDINATES 4

static RbvShownUnit unit_of(const RbvPage *page, const char *coordinate) {
    return rbv_view_unit(&page->view, page->result, rbv_coordinate_unit(coordinate));
}

static void coordinates(RbvPage *page, const RbvEquilibrium *e) {
    RbvTable table = {0};
    rbv_table_column(&table, "coordinate", RBV_TABLE_WORD);
    rbv_table_column(&table, "unit", RBV_TABLE_WORD);
    rbv_table_column(&table, "value", RBV_TABLE_NUMBER);
    if (e->compliance) {
        rbv_table_column(&table, "per unit load", RBV_TABLE_NUMBER);
        rbv_table_column(&table, "unit", RBV_TABLE_WORD);
    }
    for (int32_t k = 0; k < e->coordinates.count; k++) {
        const RbvShare *coordinate = &e->coordinates.shares[k];
        RbvShownUnit unit = unit_of(page, coordinate->name);
        if (!rbv_view_shows(&page->view, coordinate->name))
            continue;
        rbv_table_word(&table, coordinate->name);
        rbv_table_word(&table, unit.text);
        rbv_table_number(&table,
                         rbv_page_figure(page, rbv_coordinate_unit(coordinate->name), coordinate->share) / unit.factor);
        if (!e->compliance)
            continue;
        const char *si = rbv_coordinate_unit(coordinate->name);
        RbvShownUnit yields = rbv_view_unit(&page->view, page->result, !*si ? "" : *si == 'r' ? "rad/(N.m)" : "m/N");
        rbv_table_number(&table, e->compliance[k * (e->coordinates.count + 1)] / yields.factor);
        rbv_table_word(&table, yields.text);
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

static RbvShownUnit energy_unit(const RbvPage *page) {
    return rbv_view_unit(&page->view, page->result, "J");
}

static double shown_energy(const RbvPage *page, const RbvEquilibrium *e) {
    return rbv_page_figure(page, "J", e->energy) / energy_unit(page).factor;
}

/* Curvature; 0 for a neutral equilibrium, whose curvature is rounding. */
static double curvature_of(const RbvEquilibrium *e) {
    return e->stability && strcmp(e->stability, "neutral") == 0 && isfinite(e->curvature) ? 0 : e->curvature;
}

static void penalty(RbvPage *page, const RbvEquilibrium *e) {
    RbvShownUnit k = rbv_view_unit(&page->view, page->result, "N/m"), m = rbv_view_unit(&page->view, page->result, "m"),
                 n = rbv_view_unit(&page->view, page->result, "N");
    rbv_text_format(&page->text, "penalty %.3g %s: positions are off by about %.2g %s, forces by %.2g %s\n",
                    e->penalty / k.factor, k.text, e->penalty_error / m.factor, m.text,
                    e->penalty_force_error / n.factor, n.text);
}

/* The equilibrium, its stability and how it was found. */
static void equilibrium(RbvPage *page) {
    const RbvEquilibrium *e = &page->result->equilibrium;
    RbvText *text = &page->text;
    bool held = e->stability && page->result->mobility.degrees_of_freedom_position == page->result->idle_count;
    rbv_text_format(text, "equilibrium: %s",
                    held           ? "held, no freedom is left"
                    : e->stability ? e->stability
                                   : "stability not decided");
    if (e->falls_by)
        rbv_text_format(text, " (%s %s)", e->flutter ? "flutter, mostly of" : "along", e->falls_by);
    if (isfinite(e->curvature))
        rbv_text_format(text, ", curvature %.6g 1/s^2", curvature_of(e));
    if (isfinite(e->energy))
        rbv_text_format(text, ", energy %.9g %s", shown_energy(page, e), energy_unit(page).text);
    rbv_text_format(text, "; method %s, %d step%s", e->method, (int)e->iterations, e->iterations == 1 ? "" : "s");
    if (e->rounds > 0)
        rbv_text_format(text, " in %d round%s", (int)e->rounds, e->rounds == 1 ? "" : "s");
    rbv_text_add(text, "\n");
    if (isfinite(e->penalty))
        penalty(page, e);
    coordinates(page, e);
}

/* Adds a column for each of the first coordinates; the texts of the heads are stored in `heads`. Returns the number of
 * columns. */
static int32_t coordinate_columns(const RbvPage *page, RbvTable *table, char heads[MOST_COORDINATES][320]) {
    const RbvMode *names = &page->result->equilibrium.coordinates;
    int32_t shown = names->count < MOST_COORDINATES ? names->count : MOST_COORDINATES;
    for (int32_t c = 0; c < shown; c++) {
        snprintf(heads[c], sizeof heads[c], "%s [%.40s]", names->shares[c].name,
                 unit_of(page, names->shares[c].name).text);
        rbv_table_column(table, heads[c], RBV_TABLE_SPARE);
    }
    return shown;
}

static void coordinate_cells(const RbvPage *page, RbvTable *table, const RbvEquilibrium *e, int32_t shown) {
    for (int32_t c = 0; c < shown; c++)
        rbv_table_number(table, rbv_page_figure(page, rbv_coordinate_unit(e->coordinates.shares[c].name),
                                                e->coordinates.shares[c].share) /
                                    unit_of(page, e->coordinates.shares[c].name).factor);
}

/* With --all: every equilibrium found, with the first coordinates. */
static void equilibria(RbvPage *page) {
    const RbvResult *result = page->result;
    RbvTable table = {0};
    char heads[MOST_COORDINATES][320], title[80], energy[60];
    snprintf(title, sizeof title, "%d equilibri%s from %d starts", (int)result->equilibrium_count,
             result->equilibrium_count == 1 ? "um" : "a", (int)result->equilibrium_starts);
    snprintf(energy, sizeof energy, "energy [%.40s]", energy_unit(page).text);
    rbv_table_column(&table, title, RBV_TABLE_WORD);
    rbv_table_column(&table, energy, RBV_TABLE_NUMBER);
    rbv_table_column(&table, "curvature [1/s^2]", RBV_TABLE_NUMBER);
    int32_t shown = coordinate_columns(page, &table, heads);
    for (int32_t k = 0; k < result->equilibrium_count; k++) {
        const RbvEquilibrium *e = &result->equilibria[k];
        rbv_table_word(&table, e->stability ? e->stability : "?");
        rbv_table_number(&table, shown_energy(page, e));
        rbv_table_number(&table, curvature_of(e));
        coordinate_cells(page, &table, e, shown);
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

typedef struct Path {
    RbvPage *page;
    const RbvFollowed *f;
    RbvShownUnit unit;
    RbvTable table;
    int32_t shown;
} Path;

static void place(Path *path, const char *what, double at, const RbvEquilibrium *e) {
    rbv_table_word(&path->table, what);
    rbv_table_number(&path->table, at / path->unit.factor);
    rbv_table_number(&path->table, shown_energy(path->page, e));
    coordinate_cells(path->page, &path->table, e, path->shown);
}

/* "fold", "land of shelf, wall" */
static void event_name(const RbvEvent *e, char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "%s", e->kind);
    for (int32_t k = 0; k < e->support_count && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", k ? ", " : " of ", e->supports[k]);
}

/* Both ends of the path, and the events between them. */
static void places(Path *path) {
    char heads[MOST_COORDINATES][320], at[120], energy[60];
    const RbvFollowed *f = path->f;
    snprintf(at, sizeof at, *path->unit.text ? "%.60s [%.40s]" : "%.60s", f->parameter, path->unit.text);
    rbv_table_column(&path->table, "place", RBV_TABLE_WORD);
    rbv_table_column(&path->table, at, RBV_TABLE_NUMBER);
    snprintf(energy, sizeof energy, "energy [%.40s]", energy_unit(path->page).text);
    rbv_table_column(&path->table, energy, RBV_TABLE_NUMBER);
    path->shown = coordinate_columns(path->page, &path->table, heads);
    place(path, "start", f->from, &path->page->result->equilibrium);
    for (int32_t k = 0; k < f->event_count; k++) {
        char name[200];
        event_name(&f->events[k], name, sizeof name);
        place(path, name, f->events[k].at, &f->events[k].place);
        if (f->events[k].lands)
            place(path, "  lands", f->events[k].at, &f->events[k].landing);
    }
    if (f->last.found)
        place(path, "end", f->reached, &f->last);
    rbv_table_print(&path->table, &path->page->text, path->page->view.width);
}

static void event_line(const Path *path, const RbvEvent *e) {
    RbvText *text = &path->page->text;
    char name[200];
    event_name(e, name, sizeof name);
    rbv_text_format(text, "%s at %.9g%s%s", name, e->at / path->unit.factor, *path->unit.text ? " " : "",
                    path->unit.text);
    if (e->place.falls_by)
        rbv_text_format(text, " by %s", e->place.falls_by);
    if (e->before && e->after)
        rbv_text_format(text, ": %s before, %s behind it", e->before, e->after);
    if (e->snaps)
        rbv_text_format(text, "; when %s goes %s, %s", path->f->parameter,
                        (e->rises > 0) == (path->f->to > path->f->from) ? "up" : "down",
                        e->lands ? "it jumps" : "where it comes to rest is not found");
    rbv_text_add(text, "\n");
}

static void followed(RbvPage *page) {
    const RbvFollowed *f = &page->result->followed;
    Path path = {.page = page, .f = f, .unit = rbv_page_unit(page, 0)};
    const char *blank = *path.unit.text ? " " : "";
    rbv_text_format(&page->text, "along %s from %.9g to %.9g%s%s: %d places, %s, %.9g%s%s\n", f->parameter,
                    f->from / path.unit.factor, f->to / path.unit.factor, blank, path.unit.text,
                    (int)page->result->sample_count, f->ended, f->reached / path.unit.factor, blank, path.unit.text);
    places(&path);
    for (int32_t k = 0; k < f->event_count; k++)
        event_line(&path, &f->events[k]);
}

/* "from 2 N to no upper end" */
static void interval(RbvText *text, const double end[2], RbvShownUnit unit) {
    static const char *const none[2] = {"no lower end", "no upper end"};
    for (int k = 0; k < 2; k++) {
        rbv_text_add(text, k ? " to " : "from ");
        if (isfinite(end[k]))
            rbv_text_format(text, "%.9g%s%s", end[k] / unit.factor, *unit.text ? " " : "", unit.text);
        else
            rbv_text_add(text, none[k]);
    }
}

/* The ranges of the parameter in which friction can hold the model at rest. */
static void held(RbvPage *page) {
    const RbvHoldable *h = &page->result->held;
    RbvText *text = &page->text;
    RbvShownUnit unit = rbv_view_unit(&page->view, page->result, h->unit);
    rbv_text_format(text, "friction holds this place with %s ", h->parameter);
    for (int32_t k = 0; k < h->count; k++) {
        rbv_text_add(text, k ? ", and " : "");
        interval(text, h->end[k], unit);
    }
    rbv_text_format(text, "; it is %.9g%s%s, which %s\n", h->at / unit.factor, *unit.text ? " " : "", unit.text,
                    h->at >= h->end[0][0] && h->at <= h->end[0][1] ? "holds" : "does not");
    for (int32_t k = 0; k < h->at_limit_count; k++)
        rbv_text_format(text, "%s%s%s", k ? ", " : "at the limit at an end: ", h->at_limit[k],
                        k + 1 == h->at_limit_count ? "\n" : "");
}

void rbv_page_statics(RbvPage *page) {
    if (page->result->held.parameter)
        held(page);
    if (!page->result->equilibrium.found)
        return;
    if (page->result->followed.parameter)
        followed(page);
    else
        equilibrium(page);
    if (page->result->equilibrium_starts > 0)
        equilibria(page);
}
