/* The state of assemble: coordinates and what determines them, poses, velocities, residuals of joints; on request
 * Udwadia's equation, the null space, the forces of each load. */
#include "output/write/sections.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Members of result.json. */

/* Numbers of the orientation of a body in the series: an angle in the plane, a quaternion in space, none of a particle.
 */
static int32_t orientation_numbers(const RbvPlacedBody *body) {
    const int32_t turning = body->spatial ? 4 : 1;
    return body->turns ? turning : 0;
}

/* assemble: a body at the state at `from`. The first row of the series has its at[], turn[] and their rates one after
 * the other from body->first on. */
static void write_assembled_body(RbvJson *json, const RbvResult *result, const RbvPlacedBody *body) {
    const double *at = result->data + body->first;
    const int32_t moves = body->spatial ? 3 : 2, turn = orientation_numbers(body);
    rbv_json_open(json, body->name, "{");
    rbv_json_numbers(json, "at", at, moves);
    if (turn == 1)
        rbv_json_number(json, "angle", at[moves]);
    if (turn == 4)
        rbv_json_numbers(json, "quaternion", at + moves, 4);
    at += moves + turn;
    rbv_json_numbers(json, "velocity", at, moves);
    if (turn == 1)
        rbv_json_number(json, "angular_velocity", at[moves]);
    if (turn == 4)
        rbv_json_numbers(json, "angular_velocity", at + moves, 3);
    rbv_json_number(json, "moved", body->moved);
    if (turn)
        rbv_json_number(json, "turned", body->turned);
    rbv_json_close(json, "}");
}

static void write_assembled_residuals(RbvJson *json, const RbvAssembled *a) {
    rbv_json_open(json, "residuals", "{");
    for (int32_t k = 0; k < a->residual_count; k++) {
        const RbvLeftOver *r = &a->residuals[k];
        rbv_json_open(json, r->name, "{");
        rbv_json_string(json, "kind", r->kind);
        rbv_json_number(json, "length", r->length);
        rbv_json_number(json, "angle", r->angle);
        rbv_json_number(json, "length_rate", r->length_rate);
        rbv_json_number(json, "angle_rate", r->angle_rate);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

static void write_assembled(RbvJson *json, const RbvResult *result) {
    const RbvAssembled *a = &result->assembled;
    if (!a->found)
        return;
    rbv_json_open(json, "state", "{");
    rbv_json_number(json, "time", result->data[0]);
    rbv_json_open(json, "bodies", "{");
    for (int32_t k = 0; k < a->body_count; k++)
        write_assembled_body(json, result, &a->bodies[k]);
    rbv_json_close(json, "}");
    rbv_json_open(json, "coordinates", "{");
    for (int32_t k = 0; k < a->coordinate_count; k++)
        rbv_json_number(json, a->coordinates[k].name, a->coordinates[k].value);
    rbv_json_close(json, "}");
    rbv_json_open(json, "rates", "{");
    for (int32_t k = 0; k < a->coordinate_count; k++)
        rbv_json_number(json, a->coordinates[k].rate_name, a->coordinates[k].rate);
    rbv_json_close(json, "}");
    write_assembled_residuals(json, a);
    if (a->named)
        rbv_json_strings(json, "completed", a->completed, a->completed_count);
    else
        rbv_json_string(json, "completed", NULL);
    rbv_json_close(json, "}");
}

/* "udwadia": {t, coordinates, rows, M, Q, A, ...}: vectors as lists, matrices as lists of rows. */

static void write_array(RbvJson *json, const RbvArray *a) {
    if (a->columns < 0) { /* a vector */
        rbv_json_numbers(json, a->name, a->values, a->rows);
        return;
    }
    rbv_json_open(json, a->name, "[");
    for (int32_t k = 0; k < a->rows; k++)
        rbv_json_numbers(json, NULL, a->values + (size_t)k * (size_t)a->columns, a->columns);
    rbv_json_close(json, "]");
}

static void write_udwadia(RbvJson *json, const RbvUdwadiaRecord *u) {
    if (!u->found)
        return;
    rbv_json_open(json, "udwadia", "{");
    rbv_json_number(json, "t", u->t);
    rbv_json_string(json, "root", u->root);
    rbv_json_strings(json, "coordinates", (const char *const *)u->coordinates, u->n);
    rbv_json_strings(json, "rows", (const char *const *)u->rows, u->m);
    rbv_json_integer(json, "rank", u->rank);
    for (int32_t k = 0; k < u->array_count; k++)
        write_array(json, &u->array[k]);
    for (int32_t k = 0; k < u->figure_count; k++)
        rbv_json_number(json, u->figure[k].name, u->figure[k].value);
    rbv_json_close(json, "}");
}

/* "null_space": {coordinates, z, R: a row for each coordinate, dR: for each pair of z a vector over the coordinates};
 * "load_forces": {coordinates, loads: {name: {potential, Q}}}. */

static void write_null_space(RbvJson *json, const RbvNullSpaceNote *note) {
    const size_t n = (size_t)note->n, f = (size_t)note->count;
    if (!note->found && !note->missing)
        return;
    rbv_json_open(json, "null_space", "{");
    if (note->missing) {
        rbv_json_string(json, "missing", note->missing);
        rbv_json_close(json, "}");
        return;
    }
    rbv_json_strings(json, "coordinates", (const char *const *)note->coordinates, note->n);
    rbv_json_strings(json, "z", (const char *const *)note->z, note->count);
    rbv_json_open(json, "R", "[");
    for (size_t i = 0; i < n; i++)
        rbv_json_numbers(json, NULL, note->R + i * f, note->count);
    rbv_json_close(json, "]");
    rbv_json_open(json, "dR", "[");
    for (size_t j = 0; j < f; j++) {
        rbv_json_open(json, NULL, "[");
        for (size_t k = 0; k < f; k++)
            rbv_json_numbers(json, NULL, note->second + (j * f + k) * n, note->n);
        rbv_json_close(json, "]");
    }
    rbv_json_close(json, "]");
    rbv_json_close(json, "}");
}

static void write_load_forces(RbvJson *json, const RbvLoadForces *loads) {
    if (!loads->found)
        return;
    rbv_json_open(json, "load_forces", "{");
    rbv_json_strings(json, "coordinates", (const char *const *)loads->coordinates, loads->n);
    rbv_json_open(json, "loads", "{");
    for (int32_t k = 0; k < loads->count; k++) {
        rbv_json_open(json, loads->items[k].name, "{");
        rbv_json_number(json, "potential", loads->items[k].potential);
        rbv_json_numbers(json, "Q", loads->items[k].Q, loads->n);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
    rbv_json_close(json, "}");
}

void rbv_json_assembled(RbvJson *json, const RbvResult *result) {
    write_assembled(json, result);
    write_udwadia(json, &result->udwadia);
    write_null_space(json, &result->null_space);
    write_load_forces(json, &result->load_forces);
}

/* R and dR/dz of the null space, potential and generalized force of each load, on the page, in SI units. */

/* Largest number of columns besides the name; larger tables stand in result.json only. */
#define MOST_TERMS 9
/* Part of the largest number of a table below which a number is rounding. */
#define TERM_ROUNDING 1e-14

static double largest_number(const double *x, size_t count) {
    double most = 0;
    for (size_t k = 0; k < count; k++)
        most = fmax(most, fabs(x[k]));
    return most;
}

static void print_term(RbvPageTable *table, double x, double most) {
    rbv_table_number(table, fabs(x) <= TERM_ROUNDING * most ? 0 : x);
}

static void print_null_space(RbvPage *page, const RbvNullSpaceNote *note) {
    const size_t n = (size_t)note->n, f = (size_t)note->count;
    const int32_t pairs = note->count * (note->count + 1) / 2;
    char heads[2 * MOST_TERMS][90];
    RbvPageTable table = {0};
    int32_t head = 0;
    if (note->missing)
        rbv_text_format(&page->text, "\nno null space: %s\n", note->missing);
    if (!note->found)
        return;
    rbv_text_format(&page->text, "\nnull space: %d numbers of v, %d independent coordinates z; v = R z'\n",
                    (int)note->n, (int)note->count);
    if (note->count < 1 || note->count + pairs > MOST_TERMS)
        return;
    rbv_table_column(&table, "v", RBV_TABLE_WORD);
    for (size_t k = 0; k < f; k++, head++) {
        snprintf(heads[head], sizeof heads[head], "R %.80s", note->z[k]);
        rbv_table_column(&table, heads[head], RBV_TABLE_NUMBER);
    }
    for (size_t j = 0; j < f; j++)
        for (size_t k = j; k < f; k++, head++) {
            snprintf(heads[head], sizeof heads[head], "dr%d/dz%d", (int)j + 1, (int)k + 1);
            rbv_table_column(&table, heads[head], RBV_TABLE_NUMBER);
        }
    double most = largest_number(note->R, n * f), second = largest_number(note->second, n * f * f);
    for (size_t i = 0; i < n; i++) {
        rbv_table_word(&table, note->coordinates[i]);
        for (size_t k = 0; k < f; k++)
            print_term(&table, note->R[i * f + k], most);
        for (size_t j = 0; j < f; j++)
            for (size_t k = j; k < f; k++)
                print_term(&table, note->second[(j * f + k) * n + i], second);
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

static void print_load_forces(RbvPage *page, const RbvLoadForces *loads) {
    char heads[MOST_TERMS][90];
    RbvPageTable table = {0};
    double most = 0;
    bool all = loads->n < MOST_TERMS;
    if (!loads->found)
        return;
    rbv_table_column(&table, "load", RBV_TABLE_WORD);
    rbv_table_column(&table, "V [J]", RBV_TABLE_NUMBER);
    for (int32_t i = 0; all && i < loads->n; i++) {
        snprintf(heads[i], sizeof heads[i], "Q %.80s", loads->coordinates[i]);
        rbv_table_column(&table, heads[i], RBV_TABLE_NUMBER);
    }
    for (int32_t k = 0; k < loads->count; k++)
        most = fmax(most, largest_number(loads->items[k].Q, (size_t)loads->n));
    for (int32_t k = 0; k < loads->count; k++) {
        rbv_table_word(&table, loads->items[k].name);
        rbv_table_number(&table, loads->items[k].potential);
        for (int32_t i = 0; all && i < loads->n; i++)
            print_term(&table, loads->items[k].Q[i], most);
    }
    rbv_table_print(&table, &page->text, page->view.width);
    if (!all)
        rbv_text_format(&page->text, "generalized forces over %d numbers in result.json\n", (int)loads->n);
}

static void print_terms(RbvPage *page) {
    print_load_forces(page, &page->result->load_forces);
    print_null_space(page, &page->result->null_space);
}

/* The page. */

/* Largest number of residuals on a page; result.json has all. */
#define MOST_RESIDUALS 8

static void print_residuals(RbvPage *page) {
    const RbvAssembled *a = &page->result->assembled;
    static const char *const si[] = {"m", "rad", "m/s", "rad/s"};
    char heads[4][60];
    RbvPageTable table = {.digits = 2};
    rbv_table_column(&table, "residual of", RBV_TABLE_WORD);
    rbv_table_column(&table, "", RBV_TABLE_WORD);
    for (int n = 0; n < 4; n++) {
        snprintf(heads[n], sizeof heads[n], "[%.40s]", rbv_page_si(page, si[n]).text);
        rbv_table_column(&table, heads[n], RBV_TABLE_NUMBER);
    }
    int32_t shown = 0, more = 0;
    for (int32_t k = 0; k < a->residual_count; k++) {
        const RbvLeftOver *r = &a->residuals[k];
        if (!rbv_view_shows(&page->view, r->name))
            continue;
        if (shown++ >= MOST_RESIDUALS && page->view.only_count == 0) {
            more++;
            continue;
        }
        rbv_table_word(&table, r->name);
        rbv_table_word(&table, r->kind);
        const double left[] = {r->length, r->angle, r->length_rate, r->angle_rate};
        for (int n = 0; n < 4; n++)
            rbv_table_number(&table, rbv_page_figure(page, si[n], left[n]) / rbv_page_si(page, si[n]).factor);
    }
    rbv_table_print(&table, &page->text, page->view.width);
    if (more > 0)
        rbv_text_format(&page->text, "and %d others, none larger\n", (int)more);
}

static void print_coordinate_states(RbvPage *page) {
    const RbvAssembled *a = &page->result->assembled;
    RbvPageTable table = {0};
    rbv_table_column(&table, "coordinate", RBV_TABLE_WORD);
    rbv_table_column(&table, "value", RBV_TABLE_NUMBER);
    rbv_table_column(&table, "", RBV_TABLE_WORD);
    rbv_table_column(&table, "rate", RBV_TABLE_NUMBER);
    rbv_table_column(&table, "", RBV_TABLE_WORD);
    rbv_table_column(&table, "decided by", RBV_TABLE_WORD);
    for (int32_t k = 0; k < a->coordinate_count; k++) {
        const RbvCoordinateState *c = &a->coordinates[k];
        RbvShownUnit value = rbv_page_si(page, c->unit), rate = rbv_page_si(page, c->rate_unit);
        char by[80];
        const char *rate_by = *c->rate_by ? c->rate_by : "the others";
        if (strcmp(c->by, c->rate_by) == 0)
            snprintf(by, sizeof by, "%s", c->by);
        else
            snprintf(by, sizeof by, *c->by ? "%s, rate: %s" : "%srate: %s", c->by, rate_by);
        if (!rbv_view_shows(&page->view, c->name))
            continue;
        rbv_table_word(&table, c->name);
        rbv_table_number(&table, rbv_page_figure(page, c->unit, c->value) / value.factor);
        rbv_table_word(&table, value.text);
        rbv_table_number(&table, rbv_page_figure(page, c->rate_unit, c->rate) / rate.factor);
        rbv_table_word(&table, rate.text);
        rbv_table_word(&table, by);
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

/* Table of the bodies' positions and angles or quaternions, or (rates) of their velocities and angular velocities. A
 * particle has no angle. */
static void print_placed_bodies(RbvPage *page, const char *title, bool rates) {
    const RbvResult *result = page->result;
    const RbvAssembled *a = &result->assembled;
    RbvPageTable table = {0};
    char heads[9][60];
    static const struct {
        int32_t moves, turns[2]; /* numbers of a position, of an orientation and of an angular velocity */
        const char *move[2], *turn[2];
    } forms[2] = {{2, {1, 1}, {"m", "m/s"}, {"rad", "rad/s"}}, {3, {4, 3}, {"m", "m/s"}, {"", "rad/s"}}};
    const bool spatial = a->bodies[0].spatial;
    const int32_t moves = forms[spatial].moves, turns = forms[spatial].turns[rates];
    int32_t columns = 0;
    static const char *const plane[2][3] = {{"x", "y", "angle"}, {"vx", "vy", "omega"}};
    static const char *const space[2][7] = {{"x", "y", "z", "qw", "qx", "qy", "qz"},
                                            {"vx", "vy", "vz", "omegax", "omegay", "omegaz", ""}};
    rbv_table_column(&table, title, RBV_TABLE_WORD);
    for (int32_t n = 0; n < moves + turns; n++) {
        const char *si = n < moves ? forms[spatial].move[rates] : forms[spatial].turn[rates];
        snprintf(heads[columns], sizeof heads[columns], *si ? "%s [%.40s]" : "%s",
                 moves == 2 ? plane[rates][n] : space[rates][n], rbv_page_si(page, si).text);
        rbv_table_column(&table, heads[columns++], RBV_TABLE_NUMBER);
    }
    for (int32_t k = 0; k < a->body_count; k++) {
        const RbvPlacedBody *b = &a->bodies[k];
        int32_t first = b->first + (rates ? moves + orientation_numbers(b) : 0);
        if (!rbv_view_shows(&page->view, b->name))
            continue;
        rbv_table_word(&table, b->name);
        for (int32_t n = 0; n < moves + turns; n++)
            rbv_table_number(
                &table,
                n >= moves && !b->turns
                    ? (double)NAN
                    : rbv_page_figure(page, *result->columns[first + n].unit ? result->columns[first + n].unit : "rad",
                                      rbv_result_value(result, 0, first + n)) /
                          rbv_page_unit(page, first + n).factor);
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

static void print_completed(RbvPage *page) {
    const RbvAssembled *a = &page->result->assembled;
    for (int32_t k = 0; k < a->completed_count; k++)
        rbv_text_format(&page->text, "%s%s",
                        k ? ", " : "completed by the state nearest to the start: ", a->completed[k]);
    if (a->completed_count > 0)
        rbv_text_add(&page->text, "\n");
}

void rbv_page_assembled(RbvPage *page) {
    const RbvAssembled *a = &page->result->assembled;
    print_completed(page);
    rbv_page_outputs(page);
    print_coordinate_states(page);
    if (a->body_count > 0) {
        print_placed_bodies(page, "body", false);
        print_placed_bodies(page, "rates of", true);
    }
    print_residuals(page);
    print_terms(page);
    const RbvUdwadiaRecord *u = &page->result->udwadia;
    if (u->found)
        rbv_text_format(&page->text,
                        "\nUdwadia's equation in result.json: %d coordinates, %d constraint equations of rank %d, "
                        "Gauss' minimum %.6g\n",
                        (int)u->n, (int)u->m, (int)u->rank, u->figure[0].value);
}
