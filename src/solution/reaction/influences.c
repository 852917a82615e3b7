/* Influences of misfits: in each round one misfit of every block, since self-stresses end with their block. */
#include "solution/reaction/influences.h"

#include <stdlib.h>
#include <string.h>

bool rbv_influences_linear(const RbvReactions *r) {
    const RbvModel *model = r->system->model;
    for (int32_t k = 0; k < model->joints.count; k++)
        if (rbv_forms[model->joints.items[k].form].teeth)
            return false;
    for (int32_t k = 0; k < model->constraints.count; k++)
        if (model->constraints.items[k].nonideal)
            return false;
    return !r->has_line;
}

RbvInfluences *rbv_influences_create(const RbvReactions *r) {
    const RbvModel *model = r->system->model;
    RbvInfluences *in = calloc(1, sizeof *in);
    if (!in)
        return NULL;
    size_t most = (size_t)model->tolerances.count + 1, rows = (size_t)r->system->satisfied_count,
           constraints = (size_t)model->constraints.count;
    in->first_effort = r->component_count;
    in->first_multiplier = in->first_effort + model->drives.count;
    in->first_stop = in->first_multiplier + model->constraints.count;
    in->quantities = in->first_stop + model->stops.count;
    in->tolerance = rbv_arena_array(&in->arena, most, sizeof *in->tolerance);
    in->unbounded = rbv_arena_array(&in->arena, most, sizeof *in->unbounded);
    in->block = rbv_arena_array(&in->arena, most, sizeof *in->block);
    in->members = rbv_arena_array(&in->arena, most, sizeof *in->members);
    in->kept = rbv_arena_array(&in->arena, rows + (size_t)in->quantities + 2 * constraints + 1, sizeof *in->kept);
    if (!in->tolerance || !in->unbounded || !in->block || !in->members || !in->kept) {
        rbv_influences_destroy(in);
        return NULL;
    }
    for (int32_t k = 0; k < model->tolerances.count; k++)
        if (model->tolerances.items[k].joint >= 0)
            in->tolerance[in->count++] = k;
    return in;
}

void rbv_influences_destroy(RbvInfluences *in) {
    if (!in)
        return;
    rbv_arena_clear(&in->arena);
    free(in->answers);
    free(in);
}

/* Copy `count` numbers from the reactions to the buffer, or back; returns the end of the buffer's part. */
static double *exchange(double *kept, double *own, int32_t count, bool back) {
    if (back)
        memcpy(own, kept, (size_t)count * sizeof *own);
    else
        memcpy(kept, own, (size_t)count * sizeof *own);
    return kept + count;
}

/* Keep what the reactions have now, or give it back. */
static void keep(const RbvInfluences *in, RbvReactions *r, bool back) {
    const RbvModel *model = r->system->model;
    double *at = exchange(in->kept, r->lambda, r->system->satisfied_count, back);
    at = exchange(at, r->value[0], r->component_count, back);
    at = exchange(at, r->effort, model->drives.count, back);
    at = exchange(at, r->multiplier, model->constraints.count, back);
    at = exchange(at, r->stop, model->stops.count, back);
    at = exchange(at, r->carried, model->constraints.count, back);
    exchange(at, r->ideal, model->constraints.count, back);
}

/* Add the answers of `count` quantities from `first` on to a misfit. False: no memory. */
static bool add_answers(RbvInfluences *in, int32_t misfit, int32_t first, const double *value, int32_t count) {
    if (in->answer_count + (size_t)count > in->answer_capacity) {
        size_t capacity = 2 * in->answer_capacity + (size_t)count + 64;
        RbvAnswer *grown = realloc(in->answers, capacity * sizeof *grown);
        if (!grown)
            return false;
        in->answers = grown;
        in->answer_capacity = capacity;
    }
    for (int32_t k = 0; k < count; k++)
        if (value[k] != 0)
            in->answers[in->answer_count++] = (RbvAnswer){misfit, first + k, value[k]};
    return true;
}

/* Take what the elements of the misfit's block print. False: no memory. */
static bool take_block(RbvInfluences *in, const RbvSolvability *s, const RbvReactions *r, int32_t misfit) {
    const RbvBlock *block = &s->blocks.blocks[in->block[misfit]];
    bool good = true;
    for (int32_t e = 0; good && e < block->element_count; e++) {
        const RbvElement *element = &s->blocks.elements[block->elements[e]];
        int32_t k = element->index;
        switch (element->owner) {
        case RBV_OWNER_JOINT:
            good = add_answers(in, misfit, (int32_t)(r->value[k] - r->value[0]), r->value[k],
                               rbv_reactions_components(r, k));
            break;
        case RBV_OWNER_DRIVE: good = add_answers(in, misfit, in->first_effort + k, &r->effort[k], 1); break;
        case RBV_OWNER_CONSTRAINT:
            good = add_answers(in, misfit, in->first_multiplier + k, &r->multiplier[k], 1);
            break;
        case RBV_OWNER_STOP: good = add_answers(in, misfit, in->first_stop + k, &r->stop[k], 1); break;
        default: break;
        }
    }
    return good;
}

/* Blocks of all misfits whose rows are redundant. */
static void find_blocks(const RbvInfluences *in, const RbvSolvability *s, const RbvSystem *system) {
    for (int32_t k = 0; k < in->count; k++) {
        int32_t joint = system->model->tolerances.items[in->tolerance[k]].joint, first = system->joint_row[joint];
        bool holds = system->joint_row[joint + 1] > first && rbv_solvability_holds(s, first);
        in->block[k] = holds ? rbv_solvability_block(s, first) : -1;
        if (in->block[k] >= 0 && !rbv_has_null(&s->ranks[in->block[k]]))
            in->block[k] = -1;
    }
}

/* The next misfits of different blocks, members[]; blocks of those that were taken before are -1. Misfits of a block
 * follow each other in most models, so the search is short. */
static int32_t next_round(const RbvInfluences *in) {
    int32_t count = 0;
    for (int32_t k = 0; k < in->count; k++) {
        bool taken = in->block[k] < 0;
        for (int32_t n = count; !taken && n-- > 0;)
            taken = in->block[in->members[n]] == in->block[k];
        if (!taken)
            in->members[count++] = k;
    }
    return count;
}

RbvStatus rbv_influences_find(RbvInfluences *in, RbvChoice *choice, const RbvState *state, const RbvSolvability *s,
                              RbvReactions *r) {
    const RbvTolerance *tolerances = r->system->model->tolerances.items;
    RbvStatus status = RBV_OK;
    bool opened = r->opened;
    int32_t count;
    in->answer_count = 0;
    memset(in->unbounded, 0, (size_t)in->count * sizeof *in->unbounded);
    find_blocks(in, s, r->system);
    keep(in, r, false);
    while (status == RBV_OK && (count = next_round(in)) > 0) {
        memset(r->lambda, 0, (size_t)r->system->satisfied_count * sizeof *r->lambda);
        for (int32_t n = 0; status == RBV_OK && n < count; n++) {
            const RbvTolerance *of = &tolerances[in->tolerance[in->members[n]]];
            status = rbv_choice_deviate(choice, state, s, r, of->joint, of->of, &in->unbounded[in->members[n]]);
        }
        rbv_reactions_print(r, state);
        for (int32_t n = 0; status == RBV_OK && n < count; n++) {
            if (!take_block(in, s, r, in->members[n]))
                status = RBV_NO_MEMORY;
            in->block[in->members[n]] = -1;
        }
    }
    keep(in, r, true);
    r->opened = opened;
    return status;
}
