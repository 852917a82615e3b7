/* A finished study as its folder tells it, for its page: study.json, and those rows of study.csv that the page holds.
 */
#ifndef RBV_STUDY_FILES_REPORT_H
#define RBV_STUDY_FILES_REPORT_H

#include "core/base/text.h"
#include "model/read/tree.h"
#include "study/files/statistics.h"

/* Bars of a histogram, from the least to the largest value: a number with many divisors, so that the page can join
 * bars. */
#define RBV_REPORT_BARS 240

/* study.json, read back. */
typedef struct RbvReportStudy {
    const char *path; /* of the folder */
    RbvDiagnostics *diagnostics;
    RbvArena arena;
    char *text; /* of study.json */
    RbvNodeTree *tree;
    RbvStudy study;      /* names, units, limits and the number of variants; nothing else is set */
    int64_t done;        /* variants that did not fail */
    RbvExtreme *least;   /* [quantities]; variant 0: there is no value */
    RbvExtreme *largest; /* [quantities] */
    int32_t axes;        /* of a grid; 0: no grid, or one of an older version */
    int64_t *levels;     /* [axes] values along each; the last axis runs fastest */
} RbvReportStudy;

/* Read path/study.json. BAD_INPUT: missing or damaged, see diagnostics. *of is to be cleared in any case. */
RbvStatus rbv_report_study_read(const char *path, RbvDiagnostics *diagnostics, RbvReportStudy *of);
void rbv_report_study_clear(RbvReportStudy *of);

/* Rows of study.csv that the page holds, and what is known of all. */
typedef struct RbvReportRows {
    int64_t count, capacity;
    double *numbers;              /* [count][1 + parameters + quantities]: variant, parameters, quantities */
    uint8_t *marks;               /* [count][quantities + 2]: verdicts, status, 1 if its folder was kept */
    RbvText messages;             /* JSON: [row, "message"], ... of failed rows */
    int64_t silent;               /* failed rows whose message is left out */
    int64_t *stride;              /* [axes] of a grid: every so many values of each are held; all 1: all rows */
    int64_t first;                /* of other designs: this many variants from the first on are held */
    int64_t bars, *heights;       /* [quantities][RBV_REPORT_BARS] values of all rows in each bar of its histogram */
    int64_t failed, over;         /* rows with a failure, or over a limit, among `count` */
    int64_t all_failed, all_over; /* and among all */
} RbvReportRows;

/* Read path/study.csv. every: hold all rows; else as many as a page of about 2 MB can have. BAD_INPUT: missing or
 * damaged, see diagnostics. *rows is to be cleared in any case. */
RbvStatus rbv_report_rows_read(const RbvReportStudy *of, bool every, RbvReportRows *rows);
void rbv_report_rows_clear(RbvReportRows *rows);

#endif
