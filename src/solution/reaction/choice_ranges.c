/* Archives the ranges over intervals of compliances of a run that may be continued. */
#include "solution/reaction/choice_block.h"

void rbv_choice_keep(RbvChoice *choice, RbvArchive *archive) {
    const RbvModel *model = choice->system->model;
    if (choice->interval_count == 0)
        return;
    RBV_KEEP_ARRAY(archive, choice->range, model->joints.count);
    RBV_KEEP_ARRAY(archive, choice->effort_range, model->drives.count);
    RBV_KEEP_ARRAY(archive, choice->multiplier_range, model->constraints.count);
}
