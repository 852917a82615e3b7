/* Multipliers of natural coordinates: what each row holds, lambda of the row as it is written, the force that it stands for. */
#include "write/page.h"

#include <math.h>
#include <string.h>

/* Of the largest lambda: what stands for no force is rounding below. */
#define NOTHING 1e-10

static double largest(const RbvNaturalNote *natural) {
    double most = 0;
    for (int32_t k = 0; k < natural->row_count; k++)
        most = fmax(most, fabs(natural->rows[k].lambda));
    return most;
}

/* "(A - B) . u" of a scalar product: the dot says it. */
static const char *held(const RbvMultiplierNote *row) {
    static const char product[] = "scalar product ";
    return strncmp(row->holds, product, sizeof product - 1) == 0 ? row->holds + sizeof product - 1 : row->holds;
}

static void entry(RbvPage *page, RbvTable *table, const RbvMultiplierNote *row, double most) {
    RbvShownUnit unit = rbv_view_unit(&page->view, page->result, row->unit);
    bool nothing = row->meant ? rbv_page_figure(page, row->unit, row->value) == 0 : fabs(row->lambda) <= NOTHING * most;
    rbv_table_word(table, row->row);
    rbv_table_word(table, row->body ? held(row) : ""); /* of others the name says it */
    rbv_table_number(table, nothing ? 0 : row->lambda);
    rbv_table_word(table, row->brief);
    rbv_table_word(table, row->meant ? unit.text : "");
    if (row->meant)
        rbv_table_number(table, rbv_page_figure(page, row->unit, row->value) / unit.factor);
    else
        rbv_table_word(table, "");
    rbv_table_word(table, row->meant ? rbv_verdict_name(row->verdict) : "meaningless");
}

void rbv_page_multipliers(RbvPage *page) {
    const RbvNaturalNote *natural = &page->result->natural;
    RbvTable table = {0};
    if (!natural->shown || !natural->found)
        return;
    rbv_table_column(&table, "multiplier", RBV_TABLE_WORD);
    rbv_table_column(&table, "holds", RBV_TABLE_WORD);
    rbv_table_column(&table, "lambda", RBV_TABLE_NUMBER);
    rbv_table_column(&table, "stands for", RBV_TABLE_WORD);
    rbv_table_column(&table, "unit", RBV_TABLE_WORD);
    rbv_table_column(&table, "value", RBV_TABLE_NUMBER);
    rbv_table_column(&table, "verdict", RBV_TABLE_WORD);
    for (int32_t k = 0; k < natural->row_count; k++)
        if (rbv_view_shows(&page->view, natural->rows[k].row))
            entry(page, &table, &natural->rows[k], largest(natural));
    rbv_table_print(&table, &page->text, page->view.width);
}
