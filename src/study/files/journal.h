/* The journal of a study: rows as they were computed, a line each with its checksum, appended to one file by each part.
 * What is torn or damaged counts as not computed. */
#ifndef RBV_STUDY_FILES_JOURNAL_H
#define RBV_STUDY_FILES_JOURNAL_H

#include "core/base/text.h"
#include "study/definition/study.h"

typedef struct RbvJournal {
    const RbvStudy *study;
    char *path;   /* of the study's folder; NULL: one file without name */
    bool alone;   /* no other part writes to the folder */
    int folder;   /* descriptor of journal/, which is locked: alone, or shared with other parts; -1: none */
    int own;      /* descriptor of the file to which rows are appended; -1: none */
    int64_t size; /* of that file */
    int *files;   /* [file_count] descriptors of all files; that of index 0 is `own` */
    int file_count;
    int64_t *places; /* [variants] place of the row: index of its file times RBV_JOURNAL_FILE plus offset; -1: none */
    int64_t done, failed, damaged;
    RbvText buffer;             /* rows that came quickly one after the other and are not written yet */
    int64_t buffered;           /* their number */
    int64_t row_at, written_at; /* [ms] when the last row came, when rows were written last */
    int64_t synced_at;          /* [ms] when the file was last brought to the disk */
} RbvJournal;

#define RBV_JOURNAL_FILE (INT64_C(1) << 46) /* bytes that a file may have */

/* Open DIR/journal, created if missing. part 0: alone. BAD_INPUT, NOT_WRITABLE, NO_MEMORY: see diagnostics. */
RbvStatus rbv_journal_open(RbvJournal *journal, const RbvStudy *study, const RbvStudyFolderOptions *options,
                           RbvDiagnostics *diagnostics);
void rbv_journal_close(RbvJournal *journal);
/* Append the line of a variant, without its end. Rows that come within 10 ms of each other are written together, after
 * 100 ms at the latest. NOT_WRITABLE: errno has the cause, and the file is as before. */
RbvStatus rbv_journal_append(RbvJournal *journal, int64_t variant, bool failed, const char *line, size_t length);
/* Write what was appended, and bring it to the disk. False: errno has the cause. */
bool rbv_journal_sync(RbvJournal *journal);

/* Reads rows in the order of variants. */
typedef struct RbvJournalReader RbvJournalReader;
RbvJournalReader *rbv_journal_reader(const RbvJournal *journal);
/* Line of a variant that has a row, without checksum and end, valid until the next call. NULL: errno has the cause. */
const char *rbv_journal_line(RbvJournalReader *reader, int64_t variant);
void rbv_journal_reader_destroy(RbvJournalReader *reader);

#endif
