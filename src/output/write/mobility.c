/* Counts of freedoms: mobility and its rank decision, idle spins, integrability of rows on rates, Newton's equations.
 */
#include "output/write/sections.h"

#include <math.h>
#include <string.h>

/* Members of result.json. */

/* Idle spins: rotations of a body about its own line that count as freedoms and on which nothing acts. */
static void write_idle(RbvJson *json, const RbvResult *result) {
    rbv_json_open(json, "idle", "[");
    for (int32_t k = 0; k < result->idle_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "body", result->idle[k].body);
        rbv_json_string(json, "from", result->idle[k].from);
        rbv_json_string(json, "to", result->idle[k].to);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
}

/* Counts of Newton's equilibrium equations of all bodies or of some: unknowns, equations, rank. */
static void write_newton(RbvJson *json, const RbvResult *result) {
    if (!result->newton.found)
        return;
    rbv_json_open(json, "newton", "{");
    rbv_json_strings(json, "bodies", result->newton.bodies, result->newton.body_count);
    rbv_json_integer(json, "unknowns", result->newton.unknowns);
    rbv_json_integer(json, "equations", result->newton.equations);
    rbv_json_integer(json, "rank", result->newton.rank);
    rbv_json_integer(json, "gruebler", result->newton.gruebler);
    rbv_json_close(json, "}");
}

void rbv_json_integrability(RbvJson *json, const RbvResult *result) {
    const RbvIntegrability *i = &result->integrability;
    if (i->rows == 0)
        return;
    rbv_json_open(json, "rows_on_rates", "{");
    rbv_json_integer(json, "rows", i->rows);
    if (i->untested)
        rbv_json_number(json, "integrable", NAN);
    else
        rbv_json_bool(json, "integrable", i->nonholonomic == 0);
    rbv_json_number(json, "independent", i->untested ? NAN : (double)i->independent);
    rbv_json_number(json, "nonholonomic_at_least", i->untested ? NAN : (double)i->nonholonomic);
    rbv_json_integer(json, "left_out", i->left_out);
    rbv_json_integer(json, "states", i->states);
    rbv_json_string(json, "untested", i->untested);
    rbv_json_close(json, "}");
}

void rbv_json_mobility(RbvJson *json, const RbvResult *result) {
    const RbvMobility *m = &result->mobility;
    rbv_json_open(json, "mobility", "{");
    rbv_json_integer(json, "coordinates", m->coordinates);
    rbv_json_integer(json, "rows", m->rows);
    rbv_json_integer(json, "rows_of_joints_and_constraints", m->rows - m->drives);
    rbv_json_integer(json, "rows_of_drives", m->drives);
    rbv_json_integer(json, "rank", m->rank);
    rbv_json_integer(json, "redundant", m->redundant);
    rbv_json_integer(json, "degrees_of_freedom", m->degrees_of_freedom);
    rbv_json_integer(json, "degrees_of_freedom_position", m->degrees_of_freedom_position);
    rbv_json_integer(json, "idle", result->idle_count);
    rbv_json_integer(json, "gruebler", m->gruebler);
    rbv_json_integer(json, "mobility_without_drives", m->mobility);
    rbv_json_number(json, "redundant_permanent", m->permanent < 0 ? (double)NAN : (double)m->permanent);
    rbv_json_number(json, "redundant_momentary",
                    m->permanent < 0 ? (double)NAN : (double)(m->redundant - m->permanent));
    rbv_json_open(json, "decision", "{");
    rbv_json_bool(json, "safe", result->rank_safe);
    rbv_json_string(json, "criterion", result->criterion);
    rbv_json_bool(json, "sparse", result->rank_sparse);
    rbv_json_bool(json, "exact", result->rank_exact);
    rbv_json_number(json, "smallest_kept", result->rank_smallest);
    rbv_json_number(json, "largest_dropped", result->rank_dropped);
    rbv_json_number(json, "threshold", result->rank_tau);
    rbv_json_number(json, "margin", result->rank_tau > 0 ? result->rank_smallest / result->rank_tau : NAN);
    rbv_json_close(json, "}");
    rbv_json_close(json, "}");
    write_newton(json, result);
    write_idle(json, result);
}

/* The page. */

/* Largest number of idle spins shown, on one line. */
#define IDLE_SHOWN 6

static void print_idle(RbvText *text, const RbvResult *result) {
    int32_t count = result->idle_count, shown = count > IDLE_SHOWN ? IDLE_SHOWN : count;
    for (int32_t k = 0; k < shown; k++)
        rbv_text_format(text, "%s%s", k == 0 ? "idle, though counted: the spin of " : ", ", result->idle[k].body);
    if (count > shown)
        rbv_text_format(text, " and %d others", (int)(count - shown));
    if (count > 0)
        rbv_text_add(text, count == 1 ? " about its own line\n" : " about their own lines\n");
}

/* Result of Frobenius' test of the constraint rows on velocities: integrable or nonholonomic. */
static void print_integrability(RbvText *text, const RbvIntegrability *i) {
    const char *s = rbv_plural(i->rows);
    if (i->rows == 0)
        return;
    rbv_text_format(text, "%d row%s on rates", (int)i->rows, s);
    if (i->left_out > 0 && i->left_out < i->rows)
        rbv_text_format(text,
                        i->left_out == 1 ? ", %d of which prescribes one and is left out"
                                         : ", %d of which prescribe one and are left out",
                        (int)i->left_out);
    rbv_text_add(text, ": ");
    if (i->untested)
        rbv_text_format(text, "integrability not tested, %s\n", i->untested);
    else if (i->nonholonomic == 0)
        rbv_text_format(
            text, "integrable together with those on positions, at the %d states tried: positions are held, too\n",
            (int)i->states);
    else if (i->nonholonomic == i->independent)
        rbv_text_format(text, "nonholonomic%s\n",
                        i->independent == 1         ? ""
                        : i->independent == i->rows ? ", all of them"
                                                    : ", all that are independent");
    else
        rbv_text_format(text, "nonholonomic, at least %d of the %d independent ones, at the %d states tried\n",
                        (int)i->nonholonomic, (int)i->independent, (int)i->states);
}

/* Counts of Newton's equilibrium equations. */
static void print_newton(RbvPage *page) {
    const RbvResult *result = page->result;
    if (!result->newton.found)
        return;
    rbv_text_add(&page->text, "equilibrium of ");
    for (int32_t k = 0; k < result->newton.body_count; k++)
        rbv_text_format(&page->text, "%s%s", k ? ", " : "", result->newton.bodies[k]);
    rbv_text_format(&page->text, "%s: %d unknowns, %d equations of rank %d; Gruebler's count says %d\n",
                    result->newton.body_count ? "" : "all bodies", (int)result->newton.unknowns,
                    (int)result->newton.equations, (int)result->newton.rank, (int)result->newton.gruebler);
}

/* Mobility by rank, compared with Gruebler's count, and what the difference means. */
void rbv_page_mobility(RbvPage *page) {
    const RbvResult *result = page->result;
    RbvText *text = &page->text;
    const RbvMobility *m = &result->mobility;
    const int32_t more = m->mobility - m->gruebler;
    rbv_text_format(text, "%d coordinates, %d constraint rows of rank %d: %d degree%s of freedom left",
                    (int)m->coordinates, (int)m->rows, (int)m->rank, (int)m->degrees_of_freedom,
                    rbv_plural(m->degrees_of_freedom));
    if (m->degrees_of_freedom_position != m->degrees_of_freedom)
        rbv_text_format(text, " (%d of positions)", (int)m->degrees_of_freedom_position);
    if (m->redundant)
        rbv_text_format(text, ", %d redundant", (int)m->redundant);
    if (m->redundant && m->permanent >= 0 && m->permanent < m->redundant)
        rbv_text_format(text, m->permanent == 0 ? " in this position only" : ", %d of them in this position only",
                        (int)(m->redundant - m->permanent));
    rbv_text_add(text, "\n");
    if (result->sample_count == 0)
        rbv_text_format(text, "nq = %d, nk = %d (joints and constraints), nd = %d (drives), nc = nk + nd = %d\n",
                        (int)m->coordinates, (int)(m->rows - m->drives), (int)m->drives, (int)m->rows);
    if (m->mobility == m->gruebler)
        rbv_text_format(text, "mobility %d without drives, as Gruebler's count says\n", (int)m->mobility);
    else
        rbv_text_format(text,
                        "mobility %d without drives; Gruebler's count says %d: %d constraint%s of the joints repeat%s "
                        "what others hold\n",
                        (int)m->mobility, (int)m->gruebler, (int)more, rbv_plural(more), *rbv_plural(more) ? "" : "s");
    print_newton(page);
    print_integrability(text, &result->integrability);
    print_idle(text, result);
    if (!result->rank_safe)
        rbv_text_format(text, "the rank decision is not safe: smallest singular value kept %.2g, threshold %.2g\n",
                        result->rank_smallest, result->rank_tau);
    else if (result->sample_count == 0 && result->criterion)
        rbv_text_format(text, "rank decided by %s: smallest singular value %.2g, threshold %.1g%s\n",
                        strcmp(result->criterion, "default") != 0 ? result->criterion
                        : result->rank_exact                      ? "exact arithmetic"
                        : result->rank_sparse                     ? "sparse probing"
                                                                  : "singular values",
                        result->rank_smallest, result->rank_tau,
                        result->rank_exact ? " (lengths taken for the fractions they are)" : "");
}
