/* The loop that does not close: where assembly has failed, the joint with the largest gap and the shortest path from
 * one of its bodies to the other along other joints. At the positions of least gaps a loop that is too short lies
 * straight, its joints apart by equal gaps: their sum is the missing length. */
#include "solution/assembly/assemble.h"
#include "solution/assembly/residuals.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Round {
    const RbvModel *model;
    int32_t *from;  /* [bodies] joint by which the body was reached; -1: not reached */
    int32_t *queue; /* [bodies] */
    double *gap;    /* [joints] [m] */
    RbvResidual *list;
} Round;

static bool create_round(Round *r, const RbvState *state) {
    const RbvModel *model = state->system->model;
    *r = (Round){.model = model};
    r->from = malloc((size_t)model->bodies.count * sizeof *r->from);
    r->queue = malloc((size_t)model->bodies.count * sizeof *r->queue);
    r->gap = calloc((size_t)model->joints.count + 1, sizeof *r->gap);
    r->list = calloc((size_t)state->system->all_count + 1, sizeof *r->list);
    return r->from && r->queue && r->gap && r->list;
}

static void destroy_round(Round *r) {
    free(r->from);
    free(r->queue);
    free(r->gap);
    free(r->list);
}

static int32_t body_of_joint(const Round *r, int32_t joint, int side) {
    return r->model->markers.items[r->model->joints.items[joint].marker[side]].body;
}

/* The other body of a joint; -1: the joint does not touch this body. */
static int32_t across(const Round *r, int32_t joint, int32_t body) {
    return body_of_joint(r, joint, 0) == body   ? body_of_joint(r, joint, 1)
           : body_of_joint(r, joint, 1) == body ? body_of_joint(r, joint, 0)
                                                : -1;
}

/* True if the joint keeps points of two bodies together, or apart. Teeth, belts and edges do not. */
static bool holds_points(const RbvJoint *joint) {
    return joint->form == RBV_FORM_DISTANCE || joint->form == RBV_FORM_CAM ||
           (joint->form == RBV_FORM_LOCKS && joint->locks & (RBV_DIRECTION_X | RBV_DIRECTION_Y | RBV_DIRECTION_Z));
}

/* Breadth first from the first body of the joint `closing` to its second, not through that joint. False: no path. */
static bool find_path(Round *r, int32_t closing) {
    int32_t first = body_of_joint(r, closing, 0), last = body_of_joint(r, closing, 1), head = 0, tail = 0;
    for (int32_t b = 0; b < r->model->bodies.count; b++)
        r->from[b] = -1;
    r->queue[tail++] = first;
    while (head < tail && r->from[last] < 0) {
        int32_t body = r->queue[head++];
        for (int32_t k = 0; k < r->model->joints.count; k++) {
            int32_t other = k == closing ? -1 : across(r, k, body);
            if (other < 0 || other == first || r->from[other] >= 0 || !holds_points(&r->model->joints.items[k]))
                continue;
            r->from[other] = k;
            r->queue[tail++] = other;
        }
    }
    return r->from[last] >= 0;
}

/* The joints of the path, `closing` first, and the sum of their gaps [m]; returns how many. */
static int32_t list_joints(const Round *r, int32_t closing, int32_t *loop, double *sum) {
    int32_t count = 0;
    loop[count++] = closing;
    *sum = r->gap[closing];
    for (int32_t body = body_of_joint(r, closing, 1); body != body_of_joint(r, closing, 0);) {
        int32_t k = r->from[body];
        *sum += r->gap[k];
        loop[count++] = k;
        body = across(r, k, body);
    }
    return count;
}

/* Relative to the size: a loop with a smaller sum of gaps is not too short. */
#define FELT 1e-6
/* Largest product of joints and bodies for which the path is searched. */
#define MOST_LOOKED_AT 1e8

int32_t rbv_find_loop(const RbvState *state, int32_t *loop, double *lacks) {
    const RbvSystem *system = state->system;
    Round r;
    int32_t closing = -1, found = 0;
    double length = 0, sum = 0;
    bool small = (double)system->model->joints.count * system->model->bodies.count <= MOST_LOOKED_AT;
    bool good = create_round(&r, state);
    if (good && small) {
        int32_t count = rbv_residuals(state, false, r.list);
        for (int32_t k = 0; k < count; k++) {
            const RbvRow *row = &system->rows[r.list[k].row];
            if (row->owner != RBV_OWNER_JOINT)
                continue;
            r.gap[row->index] = r.list[k].length;
            if (closing < 0 || r.gap[row->index] > r.gap[closing]) {
                closing = row->index;
                length = rbv_state_row_size(state, r.list[k].row);
            }
        }
        if (closing >= 0 && find_path(&r, closing))
            found = list_joints(&r, closing, loop, &sum);
    }
    destroy_round(&r);
    if (lacks)
        *lacks = sum;
    return !good ? -1 : sum > FELT * length ? found : 0;
}

bool rbv_describe_loop(const RbvState *state, char *text, size_t size) {
    const RbvModel *model = state->system->model;
    int32_t *loop = calloc((size_t)model->joints.count + 1, sizeof *loop);
    double lacks = 0;
    int32_t count = loop ? rbv_find_loop(state, loop, &lacks) : -1;
    char names[600] = "";
    size_t used = 0;
    for (int32_t k = 0; k < count && used < sizeof names; k++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", k > 0 ? ", " : "",
                                 model->joints.items[loop[k]].name);
    text[0] = '\0';
    if (count > 0)
        snprintf(text, size,
                 "the loop of the joints %s does not close: its members reach %.4g m less far than they must", names,
                 lacks);
    free(loop);
    return count >= 0;
}
