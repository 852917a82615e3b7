/* Equilibria: one, all that were found, a path along a parameter, ranges that friction can hold. */
#include "output/write/sections.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Members of result.json. */

/* Position of a body [m] and its angle [rad] (plane) or quaternion (space). */
static void write_resting_body(RbvJson *json, const double *row, const RbvEntry *body) {
    rbv_json_open(json, body->name, "{");
    const double *at = row + body->first;
    rbv_json_numbers(json, "at", at, body->components);
    if (body->count - body->components == 1)
        rbv_json_number(json, "angle", at[body->components]);
    if (body->count - body->components == 4)
        rbv_json_numbers(json, "quaternion", at + 3, 4);
    rbv_json_close(json, "}");
}

/* Compliance matrix: change of coordinate i per unit of load along coordinate j; null if not computed. */
static void write_compliance(RbvJson *json, const RbvEquilibrium *e) {
    int32_t count = e->coordinates.count;
    if (!e->compliance) {
        rbv_json_string(json, "compliance", NULL);
        return;
    }
    rbv_json_open(json, "compliance", "{");
    for (int32_t i = 0; i < count; i++) {
        rbv_json_open(json, e->coordinates.shares[i].name, "{");
        for (int32_t j = 0; j < count; j++)
            rbv_json_number(json, e->coordinates.shares[j].name, e->compliance[i * count + j]);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

static void write_equilibrium(RbvJson *json, const char *name, const RbvEquilibrium *e) {
    rbv_json_open(json, name, "{");
    rbv_json_shares(json, "coordinates", &e->coordinates);
    rbv_json_open(json, "bodies", "{");
    for (int32_t k = 0; k < e->body_count; k++)
        write_resting_body(json, e->pose, &e->bodies[k]);
    rbv_json_close(json, "}");
    write_compliance(json, e);
    rbv_json_number(json, "energy", e->energy);
    rbv_json_string(json, "stability", e->stability);
    rbv_json_number(json, "curvature", e->curvature);
    rbv_json_string(json, "falls_by", e->falls_by);
    if (e->pressed)
        rbv_json_strings(json, "pressed", e->pressed, e->pressed_count);
    rbv_json_integer(json, "iterations", e->iterations);
    rbv_json_string(json, "method", e->method);
    if (e->rounds > 0)
        rbv_json_integer(json, "rounds", e->rounds);
    if (isfinite(e->penalty)) {
        rbv_json_open(json, "penalty", "{");
        rbv_json_number(json, "coefficient", e->penalty);
        rbv_json_number(json, "position_error", e->penalty_error);
        rbv_json_number(json, "force_error", e->penalty_force_error);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

/* statics: the equilibrium; with --all every equilibrium found. */
void rbv_json_equilibria(RbvJson *json, const RbvResult *result) {
    if (!result->equilibrium.found)
        return;
    write_equilibrium(json, "equilibrium", &result->equilibrium);
    if (result->equilibrium_starts == 0)
        return;
    rbv_json_integer(json, "equilibria_starts", result->equilibrium_starts);
    rbv_json_open(json, "equilibria", "[");
    for (int32_t k = 0; k < result->equilibrium_count; k++)
        write_equilibrium(json, NULL, &result->equilibria[k]);
    rbv_json_close(json, "]");
}

static void write_path_event(RbvJson *json, const RbvFollowed *f, const RbvEvent *e) {
    rbv_json_open(json, NULL, "{");
    rbv_json_string(json, "kind", e->kind);
    rbv_json_number(json, "at", e->at);
    rbv_json_integer(json, "sample", e->sample);
    rbv_json_string(json, "moves", e->place.falls_by);
    rbv_json_string(json, "before", e->before);
    rbv_json_string(json, "after", e->after);
    if (e->rises)
        rbv_json_string(json, "turns_at", (e->rises > 0) == (f->to > f->from) ? "most" : "least");
    if (e->supports)
        rbv_json_strings(json, "supports", e->supports, e->support_count);
    write_equilibrium(json, "equilibrium", &e->place);
    if (e->lands)
        write_equilibrium(json, "lands", &e->landing);
    else if (e->snaps)
        rbv_json_string(json, "lands", NULL);
    rbv_json_close(json, "}");
}

/* statics --follow */
void rbv_json_followed(RbvJson *json, const RbvResult *result) {
    const RbvFollowed *f = &result->followed;
    if (!f->parameter)
        return;
    rbv_json_open_followed(json, f);
    rbv_json_string(json, "ended", f->ended);
    rbv_json_integer(json, "places", result->sample_count);
    rbv_json_open(json, "events", "[");
    for (int32_t k = 0; k < f->event_count; k++)
        write_path_event(json, f, &f->events[k]);
    rbv_json_close(json, "]");
    if (f->last.found)
        write_equilibrium(json, "last", &f->last);
    rbv_json_close(json, "}");
}

/* statics --hold: the ends of an interval; an infinite end is null. */
static void write_held_ends(RbvJson *json, const double end[2]) {
    rbv_json_number(json, "min", isfinite(end[0]) ? end[0] : (double)NAN);
    rbv_json_number(json, "max", isfinite(end[1]) ? end[1] : (double)NAN);
}

void rbv_json_held(RbvJson *json, const RbvHoldable *h) {
    rbv_json_open(json, "hold", "{");
    rbv_json_string(json, "parameter", h->parameter);
    rbv_json_string(json, "unit", h->unit);
    rbv_json_number(json, "at", h->at);
    rbv_json_bool(json, "holds", h->at >= h->end[0][0] && h->at <= h->end[0][1]);
    write_held_ends(json, h->end[0]);
    rbv_json_open(json, "others", "[");
    for (int32_t k = 1; k < h->count; k++) {
        rbv_json_open(json, NULL, "{");
        write_held_ends(json, h->end[k]);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    rbv_json_strings(json, "at_limit", h->at_limit, h->at_limit_count);
    rbv_json_close(json, "}");
}

/* The page. */

/* Largest number of coordinates in lists of equilibria. */
#define MOST_COORDINATES 4

static RbvShownUnit coordinate_unit(const RbvPage *page, const char *coordinate) {
    return rbv_page_si(page, rbv_coordinate_unit(coordinate));
}

static void print_resting_coordinates(RbvPage *page, const RbvEquilibrium *e) {
    RbvPageTable table = {0};
    rbv_table_column(&table, "coordinate", RBV_TABLE_WORD);
    rbv_table_column(&table, "unit", RBV_TABLE_WORD);
    rbv_table_column(&table, "value", RBV_TABLE_NUMBER);
    if (e->compliance) {
        rbv_table_column(&table, "per unit load", RBV_TABLE_NUMBER);
        rbv_table_column(&table, "unit", RBV_TABLE_WORD);
    }
    for (int32_t k = 0; k < e->coordinates.count; k++) {
        const RbvShare *coordinate = &e->coordinates.shares[k];
        RbvShownUnit unit = coordinate_unit(page, coordinate->name);
        if (!rbv_view_shows(&page->view, coordinate->name))
            continue;
        rbv_table_word(&table, coordinate->name);
        rbv_table_word(&table, unit.text);
        rbv_table_number(&table,
                         rbv_page_figure(page, rbv_coordinate_unit(coordinate->name), coordinate->share) / unit.factor);
        if (!e->compliance)
            continue;
        const char *si = rbv_coordinate_unit(coordinate->name);
        const char *per_load = *si == 'r' ? "rad/(N.m)" : "m/N";
        RbvShownUnit yields = rbv_page_si(page, *si ? per_load : "");
        rbv_table_number(&table, e->compliance[k * (e->coordinates.count + 1)] / yields.factor);
        rbv_table_word(&table, yields.text);
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

static RbvShownUnit energy_unit(const RbvPage *page) {
    return rbv_page_si(page, "J");
}

static double shown_energy(const RbvPage *page, const RbvEquilibrium *e) {
    return rbv_page_figure(page, "J", e->energy) / energy_unit(page).factor;
}

/* Curvature; 0 for a neutral equilibrium, whose curvature is rounding. */
static double curvature_of(const RbvEquilibrium *e) {
    return e->stability && strcmp(e->stability, "neutral") == 0 && isfinite(e->curvature) ? 0 : e->curvature;
}

static void print_penalty(RbvPage *page, const RbvEquilibrium *e) {
    RbvShownUnit k = rbv_page_si(page, "N/m"), m = rbv_page_si(page, "m"), n = rbv_page_si(page, "N");
    rbv_text_format(&page->text, "penalty %.3g %s: positions are off by about %.2g %s, forces by %.2g %s\n",
                    e->penalty / k.factor, k.text, e->penalty_error / m.factor, m.text,
                    e->penalty_force_error / n.factor, n.text);
}

/* The equilibrium, its stability and how it was found. */
static void print_equilibrium(RbvPage *page) {
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
    rbv_text_format(text, "; method %s, %d step%s", e->method, (int)e->iterations, rbv_plural(e->iterations));
    if (e->rounds > 0)
        rbv_text_format(text, " in %d round%s", (int)e->rounds, rbv_plural(e->rounds));
    rbv_text_add(text, "\n");
    if (isfinite(e->penalty))
        print_penalty(page, e);
    print_resting_coordinates(page, e);
}

/* Adds a column for each of the first coordinates; the texts of the heads are stored in `heads`. Returns the number of
 * columns. */
static int32_t coordinate_columns(const RbvPage *page, RbvPageTable *table, char heads[MOST_COORDINATES][320]) {
    const RbvMode *names = &page->result->equilibrium.coordinates;
    int32_t shown = names->count < MOST_COORDINATES ? names->count : MOST_COORDINATES;
    for (int32_t c = 0; c < shown; c++) {
        snprintf(heads[c], sizeof heads[c], "%s [%.40s]", names->shares[c].name,
                 coordinate_unit(page, names->shares[c].name).text);
        rbv_table_column(table, heads[c], RBV_TABLE_SPARE);
    }
    return shown;
}

static void coordinate_cells(const RbvPage *page, RbvPageTable *table, const RbvEquilibrium *e, int32_t shown) {
    for (int32_t c = 0; c < shown; c++)
        rbv_table_number(table, rbv_page_figure(page, rbv_coordinate_unit(e->coordinates.shares[c].name),
                                                e->coordinates.shares[c].share) /
                                    coordinate_unit(page, e->coordinates.shares[c].name).factor);
}

/* With --all: every equilibrium found, with the first coordinates. */
static void print_equilibria(RbvPage *page) {
    const RbvResult *result = page->result;
    RbvPageTable table = {0};
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
    RbvPageTable table;
    int32_t shown;
} Path;

static void print_place(Path *path, const char *what, double at, const RbvEquilibrium *e) {
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
static void print_places(Path *path) {
    char heads[MOST_COORDINATES][320], at[120], energy[60];
    const RbvFollowed *f = path->f;
    snprintf(at, sizeof at, *path->unit.text ? "%.60s [%.40s]" : "%.60s", f->parameter, path->unit.text);
    rbv_table_column(&path->table, "place", RBV_TABLE_WORD);
    rbv_table_column(&path->table, at, RBV_TABLE_NUMBER);
    snprintf(energy, sizeof energy, "energy [%.40s]", energy_unit(path->page).text);
    rbv_table_column(&path->table, energy, RBV_TABLE_NUMBER);
    path->shown = coordinate_columns(path->page, &path->table, heads);
    print_place(path, "start", f->from, &path->page->result->equilibrium);
    for (int32_t k = 0; k < f->event_count; k++) {
        char name[200];
        event_name(&f->events[k], name, sizeof name);
        print_place(path, name, f->events[k].at, &f->events[k].place);
        if (f->events[k].lands)
            print_place(path, "  lands", f->events[k].at, &f->events[k].landing);
    }
    if (f->last.found)
        print_place(path, "end", f->reached, &f->last);
    rbv_table_print(&path->table, &path->page->text, path->page->view.width);
}

static void print_path_event(const Path *path, const RbvEvent *e) {
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

static void print_followed(RbvPage *page) {
    const RbvFollowed *f = &page->result->followed;
    Path path = {.page = page, .f = f, .unit = rbv_page_unit(page, 0)};
    const char *blank = *path.unit.text ? " " : "";
    rbv_text_format(&page->text, "along %s from %.9g to %.9g%s%s: %d places, %s, %.9g%s%s\n", f->parameter,
                    f->from / path.unit.factor, f->to / path.unit.factor, blank, path.unit.text,
                    (int)page->result->sample_count, f->ended, f->reached / path.unit.factor, blank, path.unit.text);
    print_places(&path);
    for (int32_t k = 0; k < f->event_count; k++)
        print_path_event(&path, &f->events[k]);
}

/* "from 2 N to no upper end" */
static void print_interval(RbvText *text, const double end[2], RbvShownUnit unit) {
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
static void print_held(RbvPage *page) {
    const RbvHoldable *h = &page->result->held;
    RbvText *text = &page->text;
    RbvShownUnit unit = rbv_page_si(page, h->unit);
    rbv_text_format(text, "friction holds this place with %s ", h->parameter);
    for (int32_t k = 0; k < h->count; k++) {
        rbv_text_add(text, k ? ", and " : "");
        print_interval(text, h->end[k], unit);
    }
    rbv_text_format(text, "; it is %.9g%s%s, which %s\n", h->at / unit.factor, *unit.text ? " " : "", unit.text,
                    h->at >= h->end[0][0] && h->at <= h->end[0][1] ? "holds" : "does not");
    for (int32_t k = 0; k < h->at_limit_count; k++)
        rbv_text_format(text, "%s%s%s", k ? ", " : "at the limit at an end: ", h->at_limit[k],
                        k + 1 == h->at_limit_count ? "\n" : "");
}

void rbv_page_statics(RbvPage *page) {
    if (page->result->held.parameter)
        print_held(page);
    if (!page->result->equilibrium.found)
        return;
    if (page->result->followed.parameter)
        print_followed(page);
    else
        print_equilibrium(page);
    if (page->result->equilibrium_starts > 0)
        print_equilibria(page);
}
