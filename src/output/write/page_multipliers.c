/* Multipliers of natural coordinates: what each row constrains, lambda of the row as it is written, and the force that
 * lambda means. */
#include "output/write/page.h"

#include <math.h>
#include <string.h>

/* Part of the largest lambda below which a lambda that means no force is rounding, shown as 0. */
#define NOTHING 1e-10

static double largest(const RbvNaturalNote *natural) {
    double most = 0;
    for (int32_t k = 0; k < natural->row_count; k++)
        most = fmax(most, fabs(natural->rows[k].lambda));
    return most;
}

/* What the row constrains; of "scalar product (A - B) . u" only "(A - B) . u". */
static const char *held(const RbvMultiplierNote *row) {
    static const char product[] = "scalar product ";
    return strncmp(row->holds, product, sizeof product - 1) == 0 ? row->holds + sizeof product - 1 : row->holds;
}

/* Value rounded to the decimal place of its error; error 0: all digits. */
static double rounded(double value, double error) {
    double last = error > 0 && isfinite(error) ? pow(10, floor(log10(error))) : 0;
    return last > 0 ? last * round(value / last) : value;
}

static void entry(RbvPage *page, RbvTable *table, const RbvMultiplierNote *row, double most) {
    const double error = page->result->natural.yields ? page->result->natural.error : 0;
    RbvShownUnit unit = rbv_view_unit(&page->view, page->result, row->unit);
    bool nothing = row->meant ? rbv_page_figure(page, row->unit, row->value) == 0 : fabs(row->lambda) <= NOTHING * most;
    rbv_table_word(table, row->row);
    rbv_table_word(table, row->body ? held(row) : ""); /* other rows are described by their names */
    rbv_table_number(
        table,
        nothing ? 0
                : rounded(row->lambda, row->meant && row->value != 0 ? error * fabs(row->lambda / row->value) : error));
    rbv_table_word(table, row->brief);
    rbv_table_word(table, row->meant ? unit.text : "");
    if (row->meant)
        rbv_table_number(table, rbv_page_figure(page, row->unit, rounded(row->value, error)) / unit.factor);
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
    if (!natural->yields)
        return;
    RbvShownUnit kg = rbv_view_unit(&page->view, page->result, "kg"),
                 force = rbv_view_unit(&page->view, page->result, "N");
    rbv_text_format(&page->text, "penalty %.3g %s on these rows: forces are off by about %.1g %s",
                    natural->alpha / kg.factor, kg.text, natural->error / force.factor, force.text);
    if (natural->augmented)
        rbv_text_format(&page->text, "; multipliers taken over in %d rounds", (int)natural->rounds);
    rbv_text_add(&page->text, "\n");
}
