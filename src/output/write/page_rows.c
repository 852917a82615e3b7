/* Table of check --rows: each constraint row, what it constrains, and whether its multiplier is unique. */
#include "output/write/page.h"

void rbv_page_rows(RbvPage *page) {
    const RbvResult *result = page->result;
    RbvTable table = {0};
    if (!page->view.rows || result->row_count == 0)
        return;
    rbv_table_column(&table, "row of", RBV_TABLE_WORD);
    rbv_table_column(&table, "holds", RBV_TABLE_WORD);
    rbv_table_column(&table, "multiplier", RBV_TABLE_WORD);
    rbv_table_column(&table, "redundant alone", RBV_TABLE_WORD);
    for (int32_t k = 0; k < result->row_count; k++) {
        const RbvRowVerdict *row = &result->rows[k];
        if (!rbv_view_shows(&page->view, row->entry->name))
            continue;
        rbv_table_word(&table, row->entry->name);
        rbv_table_word(&table, row->holds);
        rbv_table_word(&table, rbv_verdict_name(row->verdict));
        rbv_table_word(&table, row->verdict == RBV_NOT_UNIQUE ? "yes" : row->verdict == RBV_UNIQUE ? "no" : "?");
    }
    rbv_table_print(&table, &page->text, page->view.width);
    if (result->multipliers.tested)
        rbv_text_format(&page->text, "\nmultipliers that balance the loads at rest %s: residual %.2g of the loads\n",
                        result->multipliers.exist ? "exist" : "do not exist", result->multipliers.residual);
}
