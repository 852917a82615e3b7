/* What the rigid model determines: self-stresses, determined sums, advice, verdicts of rows and of what was asked,
 * along the motion. */
#include "output/write/sections.h"

#include "core/base/diagnostics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Members of result.json. */

/* {"B2": "slot"}: the new type for each joint whose type the remedy changes. */
static void write_replaced_types(RbvJson *json, const RbvRemedy *remedy) {
    rbv_json_open(json, "replace", "{");
    for (int32_t n = 0; n < remedy->count; n++) {
        const char *dot = strchr(remedy->names[n], '.');
        char joint[RBV_NAME_SIZE];
        size_t length = dot ? (size_t)(dot - remedy->names[n]) : strlen(remedy->names[n]);
        if (!remedy->instead[n] || length >= sizeof joint)
            continue;
        memcpy(joint, remedy->names[n], length);
        joint[length] = '\0';
        rbv_json_string(json, joint, remedy->instead[n]);
    }
    rbv_json_close(json, "}");
}

static void write_remedy(RbvJson *json, const char *name, const RbvRemedy *remedy, bool freeing) {
    rbv_json_open(json, name, "{");
    rbv_json_strings(json, freeing ? "directions" : "at", remedy->names, remedy->count);
    if (freeing && !remedy->obstacle)
        write_replaced_types(json, remedy);
    if (remedy->edit_count > 0)
        rbv_json_open(json, "edits", "{");
    for (int32_t k = 0; k < remedy->edit_count; k++)
        rbv_json_string(json, remedy->edits[k].from, *remedy->edits[k].to ? remedy->edits[k].to : NULL);
    if (remedy->edit_count > 0)
        rbv_json_close(json, "}");
    if (remedy->obstacle)
        rbv_json_string(json, "obstacle", remedy->obstacle);
    rbv_json_number(json, "independence", remedy->independence);
    rbv_json_close(json, "}");
}

static void write_remedies(RbvJson *json, const char *name, const RbvRemedy *list, int32_t count, bool freeing) {
    rbv_json_open(json, name, "[");
    for (int32_t k = 0; k < count; k++)
        write_remedy(json, NULL, &list[k], freeing);
    rbv_json_close(json, "]");
}

void rbv_json_advice(RbvJson *json, const RbvResult *result) {
    rbv_json_open(json, "self_stress", "[");
    for (int32_t k = 0; k < result->mode_count; k++) {
        rbv_json_shares(json, NULL, &result->modes[k]);
    }
    rbv_json_close(json, "]");
    if (!result->described) {
        rbv_json_string(json, "groups", NULL);
        rbv_json_string(json, "advice", NULL);
        rbv_json_string(json, "advice_together", NULL);
        return;
    }
    if (result->groups_skipped)
        rbv_json_string(json, "groups", NULL);
    else
        rbv_json_open(json, "groups", "[");
    for (int32_t k = 0; k < result->group_count && !result->groups_skipped; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_shares(json, "combination", &result->groups[k]);
        rbv_json_string(json, "verdict", "unique");
        rbv_json_close(json, "}");
    }
    if (!result->groups_skipped)
        rbv_json_close(json, "]");
    rbv_json_open(json, "advice", "[");
    for (int32_t k = 0; k < result->cluster_count; k++) {
        const RbvCluster *cluster = &result->clusters[k];
        rbv_json_open(json, NULL, "{");
        rbv_json_integer(json, "self_stresses", cluster->degree);
        rbv_json_strings(json, "between", cluster->names, cluster->count);
        write_remedies(json, "free", cluster->free, cluster->free_count, true);
        if (cluster->otherwise.count > 0)
            write_remedy(json, "otherwise", &cluster->otherwise, true);
        write_remedies(json, "measure", cluster->measure, cluster->measure_count, false);
        write_remedies(json, "compliance", cluster->comply, cluster->comply_count, false);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    if (result->together.count > 0 && !result->together_missing)
        write_remedy(json, "advice_together", &result->together, true);
    else
        rbv_json_string(json, "advice_together", NULL);
}

/* check: whether multipliers exist that balance the loads at rest, and the residual. */
static void write_multipliers_at_rest(RbvJson *json, const RbvResult *result) {
    if (result->row_count == 0)
        return;
    rbv_json_open(json, "multipliers_at_rest", "{");
    if (result->multipliers.tested)
        rbv_json_bool(json, "exist", result->multipliers.exist);
    else
        rbv_json_number(json, "exist", NAN);
    rbv_json_number(json, "residual", result->multipliers.tested ? result->multipliers.residual : NAN);
    rbv_json_close(json, "}");
}

static void write_row_verdicts(RbvJson *json, const RbvResult *result) {
    if (result->row_count == 0)
        return;
    rbv_json_open(json, "rows", "[");
    for (int32_t k = 0; k < result->row_count; k++) {
        const RbvRowVerdict *row = &result->rows[k];
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, row->element, row->entry->name);
        rbv_json_string(json, "holds", row->holds);
        rbv_json_bool(json, "on_rates", row->on_rates);
        rbv_json_string(json, "multiplier", rbv_verdict_name(row->verdict));
        if (row->verdict == RBV_UNSURE)
            rbv_json_number(json, "redundant_alone", NAN);
        else
            rbv_json_bool(json, "redundant_alone", row->verdict == RBV_NOT_UNIQUE);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
}

static void write_asked(RbvJson *json, const RbvResult *result) {
    if (result->asked_count == 0)
        return;
    rbv_json_open(json, "asked", "[");
    for (int32_t k = 0; k < result->asked_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "combination", result->asked[k].text);
        rbv_json_string(json, "verdict", rbv_verdict_name(result->asked[k].verdict));
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
}

static void write_along_motion(RbvJson *json, const RbvResult *result) {
    if (result->motion_samples == 0)
        return;
    rbv_json_open(json, "along_motion", "{");
    rbv_json_number(json, "from", result->motion_from);
    rbv_json_number(json, "to", result->motion_to);
    rbv_json_integer(json, "samples", result->motion_samples);
    rbv_json_open(json, "rank_changes", "[");
    for (int32_t k = 0; k < result->rank_change_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_number(json, "time", result->rank_changes[k].time);
        rbv_json_integer(json, "rank", result->rank_changes[k].rank);
        rbv_json_integer(json, "redundant", result->rank_changes[k].redundant);
        rbv_json_bool(json, "safe", result->rank_changes[k].safe);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    rbv_json_open(json, "verdict_changes", "[");
    for (int32_t k = 0; k < result->change_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_number(json, "time", result->changes[k].time);
        rbv_json_string(json, "component", result->columns[result->changes[k].column].name);
        rbv_json_string(json, "verdict", rbv_verdict_name(result->changes[k].verdict));
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    rbv_json_close(json, "}");
}

void rbv_json_verdicts(RbvJson *json, const RbvResult *result) {
    write_multipliers_at_rest(json, result);
    write_row_verdicts(json, result);
    write_asked(json, result);
    write_along_motion(json, result);
}

/* The page. */

void rbv_page_rows(RbvPage *page) {
    const RbvResult *result = page->result;
    RbvPageTable table = {0};
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
        if (row->verdict == RBV_NOT_UNIQUE)
            rbv_table_word(&table, "yes");
        else
            rbv_table_word(&table, row->verdict == RBV_UNIQUE ? "no" : "?");
    }
    rbv_table_print(&table, &page->text, page->view.width);
    if (result->multipliers.tested)
        rbv_text_format(&page->text, "\nmultipliers that balance the loads at rest %s: residual %.2g of the loads\n",
                        result->multipliers.exist ? "exist" : "do not exist", result->multipliers.residual);
}

/* Largest number of lines of each kind on a page; result.json has all. */
#define MOST_MODES 20
#define MOST_GROUPS 12
#define MOST_OTHERS 4
#define MOST_REMEDIES 3
/* Groups of more components than this stand only in result.json. */
#define MOST_GROUP_PARTS 4

static void print_more(RbvText *text, int32_t left, const char *what) {
    if (left > 0)
        rbv_text_format(text, " ... and %d %s more in result.json\n", (int)left, what);
}

/* Is any component of the cluster shown? */
static bool cluster_shown(const RbvPage *page, const RbvCluster *cluster) {
    bool any = false;
    for (int32_t n = 0; n < cluster->count && !any; n++)
        any = rbv_view_shows(&page->view, cluster->names[n]);
    return any;
}

static bool mode_shown(const RbvPage *page, const RbvMode *mode) {
    bool any = false;
    for (int32_t n = 0; n < mode->count && !any; n++)
        any = rbv_view_shows(&page->view, mode->shares[n].name);
    return any;
}

static void print_modes(RbvPage *page) {
    RbvText *text = &page->text;
    const RbvResult *result = page->result;
    int32_t requested = 0, shown = 0;
    for (int32_t k = 0; k < result->mode_count; k++)
        requested += mode_shown(page, &result->modes[k]);
    rbv_text_format(text, "\nself-stress at the first state: %d way%s in which reactions can shift without any load",
                    (int)result->mode_count, rbv_plural(result->mode_count));
    if (requested < result->mode_count)
        rbv_text_format(text, requested ? ", %d of them through what is shown" : ", none of them through what is shown",
                        (int)requested);
    rbv_text_add(text, "\n");
    for (int32_t k = 0; k < result->mode_count && shown < MOST_MODES; k++) {
        const RbvMode *mode = &result->modes[k];
        if (!mode_shown(page, mode))
            continue;
        shown++;
        rbv_text_format(text, " %d:", (int)k + 1);
        if (mode->count == 2 && fabs(fabs(mode->shares[0].share) - fabs(mode->shares[1].share)) < 1e-9)
            rbv_text_format(text, " load can shift between %s and %s:", mode->shares[0].name, mode->shares[1].name);
        for (int32_t n = 0; n < mode->count; n++)
            rbv_text_format(text, " %s %+.4g", mode->shares[n].name, mode->shares[n].share);
        rbv_text_add(text, "\n");
    }
    print_more(text, requested - shown, "self-stresses");
}

/* "A.Fx + 0.5 B.Fx - C.Tz" */
static void print_combination(RbvText *text, const RbvMode *group) {
    for (int32_t n = 0; n < group->count; n++) {
        double share = group->shares[n].share;
        static const char *const signs[2][2] = {{"", "-"}, {" + ", " - "}}; /* [first, others][negative] */
        rbv_text_add(text, signs[n > 0][share < 0]);
        if (fabs(fabs(share) - 1) > 1e-9)
            rbv_text_format(text, "%.4g ", fabs(share));
        rbv_text_add(text, group->shares[n].name);
    }
}

/* Length of the joint's name at the begin of a component's name. */
static size_t owner_length(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot ? (size_t)(dot - name) : strlen(name);
}

static bool is_torque(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && dot[1] == 'T';
}

/* Is the group a sum over several joints in one unit? Designers use these; the others stand only in result.json. */
static bool is_plain(const RbvMode *group) {
    for (int32_t n = 1; n < group->count; n++) {
        const char *a = group->shares[n - 1].name, *b = group->shares[n].name;
        size_t length = owner_length(a);
        if ((length == owner_length(b) && strncmp(a, b, length) == 0) || is_torque(a) != is_torque(b))
            return false;
    }
    return true;
}

static void print_groups(RbvPage *page) {
    RbvText *text = &page->text;
    const RbvResult *result = page->result;
    int32_t shown = 0, requested = 0;
    for (int32_t k = 0; k < result->group_count; k++)
        requested += mode_shown(page, &result->groups[k]);
    for (int pass = 0; pass < 2; pass++)
        for (int parts = 2; parts <= MOST_GROUP_PARTS; parts++)
            for (int32_t k = 0; k < result->group_count && shown < (pass == 0 ? MOST_GROUPS : MOST_OTHERS); k++) {
                if (result->groups[k].count != parts || is_plain(&result->groups[k]) != (pass == 0) ||
                    !mode_shown(page, &result->groups[k]))
                    continue;
                rbv_text_add(text, shown == 0 ? "\ndetermined although their parts are not\n " : " ");
                print_combination(text, &result->groups[k]);
                rbv_text_add(text, "\n");
                shown++;
            }
    print_more(text, shown > 0 ? requested - shown : 0, "such sums");
}

static void print_names(RbvText *text, const RbvRemedy *remedy) {
    for (int32_t n = 0; n < remedy->count; n++)
        rbv_text_format(text, "%s%s", n == 0 ? "" : ", ", remedy->names[n]);
}

static bool is_gone(const char *instead) {
    return instead && strncmp(instead, "no ", 3) == 0;
}

/* Changes other than joint types: " (A.angle becomes A.rz, without A.compliance.z, outputs that read W3)". */
static void print_edits(RbvText *text, const RbvRemedy *remedy) {
    const char *before = " (";
    for (int pass = 0; pass < 2; pass++)
        for (int32_t k = 0, gone = 0; k < remedy->edit_count; k++) {
            const RbvEdit *edit = &remedy->edits[k];
            if ((*edit->to == '\0') != (pass == 1))
                continue;
            rbv_text_format(text,
                            pass == 0     ? "%s%s becomes %s"
                            : gone++ == 0 ? "%swithout %s%s"
                                          : "%s%s%s",
                            before, edit->from, edit->to);
            before = ", ";
        }
    if (remedy->edit_count > 0)
        rbv_text_add(text, ")");
}

/* "leave out W3", "free B2.x (B2: type slot)" */
static void print_freeing(RbvText *text, const RbvRemedy *remedy) {
    bool first = true;
    for (int32_t n = 0; n < remedy->count; n++) {
        const char *name = remedy->names[n];
        size_t length = owner_length(name);
        const char *instead = NULL;
        bool named = false;
        for (int32_t other = 0; other < remedy->count; other++)
            if (owner_length(remedy->names[other]) == length && strncmp(remedy->names[other], name, length) == 0) {
                instead = remedy->instead[other] ? remedy->instead[other] : instead;
                named = named || other < n;
            }
        bool gone = is_gone(instead);
        if (gone && named)
            continue;
        rbv_text_add(text, first ? "" : ", ");
        rbv_text_add(text, gone ? "leave out " : "free ");
        if (gone)
            rbv_text_format(text, "%.*s", (int)length, name);
        else
            rbv_text_add(text, name);
        if (!gone && remedy->instead[n])
            rbv_text_format(text, " (%.*s: type %s)", (int)length, name, instead);
        first = false;
    }
    print_edits(text, remedy);
}

/* One remedy for all clusters together: "bottom: spherical, top: inline; leave out W3". */
static void print_together(RbvPage *page) {
    RbvText *text = &page->text;
    const RbvResult *result = page->result;
    const RbvRemedy *remedy = &result->together;
    bool all = true;
    for (int32_t k = 0; k < result->cluster_count; k++)
        all = all && cluster_shown(page, &result->clusters[k]);
    if (remedy->count == 0 || result->together_missing || !all)
        return;
    rbv_text_add(text, "\nall of them unique at once: ");
    bool any = false;
    for (int pass = 0; pass < 2; pass++) {
        bool first = true;
        for (int32_t n = 0; n < remedy->count; n++) {
            const char *instead = remedy->instead[n];
            if (!instead || is_gone(instead) != (pass == 1))
                continue;
            if (!first)
                rbv_text_add(text, ", ");
            else if (pass == 1)
                rbv_text_add(text, any ? "; leave out " : "leave out ");
            rbv_text_format(text, pass == 0 ? "%.*s: %s" : "%.*s", (int)owner_length(remedy->names[n]),
                            remedy->names[n], instead);
            first = false;
            any = true;
        }
    }
    print_edits(text, remedy);
    rbv_text_add(text, "\n");
}

/* Joints to make compliant. A joint without named directions (a link, a gear) gets the same compliance along all axes.
 */
static void print_compliances(RbvText *text, const RbvRemedy *remedy) {
    for (int32_t n = 0; n < remedy->count; n++)
        rbv_text_format(text, "%s%s%s", n == 0 ? "" : ", ", remedy->names[n],
                        strchr(remedy->names[n], '.') ? "" : " (alike along all axes)");
}

static void print_cluster_advice(RbvText *text, const RbvResult *result, const RbvCluster *cluster) {
    rbv_text_format(text, "\nto make them unique%s%s\n", result->cluster_count > 1 ? ", those with " : "",
                    result->cluster_count > 1 ? cluster->names[0] : "");
    const char * or = "";
    for (int32_t n = 0; n < cluster->free_count && n < MOST_REMEDIES; n++) {
        rbv_text_format(text, " %s", or);
        print_freeing(text, &cluster->free[n]);
        rbv_text_add(text, "\n");
        or = "or ";
    }
    if (cluster->free_count == 0 && cluster->otherwise.count == 0)
        rbv_text_add(text, " nothing was found that could be freed and leaves a rank that is safe\n");
    if (cluster->otherwise.count > 0) {
        rbv_text_add(text, " no change of types alone does it: that would be to free ");
        print_names(text, &cluster->otherwise);
        rbv_text_format(text, ", but %s\n", cluster->otherwise.obstacle);
    }
    if (cluster->measure_count > 0) {
        rbv_text_format(text, " %smeasure ", or);
        print_names(text, &cluster->measure[0]);
        rbv_text_add(text, "\n");
        or = "or ";
    }
    if (cluster->comply_count > 0 && !(result->redundant_by && strcmp(result->redundant_by, "compliance") == 0)) {
        rbv_text_format(text, " %sgive compliances, at least at ", or);
        print_compliances(text, &cluster->comply[0]);
        rbv_text_add(text, "\n");
    }
}

static void print_advice(RbvPage *page) {
    RbvText *text = &page->text;
    const RbvResult *result = page->result;
    if (result->mobility.permanent == 0 && result->mobility.redundant > 0) {
        char option[RBV_NAME_SIZE];
        rbv_spell(result->speller, RBV_OPTION_CHECK_ALONG_MOTION, option, sizeof option);
        rbv_text_format(text,
                        "\nthe redundancy belongs to this position: a little away from it every reaction is unique "
                        "(%s says when)\n",
                        option);
    }
    print_together(page);
    int32_t requested = 0;
    for (int32_t k = 0; k < result->cluster_count; k++)
        if (cluster_shown(page, &result->clusters[k]) && requested++ < MOST_REMEDIES)
            print_cluster_advice(text, result, &result->clusters[k]);
    print_more(text, requested - MOST_REMEDIES, "groups of joints");
}

/* Changes of rank and verdicts that check --motion found. */
static void print_along_motion(RbvPage *page) {
    RbvText *text = &page->text;
    const RbvResult *result = page->result;
    RbvShownUnit s = rbv_page_si(page, "s");
    int32_t requested = 0;
    if (result->motion_samples == 0)
        return;
    bool same = result->rank_change_count <= 1 && result->change_count == 0;
    rbv_text_format(text, "\nalong the motion, %d samples from t = %.6g to %.6g %s: %s\n", (int)result->motion_samples,
                    result->motion_from / s.factor, result->motion_to / s.factor, s.text,
                    same ? "rank and verdicts stay as they are" : "what changes");
    for (int32_t k = 1; k < result->rank_change_count && k <= MOST_MODES; k++)
        rbv_text_format(text, " t = %.6g %s: rank %d, %d redundant%s\n", result->rank_changes[k].time / s.factor,
                        s.text, (int)result->rank_changes[k].rank, (int)result->rank_changes[k].redundant,
                        result->rank_changes[k].safe ? "" : ", not safe");
    for (int32_t k = 0; k < result->change_count; k++) {
        const char *name = result->columns[result->changes[k].column].name;
        if (rbv_view_shows(&page->view, name) && requested++ < MOST_MODES)
            rbv_text_format(text, " t = %.6g %s: %s %s\n", result->changes[k].time / s.factor, s.text, name,
                            rbv_verdict_name(result->changes[k].verdict));
    }
    print_more(text, requested - MOST_MODES, "changes of verdicts");
}

/* Ranges of values of the columns with this verdict: those that intervals of compliances, or sticking friction, leave
 * possible. */
static void print_ranges(RbvPage *page, const char *title, RbvVerdict verdict) {
    RbvText *text = &page->text;
    const RbvResult *result = page->result;
    bool first = true;
    for (int32_t c = 0; c < result->column_count; c++) {
        RbvShownUnit unit = rbv_page_unit(page, c);
        const double *range = rbv_result_range(result, c);
        if (!range || result->columns[c].verdict != verdict || !rbv_view_shows(&page->view, result->columns[c].name))
            continue;
        if (first)
            rbv_text_format(text, "\n%-24s %-6s %12s %12s\n", title, "unit", "least", "most");
        rbv_text_format(text, "%-24s %-6s %12.6g %12.6g\n", result->columns[c].name, unit.text,
                        rbv_page_value(page, c, range[0]) / unit.factor,
                        rbv_page_value(page, c, range[1]) / unit.factor);
        first = false;
    }
}

static void print_asked(RbvPage *page) {
    for (int32_t k = 0; k < page->result->asked_count; k++)
        rbv_text_format(&page->text, "%s%s: %s\n", k ? "" : "\n", page->result->asked[k].text,
                        rbv_verdict_name(page->result->asked[k].verdict));
}

void rbv_page_stress(RbvPage *page) {
    RbvText *text = &page->text;
    const RbvResult *result = page->result;
    RbvShownUnit m = rbv_page_si(page, "m");
    print_asked(page);
    if (result->mode_count > 0)
        print_modes(page);
    if (!result->described && result->mobility.redundant > 0)
        rbv_text_add(text, "\nself-stresses are not listed: the mechanism is too large, or its rank is not safe\n");
    if (result->sample_count == 0) {
        print_groups(page);
        print_advice(page);
        print_along_motion(page);
    } else if (result->mode_count > 0) {
        bool open = false;
        for (int32_t c = 0; c < result->column_count; c++)
            open = open || (result->columns[c].verdict == RBV_NOT_UNIQUE &&
                            rbv_view_shows(&page->view, result->columns[c].name));
        char where[RBV_NAME_SIZE] = "";
        if (result->redundant_by && strcmp(result->redundant_by, "eliminate") == 0)
            rbv_spell(result->speller, ", those named in " RBV_OPTION_REACTIONS_ELIMINATED "= taken to be zero", where,
                      sizeof where);
        else if (result->redundant_by && strcmp(result->redundant_by, "compliance") == 0)
            snprintf(where, sizeof where, ", where compliances leave them open");
        if (open)
            rbv_text_format(
                text, "values that are not unique are those of least norm, sum |F|^2 + |T|^2/L^2 with L = %.6g %s%s\n",
                result->length / m.factor, m.text, where);
        print_ranges(page, "over the compliances", RBV_COMPLIANCE);
    }
    print_ranges(page, "friction may be", RBV_NOT_UNIQUE);
}
