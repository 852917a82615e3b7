/* The contents of a model. */
#include "output/write/sections.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Members of result.json. */

static void write_body_properties(RbvJson *json, const RbvInfo *info) {
    rbv_json_open(json, "bodies", "{");
    for (int32_t k = 0; k < info->body_count; k++) {
        const RbvInfoBody *b = &info->bodies[k];
        rbv_json_open(json, b->name, "{");
        rbv_json_number(json, "mass", b->mass);
        rbv_json_numbers(json, "centroid", b->centroid, info->spatial ? 3 : 2);
        rbv_json_bool(json, "particle", b->moments == 0);
        rbv_json_numbers(json, "principal_moments", b->moment, b->moments);
        rbv_json_numbers(json, "radii_of_gyration", b->radius, b->moments);
        rbv_json_integer(json, "markers", b->markers);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

static void write_kinds(RbvJson *json, const char *name, const RbvInfoCount *list, int32_t count) {
    rbv_json_open(json, name, "{");
    for (int32_t k = 0; k < count; k++)
        rbv_json_integer(json, list[k].kind, list[k].count);
    rbv_json_close(json, "}");
}

static void write_joints_of_model(RbvJson *json, const RbvInfo *info) {
    rbv_json_open(json, "joints", "{");
    for (int32_t k = 0; k < info->joint_count; k++) {
        const RbvInfoJoint *j = &info->joints[k];
        rbv_json_open(json, j->name, "{");
        rbv_json_string(json, "type", j->kind);
        rbv_json_strings(json, "between", (const char *const[]){j->first, j->second}, 2);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

/* {name: word} */
static void write_words(RbvJson *json, const char *name, const RbvInfoList *list) {
    rbv_json_open(json, name, "{");
    for (int32_t k = 0; k < list->count; k++)
        rbv_json_string(json, list->items[k].name, list->items[k].word);
    rbv_json_close(json, "}");
}

/* {name: {value, unit}}; parameters also have "by": the option that gave the value. */
static void write_values(RbvJson *json, const char *name, const RbvInfoList *list, bool by) {
    rbv_json_open(json, name, "{");
    for (int32_t k = 0; k < list->count; k++) {
        rbv_json_open(json, list->items[k].name, "{");
        rbv_json_number(json, "value", list->items[k].value);
        rbv_json_string(json, "unit", list->items[k].unit);
        if (by)
            rbv_json_string(json, "by", list->items[k].word);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

/* The user's coordinates: {name: {is, unit}}. */
static void write_named_coordinates(RbvJson *json, const RbvInfoList *list) {
    rbv_json_open(json, "coordinates", "{");
    for (int32_t k = 0; k < list->count; k++) {
        rbv_json_open(json, list->items[k].name, "{");
        rbv_json_string(json, "is", list->items[k].word);
        rbv_json_string(json, "unit", list->items[k].unit);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

static void write_splines(RbvJson *json, const RbvInfo *info) {
    rbv_json_open(json, "tables", "{");
    for (int32_t k = 0; k < info->tables.count; k++) {
        const RbvInfoItem *t = &info->tables.items[k];
        rbv_json_open(json, t->name, "{");
        rbv_json_string(json, "unit", t->unit);
        rbv_json_number(json, "from", t->from);
        rbv_json_number(json, "to", t->to);
        rbv_json_string(json, "unit_of_argument", t->unit_x);
        rbv_json_bool(json, "periodic", t->word != NULL);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

/* {name: unit} */
static void write_units(RbvJson *json, const char *name, const RbvInfoList *list) {
    rbv_json_open(json, name, "{");
    for (int32_t k = 0; k < list->count; k++)
        rbv_json_string(json, list->items[k].name, list->items[k].unit);
    rbv_json_close(json, "}");
}

void rbv_json_info(RbvJson *json, const RbvInfo *info) {
    rbv_json_string(json, "space", info->spatial ? "spatial" : "planar");
    rbv_json_number(json, "total_mass", info->mass);
    rbv_json_number(json, "size", info->size);
    rbv_json_numbers(json, "gravity", info->gravity, info->spatial ? 3 : 2);
    if (info->has_motion) {
        rbv_json_open(json, "motion", "{");
        rbv_json_number(json, "from", info->from);
        rbv_json_number(json, "to", info->to);
        rbv_json_number(json, "step", info->step);
        rbv_json_close(json, "}");
    } else {
        rbv_json_string(json, "motion", NULL);
    }
    rbv_json_integer(json, "rows", info->rows);
    write_body_properties(json, info);
    write_kinds(json, "joint_kinds", info->joint_kinds, info->joint_kind_count);
    write_joints_of_model(json, info);
    write_named_coordinates(json, &info->coordinates);
    write_words(json, "constraints", &info->constraints);
    write_words(json, "drives", &info->drives);
    write_kinds(json, "load_kinds", info->load_kinds, info->load_kind_count);
    write_words(json, "loads", &info->loads);
    write_values(json, "initial", &info->initial, false);
    write_values(json, "parameters", &info->parameters, true);
    write_splines(json, info);
    write_words(json, "stops", &info->stops);
    write_words(json, "events", &info->events);
    write_words(json, "conditions", &info->conditions);
    write_units(json, "states", &info->states);
    write_units(json, "generalized", &info->generalized);
    write_words(json, "required", &info->required);
    write_words(json, "actuators", &info->actuators);
    write_words(json, "sized", &info->sized);
    write_units(json, "outputs", &info->outputs);
    rbv_json_strings(json, "files", info->files, info->file_count);
}

/* The page: one table for each section of the model. */

/* "5 joints (4 revolute, 1 prismatic)" */
static void print_count(RbvText *text, int32_t number, const char *what, const RbvInfoCount *kinds,
                        int32_t kind_count) {
    rbv_text_format(text, ", %d %s%s", (int)number, what, rbv_plural(number));
    for (int32_t k = 0; k < kind_count; k++)
        rbv_text_format(text, "%s%d %s%s", k ? ", " : " (", (int)kinds[k].count, kinds[k].kind,
                        k == kind_count - 1 ? ")" : "");
}

static void print_summary(RbvPage *page) {
    const RbvInfo *info = &page->result->info;
    RbvText *text = &page->text;
    RbvShownUnit m = rbv_page_si(page, "m"), kg = rbv_page_si(page, "kg"), s = rbv_page_si(page, "s"),
                 a = rbv_page_si(page, "m/s^2");
    rbv_text_format(text, "%s: %d bod%s", info->spatial ? "spatial" : "planar", (int)info->body_count,
                    info->body_count == 1 ? "y" : "ies");
    print_count(text, info->joint_count, "joint", info->joint_kinds, info->joint_kind_count);
    if (info->constraints.count > 0)
        print_count(text, info->constraints.count, "constraint", NULL, 0);
    print_count(text, info->drives.count, "drive", NULL, 0);
    print_count(text, info->loads.count, "load", info->load_kinds, info->load_kind_count);
    const struct {
        const RbvInfoList *list;
        const char *what;
    } others[] = {{&info->stops, "stop"},
                  {&info->events, "event"},
                  {&info->conditions, "condition"},
                  {&info->states, "state"},
                  {&info->generalized, "generalized coordinate"},
                  {&info->required, "requirement"},
                  {&info->actuators, "actuator"},
                  {&info->sized, "rating"}};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        if (others[k].list->count > 0)
            print_count(text, others[k].list->count, others[k].what, NULL, 0);
    rbv_text_format(text, "\n%d rows of joints, constraints and drives\n", (int)info->rows);
    rbv_text_format(text, "total mass %.6g %s, size %.4g %s in the starting poses\n", info->mass / kg.factor, kg.text,
                    info->size / m.factor, m.text);
    bool falls = info->gravity[0] != 0 || info->gravity[1] != 0 || info->gravity[2] != 0;
    if (falls)
        for (int k = 0; k < (info->spatial ? 3 : 2); k++)
            rbv_text_format(text, "%s%.6g", k ? ", " : "gravity [", info->gravity[k] / a.factor);
    rbv_text_format(text, falls ? "] %s\n" : "no gravity%.0s\n", a.text);
    if (info->has_motion)
        rbv_text_format(text, "motion from %.6g to %.6g %s in steps of %.6g %s\n", info->from / s.factor,
                        info->to / s.factor, s.text, info->step / s.factor, s.text);
    else
        rbv_text_add(text, "no motion:\n");
}

static const char *head_with_unit(char *buffer, size_t size, const char *what, RbvShownUnit u) {
    snprintf(buffer, size, "%s%s[%.30s]", what, *what ? " " : "", u.text);
    return buffer;
}

/* Mass, centroid, moments of inertia (in space the principal moments) and radius of gyration of the largest one, for
 * each body. */
static void print_body_properties(RbvPage *page) {
    const RbvInfo *info = &page->result->info;
    RbvShownUnit kg = rbv_page_si(page, "kg"), m = rbv_page_si(page, "m"), J = rbv_page_si(page, "kg.m^2");
    RbvPageTable table = {0};
    char heads[4][60];
    const int32_t axes = info->spatial ? 3 : 2;
    const int32_t moments = info->spatial ? 3 : 1;
    const char *const places[] = {head_with_unit(heads[1], sizeof heads[1], "centroid x", m), "y", "z"};
    const char *const inertia = info->spatial ? "J1" : "inertia";
    const char *const inertias[] = {head_with_unit(heads[2], sizeof heads[2], inertia, J), "J2", "J3"};
    rbv_table_column(&table, "body", RBV_TABLE_WORD);
    rbv_table_column(&table, head_with_unit(heads[0], sizeof heads[0], "mass", kg), RBV_TABLE_NUMBER);
    for (int32_t k = 0; k < axes; k++)
        rbv_table_column(&table, places[k], RBV_TABLE_NUMBER);
    for (int32_t k = 0; k < moments; k++)
        rbv_table_column(&table, inertias[k], RBV_TABLE_NUMBER);
    rbv_table_column(&table, head_with_unit(heads[3], sizeof heads[3], "gyration", m), RBV_TABLE_NUMBER);
    for (int32_t k = 0; k < info->body_count; k++) {
        const RbvInfoBody *b = &info->bodies[k];
        if (!rbv_view_shows(&page->view, b->name))
            continue;
        rbv_table_word(&table, b->name);
        rbv_table_number(&table, b->mass / kg.factor);
        for (int32_t n = 0; n < axes; n++)
            rbv_table_number(&table, b->centroid[n] / m.factor);
        for (int32_t n = 0; n < moments; n++)
            rbv_table_number(&table, b->moments ? b->moment[n] / J.factor : (double)NAN);
        rbv_table_number(&table, b->moments ? b->radius[b->moments - 1] / m.factor : (double)NAN);
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

static void print_joints_of_model(RbvPage *page) {
    const RbvInfo *info = &page->result->info;
    RbvPageTable table = {0};
    rbv_table_column(&table, "joint", RBV_TABLE_WORD);
    rbv_table_column(&table, "kind", RBV_TABLE_WORD);
    rbv_table_column(&table, "first", RBV_TABLE_WORD);
    rbv_table_column(&table, "second", RBV_TABLE_WORD);
    for (int32_t k = 0; k < info->joint_count; k++) {
        const RbvInfoJoint *j = &info->joints[k];
        if (!rbv_view_shows(&page->view, j->name))
            continue;
        rbv_table_word(&table, j->name);
        rbv_table_word(&table, j->kind);
        rbv_table_word(&table, j->first);
        rbv_table_word(&table, j->second);
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

/* Names with a word, or with a value and its unit. */
static void print_items(RbvPage *page, const RbvInfoList *list, const char *title, const char *word, bool value) {
    RbvPageTable table = {0};
    rbv_table_column(&table, title, RBV_TABLE_WORD);
    if (value) {
        rbv_table_column(&table, "value", RBV_TABLE_NUMBER);
        rbv_table_column(&table, "unit", RBV_TABLE_WORD);
    }
    rbv_table_column(&table, word, RBV_TABLE_WORD);
    for (int32_t k = 0; k < list->count; k++) {
        const RbvInfoItem *item = &list->items[k];
        RbvShownUnit u = item->unit ? rbv_page_si(page, item->unit) : (RbvShownUnit){"", 1};
        if (!rbv_view_shows(&page->view, item->name))
            continue;
        rbv_table_word(&table, item->name);
        if (value) {
            rbv_table_number(&table, item->value / u.factor);
            rbv_table_word(&table, u.text);
        }
        rbv_table_word(&table, item->word ? item->word : "");
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

static void print_splines(RbvPage *page) {
    const RbvInfoList *list = &page->result->info.tables;
    RbvPageTable table = {0};
    static const char *const heads[] = {"table", "unit", "from", "to", "unit", ""};
    for (int32_t k = 0; k < 6; k++)
        rbv_table_column(&table, heads[k], k == 2 || k == 3 ? RBV_TABLE_NUMBER : RBV_TABLE_WORD);
    for (int32_t k = 0; k < list->count; k++) {
        const RbvInfoItem *item = &list->items[k];
        RbvShownUnit x = rbv_page_si(page, item->unit_x);
        if (!rbv_view_shows(&page->view, item->name))
            continue;
        rbv_table_word(&table, item->name);
        rbv_table_word(&table, item->unit); /* unit of the argument in expressions */
        rbv_table_number(&table, item->from / x.factor);
        rbv_table_number(&table, item->to / x.factor);
        rbv_table_word(&table, x.text);
        rbv_table_word(&table, item->word ? item->word : "");
    }
    rbv_table_print(&table, &page->text, page->view.width);
}

/* Names with a unit, and a word if they have one. */
static void print_units(RbvPage *page, const RbvInfoList *list, const char *title) {
    RbvPageTable table = {0};
    bool words = list->count > 0 && list->items[0].word;
    rbv_table_column(&table, title, RBV_TABLE_WORD);
    rbv_table_column(&table, "unit", RBV_TABLE_WORD);
    if (words)
        rbv_table_column(&table, "", RBV_TABLE_WORD);
    for (int32_t k = 0; k < list->count; k++)
        if (rbv_view_shows(&page->view, list->items[k].name)) {
            rbv_table_word(&table, list->items[k].name);
            rbv_table_word(&table, rbv_page_si(page, list->items[k].unit).text);
            if (words)
                rbv_table_word(&table, list->items[k].word);
        }
    rbv_table_print(&table, &page->text, page->view.width);
}

void rbv_page_info(RbvPage *page) {
    const RbvInfo *info = &page->result->info;
    print_summary(page);
    print_body_properties(page);
    print_joints_of_model(page);
    print_units(page, &info->coordinates, "coordinate");
    print_items(page, &info->constraints, "constraint", "kind", false);
    print_items(page, &info->drives, "drive", "coordinate", false);
    print_items(page, &info->loads, "load", "kind", false);
    print_items(page, &info->stops, "stop", "coordinate", false);
    print_items(page, &info->events, "event", "does", false);
    print_items(page, &info->conditions, "active at times", "", false);
    print_units(page, &info->states, "state");
    print_units(page, &info->generalized, "generalized");
    print_items(page, &info->required, "required", "kind", false);
    print_items(page, &info->actuators, "actuator", "coordinate", false);
    print_items(page, &info->sized, "sized", "by", false);
    print_items(page, &info->initial, "initial", "", true);
    print_items(page, &info->parameters, "parameter", "", true);
    print_splines(page);
    print_units(page, &info->outputs, "output");
    for (int32_t k = 0; k < info->file_count; k++)
        rbv_text_format(&page->text, "%s%s%s", k ? ", " : "\nfiles read: ", info->files[k],
                        k == info->file_count - 1 ? "\n" : "");
}
