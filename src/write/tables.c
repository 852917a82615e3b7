/* Tables to read on a terminal: peaks with their times and verdicts. */
#include "base/text.h"
#include "result/result.h"
#include "write/stress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void number(RbvText *text, double value) {
    char digits[32];
    if (!isfinite(value))
        snprintf(digits, sizeof digits, "-");
    else
        snprintf(digits, sizeof digits, "%.6g", fabs(value) < 1e-300 ? 0 : value);
    rbv_text_format(text, " %12s", digits);
}

static void extremes(RbvText *text, const RbvResult *result, int32_t column) {
    RbvSummary s = rbv_result_summary(result, column);
    number(text, s.first);
    number(text, s.min);
    number(text, s.at_min);
    number(text, s.max);
    number(text, s.at_max);
}

static void column_line(RbvText *text, const RbvResult *result, int32_t c, bool values, bool verdicts) {
    const RbvColumn *column = &result->columns[c];
    rbv_text_format(text, "%-24s %-6s", column->name, column->unit);
    if (values)
        extremes(text, result, c);
    if (verdicts && column->has_verdict)
        rbv_text_format(text, "  %s", rbv_verdict_name(column->verdict));
    rbv_text_add(text, "\n");
}

/* The force that a joint's components make: what a bearing is sized by. A joint that holds turns only has none. */
static void resultant_line(RbvText *text, const RbvResult *result, const RbvEntry *entry) {
    RbvVerdict worst = RBV_FREE;
    for (int32_t c = entry->first; c < entry->first + entry->components; c++)
        if (result->columns[c].unit[1] == '\0' && result->columns[c].verdict > worst) /* N, not N.m */
            worst = result->columns[c].verdict;
    if (worst == RBV_FREE)
        return;
    char name[300];
    snprintf(name, sizeof name, "%s |F|", entry->name);
    rbv_text_format(text, "%-24s %-6s", name, "N");
    extremes(text, result, entry->resultant);
    rbv_text_format(text, "  %s\n", rbv_verdict_name(worst));
}

static void columns_table(RbvText *text, const RbvResult *result, const RbvList *list, const char *title, bool verdicts) {
    bool values = result->sample_count > 0;
    int32_t columns = 0;
    for (int32_t k = 0; k < list->count; k++)
        columns += list->items[k].count;
    if (columns == 0)
        return;
    rbv_text_format(text, "\n%-24s %-6s", title, "unit");
    if (values) {
        char at[40];
        snprintf(at, sizeof at, *result->columns[0].unit ? "at [%s]" : "at", result->columns[0].unit);
        rbv_text_format(text, " %12s %12s %12s %12s %12s", "first", "min", at, "max", at);
    }
    rbv_text_add(text, verdicts ? "  verdict\n" : "\n");
    for (int32_t k = 0; k < list->count; k++) {
        const RbvEntry *entry = &list->items[k];
        for (int32_t c = entry->first; c < entry->first + entry->count; c++) {
            if (verdicts && result->columns[c].has_verdict && result->columns[c].verdict == RBV_FREE)
                continue;
            column_line(text, result, c, values, verdicts);
        }
        if (values && entry->resultant >= 0)
            resultant_line(text, result, entry);
    }
}

/* kinematics: every column with its extremes. */
static void all_columns(RbvText *text, const RbvResult *result) {
    RbvEntry all = {.first = 1, .count = result->column_count - 1};
    RbvList list = {&all, 1};
    columns_table(text, result, &list, "series", false);
}

/* Gruebler's count against the mobility there is, and what it means. */
static void mobility(RbvText *text, const RbvResult *result) {
    const RbvMobility *m = &result->mobility;
    rbv_text_format(text, "%d coordinates, %d constraint rows of rank %d: %d degree%s of freedom left", (int)m->coordinates, (int)m->rows,
                    (int)m->rank, (int)m->degrees_of_freedom, m->degrees_of_freedom == 1 ? "" : "s");
    if (m->degrees_of_freedom_position != m->degrees_of_freedom)
        rbv_text_format(text, " (%d of positions)", (int)m->degrees_of_freedom_position);
    if (m->redundant)
        rbv_text_format(text, ", %d redundant", (int)m->redundant);
    if (m->redundant && m->permanent >= 0 && m->permanent < m->redundant)
        rbv_text_format(text, m->permanent == 0 ? " in this position only" : ", %d of them in this position only", (int)(m->redundant - m->permanent));
    rbv_text_add(text, "\n");
    if (m->mobility == m->gruebler)
        rbv_text_format(text, "mobility %d without drives, as Gruebler's count says\n", (int)m->mobility);
    else
        rbv_text_format(text, "mobility %d without drives; Gruebler's count says %d: %d constraint%s of the joints repeat%s what others hold\n", (int)m->mobility,
                        (int)m->gruebler, (int)(m->mobility - m->gruebler), m->mobility - m->gruebler == 1 ? "" : "s",
                        m->mobility - m->gruebler == 1 ? "s" : "");
    if (!result->rank_safe)
        rbv_text_format(text, "the rank decision is not safe: smallest singular value kept %.2g, threshold %.2g\n", result->rank_smallest,
                        result->rank_tau);
    else if (result->sample_count == 0 && result->criterion)
        rbv_text_format(text, "rank decided by %s: smallest singular value %.2g, threshold %.1g%s\n",
                        strcmp(result->criterion, "default") != 0 ? result->criterion : result->rank_exact ? "exact arithmetic" : result->rank_sparse ? "sparse probing" : "singular values",
                        result->rank_smallest, result->rank_tau, result->rank_exact ? " (lengths taken for the fractions they are)" : "");
}

/* Where it rests, and how. */
static void equilibrium(RbvText *text, const RbvResult *result) {
    const RbvEquilibrium *e = &result->equilibrium;
    if (!e->found)
        return;
    bool held = e->stability && result->mobility.degrees_of_freedom_position == 0;
    rbv_text_format(text, "at rest: %s", held ? "held, no freedom is left" : e->stability ? e->stability : "stability not decided");
    if (e->falls_by)
        rbv_text_format(text, " (%s by %s)", strcmp(e->stability, "neutral") == 0 ? "nothing holds it, it moves" : e->flutter ? "it swings more and more" : "it falls",
                        e->falls_by);
    if (isfinite(e->curvature))
        rbv_text_format(text, ", curvature %.6g 1/s^2", e->curvature);
    if (isfinite(e->energy))
        rbv_text_format(text, ", energy %.9g J", e->energy);
    rbv_text_format(text, "; %s, %d step%s\n", e->method, (int)e->iterations, e->iterations == 1 ? "" : "s");
    if (isfinite(e->penalty))
        rbv_text_format(text, "penalty %.3g N/m: positions are off by about %.2g m\n", e->penalty, e->penalty_error);
    if (e->coordinates.count > 0)
        rbv_text_format(text, "\n%-24s %12s%s\n", "coordinate", "m, rad", e->compliance ? "  and per unit load, m/N or rad/(N.m)" : "");
    for (int32_t k = 0; k < e->coordinates.count; k++) {
        rbv_text_format(text, "%-24s", e->coordinates.shares[k].name);
        number(text, e->coordinates.shares[k].share);
        if (e->compliance)
            number(text, e->compliance[k * (e->coordinates.count + 1)]);
        rbv_text_add(text, "\n");
    }
}

/* With --all: every one found, with the first coordinates. */
static void equilibria(RbvText *text, const RbvResult *result) {
    if (result->equilibrium_starts == 0)
        return;
    const RbvMode *names = &result->equilibrium.coordinates;
    int32_t shown = names->count < 4 ? names->count : 4;
    rbv_text_format(text, "\n%d equilibri%s found from %d starts\n%-12s %12s %12s", (int)result->equilibrium_count,
                    result->equilibrium_count == 1 ? "um" : "a", (int)result->equilibrium_starts, "", "energy [J]", "curv. [1/s2]");
    for (int32_t c = 0; c < shown; c++)
        rbv_text_format(text, " %12s", names->shares[c].name);
    for (int32_t k = 0; k < result->equilibrium_count; k++) {
        const RbvEquilibrium *e = &result->equilibria[k];
        rbv_text_format(text, "\n%-12s", e->stability ? e->stability : "?");
        number(text, e->energy);
        number(text, e->curvature);
        for (int32_t c = 0; c < shown; c++)
            number(text, e->coordinates.shares[c].share);
    }
    rbv_text_add(text, "\n");
}

static void place_line(RbvText *text, const char *what, double at, const RbvEquilibrium *e, int32_t shown) {
    rbv_text_format(text, "%-14s", what);
    number(text, at);
    number(text, e->energy);
    for (int32_t c = 0; c < shown; c++)
        number(text, e->coordinates.shares[c].share);
    rbv_text_add(text, "\n");
}

/* With --follow: the ends of the path and what happens between them. */
static void followed(RbvText *text, const RbvResult *result) {
    const RbvFollowed *f = &result->followed;
    if (!f->parameter)
        return;
    const RbvMode *names = &result->equilibrium.coordinates;
    int32_t shown = names->count < 4 ? names->count : 4;
    char at[80], unit[40];
    snprintf(at, sizeof at, *f->unit ? "%.20s [%.20s]" : "%.40s", f->parameter, f->unit);
    snprintf(unit, sizeof unit, *f->unit ? " %.30s" : "%.30s", f->unit);
    rbv_text_format(text, "\nalong %s from %.9g to %.9g%s: %d places, %s, %.9g%s\n%-14s %12s %12s", f->parameter, f->from, f->to, unit, (int)result->sample_count, f->ended,
                    f->reached, unit, "", at, "energy [J]");
    for (int32_t c = 0; c < shown; c++)
        rbv_text_format(text, " %12s", names->shares[c].name);
    rbv_text_add(text, "\n");
    place_line(text, "start", f->from, &result->equilibrium, shown);
    for (int32_t k = 0; k < f->event_count; k++) {
        const RbvEvent *e = &f->events[k];
        place_line(text, e->kind, e->at, &e->place, shown);
        if (e->lands)
            place_line(text, "  lands", e->at, &e->landing, shown);
    }
    if (f->last.found)
        place_line(text, "end", f->reached, &f->last, shown);
    for (int32_t k = 0; k < f->event_count; k++) {
        const RbvEvent *e = &f->events[k];
        rbv_text_format(text, "%s at %.9g%s", e->kind, e->at, unit);
        if (e->place.falls_by)
            rbv_text_format(text, " by %s", e->place.falls_by);
        if (e->before && e->after)
            rbv_text_format(text, ": %s before, %s behind it", e->before, e->after);
        if (strcmp(e->kind, "snap-through") == 0)
            rbv_text_format(text, "; when %s goes %s, %s", f->parameter, (e->rises > 0) == (f->to > f->from) ? "up" : "down", e->lands ? "it jumps" : "where it comes to rest is not found");
        rbv_text_add(text, "\n");
    }
}

/* Loads, reactions and outputs of the one state of statics: one value each. */
static void single_table(RbvText *text, const RbvResult *result, const RbvList *list, const char *title) {
    bool headed = false;
    for (int32_t k = 0; k < list->count; k++) {
        const RbvEntry *entry = &list->items[k];
        for (int32_t c = entry->first; c < entry->first + entry->count; c++) {
            const RbvColumn *column = &result->columns[c];
            if (column->has_verdict && column->verdict == RBV_FREE)
                continue;
            if (!headed)
                rbv_text_format(text, "\n%-24s %-6s %12s\n", title, "unit", "value");
            headed = true;
            rbv_text_format(text, "%-24s %-6s", column->name, column->unit);
            number(text, rbv_result_value(result, 0, c));
            if (column->has_verdict)
                rbv_text_format(text, "  %s", rbv_verdict_name(column->verdict));
            rbv_text_add(text, "\n");
        }
    }
}

static void result_tables(RbvText *text, const RbvResult *result) {
    if (result->equilibrium.found && !result->followed.parameter) {
        single_table(text, result, &result->drives, "drive");
        single_table(text, result, &result->joints, "reaction on the second");
        single_table(text, result, &result->constraints, "constraint");
        single_table(text, result, &result->loads, "load");
        single_table(text, result, &result->outputs, "output");
        return;
    }
    columns_table(text, result, &result->drives, "drive", true);
    columns_table(text, result, &result->joints, "reaction on the second", true);
    columns_table(text, result, &result->constraints, "constraint", true);
    if (result->sample_count > 0)
        columns_table(text, result, &result->loads, "load", false);
    if (result->sample_count > 0 && result->joints.items)
        columns_table(text, result, &result->outputs, "output", true);
}

char *rbv_result_tables(const RbvResult *result) {
    if (!result)
        return NULL;
    RbvText text = {0};
    rbv_text_format(&text, "%s: %s\n", result->analysis, *result->title ? result->title : result->file);
    if (result->sample_count > 0 && !result->equilibrium.found)
        rbv_text_format(&text, "%d sample%s, t = %.6g to %.6g s\n", (int)result->sample_count,
                        result->sample_count == 1 ? "" : "s", rbv_result_value(result, 0, 0),
                        rbv_result_value(result, result->sample_count - 1, 0));
    mobility(&text, result);
    equilibrium(&text, result);
    equilibria(&text, result);
    followed(&text, result);
    result_tables(&text, result);
    for (int32_t k = 0; k < result->asked_count; k++)
        rbv_text_format(&text, "%s%s: %s\n", k ? "" : "\n", result->asked[k].text, rbv_verdict_name(result->asked[k].verdict));
    rbv_write_stress(&text, result);
    if (result->joints.items == NULL && result->sample_count > 0)
        all_columns(&text, result);
    if (result->has_audit && isfinite(result->audit_force))
        rbv_text_format(&text, "\naudit: forces to %.2g N, torques to %.2g N.m, power to %.2g W, constraints to %.2g\n", result->audit_force,
                        result->audit_torque, result->audit_power, result->audit_constraint);
    for (int32_t k = 0; k < result->note_count; k++)
        rbv_text_format(&text, "note: %s\n", result->notes[k]);
    return rbv_text_take(&text);
}
