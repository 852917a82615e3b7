/* Writes the page of report: a template with the results in it, one file that a browser can show alone.
 *
 *   {"results": [{"scene": scene.json, "result": result.json, "series": {"columns": [{"name", "unit", "verdict"}],
 *     "samples", "of", "data": base64 of doubles, column after column}}], "units": "SI" or "model"}
 * Of long runs the page has the samples that its pixels show (thinned.c): "samples" of all, which are "of". */
#define _DEFAULT_SOURCE
#include <roberval/scene.h>

#include "model/result/result.h"
#include "model/result/scene.h"
#include "output/write/embedded.h"
#include "output/write/files.h"
#include "output/write/json_text.h"
#include "output/write/report_page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes collected before a write. */
#define PAGE_CHUNK (1u << 16)

/* Page that is written to a file, or (NULL) collected in the text. */
typedef struct HtmlPage {
    RbvText text;
    FILE *file;
    int failed; /* errno of the first write that failed */
} HtmlPage;

static void flush_page(HtmlPage *page, size_t above) {
    if (!page->file || page->text.length <= above || page->failed || page->text.no_memory)
        return;
    if (fwrite(page->text.data, 1, page->text.length, page->file) != page->text.length)
        page->failed = errno;
    page->text.length = 0;
}

static void put_parts(HtmlPage *page, const char *const *strings) {
    for (; *strings; strings++) {
        rbv_text_add(&page->text, *strings);
        flush_page(page, PAGE_CHUNK);
    }
}

/* Adds a JSON text, piece by piece, and frees it; NULL: it could not be allocated. */
static void put_json(HtmlPage *page, char *json) {
    page->text.no_memory = page->text.no_memory || !json;
    for (const char *at = json; at && *at;) {
        size_t length = strnlen(at, PAGE_CHUNK);
        rbv_embed_json(&page->text, at, length);
        at += length;
        flush_page(page, PAGE_CHUNK);
    }
    free(json);
}

static char *json_text(const char *string) {
    RbvJson json = {.empty = true};
    rbv_json_text(&json, string);
    return rbv_text_take(&json.text);
}

/* Is the column part of a body's pose? Poses are always included: the picture needs them. */
static bool is_pose(const RbvScene *scene, int32_t column) {
    for (int32_t b = 1; b < scene->body_count; b++)
        for (int k = 0; k < 7; k++)
            if (scene->bodies[b].column[k] == column)
                return true;
    return false;
}

static bool is_column_in_page(const RbvResult *result, const RbvView *view, int32_t column) {
    return column == 0 || view->only_count == 0 || rbv_view_shows(view, result->columns[column].name) ||
           is_pose(&result->scene->shown, column);
}

static void put_column(HtmlPage *page, const RbvColumn *column, bool first) {
    rbv_text_add(&page->text, first ? "{\"name\":" : ",\n{\"name\":");
    put_json(page, json_text(column->name));
    rbv_text_add(&page->text, ",\"unit\":");
    put_json(page, json_text(column->unit ? column->unit : ""));
    rbv_text_add(&page->text, ",\"verdict\":");
    if (column->has_verdict)
        put_json(page, json_text(rbv_verdict_name(column->verdict)));
    else
        rbv_text_add(&page->text, "null");
    rbv_text_add(&page->text, "}");
}

/* The columns of the samples that are kept, one after the other. */
static void put_values(HtmlPage *page, const RbvResult *result, const bool *shown, const int32_t *kept, int32_t count) {
    RbvBase64 base64 = {0, 0};
    for (int32_t c = 0; c < result->column_count; c++)
        for (int32_t k = 0; k < count && shown[c]; k++) {
            rbv_base64_double(&base64, &page->text,
                              rbv_result_value(result, kept[k], c) + 0.0); /* minus zero is 0, as in series.csv */
            flush_page(page, PAGE_CHUNK);
        }
    rbv_base64_end(&base64, &page->text);
}

static void put_samples(HtmlPage *page, const RbvResult *result, const RbvView *view) {
    int32_t count = 0;
    /* of a path events name samples by their numbers */
    bool all = view->every_sample || result->followed.parameter;
    bool *shown = malloc((size_t)result->column_count + 1), *pose = malloc((size_t)result->column_count + 1);
    for (int32_t c = 0; shown && pose && c < result->column_count; c++) {
        pose[c] = is_pose(&result->scene->shown, c);
        shown[c] = is_column_in_page(result, view, c);
    }
    int32_t *kept = shown && pose ? rbv_thinned_samples(result, shown, pose, all, &count) : NULL;
    page->text.no_memory = page->text.no_memory || !kept;
    rbv_text_add(&page->text, "{\"columns\":[");
    for (int32_t c = 0; kept && c < result->column_count && count > 0; c++)
        if (shown[c])
            put_column(page, &result->columns[c], c == 0);
    rbv_text_format(&page->text, "],\n\"samples\":%d,\"of\":%d,\"data\":\"", (int)count, (int)result->sample_count);
    if (kept)
        put_values(page, result, shown, kept, count);
    rbv_text_add(&page->text, "\"}");
    free(shown);
    free(pose);
    free(kept);
}

static void put_page(HtmlPage *page, const RbvResult *const *results, int32_t count, const RbvView *view) {
    put_parts(page, rbv_report_head);
    rbv_text_add(&page->text, "<script type=\"application/json\" id=\"roberval-data\">\n{\"results\":[");
    for (int32_t k = 0; k < count; k++) {
        rbv_text_add(&page->text, k > 0 ? ",\n{\"scene\":" : "{\"scene\":");
        put_json(page, rbv_scene_of_result(results[k]));
        rbv_text_add(&page->text, ",\"result\":");
        put_json(page, rbv_json_of_result(results[k]));
        rbv_text_add(&page->text, ",\"series\":");
        put_samples(page, results[k], view);
        rbv_text_add(&page->text, "}");
    }
    rbv_text_format(&page->text, "],\"units\":\"%s\"}\n</script>", view->model_units ? "model" : "SI");
    put_parts(page, rbv_report_tail);
    flush_page(page, 0);
}

static bool have_scenes(const RbvResult *const *results, int32_t count) {
    for (int32_t k = 0; results && k < count; k++)
        if (!rbv_result_scene(results[k]))
            return false;
    return results && count > 0;
}

char *rbv_result_report(const RbvResult *const *results, int32_t count, const RbvView *given) {
    const RbvView *view = given ? given : &rbv_view_default;
    HtmlPage page = {.file = NULL};
    if (!have_scenes(results, count))
        return NULL;
    put_page(&page, results, count, view);
    return rbv_text_take(&page.text);
}

RbvStatus rbv_report_write(const char *path, const RbvResult *const *results, int32_t count, const RbvView *given,
                           RbvDiagnostics *diagnostics) {
    const RbvView *view = given ? given : &rbv_view_default;
    RbvOutputFile output;
    if (!path || !have_scenes(results, count))
        return RBV_BAD_ARGUMENT;
    if (!rbv_output_open(&output, path))
        return rbv_file_fail(path, diagnostics);
    HtmlPage page = {.file = output.stream};
    put_page(&page, results, count, view);
    bool good = !page.failed && !page.text.no_memory;
    errno = page.text.no_memory ? ENOMEM : page.failed;
    rbv_text_clear(&page.text);
    return rbv_output_close(&output, good) ? RBV_OK : rbv_file_fail(path, diagnostics);
}
