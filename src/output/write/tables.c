/* The page of a result for a terminal: first the requested results, then the counts and notes they rest on. */
#include "output/write/files.h"
#include "output/write/sections.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_heading(RbvPage *page) {
    const RbvResult *result = page->result;
    rbv_text_format(&page->text, "%s%s: %s\n", result->sizes ? "size by " : "", result->analysis,
                    *result->title ? result->title : result->file);
    if (result->sample_count == 0 || result->equilibrium.found || result->oscillations.found)
        return;
    RbvShownUnit unit = rbv_page_unit(page, 0);
    double first = rbv_result_value(result, 0, 0) / unit.factor,
           last = rbv_result_value(result, result->sample_count - 1, 0) / unit.factor;
    if (result->sample_count == 1)
        rbv_text_format(&page->text, "t = %.6g %s\n", first, unit.text);
    else
        rbv_text_format(&page->text, "%d samples, t = %.6g to %.6g %s\n", (int)result->sample_count, first, last,
                        unit.text);
}

/* ", gravity 9.81 m/s^2 along -y", where masses matter. */
static void print_gravity(RbvPage *page) {
    const RbvResult *result = page->result;
    RbvShownUnit unit = rbv_page_si(page, "m/s^2");
    double g[3];
    int along = -1, parts = 0;
    for (int k = 0; k < 3; k++)
        g[k] = result->machine.gravity[k] / unit.factor;
    for (int k = 0; k < 3; k++)
        if (g[k] != 0)
            along = k, parts++;
    if (!result->joints.items)
        return;
    if (parts == 0)
        rbv_text_add(&page->text, ", no gravity");
    else if (parts == 1)
        rbv_text_format(&page->text, ", gravity %.4g %s along %c%c", fabs(g[along]), unit.text,
                        g[along] < 0 ? '-' : '+', 'x' + along);
    else
        rbv_text_format(&page->text,
                        result->machine.axes == 2 ? ", gravity [%.4g, %.4g]" : ", gravity [%.4g, %.4g, %.4g]", g[0],
                        g[1], g[2]);
    if (parts > 1)
        rbv_text_format(&page->text, " %s", unit.text);
}

/* Size, mass and gravity of the mechanism, and the largest correction of a starting pose: a mistaken unit shows here.
 */
static void print_machine(RbvPage *page) {
    const RbvResult *result = page->result;
    RbvShownUnit m = rbv_page_si(page, "m"), rad = rbv_page_si(page, "rad"), kg = rbv_page_si(page, "kg");
    double distance = result->machine.distance, angle = result->machine.angle;
    RbvText *text = &page->text;
    if (!(result->machine.size >= 0))
        return;
    rbv_text_format(text, "size %.4g %s", result->machine.size / m.factor, m.text);
    if (result->machine.mass > 0)
        rbv_text_format(text, ", mass %.6g %s", result->machine.mass / kg.factor, kg.text);
    print_gravity(page);
    if (result->machine.corrected && !(distance > 0) && !(angle > 0))
        rbv_text_add(text, "; the starting poses fit");
    else if (result->machine.corrected)
        rbv_text_format(text, "; largest correction of a starting pose: '%s'", result->machine.corrected);
    if (result->machine.corrected && distance > 0)
        rbv_text_format(text, " by %.3g %s", distance / m.factor, m.text);
    if (result->machine.corrected && angle > 0)
        rbv_text_format(text, "%s %.3g %s", distance > 0 ? " and" : " by", angle / rad.factor, rad.text);
    rbv_text_add(text, "\n");
}

static void print_audit(RbvPage *page) {
    const RbvResult *result = page->result;
    if (!result->has_audit || !isfinite(result->audit_force))
        return;
    RbvShownUnit force = rbv_page_si(page, "N"), torque = rbv_page_si(page, "N.m"), power = rbv_page_si(page, "W");
    rbv_text_format(&page->text,
                    "\naudit: forces to %.2g %s, torques to %.2g %s, power to %.2g %s, constraints to %.2g\n",
                    result->audit_force / force.factor, force.text, result->audit_torque / torque.factor, torque.text,
                    result->audit_power / power.factor, power.text, result->audit_constraint);
}

/* inverse by penalty: estimated errors of accelerations and forces. */
static void print_soft(RbvPage *page) {
    const RbvSoftRows *soft = &page->result->soft;
    if (!soft->found)
        return;
    RbvShownUnit kg = rbv_page_si(page, "kg"), a = rbv_page_si(page, "m/s^2"), force = rbv_page_si(page, "N");
    rbv_text_format(&page->text, "\npenalty %.3g %s: accelerations are off by about %.2g %s, forces by %.2g %s",
                    soft->coefficient / kg.factor, kg.text, soft->acceleration_error / a.factor, a.text,
                    soft->force_error / force.factor, force.text);
    if (soft->augmented)
        rbv_text_format(&page->text, "; multipliers taken over in %d round%s", (int)soft->rounds,
                        rbv_plural(soft->rounds));
    rbv_text_add(&page->text, "\n");
}

/* Parts of the page: check begins with the counts, other analyses with their results. */
static void print_contents(RbvPage *page) {
    const RbvResult *result = page->result;
    bool counts_first = result->sample_count == 0 && !result->held.parameter;
    if (result->sizes) {
        rbv_page_sizing(page);
        rbv_page_choices(page);
        return;
    }
    if (counts_first)
        rbv_page_mobility(page);
    if (result->held.parameter) {
        rbv_page_statics(page);
        return;
    }
    if (result->oscillations.found) {
        rbv_page_modes(page);
        return;
    }
    rbv_page_statics(page);
    if (result->assembled.found)
        rbv_page_assembled(page);
    else if (result->sample_count > 0 && !result->joints.items)
        rbv_page_kinematics(page);
    else
        rbv_page_columns(page);
    rbv_page_sizing(page);
    rbv_page_multipliers(page);
    print_soft(page);
    rbv_page_rows(page);
    rbv_page_coordinates(page);
    rbv_page_stress(page);
    if (!counts_first) {
        rbv_text_add(&page->text, "\n");
        rbv_page_mobility(page);
    }
    print_audit(page);
}

/* Does the note name the item, as 'NAME' or 'NAME.part'? */
static bool speaks_of(const char *note, const char *name) {
    size_t length = strlen(name);
    for (const char *at = strstr(note, name); at && length > 0; at = strstr(at + 1, name))
        if (at > note && at[-1] == '\'' && (at[length] == '\'' || at[length] == '.'))
            return true;
    return false;
}

/* Does the note name only joints, drives, constraints, stops or loads that are not shown? */
static bool is_of_others(const RbvPage *page, const char *note) {
    const RbvResult *result = page->result;
    const RbvList *const lists[] = {&result->joints, &result->drives, &result->constraints, &result->stops,
                                    &result->loads};
    bool any = false;
    for (size_t n = 0; n < sizeof lists / sizeof lists[0]; n++)
        for (int32_t k = 0; k < lists[n]->count; k++) {
            if (!speaks_of(note, lists[n]->items[k].name))
                continue;
            if (rbv_view_shows(&page->view, lists[n]->items[k].name))
                return false;
            any = true;
        }
    return any;
}

static void print_notes(RbvPage *page) {
    int32_t others = 0;
    for (int32_t k = 0; k < page->result->note_count; k++) {
        bool other = page->view.only_count > 0 && is_of_others(page, page->result->notes[k]);
        others += other;
        if (!other)
            rbv_text_format(&page->text, "note: %s\n", page->result->notes[k]);
    }
    if (others > 0)
        rbv_text_format(&page->text, "note: %d note%s of what is not shown: result.json has all\n", (int)others,
                        rbv_plural(others));
}

char *rbv_tables_of_result(const RbvResult *result, const RbvView *view) {
    if (!result)
        return NULL;
    RbvPage page = {.result = result, .view = view ? *view : rbv_view_default};
    if (page.view.width <= 0)
        page.view.width = rbv_view_default.width;
    page.scales = rbv_scales(result);
    print_heading(&page);
    if (result->info.found) {
        rbv_page_info(&page);
    } else {
        print_machine(&page);
        print_contents(&page);
    }
    print_notes(&page);
    RbvText wrapped = {.no_memory = page.text.no_memory};
    if (page.text.data)
        rbv_text_wrap(&wrapped, page.text.data, page.view.width, page.view.break_sentences);
    rbv_text_clear(&page.text);
    return rbv_text_take(&wrapped);
}
