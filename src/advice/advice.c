/* Advice: the fewest directions to free so that every reaction of a cluster is unique, or to measure, or to give a compliance (N26).
 *
 * p self-stresses need p of either, and p rows E serve iff the p x p matrix of self-stresses at E is regular; then the rank, and with it the
 * mobility, stays. Sets are ranked: fewest joints to change, joints that keep a common name, then how independent the rows are.
 */
#include "advice/clusters.h"

#include "solve/short.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_REMEDIES 5
/* What is unwelcome: a joint without a common name, one that hardly exists as a part (x, parallel), one that vanishes, a constraint or drive to be taken away. */
#define PENALTY_ODD 3.0
#define PENALTY_RARE 2.0
#define PENALTY_GONE 1.0
#define PENALTY_DRIVEN 1.5
#define PENALTY_CONSTRAINT 4.0
#define PENALTY_DRIVE 6.0

/* The common name of the joint that holds `locks`, NULL: there is none but general. */
static const char *kind_of(uint8_t locks, bool spatial) {
    if (locks == 0)
        return "no joint";
    for (int32_t k = 0; k < rbv_joint_kind_count(); k++) {
        const RbvJointKind *kind = rbv_joint_kind_at(k);
        const RbvJointNature *nature = rbv_joint_nature(kind, spatial);
        if (kind->where & (spatial ? RBV_KIND_SPACE : RBV_KIND_PLANE) && nature->form == RBV_FORM_LOCKS && nature->extra == RBV_EXTRA_NONE &&
            nature->locks == locks)
            return kind->name;
    }
    return NULL;
}

/* One turn alone held in space is a relation of two axes: a cross. Its text, or NULL when the joint is another. */
static const char *cross_of(uint8_t locks) {
    int turns = locks & RBV_DIRECTIONS_TURNS, point = locks & (RBV_DIRECTION_X | RBV_DIRECTION_Y | RBV_DIRECTION_Z);
    bool whole = point == (RBV_DIRECTION_X | RBV_DIRECTION_Y | RBV_DIRECTION_Z);
    if (turns == RBV_DIRECTION_RX)
        return whole ? "universal between the first's y and the second's z" : "perpendicular between the first's y and the second's z, with the rest held";
    if (turns == RBV_DIRECTION_RY)
        return whole ? "universal between the first's x and the second's z" : "perpendicular between the first's x and the second's z, with the rest held";
    if (turns == RBV_DIRECTION_RZ)
        return whole ? "universal between the first's x and the second's y" : "perpendicular between the first's x and the second's y, with the rest held";
    return NULL;
}

static uint8_t left_after(const RbvStress *stress, const RbvStressRow *row, uint8_t freed) {
    const RbvJoint *joint = &stress->system->model->joints.items[row->index];
    return joint->form == RBV_FORM_LOCKS ? (uint8_t)(joint->locks & ~freed) : 0;
}

static double penalty_of(const RbvStress *stress, const RbvStressRow *row) {
    if (row->owner == RBV_OWNER_DRIVE)
        return PENALTY_DRIVE;
    if (row->owner == RBV_OWNER_CONSTRAINT)
        return PENALTY_CONSTRAINT;
    const RbvModel *model = stress->system->model;
    const char *name = model->joints.items[row->index].name;
    size_t length = strlen(name);
    double driven = 0; /* a drive speaks of its coordinate */
    for (int32_t k = 0; k < model->drives.count; k++)
        if (strncmp(model->drives.items[k].coordinate, name, length) == 0 && model->drives.items[k].coordinate[length] == '.')
            driven = PENALTY_DRIVEN;
    uint8_t freed = 0xff;
    if (row->component >= 0)
        freed = (uint8_t)(1u << row->component);
    uint8_t left = left_after(stress, row, freed);
    const char *kind = kind_of(left, stress->system->bodies.spatial);
    bool part = kind && (strcmp(kind, "revolute") == 0 || strcmp(kind, "prismatic") == 0 || strcmp(kind, "slot") == 0 || strcmp(kind, "cylindrical") == 0 || strcmp(kind, "spherical") == 0);
    if (!kind && stress->system->bodies.spatial)
        kind = cross_of(left);
    return driven + (left == 0 ? PENALTY_GONE : !kind ? PENALTY_ODD : part ? 0 : PENALTY_RARE);
}

/* What each joint of the set becomes, said once per joint. */
static void name_replacements(const RbvStress *stress, const RbvRowSet *set, RbvRemedy *remedy, RbvResult *result) {
    for (int32_t i = 0; i < stress->p; i++) {
        const RbvStressRow *row = &stress->directions[set->rows[i]];
        remedy->instead[i] = NULL;
        if (row->owner != RBV_OWNER_JOINT) {
            remedy->instead[i] = row->owner == RBV_OWNER_DRIVE ? "no drive" : "no constraint";
            continue;
        }
        uint8_t freed = 0;
        bool first = true;
        for (int32_t j = 0; j < stress->p; j++) {
            const RbvStressRow *other = &stress->directions[set->rows[j]];
            if (other->owner != RBV_OWNER_JOINT || other->index != row->index)
                continue;
            first = first && j >= i;
            freed = (uint8_t)(freed | (other->component >= 0 ? 1u << other->component : 0xffu));
        }
        uint8_t left = left_after(stress, row, freed);
        const RbvJoint *joint = &stress->system->model->joints.items[row->index];
        bool spatial = stress->system->bodies.spatial, keeps = joint->extra != RBV_EXTRA_NONE && freed != 0xff;
        const char *kind = kind_of(joint->extra != RBV_EXTRA_NONE && freed == 0xff ? joint->locks : left, spatial);
        kind = !kind && spatial ? cross_of(left) : kind;
        if (!first)
            continue;
        if (keeps) { /* the relation stays */
            char text[120];
            snprintf(text, sizeof text, "%s without its", joint->kind->name);
            for (int d = 0; d < 6; d++)
                if (freed >> d & 1)
                    snprintf(text + strlen(text), sizeof text - strlen(text), " %s", rbv_direction_name(d));
            kind = rbv_arena_copy(&result->arena, text, strlen(text));
        } else if (!kind) {
            char text[80] = "general, locked: [";
            for (int d = 0; d < 6; d++)
                if (left >> d & 1)
                    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", strchr(text, '[')[1] ? ", " : "", rbv_direction_name(d));
            snprintf(text + strlen(text), sizeof text - strlen(text), "]");
            kind = rbv_arena_copy(&result->arena, text, strlen(text));
        }
        remedy->instead[i] = kind ? kind : "general";
    }
}

/* Keep the sets found among `rows` as remedies. */
static bool search(const RbvStress *stress, int32_t k, const RbvStressRow *rows, const double *A, bool freeing, RbvRemedy **out, int32_t *count) {
    RbvResult *result = stress->result;
    RbvRowSet sets[MOST_REMEDIES];
    int32_t p = stress->p;
    int32_t *owner = malloc(((size_t)k + 1) * sizeof *owner), *storage = malloc(MOST_REMEDIES * ((size_t)p + 1) * sizeof *storage);
    double *penalty = calloc((size_t)k + 1, sizeof *penalty);
    *count = 0;
    *out = rbv_arena_alloc(&result->arena, MOST_REMEDIES * sizeof **out);
    bool good = owner && storage && penalty && *out;
    for (int32_t i = 0; good && i < k; i++) {
        /* what is measured or made compliant is better where it is well seen; what is changed is better in few joints */
        owner[i] = freeing ? 4 * rows[i].index + (int32_t)rows[i].owner : 0;
        penalty[i] = freeing ? penalty_of(stress, &rows[i]) : 0;
    }
    int32_t found = good ? rbv_short_sets(k, p, A, owner, penalty, MOST_REMEDIES, sets, storage) : -1;
    good = found >= 0;
    for (int32_t n = 0; good && n < found; n++) {
        RbvRemedy *remedy = &(*out)[n];
        remedy->names = rbv_arena_alloc(&result->arena, ((size_t)p + 1) * sizeof *remedy->names);
        remedy->instead = rbv_arena_alloc(&result->arena, ((size_t)p + 1) * sizeof *remedy->instead);
        good = remedy->names && remedy->instead;
        for (int32_t i = 0; good && i < p; i++)
            remedy->names[i] = rows[sets[n].rows[i]].name;
        if (good && freeing)
            name_replacements(stress, &sets[n], remedy, result);
        remedy->count = p;
        remedy->independence = sets[n].independence;
        (*count)++;
    }
    free(owner);
    free(storage);
    free(penalty);
    return good;
}

bool rbv_advise(const RbvStress *stress, RbvCluster *cluster) {
    /* compliance: the same rows as freeing, but only of joints, the best seen first */
    int32_t joints = 0;
    RbvStressRow *rows = malloc(((size_t)stress->f + 1) * sizeof *rows);
    double *A = malloc(((size_t)stress->f * (size_t)stress->p + 1) * sizeof *A);
    bool good = rows && A;
    for (int32_t i = 0; good && i < stress->f; i++) {
        if (stress->directions[i].owner != RBV_OWNER_JOINT)
            continue;
        rows[joints] = stress->directions[i];
        memcpy(A + joints++ * stress->p, stress->F + i * stress->p, (size_t)stress->p * sizeof *A);
    }
    good = good && search(stress, stress->f, stress->directions, stress->F, true, &cluster->free, &cluster->free_count) &&
           search(stress, stress->k, stress->rows, stress->R, false, &cluster->measure, &cluster->measure_count) &&
           search(stress, joints, rows, A, false, &cluster->comply, &cluster->comply_count);
    free(rows);
    free(A);
    return good;
}
