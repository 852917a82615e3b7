/* State of assemble: coordinates and what determines them, poses, velocities, residuals of joints. */
#include "output/write/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Largest number of residuals on a page; result.json has all. */
#define MOST_RESIDUALS 8

static RbvShownUnit unit(const RbvPage *page, const char *si) {
    return rbv_view_unit(&page->view, page->result, si);
}

static void residuals(RbvPage *page) {
    const RbvAssembled *a = &page->result->assembled;
    static const char *const si[] = {"m", "rad", "m/s", "rad/s"};
    char heads[4][60];
    RbvTable table = {.digits = 2};
    rbv_table_column(&table, "residual of", RBV_TABLE_WORD);
    rbv_table_column(&table, "", RBV_TABLE_WORD);
    for (int n = 0; n < 4; n++) {
        snprintf(heads[n], sizeof heads[n], "[%.40s]", unit(page, si[n]).text);
        rbv_table_column(&table, heads[n], RBV_TABLE_NUMBER);
    }
    int32_t shown = 0, more = 0;
    for (int32_t k = 0; k < a->residual_count; k++) {
        const RbvLeftOver *r = &a->residuals[k];
        if (!rbv_view_shows(&page->view, r->name))
            continue;
        if (shown++ >= MOST_RESIDUALS && page->view.only_count == 0) {
            more++;
            continue;
        }
        rbv_table_word(&table, r->name);
        rbv_table_word(&table, r->kind);
        const double left[] = {r->length, r->angle, r->length_rate, r->angle_rate};
        for (int n = 0; n < 4; n++)
            rbv_table_number(&table, rbv_page_figure(page, si[n], left[n]) / unit(page, si[n]).factor);
    }
    rbv_table_print(&table, &page->text, page->view.width);
    if (more > 0)
        rbv_text_format(&page->text, "and %d others, none larger\n", (int)more);
}

static void coordinates(RbvPage *page) {
    const RbvAssembled *a = &page->result->assembled;
    RbvTable table = {0};
    rbv_table_column(&table, "coordinate", RBV_TABLE_WORD);
    rbv_table_column(&table, "value", RBV_TABLE_NUMBER);
    rbv_table_column(&table, "", RBV_TABLE_WORD);
    rbv_table_column(&table, "rate", RBV_TABLE_NUMBER);
    rbv_table_column(&table, "", RBV_TABLE_WORD);
    rbv_table_column(&table, "decided by", RBV_TABLE_WORD);
    for (int32_t k = 0; k < a->coordinate_count; k++) {
        const RbvCoordinateState *c = &a->coordinates[k];
        RbvShownUnit value = unit(page, c->unit), rate = unit(page, c->rate_unit);
        char by[80];
        snprintf(by, sizeof by, strcmp(c->by, c->rate_by) == 0 ? "%s" : "%s%srate: %s", c->by, *c->by ? ", " : "",
                 *c->rate_by ? c->rate_by : "the others");
        if (!rbv_view_shows(&page->view, c->name))
            continue;
        rbv_table_word(&table, c->name);
        rbv_table_number(&table, rbv_page_figure(page, c->unit, c->value) / value.factor);
        rbv_table_word(&table, value.text);
        rbv_table_number(&table, rbv_page_figure(page, c->rate_unit, c->rate) / rate.factor);
        rbv_table_word(&table, rate.text);
        rbv_table_word(&table, by);
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

/* Table of the bodies' positions and angles or quaternions, or (rates) of their velocities and angular velocities. A
 * particle has no angle. */
static void bodies(RbvPage *page, const char *title, bool rates) {
    const RbvResult *result = page->result;
    const RbvAssembled *a = &result->assembled;
    RbvTable table = {0};
    char heads[9][60];
    int32_t moves = a->bodies[0].spatial ? 3 : 2, turns = !a->bodies[0].spatial ? 1 : rates ? 3 : 4, columns = 0;
    static const char *const plane[2][3] = {{"x", "y", "angle"}, {"vx", "vy", "omega"}};
    static const char *const space[2][7] = {{"x", "y", "z", "qw", "qx", "qy", "qz"},
                                            {"vx", "vy", "vz", "omegax", "omegay", "omegaz", ""}};
    rbv_table_column(&table, title, RBV_TABLE_WORD);
    for (int32_t n = 0; n < moves + turns; n++) {
        const char *si = n < moves ? (rates ? "m/s" : "m") : rates ? "rad/s" : moves == 2 ? "rad" : "";
        snprintf(heads[columns], sizeof heads[columns], *si ? "%s [%.40s]" : "%s",
                 moves == 2 ? plane[rates][n] : space[rates][n], unit(page, si).text);
        rbv_table_column(&table, heads[columns++], RBV_TABLE_NUMBER);
    }
    for (int32_t k = 0; k < a->body_count; k++) {
        const RbvPlacedBody *b = &a->bodies[k];
        int32_t first = b->first + (rates ? moves + (!b->turns ? 0 : moves == 2 ? 1 : 4) : 0);
        if (!rbv_view_shows(&page->view, b->name))
            continue;
        rbv_table_word(&table, b->name);
        for (int32_t n = 0; n < moves + turns; n++)
            rbv_table_number(
                &table,
                n >= moves && !b->turns
                    ? (double)NAN
                    : rbv_page_figure(page, *result->columns[first + n].unit ? result->columns[first + n].unit : "rad",
                                      rbv_result_value(result, 0, first + n)) /
                          rbv_page_unit(page, first + n).factor);
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

static void completed(RbvPage *page) {
    const RbvAssembled *a = &page->result->assembled;
    for (int32_t k = 0; k < a->completed_count; k++)
        rbv_text_format(&page->text, "%s%s",
                        k ? ", " : "completed by the state nearest to the start: ", a->completed[k]);
    if (a->completed_count > 0)
        rbv_text_add(&page->text, "\n");
}

void rbv_page_assembled(RbvPage *page) {
    const RbvAssembled *a = &page->result->assembled;
    completed(page);
    rbv_page_outputs(page);
    coordinates(page);
    if (a->body_count > 0) {
        bodies(page, "body", false);
        bodies(page, "rates of", true);
    }
    residuals(page);
    rbv_page_terms(page);
    const RbvUdwadiaRecord *u = &page->result->udwadia;
    if (u->found)
        rbv_text_format(&page->text,
                        "\nUdwadia's equation in result.json: %d coordinates, %d constraint equations of rank %d, "
                        "Gauss' minimum %.6g\n",
                        (int)u->n, (int)u->m, (int)u->rank, u->figure[0].value);
}
