/* Parts at singular positions, and the singular values of their rows; see singular_parts.h. */
#include "dynamics/integration/singular_parts.h"

#include "core/base/extremes.h"
#include "core/solve/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool rbv_singular_parts_create(RbvSingularParts *p, const RbvFlow *flow) {
    *p = (RbvSingularParts){.flow = flow};
    p->kind = calloc((size_t)flow->system->part_count + 1, sizeof *p->kind);
    return p->kind != NULL;
}

void rbv_singular_parts_destroy(RbvSingularParts *p) {
    free(p->kind);
    *p = (RbvSingularParts){0};
}

static int32_t part_of_block(const RbvSingularParts *p, const RbvSolvability *solvability, int32_t b) {
    const RbvBlock *block = &solvability->blocks.blocks[b];
    return block->row_count > 0 ? p->flow->system->row_part[block->rows[0]] : -1;
}

RbvPartKind rbv_singular_parts_of_block(const RbvSingularParts *p, const RbvSolvability *solvability, int32_t b) {
    int32_t part = part_of_block(p, solvability, b);
    return part >= 0 ? p->kind[part] : RBV_PART_REGULAR;
}

RbvPartKind rbv_singular_parts_of_body(const RbvSingularParts *p, int32_t body) {
    int32_t part = p->flow->system->part[body];
    return part >= 0 ? p->kind[part] : RBV_PART_REGULAR;
}

static void load_part(RbvSingularParts *p, int32_t part, const char *cause) {
    if (part < 0 || p->kind[part] != RBV_PART_FOLLOWED)
        return;
    p->kind[part] = RBV_PART_LOADED;
    p->cause = cause;
}

/* Marks parts with forces that depend on reactions: forces along lines of centres, friction, limits of drives,
 * constraints that do work; and parts with a mass matrix of the user's own. */
static void find_loaded(RbvSingularParts *p) {
    const RbvFlow *flow = p->flow;
    const RbvSystem *system = flow->system;
    const RbvModel *model = system->model;
    for (int32_t k = 0; k < model->joints.count; k++) {
        bool has_row = system->joint_row[k] < system->joint_row[k + 1];
        if (has_row && rbv_joint_pushes_along_line(&model->joints.items[k]))
            load_part(p, system->row_part[system->joint_row[k]], "forces along lines of centres of gears and belts");
    }
    for (int32_t i = 0; i < flow->sliding.count; i++) {
        int32_t joint = rbv_sliding_contact(&flow->sliding, i)->joint;
        if (system->joint_row[joint] < system->joint_row[joint + 1])
            load_part(p, system->row_part[system->joint_row[joint]], "friction");
    }
    for (int32_t i = 0; i < flow->slipping.count; i++)
        load_part(p, system->row_part[system->drive_row[flow->slipping.drive[i]]], "efforts of drives with a max:");
    for (int32_t b = 1; b < system->bodies.count; b++)
        if (model->bodies.items[b].generalized)
            load_part(p, system->part[b], "generalized coordinates");
    for (int32_t part = 0; model->nonideals.count > 0 && part < system->part_count; part++)
        load_part(p, part, "constraints that do work");
}

void rbv_singular_parts_find(RbvSingularParts *p, const RbvSolvability *solvability, double near) {
    const RbvSystem *system = p->flow->system;
    memset(p->kind, 0, (size_t)system->part_count + 1);
    p->cause = NULL;
    for (int k = 0; k < 3; k++) {
        p->redundant[k] = p->columns[k] = 0;
        p->smallest[k] = INFINITY;
    }
    for (int32_t b = 0; b < solvability->blocks.block_count; b++) {
        const RbvBlockRank *rank = &solvability->ranks[b];
        int32_t part = part_of_block(p, solvability, b);
        if (part >= 0 && (rank->redundant > 0 || rank->determined.rank.smallest <= near))
            p->kind[part] = RBV_PART_FOLLOWED;
    }
    find_loaded(p);
    for (int32_t b = 0; b < solvability->blocks.block_count; b++) {
        RbvPartKind kind = rbv_singular_parts_of_block(p, solvability, b);
        p->redundant[kind] += solvability->ranks[b].redundant;
        p->smallest[kind] = rbv_min(p->smallest[kind], solvability->ranks[b].determined.rank.smallest);
    }
    for (int32_t b = 1; b < system->bodies.count; b++)
        p->columns[rbv_singular_parts_of_body(p, b)] += system->bodies.start[b + 1] - system->bodies.start[b];
}

/* ---- singular value decomposition of the active rows: C_s = R D S = U diag(sigma) V^T ---- */

void rbv_singular_work_destroy(RbvSingularWork *w) {
    rbv_arena_clear(&w->arena);
}

static bool find_rows(RbvSingularWork *w, const RbvState *state, const RbvSingularParts *parts, RbvPartKind kind) {
    const RbvSystem *system = state->system;
    const RbvBodyColumns *bodies = &system->bodies;
    *w = (RbvSingularWork){.n = bodies->size};
    w->row = rbv_arena_array(&w->arena, (size_t)system->row_count + 1, sizeof *w->row);
    w->column = rbv_arena_array(&w->arena, (size_t)w->n + 1, sizeof *w->column);
    if (!w->row || !w->column)
        return false;
    for (int32_t k = 0; k < system->row_count; k++)
        if (rbv_state_holds(state, k) && system->row_part[k] >= 0 && parts->kind[system->row_part[k]] == kind)
            w->row[w->m++] = k;
    for (int32_t b = 1; b < bodies->count; b++)
        for (int32_t j = bodies->start[b]; rbv_singular_parts_of_body(parts, b) == kind && j < bodies->start[b + 1];
             j++)
            w->column[w->wide++] = j;
    w->most = w->m < w->wide ? w->m : w->wide;
    return true;
}

bool rbv_singular_work_create(RbvSingularWork *w, const RbvState *state, const RbvSingularParts *parts,
                              RbvPartKind kind) {
    if (!find_rows(w, state, parts, kind))
        return false;
    size_t m = (size_t)w->m, n = (size_t)w->n, c = (size_t)w->wide, least = (size_t)w->most, both = c + m;
    const struct {
        double **to;
        size_t count;
    } numbers[] = {{&w->scale, n}, {&w->norm, m},  {&w->U, m * m},      {&w->V, c * n}, {&w->sigma, least},  {&w->y, n},
                   {&w->f, n},     {&w->x, n},     {&w->x2, n},         {&w->E, m * n}, {&w->c, m},          {&w->R, m},
                   {&w->F, m * c}, {&w->W, m * m}, {&w->f_sigma, both}, {&w->G, m * c}, {&w->K, both * both}};
    bool memory = true;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        memory = (*numbers[k].to = rbv_arena_array(&w->arena, numbers[k].count + 1, sizeof(double))) && memory;
    w->pivot = rbv_arena_array(&w->arena, both + 1, sizeof *w->pivot);
    return memory && w->pivot;
}

double rbv_singular_work_times(const RbvSingularWork *w, const RbvState *at, int32_t i, const double *x) {
    const RbvRowPattern *D = &at->system->D;
    double sum = 0;
    for (int32_t e = D->start[w->row[i]]; e < D->start[w->row[i] + 1]; e++)
        sum += at->D[e] * x[D->column[e]];
    return sum * w->norm[i];
}

/* Fills A with C_s[m][wide], column-major; at[n]: column of C_s for each column of D. */
static void fill(RbvSingularWork *w, const RbvState *state, const int32_t *at, double *A) {
    const RbvRowPattern *D = &state->system->D;
    size_t m = (size_t)w->m;
    for (size_t i = 0; i < m; i++) {
        double sum = 0;
        for (int32_t e = D->start[w->row[i]]; e < D->start[w->row[i] + 1]; e++)
            A[(size_t)at[D->column[e]] * m + i] += state->D[e] * w->scale[D->column[e]];
        for (size_t j = 0; j < (size_t)w->wide; j++)
            sum += A[j * m + i] * A[j * m + i];
        w->norm[i] = sum > 0 ? 1 / sqrt(sum) : 1;
        for (size_t j = 0; j < (size_t)w->wide; j++)
            A[j * m + i] *= w->norm[i];
    }
}

RbvStatus rbv_singular_work_decompose(RbvSingularWork *w, const RbvState *at) {
    const RbvBodyColumns *bodies = &at->system->bodies;
    size_t m = (size_t)w->m, c = (size_t)w->wide;
    for (int32_t b = 1; b < bodies->count; b++)
        for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++)
            w->scale[j] = rbv_bodies_is_rotation(bodies, b, j) ? 1 / rbv_state_body_arm(at, b) : 1;
    RbvArena arena = {0};
    double *A = rbv_arena_array(&arena, m * c + 1, sizeof *A), *vt = rbv_arena_array(&arena, c * c + 1, sizeof *vt);
    int32_t *place = rbv_arena_array(&arena, (size_t)w->n + 1, sizeof *place);
    for (int32_t j = 0; place && j < w->wide; j++)
        place[w->column[j]] = j;
    RbvStatus status = A && vt && place ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        fill(w, at, place, A);
        status = rbv_lapack_svd('A', w->m, w->wide, A, w->sigma, w->U, vt);
    }
    for (size_t k = 0; status == RBV_OK && k < c; k++)
        for (size_t j = 0; j < c; j++)
            w->V[k * (size_t)w->n + (size_t)w->column[j]] = vt[j * c + k];
    rbv_arena_clear(&arena);
    while (status == RBV_OK && w->locked < w->most && w->sigma[w->locked] > RBV_SINGULAR_WEAK * w->sigma[0])
        w->locked++;
    w->p = w->m - w->locked;
    w->d = w->wide - w->locked;
    return status;
}

void rbv_singular_work_residual(const RbvSingularWork *w, const RbvState *at, const double *a, double *out) {
    memset(out, 0, (size_t)w->p * sizeof *out);
    for (int32_t i = 0; i < w->m; i++) {
        double left = rbv_singular_work_times(w, at, i, a) - w->norm[i] * at->gamma_D[w->row[i]];
        for (int32_t j = 0; j < w->p; j++)
            out[j] += rbv_singular_work_u(w, i, w->locked + j) * left;
    }
}
