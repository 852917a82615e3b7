/* Moves the multipliers of one block along its self-stresses: elimination, compliance, least norm of what remains; see
 * choice.h and choice_task.h. */
#include "solution/reaction/choice_task.h"

#include <stdlib.h>

/* A row of the orthonormal null space with a norm below this is rounding: its multiplier is unique and stays
 * unchanged. */
#define NULL_ROUNDING 1e-12

/* Fixes all directions still open by least norm. */
static RbvStatus least_norm(RbvChoiceTask *task) {
    int32_t p = task->p, m = 6 * task->block->element_count;
    double L = task->choice->length > 0 ? task->choice->length : task->rank->L;
    if (task->z == 0)
        return RBV_OK;
    double *B = calloc((size_t)m * (size_t)p + 1, sizeof *B), *r = calloc((size_t)m + 1, sizeof *r),
           *c = task->choice->c;
    RbvStatus status = B && r ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t e = 0; status == RBV_OK && e < task->block->element_count; e++) {
        const RbvElement *element = &task->s->blocks.elements[task->block->elements[e]];
        double wn[6];
        rbv_element_wrench(task->r, task->state, element, L, task->choice->base + element->first_row, r + 6 * e);
        for (int32_t j = 0; j < p; j++) {
            for (int32_t k = 0; k < element->row_count; k++)
                c[k] = rbv_null_entry(task->rank, task->s->local[element->first_row + k], j);
            rbv_element_wrench(task->r, task->state, element, L, c, wn);
            for (int i = 0; i < 6; i++)
                B[(6 * e + i) * p + j] = wn[i];
        }
    }
    if (status == RBV_OK)
        status = rbv_choice_minimize(task, m, B, B, r, NULL);
    free(B);
    free(r);
    return status;
}

/* lambda = base + N a, except for multipliers that no self-stress changes. */
static void move(const RbvChoiceTask *task) {
    for (int32_t k = 0; k < task->block->row_count; k++) {
        double size = 0, sum = 0;
        for (int32_t j = 0; j < task->p; j++) {
            double entry = rbv_null_entry(task->rank, k, j);
            size += entry * entry;
            sum += entry * task->a[j];
        }
        int32_t row = task->block->rows[k];
        task->r->lambda[row] =
            task->choice->base[row] + (sqrt(size) * task->rank->row_norm[k] > NULL_ROUNDING ? sum : 0);
    }
}

/* Keeps the directions that compliances leave open, in scaled multipliers: N Z. False: no memory. */
static bool keep_open(const RbvChoiceTask *task) {
    BlockChoice *kept = &task->choice->blocks[task->b];
    free(kept->open);
    kept->z = task->z;
    kept->open = calloc((size_t)task->block->row_count * (size_t)task->z + 1, sizeof *kept->open);
    for (int32_t k = 0; kept->open && k < task->block->row_count; k++)
        for (int32_t i = 0; i < task->z; i++)
            for (int32_t j = 0; j < task->p; j++)
                kept->open[k * task->z + i] += rbv_null_entry(task->rank, k, j) * task->Z[j * task->z + i];
    return kept->open != NULL;
}

RbvStatus rbv_choice_block(RbvChoice *choice, const RbvState *state, const RbvSolvability *s, RbvReactions *r,
                           int32_t b, RbvDiagnostics *diagnostics) {
    int32_t p = s->ranks[b].redundant;
    RbvChoiceTask task = {choice,
                          state,
                          s,
                          r,
                          b,
                          &s->blocks.blocks[b],
                          &s->ranks[b],
                          p,
                          calloc((size_t)p + 1, sizeof(double)),
                          calloc((size_t)p * (size_t)p + 1, sizeof(double)),
                          p};
    RbvStatus status = task.a && task.Z ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t k = 0; status == RBV_OK && k < p; k++)
        task.Z[k * p + k] = 1;
    if (status == RBV_OK && choice->kind == RBV_REDUNDANT_ELIMINATE)
        status = rbv_choice_eliminate(&task, diagnostics);
    if (status == RBV_OK && choice->compliant)
        status = rbv_choice_comply(&task, diagnostics);
    if (status == RBV_OK && choice->compliant && !keep_open(&task))
        status = RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = least_norm(&task);
    if (status == RBV_OK)
        move(&task);
    free(task.a);
    free(task.Z);
    return status;
}
