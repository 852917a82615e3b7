/* Reads study.csv and takes the rows that a page holds.
 *
 * Of a large study these are: of a grid every so many values along each axis, of another design the variants from the
 * first on, which are a smaller sample of the same kind; the variants where quantities are least and largest; and the
 * first rows that failed or are over a limit. Histograms are of all rows. */
#define _POSIX_C_SOURCE 200809L
#include "study/files/report.h"

#include "core/base/units.h"
#include "model/read/files.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_ROWS 20000     /* held of a large study */
#define LEAST_ROWS 500      /* however many columns there are */
#define MOST_BYTES 1500000  /* of the rows in the page */
#define MOST_SPECIAL 1000   /* rows held since they failed, and since they are over a limit */
#define MOST_LETTERS 200000 /* of all messages */

typedef struct RowReader {
    const RbvReportStudy *of;
    RbvReportRows *rows;
    bool every, kept; /* kept: there is a folder variants/ */
    RbvStudyLine line;
    RbvArena arena;
    RbvText path;                     /* of study.csv */
    int64_t number;                   /* of rows read */
    int64_t taken_failed, taken_over; /* of those that were taken for this reason alone */
} RowReader;

/* ---- which rows ---- */

/* Values that are held of an axis: every stride-th and the last; the first alone where the stride is the whole axis. */
static bool is_level_held(int64_t level, int64_t levels, int64_t stride) {
    return level % stride == 0 || (level == levels - 1 && stride < levels);
}

static double levels_held(int64_t levels, int64_t stride) {
    if (stride >= levels)
        return 1;
    return (double)((levels - 1) / stride + 1 + ((levels - 1) % stride != 0));
}

/* Strides of a grid so that no more than `most` rows are held: that of the axis with the most values grows. */
static void choose_strides(const RbvReportStudy *of, double most, int64_t *stride) {
    for (int32_t k = 0; k < of->axes; k++)
        stride[k] = 1;
    for (;;) {
        double product = 1;
        int32_t largest = 0;
        for (int32_t k = 0; k < of->axes; k++) {
            double held = levels_held(of->levels[k], stride[k]);
            product *= held;
            if (held > levels_held(of->levels[largest], stride[largest]))
                largest = k;
        }
        if (product <= most)
            return;
        stride[largest]++;
    }
}

static double rows_of_page(const RbvStudy *study) {
    int columns = 1 + study->parameter_count + study->quantity_count;
    double bytes = (8.0 * columns + study->quantity_count + 2) * 4 / 3, rows = floor(MOST_BYTES / bytes);
    return fmin(fmax(rows, LEAST_ROWS), MOST_ROWS);
}

static bool is_grid_row_held(const RowReader *r, int64_t variant) {
    int64_t place = variant - 1;
    for (int32_t k = r->of->axes - 1; k >= 0; k--) {
        if (!is_level_held(place % r->of->levels[k], r->of->levels[k], r->rows->stride[k]))
            return false;
        place /= r->of->levels[k];
    }
    return true;
}

static bool is_extreme(const RbvReportStudy *of, int64_t variant) {
    for (int32_t q = 0; q < of->study.quantity_count; q++)
        if (of->least[q].variant == variant || of->largest[q].variant == variant)
            return true;
    return false;
}

/* Is the row held by the page? */
static bool is_held(RowReader *r, bool failed, bool over) {
    int64_t variant = r->line.variant;
    if (r->every || (r->of->axes > 0 ? is_grid_row_held(r, variant) : variant <= r->rows->first))
        return true;
    if (is_extreme(r->of, variant))
        return true;
    if (failed)
        return r->taken_failed++ < MOST_SPECIAL;
    return over && r->taken_over++ < MOST_SPECIAL;
}

/* ---- taking a row ---- */

static bool grow(RbvReportRows *rows, const RbvStudy *study) {
    int64_t capacity = 2 * rows->capacity + 256;
    size_t numbers = (size_t)(1 + study->parameter_count + study->quantity_count),
           marks = (size_t)study->quantity_count + 2;
    double *more = realloc(rows->numbers, (size_t)capacity * numbers * sizeof *more);
    rows->numbers = more ? more : rows->numbers;
    uint8_t *more_marks = realloc(rows->marks, (size_t)capacity * marks);
    rows->marks = more_marks ? more_marks : rows->marks;
    if (more && more_marks)
        rows->capacity = capacity;
    return more && more_marks;
}

/* Is there a folder variants/000123? */
static uint8_t is_kept(const RowReader *r) {
    RbvText path = {0};
    struct stat what;
    rbv_text_format(&path, "%s/variants/%06" PRId64, r->of->path, r->line.variant);
    bool kept = r->kept && path.data && stat(path.data, &what) == 0 && S_ISDIR(what.st_mode);
    rbv_text_clear(&path);
    return kept;
}

/* The message cell, in quotes or not, as the row's message. */
static void take_message(RowReader *r) {
    RbvText plain = {0};
    RbvText *messages = &r->rows->messages;
    const char *at = r->line.message;
    if (messages->length > MOST_LETTERS) {
        r->rows->silent++;
        return;
    }
    bool quoted = *at == '"';
    for (at += quoted; *at && !(quoted && at[0] == '"' && at[1] != '"'); at++) {
        at += quoted && *at == '"';
        rbv_text_put(&plain, *at);
    }
    rbv_text_format(messages, "%s[%" PRId64 ",", messages->length > 0 ? ",\n" : "", r->rows->count);
    rbv_text_json_string(messages, plain.data ? plain.data : "");
    rbv_text_put(messages, ']');
    messages->no_memory = messages->no_memory || plain.no_memory;
    rbv_text_clear(&plain);
}

static int status_number(const char *word) {
    int k = 0;
    while (k < RBV_NOT_WRITABLE && strcmp(word, rbv_study_status((RbvStatus)k)) != 0)
        k++;
    return k;
}

/* False: no memory. */
static bool hold_row(RowReader *r, bool failed) {
    const RbvStudy *study = &r->of->study;
    RbvReportRows *rows = r->rows;
    if (rows->count == rows->capacity && !grow(rows, study))
        return false;
    double *numbers = rows->numbers + rows->count * (1 + study->parameter_count + study->quantity_count);
    uint8_t *marks = rows->marks + rows->count * (study->quantity_count + 2);
    numbers[0] = (double)r->line.variant;
    memcpy(numbers + 1, r->line.parameters, (size_t)study->parameter_count * sizeof *numbers);
    memcpy(numbers + 1 + study->parameter_count, r->line.values, (size_t)study->quantity_count * sizeof *numbers);
    memcpy(marks, r->line.verdicts, (size_t)study->quantity_count);
    marks[study->quantity_count] = (uint8_t)status_number(r->line.status);
    marks[study->quantity_count + 1] = is_kept(r);
    if (failed)
        take_message(r);
    rows->count++;
    return !rows->messages.no_memory;
}

/* Put the values into the bars of their histograms. False: a value is not within the extremes of study.json. */
static bool take_bars(RowReader *r, bool *over) {
    const RbvStudy *study = &r->of->study;
    for (int32_t q = 0; q < study->quantity_count; q++) {
        double value = r->line.values[q], least = r->of->least[q].value, largest = r->of->largest[q].value;
        if (isnan(value))
            continue;
        if (r->of->least[q].variant == 0 || !(value >= least && value <= largest))
            return false;
        double place = largest > least ? (value - least) / (largest - least) * RBV_REPORT_BARS : 0;
        r->rows->heights[q * RBV_REPORT_BARS + (int64_t)fmin(place, RBV_REPORT_BARS - 1)]++;
        *over = *over || rbv_study_is_over(&study->quantities[q], value);
    }
    return true;
}

static RbvStatus wrong_row(const RowReader *r, const char *what) {
    rbv_diagnose(r->of->diagnostics, RBV_ERROR, r->path.data,
                 (RbvPosition){r->number < INT32_MAX ? (int32_t)r->number + 1 : 0, 1}, "%s", what);
    return RBV_BAD_INPUT;
}

static RbvStatus take_line(RowReader *r, const char *line) {
    RbvReportRows *rows = r->rows;
    r->number++;
    if (r->number > r->of->study.design.count)
        return wrong_row(r, "there are more rows than study.json has variants");
    if (!rbv_study_read_line(&r->of->study, line, &r->line))
        return wrong_row(r, "this row is damaged");
    if (r->line.variant != r->number)
        return wrong_row(r, "variants are not in their order");
    bool failed = strcmp(r->line.status, rbv_study_status(RBV_OK)) != 0, over = false;
    if (!take_bars(r, &over))
        return wrong_row(r, "a value is beyond the extremes of study.json: it is of another run");
    rows->all_failed += failed;
    rows->all_over += over;
    if (!is_held(r, failed, over))
        return RBV_OK;
    rows->failed += failed;
    rows->over += over;
    return hold_row(r, failed) ? RBV_OK : RBV_NO_MEMORY;
}

/* ---- the file ---- */

static RbvStatus check_head(const RowReader *r, const char *line) {
    RbvText head = {0};
    rbv_study_head(&r->of->study, &head);
    RbvStatus status = head.no_memory ? RBV_NO_MEMORY : RBV_OK;
    if (status == RBV_OK && strcmp(head.data, line) != 0)
        status = wrong_row(r, "its columns are not those of study.json");
    rbv_text_clear(&head);
    return status;
}

/* All rows are read: are they as many as study.json says? */
static RbvStatus check_counts(const RowReader *r, bool empty) {
    if (empty)
        return wrong_row(r, "it is empty");
    if (r->number < r->of->study.design.count)
        return wrong_row(r, "rows are missing at its end: study.json has more variants");
    if (r->number - r->rows->all_failed != r->of->done)
        return wrong_row(r, "not as many variants are done as study.json counts");
    return RBV_OK;
}

static RbvStatus read_lines(RowReader *r, FILE *file) {
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length = 0;
    bool head = true;
    RbvStatus status = RBV_OK;
    while (status == RBV_OK) {
        errno = 0;
        length = getline(&line, &capacity, file);
        if (length <= 0)
            break;
        bool whole = line[length - 1] == '\n' && strlen(line) == (size_t)length;
        line[length - 1] = '\0';
        const char *row = whole ? line : ""; /* which is neither a head nor a row */
        status = head ? check_head(r, row) : take_line(r, row);
        head = false;
    }
    if (length <= 0 && !feof(file)) /* memory, too: getline then sets errno alone */
        status = errno == ENOMEM ? RBV_NO_MEMORY : wrong_row(r, strerror(errno));
    free(line);
    return status == RBV_OK ? check_counts(r, head) : status;
}

/* What is known before the first row. False: no memory. */
static bool begin(RowReader *r) {
    const RbvStudy *study = &r->of->study;
    size_t parameters = (size_t)study->parameter_count + 1, quantities = (size_t)study->quantity_count + 1;
    r->line.parameters = rbv_arena_array(&r->arena, parameters, sizeof(double));
    r->line.values = rbv_arena_array(&r->arena, quantities, sizeof(double));
    r->line.verdicts = rbv_arena_array(&r->arena, quantities, sizeof(uint8_t));
    r->rows->heights = calloc(quantities * RBV_REPORT_BARS, sizeof(int64_t));
    r->rows->stride = calloc(parameters, sizeof(int64_t));
    rbv_text_format(&r->path, "%s/variants", r->of->path);
    struct stat what;
    r->kept = r->path.data && stat(r->path.data, &what) == 0 && S_ISDIR(what.st_mode);
    r->path.length = 0;
    rbv_text_format(&r->path, "%s/study.csv", r->of->path);
    if (!r->line.parameters || !r->line.values || !r->line.verdicts || !r->rows->heights || !r->rows->stride ||
        r->path.no_memory)
        return false;
    double most = r->every ? (double)study->design.count : rows_of_page(study);
    choose_strides(r->of, most, r->rows->stride);
    r->rows->first = (int64_t)fmin(most, (double)study->design.count);
    return true;
}

RbvStatus rbv_report_rows_read(const RbvReportStudy *of, bool every, RbvReportRows *rows) {
    *rows = (RbvReportRows){0};
    RowReader reader = {.of = of, .rows = rows, .every = every};
    RbvStatus status = begin(&reader) ? RBV_OK : RBV_NO_MEMORY;
    errno = 0;
    FILE *file = status == RBV_OK ? rbv_open_regular(reader.path.data) : NULL;
    if (file) {
        status = read_lines(&reader, file);
        fclose(file);
    } else if (status == RBV_OK && errno == ENOMEM) {
        status = RBV_NO_MEMORY;
    } else if (status == RBV_OK) {
        rbv_diagnose(of->diagnostics, RBV_ERROR, reader.path.data, (RbvPosition){0, 0}, "%s",
                     errno ? strerror(errno) : "it is no regular file");
        status = RBV_BAD_INPUT;
    }
    rbv_text_clear(&reader.path);
    rbv_arena_clear(&reader.arena);
    return status;
}

void rbv_report_rows_clear(RbvReportRows *rows) {
    free(rows->numbers);
    free(rows->marks);
    free(rows->stride);
    free(rows->heights);
    rbv_text_clear(&rows->messages);
}
