/* Clusters, modes and groups; see clusters.h. */
#include "analysis/advice/clusters.h"

#include "core/base/tolerances.h"
#include "core/solve/sparse_null_space.h"
#include "solution/reaction/dependent_loads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Groups are looked for among at most this many rows of R and self-stresses of a cluster; above, the result notes that
 * they are skipped. */
#define MOST_RELATED 300
#define MOST_RELATED_MODES 250

static const char *keep_name(RbvResult *result, const char *text) {
    return rbv_arena_copy(&result->arena, text, strlen(text));
}

/* Self-stresses 0 ... p-1 at the element's rows combined with c: out[j] = sum_r c[r] n_j[r]. */
static void on_null(const RbvSolvability *s, const RbvBlockRank *rank, const RbvElement *element, const double *c,
                    double *out, int32_t p) {
    memset(out, 0, (size_t)p * sizeof *out);
    for (int32_t r = 0; r < element->row_count; r++)
        for (int32_t j = 0; j < p && c[r] != 0; j++)
            out[j] += c[r] * rbv_null_entry(rank, s->local[element->first_row + r], j);
}

/* Block whose rows of R and F are collected. */
typedef struct Gather {
    const RbvRecord *record;
    const RbvState *state;
    const RbvReactions *reactions;
    const RbvSolvability *s;
    const RbvBlockRank *rank;
    RbvStress *stress;
    double *c; /* [rows of the block] component as a combination of multipliers */
} Gather;

/* True if the result has columns only for requested reactions; components without a column are then described too. */
static bool has_no_columns(const Gather *g) {
    return g->record->options.components != NULL;
}

/* Name of a component: "A.Fx", "c.effort". */
static const char *name_of(const Gather *g, const RbvElement *element, int component, int32_t column) {
    const RbvModel *model = g->record->system->model;
    bool joint = element->owner == RBV_OWNER_JOINT;
    char name[2 * RBV_NAME_SIZE];
    if (column >= 0)
        return g->record->result->columns[column].name;
    snprintf(name, sizeof name, "%s.%s",
             joint ? model->joints.items[element->index].name : model->constraints.items[element->index].name,
             joint ? rbv_component_name((RbvComponent)component) : "effort");
    const char *kept = keep_name(g->record->result, name);
    return kept ? kept : "";
}

/* Append the component with combination c of multipliers as a row of R, divided by `length` [m] (1 for forces). */
static void add_row(const Gather *g, const RbvElement *element, int component, int32_t column, double length) {
    RbvStress *stress = g->stress;
    int32_t at = stress->k + stress->lines, p = stress->p;
    stress->rows[at] = (RbvStressRow){
        element->owner, element->index, component, element->first_row, name_of(g, element, component, column),
        false,          length};
    on_null(g->s, g->rank, element, g->c, stress->R + at * p, p);
    for (int32_t j = 0; j < p; j++)
        stress->R[at * p + j] /= length;
}

/* Append a component of a joint if it is printed and not unique; true if appended. */
static bool add_component(const Gather *g, const RbvElement *element, int component) {
    int32_t column = rbv_record_column(g->record, element->index, component);
    if ((column < 0 && !has_no_columns(g)) || !rbv_component_in(g->reactions->printed[element->index], component) ||
        g->reactions->verdict[element->index][component] <= RBV_UNIQUE)
        return false;
    rbv_reactions_functional(g->reactions, g->state, element->index, component, g->c);
    add_row(g, element, component, column, component < RBV_TX || component >= RBV_LINE_F ? 1 : g->rank->L);
    return true;
}

/* Component of the force along the line of a joint: F, of gears Ft; -1 if the joint has none. */
static int line_of(const Gather *g, const RbvElement *element) {
    if (element->owner != RBV_OWNER_JOINT)
        return -1;
    uint32_t printed = g->reactions->printed[element->index];
    return rbv_component_in(printed, RBV_LINE_FT)  ? RBV_LINE_FT
           : rbv_component_in(printed, RBV_LINE_F) ? RBV_LINE_F
                                                   : -1;
}

/* Column (-1: none) and verdict of an element with one printed number: a drive, a constraint, a stop, a friction
 * contact that sticks. */
static int32_t column_of(const Gather *g, const RbvElement *element, RbvVerdict *verdict) {
    const RbvResult *result = g->record->result;
    const RbvReactions *reactions = g->reactions;
    int32_t k = element->index;
    switch (element->owner) {
    case RBV_OWNER_DRIVE: *verdict = reactions->effort_verdict[k]; return result->drives.items[k].first;
    case RBV_OWNER_CONSTRAINT: *verdict = reactions->multiplier_verdict[k]; return result->constraints.items[k].first;
    case RBV_OWNER_STOP:
        *verdict = reactions->stop_verdict[k];
        return k < result->stops.count ? result->stops.items[k].first : -1;
    default: {
        int component = g->record->system->rows[element->first_row].direction;
        *verdict = reactions->verdict[k][component];
        return rbv_record_column(g->record, k, component);
    }
    }
}

/* Append the printed components of an element that are not unique to R. A joint with a single row along a line is named
 * by the force along that line. */
static void add_components(const Gather *g, const RbvElement *element) {
    if (element->owner != RBV_OWNER_JOINT) {
        RbvVerdict verdict;
        int32_t column = column_of(g, element, &verdict);
        if ((column < 0 && !(has_no_columns(g) && element->owner == RBV_OWNER_CONSTRAINT)) || verdict <= RBV_UNIQUE)
            return;
        g->c[0] = -1;
        add_row(g, element, 0, column,
                element->owner != RBV_OWNER_CONSTRAINT && strcmp(g->record->result->columns[column].unit, "N.m") == 0
                    ? g->rank->L
                    : 1);
        g->stress->k++;
        return;
    }
    int line = line_of(g, element);
    bool single = line >= 0 && element->row_count == 1;
    if (single)
        g->stress->k += add_component(g, element, line);
    for (int component = 0; component < RBV_LINE_F && !single; component++)
        g->stress->k += add_component(g, element, component);
}

/* Append the value along the line of a joint with more than one row: users look for sums of these values. */
static void add_lines(const Gather *g, const RbvElement *element) {
    int line = line_of(g, element);
    if (line >= 0 && element->row_count > 1)
        g->stress->lines += add_component(g, element, line);
}

/* Append the rows that could be freed to F: the locked directions of a joint, or a joint of one row, a constraint, a
 * drive as a whole. Stops and friction are never freed. False if out of memory. */
static bool add_directions(RbvResult *result, const RbvSystem *system, const RbvSolvability *s,
                           const RbvBlockRank *rank, const RbvElement *element, RbvStress *stress) {
    const RbvModel *model = system->model;
    if (element->owner == RBV_OWNER_STOP || element->owner == RBV_OWNER_STICK)
        return true;
    for (int32_t r = 0; r < element->row_count; r++) {
        int32_t row = element->first_row + r, local = s->local[row];
        int direction = system->rows[row].direction;
        const char *name = element->owner == RBV_OWNER_JOINT        ? model->joints.items[element->index].name
                           : element->owner == RBV_OWNER_CONSTRAINT ? model->constraints.items[element->index].name
                                                                    : model->drives.items[element->index].name;
        double size = 0, *f = stress->F + stress->f * stress->p;
        for (int32_t j = 0; j < stress->p; j++) {
            f[j] = rbv_null_entry(rank, local, j) * rank->row_norm[local];
            size = fmax(size, fabs(f[j]));
        }
        if (!(size > 1e-7))
            continue;
        char text[200];
        snprintf(text, sizeof text, direction >= 0 ? "%s.%s" : "%s", name,
                 direction >= 0 ? rbv_direction_name(direction) : "");
        stress->directions[stress->f] = (RbvStressRow){
            element->owner, element->index, direction, row, keep_name(result, text), system->rows[row].on_rates, 1};
        if (!stress->directions[stress->f++].name)
            return false;
    }
    return true;
}

static bool keep_mode(RbvResult *result, const RbvStress *stress, int32_t column, RbvMode *mode) {
    double force = 0, largest = 0;
    int32_t count = 0;
    for (int32_t i = 0; i < stress->k; i++) {
        double share = fabs(stress->R[i * stress->p + column] * stress->rows[i].length);
        largest = fmax(largest, share);
        force = stress->rows[i].length == 1 ? fmax(force, share) : force;
    }
    /* Part [1] of a mode's largest share below which the forces of a mode count as rounding of the null space. */
    double unit = force > RBV_SAME * largest ? force : largest;
    /* sign: the largest share is positive; among equal shares the one first by name decides, so that neither rounding
     * nor the order of the model matters */
    const char *first_name = NULL;
    for (int32_t i = 0; i < stress->k; i++) {
        double share = stress->R[i * stress->p + column] * stress->rows[i].length;
        /* Shares that differ by less than this part [1] are equal up to rounding. */
        if (fabs(share) < (1 - RBV_FITS) * largest || (first_name && strcmp(stress->rows[i].name, first_name) > 0))
            continue;
        first_name = stress->rows[i].name;
        unit = copysign(unit, share);
    }
    mode->shares = rbv_arena_alloc(&result->arena, ((size_t)stress->k + 1) * sizeof *mode->shares);
    if (!mode->shares)
        return false;
    for (int32_t i = 0; i < stress->k; i++) {
        double share = stress->R[i * stress->p + column] * stress->rows[i].length / unit;
        if (share != 0)
            mode->shares[count++] = (RbvShare){stress->rows[i].name, share};
    }
    mode->count = count;
    return true;
}

/* True if the sum w[k] changes with a load that depends on a reaction that is not unique; the sum is then not unique
 * either. */
static bool is_pushed(const RbvStress *stress, const double *w, int32_t k) {
    const RbvReactions *r = stress->reactions;
    for (int32_t n = 0; n < r->push_count; n++) {
        double sum = 0, size = 0;
        for (int32_t i = 0; i < k; i++) {
            const RbvStressRow *row = &stress->rows[i];
            if (w[i] == 0)
                continue;
            double part = row->owner == RBV_OWNER_JOINT
                              ? rbv_push_on_component(r, stress->state, &r->pushes[n], row->index, row->component)
                              : rbv_push_on_row(&r->pushes[n], row->row);
            sum += w[i] / row->length * part;
            size += fabs(w[i] / row->length);
        }
        if (fabs(sum) > RBV_SAME * size)
            return true;
    }
    return false;
}

/* Determined sums of components: rows w with w R = 0 and few nonzero entries, kept as groups. False if out of memory.
 */
static bool keep_groups(RbvResult *result, const RbvStress *stress) {
    int32_t k = stress->k + stress->lines, p = stress->p;
    if (k > MOST_RELATED || p > MOST_RELATED_MODES)
        result->groups_skipped = true;
    if (k <= p || result->groups_skipped)
        return true;
    double *w = malloc((size_t)(k - p) * (size_t)k * sizeof *w);
    bool good = w && rbv_null_space_relations(k, p, stress->R, w);
    for (int32_t n = 0; good && n < k - p; n++) {
        RbvMode *group = &result->groups[result->group_count];
        group->shares = rbv_arena_alloc(&result->arena, ((size_t)k + 1) * sizeof *group->shares);
        if (!group->shares) {
            good = false;
            break;
        }
        group->count = 0;
        double unit = 0;
        for (int32_t i = 0; i < k; i++) {
            double share = w[n * k + i] / stress->rows[i].length;
            unit = unit == 0 ? share : unit;
            if (share != 0)
                group->shares[group->count++] = (RbvShare){stress->rows[i].name, share / unit};
        }
        result->group_count += group->count > 1 && !is_pushed(stress, w + n * k, k);
    }
    free(w);
    return good;
}

/* Sort rows[count] and A[count][p] by name: the choice among equally good combinations does not depend on the order of
 * the model. False if out of memory. */
static bool sort_rows(int32_t count, int32_t p, RbvStressRow *rows, double *A) {
    size_t k = (size_t)count, width = (size_t)p;
    RbvArena scratch = {0};
    RbvNamed *named = rbv_arena_array(&scratch, k + 1, sizeof *named);
    RbvStressRow *sorted = rbv_arena_array(&scratch, k + 1, sizeof *sorted);
    double *B = rbv_arena_array(&scratch, k * width + 1, sizeof *B);
    bool good = named && sorted && B;
    for (size_t i = 0; good && i < k; i++)
        named[i] = (RbvNamed){rows[i].name, (int32_t)i};
    if (good)
        rbv_sort_by_name(named, count);
    for (size_t i = 0; good && i < k; i++) {
        sorted[i] = rows[named[i].index];
        memcpy(B + i * width, A + (size_t)named[i].index * width, width * sizeof *B);
    }
    if (good) {
        memcpy(rows, sorted, k * sizeof *rows);
        memcpy(A, B, k * width * sizeof *A);
    }
    rbv_arena_clear(&scratch);
    return good;
}

/* Memory for `k` rows of R and `f` rows of F, of `p` self-stresses each. False if out of memory. */
static bool reserve_rows(RbvStress *stress, size_t k, size_t f, size_t p) {
    stress->rows = rbv_arena_array(&stress->arena, k, sizeof *stress->rows);
    stress->directions = rbv_arena_array(&stress->arena, f, sizeof *stress->directions);
    stress->R = rbv_arena_array(&stress->arena, k * p, sizeof *stress->R);
    stress->F = rbv_arena_array(&stress->arena, f * p, sizeof *stress->F);
    return stress->rows && stress->directions && stress->R && stress->F;
}

/* Rows of `all` with of[i] == part, its self-stresses with mode_of == part and its directions with direction_of ==
 * part, as one RbvStress. False if out of memory; its arena is to be cleared in both cases. */
static bool extract(const RbvStress *all, const int32_t *of, const int32_t *mode_of, const int32_t *direction_of,
                    int32_t part, RbvStress *stress) {
    *stress =
        (RbvStress){.system = all->system, .state = all->state, .reactions = all->reactions, .result = all->result};
    size_t k = (size_t)(all->k + all->lines) + 1, f = (size_t)all->f + 1, p = (size_t)all->p + 1;
    if (!reserve_rows(stress, k, f, p))
        return false;
    for (int32_t c = 0; c < all->p; c++)
        stress->p += mode_of[c] == part;
    for (int32_t i = 0; i < all->k + all->lines; i++) {
        int32_t row = stress->k + stress->lines;
        if (of[i] != part)
            continue;
        for (int32_t c = 0, at = 0; c < all->p; c++)
            if (mode_of[c] == part)
                stress->R[row * stress->p + at++] = all->R[i * all->p + c];
        stress->rows[row] = all->rows[i];
        stress->k += i < all->k;
        stress->lines += i >= all->k;
    }
    for (int32_t i = 0; i < all->f; i++) {
        if (direction_of[i] != part)
            continue;
        for (int32_t c = 0, at = 0; c < all->p; c++)
            if (mode_of[c] == part)
                stress->F[stress->f * stress->p + at++] = all->F[i * all->p + c];
        stress->directions[stress->f++] = all->directions[i];
    }
    int32_t printed = stress->k;
    /* choices depend neither on the order of the model nor on the basis of the null space */
    return sort_rows(printed, stress->p, stress->rows, stress->R) &&
           sort_rows(stress->lines, stress->p, stress->rows + printed,
                     stress->R + (size_t)printed * (size_t)stress->p) &&
           sort_rows(stress->f, stress->p, stress->directions, stress->F) &&
           rbv_null_space_canonical(printed + stress->lines, stress->p, stress->R, stress->f, stress->F);
}

static bool describe_part(RbvStress *stress) {
    RbvResult *result = stress->result;
    RbvCluster *cluster = &result->clusters[result->cluster_count++];
    cluster->degree = stress->p;
    cluster->names = rbv_arena_alloc(&result->arena, ((size_t)stress->k + 1) * sizeof *cluster->names);
    if (!cluster->names)
        return false;
    for (int32_t i = 0; i < stress->k; i++)
        cluster->names[cluster->count++] = stress->rows[i].name;
    bool good = keep_groups(result, stress) && rbv_advise(stress, cluster) &&
                rbv_null_space_sparsify(stress->k, stress->p, stress->R);
    for (int32_t c = 0; good && c < stress->p; c++) {
        good = keep_mode(result, stress, c, &result->modes[result->mode_count]);
        result->mode_count += good;
    }
    return good;
}

/* Apply the change of basis T[p][p] of R to F; direction_of[i]: the part of the modes in which direction i has an
 * entry, or -1. Entries below 1e-8 of the row's largest are set to zero. */
static bool transform_directions(RbvStress *all, const double *T, const int32_t *mode_of, int32_t *direction_of) {
    int32_t p = all->p;
    double *row = malloc(((size_t)p + 1) * sizeof *row);
    for (int32_t i = 0; row && i < all->f; i++) {
        double most = 0;
        for (int32_t c = 0; c < p; c++) {
            row[c] = 0;
            for (int32_t d = 0; d < p; d++)
                row[c] += all->F[i * p + d] * T[d * p + c];
            most = fmax(most, fabs(row[c]));
        }
        direction_of[i] = -1;
        for (int32_t c = 0; c < p; c++) {
            all->F[i * p + c] = fabs(row[c]) > 1e-8 * most ? row[c] : 0;
            if (fabs(row[c]) > 0.5 * most && direction_of[i] < 0)
                direction_of[i] = mode_of[c];
        }
    }
    bool good = row != NULL;
    free(row);
    return good;
}

/* Groups of parts that share a joint: directions freed at this joint must leave one type. group[part]: the first part
 * of its group. */
static void find_groups(const RbvStress *all, int32_t parts, const int32_t *direction_of, int32_t *group) {
    for (int32_t part = 0; part < parts; part++)
        group[part] = part;
    for (int32_t i = 0; i < all->f; i++)
        for (int32_t j = i - 1; j >= 0; j--) { /* directions of one joint are adjacent */
            const RbvStressRow *a = &all->directions[i], *b = &all->directions[j];
            if (a->owner != b->owner || a->index != b->index)
                break;
            if (direction_of[i] < 0 || direction_of[j] < 0)
                continue;
            int32_t x = group[direction_of[i]], y = group[direction_of[j]];
            for (int32_t part = 0; part < parts && x != y; part++)
                if (group[part] == (x > y ? x : y))
                    group[part] = x > y ? y : x;
        }
}

static void regroup(int32_t *of, int32_t count, const int32_t *group) {
    for (int32_t i = 0; i < count; i++)
        of[i] = of[i] >= 0 ? group[of[i]] : -1;
}

/* Remedies of all parts at once. `of`, `mode_of` and `direction_of` hold parts on entry, groups of parts on return. */
static bool describe_together(const RbvStress *all, int32_t parts, int32_t *of, int32_t *mode_of,
                              int32_t *direction_of) {
    int32_t *group = calloc((size_t)parts + 1, sizeof *group);
    bool good = group != NULL;
    if (good) {
        find_groups(all, parts, direction_of, group);
        regroup(of, all->k + all->lines, group);
        regroup(mode_of, all->p, group);
        regroup(direction_of, all->f, group);
    }
    for (int32_t part = 0; good && part < parts; part++) {
        RbvStress stress;
        if (group[part] != part)
            continue;
        good = extract(all, of, mode_of, direction_of, part, &stress) && rbv_advise_together(&stress);
        rbv_arena_clear(&stress.arena);
    }
    free(group);
    return good;
}

static bool describe_block(const RbvRecord *record, const RbvState *state, const RbvReactions *reactions,
                           const RbvSolvability *s, int32_t b) {
    const RbvBlock *block = &s->blocks.blocks[b];
    const RbvBlockRank *rank = &s->ranks[b];
    size_t p = (size_t)rank->redundant, most = 7 * (size_t)block->element_count + 7,
           rows = (size_t)block->row_count + 1;
    RbvStress all = {.system = record->system,
                     .state = state,
                     .reactions = reactions,
                     .result = record->result,
                     .p = rank->redundant};
    bool good = reserve_rows(&all, most, rows, p);
    double *c = rbv_arena_array(&all.arena, rows, sizeof *c), *T = rbv_arena_array(&all.arena, p * p, sizeof *T);
    int32_t *of = rbv_arena_array(&all.arena, most, sizeof *of),
            *mode_of = rbv_arena_array(&all.arena, p, sizeof *mode_of),
            *direction_of = rbv_arena_array(&all.arena, rows, sizeof *direction_of);
    good = good && c && T && of && mode_of && direction_of;
    Gather gather = {record, state, reactions, s, rank, &all, c};
    for (int32_t e = 0; good && e < block->element_count; e++) {
        const RbvElement *element = &s->blocks.elements[block->elements[e]];
        add_components(&gather, element);
        good = add_directions(record->result, record->system, s, rank, element, &all);
    }
    for (int32_t e = 0; good && e < block->element_count; e++)
        add_lines(&gather, &s->blocks.elements[block->elements[e]]);
    int32_t parts = 0;
    if (good) {
        good = rbv_null_space_reduce(all.k + all.lines, all.p, all.R, T);
        parts = good ? rbv_null_space_parts(all.k + all.lines, all.p, all.R, of, mode_of) : -1;
        good = parts >= 0 && transform_directions(&all, T, mode_of, direction_of);
    }
    for (int32_t part = 0; good && part < parts; part++) {
        RbvStress stress;
        good = extract(&all, of, mode_of, direction_of, part, &stress) && describe_part(&stress);
        rbv_arena_clear(&stress.arena);
    }
    good = good && describe_together(&all, parts, of, mode_of, direction_of);
    rbv_arena_clear(&all.arena);
    return good;
}

bool rbv_record_modes(RbvRecord *record, const RbvState *state, const RbvReactions *reactions,
                      const RbvSolvability *s) {
    RbvResult *result = record->result;
    size_t total = 0, components = 0;
    result->described = true;
    for (int32_t b = 0; b < s->blocks.block_count; b++) {
        if (s->ranks[b].redundant == 0)
            continue;
        total += (size_t)s->ranks[b].redundant;
        components += 7 * (size_t)s->blocks.blocks[b].element_count + 7;
    }
    if (total == 0)
        return true;
    result->modes = rbv_arena_alloc(&result->arena, total * sizeof *result->modes);
    result->clusters = rbv_arena_alloc(&result->arena, total * sizeof *result->clusters);
    result->groups = rbv_arena_alloc(&result->arena, components * sizeof *result->groups);
    result->together = (RbvRemedy){.names = rbv_arena_alloc(&result->arena, total * sizeof(char *)),
                                   .instead = rbv_arena_alloc(&result->arena, total * sizeof(char *)),
                                   .edits = rbv_arena_alloc(&result->arena, 4 * total * sizeof(RbvEdit)),
                                   .independence = 1};
    bool good = result->modes && result->clusters && result->groups && result->together.names &&
                result->together.instead && result->together.edits;
    for (int32_t b = 0; good && b < s->blocks.block_count; b++) {
        const RbvBlockRank *rank = &s->ranks[b];
        if (rank->redundant == 0)
            continue;
        double size = (double)rank->redundant * s->blocks.blocks[b].row_count;
        if (rbv_has_null(rank) && size <= RBV_DESCRIBED_MOST && rank->determined.rank.safe)
            good = describe_block(record, state, reactions, s, b);
        else
            result->described = false;
    }
    result->together_missing = result->together_missing || !result->described;
    return good;
}
