/* Modes of the linearised motion, its state space, and roots along a parameter. */
#include "output/write/sections.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "modes": [{frequency, damping, eigenvalue, shape, participation}], and "linearised": the state of the linearisation.
 */

void rbv_json_shares(RbvJson *json, const char *name, const RbvMode *mode) {
    rbv_json_open(json, name, "{");
    for (int32_t n = 0; n < mode->count; n++)
        rbv_json_number(json, mode->shares[n].name, mode->shares[n].share);
    rbv_json_close(json, "}");
}

/* "bodies": {name: {"at": [[re, im], ...], "turn": [...]}} */
static void write_moving_bodies(RbvJson *json, const RbvOscillation *o) {
    rbv_json_open(json, "bodies", "{");
    for (int32_t b = 0; b < o->body_count; b++) {
        rbv_json_open(json, o->bodies[b].name, "{");
        for (int turns = 0; turns < 2; turns++) {
            rbv_json_open(json, turns ? "turn" : "at", "[");
            for (int axis = 0; axis < 3; axis++)
                rbv_json_numbers(json, NULL, turns ? o->bodies[b].turn[axis] : o->bodies[b].at[axis], 2);
            rbv_json_close(json, "]");
        }
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

static void write_oscillation(RbvJson *json, const RbvOscillation *o) {
    rbv_json_open(json, NULL, "{");
    rbv_json_number(json, "frequency", o->frequency);
    rbv_json_number(json, "damping", o->damping);
    rbv_json_numbers(json, "eigenvalue", (const double[]){o->re, o->im}, 2);
    rbv_json_open(json, "shape", "{");
    for (int32_t k = 0; k < o->shape_count; k++)
        rbv_json_numbers(json, o->shape[k].name, (const double[]){o->shape[k].re, o->shape[k].im}, 2);
    rbv_json_close(json, "}");
    if (o->body_count > 0)
        write_moving_bodies(json, o);
    rbv_json_shares(json, "participation", &o->participation);
    rbv_json_close(json, "}");
}

void rbv_json_open_followed(RbvJson *json, const RbvFollowed *f) {
    rbv_json_open(json, "follow", "{");
    rbv_json_string(json, "parameter", f->parameter);
    rbv_json_string(json, "unit", f->unit);
    rbv_json_number(json, "from", f->from);
    rbv_json_number(json, "to", f->to);
    rbv_json_number(json, "reached", f->reached);
}

static void write_followed_roots(RbvJson *json, const RbvResult *result) {
    const RbvFollowed *f = &result->followed;
    const RbvOscillations *list = &result->oscillations;
    rbv_json_open_followed(json, f);
    rbv_json_open(json, "events", "[");
    for (int32_t k = 0; k < list->event_count; k++) {
        const RbvOscillationEvent *e = &list->events[k];
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "kind", e->kind);
        rbv_json_number(json, "at", e->at);
        rbv_json_integer(json, "mode", e->mode);
        rbv_json_numbers(json, "eigenvalue", (const double[]){e->re, e->im}, 2);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    rbv_json_close(json, "}");
}

static void write_signals(RbvJson *json, const char *name, const RbvSignal *list, int32_t count) {
    rbv_json_open(json, name, "[");
    for (int32_t k = 0; k < count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "name", list[k].name);
        rbv_json_string(json, "unit", list[k].unit);
        if (strcmp(name, "outputs") == 0)
            rbv_json_number(json, "at", list[k].at);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
}

static void write_matrix(RbvJson *json, const char *name, const double *values, int32_t rows, int32_t columns) {
    rbv_json_open(json, name, "[");
    for (int32_t k = 0; k < rows; k++)
        rbv_json_numbers(json, NULL, values + (size_t)k * (size_t)columns, columns);
    rbv_json_close(json, "]");
}

static void write_state_space(RbvJson *json, const RbvStateSpace *space) {
    rbv_json_open(json, "state_space", "{");
    write_signals(json, "states", space->state, space->states);
    write_signals(json, "inputs", space->input, space->inputs);
    write_signals(json, "outputs", space->output, space->outputs);
    write_matrix(json, "A", space->A, space->states, space->states);
    write_matrix(json, "B", space->B, space->states, space->inputs);
    write_matrix(json, "C", space->C, space->outputs, space->states);
    write_matrix(json, "D", space->D, space->outputs, space->inputs);
    rbv_json_close(json, "}");
}

void rbv_json_modes(RbvJson *json, const RbvResult *result) {
    const RbvOscillations *list = &result->oscillations;
    if (!list->found)
        return;
    rbv_json_open(json, "linearised", "{");
    rbv_json_string(json, "about", list->equilibrium ? "equilibrium" : "state");
    rbv_json_number(json, "time", list->time);
    rbv_json_integer(json, "freedoms", list->freedoms);
    rbv_json_close(json, "}");
    rbv_json_open(json, "modes", "[");
    for (int32_t k = 0; k < list->count; k++)
        write_oscillation(json, &list->items[k]);
    rbv_json_close(json, "]");
    if (list->has_space)
        write_state_space(json, &list->space);
    if (result->followed.parameter)
        write_followed_roots(json, result);
}

/* The page: frequency, damping, eigenvalue, and the coordinates that move. */

/* Coordinates are named beside a mode if they move by at least this part of the largest; MOST_NAMED at most. */
#define NAMED 0.1
#define MOST_NAMED 3
/* Magnitudes that differ by less than this part are taken as equal and sorted by name. */
#define EQUAL 1e-6

/* Names of the coordinates that move most; equal ones in alphabetical order. */
static void print_moving(RbvPageTable *table, const RbvOscillation *o) {
    RbvText text = {0};
    int32_t named[MOST_NAMED];
    for (int count = 0; count < MOST_NAMED; count++) {
        double size = NAMED;
        named[count] = -1;
        for (int32_t k = 0; k < o->shape_count; k++) {
            double part = hypot(o->shape[k].re, o->shape[k].im);
            bool listed = false;
            for (int n = 0; n < count; n++)
                listed = listed || named[n] == k;
            bool equal = named[count] >= 0 && fabs(part - size) <= EQUAL * size;
            if (!listed && (equal ? strcmp(o->shape[k].name, o->shape[named[count]].name) < 0 : part > size))
                size = fmax(part, size), named[count] = k;
        }
        if (named[count] < 0)
            break;
        rbv_text_format(&text, "%s%s", count ? ", " : "", o->shape[named[count]].name);
        if (size < 1 - 1e-6)
            rbv_text_format(&text, " %.2g", size);
    }
    char *words = rbv_text_take(&text);
    table->no_memory = table->no_memory || !words;
    rbv_table_word(table, words ? words : "");
    free(words);
}

static void print_oscillations(RbvPage *page) {
    const RbvOscillations *list = &page->result->oscillations;
    RbvPageTable table = {0};
    rbv_table_column(&table, "mode", RBV_TABLE_WORD);
    rbv_table_column(&table, "frequency [Hz]", RBV_TABLE_NUMBER);
    rbv_table_column(&table, "damping", RBV_TABLE_NUMBER);
    rbv_table_column(&table, "re [1/s]", RBV_TABLE_SPARE);
    rbv_table_column(&table, "im [rad/s]", RBV_TABLE_SPARE);
    rbv_table_column(&table, "moves most", RBV_TABLE_WORD);
    for (int32_t k = 0; k < list->count; k++) {
        const RbvOscillation *o = &list->items[k];
        double size = hypot(o->re, o->im);
        char number[16];
        snprintf(number, sizeof number, "%d", (int)k + 1);
        rbv_table_word(&table, number);
        rbv_table_number(&table, o->frequency);
        rbv_table_number(&table, fabs(o->damping) < 1e-12 ? 0 : o->damping);
        rbv_table_number(&table, fabs(o->re) < 1e-12 * size ? 0 : o->re);
        rbv_table_number(&table, o->im);
        print_moving(&table, o);
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

static void print_root_crossings(RbvPage *page) {
    const RbvResult *result = page->result;
    const RbvOscillations *list = &result->oscillations;
    const RbvFollowed *f = &result->followed;
    RbvShownUnit unit = f->shown.text ? f->shown : (RbvShownUnit){f->unit, 1};
    char head[120];
    if (list->event_count == 0) {
        rbv_text_add(&page->text, "no root crosses to the unstable side, or back, on the way\n");
        return;
    }
    RbvPageTable table = {0};
    snprintf(head, sizeof head, *unit.text ? "%.60s [%.40s]" : "%.60s%.0s", f->parameter, unit.text);
    rbv_table_column(&table, "", RBV_TABLE_WORD);
    rbv_table_column(&table, head, RBV_TABLE_NUMBER);
    rbv_table_column(&table, "mode", RBV_TABLE_NUMBER);
    rbv_table_column(&table, "im [rad/s]", RBV_TABLE_NUMBER);
    for (int32_t k = 0; k < list->event_count; k++) {
        const RbvOscillationEvent *e = &list->events[k];
        rbv_table_word(&table, e->kind);
        rbv_table_number(&table, e->at / unit.factor);
        rbv_table_number(&table, e->mode);
        rbv_table_number(&table, e->im);
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

static void print_signals(RbvPage *page, const char *what, const RbvSignal *list, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        rbv_text_format(&page->text, "%s%s", k ? ", " : what, list[k].name);
    rbv_text_add(&page->text, count > 0 ? "\n" : "");
}

static void print_state_space(RbvPage *page, const RbvStateSpace *space) {
    rbv_text_add(&page->text, "\nstate space x' = A x + B u, y = C x + D u, in result.json\n");
    print_signals(page, "states x: ", space->state, space->states);
    print_signals(page, "inputs u: ", space->input, space->inputs);
    print_signals(page, "outputs y: ", space->output, space->outputs);
}

void rbv_page_modes(RbvPage *page) {
    const RbvResult *result = page->result;
    const RbvOscillations *list = &result->oscillations;
    if (!list->found)
        return;
    int32_t unstable = 0;
    for (int32_t k = 0; k < list->count; k++)
        unstable += list->items[k].re > 1e-9 * hypot(list->items[k].re, list->items[k].im);
    rbv_text_format(&page->text, "small motions about %s at t = %.6g s",
                    list->equilibrium ? "the equilibrium" : "the state", list->time);
    if (result->followed.parameter)
        rbv_text_format(&page->text, ", where %s begins", result->followed.parameter);
    if (unstable)
        rbv_text_format(&page->text, ": %d of %d mode%s grow%s\n", (int)unstable, (int)list->count,
                        rbv_plural(list->count), *rbv_plural(unstable) ? "" : "s");
    else if (list->sought > 0 && list->count > 0)
        rbv_text_format(&page->text, ": none of these %d mode%s grows\n", (int)list->count, rbv_plural(list->count));
    else
        rbv_text_add(&page->text, list->count == 0 ? ": nothing can move\n" : ": no mode grows\n");
    if (list->growing > 0)
        rbv_text_format(&page->text, "%d mode%s of higher frequency grow%s\n", (int)list->growing,
                        rbv_plural(list->growing), list->growing == 1 ? "s" : "");
    print_oscillations(page);
    if (list->has_space)
        print_state_space(page, &list->space);
    if (result->followed.parameter)
        print_root_crossings(page);
}
