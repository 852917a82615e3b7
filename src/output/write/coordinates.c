/* Natural coordinates: points and vectors, rigid rows, multipliers. Joint coordinates: the tree and its cut joints. */
#include "output/write/sections.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One type of records of a section, described once: each field is a member in result.json and a column on the page. */
typedef enum FieldKind { WORD_FIELD, INTEGER_FIELD, BOOL_FIELD } FieldKind;

typedef struct Field {
    const char *member, *head; /* name in result.json; head of the column, NULL: not on the page */
    FieldKind kind;
    size_t offset;
    const char *words[2]; /* on the page: of false and true; words[0] of a string that is NULL, which has no member */
} Field;

/* The list of records as a member `name`; fields end with a row without a member. */
static void write_records(RbvJson *json, const char *name, const Field *fields, const void *records, size_t size,
                          int32_t count) {
    rbv_json_open(json, name, "[");
    for (int32_t k = 0; k < count; k++) {
        const char *record = (const char *)records + (size_t)k * size;
        rbv_json_open(json, NULL, "{");
        for (const Field *f = fields; f->member; f++) {
            const void *value = record + f->offset;
            if (f->kind == INTEGER_FIELD)
                rbv_json_integer(json, f->member, *(const int32_t *)value);
            else if (f->kind == BOOL_FIELD)
                rbv_json_bool(json, f->member, *(const bool *)value);
            else if (*(const char *const *)value || !f->words[0])
                rbv_json_string(json, f->member, *(const char *const *)value);
        }
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
}

/* The same records as a table; none without records. */
static void print_records(RbvPage *page, const Field *fields, const void *records, size_t size, int32_t count) {
    RbvPageTable table = {0};
    for (const Field *f = fields; f->member; f++)
        if (f->head)
            rbv_table_column(&table, f->head, RBV_TABLE_WORD);
    for (int32_t k = 0; k < count; k++)
        for (const Field *f = fields; f->member; f++) {
            const void *value = (const char *)records + (size_t)k * size + f->offset;
            char number[24];
            const char *word = number;
            if (!f->head)
                continue;
            if (f->kind == INTEGER_FIELD)
                snprintf(number, sizeof number, "%d", (int)*(const int32_t *)value);
            else if (f->kind == BOOL_FIELD)
                word = f->words[*(const bool *)value];
            else
                word = *(const char *const *)value ? *(const char *const *)value : f->words[0];
            rbv_table_word(&table, word);
        }
    rbv_table_print(&table, &page->text, page->view.width);
}

static const Field body_fields[] = {
    {"name", "body", WORD_FIELD, offsetof(RbvBodyNote, name), {0}},
    {"type", "by", WORD_FIELD, offsetof(RbvBodyNote, type), {0}},
    {"numbers", "numbers", INTEGER_FIELD, offsetof(RbvBodyNote, numbers), {0}},
    {"rigid_rows", "rigid rows", INTEGER_FIELD, offsetof(RbvBodyNote, rows), {0}},
    {"constant_mass", "mass matrix", BOOL_FIELD, offsetof(RbvBodyNote, constant_mass), {"changes", "constant"}},
    {0},
};
static const Field rigid_row_fields[] = {
    {"body", "rigid row of", WORD_FIELD, offsetof(RbvRigidNote, body), {0}},
    {"holds", "holds", WORD_FIELD, offsetof(RbvRigidNote, holds), {0}},
    {0},
};
static const Field measured_fields[] = {
    {"name", "number of q", WORD_FIELD, offsetof(RbvNumberNote, name), {0}},
    {"of", "is the", WORD_FIELD, offsetof(RbvNumberNote, of), {0}},
    {"kind", NULL, WORD_FIELD, offsetof(RbvNumberNote, kind), {0}},
    {"row", "by the row", WORD_FIELD, offsetof(RbvNumberNote, row), {0}},
    {0},
};
static const Field tree_joint_fields[] = {
    {"body", "body", WORD_FIELD, offsetof(RbvArcNote, body), {0}},
    {"on", "hangs on", WORD_FIELD, offsetof(RbvArcNote, parent), {0}},
    {"joint", "by", WORD_FIELD, offsetof(RbvArcNote, joint), {"nothing", NULL}},
    {"numbers", "numbers", INTEGER_FIELD, offsetof(RbvArcNote, count), {0}},
    {"which", "which", WORD_FIELD, offsetof(RbvArcNote, numbers), {0}},
    {0},
};
static const Field cut_fields[] = {
    {"joint", "joint", WORD_FIELD, offsetof(RbvCutNote, joint), {0}},
    {"rows", "rows", INTEGER_FIELD, offsetof(RbvCutNote, rows), {0}},
    {"arc", "is", BOOL_FIELD, offsetof(RbvCutNote, tree_joint), {"cut", "an arc, with rows besides"}},
    {0},
};

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
    write_records(json, "bodies", body_fields, c->bodies, sizeof *c->bodies, c->body_count);
    write_records(json, "rows", rigid_row_fields, c->rows, sizeof *c->rows, c->row_count);
    if (c->measured_count > 0)
        write_records(json, "measured", measured_fields, c->measured, sizeof *c->measured, c->measured_count);
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
        if (n->spatial)
            rbv_json_numbers(json, "T", e->T, 3);
        else
            rbv_json_numbers(json, "T", e->T + 2, 1);
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
    write_records(json, "arcs", tree_joint_fields, tree->tree_joints, sizeof *tree->tree_joints,
                  tree->tree_joint_count);
    write_records(json, "cut", cut_fields, tree->cuts, sizeof *tree->cuts, tree->cut_count);
    rbv_json_close(json, "}");
}

void rbv_json_coordinates(RbvJson *json, const RbvResult *result) {
    write_natural_coordinates(json, &result->coordinates);
    write_tree(json, &result->tree);
    write_natural_multipliers(json, &result->natural);
}

/* Natural coordinates: points and vectors with the bodies that share them, bodies with their types, rigid rows. */

static void print_basics(RbvPage *page, const RbvCoordinatesNote *c) {
    RbvPageTable table = {0};
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

static void print_natural_coordinates(RbvPage *page) {
    const RbvCoordinatesNote *c = &page->result->coordinates;
    if (!c->kind)
        return;
    rbv_text_format(&page->text,
                    "\n%s coordinates: %d numbers, %d rigid rows, %d rows of joints, constraints and drives that "
                    "sharing does not keep\n",
                    c->kind, (int)c->numbers, (int)c->row_count, (int)c->rest);
    print_basics(page, c);
    print_records(page, body_fields, c->bodies, sizeof *c->bodies, c->body_count);
    print_records(page, rigid_row_fields, c->rows, sizeof *c->rows, c->row_count);
    print_records(page, measured_fields, c->measured, sizeof *c->measured, c->measured_count);
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

static void print_multiplier(RbvPage *page, RbvPageTable *table, const RbvMultiplierNote *row, double most) {
    const double error = page->result->natural.yields ? page->result->natural.error : 0;
    RbvShownUnit unit = rbv_page_si(page, row->unit);
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
    RbvPageTable table = {0};
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
    RbvShownUnit kg = rbv_page_si(page, "kg"), force = rbv_page_si(page, "N");
    rbv_text_format(&page->text, "penalty %.3g %s on these rows: forces are off by about %.1g %s",
                    natural->alpha / kg.factor, kg.text, natural->error / force.factor, force.text);
    if (natural->augmented)
        rbv_text_format(&page->text, "; multipliers taken over in %d rounds", (int)natural->rounds);
    rbv_text_add(&page->text, "\n");
}

/* Tree of joint coordinates: each body, its parent and joint with their coordinates; cut joints, which leave rows. */

static void print_tree(RbvPage *page) {
    const RbvTreeNote *tree = &page->result->tree;
    if (!tree->kind)
        return;
    rbv_text_format(
        &page->text,
        "\n%s coordinates: %d numbers, %d rows of joints, constraints and drives that arcs of the tree do not hold\n",
        tree->kind, (int)tree->numbers, (int)tree->rest);
    print_records(page, tree_joint_fields, tree->tree_joints, sizeof *tree->tree_joints, tree->tree_joint_count);
    print_records(page, cut_fields, tree->cuts, sizeof *tree->cuts, tree->cut_count);
}

void rbv_page_coordinates(RbvPage *page) {
    print_natural_coordinates(page);
    print_tree(page);
}
