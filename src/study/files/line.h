/* A row as a line of study.csv, and back. */
#ifndef RBV_STUDY_FILES_LINE_H
#define RBV_STUDY_FILES_LINE_H

#include "core/base/text.h"
#include "study/definition/study.h"

/* What a line holds. */
typedef struct RbvStudyLine {
    int64_t variant;
    double *parameters, *values; /* [parameters], [quantities]; NaN: empty */
    uint8_t *verdicts;           /* [quantities] */
    const char *status;          /* word of the status; points into a table */
    const char *message;         /* its last cell, as it stands in the line */
} RbvStudyLine;

/* The first line of study.csv, without its end. */
void rbv_study_head(const RbvStudy *study, RbvText *text);
/* The line of a row, without its end. */
void rbv_study_row_line(const RbvStudy *study, const RbvStudyRow *row, RbvText *text);
/* Read a line into arrays of the caller. False: it is no line of this study. */
bool rbv_study_read_line(const RbvStudy *study, const char *line, RbvStudyLine *read);
/* Word of a status, "done" for RBV_OK. */
const char *rbv_study_status(RbvStatus status);

#endif
