/* Motors and gears of size: "choices" of result.json, choices.csv, and a table of the first ones. */
#include "output/write/files.h"
#include "output/write/sections.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The figures of a choice: name, SI unit, place in it. */
typedef struct Figure {
    const char *name, *unit;
    size_t at;
} Figure;

#define AT(member) offsetof(RbvMotorChoice, member)
static const Figure figures[] = {{"ratio", "", AT(ratio)},
                                 {"peak", "N.m", AT(peak)},
                                 {"peak_at", "s", AT(peak_at)},
                                 {"rms", "N.m", AT(rms)},
                                 {"mean_speed", "rad/s", AT(mean_speed)},
                                 {"top_speed", "rad/s", AT(top_speed)},
                                 {"rms_to_continuous", "", AT(rms_to_continuous)},
                                 {"margin_to_peak", "", AT(margin_to_peak)},
                                 {"speed_to_limit", "", AT(speed_to_limit)},
                                 {"inertia_ratio", "", AT(inertia_ratio)}};
#define FIGURES ((int)(sizeof figures / sizeof figures[0]))

static double value_of(const RbvMotorChoice *choice, int k) {
    double value;
    memcpy(&value, (const char *)choice + figures[k].at, sizeof value);
    return value;
}

/* {"motor": [{"motor": "M1", "gear": "5", ..., "fits": true, "fails": ""}]} drive by drive. */
void rbv_json_choices(RbvJson *json, const RbvResult *result) {
    const char *drive = NULL;
    if (result->choice_count == 0)
        return;
    rbv_json_open(json, "choices", "{");
    for (int32_t k = 0; k < result->choice_count; k++) {
        const RbvMotorChoice *choice = &result->choices[k];
        if (!drive || strcmp(drive, choice->drive) != 0) {
            if (drive)
                rbv_json_close(json, "]");
            rbv_json_open(json, choice->drive, "[");
            drive = choice->drive;
        }
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "motor", choice->motor);
        rbv_json_string(json, "gear", choice->gear);
        for (int n = 0; n < FIGURES; n++)
            rbv_json_number(json, figures[n].name, value_of(choice, n));
        rbv_json_bool(json, "fits", *choice->fails == '\0');
        rbv_json_string(json, "fails", choice->fails);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    rbv_json_close(json, "}");
}

/* A cell of CSV with a text that may hold anything. */
static void put_text(RbvText *text, const char *cell) {
    rbv_text_put(text, '"');
    for (const char *c = cell; *c; c++) {
        if (*c == '"')
            rbv_text_put(text, '"');
        rbv_text_put(text, *c);
    }
    rbv_text_add(text, "\",");
}

bool rbv_write_choices(const RbvResult *result, const RbvView *view, FILE *file) {
    RbvText text = {0};
    (void)view;
    rbv_text_add(&text, "drive,motor,gear");
    for (int n = 0; n < FIGURES; n++)
        rbv_text_format(&text, *figures[n].unit ? ",%s [%s]" : ",%s", figures[n].name, figures[n].unit);
    rbv_text_add(&text, ",fails\n");
    for (int32_t k = 0; k < result->choice_count; k++) {
        const RbvMotorChoice *choice = &result->choices[k];
        put_text(&text, choice->drive);
        put_text(&text, choice->motor);
        put_text(&text, choice->gear);
        for (int n = 0; n < FIGURES; n++) {
            if (isfinite(value_of(choice, n)))
                rbv_text_number(&text, value_of(choice, n));
            rbv_text_put(&text, ',');
        }
        rbv_text_format(&text, "\"%s\"\n", choice->fails);
    }
    bool good = !text.no_memory && fputs(text.data, file) >= 0;
    if (text.no_memory)
        errno = ENOMEM;
    rbv_text_clear(&text);
    return good;
}

/* ---- the table ---- */

#define SHOWN 20 /* most rows of a drive */
#define RPM (6.28318530717958647693 / 60)

/* Rows of one drive, from `first` on. */
static void print_drive(RbvPage *page, int32_t first, int32_t count) {
    const RbvMotorChoice *choices = page->result->choices + first;
    RbvPageTable table = {.digits = 4};
    int32_t fitting = 0;
    for (int32_t k = 0; k < count; k++)
        fitting += *choices[k].fails == '\0';
    rbv_text_format(&page->text, "\ndrive %s: %d of %d motors with gears fit\n", choices->drive, (int)fitting,
                    (int)count);
    rbv_table_column(&table, "motor", RBV_TABLE_WORD);
    rbv_table_column(&table, "gear", RBV_TABLE_WORD);
    static const char *const heads[] = {"peak [N.m]",     "rms [N.m]",      "top speed [rpm]", "rms/continuous",
                                        "margin to peak", "speed to limit", "inertia ratio"};
    for (int k = 0; k < 7; k++)
        rbv_table_column(&table, heads[k], RBV_TABLE_NUMBER);
    rbv_table_column(&table, "fails", RBV_TABLE_WORD);
    for (int32_t k = 0; k < count && k < SHOWN; k++) {
        const RbvMotorChoice *choice = &choices[k];
        const double values[] = {choice->peak,
                                 choice->rms,
                                 choice->top_speed / RPM,
                                 choice->rms_to_continuous,
                                 choice->margin_to_peak,
                                 choice->speed_to_limit,
                                 choice->inertia_ratio};
        rbv_table_word(&table, choice->motor);
        rbv_table_word(&table, choice->gear);
        for (int n = 0; n < 7; n++)
            rbv_table_number(&table, values[n]);
        rbv_table_word(&table, *choice->fails ? choice->fails : "fits");
    }
    rbv_table_print(&table, &page->text, page->view.width);
    if (count > SHOWN)
        rbv_text_format(&page->text, "%d more are in choices.csv and result.json\n", (int)(count - SHOWN));
}

void rbv_page_choices(RbvPage *page) {
    const RbvResult *result = page->result;
    for (int32_t k = 0, next; k < result->choice_count; k = next) {
        for (next = k;
             next < result->choice_count && strcmp(result->choices[next].drive, result->choices[k].drive) == 0;)
            next++;
        print_drive(page, k, next - k);
    }
}
