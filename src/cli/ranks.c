/* One process: its variants and rows are those of its folder. */
#include "cli/ranks.h"

#include <stdlib.h>

struct Ranks {
    RbvStudyFolder *folder;
};

int rank_number(void) {
    return 0;
}

int rank_count(void) {
    return 1;
}

RbvStatus rank_agree(RbvStatus status) {
    return status;
}

bool rank_same(const RbvStudy *study) {
    (void)study;
    return true;
}

bool rank_reports(void) {
    return true;
}

Ranks *rank_begin(const RbvStudy *study, RbvStudyFolder *folder) {
    Ranks *ranks = malloc(sizeof *ranks);
    (void)study;
    if (ranks)
        ranks->folder = folder;
    return ranks;
}

bool rank_next(Ranks *ranks, int64_t *variant) {
    return rbv_study_folder_next(ranks->folder, variant);
}

RbvStatus rank_row(Ranks *ranks, const RbvStudyRow *row) {
    return rbv_study_folder_row(ranks->folder, row);
}

RbvStatus rank_end(Ranks *ranks, RbvStatus status) {
    free(ranks);
    return status;
}

void rank_finish(void) {
}
