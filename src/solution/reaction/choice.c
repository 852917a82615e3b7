/* The options of a choice among solutions, its ranges over intervals of compliances, and verdicts by compliances; the
 * algebra of one block is in choice_block.c. */
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "solution/reaction/choice_block.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static RbvStatus reject_choice(RbvDiagnostics *diagnostics, const RbvModel *model, const char *format, const char *a,
                               const char *b) {
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0}, format, a, b);
    return RBV_BAD_INPUT;
}

static int component_find(const char *name) {
    for (int k = 0; k < RBV_FRICTION; k++)
        if (strcmp(name, rbv_component_name((RbvComponent)k)) == 0)
            return k;
    return -1;
}

static RbvStatus no_component(RbvDiagnostics *diagnostics, const RbvModel *model, const RbvJoint *joint,
                              const char *name) {
    char list[100] = "none";
    size_t used = 0;
    for (int k = 0; k < RBV_FRICTION; k++)
        if (rbv_joint_has_component(joint, k))
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                                     rbv_component_name((RbvComponent)k));
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                 RBV_OPTION_REACTIONS_ELIMINATED ": joint '%s' has no reaction '%s'; it has %s", joint->name, name,
                 list);
    return RBV_BAD_INPUT;
}

/* Finds the component or row that a text "J.Fx", "constraint.effort", "drive.effort" names. */
static RbvStatus find_component(const RbvSystem *system, const char *text, Named *named, RbvDiagnostics *diagnostics) {
    const RbvModel *model = system->model;
    const char *dot = strchr(text, '.');
    char owner[RBV_NAME_SIZE];
    size_t length = dot ? (size_t)(dot - text) : strlen(text);
    if (!dot || length == 0 || length >= sizeof owner)
        return reject_choice(diagnostics, model,
                             RBV_OPTION_REACTIONS_ELIMINATED
                             ": '%s' is no component; write joint.Fx or another of its components%s",
                             text, "");
    memcpy(owner, text, length);
    owner[length] = '\0';
    *named = (Named){.joint = rbv_model_find(model, owner, RBV_NAMED_JOINT),
                     .component = component_find(dot + 1),
                     .row = -1,
                     .text = text};
    if (named->joint >= 0) {
        if (named->component < 0 || !rbv_joint_has_component(&model->joints.items[named->joint], named->component))
            return no_component(diagnostics, model, &model->joints.items[named->joint], dot + 1);
        return RBV_OK;
    }
    int32_t constraint = rbv_model_find(model, owner, RBV_NAMED_CONSTRAINT),
            drive = rbv_model_find(model, owner, RBV_NAMED_DRIVE);
    if (strcmp(dot + 1, "effort") == 0 && (constraint >= 0 || drive >= 0)) {
        named->row = constraint >= 0 ? system->constraint_row[constraint] : system->drive_row[drive];
        return RBV_OK;
    }
    return reject_choice(diagnostics, model, RBV_OPTION_REACTIONS_ELIMINATED ": there is no joint '%s' (%s)", owner,
                         text);
}

static RbvStatus find_eliminated(RbvChoice *choice, const RbvOptions *options, RbvDiagnostics *diagnostics) {
    int32_t count = options->reactions.eliminated_count;
    choice->eliminated = rbv_arena_alloc(&choice->arena, ((size_t)count + 1) * sizeof *choice->eliminated);
    if (!choice->eliminated)
        return RBV_NO_MEMORY;
    for (int32_t k = 0; k < count; k++) {
        RbvStatus status =
            find_component(choice->system, options->reactions.eliminated[k], &choice->eliminated[k], diagnostics);
        if (status != RBV_OK)
            return status;
    }
    choice->eliminated_count = count;
    return count > 0 ? RBV_OK
                     : reject_choice(diagnostics, choice->system->model,
                                     RBV_OPTION_REACTIONS_ELIMINATED "= names no component%s%s", "", "");
}

static bool has_misfit(const RbvJoint *joint) {
    for (int d = 0; d < 6; d++)
        if (rbv_joint_loose(joint)->misfit[d] != 0)
            return true;
    return false;
}

/* Allocates the ranges over the corners of intervals, empty as yet. */
static bool create_ranges(RbvChoice *choice) {
    const RbvModel *model = choice->system->model;
    const double none[2] = {INFINITY, -INFINITY};
    size_t joints = (size_t)model->joints.count + 1, drives = (size_t)model->drives.count + 1,
           constraints = (size_t)model->constraints.count + 1;
    choice->range = rbv_arena_alloc(&choice->arena, joints * sizeof *choice->range);
    choice->most = rbv_arena_array(&choice->arena, joints, sizeof *choice->most);
    choice->effort_range = rbv_arena_alloc(&choice->arena, drives * sizeof *choice->effort_range);
    choice->multiplier_range = rbv_arena_alloc(&choice->arena, constraints * sizeof *choice->multiplier_range);
    if (!choice->range || !choice->most || !choice->effort_range || !choice->multiplier_range)
        return false;
    for (size_t k = 0; k < joints; k++)
        for (int component = 0; component < RBV_COMPONENT_COUNT; component++)
            memcpy(choice->range[k][component], none, sizeof none);
    for (size_t k = 0; k < drives; k++)
        memcpy(choice->effort_range[k], none, sizeof none);
    for (size_t k = 0; k < constraints; k++)
        memcpy(choice->multiplier_range[k], none, sizeof none);
    return true;
}

/* Compliances of all joints; an interval is represented by its geometric mean. */
static RbvStatus gather_compliances(RbvChoice *choice, RbvDiagnostics *diagnostics) {
    const RbvModel *model = choice->system->model;
    for (int32_t k = 0; k < model->joints.count; k++) {
        if (!choice->misfit && has_misfit(&model->joints.items[k]))
            choice->misfit = model->joints.items[k].name;
        for (int d = 0; d < 6; d++)
            choice->compliant = choice->compliant || rbv_joint_loose(&model->joints.items[k])->compliance[d][1] > 0;
    }
    if (!choice->compliant)
        return RBV_OK;
    choice->compliance =
        rbv_arena_alloc(&choice->arena, ((size_t)model->joints.count + 1) * sizeof *choice->compliance);
    choice->interval = rbv_arena_alloc(&choice->arena, (MOST_INTERVALS + 1) * sizeof *choice->interval);
    if (!choice->compliance || !choice->interval)
        return RBV_NO_MEMORY;
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int d = 0; d < 6; d++) {
            const double *given = rbv_joint_loose(&model->joints.items[k])->compliance[d];
            choice->compliance[k][d] = sqrt(given[0] * given[1]);
            if (given[1] <= given[0])
                continue;
            if (choice->interval_count == MOST_INTERVALS)
                return reject_choice(diagnostics, model,
                                     "more than 12 compliances are intervals%s%s: their corners are too many to try",
                                     "", "");
            choice->interval[choice->interval_count][0] = k;
            choice->interval[choice->interval_count++][1] = d;
        }
    return choice->interval_count == 0 || create_ranges(choice) ? RBV_OK : RBV_NO_MEMORY;
}

RbvStatus rbv_choice_create(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                            RbvChoice **out) {
    RbvChoice *choice = calloc(1, sizeof *choice);
    *out = choice;
    if (!choice)
        return RBV_NO_MEMORY;
    choice->system = system;
    choice->kind = options->reactions.redundant;
    choice->frame = options->reactions.frame;
    choice->length = options->reactions.norm_length;
    choice->deviating[0] = -1;
    choice->base = rbv_arena_alloc(&choice->arena, ((size_t)system->row_count + 1) * sizeof(double));
    choice->c = rbv_arena_alloc(&choice->arena, ((size_t)system->row_count + 8) * sizeof(double));
    RbvStatus status = choice->base && choice->c ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK && choice->kind == RBV_REDUNDANT_ELIMINATE)
        status = find_eliminated(choice, options, diagnostics);
    if (status == RBV_OK && (choice->kind == RBV_REDUNDANT_DEFAULT || choice->kind == RBV_REDUNDANT_COMPLIANCE))
        status = gather_compliances(choice, diagnostics);
    if (status == RBV_OK && choice->misfit && !choice->compliant)
        status =
            reject_choice(diagnostics, system->model,
                          "the misfit of joint '%s' can only act where joints give way: give compliances as well%s",
                          choice->misfit, "");
    if (status == RBV_OK && choice->kind == RBV_REDUNDANT_COMPLIANCE && !choice->compliant)
        status = reject_choice(diagnostics, system->model,
                               RBV_OPTION_REACTIONS_REDUNDANT
                               " compliance: no joint has a compliance%s%s; write compliance: {x: 1e-8 m/N, ...}",
                               "", "");
    if (status != RBV_OK) {
        rbv_choice_destroy(choice);
        *out = NULL;
    }
    return status;
}

static void clear_blocks(RbvChoice *choice) {
    for (int32_t b = 0; b < choice->block_count; b++)
        free(choice->blocks[b].open);
    free(choice->blocks);
    choice->blocks = NULL;
    choice->block_count = 0;
}

void rbv_choice_destroy(RbvChoice *choice) {
    if (!choice)
        return;
    clear_blocks(choice);
    free(choice->small);
    rbv_arena_clear(&choice->arena);
    free(choice);
}

double rbv_choice_norm_length(const RbvChoice *choice, double own) {
    return choice->length > 0 && isfinite(own) ? choice->length : own;
}

const char *rbv_choice_name(const RbvChoice *choice) {
    if (choice->kind == RBV_REDUNDANT_ELIMINATE)
        return "eliminate";
    return choice->compliant ? "compliance" : "min-norm";
}

/* BAD_INPUT, reported: a component named lies in a block without self-stress, or too large to have its null space. */
static RbvStatus check_outside(const RbvChoice *choice, const RbvSolvability *s, RbvDiagnostics *diagnostics) {
    for (int32_t k = 0; k < choice->eliminated_count; k++) {
        const Named *named = &choice->eliminated[k];
        int32_t row = named->row >= 0 ? named->row : choice->system->joint_row[named->joint];
        const RbvBlockRank *rank = &s->ranks[rbv_solvability_block(s, row)];
        if (rbv_has_null(rank))
            continue;
        if (rank->redundant > 0) { /* a large block, its rank decided by probing */
            rbv_diagnose(diagnostics, RBV_ERROR, choice->system->model->file, (RbvPosition){0, 0},
                         RBV_OPTION_REACTIONS_ELIMINATED ": the part of the mechanism around %s has %d constraint "
                                                         "rows, too many for check to choose among its reactions",
                         named->text, (int)rank->determined.rows);
            return RBV_BAD_INPUT;
        }
        rbv_diagnose(diagnostics, RBV_ERROR, choice->system->model->file, (RbvPosition){0, 0},
                     RBV_OPTION_REACTIONS_ELIMINATED ": %s is determined by the model and cannot be taken away",
                     named->text);
        return RBV_BAD_INPUT;
    }
    return RBV_OK;
}

/* Room for `count` blocks: with fewer active rows there may be more. False: no memory. */
static bool grow_blocks(RbvChoice *choice, int32_t count) {
    if (choice->blocks && choice->block_count >= count)
        return true;
    BlockChoice *grown = realloc(choice->blocks, ((size_t)count + 1) * sizeof *grown);
    if (!grown)
        return false;
    memset(grown + choice->block_count, 0, (size_t)(count + 1 - choice->block_count) * sizeof *grown);
    choice->blocks = grown;
    choice->block_count = count;
    return true;
}

RbvStatus rbv_choice_apply(RbvChoice *choice, const RbvState *state, const RbvSolvability *s, RbvReactions *r,
                           RbvDiagnostics *diagnostics) {
    if (!grow_blocks(choice, s->blocks.block_count))
        return RBV_NO_MEMORY;
    bool plain = choice->kind != RBV_REDUNDANT_ELIMINATE && !choice->compliant;
    memcpy(choice->base, r->lambda, (size_t)choice->system->row_count * sizeof(double));
    RbvStatus status = choice->started ? RBV_OK : check_outside(choice, s, diagnostics);
    for (int32_t b = 0; status == RBV_OK && b < s->blocks.block_count; b++) {
        if (!rbv_has_null(&s->ranks[b]))
            continue;
        if (!plain)
            status = rbv_choice_block(choice, state, s, r, b, diagnostics);
        else if (!rbv_least_norm_block(choice, state, s, r, b))
            status = RBV_NO_MEMORY;
    }
    choice->started = choice->started || status == RBV_OK;
    return status;
}

void rbv_choice_continue(RbvChoice *choice) {
    choice->started = true;
}

int32_t rbv_choice_corners(const RbvChoice *choice) {
    return choice->interval_count > 0 ? 1 << choice->interval_count : 0;
}

/* Sets the compliances of one corner, or for -1 of the middle (geometric mean) of each interval. */
static void choice_use(RbvChoice *choice, int32_t corner) {
    for (int32_t i = 0; i < choice->interval_count; i++) {
        int32_t joint = choice->interval[i][0], direction = choice->interval[i][1];
        const double *given = rbv_joint_loose(&choice->system->model->joints.items[joint])->compliance[direction];
        choice->compliance[joint][direction] = corner < 0 ? sqrt(given[0] * given[1]) : given[corner >> i & 1];
    }
}

static void widen_range(double range[2], double value) {
    range[0] = rbv_min(range[0], value);
    range[1] = rbv_max(range[1], value);
}

/* Extends the ranges of all reactions by the values printed now. */
static void choice_widen(RbvChoice *choice, const RbvReactions *r) {
    const RbvModel *model = choice->system->model;
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int32_t c = 0; c < rbv_reactions_components(r, k); c++) {
            widen_range(choice->range[k][c], r->value[k][c]);
            choice->most[k][c] = rbv_max(choice->most[k][c], fabs(r->value[k][c]));
        }
    for (int32_t k = 0; k < model->joints.count; k++) { /* magnitudes where the tooth force may be zero */
        double(*range)[2] = choice->range[k];
        if (rbv_forms[model->joints.items[k].form].teeth && range[RBV_LINE_FT][0] < 0 && range[RBV_LINE_FT][1] > 0)
            range[RBV_LINE_FR][0] = range[RBV_LINE_F][0] = 0;
    }
    for (int32_t k = 0; k < model->drives.count; k++)
        widen_range(choice->effort_range[k], r->effort[k]);
    for (int32_t k = 0; k < model->constraints.count; k++)
        widen_range(choice->multiplier_range[k], r->multiplier[k]);
}

void rbv_choice_finish(const RbvChoice *choice, RbvReactions *r) {
    for (int32_t k = 0; k < choice->eliminated_count; k++) {
        const Named *named = &choice->eliminated[k];
        if (named->row < 0) {
            r->value[named->joint][named->component] = 0;
            continue;
        }
        const RbvRow *row = &choice->system->rows[named->row];
        *(row->owner == RBV_OWNER_DRIVE ? &r->effort[row->index] : &r->multiplier[row->index]) = 0;
    }
}

/* Is a combination of one block's multipliers determined by compliances? c[count]: unscaled, rows first ... first +
 * count - 1. */
static bool is_decided(const RbvChoice *choice, const RbvSolvability *s, int32_t b, int32_t first, int32_t count,
                       const double *c) {
    if (b >= choice->block_count || !choice->blocks[b].open)
        return false;
    const BlockChoice *kept = &choice->blocks[b];
    double size = 0, left = 0;
    for (int32_t k = 0; k < count; k++) {
        double value = c[k] / s->ranks[b].row_norm[s->local[first + k]];
        size += value * value;
    }
    for (int32_t i = 0; i < kept->z; i++) {
        double sum = 0;
        for (int32_t k = 0; k < count; k++)
            sum += c[k] * kept->open[s->local[first + k] * kept->z + i];
        left += sum * sum;
    }
    /* A combination counts as determined by compliances if at most this part of its length in scaled multipliers lies
     * in the directions that the compliances leave open. */
    return left <= RBV_BALANCED * RBV_BALANCED * size;
}

static RbvVerdict refine_element(const RbvChoice *choice, const RbvSolvability *s, int32_t first, int32_t count,
                                 const double *c, RbvVerdict verdict) {
    if (verdict != RBV_NOT_UNIQUE)
        return verdict;
    return is_decided(choice, s, rbv_solvability_block(s, first), first, count, c) ? RBV_COMPLIANCE : verdict;
}

void rbv_choice_decide(const RbvChoice *choice, const RbvState *state, const RbvSolvability *s, RbvReactions *r) {
    const RbvSystem *system = choice->system;
    const double one = 1;
    if (!choice->compliant || s->redundant == 0)
        return;
    for (int32_t k = 0; k < system->model->joints.count; k++) {
        int32_t first = system->joint_row[k], count = system->joint_row[k + 1] - first;
        for (int component = 0; component < RBV_FRICTION && component < rbv_reactions_components(r, k); component++) {
            if (r->verdict[k][component] != RBV_NOT_UNIQUE)
                continue;
            rbv_reactions_functional(r, state, k, component, r->scratch);
            r->verdict[k][component] = refine_element(choice, s, first, count, r->scratch, r->verdict[k][component]);
        }
    }
    for (int32_t k = 0; k < system->model->drives.count; k++)
        r->effort_verdict[k] = refine_element(choice, s, system->drive_row[k], 1, &one, r->effort_verdict[k]);
    for (int32_t k = 0; k < system->model->constraints.count; k++)
        r->multiplier_verdict[k] =
            refine_element(choice, s, system->constraint_row[k], 1, &one, r->multiplier_verdict[k]);
}

RbvVerdict rbv_choice_refine(const RbvChoice *choice, const RbvSolvability *s, const double *c, RbvVerdict verdict) {
    if (!choice || !choice->compliant || verdict != RBV_NOT_UNIQUE)
        return verdict;
    for (int32_t b = 0; b < s->blocks.block_count; b++) {
        const RbvBlock *block = &s->blocks.blocks[b];
        if (rbv_solvability_is_plain(s, b))
            continue;
        if (b >= choice->block_count || !choice->blocks[b].open)
            return verdict;
        const BlockChoice *kept = &choice->blocks[b];
        double size = 0, left = 0;
        for (int32_t k = 0; k < block->row_count; k++) {
            double value = c[block->rows[k]] / s->ranks[b].row_norm[k];
            size += value * value;
        }
        for (int32_t i = 0; i < kept->z; i++) {
            double sum = 0;
            for (int32_t k = 0; k < block->row_count; k++)
                sum += c[block->rows[k]] * kept->open[k * kept->z + i];
            left += sum * sum;
        }
        if (left > RBV_BALANCED * RBV_BALANCED * size)
            return verdict;
    }
    return RBV_COMPLIANCE;
}

const double *rbv_choice_range(const RbvChoice *choice, int32_t joint, int component) {
    return choice->interval_count > 0 ? choice->range[joint][component] : NULL;
}

const double *rbv_choice_effort_range(const RbvChoice *choice, int32_t drive) {
    return choice->interval_count > 0 ? choice->effort_range[drive] : NULL;
}

const double *rbv_choice_multiplier_range(const RbvChoice *choice, int32_t constraint) {
    return choice->interval_count > 0 ? choice->multiplier_range[constraint] : NULL;
}

RbvStatus rbv_choice_over_ranges(RbvChoice *choice, RbvReactions *reactions, RbvStatus (*solve)(void *context),
                                 void *context) {
    RbvStatus status = RBV_OK;
    int32_t corners = rbv_choice_corners(choice);
    if (corners > 0)
        memset(choice->most, 0, ((size_t)choice->system->model->joints.count + 1) * sizeof *choice->most);
    reactions->most = corners > 0 ? (const double(*)[RBV_COMPONENT_COUNT])choice->most : NULL;
    for (int32_t corner = 0; status == RBV_OK && corner <= corners; corner++) {
        choice_use(choice, corner < corners ? corner : -1);
        status = solve(context);
        if (status == RBV_OK && corners > 0)
            choice_widen(choice, reactions);
    }
    choice_use(choice, -1);
    return status;
}

RbvStatus rbv_choice_fits(const RbvSystem *system, const RbvSolvability *s, RbvDiagnostics *diagnostics) {
    for (int32_t b = 0; b < s->blocks.block_count; b++) {
        if (s->ranks[b].redundant == 0 || rbv_has_null(&s->ranks[b]))
            continue;
        rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0},
                     "a part of the mechanism has %d constraint rows, %d of them redundant: too many to choose among "
                     "its equally right reactions; "
                     "roberval check gives their verdicts",
                     (int)s->blocks.blocks[b].row_count, (int)s->ranks[b].redundant);
        return RBV_BAD_INPUT;
    }
    return RBV_OK;
}

/* Archives the ranges over intervals of compliances of a run that may be continued. */

void rbv_choice_keep(RbvChoice *choice, RbvArchive *archive) {
    const RbvModel *model = choice->system->model;
    if (choice->interval_count == 0)
        return;
    RBV_KEEP_ARRAY(archive, choice->range, model->joints.count);
    RBV_KEEP_ARRAY(archive, choice->effort_range, model->drives.count);
    RBV_KEEP_ARRAY(archive, choice->multiplier_range, model->constraints.count);
}
