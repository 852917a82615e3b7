/* Lines of study.csv: variant, parameters, quantities with their verdicts, status, the worst verdict, message. */
#include "study/files/line.h"

#include "core/base/units.h"
#include "model/result/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const statuses[] = {[RBV_OK] = "done",
                                       [RBV_BAD_ARGUMENT] = "bad argument",
                                       [RBV_BAD_INPUT] = "bad input",
                                       [RBV_NO_MEMORY] = "no memory",
                                       [RBV_NOT_ASSEMBLED] = "not assembled",
                                       [RBV_INCONSISTENT] = "inconsistent",
                                       [RBV_LOCKED] = "locked",
                                       [RBV_NO_EQUILIBRIUM] = "no equilibrium",
                                       [RBV_NOT_FINITE] = "not finite",
                                       [RBV_AUDIT_FAILED] = "audit failed",
                                       [RBV_INTERRUPTED] = "interrupted",
                                       [RBV_NOT_WRITABLE] = "not writable"};
#define STATUSES ((int)(sizeof statuses / sizeof statuses[0]))

const char *rbv_study_status(RbvStatus status) {
    return statuses[status];
}

static void add_heading(RbvText *text, const char *name, const char *unit) {
    rbv_text_format(text, *unit ? ",%s [%s]" : ",%s", name, unit);
}

void rbv_study_head(const RbvStudy *study, RbvText *text) {
    rbv_text_add(text, "variant");
    for (int32_t k = 0; k < study->parameter_count; k++)
        add_heading(text, study->parameters[k].name, study->parameters[k].unit);
    for (int32_t k = 0; k < study->quantity_count; k++) {
        add_heading(text, study->quantities[k].name, study->quantities[k].unit);
        rbv_text_format(text, ",%s.verdict", study->quantities[k].name);
    }
    rbv_text_add(text, ",status,verdict,message");
}

/* A text as a cell: in quotes if it holds what divides cells. */
static void add_cell(RbvText *text, const char *cell) {
    bool quoted = strpbrk(cell, ",\"") != NULL;
    if (quoted)
        rbv_text_put(text, '"');
    for (; *cell; cell++) {
        if (*cell == '"')
            rbv_text_put(text, '"');
        rbv_text_put(text, (unsigned char)*cell < ' ' ? ' ' : *cell);
    }
    if (quoted)
        rbv_text_put(text, '"');
}

void rbv_study_row_line(const RbvStudy *study, const RbvStudyRow *row, RbvText *text) {
    uint8_t worst = RBV_FREE;
    bool any = false;
    rbv_text_integer(text, row->variant);
    for (int32_t k = 0; k < study->parameter_count; k++) {
        rbv_text_put(text, ',');
        rbv_text_number(text, row->parameters[k]);
    }
    for (int32_t k = 0; k < study->quantity_count; k++) {
        bool has = isfinite(row->values[k]) && row->status == RBV_OK;
        rbv_text_put(text, ',');
        if (has)
            rbv_text_number(text, row->values[k]);
        rbv_text_put(text, ',');
        if (has)
            rbv_text_add(text, rbv_verdict_name((RbvVerdict)row->verdicts[k]));
        worst = has && row->verdicts[k] > worst ? row->verdicts[k] : worst;
        any = any || has;
    }
    rbv_text_put(text, ',');
    rbv_text_add(text, statuses[row->status]);
    rbv_text_put(text, ',');
    if (any)
        rbv_text_add(text, rbv_verdict_name((RbvVerdict)worst));
    rbv_text_put(text, ',');
    add_cell(text, row->message);
}

/* Length of the cell at `at`, up to a comma or the end. */
static size_t cell_length(const char *at) {
    return strcspn(at, ",");
}

static bool is_cell(const char *at, const char *word) {
    size_t length = cell_length(at);
    return strlen(word) == length && strncmp(at, word, length) == 0;
}

/* Read a number or an empty cell; *at moves behind its comma. */
static bool read_number(const char **at, double *value) {
    size_t length = cell_length(*at);
    *value = NAN;
    bool good = length == 0 || rbv_number_parse(*at, value) == length;
    *at += length;
    if (**at != ',')
        return false;
    ++*at;
    return good;
}

bool rbv_study_read_line(const RbvStudy *study, const char *line, RbvStudyLine *read) {
    char *end;
    read->variant = strtoll(line, &end, 10);
    if (end == line || *end != ',' || read->variant < 1)
        return false;
    const char *at = end + 1;
    for (int32_t k = 0; k < study->parameter_count; k++)
        if (!read_number(&at, &read->parameters[k]))
            return false;
    for (int32_t k = 0; k < study->quantity_count; k++) {
        if (!read_number(&at, &read->values[k]))
            return false;
        read->verdicts[k] = RBV_UNIQUE;
        for (int v = RBV_FREE; v <= RBV_NOT_UNIQUE; v++)
            if (is_cell(at, rbv_verdict_name((RbvVerdict)v)))
                read->verdicts[k] = (uint8_t)v;
        at += cell_length(at);
        if (*at++ != ',')
            return false;
    }
    read->status = NULL;
    for (int k = 0; k < STATUSES; k++)
        if (is_cell(at, statuses[k]))
            read->status = statuses[k];
    for (int cells = 0; cells < 2; cells++) {
        at += cell_length(at);
        if (*at++ != ',')
            return false;
    }
    read->message = at;
    return read->status != NULL;
}
