/* Compliance: N^T (s R - misfit) = 0, R the joints' reactions in their own axes, s their compliances. See
 * choice_task.h. */
#include "solution/reaction/choice_task.h"

#include "core/base/diagnostics.h"

#include <stdlib.h>

/* Does a misfit stress a loop of rigid joints, so that reactions have no finite value? fit[p] = N^T misfit then has
 * a part in the directions still open. */
static bool is_stuck(const RbvChoiceTask *task, const double *fit) {
    double stuck = 0, size = 0;
    for (int32_t j = 0; j < task->z; j++) {
        double part = 0;
        for (int32_t k = 0; k < task->p; k++)
            part += fit[k] * task->Z[k * task->z + j];
        stuck += part * part;
    }
    for (int32_t k = 0; k < task->p; k++)
        size += fit[k] * fit[k];
    return stuck > 1e-14 * size && size > 0;
}

/* Rows of order one and weighted rows of the joints' compliances, and the gradient of the energy of the misfits. */
RbvStatus rbv_choice_comply(RbvChoiceTask *task, RbvDiagnostics *diagnostics) {
    RbvChoice *choice = task->choice;
    const RbvModel *model = choice->system->model;
    int32_t p = task->p, m = 0;
    size_t most = 6 * (size_t)task->block->element_count + 1;
    double *plain = calloc((2 * most + 3) * (size_t)p + most, sizeof *plain), *B = plain + most * (size_t)p;
    double *g = B + most * (size_t)p, *row = g + p, *fit = row + p, *r = fit + p;
    RbvStatus status = plain ? RBV_OK : RBV_NO_MEMORY;
    const RbvJoint *misfit_joint = NULL;
    for (int32_t e = 0; status == RBV_OK && e < task->block->element_count; e++) {
        const RbvElement *element = &task->s->blocks.elements[task->block->elements[e]];
        if (element->owner != RBV_OWNER_JOINT)
            continue;
        const RbvJoint *joint = &model->joints.items[element->index];
        for (int d = 0; d < 6; d++) {
            double s = choice->compliance[element->index][d], misfit = rbv_joint_loose(joint)->misfit[d];
            if (s == 0 && misfit == 0)
                continue;
            rbv_reactions_in_frame(task->r, task->state, RBV_FRAME_JOINT, element->index, RBV_FX + d, choice->c);
            double length = rbv_choice_length(task, element, choice->c),
                   reaction = rbv_choice_on_base(task, element, choice->c);
            rbv_choice_on_null(task, element, choice->c, row);
            if (misfit != 0)
                misfit_joint = joint;
            if (s > 0 && length > 0)
                r[m] = sqrt(s) * reaction;
            for (int32_t j = 0; j < p; j++) {
                g[j] -= row[j] * misfit;
                fit[j] += row[j] * misfit;
                if (s > 0 && length > 0) {
                    plain[m * p + j] = row[j] / length;
                    B[m * p + j] = row[j] * sqrt(s);
                }
            }
            m += s > 0 && length > 0;
        }
    }
    if (status == RBV_OK)
        status = rbv_choice_minimize(task, m, plain, B, r, g);
    if (status == RBV_NOT_FINITE)
        rbv_diagnose(
            diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
            "the compliances of joints differ by so many powers of ten that their shares cannot be told; 0 is rigid");
    if (status == RBV_OK && misfit_joint && is_stuck(task, fit)) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, misfit_joint->where,
                     "the misfit of joint '%s' (and others) stresses a loop of rigid joints: it needs compliances that "
                     "can give way",
                     misfit_joint->name);
        status = RBV_BAD_INPUT;
    }
    free(plain);
    return status;
}
