/* assemble: R and dR/dz of the null space, potential and generalized force of each load, in SI units. */
#include "output/write/page.h"

#include <math.h>
#include <stdio.h>

/* Largest number of columns besides the name; larger tables stand in result.json only. */
#define MOST_COLUMNS 9
/* Part of the largest number of a table below which a number is rounding. */
#define NOTHING 1e-14

static double largest(const double *x, size_t count) {
    double most = 0;
    for (size_t k = 0; k < count; k++)
        most = fmax(most, fabs(x[k]));
    return most;
}

static void number(RbvTable *table, double x, double most) {
    rbv_table_number(table, fabs(x) <= NOTHING * most ? 0 : x);
}

static void null_space(RbvPage *page, const RbvNullSpaceNote *note) {
    const size_t n = (size_t)note->n, f = (size_t)note->count;
    const int32_t pairs = note->count * (note->count + 1) / 2;
    char heads[2 * MOST_COLUMNS][90];
    RbvTable table = {0};
    int32_t head = 0;
    if (note->missing)
        rbv_text_format(&page->text, "\nno null space: %s\n", note->missing);
    if (!note->found)
        return;
    rbv_text_format(&page->text, "\nnull space: %d numbers of v, %d independent coordinates z; v = R z'\n",
                    (int)note->n, (int)note->count);
    if (note->count < 1 || note->count + pairs > MOST_COLUMNS)
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
    double most = largest(note->R, n * f), second = largest(note->second, n * f * f);
    for (size_t i = 0; i < n; i++) {
        rbv_table_word(&table, note->coordinates[i]);
        for (size_t k = 0; k < f; k++)
            number(&table, note->R[i * f + k], most);
        for (size_t j = 0; j < f; j++)
            for (size_t k = j; k < f; k++)
                number(&table, note->second[(j * f + k) * n + i], second);
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

static void load_forces(RbvPage *page, const RbvLoadForces *loads) {
    char heads[MOST_COLUMNS][90];
    RbvTable table = {0};
    double most = 0;
    bool all = loads->n < MOST_COLUMNS;
    if (!loads->found)
        return;
    rbv_table_column(&table, "load", RBV_TABLE_WORD);
    rbv_table_column(&table, "V [J]", RBV_TABLE_NUMBER);
    for (int32_t i = 0; all && i < loads->n; i++) {
        snprintf(heads[i], sizeof heads[i], "Q %.80s", loads->coordinates[i]);
        rbv_table_column(&table, heads[i], RBV_TABLE_NUMBER);
    }
    for (int32_t k = 0; k < loads->count; k++)
        most = fmax(most, largest(loads->items[k].Q, (size_t)loads->n));
    for (int32_t k = 0; k < loads->count; k++) {
        rbv_table_word(&table, loads->items[k].name);
        rbv_table_number(&table, loads->items[k].potential);
        for (int32_t i = 0; all && i < loads->n; i++)
            number(&table, loads->items[k].Q[i], most);
    }
    rbv_table_print(&table, &page->text, page->view.width);
    if (!all)
        rbv_text_format(&page->text, "generalized forces over %d numbers in result.json\n", (int)loads->n);
}

void rbv_page_terms(RbvPage *page) {
    load_forces(page, &page->result->load_forces);
    null_space(page, &page->result->null_space);
}
