/* Natural coordinates: points and vectors, rigid rows, multipliers. Joint coordinates: the tree and its cut joints. */
#include "output/write/sections.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "coordinates": {kind, numbers, rigid_rows, other_rows, basics, bodies, rows, measured}, and "natural": {t, residual,
 * penalty or augmented, multipliers, elements}. */

static void write_basic(RbvJson *json, const RbvBasicNote *note) {
    rbv_json_open(json, NULL, "{");
    rbv_json_string(json, "name", note->name);
    rbv_json_string(json, "kind", note->vector ? "vector" : "point");
    rbv_json_bool(json, "ground", note->ground);
    rbv_json_strings(json, "bodies", note->bodies, note->body_count);
    rbv_json_close(json, "}");
}

static void write_natural_coordinates(RbvJson *json, const RbvCoordinatesNote *c) {
    if (!c->kind)
        return;
    rbv_json_open(json, "coordinates", "{");
    rbv_json_string(json, "kind", c->kind);
    rbv_json_integer(json, "numbers", c->numbers);
    rbv_json_integer(json, "rigid_rows", c->row_count);
    rbv_json_integer(json, "other_rows", c->rest);
    rbv_json_open(json, "basics", "[");
    for (int32_t k = 0; k < c->basic_count; k++)
        write_basic(json, &c->basics[k]);
    rbv_json_close(json, "]");
    rbv_json_open(json, "bodies", "[");
    for (int32_t k = 0; k < c->body_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "name", c->bodies[k].name);
        rbv_json_string(json, "type", c->bodies[k].type);
        rbv_json_integer(json, "numbers", c->bodies[k].numbers);
        rbv_json_integer(json, "rigid_rows", c->bodies[k].rows);
        rbv_json_bool(json, "constant_mass", c->bodies[k].constant_mass);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    rbv_json_open(json, "rows", "[");
    for (int32_t k = 0; k < c->row_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "body", c->rows[k].body);
        rbv_json_string(json, "holds", c->rows[k].holds);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    if (c->measured_count > 0)
        rbv_json_open(json, "measured", "[");
    for (int32_t k = 0; k < c->measured_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "name", c->measured[k].name);
        rbv_json_string(json, "of", c->measured[k].of);
        rbv_json_string(json, "kind", c->measured[k].kind);
        rbv_json_string(json, "row", c->measured[k].row);
        rbv_json_close(json, "}");
    }
    if (c->measured_count > 0)
        rbv_json_close(json, "]");
    rbv_json_close(json, "}");
}

static void write_elements(RbvJson *json, const RbvNaturalNote *n) {
    rbv_json_open(json, "elements", "{");
    for (int32_t k = 0; k < n->element_count; k++) {
        const RbvElementNote *e = &n->elements[k];
        if (k == 0 || e[-1].body != e->body)
            rbv_json_open(json, e->body, "{");
        rbv_json_open(json, e->joint, "{");
        rbv_json_numbers(json, "F", e->F, n->spatial ? 3 : 2);
        rbv_json_numbers(json, "T", n->spatial ? e->T : e->T + 2, n->spatial ? 3 : 1);
        rbv_json_string(json, "verdict", rbv_verdict_name(e->verdict));
        rbv_json_close(json, "}");
        if (k + 1 == n->element_count || e[1].body != e->body)
            rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

static void write_natural_multipliers(RbvJson *json, const RbvNaturalNote *n) {
    if (!n->found && !n->missing)
        return;
    rbv_json_open(json, "natural", "{");
    if (n->missing) {
        rbv_json_string(json, "missing", n->missing);
        rbv_json_close(json, "}");
        return;
    }
    rbv_json_number(json, "t", n->t);
    rbv_json_number(json, "residual", n->residual);
    if (n->yields) {
        rbv_json_open(json, n->augmented ? "augmented" : "penalty", "{");
        rbv_json_number(json, "coefficient", n->alpha);
        rbv_json_number(json, "force_error", n->error);
        rbv_json_integer(json, "rounds", n->rounds);
        rbv_json_close(json, "}");
    }
    rbv_json_open(json, "multipliers", "[");
    for (int32_t k = 0; k < n->row_count; k++) {
        const RbvMultiplierNote *row = &n->rows[k];
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "row", row->row);
        if (row->body)
            rbv_json_string(json, "body", row->body);
        rbv_json_string(json, "holds", row->holds);
        rbv_json_string(json, "meaning", row->meaning);
        rbv_json_number(json, "value", row->meant ? row->value : NAN);
        rbv_json_string(json, "unit", row->unit);
        rbv_json_number(json, "lambda", row->lambda);
        rbv_json_string(json, "verdict", row->meant ? rbv_verdict_name(row->verdict) : "meaningless");
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    write_elements(json, n);
    rbv_json_close(json, "}");
}

/* "coordinates": {kind, numbers, other_rows, arcs: tree joints, cut: joints that leave rows} of joint coordinates. */

static void write_tree(RbvJson *json, const RbvTreeNote *tree) {
    if (!tree->kind)
        return;
    rbv_json_open(json, "coordinates", "{");
    rbv_json_string(json, "kind", tree->kind);
    rbv_json_integer(json, "numbers", tree->numbers);
    rbv_json_integer(json, "other_rows", tree->rest);
    rbv_json_open(json, "arcs", "[");
    for (int32_t k = 0; k < tree->tree_joint_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "body", tree->tree_joints[k].body);
        rbv_json_string(json, "on", tree->tree_joints[k].parent);
        if (tree->tree_joints[k].joint)
            rbv_json_string(json, "joint", tree->tree_joints[k].joint);
        rbv_json_integer(json, "numbers", tree->tree_joints[k].count);
        rbv_json_string(json, "which", tree->tree_joints[k].numbers);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    rbv_json_open(json, "cut", "[");
    for (int32_t k = 0; k < tree->cut_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "joint", tree->cuts[k].joint);
        rbv_json_integer(json, "rows", tree->cuts[k].rows);
        rbv_json_bool(json, "arc", tree->cuts[k].tree_joint);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    rbv_json_close(json, "}");
}

void rbv_json_coordinates(RbvJson *json, const RbvResult *result) {
    write_natural_coordinates(json, &result->coordinates);
    write_tree(json, &result->tree);
    write_natural_multipliers(json, &result->natural);
}

/* Natural coordinates: points and vectors with the bodies that share them, bodies with their types, rigid rows. */

static void print_basics(RbvPage *page, const RbvCoordinatesNote *c) {
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

static void print_natural_bodies(RbvPage *page, const RbvCoordinatesNote *c) {
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

static void print_rigid_rows(RbvPage *page, const RbvCoordinatesNote *c) {
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

static void print_measured(RbvPage *page, const RbvCoordinatesNote *c) {
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

static void print_natural_coordinates(RbvPage *page) {
    const RbvCoordinatesNote *c = &page->result->coordinates;
    if (!c->kind)
        return;
    rbv_text_format(&page->text,
                    "\n%s coordinates: %d numbers, %d rigid rows, %d rows of joints, constraints and drives that "
                    "sharing does not keep\n",
                    c->kind, (int)c->numbers, (int)c->row_count, (int)c->rest);
    print_basics(page, c);
    print_natural_bodies(page, c);
    print_rigid_rows(page, c);
    print_measured(page, c);
}

/* Multipliers of natural coordinates: what each row constrains, lambda of the row as it is written, and the force that
 * lambda means. */

/* Part of the largest lambda below which a lambda that means no force is rounding, shown as 0. */
#define NO_LAMBDA 1e-10

static double largest_lambda(const RbvNaturalNote *natural) {
    double most = 0;
    for (int32_t k = 0; k < natural->row_count; k++)
        most = fmax(most, fabs(natural->rows[k].lambda));
    return most;
}

/* What the row constrains; of "scalar product (A - B) . u" only "(A - B) . u". */
static const char *held_by_row(const RbvMultiplierNote *row) {
    static const char product[] = "scalar product ";
    return strncmp(row->holds, product, sizeof product - 1) == 0 ? row->holds + sizeof product - 1 : row->holds;
}

/* Value rounded to the decimal place of its error; error 0: all digits. */
static double rounded_to_error(double value, double error) {
    double last = error > 0 && isfinite(error) ? pow(10, floor(log10(error))) : 0;
    return last > 0 ? last * round(value / last) : value;
}

static void print_multiplier(RbvPage *page, RbvTable *table, const RbvMultiplierNote *row, double most) {
    const double error = page->result->natural.yields ? page->result->natural.error : 0;
    RbvShownUnit unit = rbv_view_unit(&page->view, page->result, row->unit);
    bool nothing =
        row->meant ? rbv_page_figure(page, row->unit, row->value) == 0 : fabs(row->lambda) <= NO_LAMBDA * most;
    rbv_table_word(table, row->row);
    rbv_table_word(table, row->body ? held_by_row(row) : ""); /* other rows are described by their names */
    rbv_table_number(table, nothing ? 0
                                    : rounded_to_error(row->lambda, row->meant && row->value != 0
                                                                        ? error * fabs(row->lambda / row->value)
                                                                        : error));
    rbv_table_word(table, row->brief);
    rbv_table_word(table, row->meant ? unit.text : "");
    if (row->meant)
        rbv_table_number(table, rbv_page_figure(page, row->unit, rounded_to_error(row->value, error)) / unit.factor);
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
            print_multiplier(page, &table, &natural->rows[k], largest_lambda(natural));
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

/* Tree of joint coordinates: each body, its parent and joint with their coordinates; cut joints, which leave rows. */

static void print_integer(RbvTable *table, int32_t number) {
    char text[24];
    snprintf(text, sizeof text, "%d", (int)number);
    rbv_table_word(table, text);
}

static void print_tree_joints(RbvPage *page, const RbvTreeNote *tree) {
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
        print_integer(&table, tree_joint->count);
        rbv_table_word(&table, tree_joint->numbers);
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

static void print_cuts(RbvPage *page, const RbvTreeNote *tree) {
    RbvTable table = {0};
    rbv_table_column(&table, "joint", RBV_TABLE_WORD);
    rbv_table_column(&table, "rows", RBV_TABLE_WORD);
    rbv_table_column(&table, "is", RBV_TABLE_WORD);
    for (int32_t k = 0; k < tree->cut_count; k++) {
        rbv_table_word(&table, tree->cuts[k].joint);
        print_integer(&table, tree->cuts[k].rows);
        rbv_table_word(&table, tree->cuts[k].tree_joint ? "an arc, with rows besides" : "cut");
    }
    if (tree->cut_count > 0)
        rbv_table_print(&table, &page->text, page->view.width);
}

static void print_tree(RbvPage *page) {
    const RbvTreeNote *tree = &page->result->tree;
    if (!tree->kind)
        return;
    rbv_text_format(
        &page->text,
        "\n%s coordinates: %d numbers, %d rows of joints, constraints and drives that arcs of the tree do not hold\n",
        tree->kind, (int)tree->numbers, (int)tree->rest);
    print_tree_joints(page, tree);
    print_cuts(page, tree);
}

void rbv_page_coordinates(RbvPage *page) {
    print_natural_coordinates(page);
    print_tree(page);
}
