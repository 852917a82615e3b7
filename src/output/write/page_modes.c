/* Modes on a page: frequency, damping, eigenvalue, and the coordinates that move. */
#include "output/write/page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Coordinates are named beside a mode if they move by at least this part of the largest; MOST_NAMED at most. */
#define NAMED 0.1
#define MOST_NAMED 3
/* Magnitudes that differ by less than this part are taken as equal and sorted by name. */
#define EQUAL 1e-6

/* Names of the coordinates that move most; equal ones in alphabetical order. */
static void moves(RbvTable *table, const RbvOscillation *o) {
    RbvText text = {0};
    int32_t named[MOST_NAMED];
    for (int count = 0; count < MOST_NAMED; count++) {
        double size = NAMED;
        named[count] = -1;
        for (int32_t k = 0; k < o->shape_count; k++) {
            double part = hypot(o->shape[k].re, o->shape[k].im);
            bool said = false;
            for (int n = 0; n < count; n++)
                said = said || named[n] == k;
            bool equal = named[count] >= 0 && fabs(part - size) <= EQUAL * size;
            if (!said && (equal ? strcmp(o->shape[k].name, o->shape[named[count]].name) < 0 : part > size))
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

static void table_of(RbvPage *page) {
    const RbvOscillations *list = &page->result->oscillations;
    RbvTable table = {0};
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
        moves(&table, o);
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

static void events(RbvPage *page) {
    const RbvResult *result = page->result;
    const RbvOscillations *list = &result->oscillations;
    const RbvFollowed *f = &result->followed;
    RbvShownUnit unit = f->shown.text ? f->shown : (RbvShownUnit){f->unit, 1};
    char head[120];
    if (list->event_count == 0) {
        rbv_text_add(&page->text, "no root crosses to the unstable side, or back, on the way\n");
        return;
    }
    RbvTable table = {0};
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

static void names(RbvPage *page, const char *what, const RbvSignal *list, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        rbv_text_format(&page->text, "%s%s", k ? ", " : what, list[k].name);
    rbv_text_add(&page->text, count > 0 ? "\n" : "");
}

static void state_space(RbvPage *page, const RbvStateSpace *space) {
    rbv_text_add(&page->text, "\nstate space x' = A x + B u, y = C x + D u, in result.json\n");
    names(page, "states x: ", space->state, space->states);
    names(page, "inputs u: ", space->input, space->inputs);
    names(page, "outputs y: ", space->output, space->outputs);
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
    rbv_text_format(&page->text,
                    list->count == 0 ? ": nothing can move\n"
                    : unstable       ? ": %d of %d mode%s grow%s\n"
                                     : ": no mode grows\n",
                    (int)unstable, (int)list->count, list->count == 1 ? "" : "s", unstable == 1 ? "s" : "");
    table_of(page);
    if (list->has_space)
        state_space(page, &list->space);
    if (result->followed.parameter)
        events(page);
}
