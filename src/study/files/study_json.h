/* study.json and the page of a study. */
#ifndef RBV_STUDY_FILES_STUDY_JSON_H
#define RBV_STUDY_FILES_STUDY_JSON_H

#include "study/files/statistics.h"

/* What may differ between two runs of one study. */
typedef struct RbvStudyRunFacts {
    int32_t threads;
    double seconds;
} RbvStudyRunFacts;

/* New strings, to be freed by the caller. NULL: no memory. */
char *rbv_study_json(const RbvStatistics *statistics, const RbvStudyRunFacts *facts);
char *rbv_study_page(const RbvStatistics *statistics);

#endif
