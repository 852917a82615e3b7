/* The folder of a study: its journal while it runs, study.csv and study.json when all rows are there. */
#include "output/write/files.h"
#include "study/files/journal.h"
#include "study/files/study_json.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct RbvStudyFolder {
    const RbvStudy *study;
    RbvStudyFolderOptions options;
    RbvJournal journal;
    int64_t next;    /* the last variant that was given out */
    char cause[300]; /* why the journal could not be written */
    RbvStatistics statistics;
    bool finished; /* the statistics are those of all rows */
    RbvStudyRunFacts facts;
};

/* Report which variants have no row. */
static RbvStatus refuse_missing(const RbvStudyFolder *folder, RbvDiagnostics *diagnostics) {
    int64_t count = folder->study->design.count, first = 0;
    while (first < count && folder->journal.places[first] >= 0)
        first++;
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0},
                 "%" PRId64 " of %" PRId64 " variants of %s have no row, the first is %" PRId64
                 ": a part is missing or was interrupted",
                 count - folder->journal.done, count, folder->journal.path, first + 1);
    return RBV_BAD_INPUT;
}

RbvStatus rbv_study_folder_open(const RbvStudy *study, const RbvStudyFolderOptions *options,
                                RbvDiagnostics *diagnostics, RbvStudyFolder **folder) {
    if (folder)
        *folder = NULL;
    if (!study || !options || !folder || (options->parts > 0 && (options->part < 1 || options->part > options->parts)))
        return RBV_BAD_ARGUMENT;
    RbvStudyFolder *f = calloc(1, sizeof *f);
    if (!f)
        return RBV_NO_MEMORY;
    f->study = study;
    f->options = *options;
    RbvStatus status = rbv_journal_open(&f->journal, study, options, diagnostics);
    if (status == RBV_OK && options->merge && f->journal.done < study->design.count)
        status = refuse_missing(f, diagnostics);
    if (status == RBV_OK)
        *folder = f;
    else
        rbv_study_folder_close(f);
    return status;
}

void rbv_study_folder_close(RbvStudyFolder *folder) {
    if (!folder)
        return;
    rbv_journal_close(&folder->journal);
    rbv_statistics_clear(&folder->statistics);
    free(folder);
}

static bool is_own(const RbvStudyFolder *folder, int64_t variant) {
    int32_t parts = folder->options.parts;
    return parts == 0 || (variant - folder->options.part) % parts == 0;
}

bool rbv_study_folder_next(RbvStudyFolder *folder, int64_t *variant) {
    int64_t count = folder->study->design.count;
    while (++folder->next <= count)
        if (folder->journal.places[folder->next - 1] < 0 && is_own(folder, folder->next)) {
            *variant = folder->next;
            return true;
        }
    folder->next = count;
    return false;
}

char *rbv_study_line(const RbvStudy *study, const RbvStudyRow *row) {
    RbvText text = {0};
    rbv_study_row_line(study, row, &text);
    return rbv_text_take(&text);
}

static RbvStatus append(RbvStudyFolder *folder, int64_t variant, bool failed, const char *line) {
    RbvStatus status = rbv_journal_append(&folder->journal, variant, failed, line, strlen(line));
    if (status == RBV_NOT_WRITABLE)
        snprintf(folder->cause, sizeof folder->cause, "%s", strerror(errno));
    return status;
}

RbvStatus rbv_study_folder_row(RbvStudyFolder *folder, const RbvStudyRow *row) {
    if (!folder || !row)
        return RBV_BAD_ARGUMENT;
    char *line = rbv_study_line(folder->study, row);
    RbvStatus status = line ? append(folder, row->variant, row->status != RBV_OK, line) : RBV_NO_MEMORY;
    free(line);
    return status;
}

/* Arrays of a line, in the arena. False: no memory. */
static bool make_line(const RbvStudy *study, RbvArena *arena, RbvStudyLine *line) {
    line->parameters = rbv_arena_array(arena, (size_t)study->parameter_count + 1, sizeof(double));
    line->values = rbv_arena_array(arena, (size_t)study->quantity_count + 1, sizeof(double));
    line->verdicts = rbv_arena_array(arena, (size_t)study->quantity_count + 1, sizeof(uint8_t));
    return line->parameters && line->values && line->verdicts;
}

RbvStatus rbv_study_folder_line(RbvStudyFolder *folder, const char *text) {
    if (!folder || !text)
        return RBV_BAD_ARGUMENT;
    RbvArena arena = {0};
    RbvStudyLine line;
    RbvStatus status = make_line(folder->study, &arena, &line) ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK && !rbv_study_read_line(folder->study, text, &line))
        status = RBV_BAD_ARGUMENT;
    if (status == RBV_OK)
        status = append(folder, line.variant, strcmp(line.status, rbv_study_status(RBV_OK)) != 0, text);
    rbv_arena_clear(&arena);
    return status;
}

RbvStudyProgress rbv_study_folder_progress(const RbvStudyFolder *folder) {
    if (!folder)
        return (RbvStudyProgress){0};
    return (RbvStudyProgress){folder->journal.done, folder->study->design.count, folder->journal.failed};
}

/* ---- the files at the end ---- */

static RbvStatus fail_on(const RbvStudyFolder *folder, const char *name, RbvDiagnostics *diagnostics) {
    if (errno == ENOMEM)
        return RBV_NO_MEMORY;
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0}, "cannot write %s/%s: %s",
                 folder->journal.path ? folder->journal.path : ".", name, strerror(errno));
    return RBV_NOT_WRITABLE;
}

/* All rows in their order to the stream (NULL: none), and into the statistics (NULL: none). False: errno has the cause.
 */
static bool pass_rows(const RbvStudyFolder *folder, FILE *stream, RbvText *text, RbvStatistics *statistics) {
    RbvArena arena = {0};
    RbvStudyLine line;
    RbvText head = {0};
    RbvJournalReader *reader = rbv_journal_reader(&folder->journal);
    bool good = reader && make_line(folder->study, &arena, &line);
    errno = good ? 0 : ENOMEM;
    rbv_study_head(folder->study, &head);
    rbv_text_add(&head, "\n");
    if (stream && head.data)
        good = fputs(head.data, stream) >= 0 && good;
    if (text && head.data)
        rbv_text_add(text, head.data);
    for (int64_t k = 1; good && k <= folder->study->design.count; k++) {
        if (folder->journal.places[k - 1] < 0)
            continue; /* not computed yet */
        const char *row = rbv_journal_line(reader, k);
        good = row && rbv_study_read_line(folder->study, row, &line);
        errno = good || errno ? errno : EIO; /* a row of another study */
        if (good && stream)
            good = fputs(row, stream) >= 0 && fputc('\n', stream) != EOF;
        if (good && text) {
            rbv_text_add(text, row);
            rbv_text_put(text, '\n');
        }
        if (good && statistics)
            rbv_statistics_take(statistics, &line);
    }
    rbv_text_clear(&head);
    rbv_journal_reader_destroy(reader);
    rbv_arena_clear(&arena);
    return good;
}

/* study.csv, and the statistics on the way. */
static RbvStatus write_table(RbvStudyFolder *folder, RbvDiagnostics *diagnostics) {
    RbvOutputFile output = {0};
    RbvText path = {0};
    if (!folder->journal.path) {
        errno = 0;
        return pass_rows(folder, NULL, NULL, &folder->statistics) ? RBV_OK : fail_on(folder, "study", diagnostics);
    }
    rbv_text_format(&path, "%s/study.csv", folder->journal.path);
    bool opened = !path.no_memory && rbv_output_open(&output, path.data);
    bool good = opened && pass_rows(folder, output.stream, NULL, &folder->statistics);
    if (opened)
        good = rbv_output_close(&output, good);
    RbvStatus status = good ? RBV_OK : fail_on(folder, "study.csv", diagnostics);
    rbv_text_clear(&path);
    return status;
}

/* Quantities without values; limits on values that are missing, or that the rigid model does not determine. */
static void warn_of_values(const RbvStudyFolder *folder, RbvDiagnostics *diagnostics) {
    for (int32_t q = 0; q < folder->study->quantity_count; q++) {
        const RbvStudyQuantity *quantity = &folder->study->quantities[q];
        double values = folder->statistics.quantities[q].moments.count;
        if (values == 0 && folder->statistics.done > 0)
            rbv_diagnose(diagnostics, RBV_WARNING, folder->study->file, quantity->at,
                         "'%s' has no value in any variant: %s does not compute it", quantity->name,
                         folder->study->analysis);
        if (quantity->limit != RBV_LIMIT_NONE && values > 0 && values < (double)folder->statistics.done)
            rbv_diagnose(diagnostics, RBV_WARNING, folder->study->file, quantity->limit_at,
                         "'%s' has no value in %.0f variants, so that its limit decides nothing there", quantity->name,
                         (double)folder->statistics.done - values);
        if (quantity->limit != RBV_LIMIT_NONE && folder->statistics.quantities[q].verdict >= RBV_UNSURE)
            rbv_diagnose(diagnostics, RBV_WARNING, folder->study->file, quantity->limit_at,
                         "'%s' is not unique in some variants: other values are equally right, so that its limit "
                         "decides nothing there",
                         quantity->name);
    }
}

RbvStatus rbv_study_folder_finish(RbvStudyFolder *folder, double seconds, RbvDiagnostics *diagnostics) {
    if (!folder)
        return RBV_BAD_ARGUMENT;
    if (*folder->cause) {
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0}, "cannot write %s/journal: %s",
                     folder->journal.path ? folder->journal.path : ".", folder->cause);
        return RBV_NOT_WRITABLE;
    }
    if (folder->journal.own >= 0 && !rbv_journal_sync(&folder->journal))
        return fail_on(folder, "journal", diagnostics);
    if (folder->journal.done < folder->study->design.count || folder->options.parts > 0)
        return RBV_OK;
    folder->facts = (RbvStudyRunFacts){folder->options.threads, seconds};
    RbvStatus status =
        rbv_statistics_begin(&folder->statistics, folder->study) ? write_table(folder, diagnostics) : RBV_NO_MEMORY;
    if (status != RBV_OK)
        return status;
    rbv_statistics_end(&folder->statistics);
    warn_of_values(folder, diagnostics);
    folder->finished = true;
    char *json = folder->journal.path ? rbv_study_json(&folder->statistics, &folder->facts) : NULL;
    RbvText path = {0};
    rbv_text_format(&path, "%s/study.json", folder->journal.path ? folder->journal.path : ".");
    if (folder->journal.path)
        status = json && path.data ? rbv_file_write(path.data, json, strlen(json), diagnostics) : RBV_NO_MEMORY;
    rbv_text_clear(&path);
    free(json);
    return status;
}

char *rbv_study_folder_text(const RbvStudyFolder *folder, RbvTextForm form) {
    RbvText text = {0};
    if (!folder || (!folder->finished && form != RBV_TEXT_SERIES))
        return NULL;
    if (form == RBV_TEXT_JSON)
        return rbv_study_json(&folder->statistics, &folder->facts);
    if (form == RBV_TEXT_TABLES)
        return rbv_study_page(&folder->statistics);
    if (form == RBV_TEXT_SERIES && pass_rows(folder, NULL, &text, NULL))
        return rbv_text_take(&text);
    rbv_text_clear(&text);
    return NULL;
}
