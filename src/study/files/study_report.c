/* The page of a study: a template with study.json and rows of study.csv in it.
 *
 *   {"study": study.json without "run",
 *    "rows": {"count", "of", "columns": [{"name", "unit", "of": "parameter" or "quantity"}], "data", "marks",
 *             "verdicts", "statuses", "messages": [[row, text]], "silent",
 *             "first" or "strides": [of each axis], "failed": [held, all], "over": [held, all]},
 *    "histograms": [{"bars": [counts]}] of each quantity, "variants": where the folders of variants are, or null}
 * data: base64 of doubles, column after column, first the number of the variant. marks: base64 of bytes, column after
 * column: the verdict of each quantity and the status, numbers in the lists, and 1 where the variant has a folder. */
#include "output/write/embedded.h"
#include "output/write/json_text.h"
#include "output/write/report_page.h"
#include "study/files/report.h"

#include "model/result/result.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void add_string(RbvText *text, const char *string) {
    rbv_text_json_string(text, string);
}

static void add_scalar(RbvText *text, const RbvNode *node) {
    switch ((RbvScalarType)node->type) {
    case RBV_SCALAR_NUMBER: rbv_text_number(text, node->number); break;
    case RBV_SCALAR_BOOL: rbv_text_add(text, node->truth ? "true" : "false"); break;
    case RBV_SCALAR_NULL: rbv_text_add(text, "null"); break;
    case RBV_SCALAR_STRING: add_string(text, node->text); break;
    }
}

/* A tree as JSON, without the member `omitted` of its root. */
static void add_node(RbvText *text, const RbvNode *node, const char *omitted) {
    bool map = node->kind == RBV_NODE_MAP, first = true;
    if (node->kind == RBV_NODE_SCALAR) {
        add_scalar(text, node);
        return;
    }
    rbv_text_put(text, map ? '{' : '[');
    for (int32_t k = 0; k < node->count; k++) {
        if (map && omitted && strcmp(node->keys[k], omitted) == 0)
            continue;
        if (!first)
            rbv_text_put(text, ',');
        first = false;
        if (map) {
            add_string(text, node->keys[k]);
            rbv_text_put(text, ':');
        }
        add_node(text, node->items[k], NULL);
    }
    rbv_text_put(text, map ? '}' : ']');
}

static void add_column(RbvText *text, const char *name, const char *unit, const char *of, bool first) {
    rbv_text_add(text, first ? "{\"name\":" : ",\n{\"name\":");
    add_string(text, name);
    rbv_text_add(text, ",\"unit\":");
    add_string(text, unit);
    rbv_text_format(text, ",\"of\":\"%s\"}", of);
}

static void add_columns(RbvText *text, const RbvStudy *study) {
    rbv_text_add(text, ",\n\"columns\":[");
    for (int32_t k = 0; k < study->parameter_count; k++)
        add_column(text, study->parameters[k].name, study->parameters[k].unit, "parameter", k == 0);
    for (int32_t k = 0; k < study->quantity_count; k++)
        add_column(text, study->quantities[k].name, study->quantities[k].unit, "quantity",
                   k + study->parameter_count == 0);
    rbv_text_add(text, "]");
}

static void add_words(RbvText *text) {
    rbv_text_add(text, ",\n\"verdicts\":[");
    for (int k = RBV_FREE; k <= RBV_NOT_UNIQUE; k++)
        rbv_text_format(text, k > RBV_FREE ? ",\"%s\"" : "\"%s\"", rbv_verdict_name((RbvVerdict)k));
    rbv_text_add(text, "],\n\"statuses\":[");
    for (int k = RBV_OK; k <= RBV_NOT_WRITABLE; k++)
        rbv_text_format(text, k > RBV_OK ? ",\"%s\"" : "\"%s\"", rbv_study_status((RbvStatus)k));
    rbv_text_add(text, "]");
}

static void add_data(RbvText *text, const RbvStudy *study, const RbvReportRows *rows) {
    RbvBase64 base64 = {0, 0};
    int32_t numbers = 1 + study->parameter_count + study->quantity_count, marks = study->quantity_count + 2;
    rbv_text_add(text, ",\n\"data\":\"");
    for (int32_t c = 0; c < numbers; c++)
        for (int64_t k = 0; k < rows->count; k++)
            rbv_base64_double(&base64, text, rows->numbers[k * numbers + c]);
    rbv_base64_end(&base64, text);
    rbv_text_add(text, "\",\n\"marks\":\"");
    for (int32_t c = 0; c < marks; c++)
        for (int64_t k = 0; k < rows->count; k++)
            rbv_base64_byte(&base64, text, rows->marks[k * marks + c]);
    rbv_base64_end(&base64, text);
    rbv_text_add(text, "\"");
}

static void add_rows(RbvText *text, const RbvReportStudy *of, const RbvReportRows *rows) {
    rbv_text_format(text, "{\"count\":%" PRId64 ",\"of\":%" PRId64, rows->count, of->study.design.count);
    rbv_text_format(text, ",\"failed\":[%" PRId64 ",%" PRId64 "]", rows->failed, rows->all_failed);
    rbv_text_format(text, ",\"over\":[%" PRId64 ",%" PRId64 "]", rows->over, rows->all_over);
    if (of->axes == 0)
        rbv_text_format(text, ",\"first\":%" PRId64, rows->first);
    else
        rbv_text_add(text, ",\"strides\":[");
    for (int32_t k = 0; k < of->axes; k++)
        rbv_text_format(text, k > 0 ? ",%" PRId64 : "%" PRId64, rows->stride[k]);
    rbv_text_add(text, of->axes > 0 ? "]" : "");
    add_columns(text, &of->study);
    add_words(text);
    add_data(text, &of->study, rows);
    rbv_text_add(text, ",\n\"messages\":[");
    if (rows->messages.data)
        rbv_text_append(text, rows->messages.data, rows->messages.length);
    rbv_text_format(text, "],\"silent\":%" PRId64 "}", rows->silent);
}

static void add_histograms(RbvText *text, const RbvStudy *study, const RbvReportRows *rows) {
    for (int32_t q = 0; q < study->quantity_count; q++) {
        rbv_text_add(text, q > 0 ? ",\n{\"bars\":[" : "{\"bars\":[");
        for (int k = 0; k < RBV_REPORT_BARS; k++)
            rbv_text_format(text, k > 0 ? ",%" PRId64 : "%" PRId64, rows->heights[q * RBV_REPORT_BARS + k]);
        rbv_text_add(text, "]}");
    }
}

static void add_parts(RbvText *text, const char *const *strings) {
    for (; *strings; strings++)
        rbv_text_add(text, *strings);
}

static char *page_of(const RbvReportStudy *of, const RbvReportRows *rows, const char *variants) {
    RbvText data = {0}, page = {0};
    rbv_text_add(&data, "{\"study\":");
    add_node(&data, rbv_node_tree_root(of->tree), "run");
    rbv_text_add(&data, ",\n\"rows\":");
    add_rows(&data, of, rows);
    rbv_text_add(&data, ",\n\"histograms\":[");
    add_histograms(&data, &of->study, rows);
    rbv_text_add(&data, "],\n\"variants\":");
    if (variants)
        add_string(&data, variants);
    else
        rbv_text_add(&data, "null");
    rbv_text_add(&data, "}");
    add_parts(&page, rbv_study_page_head);
    rbv_text_add(&page, "<script type=\"application/json\" id=\"roberval-data\">\n");
    if (data.data)
        rbv_embed_json(&page, data.data, data.length);
    rbv_text_add(&page, "\n</script>");
    add_parts(&page, rbv_study_page_tail);
    page.no_memory = page.no_memory || data.no_memory;
    rbv_text_clear(&data);
    return rbv_text_take(&page);
}

RbvStatus rbv_study_report(const char *path, const RbvStudyReportOptions *options, RbvDiagnostics *diagnostics,
                           char **page) {
    const RbvStudyReportOptions plain = {0}, *asked = options ? options : &plain;
    if (page)
        *page = NULL;
    if (!path || !page)
        return RBV_BAD_ARGUMENT;
    RbvReportStudy of;
    RbvReportRows rows = {0};
    RbvStatus status = rbv_report_study_read(path, diagnostics, &of);
    if (status == RBV_OK)
        status = rbv_report_rows_read(&of, asked->every_row, &rows);
    if (status == RBV_OK) {
        *page = page_of(&of, &rows, asked->variants);
        status = *page ? RBV_OK : RBV_NO_MEMORY;
    }
    rbv_report_rows_clear(&rows);
    rbv_report_study_clear(&of);
    return status;
}
