/* Natural coordinates: points and vectors with the bodies that share them, bodies with their types, rigid rows. */
#include "output/write/page.h"

#include <stdio.h>

static void basics(RbvPage *page, const RbvCoordinatesNote *c) {
    RbvTable table = {0};
    rbv_table_column(&table, "basic", RBV_TABLE_WORD);
    rbv_table_column(&table, "is a", RBV_TABLE_WORD);
    rbv_table_column(&table, "of", RBV_TABLE_WORD);
    for (int32_t k = 0; k < c->basic_count; k++) {
        const RbvBasicNote *basic = &c->basics[k];
        char of[400];
        size_t used = (size_t)snprintf(of, sizeof of, "%s", basic->ground ? "ground" : "");
        for (int32_t b = 0; b < basic->body_count && used < sizeof of; b++)
            used += (size_t)snprintf(of + used, sizeof of - used, "%s%s", used ? ", " : "", basic->bodies[b]);
        rbv_table_word(&table, basic->name);
        rbv_table_word(&table, basic->vector ? "unit vector" : "point");
        rbv_table_word(&table, of);
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

static void bodies(RbvPage *page, const RbvCoordinatesNote *c) {
    RbvTable table = {0};
    char numbers[24], rows[24];
    rbv_table_column(&table, "body", RBV_TABLE_WORD);
    rbv_table_column(&table, "by", RBV_TABLE_WORD);
    rbv_table_column(&table, "numbers", RBV_TABLE_WORD);
    rbv_table_column(&table, "rigid rows", RBV_TABLE_WORD);
    rbv_table_column(&table, "mass matrix", RBV_TABLE_WORD);
    for (int32_t k = 0; k < c->body_count; k++) {
        const RbvBodyNote *body = &c->bodies[k];
        snprintf(numbers, sizeof numbers, "%d", (int)body->numbers);
        snprintf(rows, sizeof rows, "%d", (int)body->rows);
        rbv_table_word(&table, body->name);
        rbv_table_word(&table, body->type);
        rbv_table_word(&table, numbers);
        rbv_table_word(&table, rows);
        rbv_table_word(&table, body->constant_mass ? "constant" : "changes");
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

static void rows(RbvPage *page, const RbvCoordinatesNote *c) {
    RbvTable table = {0};
    rbv_table_column(&table, "rigid row of", RBV_TABLE_WORD);
    rbv_table_column(&table, "holds", RBV_TABLE_WORD);
    for (int32_t k = 0; k < c->row_count; k++) {
        rbv_table_word(&table, c->rows[k].body);
        rbv_table_word(&table, c->rows[k].holds);
    }
    if (c->row_count > 0)
        rbv_table_print(&table, &page->text, page->view.width);
}

static void measured(RbvPage *page, const RbvCoordinatesNote *c) {
    RbvTable table = {0};
    rbv_table_column(&table, "number of q", RBV_TABLE_WORD);
    rbv_table_column(&table, "is the", RBV_TABLE_WORD);
    rbv_table_column(&table, "by the row", RBV_TABLE_WORD);
    for (int32_t k = 0; k < c->measured_count; k++) {
        rbv_table_word(&table, c->measured[k].name);
        rbv_table_word(&table, c->measured[k].of);
        rbv_table_word(&table, c->measured[k].row);
    }
    if (c->measured_count > 0)
        rbv_table_print(&table, &page->text, page->view.width);
}

void rbv_page_coordinates(RbvPage *page) {
    const RbvCoordinatesNote *c = &page->result->coordinates;
    if (!c->kind)
        return;
    rbv_text_format(&page->text,
                    "\n%s coordinates: %d numbers, %d rigid rows, %d rows of joints, constraints and drives that "
                    "sharing does not keep\n",
                    c->kind, (int)c->numbers, (int)c->row_count, (int)c->rest);
    basics(page, c);
    bodies(page, c);
    rows(page, c);
    measured(page, c);
}
