/* Tree of joint coordinates: each body, its parent and joint with their coordinates; cut joints, which leave rows. */
#include "output/write/page.h"

#include <stdio.h>

static void word(RbvTable *table, int32_t number) {
    char text[24];
    snprintf(text, sizeof text, "%d", (int)number);
    rbv_table_word(table, text);
}

static void tree_joints(RbvPage *page, const RbvTreeNote *tree) {
    RbvTable table = {0};
    rbv_table_column(&table, "body", RBV_TABLE_WORD);
    rbv_table_column(&table, "hangs on", RBV_TABLE_WORD);
    rbv_table_column(&table, "by", RBV_TABLE_WORD);
    rbv_table_column(&table, "numbers", RBV_TABLE_WORD);
    rbv_table_column(&table, "which", RBV_TABLE_WORD);
    for (int32_t k = 0; k < tree->tree_joint_count; k++) {
        const RbvArcNote *tree_joint = &tree->tree_joints[k];
        rbv_table_word(&table, tree_joint->body);
        rbv_table_word(&table, tree_joint->parent);
        rbv_table_word(&table, tree_joint->joint ? tree_joint->joint : "nothing");
        word(&table, tree_joint->count);
        rbv_table_word(&table, tree_joint->numbers);
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

static void cuts(RbvPage *page, const RbvTreeNote *tree) {
    RbvTable table = {0};
    rbv_table_column(&table, "joint", RBV_TABLE_WORD);
    rbv_table_column(&table, "rows", RBV_TABLE_WORD);
    rbv_table_column(&table, "is", RBV_TABLE_WORD);
    for (int32_t k = 0; k < tree->cut_count; k++) {
        rbv_table_word(&table, tree->cuts[k].joint);
        word(&table, tree->cuts[k].rows);
        rbv_table_word(&table, tree->cuts[k].tree_joint ? "an arc, with rows besides" : "cut");
    }
    if (tree->cut_count > 0)
        rbv_table_print(&table, &page->text, page->view.width);
}

void rbv_page_tree(RbvPage *page) {
    const RbvTreeNote *tree = &page->result->tree;
    if (!tree->kind)
        return;
    rbv_text_format(
        &page->text,
        "\n%s coordinates: %d numbers, %d rows of joints, constraints and drives that arcs of the tree do not hold\n",
        tree->kind, (int)tree->numbers, (int)tree->rest);
    tree_joints(page, tree);
    cuts(page, tree);
}
