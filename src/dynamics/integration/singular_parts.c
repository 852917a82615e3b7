/* Parts at singular positions; see singular_parts.h. */
#include "dynamics/integration/singular_parts.h"

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

static void load(RbvSingularParts *p, int32_t part, const char *cause) {
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
            load(p, system->row_part[system->joint_row[k]], "forces along lines of centres of gears and belts");
    }
    for (int32_t i = 0; i < flow->sliding.count; i++) {
        int32_t joint = rbv_sliding_contact(&flow->sliding, i)->joint;
        if (system->joint_row[joint] < system->joint_row[joint + 1])
            load(p, system->row_part[system->joint_row[joint]], "friction");
    }
    for (int32_t i = 0; i < flow->slipping.count; i++)
        load(p, system->row_part[system->drive_row[flow->slipping.drive[i]]], "efforts of drives with a max:");
    for (int32_t b = 1; b < system->bodies.count; b++)
        if (model->bodies.items[b].generalized)
            load(p, system->part[b], "generalized coordinates");
    for (int32_t part = 0; model->nonideals.count > 0 && part < system->part_count; part++)
        load(p, part, "constraints that do work");
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
        p->smallest[kind] = fmin(p->smallest[kind], solvability->ranks[b].determined.rank.smallest);
    }
    for (int32_t b = 1; b < system->bodies.count; b++)
        p->columns[rbv_singular_parts_of_body(p, b)] += system->bodies.start[b + 1] - system->bodies.start[b];
}
